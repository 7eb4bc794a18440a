//! Pictures: one loop, or a sheet of many.

use super::list::A_PAGE;
use super::options::{LIST_LIMIT, PAGE};
use crate::answer::Answer;
use crate::board::Cell;
use crate::board::canvas::{Canvas, Ink, Pen};
use crate::board::sheet::Sheet;
use crate::error::{Error, Result};
use crate::export::{Format, Out, Page, Writer, picture, whole};
use crate::label;
use crate::question::{Question, Verb};
use crate::solution::Figure;

/// The distance of neighbouring cells on a sheet, and in a picture of one loop.
const SMALL: f64 = 18.0;
const LARGE: f64 = 40.0;
/// Loops that span more cells are drawn without them.
const MOST_DOTS: usize = 2500;
/// Pictures.
pub(super) struct Svg;

impl Format for Svg {
    fn id(&self) -> &'static str {
        "svg"
    }

    fn help(&self) -> &'static str {
        "a sheet of loops; a list without --limit is cut after 60"
    }

    fn media_type(&self) -> &'static str {
        "image/svg+xml"
    }

    fn extension(&self) -> &'static str {
        "svg"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(verb, Verb::Find | Verb::List | Verb::Classify | Verb::Sample | Verb::Analyze)
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        let writer =
            whole(page, out, |answer, page| Ok(picture::svg(sheet(answer, page.question)?)));
        Ok(picture::a_sheet(writer, is_cut(page)))
    }
}

/// Pages to print.
pub(super) struct Pdf;

impl Format for Pdf {
    fn id(&self) -> &'static str {
        "pdf"
    }

    fn help(&self) -> &'static str {
        "loops to print; a list without --limit is cut after 60"
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
        let writer =
            whole(page, out, |answer, page| Ok(picture::pdf(sheet(answer, page.question)?)));
        Ok(picture::a_sheet(writer, is_cut(page)))
    }
}

/// Whether a picture shows the first loops only.
fn is_cut(page: &Page) -> bool {
    page.question.verb.streams() && !page.question.is_given(&LIST_LIMIT)
}

/// The loops of an answer, numbered as in the list; nothing if it has none.
fn sheet(answer: &Answer, question: &Question) -> Result<Option<Sheet>> {
    if answer.solutions.is_empty() {
        return Ok(None);
    }
    let page = question.number(&PAGE).unwrap_or(1);
    let first = (page - 1).saturating_mul(A_PAGE) + 1;
    let title = label::title(answer);
    let mut sheet = Sheet::new(title.trim_end());
    let only_one = answer.solutions.len() == 1;
    for (number, solution) in (first..).zip(&answer.solutions) {
        let Figure::Path { cells, closed } = &solution.figure else {
            return Err(Error::input("Positions are no loop."));
        };
        let step = if only_one { LARGE } else { SMALL };
        let caption = if only_one { String::new() } else { number.to_string() };
        sheet.add(drawn(cells, *closed, step), caption);
    }
    Ok(Some(sheet))
}

/// A loop on the cells around it.
fn drawn(path: &[Cell], closed: bool, step: f64) -> Canvas {
    let last = |of: fn(&Cell) -> i32| path.iter().map(of).max().unwrap_or(0);
    let (rows, cols) = (last(|cell| cell.row), last(|cell| cell.col));
    let at = |row: i32, col: i32| (f64::from(col) * step, f64::from(row) * step);
    let (right, bottom) = at(rows, cols);
    let mut canvas = Canvas::new((-step, -step), (right + 2.0 * step, bottom + 2.0 * step));
    if (rows as usize + 1) * (cols as usize + 1) <= MOST_DOTS {
        let dots = (0..=rows).flat_map(|row| (0..=cols).map(move |col| (row, col)));
        canvas.dots(dots.map(|(row, col)| at(row, col)).collect(), Ink::Edge, 0.16 * step);
    }
    let points = path.iter().map(|cell| at(cell.row, cell.col)).collect();
    canvas.line(points, closed, Pen::line(Ink::Line, 0.11 * step));
    canvas.dots(path.iter().map(|cell| at(cell.row, cell.col)).collect(), Ink::Line, 0.24 * step);
    canvas
}
