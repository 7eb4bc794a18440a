//! Pictures of solutions: paths on a board, one or a sheet of many, or a puzzle to be solved.

use super::{Ending, Page, Writer, is_empty};
use crate::answer::Answer;
use crate::board::Picture;
use crate::board::sheet::Sheet;
use crate::card::Opt;
use crate::error::{Error, Result};
use crate::job::{ENOUGH, Flow};
use crate::label;
use crate::question::{Place, Verb};
use crate::solution::{Figure, Solution};

/// Shows the solution of a generated puzzle.
pub(crate) const SOLUTION: Opt =
    Opt::flag("solution", "text, svg, pdf: show the solution of the puzzle too", &[Verb::Generate]);

/// The most solutions in one picture, and the most cells of all of them together.
const MOST: usize = 2000;
const MOST_CELLS: usize = 1 << 22;

/// Solutions on a sheet where no number was asked for.
pub(crate) const A_SHEET: u64 = 60;

/// A writer that has enough after a sheet of solutions, if the question sets no limit to them.
pub(crate) fn a_sheet<'a>(writer: Box<dyn Writer + 'a>, is_cut: bool) -> Box<dyn Writer + 'a> {
    let room = if is_cut { A_SHEET } else { u64::MAX };
    Box::new(Full { writer, room, is_cut })
}

/// A sheet with room for so many more solutions.
struct Full<'a> {
    writer: Box<dyn Writer + 'a>,
    room: u64,
    is_cut: bool,
}

impl Writer for Full<'_> {
    fn solution(&mut self, found: Solution) -> Result<Flow> {
        if self.room == 0 {
            return Ok(ENOUGH);
        }
        self.room -= 1;
        let flow = self.writer.solution(found)?;
        Ok(if self.room == 0 { ENOUGH } else { flow })
    }

    fn end(&mut self, answer: &mut Answer) -> Result<Ending> {
        let mut ending = self.writer.end(answer)?;
        if self.is_cut && self.room == 0 {
            let cut = format!(
                "The picture shows the first {A_SHEET}, and there may be more: --limit says how many \
                 it shows.\n"
            );
            ending.aside.push_str(&cut);
        }
        Ok(ending)
    }
}

/// Refuses pictures that nobody could look at.
pub(crate) fn check_number(what: &str, number: usize, cells: usize) -> Result<()> {
    if number <= MOST && number * cells <= MOST_CELLS {
        return Ok(());
    }
    Err(Error::unsupported(
        "format",
        format!(
            "A picture shows at most {MOST} {what} with at most {MOST_CELLS} cells in all; this \
             answer has {number} of {cells} cells."
        ),
    ))
}

/// Draws the paths of an answer, or the puzzle that is in it; nothing if there is no solution.
pub(crate) fn of(answer: &Answer, page: &Page) -> Result<Option<Sheet>> {
    if is_empty(answer) || answer.solutions.is_empty() {
        return Ok(None);
    }
    let board = answer.question.board()?;
    let title = label::title(answer);
    let mut sheet = Sheet::new(title.trim_end());
    let mut clues = vec![None; board.len()];
    if let Some(Place::Board(puzzle)) = &answer.puzzle {
        for clue in &puzzle.clues {
            if let Some(place) = clues.get_mut(clue.cell) {
                *place = Some(clue.number.to_string());
            }
        }
    } else {
        for clue in &answer.question.drawing()?.clues {
            clues[clue.cell] = Some(clue.number.to_string());
        }
    }
    let picture = || Picture::new(board).clues(|cell| clues[cell].is_some()).chequered();
    if answer.puzzle.is_some() && !page.style.flag(&SOLUTION) {
        sheet.add(picture().labels(|cell| clues[cell].clone()).to_canvas(), "");
        return Ok(Some(sheet));
    }
    check_number("paths", answer.solutions.len(), board.len())?;
    let only_one = answer.solutions.len() == 1;
    for (number, solution) in (1..).zip(&answer.solutions) {
        page.run.check()?;
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
        let drawn = picture().labels(|cell| numbers[cell].clone()).path(&path, *closed);
        let caption = if only_one { String::new() } else { format!("{number}") };
        sheet.add(drawn.to_canvas(), caption);
    }
    Ok(Some(sheet))
}

/// The bytes of an SVG.
pub(crate) fn svg(sheet: Option<Sheet>) -> Option<Vec<u8>> {
    sheet.map(|sheet| sheet.to_svg().into_bytes())
}

/// The bytes of a PDF.
pub(crate) fn pdf(sheet: Option<Sheet>) -> Option<Vec<u8>> {
    sheet.map(|sheet| sheet.to_pdf().into_bytes())
}
