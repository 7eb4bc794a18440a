//! The paper's searches as methods of games: `--method cypher-…` of `find` and `count`.
//!
//! [`Cypher`] is added to a catalogue. It serves the games whose solutions are paths from a
//! cell to a cell, and it sees that from their cards.

use pessoi::card::METHOD;
use pessoi::{
    Answer, Card, Code, Error, Events, Game, Job, Kind, Method, Methods, Opt, Plan, Question, Run,
    Subject, Used, Value, Verb,
};

use crate::search::{self, Task};
use crate::store::{Access, Database, Dialect};

/// The verbs that are asked of a database.
const VERBS: &[Verb] = &[Verb::Find, Verb::Count];

/// What the results rest on: queries, and the databases that answer them. The methods are not
/// independent of each other; they are independent of a game's own.
const COMPONENTS: &[&str] = &["cypher"];

/// See [`search::Search::Raw`].
pub const RAW: Method = Method::new(
    "cypher-raw",
    "a graph database matches all paths of the right length",
    VERBS,
    COMPONENTS,
);
/// See [`search::Search::Constructive`].
pub const CONSTRUCTIVE: Method = Method::new(
    "cypher-constructive",
    "a graph database extends paths cell by cell",
    VERBS,
    COMPONENTS,
);
/// See [`search::Search::Apoc`].
pub const APOC: Method = Method::new(
    "cypher-apoc",
    "Neo4j's APOC procedures, where a path visits a cell once",
    VERBS,
    COMPONENTS,
);
/// See [`search::Search::ApocPrinted`].
pub const APOC_PRINTED: Method = Method::new(
    "cypher-apoc-printed",
    "the same as the paper prints it, which misses solutions",
    VERBS,
    COMPONENTS,
);

/// The database.
pub const DB: Opt = Opt::new(
    "db",
    Kind::Text("DB"),
    "the database for the methods cypher-…: embedded, a file, or neo4j://HOST:PORT",
    VERBS,
)
.default(crate::store::EMBEDDED);
/// The board's name in the database.
pub const NAME: Opt = Opt::new(
    "name",
    Kind::Text("NAME"),
    "the board's name in the database; if absent, GAME BOARD",
    VERBS,
);

/// The methods of graph databases.
pub struct Cypher;

impl Methods for Cypher {
    /// Paths over cells: they have a first and a last cell, which can be given, and the board
    /// has a graph, which can be exported.
    fn serves(&self, card: &Card) -> bool {
        let has_ends = |verb: &Verb| {
            let menu = card.menu(*verb);
            let is_cell = |name| menu.option(name).is_some_and(|opt| opt.kind == Kind::Cell);
            is_cell(search::FROM) && is_cell(search::TO)
        };
        card.verbs.contains(&Verb::Export)
            && VERBS.iter().all(|verb| card.verbs.contains(verb) && has_ends(verb))
    }

    fn methods(&self) -> &[Method] {
        &[RAW, CONSTRUCTIVE, APOC, APOC_PRINTED]
    }

    fn options(&self) -> &[Opt] {
        &[DB, NAME]
    }

    fn job<'a>(
        &'a self,
        game: &'a dyn Game,
        question: &'a Question,
    ) -> Result<Box<dyn Job + 'a>, Error> {
        let task = Task::new(game, question)?;
        let database = Database::parse(question.text(&DB).unwrap_or_default())?;
        if !task.search.suits(database.dialect()) {
            return Err(Error::conflict(
                METHOD,
                format!(
                    "{} needs the APOC procedures of a Neo4j server (--db neo4j://HOST:PORT); {} \
                     does without.",
                    task.search.method().id,
                    CONSTRUCTIVE.id
                ),
            ));
        }
        Ok(Box::new(CypherJob { task, database }))
    }
}

/// A search that makes sense, and the database that is to be asked.
struct CypherJob<'a> {
    task: Task<'a>,
    database: Database,
}

impl Job for CypherJob<'_> {
    /// Shows the query; nothing is opened.
    fn plan(&self, _: &Run) -> Result<Plan, Error> {
        let statement = self.task.statement(self.database.dialect());
        let place = match self.database.dialect() {
            Dialect::Grafeo => "it was asked for; this is the query, for the embedded database",
            Dialect::Neo4j => "it was asked for; this is the query, for Neo4j",
        };
        let plan = Plan::new(self.task.question, self.task.search.method(), place);
        Ok(plan.note(search::shown(&statement).trim_end()))
    }

    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(self.task.subject().clone())
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer, Error> {
        let mut asked = || {
            let mut store = self.database.open(Access::Read, run)?;
            self.task.ask(store.as_mut(), run, events)
        };
        match asked() {
            // A limit was reached while the board was prepared.
            Err(error) if error.code == Code::Stopped => match run.check() {
                Err(stop) => {
                    let method = Used::from(self.task.search.method());
                    let value = Value::gave_up(stop);
                    Ok(Answer::new(self.task.question, self.task.subject(), value, method, run))
                }
                Ok(()) => Err(error),
            },
            answered => answered,
        }
    }
}
