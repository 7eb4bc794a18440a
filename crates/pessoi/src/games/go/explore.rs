//! `explore`: the numbers of the game graph.

use super::analyze::{game_bounds, legal_log10};
use super::methods::BREADTH_FIRST;
use super::moves::{A_NODE, GameGraph, Small};
use super::rectangle::sides;
use crate::answer::{Answer, Subject, Value};
use crate::board::Board;
use crate::error::Error;
use crate::job::{Asked, Work};
use crate::plan::Plan;
use crate::table::{DatumKind, Table};

/// What is measured.
pub(super) const FARTHEST: Subject = Subject::measure(
    "farthest-from-the-empty-board",
    "most moves that a position is away from the empty board",
);

/// Nanoseconds for each colouring and each point of it.
const A_COLOURING: f64 = 2.0;
/// Nanoseconds for each position and each point of it.
const A_POSITION: f64 = 150.0;

/// Plans an exploration.
pub(super) fn plan(asked: &Asked, board: &Board) -> Plan {
    let why = "all positions and moves of a small board are listed";
    predicted(Plan::new(asked.question, &BREADTH_FIRST, why), asked, board)
}

/// Adds what listing the game graph costs.
pub(super) fn predicted(mut plan: Plan, asked: &Asked, board: &Board) -> Plan {
    let colourings = 3f64.powi(board.len() as i32);
    let legal = sides(board).map(|(height, length)| legal_log10(height, length, asked.run));
    let (positions, note) = match legal {
        Some(Ok((legal, _))) => {
            (10f64.powf(legal).round(), "The number of positions is exact; time is a guess.")
        }
        _ => (colourings, "There are at most as many positions as colourings."),
    };
    let points = board.len() as f64;
    plan.states = Some(positions);
    plan.bytes = Some(positions * A_NODE as f64);
    plan.seconds = Some((colourings * A_COLOURING + positions * A_POSITION) * points * 1e-9);
    plan.note(note)
}

/// Explores the graph.
pub(super) fn answer(asked: &Asked, board: &Board) -> Work<Answer> {
    let run = asked.run;
    let small = Small::new(board)?;
    run.stage(format!("following all moves on {}", board.name()), 0);
    let graph = GameGraph::new(&small, run)?;
    let (nodes, edges) = (graph.nodes.len(), graph.edge_count());
    let degrees = || graph.edges.iter().map(Vec::len);
    let is_connected = graph.is_strongly_connected();
    if !is_connected {
        return Err(
            Error::internal("lemma 3 fails: the game graph is not strongly connected").into()
        );
    }
    let distances = graph.distances();
    let farthest = distances.iter().flatten().copied().max().unwrap_or(0);
    let mut layers = Table::new(
        "layers",
        "Positions by the fewest moves from the empty board",
        &[("moves", "moves", DatumKind::Integer), ("positions", "positions", DatumKind::Integer)],
    );
    for far in 0..=farthest {
        let count = distances.iter().filter(|&&distance| distance == Some(far)).count();
        layers.push([far.into(), count.into()]);
    }
    let mut answer = asked.answer(&FARTHEST, Value::exact(farthest), &BREADTH_FIRST);
    answer.cost.states = Some(nodes as u64);
    answer.fact("positions", "positions", nodes);
    answer.fact("moves", "moves", edges);
    let average = edges as f64 / nodes as f64;
    answer.fact("average-moves", "moves from a position, average", average);
    answer.fact("fewest-moves", "fewest", degrees().min().unwrap_or(0));
    answer.fact("most-moves", "most", degrees().max().unwrap_or(0));
    answer.fact("strongly-connected", "strongly connected (lemma 3)", is_connected);
    // Where all points stand alone there is one position and one game.
    if nodes > 1 {
        let product: f64 = degrees().map(|degree| (degree as f64).log10()).sum();
        // A bound from above is rounded up.
        let product = (product * 100.0 + 1e-6).ceil() / 100.0;
        answer.fact(
            "games-at-most-lemma-17",
            "games, at most (lemma 17)",
            format!("10^{product:.2}"),
        );
        if let Some((height, length)) = sides(board) {
            for (id, text, bound) in game_bounds(height, length, (nodes as f64).log10()) {
                answer.fact(id, text, bound);
            }
        }
    }
    answer.tables.push(layers);
    Ok(answer)
}
