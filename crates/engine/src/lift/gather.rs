//! A level from the side of what is missing: each state not met yet looks for a neighbour
//! that was.
//!
//! On the crowded levels in the middle most blocks have something missing, but a frontier
//! state finds most of its neighbours met already. Then it is cheaper to visit each block
//! that is not **full** once and to ask for all its states at a time: which of their
//! neighbours have been met, at whatever level? One that has is met now, since one that
//! was met before the frontier would have brought it in earlier. So the new plane is a
//! function of the old one alone: no thread writes where another reads or writes, and
//! there is nothing to decide on the way that a processor could guess wrongly.
//!
//! To change sides between levels is an idea of S. Beamer, K. Asanović and D. Patterson,
//! *Direction-optimizing breadth-first search* (2012).

use std::array;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::planes::{Sum, Word};
use super::ranks::{Targets, target};
use super::table::{Table, Turn};
use crate::run::{Run, Stop};

/// Blocks of more words never gather: the loops are made for each number of words.
const MOST_WORDS: usize = 4;

impl Table {
    /// Whether levels can be seen from this side: all moves must be in tables.
    pub(super) fn can_gather(&self) -> bool {
        let is_sliced = self.steps.iter().all(|crossing| crossing.step.bytes() > 0);
        self.words <= MOST_WORDS && self.inner.has_table() && is_sliced
    }

    /// One level, where a block is several words.
    pub(super) fn gather_wide(&self, planes: &[Vec<AtomicU64>; 2], run: &Run) -> Result<Sum, Stop> {
        match self.words {
            2 => self.gather::<_, 2>(planes, run),
            3 => self.gather::<_, 3>(planes, run),
            _ => self.gather::<_, MOST_WORDS>(planes, run),
        }
    }

    /// One level, where a block is N words.
    pub(super) fn gather<W: Word, const N: usize>(
        &self,
        planes: &[Vec<W>; 2],
        run: &Run,
    ) -> Result<Sum, Stop> {
        let [old, new] = self.sides().map(|side| &planes[side]);
        let next = &self.active[self.sides()[1]];
        let full: [u64; N] = array::from_fn(|word| {
            u64::MAX.checked_shr((64 * (word + 1)).saturating_sub(self.nodes) as u32).unwrap_or(0)
        });
        // Their flags are lowered; all chunks are visited.
        self.on_frontier();
        // The blocks of a chunk that are not full, by their place in it; what of them is met.
        let visit = |(missing, met): &mut (Vec<u32>, Vec<[u64; N]>), chunk: usize| {
            let mut sum = Sum::new(N);
            let first = chunk * self.ranks.chunk;
            let range = first * N..(first + self.ranks.chunk) * N;
            let blocks = old[range.clone()].chunks_exact(N).zip(new[range].chunks_exact(N));
            missing.clear();
            met.clear();
            for (index, (old, new)) in (0..).zip(blocks) {
                let block: [u64; N] = array::from_fn(|word| old[word].get());
                if block == full {
                    new.iter().zip(full).for_each(|(word, full)| word.set(full));
                } else {
                    missing.push(index);
                    met.push(self.inner.with_near(block));
                }
            }
            sum.missing = Some(missing.len() as u64);
            if missing.is_empty() {
                return run.tick(0).map(|()| sum);
            }
            let high = self.ranks.high(chunk);
            for crossing in &self.steps {
                if let Targets::Slice { entries, firsts } =
                    self.ranks.targets(&high, &crossing.step)
                {
                    let there = |&index: &u32| N * target(entries[index as usize], &firsts);
                    let there = missing.iter().map(there).map(|at| &old[at..at + N]);
                    match crossing.turns[..] {
                        [a] => look(there, met, [a]),
                        [a, b] => look(there, met, [a, b]),
                        [a, b, c] => look(there, met, [a, b, c]),
                        [a, b, c, d] => look(there, met, [a, b, c, d]),
                        _ => look_far(there, met, &crossing.turns),
                    }
                }
            }
            for (&index, met) in missing.iter().zip(&mut *met) {
                let at = (first + index as usize) * N;
                let (old, new) = (&old[at..at + N], &new[at..at + N]);
                for word in 0..N {
                    new[word].set(met[word]);
                    met[word] &= !old[word].get();
                }
            }
            // What is left there was found at this level.
            let found = met.as_flattened();
            if let Some(k) = found.iter().position(|&found| found != 0) {
                let (block, node) = (first + missing[k / N] as usize, k % N * 64);
                sum.first = (block, node as u32 + found[k].trailing_zeros());
                next[chunk].store(true, Relaxed);
            }
            for (word, nodes) in sum.nodes.iter_mut().enumerate() {
                *nodes = met.iter().fold(0, |all, found| all | found[word]);
            }
            sum.count = found.iter().map(|found| u64::from(found.count_ones())).sum();
            run.tick(sum.count).map(|()| sum)
        };
        (0..self.ranks.chunks)
            .into_par_iter()
            .map_init(Default::default, visit)
            .try_reduce(|| Sum::new(N), |a, b| Ok(a.join(&b)))
    }
}

/// Looks into other blocks, by few turns.
fn look<'w, W: Word + 'w, const N: usize, const T: usize>(
    blocks: impl Iterator<Item = &'w [W]>,
    met: &mut [[u64; N]],
    turns: [Turn; T],
) {
    for (there, met) in blocks.zip(met) {
        for turn in turns {
            // With one word there is nothing to choose.
            let (from, to) = if N == 1 { (0, 0) } else { (turn.from, turn.to) };
            met[from] |= there[to].get().rotate_right(turn.bits) & turn.nodes;
        }
    }
}

/// Looks into other blocks, by many turns.
fn look_far<'w, W: Word + 'w, const N: usize>(
    blocks: impl Iterator<Item = &'w [W]>,
    met: &mut [[u64; N]],
    turns: &[Turn],
) {
    for (there, met) in blocks.zip(met) {
        for turn in turns {
            met[turn.from] |= there[turn.to].get().rotate_right(turn.bits) & turn.nodes;
        }
    }
}
