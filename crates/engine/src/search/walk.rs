//! Walking a tree depth first without recursion.
//!
//! The steps still to be tried lie in one stack, frame upon frame, so a walk
//! needs memory for one path of the tree only and can be put aside and taken up
//! again at any node.
//!
//! The **place** where a walk was put aside is a number for each frame: how many of its steps
//! are still to be tried. Since a node always offers the same steps, that is enough to find the
//! node again, in another run too.

use super::{Outlook, Search};
use crate::run::{Run, Stop};

/// How a stretch of walking ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// The search stands at a solution.
    Found,
    /// The whole tree has been walked.
    Exhausted,
    /// The nodes granted for this stretch are used up.
    Paused,
}

/// Nodes between two looks at the clock.
const NODES_A_TICK: u64 = 1024;

/// A depth-first walk; as an iterator it yields the solutions one by one.
///
/// An `Err` says that a limit was hit and solutions may be missing; it is the
/// last item. `None` without an `Err` before it means that all were found.
pub struct Walk<'r, S: Search> {
    search: S,
    run: &'r Run,
    /// Steps to be tried, the next one of each frame at its end.
    pending: Vec<S::Step>,
    /// Where each frame begins in `pending`.
    frames: Vec<usize>,
    scratch: Vec<S::Step>,
    position: Position,
    nodes: u64,
    unticked: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// At a node that was not looked at yet.
    Fresh,
    /// At a leaf that is done with.
    Leaf,
    /// At an inner node, with steps left to try or not.
    Inner,
    /// All done, or stopped.
    Over,
}

impl<'r, S: Search> Walk<'r, S> {
    /// A walk of the tree below the node at which `search` stands.
    pub fn new(search: S, run: &'r Run) -> Self {
        Walk {
            search,
            run,
            pending: Vec::new(),
            frames: Vec::new(),
            scratch: Vec::new(),
            position: Position::Fresh,
            nodes: 0,
            unticked: 0,
        }
    }

    /// A walk of the tree below the node at the end of `prefix`. Each node on the way is
    /// looked at first, for a search may learn there what its steps need.
    pub fn below(mut search: S, prefix: &[S::Step], run: &'r Run) -> Self {
        let mut ignored = Vec::new();
        for &step in prefix {
            ignored.clear();
            let outlook = search.look(&mut ignored);
            debug_assert_eq!(outlook, Outlook::Branch, "a prefix leads through inner nodes");
            search.take(step);
        }
        Walk::new(search, run)
    }

    /// A walk like [`Walk::below`] that was put aside at a place; `None` if the tree has no
    /// such place.
    pub fn at(search: S, prefix: &[S::Step], place: &[u32], run: &'r Run) -> Option<Self> {
        let mut walk = Walk::below(search, prefix, run);
        for &left in place {
            walk.scratch.clear();
            if walk.search.look(&mut walk.scratch) != Outlook::Branch {
                return None;
            }
            let taken = walk.scratch.len().checked_sub(left as usize + 1)?;
            walk.frames.push(walk.pending.len());
            walk.pending.extend(walk.scratch[taken + 1..].iter().rev());
            walk.search.take(walk.scratch[taken]);
        }
        Some(walk)
    }

    /// The place where the walk has paused or was stopped.
    pub fn place(&self) -> Vec<u32> {
        let ends = self.frames.iter().skip(1).copied().chain([self.pending.len()]);
        self.frames.iter().zip(ends).map(|(begin, end)| (end - begin) as u32).collect()
    }

    /// Nodes looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The search, at the node where the walk stands.
    pub fn search(&self) -> &S {
        &self.search
    }

    /// Walks to the next solution, over at most `nodes` further nodes.
    pub fn advance(&mut self, nodes: u64) -> Result<Advance, Stop> {
        let result = self.go(nodes);
        if result.is_err() {
            self.position = Position::Over;
        }
        result
    }

    fn go(&mut self, nodes: u64) -> Result<Advance, Stop> {
        let mut left = nodes;
        loop {
            match self.position {
                Position::Over => return Ok(Advance::Exhausted),
                Position::Fresh => {
                    if left == 0 {
                        return Ok(Advance::Paused);
                    }
                    // Also at the first node, so that a cancelled run walks no further.
                    if self.nodes.is_multiple_of(NODES_A_TICK) {
                        self.run.tick(std::mem::take(&mut self.unticked))?;
                    }
                    left -= 1;
                    self.nodes += 1;
                    self.unticked += 1;
                    self.scratch.clear();
                    match self.search.look(&mut self.scratch) {
                        Outlook::Solved => {
                            self.position = Position::Leaf;
                            return Ok(Advance::Found);
                        }
                        Outlook::Dead => self.position = Position::Leaf,
                        Outlook::Branch => {
                            self.frames.push(self.pending.len());
                            self.pending.extend(self.scratch.iter().rev());
                            self.position = Position::Inner;
                        }
                    }
                }
                Position::Leaf => self.climb(),
                Position::Inner => {
                    // An inner node always has its frame.
                    let begin = self.frames.last().copied().unwrap_or(0);
                    if self.pending.len() > begin {
                        if let Some(step) = self.pending.pop() {
                            self.search.take(step);
                            self.position = Position::Fresh;
                        }
                    } else {
                        self.frames.pop();
                        self.climb();
                    }
                }
            }
        }
    }

    /// Leaves a finished node for the one above it.
    fn climb(&mut self) {
        if self.frames.is_empty() {
            self.position = Position::Over;
        } else {
            self.search.undo();
            self.position = Position::Inner;
        }
    }
}

impl<S: Search> Drop for Walk<'_, S> {
    /// Reports the nodes since the last tick, so that the run's count is exact.
    fn drop(&mut self) {
        // The walk is over: whether it may go on is of no interest.
        let _ = self.run.tick(self.unticked);
    }
}

impl<S: Search> Iterator for Walk<'_, S> {
    type Item = Result<S::Solution, Stop>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance(u64::MAX) {
            Ok(Advance::Found) => Some(Ok(self.search.solution())),
            Ok(_) => None,
            Err(stop) => Some(Err(stop)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Queens;
    use super::*;

    #[test]
    fn eight_queens_have_92_solutions_in_a_fixed_order() {
        let run = Run::default();
        let all: Vec<_> = Walk::new(Queens::new(8), &run).map(Result::unwrap).collect();
        assert_eq!(all.len(), 92);
        assert_eq!(all[0], [0, 4, 7, 5, 2, 6, 1, 3]);
        assert!(all.is_sorted());
    }

    #[test]
    fn a_walk_can_pause_at_any_node() {
        let run = Run::default();
        let mut walk = Walk::new(Queens::new(6), &run);
        let mut found = 0;
        loop {
            match walk.advance(1).unwrap() {
                Advance::Found => found += 1,
                Advance::Exhausted => break,
                Advance::Paused => {}
            }
        }
        assert_eq!(found, 4);
        let mut whole = Walk::new(Queens::new(6), &run);
        assert_eq!(whole.by_ref().count(), 4);
        assert_eq!(walk.nodes(), whole.nodes());
        let nodes = walk.nodes();
        drop((walk, whole));
        assert_eq!(run.progress().handled, 2 * nodes, "every node is reported");
    }

    #[test]
    fn a_walk_is_taken_up_again_at_any_place() {
        let run = Run::default();
        let whole: Vec<_> = Walk::new(Queens::new(6), &run).map(Result::unwrap).collect();
        for (prefix, stretch) in [(&[][..], 1), (&[][..], 7), (&[1][..], 1), (&[1, 3][..], 2)] {
            let mut found = Vec::new();
            let mut place = Vec::new();
            let mut nodes = 0;
            loop {
                let mut walk = Walk::at(Queens::new(6), prefix, &place, &run).unwrap();
                let mut left = stretch;
                let end = loop {
                    match walk.advance(left - walk.nodes().min(left)).unwrap() {
                        Advance::Found => found.push(walk.search().solution()),
                        end => break end,
                    }
                    left = stretch.max(walk.nodes());
                };
                nodes += walk.nodes();
                if end == Advance::Exhausted {
                    break;
                }
                place = walk.place();
            }
            let below: Vec<_> = whole.iter().filter(|all| all.starts_with(prefix)).collect();
            assert_eq!(found.iter().collect::<Vec<_>>(), below);
            let mut walk = Walk::below(Queens::new(6), prefix, &run);
            while walk.advance(u64::MAX).unwrap() == Advance::Found {}
            assert_eq!(nodes, walk.nodes(), "no node twice");
        }
        for nowhere in [&[6][..], &[u32::MAX], &[0, 4], &[5, 0, 0, 0, 0, 0, 0]] {
            assert!(Walk::at(Queens::new(6), &[], nowhere, &run).is_none(), "{nowhere:?}");
        }
    }

    #[test]
    fn a_cancelled_walk_says_so_and_ends() {
        let run = Run::default();
        run.cancel();
        let items: Vec<_> = Walk::new(Queens::new(12), &run).collect();
        assert!(matches!(items[..], [Err(Stop::Cancelled)]), "{items:?}");
    }

    #[test]
    fn a_tree_of_one_dead_node_has_no_solution() {
        let run = Run::default();
        assert_eq!(Walk::new(Queens::new(2), &run).count(), 0);
        assert_eq!(Walk::new(Queens::new(0), &run).count(), 1);
    }
}
