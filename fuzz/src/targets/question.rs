//! Questions in JSON.

use pessoi::Question;

use crate::{CATALOGUE, Target, is_large, refused_question};

pub(crate) const TARGET: Target =
    Target { name: "question", help: "questions in JSON", most: 256, check };

fn check(input: &[u8]) {
    let text = &*String::from_utf8_lossy(input);
    if is_large(text) {
        return;
    }
    let Ok(question) = serde_json::from_str::<Question>(text) else { return };
    let json = serde_json::to_string(&question).expect("a question is written");
    assert_eq!(serde_json::from_str::<Question>(&json).expect("and read"), question);
    if let Err(error) = CATALOGUE.job(&question) {
        refused_question(&error);
    }
}
