//! Estimating the number of loops from random probes.

use pessoi_engine::search::{Probing, estimate};

use super::Asked;
use super::orderly::Orderly;
use crate::answer::{Answer, Value};
use crate::error::{Error, Result};

/// Answers `estimate`.
pub(super) fn guess(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let (how, method) = match question.text("method") {
        Some("knuth") => (Probing::Knuth, "Knuth's random probes of canonical words"),
        _ => (Probing::Chen, "Chen's heuristic sampling of canonical words"),
    };
    let samples = question.number("samples").unwrap_or(1000);
    if samples < 2 {
        return Err(Error::input("--samples 1 gives no interval: at least 2 are needed."));
    }
    let found = match estimate(&Orderly::new(task.clone()), how, samples, run) {
        Ok(found) => found,
        Err(stop) => return Ok(asked.gave_up(&stop, method)),
    };
    Ok(asked.answer(Value::probed(&found, 1.0), method).with_probes(&found, run))
}
