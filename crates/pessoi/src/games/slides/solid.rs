//! A puzzle to be printed in three dimensions, as STL text in millimetres.
//!
//! The board is a plate with a wall around it. The tiles lie beside it: prisms a little
//! smaller than the cells, with their numbers raised on top, made of bars as on a pocket
//! calculator. Solids overlap where they belong together; slicers join them.

use std::fmt::Write;

use super::draw::{PITCH, centre, corners};
use super::rule::Puzzle;
use super::svg::to_be_made;
use crate::error::Result;
use crate::export::{Format, Out, Page, Writer, whole};
use crate::question::Verb;

/// Solids to print.
pub(super) struct Stl;

impl Format for Stl {
    fn id(&self) -> &'static str {
        "stl"
    }

    fn help(&self) -> &'static str {
        "solids to print, with --pieces"
    }

    fn media_type(&self) -> &'static str {
        "model/stl"
    }

    fn extension(&self) -> &'static str {
        "stl"
    }

    fn holds(&self, verb: Verb) -> bool {
        verb == Verb::Export
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        to_be_made(page, self.id())?;
        Ok(whole(page, out, |_, page| {
            let (puzzle, tiles) = to_be_made(page, Stl.id())?;
            Ok(Some(stl(&puzzle, tiles).into_bytes()))
        }))
    }
}

/// Heights and widths in millimetres.
const PLATE: f64 = 2.0;
const TALL: f64 = 6.0;
const WALL: f64 = 2.4;
const RAISED: f64 = 0.8;
/// How much of its cell a tile takes.
const TILE: f64 = 0.95;
/// Half the width and half the height of a digit, and half the width of a bar.
const DIGIT: (f64, f64) = (1.6, 3.0);
const BAR: f64 = 0.45;

type Point = (f64, f64);

/// The bars that make up each digit: top, upper left, upper right, middle, lower left,
/// lower right, bottom.
const BARS: [&str; 10] = [
    "1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010",
    "1111111", "1111011",
];

/// Board and tiles, as one file of several solids.
pub(super) fn stl(puzzle: &Puzzle, tiles: usize) -> String {
    let mut text = String::new();
    board(puzzle, &mut text);
    let right = (0..puzzle.len()).map(|cell| centre(puzzle, cell).0).fold(f64::MIN, f64::max);
    let across = (tiles as f64).sqrt().ceil().max(1.0) as usize;
    for tile in 0..tiles {
        let x = (right + 2.0 + (tile % across) as f64 * 1.2) * PITCH;
        let y = -((tile / across) as f64) * 1.3 * PITCH;
        let name = format!("tile {}", tile + 1);
        let _ = writeln!(text, "solid {name}");
        let outline: Vec<Point> =
            corners(puzzle, TILE * PITCH).into_iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        prism(&mut text, &outline, 0.0, TALL - PLATE);
        number(&mut text, tile + 1, (x, y), TALL - PLATE);
        let _ = writeln!(text, "endsolid {name}");
    }
    text
}

fn board(puzzle: &Puzzle, text: &mut String) {
    let _ = writeln!(text, "solid board");
    let around = corners(puzzle, PITCH);
    for cell in 0..puzzle.len() {
        // Rows go down on the screen, and the y axis goes up.
        let (x, y) = centre(puzzle, cell);
        let (x, y) = (x * PITCH, -y * PITCH);
        let outline: Vec<Point> = around.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        prism(text, &outline, 0.0, PLATE);
        for side in 0..around.len() {
            let (a, b) = (outline[side], outline[(side + 1) % outline.len()]);
            // The middle of the neighbour across this side, if there is one.
            let across = (a.0 + b.0 - x, a.1 + b.1 - y);
            let is_there = |other: usize| {
                let (ox, oy) = centre(puzzle, other);
                (ox * PITCH - across.0).abs() + (-oy * PITCH - across.1).abs() < 0.1 * PITCH
            };
            if (0..puzzle.len()).any(is_there) {
                continue;
            }
            let out = ((across.0 - x) / PITCH * WALL, (across.1 - y) / PITCH * WALL);
            // Walls reach a little around the corners, so that no gap is left.
            let along = ((b.0 - a.0) * 0.1, (b.1 - a.1) * 0.1);
            let wall = [
                (a.0 - along.0, a.1 - along.1),
                (a.0 - along.0 + out.0, a.1 - along.1 + out.1),
                (b.0 + along.0 + out.0, b.1 + along.1 + out.1),
                (b.0 + along.0, b.1 + along.1),
            ];
            let mut wall = wall.to_vec();
            if area(&wall) < 0.0 {
                wall.reverse();
            }
            prism(text, &wall, 0.0, TALL);
        }
    }
    let _ = writeln!(text, "endsolid board");
}

/// A number of raised bars, in the middle of a tile.
fn number(text: &mut String, number: usize, (x, y): Point, floor: f64) {
    let digits: Vec<usize> =
        number.to_string().bytes().map(|digit| usize::from(digit - b'0')).collect();
    let (half, tall) = DIGIT;
    let gap = 2.0 * half + 1.6;
    for (k, &digit) in digits.iter().enumerate() {
        let x = x + gap * (k as f64 - (digits.len() - 1) as f64 / 2.0);
        let places: [(Point, bool); 7] = [
            ((x, y + tall), true),
            ((x - half, y + tall / 2.0), false),
            ((x + half, y + tall / 2.0), false),
            ((x, y), true),
            ((x - half, y - tall / 2.0), false),
            ((x + half, y - tall / 2.0), false),
            ((x, y - tall), true),
        ];
        for (bar, ((x, y), level)) in BARS[digit].bytes().zip(places) {
            if bar == b'1' {
                let (w, h) = if level { (half, BAR) } else { (BAR, tall / 2.0) };
                let bar = [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)];
                prism(text, &bar, floor - 0.1, floor + RAISED);
            }
        }
    }
}

/// Twice the area inside, positive if the outline runs counterclockwise.
fn area(outline: &[Point]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum()
}

/// A convex outline, counterclockwise, drawn up from one height to another.
fn prism(text: &mut String, outline: &[Point], low: f64, high: f64) {
    let at = |(x, y): Point, z: f64| (x, y, z);
    let n = outline.len();
    for k in 1..n - 1 {
        let (a, b, c) = (outline[0], outline[k], outline[k + 1]);
        facet(text, [at(a, high), at(b, high), at(c, high)]);
        facet(text, [at(a, low), at(c, low), at(b, low)]);
    }
    for k in 0..n {
        let (a, b) = (outline[k], outline[(k + 1) % n]);
        facet(text, [at(a, low), at(b, low), at(b, high)]);
        facet(text, [at(a, low), at(b, high), at(a, high)]);
    }
}

/// A triangle, its corners counterclockwise seen from outside.
fn facet(text: &mut String, corners: [(f64, f64, f64); 3]) {
    let [a, b, c] = corners;
    let (u, v) = ((b.0 - a.0, b.1 - a.1, b.2 - a.2), (c.0 - a.0, c.1 - a.1, c.2 - a.2));
    let normal = (u.1 * v.2 - u.2 * v.1, u.2 * v.0 - u.0 * v.2, u.0 * v.1 - u.1 * v.0);
    let length = (normal.0 * normal.0 + normal.1 * normal.1 + normal.2 * normal.2).sqrt().max(1e-9);
    // −0 would be written with its sign.
    let plain = |x: f64| if x.abs() < 5e-5 { 0.0 } else { x };
    let unit = [normal.0, normal.1, normal.2].map(|side| plain(side / length));
    let _ =
        writeln!(text, "facet normal {:.4} {:.4} {:.4}\n outer loop", unit[0], unit[1], unit[2]);
    for (x, y, z) in corners {
        let _ = writeln!(text, "  vertex {:.3} {:.3} {:.3}", plain(x), plain(y), plain(z));
    }
    let _ = writeln!(text, " endloop\nendfacet");
}
