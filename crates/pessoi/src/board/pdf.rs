//! Pictures as PDF, for a sheet of paper.
//!
//! A page with shapes and digits is a handful of PDF objects in plain text, so it is written
//! here without help: a catalog, a list of one page, the page, a font that every reader has
//! (Helvetica, whose digits are 0.556 of its size wide), and what is drawn.

use std::fmt::Write;

use super::Lattice;
use super::picture::{END, PATH, Picture, START, STEP, heat};

/// A4, and what is left free around the board, in points.
const PAGE: (f64, f64) = (595.0, 842.0);
const MARGIN: f64 = 48.0;
/// The largest cell, in points: small boards should not fill the page.
const LARGEST: f64 = 48.0;
const TITLE: f64 = 14.0;
/// How wide a digit of Helvetica is for its size, and how high.
const DIGIT: (f64, f64) = (0.556, 0.718);

impl Picture<'_> {
    /// The picture on a page of A4.
    pub fn to_pdf(&self) -> String {
        document(&self.page())
    }

    /// The drawing, in PDF's language: postfix, with the origin at the lower left.
    fn page(&self) -> String {
        let (left, top, width, height) = self.frame();
        let room = (PAGE.0 - 2.0 * MARGIN, PAGE.1 - 2.0 * MARGIN - 2.0 * TITLE);
        let scale = (room.0 / width).min(room.1 / height).min(LARGEST / STEP);
        let place = |(x, y): (f64, f64)| {
            let centred = (PAGE.0 - width * scale) / 2.0;
            (centred + (x - left) * scale, PAGE.1 - MARGIN - 2.0 * TITLE - (y - top) * scale)
        };
        let mut page = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "BT /F1 {TITLE} Tf {MARGIN} {} Td ({}) Tj ET",
            PAGE.1 - MARGIN - TITLE,
            literal(&self.title)
        );
        let _ = writeln!(page, "0.8 w {} RG", colour("#8a8475"));
        for cell in 0..self.board.len() {
            let shade = self.shades.get(cell).copied().flatten().filter(|shade| !shade.is_nan());
            let fill = shade.map_or("1 1 1".to_owned(), |shade| colour(&heat(shade)));
            let outline: Vec<(f64, f64)> = self.outline(cell).into_iter().map(place).collect();
            let _ = writeln!(page, "{fill} rg {} b", polygon(&outline));
        }
        if let (Some(&start), Some(&end)) = (self.path.first(), self.path.last()) {
            let line: Vec<(f64, f64)> =
                self.path.iter().map(|&cell| place(self.centre(cell))).collect();
            let close = if self.is_closed { "s" } else { "S" };
            let _ = writeln!(
                page,
                "q 1 j 1 J {} w {} RG {} {close} Q",
                two(4.0 * scale),
                colour(PATH),
                polyline(&line)
            );
            let mut dot = |cell: usize, fill: &str| {
                let at = place(self.centre(cell));
                let _ = writeln!(page, "{} rg {} f", colour(fill), disc(at, 0.3 * STEP * scale));
            };
            if !self.is_closed && end != start {
                dot(end, END);
            }
            dot(start, START);
        }
        let labels = self.labels.iter().enumerate();
        let labels: Vec<(usize, &str)> =
            labels.filter_map(|(cell, label)| Some((cell, label.as_deref()?))).collect();
        let longest = labels.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(1);
        let cell = STEP * scale;
        let size = (0.45 * cell).min(0.85 * cell / (DIGIT.0 * longest.max(1) as f64));
        let _ = writeln!(page, "0.1 0.1 0.1 rg");
        for (cell, label) in labels {
            let (x, y) = place(self.centre(cell));
            let x = x - DIGIT.0 * size * label.chars().count() as f64 / 2.0;
            let y = y - DIGIT.1 * size / 2.0;
            let _ = writeln!(
                page,
                "BT /F1 {} Tf {} {} Td ({}) Tj ET",
                two(size),
                two(x),
                two(y),
                literal(label)
            );
        }
        page
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

/// A document of one page.
fn document(page: &str) -> String {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 5 0 R /Resources << \
             /Font << /F1 4 0 R >> >> >>",
            PAGE.0, PAGE.1
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{page}endstream", page.len()),
    ];
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

/// Text for a PDF string: what is not ASCII becomes a question mark, × an x.
fn literal(text: &str) -> String {
    let sign = |c: char| match c {
        '(' | ')' | '\\' => format!("\\{c}"),
        '×' => "x".into(),
        ' '..='~' => c.to_string(),
        _ => "?".into(),
    };
    text.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    #[test]
    fn every_object_lies_where_the_table_says() {
        for name in ["3x4", "F2"] {
            let board = Board::parse(name).unwrap();
            let path: Vec<usize> = (0..board.len()).collect();
            let pdf = Picture::new(&board)
                .title("a (test) × ü")
                .labels(|cell| Some(cell.to_string()))
                .path(&path, false)
                .to_pdf();
            assert!(pdf.is_ascii() && pdf.starts_with("%PDF-1.4") && pdf.ends_with("%%EOF\n"));
            assert!(pdf.contains("(a \\(test\\) x ?) Tj"));
            let start: usize = pdf.rsplit('\n').nth(2).unwrap().parse().unwrap();
            assert!(pdf[start..].starts_with("xref\n0 6\n"));
            for (number, line) in (1..).zip(pdf[start..].lines().skip(3).take(5)) {
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
