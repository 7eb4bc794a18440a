//! The verb `check`: whether a configuration can be solved. (The file `check` is the checker of
//! answers.)
//!
//! The group decides. If it can be solved, some solution made tile by tile is the certificate;
//! if not, the parity or the part of the puzzle graph shows it.

use pessoi_engine::run::Run;

use super::find::{Decided, Finding, SOLUTIONS};
use super::hint::moves;
use super::methods::SOLVABLE;
use super::peel;
use super::position::figure;
use super::proofs::{WAY, Way};
use super::task::Task;
use crate::answer::{Answer, Limit, Subject, Value};
use crate::certificate::Certificate;
use crate::error::Result;
use crate::job::{Events, Job};
use crate::plan::Plan;

/// Answers `check`.
pub(super) struct Checking<'a> {
    finding: Finding<'a>,
}

impl<'a> Checking<'a> {
    pub(super) fn new(task: Task<'a>) -> Result<Self> {
        Ok(Checking { finding: Finding::new(task)? })
    }
}

impl Job for Checking<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(SOLUTIONS)
    }

    fn plan(&self, _: &Run) -> Result<Plan> {
        let why = "the group decides whether there is a solution";
        Ok(Plan::new(self.finding.task().question, &SOLVABLE, why))
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        let finding = &self.finding;
        let puzzle = &finding.task().puzzle;
        let asked = finding.task().asked(run);
        let (from, to) = finding.ends();
        let solved = |way: Option<Vec<_>>| {
            let mut answer = asked.answer(&SOLUTIONS, Value::at_least(1u8), &SOLVABLE);
            answer.fact("solvable", "it can be solved", true);
            answer.notes.push("It can be solved.".into());
            if let Some(way) = way {
                let moves = moves(figure(&way, puzzle).figure);
                answer.certificate = Some(Certificate::own(WAY, &Way { moves }));
            }
            Ok(answer)
        };
        match finding.decide(run) {
            Err(stop) => Ok(asked.gave_up(&SOLUTIONS, stop, &SOLVABLE)),
            Ok(Decided::Same) => solved(Some(vec![from.clone()])),
            Ok(Decided::None { proof, certificate }) => {
                let mut answer = asked.answer(&SOLUTIONS, Value::none(proof), &SOLVABLE);
                answer.fact("solvable", "it can be solved", false);
                answer.certificate = Some(certificate);
                Ok(answer)
            }
            Ok(Decided::Open(open)) => match peel::solve(puzzle, from, to, run) {
                Ok(Some(way)) => solved(Some(way)),
                _ if open.is_sure() => solved(None),
                Err(stop) => Ok(asked.gave_up(&SOLUTIONS, stop, &SOLVABLE)),
                Ok(None) => {
                    let text = "there are too many sets of holes for the group to decide, and no \
                                solution was found tile by tile";
                    Ok(asked.gave_up(&SOLUTIONS, Limit::Attempts { text: text.into() }, &SOLVABLE))
                }
            },
        }
    }
}
