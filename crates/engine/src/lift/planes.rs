//! The two tables of blocks, and what was found in a level.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

/// Two tables of words, as narrow as the nodes allow.
#[derive(Debug)]
pub(super) enum Planes {
    Bytes([Vec<AtomicU8>; 2]),
    Shorts([Vec<AtomicU16>; 2]),
    Words([Vec<AtomicU32>; 2]),
    Longs([Vec<AtomicU64>; 2]),
}

impl Planes {
    pub(super) fn new(nodes: usize, blocks: usize) -> Planes {
        fn pair<W: Word>(words: usize) -> [Vec<W>; 2] {
            [0, 1].map(|_| (0..words).map(|_| W::default()).collect())
        }
        match nodes {
            0..=8 => Planes::Bytes(pair(blocks)),
            9..=16 => Planes::Shorts(pair(blocks)),
            17..=32 => Planes::Words(pair(blocks)),
            _ => Planes::Longs(pair(blocks * nodes.div_ceil(64))),
        }
    }

    pub(super) fn clear(&self) {
        fn clear<W: Word>(planes: &[Vec<W>; 2]) {
            for plane in planes {
                plane.par_iter().with_min_len(1 << 16).for_each(Word::clear);
            }
        }
        match self {
            Planes::Bytes(planes) => clear(planes),
            Planes::Shorts(planes) => clear(planes),
            Planes::Words(planes) => clear(planes),
            Planes::Longs(planes) => clear(planes),
        }
    }

    pub(super) fn get(&self, plane: usize, place: usize) -> u64 {
        match self {
            Planes::Bytes(planes) => planes[plane][place].get(),
            Planes::Shorts(planes) => planes[plane][place].get(),
            Planes::Words(planes) => planes[plane][place].get(),
            Planes::Longs(planes) => planes[plane][place].get(),
        }
    }

    pub(super) fn add(&self, plane: usize, place: usize, bits: u64) {
        match self {
            Planes::Bytes(planes) => planes[plane][place].add(bits),
            Planes::Shorts(planes) => planes[plane][place].add(bits),
            Planes::Words(planes) => planes[plane][place].add(bits),
            Planes::Longs(planes) => planes[plane][place].add(bits),
        };
    }

    /// A word of a plane, with several blocks in it if they are narrow.
    pub(super) fn word(&self, plane: usize, number: usize) -> u64 {
        fn word<W: Word>(plane: &[W], bits: usize, number: usize) -> u64 {
            let lanes = 64 / bits;
            let blocks = plane[number * lanes..].iter().take(lanes);
            blocks.rev().fold(0, |word, block| word.unbounded_shl(bits as u32) | block.get())
        }
        match self {
            Planes::Bytes(planes) => word(&planes[plane], 8, number),
            Planes::Shorts(planes) => word(&planes[plane], 16, number),
            Planes::Words(planes) => word(&planes[plane], 32, number),
            Planes::Longs(planes) => word(&planes[plane], 64, number),
        }
    }

    /// Puts a word in its place.
    pub(super) fn set_word(&self, plane: usize, number: usize, word: u64) {
        fn set<W: Word>(plane: &[W], bits: usize, number: usize, word: u64) {
            let lanes = 64 / bits;
            for (lane, block) in plane[number * lanes..].iter().take(lanes).enumerate() {
                // Higher bits are those of other blocks, and are cut off.
                block.set(word >> (lane * bits));
            }
        }
        match self {
            Planes::Bytes(planes) => set(&planes[plane], 8, number, word),
            Planes::Shorts(planes) => set(&planes[plane], 16, number, word),
            Planes::Words(planes) => set(&planes[plane], 32, number, word),
            Planes::Longs(planes) => set(&planes[plane], 64, number, word),
        }
    }
}

/// A word that threads share.
pub(super) trait Word: Sync + Send + Default {
    fn get(&self) -> u64;
    /// Adds bits; gives what was there.
    fn add(&self, bits: u64) -> u64;
    /// The same when no other thread writes.
    fn add_alone(&self, bits: u64) -> u64;
    /// Puts bits in the place of what was there.
    fn set(&self, bits: u64);
    fn clear(&self);
}

macro_rules! word {
    ($atomic:ty, $plain:ty) => {
        impl Word for $atomic {
            #[inline]
            fn get(&self) -> u64 {
                u64::from(self.load(Relaxed))
            }
            #[inline]
            fn add(&self, bits: u64) -> u64 {
                u64::from(self.fetch_or(bits as $plain, Relaxed))
            }
            #[inline]
            fn add_alone(&self, bits: u64) -> u64 {
                let old = self.load(Relaxed);
                self.store(old | bits as $plain, Relaxed);
                u64::from(old)
            }
            #[inline]
            fn set(&self, bits: u64) {
                self.store(bits as $plain, Relaxed);
            }
            fn clear(&self) {
                self.store(0, Relaxed);
            }
        }
    };
}
word!(AtomicU8, u8);
word!(AtomicU16, u16);
word!(AtomicU32, u32);
word!(AtomicU64, u64);

/// What was found in a level: how many, at which nodes, and the first.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub(super) count: u64,
    pub(super) uncounted: Vec<u64>,
    pub(super) nodes: Vec<u64>,
    pub(super) first: (usize, u32),
    /// How many blocks had not all their states, if that was looked at.
    pub(super) missing: Option<u64>,
}

impl Sum {
    pub(super) fn new(words: usize) -> Self {
        Sum {
            count: 0,
            uncounted: Vec::new(),
            nodes: vec![0; words],
            first: (usize::MAX, 0),
            missing: None,
        }
    }

    /// Takes note of new bits. They are counted later, many at a time: there is no single
    /// instruction for it on every machine, but whole lists are counted fast on any.
    #[inline]
    pub(super) fn found(&mut self, block: usize, word: usize, bits: u64) {
        self.uncounted.push(bits);
        self.nodes[word] |= bits;
        let first = (block, word as u32 * 64 + bits.trailing_zeros());
        if first < self.first {
            self.first = first;
        }
    }

    pub(super) fn count(&mut self) {
        self.count += self.uncounted.iter().map(|bits| u64::from(bits.count_ones())).sum::<u64>();
        self.uncounted.clear();
    }

    pub(super) fn join(mut self, other: &Sum) -> Sum {
        self.count += other.count;
        self.nodes.iter_mut().zip(&other.nodes).for_each(|(a, b)| *a |= b);
        self.first = self.first.min(other.first);
        let both = self.missing.into_iter().chain(other.missing);
        self.missing = both.reduce(|a, b| a + b);
        self
    }
}

/// Bytes of a block in one plane.
pub(super) fn word_bytes(nodes: usize) -> u64 {
    match nodes {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        _ => 8 * nodes.div_ceil(64) as u64,
    }
}
