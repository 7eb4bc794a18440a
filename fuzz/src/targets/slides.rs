//! Configurations of sliding puzzles.

use pessoi::{Question, Verb};

use crate::{CATALOGUE, Target, refused_question};

pub(crate) const TARGET: Target =
    Target { name: "slides", help: "configurations of sliding puzzles", most: 256, check };

/// The first byte chooses the puzzle.
const PUZZLES: &[(&str, &str)] = &[
    ("hex-slide", "P3x3"),
    ("square-slide", "3x3"),
    ("hex-slide", "T3"),
    ("square-slide", ".#.\n...\n#.."),
    ("hex-slide", "hex\n. #\n . .\n  . ."),
    ("square-slide", "1x2"),
    ("square-slide", "8x8"),
];

fn check(input: &[u8]) {
    let Some((&first, text)) = input.split_first() else { return };
    let (game, board) = PUZZLES[usize::from(first) % PUZZLES.len()];
    let text = &*String::from_utf8_lossy(text);
    // The two configurations of a question, parted by a bar.
    let (from, to) = text.split_once('|').map_or((text, None), |(from, to)| (from, Some(to)));
    let mut question = Question::new(Verb::Find, game, board).expect("a board").with("from", from);
    if let Some(to) = to {
        question = question.with("to", to);
    }
    if let Err(error) = CATALOGUE.job(&question) {
        refused_question(&error);
    }
}
