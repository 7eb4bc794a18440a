//! A picture of one path on a board, or a sheet with a puzzle: for games whose solutions
//! are paths.

use super::{Page, is_empty};
use crate::answer::Answer;
use crate::board::Picture;
use crate::card::Opt;
use crate::error::{Error, Result};
use crate::label;
use crate::question::{Place, Verb};
use crate::solution::Figure;

/// Shows the solution of a generated puzzle.
pub(crate) const SOLUTION: Opt =
    Opt::flag("solution", "text, svg, pdf: show the solution of the puzzle too", &[Verb::Generate]);

/// How dark the cells of clues are where the solution is drawn too.
const CLUE: f64 = 0.3;

/// Draws the picture of an answer with `draw`; nothing if there is no solution.
pub(crate) fn of(
    answer: &Answer,
    page: &Page,
    draw: impl Fn(&Picture) -> String,
) -> Result<Option<Vec<u8>>> {
    if is_empty(answer) || answer.solutions.is_empty() {
        return Ok(None);
    }
    let board = answer.question.board()?;
    let [solution] = &answer.solutions[..] else {
        return Err(Error::unsupported(
            "format",
            format!(
                "A picture shows one solution, and this answer has {}.",
                answer.solutions.len()
            ),
        ));
    };
    let mut clues = vec![None; board.len()];
    if let Some(Place::Board(puzzle)) = &answer.puzzle {
        for clue in &puzzle.clues {
            if let Some(place) = clues.get_mut(clue.cell) {
                *place = Some(clue.number.to_string());
            }
        }
    }
    let picture = Picture::new(board).title(&label::title(answer));
    let drawn = |picture: &Picture| Ok(Some(draw(picture).into_bytes()));
    if answer.puzzle.is_some() && !page.style.flag(&SOLUTION) {
        return drawn(&picture.labels(|cell: usize| clues[cell].clone()));
    }
    let Figure::Path { cells, closed } = &solution.figure else {
        return Err(Error::unsupported("format", "Only paths can be drawn here."));
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
    drawn(&picture)
}
