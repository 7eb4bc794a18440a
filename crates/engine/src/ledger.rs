//! Jobs that save themselves: what is done, and how far the rest has come.
//!
//! A **ledger** is the checkpoint of one job in the [`Store`] of its run. The job is done in
//! **chapters**, one after the other and always in the same order, each under a name of its
//! own: the walk of a tree, a search for the states of a space, a series of samples. Of a chapter
//! that is done the ledger keeps the *result*. The chapter that is being worked on is *open*: it
//! writes itself, as records of words, whenever a save is *due*. So a job that goes on takes the
//! results of its first chapters from the ledger, begins the open one where it was, and knows
//! nothing else of having been stopped.
//!
//! A save is due when some minutes have passed since the last one, or ten times as long as that
//! one took if that is more; and whoever stops the job saves it. A save that fails is a warning:
//! the job goes on, and the last save that could be written stays.
//!
//! The file is a head and then [records](crate::records): what the job is about, in words that
//! the caller chooses; how many chapters are done and whether one is open; name and result of
//! each; name and records of the open one; and last how many records there are and a checksum of
//! their checksums, so that none can be left out. All of it is read once before anything is done.
//! What is damaged, or is about something else, is refused and left as it is. So is, later, what
//! an engine finds not to fit its chapter ([`Chapter::refuse`]).

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::records::{PIECE, Unusable, Words, get, put};
use crate::run::{Run, Stop};
use crate::store::{PAUSE, Store};

const HEAD: &[u8] = b"pessoi ledger checkpoint 1\n\n\n\n\n\n";
/// Saving takes no more than one part in so many of the time.
const SHARE: u32 = 10;

/// The checkpoint of a job.
#[derive(Debug)]
pub struct Ledger<'r> {
    run: &'r Run,
    store: Option<&'r Store>,
    about: String,
    is_resumed: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The names and results of the chapters that are done.
    done: Vec<(String, Vec<u64>)>,
    /// The chapter that the file leaves open, until it is taken up.
    open: Option<Open>,
    /// When the last save was made, and how long it took.
    saved: Duration,
    took: Duration,
    /// Whether the file holds more than what is done: a chapter that is open.
    is_ahead: bool,
    /// Why the file cannot be gone on with.
    refused: Option<Unusable>,
}

/// Where the records of the open chapter lie.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    name: String,
    at: u64,
    records: u64,
}

impl<'r> Ledger<'r> {
    /// The ledger of a job in the store of its run: what was saved there, or nothing yet. In a
    /// run without a store it keeps nothing.
    pub fn open(run: &'r Run, about: impl Into<String>) -> Result<Self, Unusable> {
        let about = about.into();
        let (mut done, mut open) = (Vec::new(), None);
        if let Some(store) = run.store()
            && let Some(file) = store.reader()?
        {
            (done, open) = read(BufReader::with_capacity(8 * PIECE, file), &about)?;
        }
        let (is_ahead, is_resumed) = (open.is_some(), open.is_some() || !done.is_empty());
        let state = State { done, open, is_ahead, saved: run.elapsed(), ..State::default() };
        Ok(Ledger { run, store: run.store(), about, is_resumed, state: Mutex::new(state) })
    }

    /// A ledger that keeps nothing, for work that is saved in another way or not at all.
    pub fn unkept(run: &'r Run) -> Self {
        let state = Mutex::default();
        Ledger { run, store: None, about: String::new(), is_resumed: false, state }
    }

    /// Whether an earlier run saved anything.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// A chapter of the job. No two have the same name.
    pub fn chapter(&self, name: impl Into<String>) -> Chapter<'_> {
        Chapter { ledger: self.store.is_some().then_some(self), name: name.into() }
    }

    /// Saves what is done, at the end of the job or where it was stopped. It is an error if the
    /// file could not be gone on with.
    pub fn close(&self) -> Result<(), Unusable> {
        let mut state = self.lock();
        if let Some(why) = &state.refused {
            return Err(why.clone());
        }
        // A chapter that was put aside, or was not taken up yet, must not be lost.
        if !state.is_ahead {
            self.save(&mut state, None, |_| Ok(()));
        }
        Ok(())
    }

    /// Saves what is done before something that may take long, even if the last save was a short
    /// while ago; but no more often than a save takes its share of the time.
    pub fn keep(&self) {
        let mut state = self.lock();
        let since = self.run.elapsed().saturating_sub(state.saved);
        if state.is_free() && since >= state.took.saturating_mul(SHARE) {
            self.save(&mut state, None, |_| Ok(()));
        }
    }

    /// No thread panics while it holds the lock, so the state is always whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves everything, and one chapter that is open.
    fn save(
        &self,
        state: &mut State,
        open: Option<&str>,
        write: impl FnOnce(&mut Writer) -> io::Result<()>,
    ) {
        let Some(store) = self.store else { return };
        let began = self.run.elapsed();
        let saved = store.save_with(|out| {
            out.write_all(HEAD)?;
            let mut out = Writer { out, sums: Vec::new() };
            out.put(&self.about)?;
            out.put(&(state.done.len(), usize::from(open.is_some())))?;
            for (name, result) in &state.done {
                out.put(name)?;
                out.record(result)?;
            }
            if let Some(name) = open {
                out.put(&name.to_owned())?;
                write(&mut out)?;
            }
            let end = out.end();
            out.record(&end)
        });
        state.is_ahead |= open.is_some();
        state.saved = self.run.elapsed();
        state.took = state.saved.saturating_sub(began);
        if let Err(why) = saved {
            let shown = store.shown();
            self.run.warn(format!(
                "The checkpoint {shown:?} cannot be written: {why}. The work goes on; if it is \
                 stopped, it can be resumed from the last checkpoint that was written."
            ));
        }
    }
}

/// A piece of a job that is done as a whole.
#[derive(Debug)]
pub struct Chapter<'l> {
    /// `None` if nothing is kept.
    ledger: Option<&'l Ledger<'l>>,
    name: String,
}

impl Chapter<'_> {
    /// A chapter of which nothing is kept.
    pub const fn unkept() -> Chapter<'static> {
        Chapter { ledger: None, name: String::new() }
    }

    /// Whether anything is kept.
    pub fn is_kept(&self) -> bool {
        self.ledger.is_some()
    }

    /// What it came to, if it was done already.
    pub fn result<T: Words>(&self) -> Result<Option<T>, Stop> {
        let Some(ledger) = self.ledger else { return Ok(None) };
        let state = ledger.lock();
        let Some((_, words)) = state.done.iter().find(|(name, _)| *name == self.name) else {
            return Ok(None);
        };
        let result = T::from_words(words);
        drop(state);
        result.map(Some).ok_or_else(|| self.refuse(Unusable::Damaged))
    }

    /// Keeps what it came to, and saves that if it is time to.
    pub fn finish<T: Words>(&self, result: &T) {
        let Some(ledger) = self.ledger else { return };
        let mut state = ledger.lock();
        state.done.push((self.name.clone(), result.to_words()));
        state.is_ahead = state.open.is_some();
        if state.is_due(ledger) {
            ledger.save(&mut state, None, |_| Ok(()));
        }
    }

    /// What was saved of it while it was open. It is given once.
    pub fn begun(&self) -> Result<Option<Reader>, Stop> {
        let Some(ledger) = self.ledger else { return Ok(None) };
        let mut state = ledger.lock();
        let Some(open) = state.open.take_if(|open| open.name == self.name) else {
            return Ok(None);
        };
        // The file is held, so what is not there any more was removed by hand.
        let read = |store: &Store| -> io::Result<Reader> {
            let mut file = store.reader()?.ok_or(io::ErrorKind::NotFound)?;
            file.seek(SeekFrom::Start(open.at))?;
            Ok(Reader { from: BufReader::with_capacity(8 * PIECE, file), left: open.records })
        };
        match ledger.store.map(read) {
            Some(Ok(reader)) => Ok(Some(reader)),
            Some(Err(error)) => {
                drop(state);
                Err(self.refuse(Unusable::Unread(error.to_string())))
            }
            None => Ok(None),
        }
    }

    /// Saves it as it stands if it is time to. Whoever asks while another saves need not wait.
    pub fn save_if_due(&self, write: impl FnOnce(&mut Writer) -> io::Result<()>) {
        if let Some(ledger) = self.ledger
            && let Ok(mut state) = ledger.state.try_lock()
            && state.is_due(ledger)
        {
            ledger.save(&mut state, Some(&self.name), write);
        }
    }

    /// Saves it as it stands, because the job was stopped.
    pub fn put_aside(&self, write: impl FnOnce(&mut Writer) -> io::Result<()>) {
        let Some(ledger) = self.ledger else { return };
        let mut state = ledger.lock();
        if state.is_free() {
            ledger.save(&mut state, Some(&self.name), write);
        }
    }

    /// Refuses what was saved: the job must end, and the file stays as it is. Where it ends,
    /// [`Ledger::close`] gives the reason.
    pub fn refuse(&self, why: Unusable) -> Stop {
        let stop = match &why {
            Unusable::Stop(stop) => stop.clone(),
            why => Stop::Disk { why: format!("the checkpoint {why}") },
        };
        if let Some(ledger) = self.ledger
            && !matches!(why, Unusable::Stop(_))
        {
            ledger.lock().refused.get_or_insert(why);
        }
        stop
    }
}

impl State {
    /// Whether a save would lose nothing: a chapter that the file leaves open and that was not
    /// taken up yet would be lost.
    fn is_free(&self) -> bool {
        self.refused.is_none() && self.open.is_none()
    }

    fn is_due(&self, ledger: &Ledger) -> bool {
        let pause = ledger.store.map_or(PAUSE, |store| store.pause(PAUSE));
        let pause = pause.max(self.took.saturating_mul(SHARE));
        self.is_free() && ledger.run.elapsed().saturating_sub(self.saved) >= pause
    }
}

/// Writes records.
pub struct Writer<'o> {
    out: &'o mut dyn Write,
    sums: Vec<u64>,
}

impl Writer<'_> {
    /// Writes a thing as a record of its own.
    pub fn put(&mut self, thing: &impl Words) -> io::Result<()> {
        self.record(&thing.to_words())
    }

    /// Writes a record.
    pub fn record(&mut self, words: &[u64]) -> io::Result<()> {
        let sum = put(self.out, words)?;
        self.sums.push(sum);
        Ok(())
    }

    fn end(&self) -> [u64; 2] {
        [self.sums.len() as u64, crate::disk::checksum(&self.sums)]
    }
}

/// Reads the records of an open chapter.
#[derive(Debug)]
pub struct Reader {
    from: BufReader<File>,
    left: u64,
}

impl Reader {
    /// The next record.
    pub fn record(&mut self) -> Result<Vec<u64>, Unusable> {
        self.left = self.left.checked_sub(1).ok_or(Unusable::Damaged)?;
        get(&mut self.from)
    }

    /// The next record, which is one thing.
    pub fn take<T: Words>(&mut self) -> Result<T, Unusable> {
        T::from_words(&self.record()?).ok_or(Unusable::Damaged)
    }

    /// How many records are left.
    pub fn left(&self) -> u64 {
        self.left
    }
}

/// The chapters that are done, and the one that is open.
type Chapters = (Vec<(String, Vec<u64>)>, Option<Open>);

/// Reads a ledger to its end: what is done, and where the open chapter is.
fn read(mut from: impl BufRead, about: &str) -> Result<Chapters, Unusable> {
    let mut head = [0; HEAD.len()];
    let is_head = from.read_exact(&mut head).is_ok() && head == HEAD;
    if !is_head {
        return Err(Unusable::Foreign { kind: "searches or explorations" });
    }
    let mut from = Counted { from, at: HEAD.len() as u64, sums: Vec::new() };
    let text = from.take::<String>()?;
    let (number, is_open) = from.take::<(usize, usize)>()?;
    let mut done: Vec<(String, Vec<u64>)> = Vec::new();
    for _ in 0..number {
        let name = from.take::<String>()?;
        if done.iter().any(|(other, _)| *other == name) {
            return Err(Unusable::Damaged);
        }
        done.push((name, from.record()?));
    }
    let mut open = match is_open {
        0 => None,
        1 => Some(Open { name: from.take()?, at: from.at, records: 0 }),
        _ => return Err(Unusable::Damaged),
    };
    let before = from.sums.len();
    // The last record says how many came before it.
    let mut last = from.record()?;
    while !from.is_at_end()? {
        last = from.record()?;
    }
    from.sums.pop();
    if last != [from.sums.len() as u64, crate::disk::checksum(&from.sums)] {
        return Err(Unusable::Damaged);
    }
    let records = (from.sums.len() - before) as u64;
    match &mut open {
        Some(open) => open.records = records,
        None if records > 0 => return Err(Unusable::Damaged),
        None => {}
    }
    if text == about { Ok((done, open)) } else { Err(Unusable::Other { about: Some(text) }) }
}

/// Counts what is read.
struct Counted<R> {
    from: R,
    at: u64,
    sums: Vec<u64>,
}

impl<R: BufRead> Counted<R> {
    fn record(&mut self) -> Result<Vec<u64>, Unusable> {
        let words = get(&mut self.from)?;
        self.at += 8 * (words.len() as u64 + 2);
        self.sums.push(crate::disk::checksum(&words));
        Ok(words)
    }

    fn take<T: Words>(&mut self) -> Result<T, Unusable> {
        T::from_words(&self.record()?).ok_or(Unusable::Damaged)
    }

    fn is_at_end(&mut self) -> Result<bool, Unusable> {
        Ok(self.from.fill_buf()?.is_empty())
    }
}

/// Whether these bytes are a ledger: for the fuzzer, which has no time for files.
#[doc(hidden)]
pub fn is_ledger(bytes: &[u8], about: &str) -> Result<(), Unusable> {
    read(bytes, about).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Budget;
    use std::path::PathBuf;

    /// A new empty folder, removed when dropped.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("ledger-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        /// A run whose clock stands still until it is asked.
        fn run(&self) -> Run {
            let step = Duration::from_secs(50);
            let store = Store::open(self.0.join("saved")).unwrap();
            Run::stepping(Budget::default(), step).with_store(store)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// Counts to 10 in one chapter and to 20 in the next, a step a check; stopped after some.
    fn work(run: &Run, most: u64) -> Result<(u64, u64), Unusable> {
        let ledger = Ledger::open(run, "a test")?;
        let mut left = most;
        let mut count = |name: &str, end: u64| -> Result<Option<u64>, Stop> {
            let chapter = ledger.chapter(name);
            if let Some(done) = chapter.result()? {
                return Ok(Some(done));
            }
            let mut at = match chapter.begun()? {
                Some(mut saved) => saved.take().map_err(|why| chapter.refuse(why))?,
                None => 0u64,
            };
            if at > end {
                return Err(chapter.refuse(Unusable::Damaged));
            }
            while at < end {
                if left == 0 {
                    chapter.put_aside(|out| out.put(&at));
                    return Ok(None);
                }
                left -= 1;
                at += 1;
                run.check()?;
                chapter.save_if_due(|out| out.put(&at));
            }
            chapter.finish(&at);
            Ok(Some(at))
        };
        let first = count("first", 10).unwrap_or(None);
        let second = if first.is_some() { count("second", 20).unwrap_or(None) } else { None };
        ledger.close()?;
        Ok((first.unwrap_or(0), second.unwrap_or(0)))
    }

    #[test]
    fn a_job_goes_on_where_it_was_stopped() {
        for steps in 0..=31 {
            let folder = Folder::new("stopped");
            let mut runs = 1;
            while work(&folder.run(), steps.max(1)).unwrap() != (10, 20) {
                runs += 1;
            }
            let expected = 30u64.div_ceil(steps.max(1));
            // Where a chapter ends with the last step that is allowed, nothing is put aside.
            assert!((expected..=expected + 1).contains(&runs), "{steps}: {runs}");
            assert_eq!(work(&folder.run(), 0), Ok((10, 20)), "all of it is kept");
        }
    }

    /// What is killed has the last save that was due: here every third step.
    #[test]
    fn saves_are_made_when_they_are_due() {
        let folder = Folder::new("due");
        let run = folder.run();
        let ledger = Ledger::open(&run, "a test").unwrap();
        let chapter = ledger.chapter("one");
        let mut saves = Vec::new();
        for step in 1..=10u64 {
            run.check().unwrap();
            chapter.save_if_due(|out| {
                saves.push(step);
                out.put(&step)
            });
        }
        assert_eq!(saves, [3, 6, 9]);
        drop(chapter);
        drop(ledger);
        drop(run);
        let run = folder.run();
        let ledger = Ledger::open(&run, "a test").unwrap();
        assert!(ledger.chapter("another").begun().unwrap().is_none());
        ledger.close().unwrap();
        let mut saved = ledger.chapter("one").begun().unwrap().unwrap();
        assert_eq!((saved.take(), saved.left()), (Ok(9u64), 0));
        assert_eq!(saved.record(), Err(Unusable::Damaged));
        assert!(ledger.chapter("one").begun().unwrap().is_none(), "it is given once");
    }

    /// Before something long what is done is saved, though no save is due.
    #[test]
    fn what_is_done_is_kept_before_something_long() {
        let folder = Folder::new("kept");
        let run = folder.run();
        let ledger = Ledger::open(&run, "a test").unwrap();
        ledger.chapter("one").finish(&5u64);
        assert!(run.store().unwrap().load().unwrap().is_none(), "it is not due");
        ledger.keep();
        // It is killed here.
        drop(ledger);
        drop(run);
        let run = folder.run();
        let ledger = Ledger::open(&run, "a test").unwrap();
        assert_eq!(ledger.chapter("one").result(), Ok(Some(5u64)));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_left_as_it_is() {
        let folder = Folder::new("refused");
        work(&folder.run(), 13).unwrap();
        let bytes = folder.run().store().unwrap().load().unwrap().unwrap();
        let other = Ledger::open(&folder.run(), "another test").map(drop);
        assert_eq!(other, Err(Unusable::Other { about: Some("a test".into()) }));
        let refused = |bytes: &[u8]| {
            folder.run().store().unwrap().save(bytes).unwrap();
            let why = work(&folder.run(), 100).unwrap_err();
            assert_eq!(folder.run().store().unwrap().load().unwrap().unwrap(), bytes);
            why
        };
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            assert_ne!(refused(&changed), Unusable::Other { about: None }, "byte {at}");
            refused(&bytes[..at]);
        }
        assert_eq!(refused(&[&bytes[..], &[0]].concat()), Unusable::Damaged);
        // Whole, but nothing that this job could have written.
        let run = folder.run();
        run.store().unwrap().remove().unwrap();
        let ledger = Ledger::open(&run, "a test").unwrap();
        ledger.chapter("first").put_aside(|out| out.put(&11u64));
        drop(ledger);
        let bytes = run.store().unwrap().load().unwrap().unwrap();
        drop(run);
        assert_eq!(refused(&bytes), Unusable::Damaged);
        // A record that is left out is missed.
        let whole = 8 * (2 + 1);
        let cut = [&bytes[..bytes.len() - whole - 32], &bytes[bytes.len() - 32..]].concat();
        assert_eq!(refused(&cut), Unusable::Damaged);
    }

    #[test]
    fn without_a_store_nothing_is_kept() {
        let run = Run::default();
        let ledger = Ledger::open(&run, "a test").unwrap();
        let chapter = ledger.chapter("one");
        chapter.finish(&1u64);
        assert_eq!(chapter.result::<u64>(), Ok(None));
        assert!(!chapter.is_kept() && chapter.begun().unwrap().is_none());
        ledger.close().unwrap();
    }

    #[test]
    fn a_save_that_fails_is_a_warning() {
        let folder = Folder::new("warning");
        let store = Store::open(folder.0.join("saved")).unwrap().within(100);
        let run = Run::default().with_store(store);
        assert_eq!(work(&run, 100), Ok((10, 20)));
        assert_eq!(run.warnings().len(), 1);
        assert_eq!(run.store().unwrap().load().unwrap(), None);
    }
}
