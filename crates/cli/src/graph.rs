//! Graph databases: `pessoi graph …`. The methods `cypher-…` of `find` and `count` are added
//! to the catalogue.
//!
//! The arguments are always there; what they ask for is done by `pessoi-graph`, if the
//! command was built with the feature `graph`, and otherwise refused with a sentence on how
//! to get it.

// Without the feature the arguments are read, and then refused.
#![cfg_attr(not(feature = "graph"), allow(dead_code))]

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command};
use pessoi::{Budget, Catalogue, Error, Question, Run, Verb};

use crate::args::{self, Scope};

/// The games and methods that this command was built with.
pub(crate) fn catalogue() -> Catalogue {
    #[allow(unused_mut)]
    let mut catalogue = Catalogue::standard();
    #[cfg(feature = "graph")]
    catalogue.add_methods(Box::new(pessoi_graph::Cypher));
    catalogue
}

/// What `pessoi graph` is to do.
pub(crate) enum Order {
    /// Write a board into a store.
    Load { question: Question, target: Target, solutions: bool },
    /// Remove one.
    Drop { target: Target },
    /// Show what is there.
    List { db: String },
    /// Ask a ready query.
    Query { query: String, target: Target, explain: bool },
    /// Write a board as files for an import.
    Bulk { question: Question, name: Option<String>, folder: PathBuf },
    /// Measure the paper's tables.
    Tables { db: Option<String>, only: Vec<String>, repeats: u32, limit: Duration },
}

/// A board in a store.
pub(crate) struct Target {
    pub(crate) db: String,
    pub(crate) name: Option<String>,
}

/// A graph order with its limits.
pub(crate) struct Task {
    pub(crate) order: Order,
    pub(crate) budget: Budget,
    pub(crate) json: bool,
}

fn db_arg(help: &'static str) -> Arg {
    Arg::new("db").long("db").value_name("DB").help_heading("Graph databases").help(help)
}

fn name_arg() -> Arg {
    Arg::new("name")
        .long("name")
        .value_name("NAME")
        .help_heading("Graph databases")
        .help("the board's name in the database [default: GAME BOARD]")
}

fn explain_arg() -> Arg {
    Arg::new("explain")
        .long("explain")
        .action(ArgAction::SetTrue)
        .help_heading("Graph databases")
        .help("print the query, to be pasted into a console, and do nothing")
}

/// `pessoi graph …`.
pub(crate) fn command(catalogue: &Catalogue, scope: Scope) -> Command {
    let board = |name: &'static str, about: &'static str, more: Vec<Arg>| {
        args::by_game(catalogue, Command::new(name).about(about), Verb::Export, scope, |game, _| {
            game.arg(name_arg()).args(args::limit_args()).args(more.clone())
        })
    };
    let named = |name: &'static str, about: &'static str| {
        Command::new(name).about(about).arg(
            Arg::new("board")
                .value_name("NAME")
                .required(true)
                .num_args(1..)
                .help("the board's name in the database, such as diplomatico 5x5"),
        )
    };
    let db = || db_arg("a file, or neo4j://HOST:PORT").required(true);
    Command::new("graph")
        .about("Keep board graphs in graph databases and ask them in Cypher")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(board(
            "load",
            "Write a board's graph into a database, in one transaction",
            vec![
                db(),
                Arg::new("solutions")
                    .long("solutions")
                    .action(ArgAction::SetTrue)
                    .help_heading("Graph databases")
                    .help("also write every solution, as [:STEP] from cell to cell"),
            ],
        ))
        .subcommand(
            named("drop", "Remove a board from a database").arg(db()).args(args::limit_args()),
        )
        .subcommand(
            Command::new("list")
                .about("Show the boards in a database")
                .arg(db())
                .arg(json_arg())
                .args(args::limit_args()),
        )
        .subcommand(
            Command::new("query")
                .about("Ask a ready query: degree, connectivity, articulation, shared-moves")
                .arg(Arg::new("query").value_name("QUERY").required(true).help("its name"))
                .arg(
                    Arg::new("board")
                        .value_name("NAME")
                        .required(true)
                        .num_args(1..)
                        .help("the board's name in the database, such as diplomatico 5x5"),
                )
                .arg(db())
                .arg(explain_arg())
                .arg(json_arg())
                .args(args::limit_args()),
        )
        .subcommand(board(
            "bulk",
            "Write a board as files for neo4j-admin database import",
            vec![
                Arg::new("folder")
                    .long("output")
                    .short('o')
                    .value_name("FOLDER")
                    .required(true)
                    .value_parser(clap::value_parser!(PathBuf))
                    .help_heading("Output")
                    .help("the folder for the files"),
            ],
        ))
        .subcommand(
            Command::new("tables")
                .about("Measure the Diplomatico paper's tables again, beside its figures")
                .arg(db_arg("a Neo4j server to measure beside the embedded engine"))
                .arg(
                    Arg::new("only")
                        .long("only")
                        .value_name("TABLES")
                        .value_delimiter(',')
                        .help("only these tables of section IV, by number: 1, 2, 3, 4"),
                )
                .arg(
                    Arg::new("repeats")
                        .long("repeats")
                        .value_name("N")
                        .help("repetitions of each question [default: 5]"),
                )
                .arg(json_arg())
                .args(args::limit_args()),
        )
}

fn json_arg() -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .help_heading("Output")
        .help("text or json")
}

/// Reads what [`command`] defines.
pub(crate) fn read(catalogue: &Catalogue, matches: &ArgMatches) -> Result<Task, Error> {
    let Some((name, mut matches)) = matches.subcommand() else {
        return Err(Error::internal("no graph command"));
    };
    let mut question = None;
    if let Some((game, of_game)) = matches.subcommand() {
        matches = of_game;
        question = Some(args::question(catalogue, Verb::Export, game, matches)?);
    }
    let question = || question.clone().ok_or_else(|| Error::internal("no game"));
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let db = || text("db").ok_or_else(|| Error::internal("no database"));
    let board = || {
        let words = matches.get_many::<String>("board").unwrap_or_default();
        Some(words.map(String::as_str).collect::<Vec<_>>().join(" "))
    };
    let mut budget = args::budget(matches)?;
    let order = match name {
        "load" => Order::Load {
            question: question()?,
            target: Target { db: db()?, name: text("name") },
            solutions: matches.get_flag("solutions"),
        },
        "drop" => Order::Drop { target: Target { db: db()?, name: board() } },
        "list" => Order::List { db: db()? },
        "query" => Order::Query {
            query: text("query").unwrap_or_default(),
            target: Target { db: db()?, name: board() },
            explain: matches.get_flag("explain"),
        },
        "bulk" => Order::Bulk {
            question: question()?,
            name: text("name"),
            folder: matches.get_one::<PathBuf>("folder").cloned().unwrap_or_default(),
        },
        _ => {
            let only: Vec<String> =
                matches.get_many::<String>("only").unwrap_or_default().cloned().collect();
            let repeats = text("repeats").unwrap_or_else(|| "5".into());
            let repeats =
                repeats.parse().ok().filter(|n| (1..=100).contains(n)).ok_or_else(|| {
                    Error::option("repeats", "--repeats must be a whole number from 1 to 100.")
                })?;
            // The limit is one for each question.
            let limit = budget.time.take().unwrap_or(A_QUESTION);
            Order::Tables { db: text("db"), only, repeats, limit }
        }
    };
    let format = matches.try_get_one::<String>("format").ok().flatten();
    let json = args::is_json(format.map(String::as_str), "This")?;
    Ok(Task { order, budget, json })
}

/// The paper's limit.
const A_QUESTION: Duration = Duration::from_secs(30);

#[cfg(not(feature = "graph"))]
pub(crate) fn carry_out(_: &Catalogue, _: &Task, _: &Run) -> Result<String, Error> {
    Err(Error::unsupported(
        "graph",
        "This pessoi was built without graph databases, which take some minutes to compile; cargo \
         install --path crates/cli --features graph builds it with them.",
    ))
}

#[cfg(feature = "graph")]
mod done {
    use pessoi::{DatumKind, Table};
    use pessoi_graph::analysis::Analysis;
    use pessoi_graph::boards::{self, Board, Loaded};
    use pessoi_graph::store::EMBEDDED;
    use pessoi_graph::tables::{self, Measuring};
    use pessoi_graph::{Access, Database, Store, bulk, open, search};

    use super::{Budget, Catalogue, Error, Order, Question, Run, Target, Task};
    use pessoi::export::{self, thousands};

    /// Opens a store that outlives the command.
    fn lasting(db: &str, access: Access, run: &Run) -> Result<Box<dyn Store>, Error> {
        match Database::parse(db)? {
            Database::Memory => Err(Error::option(
                "db",
                "--db embedded keeps nothing when the command ends; give a file, such as \
                 boards.db, or neo4j://HOST:PORT.",
            )),
            database => database.open(access, run),
        }
    }

    pub(crate) fn carry_out(
        catalogue: &Catalogue,
        task: &Task,
        run: &Run,
    ) -> Result<String, Error> {
        match &task.order {
            Order::Load { question, target, solutions } => {
                load(catalogue, question, target, *solutions, run)
            }
            Order::Drop { target } => {
                let mut store = lasting(&target.db, Access::Read, run)?;
                let name = target.name.as_deref().unwrap_or_default();
                let nodes = boards::drop(store.as_mut(), name, run)?;
                Ok(format!("{name}: {} nodes dropped\n", thousands(nodes)))
            }
            Order::List { db } => {
                let mut store = lasting(db, Access::Read, run)?;
                let listed = boards::list(store.as_mut(), run)?;
                let title = format!("Boards in {}", store.name());
                let mut table = Table::new(
                    "boards",
                    &title,
                    &[
                        ("board", "board", DatumKind::Text),
                        ("nodes", "nodes", DatumKind::Integer),
                        ("moves", "moves", DatumKind::Integer),
                        ("solutions", "solutions", DatumKind::Integer),
                    ],
                );
                for board in listed {
                    table.push([
                        board.name.into(),
                        board.nodes.into(),
                        board.moves.into(),
                        board.solutions.into(),
                    ]);
                }
                shown(&[table], task.json)
            }
            Order::Query { query, target, explain } => {
                let query = Analysis::parse(query)?;
                let name = target.name.as_deref().unwrap_or_default();
                let mut store = lasting(&target.db, Access::Read, run)?;
                if *explain {
                    let nodes = boards::list(store.as_mut(), run)?;
                    let Some(board) = nodes.iter().find(|board| board.name == name) else {
                        return Err(boards::missing(name));
                    };
                    return Ok(search::shown(&query.statement(name, board.nodes as usize)?));
                }
                shown(&[query.ask(store.as_mut(), name, run)?], task.json)
            }
            Order::Bulk { question, name, folder } => {
                let board = Board::of(catalogue, question, name.as_deref(), run)?;
                let command = bulk::write(&board, folder)?;
                Ok(format!("Written. On the server, while it is stopped:\n{command}\n"))
            }
            Order::Tables { db, only, repeats, limit } => {
                let published = tables::published()?;
                let numbers = || published.iter().map(|published| published.number.as_str());
                if let Some(odd) = only.iter().find(|only| numbers().all(|n| n != *only)) {
                    return Err(Error::unknown("table", "only", odd, numbers()));
                }
                let how = Measuring { repeats: *repeats, limit: *limit };
                // The engine gets the limit when it is opened.
                let one = Run::new(Budget { time: Some(*limit), ..task.budget.clone() });
                let mut stores = vec![open(EMBEDDED, Access::Write, &one)?];
                if let Some(db) = db {
                    stores.push(lasting(db, Access::Write, run)?);
                }
                let mut measured = Vec::new();
                for table in &published {
                    if only.is_empty() || only.contains(&table.number) {
                        measured.push(tables::measure(catalogue, table, &mut stores, how, run)?);
                    }
                }
                shown(&measured, task.json)
            }
        }
    }

    fn load(
        catalogue: &Catalogue,
        question: &Question,
        target: &Target,
        solutions: bool,
        run: &Run,
    ) -> Result<String, Error> {
        let board = Board::of(catalogue, question, target.name.as_deref(), run)?;
        // Found before anything is written: there may be too many of them.
        let solutions = solutions.then(|| board.solutions(catalogue, run)).transpose()?;
        let mut store = lasting(&target.db, Access::Write, run)?;
        let loaded = board.load(store.as_mut(), run)?;
        let done = |loaded| match loaded {
            Loaded::Written => "written to",
            Loaded::AlreadyThere => "already in",
        };
        let said = format!(
            "{}: {} nodes and {} moves {} {}\n",
            board.name,
            thousands(board.graph().nodes.len() as u64),
            thousands(board.links().len() as u64),
            done(loaded),
            store.name()
        );
        let Some(solutions) = solutions else { return Ok(said) };
        let number = thousands(solutions.number);
        let loaded = board.load_solutions(solutions, store.as_mut(), run)?;
        Ok(format!("{said}{number} solutions {} {}\n", done(loaded), store.name()))
    }

    fn shown(tables: &[Table], json: bool) -> Result<String, Error> {
        if json {
            let json = serde_json::to_string_pretty(tables);
            return json
                .map(|json| json + "\n")
                .map_err(|error| Error::internal(error.to_string()));
        }
        Ok(tables
            .iter()
            .map(|table| export::table(table, &crate::output::style(None)))
            .collect::<Vec<_>>()
            .join("\n"))
    }
}

#[cfg(feature = "graph")]
pub(crate) use done::carry_out;
