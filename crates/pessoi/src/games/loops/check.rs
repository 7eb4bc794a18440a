//! The checker: loops looked at by code that did not find them.
//!
//! It uses the cells and the rules, and nothing of words, turns, tables of crossings or half
//! loops. Numbers are checked by visiting every loop from its first cell (that of the lowest
//! row, and there of the lowest column) and comparing each with all its images, which takes
//! far longer than counting did; a time limit leaves them unchecked.

use std::collections::HashSet;

use num_bigint::BigUint;
use pessoi_engine::run::{Run, Stop};

use super::options::{
    BOARD, CONGRUENT, DRAWS, FIND_LIMIT, LIST_LIMIT, LONGEST, NON_CROSSING, OPEN, PAGE, PARTS,
    PATH, SEQUENCE, SYMMETRY,
};
use crate::again;
use crate::answer::{Answer, Term, Value};
use crate::board::Board;
use crate::check::{CLASSES, Findings, SOLVED, Standing, TERMS, VALUE};
use crate::error::{Error, Result};
use crate::question::{Place, Question, Verb};
use crate::solution::Figure;

type Cell = (i64, i64);

/// Says that a field of an answer does not hold.
fn wrong<T>(field: &str, why: impl std::fmt::Display) -> Result<T> {
    Err(Error::forged(field, format!("The answer does not hold: {why}.")))
}

/// Checks an answer of loops with these leapers.
pub(super) fn check(answer: &Answer, leapers: &[(i32, i32)], run: &Run) -> Result<Findings> {
    let question = &answer.question;
    let leapers: Vec<Cell> =
        leapers.iter().map(|&(a, b)| (i64::from(a.min(b)), i64::from(a.max(b)))).collect();
    if matches!(answer.value, Value::GaveUp { .. }) {
        return Ok(Findings::unchecked(VALUE, "the answer itself gave up"));
    }
    if question.flag(&LONGEST) {
        let found = check_longest(answer, &leapers, run)?;
        return Ok(found.reads(&[&LONGEST, &OPEN, &NON_CROSSING]));
    }
    let path = question.is_given(&PATH);
    let length = match (&question.place, answer.solutions.first()) {
        (Place::Size(length @ 3..=64), _) => *length as usize,
        (Place::Nowhere, Some(solution)) if path => solution.figure.path().len(),
        _ => return Ok(Findings::new()),
    };
    let rules = Rules::new(question, leapers, length)?;
    let found = if let Some(sequence) = &answer.sequence {
        rules.check_terms(answer, &sequence.terms, run)?.reads(&[&SEQUENCE])
    } else {
        rules.check_value(answer, path, run)?
    };
    Ok(found.reads(&[&NON_CROSSING, &CONGRUENT, &SYMMETRY, &BOARD]))
}

fn unfit() -> Result<Findings> {
    wrong("value", "the value is none that this question can have")
}

struct Rules {
    leapers: Vec<Cell>,
    length: usize,
    non_crossing: bool,
    congruent: bool,
    board: Option<Cell>,
    /// How many of the images below make no difference.
    images: usize,
}

/// The images of a cell: first the rotations, then those of the mirror image.
fn images((x, y): Cell) -> [Cell; 8] {
    [(x, y), (-y, x), (-x, -y), (y, -x), (x, -y), (y, x), (-x, y), (-y, -x)]
}

impl Rules {
    fn new(question: &Question, leapers: Vec<Cell>, length: usize) -> Result<Rules> {
        let board = match question.text(&BOARD) {
            None => None,
            Some(text) => {
                let sides = text.split_once(['x', '×']);
                let side = |side: &str| side.trim().parse::<i64>().ok();
                let sides = sides.and_then(|(a, b)| Some((side(a)?, side(b)?)));
                Some(sides.map_or_else(|| wrong("question", "--board cannot be read"), Ok)?)
            }
        };
        Ok(Rules {
            leapers,
            length,
            non_crossing: question.flag(&NON_CROSSING),
            congruent: question.flag(&CONGRUENT),
            board,
            images: match question.text(&SYMMETRY) {
                Some("fixed") => 1,
                Some("one-sided") => 4,
                _ => 8,
            },
        })
    }

    fn check_value(&self, answer: &Answer, path: bool, run: &Run) -> Result<Findings> {
        let question = &answer.question;
        match (&answer.value, question.verb) {
            (Value::None { .. }, _) if self.is_odd_one_out() => Ok(Findings::checked(
                VALUE,
                format!("every move changes a colour, and {} is odd", self.length),
            )
            .reads(&[&LIST_LIMIT, &PARTS, &PAGE])),
            (Value::None { .. }, Verb::Estimate) => unfit(),
            (_, Verb::Count) if !question.part().is_whole() => {
                Ok(Findings::unchecked(VALUE, "which loops are of this part was not checked"))
            }
            (Value::None { .. }, _) => {
                Ok(self.recount(&BigUint::ZERO, run)?.reads(&[&LIST_LIMIT, &PARTS, &PAGE]))
            }
            (Value::Exact { number }, Verb::Count | Verb::Analyze) => self.recount(number, run),
            (
                Value::Exact { number } | Value::AtLeast { number, .. },
                Verb::List | Verb::Classify | Verb::Find,
            ) => self.check_list(answer, number, path, run),
            (Value::AtLeast { number, stop }, Verb::Sample) => {
                let asked = question.number(&DRAWS).unwrap_or(1);
                let there = answer.solutions.len() as u64;
                if *number != BigUint::from(there) || stop.is_none() && there != asked {
                    return wrong("value", format!("{number} are stated, {there} are shown"));
                }
                for solution in &answer.solutions {
                    let Figure::Path { cells, closed: true } = &solution.figure else {
                        return wrong(SOLVED, "a sample is no closed path".to_owned());
                    };
                    let cell =
                        |cell: &crate::board::Cell| (i64::from(cell.row), i64::from(cell.col));
                    let cells: Vec<Cell> = cells.iter().map(cell).collect();
                    if let Err(why) = self.check_loop(&cells) {
                        return wrong(SOLVED, format!("a sample is no such loop: {why}"));
                    }
                }
                let how = format!("{there} loops are such as was asked for");
                Ok(Findings::checked(SOLVED, how).and(VALUE, "so many are shown").reads(&[&DRAWS]))
            }
            (Value::AtLeast { .. }, Verb::Count) | (Value::Estimated(_), Verb::Estimate) => {
                Ok(Findings::new())
            }
            _ => unfit(),
        }
    }

    fn joined(&self, a: Cell, b: Cell) -> bool {
        let (down, across) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        self.leapers.contains(&(down.min(across), down.max(across)))
    }

    /// Whether the length is odd and all loops are even.
    fn is_odd_one_out(&self) -> bool {
        self.length % 2 == 1 && self.alternates()
    }

    /// Whether all moves change the parity of the same sum.
    fn alternates(&self) -> bool {
        let Some(common) = self.leapers.iter().map(|l| gcd(l.0, l.1)).reduce(gcd) else {
            return false;
        };
        let reduced = |l: &Cell| (l.0 / common, l.1 / common);
        let by_sum = self.leapers.iter().map(reduced).all(|(a, b)| (a + b) % 2 == 1);
        let by_row = self.leapers.iter().map(reduced).all(|(a, b)| a % 2 == 1 && b % 2 == 1);
        by_sum || by_row
    }

    /// Whether these cells are a loop as asked; or why not.
    fn check_loop(&self, cells: &[Cell]) -> std::result::Result<(), String> {
        if cells.len() < 3 {
            return Err(format!("it has {} cells", cells.len()));
        }
        if cells.len() != self.length {
            return Err(format!("it has {} cells, not {}", cells.len(), self.length));
        }
        if cells.iter().collect::<HashSet<_>>().len() != cells.len() {
            return Err("it visits a cell twice".into());
        }
        for (at, &cell) in cells.iter().enumerate() {
            let next = cells[(at + 1) % cells.len()];
            if !self.joined(cell, next) {
                return Err(format!("its step {} is no move", at + 1));
            }
        }
        if self.non_crossing && !is_simple(cells) {
            return Err("it crosses itself".into());
        }
        if !self.fits(cells) {
            return Err("it does not fit the board".into());
        }
        Ok(())
    }

    /// Whether some image that counts as the same fits the board.
    fn fits(&self, cells: &[Cell]) -> bool {
        let Some((rows, cols)) = self.board else { return true };
        let side = |of: fn(&Cell) -> i64| {
            let all = || cells.iter().map(of);
            all().max().unwrap_or(0) - all().min().unwrap_or(0) + 1
        };
        let (own_rows, own_cols) = (side(|cell| cell.0), side(|cell| cell.1));
        own_rows <= rows && own_cols <= cols
            || self.images > 1 && own_cols <= rows && own_rows <= cols
    }

    /// The smallest of all sequences of cells of the images that make no difference.
    fn normal(&self, cells: &[Cell]) -> Vec<Cell> {
        if self.congruent {
            return shape(cells);
        }
        let each = (0..self.images).map(|image| sequence(cells, image));
        each.min().unwrap_or_default()
    }

    fn check_list(
        &self,
        answer: &Answer,
        number: &BigUint,
        path: bool,
        run: &Run,
    ) -> Result<Findings> {
        if BigUint::from(answer.solutions.len()) != *number {
            return wrong(
                "value",
                format!("{number} loops are stated, but there are {}", answer.solutions.len()),
            );
        }
        let is_classes = answer.question.verb == Verb::Classify;
        let mut seen = HashSet::new();
        for (at, solution) in (1..).zip(&answer.solutions) {
            if at % 1000 == 0
                && let Err(stop) = run.tick(1000)
            {
                return Ok(Findings::unchecked(SOLVED, stop.to_string()));
            }
            let Figure::Path { cells, closed: true } = &solution.figure else {
                return wrong("solutions", format!("solution {at} is no closed path"));
            };
            let cells: Vec<Cell> =
                cells.iter().map(|cell| (i64::from(cell.row), i64::from(cell.col))).collect();
            if let Err(why) = self.check_loop(&cells) {
                return wrong("solutions", format!("of loop {at}, {why}"));
            }
            if !seen.insert(self.normal(&cells)) {
                return wrong("solutions", format!("loop {at} is the same as one before it"));
            }
            match &solution.class {
                Some(class) if class.orbit != self.orbit(&cells) => {
                    let (stated, found) = (class.orbit, self.orbit(&cells));
                    let why = format!("the class of loop {at} has {found} loops, not {stated}");
                    return wrong("solutions", why);
                }
                Some(_) if !is_classes => {
                    return wrong("solutions", format!("loop {at} has a class"));
                }
                None if is_classes => {
                    return wrong("solutions", format!("loop {at} has no class"));
                }
                _ => {}
            }
        }
        let how = match seen.len() {
            0 => "no loop is listed".to_owned(),
            1 => "the one loop is as asked".to_owned(),
            number => format!("{number} loops are as asked, and no two are the same"),
        };
        let mut found = Findings::checked(SOLVED, how);
        if is_classes {
            found = found.and(CLASSES, "the loops of each class were counted again");
        }
        if path {
            return Ok(found.but(VALUE, "that the path leads to this loop was not checked"));
        }
        if answer.question.is_given(&PAGE) {
            return Ok(found.but(VALUE, "whether this is the page asked for was not checked"));
        }
        let limit = if answer.question.verb == Verb::Find { FIND_LIMIT } else { LIST_LIMIT };
        if answer.question.number(&limit).is_some_and(|most| answer.solutions.len() as u64 > most) {
            return wrong("value", "more are given than were asked for");
        }
        if let Value::AtLeast { stop, .. } = &answer.value {
            let asked = answer.question.number(&limit).unwrap_or(u64::MAX);
            let given = answer.solutions.len() as u64;
            if given > asked || stop.is_none() && given != asked {
                return wrong("value", format!("{asked} were asked for and {given} are given"));
            }
            if stop.is_some() {
                return Ok(found.but(VALUE, "it was stopped, and why cannot be checked"));
            }
            let how = "so many are given, and there may be more";
            return Ok(found.and(VALUE, how).reads(&[&limit]));
        }
        if !answer.question.part().is_whole() {
            return Ok(found.but(VALUE, "whether this is the whole part was not checked"));
        }
        Ok(found.plus(self.recount(number, run)?))
    }

    /// Checks the terms of a sequence: those of all lengths up to the one that is asked for.
    fn check_terms(&self, answer: &Answer, terms: &[Term], run: &Run) -> Result<Findings> {
        let each = if self.alternates() { 2 } else { 1 };
        let lengths: Vec<usize> = (3..=self.length).filter(|length| length % each == 0).collect();
        let indexes = lengths.iter().map(|length| (length / each) as u64);
        if !indexes.eq(terms.iter().map(|term| term.n)) {
            return wrong("sequence", "the terms are not those of the lengths asked for");
        }
        let is_last = match (&answer.value, terms.last()) {
            (value, _) if self.is_odd_one_out() => matches!(value, Value::None { .. }),
            (value, Some(last)) => value.number().as_ref() == Some(&last.value),
            (_, None) => false,
        };
        if !is_last {
            return wrong("value", "the number is not the last term");
        }
        if !answer.question.part().is_whole() {
            return Ok(Findings::unchecked(TERMS, "which loops are of this part was not checked"));
        }
        // Without a limit the last length alone could take for ever.
        let patience = run.budget().time.is_none().then_some(again::PATIENCE);
        let run = &run.part(again::budget(run, patience));
        for (&length, term) in lengths.iter().zip(terms) {
            let rules = Rules { length, leapers: self.leapers.clone(), ..*self };
            let found = rules.recount(&term.value, run)?;
            if let Some(finding) = found.of(VALUE)
                && finding.standing != Standing::Checked
            {
                return Ok(Findings::unchecked(TERMS, format!("{length} cells: {}", finding.text)));
            }
        }
        let how = "a plain search for all loops of each length agrees";
        Ok(Findings::checked(TERMS, how).and(VALUE, "it is the last term"))
    }

    /// How many loops that translation tells apart are the same as this one.
    fn orbit(&self, cells: &[Cell]) -> u64 {
        let mut all: HashSet<Vec<Cell>> =
            (0..self.images).map(|image| sequence(cells, image)).collect();
        if self.congruent {
            // Turned and mirrored so that the first step becomes some other move of its length.
            let first = (cells[1].0 - cells[0].0, cells[1].1 - cells[0].1);
            let norm = first.0 * first.0 + first.1 * first.1;
            let moves = self.leapers.iter().flat_map(|&leaper| images(leaper));
            for to in moves.filter(|to| to.0 * to.0 + to.1 * to.1 == norm) {
                for sign in [1, -1] {
                    let turned = |&(x, y): &Cell| {
                        let (x, y) = (x - cells[0].0, y - cells[0].1);
                        // Along the first step and across it, times its squared length.
                        let along = x * first.0 + y * first.1;
                        let across = sign * (first.0 * y - first.1 * x);
                        (along * to.0 - across * to.1, along * to.1 + across * to.0)
                    };
                    let image: Vec<Cell> = cells.iter().map(turned).collect();
                    let is_whole = image.iter().all(|c| c.0 % norm == 0 && c.1 % norm == 0);
                    let image: Vec<Cell> = image.iter().map(|c| (c.0 / norm, c.1 / norm)).collect();
                    if is_whole && self.check_loop(&image).is_ok() {
                        all.insert(sequence(&image, 0));
                    }
                }
            }
        }
        all.len() as u64
    }

    /// Visits every loop again.
    fn recount(&self, stated: &BigUint, run: &Run) -> Result<Findings> {
        let mut count = Count {
            rules: self,
            run,
            found: 0,
            shapes: HashSet::new(),
            path: vec![(0, 0)],
            nodes: 0,
        };
        if let Err(stop) = count.extend() {
            let why = format!("there was no time to count again: {stop}");
            return Ok(Findings::unchecked(VALUE, why));
        }
        let found = if self.congruent { count.shapes.len() as u64 } else { count.found };
        if BigUint::from(found) != *stated {
            let why = format!("{stated} are stated, but a plain search finds {found}");
            return wrong("value", why);
        }
        Ok(Findings::checked(VALUE, format!("a plain search for all loops agrees: {found}")))
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The smaller direction of an image, moved to the corner, from its smallest cell.
fn sequence(cells: &[Cell], image: usize) -> Vec<Cell> {
    let mut turned: Vec<Cell> = cells.iter().map(|&cell| images(cell)[image]).collect();
    let low_row = turned.iter().map(|cell| cell.0).min().unwrap_or(0);
    let low_col = turned.iter().map(|cell| cell.1).min().unwrap_or(0);
    for cell in &mut turned {
        *cell = (cell.0 - low_row, cell.1 - low_col);
    }
    let first = (0..turned.len()).min_by_key(|&at| turned[at]).unwrap_or(0);
    turned.rotate_left(first);
    if turned.len() > 2 && turned[1] > turned[turned.len() - 1] {
        turned[1..].reverse();
    }
    turned
}

/// What congruent loops have in common and others have not: going round, the length of each
/// step and its angle to the next (as inner and outer product), from the start, in the
/// direction and with the sign of the angles that make this smallest.
fn shape(cells: &[Cell]) -> Vec<Cell> {
    let k = cells.len();
    let mut least: Option<Vec<Cell>> = None;
    let mut cells = cells.to_vec();
    for _ in 0..2 {
        let step = |at: usize| {
            let (a, b) = (cells[at % k], cells[(at + 1) % k]);
            (b.0 - a.0, b.1 - a.1)
        };
        for sign in [1, -1] {
            for start in 0..k {
                let around = (start..start + k).flat_map(|at| {
                    let (u, v) = (step(at), step(at + 1));
                    let length = u.0 * u.0 + u.1 * u.1;
                    let (inner, outer) = (u.0 * v.0 + u.1 * v.1, u.0 * v.1 - u.1 * v.0);
                    [(length, inner), (sign * outer, 0)]
                });
                let around: Vec<Cell> = around.collect();
                if least.as_ref().is_none_or(|least| around < *least) {
                    least = Some(around);
                }
            }
        }
        cells.reverse();
    }
    least.unwrap_or_default()
}

/// Whether a closed path is a simple polygon: no two steps have a point in common that is not
/// the cell where one follows the other.
fn is_simple(cells: &[Cell]) -> bool {
    let k = cells.len();
    let ends = |at: usize| (cells[at], cells[(at + 1) % k]);
    (0..k).all(|i| {
        (0..i).all(|j| {
            let ((a, b), (c, d)) = (ends(i), ends(j));
            match (i == j + 1, j == 0 && i == k - 1) {
                // One follows the other: it must not turn back onto it.
                (true, false) => !is_on(a, b, c) && !is_on(c, d, b),
                (false, true) => !is_on(a, b, d) && !is_on(c, d, a),
                // A triangle's sides follow each other both ways round only for two cells.
                _ => !meet(a, b, c, d),
            }
        })
    })
}

/// Twice the signed area of a triangle.
fn area(a: Cell, b: Cell, c: Cell) -> i64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// Whether c lies on the segment from a to b.
fn is_on(a: Cell, b: Cell, c: Cell) -> bool {
    let inner = (a.0 - c.0) * (b.0 - c.0) + (a.1 - c.1) * (b.1 - c.1);
    area(a, b, c) == 0 && inner <= 0
}

fn meet(a: Cell, b: Cell, c: Cell, d: Cell) -> bool {
    let proper = area(a, b, c).signum() * area(a, b, d).signum() < 0
        && area(c, d, a).signum() * area(c, d, b).signum() < 0;
    proper || is_on(a, b, c) || is_on(a, b, d) || is_on(c, d, a) || is_on(c, d, b)
}

struct Count<'r> {
    rules: &'r Rules,
    run: &'r Run,
    found: u64,
    shapes: HashSet<Vec<Cell>>,
    path: Vec<Cell>,
    nodes: u64,
}

impl Count<'_> {
    /// Extends the path to all cells after its first one.
    fn extend(&mut self) -> std::result::Result<(), Stop> {
        const NODES_A_TICK: u64 = 4096;
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_TICK) {
            self.run.tick(NODES_A_TICK)?;
        }
        let rules = self.rules;
        let here = self.path[self.path.len() - 1];
        let left = (rules.length - self.path.len()) as i64;
        let longest = rules.leapers.iter().map(|leaper| leaper.1).max().unwrap_or(0);
        // Too far to come back in the moves that are left.
        if here.0.abs().max(here.1.abs()) > (left + 1) * longest {
            return Ok(());
        }
        if left == 0 {
            // Each loop is met in both directions; one is enough.
            if rules.joined(here, (0, 0)) && self.path[1] < here {
                self.judge();
            }
            return Ok(());
        }
        let mut steps: Vec<Cell> =
            rules.leapers.iter().flat_map(|&leaper| images(leaper)).collect();
        steps.sort_unstable();
        steps.dedup();
        for step in steps {
            let to = (here.0 + step.0, here.1 + step.1);
            if to > (0, 0) && !self.path.contains(&to) {
                self.path.push(to);
                self.extend()?;
                self.path.pop();
            }
        }
        Ok(())
    }

    fn judge(&mut self) {
        let rules = self.rules;
        if rules.non_crossing && !is_simple(&self.path) || !rules.fits(&self.path) {
            return;
        }
        if rules.congruent {
            self.shapes.insert(shape(&self.path));
        } else if rules.normal(&self.path) == sequence(&self.path, 0) {
            self.found += 1;
        }
    }
}

/// Checks a longest path, and looks for a longer one in every way.
fn check_longest(answer: &Answer, leapers: &[Cell], run: &Run) -> Result<Findings> {
    let Place::Board(drawing) = &answer.question.place else {
        return wrong("question", "a longest path needs a board");
    };
    let open = answer.question.flag(&OPEN);
    let mut stated = 0;
    let mut found = Findings::new();
    let mut search =
        Longer { board: &drawing.board, leapers, open, run, most: 0, path: Vec::new(), nodes: 0 };
    match &answer.value {
        Value::None { .. } => {}
        Value::Exact { number } => {
            let [solution] = &answer.solutions[..] else {
                return wrong("solutions", "there is not one path");
            };
            let Figure::Path { cells, closed } = &solution.figure else {
                return wrong("solutions", "the solution is no path");
            };
            if cells.is_empty()
                || *closed == open
                || cells.iter().any(|&cell| drawing.board.index(cell).is_none())
            {
                return wrong("solutions", "the path is not one on the board as asked");
            }
            search.path =
                cells.iter().map(|cell| (i64::from(cell.row), i64::from(cell.col))).collect();
            let repeats = search.path.iter().collect::<HashSet<_>>().len() != cells.len();
            let lawful = (1..cells.len()).all(|at| search.may_follow(at));
            if repeats || !lawful || !open && !search.closes() {
                return wrong(
                    "solutions",
                    "the path repeats a cell, crosses itself or has a step that is no move",
                );
            }
            stated = cells.len() - usize::from(open);
            if *number != BigUint::from(stated) {
                return wrong("value", format!("the path has {stated} moves, not {number}"));
            }
            search.path.clear();
            found = found.and(SOLVED, format!("the path is non-crossing and has {stated} moves"));
        }
        _ => return unfit(),
    }
    match search.all() {
        Err(stop) => {
            Ok(found.but(VALUE, format!("there was no time to look for a longer one: {stop}")))
        }
        Ok(()) if search.most != stated => {
            wrong("value", format!("a plain search finds a path of {} moves", search.most))
        }
        Ok(()) => Ok(found.and(VALUE, "a plain search of all paths finds no longer one")),
    }
}

struct Longer<'r> {
    board: &'r Board,
    leapers: &'r [Cell],
    open: bool,
    run: &'r Run,
    most: usize,
    path: Vec<Cell>,
    nodes: u64,
}

impl Longer<'_> {
    fn joined(&self, a: Cell, b: Cell) -> bool {
        let (down, across) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        self.leapers.contains(&(down.min(across), down.max(across)))
    }

    /// Whether the step to the cell with this number is a move that meets no earlier one.
    fn may_follow(&self, at: usize) -> bool {
        let (a, b) = (self.path[at - 1], self.path[at]);
        self.joined(a, b)
            && (1..at).all(|earlier| {
                let (c, d) = (self.path[earlier - 1], self.path[earlier]);
                if d == a { !is_on(a, b, c) && !is_on(c, d, b) } else { !meet(a, b, c, d) }
            })
    }

    fn closes(&self) -> bool {
        let k = self.path.len();
        k > 2 && self.joined(self.path[k - 1], self.path[0]) && is_simple(&self.path)
    }

    fn all(&mut self) -> std::result::Result<(), Stop> {
        for &cell in self.board.cells() {
            self.path.push((i64::from(cell.row), i64::from(cell.col)));
            self.extend()?;
            self.path.pop();
        }
        Ok(())
    }

    fn extend(&mut self) -> std::result::Result<(), Stop> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(4096) {
            self.run.tick(4096)?;
        }
        let k = self.path.len();
        if self.open && k > 1 {
            self.most = self.most.max(k - 1);
        } else if !self.open && k > self.most && self.closes() {
            self.most = k;
        }
        let here = self.path[k - 1];
        let mut steps: Vec<Cell> = self.leapers.iter().flat_map(|&leaper| images(leaper)).collect();
        steps.sort_unstable();
        steps.dedup();
        for step in steps {
            let to = (here.0 + step.0, here.1 + step.1);
            let cell = crate::board::Cell { row: to.0 as i32, col: to.1 as i32 };
            // A loop is looked for from its first cell only.
            let late = self.open || to > self.path[0];
            if !late || self.board.index(cell).is_none() || self.path.contains(&to) {
                continue;
            }
            self.path.push(to);
            if self.may_follow(k) {
                self.extend()?;
            }
            self.path.pop();
        }
        Ok(())
    }
}
