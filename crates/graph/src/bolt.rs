//! The Bolt backend: a Neo4j server, version 5.26 or later.
//!
//! The driver is the crate `neo4j`: it speaks Bolt 4.4 and 5.0 to 5.8, sends time limits, and
//! needs no runtime. (`neo4rs` speaks 4.x only unless unstable features are asked for, and
//! brings an asynchronous runtime.)
//!
//! The address is given by the user; the user's name and password come from the environment
//! (`PESSOI_NEO4J_USER`, `PESSOI_NEO4J_PASSWORD`), are handed to the driver, and are kept and
//! written nowhere else. A time limit is sent with each transaction, so that the server ends
//! it even after this program has stopped waiting.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use neo4j::Neo4jError;
use neo4j::driver::auth::AuthToken;
use neo4j::driver::{ConnectionConfig, Driver, DriverConfig, RoutingControl};
use neo4j::session::SessionConfig;
use neo4j::transaction::TransactionTimeout;
use neo4j::value::{ValueReceive, ValueSend};
use pessoi::card::METHOD;
use pessoi::{Error, Run, Stop};

use crate::cypher::{CONSTRUCTIVE, DB};
use crate::store::{
    self, Access, Dialect, Field, Link, Node, Parcel, RowSink, Statement, Store, Trouble,
};

/// The variable of the environment that holds the user's name.
pub const USER: &str = "PESSOI_NEO4J_USER";
/// The variable of the environment that holds the password.
pub const PASSWORD: &str = "PESSOI_NEO4J_PASSWORD";

/// How long a server may take to answer at all.
const CONNECT: Duration = Duration::from_secs(10);

/// Nodes or relationships sent in one statement.
const BATCH: usize = 5000;

/// A Neo4j server.
pub struct Bolt {
    name: String,
    address: String,
    driver: Arc<Driver>,
    left: Vec<JoinHandle<Result<(), Trouble>>>,
}

impl Bolt {
    /// Connects to a server and asks who it is.
    pub fn open(address: &str, run: &Run) -> Result<Self, Error> {
        let user = std::env::var(USER).unwrap_or_else(|_| "neo4j".into());
        let password = std::env::var(PASSWORD).ok();
        Bolt::connect(address, &user, password.as_deref(), run)
    }

    /// As [`Bolt::open`], with a name and a password from elsewhere.
    pub fn connect(
        address: &str,
        user: &str,
        password: Option<&str>,
        run: &Run,
    ) -> Result<Self, Error> {
        let connection = parse_address(address)?;
        let mut config = DriverConfig::new()
            .with_connection_timeout(CONNECT)
            .with_connection_acquisition_timeout(CONNECT)
            .with_telemetry(false)
            .with_user_agent(format!("pessoi/{}", env!("CARGO_PKG_VERSION")));
        if let Some(password) = password {
            config = config.with_auth(Arc::new(AuthToken::new_basic_auth(user, password)));
        }
        let mut bolt = Bolt {
            name: "Neo4j".into(),
            address: address.to_owned(),
            driver: Arc::new(Driver::new(connection, config)),
            left: Vec::new(),
        };
        let who = Statement::new(
            "CALL dbms.components() YIELD name, versions RETURN name, versions[0] AS version",
        );
        let rows = bolt.rows(&who, run).map_err(|trouble| match trouble {
            Trouble::Lost(why) => Error::io(format!(
                "No Neo4j server answers at {address}: {why}. Start one, or give its address."
            )),
            other => other.into(),
        })?;
        if let Some([_, Field::Text(version)]) = rows.first().map(Vec::as_slice) {
            bolt.name = format!("Neo4j {version}");
        }
        Ok(bolt)
    }
}

/// Reads the address of a server.
pub(crate) fn parse_address(address: &str) -> Result<ConnectionConfig, Error> {
    // Nothing of such an address may be repeated: it may hold a password.
    if address.contains('@') {
        return Err(Error::option(
            DB.name,
            format!(
                "An address with a name or password in it is not accepted, since others can see \
                 it: give neo4j://HOST:PORT, and the name and password in {USER} and {PASSWORD}."
            ),
        ));
    }
    ConnectionConfig::try_from(address).map_err(|_| {
        Error::option(
            DB.name,
            "The address of --db cannot be read; that of a Neo4j server looks like \
             neo4j://localhost:7687.",
        )
    })
}

impl Store for Bolt {
    fn name(&self) -> &str {
        &self.name
    }

    fn dialect(&self) -> Dialect {
        Dialect::Neo4j
    }

    fn run(
        &mut self,
        statements: &[Statement],
        access: Access,
        run: &Run,
        rows: RowSink,
    ) -> Result<(), Trouble> {
        let (driver, address) = (Arc::clone(&self.driver), self.address.clone());
        let statements = statements.to_vec();
        let limit = run.budget().time;
        let rest = limit.map(|limit| limit.saturating_sub(run.elapsed()));
        store::attend(run, rows, &mut self.left, move |rows| {
            let mut session = driver.session(SessionConfig::new());
            let mut transaction = session.transaction().with_routing_control(match access {
                Access::Read => RoutingControl::Read,
                Access::Write => RoutingControl::Write,
            });
            if let Some(rest) = rest {
                let rest = i64::try_from(rest.as_millis()).unwrap_or(i64::MAX).max(1);
                if let Some(timeout) = TransactionTimeout::from_millis(rest) {
                    transaction = transaction.with_transaction_timeout(timeout);
                }
            }
            // The driver's error is what it is.
            #[allow(clippy::result_large_err)]
            let done = transaction.run(|transaction| {
                let last = statements.len().saturating_sub(1);
                for (k, statement) in statements.iter().enumerate() {
                    let parameters = statement.parameters.iter();
                    let parameters: HashMap<String, ValueSend> =
                        parameters.map(|(name, field)| (name.clone(), value(field))).collect();
                    let query = transaction.query(&statement.text).with_parameters(parameters);
                    let mut records = query.run()?;
                    if k == last {
                        for record in records.by_ref() {
                            let row = record?.into_values().map(field).collect();
                            if rows.send(row).is_err() {
                                break;
                            }
                        }
                    }
                    records.consume()?;
                }
                transaction.commit()
            });
            done.map_err(|error| trouble(&error, &address, limit))
        })
    }

    fn write(&mut self, parcel: &Parcel, run: &Run) -> Result<(), Trouble> {
        // Without it every node would be looked for among all. A user who may not make an
        // index can still load, only slowly.
        let index = Statement::new(
            "CREATE INDEX pessoi_number IF NOT EXISTS FOR (n:Pessoi) ON (n.board, n.number)",
        );
        let wait = Statement::new("CALL db.awaitIndexes(60)");
        for statement in [index, wait] {
            match self.run(&[statement], Access::Write, run, &mut |_| true) {
                Ok(()) | Err(Trouble::Refused(_)) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        let mut statements = Vec::new();
        let Parcel { board, label, nodes, links } = parcel;
        let mut number = 0;
        for batch in nodes.chunks(BATCH) {
            let text = nodes_text(label, &batch[0]);
            let rows = batch.iter().map(|node| {
                number += 1;
                let more = node.properties.iter().map(|(_, field)| field.clone());
                Field::List(std::iter::once(Field::Int(number)).chain(more).collect())
            });
            let rows: Vec<Field> = rows.collect();
            statements.push(Statement::new(text).with("board", &**board).with("rows", rows));
        }
        for (kind, links) in links {
            for batch in links.chunks(BATCH) {
                let text = links_text(kind, &batch[0]);
                let rows = batch.iter().map(|link| {
                    let ends = [Field::Int(link.from), Field::Int(link.to)].into_iter();
                    let more = link.properties.iter().map(|(_, field)| field.clone());
                    Field::List(ends.chain(more).collect())
                });
                let rows: Vec<Field> = rows.collect();
                statements.push(Statement::new(text).with("board", &**board).with("rows", rows));
            }
        }
        self.run(&statements, Access::Write, run, &mut |_| true)
    }

    fn settle(&mut self) {
        store::settle(&mut self.left);
    }
}

/// Labels and names of properties are ours; what a user gave is in `$board` and `$rows`.
fn nodes_text(label: &str, like: &Node) -> String {
    let names = like.properties.iter().enumerate();
    let set: Vec<_> = names.map(|(k, (name, _))| format!("n.{name} = x[{}]", k + 1)).collect();
    format!(
        "UNWIND $rows AS x\nMERGE (n:Pessoi:{label} {{board: $board, number: x[0]}})\n\
         ON CREATE SET {}",
        set.join(", ")
    )
}

fn links_text(kind: &str, like: &Link) -> String {
    let names = like.properties.iter().enumerate();
    let set: Vec<_> = names.map(|(k, (name, _))| format!("{name}: x[{}]", k + 2)).collect();
    let ends = "UNWIND $rows AS x\n\
                MATCH (a:Pessoi {board: $board, number: x[0]})\n\
                MATCH (b:Pessoi {board: $board, number: x[1]})";
    if set.is_empty() {
        format!("{ends}\nMERGE (a)-[:{kind}]->(b)")
    } else {
        format!("{ends}\nCREATE (a)-[:{kind} {{{}}}]->(b)", set.join(", "))
    }
}

/// What the driver or the server says, and what to do about it.
fn trouble(error: &Neo4jError, address: &str, limit: Option<Duration>) -> Trouble {
    let refused = |sentence: String| Trouble::Refused(Error::io(sentence));
    let line = |text: &str| {
        let line = text.lines().next().unwrap_or_default();
        line.trim().trim_end_matches('.').to_owned()
    };
    match error {
        Neo4jError::ServerError { error, .. } => {
            let (code, message) = (error.code(), line(error.message()));
            match code.rsplit('.').next().unwrap_or_default() {
                "Unauthorized" => refused(format!(
                    "The server at {address} does not accept the name or the password; they are \
                     read from {USER} (default: neo4j) and {PASSWORD}."
                )),
                "AuthenticationRateLimit" => refused(format!(
                    "The server at {address} was given too many wrong passwords and waits for a \
                     while before it looks at another; set {PASSWORD} and try again."
                )),
                "CredentialsExpired" => refused(format!(
                    "The password for {address} has to be changed before it can be used: ALTER \
                     CURRENT USER SET PASSWORD in Neo4j's own console does it."
                )),
                // APOC's are the only procedures that are called and may be missing.
                "ProcedureNotFound" => Trouble::Refused(Error::unsupported(
                    &format!("options.{METHOD}"),
                    format!(
                        "The server at {address} has no APOC: put the apoc-core jar of the \
                         server's version into its plugins folder, set \
                         dbms.security.procedures.unrestricted=apoc.* and start it again, or use \
                         --method {}.",
                        CONSTRUCTIVE.id
                    ),
                )),
                title if title.starts_with("TransactionTimedOut") => match limit {
                    // The limit that was sent along, not one of the server's.
                    Some(limit) if title.ends_with("ClientConfiguration") => {
                        Trouble::Stopped(Stop::Time { limit })
                    }
                    _ => Trouble::Lost(
                        "the server's own time limit (db.transaction.timeout) passed".into(),
                    ),
                },
                title if title.contains("OutOfMemory") => Trouble::Lost(
                    "the server's memory limit for transactions \
                     (dbms.memory.transaction.total.max) was reached"
                        .into(),
                ),
                "DatabaseUnavailable" => {
                    Trouble::Lost(format!("the server at {address} is shutting down"))
                }
                _ => refused(format!("The server at {address} refuses: {message} ({code}).")),
            }
        }
        Neo4jError::InvalidConfig { message, .. } => refused(format!(
            "What answers at {address} speaks no version of Bolt that Pessoi knows (4.4, 5.0 to \
             5.8), so it is not a Neo4j server, or a much newer one: {}.",
            line(message)
        )),
        Neo4jError::ProtocolError { message, .. } => refused(format!(
            "What answers at {address} does not keep to the Bolt protocol, so it is not a Neo4j \
             server, or a much newer one: {}.",
            line(message)
        )),
        Neo4jError::Disconnect { message, source, .. } => {
            let source = source.as_ref().map(|source| format!(" ({source})"));
            let why = line(message);
            Trouble::Lost(format!("the connection broke: {why}{}", source.unwrap_or_default()))
        }
        other => Trouble::Lost(format!("the driver gave up: {}", line(&other.to_string()))),
    }
}

fn value(field: &Field) -> ValueSend {
    match field {
        Field::Null => ValueSend::Null,
        Field::Bool(truth) => ValueSend::Boolean(*truth),
        Field::Int(number) => ValueSend::Integer(*number),
        Field::Float(number) => ValueSend::Float(*number),
        Field::Text(text) => ValueSend::String(text.clone()),
        Field::List(fields) => ValueSend::List(fields.iter().map(value).collect()),
    }
}

fn field(value: ValueReceive) -> Field {
    match value {
        ValueReceive::Null => Field::Null,
        ValueReceive::Boolean(truth) => Field::Bool(truth),
        ValueReceive::Integer(number) => Field::Int(number),
        ValueReceive::Float(number) => Field::Float(number),
        ValueReceive::String(text) => Field::Text(text),
        ValueReceive::List(values) => Field::List(values.into_iter().map(field).collect()),
        other => Field::Text(format!("{other:?}")),
    }
}
