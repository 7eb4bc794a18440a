//! Finding by patches: large full boards in linear time, for most leapers.
//!
//! The board is cut into *patches* of 5 to 10 rows and columns. A patch with an even number of
//! cells gets a closed tour, found once for each size by rotations. Then the patches are joined
//! one by one to what is there: where a move a–b of what is there and a move c–d of the new patch
//! are such that a is one move from c and b one move from d, the first two are given up for the
//! last two, and two loops are one. Sides are cut into even pieces, and at most one odd one, so at
//! most one patch has an odd number of cells: it gets an open tour, and what it is joined to is
//! open from then on.
//!
//! That large boards have knight's tours made of tours of small ones is old; I. Parberry (An
//! efficient algorithm for the knight's tour problem, 1997) shows that four tours can be joined
//! at their corners if these have the right moves. Here the moves are looked for instead of being
//! prescribed, so that any leaper will do whose patches have tours.

use std::collections::BTreeMap;

use pessoi_engine::run::{Run, Stop};

use super::task::Task;
use super::{proofs, rotations};

/// Attempts for a patch by rotations.
const ATTEMPTS: u64 = 10;
/// Other tours of the patches that are tried if two patches cannot be joined.
const VARIANTS: u64 = 5;
/// No move at this end.
const END: u32 = u32::MAX;

/// Cuts a side into pieces of which only the last may be odd; `None` if it is too short.
fn pieces(side: usize) -> Option<Vec<usize>> {
    let (even, odd) = match side {
        0..=4 => return None,
        5..=10 => return Some(vec![side]),
        side if side.is_multiple_of(2) => (side, None),
        side => (side - 5, Some(5)),
    };
    // Sixes, and one piece of 8 or 10 where they leave 2 or 4.
    let mut pieces = vec![6; even / 6];
    match even % 6 {
        0 => {}
        more => *pieces.last_mut()? += more,
    }
    pieces.extend(odd);
    Some(pieces)
}

/// The sizes of patches that a board needs.
fn sizes(rows: &[usize], cols: &[usize]) -> Vec<(usize, usize)> {
    let mut sizes: Vec<_> =
        rows.iter().flat_map(|&rows| cols.iter().map(move |&cols| (rows, cols))).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// A patch as a task: closed if it has an even number of cells.
fn patch(task: &Task, (rows, cols): (usize, usize)) -> Option<Task> {
    Task::rectangle(rows, cols, task.leapers(), (rows * cols).is_multiple_of(2)).ok()
}

/// Whether a task can be patched: a full board, nothing fixed, and patches that may have tours.
pub(super) fn suits(task: &Task) -> bool {
    let Some((rows, cols)) = task.board.is_full_rectangle() else { return false };
    let (Some(heights), Some(widths)) = (pieces(rows), pieces(cols)) else { return false };
    let may_have = |size| patch(task, size).is_some_and(|patch| proofs::none(&patch).is_none());
    !task.is_numbered()
        && (!task.closed || task.len().is_multiple_of(2))
        && sizes(&heights, &widths).into_iter().all(may_have)
}

/// A tour of a task that [`suits`]; `None` if a patch has none, or two cannot be joined.
pub(super) fn find(task: &Task, run: &Run) -> Result<Option<Vec<u32>>, Stop> {
    let Some((rows, cols)) = task.board.is_full_rectangle() else { return Ok(None) };
    let (Some(heights), Some(widths)) = (pieces(rows), pieces(cols)) else { return Ok(None) };
    for variant in 0..VARIANTS {
        let mut tours = BTreeMap::new();
        for size in sizes(&heights, &widths) {
            let Some(patch) = patch(task, size) else { return Ok(None) };
            let attempts = variant * ATTEMPTS..(variant + 1) * ATTEMPTS;
            let Some(tour) = rotations::find(&patch, attempts, run)? else { return Ok(None) };
            tours.insert(size, tour);
        }
        run.stage("joining patches", (heights.len() * widths.len()) as u64);
        let mut quilt = Quilt { task, cols, links: vec![[END; 2]; task.len()] };
        if quilt.lay(&heights, &widths, &tours, run)? {
            return Ok(Some(quilt.path()));
        }
    }
    Ok(None)
}

/// A patch on the board: its first row and column, and its size.
#[derive(Clone, Copy)]
struct Laid {
    top: usize,
    left: usize,
    size: (usize, usize),
}

impl Laid {
    fn holds(&self, row: usize, col: usize) -> bool {
        (self.top..self.top + self.size.0).contains(&row)
            && (self.left..self.left + self.size.1).contains(&col)
    }
}

/// Patches that are laid, as the two moves of each cell.
struct Quilt<'t> {
    task: &'t Task,
    cols: usize,
    links: Vec<[u32; 2]>,
}

impl Quilt<'_> {
    /// Lays all patches, each joined to the one on its left or, in the first column, above.
    fn lay(
        &mut self,
        heights: &[usize],
        widths: &[usize],
        tours: &BTreeMap<(usize, usize), Vec<u32>>,
        run: &Run,
    ) -> Result<bool, Stop> {
        let mut top = 0;
        let mut above: Option<Laid> = None;
        for &height in heights {
            let mut left = 0;
            let mut before = above;
            for &width in widths {
                run.tick((height * width) as u64)?;
                run.step(1);
                let laid = Laid { top, left, size: (height, width) };
                let Some(tour) = tours.get(&laid.size) else { return Ok(false) };
                self.put(laid, tour);
                if let Some(before) = before
                    && !self.join(before, laid)
                {
                    return Ok(false);
                }
                if left == 0 {
                    above = Some(laid);
                }
                before = Some(laid);
                left += width;
            }
            top += height;
        }
        Ok(true)
    }

    fn put(&mut self, laid: Laid, tour: &[u32]) {
        let cell = |k: usize| {
            let (row, col) = (tour[k] as usize / laid.size.1, tour[k] as usize % laid.size.1);
            ((laid.top + row) * self.cols + laid.left + col) as u32
        };
        let n = tour.len();
        let is_closed = n.is_multiple_of(2);
        for k in 0..n {
            let before = if k > 0 || is_closed { cell((k + n - 1) % n) } else { END };
            let after = if k + 1 < n || is_closed { cell((k + 1) % n) } else { END };
            self.links[cell(k) as usize] = [before, after];
        }
    }

    /// Joins a new patch to one that was laid before; `false` if there are no fitting moves.
    fn join(&mut self, old: Laid, new: Laid) -> bool {
        let graph = &self.task.graph;
        for row in old.top..old.top + old.size.0 {
            for col in old.left..old.left + old.size.1 {
                let a = (row * self.cols + col) as u32;
                for &c in graph.neighbours(a) {
                    if !new.holds(c as usize / self.cols, c as usize % self.cols) {
                        continue;
                    }
                    for b in self.links[a as usize] {
                        for d in self.links[c as usize] {
                            if b != END && d != END && graph.joined(b, d) {
                                self.relink(a, b, c);
                                self.relink(b, a, d);
                                self.relink(c, d, a);
                                self.relink(d, c, b);
                                return true;
                            }
                        }
                    }
                }
            }
        }
        false
    }

    /// Gives up a cell's move to another for one to a third.
    fn relink(&mut self, cell: u32, from: u32, to: u32) {
        for link in &mut self.links[cell as usize] {
            if *link == from {
                *link = to;
                return;
            }
        }
    }

    /// The cells in their order, from an end if there is one.
    fn path(&self) -> Vec<u32> {
        let n = self.task.len();
        let first = (0..n).find(|&cell| self.links[cell].contains(&END)).unwrap_or(0) as u32;
        let mut path = Vec::with_capacity(n);
        let (mut before, mut here) = (END, first);
        loop {
            path.push(here);
            let [one, other] = self.links[here as usize];
            let next = if one == before { other } else { one };
            // From an end there is one way, and from any other first cell either will do.
            let next = if before == END && next == END { other } else { next };
            if next == END || next == first || path.len() == n {
                return path;
            }
            (before, here) = (here, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: usize, cols: usize, leapers: &[(i32, i32)], closed: bool) {
        let task = Task::rectangle(rows, cols, leapers, closed).unwrap();
        assert!(suits(&task), "{rows}×{cols} {leapers:?} {closed}");
        let path = find(&task, &Run::default()).unwrap().unwrap();
        let mut seen = vec![false; task.len()];
        for &cell in &path {
            assert!(!std::mem::replace(&mut seen[cell as usize], true), "{rows}×{cols}");
        }
        assert_eq!(path.len(), task.len(), "{rows}×{cols} {closed}");
        let is_move = |pair: &[u32]| {
            let place = |cell: u32| ((cell as usize / cols) as i32, (cell as usize % cols) as i32);
            let (a, b) = (place(pair[0]), place(pair[1]));
            let step = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
            leapers.iter().any(|&(x, y)| step == (x, y) || step == (y, x))
        };
        assert!(path.windows(2).all(is_move));
        if closed {
            assert!(is_move(&[path[0], path[path.len() - 1]]));
        }
    }

    #[test]
    fn knights_tour_boards_of_all_sizes() {
        for rows in 5..=24 {
            for cols in rows.max(6)..=24 {
                check(rows, cols, &[(1, 2)], false);
                if (rows * cols).is_multiple_of(2) {
                    check(rows, cols, &[(1, 2)], true);
                }
            }
        }
    }

    #[test]
    fn other_leapers_tour_too() {
        for leapers in [&[(0, 1)][..], &[(0, 1), (1, 1)], &[(0, 3), (2, 2)]] {
            check(20, 31, leapers, true);
            check(33, 21, leapers, false);
        }
    }

    #[test]
    fn pieces_add_up_and_only_the_last_is_odd() {
        for side in 5..300 {
            let pieces = pieces(side).unwrap();
            assert_eq!(pieces.iter().sum::<usize>(), side);
            assert!(pieces.iter().all(|piece| (5..=10).contains(piece)), "{side}");
            assert!(pieces[..pieces.len() - 1].iter().all(|piece| piece.is_multiple_of(2)));
        }
        assert!((0..5).all(|side| pieces(side).is_none()));
    }

    #[test]
    fn what_has_no_patches_is_left_alone() {
        let suits = |rows, cols, leapers: &[(i32, i32)], closed| {
            suits(&Task::rectangle(rows, cols, leapers, closed).unwrap())
        };
        // The camel keeps to one colour, and 4×n has no closed knight's tour.
        assert!(!suits(50, 50, &[(1, 3)], false));
        assert!(!suits(4, 50, &[(1, 2)], false));
        assert!(!suits(51, 51, &[(1, 2)], true));
        assert!(suits(51, 51, &[(1, 2)], false));
    }
}
