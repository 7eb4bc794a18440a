//! Heat maps: an analysis as a picture.
//!
//! With `--solutions`, cells are the darker the more solutions begin or end there, and moves
//! the stronger the more solutions use them. Without, cells show how many moves they have.

use super::options::MOVES;
use super::profile::{ENDS, USED};
use crate::answer::Answer;
use crate::board::{Board, Legend, Picture};
use crate::error::{Error, Result};
use crate::export::{Page, thousands};
use crate::job::Deaf;
use crate::label::heading;
use crate::question::{Question, Verb};
use crate::table::{Datum, Table};

/// The picture of an answer to `analyze`; nothing if its work was stopped before there was
/// anything to show.
pub(super) fn map<'a>(answer: &'a Answer, page: &Page) -> Result<Option<Picture<'a>>> {
    let board = answer.question.board()?;
    let place = heading(&answer.question);
    let Some(used) = answer.table(USED) else {
        let Some(degrees) = degrees(&answer.question, page)? else { return Ok(None) };
        let most = degrees.iter().copied().max().unwrap_or(1).max(1);
        let legend = Legend {
            cells: "moves of each cell".into(),
            between: ("0".into(), most.to_string()),
            lines: None,
        };
        let picture = Picture::new(board)
            .title(&format!("{place}: moves of each cell"))
            .shade(|cell| Some(f64::from(degrees[cell]) / f64::from(most)))
            .labels(|cell| Some(degrees[cell].to_string()))
            .legend(legend);
        return Ok(Some(picture));
    };
    let lines = rows(used, board, &["from", "to"], "solutions")?;
    let most_used = lines.iter().map(|(_, used)| *used).fold(1.0, f64::max);
    let lines: Vec<_> =
        lines.iter().map(|(cells, used)| (cells[0], cells[1], used / most_used)).collect();
    let mut ends = vec![0.0; board.len()];
    if let Some(table) = answer.table(ENDS) {
        for (cells, first) in rows(table, board, &["cell"], "first")? {
            ends[cells[0]] = first;
        }
    }
    let most = ends.iter().copied().fold(0.0, f64::max);
    let least = ends.iter().copied().fold(most, f64::min);
    let spread = (most - least).max(1.0);
    let in_words = |number: f64| thousands(number.round() as u64);
    let legend = Legend {
        cells: "solutions that begin or end at a cell".into(),
        between: (in_words(least), in_words(most)),
        lines: Some(format!("solutions that use a move: up to {}", in_words(most_used))),
    };
    let picture = Picture::new(board)
        .title(&format!("{place}: where solutions end and which moves they use"))
        .shade(|cell| Some((ends[cell] - least) / spread))
        .lines(&lines)
        .legend(legend);
    Ok(Some(picture))
}

/// The number of moves of each cell: the game is asked for its move graph.
fn degrees(question: &Question, page: &Page) -> Result<Option<Vec<u32>>> {
    let mut export = Question { verb: Verb::Export, ..question.clone() };
    export.options.retain(|name, _| name == MOVES.name);
    let graph = page.game.job(&export)?.answer(page.run, &mut Deaf)?.graph;
    Ok(graph.map(|graph| {
        let mut degrees = vec![0; graph.nodes.len()];
        for (a, b) in graph.edges {
            degrees[a as usize] += 1;
            degrees[b as usize] += 1;
        }
        degrees
    }))
}

/// The rows of a table: some cells, and a number.
fn rows(
    table: &Table,
    board: &Board,
    cells: &[&str],
    number: &str,
) -> Result<Vec<(Vec<usize>, f64)>> {
    let wrong = || Error::input(format!("The table {:?} cannot be drawn.", table.id));
    let columns: Option<Vec<usize>> = cells.iter().map(|id| table.column(id)).collect();
    let (columns, number) = columns.zip(table.column(number)).ok_or_else(wrong)?;
    let index = |datum: &Datum| match datum {
        Datum::Cell(cell) => board.index(*cell),
        _ => None,
    };
    let read = |row: &Vec<Datum>| {
        let places: Option<Vec<usize>> = columns.iter().map(|&at| index(&row[at])).collect();
        Some((places?, row[number].as_f64()?))
    };
    table.rows.iter().map(|row| read(row).ok_or_else(wrong)).collect()
}
