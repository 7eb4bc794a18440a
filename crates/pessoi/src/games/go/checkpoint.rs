//! Checkpoints: a long count saved between phases, in the store of its run.
//!
//! A line of text, then [records] of words. The first one says what is
//! counted and how far it has come: the height and length of the board, the blocks of both phases,
//! how many moduli are counted at once, the phases read for the next ones, the moduli, and the
//! residues that are done. If moduli are on their way, a record for each tile of the layer follows. A layer can be as large as the
//! memory or the disk, so checkpoints are written and read tile by tile.
//!
//! A checkpoint that cannot be written is a warning: the count goes on, and the last one that
//! could be written stays. One that takes long to write is not written after every phase, so that
//! saving takes at most a tenth of the time; nor is one before the pause that the store asks for.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::time::Duration;

use super::block::Element;
use super::tiles::Tiles;
use crate::error::{Code, Error, Result};
use pessoi_engine::records::{self, Unusable, put};
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::store::Store;

const HEAD: &[u8] = b"pessoi go checkpoint 3\n\n";
/// Bytes that are read at a time.
const PIECE: usize = 1 << 17;
/// The first record has no more words.
const MOST_WORDS: u64 = 1 << 10;

/// A count on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Checkpoint {
    pub(super) height: u64,
    pub(super) length: u64,
    /// Into how many blocks the phases are to be divided.
    pub(super) blocks: [u64; 2],
    /// So many moduli are counted at once, but for those that are left at the end.
    pub(super) lanes: u64,
    /// 0 before the first column of the next moduli is read; then one more than phases are.
    pub(super) phases: u64,
    /// 0 is 2^64.
    pub(super) moduli: Vec<u64>,
    /// Residues of the first moduli.
    pub(super) residues: Vec<u64>,
}

/// A checkpoint that cannot be used.
pub(super) fn unusable(store: &Store, why: &str) -> Error {
    let shown = store.shown();
    Error::new(
        Code::BadValue,
        "store",
        format!("The checkpoint {shown:?} {why}. It was left as it is."),
    )
}

fn cannot(store: &Store, what: &str, why: &dyn std::fmt::Display) -> Error {
    let shown = store.shown();
    Error::new(Code::Io, "store", format!("The checkpoint {shown:?} cannot be {what}: {why}."))
}

/// Saves a count, not too often.
pub(super) struct Saver {
    /// When the last save ended, or the count began, and how long it took.
    last: (Duration, Duration),
}

impl Saver {
    /// For a count that begins now.
    pub(super) fn new(run: &Run) -> Saver {
        Saver { last: (run.elapsed(), Duration::ZERO) }
    }

    /// Saves the checkpoint and the tiles of its layer, or warns that it could not.
    pub(super) fn save<const LANES: usize>(
        &mut self,
        at: &Checkpoint,
        tiles: Option<&Tiles<LANES>>,
        store: &Store,
        run: &Run,
    ) {
        let begin = run.elapsed();
        let (end, took) = self.last;
        let pause = store.pause(Duration::ZERO).max(9 * took);
        if tiles.is_some() && begin.saturating_sub(end) < pause {
            return;
        }
        if let Err(why) = at.write(tiles, store) {
            let sentence = cannot(store, "written", &why).sentence;
            run.warn(format!(
                "{sentence} The count goes on; if it is stopped, it can be resumed from the last \
                 checkpoint that was written."
            ));
        }
        if tiles.is_some() {
            let end = run.elapsed();
            self.last = (end, end.saturating_sub(begin));
        }
    }
}

impl Checkpoint {
    fn words(&self) -> Vec<u64> {
        let [upper, lower] = self.blocks;
        let mut words = vec![self.height, self.length, upper, lower, self.lanes, self.phases];
        words.push(self.moduli.len() as u64);
        words.extend(&self.moduli);
        words.extend(&self.residues);
        words
    }

    fn of_words(words: &[u64]) -> Option<Checkpoint> {
        let (&[height, length, upper, lower, lanes, phases, moduli], rest) =
            words.split_first_chunk()?;
        let (moduli, residues) = rest.split_at_checked(usize::try_from(moduli).ok()?)?;
        Some(Checkpoint {
            height,
            length,
            blocks: [upper, lower],
            lanes,
            phases,
            moduli: moduli.to_vec(),
            residues: residues.to_vec(),
        })
    }

    pub(super) fn write<const LANES: usize>(
        &self,
        tiles: Option<&Tiles<LANES>>,
        store: &Store,
    ) -> io::Result<()> {
        store.save_with(|out| {
            out.write_all(HEAD)?;
            put(out, &self.words())?;
            let mut scratch = Vec::new();
            for (tiles, number) in tiles.iter().flat_map(|t| (0..t.len()).map(move |n| (t, n))) {
                let put = |tile: &[Element<LANES>]| put(out, tile.as_flattened()).map(|_| ());
                let put = tiles.look(number, &mut scratch, put);
                put.map_err(io::Error::other)??;
            }
            Ok(())
        })
    }

    /// The beginning of a checkpoint, if there is one; its tiles can then be read.
    pub(super) fn open(store: &Store) -> Result<Option<(Checkpoint, Saved<'_>)>> {
        let file = store.reader().map_err(|why| cannot(store, "read", &why))?;
        let Some(file) = file else { return Ok(None) };
        let mut from = BufReader::with_capacity(PIECE, file);
        let found = Checkpoint::read(&mut from).map_err(|why| unusable(store, why))?;
        Ok(Some((found, Saved { store, from })))
    }

    /// Reads the beginning of a checkpoint, or says what is wrong with it.
    fn read(from: &mut impl Read) -> Result<Checkpoint, &'static str> {
        let mut head = [0u8; HEAD.len()];
        if from.read_exact(&mut head).is_err() || head != HEAD {
            return Err("is none of go");
        }
        let words = get(from, MOST_WORDS)?;
        Checkpoint::of_words(&words).ok_or(DAMAGED)
    }
}

const DAMAGED: &str = "is damaged: its numbers do not fit together";

/// The tiles of a checkpoint.
pub(super) struct Saved<'a> {
    store: &'a Store,
    from: BufReader<File>,
}

impl Saved<'_> {
    /// Reads tiles of these sizes, none of whose elements may be above `most`, and nothing more.
    pub(super) fn tiles<const LANES: usize>(
        mut self,
        sizes: &[usize],
        most: [u64; LANES],
        to: &Tiles<LANES>,
    ) -> Result<Result<(), Stop>> {
        for (number, &size) in sizes.iter().enumerate() {
            let read = get(&mut self.from, (LANES * size) as u64);
            let words = read.map_err(|why| unusable(self.store, why))?;
            if words.len() != LANES * size {
                return Err(unusable(self.store, DAMAGED));
            }
            // The checksum does not tell: it is right in a file that was made to look like a
            // checkpoint.
            let elements: &[Element<LANES>] = words.as_chunks().0;
            let is_above = |element: &Element<LANES>| (0..LANES).any(|k| element[k] > most[k]);
            if elements.iter().any(is_above) {
                let why = "is damaged: it holds numbers that are not below their modulus";
                return Err(unusable(self.store, why));
            }
            if let Err(stop) = to.put(number, elements) {
                return Ok(Err(stop));
            }
        }
        self.end().map(Ok)
    }

    /// There must be nothing more.
    pub(super) fn end(mut self) -> Result<()> {
        match self.from.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(unusable(self.store, "is damaged: it is longer than it should be")),
            Err(why) => Err(cannot(self.store, "read", &why)),
        }
    }
}

/// Whether these bytes begin a checkpoint: for the fuzzer, which has no time for files.
#[doc(hidden)]
pub fn is_checkpoint(mut bytes: &[u8]) -> Result<(), &'static str> {
    Checkpoint::read(&mut bytes)?;
    while !bytes.is_empty() {
        get(&mut bytes, 1 << 20)?;
    }
    Ok(())
}

/// Reads a record of at most so many words.
fn get(from: &mut impl Read, most: u64) -> Result<Vec<u64>, &'static str> {
    let words = records::get(from).map_err(|why| match why {
        Unusable::Damaged => "is damaged: it ends too early, or its checksum is wrong",
        _ => "cannot be read",
    })?;
    if words.len() as u64 > most { Err(DAMAGED) } else { Ok(words) }
}
