//! What every picture is made of: shapes on a canvas, written as SVG or onto pages of PDF.
//!
//! A **canvas** is a rectangle with a list of **marks**, drawn one over the other. A mark is a
//! **shape** (areas, lines, curves, discs, dots, words, or a group of marks elsewhere) with a
//! **pen**: the inks of its inside and of its edge. An **ink** is named after what it is for, so
//! that a picture can be light or dark: an SVG says both and the reader's screen chooses
//! (`prefers-color-scheme`); paper is light. Inks that stand for numbers, of a heat map or along
//! a path, are the same on both.
//!
//! Files stay small: neighbouring marks of one pen share its attributes, all areas of one pen are
//! one path, and so are all dots. There are no scripts in them.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::export::xml;

// Writing to a string cannot fail, so the results of write! are not looked at.

/// A point, to the right and down.
pub(crate) type Point = (f64, f64);

/// A colour by its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ink {
    Paper,
    Cell,
    /// Every other cell of a chequered board.
    Chequer,
    /// A cell with a number that was given.
    Clue,
    Edge,
    Text,
    /// Words that may be overlooked.
    Faint,
    Line,
    Start,
    End,
    Tile,
    Hole,
    Wood,
    Grain,
    Black,
    White,
    /// Words on a cell of a heat map.
    OnShade,
    /// Lines over cells of a heat map.
    OverShade,
    /// From 0, the least, to 255, the most.
    Shade(u8),
    /// Along a path, from 0 to 255.
    Along(u8),
}

impl Ink {
    /// Its letter in classes, and its colours on light and on dark screens.
    fn named(self) -> Option<(char, &'static str, &'static str)> {
        Some(match self {
            Ink::Paper => ('p', "#f6f4ee", "#1d1f22"),
            Ink::Cell => ('c', "#ffffff", "#2a2d31"),
            Ink::Chequer => ('q', "#f1ede2", "#33373c"),
            Ink::Clue => ('k', "#fbe0a8", "#63501f"),
            Ink::Edge => ('e', "#cfc9ba", "#4b5058"),
            Ink::Text => ('t', "#1c1c1c", "#f0eee8"),
            Ink::Faint => ('f', "#6b675c", "#a9a69c"),
            Ink::Line => ('l', "#27557f", "#86b7e3"),
            Ink::Start => ('a', "#8ed08e", "#2f7d3f"),
            Ink::End => ('z', "#f6ae6c", "#b25f1c"),
            Ink::Tile => ('b', "#a9cdec", "#2f5f8e"),
            Ink::Hole => ('h', "#ddd8cb", "#15171a"),
            Ink::Wood => ('w', "#ead9ac", "#a98d55"),
            Ink::Grain => ('g', "#8a7a55", "#55472a"),
            Ink::Black => ('s', "#2b2b2b", "#141414"),
            Ink::White => ('o', "#ffffff", "#f4f2ec"),
            Ink::OnShade => ('d', "#1c1c1c", "#1c1c1c"),
            Ink::OverShade => ('m', "#27557f", "#27557f"),
            Ink::Shade(_) | Ink::Along(_) => return None,
        })
    }

    /// On paper.
    pub(crate) fn hex(self) -> String {
        match (self, self.named()) {
            (_, Some((_, light, _))) => light.to_owned(),
            (Ink::Shade(part), None) => shade(f64::from(part) / 255.0),
            (Ink::Along(part), None) => along(f64::from(part) / 255.0),
            (_, None) => String::new(),
        }
    }

    /// The ink of a part of a path.
    pub(crate) fn along(part: f64) -> Ink {
        Ink::Along((part.clamp(0.0, 1.0) * 255.0).round() as u8)
    }

    /// The ink of a cell of a heat map.
    pub(crate) fn shade(part: f64) -> Ink {
        Ink::Shade((part.clamp(0.0, 1.0) * 255.0).round() as u8)
    }
}

/// A colour between cream and red on which dark words can be read.
fn shade(part: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * part).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(255.0, 232.0), mix(250.0, 93.0), mix(235.0, 58.0))
}

/// Colours from green over blue, violet and orange to green again, all about as bright, seen on light and on
/// dark grounds: a walk around B. Ottosson's OKLCH (2020) at one lightness and one chroma.
fn along(part: f64) -> String {
    let (lightness, chroma) = (0.64, 0.14);
    let hue = (150.0 + 360.0 * part).to_radians();
    let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
    let cone = |a_part: f64, b_part: f64| (lightness + a_part * a + b_part * b).powi(3);
    let (l, m, s) = (
        cone(0.396_337_777_4, 0.215_803_757_3),
        cone(-0.105_561_345_8, -0.063_854_172_8),
        cone(-0.089_484_177_5, -1.291_485_548),
    );
    let byte = |linear: f64| {
        let linear = linear.clamp(0.0, 1.0);
        let curved = if linear <= 0.003_130_8 {
            12.92 * linear
        } else {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        };
        (255.0 * curved).round() as u8
    };
    format!(
        "#{:02x}{:02x}{:02x}",
        byte(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
        byte(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
        byte(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s)
    )
}

/// How a shape is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pen {
    pub(super) fill: Option<Ink>,
    pub(super) edge: Option<(Ink, f64)>,
    pub(super) opacity: f64,
    pub(super) dashed: bool,
}

impl Pen {
    /// Fills the inside.
    pub(crate) fn fill(ink: Ink) -> Self {
        Pen { fill: Some(ink), edge: None, opacity: 1.0, dashed: false }
    }

    /// Draws the edge only, so wide.
    pub(crate) fn line(ink: Ink, width: f64) -> Self {
        Pen { fill: None, edge: Some((ink, width)), opacity: 1.0, dashed: false }
    }

    /// Draws an edge too.
    pub(crate) fn edge(self, ink: Ink, width: f64) -> Self {
        Pen { edge: Some((ink, width)), ..self }
    }

    /// From 0, unseen, to 1.
    pub(crate) fn opacity(self, opacity: f64) -> Self {
        Pen { opacity, ..self }
    }

    /// A line of dashes.
    pub(crate) fn dashed(self) -> Self {
        Pen { dashed: true, ..self }
    }
}

/// Which end of a text is at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Words of one size.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(super) at: Point,
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) bold: bool,
    pub(super) text: String,
}

/// How a group moves for ever: at these parts of the time it is at these places.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    pub(crate) seconds: f64,
    pub(crate) times: Vec<f64>,
    pub(crate) places: Vec<Point>,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Polygons of one kind.
    Areas(Vec<Vec<Point>>),
    /// A rectangle with round corners: left, top, width, height, radius.
    Box(f64, f64, f64, f64, f64),
    Line {
        points: Vec<Point>,
        closed: bool,
    },
    /// From a point on, each step by a control point (none if it is straight) and its end.
    Curve(Point, Vec<(Option<Point>, Point)>),
    Disc(Point, f64),
    /// As wide as the edge of the pen.
    Dots(Vec<Point>),
    Words(Words),
    /// Marks around a point.
    Group(Vec<Mark>, Point, Option<Motion>),
}

/// A shape and its pen.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(super) shape: Shape,
    pub(super) pen: Pen,
}

/// A picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canvas {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) marks: Vec<Mark>,
}

/// Pictures are shown no wider than this, whatever their units are.
const WIDEST: f64 = 1120.0;
const FONT: &str = "system-ui,'DejaVu Sans',Arial,sans-serif";

impl Canvas {
    /// An empty canvas: its upper left corner, and its size.
    pub(crate) fn new((left, top): Point, (width, height): (f64, f64)) -> Self {
        Canvas { left, top, width, height, marks: Vec::new() }
    }

    /// Its left and upper edge, width and height.
    pub(crate) fn frame(&self) -> (f64, f64, f64, f64) {
        (self.left, self.top, self.width, self.height)
    }

    /// Makes it so wide and high.
    pub(crate) fn enlarge(&mut self, (width, height): (f64, f64)) {
        (self.width, self.height) = (width, height);
    }

    pub(super) fn draw(&mut self, shape: Shape, pen: Pen) {
        self.marks.push(Mark { shape, pen });
    }

    /// Polygons.
    pub(crate) fn areas(&mut self, areas: Vec<Vec<Point>>, pen: Pen) {
        if !areas.is_empty() {
            self.draw(Shape::Areas(areas), pen);
        }
    }

    /// A rectangle with corners of a radius.
    pub(crate) fn rectangle(&mut self, (x, y): Point, size: (f64, f64), radius: f64, pen: Pen) {
        self.draw(Shape::Box(x, y, size.0, size.1, radius), pen);
    }

    /// A line through points.
    pub(crate) fn line(&mut self, points: Vec<Point>, closed: bool, pen: Pen) {
        self.draw(Shape::Line { points, closed }, pen);
    }

    /// A line that may be curved: each step has a control point, or is straight.
    pub(crate) fn curve(&mut self, from: Point, steps: Vec<(Option<Point>, Point)>, pen: Pen) {
        self.draw(Shape::Curve(from, steps), pen);
    }

    pub(crate) fn disc(&mut self, at: Point, radius: f64, pen: Pen) {
        self.draw(Shape::Disc(at, radius), pen);
    }

    /// Dots so wide.
    pub(crate) fn dots(&mut self, at: Vec<Point>, ink: Ink, width: f64) {
        if !at.is_empty() {
            self.draw(Shape::Dots(at), Pen::line(ink, width));
        }
    }

    /// Words; their point is on the line that they stand on.
    pub(crate) fn text(&mut self, at: Point, size: f64, anchor: Anchor, ink: Ink, text: &str) {
        let words = Words { at, size, anchor, bold: false, text: text.to_owned() };
        self.draw(Shape::Words(words), Pen::fill(ink));
    }

    /// A short bold text in the middle of a point.
    pub(crate) fn label(&mut self, (x, y): Point, size: f64, ink: Ink, text: &str) {
        // The baseline lies below the middle by half the height of a digit.
        let at = (x, y + 0.36 * size);
        let text = text.to_owned();
        let words = Words { at, size, anchor: Anchor::Middle, bold: true, text };
        self.draw(Shape::Words(words), Pen::fill(ink));
    }

    /// All marks of another canvas, moved.
    pub(crate) fn group(&mut self, canvas: Canvas, at: Point, motion: Option<Motion>) {
        let pen = Pen { fill: None, edge: None, opacity: 1.0, dashed: false };
        self.draw(Shape::Group(canvas.marks, at, motion), pen);
    }

    /// The picture as one SVG element that needs nothing else, no wider than a screen.
    pub(crate) fn to_svg(&self, title: &str) -> String {
        let scale = (WIDEST / self.width).min(1.0);
        self.to_svg_of(title, (self.width * scale, self.height * scale), "")
    }

    /// The same, of a size in units such as `mm`.
    pub(crate) fn to_svg_of(&self, title: &str, size: (f64, f64), unit: &str) -> String {
        let [left, top, width, height] =
            [self.left, self.top, self.width, self.height].map(rounded);
        let mut body = String::new();
        write_marks(&self.marks, &mut body);
        let mut inks = BTreeSet::from([(Ink::Paper, false)]);
        note(&self.marks, &mut inks);
        let rule = |&(ink, is_edge): &(Ink, bool), dark: bool| {
            let (letter, light, on_dark) = ink.named()?;
            let colour = if dark { on_dark } else { light };
            let property = if is_edge { "stroke" } else { "fill" };
            Some(format!(".{}{{{property}:{colour}}}", class(letter, is_edge)))
        };
        let rules = |dark| inks.iter().filter_map(|ink| rule(ink, dark)).collect::<String>();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}{unit}\" \
             height=\"{}{unit}\" viewBox=\"{left} {top} {width} {height}\">\n\
             <title>{}</title>\n\
             <style>.{ROUND}{{fill:none;stroke-linecap:round;stroke-linejoin:round}}{}@media(prefers-color-scheme:dark){{{}}}</style>\n\
             <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"6\" \
             class=\"{}\"/>\n{body}</svg>\n",
            rounded(size.0),
            rounded(size.1),
            xml(title),
            rules(false),
            rules(true),
            class('p', false)
        )
    }
}

/// The class of lines. Where they are filled, the ink's class comes later and counts.
const ROUND: &str = "p-r";

/// The class of an ink; the names are not likely to be those of a page around the picture.
fn class(letter: char, is_edge: bool) -> String {
    format!("p{}-{letter}", if is_edge { 's' } else { 'f' })
}

/// The inks of some marks, and whether each is used for edges.
fn note(marks: &[Mark], inks: &mut BTreeSet<(Ink, bool)>) {
    for mark in marks {
        inks.extend(mark.pen.fill.map(|ink| (ink, false)));
        inks.extend(mark.pen.edge.map(|(ink, _)| (ink, true)));
        if let Shape::Group(marks, ..) = &mark.shape {
            note(marks, inks);
        }
    }
}

/// Marks in their order; neighbours with the same attributes stand in one group.
fn write_marks(marks: &[Mark], svg: &mut String) {
    for alike in marks.chunk_by(|a, b| !is_group(a) && attributes(a) == attributes(b)) {
        let attributes = attributes(&alike[0]);
        if let [mark] = alike {
            write_shape(&mark.shape, &attributes, svg);
            continue;
        }
        let _ = writeln!(svg, "<g{attributes}>");
        for mark in alike {
            write_shape(&mark.shape, "", svg);
        }
        svg.push_str("</g>\n");
    }
}

fn is_group(mark: &Mark) -> bool {
    matches!(mark.shape, Shape::Group(..))
}

/// What a mark's shape looks like, as attributes.
fn attributes(mark: &Mark) -> String {
    if is_group(mark) {
        return String::new();
    }
    let Pen { fill, edge, opacity, dashed } = mark.pen;
    let mut classes = Vec::new();
    let mut text = String::new();
    let is_line = matches!(mark.shape, Shape::Line { .. } | Shape::Curve(..) | Shape::Dots(_));
    if edge.is_some() && is_line {
        classes.push(ROUND.to_owned());
    }
    match fill {
        Some(ink) => match ink.named() {
            Some((letter, ..)) => classes.push(class(letter, false)),
            None => {
                let _ = write!(text, " fill=\"{}\"", ink.hex());
            }
        },
        None if is_line => {}
        None => text += " fill=\"none\"",
    }
    if let Some((ink, width)) = edge {
        match ink.named() {
            Some((letter, ..)) => classes.push(class(letter, true)),
            None => {
                let _ = write!(text, " stroke=\"{}\"", ink.hex());
            }
        }
        let _ = write!(text, " stroke-width=\"{}\"", rounded(width));
        if dashed {
            let (dash, gap) = (rounded(1.2 * width), rounded(2.2 * width));
            let _ = write!(text, " stroke-dasharray=\"{dash} {gap}\"");
        }
    }
    if opacity < 1.0 {
        let _ = write!(text, " opacity=\"{}\"", rounded(opacity));
    }
    if let Shape::Words(words) = &mark.shape {
        let _ = write!(text, " font-family=\"{FONT}\" font-size=\"{}\"", rounded(words.size));
        if words.bold {
            text += " font-weight=\"600\"";
        }
        match words.anchor {
            Anchor::Start => {}
            Anchor::Middle => text += " text-anchor=\"middle\"",
            Anchor::End => text += " text-anchor=\"end\"",
        }
    }
    if !classes.is_empty() {
        let _ = write!(text, " class=\"{}\"", classes.join(" "));
    }
    text
}

fn write_shape(shape: &Shape, attributes: &str, svg: &mut String) {
    match shape {
        Shape::Areas(areas) => {
            let mut path = String::new();
            for area in areas {
                write_area(area, &mut path);
            }
            let _ = writeln!(svg, "<path d=\"{path}\"{attributes}/>");
        }
        Shape::Box(x, y, width, height, radius) => {
            let [x, y, width, height, radius] = [x, y, width, height, radius].map(|n| rounded(*n));
            let _ = write!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
            if radius > 0.0 {
                let _ = write!(svg, " rx=\"{radius}\"");
            }
            let _ = writeln!(svg, "{attributes}/>");
        }
        Shape::Line { points, closed } => {
            let element = if *closed { "polygon" } else { "polyline" };
            let _ = writeln!(svg, "<{element} points=\"{}\"{attributes}/>", list(points));
        }
        Shape::Curve((x, y), steps) => {
            let mut path = format!("M{},{}", rounded(*x), rounded(*y));
            for (control, (x, y)) in steps {
                let end = format!("{},{}", rounded(*x), rounded(*y));
                let _ = match control {
                    Some((x, y)) => write!(path, "Q{},{} {end}", rounded(*x), rounded(*y)),
                    None => write!(path, "L{end}"),
                };
            }
            let _ = writeln!(svg, "<path d=\"{path}\"{attributes}/>");
        }
        Shape::Disc((x, y), radius) => {
            let [x, y, radius] = [x, y, radius].map(|n| rounded(*n));
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{attributes}/>");
        }
        Shape::Dots(points) => {
            let dot = |(x, y): &Point| format!("M{},{}h0", rounded(*x), rounded(*y));
            let path: String = points.iter().map(dot).collect();
            let _ = writeln!(svg, "<path d=\"{path}\"{attributes}/>");
        }
        Shape::Words(Words { at: (x, y), text, .. }) => {
            let (x, y, text) = (rounded(*x), rounded(*y), xml(text));
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\"{attributes}>{text}</text>");
        }
        Shape::Group(marks, (x, y), motion) => {
            let (x, y) = (rounded(*x), rounded(*y));
            let _ = writeln!(svg, "<g transform=\"translate({x},{y})\">");
            write_marks(marks, svg);
            if let Some(Motion { seconds, times, places }) = motion {
                let times: Vec<String> = times.iter().map(|time| format!("{time:.5}")).collect();
                let place = |(x, y): &Point| format!("{},{}", rounded(*x), rounded(*y));
                let places: Vec<String> = places.iter().map(place).collect();
                let _ = writeln!(
                    svg,
                    "<animateTransform attributeName=\"transform\" type=\"translate\" \
                     dur=\"{seconds:.2}s\" repeatCount=\"indefinite\" keyTimes=\"{}\" \
                     values=\"{}\"/>",
                    times.join(";"),
                    places.join(";")
                );
            }
            svg.push_str("</g>\n");
        }
    }
}

/// A polygon as a part of a path; sides along the axes are short to write.
fn write_area(points: &[Point], path: &mut String) {
    let mut last = None;
    for &(x, y) in points {
        // As they are written, which is what must be alike.
        let (x, y) = (rounded(x).to_string(), rounded(y).to_string());
        let _ = match &last {
            None => write!(path, "M{x},{y}"),
            Some((_, above)) if *above == y => write!(path, "H{x}"),
            Some((left, _)) if *left == x => write!(path, "V{y}"),
            Some(_) => write!(path, "L{x},{y}"),
        };
        last = Some((x, y));
    }
    path.push('z');
}

fn list(points: &[Point]) -> String {
    let points = points.iter().map(|(x, y)| format!("{},{}", rounded(*x), rounded(*y)));
    points.collect::<Vec<_>>().join(" ")
}

/// A number with at most two decimals.
pub(super) fn rounded(number: f64) -> f64 {
    // Adding 0 turns −0 into 0.
    (number * 100.0).round() / 100.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_pen_share_its_attributes() {
        let mut canvas = Canvas::new((0.0, 0.0), (10.0, 10.0));
        let square = |x: f64| vec![(x, 0.0), (x + 1.0, 0.0), (x + 1.0, 1.0), (x, 1.0)];
        canvas.areas(vec![square(0.0), square(2.0)], Pen::fill(Ink::Cell));
        canvas.disc((1.0, 1.0), 1.0, Pen::fill(Ink::Start));
        canvas.disc((2.0, 1.0), 1.0, Pen::fill(Ink::Start));
        canvas.disc((3.0, 1.0), 1.0, Pen::fill(Ink::shade(1.0)));
        let svg = canvas.to_svg("a < b");
        assert!(svg.contains("<title>a &lt; b</title>"));
        assert!(svg.contains("<path d=\"M0,0H1V1H0zM2,0H3V1H2z\" class=\"pf-c\"/>"), "{svg}");
        assert!(svg.contains("<g class=\"pf-a\">\n<circle cx=\"1\" cy=\"1\" r=\"1\"/>\n"), "{svg}");
        assert!(svg.contains("<circle cx=\"3\" cy=\"1\" r=\"1\" fill=\"#e85d3a\"/>"), "{svg}");
        // What is used is defined, for light and for dark screens; what is not is not.
        let (light, dark) = svg.split_once("@media(prefers-color-scheme:dark)").unwrap();
        for half in [light, dark] {
            assert!(half.contains(".pf-c{fill:") && half.contains(".pf-a{fill:"), "{svg}");
        }
        assert!(!svg.contains(".pf-z{") && !svg.contains("<script"));
    }

    #[test]
    fn colours_along_a_path_are_seen_on_light_and_on_dark() {
        let brightness = |hex: &str| {
            let part = |at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap());
            (0.3 * part(1) + 0.59 * part(3) + 0.11 * part(5)) / 255.0
        };
        for part in 0..=255 {
            let seen = brightness(&Ink::Along(part).hex());
            assert!((0.35..0.75).contains(&seen), "{part}: {seen}");
        }
    }
}
