//! Checkpoints of searches by tables.

use std::sync::LazyLock;

use pessoi::games::is_journal;
use pessoi::{Question, Verb};

use super::saved::{gone_on_with, with_checksum};
use crate::Target;

pub(crate) const TARGET: Target =
    Target { name: "journal", help: "checkpoints of sliding puzzles", most: 4096, check };

/// Some hundred configurations.
static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    let question = Question::new(Verb::Explore, "hex-slide", "F2").expect("a question");
    question.with("holes", 3)
});

/// The input as it is; and with the checksum that its words ought to have.
fn check(input: &[u8]) {
    whole(input);
    let head = input.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    whole(&with_checksum(input, head));
}

/// What can be read is gone on with, or refused and left as it is.
fn whole(input: &[u8]) {
    if is_journal(input, &QUESTION.words()).is_ok() {
        gone_on_with("journal", &QUESTION, input);
    }
}
