//! Finding by rotations: Warnsdorff's rule, and Pósa's way out of dead ends.
//!
//! A path grows from its head by Warnsdorff's rule until the head has no free neighbour.
//! Then it is not undone but *rotated* (Pósa 1976): the head is joined to a neighbour u on
//! the path, and the move from u to its successor s is given up. What was the path up to u
//! and the rest backwards is again a path through the same cells, with s as its head. New
//! heads that have a free neighbour are preferred, then those that were heads longest ago.
//! The path may also be turned round, if its start is free.
//!
//! This proves nothing where it fails, but it fails rarely: 100×100 boards take
//! milliseconds.

use std::ops::Range;

use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};

use super::task::Task;

/// Rotations for each cell before the path is begun anew.
const ROTATIONS_A_CELL: u64 = 50;
/// Never fewer than this.
const LEAST_ROTATIONS: u64 = 20_000;

/// Whether rotations can be used at all: they cannot fix when a cell is visited.
pub(super) fn suits(task: &Task) -> bool {
    let ends_of_loop = task.closed && task.cell_of(task.len()).is_some();
    !task.has_inner_clues() && !ends_of_loop && task.len() > 2
}

/// Looks for a tour; `None` if all attempts failed. The number of an attempt is that of
/// its random stream, so others than the first give other tours.
pub(super) fn find(task: &Task, attempts: Range<u64>, run: &Run) -> Result<Option<Vec<u32>>, Stop> {
    run.stage("rotating paths", 0);
    for attempt in attempts {
        let mut path = Path::new(task, Random::new(run.budget().seed, attempt));
        if path.grow(run)? {
            return Ok(Some(path.numbered()));
        }
    }
    Ok(None)
}

const OFF: u32 = u32::MAX;

struct Path<'t> {
    task: &'t Task,
    random: Random,
    /// The fixed start, if any; a path with only its end fixed is found backwards.
    start: Option<u32>,
    /// The cell that must come last; it is kept free until then.
    hidden: Option<u32>,
    backwards: bool,
    cells: Vec<u32>,
    /// For each cell its place on the path, or `OFF`.
    place: Vec<u32>,
    /// For each cell how many of its neighbours are not on the path.
    free: Vec<u16>,
    /// For each cell when it last became the head.
    headed: Vec<u64>,
}

impl<'t> Path<'t> {
    fn new(task: &'t Task, mut random: Random) -> Self {
        let n = task.len();
        let (first, last) = (task.cell_of(1), task.cell_of(n));
        let backwards = first.is_none() && last.is_some();
        let (start, hidden) = if task.closed {
            (None, None)
        } else if backwards {
            (last, None)
        } else {
            (first, last)
        };
        // A cell with a single neighbour is an end of every open path.
        let poor = (0..n as u32).find(|&cell| task.graph.degree(cell) == 1 && Some(cell) != hidden);
        let begin = start.or(poor.filter(|_| !task.closed)).unwrap_or_else(|| {
            loop {
                let cell = random.below(n as u64) as u32;
                if Some(cell) != hidden {
                    break cell;
                }
            }
        });
        let mut path = Path {
            task,
            random,
            start,
            hidden,
            backwards,
            cells: Vec::with_capacity(n),
            place: vec![OFF; n],
            free: (0..n as u32).map(|cell| task.graph.degree(cell) as u16).collect(),
            headed: vec![0; n],
        };
        if let Some(hidden) = hidden {
            path.leave(hidden);
        }
        path.append(begin);
        path
    }

    /// One free neighbour less for all neighbours of a cell.
    fn leave(&mut self, cell: u32) {
        for &near in self.task.graph.neighbours(cell) {
            self.free[near as usize] -= 1;
        }
    }

    fn append(&mut self, cell: u32) {
        self.place[cell as usize] = self.cells.len() as u32;
        self.cells.push(cell);
        self.leave(cell);
    }

    fn is_free(&self, cell: u32) -> bool {
        self.place[cell as usize] == OFF && Some(cell) != self.hidden
    }

    /// Grows and rotates until the path is a tour, or the attempt is given up.
    fn grow(&mut self, run: &Run) -> Result<bool, Stop> {
        let n = self.task.len();
        let wanted = n - usize::from(self.hidden.is_some());
        let granted = (ROTATIONS_A_CELL * n as u64).max(LEAST_ROTATIONS);
        let mut rotations = 0;
        let mut steps = 0u64;
        while rotations < granted {
            steps += 1;
            // A rotation may turn round a large part of the path.
            if steps.is_multiple_of(64) {
                run.tick(64)?;
            }
            let Some(&head) = self.cells.last() else { return Ok(false) };
            if self.cells.len() == wanted && self.is_whole(head) {
                return Ok(true);
            }
            if let Some(next) = self.best_step(head) {
                self.append(next);
                continue;
            }
            rotations += 1;
            let may_turn = self.start.is_none();
            if may_turn && self.random.below(8) == 0 {
                self.turn_round(0);
            } else if let Some(pivot) = self.best_pivot(head, wanted) {
                self.turn_round(pivot + 1);
            } else if may_turn {
                self.turn_round(0);
            } else {
                return Ok(false);
            }
            if let Some(&head) = self.cells.last() {
                self.headed[head as usize] = rotations;
            }
        }
        Ok(false)
    }

    /// Whether a path through all cells (but a hidden one) ends as it must.
    fn is_whole(&self, head: u32) -> bool {
        let graph = &self.task.graph;
        match self.hidden {
            Some(hidden) => graph.joined(head, hidden),
            None => !self.task.closed || graph.joined(head, self.cells[0]),
        }
    }

    /// The free neighbour with the fewest free neighbours, ties at random.
    fn best_step(&mut self, head: u32) -> Option<u32> {
        let mut best = None;
        for &cell in self.task.graph.neighbours(head) {
            if self.is_free(cell) {
                let key = (u64::from(self.free[cell as usize]) << 32) | (self.random.bits() >> 32);
                if best.is_none_or(|(least, _)| key < least) {
                    best = Some((key, cell));
                }
            }
        }
        best.map(|(_, cell)| cell)
    }

    /// The place on the path where the head is best joined.
    fn best_pivot(&mut self, head: u32, wanted: usize) -> Option<usize> {
        let graph = &self.task.graph;
        let full = self.cells.len() == wanted;
        let mut best: Option<(u64, usize)> = None;
        for &cell in graph.neighbours(head) {
            let place = self.place[cell as usize];
            if place == OFF || place as usize + 2 >= self.cells.len() {
                continue;
            }
            let next_head = self.cells[place as usize + 1];
            let good = if full {
                self.is_whole(next_head)
            } else {
                graph.neighbours(next_head).iter().any(|&near| self.is_free(near))
            };
            let key = if good {
                self.random.below(2)
            } else {
                2 + self.headed[next_head as usize] * 8 + self.random.below(8)
            };
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, place as usize));
            }
        }
        best.map(|(_, place)| place)
    }

    /// Turns the path from a place on round.
    fn turn_round(&mut self, from: usize) {
        self.cells[from..].reverse();
        for place in from..self.cells.len() {
            self.place[self.cells[place] as usize] = place as u32;
        }
    }

    /// The tour from number 1 on.
    fn numbered(mut self) -> Vec<u32> {
        self.cells.extend(self.hidden);
        if self.backwards {
            self.cells.reverse();
        }
        if let (true, Some(first)) = (self.task.closed, self.task.cell_of(1))
            && let Some(at) = self.cells.iter().position(|&cell| cell == first)
        {
            self.cells.rotate_left(at);
        }
        self.cells
    }
}
