//! A folder that several machines see, through which the parts of one job hand words to each
//! other.
//!
//! A **share** belongs to a run ([`crate::run::Run::with_share`]): the caller decides where the
//! parts of a job meet, never the question. What lies there is of two kinds.
//!
//! A **parcel** is a file of [records](crate::records): what the parcel is (its [`Label`]), and
//! then what one part has for another. It is written as a draft, forced to disk and renamed, so a
//! parcel that is there is whole, and it is never changed. Its one receiver removes it, when what
//! it made of it is on disk too. What is read is not believed: a parcel with another label, with
//! a changed bit or cut short is [`Unusable`].
//!
//! A **logbook** says how far a part has come. It is a [`Store`], and so it is held: two runs of
//! one part at the same time refuse each other, and a part that was killed goes on where it was.
//! Other parts may look into it.
//!
//! Parts do not call each other: they look into the folder, after pauses that become longer
//! ([`Share::wait`]). That works wherever files that were renamed are seen by others sometime,
//! and it needs no server, no addresses, and no part that is more than the others.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::records::{PIECE, Unusable, Words, get, put};
use crate::run::{Run, Stop};
use crate::store::{Draft, Store};

const PARCEL: &[u8; 16] = b"pessoi parcel 1\n";
const LOGBOOK: &[u8; 16] = b"pessoi logbook1\n";
/// The first pause, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(1)];

/// A folder that all parts of a job see.
#[derive(Debug)]
pub struct Share {
    folder: PathBuf,
    longest: Duration,
    written: AtomicU64,
    read: AtomicU64,
}

/// What a parcel is: of which job, in words, and which of its parcels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The job; all its parts say the same.
    pub about: String,
    /// Which parcel.
    pub numbers: Vec<u64>,
}

impl Words for Label {
    fn put(&self, words: &mut Vec<u64>) {
        self.about.put(words);
        self.numbers.put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        Some(Label { about: Words::take(words)?, numbers: Words::take(words)? })
    }
}

impl Share {
    /// The folder, which must be there. It is an error if nothing can be written there.
    pub fn open(folder: impl Into<PathBuf>) -> io::Result<Arc<Self>> {
        Share::pausing(folder, PAUSES[1])
    }

    /// As [`Share::open`]; parts that wait look again after pauses that are no longer than given.
    pub fn pausing(folder: impl Into<PathBuf>, longest: Duration) -> io::Result<Arc<Self>> {
        let folder = folder.into();
        if !folder.is_dir() {
            return Err(io::Error::new(ErrorKind::NotADirectory, "it is not a folder"));
        }
        drop(Draft::beside(&folder.join("parcel"))?);
        let (written, read) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Arc::new(Share { folder, longest, written, read }))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes that this run has written and read there.
    pub fn traffic(&self) -> (u64, u64) {
        (self.written.load(Relaxed), self.read.load(Relaxed))
    }

    /// The names of all files.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(&self.folder)?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect()
    }

    /// Whether there is a file of this name.
    pub fn holds(&self, name: &str) -> bool {
        self.folder.join(name).exists()
    }

    /// Writes a parcel: on disk and whole when this returns.
    pub fn send(&self, name: &str, label: &Label, records: &[&[u64]]) -> Result<(), Stop> {
        let place = self.folder.join(name);
        let send = || -> io::Result<()> {
            let mut out = BufWriter::with_capacity(8 * PIECE, Draft::beside(&place)?);
            out.write_all(PARCEL)?;
            let mut words = 0;
            let label = label.to_words();
            for record in std::iter::once(&&label[..]).chain(records) {
                put(&mut out, record)?;
                words += record.len() + 2;
            }
            self.written.fetch_add(8 * words as u64, Relaxed);
            let mut draft = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            draft.finish(&place)
        };
        send().map_err(|error| {
            let why = format!("the file {:?} could not be written: {error}", shown(&place));
            Stop::Disk { why }
        })
    }

    /// Opens the parcel of this name; `None` if there is none.
    pub fn open_parcel(&self, name: &str, label: &Label) -> Result<Option<Parcel<'_>>, Unusable> {
        let file = match File::open(self.folder.join(name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut from = BufReader::with_capacity(8 * PIECE, file);
        head(&mut from, PARCEL, "the parcels between parts")?;
        let found = Label::from_words(&get(&mut from)?).ok_or(Unusable::Damaged)?;
        if found.about != label.about {
            return Err(Unusable::Other { about: Some(found.about) });
        }
        if found != *label {
            return Err(Unusable::Other { about: None });
        }
        let begin = from.stream_position()?;
        Ok(Some(Parcel { share: self, from, begin }))
    }

    /// Removes a file, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), Stop> {
        match fs::remove_file(self.folder.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                let path = shown(&self.folder.join(name));
                Err(Stop::Disk { why: format!("the file {path:?} could not be removed: {error}") })
            }
            _ => Ok(()),
        }
    }

    /// The logbook of this name, held. It is an error of the kind [`ErrorKind::ResourceBusy`] if
    /// another run has it.
    pub fn logbook(&self, name: &str, about: impl Into<String>) -> io::Result<Logbook> {
        Ok(Logbook { store: Store::open(self.folder.join(name))?, about: about.into() })
    }

    /// What stands in a logbook that another may hold; `None` if there is none.
    pub fn look_into<T: Words>(&self, name: &str, about: &str) -> Result<Option<T>, Unusable> {
        match File::open(self.folder.join(name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            file => read_log(file?, about).map(Some),
        }
    }

    /// Waits until `look` says that it has seen what it waits for. The run is asked after every
    /// look whether to go on.
    pub fn wait<E: From<Stop>>(
        &self,
        run: &Run,
        mut look: impl FnMut() -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut pause = PAUSES[0].min(self.longest);
        while !look()? {
            run.check()?;
            std::thread::sleep(pause);
            pause = (pause * 2).min(self.longest);
        }
        Ok(())
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Reads the first bytes of a file.
fn head(from: &mut impl Read, expected: &[u8; 16], kind: &'static str) -> Result<(), Unusable> {
    let mut head = [0; 16];
    match from.read_exact(&mut head) {
        Ok(()) if head == *expected => Ok(()),
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => Err(error.into()),
        _ => Err(Unusable::Foreign { kind }),
    }
}

/// A parcel that is being read.
#[derive(Debug)]
pub struct Parcel<'s> {
    share: &'s Share,
    from: BufReader<File>,
    begin: u64,
}

impl Parcel<'_> {
    /// Reads a record of so many words that stands behind others, whose lengths are given.
    pub fn record(&mut self, before: &[usize], words: usize) -> Result<Vec<u64>, Unusable> {
        let skipped: u64 = before.iter().map(|&words| 8 * (words as u64 + 2)).sum();
        self.from.seek(SeekFrom::Start(self.begin + skipped))?;
        let record = get(&mut self.from)?;
        self.share.read.fetch_add(8 * (record.len() as u64 + 2), Relaxed);
        if record.len() == words { Ok(record) } else { Err(Unusable::Damaged) }
    }
}

/// How far a part has come.
#[derive(Debug)]
pub struct Logbook {
    store: Store,
    about: String,
}

impl Logbook {
    /// The file.
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// What was saved last; `None` if nothing was.
    pub fn load<T: Words>(&self) -> Result<Option<T>, Unusable> {
        let file = self.store.reader()?;
        file.map(|file| read_log(file, &self.about)).transpose()
    }

    /// Replaces what was saved: on disk and whole when this returns.
    pub fn save<T: Words>(&self, thing: &T) -> Result<(), Stop> {
        let saved = self.store.save_with(|out| {
            out.write_all(LOGBOOK)?;
            put(out, &self.about.to_words())?;
            put(out, &thing.to_words()).map(|_| ())
        });
        saved.map_err(|error| {
            let why = format!("the file {:?} could not be written: {error}", shown(self.path()));
            Stop::Disk { why }
        })
    }
}

fn read_log<T: Words>(file: File, about: &str) -> Result<T, Unusable> {
    let mut from = BufReader::new(file);
    head(&mut from, LOGBOOK, "the logbooks of parts")?;
    let found = String::from_words(&get(&mut from)?).ok_or(Unusable::Damaged)?;
    let thing = get(&mut from)?;
    if from.read(&mut [0])? > 0 {
        return Err(Unusable::Damaged);
    }
    if found != about {
        return Err(Unusable::Other { about: Some(found) });
    }
    T::from_words(&thing).ok_or(Unusable::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Budget;

    type Look<'a> = &'a dyn Fn() -> Result<bool, Unusable>;

    fn label(about: &str, number: u64) -> Label {
        Label { about: about.to_owned(), numbers: vec![number] }
    }

    #[test]
    fn parcels_come_as_they_were_sent() {
        let folder = tempfile::tempdir().unwrap();
        let share = Share::open(folder.path()).unwrap();
        let own = label("a job", 7);
        assert!(share.open_parcel("one", &own).unwrap().is_none());
        share.send("one", &own, &[&[1, 2, 3], &[], &[4]]).unwrap();
        assert_eq!(share.names().unwrap(), ["one"]);
        let mut parcel = share.open_parcel("one", &own).unwrap().unwrap();
        assert_eq!(parcel.record(&[3, 0], 1), Ok(vec![4]));
        assert_eq!(parcel.record(&[], 3), Ok(vec![1, 2, 3]));
        assert_eq!(parcel.record(&[3], 0), Ok(vec![]));
        assert_eq!(parcel.record(&[3, 0], 2), Err(Unusable::Damaged));
        let other = |label: &Label| share.open_parcel("one", label).map(|_| ());
        let about = Some("a job".to_owned());
        assert_eq!(other(&label("another", 7)), Err(Unusable::Other { about }));
        assert_eq!(other(&label("a job", 8)), Err(Unusable::Other { about: None }));
        share.remove("one").unwrap();
        share.remove("one").unwrap();
        assert!(!share.holds("one"));
    }

    /// Every bit, and every length.
    #[test]
    fn changed_parcels_and_logbooks_are_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let share = Share::open(folder.path()).unwrap();
        let own = label("a job", 7);
        share.send("parcel", &own, &[&[1, 2, 3]]).unwrap();
        share.logbook("log", "a job").unwrap().save(&(5u64, 6u64)).unwrap();
        let parcel = || -> Result<bool, Unusable> {
            let mut parcel = share.open_parcel("parcel", &own)?.unwrap();
            Ok(parcel.record(&[], 3)? == [1, 2, 3])
        };
        let log = || Ok(share.look_into::<(u64, u64)>("log", "a job")? == Some((5, 6)));
        let looks: [Look; 2] = [&parcel, &log];
        for (name, look) in ["parcel", "log"].into_iter().zip(looks) {
            assert_eq!(look(), Ok(true));
            let path = folder.path().join(name);
            let bytes = fs::read(&path).unwrap();
            for bit in 0..8 * bytes.len() {
                let mut flipped = bytes.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                fs::write(&path, &flipped).unwrap();
                assert!(look().is_err(), "{name} {bit}");
                fs::write(&path, &bytes[..bit / 8]).unwrap();
                assert!(look().is_err(), "{name} cut at {}", bit / 8);
            }
            fs::write(&path, &bytes).unwrap();
        }
    }

    #[test]
    fn a_logbook_is_held_by_one_run() {
        let folder = tempfile::tempdir().unwrap();
        let share = Share::open(folder.path()).unwrap();
        let log = share.logbook("log", "a job").unwrap();
        assert_eq!(log.load::<u64>(), Ok(None));
        log.save(&3u64).unwrap();
        let busy = share.logbook("log", "a job").unwrap_err();
        assert_eq!(busy.kind(), ErrorKind::ResourceBusy);
        assert_eq!(share.look_into("log", "a job"), Ok(Some(3u64)));
        drop(log);
        let other = share.logbook("log", "another").unwrap();
        let about = Some("a job".to_owned());
        assert_eq!(other.load::<u64>(), Err(Unusable::Other { about }));
        assert_eq!(share.names().unwrap().len(), 2, "the logbook and its lock");
    }

    #[test]
    fn who_waits_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let share = Share::pausing(folder.path(), Duration::ZERO).unwrap();
        let second = Duration::from_secs(1);
        let budget = Budget { time: Some(5 * second), ..Budget::default() };
        let mut looks = 0;
        let ended = share.wait(&Run::stepping(budget, second), || {
            looks += 1;
            Ok::<_, Stop>(false)
        });
        assert_eq!((ended, looks), (Err(Stop::Time { limit: 5 * second }), 5));
        let mut left = 3;
        let seen = share.wait(&Run::default(), || {
            left -= 1;
            Ok::<_, Stop>(left == 0)
        });
        assert_eq!(seen, Ok(()));
        assert!(Share::open(folder.path().join("missing")).is_err());
    }
}
