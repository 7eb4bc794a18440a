//! Whether a closed path is a simple polygon, for the paper's algorithms.
//!
//! The orderly search asks tables of [`super::crossing`] which moves are in each other's way.
//! So that the paper's algorithms confirm its numbers, they have a test of their own, and it
//! goes another way: two moves p + t·r and q + u·s, with t and u from 0 to 1, meet where both
//! equations hold, and t and u are fractions whose common denominator is r × s.

use super::moves::{Point, minus};

/// The cross product.
fn cross(a: Point, b: Point) -> i64 {
    i64::from(a.0) * i64::from(b.1) - i64::from(a.1) * i64::from(b.0)
}

fn dot(a: Point, b: Point) -> i64 {
    i64::from(a.0) * i64::from(b.0) + i64::from(a.1) * i64::from(b.1)
}

/// Whether no two moves of a closed path have a point in common, apart from the cell between
/// two that follow one another.
pub(super) fn is_simple(cells: &[Point]) -> bool {
    let k = cells.len();
    (0..k).all(|i| (i + 1..k).all(|j| is_apart(cells, i, j)))
}

/// Whether the moves from the i-th and from the j-th cell, i < j, are as they should be.
fn is_apart(cells: &[Point], i: usize, j: usize) -> bool {
    let k = cells.len();
    let (p, q) = (cells[i], cells[j]);
    let (r, s) = (minus(cells[(i + 1) % k], p), minus(cells[(j + 1) % k], q));
    let (follows, precedes) = (j == i + 1, (j + 1) % k == i);
    let between = minus(q, p);
    // Where they meet, as t and u times the denominator, which is made positive.
    let mut denominator = cross(r, s);
    if denominator != 0 {
        let (mut t, mut u) = (cross(between, s), cross(between, r));
        if denominator < 0 {
            (denominator, t, u) = (-denominator, -t, -u);
        }
        let meet = (0..=denominator).contains(&t) && (0..=denominator).contains(&u);
        let in_common_cell =
            follows && t == denominator && u == 0 || precedes && t == 0 && u == denominator;
        return !meet || in_common_cell;
    }
    if cross(between, r) != 0 {
        return true;
    }
    // On one line: the second move as an interval of t, times the square of r.
    let (one, square) = (dot(between, r), dot(r, r));
    let other = one + dot(s, r);
    let (low, high) = (one.min(other), one.max(other));
    if high < 0 || low > square {
        return true;
    }
    // They may touch in the common cell, and nowhere else.
    follows && low == square && one == square || precedes && high == 0 && other == 0
}

#[cfg(test)]
mod tests {
    use super::super::crossing;
    use super::*;
    use pessoi_engine::random::Random;

    /// Two derivations of the same thing: closed paths of all kinds of moves.
    #[test]
    fn both_tests_agree() {
        let mut random = Random::new(7, 0);
        let mut simple = 0;
        for _ in 0..20_000 {
            let length = 3 + random.below(6) as usize;
            let mut cells: Vec<Point> = Vec::new();
            while cells.len() < length {
                let cell = (random.below(5) as i32, random.below(5) as i32);
                if !cells.contains(&cell) {
                    cells.push(cell);
                }
            }
            let other = crossing::crossings(&cells) == 0;
            assert_eq!(is_simple(&cells), other, "{cells:?}");
            simple += u32::from(other);
        }
        assert!((1000..19_000).contains(&simple), "{simple} of them were simple");
    }

    #[test]
    fn polygons() {
        assert!(is_simple(&[(0, 0), (0, 2), (2, 2), (2, 0)]));
        assert!(!is_simple(&[(0, 0), (2, 2), (0, 2), (2, 0)]));
        // A corner on a side, and a side on another.
        assert!(!is_simple(&[(0, 0), (0, 4), (2, 4), (0, 2), (2, 0)]));
        assert!(!is_simple(&[(0, 0), (0, 4), (0, 2), (2, 2)]));
        assert!(is_simple(&[(0, 0), (0, 2), (0, 4), (3, 2)]));
    }
}
