//! Counting: by the sweep where the border is short enough, by search otherwise.

use num_bigint::BigUint;
use num_traits::Zero;
use pessoi_engine::search::tally;
use pessoi_engine::sweep::{self, SweepError};

use super::border::Paths;
use super::extend::{Extend, Order};
use super::task::Task;
use super::{Asked, exhausted};
use crate::answer::{Answer, Value};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::question::Question;

/// Turns the number of numberings that a search met into what is asked for.
pub(super) fn met_to_counted(met: u64, task: &Task) -> Result<BigUint> {
    if !task.has_two_directions() || task.directed {
        return Ok(met.into());
    }
    if met % 2 == 1 {
        return Err(Error::internal(format!("{met} directed paths, an odd number, were met")));
    }
    Ok((met / 2).into())
}

/// Whether a count is done by the sweep, or why not.
pub(super) fn sweeping(question: &Question, task: &Task) -> Result<Result<Paths, String>> {
    match (question.text("method"), question.text("part").is_some()) {
        (Some("sweep"), true) => {
            Err(Error::input("The sweep cannot be split into parts; --method search can."))
        }
        (Some("sweep"), false) => Paths::new(task).map(Ok),
        (Some("search"), _) => Ok(Err("it was asked for".into())),
        (_, true) => Ok(Err("only the search can be split into parts".into())),
        (_, false) => Ok(Paths::new(task).map_err(|error| error.to_string())),
    }
}

/// Answers `count`.
pub(super) fn count(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, .. } = asked;
    match sweeping(question, task)? {
        Ok(paths) => by_sweep(asked, &paths),
        Err(_) => by_search(asked),
    }
}

fn by_sweep(asked: &Asked, paths: &Paths) -> Result<Answer> {
    let Asked { task, run, .. } = asked;
    let method = format!("sweep over a border of up to {} cells", paths.slots());
    let counted = match sweep::count(paths, run) {
        Ok(counted) => counted,
        Err(SweepError::Stop(stop)) => {
            return Ok(asked.gave_up(&stop, &method));
        }
        Err(error @ SweepError::TooLarge) => return Err(Error::input(format!("{error}."))),
        Err(error) => return Err(Error::internal(error.to_string())),
    };
    let total = if task.directed { &counted.total * 2u32 } else { counted.total.clone() };
    let value = if total.is_zero() {
        Value::None { proof: "the sweep over all choices found no path".into() }
    } else {
        Value::Exact { number: total }
    };
    let mut answer = asked.answer(value, &method);
    answer.cost.borders = Some(counted.handled());
    answer.cost.peak_borders = Some(counted.peak());
    if !task.directed && !counted.total.is_zero() {
        answer.certificate = Some(Certificate::Residues { residues: counted.residues });
    }
    Ok(answer)
}

fn by_search(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let search = Extend::new(task.clone(), Order::Plain);
    let (counted, stopped) = match tally(&search, question.part(), run) {
        Ok(counted) => (counted, None),
        Err(stopped) => (stopped.so_far, Some(stopped.why)),
    };
    let value = match &stopped {
        // Of the paths met, one direction or both may have been met so far.
        Some(stop) => {
            let met = counted.solutions;
            let sure = if task.has_two_directions() { met.div_ceil(2) } else { met };
            Value::stopped(sure, stop)
        }
        None if counted.solutions == 0 && question.part().is_whole() => exhausted(),
        None if !question.part().is_whole() => Value::exact(counted.solutions),
        None => Value::Exact { number: met_to_counted(counted.solutions, task)? },
    };
    let mut answer = asked.answer(value, "search over all paths");
    answer.cost.nodes = Some(counted.nodes);
    if task.has_two_directions() && !question.part().is_whole() {
        "directed paths met in this part".clone_into(&mut answer.counts);
        answer.notes.push(
            "The two directions of a path may lie in different parts, so a part counts \
             directed paths; the sum over all parts is twice the number of undirected ones."
                .into(),
        );
    }
    Ok(answer)
}
