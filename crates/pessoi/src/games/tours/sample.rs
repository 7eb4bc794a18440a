//! Drawing tours uniformly.

use num_bigint::BigUint;
use num_traits::Zero;
use pessoi_engine::random::Random;
use pessoi_engine::sweep::Sampler;

use super::Asked;
use super::border::Paths;
use crate::answer::{Answer, Value};
use crate::certificate::Certificate;
use crate::error::{Error, Result};

/// Answers `sample`.
pub(super) fn sample(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let paths = Paths::new(task)?;
    let method = "uniform, from the layers of a sweep";
    let sampler = match Sampler::new(&paths, run) {
        Ok(sampler) => sampler,
        Err(stop) => {
            return Ok(asked.gave_up(&stop, method));
        }
    };
    if sampler.total().is_zero() {
        let value = Value::None { proof: "the sweep over all choices found no path".into() };
        return Ok(asked.answer(value, method));
    }
    let mut random = Random::new(run.budget().seed, 0);
    let mut solutions = Vec::new();
    for _ in 0..question.number("samples").unwrap_or(1) {
        let path = sampler.draw(&mut random).and_then(|codes| paths.path(task, &codes));
        let path = path.ok_or_else(|| Error::internal("a sample is not a path"))?;
        solutions.push(asked.solution(&path));
        if let Err(stop) = run.check() {
            let number = BigUint::from(solutions.len());
            let value = Value::AtLeast { number, why: Some(stop.to_string()) };
            let mut answer = Answer::new(question, value, "random paths drawn", method, run);
            answer.solutions = solutions;
            return Ok(answer);
        }
    }
    let value = Value::AtLeast { number: solutions.len().into(), why: None };
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
