//! Checkpoints: a long count written down after each column.
//!
//! A file of little-endian 64-bit words after a line of text: the height and length of the
//! board, the moduli, the residues that are done, the columns read for the next one, the
//! elements of the layer after them, and last a checksum of all words. Each word goes into the
//! checksum by a one-to-one map of what came before, so one changed word always changes it.
//! A checkpoint is written beside its place and renamed, so that there is a whole one at any
//! moment.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

const HEAD: &[u8] = b"pessoi go checkpoint 1\n\n";

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

fn cannot(path: &Path, what: &str, why: &std::io::Error) -> Error {
    Error::input(format!(
        "The checkpoint {:?} cannot be {what}: {why}.",
        path.display().to_string()
    ))
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

/// Refuses to write over a file beside the checkpoint that is none of ours: what a write
/// that was cut short leaves there begins as a checkpoint does, as far as it goes.
pub(super) fn check_beside(path: &Path) -> Result<()> {
    let draft = beside(path);
    let mut head = Vec::new();
    match File::open(&draft) {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(why) => return Err(cannot(&draft, "written", &why)),
        Ok(file) => {
            let read = file.take(HEAD.len() as u64).read_to_end(&mut head);
            read.map_err(|why| cannot(&draft, "written", &why))?;
        }
    }
    if HEAD.starts_with(&head) {
        return Ok(());
    }
    Err(Error::input(format!(
        "Checkpoints are written to {:?} first, and there is a file of that name that is none: \
         move it, or name another checkpoint.",
        draft.display().to_string()
    )))
}

impl Checkpoint {
    /// Writes the checkpoint and the elements of its layer.
    pub(super) fn write(&self, elements: &[u64], path: &Path) -> Result<()> {
        let draft = beside(path);
        let written = || -> std::io::Result<()> {
            let mut file = BufWriter::with_capacity(1 << 20, File::create(&draft)?);
            file.write_all(HEAD)?;
            let mut sum = Sum(0);
            let lists = [&self.moduli[..], &self.residues[..], elements];
            let mut put = |word: u64| {
                sum.word(word);
                file.write_all(&word.to_le_bytes())
            };
            put(self.height)?;
            put(self.length)?;
            put(self.columns)?;
            for list in lists {
                put(list.len() as u64)?;
            }
            for &word in lists.into_iter().flatten() {
                put(word)?;
            }
            let sum = sum.0;
            file.write_all(&sum.to_le_bytes())?;
            file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
            std::fs::rename(&draft, path)
        };
        written().map_err(|why| cannot(path, "written", &why))
    }

    /// Reads a checkpoint; its elements go to `elements`, which must have room for them.
    pub(super) fn read(path: &Path, elements: &mut [u64]) -> Result<(Checkpoint, usize)> {
        let damaged = |what: &str| {
            Error::input(format!(
                "The checkpoint {:?} is damaged: {what}. It was left as it is.",
                path.display().to_string()
            ))
        };
        let file = File::open(path).map_err(|why| cannot(path, "read", &why))?;
        let size = file.metadata().map_err(|why| cannot(path, "read", &why))?.len();
        let mut file = BufReader::with_capacity(1 << 20, file);
        let mut head = [0u8; HEAD.len()];
        if file.read_exact(&mut head).is_err() || head != HEAD {
            return Err(Error::input(format!(
                "The file {:?} is not a checkpoint of go. It was left as it is.",
                path.display().to_string()
            )));
        }
        let mut sum = Sum(0);
        let mut word = |sum: Option<&mut Sum>| {
            let mut bytes = [0u8; 8];
            file.read_exact(&mut bytes).map_err(|_| damaged("it ends too early"))?;
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
        if words.and_then(|words| words.checked_mul(8)) != Some(size - HEAD.len() as u64) {
            return Err(damaged("its length is not what it says"));
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
            return Err(damaged("its checksum is wrong"));
        }
        Ok((checkpoint, count))
    }
}
