//! `export`: the game graph for other programs.

use super::methods::INSPECTION;
use super::moves::{GameGraph, Small, name};
use crate::answer::{Answer, Subject, Value};
use crate::board::Board;
use crate::export::Graph;
use crate::job::{Asked, Work};
use crate::plan::Plan;

/// The graph.
pub(super) const GRAPH: Subject = Subject::measure("game-graph", "the game graph");

/// Plans an export.
pub(super) fn plan(asked: &Asked, board: &Board) -> Plan {
    let why = "all positions and moves are listed";
    super::explore::predicted(Plan::new(asked.question, &INSPECTION, why), asked, board)
}

/// Exports the graph.
pub(super) fn answer(asked: &Asked, board: &Board) -> Work<Answer> {
    let small = Small::new(board)?;
    let graph = GameGraph::new(&small, asked.run)?;
    let mut edges = Vec::new();
    let mut labels = Vec::new();
    for (from, moves) in (0..).zip(&graph.edges) {
        for &(to, white) in moves {
            edges.push((from, to));
            labels.push(if white { "white" } else { "black" }.to_owned());
        }
    }
    let mut answer = asked.answer(&GRAPH, Value::Described {}, &INSPECTION);
    answer.cost.states = Some(graph.nodes.len() as u64);
    answer.fact("positions", "positions", graph.nodes.len());
    answer.fact("moves", "moves", edges.len());
    answer.graph = Some(Graph {
        name: format!("game graph of {}", board.name()),
        nodes: graph.nodes.iter().map(|&at| name(board, at)).collect(),
        edges,
        labels,
        directed: true,
    });
    Ok(answer)
}
