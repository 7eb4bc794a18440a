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

use std::sync::Arc;

use pessoi_engine::disjoint::{Family, MOST_ELEMENTS};
use pessoi_engine::run::{Run, Stop};

use super::census::{Census, TYPES, divided};
use super::moves::{Moves, Point, minus, plus};
use super::symmetric;
use crate::error::{Error, Result};

/// What was counted, or the limit that was hit.
pub(super) type Counted = Result<std::result::Result<Census, Stop>>;

/// The census of all loops of this length.
pub(super) fn census(moves: &Arc<Moves>, length: usize, run: &Run) -> Counted {
    let started = match started_loops(moves, length, run)? {
        Ok(started) => started,
        Err(stop) => return Ok(Err(stop)),
    };
    let all = divided(started, 2 * length as u128)?;
    let weights = match symmetric::weights(moves, length, run) {
        Ok(weights) => weights,
        Err(stop) => return Ok(Err(stop)),
    };
    let mut symmetric = [0; TYPES.len()];
    for (kind, weight) in weights.into_iter().enumerate().skip(1) {
        let times = 4 * length as u128 * u128::from(TYPES[kind].1 - 1);
        symmetric[kind] = divided(weight, times)?;
    }
    Ok(Ok(Census::from_fixed(all, symmetric)?))
}

/// How many loops there are that start at one cell, each direction counted.
fn started_loops(
    moves: &Arc<Moves>,
    length: usize,
    run: &Run,
) -> Result<std::result::Result<u128, Stop>> {
    let (short, long) = (length / 2, length.div_ceil(2));
    let room = Room::new(moves, long)?;
    let ends = room.ends(long);
    run.uneven_stage("pairing half walks", ends.len() as u64);
    let mut started = 0;
    for end in ends {
        let images = if end.0 == 0 || end.0 == end.1 { 4 } else { 8 };
        match room.pairs(end, short, long, run)? {
            Ok(pairs) => started += images * pairs,
            Err(stop) => return Ok(Err(stop)),
        }
        run.step(1);
    }
    Ok(Ok(started))
}

/// The cells that walks of some length can reach.
struct Room {
    moves: Arc<Moves>,
    radius: i32,
    /// How many moves each cell is from the middle.
    distance: Vec<u8>,
}

impl Room {
    fn new(moves: &Arc<Moves>, steps: usize) -> Result<Room> {
        let radius = moves.longest() * steps as i32;
        let side = 2 * radius + 1;
        if (side * side) as usize > MOST_ELEMENTS {
            return Err(Error::input(format!(
                "doubling handles half loops that go at most 127 cells; these may go {radius}. \
                 Give --method orderly, or shorter loops."
            )));
        }
        let moves = moves.clone();
        let mut room = Room { moves, radius, distance: vec![u8::MAX; (side * side) as usize] };
        let middle = room.index((0, 0));
        room.distance[middle] = 0;
        let mut layer = vec![(0, 0)];
        for gone in 1..=steps as u8 {
            let mut next = Vec::new();
            for cell in layer {
                for &step in room.moves.steps() {
                    let to = plus(cell, step);
                    let index = room.index(to);
                    if room.distance[index] == u8::MAX {
                        room.distance[index] = gone;
                        next.push(to);
                    }
                }
            }
            layer = next;
        }
        Ok(room)
    }

    fn index(&self, (row, col): Point) -> usize {
        ((row + self.radius) * (2 * self.radius + 1) + col + self.radius) as usize
    }

    /// How many moves two cells are apart; 255 if too many.
    fn apart(&self, a: Point, b: Point) -> u8 {
        let (row, col) = minus(a, b);
        let inside = row.abs() <= self.radius && col.abs() <= self.radius;
        if inside { self.distance[self.index((row, col))] } else { u8::MAX }
    }

    /// Where half a loop may end, in one eighth of the plane.
    fn ends(&self, steps: usize) -> Vec<Point> {
        let eighth = (0..=self.radius).flat_map(|col| (0..=col).map(move |row| (row, col)));
        eighth
            .filter(|&end| end != (0, 0) && usize::from(self.apart(end, (0, 0))) <= steps)
            .collect()
    }

    /// How many pairs of walks of these lengths lead to `end` and are disjoint between.
    fn pairs(
        &self,
        end: Point,
        short: usize,
        long: usize,
        run: &Run,
    ) -> Result<std::result::Result<u128, Stop>> {
        let mut claim = run.claim();
        let size = long - 1;
        let mut walks =
            Walks { room: self, end, size, sets: Vec::new(), entered: 0, claim: &mut claim };
        let kinds = self.distance.len().min(2048);
        let mut found = |lengths: &[usize]| -> Result<std::result::Result<u64, Stop>> {
            walks.sets.clear();
            let collected = lengths.iter().try_for_each(|&length| walks.collect(length, run));
            let many = walks.sets.len() / size;
            let bytes = Family::bytes(2 * many, size, kinds);
            if let Err(stop) = collected.and_then(|()| walks.claim.grow_to(bytes)) {
                return Ok(Err(stop));
            }
            let family = Family::new(&walks.sets, size).ok_or_else(|| {
                Error::input(format!(
                    "doubling numbers the cells of half loops in 32 bits; {many} half loops of \
                     {long} moves are too many. estimate has no such limit."
                ))
            })?;
            Ok(family.disjoint_pairs(run))
        };
        if short == long {
            return Ok(found(&[long])?.map(u128::from));
        }
        let three = [found(&[short, long])?, found(&[short])?, found(&[long])?];
        match three {
            [Ok(all), Ok(a), Ok(b)] => divided(u128::from(all - a - b), 2).map(Ok),
            [Err(stop), ..] | [_, Err(stop), _] | [.., Err(stop)] => Ok(Err(stop)),
        }
    }
}

/// Cells entered between two looks at the clock.
const CELLS_A_TICK: u64 = 1 << 14;

/// Collects the cells between the ends of walks.
struct Walks<'r> {
    room: &'r Room,
    end: Point,
    size: usize,
    sets: Vec<u16>,
    /// Cells entered since the clock was last looked at.
    entered: u64,
    claim: &'r mut pessoi_engine::run::Claim,
}

impl Walks<'_> {
    fn collect(&mut self, length: usize, run: &Run) -> std::result::Result<(), Stop> {
        let mut visited = vec![false; self.room.distance.len()];
        visited[self.room.index((0, 0))] = true;
        visited[self.room.index(self.end)] = true;
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
        if left == 1 {
            if self.room.moves.find(minus(self.end, from)).is_some() {
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
        for m in 0..self.room.moves.len() as u8 {
            let to = plus(from, self.room.moves.step(m));
            if usize::from(self.room.apart(to, self.end)) > left - 1 {
                continue;
            }
            let index = self.room.index(to);
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
