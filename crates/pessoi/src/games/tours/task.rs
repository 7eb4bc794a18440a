//! What a tour must be: which cells, open or closed, which numbers already placed.
//!
//! A **tour** of n cells gives them the numbers 1 to n so that i and i+1 are one
//! move apart; a *closed* tour also has n one move from 1. `--from` fixes the number
//! 1, `--to` the number n, and clues fix any; all are kept alike, as numbers that
//! have their cell.
//!
//! Where no number is fixed, a tour can be read from either end, and it is one
//! *undirected* path, or two *directed* ones. Where a number is fixed, each way of
//! placing all the numbers is counted.

use crate::board::{Board, Lattice};
use crate::error::{Error, Result};
use crate::question::{Place, Question};

use super::graph::MoveGraph;

/// What a tour must be.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) board: Board,
    pub(super) graph: MoveGraph,
    leapers: Vec<(i32, i32)>,
    pub(super) closed: bool,
    /// Whether the two directions of one path are counted as two.
    pub(super) directed: bool,
    /// For each number from 1: its cell, if it is fixed.
    cell_of: Vec<Option<u32>>,
    /// For each cell: its number, if it is fixed.
    number_of: Vec<Option<u32>>,
}

/// The largest board for which a path is kept in memory cell by cell.
const MOST_CELLS: usize = 1_000_000;

impl Task {
    /// The task that a question sets, or what is wrong with it.
    pub(super) fn new(question: &Question, leapers: &[(i32, i32)]) -> Result<Task> {
        let Place::Board(drawing) = &question.place else {
            let not = match question.place {
                Place::Size(size) => format!(", not on a size {size}"),
                _ => "; name one".into(),
            };
            return Err(Error::input(format!(
                "{} is played on a board, such as 6x6 or a drawing{not}.",
                question.game
            )));
        };
        let board = &drawing.board;
        if board.lattice() == Lattice::Hex {
            return Err(Error::input(format!(
                "{} is played on square boards, and {} is hexagonal.",
                question.game,
                board.name()
            )));
        }
        if board.len() > MOST_CELLS {
            return Err(Error::input(format!(
                "{} has {} cells; {} takes boards of up to {MOST_CELLS}.",
                board.name(),
                board.len(),
                question.game
            )));
        }
        let mut task = Task::free(board.clone(), leapers);
        task.closed = question.flag("closed");
        task.directed = question.flag("directed");
        for clue in &drawing.clues {
            task.fix(clue.number, clue.cell as u32)?;
        }
        if let Some(from) = question.cell("from", board)? {
            task.fix(1, from as u32)?;
        }
        if let Some(to) = question.cell("to", board)? {
            task.fix(task.len() as u32, to as u32)?;
        }
        if task.directed && task.is_numbered() {
            return Err(Error::input(
                "--directed says nothing where a number is fixed (by --from, --to or a clue): \
                 there every placing of the numbers is counted.",
            ));
        }
        Ok(task)
    }

    /// An open tour with nothing fixed.
    fn free(board: Board, leapers: &[(i32, i32)]) -> Task {
        let n = board.len();
        Task {
            graph: MoveGraph::new(&board, leapers),
            leapers: leapers.to_vec(),
            closed: false,
            directed: false,
            cell_of: vec![None; n],
            number_of: vec![None; n],
            board,
        }
    }

    /// An open tour from one cell to another.
    pub(super) fn between(
        board: Board,
        leapers: &[(i32, i32)],
        from: u32,
        to: u32,
    ) -> Result<Task> {
        let mut task = Task::free(board, leapers);
        task.fix(1, from)?;
        task.fix(task.len() as u32, to)?;
        Ok(task)
    }

    /// The same task with further numbers fixed, as (number, cell).
    pub(super) fn with(&self, clues: impl IntoIterator<Item = (u32, u32)>) -> Result<Task> {
        let mut task = self.clone();
        for (number, cell) in clues {
            task.fix(number, cell)?;
        }
        Ok(task)
    }

    /// Whether the moves are those of just these leapers.
    pub(super) fn graph_is_of(&self, leapers: &[(i32, i32)]) -> bool {
        let sorted = |leapers: &[(i32, i32)]| {
            let mut all: Vec<_> = leapers.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        sorted(&self.leapers) == sorted(leapers)
    }

    fn fix(&mut self, number: u32, cell: u32) -> Result<()> {
        let here = self.board.cell(cell as usize);
        if number == 0 || number as usize > self.len() {
            return Err(Error::input(format!(
                "The number {number} at {here} is not between 1 and {}.",
                self.len()
            )));
        }
        if let Some(other) = self.number_of[cell as usize].filter(|&other| other != number) {
            return Err(Error::input(format!(
                "The cell {here} cannot hold both {other} and {number}."
            )));
        }
        if let Some(other) = self.cell_of[number as usize - 1].filter(|&other| other != cell) {
            let there = self.board.cell(other as usize);
            return Err(Error::input(format!(
                "The number {number} cannot be both at {there} and at {here}."
            )));
        }
        self.number_of[cell as usize] = Some(number);
        self.cell_of[number as usize - 1] = Some(cell);
        Ok(())
    }

    /// How many cells there are, and so how many numbers.
    pub(super) fn len(&self) -> usize {
        self.board.len()
    }

    /// The cell that a number (from 1) must have.
    pub(super) fn cell_of(&self, number: usize) -> Option<u32> {
        self.cell_of.get(number.wrapping_sub(1)).copied().flatten()
    }

    /// The number (from 1) that a cell must have.
    pub(super) fn number_of(&self, cell: u32) -> Option<u32> {
        self.number_of[cell as usize]
    }

    /// Whether any number is fixed, so that placings are counted and not paths.
    pub(super) fn is_numbered(&self) -> bool {
        self.cell_of.iter().any(Option::is_some)
    }

    /// Whether a number between the first and the last is fixed.
    pub(super) fn has_inner_clues(&self) -> bool {
        let inner = 1..self.len().saturating_sub(1);
        self.cell_of.get(inner).is_some_and(|inner| inner.iter().any(Option::is_some))
    }

    /// Whether each path is met in both directions by one who walks all numberings.
    pub(super) fn has_two_directions(&self) -> bool {
        !self.is_numbered() && self.len() > 1
    }

    /// What is counted, in words.
    pub(super) fn counts(&self) -> &'static str {
        match (self.is_numbered(), self.directed, self.closed) {
            (true, _, false) => "open paths numbered as asked",
            (true, _, true) => "closed paths numbered as asked",
            (false, true, false) => "directed open paths",
            (false, true, true) => "directed closed paths",
            (false, false, false) => "undirected open paths",
            (false, false, true) => "undirected closed paths",
        }
    }
}
