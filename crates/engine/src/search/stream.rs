//! Solutions one by one, in the order of the walk, found on all threads.
//!
//! The tree is cut into subtrees ([`prefixes`]). Each thread takes the next subtree that
//! nobody has taken and sends what it finds down a short pipe of that subtree's own; the
//! caller's thread empties the pipes one after the other. A thread that is ahead waits when
//! its pipe is full, so memory stays small; and since subtrees are taken in order, the one
//! that is being emptied is always worked on.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use super::Search;
use super::split::{Part, prefixes};
use super::tally::{Tally, descend};
use super::walk::{Advance, Walk};
use crate::run::{Run, Stop, Stopped};

/// Things that are sent together, and such parcels that a pipe holds.
const PARCEL: usize = 64;
const PARCELS: usize = 16;

/// Walks one part of a tree. `judge` looks at each solution where it is found, on any
/// thread, and makes of it what `sink` then gets, in the order of the walk; `sink` says
/// whether more is wanted. What is told of a walk that did not end is true of what it saw.
pub fn stream<S, T>(
    search: &S,
    part: Part,
    run: &Run,
    judge: impl Fn(&S) -> Option<T> + Sync,
    mut sink: impl FnMut(T) -> bool,
) -> Result<Tally, Stopped<Tally>>
where
    S: Search + Clone + Send + Sync,
    S::Step: Send + Sync,
    T: Send,
{
    let nothing = Tally::default();
    let jobs: Vec<_> = match prefixes(&mut search.clone(), part.prefixes_wanted(), run) {
        Ok(all) => (0u64..).zip(all).filter(|(k, _)| part.contains(*k)).map(|(_, p)| p).collect(),
        Err(why) => return Err(Stopped { why, so_far: nothing }),
    };
    run.uneven_stage("searching", jobs.len() as u64);
    let (senders, pipes): (Vec<_>, Vec<_>) =
        jobs.iter().map(|_| sync_channel::<Vec<T>>(PARCELS)).unzip();
    let senders: Vec<_> = senders.into_iter().map(|sender| Mutex::new(Some(sender))).collect();
    let next = AtomicUsize::new(0);
    let over = AtomicBool::new(false);
    let (solutions, nodes) = (AtomicU64::new(0), AtomicU64::new(0));
    let stopped: Mutex<Option<Stop>> = Mutex::new(None);
    let work = || {
        while !over.load(Ordering::Relaxed) {
            let job = next.fetch_add(1, Ordering::Relaxed);
            let Some(sender) = senders.get(job) else { return };
            // Each job is taken once, so its sender is there.
            let Some(sender) = sender.lock().ok().and_then(|mut place| place.take()) else {
                return;
            };
            let mut search = search.clone();
            descend(&mut search, &jobs[job]);
            let mut walk = Walk::new(search, run);
            let mut parcel = Vec::with_capacity(PARCEL);
            let mut found = 0;
            let end = loop {
                match walk.advance(u64::MAX) {
                    Ok(Advance::Found) => {
                        found += 1;
                        parcel.extend(judge(walk.search()));
                        if parcel.len() == PARCEL
                            && sender.send(std::mem::take(&mut parcel)).is_err()
                        {
                            break None;
                        }
                    }
                    Ok(Advance::Exhausted | Advance::Paused) => break None,
                    Err(stop) => break Some(stop),
                }
            };
            // If nobody reads any more, it does not matter.
            let _ = sender.send(parcel);
            solutions.fetch_add(found, Ordering::Relaxed);
            nodes.fetch_add(walk.nodes(), Ordering::Relaxed);
            run.step(1);
            if let (Some(stop), Ok(mut first)) = (end, stopped.lock()) {
                first.get_or_insert(stop);
                over.store(true, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..run.budget().threads.min(jobs.len()) {
            scope.spawn(work);
        }
        // Pipes that were never begun are closed when the threads are over.
        'pipes: for (job, pipe) in pipes.into_iter().enumerate() {
            loop {
                match pipe.recv_timeout(std::time::Duration::from_millis(20)) {
                    Ok(parcel) => {
                        for thing in parcel {
                            if !sink(thing) {
                                over.store(true, Ordering::Relaxed);
                                break 'pipes;
                            }
                        }
                    }
                    Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                    Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                        let taken = senders[job].lock().map_or(true, |place| place.is_none());
                        if over.load(Ordering::Relaxed) && !taken {
                            break 'pipes;
                        }
                    }
                }
            }
        }
    });
    let tally = Tally { solutions: solutions.into_inner(), nodes: nodes.into_inner() };
    match stopped.into_inner().ok().flatten() {
        Some(why) => Err(Stopped { why, so_far: tally }),
        None => Ok(tally),
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Queens;
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
            let mut told = Vec::new();
            let tally = stream(
                &Queens::new(8),
                Part::WHOLE,
                &run(threads),
                |at| Some(at.solution()),
                |solution| {
                    told.push(solution);
                    true
                },
            );
            assert_eq!(tally.unwrap().solutions, 92);
            assert_eq!(told, walked, "{threads} threads");
        }
    }

    #[test]
    fn whoever_has_enough_gets_no_more() {
        let mut told = 0;
        let judge = |at: &Queens| Some(at.solution());
        let ended = stream(&Queens::new(9), Part::WHOLE, &run(3), judge, |_| {
            told += 1;
            told < 5
        });
        assert!(ended.is_ok() && told == 5);
    }

    #[test]
    fn a_stop_is_told() {
        let run = run(2);
        let judge = |_: &Queens| {
            run.cancel();
            Some(())
        };
        assert!(stream(&Queens::new(11), Part::WHOLE, &run, judge, |()| true).is_err());
    }

    #[test]
    fn parts_are_everything_once() {
        let mut told = Vec::new();
        for index in 1..=3 {
            let part = Part::new(index, 3).unwrap();
            let judge = |at: &Queens| Some(at.solution());
            stream(&Queens::new(7), part, &run(2), judge, |solution| {
                told.push(solution);
                true
            })
            .unwrap();
        }
        told.sort();
        told.dedup();
        assert_eq!(told.len(), 40);
    }
}
