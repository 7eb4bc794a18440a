//! Counting components, and the connection number: the fewest holes with which there is one.

use pessoi_engine::ledger::Ledger;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::symmetry::factorial;

use super::holes::{Holes, Known, choose};
use super::methods::{HOLE_SETS, PLAIN};
use super::plain::{self, bytes_of_one};
use super::task::{Task, so_many};
use crate::answer::{Answer, Subject, Value};
use crate::error::{Code, Error, Result};
use crate::job::{Events, Job, Work};
use crate::plan::Plan;
use crate::table::{DatumKind, Table};

pub(super) const COMPONENTS: Subject = Subject::things(
    "components",
    "component of configurations that allow a slide",
    "components of configurations that allow a slide",
);

/// What there is none of if no number of holes makes one component.
pub(super) const CONNECTION_NUMBERS: Subject = Subject::things(
    "connection-numbers",
    "number of holes with which there is one component",
    "numbers of holes with which there is one component",
);

/// The numbers of components for 1, 2, 3 … holes, up to the connection number.
pub(super) struct Connection {
    /// The connection number, if there is one.
    pub(super) number: Option<usize>,
    pub(super) table: Table,
}

impl Connection {
    pub(super) fn find(task: &Task, run: &Run) -> Result<Connection, Stop> {
        let mut table = Connection::empty_table();
        for holes in 1..task.puzzle.len() {
            let found = Holes::new(&task.puzzle, holes, run)?;
            table.push([holes.into(), found.components().into()]);
            if found.is_maximal() {
                return Ok(Connection { number: Some(holes), table });
            }
        }
        Ok(Connection { number: None, table })
    }

    fn empty_table() -> Table {
        let columns = [
            ("holes", "holes", DatumKind::Integer),
            ("components", "components", DatumKind::Integer),
        ];
        Table::new("holes-and-components", "Holes and components", &columns)
    }

    /// The answer where there is no connection number.
    pub(super) fn none() -> Value {
        Value::none(
            "for every number of holes the configurations that allow a slide are in several \
             components or do not exist",
        )
    }

    /// What a plan says of it.
    pub(super) fn note(&self) -> String {
        match self.number {
            Some(holes) => format!("With {} there is one component.", so_many(holes, "hole")),
            None => "With no number of holes is there one component.".into(),
        }
    }
}

/// Answers `count`: the number of components.
pub(super) struct Counting<'a> {
    pub(super) task: Task<'a>,
}

impl Counting<'_> {
    /// Whether all configurations are to be listed.
    fn is_plain(&self) -> bool {
        self.task.question.method() == Some(PLAIN.id)
    }
}

impl Job for Counting<'_> {
    fn subject(&self, value: &Value) -> Option<Subject> {
        matches!(value, Value::Exact { .. }).then_some(COMPONENTS)
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let task = &self.task;
        if self.is_plain() {
            let mut plan = Plan::new(task.question, &PLAIN, "it is asked for");
            let (cells, holes) = (task.puzzle.len(), task.holes.unwrap_or(1));
            let states = (holes + 1..=cells).map(|n| n as f64).product::<f64>();
            plan.states = Some(states);
            plan.bytes = Some(states * bytes_of_one(cells) as f64);
            return Ok(plan);
        }
        if let Some(plan) = task.nothing_planned() {
            return Ok(plan);
        }
        let why = "hole-sets are few where configurations are many";
        let plan = Plan::new(task.question, &HOLE_SETS, why);
        Ok(with_sets(task, plan, run))
    }

    fn check_store(&self) -> Result<()> {
        if self.is_plain() {
            return Ok(());
        }
        let sentence = "Counts by hole-sets do not save themselves: leave out --checkpoint.";
        Err(Error::new(Code::Unsupported, "store", sentence))
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        if self.is_plain() {
            let asked = self.task.asked(run);
            let ledger = asked.ledger(PLAIN.id)?;
            let mut answer = asked.settle(&COMPONENTS, &PLAIN, self.listed(run, &ledger))?;
            asked.close(&ledger, &mut answer)?;
            return Ok(answer);
        }
        if let Some(none) = self.task.nothing(&COMPONENTS, run) {
            return Ok(none);
        }
        self.task.asked(run).settle(&COMPONENTS, &HOLE_SETS, self.count(run))
    }
}

impl Counting<'_> {
    /// Counts by listing all configurations; nothing of the group is used.
    fn listed(&self, run: &Run, ledger: &Ledger) -> Work<Answer> {
        let task = &self.task;
        let board = &task.puzzle.board;
        let asked = task.asked(run);
        let census = |holes: usize| {
            plain::census(board, holes, run, &ledger.chapter(format!("{holes} holes")))
        };
        let mut table = Connection::empty_table();
        let (holes, found) = if let Some(holes) = task.holes {
            (holes, census(holes)?)
        } else {
            let mut one = None;
            for holes in 1..board.len() {
                let found = census(holes)?;
                table.push([holes.into(), found.components.into()]);
                if found.components == 1 {
                    one = Some((holes, found));
                    break;
                }
            }
            let Some(one) = one else {
                let mut none = asked.answer(&CONNECTION_NUMBERS, Connection::none(), &PLAIN);
                none.tables.push(table);
                return Ok(none);
            };
            one
        };
        let value = match found.components {
            0 => Value::none("all configurations were listed, and none allows a slide"),
            number => Value::exact(number),
        };
        let mut answer = asked.answer(&COMPONENTS, value, &PLAIN);
        answer.cost.states = Some(found.isolated + found.others);
        if task.holes.is_none() {
            answer.tables.push(table);
        }
        answer.fact("tiles", "tiles", board.len() - holes);
        answer.fact("isolated-configurations", "isolated configurations", found.isolated);
        answer.fact("other-configurations", "other configurations", found.others);
        answer.fact("components", "components of the others", found.components);
        if let Some(size) = found.size {
            answer.fact("component-size", "configurations in each", size);
        }
        let (weak, two, one) = (found.is_weakly_even, found.components == 2, found.components == 1);
        answer.fact("weak-parity", WEAK_PARITY, weak);
        answer.fact("strong-parity", STRONG_PARITY, weak && two);
        answer.fact("maximally-connected", MAXIMAL, one);
        Ok(answer)
    }

    fn count(&self, run: &Run) -> Work<Answer> {
        let task = &self.task;
        let (mut holes, mut table) = (task.holes, None);
        if holes.is_none() {
            let found = Connection::find(task, run)?;
            (holes, table) = (found.number, Some(found.table));
        }
        let Some(holes) = holes else {
            let mut none =
                task.asked(run).answer(&CONNECTION_NUMBERS, Connection::none(), &HOLE_SETS);
            none.tables.extend(table);
            return Ok(none);
        };
        let known = Known::new(&task.puzzle, holes, run)?;
        let number = match &known {
            Known::Maximal { .. } => 1u32.into(),
            Known::Holes(found) => found.components(),
        };
        let mut answer = task.asked(run).answer(&COMPONENTS, Value::exact(number), &HOLE_SETS);
        answer.tables.extend(table);
        match known {
            Known::Maximal { by_holes } => answer.notes.push(by_fewer(by_holes)),
            Known::Holes(found) => {
                facts(&found, &mut answer);
                answer.tables.push(parts(&found));
            }
        }
        Ok(answer)
    }
}

/// What listing the hole-sets costs; for an open number of holes, up to the connection number.
pub(super) fn with_sets(task: &Task, mut plan: Plan, run: &Run) -> Plan {
    let holes = match task.holes {
        Some(holes) => holes,
        None => match Connection::find(task, run) {
            Ok(found) => {
                plan = plan.note(found.note());
                found.number.unwrap_or(found.table.rows.len())
            }
            Err(stop) => return plan.note(format!("The connection number was not found: {stop}.")),
        },
    };
    let cells = task.puzzle.len();
    match choose(cells, holes) {
        Some(ways) => {
            plan.bytes = Some(ways as f64 * (124 + cells - holes) as f64);
            let holes = so_many(holes, "hole");
            plan.note(format!("There are {ways} sets of {holes} on {cells} cells."))
        }
        None => plan.note(format!(
            "There are more than 2^64 sets of {holes} holes; fewer holes are tried first."
        )),
    }
}

/// How one component was seen without listing the hole-sets.
pub(super) fn by_fewer(holes: usize) -> String {
    format!(
        "With {holes} holes all configurations that allow a slide are in one component, and \
         therefore with more holes too."
    )
}

/// What is known of the whole puzzle graph.
pub(super) fn facts(found: &Holes, answer: &mut Answer) {
    let all = factorial(found.tiles);
    answer.fact("tiles", "tiles", found.tiles);
    answer.fact("isolated-configurations", "isolated configurations", &all * found.isolated);
    answer.fact("other-configurations", "other configurations", &all * found.sets.len());
    answer.fact("components", "components of the others", found.components());
    // Where sizes differ, the table of parts has them.
    if let Some(size) = found.component_size() {
        answer.fact("component-size", "configurations in each", size);
    }
    if found.parts.len() > 1 {
        let text = "parts (of hole-sets that can be turned into each other)";
        answer.fact("parts", text, found.parts.len());
    }
    answer.fact("weak-parity", WEAK_PARITY, found.is_weakly_even());
    answer.fact("strong-parity", STRONG_PARITY, found.is_strongly_even());
    answer.fact("maximally-connected", MAXIMAL, found.is_maximal());
}

const WEAK_PARITY: &str = "weak parity (only even permutations)";
const STRONG_PARITY: &str = "strong parity (every even one, in two components)";
const MAXIMAL: &str = "maximally connected (one component)";

/// The most parts that are shown.
const MOST_PARTS: usize = 20;

/// What is known of each part of the graph of hole-sets.
pub(super) fn parts(found: &Holes) -> Table {
    let mut table = Table::new(
        "parts",
        "Hole-sets that can be turned into each other",
        &[
            ("hole-sets", "hole-sets", DatumKind::Integer),
            ("group-order", "group order", DatumKind::Integer),
            ("tiles-moved", "tiles moved", DatumKind::Integer),
            ("components", "components", DatumKind::Integer),
            ("component-size", "size of each", DatumKind::Integer),
        ],
    );
    for part in found.parts.iter().take(MOST_PARTS) {
        table.push([
            part.sets.len().into(),
            part.group.order().into(),
            part.group.moved().len().into(),
            part.components(found.tiles).into(),
            part.size().into(),
        ]);
    }
    table
}
