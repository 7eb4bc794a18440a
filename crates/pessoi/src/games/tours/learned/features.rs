//! Features: what a board looks like, as numbers.
//!
//! None of them takes a search. All are shares, counts that small boards and large ones have in
//! common, or logarithms, because models are asked about boards larger than those they saw.
//!
//! **Forced** moves are those that follow at once: a cell with as many moves left as it needs
//! takes them all, and a cell that has what it needs loses the others. Where the ends of an open
//! tour are free nothing is forced, since any cell may be an end.

use super::super::supply;
use super::super::task::Task;
use crate::board::Cell;

/// The names of the features.
pub const FEATURES: &[&str] = &[
    "log-cells",
    "blocked",
    "closed",
    "fixed-ends",
    "alternates",
    "mean-moves",
    "cells-of-1",
    "cells-of-2",
    "cells-of-3",
    "cells-of-4",
    "log-cells-of-2",
    "busy",
    "crowded",
    "log-cut-cells",
    "forced",
    "contradictions",
    "shortage",
];

/// The features of a board.
pub(in crate::games::tours) fn of(task: &Task) -> Vec<f64> {
    let n = task.len();
    let cells = 0..n as u32;
    let graph = &task.graph;
    let share = |number: usize| number as f64 / n as f64;
    // Empty rows and columns around the board are no part of it.
    let side = |of: fn(Cell) -> i32| {
        let at = || (0..n).map(|cell| of(task.board.cell(cell)));
        at().max().zip(at().min()).map_or(0, |(most, least)| most - least + 1)
    };
    let frame = f64::from(side(|cell| cell.row)) * f64::from(side(|cell| cell.col));
    let with_degree = |degree: usize| cells.clone().filter(|&c| graph.degree(c) == degree).count();
    let moves: usize = cells.clone().map(|cell| graph.degree(cell)).sum();
    let ends = [task.cell_of(1), task.cell_of(n)].iter().filter(|end| end.is_some()).count();
    // Neighbours that need the cell, because they have two moves at most.
    let needing =
        |cell: u32| graph.neighbours(cell).iter().filter(|&&near| graph.degree(near) <= 2).count();
    let busy = cells.clone().filter(|&cell| needing(cell) == 2).count();
    let crowded: usize = cells.clone().map(|cell| needing(cell).saturating_sub(2)).sum();
    let (forced, contradictions) = forced(task);
    vec![
        (n as f64).ln(),
        1.0 - n as f64 / frame,
        f64::from(u8::from(task.closed)),
        ends as f64,
        f64::from(u8::from(graph.colours().is_some())),
        moves as f64 / n as f64,
        share(with_degree(0) + with_degree(1)),
        share(with_degree(2)),
        share(with_degree(3)),
        share(with_degree(4)),
        (with_degree(2) as f64).ln_1p(),
        share(busy),
        crowded as f64,
        (graph.cut_cells().len() as f64).ln_1p(),
        share(forced),
        contradictions as f64,
        supply::supply(task).shortage as f64,
    ]
}

/// How many moves are forced, and how often that contradicts itself.
fn forced(task: &Task) -> (usize, usize) {
    let n = task.len();
    let ends = [task.cell_of(1), task.cell_of(n)];
    if !task.closed && ends.contains(&None) {
        return (0, 0);
    }
    let need = |cell: u32| if !task.closed && ends.contains(&Some(cell)) { 1 } else { 2 };
    let mut left: Vec<Vec<u32>> =
        (0..n as u32).map(|cell| task.graph.neighbours(cell).to_vec()).collect();
    let mut taken: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut queue: Vec<u32> = (0..n as u32).collect();
    let (mut forced, mut contradictions) = (0, 0);
    while let Some(cell) = queue.pop() {
        let c = cell as usize;
        if taken[c].len() >= need(cell) {
            contradictions += usize::from(taken[c].len() > need(cell));
            for other in std::mem::take(&mut left[c]) {
                left[other as usize].retain(|&to| to != cell);
                queue.push(other);
            }
        } else if taken[c].len() + left[c].len() <= need(cell) && !left[c].is_empty() {
            for other in std::mem::take(&mut left[c]) {
                forced += 1;
                taken[c].push(other);
                taken[other as usize].push(cell);
                left[other as usize].retain(|&to| to != cell);
                queue.push(other);
            }
        }
    }
    let short = (0..n).filter(|&c| taken[c].len() + left[c].len() < need(c as u32)).count();
    (forced, contradictions + short)
}
