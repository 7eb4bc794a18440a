//! Boards: where puzzles and games are played.
//!
//! A **board** is a set of *cells* on a *lattice*. A **lattice** says which places
//! are neighbours: four around each place of the square lattice, six around each of
//! the hexagonal one. A blocked cell is simply absent.
//!
//! A **cell** is named by its row and column, which the program counts from 0 and
//! people count from 1: the cell in the third row and first column is written `3,1`. Where a
//! cell is read, names as on a chess board are taken too ([`Cell::named`]).
//! On the hexagonal lattice each row is shifted right by half a cell against the row
//! above, so a column runs from the upper left to the lower right (axial coordinates):
//!
//! ```text
//! 1,1 1,2 1,3
//!   2,1 2,2 2,3
//!     3,1 3,2 3,3
//! ```
//!
//! The **frame** is the block of rows and columns, from 1,1 on, in which the cells
//! lie. A drawing keeps the frame that was drawn, so that blocking a cell never
//! renames the others.
//!
//! A cell's **index** is its place in the list of all cells, row by row. Everything
//! that computes uses indexes; everything that is read by people uses names.
//!
//! A board comes from a *shape* (`8x8`, `P3x4`; see [`Board::parse`]), from a
//! *drawing* (`..#`; see [`Drawing`]) or from a list of cells. Its symmetries are
//! computed from the cells, never declared.

pub(crate) mod canvas;
mod cell;
mod drawing;
pub(crate) mod film;
mod layout;
pub(crate) mod pdf;
pub mod picture;
pub(crate) mod segments;
mod shapes;
pub(crate) mod sheet;
pub mod symmetries;

use serde::{Deserialize, Serialize, Serializer};

use crate::error::{Error, Result};

pub(crate) use cell::chess;
pub use cell::{Cell, Lattice};
pub use drawing::{Clue, Drawing};
pub use layout::{Layout, Numbered};
pub use picture::{Legend, Picture};
pub use symmetries::Symmetry;

/// The most rows or columns that a board may have.
pub const SIDE_LIMIT: usize = 10_000;

/// The most cells that a board may have.
pub const CELL_LIMIT: usize = 4_000_000;

/// Cells on a lattice.
///
/// Two boards are equal if their lattices, frames and cells are, whatever they are
/// called. In JSON a board is one string: its shape, or else its drawing.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Board {
    lattice: Lattice,
    rows: usize,
    cols: usize,
    cells: Vec<Cell>,
    /// The shape's name, if it has one.
    name: Option<String>,
    lookup: Lookup,
}

/// How a cell's index is found.
#[derive(Clone, Debug)]
enum Lookup {
    /// The frame is full: the index can be computed.
    Full,
    /// One entry for each place of the frame: the cell's index, or [`NO_CELL`].
    Table(Vec<u32>),
    /// The frame is so empty that a table would be a waste.
    Halving,
}

const NO_CELL: u32 = u32::MAX;

impl Board {
    /// The full board of some rows and columns on the square lattice.
    pub fn rectangle(rows: usize, cols: usize) -> Result<Board> {
        if rows == 0 || cols == 0 {
            return Err(Error::place(format!(
                "A board of {} and {} has no cell; a side has 1 to {SIDE_LIMIT}.",
                counted(rows, "row"),
                counted(cols, "column")
            )));
        }
        check_size(rows, cols, rows.saturating_mul(cols))?;
        let row = |row| (0..cols as i32).map(move |col| Cell { row, col });
        Board::build(Lattice::Square, (rows, cols), (0..rows as i32).flat_map(row).collect())
    }

    /// The board of some cells, whose coordinates are kept.
    pub fn from_cells(lattice: Lattice, cells: impl IntoIterator<Item = Cell>) -> Result<Board> {
        // One more than allowed is enough to see that there are too many.
        let mut cells: Vec<Cell> = cells.into_iter().take(CELL_LIMIT + 1).collect();
        cells.sort_unstable();
        if let Some(cell) = cells.iter().find(|cell| cell.row < 0 || cell.col < 0) {
            return Err(Error::place(format!(
                "The cell {cell} is off the board: rows and columns are counted from 1."
            )));
        }
        if let Some([twice, ..]) = cells.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::place(format!("The cell {twice} is given twice.")));
        }
        let extent = |side: fn(&Cell) -> i32| cells.iter().map(side).max().map_or(0, from_zero);
        let frame = (extent(|cell| cell.row), extent(|cell| cell.col));
        Board::build(lattice, frame, cells)
    }

    /// The board of the places in a frame of some rows and columns that are cells.
    pub fn from_mask(
        lattice: Lattice,
        rows: usize,
        cols: usize,
        is_cell: impl Fn(usize, usize) -> bool,
    ) -> Result<Board> {
        check_size(rows, cols, 0)?;
        let row = |row| (0..cols).map(move |col| (row, col));
        let places = (0..rows).flat_map(row).filter(|&(row, col)| is_cell(row, col));
        let cell = |(row, col)| Cell { row: row as i32, col: col as i32 };
        Board::build(lattice, (rows, cols), places.take(CELL_LIMIT + 1).map(cell).collect())
    }

    /// The board of cells that are sorted, differ and lie inside the frame.
    fn build(lattice: Lattice, (rows, cols): (usize, usize), cells: Vec<Cell>) -> Result<Board> {
        if cells.is_empty() {
            return Err(Error::place("A board needs at least one cell."));
        }
        check_size(rows, cols, cells.len())?;
        let area = rows * cols;
        let lookup = if cells.len() == area {
            Lookup::Full
        } else if area <= 8 * cells.len() + 1024 {
            let mut table = vec![NO_CELL; area];
            for (index, cell) in (0..).zip(&cells) {
                table[cell.row as usize * cols + cell.col as usize] = index;
            }
            Lookup::Table(table)
        } else {
            Lookup::Halving
        };
        let is_rectangle = lattice == Lattice::Square && cells.len() == area;
        let name = is_rectangle.then(|| format!("{rows}x{cols}"));
        Ok(Board { lattice, rows, cols, cells, name, lookup })
    }

    /// How many cells there are, at least one.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Never: a board has at least one cell.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All cells, row by row.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cell of an index below [`Board::len`].
    pub fn cell(&self, index: usize) -> Cell {
        self.cells[index]
    }

    /// The index of a cell, if it is on the board.
    pub fn index(&self, cell: Cell) -> Option<usize> {
        let row = usize::try_from(cell.row).ok().filter(|&row| row < self.rows)?;
        let col = usize::try_from(cell.col).ok().filter(|&col| col < self.cols)?;
        let place = row * self.cols + col;
        match &self.lookup {
            Lookup::Full => Some(place),
            Lookup::Table(table) => match table[place] {
                NO_CELL => None,
                index => Some(index as usize),
            },
            Lookup::Halving => self.cells.binary_search(&cell).ok(),
        }
    }

    /// How many rows the frame has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns the frame has.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The lattice on which the cells lie.
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// The indexes of a cell's neighbours, in increasing order.
    pub fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> {
        let Cell { row, col } = self.cells[index];
        let steps = self.lattice.steps().iter();
        steps.filter_map(move |step| self.index(Cell { row: row + step.row, col: col + step.col }))
    }

    /// The rows and columns, if this is a square-lattice board with no cell missing.
    pub fn is_full_rectangle(&self) -> Option<(usize, usize)> {
        let full = self.lattice == Lattice::Square && matches!(self.lookup, Lookup::Full);
        full.then_some((self.rows, self.cols))
    }

    /// The name of the board's shape, if it has one; [`Board::parse`] reads it.
    pub fn shape(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What to call the board: its shape, or "a drawn board of 27 cells".
    pub fn name(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None => format!("a drawn board of {}", counted(self.len(), "cell")),
        }
    }
}

/// Refuses frames and numbers of cells beyond the limits.
fn check_size(rows: usize, cols: usize, cells: usize) -> Result<()> {
    if rows > SIDE_LIMIT || cols > SIDE_LIMIT {
        return Err(Error::place(format!(
            "A board of {} and {} is too large: a side has at most {SIDE_LIMIT}.",
            counted(rows, "row"),
            counted(cols, "column")
        )));
    }
    if cells > CELL_LIMIT {
        return Err(Error::place(format!(
            "A board of {} and {} with that many cells is too large: a board has at most \
             {CELL_LIMIT} cells.",
            counted(rows, "row"),
            counted(cols, "column")
        )));
    }
    Ok(())
}

/// How many numbers there are from 0 to `last`.
fn from_zero(last: i32) -> usize {
    usize::try_from(last).map_or(0, |last| last + 1)
}

/// "1 cell", "2 cells".
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// What a user wrote, quoted on one line and cut if it is long.
fn quoted(text: &str) -> String {
    const MOST: usize = 24;
    match text.char_indices().nth(MOST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.lattice == other.lattice
            && (self.rows, self.cols) == (other.rows, other.cols)
            && self.cells == other.cells
    }
}

impl Eq for Board {}

impl TryFrom<String> for Board {
    type Error = Error;

    /// Reads a shape or a drawing without numbers.
    fn try_from(text: String) -> Result<Board> {
        if !text.contains(['\n', '.', '#']) {
            return Board::parse(&text);
        }
        let drawing = Drawing::parse(&text)?;
        match drawing.clues.first() {
            None => Ok(drawing.board),
            Some(clue) => Err(Error::place(format!(
                "A board has no numbers on it, and this drawing has the number {}.",
                clue.number
            ))),
        }
    }
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.name {
            Some(name) => serializer.serialize_str(name),
            None => serializer.serialize_str(&self.to_drawing()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Random cells on either lattice, in a frame of up to 7 × 7 somewhere near 1,1.
    pub(super) fn any_board() -> impl Strategy<Value = Board> {
        let lattice = prop_oneof![Just(Lattice::Square), Just(Lattice::Hex)];
        (lattice, 1..=7i32, 0..3i32, 0..3i32, prop::collection::vec(any::<bool>(), 1..=49))
            .prop_filter_map("no cell", |(lattice, cols, down, right, mask)| {
                let cells = (0..).zip(mask).filter(|(_, there)| *there);
                let cell = |i: i32| Cell { row: i / cols + down, col: i % cols + right };
                Board::from_cells(lattice, cells.map(|(i, _)| cell(i))).ok()
            })
    }

    /// Strings that look a little like something that can be read, and any others.
    pub(super) fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ .#o0123456789xPTFthex\n\t,-]{0,60}",
            "(hex\n)?([ .#o]{0,8}\n){0,6}",
            "(square\n|column\n)?(([.#0-9]|10|11) ?){0,30}\n(([.#0-9]|10|11) ?){0,30}",
            "t?[PTFptf]?[0-9]{0,6}[xX×]?[0-9]{0,6}",
            any::<String>(),
        ]
    }

    /// Whether an error is one sentence on one line.
    pub(super) fn is_sentence(error: &Error) -> bool {
        let text = error.to_string();
        text.ends_with('.')
            && text.chars().next().is_some_and(|first| !first.is_lowercase())
            && !text.contains(char::is_control)
    }

    fn error_of(cells: &[(i32, i32)]) -> String {
        let cells = cells.iter().map(|&(row, col)| Cell { row, col });
        Board::from_cells(Lattice::Square, cells).unwrap_err().to_string()
    }

    #[test]
    fn lists_of_cells() {
        let cells = [(2, 1), (0, 3), (2, 0)].map(|(row, col)| Cell { row, col });
        let board = Board::from_cells(Lattice::Square, cells).unwrap();
        assert_eq!((board.len(), board.rows(), board.cols()), (3, 3, 4));
        assert_eq!(board.cell(0), Cell { row: 0, col: 3 });
        assert_eq!(board.index(Cell { row: 2, col: 1 }), Some(2));
        assert_eq!(board.name(), "a drawn board of 3 cells");
        assert_eq!(board.is_full_rectangle(), None);
        assert_eq!(error_of(&[]), "A board needs at least one cell.");
        assert_eq!(error_of(&[(1, 1), (0, 0), (1, 1)]), "The cell 2,2 is given twice.");
        assert_eq!(
            error_of(&[(1, 1), (0, -1)]),
            "The cell 1,0 is off the board: rows and columns are counted from 1."
        );
        assert_eq!(
            error_of(&[(i32::MAX, 0)]),
            "A board of 2147483648 rows and 1 column is too large: a side has at most 10000."
        );
    }

    /// What is blocked at an edge stays a part of the frame.
    #[test]
    fn masks() {
        let is_cell = |row, col| (row, col) != (0, 0) && col < 2;
        let board = Board::from_mask(Lattice::Square, 2, 3, is_cell).unwrap();
        assert_eq!(board, Drawing::parse("#.#\n..#").unwrap().board);
        assert!(Board::from_mask(Lattice::Hex, 2, 2, |_, _| false).is_err());
        assert!(Board::from_mask(Lattice::Hex, 0, 2, |_, _| true).is_err());
        assert!(Board::from_mask(Lattice::Square, 10_001, 1, |_, _| true).is_err());
        assert!(Board::from_mask(Lattice::Square, 3000, 3000, |_, _| true).is_err());
    }

    #[test]
    fn rectangles_and_their_limits() {
        let board = Board::rectangle(5, 12).unwrap();
        assert_eq!((board.len(), board.rows(), board.cols()), (60, 5, 12));
        assert_eq!(board.is_full_rectangle(), Some((5, 12)));
        assert_eq!(board.name(), "5x12");
        assert_eq!(board, Board::from_cells(Lattice::Square, board.cells().to_vec()).unwrap());
        assert_eq!(
            Board::rectangle(0, 5).unwrap_err().to_string(),
            "A board of 0 rows and 5 columns has no cell; a side has 1 to 10000."
        );
        assert_eq!(
            Board::rectangle(usize::MAX, 2).unwrap_err().to_string(),
            format!(
                "A board of {} rows and 2 columns is too large: a side has at most 10000.",
                usize::MAX
            )
        );
        assert_eq!(
            Board::rectangle(2001, 2000).unwrap_err().to_string(),
            "A board of 2001 rows and 2000 columns with that many cells is too large: a board \
             has at most 4000000 cells."
        );
        assert_eq!(Board::rectangle(10_000, 400).unwrap().len(), CELL_LIMIT);
        let endless = (0..).map(|i| Cell { row: i / 10_000, col: i % 10_000 });
        assert!(is_sentence(&Board::from_cells(Lattice::Square, endless).unwrap_err()));
    }

    #[test]
    fn a_sparse_board_finds_its_cells_without_a_table() {
        let cells = [(0, 0), (9999, 9999)].map(|(row, col)| Cell { row, col });
        let board = Board::from_cells(Lattice::Hex, cells).unwrap();
        assert!(matches!(board.lookup, Lookup::Halving));
        assert_eq!(board.index(cells[1]), Some(1));
        assert_eq!(board.index(Cell { row: 9999, col: 0 }), None);
    }

    #[test]
    fn equality_looks_at_the_frame_and_not_at_the_name() {
        let drawn = |text| Drawing::parse(text).unwrap().board;
        assert_ne!(drawn("..#"), drawn(".."));
        assert_ne!(drawn("square\n. ."), drawn("hex\n. ."));
        assert_eq!(drawn("hex\n. ."), Board::parse("P2x1").unwrap());
    }

    #[test]
    fn json() {
        let trip = |board: &Board| {
            let json = serde_json::to_string(board).unwrap();
            let back: Board = serde_json::from_str(&json).unwrap();
            assert_eq!((&back, back.name()), (board, board.name()));
            json
        };
        assert_eq!(trip(&Board::parse("8x8").unwrap()), r#""8x8""#);
        assert_eq!(trip(&Board::parse("tP3x4").unwrap()), r#""tP3x4""#);
        assert_eq!(trip(&Drawing::parse("..#").unwrap().board), r#""..#\n""#);
        assert_eq!(trip(&Drawing::parse("hex\no o\n o").unwrap().board), r#""hex\n. .\n .\n""#);
        let error = serde_json::from_str::<Board>(r#"". 1 0""#).unwrap_err().to_string();
        assert_eq!(error, "A board has no numbers on it, and this drawing has the number 1.");
    }

    proptest! {
        #[test]
        fn indexes_and_neighbours_agree_with_looking_everywhere(board in any_board()) {
            for row in -2..11 {
                for col in -2..11 {
                    let cell = Cell { row, col };
                    prop_assert_eq!(board.index(cell), board.cells().iter().position(|c| *c == cell));
                }
            }
            // A step of the square lattice has length 1, and so has one of the hexagonal
            // lattice, where a row is shifted by half and lies √3/2 below.
            let length = |a: Cell, b: Cell| {
                let (down, right) = (f64::from(a.row - b.row), f64::from(a.col - b.col));
                match board.lattice() {
                    Lattice::Square => down.hypot(right),
                    Lattice::Hex => (down * 0.75f64.sqrt()).hypot(right + down / 2.0),
                }
            };
            for i in 0..board.len() {
                let near = |j: &usize| (length(board.cell(i), board.cell(*j)) - 1.0).abs() < 1e-9;
                let expected: Vec<usize> = (0..board.len()).filter(near).collect();
                prop_assert_eq!(board.neighbours(i).collect::<Vec<_>>(), expected);
            }
        }

        #[test]
        fn every_board_survives_in_json(board in any_board()) {
            let json = serde_json::to_string(&board).unwrap();
            prop_assert_eq!(serde_json::from_str::<Board>(&json).unwrap(), board);
        }

        #[test]
        fn no_text_panics(text in any_text()) {
            if let Err(error) = Board::try_from(text) {
                prop_assert!(is_sentence(&error), "{}", error);
            }
        }
    }
}
