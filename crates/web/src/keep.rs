//! The keep: jobs and answers in `SQLite`.
//!
//! In a folder they survive the end of the program, however it comes: a job is written before it
//! is acknowledged, and an answer before its job is called done. What was waiting when the
//! program ended waits again when it starts again, and so does what was under way, if it can go on
//! from what it saved; the rest is marked as *interrupted*. Without a folder the same tables are in
//! memory.
//!
//! An answer is kept as its JSON. The oldest jobs go first when answers take more room than the
//! operator gave them.
//!
//! In a folder there are two connections: who only reads does not wait for what is written to the
//! disk. One server has the folder, and no other user can read what is in it.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use pessoi::error::reason;
use pessoi::{Error, Result};
use rusqlite::{Connection, OptionalExtension, Row, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::asking::Asking;
use crate::guard::Client;
use crate::private;

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    /// It waits for its turn.
    Queued,
    /// It is under way.
    Running,
    /// It has its answer; whether a limit cut that short is said there.
    Done,
    /// Something was wrong: see `error`.
    Failed,
    /// Its client cancelled it. What was known by then is its answer, if it had begun.
    Cancelled,
    /// The server ended while it was under way.
    Interrupted,
}

impl State {
    const fn name(self) -> &'static str {
        match self {
            State::Queued => "queued",
            State::Running => "running",
            State::Done => "done",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
            State::Interrupted => "interrupted",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        let all = [
            State::Queued,
            State::Running,
            State::Done,
            State::Failed,
            State::Cancelled,
            State::Interrupted,
        ];
        all.into_iter().find(|state| state.name() == name)
    }

    /// Whether nothing more will come.
    pub(crate) const fn is_final(self) -> bool {
        !matches!(self, State::Queued | State::Running)
    }
}

/// A job as it is kept, without its answer.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) client: Client,
    pub(crate) asking: Asking,
    pub(crate) state: State,
    /// When it was submitted, in seconds since 1970.
    pub(crate) made: u64,
    /// When it came to its end.
    pub(crate) ended: Option<u64>,
    pub(crate) error: Option<Error>,
    /// Whether there is an answer.
    pub(crate) has_answer: bool,
    /// How often it was begun: more than once if the program ended in between.
    pub(crate) begun: u32,
    /// How often the program broke off while it was under way.
    pub(crate) lost: u32,
    /// Whether its client cancelled it.
    pub(crate) is_unwanted: bool,
}

/// How a job came to its end.
pub(crate) struct End<'a> {
    pub(crate) state: State,
    pub(crate) error: Option<&'a Error>,
    pub(crate) answer: Option<&'a [u8]>,
    /// Whether the answer holds for whoever asks the same, because no limit cut it short.
    pub(crate) is_whole: bool,
}

/// The file in the folder.
const FILE: &str = "answers.sqlite";

/// The version of the tables.
const TABLES: i64 = 2;

const MAKE: &str = "
    CREATE TABLE job (
        id TEXT PRIMARY KEY,
        client TEXT NOT NULL,
        key TEXT NOT NULL,
        asking TEXT NOT NULL,
        state TEXT NOT NULL,
        made INTEGER NOT NULL,
        ended INTEGER,
        whole INTEGER NOT NULL DEFAULT 0,
        error TEXT,
        answer BLOB
    );
    CREATE INDEX job_key ON job (key) WHERE whole = 1;
    CREATE INDEX job_client ON job (client, made);
    CREATE INDEX job_ended ON job (ended);
    PRAGMA user_version = 1;
";

/// From version 1 to version 2.
const ADD: &str = "
    ALTER TABLE job ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE job ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE job ADD COLUMN unwanted INTEGER NOT NULL DEFAULT 0;
    PRAGMA user_version = 2;
";

const COLUMNS: &str = "id, client, asking, state, made, ended, error, answer IS NOT NULL, begun, lost, \
                       unwanted";

/// Jobs and answers.
pub(crate) struct Keep {
    connection: Mutex<Connection>,
    /// For what only reads, in a folder; in memory there is one connection.
    reader: Option<Mutex<Connection>>,
    most: u64,
    /// Locked as long as this server has the folder.
    _lock: Option<File>,
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

fn failed(error: &rusqlite::Error) -> Error {
    Error::io(format!("The kept answers cannot be read or written: {error}."))
}

impl Keep {
    /// Opens the keep in a folder, or in memory, with room for `most` bytes of answers.
    pub(crate) fn open(folder: Option<&Path>, most: u64) -> Result<Self> {
        let Some(folder) = folder else {
            let connection = Connection::open_in_memory().map_err(|error| failed(&error))?;
            let keep = Keep { connection: Mutex::new(connection), reader: None, most, _lock: None };
            keep.prepare()?;
            return Ok(keep);
        };
        let (connection, lock) = Self::open_file(folder)?;
        let keep =
            Keep { connection: Mutex::new(connection), reader: None, most, _lock: Some(lock) };
        keep.prepare()?;
        // The tables are there by now.
        let reader = Connection::open(folder.join(FILE)).map_err(|error| failed(&error))?;
        reader.pragma_update(None, "query_only", true).map_err(|error| failed(&error))?;
        Ok(Keep { reader: Some(Mutex::new(reader)), ..keep })
    }

    /// Makes the tables, or those of this version from those of one before.
    fn prepare(&self) -> Result<()> {
        let version: i64 = self
            .lock()
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(|error| failed(&error))?;
        let make = match version {
            TABLES => return Ok(()),
            1 => ADD.to_owned(),
            0 => format!("{MAKE}{ADD}"),
            other => {
                return Err(Error::option(
                    "data",
                    format!(
                        "The data folder has tables of version {other}; those of versions 1 to \
                         {TABLES} are read."
                    ),
                ));
            }
        };
        // All of it or nothing, if the program ends in between.
        let make = format!("BEGIN; {make} COMMIT;");
        self.lock().execute_batch(&make).map_err(|error| failed(&error))
    }

    fn open_file(folder: &Path) -> Result<(Connection, File)> {
        let shown = folder.display().to_string();
        let refuse = |why: String| {
            Error::option("data", format!("The data folder {shown:?} cannot be used: {why}."))
        };
        let io = |error: std::io::Error| refuse(reason(&error));
        private::folder(folder).map_err(io)?;
        let lock = private::file(&folder.join("lock")).map_err(io)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(refuse("another server uses it".into())),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        // What SQLite writes beside the file can be read by whoever can read the file.
        private::file(&folder.join(FILE)).map_err(io)?;
        let open = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(folder.join(FILE))?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            // What is written is on the disk before it is said.
            connection.pragma_update(None, "synchronous", "FULL")?;
            Ok(connection)
        };
        let connection = open().map_err(|error| refuse(error.to_string()))?;
        Ok((connection, lock))
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection for what only reads.
    fn reader(&self) -> MutexGuard<'_, Connection> {
        let reader = self.reader.as_ref().unwrap_or(&self.connection);
        reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize> {
        self.lock().execute(sql, values).map_err(|error| failed(&error))
    }

    /// Writes down a job that was submitted.
    pub(crate) fn add(&self, entry: &Entry) -> Result<()> {
        let asking = serde_json::to_string(&entry.asking)
            .map_err(|error| Error::internal(error.to_string()))?;
        self.change(
            "INSERT INTO job (id, client, key, asking, state, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                entry.id,
                entry.client.0,
                entry.asking.key(),
                asking,
                entry.state.name(),
                entry.made
            ],
        )?;
        Ok(())
    }

    /// Writes down that a job is under way.
    pub(crate) fn begin(&self, id: &str) -> Result<()> {
        self.change("UPDATE job SET state = 'running', begun = begun + 1 WHERE id = ?1", [id])?;
        Ok(())
    }

    /// Writes down that a job waits again, because the program ended, and how often the program
    /// broke off.
    pub(crate) fn put_back(&self, id: &str, lost: u32) -> Result<()> {
        let sql = "UPDATE job SET state = 'queued', lost = ?2 WHERE id = ?1";
        self.change(sql, params![id, lost])?;
        Ok(())
    }

    /// Writes down that the client cancelled a job that is under way: it must not go on if the
    /// program ends before it.
    pub(crate) fn renounce(&self, id: &str) -> Result<()> {
        self.change("UPDATE job SET unwanted = 1 WHERE id = ?1", [id])?;
        Ok(())
    }

    /// Writes down how a job came to its end, and makes room.
    pub(crate) fn end(&self, id: &str, end: &End) -> Result<()> {
        let error = end.error.map(serde_json::to_string).transpose();
        let error = error.map_err(|error| Error::internal(error.to_string()))?;
        self.change(
            "UPDATE job SET state = ?2, ended = ?3, whole = ?4, error = ?5, answer = ?6 WHERE id = ?1",
            params![id, end.state.name(), now(), end.is_whole, error, end.answer],
        )?;
        self.make_room(id)
    }

    /// Lets the oldest jobs go until the others have room. The one that came last stays.
    fn make_room(&self, last: &str) -> Result<()> {
        let sum = "SELECT coalesce(sum(length(answer) + 1000), 0) FROM job WHERE ended IS NOT NULL";
        let taken: u64 =
            self.lock().query_row(sum, [], |row| row.get(0)).map_err(|error| failed(&error))?;
        if taken <= self.most {
            return Ok(());
        }
        self.change(
            "DELETE FROM job WHERE id IN (
                SELECT id FROM (
                    SELECT id, sum(coalesce(length(answer), 0) + 1000)
                        OVER (ORDER BY ended DESC, rowid DESC) AS taken
                    FROM job WHERE ended IS NOT NULL
                ) WHERE taken > ?1
            ) AND id <> ?2",
            params![self.most, last],
        )?;
        Ok(())
    }

    /// The job with this id.
    pub(crate) fn entry(&self, id: &str) -> Result<Option<Entry>> {
        let sql = format!("SELECT {COLUMNS} FROM job WHERE id = ?1");
        let found = self.reader().query_row(&sql, [id], read).optional();
        found.map_err(|error| failed(&error))
    }

    /// How many bytes the answer of the job with this id has.
    pub(crate) fn size(&self, id: &str) -> Result<Option<u64>> {
        let sql = "SELECT length(answer) FROM job WHERE id = ?1";
        let found = self.reader().query_row(sql, [id], |row| row.get(0)).optional();
        Ok(found.map_err(|error| failed(&error))?.flatten())
    }

    /// The answer of the job with this id.
    pub(crate) fn answer(&self, id: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT answer FROM job WHERE id = ?1";
        let found = self.reader().query_row(sql, [id], |row| row.get(0)).optional();
        Ok(found.map_err(|error| failed(&error))?.flatten())
    }

    /// The id of a job that asked the same and was answered in full.
    pub(crate) fn same(&self, asking: &Asking) -> Result<Option<String>> {
        let sql = "SELECT id FROM job WHERE key = ?1 AND whole = 1 LIMIT 1";
        let found = self.reader().query_row(sql, [asking.key()], |row| row.get(0)).optional();
        found.map_err(|error| failed(&error))
    }

    /// The jobs of a client, the newest first.
    pub(crate) fn of_client(&self, client: &Client, most: u32) -> Result<Vec<Entry>> {
        self.list(
            &format!(
                "SELECT {COLUMNS} FROM job WHERE client = ?1 ORDER BY made DESC, rowid DESC LIMIT ?2"
            ),
            params![client.0, most],
        )
    }

    /// The jobs that did not come to their end, the oldest first.
    pub(crate) fn unfinished(&self) -> Result<Vec<Entry>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM job WHERE state IN ('queued', 'running') ORDER BY rowid"
        );
        self.list(&sql, [])
    }

    fn list(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Entry>> {
        let connection = self.reader();
        let list = || -> rusqlite::Result<Vec<Entry>> {
            connection.prepare(sql)?.query_map(values, read)?.collect()
        };
        list().map_err(|error| failed(&error))
    }
}

fn read(row: &Row) -> rusqlite::Result<Entry> {
    let bad = |column: usize| {
        rusqlite::Error::InvalidColumnType(column, "a job".into(), rusqlite::types::Type::Text)
    };
    let asking: String = row.get(2)?;
    let state: String = row.get(3)?;
    let error: Option<String> = row.get(6)?;
    Ok(Entry {
        id: row.get(0)?,
        client: Client(row.get(1)?),
        asking: serde_json::from_str(&asking).map_err(|_| bad(2))?,
        state: State::parse(&state).ok_or_else(|| bad(3))?,
        made: row.get(4)?,
        ended: row.get(5)?,
        error: error.and_then(|json| serde_json::from_str(&json).ok()),
        has_answer: row.get(7)?,
        begun: row.get(8)?,
        lost: row.get(9)?,
        is_unwanted: row.get(10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, place: &str) -> Entry {
        let body = format!(r#"{{"question":{{"verb":"count","game":"go","place":"{place}"}}}}"#);
        Entry {
            id: id.into(),
            client: Client("a".into()),
            asking: Asking::read(body.as_bytes(), 100).unwrap(),
            state: State::Queued,
            made: 7,
            ended: None,
            error: None,
            has_answer: false,
            begun: 0,
            lost: 0,
            is_unwanted: false,
        }
    }

    fn done(answer: &[u8]) -> End<'_> {
        End { state: State::Done, error: None, answer: Some(answer), is_whole: true }
    }

    #[test]
    fn answers_survive_and_so_does_what_waits() {
        let folder = tempfile::tempdir().unwrap();
        let keep = Keep::open(Some(folder.path()), 1 << 20).unwrap();
        for (id, place) in [("1", "2x2"), ("2", "3x3"), ("3", "4x4")] {
            keep.add(&entry(id, place)).unwrap();
        }
        keep.begin("1").unwrap();
        keep.end("1", &done(b"{}")).unwrap();
        keep.begin("2").unwrap();
        let busy = Keep::open(Some(folder.path()), 1 << 20).err().unwrap();
        assert!(busy.sentence.contains("another server uses it"), "{busy}");
        drop(keep);

        let keep = Keep::open(Some(folder.path()), 1 << 20).unwrap();
        assert_eq!(keep.answer("1").unwrap().as_deref(), Some(&b"{}"[..]));
        assert_eq!(keep.same(&entry("", "2x2").asking).unwrap().as_deref(), Some("1"));
        assert_eq!(keep.same(&entry("", "3x3").asking).unwrap(), None);
        let unfinished = || -> Vec<(String, State, u32, u32)> {
            let entries = keep.unfinished().unwrap().into_iter();
            entries.map(|one| (one.id, one.state, one.begun, one.lost)).collect()
        };
        let three = ("3".to_owned(), State::Queued, 0, 0);
        assert_eq!(unfinished(), [("2".into(), State::Running, 1, 0), three.clone()]);
        keep.put_back("2", 1).unwrap();
        assert_eq!(unfinished(), [("2".into(), State::Queued, 1, 1), three]);
        assert!(!keep.entry("2").unwrap().unwrap().is_unwanted);
        keep.renounce("2").unwrap();
        assert!(keep.entry("2").unwrap().unwrap().is_unwanted);
        assert_eq!(keep.of_client(&Client("a".into()), 10).unwrap().len(), 3);
        assert!(keep.entry("4").unwrap().is_none());
    }

    #[test]
    fn who_reads_does_not_wait_for_who_writes() {
        let folder = tempfile::tempdir().unwrap();
        let keep = Keep::open(Some(folder.path()), 1 << 20).unwrap();
        keep.add(&entry("1", "2x2")).unwrap();
        keep.end("1", &done(b"{}")).unwrap();
        let writing = keep.lock();
        writing.execute_batch("BEGIN IMMEDIATE; UPDATE job SET client = 'b'").unwrap();
        assert_eq!(keep.answer("1").unwrap().as_deref(), Some(&b"{}"[..]));
        assert_eq!(keep.size("1").unwrap(), Some(2));
        assert_eq!(keep.entry("1").unwrap().unwrap().client, Client("a".into()));
        writing.execute_batch("COMMIT").unwrap();
        assert_eq!(keep.entry("1").unwrap().unwrap().client, Client("b".into()));
    }

    #[cfg(unix)]
    #[test]
    fn no_other_user_can_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("kept");
        let mode =
            |name: &str| std::fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o777;
        // One of a version that did not care.
        std::fs::create_dir(&folder).unwrap();
        drop(Connection::open(folder.join(FILE)).unwrap());
        let open = |name| std::fs::set_permissions(name, PermissionsExt::from_mode(0o755)).unwrap();
        open(folder.clone());
        open(folder.join(FILE));
        let keep = Keep::open(Some(&folder), 1 << 20).unwrap();
        keep.add(&entry("1", "2x2")).unwrap();
        assert_eq!((mode(""), mode(FILE), mode("lock")), (0o700, 0o600, 0o600));
        assert_eq!(mode("answers.sqlite-wal"), 0o600);
    }

    #[test]
    fn the_oldest_answers_go_first() {
        let keep = Keep::open(None, 10_000).unwrap();
        for number in 0..20 {
            let id = number.to_string();
            keep.add(&entry(&id, "2x2")).unwrap();
            keep.end(&id, &done(&[b' '; 1000])).unwrap();
        }
        assert!(keep.entry("19").unwrap().is_some());
        assert!(keep.entry("0").unwrap().is_none());
        // An answer that is larger than all the room stays until the next one comes.
        keep.add(&entry("large", "2x2")).unwrap();
        keep.end("large", &done(&vec![b' '; 20_000])).unwrap();
        assert!(keep.answer("large").unwrap().is_some());
        assert!(keep.entry("19").unwrap().is_none());
    }

    #[test]
    fn a_folder_of_the_version_before_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = Connection::open(folder.path().join("answers.sqlite")).unwrap();
        file.execute_batch(MAKE).unwrap();
        let asking = serde_json::to_string(&entry("", "2x2").asking).unwrap();
        let sql = "INSERT INTO job (id, client, key, asking, state, made, answer)
                   VALUES ('old', 'a', 'k', ?1, 'done', 1, 'yes')";
        file.execute(sql, [asking]).unwrap();
        drop(file);
        for _ in 0..2 {
            let keep = Keep::open(Some(folder.path()), 1 << 20).unwrap();
            let old = keep.entry("old").unwrap().unwrap();
            assert_eq!((old.state, old.has_answer, old.begun), (State::Done, true, 0));
        }
    }

    #[test]
    fn a_folder_of_another_version_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        drop(Keep::open(Some(folder.path()), 1).unwrap());
        let file = Connection::open(folder.path().join("answers.sqlite")).unwrap();
        file.pragma_update(None, "user_version", 9).unwrap();
        drop(file);
        assert!(Keep::open(Some(folder.path()), 1).err().unwrap().sentence.contains("version 9"));
    }
}
