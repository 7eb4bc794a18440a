//! Boards in a store: loading, comparing, listing, dropping.
//!
//! A board is what `pessoi export` gives, of any game: cells and moves, or positions. What is
//! in the store is always the whole of it: it was written in one transaction, and it is
//! compared with the game's own graph before it is searched.

use std::collections::{BTreeMap, BTreeSet};

use pessoi::board::{Cell, SIDE_LIMIT};
use pessoi::export::Graph;
use pessoi::job::{Deaf, ENOUGH, MORE};
use pessoi::{
    Card, Catalogue, Code, Error, Events, Figure, Flow, Game, Limit, Question, Run, Setting,
    Solution, Verb,
};

use crate::cypher::NAME;
use crate::store::{Access, Field, Link, Node, Parcel, Row, Statement, Store};

/// The most solutions that are written beside a board.
const MOST_SOLUTIONS: u64 = 100_000;

/// The option that asks for other solutions of the same graph.
const CLOSED: &str = "closed";

/// Whether an option of a game makes another graph: other moves, holes …
pub(crate) fn shapes(card: &Card, option: &str) -> bool {
    option != CLOSED && card.menu(Verb::Export).options.iter().any(|opt| opt.name == option)
}

/// The name of a question's board: the one that is given, or else what makes its graph.
pub(crate) fn name(card: &Card, question: &Question, given: Option<&str>) -> Result<String, Error> {
    let mut words = vec![question.game.clone(), question.place.to_string()];
    for (name, setting) in question.options.iter().filter(|(name, _)| shapes(card, name)) {
        words.push(match setting {
            Setting::Flag(false) => continue,
            Setting::Flag(true) => name.clone(),
            Setting::Number(number) => format!("{name}={number}"),
            Setting::Text(text) => format!("{name}={}", text.trim()),
        });
    }
    let name = given.map_or_else(|| words.join(" "), str::to_owned);
    if name.trim().is_empty() || name.contains(char::is_control) {
        return Err(Error::option(NAME.name, "The name of a board must be one line of text."));
    }
    Ok(name)
}

/// The cell of this row and column, which stores count from 1; none if no board has it.
pub(crate) fn cell(row: i64, col: i64) -> Option<Cell> {
    let from_0 = |side: i64| (1..=SIDE_LIMIT as i64).contains(&side).then(|| side as i32 - 1);
    Some(Cell { row: from_0(row)?, col: from_0(col)? })
}

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
    /// The board of a question, whichever its verb. Its name is the game's and the board's if
    /// no other is given.
    pub fn of(
        catalogue: &Catalogue,
        question: &Question,
        name: Option<&str>,
        run: &Run,
    ) -> Result<Self, Error> {
        Board::of_game(catalogue.game(&question.game)?, question, name, run)
    }

    /// As [`Board::of`], for a game that is at hand.
    pub(crate) fn of_game(
        game: &dyn Game,
        question: &Question,
        name: Option<&str>,
        run: &Run,
    ) -> Result<Self, Error> {
        let card = game.card();
        let name = self::name(card, question, name)?;
        let mut export = question.clone();
        export.verb = Verb::Export;
        // Options that say which solutions are wanted mean nothing to the graph.
        export.options.retain(|name, _| shapes(card, name));
        export.check(&card.menu(Verb::Export))?;
        let answer = game.job(&export)?.answer(run, &mut Deaf)?;
        let whose = format!("{} {}", question.game, question.place);
        match (answer.graph, answer.value.stop()) {
            (Some(graph), _) => Ok(Board { name, question: question.clone(), graph }),
            (None, Some(stop)) => Err(stopped(&format!("The graph of {whose} was not made"), stop)),
            (None, None) => Err(Error::unsupported("place", format!("{whose} has no graph."))),
        }
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
        // Stores count rows and columns from 1, as people do.
        let side = |from_0: i32| Field::Int(i64::from(from_0) + 1);
        if let Some(cells) = self.graph.cells() {
            let node = |cell: Cell| Node {
                properties: vec![("row", side(cell.row)), ("col", side(cell.col))],
            };
            return cells.into_iter().map(node).collect();
        }
        let node = |name: &String| Node { properties: vec![("name", Field::Text(name.clone()))] };
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
                return Err(Error::conflict(
                    NAME.name,
                    format!(
                        "There is another board of the name {:?} in this database, which is left \
                         as it is; give this one a name with --name, or drop that one.",
                        self.name
                    ),
                ));
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

    /// Makes sure that the board is there, and is the one that is meant. A store that keeps
    /// nothing is given it.
    pub fn expect(&self, store: &mut dyn Store, run: &Run) -> Result<(), Error> {
        if store.is_fleeting() {
            return self.load(store, run).map(|_| ());
        }
        match self.compare(store, run)? {
            Some(true) => Ok(()),
            Some(false) => Err(Error::conflict(
                NAME.name,
                format!(
                    "The board {:?} in this database is not the one that is meant; drop it and \
                     load it again, or give the name of another one with --name.",
                    self.name
                ),
            )),
            None => Err(Error::new(
                Code::Unknown,
                format!("options.{}", NAME.name),
                format!(
                    "There is no board {:?} in this database; pessoi graph load {} BOARD --db … \
                     writes it.",
                    self.name, self.question.game
                ),
            )),
        }
    }

    /// All solutions, to be written beside the board.
    pub fn solutions(&self, catalogue: &Catalogue, run: &Run) -> Result<Solutions, Error> {
        let mut list = self.question.clone();
        list.verb = Verb::List;
        let mut steps = Steps {
            numbers: self.graph.nodes.iter().map(String::as_str).zip(1..).collect(),
            solutions: 0,
            links: Vec::new(),
            refused: None,
        };
        let answer = catalogue.ask(&list, run, &mut steps)?;
        match (steps.refused, answer.value.stop()) {
            (Some(Refused::NoPath), _) => Err(Error::unsupported(
                "game",
                format!(
                    "The solutions of {} are not paths over its nodes, and cannot be written \
                     beside it.",
                    self.name
                ),
            )),
            (Some(Refused::TooMany), _) => Err(Error::unsupported(
                "place",
                format!(
                    "{} has more than {MOST_SOLUTIONS} solutions, too many to be written beside \
                     it.",
                    self.name
                ),
            )),
            (None, Some(stop)) => Err(stopped("The solutions were not all found", stop)),
            (None, None) => Ok(Solutions { number: steps.solutions, steps: steps.links }),
        }
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
            return Err(Error::conflict(
                NAME.name,
                format!(
                    "There are other solutions beside {:?} in this database; drop the board and \
                     load it again.",
                    self.name
                ),
            ));
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

/// A limit that leaves nothing to be written.
fn stopped(what: &str, stop: &Limit) -> Error {
    Error { code: Code::Stopped, field: None, sentence: format!("{what}: {stop}.") }
}

/// Takes solutions and keeps their moves.
struct Steps<'b> {
    /// The numbers of the nodes.
    numbers: BTreeMap<&'b str, i64>,
    solutions: u64,
    links: Vec<Link>,
    refused: Option<Refused>,
}

/// Why solutions cannot be written beside a board.
enum Refused {
    NoPath,
    TooMany,
}

impl Steps<'_> {
    /// The numbers of a path's nodes, and of the first again if it is closed.
    fn path(&self, found: &Solution) -> Option<Vec<i64>> {
        let Figure::Path { cells, closed } = &found.figure else { return None };
        let again = cells.first().filter(|_| *closed);
        let cells = cells.iter().chain(again);
        cells.map(|cell| self.numbers.get(&*cell.to_string()).copied()).collect()
    }
}

impl Events for Steps<'_> {
    fn solution(&mut self, found: Solution) -> Flow {
        let Some(path) = self.path(&found) else {
            self.refused = Some(Refused::NoPath);
            return ENOUGH;
        };
        if self.solutions == MOST_SOLUTIONS {
            self.refused = Some(Refused::TooMany);
            return ENOUGH;
        }
        self.solutions += 1;
        for (step, pair) in (1..).zip(path.windows(2)) {
            let properties =
                vec![("solution", Field::Int(self.solutions as i64)), ("step", Field::Int(step))];
            self.links.push(Link { from: pair[0], to: pair[1], properties });
        }
        MORE
    }
}

/// Whether the rows are the same, in any order.
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
    Error::new(
        Code::Unknown,
        "board",
        format!(
            "There is no board {name:?} in this database; pessoi graph list shows what is there."
        ),
    )
}

/// Removes a board and its solutions; gives the number of nodes that were removed.
pub fn drop(store: &mut dyn Store, name: &str, run: &Run) -> Result<u64, Error> {
    let one = |rows: Vec<Row>| rows.first().and_then(|row| row.first()?.int()).unwrap_or(0);
    let nodes = Statement::new("MATCH (n:Pessoi {board: $board}) RETURN count(*) AS number");
    let nodes = one(store.rows(&nodes.with("board", name), run)?);
    if nodes == 0 {
        return Err(missing(name));
    }
    // Users may have tied data of their own to the board, or made relationships on it; these
    // are not ours to delete.
    let foreign = Statement::new(
        "MATCH (n:Pessoi {board: $board})-[r]-(other)\n\
         WHERE NOT ('Pessoi' IN labels(other) AND coalesce(other.board, '') = $board\n\
         AND type(r) IN ['MOVE', 'STEP'])\n\
         RETURN count(r) AS number",
    );
    let foreign = one(store.rows(&foreign.with("board", name), run)?);
    if foreign > 0 {
        return Err(Error::new(
            Code::Conflict,
            "board",
            format!(
                "{foreign} relationships tie other data to the board {name:?}; remove them first. \
                 Nothing was dropped."
            ),
        ));
    }
    let statement = Statement::new("MATCH (n:Pessoi {board: $board}) DETACH DELETE n");
    store.run(&[statement.with("board", name)], Access::Write, run, &mut |_| true)?;
    Ok(nodes as u64)
}
