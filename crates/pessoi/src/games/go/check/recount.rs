//! Legal positions counted again, point by point, with a plain map from lines of points to
//! numbers.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::rules::{Grid, all_legal, grid, transposed};
use crate::board::Board;
use crate::error::Result;
use pessoi_engine::run::Run;

/// Lines that are followed, at most: some seconds' worth.
const MOST_LINES: usize = 1_000_000;
/// Wider boards are not begun: their lines are too many long before the first row ends.
const MOST_WIDTH: usize = 30;

/// A point of the line where what was read meets what was not: its sign, a number for the
/// string of a stone without a liberty so far, and whether it has one.
type Point = (u8, u8, bool);

/// The line after one more point in column `c`; `None` if a string is left without a liberty.
fn read_point(line: &[Point], c: usize, sign: u8) -> Option<Vec<Point>> {
    let mut next = line.to_vec();
    let up = line[c];
    let around = [Some(up), c.checked_sub(1).map(|left| line[left])];
    let around = || around.into_iter().flatten();
    // A number that no string has.
    let fresh = line.len() as u8 + 1;
    next[c] = (sign, 0, false);
    if sign == b'.' {
        for (_, string, _) in around().filter(|&(_, string, _)| string > 0) {
            for point in next.iter_mut().filter(|point| point.1 == string) {
                *point = (point.0, 0, true);
            }
        }
    } else if sign != b'#' {
        next[c] = (sign, fresh, false);
        let mut liberty = false;
        for (other, string, free) in around() {
            liberty |= other == b'.' || other == sign && free;
            if other == sign && string > 0 {
                next.iter_mut().filter(|point| point.1 == string).for_each(|p| p.1 = fresh);
            }
        }
        if liberty {
            for point in next.iter_mut().filter(|point| point.1 == fresh) {
                *point = (point.0, 0, true);
            }
        }
    }
    // The point above leaves the line: was it the last of a string without a liberty?
    let joins = up.0 == sign || sign == b'.';
    if up.1 > 0 && !joins && next.iter().all(|point| point.1 != up.1) {
        return None;
    }
    // Strings are numbered as they come.
    let mut names = vec![0u8; usize::from(fresh) + 1];
    let mut named = 0;
    for point in next.iter_mut().filter(|point| point.1 > 0) {
        let name = &mut names[usize::from(point.1)];
        if *name == 0 {
            named += 1;
            *name = named;
        }
        point.1 = *name;
    }
    Some(next)
}

/// Counts legal positions again, row by row; `each` gets the number for the first row, the
/// first two rows and so on. Whether it came to the end; large boards are given up.
pub(super) fn recount(blank: &Grid, run: &Run, mut each: impl FnMut(BigUint)) -> bool {
    let width = blank.first().map_or(0, Vec::len);
    if width > MOST_WIDTH {
        return false;
    }
    let mut lines = BTreeMap::from([(vec![(b'#', 0u8, false); width], BigUint::from(1u8))]);
    let mut followed = 0;
    for row in blank {
        for (c, &place) in row.iter().enumerate() {
            let signs: &[u8] = if place == b'.' { b".XO" } else { b"#" };
            let mut after: BTreeMap<Vec<Point>, BigUint> = BTreeMap::new();
            for (line, ways) in &lines {
                for next in signs.iter().filter_map(|&sign| read_point(line, c, sign)) {
                    *after.entry(next).or_default() += ways;
                }
            }
            followed += lines.len();
            lines = after;
            if followed > MOST_LINES || run.check().is_err() {
                return false;
            }
        }
        let done = lines.iter().filter(|(line, _)| line.iter().all(|point| point.1 == 0));
        each(done.map(|(_, ways)| ways).sum());
    }
    true
}

/// The number of legal positions, counted again, and how; `None` for large boards.
pub(super) fn legal_again(board: &Board, run: &Run) -> Result<Option<(BigUint, &'static str)>> {
    if let Some(legal) = all_legal(board, run)? {
        return Ok(Some((legal.len().into(), "all colourings were tried")));
    }
    let blank = grid(board, &board.to_drawing())?;
    // Narrow lines are few.
    let blank = if blank.len() < blank[0].len() { transposed(&blank) } else { blank };
    let mut total = BigUint::default();
    let done = recount(&blank, run, |number| total = number);
    Ok(done.then_some((total, "counted again row by row")))
}
