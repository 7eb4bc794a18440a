//! Tours in TSPLIB and as Concorde writes them, from which Go reads its cycles.

use std::sync::LazyLock;

use pessoi::{Question, Verb};

use crate::{CATALOGUE, Target, refused_question};

pub(crate) const TARGET: Target =
    Target { name: "tour", help: "tours in TSPLIB", most: 256, check };

static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    Question::new(Verb::Find, "go", "1x3").expect("a question").with("symmetric", true)
});

fn check(input: &[u8]) {
    let text = &*String::from_utf8_lossy(input);
    let question = QUESTION.clone().with("tour", text);
    if let Err(error) = CATALOGUE.job(&question) {
        refused_question(&error);
    }
}
