//! Estimating the number of tours from random probes.

use std::f64::consts::LN_2;

use pessoi_engine::ledger::Chapter;
use pessoi_engine::run::Run;
use pessoi_engine::search::{Estimate, Probing, estimate};

use super::branch::Branching;
use super::extend::{Extend, Order};
use super::options::{CHEN, KNUTH, SAMPLES};
use super::task::Task;
use super::{Tour, Work};
use crate::answer::{Answer, Value};
use crate::card::Method;
use crate::error::Result;
use crate::job::Events;
use crate::plan::Plan;
use crate::question::Question;

/// Samples for a first idea.
const GLANCE: u64 = 32;

/// About how many directed open tours there are, if that can be known in about a second.
pub(super) fn glance(task: &Task, run: &Run) -> Option<Estimate> {
    let mut task = task.clone();
    task.closed = false;
    let probed = Branching::undivided(&task)?;
    let found = probed.estimate(Probing::Chen, GLANCE, run, &Chapter::unkept()).ok()?;
    let directions = if task.has_two_directions() { LN_2 } else { 0.0 };
    (!found.is_zero()).then(|| found.scaled_by(directions))
}

/// How the number is to be estimated.
pub(super) struct Probes {
    method: &'static Method,
    samples: u64,
}

impl Probes {
    /// Reads the options.
    pub(super) fn new(question: &Question) -> Self {
        let method = if question.method() == Some(KNUTH.id) { &KNUTH } else { &CHEN };
        // The option has a default.
        Probes { method, samples: question.number(&SAMPLES).unwrap_or(GLANCE) }
    }
}

impl Work for Probes {
    fn plan(&self, at: &Tour) -> Result<Plan> {
        let why = match at.question().method() {
            Some(_) => "it was asked for",
            None => "its probes are the sharpest for their time",
        };
        let plan = at.plan(self.method, why);
        Ok(plan.note(format!("{} probes are made; more make the interval narrower.", self.samples)))
    }

    fn can_save(&self, _: &Task) -> Result<(), String> {
        Ok(())
    }

    fn answer(&self, at: &Tour, _: &mut dyn Events) -> Result<Answer> {
        let (task, run, samples) = (at.task, at.run(), self.samples);
        let ledger = at.asked.ledger(&format!("{}, seed {}", self.method.id, run.budget().seed))?;
        let chapter = ledger.chapter("samples");
        // Trees of choices at the most constrained cell meet each undirected tour once, and
        // Chen's strata of them are sharpest for their time. Knuth's probes do better with
        // paths that are extended, and met in both directions.
        let chen = self.method.id == CHEN.id;
        let branching = if chen { Branching::undivided(task) } else { None };
        let how = if chen { Probing::Chen } else { Probing::Knuth };
        let both = task.has_two_directions();
        let (found, met_twice) = if let Some(branching) = branching {
            (branching.estimate(how, samples, run, &chapter), false)
        } else {
            let search = Extend::new(task.clone(), Order::Plain);
            (estimate(&search, how, samples, run, &chapter), both)
        };
        let found = match found {
            Ok(found) => found,
            Err(stop) => {
                let mut answer = at.gave_up(stop, self.method);
                at.asked.close(&ledger, &mut answer)?;
                return Ok(answer);
            }
        };
        let wanted_twice = task.directed && both;
        let scale = LN_2 * (f64::from(u8::from(wanted_twice)) - f64::from(u8::from(met_twice)));
        let value = Value::estimated(&found.scaled_by(scale), "a path");
        let mut answer = at.answer(value, self.method).with_samples(run);
        at.asked.close(&ledger, &mut answer)?;
        Ok(answer)
    }
}
