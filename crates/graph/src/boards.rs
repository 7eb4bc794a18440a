//! Boards in a store: loading, comparing, listing, dropping.
//!
//! A board comes from `pessoi export`, whichever game it is of: cells and moves of tours, or
//! positions of slides and of Go. What is in the store is always the whole of it: it was
//! written in one transaction, and it is compared with the game's own graph before anything
//! is asked of it.

use std::collections::BTreeSet;

use pessoi::export::Graph;
use pessoi::{Error, Figure, Question, Run, Value, Verb};

use crate::store::{Access, Field, Link, Node, Parcel, Row, Statement, Store};

/// The most solutions that are written beside a board.
const MOST_SOLUTIONS: usize = 100_000;

/// A board to be loaded, or one that is meant to be there.
#[derive(Clone, Debug)]
pub struct Board {
    /// The name by which it is found in a store.
    pub name: String,
    question: Question,
    graph: Graph,
}

/// What loading did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// It was written.
    Written,
    /// It was there already, the same.
    AlreadyThere,
}

/// A board that is in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Cells or positions.
    pub nodes: u64,
    /// Relationships: two for a move that goes both ways.
    pub moves: u64,
    /// Solutions beside it.
    pub solutions: u64,
}

/// Solutions of a board, as they are written beside it.
pub struct Solutions {
    /// How many there are.
    pub number: u64,
    steps: Vec<Link>,
}

impl Board {
    /// The board of a question, whichever its verb. Its name is the game's and the board's
    /// unless another is given.
    pub fn of(question: &Question, name: Option<&str>, run: &Run) -> Result<Self, Error> {
        let game = pessoi::games::open(&question.game)?;
        let card = game.card();
        let mut export = question.clone();
        export.verb = Verb::Export;
        // Options that say which solutions are wanted mean nothing to the graph.
        export
            .options
            .retain(|name, _| card.option(name, Verb::Export).is_some() && name != "closed");
        let answer = pessoi::ask(&export, run, &mut |_| true)?;
        let Some(graph) = answer.graph else {
            return Err(Error::input(match answer.value {
                Value::GaveUp { why } => {
                    format!(
                        "The graph of {} {} is not at hand: {why}.",
                        question.game, question.place
                    )
                }
                _ => format!("{} {} has no graph.", question.game, question.place),
            }));
        };
        let mut words = vec![question.game.clone(), question.place.to_string()];
        // Other moves, holes … make other graphs.
        for (name, setting) in &export.options {
            words.push(match setting {
                pessoi::Setting::Flag(_) => name.clone(),
                pessoi::Setting::Number(number) => format!("{name}={number}"),
                pessoi::Setting::Text(text) => format!("{name}={}", text.trim()),
            });
        }
        let name = name.map_or_else(|| words.join(" "), str::to_owned);
        if name.trim().is_empty() || name.contains(char::is_control) {
            return Err(Error::input("The name of a board must be one line of text."));
        }
        Ok(Board { name, question: question.clone(), graph })
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The nodes' label beside `Pessoi`.
    pub fn label(&self) -> &'static str {
        if self.graph.cells().is_some() { "Cell" } else { "Position" }
    }

    /// The nodes in order, each with its properties.
    pub fn nodes(&self) -> Vec<Node> {
        let is_cells = self.label() == "Cell";
        let node = |name: &String| {
            // The graph names cells as people do: row,column, counted from 1.
            let properties = match name.split_once(',').filter(|_| is_cells) {
                Some((row, col)) => {
                    let number = |text: &str| Field::Int(text.trim().parse().unwrap_or(0));
                    vec![("row", number(row)), ("col", number(col))]
                }
                None => vec![("name", Field::Text(name.clone()))],
            };
            Node { properties }
        };
        self.graph.nodes.iter().map(node).collect()
    }

    /// The moves, in both directions where they go both ways.
    pub fn links(&self) -> Vec<Link> {
        let mut links = Vec::new();
        for (k, &(a, b)) in self.graph.edges.iter().enumerate() {
            let label = self.graph.labels.get(k);
            let properties: Vec<_> =
                label.iter().map(|label| ("label", Field::Text((*label).clone()))).collect();
            let (from, to) = (i64::from(a) + 1, i64::from(b) + 1);
            links.push(Link { from, to, properties: properties.clone() });
            if !self.graph.directed {
                links.push(Link { from: to, to: from, properties });
            }
        }
        links
    }

    /// Compares a store's board of this name: `None` if there is none, else whether it is
    /// the same.
    fn compare(&self, store: &mut dyn Store, run: &Run) -> Result<Option<bool>, Error> {
        let properties = if self.label() == "Cell" { ["row", "col"] } else { ["name", "name"] };
        let nodes = Statement::new(format!(
            "MATCH (n:Pessoi {{board: $board}})\n\
             RETURN n.number AS number, n.{} AS first, n.{} AS last",
            properties[0], properties[1]
        ));
        let found = store.rows(&nodes.with("board", &*self.name), run)?;
        if found.is_empty() {
            return Ok(None);
        }
        let wanted = (1..).zip(self.nodes()).map(|(number, node)| {
            let mut fields = node.properties.into_iter().map(|(_, field)| field);
            let first = fields.next().unwrap_or(Field::Null);
            let last = fields.next().unwrap_or_else(|| first.clone());
            vec![Field::Int(number), first, last]
        });
        if !same(wanted, found) {
            return Ok(Some(false));
        }
        let moves = Statement::new(
            "MATCH (a:Pessoi {board: $board})-[m:MOVE]->(b:Pessoi {board: $board})\n\
             RETURN a.number AS origin, b.number AS target, m.label AS label",
        );
        let found = store.rows(&moves.with("board", &*self.name), run)?;
        let wanted = self.links().into_iter().map(|link| {
            let label = link.properties.into_iter().next().map_or(Field::Null, |(_, field)| field);
            vec![Field::Int(link.from), Field::Int(link.to), label]
        });
        Ok(Some(same(wanted, found)))
    }

    /// Writes the board, unless it is there already.
    pub fn load(&self, store: &mut dyn Store, run: &Run) -> Result<Loaded, Error> {
        match self.compare(store, run)? {
            Some(true) => return Ok(Loaded::AlreadyThere),
            Some(false) => {
                return Err(Error::input(format!(
                    "There is another board of the name {:?} in this database, which is left as \
                     it is; give this one a name with --name, or drop that one.",
                    self.name
                )));
            }
            None => {}
        }
        let parcel = Parcel {
            board: self.name.clone(),
            label: self.label(),
            nodes: self.nodes(),
            links: vec![("MOVE", self.links())],
        };
        store.write(&parcel, run)?;
        Ok(Loaded::Written)
    }

    /// Sees to it that the board is there, and is the board that is meant.
    pub fn expect(&self, store: &mut dyn Store, run: &Run) -> Result<(), Error> {
        if store.is_fleeting() {
            return self.load(store, run).map(|_| ());
        }
        match self.compare(store, run)? {
            Some(true) => Ok(()),
            Some(false) => Err(Error::input(format!(
                "The board {:?} in this database is not the one that is meant; pessoi graph drop \
                 and load make it so, or --name tells another.",
                self.name
            ))),
            None => Err(Error::input(format!(
                "There is no board {:?} in this database; pessoi graph load {} BOARD --db … \
                 writes it.",
                self.name, self.question.game
            ))),
        }
    }

    /// All solutions, to be written beside the board.
    pub fn solutions(&self, run: &Run) -> Result<Solutions, Error> {
        let mut list = self.question.clone();
        list.verb = Verb::List;
        let mut steps = Vec::new();
        let mut solutions = 0;
        let mut too_many = false;
        let mut no_paths = false;
        let number: std::collections::BTreeMap<&str, i64> =
            self.graph.nodes.iter().map(String::as_str).zip(1..).collect();
        let answer = pessoi::ask(&list, run, &mut |solution| {
            if solutions == MOST_SOLUTIONS {
                too_many = true;
                return false;
            }
            solutions += 1;
            let Figure::Path { cells, closed } = &solution.figure else {
                no_paths = true;
                return false;
            };
            let mut path: Vec<i64> =
                cells.iter().filter_map(|cell| number.get(&*cell.to_string()).copied()).collect();
            if *closed && let Some(&first) = path.first() {
                path.push(first);
            }
            for (step, pair) in (1..).zip(path.windows(2)) {
                let properties =
                    vec![("solution", Field::Int(solutions as i64)), ("step", Field::Int(step))];
                steps.push(Link { from: pair[0], to: pair[1], properties });
            }
            true
        })?;
        if no_paths {
            return Err(Error::input(format!(
                "The solutions of {} are no paths over its nodes, and cannot be written beside it.",
                self.name
            )));
        }
        if too_many {
            return Err(Error::input(format!(
                "{} has more than {MOST_SOLUTIONS} solutions, too many to be written beside it.",
                self.name
            )));
        }
        if answer.value.is_cut_short() {
            let why = match answer.value {
                Value::GaveUp { why } | Value::AtLeast { why: Some(why), .. } => why,
                _ => String::new(),
            };
            return Err(Error::input(format!("The solutions were not all found: {why}.")));
        }
        Ok(Solutions { number: solutions as u64, steps })
    }

    /// Writes solutions beside the board: for each its moves as `[:STEP {solution, step}]`.
    pub fn load_solutions(
        &self,
        solutions: Solutions,
        store: &mut dyn Store,
        run: &Run,
    ) -> Result<Loaded, Error> {
        let Solutions { steps, .. } = solutions;
        let there = Statement::new(
            "MATCH (a:Pessoi {board: $board})-[s:STEP]->(b:Pessoi {board: $board})\n\
             RETURN a.number AS origin, b.number AS target, s.solution AS solution, s.step AS step",
        );
        let there = store.rows(&there.with("board", &*self.name), run)?;
        if !there.is_empty() {
            let row = |link: &Link| {
                let properties = link.properties.iter().map(|(_, field)| field.clone());
                [Field::Int(link.from), Field::Int(link.to)].into_iter().chain(properties).collect()
            };
            if same(steps.iter().map(row), there) {
                return Ok(Loaded::AlreadyThere);
            }
            return Err(Error::input(format!(
                "There are other solutions beside {:?} in this database; drop the board and load \
                 it again.",
                self.name
            )));
        }
        let parcel = Parcel {
            board: self.name.clone(),
            label: self.label(),
            nodes: Vec::new(),
            links: vec![("STEP", steps)],
        };
        store.write(&parcel, run)?;
        Ok(Loaded::Written)
    }
}

/// Whether the rows are the same, in whatever order.
fn same(wanted: impl Iterator<Item = Row>, found: Vec<Row>) -> bool {
    let key = |row: Row| format!("{row:?}");
    let wanted: Vec<String> = wanted.map(key).collect();
    let number = found.len();
    let found: BTreeSet<String> = found.into_iter().map(key).collect();
    number == wanted.len() && wanted.into_iter().collect::<BTreeSet<_>>() == found
}

/// All boards in a store.
pub fn list(store: &mut dyn Store, run: &Run) -> Result<Vec<Listed>, Error> {
    let nodes = "MATCH (n:Pessoi) RETURN n.board AS board, count(*) AS number ORDER BY board";
    let moves = "MATCH (n:Pessoi)-[m:MOVE]->(t:Pessoi) RETURN n.board AS board, count(m) AS number";
    let steps = "MATCH (n:Pessoi)-[s:STEP]->(t:Pessoi)\n\
                 RETURN n.board AS board, count(DISTINCT s.solution) AS number";
    let mut numbers = |text: &str| -> Result<Vec<(String, u64)>, Error> {
        let rows = store.rows(&Statement::new(text), run)?;
        Ok(rows
            .iter()
            .filter_map(|row| Some((row.first()?.text()?.to_owned(), row.get(1)?.int()? as u64)))
            .collect())
    };
    let (nodes, moves, steps) = (numbers(nodes)?, numbers(moves)?, numbers(steps)?);
    let of = |numbers: &[(String, u64)], name: &str| {
        numbers.iter().find(|(board, _)| board == name).map_or(0, |(_, number)| *number)
    };
    Ok(nodes
        .into_iter()
        .map(|(name, nodes)| Listed {
            moves: of(&moves, &name),
            solutions: of(&steps, &name),
            name,
            nodes,
        })
        .collect())
}

/// Says that there is no such board.
pub fn missing(name: &str) -> Error {
    Error::input(format!(
        "There is no board {name:?} in this database; pessoi graph list shows what is there."
    ))
}

/// Removes a board and its solutions; gives the number of nodes that were removed.
pub fn drop(store: &mut dyn Store, name: &str, run: &Run) -> Result<u64, Error> {
    let one = |rows: Vec<Row>| rows.first().and_then(|row| row.first()?.int()).unwrap_or(0);
    let nodes = Statement::new("MATCH (n:Pessoi {board: $board}) RETURN count(*) AS number");
    let nodes = one(store.rows(&nodes.with("board", name), run)?);
    if nodes == 0 {
        return Err(missing(name));
    }
    // Somebody may have tied data of his own to the board, or made relationships of his own
    // on it; that is not ours to cut.
    let foreign = Statement::new(
        "MATCH (n:Pessoi {board: $board})-[r]-(other)\n\
         WHERE NOT ('Pessoi' IN labels(other) AND coalesce(other.board, '') = $board\n\
         AND type(r) IN ['MOVE', 'STEP'])\n\
         RETURN count(r) AS number",
    );
    let foreign = one(store.rows(&foreign.with("board", name), run)?);
    if foreign > 0 {
        return Err(Error::input(format!(
            "{foreign} relationships tie other data to the board {name:?}; remove them first. \
             Nothing was dropped."
        )));
    }
    let statement = Statement::new("MATCH (n:Pessoi {board: $board}) DETACH DELETE n");
    store.run(&[statement.with("board", name)], Access::Write, run, &mut |_| true)?;
    Ok(nodes as u64)
}
