//! Comparing: one question, answered by every method that takes it.
//!
//! The methods are those that can be asked for by name, and the one that is chosen if none is
//! asked for. They run one after the other, each with all threads and with the same **time**, on
//! one board or on the boards of a range, the cheapest first. A method that does not take the
//! question is listed with its refusal. On a range, one that was stopped on a board is not run on
//! those after it.
//!
//! Numbers of the same things must be the same. If two methods give different ones, there is no
//! comparison but an error: one of them is wrong. An interval may miss the exact number (one in
//! twenty does); that is said and is no error.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use num_bigint::BigUint;

use crate::answer::{Answer, Limit, Sequence, Subject, Used, Value};
use crate::board::Board;
use crate::card::{METHOD, PART};
use crate::catalogue::Catalogue;
use crate::check::{Effort, Finding, Standing, Verdict};
use crate::error::{Code, Error, Result};
use crate::export::{self, Format};
use crate::job::{Asked, Deaf};
use crate::question::{Place, Question};
use crate::range::{self, Range};
use crate::table::{Column, Datum, DatumKind, Table};
use pessoi_engine::run::{Budget, Run};

/// How long each method may take if no time is given.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The engine of a comparison: all of them.
pub(crate) const EACH: &str = "each-method";
/// The tables: seconds of each method by the size of the board; estimates with their intervals;
/// all that is known of each method.
const COSTS: &str = "costs";
const INTERVALS: &str = "intervals";
const METHODS: &str = "methods";

/// What came of one method on one board.
struct Tried {
    size: Option<(usize, usize)>,
    cells: Option<usize>,
    method: String,
    /// Whether it is what would be chosen.
    is_chosen: bool,
    seconds: f64,
    came: Came,
    agrees: Option<bool>,
}

enum Came {
    Answered(Box<Answer>),
    Refused(String),
    /// It was stopped on a smaller board.
    NotRun(String),
}

impl Tried {
    fn answer(&self) -> Option<&Answer> {
        match &self.came {
            Came::Answered(answer) => Some(answer),
            _ => None,
        }
    }

    /// Whether there is an answer that no limit cut short.
    fn is_whole(&self) -> bool {
        self.answer().is_some_and(|answer| answer.value.is_whole())
    }
}

/// The formats of comparisons.
pub fn formats() -> impl Iterator<Item = &'static dyn Format> {
    const IDS: [&str; 4] = ["text", "json", "csv", "jsonl"];
    let shared = export::FORMATS.iter().copied().filter(|format| IDS.contains(&format.id()));
    shared.chain([&export::plot::COMPARISON as &dyn Format])
}

/// The format of comparisons with this name.
pub fn format(id: &str) -> Result<&'static dyn Format> {
    formats()
        .find(|format| format.id() == id)
        .ok_or_else(|| Error::unknown("format", "format", id, formats().map(Format::id)))
}

/// Answers a question by every method, each within so much time on each board.
pub(crate) fn compare(
    catalogue: &Catalogue,
    question: &Question,
    each: Duration,
    run: &Run,
) -> Result<Answer> {
    for (name, why) in [
        (METHOD, "asks for one engine, and all of them are compared"),
        (PART, "goes with one engine: the parts of another one are others"),
    ] {
        if question.options.contains_key(name) {
            let sentence = format!("--{name} {why}: leave it out.");
            return Err(Error::conflict(name, sentence));
        }
    }
    let range = match question.place {
        Place::Range(range) => Some(range),
        _ => None,
    };
    let sizes: Vec<Option<(usize, usize)>> = match range {
        Some(range) => range.by_cost().into_iter().map(Some).collect(),
        None => vec![None],
    };
    let mut all: Vec<Tried> = Vec::new();
    let mut stopped: BTreeMap<String, String> = BTreeMap::new();
    for size in sizes {
        let asked = match size {
            Some(size) => range::about(question, size)?,
            None => question.clone(),
        };
        let board = Contest { catalogue, question: &asked, size, each, run };
        let mut tried = board.tried(&mut stopped)?;
        agree(&mut tried, &asked)?;
        all.extend(tried);
        if run.cancelled() {
            break;
        }
    }
    Ok(told(question, range, each, &all, run))
}

/// One board, on which all methods run.
struct Contest<'a> {
    catalogue: &'a Catalogue,
    question: &'a Question,
    size: Option<(usize, usize)>,
    each: Duration,
    run: &'a Run,
}

impl Contest<'_> {
    fn part(&self) -> Run {
        self.run.part(Budget { time: Some(self.each), ..self.run.budget().clone() })
    }

    /// Runs all methods; those that are stopped are remembered with the board.
    fn tried(&self, stopped: &mut BTreeMap<String, String>) -> Result<Vec<Tried>> {
        let Contest { catalogue, question, size, run, .. } = *self;
        let chosen = catalogue.plan(question, &self.part())?.method.id;
        let menu = catalogue.menu(catalogue.game(&question.game)?.card(), question.verb);
        let named = menu.methods.iter().filter(|method| method.named).map(|method| method.id);
        let mut methods: Vec<&str> = named.collect();
        if !methods.contains(&&*chosen) {
            methods.insert(0, &chosen);
        }
        let cells = question.board().ok().map(Board::len);
        let mut tried = Vec::new();
        for (done, method) in (1..).zip(&methods) {
            let mut one = Tried {
                size,
                cells,
                method: (*method).to_owned(),
                is_chosen: *method == chosen,
                seconds: 0.0,
                came: Came::NotRun("the comparison was interrupted".into()),
                agrees: None,
            };
            let board = size.map(|(rows, cols)| format!("{rows}x{cols}"));
            if let Some(before) = stopped.get(*method) {
                one.came = Came::NotRun(format!("it was stopped on {before}"));
            } else if !run.cancelled() {
                let at = board.as_ref().map(|board| format!("{board}, ")).unwrap_or_default();
                run.uneven_stage(format!("{at}{method}, {done} of {}", methods.len()), 0);
                let is_named = menu.methods.iter().any(|known| known.named && known.id == *method);
                let asked = question.clone();
                let asked = if is_named { asked.with(METHOD, *method) } else { asked };
                (one.came, one.seconds) = self.ask(&asked)?;
                if let Some(board) = board
                    && one.answer().is_some_and(|answer| answer.value.stop().is_some())
                {
                    stopped.insert(one.method.clone(), board);
                }
            }
            tried.push(one);
        }
        Ok(tried)
    }

    /// Asks one method.
    fn ask(&self, question: &Question) -> Result<(Came, f64)> {
        let part = self.part();
        let came = self.catalogue.ask(question, &part, &mut Deaf);
        // All digits of a clock would only be noise.
        let seconds = (part.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        match came {
            Ok(answer) => Ok((Came::Answered(Box::new(answer)), seconds)),
            Err(error) if error.code == Code::Internal => Err(error),
            Err(error) => Ok((Came::Refused(error.sentence), seconds)),
        }
    }
}

/// The number that a value is, or is no less than.
fn least(value: &Value) -> Option<BigUint> {
    match value {
        Value::AtLeast { number, .. } => Some(number.clone()),
        value => value.number(),
    }
}

/// Whether two sequences have the same terms, as far as both have any.
fn same_terms(one: Option<&Sequence>, other: Option<&Sequence>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.terms.iter().all(|term| {
            other.terms.iter().all(|there| there.n != term.n || there.value == term.value)
        }),
        _ => true,
    }
}

/// Finds whether the answers agree, each with those of the same things. Numbers that differ are
/// an error.
fn agree(tried: &mut [Tried], question: &Question) -> Result<()> {
    let differ = |one: &Tried, other: &Tried, a: &str, b: &str| {
        let words = question.words();
        Err(Error::internal(format!(
            "the methods disagree about {words:?}: {} says {a}, and {} says {b}",
            one.method, other.method
        )))
    };
    for k in 0..tried.len() {
        let Some(answer) = tried[k].answer() else { continue };
        let mut agrees = None;
        for (j, other) in tried.iter().enumerate() {
            let Some(there) = other.answer().filter(|there| there.subject.id == answer.subject.id)
            else {
                continue;
            };
            if j == k {
                continue;
            }
            if !same_terms(answer.sequence.as_ref(), there.sequence.as_ref()) {
                return differ(&tried[k], other, "other terms", "others");
            }
            match (answer.value.number(), there.value.number()) {
                (Some(a), Some(b)) if a != b => {
                    return differ(&tried[k], other, &a.to_string(), &b.to_string());
                }
                (Some(_), Some(_)) => agrees = Some(true),
                (Some(exact), None) => {
                    let Some(least) = least(&there.value) else { continue };
                    if least > exact {
                        let least = format!("at least {least}");
                        return differ(&tried[k], other, &exact.to_string(), &least);
                    }
                }
                (None, Some(exact)) => match &answer.value {
                    Value::Estimated(estimated) => agrees = estimated.holds(&exact).or(agrees),
                    Value::AtLeast { .. } => agrees = Some(true),
                    _ => {}
                },
                (None, None) => {}
            }
        }
        tried[k].agrees = agrees;
    }
    Ok(())
}

/// The answer: the value on which the methods agree, and the tables.
fn told(
    question: &Question,
    range: Option<Range>,
    each: Duration,
    all: &[Tried],
    run: &Run,
) -> Answer {
    let asked = Asked::new(question, run);
    let best = best(all);
    let (subject, value) = match (range, best) {
        (Some(_), Some(best)) => (best.subject.clone(), Value::Described {}),
        (None, Some(best)) => (best.subject.clone(), best.value.clone()),
        (_, None) => {
            let stop = match all.iter().find_map(|tried| tried.answer()?.value.stop().cloned()) {
                Some(stop) => stop,
                None => Limit::Attempts { text: "no method takes this question".into() },
            };
            let subject = all.iter().find_map(|tried| Some(tried.answer()?.subject.clone()));
            let subject = subject.unwrap_or(Subject::measure("comparison", "a comparison"));
            (subject, Value::gave_up(stop))
        }
    };
    let used = Used {
        id: EACH.into(),
        by: None,
        text: "every method that takes the question, one after the other".into(),
        components: Vec::new(),
    };
    let mut answer = asked.answer(&subject, value, used);
    if range.is_some() {
        answer.tables.push(costs(all));
    }
    if let Some(intervals) = intervals(all) {
        answer.tables.push(intervals);
    }
    answer.tables.push(methods(all, range.is_some()));
    let seconds = export::seconds(each.as_secs_f64());
    let on = if range.is_some() { " on each board" } else { "" };
    answer.notes.push(format!("Each method may take {seconds}{on} (--time)."));
    let agreed = all.iter().filter(|tried| tried.agrees == Some(true)).count();
    if agreed > 0 {
        answer.notes.push("All methods that gave a number agree.".into());
    }
    if all.iter().any(|tried| tried.agrees == Some(false)) {
        answer.notes.push(
            "An interval misses the exact number. One in twenty does; another --seed may tell \
             whether this is one."
                .into(),
        );
    }
    if run.cancelled() {
        answer.value = Value::gave_up(Limit::Cancelled {});
    }
    answer
}

/// The answer that says most, of those that no limit cut short.
fn best(all: &[Tried]) -> Option<&Answer> {
    let rank = |answer: &Answer| match &answer.value {
        Value::Exact { .. } | Value::None { .. } => 0,
        Value::Residue { .. } | Value::AtLeast { .. } | Value::Described {} => 1,
        Value::Estimated(_) => 2,
        Value::GaveUp { .. } => 3,
    };
    let whole = all.iter().filter(|tried| tried.is_whole()).filter_map(Tried::answer);
    whole.min_by(|a, b| {
        let error = |answer: &Answer| match &answer.value {
            Value::Estimated(estimated) => estimated.relative_error,
            _ => 0.0,
        };
        rank(a).cmp(&rank(b)).then(error(a).total_cmp(&error(b)))
    })
}

/// Seconds by size: a row for each board, a column for each method that answered at all.
fn costs(all: &[Tried]) -> Table {
    let answered: BTreeSet<&str> =
        all.iter().filter(|tried| tried.is_whole()).map(|tried| &*tried.method).collect();
    let mut names: Vec<&str> = Vec::new();
    for tried in all {
        if answered.contains(&*tried.method) && !names.contains(&&*tried.method) {
            names.push(&tried.method);
        }
    }
    let columns = [("cells", "cells", DatumKind::Integer), ("board", "board", DatumKind::Text)];
    let mut table = Table::new(COSTS, "Seconds", &columns);
    let column = |name: &&str| Column {
        id: (*name).to_owned(),
        text: (*name).to_owned(),
        kind: DatumKind::Float,
    };
    table.columns.extend(names.iter().map(column));
    let sizes: BTreeSet<_> =
        all.iter().filter_map(|tried| Some((tried.cells?, tried.size?))).collect();
    for (cells, size) in sizes {
        let of = |name: &&str| {
            let is_it = |tried: &&Tried| tried.size == Some(size) && tried.method == **name;
            all.iter().find(is_it).filter(|tried| tried.is_whole()).map(|tried| tried.seconds)
        };
        let seconds = names.iter().map(|name| Datum::from(of(name)));
        let board: [Datum; 2] = [cells.into(), format!("{}x{}", size.0, size.1).into()];
        table.push_row(board.into_iter().chain(seconds).collect());
    }
    table
}

/// Estimates with their intervals, if there are any, and the exact number if it is known.
fn intervals(all: &[Tried]) -> Option<Table> {
    let columns = [
        ("method", "method", DatumKind::Text),
        ("estimate", "estimate", DatumKind::Float),
        ("low", "low", DatumKind::Float),
        ("high", "high", DatumKind::Float),
    ];
    let mut table = Table::new(INTERVALS, "Estimates, with 95 % confidence", &columns);
    for tried in all {
        if let Some(Value::Estimated(estimated)) = tried.answer().map(|answer| &answer.value) {
            let interval = estimated.interval.as_ref();
            table.push([
                (&*tried.method).into(),
                estimated.mean.into(),
                interval.and_then(|interval| interval.low).into(),
                interval.and_then(|interval| interval.high).into(),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// All that is known of each method.
fn methods(all: &[Tried], is_range: bool) -> Table {
    let mut columns = vec![
        ("method", "method", DatumKind::Text),
        ("chosen", "chosen", DatumKind::Boolean),
        ("standing", "standing", DatumKind::Text),
        ("number", "number", DatumKind::Integer),
        ("seconds", "seconds", DatumKind::Float),
        ("ratio", "ratio", DatumKind::Float),
        ("nodes", "nodes", DatumKind::Integer),
        ("borders", "borders", DatumKind::Integer),
        ("states", "states", DatumKind::Integer),
        ("bytes", "bytes", DatumKind::Integer),
        ("agrees", "agrees", DatumKind::Boolean),
        ("why", "why", DatumKind::Text),
    ];
    if is_range {
        columns.insert(0, ("board", "board", DatumKind::Text));
    }
    let mut table = Table::new(METHODS, "Methods", &columns);
    for tried in all {
        let same = all.iter().filter(|other| other.size == tried.size && other.is_whole());
        let best = same.map(|other| other.seconds).fold(f64::INFINITY, f64::min);
        let ratio = (tried.is_whole() && best > 0.0)
            .then(|| (tried.seconds / best * 100.0).round() / 100.0);
        let standing = match &tried.came {
            Came::Answered(answer) => export::standing(&answer.value),
            Came::Refused(_) => "refused",
            Came::NotRun(_) => "not-run",
        };
        let why = match &tried.came {
            Came::Answered(answer) => answer.value.stop().map(ToString::to_string),
            Came::Refused(why) | Came::NotRun(why) => Some(why.clone()),
        };
        let answer = tried.answer();
        let cost = answer.map(|answer| &answer.cost);
        let mut row: Vec<Datum> = vec![
            (&*tried.method).into(),
            tried.is_chosen.into(),
            standing.into(),
            answer.and_then(|answer| least(&answer.value)).into(),
            answer.map(|_| tried.seconds).into(),
            ratio.into(),
            cost.and_then(|cost| cost.nodes).into(),
            cost.and_then(|cost| cost.borders).into(),
            cost.and_then(|cost| cost.states).into(),
            cost.map(|cost| cost.peak_bytes).into(),
            tried.agrees.into(),
            why.into(),
        ];
        if is_range {
            row.insert(0, tried.size.map(|(rows, cols)| format!("{rows}x{cols}")).into());
        }
        table.push_row(row);
    }
    table
}

/// Checks a comparison: its value, as that of a method that gave it. Times are those of one run
/// on one machine.
pub(crate) fn check(
    catalogue: &Catalogue,
    answer: &Answer,
    effort: Effort,
    run: &Run,
) -> Result<Verdict> {
    let why = "times are those of one run on one machine";
    let finding =
        |field: String| Finding { field, standing: Standing::NotChecked, text: why.to_owned() };
    let tables = answer.tables.iter().map(|table| finding(format!("tables.{}", table.id)));
    let mut findings: Vec<Finding> = tables.collect();
    let card = catalogue.game(&answer.question.game)?.card();
    let menu = catalogue.menu(card, answer.question.verb);
    let given = least(&answer.value);
    // A method that the table has with this number.
    let by = answer.table(METHODS).and_then(|table| {
        let (method, number) = table.column("method").zip(table.column("number"))?;
        let is_it = |row: &&Vec<Datum>| given.is_some() && row[number] == given.clone().into();
        let row = table.rows.iter().find(is_it)?;
        menu.methods.iter().find(|known| row[method] == Datum::from(known.id))
    });
    if let Some(by) = by {
        let single = Answer {
            method: Used::from(*by),
            tables: Vec::new(),
            notes: Vec::new(),
            ..answer.clone()
        };
        findings.extend(catalogue.check(&single, effort, run)?.findings);
    }
    Ok(Verdict { holds: false, findings })
}

#[cfg(test)]
mod tests;
