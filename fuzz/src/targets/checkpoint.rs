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

/// The input as it is; and with the checksums that its records ought to have.
fn check(input: &[u8]) {
    whole(input);
    // A line, an empty line, and records: how many words of eight bytes, a checksum, the words.
    let mut at = input.windows(2).position(|two| two == b"\n\n").map_or(0, |at| at + 2);
    let mut right = input.to_vec();
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    while let Some(record) = input.get(at..).filter(|record| record.len() >= 16) {
        let words = word(&record[..8]);
        let Some(bytes) = usize::try_from(words).ok().and_then(|words| words.checked_mul(8)) else {
            break;
        };
        let Some(kept) = record[16..].get(..bytes) else { break };
        let sum = kept.chunks_exact(8).fold(words, |sum, bytes| {
            (sum ^ word(bytes)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        right[at + 8..at + 16].copy_from_slice(&sum.to_le_bytes());
        at += 16 + bytes;
    }
    whole(&right);
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
