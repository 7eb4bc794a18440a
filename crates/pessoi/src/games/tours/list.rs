//! Listing: every tour, or one of each class, as the search meets them.

use num_bigint::BigUint;
use pessoi_engine::search::{Advance, Walk, descend, prefixes};

use super::classes::{Classes, Membership};
use super::count::met_to_counted;
use super::extend::{Extend, Order};
use super::find::is_told;
use super::{Asked, exhausted};
use crate::answer::{Answer, Value};
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
    let mut search = Extend::new(task.clone(), Order::Plain);
    let mut told = 0u64;
    let mut in_classes = 0u64;
    let mut met = 0u64;
    let mut wanted = true;
    let mut stopped = None;
    let jobs = prefixes(&mut search, part.prefixes_wanted(), run);
    let jobs = jobs.unwrap_or_else(|stop| {
        stopped = Some(stop);
        Vec::new()
    });
    run.uneven_stage("searching", jobs.len() as u64);
    'jobs: for (number, prefix) in (0..).zip(&jobs) {
        if !part.contains(number) {
            run.step(1);
            continue;
        }
        let mut search = search.clone();
        descend(&mut search, prefix);
        let mut walk = Walk::new(search, run);
        loop {
            match walk.advance(u64::MAX) {
                Ok(Advance::Found) => {
                    met += 1;
                    let path = walk.search().path();
                    let mut found = asked.solution(path);
                    if let Some(classes) = &classes {
                        match classes.judge(path) {
                            Some(Membership::Told(class)) => {
                                in_classes += class.orbit;
                                found.class = Some(class);
                            }
                            Some(Membership::Other) => continue,
                            None => return Err(Error::internal("a path without images")),
                        }
                    } else if !is_told(path, task) {
                        continue;
                    }
                    told += 1;
                    wanted = sink(found) && told < limit;
                    if !wanted {
                        break 'jobs;
                    }
                }
                Ok(_) => break,
                Err(stop) => {
                    stopped = Some(stop);
                    break 'jobs;
                }
            }
        }
        run.step(1);
    }
    let value = match &stopped {
        Some(stop) => Value::stopped(told, stop),
        None if !wanted => Value::AtLeast { number: told.into(), why: None },
        None if told == 0 && part.is_whole() => exhausted(),
        None => Value::exact(told),
    };
    let complete = wanted && stopped.is_none() && part.is_whole();
    let mut answer = asked.answer(value, "search over all paths");
    answer.cost.nodes = Some(run.progress().handled);
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
