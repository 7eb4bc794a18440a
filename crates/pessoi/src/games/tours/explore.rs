//! Exploring: how a lone piece gets about the board.
//!
//! The states are the cells where the piece can stand. How far apart cells are bounds
//! where the numbers of a tour can be: i and j are at most |i − j| moves apart.

use pessoi_engine::explore::{ComponentsError, StateSpace, components, diameter, layers};
use pessoi_engine::ledger::Ledger;
use pessoi_engine::run::Stopped;

use serde::{Deserialize, Serialize};

use super::graph::MoveGraph;
use super::options::{BREADTH_FIRST, FROM_CELL};
use super::task::Task;
use super::{Tour, Work};
use crate::answer::{Answer, Subject, Value};
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::Events;
use crate::plan::Plan;
use crate::question::Question;
use crate::table::{DatumKind, Table};

impl StateSpace for MoveGraph {
    type State = u32;

    fn starts(&self) -> impl Iterator<Item = u32> {
        0..self.len() as u32
    }

    fn moves(&self, from: &u32, offer: impl FnMut(u32)) {
        self.neighbours(*from).iter().copied().for_each(offer);
    }

    fn holds(&self, state: &u32) -> bool {
        (*state as usize) < self.len()
    }
}

/// The diameter is what the answer measures.
const DIAMETER: Subject =
    Subject::measure("diameter", "moves between the cells farthest apart (the diameter)");

/// The kind of certificate that names two cells farthest apart.
pub(super) const ANTIPODES: &str = "antipodes";

/// Two cells farthest apart.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Antipodes {
    pub(super) from: Cell,
    pub(super) to: Cell,
}

/// From where distances are measured.
pub(super) struct Walks {
    from: Option<u32>,
}

impl Walks {
    /// Reads the options.
    pub(super) fn new(question: &Question, task: &Task) -> Result<Self> {
        let from = question.cell(&FROM_CELL, &task.board)?;
        Ok(Walks { from: from.map(|cell| cell as u32) })
    }
}

impl Work for Walks {
    fn subject(&self, _: &Task, _: &Value) -> Option<Subject> {
        Some(DIAMETER)
    }

    fn solves(&self) -> bool {
        false
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let why = "one breadth-first search for each symmetry class of cells is enough";
        let mut plan = at.plan(&BREADTH_FIRST, why);
        let searches = representatives(at.task).len() + 2;
        plan.states = Some(searches as f64 * at.task.len() as f64);
        Ok(plan.note(format!("{searches} searches of up to {} cells each.", at.task.len())))
    }

    fn can_save(&self, _: &Task) -> Result<(), String> {
        Ok(())
    }

    fn answer(&self, at: &Tour, _: &mut dyn Events) -> Result<Answer> {
        let ledger = at.asked.ledger(BREADTH_FIRST.id)?;
        let mut answer = self.explored(at, &ledger)?;
        at.asked.close(&ledger, &mut answer)?;
        Ok(answer)
    }
}

impl Walks {
    fn explored(&self, at: &Tour, ledger: &Ledger) -> Result<Answer> {
        let (task, run) = (at.task, at.run());
        let graph = &task.graph;
        let cell = |cell: u32| task.board.cell(cell as usize);
        let answer = |value| at.asked.answer(&DIAMETER, value, &BREADTH_FIRST);
        let parts = match components(graph, run, &ledger.chapter("parts")) {
            Ok(parts) => parts,
            Err(ComponentsError::Stopped(stop)) => return Ok(answer(Value::gave_up(stop))),
            Err(error @ ComponentsError::OneWay(_)) => {
                return Err(Error::internal(error.to_string()));
            }
        };
        let widest = match diameter(graph, representatives(task), run, &ledger.chapter("diameter"))
        {
            Ok(Some(widest)) => widest,
            Ok(None) => return Err(Error::internal("a board without a cell")),
            Err(Stopped { why, so_far }) => {
                let known = so_far.map_or(0, |widest| widest.distance);
                return Ok(answer(Value::stopped(known, why)));
            }
        };
        let from = self.from.unwrap_or(widest.from);
        let found = match layers(graph, [from], run, &ledger.chapter("layers")) {
            Ok(found) => found,
            Err(stopped) => return Ok(answer(Value::stopped(widest.distance, stopped.why))),
        };

        let mut answer = answer(Value::exact(widest.distance));
        answer.fact("cells", "cells", parts.total());
        answer.fact("isolated", "cells without a move", parts.isolated());
        answer.fact("parts", "parts that moves join, of two cells or more", parts.joined().count());
        answer.fact("farthest-from", "farthest apart, one cell", cell(widest.from));
        answer.fact("farthest-to", "farthest apart, the other cell", cell(widest.to));
        answer.fact("from", "distances are measured from", cell(from));
        let mut by_distance = Table::new(
            "distances",
            &format!("Cells by distance from {}", cell(from)),
            &[("moves", "moves", DatumKind::Integer), ("cells", "cells", DatumKind::Integer)],
        );
        for (moves, cells) in (0u64..).zip(found.sizes()) {
            by_distance.push([moves.into(), cells.into()]);
        }
        let mut by_part = Table::new(
            "parts",
            "Parts that moves join, of two cells or more",
            &[("part", "part", DatumKind::Integer), ("cells", "cells", DatumKind::Integer)],
        );
        for (number, part) in (1u64..).zip(parts.joined()) {
            by_part.push([number.into(), part.size.into()]);
        }
        answer.tables = vec![by_distance, by_part];
        answer.cost.states = Some(run.progress().handled);
        let antipodes = Antipodes { from: cell(widest.from), to: cell(widest.to) };
        answer.certificate = Some(Certificate::own(ANTIPODES, &antipodes));
        Ok(answer)
    }
}

/// One cell of each class up to the symmetries of the board: the others see the same.
fn representatives(task: &Task) -> Vec<u32> {
    let symmetries = task.board.symmetries();
    let least = |cell: &u32| symmetries.iter().all(|g| g.permutation[*cell as usize] >= *cell);
    (0..task.len() as u32).filter(least).collect()
}
