//! Solutions: paths and positions.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use pessoi::{Answer, Error, Figure, Question, Run, Style, Subject, Value, Verb};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBytes, PyList};

use crate::catalogue;
use crate::errors::{OrRaise, input};
use crate::number::{cell, pair};

/// A notebook draws nothing that has more cells, or whose picture takes more bytes.
pub(crate) const MOST_CELLS: usize = 1 << 14;
const MOST_BYTES: usize = 1 << 20;

/// A picture for a notebook, unless it is very large.
pub(crate) fn picture(svg: String) -> Option<String> {
    (svg.len() <= MOST_BYTES).then_some(svg)
}

/// Something found: a path, or positions with the moves between them.
#[pyclass(frozen, module = "pessoi")]
pub(crate) struct Solution {
    found: pessoi::Solution,
    question: Arc<Question>,
}

/// A move between two positions.
#[pyclass(frozen, get_all, module = "pessoi")]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct Move {
    /// What moves: the number of a tile, the colour of a stone.
    piece: String,
    /// Where it was, if it was on the board.
    source: Option<(i32, i32)>,
    /// Where it is afterwards.
    target: Option<(i32, i32)>,
    /// Which way it went.
    direction: Option<String>,
}

/// What a move consists of.
type Parts = (String, Option<(i32, i32)>, Option<(i32, i32)>, Option<String>);

/// A move, for pickles.
#[pyfunction]
pub(crate) fn move_of(
    piece: String,
    source: Option<(i32, i32)>,
    target: Option<(i32, i32)>,
    direction: Option<String>,
) -> Move {
    Move { piece, source, target, direction }
}

/// A solution from its question and itself in JSON, for pickles.
#[pyfunction]
pub(crate) fn solution_of(py: Python<'_>, json: &[u8]) -> PyResult<Solution> {
    let read: Result<(Question, pessoi::Solution), _> = serde_json::from_slice(json);
    let (question, found) = read.map_err(|error| {
        input(py, None, format!("This is no solution that was pickled: {error}."))
    })?;
    Ok(Solution::new(found, Arc::new(question)))
}

#[pymethods]
impl Move {
    fn __repr__(&self) -> String {
        let Move { piece, source, target, direction } = self;
        let at = |word: &str, cell: &Option<(i32, i32)>| {
            cell.map_or_else(String::new, |(row, col)| format!(" {word} ({row}, {col})"))
        };
        let way = direction.as_ref().map_or_else(String::new, |way| format!(" {way}"));
        format!("Move({piece}{}{}{way})", at("from", source), at("to", target))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let made = py.import("pessoi._pessoi")?.getattr("move_of")?;
        let Move { piece, source, target, direction } = self.clone();
        Ok((made, (piece, source, target, direction)))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Move>().is_ok_and(|other| other.get() == self)
    }
}

impl Solution {
    pub(crate) fn new(found: pessoi::Solution, question: Arc<Question>) -> Self {
        Solution { found, question }
    }

    /// An answer that holds this solution alone.
    fn alone(&self) -> Answer {
        let subject = Subject::things("solutions", "solution", "solutions");
        let method = pessoi::Method::unnamed("given", "it was given", &[], &[]);
        let value = Value::at_least(1u32);
        let answer = Answer::new(&self.question, &subject, value, &method, &Run::default());
        Answer { solutions: vec![self.found.clone()], ..answer }
    }

    /// The solution in a format; None if its game has no such format, or nothing to show in it.
    fn written(&self, py: Python<'_>, format: &str) -> PyResult<Option<String>> {
        let card = catalogue().game(&self.question.game).or_raise(py)?.card();
        let mut answer = self.alone();
        // A format may hold one solution and no list.
        let verbs = [self.question.verb, Verb::Find];
        let offered =
            |verb| catalogue().format(card, verb, format).ok().map(|format| (verb, format));
        let Some((verb, format)) = verbs.into_iter().find_map(offered) else { return Ok(None) };
        answer.question.verb = verb;
        let mut bytes = Vec::new();
        let (run, style) = (Run::default(), Style::default());
        let written = catalogue().write_answer(&answer, format, &style, &run, &mut bytes);
        let wrote = written.or_raise(py)?.wrote;
        Ok(wrote.then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }
}

#[pymethods]
impl Solution {
    /// The cells of a path in their order, as pairs (row, column) counted from 0.
    #[getter]
    fn cells(&self) -> Vec<(i32, i32)> {
        self.found.figure.path().iter().copied().map(pair).collect()
    }

    /// Whether the last cell is joined to the first, or the first position follows from the last.
    #[getter]
    fn closed(&self) -> bool {
        match self.found.figure {
            Figure::Path { closed, .. } | Figure::Positions { closed, .. } => closed,
        }
    }

    /// Positions, each drawn as rows of text; empty for a path.
    #[getter]
    fn positions(&self) -> Vec<String> {
        match &self.found.figure {
            Figure::Positions { drawings, .. } => drawings.clone(),
            Figure::Path { .. } => Vec::new(),
        }
    }

    /// The moves between positions; empty for a path.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        let Figure::Positions { moves, .. } = &self.found.figure else { return Vec::new() };
        let one = |step: &pessoi::solution::Move| Move {
            piece: step.piece.clone(),
            source: step.from.map(pair),
            target: step.to.map(pair),
            direction: step.direction.clone(),
        };
        moves.iter().map(one).collect()
    }

    /// How many solutions its class has, where classes were asked for.
    #[getter]
    fn orbit(&self) -> Option<u64> {
        self.found.class.as_ref().map(|class| class.orbit)
    }

    /// The symmetries that leave it as it is, by name, where classes were asked for.
    #[getter]
    fn symmetries(&self) -> Option<Vec<String>> {
        self.found.class.as_ref().map(|class| class.symmetries.clone())
    }

    /// The cells as an array of rows (row, column), or the positions as an array of numbers.
    fn to_numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pessoi._arrays")?.call_method1("solution", (slf,))
    }

    fn __len__(&self) -> usize {
        match &self.found.figure {
            Figure::Path { cells, .. } => cells.len(),
            Figure::Positions { drawings, .. } => drawings.len(),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let items = match &self.found.figure {
            Figure::Path { .. } => PyList::new(py, self.cells())?,
            Figure::Positions { drawings, .. } => PyList::new(py, drawings)?,
        };
        Ok(items.try_iter()?.into_any())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let len = self.__len__();
        let at = if index < 0 { index + len as isize } else { index };
        let at = usize::try_from(at).ok().filter(|&at| at < len);
        let at = at.ok_or_else(|| PyIndexError::new_err(format!("it has {len} steps")))?;
        match &self.found.figure {
            Figure::Path { cells, .. } => {
                pyo3::IntoPyObjectExt::into_bound_py_any(pair(cells[at]), py)
            }
            Figure::Positions { drawings, .. } => {
                pyo3::IntoPyObjectExt::into_bound_py_any(&drawings[at], py)
            }
        }
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> bool {
        match &self.found.figure {
            Figure::Path { cells, .. } => cell(item).is_some_and(|cell| cells.contains(&cell)),
            Figure::Positions { drawings, .. } => {
                item.extract::<String>().is_ok_and(|text| drawings.contains(&text))
            }
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Solution>().is_ok_and(|other| other.get().found == self.found)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match &self.found.figure {
            Figure::Path { cells, .. } => cells.hash(&mut hasher),
            Figure::Positions { drawings, .. } => drawings.hash(&mut hasher),
        }
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let made = py.import("pessoi._pessoi")?.getattr("solution_of")?;
        let json = serde_json::to_vec(&(&*self.question, &self.found));
        let json = json.map_err(|error| Error::internal(error.to_string())).or_raise(py)?;
        Ok((made, (PyBytes::new(py, &json),)))
    }

    fn __repr__(&self) -> String {
        let closed = if self.closed() { "closed " } else { "" };
        match &self.found.figure {
            Figure::Path { cells, .. } => {
                format!("<pessoi.Solution: a {closed}path of {} cells>", cells.len())
            }
            Figure::Positions { drawings, moves, .. }
                if drawings.len() == 1 && moves.is_empty() =>
            {
                "<pessoi.Solution: a position>".to_owned()
            }
            Figure::Positions { drawings, .. } => {
                format!("<pessoi.Solution: {} positions>", drawings.len())
            }
        }
    }

    /// The solution as people read it.
    fn __str__(&self) -> String {
        match &self.found.figure {
            Figure::Positions { drawings, .. } => drawings.join("\n\n"),
            Figure::Path { cells, .. } => {
                cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// A picture, where the game draws one, unless it is very large.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let size = match &self.found.figure {
            Figure::Path { cells, .. } => cells.len(),
            Figure::Positions { drawings, .. } => drawings.iter().map(String::len).sum(),
        };
        if size > MOST_CELLS {
            return Ok(None);
        }
        Ok(self.written(py, "svg")?.and_then(picture))
    }
}
