//! Pictures of boards, as text, as SVG and as PDF.

use std::fmt::Write;

use super::{Board, Cell, Lattice};
use crate::export::xml;

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

/// A picture of a board as SVG, made step by step.
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
    pub(super) board: &'b Board,
    pub(super) title: String,
    pub(super) labels: Vec<Option<String>>,
    pub(super) shades: Vec<Option<f64>>,
    pub(super) path: Vec<usize>,
    pub(super) is_closed: bool,
    lines: Vec<(usize, usize, f64)>,
}

/// The distance of neighbouring cells, in the units of the picture.
pub(super) const STEP: f64 = 40.0;
const MARGIN: f64 = 8.0;
/// The largest size of a number.
const FONT: f64 = 16.0;

// The colours of all pictures.
pub(crate) const BACKGROUND: &str = "#f6f4ee";
const CELL: &str = "#ffffff";
pub(crate) const EDGE: &str = "#a8a294";
pub(crate) const PATH: &str = "#97c0e6";
pub(crate) const START: &str = "#7fc97f";
pub(crate) const END: &str = "#f4a259";
pub(crate) const INK: &str = "#1c1c1c";
pub(crate) const LINE: &str = "#27557f";

impl<'b> Picture<'b> {
    /// A picture of the empty board.
    pub fn new(board: &'b Board) -> Self {
        let (title, path) = (board.name(), Vec::new());
        Picture {
            board,
            title,
            labels: Vec::new(),
            shades: Vec::new(),
            path,
            is_closed: false,
            lines: Vec::new(),
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

    /// Draws a line through the centres of some cells, with a dot at the start and, if
    /// it is open, at the end. Indexes that are on no cell are passed over.
    pub fn path(self, cells: &[usize], closed: bool) -> Self {
        let on_board = |cell: &usize| *cell < self.board.len();
        let path = cells.iter().copied().filter(on_board).collect();
        Picture { path, is_closed: closed, ..self }
    }

    /// Colours the cells from 0 (light) to 1 (dark).
    pub fn shade(self, shades: impl Fn(usize) -> Option<f64>) -> Self {
        Picture { shades: (0..self.board.len()).map(shades).collect(), ..self }
    }

    /// Draws lines between pairs of cells, each with a strength from 0 (unseen) to 1.
    pub fn lines(self, lines: &[(usize, usize, f64)]) -> Self {
        let on_board =
            |(a, b, _): &&(usize, usize, f64)| *a < self.board.len() && *b < self.board.len();
        let lines = lines.iter().filter(on_board).copied().collect();
        Picture { lines, ..self }
    }

    /// Names the picture, for those who hear it or point at it.
    pub fn title(self, title: &str) -> Self {
        Picture { title: title.to_owned(), ..self }
    }

    /// The picture, as one SVG element that needs nothing else.
    pub fn to_svg(&self) -> String {
        let (left, top, width, height) = self.frame();
        let [left, top, width, height] = [left, top, width, height].map(rounded);
        let mut svg = String::new();
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"{left} {top} {width} {height}\">\n\
             <title>{}</title>\n\
             <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"6\" \
             fill=\"{BACKGROUND}\"/>",
            xml(&self.title)
        );
        self.draw_cells(&mut svg);
        self.draw_lines(&mut svg);
        self.draw_path(&mut svg);
        self.draw_labels(&mut svg);
        svg.push_str("</svg>\n");
        svg
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
    pub(super) fn corner(&self) -> f64 {
        match self.board.lattice() {
            Lattice::Square => STEP / 2.0,
            Lattice::Hex => STEP / 3f64.sqrt(),
        }
    }

    pub(super) fn centre(&self, cell: usize) -> (f64, f64) {
        let Cell { row, col } = self.board.cell(cell);
        let (row, col) = (f64::from(row), f64::from(col));
        match self.board.lattice() {
            Lattice::Square => (col * STEP, row * STEP),
            Lattice::Hex => ((col + row / 2.0) * STEP, row * STEP * 0.75f64.sqrt()),
        }
    }

    fn draw_cells(&self, svg: &mut String) {
        let _ = writeln!(svg, "<g fill=\"{CELL}\" stroke=\"{EDGE}\">");
        let (half, corner) = (STEP / 2.0, self.corner());
        for cell in 0..self.board.len() {
            let (x, y) = self.centre(cell);
            match self.board.lattice() {
                Lattice::Square => {
                    let (x, y, side) = (rounded(x - half), rounded(y - half), rounded(STEP));
                    let _ =
                        write!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"");
                }
                Lattice::Hex => {
                    let corners = [
                        (x, y - corner),
                        (x + half, y - corner / 2.0),
                        (x + half, y + corner / 2.0),
                        (x, y + corner),
                        (x - half, y + corner / 2.0),
                        (x - half, y - corner / 2.0),
                    ];
                    let _ = write!(svg, "<polygon points=\"{}\"", points(corners));
                }
            }
            if let Some(shade) = self.shades.get(cell).copied().flatten().filter(|s| !s.is_nan()) {
                let _ = write!(svg, " fill=\"{}\"", heat(shade));
            }
            svg.push_str("/>\n");
        }
        svg.push_str("</g>\n");
    }

    /// Lines are bowed, so that those along one row do not hide each other.
    fn draw_lines(&self, svg: &mut String) {
        for &(a, b, strength) in &self.lines {
            let strength = strength.clamp(0.0, 1.0);
            if strength > 0.0 {
                let ((x1, y1), (x2, y2)) = (self.centre(a), self.centre(b));
                let (x, y) = ((x1 + x2 + 0.3 * (y2 - y1)) / 2.0, (y1 + y2 - 0.3 * (x2 - x1)) / 2.0);
                let [x1, y1, x2, y2, x, y] = [x1, y1, x2, y2, x, y].map(rounded);
                let (width, opacity) =
                    (rounded(0.5 + 2.5 * strength), rounded(0.1 + 0.7 * strength));
                let _ = writeln!(
                    svg,
                    "<path class=\"move\" d=\"M{x1},{y1} Q{x},{y} {x2},{y2}\" fill=\"none\" \
                     stroke=\"{LINE}\" stroke-width=\"{width}\" stroke-opacity=\"{opacity}\"/>"
                );
            }
        }
    }

    /// The path is pale, for the numbers stand on it.
    fn draw_path(&self, svg: &mut String) {
        let (Some(&start), Some(&end)) = (self.path.first(), self.path.last()) else { return };
        let shape = if self.is_closed { "polygon" } else { "polyline" };
        let _ = writeln!(
            svg,
            "<{shape} points=\"{}\" fill=\"none\" stroke=\"{PATH}\" stroke-width=\"4\" \
             stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
            points(self.path.iter().map(|&cell| self.centre(cell)))
        );
        let mut dot = |cell: usize, colour: &str| {
            let (x, y) = self.centre(cell);
            let (x, y, radius) = (rounded(x), rounded(y), rounded(STEP * 0.3));
            let _ =
                writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\"/>");
        };
        if !self.is_closed && end != start {
            dot(end, END);
        }
        dot(start, START);
    }

    fn draw_labels(&self, svg: &mut String) {
        let labels = self.labels.iter().enumerate();
        let labels: Vec<(usize, &str)> =
            labels.filter_map(|(cell, label)| Some((cell, label.as_deref()?))).collect();
        let Some(longest) = labels.iter().map(|(_, label)| label.chars().count()).max() else {
            return;
        };
        // A bold digit is about 0.7 times as wide as the font is high.
        let size = FONT.min(STEP * 0.85 / (0.7 * longest.max(1) as f64));
        let _ = writeln!(
            svg,
            "<g fill=\"{INK}\" font-family=\"system-ui, 'DejaVu Sans', Arial, sans-serif\" \
             font-size=\"{}\" font-weight=\"600\" text-anchor=\"middle\">",
            rounded(size)
        );
        for (cell, label) in labels {
            let (x, y) = self.centre(cell);
            // The baseline lies below the middle by half the height of a digit.
            let (x, y) = (rounded(x), rounded(y + size * 0.36));
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", xml(label));
        }
        svg.push_str("</g>\n");
    }
}

/// A number with at most two decimals.
fn rounded(number: f64) -> f64 {
    // Adding 0 turns −0 into 0.
    (number * 100.0).round() / 100.0 + 0.0
}

fn points(corners: impl IntoIterator<Item = (f64, f64)>) -> String {
    let points = corners.into_iter().map(|(x, y)| format!("{},{}", rounded(x), rounded(y)));
    points.collect::<Vec<_>>().join(" ")
}

/// A colour between cream and red on which ink can be read.
pub(super) fn heat(shade: f64) -> String {
    let part = shade.clamp(0.0, 1.0);
    let mix = |from: f64, to: f64| (from + (to - from) * part).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(255.0, 232.0), mix(250.0, 93.0), mix(235.0, 58.0))
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
        assert!(svg.contains("<polyline points=\"0,0 40,0 40,40 0,40\" "));
        assert_eq!(svg.matches("<rect ").count(), 5);
        assert_eq!(svg.matches("<circle ").count(), 2);
        assert_eq!(svg.matches("#fffaeb").count(), 1);
        assert_eq!(svg.matches("#e85d3a").count(), 1);
        let at = |what: &str| svg.find(what).unwrap();
        assert!(at("<polyline") < at("<text") && at("<rect x=\"20\"") < at("<polyline"));
        assert!(svg.contains("<text x=\"40\" y=\"45.76\">4</text>"), "{svg}");

        let closed = Picture::new(&board).path(&[0, 1, 3, 2], true).to_svg();
        assert!(closed.contains("<polygon points=\"0,0 40,0 40,40 0,40\" fill=\"none\""));
        assert_eq!(closed.matches("<circle ").count(), 1);
        assert!(closed.contains("<title>2x2</title>") && !closed.contains("<text"));
        let empty = Picture::new(&board).path(&[], true).to_svg();
        assert!(is_well_formed(&empty) && !empty.contains("<circle"));
    }

    #[test]
    fn hexagons_point_up() {
        let svg = Picture::new(&board("F1")).to_svg();
        let corners = "0,-23.09 20,-11.55 20,11.55 0,23.09 -20,11.55 -20,-11.55";
        assert!(svg.contains("<polygon points=\"0,-23.09"), "{svg}");
        assert!(svg.contains(corners), "{svg}");
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
