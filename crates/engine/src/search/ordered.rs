//! Work on all threads whose results are taken in order.
//!
//! Jobs are handed to the threads a stretch at a time, and while the next stretch is worked
//! on, the results of the last one are taken on the caller's thread. So the results come in
//! the order of the jobs whatever the threads do, and never more than a few stretches of
//! them are in memory.

use std::sync::mpsc::sync_channel;

use rayon::prelude::*;

use crate::run::Run;

/// Jobs of one stretch for each thread: enough that no thread waits long for the last one.
const JOBS_A_THREAD: usize = 24;

/// Does each job on some thread and gives the results to `take`, in order, until it says
/// that no more are wanted.
pub fn in_order<J: Sync, R: Send>(
    jobs: &[J],
    run: &Run,
    work: impl Fn(&J) -> R + Sync,
    mut take: impl FnMut(R) -> bool,
) {
    let stretch = JOBS_A_THREAD * run.budget().threads;
    let (give, taken) = sync_channel::<Vec<R>>(1);
    let work = &work;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for jobs in jobs.chunks(stretch) {
                let done = run.parallel(|| jobs.par_iter().with_max_len(1).map(work).collect());
                // Nobody waits for it any more.
                if give.send(done).is_err() {
                    return;
                }
            }
        });
        for result in taken.into_iter().flatten() {
            if !take(result) {
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Budget;

    #[test]
    fn results_come_in_order_until_they_are_not_wanted() {
        let jobs: Vec<u64> = (0..1000).collect();
        for threads in [1, 3] {
            let run = Run::new(Budget { threads, ..Budget::default() });
            let mut seen = Vec::new();
            in_order(
                &jobs,
                &run,
                |job| job * job,
                |square| {
                    seen.push(square);
                    seen.len() < 500
                },
            );
            assert_eq!(seen, (0..500).map(|n| n * n).collect::<Vec<u64>>());
        }
    }
}
