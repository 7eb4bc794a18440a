//! One job and its limits.
//!
//! A **run** carries the *budget* of a job (time, memory, threads, seed), lets a
//! watcher see its *progress*, and tells the engines when to **stop**. Engines
//! never print and never ask the operating system what is left: they call
//! [`Run::tick`] as they work and [`Run::claim`] before they take memory, and
//! hand the [`Stop`] upwards when either says no. A stopped job is never
//! mistaken for a finished one, because it ends in an `Err`.
//!
//! Memory is counted where it is large: tables, layers, sets. What is claimed
//! is what the containers reserve, so the peak reported is that of the job's own
//! data, not of the process.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// What a job may use.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Wall-clock time; `None` for as long as it takes.
    pub time: Option<Duration>,
    /// Bytes of tables and layers; `None` for no limit.
    pub memory: Option<u64>,
    /// Worker threads, at least one.
    pub threads: usize,
    /// Where all randomness comes from.
    pub seed: u64,
}

impl Default for Budget {
    /// No limits, one thread, seed 1.
    fn default() -> Self {
        Budget { time: None, memory: None, threads: 1, seed: 1 }
    }
}

/// Why a job ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time limit passed.
    Time {
        /// The limit that was set.
        limit: Duration,
    },
    /// The next table would not fit.
    Memory {
        /// Bytes in use plus those asked for.
        needed: u64,
        /// The limit that was set.
        limit: u64,
    },
    /// Somebody asked it to end.
    Cancelled,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Time { limit } => {
                write!(f, "the time limit of {} s passed", limit.as_secs_f64())
            }
            Stop::Memory { needed, limit } => {
                write!(f, "the memory limit of {} was reached", Bytes(*limit))?;
                // How far it would have gone is worth telling only if it is far.
                if *needed > limit.saturating_add(limit / 4) {
                    write!(f, ": {} are needed next", Bytes(*needed))?;
                }
                Ok(())
            }
            Stop::Cancelled => write!(f, "it was interrupted"),
        }
    }
}

impl std::error::Error for Stop {}

/// A job that was stopped, with what it had found until then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped<T> {
    /// What stopped it.
    pub why: Stop,
    /// True, but not the whole.
    pub so_far: T,
}

impl<T> fmt::Display for Stopped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl<T: fmt::Debug> std::error::Error for Stopped<T> {}

impl<T> From<Stopped<T>> for Stop {
    /// Forgets what was found.
    fn from(stopped: Stopped<T>) -> Self {
        stopped.why
    }
}

/// A number of bytes that prints as people write it: `1.5 GiB`.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(
    /// The number.
    pub u64,
);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
        let mut size = self.0 as f64;
        let mut unit = 0;
        while size >= 1024.0 && unit + 1 < UNITS.len() {
            size /= 1024.0;
            unit += 1;
        }
        if unit == 0 { write!(f, "{} B", self.0) } else { write!(f, "{size:.1} {}", UNITS[unit]) }
    }
}

/// How far a job has come, as a watcher sees it.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// What is being done, in a few words; empty before anything began.
    pub stage: String,
    /// Steps of this stage that are done, of how many; `None` where nobody knows.
    pub steps: Option<(u64, u64)>,
    /// Whether the steps cost about the same, so that the rest can be foretold.
    pub steps_are_alike: bool,
    /// Nodes, borders or states handled so far, over all stages.
    pub handled: u64,
    /// Bytes claimed now.
    pub bytes: u64,
}

#[derive(Debug)]
struct Shared {
    budget: Budget,
    began: Instant,
    cancelled: Arc<AtomicBool>,
    handled: AtomicU64,
    bytes: AtomicU64,
    peak: AtomicU64,
    stage: Mutex<String>,
    done: AtomicU64,
    total: AtomicU64,
    alike: AtomicBool,
    pool: OnceLock<Option<rayon::ThreadPool>>,
}

/// The budget, progress and cancelling of one job. Clones share one job.
#[derive(Clone, Debug)]
pub struct Run(Arc<Shared>);

impl Default for Run {
    fn default() -> Self {
        Run::new(Budget::default())
    }
}

impl Run {
    /// A job that begins now.
    pub fn new(budget: Budget) -> Self {
        Run::begun(budget, Arc::default())
    }

    /// A job within this one, with a clock, a budget and progress of its own: whoever ends
    /// one of the two ends both.
    #[must_use]
    pub fn part(&self, budget: Budget) -> Self {
        Run::begun(budget, Arc::clone(&self.0.cancelled))
    }

    fn begun(mut budget: Budget, cancelled: Arc<AtomicBool>) -> Self {
        budget.threads = budget.threads.max(1);
        Run(Arc::new(Shared {
            budget,
            began: Instant::now(),
            cancelled,
            handled: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            stage: Mutex::new(String::new()),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            alike: AtomicBool::new(false),
            pool: OnceLock::new(),
        }))
    }

    /// What the job may use.
    pub fn budget(&self) -> &Budget {
        &self.0.budget
    }

    /// Time since the job began.
    pub fn elapsed(&self) -> Duration {
        self.0.began.elapsed()
    }

    /// Asks the job to end; engines notice at their next tick.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Relaxed);
    }

    /// Whether somebody asked the job to end.
    pub fn cancelled(&self) -> bool {
        self.0.cancelled.load(Relaxed)
    }

    /// May the job go on?
    pub fn check(&self) -> Result<(), Stop> {
        if self.cancelled() {
            return Err(Stop::Cancelled);
        }
        match self.0.budget.time {
            Some(limit) if self.elapsed() >= limit => Err(Stop::Time { limit }),
            _ => Ok(()),
        }
    }

    /// Records that `handled` more nodes, borders or states are done, and asks
    /// whether to go on. It reads the clock, so call it every few thousand.
    pub fn tick(&self, handled: u64) -> Result<(), Stop> {
        self.0.handled.fetch_add(handled, Relaxed);
        self.check()
    }

    /// Begins a stage of `total` steps (0 where nobody knows) of about equal cost.
    pub fn stage(&self, name: impl Into<String>, total: u64) {
        self.begin(name.into(), total, true);
    }

    /// Begins a stage of `total` steps of very different cost.
    pub fn uneven_stage(&self, name: impl Into<String>, total: u64) {
        self.begin(name.into(), total, false);
    }

    fn begin(&self, name: String, total: u64, alike: bool) {
        if let Ok(mut stage) = self.0.stage.lock() {
            *stage = name;
        }
        self.0.done.store(0, Relaxed);
        self.0.total.store(total, Relaxed);
        self.0.alike.store(alike, Relaxed);
    }

    /// Records that `steps` steps of the current stage are done.
    pub fn step(&self, steps: u64) {
        self.0.done.fetch_add(steps, Relaxed);
    }

    /// How far the job has come.
    pub fn progress(&self) -> Progress {
        let total = self.0.total.load(Relaxed);
        Progress {
            stage: self.0.stage.lock().map(|s| s.clone()).unwrap_or_default(),
            steps: (total > 0).then(|| (self.0.done.load(Relaxed).min(total), total)),
            steps_are_alike: self.0.alike.load(Relaxed),
            handled: self.0.handled.load(Relaxed),
            bytes: self.0.bytes.load(Relaxed),
        }
    }

    /// The most bytes that were claimed at one time.
    pub fn peak_bytes(&self) -> u64 {
        self.0.peak.load(Relaxed)
    }

    /// A claim on no bytes yet, to be grown with [`Claim::grow_to`].
    pub fn claim(&self) -> Claim {
        Claim { run: self.clone(), bytes: 0 }
    }

    /// Whether `more` bytes could be claimed now.
    pub fn would_fit(&self, more: u64) -> Result<(), Stop> {
        let needed = self.0.bytes.load(Relaxed).saturating_add(more);
        match self.0.budget.memory {
            Some(limit) if needed > limit => Err(Stop::Memory { needed, limit }),
            _ => Ok(()),
        }
    }

    /// Runs `job` where rayon's parallel iterators use the budget's threads.
    ///
    /// With one thread, or where threads cannot be had, it simply calls `job`
    /// inside a pool of one or on the caller's thread.
    pub fn parallel<T: Send>(&self, job: impl FnOnce() -> T + Send) -> T {
        let pool = self.0.pool.get_or_init(|| {
            rayon::ThreadPoolBuilder::new().num_threads(self.0.budget.threads).build().ok()
        });
        match pool {
            Some(pool) => pool.install(job),
            None => job(),
        }
    }
}

/// Bytes set aside for one table; given back when dropped.
#[derive(Debug)]
pub struct Claim {
    run: Run,
    bytes: u64,
}

impl Claim {
    /// Makes the claim `bytes` large (larger or smaller than now), or says that
    /// this would pass the limit, in which case the claim stays as it was.
    pub fn grow_to(&mut self, bytes: u64) -> Result<(), Stop> {
        let shared = &self.run.0;
        if bytes > self.bytes {
            let more = bytes - self.bytes;
            let needed = shared.bytes.fetch_add(more, Relaxed) + more;
            if let Some(limit) = shared.budget.memory.filter(|&limit| needed > limit) {
                shared.bytes.fetch_sub(more, Relaxed);
                return Err(Stop::Memory { needed, limit });
            }
            shared.peak.fetch_max(needed, Relaxed);
        } else {
            shared.bytes.fetch_sub(self.bytes - bytes, Relaxed);
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.run.0.bytes.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_with_the_whole_and_has_its_own_clock() {
        let whole = Run::default();
        let part = whole.part(Budget { time: Some(Duration::ZERO), ..Budget::default() });
        assert!(matches!(part.check(), Err(Stop::Time { .. })));
        assert!(whole.check().is_ok());
        whole.cancel();
        assert_eq!(part.check(), Err(Stop::Cancelled));
    }

    #[test]
    fn claims_are_counted_and_given_back() {
        let run = Run::new(Budget { memory: Some(1000), ..Budget::default() });
        let mut a = run.claim();
        a.grow_to(600).unwrap();
        let mut b = run.claim();
        assert_eq!(b.grow_to(500), Err(Stop::Memory { needed: 1100, limit: 1000 }));
        b.grow_to(400).unwrap();
        drop(a);
        assert_eq!(run.progress().bytes, 400);
        assert_eq!(run.peak_bytes(), 1000);
    }

    #[test]
    fn a_cancelled_run_stops_at_the_next_tick() {
        let run = Run::default();
        assert_eq!(run.tick(5), Ok(()));
        run.clone().cancel();
        assert_eq!(run.tick(5), Err(Stop::Cancelled));
        assert_eq!(run.progress().handled, 10);
    }

    #[test]
    fn no_time_left_is_a_stop() {
        let limit = Duration::ZERO;
        let run = Run::new(Budget { time: Some(limit), ..Budget::default() });
        assert_eq!(run.check(), Err(Stop::Time { limit }));
    }

    #[test]
    fn bytes_print_as_people_write_them() {
        assert_eq!(Bytes(512).to_string(), "512 B");
        assert_eq!(Bytes(3 << 29).to_string(), "1.5 GiB");
    }
}
