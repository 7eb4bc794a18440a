//! Pictures as PDF, for sheets of paper.
//!
//! Pages with shapes and short texts are a handful of PDF objects in plain text, so they are
//! written here without help: a catalog, a list of pages, two fonts that every reader has
//! (Helvetica and its bold face), and what is drawn on each page. Positions on a **page** are in
//! points from its upper left corner, as people read; PDF counts from the lower left one.

use std::fmt::Write;

use super::Lattice;
use super::picture::{END, PATH, Picture, START, STEP, heat};

/// A4, and what is left free around the board, in points.
pub(crate) const PAGE: (f64, f64) = (595.0, 842.0);
pub(crate) const MARGIN: f64 = 48.0;
/// The largest cell, in points: small boards should not fill the page.
const LARGEST: f64 = 48.0;
const TITLE: f64 = 14.0;
/// How high a digit of Helvetica is for its size.
const DIGIT: f64 = 0.718;

impl Picture<'_> {
    /// The picture on a page of A4.
    pub fn to_pdf(&self) -> String {
        let mut page = Leaf::new();
        page.text((MARGIN, MARGIN + TITLE), TITLE, Face::Plain, &self.title);
        let top = MARGIN + 2.0 * TITLE;
        let room = (PAGE.0 - 2.0 * MARGIN, PAGE.1 - MARGIN - top);
        page.board(self, (MARGIN, top), room, LARGEST);
        document(&[page])
    }

    /// The corners of a cell.
    fn outline(&self, cell: usize) -> Vec<(f64, f64)> {
        let (x, y) = self.centre(cell);
        let (half, corner) = (STEP / 2.0, self.corner());
        match self.board.lattice() {
            Lattice::Square => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(right, down)| (x + right * half, y + down * half))
                .to_vec(),
            Lattice::Hex => {
                [(0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5)]
                    .map(|(right, down)| (x + right * half, y + down * corner))
                    .to_vec()
            }
        }
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
        let page = &mut self.0;
        let (left, top, width, height) = picture.frame();
        let scale = (room.0 / width).min(room.1 / height).min(largest / STEP);
        let centred = at_left + (room.0 - width * scale) / 2.0;
        let place = |(x, y): (f64, f64)| {
            (centred + (x - left) * scale, PAGE.1 - at_top - (y - top) * scale)
        };
        let edge = (0.8 * scale / (LARGEST / STEP)).max(0.4);
        let _ = writeln!(page, "{} w {} RG", two(edge), colour("#8a8475"));
        for cell in 0..picture.board.len() {
            let shade = picture.shades.get(cell).copied().flatten().filter(|shade| !shade.is_nan());
            let fill = shade.map_or("1 1 1".to_owned(), |shade| colour(&heat(shade)));
            let outline: Vec<(f64, f64)> = picture.outline(cell).into_iter().map(place).collect();
            let _ = writeln!(page, "{fill} rg {} b", polygon(&outline));
        }
        if let (Some(&start), Some(&end)) = (picture.path.first(), picture.path.last()) {
            let line: Vec<(f64, f64)> =
                picture.path.iter().map(|&cell| place(picture.centre(cell))).collect();
            let close = if picture.is_closed { "s" } else { "S" };
            let _ = writeln!(
                page,
                "q 1 j 1 J {} w {} RG {} {close} Q",
                two(4.0 * scale),
                colour(PATH),
                polyline(&line)
            );
            let mut dot = |cell: usize, fill: &str| {
                let at = place(picture.centre(cell));
                let _ = writeln!(page, "{} rg {} f", colour(fill), disc(at, 0.3 * STEP * scale));
            };
            if !picture.is_closed && end != start {
                dot(end, END);
            }
            dot(start, START);
        }
        let labels = picture.labels.iter().enumerate();
        let labels: Vec<(usize, &str)> =
            labels.filter_map(|(cell, label)| Some((cell, label.as_deref()?))).collect();
        let widest = labels.iter().map(|(_, label)| width_of(label)).fold(0.5, f64::max);
        let cell = STEP * scale;
        let size = (0.45 * cell).min(0.85 * cell / widest);
        let _ = writeln!(page, "0.1 0.1 0.1 rg");
        for (cell, label) in labels {
            let (x, y) = place(picture.centre(cell));
            let _ = writeln!(
                page,
                "BT /F1 {} Tf {} {} Td ({}) Tj ET",
                two(size),
                two(x - width_of(label) * size / 2.0),
                two(y - DIGIT * size / 2.0),
                literal(label)
            );
        }
        height * scale
    }
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
    let part = |at: usize| {
        let byte = hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        format!("{}", two(f64::from(byte.unwrap_or(0)) / 255.0))
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
