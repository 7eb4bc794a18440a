//! The verb `trace`: how a tour is found, step by step.
//!
//! What is traced is the work of the other verbs, and no search of its own: the rules of hints
//! ([`Known::next`]) and the suppositions that they refute ([`suppose`]), and the walk of `find`
//! over paths that are extended cell by cell ([`Extend`]), with its order, its restarts and its
//! seed. A [`Watched`] search is the same search that writes down what it does.
//!
//! A **step** does one thing, its **act**:
//!
//! | act | what happens |
//! |---|---|
//! | `force` | a number is put where it must be; the rule says why |
//! | `suppose` | a number is put somewhere to see what follows |
//! | `try` | one of several cells is tried for the next number |
//! | `dead-end` | the numbers on the board cannot be completed |
//! | `back` | numbers are taken off the board again |
//! | `restart` | the search begins anew, with ties broken in another way |
//! | `solved` | the board is full |
//! | `stop` | the search would go on, but no more steps were asked for |
//!
//! Numbers are taken off in the reverse order in which they were put, so each step says how many
//! are left of those that were put: **placed**. Its **level** is the number of suppositions and
//! tries among them.
//!
//! Look-ahead tries more suppositions than those that decide where a number is; only these are
//! steps, each with as few numbers as lead to its contradiction.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Advance, Outlook, Search, Walk};
use serde::{Deserialize, Serialize};

use super::extend::{Extend, Order, Sight};
use super::find::{attempted, first_grant, next_grant};
use super::options::{BACKTRACK, RULES_AND_SEARCH, STEPS, WARNSDORFF};
use super::reason::{CONTRADICTION, Chain, Contradiction, Over, RULES, Reason, Refuted, Step};
use super::rules::{ALL, Known, Next};
use super::suppose::suppose;
use super::task::Task;
use super::{EXHAUSTED, Tour, Work};
use crate::answer::{Answer, Subject, Value};
use crate::board::film::{Change, Film, Given, Scene, Tone};
use crate::board::{Board, Picture};
use crate::card::Method;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{self, Events};
use crate::label::heading;
use crate::plan::Plan;
use crate::question::Question;
use crate::table::{Datum, DatumKind, Table};

const SEARCH: Subject = Subject::measure("search", "the search, step by step");

/// The table of steps.
pub(super) const TABLE: &str = "steps";

/// The rule by which a search passes a number that is known.
const PASSED: &str = "known";

/// The kind of certificate that holds the numbers which rules forced, one after the other.
pub(super) const FORCED: &str = "forced";

/// The numbers that rules forced.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Forced {
    pub(super) steps: Vec<Step>,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Force,
    Suppose,
    Try,
    DeadEnd,
    Back,
    Restart,
    Solved,
    Stop,
}

impl Act {
    const ALL: [Act; 8] = [
        Act::Force,
        Act::Suppose,
        Act::Try,
        Act::DeadEnd,
        Act::Back,
        Act::Restart,
        Act::Solved,
        Act::Stop,
    ];

    fn id(self) -> &'static str {
        match self {
            Act::Force => "force",
            Act::Suppose => "suppose",
            Act::Try => "try",
            Act::DeadEnd => "dead-end",
            Act::Back => "back",
            Act::Restart => "restart",
            Act::Solved => "solved",
            Act::Stop => "stop",
        }
    }
}

/// One step.
#[derive(Clone, Debug)]
struct Row {
    act: Act,
    number: Option<u32>,
    cell: Option<u32>,
    rule: Option<&'static str>,
    /// Between how many cells the search chooses.
    choices: Option<usize>,
    level: usize,
    placed: usize,
    why: String,
}

/// What was done so far.
struct Log {
    task: Arc<Task>,
    rows: Vec<Row>,
    most: usize,
    /// For each number that was put, whether it is a supposition or a try.
    open: Vec<bool>,
    /// Whether a step was left out, because there are as many as were asked for.
    is_full: bool,
}

impl Log {
    fn new(task: &Arc<Task>, most: usize) -> Log {
        Log { task: task.clone(), rows: Vec::new(), most, open: Vec::new(), is_full: false }
    }

    fn add(&mut self, act: Act, number: Option<u32>, cell: Option<u32>, why: String) {
        if self.rows.len() == self.most {
            self.is_full = true;
        } else {
            self.end(act, number, cell, why);
        }
    }

    /// Adds a step, also beyond the limit: how it ended is always said.
    fn end(&mut self, act: Act, number: Option<u32>, cell: Option<u32>, why: String) {
        let level = self.open.iter().filter(|is_open| **is_open).count();
        let placed = self.open.len();
        let (rule, choices) = (None, None);
        self.rows.push(Row { act, number, cell, rule, choices, level, placed, why });
    }

    /// Puts a number on a cell.
    fn put(&mut self, act: Act, number: u32, cell: u32, rule: &'static str, why: String) {
        if self.rows.len() == self.most {
            self.is_full = true;
            return;
        }
        self.open.push(act != Act::Force);
        self.end(act, Some(number), Some(cell), why);
        if let Some(row) = self.rows.last_mut() {
            row.rule = Some(rule).filter(|rule| !rule.is_empty());
        }
    }

    fn name(&self, cell: u32) -> String {
        self.task.board.cell(cell as usize).to_string()
    }

    /// Takes numbers off until so many are left of those that were put; the last one taken off
    /// is this.
    fn back(&mut self, left: usize, number: u32, cell: u32) {
        let gone = self.open.len().saturating_sub(left);
        self.open.truncate(left);
        let what = format!("{number} at {}", self.name(cell));
        let why = match gone {
            1 => format!("Back: {what} is taken off again."),
            gone => format!("Back: {gone} numbers are taken off again, down to {what}."),
        };
        self.add(Act::Back, Some(number), Some(cell), why);
    }

    fn index(&self, cell: crate::board::Cell) -> u32 {
        // Rules name cells of the board.
        self.task.board.index(cell).map_or(0, |index| index as u32)
    }

    /// A number that a rule forces, from what is known before it.
    fn forced(&mut self, step: &Step, known: &Known) {
        let why = match &step.because {
            Reason::Suppose { over: Over::Cells, .. } => {
                format!("{} must be at {}: it can be nowhere else.", step.number, step.cell)
            }
            Reason::Suppose { over: Over::Numbers, .. } => {
                format!("{} must hold {}: no other number can be there.", step.cell, step.number)
            }
            _ => step.sentence(known),
        };
        let cell = self.index(step.cell);
        self.put(Act::Force, step.number, cell, RULES[step.because.rule()], why);
    }

    /// What is wrong with the numbers on the board.
    fn wrong(&mut self, end: &Contradiction, known: &Known) {
        if let Contradiction::Nowhere { number, refuted } = end {
            self.refuted(refuted, known);
            self.add(Act::DeadEnd, Some(*number), None, format!("{number} can be nowhere."));
            return;
        }
        let (number, cell) = match end {
            Contradiction::NotJoined { number } | Contradiction::NoCell { number } => {
                (Some(*number), known.cell(*number))
            }
            Contradiction::NoNumber { cell } | Contradiction::FewWays { cell, .. } => {
                (None, Some(*cell))
            }
            Contradiction::Nowhere { .. } => (None, None),
        };
        let cell = cell.map(|cell| self.index(cell));
        self.add(Act::DeadEnd, number, cell, format!("Dead end: {}.", end.sentence(known)));
    }

    /// Suppositions, each with what follows from it, and back again.
    fn refuted(&mut self, refuted: &[Refuted], known: &Known) {
        for Refuted { number, cell, then } in refuted {
            let before = self.open.len();
            let at = self.index(*cell);
            let why = format!("Suppose that {number} is at {cell}.");
            self.put(Act::Suppose, *number, at, "", why);
            let mut supposed = known.clone();
            supposed.place(*number, *cell);
            for step in &then.steps {
                if let Reason::Suppose { refuted, .. } = &step.because {
                    self.refuted(refuted, &supposed);
                }
                self.forced(step, &supposed);
                supposed.place(step.number, step.cell);
            }
            self.wrong(&then.end, &supposed);
            self.back(before, *number, at);
        }
    }
}

/// `first`, `2nd` …
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        _ if number == 1 => return "first".into(),
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// The search that extends paths, and a log of what it does.
struct Watched {
    search: Extend,
    log: Rc<RefCell<Log>>,
    /// Numbers that were put before the search began.
    base: usize,
    /// What was seen at the present node.
    sights: Vec<Sight>,
    /// For each node on the way down: how many steps it offers, and how many were taken.
    nodes: Vec<(usize, usize)>,
    /// The number that was taken off last, if that is not in the log yet.
    undone: Option<u32>,
    /// Whether cells are tried by Warnsdorff's rule.
    by_rule: bool,
}

impl Watched {
    fn new(search: Extend, log: &Rc<RefCell<Log>>, by_rule: bool) -> Watched {
        let base = log.borrow().open.len();
        let (log, sights, nodes) = (log.clone(), Vec::new(), Vec::new());
        Watched { search, log, base, sights, nodes, undone: None, by_rule }
    }

    fn length(&self) -> usize {
        self.search.path().len()
    }

    /// Writes down that numbers were taken off.
    fn flush(&mut self) {
        if let Some(cell) = self.undone.take() {
            let number = self.length() as u32 + 1;
            self.log.borrow_mut().back(self.base + self.length(), number, cell);
        }
    }

    /// Why there is no way on.
    fn dead(&self) -> (Option<u32>, String) {
        let name = |cell: u32| self.log.borrow().name(cell);
        let (length, next) = (self.length(), self.length() + 1);
        match self.sights.last() {
            Some(&Sight::Late(cell)) => (
                Some(cell),
                format!("{} can hold no number after {length}, and it was left out", name(cell)),
            ),
            Some(&Sight::FewWays(cell)) => {
                (Some(cell), format!("{} has too few ways left", name(cell)))
            }
            Some(Sight::Crowded) => {
                let pressing: Vec<String> = self
                    .sights
                    .iter()
                    .filter_map(|sight| match sight {
                        Sight::Pressing(cell) => Some(name(*cell)),
                        _ => None,
                    })
                    .collect();
                let cells = pressing.join(", ");
                (None, format!("the path would have to go to all of {cells} at once"))
            }
            Some(Sight::Apart) => {
                (None, "the last number is not one move from the first".to_owned())
            }
            _ => (None, format!("no free cell one move on can hold {next}")),
        }
    }

    /// Why the path goes there, and by which rule if it must.
    fn reason(&self, cell: u32, offered: usize, taken: usize) -> (Act, &'static str, String) {
        let name = |cell: u32| self.log.borrow().name(cell);
        let (number, at) = (self.length() as u32 + 1, name(cell));
        let mut last = String::new();
        if let Some(end) = self.sights.iter().find_map(|sight| match sight {
            Sight::Last(end) => Some(*end),
            _ => None,
        }) {
            last = format!(" {} has one way left, so the path must end there.", name(end));
        }
        if self.log.borrow().task.number_of(cell) == Some(number) {
            return (Act::Force, PASSED, format!("{number} is known to be at {at}.{last}"));
        }
        if offered == 1 {
            if number == 1 {
                let why = format!(
                    "1 is put at {at}, which has the fewest moves: a closed path passes every cell."
                );
                return (Act::Force, "start", why);
            }
            let why = if self.sights.contains(&Sight::Pressing(cell)) {
                format!(
                    "{number} must be at {at}: if the path went elsewhere, the cell would have \
                     only one way left."
                )
            } else {
                format!("{number} must be at {at}: it is the only cell that the path can go to.")
            };
            let rule =
                if self.sights.contains(&Sight::Pressing(cell)) { "needed" } else { "only-cell" };
            return (Act::Force, rule, why + &last);
        }
        let which = ordinal(taken);
        let free = self.search.free(cell);
        let cells = if free == 1 {
            "1 free neighbour".to_owned()
        } else {
            format!("{free} free neighbours")
        };
        let why = if self.by_rule && number > 1 {
            format!(
                "{number} is tried at {at}, which has {cells}: the {which} of {offered} cells.{last}"
            )
        } else {
            format!("{number} is tried at {at}: the {which} of {offered} cells.{last}")
        };
        (Act::Try, "", why)
    }
}

impl Search for Watched {
    type Step = u32;
    type Solution = Vec<u32>;

    fn look(&mut self, steps: &mut Vec<u32>) -> Outlook {
        self.sights.clear();
        let sights = &mut self.sights;
        let outlook = self.search.judged(steps, &mut |sight| sights.push(sight));
        match outlook {
            Outlook::Branch => {
                self.nodes.truncate(self.length());
                self.nodes.push((steps.len(), 0));
            }
            Outlook::Dead => {
                let (cell, why) = self.dead();
                self.log.borrow_mut().add(Act::DeadEnd, None, cell, format!("Dead end: {why}."));
            }
            Outlook::Solved => {}
        }
        outlook
    }

    fn take(&mut self, step: u32) {
        if self.undone.is_some() {
            self.flush();
            // What was seen belongs to another node.
            self.sights.clear();
        }
        let length = self.length();
        self.nodes.truncate(length + 1);
        let (offered, taken) = match self.nodes.last_mut() {
            Some((offered, taken)) => {
                *taken += 1;
                (*offered, *taken)
            }
            None => (1, 1),
        };
        let (act, rule, why) = self.reason(step, offered, taken);
        let mut log = self.log.borrow_mut();
        log.put(act, length as u32 + 1, step, rule, why);
        let is_written = act == Act::Try && !log.is_full;
        if let Some(row) = log.rows.last_mut().filter(|_| is_written) {
            row.choices = Some(offered);
        }
        drop(log);
        self.search.take(step);
    }

    fn undo(&mut self) {
        self.undone = self.search.path().last().copied();
        self.search.undo();
    }

    fn solution(&self) -> Vec<u32> {
        self.search.solution()
    }
}

/// Answers `trace`.
pub(super) struct Trace {
    most: usize,
    method: &'static Method,
    why: &'static str,
}

/// How a search ended.
enum End {
    /// With a tour.
    Solved(Vec<u32>),
    /// There is none; if the rules show it, why.
    None(Option<Chain>),
    /// There are as many steps as were asked for.
    Full,
}

impl Trace {
    pub(super) fn new(question: &Question, task: &Task) -> Trace {
        let most = question.number(&STEPS).unwrap_or(u64::MAX);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let methods = [&RULES_AND_SEARCH, &WARNSDORFF, &BACKTRACK];
        let asked = methods.into_iter().find(|method| question.method() == Some(method.id));
        let (method, why) = match asked {
            Some(method) => (method, "it was asked for"),
            None if task.is_numbered() => (&RULES_AND_SEARCH, "numbers are known to begin with"),
            None => (&WARNSDORFF, "nothing is known, so rules have nothing to begin with"),
        };
        Trace { most, method, why }
    }

    /// Follows the rules, with look-ahead, as long as they force a number; then how they ended,
    /// if they did.
    fn follow(
        known: &mut Known<'_>,
        forced: &mut Vec<Step>,
        log: &mut Log,
        run: &Run,
    ) -> Result<Option<End>, Stop> {
        let first = known.clone();
        while !log.is_full {
            run.tick(1)?;
            let mut next = known.next(ALL);
            if let Next::Stuck = next {
                if let Some(path) = known.path() {
                    return Ok(Some(End::Solved(path)));
                }
                if known.missing() == log.task.len() {
                    return Ok(None);
                }
                next = suppose(known, run)?;
            }
            match next {
                Next::Stuck => return Ok(None),
                Next::Wrong(end) => {
                    log.wrong(&end, known);
                    let chain = Chain { steps: std::mem::take(forced), end };
                    return Ok(Some(End::None(Some(first.shortened(chain)))));
                }
                Next::Step(step) => {
                    if let Reason::Suppose { refuted, .. } = &step.because {
                        log.refuted(refuted, known);
                    }
                    log.forced(&step, known);
                    known.place(step.number, step.cell);
                    forced.push(step);
                }
            }
        }
        Ok(Some(End::Full))
    }

    /// Extends paths, as `find` does.
    fn extend(&self, task: &Arc<Task>, log: &Rc<RefCell<Log>>, run: &Run) -> Result<End, Stop> {
        let by_rule = self.method.id != BACKTRACK.id;
        let (mut number, mut grant) = (0, if by_rule { first_grant(task) } else { u64::MAX });
        let warnsdorff = |random: &mut _| Order::warnsdorff(task.len(), random);
        loop {
            let path = if by_rule {
                attempted(task, warnsdorff, run.budget().seed, number)
            } else {
                Extend::new(task.clone(), Order::Plain)
            };
            let base = log.borrow().open.len();
            let mut walk = Walk::new(Watched::new(path, log, by_rule), run);
            loop {
                match walk.advance(1)? {
                    Advance::Found => return Ok(End::Solved(walk.search().search.path().to_vec())),
                    Advance::Exhausted => return Ok(End::None(None)),
                    Advance::Paused if log.borrow().is_full => return Ok(End::Full),
                    Advance::Paused if walk.nodes() == grant => break,
                    Advance::Paused => {}
                }
            }
            let mut log = log.borrow_mut();
            log.open.truncate(base);
            let why = format!(
                "The search begins anew: {grant} nodes were looked at. Ties are broken in another \
                 way, and the next attempt may look at more."
            );
            log.add(Act::Restart, None, None, why);
            (number, grant) = (number + 1, next_grant(grant));
        }
    }

    fn traced(
        &self,
        task: &Arc<Task>,
        forced: &mut Vec<Step>,
        log: &Rc<RefCell<Log>>,
        run: &Run,
    ) -> job::Work<End> {
        run.stage("tracing", 0);
        let mut known = Known::new(task);
        if self.method.id == RULES_AND_SEARCH.id
            && let Some(end) = Trace::follow(&mut known, forced, &mut log.borrow_mut(), run)?
        {
            return Ok(end);
        }
        let further = Arc::new(task.with(known.all())?);
        log.borrow_mut().task = further.clone();
        Ok(self.extend(&further, log, run)?)
    }
}

impl Work for Trace {
    fn subject(&self, task: &Task, value: &Value) -> Option<Subject> {
        Some(if *value == (Value::Described {}) { SEARCH } else { task.subject() })
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let plan = at.plan(self.method, self.why);
        Ok(plan.note(format!("At most {} steps are shown: --limit.", self.most)))
    }

    fn answer(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer> {
        let log = Rc::new(RefCell::new(Log::new(at.task, self.most)));
        let mut forced = Vec::new();
        let end = self.traced(at.task, &mut forced, &log, at.run());
        let mut log = log.borrow_mut();
        let mut answer = match end {
            Ok(End::Solved(path)) => {
                log.end(Act::Solved, None, None, "Solved: the board is full.".into());
                let _ = events.solution(at.solution(&path));
                at.asked.answer(&SEARCH, Value::Described {}, self.method)
            }
            Ok(End::Full) => at.asked.answer(&SEARCH, Value::Described {}, self.method),
            Ok(End::None(chain)) => {
                let proof = match &chain {
                    Some(chain) => chain.sentence(&mut Known::new(at.task)),
                    None => EXHAUSTED.to_owned(),
                };
                let proof = proof.trim_end_matches('.');
                let mut answer = at.answer(Value::none(proof), self.method);
                answer.certificate = chain.map(|chain| Certificate::own(CONTRADICTION, &chain));
                answer
            }
            Err(job::Halt::Stop(stop)) => at.gave_up(stop, self.method),
            Err(job::Halt::Error(error)) => return Err(error),
        };
        if answer.value == (Value::Described {}) {
            let is_solved = log.rows.last().is_some_and(|row| row.act == Act::Solved);
            answer.certificate = Some(if forced.is_empty() && is_solved {
                Certificate::solutions()
            } else {
                Certificate::own(FORCED, &Forced { steps: forced })
            });
        }
        if log.is_full {
            let most = self.most;
            let text = if answer.value == (Value::Described {}) {
                format!("The first {most} steps are shown (--limit); the search goes on.")
            } else {
                format!("The first {most} steps are shown (--limit); there are more.")
            };
            answer.notes.push(text.clone());
            log.end(Act::Stop, None, None, text);
        }
        facts(&log, &mut answer);
        answer.cost.nodes = Some(at.run().progress().handled);
        answer.seed = (self.method.id != BACKTRACK.id).then(|| at.run().budget().seed);
        answer.tables.push(table(&log));
        Ok(answer)
    }
}

fn facts(log: &Log, answer: &mut Answer) {
    let count = |acts: &[Act]| log.rows.iter().filter(|row| acts.contains(&row.act)).count();
    let all = [
        ("steps", "steps", &Act::ALL[..7]),
        ("forced", "numbers that a rule forced", &[Act::Force]),
        ("tries", "tries and suppositions", &[Act::Try, Act::Suppose]),
        ("dead-ends", "dead ends", &[Act::DeadEnd]),
        ("steps-back", "steps back", &[Act::Back, Act::Restart]),
    ];
    for (id, text, acts) in all {
        answer.fact(id, text, count(acts));
    }
    answer.fact("solved", "solved", count(&[Act::Solved]) == 1);
}

fn table(log: &Log) -> Table {
    let columns = [
        ("step", "step", DatumKind::Integer),
        ("act", "act", DatumKind::Text),
        ("number", "number", DatumKind::Integer),
        ("cell", "cell", DatumKind::Cell),
        ("rule", "rule", DatumKind::Text),
        ("choices", "of", DatumKind::Integer),
        ("level", "level", DatumKind::Integer),
        ("placed", "placed", DatumKind::Integer),
        ("why", "why", DatumKind::Text),
    ];
    let mut table = Table::new(TABLE, "Steps", &columns);
    for (step, row) in (1u64..).zip(&log.rows) {
        table.push([
            step.into(),
            row.act.id().into(),
            row.number.into(),
            row.cell.map(|cell| log.task.board.cell(cell as usize)).into(),
            row.rule.into(),
            row.choices.into(),
            row.level.into(),
            row.placed.into(),
            (&*row.why).into(),
        ]);
    }
    table
}

/// An answer to `trace` as a moving picture; nothing if there are no steps.
pub(super) fn film(answer: &Answer) -> Result<Option<String>> {
    let Some(table) = answer.table(TABLE).filter(|table| !table.rows.is_empty()) else {
        return Ok(None);
    };
    let drawing = answer.question.drawing()?;
    let board = &drawing.board;
    let is_closed = answer.question.flag(&super::options::CLOSED);
    let last = board.len() as u64;
    let beside = |number: u64, other: u64| {
        let is_end = is_closed && number.min(other) == 1 && number.max(other) == last;
        number.abs_diff(other) == 1 || is_end && number != other
    };
    // What is on the board, the clues first.
    let mut there: Vec<(u64, usize)> = Vec::new();
    let mut given = Vec::with_capacity(drawing.clues.len());
    for clue in &drawing.clues {
        let (number, cell) = (u64::from(clue.number), clue.cell);
        let joined = there.iter().filter(|(other, _)| beside(number, *other));
        let joined = joined.map(|(_, cell)| *cell).collect();
        given.push(Given { cell, label: number.to_string(), joined });
        there.push((number, cell));
    }
    // Of the numbers that were put, those that were not on the board before. A search that passes
    // a number which is there puts it again.
    let mut new: Vec<bool> = Vec::new();
    let mut scenes = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        let seen = Seen::of(table, row, board)
            .ok_or_else(|| Error::input(format!("The table {TABLE:?} cannot be drawn.")))?;
        let is_known = seen.rule.as_deref() == Some(PASSED);
        let tone = match seen.act {
            _ if is_known => Tone::Given,
            Act::Force | Act::Solved | Act::Stop => Tone::Forced,
            Act::Try | Act::Restart => Tone::Tried,
            Act::Suppose => Tone::Supposed,
            Act::DeadEnd | Act::Back => Tone::Wrong,
        };
        let change = match (seen.act, seen.number, seen.cell) {
            (Act::Force | Act::Try | Act::Suppose, Some(number), Some(cell)) => {
                let is_there = there.contains(&(number, cell));
                new.push(!is_there);
                if is_there {
                    Change::Nothing
                } else {
                    let joined = there.iter().filter(|(other, _)| beside(number, *other));
                    let joined = joined.map(|(_, cell)| *cell).collect();
                    there.push((number, cell));
                    Change::Put { cell, label: number.to_string(), joined }
                }
            }
            (Act::Back | Act::Restart, ..) => {
                new.truncate(seen.placed);
                let left = new.iter().filter(|is_new| **is_new).count();
                there.truncate(given.len() + left);
                Change::Keep(left)
            }
            _ => Change::Nothing,
        };
        scenes.push(Scene { caption: seen.why, tone, at: seen.cell, change });
    }
    let picture = Picture::new(board)
        .title(&format!("{}: the search, step by step", heading(&answer.question)));
    Ok(Some(Film::new(picture, given, scenes).to_svg()))
}

/// A step as the table has it.
struct Seen {
    act: Act,
    number: Option<u64>,
    cell: Option<usize>,
    rule: Option<String>,
    placed: usize,
    why: String,
}

impl Seen {
    fn of(table: &Table, row: &[Datum], board: &Board) -> Option<Seen> {
        let at = |id: &str| Some(&row[table.column(id)?]);
        let number = |id: &str| match at(id)? {
            Datum::Integer(number) => u64::try_from(number).ok(),
            _ => None,
        };
        let text = |id: &str| match at(id)? {
            Datum::Text(text) => Some(text.clone()),
            _ => None,
        };
        let act = text("act")?;
        let cell = match at("cell")? {
            Datum::Cell(cell) => Some(board.index(*cell)?),
            _ => None,
        };
        Some(Seen {
            act: Act::ALL.into_iter().find(|known| known.id() == act)?,
            number: number("number"),
            cell,
            rule: text("rule"),
            placed: usize::try_from(number("placed")?).ok()?,
            why: text("why")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;
    use crate::check::{Effort, Verdict};
    use crate::question::Verb;
    use crate::testing::{self, CATALOGUE};
    use pessoi_engine::run::Budget;

    fn run(seed: u64) -> Run {
        Run::new(Budget { seed, ..Budget::default() })
    }

    fn trace(game: &str, place: &str, options: &[(&str, &str)], seed: u64) -> Answer {
        let mut question = Question::new(Verb::Trace, game, place).unwrap();
        let menu = CATALOGUE.menu(CATALOGUE.game(game).unwrap().card(), Verb::Trace);
        for (name, text) in options {
            question.set(&menu, name, text).unwrap();
        }
        let answer = testing::ask(&question, &run(seed));
        answer.unwrap_or_else(|error| panic!("{}: {error}", question.words()))
    }

    fn verdict(answer: &Answer) -> Result<Verdict> {
        CATALOGUE.verify(&serde_json::to_vec(answer).unwrap(), Effort::Usual, &run(7))
    }

    fn rows(answer: &Answer) -> Vec<Seen> {
        let table = answer.table(TABLE).unwrap();
        let board = answer.question.board().unwrap();
        table.rows.iter().map(|row| Seen::of(table, row, board).unwrap()).collect()
    }

    fn acts(answer: &Answer) -> Vec<&'static str> {
        rows(answer).iter().map(|row| row.act.id()).collect()
    }

    /// Puts and takes off what the steps say; the numbers at the end, with their cells.
    fn replayed(answer: &Answer) -> Vec<(u64, Cell)> {
        let board = answer.question.board().unwrap();
        let mut there: Vec<(u64, usize)> = Vec::new();
        for row in rows(answer) {
            match (row.act, row.number, row.cell) {
                (Act::Force | Act::Try | Act::Suppose, Some(number), Some(cell)) => {
                    there.push((number, cell));
                }
                (Act::Back, Some(number), Some(cell)) => {
                    assert_eq!(there.get(row.placed), Some(&(number, cell)), "{}", row.why);
                    there.truncate(row.placed);
                }
                (Act::Restart, ..) => there.truncate(row.placed),
                (act, ..) => assert!(
                    matches!(act, Act::DeadEnd | Act::Solved | Act::Stop),
                    "{act:?} has no number"
                ),
            }
            assert_eq!(there.len(), row.placed, "{}", row.why);
        }
        there.into_iter().map(|(number, cell)| (number, board.cell(cell))).collect()
    }

    const HIDATO: &str = "1 . . 12\n. . . .\n. 6 . 16\n. . . .\n";

    /// What is shown is the search of `find`: node by node, from the same seed.
    #[test]
    fn a_trace_is_the_search_of_find() {
        for (game, place, method, seed) in [
            ("knight-tours", "6x6", "warnsdorff", 1),
            ("knight-tours", "5x6", "backtrack", 1),
            ("diplomatico", "6x6", "warnsdorff", 3),
            ("hidato", HIDATO, "backtrack", 1),
        ] {
            let shown = trace(game, place, &[("method", method), ("limit", "100000")], seed);
            let find = Question::new(Verb::Find, game, place).unwrap().with("method", method);
            let found = testing::ask(&find, &run(seed)).unwrap();
            assert_eq!(shown.solutions, found.solutions, "{game} {place} {method}");
            assert_eq!(shown.cost.nodes, found.cost.nodes, "{game} {place} {method}");
            let end = replayed(&shown);
            let path = found.solutions[0].figure.path();
            let expected: Vec<_> = (1..).zip(path.iter().copied()).collect();
            assert_eq!(end, expected, "{game} {place} {method}");
            assert!(verdict(&shown).unwrap().holds, "{:?}", verdict(&shown));
        }
    }

    #[test]
    fn a_search_goes_back_where_it_must() {
        let shown = trace("knight-tours", "5x5", &[("method", "backtrack")], 1);
        let acts = acts(&shown);
        for act in ["force", "try", "dead-end", "back", "solved"] {
            assert!(acts.contains(&act), "{act}: {acts:?}");
        }
        // After a dead end numbers are taken off, and then one is put.
        for pair in acts.windows(2) {
            assert!(pair[0] != "dead-end" || pair[1] == "back", "{pair:?}");
            assert!(pair[0] != "back" || ["force", "try"].contains(&pair[1]), "{pair:?}");
        }
    }

    /// Puzzles of all difficulties are solved by rules, and each rule is checked.
    #[test]
    fn puzzles_are_traced_by_their_rules() {
        let mut seen = std::collections::BTreeSet::new();
        for (k, difficulty) in ["easy", "medium", "hard", "hard"].into_iter().enumerate() {
            let generate = Question::new(Verb::Generate, "hidato", "5x5").unwrap();
            let generate = generate.with("difficulty", difficulty);
            let puzzle = testing::ask(&generate, &run(k as u64 + 1)).unwrap();
            let Some(crate::Place::Board(drawing)) = &puzzle.puzzle else { panic!("no puzzle") };
            let shown = trace("hidato", &drawing.to_text(), &[], 1);
            assert_eq!(shown.solutions, puzzle.solutions);
            assert_eq!(shown.method.id, "rules");
            let path = puzzle.solutions[0].figure.path();
            for (number, cell) in replayed(&shown) {
                assert_eq!(path[number as usize - 1], cell);
            }
            assert!(verdict(&shown).unwrap().holds, "{:?}", verdict(&shown));
            seen.extend(acts(&shown));
        }
        for act in ["force", "suppose", "dead-end", "back", "solved"] {
            assert!(seen.contains(act), "{act}: {seen:?}");
        }
    }

    #[test]
    fn where_rules_force_nothing_the_search_goes_on() {
        let shown =
            trace("knight-tours", "1 . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", &[], 1);
        assert_eq!(shown.method.id, "rules");
        assert_eq!(shown.solutions.len(), 1);
        assert!(acts(&shown).contains(&"try"));
        assert!(verdict(&shown).unwrap().holds, "{:?}", verdict(&shown));
    }

    #[test]
    fn a_contradiction_is_shown_and_proved() {
        let shown = trace("hidato", "1 . 2\n. . .\n. . .", &[], 1);
        let Value::None { proof } = &shown.value else { panic!("{:?}", shown.value) };
        assert!(proof.contains("not one move apart"), "{proof}");
        assert_eq!(acts(&shown), ["dead-end"]);
        let verdict = verdict(&shown).unwrap();
        assert!(verdict.holds, "{verdict:?}");
    }

    #[test]
    fn a_limit_is_said() {
        let shown = trace("knight-tours", "8x8", &[("limit", "10")], 1);
        assert!(shown.solutions.is_empty());
        assert_eq!(shown.fact_of("steps"), Some(&Datum::from(10u32)));
        assert_eq!(shown.fact_of("solved"), Some(&Datum::from(false)));
        let acts = acts(&shown);
        assert_eq!((acts.len(), acts[10]), (11, "stop"));
        assert!(shown.notes[0].contains("--limit"), "{:?}", shown.notes);
        assert!(verdict(&shown).unwrap().holds, "{:?}", verdict(&shown));
        // A limit within the rules, too.
        let few = trace("numbrix", "1 . 3\n. . .\n. . 9", &[("limit", "1")], 1);
        assert_eq!(few.fact_of("steps"), Some(&Datum::from(1u32)));
        let late = Run::stepping(
            Budget { time: Some(std::time::Duration::ZERO), ..Budget::default() },
            std::time::Duration::from_secs(1),
        );
        let question = Question::new(Verb::Trace, "knight-tours", "8x8").unwrap();
        let stopped = CATALOGUE.answer(&question, &late).unwrap();
        assert!(matches!(stopped.value, Value::GaveUp { stop: crate::Limit::Time { .. } }));
    }

    #[test]
    fn forged_traces_are_found_out() {
        let shown = trace("numbrix", "1 . 3\n. . .\n. . 9", &[], 1);
        let forge = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut json = serde_json::to_value(&shown).unwrap();
            change(&mut json);
            CATALOGUE.verify(&serde_json::to_vec(&json).unwrap(), Effort::Usual, &run(1))
        };
        assert!(forge(&|_| {}).unwrap().holds);
        let rule = forge(&|json| {
            json["certificate"]["steps"][0]["cell"] = "3,2".into();
        });
        assert!(rule.unwrap_err().sentence.contains("does not hold"));
        let step = forge(&|json| json["tables"][0]["rows"][0][0] = "5".into());
        assert!(step.unwrap_err().sentence.contains("tables.steps"));
        let tour = forge(&|json| json["solutions"][0]["cells"][1] = "2,1".into());
        tour.unwrap_err();
    }

    #[test]
    fn films_have_a_scene_for_each_step() {
        let shown = trace("hidato", HIDATO, &[], 1);
        let svg = film(&shown).unwrap().unwrap();
        let last = shown.table(TABLE).unwrap().rows.len();
        assert!(svg.contains(&format!(">Step {last} of {last}<")), "{svg}");
        assert_eq!(svg.matches(">Step ").count(), last);
        let mut broken = shown.clone();
        broken.tables[0].rows[0][1] = "leap".into();
        assert!(film(&broken).is_err());
    }

    /// Every number is drawn once and every move of the tour once, those between two clues too, however
    /// often the search passes a clue.
    #[test]
    fn films_draw_each_move_once() {
        let find = Question::new(Verb::Find, "hidato", HIDATO).unwrap();
        let found = testing::ask(&find, &run(1)).unwrap();
        let path = found.solutions[0].figure.path();
        let shown = |row: i32, col: i32| {
            let number = path.iter().position(|&cell| cell == Cell { row, col }).unwrap() + 1;
            if [1, 2, 6, 7, 12, 16].contains(&number) { number.to_string() } else { ".".into() }
        };
        let line = |row: i32| (0..4).map(|col| shown(row, col)).collect::<Vec<_>>().join(" ");
        let place = &(0..4).map(line).collect::<Vec<_>>().join("\n");
        for method in ["rules", "warnsdorff"] {
            let shown = trace("hidato", place, &[("method", method)], 1);
            assert_eq!(shown.solutions.len(), 1, "{method}");
            let svg = film(&shown).unwrap().unwrap();
            // What is there at the end: without a time, or visible where no time runs.
            let at_end = |element: &str| {
                let elements = svg.lines().filter(|line| line.starts_with(&format!("<{element} ")));
                elements.filter(|line| !line.contains("visibility=\"hidden\"")).count()
            };
            assert_eq!(at_end("line"), 15, "{method}");
            let discs = svg.lines().filter(|line| line.contains("class=\"disc\""));
            assert_eq!(discs.filter(|line| !line.contains("=\"hidden\"")).count(), 16, "{method}");
            assert!(svg.contains(">given<"));
        }
    }
}
