//! Solutions one by one, in the order of the walk, found on all threads.
//!
//! The tree is cut into subtrees ([`prefixes`]), which are jobs whose finds are taken in order
//! ([`in_order`]). Subtrees are walked in *slices* of so many nodes; after each slice
//! what was found is sent off, and the walk ends there if no more is wanted. So the first
//! solutions come soon even where solutions are rare, and nothing goes on for long after the
//! last one that was wanted.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Search;
use super::ordered::{Outlet, in_order};
use super::split::{Cut, prefixes};
use super::tally::Tally;
use super::walk::{Advance, Walk};
use crate::run::{Run, Stop, Stopped};

/// Things that are sent together, at most.
const PARCEL: usize = 64;
/// Nodes of a slice.
const SLICE: u64 = 4096;

/// Walks one part of a tree. `judge` looks at each solution where it is found, on any
/// thread, and makes of it what `sink` then gets, in the order of the walk; `sink` returns
/// whether more is wanted. `heap_bytes` is what such a thing owns outside itself.
///
/// It is not an error that `sink` wants no more. The tally is then that of the nodes walked,
/// which depends on the threads, as does that of a walk that was stopped.
pub fn stream<S, T>(
    search: &S,
    cut: impl Into<Cut>,
    run: &Run,
    judge: impl Fn(&S) -> Option<T> + Sync,
    heap_bytes: impl Fn(&T) -> usize + Sync,
    mut sink: impl FnMut(T) -> bool,
) -> Result<Tally, Stopped<Tally>>
where
    S: Search + Clone + Send + Sync,
    S::Step: Send + Sync,
    T: Send,
{
    let prefixes = match prefixes(search, cut, run) {
        Ok(prefixes) => prefixes,
        Err(why) => return Err(Stopped { why, so_far: Tally::default() }),
    };
    run.uneven_stage("searching", prefixes.len() as u64);
    let (solutions, nodes) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = |prefix: &Vec<S::Step>, outlet: &Outlet<Vec<T>>| {
        let mut walk = Walk::below(search.clone(), prefix, run);
        let mut parcel = Vec::new();
        let mut found = 0;
        let send = |parcel: &mut Vec<T>| {
            let heap: usize = parcel.iter().map(|thing| size_of::<T>() + heap_bytes(thing)).sum();
            outlet.give(std::mem::take(parcel), heap)
        };
        let mut go = || -> Result<(), Stop> {
            let mut slice_ends = SLICE;
            loop {
                match walk.advance(slice_ends - walk.nodes())? {
                    Advance::Found => {
                        found += 1;
                        parcel.extend(judge(walk.search()));
                        if parcel.len() == PARCEL {
                            send(&mut parcel)?;
                        }
                    }
                    Advance::Paused => {
                        slice_ends += SLICE;
                        outlet.check()?;
                        if !parcel.is_empty() {
                            send(&mut parcel)?;
                        }
                    }
                    Advance::Exhausted => return Ok(()),
                }
            }
        };
        let end = go();
        solutions.fetch_add(found, Relaxed);
        nodes.fetch_add(walk.nodes(), Relaxed);
        // What was found before a stop is still good.
        let sent = if parcel.is_empty() { Ok(()) } else { send(&mut parcel) };
        end.and(sent)
    };
    let ended = in_order(&prefixes, run, work, |parcel: Vec<T>| parcel.into_iter().all(&mut sink));
    let tally = Tally { solutions: solutions.into_inner(), nodes: nodes.into_inner() };
    match ended {
        Ok(()) => Ok(tally),
        Err(why) => Err(Stopped { why, so_far: tally }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Queens;
    use super::super::{Outlook, Part};
    use super::*;
    use crate::run::Budget;

    fn run(threads: usize) -> Run {
        Run::new(Budget { threads, ..Budget::default() })
    }

    #[test]
    fn threads_do_not_change_the_order() {
        let walked: Vec<_> =
            Walk::new(Queens::new(8), &run(1)).map(|solution| solution.unwrap()).collect();
        assert_eq!(walked.len(), 92);
        for threads in [1, 2, 5] {
            let mut given = Vec::new();
            let tally = stream(
                &Queens::new(8),
                Part::WHOLE,
                &run(threads),
                |at| Some(at.solution()),
                Vec::len,
                |solution| {
                    given.push(solution);
                    true
                },
            );
            assert_eq!(tally.unwrap().solutions, 92);
            assert_eq!(given, walked, "{threads} threads");
        }
    }

    #[test]
    fn a_caller_that_has_enough_gets_no_more() {
        let mut given = 0;
        let judge = |at: &Queens| Some(at.solution());
        let ended = stream(&Queens::new(9), Part::WHOLE, &run(3), judge, Vec::len, |_| {
            given += 1;
            given < 5
        });
        assert!(ended.is_ok() && given == 5);
    }

    #[test]
    fn a_stop_is_an_error() {
        let run = run(2);
        let judge = |_: &Queens| {
            run.cancel();
            Some(())
        };
        assert!(stream(&Queens::new(11), Part::WHOLE, &run, judge, |()| 0, |()| true).is_err());
    }

    #[test]
    fn parts_are_everything_once() {
        let mut given = Vec::new();
        for index in 1..=3 {
            let part = Part::new(index, 3).unwrap();
            let judge = |at: &Queens| Some(at.solution());
            stream(&Queens::new(7), part, &run(2), judge, Vec::len, |solution| {
                given.push(solution);
                true
            })
            .unwrap();
        }
        given.sort();
        given.dedup();
        assert_eq!(given.len(), 40);
    }

    /// A first solution, and then a subtree that never ends and has no other.
    #[derive(Clone)]
    struct Endless {
        depth: u64,
        end: bool,
    }

    impl Search for Endless {
        type Step = bool;
        type Solution = ();

        fn look(&mut self, steps: &mut Vec<bool>) -> Outlook {
            match (self.end, self.depth) {
                // Deeper than any cut, so that it lies in a subtree that never ends.
                (true, 100) => return Outlook::Solved,
                (true, _) => return Outlook::Dead,
                (false, _) => steps.extend([true, false]),
            }
            Outlook::Branch
        }

        fn take(&mut self, end: bool) {
            self.depth += 1;
            self.end = end;
        }

        fn undo(&mut self) {
            self.depth -= 1;
            self.end = false;
        }

        fn solution(&self) {}
    }

    #[test]
    fn a_rare_solution_is_given_at_once_and_then_the_walk_ends() {
        let search = Endless { depth: 0, end: false };
        for threads in [1, 2] {
            let mut given = 0;
            let ended = stream(
                &search,
                Part::WHOLE,
                &run(threads),
                |_| Some(()),
                |()| 0,
                |()| {
                    given += 1;
                    false
                },
            );
            assert!(ended.is_ok() && given == 1);
        }
    }
}
