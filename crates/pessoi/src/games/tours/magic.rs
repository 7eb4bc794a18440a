//! Magic tours: the numbers of every row have the same sum, and those of every column.
//!
//! Such a tour is *semi-magic*; *magic* if both diagonals of a square have that sum too. (On a
//! board that is not square rows have one sum and columns another.) W. Beverley found the first
//! one of the knight on the chessboard in 1848.
//!
//! Two proofs that there is none are seen at once. The sum of a row may be no whole number. And
//! where every move changes the colour of the cell, the odd numbers lie on cells of one colour;
//! if both sides of the board are odd, rows hold by turns one more and one fewer of them, so
//! that their sums are by turns odd and even.
//!
//! In a closed tour it matters where the number 1 is, though the closed path is the same: so every
//! cell is tried as its start.
//!
//! Otherwise paths are extended, and a path is given up as soon as a row, column or diagonal
//! cannot come to its sum: it gets at least the next numbers in its empty cells, and at most the
//! last ones. That decides small boards; a board of the size of the chessboard is mostly a
//! matter of luck.

use std::sync::Arc;

use pessoi_engine::search::{Outlook, Search};

use super::extend::{Extend, Order};
use super::options::MAGIC;
use super::proofs::Proof;
use super::task::Task;
use crate::certificate::{Certificate, Nothing};
use crate::error::{Error, Result};

const SEMI: &str = "semi";
const FULL: &str = "full";
/// How magic a tour can be.
pub(super) const KINDS: &[&str] = &[SEMI, FULL];

/// The kind of certificate that says: the sums cannot be equal.
pub(super) const SUMS: &str = "sums";

/// What sums are wanted.
pub(super) struct Magic {
    is_full: bool,
}

impl Magic {
    /// The sums that are asked for; refuses boards that have no rows of equal length.
    pub(super) fn new(kind: &str, task: &Task) -> Result<Self> {
        let is_full = kind == FULL;
        let board = &task.board;
        let refuse = |sentence: &str| Err(Error::conflict(MAGIC.name, sentence));
        if board.rows() * board.cols() != board.len() {
            return refuse("Magic tours are of full boards: without blocked cells.");
        }
        if is_full && board.rows() != board.cols() {
            return refuse("--magic full takes square boards; --magic semi takes all full boards.");
        }
        Ok(Magic { is_full })
    }

    /// For programs.
    pub(super) fn id(&self) -> &'static str {
        if self.is_full { "magic" } else { "semi-magic" }
    }

    /// For people, after the tours.
    pub(super) fn words(&self) -> &'static str {
        if self.is_full {
            "with equal sums of rows, columns and diagonals"
        } else {
            "with equal sums of rows and of columns"
        }
    }

    /// A proof that there is none, if it is seen at once.
    pub(super) fn proof(task: &Task) -> Option<Proof> {
        let (rows, cols, n) = (task.board.rows(), task.board.cols(), task.len());
        let alternates = task.leapers().iter().all(|(a, b)| (a + b) % 2 != 0);
        let sentence = if !(n * (n + 1) / 2).is_multiple_of(rows) {
            format!("the sum of a row would be {}, divided by {rows}", n * (n + 1) / 2)
        } else if !(n * (n + 1) / 2).is_multiple_of(cols) {
            format!("the sum of a column would be {}, divided by {cols}", n * (n + 1) / 2)
        } else if alternates && rows % 2 == 1 && cols % 2 == 1 && n > 1 {
            let lines = if rows > 1 { "rows" } else { "columns" };
            format!(
                "every move changes the colour of the cell, so the odd numbers are on one colour, \
                 and {lines} have by turns an odd and an even sum"
            )
        } else {
            return None;
        };
        Some(Proof { sentence, certificate: Certificate::own(SUMS, &Nothing {}) })
    }

    /// The search for such a tour.
    pub(super) fn search(&self, task: &Arc<Task>) -> Sums {
        Sums::new(task, self.is_full)
    }
}

/// A row, column or diagonal, as far as it is filled.
#[derive(Clone, Debug)]
struct Line {
    wanted: u64,
    sum: u64,
    empty: u64,
}

/// A path and the sums of its lines.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    path: Extend,
    /// For each cell, its lines.
    lines_of: Vec<Vec<usize>>,
    lines: Vec<Line>,
    cells: u64,
    /// Whether the number 1 can be anywhere.
    is_free: bool,
}

impl Sums {
    fn new(task: &Arc<Task>, is_full: bool) -> Self {
        let (rows, cols, n) = (task.board.rows(), task.board.cols(), task.len() as u64);
        let total = n * (n + 1) / 2;
        let line = |empty: usize, number: usize| Line {
            wanted: total / number as u64,
            sum: 0,
            empty: empty as u64,
        };
        let mut lines = vec![line(cols, rows); rows];
        lines.extend(vec![line(rows, cols); cols]);
        if is_full {
            lines.extend([line(rows, rows), line(rows, rows)]);
        }
        let cells = task.board.cells();
        let top = cells.iter().map(|cell| cell.row).min().unwrap_or(0);
        let left = cells.iter().map(|cell| cell.col).min().unwrap_or(0);
        let lines_of = cells.iter().map(|cell| {
            let (row, col) = ((cell.row - top) as usize, (cell.col - left) as usize);
            let mut of = vec![row, rows + col];
            if is_full && row == col {
                of.push(rows + cols);
            }
            if is_full && row + col + 1 == rows {
                of.push(rows + cols + 1);
            }
            of
        });
        let lines_of = lines_of.collect();
        let path = Extend::new(task.clone(), Order::Plain);
        Sums { path, lines_of, lines, cells: n, is_free: !task.is_numbered() }
    }

    /// Whether every line can still come to its sum.
    fn can_be_met(&self) -> bool {
        let next = self.path.path().len() as u64 + 1;
        self.lines.iter().all(|line| {
            let between = line.empty * line.empty.saturating_sub(1) / 2;
            let least = line.sum + line.empty * next + between;
            let most = (line.sum + line.empty * self.cells).saturating_sub(between);
            (least..=most).contains(&line.wanted)
        })
    }
}

impl Search for Sums {
    type Step = u32;
    type Solution = Vec<u32>;

    fn look(&mut self, steps: &mut Vec<u32>) -> Outlook {
        if !self.can_be_met() {
            return Outlook::Dead;
        }
        let outlook = self.path.look(steps);
        if self.is_free && self.path.path().is_empty() {
            // Of a closed path one start is offered.
            *steps = (0..self.cells as u32).collect();
        }
        outlook
    }

    fn take(&mut self, step: u32) {
        self.path.take(step);
        let number = self.path.path().len() as u64;
        for &line in &self.lines_of[step as usize] {
            self.lines[line].sum += number;
            self.lines[line].empty -= 1;
        }
    }

    fn undo(&mut self) {
        let number = self.path.path().len() as u64;
        if let Some(&step) = self.path.path().last() {
            for &line in &self.lines_of[step as usize] {
                self.lines[line].sum -= number;
                self.lines[line].empty += 1;
            }
        }
        self.path.undo();
    }

    fn solution(&self) -> Vec<u32> {
        self.path.solution()
    }

    fn heap_bytes(&self) -> usize {
        self.path.heap_bytes() + self.lines.len() * size_of::<Line>() + 64 * self.lines_of.len()
    }
}
