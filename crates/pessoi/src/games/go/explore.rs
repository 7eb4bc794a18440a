//! The game graph as a whole: its numbers, and the graph for other programs.

use super::analyze::game_bounds;
use super::count::sides;
use super::moves::{GameGraph, Small, name};
use super::{Asked, Halt};
use crate::answer::{Answer, Table, Value};
use crate::board::Board;
use crate::error::Error;
use crate::export::Graph;

/// Answers `explore`.
pub(super) fn explore(asked: &Asked, board: &Board) -> Result<Answer, Halt> {
    let run = asked.run;
    let small = Small::new(board)?;
    run.stage(format!("following all moves on {}", board.name()), 0);
    let graph = GameGraph::new(&small, run)?;
    let (nodes, edges) = (graph.nodes.len(), graph.edge_count());
    let degrees = || graph.edges.iter().map(Vec::len);
    let mut facts = Table::new("The game graph", &["what", "value"]);
    let mut fact = |what: &str, value: String| facts.rows.push(vec![what.to_owned(), value]);
    fact("positions", nodes.to_string());
    fact("moves", edges.to_string());
    fact("moves from a position, average", format!("{:.3}", edges as f64 / nodes as f64));
    fact("fewest", degrees().min().unwrap_or(0).to_string());
    fact("most", degrees().max().unwrap_or(0).to_string());
    let connected = graph.is_strongly_connected();
    if !connected {
        return Err(
            Error::internal("lemma 3 fails: the game graph is not strongly connected").into()
        );
    }
    fact("strongly connected (lemma 3)", "yes".into());
    // Where all points stand alone there is one position and one game.
    if nodes > 1 {
        let product: f64 = degrees().map(|degree| (degree as f64).log10()).sum();
        // A bound from above is rounded up.
        let product = (product * 100.0 + 1e-6).ceil() / 100.0;
        fact("games, at most (lemma 17)", format!("10^{product:.2}"));
        if let Some((height, length)) = sides(board) {
            for (what, value) in game_bounds(height, length, (nodes as f64).log10()) {
                fact(what, value);
            }
        }
    }
    let distances = graph.distances();
    let farthest = distances.iter().flatten().copied().max().unwrap_or(0);
    let mut layers =
        Table::new("Positions by the fewest moves from the empty board", &["moves", "positions"]);
    for far in 0..=farthest {
        let count = distances.iter().filter(|&&distance| distance == Some(far)).count();
        layers.rows.push(vec![far.to_string(), count.to_string()]);
    }
    let counts = "most moves that a position is away from the empty board";
    let mut answer = asked.answer(Value::exact(farthest), counts, "breadth first");
    answer.cost.states = Some(nodes as u64);
    answer.tables = vec![facts, layers];
    Ok(answer)
}

/// Answers `export`.
pub(super) fn export(asked: &Asked, board: &Board) -> Result<Answer, Halt> {
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
    let value = Value::exact(edges.len());
    let mut answer = asked.answer(value, "moves between legal positions", "inspection");
    answer.graph = Some(Graph {
        name: format!("game graph of {}", board.name()),
        nodes: graph.nodes.iter().map(|&at| name(board, at)).collect(),
        edges,
        labels,
        directed: true,
        closed: true,
        fixed: Vec::new(),
    });
    Ok(answer)
}
