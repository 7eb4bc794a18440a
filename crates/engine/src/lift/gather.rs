//! A level from the side of what is missing: each state not met yet looks for a neighbour
//! that was.
//!
//! On the crowded levels in the middle most blocks have something missing, but a frontier
//! state finds most of its neighbours met already. Then it is cheaper to visit each block
//! that is not **full** once and to ask for all its states at a time: which of their
//! neighbours have been met, at whatever level? Whoever has one is met now, since one that
//! was met before the frontier would have brought it in earlier. So the new plane is a
//! function of the old one alone: no thread writes where another reads or writes, and
//! there is nothing to decide on the way that a processor could guess wrongly.
//!
//! To change sides between levels is an idea of S. Beamer, K. Asanović and D. Patterson,
//! *Direction-optimizing breadth-first search* (2012).

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::planes::{Sum, Word};
use super::ranks::{Targets, target};
use super::table::{Table, Turn};
use crate::run::{Run, Stop};

/// Blocks of a chunk that are not full, by their place in it, and what of them is met.
#[derive(Default)]
struct Missing {
    blocks: Vec<u32>,
    met: Vec<u64>,
}

impl Table {
    /// Whether levels can be seen from this side: all moves must be in tables.
    pub(super) fn can_gather(&self) -> bool {
        self.inner.has_table() && self.steps.iter().all(|crossing| crossing.step.bytes() > 0)
    }

    /// One level; `ONE` if a block is one word.
    pub(super) fn gather<W: Word, const ONE: bool>(
        &self,
        planes: &[Vec<W>; 2],
        run: &Run,
    ) -> Result<Sum, Stop> {
        let [old, new] = self.sides().map(|side| &planes[side]);
        let next = &self.active[self.sides()[1]];
        let full: Vec<u64> = (0..self.words)
            .map(|word| u64::MAX >> (64 * (word + 1)).saturating_sub(self.nodes))
            .collect();
        // Their flags are lowered; all chunks are visited.
        self.on_frontier();
        let visit = |Missing { blocks, met }: &mut Missing, chunk: usize| {
            // Known beforehand, so that the loops below are made for it.
            let words = if ONE { 1 } else { self.words };
            let mut sum = Sum::new(words);
            let first = chunk * self.ranks.chunk;
            blocks.clear();
            met.clear();
            for index in 0..self.ranks.chunk {
                let at = (first + index) * words;
                let (block, new) = (&old[at..at + words], &new[at..at + words]);
                if block.iter().zip(&full).all(|(word, full)| word.get() == *full) {
                    new.iter().zip(&full).for_each(|(word, full)| word.set(*full));
                    continue;
                }
                blocks.push(index as u32);
                if ONE {
                    let seen = block[0].get();
                    met.push(seen | self.inner.near_in_word(seen));
                    continue;
                }
                let here = met.len();
                met.extend(block.iter().map(Word::get));
                let here = &mut met[here..];
                for (word, nodes) in block.iter().map(Word::get).enumerate() {
                    for near in self.inner.near(words, word, nodes) {
                        here.iter_mut().zip(near).for_each(|(here, near)| *here |= near);
                    }
                }
            }
            sum.missing = Some(blocks.len() as u64);
            if blocks.is_empty() {
                return run.tick(0).map(|()| sum);
            }
            let high = self.ranks.high(chunk);
            for crossing in &self.steps {
                if let Targets::Slice { entries, firsts } =
                    self.ranks.targets(&high, &crossing.step)
                {
                    let there = |index: u32| target(entries[index as usize], &firsts);
                    let blocks = blocks.iter().map(|&index| there(index));
                    match crossing.turns[..] {
                        [a] if ONE => look(blocks, met, old, [a]),
                        [a, b] if ONE => look(blocks, met, old, [a, b]),
                        [a, b, c] if ONE => look(blocks, met, old, [a, b, c]),
                        [a, b, c, d] if ONE => look(blocks, met, old, [a, b, c, d]),
                        _ => look_wide(blocks, met, old, &crossing.turns, words),
                    }
                }
            }
            for (&index, met) in blocks.iter().zip(met.chunks_exact_mut(words)) {
                let at = (first + index as usize) * words;
                let (block, new) = (&old[at..at + words], &new[at..at + words]);
                for ((met, old), new) in met.iter_mut().zip(block).zip(new) {
                    new.set(*met);
                    *met &= !old.get();
                }
            }
            // What is left there was found at this level.
            if let Some(k) = met.iter().position(|&found| found != 0) {
                let (block, node) = (first + blocks[k / words] as usize, k % words * 64);
                sum.first = (block, node as u32 + met[k].trailing_zeros());
                next[chunk].store(true, Relaxed);
            }
            for (word, nodes) in sum.nodes.iter_mut().enumerate() {
                *nodes = met.iter().skip(word).step_by(words).fold(0, |all, found| all | found);
            }
            sum.count = met.iter().map(|found| u64::from(found.count_ones())).sum();
            run.tick(sum.count).map(|()| sum)
        };
        (0..self.ranks.chunks)
            .into_par_iter()
            .map_init(Missing::default, visit)
            .try_reduce(|| Sum::new(self.words), |a, b| Ok(a.join(&b)))
    }
}

/// Looks into other blocks of one word.
fn look<W: Word, const N: usize>(
    blocks: impl Iterator<Item = usize>,
    met: &mut [u64],
    old: &[W],
    turns: [Turn; N],
) {
    let turns = turns.map(|turn| (turn.nodes.rotate_left(turn.bits), turn.bits));
    for (block, met) in blocks.zip(met) {
        let there = old[block].get();
        for (nodes, bits) in turns {
            *met |= (there & nodes).rotate_right(bits);
        }
    }
}

/// Looks into other blocks of any number of words.
fn look_wide<W: Word>(
    blocks: impl Iterator<Item = usize>,
    met: &mut [u64],
    old: &[W],
    turns: &[Turn],
    words: usize,
) {
    for (block, met) in blocks.zip(met.chunks_exact_mut(words)) {
        let there = &old[block * words..][..words];
        for turn in turns {
            met[turn.from] |= there[turn.to].get().rotate_right(turn.bits) & turn.nodes;
        }
    }
}
