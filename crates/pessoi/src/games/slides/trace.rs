//! The verb `trace`: how a shortest solution is found, layer by layer.
//!
//! It is found from both ends (see `meet`): layers of configurations are grown around the start and
//! around the goal, always on the side whose last layer is smaller, until a configuration of one
//! side is met by the other. Each layer is a step. The solution that was found is drawn as `find`
//! draws it.

use pessoi_engine::run::Run;

use super::find::{Decided, Finding, SHORTEST, SOLUTIONS};
use super::meet::{self, Layer, Met};
use super::methods::{INSPECTION, MEET, MEMBERSHIP};
use super::options::CONFIGURATIONS;
use super::position::figure;
use super::task::Task;
use crate::answer::{Answer, Limit, Subject, Value};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Events, Job};
use crate::plan::Plan;
use crate::table::{Datum, DatumKind, Table};

/// Answers `trace`.
pub(super) struct Tracing<'a> {
    finding: Finding<'a>,
    /// Configurations that may be seen.
    most: u64,
}

impl<'a> Tracing<'a> {
    pub(super) fn new(task: Task<'a>) -> Result<Self> {
        let most = task.question.number(&CONFIGURATIONS).unwrap_or(u64::MAX);
        Ok(Tracing { finding: Finding::new(task)?, most })
    }

    /// The answer with a shortest solution.
    fn solved(
        &self,
        way: &[super::position::Position],
        method: &'static crate::Method,
        run: &Run,
        events: &mut dyn Events,
    ) -> Answer {
        let task = self.finding.task();
        let _ = events.solution(figure(way, &task.puzzle));
        let value = Value::exact(way.len() as u64 - 1);
        let mut answer = task.asked(run).answer(&SHORTEST, value, method);
        answer.certificate = Some(Certificate::solutions());
        answer
    }
}

fn table(layers: &[Layer]) -> Table {
    let columns = [
        ("step", "step", DatumKind::Integer),
        ("from-start", "new, from the start", DatumKind::Integer),
        ("from-goal", "new, from the goal", DatumKind::Integer),
        ("seen", "seen so far", DatumKind::Integer),
        ("distance", "slides from that end", DatumKind::Integer),
        ("met", "met", DatumKind::Boolean),
    ];
    let mut table = Table::new("layers", "Configurations, layer by layer", &columns);
    for (step, layer) in (1u64..).zip(layers) {
        let new = |is_goal: bool| {
            let size = (layer.is_goal == is_goal).then_some(layer.size);
            Datum::from(size)
        };
        table.push([
            step.into(),
            new(false),
            new(true),
            layer.seen.into(),
            layer.distance.into(),
            layer.is_met.into(),
        ]);
    }
    table
}

impl Job for Tracing<'_> {
    fn subject(&self, value: &Value) -> Option<Subject> {
        Some(if matches!(value, Value::Exact { .. }) { SHORTEST } else { SOLUTIONS })
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let task = self.finding.task();
        Ok(match self.finding.decide(run) {
            Err(stop) => task.cut_short(&MEET, &stop),
            Ok(Decided::Same) => Plan::new(task.question, &INSPECTION, "the start is the goal"),
            Ok(Decided::None { proof, .. }) => {
                Plan::new(task.question, &MEMBERSHIP, &format!("there is no solution: {proof}"))
            }
            Ok(Decided::Open(_)) => {
                let plan = Plan::new(task.question, &MEET, "its layers can be shown");
                plan.note(format!("At most {} configurations are seen: --limit.", self.most))
            }
        })
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let task = self.finding.task();
        let asked = task.asked(run);
        let open = match self.finding.decide(run) {
            Err(stop) => return Ok(asked.gave_up(&SOLUTIONS, stop, &MEET)),
            Ok(Decided::Same) => {
                let (from, _) = self.finding.ends();
                return Ok(self.solved(std::slice::from_ref(from), &INSPECTION, run, events));
            }
            Ok(Decided::None { proof, certificate }) => {
                let mut answer = asked.answer(&SOLUTIONS, Value::none(proof), &MEMBERSHIP);
                answer.certificate = Some(certificate);
                return Ok(answer);
            }
            Ok(Decided::Open(open)) => open,
        };
        let (from, to) = self.finding.ends();
        let mut layers = Vec::new();
        let keep = &mut |layer| layers.push(layer);
        let met = meet::watched(&task.puzzle, from, to, self.most, run, keep);
        let mut answer = match met {
            Ok(Met::Solution(way)) => self.solved(&way, &MEET, run, events),
            Ok(Met::Apart) if open.is_sure() => {
                return Err(Error::internal("the group and the search disagree"));
            }
            Ok(Met::Apart) => {
                let proof = "everything that can be reached was reached";
                asked.answer(&SOLUTIONS, Value::none(proof), &MEET)
            }
            Ok(Met::TooMany) => {
                let text =
                    format!("the layers hold more than {} configurations (--limit)", self.most);
                asked.gave_up(&SOLUTIONS, Limit::Size { text }, &MEET)
            }
            Err(stop) => asked.gave_up(&SOLUTIONS, stop, &MEET),
        };
        answer.cost.states = layers.last().map(|layer: &Layer| layer.seen);
        answer.tables.push(table(&layers));
        Ok(answer)
    }
}
