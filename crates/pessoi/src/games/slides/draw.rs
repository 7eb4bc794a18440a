//! Pictures: a configuration, a solution that moves or as a strip of frames, and a sheet
//! from which a puzzle can be cut.

use std::fmt::Write;

use pessoi_engine::run::{Run, Stop};

use super::position::Position;
use super::rule::Puzzle;
use crate::board::picture::{BACKGROUND, EDGE, END, INK, PATH};
use crate::board::{Cell, Lattice};
use crate::export::xml;

// Writing to a string cannot fail, so the results of write! are not looked at.

/// The distance of neighbouring cells.
const STEP: f64 = 40.0;
const MARGIN: f64 = 10.0;
/// A tile is a little smaller than its cell.
const TILE: f64 = 0.92;
/// Seconds that a slide takes, and that the ends are shown.
const SLIDE: f64 = 0.6;
const REST: f64 = 1.5;
/// Frames in a row of a strip.
const ACROSS: usize = 8;
/// The colour of holes.
const HOLE: &str = "#d9d4c7";
/// The colour of tiles to be cut.
const BLANK: &str = "#ffffff";

/// Where the middle of a cell is, for cells that are 1 apart.
pub(super) fn centre(puzzle: &Puzzle, cell: usize) -> (f64, f64) {
    middle(puzzle.board.lattice(), puzzle.board.cell(cell))
}

/// Where the middle of any cell of a lattice is, on the board or not.
pub(super) fn middle(lattice: Lattice, cell: Cell) -> (f64, f64) {
    let (row, col) = (f64::from(cell.row), f64::from(cell.col));
    match lattice {
        Lattice::Square => (col, row),
        Lattice::Hex => (col + row / 2.0, row * 3f64.sqrt() / 2.0),
    }
}

/// The corners of a cell around its middle, for cells that are 1 apart, scaled.
pub(super) fn corners(puzzle: &Puzzle, scale: f64) -> Vec<(f64, f64)> {
    let (count, radius, turn) = match puzzle.board.lattice() {
        Lattice::Square => (4, 0.5f64.sqrt(), 45.0),
        Lattice::Hex => (6, 1.0 / 3f64.sqrt(), 30.0),
    };
    let corner = |k: u32| {
        let angle = (f64::from(turn as u32) + 360.0 / f64::from(count) * f64::from(k)).to_radians();
        (scale * radius * angle.cos(), scale * radius * angle.sin())
    };
    (0..count).map(corner).collect()
}

/// The board in the units of the picture.
struct Canvas<'p> {
    puzzle: &'p Puzzle,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

impl<'p> Canvas<'p> {
    fn new(puzzle: &'p Puzzle) -> Self {
        let middles = || (0..puzzle.len()).map(|cell| centre(puzzle, cell));
        let radius = corners(puzzle, 1.0).iter().map(|corner| corner.1).fold(0.0, f64::max);
        let least = |side: fn((f64, f64)) -> f64| middles().map(side).fold(f64::MAX, f64::min);
        let most = |side: fn((f64, f64)) -> f64| middles().map(side).fold(f64::MIN, f64::max);
        let (left, top) = (least(|m| m.0) - 0.5, least(|m| m.1) - radius);
        let (right, bottom) = (most(|m| m.0) + 0.5, most(|m| m.1) + radius);
        let [left, top, right, bottom] = [left, top, right, bottom].map(|side| side * STEP);
        Canvas {
            puzzle,
            left: left - MARGIN,
            top: top - MARGIN,
            width: right - left + 2.0 * MARGIN,
            height: bottom - top + 2.0 * MARGIN,
        }
    }

    fn middle(&self, cell: usize) -> (f64, f64) {
        let (x, y) = centre(self.puzzle, cell);
        (rounded(x * STEP - self.left), rounded(y * STEP - self.top))
    }

    fn outline(&self, scale: f64) -> String {
        let corner = |(x, y): (f64, f64)| format!("{},{}", rounded(x * STEP), rounded(y * STEP));
        corners(self.puzzle, scale).into_iter().map(corner).collect::<Vec<_>>().join(" ")
    }

    /// The empty board.
    fn board(&self) -> String {
        let mut svg = String::new();
        for cell in 0..self.puzzle.len() {
            let (x, y) = self.middle(cell);
            let _ = writeln!(
                svg,
                "<polygon points=\"{}\" transform=\"translate({x},{y})\" fill=\"{HOLE}\" \
                 stroke=\"{EDGE}\"/>",
                self.outline(1.0)
            );
        }
        svg
    }

    /// A tile around the origin.
    fn tile(&self, tile: u8, colour: &str) -> String {
        format!(
            "<polygon points=\"{}\" fill=\"{colour}\" stroke=\"{INK}\" stroke-width=\"0.7\"/>\
             <text y=\"5\" text-anchor=\"middle\" font-family=\"sans-serif\" font-size=\"15\" \
             fill=\"{INK}\">{tile}</text>",
            self.outline(TILE)
        )
    }

    /// A configuration; the tile that moved last in another colour.
    fn configuration(&self, position: &Position, moved: Option<u8>) -> String {
        let mut svg = self.board();
        for (cell, &tile) in position.0.iter().enumerate().filter(|(_, tile)| **tile != 0) {
            let (x, y) = self.middle(cell);
            let colour = if moved == Some(tile) { END } else { PATH };
            let _ = writeln!(
                svg,
                "<g transform=\"translate({x},{y})\">{}</g>",
                self.tile(tile, colour)
            );
        }
        svg
    }
}

fn document(width: f64, height: f64, title: &str, body: &str) -> String {
    let (width, height) = (rounded(width), rounded(height));
    let title = xml(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{BACKGROUND}\"/>\n{body}</svg>\n"
    )
}

/// All configurations side by side, row by row.
pub(super) fn strip(
    puzzle: &Puzzle,
    frames: &[Position],
    numbered: bool,
    title: &str,
    run: &Run,
) -> Result<String, Stop> {
    let canvas = Canvas::new(puzzle);
    let label = if numbered { 14.0 } else { 0.0 };
    let (step_x, step_y) = (canvas.width, canvas.height + label);
    let mut svg = String::new();
    for (k, frame) in frames.iter().enumerate() {
        run.check()?;
        let moved = k
            .checked_sub(1)
            .filter(|_| numbered)
            .and_then(|before| frames[before].slide_to(frame, puzzle).map(|(tile, _, _)| tile));
        let (x, y) = ((k % ACROSS) as f64 * step_x, (k / ACROSS) as f64 * step_y);
        let _ = writeln!(svg, "<g transform=\"translate({},{})\">", rounded(x), rounded(y));
        svg += &canvas.configuration(frame, moved);
        if numbered {
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-family=\"sans-serif\" \
                 font-size=\"11\" fill=\"{INK}\">{k}</text>",
                rounded(canvas.width / 2.0),
                rounded(canvas.height + 8.0)
            );
        }
        svg += "</g>\n";
    }
    let rows = frames.len().div_ceil(ACROSS) as f64;
    Ok(document(step_x * frames.len().min(ACROSS) as f64, step_y * rows, title, &svg))
}

/// One board whose tiles slide, for ever.
pub(super) fn animation(
    puzzle: &Puzzle,
    way: &[Position],
    title: &str,
    run: &Run,
) -> Result<String, Stop> {
    let canvas = Canvas::new(puzzle);
    let slides = way.len().saturating_sub(1) as f64;
    let length = slides * SLIDE + 2.0 * REST;
    let mut svg = canvas.board();
    let Some(first) = way.first() else {
        return Ok(document(canvas.width, canvas.height, title, &svg));
    };
    for (cell, &tile) in first.0.iter().enumerate().filter(|(_, tile)| **tile != 0) {
        run.check()?;
        // Only the moments at which this tile begins and ends a slide are written.
        let mut at = cell;
        let (mut times, mut places) = (vec![0.0], vec![canvas.middle(at)]);
        for (k, position) in way.iter().enumerate().skip(1) {
            if position.0[at] == tile {
                continue;
            }
            let begin = REST + (k - 1) as f64 * SLIDE;
            times.push(begin / length);
            places.push(canvas.middle(at));
            at = position.0.iter().position(|&there| there == tile).unwrap_or(at);
            times.push((begin + 0.8 * SLIDE) / length);
            places.push(canvas.middle(at));
        }
        times.push(1.0);
        places.push(canvas.middle(at));
        let (x, y) = canvas.middle(cell);
        let _ = write!(svg, "<g transform=\"translate({x},{y})\">{}", canvas.tile(tile, PATH));
        if times.len() > 2 {
            let times: Vec<String> = times.iter().map(|time| format!("{time:.5}")).collect();
            let places: Vec<String> = places.iter().map(|(x, y)| format!("{x},{y}")).collect();
            let _ = write!(
                svg,
                "<animateTransform attributeName=\"transform\" type=\"translate\" \
                 dur=\"{length:.2}s\" repeatCount=\"indefinite\" keyTimes=\"{}\" values=\"{}\"/>",
                times.join(";"),
                places.join(";")
            );
        }
        svg += "</g>\n";
    }
    Ok(document(canvas.width, canvas.height, title, &svg))
}

/// Millimetres between neighbouring cells of a puzzle to be made.
pub(super) const PITCH: f64 = 24.0;

/// A sheet in true size: the board above, the tiles below, to be cut along the lines.
pub(super) fn sheet(puzzle: &Puzzle, tiles: usize) -> String {
    let canvas = Canvas::new(puzzle);
    let across = ((canvas.width / STEP / 1.15) as usize).max(3);
    let rows = tiles.div_ceil(across);
    let width = canvas.width.max(across as f64 * STEP * 1.15 + 2.0 * MARGIN);
    let height = canvas.height + rows as f64 * STEP * 1.3 + MARGIN;
    let mut svg = canvas.board();
    for tile in 0..tiles {
        let x = MARGIN + STEP * (0.575 + 1.15 * (tile % across) as f64);
        let y = canvas.height + STEP * (0.65 + 1.3 * (tile / across) as f64);
        let _ = writeln!(
            svg,
            "<g transform=\"translate({},{})\">{}</g>",
            rounded(x),
            rounded(y),
            canvas.tile(tile as u8 + 1, BLANK)
        );
    }
    let scale = PITCH / STEP;
    let title = format!("{}: board and {tiles} tiles to cut", puzzle.board.name());
    let drawn = document(width, height, &title, &svg);
    // True size: the picture's units become millimetres.
    let (old, new) = (
        format!("width=\"{}\" height=\"{}\" viewBox", rounded(width), rounded(height)),
        format!(
            "width=\"{}mm\" height=\"{}mm\" viewBox",
            rounded(width * scale),
            rounded(height * scale)
        ),
    );
    drawn.replacen(&old, &new, 1)
}
