//! The paper's searches for paths through all cells, as statements for both backends.
//!
//! | method | what it does |
//! |---|---|
//! | `cypher-raw` | matches all paths of the right length and keeps those whose cells differ |
//! | `cypher-constructive` | lengthens paths by one cell at a time and keeps only new cells |
//! | `cypher-apoc` | Neo4j's APOC procedure `expandConfig`, where each path may visit a cell once (`NODE_PATH`) |
//! | `cypher-apoc-printed` | the same as the paper prints it (`NODE_GLOBAL`): a cell is visited once in the *whole* traversal, so solutions are missed |
//!
//! Engines differ in what a path is: in Neo4j it uses no relationship twice, in grafeo's
//! Cypher it may. So the texts differ where they must. grafeo would hold every walk from one
//! cell at once (4×5: some ten million of 19 moves), so there `cypher-raw` is written in GQL,
//! whose `ACYCLIC` makes the engine drop a path as soon as a cell repeats; and
//! `cypher-constructive` carries the cells in one list instead of one variable for each cell,
//! which is the same search and took a third of the time.
//!
//! Whatever comes back is checked by the game's own checker, which knows nothing of
//! databases. If a store returns anything that is no solution, its silence about others
//! means nothing either, and the answer says *at least*.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Instant;

use pessoi::board::Cell;
use pessoi::{Answer, Certificate, Error, Figure, Place, Question, Run, Stop, Value, Verb};

use crate::boards::Board;
use crate::store::{Access, Dialect, Field, Language, Row, Statement, Store, Trouble};

/// One of the paper's searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All paths of the right length, filtered.
    Raw,
    /// Cell by cell.
    Constructive,
    /// By APOC, with `NODE_PATH`.
    Apoc,
    /// By APOC as printed, with `NODE_GLOBAL`.
    ApocPrinted,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 4] =
        [Method::Raw, Method::Constructive, Method::Apoc, Method::ApocPrinted];

    /// Its name as a value of `--method`.
    pub fn name(self) -> &'static str {
        match self {
            Method::Raw => "cypher-raw",
            Method::Constructive => "cypher-constructive",
            Method::Apoc => "cypher-apoc",
            Method::ApocPrinted => "cypher-apoc-printed",
        }
    }

    /// The method of a question, if it is one of these.
    pub fn of(question: &Question) -> Option<Method> {
        let name = question.text("method")?;
        Method::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Whether a store of this dialect can do it at all.
    pub fn suits(self, dialect: Dialect) -> bool {
        dialect == Dialect::Neo4j || matches!(self, Method::Raw | Method::Constructive)
    }
}

/// The largest board for which a query with lines for each cell is written. No database can
/// search a board of half as many cells in this way.
const MOST_STEPS: usize = 200;

/// What is asked of a store: a question that was looked at.
struct Task<'q> {
    question: &'q Question,
    method: Method,
    board: Board,
    from: Option<(i64, i64)>,
    to: Option<(i64, i64)>,
    /// How many solutions are wanted; `None` for all.
    limit: Option<u64>,
}

impl<'q> Task<'q> {
    fn new(question: &'q Question, name: Option<&str>, run: &Run) -> Result<Self, Error> {
        let Some(method) = Method::of(question) else {
            let names: Vec<_> = Method::ALL.iter().map(|method| method.name()).collect();
            return Err(Error::input(format!(
                "A graph database is asked by one of the methods {}.",
                names.join(", ")
            )));
        };
        let card = pessoi::games::open(&question.game)?.card();
        question.check(card)?;
        for option in ["closed", "classes", "part"] {
            if question.options.contains_key(option) {
                return Err(Error::input(format!(
                    "--{option} cannot be asked of a graph database; the other methods of {} take \
                     it.",
                    question.verb
                )));
            }
        }
        let Place::Board(drawing) = &question.place else {
            return Err(Error::input("A graph database is asked about a board, such as 5x5."));
        };
        if !drawing.clues.is_empty() {
            return Err(Error::input(
                "A graph database is not asked about clues; --from and --to tell where the first \
                 and the last number are.",
            ));
        }
        let place = |name: &str| -> Result<Option<(i64, i64)>, Error> {
            // It must be a cell of the board.
            if question.cell(name, &drawing.board)?.is_none() {
                return Ok(None);
            }
            let text = question.text(name).unwrap_or_default();
            let numbers = text
                .split_once(',')
                .and_then(|(row, col)| Some((row.trim().parse().ok()?, col.trim().parse().ok()?)));
            numbers.map(Some).ok_or_else(|| Error::internal(format!("{text} was let through")))
        };
        let limit = match (question.verb, question.number("limit"), question.flag("all")) {
            (_, Some(limit), _) => Some(limit),
            (Verb::Find, None, false) => Some(1),
            _ => None,
        };
        let (from, to) = (place("from")?, place("to")?);
        let board = Board::of(question, name, run)?;
        Ok(Task { question, method, board, from, to, limit })
    }

    fn cells(&self) -> usize {
        self.board.graph().nodes.len()
    }

    /// Whether a path and its reverse are one.
    fn is_undirected(&self) -> bool {
        self.from.is_none() && self.to.is_none() && !self.question.flag("directed")
    }

    fn counts(&self) -> &'static str {
        if self.from.is_some() || self.to.is_some() {
            "open paths numbered as asked"
        } else if self.question.flag("directed") {
            "directed open paths"
        } else {
            "undirected open paths"
        }
    }

    /// The most rows that can be needed: among 2n − 1 paths there are n that are no reverses
    /// of each other.
    fn rows(&self) -> Option<u64> {
        let limit = self.limit?;
        Some(if self.is_undirected() { limit.saturating_mul(2) - 1 } else { limit })
    }

    fn statement(&self, dialect: Dialect) -> Result<Statement, Error> {
        if !self.method.suits(dialect) {
            return Err(Error::input(format!(
                "{} needs the APOC procedures of a Neo4j server (--db neo4j://HOST:PORT); \
                 cypher-constructive does without.",
                self.method.name()
            )));
        }
        if self.method == Method::Constructive && self.cells() > MOST_STEPS {
            return Err(Error::input(format!(
                "cypher-constructive has two lines for each cell, and is written for boards of up \
                 to {MOST_STEPS} cells."
            )));
        }
        let mut language = Language::Cypher;
        let mut text = match (self.method, dialect) {
            (Method::Raw, Dialect::Neo4j) => self.raw(),
            (Method::Raw, Dialect::Grafeo) => {
                language = Language::Gql;
                self.raw_in_gql()
            }
            (Method::Constructive, Dialect::Neo4j) => self.constructive(),
            (Method::Constructive, Dialect::Grafeo) => self.constructive_by_lists(),
            (Method::Apoc | Method::ApocPrinted, _) => self.apoc(),
        };
        if self.limit.is_some() {
            text += "\nLIMIT $limit";
        }
        let mut statement = Statement { language, ..Statement::new(text) };
        statement = statement.with("board", &*self.board.name);
        for (cell, [row, col]) in
            [(self.from, ["from_row", "from_col"]), (self.to, ["to_row", "to_col"])]
        {
            if let Some(cell) = cell {
                statement = statement.with(row, cell.0).with(col, cell.1);
            }
        }
        if let Some(rows) = self.rows() {
            statement = statement.with("limit", i64::try_from(rows).unwrap_or(i64::MAX));
        }
        if matches!(self.method, Method::Apoc | Method::ApocPrinted) {
            statement = statement.with("moves", self.moves() as i64);
        }
        Ok(statement)
    }

    /// Moves of a path through all cells.
    fn moves(&self) -> usize {
        self.cells() - 1
    }

    /// What is asked of the first cell.
    fn start(&self) -> &'static str {
        if self.from.is_some() {
            "{board: $board, row: $from_row, col: $from_col}"
        } else {
            "{board: $board}"
        }
    }

    /// What is asked of the last cell, in its pattern …
    fn end(&self) -> &'static str {
        if self.to.is_some() { " {board: $board, row: $to_row, col: $to_col}" } else { "" }
    }

    fn raw(&self) -> String {
        let (start, end, moves) = (self.start(), self.end(), self.moves());
        format!(
            "MATCH p = (origin:Cell {start})-[:MOVE*{moves}]->(finish:Cell{end})\n\
             WHERE all(n IN nodes(p) WHERE single(m IN nodes(p) WHERE m = n))\n\
             RETURN [n IN nodes(p) | [n.row, n.col]] AS path"
        )
    }

    fn raw_in_gql(&self) -> String {
        let (start, moves) = (self.start(), self.moves());
        // … or after it, where the engine wants it.
        let end = match self.to {
            Some(_) => "\nWHERE finish.row = $to_row AND finish.col = $to_col",
            None => "",
        };
        format!(
            "MATCH ACYCLIC p = (origin:Cell {start})-[:MOVE]->{{{moves}}}(finish:Cell){end}\n\
             RETURN [n IN nodes(p) | [n.row, n.col]] AS path"
        )
    }

    fn constructive(&self) -> String {
        let moves = self.moves();
        let mut text = format!("MATCH (n0:Cell {})", self.start());
        // Writing to a String cannot fail.
        for k in 1..=moves {
            let end = if k == moves { self.end() } else { "" };
            let before: Vec<_> = (0..k).map(|j| format!("n{j}")).collect();
            let _ = write!(
                text,
                "\nMATCH (n{})-[:MOVE]->(n{k}:Cell{end})\nWHERE NOT n{k} IN [{}]",
                k - 1,
                before.join(", ")
            );
        }
        let cells: Vec<_> = (0..=moves).map(|k| format!("[n{k}.row, n{k}.col]")).collect();
        format!("{text}\nRETURN [{}] AS path", cells.join(", "))
    }

    fn constructive_by_lists(&self) -> String {
        let moves = self.moves();
        let mut text =
            format!("MATCH (first:Cell {})\nWITH first AS last, [first] AS path", self.start());
        for k in 1..=moves {
            let end = match self.to {
                Some(_) if k == moves => " AND next.row = $to_row AND next.col = $to_col",
                _ => "",
            };
            text += "\nMATCH (last)-[:MOVE]->(next) WHERE NOT next IN path";
            text += end;
            text += "\nWITH next AS last, path + [next] AS path";
        }
        text + "\nRETURN [n IN path | [n.row, n.col]] AS path"
    }

    fn apoc(&self) -> String {
        let (uniqueness, more) = match self.method {
            Method::ApocPrinted => ("NODE_GLOBAL", ""),
            _ => ("NODE_PATH", ", bfs: false"),
        };
        let (finish, ends) = match self.to {
            Some(_) => (format!("\nMATCH (finish:Cell{})", self.end()), ", endNodes: [finish]"),
            None => (String::new(), ""),
        };
        let limit = if self.limit.is_some() { ", limit: $limit" } else { "" };
        format!(
            "MATCH (origin:Cell {}){finish}\n\
             CALL apoc.path.expandConfig(origin, {{relationshipFilter: 'MOVE>', labelFilter: \
             '+Cell', minLevel: $moves, maxLevel: $moves, uniqueness: \
             '{uniqueness}'{more}{ends}{limit}}})\n\
             YIELD path\n\
             RETURN [n IN nodes(path) | [n.row, n.col]] AS path",
            self.start()
        )
    }

    /// How many rows the embedded engine can hold: cells are lists of two numbers there.
    fn most_rows(&self, run: &Run) -> u64 {
        const A_CELL: u64 = 128;
        const A_ROW: u64 = 256;
        memory(run) / (self.cells() as u64 * A_CELL + A_ROW)
    }

    /// Refuses what the embedded engine would hold beyond the run's memory: with a path of
    /// variable length, every path from one cell, whole or not.
    fn fits(&self, run: &Run) -> Result<(), Stop> {
        // A link of a path, its place in a queue, and its share of the rows.
        const A_PATH: u64 = 160;
        let limit = memory(run);
        let graph = self.board.graph();
        let mut near = vec![Vec::new(); graph.nodes.len()];
        for &(a, b) in &graph.edges {
            near[a as usize].push(b as usize);
            near[b as usize].push(a as usize);
        }
        for first in 0..near.len() {
            // Paths from this cell, by walking all of them.
            let mut paths = 0u64;
            let mut seen = vec![false; near.len()];
            seen[first] = true;
            let mut path = vec![(first, 0)];
            while let Some((cell, choice)) = path.last_mut() {
                let Some(&next) = near[*cell].get(*choice) else {
                    seen[*cell] = false;
                    path.pop();
                    continue;
                };
                *choice += 1;
                if seen[next] {
                    continue;
                }
                paths += 1;
                if paths.is_multiple_of(1 << 14) {
                    run.tick(1 << 14)?;
                    let needed = paths * A_PATH;
                    if needed > limit {
                        return Err(Stop::Memory { needed, limit });
                    }
                }
                seen[next] = true;
                path.push((next, 0));
            }
        }
        Ok(())
    }

    /// Whether all these paths are solutions, by the game's checker.
    fn holds(&self, paths: Vec<Vec<Cell>>, run: &Run) -> Result<bool, Error> {
        let mut question = self.question.clone();
        question.verb = Verb::Find;
        question.options.retain(|name, _| matches!(&**name, "from" | "to" | "moves"));
        let value = Value::AtLeast { number: paths.len().into(), why: None };
        let counts = if self.from.is_none() && self.to.is_none() {
            "undirected open paths"
        } else {
            self.counts()
        };
        let mut answer = Answer::new(&question, value, counts, self.method.name(), run);
        let solution = |cells| Figure::Path { cells, closed: false }.into();
        answer.solutions = paths.into_iter().map(solution).collect();
        let game = pessoi::games::open(&question.game)?;
        Ok(game.check(&answer, run).is_ok())
    }
}

/// What a store returned.
#[derive(Default)]
struct Harvest {
    rows: u64,
    /// Rows that are no list of cells.
    malformed: u64,
    directed: BTreeSet<Vec<Cell>>,
}

impl Harvest {
    /// One direction of each path.
    fn undirected(&self) -> BTreeSet<Vec<Cell>> {
        let least = |path: &Vec<Cell>| {
            let mut back = path.clone();
            back.reverse();
            back.min(path.clone())
        };
        self.directed.iter().map(least).collect()
    }
}

fn path(row: &Row) -> Option<Vec<Cell>> {
    let cell = |field: &Field| -> Option<Cell> {
        let [Field::Int(row), Field::Int(col)] = field.list() else { return None };
        format!("{row},{col}").parse().ok()
    };
    row.first()?.list().iter().map(cell).collect()
}

/// What the embedded engine may use.
fn memory(run: &Run) -> u64 {
    const UNLESS_TOLD: u64 = 4 << 30;
    run.budget().memory.unwrap_or(UNLESS_TOLD)
}

/// Answers `find` or `count` by a search in a store.
pub fn ask(
    question: &Question,
    store: &mut dyn Store,
    name: Option<&str>,
    run: &Run,
) -> Result<Answer, Error> {
    Ok(timed(question, store, name, run)?.0)
}

/// Sees to it that the board of a question is in a store.
pub(crate) fn prepare(question: &Question, store: &mut dyn Store, run: &Run) -> Result<(), Error> {
    Board::of(question, None, run)?.load(store, run).map(|_| ())
}

/// As [`ask`], with the seconds that the query alone took.
pub fn timed(
    question: &Question,
    store: &mut dyn Store,
    name: Option<&str>,
    run: &Run,
) -> Result<(Answer, f64), Error> {
    let task = Task::new(question, name, run)?;
    let mut statement = task.statement(store.dialect())?;
    // The embedded engine holds all rows before it gives the first.
    let most = task.most_rows(run);
    let is_bounded =
        store.dialect() == Dialect::Grafeo && task.rows().is_none_or(|rows| rows > most);
    if is_bounded {
        if task.limit.is_none() {
            statement.text += "\nLIMIT $limit";
        }
        statement = statement.with("limit", i64::try_from(most).unwrap_or(i64::MAX));
    }
    task.board.expect(store, run)?;
    let began = Instant::now();
    let mut harvest = Harvest::default();
    let ended = if task.method == Method::Raw && store.dialect() == Dialect::Grafeo {
        task.fits(run).map_err(Trouble::from)
    } else {
        Ok(())
    };
    let ended = ended.and_then(|()| collect(&task, &statement, store, &mut harvest, run));
    let ended = ended.and_then(|()| {
        let is_full = is_bounded && harvest.rows >= most;
        let limit = memory(run);
        if is_full { Err(Stop::Memory { needed: limit + 1, limit }.into()) } else { Ok(()) }
    });
    let seconds = began.elapsed().as_secs_f64();
    let stopped = match ended {
        Ok(()) => None,
        Err(trouble) => Some(trouble.why()?),
    };
    Ok((conclude(&task, store.name(), &harvest, stopped, run)?, seconds))
}

/// Runs the query and keeps what it returns, as long as more is wanted and fits.
fn collect(
    task: &Task,
    statement: &Statement,
    store: &mut dyn Store,
    harvest: &mut Harvest,
    run: &Run,
) -> Result<(), Trouble> {
    run.stage(format!("asking {}", store.name()), 0);
    let a_path = (task.cells() * size_of::<Cell>() + 64) as u64;
    let mut claim = run.claim();
    let mut full = None;
    store.run(std::slice::from_ref(statement), Access::Read, run, &mut |row| {
        harvest.rows += 1;
        match path(&row) {
            Some(path) => {
                harvest.directed.insert(path);
            }
            None => harvest.malformed += 1,
        }
        // Twice: what is kept, and what is made of it for the answer.
        if let Err(stop) = claim.grow_to(2 * a_path * harvest.directed.len() as u64) {
            full = Some(stop);
        }
        full.is_none()
    })?;
    full.map_or(Ok(()), |stop| Err(stop.into()))
}

/// Checks what came back, and says what it means.
fn conclude(
    task: &Task,
    store: &str,
    harvest: &Harvest,
    stopped: Option<String>,
    run: &Run,
) -> Result<Answer, Error> {
    let mut kept = if task.from.is_none() && task.to.is_none() {
        harvest.undirected()
    } else {
        harvest.directed.clone()
    };
    let mut wrong = harvest.malformed;
    if !task.holds(kept.iter().cloned().collect(), run)? {
        let mut right = BTreeSet::new();
        for path in kept {
            if task.holds(vec![path.clone()], run)? {
                right.insert(path);
            } else {
                wrong += 1;
            }
        }
        kept = right;
    }
    // What is counted: paths, or each of their directions that came back.
    let is_counted = |path: &Vec<Cell>| {
        let mut back = path.clone();
        back.reverse();
        usize::from(harvest.directed.contains(path))
            + usize::from(back != *path && harvest.directed.contains(&back))
    };
    let directed: usize = kept.iter().map(is_counted).sum();
    let mut number = if task.is_undirected() || task.from.is_some() || task.to.is_some() {
        kept.len()
    } else {
        directed
    };
    let enough = task.limit.is_some_and(|limit| number as u64 >= limit);
    if let Some(limit) = task.limit {
        number = number.min(usize::try_from(limit).unwrap_or(usize::MAX));
    }
    let complaint = if wrong > 0 || harvest.rows > harvest.directed.len() as u64 + harvest.malformed
    {
        Some(format!(
            "the database returned {} paths of which {directed} are solutions, so it cannot be \
             trusted to have returned all",
            harvest.rows
        ))
    } else if !enough && stopped.is_none() && task.is_undirected() && directed != 2 * kept.len() {
        // A single cell is its own reverse.
        (task.cells() > 1).then(|| {
            format!("the database returned {directed} directed paths, not all with their reverses")
        })
    } else {
        None
    };
    let at_least = |why: Option<String>| Value::AtLeast { number: number.into(), why };
    let misses = "NODE_GLOBAL visits each cell once in the whole traversal, so it misses solutions";
    let is_printed = task.method == Method::ApocPrinted;
    let value = match complaint.clone().or(stopped) {
        Some(why) if number == 0 => Value::GaveUp { why },
        _ if enough && complaint.is_none() => at_least(None),
        Some(why) => at_least(Some(why)),
        None if is_printed && number == 0 => Value::GaveUp { why: misses.into() },
        None if is_printed => at_least(Some(misses.into())),
        None if number == 0 => {
            Value::None { proof: "the query ran to its end and found none".into() }
        }
        None => Value::exact(number),
    };
    let method = format!("{} on {store}", task.method.name());
    let mut answer = Answer::new(task.question, value, task.counts(), &method, run);
    answer.notes.push(format!(
        "{} returned, each checked by code that knows nothing of databases.",
        match harvest.rows {
            1 => "1 path was".to_owned(),
            rows => format!("{rows} paths were"),
        }
    ));
    if task.question.verb == Verb::Find && number > 0 {
        answer.solutions = kept
            .into_iter()
            .take(number)
            .map(|cells| Figure::Path { cells, closed: false }.into())
            .collect();
        answer.certificate = Some(Certificate::Solutions);
    }
    Ok(answer)
}

/// The query as it can be pasted into a console, with its parameters.
pub fn explain(
    question: &Question,
    dialect: Dialect,
    name: Option<&str>,
    run: &Run,
) -> Result<String, Error> {
    let task = Task::new(question, name, run)?;
    Ok(shown(&task.statement(dialect)?))
}

/// A statement as it can be pasted into Neo4j's browser or cypher-shell.
pub fn shown(statement: &Statement) -> String {
    let parameters = statement.parameters.iter();
    let parameters: Vec<_> =
        parameters.map(|(name, field)| format!("{name}: {}", literal(field))).collect();
    format!(":params {{{}}}\n{};\n", parameters.join(", "), statement.text)
}

fn literal(field: &Field) -> String {
    match field {
        Field::Null => "null".into(),
        Field::Bool(truth) => truth.to_string(),
        Field::Int(number) => number.to_string(),
        Field::Float(number) => number.to_string(),
        Field::Text(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Field::List(fields) => {
            format!("[{}]", fields.iter().map(literal).collect::<Vec<_>>().join(", "))
        }
    }
}
