//! SVG: positions as stones on a board, side by side if there are several.

use std::fmt::Write;

use pessoi_engine::run::{Run, Stop};

use super::position::{BLACK, EMPTY, parse};
use crate::answer::Answer;
use crate::board::picture::BACKGROUND;
use crate::board::{Board, Cell};
use crate::error::{Error, Result};
use crate::export::{Format, Out, Page, Writer, whole, xml};
use crate::label::heading;
use crate::question::Verb;
use crate::solution::Figure;

// Writing to a string cannot fail, so the results of write! are not looked at.

/// The most positions that are drawn, and the most points of all of them together.
const MOST_POSITIONS: usize = 2000;
const MOST_POINTS: usize = 1 << 20;
/// Positions in a row.
const ACROSS: usize = 8;
/// The distance of neighbouring points, and of the outermost ones from the edge of the picture.
const STEP: usize = 22;
const MARGIN: usize = 20;
const WOOD: &str = "#e8d9b0";
const LINE: &str = "#8a7a55";
const DARK: &str = "#2b2b2b";
const LIGHT: &str = "#ffffff";

/// Pictures of positions.
pub(super) struct Svg;

impl Format for Svg {
    fn id(&self) -> &'static str {
        "svg"
    }

    fn help(&self) -> &'static str {
        "a picture of the positions"
    }

    fn media_type(&self) -> &'static str {
        "image/svg+xml"
    }

    fn extension(&self) -> &'static str {
        "svg"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(verb, Verb::Find | Verb::Sample)
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        Ok(whole(page, out, |answer, page| Ok(picture(answer, page)?.map(String::into_bytes))))
    }
}

/// What an answer shows; nothing if there is no position in it.
fn picture(answer: &Answer, page: &Page) -> Result<Option<String>> {
    let question = page.question;
    let board = question.board()?;
    let mut positions = Vec::new();
    for solution in &answer.solutions {
        let Figure::Positions { drawings, .. } = &solution.figure else {
            return Err(Error::input("A path is no position of Go."));
        };
        for drawing in drawings {
            positions.push(parse(board, drawing).map_err(|error| {
                Error::input(format!("A position of the answer is wrong. {error}"))
            })?);
        }
    }
    if positions.is_empty() {
        return Ok(None);
    }
    if positions.len() > MOST_POSITIONS || positions.len() * board.len() > MOST_POINTS {
        return Err(Error::unsupported(
            "format",
            format!(
                "A picture shows at most {MOST_POSITIONS} positions with at most {MOST_POINTS} \
                 points in all; this answer has {} positions of {} points.",
                positions.len(),
                board.len()
            ),
        ));
    }
    Ok(Some(drawn(board, &positions, &heading(question), page.run)?))
}

/// Positions side by side, row by row.
fn drawn(
    board: &Board,
    positions: &[Vec<u8>],
    title: &str,
    run: &Run,
) -> std::result::Result<String, Stop> {
    let side = |points: usize| points.saturating_sub(1) * STEP + 2 * MARGIN;
    let (wide, high) = (side(board.cols()), side(board.rows()));
    let width = wide * positions.len().min(ACROSS);
    let height = high * positions.len().div_ceil(ACROSS);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{BACKGROUND}\"/>\n",
        xml(title)
    );
    let empty = empty(board);
    for (number, colours) in positions.iter().enumerate() {
        run.check()?;
        let (x, y) = (number % ACROSS * wide, number / ACROSS * high);
        let _ = writeln!(svg, "<g transform=\"translate({x},{y})\">\n{empty}");
        for (point, &colour) in colours.iter().enumerate().filter(|(_, colour)| **colour != EMPTY) {
            let (x, y) = at(board.cell(point));
            let fill = if colour == BLACK { DARK } else { LIGHT };
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"9.7\" fill=\"{fill}\" stroke=\"{DARK}\"/>"
            );
        }
        svg += "</g>\n";
    }
    svg += "</svg>\n";
    Ok(svg)
}

/// Where a point is.
fn at(cell: Cell) -> (usize, usize) {
    (MARGIN + cell.col as usize * STEP, MARGIN + cell.row as usize * STEP)
}

/// The board without stones: wood under every point, and lines between neighbours.
fn empty(board: &Board) -> String {
    let mut wood = String::new();
    let mut lines = String::new();
    for (down, right) in [(0, 1), (1, 0)] {
        let other =
            |cell: Cell, by: i32| Cell { row: cell.row + by * down, col: cell.col + by * right };
        // A run of points in a row or a column is drawn at once.
        for &first in board.cells().iter().filter(|cell| board.index(other(**cell, -1)).is_none()) {
            let more = (1..=board.len() as i32)
                .take_while(|&by| board.index(other(first, by)).is_some())
                .count();
            let (x, y) = at(first);
            if more > 0 {
                let _ =
                    write!(lines, "M{x} {y}{}{}", if right == 1 { 'h' } else { 'v' }, more * STEP);
            }
            if right == 1 {
                let (x, y) = (x - STEP / 2, y - STEP / 2);
                let _ = write!(wood, "M{x} {y}h{0}v{STEP}h-{0}z", (more + 1) * STEP);
            }
        }
    }
    format!(
        "<path d=\"{wood}\" fill=\"{WOOD}\" shape-rendering=\"crispEdges\"/>\n\
         <path d=\"{lines}\" fill=\"none\" stroke=\"{LINE}\"/>"
    )
}

#[cfg(test)]
mod tests {
    use crate::question::{Question, Verb};
    use crate::testing::{self, CATALOGUE};
    use crate::{Run, Style};

    fn shown(question: &Question) -> crate::Result<String> {
        let answer = testing::ask(question, &Run::default())?;
        let format = CATALOGUE.format(CATALOGUE.game("go")?.card(), question.verb, "svg")?;
        let mut svg = Vec::new();
        CATALOGUE.write_answer(&answer, format, &Style::default(), &Run::default(), &mut svg)?;
        Ok(String::from_utf8(svg).unwrap())
    }

    #[test]
    fn a_stone_for_each_stone_and_no_line_over_an_absent_point() {
        let question = Question::new(Verb::Sample, "go", "...\n.#.\n...").unwrap();
        let answer = testing::ask(&question, &Run::default()).unwrap();
        let crate::Figure::Positions { drawings, .. } = &answer.solutions[0].figure else {
            panic!("no position")
        };
        let svg = shown(&question).unwrap();
        assert_eq!(svg.matches("<circle").count(), drawings[0].matches(['X', 'O']).count());
        assert_eq!(svg.matches("fill=\"#2b2b2b\"").count(), drawings[0].matches('X').count());
        // Four sides, and nothing through the middle.
        let lines = "M20 20h44M20 64h44M20 20v44M64 20v44";
        assert!(svg.contains(&format!("<path d=\"{lines}\"")), "{svg}");
    }

    #[test]
    fn several_positions_stand_side_by_side() {
        let samples = Question::new(Verb::Sample, "go", "3x3").unwrap().with("samples", 20);
        let svg = shown(&samples).unwrap();
        assert_eq!(svg.matches("<g ").count(), 20);
        assert!(svg.contains("width=\"672\" height=\"252\""), "{svg}");
        let cycle = Question::new(Verb::Find, "go", "1x3").unwrap().with("symmetric", true);
        assert!(shown(&cycle).unwrap().matches("<g ").count() > 2);
        let many = Question::new(Verb::Sample, "go", "1x2").unwrap().with("samples", 2001);
        let error = shown(&many).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("format"));
        assert!(error.to_string().contains("at most 2000 positions"), "{error}");
    }
}
