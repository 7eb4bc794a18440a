//! Counting all solutions, or folding over them, on all threads.

use std::sync::Mutex;

use super::Search;
use super::ordered::{Outlet, in_order};
use super::split::{Cut, prefixes};
use super::walk::{Advance, Walk};
use crate::random::Random;
use crate::run::{Run, Stopped};

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
    /// How many subtrees were dealt out to all parts; see [`super::Prefixes::dealt`].
    pub dealt: u64,
}

/// Counts the solutions of one part of a tree. If a limit is hit, the error
/// holds the count of the nodes that were walked.
pub fn tally<S>(search: &S, cut: impl Into<Cut>, run: &Run) -> Result<Tally, Stopped<Tally>>
where
    S: Search + Clone + Send + Sync,
    S::Step: Send + Sync,
{
    match fold(search, cut, run, || (), |(), _| (), |(), ()| ()) {
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
    cut: impl Into<Cut>,
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
    let nothing = || Folded { folded: empty(), tally: Tally::default(), dealt: 0 };
    let prefixes = match prefixes(search, cut, run) {
        Ok(prefixes) => prefixes,
        Err(why) => return Err(Stopped { why, so_far: nothing() }),
    };
    // Neighbouring subtrees are alike in size. In random order, those done so far are a fair
    // sample of the rest. What they give is put back into the order of the walk.
    let mut jobs: Vec<usize> = (0..prefixes.len()).collect();
    Random::new(0, 0).shuffle(&mut jobs);
    run.stage("searching", jobs.len() as u64);
    let walked: Vec<Mutex<Option<Folded<A>>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let work = |&job: &usize, _: &Outlet<()>| {
        run.check()?;
        let mut piece = nothing();
        let mut walk = Walk::below(search.clone(), &prefixes[job], run);
        let end = loop {
            match walk.advance(u64::MAX) {
                Ok(Advance::Found) => {
                    piece.tally.solutions += 1;
                    each(&mut piece.folded, walk.search());
                }
                Ok(Advance::Exhausted | Advance::Paused) => break Ok(()),
                Err(stop) => break Err(stop),
            }
        };
        piece.tally.nodes = walk.nodes();
        if let Ok(mut place) = walked[job].lock() {
            *place = Some(piece);
        }
        end
    };
    let ended = in_order(&jobs, run, work, |()| true);
    let mut sum = Folded { dealt: prefixes.dealt(), ..nothing() };
    for piece in walked.into_iter().filter_map(|place| place.into_inner().ok().flatten()) {
        merge(&mut sum.folded, piece.folded);
        sum.tally.solutions += piece.tally.solutions;
        sum.tally.nodes += piece.tally.nodes;
    }
    match ended {
        Ok(()) => Ok(sum),
        Err(why) => Err(Stopped { why, so_far: sum }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::super::examples::Queens;
    use super::*;
    use crate::run::{Budget, Stop};

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
