//! The embedded backend: grafeo, a property-graph engine in Rust, inside this program.
//!
//! grafeo reads Cypher and GQL, needs nothing but cargo to build, and does not speak to any
//! other program. (`kglite` would be another choice; it was not tried.) Only its parts for
//! property graphs and Cypher are built. It is pinned to one version, since its plans and its
//! snapshots change between versions.
//!
//! A store lives in memory. If it has a file, it is read from there when it is opened, and
//! the file is replaced as a whole ([`pessoi::Store`]) after each transaction that may have
//! changed something. The file is a line that says what it is, and grafeo's snapshot.
//!
//! Known limits of the engine. It looks at its time limit between batches of rows, so a
//! query with paths of variable length may run on for a while after it was given up. It does
//! not bound the memory of a query; `search` therefore predicts what a query would hold.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::JoinHandle;
use std::time::SystemTime;

use grafeo::{Config, GrafeoDB, NodeId, Session, Value};
use pessoi::{Error, Run, Stop};
use rustc_hash::FxHashMap;

use crate::store::{
    self, Access, Dialect, Field, Language, Parcel, Row, RowSink, Statement, Store, Trouble,
};

/// An embedded store.
pub struct Embedded {
    name: String,
    db: Arc<GrafeoDB>,
    file: Option<File>,
    left: Vec<JoinHandle<Result<(), Trouble>>>,
}

/// Where a store is kept.
struct File {
    path: PathBuf,
    /// When and how large it was when we last saw it; `None` if it was not there.
    seen: Option<(SystemTime, u64)>,
}

/// How a file begins.
const HEAD: &str = "pessoi-graph grafeo 0.5.44\n";

impl Embedded {
    /// A store in memory, for as long as it is open. The run's limits are the engine's.
    pub fn in_memory(run: &Run) -> Result<Self, Error> {
        let mut config = Config::in_memory().without_query_timeout();
        if let Some(limit) = run.budget().time {
            config = config.with_query_timeout(limit.saturating_sub(run.elapsed()));
        }
        let db = GrafeoDB::with_config(config);
        let db = db.map_err(|error| Error::internal(first_line(&error)))?;
        let name = format!("grafeo {}", grafeo::VERSION);
        Ok(Embedded { name, db: Arc::new(db), file: None, left: Vec::new() })
    }

    /// The store in a file. If there is none, writing makes it.
    pub fn open(path: &Path, access: Access, run: &Run) -> Result<Self, Error> {
        let mut store = Embedded::in_memory(run)?;
        let shown = path.display().to_string();
        let seen = seen(path);
        // Reading takes no lock and needs no leave to write.
        let bytes = match fs::read(path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                return Err(Error::io(format!("The file {shown:?} cannot be read: {error}.")));
            }
        };
        match bytes {
            Some(bytes) => {
                let Some(snapshot) = bytes.strip_prefix(HEAD.as_bytes()) else {
                    return Err(Error::io(if bytes.starts_with(b"pessoi-graph ") {
                        format!(
                            "The file {shown:?} was made by another version; load its boards \
                             again into another file."
                        )
                    } else {
                        format!(
                            "The file {shown:?} is not a database of pessoi graph load; it is \
                             left as it is."
                        )
                    }));
                };
                store.db.restore_snapshot(snapshot).map_err(|error| {
                    Error::io(format!(
                        "The database {shown:?} is damaged: {}.",
                        first_line(&error).trim_end_matches('.')
                    ))
                })?;
            }
            None if access == Access::Read => {
                return Err(Error::io(format!(
                    "There is no database {shown:?}; pessoi graph load GAME BOARD --db {shown} \
                     makes it."
                )));
            }
            None => {}
        }
        store.file = Some(File { path: path.to_owned(), seen });
        Ok(store)
    }

    /// Replaces the file, if there is one.
    fn save(&mut self) -> Result<(), Trouble> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let path = &file.path;
        let shown = path.display().to_string();
        let refused = |sentence: String| Trouble::Refused(Error::io(sentence));
        let cannot = |why: String| refused(format!("The file {shown:?} cannot be written: {why}."));
        // Locked until it is written.
        let saved = pessoi::Store::open(path).map_err(|error| cannot(error.to_string()))?;
        if seen(path) != file.seen {
            return Err(refused(format!(
                "The file {shown:?} was changed by another program in the meantime; do it again."
            )));
        }
        let snapshot = self.db.export_snapshot().map_err(|error| cannot(first_line(&error)))?;
        let bytes = [HEAD.as_bytes(), &snapshot].concat();
        saved.save(&bytes).map_err(|error| cannot(error.to_string()))?;
        file.seen = seen(path);
        Ok(())
    }

    /// Works in one transaction on another thread, and keeps what was written.
    fn transact(
        &mut self,
        access: Access,
        run: &Run,
        rows: RowSink,
        work: impl FnOnce(&Session, &SyncSender<Row>) -> Result<(), Trouble> + Send + 'static,
    ) -> Result<(), Trouble> {
        let db = Arc::clone(&self.db);
        let limit = run.budget().time;
        store::attend(run, rows, &mut self.left, move |rows| {
            let mut session = db.session();
            let refused = |error: &grafeo::Error| refused(error, limit);
            session.begin_transaction().map_err(|error| refused(&error))?;
            match work(&session, rows) {
                Ok(()) => session.commit().map_err(|error| refused(&error)),
                Err(trouble) => {
                    // The trouble matters more than what ending it brings.
                    let _ = session.rollback();
                    Err(trouble)
                }
            }
        })?;
        if access == Access::Write { self.save() } else { Ok(()) }
    }
}

/// When a file was changed last, and its size.
fn seen(path: &Path) -> Option<(SystemTime, u64)> {
    let there = std::fs::metadata(path).ok()?;
    Some((there.modified().ok()?, there.len()))
}

impl Store for Embedded {
    fn name(&self) -> &str {
        &self.name
    }

    fn dialect(&self) -> Dialect {
        Dialect::Grafeo
    }

    fn is_fleeting(&self) -> bool {
        self.file.is_none()
    }

    fn run(
        &mut self,
        statements: &[Statement],
        access: Access,
        run: &Run,
        rows: RowSink,
    ) -> Result<(), Trouble> {
        let statements = statements.to_vec();
        let limit = run.budget().time;
        self.transact(access, run, rows, move |session, rows| {
            let last = statements.len().saturating_sub(1);
            for (k, statement) in statements.iter().enumerate() {
                let parameters = statement.parameters.iter();
                let parameters: HashMap<String, Value> =
                    parameters.map(|(name, field)| (name.clone(), value(field))).collect();
                let result = match statement.language {
                    Language::Cypher => {
                        session.execute_cypher_with_params(&statement.text, parameters)
                    }
                    Language::Gql => session.execute_with_params(&statement.text, parameters),
                };
                let result = result.map_err(|error| refused(&error, limit))?;
                if k == last {
                    for row in result.rows() {
                        if rows.send(row.iter().map(field).collect()).is_err() {
                            break;
                        }
                    }
                }
            }
            Ok(())
        })
    }

    fn write(&mut self, parcel: &Parcel, run: &Run) -> Result<(), Trouble> {
        let parcel = parcel.clone();
        let limit = run.budget().time;
        let stopper = run.clone();
        self.transact(Access::Write, run, &mut |_| true, move |session, _| {
            let refused = |error: grafeo::Error| refused(&error, limit);
            let there = Statement::new(
                "MATCH (n:Pessoi {board: $board}) RETURN n.number AS number, id(n) AS id",
            );
            let parameters =
                HashMap::from([("board".to_owned(), Value::from(parcel.board.as_str()))]);
            let there = session.execute_cypher_with_params(&there.text, parameters);
            let mut ids: FxHashMap<i64, NodeId> = FxHashMap::default();
            for row in there.map_err(refused)?.rows() {
                if let [Value::Int64(number), Value::Int64(id)] = row[..] {
                    ids.insert(number, NodeId::new(id as u64));
                }
            }
            for (number, node) in (1..).zip(&parcel.nodes) {
                if number % 1024 == 0 {
                    stopper.tick(1024)?;
                }
                if ids.contains_key(&number) {
                    continue;
                }
                let own =
                    [("board", Value::from(parcel.board.as_str())), ("number", number.into())];
                let more = node.properties.iter().map(|(name, field)| (*name, value(field)));
                let properties = own.into_iter().chain(more);
                let id = session.create_node_with_props(&["Pessoi", parcel.label], properties);
                ids.insert(number, id.map_err(refused)?);
            }
            for (kind, links) in &parcel.links {
                for (k, link) in (1..).zip(links) {
                    if k % 1024 == 0 {
                        stopper.tick(1024)?;
                    }
                    let (Some(&from), Some(&to)) = (ids.get(&link.from), ids.get(&link.to)) else {
                        return Err(Trouble::Lost(
                            "a move leads to a node that is not there".into(),
                        ));
                    };
                    let properties = link.properties.iter();
                    let properties = properties.map(|(name, field)| (*name, value(field)));
                    session.create_edge_with_props(from, to, kind, properties).map_err(refused)?;
                }
            }
            Ok(())
        })
    }

    fn settle(&mut self) {
        store::settle(&mut self.left);
    }
}

/// What the engine says, as far as it is one line.
fn first_line(error: &grafeo::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

fn refused(error: &grafeo::Error, limit: Option<std::time::Duration>) -> Trouble {
    // Its codes for time limits of queries and of transactions.
    const TIMEOUTS: [&str; 2] = ["GRAFEO-Q003", "GRAFEO-T002"];
    match limit {
        Some(limit) if TIMEOUTS.contains(&error.error_code().as_str()) => {
            Trouble::Stopped(Stop::Time { limit })
        }
        _ => Trouble::Refused(Error::io(format!(
            "The embedded database refuses: {}.",
            first_line(error).trim_end_matches('.')
        ))),
    }
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(truth) => Value::Bool(*truth),
        Field::Int(number) => Value::Int64(*number),
        Field::Float(number) => Value::Float64(*number),
        Field::Text(text) => Value::from(text.as_str()),
        Field::List(fields) => Value::List(fields.iter().map(value).collect()),
    }
}

fn field(value: &Value) -> Field {
    match value {
        Value::Null => Field::Null,
        Value::Bool(truth) => Field::Bool(*truth),
        Value::Int64(number) => Field::Int(*number),
        Value::Float64(number) => Field::Float(*number),
        Value::String(text) => Field::Text(text.to_string()),
        Value::List(values) => Field::List(values.iter().map(field).collect()),
        other => Field::Text(format!("{other:?}")),
    }
}
