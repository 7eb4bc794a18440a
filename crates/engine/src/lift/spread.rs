//! A level from the side of the frontier: each of its states marks its neighbours.
//!
//! A state of the frontier is put into the new plane when it is read, and so are its
//! neighbours that are not in the old one. Bits are only added, so threads need no more than
//! an atomic *or* on single words; whichever of them adds a bit counts it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::planes::{Sum, Word};
use super::ranks::{High, Targets, target};
use super::table::{Crossing, Table};
use crate::run::{Run, Stop};

impl Table {
    /// One level, where a block is one word.
    pub(super) fn spread<W: Word>(&self, planes: &[Vec<W>; 2], run: &Run) -> Result<Sum, Stop> {
        let [old, new] = self.sides().map(|side| &planes[side]);
        let next = &self.active[self.sides()[1]];
        let alone = run.budget().threads == 1;
        let crossing = self.steps.iter().fold(0, |all, crossing| all | crossing.mask);
        let visit = |frontier: &mut Vec<(u32, u64)>, chunk: usize| {
            let mut sum = Sum::new(1);
            let first = chunk * self.ranks.chunk;
            let range = first..first + self.ranks.chunk;
            frontier.clear();
            for (index, (o, n)) in (0u32..).zip(old[range.clone()].iter().zip(&new[range])) {
                let seen = o.get();
                let here = seen & !n.get();
                if here == 0 {
                    continue;
                }
                if here & crossing != 0 {
                    frontier.push((index, here));
                }
                let [near] = self.inner.with_near([here]);
                let near = near & !seen;
                let before = if alone { n.add_alone(near | here) } else { n.add(near | here) };
                let found = near & !before;
                if found != 0 {
                    sum.found(first + index as usize, 0, found);
                }
            }
            if !sum.uncounted.is_empty() {
                next[chunk].store(true, Relaxed);
            }
            let high = self.ranks.high(chunk);
            for crossing in &self.steps {
                let targets = self.ranks.targets(&high, &crossing.step);
                for &(index, here) in &*frontier {
                    let here = here & crossing.mask;
                    if here == 0 {
                        continue;
                    }
                    let there = self.target(&targets, &high, index, crossing);
                    let mut bits = 0;
                    for turn in &crossing.turns {
                        bits |= (here & turn.nodes).rotate_left(turn.bits);
                    }
                    let bits = bits & !old[there].get();
                    let bits = bits & !new[there].get();
                    if bits == 0 {
                        continue;
                    }
                    let word = &new[there];
                    let before = if alone { word.add_alone(bits) } else { word.add(bits) };
                    let found = bits & !before;
                    if found != 0 {
                        sum.found(there, 0, found);
                        next[there / self.ranks.chunk].store(true, Relaxed);
                    }
                }
            }
            sum.count();
            run.tick(sum.count).map(|()| sum)
        };
        self.on_frontier()
            .into_par_iter()
            .map_init(Vec::new, visit)
            .try_reduce(|| Sum::new(1), |a, b| Ok(a.join(&b)))
    }

    #[inline]
    fn target(&self, targets: &Targets, high: &High, index: u32, crossing: &Crossing) -> usize {
        match targets {
            Targets::Slice { entries, firsts } => target(entries[index as usize], firsts),
            Targets::Ranked => self.ranks.ranked(high, index as usize, &crossing.step),
        }
    }

    /// One level, where a block is several words.
    pub(super) fn spread_wide(&self, planes: &[Vec<AtomicU64>; 2], run: &Run) -> Result<Sum, Stop> {
        let [old, new] = self.sides().map(|side| &planes[side]);
        let next = &self.active[self.sides()[1]];
        let alone = run.budget().threads == 1;
        let words = self.words;
        let has_table = self.inner.has_table();
        let add = |place: usize, bits: u64| {
            let bits = bits & !old[place].get();
            if bits == 0 || bits & !new[place].get() == 0 {
                return 0;
            }
            let word = &new[place];
            bits & !if alone { word.add_alone(bits) } else { word.add(bits) }
        };
        let visit = |moves: &mut Vec<Vec<(u32, u32)>>, chunk: usize| {
            let mut sum = Sum::new(words);
            let first = chunk * self.ranks.chunk;
            let mut near = vec![0u64; words];
            for index in 0..self.ranks.chunk {
                let block = first + index;
                let mut any = false;
                for word in 0..words {
                    let place = block * words + word;
                    let mut here = old[place].get() & !new[place].get();
                    if here == 0 {
                        continue;
                    }
                    any = true;
                    near[word] |= here;
                    if has_table {
                        for part in self.inner.near(words, word, here) {
                            near.iter_mut().zip(part).for_each(|(near, part)| *near |= part);
                        }
                        here &= self.inner.crosses[word];
                    }
                    while here != 0 {
                        let node = word * 64 + here.trailing_zeros() as usize;
                        here &= here - 1;
                        if !has_table {
                            for &to in &self.inner.lists[node] {
                                near[to as usize / 64] |= 1 << (to % 64);
                            }
                        }
                        for arc in &self.inner.crossing[node] {
                            moves[arc.step as usize].push((index as u32, arc.to));
                        }
                    }
                }
                if !any {
                    continue;
                }
                for (word, near) in near.iter_mut().enumerate() {
                    let bits = std::mem::take(near);
                    if bits == 0 {
                        continue;
                    }
                    let place = block * words + word;
                    let cell = &new[place];
                    let before = if alone { cell.add_alone(bits) } else { cell.add(bits) };
                    let found = bits & !before & !old[place].get();
                    if found != 0 {
                        sum.found(block, word, found);
                    }
                }
            }
            if !sum.uncounted.is_empty() {
                next[chunk].store(true, Relaxed);
            }
            let high = self.ranks.high(chunk);
            for (crossing, moves) in self.steps.iter().zip(moves) {
                if moves.is_empty() {
                    continue;
                }
                let targets = self.ranks.targets(&high, &crossing.step);
                for (index, to) in moves.drain(..) {
                    let there = self.target(&targets, &high, index, crossing);
                    let word = to as usize / 64;
                    let found = add(there * words + word, 1 << (to % 64));
                    if found != 0 {
                        sum.found(there, word, found);
                        next[there / self.ranks.chunk].store(true, Relaxed);
                    }
                }
            }
            sum.count();
            run.tick(sum.count).map(|()| sum)
        };
        self.on_frontier()
            .into_par_iter()
            .map_init(|| vec![Vec::new(); self.steps.len()], visit)
            .try_reduce(|| Sum::new(words), |a, b| Ok(a.join(&b)))
    }
}
