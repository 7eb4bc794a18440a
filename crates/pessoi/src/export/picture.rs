//! A picture of one solution, or a sheet with a puzzle.

use crate::answer::{Answer, Figure};
use crate::board::Picture;
use crate::error::{Error, Result};
use crate::question::{Place, Verb};

/// How dark the cells of clues are where the solution is drawn too.
const CLUE: f64 = 0.3;

/// Draws the picture of an answer, as SVG or, `on_paper`, as PDF.
pub(super) fn of(answer: &Answer, on_paper: bool) -> Result<String> {
    let draw = |picture: &Picture| if on_paper { picture.to_pdf() } else { picture.to_svg() };
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
    let mut clues = vec![None; board.len()];
    if let Some(Place::Board(puzzle)) = &answer.puzzle {
        for clue in &puzzle.clues {
            if let Some(place) = clues.get_mut(clue.cell) {
                *place = Some(clue.number.to_string());
            }
        }
    }
    let title = format!("{} {}", answer.question.game, answer.question.place);
    let picture = Picture::new(board).title(&title);
    if answer.question.verb == Verb::Generate && !answer.question.flag("solution") {
        return Ok(draw(&picture.labels(|cell: usize| clues[cell].clone())));
    }
    let Figure::Path { cells, closed } = &solution.figure else {
        return Err(Error::input("Only paths can be drawn here."));
    };
    let mut path = Vec::with_capacity(cells.len());
    let mut numbers = vec![None; board.len()];
    for (number, cell) in (1..).zip(cells) {
        let Some(index) = board.index(*cell) else {
            return Err(Error::input(format!("The solution visits {cell}, off the board.")));
        };
        path.push(index);
        numbers[index] = Some(number.to_string());
    }
    let picture = picture
        .shade(|cell: usize| clues[cell].as_ref().map(|_| CLUE))
        .labels(|cell: usize| numbers[cell].clone())
        .path(&path, *closed);
    Ok(draw(&picture))
}
