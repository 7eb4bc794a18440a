//! Tours by pairings: how a board is read in two halves.
//!
//! The cells are read row by row or column by column. A symmetry of the board that swaps early
//! and late cells saves reading the second half: a reflection where the number of rows is even,
//! half a turn on any rectangle. Of all these ways the one with the shortest border is taken;
//! the number of borders grows by a factor of two to three with each cell of it.
//!
//! Tours that a symmetry keeps are those of a smaller graph, which the engine makes; its vertices are
//! read in the order of cells too.

use pessoi_engine::pairings::{Ends, Kept, Refused, Tours};

use super::border::columns;
use super::task::Task;
use crate::error::{Error, Result};

/// Up to so many cells the neighbours of all are looked at.
const MOST_CELLS: usize = 10_000;

/// The tours of a task in two halves, or why they cannot be counted this way.
pub(super) fn tours(task: &Task) -> Result<Tours> {
    check(task)?;
    let ends = match (task.closed, task.cell_of(1), task.cell_of(task.len())) {
        (true, ..) => Ends::Closed,
        (_, None, None) => Ends::Free,
        (_, Some(end), None) | (_, None, Some(end)) => Ends::From(end),
        (_, Some(first), Some(last)) => Ends::Between(first, last),
    };
    let graph = graph(task);
    let symmetries = task.board.symmetries();
    let mut best: Option<Tours> = None;
    for order in orders(task) {
        // Of two ways that are alike the first is taken: reflections, which come last, have a
        // third fewer borders than half a turn.
        for symmetry in symmetries[1..].iter().rev().map(Some).chain([None]) {
            let swap = symmetry.map(|symmetry| symmetry.permutation.as_slice());
            // What is no symmetry of these ends, or swaps nothing, is refused.
            let Ok(tours) = Tours::new(&graph, ends, &order, swap) else { continue };
            let cost =
                |tours: &Tours| (tours.slots(), !tours.is_swapped(), tours.joined(), tours.steps());
            if best.as_ref().is_none_or(|best| cost(&tours) < cost(best)) {
                best = Some(tours);
            }
        }
    }
    best.ok_or_else(|| wide(task))
}

/// The tours of a task with nothing fixed that a symmetry keeps, an image for each cell; or why
/// they cannot be counted this way.
pub(super) fn kept(task: &Task, images: &[u32]) -> Result<Kept> {
    check(task)?;
    let graph = graph(task);
    let ways = orders(task).into_iter().map(|order| Kept::new(&graph, images, task.closed, &order));
    ways.flatten().min_by_key(Kept::slots).ok_or_else(|| wide(task))
}

/// Refuses what cannot be counted this way however it is read.
fn check(task: &Task) -> Result<()> {
    if task.has_inner_clues() || (task.closed && task.is_numbered()) {
        return Err(Error::place(
            "Pairings cannot follow clues, which say when a cell is visited.",
        ));
    }
    if task.len() < 3 {
        return Err(Error::place("Pairings need a board of at least three cells."));
    }
    if task.len() > MOST_CELLS {
        return Err(Error::unsupported(
            "place",
            format!(
                "Pairings take boards of up to {MOST_CELLS} cells; {} has {}.",
                task.board.name(),
                task.len()
            ),
        ));
    }
    Ok(())
}

fn wide(task: &Task) -> Error {
    Error::unsupported(
        "place",
        format!("{} is too wide for pairings: {}.", task.board.name(), Refused::Wide),
    )
}

fn graph(task: &Task) -> Vec<Vec<u32>> {
    (0..task.len() as u32).map(|cell| task.graph.neighbours(cell).to_vec()).collect()
}

/// The orders in which cells may be read: row by row, and column by column.
fn orders(task: &Task) -> [Vec<u32>; 2] {
    [(0..task.len() as u32).collect(), columns(task)]
}
