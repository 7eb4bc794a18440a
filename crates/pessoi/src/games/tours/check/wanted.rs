//! Checking tours that are more than tours: symmetric, magic, with few crossings.
//!
//! All of it is decided from coordinates: symmetries move cells, sums are added up, and lines
//! meet where their equations say so.

use std::collections::{BTreeMap, BTreeSet};

use super::{CutShort, Rules, forged, wrong};
use crate::answer::Answer;
use crate::board::Cell;
use crate::check::Findings;
use crate::error::Result;
use crate::games::tours::options::{FEW_CROSSINGS, KEPT_BY, MAGIC};
use crate::games::tours::wanted::{CROSSINGS, FEWEST};
use pessoi_engine::run::Run;

type Map = BTreeMap<Cell, Cell>;

/// Whether doing it twice moves no cell.
fn is_undone_by_itself(map: &Map) -> bool {
    map.values().zip(map.keys()).all(|(to, from)| map[to] == *from)
}

/// Whether every cell and its image lie on both sides of one point.
fn turns_about_a_point(map: &Map) -> bool {
    let sums: BTreeSet<(i32, i32)> =
        map.iter().map(|(a, b)| (a.row + b.row, a.col + b.col)).collect();
    sums.len() == 1
}

/// Whether all cells are in one row or one column.
fn is_line(map: &Map) -> bool {
    let rows: BTreeSet<i32> = map.keys().map(|cell| cell.row).collect();
    let cols: BTreeSet<i32> = map.keys().map(|cell| cell.col).collect();
    rows.len() == 1 || cols.len() == 1
}

/// The moves of a path, each with its lesser cell first.
fn moves(path: &[Cell], closed: bool) -> Vec<(Cell, Cell)> {
    let back = closed.then(|| (path[path.len() - 1], path[0]));
    let steps = path.windows(2).map(|pair| (pair[0], pair[1])).chain(back);
    steps.map(|(a, b)| (a.min(b), a.max(b))).collect()
}

/// Whether two moves have a point in common, other than a cell where one follows the other.
/// A point of the first is a + s·u, one of the second c + t·v, with s and t from 0 to 1.
fn cross((a, b): (Cell, Cell), (c, d): (Cell, Cell)) -> bool {
    let (u, v) = ((b.row - a.row, b.col - a.col), (d.row - c.row, d.col - c.col));
    let w = (c.row - a.row, c.col - a.col);
    let det = |p: (i32, i32), q: (i32, i32)| p.0 * q.1 - p.1 * q.0;
    let bottom = det(u, v);
    if bottom == 0 {
        if det(u, w) != 0 {
            return false;
        }
        // On one line: they share more than a point if they overlap.
        let along = |cell: Cell| (cell.row - a.row) * u.0 + (cell.col - a.col) * u.1;
        let (from, to) = (along(c).min(along(d)), along(c).max(along(d)));
        let end = along(b);
        return from.max(0) < to.min(end);
    }
    // s and t as fractions over the same bottom.
    let (s, t) = (det(w, v) * bottom.signum(), det(w, u) * bottom.signum());
    let most = bottom.abs();
    if !(0..=most).contains(&s) || !(0..=most).contains(&t) {
        return false;
    }
    let at_ends = (s == 0 || s == most) && (t == 0 || t == most);
    !at_ends
}

fn crossings(path: &[Cell], closed: bool) -> u64 {
    let moves = moves(path, closed);
    let pairs = (0..moves.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| cross(moves[i], moves[j])).count() as u64
}

impl Rules<'_> {
    /// The symmetries of a kind that the board has.
    fn maps_of(&self, kind: &str) -> Vec<Map> {
        let free = self.with_fixed(BTreeMap::new());
        let mut maps = free.maps();
        maps.retain(|map| {
            let moves_nothing = map.iter().all(|(a, b)| a == b);
            let (twice, point) = (is_undone_by_itself(map), turns_about_a_point(map));
            !moves_nothing
                && match kind {
                    "rotation" => !twice,
                    "half-turn" => twice && point,
                    _ => twice && (!point || is_line(map)),
                }
        });
        maps
    }

    /// Whether a tour is what is wanted besides.
    pub(super) fn check_wanted(&self, path: &[Cell], closed: bool) -> Result<()> {
        if let Some(kind) = self.question.text(&KEPT_BY) {
            let taken: BTreeSet<(Cell, Cell)> = moves(path, closed).into_iter().collect();
            let keeps = |map: &Map| {
                taken.iter().all(|(a, b)| {
                    let (a, b) = (map[a], map[b]);
                    taken.contains(&(a.min(b), a.max(b)))
                })
            };
            if !self.maps_of(kind).iter().any(keeps) {
                return forged("solutions", format!("a path is not kept by a {kind}"));
            }
        }
        if let Some(kind) = self.question.text(&MAGIC) {
            let mut sums: [BTreeMap<i32, usize>; 4] = Default::default();
            for (number, cell) in (1..).zip(path) {
                let keys = [cell.row, cell.col, cell.row - cell.col, cell.row + cell.col];
                for (sums, key) in sums.iter_mut().zip(keys) {
                    *sums.entry(key).or_default() += number;
                }
            }
            let [rows, cols, down, up] = &sums;
            let equal =
                |sums: &BTreeMap<i32, usize>| sums.values().collect::<BTreeSet<_>>().len() == 1;
            let (top, left) = (rows.keys().next(), cols.keys().next());
            let diagonals = || {
                let (Some(top), Some(left)) = (top, left) else { return false };
                let wanted = rows.values().next();
                let other = top + left + rows.len() as i32 - 1;
                down.get(&(top - left)) == wanted && up.get(&other) == wanted
            };
            if !equal(rows) || !equal(cols) || kind == "full" && !diagonals() {
                return forged("solutions", "the sums of a path are not equal");
            }
        }
        Ok(())
    }

    /// Whether the crossings of the path that was given are counted rightly, and whether any
    /// path has fewer.
    pub(super) fn check_crossings(
        &self,
        answer: &Answer,
        found: Findings,
        run: &Run,
    ) -> Result<Findings> {
        if !self.question.flag(&FEW_CROSSINGS) {
            return Ok(found);
        }
        let [solution] = &answer.solutions[..] else {
            return forged("solutions", "it does not hold one path");
        };
        let here = crossings(solution.figure.path(), self.closed);
        let text = "pairs of moves that cross";
        let mut found = found.fact(answer, CROSSINGS, text, here, "counted again")?;
        if answer.fact_of(CROSSINGS).is_none() || answer.fact_of(FEWEST).is_none() {
            return forged("facts", "it does not say how often the path crosses itself");
        }
        let mut least = here;
        let tried = self.each(run, |path| {
            least = least.min(crossings(path, self.closed));
            Ok(())
        });
        match tried {
            Ok(()) if answer.value.stop().is_none() => {
                let how = "trying everything again finds none with fewer";
                found = found.fact(answer, FEWEST, "no tour has fewer", least == here, how)?;
                Ok(found.reads(&[&FEW_CROSSINGS]))
            }
            Ok(()) => Ok(found.but(format!("facts.{FEWEST}"), "the answer was stopped")),
            Err(cut @ (CutShort::Stop(_) | CutShort::Tried)) => {
                Ok(found.but(format!("facts.{FEWEST}"), cut.to_string()))
            }
        }
    }

    /// The proof that the symmetries that were asked for keep no tour: each of them would act on
    /// the positions 0 to n − 1 along the tour as p → p + k or as p → k − p. All of these are
    /// tried, with what each would need of the board.
    pub(super) fn check_excluded(&self) -> Result<&'static str> {
        let Some(kind) = self.question.text(&KEPT_BY) else {
            return wrong("no symmetry was asked for");
        };
        let odd = |number: i32| number.rem_euclid(2) == 1;
        let moves_change = self.leapers.iter().all(|(a, b)| odd(a + b));
        let n = self.cells.len() as i32;
        for map in self.maps_of(kind) {
            let staying = map.iter().filter(|(a, b)| a == b).count();
            let inverted = map.iter().filter(|&(&a, &b)| a < b && map[&b] == a);
            let inverted = inverted.filter(|&(&a, &b)| self.joined(a, b)).count();
            let order = if is_undone_by_itself(&map) { 2 } else { 4 };
            let fits = |to: &dyn Fn(i32) -> i32, is_reversed: bool| {
                // Done as often as its order says it moves nothing, and not before.
                let times = |times: i32, p: i32| (0..times).fold(p, |p, _| to(p));
                let is_of_order = (0..n).all(|p| times(order, p) == p)
                    && (order == 2 || (0..n).any(|p| times(2, p) != p));
                let middles = (0..n).filter(|&p| to(p) == p).count();
                let last = if self.closed { n } else { n - 1 };
                let turned = |p: &i32| to(*p) == (p + 1) % n && to((p + 1) % n) == *p;
                let needed = (0..last).filter(turned).count();
                let changes = (0..n).all(|p| odd(to(p) - p));
                let keeps = (0..n).all(|p| !odd(to(p) - p));
                let colours = map.iter().map(|(a, b)| odd(a.row + a.col + b.row + b.col));
                let colours: BTreeSet<bool> = colours.collect();
                let colours_fit = !moves_change
                    || changes && colours == BTreeSet::from([true])
                    || keeps && colours == BTreeSet::from([false]);
                let ends_fit = self.closed || is_reversed && to(0) == n - 1;
                is_of_order && ends_fit && middles == staying && needed <= inverted && colours_fit
            };
            let can_be = (0..n).any(|k| {
                fits(&|p| (p + k).rem_euclid(n), false) || fits(&|p| (k - p).rem_euclid(n), true)
            });
            if can_be {
                return wrong("a symmetry that was asked for can keep a tour");
            }
        }
        Ok("it can neither move the cells of a tour on along it nor reverse it")
    }

    /// The proof that sums cannot be equal.
    pub(super) fn check_sums(&self) -> Result<&'static str> {
        if self.question.text(&MAGIC).is_none() {
            return wrong("no sums were asked for");
        }
        let rows = self.cells.iter().map(|cell| cell.row).collect::<BTreeSet<_>>().len();
        let cols = self.cells.iter().map(|cell| cell.col).collect::<BTreeSet<_>>().len();
        let sum: usize = (1..=self.cells.len()).sum();
        if !sum.is_multiple_of(rows) || !sum.is_multiple_of(cols) {
            return Ok("the sum of all numbers cannot be shared equally");
        }
        let moves_change = self.leapers.iter().all(|(a, b)| (a + b) % 2 == 1);
        if moves_change && self.cells.len() > 1 && rows % 2 == 1 && cols % 2 == 1 {
            return Ok("the sums of lines are by turns odd and even");
        }
        wrong("the sums can be equal")
    }
}
