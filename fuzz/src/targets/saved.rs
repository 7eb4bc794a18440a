//! What all checkpoints have in common: a file that a question is gone on with from, or that is
//! refused and left as it is.

use std::path::PathBuf;

use pessoi::{Question, Run, Store};

use crate::{CATALOGUE, refused};

/// A file of this target, process and thread.
fn file(target: &str) -> PathBuf {
    let thread = std::thread::current().id();
    let name = format!("pessoi-fuzz-{target}-{}-{thread:?}", std::process::id());
    std::env::temp_dir().join(name)
}

/// Goes on from a checkpoint. Gives what is in the file then, if it was not refused.
pub(super) fn gone_on_with(target: &str, question: &Question, input: &[u8]) -> Option<Vec<u8>> {
    let file = file(target);
    if !input.is_empty() {
        std::fs::write(&file, input).expect("a file is written");
    }
    let run = Run::default().with_store(Store::open(&file).expect("a store"));
    let answer = CATALOGUE.answer(question, &run);
    let left = std::fs::read(&file);
    drop(run);
    // Tests run many targets in one process; nothing is left behind.
    let _ = std::fs::remove_file(&file);
    match answer {
        Ok(_) => left.ok(),
        Err(error) => {
            refused(&error);
            assert_eq!(left.expect("it is still there"), input, "it was written over");
            None
        }
    }
}

/// The same file with the checksum that its words ought to have: a head of so many bytes, and
/// words of eight, of which the last is the checksum.
pub(super) fn with_checksum(input: &[u8], head: usize) -> Vec<u8> {
    let words = (input.len() - head) / 8;
    let end = head + 8 * words.saturating_sub(1);
    let sum = input[head..end].chunks_exact(8).fold(0u64, |sum, word| {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
        (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    });
    [&input[..end], &sum.to_le_bytes()[..]].concat()
}

/// The records of a file after a head of so many bytes, as far as they are whole: how many words,
/// their checksum, and the words.
pub(super) fn records(input: &[u8], head: usize) -> Vec<Vec<u64>> {
    let mut rest = input.get(head..).unwrap_or_default();
    let mut records = Vec::new();
    while let Some((first, after)) = rest.split_at_checked(16) {
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let len = usize::try_from(word(&first[..8])).unwrap_or(usize::MAX);
        let words = len.checked_mul(8).and_then(|bytes| after.split_at_checked(bytes));
        let Some((words, after)) = words else { break };
        records.push(words.chunks_exact(8).map(word).collect());
        rest = after;
    }
    records
}

/// Records as they are written, with the checksums that they ought to have.
pub(super) fn written(records: &[Vec<u64>]) -> Vec<u8> {
    let words = records.iter().flat_map(|words| {
        let first = [words.len() as u64, pessoi_engine::disk::checksum(words)];
        first.into_iter().chain(words.iter().copied())
    });
    words.flat_map(u64::to_le_bytes).collect()
}
