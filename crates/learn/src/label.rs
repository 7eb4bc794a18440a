//! Labels: whether a board has a tour, proved.
//!
//! A board *has* a tour if one was found, which is then checked move by move. It has *none* if
//! inspection, a certificate of short supply, the SAT solver, an exhausted search or an exact count
//! says so. Anything else is no label.
//!
//! Work is measured in **steps**: how often an engine asks its run whether to go on. That is once
//! for each decision of the SAT solver, 64 steps of rotations, or some thousand nodes of a search.
//! Steps depend on the question and the seed alone, and not on the machine, so limits and
//! comparisons are made in them; seconds are reported beside.

use std::time::Duration;

use pessoi::{Answer, Budget, Catalogue, Code, Effort, Question, Result, Run, Value, Verb};

use crate::case::Case;

/// A step, on the clock of a run that counts them.
const STEP: Duration = Duration::from_micros(1);

/// What an engine came to.
#[derive(Clone, Debug)]
pub struct Label {
    /// Whether there is a tour; `None` if the limit was reached first.
    pub solvable: Option<bool>,
    /// The engine that saw it.
    pub by: String,
    /// Steps taken.
    pub steps: u64,
    /// The whole answer.
    pub answer: Answer,
}

/// Asks for a tour by a method (`auto` for the portfolio), for at most so many steps.
pub fn label(case: &Case, method: &str, most: u64, seed: u64) -> Result<Label> {
    asked(&find(case, method)?, most, seed)
}

/// Asks a question for a tour, for at most so many steps.
pub fn asked(question: &Question, most: u64, seed: u64) -> Result<Label> {
    let time =
        (most < u64::MAX).then(|| STEP.saturating_mul(u32::try_from(most).unwrap_or(u32::MAX)));
    let run = Run::stepping(Budget { time, seed, ..Budget::default() }, STEP);
    let mut answer = Catalogue::standard().answer(question, &run)?;
    answer.cost.seconds = 0.0;
    let by = answer.method.by.clone().unwrap_or_else(|| answer.method.id.clone());
    let solvable = verdict(&answer);
    let steps = (run.elapsed().as_micros() / STEP.as_micros()) as u64;
    Ok(Label { solvable, by, steps, answer })
}

/// Memory of an exact count.
const MOST_BYTES: u64 = 1 << 30;

/// Whether there is a tour, by an exact count; `None` if the board is too wide for it, or its borders
/// need too much memory.
pub fn counted(case: &Case) -> Result<Option<bool>> {
    let question = case.question(Verb::Count)?.with("method", "pairings");
    let run = Run::new(Budget { memory: Some(MOST_BYTES), ..Budget::default() });
    match Catalogue::standard().answer(&question, &run) {
        Ok(answer) => Ok(match answer.value {
            Value::None { .. } => Some(false),
            Value::Exact { .. } => answer.value.number().map(|number| number > 0u32.into()),
            _ => None,
        }),
        Err(error) if error.code == Code::Unsupported => Ok(None),
        Err(error) => Err(error),
    }
}

/// The question for a tour by a method.
pub fn find(case: &Case, method: &str) -> Result<Question> {
    let question = case.question(Verb::Find)?;
    Ok(if method == "auto" { question } else { question.with("method", method) })
}

/// What an answer says.
pub fn verdict(answer: &Answer) -> Option<bool> {
    match &answer.value {
        Value::None { .. } => Some(false),
        Value::AtLeast { .. } | Value::Exact { .. } if !answer.solutions.is_empty() => Some(true),
        _ => None,
    }
}

/// Whether the tour that an answer holds is accepted by the checker.
pub fn tour_holds(answer: &Answer) -> Result<bool> {
    Ok(Catalogue::standard().check(answer, Effort::Usual, &Run::default())?.holds)
}
