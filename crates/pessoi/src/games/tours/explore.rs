//! Exploring: how a lone piece gets about the board.
//!
//! The states are the cells where the piece can stand. How far apart cells are bounds
//! where the numbers of a tour can be: i and j are at most |i − j| moves apart.

use pessoi_engine::explore::{ComponentsError, StateSpace, components, diameter, layers};
use pessoi_engine::run::Stopped;

use super::Asked;
use super::graph::MoveGraph;
use crate::answer::{Answer, Table, Value};
use crate::certificate::Certificate;
use crate::error::{Error, Result};

impl StateSpace for MoveGraph {
    type State = u32;

    fn starts(&self) -> impl Iterator<Item = u32> {
        0..self.len() as u32
    }

    fn moves(&self, from: &u32, offer: impl FnMut(u32)) {
        self.neighbours(*from).iter().copied().for_each(offer);
    }
}

/// Answers `explore`.
pub(super) fn explore(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let graph = &task.graph;
    let name = |cell: u32| task.board.cell(cell as usize).to_string();
    let counts = "moves between the cells farthest apart (the diameter)";
    let method = "breadth-first search from one cell of each symmetry class";
    let answer = |value| Answer::new(question, value, counts, method, run);

    let parts = match components(graph, run) {
        Ok(parts) => parts,
        Err(ComponentsError::Stopped(stop)) => {
            return Ok(answer(Value::GaveUp { why: stop.to_string() }));
        }
        Err(error @ ComponentsError::OneWay(_)) => {
            return Err(Error::internal(error.to_string()));
        }
    };
    let widest = match diameter(graph, representatives(asked), run) {
        Ok(Some(widest)) => widest,
        Ok(None) => return Err(Error::internal("a board without a cell")),
        Err(Stopped { why, so_far }) => {
            let known = so_far.map_or(0, |widest| widest.distance);
            return Ok(answer(Value::stopped(known, &why)));
        }
    };
    let from = question.cell("from", &task.board)?.map_or(widest.from, |cell| cell as u32);
    let found = match layers(graph, [from], run) {
        Ok(found) => found,
        Err(stopped) => return Ok(answer(Value::stopped(widest.distance, &stopped.why))),
    };

    let mut facts = Table::new("Where a piece can go", &["what", "value"]);
    let mut fact = |what: &str, value: String| facts.rows.push(vec![what.to_owned(), value]);
    fact("cells", parts.total().to_string());
    fact("cells without a move", parts.isolated().to_string());
    let sizes: Vec<String> = parts.joined().map(|part| part.size.to_string()).collect();
    fact("parts that hold together", sizes.len().to_string());
    fact("their cells", sizes.join(" "));
    fact("farthest apart", format!("{} and {}", name(widest.from), name(widest.to)));
    let mut by_distance =
        Table::new(&format!("Cells by distance from {}", name(from)), &["moves", "cells"]);
    by_distance.rows = (0..)
        .zip(found.sizes())
        .map(|(d, n): (u64, _)| vec![d.to_string(), n.to_string()])
        .collect();

    let mut answer = answer(Value::exact(widest.distance));
    answer.tables = vec![facts, by_distance];
    answer.cost.states = Some(run.progress().handled);
    let cell = |cell: u32| task.board.cell(cell as usize);
    answer.certificate =
        Some(Certificate::Antipodes { from: cell(widest.from), to: cell(widest.to) });
    Ok(answer)
}

/// One cell of each class up to the symmetries of the board: the others see the same.
fn representatives(asked: &Asked) -> Vec<u32> {
    let symmetries = asked.task.board.symmetries();
    let least = |cell: &u32| symmetries.iter().all(|g| g.permutation[*cell as usize] >= *cell);
    (0..asked.task.len() as u32).filter(least).collect()
}
