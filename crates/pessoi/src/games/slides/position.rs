//! Configurations: which tile lies where.
//!
//! As text a configuration is rows of words, each row a line or parted from the next by a
//! slash: the number of the tile on each cell, and `.` (or `0`) for a hole. Places that
//! are no cell are left out or written `#`; a first line `hex` or `square` may stand there
//! as in drawings. So `1 2 3/4 5 6/7 . .` is a configuration of `P3x3` and of `3x3`.

use pessoi_engine::records::Words;

use super::rule::{Cells, Puzzle, bit};
use crate::board::picture::grid;
use crate::board::{Cell, Lattice};
use crate::card::Opt;
use crate::error::{Error, Result};
use crate::question::Question;
use crate::solution::{Figure, Move, Solution};

/// The tile on each cell, in the order of the cells; 0 for a hole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position(pub(super) Box<[u8]>);

impl Words for Position {
    fn put(&self, words: &mut Vec<u64>) {
        self.0.put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        Words::take(words).map(Position)
    }
}

impl Position {
    /// The tiles in order around some holes.
    pub(super) fn home(cells: usize, holes: Cells) -> Position {
        let tiles: Vec<u8> = (1..).take(cells - holes.count_ones() as usize).collect();
        Position::new(cells, holes, &tiles)
    }

    /// Some tiles in order around some holes.
    pub(super) fn new(cells: usize, holes: Cells, tiles: &[u8]) -> Position {
        let mut tiles = tiles.iter().copied();
        let tile = |cell| if holes & bit(cell) == 0 { tiles.next().unwrap_or_default() } else { 0 };
        Position((0..cells).map(tile).collect())
    }

    pub(super) fn holes(&self) -> Cells {
        let cells = self.0.iter().enumerate();
        cells.filter(|(_, tile)| **tile == 0).fold(0, |set, (cell, _)| set | bit(cell))
    }

    /// The tiles in the order of their cells.
    pub(super) fn tiles(&self) -> Vec<u8> {
        self.0.iter().copied().filter(|&tile| tile != 0).collect()
    }

    /// The configuration after the tile on one cell has slid to another.
    pub(super) fn after(&self, from: u8, to: u8) -> Position {
        let mut next = self.clone();
        next.0.swap(from as usize, to as usize);
        next
    }

    /// Reads the configuration that an option gives.
    pub(super) fn given(
        question: &Question,
        opt: &Opt,
        puzzle: &Puzzle,
    ) -> Result<Option<Position>> {
        let Some(text) = question.text(opt) else { return Ok(None) };
        match Position::parse(text, puzzle) {
            Ok(position) => Ok(Some(position)),
            Err(what) => Err(Error::option(
                opt.name,
                format!(
                    "--{}: {what}; write the tile on each cell and . for holes, row by row, with \
                     / between rows, such as 1 2 3/4 5 6/7 . .",
                    opt.name
                ),
            )),
        }
    }

    /// Reads a configuration of a board, or says what is wrong with it. The tiles must be 1,
    /// 2, 3 …, each once.
    pub(super) fn parse(text: &str, puzzle: &Puzzle) -> Result<Position, String> {
        let wrong = |what: String| Err(what);
        let board = &puzzle.board;
        let mut rows: Vec<&str> =
            text.split(['\n', '/']).map(str::trim).filter(|row| !row.is_empty()).collect();
        if let Some(&lattice @ ("hex" | "square")) = rows.first() {
            if (lattice == "hex") != (board.lattice() == Lattice::Hex) {
                return wrong(format!("this is a {lattice} drawing, and {} is not", board.name()));
            }
            rows.remove(0);
        }
        let cells_in = |row: i32| board.cells().iter().filter(move |cell| cell.row == row).count();
        let drawn: Vec<usize> =
            (0..board.rows() as i32).map(cells_in).filter(|&cells| cells > 0).collect();
        let words = |row: &str| -> Vec<String> {
            let words = row.split(|c: char| c.is_whitespace() || c == ',');
            words.filter(|word| !word.is_empty() && *word != "#").map(str::to_owned).collect()
        };
        let rows: Vec<Vec<String>> =
            rows.into_iter().map(words).filter(|row| !row.is_empty()).collect();
        if rows.len() != drawn.len() {
            return wrong(format!(
                "{} has {} rows, and {} are given",
                board.name(),
                drawn.len(),
                rows.len()
            ));
        }
        let mut tiles = Vec::new();
        for (number, (row, &cells)) in (1..).zip(rows.iter().zip(&drawn)) {
            if row.len() != cells {
                return wrong(format!(
                    "row {number} of {} has {cells} cells, and {} are given",
                    board.name(),
                    row.len()
                ));
            }
            for word in row {
                let tile = match &**word {
                    "." | "0" | "_" => Some(0),
                    word => word.parse::<u8>().ok().filter(|&tile| (tile as usize) < board.len()),
                };
                let Some(tile) = tile else {
                    let shown: String = word.chars().take(20).collect();
                    return wrong(format!(
                        "{shown:?} is no tile of {}, whose tiles are numbers below {}",
                        board.name(),
                        board.len()
                    ));
                };
                tiles.push(tile);
            }
        }
        let mut sorted: Vec<u8> = tiles.iter().copied().filter(|&tile| tile != 0).collect();
        sorted.sort_unstable();
        for (expected, tile) in (1..).zip(&sorted) {
            if *tile != expected {
                let what = if *tile < expected { "comes twice" } else { "is missing" };
                let which = expected.min(*tile);
                return wrong(format!(
                    "the tile {which} {what}; the tiles are 1 to {}, each once",
                    sorted.len()
                ));
            }
        }
        if sorted.is_empty() {
            return wrong("there is no tile".to_owned());
        }
        Ok(Position(tiles.into()))
    }

    /// The configuration in one line, which [`Position::parse`] reads back.
    pub(super) fn line(&self, puzzle: &Puzzle) -> String {
        let mut text = String::new();
        let mut row = None;
        for (cell, &tile) in puzzle.board.cells().iter().zip(&self.0) {
            let gap = match row {
                None => "",
                Some(before) if before == cell.row => " ",
                Some(_) => "/",
            };
            text += gap;
            text += &word(tile);
            row = Some(cell.row);
        }
        text
    }

    /// The configuration as rows of text, shaped like the board, which
    /// [`Position::parse`] reads back.
    pub(super) fn drawing(&self, puzzle: &Puzzle) -> String {
        let text = grid(&puzzle.board, |cell| Some(word(self.0[cell])));
        // Every line of a hexagonal board keeps its shift, and none is empty.
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines.join("\n") + "\n"
    }

    /// The tile that slides to make another configuration, and its cells.
    pub(super) fn slide_to(&self, next: &Position, puzzle: &Puzzle) -> Option<(u8, Cell, Cell)> {
        let differs = |cell: &usize| self.0[*cell] != next.0[*cell];
        let mut cells = (0..puzzle.len()).filter(differs);
        let (a, b) = (cells.next()?, cells.next()?);
        let (from, to) = if self.0[a] == 0 { (b, a) } else { (a, b) };
        Some((self.0[from], puzzle.board.cell(from), puzzle.board.cell(to)))
    }
}

/// Configurations, each one slide from the one before.
pub(super) fn figure(way: &[Position], puzzle: &Puzzle) -> Solution {
    let step = |pair: &[Position]| {
        let (tile, from, to) = pair[0].slide_to(&pair[1], puzzle)?;
        let direction = direction(puzzle.board.lattice(), from, to).map(str::to_owned);
        Some(Move { piece: tile.to_string(), from: Some(from), to: Some(to), direction })
    };
    let drawings = way.iter().map(|position| position.drawing(puzzle)).collect();
    let moves = way.windows(2).filter_map(step).collect();
    Figure::Positions { drawings, moves, closed: false }.into()
}

/// Which way it is from a cell to a neighbour. Rows of a hexagonal board are shifted by half a
/// cell to the right going down.
pub(super) fn direction(lattice: Lattice, from: Cell, to: Cell) -> Option<&'static str> {
    Some(match (lattice, to.row - from.row, to.col - from.col) {
        (_, 0, -1) => "left",
        (_, 0, 1) => "right",
        (Lattice::Square, -1, 0) => "up",
        (Lattice::Square, 1, 0) => "down",
        (Lattice::Hex, -1, 0) => "up-left",
        (Lattice::Hex, -1, 1) => "up-right",
        (Lattice::Hex, 1, -1) => "down-left",
        (Lattice::Hex, 1, 0) => "down-right",
        _ => return None,
    })
}

fn word(tile: u8) -> String {
    if tile == 0 { ".".to_owned() } else { tile.to_string() }
}
