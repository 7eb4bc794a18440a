//! Saved answers in JSON, whole or line by line.

use pessoi::Answer;

use crate::{CATALOGUE, Kept, Target, is_large, refused};

pub(crate) const TARGET: Target =
    Target { name: "answer", help: "saved answers in JSON", most: 1536, check };

/// Reads a saved answer with its solutions.
pub(super) fn read(saved: &[u8]) -> pessoi::Result<Answer> {
    let mut kept = Kept::default();
    let mut answer = CATALOGUE.read(saved, &mut kept)?;
    answer.solutions.append(&mut kept.0);
    Ok(answer)
}

fn check(input: &[u8]) {
    // Packed lists have a target of their own.
    if input.starts_with(b"pessoi-packed") || std::str::from_utf8(input).is_ok_and(is_large) {
        return;
    }
    match read(input) {
        Ok(answer) => {
            let json = serde_json::to_vec(&answer).expect("an answer is written");
            assert_eq!(read(&json).expect("and read"), answer);
        }
        Err(error) => refused(&error),
    }
}
