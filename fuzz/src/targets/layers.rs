//! Checkpoints of tours that are counted by a sweep.

use std::path::PathBuf;
use std::sync::LazyLock;

use pessoi::{Question, Run, Store, Verb};

use super::slices::mended;
use crate::{CATALOGUE, Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "layers", help: "checkpoints of tours by a sweep", most: 4096, check };

/// A small board.
static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    let question = Question::new(Verb::Count, "wazir-tours", "3x4").expect("a question");
    question.with("method", "plain-sweep")
});

/// A file of this process and thread.
fn file() -> PathBuf {
    let thread = std::thread::current().id();
    let name = format!("pessoi-fuzz-layers-{}-{thread:?}", std::process::id());
    std::env::temp_dir().join(name)
}

/// The input as it is; and with the checksums that its blocks ought to have.
fn check(input: &[u8]) {
    whole(input);
    whole(&mended(input));
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
