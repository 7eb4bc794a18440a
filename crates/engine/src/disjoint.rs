//! Counting the pairs of disjoint sets in a family.
//!
//! Given N sets, how many ordered pairs have nothing in common? Two sets that do have
//! something in common have a highest common element v, so
//!
//! > D(family) = N² − Σᵥ D(those that contain v, each reduced to its elements above v),
//!
//! because a pair has v as its highest common element exactly if both contain v and are
//! disjoint above it. Nothing is approximated and nothing is identified by a hash. Elements
//! are ranked so that the rarest come first: families that share a rare element are small,
//! and families that share a frequent one have few elements left above it. Small families
//! are compared set by set, as bits.
//!
//! The number of pairs can be far larger than the time this takes: the halves of the closed
//! knight's paths of length 18 make 9·10¹⁰ pairs and take seconds.

use rayon::prelude::*;

use crate::run::{Run, Stop};

/// Families up to this size are compared set by set.
const SMALL: usize = 160;
/// The highest element, with one number to spare for the end of a set.
pub const MOST_ELEMENTS: usize = u16::MAX as usize - 1;
const END: u16 = u16::MAX;
/// Sets between two looks at the clock.
const SETS_A_TICK: u64 = 1 << 16;

/// A family of sets of small numbers.
#[derive(Clone, Debug)]
pub struct Family {
    /// The ranks of each set's elements, growing, and then [`END`].
    ranks: Vec<u16>,
    /// Where each set begins.
    starts: Vec<u32>,
    /// The sets as bits, `words` to a set.
    bits: Vec<u64>,
    /// How many different elements there are.
    elements: usize,
    /// Words of bits of a set.
    words: usize,
    /// Places of a set in `ranks`, all alike.
    stride: usize,
}

impl Family {
    /// Bytes that a family of so many sets of so many elements needs, of which `kinds` are
    /// different.
    pub fn bytes(sets: usize, size: usize, kinds: usize) -> u64 {
        let tables = 2 * (size + 1) + 4 + 8 * kinds.div_ceil(64);
        // The lists of the recursion hold every element once at each depth, in halves.
        (sets * (tables + 8 * size)) as u64
    }

    /// A family from its sets, one after the other, each of at most `size` different numbers
    /// below [`MOST_ELEMENTS`]; shorter ones end with [`u16::MAX`]. `None` if there are so many
    /// that their places cannot be numbered in 32 bits.
    pub fn new(sets: &[u16], size: usize) -> Option<Self> {
        let size = size.max(1);
        u32::try_from(sets.len() / size * (size + 1)).ok()?;
        let mut frequency = vec![0u32; MOST_ELEMENTS + 1];
        for &element in sets.iter().filter(|&&element| element != END) {
            frequency[usize::from(element)] += 1;
        }
        let mut order: Vec<u16> = (0..MOST_ELEMENTS as u16)
            .filter(|&element| frequency[usize::from(element)] > 0)
            .collect();
        order.sort_by_key(|&element| frequency[usize::from(element)]);
        let mut rank = vec![0u16; MOST_ELEMENTS + 1];
        for (at, &element) in order.iter().enumerate() {
            rank[usize::from(element)] = at as u16;
        }
        let (elements, words, stride) = (order.len(), order.len().div_ceil(64).max(1), size + 1);
        let many = sets.len() / size;
        let mut family = Family {
            ranks: Vec::with_capacity(many * stride),
            starts: Vec::with_capacity(many),
            bits: vec![0; many * words],
            elements,
            words,
            stride,
        };
        for (number, set) in sets.chunks_exact(size).enumerate() {
            let begin = family.ranks.len();
            family.starts.push(begin as u32);
            let own = set.iter().filter(|&&element| element != END);
            family.ranks.extend(own.map(|&element| rank[usize::from(element)]));
            family.ranks[begin..].sort_unstable();
            for place in begin..family.ranks.len() {
                let rank = usize::from(family.ranks[place]);
                family.bits[number * words + rank / 64] |= 1 << (rank % 64);
            }
            family.ranks.resize(begin + stride, END);
        }
        Some(family)
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are no sets.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// How many ordered pairs of sets, a set with itself included, have no common element.
    pub fn disjoint_pairs(&self, run: &Run) -> Result<u64, Stop> {
        run.check()?;
        if self.len() <= SMALL {
            return Ok(self.compare(&self.starts, 0, &mut Vec::new()));
        }
        // The first level is shared out among the threads.
        let (places, ends) = self.share_out(&self.starts, 0, &mut Vec::new(), &mut Vec::new());
        let buckets: Vec<(usize, usize, usize)> = ends
            .iter()
            .enumerate()
            .scan(0, |begin, (rank, &end)| {
                Some((rank, std::mem::replace(begin, end as usize), end as usize))
            })
            .filter(|(_, begin, end)| begin < end)
            .collect();
        let together = run.parallel(|| {
            buckets
                .par_iter()
                .with_max_len(1)
                .map_init(Vec::new, |scratch, &(rank, begin, end)| {
                    let mut count = Count {
                        family: self,
                        run,
                        unticked: 0,
                        scratch: std::mem::take(scratch),
                        pairs: Vec::new(),
                    };
                    let found = count.pairs(&places[begin..end], rank + 1, 0);
                    *scratch = count.scratch;
                    found
                })
                .try_reduce(|| 0, |a, b| Ok(a + b))
        })?;
        Ok((self.len() as u64).pow(2) - together)
    }

    /// For sets that are given by places in `ranks`, the places after each element from
    /// `above` on, sorted by element; and where each element's places end.
    fn share_out(
        &self,
        sets: &[u32],
        above: usize,
        places: &mut Vec<u32>,
        ends: &mut Vec<u32>,
    ) -> (Vec<u32>, Vec<u32>) {
        let (mut places, mut ends) = (std::mem::take(places), std::mem::take(ends));
        let kinds = self.elements - above;
        ends.clear();
        ends.resize(kinds + 1, 0);
        for &set in sets {
            for &rank in self.rest(set) {
                ends[usize::from(rank) - above + 1] += 1;
            }
        }
        for kind in 1..=kinds {
            ends[kind] += ends[kind - 1];
        }
        let total = ends[kinds] as usize;
        if places.len() < total {
            places.resize(total, 0);
        }
        for &set in sets {
            for (at, &rank) in (set + 1..).zip(self.rest(set)) {
                let end = &mut ends[usize::from(rank) - above];
                places[*end as usize] = at;
                *end += 1;
            }
        }
        ends.truncate(kinds);
        (places, ends)
    }

    /// The elements of a set from this place on.
    fn rest(&self, place: u32) -> &[u16] {
        let place = place as usize;
        let end = (place / self.stride + 1) * self.stride;
        let row = &self.ranks[place..end];
        &row[..row.iter().position(|&rank| rank == END).unwrap_or(row.len())]
    }

    /// Compares sets with each other, as far as their elements are from `above` on.
    fn compare(&self, sets: &[u32], above: usize, scratch: &mut Vec<u64>) -> u64 {
        let first = above / 64;
        let words = self.words - first.min(self.words);
        let mut empty = 0u64;
        scratch.clear();
        for &place in sets {
            if self.ranks[place as usize] == END {
                empty += 1;
                continue;
            }
            let set = place as usize / self.stride;
            let bits = &self.bits[set * self.words + first..(set + 1) * self.words];
            scratch.push(bits[0] & (u64::MAX << (above % 64)));
            scratch.extend_from_slice(&bits[1..]);
        }
        let mut disjoint = 0u64;
        match words {
            0 => {}
            1 => {
                for (i, &a) in scratch.iter().enumerate() {
                    disjoint += scratch[..i].iter().map(|&b| u64::from(a & b == 0)).sum::<u64>();
                }
            }
            2 => {
                let (sets, _) = scratch.as_chunks::<2>();
                for (i, &[a, b]) in sets.iter().enumerate() {
                    let apart = |&[c, d]: &[u64; 2]| u64::from(a & c | b & d == 0);
                    disjoint += sets[..i].iter().map(apart).sum::<u64>();
                }
            }
            _ => {
                for (i, a) in scratch.chunks_exact(words).enumerate() {
                    let apart = |b: &&[u64]| a.iter().zip(*b).all(|(a, b)| a & b == 0);
                    disjoint += scratch.chunks_exact(words).take(i).filter(apart).count() as u64;
                }
            }
        }
        let others = (scratch.len() / words.max(1)) as u64;
        2 * disjoint + 2 * empty * others + empty * empty
    }
}

struct Count<'f> {
    family: &'f Family,
    run: &'f Run,
    unticked: u64,
    /// Lists for each depth, kept for the next time.
    scratch: Vec<(Vec<u32>, Vec<u32>)>,
    pairs: Vec<u64>,
}

impl Count<'_> {
    fn pairs(&mut self, sets: &[u32], above: usize, depth: usize) -> Result<u64, Stop> {
        let family = self.family;
        self.unticked += sets.len() as u64;
        if self.unticked >= SETS_A_TICK {
            self.run.tick(std::mem::take(&mut self.unticked))?;
        }
        if let [set] = sets {
            return Ok(u64::from(family.ranks[*set as usize] == END));
        }
        if sets.len() <= SMALL {
            return Ok(family.compare(sets, above, &mut self.pairs));
        }
        if self.scratch.len() <= depth {
            self.scratch.resize_with(depth + 1, Default::default);
        }
        let (mut places, mut ends) = std::mem::take(&mut self.scratch[depth]);
        (places, ends) = family.share_out(sets, above, &mut places, &mut ends);
        let mut together = 0;
        let mut begin = 0;
        for (kind, &end) in ends.iter().enumerate() {
            let bucket = &places[begin..end as usize];
            if !bucket.is_empty() {
                together += self.pairs(bucket, above + kind + 1, depth + 1)?;
            }
            begin = end as usize;
        }
        self.scratch[depth] = (places, ends);
        Ok((sets.len() as u64).pow(2) - together)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn agrees_with_looking_at_all_pairs() {
        for (seed, kinds, size, many) in
            [(1, 10, 3, 500), (2, 70, 5, 900), (3, 300, 4, 700), (4, 5, 2, 20), (5, 130, 1, 400)]
        {
            let mut random = Random::new(seed, 0);
            let mut sets = Vec::new();
            for number in 0..many {
                let mut all: Vec<u16> = (0..kinds).collect();
                random.shuffle(&mut all);
                all.truncate(size);
                // Some are smaller.
                if number % 7 == 0 {
                    all[size - 1] = END;
                }
                sets.extend(all);
            }
            let apart = |a: &[u16], b: &[u16]| a.iter().all(|x| *x == END || !b.contains(x));
            let all = || sets.chunks(size);
            let brute = all().flat_map(|a| all().map(move |b| (a, b))).filter(|(a, b)| apart(a, b));
            let family = Family::new(&sets, size).unwrap();
            let run = Run::default();
            assert_eq!(family.disjoint_pairs(&run).unwrap(), brute.count() as u64, "{seed}");
        }
    }
}
