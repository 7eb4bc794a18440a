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
    let (low, high) = found.interval();
    let value = if found.mean == 0.0 {
        Value::GaveUp { why: format!("none of {} probes came upon a loop", found.samples) }
    } else {
        Value::Estimated {
            mean: found.mean,
            low,
            high,
            standard_error: found.standard_error,
            samples: found.samples,
            effective_samples: found.effective,
        }
    };
    let mut answer = asked.answer(value, method);
    answer.seed = Some(run.budget().seed);
    answer.cost.nodes = Some(run.progress().handled);
    if let Some(stop) = found.stopped {
        answer.notes.push(format!("Fewer samples were drawn than asked for: {stop}."));
    }
    if found.effective < 50.0 && found.mean > 0.0 {
        answer.notes.push(
            "Few samples carry the sum (see the effective sample size), so the interval may be \
             too narrow: draw more with --samples."
                .into(),
        );
    }
    Ok(answer)
}
