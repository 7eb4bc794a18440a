//! Checkpoints of tours that are counted by pairings.

use std::sync::LazyLock;

use pessoi::{Question, Verb};

use super::saved::{gone_on_with, records, written};
use crate::Target;

pub(crate) const TARGET: Target =
    Target { name: "slices", help: "checkpoints of tours by pairings", most: 4096, check };

/// A small board.
static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    let question = Question::new(Verb::Count, "wazir-tours", "4x4").expect("a question");
    question.with("method", "pairings").with("closed", true)
});

/// Bytes before the first record.
const HEAD: usize = 32;

/// The input as it is; and with the checksums that its records ought to have.
fn check(input: &[u8]) {
    gone_on_with("slices", &QUESTION, input);
    let head = input.get(..HEAD).unwrap_or(input);
    let mended = written(&records(input, HEAD));
    gone_on_with("slices", &QUESTION, &[head, &mended].concat());
}
