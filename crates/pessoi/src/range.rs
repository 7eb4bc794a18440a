//! Ranges: one question about many boards.
//!
//! A **range** is a place that stands for rectangles: `1..6x1..6` for all boards of one to six rows
//! and columns, `5x1..8` for those of five rows, `1..8xn` for squares. It is asked of any game that
//! counts on rectangles. The job of a range is made of the jobs of its boards: each board is
//! counted by the game's own job, the cheapest first, within what is left of the time; what a
//! limit stopped is in the table with that limit, and what the game refuses on a board with the
//! reason. Its plan is the sum of their plans. A board that is done is a chapter of the checkpoint.
//!
//! Numbers of a range are a sequence too. Along a row, a column or the squares it is indexed by
//! the side that changes; a table is read by antidiagonals, as the OEIS reads tables: T(1,1),
//! T(1,2), T(2,1), T(1,3) … The sequence ends before the first number that is not known; where
//! only one side changes, it begins after the first boards that are refused.

use std::collections::BTreeMap;
use std::fmt;

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use crate::again;
use crate::answer::{Answer, Limit, Sequence, Subject, Term, Used, Value};
use crate::board::{Board, Drawing, SIDE_LIMIT};
use crate::card::{METHOD, PART};
use crate::catalogue::Catalogue;
use crate::check::{self, Effort, Findings, Standing, Verdict};
use crate::error::{Error, Result};
use crate::job::{Asked, Deaf, Events, Job};
use crate::plan::Plan;
use crate::question::{Place, Question, Verb};
use crate::table::{Column, Datum, DatumKind, Table};
use pessoi_engine::run::Run;

/// A range has no more boards than this.
const MOST_BOARDS: usize = 10_000;
/// The engine of a range: those of its boards.
const EACH: &str = "each-board";
/// The main table: one row a board.
pub const BOARDS: &str = "boards";
/// The numbers in rows and columns.
pub const GRID: &str = "grid";

/// Rectangles of many sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    rows: (usize, usize),
    /// Absent for squares.
    cols: Option<(usize, usize)>,
}

impl Range {
    /// Whether a text is meant to be a range, well written or not.
    pub fn is_meant(text: &str) -> bool {
        let is_ours = |c: char| c.is_ascii_digit() || ".nx×".contains(c);
        text.contains("..") && text.contains(['x', '×']) && text.chars().all(is_ours)
    }

    /// Reads a range; `None` if the text is none, and perhaps something else.
    pub(crate) fn parse(text: &str) -> Option<Result<Range>> {
        let text = text.trim();
        if !Range::is_meant(text) {
            return None;
        }
        Some(Range::read(text).ok_or_else(|| {
            Error::place(format!(
                "{text:?} is no range of boards: write it as 1..6x1..6, as 5x1..8 for boards of \
                 five rows, or as 1..8xn for squares; sides are 1 to {SIDE_LIMIT}, and the boards \
                 {MOST_BOARDS} at most."
            ))
        }))
    }

    fn read(text: &str) -> Option<Range> {
        let (rows, cols) = text.split_once(['x', '×'])?;
        // `n` is a side that the other one says, and `n..8` begins with 1.
        let side = |text: &str| -> Option<Option<(usize, usize)>> {
            let number =
                |text: &str| text.parse().ok().filter(|number| (1..=SIDE_LIMIT).contains(number));
            Some(match text.split_once("..") {
                None if text == "n" => None,
                None => Some((number(text)?, number(text)?)),
                Some(("n", last)) => Some((1, number(last)?)),
                Some((first, last)) => Some((number(first)?, number(last)?)),
            })
        };
        let range = match (side(rows)?, side(cols)?) {
            (Some(rows), Some(_)) if text.starts_with("n..") || cols.starts_with("n..") => {
                return (side(cols)? == Some(rows)).then_some(Range { rows, cols: None });
            }
            (Some(rows), cols) => Range { rows, cols },
            (None, Some(cols)) => Range { rows: cols, cols: None },
            (None, None) => return None,
        };
        let sizes = |(first, last): (usize, usize)| (last + 1).saturating_sub(first);
        let boards = sizes(range.rows) * range.cols.map_or(1, sizes);
        (1..=MOST_BOARDS).contains(&boards).then_some(range)
    }

    /// The sizes of all boards, row by row of the table.
    pub fn sizes(&self) -> Vec<(usize, usize)> {
        let rows = self.rows.0..=self.rows.1;
        match self.cols {
            None => rows.map(|side| (side, side)).collect(),
            Some((first, last)) => {
                rows.flat_map(|row| (first..=last).map(move |col| (row, col))).collect()
            }
        }
    }

    /// The same, the cheapest first: the work grows fast with the shorter side, and not so fast
    /// with the longer one.
    pub(crate) fn by_cost(&self) -> Vec<(usize, usize)> {
        let mut sizes = self.sizes();
        sizes.sort_by_key(|&(rows, cols)| (rows.min(cols), rows.max(cols), rows));
        sizes
    }

    /// The sides of the largest board.
    pub(crate) fn largest_sides(&self) -> (usize, usize) {
        (self.rows.1, self.cols.unwrap_or(self.rows).1)
    }

    /// The largest board.
    pub(crate) fn largest(&self) -> Result<Place> {
        place(self.largest_sides())
    }

    /// Whether both sides change, each by itself.
    fn is_table(&self) -> bool {
        self.cols.is_some_and(|cols| cols.0 < cols.1) && self.rows.0 < self.rows.1
    }

    /// The sizes in the order of the sequence, and the index of the first. Of a table only those
    /// antidiagonals are read that lie in it whole.
    fn in_order(&self) -> (u64, Vec<(usize, usize)>) {
        let Some(cols) = self.cols.filter(|_| self.is_table()) else {
            let first = match self.cols {
                Some(cols) if self.rows.0 == self.rows.1 => cols.0,
                _ => self.rows.0,
            };
            return (first as u64, self.sizes());
        };
        let most = (self.rows.1 - self.rows.0).min(cols.1 - cols.0);
        let diagonal = |sum: usize| (0..=sum).map(move |down| (down, sum - down));
        let each = (0..=most).flat_map(diagonal);
        let each = each.map(|(down, right)| (self.rows.0 + down, cols.0 + right));
        // The OEIS counts the terms of a table from its first row.
        (self.rows.0 as u64, each.collect())
    }

    /// What the sequence is, of these things.
    fn describe(&self, things: &str) -> String {
        match self.cols {
            None => format!("a(n) = number of {things} on an n X n board"),
            Some(cols) if self.is_table() => format!(
                "Array T(n,k) read by descending antidiagonals: number of {things} on an n X k \
                 board, n >= {}, k >= {}",
                self.rows.0, cols.0
            ),
            Some(cols) if cols.0 == cols.1 => {
                format!("a(n) = number of {things} on an n X {} board", cols.0)
            }
            Some(_) => format!("a(n) = number of {things} on a {} X n board", self.rows.0),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |(first, last): (usize, usize)| {
            if first == last { first.to_string() } else { format!("{first}..{last}") }
        };
        match self.cols {
            // A range of one square is written with dots, so that it is read as one again.
            None => write!(f, "{}..{}xn", self.rows.0, self.rows.1),
            Some(cols) if cols.0 == cols.1 && self.rows.0 == self.rows.1 => {
                write!(f, "{}..{}x{}", self.rows.0, self.rows.1, cols.0)
            }
            Some(cols) => write!(f, "{}x{}", side(self.rows), side(cols)),
        }
    }
}

fn place((rows, cols): (usize, usize)) -> Result<Place> {
    Ok(Place::Board(Drawing { board: Board::rectangle(rows, cols)?, clues: Vec::new() }))
}

/// The question about one board of a range.
pub(crate) fn about(question: &Question, size: (usize, usize)) -> Result<Question> {
    Ok(Question { place: place(size)?, ..question.clone() })
}

/// What is known of one board, as a checkpoint keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Known {
    value: Value,
    method: String,
    components: Vec<String>,
    subject: Subject,
    seconds: f64,
}

/// The question about all boards of a range.
pub(crate) struct Boards<'a> {
    catalogue: &'a Catalogue,
    question: &'a Question,
    range: Range,
    refused: Refused,
}

/// The boards that a question cannot be asked about, and why.
type Refused = BTreeMap<(usize, usize), String>;

impl<'a> Boards<'a> {
    /// Refuses what all boards would be refused for. What only some are is said in the table.
    pub(crate) fn new(
        catalogue: &'a Catalogue,
        question: &'a Question,
        range: Range,
    ) -> Result<Self> {
        let game = &question.game;
        if question.verb != Verb::Count {
            return Err(Error::unsupported(
                "place",
                format!(
                    "{} is asked of one board; {range} is a range, and ranges are counted: count \
                     {game} {range}.",
                    question.verb
                ),
            ));
        }
        if question.options.contains_key(PART) {
            return Err(Error::conflict(
                PART,
                format!(
                    "--{PART} goes with one board; a range is split by its boards, such as \
                     count {game} {}.",
                    Range { rows: (range.rows.0, range.rows.0), ..range }
                ),
            ));
        }
        let mut refused = Refused::new();
        let mut first = None;
        for size @ (rows, cols) in range.sizes() {
            let board = about(question, size)?;
            if let Err(error) = catalogue.job(&board) {
                refused.insert(size, error.sentence.clone());
                first.get_or_insert_with(|| Error {
                    sentence: format!("On {rows}x{cols}: {}", error.sentence),
                    ..error
                });
            }
        }
        match first {
            Some(error) if refused.len() == range.sizes().len() => Err(error),
            _ => Ok(Boards { catalogue, question, range, refused }),
        }
    }

    /// The boards that can be counted, the cheapest first.
    fn by_cost(&self) -> Vec<(usize, usize)> {
        let mut sizes = self.range.by_cost();
        sizes.retain(|size| !self.refused.contains_key(size));
        sizes
    }

    /// Counts one board.
    fn count(&self, size: (usize, usize), run: &Run) -> Result<Known> {
        let question = about(self.question, size)?;
        let job = self.catalogue.job(&question)?;
        let part = run.part(again::budget(run, None));
        let mut answer = job.answer(&part, &mut Deaf)?;
        // What was left of the time is a part of the limit that was given.
        if let (Value::GaveUp { stop: Limit::Time { seconds }, .. }, Some(limit)) =
            (&mut answer.value, run.budget().time)
        {
            *seconds = limit.as_secs_f64();
        }
        Ok(Known {
            method: answer.method.name().into_owned(),
            components: answer.method.components,
            subject: answer.subject,
            value: answer.value,
            seconds: part.elapsed().as_secs_f64(),
        })
    }
}

impl Job for Boards<'_> {
    fn plan(&self, run: &Run) -> Result<Plan> {
        let sizes = self.by_cost();
        let why = "a range is counted board by board, the cheapest first";
        let mut plan = Plan::new(self.question, used(&[]), why);
        let add = |sum: &mut Option<f64>, more: Option<f64>| {
            if let Some(more) = more {
                *sum = Some(sum.unwrap_or(0.0) + more);
            }
        };
        let mut open = Vec::new();
        run.uneven_stage("planning", sizes.len() as u64);
        for &size in &sizes {
            let question = about(self.question, size)?;
            let planned = match run.check() {
                Ok(()) => Some(self.catalogue.job(&question)?.plan(run)?),
                Err(_) => None,
            };
            let seconds = planned.as_ref().and_then(|planned| planned.seconds);
            if seconds.is_none() {
                open.push(format!("{}x{}", size.0, size.1));
            }
            let Some(planned) = planned else { continue };
            add(&mut plan.nodes, planned.nodes);
            add(&mut plan.borders, planned.borders);
            add(&mut plan.states, planned.states);
            add(&mut plan.seconds, planned.seconds);
            let most = |one: Option<f64>, other: Option<f64>| match (one, other) {
                (Some(one), Some(other)) => Some(one.max(other)),
                (one, other) => one.or(other),
            };
            plan.bytes = most(plan.bytes, planned.bytes);
            plan.peak_borders = most(plan.peak_borders, planned.peak_borders);
            run.step(1);
        }
        plan = plan.note(format!(
            "{} boards, one after the other: work and time are sums, memory is the largest.",
            sizes.len()
        ));
        if !open.is_empty() {
            plan = plan.note(format!("No time is predicted for {}.", open.join(", ")));
        }
        for ((rows, cols), why) in &self.refused {
            plan = plan.note(format!("{rows}x{cols} is refused: {why}"));
        }
        Ok(plan)
    }

    fn check_store(&self) -> Result<()> {
        Ok(())
    }

    fn check_disk(&self) -> Result<()> {
        for size in self.by_cost() {
            self.catalogue.job(&about(self.question, size)?)?.check_disk()?;
        }
        Ok(())
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        let asked = Asked::new(self.question, run);
        let ledger = asked.ledger(EACH)?;
        let sizes = self.by_cost();
        let mut known: Vec<((usize, usize), Known)> = Vec::new();
        let mut stop: Option<Limit> = None;
        for (done, &size) in sizes.iter().enumerate() {
            let name = format!("{}x{}", size.0, size.1);
            let chapter = ledger.chapter(&*name);
            let saved: Option<String> = match chapter.result() {
                Ok(saved) => saved,
                Err(why) => {
                    stop = Some(why.into());
                    break;
                }
            };
            let one = if let Some(saved) = saved {
                serde_json::from_str(&saved)
                    .map_err(|_| asked.off(&ledger, "a board in the checkpoint cannot be read"))?
            } else {
                if let Err(why) = run.check() {
                    stop = stop.or(Some(why.into()));
                    break;
                }
                run.uneven_stage(format!("{name}, board {} of {}", done + 1, sizes.len()), 0);
                let one = self.count(size, run)?;
                if one.value.stop().is_none() {
                    let text = serde_json::to_string(&one)
                        .map_err(|error| Error::internal(error.to_string()))?;
                    chapter.finish(&text);
                    // The next board may take hours.
                    ledger.keep();
                }
                one
            };
            stop = stop.or(one.value.stop().cloned());
            known.push((size, one));
        }
        let of = |size: (usize, usize)| known.iter().find(|(own, _)| *own == size);
        let numbers = |size| of(size).and_then(|(_, known)| known.value.number());
        let components: Vec<&str> =
            known.iter().flat_map(|(_, one)| &one.components).map(String::as_str).collect();
        let things = known.first().map(|(_, one)| one.subject.clone());
        let value = match &stop {
            None => Value::Described {},
            Some(stop) => Value::gave_up(stop.clone()),
        };
        let mut answer = asked.answer(&subject(things.as_ref()), value, used(&components));
        asked.close(&ledger, &mut answer)?;
        let rows = self.range.sizes().into_iter().map(|size| {
            let one = of(size).map(|(_, one)| one);
            row(size, one, self.refused.get(&size), stop.as_ref())
        });
        let mut table = boards();
        rows.for_each(|row| table.push_row(row));
        answer.tables.push(table);
        if self.range.is_table() {
            answer.tables.push(grid(&self.range, &numbers));
        }
        if let Some(things) = things {
            answer.sequence = Some(sequence(&self.range, &self.refused, &things, &numbers));
        }
        answer.notes.extend(refusals(&self.refused, &self.range));
        if stop.is_some() {
            let counted = known.iter().filter(|(_, one)| one.value.stop().is_none()).count();
            answer.notes.push(format!(
                "{counted} of {} boards are counted; the table says of the others which limit \
                 was reached.",
                sizes.len()
            ));
        }
        Ok(answer)
    }
}

/// What is said of boards that are refused, if some are.
fn refusals(refused: &Refused, range: &Range) -> Option<String> {
    let (some, all) = (refused.len(), range.sizes().len());
    (some > 0).then(|| format!("{some} of {all} boards are refused; the table says why."))
}

fn used(components: &[&str]) -> Used {
    let used = Used {
        id: EACH.into(),
        by: None,
        text: "each board by the engine that fits it".into(),
        components: Vec::new(),
    };
    used.with_components(components)
}

/// What a table of these things is about.
fn subject(things: Option<&Subject>) -> Subject {
    match things {
        None => Subject::measure("table", "numbers on each board"),
        Some(things) => Subject {
            id: format!("table-of-{}", things.id).into(),
            text: format!("number of {} on each board", on_any(&things.text)).into(),
            one: None,
        },
    }
}

/// Words for things without the name of a group at their end, which is that of one board.
fn on_any(things: &str) -> &str {
    let is_group = |name: &str| {
        let number = name.strip_prefix(['C', 'D']).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    };
    match things.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        Some((words, name)) if is_group(name) => words,
        _ => things,
    }
}

fn boards() -> Table {
    let columns = [
        ("rows", "rows", DatumKind::Integer),
        ("columns", "columns", DatumKind::Integer),
        ("number", "number", DatumKind::Integer),
        ("standing", "standing", DatumKind::Text),
        ("method", "method", DatumKind::Text),
        ("why", "why not", DatumKind::Text),
    ];
    Table::new(BOARDS, "Boards", &columns)
}

/// The row of a board: its number, or the limit that stopped it, or why it is refused.
fn row(
    (rows, cols): (usize, usize),
    known: Option<&Known>,
    refused: Option<&String>,
    stop: Option<&Limit>,
) -> Vec<Datum> {
    let (standing, number) = match known.map(|known| &known.value) {
        None if refused.is_some() => (REFUSED, Datum::Missing),
        None | Some(Value::GaveUp { .. }) => ("gave-up", Datum::Missing),
        Some(Value::Exact { number }) => ("exact", number.into()),
        Some(Value::None { .. }) => ("none", 0u32.into()),
        Some(Value::Residue { residue, .. }) => ("residue", residue.into()),
        Some(Value::AtLeast { number, .. }) => ("at-least", number.into()),
        Some(Value::Estimated(_) | Value::Described {}) => ("described", Datum::Missing),
    };
    let limit = match known {
        None => stop,
        Some(known) => known.value.stop(),
    };
    let why = refused.cloned().or(limit.map(ToString::to_string));
    vec![
        rows.into(),
        cols.into(),
        number,
        standing.into(),
        known.map(|known| known.method.clone()).into(),
        why.into(),
    ]
}

/// How a board stands that the game does not take.
const REFUSED: &str = "refused";

type Numbers<'n> = &'n dyn Fn((usize, usize)) -> Option<BigUint>;

/// The exact numbers, a row of the table for each number of rows.
fn grid(range: &Range, number: Numbers) -> Table {
    let cols = range.cols.unwrap_or(range.rows);
    let mut table = Table::new(GRID, "Rows down, columns across", &[]);
    let column = |id: String, text: String| Column { id, text, kind: DatumKind::Integer };
    table.columns.push(column("rows".into(), String::new()));
    table
        .columns
        .extend((cols.0..=cols.1).map(|col| column(format!("columns-{col}"), col.to_string())));
    for row in range.rows.0..=range.rows.1 {
        let numbers = (cols.0..=cols.1).map(|col| Datum::from(number((row, col))));
        table.push_row(std::iter::once(row.into()).chain(numbers).collect());
    }
    table
}

fn sequence(range: &Range, refused: &Refused, things: &Subject, number: Numbers) -> Sequence {
    let (mut first, mut sizes) = range.in_order();
    if !range.is_table() {
        let skipped = sizes.iter().take_while(|size| refused.contains_key(size)).count();
        sizes.drain(..skipped);
        first += skipped as u64;
    }
    let values = sizes.into_iter().map_while(number);
    Sequence {
        id: things.id.clone().into_owned(),
        text: range.describe(on_any(&things.text)),
        terms: (first..).zip(values).map(|(n, value)| Term { n, value }).collect(),
        recurrence: None,
        growth: None,
    }
}

/// The number that a row states, if it states one, and if it can be the true one.
fn own_number(
    stated: &[Datum],
    fresh: &Value,
    number: &BigUint,
) -> Result<Option<BigUint>, String> {
    let is_zero = matches!(fresh, Value::None { .. });
    let is_limited = matches!(stated[5], Datum::Text(_));
    match (&stated[2], &stated[3]) {
        (Datum::Missing, Datum::Text(standing)) if standing == "gave-up" && is_limited => Ok(None),
        (Datum::Integer(own), Datum::Text(standing)) => {
            let own = own.to_biguint().filter(|own| match &**standing {
                "exact" => own == number && !is_zero && !is_limited,
                "none" => is_zero && own == number && !is_limited,
                "at-least" => own <= number && is_limited,
                _ => false,
            });
            own.map(Some).ok_or_else(|| format!("there are {number}"))
        }
        _ => Err("there is no number".into()),
    }
}

/// Checks the answer to a range: each board is counted again, and that answer is checked as if it
/// had been asked for alone.
pub(crate) fn check(
    catalogue: &Catalogue,
    answer: &Answer,
    range: Range,
    effort: Effort,
    run: &Run,
) -> Result<Verdict> {
    let forged = |field: &str, why: String| {
        Error::forged(field, format!("The answer does not hold: {why}."))
    };
    let card = catalogue.game(&answer.question.game)?.card();
    // What is wrong with the question is refused here.
    let Boards { refused, .. } = Boards::new(catalogue, &answer.question, range)?;
    if answer.method.id != EACH {
        return Err(forged("method", format!("{:?} counts no ranges", answer.method.id)));
    }
    let field = format!("tables.{BOARDS}");
    let stated = answer.table(BOARDS).filter(|table| {
        (&table.columns, &table.title) == (&boards().columns, &boards().title)
            && table.rows.len() == range.sizes().len()
    });
    let stated =
        stated.ok_or_else(|| forged(&field, "its boards are not those of the range".into()))?;
    let claims = check::claims(answer, &card.menu(answer.question.verb))?;
    let mut standing = Standing::Checked;
    let mut why = String::from("each board was counted again, and its answer checked");
    let mut things = None;
    let mut numbers = Vec::new();
    let within = again::most_of(run);
    for (size @ (rows, cols), stated) in range.sizes().into_iter().zip(&stated.rows) {
        if let Some(why) = refused.get(&size) {
            if *stated != row(size, None, Some(why), None) {
                return Err(forged(&field, format!("{rows}x{cols} is refused")));
            }
            numbers.push((size, None));
            continue;
        }
        let part = within.part(again::budget(&within, Some(again::PATIENCE)));
        let question = about(&answer.question, size)?;
        let mut fresh = catalogue.answer(&question, &part)?;
        // How fast it was, and by which engine, is no claim.
        let expected = row(size, None, None, None);
        if stated[..2] != expected[..2] {
            return Err(forged(&field, format!("{rows}x{cols} is not in its place")));
        }
        let Some(number) = fresh.value.number() else {
            standing = Standing::NotChecked;
            why = format!("{rows}x{cols} was not counted again");
            numbers.push((size, None));
            continue;
        };
        let own = own_number(stated, &fresh.value, &number)
            .map_err(|why| forged(&field, format!("on {rows}x{cols} {why}")))?;
        things = things.or(Some(fresh.subject.clone()));
        numbers.push((size, own));
        fresh.notes.clear();
        if standing == Standing::Checked && !catalogue.check(&fresh, effort, &part)?.holds {
            standing = Standing::Repeated;
            why = format!("each board was counted again; {rows}x{cols} by the same code only");
        }
    }
    let number = |size| numbers.iter().find(|(own, _)| *own == size).and_then(|(_, n)| n.clone());
    let mut found = Findings::new().with(field, standing, why.clone());
    if answer.subject == subject(things.as_ref()) {
        found = found.and("subject", "it is what the question asks for");
    }
    if refusals(&refused, &range).is_some_and(|said| answer.notes == [said]) {
        found = found.and("notes", "so many of the boards are refused");
    }
    if answer.table(GRID).is_some() != range.is_table() {
        return Err(forged(&format!("tables.{GRID}"), "its table is not there".into()));
    }
    if answer.sequence.is_none() && numbers.iter().any(|(_, number)| number.is_some()) {
        return Err(forged(check::TERMS, "its terms are not there".into()));
    }
    if let Some(table) = answer.table(GRID) {
        if *table != grid(&range, &number) && standing != Standing::NotChecked {
            return Err(forged(
                &format!("tables.{GRID}"),
                "its numbers are not those of the boards".into(),
            ));
        }
        found = found.with(format!("tables.{GRID}"), standing, why.clone());
    }
    if let (Some(stated), Some(things)) = (&answer.sequence, &things) {
        if *stated != sequence(&range, &refused, things, &number)
            && standing != Standing::NotChecked
        {
            return Err(forged(check::TERMS, "its terms are not those of the boards".into()));
        }
        for field in [check::TERMS, "sequence.text", check::LENGTH] {
            found = found.with(field.into(), standing, why.clone());
        }
    }
    let names = answer.question.options.keys().filter(|name| *name != METHOD);
    for name in names {
        found = found.with(format!("options.{name}"), standing, why.clone());
    }
    if let Value::GaveUp { .. } = answer.value {
        found = found.but("value", "the answer itself gave up");
    }
    Ok(check::verdict(&claims, &found))
}

#[cfg(test)]
mod tests;
