//! Drawing tours: uniformly from the layers of a sweep, where these fit; otherwise by growing
//! and rotating paths at random, which favours some tours over others, and the answer says so.

use num_bigint::BigUint;
use num_traits::Zero;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Claim, Stop};
use pessoi_engine::sweep::Sampler;

use super::Asked;
use super::border::Paths;
use super::rotations;
use crate::answer::{Answer, Solution, Value};
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::error::{Error, Result};

/// Answers `sample`.
pub(super) fn sample(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let wanted = question.number("samples").unwrap_or(1);
    let paths = Paths::new(task).map_err(|error| error.to_string());
    let (paths, sampler) = match &paths {
        Ok(paths) => match Sampler::new(paths, run) {
            Ok(sampler) => (paths, sampler),
            // What is too large for memory can still be drawn otherwise.
            Err(stop) if rotations::suits(task) && run.check().is_ok() => {
                let why = format!("The layers of a sweep were too much: {stop}.");
                return Ok(rotated(asked, wanted, &why));
            }
            Err(stop) => return Ok(asked.gave_up(&stop, UNIFORM)),
        },
        Err(why) if rotations::suits(task) => return Ok(rotated(asked, wanted, why)),
        Err(why) => return Err(Error::input(why.clone())),
    };
    if sampler.total().is_zero() {
        let value = Value::None { proof: "the sweep over all choices found no path".into() };
        return Ok(asked.answer(value, UNIFORM));
    }
    let mut random = Random::new(run.budget().seed, 0);
    let mut draws = Draws::new(asked);
    for _ in 0..wanted {
        if !draws.has_room() {
            break;
        }
        let path = sampler.draw(&mut random).and_then(|codes| paths.path(task, &codes));
        let path = path.ok_or_else(|| Error::internal("a sample is not a path"))?;
        draws.solutions.push(asked.solution(&path));
    }
    let mut answer = draws.told(UNIFORM);
    answer.notes.push(format!(
        "Each of the {} {} had the same chance.",
        sampler.total(),
        task.counts()
    ));
    answer.cost.borders = Some(sampler.borders());
    Ok(answer)
}

const UNIFORM: &str = "uniform, from the layers of a sweep";

/// Attempts for one path.
const ATTEMPTS: u64 = 1000;

/// Draws by rotations: any path may come, but not with the same chance.
fn rotated(asked: &Asked, wanted: u64, why: &str) -> Answer {
    let Asked { task, run, .. } = asked;
    let mut draws = Draws::new(asked);
    for number in 0..wanted {
        if !draws.has_room() {
            break;
        }
        match rotations::find(task, number * ATTEMPTS..(number + 1) * ATTEMPTS, run) {
            Ok(Some(path)) => draws.solutions.push(asked.solution(&path)),
            Ok(None) => break,
            Err(stop) => {
                draws.stopped = Some(stop);
                break;
            }
        }
    }
    if draws.solutions.is_empty() {
        let stop = draws.stopped.as_ref().map(ToString::to_string);
        let why = stop.unwrap_or_else(|| format!("no path was found in {ATTEMPTS} attempts"));
        return asked.answer(Value::GaveUp { why }, "rotations");
    }
    let mut answer = draws.told("rotations of paths grown by Warnsdorff's rule");
    answer.notes.push(format!(
        "These are not uniform: the paths were grown at random by Warnsdorff's rule and rotated \
         out of dead ends, which favours some over others. {why}"
    ));
    answer
}

/// What was drawn so far.
struct Draws<'a> {
    asked: &'a Asked<'a>,
    claim: Claim,
    solutions: Vec<Solution>,
    stopped: Option<Stop>,
}

impl<'a> Draws<'a> {
    fn new(asked: &'a Asked) -> Self {
        Draws { asked, claim: asked.run.claim(), solutions: Vec::new(), stopped: None }
    }

    /// Whether one more may be drawn; notes why not.
    fn has_room(&mut self) -> bool {
        let each = size_of::<Solution>() + self.asked.task.len() * size_of::<Cell>();
        let room = (self.solutions.len() as u64 + 1) * each as u64;
        let room = self.asked.run.check().and_then(|()| self.claim.grow_to(room));
        self.stopped = room.err();
        self.stopped.is_none()
    }

    fn told(self, method: &str) -> Answer {
        let Asked { question, run, .. } = self.asked;
        let number = BigUint::from(self.solutions.len());
        let value = match self.stopped {
            Some(stop) => Value::stopped(number, &stop),
            None => Value::AtLeast { number, why: None },
        };
        let mut answer = Answer::new(question, value, "random paths drawn", method, run);
        answer.seed = Some(run.budget().seed);
        answer.solutions = self.solutions;
        answer.certificate = Some(Certificate::Solutions);
        answer
    }
}
