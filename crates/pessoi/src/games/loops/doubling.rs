//! Counting loops without visiting them: length doubling.
//!
//! A loop of even length k that starts somewhere and goes one way is two walks of k/2 moves
//! from its first cell 0 to the cell e opposite, with nothing in common between. So the
//! number of started, directed loops is the number of ordered pairs of disjoint walks, over
//! all e; and for counting disjoint pairs the pairs need not be looked at one by one
//! ([`pessoi_engine::disjoint`]). Every loop has 2k starts and directions. By symmetry e need
//! only be looked for in one eighth of the plane. An odd loop has one half longer by a move:
//! with A and B the walks of either length, the pairs between them are half of what the pairs
//! in A ∪ B are more than those in A and those in B.
//!
//! The idea is that of R. D. Schram, G. T. Barkema and R. H. Bisseling for self-avoiding walks
//! (Exact enumeration of self-avoiding walks, 2011), who call it length doubling.
//!
//! Classes follow from the census of symmetric loops ([`super::symmetric`]): there are few.
//!
//! The orderly search and this confirm each other, so they share no table: where half walks
//! may still go is known from the cells that so many moves lead to exactly, repetitions
//! allowed ([`Reach`]), not from distances.

use std::sync::Arc;

use pessoi_engine::disjoint::{Family, MOST_ELEMENTS};
use pessoi_engine::ledger::{Chapter, Ledger};
use pessoi_engine::records::Unusable;
use pessoi_engine::run::{Run, Stop};

use super::census::{Census, TYPES, divided};
use super::moves::{Moves, Point, minus, plus};
use super::symmetric;
use crate::answer::Limit;
use crate::job::Work;

/// Whether half loops of this length keep to so few cells that they can be numbered.
pub(super) fn has_room(moves: &Moves, length: usize) -> bool {
    let side = 2 * radius(moves, length) as usize + 1;
    side * side <= MOST_ELEMENTS
}

/// How far half a loop may go.
fn radius(moves: &Moves, length: usize) -> i32 {
    moves.longest() * length.div_ceil(2) as i32
}

/// The census of all loops of this length. There must be [room](has_room) for them. It is kept
/// in the job's ledger, in chapters of which the names say `where_` the loops are: pairs of half
/// walks by where they end, and symmetric loops as a whole.
pub(super) fn census(
    moves: &Arc<Moves>,
    length: usize,
    run: &Run,
    ledger: &Ledger,
    where_: &str,
) -> Work<Census> {
    let halves = ledger.chapter(format!("half walks of length {length}{where_}"));
    let started = started_loops(moves, length, run, &halves)?;
    let all = divided(started, 2 * length as u128)?;
    let symmetric = ledger.chapter(format!("symmetric loops of length {length}{where_}"));
    let weights = if let Some(known) = symmetric.result()? {
        known
    } else {
        let weights = symmetric::weights(moves, length, run)?;
        symmetric.finish(&weights);
        weights
    };
    let mut of_type = [0; TYPES.len()];
    for (kind, weight) in weights.into_iter().enumerate().skip(1) {
        let times = 4 * length as u128 * u128::from(TYPES[kind].1 - 1);
        of_type[kind] = divided(weight, times)?;
    }
    Ok(Census::from_fixed(all, of_type)?)
}

/// How many loops there are that start at one cell, each direction counted.
fn started_loops(moves: &Moves, length: usize, run: &Run, chapter: &Chapter) -> Work<u128> {
    if let Some(started) = chapter.result()? {
        return Ok(started);
    }
    let (short, long) = (length / 2, length.div_ceil(2));
    let halves = Halves { moves, reach: Reach::new(moves, radius(moves, length), long) };
    let ends = halves.ends(long);
    run.uneven_stage("pairing half walks", ends.len() as u64);
    let (mut done, mut started): (usize, u128) = (0, 0);
    if let Some(mut saved) = chapter.begun()? {
        let (of, read): (usize, (usize, u128)) = saved.take().map_err(|why| chapter.refuse(why))?;
        if of != ends.len() || read.0 > of {
            return Err(chapter.refuse(Unusable::Damaged).into());
        }
        (done, started) = read;
    }
    run.step(done as u64);
    while let Some(&end) = ends.get(done) {
        let images = if end.0 == 0 || end.0 == end.1 { 4 } else { 8 };
        match halves.pairs(end, short, long, run) {
            Ok(pairs) => started += images * pairs,
            Err(halt) => {
                chapter.put_aside(|out| out.put(&(ends.len(), (done, started))));
                return Err(halt);
            }
        }
        done += 1;
        run.step(1);
        chapter.save_if_due(|out| out.put(&(ends.len(), (done, started))));
    }
    chapter.finish(&started);
    Ok(started)
}

/// A square of cells around home, and to which of them so many moves lead.
struct Reach {
    radius: i32,
    /// For each cell a bit for each number of moves that can lead there.
    by: Vec<u64>,
}

impl Reach {
    /// The cells that up to `most` moves lead to; none leads out of the square.
    fn new(moves: &Moves, radius: i32, most: usize) -> Reach {
        let side = 2 * radius as usize + 1;
        let mut reach = Reach { radius, by: vec![0; side * side] };
        let mut here = vec![(0, 0)];
        for gone in 0..=most {
            let mut next = Vec::new();
            for cell in here {
                let index = reach.index(cell);
                if reach.by[index] >> gone & 1 == 0 {
                    reach.by[index] |= 1 << gone;
                    next.extend(moves.steps().iter().map(|&step| plus(cell, step)));
                }
            }
            here = next;
        }
        reach
    }

    fn index(&self, (row, col): Point) -> usize {
        ((row + self.radius) * (2 * self.radius + 1) + col + self.radius) as usize
    }

    /// Whether exactly so many moves can lead from one cell to the other.
    fn leads(&self, moves: usize, from: Point, to: Point) -> bool {
        let (row, col) = minus(to, from);
        row.abs().max(col.abs()) <= self.radius && self.by[self.index((row, col))] >> moves & 1 == 1
    }
}

/// The walks of half a loop, and where they go.
struct Halves<'m> {
    moves: &'m Moves,
    reach: Reach,
}

impl Halves<'_> {
    /// Where half a loop may end, in one eighth of the plane.
    fn ends(&self, steps: usize) -> Vec<Point> {
        let radius = self.reach.radius;
        let eighth = (0..=radius).flat_map(|col| (0..=col).map(move |row| (row, col)));
        eighth.filter(|&end| end != (0, 0) && self.reach.leads(steps, (0, 0), end)).collect()
    }

    /// How many pairs of walks of these lengths lead to `end` and are disjoint between.
    fn pairs(&self, end: Point, short: usize, long: usize, run: &Run) -> Work<u128> {
        let mut claim = run.claim();
        let size = long - 1;
        let mut walks =
            Walks { halves: self, end, size, sets: Vec::new(), entered: 0, claim: &mut claim };
        let kinds = self.reach.by.len().min(2048);
        let mut found = |lengths: &[usize]| -> Work<u128> {
            walks.sets.clear();
            lengths.iter().try_for_each(|&length| walks.collect(length, run))?;
            let many = walks.sets.len() / size;
            walks.claim.grow_to(Family::bytes(2 * many, size, kinds))?;
            let Some(family) = Family::new(&walks.sets, size) else {
                let text = format!(
                    "{many} half loops of {long} moves lead to one cell, more than can be \
                     numbered in 32 bits (estimate has no such limit)"
                );
                return Err(Limit::Size { text }.into());
            };
            Ok(family.disjoint_pairs(run)?.into())
        };
        if short == long {
            return found(&[long]);
        }
        let (all, a, b) = (found(&[short, long])?, found(&[short])?, found(&[long])?);
        Ok(divided(all - a - b, 2)?)
    }
}

/// Cells entered between two looks at the clock.
const CELLS_A_TICK: u64 = 1 << 14;

/// Collects the cells between the ends of walks.
struct Walks<'r> {
    halves: &'r Halves<'r>,
    end: Point,
    size: usize,
    sets: Vec<u16>,
    /// Cells entered since the clock was last looked at.
    entered: u64,
    claim: &'r mut pessoi_engine::run::Claim,
}

impl Walks<'_> {
    fn collect(&mut self, length: usize, run: &Run) -> std::result::Result<(), Stop> {
        let reach = &self.halves.reach;
        let mut visited = vec![false; reach.by.len()];
        visited[reach.index((0, 0))] = true;
        visited[reach.index(self.end)] = true;
        self.extend(&mut visited, &mut Vec::with_capacity(length), (0, 0), length, run)
    }

    fn extend(
        &mut self,
        visited: &mut [bool],
        path: &mut Vec<u16>,
        from: Point,
        left: usize,
        run: &Run,
    ) -> std::result::Result<(), Stop> {
        const SETS_A_TICK: usize = 1 << 14;
        let Walks { halves, end, .. } = *self;
        if left == 1 {
            if halves.moves.find(minus(end, from)).is_some() {
                if (self.sets.len() / self.size.max(1)).is_multiple_of(SETS_A_TICK) {
                    run.tick(SETS_A_TICK as u64)?;
                    self.claim.grow_to(4 * self.sets.len() as u64)?;
                }
                self.sets.extend_from_slice(path);
                self.sets.resize(self.sets.len() + self.size - path.len(), u16::MAX);
            }
            return Ok(());
        }
        self.entered += 1;
        if self.entered == CELLS_A_TICK {
            run.tick(std::mem::take(&mut self.entered))?;
        }
        for m in 0..halves.moves.len() as u8 {
            let to = plus(from, halves.moves.step(m));
            if !halves.reach.leads(left - 1, to, end) {
                continue;
            }
            let index = halves.reach.index(to);
            if visited[index] {
                continue;
            }
            visited[index] = true;
            path.push(index as u16);
            self.extend(visited, path, to, left - 1, run)?;
            path.pop();
            visited[index] = false;
        }
        Ok(())
    }
}
