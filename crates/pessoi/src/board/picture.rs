//! Pictures of boards: as text, and as shapes.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::canvas::{Anchor, Canvas, Ink, Pen, Point};
use super::pdf::width_of;
use super::{Board, Cell, Lattice};

/// The board as text, with a label on each cell.
///
/// Labels are right-aligned in columns. A cell without label is `.`; a place without
/// cell is `#`, or blank on a hexagonal board, whose rows are shifted by half a cell.
pub fn grid(board: &Board, labels: impl Fn(usize) -> Option<String>) -> String {
    let labels: Vec<Option<String>> = (0..board.len()).map(labels).collect();
    let label = |cell: usize| labels[cell].as_deref().unwrap_or(".");
    let width = (0..board.len()).map(|cell| label(cell).chars().count()).max().unwrap_or(1).max(1);
    let mut text = String::new();
    match board.lattice() {
        Lattice::Square => {
            for row in 0..board.rows() as i32 {
                for col in 0..board.cols() as i32 {
                    let label = board.index(Cell { row, col }).map_or("#", label);
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{}{label:>width$}", if col > 0 { " " } else { "" });
                }
                end_line(&mut text);
            }
        }
        Lattice::Hex => {
            // Half a cell is a whole number of characters.
            let half = width / 2 + 1;
            let halves = |cell: Cell| 2 * cell.col as usize + cell.row as usize;
            let left = board.cells().iter().map(|&cell| halves(cell)).min().unwrap_or(0);
            let mut cells = (0..board.len()).peekable();
            for row in 0..board.rows() as i32 {
                let mut end = 0;
                while let Some(cell) = cells.next_if(|&cell| board.cell(cell).row == row) {
                    let at = (halves(board.cell(cell)) - left) * half;
                    let _ = write!(text, "{}{:>width$}", " ".repeat(at - end), label(cell));
                    end = at + width;
                }
                end_line(&mut text);
            }
        }
    }
    text
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}

/// A picture of a board, made step by step.
///
/// A **path** is drawn so that an eye can follow it: in colours that go on from green to orange
/// (of a closed path, around to green again), over a bright seam where it crosses what was drawn
/// before, and in a bow around cells that a move passes over. Numbers stand on discs, so no line
/// goes through them. The start is a disc and the end a square; the move that closes a path is
/// dashed.
///
/// ```
/// use pessoi::board::{Board, Picture};
///
/// let board = Board::parse("2x2")?;
/// let svg = Picture::new(&board).labels(|cell| Some(cell.to_string())).to_svg();
/// assert!(svg.starts_with("<svg"));
/// # Ok::<(), pessoi::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Picture<'b> {
    board: &'b Board,
    pub(super) title: String,
    labels: Vec<Option<String>>,
    shades: Vec<Option<f64>>,
    clues: Vec<bool>,
    path: Vec<usize>,
    is_closed: bool,
    is_chequered: bool,
    lines: Vec<(usize, usize, f64)>,
    legend: Option<Legend>,
}

/// What the colours of a heat map say, and its lines.
#[derive(Clone, Debug, Default)]
pub struct Legend {
    /// What the colours of cells say.
    pub cells: String,
    /// The numbers of the lightest and of the darkest cell.
    pub between: (String, String),
    /// What lines say, with the number of the strongest, if there are any.
    pub lines: Option<String>,
}

/// The distance of neighbouring cells, in the units of the picture.
pub(super) const STEP: f64 = 40.0;
const MARGIN: f64 = 8.0;
/// The largest size of a number, and on a path.
const FONT: f64 = 16.0;
const FONT_ON_PATH: f64 = 13.0;
/// Discs below the numbers of a path, its start and its end.
const DISC: f64 = 0.27 * STEP;
const MARKED: f64 = 0.34 * STEP;
/// How far a move keeps away from the middle of a cell that it passes over.
const CLEAR: f64 = 0.36 * STEP;
/// A path is drawn in so many colours at most.
const COLOURS: usize = 40;
/// The part of all colours that an open path goes through, from green to orange.
const OPEN: f64 = 0.72;
/// On larger boards nothing but the path would be seen, so nothing else is drawn.
const MOST_NUMBERED: usize = 2500;
/// Legends: the size of words, the height of a line of them, and the shades that are shown.
const SMALL: f64 = 12.0;
const LEADING: f64 = 20.0;
const SHADES: usize = 12;

impl<'b> Picture<'b> {
    /// A picture of the empty board.
    pub fn new(board: &'b Board) -> Self {
        Picture {
            board,
            title: board.name(),
            labels: Vec::new(),
            shades: Vec::new(),
            clues: Vec::new(),
            path: Vec::new(),
            is_closed: false,
            is_chequered: false,
            lines: Vec::new(),
            legend: None,
        }
    }

    /// The board.
    pub(crate) fn board(&self) -> &'b Board {
        self.board
    }

    /// Writes something on the cells.
    pub fn labels(self, labels: impl Fn(usize) -> Option<String>) -> Self {
        Picture { labels: (0..self.board.len()).map(labels).collect(), ..self }
    }

    /// Draws a path through some cells. Indexes that are on no cell are passed over.
    pub fn path(self, cells: &[usize], closed: bool) -> Self {
        let on_board = |cell: &usize| *cell < self.board.len();
        let path = cells.iter().copied().filter(on_board).collect();
        Picture { path, is_closed: closed, ..self }
    }

    /// Colours the cells from 0 (light) to 1 (dark).
    pub fn shade(self, shades: impl Fn(usize) -> Option<f64>) -> Self {
        Picture { shades: (0..self.board.len()).map(shades).collect(), ..self }
    }

    /// Marks cells whose number was given.
    pub fn clues(self, is_clue: impl Fn(usize) -> bool) -> Self {
        Picture { clues: (0..self.board.len()).map(is_clue).collect(), ..self }
    }

    /// Draws the cells of a square board by turns in two colours.
    pub fn chequered(self) -> Self {
        Picture { is_chequered: true, ..self }
    }

    /// Draws lines between pairs of cells, each with a strength from 0 (unseen) to 1.
    pub fn lines(self, lines: &[(usize, usize, f64)]) -> Self {
        let on_board =
            |(a, b, _): &&(usize, usize, f64)| *a < self.board.len() && *b < self.board.len();
        let lines = lines.iter().filter(on_board).copied().collect();
        Picture { lines, ..self }
    }

    /// Explains colours and lines below the board.
    pub fn legend(self, legend: Legend) -> Self {
        Picture { legend: Some(legend), ..self }
    }

    /// Names the picture, for those who hear it or point at it.
    pub fn title(self, title: &str) -> Self {
        Picture { title: title.to_owned(), ..self }
    }

    /// The picture, as one SVG element that needs nothing else, light or dark as the screen is.
    pub fn to_svg(&self) -> String {
        self.to_canvas().to_svg(&self.title)
    }

    /// The picture as shapes.
    pub(crate) fn to_canvas(&self) -> Canvas {
        let (left, top, width, height) = self.frame();
        let mut canvas = Canvas::new((left, top), (width, height));
        self.draw_cells(&mut canvas);
        self.draw_lines(&mut canvas);
        self.draw_path(&mut canvas);
        self.draw_labels(&mut canvas);
        if let Some(legend) = &self.legend {
            legend.draw(&mut canvas, !self.lines.is_empty());
        }
        canvas
    }

    /// The left and upper edge of the picture, and its width and height.
    pub(super) fn frame(&self) -> (f64, f64, f64, f64) {
        let (half_width, half_height) = (STEP / 2.0, self.corner());
        let centres = || (0..self.board.len()).map(|cell| self.centre(cell));
        let least = |side: fn((f64, f64)) -> f64| centres().map(side).fold(f64::MAX, f64::min);
        let most = |side: fn((f64, f64)) -> f64| centres().map(side).fold(f64::MIN, f64::max);
        let left = least(|centre| centre.0) - half_width - MARGIN;
        let top = least(|centre| centre.1) - half_height - MARGIN;
        let width = most(|centre| centre.0) + half_width + MARGIN - left;
        let height = most(|centre| centre.1) + half_height + MARGIN - top;
        (left, top, width, height)
    }

    /// How far a cell reaches above its centre.
    fn corner(&self) -> f64 {
        match self.board.lattice() {
            Lattice::Square => STEP / 2.0,
            Lattice::Hex => STEP / 3f64.sqrt(),
        }
    }

    pub(super) fn centre(&self, cell: usize) -> Point {
        let Cell { row, col } = self.board.cell(cell);
        let (row, col) = (f64::from(row), f64::from(col));
        match self.board.lattice() {
            Lattice::Square => (col * STEP, row * STEP),
            Lattice::Hex => ((col + row / 2.0) * STEP, row * STEP * 0.75f64.sqrt()),
        }
    }

    /// The corners of a cell.
    fn outline(&self, cell: usize) -> Vec<Point> {
        let (x, y) = self.centre(cell);
        let (half, corner) = (STEP / 2.0, self.corner());
        let around: &[(f64, f64)] = match self.board.lattice() {
            Lattice::Square => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
            Lattice::Hex => {
                &[(0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5)]
            }
        };
        around.iter().map(|(right, down)| (x + right * half, y + down * corner)).collect()
    }

    /// The ink of a cell.
    fn ink(&self, cell: usize) -> Ink {
        let Cell { row, col } = self.board.cell(cell);
        let shade = self.shades.get(cell).copied().flatten().filter(|shade| !shade.is_nan());
        match shade {
            Some(shade) => Ink::shade(shade),
            None if self.clues.get(cell) == Some(&true) => Ink::Clue,
            None if self.is_chequered
                && self.board.lattice() == Lattice::Square
                && (row + col).rem_euclid(2) == 1 =>
            {
                Ink::Chequer
            }
            None => Ink::Cell,
        }
    }

    fn draw_cells(&self, canvas: &mut Canvas) {
        let mut cells: BTreeMap<Ink, Vec<Vec<Point>>> = BTreeMap::new();
        for cell in 0..self.board.len() {
            cells.entry(self.ink(cell)).or_default().push(self.outline(cell));
        }
        for (ink, areas) in cells {
            canvas.areas(areas, Pen::fill(ink).edge(Ink::Edge, 1.0));
        }
    }

    /// A control point that bows a move by so much to its left, measured in the middle.
    fn bowed(&self, (a, b): (usize, usize), by: f64) -> Point {
        let ((x1, y1), (x2, y2)) = (self.centre(a), self.centre(b));
        let long = (x2 - x1).hypot(y2 - y1).max(1.0);
        // A curve comes half as near to its control point.
        let by = 2.0 * by / long;
        (f64::midpoint(x1, x2) + by * (y2 - y1), f64::midpoint(y1, y2) - by * (x2 - x1))
    }

    /// How far a move must be bowed to keep clear of the cells that it passes over.
    fn bow(&self, a: usize, b: usize) -> Option<f64> {
        let (a, b) = (self.board.cell(a), self.board.cell(b));
        let parts = f64::from(gcd(a.row.abs_diff(b.row), a.col.abs_diff(b.col)));
        // At the part t of the way the curve is 4 t (1 − t) of its bow away.
        (parts > 1.0).then(|| CLEAR / (4.0 / parts * (1.0 - 1.0 / parts)))
    }

    /// Lines are bowed away from the middle of the board, so that those along one row do not hide
    /// each other and the picture is as symmetric as what it shows. One that would go through the
    /// middle is bowed both ways.
    fn draw_lines(&self, canvas: &mut Canvas) {
        let (left, top, width, height) = self.frame();
        let middle = (left + width / 2.0, top + height / 2.0);
        let mut lines: Vec<&(usize, usize, f64)> = self.lines.iter().collect();
        lines.sort_by(|a, b| a.2.total_cmp(&b.2));
        for &&(a, b, strength) in &lines {
            let strength = strength.clamp(0.0, 1.0);
            if strength > 0.0 {
                let ((x1, y1), (x2, y2)) = (self.centre(a), self.centre(b));
                let out = (f64::midpoint(x1, x2) - middle.0) * (y2 - y1)
                    - (f64::midpoint(y1, y2) - middle.1) * (x2 - x1);
                let by = self.bow(a, b).unwrap_or(0.12 * STEP);
                let ways: &[f64] = if out.abs() < 1e-6 { &[-1.0, 1.0] } else { &[out.signum()] };
                let ink = if self.shades.is_empty() { Ink::Line } else { Ink::OverShade };
                let pen = of_strength(ink, strength);
                let there = (Some(self.bowed((a, b), by * ways[0])), (x2, y2));
                let back = ways.get(1).map(|way| (Some(self.bowed((a, b), by * way)), (x1, y1)));
                canvas.curve((x1, y1), [Some(there), back].into_iter().flatten().collect(), pen);
            }
        }
    }

    /// Whether the board is small enough for numbers.
    fn is_legible(&self) -> bool {
        self.board.len() <= MOST_NUMBERED
    }

    fn draw_path(&self, canvas: &mut Canvas) {
        let (Some(&start), Some(&end)) = (self.path.first(), self.path.last()) else { return };
        let moves = self.path.len() - 1;
        let runs = moves.min(COLOURS);
        // The colours of a closed path go around; those of an open one stop at orange.
        let of_all = if self.is_closed { 1.0 } else { OPEN };
        let wide = if self.is_legible() { 3.6 } else { 5.0 };
        let step = |a: usize, b: usize| {
            let control = self.bow(a, b).map(|by| self.bowed((a, b), by));
            (control, self.centre(b))
        };
        let mut run = |cells: &[usize], part: f64, is_dashed: bool| {
            let steps: Vec<_> = cells.windows(2).map(|pair| step(pair[0], pair[1])).collect();
            let from = self.centre(cells[0]);
            if self.is_legible() {
                canvas.curve(from, steps.clone(), Pen::line(Ink::Cell, 1.65 * wide));
            }
            let pen = Pen::line(Ink::along(part * of_all), wide);
            canvas.curve(from, steps, if is_dashed { pen.dashed() } else { pen });
        };
        for k in 0..runs {
            let (from, to) = (k * moves / runs, (k + 1) * moves / runs);
            run(&self.path[from..=to], (k as f64 + 0.5) / runs as f64, false);
        }
        if self.is_closed && moves > 1 {
            run(&[end, start], 1.0, true);
        }
        if self.is_legible() {
            self.draw_discs(canvas);
        }
        // Large boards are shown small: their marks are to be seen all the same.
        let scale = ((self.board.len() as f64).sqrt() / 20.0).max(1.0);
        if end != start {
            let (x, y) = self.centre(end);
            let half = 0.9 * MARKED * scale;
            let pen = Pen::fill(Ink::End).edge(Ink::along(of_all), 2.0 * scale);
            canvas.rectangle((x - half, y - half), (2.0 * half, 2.0 * half), 4.0, pen);
        }
        let pen = Pen::fill(Ink::Start).edge(Ink::along(0.0), 2.0 * scale);
        canvas.disc(self.centre(start), MARKED * scale, pen);
    }

    /// Discs below the numbers of a path; small ones where there are none.
    fn draw_discs(&self, canvas: &mut Canvas) {
        let mut cells: Vec<usize> = self.path.clone();
        cells.sort_by_key(|&cell| self.ink(cell));
        for cell in cells {
            match self.labels.get(cell) {
                Some(Some(_)) => {
                    let pen = Pen::fill(self.ink(cell)).edge(Ink::Edge, 1.2);
                    canvas.disc(self.centre(cell), DISC, pen);
                }
                _ => canvas.disc(self.centre(cell), 0.08 * STEP, Pen::fill(Ink::Text)),
            }
        }
    }

    fn draw_labels(&self, canvas: &mut Canvas) {
        if !self.is_legible() {
            return;
        }
        let labels = self.labels.iter().enumerate();
        let labels: Vec<(usize, &str)> =
            labels.filter_map(|(cell, label)| Some((cell, label.as_deref()?))).collect();
        let Some(longest) = labels.iter().map(|(_, label)| label.chars().count()).max() else {
            return;
        };
        let (most, room) =
            if self.path.is_empty() { (FONT, 0.85 * STEP) } else { (FONT_ON_PATH, 2.0 * DISC) };
        // A bold digit is about 0.7 times as wide as the font is high.
        let size = most.min(room / (0.7 * longest.max(1) as f64));
        for (cell, label) in labels {
            let ink = match self.ink(cell) {
                Ink::Shade(_) => Ink::OnShade,
                _ => Ink::Text,
            };
            canvas.label(self.centre(cell), size, ink, label);
        }
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Legend {
    /// Writes the legend below a picture, which becomes as wide and high as it needs.
    fn draw(&self, canvas: &mut Canvas, has_lines: bool) {
        const SHADE: f64 = 9.0;
        const GAP: f64 = 6.0;
        const SAMPLES: f64 = 34.0;
        let wide = |text: &str| 1.12 * SMALL * width_of(text);
        let lines = self.lines.as_ref().filter(|_| has_lines);
        let (low, high) = &self.between;
        let bar = wide(low) + GAP;
        let after = bar + SHADES as f64 * SHADE + GAP;
        let widths = [after + wide(high), wide(&self.cells)];
        let needed = widths.into_iter().chain(lines.map(|text| SAMPLES + wide(text)));
        let needed = needed.fold(0.0, f64::max) + 2.0 * MARGIN;
        // The board stays in the middle.
        let missing = (needed - canvas.width).max(0.0);
        canvas.left -= missing / 2.0;
        canvas.width += missing;
        let left = canvas.left + MARGIN;
        let mut y = canvas.top + canvas.height + 0.5 * LEADING;
        for k in 0..SHADES {
            let at = (left + bar + k as f64 * SHADE, y - 0.8 * SMALL);
            let pen = Pen::fill(Ink::shade(k as f64 / (SHADES - 1) as f64));
            canvas.rectangle(at, (SHADE, SMALL), 0.0, pen);
        }
        canvas.text((left, y), SMALL, Anchor::Start, Ink::Text, low);
        canvas.text((left + after, y), SMALL, Anchor::Start, Ink::Text, high);
        y += LEADING;
        canvas.text((left, y), SMALL, Anchor::Start, Ink::Faint, &self.cells);
        if let Some(text) = lines {
            y += LEADING;
            canvas.text((left + SAMPLES, y), SMALL, Anchor::Start, Ink::Faint, text);
            for (k, strength) in [0.1, 0.5, 1.0].into_iter().enumerate() {
                let (x, y) = (left + 9.0 * k as f64, y - 0.35 * SMALL);
                canvas.line(
                    vec![(x, y + 4.0), (x + 6.0, y - 4.0)],
                    false,
                    of_strength(Ink::Line, strength),
                );
            }
        }
        canvas.height = y + LEADING - canvas.top;
    }
}

/// The pen of a line of a heat map.
fn of_strength(ink: Ink, strength: f64) -> Pen {
    Pen::line(ink, 0.5 + 3.0 * strength).opacity(0.12 + 0.7 * strength)
}

#[cfg(test)]
mod tests {
    use super::super::tests::any_board;
    use super::*;
    use proptest::prelude::*;

    fn board(text: &str) -> Board {
        Board::try_from(text.to_owned()).unwrap()
    }

    #[expect(clippy::unnecessary_wraps, reason = "cells may have no label")]
    fn numbered(cell: usize) -> Option<String> {
        Some((cell + 1).to_string())
    }

    /// Whether tags are balanced, attributes quoted and text escaped; a tiny reader
    /// for the part of XML that is written here.
    fn is_well_formed(xml: &str) -> bool {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = xml.trim_end();
        let mut roots = 0;
        while !rest.is_empty() {
            let Some((text, tail)) = rest.split_once('<') else { return false };
            let Some((tag, tail)) = tail.split_once('>') else { return false };
            if text.contains('>') || (open.is_empty() && !text.is_empty()) {
                return false;
            }
            let mut entities = text.split('&').skip(1);
            if !entities.all(|e| ["amp;", "lt;", "gt;", "quot;"].iter().any(|k| e.starts_with(k))) {
                return false;
            }
            rest = tail;
            if let Some(name) = tag.strip_prefix('/') {
                if open.pop() != Some(name) {
                    return false;
                }
                continue;
            }
            roots += usize::from(open.is_empty());
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let (name, attributes) = inner.split_once(' ').unwrap_or((inner, ""));
            let pieces: Vec<&str> = attributes.split('"').collect();
            let (names, after) = pieces.split_at(pieces.len() - 1);
            let are_named = names.iter().step_by(2).all(|name| name.ends_with('='));
            if names.len() % 2 == 1 || !are_named || after != [""] {
                return false;
            }
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        open.is_empty() && roots == 1
    }

    #[test]
    fn the_reader_of_xml_can_say_no() {
        for bad in ["<a>", "<a></b>", "</a>", "<a/><b/>", "<a b=\"1/>", "<a b=1/>", "<a>&</a>", "x"]
        {
            assert!(!is_well_formed(bad), "{bad}");
        }
        assert!(is_well_formed("<a b=\"1\"><c/>&amp;</a>\n"));
    }

    #[test]
    fn grids() {
        assert_eq!(grid(&board("2x3"), numbered), "1 2 3\n4 5 6\n");
        assert_eq!(
            grid(&board("..#\n#.."), |i| (i < 2).then(|| (9 + i).to_string())),
            " 9 10  #\n #  .  .\n"
        );
        assert_eq!(grid(&board("..#"), |_| None), ". . #\n");
        assert_eq!(grid(&board("1x2"), |i| (i == 0).then(String::new)), "  .\n");
        assert_eq!(grid(&board("F2"), numbered), " 1 2\n3 4 5\n 6 7\n");
        assert_eq!(
            grid(&board("P3x2"), |i| Some((i + 8).to_string())),
            " 8   9  10\n  11  12  13\n"
        );
        assert_eq!(grid(&board("P2x2"), |i| Some((i + 99).to_string())), " 99 100\n  101 102\n");
        assert_eq!(grid(&board("hex\n. # .\n # #\n  ."), |_| None), ".   .\n\n  .\n");
    }

    #[test]
    fn a_small_picture() {
        let board = board("2x2");
        let svg = Picture::new(&board)
            .title("a < b & \"c\"\u{0}")
            .labels(numbered)
            .path(&[0, 1, 3, 2, 77], false)
            .shade(|i| [None, Some(0.0), Some(7.0), Some(f64::NAN)][i])
            .to_svg();
        assert!(is_well_formed(&svg), "{svg}");
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "));
        assert!(svg.contains("viewBox=\"-28 -28 96 96\""), "{svg}");
        assert!(svg.contains("<title>a &lt; b &amp; &quot;c&quot;\u{fffd}</title>"));
        // A seam and a line for each move, then discs, then the square of the end.
        for part in ["M0,0L40,0", "M40,0L40,40", "M40,40L0,40"] {
            assert_eq!(svg.matches(part).count(), 2, "{svg}");
        }
        assert_eq!((svg.matches("<rect ").count(), svg.matches("<circle ").count()), (2, 5));
        // Once for the cell, once for the disc on it.
        assert_eq!(svg.matches("#fffaeb").count(), 2);
        assert_eq!(svg.matches("#e85d3a").count(), 2);
        let at = |what: &str| svg.find(what).unwrap();
        assert!(at("M0,0L40,0") < at("<circle") && at("<circle") < at("<text"));
        assert!(svg.contains("<text x=\"40\" y=\"44.68\""), "{svg}");

        let closed = Picture::new(&board).path(&[0, 1, 3, 2], true).to_svg();
        assert_eq!(closed.matches("stroke-dasharray").count(), 1);
        assert_eq!(closed.matches("M0,40L0,0").count(), 2, "the move that closes it");
        // Start and end are marked here too.
        assert!(closed.contains("pf-a") && closed.contains("pf-z"), "{closed}");
        assert!(closed.contains("<title>2x2</title>") && !closed.contains("<text"));
        let empty = Picture::new(&board).path(&[], true).to_svg();
        assert!(is_well_formed(&empty) && !empty.contains("<circle"));
    }

    #[test]
    fn boards_are_chequered() {
        let board = board("3x3");
        let svg = Picture::new(&board).chequered().clues(|cell| cell == 4).to_svg();
        let cells = |class: &str| {
            let path = svg.lines().find(|line| line.contains(&format!("class=\"{class} ")));
            path.map_or(0, |path| path.matches('M').count())
        };
        assert_eq!((cells("pf-c"), cells("pf-q"), cells("pf-k")), (4, 4, 1), "{svg}");
    }

    #[test]
    fn hexagons_point_up() {
        let svg = Picture::new(&board("F1")).to_svg();
        assert!(svg.contains("M0,-23.09L20,-11.55V11.55L0,23.09L-20,11.55V-11.55z"), "{svg}");
    }

    /// How near a curve comes to a point.
    fn distance(from: Point, (control, to): (Option<Point>, Point), point: Point) -> f64 {
        let control = control.unwrap_or((f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1)));
        let at = |t: f64| {
            let part = |a: f64, b: f64, c: f64| {
                (1.0 - t).powi(2) * a + 2.0 * t * (1.0 - t) * b + t * t * c
            };
            (part(from.0, control.0, to.0), part(from.1, control.1, to.1))
        };
        let near = |t: usize| {
            let (x, y) = at(t as f64 / 200.0);
            (x - point.0).hypot(y - point.1)
        };
        (0..=200).map(near).fold(f64::MAX, f64::min)
    }

    #[test]
    fn no_move_goes_through_the_number_of_another_cell() {
        let board = Board::parse("9x9").unwrap();
        let picture = Picture::new(&board);
        for (a, b) in [(1, 0), (1, 1), (1, 2), (2, 2), (3, 0), (1, 3), (2, 3), (4, 0), (3, 3)] {
            for (row, col) in [(a, b), (b, a), (-a, b), (b, -a), (a, -b), (-b, -a)] {
                let from = 40;
                let cell = board.cell(from);
                let to = board.index(Cell { row: cell.row + row, col: cell.col + col }).unwrap();
                let control = picture.bow(from, to).map(|by| picture.bowed((from, to), by));
                for other in (0..board.len()).filter(|&cell| cell != from && cell != to) {
                    let ends = (control, picture.centre(to));
                    let near = distance(picture.centre(from), ends, picture.centre(other));
                    assert!(near > DISC, "({row},{col}) comes as near as {near} to {other}");
                }
            }
        }
    }

    #[test]
    fn lines_are_as_symmetric_as_what_they_show() {
        let board = Board::parse("4x4").unwrap();
        let joined = |a: usize, b: usize| {
            let (a, b) = (board.cell(a), board.cell(b));
            let (rows, cols) = (a.row.abs_diff(b.row), a.col.abs_diff(b.col));
            matches!((rows, cols), (3, 0 | 3) | (0, 3) | (2, 1 | 2) | (1, 2))
        };
        let pairs = (0..16).flat_map(|a| (0..a).map(move |b| (a, b)));
        let lines: Vec<_> =
            pairs.filter(|&(a, b)| joined(a, b)).map(|(a, b)| (a, b, 1.0)).collect();
        let canvas = Picture::new(&board).lines(&lines).to_canvas();
        // Every curve as its ends and its control point, in whole hundredths.
        let whole = |(x, y): Point| ((100.0 * x).round() as i64, (100.0 * y).round() as i64);
        let mut curves = std::collections::BTreeSet::new();
        for mark in &canvas.marks {
            if let crate::board::canvas::Shape::Curve(from, steps) = &mark.shape {
                let mut from = *from;
                for &(control, to) in steps {
                    let (a, b) = (whole(from), whole(to));
                    curves.insert((a.min(b), a.max(b), control.map(whole)));
                    from = to;
                }
            }
        }
        assert!(curves.len() > lines.len(), "some are bowed both ways");
        // The board is from 0 to 120 units wide.
        let turned = |(x, y): (i64, i64)| (12_000 - y, x);
        let mirrored = |(x, y): (i64, i64)| (12_000 - x, y);
        for image in [turned, mirrored] {
            for &(a, b, control) in &curves {
                let (a, b) = (image(a), image(b));
                let there = (a.min(b), a.max(b), control.map(image));
                assert!(curves.contains(&there), "{there:?}");
            }
        }
    }

    #[test]
    fn a_legend_is_within_the_picture() {
        let board = board("2x2");
        let legend = Legend {
            cells: "solutions that begin or end at a cell".into(),
            between: ("0".into(), "1,234".into()),
            lines: Some("solutions that use a move: up to 7".into()),
        };
        let picture = Picture::new(&board).legend(legend);
        let (plain, with_lines) =
            (picture.clone().to_canvas(), picture.lines(&[(0, 3, 1.0)]).to_canvas());
        assert!(with_lines.height > plain.height && plain.width > 200.0);
        let centre = |canvas: &Canvas| canvas.left + canvas.width / 2.0;
        assert!((centre(&plain) - 20.0).abs() < 1e-9, "the board is in the middle");
    }

    #[test]
    fn of_a_large_board_the_path_is_drawn_and_its_ends() {
        let board = Board::parse("60x60").unwrap();
        let path: Vec<usize> = (0..board.len()).collect();
        let svg = Picture::new(&board).labels(numbered).path(&path, false).to_svg();
        assert!(!svg.contains("<text") && svg.matches("<circle").count() == 1);
        assert!(svg.contains("width=\"1120\"") && svg.len() < 150_000);
    }

    proptest! {
        #[test]
        fn pictures_are_well_formed(board in any_board(), text in any::<String>(), closed: bool) {
            let path: Vec<usize> = (0..board.len()).collect();
            let svg = Picture::new(&board)
                .title(&text)
                .labels(|i| (i % 2 == 0).then(|| text.clone()))
                .path(&path, closed)
                .to_svg();
            prop_assert!(is_well_formed(&svg), "{}", svg);
            let numbers = svg.split(['"', ' ', ',']).filter_map(|word| word.parse::<f64>().ok().map(|_| word));
            for number in numbers {
                let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                prop_assert!(decimals <= 2 || text.contains(number), "{}", number);
            }
        }

        #[test]
        fn a_grid_without_labels_is_the_drawing(board in any_board()) {
            let text = grid(&board, |_| None);
            prop_assert!(text.ends_with('\n') && !text.contains(" \n"));
            prop_assert_eq!(text.matches('.').count(), board.len());
            if board.lattice() == Lattice::Square {
                prop_assert_eq!(text.replace(' ', ""), board.to_drawing());
            }
        }
    }
}
