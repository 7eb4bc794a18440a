//! Estimating the number of tours from random probes.

use pessoi_engine::run::Run;
use pessoi_engine::search::{Probing, estimate};

use super::Asked;
use super::branch::{self, Branch};
use super::extend::{Extend, Order};
use super::task::Task;
use crate::answer::{Answer, Value};
use crate::error::{Error, Result};

/// Samples for a first idea.
const GLANCE: u64 = 32;

/// About how many directed open tours there are, and the standard error in percent, if that
/// can be told in about a second.
pub(super) fn glance(task: &Task, run: &Run) -> Option<(f64, f64)> {
    let mut task = task.clone();
    task.closed = false;
    let found = if branch::fits::<64>(&task) {
        estimate(&Branch::<u64, 64>::undivided(&task), Probing::Chen, GLANCE, run)
    } else if branch::fits::<128>(&task) {
        estimate(&Branch::<u128, 128>::undivided(&task), Probing::Chen, GLANCE, run)
    } else {
        return None;
    };
    let found = found.ok().filter(|found| !found.is_zero())?;
    let directions = if task.has_two_directions() { 2.0 } else { 1.0 };
    Some((directions * found.mean(), 100.0 * found.relative_error))
}

/// Answers `estimate`.
pub(super) fn guess(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let how = if question.text("method") == Some("knuth") { Probing::Knuth } else { Probing::Chen };
    let method = match how {
        Probing::Knuth => "Knuth's random probes",
        Probing::Chen => "Chen's heuristic sampling, by moves missing and choices left",
    };
    let samples = question.number("samples").unwrap_or(1000);
    if samples < 2 {
        return Err(Error::input("--samples 1 gives no interval: at least 2 are needed."));
    }
    // Trees of choices at the most constrained cell meet each undirected tour once, and
    // Chen's strata of them are sharpest for their time. Knuth's probes do better with paths
    // that are extended, and met in both directions.
    let (found, directions) = if how == Probing::Chen && branch::fits::<64>(task) {
        (estimate(&Branch::<u64, 64>::undivided(task), how, samples, run), 1.0)
    } else if how == Probing::Chen && branch::fits::<128>(task) {
        (estimate(&Branch::<u128, 128>::undivided(task), how, samples, run), 1.0)
    } else {
        let both = if task.has_two_directions() { 2.0 } else { 1.0 };
        (estimate(&Extend::new(task.clone(), Order::Plain), how, samples, run), both)
    };
    let found = match found {
        Ok(found) => found,
        Err(stop) => return Ok(asked.gave_up(&stop, method)),
    };
    let scale = if task.directed && task.has_two_directions() { 2.0 } else { 1.0 } / directions;
    Ok(asked.answer(Value::probed(&found, scale), method).with_probes(&found, run))
}
