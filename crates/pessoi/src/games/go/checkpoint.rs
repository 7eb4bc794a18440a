//! Checkpoints: a long count saved after each column, in the store of its run.
//!
//! A line of text, then little-endian 64-bit words: the height and length of the board, the
//! moduli, the residues that are done, the columns read for the next one, the elements of the
//! layer after them, and last a checksum of all words. Each word goes into the checksum by a
//! one-to-one map of what came before, so one changed word always changes it. A layer can be
//! as large as the memory, so checkpoints are written and read piece by piece.
//!
//! A checkpoint that cannot be written is a warning: the count goes on, and the last one that
//! could be written stays.

use std::io::{self, BufReader, Read, Write};

use crate::error::{Code, Error, Result};
use pessoi_engine::run::Run;
use pessoi_engine::store::Store;

const HEAD: &[u8] = b"pessoi go checkpoint 1\n\n";
/// Words that are written at a time.
const PIECE: usize = 1 << 14;

/// A count on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Checkpoint {
    pub(super) height: u64,
    pub(super) length: u64,
    pub(super) moduli: Vec<u64>,
    /// Residues of the first moduli.
    pub(super) residues: Vec<u64>,
    /// Columns read for the next modulus.
    pub(super) columns: u64,
}

struct Sum(u64);

impl Sum {
    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

/// A checkpoint that cannot be used.
pub(super) fn unusable(store: &Store, why: &str) -> Error {
    let shown = store.path().display().to_string();
    Error::new(
        Code::BadValue,
        "store",
        format!("The checkpoint {shown:?} {why}. It was left as it is."),
    )
}

fn cannot(store: &Store, what: &str, why: &io::Error) -> Error {
    let shown = store.path().display().to_string();
    Error::new(Code::Io, "store", format!("The checkpoint {shown:?} cannot be {what}: {why}."))
}

impl Checkpoint {
    /// Saves the checkpoint and the elements of its layer, or warns that it could not.
    pub(super) fn save(&self, elements: &[u64], store: &Store, run: &Run) {
        let saved = store.save_with(|out| {
            out.write_all(HEAD)?;
            let mut sum = Sum(0);
            let lists = [&self.moduli[..], &self.residues[..], elements];
            let lengths = lists.map(|list| list.len() as u64);
            let head = [self.height, self.length, self.columns];
            for words in [&head[..], &lengths[..]].into_iter().chain(lists) {
                put(words, &mut sum, out)?;
            }
            out.write_all(&sum.0.to_le_bytes())
        });
        if let Err(why) = saved {
            let sentence = cannot(store, "written", &why).sentence;
            run.warn(format!(
                "{sentence} The count goes on; if it is stopped, it can be resumed from the last \
                 checkpoint that was written."
            ));
        }
    }

    /// Loads a checkpoint, if there is one; its elements go to `elements`. Says how many there
    /// were: those that find no room are left out.
    pub(super) fn load(store: &Store, elements: &mut [u64]) -> Result<Option<(Checkpoint, usize)>> {
        let unreadable = |why: io::Error| cannot(store, "read", &why);
        let Some(file) = store.reader().map_err(unreadable)? else { return Ok(None) };
        let size = file.metadata().map_err(unreadable)?.len();
        let file = BufReader::with_capacity(8 * PIECE, file);
        Checkpoint::read(file, size, elements).map(Some).map_err(|why| unusable(store, why))
    }

    /// Reads a checkpoint of so many bytes, or says what is wrong with it.
    pub(super) fn read(
        mut from: impl Read,
        size: u64,
        elements: &mut [u64],
    ) -> Result<(Checkpoint, usize), &'static str> {
        let mut head = [0u8; HEAD.len()];
        if from.read_exact(&mut head).is_err() || head != HEAD {
            return Err("is none of go");
        }
        let mut sum = Sum(0);
        let mut word = |sum: Option<&mut Sum>| -> Result<u64, &'static str> {
            let mut bytes = [0u8; 8];
            from.read_exact(&mut bytes).map_err(|_| "is damaged: it ends too early")?;
            let word = u64::from_le_bytes(bytes);
            if let Some(sum) = sum {
                sum.word(word);
            }
            Ok(word)
        };
        let mut checkpoint = Checkpoint {
            height: word(Some(&mut sum))?,
            length: word(Some(&mut sum))?,
            columns: word(Some(&mut sum))?,
            ..Checkpoint::default()
        };
        let mut lengths = [0u64; 3];
        for length in &mut lengths {
            *length = word(Some(&mut sum))?;
        }
        let words = lengths.iter().try_fold(7u64, |all, &length| all.checked_add(length));
        let stated = words.and_then(|words| words.checked_mul(8)?.checked_add(HEAD.len() as u64));
        if stated != Some(size) {
            return Err("is damaged: its length is not what it says");
        }
        for _ in 0..lengths[0] {
            checkpoint.moduli.push(word(Some(&mut sum))?);
        }
        for _ in 0..lengths[1] {
            checkpoint.residues.push(word(Some(&mut sum))?);
        }
        // A layer that does not fit is that of another board: the caller says so.
        let count = lengths[2] as usize;
        for k in 0..count {
            let element = word(Some(&mut sum))?;
            if let Some(place) = elements.get_mut(k) {
                *place = element;
            }
        }
        if word(None)? != sum.0 {
            return Err("is damaged: its checksum is wrong");
        }
        Ok((checkpoint, count))
    }
}

/// Whether these bytes are a checkpoint: for the fuzzer, which has no time for files.
#[doc(hidden)]
pub fn is_checkpoint(bytes: &[u8]) -> Result<(), &'static str> {
    Checkpoint::read(bytes, bytes.len() as u64, &mut [0; 256]).map(|_| ())
}

/// Writes words and adds them to the checksum.
fn put(words: &[u64], sum: &mut Sum, out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(8 * PIECE.min(words.len()));
    for piece in words.chunks(PIECE) {
        bytes.clear();
        for &word in piece {
            sum.word(word);
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        out.write_all(&bytes)?;
    }
    Ok(())
}
