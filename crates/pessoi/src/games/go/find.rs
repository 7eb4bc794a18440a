//! `find`: a cycle through all positions but the empty one, or a proof that there is none.

use super::hamilton::{Found, cycle};
use super::methods::{MATCHING, TOUR};
use super::moves::{Stones, name};
use crate::answer::{Answer, Subject, Value};
use crate::board::Board;
use crate::certificate::Certificate;
use crate::job::{Asked, Events, Work};
use crate::plan::Plan;
use crate::solution::{Figure, Solution};

/// Cycles, found.
pub(super) const fn subject(symmetric: bool) -> Subject {
    if symmetric {
        Subject::things(
            "symmetric-cycles",
            "cycle through all positions but the empty one, symmetric in colours",
            "cycles through all positions but the empty one, symmetric in colours",
        )
    } else {
        Subject::things(
            "cycles",
            "cycle through all positions but the empty one",
            "cycles through all positions but the empty one",
        )
    }
}

/// Plans a search.
pub(super) fn plan(asked: &Asked, board: &Board, tour: Option<&[Stones]>) -> Plan {
    if tour.is_some() {
        return Plan::new(asked.question, &TOUR, "the tour says how to go");
    }
    let why = "cycles that cover all positions together are joined to one";
    let plan = Plan::new(asked.question, &MATCHING, why);
    super::explore::predicted(plan, asked, board).note(
        "This is the time to list positions and moves. Where there is no matching there is no \
         cycle, which shows soon; how long the exchanges take is a matter of chance and not \
         predicted (1x10 takes a tenth of a second, 1x12 some seconds).",
    )
}

/// Finds a cycle.
pub(super) fn answer(
    asked: &Asked,
    board: &Board,
    symmetric: bool,
    tour: Option<&[Stones]>,
    events: &mut dyn Events,
) -> Work<Answer> {
    let run = asked.run;
    let subject = subject(symmetric);
    let (found, method) = match tour {
        None => (cycle(board, symmetric, run)?, &MATCHING),
        Some(positions) => (Found::Cycle(positions.to_vec()), &TOUR),
    };
    let positions = match found {
        Found::None(proof) => return Ok(asked.answer(&subject, Value::none(proof), method)),
        Found::Cycle(positions) => positions,
    };
    let _ = events.solution(drawn(board, &positions));
    let mut answer = asked.answer(&subject, Value::at_least(1u8), method);
    if tour.is_none() {
        answer.seed = Some(run.budget().seed);
    }
    answer.certificate = Some(Certificate::solutions());
    answer.notes.push(
        "From the empty board the first position is one move away: this is a game through all \
         legal positions."
            .into(),
    );
    Ok(answer)
}

/// A cycle, broken before a position with one stone: then it is a game from the empty board.
fn drawn(board: &Board, positions: &[Stones]) -> Solution {
    let stones = |at: &Stones| (at.black | at.white).count_ones();
    let start = positions.iter().position(|at| stones(at) == 1).unwrap_or(0);
    let drawings = positions[start..]
        .iter()
        .chain(&positions[..start])
        .map(|&at| name(board, at).replace('/', "\n"))
        .collect();
    Figure::Positions { drawings, moves: Vec::new(), closed: true }.into()
}
