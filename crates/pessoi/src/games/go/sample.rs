//! `sample`: random legal positions, each with the same chance.

use super::analyze::legal_log10;
use super::count::POSITIONS;
use super::methods::REJECTION;
use super::position::{EMPTY, drawing, is_legal};
use super::rectangle::sides;
use crate::answer::{Answer, Subject, Value};
use crate::board::Board;
use crate::error::Result;
use crate::job::{Asked, Events, draw};
use crate::plan::Plan;
use crate::solution::{Figure, Solution};
use pessoi_engine::random::Random;

/// Legal positions, drawn.
pub(super) fn subject() -> Subject {
    POSITIONS.which("drawn uniformly")
}

/// Nanoseconds for each point of a colouring: most are seen to be illegal before their end.
const A_POINT: f64 = 8.0;

/// Plans a sample.
pub(super) fn plan(asked: &Asked, board: &Board, samples: u64) -> Plan {
    let why = "colourings are drawn until one is legal, so all legal ones are equally likely";
    let mut plan = Plan::new(asked.question, &REJECTION, why);
    let all = board.len() as f64 * 3f64.log10();
    let legal = sides(board).map(|(height, length)| legal_log10(height, length, asked.run));
    let Some(Ok((legal, _))) = legal else {
        return plan.note("Which share of all colourings is legal is not predicted.");
    };
    let tries = 10f64.powf(all - legal);
    let seconds = samples as f64 * tries * board.len() as f64 * A_POINT * 1e-9;
    plan.seconds = Some(seconds).filter(|seconds| seconds.is_finite());
    plan.note(format!(
        "About one colouring in {} is legal. It is one thread's work.",
        super::analyze::power_of_ten(all - legal)
    ))
}

/// Draws positions.
pub(super) fn answer(
    asked: &Asked,
    board: &Board,
    wanted: u64,
    events: &mut dyn Events,
) -> Result<Answer> {
    let run = asked.run;
    let mut random = Random::new(run.budget().seed, 0);
    let mut colours = vec![EMPTY; board.len()];
    let mut tried = 0u64;
    // Many small boards or one large one between two looks at the clock.
    let a_tick = (1 << 17) / board.len().clamp(1, 1 << 17) as u64;
    let (drawn, stopped) = draw(wanted, run, events, |_| {
        loop {
            for colour in &mut colours {
                *colour = random.below(3) as u8;
            }
            tried += 1;
            if tried.is_multiple_of(a_tick) {
                run.tick(a_tick)?;
            }
            if is_legal(board, &colours) {
                return Ok(shown(board, &colours));
            }
        }
    })?;
    let value = match stopped {
        None => Value::at_least(drawn),
        Some(stop) => Value::stopped(drawn, stop),
    };
    let mut answer = asked.answer(&subject(), value, &REJECTION);
    answer.seed = Some(run.budget().seed);
    answer.fact("colourings", "colourings drawn", tried);
    Ok(answer)
}

/// One position.
pub(super) fn shown(board: &Board, colours: &[u8]) -> Solution {
    let drawings = vec![drawing(board, colours)];
    Figure::Positions { drawings, moves: Vec::new(), closed: false }.into()
}
