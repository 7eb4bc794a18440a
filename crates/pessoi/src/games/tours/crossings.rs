//! Tours that cross themselves as rarely as can be.
//!
//! Two moves of a tour *cross* if, drawn as straight lines, they have a point in common, and not
//! just the cell where one follows the other. Paths are extended, first where this adds the
//! fewest crossings, and a path is given up once it crosses itself as often as the best tour so
//! far: a branch and bound. When everything was tried, the best tour has the fewest. It begins
//! with a tour that exchanges have made a good one (see `exchange`).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pessoi_engine::random::Random;
use pessoi_engine::search::{Outlook, Search};

use super::extend::{Extend, Order};
use super::task::Task;
use crate::board::segments::conflict;

/// A tour and how often it crosses itself.
type Crossed = (Vec<u32>, u64);

/// The best tour so far, known to the search and to who walks it.
#[derive(Clone, Debug, Default)]
pub(super) struct Best(Rc<RefCell<Option<Crossed>>>);

impl Best {
    /// How often the best tour crosses itself.
    pub(super) fn crossings(&self) -> Option<u64> {
        self.0.borrow().as_ref().map(|(_, crossings)| *crossings)
    }

    /// Takes a tour that is better.
    pub(super) fn improve(&self, path: Vec<u32>, crossings: u64) {
        *self.0.borrow_mut() = Some((path, crossings));
    }

    /// The best tour.
    pub(super) fn take(&self) -> Option<Crossed> {
        self.0.borrow_mut().take()
    }
}

/// A path and how often it crosses itself.
#[derive(Clone, Debug)]
pub(super) struct Fewer {
    path: Extend,
    closed: bool,
    /// Row and column of each cell.
    places: Vec<(i32, i32)>,
    /// Crossings of the path up to each of its cells.
    crossings: Vec<u64>,
    best: Best,
}

impl Fewer {
    pub(super) fn new(task: &Arc<Task>, seed: u64, best: Best) -> Self {
        let order = Order::warnsdorff(task.len(), &mut Random::new(seed, 0));
        let places = task.board.cells().iter().map(|cell| (cell.row, cell.col)).collect();
        let path = Extend::new(task.clone(), order);
        Fewer { path, closed: task.closed, places, crossings: Vec::new(), best }
    }

    /// How many moves of the path a move from its end to `to` crosses.
    fn added(&self, to: u32) -> u64 {
        let path = self.path.path();
        let place = |cell: u32| self.places[cell as usize];
        let Some(&head) = path.last() else { return 0 };
        let is_crossed = |pair: &&[u32]| {
            let (a, b, c, d) = (place(pair[0]), place(pair[1]), place(head), place(to));
            conflict(a, b, c, d)
        };
        path.windows(2).filter(is_crossed).count() as u64
    }

    /// How often the path crosses itself; a closed one that is complete, with its last move.
    pub(super) fn crossings(&self) -> u64 {
        let path = self.path.path();
        let so_far = self.crossings.last().copied().unwrap_or(0);
        match path {
            [first, .., _] if self.closed && path.len() == self.places.len() => {
                so_far + self.added(*first)
            }
            _ => so_far,
        }
    }
}

impl Search for Fewer {
    type Step = u32;
    type Solution = Vec<u32>;

    fn look(&mut self, steps: &mut Vec<u32>) -> Outlook {
        if self.best.crossings().is_some_and(|best| self.crossings() >= best) {
            return Outlook::Dead;
        }
        let outlook = self.path.look(steps);
        if outlook == Outlook::Branch {
            steps.sort_by_cached_key(|&to| self.added(to));
        }
        outlook
    }

    fn take(&mut self, step: u32) {
        let crossings = self.crossings.last().copied().unwrap_or(0) + self.added(step);
        self.crossings.push(crossings);
        self.path.take(step);
    }

    fn undo(&mut self) {
        self.crossings.pop();
        self.path.undo();
    }

    fn solution(&self) -> Vec<u32> {
        self.path.solution()
    }

    fn heap_bytes(&self) -> usize {
        self.path.heap_bytes() + 16 * self.places.len()
    }
}
