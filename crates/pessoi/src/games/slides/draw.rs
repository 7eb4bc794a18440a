//! Pictures: a configuration, a solution that moves or as a strip of frames, and a sheet
//! from which a puzzle can be cut.

use pessoi_engine::run::{Run, Stop};

use super::position::Position;
use super::rule::Puzzle;
use crate::board::canvas::{Canvas, Ink, Motion, Pen, Point};
use crate::board::pdf::on_a_page;
use crate::board::sheet::Sheet;
use crate::board::{Cell, Lattice};

/// The distance of neighbouring cells.
const STEP: f64 = 40.0;
const MARGIN: f64 = 10.0;
/// A tile is a little smaller than its cell.
const TILE: f64 = 0.92;
/// Seconds that a slide takes, and that the ends are shown.
const SLIDE: f64 = 0.6;
const REST: f64 = 1.5;
/// The size of numbers.
const FONT: f64 = 16.0;

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

/// A configuration as a picture.
struct Plan<'p> {
    puzzle: &'p Puzzle,
    /// The picture without anything on it.
    paper: Canvas,
}

impl<'p> Plan<'p> {
    fn new(puzzle: &'p Puzzle) -> Self {
        let middles = || (0..puzzle.len()).map(|cell| centre(puzzle, cell));
        let radius = corners(puzzle, 1.0).iter().map(|corner| corner.1).fold(0.0, f64::max);
        let least = |side: fn((f64, f64)) -> f64| middles().map(side).fold(f64::MAX, f64::min);
        let most = |side: fn((f64, f64)) -> f64| middles().map(side).fold(f64::MIN, f64::max);
        let (left, top) = (least(|m| m.0) - 0.5, least(|m| m.1) - radius);
        let (right, bottom) = (most(|m| m.0) + 0.5, most(|m| m.1) + radius);
        let [left, top, right, bottom] = [left, top, right, bottom].map(|side| side * STEP);
        let size = (right - left + 2.0 * MARGIN, bottom - top + 2.0 * MARGIN);
        Plan { puzzle, paper: Canvas::new((left - MARGIN, top - MARGIN), size) }
    }

    fn middle(&self, cell: usize) -> Point {
        let (x, y) = centre(self.puzzle, cell);
        (x * STEP, y * STEP)
    }

    fn outline(&self, (x, y): Point, scale: f64) -> Vec<Point> {
        let corners = corners(self.puzzle, scale).into_iter();
        corners.map(|(right, down)| (x + right * STEP, y + down * STEP)).collect()
    }

    /// The empty board.
    fn board(&self) -> Canvas {
        let mut canvas = self.paper.clone();
        let cells = (0..self.puzzle.len()).map(|cell| self.outline(self.middle(cell), 1.0));
        canvas.areas(cells.collect(), Pen::fill(Ink::Hole).edge(Ink::Edge, 1.0));
        canvas
    }

    /// A tile around a point.
    fn tile(&self, canvas: &mut Canvas, at: Point, tile: u8, ink: Ink) {
        let pen = Pen::fill(ink).edge(Ink::Edge, 1.5);
        canvas.line(self.outline(at, TILE), true, pen);
        canvas.label(at, FONT, Ink::Text, &tile.to_string());
    }

    /// A configuration; the tile that moved last in another colour.
    fn configuration(&self, position: &Position, moved: Option<u8>) -> Canvas {
        let mut canvas = self.board();
        for (cell, &tile) in position.0.iter().enumerate().filter(|(_, tile)| **tile != 0) {
            let ink = if moved == Some(tile) { Ink::End } else { Ink::Tile };
            self.tile(&mut canvas, self.middle(cell), tile, ink);
        }
        canvas
    }
}

/// All configurations side by side, row by row.
pub(super) fn strip(
    puzzle: &Puzzle,
    frames: &[Position],
    numbered: bool,
    title: &str,
    run: &Run,
) -> Result<Sheet, Stop> {
    let plan = Plan::new(puzzle);
    let mut sheet = Sheet::new(title);
    for (k, frame) in frames.iter().enumerate() {
        run.check()?;
        let moved = k
            .checked_sub(1)
            .filter(|_| numbered)
            .and_then(|before| frames[before].slide_to(frame, puzzle).map(|(tile, _, _)| tile));
        let caption = if numbered { k.to_string() } else { String::new() };
        sheet.add(plan.configuration(frame, moved), caption);
    }
    Ok(sheet)
}

/// One board whose tiles slide, for ever.
pub(super) fn animation(
    puzzle: &Puzzle,
    way: &[Position],
    title: &str,
    run: &Run,
) -> Result<String, Stop> {
    let plan = Plan::new(puzzle);
    let slides = way.len().saturating_sub(1) as f64;
    let seconds = slides * SLIDE + 2.0 * REST;
    let mut canvas = plan.board();
    let Some(first) = way.first() else { return Ok(canvas.to_svg(title)) };
    for (cell, &tile) in first.0.iter().enumerate().filter(|(_, tile)| **tile != 0) {
        run.check()?;
        // Only the moments at which this tile begins and ends a slide are written.
        let mut at = cell;
        let (mut times, mut places) = (vec![0.0], vec![plan.middle(at)]);
        for (k, position) in way.iter().enumerate().skip(1) {
            if position.0[at] == tile {
                continue;
            }
            let begin = REST + (k - 1) as f64 * SLIDE;
            times.push(begin / seconds);
            places.push(plan.middle(at));
            at = position.0.iter().position(|&there| there == tile).unwrap_or(at);
            times.push((begin + 0.8 * SLIDE) / seconds);
            places.push(plan.middle(at));
        }
        times.push(1.0);
        places.push(plan.middle(at));
        let mut drawn = plan.paper.clone();
        plan.tile(&mut drawn, (0.0, 0.0), tile, Ink::Tile);
        let motion = (times.len() > 2).then_some(Motion { seconds, times, places });
        canvas.group(drawn, plan.middle(cell), motion);
    }
    Ok(canvas.to_svg(title))
}

/// Millimetres between neighbouring cells of a puzzle to be made.
pub(super) const PITCH: f64 = 24.0;

/// A sheet in true size: the board above, the tiles below, to be cut along the lines.
pub(super) fn pieces(puzzle: &Puzzle, tiles: usize) -> Canvas {
    let plan = Plan::new(puzzle);
    let mut canvas = plan.board();
    let (left, top, width, height) = canvas.frame();
    let across = ((width / STEP / 1.15) as usize).max(3);
    let rows = tiles.div_ceil(across);
    for tile in 0..tiles {
        let x = left + MARGIN + STEP * (0.575 + 1.15 * (tile % across) as f64);
        let y = top + height + STEP * (0.65 + 1.3 * (tile / across) as f64);
        plan.tile(&mut canvas, (x, y), tile as u8 + 1, Ink::Cell);
    }
    let wide = width.max(across as f64 * STEP * 1.15 + 2.0 * MARGIN);
    canvas.enlarge((wide, height + rows as f64 * STEP * 1.3 + MARGIN));
    canvas
}

/// What a sheet to cut is.
pub(super) fn pieces_title(puzzle: &Puzzle, tiles: usize) -> String {
    format!("{}: board and {tiles} tiles to cut", puzzle.board.name())
}

/// The sheet as a picture whose units are millimetres.
pub(super) fn pieces_svg(puzzle: &Puzzle, tiles: usize) -> String {
    let canvas = pieces(puzzle, tiles);
    let (_, _, width, height) = canvas.frame();
    let scale = PITCH / STEP;
    canvas.to_svg_of(&pieces_title(puzzle, tiles), (width * scale, height * scale), "mm")
}

/// The sheet on a page; nothing if it is too large for one.
pub(super) fn pieces_pdf(puzzle: &Puzzle, tiles: usize) -> Option<String> {
    const POINTS: f64 = 72.0 / 25.4;
    let scale = PITCH * POINTS / STEP;
    on_a_page(&pieces(puzzle, tiles), &pieces_title(puzzle, tiles), scale)
}
