//! Heat maps: an analysis as a picture.
//!
//! With `--solutions`, cells are the darker the more solutions begin or end there, and moves
//! the stronger the more solutions use them. Without, cells show how many moves they have.

use super::profile::{ENDS, MOVES};
use crate::answer::{Answer, Table};
use crate::board::{Board, Cell, Picture};
use crate::error::{Error, Result};
use crate::question::Place;

use super::task::Task;

/// The picture of an answer to `analyze`.
pub(super) fn map(answer: &Answer, leapers: &[(i32, i32)]) -> Result<String> {
    let Place::Board(drawing) = &answer.question.place else {
        return Err(Error::internal("an analysis without a board"));
    };
    let board = &drawing.board;
    let table = |title: &str| answer.tables.iter().find(|table| table.title == title);
    let Some(moves) = table(MOVES) else {
        let task = Task::new(&answer.question, leapers)?;
        let degree = |cell: usize| task.graph.degree(cell as u32);
        let most = (0..task.len()).map(degree).max().unwrap_or(1).max(1) as f64;
        let title = format!("{}: moves of each cell", answer.question.game);
        return Ok(Picture::new(board)
            .title(&title)
            .shade(|cell| Some(degree(cell) as f64 / most))
            .labels(|cell| Some(degree(cell).to_string()))
            .to_svg());
    };
    let lines = rows(moves, board, 2)?;
    let most = lines.iter().map(|(_, used)| *used).fold(1.0, f64::max);
    let lines: Vec<_> =
        lines.iter().map(|(cells, used)| (cells[0], cells[1], used / most)).collect();
    let mut ends = vec![0.0; board.len()];
    if let Some(table) = table(ENDS) {
        for (cells, first) in rows(table, board, 1)? {
            ends[cells[0]] = first;
        }
    }
    let most = ends.iter().copied().fold(0.0, f64::max);
    let least = ends.iter().copied().fold(most, f64::min);
    let spread = (most - least).max(1.0);
    let title = format!("{}: where solutions end and which moves they use", answer.question.game);
    Ok(Picture::new(board)
        .title(&title)
        .shade(|cell| Some((ends[cell] - least) / spread))
        .lines(&lines)
        .to_svg())
}

/// The rows of a table: so many cells, then a number.
fn rows(table: &Table, board: &Board, cells: usize) -> Result<Vec<(Vec<usize>, f64)>> {
    let wrong = || Error::input(format!("The table {:?} cannot be read.", table.title));
    let read = |row: &Vec<String>| {
        let places = row.iter().take(cells).map(|name| board.index(name.parse::<Cell>().ok()?));
        let places: Option<Vec<usize>> = places.collect();
        Some((places.filter(|p| p.len() == cells)?, row.get(cells)?.parse().ok()?))
    };
    table.rows.iter().map(|row| read(row).ok_or_else(wrong)).collect()
}
