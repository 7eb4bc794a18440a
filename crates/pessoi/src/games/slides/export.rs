//! Exporting: the puzzle graph, or the board and its tiles to be made.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pessoi_engine::explore::layers;
use pessoi_engine::ledger::Chapter;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::symmetry::factorial;
use rustc_hash::FxHashMap;

use super::holes::Holes;
use super::methods::{DRAWING, LIST};
use super::options::{ALL, PIECES};
use super::plain::{Configurations, bytes_of_one};
use super::position::Position;
use super::task::Task;
use crate::answer::{Answer, Limit, Subject, Value};
use crate::error::{Error, Result};
use crate::export::Graph;
use crate::job::{Events, Job, Work};
use crate::label::heading;
use crate::plan::Plan;

const CONFIGURATIONS: Subject =
    Subject::things("configurations", "configuration", "configurations");
const TO_BE_MADE: Subject = Subject::measure("pieces", "the board and its tiles, to be made");

/// The most configurations of a graph that is written.
const MOST_NODES: u64 = 10_000_000;
/// How many times the list of configurations is in memory: itself, its index, and the graph.
const TIMES: f64 = 5.0;

/// Answers `export`.
pub(super) struct Exporting<'a> {
    task: Task<'a>,
    holes: usize,
}

impl<'a> Exporting<'a> {
    pub(super) fn new(task: Task<'a>) -> Result<Self> {
        task.refuse_isolated_start()?;
        let holes = task.number_of_holes()?;
        Ok(Exporting { task, holes })
    }

    fn is_pieces(&self) -> bool {
        self.task.question.flag(&PIECES)
    }

    fn is_all(&self) -> bool {
        self.task.question.flag(&ALL)
    }

    /// How many configurations there are to write.
    fn size(&self, run: &Run) -> Result<BigUint, Stop> {
        let task = &self.task;
        if self.is_all() {
            return Ok(factorial(task.puzzle.len()) / factorial(self.holes));
        }
        let sets = Holes::new(&task.puzzle, self.holes, run)?;
        let part = self.start().and_then(|start| sets.place(&start)).map(|(part, _)| part);
        Ok(part.map_or(BigUint::ZERO, |part| sets.parts[part].size()))
    }

    /// The configuration whose component is written; `None` if no tile can slide.
    fn start(&self) -> Option<Position> {
        self.task.from.clone().or_else(|| self.task.home(self.holes))
    }

    fn graph(&self, run: &Run) -> Work<Answer> {
        let task = &self.task;
        // Too large a graph is refused before it is made.
        let size = self.size(run)?;
        if size > BigUint::from(MOST_NODES) {
            return Err(too_many(&size).into());
        }
        let states = self.states(run)?;
        let graph = graph(task, &states, run)?;
        let number = states.len() as u64;
        let mut answer = task.asked(run).answer(&CONFIGURATIONS, Value::exact(number), &LIST);
        answer.cost.states = Some(number);
        answer.graph = Some(graph);
        Ok(answer)
    }

    /// The configurations to be written: those that can be reached, or all.
    fn states(&self, run: &Run) -> Work<Vec<Position>> {
        let cells = self.task.puzzle.len();
        if !self.is_all() {
            let start = self.start().ok_or_else(|| Error::internal("there is no start"))?;
            let space = Configurations::new(&self.task.puzzle.board);
            let found = layers(&space, [start], run, &Chapter::unkept())?;
            let depth = found.sizes().len() as u64;
            return Ok((0..depth).flat_map(|d| found.layer(d).cloned()).collect());
        }
        let mut claim = run.claim();
        claim.grow_to((self.size(run)? * bytes_of_one(cells)).to_u64().unwrap_or(u64::MAX))?;
        let mut all = vec![vec![0u8; cells]];
        for tile in 1..=(cells - self.holes) as u8 {
            run.check()?;
            let place = |position: &Vec<u8>| {
                let position = position.clone();
                let free = (0..position.len()).filter(|&cell| position[cell] == 0);
                let put = |cell: usize| {
                    let mut next = position.clone();
                    next[cell] = tile;
                    next
                };
                free.map(put).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(place).collect();
        }
        all.sort_unstable();
        Ok(all.into_iter().map(|cells| Position(cells.into())).collect())
    }
}

impl Job for Exporting<'_> {
    fn subject(&self, value: &Value) -> Option<Subject> {
        match value {
            Value::Described {} => Some(TO_BE_MADE),
            Value::Exact { .. } => Some(CONFIGURATIONS),
            _ => None,
        }
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let task = &self.task;
        if self.is_pieces() {
            return Ok(Plan::new(task.question, &DRAWING, "only the board is needed"));
        }
        if !self.is_all()
            && let Some(plan) = task.nothing_planned()
        {
            return Ok(plan);
        }
        let size = match self.size(run) {
            Ok(size) => size,
            Err(stop) => return Ok(task.cut_short(&LIST, &stop)),
        };
        if size > BigUint::from(MOST_NODES) {
            let why = format!("it would give up: {}", too_many(&size));
            return Ok(Plan::new(task.question, &LIST, &why));
        }
        let mut plan = Plan::new(task.question, &LIST, "every configuration is written");
        plan.states = size.to_f64();
        plan.bytes = plan.states.map(|size| size * TIMES * bytes_of_one(task.puzzle.len()) as f64);
        Ok(plan)
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        let task = &self.task;
        let asked = task.asked(run);
        if self.is_pieces() {
            let cells = task.puzzle.len();
            let mut answer = asked.answer(&TO_BE_MADE, Value::Described {}, &DRAWING);
            answer.fact("cells", "cells of the board", cells);
            answer.fact("tiles", "tiles", cells - self.holes);
            answer.notes.push("--format svg writes a sheet to cut, --format stl solids.".into());
            return Ok(answer);
        }
        if !self.is_all()
            && let Some(none) = task.nothing(&CONFIGURATIONS.which("that allow a slide"), run)
        {
            return Ok(none);
        }
        asked.settle(&CONFIGURATIONS, &LIST, self.graph(run))
    }
}

fn too_many(size: &BigUint) -> Limit {
    Limit::Size {
        text: format!("there are {size} configurations, and at most {MOST_NODES} are written"),
    }
}

fn graph(task: &Task, states: &[Position], run: &Run) -> Result<Graph, Stop> {
    let puzzle = &task.puzzle;
    let mut claim = run.claim();
    claim.grow_to(states.len() as u64 * 4 * bytes_of_one(puzzle.len()))?;
    let number: FxHashMap<&Position, u32> = states.iter().zip(0..).collect();
    let mut edges = Vec::new();
    let mut labels = Vec::new();
    for (from, position) in (0..).zip(states) {
        if from % 4096 == 0 {
            run.tick(4096)?;
        }
        puzzle.slides(position.holes(), |tile, hole| {
            // Each slide can be undone, and the edge is written once.
            if let Some(&to) = number.get(&position.after(tile, hole))
                && from < to
            {
                edges.push((from, to));
                labels.push(position.0[tile as usize].to_string());
            }
        });
    }
    Ok(Graph {
        name: heading(task.question),
        nodes: states.iter().map(|position| position.line(puzzle)).collect(),
        edges,
        labels,
        directed: false,
    })
}
