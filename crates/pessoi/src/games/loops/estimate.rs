//! Estimating the number of loops from random probes.

use std::sync::Arc;

use pessoi_engine::run::Run;
use pessoi_engine::search::{Probing, estimate};

use super::engine::{CHEN, KNUTH};
use super::options::SAMPLES;
use super::orderly::Orderly;
use super::task::Task;
use crate::answer::{Answer, Subject, Value};
use crate::card::Method;
use crate::error::{Error, Result};
use crate::job::{Asked, Events, Job, Work};
use crate::plan::Plan;
use crate::question::Question;

/// The question about how many loops there are.
pub(super) struct Estimate<'q> {
    question: &'q Question,
    task: Arc<Task>,
    samples: u64,
    how: Probing,
    method: &'static Method,
}

impl<'q> Estimate<'q> {
    pub(super) fn new(question: &'q Question, task: Arc<Task>) -> Result<Self> {
        let (how, method) = if question.method() == Some(KNUTH.id) {
            (Probing::Knuth, &KNUTH)
        } else {
            (Probing::Chen, &CHEN)
        };
        let samples = question.number(&SAMPLES);
        let samples = samples.ok_or_else(|| Error::internal("--samples has no default"))?;
        Ok(Estimate { question, task, samples, how, method })
    }

    fn work(&self, asked: Asked) -> Work<Answer> {
        let run = asked.run;
        let mut claim = run.claim();
        claim.grow_to(Orderly::bytes(&self.task))?;
        let ledger = asked.ledger(&format!("{}, seed {}", self.method.id, run.budget().seed))?;
        let search = Orderly::new(self.task.clone());
        let chapter = ledger.chapter("samples");
        let mut answer = match estimate(&search, self.how, self.samples, run, &chapter) {
            Ok(found) => {
                let value = Value::estimated(&found, "a loop");
                asked.answer(&self.task.subject(), value, self.method).with_samples(run)
            }
            Err(stop) => asked.gave_up(&self.task.subject(), stop, self.method),
        };
        asked.close(&ledger, &mut answer)?;
        Ok(answer)
    }
}

impl Job for Estimate<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(self.task.subject())
    }

    fn plan(&self, _: &Run) -> Result<Plan> {
        let why = "random probes of the search tree, as many as are asked for";
        Ok(Plan::new(self.question, self.method, why))
    }

    fn check_store(&self) -> Result<()> {
        Ok(())
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        let asked = Asked::new(self.question, run);
        asked.settle(&self.task.subject(), self.method, self.work(asked))
    }
}
