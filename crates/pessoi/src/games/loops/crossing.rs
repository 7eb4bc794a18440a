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

use super::moves::{Moves, Point, plus};
pub(super) use crate::board::segments::conflict;

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
