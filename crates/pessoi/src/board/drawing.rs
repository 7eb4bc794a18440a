//! Drawings: boards as text, perhaps with numbers on them.
//!
//! A **square drawing** has one character for each cell (`..#.`) or, as soon as some
//! line has white space inside, one word for each cell (`. . # .`). A **clue** is a
//! number that already stands on its cell. There are two ways to write:
//!
//! | | `.` | `#` | `0` | other numbers |
//! |---|---|---|---|---|
//! | usual | cell | blocked | cell | clue |
//! | with `0` but no `#`, as on Rosetta Code | blocked | | cell | clue |
//!
//! So a dot beside clues is an empty cell, unless zeros are. [`Drawing::reading`] says how a
//! drawing was read where that may surprise.
//!
//! The first line may be `square`, or `column` for a board one cell wide in which
//! each line is one cell, so that `12` is the number twelve.
//!
//! A **hexagonal drawing** has the first line `hex`. The cells of a row stand two
//! characters apart, and each touches the cells one character to the left and right
//! of it in the rows above and below, as in this `P3x4`:
//!
//! ```text
//! hex
//! . . .
//!  . . .
//!   . . .
//!    . . .
//! ```
//!
//! There `.` or `o` is a cell, and `#` or blank is none. What is marked makes up the
//! frame, `#` too; so a row without cells needs a `#`. Clues are for square drawings
//! only.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::{Board, Cell, Lattice, SIDE_LIMIT, check_size, counted, quoted};
use crate::error::{Error, Result};

/// A board with the numbers that already stand on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The board.
    pub board: Board,
    /// The numbers on it, in the order of their cells.
    pub clues: Vec<Clue>,
}

/// A number that already stands on its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clue {
    /// The cell's index.
    pub cell: usize,
    /// The number, from 1 on.
    pub number: u32,
}

/// A line of text and its number in the file, from 1.
type Line<'t> = (usize, &'t str);

impl Drawing {
    /// Reads a drawing.
    pub fn parse(text: &str) -> Result<Drawing> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines: Vec<Line> = (1..).zip(text.lines().map(str::trim_end)).collect();
        let lines = without_blank_ends(&lines);
        let Some((&(_, first), rest)) = lines.split_first() else {
            return Err(Error::place(
                "The drawing is empty: a cell is drawn as . and a blocked cell as #.",
            ));
        };
        match first.trim() {
            "hex" => hexagonal(without_blank_ends(rest)),
            "square" => square(without_blank_ends(rest), false),
            "column" => square(without_blank_ends(rest), true),
            _ => square(lines, false),
        }
    }

    /// How the dots of a drawing were read, in a sentence, if numbers stand beside them and no
    /// `#`: others may write it otherwise.
    pub fn reading(text: &str) -> Option<String> {
        let Drawing { board, clues } = Drawing::parse(text).ok()?;
        if clues.is_empty() || text.contains('#') || !text.contains('.') {
            return None;
        }
        let cells = counted(board.len(), "cell");
        Some(if board.is_full_rectangle().is_some() {
            format!("The drawing was read as {cells}: a dot beside numbers is an empty cell.")
        } else {
            format!(
                "The drawing was read as {cells}: beside zeros, which are empty cells, a dot is no \
                 cell. (With # for what is no cell, a dot is an empty cell.)"
            )
        })
    }

    /// The text of the drawing, which [`Drawing::parse`] reads back.
    ///
    /// Clues of a hexagonal board are left out, for want of a way to write them.
    pub fn to_text(&self) -> String {
        if self.clues.is_empty() || self.board.lattice() == Lattice::Hex {
            return self.board.to_drawing();
        }
        let mut numbers = vec![0; self.board.len()];
        for clue in &self.clues {
            if let Some(number) = numbers.get_mut(clue.cell) {
                *number = clue.number;
            }
        }
        let width = numbers.iter().max().map_or(1, |most| most.to_string().len());
        // Without a zero a dot would be read as a cell.
        let blocked = if numbers.contains(&0) { '.' } else { '#' };
        let mut text = String::new();
        if self.board.cols() == 1 && width > 1 {
            text.push_str("column\n");
        }
        rows(&self.board, &mut text, |text, place| {
            if place.col > 0 {
                text.push(' ');
            }
            // Writing to a string cannot fail.
            let _ = match self.board.index(place) {
                Some(cell) => write!(text, "{:>width$}", numbers[cell]),
                None => write!(text, "{blocked:>width$}"),
            };
        });
        text
    }
}

impl Board {
    /// The board as a drawing, which [`Drawing::parse`] reads back.
    pub fn to_drawing(&self) -> String {
        let mut text = String::new();
        match self.lattice() {
            Lattice::Square => rows(self, &mut text, |text, place| {
                text.push(if self.index(place).is_some() { '.' } else { '#' });
            }),
            Lattice::Hex => self.draw_hexagons(&mut text),
        }
        text
    }

    fn draw_hexagons(&self, text: &mut String) {
        let mut marks: Vec<(Cell, char)> = self.cells().iter().map(|&cell| (cell, '.')).collect();
        // A # shows what no cell shows of the frame: empty rows, the first and the
        // last column.
        let mut needed: Vec<Cell> = Vec::new();
        let mut has_cell = vec![false; self.rows()];
        for cell in self.cells() {
            has_cell[cell.row as usize] = true;
        }
        let empty_rows = (0..).zip(&has_cell).filter(|(_, has_cell)| !**has_cell);
        needed.extend(empty_rows.map(|(row, _)| Cell { row, col: 0 }));
        for col in [0, self.cols() as i32 - 1] {
            let mut shown = self.cells().iter().chain(&needed);
            if !shown.any(|cell| cell.col == col) {
                needed.push(Cell { row: 0, col });
            }
        }
        marks.extend(needed.into_iter().map(|cell| (cell, '#')));
        marks.sort_unstable();

        let column = |cell: Cell| 2 * cell.col + cell.row;
        let left = marks.iter().map(|&(cell, _)| column(cell)).min().unwrap_or(0);
        text.push_str("hex");
        let mut row = -1;
        let mut end = 0;
        for (cell, mark) in marks {
            if cell.row != row {
                text.push('\n');
                (row, end) = (cell.row, 0);
            }
            let at = column(cell) - left;
            text.extend(std::iter::repeat_n(' ', (at - end) as usize));
            text.push(mark);
            end = at + 1;
        }
        text.push('\n');
    }
}

/// Writes each place of a board's frame, and ends each row.
fn rows(board: &Board, text: &mut String, mut write: impl FnMut(&mut String, Cell)) {
    for row in 0..board.rows() as i32 {
        for col in 0..board.cols() as i32 {
            write(text, Cell { row, col });
        }
        text.push('\n');
    }
}

fn without_blank_ends<'l, 't>(lines: &'l [Line<'t>]) -> &'l [Line<'t>] {
    let is_drawn = |line: &Line| !line.1.is_empty();
    let first = lines.iter().position(is_drawn).unwrap_or(lines.len());
    let last = lines.iter().rposition(is_drawn).map_or(first, |last| last + 1);
    &lines[first..last]
}

/// An error at a byte of a line; for people, columns are characters from 1.
fn error_at((number, line): Line, byte: usize, sentence: impl std::fmt::Display) -> Error {
    let column = line[..byte].chars().count() + 1;
    Error::place(format!("Line {number}, column {column}: {sentence}."))
}

/// Refuses what no board can have: too many lines, or an empty one between others.
fn check_lines(lines: &[Line]) -> Result<()> {
    if lines.len() > SIDE_LIMIT {
        return Err(Error::place(format!(
            "A drawing of {} lines is too large: a board has at most {SIDE_LIMIT} rows.",
            lines.len()
        )));
    }
    match lines.iter().find(|(_, line)| line.is_empty()) {
        None => Ok(()),
        Some((number, _)) => Err(Error::place(format!(
            "Line {number} is empty: draw a row without cells as a row of #."
        ))),
    }
}

fn no_cell() -> Error {
    Error::place("The drawing has no cell: at least one place must not be blocked.")
}

/// The words of a line, or its characters, with the bytes at which they begin.
fn tokens(line: &str, are_words: bool) -> Vec<(usize, &str)> {
    let mut tokens: Vec<(usize, &str)> = Vec::new();
    for (at, character) in line.match_indices(|c: char| !c.is_whitespace()) {
        match tokens.last_mut() {
            Some((start, token)) if are_words && *start + token.len() == at => {
                *token = &line[*start..at + character.len()];
            }
            _ => tokens.push((at, character)),
        }
    }
    tokens
}

/// A number in a square drawing, and where it stands.
struct Number<'t> {
    cell: usize,
    text: &'t str,
    line: Line<'t>,
    byte: usize,
}

fn square(lines: &[Line], is_column: bool) -> Result<Drawing> {
    check_lines(lines)?;
    let are_words =
        is_column || lines.iter().any(|(_, line)| line.trim_start().contains(char::is_whitespace));
    let is_zero = |(_, token): &(usize, &str)| token.bytes().all(|b| b == b'0');
    let has_zero = lines.iter().any(|(_, line)| tokens(line, are_words).iter().any(is_zero));
    let dot_is_cell = !has_zero || lines.iter().any(|(_, line)| line.contains('#'));

    let mut cells = Vec::new();
    let mut numbers = Vec::new();
    let mut cols = is_column.then_some((1, "as in a column".to_owned()));
    for (row, &line) in (0..).zip(lines) {
        let tokens = tokens(line.1, are_words);
        for (col, &(byte, token)) in (0..).zip(&tokens) {
            let is_number = token.bytes().all(|b| b.is_ascii_digit());
            if is_number && token.bytes().any(|b| b != b'0') {
                numbers.push(Number { cell: cells.len(), text: token, line, byte });
            } else if !is_number && token != "." && token != "#" {
                return Err(not_a_cell(line, byte, token));
            }
            if is_number || (token == "." && dot_is_cell) {
                cells.push(Cell { row, col });
            }
        }
        let (expected, why) = cols.get_or_insert((tokens.len(), format!("as in line {}", line.0)));
        if tokens.len() != *expected {
            return Err(Error::place(format!(
                "Line {} has {}, where {expected} {} expected, {why}.",
                line.0,
                counted(tokens.len(), "cell"),
                if *expected == 1 { "is" } else { "are" },
            )));
        }
    }
    if cells.is_empty() {
        return Err(no_cell());
    }
    let hides_dots = !dot_is_cell && lines.iter().any(|(_, line)| line.contains('.'));
    let clues = clues(&numbers, &cells, hides_dots)?;
    let frame = (lines.len(), cols.map_or(0, |(cols, _)| cols));
    Ok(Drawing { board: Board::build(Lattice::Square, frame, cells)?, clues })
}

/// What to say of a token that is no cell of a square drawing.
fn not_a_cell(line: Line, byte: usize, token: &str) -> Error {
    let is_strange = |c: char| !matches!(c, '.' | '#' | '0'..='9');
    match token.match_indices(is_strange).next() {
        Some((at, strange)) => error_at(
            line,
            byte + at,
            format!("{strange:?} is no cell; a square drawing is made of ., # and numbers"),
        ),
        None => error_at(
            line,
            byte,
            format!(
                "{} is not one cell; where white space parts the cells, each is ., # or a number",
                quoted(token)
            ),
        ),
    }
}

/// The numbers as clues, if they can all be placed.
fn clues(numbers: &[Number], cells: &[Cell], hides_dots: bool) -> Result<Vec<Clue>> {
    let mut cell_of: FxHashMap<u32, Cell> = FxHashMap::default();
    let clue = |number: &Number| {
        let fits = number.text.parse().ok().filter(|&n: &u32| n as usize <= cells.len());
        let Some(value) = fits else {
            return Err(error_at(
                number.line,
                number.byte,
                format!(
                    "the number {} is more than {}, the number of cells{}",
                    short(number.text),
                    cells.len(),
                    if hides_dots { "; beside zeros a dot is no cell" } else { "" }
                ),
            ));
        };
        if let Some(there) = cell_of.insert(value, cells[number.cell]) {
            return Err(error_at(
                number.line,
                number.byte,
                format!("the number {value} stands already on the cell {there}"),
            ));
        }
        Ok(Clue { cell: number.cell, number: value })
    };
    numbers.iter().map(clue).collect()
}

/// A number as it was written, unless it is very long.
fn short(digits: &str) -> &str {
    if digits.len() <= 24 { digits } else { "given" }
}

fn hexagonal(lines: &[Line]) -> Result<Drawing> {
    check_lines(lines)?;
    // With x the text column, x − row is 2 col and a constant.
    let mut marks: Vec<(i64, i64, bool)> = Vec::new();
    for (row, &line) in (0..).zip(lines) {
        for (x, (byte, mark)) in (0..).zip(line.1.char_indices()) {
            let is_cell = match mark {
                ' ' => continue,
                '.' | 'o' => true,
                '#' => false,
                '\t' => {
                    return Err(error_at(
                        line,
                        byte,
                        "a tab may be of any width; place hexagonal cells with spaces",
                    ));
                }
                _ => {
                    return Err(error_at(
                        line,
                        byte,
                        format!(
                            "{mark:?} is no cell; a hexagonal drawing is made of ., o, # and spaces"
                        ),
                    ));
                }
            };
            let twice_col = x - row;
            if marks.first().is_some_and(|first| (first.1 - twice_col) % 2 != 0) {
                return Err(error_at(
                    line,
                    byte,
                    "this cell is out of step; cells stand two columns apart, and each row is \
                     shifted by one column against the row above",
                ));
            }
            marks.push((row, twice_col, is_cell));
        }
    }
    let least = marks.iter().map(|mark| mark.1).min().unwrap_or(0);
    let most = marks.iter().map(|mark| mark.1).max().unwrap_or(0);
    let frame = (lines.len(), ((most - least) / 2 + 1) as usize);
    check_size(frame.0, frame.1, 0)?;
    let cells = marks.iter().filter(|mark| mark.2);
    let cell = |&(row, twice_col, _): &(i64, i64, bool)| Cell {
        row: row as i32,
        col: ((twice_col - least) / 2) as i32,
    };
    let cells: Vec<Cell> = cells.map(cell).collect();
    if cells.is_empty() {
        return Err(no_cell());
    }
    Ok(Drawing { board: Board::build(Lattice::Hex, frame, cells)?, clues: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{any_board, any_text, is_sentence};
    use super::*;
    use proptest::prelude::*;

    fn drawing(text: &str) -> Drawing {
        Drawing::parse(text).unwrap()
    }

    fn error(text: &str) -> String {
        let error = Drawing::parse(text).unwrap_err();
        assert!(is_sentence(&error), "{error}");
        error.to_string()
    }

    /// The names of the cells and the clues, with the frame.
    fn content(text: &str) -> (usize, usize, String) {
        let Drawing { board, clues } = drawing(text);
        let cell = |i| match clues.iter().find(|clue| clue.cell == i) {
            Some(clue) => format!("{}={}", board.cell(i), clue.number),
            None => board.cell(i).to_string(),
        };
        let cells: Vec<String> = (0..board.len()).map(cell).collect();
        (board.rows(), board.cols(), cells.join(" "))
    }

    #[test]
    fn square_drawings() {
        let expected = (2, 3, "1,2 2,1 2,3".to_owned());
        for text in [
            "#.#\n.#.",
            "# . #\n. # .\n",
            "square\n#.#\r\n.#.  \r\n\r\n",
            "\u{feff}#.#\n.#.",
            "\n \n\t#\t.\t#\n. # .\n",
        ] {
            assert_eq!(content(text), expected, "{text:?}");
        }
        assert_eq!(drawing("....\n....").board, Board::parse("2x4").unwrap());
        assert_eq!(drawing("....\n....").board.name(), "2x4");
        assert_eq!(drawing("###\n#.#\n###").board.rows(), 3);
    }

    #[test]
    fn clues_in_both_ways_of_writing() {
        // Beside zeros and without #, a dot is no cell.
        assert_eq!(content(". 1 0\n0 0 5\n"), (2, 3, "1,2=1 1,3 2,1 2,2 2,3=5".to_owned()));
        assert_eq!(content(".10\n005\n"), content(". 1 0\n0 0 5\n"));
        assert_eq!(content(".0."), (1, 3, "1,2".to_owned()));
        // Without zeros it is one, as on most sheets of puzzles.
        assert_eq!(content(". 1 .\n. . 5\n"), (2, 3, "1,1 1,2=1 1,3 2,1 2,2 2,3=5".to_owned()));
        assert_eq!(content(".1.\n..5\n"), content(". 1 .\n. . 5\n"));
        assert_eq!(content("10 . . . . . . . . .").2.split(' ').count(), 10);
        assert_eq!(content("1....").1, 5);
        // With #, it is one.
        assert_eq!(content(". 1 #\n0 . 4\n"), (2, 3, "1,1 1,2=1 2,1 2,2 2,3=4".to_owned()));
        assert_eq!(content("00 12 . . . . . . . . . . . #"), {
            let cells: Vec<_> =
                (1..=13).map(|c| format!("1,{c}{}", if c == 2 { "=12" } else { "" })).collect();
            (1, 14, cells.join(" "))
        });
        let column = "column\n0\n0\n0\n0\n0\n0\n0\n0\n0\n10\n";
        assert_eq!(drawing(column).clues, [Clue { cell: 9, number: 10 }]);
        assert_eq!(drawing(column).to_text().replace(' ', ""), column);
    }

    #[test]
    fn how_dots_were_read_is_said_where_it_may_surprise() {
        let said = |text: &str| Drawing::reading(text).unwrap_or_default();
        assert!(said("1 . .\n. . 6").contains("6 cells: a dot beside numbers is an empty cell"));
        assert!(said("1 . 0\n0 0 5").contains("5 cells: beside zeros"));
        for plain in ["...\n..#", "1 0 0", "1 . #", "1 2 3\n", "..x", "hex\n. ."] {
            assert_eq!(Drawing::reading(plain), None, "{plain}");
        }
        assert!(error("9 . 0").ends_with("the number of cells; beside zeros a dot is no cell."));
        // A full board keeps its blocked cells.
        let full = drawing("1 2\n# 3");
        assert_eq!(Drawing::parse(&full.to_text()).unwrap(), full);
    }

    #[test]
    fn hexagonal_drawings() {
        let p3x4 = "hex\n. . .\n . . .\n  . . .\n   . . .\n";
        assert_eq!(drawing(p3x4).board, Board::parse("P3x4").unwrap());
        assert_eq!(Board::parse("P3x4").unwrap().to_drawing(), p3x4);
        let shifted = p3x4.replace("\n ", "\n      ").replace("\n. ", "\n     . ");
        assert_eq!(drawing(&shifted).board, Board::parse("P3x4").unwrap());
        let f2 = "hex\n o o\no o o\n o o";
        assert_eq!(drawing(f2).board, Board::parse("F2").unwrap());
        assert_eq!(Board::parse("F2").unwrap().to_drawing(), "hex\n . .\n. . .\n . .\n");
        assert_eq!(Board::parse("T3").unwrap().to_drawing(), "hex\n. . .\n . .\n  .\n");
        // Blocking the first cell does not rename the others.
        assert_eq!(content("hex\n# .\n . ."), (2, 2, "1,2 2,1 2,2".to_owned()));
        assert_eq!(content("hex\n  .\n . ."), (2, 2, "1,2 2,1 2,2".to_owned()));
        assert_eq!(content("hex\n# .\n   ."), (2, 2, "1,2 2,2".to_owned()));
        assert_eq!(content("hex\n  .\n   ."), (2, 1, "1,1 2,1".to_owned()));
        assert_eq!(content("hex\n.\n #\n."), (3, 2, "1,2 3,1".to_owned()));
    }

    #[test]
    fn errors() {
        let cases = [
            ("", "The drawing is empty: a cell is drawn as . and a blocked cell as #."),
            (" \n\t\n", "The drawing is empty: a cell is drawn as . and a blocked cell as #."),
            ("hex\n", "The drawing has no cell: at least one place must not be blocked."),
            ("hex\n# #", "The drawing has no cell: at least one place must not be blocked."),
            ("##\n##", "The drawing has no cell: at least one place must not be blocked."),
            ("square\n", "The drawing has no cell: at least one place must not be blocked."),
            ("...\n....\n...", "Line 2 has 4 cells, where 3 are expected, as in line 1."),
            ("\nsquare\n..\n.", "Line 4 has 1 cell, where 2 are expected, as in line 3."),
            ("column\n. 3", "Line 2 has 2 cells, where 1 is expected, as in a column."),
            ("...\n\n...", "Line 2 is empty: draw a row without cells as a row of #."),
            ("hex\n. .\n\n. .", "Line 3 is empty: draw a row without cells as a row of #."),
            (
                "..\n×.",
                "Line 2, column 1: \"×\" is no cell; a square drawing is made of ., # and numbers.",
            ),
            (
                "× .\n. 1y",
                "Line 1, column 1: \"×\" is no cell; a square drawing is made of ., # and numbers.",
            ),
            (
                ". .\n. 1y",
                "Line 2, column 4: \"y\" is no cell; a square drawing is made of ., # and numbers.",
            ),
            (
                ". -3\n",
                "Line 1, column 3: \"-\" is no cell; a square drawing is made of ., # and numbers.",
            ),
            (
                ".. .",
                "Line 1, column 1: \"..\" is not one cell; where white space parts the cells, \
                 each is ., # or a number.",
            ),
            ("1 0\n0 1", "Line 2, column 3: the number 1 stands already on the cell 1,1."),
            (
                "1 5\n0 .",
                "Line 1, column 3: the number 5 is more than 3, the number of cells; beside zeros a dot is no cell.",
            ),
            (
                "0 4294967297",
                "Line 1, column 3: the number 4294967297 is more than 2, the number of cells.",
            ),
            (
                "hex\n. .\n. .",
                "Line 3, column 1: this cell is out of step; cells stand two columns apart, and \
                 each row is shifted by one column against the row above.",
            ),
            (
                "hex\n. ..",
                "Line 2, column 4: this cell is out of step; cells stand two columns apart, and \
                 each row is shifted by one column against the row above.",
            ),
            (
                "hex\n.\t.",
                "Line 2, column 2: a tab may be of any width; place hexagonal cells with spaces.",
            ),
            (
                "hex\n. 1",
                "Line 2, column 3: '1' is no cell; a hexagonal drawing is made of ., o, # and \
                 spaces.",
            ),
        ];
        for (text, sentence) in cases {
            assert_eq!(error(text), sentence, "{text:?}");
        }
        assert!(error(&format!("0 {}", "9".repeat(500))).len() < 100);
    }

    #[test]
    fn too_large() {
        assert_eq!(
            error(&".\n".repeat(10_001)),
            "A drawing of 10001 lines is too large: a board has at most 10000 rows."
        );
        assert_eq!(
            error(&".".repeat(10_001)),
            "A board of 1 row and 10001 columns is too large: a side has at most 10000."
        );
        assert_eq!(
            error(&format!("hex\n.{}.", " ".repeat(20_001))),
            "A board of 1 row and 10002 columns is too large: a side has at most 10000."
        );
        let row = format!("{}\n", ".".repeat(2001));
        assert!(error(&row.repeat(2000)).ends_with("a board has at most 4000000 cells."));
    }

    /// A board and clues that fit on it.
    fn any_drawing() -> impl Strategy<Value = Drawing> {
        let clues = prop::collection::vec(any::<prop::sample::Index>(), 0..8);
        (any_board(), clues.clone(), clues).prop_map(|(board, cells, numbers)| {
            let mut clues = Vec::new();
            for (cell, number) in cells.iter().zip(numbers) {
                let number = number.index(board.len()) as u32 + 1;
                let cell = cell.index(board.len());
                if !clues.iter().any(|c: &Clue| c.cell == cell || c.number == number) {
                    clues.push(Clue { cell, number });
                }
            }
            clues.sort_unstable_by_key(|clue| clue.cell);
            if board.lattice() == Lattice::Hex {
                clues.clear();
            }
            Drawing { board, clues }
        })
    }

    proptest! {
        #[test]
        fn drawings_survive_as_text(drawing in any_drawing()) {
            let text = drawing.to_text();
            prop_assert_eq!(Drawing::parse(&text).unwrap(), drawing.clone(), "{}", text);
            let text = drawing.board.to_drawing();
            prop_assert_eq!(Drawing::parse(&text).unwrap().board, drawing.board, "{}", text);
            prop_assert!(text.ends_with('\n') && !text.contains(" \n"));
        }

        #[test]
        fn columns_with_large_clues_survive(rows in 10..30u32, blocked in 0..30usize) {
            let mut text = "#\n".repeat(blocked);
            text.push_str(&".\n".repeat(rows as usize));
            let board = drawing(&text).board;
            let drawing = Drawing { board, clues: vec![Clue { cell: 3, number: rows }] };
            prop_assert_eq!(Drawing::parse(&drawing.to_text()).unwrap(), drawing);
        }

        #[test]
        fn no_text_panics_and_what_is_read_survives(text in any_text()) {
            match Drawing::parse(&text) {
                Err(error) => prop_assert!(is_sentence(&error), "{}", error),
                Ok(drawing) => {
                    let again = Drawing::parse(&drawing.to_text()).unwrap();
                    prop_assert_eq!(again, drawing);
                }
            }
        }
    }
}
