//! Cells and the lattices on which they lie.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use super::{SIDE_LIMIT, quoted};
use crate::error::{Error, Result};

/// Which places are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lattice {
    /// Four around each: left, right, above and below.
    Square,
    /// Six around each.
    Hex,
}

impl Lattice {
    /// The steps to the neighbours, in the order in which cells are listed.
    pub(super) fn steps(self) -> &'static [Cell] {
        const fn step(row: i32, col: i32) -> Cell {
            Cell { row, col }
        }
        const SQUARE: [Cell; 4] = [step(-1, 0), step(0, -1), step(0, 1), step(1, 0)];
        const HEX: [Cell; 6] =
            [step(-1, 0), step(-1, 1), step(0, -1), step(0, 1), step(1, -1), step(1, 0)];
        match self {
            Lattice::Square => &SQUARE,
            Lattice::Hex => &HEX,
        }
    }
}

/// A place on a lattice, counted from 0 here and from 1 by people.
///
/// Written and read as `row,column`: the cell with row 2 and column 0 is `3,1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Cell {
    /// The row, counted from 0.
    pub row: i32,
    /// The column, counted from 0.
    pub col: i32,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", i64::from(self.row) + 1, i64::from(self.col) + 1)
    }
}

impl FromStr for Cell {
    type Err = Error;

    fn from_str(text: &str) -> Result<Cell> {
        let Some((row, col)) = text.split_once(',') else {
            return Err(Error::input(format!(
                "The cell {} has no comma: give row,column, such as 3,1.",
                quoted(text)
            )));
        };
        let side = |side: &str, what: &str| {
            let side = side.trim();
            let number =
                side.parse().ok().filter(|number| (1..=SIDE_LIMIT as i32).contains(number));
            number.map(|number| number - 1).ok_or_else(|| {
                Error::input(format!(
                    "The cell {} has the {what} {}: give row,column, each from 1 to \
                     {SIDE_LIMIT}, such as 3,1.",
                    quoted(text),
                    quoted(side)
                ))
            })
        };
        Ok(Cell { row: side(row, "row")?, col: side(col, "column")? })
    }
}

impl Cell {
    /// Reads a cell of a board with so many rows: as `row,column`, or as on a chess board, with
    /// a letter for the column and the row counted from the bottom: `a1` is the lower left corner.
    /// After `z` come `aa`, `ab` and so on. A comma or a letter shows which is meant.
    pub fn named(text: &str, rows: usize) -> Result<Cell> {
        let Some((col, rank)) = chess(text) else { return text.parse() };
        // A rank above the board is a row above it, which no board has.
        Ok(Cell { row: rows as i32 - rank, col })
    }
}

/// The column, from 0, and the row, from 1 at the bottom, of a cell written as in chess.
pub(crate) fn chess(text: &str) -> Option<(i32, i32)> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, rank) = text.split_at(digits);
    if letters.is_empty() || letters.len() > 3 || !rank.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let letter = |sum: i32, c: u8| 26 * sum + i32::from(c.to_ascii_lowercase() - b'a') + 1;
    let col = letters.bytes().fold(0, letter) - 1;
    let rank = rank.parse().ok().filter(|rank| (1..=SIDE_LIMIT as i32).contains(rank))?;
    (col < SIDE_LIMIT as i32).then_some((col, rank))
}

impl TryFrom<String> for Cell {
    type Error = Error;

    fn try_from(text: String) -> Result<Cell> {
        text.parse()
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{any_text, is_sentence};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn people_count_from_1() {
        let cell = Cell { row: 2, col: 0 };
        assert_eq!(cell.to_string(), "3,1");
        assert_eq!("3,1".parse(), Ok(cell));
        assert_eq!(" 3 , 1 ".parse(), Ok(cell));
        assert_eq!(serde_json::to_string(&cell).unwrap(), r#""3,1""#);
        assert_eq!(serde_json::from_str::<Cell>(r#""3,1""#).unwrap(), cell);
        assert_eq!(Cell { row: i32::MAX, col: i32::MIN }.to_string(), "2147483648,-2147483647");
    }

    #[test]
    fn cells_are_ordered_row_by_row() {
        assert!(Cell { row: 0, col: 9 } < Cell { row: 1, col: 0 });
        assert!(Cell { row: 1, col: 0 } < Cell { row: 1, col: 1 });
    }

    #[test]
    fn cells_as_on_a_chess_board() {
        for (text, name) in
            [("a1", "8,1"), ("H8", "1,8"), (" e4 ", "5,5"), ("aa8", "1,27"), ("az1", "8,52")]
        {
            assert_eq!(Cell::named(text, 8).unwrap().to_string(), name, "{text}");
        }
        assert_eq!(Cell::named("3,1", 8).unwrap().to_string(), "3,1");
        // Off the board, above it.
        assert_eq!(Cell::named("a9", 8).unwrap().row, -1);
        for bad in ["a", "a0", "1a", "a1b", "aaaa1", "a-1", "a10001", "ä1", "a1,1"] {
            assert!(Cell::named(bad, 8).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_no_cell() {
        let error = |text: &str| text.parse::<Cell>().unwrap_err().to_string();
        assert_eq!(error(""), "The cell \"\" has no comma: give row,column, such as 3,1.");
        assert_eq!(error("31"), "The cell \"31\" has no comma: give row,column, such as 3,1.");
        assert_eq!(
            error("0,1"),
            "The cell \"0,1\" has the row \"0\": give row,column, each from 1 to 10000, such as 3,1."
        );
        assert_eq!(
            error("3,"),
            "The cell \"3,\" has the column \"\": give row,column, each from 1 to 10000, such as \
             3,1."
        );
        for bad in ["3,-1", "3,1,2", "3,99999999999", "a,b", "10001,1", ","] {
            assert!(is_sentence(&bad.parse::<Cell>().unwrap_err()), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn cells_survive_as_text(row in 0..10_000, col in 0..10_000) {
            let cell = Cell { row, col };
            prop_assert_eq!(cell.to_string().parse(), Ok(cell));
        }

        #[test]
        fn no_text_panics(text in prop_oneof![any_text(), "[0-9,. -]{0,12}"]) {
            if let Err(error) = text.parse::<Cell>() {
                prop_assert!(is_sentence(&error), "{}", error);
            }
        }
    }
}
