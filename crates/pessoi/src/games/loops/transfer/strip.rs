//! Polygons by their boxes, and those that a half turn leaves alone.
//!
//! For each width W the polygons are read whose box is W edges high and L ≥ W edges long. The
//! first column is reached, so the polygon begins there; it is closed in the last column. A box
//! with L > W stands for itself and for the one that lies the other way.
//!
//! A **half turn** that leaves a polygon alone has its centre in the middle of the box. The
//! polygon does not go through the centre: the loop would be turned round there, and that leaves
//! two of its points alone, not one. What is left of the middle is a part that the sweep has
//! read, and what is right of it is the same part, turned. So the sweep pauses at the end of each
//! column and looks whether the word and its own turned copy make one loop: either at once, with
//! the middle between two columns, or with the vertical edges of one column more, which are
//! determined by the ends that must go on.

use pessoi_engine::arches::{Arches, FREE, Full, Layer};
use pessoi_engine::run::Run;

use super::column::{BOTTOM, TOP, Vertex, needed, vertex};

/// For n up to half the perimeter, the polygons of perimeter 2n with boxes of this width, and how
/// many of these a half turn leaves alone.
pub(super) fn count(width: usize, perimeter: usize, run: &Run) -> Result<Vec<[u128; 2]>, Full> {
    let rows = width + 1;
    let mut found = vec![[0u128; 2]; perimeter / 2 + 1];
    let mut add = |which: usize, edges: usize, number: u128| {
        if edges > perimeter {
            return Ok(());
        }
        let own = &mut found[edges / 2][which];
        *own = own.checked_add(number).ok_or(Full::Overflow)?;
        Ok(())
    };
    let both_ways = |length: usize| if length > width { 2 } else { 1 };
    // Two edges lead through every gap between rows and between columns: see `needed`.
    let new = || Layer::new(4 * width, perimeter, run);
    let (mut layer, mut next) = (new(), new());
    layer.begin(Arches::default(), 4 * width)?;
    for column in 0.. {
        // A column that is not reached yet is reached by two edges, of which some are there.
        let ahead = |there: usize| match width.saturating_sub(column) {
            0 => 0,
            columns => 2 * (columns - 1) + 2usize.saturating_sub(there),
        };
        for row in 0..rows {
            next.clear();
            for parts in layer.words() {
                let mut result = Ok(());
                vertex(parts.word, row, row == width, |what| match what {
                    Vertex::Closed(left) => {
                        let mark = |word: Arches| touched(word, row, width);
                        let left = mark(left);
                        let is_whole = left.is_marked(BOTTOM) && left.is_marked(TOP);
                        if left.is_free() && is_whole && column >= width && result.is_ok() {
                            result = parts.numbers().try_for_each(|(edges, number)| {
                                add(0, edges, twice(number, both_ways(column))?)
                            });
                        }
                    }
                    Vertex::Open(word, more, is_through) => {
                        let word = if is_through { touched(word, row, width) } else { word };
                        let there = word.ends_before(row + 1) as usize;
                        let needed = needed(word, row, rows) + ahead(there);
                        if result.is_ok() {
                            result = next.add(word, &parts, more, needed);
                        }
                    }
                });
                result?;
            }
            run.tick(layer.len() as u64)?;
            std::mem::swap(&mut layer, &mut next);
        }
        next.clear();
        for parts in layer.words().filter(|parts| !parts.word.is_free()) {
            let (word, ends) = (parts.word, parts.word.ends() as usize);
            // Between two columns: the ends are edges of both sides.
            let length = 2 * column + 1;
            let reaches = word.is_marked(BOTTOM) || word.is_marked(TOP);
            if length >= width && reaches && closes_between(word, width) {
                for (edges, number) in parts.numbers() {
                    add(1, 2 * edges - ends, twice(number, both_ways(length))?)?;
                }
            }
            let length = length + 1;
            if length >= width
                && let Some(middle) = closes_with_column(word, width)
                && (reaches || middle.reaches)
            {
                for (edges, number) in parts.numbers() {
                    add(1, 2 * edges + middle.edges, twice(number, both_ways(length))?)?;
                }
            }
            // What is upside down goes on in as many ways.
            let word = word.min(upside_down(word, rows));
            next.add(word.shifted(), &parts, 0, needed(word, rows, rows) + ahead(ends))?;
        }
        std::mem::swap(&mut layer, &mut next);
        if layer.is_empty() {
            break;
        }
    }
    Ok(found)
}

fn twice(number: u128, times: u128) -> Result<u128, Full> {
    number.checked_mul(times).ok_or(Full::Overflow)
}

/// The word of parts that are turned upside down.
fn upside_down(word: Arches, rows: usize) -> Arches {
    let turned = word.unmarked().reversed(rows);
    let turned = if word.is_marked(BOTTOM) { turned.marked(TOP) } else { turned };
    if word.is_marked(TOP) { turned.marked(BOTTOM) } else { turned }
}

/// The marks of a part that goes through a vertex in this row.
fn touched(word: Arches, row: usize, width: usize) -> Arches {
    let word = if row == 0 { word.marked(BOTTOM) } else { word };
    if row == width { word.marked(TOP) } else { word }
}

/// Whether the part left of a line between columns and its copy, turned about the middle of the
/// line, are one loop.
fn closes_between(word: Arches, width: usize) -> bool {
    let is_end = |row: usize| word.at(row) != FREE;
    if !(0..=width).all(|row| is_end(row) == is_end(width - row)) {
        return false;
    }
    let Some(home) = (0..=width).find(|&row| is_end(row)) else { return false };
    let (mut row, mut met) = (home, 0);
    loop {
        // Along an arc on the left, and then along one on the right.
        row = word.partner(row);
        row = width - word.partner(width - row);
        met += 2;
        if row == home {
            return met == word.ends();
        }
    }
}

/// The vertical edges of a column in the middle.
struct Middle {
    edges: usize,
    /// Whether the lowest row is reached there, and so is the highest.
    reaches: bool,
}

/// The middle column that makes one loop of the part left of it and of its copy, turned about
/// the middle of the column, if there is one. From below, each vertex has as many edges as lead
/// to it from the left, from the right and from below; with one there must be one more upwards,
/// with none or two there is none, and three cannot be.
fn closes_with_column(word: Arches, width: usize) -> Option<Middle> {
    let is_left = |row: usize| word.at(row) != FREE;
    let is_right = |row: usize| word.at(width - row) != FREE;
    let mut up = [false; 64];
    let mut below = false;
    let mut edges = 0;
    for (row, up) in up.iter_mut().enumerate().take(width + 1) {
        let here = u8::from(is_left(row)) + u8::from(is_right(row)) + u8::from(below);
        below = match here {
            0 | 2 => false,
            1 => true,
            _ => return None,
        };
        *up = below;
        edges += usize::from(below);
    }
    if below {
        return None;
    }
    let home = (0..=width).find(|&row| is_left(row))?;
    let (mut row, mut met, mut on_left) = (home, 0, true);
    loop {
        // Along an arc to the other end, at a vertex of the column, and from there to the next
        // vertex from which an edge leads to a side.
        row = if on_left { word.partner(row) } else { width - word.partner(width - row) };
        met += 2;
        if is_left(row) && is_right(row) {
            on_left = !on_left;
        } else {
            let goes_up = up[row];
            loop {
                row = if goes_up { row + 1 } else { row - 1 };
                if is_left(row) || is_right(row) {
                    break;
                }
            }
            on_left = is_left(row);
        }
        if on_left && row == home {
            let is_one = met == 2 * word.ends();
            let reaches = is_left(0) || is_right(0) || up[0];
            return is_one.then_some(Middle { edges, reaches });
        }
    }
}
