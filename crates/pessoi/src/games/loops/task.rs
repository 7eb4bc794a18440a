//! What a loop must be, and which loops are the same.

use std::sync::Arc;

use super::crossing::Crossing;
use super::moves::{Moves, Point, SYMMETRIES};
use super::options::{BOARD, CONGRUENT, MOVES, NON_CROSSING, SYMMETRY};
use super::words::Alphabet;
use crate::answer::Subject;
use crate::error::{Error, Result};
use crate::question::Question;

const PATHS: Subject =
    Subject::things("closed-paths", "undirected closed path", "undirected closed paths");
const NON_CROSSING_PATHS: Subject = Subject::things(
    "non-crossing-closed-paths",
    "undirected non-crossing closed path",
    "undirected non-crossing closed paths",
);

/// Words are not longer than this, whatever the moves.
pub(super) const LONGEST_WALK: usize = 64;
/// Moves do not reach further than this.
const LONGEST_MOVE: i32 = 100;
/// A loop spans at most half its length times its longest move; here is how far.
const WIDEST: i32 = 1000;

/// Which images of a loop are the same loop. Translations, starts and directions always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sameness {
    /// Nothing else.
    Fixed,
    /// Turned by quarters.
    OneSided,
    /// Turned and mirrored.
    Free,
}

impl Sameness {
    /// The symmetries that make no difference.
    pub(super) fn symmetries(self) -> &'static [usize] {
        match self {
            Sameness::Fixed => &[0],
            Sameness::OneSided => &[0, 1, 2, 3],
            Sameness::Free => &[0, 1, 2, 3, 4, 5, 6, 7],
        }
    }
}

/// What a loop must be.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) moves: Moves,
    pub(super) alphabet: Alphabet,
    pub(super) length: usize,
    /// For loops that must not cross themselves.
    pub(super) crossing: Option<Crossing>,
    /// Rows and columns that a loop must fit into.
    pub(super) board: Option<Point>,
    pub(super) sameness: Sameness,
    /// The isometries beyond the symmetries of the square that make no difference either.
    pub(super) isometries: Option<Arc<Vec<Isometry>>>,
}

impl Task {
    /// Reads a question about loops of this length.
    pub(super) fn new(question: &Question, leapers: &[Point], length: usize) -> Result<Task> {
        let moves = Moves::new(leapers);
        let longest = moves.longest();
        if longest > LONGEST_MOVE || longest * length.div_ceil(2) as i32 > WIDEST {
            return Err(Error::option(
                MOVES.name,
                format!(
                    "Loops of {length} moves of up to {longest} cells are too wide: a move may go \
                     {LONGEST_MOVE} cells at most, half a loop {WIDEST}."
                ),
            ));
        }
        let sameness = match question.text(&SYMMETRY) {
            Some("fixed") => Sameness::Fixed,
            Some("one-sided") => Sameness::OneSided,
            _ => Sameness::Free,
        };
        let congruent = question.flag(&CONGRUENT);
        if congruent && sameness != Sameness::Free {
            return Err(Error::conflict(
                CONGRUENT.name,
                "--congruent joins mirror images, so it goes with --symmetry free only.",
            ));
        }
        Ok(Task {
            alphabet: Alphabet::new(&moves),
            length,
            crossing: question.flag(&NON_CROSSING).then(|| Crossing::new(&moves)),
            board: question.text(&BOARD).map(read_board).transpose()?,
            sameness,
            isometries: congruent.then(|| Arc::new(isometries(&moves))),
            moves,
        })
    }

    /// What is counted.
    pub(super) fn subject(&self) -> Subject {
        let paths = if self.crossing.is_some() { NON_CROSSING_PATHS } else { PATHS };
        let paths = match self.board {
            Some((rows, cols)) => paths.which(&format!("that fit {rows}x{cols}")),
            None => paths,
        };
        let (kind, up_to) = match self.sameness {
            Sameness::Fixed => return paths.which("up to translation"),
            Sameness::OneSided => ("one-sided-", "translation and rotation"),
            Sameness::Free if self.isometries.is_some() => ("congruence-", "congruence"),
            Sameness::Free => ("", "translation, rotation and reflection"),
        };
        let classes = paths.classes(up_to);
        Subject { id: format!("{kind}{}", classes.id).into(), ..classes }
    }

    /// Why there can be no loop of this length, if that is seen at once.
    pub(super) fn none(&self) -> Option<String> {
        (self.length % 2 == 1 && self.moves.alternate()).then(|| {
            format!(
                "every move changes the colour of the cell, so after {} moves the colour is not \
                 that of the first cell",
                self.length
            )
        })
    }

    /// Whether a box of so many rows and columns fits the board as it stands.
    pub(super) fn fits_upright(&self, (rows, cols): Point) -> bool {
        self.board.is_none_or(|board| rows <= board.0 && cols <= board.1)
    }

    /// Whether a box fits the board, upright or turned by a quarter.
    pub(super) fn fits(&self, (rows, cols): Point) -> bool {
        self.fits_upright((rows, cols)) || self.fits_upright((cols, rows))
    }

    /// Whether a canonical word stands for its class: if loops that are congruent in other
    /// ways are one, the smallest of their words does.
    pub(super) fn stands_for_all(&self, moves: &[u8]) -> bool {
        self.isometries.is_none() || {
            let own = self.alphabet.canonical(&self.alphabet.spell(moves));
            self.congruent(moves).all(|word| word >= own)
        }
    }

    /// The canonical words of all classes up to the symmetries of the square that are
    /// congruent to this loop, its own included.
    pub(super) fn joined(&self, moves: &[u8]) -> Vec<Vec<u8>> {
        let mut words: Vec<Vec<u8>> = self.congruent(moves).collect();
        words.push(self.alphabet.canonical(&self.alphabet.spell(moves)));
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The canonical words of the images of a loop that only its congruence joins to it.
    fn congruent(&self, moves: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        let isometries = self.isometries.iter().flat_map(|all| all.iter());
        isometries.filter_map(|isometry| {
            let image: Option<Vec<u8>> = moves.iter().map(|&m| isometry[usize::from(m)]).collect();
            Some(self.alphabet.canonical(&self.alphabet.spell(&image?)))
        })
    }
}

fn read_board(text: &str) -> Result<Point> {
    let bad = || {
        Error::option(
            BOARD.name,
            format!(
                "--board {text:?} is not accepted: give rows x columns, such as 4x5, each up to \
                 {WIDEST}."
            ),
        )
    };
    let (rows, cols) = text.split_once(['x', '×']).ok_or_else(bad)?;
    let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=WIDEST).contains(side));
    Ok((side(rows).ok_or_else(bad)?, side(cols).ok_or_else(bad)?))
}

/// What an isometry makes of each move, where that is a move again.
pub(super) type Isometry = Vec<Option<u8>>;

/// The isometries of the plane, beyond the symmetries of the square, that turn at least one
/// move into a move. They are what makes loops congruent that the square's symmetries keep
/// apart: a path with only the moves ±(1,2) and ±(2,−1) lies on a tilted square lattice, and
/// that has mirrors of its own.
///
/// Complex numbers say it best. A turn that brings the move u to the move v, of the same
/// length, multiplies by v/u; so it brings m to mv/u = mvū/|u|², and that is a move if it is
/// one, or not even whole. With a mirror, m is replaced by its conjugate before.
fn isometries(moves: &Moves) -> Vec<Isometry> {
    let norm = |(a, b): Point| a * a + b * b;
    let times = |(a, b): Point, (c, d): Point| (a * c - b * d, a * d + b * c);
    let conjugate = |(a, b): Point| (a, -b);
    let own: Vec<Isometry> = (0..SYMMETRIES)
        .map(|s| (0..moves.len() as u8).map(|m| Some(moves.image(s, m))).collect())
        .collect();
    let mut found: Vec<Isometry> = Vec::new();
    for &u in moves.steps() {
        for &v in moves.steps().iter().filter(|&&v| norm(v) == norm(u)) {
            for mirror in [false, true] {
                let image = |m: Point| {
                    let (m, u) = if mirror { (conjugate(m), conjugate(u)) } else { (m, u) };
                    let (a, b) = times(times(m, v), conjugate(u));
                    let whole = a % norm(u) == 0 && b % norm(u) == 0;
                    whole.then(|| moves.find((a / norm(u), b / norm(u)))).flatten()
                };
                let isometry: Isometry = moves.steps().iter().map(|&m| image(m)).collect();
                if !own.contains(&isometry) && !found.contains(&isometry) {
                    found.push(isometry);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knights_have_tilted_mirrors_and_kings_do_not() {
        let knight = isometries(&Moves::new(&[(1, 2)]));
        assert!(knight.iter().all(|isometry| isometry.iter().flatten().count() == 4));
        assert_eq!(knight.len(), 16);
        assert!(isometries(&Moves::new(&[(1, 0), (1, 1)])).is_empty());
        assert!(isometries(&Moves::new(&[(2, 2), (3, 0)])).is_empty());
        assert!(!isometries(&Moves::new(&[(5, 0), (3, 4)])).is_empty());
    }
}
