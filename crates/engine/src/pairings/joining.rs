//! Joining two halves: every group of one with the group of the other that goes with it.
//!
//! A type of one half goes with the type of the other in which done and fresh are exchanged; no
//! other completes it. Which of their matchings make one cycle, [`join`](super::join) says.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::halves::Tours;
use super::join::{Joiner, Places, Weighed};
use super::layer::{Borders, EXACT, Layer, size, workers};
use super::matching::{MOST_PAIRS, Tables};
use super::reading::{MATED, at, pairs, point, with};
use super::ring::{Floats, Ring};
use crate::run::{Run, Stop};

/// More than floats can err by in a whole count.
const SLACK: f64 = 1.0 + 1e-3;

/// Two halves that are being joined.
pub(super) struct Joining<'j> {
    pub(super) a: &'j Layer,
    /// The same as `a` where it is its own other half.
    pub(super) b: &'j Layer,
    pub(super) tours: &'j Tours,
    pub(super) tables: &'j Tables,
    pub(super) run: &'j Run,
}

impl Joining<'_> {
    /// Whether no number of ways of either half has wrapped.
    fn are_exact(&self) -> bool {
        let groups = |layer: &Layer| {
            layer.chunks.iter().all(|chunk| chunk.groups.iter().all(|group| group.ways < EXACT))
        };
        groups(self.a) && groups(self.b)
    }

    /// The number of tours, and a bound of it, which is made as good as floats allow if it is
    /// above `most`.
    pub(super) fn bounded<R: Ring>(&self, ring: R, most: f64) -> Result<(u64, f64), Stop> {
        let (total, bound) = self.join(ring)?;
        let bound = bound * SLACK;
        if ring.is_exact() && bound >= most && self.are_exact() {
            let (about, _) = self.join(Floats)?;
            return Ok((total, f64::from_bits(about) * SLACK));
        }
        Ok((total, bound))
    }

    /// The number of tours, and a bound of it.
    fn join<R: Ring>(&self, ring: R) -> Result<(u64, f64), Stop> {
        let Joining { a, b, tours, tables, run } = *self;
        // Where each type of B is.
        let mut index: Vec<(u64, u32, u32)> = Vec::with_capacity(b.types());
        let mut claim = run.claim();
        claim.grow_to((b.types() * size_of::<(u64, u32, u32)>()) as u64)?;
        for (number, chunk) in b.chunks.iter().enumerate() {
            let groups = chunk.groups.iter().enumerate();
            index.extend(groups.map(|(group, at)| (at.word, number as u32, group as u32)));
        }
        index.sort_unstable();
        let own = std::ptr::eq(a, b);
        let threads = run.budget().threads;
        run.uneven_stage("joining the halves", a.chunks.len() as u64);
        let next = AtomicUsize::new(0);
        let sums = workers(if a.borders() < 4000 { 1 } else { threads }, || {
            let mut joiner = Joiner::new(tables, ring);
            let mut claim = run.claim();
            let (mut left, mut right) = (Vec::new(), Vec::new());
            let (mut sum, mut bound) = (0, 0.0);
            // Floats are for a bound, which knows no signs.
            let float = |number: u64| (size(number) as f64).to_bits();
            let read = |borders: Borders<'_>, list: &mut Vec<Weighed>| {
                list.clear();
                borders.each(|rank, number| {
                    let number = if ring.is_float() { float(number) } else { number };
                    list.push(Weighed { rank, number });
                });
            };
            while let Some(chunk) = a.chunks.get(next.fetch_add(1, Relaxed)) {
                for group in &chunk.groups {
                    let other = complement(group.word, &tours.slots);
                    let pairs = pairs(group.word);
                    // Without a pair nothing was taken in this half: no tour is in the other.
                    if pairs == 0 || (own && other < group.word) {
                        continue;
                    }
                    let Ok(found) = index.binary_search_by_key(&other, |(word, ..)| *word) else {
                        continue;
                    };
                    let (_, there, at) = index[found];
                    let there = &b.chunks[there as usize];
                    let partner = &there.groups[at as usize];
                    let times = if own && other != group.word { 2 } else { 1 };
                    bound += group.ways * partner.ways * f64::from(times);
                    read(chunk.borders(group), &mut left);
                    read(there.borders(partner), &mut right);
                    claim.grow_to(((left.capacity() + right.capacity()) * 16) as u64)?;
                    let places = places(group.word, other, &tours.slots);
                    let part = if left.len() >= right.len() {
                        right.sort_unstable_by_key(|weighed| weighed.rank);
                        joiner.sum(pairs, &left, &right, &places)
                    } else {
                        left.sort_unstable_by_key(|weighed| weighed.rank);
                        joiner.sum(pairs, &right, &left, &inverse(&places, pairs))
                    };
                    for _ in 0..times {
                        sum = ring.add(sum, part);
                    }
                    run.tick(left.len() as u64)?;
                }
                run.step(1);
            }
            Ok((sum, bound))
        })?;
        Ok(sums
            .into_iter()
            .fold((0, 0.0), |(sum, bound), (more, most)| (ring.add(sum, more), bound + most)))
    }
}

/// The type of the other half that goes with a type: done and fresh exchanged, and each vertex
/// in its slot there.
pub(super) fn complement(word: u64, slots: &[u8]) -> u64 {
    slots.iter().enumerate().fold(0, |other, (slot, &to)| {
        let here = at(word, slot);
        let there = if here == MATED { MATED } else { here ^ 1 };
        with(other, usize::from(to), there)
    })
}

/// For each point of the other half's matchings: its place in this half's.
fn places(word: u64, other: u64, slots: &[u8]) -> Places {
    let mut places = [0; 2 * MOST_PAIRS];
    for (slot, &to) in slots.iter().enumerate() {
        if at(word, slot) == MATED {
            places[usize::from(point(other, usize::from(to)))] = point(word, slot);
        }
    }
    places
}

fn inverse(places: &Places, pairs: usize) -> Places {
    let mut inverse = [0; 2 * MOST_PAIRS];
    for (point, &place) in places.iter().enumerate().take(2 * pairs) {
        inverse[usize::from(place)] = point as u8;
    }
    inverse
}
