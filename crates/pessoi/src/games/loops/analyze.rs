//! What can be said of all loops of a length: how symmetric they are, and which share their
//! cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use pessoi_engine::run::Run;
use pessoi_engine::search::Part;
use rustc_hash::FxHashMap;

use super::census::TYPES;
use super::claimed::make_room;
use super::count::{self, Counted, Tally, tally};
use super::engine::{Choice, choose, plan};
use super::moves::{Point, SYMMETRIES, image, minus};
use super::options::CELLS;
use super::task::{Sameness, Task};
use super::turns::LONGEST_WORD;
use super::visit::visit;
use super::words::cells;
use crate::answer::{Answer, Limit, Subject, Value};
use crate::board::Cell;
use crate::error::{Code, Error, Result};
use crate::job::{Asked, Events, Job};
use crate::plan::Plan;
use crate::question::Question;
use crate::solution::{Figure, Solution};
use crate::table::{Datum, DatumKind, Table};

/// Loops that an answer shows, at most.
const SHOWN: usize = 24;

/// The question for a census.
pub(super) struct Analyze<'q> {
    question: &'q Question,
    task: Arc<Task>,
    choice: Choice,
}

impl<'q> Analyze<'q> {
    pub(super) fn new(question: &'q Question, task: Arc<Task>) -> Result<Self> {
        let choice = choose(question, &task)?;
        Ok(Analyze { question, task, choice })
    }
}

impl Job for Analyze<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(self.task.subject())
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        Ok(plan(self.question, &self.task, self.choice, true, run))
    }

    fn check_store(&self) -> Result<()> {
        if !self.question.flag(&CELLS) {
            return Ok(());
        }
        let sentence = "Loops that are gathered by their cells are not saved: leave out \
                        --checkpoint.";
        Err(Error::new(Code::Unsupported, "store", sentence))
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let Analyze { question, task, choice: Choice { engine, .. } } = self;
        let (subject, used) = (task.subject(), engine.used(question, task));
        let asked = Asked::new(question, run);
        let ledger = asked.ledger(engine.id())?;
        let mut sets = Sets::default();
        let counted = if question.flag(&CELLS) {
            sets.gather(task, run)
        } else {
            tally(question, task, *engine, run, &ledger)?
        };
        if let Some(stop) = counted.stopped {
            let mut answer = asked.gave_up(&subject, stop, used);
            asked.close(&ledger, &mut answer)?;
            return Ok(answer);
        }
        let tally = counted.tally;
        let number = tally.number(task, Sameness::Free);
        let value = if number == 0 { Value::none(count::FOUND_NONE) } else { Value::exact(number) };
        let mut answer = asked.answer(&subject, value, used);
        answer.cost.nodes = counted.nodes;
        // A class up to congruence may hold several up to the symmetries of the square.
        if task.isometries.is_none() {
            for (id, text, sameness) in [
                ("free", "loops up to translation, rotation and reflection", Sameness::Free),
                ("one-sided", "loops up to translation and rotation", Sameness::OneSided),
                ("fixed", "loops up to translation", Sameness::Fixed),
            ] {
                answer.fact(id, text, tally.number(task, sameness));
            }
        }
        answer.tables.push(types(&tally, task));
        if question.flag(&CELLS) {
            sets.show(&mut answer, task, events);
        }
        asked.close(&ledger, &mut answer)?;
        Ok(answer)
    }
}

/// The census as a table.
fn types(tally: &Tally, task: &Task) -> Table {
    let mut columns = vec![
        ("type", "symmetry", DatumKind::Text),
        ("symmetries", "symmetries", DatumKind::Integer),
        ("classes", "classes", DatumKind::Integer),
    ];
    // Where all loops of a class count, they follow from its symmetry.
    let are_all = task.isometries.is_none() && task.board.is_none();
    if are_all {
        columns.push(("loops", "loops up to translation", DatumKind::Integer));
    }
    let mut table = Table::new("symmetry-types", "Classes by symmetry", &columns);
    for ((name, order, _), &classes) in TYPES.iter().zip(&tally.census.0) {
        let mut row: Vec<Datum> = vec![(*name).into(), (*order).into(), classes.into()];
        if are_all {
            row.push((classes * u128::from(8 / order)).into());
        }
        table.push_row(row);
    }
    table
}

/// The cells of a loop, the same for every symmetry: rows and columns, sorted.
fn cell_set(cells: &[Point]) -> Vec<u8> {
    let images = (0..SYMMETRIES).map(|symmetry| {
        let turned: Vec<Point> = cells.iter().map(|&cell| image(symmetry, cell)).collect();
        let low = turned
            .iter()
            .fold((i32::MAX, i32::MAX), |low, cell| (low.0.min(cell.0), low.1.min(cell.1)));
        let mut set: Vec<Point> = turned.iter().map(|&cell| minus(cell, low)).collect();
        set.sort_unstable();
        set
    });
    let least = images.min().unwrap_or_default();
    // Rows and columns are below 2^16: loops are at most 1000 cells wide.
    least
        .iter()
        .flat_map(|&(row, col)| [row as u16, col as u16])
        .flat_map(u16::to_le_bytes)
        .collect()
}

/// Sets of cells, each with the loops that visit them.
#[derive(Default)]
struct Sets(FxHashMap<Vec<u8>, Vec<Vec<u8>>>);

/// A loop that was found: its set of cells, its moves and its symmetries.
type Member = (Vec<u8>, Vec<u8>, u8);

impl Sets {
    /// Visits all loops and gathers them by their cells.
    fn gather(&mut self, task: &Arc<Task>, run: &Run) -> Counted {
        let mut tally = Tally::default();
        let mut claim = run.claim();
        let mut full = None;
        // Each set owns two lists with their bytes; and allocators round up.
        let each = size_of::<Member>() + 80 + 5 * task.length;
        let visit = visit(
            task,
            Part::WHOLE,
            run,
            Vec::new,
            |found: &mut Vec<Member>, word| {
                let mut buffer = [0; LONGEST_WORD];
                let moves = word.moves(task, &mut buffer);
                let key = cell_set(&cells(&task.moves, moves));
                found.push((key, moves.to_vec(), word.stabiliser(task)));
            },
            |found| found.iter().map(|(key, moves, _)| 64 + key.len() + moves.len()).sum(),
            &mut |found: Vec<Member>| {
                if let Err(stop) = make_room(&mut self.0, found.len(), each, 0, &mut claim) {
                    full = Some(stop);
                    return false;
                }
                for (key, moves, symmetries) in found {
                    tally.add(symmetries, &moves, task);
                    self.0.entry(key).or_default().push(moves);
                }
                true
            },
        );
        let stopped = full.or(visit.stopped).map(Limit::from);
        Counted { tally, nodes: Some(visit.nodes), stopped }
    }

    /// Adds a fact and a table to an answer, and gives some loops that share their cells.
    fn show(&self, answer: &mut Answer, task: &Task, events: &mut dyn Events) {
        let mut sizes = BTreeMap::new();
        for loops in self.0.values() {
            *sizes.entry(loops.len()).or_insert(0u64) += 1;
        }
        answer.fact("cell-sets", "sets of cells, up to symmetry", self.0.len());
        let mut table = Table::new(
            "cell-sets",
            "Sets of cells, up to symmetry",
            &[
                ("loops", "loops on the set", DatumKind::Integer),
                ("sets", "sets", DatumKind::Integer),
            ],
        );
        for (loops, sets) in sizes {
            table.push([loops.into(), sets.into()]);
        }
        answer.tables.push(table);
        let mut several: Vec<_> = self.0.iter().filter(|(_, loops)| loops.len() > 1).collect();
        several.sort();
        let mut shown = 0;
        for (key, loops) in several {
            shown += loops.len();
            if shown > SHOWN {
                answer.notes.push("Only the first sets with several loops are shown.".into());
                return;
            }
            for moves in loops {
                let cells = onto(task, moves, key);
                let cells = cells.into_iter().map(|(row, col)| Cell { row, col }).collect();
                let solution = Solution::from(Figure::Path { cells, closed: true });
                if events.solution(solution).is_break() {
                    return;
                }
            }
        }
    }
}

/// The image of a loop that visits just these cells.
fn onto(task: &Task, moves: &[u8], key: &[u8]) -> Vec<Point> {
    let own = cells(&task.moves, moves);
    let images = (0..SYMMETRIES).map(|symmetry| {
        let turned: Vec<Point> = own.iter().map(|&cell| image(symmetry, cell)).collect();
        let low = turned
            .iter()
            .fold((i32::MAX, i32::MAX), |low, cell| (low.0.min(cell.0), low.1.min(cell.1)));
        turned.into_iter().map(|cell| minus(cell, low)).collect::<Vec<_>>()
    });
    let is_wanted = |image: &Vec<Point>| {
        let mut set = image.clone();
        set.sort_unstable();
        let bytes = set.iter().flat_map(|&(row, col)| [row as u16, col as u16]);
        bytes.flat_map(u16::to_le_bytes).eq(key.iter().copied())
    };
    images.into_iter().find(is_wanted).unwrap_or(own)
}
