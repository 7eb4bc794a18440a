//! A puzzle to be printed in three dimensions, as STL text in millimetres.
//!
//! The board is a plate with a wall around it. The tiles lie beside it: prisms a little
//! smaller than the cells, with their numbers raised on top, made of bars as on a pocket
//! calculator.
//!
//! A solid must be *watertight*: each edge of its surface belongs to two triangles, which walk
//! it in opposite directions. So a solid is made of *pieces*: convex outlines that share
//! whole sides and nothing else, each with a height. Its surface is the top and the bottom of
//! every piece, and a wall where two heights meet. For that to be watertight,
//!
//! - a corner of one piece that lies on a side of another is made a corner of that one too;
//! - coordinates are whole micrometres, which is what is written, so that equal corners are
//!   equal;
//! - around a corner the height changes twice at most. On square boards two cells can meet in
//!   a corner only: there they are *chamfered*, and the walls beside them become one.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use super::draw::{PITCH, centre, corners, middle};
use super::rule::Puzzle;
use super::svg::to_be_made;
use crate::board::{Cell, Lattice};
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
/// What is cut off where two cells meet in a corner only: less than a tile leaves free.
const CHAMFER: f64 = 0.8;
/// Half the width and half the height of a digit, half the width of a bar, and the room
/// between the middles of two digits.
const DIGIT: (f64, f64) = (1.6, 3.0);
const BAR: f64 = 0.45;
const GAP: f64 = 2.0 * DIGIT.0 + 1.6;

/// A point in millimetres.
type Place = (f64, f64);
/// A point in micrometres.
type Point = (i64, i64);

/// The bars that make up each digit: top, upper left, upper right, middle, lower left,
/// lower right, bottom.
const BARS: [&str; 10] = [
    "1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010",
    "1111111", "1111011",
];

fn micrometres(length: f64) -> i64 {
    (length * 1000.0).round() as i64
}

fn point((x, y): Place) -> Point {
    (micrometres(x), micrometres(y))
}

/// A convex outline, counterclockwise, and how high the solid is there.
struct Piece {
    outline: Vec<Point>,
    height: i64,
}

impl Piece {
    fn new(outline: impl IntoIterator<Item = Place>, height: f64) -> Piece {
        Piece { outline: outline.into_iter().map(point).collect(), height: micrometres(height) }
    }

    fn sides(&self) -> impl Iterator<Item = (Point, Point)> {
        let next = self.outline.iter().cycle().skip(1);
        self.outline.iter().copied().zip(next.copied())
    }
}

/// Board and tiles, as one file of several solids.
pub(super) fn stl(puzzle: &Puzzle, tiles: usize) -> String {
    let mut text = String::new();
    solid(&mut text, "board", &joined(board(puzzle)));
    let right = (0..puzzle.len()).map(|cell| centre(puzzle, cell).0).fold(f64::MIN, f64::max);
    let across = (tiles as f64).sqrt().ceil().max(1.0) as usize;
    for tile in 0..tiles {
        let x = (right + 2.0 + (tile % across) as f64 * 1.2) * PITCH;
        let y = -((tile / across) as f64) * 1.3 * PITCH;
        solid(&mut text, &format!("tile {}", tile + 1), &numbered(puzzle, tile + 1, (x, y)));
    }
    text
}

/// The cells of a board, in millimetres.
struct Plan {
    /// The middles of the cells, as points.
    cells: FxHashSet<Point>,
    /// The corners of a cell around its middle.
    around: Vec<Place>,
}

impl Plan {
    /// Whether there is a cell with this middle.
    fn has(&self, (x, y): Place) -> bool {
        // One computed another way may be a micrometre off.
        let (x, y) = point((x, y));
        (-1..=1).any(|dx| (-1..=1).any(|dy| self.cells.contains(&(x + dx, y + dy))))
    }

    /// The corners of the cell with this middle.
    fn corners(&self, (x, y): Place) -> Vec<Place> {
        self.around.iter().map(|(dx, dy)| (x + dx, y + dy)).collect()
    }

    /// The cells that meet at a corner.
    fn at(&self, corner: Place) -> Vec<Place> {
        let middles = self.around.iter().map(|(dx, dy)| (corner.0 - dx, corner.1 - dy));
        middles.filter(|&middle| self.has(middle)).collect()
    }

    /// Whether two cells meet at a corner and at no side.
    fn is_pinched(&self, corner: Place) -> bool {
        let [a, b] = self.at(corner)[..] else { return false };
        let off = (a.0 + b.0 - 2.0 * corner.0).abs() + (a.1 + b.1 - 2.0 * corner.1).abs();
        self.around.len() == 4 && off < 0.1
    }
}

/// The point at this distance from one point on the way to another.
fn towards(from: Place, to: Place, distance: f64) -> Place {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let part = distance / x.hypot(y);
    (from.0 + part * x, from.1 + part * y)
}

/// The pieces of the board: its cells, and the walls, which stand on the cells that are not
/// there.
fn board(puzzle: &Puzzle) -> Vec<Piece> {
    let lattice = puzzle.board.lattice();
    // Rows go down on the screen, and the y axis goes up.
    let place = |cell: Cell| {
        let (x, y) = middle(lattice, cell);
        (x * PITCH, -y * PITCH)
    };
    let cells: Vec<Cell> = (0..puzzle.len()).map(|cell| puzzle.board.cell(cell)).collect();
    let plan = Plan {
        cells: cells.iter().map(|&cell| point(place(cell))).collect(),
        around: corners(puzzle, PITCH),
    };
    let n = plan.around.len();
    let mut pieces = Vec::new();
    for &cell in &cells {
        let corners = plan.corners(place(cell));
        let mut outline = Vec::new();
        for k in 0..n {
            let (before, corner, after) =
                (corners[(k + n - 1) % n], corners[k], corners[(k + 1) % n]);
            if plan.is_pinched(corner) {
                let cut = [towards(corner, before, CHAMFER), towards(corner, after, CHAMFER)];
                outline.extend(cut);
                pieces.push(Piece::new([cut[0], corner, cut[1]], TALL));
            } else {
                outline.push(corner);
            }
        }
        pieces.push(Piece::new(outline, PLATE));
    }
    // How far a wall reaches along the next side: its inner line is a wall's width away.
    let reach = match lattice {
        Lattice::Square => WALL,
        Lattice::Hex => WALL / 60f64.to_radians().sin(),
    };
    for cell in beside(&cells) {
        let (x, y) = place(cell);
        let corners = plan.corners((x, y));
        let to = |k: usize, other: usize| towards(corners[k % n], corners[other % n], reach);
        let inner = |k: usize| {
            let (corner, a, b) = (corners[k % n], to(k, k + 1), to(k, k + n - 1));
            (a.0 + b.0 - corner.0, a.1 + b.1 - corner.1)
        };
        for k in 0..n {
            if !plan.at(corners[k]).is_empty() {
                let corner = [corners[k], to(k, k + 1), inner(k), to(k, k + n - 1)];
                pieces.push(Piece::new(corner, TALL));
            }
            let (a, b) = (corners[k], corners[(k + 1) % n]);
            if plan.has((a.0 + b.0 - x, a.1 + b.1 - y)) {
                let side = [to(k, k + 1), to(k + 1, k), inner(k + 1), inner(k)];
                pieces.push(Piece::new(side, TALL));
            }
        }
    }
    pieces
}

/// The cells that are not on the board, but next to it.
fn beside(cells: &[Cell]) -> Vec<Cell> {
    let there: FxHashSet<(i32, i32)> = cells.iter().map(|cell| (cell.row, cell.col)).collect();
    let mut beside: Vec<(i32, i32)> = there
        .iter()
        .flat_map(|&(row, col)| {
            (-1..=1).flat_map(move |dr| (-1..=1).map(move |dc| (row + dr, col + dc)))
        })
        .filter(|cell| !there.contains(cell))
        .collect();
    beside.sort_unstable();
    beside.dedup();
    beside.into_iter().map(|(row, col)| Cell { row, col }).collect()
}

/// The pieces of a tile with its number raised on top.
fn numbered(puzzle: &Puzzle, number: usize, (x, y): Place) -> Vec<Piece> {
    let low = TALL - PLATE;
    let digits: Vec<usize> =
        number.to_string().bytes().map(|digit| usize::from(digit - b'0')).collect();
    let (half, tall) = DIGIT;
    // A digit is three columns and five rows of rectangles; between digits is one column more.
    let left = x - GAP * (digits.len() - 1) as f64 / 2.0;
    let middles = (0..digits.len()).map(|k| left + GAP * k as f64);
    let columns: Vec<f64> = middles
        .flat_map(|x| [x - half - BAR, x - half + BAR, x + half - BAR, x + half + BAR])
        .collect();
    let rows = [-tall - BAR, -tall + BAR, -BAR, BAR, tall - BAR, tall + BAR].map(|row| y + row);
    let mut pieces = Vec::new();
    for (r, row) in rows.windows(2).enumerate() {
        for (c, column) in columns.windows(2).enumerate() {
            let is_raised = c % 4 < 3 && is_raised(digits[c / 4], r, c % 4);
            let rectangle = [
                (column[0], row[0]),
                (column[1], row[0]),
                (column[1], row[1]),
                (column[0], row[1]),
            ];
            pieces.push(Piece::new(rectangle, if is_raised { low + RAISED } else { low }));
        }
    }
    // Around the rectangles, from the lower right on.
    let (first, last) = (columns[0], columns[columns.len() - 1]);
    let right = rows.iter().map(|&row| (last, row));
    let top = columns.iter().rev().skip(1).map(|&column| (column, rows[5]));
    let back = rows.iter().rev().skip(1).map(|&row| (first, row));
    let bottom = columns.iter().skip(1).map(|&column| (column, rows[0]));
    let mut inner: Vec<Place> = right.chain(top).chain(back).chain(bottom).collect();
    // The last one is the first one.
    inner.pop();
    let outline = corners(puzzle, TILE * PITCH).into_iter().map(|(dx, dy)| (x + dx, y + dy));
    between(&outline.collect::<Vec<_>>(), &inner, low, &mut pieces);
    pieces
}

/// Whether a rectangle of a digit belongs to one of its bars; rows are counted from below.
fn is_raised(digit: usize, row: usize, column: usize) -> bool {
    let is_there = |bar: usize| BARS[digit].as_bytes()[bar] == b'1';
    let level = match row {
        4 => is_there(0),
        2 => is_there(3),
        0 => is_there(6),
        _ => false,
    };
    let upper = row >= 2 && (column == 0 && is_there(1) || column == 2 && is_there(2));
    let lower = row <= 2 && (column == 0 && is_there(4) || column == 2 && is_there(5));
    level || upper || lower
}

/// Triangles between a tile's outline and the rectangle inside it. Both go counterclockwise;
/// the outline begins at the upper right, the rectangle at its lower right. Each corner of the
/// outline is joined to all it sees of what is left of the rectangle.
fn between(outline: &[Place], inner: &[Place], height: f64, pieces: &mut Vec<Piece>) {
    let (n, m) = (outline.len(), inner.len());
    let mut done = 0;
    for k in 0..n {
        let (corner, after) = (outline[k], outline[(k + 1) % n]);
        while done < m {
            let triangle = [corner, inner[(done + 1) % m], inner[done]];
            if area(&triangle) <= 0.0 {
                break;
            }
            pieces.push(Piece::new(triangle, height));
            done += 1;
        }
        pieces.push(Piece::new([corner, after, inner[done % m]], height));
    }
}

/// Twice the area inside, positive if the outline runs counterclockwise.
fn area(outline: &[Place]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum()
}

/// How far from a side, in micrometres, a corner may be that lies on it: coordinates are
/// rounded.
const NEAR: i64 = 3;

/// Makes corners that lie on sides of other pieces corners of these too.
fn joined(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let mut corners: Vec<Point> =
        pieces.iter().flat_map(|piece| piece.outline.iter().copied()).collect();
    corners.sort_unstable();
    corners.dedup();
    for piece in &mut pieces {
        let mut outline = Vec::new();
        for (a, b) in piece.sides() {
            outline.push(a);
            let (low, high) = (a.0.min(b.0) - NEAR, a.0.max(b.0) + NEAR);
            let from = corners.partition_point(|corner| corner.0 < low);
            let near = corners[from..].iter().take_while(|corner| corner.0 <= high);
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let along = |p: Point| (p.0 - a.0) * dx + (p.1 - a.1) * dy;
            let length = dx * dx + dy * dy;
            let is_on = |p: Point| {
                // Of far points this has up to 35 bits, and its square more than 64.
                let across = i128::from((p.0 - a.0) * dy - (p.1 - a.1) * dx);
                p != a
                    && p != b
                    && (0..length).contains(&along(p))
                    && across * across <= i128::from(NEAR * NEAR * length)
            };
            let mut on: Vec<Point> = near.copied().filter(|&p| is_on(p)).collect();
            on.sort_unstable_by_key(|&p| along(p));
            outline.extend(on);
        }
        piece.outline = outline;
    }
    pieces
}

/// Writes the surface of a solid.
fn solid(text: &mut String, name: &str, pieces: &[Piece]) {
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(text, "solid {name}");
    let height: FxHashMap<(Point, Point), i64> =
        pieces.iter().flat_map(|piece| piece.sides().map(|side| (side, piece.height))).collect();
    for piece in pieces {
        let at = |(x, y): Point, z: i64| [x, y, z];
        let high = piece.height;
        for [a, b, c] in triangles(&piece.outline) {
            facet(text, [at(a, high), at(b, high), at(c, high)]);
            facet(text, [at(a, 0), at(c, 0), at(b, 0)]);
        }
        for (a, b) in piece.sides() {
            let low = height.get(&(b, a)).copied().unwrap_or(0);
            if low < high {
                facet(text, [at(a, low), at(b, low), at(b, high)]);
                facet(text, [at(a, low), at(b, high), at(a, high)]);
            }
        }
    }
    let _ = writeln!(text, "endsolid {name}");
}

/// Triangles that make up a convex outline. From four corners on they meet in its middle, since
/// some corners may lie on a line.
fn triangles(outline: &[Point]) -> Vec<[Point; 3]> {
    if let &[a, b, c] = outline {
        return vec![[a, b, c]];
    }
    let n = outline.len() as i64;
    let sum = outline.iter().fold((0, 0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
    let middle = (sum.0.div_euclid(n), sum.1.div_euclid(n));
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(&a, &b)| [middle, a, b]).collect()
}

/// A triangle in micrometres, its corners counterclockwise seen from outside.
fn facet(text: &mut String, corners: [[i64; 3]; 3]) {
    let [a, b, c] = corners.map(|corner| corner.map(|side| side as f64 / 1000.0));
    let (u, v) = ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|side| side * side).sum::<f64>().sqrt().max(1e-9);
    // −0 would be written with its sign.
    let plain = |x: f64| if x.abs() < 5e-5 { 0.0 } else { x };
    let [x, y, z] = normal.map(|side| plain(side / length));
    let _ = writeln!(text, "facet normal {x:.4} {y:.4} {z:.4}\n outer loop");
    for [x, y, z] in [a, b, c] {
        let _ = writeln!(text, "  vertex {:.3} {:.3} {:.3}", plain(x), plain(y), plain(z));
    }
    let _ = writeln!(text, " endloop\nendfacet");
}
