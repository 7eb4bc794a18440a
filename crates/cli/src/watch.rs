//! Watching a run: progress on a terminal or in a log, warnings, and the signals that end a job.
//!
//! While the work goes on, a thread looks at its progress ten times a second. If standard error
//! is a terminal, it shows a line there that never gets wider than the terminal. If there is a
//! *log*, it appends a line now and then, so that work on another machine can be followed.
//! Warnings are printed at once, wherever standard error leads.

use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pessoi::error::reason;
use pessoi::export::{seconds, thousands};
use pessoi::{Budget, Bytes, Disk, Error, Pace, Progress, Run, Store};

use crate::output::remove_draft;

/// Whether a signal asked the work to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Begins a run that Ctrl-C, SIGTERM and SIGHUP end with what is known so far; a second
/// signal ends the program at once.
pub(crate) fn start(budget: Budget, store: Option<Store>, disk: Option<Arc<Disk>>) -> Run {
    let run = Run::new(budget);
    // The handler lives as long as the program, and the store must not.
    let cancelled = run.clone();
    // Where no handler can be set, Ctrl-C does what it does everywhere.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            remove_draft();
            std::process::exit(130);
        }
        cancelled.cancel();
    });
    let run = match disk {
        Some(disk) => run.with_disk(disk),
        None => run,
    };
    match store {
        Some(store) => run.with_store(store),
        None => run,
    }
}

/// Whether a signal asked the work to end.
pub(crate) fn was_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A file that may not grow further would end the program by a signal; as an error it can be
/// dealt with.
pub(crate) fn take_full_files_for_errors() {
    #[cfg(unix)]
    {
        let noticed = std::sync::Arc::default();
        // If it cannot be, things are as they are elsewhere.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, noticed);
    }
}

/// Where progress is logged, and how often.
pub(crate) struct Logging {
    /// A file, or `-` for standard error.
    pub(crate) file: PathBuf,
    pub(crate) every: Duration,
}

impl Logging {
    fn is_screen(&self) -> bool {
        self.file == Path::new("-")
    }
}

/// The log of this program.
static LOG: Mutex<Option<Log>> = Mutex::new(None);

struct Log {
    /// `None` for standard error.
    file: Option<File>,
    every: Duration,
    began: Instant,
}

/// Opens the log, and says there what is to be done. A file that is there is added to: work
/// that is resumed has one log.
pub(crate) fn open_log(logging: &Logging) -> Result<(), Error> {
    let file = if logging.is_screen() {
        None
    } else {
        let open = OpenOptions::new().create(true).append(true).open(&logging.file);
        Some(open.map_err(|error| {
            let shown = logging.file.display().to_string();
            let why = reason(&error);
            Error::option("log", format!("The log {shown:?} cannot be written: {why}."))
        })?)
    };
    if let Ok(mut log) = LOG.lock() {
        *log = Some(Log { file, every: logging.every, began: Instant::now() });
    }
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    note(&format!("begins: pessoi {}", words.join(" ")));
    Ok(())
}

/// Says in the log how the program ends.
pub(crate) fn close_log(code: u8) {
    let Ok(mut log) = LOG.lock() else { return };
    let took = log.as_ref().map(|log| log.began.elapsed().as_secs_f64());
    drop(log.take_if(|log| {
        log.line(&format!("ends: exit code {code} after {}", seconds(took.unwrap_or_default())));
        true
    }));
}

/// Adds a line to the log, if there is one.
fn note(text: &str) {
    if let Ok(mut log) = LOG.lock()
        && let Some(log) = log.as_mut()
    {
        log.line(text);
    }
}

impl Log {
    /// A log that cannot be written is no reason to end the work.
    fn line(&mut self, text: &str) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let line = format!("{} {text}\n", time_of_day(now.as_secs()));
        let _ = match &mut self.file {
            Some(file) => file.write_all(line.as_bytes()),
            None => std::io::stderr().write_all(line.as_bytes()),
        };
    }
}

/// Seconds since 1970 as date and time, in UTC: `2024-02-29T12:00:00Z`.
fn time_of_day(seconds: u64) -> String {
    let (days, second) = (seconds / 86400, seconds % 86400);
    // Years begin in March here, so that the day that leap years have more is their last
    // (Hinnant, Chrono-compatible low-level date algorithms).
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Work shorter than this shows no progress.
const PATIENCE: Duration = Duration::from_millis(700);
const BEAT: Duration = Duration::from_millis(100);
/// Stages that follow each other faster are not all logged.
const A_STAGE: Duration = Duration::from_secs(1);

/// Does the work, shows its progress on standard error if someone watches, and logs it.
pub(crate) fn during<T>(run: &Run, work: impl FnOnce() -> T) -> T {
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
    let log =
        LOG.lock().ok().and_then(|log| log.as_ref().map(|log| (log.every, log.file.is_none())));
    // Lines of a log on the screen would be mixed up with the line of progress.
    let bar =
        (std::io::stderr().is_terminal() && log.is_none_or(|(_, is_screen)| !is_screen)).then(bar);
    let began = Instant::now();
    let mut pace = Pace::new(began);
    let (mut warned, mut logged) = (0, (String::new(), began));
    loop {
        let ends = done.load(Ordering::Relaxed);
        let progress = run.progress();
        pace.update(&progress, Instant::now());
        for warning in run.warnings().iter().skip(warned) {
            warned += 1;
            let say = || anstream::eprintln!("warning: {warning}");
            bar.as_ref().map_or_else(say, |bar| bar.suspend(say));
            note(&format!("warning: {warning}"));
        }
        if let Some((every, _)) = log {
            let (stage, at) = &logged;
            let wait = if *stage == progress.stage { every } else { every.min(A_STAGE) };
            if ends || at.elapsed() >= wait {
                note(&words(&pace, &progress, run).join(" · "));
                logged = (progress.stage.clone(), Instant::now());
            }
        }
        if let Some(bar) = bar.as_ref().filter(|_| !ends && began.elapsed() >= PATIENCE) {
            let width = terminal_size::terminal_size_of(std::io::stderr());
            let width = width.map_or(80, |(width, _)| usize::from(width.0));
            // The spinner, a space, and a column for the cursor.
            bar.set_message(fitted(words(&pace, &progress, run), width.saturating_sub(3)));
            bar.tick();
        }
        if ends {
            break;
        }
        std::thread::park_timeout(log.map_or(BEAT, |(every, _)| every.min(BEAT)));
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // Should the terminal become narrower in this moment, the message is cut and not wrapped.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// As many words as find room on a line; those that are of least interest go first.
fn fitted(mut words: Vec<String>, width: usize) -> String {
    // The rate, the memory and the time are behind the stage and what is done of it.
    while words.len() > 1 && words.join(" · ").chars().count() > width {
        words.remove(if words.len() > 2 { 2 } else { 1 });
    }
    let line = words.join(" · ");
    if line.chars().count() <= width {
        return line;
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).take(width).collect()
}

/// The stage, what is done of it, the rate, the memory, the time, and the rest.
fn words(pace: &Pace, progress: &Progress, run: &Run) -> Vec<String> {
    let stage = if progress.stage.is_empty() { "working" } else { &progress.stage };
    let mut words = vec![stage.to_owned()];
    if let Some((done, total)) = progress.steps {
        let share = 100.0 * done as f64 / total as f64;
        words.push(format!("{done} of {total} ({share:.0} %)"));
    }
    words.push(format!("{} steps a second", thousands(pace.a_second() as u64)));
    if progress.bytes > 0 {
        words.push(Bytes(progress.bytes).to_string());
    }
    words.push(seconds(run.elapsed().as_secs_f64()));
    if let Some(rest) = pace.rest(progress, Instant::now()) {
        words.push(format!("about {} left", seconds(rest.as_secs_f64())));
    }
    if run.cancelled() {
        words.push("stopping".into());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_208_000, "2024-02-29T12:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(time_of_day(seconds), date);
        }
    }

    /// In 40 columns the line used to wrap, and each one left the last behind.
    #[test]
    fn the_line_fits_the_terminal() {
        let words = [
            "reading points for 5 moduli",
            "320 of 1200 (27 %)",
            "1,234,567 steps a second",
            "3.4 MiB",
            "12 s",
            "about 35 s left",
        ];
        let line = |width| fitted(words.map(str::to_owned).to_vec(), width);
        for width in 0..150 {
            assert!(line(width).chars().count() <= width, "{width}: {}", line(width));
        }
        assert_eq!(line(150), words.join(" · "));
        assert_eq!(line(70), "reading points for 5 moduli · 320 of 1200 (27 %) · about 35 s left");
        assert_eq!(line(37), "reading points for 5 moduli");
        assert_eq!(line(10), "reading p…");
    }

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
