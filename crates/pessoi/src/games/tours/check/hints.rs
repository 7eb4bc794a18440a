//! Hints, followed by code that did not find them: sets of cells, and nothing of the rules that
//! gave the hint. What the rules say is defined in `reason`.

use std::collections::{BTreeMap, BTreeSet};

use pessoi_engine::run::Run;

use super::super::hint::{CELL, COMPLETE, EXAMPLE, Example, FORCED, LEVEL, NUMBER, RULE};
use super::super::reason::{
    CONTRADICTION, Chain, Contradiction, HINT, Hint, LEVELS, Over, RULES, Reason, Refuted, Step,
    Ways, level,
};
use super::super::trace::{self, Forced};
use super::{CutShort, Rules, forged, wrong};
use crate::answer::Answer;
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::check::{CERTIFICATE, Findings, SOLVED};
use crate::error::Result;
use crate::solution::Figure;

/// A board with some numbers on it.
#[derive(Clone)]
pub(super) struct State<'r, 'q> {
    rules: &'r Rules<'q>,
    cells: &'r BTreeMap<Cell, BTreeSet<Cell>>,
    at: BTreeMap<usize, Cell>,
}

/// What is said of one move: its two cells, the lower first.
type Edge = (Cell, Cell);

fn edge(a: Cell, b: Cell) -> Edge {
    (a.min(b), a.max(b))
}

/// Why a step does not follow, or that too much would have to be tried.
enum Fault {
    Wrong(String),
    Cut(CutShort),
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Fault::Wrong(why)
    }
}

type Follows = std::result::Result<(), Fault>;

fn no(why: impl Into<String>) -> Follows {
    Err(Fault::Wrong(why.into()))
}

impl Rules<'_> {
    /// All cells with those one move away.
    pub(super) fn moves(&self) -> BTreeMap<Cell, BTreeSet<Cell>> {
        self.cells.iter().map(|&cell| (cell, self.near(cell))).collect()
    }

    /// Checks a hint.
    pub(super) fn check_hint(&self, answer: &Answer, run: &Run) -> Result<Findings> {
        let Some(certificate) = &answer.certificate else {
            return wrong("a hint without a reason");
        };
        match &*certificate.kind {
            HINT => self.check_step(answer, certificate, run),
            EXAMPLE => self.check_example(answer, certificate),
            crate::certificate::SOLUTIONS => {
                let [solution] = &answer.solutions[..] else {
                    return forged(SOLVED, "the board is said to be complete and is not there");
                };
                let Figure::Path { cells, closed } = &solution.figure else {
                    return forged(SOLVED, "a solution is not a path");
                };
                self.check_path(cells, *closed)?;
                if self.fixed.len() != self.cells.len() {
                    return forged(SOLVED, "the board is not complete");
                }
                let how = "every number is given, and the path is a tour";
                Findings::checked(SOLVED, how).fact(answer, COMPLETE.0, COMPLETE.1, true, how)
            }
            _ => wrong("it is not a reason for a hint"),
        }
    }

    fn check_step(
        &self,
        answer: &Answer,
        certificate: &Certificate,
        run: &Run,
    ) -> Result<Findings> {
        let Hint { step } = certificate.read()?;
        let cells = self.moves();
        let state = State { rules: self, cells: &cells, at: self.fixed.clone() };
        let found = match state.follows(&step, run) {
            Ok(()) => Findings::checked(CERTIFICATE, "the number follows by its rule"),
            Err(Fault::Cut(cut)) => {
                Findings::unchecked(CERTIFICATE, format!("other cells were tried: {cut}"))
            }
            Err(Fault::Wrong(why)) => return wrong(why),
        };
        let rule = match &step.because {
            Reason::Beside {} => 0,
            Reason::Reach {} => 1,
            Reason::OnlyNumber {} => 2,
            Reason::Ways { .. } => 3,
            Reason::Suppose { .. } => 4,
            Reason::Search {} => 5,
        };
        let how = "it is what the reason is about";
        stated(answer, &[NUMBER.0, CELL.0, FORCED.0, RULE.0, LEVEL.0])?;
        found
            .fact(answer, NUMBER.0, NUMBER.1, step.number, how)?
            .fact(answer, CELL.0, CELL.1, step.cell, how)?
            .fact(answer, FORCED.0, FORCED.1, true, "it follows")?
            .fact(answer, RULE.0, RULE.1, RULES[rule], how)?
            .fact(answer, LEVEL.0, LEVEL.1, LEVELS[level(rule)], how)
    }

    /// Checks what a trace came to: the numbers that rules forced, and the tour.
    pub(super) fn check_trace(&self, answer: &Answer, run: &Run) -> Result<Findings> {
        let mut found = Findings::new();
        let mut tour = None;
        if let [solution] = &answer.solutions[..] {
            let Figure::Path { cells, closed } = &solution.figure else {
                return forged(SOLVED, "a solution is not a path");
            };
            self.check_path(cells, *closed)?;
            found = found.and(SOLVED, "the path is as asked");
            tour = Some(cells);
        } else if !answer.solutions.is_empty() {
            return forged(SOLVED, "a search ends with its first solution");
        }
        let Some(certificate) = answer.certificate.as_ref().filter(|one| one.kind == trace::FORCED)
        else {
            return Ok(found);
        };
        let Forced { steps } = certificate.read()?;
        let cells = self.moves();
        let mut state = State { rules: self, cells: &cells, at: self.fixed.clone() };
        for step in &steps {
            let follows =
                state.follows(step, run).and_then(|()| state.with(step.number, step.cell));
            state = match follows {
                Ok(state) => state,
                Err(Fault::Wrong(why)) => return wrong(why),
                Err(Fault::Cut(cut)) => {
                    return Ok(
                        found.but(CERTIFICATE, format!("not all rules were followed: {cut}"))
                    );
                }
            };
            if tour.is_some_and(|tour| tour.get(step.number as usize - 1) != Some(&step.cell)) {
                return wrong(format!("the tour has {} elsewhere", step.number));
            }
        }
        Ok(found.and(CERTIFICATE, format!("{} numbers follow by their rules", steps.len())))
    }

    /// A number of one solution, perhaps with another one that has it elsewhere.
    fn check_example(&self, answer: &Answer, certificate: &Certificate) -> Result<Findings> {
        let Example { number, cell, path, other } = certificate.read()?;
        self.check_path(&path, self.closed)?;
        let at = |path: &[Cell]| path.get((number as usize).wrapping_sub(1)).copied();
        if self.fixed.contains_key(&(number as usize)) || at(&path) != Some(cell) {
            return wrong(format!("{number} is not missing, or not at {cell}"));
        }
        let how = "a solution has it there";
        stated(answer, &[NUMBER.0, CELL.0])?;
        let mut found = Findings::checked(CERTIFICATE, how)
            .fact(answer, NUMBER.0, NUMBER.1, number, how)?
            .fact(answer, CELL.0, CELL.1, cell, how)?;
        if let Some(other) = other {
            self.check_path(&other, self.closed)?;
            if at(&other) == Some(cell) {
                return wrong(format!("both solutions have {number} at {cell}"));
            }
            found = found.fact(
                answer,
                FORCED.0,
                FORCED.1,
                false,
                "another solution has it elsewhere",
            )?;
        }
        Ok(found)
    }

    /// Whether numbers at some cells lead to a contradiction.
    pub(super) fn check_chain(
        &self,
        at: BTreeMap<usize, Cell>,
        chain: &Chain,
        run: &Run,
    ) -> Result<()> {
        let cells = self.moves();
        let state = State { rules: self, cells: &cells, at };
        match state.contradicts(chain, run) {
            Ok(()) => Ok(()),
            Err(Fault::Wrong(why)) => wrong(why),
            Err(Fault::Cut(cut)) => wrong(cut),
        }
    }

    /// Whether a certificate shows that the given numbers contradict each other.
    pub(super) fn check_contradiction(&self, certificate: &Certificate, run: &Run) -> Result<bool> {
        if certificate.kind != CONTRADICTION {
            return Ok(false);
        }
        self.check_chain(self.fixed.clone(), &certificate.read()?, run)?;
        Ok(true)
    }
}

/// A hint states these.
fn stated(answer: &Answer, ids: &[&str]) -> Result<()> {
    match ids.iter().find(|id| answer.fact_of(id).is_none()) {
        Some(id) => forged(&format!("facts.{id}"), "it is not stated"),
        None => Ok(()),
    }
}

impl State<'_, '_> {
    fn len(&self) -> usize {
        self.cells.len()
    }

    fn number(&self, cell: Cell) -> Option<usize> {
        self.at.iter().find(|(_, there)| **there == cell).map(|(&number, _)| number)
    }

    fn empty(&self) -> BTreeSet<Cell> {
        let full: BTreeSet<Cell> = self.at.values().copied().collect();
        self.cells.keys().copied().filter(|cell| !full.contains(cell)).collect()
    }

    fn missing(&self, number: usize) -> bool {
        (1..=self.len()).contains(&number) && !self.at.contains_key(&number)
    }

    fn after(&self, number: usize) -> Option<usize> {
        if number < self.len() { Some(number + 1) } else { self.rules.closed.then_some(1) }
    }

    fn before(&self, number: usize) -> Option<usize> {
        if number > 1 { Some(number - 1) } else { self.rules.closed.then_some(self.len()) }
    }

    fn beside(&self, number: usize) -> Vec<usize> {
        [self.before(number), self.after(number)].into_iter().flatten().collect()
    }

    /// For each number the cells that walks over empty cells reach in time, from both sides.
    fn reach(&self) -> BTreeMap<usize, BTreeSet<Cell>> {
        let empty = self.empty();
        let n = self.len();
        // A closed tour is read around from a known number; without one nothing is out of reach.
        let first = if self.rules.closed { self.at.keys().next().copied() } else { Some(1) };
        let Some(first) = first else {
            return (1..=n).map(|number| (number, empty.clone())).collect();
        };
        let walk = |from: usize, next: &dyn Fn(usize) -> Option<usize>| {
            let mut reached: BTreeMap<usize, BTreeSet<Cell>> = BTreeMap::new();
            let (mut number, mut last): (usize, Option<BTreeSet<Cell>>) = (from, None);
            loop {
                let here = match (self.at.get(&number), &last) {
                    (Some(cell), _) => BTreeSet::from([*cell]),
                    (None, None) => empty.clone(),
                    (None, Some(last)) => last
                        .iter()
                        .flat_map(|cell| &self.cells[cell])
                        .copied()
                        .filter(|cell| empty.contains(cell))
                        .collect(),
                };
                reached.insert(number, here.clone());
                last = Some(here);
                match next(number) {
                    Some(other) if !reached.contains_key(&other) => number = other,
                    _ => return reached,
                }
            }
        };
        let forth = walk(first, &|number| self.after(number));
        let back = walk(if self.rules.closed { first } else { n }, &|number| self.before(number));
        let both = |(number, cells): (usize, BTreeSet<Cell>)| {
            (number, cells.intersection(&back[&number]).copied().collect())
        };
        forth.into_iter().map(both).collect()
    }

    /// The same with one number more; it must be missing, and the cell empty.
    fn with(&self, number: u32, cell: Cell) -> std::result::Result<Self, Fault> {
        let number = number as usize;
        if !self.missing(number) || !self.empty().contains(&cell) {
            return Err(format!("{number} is not missing or {cell} is not empty").into());
        }
        let mut more = self.clone();
        more.at.insert(number, cell);
        Ok(more)
    }

    /// Whether a step follows by its rule.
    fn follows(&self, step: &Step, run: &Run) -> Follows {
        self.with(step.number, step.cell)?;
        let (number, cell) = (step.number as usize, step.cell);
        let only = BTreeSet::from([cell]);
        match &step.because {
            Reason::Beside {} => {
                let known: Vec<Cell> = self
                    .beside(number)
                    .iter()
                    .filter_map(|other| self.at.get(other).copied())
                    .collect();
                let cells: BTreeSet<Cell> = self
                    .empty()
                    .into_iter()
                    .filter(|cell| known.iter().all(|other| self.cells[other].contains(cell)))
                    .collect();
                if known.is_empty() || cells != only {
                    return no(format!("{number} can be elsewhere beside its neighbours"));
                }
            }
            Reason::Reach {} => {
                if self.reach()[&number] != only {
                    return no(format!("another cell is in reach of {number}"));
                }
            }
            Reason::OnlyNumber {} => {
                if self.numbers(cell) != BTreeSet::from([number]) {
                    return no(format!("another number can reach {cell}"));
                }
            }
            Reason::Ways { ways } => {
                let mut web = Web::new(self);
                if ways.is_empty() {
                    let ends: BTreeSet<usize> =
                        [1, self.len()].into_iter().filter(|&end| self.missing(end)).collect();
                    let is_end = !self.rules.closed
                        && ends == BTreeSet::from([number])
                        && web.single == only
                        && !web.is_short;
                    return if is_end { Ok(()) } else { no(format!("{cell} need not be an end")) };
                }
                if web.is_short || !web.follow(ways)? {
                    return no("ways that cannot be taken put no number anywhere");
                }
                let leads = |&to: &Cell| {
                    let Some(other) = self.number(to) else { return false };
                    let open: Vec<usize> =
                        self.beside(other).into_iter().filter(|&k| self.missing(k)).collect();
                    web.taken.contains(&edge(cell, to)) && open == [number]
                };
                if !self.cells[&cell].iter().any(leads) {
                    return no(format!("no way that is taken leads to {cell} with {number}"));
                }
            }
            Reason::Suppose { over: Over::Cells, refuted } => {
                let mut left = self.reach().remove(&number).unwrap_or_default();
                for refuted in refuted {
                    if refuted.number != step.number || !left.remove(&refuted.cell) {
                        return no("something else is refuted");
                    }
                    self.refuted(refuted, run)?;
                }
                if left != only {
                    return no(format!("{number} can be elsewhere"));
                }
            }
            Reason::Suppose { over: Over::Numbers, refuted } => {
                let mut left = self.numbers(cell);
                for refuted in refuted {
                    if refuted.cell != cell || !left.remove(&(refuted.number as usize)) {
                        return no("something else is refuted");
                    }
                    self.refuted(refuted, run)?;
                }
                if left != BTreeSet::from([number]) {
                    return no(format!("another number can be at {cell}"));
                }
            }
            Reason::Search {} => {
                for other in self.reach().remove(&number).unwrap_or_default() {
                    if other != cell {
                        self.tried(number, other, run)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The missing numbers that can reach a cell.
    fn numbers(&self, cell: Cell) -> BTreeSet<usize> {
        let reach = self.reach();
        (1..=self.len()).filter(|&k| self.missing(k) && reach[&k].contains(&cell)).collect()
    }

    /// Tries everything with a number at a cell.
    fn tried(&self, number: usize, cell: Cell, run: &Run) -> Follows {
        let mut fixed = self.at.clone();
        fixed.insert(number, cell);
        match self.rules.with_fixed(fixed).recount(run) {
            Ok(0) => Ok(()),
            Ok(_) => no(format!("there is a solution with {number} at {cell}")),
            Err(cut) => Err(Fault::Cut(cut)),
        }
    }

    fn refuted(&self, refuted: &Refuted, run: &Run) -> Follows {
        self.with(refuted.number, refuted.cell)?.contradicts(&refuted.then, run)
    }

    fn contradicts(&self, chain: &Chain, run: &Run) -> Follows {
        let mut state = self.clone();
        for step in &chain.steps {
            state.follows(step, run)?;
            state = state.with(step.number, step.cell)?;
        }
        state.is_wrong(&chain.end, run)
    }

    fn is_wrong(&self, end: &Contradiction, run: &Run) -> Follows {
        let holds = match end {
            Contradiction::NotJoined { number } => {
                let number = *number as usize;
                let next = self.after(number).and_then(|next| self.at.get(&next));
                match (self.at.get(&number), next) {
                    (Some(here), Some(next)) => {
                        here != next
                            && !self.cells.get(here).is_some_and(|near| near.contains(next))
                    }
                    _ => false,
                }
            }
            Contradiction::NoCell { number } => {
                let number = *number as usize;
                self.missing(number) && self.reach()[&number].is_empty()
            }
            Contradiction::NoNumber { cell } => {
                self.empty().contains(cell) && self.numbers(*cell).is_empty()
            }
            Contradiction::FewWays { cell, ways } => {
                let mut web = Web::new(self);
                if web.is_short {
                    ways.is_empty()
                } else {
                    !web.follow(ways)? || web.has_few(*cell)
                }
            }
            Contradiction::Nowhere { number, refuted } => {
                let mut left =
                    self.reach().remove(&(*number as usize)).unwrap_or_else(|| self.empty());
                for refuted in refuted {
                    if refuted.number != *number || !left.remove(&refuted.cell) {
                        return no("something else is refuted");
                    }
                    self.refuted(refuted, run)?;
                }
                self.missing(*number as usize) && left.is_empty()
            }
        };
        if holds { Ok(()) } else { no("what is said to contradict does not") }
    }
}

/// Moves that must be made.
struct Web<'s, 'r, 'q> {
    state: &'s State<'r, 'q>,
    /// Moves at each cell, at most.
    need: BTreeMap<Cell, usize>,
    /// Empty cells with one way.
    single: BTreeSet<Cell>,
    /// Whether some empty cell has no way, or more have one than can be ends.
    is_short: bool,
    /// Whether it is known which empty cells are ends.
    are_ends_known: bool,
    taken: BTreeSet<Edge>,
}

impl<'s, 'r, 'q> Web<'s, 'r, 'q> {
    fn new(state: &'s State<'r, 'q>) -> Self {
        let mut need = BTreeMap::new();
        for &cell in state.cells.keys() {
            let moves = match state.number(cell) {
                None => 2,
                Some(number) => {
                    state.beside(number).into_iter().filter(|&other| state.missing(other)).count()
                }
            };
            need.insert(cell, moves);
        }
        let mut web = Web {
            state,
            need,
            single: BTreeSet::new(),
            is_short: false,
            are_ends_known: true,
            taken: BTreeSet::new(),
        };
        if state.len() < 2 {
            return web;
        }
        let ends = [1, state.len()].into_iter().filter(|&end| state.missing(end)).count();
        let ends = if state.rules.closed { 0 } else { ends };
        for cell in state.empty() {
            match web.ways(cell).len() {
                0 => web.is_short = true,
                1 => _ = web.single.insert(cell),
                _ => {}
            }
        }
        web.is_short |= web.single.len() > ends;
        web.are_ends_known = web.single.len() == ends;
        if web.are_ends_known {
            for cell in web.single.clone() {
                web.need.insert(cell, 1);
            }
        }
        web
    }

    fn taken_at(&self, cell: Cell) -> usize {
        self.taken.iter().filter(|(a, b)| *a == cell || *b == cell).count()
    }

    /// All cells that known neighbours and taken moves join to a cell.
    fn joined(&self, cell: Cell) -> BTreeSet<Cell> {
        let state = self.state;
        let mut seen = BTreeSet::from([cell]);
        let mut queue = vec![cell];
        while let Some(here) = queue.pop() {
            let beside = state.number(here).map(|number| state.beside(number)).unwrap_or_default();
            let beside = beside.iter().filter_map(|other| state.at.get(other).copied());
            let taken = self.taken.iter().filter_map(|&(a, b)| match here {
                _ if here == a => Some(b),
                _ if here == b => Some(a),
                _ => None,
            });
            for there in beside.chain(taken) {
                if seen.insert(there) {
                    queue.push(there);
                }
            }
        }
        seen
    }

    fn is_open(&self, a: Cell, b: Cell) -> bool {
        let state = self.state;
        if state.number(a).is_some() && state.number(b).is_some() {
            return false;
        }
        if self.taken.contains(&edge(a, b))
            || self.taken_at(a) >= self.need[&a]
            || self.taken_at(b) >= self.need[&b]
        {
            return false;
        }
        let part = self.joined(a);
        !part.contains(&b) || (state.rules.closed && part.len() == state.len())
    }

    /// Moves that are taken or can be.
    fn ways(&self, cell: Cell) -> BTreeSet<Cell> {
        let near = self.state.cells.get(&cell).into_iter().flatten().copied();
        near.filter(|&to| self.taken.contains(&edge(cell, to)) || self.is_open(cell, to)).collect()
    }

    fn is_sure(&self, cell: Cell) -> bool {
        self.state.cells.contains_key(&cell)
            && (self.are_ends_known || self.state.number(cell).is_some())
    }

    fn has_few(&self, cell: Cell) -> bool {
        self.is_sure(cell) && self.ways(cell).len() < self.need[&cell]
    }

    /// Takes the ways of one cell after the other; says whether all could be taken.
    fn follow(&mut self, ways: &[Ways]) -> std::result::Result<bool, Fault> {
        for Ways { cell, to } in ways {
            let stated: BTreeSet<Cell> = to.iter().copied().collect();
            let is_sure = self.is_sure(*cell);
            if !is_sure || stated.len() != self.need[cell] || self.ways(*cell) != stated {
                return Err(format!("{cell} has other ways than those").into());
            }
            for &to in to {
                if self.taken.contains(&edge(*cell, to)) {
                    continue;
                }
                if !self.is_open(*cell, to) {
                    return Ok(false);
                }
                self.taken.insert(edge(*cell, to));
            }
        }
        Ok(true)
    }
}
