//! Shapes: boards that have a name.
//!
//! | name | board |
//! |---|---|
//! | `8x8`, `5x12` | rectangle of that many rows and columns, on the square lattice |
//! | `P3x4` | hexagonal parallelogram of 3 columns and 4 rows |
//! | `T5` | hexagonal triangle with 5 cells on a side |
//! | `F3` | hexagonal flower: all cells within 2 steps of one, so 3 on a side |
//! | `tP3x4`, `tT5`, `tF3` | the same, trimmed |
//!
//! A **tight corner** is a cell with exactly two neighbours, which are neighbours of
//! each other. To **trim** a board is to remove all its tight corners, once: with two
//! holes a sliding piece could leave such a corner but no other piece enter it. Shapes
//! and trimming are those of R. Karpman and É. Roldán, who study hexagonal sliding
//! puzzles. A flower has no tight corner.

use std::fmt;

use super::{Board, Cell, Lattice, SIDE_LIMIT, check_size, quoted};
use crate::error::{Error, Result};

/// What is accepted, at the end of error sentences.
const ACCEPTED: &str = "a shape is rows x columns, such as 8x8, or hexagonal, such as P3x4, T5, \
                        F3, or trimmed tP3x4, tT5, tF3";

/// A shape's name, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    trimmed: bool,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Rectangle { rows: usize, cols: usize },
    Parallelogram { cols: usize, rows: usize },
    Triangle(usize),
    Flower(usize),
}

impl Board {
    /// The board that a shape's name means: `8x8`, `P3x4`, `T5`, `F3`, `tP3x4` ….
    pub fn parse(name: &str) -> Result<Board> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::place(format!("The shape is missing: {ACCEPTED}.")));
        }
        Shape::parse(name)?.board()
    }

    /// How many cells the board of a shape's name has, before it is trimmed; `None` if there is no
    /// such shape. No board is made for that.
    pub(crate) fn cells_of(name: &str) -> Option<usize> {
        Some(match Shape::parse(name.trim()).ok()?.form {
            Form::Rectangle { rows, cols } | Form::Parallelogram { cols, rows } => {
                rows.saturating_mul(cols)
            }
            Form::Triangle(n) => n * (n + 1) / 2,
            Form::Flower(n) => 3 * n * n.saturating_sub(1) + 1,
        })
    }

    /// The indexes of all cells with exactly two neighbours that touch each other.
    ///
    /// There are none on the square lattice.
    pub fn tight_corners(&self) -> Vec<usize> {
        let is_tight = |&cell: &usize| {
            let mut around = self.neighbours(cell);
            let (Some(a), Some(b), None) = (around.next(), around.next(), around.next()) else {
                return false;
            };
            self.neighbours(a).any(|c| c == b)
        };
        (0..self.len()).filter(is_tight).collect()
    }

    /// The board without its tight corners; the other cells keep their names.
    pub fn trimmed(&self) -> Result<Board> {
        if self.lattice == Lattice::Square {
            return Ok(self.clone());
        }
        let mut corners = self.tight_corners().into_iter().peekable();
        let rest = (0..self.len()).filter(|&cell| corners.next_if_eq(&cell).is_none());
        let rest: Vec<Cell> = rest.map(|cell| self.cell(cell)).collect();
        if rest.is_empty() {
            return Err(Error::place(format!(
                "Nothing is left of {} when it is trimmed: every cell is a tight corner.",
                self.name()
            )));
        }
        let name = self.name.as_ref().filter(|name| !name.starts_with('t'));
        let name = name.map(|name| format!("t{name}"));
        Ok(Board { name, ..Board::from_cells(Lattice::Hex, rest)? })
    }
}

impl Shape {
    fn parse(name: &str) -> Result<Shape> {
        let unknown = || {
            let meant = Shape::meant(name).map(|shape| format!(" (did you mean {shape}?)"));
            Error::place(format!(
                "There is no shape {}{}: {ACCEPTED}.",
                quoted(name),
                meant.unwrap_or_default()
            ))
        };
        let untrimmed = name.strip_prefix('t').filter(|rest| rest.starts_with(['P', 'T', 'F']));
        let (trimmed, rest) = untrimmed.map_or((false, name), |rest| (true, rest));
        let form = if let Some(sides) = rest.strip_prefix('P') {
            let [cols, rows] =
                two_sides(name, sides, "a parallelogram is columns x rows, as P3x4")?;
            Form::Parallelogram { cols, rows }
        } else if let Some(n) = rest.strip_prefix('T') {
            Form::Triangle(side(name, n, "a triangle has one side, as T5")?)
        } else if let Some(n) = rest.strip_prefix('F') {
            Form::Flower(side(name, n, "a flower has one side, as F3")?)
        } else if name.starts_with(|c: char| c.is_ascii_digit() || "xX×-+".contains(c))
            && name.contains(TIMES)
        {
            let [rows, cols] = two_sides(name, name, "a rectangle is rows x columns, as 5x12")?;
            Form::Rectangle { rows, cols }
        } else {
            return Err(unknown());
        };
        Ok(Shape { trimmed, form })
    }

    /// The shape that was meant by a name whose letters have the wrong case.
    fn meant(name: &str) -> Option<Shape> {
        // Names are short, and so is the time to look at one.
        if name.len() > 16 || !name.is_ascii() {
            return None;
        }
        let upper = name.to_ascii_uppercase();
        let trimmed = upper.strip_prefix('T').map(|rest| format!("t{rest}"));
        // A name that is its own candidate would be looked at for ever.
        let candidates = [Some(upper), trimmed].into_iter().flatten();
        candidates.filter(|candidate| candidate != name).find_map(|name| Shape::parse(&name).ok())
    }

    fn board(self) -> Result<Board> {
        let board = match self.form {
            Form::Rectangle { rows, cols } => Board::rectangle(rows, cols)?,
            Form::Parallelogram { cols, rows } => {
                self.hexagonal((rows, cols), rows.saturating_mul(cols), |_| true)?
            }
            Form::Triangle(n) => {
                self.hexagonal((n, n), n * (n + 1) / 2, |cell| cell.row + cell.col < n as i32)?
            }
            Form::Flower(n) => {
                // The cells whose distances to the three axes through the middle are
                // less than n; the axes have constant row, column and row + column.
                let across = 2 * n - 1;
                let (least, most) = (n as i32 - 1, 3 * (n as i32 - 1));
                self.hexagonal((across, across), 3 * n * (n - 1) + 1, |cell| {
                    (least..=most).contains(&(cell.row + cell.col))
                })?
            }
        };
        if self.trimmed { board.trimmed() } else { Ok(board) }
    }

    /// The cells of a frame for which `inside` holds, `count` in number.
    fn hexagonal(
        self,
        (rows, cols): (usize, usize),
        count: usize,
        inside: impl Fn(&Cell) -> bool,
    ) -> Result<Board> {
        check_size(rows, cols, count)?;
        let row = |row| (0..cols as i32).map(move |col| Cell { row, col });
        let cells = (0..rows as i32).flat_map(row).filter(inside).collect();
        let name = Shape { trimmed: false, ..self }.to_string();
        Ok(Board { name: Some(name), ..Board::build(Lattice::Hex, (rows, cols), cells)? })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.trimmed {
            f.write_str("t")?;
        }
        match self.form {
            Form::Rectangle { rows, cols } => write!(f, "{rows}x{cols}"),
            Form::Parallelogram { cols, rows } => write!(f, "P{cols}x{rows}"),
            Form::Triangle(n) => write!(f, "T{n}"),
            Form::Flower(n) => write!(f, "F{n}"),
        }
    }
}

/// What may stand between two sides.
const TIMES: [char; 3] = ['x', 'X', '×'];

/// The two sides in `text`, a part of the shape `name`.
fn two_sides(name: &str, text: &str, rule: &str) -> Result<[usize; 2]> {
    let sides: Vec<&str> = text.split(TIMES).collect();
    match sides[..] {
        [a, b] => Ok([side(name, a, rule)?, side(name, b, rule)?]),
        _ => Err(Error::place(format!(
            "The shape {} has {} where two sides are expected: {rule}.",
            quoted(name),
            if sides.len() == 1 { "one side".to_owned() } else { format!("{} sides", sides.len()) },
        ))),
    }
}

/// The side that `text` says, a part of the shape `name`.
fn side(name: &str, text: &str, rule: &str) -> Result<usize> {
    let wrong =
        |what: String| Err(Error::place(format!("The shape {} {what}: {rule}.", quoted(name))));
    if text.is_empty() {
        return wrong("lacks a number".to_owned());
    }
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return wrong(format!("has {}, which is no whole number", quoted(text)));
    }
    match text.parse() {
        Ok(0) => wrong("has a side of 0 and so no cell".to_owned()),
        Ok(side) if side <= SIDE_LIMIT => Ok(side),
        _ => wrong(format!("has a side of more than {SIDE_LIMIT}, the most there may be")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{any_board, any_text, is_sentence};
    use super::*;
    use crate::board::CELL_LIMIT;
    use proptest::prelude::*;

    fn shape(name: &str) -> Board {
        Board::parse(name).unwrap()
    }

    fn error(name: &str) -> String {
        Board::parse(name).unwrap_err().to_string()
    }

    #[test]
    fn sizes() {
        let sizes = [
            ("8x8", 64),
            ("5x12", 60),
            ("1x1", 1),
            ("P3x4", 12),
            ("T1", 1),
            ("T5", 15),
            ("F1", 1),
            ("F2", 7),
            ("F3", 19),
            ("tP3x4", 10),
            ("tP2x2", 2),
            ("tP1x4", 4),
            ("tT1", 1),
            ("tT3", 3),
            ("tT5", 12),
            ("tF2", 7),
            ("tF3", 19),
        ];
        for (name, cells) in sizes {
            assert_eq!(shape(name).len(), cells, "{name}");
            assert_eq!(shape(name).name(), name);
        }
        assert_eq!((shape("P3x4").cols(), shape("P3x4").rows()), (3, 4));
        assert_eq!((shape("5x12").rows(), shape("5x12").cols()), (5, 12));
        assert_eq!(shape("tF3"), shape("F3"));
        assert_eq!(shape("T5").trimmed().unwrap().name(), "tT5");
        assert_eq!(shape("tT5").trimmed().unwrap().name(), "a drawn board of 12 cells");
    }

    #[test]
    fn other_ways_to_write_a_name() {
        for name in ["5X12", "5×12", " 5x12\t", "05x012"] {
            assert_eq!(shape(name), shape("5x12"));
            assert_eq!(shape(name).name(), "5x12");
        }
        assert_eq!(shape("tP3×4").name(), "tP3x4");
    }

    #[test]
    fn tight_corners() {
        let names = |board: &Board| {
            let corners = board.tight_corners();
            corners.iter().map(|&i| board.cell(i).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(&shape("P3x4")), ["1,1", "4,3"]);
        assert_eq!(names(&shape("T5")), ["1,1", "1,5", "5,1"]);
        assert!(names(&shape("F3")).is_empty());
        assert!(names(&shape("3x3")).is_empty());
        assert_eq!(shape("3x3").trimmed().unwrap(), shape("3x3"));
        assert_eq!(
            error("tT2"),
            "Nothing is left of T2 when it is trimmed: every cell is a tight corner."
        );
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_is_right() {
        let accepted = "a shape is rows x columns, such as 8x8, or hexagonal, such as P3x4, T5, \
                        F3, or trimmed tP3x4, tT5, tF3.";
        let rectangle = "a rectangle is rows x columns, as 5x12.";
        let cases = [
            ("", format!("The shape is missing: {accepted}")),
            ("0x5", format!("The shape \"0x5\" has a side of 0 and so no cell: {rectangle}")),
            (
                "-3x4",
                format!("The shape \"-3x4\" has \"-3\", which is no whole number: {rectangle}"),
            ),
            ("10x", format!("The shape \"10x\" lacks a number: {rectangle}")),
            ("x10", format!("The shape \"x10\" lacks a number: {rectangle}")),
            (
                "10x10x10",
                format!(
                    "The shape \"10x10x10\" has 3 sides where two sides are expected: {rectangle}"
                ),
            ),
            (
                "99999999999x2",
                format!(
                    "The shape \"99999999999x2\" has a side of more than 10000, the most there \
                     may be: {rectangle}"
                ),
            ),
            (
                "P3",
                "The shape \"P3\" has one side where two sides are expected: a parallelogram is \
                 columns x rows, as P3x4."
                    .to_owned(),
            ),
            (
                "T0",
                "The shape \"T0\" has a side of 0 and so no cell: a triangle has one side, as T5."
                    .to_owned(),
            ),
            ("F", "The shape \"F\" lacks a number: a flower has one side, as F3.".to_owned()),
            ("Q5", format!("There is no shape \"Q5\": {accepted}")),
            ("8", format!("There is no shape \"8\": {accepted}")),
            ("hexagon", format!("There is no shape \"hexagon\": {accepted}")),
            ("p3x4", format!("There is no shape \"p3x4\" (did you mean P3x4?): {accepted}")),
            ("t5", format!("There is no shape \"t5\" (did you mean T5?): {accepted}")),
            ("f3", format!("There is no shape \"f3\" (did you mean F3?): {accepted}")),
            ("tp3X4", format!("There is no shape \"tp3X4\" (did you mean tP3x4?): {accepted}")),
            ("tt5", format!("There is no shape \"tt5\" (did you mean tT5?): {accepted}")),
            (
                "F9999",
                "A board of 19997 rows and 19997 columns is too large: a side has at most 10000."
                    .to_owned(),
            ),
            (
                "T10000",
                "A board of 10000 rows and 10000 columns with that many cells is too large: a \
                 board has at most 4000000 cells."
                    .to_owned(),
            ),
        ];
        for (name, sentence) in cases {
            assert_eq!(error(name), sentence);
        }
        assert!(error(&"7".repeat(1000)).len() < 300);
    }

    #[test]
    fn the_largest_shapes_are_built() {
        for name in ["P2000x2000", "T2827", "F1155"] {
            let cells = shape(name).len();
            assert!(cells <= CELL_LIMIT && cells > CELL_LIMIT - 10_000, "{name}: {cells}");
        }
        for name in ["P2000x2001", "T2828", "F1156"] {
            assert!(is_sentence(&Board::parse(name).unwrap_err()), "{name}");
        }
    }

    proptest! {
        #[test]
        fn flowers_are_balls(n in 1..6usize) {
            let board = shape(&format!("F{n}"));
            let middle = board.index(Cell { row: n as i32 - 1, col: n as i32 - 1 }).unwrap();
            let mut far = vec![usize::MAX; board.len()];
            far[middle] = 0;
            let mut queue = std::collections::VecDeque::from([middle]);
            while let Some(cell) = queue.pop_front() {
                for next in board.neighbours(cell).filter(|&next| far[next] == usize::MAX).collect::<Vec<_>>() {
                    far[next] = far[cell] + 1;
                    queue.push_back(next);
                }
            }
            prop_assert_eq!(far.iter().max(), Some(&(n - 1)));
            prop_assert_eq!(far.iter().filter(|&&d| d == n - 1).count(), if n == 1 { 1 } else { 6 * (n - 1) });
        }

        #[test]
        fn trimming_removes_tight_corners_only(board in any_board()) {
            let corners = board.tight_corners();
            match board.trimmed() {
                Err(error) => {
                    prop_assert_eq!(corners.len(), board.len());
                    prop_assert!(is_sentence(&error));
                }
                Ok(rest) => {
                    prop_assert_eq!(rest.len() + corners.len(), board.len());
                    prop_assert!(corners.iter().all(|&c| rest.index(board.cell(c)).is_none()));
                }
            }
        }

        #[test]
        fn no_text_panics(text in any_text()) {
            match Board::parse(&text) {
                Err(error) => prop_assert!(is_sentence(&error), "{}", error),
                Ok(board) => prop_assert_eq!(Board::parse(&board.name()).unwrap(), board),
            }
        }
    }
}
