//! Which moves get in each other's way: an exact test on whole numbers.
//!
//! A loop is *non-crossing* if its moves, drawn as straight lines, make a simple polygon:
//! two moves that follow one another meet in their common cell only, and any other two do
//! not meet at all. A line from cell to cell of an (a,b)-leaper passes over other cells only
//! if a and b have a common factor; so two knight's moves meet in an end, or cross properly,
//! or not at all, while (2,2) or (3,0) may also touch or overlap. The test of closed
//! segments below covers all of these.
//!
//! Which moves meet does not depend on where they are, so it is found once, for a move from
//! (0,0). A knight's move is crossed by nine others. The search keeps for each cell the set
//! of moves that were used there (from either end, a bit for each), and so needs to look
//! only at a few cells that together touch all the nine: four are enough.

use std::collections::BTreeMap;

use super::moves::{Moves, Point, minus, plus};

/// On which side of the line from a to b the point c is.
fn side(a: Point, b: Point, c: Point) -> i64 {
    let (u, v) = (minus(b, a), minus(c, a));
    (i64::from(u.0) * i64::from(v.1) - i64::from(u.1) * i64::from(v.0)).signum()
}

/// Whether c, known to be on the line through a and b, is between them or one of them.
fn is_between(a: Point, b: Point, c: Point) -> bool {
    (a.0.min(b.0)..=a.0.max(b.0)).contains(&c.0) && (a.1.min(b.1)..=a.1.max(b.1)).contains(&c.1)
}

/// Whether the segments from a to b and from c to d have a point in common.
fn touch(a: Point, b: Point, c: Point, d: Point) -> bool {
    let (c_side, d_side) = (side(a, b, c), side(a, b, d));
    let (a_side, b_side) = (side(c, d, a), side(c, d, b));
    if c_side != d_side && a_side != b_side && c_side * d_side <= 0 && a_side * b_side <= 0 {
        return true;
    }
    c_side == 0 && is_between(a, b, c)
        || d_side == 0 && is_between(a, b, d)
        || a_side == 0 && is_between(c, d, a)
        || b_side == 0 && is_between(c, d, b)
}

/// Whether two different moves, from a to b and from c to d, cannot both be part of a
/// non-crossing path. If they have an end in common they follow one another there.
pub(super) fn conflict(a: Point, b: Point, c: Point, d: Point) -> bool {
    let common = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
    match common.into_iter().find(|(end, _, other, _)| end == other) {
        Some((end, far, _, other)) => {
            // They leave their common end the same way: one lies on the other.
            let (u, v) = (minus(far, end), minus(other, end));
            side(end, far, other) == 0
                && u.0.signum() == v.0.signum()
                && u.1.signum() == v.1.signum()
        }
        None => touch(a, b, c, d),
    }
}

/// For each move, the cells to look at (from its start) and the moves used there that are in
/// its way, a bit for each.
#[derive(Clone, Debug)]
pub(super) struct Crossing(Vec<Vec<(Point, u64)>>);

impl Crossing {
    pub(super) fn new(moves: &Moves) -> Self {
        let reach = 2 * moves.longest();
        let table = moves.steps().iter().map(|&step| {
            let mut others: Vec<[(Point, u8); 2]> = Vec::new();
            for row in -reach..=reach {
                for col in -reach..=reach {
                    for m in 0..moves.len() as u8 {
                        let (from, to) = ((row, col), plus((row, col), moves.step(m)));
                        let is_itself =
                            [from, to] == [(0, 0), step] || [to, from] == [(0, 0), step];
                        // Each of them once, not once from either end.
                        if from < to && !is_itself && conflict((0, 0), step, from, to) {
                            others.push([(from, m), (to, moves.opposite(m))]);
                        }
                    }
                }
            }
            cover(others)
        });
        Crossing(table.collect())
    }

    /// Where to look for what is in the way of this move.
    pub(super) fn look(&self, number: u8) -> &[(Point, u64)] {
        &self.0[usize::from(number)]
    }
}

/// Few cells that touch all of these moves: always the cell that touches most of the rest.
fn cover(mut others: Vec<[(Point, u8); 2]>) -> Vec<(Point, u64)> {
    // How many of the moves that are left each cell touches.
    let mut touches: BTreeMap<Point, usize> = BTreeMap::new();
    for &(end, _) in others.iter().flatten() {
        *touches.entry(end).or_default() += 1;
    }
    let mut found = Vec::new();
    while let Some((&best, _)) = touches.iter().max_by_key(|&(cell, number)| (*number, *cell)) {
        let mut bits = 0;
        others.retain(|ends| {
            let Some(&(_, m)) = ends.iter().find(|&&(end, _)| end == best) else { return true };
            bits |= 1u64 << m;
            for (end, _) in ends {
                if let Some(number) = touches.get_mut(end) {
                    *number -= 1;
                }
            }
            false
        });
        touches.retain(|_, number| *number > 0);
        found.push((best, bits));
    }
    found
}

/// How many pairs of moves of a closed path get in each other's way.
pub(super) fn crossings(cells: &[Point]) -> usize {
    let k = cells.len();
    let segment = |i: usize| (cells[i], cells[(i + 1) % k]);
    let pairs = (0..k).flat_map(|i| (0..i).map(move |j| (segment(i), segment(j))));
    pairs.filter(|&((a, b), (c, d))| conflict(a, b, c, d)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knights_move_is_crossed_by_nine_seen_from_four_cells() {
        let crossing = Crossing::new(&Moves::new(&[(1, 2)]));
        for m in 0..8 {
            assert_eq!(crossing.look(m).len(), 4);
            assert_eq!(crossing.look(m).iter().map(|(_, bits)| bits.count_ones()).sum::<u32>(), 9);
        }
    }

    #[test]
    fn segments_that_touch_overlap_or_only_share_an_end() {
        let cases = [
            ((0, 0), (3, 0), (1, 0), (1, 5), true), // an end inside the other
            ((0, 0), (3, 0), (2, 0), (5, 0), true), // they overlap
            ((0, 0), (3, 0), (3, 0), (6, 0), false), // one goes on where the other ends
            ((0, 0), (3, 0), (0, 0), (2, 0), true), // one lies on the other
            ((0, 0), (2, 2), (0, 2), (2, 0), true), // they cross in a cell
            ((0, 0), (1, 2), (0, 1), (1, 3), false), // side by side
            ((0, 0), (3, 0), (4, 0), (7, 0), false), // in line, apart
            ((0, 0), (1, 2), (0, 2), (1, 0), true),
        ];
        for (a, b, c, d, meet) in cases {
            assert_eq!(conflict(a, b, c, d), meet, "{a:?}-{b:?} {c:?}-{d:?}");
            assert_eq!(conflict(d, c, b, a), meet, "{a:?}-{b:?} {c:?}-{d:?} backwards");
        }
    }
}
