//! SVG: solutions that move, or as frames; samples; sheets to cut.

use super::draw::{animation, pieces_pdf, pieces_svg, strip};
use super::options::{FRAMES, PIECES};
use super::position::Position;
use super::proofs::{DISTANCE_FACT, GOAL_FACT};
use super::rule::Puzzle;
use super::task::Task;
use crate::answer::Answer;
use crate::board::sheet::Sheet;
use crate::card::Opt;
use crate::error::{Error, Result};
use crate::export::picture::{self, check_number};
use crate::export::{Format, Out, Page, TABLE, Writer, plot, whole};
use crate::label::heading;
use crate::question::Verb;
use crate::solution::Figure;
use crate::table::Datum;

/// Pictures.
pub(super) struct Svg;

impl Format for Svg {
    fn id(&self) -> &'static str {
        "svg"
    }

    fn help(&self) -> &'static str {
        "a picture, or with --pieces a sheet to cut"
    }

    fn media_type(&self) -> &'static str {
        "image/svg+xml"
    }

    fn extension(&self) -> &'static str {
        "svg"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(verb, Verb::Find | Verb::Sample | Verb::Trace | Verb::Export)
    }

    fn options(&self) -> &'static [Opt] {
        &[FRAMES, TABLE]
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        if page.question.verb == Verb::Export {
            to_be_made(page, self.id())?;
        }
        Ok(whole(page, out, |answer, page| {
            if page.question.verb == Verb::Export {
                let (puzzle, tiles) = to_be_made(page, Svg.id())?;
                return Ok(Some(pieces_svg(&puzzle, tiles).into_bytes()));
            }
            if page.style.text(&TABLE).is_some() {
                return plot::of(answer, page);
            }
            let Some(shown) = Shown::new(answer, page)? else { return Ok(None) };
            if shown.is_way && !page.style.flag(&FRAMES) {
                return Ok(Some(shown.moving(page)?.into_bytes()));
            }
            Ok(picture::svg(Some(shown.sheet(page)?)))
        }))
    }
}

/// Pages to print.
pub(super) struct Pdf;

impl Format for Pdf {
    fn id(&self) -> &'static str {
        "pdf"
    }

    fn help(&self) -> &'static str {
        "to print: a solution step by step, samples, or with --pieces a sheet to cut"
    }

    fn media_type(&self) -> &'static str {
        "application/pdf"
    }

    fn extension(&self) -> &'static str {
        "pdf"
    }

    fn holds(&self, verb: Verb) -> bool {
        Svg.holds(verb)
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        if page.question.verb == Verb::Export {
            let (puzzle, tiles) = to_be_made(page, self.id())?;
            pieces_page(&puzzle, tiles)?;
        }
        Ok(whole(page, out, |answer, page| {
            if page.question.verb == Verb::Export {
                let (puzzle, tiles) = to_be_made(page, Pdf.id())?;
                return Ok(Some(pieces_page(&puzzle, tiles)?.into_bytes()));
            }
            let Some(shown) = Shown::new(answer, page)? else { return Ok(None) };
            Ok(picture::pdf(Some(shown.sheet(page)?)))
        }))
    }
}

/// The sheet to cut, if it fits on a page.
fn pieces_page(puzzle: &Puzzle, tiles: usize) -> Result<String> {
    pieces_pdf(puzzle, tiles).ok_or_else(|| {
        Error::unsupported(
            "format",
            "The board and its tiles are too large for a page of A4; --format svg is as large as \
             they are.",
        )
    })
}

/// The board and the number of tiles that are to be made; refused if a graph was asked for.
pub(super) fn to_be_made(page: &Page, format: &str) -> Result<(Puzzle, usize)> {
    let question = page.question;
    if !question.flag(&PIECES) {
        return Err(Error::unsupported(
            "format",
            format!(
                "A graph of configurations is not written as {format}: with --pieces the board and \
                 its tiles are."
            ),
        ));
    }
    let task = Task::new(question)?;
    let tiles = task.puzzle.len() - task.number_of_holes()?;
    Ok((task.puzzle, tiles))
}

/// What an answer shows.
struct Shown {
    puzzle: Puzzle,
    frames: Vec<Position>,
    /// Whether each follows from the one before.
    is_way: bool,
    title: String,
}

impl Shown {
    /// Nothing if there is no configuration in it.
    fn new(answer: &Answer, page: &Page) -> Result<Option<Self>> {
        let question = page.question;
        let puzzle = Puzzle::new(question.board()?);
        let read = |text: &String| {
            let wrong =
                |what| Error::input(format!("A configuration of the answer is wrong: {what}."));
            Position::parse(text, &puzzle).map_err(wrong)
        };
        let mut frames: Vec<Position> = Vec::new();
        for solution in &answer.solutions {
            let Figure::Positions { drawings, .. } = &solution.figure else {
                return Err(Error::input("A path is no solution of a sliding puzzle."));
            };
            for drawing in drawings {
                frames.push(read(drawing)?);
            }
        }
        if frames.is_empty() {
            return Ok(None);
        }
        let is_way = matches!(question.verb, Verb::Find | Verb::Trace);
        let title = heading(question);
        Ok(Some(Shown { puzzle, frames, is_way, title }.with_goal(answer)?))
    }

    /// Samples at a distance are shown with what they are distant from.
    fn with_goal(mut self, answer: &Answer) -> Result<Self> {
        if !self.is_way
            && answer.fact_of(DISTANCE_FACT).is_some()
            && let Some(Datum::Text(goal)) = answer.fact_of(GOAL_FACT)
        {
            let wrong = |what| Error::input(format!("The goal of the answer is wrong: {what}."));
            self.frames.push(Position::parse(goal, &self.puzzle).map_err(wrong)?);
        }
        Ok(self)
    }

    fn moving(&self, page: &Page) -> Result<String> {
        Ok(animation(&self.puzzle, &self.frames, &self.title, page.run)?)
    }

    fn sheet(&self, page: &Page) -> Result<Sheet> {
        check_number("configurations", self.frames.len(), self.puzzle.len())?;
        Ok(strip(&self.puzzle, &self.frames, self.is_way, &self.title, page.run)?)
    }
}
