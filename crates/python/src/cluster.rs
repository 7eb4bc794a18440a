//! Work on a cluster: what `pessoi.cluster` does in Rust, on the driver and on the workers.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pessoi::error::Error;
use pessoi::{Budget, Plan, Question, Run, Style, export};
use pessoi_cluster::{Course, Row, Work, parts};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyBytesMethods, PyDict};

use crate::answer::Answer;
use crate::ask::{Given, Looks, budget};
use crate::catalogue;
use crate::errors::OrRaise;
use crate::job::drive;
use crate::machine;
use crate::number::as_json;

/// A row as Python has it: place, whether it is a log, and what is in it.
type PyRow<'py> = (usize, bool, Bound<'py, PyBytes>);

fn question_of(py: Python<'_>, text: &str) -> PyResult<Question> {
    let read = serde_json::from_str(text).map_err(|error| Error::internal(error.to_string()));
    read.or_raise(py)
}

/// A question in JSON, from Python values. Limits of one machine are refused.
#[pyfunction]
pub(crate) fn cluster_question(
    py: Python<'_>,
    verb: &str,
    game: &str,
    place: Option<Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let given = Given::new(py, options)?;
    let question = given.question(py, verb, game, place.as_ref())?;
    given.refuse_limits(py)?;
    drop(catalogue().job(&question).or_raise(py)?);
    as_text(py, &question)
}

/// Refuses a format, or the ending of a file, that an answer to the question cannot have.
#[pyfunction]
#[pyo3(signature = (question, format, path))]
pub(crate) fn cluster_format(
    py: Python<'_>,
    question: &str,
    format: Option<&str>,
    path: Option<PathBuf>,
) -> PyResult<()> {
    let question = question_of(py, question)?;
    let looks = Looks::of(py, &question.game, question.verb)?;
    looks.format(py, format, &path.unwrap_or_default()).map(drop)
}

/// The same from words as they are typed.
#[pyfunction]
pub(crate) fn cluster_words(py: Python<'_>, words: Vec<String>) -> PyResult<String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let question = catalogue().read_question(&words).or_raise(py)?;
    drop(catalogue().job(&question).or_raise(py)?);
    as_text(py, &question)
}

fn as_text(py: Python<'_>, question: &Question) -> PyResult<String> {
    let text = serde_json::to_string(question).map_err(|error| Error::internal(error.to_string()));
    text.or_raise(py)
}

/// The questions of all parts, in JSON.
#[pyfunction]
pub(crate) fn cluster_parts(py: Python<'_>, question: &str, of: u64) -> PyResult<Vec<String>> {
    let question = question_of(py, question)?;
    let parts = parts::parts(catalogue(), &question, of).or_raise(py)?;
    parts.iter().map(|part| as_text(py, part)).collect()
}

/// Answers one of them, on a worker: the saved answer.
#[pyfunction]
pub(crate) fn cluster_part<'py>(
    py: Python<'py>,
    question: &str,
    limits: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyBytes>> {
    let question = question_of(py, question)?;
    let run = task_run(py, limits)?;
    let work = || parts::answer(catalogue(), &question, &run);
    let (answer, interrupt) = drive(py, &run, &None, work)?;
    match interrupt {
        Some(error) => Err(error),
        None => Ok(PyBytes::new(py, &answer.or_raise(py)?)),
    }
}

/// How a question would be answered in so many places.
#[pyfunction]
pub(crate) fn cluster_plan<'py>(
    py: Python<'py>,
    question: &str,
    places: usize,
) -> PyResult<Bound<'py, PyAny>> {
    as_json(py, &planned(py, question, places)?)
}

/// The same as text for people.
#[pyfunction]
pub(crate) fn cluster_plan_text(py: Python<'_>, question: &str, places: usize) -> PyResult<String> {
    Ok(export::plan(&planned(py, question, places)?, &Style::default()))
}

fn planned(py: Python<'_>, question: &str, places: usize) -> PyResult<Plan> {
    let question = question_of(py, question)?;
    let run = Run::new(Budget { memory: machine::memory(), threads: 1, ..Budget::default() });
    let work = || pessoi_cluster::plan(catalogue(), &question, places, &run);
    let (plan, interrupt) = drive(py, &run, &None, work)?;
    match interrupt {
        Some(error) => Err(error),
        None => plan.or_raise(py),
    }
}

/// Refuses limits of tasks that are none, before anything is sent to a worker.
#[pyfunction]
pub(crate) fn cluster_limits(py: Python<'_>, limits: &Bound<'_, PyDict>) -> PyResult<()> {
    task_run(py, limits).map(drop)
}

/// The run of a task: one thread, and the limits that the driver sets.
fn task_run(py: Python<'_>, limits: &Bound<'_, PyDict>) -> PyResult<Run> {
    let otherwise = Budget { threads: 1, ..Budget::default() };
    let mut given = Vec::new();
    for name in ["memory", "threads"] {
        given.push((name, limits.get_item(name)?));
    }
    let given = given.iter().map(|(name, value)| (*name, value.as_ref()));
    Ok(Run::new(budget(py, given, &otherwise)?))
}

/// A question in rounds.
#[pyclass(frozen, module = "pessoi._pessoi")]
pub(crate) struct Rounds {
    work: Arc<Work>,
    /// Since when the driver is at it.
    run: Run,
}

/// The last question of this process: what is prepared for it is kept from round to round.
static LAST: Mutex<Option<Arc<Work>>> = Mutex::new(None);

/// A question in rounds, in so many places and within these limits of a task; None if it is
/// answered as soon as it is asked.
#[pyfunction]
pub(crate) fn cluster_rounds(
    py: Python<'_>,
    question: &str,
    places: usize,
    limits: &Bound<'_, PyDict>,
) -> PyResult<Option<Rounds>> {
    let question = question_of(py, question)?;
    let kept = task_run(py, limits)?;
    let open = || {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(work) = &*last
            && *work.question() == question
            && work.places() == places
            && work.kept().budget().memory == kept.budget().memory
        {
            return Ok(Some(Arc::clone(work)));
        }
        // What was prepared for another question makes room first.
        *last = None;
        last.clone_from(&Work::open(catalogue(), &question, places, &kept)?.map(Arc::new));
        Ok(last.clone())
    };
    let (opened, interrupt) = drive(py, &kept, &None, open)?;
    if let Some(error) = interrupt {
        return Err(error);
    }
    let run = Run::new(Budget::default());
    Ok(opened.or_raise(py)?.map(|work| Rounds { work, run }))
}

/// In how many places a count is, by a log of it.
#[pyfunction]
pub(crate) fn cluster_places(py: Python<'_>, log: &[u8]) -> PyResult<usize> {
    pessoi_cluster::places(log).or_raise(py)
}

/// How far a count has come.
#[pyclass(frozen, module = "pessoi._pessoi")]
pub(crate) struct Logs(Course);

#[pymethods]
impl Logs {
    /// Passes that have ended before the present one.
    #[getter]
    fn passes(&self) -> usize {
        self.0.passes()
    }

    /// Rounds of the present pass that are done.
    #[getter]
    fn rounds(&self) -> usize {
        self.0.rounds
    }

    /// Borders in each of these rounds.
    #[getter]
    fn borders(&self) -> Vec<u64> {
        self.0.borders.clone()
    }

    /// Bytes that were sent so far, in all passes.
    #[getter]
    fn shuffled(&self) -> u64 {
        self.0.shuffled()
    }

    /// Parcels that were sent in the last of these rounds.
    #[getter]
    fn parcels(&self) -> u64 {
        self.0.parcels
    }
}

fn rows(py: Python<'_>, rows: Vec<Row>) -> Vec<PyRow<'_>> {
    rows.into_iter().map(|row| (row.place, row.is_log, PyBytes::new(py, &row.bytes))).collect()
}

#[pymethods]
impl Rounds {
    /// Rounds of a pass.
    #[getter]
    fn rounds(&self) -> usize {
        self.work.rounds()
    }

    /// How many places there are.
    #[getter]
    fn places(&self) -> usize {
        self.work.places()
    }

    /// The rows that the next pass begins with; None if there is none.
    #[pyo3(signature = (after = None))]
    fn begin<'py>(&self, py: Python<'py>, after: Option<&Logs>) -> Option<Vec<PyRow<'py>>> {
        let begun = match after {
            None => self.work.begin(),
            Some(Logs(course)) => self.work.begin_next(course),
        };
        begun.map(|all| rows(py, all))
    }

    /// Does the next round of all places whose rows these are. Rows are taken one by one, so that
    /// Python need not hold all of them too.
    fn round<'py>(&self, py: Python<'py>, given: &Bound<'py, PyAny>) -> PyResult<Vec<PyRow<'py>>> {
        let run = Run::new(self.work.kept().budget().clone());
        let mut came = Vec::new();
        for row in given.try_iter()? {
            let (place, is_log, bytes): PyRow<'py> = row?.extract()?;
            came.push(Row { place, is_log, bytes: bytes.as_bytes().to_vec() });
        }
        let (sent, interrupt) = drive(py, &run, &None, || self.work.round(came, &run))?;
        match interrupt {
            Some(error) => Err(error),
            None => Ok(rows(py, sent.or_raise(py)?)),
        }
    }

    /// How far a count has come, by the logs of all places.
    fn look(&self, py: Python<'_>, logs: Vec<Bound<'_, PyBytes>>) -> PyResult<Logs> {
        self.work.look(logs.iter().map(PyBytesMethods::as_bytes)).or_raise(py).map(Logs)
    }

    /// Whether the present pass has come to its end.
    fn is_over(&self, logs: &Logs) -> bool {
        self.work.is_over(&logs.0)
    }

    /// The answer, when the last pass has come to its end.
    #[pyo3(signature = (logs = None))]
    fn conclude(&self, py: Python<'_>, logs: Option<&Logs>) -> PyResult<Answer> {
        let course = logs.map(|Logs(course)| course);
        let answer = py.detach(|| self.work.conclude(course, &self.run));
        answer.or_raise(py).map(Answer::from)
    }
}
