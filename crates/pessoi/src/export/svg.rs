//! A picture of one solution.

use crate::answer::{Answer, Figure};
use crate::board::Picture;
use crate::error::{Error, Result};
use crate::question::Place;

pub(super) fn picture(answer: &Answer) -> Result<String> {
    let Place::Board(drawing) = &answer.question.place else {
        return Err(Error::input("Only answers on a board can be drawn."));
    };
    let [solution] = &answer.solutions[..] else {
        return Err(Error::input(format!(
            "A picture shows one solution, and this answer has {}.",
            answer.solutions.len()
        )));
    };
    let board = &drawing.board;
    let Figure::Path { cells, closed } = &solution.figure;
    let mut path = Vec::with_capacity(cells.len());
    let mut numbers = vec![None; board.len()];
    for (number, cell) in (1..).zip(cells) {
        let Some(index) = board.index(*cell) else {
            return Err(Error::input(format!("The solution visits {cell}, off the board.")));
        };
        path.push(index);
        numbers[index] = Some(number.to_string());
    }
    let title = format!("{} {}", answer.question.game, answer.question.place);
    Ok(Picture::new(board)
        .title(&title)
        .labels(|cell: usize| numbers[cell].clone())
        .path(&path, *closed)
        .to_svg())
}
