//! The certificates of sliding puzzles, and the facts that are read again, as data. The
//! checker shares these and the options with the code that writes answers, and nothing else.

use serde::{Deserialize, Serialize};

use crate::solution::Move;

/// Two configurations that are as far apart as any.
pub(super) const FARTHEST_POSITIONS: &str = "farthest-positions";
/// The holes cannot get from where they are to where they should be.
pub(super) const HOLES_APART: &str = "holes-apart";
/// The tiles must be permuted oddly, and cannot be.
pub(super) const ODD_PERMUTATION: &str = "odd-permutation";
/// Some tiles cannot all get to their places.
pub(super) const STUCK_PIECES: &str = "stuck-pieces";

/// A solution that is not shown.
pub(super) const WAY: &str = "way";

/// The facts that say how long a solution is, and whether it is a shortest one.
pub(super) const SLIDES_FACT: (&str, &str) = ("slides", "slides of this solution");
pub(super) const SHORTEST_FACT: (&str, &str) = ("shortest", "shortest solution");

/// The fact that shows the goal of samples.
pub(super) const GOAL_FACT: &str = "goal";
/// The fact that gives the distance of samples from the goal.
pub(super) const DISTANCE_FACT: &str = "distance";
/// The fact that gives a bound of that distance, where no more is known.
pub(super) const LEAST_FACT: &str = "least-slides";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FarthestPositions {
    pub(super) from: String,
    pub(super) to: String,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StuckPieces {
    pub(super) pieces: Vec<u16>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Way {
    pub(super) moves: Vec<Move>,
}

/// What belongs to a kind that says everything by its name.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}
