//! Words in records, as checkpoints are made of them.
//!
//! A **record** is a number of little-endian 64-bit words: how many there are, a checksum, and
//! the words. Each word goes into the checksum by a one-to-one map of what came before, so one
//! changed word always changes it. Nothing that is read is believed: what does not fit together
//! is [`Unusable`].
//!
//! What a job keeps is turned into [`Words`] and back.

use std::fmt;
use std::io::{self, Read, Write};

use crate::disk::checksum;
use crate::run::Stop;

/// No record is longer, so that a damaged length takes no memory.
const MOST_WORDS: u64 = 1 << 28;
/// Words that are written or read at a time.
pub(crate) const PIECE: usize = 1 << 14;

/// Why a checkpoint cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is not a checkpoint of this kind of work.
    Foreign {
        /// The kind.
        kind: &'static str,
    },
    /// It is damaged.
    Damaged,
    /// It belongs to another question.
    Other {
        /// To which, if that is known.
        about: Option<String>,
    },
    /// It cannot be read.
    Unread(String),
    /// A limit was hit while it was read.
    Stop(Stop),
}

impl fmt::Display for Unusable {
    /// What is said of the file, after its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Foreign { kind } => write!(f, "is not one of {kind}"),
            Unusable::Damaged => write!(f, "is damaged"),
            Unusable::Other { about: None } => write!(f, "belongs to another question"),
            Unusable::Other { about: Some(about) } => {
                write!(f, "belongs to another question ({about})")
            }
            Unusable::Unread(why) => write!(f, "cannot be read: {why}"),
            Unusable::Stop(stop) => write!(f, "was not read: {stop}"),
        }
    }
}

impl std::error::Error for Unusable {}

impl From<io::Error> for Unusable {
    /// What ends too early is damaged.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Unusable::Damaged,
            _ => Unusable::Unread(error.to_string()),
        }
    }
}

impl From<Stop> for Unusable {
    fn from(stop: Stop) -> Self {
        Unusable::Stop(stop)
    }
}

/// Writes a record; returns its checksum.
pub fn put(out: &mut dyn Write, words: &[u64]) -> io::Result<u64> {
    let sum = checksum(words);
    let mut little = Vec::with_capacity(PIECE.min(words.len()).max(2));
    for piece in std::iter::once(&[words.len() as u64, sum][..]).chain(words.chunks(PIECE)) {
        little.clear();
        little.extend(piece.iter().map(|word| word.to_le()));
        out.write_all(bytemuck::cast_slice(&little))?;
    }
    Ok(sum)
}

/// Reads a record.
pub fn get(from: &mut impl Read) -> Result<Vec<u64>, Unusable> {
    let [len, sum] = [word(from)?, word(from)?];
    if len > MOST_WORDS {
        return Err(Unusable::Damaged);
    }
    let mut words: Vec<u64> = Vec::new();
    while words.len() < len as usize {
        let begin = words.len();
        words.resize(len.min((begin + PIECE) as u64) as usize, 0);
        let piece = &mut words[begin..];
        from.read_exact(bytemuck::cast_slice_mut(piece))?;
        for word in piece {
            *word = u64::from_le(*word);
        }
    }
    if checksum(&words) == sum { Ok(words) } else { Err(Unusable::Damaged) }
}

fn word(from: &mut impl Read) -> Result<u64, Unusable> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// What can be written as words, and read again.
pub trait Words: Sized {
    /// Adds its words.
    fn put(&self, words: &mut Vec<u64>);

    /// Takes itself from the front of some words; `None` if nothing of the kind is there.
    fn take(words: &mut &[u64]) -> Option<Self>;

    /// Its words.
    fn to_words(&self) -> Vec<u64> {
        let mut words = Vec::new();
        self.put(&mut words);
        words
    }

    /// What these words are, all of them.
    fn from_words(mut words: &[u64]) -> Option<Self> {
        let whole = Self::take(&mut words)?;
        words.is_empty().then_some(whole)
    }
}

/// Takes the next word.
fn next(words: &mut &[u64]) -> Option<u64> {
    let (&first, rest) = words.split_first()?;
    *words = rest;
    Some(first)
}

impl Words for () {
    fn put(&self, _: &mut Vec<u64>) {}

    fn take(_: &mut &[u64]) -> Option<Self> {
        Some(())
    }
}

/// Whole numbers that one word holds.
macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Words for $number {
            #[allow(clippy::cast_lossless, reason = "there is no such conversion from usize")]
            fn put(&self, words: &mut Vec<u64>) {
                words.push(*self as u64);
            }

            fn take(words: &mut &[u64]) -> Option<Self> {
                next(words)?.try_into().ok()
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, usize);

/// Sums are not that large, unless they are forged: then they must not overflow later.
const LARGEST_SUM: u128 = 1 << 100;

impl Words for u128 {
    fn put(&self, words: &mut Vec<u64>) {
        words.extend([*self as u64, (*self >> 64) as u64]);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let (low, high) = (next(words)?, next(words)?);
        Some(u128::from(high) << 64 | u128::from(low)).filter(|&sum| sum < LARGEST_SUM)
    }
}

impl Words for f64 {
    fn put(&self, words: &mut Vec<u64>) {
        words.push(self.to_bits());
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        next(words).map(f64::from_bits)
    }
}

impl<T: Words> Words for Option<T> {
    fn put(&self, words: &mut Vec<u64>) {
        words.push(self.is_some().into());
        if let Some(value) = self {
            value.put(words);
        }
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        match next(words)? {
            0 => Some(None),
            1 => T::take(words).map(Some),
            _ => None,
        }
    }
}

impl<T: Words> Words for Vec<T> {
    fn put(&self, words: &mut Vec<u64>) {
        words.push(self.len() as u64);
        for item in self {
            item.put(words);
        }
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let len: usize = next(words)?.try_into().ok()?;
        // Each takes a word at least, so that a forged number takes no memory.
        let fits = len <= words.len();
        fits.then(|| (0..len).map(|_| T::take(words)).collect()).flatten()
    }
}

impl<T: Words + Copy + Default, const N: usize> Words for [T; N] {
    fn put(&self, words: &mut Vec<u64>) {
        for item in self {
            item.put(words);
        }
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::take(words)?;
        }
        Some(items)
    }
}

impl<A: Words, B: Words> Words for (A, B) {
    fn put(&self, words: &mut Vec<u64>) {
        self.0.put(words);
        self.1.put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        Some((A::take(words)?, B::take(words)?))
    }
}

impl<A: Words, B: Words, C: Words> Words for (A, B, C) {
    fn put(&self, words: &mut Vec<u64>) {
        self.0.put(words);
        self.1.put(words);
        self.2.put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        Some((A::take(words)?, B::take(words)?, C::take(words)?))
    }
}

impl Words for String {
    /// Its length, and eight bytes a word.
    fn put(&self, words: &mut Vec<u64>) {
        self.as_bytes().to_vec().into_boxed_slice().put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        String::from_utf8(Box::<[u8]>::take(words)?.into_vec()).ok()
    }
}

impl Words for Box<[u8]> {
    /// Its length, and eight bytes a word.
    fn put(&self, words: &mut Vec<u64>) {
        words.push(self.len() as u64);
        words.extend(self.chunks(8).map(|bytes| {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(whole)
        }));
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let len: usize = next(words)?.try_into().ok()?;
        let (own, rest) = words.split_at_checked(len.div_ceil(8))?;
        *words = rest;
        let mut bytes: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(len);
        Some(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Same = (Vec<Option<u128>>, [f64; 2], (u8, String));

    #[test]
    fn what_was_written_is_read_again() {
        let text = "nine words".to_owned();
        let numbers = (vec![Some(7u128 << 70), None], [1.5f64, -0.0], (3u8, text));
        let words = numbers.to_words();
        assert_eq!(Words::from_words(&words), Some(numbers.clone()));
        for end in 0..words.len() {
            assert_eq!(Same::from_words(&words[..end]), None, "cut short");
        }
        assert_eq!(Same::from_words(&[&words[..], &[0]].concat()), None, "too long");
        assert_eq!(Vec::<u64>::from_words(&[u64::MAX, 1]), None);
        assert_eq!(u8::from_words(&[256]), None);
        assert_eq!(Option::<u8>::from_words(&[2, 1]), None);
    }

    #[test]
    fn a_record_that_was_changed_is_damaged() {
        let words: Vec<u64> = (0..40_000).map(|k| k * k).collect();
        let mut bytes = Vec::new();
        put(&mut bytes, &words).unwrap();
        assert_eq!(get(&mut &bytes[..]), Ok(words));
        for at in [0, 7, 8, 15, 16, 1000, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert_eq!(get(&mut &changed[..]), Err(Unusable::Damaged), "byte {at}");
            assert_eq!(get(&mut &bytes[..at]), Err(Unusable::Damaged), "cut at {at}");
        }
    }
}
