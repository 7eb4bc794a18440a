//! Listing: every tour, or one of each class, in the order in which the search meets them,
//! on all threads.

use num_bigint::BigUint;
use pessoi_engine::search::{Part, stream};

use super::choice::probes;
use super::classes::{Classes, Membership};
use super::count::met_to_counted;
use super::extend::{Extend, Order};
use super::find::is_given;
use super::options::{LIMIT_OF_LIST, SEARCH_FOR_ALL, SEARCH_FOR_CLASSES};
use super::task::Task;
use super::{Tour, Work, exhausted};
use crate::answer::{Answer, Subject, Used, Value};
use crate::board::Symmetry;
use crate::board::symmetries::group_name;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Events, LISTED};
use crate::plan::Plan;
use crate::question::{Question, Verb};
use crate::solution::Solution;

/// What is to be listed.
pub(super) struct List {
    classes: bool,
    limit: Option<u64>,
    part: Part,
}

impl List {
    /// Reads the options.
    pub(super) fn new(question: &Question) -> Self {
        List {
            classes: question.verb == Verb::Classify,
            limit: question.number(&LIMIT_OF_LIST),
            part: question.part(),
        }
    }

    fn used(&self) -> Used {
        if self.classes { (&SEARCH_FOR_CLASSES).into() } else { (&SEARCH_FOR_ALL).into() }
    }
}

/// A solution on its way to the events.
enum Parcel {
    /// As it is.
    Plain(Solution),
    /// As it is written.
    Encoded(Vec<u8>),
}

impl Work for List {
    fn subject(&self, task: &Task, _: &Value) -> Option<Subject> {
        (!self.classes).then(|| task.subject())
    }

    fn can_save(&self, _: &Task) -> Result<(), String> {
        Err(LISTED.into())
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let plan = at.plan(self.used(), "every solution must be visited");
        let search = Extend::new(at.task.clone(), Order::Plain);
        let plan = plan.with_tree(search, probes(at.task), at.run());
        Ok(match self.limit {
            None => plan,
            Some(limit) => plan.note(format!("This is for all; it stops after {limit}.")),
        })
    }

    fn answer(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer> {
        let (task, run, part) = (at.task, at.run(), self.part);
        let classes = self.classes.then(|| Classes::new(task));
        let limit = self.limit.unwrap_or(u64::MAX);
        let search = Extend::new(task.clone(), Order::Plain);
        let encoder = events.encoder();
        let mut given = 0u64;
        let mut in_classes = 0u64;
        let mut wanted = true;
        // Where a path is found it is judged: whether it is given, and of which class it is.
        let judge = |at_path: &Extend| {
            let path = at_path.path();
            let class = match &classes {
                None if is_given(path, task) => None,
                None => return None,
                Some(classes) => match classes.judge(path)? {
                    Membership::Least(class) => Some(class),
                    Membership::Other => return None,
                },
            };
            let orbit = class.as_ref().map_or(0, |class| class.orbit);
            let solution = Solution { class, ..at.solution(path) };
            Some((
                orbit,
                match &encoder {
                    None => Parcel::Plain(solution),
                    Some(encoder) => {
                        let mut bytes = Vec::new();
                        encoder.encode(&solution, &mut bytes);
                        Parcel::Encoded(bytes)
                    }
                },
            ))
        };
        let heap = |(_, parcel): &(u64, Parcel)| match parcel {
            Parcel::Plain(solution) => size_of_val(solution.figure.path()),
            Parcel::Encoded(bytes) => bytes.len(),
        };
        let walked = stream(&search, part, run, judge, heap, |(orbit, parcel)| {
            in_classes += orbit;
            given += 1;
            let flow = match parcel {
                Parcel::Plain(solution) => events.solution(solution),
                Parcel::Encoded(bytes) => events.encoded(&bytes, 1),
            };
            wanted = flow.is_continue() && given < limit;
            wanted
        });
        let (met, stopped) = match walked {
            Ok(all) => (all.solutions, None),
            Err(stopped) => (stopped.so_far.solutions, Some(stopped.why)),
        };
        let complete = wanted && stopped.is_none();
        let value = match stopped {
            Some(stop) => Value::stopped(given, stop),
            None if !wanted => Value::at_least(given),
            None if given == 0 && part.is_whole() => exhausted(),
            None => Value::exact(given),
        };
        let group = classes.as_ref().map(Classes::group);
        let subject = group.map_or_else(|| task.subject(), |group| of_classes(task, group));
        let mut answer = at.asked.answer(&subject, value, self.used());
        // How far other threads had come when enough was given is chance.
        answer.cost.nodes = wanted.then(|| run.progress().handled);
        answer.certificate = (given > 0).then(Certificate::solutions);
        if classes.is_some() && complete {
            // Paths of a class may lie in several parts.
            let all = if part.is_whole() { met_to_counted(met, task)? } else { in_classes.into() };
            if all != BigUint::from(in_classes) {
                return Err(Error::internal(format!(
                    "the classes hold {in_classes} paths, but {all} were met"
                )));
            }
            let text = format!("{} in these classes", task.subject().text);
            answer.fact("paths", &text, all);
        }
        Ok(answer)
    }
}

/// What `classify` lists.
fn of_classes(task: &Task, group: &[Symmetry]) -> Subject {
    let reversal = if task.has_two_directions() { " and, where it can be, reversal" } else { "" };
    let (symmetries, name) = (group.len(), group_name(group));
    task.subject().classes(&format!("the {symmetries} symmetries of the board ({name}){reversal}"))
}
