//! Films: a board on which numbers come and go, step by step.
//!
//! A **film** is a picture of a board and **scenes** that follow each other. Some numbers are **given**:
//! they are there from the beginning. A scene puts a number on a cell, or takes the last numbers off
//! again, or shows a cell; and it has a **caption**, a sentence below the board. Each number has the
//! **tone** of the scene that put it there: forced, tried, or supposed. Lines join numbers that follow
//! each other, and end below a disc under each of them. The film runs for ever. A program that shows no moving pictures shows the
//! board as it is at the end.
//!
//! The board itself is a [`Picture`]; what comes and goes lies above it.

use std::fmt::Write;

use super::Lattice;
use super::picture::{Picture, STEP};
use crate::export::xml;
use crate::plot::{begin, rounded};

/// How a number came to its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It is there from the beginning.
    Given,
    /// A rule put it there.
    Forced,
    /// One of several was tried.
    Tried,
    /// It was supposed to be there.
    Supposed,
    /// There is nothing: the scene shows what is wrong.
    Wrong,
}

/// Figures on the tones, which are light on dark screens too.
const INK: &str = "#1c1c1c";
/// The frame of a cell at which the search must go back; seen by light and in the dark.
const WRONG: &str = "#d0402f";

impl Tone {
    const ALL: [Tone; 5] = [Tone::Given, Tone::Forced, Tone::Tried, Tone::Supposed, Tone::Wrong];

    /// Light enough for dark figures.
    fn colour(self) -> &'static str {
        match self {
            Tone::Given => "#d4d4d4",
            Tone::Forced => "#bfe6b8",
            Tone::Tried => "#b4d5f3",
            Tone::Supposed => "#fbd79b",
            Tone::Wrong => WRONG,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Tone::Given => "given",
            Tone::Forced => "forced",
            Tone::Tried => "tried",
            Tone::Supposed => "supposed",
            Tone::Wrong => "dead end",
        }
    }
}

/// Something on a cell from the beginning, joined by lines to others of the kind.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) cell: usize,
    pub(crate) label: String,
    pub(crate) joined: Vec<usize>,
}

/// What a scene does to the board.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Puts something on a cell, joined by lines to other cells.
    Put { cell: usize, label: String, joined: Vec<usize> },
    /// Leaves only so many of what was put on the board.
    Keep(usize),
    /// Nothing.
    Nothing,
}

/// One step.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) caption: String,
    pub(crate) tone: Tone,
    /// The cell that it is about.
    pub(crate) at: Option<usize>,
    pub(crate) change: Change,
}

/// A board and what happens on it.
pub(crate) struct Film<'b> {
    picture: Picture<'b>,
    given: Vec<Given>,
    scenes: Vec<Scene>,
}

/// Something that was put on the board, for some scenes.
struct Mark<'s> {
    cell: usize,
    label: &'s str,
    joined: &'s [usize],
    tone: Tone,
    from: usize,
    /// The first scene without it.
    to: usize,
}

/// Seconds that a scene is shown, of a film that would not be too long then.
const SCENE: f64 = 1.0;
/// Seconds of the longest film, and of its end.
const LONGEST: f64 = 240.0;
const END: f64 = 4.0;
/// A caption: its letters, how wide they are, its lines.
const LETTER: f64 = 14.0;
const WIDE: f64 = 7.6;
const LINE: f64 = 19.0;
const MOST_LINES: usize = 6;
/// The least width, so that captions have room.
const LEAST: f64 = 460.0;
const MARGIN: f64 = 12.0;

impl<'b> Film<'b> {
    pub(crate) fn new(picture: Picture<'b>, given: Vec<Given>, scenes: Vec<Scene>) -> Self {
        Film { picture, given, scenes }
    }

    /// What is on the board, and when.
    fn marks(&self) -> Vec<Mark<'_>> {
        let given = self.given.iter().map(|Given { cell, label, joined }| {
            let (tone, from, to) = (Tone::Given, 0, usize::MAX);
            Mark { cell: *cell, label, joined, tone, from, to }
        });
        let mut marks: Vec<Mark> = given.collect();
        // What was put on the board and is there now.
        let mut there: Vec<usize> = Vec::new();
        for (now, scene) in self.scenes.iter().enumerate() {
            match &scene.change {
                Change::Put { cell, label, joined } => {
                    there.push(marks.len());
                    let (tone, to) = (scene.tone, usize::MAX);
                    marks.push(Mark { cell: *cell, label, joined, tone, from: now, to });
                }
                Change::Keep(number) => {
                    for gone in there.split_off((*number).min(there.len())) {
                        marks[gone].to = now;
                    }
                }
                Change::Nothing => {}
            }
        }
        marks
    }

    /// The film, as one SVG element that needs nothing else.
    pub(crate) fn to_svg(&self) -> String {
        let (left, top, board_width, board_height) = self.picture.frame();
        let width = board_width.max(LEAST);
        let room = ((width - 2.0 * MARGIN) / WIDE) as usize;
        let captions: Vec<Vec<String>> =
            self.scenes.iter().map(|scene| wrapped(&scene.caption, room)).collect();
        let lines = captions.iter().map(Vec::len).max().unwrap_or(0) as f64;
        // The board, its legend, the number of the step, the caption.
        let below = board_height + 30.0;
        let height = below + 30.0 + LINE * lines + MARGIN;
        let mut svg = begin(width, height, &self.picture.title);

        let shift = ((width - board_width) / 2.0, 0.0);
        // A picture within the picture keeps its own units.
        let (x, y) = (rounded(shift.0), rounded(shift.1));
        let own = self.picture.to_svg();
        svg += &own.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{y}\" "), 1);

        let timed = Timed::new(self.scenes.len());
        let marks = self.marks();
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            svg,
            "<g transform=\"translate({},{})\" font-weight=\"600\" text-anchor=\"middle\">",
            rounded(shift.0 - left),
            rounded(shift.1 - top)
        );
        for mark in &marks {
            let shape = self.shape(mark.cell, 1.5);
            let fill = mark.tone.colour();
            svg += &timed.during(&format!("{shape} fill=\"{fill}\""), "", mark.from, mark.to);
        }
        for mark in &marks {
            let (x, y) = self.picture.centre(mark.cell);
            for &other in mark.joined {
                let there = self.picture.centre(other);
                let ends = [x, y, there.0, there.1].map(rounded);
                let line = format!(
                    "line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#27557f\" \
                     stroke-width=\"2.5\" stroke-opacity=\"0.45\" stroke-linecap=\"round\"",
                    ends[0], ends[1], ends[2], ends[3]
                );
                svg += &timed.during(&line, "", mark.from, mark.to);
            }
        }
        let longest = marks.iter().map(|mark| mark.label.chars().count()).max().unwrap_or(1);
        let size = 16f64.min(STEP * 0.85 / (0.7 * longest.max(1) as f64));
        // Lines end below the figures, and cross none of them.
        let radius = rounded((STEP / 2.0 - 2.0).min(size * (0.4 + 0.18 * longest as f64)));
        for mark in &marks {
            let (x, y) = self.picture.centre(mark.cell);
            let (x, y, fill) = (rounded(x), rounded(y), mark.tone.colour());
            let disc = format!(
                "circle class=\"disc\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\""
            );
            svg += &timed.during(&disc, "", mark.from, mark.to);
        }
        for mark in &marks {
            let (x, y) = self.picture.centre(mark.cell);
            let (x, y, size) = (rounded(x), rounded(y + size * 0.36), rounded(size));
            let label = format!("text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{INK}\"");
            svg += &timed.during(&label, mark.label, mark.from, mark.to);
        }
        for (now, scene) in self.scenes.iter().enumerate() {
            if let Some(cell) = scene.at {
                let shape = self.shape(cell, 1.5);
                let colour = if scene.tone == Tone::Wrong { WRONG } else { "#3a3a3a" };
                let ring = format!("{shape} fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\"");
                svg += &timed.during(&ring, "", now, now + 1);
            }
        }
        svg += "</g>\n";

        svg += &self.legend(below);
        let last = self.scenes.len();
        for (now, lines) in captions.iter().enumerate() {
            let y = below + 20.0;
            let number = format!("Step {} of {last}", now + 1);
            let place =
                |y: f64| format!("text class=\"faint\" x=\"{MARGIN}\" y=\"{}\"", rounded(y));
            let to = now + 1;
            svg += &timed.during(&format!("{} font-size=\"13\"", place(y)), &number, now, to);
            for (down, line) in (1u32..).zip(lines) {
                let at = y + 2.0 + LINE * f64::from(down);
                let words = format!(
                    "text class=\"ink\" x=\"{MARGIN}\" y=\"{}\" font-size=\"{LETTER}\"",
                    rounded(at)
                );
                svg += &timed.during(&words, line, now, to);
            }
        }
        svg + "</svg>\n"
    }

    /// What the tones mean.
    fn legend(&self, below: f64) -> String {
        let mut svg = String::new();
        let mut at = MARGIN;
        for tone in Tone::ALL {
            if tone == Tone::Given && self.given.is_empty() {
                continue;
            }
            let (x, y) = (rounded(at), rounded(below - 18.0));
            // Nothing is put on the board by a dead end: it is shown by a frame.
            let look = match tone {
                Tone::Wrong => format!("fill=\"none\" stroke=\"{WRONG}\" stroke-width=\"2.5\""),
                tone => format!("fill=\"{}\"", tone.colour()),
            };
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"14\" height=\"14\" rx=\"3\" {look}/>\
                 <text class=\"ink\" x=\"{}\" y=\"{}\" font-size=\"13\">{}</text>",
                rounded(at + 20.0),
                rounded(below - 6.0),
                tone.words()
            );
            at += 38.0 + WIDE * tone.words().len() as f64;
        }
        svg
    }

    /// The shape of a cell, so much smaller.
    fn shape(&self, cell: usize, smaller: f64) -> String {
        let (x, y) = self.picture.centre(cell);
        let half = STEP / 2.0 - smaller;
        match self.picture.board().lattice() {
            Lattice::Square => {
                let [left, top, side] = [x - half, y - half, 2.0 * half].map(rounded);
                format!("rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" rx=\"3\"")
            }
            Lattice::Hex => {
                let [x, y, radius] = [x, y, half].map(rounded);
                format!("circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"")
            }
        }
    }
}

/// When scenes are shown.
struct Timed {
    scenes: usize,
    scene: f64,
    length: f64,
}

impl Timed {
    fn new(scenes: usize) -> Self {
        let scene = SCENE.min(LONGEST / scenes.max(1) as f64);
        Timed { scenes, scene, length: scene * scenes as f64 + END }
    }

    /// An element that is there from one scene until another.
    fn during(&self, element: &str, content: &str, from: usize, to: usize) -> String {
        let name = element.split(' ').next().unwrap_or_default();
        let share = |scene: usize| {
            let is_over = scene >= self.scenes;
            if is_over { 1.0 } else { scene as f64 * self.scene / self.length }
        };
        let is_last = to >= self.scenes;
        let seen = |is: bool| if is { "visible" } else { "hidden" };
        let (mut times, mut values) = (vec![0.0], vec![seen(from == 0)]);
        if from > 0 {
            times.push(share(from));
            values.push(seen(true));
        }
        if !is_last {
            times.push(share(to));
            values.push(seen(false));
        }
        let content = xml(content);
        let shown = seen(is_last);
        if values.len() == 1 {
            return format!("<{element}>{content}</{name}>\n");
        }
        let times: Vec<String> = times.iter().map(|time| format!("{time:.5}")).collect();
        format!(
            "<{element} visibility=\"{shown}\">{content}<animate attributeName=\"visibility\" \
             calcMode=\"discrete\" dur=\"{:.2}s\" repeatCount=\"indefinite\" keyTimes=\"{}\" \
             values=\"{}\"/></{name}>\n",
            self.length,
            times.join(";"),
            values.join(";")
        )
    }
}

/// A sentence in lines of so many letters; one that is too long ends with dots.
fn wrapped(sentence: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split_whitespace() {
        let length = |text: &str| text.chars().count();
        let is_full = lines
            .last()
            .is_some_and(|line| !line.is_empty() && length(line) + 1 + length(word) > room);
        if is_full {
            if lines.len() == MOST_LINES {
                if let Some(line) = lines.last_mut() {
                    line.push_str(" …");
                }
                return lines;
            }
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn scene(tone: Tone, change: Change) -> Scene {
        Scene { caption: "a < b".into(), tone, at: None, change }
    }

    fn put(cell: usize) -> Change {
        Change::Put { cell, label: (cell + 1).to_string(), joined: vec![0] }
    }

    #[test]
    fn what_is_taken_off_the_board_is_gone_at_the_end() {
        let board = Board::parse("2x2").unwrap();
        let scenes = vec![
            scene(Tone::Tried, put(0)),
            scene(Tone::Forced, put(1)),
            scene(Tone::Wrong, Change::Nothing),
            scene(Tone::Tried, Change::Keep(1)),
            scene(Tone::Supposed, put(2)),
        ];
        let film = Film::new(Picture::new(&board), Vec::new(), scenes);
        let spans: Vec<_> =
            film.marks().iter().map(|mark| (mark.cell, mark.from, mark.to)).collect();
        assert_eq!(spans, [(0, 0, usize::MAX), (1, 1, 3), (2, 4, usize::MAX)]);
        let svg = film.to_svg();
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<svg ").count(), 2);
        // A still picture shows what is left at the end.
        let still = |label: &str| {
            let end = format!(">{label}<animate");
            let at = svg.find(&end).unwrap();
            svg[..at].rsplit('<').next().unwrap().contains("visible")
        };
        assert!(!still("2") && still("3"));
        // What is always there does not move.
        assert!(svg.contains(">1</text>"), "{svg}");
    }

    #[test]
    fn captions_are_broken_into_lines() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("", 7), [""]);
        let long = wrapped(&"word ".repeat(100), 9);
        assert_eq!(long.len(), MOST_LINES);
        assert!(long[MOST_LINES - 1].ends_with('…'));
    }
}
