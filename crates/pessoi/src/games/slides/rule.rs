//! Boards and the slides on them.
//!
//! A **slide** moves one tile into a neighbouring hole. Square tiles need nothing else.
//! A hexagonal tile has no room to pass between two others, so another hole must touch
//! both the tile and the hole that it slides into.
//!
//! Cells are bits of a `u128`, so a board has at most 127 of them: the flower `F7` has.

use crate::board::{Board, Lattice};

/// The most cells of a board.
pub(super) const MOST_CELLS: usize = 127;

/// A set of cells, a bit each.
pub(super) type Cells = u128;

/// A board with its slides.
#[derive(Clone, Debug)]
pub(super) struct Puzzle {
    pub(super) board: Board,
    /// For each cell, from where tiles may slide into it, and the cells of which one must
    /// be a hole for that; all cells if no more is needed.
    into: Vec<Vec<(u8, Cells)>>,
}

impl Puzzle {
    /// The slides on a board of at most [`MOST_CELLS`] cells.
    pub(super) fn new(board: &Board) -> Puzzle {
        let lattice = board.lattice();
        let around = |cell: usize| board.neighbours(cell).fold(0, |set, near| set | bit(near));
        let into = |hole: usize| {
            let slide = |tile: usize| match lattice {
                Lattice::Square => (tile as u8, Cells::MAX),
                Lattice::Hex => (tile as u8, around(hole) & around(tile)),
            };
            board.neighbours(hole).map(slide).filter(|(_, third)| *third != 0).collect()
        };
        Puzzle { into: (0..board.len()).map(into).collect(), board: board.clone() }
    }

    /// How many cells there are.
    pub(super) fn len(&self) -> usize {
        self.into.len()
    }

    /// Offers every slide that some holes allow: the cell of the tile, and the hole.
    pub(super) fn slides(&self, holes: Cells, mut offer: impl FnMut(u8, u8)) {
        let mut left = holes;
        while left != 0 {
            let hole = left.trailing_zeros() as u8;
            left &= left - 1;
            for &(tile, third) in &self.into[hole as usize] {
                if holes & bit(tile as usize) == 0 && holes & third != 0 {
                    offer(tile, hole);
                }
            }
        }
    }

    /// Whether no tile can slide.
    pub(super) fn is_isolated(&self, holes: Cells) -> bool {
        let mut any = false;
        self.slides(holes, |_, _| any = true);
        !any
    }

    /// Holes for a start: those of a slide, as late in the order of the cells as
    /// possible, and the last cells beyond. `None` if no tile can slide wherever the
    /// holes are.
    pub(super) fn home_holes(&self, holes: usize) -> Option<Cells> {
        let mut best = None;
        for hole in 0..self.len() {
            for &(tile, third) in &self.into[hole] {
                let thirds: Vec<usize> = match third {
                    Cells::MAX => vec![hole],
                    _ => (0..self.len()).filter(|&cell| third & bit(cell) != 0).collect(),
                };
                for third in thirds {
                    let mut set = bit(hole) | bit(third);
                    let mut left = holes.checked_sub(set.count_ones() as usize);
                    for cell in (0..self.len()).rev() {
                        if set & bit(cell) == 0 && cell != tile as usize && left > Some(0) {
                            set |= bit(cell);
                            left = left.map(|left| left - 1);
                        }
                    }
                    if left == Some(0) {
                        best = best.max(Some(set));
                    }
                }
            }
        }
        best
    }
}

/// The set of one cell.
pub(super) fn bit(cell: usize) -> Cells {
    1 << cell
}
