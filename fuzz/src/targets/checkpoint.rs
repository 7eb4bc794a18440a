//! Checkpoints of Go.

use std::path::PathBuf;
use std::sync::LazyLock;

use pessoi::games::is_checkpoint;
use pessoi::{Question, Run, Store, Verb};

use crate::{CATALOGUE, Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "checkpoint", help: "checkpoints of Go", most: 1280, check };

/// Legal positions modulo a prime: small, and counted by the engine that saves itself.
static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    let question = Question::new(Verb::Count, "go", "4x4").expect("a question");
    question.with("method", "matrix").with("mod", 101)
});

/// A file of this process and thread.
fn file() -> PathBuf {
    let thread = std::thread::current().id();
    let name = format!("pessoi-fuzz-checkpoint-{}-{thread:?}", std::process::id());
    std::env::temp_dir().join(name)
}

/// The input as it is; and with the checksum that its words ought to have.
fn check(input: &[u8]) {
    whole(input);
    // A line, an empty line, and words of eight bytes, of which the last is the checksum.
    let head = input.windows(2).position(|two| two == b"\n\n").map_or(0, |at| at + 2);
    let words = (input.len() - head) / 8;
    let end = head + 8 * words.saturating_sub(1);
    let sum = input[head..end].chunks_exact(8).fold(0u64, |sum, word| {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
        (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    });
    whole(&[&input[..end], &sum.to_le_bytes()[..]].concat());
}

/// One of so many checkpoints that can be read is also gone on with, which takes a millisecond
/// where reading takes a microsecond.
const TAKEN: u64 = 64;

fn whole(input: &[u8]) {
    let is_read = is_checkpoint(input);
    let mixed = input
        .iter()
        .fold(0u64, |mixed, &byte| mixed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    if is_read.is_err() || cfg!(fuzzing) && !mixed.is_multiple_of(TAKEN) {
        return;
    }
    let file = file();
    std::fs::write(&file, input).expect("a file is written");
    let run = Run::default().with_store(Store::open(&file).expect("a store"));
    let answer = CATALOGUE.answer(&QUESTION, &run);
    let left = std::fs::read(&file);
    drop(run);
    // Tests run many targets in one process; nothing is left behind.
    let _ = std::fs::remove_file(&file);
    if let Err(error) = answer {
        refused(&error);
        assert_eq!(left.expect("it is still there"), input, "it was written over");
    }
}
