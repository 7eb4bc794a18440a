//! Checkpoints of searches and explorations.

use std::sync::LazyLock;

use pessoi::{Question, Verb};

use super::saved::{gone_on_with, records, written};
use crate::Target;

pub(crate) const TARGET: Target =
    Target { name: "ledger", help: "checkpoints of searches and explorations", most: 4096, check };

/// Bytes before the first record.
const HEAD: usize = 32;

/// Small questions, and what is in a checkpoint of each when it is done.
static QUESTIONS: LazyLock<Vec<(Question, Vec<u8>)>> = LazyLock::new(|| {
    let asked = |verb, game: &str, place: &str, method: &str| {
        let question = Question::new(verb, game, place).expect("a question");
        question.with("method", method)
    };
    let questions = [
        asked(Verb::Count, "wazir-tours", "4x4", "branch").with("closed", true),
        asked(Verb::Count, "wazir-tours", "3x3", "search").with("classes", true),
        asked(Verb::Count, "king-loops", "5", "orderly"),
        asked(Verb::Count, "knight-loops", "8", "doubling"),
        asked(Verb::Find, "knight-tours", "4x4", "backtrack"),
        asked(Verb::Estimate, "wazir-tours", "4x4", "knuth").with("samples", 5),
        asked(Verb::Explore, "square-slide", "2x2", "plain").with("holes", 1),
        asked(Verb::Count, "square-slide", "2x2", "plain").with("holes", 1),
    ];
    let saved = |question: Question| {
        let done = gone_on_with("ledger", &question, &[]).unwrap_or_default();
        (question, done)
    };
    questions.into_iter().map(saved).collect()
});

/// The input as it is; and as a checkpoint of each question, with the checksums that it ought to
/// have. The fuzzer tries one question an input, which the input chooses: answering takes a
/// millisecond.
fn check(input: &[u8]) {
    let mut records = records(input, HEAD);
    let mixed = input
        .iter()
        .fold(0usize, |mixed, &byte| mixed.wrapping_mul(31).wrapping_add(usize::from(byte)));
    for (k, (question, done)) in QUESTIONS.iter().enumerate() {
        if cfg!(fuzzing) && k != mixed % QUESTIONS.len() {
            continue;
        }
        // One that is proved at once saves nothing.
        let (Some(head), Some(about)) =
            (done.get(..HEAD), self::records(done, HEAD).first().cloned())
        else {
            continue;
        };
        if (k == 0 || cfg!(fuzzing)) && !input.is_empty() {
            gone_on_with("ledger", question, input);
        }
        match records.first_mut() {
            Some(first) => *first = about,
            None => records.push(about),
        }
        if let [before @ .., end] = &mut records[..] {
            let sum = |words: &Vec<u64>| pessoi_engine::disk::checksum(words);
            let sums: Vec<u64> = before.iter().map(sum).collect();
            *end = vec![sums.len() as u64, pessoi_engine::disk::checksum(&sums)];
        }
        gone_on_with("ledger", question, &[head, &written(&records)].concat());
    }
}
