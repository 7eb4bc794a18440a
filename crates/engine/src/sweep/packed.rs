//! Borders as words, and the order in which layers keep them.
//!
//! A layer keeps its borders sorted by a **key**: the words of the border, the first of them
//! *mixed* with all the others. Mixing is one-to-one, so a key is the border itself in another
//! spelling: equal keys are equal borders, and the border is got back from the key. What it is
//! good for is that the leading bits of keys are spread evenly, whatever the borders of a game
//! look like. So they say which shard a border belongs to, and about where it stands among the
//! others.
//!
//! Keys are kept as *units* of 32 bits, the leading one first; those at the end that are zero
//! are not kept ([`super::record`]).

/// A border of fixed size that can be written as words: a number, an array of `u64`, or what a
/// game makes of them.
pub trait Packed: Copy + Eq + Send + Sync {
    /// As many words as it needs: `[u64; N]`.
    type Words: AsRef<[u64]> + AsMut<[u64]> + Copy + Default + Ord + Send + Sync;

    /// The border as words. Words at the end that are zero take no memory.
    fn to_words(self) -> Self::Words;

    /// The border whose words these are.
    fn from_words(words: Self::Words) -> Self;
}

macro_rules! in_one_word {
    ($($number:ty),*) => {$(
        impl Packed for $number {
            type Words = [u64; 1];

            fn to_words(self) -> [u64; 1] {
                [u64::from(self)]
            }

            fn from_words([word]: [u64; 1]) -> Self {
                word as $number
            }
        }
    )*};
}

in_one_word!(u8, u16, u32, u64);

impl Packed for u128 {
    type Words = [u64; 2];

    fn to_words(self) -> [u64; 2] {
        [self as u64, (self >> 64) as u64]
    }

    fn from_words([low, high]: [u64; 2]) -> Self {
        u128::from(high) << 64 | u128::from(low)
    }
}

impl<const N: usize> Packed for [u64; N]
where
    [u64; N]: Default,
{
    type Words = [u64; N];

    fn to_words(self) -> [u64; N] {
        self
    }

    fn from_words(words: [u64; N]) -> Self {
        words
    }
}

/// A constant by which words are mixed, and its inverse modulo 2^64.
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
const INVERSE: u64 = 0xcfee_444d_8b59_a89b;

/// A one-to-one map under which every bit depends on every other (Degski's mixer).
#[inline]
fn mixed(mut word: u64) -> u64 {
    word ^= word >> 32;
    word = word.wrapping_mul(FACTOR);
    word ^= word >> 32;
    word = word.wrapping_mul(FACTOR);
    word ^ word >> 32
}

#[inline]
fn unmixed(mut word: u64) -> u64 {
    word ^= word >> 32;
    word = word.wrapping_mul(INVERSE);
    word ^= word >> 32;
    word = word.wrapping_mul(INVERSE);
    word ^ word >> 32
}

/// What the first word is mixed with.
#[inline]
fn others(words: &[u64]) -> u64 {
    words[1..]
        .iter()
        .fold(0, |sum: u64, &word| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

/// The key of a border, as words.
#[inline]
pub(super) fn key<B: Packed>(border: B) -> B::Words {
    let mut words = border.to_words();
    let all = words.as_mut();
    if let Some(&first) = all.first() {
        all[0] = mixed(first ^ others(all));
    }
    words
}

/// The leading word of a key.
#[inline]
pub(super) fn lead(key: &[u64]) -> u64 {
    key.first().copied().unwrap_or(0)
}

/// The border with this key.
#[inline]
fn border<B: Packed>(mut key: B::Words) -> B {
    let all = key.as_mut();
    if let Some(&first) = all.first() {
        all[0] = unmixed(first) ^ others(all);
    }
    B::from_words(key)
}

/// Units of a whole key.
pub(super) fn units_of<B: Packed>() -> usize {
    2 * B::Words::default().as_ref().len().max(1)
}

/// How many units of a key are needed: those at the end that are zero are not.
#[inline]
pub(super) fn units_needed(key: &[u64]) -> usize {
    let last = key.iter().skip(1).rposition(|&word| word != 0);
    last.map_or(2, |last| 2 * last + 4 - usize::from(key[last + 1] >> 32 == 0))
}

/// Writes the first units of a key.
#[inline]
pub(super) fn write_key(key: &[u64], to: &mut [u32]) {
    let first = lead(key);
    (to[0], to[1]) = ((first >> 32) as u32, first as u32);
    for (two, &word) in to[2..].chunks_mut(2).zip(key.iter().skip(1)) {
        two[0] = word as u32;
        if let Some(high) = two.get_mut(1) {
            *high = (word >> 32) as u32;
        }
    }
}

/// Appends all units of a key.
pub(super) fn put_key(key: &[u64], to: &mut Vec<u32>) {
    let len = to.len();
    to.resize(len + 2 * key.len().max(1), 0);
    write_key(key, &mut to[len..]);
}

/// The border of a key of which some units at the end may be left out.
#[inline]
pub(super) fn border_of<B: Packed>(units: &[u32]) -> B {
    let mut words = B::Words::default();
    let at = |k: usize| u64::from(units.get(k).copied().unwrap_or(0));
    for (n, word) in words.as_mut().iter_mut().enumerate() {
        *word = if n == 0 { at(0) << 32 | at(1) } else { at(2 * n + 1) << 32 | at(2 * n) };
    }
    border(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back<B: Packed + std::fmt::Debug>(border: B) {
        let mut units = Vec::new();
        put_key(key(border).as_ref(), &mut units);
        assert_eq!(units.len(), units_of::<B>());
        assert_eq!(border_of::<B>(&units), border);
        while units.len() > 2 && units.last() == Some(&0) {
            units.pop();
        }
        let needed = units_needed(key(border).as_ref());
        assert_eq!(units.len(), needed);
        let mut again = vec![7; needed];
        write_key(key(border).as_ref(), &mut again);
        assert_eq!(again, units);
        assert_eq!(border_of::<B>(&units), border);
    }

    proptest! {
        #[test]
        fn borders_come_back_from_their_keys(words in any::<[u64; 4]>(), zeros in 0usize..5) {
            let mut short = words;
            short[4 - zeros..].fill(0);
            there_and_back(words);
            there_and_back(short);
            there_and_back(words[0]);
            there_and_back(words[0] as u8);
            there_and_back(u128::from(words[0]) << 64 | u128::from(words[1]));
        }
    }

    #[test]
    fn keys_are_spread_evenly_where_borders_are_not() {
        let mut seen = [0u32; 64];
        for n in 0..6400u64 {
            for border in [[n, 0], [0, n], [n << 40, 0], [5, n << 50]] {
                seen[(lead(&key(border)) >> 58) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&n| (250..550).contains(&n)), "{seen:?}");
    }
}
