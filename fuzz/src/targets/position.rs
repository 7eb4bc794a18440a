//! Positions of Go, drawn or in SGF.

use pessoi::{Question, Run, Verb};

use crate::{CATALOGUE, Kept, Target, refused_question};

pub(crate) const TARGET: Target =
    Target { name: "position", help: "positions of Go, drawn or in SGF", most: 128, check };

/// The first byte chooses the board.
const BOARDS: &[&str] = &["3x3", "2x4", "5x5", "19x19", "..#\n...", "1x1", "60x60"];

fn check(input: &[u8]) {
    let Some((&first, text)) = input.split_first() else { return };
    let board = BOARDS[usize::from(first) % BOARDS.len()];
    let text = &*String::from_utf8_lossy(text);
    let Some(drawn) = judged(board, text) else { return };
    // What it comes to is drawn, and the drawing is the same position.
    assert_eq!(judged(board, &drawn).as_deref(), Some(&*drawn));
}

/// The position as it is shown, or nothing if it is refused.
fn judged(board: &str, text: &str) -> Option<String> {
    let question = Question::new(Verb::Analyze, "go", board).expect("a board");
    let question = question.with("position", text);
    let job = match CATALOGUE.job(&question) {
        Ok(job) => job,
        Err(error) => {
            refused_question(&error);
            return None;
        }
    };
    let mut kept = Kept::default();
    job.answer(&Run::default(), &mut kept).expect("a position is judged");
    match kept.0.pop().map(|solution| solution.figure) {
        Some(pessoi::Figure::Positions { mut drawings, .. }) => drawings.pop(),
        other => panic!("no position is shown: {other:?}"),
    }
}
