//! Finding: a few loops of a length, or a longest path on a board.

use std::sync::Arc;

use pessoi_engine::run::Run;

use super::engine::SWEEP;
use super::list::List;
use super::longest::{Ground, MOST_MOVES};
use super::moves::{Moves, Point};
use super::options::{FIND_LIMIT, OPEN};
use super::task::Task;
use crate::answer::{Answer, Subject, Value};
use crate::board::Board;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Asked, Events, Job, Work};
use crate::plan::Plan;
use crate::question::Question;
use crate::solution::Figure;

/// The first loops of a list.
pub(super) fn first(question: &Question, task: Arc<Task>) -> Result<List<'_>> {
    List::new(question, task, question.number(&FIND_LIMIT))
}

/// The question for a longest non-crossing path.
pub(super) struct Longest<'q> {
    question: &'q Question,
    board: &'q Board,
    ground: Ground,
}

static CLOSED_PATH: Subject =
    Subject::measure("longest-closed-path", "moves in a longest non-crossing closed path");
static OPEN_PATH: Subject =
    Subject::measure("longest-open-path", "moves in a longest non-crossing open path");

impl<'q> Longest<'q> {
    pub(super) fn new(question: &'q Question, leapers: &[Point]) -> Result<Self> {
        let board = question.board()?;
        let points: Vec<Point> = board.cells().iter().map(|cell| (cell.row, cell.col)).collect();
        let ground =
            Ground::new(&points, &Moves::new(leapers), question.flag(&OPEN)).map_err(|moves| {
                Error::unsupported(
                    "place",
                    format!(
                        "--longest handles up to {MOST_MOVES} moves; {} has {moves}.",
                        board.name()
                    ),
                )
            })?;
        Ok(Longest { question, board, ground })
    }

    fn subject(&self) -> &'static Subject {
        if self.question.flag(&OPEN) { &OPEN_PATH } else { &CLOSED_PATH }
    }

    fn work(&self, asked: Asked, events: &mut dyn Events) -> Work<Answer> {
        let is_open = self.question.flag(&OPEN);
        let found = self.ground.longest(asked.run)?;
        let is_none = found.path.is_empty();
        let value = if is_none {
            Value::none("the sweep kept every border and completed none")
        } else {
            Value::exact(found.path.len() - usize::from(is_open))
        };
        let mut answer = asked.answer(self.subject(), value, &SWEEP);
        answer.cost.borders = Some(found.borders);
        answer.cost.peak_borders = Some(found.peak);
        if !is_none {
            let cells = found.path.iter().map(|&cell| self.board.cell(cell)).collect();
            // There is only one, so whether more is wanted makes no difference.
            let _ = events.solution(Figure::Path { cells, closed: !is_open }.into());
            answer.certificate = Some(Certificate::solutions());
        }
        Ok(answer)
    }
}

impl Job for Longest<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(self.subject().clone())
    }

    fn plan(&self, _: &Run) -> Result<Plan> {
        let why = "of all ways to the same border only the longest is kept";
        let plan = Plan::new(self.question, &SWEEP, why);
        Ok(plan.note("How many borders will occur is not predicted."))
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let asked = Asked::new(self.question, run);
        asked.settle(self.subject(), &SWEEP, self.work(asked, events))
    }
}
