//! Pictures: one loop, or a sheet of many.

use std::fmt::Write;

use crate::answer::{Answer, Solution};
use crate::board::Cell;
use crate::error::{Error, Result};
use crate::export::xml;

/// The distance of neighbouring cells on a sheet, and in a picture of one loop.
const SMALL: usize = 14;
const LARGE: usize = 40;
/// Loops in a row.
const ACROSS: usize = 10;

const BACKGROUND: &str = "#f6f4ee";
const DOT: &str = "#c9c4b6";
const LINE: &str = "#2b6cb0";
const INK: &str = "#1c1c1c";

/// A sheet of loops, numbered from `first` on.
pub(super) fn sheet(title: &str, solutions: &[Solution], first: u64) -> Result<String> {
    let paths: Vec<&[Cell]> = solutions.iter().map(|solution| solution.figure.path()).collect();
    let side = |of: fn(&Cell) -> i32| paths.iter().flat_map(|path| path.iter().map(of)).max();
    let (Some(rows), Some(cols)) = (side(|cell| cell.row), side(|cell| cell.col)) else {
        return Err(Error::input("There is no loop to draw."));
    };
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
        xml(title)
    );
    for (at, (solution, path)) in solutions.iter().zip(&paths).enumerate() {
        let (left, top) = (at % across * width, at / across * height);
        let own = |of: fn(&Cell) -> i32| path.iter().map(of).max().unwrap_or(0) as usize + 1;
        let (own_rows, own_cols) = (own(|cell| cell.row), own(|cell| cell.col));
        let _ = writeln!(svg, "<g transform=\"translate({left} {top})\">");
        for row in 1..=own_rows {
            for col in 1..=own_cols {
                let (x, y, r) = (col * step, row * step, step / 10);
                let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{DOT}\"/>");
            }
        }
        let points: Vec<String> = path
            .iter()
            .map(|cell| {
                let at = |side: i32| (side as usize + 1) * step;
                format!("{},{}", at(cell.col), at(cell.row))
            })
            .collect();
        let is_closed = matches!(solution.figure, crate::answer::Figure::Path { closed: true, .. });
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
    Ok(svg)
}

/// The solutions that an answer holds.
pub(super) fn answer(answer: &Answer) -> Result<String> {
    if answer.solutions.is_empty() {
        return Err(Error::input(
            "This answer holds no loops to draw (analyze draws those of --cells).",
        ));
    }
    let title = format!("{} {}", answer.question.game, answer.question.place);
    sheet(&title, &answer.solutions, 1)
}
