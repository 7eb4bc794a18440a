//! Boards: from shapes, drawings, masks and cells.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use pessoi::board::{self, Drawing, Lattice, Picture};
use pessoi::{Error, Place};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict, PyList, PyListMethods, PyString};

use crate::errors::{OrRaise, input};
use crate::number::{cell, is_bool, pair};
use crate::solution::{MOST_CELLS, picture};

/// Cells on a square or hexagonal lattice, perhaps with numbers on them.
#[pyclass(frozen, module = "pessoi", sequence)]
pub(crate) struct Board {
    pub(crate) drawing: Arc<Drawing>,
}

/// Something that maps a board to itself.
#[pyclass(frozen, module = "pessoi")]
pub(crate) struct Symmetry {
    drawing: Arc<Drawing>,
    symmetry: board::Symmetry,
}

/// What a symmetry consists of.
type Parts = (Board, Vec<u32>);

/// The symmetry of a board that permutes its cells so, for pickles.
#[pyfunction]
pub(crate) fn symmetry_of(
    py: Python<'_>,
    board: &Board,
    permutation: Vec<u32>,
) -> PyResult<Symmetry> {
    let all = board.board().symmetries();
    let found = all.into_iter().find(|symmetry| symmetry.permutation == permutation);
    let symmetry = found
        .ok_or_else(|| input(py, None, "The board has no symmetry that permutes its cells so."))?;
    Ok(Symmetry { drawing: board.drawing.clone(), symmetry })
}

/// The lattice of this name.
fn lattice(py: Python<'_>, name: &str) -> PyResult<Lattice> {
    match name {
        "square" => Ok(Lattice::Square),
        "hex" => Ok(Lattice::Hex),
        other => Err(Error::unknown("lattice", "lattice", other, ["square", "hex"])).or_raise(py),
    }
}

/// Reads a board from a shape, a drawing, a mask or cells.
pub(crate) fn read(value: &Bound<'_, PyAny>, on: Option<&str>) -> PyResult<Arc<Drawing>> {
    let py = value.py();
    if let Ok(board) = value.cast::<Board>() {
        return Ok(board.get().drawing.clone());
    }
    if let Ok(text) = value.cast::<PyString>() {
        if on.is_some() {
            let why = "The lattice of a shape or a drawing is written in it: leave out lattice.";
            return Err(input(py, Some("lattice"), why));
        }
        return match Place::parse(text.to_str()?).or_raise(py)? {
            Place::Board(drawing) => Ok(Arc::new(drawing)),
            place => Err(input(py, Some("place"), format!("{place} is a size and no board."))),
        };
    }
    let on = lattice(py, on.unwrap_or("square"))?;
    let board = match value.getattr("ndim").and_then(|ndim| ndim.extract::<usize>()) {
        Ok(2) if !is_list_of_cells(value) => from_mask(value, on)?,
        Err(_) if is_rows_of_a_mask(value) => from_rows(value, on)?,
        Ok(2) | Err(_) => from_cells(value, on)?,
        Ok(other) => {
            let why = format!("A mask has rows and columns; this array has {other} dimensions.");
            return Err(input(py, Some("place"), why));
        }
    };
    Ok(Arc::new(Drawing { board, clues: Vec::new() }))
}

/// Whether this is a list whose first row is a list of truth values.
fn is_rows_of_a_mask(value: &Bound<'_, PyAny>) -> bool {
    let row = value.cast::<PyList>().ok().and_then(|rows| rows.get_item(0).ok());
    let first = row.and_then(|row| row.cast_into::<PyList>().ok()).map(|row| row.get_item(0));
    first.is_some_and(|first| first.is_ok_and(|first| is_bool(&first)))
}

/// The rows of a mask as lists.
fn from_rows(value: &Bound<'_, PyAny>, on: Lattice) -> PyResult<board::Board> {
    let py = value.py();
    let mask: Vec<Vec<bool>> = value
        .extract()
        .map_err(|_| input(py, Some("place"), "The rows of a mask are lists of truth values."))?;
    let cols = mask.iter().map(Vec::len).max().unwrap_or(0);
    let is_cell = |row: usize, col: usize| mask[row].get(col) == Some(&true);
    board::Board::from_mask(on, mask.len(), cols, is_cell).or_raise(py)
}

/// Whether an array of two dimensions is one of cells and not a mask: it has two columns of
/// numbers that are no truth values.
fn is_list_of_cells(array: &Bound<'_, PyAny>) -> bool {
    let is_of = |name: &str, of: &str| {
        let value = array.getattr("dtype").and_then(|dtype| dtype.getattr(name));
        value.and_then(|value| value.extract::<String>()).is_ok_and(|value| value == of)
    };
    let columns = array.getattr("shape").and_then(|shape| shape.extract::<(usize, usize)>());
    let is_mask = is_of("kind", "b") || is_of("kind", "O");
    columns.is_ok_and(|(_, columns)| columns == 2) && !is_mask
}

fn from_mask(array: &Bound<'_, PyAny>, on: Lattice) -> PyResult<board::Board> {
    let py = array.py();
    let (rows, cols): (usize, usize) = array.getattr("shape")?.extract()?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if kind != "b" {
        let why = "A mask is an array of truth values: give mask.astype(bool).";
        return Err(input(py, Some("place"), why));
    }
    // Refused before it is unrolled.
    if rows.saturating_mul(cols) > board::CELL_LIMIT.saturating_mul(4) {
        let why = format!("A mask of {rows} rows and {cols} columns is too large.");
        return Err(input(py, Some("place"), why));
    }
    let mask: Vec<Vec<bool>> = array.call_method0("tolist")?.extract()?;
    let is_cell =
        |row: usize, col: usize| mask.get(row).is_some_and(|row| row.get(col) == Some(&true));
    board::Board::from_mask(on, rows, cols, is_cell).or_raise(py)
}

fn from_cells(value: &Bound<'_, PyAny>, on: Lattice) -> PyResult<board::Board> {
    let py = value.py();
    let kind = || value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    let Ok(items) = value.try_iter() else {
        let why = format!(
            "A board is a shape, a drawing, a mask or a list of cells; this is of type {}.",
            kind()
        );
        return Err(input(py, Some("place"), why));
    };
    let mut cells = Vec::new();
    for item in items.take(board::CELL_LIMIT + 1) {
        let item = item?;
        let Some(cell) = cell(&item) else {
            let shown: String = item.repr()?.to_string().chars().take(60).collect();
            let why = format!("{shown} is no cell: give pairs (row, column), counted from 0.");
            return Err(input(py, Some("place"), why));
        };
        cells.push(cell);
    }
    board::Board::from_cells(on, cells).or_raise(py)
}

impl Board {
    fn board(&self) -> &board::Board {
        &self.drawing.board
    }

    /// The shape's name, or the drawing.
    fn text(&self) -> String {
        match self.board().shape() {
            Some(shape) if self.drawing.clues.is_empty() => shape.to_owned(),
            _ => self.drawing.to_text(),
        }
    }

    fn index_of(&self, at: &Bound<'_, PyAny>) -> PyResult<usize> {
        let found = cell(at).and_then(|cell| self.board().index(cell));
        found.ok_or_else(|| PyKeyError::new_err(format!("{at} is not a cell of this board")))
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (cells, /, lattice = None))]
    fn new(cells: &Bound<'_, PyAny>, lattice: Option<&str>) -> PyResult<Self> {
        Ok(Board { drawing: read(cells, lattice)? })
    }

    /// The number of rows of the frame.
    #[getter]
    fn rows(&self) -> usize {
        self.board().rows()
    }

    /// The number of columns of the frame.
    #[getter]
    fn columns(&self) -> usize {
        self.board().cols()
    }

    /// ``"square"`` or ``"hex"``.
    #[getter]
    fn lattice(&self) -> &'static str {
        match self.board().lattice() {
            Lattice::Square => "square",
            Lattice::Hex => "hex",
        }
    }

    /// The shape's name, such as ``"6x6"``; None for a drawn board.
    #[getter]
    fn shape(&self) -> Option<&str> {
        self.board().shape()
    }

    /// All cells as pairs (row, column), counted from 0, row by row.
    #[getter]
    fn cells(&self) -> Vec<(i32, i32)> {
        self.board().cells().iter().copied().map(pair).collect()
    }

    /// The numbers on the board, by their cells.
    #[getter]
    fn clues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let clues = PyDict::new(py);
        for clue in &self.drawing.clues {
            clues.set_item(pair(self.board().cell(clue.cell)), clue.number)?;
        }
        Ok(clues)
    }

    /// For each row of the frame, for each column, whether there is a cell.
    #[getter]
    fn mask(&self) -> Vec<Vec<bool>> {
        let mut mask = vec![vec![false; self.board().cols()]; self.board().rows()];
        for cell in self.board().cells() {
            mask[cell.row as usize][cell.col as usize] = true;
        }
        mask
    }

    /// All symmetries, the identity first.
    #[getter]
    fn symmetries(&self) -> Vec<Symmetry> {
        let all = self.board().symmetries().into_iter();
        all.map(|symmetry| Symmetry { drawing: self.drawing.clone(), symmetry }).collect()
    }

    /// The neighbours of a cell on the lattice.
    fn neighbours(&self, cell: &Bound<'_, PyAny>) -> PyResult<Vec<(i32, i32)>> {
        let index = self.index_of(cell)?;
        Ok(self.board().neighbours(index).map(|near| pair(self.board().cell(near))).collect())
    }

    /// The place of a cell in the list of cells.
    fn index(&self, cell: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.index_of(cell)
    }

    fn __len__(&self) -> usize {
        self.board().len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<(i32, i32)> {
        let len = self.board().len();
        let at = if index < 0 { index + len as isize } else { index };
        let at = usize::try_from(at).ok().filter(|&at| at < len);
        at.map(|at| pair(self.board().cell(at))).ok_or_else(|| {
            pyo3::exceptions::PyIndexError::new_err(format!("this board has {len} cells"))
        })
    }

    fn __contains__(&self, at: &Bound<'_, PyAny>) -> bool {
        cell(at).is_some_and(|cell| self.board().index(cell).is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pyo3::types::PyList::new(py, self.cells())?.try_iter()?.into_any())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Board>().is_ok_and(|other| *other.get().drawing == *self.drawing)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.board().cells().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().text(),))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("Board({:?})", self.text())
    }

    /// The drawing.
    fn __str__(&self) -> String {
        self.drawing.to_text()
    }

    /// A picture, unless the board is very large.
    fn _repr_svg_(&self) -> Option<String> {
        if self.board().len() > MOST_CELLS {
            return None;
        }
        let clue = |at: usize| self.drawing.clues.iter().find(|clue| clue.cell == at);
        let label = |at: usize| clue(at).map(|clue| clue.number.to_string());
        picture(Picture::new(self.board()).labels(label).to_svg())
    }
}

#[pymethods]
impl Symmetry {
    /// What people call it: ``"turn by 90°"``.
    #[getter]
    fn name(&self) -> &str {
        &self.symmetry.name
    }

    /// The cell of index i goes to that of index ``permutation[i]``.
    #[getter]
    fn permutation(&self) -> Vec<u32> {
        self.symmetry.permutation.clone()
    }

    /// Where a cell goes.
    fn __call__(&self, cell: &Bound<'_, PyAny>) -> PyResult<(i32, i32)> {
        let board = Board { drawing: self.drawing.clone() };
        let index = board.index_of(cell)?;
        Ok(pair(board.board().cell(self.symmetry.permutation[index] as usize)))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Symmetry>().is_ok_and(|other| {
            let other = other.get();
            other.drawing == self.drawing && other.symmetry.permutation == self.symmetry.permutation
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.symmetry.permutation.hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let made = py.import("pessoi._pessoi")?.getattr("symmetry_of")?;
        let board = Board { drawing: self.drawing.clone() };
        Ok((made, (board, self.symmetry.permutation.clone())))
    }

    fn __repr__(&self) -> String {
        format!("<pessoi.Symmetry: {}>", self.symmetry.name)
    }
}
