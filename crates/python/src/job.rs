//! Work on a thread of its own, while the interpreter is free.
//!
//! The calling thread waits without holding the interpreter's lock. Every [`BEAT`] it takes the
//! lock for a moment: to see whether Ctrl-C was pressed, and to show progress. If either raises an
//! exception the run is cancelled, and the exception is raised when the work has ended.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use pessoi::{Error, Run};
use pyo3::prelude::*;
use pyo3::types::PyAnyMethods;

use crate::answer::Answer;

/// How often the interpreter is asked.
pub(crate) const BEAT: Duration = Duration::from_millis(50);

/// As much as the main thread of a program has on most systems.
pub(crate) const STACK: usize = 8 << 20;

/// A function of Python that is shown the progress of a run.
pub(crate) type Watch = Option<Py<PyAny>>;

/// Does work on a thread, and returns what came of it and the exception that ended it early.
pub(crate) fn drive<T: Send>(
    py: Python<'_>,
    run: &Run,
    watch: &Watch,
    work: impl FnOnce() -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let (done, ended) = (Mutex::new(false), Condvar::new());
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
        while !py.detach(|| {
            let is_done = done.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = ended.wait_timeout_while(is_done, BEAT, |is_done| !*is_done);
            waited.is_ok_and(|(is_done, _)| *is_done)
        }) {
            if interrupt.is_none()
                && let Err(error) = py.check_signals().and_then(|()| show(py, run, watch))
            {
                run.cancel();
                interrupt = Some(error);
            }
        }
        let result =
            py.detach(|| handle.join().unwrap_or_else(|panic| Err(contradiction(&*panic))));
        Ok((result, interrupt))
    });
    unwatch(py, watch);
    let (result, interrupt) = outcome.map_err(|error: Error| crate::errors::raised(py, &error))?;
    Ok((result.map_err(|error| crate::errors::raised(py, &error))?, interrupt))
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
