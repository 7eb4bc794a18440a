//! SVG: solutions that move, or as frames; samples; sheets to cut.

use super::draw::{animation, sheet, strip};
use super::options::{FRAMES, PIECES};
use super::position::Position;
use super::proofs::{DISTANCE_FACT, GOAL_FACT};
use super::rule::Puzzle;
use super::task::Task;
use crate::answer::Answer;
use crate::card::Opt;
use crate::error::{Error, Result};
use crate::export::{Format, Out, Page, TABLE, Writer, plot, whole};
use crate::label::heading;
use crate::question::Verb;
use crate::solution::Figure;
use crate::table::Datum;

/// The most configurations that are drawn side by side.
const MOST_FRAMES: usize = 2000;

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
                return Ok(Some(sheet(&puzzle, tiles).into_bytes()));
            }
            if page.style.text(&TABLE).is_some() {
                return plot::of(answer, page);
            }
            Ok(picture(answer, page)?.map(String::into_bytes))
        }))
    }
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

/// What an answer shows; nothing if there is no configuration in it.
fn picture(answer: &Answer, page: &Page) -> Result<Option<String>> {
    let question = page.question;
    let puzzle = Puzzle::new(question.board()?);
    let read = |text: &String| {
        let wrong = |what| Error::input(format!("A configuration of the answer is wrong: {what}."));
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
    if is_way && !page.style.flag(&FRAMES) {
        return Ok(Some(animation(&puzzle, &frames, &title, page.run)?));
    }
    // Samples at a distance are shown with what they are distant from.
    if answer.fact_of(DISTANCE_FACT).is_some()
        && let Some(Datum::Text(goal)) = answer.fact_of(GOAL_FACT)
    {
        frames.push(read(goal)?);
    }
    if frames.len() > MOST_FRAMES {
        return Err(Error::unsupported(
            "format",
            format!(
                "A picture shows at most {MOST_FRAMES} configurations side by side, and this \
                 answer has {}.",
                frames.len()
            ),
        ));
    }
    Ok(Some(strip(&puzzle, &frames, is_way, &title, page.run)?))
}
