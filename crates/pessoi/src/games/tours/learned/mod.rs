//! What was learned from boards that were solved, and what it is used for.
//!
//! A **model** is a small file ([`Model`]) that `pessoi-learn` made from boards whose labels
//! are proved. It holds two things:
//!
//! - a **judgement** of a board: the probability that it has a tour, from some numbers that are
//!   seen without solving it ([`FEATURES`]). `analyze --predict` shows it. It is a prediction
//!   and no more: nothing that answers `find` or `count` looks at it, so "there is none" is
//!   always proved.
//! - an **order** of moves for the search that extends a path ([`SIGNS`]), which is
//!   `find --method learned`. An order changes how soon a tour is found and never whether one
//!   exists: the search walks the whole tree if it has to.
//!
//! What is public here is for `pessoi-learn`, which trains models; the book's chapter on learning
//! says how, and how good they are.

pub(in crate::games::tours) mod features;
pub(in crate::games::tours) mod model;
pub(in crate::games::tours) mod order;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use pessoi_engine::search::{Outlook, Search};

use super::extend::{Extend, Order};
use super::task::Task;
use crate::board::Cell;
use crate::error::{Error, Result};
use crate::question::Question;

pub use features::FEATURES;
pub use model::{Judge, Model, Node, Provenance, Scores, checksum};
pub use order::SIGNS;

/// The features of the board that a question is about, in the order of [`FEATURES`].
pub fn features(question: &Question, leapers: &[(i32, i32)]) -> Result<Vec<f64>> {
    Ok(features::of(&task(question, leapers)?))
}

/// A choice that a search has: the signs of each step, and which of them a tour takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The signs of each step, in the order of [`SIGNS`].
    pub steps: Vec<Vec<f64>>,
    /// The step that the tour takes.
    pub taken: usize,
}

/// The choices along a tour of the board that a question is about, where there is more than one
/// step.
pub fn choices(question: &Question, leapers: &[(i32, i32)], tour: &[Cell]) -> Result<Vec<Choice>> {
    let task = Arc::new(task(question, leapers)?);
    let path: Option<Vec<u32>> =
        tour.iter().map(|&cell| task.board.index(cell).map(|index| index as u32)).collect();
    let path = path.ok_or_else(|| Error::input("The tour leaves the board."))?;
    let mut search = Extend::new(task, Order::Plain);
    let (mut choices, mut steps) = (Vec::new(), Vec::new());
    for &next in &path {
        steps.clear();
        if search.look(&mut steps) != Outlook::Branch {
            break;
        }
        // The first step is where to begin, which no order is learned for.
        if let (true, false, Some(taken)) =
            (steps.len() > 1, search.path().is_empty(), steps.iter().position(|&step| step == next))
        {
            let steps = steps.iter().map(|&step| search.signs(step).to_vec()).collect();
            choices.push(Choice { steps, taken });
        }
        search.take(next);
    }
    Ok(choices)
}

fn task(question: &Question, leapers: &[(i32, i32)]) -> Result<Task> {
    question.drawing()?;
    Task::new(question, leapers)
}
