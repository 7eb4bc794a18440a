//! Room on disk for what does not fit into memory.
//!
//! A **disk** is a folder and a number of bytes that may lie there at one time. It belongs to a
//! run ([`crate::run::Run::with_disk`]): the caller decides where a job may write, never the
//! question.
//!
//! A **spill** is a file there, made of *extents*: runs of words that are appended, read and
//! replaced as wholes, each with a checksum, so that what was changed or cut short is seen when it
//! is read. A spill has no name: it is removed from its folder as soon as it is open, and the
//! operating system frees it when the process ends, however it ends. What is to survive that is
//! the business of a [`crate::store::Store`].
//!
//! Everything that goes wrong is a [`Stop::Disk`]: the job ends with what it knows, as when
//! memory does not suffice.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::run::{Bytes, Stop};

/// A folder for spills.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    /// What it is called where something is wrong with it.
    name: String,
    most: Option<u64>,
    /// Bytes that lie there now, the most at one time, and those written and read in all.
    used: AtomicU64,
    peak: AtomicU64,
    written: AtomicU64,
    read: AtomicU64,
    spills: AtomicU64,
}

impl Disk {
    /// The folder, which must be there, for at most so many bytes at one time. It is an error if
    /// nothing can be written there.
    pub fn open(folder: impl Into<PathBuf>, most: Option<u64>) -> io::Result<Arc<Self>> {
        let folder = folder.into();
        let name = folder.display().to_string();
        Disk::private(folder, most, name)
    }

    /// The same, of a caller who keeps the folder from whoever asked: it is called `name` where
    /// something is wrong with it, and not by its path.
    pub fn private(
        folder: impl Into<PathBuf>,
        most: Option<u64>,
        name: impl Into<String>,
    ) -> io::Result<Arc<Self>> {
        let (folder, name) = (folder.into(), name.into());
        if !folder.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder"));
        }
        let disk = Arc::new(Disk {
            folder,
            name,
            most,
            used: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            written: AtomicU64::new(0),
            read: AtomicU64::new(0),
            spills: AtomicU64::new(0),
        });
        drop(disk.create()?);
        Ok(disk)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many bytes may lie there; `None` if there is no limit.
    pub fn most(&self) -> Option<u64> {
        self.most
    }

    /// The most bytes that lay there at one time.
    pub fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    /// Bytes that were written and read in all.
    pub fn traffic(&self) -> (u64, u64) {
        (self.written.load(Relaxed), self.read.load(Relaxed))
    }

    /// A new spill without extents.
    pub fn spill(self: &Arc<Self>) -> Result<Spill, Stop> {
        let file = self.create().map_err(|error| self.trouble("written", &error))?;
        Ok(Spill { disk: Arc::clone(self), file, len: AtomicU64::new(0) })
    }

    /// Opens a file that has no name any more.
    fn create(&self) -> io::Result<File> {
        for _ in 0..1000 {
            let number = self.spills.fetch_add(1, Relaxed);
            let path = self.folder.join(format!(".pessoi-{}-{number}.spill", std::process::id()));
            match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => {
                    std::fs::remove_file(&path)?;
                    return Ok(file);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many files are there"))
    }

    fn trouble(&self, what: &str, error: &io::Error) -> Stop {
        Stop::Disk { why: format!("the disk {} could not be {what}: {error}", self.name) }
    }

    fn take(&self, bytes: u64) -> Result<(), Stop> {
        let used = self.used.fetch_add(bytes, Relaxed) + bytes;
        if let Some(most) = self.most.filter(|&most| used > most) {
            self.used.fetch_sub(bytes, Relaxed);
            let why = format!("the disk limit of {} was reached", Bytes(most));
            return Err(Stop::Disk { why });
        }
        self.peak.fetch_max(used, Relaxed);
        Ok(())
    }
}

/// A file of extents. Extents of one spill can be written and read on several threads.
#[derive(Debug)]
pub struct Spill {
    disk: Arc<Disk>,
    file: File,
    len: AtomicU64,
}

/// Words of a spill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    at: u64,
    words: usize,
    sum: u64,
}

/// A place for an extent whose length changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Room {
    at: u64,
    words: usize,
}

impl Extent {
    /// How many words it has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Where it is, so that one extent can lead to another.
    pub(crate) fn link(extent: Option<Extent>) -> [u64; 3] {
        extent.map_or([u64::MAX; 3], |extent| [extent.at, extent.words as u64, extent.sum])
    }

    /// The extent that a link leads to.
    pub(crate) fn linked(link: [u64; 3]) -> Option<Extent> {
        let [at, words, sum] = link;
        (at != u64::MAX).then_some(Extent { at, words: words as usize, sum })
    }
}

impl Spill {
    /// Appends words.
    pub fn append(&self, words: &[u64]) -> Result<Extent, Stop> {
        let bytes = size_of_val(words) as u64;
        self.disk.take(bytes)?;
        let at = self.len.fetch_add(bytes, Relaxed);
        self.write(at, words)
    }

    /// Takes room for so many words, to be written and written over as a whole.
    pub fn reserve(&self, words: usize) -> Result<Room, Stop> {
        let bytes = 8 * words as u64;
        self.disk.take(bytes)?;
        Ok(Room { at: self.len.fetch_add(bytes, Relaxed), words })
    }

    /// Writes words into a room; an extent that was there is no more.
    ///
    /// # Panics
    /// If they are too many.
    pub fn write_into(&self, room: &Room, words: &[u64]) -> Result<Extent, Stop> {
        assert!(words.len() <= room.words, "a room keeps its size");
        self.write(room.at, words)
    }

    /// Writes other words, as many, in the place of an extent.
    ///
    /// # Panics
    /// If they are not as many.
    pub fn replace(&self, extent: &mut Extent, words: &[u64]) -> Result<(), Stop> {
        assert_eq!(words.len(), extent.words, "an extent keeps its length");
        *extent = self.write(extent.at, words)?;
        Ok(())
    }

    fn write(&self, at: u64, words: &[u64]) -> Result<Extent, Stop> {
        let bytes: &[u8] = bytemuck::cast_slice(words);
        write_at(&self.file, bytes, at).map_err(|error| self.disk.trouble("written", &error))?;
        self.disk.written.fetch_add(bytes.len() as u64, Relaxed);
        Ok(Extent { at, words: words.len(), sum: checksum(words) })
    }

    /// Reads an extent; what was in `words` is replaced.
    pub fn read(&self, extent: &Extent, words: &mut Vec<u64>) -> Result<(), Stop> {
        words.resize(extent.words, 0);
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(words);
        self.disk.read.fetch_add(bytes.len() as u64, Relaxed);
        read_at(&self.file, bytes, extent.at).map_err(|error| self.disk.trouble("read", &error))?;
        if checksum(words) == extent.sum {
            return Ok(());
        }
        let why = format!("what was written to the disk {} came back changed", self.disk.name);
        Err(Stop::Disk { why })
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        self.disk.used.fetch_sub(*self.len.get_mut(), Relaxed);
    }
}

/// A checksum of words. Each goes in by a one-to-one map of what came before, so one changed word
/// always changes it. Every fourth word goes into the same of four sums, and then these: a processor
/// works on four at once, where one sum would wait for itself.
pub fn checksum(words: &[u64]) -> u64 {
    let add =
        |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let mut sums = [0; 4];
    let (fours, rest) = words.as_chunks::<4>();
    for four in fours {
        sums = std::array::from_fn(|k| add(sums[k], four[k]));
    }
    for (sum, &word) in sums.iter_mut().zip(rest) {
        *sum = add(*sum, word);
    }
    sums.into_iter().fold(words.len() as u64, add)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(unix))]
fn write_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "spills need positioned writes"))
}

#[cfg(not(unix))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "spills need positioned reads"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk(most: Option<u64>) -> Arc<Disk> {
        Disk::open(std::env::temp_dir(), most).unwrap()
    }

    #[test]
    fn extents_come_back() {
        let disk = disk(None);
        let spill = disk.spill().unwrap();
        let one: Vec<u64> = (0..1000).collect();
        let mut first = spill.append(&one).unwrap();
        let second = spill.append(&[7; 10]).unwrap();
        let mut words = Vec::new();
        spill.read(&second, &mut words).unwrap();
        assert_eq!(words, [7; 10]);
        spill.replace(&mut first, &[3; 1000]).unwrap();
        spill.read(&first, &mut words).unwrap();
        assert_eq!(words, [3; 1000]);
        assert_eq!((disk.peak(), disk.traffic()), (8080, (16080, 8080)));
        drop(spill);
        assert_eq!(disk.used.load(Relaxed), 0);
    }

    #[test]
    fn rooms_hold_extents_of_any_length() {
        let disk = disk(Some(24));
        let spill = disk.spill().unwrap();
        let [one, two] = [1, 2].map(|words| spill.reserve(words).unwrap());
        assert!(spill.reserve(1).is_err());
        let mut words = Vec::new();
        for long in [&[1, 2][..], &[], &[3]] {
            let long_extent = spill.write_into(&two, long).unwrap();
            let short = spill.write_into(&one, &[9]).unwrap();
            spill.read(&long_extent, &mut words).unwrap();
            assert_eq!(words, long);
            spill.read(&short, &mut words).unwrap();
            assert_eq!(words, [9]);
        }
    }

    #[test]
    fn changed_and_missing_words_are_seen() {
        let disk = disk(None);
        let spill = disk.spill().unwrap();
        let extent = spill.append(&[1, 2, 3]).unwrap();
        let mut words = Vec::new();
        write_at(&spill.file, &[9], 8).unwrap();
        let stop = spill.read(&extent, &mut words).unwrap_err();
        assert!(stop.to_string().contains("came back changed"), "{stop}");
        spill.file.set_len(20).unwrap();
        let stop = spill.read(&extent, &mut words).unwrap_err();
        assert!(stop.to_string().contains("could not be read"), "{stop}");
    }

    #[test]
    fn no_more_is_written_than_allowed() {
        let disk = disk(Some(100));
        let spill = disk.spill().unwrap();
        spill.append(&[0; 10]).unwrap();
        let stop = spill.append(&[0; 3]).unwrap_err();
        assert_eq!(stop.to_string(), "the disk limit of 100 B was reached");
        spill.append(&[0; 2]).unwrap();
        drop(spill);
        disk.spill().unwrap().append(&[0; 12]).unwrap();
    }

    #[test]
    fn a_folder_that_is_none_is_refused() {
        let missing = std::env::temp_dir().join("pessoi-no-such-folder");
        assert!(Disk::open(missing, None).is_err());
    }
}
