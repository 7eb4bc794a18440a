//! Visiting the loops that have a symmetry.
//!
//! A symmetry g of a loop moves its cells along the loop, or reverses the loop's direction.
//! No translation leaves a finite loop as it is, so g alone determines where each cell goes;
//! and there are only these ways, each found from half a loop or a quarter of one:
//!
//! | way | what is walked | then follows | started, directed loops of one loop |
//! |---|---|---|---|
//! | the loop is moved along by half | a half w from 0 to p with p + gp = 0 | g·w | 2k |
//! | by a quarter, g a quarter turn | a quarter w | g·w, g²·w, g³·w | k |
//! | turned round, two cells fixed | a half w from 0 to p with gp = p | g·w back home | 4 |
//! | turned round, two moves flipped | the first flipped move and on to the other | the other, and back | 4 |
//! | odd: a cell and a move | from the cell to the move | the move, and back | 2 |
//!
//! Each loop found is weighted by 4k / (the last column), so that a loop with s symmetries
//! weighs 4k(s − 1) in all, whichever way its symmetries are.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pessoi_engine::run::{Run, Stop};

use super::census::{TYPES, type_of};
use super::moves::{HALF_TURN, Moves, Point, SYMMETRIES, image, minus, plus};
use super::words::stabiliser;

pub(super) type Weights = [u128; TYPES.len()];

/// The symmetries that are their own inverse.
const TWOFOLD: [usize; 5] = [HALF_TURN, 4, 5, 6, 7];
/// Moves of the beginnings that are shared out among the threads.
const BEGINNING: usize = 4;

/// The weight of the symmetric loops of each type.
pub(super) fn weights(moves: &Arc<Moves>, length: usize, run: &Run) -> Result<Weights, Stop> {
    let mut sum = Weights::default();
    let halves = Halves { moves, length, steps: length / 2, quarter: false };
    halves.add(&mut sum, run)?;
    if length.is_multiple_of(4) {
        Halves { steps: length / 4, quarter: true, ..halves }.add(&mut sum, run)?;
    }
    Ok(sum)
}

#[derive(Clone, Copy)]
struct Halves<'m> {
    moves: &'m Moves,
    length: usize,
    /// Moves to walk.
    steps: usize,
    /// Whether quarters of loops are walked.
    quarter: bool,
}

impl Halves<'_> {
    fn add(self, sum: &mut Weights, run: &Run) -> Result<(), Stop> {
        let mut jobs = Vec::new();
        let mut walk = Walk::new(self, run);
        walk.go(BEGINNING.min(self.steps), &mut |walk| jobs.push(walk.word.clone()))?;
        run.stage("visiting symmetric loops", jobs.len() as u64);
        // Sums need no order, and the orderly search has the engine's: this is not shared.
        let next = AtomicUsize::new(0);
        let worker = || -> Result<Weights, Stop> {
            let mut weights = Weights::default();
            while let Some(begin) = jobs.get(next.fetch_add(1, Relaxed)) {
                run.check()?;
                let mut walk = Walk::new(self, run);
                for &m in begin {
                    walk.take(m);
                }
                walk.go(self.steps, &mut |walk| walk.judge(&mut weights))?;
                run.tick(walk.nodes % NODES_A_TICK)?;
                run.step(1);
            }
            Ok(weights)
        };
        let all = std::thread::scope(|scope| {
            let threads = 0..run.budget().threads.min(jobs.len());
            let threads: Vec<_> = threads.map(|_| scope.spawn(worker)).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(join).collect::<Result<Vec<Weights>, Stop>>()
        })?;
        for (kind, own) in sum.iter_mut().enumerate() {
            *own += all.iter().map(|weights| weights[kind]).sum::<u128>();
        }
        Ok(())
    }

    /// How many first moves this one stands for: its images. Other first moves are left out.
    fn images_of_first(self, m: u8) -> u128 {
        let mut images: Vec<u8> = (0..SYMMETRIES).map(|s| self.moves.image(s, m)).collect();
        images.sort_unstable();
        images.dedup();
        if images[0] == m { images.len() as u128 } else { 0 }
    }
}

const NODES_A_TICK: u64 = 1 << 14;

/// A walk without repetition.
struct Walk<'m> {
    halves: Halves<'m>,
    run: &'m Run,
    word: Vec<u8>,
    cells: Vec<Point>,
    visited: Vec<bool>,
    radius: i32,
    nodes: u64,
}

impl<'m> Walk<'m> {
    fn new(halves: Halves<'m>, run: &'m Run) -> Self {
        // Images go up to twice as far as the walk.
        let radius = halves.moves.longest() * (2 * halves.steps as i32 + 1);
        let side = (2 * radius + 1) as usize;
        let mut walk = Walk {
            halves,
            run,
            word: Vec::new(),
            cells: vec![(0, 0)],
            visited: vec![false; side * side],
            radius,
            nodes: 0,
        };
        let home = walk.index((0, 0));
        walk.visited[home] = true;
        walk
    }

    fn index(&self, (row, col): Point) -> usize {
        ((row + self.radius) * (2 * self.radius + 1) + col + self.radius) as usize
    }

    fn is_visited(&self, cell: Point) -> bool {
        self.visited[self.index(cell)]
    }

    fn here(&self) -> Point {
        self.cells[self.cells.len() - 1]
    }

    fn take(&mut self, m: u8) {
        let to = plus(self.here(), self.halves.moves.step(m));
        let index = self.index(to);
        self.visited[index] = true;
        self.word.push(m);
        self.cells.push(to);
    }

    /// Walks on in all ways to so many moves in all.
    fn go(&mut self, steps: usize, each: &mut impl FnMut(&Self)) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_TICK) {
            self.run.tick(NODES_A_TICK)?;
        }
        if self.word.len() == steps {
            each(self);
            return Ok(());
        }
        for m in 0..self.halves.moves.len() as u8 {
            if self.word.is_empty() && self.halves.images_of_first(m) == 0
                || self.is_visited(plus(self.here(), self.halves.moves.step(m)))
            {
                continue;
            }
            self.take(m);
            self.go(steps, each)?;
            self.word.pop();
            if let Some(cell) = self.cells.pop() {
                let index = self.index(cell);
                self.visited[index] = false;
            }
        }
        Ok(())
    }

    /// Adds the symmetric loops of which this walk is the beginning.
    fn judge(&self, weights: &mut Weights) {
        let Halves { moves, length, steps, quarter } = self.halves;
        let end = self.here();
        let k = length as u128;
        let first = self.halves.images_of_first(self.word[0]);
        let mut add = |rest: Vec<u8>, loops: u128| {
            let word = [&self.word[..], &rest].concat();
            debug_assert_eq!(word.len(), length);
            weights[type_of(stabiliser(moves, &word))] += first * (4 * k / loops);
        };
        let turned =
            |g: usize, from: usize| self.word[from..].iter().map(move |&m| moves.image(g, m));
        let back = |g: usize, from: usize| {
            self.word[from..].iter().rev().map(move |&m| moves.opposite(moves.image(g, m)))
        };
        if quarter {
            for g in [1, 3] {
                let word: Vec<u8> = [0, 1, 2, 3]
                    .into_iter()
                    .flat_map(|times| {
                        let turn = (0..times).fold(0, |turn, _| super::moves::product(g, turn));
                        turned(turn, 0)
                    })
                    .collect();
                let mut cells = super::words::cells(moves, &word);
                cells.sort_unstable();
                if cells.windows(2).all(|pair| pair[0] != pair[1]) {
                    add(word[steps..].to_vec(), k);
                }
            }
            return;
        }
        // Whether x → shift + gx leads none of these cells to a visited one.
        let is_clear = |g: usize, shift: Point, cells: std::ops::Range<usize>| {
            self.cells[cells].iter().all(|&cell| !self.is_visited(plus(shift, image(g, cell))))
        };
        for g in TWOFOLD {
            let end_turned = image(g, end);
            if length.is_multiple_of(2) {
                if plus(end, end_turned) == (0, 0) && is_clear(g, end, 1..steps) {
                    add(turned(g, 0).collect(), 2 * k);
                }
                if end_turned == end && is_clear(g, (0, 0), 1..steps) {
                    add(back(g, 0).collect(), 4);
                }
                let second = self.cells[1];
                if plus(image(g, second), second) == (0, 0) {
                    let other = minus(plus(second, end_turned), end);
                    if let Some(other) = moves.find(other)
                        && is_clear(g, second, 2..steps + 1)
                    {
                        add(std::iter::once(other).chain(back(g, 1)).collect(), 4);
                    }
                }
            } else if let Some(other) = moves.find(minus(end_turned, end))
                && is_clear(g, (0, 0), 1..steps + 1)
            {
                add(std::iter::once(other).chain(back(g, 0)).collect(), 2);
            }
        }
    }
}
