//! Whether a tour exists, decided within a grant of nodes.
//!
//! Proofs that are seen at once come first; then, where no number in between is fixed,
//! rotations and the SAT solver; otherwise the rules as far as they go, and a search by
//! Warnsdorff's rule with restarts from there.

use std::sync::Arc;

use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Advance, Walk};

use super::extend::{Extend, Order};
use super::find::ATTEMPTS;
use super::reason::Chain;
use super::rules::{ALL, Known, Next};
use super::task::Task;
use super::{proofs, rotations, sat};
use crate::job::Work;

/// What was found.
pub(super) enum Exists {
    /// A tour.
    Yes(Vec<u32>),
    /// None; if the rules show that, why.
    No(Option<Chain>),
    /// The grant did not suffice.
    Unknown,
}

/// Nodes for each cell of the first attempt: hardly more than walking down once.
const FIRST_ATTEMPT: u64 = 4;

/// Whether there is a tour.
pub(super) fn exists(task: &Task, grant: u64, run: &Run) -> Work<Exists> {
    if proofs::none(task).is_some() {
        return Ok(Exists::No(rules_to_the_end(task)));
    }
    if rotations::suits(task) {
        if let Some(path) = rotations::find(task, 0..ATTEMPTS, run)? {
            return Ok(Exists::Yes(path));
        }
        if sat::suits(task) {
            return Ok(match sat::solve(task, run)? {
                sat::Outcome::Tour(path) => Exists::Yes(path),
                sat::Outcome::None { .. } => Exists::No(None),
            });
        }
    }
    let (known, chain) = followed(task);
    if chain.is_some() {
        return Ok(Exists::No(chain));
    }
    if let Some(path) = known.path() {
        return Ok(Exists::Yes(path));
    }
    let task = Arc::new(task.with(known.all())?);
    Ok(walked(&task, grant, run)?)
}

/// The contradiction that the rules come to, if they do.
fn rules_to_the_end(task: &Task) -> Option<Chain> {
    followed(task).1
}

/// Follows the rules as far as they go; the chain if they end with a contradiction.
pub(super) fn followed(task: &Task) -> (Known<'_>, Option<Chain>) {
    let first = Known::new(task);
    let (mut known, mut steps) = (first.clone(), Vec::new());
    loop {
        match known.next(ALL) {
            Next::Wrong(end) => {
                let chain = first.shortened(Chain { steps, end });
                return (known, Some(chain));
            }
            Next::Step(step) => {
                known.place(step.number, step.cell);
                steps.push(step);
            }
            Next::Stuck => return (known, None),
        }
    }
}

/// Searches by Warnsdorff's rule, with restarts.
fn walked(task: &Arc<Task>, grant: u64, run: &Run) -> Result<Exists, Stop> {
    let (mut left, mut attempt, mut stream) = (grant, FIRST_ATTEMPT * task.len() as u64, 0);
    while left > 0 {
        let mut random = Random::new(run.budget().seed, stream);
        let order = Order::warnsdorff(task.len(), &mut random);
        let mut walk = Walk::new(Extend::new(task.clone(), order), run);
        match walk.advance(attempt.min(left))? {
            Advance::Found => return Ok(Exists::Yes(walk.search().path().to_vec())),
            Advance::Exhausted => return Ok(Exists::No(None)),
            Advance::Paused => {}
        }
        left = left.saturating_sub(walk.nodes());
        attempt = attempt.saturating_mul(2);
        stream += 1;
    }
    Ok(Exists::Unknown)
}
