//! Jobs on all threads whose results are taken in order.
//!
//! Each thread takes the next job that no thread has taken. What a job finds it *gives* to
//! its [`Outlet`], piece by piece; the caller's thread takes the pieces of the first job,
//! then those of the second, and so on. So the pieces come in the order of the jobs, however
//! many threads there are.
//!
//! Pieces that wait to be taken are claimed from the run's memory before they are put aside,
//! and a thread that is too far ahead waits. Only the *front* job, whose pieces are taken
//! now, may always give one piece, so something always moves on.
//!
//! When the caller has enough, or one job was stopped, the others learn it from their outlet
//! and end too. What was taken is then an unbroken beginning of all pieces.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::run::{Claim, Run, Stop};

/// Bytes of pieces that may wait at one time, but never more than a share of the memory limit.
const MOST_WAITING: u64 = 16 << 20;
/// The share: one part in so many.
const SHARE_WAITING: u64 = 4;

/// Does each job on some thread and gives the pieces to `take`, in order, until it returns
/// false. An error is the stop that ended a job whose pieces were still wanted.
///
/// A job returns the errors of its outlet as they are. `run.step` is called once for each job.
pub fn in_order<J: Sync, R: Send>(
    jobs: &[J],
    run: &Run,
    work: impl Fn(&J, &Outlet<R>) -> Result<(), Stop> + Sync,
    mut take: impl FnMut(R) -> bool,
) -> Result<(), Stop> {
    let share = run.budget().memory.map_or(MOST_WAITING, |limit| limit / SHARE_WAITING);
    let desk = Desk {
        jobs: jobs.len(),
        state: Mutex::new(State {
            front: 0,
            pipes: VecDeque::new(),
            bytes: 0,
            stop: None,
            blocked: 0,
            caller_waits: false,
        }),
        over: AtomicBool::new(false),
        news: Condvar::new(),
        room: Condvar::new(),
        most: share.min(MOST_WAITING),
    };
    let worker = || {
        while let Some(job) = desk.next_job() {
            // Closes the job even if it panics.
            let mut begun = Begun { desk: &desk, job, end: Err(Stop::Cancelled) };
            begun.end = work(&jobs[job], &Outlet { desk: &desk, job, run });
            run.step(1);
        }
    };
    std::thread::scope(|scope| {
        // If anything here panics, the threads must not wait for it.
        let _guard = Ends(&desk);
        for _ in 0..run.budget().threads.min(jobs.len()) {
            scope.spawn(worker);
        }
        loop {
            let (pieces, end) = desk.next_pieces();
            for (piece, claim) in pieces {
                drop(claim);
                if !take(piece) {
                    return Ok(());
                }
            }
            if let Some(end) = end {
                return end;
            }
        }
    })
}

/// Where one job gives what it finds.
pub struct Outlet<'d, R> {
    desk: &'d Desk<R>,
    job: usize,
    run: &'d Run,
}

impl<R> Outlet<'_, R> {
    /// Gives one piece, which owns `heap` bytes outside itself. Waits if too much is waiting.
    pub fn give(&self, piece: R, heap: usize) -> Result<(), Stop> {
        let bytes = (size_of::<(R, Claim)>() + heap) as u64;
        let mut claim = self.run.claim();
        let mut state = self.desk.lock();
        loop {
            if self.desk.is_over() {
                return Err(Stop::Cancelled);
            }
            // The front job may always give one piece.
            let first = self.job == state.front && state.pipe(self.job).pieces.is_empty();
            if first || state.bytes + bytes <= self.desk.most {
                break;
            }
            state.blocked += 1;
            state = self.desk.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.blocked -= 1;
        }
        claim.grow_to(bytes)?;
        state.bytes += bytes;
        state.pipe(self.job).pieces.push_back((piece, claim));
        if state.caller_waits && self.desk.has_news(&state) {
            drop(state);
            self.desk.news.notify_one();
        }
        Ok(())
    }

    /// Whether the job may go on: an error if the run stopped it or no more is wanted.
    pub fn check(&self) -> Result<(), Stop> {
        self.run.check()?;
        if self.desk.is_over() { Err(Stop::Cancelled) } else { Ok(()) }
    }

    /// Records work, as [`Run::tick`] does, and asks whether the job may go on.
    pub fn tick(&self, handled: u64) -> Result<(), Stop> {
        self.run.tick(handled)?;
        self.check()
    }
}

/// What the threads share.
struct Desk<R> {
    jobs: usize,
    state: Mutex<State<R>>,
    /// No job need go on. It is set only while `state` is locked.
    over: AtomicBool,
    /// For the caller: the front job gave something or ended.
    news: Condvar,
    /// For the jobs: pieces were taken, another job is in front, or all is over.
    room: Condvar,
    /// Bytes that may wait.
    most: u64,
}

struct State<R> {
    /// The job whose pieces are taken now.
    front: usize,
    /// What is waiting, for each job from the front one to the last that was begun.
    pipes: VecDeque<Pipe<R>>,
    bytes: u64,
    /// The first stop of a job.
    stop: Option<Stop>,
    /// Jobs that wait for room.
    blocked: usize,
    caller_waits: bool,
}

struct Pipe<R> {
    pieces: VecDeque<(R, Claim)>,
    end: Option<Result<(), Stop>>,
}

impl<R> State<R> {
    /// The pipe of a job that was begun and whose pieces were not all taken.
    fn pipe(&mut self, job: usize) -> &mut Pipe<R> {
        &mut self.pipes[job - self.front]
    }

    /// Goes on to the first job that has something to take or that is not done.
    fn pass_empty_pipes(&mut self) {
        while let Some(Pipe { pieces, end: Some(Ok(())) }) = self.pipes.front()
            && pieces.is_empty()
        {
            self.pipes.pop_front();
            self.front += 1;
        }
    }
}

/// The pieces that were waiting, and how all ended if it did.
type Pieces<R> = (VecDeque<(R, Claim)>, Option<Result<(), Stop>>);

impl<R> Desk<R> {
    /// No thread panics while it holds the lock, so the state is always whole.
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    fn next_job(&self) -> Option<usize> {
        let mut state = self.lock();
        let job = state.front + state.pipes.len();
        if self.is_over() || job >= self.jobs {
            return None;
        }
        state.pipes.push_back(Pipe { pieces: VecDeque::new(), end: None });
        Some(job)
    }

    fn close(&self, job: usize, end: Result<(), Stop>) {
        let mut state = self.lock();
        if let Err(stop) = &end
            && !self.is_over()
        {
            state.stop = Some(stop.clone());
            self.over.store(true, Relaxed);
        }
        state.pipe(job).end = Some(end);
        state.pass_empty_pipes();
        self.wake(state);
    }

    /// Wakes those that wait for what has changed.
    fn wake(&self, state: MutexGuard<State<R>>) {
        let news = state.caller_waits && self.has_news(&state);
        let blocked = state.blocked > 0;
        // They are woken when they can have the lock.
        drop(state);
        if news {
            self.news.notify_one();
        }
        if blocked {
            self.room.notify_all();
        }
    }

    /// Whether there is something to take, or all is at an end.
    fn has_news(&self, state: &State<R>) -> bool {
        match state.pipes.front() {
            Some(pipe) => !pipe.pieces.is_empty() || pipe.end.is_some(),
            None => state.front == self.jobs || self.is_over(),
        }
    }

    /// Waits until the front job has given something or all is at an end.
    fn next_pieces(&self) -> Pieces<R> {
        let mut state = self.lock();
        while !self.has_news(&state) {
            state.caller_waits = true;
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.caller_waits = false;
        }
        let pieces = state.pipes.front_mut().map(|pipe| std::mem::take(&mut pipe.pieces));
        let pieces = pieces.unwrap_or_default();
        if !pieces.is_empty() {
            state.bytes -= pieces.iter().map(|(_, claim)| claim.bytes()).sum::<u64>();
            state.pass_empty_pipes();
            self.wake(state);
            return (pieces, None);
        }
        if state.front == self.jobs {
            return (pieces, Some(Ok(())));
        }
        // The front job was stopped, or was not begun because another was. One that ended
        // because another was stopped has that one's stop.
        (pieces, Some(Err(state.stop.clone().unwrap_or(Stop::Cancelled))))
    }
}

/// A job that is being worked on; closed when dropped.
struct Begun<'d, R> {
    desk: &'d Desk<R>,
    job: usize,
    end: Result<(), Stop>,
}

impl<R> Drop for Begun<'_, R> {
    fn drop(&mut self) {
        self.desk.close(self.job, self.end.clone());
    }
}

/// Ends all jobs when dropped.
struct Ends<'d, R>(&'d Desk<R>);

impl<R> Drop for Ends<'_, R> {
    fn drop(&mut self) {
        let _state = self.0.lock();
        self.0.over.store(true, Relaxed);
        self.0.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Budget;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicU64;

    fn run(threads: usize) -> Run {
        Run::new(Budget { threads, ..Budget::default() })
    }

    #[test]
    fn pieces_come_in_order_until_they_are_not_wanted() {
        let jobs: Vec<u64> = (0..1000).collect();
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let give = |&job: &u64, outlet: &Outlet<u64>| {
                outlet.give(2 * job, 0)?;
                outlet.give(2 * job + 1, 0)
            };
            let ended = in_order(&jobs, &run(threads), give, |piece| {
                seen.push(piece);
                seen.len() < 501
            });
            assert_eq!(ended, Ok(()));
            assert_eq!(seen, (0..501).collect::<Vec<u64>>());
        }
    }

    /// Every job but the first would go on for ever.
    #[test]
    fn jobs_end_when_enough_was_taken() {
        let jobs: Vec<u64> = (0..50).collect();
        let endless = |&job: &u64, outlet: &Outlet<u64>| {
            outlet.give(job, 0)?;
            if job == 0 {
                return Ok(());
            }
            loop {
                outlet.tick(1)?;
            }
        };
        assert_eq!(in_order(&jobs, &run(3), endless, |job| job < 1), Ok(()));
    }

    #[test]
    fn the_pieces_before_a_stop_are_taken_and_the_first_stop_is_reported() {
        let jobs: Vec<u64> = (0..50).collect();
        let limit = std::time::Duration::from_secs(7);
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let ended = in_order(
                &jobs,
                &run(threads),
                |&job, outlet| {
                    outlet.give(job, 0)?;
                    if job == 20 { Err(Stop::Time { limit }) } else { Ok(()) }
                },
                |job| {
                    seen.push(job);
                    true
                },
            );
            assert_eq!(ended, Err(Stop::Time { limit }));
            assert_eq!(seen, (0..seen.len() as u64).collect::<Vec<_>>());
            assert!(threads > 1 || seen.len() == 21);
        }
    }

    /// The first job gives its piece only after the second has tried to give far more than
    /// may wait.
    #[test]
    fn what_waits_is_claimed_and_keeps_within_the_limit() {
        let memory = 4000;
        let run = Run::new(Budget { threads: 2, memory: Some(memory), ..Budget::default() });
        let given = AtomicU64::new(0);
        let mut taken = 0;
        let give = |&job: &u64, outlet: &Outlet<u64>| {
            if job == 0 {
                while run.progress().bytes < 800 {
                    outlet.check()?;
                }
                return outlet.give(0, 100);
            }
            for _ in 0..1000 {
                outlet.give(job, 100)?;
                given.fetch_add(1, Relaxed);
            }
            Ok(())
        };
        let ended = in_order(&[0, 1], &run, give, |_| {
            taken += 1;
            true
        });
        assert_eq!((ended, taken), (Ok(()), 1001));
        // As many again may be on their way to the caller.
        assert!(run.peak_bytes() <= 2 * memory / SHARE_WAITING + 200, "{}", run.peak_bytes());
        assert_eq!((run.progress().bytes, given.into_inner()), (0, 1000));
    }

    #[test]
    fn a_piece_that_does_not_fit_is_a_stop() {
        let run = Run::new(Budget { memory: Some(4000), ..Budget::default() });
        let ended = in_order(&[()], &run, |(), outlet| outlet.give((), 5000), |()| true);
        assert!(matches!(ended, Err(Stop::Memory { .. })), "{ended:?}");
    }

    #[test]
    fn a_panic_on_either_side_is_passed_on() {
        let jobs = [0; 30];
        let full = |_: &i32, outlet: &Outlet<()>| outlet.give((), 9 << 20);
        let taker = || in_order(&jobs, &run(3), full, |()| panic!("the taker"));
        assert!(catch_unwind(AssertUnwindSafe(taker)).is_err());
        let fails = |_: &i32, _: &Outlet<()>| panic!("a job");
        let job = || in_order(&jobs, &run(3), fails, |()| true);
        assert!(catch_unwind(AssertUnwindSafe(job)).is_err());
    }
}
