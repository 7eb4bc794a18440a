//! A case: a board and what a tour of it must be, as one line of text.
//!
//! ```text
//! knight-tours closed ..#./..../.#.. from 1,1 to 3,4 clue 7 2,2
//! ```
//!
//! The rows of the board are joined by `/`; `.` is a cell and `#` is none. Two cases are *images*
//! of each other if a turn or a mirror image makes one into the other, or if they differ only
//! in empty rows and columns around the board; an open tour may also be read backwards. All images
//! of a case have the same **canonical form**, which is how boards are kept from being both
//! learned from and judged by.

use std::fmt;

use pessoi::board::{Board, Cell, Clue, Drawing, Lattice};
use pessoi::{Error, Place, Question, Result, Verb};

/// A board and what a tour of it must be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// The game's name.
    pub game: String,
    /// Whether the tour is closed.
    pub closed: bool,
    /// Rows of the frame.
    pub rows: usize,
    /// Columns of the frame.
    pub cols: usize,
    /// For each place of the frame, row by row: whether it is a cell.
    pub cells: Vec<bool>,
    /// The place of the number 1.
    pub from: Option<usize>,
    /// The place of the last number.
    pub to: Option<usize>,
    /// Further numbers and their places.
    pub clues: Vec<(u32, usize)>,
}

impl Case {
    /// A full board with nothing fixed.
    pub fn full(game: &str, closed: bool, rows: usize, cols: usize) -> Case {
        let cells = vec![true; rows * cols];
        let game = game.to_owned();
        Case { game, closed, rows, cols, cells, from: None, to: None, clues: Vec::new() }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.cells.iter().filter(|&&cell| cell).count()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The share of the frame that is blocked.
    pub fn density(&self) -> f64 {
        1.0 - self.len() as f64 / self.cells.len() as f64
    }

    /// The question about it.
    pub fn question(&self, verb: Verb) -> Result<Question> {
        let board = Board::from_mask(Lattice::Square, self.rows, self.cols, |row, col| {
            self.cells[row * self.cols + col]
        })?;
        let mut clues = Vec::new();
        for &(number, place) in &self.clues {
            let Some(cell) = board.index(self.cell(place)) else {
                return Err(Error::place(format!("The clue {number} is on a blocked cell.")));
            };
            clues.push(Clue { cell, number });
        }
        clues.sort_by_key(|clue| clue.cell);
        let place = Place::Board(Drawing { board, clues });
        let options = std::collections::BTreeMap::new();
        let mut question = Question { verb, game: self.game.clone(), place, options };
        if self.closed {
            question = question.with("closed", true);
        }
        for (name, place) in [("from", self.from), ("to", self.to)] {
            if let Some(place) = place {
                question = question.with(name, &*self.cell(place).to_string());
            }
        }
        Ok(question)
    }

    fn cell(&self, place: usize) -> Cell {
        Cell { row: (place / self.cols) as i32, col: (place % self.cols) as i32 }
    }

    /// Reads a line.
    pub fn parse(line: &str) -> Result<Case> {
        let bad = |why: &str| Error::place(format!("The case {line:?} is not accepted: {why}."));
        let mut words = line.split(' ');
        let game = words.next().unwrap_or_default().to_owned();
        let closed = match words.next() {
            Some("closed") => true,
            Some("open") => false,
            _ => return Err(bad("after the game comes open or closed")),
        };
        let rows: Vec<&str> = words.next().unwrap_or_default().split('/').collect();
        let cols = rows[0].len();
        if cols == 0
            || rows
                .iter()
                .any(|row| row.len() != cols || row.bytes().any(|b| b != b'.' && b != b'#'))
        {
            return Err(bad("rows of equal length made of . and # are joined by /"));
        }
        let cells = rows.iter().flat_map(|row| row.bytes()).map(|byte| byte == b'.').collect();
        let mut case = Case { cells, rows: rows.len(), ..Case::full(&game, closed, 0, 0) };
        case.cols = cols;
        let place = |text: Option<&str>| {
            let (row, col) = text?.split_once(',')?;
            let (row, col): (usize, usize) = (row.parse().ok()?, col.parse().ok()?);
            let inside = (1..=rows.len()).contains(&row) && (1..=cols).contains(&col);
            inside.then(|| (row - 1) * cols + col - 1)
        };
        while let Some(word) = words.next() {
            let found = match word {
                "from" => place(words.next()).map(|place| case.from = Some(place)),
                "to" => place(words.next()).map(|place| case.to = Some(place)),
                "clue" => {
                    let number = words.next().and_then(|number| number.parse().ok());
                    number.zip(place(words.next())).map(|clue| case.clues.push(clue))
                }
                _ => None,
            };
            found.ok_or_else(|| bad("after the board come from, to and clue with their cells"))?;
        }
        Ok(case)
    }

    /// The least of all images.
    #[must_use]
    pub fn canonical(&self) -> Case {
        let images = (0..8).map(|which| self.image(which));
        let mut least: Option<Case> = None;
        for image in images {
            let backwards = (!image.closed).then(|| image.backwards());
            for form in [Some(image), backwards].into_iter().flatten() {
                if least.as_ref().is_none_or(|least| form < *least) {
                    least = Some(form);
                }
            }
        }
        least.unwrap_or_else(|| self.clone())
    }

    /// The tours read from their other end.
    fn backwards(&self) -> Case {
        let last = self.len() as u32 + 1;
        let mut clues: Vec<_> =
            self.clues.iter().map(|&(n, at)| (last - n.min(last), at)).collect();
        clues.sort_unstable();
        Case { from: self.to, to: self.from, clues, ..self.clone() }
    }

    /// One of eight turns and mirror images, without empty rows and columns around it.
    fn image(&self, which: usize) -> Case {
        let (rows, cols) = (self.rows as i64, self.cols as i64);
        let turn = |place: usize| {
            let (mut row, mut col) = ((place / self.cols) as i64, (place % self.cols) as i64);
            if which & 1 != 0 {
                row = rows - 1 - row;
            }
            if which & 2 != 0 {
                col = cols - 1 - col;
            }
            if which & 4 != 0 { (col, row) } else { (row, col) }
        };
        let places: Vec<(i64, i64)> =
            (0..self.cells.len()).filter(|&place| self.cells[place]).map(turn).collect();
        let least = |side: fn(&(i64, i64)) -> i64| places.iter().map(side).min().unwrap_or(0);
        let most = |side: fn(&(i64, i64)) -> i64| places.iter().map(side).max().unwrap_or(0);
        let (top, left) = (least(|place| place.0), least(|place| place.1));
        let height = (most(|place| place.0) - top + 1) as usize;
        let width = (most(|place| place.1) - left + 1) as usize;
        let shift = |(row, col): (i64, i64)| (row - top) as usize * width + (col - left) as usize;
        let mut cells = vec![false; height * width];
        for &place in &places {
            cells[shift(place)] = true;
        }
        let mut clues: Vec<_> = self.clues.iter().map(|&(n, at)| (n, shift(turn(at)))).collect();
        clues.sort_unstable();
        Case {
            game: self.game.clone(),
            closed: self.closed,
            rows: height,
            cols: width,
            cells,
            from: self.from.map(|place| shift(turn(place))),
            to: self.to.map(|place| shift(turn(place))),
            clues,
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.closed { "closed" } else { "open" };
        write!(f, "{} {kind} ", self.game)?;
        for (number, row) in self.cells.chunks(self.cols.max(1)).enumerate() {
            if number > 0 {
                f.write_str("/")?;
            }
            for &cell in row {
                f.write_str(if cell { "." } else { "#" })?;
            }
        }
        for (name, place) in [("from", self.from), ("to", self.to)] {
            if let Some(place) = place {
                write!(f, " {name} {}", self.cell(place))?;
            }
        }
        for &(number, place) in &self.clues {
            write!(f, " clue {number} {}", self.cell(place))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back_and_images_have_one_canonical_form() {
        let line = "knight-tours open ..#./..../.#.. from 1,1 to 3,4 clue 7 2,2";
        let case = Case::parse(line).unwrap();
        assert_eq!(case.to_string(), line);
        assert_eq!((case.len(), case.rows, case.cols), (10, 3, 4));
        for which in 0..8 {
            assert_eq!(case.image(which).canonical(), case.canonical());
        }
        assert_eq!(case.backwards().canonical(), case.canonical());
        let framed = "knight-tours open #####/#..#./#..../#.#.. from 2,2 to 4,5 clue 7 3,3";
        assert_eq!(Case::parse(framed).unwrap().canonical(), case.canonical());
        let other = Case::parse("knight-tours open ..#./..../#... from 1,1 to 3,4 clue 7 2,2");
        assert_ne!(other.unwrap().canonical(), case.canonical());
        for bad in ["", "x", "x open", "x open ../.", "x open .. from 9,9", "x open .. here 1,1"] {
            assert!(Case::parse(bad).is_err(), "{bad}");
        }
    }
}
