//! Rating: how hard a puzzle is for people, by the rules that give its hints.
//!
//! Hints are followed from the clues to the full board, each by the easiest rule that applies.
//! The **difficulty** of a puzzle is the level of its hardest step (see `reason`): easy where
//! the two simplest rules suffice, medium where rules suffice, hard where one has to look ahead.

use pessoi_engine::run::{Run, Stop};

use super::reason::{LEVELS, RULES, level};
use super::rules::{ALL, Known, Next};
use super::suppose::{order, suppose};
use super::task::Task;

/// How often each rule was used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rating {
    pub(super) steps: [u64; RULES.len()],
}

impl Rating {
    /// The place of the level among [`LEVELS`].
    pub(super) fn level(&self) -> usize {
        (0..RULES.len()).rev().find(|&rule| self.steps[rule] > 0).map_or(0, level)
    }

    /// The difficulty by name.
    pub(super) fn difficulty(&self) -> &'static str {
        LEVELS[self.level()]
    }
}

/// Rates a task by the first rules alone; `None` if they do not fill the board.
pub(super) fn by_rules(task: &Task, rules: usize, run: &Run) -> Result<Option<Rating>, Stop> {
    let mut known = Known::new(task);
    let mut rating = Rating::default();
    loop {
        run.tick(1)?;
        match known.next(rules) {
            Next::Step(step) => {
                rating.steps[step.because.rule()] += 1;
                known.place(step.number, step.cell);
            }
            Next::Stuck => return Ok((known.missing() == 0).then_some(rating)),
            Next::Wrong(_) => return Ok(None),
        }
    }
}

/// Rates a task with this as its only solution.
pub(super) fn rate(task: &Task, solution: &[u32], run: &Run) -> Result<Rating, Stop> {
    let mut known = Known::new(task);
    let mut rating = Rating::default();
    while known.missing() > 0 {
        run.tick(1)?;
        let mut next = known.next(ALL);
        if matches!(next, Next::Stuck) {
            next = suppose(&known, run)?;
        }
        if let Next::Step(step) = next {
            rating.steps[step.because.rule()] += 1;
            known.place(step.number, step.cell);
        } else {
            // As a hint would: the number with the fewest cells is searched for.
            let Some((number, _)) = order(&known).into_iter().next() else { break };
            rating.steps[RULES.len() - 1] += 1;
            known.put(number, solution[number as usize - 1]);
        }
    }
    Ok(rating)
}
