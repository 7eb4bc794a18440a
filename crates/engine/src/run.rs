//! One job and its limits.
//!
//! A **run** carries the *budget* of a job (time, memory, threads, seed), the [`Disk`] where
//! it may put what does not fit, the [`Store`] where it may save itself, and the [`Share`] where
//! it meets other parts of its question; it lets a watcher see its *progress*, and makes the
//! engines **stop**. Engines never print and never ask the operating system what is
//! left: they call [`Run::tick`] as they work and [`Run::claim`] before they take memory,
//! and return the [`Stop`] when either refuses.
//!
//! A job can be done in *parts* ([`Run::part`]), each with a budget of its own.
//!
//! What goes wrong without ending the job, such as a save that fails, is a *warning*
//! ([`Run::warn`]): a watcher shows it at once, and the answer keeps it.
//!
//! Time is that of the wall. In tests it can be counted in calls of [`Run::check`] instead
//! ([`Run::stepping`]), so that what a limit does there depends on no clock.
//!
//! Memory is counted where it is large: tables, layers, sets. What is claimed
//! is what the containers reserve, so the peak reported is that of the job's own
//! data, not of the process.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::disk::Disk;
use crate::share::Share;
use crate::store::Store;

/// What a job may use.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Wall-clock time; `None` for no limit.
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
    /// The disk that the job was given is too small, or failed.
    Disk {
        /// What is wrong with it.
        why: String,
    },
    /// A part of a job took all the steps that it was granted.
    Steps {
        /// How many these are.
        limit: u64,
    },
    /// The job was asked to end.
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
                // How much is needed is of interest only if it is much more.
                if *needed > limit.saturating_add(limit / 4) {
                    write!(f, ": {} are needed next", Bytes(*needed))?;
                }
                Ok(())
            }
            Stop::Disk { why } => f.write_str(why),
            Stop::Steps { limit } => write!(f, "the limit of {limit} steps was reached"),
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
    /// Correct, but not complete.
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

/// A number of bytes that prints with a unit: `1.5 GiB`. The largest number stands for all that are
/// larger.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(
    /// The number.
    pub u64,
);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        if self.0 == u64::MAX {
            return f.write_str("more than 16 EiB");
        }
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
    /// Steps of this stage that are done, of how many; `None` if unknown.
    pub steps: Option<(u64, u64)>,
    /// Whether the steps cost about the same, so that the rest can be predicted.
    pub steps_are_alike: bool,
    /// Nodes, borders or states handled so far, over all stages.
    pub handled: u64,
    /// Bytes claimed now.
    pub bytes: u64,
}

/// What time is.
#[derive(Clone, Debug)]
enum Clock {
    /// That of the wall.
    Wall(Instant),
    /// A step at each check, of this job and of those that share the clock.
    Steps { step: Duration, checks: Arc<AtomicU64>, began: u64 },
}

impl Clock {
    fn elapsed(&self) -> Duration {
        match self {
            Clock::Wall(began) => began.elapsed(),
            Clock::Steps { step, checks, began } => {
                let passed = checks.load(Relaxed).saturating_sub(*began);
                step.saturating_mul(u32::try_from(passed).unwrap_or(u32::MAX))
            }
        }
    }

    /// The same clock, begun now.
    fn anew(&self) -> Clock {
        match self {
            Clock::Wall(_) => Clock::Wall(Instant::now()),
            Clock::Steps { step, checks, .. } => {
                let began = checks.load(Relaxed);
                Clock::Steps { step: *step, checks: Arc::clone(checks), began }
            }
        }
    }
}

#[derive(Debug)]
struct Shared {
    budget: Budget,
    clock: Clock,
    warnings: Mutex<Vec<String>>,
    cancelled: Arc<AtomicBool>,
    handled: AtomicU64,
    bytes: AtomicU64,
    peak: AtomicU64,
    stage: Mutex<String>,
    done: AtomicU64,
    total: AtomicU64,
    alike: AtomicBool,
    pool: OnceLock<Option<rayon::ThreadPool>>,
    /// How often it may ask whether to go on, and how often it did.
    steps: Option<(u64, AtomicU64)>,
    /// The job of which this one is a part.
    whole: Option<Arc<Shared>>,
    /// The memory that it has in common with other jobs; a part has that of its whole.
    memory: Option<Arc<Memory>>,
}

/// Memory that several jobs have in common: what each of them claims counts against its own limit
/// and against this one.
#[derive(Debug)]
pub struct Memory {
    limit: u64,
    bytes: AtomicU64,
}

impl Memory {
    /// So many bytes, for all jobs that are given this.
    pub fn new(limit: u64) -> Arc<Self> {
        Arc::new(Memory { limit, bytes: AtomicU64::new(0) })
    }

    /// Bytes that are claimed now.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    fn would_fit(&self, more: u64) -> Result<(), Stop> {
        let needed = self.bytes().saturating_add(more);
        if needed > self.limit { Err(Stop::Memory { needed, limit: self.limit }) } else { Ok(()) }
    }

    fn take(&self, more: u64) -> Result<(), Stop> {
        let needed = self.bytes.fetch_add(more, Relaxed).saturating_add(more);
        if needed > self.limit {
            self.bytes.fetch_sub(more, Relaxed);
            return Err(Stop::Memory { needed, limit: self.limit });
        }
        Ok(())
    }
}

/// The budget, progress, cancelling and store of one job. Clones share one job.
#[derive(Clone, Debug)]
pub struct Run {
    shared: Arc<Shared>,
    store: Option<Arc<Store>>,
    disk: Option<Arc<Disk>>,
    share: Option<Arc<Share>>,
}

impl Default for Run {
    fn default() -> Self {
        Run::new(Budget::default())
    }
}

impl Run {
    /// A job that begins now.
    pub fn new(budget: Budget) -> Self {
        Run::begun(budget, Clock::Wall(Instant::now()), None, None, None)
    }

    /// A job that begins now and has `memory` in common with others.
    pub fn sharing(budget: Budget, memory: &Arc<Memory>) -> Self {
        let memory = Some(Arc::clone(memory));
        Run::begun(budget, Clock::Wall(Instant::now()), None, memory, None)
    }

    /// A job whose clock goes on by `step` whenever [`Run::check`] is called, and not otherwise:
    /// for tests whose outcome must not depend on how fast the machine is.
    pub fn stepping(budget: Budget, step: Duration) -> Self {
        Run::begun(
            budget,
            Clock::Steps { step, checks: Arc::default(), began: 0 },
            None,
            None,
            None,
        )
    }

    /// The same job, which saves itself in `store`.
    #[must_use]
    pub fn with_store(mut self, store: Store) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Where the job saves itself, if the caller gave it a place.
    pub fn store(&self) -> Option<&Store> {
        self.store.as_deref()
    }

    /// The same job, which may write to `disk` what does not fit into memory.
    #[must_use]
    pub fn with_disk(mut self, disk: Arc<Disk>) -> Self {
        self.disk = Some(disk);
        self
    }

    /// Where the job may write what does not fit into memory, if the caller gave it a place.
    pub fn disk(&self) -> Option<&Arc<Disk>> {
        self.disk.as_ref()
    }

    /// The same job, which meets the other parts of its question in `share`.
    #[must_use]
    pub fn with_share(mut self, share: Arc<Share>) -> Self {
        self.share = Some(share);
        self
    }

    /// Where the job meets the other parts of its question, if the caller gave it a place.
    pub fn share(&self) -> Option<&Share> {
        self.share.as_deref()
    }

    /// A job within this one, with a clock and a budget of its own.
    ///
    /// The part stops when its own limits are hit or those of the whole. What it does is
    /// progress of the whole as well: a watcher of the whole sees the part's stage, steps,
    /// nodes and bytes, and its claims count against both memory limits. Cancelling either
    /// cancels both. A part has no store and no share: two parts would overwrite each other's
    /// work. It shares the disk.
    #[must_use]
    pub fn part(&self, budget: Budget) -> Self {
        self.part_of_steps(budget, None)
    }

    /// A part on one thread that may ask so often whether to go on, and is stopped then: for what
    /// must end after the same work on every machine.
    #[must_use]
    pub fn granted(&self, steps: u64) -> Self {
        self.part_of_steps(Budget { threads: 1, ..self.budget().clone() }, Some(steps))
    }

    fn part_of_steps(&self, budget: Budget, steps: Option<u64>) -> Self {
        let (clock, whole) = (self.shared.clock.anew(), Some(Arc::clone(&self.shared)));
        Run { disk: self.disk.clone(), ..Run::begun(budget, clock, whole, None, steps) }
    }

    /// A part that may take half of the time that is left: for what is tried where something else
    /// will do.
    #[must_use]
    pub fn half(&self) -> Self {
        let left = self.budget().time.map(|time| time.saturating_sub(self.elapsed()));
        self.part(Budget { time: left.map(|left| left / 2), ..self.budget().clone() })
    }

    fn begun(
        mut budget: Budget,
        clock: Clock,
        whole: Option<Arc<Shared>>,
        memory: Option<Arc<Memory>>,
        steps: Option<u64>,
    ) -> Self {
        budget.threads = budget.threads.max(1);
        let cancelled = whole.as_ref().map_or_else(Arc::default, |w| Arc::clone(&w.cancelled));
        let steps = steps.map(|most| (most, AtomicU64::new(0)));
        let shared = Shared {
            budget,
            clock,
            warnings: Mutex::default(),
            cancelled,
            handled: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            stage: Mutex::new(String::new()),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            alike: AtomicBool::new(false),
            pool: OnceLock::new(),
            steps,
            whole,
            memory,
        };
        Run { shared: Arc::new(shared), store: None, disk: None, share: None }
    }

    /// What the job may use.
    pub fn budget(&self) -> &Budget {
        &self.shared.budget
    }

    /// Time since the job began.
    pub fn elapsed(&self) -> Duration {
        self.shared.clock.elapsed()
    }

    /// Asks the job to end; engines notice at their next tick.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Relaxed);
    }

    /// Whether the job was asked to end.
    pub fn cancelled(&self) -> bool {
        self.shared.cancelled.load(Relaxed)
    }

    /// Whether the job may go on.
    pub fn check(&self) -> Result<(), Stop> {
        if let Clock::Steps { checks, .. } = &self.shared.clock {
            checks.fetch_add(1, Relaxed);
        }
        if self.cancelled() {
            return Err(Stop::Cancelled);
        }
        for job in self.shared.and_wholes() {
            if let Some(limit) = job.budget.time
                && job.clock.elapsed() >= limit
            {
                return Err(Stop::Time { limit });
            }
            if let Some((limit, taken)) = &job.steps
                && taken.fetch_add(1, Relaxed) >= *limit
            {
                return Err(Stop::Steps { limit: *limit });
            }
        }
        Ok(())
    }

    /// How often this part, which was granted a number of steps, has asked whether to go on.
    pub fn steps(&self) -> u64 {
        self.shared.steps.as_ref().map_or(0, |(_, taken)| taken.load(Relaxed))
    }

    /// Records that `handled` more nodes, borders or states are done, and asks
    /// whether to go on. It reads the clock, so call it every few thousand.
    pub fn tick(&self, handled: u64) -> Result<(), Stop> {
        for job in self.shared.and_wholes() {
            job.handled.fetch_add(handled, Relaxed);
        }
        self.check()
    }

    /// Begins a stage of `total` steps (0 if unknown) of about equal cost.
    pub fn stage(&self, name: impl Into<String>, total: u64) {
        self.begin(&name.into(), total, true);
    }

    /// Begins a stage of `total` steps of very different cost.
    pub fn uneven_stage(&self, name: impl Into<String>, total: u64) {
        self.begin(&name.into(), total, false);
    }

    fn begin(&self, name: &str, total: u64, alike: bool) {
        for job in self.shared.and_wholes() {
            if let Ok(mut stage) = job.stage.lock() {
                name.clone_into(&mut stage);
            }
            job.done.store(0, Relaxed);
            job.total.store(total, Relaxed);
            job.alike.store(alike, Relaxed);
        }
    }

    /// Records that `steps` steps of the current stage are done.
    pub fn step(&self, steps: u64) {
        for job in self.shared.and_wholes() {
            job.done.fetch_add(steps, Relaxed);
        }
    }

    /// Records that something went wrong that does not end the job, in a sentence. The same
    /// sentence is kept once.
    pub fn warn(&self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        for job in self.shared.and_wholes() {
            if let Ok(mut warnings) = job.warnings.lock()
                && !warnings.contains(&sentence)
            {
                warnings.push(sentence.clone());
            }
        }
    }

    /// What went wrong so far without ending the job, its parts included.
    pub fn warnings(&self) -> Vec<String> {
        self.shared.warnings.lock().map(|warnings| warnings.clone()).unwrap_or_default()
    }

    /// How far the job has come, its parts included.
    pub fn progress(&self) -> Progress {
        let job = &self.shared;
        let total = job.total.load(Relaxed);
        Progress {
            stage: job.stage.lock().map(|s| s.clone()).unwrap_or_default(),
            steps: (total > 0).then(|| (job.done.load(Relaxed).min(total), total)),
            steps_are_alike: job.alike.load(Relaxed),
            handled: job.handled.load(Relaxed),
            bytes: job.bytes.load(Relaxed),
        }
    }

    /// The most bytes that were claimed at one time.
    pub fn peak_bytes(&self) -> u64 {
        self.shared.peak.load(Relaxed)
    }

    /// A claim on no bytes yet, to be grown with [`Claim::grow_to`].
    pub fn claim(&self) -> Claim {
        Claim { job: Arc::clone(&self.shared), bytes: 0 }
    }

    /// Whether `more` bytes could be claimed now.
    pub fn would_fit(&self, more: u64) -> Result<(), Stop> {
        for job in self.shared.and_wholes() {
            let needed = job.bytes.load(Relaxed).saturating_add(more);
            if let Some(limit) = job.budget.memory.filter(|&limit| needed > limit) {
                return Err(Stop::Memory { needed, limit });
            }
            job.memory.as_ref().map_or(Ok(()), |memory| memory.would_fit(more))?;
        }
        Ok(())
    }

    /// How many bytes could be claimed now; `u64::MAX` if there is no limit.
    pub fn room(&self) -> u64 {
        let left = |job: &Shared| {
            let own = job.budget.memory.map(|most| most.saturating_sub(job.bytes.load(Relaxed)));
            let common = job.memory.as_ref().map(|all| all.limit.saturating_sub(all.bytes()));
            own.into_iter().chain(common).min()
        };
        self.shared.and_wholes().filter_map(left).min().unwrap_or(u64::MAX)
    }

    /// Runs `job` where rayon's parallel iterators use the budget's threads.
    ///
    /// Where no threads can be had, it calls `job` on the caller's thread.
    pub fn parallel<T: Send>(&self, job: impl FnOnce() -> T + Send) -> T {
        let pool = self.shared.pool.get_or_init(|| {
            rayon::ThreadPoolBuilder::new().num_threads(self.shared.budget.threads).build().ok()
        });
        match pool {
            Some(pool) => pool.install(job),
            None => job(),
        }
    }
}

impl Shared {
    /// This job, that of which it is a part, and so on.
    fn and_wholes(&self) -> impl Iterator<Item = &Shared> {
        std::iter::successors(Some(self), |job| job.whole.as_deref())
    }

    /// Counts `more` bytes here and in every whole, or nowhere.
    fn take(&self, more: u64) -> Result<(), Stop> {
        let needed = self.bytes.fetch_add(more, Relaxed).saturating_add(more);
        let fits = match self.budget.memory.filter(|&limit| needed > limit) {
            Some(limit) => Err(Stop::Memory { needed, limit }),
            None => match (&self.whole, &self.memory) {
                (Some(whole), _) => whole.take(more),
                (None, Some(memory)) => memory.take(more),
                (None, None) => Ok(()),
            },
        };
        match fits {
            Ok(()) => _ = self.peak.fetch_max(needed, Relaxed),
            Err(_) => _ = self.bytes.fetch_sub(more, Relaxed),
        }
        fits
    }

    fn give_back(&self, bytes: u64) {
        for job in self.and_wholes() {
            job.bytes.fetch_sub(bytes, Relaxed);
            if let Some(memory) = &job.memory {
                memory.bytes.fetch_sub(bytes, Relaxed);
            }
        }
    }
}

/// Bytes set aside for one table; given back when dropped.
#[derive(Debug)]
pub struct Claim {
    job: Arc<Shared>,
    bytes: u64,
}

impl Claim {
    /// How large the claim is.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Makes the claim `bytes` large (larger or smaller than now). If this would pass the
    /// limit, it is an error and the claim stays as it was.
    pub fn grow_to(&mut self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.bytes {
            self.job.take(bytes - self.bytes)?;
        } else {
            self.job.give_back(self.bytes - bytes);
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.job.give_back(self.bytes);
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
    fn a_part_ends_when_the_time_of_the_whole_is_over() {
        let whole = Run::new(Budget { time: Some(Duration::ZERO), ..Budget::default() });
        assert_eq!(whole.part(Budget::default()).check(), whole.check());
        assert!(whole.check().is_err());
    }

    #[test]
    fn a_watcher_of_the_whole_sees_what_a_part_does() {
        let whole = Run::new(Budget { memory: Some(1000), ..Budget::default() });
        whole.tick(3).unwrap();
        let part = whole.part(Budget::default()).part(Budget::default());
        part.stage("a part", 10);
        part.step(4);
        part.tick(7).unwrap();
        let mut claim = part.claim();
        claim.grow_to(600).unwrap();
        let seen = whole.progress();
        assert_eq!((seen.stage.as_str(), seen.steps), ("a part", Some((4, 10))));
        assert_eq!((seen.handled, seen.bytes), (10, 600));
        assert_eq!(part.progress().handled, 7, "a part counts only its own");
        drop(claim);
        assert_eq!((whole.progress().bytes, whole.peak_bytes()), (0, 600));
    }

    #[test]
    fn jobs_keep_within_the_memory_that_they_have_in_common() {
        let memory = Memory::new(1000);
        let [one, other] = [700, 5000]
            .map(|most| Run::sharing(Budget { memory: Some(most), ..Budget::default() }, &memory));
        let mut first = one.claim();
        assert!(first.grow_to(701).is_err());
        first.grow_to(600).unwrap();
        assert_eq!((one.room(), other.room()), (100, 400));
        let part = other.part(Budget::default());
        assert_eq!(part.would_fit(401), Err(Stop::Memory { needed: 1001, limit: 1000 }));
        let mut second = part.claim();
        assert_eq!(second.grow_to(401), Err(Stop::Memory { needed: 1001, limit: 1000 }));
        second.grow_to(400).unwrap();
        assert_eq!(memory.bytes(), 1000);
        // One ends, and the other is not cancelled with it.
        one.cancel();
        drop(first);
        second.grow_to(1000).unwrap();
        assert!(other.check().is_ok());
        drop(second);
        assert_eq!(memory.bytes(), 0);
    }

    #[test]
    fn a_part_keeps_within_the_memory_of_the_whole() {
        let whole = Run::new(Budget { memory: Some(1000), ..Budget::default() });
        let mut own = whole.claim();
        own.grow_to(600).unwrap();
        let part = whole.part(Budget { memory: Some(700), ..Budget::default() });
        let mut claim = part.claim();
        let refused = Err(Stop::Memory { needed: 1100, limit: 1000 });
        assert_eq!(claim.grow_to(500), refused);
        assert_eq!(part.would_fit(500), refused);
        assert_eq!((part.progress().bytes, whole.progress().bytes), (0, 600));
        drop(own);
        assert_eq!(claim.grow_to(800), Err(Stop::Memory { needed: 800, limit: 700 }));
        claim.grow_to(500).unwrap();
        assert_eq!(whole.progress().bytes, 500);
    }

    #[test]
    fn the_store_belongs_to_the_job_and_not_to_its_parts() {
        let folder = std::env::temp_dir().join(format!("run-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("saved");
        let run = Run::default().with_store(Store::open(&path).unwrap());
        assert_eq!(run.clone().store().unwrap().path(), path);
        assert!(run.part(Budget::default()).store().is_none());
        drop(run);
        std::fs::remove_dir(&folder).unwrap();
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
    fn a_part_ends_after_the_steps_that_it_was_granted() {
        let run = Run::default();
        let part = run.granted(2);
        assert_eq!((part.check(), part.tick(5)), (Ok(()), Ok(())));
        assert_eq!(part.check(), Err(Stop::Steps { limit: 2 }));
        // The whole goes on, and can end the part before its steps are used up.
        assert_eq!((run.check(), run.progress().handled), (Ok(()), 5));
        run.cancel();
        assert_eq!(run.granted(2).check(), Err(Stop::Cancelled));
    }

    #[test]
    fn a_stepping_clock_goes_by_checks_and_not_by_time() {
        let limit = Duration::from_secs(10);
        let step = Duration::from_secs(1);
        let run = Run::stepping(Budget { time: Some(limit), ..Budget::default() }, step);
        for _ in 0..4 {
            run.tick(1).unwrap();
        }
        assert_eq!(run.elapsed(), 4 * step);
        // A part begins its own time on the clock of the whole.
        let part = run.part(Budget { time: Some(3 * step), ..Budget::default() });
        assert_eq!((part.check(), part.check()), (Ok(()), Ok(())));
        assert_eq!(part.check(), Err(Stop::Time { limit: 3 * step }));
        assert_eq!((part.elapsed(), run.elapsed()), (3 * step, 7 * step));
        assert_eq!((run.check(), run.check()), (Ok(()), Ok(())));
        assert_eq!(run.check(), Err(Stop::Time { limit }));
    }

    #[test]
    fn a_warning_of_a_part_is_one_of_the_whole() {
        let whole = Run::default();
        let part = whole.part(Budget::default());
        part.warn("The disk is full.");
        part.warn("The disk is full.");
        whole.warn("Another.");
        assert_eq!(part.warnings(), ["The disk is full."]);
        assert_eq!(whole.warnings(), ["The disk is full.", "Another."]);
    }

    #[test]
    fn bytes_print_as_people_write_them() {
        assert_eq!(Bytes(512).to_string(), "512 B");
        assert_eq!(Bytes(3 << 29).to_string(), "1.5 GiB");
    }
}
