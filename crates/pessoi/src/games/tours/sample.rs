//! Drawing tours: uniformly from the layers of a sweep, where these fit; otherwise by growing
//! and rotating paths at random, which favours some tours over others, and the answer says so.

use std::time::Duration;

use num_traits::Zero;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Budget, Run, Stop};
use pessoi_engine::sweep::{self, Sampler};

use super::border::Paths;
use super::count::swept;
use super::options::{DRAWS, ROTATIONS, UNIFORM, UNIFORM_OR_ROTATIONS};
use super::task::Task;
use super::{Tour, Work, proofs, rotations};
use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::card::{METHOD, Method};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::export;
use crate::job::{Events, Halt, draw};
use crate::plan::{GLANCE, Plan};
use crate::question::Question;

/// What is drawn.
const DRAWN: Subject = Subject::things("random-paths", "random path drawn", "random paths drawn");

/// How long the layers of a sweep are waited for where rotations can be used instead.
const PATIENCE: Duration = Duration::from_mins(1);

/// How many times as long the layers may be predicted to take before they are not even begun.
/// Predictions are within a factor of 2.5 nine times in ten.
const DOUBT: f64 = 4.0;

/// Attempts for one path.
const ATTEMPTS: u64 = 1000;

/// How many tours are to be drawn, and how.
pub(super) struct Draws {
    wanted: u64,
    method: &'static Method,
    why: String,
}

impl Draws {
    /// Reads the options and chooses the engine.
    pub(super) fn new(question: &Question, task: &Task) -> Result<Self> {
        let wanted = question.number(&DRAWS).unwrap_or(1);
        let swept = Paths::width(task);
        let rotates = rotations::suits(task);
        let (method, why) = match (question.method(), swept) {
            (Some(id), swept) if id == UNIFORM.id => {
                swept?;
                (&UNIFORM, "it was asked for".into())
            }
            (Some(_), _) if rotates => (&ROTATIONS, "it was asked for".into()),
            (Some(_), _) => {
                return Err(Error::unsupported(
                    &format!("options.{METHOD}"),
                    "Rotations need three cells and cannot follow clues, which say when a cell is \
                     visited.",
                ));
            }
            (None, Ok(_)) if rotates => (
                &UNIFORM_OR_ROTATIONS,
                "uniform samples need all layers of a sweep, which may not fit into memory".into(),
            ),
            (None, Ok(_)) => (&UNIFORM, "uniform samples need all layers of a sweep".into()),
            (None, Err(error)) if rotates => (&ROTATIONS, error.sentence),
            // Where there is nothing to draw, no engine is needed.
            (None, Err(error)) if proofs::none(task).is_none() => return Err(error),
            (None, Err(_)) => (&ROTATIONS, "there is nothing to draw".into()),
        };
        Ok(Draws { wanted, method, why })
    }

    /// The uniform sample; `Err` if its layers are too much. They are made within a run of
    /// their own.
    fn uniform(
        &self,
        at: &Tour,
        used: Used,
        within: &Run,
        events: &mut dyn Events,
    ) -> Result<Result<Answer, Stop>> {
        let (task, run) = (at.task, at.run());
        let paths = match Paths::new(task, within) {
            Ok(paths) => paths,
            Err(stop) => return Ok(Err(stop)),
        };
        let sampler = match Sampler::new(&paths, within) {
            Ok(sampler) => sampler,
            Err(stop) => return Ok(Err(stop)),
        };
        if sampler.total().is_zero() {
            let value = Value::none("the sweep over all choices found no path");
            return Ok(Ok(at.answer(value, used)));
        }
        let mut random = Random::new(run.budget().seed, 0);
        let (drawn, stop) = draw(self.wanted, run, events, |_| {
            let path = sampler.draw(&mut random).and_then(|codes| paths.path(task, &codes));
            let path = path.ok_or_else(|| Error::internal("a sample is not a path"))?;
            Ok(at.solution(&path))
        })?;
        let mut answer = given(at, drawn, stop, used);
        let subject = task.subject();
        let text = format!("{}, each with the same chance", subject.text);
        answer.fact("paths", &text, sampler.total());
        answer.fact("uniform", "uniform", true);
        answer.cost.borders = Some(sampler.borders());
        Ok(Ok(answer))
    }

    /// Draws by rotations: any path may come, but not with the same chance.
    fn rotated(&self, at: &Tour, used: Used, why: &str, events: &mut dyn Events) -> Result<Answer> {
        let (task, run) = (at.task, at.run());
        let (drawn, stop) = draw(self.wanted, run, events, |number| {
            let attempts = number * ATTEMPTS..(number + 1) * ATTEMPTS;
            match rotations::find(task, attempts, run)? {
                Some(path) => Ok(at.solution(&path)),
                None => Err(Halt::Stop(Limit::Attempts {
                    text: format!("no path was found in {ATTEMPTS} attempts"),
                })),
            }
        })?;
        let mut answer = given(at, drawn, stop, used);
        if drawn > 0 {
            answer.fact("uniform", "uniform", false);
            answer.notes.push(format!(
                "These are not uniform: the paths were grown at random by Warnsdorff's rule and \
                 rotated out of dead ends, which favours some over others. {why}"
            ));
        }
        Ok(answer)
    }
}

impl Work for Draws {
    fn subject(&self, task: &Task, value: &Value) -> Option<Subject> {
        Some(if matches!(value, Value::AtLeast { .. }) { DRAWN } else { task.subject() })
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let plan = at.plan(self.method, &self.why);
        if self.method.id == ROTATIONS.id {
            return Ok(plan.note("How soon rotations find a path cannot be predicted."));
        }
        Ok(match Paths::new(at.task, at.run()) {
            Ok(paths) => swept(plan, &paths, at.run())
                .note("All layers are kept at once, and read a second time backwards."),
            Err(stop) => plan.note(format!("There is nothing to predict: {stop}.")),
        })
    }

    fn answer(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer> {
        let used = Used::from(self.method);
        if self.method.id == ROTATIONS.id {
            let why = if at.question().method().is_some() { "" } else { &self.why };
            return self.rotated(at, used, why, events);
        }
        let falls_back = self.method.id == UNIFORM_OR_ROTATIONS.id;
        let uniform = if falls_back { used.clone().by(&UNIFORM) } else { used.clone() };
        // What is drawn otherwise needs some of the time too.
        let run = at.run();
        let within = if falls_back {
            let left = run.budget().time.map(|time| time.saturating_sub(run.elapsed()) / 2);
            let time = left.unwrap_or(PATIENCE).min(PATIENCE);
            if let Some(seconds) = hopeless(at.task, time, run) {
                let why = format!(
                    "A uniform sample needs all layers of a sweep, which would take about {}. Ask \
                     for it with --method {}.",
                    export::seconds(seconds),
                    UNIFORM.id
                );
                return self.rotated(at, used.by(&ROTATIONS), &why, events);
            }
            run.part(Budget { time: Some(time), ..run.budget().clone() })
        } else {
            run.part(Budget { time: None, ..run.budget().clone() })
        };
        match self.uniform(at, uniform, &within, events)? {
            Ok(answer) => Ok(answer),
            // What is too large for the memory or the time can still be drawn otherwise.
            Err(stop) if falls_back && at.run().check().is_ok() => {
                let why = format!(
                    "A uniform sample needs all layers of a sweep, and these were too much: {stop}."
                );
                self.rotated(at, used.by(&ROTATIONS), &why, events)
            }
            Err(stop) => Ok(at.asked.gave_up(&DRAWN, stop, used)),
        }
    }
}

/// How many seconds the layers of a sweep will take, if that is far more than the time for them.
fn hopeless(task: &Task, time: Duration, run: &Run) -> Option<f64> {
    let paths = Paths::new(task, run).ok()?;
    let found = sweep::forecast(&paths, GLANCE, run).ok()?;
    (!found.exact && found.seconds > DOUBT * time.as_secs_f64()).then_some(found.seconds)
}

fn given(at: &Tour, drawn: u64, stop: Option<Limit>, used: Used) -> Answer {
    let value = match stop {
        Some(stop) => Value::stopped(drawn, stop),
        None => Value::at_least(drawn),
    };
    let mut answer = at.asked.answer(&DRAWN, value, used);
    answer.seed = Some(at.run().budget().seed);
    answer.certificate = (drawn > 0).then(Certificate::solutions);
    answer
}
