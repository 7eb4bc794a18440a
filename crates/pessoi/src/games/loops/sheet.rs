//! Pictures: one loop, or a sheet of many.

use std::fmt::Write;

use super::list::A_PAGE;
use super::options::{LIST_LIMIT, PAGE};
use crate::answer::Answer;
use crate::board::Cell;
use crate::board::picture::{BACKGROUND, EDGE, INK, LINE};
use crate::error::Result;
use crate::export::{self, Ending, Format, Out, Page, whole, xml};
use crate::job::{ENOUGH, Flow};
use crate::label;
use crate::question::Verb;
use crate::solution::{Figure, Solution};

/// The distance of neighbouring cells on a sheet, and in a picture of one loop.
const SMALL: usize = 14;
const LARGE: usize = 40;
/// Loops that span more cells are drawn without them.
const MOST_DOTS: usize = 2500;
/// Loops in a row.
const ACROSS: usize = 10;

/// Pictures.
pub(super) struct Svg;

impl Format for Svg {
    fn id(&self) -> &'static str {
        "svg"
    }

    fn help(&self) -> &'static str {
        "a sheet of loops; a list without --limit is cut after a page of 60"
    }

    fn media_type(&self) -> &'static str {
        "image/svg+xml"
    }

    fn extension(&self) -> &'static str {
        "svg"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(verb, Verb::Find | Verb::List | Verb::Classify | Verb::Analyze)
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn export::Writer + 'a>> {
        let is_cut = page.question.verb.streams() && !page.question.is_given(&LIST_LIMIT);
        let room = if is_cut { A_PAGE } else { u64::MAX };
        let sheet = whole(page, out, |answer, page| {
            let number = page.question.number(&PAGE).unwrap_or(1);
            let first = (number - 1).saturating_mul(A_PAGE) + 1;
            Ok(sheet(answer, first).map(String::into_bytes))
        });
        Ok(Box::new(Sheet { sheet, room }))
    }
}

/// A sheet with room for so many more loops.
struct Sheet<'a> {
    sheet: Box<dyn export::Writer + 'a>,
    room: u64,
}

impl export::Writer for Sheet<'_> {
    fn solution(&mut self, found: Solution) -> Result<Flow> {
        if self.room == 0 {
            return Ok(ENOUGH);
        }
        self.room -= 1;
        let flow = self.sheet.solution(found)?;
        Ok(if self.room == 0 { ENOUGH } else { flow })
    }

    fn end(&mut self, answer: &mut Answer) -> Result<Ending> {
        self.sheet.end(answer)
    }
}

/// A sheet of the loops of an answer, numbered from `first` on; nothing if it has none.
fn sheet(answer: &Answer, first: u64) -> Option<String> {
    let solutions = &answer.solutions;
    let title = label::title(answer);
    let paths: Vec<&[Cell]> = solutions.iter().map(|solution| solution.figure.path()).collect();
    let side = |of: fn(&Cell) -> i32| paths.iter().flat_map(|path| path.iter().map(of)).max();
    let (rows, cols) = (side(|cell| cell.row)?, side(|cell| cell.col)?);
    let (rows, cols) = (rows as usize + 1, cols as usize + 1);
    let step = if paths.len() == 1 { LARGE } else { SMALL };
    let caption = if paths.len() == 1 { 0 } else { SMALL };
    let across = paths.len().min(ACROSS);
    let (width, height) = ((cols + 1) * step, (rows + 1) * step + caption);
    let (all_width, all_height) = (width * across, height * paths.len().div_ceil(across));
    let mut svg = String::new();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{all_width}\" \
         height=\"{all_height}\" viewBox=\"0 0 {all_width} {all_height}\">\n\
         <title>{}</title>\n\
         <rect width=\"{all_width}\" height=\"{all_height}\" rx=\"6\" fill=\"{BACKGROUND}\"/>",
        xml(title.trim_end())
    );
    for (at, (solution, path)) in solutions.iter().zip(&paths).enumerate() {
        let (left, top) = (at % across * width, at / across * height);
        let own = |of: fn(&Cell) -> i32| path.iter().map(of).max().unwrap_or(0) as usize + 1;
        let (own_rows, own_cols) = (own(|cell| cell.row), own(|cell| cell.col));
        let _ = writeln!(svg, "<g transform=\"translate({left} {top})\">");
        let has_dots = own_rows * own_cols <= MOST_DOTS;
        for row in (1..=own_rows).filter(|_| has_dots) {
            for col in 1..=own_cols {
                let (x, y, r) = (col * step, row * step, step / 10);
                let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{EDGE}\"/>");
            }
        }
        let points: Vec<String> = path
            .iter()
            .map(|cell| {
                let at = |side: i32| (side as usize + 1) * step;
                format!("{},{}", at(cell.col), at(cell.row))
            })
            .collect();
        let is_closed = matches!(solution.figure, Figure::Path { closed: true, .. });
        let _ = writeln!(
            svg,
            "<{} points=\"{}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"{}\" \
             stroke-linejoin=\"round\"/>",
            if is_closed { "polygon" } else { "polyline" },
            points.join(" "),
            step as f64 / 8.0
        );
        if caption > 0 {
            let (x, y) = (step / 2, (rows + 1) * step + caption / 2);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"10\" \
                 fill=\"{INK}\">{}</text>",
                first + at as u64
            );
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    Some(svg)
}
