//! Checkpoints of searches by tables.

use std::path::PathBuf;
use std::sync::LazyLock;

use pessoi::games::is_journal;
use pessoi::{Question, Run, Store, Verb};

use crate::{CATALOGUE, Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "journal", help: "checkpoints of sliding puzzles", most: 4096, check };

/// Some hundred configurations.
static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    let question = Question::new(Verb::Explore, "hex-slide", "F2").expect("a question");
    question.with("holes", "3")
});

/// A file of this process and thread.
fn file() -> PathBuf {
    let thread = std::thread::current().id();
    let name = format!("pessoi-fuzz-journal-{}-{thread:?}", std::process::id());
    std::env::temp_dir().join(name)
}

/// The input as it is; and with the checksum that its words ought to have.
fn check(input: &[u8]) {
    whole(input);
    // A line, and words of eight bytes, of which the last is the checksum.
    let head = input.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let words = (input.len() - head) / 8;
    let end = head + 8 * words.saturating_sub(1);
    let sum = input[head..end].chunks_exact(8).fold(0u64, |sum, word| {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
        (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    });
    whole(&[&input[..end], &sum.to_le_bytes()[..]].concat());
}

/// What can be read is gone on with, or refused and left as it is.
fn whole(input: &[u8]) {
    if is_journal(input, &QUESTION.words()).is_err() {
        return;
    }
    let file = file();
    std::fs::write(&file, input).expect("a file is written");
    let run = Run::default().with_store(Store::open(&file).expect("a store"));
    let answer = CATALOGUE.answer(&QUESTION, &run);
    drop(run);
    // Tests run many targets in one process; nothing is left behind.
    let _ = std::fs::remove_file(&file);
    if let Err(error) = answer {
        refused(&error);
    }
}
