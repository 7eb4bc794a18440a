//! Polygons that a quarter turn leaves alone.
//!
//! The quarter turn moves such a polygon along by a quarter of its length, so a path of a
//! quarter of the edges, from a point to its image, is all of it. There are few: they are walked
//! one by one, and all four images of a vertex are taken at once, so what would meet itself is
//! seen at once.
//!
//! The polygon goes round the centre, so it crosses the ray from the centre to the right. It is
//! read from the outermost crossing on, to the left as seen from the centre; so each is read
//! once. The centre is a vertex, and the crossing a vertex of the ray; or the centre is the middle
//! of a square, and the crossing an edge. Coordinates are doubled, so that both have whole
//! numbers: vertices have even ones about a vertex, odd ones about the middle of a square.

use pessoi_engine::arches::Full;
use pessoi_engine::run::{Run, Stop};

/// For n up to `half`, the polygons of perimeter 2n.
pub(super) fn count(half: usize, run: &Run) -> Result<Vec<[u128; 2]>, Full> {
    let mut found = vec![[0; 2]; half + 1];
    for quarter in 1..=half / 2 {
        let reach = 2 * quarter as i32 + 2;
        let side = (2 * reach + 1) as usize;
        let mut walk = Walk { taken: vec![false; side * side], reach, rim: 0, found: 0, run };
        for rim in 1..=quarter as i32 {
            // About a vertex: from (2·rim, 0) to (0, 2·rim).
            walk.begin(2 * rim, (2 * rim, 0), (0, 2 * rim), quarter)?;
            // About the middle of a square: the edge from (r, −1) to (r, 1) is the first.
            let rim = 2 * rim - 1;
            walk.begin(rim, (rim, 1), (1, rim), quarter - 1)?;
        }
        found[2 * quarter][0] = walk.found;
    }
    Ok(found)
}

type Point = (i32, i32);

struct Walk<'r> {
    taken: Vec<bool>,
    /// How far a path may go.
    reach: i32,
    /// Where the outermost crossing is.
    rim: i32,
    found: u128,
    run: &'r Run,
}

impl Walk<'_> {
    fn begin(&mut self, rim: i32, from: Point, to: Point, steps: usize) -> Result<(), Stop> {
        self.rim = rim;
        self.take(from, true);
        self.go(from, to, steps)?;
        self.take(from, false);
        self.run.tick(1)
    }

    fn index(&self, (x, y): Point) -> usize {
        ((x + self.reach) * (2 * self.reach + 1) + y + self.reach) as usize
    }

    /// Takes a vertex and its three images, or gives them back.
    fn take(&mut self, (mut x, mut y): Point, is_taken: bool) {
        for _ in 0..4 {
            let index = self.index((x, y));
            self.taken[index] = is_taken;
            (x, y) = (-y, x);
        }
    }

    fn go(&mut self, at: Point, to: Point, steps: usize) -> Result<(), Stop> {
        if steps == 0 {
            self.found += u128::from(at == to);
            return Ok(());
        }
        let far = (at.0 - to.0).unsigned_abs() + (at.1 - to.1).unsigned_abs();
        if far as usize > 2 * steps {
            return Ok(());
        }
        if steps == 8 {
            self.run.tick(1)?;
        }
        for (dx, dy) in [(2, 0), (0, 2), (-2, 0), (0, -2)] {
            let next = (at.0 + dx, at.1 + dy);
            // The middle of the step, if that is on an axis, and a vertex there.
            let middle = (at.0 + dx / 2, at.1 + dy / 2);
            if self.is_beyond(next) || self.is_beyond(middle) || next == (0, 0) {
                continue;
            }
            // The end is the image of the start about a vertex, and is taken.
            let is_end = next == to && steps == 1;
            if self.taken[self.index(next)] && !(is_end && self.rim % 2 == 0) {
                continue;
            }
            self.take(next, true);
            self.go(next, to, steps - 1)?;
            // What was taken before stays so.
            if !is_end || self.rim % 2 == 1 {
                self.take(next, false);
            }
        }
        Ok(())
    }

    /// Whether a point is on one of the four rays, further out than the outermost crossing.
    fn is_beyond(&self, (x, y): Point) -> bool {
        (x == 0 || y == 0) && x.abs().max(y.abs()) > self.rim
    }
}
