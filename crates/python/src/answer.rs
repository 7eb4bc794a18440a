//! Answers and graphs.

use std::path::PathBuf;
use std::sync::Arc;

use num_bigint::BigInt;
use pessoi::{Draft, Error, Outcome, Run, Style, Value, export, limits};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBytes, PyDict};

use crate::array::Array;
use crate::ask::{Looks, styled};
use crate::catalogue;
use crate::errors::{OrRaise, made};
use crate::number::{as_json, datum, int, pair};
use crate::solution::Solution;
use crate::table::Table;

/// The answer to a question: a value with its standing, and how it was found.
#[pyclass(frozen, module = "pessoi")]
#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) answer: Arc<pessoi::Answer>,
}

impl From<pessoi::Answer> for Answer {
    fn from(answer: pessoi::Answer) -> Self {
        Answer { answer: Arc::new(answer) }
    }
}

/// Terms of a sequence, each with its index.
type Terms<'py> = Vec<(u64, Bound<'py, PyAny>)>;

impl Answer {
    /// The name of the standing in JSON.
    fn standing_id(&self) -> &'static str {
        match &self.answer.value {
            Value::Exact { .. } => "exact",
            Value::Residue { .. } => "residue",
            Value::AtLeast { .. } => "at-least",
            Value::Estimated(_) => "estimated",
            Value::None { .. } => "none",
            Value::Described {} => "described",
            Value::GaveUp { .. } => "gave-up",
        }
    }

    /// Writes the answer in a format.
    fn bytes(&self, py: Python<'_>, format: &str, style: &Style) -> PyResult<Vec<u8>> {
        let question = &self.answer.question;
        let card = catalogue().game(&question.game).or_raise(py)?.card();
        let format = catalogue().format(card, question.verb, format).or_raise(py)?;
        self.rendered(py, format, style)
    }

    /// The answer in a format; None if its game has no such format, or nothing to show in it.
    fn drawn(&self, py: Python<'_>, format: &str) -> PyResult<Option<String>> {
        let question = &self.answer.question;
        let card = catalogue().game(&question.game).or_raise(py)?.card();
        let Ok(format) = catalogue().format(card, question.verb, format) else { return Ok(None) };
        let mut bytes = Vec::new();
        let (style, run) = (Style::default(), Run::default());
        let written =
            py.detach(|| catalogue().write_answer(&self.answer, format, &style, &run, &mut bytes));
        // A format may hold some answers to a verb and not others, such as plots of numbers.
        if written.as_ref().is_err_and(|error| error.code == pessoi::Code::Unsupported) {
            return Ok(None);
        }
        Ok(written.or_raise(py)?.wrote.then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn rendered(
        &self,
        py: Python<'_>,
        format: &'static dyn pessoi::Format,
        style: &Style,
    ) -> PyResult<Vec<u8>> {
        let mut bytes = Vec::new();
        let written = py.detach(|| {
            let run = Run::default();
            crate::job::caught(|| {
                catalogue().write_answer(&self.answer, format, style, &run, &mut bytes)
            })
        });
        let written = written.and_then(|written| written).or_raise(py)?;
        if !written.wrote {
            let sentence =
                format!("There is nothing to write as {}. {}", format.id(), written.aside);
            return Err(crate::errors::input(py, Some("format"), sentence.trim()));
        }
        Ok(bytes)
    }
}

#[pymethods]
impl Answer {
    /// The number: exact, or at least so many, or an estimate; None if there is none.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(match &self.answer.value {
            Value::Exact { number } | Value::AtLeast { number, .. } => {
                Some(int(py, &BigInt::from(number.clone()))?)
            }
            Value::None { .. } => Some(0.into_bound_py_any(py)?),
            Value::Estimated(found) => {
                found.mean.map(|mean| mean.into_bound_py_any(py)).transpose()?
            }
            Value::Residue { .. } | Value::Described {} | Value::GaveUp { .. } => None,
        })
    }

    /// How well the value is known: ``exact``, ``residue``, ``at-least``, ``estimated``, ``none``
    /// (it is proved that there is none), ``described`` or ``gave-up``.
    #[getter]
    fn standing(&self) -> &'static str {
        self.standing_id()
    }

    /// The remainder and the modulus, where that is what was asked for.
    #[getter]
    fn residue<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let Value::Residue { residue, modulus } = &self.answer.value else { return Ok(None) };
        let whole = |number: &num_bigint::BigUint| int(py, &BigInt::from(number.clone()));
        Ok(Some((whole(residue)?, whole(modulus)?)))
    }

    /// The decimal logarithm of an estimate.
    #[getter]
    fn log10(&self) -> Option<f64> {
        match &self.answer.value {
            Value::Estimated(found) => Some(found.log10_mean),
            _ => None,
        }
    }

    /// The ends of the interval of an estimate; None if there is none.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        let Value::Estimated(found) = &self.answer.value else { return None };
        let interval = found.interval.as_ref()?;
        let end = |end: Option<f64>, log10: f64| end.unwrap_or_else(|| 10f64.powf(log10));
        let low = end(interval.low, interval.log10_low);
        Some((low, end(interval.high, interval.log10_high)))
    }

    /// Why the answer is not whole: the limit that was reached, in words; None if it is whole.
    #[getter]
    fn stop(&self) -> Option<String> {
        self.answer.value.stop().map(ToString::to_string)
    }

    /// What the value counts or measures.
    #[getter]
    fn subject(&self) -> &str {
        &self.answer.subject.text
    }

    /// The engine that gave it, as ``method=`` takes it.
    #[getter]
    fn method(&self) -> String {
        self.answer.method.name().into_owned()
    }

    /// The game.
    #[getter]
    fn game(&self) -> &str {
        &self.answer.question.game
    }

    /// What was asked.
    #[getter]
    fn verb(&self) -> &'static str {
        self.answer.question.verb.name()
    }

    /// The question as it is typed after ``pessoi`` in a shell.
    #[getter]
    fn question(&self) -> String {
        self.answer.question.words()
    }

    /// What it cost: seconds, ``peak_bytes``, and nodes, borders or states.
    #[getter]
    fn cost<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_json(py, &self.answer.cost)
    }

    /// The seed, where chance played a part.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.answer.seed
    }

    /// What else a reader must know.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.answer.notes.clone()
    }

    /// Further things that are known, by their names.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        for fact in &self.answer.facts {
            facts.set_item(&fact.id, datum(py, &fact.value)?)?;
        }
        Ok(facts)
    }

    /// What was found.
    #[getter]
    fn solutions(&self) -> Vec<Solution> {
        if self.answer.solutions.is_empty() {
            return Vec::new();
        }
        let question = Arc::new(self.answer.question.clone());
        let solutions = self.answer.solutions.iter();
        solutions.map(|found| Solution::new(found.clone(), question.clone())).collect()
    }

    /// The puzzle that was made, for ``generate``.
    #[getter]
    fn puzzle(&self) -> Option<crate::board::Board> {
        match &self.answer.puzzle {
            Some(pessoi::Place::Board(drawing)) => {
                Some(crate::board::Board { drawing: Arc::new(drawing.clone()) })
            }
            _ => None,
        }
    }

    /// Tables by their names; the first one is the main one.
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tables = PyDict::new(py);
        for (index, table) in self.answer.tables.iter().enumerate() {
            tables.set_item(&table.id, Table::new(&self.answer, index))?;
        }
        Ok(tables)
    }

    /// The terms of a sequence as pairs (n, value); None if it is no sequence.
    #[getter]
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Option<Terms<'py>>> {
        let Some(sequence) = &self.answer.sequence else { return Ok(None) };
        let term =
            |term: &pessoi::answer::Term| Ok((term.n, int(py, &BigInt::from(term.value.clone()))?));
        sequence.terms.iter().map(term).collect::<PyResult<_>>().map(Some)
    }

    /// The factors of the linear recurrence that the terms obey: a(n) is the sum of
    /// ``recurrence[k] * a(n - 1 - k)``. None if it is not known.
    #[getter]
    fn recurrence<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        let sequence = self.answer.sequence.as_ref();
        let Some(linear) = sequence.and_then(|sequence| sequence.recurrence.as_ref()) else {
            return Ok(None);
        };
        linear.factors.iter().map(|factor| int(py, factor)).collect::<PyResult<_>>().map(Some)
    }

    /// The graph, for ``export``.
    #[getter]
    fn graph(&self) -> Option<Graph> {
        self.answer.graph.is_some().then(|| Graph { answer: self.answer.clone() })
    }

    /// The number, if it is exact.
    fn __int__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, answer) = (slf.py(), &slf.get().answer);
        if let Some(number) = answer.value.number() {
            return int(py, &BigInt::from(number));
        }
        let headline = export::headline(answer);
        if matches!(answer.outcome(), Outcome::Stopped | Outcome::Cancelled) {
            return Err(made(py, "GaveUp", (headline, "stopped", py.None(), slf)));
        }
        Err(PyTypeError::new_err(format!("This is not an exact number: {headline}")))
    }

    fn __index__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Answer::__int__(slf)
    }

    /// The number as a float, if it is exact or estimated.
    fn __float__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        match &slf.get().answer.value {
            Value::Estimated(found) => {
                found.mean.unwrap_or(f64::INFINITY).into_bound_py_any(slf.py())
            }
            _ => Answer::__int__(slf)?.call_method0("__float__"),
        }
    }

    /// The answer as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        serde_json::to_string(&*self.answer)
            .map_err(|error| Error::internal(error.to_string()))
            .or_raise(py)
    }

    /// The answer as Python's own types, as in its JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_json(py, &*self.answer)
    }

    /// The answer in a format, as bytes.
    #[pyo3(signature = (format = "text", **options))]
    fn write<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let question = &self.answer.question;
        let style = styled(&Looks::of(py, &question.game, question.verb)?, options)?;
        Ok(PyBytes::new(py, &self.bytes(py, format, &style)?))
    }

    /// Writes the answer to a file, in the format that the file's ending says, or another, and
    /// returns where it is. An answer that a limit cut short goes to a file beside it, with
    /// ``.partial`` behind its name, so that it is not taken for the whole.
    #[pyo3(signature = (path, format = None, **options))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PathBuf> {
        let question = &self.answer.question;
        let looks = Looks::of(py, &question.game, question.verb)?;
        let style = styled(&looks, options)?;
        let format = looks.format(py, format, &path)?;
        let bytes = self.rendered(py, format, &style)?;
        let place = limits::place(&path, &self.answer.value);
        py.detach(|| put(&place, &bytes)).or_raise(py)?;
        Ok(place)
    }

    /// Two answers are the same if they say the same.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Answer>().is_ok_and(|other| *other.get().answer == *self.answer)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let read = py.import("pessoi._pessoi")?.getattr("read")?;
        Ok((read, (PyBytes::new(py, self.to_json(py)?.as_bytes()),)))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<pessoi.Answer: {}>", export::headline(&self.answer))
    }

    /// The answer as the command prints it; in one line if it has nothing to print, as the end of
    /// a list has.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.drawn(py, "text")?.filter(|text| !text.trim().is_empty());
        Ok(text.unwrap_or_else(|| export::headline(&self.answer)))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pessoi._html")?.call_method1("answer", (slf,))
    }

    /// A picture, where the game draws one.
    fn svg(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.drawn(py, "svg")
    }
}

/// Puts a file in its place when it is whole.
pub(crate) fn put(path: &std::path::Path, bytes: &[u8]) -> Result<(), Error> {
    let written = || -> std::io::Result<()> {
        let mut draft = Draft::beside(path)?;
        std::io::Write::write_all(&mut draft, bytes)?;
        draft.finish(path)
    };
    written().map_err(|error| unwritten(path, &error))
}

pub(crate) fn unwritten(path: &std::path::Path, error: &std::io::Error) -> Error {
    let (shown, why) = (path.display().to_string(), pessoi::error::reason(error));
    Error::io(format!("The file {shown:?} cannot be written: {why}."))
}

/// The graph of a board, or of the positions of a game.
#[pyclass(frozen, module = "pessoi")]
pub(crate) struct Graph {
    answer: Arc<pessoi::Answer>,
}

/// The graph of an answer, for pickles.
#[pyfunction]
pub(crate) fn graph_of(answer: &Answer) -> Option<Graph> {
    answer.graph()
}

impl Graph {
    fn graph(&self) -> Option<&export::Graph> {
        self.answer.graph.as_ref()
    }
}

#[pymethods]
impl Graph {
    /// What it is.
    #[getter]
    fn name(&self) -> &str {
        self.graph().map_or("", |graph| &graph.name)
    }

    /// Whether edges can be walked one way only.
    #[getter]
    fn directed(&self) -> bool {
        self.graph().is_some_and(|graph| graph.directed)
    }

    /// The nodes: cells as pairs (row, column) counted from 0, positions as text.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some(graph) = self.graph() else { return Vec::<u8>::new().into_bound_py_any(py) };
        match graph.cells() {
            Some(cells) => cells.into_iter().map(pair).collect::<Vec<_>>().into_bound_py_any(py),
            None => graph.nodes.clone().into_bound_py_any(py),
        }
    }

    /// The edges as pairs of indexes into the nodes, as an array for numpy.
    #[getter]
    fn edges(&self) -> Array {
        let edges = self.graph().map_or(&[][..], |graph| &graph.edges);
        let words = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
        Array::of_words(words, vec![edges.len(), 2])
    }

    /// What each edge is; empty if they are all alike.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.graph().map_or_else(Vec::new, |graph| graph.labels.clone())
    }

    /// The edges as a list of pairs of indexes.
    fn pairs(&self) -> Vec<(u32, u32)> {
        self.graph().map_or_else(Vec::new, |graph| graph.edges.clone())
    }

    fn __len__(&self) -> usize {
        self.graph().map_or(0, |graph| graph.nodes.len())
    }

    fn __repr__(&self) -> String {
        let edges = self.graph().map_or(0, |graph| graph.edges.len());
        format!("<pessoi.Graph {:?}: {} nodes, {edges} edges>", self.name(), self.__len__())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Answer,))> {
        let made = py.import("pessoi._pessoi")?.getattr("graph_of")?;
        Ok((made, (Answer { answer: self.answer.clone() },)))
    }

    /// The graph for networkx.
    fn to_networkx<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pessoi._graphs")?.call_method1("networkx", (slf,))
    }

    /// The graph for igraph.
    fn to_igraph<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pessoi._graphs")?.call_method1("igraph", (slf,))
    }

    /// The adjacency matrix for scipy.
    fn to_scipy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pessoi._graphs")?.call_method1("scipy", (slf,))
    }
}
