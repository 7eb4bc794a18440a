//! Tours that a symmetry of the board keeps: the same moves after a turn or in the mirror.
//!
//! What can a symmetry that keeps a tour of n cells do to it? It moves every cell by the same
//! number of steps along a closed tour, or it **reverses** the tour; an open one it can only
//! reverse. Much is excluded by this alone:
//!
//! - What reverses a tour is undone when it is done twice. A quarter turn is not, so it keeps no
//!   open tour, and in a closed one it moves every cell n/4 or 3n/4 steps.
//! - What moves every cell leaves none where it is, and a half turn or mirror moves them n/2
//!   steps.
//! - What reverses a tour leaves its middle where it is: an open tour has one, which is a cell if
//!   n is odd and a move if it is even; a closed one has two, which are two cells or two moves if
//!   n is even, and one of each if it is odd. A move that stays where it is joins a cell and its
//!   image.
//! - Where every move changes the colour of the cell (on a chequered board), colours say whether
//!   a number of steps is odd, and reversing a tour between two cells or about a cell keeps all
//!   colours, about a move changes all.
//!
//! So the chessboard has no knight's tour that a quarter turn or a mirror keeps, and boards of
//! side 6, 10, 14 … may have one that a quarter turn keeps.
//!
//! Everything else is decided by the SAT solver, which is given one variable for all images of a
//! move (see `sat`): a tour of the kind, or a proof that there is none.

use pessoi_engine::run::{Run, Stop};

use super::options::KEPT_BY;
use super::proofs::Proof;
use super::sat;
use super::task::Task;
use crate::certificate::{Certificate, Nothing};
use crate::error::{Error, Result};

const ROTATION: &str = "rotation";
const HALF_TURN: &str = "half-turn";
const MIRROR: &str = "mirror";
/// What a tour can be kept by.
pub(super) const KINDS: &[&str] = &[ROTATION, HALF_TURN, MIRROR];

/// The kind of certificate that says: the symmetry can neither move the cells of a tour along it
/// nor reverse it.
pub(super) const EXCLUDED: &str = "excluded-symmetry";

/// The symmetries of a kind that the board has.
pub(super) struct Symmetric {
    kind: &'static str,
    /// Where each of them takes the cells.
    images: Vec<Vec<u32>>,
}

/// What looking for a symmetric tour came to.
pub(super) enum Kept {
    /// A tour, from number 1 on.
    Tour(Vec<u32>),
    /// Why there is none.
    None(String),
}

impl Symmetric {
    /// The symmetries that are asked for; refuses boards that have none of them.
    pub(super) fn new(kind: &str, task: &Task) -> Result<Self> {
        let Some(&kind) = KINDS.iter().find(|known| **known == kind) else {
            return Err(Error::internal(format!("{kind} is no kind of symmetry")));
        };
        if !sat::suits(task) {
            return Err(Error::conflict(
                KEPT_BY.name,
                "--symmetric takes boards of three cells or more without clues, and --from and \
                 --to for open tours.",
            ));
        }
        let symmetries = task.board.symmetries();
        let images: Vec<Vec<u32>> = symmetries
            .into_iter()
            .map(|symmetry| symmetry.permutation)
            .filter(|image| is_of_kind(kind, image, task))
            .collect();
        if images.is_empty() {
            let words = words_of(kind);
            let name = task.board.name();
            return Err(Error::conflict(
                KEPT_BY.name,
                format!("The board {name} is not kept by {words}, so no tour of it is."),
            ));
        }
        // A turn to the left keeps what a turn to the right keeps.
        let images = if kind == ROTATION { images[..1].to_vec() } else { images };
        Ok(Symmetric { kind, images })
    }

    /// Where each of the symmetries takes the cells.
    #[cfg(test)]
    pub(super) fn images(&self) -> &[Vec<u32>] {
        &self.images
    }

    /// For programs.
    pub(super) fn id(&self) -> &'static str {
        match self.kind {
            ROTATION => "kept-by-rotation",
            HALF_TURN => "kept-by-half-turn",
            _ => "kept-by-mirror",
        }
    }

    /// For people, after the tours.
    pub(super) fn words(&self) -> &'static str {
        match self.kind {
            ROTATION => "that a quarter turn keeps",
            HALF_TURN => "that a half turn keeps",
            _ => "that a mirror keeps",
        }
    }

    /// A proof that there is none, if it is seen at once.
    pub(super) fn proof(&self, task: &Task) -> Option<Proof> {
        let reasons: Option<Vec<String>> =
            self.images.iter().map(|image| excluded(task, image)).collect();
        let mut reasons = reasons?;
        reasons.dedup();
        let sentence = reasons.join("; and of another: ");
        Some(Proof { sentence, certificate: Certificate::own(EXCLUDED, &Nothing {}) })
    }

    /// Looks for a tour that one of the symmetries keeps.
    pub(super) fn find(&self, task: &Task, run: &Run) -> Result<Kept, Stop> {
        for image in &self.images {
            if let sat::Outcome::Tour(path) = sat::solve_kept(task, image, run)? {
                return Ok(Kept::Tour(path));
            }
        }
        Ok(Kept::None(format!(
            "a SAT solver found that no set of moves which {} keeps gives every cell its two and \
             is one tour",
            words_of(self.kind)
        )))
    }
}

/// Why a symmetry can keep no tour, if that is seen at once.
fn excluded(task: &Task, image: &[u32]) -> Option<String> {
    let n = task.len();
    let colour = |cell: usize| {
        let at = task.board.cell(cell);
        (at.row + at.col).rem_euclid(2)
    };
    let cells = || (0..n).zip(image.iter().map(|&to| to as usize));
    let alternates = task.leapers().iter().all(|(a, b)| (a + b) % 2 != 0);
    // Whether colours allow what changes the colour of all cells, or of none.
    let colours_allow =
        |change: bool| !alternates || cells().all(|(a, b)| (colour(a) != colour(b)) == change);
    let staying = cells().filter(|(from, to)| from == to).count();
    let is_undone_by_itself = cells().all(|(from, to)| image[to] as usize == from);
    let inverted = cells().filter(|&(a, b)| a < b && task.graph.joined(a as u32, b as u32)).count();
    let parts = if is_undone_by_itself { 2 } else { 4 };
    let moving = if !task.closed {
        "an open tour begins and ends"
    } else if staying > 0 {
        "cells stay where they are"
    } else if !n.is_multiple_of(parts) {
        "the cells do not fall into equal parts"
    } else if !colours_allow(!(n / parts).is_multiple_of(2)) {
        "a cell and its image have colours that do not fit their distance along the tour"
    } else {
        return None;
    };
    let middles = if task.closed { 2 } else { 1 };
    // What the middles of a tour are: so many cells, and moves.
    let (about_cells, about_moves) = match (task.closed, n % 2 == 1) {
        (true, true) => (Some((1, 1)), None),
        (true, false) => (Some((2, 0)), Some((0, 2))),
        (false, true) => (Some((1, 0)), None),
        (false, false) => (None, Some((0, 1))),
    };
    let fits = |middle: Option<(usize, usize)>, changed: bool| {
        middle.is_some_and(|(cells, moves)| {
            staying == cells && inverted >= moves && colours_allow(changed)
        })
    };
    if is_undone_by_itself && (fits(about_cells, false) || fits(about_moves, true)) {
        return None;
    }
    let reversing = if !is_undone_by_itself {
        "it is not undone when it is done twice".to_owned()
    } else if staying > middles || staying > 0 && about_cells.is_none() {
        format!("cells that stay where they are: {staying}")
    } else if staying == 0 && inverted == 0 {
        "no cell stays where it is, and no move joins a cell and its image".to_owned()
    } else {
        format!(
            "the middle of the tour would have to stay where it is, and cells that stay ({staying}), \
             moves that join a cell and its image ({inverted}) or colours do not fit"
        )
    };
    Some(format!(
        "it cannot move every cell on along the tour ({moving}) nor reverse the tour ({reversing})"
    ))
}

fn words_of(kind: &str) -> &'static str {
    match kind {
        ROTATION => "a quarter turn",
        HALF_TURN => "a half turn",
        _ => "a mirror",
    }
}

/// Whether what takes cells there is a symmetry of this kind. On a board of one row a half turn
/// is also a mirror.
fn is_of_kind(kind: &str, image: &[u32], task: &Task) -> bool {
    let cells = || (0..image.len()).zip(image.iter().map(|&to| to as usize));
    let at = |cell: usize| task.board.cell(cell);
    let is_identity = cells().all(|(from, to)| from == to);
    let is_of_order_two = cells().all(|(from, to)| image[to] as usize == from);
    let sums = |(from, to): (usize, usize)| (at(from).row + at(to).row, at(from).col + at(to).col);
    let is_half_turn = cells().map(sums).all(|sum| Some(sum) == cells().map(sums).next());
    let is_line = cells().all(|(from, _)| at(from).row == at(0).row)
        || cells().all(|(from, _)| at(from).col == at(0).col);
    match kind {
        _ if is_identity => false,
        ROTATION => !is_of_order_two,
        HALF_TURN => is_of_order_two && is_half_turn,
        _ => is_of_order_two && (!is_half_turn || is_line),
    }
}
