//! Checkpoints of Go.

use std::sync::LazyLock;

use pessoi::games::is_checkpoint;
use pessoi::{Question, Verb};

use super::saved::{gone_on_with, records, written};
use crate::Target;

pub(crate) const TARGET: Target =
    Target { name: "checkpoint", help: "checkpoints of Go", most: 1280, check };

/// Legal positions modulo a prime: small, and counted by the engine that saves itself.
static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    let question = Question::new(Verb::Count, "go", "4x4").expect("a question");
    question.with("method", "matrix").with("mod", 101)
});

/// The input as it is; and with the checksums that its records ought to have.
fn check(input: &[u8]) {
    whole(input);
    // A line, an empty line, and records.
    let head = input.windows(2).position(|two| two == b"\n\n").map_or(0, |at| at + 2);
    whole(&[&input[..head], &written(&records(input, head))].concat());
}

/// One of so many checkpoints that can be read is also gone on with, which takes a millisecond
/// where reading takes a microsecond.
const TAKEN: u64 = 64;

fn whole(input: &[u8]) {
    let is_read = is_checkpoint(input);
    let mixed = input
        .iter()
        .fold(0u64, |mixed, &byte| mixed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    if is_read.is_ok() && (!cfg!(fuzzing) || mixed.is_multiple_of(TAKEN)) {
        gone_on_with("checkpoint", &QUESTION, input);
    }
}
