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
//! databases. If a store returns anything that is no solution, it may also have left out
//! solutions, and the answer says *at least*.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Instant;

use pessoi::board::Cell;
use pessoi::card::METHOD;
use pessoi::{
    Answer, Certificate, Code, Error, Events, Figure, Game, Limit, Method, Question, Run, Stop,
    Subject, Used, Value, Verb,
};

use crate::boards::{self, Board};
use crate::cypher::{APOC, APOC_PRINTED, CONSTRUCTIVE, DB, NAME, RAW};
use crate::store::{Access, Dialect, Field, Language, Row, Statement, Store, Trouble};

// The options of a game that a search understands, by name; what they are is on its card.

/// Where a path begins.
pub(crate) const FROM: &str = "from";
/// Where a path ends.
pub(crate) const TO: &str = "to";
/// How many solutions at most.
const LIMIT: &str = "limit";
/// All solutions.
pub(crate) const ALL: &str = "all";
/// The two directions of a path count as two.
const DIRECTED: &str = "directed";

/// One of the paper's searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// All paths of the right length, filtered.
    Raw,
    /// Cell by cell.
    Constructive,
    /// By APOC, with `NODE_PATH`.
    Apoc,
    /// By APOC as printed, with `NODE_GLOBAL`.
    ApocPrinted,
}

impl Search {
    /// All of them.
    pub const ALL: [Search; 4] =
        [Search::Raw, Search::Constructive, Search::Apoc, Search::ApocPrinted];

    /// The method that it is.
    pub fn method(self) -> &'static Method {
        match self {
            Search::Raw => &RAW,
            Search::Constructive => &CONSTRUCTIVE,
            Search::Apoc => &APOC,
            Search::ApocPrinted => &APOC_PRINTED,
        }
    }

    /// The search that a question asks for.
    fn of(question: &Question) -> Result<Search, Error> {
        let asked = question.method().unwrap_or_default();
        let found = Search::ALL.into_iter().find(|search| search.method().id == asked);
        found.ok_or_else(|| {
            let names = Search::ALL.map(|search| search.method().id);
            Error::unknown("search", &format!("options.{METHOD}"), asked, names)
        })
    }

    /// Whether a store of this dialect can do it at all.
    pub fn suits(self, dialect: Dialect) -> bool {
        dialect == Dialect::Neo4j || matches!(self, Search::Raw | Search::Constructive)
    }
}

/// The largest board for which a query with lines for each cell is written. No database can
/// search a board of half as many cells in this way.
const MOST_STEPS: usize = 200;

static UNDIRECTED: Subject =
    Subject::things("undirected-open-paths", "undirected open path", "undirected open paths");
static BOTH_WAYS: Subject =
    Subject::things("directed-open-paths", "directed open path", "directed open paths");
static NUMBERED: Subject = Subject::things(
    "numbered-open-paths",
    "open path numbered as asked",
    "open paths numbered as asked",
);

/// A checked question for a store.
pub struct Task<'q> {
    game: &'q dyn Game,
    pub(crate) question: &'q Question,
    pub(crate) search: Search,
    /// The board's name in the store.
    name: String,
    cells: usize,
    from: Option<Cell>,
    to: Option<Cell>,
    directed: bool,
    /// How many solutions are wanted; `None` for all.
    limit: Option<u64>,
}

impl<'q> Task<'q> {
    /// Checks a question; everything that is wrong with it is refused here.
    pub fn new(game: &'q dyn Game, question: &'q Question) -> Result<Self, Error> {
        let search = Search::of(question)?;
        let menu = game.card().menu(question.verb);
        // What is wrong with the question whichever method answers it, the game says itself.
        let mut plain = question.clone();
        plain.options.retain(|name, _| ![METHOD, DB.name, NAME.name].contains(&name.as_str()));
        plain.check(&menu)?;
        game.job(&plain)?;
        let understood = [FROM, TO, LIMIT, ALL, DIRECTED];
        for name in plain.options.keys() {
            let opt = menu.option(name).filter(|opt| question.is_given(opt));
            if opt.is_some() && !understood.contains(&&**name) && !boards::shapes(game.card(), name)
            {
                let sentence = format!(
                    "{} does not take --{name}; the other methods of {} do.",
                    search.method().id,
                    question.verb
                );
                return Err(Error::conflict(name, sentence));
            }
        }
        let drawing = question.drawing()?;
        if !drawing.clues.is_empty() {
            return Err(Error::unsupported(
                "place",
                format!(
                    "{} does not take clues; --{FROM} and --{TO} say where the first and the last \
                     number are.",
                    search.method().id
                ),
            ));
        }
        let cells = drawing.board.len();
        if search == Search::Constructive && cells > MOST_STEPS {
            return Err(Error::unsupported(
                "place",
                format!(
                    "{} has two lines for each cell, and is written for boards of up to \
                     {MOST_STEPS} cells; {} has {cells}.",
                    search.method().id,
                    drawing.board.name()
                ),
            ));
        }
        let cell = |name: &str| -> Result<Option<Cell>, Error> {
            let Some(opt) = menu.option(name) else { return Ok(None) };
            let index = question.cell(opt, &drawing.board)?;
            Ok(index.map(|index| drawing.board.cell(index)))
        };
        let flag = |name: &str| menu.option(name).is_some_and(|opt| question.flag(opt));
        let limit = menu.option(LIMIT).and_then(|opt| question.number(opt));
        // Without a word on it, one is to be found and all are to be counted.
        let limit = limit.or((question.verb == Verb::Find).then_some(1));
        Ok(Task {
            game,
            question,
            search,
            name: boards::name(game.card(), question, question.text(&NAME))?,
            cells,
            from: cell(FROM)?,
            to: cell(TO)?,
            directed: flag(DIRECTED),
            limit: if flag(ALL) { None } else { limit },
        })
    }

    /// Whether an end is given, so that a path and its reverse are never both solutions.
    fn is_numbered(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    /// Whether a path and its reverse are one.
    fn is_undirected(&self) -> bool {
        !self.is_numbered() && !self.directed
    }

    /// What is counted.
    pub(crate) fn subject(&self) -> &'static Subject {
        if self.is_numbered() {
            &NUMBERED
        } else if self.directed {
            &BOTH_WAYS
        } else {
            &UNDIRECTED
        }
    }

    /// The most rows that can be needed: among 2n − 1 paths there are n that are no reverses
    /// of each other.
    fn rows(&self) -> Option<u64> {
        let limit = self.limit?;
        Some(if self.is_undirected() { limit.saturating_mul(2) - 1 } else { limit })
    }

    /// The query. The dialect is one that the search suits.
    pub fn statement(&self, dialect: Dialect) -> Statement {
        let mut language = Language::Cypher;
        let mut text = match (self.search, dialect) {
            (Search::Raw, Dialect::Neo4j) => self.raw(),
            (Search::Raw, Dialect::Grafeo) => {
                language = Language::Gql;
                self.raw_in_gql()
            }
            (Search::Constructive, Dialect::Neo4j) => self.constructive(),
            (Search::Constructive, Dialect::Grafeo) => self.constructive_by_lists(),
            (Search::Apoc | Search::ApocPrinted, _) => self.apoc(),
        };
        if self.limit.is_some() {
            text += "\nLIMIT $limit";
        }
        let mut statement = Statement { language, ..Statement::new(text) };
        statement = statement.with("board", &*self.name);
        for (cell, [row, col]) in
            [(self.from, ["from_row", "from_col"]), (self.to, ["to_row", "to_col"])]
        {
            if let Some(cell) = cell {
                // Stores count from 1, as people do.
                statement =
                    statement.with(row, i64::from(cell.row) + 1).with(col, i64::from(cell.col) + 1);
            }
        }
        if let Some(rows) = self.rows() {
            statement = statement.with("limit", i64::try_from(rows).unwrap_or(i64::MAX));
        }
        if matches!(self.search, Search::Apoc | Search::ApocPrinted) {
            statement = statement.with("moves", self.moves() as i64);
        }
        statement
    }

    /// Moves of a path through all cells.
    fn moves(&self) -> usize {
        self.cells - 1
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
        let (uniqueness, more) = match self.search {
            Search::ApocPrinted => ("NODE_GLOBAL", ""),
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
        memory(run) / (self.cells as u64 * A_CELL + A_ROW)
    }

    /// Refuses what the embedded engine would hold beyond the run's memory: with a path of
    /// variable length, every path from one cell, whole or not.
    fn fits(board: &Board, run: &Run) -> Result<(), Stop> {
        // A link of a path, its place in a queue, and its share of the rows.
        const A_PATH: u64 = 160;
        let limit = memory(run);
        let graph = board.graph();
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
        if paths.is_empty() {
            return Ok(true);
        }
        let mut question = self.question.clone();
        question.verb = Verb::Find;
        let card = self.game.card();
        let says_which = |name: &str| name == FROM || name == TO || boards::shapes(card, name);
        question.options.retain(|name, _| says_which(name));
        question = question.with(LIMIT, paths.len() as u64);
        let subject = if self.is_numbered() { &NUMBERED } else { &UNDIRECTED };
        let value = Value::at_least(paths.len());
        let mut answer = Answer::new(&question, subject, value, self.search.method(), run);
        let solution = |cells| Figure::Path { cells, closed: false }.into();
        answer.solutions = paths.into_iter().map(solution).collect();
        answer.certificate = Some(Certificate::solutions());
        match self.game.check(&answer, run) {
            Ok(_) => Ok(true),
            Err(error) if error.code == Code::Forged => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Asks a store; the solutions go to the events.
    pub fn ask(
        &self,
        store: &mut dyn Store,
        run: &Run,
        events: &mut dyn Events,
    ) -> Result<Answer, Error> {
        Ok(self.timed(store, run, events)?.0)
    }

    /// As [`Task::ask`], with the seconds that the query alone took.
    pub(crate) fn timed(
        &self,
        store: &mut dyn Store,
        run: &Run,
        events: &mut dyn Events,
    ) -> Result<(Answer, f64), Error> {
        let dialect = store.dialect();
        let mut statement = self.statement(dialect);
        // The embedded engine holds all rows before it gives the first.
        let most = self.most_rows(run);
        let is_bounded = dialect == Dialect::Grafeo && self.rows().is_none_or(|rows| rows > most);
        if is_bounded {
            if self.limit.is_none() {
                statement.text += "\nLIMIT $limit";
            }
            statement = statement.with("limit", i64::try_from(most).unwrap_or(i64::MAX));
        }
        let board = Board::of_game(self.game, self.question, Some(&self.name), run)?;
        board.expect(store, run)?;
        let began = Instant::now();
        let mut harvest = Harvest::default();
        let ended = if self.search == Search::Raw && dialect == Dialect::Grafeo {
            Task::fits(&board, run).map_err(Trouble::from)
        } else {
            Ok(())
        };
        let ended = ended.and_then(|()| self.collect(&statement, store, &mut harvest, run));
        let ended = ended.and_then(|()| {
            let is_full = is_bounded && harvest.rows >= most;
            let limit = memory(run);
            if is_full { Err(Stop::Memory { needed: limit + 1, limit }.into()) } else { Ok(()) }
        });
        let seconds = began.elapsed().as_secs_f64();
        let stopped = match ended {
            Ok(()) => None,
            Err(trouble) => Some(trouble.limit()?),
        };
        Ok((self.conclude(store.name(), &harvest, stopped, run, events)?, seconds))
    }

    /// Runs the query and keeps what it returns, as long as more is wanted and fits.
    fn collect(
        &self,
        statement: &Statement,
        store: &mut dyn Store,
        harvest: &mut Harvest,
        run: &Run,
    ) -> Result<(), Trouble> {
        run.stage(format!("asking {}", store.name()), 0);
        let a_path = (self.cells * size_of::<Cell>() + 64) as u64;
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
        &self,
        store: &str,
        harvest: &Harvest,
        stopped: Option<Limit>,
        run: &Run,
        events: &mut dyn Events,
    ) -> Result<Answer, Error> {
        let mut kept =
            if self.is_numbered() { harvest.directed.clone() } else { harvest.undirected() };
        let mut wrong = harvest.malformed;
        if !self.holds(kept.iter().cloned().collect(), run)? {
            let mut right = BTreeSet::new();
            for path in kept {
                if self.holds(vec![path.clone()], run)? {
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
        let mut number =
            if self.is_undirected() || self.is_numbered() { kept.len() } else { directed };
        let enough = self.limit.is_some_and(|limit| number as u64 >= limit);
        if let Some(limit) = self.limit {
            number = number.min(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let is_repeated = harvest.rows > harvest.directed.len() as u64 + harvest.malformed;
        let untrusted = |text: String| Some(Limit::Untrusted { text });
        let complaint = if wrong > 0 || is_repeated {
            untrusted(format!(
                "the database returned {} paths of which {directed} are solutions, so it cannot \
                 be trusted to have returned all",
                harvest.rows
            ))
        } else if !enough
            && stopped.is_none()
            && self.is_undirected()
            && directed != 2 * kept.len()
            // A single cell is its own reverse.
            && self.cells > 1
        {
            untrusted(format!(
                "the database returned {directed} directed paths, not all with their reverses"
            ))
        } else {
            None
        };
        let misses = || Limit::Untrusted {
            text:
                "NODE_GLOBAL visits each cell once in the whole traversal, so it misses solutions"
                    .into(),
        };
        let value = match complaint.clone().or(stopped) {
            _ if enough && complaint.is_none() => Value::at_least(number),
            Some(stop) => Value::stopped(number, stop),
            None if self.search == Search::ApocPrinted => Value::stopped(number, misses()),
            None if number == 0 => Value::none("the query ran to its end and found none"),
            None => Value::exact(number),
        };
        let method = self.search.method();
        // How it was made is no claim about the question: it is said with the method.
        let used = Used::from(method).said(format!(
            "{} on {store}, which returned {} paths; each was checked by code that knows nothing \
             of databases",
            method.id, harvest.rows
        ));
        let mut answer = Answer::new(self.question, self.subject(), value, used, run);
        if self.question.verb == Verb::Find && number > 0 {
            answer.certificate = Some(Certificate::solutions());
            for cells in kept.into_iter().take(number) {
                if events.solution(Figure::Path { cells, closed: false }.into()).is_break() {
                    break;
                }
            }
        }
        Ok(answer)
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
    let cell = |field: &Field| match field.list() {
        [Field::Int(row), Field::Int(col)] => boards::cell(*row, *col),
        _ => None,
    };
    row.first()?.list().iter().map(cell).collect()
}

/// What the embedded engine may use.
fn memory(run: &Run) -> u64 {
    const DEFAULT: u64 = 4 << 30;
    run.budget().memory.unwrap_or(DEFAULT)
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
