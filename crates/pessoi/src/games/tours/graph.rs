//! The move graph: which cells are one move apart.
//!
//! A **leaper** (a,b) moves a cells along one axis and b along the other, in any
//! direction, whatever lies between. A game's moves are those of one or more
//! leapers: (1,2) for the knight, (3,0) and (2,2) for Diplomatico.

use crate::board::{Board, Cell};
use crate::games::leapers::offsets;

/// The cells of a board, joined where one move leads from one to the other.
#[derive(Clone, Debug)]
pub(super) struct MoveGraph {
    /// Where each cell's neighbours begin in `ends`; one more entry than cells.
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl MoveGraph {
    /// Joins the cells of a board by the moves of some leapers.
    pub(super) fn new(board: &Board, leapers: &[(i32, i32)]) -> Self {
        let offsets = offsets(leapers);
        let mut graph = MoveGraph { starts: vec![0], ends: Vec::new() };
        for cell in board.cells() {
            let to = offsets.iter().filter_map(|&(row, col)| {
                let there = Cell { row: cell.row + row, col: cell.col + col };
                board.index(there).map(|index| index as u32)
            });
            let begin = graph.ends.len();
            graph.ends.extend(to);
            graph.ends[begin..].sort_unstable();
            graph.starts.push(graph.ends.len() as u32);
        }
        graph
    }

    /// How many cells there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The cells one move from `cell`, in increasing order.
    pub(super) fn neighbours(&self, cell: u32) -> &[u32] {
        let cell = cell as usize;
        &self.ends[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// How many moves lead from `cell`.
    pub(super) fn degree(&self, cell: u32) -> usize {
        self.neighbours(cell).len()
    }

    /// Whether one move leads from `a` to `b`.
    #[inline]
    pub(super) fn joined(&self, a: u32, b: u32) -> bool {
        // Never more than a few dozen, mostly eight: looking beats halving.
        self.neighbours(a).contains(&b)
    }

    /// All edges, each once, from the lower cell to the higher.
    pub(super) fn edges(&self) -> impl Iterator<Item = (u32, u32)> {
        let from = |a: u32| self.neighbours(a).iter().map(move |&b| (a, b));
        (0..self.len() as u32).flat_map(from).filter(|(a, b)| a < b)
    }

    /// The cells in connected parts, largest part first.
    pub(super) fn parts(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.len()];
        let mut parts = Vec::new();
        for first in 0..self.len() as u32 {
            if std::mem::replace(&mut seen[first as usize], true) {
                continue;
            }
            let mut part = vec![first];
            let mut next = 0;
            while next < part.len() {
                for &to in self.neighbours(part[next]) {
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        part.push(to);
                    }
                }
                next += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        parts
    }

    /// How many parts there are without one cell.
    pub(super) fn parts_without(&self, cell: u32) -> usize {
        let mut seen = vec![false; self.len()];
        seen[cell as usize] = true;
        let mut parts = 0;
        for first in 0..self.len() as u32 {
            if std::mem::replace(&mut seen[first as usize], true) {
                continue;
            }
            parts += 1;
            let mut queue = vec![first];
            while let Some(cell) = queue.pop() {
                for &to in self.neighbours(cell) {
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        queue.push(to);
                    }
                }
            }
        }
        parts
    }

    /// Two colours such that every move changes the colour, if that is possible.
    pub(super) fn colours(&self) -> Option<Vec<bool>> {
        let mut colour: Vec<Option<bool>> = vec![None; self.len()];
        for part in self.parts() {
            let mut queue = vec![part[0]];
            colour[part[0] as usize] = Some(false);
            while let Some(cell) = queue.pop() {
                let mine = colour[cell as usize]?;
                for &to in self.neighbours(cell) {
                    match colour[to as usize] {
                        None => {
                            colour[to as usize] = Some(!mine);
                            queue.push(to);
                        }
                        Some(theirs) if theirs == mine => return None,
                        Some(_) => {}
                    }
                }
            }
        }
        colour.into_iter().collect()
    }

    /// Cells whose removal would cut their part in two.
    ///
    /// Tarjan's method without recursion: a cell cuts if some child of it in the
    /// depth-first tree reaches nothing above it.
    pub(super) fn cut_cells(&self) -> Vec<u32> {
        let n = self.len();
        let mut order = vec![0u32; n];
        let mut low = vec![0u32; n];
        let mut cuts = vec![false; n];
        let mut clock = 0;
        for root in 0..n as u32 {
            if order[root as usize] != 0 {
                continue;
            }
            clock += 1;
            order[root as usize] = clock;
            low[root as usize] = clock;
            let mut children_of_root = 0;
            // Each frame: a cell, its parent, and the next neighbour to look at.
            let mut stack = vec![(root, u32::MAX, 0usize)];
            while let Some(&mut (cell, parent, ref mut next)) = stack.last_mut() {
                let c = cell as usize;
                if let Some(&to) = self.neighbours(cell).get(*next) {
                    *next += 1;
                    let t = to as usize;
                    if order[t] == 0 {
                        clock += 1;
                        order[t] = clock;
                        low[t] = clock;
                        stack.push((to, cell, 0));
                    } else if to != parent {
                        low[c] = low[c].min(order[t]);
                    }
                } else {
                    stack.pop();
                    if parent == root {
                        children_of_root += 1;
                    }
                    if parent != u32::MAX {
                        let p = parent as usize;
                        low[p] = low[p].min(low[c]);
                        if parent != root && low[c] >= order[p] {
                            cuts[p] = true;
                        }
                    }
                }
            }
            cuts[root as usize] = children_of_root > 1;
        }
        (0..n as u32).filter(|&cell| cuts[cell as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moves_of_leapers() {
        assert_eq!(offsets(&[(1, 2)]).len(), 8);
        assert_eq!(offsets(&[(3, 0), (2, 2)]).len(), 8);
        assert_eq!(offsets(&[(1, 0), (1, 1)]).len(), 8);
        let graph = MoveGraph::new(&Board::rectangle(8, 8).unwrap(), &[(1, 2)]);
        assert_eq!(graph.edges().count(), 168);
        let colours = graph.colours().unwrap();
        assert_eq!(colours.iter().filter(|&&dark| dark).count(), 32);
        assert!(graph.cut_cells().is_empty());
    }

    #[test]
    fn diplomatico_has_odd_cycles_and_4x4_has_ends() {
        let graph = MoveGraph::new(&Board::rectangle(6, 6).unwrap(), &[(3, 0), (2, 2)]);
        assert_eq!(graph.colours(), None);
        let graph = MoveGraph::new(&Board::rectangle(4, 4).unwrap(), &[(3, 0), (2, 2)]);
        assert_eq!((0..16).filter(|&cell| graph.degree(cell) == 1).count(), 4);
    }

    proptest! {
        #[test]
        fn cut_cells_are_those_that_disconnect(blocked in prop::collection::vec(any::<bool>(), 25)) {
            let cells = (0..25).filter(|&i| !blocked[i as usize]);
            let cells: Vec<_> = cells.map(|i| Cell { row: i / 5, col: i % 5 }).collect();
            prop_assume!(!cells.is_empty());
            let build = |cells: &[Cell]| {
                Board::from_cells(crate::board::Lattice::Square, cells.iter().copied())
                    .map(|board| MoveGraph::new(&board, &[(1, 0)]))
            };
            let graph = build(&cells).unwrap();
            let whole = graph.parts().len();
            let expected: Vec<u32> = (0..cells.len())
                .filter(|&k| {
                    let mut rest = cells.clone();
                    rest.remove(k);
                    build(&rest).is_ok_and(|graph| graph.parts().len() > whole)
                })
                .map(|k| k as u32)
                .collect();
            prop_assert_eq!(graph.cut_cells(), expected);
        }
    }
}
