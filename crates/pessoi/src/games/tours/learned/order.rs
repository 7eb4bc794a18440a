//! An order of moves: which step of a path is tried first.
//!
//! Warnsdorff's rule looks at one number, the free neighbours of the cell that is stepped on. Here a
//! step has several **signs**, and its *score* is their sum with learned weights; the step with
//! the highest score is tried first. The weights are those under which the steps of known tours
//! are most probable, if the chance of a step grows exponentially with its score (the conditional
//! logit of econometrics, D. `McFadden` 1974).

/// The names of the signs of a step.
pub const SIGNS: &[&str] = &[
    "free-1",
    "free-2",
    "free-3",
    "free-4",
    "free-5+",
    "moves",
    "least-beyond",
    "tight-beyond",
    "edge",
];

/// The number of signs.
pub(in crate::games::tours) const NUMBER: usize = SIGNS.len();

/// The score of a step.
pub(in crate::games::tours) fn score(weights: &[f64], signs: &[f64; NUMBER]) -> f64 {
    weights.iter().zip(signs).map(|(weight, sign)| weight * sign).sum()
}
