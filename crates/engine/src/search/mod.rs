//! Searching: a tree walked by taking and undoing steps.
//!
//! A **search** is one mutable thing that stands at a *node* of a tree. It can
//! *look* at its node (is it a solution, dead, or does it branch, and by which
//! steps?), *take* a step down and *undo* the last one. All pruning and all forced
//! moves live in `look`, so they serve every engine here:
//!
//! - [`walk`](mod@walk): depth first, one solution at a time, as a lazy iterator;
//! - [`split`]: disjoint parts of the tree, for `--part i/m` and for threads;
//! - [`ordered`]: work on all threads whose results come in order;
//! - [`tally`](mod@tally): counting or folding over all solutions, in parallel;
//! - [`stream`](mod@stream): solutions one by one, in order, found in parallel;
//! - [`profile`](mod@profile): the shape of the tree, by depth;
//! - [`estimate`](mod@estimate): the size of the tree from random probes (Knuth, Chen);
//! - [`chen`](mod@chen): Chen's sampling for any tree whose nodes fall into strata.

pub mod chen;
pub mod estimate;
pub mod interval;
pub mod ordered;
pub mod profile;
pub mod split;
pub mod stream;
pub mod tally;
pub mod walk;

#[cfg(test)]
mod examples;

pub use chen::{Children, Levels, Ranked, Strata, chen};
pub use estimate::{Estimate, Probing, Sample, draw, estimate};
pub use interval::{Interval, NoInterval};
pub use ordered::{Outlet, in_order};
pub use profile::{Level, profile};
pub use split::{Cut, Part, Prefixes, prefixes};
pub use stream::stream;
pub use tally::{Tally, fold, tally};
pub use walk::{Advance, Walk};

use std::hash::Hash;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// A solution; nothing lies below it.
    Solved,
    /// No solution lies below.
    Dead,
    /// Solutions, if any, lie below the steps that were pushed.
    Branch,
}

/// A tree walked by taking and undoing steps.
pub trait Search {
    /// One step down.
    type Step: Copy + Hash;
    /// What is found.
    type Solution;

    /// Judges the present node. For [`Outlook::Branch`] it pushes the steps to
    /// try, in order; `steps` comes empty. The same node must always give the
    /// same steps, so that the parts of a split tree fit together.
    fn look(&mut self, steps: &mut Vec<Self::Step>) -> Outlook;

    /// Judges the present node as [`look`](Self::look) does where a tree is cut, and its
    /// solutions are of no interest yet: a leaf that takes long to judge may be called
    /// [`Outlook::Solved`] though it is dead.
    fn glance(&mut self, steps: &mut Vec<Self::Step>) -> Outlook {
        self.look(steps)
    }

    /// Goes down one step that `look` offered.
    fn take(&mut self, step: Self::Step);

    /// Goes back up one step.
    fn undo(&mut self);

    /// The solution at a node that was judged [`Outlook::Solved`].
    fn solution(&self) -> Self::Solution;

    /// Nodes of one depth with the same stratum are taken to have subtrees of
    /// about the same size (Chen's stratifier, see
    /// [`estimate`](mod@estimate)). Any function is right; a good one makes
    /// estimates sharper.
    fn stratum(&self) -> u64 {
        0
    }

    /// How much is left to do, if this is a number that falls with every step; then nodes
    /// of one stratum with equally much left are taken together at whatever depth they lie.
    fn left(&self) -> Option<u64> {
        None
    }

    /// Bytes that a clone owns outside itself, for the memory limit.
    fn heap_bytes(&self) -> usize {
        0
    }
}
