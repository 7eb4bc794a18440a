//! The trait of both backends.
//!
//! A **statement** is a text in the store's query language and its **parameters**. What a
//! user typed is always a parameter and never part of the text. Statements run in a
//! **transaction**: all of them take effect, or none.
//!
//! A store works on a thread of its own while the caller watches the [`Run`]: at a time limit
//! or an interrupt the caller returns at once, and the work that is left behind ends when the
//! database reaches its own limit (it is sent along) or the program ends.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use pessoi::{Error, Limit, Run, Stop};

use crate::bolt::{self, Bolt};
use crate::cypher::DB;
use crate::embedded::Embedded;

/// A value in a row or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any number.
    Float(f64),
    /// A text.
    Text(String),
    /// Several.
    List(Vec<Field>),
}

impl Field {
    /// The whole number that it is.
    pub fn int(&self) -> Option<i64> {
        match self {
            Field::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The text that it is.
    pub fn text(&self) -> Option<&str> {
        match self {
            Field::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The values that it holds.
    pub fn list(&self) -> &[Field] {
        match self {
            Field::List(fields) => fields,
            _ => &[],
        }
    }
}

impl From<i64> for Field {
    fn from(number: i64) -> Self {
        Field::Int(number)
    }
}

impl From<&str> for Field {
    fn from(text: &str) -> Self {
        Field::Text(text.to_owned())
    }
}

impl From<Vec<Field>> for Field {
    fn from(fields: Vec<Field>) -> Self {
        Field::List(fields)
    }
}

/// One row of what a statement returns.
pub type Row = Vec<Field>;

/// Takes rows as they come; says whether more are wanted.
pub type RowSink<'a> = &'a mut dyn FnMut(Row) -> bool;

/// What a statement is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Neo4j's language, which both backends read.
    #[default]
    Cypher,
    /// ISO GQL, which only the embedded engine reads.
    Gql,
}

/// A text in the store's query language, and its parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statement {
    /// What it is written in.
    pub language: Language,
    /// The text.
    pub text: String,
    /// The parameters, without `$`.
    pub parameters: BTreeMap<String, Field>,
}

impl Statement {
    /// A statement without parameters.
    pub fn new(text: impl Into<String>) -> Self {
        Statement { text: text.into(), ..Statement::default() }
    }

    /// The same with one more parameter.
    #[must_use]
    pub fn with(mut self, name: &str, field: impl Into<Field>) -> Self {
        self.parameters.insert(name.to_owned(), field.into());
        self
    }
}

/// What a transaction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It only reads.
    Read,
    /// It may write.
    Write,
}

/// Whose language a store speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// grafeo: Cypher whose paths of variable length may repeat relationships, and GQL.
    Grafeo,
    /// Neo4j: Cypher whose paths use each relationship once, and procedures.
    Neo4j,
}

/// What can go wrong in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The store refuses or cannot be reached; the sentence says what to do.
    Refused(Error),
    /// A limit of the run was reached.
    Stopped(Stop),
    /// The store broke off; the words say why.
    Lost(String),
}

impl Trouble {
    /// Why a search ended early; a refusal is an error instead.
    pub fn limit(self) -> Result<Limit, Error> {
        match self {
            Trouble::Refused(error) => Err(error),
            Trouble::Stopped(stop) => Ok(stop.into()),
            Trouble::Lost(text) => Ok(Limit::Lost { text }),
        }
    }
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Self {
        Trouble::Stopped(stop)
    }
}

impl From<Trouble> for Error {
    /// For work that is done as a whole or not at all.
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(error) => error,
            Trouble::Stopped(stop) => stop.into(),
            Trouble::Lost(why) => Error::io(format!(
                "It is not known whether this was done, because {why}; do it again."
            )),
        }
    }
}

/// A node to be written. Its number is its place in the list, from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is, beside `board` and `number`.
    pub properties: Vec<(&'static str, Field)>,
}

/// A relationship to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The number of the node where it begins.
    pub from: i64,
    /// The number of the node where it ends.
    pub to: i64,
    /// What it is.
    pub properties: Vec<(&'static str, Field)>,
}

/// Nodes and relationships to be written together.
#[derive(Clone, Debug, PartialEq)]
pub struct Parcel {
    /// The board's name.
    pub board: String,
    /// The label of the nodes beside `Pessoi`.
    pub label: &'static str,
    /// The nodes that are to be there.
    pub nodes: Vec<Node>,
    /// The type of the relationships, and the relationships.
    pub links: Vec<(&'static str, Vec<Link>)>,
}

/// A database that is open.
pub trait Store {
    /// What it is, for answers: `Neo4j 5.26.19`.
    fn name(&self) -> &str;

    /// Whose language it speaks.
    fn dialect(&self) -> Dialect;

    /// Whether it keeps nothing when the program ends, so that boards can be loaded as they
    /// are needed.
    fn is_fleeting(&self) -> bool {
        false
    }

    /// Runs statements in one transaction; `rows` takes what the last one returns.
    fn run(
        &mut self,
        statements: &[Statement],
        access: Access,
        run: &Run,
        rows: RowSink,
    ) -> Result<(), Trouble>;

    /// Writes nodes and relationships in one transaction; what is there already stays as it
    /// is.
    fn write(&mut self, parcel: &Parcel, run: &Run) -> Result<(), Trouble>;

    /// Waits for work that was left behind at a limit, so that nothing else is disturbed.
    fn settle(&mut self) {}

    /// All rows of one statement.
    fn rows(&mut self, statement: &Statement, run: &Run) -> Result<Vec<Row>, Trouble> {
        let mut found = Vec::new();
        self.run(std::slice::from_ref(statement), Access::Read, run, &mut |row| {
            found.push(row);
            true
        })?;
        Ok(found)
    }
}

/// The database in memory, as `--db` names it.
pub const EMBEDDED: &str = "embedded";

/// A database that is not open yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// An embedded store in memory, which lasts as long as the program.
    Memory,
    /// An embedded store in a file.
    File(PathBuf),
    /// A Neo4j server at this address.
    Server(String),
}

impl Database {
    /// Reads what `--db` takes: `embedded`, a file, or the address of a Neo4j server such as
    /// `neo4j://localhost:7687`. Nothing is opened.
    pub fn parse(db: &str) -> Result<Self, Error> {
        if db == EMBEDDED {
            return Ok(Database::Memory);
        }
        if let Some((scheme, _)) = db.split_once("://") {
            return match scheme {
                "neo4j" | "neo4j+s" | "neo4j+ssc" | "bolt" | "bolt+s" | "bolt+ssc" => {
                    bolt::parse_address(db)?;
                    Ok(Database::Server(db.to_owned()))
                }
                _ => Err(Error::option(
                    DB.name,
                    format!(
                        "--db {scheme}://… is not accepted: give embedded, a file, or the address \
                         of a Neo4j server such as neo4j://localhost:7687."
                    ),
                )),
            };
        }
        // An address without its scheme would become the name of a file. It is not repeated:
        // it may hold a password.
        let has_port = db.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        if db.contains('@') || has_port {
            return Err(Error::option(
                DB.name,
                "--db looks like an address without its scheme: give embedded, a file, or an \
                 address such as neo4j://localhost:7687, and the name and password in the \
                 environment.",
            ));
        }
        if db.is_empty() {
            return Err(Error::option(
                DB.name,
                "--db is empty: give embedded, a file or an address.",
            ));
        }
        Ok(Database::File(db.into()))
    }

    /// Whose language it speaks.
    pub fn dialect(&self) -> Dialect {
        match self {
            Database::Memory | Database::File(_) => Dialect::Grafeo,
            Database::Server(_) => Dialect::Neo4j,
        }
    }

    /// Opens it. A file that is not there is made if `access` allows writing.
    pub fn open(&self, access: Access, run: &Run) -> Result<Box<dyn Store>, Error> {
        Ok(match self {
            Database::Memory => Box::new(Embedded::in_memory(run)?),
            Database::File(path) => Box::new(Embedded::open(path, access, run)?),
            Database::Server(address) => Box::new(Bolt::open(address, run)?),
        })
    }
}

/// Opens the database that `--db` names: see [`Database::parse`].
pub fn open(db: &str, access: Access, run: &Run) -> Result<Box<dyn Store>, Error> {
    Database::parse(db)?.open(access, run)
}

/// Rows on their way, and how it ended.
type Working = JoinHandle<Result<(), Trouble>>;

/// Rows that may wait for the caller.
const WAITING: usize = 1024;
/// The embedded engine plans a query by recursion, a level for each of its lines: up to
/// 100 KiB a line where it was built without optimization, for up to some hundred lines. Only
/// what is used of a stack takes memory.
const STACK: usize = 256 << 20;
const BEAT: Duration = Duration::from_millis(20);

/// Works on another thread and hands over its rows, while the run may go on. Work that is
/// left behind is put into `left`.
pub(crate) fn attend(
    run: &Run,
    rows: RowSink,
    left: &mut Vec<Working>,
    work: impl FnOnce(&SyncSender<Row>) -> Result<(), Trouble> + Send + 'static,
) -> Result<(), Trouble> {
    let (sender, receiver) = sync_channel(WAITING);
    let thread = std::thread::Builder::new().stack_size(STACK);
    let working = thread.spawn(move || work(&sender)).map_err(|error| {
        Trouble::Lost(format!("no thread could be started for the database ({error})"))
    })?;
    loop {
        match receiver.recv_timeout(BEAT) {
            Ok(row) => {
                if !rows(row) {
                    left.push(working);
                    return Ok(());
                }
                if let Err(stop) = run.tick(1) {
                    left.push(working);
                    return Err(stop.into());
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(stop) = run.check() {
                    left.push(working);
                    return Err(stop.into());
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return working.join().unwrap_or_else(|_| {
                    Err(Trouble::Lost("the database engine broke down (it panicked)".into()))
                });
            }
        }
    }
}

/// Waits for work that was left behind.
pub(crate) fn settle(left: &mut Vec<Working>) {
    for working in left.drain(..) {
        // Its result is not wanted any more.
        let _ = working.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pessoi::Budget;

    #[test]
    fn rows_are_handed_over_until_enough() {
        let mut left = Vec::new();
        let mut got = 0;
        let mut take = |_| {
            got += 1;
            got < 3
        };
        let endless = |rows: &SyncSender<Row>| {
            while rows.send(vec![Field::Null]).is_ok() {}
            Ok(())
        };
        attend(&Run::default(), &mut take, &mut left, endless).unwrap();
        settle(&mut left);
        assert_eq!(got, 3);
    }

    #[test]
    fn time_limits_and_panics_are_noticed() {
        let run = Run::new(Budget { time: Some(Duration::from_millis(50)), ..Budget::default() });
        let mut left = Vec::new();
        let slow = |_: &SyncSender<Row>| {
            std::thread::sleep(Duration::from_millis(300));
            Ok(())
        };
        let stopped = attend(&run, &mut |_| true, &mut left, slow).unwrap_err();
        assert!(matches!(stopped, Trouble::Stopped(Stop::Time { .. })), "{stopped:?}");
        assert_eq!(left.len(), 1);
        settle(&mut left);
        let lost = attend(&Run::default(), &mut |_| true, &mut left, |_| panic!("on purpose"));
        assert!(matches!(lost, Err(Trouble::Lost(_))), "{lost:?}");
    }

    #[test]
    fn addresses_of_other_databases_are_refused() {
        for db in ["http://localhost:7474", "localhost:7687", "neo4j:hunter2@localhost", ""] {
            let error = Database::parse(db).unwrap_err();
            assert_eq!(error.field.as_deref(), Some("options.db"), "{error:?}");
            assert!(!error.sentence.contains("hunter2"), "{error:?}");
        }
        let server = Database::parse("neo4j://localhost:7687").unwrap();
        assert_eq!(server.dialect(), Dialect::Neo4j);
        assert_eq!(Database::parse(EMBEDDED).unwrap(), Database::Memory);
        assert_eq!(Database::parse("boards.db").unwrap(), Database::File("boards.db".into()));
    }
}
