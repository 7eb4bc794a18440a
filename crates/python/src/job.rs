//! Work on a thread of its own, while the interpreter is free.
//!
//! The calling thread waits without holding the interpreter's lock. Every [`BEAT`] it takes the
//! lock for a moment: to see whether Ctrl-C was pressed, and to show progress. If either raises an
//! exception the run is cancelled, and the exception is raised when the work has ended.
//!
//! The work of an own game calls Python ([`Calls`]). A call that does not return when the run is
//! over is ended by an exception, which is raised in its thread. A job that is begun inside such a
//! call is *within* the run of that call ([`within`]), and ends with it.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pessoi::{Error, Run};
use pyo3::prelude::*;
use pyo3::types::PyAnyMethods;

use crate::answer::Answer;
use crate::errors::{made, raised};

/// How often the interpreter is asked.
pub(crate) const BEAT: Duration = Duration::from_millis(50);

/// As much as the main thread of a program has on most systems.
pub(crate) const STACK: usize = 8 << 20;

/// So many beats after the end of its run, a call of Python is ended.
const GRACE: u32 = 5;

/// A function of Python that is shown the progress of a run.
pub(crate) type Watch = Option<Py<PyAny>>;

/// How often the process was forked, counted from the first one down to this.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Is called by Python in a new process, after it was forked. Threads are not forked.
#[pyfunction]
pub(crate) fn forked() {
    FORKS.fetch_add(1, Relaxed);
}

/// Which of these processes this is.
pub(crate) fn process() -> u64 {
    FORKS.load(Relaxed)
}

/// The runs that are driven now, each with a number and its process.
static DRIVEN: Mutex<Vec<(u64, u64, Run)>> = Mutex::new(Vec::new());

fn driven() -> MutexGuard<'static, Vec<(u64, u64, Run)>> {
    DRIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this lives, its run is among those that are driven.
struct Driven(u64);

impl Driven {
    fn new(run: &Run) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        driven().push((number, process(), run.clone()));
        Driven(number)
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        driven().retain(|(number, ..)| *number != self.0);
    }
}

/// Is called when Python is about to end: ends the jobs of threads that nobody waits for, and waits
/// a moment for them. Python would end these threads wherever they are, and the program with them.
#[pyfunction]
pub(crate) fn at_exit(py: Python<'_>) {
    let since = Instant::now();
    loop {
        let here = process();
        let ours = driven().iter().filter(|(_, process, _)| *process == here).fold(
            0,
            |number, (_, _, run)| {
                run.cancel();
                number + 1
            },
        );
        if ours == 0 || since.elapsed() >= PATIENCE {
            return;
        }
        py.detach(|| std::thread::sleep(Duration::from_millis(5)));
    }
}

/// So long it is waited for jobs that are cancelled.
const PATIENCE: Duration = Duration::from_secs(2);

/// Does work on a thread, and returns what came of it and the exception that ended it early.
pub(crate) fn drive<T: Send>(
    py: Python<'_>,
    run: &Run,
    watch: &Watch,
    work: impl FnOnce() -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    drive_calls(py, run, watch, None, work)
}

/// Does work that may call Python.
pub(crate) fn drive_calls<T: Send>(
    py: Python<'_>,
    run: &Run,
    watch: &Watch,
    calls: Option<&Calls>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let (done, ended) = (Mutex::new(false), Condvar::new());
    let driven = Driven::new(run);
    let outcome = std::thread::scope(|scope| {
        let worker = || {
            let result = caught(work);
            *done.lock().unwrap_or_else(PoisonError::into_inner) = true;
            ended.notify_all();
            result
        };
        let builder = std::thread::Builder::new().name("pessoi".into()).stack_size(STACK);
        let handle =
            builder.spawn_scoped(scope, worker).map_err(|error| failed_to_start(&error))?;
        let mut interrupt = None;
        let mut stuck = Stuck::default();
        while !py.detach(|| {
            let is_done = done.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = ended.wait_timeout_while(is_done, BEAT, |is_done| !*is_done);
            waited.is_ok_and(|(is_done, _)| *is_done)
        }) {
            if interrupt.is_none()
                && let Err(error) = seen(py, run, watch)
            {
                run.cancel();
                interrupt = Some(error);
            }
            if let Some(calls) = calls
                && run.check().is_err()
            {
                calls.end(py, &mut stuck);
            }
        }
        let result =
            py.detach(|| handle.join().unwrap_or_else(|panic| Err(contradiction(&*panic))));
        Ok((result, interrupt))
    });
    drop(driven);
    unwatch(py, watch);
    let (result, interrupt) = outcome.map_err(|error: Error| raised(py, &error))?;
    Ok((result.map_err(|error| raised(py, &error))?, interrupt))
}

/// What there is to see once a beat: signals, progress, and the end of the run around this one.
pub(crate) fn seen(py: Python<'_>, run: &Run, watch: &Watch) -> PyResult<()> {
    py.check_signals()?;
    show(py, run, watch)?;
    match outer() {
        Some(outer) if outer.run.check().is_err() => Err(ended(py)),
        _ => Ok(()),
    }
}

/// The exception inside a call of an own game whose run is over.
pub(crate) fn ended(py: Python<'_>) -> PyErr {
    made(py, ENDED, ())
}

/// Whether this is that exception.
pub(crate) fn is_ended(py: Python<'_>, error: &PyErr) -> bool {
    let class = py.import("pessoi._errors").and_then(|errors| errors.getattr(ENDED));
    class.is_ok_and(|class| error.is_instance(py, &class))
}

/// The name of its class.
const ENDED: &str = "Ended";

/// The call of Python that some work is in.
#[derive(Default)]
pub(crate) struct Calls {
    now: Mutex<Now>,
    /// Whether a call was ended.
    were_ended: AtomicBool,
}

#[derive(Default)]
struct Now {
    /// The thread of the call, as Python knows it; `None` between calls.
    thread: Option<u64>,
    /// How many calls there were.
    number: u64,
}

/// A call that may not return, and for how many beats it has been seen since the run was over.
#[derive(Default)]
struct Stuck {
    number: u64,
    beats: u32,
}

impl Calls {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls Python. The interpreter's lock is held when a call is entered and left, so whoever
    /// holds it knows which call there is.
    pub(crate) fn call<T>(
        &self,
        py: Python<'_>,
        call: impl FnOnce() -> PyResult<T>,
    ) -> PyResult<T> {
        thread_local! {
            static THREAD: RefCell<Option<u64>> = const { RefCell::new(None) };
        }
        let known = THREAD.with(|thread| *thread.borrow());
        let thread = match known {
            Some(thread) => thread,
            None => py.import("threading")?.call_method0("get_ident")?.extract()?,
        };
        THREAD.with(|known| *known.borrow_mut() = Some(thread));
        {
            let mut now = self.now();
            now.thread = Some(thread);
            now.number += 1;
        }
        let called = call();
        self.now().thread = None;
        called
    }

    /// Whether a call was ended.
    pub(crate) fn were_ended(&self) -> bool {
        self.were_ended.load(Relaxed)
    }

    /// Ends the call that there is, if it has been there for some beats: whoever cleans up after
    /// the end of the run is given time. It is ended again at every beat, until it returns.
    fn end(&self, py: Python<'_>, stuck: &mut Stuck) {
        let (thread, number) = {
            let now = self.now();
            (now.thread, now.number)
        };
        let Some(thread) = thread else { return };
        if stuck.number != number {
            *stuck = Stuck { number, beats: 0 };
        }
        stuck.beats += 1;
        if stuck.beats >= GRACE
            && let Ok(class) = py.import("pessoi._errors").and_then(|errors| errors.getattr(ENDED))
        {
            self.were_ended.store(true, Relaxed);
            raise_in(thread, &class);
        }
    }
}

/// Raises an exception of a class in another thread of Python, when it runs Python code next.
/// Nothing happens if there is no such thread.
#[expect(unsafe_code, reason = "PyO3 has no other way to it")]
fn raise_in(thread: u64, class: &Bound<'_, PyAny>) {
    // SAFETY: the interpreter's lock is held, because `class` is bound to it, and the class
    // outlives the call, which takes a reference of its own.
    let _ = unsafe { pyo3::ffi::PyThreadState_SetAsyncExc(thread as _, class.as_ptr()) };
}

/// The run around what is begun on this thread, and how many runs are around that one.
#[derive(Clone)]
pub(crate) struct Outer {
    pub(crate) run: Run,
    pub(crate) depth: usize,
}

thread_local! {
    static OUTER: RefCell<Option<Outer>> = const { RefCell::new(None) };
}

/// The run around what is begun on this thread now.
pub(crate) fn outer() -> Option<Outer> {
    OUTER.with(|outer| outer.borrow().clone())
}

/// Does something within a run: jobs that it begins end with that run.
pub(crate) fn within<T>(outer: Outer, work: impl FnOnce() -> T) -> T {
    struct Back(Option<Outer>);
    impl Drop for Back {
        fn drop(&mut self) {
            OUTER.with(|now| *now.borrow_mut() = self.0.take());
        }
    }
    let _back = Back(OUTER.with(|now| now.borrow_mut().replace(outer)));
    work()
}

/// Shows how far a run has come.
pub(crate) fn show(py: Python<'_>, run: &Run, watch: &Watch) -> PyResult<()> {
    let Some(watch) = watch else { return Ok(()) };
    let progress = run.progress();
    let (done, total) = progress.steps.unzip();
    watch.call1(py, (progress.stage, done, total, progress.handled, progress.bytes))?;
    Ok(())
}

/// Ends the showing of progress.
pub(crate) fn unwatch(py: Python<'_>, watch: &Watch) {
    if let Some(watch) = watch
        && let Ok(close) = watch.getattr(py, "close")
    {
        // The work is done, whatever becomes of its picture.
        let _ = close.call0(py);
    }
}

/// Does work; a panic becomes an error, for it must not end the interpreter.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| contradiction(&*panic))
}

fn contradiction(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    Error::internal(text.unwrap_or("it panicked").to_owned())
}

pub(crate) fn failed_to_start(error: &std::io::Error) -> Error {
    Error::io(format!("No thread can be had to work on: {error}."))
}

/// The exception that ended a job, with what was found until then.
pub(crate) fn interrupted(py: Python<'_>, error: PyErr, found: Answer) -> PyErr {
    // An exception that takes no attributes is raised as it is.
    let _ = error.value(py).setattr("answer", found);
    error
}
