//! Layouts: boards as data, for whoever draws them or lets people play on them.
//!
//! A layout lists what a drawing shows: which places are cells, and which numbers stand on
//! them. A page that has a layout needs no reader of drawings of its own.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Board, Cell, Drawing, Lattice};

/// A board as data, with the numbers on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// What the board is called: its shape, or its size in words.
    pub name: String,
    /// Which places are neighbours: `square` or `hex`.
    pub lattice: &'static str,
    /// Rows of the frame.
    pub rows: usize,
    /// Columns of the frame.
    pub cols: usize,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The numbers that stand on the board already.
    pub clues: Vec<Numbered>,
    /// The same as text, which is read back as a place.
    pub drawing: String,
}

/// A number and its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Numbered {
    /// The cell.
    pub cell: Cell,
    /// The number, from 1 on.
    pub number: u32,
}

impl Drawing {
    /// The drawing as data.
    pub fn layout(&self) -> Layout {
        let board: &Board = &self.board;
        let clues = self.clues.iter();
        Layout {
            name: board.name(),
            lattice: match board.lattice() {
                Lattice::Square => "square",
                Lattice::Hex => "hex",
            },
            rows: board.rows(),
            cols: board.cols(),
            cells: board.cells().to_vec(),
            clues: clues
                .map(|clue| Numbered { cell: board.cell(clue.cell), number: clue.number })
                .collect(),
            drawing: self.to_text(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_shows_what_the_drawing_shows() {
        let drawing = Drawing::parse("1 0 .\n0 5 0\n").unwrap();
        let layout = drawing.layout();
        let json = serde_json::to_value(&layout).unwrap();
        assert_eq!(json["lattice"], "square");
        assert_eq!((layout.rows, layout.cols), (2, 3));
        assert_eq!(json["cells"], serde_json::json!(["1,1", "1,2", "2,1", "2,2", "2,3"]));
        assert_eq!(json["clues"][1], serde_json::json!({"cell": "2,2", "number": 5}));
        assert_eq!(Drawing::parse(&layout.drawing).unwrap(), drawing);
    }

    #[test]
    fn hexagonal_boards_have_layouts_too() {
        let drawing = Drawing { board: Board::parse("P2x3").unwrap(), clues: Vec::new() };
        let layout = drawing.layout();
        assert_eq!((layout.lattice, layout.cells.len()), ("hex", drawing.board.len()));
        assert_eq!(Drawing::parse(&layout.drawing).unwrap().board, drawing.board);
    }
}
