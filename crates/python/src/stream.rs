//! Streams: solutions one by one, while others are being found.
//!
//! A worker thread puts solutions into a queue and waits while it is full; the reader takes all
//! that is there at once. So a solution is there for the reader as soon as it is found, and costs
//! little where there are many. A stream that is closed, or that nobody reads any more, ends its
//! job.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use pessoi::job::{ENOUGH, MORE};
use pessoi::{Budget, Draft, Error, Events, Flow, Question, Run, arrays, export};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict};

use crate::answer::{Answer, unwritten};
use crate::array::Array;
use crate::ask::{Looks, styled};
use crate::catalogue;
use crate::errors::{OrRaise, made, raised};
use crate::job::{BEAT, STACK, Watch, caught, drive, failed_to_start, interrupted, show, unwatch};
use crate::solution::Solution;

/// The most solutions that wait to be read.
const MOST: usize = 4096;

/// Solutions that come one by one.
#[pyclass(module = "pessoi")]
pub(crate) struct Stream {
    question: Arc<Question>,
    budget: Budget,
    watch: Watch,
    work: Option<Work>,
    /// What was taken from the queue and not yet given.
    taken: std::vec::IntoIter<pessoi::Solution>,
    answer: Option<Answer>,
    is_closed: bool,
    /// When the interpreter was asked last.
    beat: Option<Instant>,
}

/// A job under way.
struct Work {
    run: Run,
    shared: Arc<Shared>,
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
            self.0.filled.notify_one();
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
            its_shared.filled.notify_one();
        };
        let builder = std::thread::Builder::new().name("pessoi".into()).stack_size(STACK);
        // The thread ends by itself, soon after the run is cancelled.
        drop(builder.spawn(work).map_err(|error| failed_to_start(&error))?);
        Ok(Work { run, shared })
    }

    /// Waits a moment for solutions or the end; says whether there is either.
    fn wait(&self) -> bool {
        let is_idle = |queue: &mut Queue| queue.found.is_empty() && queue.ended.is_none();
        let waited = self.shared.filled.wait_timeout_while(self.shared.queue(), BEAT, is_idle);
        waited.is_ok_and(|(_, timeout)| !timeout.timed_out())
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.run.cancel();
        self.shared.queue().is_closed = true;
        self.shared.emptied.notify_all();
    }
}

impl Stream {
    pub(crate) fn new(question: Question, budget: Budget, watch: Watch) -> Self {
        let (question, taken) = (Arc::new(question), Vec::new().into_iter());
        let (answer, beat) = (None, None);
        Stream { question, budget, watch, work: None, taken, answer, is_closed: false, beat }
    }

    /// Waits until something is taken from the queue, or the end; an exception ends the stream.
    fn fill(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.is_closed {
            return Ok(());
        }
        if self.work.is_none() {
            self.work = Some(Work::begin(self.question.clone(), self.budget.clone()).or_raise(py)?);
        }
        let Some(work) = &self.work else { return Ok(()) };
        loop {
            let is_there = py.detach(|| work.wait());
            // Once a beat, also where solutions are always there: C code may read them all.
            if self.beat.is_none_or(|beat| beat.elapsed() >= BEAT) {
                self.beat = Some(Instant::now());
                let seen = py.check_signals().and_then(|()| show(py, &work.run, &self.watch));
                if let Err(error) = seen {
                    self.close(py);
                    return Err(error);
                }
            }
            if is_there {
                break;
            }
        }
        let mut queue = work.shared.queue();
        if queue.found.is_empty() {
            let ended = queue.ended.take();
            drop(queue);
            self.close(py);
            return self.end(py, ended);
        }
        let found = std::mem::take(&mut queue.found);
        drop(queue);
        work.shared.emptied.notify_one();
        self.taken = found.into_iter();
        Ok(())
    }

    fn end(
        &mut self,
        py: Python<'_>,
        ended: Option<Result<pessoi::Answer, Error>>,
    ) -> PyResult<()> {
        let Some(ended) = ended else { return Ok(()) };
        let answer = Answer::from(ended.or_raise(py)?);
        self.answer = Some(answer.clone());
        if answer.answer.value.stop().is_none() {
            return Ok(());
        }
        // A list that a limit cut short must not be taken for the whole.
        let headline = export::headline(&answer.answer);
        Err(made(py, "GaveUp", (headline, "stopped", py.None(), answer)))
    }

    fn untouched(&self) -> PyResult<()> {
        if self.work.is_none() && !self.is_closed {
            return Ok(());
        }
        Err(PyRuntimeError::new_err("this stream has been read from: ask again for all of it"))
    }
}

#[pymethods]
impl Stream {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Solution>> {
        loop {
            if let Some(found) = self.taken.next() {
                return Ok(Some(Solution::new(found, self.question.clone())));
            }
            if self.is_closed {
                return Ok(None);
            }
            self.fill(py)?;
        }
    }

    /// What was listed and how, once the stream has come to its end; None before.
    #[getter]
    fn answer(&self) -> Option<Answer> {
        self.answer.clone()
    }

    /// The question as it is typed after ``pessoi`` in a shell.
    #[getter]
    fn question(&self) -> String {
        self.question.words()
    }

    /// Ends the job; what was not read is lost.
    fn close(&mut self, py: Python<'_>) {
        self.is_closed = true;
        self.taken = Vec::new().into_iter();
        if self.work.take().is_some() {
            unwatch(py, &self.watch);
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&mut self, py: Python<'_>, _args: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    /// All paths as one array of bytes: number of paths, cells of a path, row and column.
    fn array(&mut self, py: Python<'_>) -> PyResult<Array> {
        self.untouched()?;
        self.is_closed = true;
        let run = Run::new(self.budget.clone());
        let question = self.question.clone();
        let (listed, interrupt) =
            drive(py, &run, &self.watch, || arrays::list(catalogue(), &question, &run))?;
        let (answer, paths) = match (listed, interrupt) {
            (Ok((answer, _)), Some(error)) => {
                return Err(interrupted(py, error, Answer::from(answer)));
            }
            (Err(_), Some(error)) => return Err(error),
            (Err(error), None) => return Err(raised(py, &error)),
            (Ok(listed), None) => listed,
        };
        self.end(py, Some(Ok(answer)))?;
        let shape = vec![paths.number as usize, paths.length, 2];
        Ok(Array::of_bytes(paths.bytes, paths.width, shape))
    }

    /// All paths as one numpy array: number of paths, cells of a path, row and column.
    fn to_numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let array = slf.borrow_mut().array(slf.py())?;
        slf.py().import("numpy")?.call_method1("asarray", (array,))
    }

    /// Writes the list to a file as it is made, in the format that the file's ending says.
    #[pyo3(signature = (path, format = None, **options))]
    fn save(
        &mut self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answer> {
        self.untouched()?;
        let looks = Looks::of(py, &self.question.game, self.question.verb)?;
        let style = styled(&looks, options)?;
        let format = looks.format(py, format, &path)?;
        self.is_closed = true;
        let run = Run::new(self.budget.clone());
        let question = self.question.clone();
        let write = || {
            let mut draft = Draft::beside(&path).map_err(|error| unwritten(&path, &error))?;
            let mut out = std::io::BufWriter::new(&mut draft);
            let written = catalogue().write(&question, &run, format, &style, &mut out)?;
            let flushed = std::io::Write::flush(&mut out);
            drop(out);
            // What a limit cut short must not be taken for the whole.
            let mut place = path.clone().into_os_string();
            if written.answer.value.stop().is_some() {
                place.push(".partial");
            }
            let place = PathBuf::from(place);
            let finished = flushed.and_then(|()| draft.finish(&place));
            finished.map_err(|error| unwritten(&place, &error))?;
            Ok(written.answer)
        };
        let (answer, interrupt) = drive(py, &run, &self.watch, write)?;
        if let Some(error) = interrupt {
            return Err(error);
        }
        let answer = answer.or_raise(py)?;
        self.end(py, Some(Ok(answer.clone())))?;
        Ok(answer.into())
    }

    fn __repr__(&self) -> String {
        format!("<pessoi.Stream: {}>", self.question.words())
    }
}
