//! Whether a tour exists, decided within a grant of nodes.
//!
//! Proofs that are seen at once come first; then, where no number in between is fixed,
//! rotations and the SAT solver, as `find` uses them; otherwise the rules as far as they go, and a
//! search by Warnsdorff's rule with restarts from there. Where a single number is fixed, a closed
//! tour will do, if there is one: it is read from where that number comes right.

use std::sync::Arc;

use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Advance, Walk};

use super::extend::{Extend, Order};
use super::find::ATTEMPTS;
use super::proofs::Proof;
use super::reason::Chain;
use super::rules::{ALL, Known, Next};
use super::task::Task;
use super::{proofs, rotations, sat, supply};
use crate::job::Work;

/// What was found.
pub(super) enum Exists {
    /// A tour.
    Yes(Vec<u32>),
    /// None.
    No(Why),
    /// The grant did not suffice.
    Unknown,
}

/// Why there is none.
pub(super) enum Why {
    /// The board and its moves show it.
    Seen(Proof),
    /// The rules come to a contradiction.
    Rules(Chain),
    /// Everything was tried.
    Tried,
}

/// Nodes for each cell of the first attempt: hardly more than walking down once.
const FIRST_ATTEMPT: u64 = 4;

/// A proof that is seen at once, if there is one: the first that `find` would give.
pub(super) fn seen(task: &Task) -> Option<Proof> {
    let supply = || rotations::suits(task).then(|| supply::none(task)).flatten();
    proofs::none(task).or_else(supply)
}

/// Whether there is a tour.
pub(super) fn exists(task: &Task, grant: u64, run: &Run) -> Work<Exists> {
    if let Some(proof) = seen(task) {
        return Ok(Exists::No(Why::Seen(proof)));
    }
    if rotations::suits(task) {
        if let Some(path) = rotations::find(task, 0..ATTEMPTS, run)? {
            return Ok(Exists::Yes(path));
        }
        if sat::suits(task) {
            return Ok(match sat::solve(task, run)? {
                sat::Outcome::Tour(path) => Exists::Yes(path),
                sat::Outcome::None { .. } => Exists::No(Why::Tried),
            });
        }
    }
    if let Some(path) = loop_through(task, run)? {
        return Ok(Exists::Yes(path));
    }
    let (known, chain) = followed(task);
    if let Some(chain) = chain {
        return Ok(Exists::No(Why::Rules(chain)));
    }
    if let Some(path) = known.path() {
        return Ok(Exists::Yes(path));
    }
    let task = Arc::new(task.with(known.all())?);
    Ok(walked(&task, grant, run)?)
}

/// A closed tour, read from where the only number that is fixed comes right.
fn loop_through(task: &Task, run: &Run) -> Result<Option<Vec<u32>>, Stop> {
    let mut fixed = task.fixed();
    let (Some((number, cell)), None) = (fixed.next(), fixed.next()) else { return Ok(None) };
    let mut closed = task.bare();
    closed.closed = true;
    if !rotations::suits(&closed) || proofs::none(&closed).is_some() {
        return Ok(None);
    }
    let Some(mut path) = rotations::find(&closed, 0..1, run)? else { return Ok(None) };
    let there = path.iter().position(|&other| other == cell).unwrap_or(0);
    let n = path.len();
    path.rotate_left((there + n + 1 - number as usize) % n);
    Ok(Some(path))
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
            Advance::Exhausted => return Ok(Exists::No(Why::Tried)),
            Advance::Paused => {}
        }
        left = left.saturating_sub(walk.nodes());
        attempt = attempt.saturating_mul(2);
        stream += 1;
    }
    Ok(Exists::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A single number on its way, wherever it is, and on boards that are too large for a search.
    #[test]
    fn a_closed_tour_is_read_from_where_a_number_comes_right() {
        let run = Run::default();
        for (rows, cols, number, cell) in [(4, 5, 9, 7), (4, 5, 20, 0), (20, 20, 165, 200)] {
            for closed in [false, true] {
                let task = Task::rectangle(rows, cols, &[(0, 1)], closed).unwrap();
                let task = task.with([(number, cell)]).unwrap();
                let Some(path) = loop_through(&task, &run).unwrap() else { panic!("{number}") };
                assert_eq!(path[number as usize - 1], cell);
                assert!(path.windows(2).all(|pair| task.graph.joined(pair[0], pair[1])));
                assert!(task.graph.joined(path[0], path[path.len() - 1]));
            }
        }
        // There is no closed tour.
        let odd = Task::rectangle(3, 3, &[(0, 1)], false).unwrap().with([(5, 4)]).unwrap();
        assert!(loop_through(&odd, &run).unwrap().is_none());
    }
}
