//! Proofs that there is no tour, found by looking at the board.
//!
//! Each comes with a certificate that the checker can follow by itself.

use serde::{Deserialize, Serialize};

use super::task::Task;
use crate::board::Cell;
use crate::certificate::Certificate;

/// The kind of certificate that names cells with too few neighbours.
pub(super) const TOO_FEW_NEIGHBOURS: &str = "too-few-neighbours";
/// The kind of certificate that names a part of the board which no move leaves.
pub(super) const SEPARATE: &str = "separate";
/// The kind of certificate that names the cells of one colour.
pub(super) const COLOURS: &str = "colours";
/// The kind of certificate that names a cell without which the board falls apart.
pub(super) const CUT_CELL: &str = "cut-cell";

/// Some cells, for all kinds but the last.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cells {
    pub(super) cells: Vec<Cell>,
}

/// One cell.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CutCell {
    pub(super) cell: Cell,
}

/// A proof in a sentence, and what lets it be checked.
pub(super) struct Proof {
    pub(super) sentence: String,
    pub(super) certificate: Certificate,
}

/// A proof that no tour exists, if one of the simple ones applies.
pub(super) fn none(task: &Task) -> Option<Proof> {
    too_small(task)
        .or_else(|| separate(task))
        .or_else(|| too_few(task))
        .or_else(|| colours(task))
        .or_else(|| cut_cell(task))
}

fn cells(task: &Task, of: impl IntoIterator<Item = u32>) -> Vec<Cell> {
    of.into_iter().map(|cell| task.board.cell(cell as usize)).collect()
}

fn named(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

fn too_small(task: &Task) -> Option<Proof> {
    (task.closed && task.len() < 3).then(|| Proof {
        sentence: "a closed path needs at least three cells".into(),
        certificate: Certificate::own(
            TOO_FEW_NEIGHBOURS,
            &Cells { cells: cells(task, 0..task.len() as u32) },
        ),
    })
}

fn separate(task: &Task) -> Option<Proof> {
    let parts = task.graph.parts();
    let smallest = parts.last().filter(|_| parts.len() > 1)?;
    let part = cells(task, smallest.iter().copied());
    Some(Proof {
        sentence: match &part[..] {
            [cell] => format!("no move leads to the cell {cell}"),
            many => format!(
                "no move leads from the {} cells around {} to the rest of the board",
                many.len(),
                many[0]
            ),
        },
        certificate: Certificate::own(SEPARATE, &Cells { cells: part }),
    })
}

/// An inner cell of a path needs two neighbours, an end one.
fn too_few(task: &Task) -> Option<Proof> {
    if task.len() < 2 {
        return None;
    }
    let is_end = |cell: &u32| {
        !task.closed && [1, task.len()].iter().any(|&number| task.cell_of(number) == Some(*cell))
    };
    let poor: Vec<u32> = (0..task.len() as u32)
        .filter(|&cell| task.graph.degree(cell) < 2)
        .filter(|cell| !is_end(cell))
        .collect();
    let given = [1, task.len()].iter().filter(|&&number| task.cell_of(number).is_some()).count();
    let free_ends = if task.closed { 0 } else { 2 - given };
    (poor.len() > free_ends).then(|| {
        let witnesses = cells(task, poor[..=free_ends].iter().copied());
        Proof {
            sentence: format!(
                "{} {} fewer than two neighbours each, but only {free_ends} such cells can be \
                 ends of the path",
                named(&witnesses),
                if witnesses.len() == 1 { "has" } else { "have" }
            ),
            certificate: Certificate::own(TOO_FEW_NEIGHBOURS, &Cells { cells: witnesses }),
        }
    })
}

/// Boards with many cut cells are not looked at cell by cell: this many steps at most.
const MOST_STEPS: usize = 50_000_000;

/// A path passes a cell once, so it joins two of the parts that are left without it at
/// most; a closed path joins none.
fn cut_cell(task: &Task) -> Option<Proof> {
    let most = if task.closed { 1 } else { 2 };
    let cuts = task.graph.cut_cells();
    let looked_at = MOST_STEPS / task.len().max(1);
    let cell =
        cuts.into_iter().take(looked_at).find(|&cell| task.graph.parts_without(cell) > most)?;
    let parts = task.graph.parts_without(cell);
    let cell = task.board.cell(cell as usize);
    Some(Proof {
        sentence: format!(
            "without the cell {cell} the board falls into {parts} parts, and a path passes it once"
        ),
        certificate: Certificate::own(CUT_CELL, &CutCell { cell }),
    })
}

/// Where moves change the colour, the numbers alternate in colour.
fn colours(task: &Task) -> Option<Proof> {
    let colour = task.graph.colours()?;
    let dark: Vec<u32> = (0..task.len() as u32).filter(|&cell| colour[cell as usize]).collect();
    let (dark_count, light_count) = (dark.len(), task.len() - dark.len());
    let proof = |sentence: String| {
        let cells = cells(task, dark.iter().copied());
        let certificate = Certificate::own(COLOURS, &Cells { cells });
        Some(Proof { sentence, certificate })
    };
    let apart = dark_count.abs_diff(light_count);
    if apart > 1 || (task.closed && apart > 0) {
        return proof(format!(
            "every move changes the colour of the cell, and there are {dark_count} cells of one \
             colour and {light_count} of the other"
        ));
    }
    // The colour of the number 1, from the board and from each fixed number.
    let mut first = match dark_count.cmp(&light_count) {
        std::cmp::Ordering::Equal => None,
        more => Some(more == std::cmp::Ordering::Greater),
    };
    // The number that gave it away, if the board does not.
    let mut before: Option<(usize, Cell)> = None;
    for number in 1..=task.len() {
        let Some(cell) = task.cell_of(number) else { continue };
        let implied = colour[cell as usize] ^ number.is_multiple_of(2);
        let here = task.board.cell(cell as usize);
        if first.is_some_and(|first| first != implied) {
            let from = before.map(|(number, cell)| format!(", since {number} is at {cell}"));
            return proof(format!(
                "every move changes the colour of the cell, and the cell {here} has the wrong \
                 colour for the number {number}{}",
                from.unwrap_or_default()
            ));
        }
        if first.is_none() {
            before = Some((number, here));
        }
        first = Some(implied);
    }
    None
}
