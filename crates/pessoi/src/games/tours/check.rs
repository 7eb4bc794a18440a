//! The checker: tours and proofs looked at by code that did not find them.
//!
//! It uses the cells of the board and the rules, and nothing of the move graph, the
//! search or the sweep. Whether two cells are a move apart is decided from their
//! coordinates; symmetries are applied to coordinates; small numbers are counted
//! again by trying everything.

mod clues;
mod hints;
mod wanted;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use num_bigint::BigUint;
use pessoi_engine::run::{Run, Stop};

use super::explore::{ANTIPODES, Antipodes};
use super::generate::{DRAWING, TABLE};
use super::magic::SUMS;
use super::options::{
    ALL, CLASSES, CLOSED, CLUES, DIFFICULTY, DIRECTED, DRAWS, FEW_CROSSINGS, FROM, KEPT_BY, LIMIT,
    LIMIT_OF_LIST, MAGIC, MOVES, NUMBER, PART, SYMMETRIC, TO,
};
use super::proofs::{COLOURS, CUT_CELL, Cells, CutCell, SEPARATE, TOO_FEW_NEIGHBOURS};
use super::supply::{GiversTakers, SHORT_SUPPLY};
use super::symmetric::EXCLUDED;
use crate::answer::{Answer, Value};
use crate::board::{Board, Cell, Drawing};
use crate::certificate::{Certificate, Nothing};
use crate::check::{CERTIFICATE, CLASSES as CLASS, Findings, PUZZLE, SOLVED, VALUE};
use crate::error::{Error, Result};
use crate::question::{Place, Question, Verb};
use crate::solution::{Figure, Solution};
use crate::table::Datum;

/// So many steps take some ten seconds.
const MOST_TRIED: u64 = 1 << 30;

/// Why not everything was tried.
enum CutShort {
    /// A limit of the run.
    Stop(Stop),
    /// As much was tried as is worth it.
    Tried,
}

impl From<Stop> for CutShort {
    fn from(stop: Stop) -> Self {
        CutShort::Stop(stop)
    }
}

impl fmt::Display for CutShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CutShort::Stop(stop) => stop.fmt(f),
            CutShort::Tried => write!(
                f,
                "not everything was tried (--time allows more, and --again uses another engine)"
            ),
        }
    }
}

/// The rules, read from the question alone.
struct Rules<'q> {
    question: &'q Question,
    cells: BTreeSet<Cell>,
    leapers: Vec<(i32, i32)>,
    closed: bool,
    /// Numbers that must be at certain cells.
    fixed: BTreeMap<usize, Cell>,
    /// Steps of trying everything where no time limit was set.
    most_tried: u64,
}

/// This field of the answer does not hold.
fn forged<T>(field: &str, sentence: impl Display) -> Result<T> {
    Err(Error::forged(field, format!("The answer does not hold: {sentence}.")))
}

/// The certificate does not hold.
fn wrong<T>(sentence: impl Display) -> Result<T> {
    forged("certificate", sentence)
}

/// Checks an answer.
pub(super) fn check(answer: &Answer, leapers: &[(i32, i32)], run: &Run) -> Result<Findings> {
    let question = &answer.question;
    let Place::Board(drawing) = &question.place else {
        return Ok(Findings::new());
    };
    let cells: BTreeSet<Cell> = drawing.board.cells().iter().copied().collect();
    let mut fixed = BTreeMap::new();
    for clue in &drawing.clues {
        fixed.insert(clue.number as usize, drawing.board.cell(clue.cell));
    }
    for (opt, number) in [(FROM, 1), (TO, cells.len())] {
        if let Some(text) = question.text(&opt).filter(|_| question.verb != Verb::Explore) {
            let cell = cell_named(text, &drawing.board)?;
            if fixed.insert(number, cell).is_some_and(|other| other != cell) {
                return forged("question", format!("the number {number} is fixed at two cells"));
            }
        }
    }
    let closed = question.flag(&CLOSED);
    let leapers = match question.text(&MOVES) {
        None => leapers.to_vec(),
        // Read anew: numbers in pairs, whatever stands between them.
        Some(text) => {
            let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
            let numbers: Vec<i32> = numbers.filter_map(|word| word.parse().ok()).collect();
            numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
        }
    };
    let leapers = leapers.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let rules = Rules { question, cells, leapers, closed, fixed, most_tried: MOST_TRIED };
    let solving = matches!(
        question.verb,
        Verb::Find
            | Verb::Count
            | Verb::List
            | Verb::Classify
            | Verb::Estimate
            | Verb::Sample
            | Verb::Generate
    );
    let found = match (&answer.value, question.verb) {
        (Value::GaveUp { .. }, _) => Findings::unchecked(VALUE, "the answer itself gave up"),
        (Value::Described {}, Verb::Hint) => rules.check_hint(answer, run)?,
        (Value::Described {}, Verb::Trace) => rules.check_trace(answer, run)?,
        (Value::None { .. }, Verb::Hint | Verb::Trace) => match &answer.certificate {
            Some(certificate) if rules.check_contradiction(certificate, run)? => {
                Findings::checked(VALUE, "the numbers contradict each other by the rules")
                    .and(CERTIFICATE, "it proves that there is none")
            }
            certificate => rules.check_none(certificate.as_ref(), run)?,
        },
        (Value::None { .. }, Verb::Check) => rules.check_conflict(answer, run)?,
        (Value::Exact { number } | Value::AtLeast { number, .. }, Verb::Check) => {
            rules.check_right(answer, number, run)?
        }
        (Value::None { .. }, _) if solving => {
            // There is no path, and so no class, sample or puzzle.
            let found = rules.check_none(answer.certificate.as_ref(), run)?;
            found
                .reads(&[&CLASSES, &DIRECTED, &LIMIT, &ALL, &DRAWS, &CLUES, &DIFFICULTY, &PART])
                .reads(&[&NUMBER, &SYMMETRIC, &KEPT_BY, &MAGIC, &FEW_CROSSINGS])
        }
        (Value::Exact { number }, Verb::Count) if question.flag(&CLASSES) => {
            rules.check_number_of_classes(number, run)?.reads(&[&CLASSES])
        }
        (Value::Exact { number }, Verb::Count) => {
            rules.check_count(number, run)?.reads(&[&DIRECTED])
        }
        (Value::Exact { number }, Verb::Explore) => match &answer.certificate {
            Some(certificate) if certificate.kind == ANTIPODES => {
                let Antipodes { from, to } = certificate.read()?;
                rules.check_antipodes(from, to, number, run)?
            }
            _ => return wrong("it does not name two cells"),
        },
        (
            Value::Exact { number } | Value::AtLeast { number, .. },
            Verb::Find | Verb::List | Verb::Classify | Verb::Sample,
        ) => {
            let found = rules.check_solutions(answer, number, run)?;
            rules.check_crossings(answer, found, run)?.reads(&[&KEPT_BY, &MAGIC])
        }
        (Value::AtLeast { number, .. }, Verb::Generate) => {
            rules.check_puzzles(answer, number, run)?
        }
        (Value::AtLeast { .. }, Verb::Count | Verb::Explore)
        | (Value::Estimated(_), Verb::Estimate)
        | (Value::Described {}, Verb::Analyze | Verb::Export) => Findings::new(),
        (_, verb) => {
            return forged(VALUE, format!("a value of this standing cannot answer {verb}"));
        }
    };
    Ok(found.reads(&[&CLOSED, &FROM, &TO, &MOVES]))
}

/// Reads a cell anew: two numbers, or a letter for each column and rows from the bottom.
fn cell_named(text: &str, board: &Board) -> Result<Cell> {
    if !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        return text.parse();
    }
    let rank = text.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = &text.as_bytes()[..text.len() - rank.len()];
    let mut col = 0;
    for letter in letters {
        col = 26 * col + i32::from(letter - b'a' + 1);
    }
    match rank.parse::<i32>() {
        Ok(rank) => Ok(Cell { row: board.rows() as i32 - rank, col: col - 1 }),
        Err(_) => forged("question", format!("{text:?} is no cell")),
    }
}

impl Rules<'_> {
    fn joined(&self, a: Cell, b: Cell) -> bool {
        let (down, across) = ((a.row - b.row).abs(), (a.col - b.col).abs());
        self.leapers.contains(&(down.min(across), down.max(across)))
    }

    /// The cells of the board one move from `cell`.
    fn near(&self, cell: Cell) -> BTreeSet<Cell> {
        let mut near = BTreeSet::new();
        for &(a, b) in &self.leapers {
            for (down, across) in [(a, b), (a, -b), (-a, b), (-a, -b)] {
                for (down, across) in [(down, across), (across, down)] {
                    let there = Cell { row: cell.row + down, col: cell.col + across };
                    if self.cells.contains(&there) {
                        near.insert(there);
                    }
                }
            }
        }
        near
    }

    /// The same rules with other numbers fixed.
    fn with_fixed(&self, fixed: BTreeMap<usize, Cell>) -> Self {
        let (cells, leapers) = (self.cells.clone(), self.leapers.clone());
        Rules { cells, leapers, fixed, ..*self }
    }

    fn is_numbered(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// Whether these cells are a tour; the error says where they are not.
    fn check_path(&self, path: &[Cell], closed: bool) -> Result<()> {
        if closed != self.closed {
            let word = if closed { "closed" } else { "open" };
            return forged(
                "solutions",
                format!("it holds a path that is {word}, which was not asked for"),
            );
        }
        let mut seen = BTreeSet::new();
        for (number, cell) in (1usize..).zip(path) {
            if !self.cells.contains(cell) {
                return forged(
                    "solutions",
                    format!("the number {number} is at {cell}, not a cell of the board"),
                );
            }
            if !seen.insert(cell) {
                return forged("solutions", format!("the cell {cell} is visited twice"));
            }
            if self.fixed.get(&number).is_some_and(|fixed| fixed != cell) {
                return forged(
                    "solutions",
                    format!("the number {number} is not where it was asked to be"),
                );
            }
        }
        if seen.len() != self.cells.len() {
            let (some, all) = (seen.len(), self.cells.len());
            return forged("solutions", format!("a path visits {some} of the {all} cells"));
        }
        for (number, pair) in (1..).zip(path.windows(2)) {
            if !self.joined(pair[0], pair[1]) {
                let (a, b) = (pair[0], pair[1]);
                return forged(
                    "solutions",
                    format!(
                        "{a} and {b}, numbers {number} and {}, are not one move apart",
                        number + 1
                    ),
                );
            }
        }
        if closed && path.len() < 3 {
            return forged("solutions", "a closed path needs three cells");
        }
        if let ([first, .., last], true) = (path, closed)
            && !self.joined(*last, *first)
        {
            return forged("solutions", format!("the path does not close from {last} to {first}"));
        }
        self.check_wanted(path, closed)
    }

    /// One way to write a path, the same for all that count as the same.
    fn normal(&self, path: &[Cell]) -> Vec<Cell> {
        if self.is_numbered() {
            return path.to_vec();
        }
        let mut forth = path.to_vec();
        if self.closed {
            let least = (0..forth.len()).min_by_key(|&at| forth[at]).unwrap_or(0);
            forth.rotate_left(least);
        }
        let mut back = forth.clone();
        back[usize::from(self.closed)..].reverse();
        forth.min(back)
    }

    fn check_solutions(&self, answer: &Answer, stated: &BigUint, run: &Run) -> Result<Findings> {
        let mut given = BTreeSet::new();
        let mut covered = BTreeSet::new();
        let repeats = self.question.verb == Verb::Sample;
        for solution in &answer.solutions {
            let Figure::Path { cells, closed } = &solution.figure else {
                return forged("solutions", "a solution is not a path");
            };
            self.check_path(cells, *closed)?;
            if !given.insert(self.normal(cells)) && !repeats {
                return forged("solutions", "a solution is given twice");
            }
            if self.question.verb == Verb::Classify {
                self.check_class(solution, &mut covered)?;
            }
        }
        let n = answer.solutions.len();
        if *stated != BigUint::from(n) {
            return forged(VALUE, format!("{stated} solutions are stated and {n} are given"));
        }
        let paths = if n == 1 { "path is".to_owned() } else { format!("{n} paths are") };
        let mut found = Findings::checked(SOLVED, format!("the {paths} as asked"));
        if self.question.verb == Verb::Classify {
            let how = format!("they are disjoint and hold {} paths", covered.len());
            found = found.and(CLASS, how);
        }
        if !matches!(answer.value, Value::Exact { .. }) {
            self.check_how_many(answer, n)?;
            if answer.value.stop().is_some() {
                return Ok(found.but(VALUE, "it was stopped, and why cannot be checked"));
            }
            let found = found.and(VALUE, "so many are given, and there may be more");
            return Ok(found.reads(&[&LIMIT, &DRAWS]));
        }
        if self.question.is_given(&PART) {
            return Ok(found.but(VALUE, "whether this is the whole part was not checked"));
        }
        let total = if self.question.verb == Verb::Classify { covered.len() } else { n };
        match self.recount(run) {
            Ok(all) if all == total as u64 => {
                self.check_limit(n)?;
                let how = "counting again by trying everything finds no more";
                Ok(found.and(VALUE, how).reads(&[&LIMIT, &ALL]))
            }
            Ok(all) => forged(VALUE, format!("there are {all}, not {total}")),
            Err(stop) => {
                Ok(found.but(VALUE, format!("that there are no more was not checked: {stop}")))
            }
        }
    }

    /// The most solutions that may be given.
    fn limit(&self) -> Option<u64> {
        match self.question.verb {
            Verb::Sample => self.question.number(&DRAWS),
            Verb::Find if self.question.flag(&ALL) => None,
            Verb::Find => self.question.number(&LIMIT),
            Verb::List => self.question.number(&LIMIT_OF_LIST),
            _ => None,
        }
    }

    fn check_limit(&self, given: usize) -> Result<()> {
        match self.limit() {
            Some(limit) if given as u64 > limit => {
                forged(VALUE, format!("{limit} were asked for and {given} are given"))
            }
            _ => Ok(()),
        }
    }

    /// Whether as many were given as were asked for, if nothing stopped it.
    fn check_how_many(&self, answer: &Answer, given: usize) -> Result<()> {
        self.check_limit(given)?;
        match self.limit() {
            _ if answer.value.stop().is_some() => Ok(()),
            Some(asked) if asked == given as u64 => Ok(()),
            Some(asked) => forged(VALUE, format!("{asked} were asked for and {given} are given")),
            None => forged(VALUE, "nothing says why there may be more"),
        }
    }

    /// Counts the classes again, by listing all paths.
    fn check_number_of_classes(&self, number: &BigUint, run: &Run) -> Result<Findings> {
        let mut least = BTreeSet::new();
        let maps = self.maps();
        let mut bytes = 0;
        let mut claim = run.claim();
        let stopped = |cut: &CutShort| {
            Ok(Findings::unchecked(VALUE, format!("counting again was cut short: {cut}")))
        };
        let listed = self.each(run, |path| {
            if let Some(image) = self.images(&maps, path).into_iter().min()
                && least.insert(image)
            {
                bytes += 64 + 8 * path.len() as u64;
                claim.grow_to(bytes)?;
            }
            Ok(())
        });
        match listed {
            Err(stop) => stopped(&stop),
            Ok(()) if BigUint::from(least.len()) == *number => {
                Ok(Findings::checked(VALUE, "sorting all paths into classes finds as many"))
            }
            Ok(()) => forged(VALUE, format!("there are {} classes, not {number}", least.len())),
        }
    }

    /// Whether puzzles are of this board, and their solutions the only ones.
    fn check_puzzles(&self, answer: &Answer, stated: &BigUint, run: &Run) -> Result<Findings> {
        let asked = self.question.number(&NUMBER).unwrap_or(1);
        let mut puzzles: Vec<Drawing> = Vec::new();
        let field = if asked == 1 {
            if let Some(Place::Board(puzzle)) = &answer.puzzle {
                puzzles.push(puzzle.clone());
            }
            PUZZLE.to_owned()
        } else {
            let table = answer.table(TABLE);
            let column = table.and_then(|table| table.column(DRAWING));
            for row in table.iter().flat_map(|table| &table.rows) {
                let Some(Datum::Text(text)) = column.and_then(|column| row.get(column)) else {
                    return forged(PUZZLE, "a row of puzzles has no drawing");
                };
                puzzles.push(Drawing::parse(text)?);
            }
            format!("tables.{TABLE}")
        };
        let is_so_many = answer.solutions.len() == puzzles.len()
            && *stated == BigUint::from(puzzles.len())
            && (answer.value.stop().is_some() || puzzles.len() as u64 == asked);
        if !is_so_many || puzzles.is_empty() {
            let all = if asked == 1 {
                "one puzzle and its solution"
            } else {
                "the puzzles and their solutions"
            };
            return forged("puzzle", format!("it does not hold {all}"));
        }
        let mut cut = None;
        for (puzzle, solution) in puzzles.iter().zip(&answer.solutions) {
            cut = cut.or(self.check_puzzle(puzzle, solution, run)?);
        }
        let mut found =
            Findings::checked(SOLVED, "each solution obeys the rules and fits the clues")
                .fact(answer, "cells", "numbers in all", self.cells.len(), "counted again")?
                .reads(&[&NUMBER, &CLUES]);
        if let [puzzle] = &puzzles[..] {
            found = found.fact(
                answer,
                "clues",
                "numbers shown",
                puzzle.clues.len(),
                "counted again",
            )?;
        }
        if self.question.flag(&SYMMETRIC) {
            for puzzle in &puzzles {
                self.check_symmetric(puzzle)?;
            }
            found = found.reads(&[&SYMMETRIC]);
        }
        let main = if asked == 1 { PUZZLE } else { VALUE };
        match cut {
            None => {
                let how = "trying everything again finds no other solution";
                let found = found.and(VALUE, "so many puzzles are given, each with one solution");
                // What else is said of several puzzles stands in their table, and is repeated.
                Ok(if field == PUZZLE { found.and(PUZZLE, how) } else { found })
            }
            Some(cut) => Ok(found
                .but(main, format!("that its solution is the only one was not checked: {cut}"))),
        }
    }

    /// Whether the clues of a puzzle are kept by some half turn or mirror of the board.
    fn check_symmetric(&self, puzzle: &Drawing) -> Result<()> {
        let shown: Vec<Cell> =
            puzzle.clues.iter().map(|clue| puzzle.board.cell(clue.cell)).collect();
        let set: BTreeSet<Cell> = shown.iter().copied().collect();
        let free = self.with_fixed(BTreeMap::new());
        let maps = free.maps();
        let keeps = |map: &BTreeMap<Cell, Cell>| {
            map.iter().any(|(a, b)| a != b)
                && map.iter().all(|(a, b)| map[b] == *a)
                && set.iter().all(|cell| set.contains(&map[cell]))
        };
        if maps.iter().any(keeps) {
            Ok(())
        } else {
            forged(PUZZLE, "the clues do not lie symmetrically")
        }
    }

    /// Whether a puzzle is one of this board, and its solution the only one; what kept that from
    /// being decided, if something did.
    fn check_puzzle(
        &self,
        puzzle: &Drawing,
        solution: &Solution,
        run: &Run,
    ) -> Result<Option<CutShort>> {
        let cells: BTreeSet<Cell> = puzzle.board.cells().iter().copied().collect();
        if cells != self.cells {
            return forged("puzzle", "the puzzle is on another board");
        }
        let clues = puzzle.clues.iter();
        let fixed: BTreeMap<usize, Cell> =
            clues.map(|clue| (clue.number as usize, puzzle.board.cell(clue.cell))).collect();
        if fixed.len() != puzzle.clues.len() || fixed.is_empty() {
            return forged("puzzle", "the puzzle has no clues, or one number at two cells");
        }
        if self.fixed.iter().any(|(number, cell)| fixed.get(number) != Some(cell)) {
            return forged("puzzle", "the puzzle leaves out a number that was asked for");
        }
        if let Some(clues) = self.question.number(&CLUES)
            && (fixed.len() as u64) < clues
        {
            return forged("puzzle", format!("the puzzle has fewer than {clues} clues"));
        }
        let rules = self.with_fixed(fixed);
        let Figure::Path { cells, closed } = &solution.figure else {
            return forged("puzzle", "a solution is not a path");
        };
        rules.check_path(cells, *closed)?;
        match rules.recount(run) {
            Ok(1) => Ok(None),
            Ok(all) => forged(PUZZLE, format!("the puzzle has {all} solutions")),
            Err(stop) => Ok(Some(stop)),
        }
    }

    fn check_class(&self, solution: &Solution, covered: &mut BTreeSet<Vec<Cell>>) -> Result<()> {
        let cells = solution.figure.path();
        let Some(class) = &solution.class else {
            return forged("solutions", "a solution has no class");
        };
        let images: BTreeSet<Vec<Cell>> = self.images(&self.maps(), cells).into_iter().collect();
        if images.len() as u64 != class.orbit {
            let (is, stated) = (images.len(), class.orbit);
            return forged(
                "solutions",
                format!("a class has {is} paths where {stated} are stated"),
            );
        }
        for image in images {
            if !covered.insert(image) {
                return forged("solutions", "two solutions are of the same class");
            }
        }
        Ok(())
    }

    /// All images of a path under the symmetries that keep the board and the fixed numbers.
    fn images(&self, maps: &[BTreeMap<Cell, Cell>], path: &[Cell]) -> Vec<Vec<Cell>> {
        let image = |map: &BTreeMap<Cell, Cell>| {
            self.normal(&path.iter().map(|cell| map[cell]).collect::<Vec<_>>())
        };
        maps.iter().map(image).collect()
    }

    /// Where the eight symmetries of the square take the cells, as far as they keep the board and
    /// the fixed numbers.
    fn maps(&self) -> Vec<BTreeMap<Cell, Cell>> {
        let maps: [fn(Cell) -> (i32, i32); 8] = [
            |c| (c.row, c.col),
            |c| (c.row, -c.col),
            |c| (-c.row, c.col),
            |c| (-c.row, -c.col),
            |c| (c.col, c.row),
            |c| (c.col, -c.row),
            |c| (-c.col, c.row),
            |c| (-c.col, -c.row),
        ];
        let mut kept = Vec::new();
        for map in maps {
            let corner = |points: &mut dyn Iterator<Item = (i32, i32)>| {
                let mut least = (i32::MAX, i32::MAX);
                points.for_each(|(r, c)| least = (least.0.min(r), least.1.min(c)));
                least
            };
            let here = corner(&mut self.cells.iter().map(|cell| (cell.row, cell.col)));
            let there = corner(&mut self.cells.iter().map(|&cell| map(cell)));
            let place = |cell: Cell| {
                let (row, col) = map(cell);
                Cell { row: row - there.0 + here.0, col: col - there.1 + here.1 }
            };
            let keeps = self.cells.iter().all(|&cell| self.cells.contains(&place(cell)))
                && self.fixed.values().all(|&cell| place(cell) == cell);
            if keeps {
                kept.push(self.cells.iter().map(|&cell| (cell, place(cell))).collect());
            }
        }
        kept
    }

    fn check_none(&self, certificate: Option<&Certificate>, run: &Run) -> Result<Findings> {
        let cells = |certificate: &Certificate| -> Result<BTreeSet<Cell>> {
            let Cells { cells: stated } = certificate.read()?;
            let set: BTreeSet<Cell> = stated.iter().copied().collect();
            if set.is_empty() || set.len() != stated.len() || !set.is_subset(&self.cells) {
                return wrong("its cells are not distinct cells of the board");
            }
            Ok(set)
        };
        let holds = |sentence: &str| {
            Ok(Findings::checked(VALUE, sentence).and(CERTIFICATE, "it proves that there is none"))
        };
        let Some(certificate) = certificate else {
            return match self.recount(run) {
                Ok(0) => Ok(Findings::checked(VALUE, "trying everything again finds no path")),
                Ok(some) => forged(VALUE, format!("there are {some} solutions")),
                Err(stop) => Ok(Findings::unchecked(
                    VALUE,
                    format!("the search was repeated, and cut short: {stop}"),
                )),
            };
        };
        match &*certificate.kind {
            EXCLUDED => {
                certificate.read::<Nothing>()?;
                holds(self.check_excluded()?)
            }
            SUMS => {
                certificate.read::<Nothing>()?;
                holds(self.check_sums()?)
            }
            TOO_FEW_NEIGHBOURS => {
                let poor = cells(certificate)?;
                if self.closed && self.cells.len() < 3 {
                    return holds("a closed path needs three cells");
                }
                let ends = [1, self.cells.len()].map(|number| self.fixed.get(&number));
                for cell in &poor {
                    let may_be_end = !self.closed && ends.contains(&Some(cell));
                    if self.near(*cell).len() >= 2 || may_be_end {
                        return wrong(format!("{cell} is not short of neighbours"));
                    }
                }
                let free_ends =
                    if self.closed { 0 } else { ends.iter().filter(|end| end.is_none()).count() };
                if poor.len() <= free_ends || self.cells.len() < 2 {
                    return wrong("it names too few cells");
                }
                holds("more cells have fewer than two neighbours than can be ends")
            }
            SEPARATE => {
                let part = cells(certificate)?;
                if part.len() == self.cells.len() {
                    return wrong("it names all cells of the board");
                }
                for cell in &part {
                    if let Some(to) = self.near(*cell).iter().find(|to| !part.contains(to)) {
                        return wrong(format!("a move leads from {cell} to {to}"));
                    }
                }
                holds("no move joins the named cells to the others")
            }
            CUT_CELL => {
                let CutCell { cell } = certificate.read()?;
                let mut left: BTreeSet<Cell> = self.cells.clone();
                if !left.remove(&cell) {
                    return wrong(format!("{cell} is not a cell of the board"));
                }
                let mut parts = 0;
                while let Some(first) = left.pop_first() {
                    parts += 1;
                    let mut queue = vec![first];
                    while let Some(here) = queue.pop() {
                        queue.extend(self.near(here).into_iter().filter(|to| left.remove(to)));
                    }
                }
                if parts <= if self.closed { 1 } else { 2 } {
                    return wrong(format!("without {cell} there are only {parts} parts"));
                }
                holds("without the named cell there are more parts than a path can join")
            }
            COLOURS => {
                self.check_colours(&cells(certificate)?)?;
                holds("every move changes the colour, and the colours do not fit")
            }
            SHORT_SUPPLY => {
                let GiversTakers { givers, takers } = certificate.read()?;
                self.check_supply(&givers, &takers)?;
                holds("the named givers need more moves than there are")
            }
            _ => wrong("it is not a proof that there is none"),
        }
    }

    /// Whether the moves of the givers are more than the takers and the moves to other cells
    /// have room for.
    fn check_supply(&self, givers: &[Cell], takers: &[Cell]) -> Result<()> {
        let set = |stated: &[Cell]| -> Result<BTreeSet<Cell>> {
            let set: BTreeSet<Cell> = stated.iter().copied().collect();
            if set.len() != stated.len() || !set.is_subset(&self.cells) {
                return wrong("its cells are not distinct cells of the board");
            }
            Ok(set)
        };
        let (givers, takers) = (set(givers)?, set(takers)?);
        if self.cells.len() < 3 {
            return wrong("the board has fewer than three cells");
        }
        let ends = [1, self.cells.len()].map(|number| self.fixed.get(&number));
        let moves = |cell: &Cell| if !self.closed && ends.contains(&Some(cell)) { 1 } else { 2 };
        let free_ends =
            if self.closed { 0 } else { ends.iter().filter(|end| end.is_none()).count() };
        let needed: usize = givers.iter().map(moves).sum();
        let room: usize = takers.iter().map(moves).sum();
        let others = |cell: &Cell| self.near(*cell).difference(&takers).count();
        let leaving: usize = givers.iter().map(others).sum();
        if needed <= room + leaving + free_ends {
            return wrong("the givers have room for all their moves");
        }
        Ok(())
    }

    fn check_colours(&self, dark: &BTreeSet<Cell>) -> Result<()> {
        for a in &self.cells {
            for b in &self.near(*a) {
                if dark.contains(a) == dark.contains(b) {
                    return wrong(format!("the move from {a} to {b} does not change the colour"));
                }
            }
        }
        let n = self.cells.len();
        // Does some colour of the number 1 fit the numbers of both colours, the fixed
        // numbers and, in a closed tour, the last move?
        let fits = |first_is_dark: bool| {
            let odd_numbers = n.div_ceil(2);
            let darks = if first_is_dark { odd_numbers } else { n - odd_numbers };
            let colour = |number: usize| first_is_dark ^ number.is_multiple_of(2);
            darks == dark.len()
                && self.fixed.iter().all(|(&k, cell)| dark.contains(cell) == colour(k))
                && !(self.closed && n % 2 == 1)
        };
        if fits(true) || fits(false) {
            return wrong("the colours fit");
        }
        Ok(())
    }

    /// Whether two cells are this far apart, and no others farther.
    fn check_antipodes(
        &self,
        from: Cell,
        to: Cell,
        stated: &BigUint,
        run: &Run,
    ) -> Result<Findings> {
        let mut farthest = 0;
        let mut between = None;
        for &start in &self.cells {
            if let Err(stop) = run.tick(self.cells.len() as u64) {
                return Ok(Findings::unchecked(
                    VALUE,
                    format!("measuring again was cut short: {stop}"),
                ));
            }
            let mut distance = BTreeMap::from([(start, 0u64)]);
            let mut newest = vec![start];
            while !newest.is_empty() {
                let mut next = Vec::new();
                for cell in newest {
                    let moves = distance[&cell] + 1;
                    for there in self.near(cell) {
                        if let Entry::Vacant(place) = distance.entry(there) {
                            place.insert(moves);
                            next.push(there);
                        }
                    }
                }
                newest = next;
            }
            farthest = distance.values().copied().max().unwrap_or(0).max(farthest);
            if start == from {
                between = distance.get(&to).copied();
            }
        }
        if between.map(BigUint::from).as_ref() != Some(stated) {
            return wrong(format!("{from} and {to} are not {stated} moves apart"));
        }
        if BigUint::from(farthest) != *stated {
            return wrong(format!("the farthest cells are {farthest} moves apart"));
        }
        let sentence = format!("{from} and {to} are {stated} moves apart, and no cells farther");
        Ok(Findings::checked(VALUE, sentence).and(CERTIFICATE, "measured again"))
    }

    fn check_count(&self, number: &BigUint, run: &Run) -> Result<Findings> {
        if self.question.is_given(&PART) {
            return Ok(Findings::unchecked(VALUE, "which paths are of this part was not checked"));
        }
        match self.recount(run) {
            Ok(all) => {
                let two = self.question.flag(&DIRECTED) && self.cells.len() > 1;
                let expected = BigUint::from(if two { 2 * all } else { all });
                if expected != *number {
                    return forged(
                        "value",
                        format!("counting again gives {expected}, not {number}"),
                    );
                }
                Ok(Findings::checked(VALUE, "counting again by trying everything agrees"))
            }
            Err(stop) => {
                Ok(Findings::unchecked(VALUE, format!("counting again was cut short: {stop}")))
            }
        }
    }

    /// For each number, from 1 at index 0, the cells from which the next fixed numbers can
    /// be reached by so many moves as are left until then.
    fn can_come(&self, cells: &[Cell], near: &[Vec<usize>]) -> Vec<Vec<bool>> {
        let mut can_come: Vec<Vec<bool>> = Vec::new();
        let taken: BTreeSet<Cell> = self.fixed.values().copied().collect();
        for number in (1..=cells.len()).rev() {
            let can = |at: usize| {
                let fits = match self.fixed.get(&number) {
                    Some(cell) => *cell == cells[at],
                    None => !taken.contains(&cells[at]),
                };
                let onward = |later: &Vec<bool>| near[at].iter().any(|&to| later[to]);
                fits && can_come.last().is_none_or(onward)
            };
            let row = (0..cells.len()).map(can).collect();
            can_come.push(row);
        }
        can_come.reverse();
        can_come
    }

    /// Counts all tours, undirected unless numbers are fixed, by trying everything.
    fn recount(&self, run: &Run) -> Result<u64, CutShort> {
        let mut all = 0;
        self.each(run, |_| {
            all += 1;
            Ok(())
        })?;
        let twice = !self.is_numbered() && self.cells.len() > 1;
        Ok(if twice { all / 2 } else { all })
    }

    /// Visits all tours by trying everything: in both directions, unless numbers are fixed.
    fn each(
        &self,
        run: &Run,
        mut each: impl FnMut(&[Cell]) -> Result<(), Stop>,
    ) -> Result<(), CutShort> {
        let cells: Vec<Cell> = self.cells.iter().copied().collect();
        let number: BTreeMap<Cell, usize> = cells.iter().copied().zip(0..).collect();
        let near: Vec<Vec<usize>> =
            cells.iter().map(|&a| self.near(a).iter().map(|b| number[b]).collect()).collect();
        let can_come = self.can_come(&cells, &near);
        let mut nodes = 0u64;
        // A closed path is the same from every start; its sums are not.
        let has_one_start =
            self.closed && !self.is_numbered() && self.question.text(&MAGIC).is_none();
        for start in 0..cells.len() {
            if has_one_start && start > 0 {
                break;
            }
            if !can_come[0][start] {
                continue;
            }
            let mut path = vec![start];
            let mut used = vec![false; cells.len()];
            used[start] = true;
            // For each cell of the path, the next neighbour to try.
            let mut next = vec![0];
            while let Some(&head) = path.last() {
                nodes += 1;
                if nodes.is_multiple_of(1 << 14) {
                    run.tick(1 << 14)?;
                    if nodes >= self.most_tried && run.budget().time.is_none() {
                        return Err(CutShort::Tried);
                    }
                }
                if path.len() == cells.len() && next.last() == Some(&0) {
                    let order: Vec<Cell> = path.iter().map(|&k| cells[k]).collect();
                    if self.check_path(&order, self.closed).is_ok() {
                        each(&order)?;
                    }
                }
                let depth = path.len() - 1;
                let to = near[head][next[depth]..].iter().position(|&to| {
                    !used[to] && can_come.get(path.len()).is_some_and(|can| can[to])
                });
                if let Some(skip) = to {
                    let to = near[head][next[depth] + skip];
                    next[depth] += skip + 1;
                    path.push(to);
                    next.push(0);
                    used[to] = true;
                } else {
                    used[head] = false;
                    path.pop();
                    next.pop();
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pessoi_engine::run::Budget;
    use std::time::Duration;

    /// An answer that took a moment used to be checked for minutes.
    #[test]
    fn not_everything_is_tried_for_ever() {
        let question = Question::new(Verb::Count, "knight-tours", "5x5").unwrap();
        let cells = (1..=5).flat_map(|row| (1..=5).map(move |col| Cell { row, col })).collect();
        let (leapers, fixed) = (vec![(1, 2)], BTreeMap::new());
        let most_tried = 1 << 14;
        let rules = Rules { question: &question, cells, leapers, closed: false, fixed, most_tried };
        assert!(matches!(rules.recount(&Run::default()), Err(CutShort::Tried)));
        // Unless a limit was set, however long.
        let time = Some(Duration::from_secs(1_000_000));
        let run = Run::new(Budget { time, ..Budget::default() });
        assert!(matches!(rules.recount(&run), Ok(864)));
    }
}
