//! The shape of a search tree: nodes, dead ends and solutions by depth.

use super::walk::{Advance, Walk};
use super::{Outlook, Search};
use crate::run::{Run, Stopped};

/// What lies at one depth of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Nodes.
    pub nodes: u64,
    /// Nodes that lead nowhere.
    pub dead_ends: u64,
    /// Solutions.
    pub solutions: u64,
}

/// Walks a whole tree and reports what lies at each depth, from the root on. If a limit is
/// hit, the error holds what was seen so far.
pub fn profile<S: Search>(search: S, run: &Run) -> Result<Vec<Level>, Stopped<Vec<Level>>> {
    run.stage("walking the search tree", 0);
    let mut walk = Walk::new(Recorder { search, depth: 0, levels: Vec::new() }, run);
    loop {
        match walk.advance(u64::MAX) {
            Ok(Advance::Found) => {}
            Ok(Advance::Exhausted | Advance::Paused) => return Ok(walk.search().levels.clone()),
            Err(why) => {
                let so_far = walk.search().levels.clone();
                return Err(Stopped { why, so_far });
            }
        }
    }
}

/// A search that keeps a record of what it looks at.
struct Recorder<S> {
    search: S,
    depth: usize,
    levels: Vec<Level>,
}

impl<S: Search> Search for Recorder<S> {
    type Step = S::Step;
    type Solution = S::Solution;

    fn look(&mut self, steps: &mut Vec<S::Step>) -> Outlook {
        let before = steps.len();
        let outlook = self.search.look(steps);
        if self.levels.len() <= self.depth {
            self.levels.resize(self.depth + 1, Level::default());
        }
        let level = &mut self.levels[self.depth];
        level.nodes += 1;
        match outlook {
            Outlook::Solved => level.solutions += 1,
            Outlook::Dead => level.dead_ends += 1,
            Outlook::Branch => level.dead_ends += u64::from(steps.len() == before),
        }
        outlook
    }

    fn take(&mut self, step: S::Step) {
        self.search.take(step);
        self.depth += 1;
    }

    fn undo(&mut self) {
        self.search.undo();
        self.depth -= 1;
    }

    fn solution(&self) -> S::Solution {
        self.search.solution()
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Queens;
    use super::*;

    #[test]
    fn eight_queens_by_depth() {
        let levels = profile(Queens::new(8), &Run::default()).unwrap();
        // As Knuth counted them in 1975.
        let nodes: Vec<u64> = levels.iter().map(|level| level.nodes).collect();
        assert_eq!(nodes, [1, 8, 42, 140, 344, 568, 550, 312, 92]);
        assert_eq!(levels[8].solutions, 92);
        assert!(levels[..4].iter().all(|level| level.dead_ends == 0));
        assert!(levels[7].dead_ends > 0);
    }
}
