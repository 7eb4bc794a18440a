//! Streams: solutions one by one, while others are being found.
//!
//! A worker thread puts solutions into a queue and waits while it is full; the reader takes all
//! that is there at once. So a solution is there for the reader as soon as it is found, and costs
//! little where there are many. A stream that is closed, or that nobody reads any more, ends its
//! job.
//!
//! Several threads may read one stream; each solution goes to one of them. Its state is locked for
//! moments only, and never while Python is called or something is waited for.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pessoi::job::{ENOUGH, MORE};
use pessoi::{Budget, Draft, Error, Events, Flow, Question, Run, Stop, arrays, export, limits};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyAnyMethods, PyDict};

use crate::answer::{Answer, unwritten};
use crate::array::Array;
use crate::ask::{Looks, styled};
use crate::catalogue;
use crate::errors::{OrRaise, made, raised};
use crate::job::{
    BEAT, STACK, Watch, caught, drive, failed_to_start, interrupted, process, seen, unwatch,
};
use crate::solution::Solution;

/// The most solutions that wait to be read.
const MOST: usize = 4096;

/// So long an interrupted stream waits for what its job has to say.
const PATIENCE: Duration = Duration::from_secs(1);

/// Solutions that come one by one.
#[pyclass(frozen, module = "pessoi")]
pub(crate) struct Stream {
    question: Arc<Question>,
    budget: Budget,
    watch: Watch,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    work: Option<Arc<Work>>,
    /// What was taken from the queue and not yet given.
    taken: std::vec::IntoIter<pessoi::Solution>,
    /// What came of the job, once it has ended.
    end: Option<Result<Answer, Error>>,
    is_closed: bool,
    /// When the interpreter was asked last.
    beat: Option<Instant>,
}

/// A job under way.
struct Work {
    run: Run,
    shared: Arc<Shared>,
    /// The process that it began in.
    process: u64,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    filled: Condvar,
    emptied: Condvar,
}

#[derive(Default)]
struct Queue {
    found: Vec<pessoi::Solution>,
    ended: Option<Result<pessoi::Answer, Error>>,
    is_closed: bool,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Fills the queue.
struct Filling(Arc<Shared>);

impl Events for Filling {
    fn solution(&mut self, found: pessoi::Solution) -> Flow {
        let mut queue = self.0.queue();
        while queue.found.len() >= MOST && !queue.is_closed {
            queue = self.0.emptied.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.is_closed {
            return ENOUGH;
        }
        queue.found.push(found);
        if queue.found.len() == 1 {
            self.0.filled.notify_all();
        }
        MORE
    }
}

impl Work {
    fn begin(question: Arc<Question>, budget: Budget) -> Result<Work, Error> {
        let (run, shared) = (Run::new(budget), Arc::<Shared>::default());
        let (its_run, its_shared) = (run.clone(), shared.clone());
        let work = move || {
            let mut filling = Filling(its_shared.clone());
            let answer = caught(|| catalogue().ask(&question, &its_run, &mut filling));
            its_shared.queue().ended = Some(answer.and_then(|answer| answer));
            its_shared.filled.notify_all();
        };
        let builder = std::thread::Builder::new().name("pessoi".into()).stack_size(STACK);
        // The thread ends by itself, soon after the run is cancelled.
        drop(builder.spawn(work).map_err(|error| failed_to_start(&error))?);
        Ok(Work { run, shared, process: process() })
    }

    /// Whether the job is another process's: here it has no thread.
    fn is_foreign(&self) -> bool {
        self.process != process()
    }

    /// Waits a moment for solutions or the end; says whether there is either.
    fn wait(&self) -> bool {
        let is_idle = |queue: &mut Queue| queue.found.is_empty() && queue.ended.is_none();
        let waited = self.shared.filled.wait_timeout_while(self.shared.queue(), BEAT, is_idle);
        waited.is_ok_and(|(_, timeout)| !timeout.timed_out())
    }

    /// Cancels the job and waits for its end, but not for long. What it still finds is lost.
    fn cancelled(&self) -> Option<Result<pessoi::Answer, Error>> {
        self.run.cancel();
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            self.wait();
            let mut queue = self.shared.queue();
            queue.found.clear();
            if queue.ended.is_some() {
                return queue.ended.take();
            }
            drop(queue);
            self.shared.emptied.notify_all();
        }
        None
    }

    /// Ends the job.
    fn close(&self) {
        // The queue of another process may be locked for ever.
        if !self.is_foreign() {
            self.run.cancel();
            self.shared.queue().is_closed = true;
            self.shared.emptied.notify_all();
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.close();
    }
}

impl Stream {
    pub(crate) fn new(question: Question, budget: Budget, watch: Watch) -> Self {
        Stream { question: Arc::new(question), budget, watch, state: Mutex::default() }
    }

    fn state(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// The job, which begins when it is first asked for; `None` if the stream is closed.
    fn work(&self, py: Python<'_>) -> Result<Option<Arc<Work>>, Error> {
        let mut state = self.state(py);
        if state.work.is_none() && !state.is_closed {
            let work = Work::begin(self.question.clone(), self.budget.clone())?;
            state.work = Some(Arc::new(work));
        }
        Ok(state.work.clone())
    }

    /// Waits for a moment until something can be taken from the queue, or the end is there; an
    /// exception ends the stream.
    fn fill(&self, py: Python<'_>) -> PyResult<()> {
        let Some(work) = self.work(py).or_raise(py)? else { return Ok(()) };
        let is_there = py.detach(|| work.wait());
        let mut state = self.state(py);
        // Once a beat, also where solutions are always there: C code may read them all.
        if state.beat.is_none_or(|beat| beat.elapsed() >= BEAT) {
            state.beat = Some(Instant::now());
            drop(state);
            if let Err(error) = seen(py, &work.run, &self.watch) {
                let ended = py.detach(|| work.cancelled());
                // Before it is closed: other readers must not take it for the whole.
                let end = ended.unwrap_or_else(|| Err(Error::from(Stop::Cancelled)));
                let end = end.map(Answer::from);
                self.state(py).end = Some(end.clone());
                self.close(py);
                return Err(match end {
                    Ok(answer) => interrupted(py, error, answer),
                    Err(_) => error,
                });
            }
            state = self.state(py);
        }
        // Another reader may have been faster, or have closed the stream.
        if !is_there || state.is_closed || !state.taken.as_slice().is_empty() {
            return Ok(());
        }
        let mut queue = work.shared.queue();
        if !queue.found.is_empty() {
            state.taken = std::mem::take(&mut queue.found).into_iter();
            drop(queue);
            work.shared.emptied.notify_one();
        } else if let Some(ended) = queue.ended.take() {
            drop(queue);
            state.end = Some(ended.map(Answer::from));
            drop(state);
            self.close(py);
        }
        Ok(())
    }

    /// The exception of a stream that did not come to its end.
    fn unfinished(&self, py: Python<'_>) -> Option<PyErr> {
        let end = self.state(py).end.clone();
        match end? {
            Err(error) => Some(raised(py, &error)),
            Ok(answer) if answer.answer.value.is_whole() => None,
            // A list that a limit cut short must not be taken for the whole.
            Ok(answer) => {
                let headline = export::headline(&answer.answer);
                Some(made(py, "GaveUp", (headline, "stopped", py.None(), answer)))
            }
        }
    }

    /// Closes a stream that was not yet read from.
    fn begin_all(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = self.state(py);
        if state.work.is_none() && !state.is_closed {
            state.is_closed = true;
            return Ok(());
        }
        Err(PyRuntimeError::new_err("this stream has been read from: ask again for all of it"))
    }

    /// All paths in one array, and the exception if they are not all.
    fn listed(&self, py: Python<'_>) -> PyResult<(Array, Option<PyErr>)> {
        self.begin_all(py)?;
        let run = Run::new(self.budget.clone());
        let question = self.question.clone();
        let (listed, interrupt) =
            drive(py, &run, &self.watch, || arrays::list(catalogue(), &question, &run))?;
        let (answer, paths) = match (listed, interrupt.as_ref()) {
            (Ok((answer, paths)), _) => (Answer::from(answer), paths),
            (Err(_), Some(error)) => return Err(error.clone_ref(py)),
            (Err(error), None) => return Err(raised(py, &error)),
        };
        self.state(py).end = Some(Ok(answer.clone()));
        let shape = vec![paths.number as usize, paths.length, 2];
        let array = Array::of_bytes(paths.bytes, paths.width, shape);
        let error = match interrupt {
            Some(error) => Some(interrupted(py, error, answer)),
            None => self.unfinished(py),
        };
        Ok((array, error))
    }
}

/// An array, or the exception with what was found until then.
fn all_or_raise<'py>(
    py: Python<'py>,
    array: Bound<'py, PyAny>,
    error: Option<PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(error) = error else { return Ok(array) };
    // An exception that takes no attributes is raised as it is.
    let _ = error.value(py).setattr("found", array);
    Err(error)
}

#[pymethods]
impl Stream {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Solution>> {
        loop {
            let mut state = self.state(py);
            if state.work.as_ref().is_some_and(|work| work.is_foreign()) {
                drop(state);
                let why = "this stream was begun before the process was forked, and its job is \
                           the other process's: ask again here";
                return Err(PyRuntimeError::new_err(why));
            }
            if let Some(found) = state.taken.next() {
                return Ok(Some(Solution::new(found, self.question.clone())));
            }
            if state.is_closed {
                drop(state);
                return self.unfinished(py).map_or(Ok(None), Err);
            }
            drop(state);
            self.fill(py)?;
        }
    }

    /// What was listed and how, once the stream has come to its end; None before.
    #[getter]
    fn answer(&self, py: Python<'_>) -> Option<Answer> {
        self.state(py).end.clone()?.ok()
    }

    /// The question as it is typed after ``pessoi`` in a shell.
    #[getter]
    fn question(&self) -> String {
        self.question.words()
    }

    /// Ends the job; what was not read is lost.
    fn close(&self, py: Python<'_>) {
        let mut state = self.state(py);
        state.is_closed = true;
        let (taken, work) = (std::mem::take(&mut state.taken), state.work.take());
        drop(state);
        drop(taken);
        if let Some(work) = work {
            work.close();
            unwatch(py, &self.watch);
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, py: Python<'_>, _args: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    /// All paths as one array of bytes: number of paths, cells of a path, row and column.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (array, error) = self.listed(py)?;
        all_or_raise(py, Bound::new(py, array)?.into_any(), error)
    }

    /// All paths as one numpy array: number of paths, cells of a path, row and column. If a limit
    /// is reached, the paths until then are the attribute ``found`` of the exception.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (array, error) = self.listed(py)?;
        let array = py.import("numpy")?.call_method1("asarray", (array,))?;
        all_or_raise(py, array, error)
    }

    /// Writes the list to a file as it is made, in the format that the file's ending says. If a
    /// limit is reached, what was listed goes to a file beside it, with ``.partial`` behind its
    /// name.
    #[pyo3(signature = (path, format = None, **options))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answer> {
        let looks = Looks::of(py, &self.question.game, self.question.verb)?;
        let style = styled(&looks, options)?;
        let format = looks.format(py, format, &path)?;
        self.begin_all(py)?;
        let run = Run::new(self.budget.clone());
        let question = self.question.clone();
        let write = || {
            let mut draft = Draft::beside(&path).map_err(|error| unwritten(&path, &error))?;
            let mut out = std::io::BufWriter::new(&mut draft);
            let written = catalogue().write(&question, &run, format, &style, &mut out)?;
            let flushed = std::io::Write::flush(&mut out);
            drop(out);
            let place = limits::place(&path, &written.answer.value);
            let finished = flushed.and_then(|()| draft.finish(&place));
            finished.map_err(|error| unwritten(&place, &error))?;
            Ok(written.answer)
        };
        let (written, interrupt) = drive(py, &run, &self.watch, write)?;
        let answer = match (written, interrupt.as_ref()) {
            (Ok(answer), _) => Answer::from(answer),
            (Err(_), Some(error)) => return Err(error.clone_ref(py)),
            (Err(error), None) => return Err(raised(py, &error)),
        };
        self.state(py).end = Some(Ok(answer.clone()));
        if let Some(error) = interrupt {
            return Err(interrupted(py, error, answer));
        }
        self.unfinished(py).map_or(Ok(answer), Err)
    }

    fn __reduce__(&self) -> PyResult<()> {
        let why = "a stream cannot be pickled or copied: its job is under way in this process; \
                   ask again, or save the list";
        Err(PyTypeError::new_err(why))
    }

    fn __repr__(&self) -> String {
        format!("<pessoi.Stream: {}>", self.question.words())
    }
}
