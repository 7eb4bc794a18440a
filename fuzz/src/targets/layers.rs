//! Checkpoints of tours that are counted by a sweep.

use std::sync::LazyLock;

use pessoi::{Question, Verb};

use super::saved::{gone_on_with, records, written};
use crate::Target;

pub(crate) const TARGET: Target =
    Target { name: "layers", help: "checkpoints of tours by a sweep", most: 4096, check };

/// A small board.
static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    let question = Question::new(Verb::Count, "wazir-tours", "3x4").expect("a question");
    question.with("method", "plain-sweep")
});

/// Bytes before the first record.
const HEAD: usize = 32;

/// The input as it is; and with the checksums that its records ought to have.
fn check(input: &[u8]) {
    gone_on_with("layers", &QUESTION, input);
    let head = input.get(..HEAD).unwrap_or(input);
    let mended = written(&records(input, HEAD));
    gone_on_with("layers", &QUESTION, &[head, &mended].concat());
}
