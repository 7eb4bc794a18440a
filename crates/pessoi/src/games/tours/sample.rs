//! Drawing tours uniformly.

use num_bigint::BigUint;
use num_traits::Zero;
use pessoi_engine::random::Random;
use pessoi_engine::sweep::Sampler;

use super::Asked;
use super::border::Paths;
use crate::answer::{Answer, Solution, Value};
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::error::{Error, Result};

/// Answers `sample`.
pub(super) fn sample(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let method = "uniform, from the layers of a sweep";
    let paths = Paths::new(task)?;
    let sampler = match Sampler::new(&paths, run) {
        Ok(sampler) => sampler,
        Err(stop) => return Ok(asked.gave_up(&stop, method)),
    };
    if sampler.total().is_zero() {
        let value = Value::None { proof: "the sweep over all choices found no path".into() };
        return Ok(asked.answer(value, method));
    }
    let mut random = Random::new(run.budget().seed, 0);
    let mut claim = run.claim();
    let mut solutions: Vec<Solution> = Vec::new();
    let mut stopped = None;
    for number in 1..=question.number("samples").unwrap_or(1) {
        let room = number * (size_of::<Solution>() + task.len() * size_of::<Cell>()) as u64;
        if let Err(stop) = run.check().and_then(|()| claim.grow_to(room)) {
            stopped = Some(stop);
            break;
        }
        let path = sampler.draw(&mut random).and_then(|codes| paths.path(task, &codes));
        let path = path.ok_or_else(|| Error::internal("a sample is not a path"))?;
        solutions.push(asked.solution(&path));
    }
    let number = BigUint::from(solutions.len());
    let value = match stopped {
        Some(stop) => Value::stopped(number, &stop),
        None => Value::AtLeast { number, why: None },
    };
    let mut answer = Answer::new(question, value, "random paths drawn", method, run);
    answer.notes.push(format!(
        "Each of the {} {} had the same chance.",
        sampler.total(),
        task.counts()
    ));
    answer.cost.borders = Some(sampler.borders());
    answer.seed = Some(run.budget().seed);
    answer.solutions = solutions;
    answer.certificate = Some(Certificate::Solutions);
    Ok(answer)
}
