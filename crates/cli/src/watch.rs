//! Watching a run: progress on a terminal, Ctrl-C, and the signals that end a job.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pessoi::{Budget, Bytes, Run, Store};

use crate::output::remove_draft;
use pessoi::export::{seconds, thousands};

/// Begins a run that Ctrl-C, SIGTERM and SIGHUP end with what is known so far; a second
/// signal ends the program at once.
pub(crate) fn start(budget: Budget, store: Option<Store>) -> Run {
    let mut run = Run::new(budget);
    if let Some(store) = store {
        run = run.with_store(store);
    }
    let cancelled = run.clone();
    // Where no handler can be set, Ctrl-C does what it does everywhere.
    let _ = ctrlc::set_handler(move || {
        if cancelled.cancelled() {
            remove_draft();
            std::process::exit(130);
        }
        cancelled.cancel();
    });
    run
}

/// Work shorter than this shows no progress.
const PATIENCE: Duration = Duration::from_millis(700);
const BEAT: Duration = Duration::from_millis(100);

/// Does the work, and shows its progress on standard error if someone watches.
pub(crate) fn during<T>(run: &Run, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(run, &done));
        // However the work ends, the watcher ends too: the scope waits for it.
        let _ending = Ending { done: &done, watcher: watcher.thread().clone() };
        work()
    })
}

/// Ends the watcher when it is dropped.
struct Ending<'a> {
    done: &'a AtomicBool,
    watcher: std::thread::Thread,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}

fn watch(run: &Run, done: &AtomicBool) {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
        bar.set_style(style);
    }
    let began = Instant::now();
    let mut rate = Rate { at: began, handled: 0, a_second: 0.0 };
    let mut stage = (String::new(), began);
    while !done.load(Ordering::Relaxed) {
        std::thread::park_timeout(BEAT);
        let progress = run.progress();
        rate.update(progress.handled);
        if stage.0 != progress.stage {
            stage = (progress.stage.clone(), Instant::now());
        }
        if began.elapsed() < PATIENCE {
            continue;
        }
        let mut words = vec![progress.stage.clone()];
        if let Some((done, total)) = progress.steps {
            words.push(format!("{done} of {total}"));
        }
        words.push(format!("{} steps a second", thousands(rate.a_second as u64)));
        if progress.bytes > 0 {
            words.push(Bytes(progress.bytes).to_string());
        }
        words.push(seconds(run.elapsed().as_secs_f64()));
        match progress.steps {
            // Only where steps are alike is there an honest estimate of the rest.
            Some((done, total)) if progress.steps_are_alike && done * 20 >= total && done > 0 => {
                let spent = stage.1.elapsed().as_secs_f64();
                let rest = spent * (total - done) as f64 / done as f64;
                words.push(format!("about {} left", seconds(rest)));
            }
            _ => {}
        }
        if run.cancelled() {
            words.push("stopping".into());
        }
        bar.set_message(words.join(" · "));
        bar.tick();
    }
    bar.finish_and_clear();
}

/// A rate over the last seconds rather than over all time.
struct Rate {
    at: Instant,
    handled: u64,
    a_second: f64,
}

impl Rate {
    fn update(&mut self, handled: u64) {
        let passed = self.at.elapsed().as_secs_f64();
        if passed < 0.5 {
            return;
        }
        let now = handled.saturating_sub(self.handled) as f64 / passed;
        self.a_second = if self.a_second == 0.0 { now } else { 0.7 * self.a_second + 0.3 * now };
        self.at = Instant::now();
        self.handled = handled;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If the work panicked on a terminal, the program used to wait for ever.
    #[test]
    fn the_watcher_ends_however_the_work_ends() {
        let done = AtomicBool::new(false);
        let caught = std::panic::catch_unwind(|| {
            std::thread::scope(|scope| {
                let watcher = scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::thread::park_timeout(BEAT);
                    }
                });
                let _ending = Ending { done: &done, watcher: watcher.thread().clone() };
                panic!("the work fails");
            })
        });
        assert!(caught.is_err());
    }
}
