//! Pictures as PDF, for sheets of paper.
//!
//! Pages with shapes and short texts are a handful of PDF objects in plain text, so they are
//! written here without help: a catalog, a list of pages, two fonts that every reader has
//! (Helvetica and its bold face), and what is drawn on each page. Positions on a **page** are in
//! points from its upper left corner, as people read; PDF counts from the lower left one.

use std::fmt::Write;

use super::canvas::{Anchor, Canvas, Ink, Mark, Pen, Point, Shape, Words};
use super::picture::{Picture, STEP};
use super::sheet::Sheet;

/// A4, and what is left free around the board, in points.
pub(crate) const PAGE: (f64, f64) = (595.0, 842.0);
pub(crate) const MARGIN: f64 = 48.0;
/// How much wider the bold face is, about.
const BOLDER: f64 = 1.05;

impl Picture<'_> {
    /// The picture on a page of A4.
    pub fn to_pdf(&self) -> String {
        let mut sheet = Sheet::new(&self.title);
        sheet.add(self.to_canvas(), "");
        sheet.to_pdf()
    }
}

/// A face of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    Plain,
    Bold,
}

/// What is drawn on one page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaf(String);

impl Leaf {
    /// An empty page.
    pub(crate) fn new() -> Self {
        Leaf::default()
    }

    /// Writes a line of text whose left end is at a point.
    pub(crate) fn text(&mut self, (x, y): (f64, f64), size: f64, face: Face, text: &str) {
        self.coloured((x, y), size, face, "#1c1c1c", text);
    }

    /// As [`Leaf::text`], in a colour.
    pub(crate) fn coloured(
        &mut self,
        (x, y): (f64, f64),
        size: f64,
        face: Face,
        ink: &str,
        text: &str,
    ) {
        let font = if face == Face::Bold { "F2" } else { "F1" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            self.0,
            "{} rg BT /{font} {} Tf {} {} Td ({}) Tj ET",
            colour(ink),
            two(size),
            two(x),
            two(PAGE.1 - y),
            literal(text)
        );
    }

    /// Draws a thin line.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: &str) {
        let turned = [from, to].map(|(x, y)| (x, PAGE.1 - y));
        let _ = writeln!(self.0, "0.6 w {} RG {} S", colour(ink), polyline(&turned));
    }

    /// Draws a picture into a room with this upper left corner and this size, in the middle of
    /// its width, with cells no larger than `largest`. Says how high it is.
    pub(crate) fn board(
        &mut self,
        picture: &Picture,
        (at_left, at_top): (f64, f64),
        room: (f64, f64),
        largest: f64,
    ) -> f64 {
        let canvas = picture.to_canvas();
        let (width, height) = (canvas.width, canvas.height);
        let scale = (room.0 / width).min(room.1 / height).min(largest / STEP);
        let centred = at_left + (room.0 - width * scale) / 2.0;
        self.canvas(&canvas, (centred, at_top), scale);
        height * scale
    }

    /// Draws a canvas with its upper left corner at a point.
    pub(crate) fn canvas(&mut self, canvas: &Canvas, (x, y): Point, scale: f64) {
        let place = Place { scale, x: x - canvas.left * scale, y: y - canvas.top * scale };
        self.marks(&canvas.marks, &place);
    }

    fn marks(&mut self, marks: &[Mark], place: &Place) {
        for mark in marks {
            match &mark.shape {
                Shape::Group(marks, (x, y), _) => {
                    let (x, y) = (place.x + x * place.scale, place.y + y * place.scale);
                    self.marks(marks, &Place { x, y, ..*place });
                }
                Shape::Words(words) => self.words(words, mark.pen.fill, place),
                shape => self.shape(shape, &mark.pen, place),
            }
        }
    }

    fn words(&mut self, words: &Words, ink: Option<Ink>, place: &Place) {
        let size = words.size * place.scale;
        let wide = width_of(&words.text) * size * if words.bold { BOLDER } else { 1.0 };
        let (x, y) = place.point(words.at);
        let x = match words.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - wide / 2.0,
            Anchor::End => x - wide,
        };
        let _ = writeln!(
            self.0,
            "{} rg BT /{} {} Tf {} {} Td ({}) Tj ET",
            colour(&ink.unwrap_or(Ink::Text).hex()),
            if words.bold { "F2" } else { "F1" },
            two(size),
            two(x),
            two(y),
            literal(&words.text)
        );
    }

    fn shape(&mut self, shape: &Shape, pen: &Pen, place: &Place) {
        let path = match shape {
            Shape::Areas(areas) => {
                let areas = areas.iter().map(|area| polygon(&place.points(area)));
                areas.collect::<Vec<_>>().join(" ")
            }
            &Shape::Box(x, y, width, height, _) => polygon(&place.points(&[
                (x, y),
                (x + width, y),
                (x + width, y + height),
                (x, y + height),
            ])),
            Shape::Line { points, closed } => {
                let points = place.points(points);
                if *closed { polygon(&points) } else { polyline(&points) }
            }
            Shape::Curve(from, steps) => {
                let mut text = polyline(&[place.point(*from)]);
                let mut at = *from;
                for &(control, to) in steps {
                    let (points, operator) = match control {
                        None => (place.points(&[to]), 'l'),
                        // A curve with one control point has two, two thirds of the way to it.
                        Some(control) => {
                            let near = |end: Point| {
                                let part = |a: f64, b: f64| a + 2.0 / 3.0 * (b - a);
                                (part(end.0, control.0), part(end.1, control.1))
                            };
                            (place.points(&[near(at), near(to), to]), 'c')
                        }
                    };
                    for (x, y) in points {
                        let _ = write!(text, " {} {}", two(x), two(y));
                    }
                    let _ = write!(text, " {operator}");
                    at = to;
                }
                text
            }
            Shape::Disc(at, radius) => disc(place.point(*at), radius * place.scale),
            Shape::Dots(points) => {
                let dots = place.points(points).into_iter();
                let dots = dots.map(|at| polyline(&[at, at]));
                dots.collect::<Vec<_>>().join(" ")
            }
            Shape::Words(_) | Shape::Group(..) => return,
        };
        let mixed = |ink: Ink| colour_on_paper(&ink.hex(), pen.opacity);
        let mut before = String::new();
        if let Some((ink, width)) = pen.edge {
            let _ = write!(before, "1 J 1 j {} w {} RG ", two(width * place.scale), mixed(ink));
            if pen.dashed {
                let dash = width * place.scale;
                let _ = write!(before, "[{} {}] 0 d ", two(1.2 * dash), two(2.2 * dash));
            }
        }
        if let Some(ink) = pen.fill {
            let _ = write!(before, "{} rg ", mixed(ink));
        }
        let how = match (pen.fill, pen.edge) {
            (Some(_), Some(_)) => "B",
            (Some(_), None) => "f",
            (None, _) => "S",
        };
        let _ = writeln!(self.0, "q {before}{path} {how} Q");
    }
}

/// Where a canvas lies on a page.
struct Place {
    scale: f64,
    x: f64,
    y: f64,
}

impl Place {
    fn point(&self, (x, y): Point) -> Point {
        (self.x + x * self.scale, PAGE.1 - self.y - y * self.scale)
    }

    fn points(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|&point| self.point(point)).collect()
    }
}

/// A canvas of a given size under a title, on one page; nothing if it is too large for that.
pub(crate) fn on_a_page(canvas: &Canvas, title: &str, scale: f64) -> Option<String> {
    const TITLE: f64 = 12.0;
    let (top, side) = (MARGIN + 2.0 * TITLE, MARGIN / 2.0);
    let (width, height) = (canvas.width * scale, canvas.height * scale);
    if width > PAGE.0 - 2.0 * side || height > PAGE.1 - top - side {
        return None;
    }
    let mut page = Leaf::new();
    page.text((MARGIN, MARGIN), TITLE, Face::Plain, title);
    page.canvas(canvas, ((PAGE.0 - width) / 2.0, top), scale);
    Some(document(&[page]))
}

/// The widths of the signs of Helvetica from the blank to ~, in thousandths of its size, as
/// Adobe publishes them.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// How wide a text is at size 1; the bold face is a little wider.
pub(crate) fn width_of(text: &str) -> f64 {
    let width = |c: char| {
        let known = u32::from(c).checked_sub(32).and_then(|k| WIDTHS.get(k as usize));
        f64::from(known.copied().unwrap_or(600)) / 1000.0
    };
    text.chars().map(width).sum()
}

/// Breaks a text into lines that are no wider than `width` at a size, unless a word is.
pub(crate) fn lines_of(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_of(&format!("{line} {word}")) * size <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A document of some pages.
pub(crate) fn document(pages: &[Leaf]) -> String {
    const FIRST: usize = 5;
    let kids: Vec<String> =
        (0..pages.len()).map(|page| format!("{} 0 R", FIRST + 2 * page)).collect();
    let font = |name: &str| {
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
    };
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        font("Helvetica"),
        font("Helvetica-Bold"),
    ];
    for Leaf(page) in pages {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents {} 0 R /Resources << \
             /Font << /F1 3 0 R /F2 4 0 R >> >> >>",
            PAGE.0,
            PAGE.1,
            objects.len() + 2
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{page}endstream", page.len()));
    }
    let mut text = "%PDF-1.4\n".to_owned();
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        offsets.push(text.len());
        let _ = writeln!(text, "{number} 0 obj\n{object}\nendobj");
    }
    let xref = text.len();
    let _ = writeln!(text, "xref\n0 {}\n0000000000 65535 f ", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(text, "{offset:010} 00000 n ");
    }
    let _ = writeln!(
        text,
        "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{xref}\n%%EOF",
        objects.len() + 1
    );
    text
}

/// A number with at most two decimals.
fn two(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

fn polyline(points: &[(f64, f64)]) -> String {
    let step = |(k, (x, y)): (usize, &(f64, f64))| {
        format!("{} {} {}", two(*x), two(*y), if k == 0 { "m" } else { "l" })
    };
    points.iter().enumerate().map(step).collect::<Vec<_>>().join(" ")
}

fn polygon(points: &[(f64, f64)]) -> String {
    polyline(points) + " h"
}

/// A disc of four Bézier curves.
fn disc((x, y): (f64, f64), radius: f64) -> String {
    // How far the handles of a quarter circle reach.
    let reach = 0.5523 * radius;
    let mut text = format!("{} {} m", two(x + radius), two(y));
    for (a, b) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
        let (c, d) = (-b, a);
        let points = [
            (x + a * radius + c * reach, y + b * radius + d * reach),
            (x + c * radius + a * reach, y + d * radius + b * reach),
            (x + c * radius, y + d * radius),
        ];
        for (x, y) in points {
            let _ = write!(text, " {} {}", two(x), two(y));
        }
        text += " c";
    }
    text
}

/// `#rrggbb` as three parts of one.
fn colour(hex: &str) -> String {
    colour_on_paper(hex, 1.0)
}

/// The same, as thin as an opacity lets it be on white paper.
fn colour_on_paper(hex: &str, opacity: f64) -> String {
    let part = |at: usize| {
        let byte = hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let part = f64::from(byte.unwrap_or(0)) / 255.0;
        format!("{}", two(1.0 - opacity * (1.0 - part)))
    };
    [1, 3, 5].map(part).join(" ")
}

/// Text for a PDF string in Windows' Latin alphabet: signs that are not in it become question
/// marks.
fn literal(text: &str) -> String {
    let octal = |code: u32| format!("\\{code:03o}");
    let sign = |c: char| match c {
        '(' | ')' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        '…' => octal(0x85),
        '’' => octal(0x92),
        '–' => octal(0x96),
        '\u{a0}'..='\u{ff}' => octal(c.into()),
        _ => "?".into(),
    };
    text.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    #[test]
    fn lines_keep_within_their_width() {
        let text = "Fill all cells of a board with the numbers 1, 2, 3 … around those there.";
        let lines = lines_of(text, 10.0, 120.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| width_of(line) * 10.0 <= 120.0));
        assert_eq!(lines.join(" "), text);
        assert_eq!(lines_of("unbreakable", 10.0, 5.0), ["unbreakable"]);
    }

    #[test]
    fn every_object_lies_where_the_table_says() {
        for name in ["3x4", "F2"] {
            let board = Board::parse(name).unwrap();
            let path: Vec<usize> = (0..board.len()).collect();
            let pdf = Picture::new(&board)
                .title("a (test) × ü Γ")
                .labels(|cell| Some(cell.to_string()))
                .path(&path, false)
                .to_pdf();
            assert!(pdf.is_ascii() && pdf.starts_with("%PDF-1.4") && pdf.ends_with("%%EOF\n"));
            assert!(pdf.contains("(a \\(test\\) \\327 \\374 ?) Tj"));
            let start: usize = pdf.rsplit('\n').nth(2).unwrap().parse().unwrap();
            assert!(pdf[start..].starts_with("xref\n0 7\n"));
            for (number, line) in (1..).zip(pdf[start..].lines().skip(3).take(6)) {
                let offset: usize = line[..10].parse().unwrap();
                assert!(pdf[offset..].starts_with(&format!("{number} 0 obj\n")));
            }
            let length: usize = pdf.split("/Length ").nth(1).unwrap()[..]
                .split(' ')
                .next()
                .unwrap()
                .parse()
                .unwrap();
            let stream = pdf.split("stream\n").nth(1).unwrap();
            assert_eq!(stream.strip_suffix("end").unwrap().len(), length);
        }
    }
}
