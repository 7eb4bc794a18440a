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

use super::graph::MoveGraph;
use super::options::{CLOSED, DIRECTED, FROM, MOVES, TO};
use crate::answer::Subject;
use crate::board::Board;
use crate::error::{Error, Result};
use crate::question::{Question, Verb};

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

impl Task {
    /// The task that a question about a board sets, or what is wrong with it.
    pub(super) fn new(question: &Question, leapers: &[(i32, i32)]) -> Result<Task> {
        let drawing = question.drawing()?;
        let board = &drawing.board;
        if question.is_given(&MOVES) {
            check_room(leapers, board)?;
        }
        let mut task = Task::free(board.clone(), leapers);
        task.closed = question.flag(&CLOSED);
        task.directed = question.flag(&DIRECTED);
        for clue in &drawing.clues {
            task.fix(clue.number, clue.cell as u32).map_err(Error::place)?;
        }
        if question.verb != Verb::Explore {
            let last = task.len() as u32;
            for (opt, number) in [(FROM, 1), (TO, last)] {
                if let Some(cell) = question.cell(&opt, board)? {
                    task.fix(number, cell as u32)
                        .map_err(|sentence| Error::conflict(opt.name, sentence))?;
                }
            }
        }
        if task.directed && task.is_numbered() {
            return Err(Error::conflict(
                DIRECTED.name,
                "--directed says nothing where a number is fixed by a clue: there every placing \
                 of the numbers is counted.",
            ));
        }
        Ok(task)
    }

    /// Open or closed tours of a full board with nothing fixed.
    pub(super) fn rectangle(
        rows: usize,
        cols: usize,
        leapers: &[(i32, i32)],
        closed: bool,
    ) -> Result<Task> {
        Ok(Task { closed, ..Task::free(Board::rectangle(rows, cols)?, leapers) })
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

    /// An open tour from one cell to any other.
    pub(super) fn from(board: Board, leapers: &[(i32, i32)], from: u32) -> Result<Task> {
        let mut task = Task::free(board, leapers);
        task.fix(1, from).map_err(Error::internal)?;
        Ok(task)
    }

    /// An open tour from one cell to another.
    pub(super) fn between(
        board: Board,
        leapers: &[(i32, i32)],
        from: u32,
        to: u32,
    ) -> Result<Task> {
        let mut task = Task::free(board, leapers);
        task.fix(1, from).map_err(Error::internal)?;
        task.fix(task.len() as u32, to).map_err(Error::internal)?;
        Ok(task)
    }

    /// The same task with further numbers fixed, as (number, cell).
    pub(super) fn with(&self, clues: impl IntoIterator<Item = (u32, u32)>) -> Result<Task> {
        let mut task = self.clone();
        for (number, cell) in clues {
            task.fix(number, cell).map_err(Error::internal)?;
        }
        Ok(task)
    }

    /// The leapers whose moves these are.
    pub(super) fn leapers(&self) -> &[(i32, i32)] {
        &self.leapers
    }

    /// The same task with nothing fixed.
    pub(super) fn bare(&self) -> Task {
        let nothing = vec![None; self.len()];
        Task { cell_of: nothing.clone(), number_of: nothing, ..self.clone() }
    }

    /// The same task with no more fixed than the ends of an open tour.
    pub(super) fn without_clues(&self) -> Task {
        let ends = [1, self.len()].map(|number| self.cell_of(number));
        let mut task = self.bare();
        for (number, cell) in [1, self.len()].into_iter().zip(ends) {
            if let (Some(cell), false) = (cell, self.closed) {
                task.cell_of[number - 1] = Some(cell);
                task.number_of[cell as usize] = Some(number as u32);
            }
        }
        task
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

    /// Fixes a number at a cell; the error says what is there already.
    fn fix(&mut self, number: u32, cell: u32) -> Result<(), String> {
        let here = self.board.cell(cell as usize);
        if number == 0 || number as usize > self.len() {
            return Err(format!(
                "The number {number} at {here} is not between 1 and {}.",
                self.len()
            ));
        }
        if let Some(other) = self.number_of[cell as usize].filter(|&other| other != number) {
            return Err(format!("The cell {here} cannot hold both {other} and {number}."));
        }
        if let Some(other) = self.cell_of[number as usize - 1].filter(|&other| other != cell) {
            let there = self.board.cell(other as usize);
            return Err(format!("The number {number} cannot be both at {there} and at {here}."));
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

    /// The numbers that are fixed, as (number, cell).
    pub(super) fn fixed(&self) -> impl Iterator<Item = (u32, u32)> {
        (1..).zip(&self.cell_of).filter_map(|(number, cell)| Some((number, (*cell)?)))
    }

    /// Whether a search over all numberings meets each path in both directions.
    pub(super) fn has_two_directions(&self) -> bool {
        !self.is_numbered() && self.len() > 1
    }

    /// What is counted.
    pub(super) fn subject(&self) -> Subject {
        match (self.is_numbered(), self.directed, self.closed) {
            (true, _, false) => Subject::things(
                "numbered-open-paths",
                "open path numbered as asked",
                "open paths numbered as asked",
            ),
            (true, _, true) => Subject::things(
                "numbered-closed-paths",
                "closed path numbered as asked",
                "closed paths numbered as asked",
            ),
            (false, directed, closed) => paths(directed, closed),
        }
    }
}

/// Paths with nothing fixed.
pub(super) fn paths(directed: bool, closed: bool) -> Subject {
    match (directed, closed) {
        (true, false) => {
            Subject::things("directed-open-paths", "directed open path", "directed open paths")
        }
        (true, true) => Subject::things(
            "directed-closed-paths",
            "directed closed path",
            "directed closed paths",
        ),
        (false, false) => Subject::things(
            "undirected-open-paths",
            "undirected open path",
            "undirected open paths",
        ),
        (false, true) => Subject::things(
            "undirected-closed-paths",
            "undirected closed path",
            "undirected closed paths",
        ),
    }
}

/// Refuses a leaper that has no room on the board at all.
fn check_room(leapers: &[(i32, i32)], board: &Board) -> Result<()> {
    let (rows, cols) = (board.rows() as i32, board.cols() as i32);
    for &(a, b) in leapers {
        if !(a < rows && b < cols || b < rows && a < cols) {
            return Err(Error::option(
                MOVES.name,
                format!(
                    "The move ({a},{b}) is longer than {}, which has {rows} rows and {cols} \
                     columns.",
                    board.name()
                ),
            ));
        }
    }
    Ok(())
}
