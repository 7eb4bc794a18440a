//! Listing: every tour, or one of each class, in the order in which the search meets them,
//! on all threads.

use num_bigint::BigUint;
use pessoi_engine::search::stream;

use super::classes::{Classes, Membership};
use super::count::met_to_counted;
use super::extend::{Extend, Order};
use super::find::is_told;
use super::{Asked, exhausted};
use crate::answer::{Answer, Solution, Value};
use crate::board::symmetries::group_name;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::games::Sink;
use crate::question::Verb;

/// Answers `list` and `classify`.
pub(super) fn list(asked: &Asked, sink: Sink) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let classes = (question.verb == Verb::Classify).then(|| Classes::new(task));
    let part = question.part();
    let limit = question.number("limit").unwrap_or(u64::MAX);
    let search = Extend::new(task.clone(), Order::Plain);
    let mut told = 0u64;
    let mut in_classes = 0u64;
    let mut wanted = true;
    // Where a path is found it is judged: whether it is told, and of which class it is.
    let judge = |at: &Extend| {
        let path = at.path();
        let class = match &classes {
            None if is_told(path, task) => None,
            None => return None,
            Some(classes) => match classes.judge(path)? {
                Membership::Told(class) => Some(class),
                Membership::Other => return None,
            },
        };
        Some(Solution { class, ..asked.solution(path) })
    };
    let heap = |found: &Solution| size_of_val(found.figure.path());
    let walked = stream(&search, part, run, judge, heap, |found| {
        in_classes += found.class.as_ref().map_or(0, |class| class.orbit);
        told += 1;
        wanted = sink(found) && told < limit;
        wanted
    });
    let (met, stopped) = match walked {
        Ok(all) => (all.solutions, None),
        Err(stopped) => (stopped.so_far.solutions, Some(stopped.why)),
    };
    let value = match &stopped {
        Some(stop) => Value::stopped(told, stop),
        None if !wanted => Value::AtLeast { number: told.into(), why: None },
        None if told == 0 && part.is_whole() => exhausted(),
        None => Value::exact(told),
    };
    let complete = wanted && stopped.is_none() && part.is_whole();
    let mut answer = asked.answer(value, "search over all paths");
    // How far other threads had come when enough was told is chance.
    answer.cost.nodes = wanted.then(|| run.progress().handled);
    answer.certificate = (told > 0).then_some(Certificate::Solutions);
    if !part.is_whole() {
        answer.notes.push(format!("This is part {part}: other solutions are in other parts."));
    }
    if let Some(classes) = &classes {
        let group = group_name(classes.group());
        let directions =
            if task.has_two_directions() { " and, where it can be, reversal" } else { "" };
        answer.counts = format!(
            "classes of {} up to the {} symmetries of the board ({group}){directions}",
            task.counts(),
            classes.group().len()
        );
        if complete {
            let all = met_to_counted(met, task)?;
            if all != BigUint::from(in_classes) {
                return Err(Error::internal(format!(
                    "the classes hold {in_classes} paths, but {all} were met"
                )));
            }
            answer.notes.push(format!("The classes hold {all} {} in all.", task.counts()));
        }
    }
    Ok(answer)
}
