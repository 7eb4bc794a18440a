//! Counting polygons of the square lattice by a transfer matrix.
//!
//! The wazir's loops are the *polygons* of the square lattice: its cells are the lattice's
//! vertices, its moves the edges. A polygon in its smallest box, of so many rows and columns, is
//! read column by column and in each column vertex by vertex from below. The line between what
//! was read and the rest cuts some edges, and all that matters is how these are joined behind it
//! (an *arch word*, see [`pessoi_engine::arches`]), whether the lowest and the highest row were
//! reached, and how many edges there are. So the work grows with the number of words and not of
//! polygons: at perimeter 60 there are 4·10^20 polygons, and never more than some ten thousand
//! words.
//!
//! | file | what it counts |
//! |---|---|
//! | `column` | what all sweeps share: a vertex, and a lower bound of the edges still needed |
//! | `strip` | polygons by their boxes; on the way, those that a half turn leaves alone |
//! | `mirror` | polygons with a mirror along a side, or along a diagonal |
//! | `quarter` | polygons that a quarter turn leaves alone |
//!
//! Boxes come in pairs, upright and lying, so only those at least as long as they are wide are
//! read. The idea is I. G. Enting's (1980); what to leave out because it needs too many edges,
//! I. Jensen and A. J. Guttmann's (1999). How many classes there are up to rotation and
//! reflection follows by Burnside's lemma from the polygons that each symmetry leaves alone.

mod column;
mod mirror;
mod quarter;
mod strip;

use pessoi_engine::arches::{Full, MOST_PLACES};
use pessoi_engine::ledger::Ledger;
use pessoi_engine::run::Run;

use super::census::divided;
use super::moves::Moves;
use super::task::Sameness;
use crate::answer::Limit;
use crate::error::{Error, Result};
use crate::job::{Halt, Work};

/// The longest perimeter. A box is at most a quarter of the perimeter wide, and the line cuts two
/// edges more than that and perhaps a strand beside the mirror; and numbers do not overflow.
pub(super) const LONGEST: usize = 100;
const _: () = assert!(LONGEST / 4 + 3 <= MOST_PLACES);

/// Whether these are the moves of the wazir, up to scale.
pub(super) fn fits(moves: &Moves) -> bool {
    matches!(moves.leapers(), [(0, _)])
}

/// How many polygons with so many edges there are up to translation, and how many of these each
/// symmetry leaves alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fixed {
    pub(super) all: u128,
    pub(super) half_turn: u128,
    pub(super) quarter_turn: u128,
    /// By a mirror along one of the two directions of the sides.
    pub(super) side: u128,
    /// By a mirror along one of the two diagonals.
    pub(super) diagonal: u128,
}

impl Fixed {
    /// How many there are when these are the same: Burnside's lemma.
    pub(super) fn number(&self, sameness: Sameness) -> Result<u128> {
        let rotations = [self.half_turn, self.quarter_turn, self.quarter_turn];
        let mirrors = [self.side, self.side, self.diagonal, self.diagonal];
        let sum = |terms: &[u128]| {
            let sum = terms.iter().try_fold(self.all, |sum, term| sum.checked_add(*term));
            sum.ok_or_else(|| Error::internal("polygons need more than 128 bits"))
        };
        match sameness {
            Sameness::Fixed => Ok(self.all),
            Sameness::OneSided => divided(sum(&rotations)?, 4),
            Sameness::Free => divided(sum(&[&rotations[..], &mirrors].concat())?, 8),
        }
    }
}

/// The polygons of all perimeters up to an even one: the entry n is of perimeter 2n. Each sweep is
/// kept in a chapter of the job's ledger.
pub(super) fn polygons(
    perimeter: usize,
    sameness: Sameness,
    run: &Run,
    ledger: &Ledger,
) -> Work<Vec<Fixed>> {
    let half = perimeter / 2;
    let mut found = vec![Fixed::default(); half + 1];
    let widest = perimeter / 4;
    let sweeps = match sameness {
        Sameness::Fixed => widest,
        Sameness::OneSided => widest + 1,
        Sameness::Free => widest + 2 + mirror::deepest(half),
    };
    run.uneven_stage("sweeping over boxes", sweeps as u64);
    let kept = |name: String, count: &mut dyn FnMut() -> Result<Vec<[u128; 2]>, Full>| {
        let chapter = ledger.chapter(name);
        let known: Option<Vec<[u128; 2]>> = chapter.result()?;
        let numbers = match known {
            Some(known) if known.len() == half + 1 => known,
            Some(_) => return Err(Halt::Error(Error::internal("a sweep of another length"))),
            None => {
                let numbers = count().map_err(full)?;
                chapter.finish(&numbers);
                numbers
            }
        };
        run.step(1);
        Ok(numbers)
    };
    // The widest boxes leave the least choice, so the smallest sweeps come first.
    for width in (1..=widest).rev() {
        let name = format!("boxes of width {width}");
        let numbers = kept(name, &mut || strip::count(width, perimeter, run))?;
        for (own, [all, half_turn]) in found.iter_mut().zip(numbers) {
            own.all = sum(own.all, all)?;
            own.half_turn = sum(own.half_turn, half_turn)?;
        }
    }
    if sameness == Sameness::Fixed {
        return Ok(found);
    }
    let quarters = kept("quarter turns".into(), &mut || quarter::count(half, run))?;
    for (own, [number, _]) in found.iter_mut().zip(quarters) {
        own.quarter_turn = number;
    }
    if sameness == Sameness::OneSided {
        return Ok(found);
    }
    let diagonal = kept("mirrors along a diagonal".into(), &mut || mirror::diagonal(half, run))?;
    for (own, [number, _]) in found.iter_mut().zip(diagonal) {
        own.diagonal = number;
    }
    for depth in 0..mirror::deepest(half) {
        let name = format!("mirrors along a side, {depth} rows away");
        let numbers = kept(name, &mut || mirror::side(depth, half, run))?;
        for (own, [number, _]) in found.iter_mut().zip(numbers) {
            own.side = sum(own.side, number)?;
        }
    }
    Ok(found)
}

fn sum(one: u128, other: u128) -> Work<u128> {
    one.checked_add(other).ok_or_else(|| full(Full::Overflow))
}

fn full(full: Full) -> Halt {
    match full {
        Full::Stop(stop) => stop.into(),
        Full::Overflow => {
            let text = "a number of polygons needs more than 128 bits".to_owned();
            Halt::Stop(Limit::Size { text })
        }
    }
}

#[cfg(test)]
mod tests;
