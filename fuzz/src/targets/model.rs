//! Models for tours, as `pessoi-learn` writes them.

use std::sync::LazyLock;

use pessoi::games::learned::{FEATURES, Model};
use pessoi::{Question, Verb};

use crate::{CATALOGUE, Target, refused_question};

pub(crate) const TARGET: Target =
    Target { name: "model", help: "models for tours", most: 4096, check };

static QUESTION: LazyLock<Question> = LazyLock::new(|| {
    Question::new(Verb::Analyze, "knight-tours", "3x3").expect("a question").with("predict", true)
});

fn check(input: &[u8]) {
    let text = &*String::from_utf8_lossy(input);
    if let Err(error) = CATALOGUE.job(&QUESTION.clone().with("model", text)) {
        refused_question(&error);
        return;
    }
    // What is read is written and read again, and says something sensible of any board.
    let model = Model::read(text).expect("a model that was read before");
    assert_eq!(Model::read(&model.to_text()).expect("what was written"), model);
    for value in [0.0, 1.0, 100.0] {
        let p = model.judge.probability(&vec![value; FEATURES.len()]);
        assert!((0.0..=1.0).contains(&p), "{p}");
    }
}
