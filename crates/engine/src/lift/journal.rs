//! Searches that save themselves, and go on from there.
//!
//! A **journal** is what the searches of one job have found: the layers of those that are done,
//! and of the one that is going on the level, the sizes so far and two bits a state: what was met,
//! and what was found last. It is saved in a [`Store`] after a level, if enough time has passed
//! since the last save, and after each search. Tables in memory and on disk save the same words, so
//! a search can go on with more memory or less.
//!
//! The file is a line of text and then little-endian 64-bit words: what the job is about (a text
//! that the caller chooses, so that the journal of another job is refused), the searches, the two
//! planes, and last a checksum of all words before it. Each word goes into the checksum by a
//! one-to-one map of what came before, so one changed word always changes it. The planes can be
//! as large as the disk, so they are written and read piece by piece, twice when a search goes
//! on: once for the checksum, before anything is done, and once into the tables.
//!
//! A save that fails is a warning: the search goes on, and the last save that could be written
//! stays.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::time::Duration;

use super::table::{Layers, Table};
use crate::run::{Run, Stop};
use crate::store::Store;
use crate::symmetry::Permutation;

const HEAD: &[u8] = b"pessoi tables checkpoint 1\n";
/// Words that are written or read at a time.
const PIECE: usize = 1 << 14;
/// Saving takes no more than one part in so many of the time.
const SHARE: u32 = 10;

/// What the searches of a job have found.
#[derive(Debug)]
pub struct Journal<'s> {
    store: &'s Store,
    about: String,
    pause: Duration,
    /// When the last save was made, and how long it took.
    saved: Duration,
    took: Duration,
    done: Vec<Done>,
    /// The search that was going on when the file was written.
    open: Option<Open>,
}

/// Which tables a search is in, and where it begins.
pub(super) type Origin = (u64, u32);

/// A search that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Done {
    origin: Origin,
    layers: Layers,
}

/// A search that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Search {
    pub(super) sizes: Vec<u64>,
    pub(super) last: Vec<Option<u32>>,
    /// The first state of the last level: its block and its node.
    pub(super) farthest: (usize, u32),
}

/// A search that was saved: the words of a plane, and where they begin in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    origin: Origin,
    search: Search,
    words: u64,
    at: u64,
}

/// A journal that cannot be gone on with.
#[derive(Debug)]
pub enum Unusable {
    /// The file could not be read.
    Unreadable(io::Error),
    /// It is another's.
    Other {
        /// What it is about.
        about: String,
    },
    /// It is no journal, or not as it was written.
    Wrong(&'static str),
}

impl fmt::Display for Unusable {
    /// What is said of the file, after its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Unusable::Other { about } => write!(f, "is of another question ({about})"),
            Unusable::Wrong(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unusable {}

const SHORT: Unusable = Unusable::Wrong("is damaged: its length is not what it says");
const ODD: Unusable = Unusable::Wrong("is damaged: it says what cannot be");

impl<'s> Journal<'s> {
    /// The journal of a job in a store: what was saved there, or nothing yet. It is saved again
    /// after a level if `pause` has passed.
    pub fn open(
        store: &'s Store,
        about: impl Into<String>,
        pause: Duration,
        run: &Run,
    ) -> Result<Self, Unusable> {
        let about = about.into();
        let (mut done, mut open) = (Vec::new(), None);
        if let Some(file) = store.reader().map_err(Unusable::Unreadable)? {
            let size = file.metadata().map_err(Unusable::Unreadable)?.len();
            (done, open) = read(BufReader::with_capacity(8 * PIECE, file), size, &about)?;
        }
        let (saved, took) = (run.elapsed(), Duration::ZERO);
        Ok(Journal { store, about, pause, saved, took, done, open })
    }

    /// How many searches are done.
    pub fn searches(&self) -> usize {
        self.done.len()
    }

    /// What a search found that is done.
    pub(super) fn found(&self, origin: Origin, nodes: usize, slots: usize) -> Option<Layers> {
        let done = self.done.iter().find(|done| done.origin == origin)?;
        let (node, images) = &done.layers.farthest;
        let fits = done.layers.last.len() == nodes
            && (*node as usize) < nodes
            && images.images().len() == slots;
        fits.then(|| done.layers.clone())
    }

    /// Whether to save after the level that begins now.
    pub(super) fn is_due(&self, run: &Run) -> bool {
        let pause = self.pause.max(self.took.saturating_mul(SHARE));
        run.elapsed().saturating_sub(self.saved) >= pause
    }

    /// Takes note of a search that is done, and saves that.
    pub(super) fn finish(&mut self, origin: Origin, layers: &Layers, run: &Run) {
        self.done.push(Done { origin, layers: layers.clone() });
        self.save(None, run);
    }

    /// Saves the search that is going on; the tables give the words of a plane.
    pub(super) fn save(&mut self, open: Option<(Origin, &Search, &dyn Bits)>, run: &Run) {
        let began = run.elapsed();
        let saved = self.store.save_with(|out| {
            let mut out = Out { to: out, sum: 0, bytes: Vec::with_capacity(8 * PIECE) };
            out.to.write_all(HEAD)?;
            self.put_head(open.is_some(), &mut out)?;
            if let Some((origin, search, bits)) = open {
                out.put(&[origin.0, origin.1.into()])?;
                out.put_layers(&search.sizes, &search.last)?;
                let (block, node) = search.farthest;
                out.put(&[block as u64, node.into(), bits.words()])?;
                for only_found in [false, true] {
                    bits.each(only_found, &mut |words| out.put(words))?;
                }
            }
            let sum = out.sum;
            out.to.write_all(&sum.to_le_bytes())
        });
        (self.saved, self.took) = (run.elapsed(), run.elapsed().saturating_sub(began));
        if let Err(why) = saved {
            let shown = self.store.shown();
            run.warn(format!(
                "The checkpoint {shown:?} cannot be written: {why}. The search goes on; if it is \
                 stopped, it can be resumed from the last checkpoint that was written."
            ));
        }
    }

    fn put_head(&self, is_open: bool, out: &mut Out) -> io::Result<()> {
        let mut about = self.about.as_bytes().to_vec();
        out.put(&[about.len() as u64])?;
        about.resize(about.len().next_multiple_of(8), 0);
        for word in about.as_chunks::<8>().0 {
            out.put(&[u64::from_le_bytes(*word)])?;
        }
        out.put(&[self.done.len() as u64, is_open.into()])?;
        for Done { origin, layers } in &self.done {
            out.put(&[origin.0, origin.1.into()])?;
            out.put_layers(&layers.sizes, &layers.last)?;
            let (node, images) = &layers.farthest;
            let images = images.images();
            out.put(&[u64::from(*node), images.len() as u64])?;
            for &image in images {
                out.put(&[image.into()])?;
            }
        }
        Ok(())
    }

    /// The search that was going on, if it is this one, with its bits.
    pub(super) fn resume(
        &mut self,
        origin: Origin,
        table: &Table,
    ) -> Result<Option<(Search, Saved)>, Stop> {
        let Some(open) = self.open.take_if(|open| open.origin == origin) else { return Ok(None) };
        let Open { search, words, at, .. } = open;
        let states = search.sizes.iter().try_fold(0u64, |all, &size| all.checked_add(size));
        let (block, node) = search.farthest;
        if words != table.plane_words() as u64
            || search.last.len() != table.nodes
            || node as usize >= table.nodes
            || block >= table.blocks()
        {
            return Err(self.changed());
        }
        let open = |skip: u64| -> io::Result<BufReader<File>> {
            let gone = || io::Error::new(io::ErrorKind::NotFound, "it is gone");
            let mut file = self.store.reader()?.ok_or_else(gone)?;
            file.seek(SeekFrom::Start(at + 8 * skip))?;
            Ok(BufReader::with_capacity(8 * PIECE, file))
        };
        match (open(0), open(words)) {
            (Ok(met), Ok(found)) => {
                let left = [states.unwrap_or(u64::MAX), search.sizes.last().copied().unwrap_or(0)];
                let name = self.store.shown();
                Ok(Some((search, Saved { files: [met, found], left, name })))
            }
            _ => Err(self.changed()),
        }
    }

    fn changed(&self) -> Stop {
        changed(&self.store.shown())
    }
}

/// The bits of the search that is going on, as they are saved.
pub(super) trait Bits {
    /// Words of a plane.
    fn words(&self) -> u64;
    /// Gives the words of a plane in pieces: what was met, or what was found last.
    fn each(
        &self,
        only_found: bool,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// The bits of a search that was saved.
pub(super) struct Saved {
    files: [BufReader<File>; 2],
    /// States that were met, and that were found last, in what was not read yet.
    left: [u64; 2],
    name: String,
}

impl Saved {
    /// Reads the next words of both planes, which begin with word `first`. Bits that stand for no
    /// state are refused: `states` says which do, of each word.
    pub(super) fn next(
        &mut self,
        first: usize,
        states: impl Fn(usize) -> u64,
        met: &mut [u64],
        found: &mut [u64],
    ) -> Result<(), Stop> {
        for (file, words) in self.files.iter_mut().zip([&mut *met, &mut *found]) {
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(words);
            file.read_exact(bytes).map_err(|_| changed(&self.name))?;
            for word in words {
                *word = u64::from_le(*word);
            }
        }
        let count = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum();
        let counts: [u64; 2] = [count(met), count(found)];
        for (left, count) in self.left.iter_mut().zip(counts) {
            *left = left.checked_sub(count).ok_or_else(|| changed(&self.name))?;
        }
        let is_wrong = |(word, (&met, &found)): (usize, (&u64, &u64))| {
            met & !states(word) != 0 || found & !met != 0
        };
        if (first..).zip(met.iter().zip(found.iter())).any(is_wrong) {
            return Err(changed(&self.name));
        }
        Ok(())
    }

    /// Whether all states were there.
    pub(super) fn end(&self) -> Result<(), Stop> {
        if self.left == [0, 0] { Ok(()) } else { Err(changed(&self.name)) }
    }
}

fn changed(name: &str) -> Stop {
    Stop::Disk { why: format!("the checkpoint {name:?} does not fit the tables") }
}

/// Adds a word to a checksum.
fn add(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

struct Out<'o> {
    to: &'o mut dyn Write,
    sum: u64,
    bytes: Vec<u8>,
}

impl Out<'_> {
    fn put(&mut self, words: &[u64]) -> io::Result<()> {
        for piece in words.chunks(PIECE) {
            self.bytes.clear();
            for &word in piece {
                self.sum = add(self.sum, word);
                self.bytes.extend_from_slice(&word.to_le_bytes());
            }
            self.to.write_all(&self.bytes)?;
        }
        Ok(())
    }

    fn put_layers(&mut self, sizes: &[u64], last: &[Option<u32>]) -> io::Result<()> {
        self.put(&[sizes.len() as u64])?;
        self.put(sizes)?;
        self.put(&[last.len() as u64])?;
        for last in last {
            self.put(&[last.map_or(u64::MAX, u64::from)])?;
        }
        Ok(())
    }
}

/// Words as they are read.
struct In<R> {
    from: R,
    sum: u64,
    /// Words that are left, the checksum among them.
    left: u64,
}

impl<R: Read> In<R> {
    fn word(&mut self) -> Result<u64, Unusable> {
        let mut bytes = [0u8; 8];
        self.left = self.left.checked_sub(1).ok_or(SHORT)?;
        self.from.read_exact(&mut bytes).map_err(Unusable::Unreadable)?;
        let word = u64::from_le_bytes(bytes);
        self.sum = add(self.sum, word);
        Ok(word)
    }

    fn small<T: TryFrom<u64>>(&mut self) -> Result<T, Unusable> {
        T::try_from(self.word()?).map_err(|_| ODD)
    }

    /// A list with its length before it, which is never more than the file holds.
    fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, Unusable>,
    ) -> Result<Vec<T>, Unusable> {
        let length = self.word()?;
        if length > self.left {
            return Err(SHORT);
        }
        (0..length).map(|_| one(self)).collect()
    }

    fn layers(&mut self) -> Result<(Vec<u64>, Vec<Option<u32>>), Unusable> {
        let sizes = self.list(In::word)?;
        // The states are fewer than can be counted.
        let all = sizes.iter().try_fold(0u64, |all, &size| all.checked_add(size));
        if sizes.is_empty() || all.is_none() || u32::try_from(sizes.len()).is_err() {
            return Err(ODD);
        }
        let depth = sizes.len() as u64;
        let last = self.list(|words| match words.word()? {
            u64::MAX => Ok(None),
            level if level < depth => Ok(u32::try_from(level).ok()),
            _ => Err(ODD),
        })?;
        Ok((sizes, last))
    }
}

/// Reads a journal of so many bytes, all of it, so that its checksum is known to be right.
fn read(
    mut from: impl Read,
    size: u64,
    about: &str,
) -> Result<(Vec<Done>, Option<Open>), Unusable> {
    let mut head = [0u8; HEAD.len()];
    if from.read_exact(&mut head).is_err() || head != HEAD {
        return Err(Unusable::Wrong("is none of tables"));
    }
    let bytes = size - HEAD.len() as u64;
    if !bytes.is_multiple_of(8) {
        return Err(SHORT);
    }
    let mut words = In { from, sum: 0, left: bytes / 8 };
    let parsed = parse(&mut words);
    // Whatever it seems to say counts only if its checksum is right.
    while words.left > 1 {
        words.word()?;
    }
    let sum = words.sum;
    if words.word()? != sum {
        return Err(Unusable::Wrong("is damaged: its checksum is wrong"));
    }
    let (text, done, open, left) = parsed?;
    if left != 1 + open.as_ref().map_or(Some(0), |open| open.words.checked_mul(2)).ok_or(SHORT)? {
        return Err(SHORT);
    }
    if text != about {
        return Err(Unusable::Other { about: text });
    }
    let at = size - 8 * left;
    Ok((done, open.map(|open| Open { at, ..open })))
}

type Parsed = (String, Vec<Done>, Option<Open>, u64);

/// Reads everything but the planes.
fn parse<R: Read>(words: &mut In<R>) -> Result<Parsed, Unusable> {
    let length: usize = words.small()?;
    if length as u64 / 8 > words.left {
        return Err(SHORT);
    }
    let mut text = Vec::new();
    for _ in 0..length.div_ceil(8) {
        text.extend(words.word()?.to_le_bytes());
    }
    text.truncate(length);
    let text = String::from_utf8(text).map_err(|_| ODD)?;
    let (count, is_open) = (words.word()?, words.word()?);
    let mut done = Vec::new();
    for _ in 0..count {
        let origin = (words.word()?, words.small()?);
        let (sizes, last) = words.layers()?;
        let node = words.small()?;
        let images: Vec<u32> = words.list(In::small)?;
        let images = Permutation::new(images).map_err(|_| ODD)?;
        done.push(Done { origin, layers: Layers { sizes, last, farthest: (node, images) } });
    }
    let open = match is_open {
        0 => None,
        1 => {
            let origin = (words.word()?, words.small()?);
            let (sizes, last) = words.layers()?;
            let farthest = (words.small()?, words.small()?);
            let search = Search { sizes, last, farthest };
            Some(Open { origin, search, words: words.word()?, at: 0 })
        }
        _ => return Err(ODD),
    };
    Ok((text, done, open, words.left))
}

/// Whether these bytes are a journal: for the fuzzer, which has no time for files.
#[doc(hidden)]
pub fn is_journal(bytes: &[u8], about: &str) -> Result<(), Unusable> {
    read(bytes, bytes.len() as u64, about).map(|_| ())
}
