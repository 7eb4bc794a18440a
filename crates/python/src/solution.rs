//! Solutions: paths and positions.

use std::sync::Arc;

use pessoi::{Answer, Figure, Question, Run, Style, Subject, Value};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyList};

use crate::catalogue;
use crate::errors::OrRaise;
use crate::number::{cell, pair};

/// Something found: a path, or positions with the moves between them.
#[pyclass(frozen, module = "pessoi")]
pub(crate) struct Solution {
    found: pessoi::Solution,
    question: Arc<Question>,
}

/// A move between two positions.
#[pyclass(frozen, get_all, module = "pessoi")]
#[derive(Clone, PartialEq)]
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
        let Ok(format) = catalogue().format(card, self.question.verb, format) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let (run, style) = (Run::default(), Style::default());
        let written = catalogue().write_answer(&self.alone(), format, &style, &run, &mut bytes);
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
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        match &self.found.figure {
            Figure::Path { cells, .. } => cells.hash(&mut hasher),
            Figure::Positions { drawings, .. } => drawings.hash(&mut hasher),
        }
        hasher.finish()
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

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.written(py, "svg")
    }
}
