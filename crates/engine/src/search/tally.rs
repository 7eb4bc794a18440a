//! Counting all solutions, or folding over them, on all threads.

use rayon::prelude::*;

use super::split::{Part, prefixes};
use super::walk::{Advance, Walk};
use super::{Outlook, Search};
use crate::random::Random;
use crate::run::{Run, Stop, Stopped};

/// What a full walk saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Solutions, each seen once.
    pub solutions: u64,
    /// Nodes looked at.
    pub nodes: u64,
}

/// What was folded, and over how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded<A> {
    /// The result of the folding.
    pub folded: A,
    /// Solutions and nodes.
    pub tally: Tally,
}

/// Counts the solutions of one part of a tree. If a limit is hit, the error
/// holds what was counted so far: true of the nodes that were walked.
pub fn tally<S>(search: &S, part: Part, run: &Run) -> Result<Tally, Stopped<Tally>>
where
    S: Search + Clone + Send + Sync,
    S::Step: Send + Sync,
{
    match fold(search, part, run, || (), |(), _| (), |(), ()| ()) {
        Ok(all) => Ok(all.tally),
        Err(stopped) => Err(Stopped { why: stopped.why, so_far: stopped.so_far.tally }),
    }
}

/// Folds over the solutions of one part of a tree, on all threads.
///
/// `each` sees the search as it stands at a solution. The pieces are merged in
/// the order of the walk, so the result does not depend on the threads.
pub fn fold<S, A>(
    search: &S,
    part: Part,
    run: &Run,
    empty: impl Fn() -> A + Sync,
    each: impl Fn(&mut A, &S) + Sync,
    merge: impl Fn(&mut A, A),
) -> Result<Folded<A>, Stopped<Folded<A>>>
where
    S: Search + Clone + Send + Sync,
    S::Step: Send + Sync,
    A: Send,
{
    let nothing = || Folded { folded: empty(), tally: Tally::default() };
    let jobs: Vec<_> = match prefixes(&mut search.clone(), part.prefixes_wanted(), run) {
        Ok(all) => (0u64..).zip(all).filter(|(k, _)| part.contains(*k)).map(|(_, p)| p).collect(),
        Err(why) => return Err(Stopped { why, so_far: nothing() }),
    };
    // Neighbouring subtrees are alike in size; in random order those done so far foretell
    // the rest honestly. What they give is put back into the order of the walk.
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    Random::new(0, 0).shuffle(&mut order);
    run.stage("searching", jobs.len() as u64);
    let mut walked: Vec<(usize, Folded<A>, Option<Stop>)> = run.parallel(|| {
        order
            .par_iter()
            .with_max_len(1)
            .map(|&job| {
                let mut piece = nothing();
                if let Err(stop) = run.check() {
                    return (job, piece, Some(stop));
                }
                let mut search = search.clone();
                descend(&mut search, &jobs[job]);
                let mut walk = Walk::new(search, run);
                let stop = loop {
                    match walk.advance(u64::MAX) {
                        Ok(Advance::Found) => {
                            piece.tally.solutions += 1;
                            each(&mut piece.folded, walk.search());
                        }
                        Ok(Advance::Exhausted | Advance::Paused) => break None,
                        Err(stop) => break Some(stop),
                    }
                };
                piece.tally.nodes = walk.nodes();
                run.step(1);
                (job, piece, stop)
            })
            .collect()
    });
    walked.sort_unstable_by_key(|(job, _, _)| *job);
    let mut sum = nothing();
    let mut stopped = None;
    for (_, piece, stop) in walked {
        merge(&mut sum.folded, piece.folded);
        sum.tally.solutions += piece.tally.solutions;
        sum.tally.nodes += piece.tally.nodes;
        stopped = stopped.or(stop);
    }
    match stopped {
        None => Ok(sum),
        Some(why) => Err(Stopped { why, so_far: sum }),
    }
}

/// Brings a search to the node at the end of `prefix`. Each node on the way is
/// looked at first, for a search may learn there what its steps need.
pub fn descend<S: Search>(search: &mut S, prefix: &[S::Step]) {
    let mut ignored = Vec::new();
    for &step in prefix {
        ignored.clear();
        let outlook = search.look(&mut ignored);
        debug_assert_eq!(outlook, Outlook::Branch, "a prefix leads through inner nodes");
        search.take(step);
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Queens;
    use super::*;
    use crate::run::Budget;

    #[test]
    fn queens_are_counted_alike_on_one_and_two_threads() {
        for threads in [1, 2] {
            let run = Run::new(Budget { threads, ..Budget::default() });
            let counts = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352];
            for (n, solutions) in (0u8..).zip(counts) {
                let counted = tally(&Queens::new(n), Part::WHOLE, &run).unwrap();
                assert_eq!(counted.solutions, solutions, "n = {n}");
            }
        }
    }

    #[test]
    fn a_stopped_count_is_an_error_with_what_is_known() {
        let run = Run::default();
        run.cancel();
        let stopped = tally(&Queens::new(8), Part::WHOLE, &run).unwrap_err();
        assert_eq!(stopped.why, Stop::Cancelled);
        assert_eq!(stopped.so_far.solutions, 0);
    }
}
