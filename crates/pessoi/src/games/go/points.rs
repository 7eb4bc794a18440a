//! Points and what touches what: all that legality needs to know of a board.
//!
//! Besides boards there are their *quotients*. A position that a symmetry maps to itself
//! (perhaps with colours reversed) is known from one point of each orbit, and it is legal
//! exactly if the colours of these points, joined as their orbits are, leave no string
//! without a liberty. With reversed colours the join of two orbits may be *crossed*: a stone
//! there belongs to the string if it has the other colour. An orbit that reversal brings back
//! to itself must be empty.

use crate::board::Board;

/// Points in the order in which they are read.
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// For each point, its neighbours among the points before it, and whether the join is
    /// crossed.
    pub(super) earlier: Vec<Vec<(usize, bool)>>,
    /// Points that must be empty.
    pub(super) bare: Vec<bool>,
}

impl Points {
    /// The points of a board; rectangles column by column along their longer side.
    pub(super) fn of(board: &Board) -> Points {
        let joins: Vec<Vec<(usize, bool)>> = (0..board.len())
            .map(|point| board.neighbours(point).map(|other| (other, false)).collect())
            .collect();
        let bare = vec![false; board.len()];
        let (rows, cols) = (board.rows(), board.cols());
        let mut by_column: Vec<usize> = (0..board.len()).collect();
        by_column.sort_by_key(|&point| (board.cell(point).col, board.cell(point).row));
        if board.is_full_rectangle().is_some() {
            let order = if rows <= cols { by_column } else { (0..board.len()).collect() };
            return Points::ordered(&joins, &bare, &order);
        }
        Points::best(&joins, &bare, &[(0..board.len()).collect(), by_column])
    }

    /// The points of a board up to a symmetry: positions that it fixes. `reverses` if colours
    /// are reversed too.
    pub(super) fn fixed_by(board: &Board, permutation: &[u32], reverses: bool) -> Points {
        const NONE: usize = usize::MAX;
        let mut orbit_of = vec![(NONE, false); board.len()];
        let mut bare = Vec::new();
        for start in 0..board.len() {
            if orbit_of[start].0 != NONE {
                continue;
            }
            let (mut point, mut crossed) = (start, false);
            while orbit_of[point].0 == NONE {
                orbit_of[point] = (bare.len(), crossed);
                point = permutation[point] as usize;
                crossed ^= reverses;
            }
            bare.push(crossed);
        }
        let mut joins: Vec<Vec<(usize, bool)>> = vec![Vec::new(); bare.len()];
        for point in 0..board.len() {
            let (orbit, crossed) = orbit_of[point];
            for (other, other_crossed) in board.neighbours(point).map(|other| orbit_of[other]) {
                let join = (other, crossed ^ other_crossed);
                if other != orbit && !joins[orbit].contains(&join) {
                    joins[orbit].push(join);
                }
            }
        }
        Points::best(&joins, &bare, &[(0..bare.len()).collect()])
    }

    /// The order, of those given and one that always reads the point that keeps the border
    /// smallest, with the smallest borders.
    fn best(joins: &[Vec<(usize, bool)>], bare: &[bool], orders: &[Vec<usize>]) -> Points {
        let mut orders = orders.to_vec();
        // It looks at all points each time, which only small boards are worth.
        if joins.len() <= 1000 {
            orders.push(greedy(joins));
        }
        let candidates = orders.iter().map(|order| Points::ordered(joins, bare, order));
        let cost = |points: &Points| {
            let widths = points.widths();
            (widths.iter().copied().max().unwrap_or(0), widths.iter().sum::<usize>())
        };
        // Some order is always given.
        candidates.min_by_key(cost).unwrap_or(Points { earlier: Vec::new(), bare: Vec::new() })
    }

    fn ordered(joins: &[Vec<(usize, bool)>], bare: &[bool], order: &[usize]) -> Points {
        let mut place = vec![0; order.len()];
        for (k, &point) in order.iter().enumerate() {
            place[point] = k;
        }
        let earlier = order.iter().enumerate().map(|(k, &point)| {
            let joins = joins[point].iter().map(|&(other, crossed)| (place[other], crossed));
            joins.filter(|&(other, _)| other < k).collect()
        });
        Points { earlier: earlier.collect(), bare: order.iter().map(|&p| bare[p]).collect() }
    }

    /// For each point, the last that touches it: itself if none after it does.
    pub(super) fn last_touched(&self) -> Vec<usize> {
        let mut last: Vec<usize> = (0..self.earlier.len()).collect();
        for (point, joins) in self.earlier.iter().enumerate() {
            for &(other, _) in joins {
                last[other] = point;
            }
        }
        last
    }

    /// Points of the border after each point.
    pub(super) fn widths(&self) -> Vec<usize> {
        let last = self.last_touched();
        let mut ends = vec![0; last.len()];
        for &end in &last {
            ends[end] += 1;
        }
        let mut open = 0usize;
        let width = |&ended: &usize| {
            open = open + 1 - ended;
            open
        };
        ends.iter().map(width).collect()
    }
}

fn greedy(joins: &[Vec<(usize, bool)>]) -> Vec<usize> {
    let n = joins.len();
    let mut left: Vec<usize> = joins.iter().map(Vec::len).collect();
    let mut read = vec![false; n];
    let mut order = Vec::with_capacity(n);
    for _ in 0..n {
        // What reading a point adds to the border: itself, less the neighbours it completes.
        let cost = |&point: &usize| {
            let completed = joins[point].iter().filter(|&&(o, _)| read[o] && left[o] == 1).count();
            let itself = usize::from(left[point] > 0);
            let touches = joins[point].iter().filter(|&&(o, _)| read[o]).count();
            (itself + n - completed, n - touches, point)
        };
        let Some(next) = (0..n).filter(|&point| !read[point]).min_by_key(cost) else { break };
        read[next] = true;
        order.push(next);
        for &(other, _) in &joins[next] {
            left[other] -= 1;
        }
    }
    order
}
