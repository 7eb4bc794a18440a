//! Several pictures side by side: one SVG, or pages of PDF.

use super::canvas::{Anchor, Canvas, Ink};
use super::pdf::{Face, Leaf, MARGIN, PAGE, document, lines_of};

/// A picture of a sheet is about so wide at most, in its units.
const WIDE: f64 = 1120.0;
/// The most pictures in a row.
const ACROSS: usize = 10;
/// The size of captions and of titles.
const CAPTION: f64 = 12.0;
const TITLE: f64 = 14.0;
/// Between pictures on a page, in points, and how small they may become there.
const GAP: f64 = 14.0;
const SMALLEST: f64 = 92.0;
/// A unit is at most so many points: small boards should not fill the page.
const LARGEST: f64 = 1.2;

/// Pictures with captions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    title: String,
    pictures: Vec<(Canvas, String)>,
}

impl Sheet {
    /// A sheet without pictures.
    pub(crate) fn new(title: &str) -> Self {
        Sheet { title: title.to_owned(), pictures: Vec::new() }
    }

    /// Adds a picture; the caption may be empty.
    pub(crate) fn add(&mut self, picture: Canvas, caption: impl Into<String>) {
        self.pictures.push((picture, caption.into()));
    }

    /// The width and height of the largest picture.
    fn place(&self) -> (f64, f64) {
        let most = |side: fn(&Canvas) -> f64| {
            self.pictures.iter().map(|(picture, _)| side(picture)).fold(1.0, f64::max)
        };
        (most(|picture| picture.width), most(|picture| picture.height))
    }

    /// How high captions are, if there are any.
    fn caption(&self) -> f64 {
        if self.pictures.iter().all(|(_, caption)| caption.is_empty()) { 0.0 } else { CAPTION }
    }

    /// All pictures as one, row by row.
    pub(crate) fn to_svg(&self) -> String {
        let (width, height) = self.place();
        if let [(picture, caption)] = &self.pictures[..]
            && caption.is_empty()
        {
            return picture.to_svg(&self.title);
        }
        let number = self.pictures.len().max(1);
        let fits = ((WIDE / width) as usize).clamp(1, ACROSS);
        // As many rows as needed, all about as full.
        let across = number.div_ceil(number.div_ceil(fits));
        let step = (width, height + self.caption());
        let size = (step.0 * across as f64, step.1 * number.div_ceil(across) as f64);
        let mut canvas = Canvas::new((0.0, 0.0), size);
        for (k, (picture, caption)) in self.pictures.iter().enumerate() {
            let (x, y) = ((k % across) as f64 * step.0, (k / across) as f64 * step.1);
            let at = (
                x + (width - picture.width) / 2.0 - picture.left,
                y + (height - picture.height) / 2.0 - picture.top,
            );
            canvas.group(picture.clone(), at, None);
            if !caption.is_empty() {
                let at = (x + width / 2.0, y + height + 0.35 * CAPTION);
                canvas.text(at, CAPTION, Anchor::Middle, Ink::Faint, caption);
            }
        }
        canvas.to_svg(&self.title)
    }

    /// Pages of A4 with a title each. Pictures are as large as they can be on as few pages.
    pub(crate) fn to_pdf(&self) -> String {
        let (width, height) = self.place();
        let number = self.pictures.len().max(1);
        let lines = lines_of(&self.title, TITLE, PAGE.0 - 2.0 * MARGIN);
        let top = MARGIN + TITLE * (1.0 + 1.3 * lines.len() as f64);
        let room = (PAGE.0 - 2.0 * MARGIN, PAGE.1 - MARGIN - top);
        let caption = self.caption();
        // Of all numbers of columns, the one with the largest pictures that keeps pages few.
        let fits = ((room.0 + GAP) / (SMALLEST + GAP)) as usize;
        let scale_of = |columns: usize| {
            let wide = (room.0 - GAP * (columns as f64 - 1.0)) / columns as f64;
            (wide / width).min((room.1 - caption) / height).min(LARGEST)
        };
        let rows_of = |columns: usize| {
            let step = height * scale_of(columns) + caption + GAP;
            (((room.1 + GAP) / step) as usize).max(1)
        };
        let pages_of = |columns: usize| number.div_ceil(columns * rows_of(columns));
        let columns = (1..=fits.clamp(1, number))
            .min_by(|&a, &b| {
                pages_of(a).cmp(&pages_of(b)).then(scale_of(b).total_cmp(&scale_of(a)))
            })
            .unwrap_or(1);
        let (scale, rows) = (scale_of(columns), rows_of(columns));
        let step = ((room.0 + GAP) / columns as f64, height * scale + caption + GAP);
        let mut pages = Vec::new();
        for pictures in self.pictures.chunks(columns * rows) {
            let mut page = Leaf::new();
            for (k, line) in lines.iter().enumerate() {
                let y = MARGIN + TITLE * (1.0 + 1.3 * k as f64);
                page.text((MARGIN, y), TITLE, Face::Plain, line);
            }
            for (k, (picture, caption)) in pictures.iter().enumerate() {
                let (column, row) = (k % columns, k / columns);
                let left = MARGIN + column as f64 * step.0;
                let middle = left + (step.0 - GAP) / 2.0;
                let y = top + row as f64 * step.1;
                let at = (
                    middle - picture.width * scale / 2.0,
                    y + (height - picture.height) * scale / 2.0,
                );
                page.canvas(picture, at, scale);
                if !caption.is_empty() {
                    let mut words = Canvas::new((0.0, 0.0), (0.0, 0.0));
                    words.text((0.0, 0.0), 9.0, Anchor::Middle, Ink::Faint, caption);
                    page.canvas(&words, (middle, y + height * scale + 9.0), 1.0);
                }
            }
            pages.push(page);
        }
        document(&pages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::canvas::Pen;

    fn sheet(pictures: usize) -> Sheet {
        let mut sheet = Sheet::new("many");
        for k in 1..=pictures {
            let mut canvas = Canvas::new((-5.0, -5.0), (210.0, 110.0));
            canvas.disc((0.0, 0.0), 4.0, Pen::fill(Ink::Black));
            sheet.add(canvas, k.to_string());
        }
        sheet
    }

    #[test]
    fn rows_are_about_equally_full() {
        let svg = sheet(6).to_svg();
        // Five would fit; two rows of three are better.
        assert!(svg.contains("viewBox=\"0 0 630 244\""), "{svg}");
        assert_eq!(svg.matches("<g transform=").count(), 6);
        assert!(svg.contains(">6</text>"));
    }

    #[test]
    fn pages_are_as_many_as_needed() {
        for (pictures, pages) in [(1, 1), (12, 1), (60, 2), (500, 16)] {
            let pdf = sheet(pictures).to_pdf();
            assert_eq!(pdf.matches("/Type /Page ").count(), pages, "{pictures}");
            assert_eq!(pdf.matches("(many) Tj").count(), pages);
            assert_eq!(pdf.matches(") Tj").count(), pages + pictures);
        }
    }
}
