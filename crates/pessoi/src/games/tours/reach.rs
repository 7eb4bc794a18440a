//! Which cells can hold which numbers, seen from the clues alone.
//!
//! From a clue k a path comes to the cell of k+j by j moves. So the cells that can hold
//! k+j are among those that some *walk* of exactly j moves reaches without stepping on
//! another clue; and backwards from the next clue in the same way. Walks may step on a
//! cell twice where paths may not, so too much may be allowed but never too little.
//!
//! A cell's **deadline** is the last number that it can hold: a path that has passed it
//! and left the cell out is dead.

use super::task::Task;

/// Larger boards would need large tables: a bit for each number and cell.
const MOST_CELLS: usize = 4096;

/// For each number the cells that can hold it, and for each cell its deadline.
#[derive(Debug)]
pub(super) struct Reach {
    /// Words of bits for each number.
    width: usize,
    /// Row by row, for the numbers from 1.
    bits: Vec<u64>,
    /// The cells by their deadlines, from 0 for those that can hold no number at all.
    due: Vec<Vec<u32>>,
}

impl Reach {
    /// The table of a task with clues; `None` where it would say little or be large.
    pub(super) fn new(task: &Task) -> Option<Reach> {
        let n = task.len();
        if !task.has_inner_clues() || n > MOST_CELLS {
            return None;
        }
        let width = n.div_ceil(64);
        let mut reach = Reach { width, bits: vec![0; n * width], due: vec![Vec::new(); n + 1] };
        for number in 1..=n {
            for cell in 0..n as u32 {
                let fits = match (task.number_of(cell), task.cell_of(number)) {
                    (None, None) => true,
                    (fixed, _) => fixed == Some(number as u32),
                };
                reach.set(cell, number, fits);
            }
        }
        for number in 2..=n {
            reach.narrow(task, number, number - 1);
        }
        for number in (1..n).rev() {
            reach.narrow(task, number, number + 1);
        }
        for cell in 0..n as u32 {
            let deadline = (1..=n).rev().find(|&number| reach.allows(cell, number)).unwrap_or(0);
            reach.due[deadline].push(cell);
        }
        Some(reach)
    }

    /// Keeps of the cells for a number those one move from a cell for the number beside it.
    fn narrow(&mut self, task: &Task, number: usize, beside: usize) {
        for cell in 0..task.len() as u32 {
            if self.allows(cell, number) {
                let near = task.graph.neighbours(cell);
                let fits = near.iter().any(|&near| self.allows(near, beside));
                self.set(cell, number, fits);
            }
        }
    }

    fn set(&mut self, cell: u32, number: usize, fits: bool) {
        let word = &mut self.bits[(number - 1) * self.width + cell as usize / 64];
        let bit = 1 << (cell % 64);
        *word = if fits { *word | bit } else { *word & !bit };
    }

    /// Whether the clues let a cell hold a number (from 1).
    pub(super) fn allows(&self, cell: u32, number: usize) -> bool {
        self.bits[(number - 1) * self.width + cell as usize / 64] >> (cell % 64) & 1 == 1
    }

    /// The cells that can hold this number and none after it.
    pub(super) fn due(&self, number: usize) -> &[u32] {
        &self.due[number]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::extend::{Extend, Order};
    use super::*;
    use crate::board::{Board, Cell, Lattice};
    use crate::question::{Place, Question, Verb};
    use pessoi_engine::run::Run;
    use pessoi_engine::search::Walk;

    fn task(drawing: crate::board::Drawing, leapers: &[(i32, i32)], closed: bool) -> Arc<Task> {
        let mut question = Question::new(Verb::Count, "diplomatico", "1x1").unwrap();
        question.place = Place::Board(drawing);
        Arc::new(Task::new(&question.with("closed", closed), leapers).unwrap())
    }

    fn all(search: Extend) -> (Vec<Vec<u32>>, u64) {
        let run = Run::default();
        let mut walk = Walk::new(search, &run);
        let found = walk.by_ref().map(Result::unwrap).collect();
        (found, walk.nodes())
    }

    #[test]
    fn walks_step_on_no_other_clue() {
        // A wazir in a corridor, with 2 in its middle: 1 and 3 are beside it.
        let drawing = crate::board::Drawing::parse("0 2 0").unwrap();
        let task = task(drawing, &[(1, 0)], false);
        let reach = Reach::new(&task).unwrap();
        let cells = |number| (0..3).filter(|&cell| reach.allows(cell, number)).collect::<Vec<_>>();
        assert_eq!([cells(1), cells(2), cells(3)], [vec![0, 2], vec![1], vec![0, 2]]);
        assert_eq!(reach.due(3), [0, 2]);
        assert_eq!(reach.due(2), [1]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// The same solutions in the same order as without the table, on boards with
        /// blocked cells and with clues of a tour or of none.
        #[test]
        fn nothing_is_lost(
            cells in prop::collection::vec(prop::bool::weighted(0.9), 20),
            king in any::<bool>(),
            closed in any::<bool>(),
            clues in prop::collection::vec((0usize..20, 0u32..20), 1..5),
            of_tour in any::<bool>(),
        ) {
            let leapers: &[(i32, i32)] = if king { &[(1, 0), (1, 1)] } else { &[(3, 0), (2, 2)] };
            let cells = (0..20).filter(|&k| cells[k as usize]);
            let cells = cells.map(|k| Cell { row: k / 5, col: k % 5 });
            let board = Board::from_cells(Lattice::Square, cells).unwrap();
            let n = board.len();
            let empty = crate::board::Drawing { board, clues: Vec::new() };
            let free = task(empty.clone(), leapers, closed);
            let run = Run::default();
            let order = Order::Plain;
            let mut walk = Walk::new(Extend::new(free.clone(), order.clone()), &run);
            let tour = match walk.advance(20_000) {
                Ok(pessoi_engine::search::Advance::Found) => Some(walk.search().path().to_vec()),
                _ => None,
            };
            let mut fixed = Vec::new();
            for (cell, number) in clues {
                let number = number % n as u32;
                let cell = match &tour {
                    Some(tour) if of_tour => tour[number as usize],
                    _ => (cell % n) as u32,
                };
                let clash = |&(k, c): &(u32, u32)| k == number + 1 || c == cell;
                if !fixed.iter().any(clash) {
                    fixed.push((number + 1, cell));
                }
            }
            // Few enough solutions on which to compare everything.
            fixed.extend(tour.iter().filter(|_| king && of_tour).flat_map(|tour| {
                let known: Vec<u32> = fixed.iter().map(|&(number, _)| number).collect();
                (1..).zip(tour.clone()).filter(move |(k, _)| k % 3 == 0 && !known.contains(k))
            }).collect::<Vec<_>>());
            prop_assume!(!king || of_tour && tour.is_some());
            let clued = Arc::new(free.with(fixed).unwrap());
            let (found, nodes) = all(Extend::new(clued.clone(), order.clone()));
            let (expected, more) = all(Extend::without_reach(clued, order));
            prop_assert_eq!(found, expected);
            prop_assert!(nodes <= more);
        }
    }
}
