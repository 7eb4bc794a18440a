//! Checkpoints of tours that are counted by pairings.

use std::path::PathBuf;
use std::sync::LazyLock;

use pessoi::{Question, Run, Store, Verb};

use crate::{CATALOGUE, Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "slices", help: "checkpoints of tours by pairings", most: 4096, check };

/// A small board.
static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    let question = Question::new(Verb::Count, "wazir-tours", "4x4").expect("a question");
    question.with("method", "pairings").with("closed", true)
});

/// A file of this process and thread.
fn file() -> PathBuf {
    let thread = std::thread::current().id();
    let name = format!("pessoi-fuzz-slices-{}-{thread:?}", std::process::id());
    std::env::temp_dir().join(name)
}

/// The input as it is; and with the checksums that its records ought to have.
fn check(input: &[u8]) {
    whole(input);
    whole(&mended(input));
}

/// Lines, and records of words: how many, their checksum, and the words.
pub(super) fn mended(input: &[u8]) -> Vec<u8> {
    let mut mended = input.to_vec();
    let mut at = input.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1).min(32);
    while let Some(head) = mended.get(at..at + 16) {
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let len = usize::try_from(word(&head[..8])).unwrap_or(usize::MAX);
        let end = len.checked_mul(8).and_then(|bytes| bytes.checked_add(at + 16));
        let Some(words) = end.and_then(|end| mended.get(at + 16..end)) else { break };
        let words: Vec<u64> = words.chunks_exact(8).map(word).collect();
        let sum = pessoi_engine::disk::checksum(&words);
        mended[at + 8..at + 16].copy_from_slice(&sum.to_le_bytes());
        at += 16 + 8 * words.len();
    }
    mended
}

fn whole(input: &[u8]) {
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
