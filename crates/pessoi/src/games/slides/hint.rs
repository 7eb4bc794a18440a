//! Hints: the next slide of a solution.
//!
//! It is the first of a shortest solution where one is found soon; otherwise that of some
//! solution, and the answer says which. The whole solution is in the certificate, so that the
//! hint can be checked, and it is not shown.

use pessoi_engine::run::Run;

use super::find::{Finding, SOLUTIONS, Solved};
use super::position::figure;
use super::proofs::{SHORTEST_FACT, SLIDES_FACT, WAY, Way};
use super::task::Task;
use crate::answer::{Answer, Subject, Value};
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Events, Halt, Job};
use crate::plan::Plan;
use crate::solution::{Figure, Move};

const NEXT_MOVE: Subject = Subject::measure("next-move", "the next move");

/// A hint is wanted sooner than a solution: so much less is tried for a shortest one.
const HASTE: u64 = 20;

/// Answers `hint`.
pub(super) struct Hinting<'a> {
    finding: Finding<'a>,
}

impl<'a> Hinting<'a> {
    pub(super) fn new(task: Task<'a>) -> Result<Self> {
        Ok(Hinting { finding: Finding::new(task)?.in_haste(HASTE) })
    }
}

/// The moves of a way.
pub(super) fn moves(figure: Figure) -> Vec<Move> {
    match figure {
        Figure::Positions { moves, .. } => moves,
        Figure::Path { .. } => Vec::new(),
    }
}

impl Job for Hinting<'_> {
    fn subject(&self, value: &Value) -> Option<Subject> {
        Some(if *value == (Value::Described {}) { NEXT_MOVE } else { SOLUTIONS })
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        self.finding.plan(run)
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        let finding = &self.finding;
        let asked = finding.task().asked(run);
        let (way, is_shortest, used) = match finding.solved(run) {
            Ok(Solved::Way { way, is_shortest, used }) => (way, is_shortest, used),
            Ok(Solved::None { proof, certificate, used }) => {
                let mut answer = asked.answer(&SOLUTIONS, Value::none(proof), used);
                answer.certificate = certificate;
                return Ok(answer);
            }
            Err(Halt::Stop(stop)) => return Ok(asked.gave_up(&SOLUTIONS, stop, finding.method())),
            Err(Halt::Error(error)) => return Err(error),
        };
        let moves = moves(figure(&way, &finding.task().puzzle).figure);
        let mut answer = asked.answer(&NEXT_MOVE, Value::Described {}, used);
        if let Some(first) = moves.first() {
            let cell =
                |cell: Option<Cell>| cell.ok_or_else(|| Error::internal("a slide without a cell"));
            let (from, to) = (cell(first.from)?, cell(first.to)?);
            let tile: u32 =
                first.piece.parse().map_err(|_| Error::internal("a tile without a number"))?;
            let which = first.direction.clone().unwrap_or_default();
            answer.fact("tile", "tile", tile);
            answer.fact("from", "from", from);
            answer.fact("to", "to", to);
            answer.fact("direction", "direction", &*which);
            let left = moves.len();
            let solution = match (is_shortest, left) {
                (true, 1) => "Then the tiles lie as wanted.".to_owned(),
                (true, left) => format!("It is the first of {left} slides of a shortest solution."),
                (false, left) => format!(
                    "It is the first of {left} slides of some solution; there may be a shorter one."
                ),
            };
            answer.notes.push(format!("Slide {tile} {which}, from {from} to {to}. {solution}"));
        } else {
            answer.notes.push("The tiles lie as wanted.".into());
        }
        answer.fact(SLIDES_FACT.0, SLIDES_FACT.1, moves.len());
        answer.fact(SHORTEST_FACT.0, SHORTEST_FACT.1, is_shortest);
        answer.certificate = Some(Certificate::own(WAY, &Way { moves }));
        Ok(answer)
    }
}
