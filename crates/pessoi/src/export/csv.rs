//! Comma-separated values: one table of the answer, quoted as RFC 4180 asks.
//!
//! The main one is, of what there is: the puzzle, the solutions cell by cell, the edges of
//! the graph, the terms of the sequence, the first table, the value in one row. `--table`
//! chooses another one by its id. Small tables have the question as a last column, so that
//! files can be put together.

use super::{Ending, Format, Out, Page, TABLE, Writer, aside, whole};
use crate::answer::{Answer, Estimated, Value};
use crate::board::Drawing;
use crate::card::Opt;
use crate::error::{Error, Result};
use crate::job::Flow;
use crate::question::{Place, Verb};
use crate::solution::{Figure, Solution};
use crate::table::{Datum, Table};

pub(super) struct Csv;

impl Format for Csv {
    fn id(&self) -> &'static str {
        "csv"
    }

    fn help(&self) -> &'static str {
        "one table, comma-separated"
    }

    fn media_type(&self) -> &'static str {
        "text/csv"
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn holds(&self, _: Verb) -> bool {
        true
    }

    fn options(&self) -> &'static [Opt] {
        &[TABLE]
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        let table = page.style.text(&TABLE);
        if page.question.verb.streams() && table.is_none_or(|id| id == SOLUTIONS) {
            let is_classified = page.question.verb == Verb::Classify;
            return Ok(Box::new(Streamed { out, is_classified, number: 0 }));
        }
        Ok(whole(page, out, |answer, page| {
            let rows = chosen(answer, page.style.text(&TABLE))?;
            Ok(Some(rows.iter().flat_map(row).collect()))
        }))
    }
}

const SOLUTIONS: &str = "solutions";

/// Solutions as they come. The first one says which columns there are.
struct Streamed<'a> {
    out: Out<'a>,
    is_classified: bool,
    number: u64,
}

impl Streamed<'_> {
    fn head(&mut self, is_path: bool) -> Result<()> {
        let _ = self.out.write(&row(&head(is_path, self.is_classified)))?;
        Ok(())
    }
}

impl Writer for Streamed<'_> {
    fn solution(&mut self, found: Solution) -> Result<Flow> {
        if self.number == 0 {
            self.head(matches!(found.figure, Figure::Path { .. }))?;
        }
        self.number += 1;
        let bytes: Vec<u8> = solution(&found, self.number).iter().flat_map(row).collect();
        self.out.write(&bytes)
    }

    fn end(&mut self, answer: &mut Answer) -> Result<Ending> {
        for found in std::mem::take(&mut answer.solutions) {
            let _ = self.solution(found)?;
        }
        if self.number == 0 {
            self.head(true)?;
        }
        Ok(Ending { wrote: true, aside: aside(answer) })
    }
}

type Row = Vec<String>;

/// One row with its line end.
fn row(fields: &Row) -> Vec<u8> {
    let quoted: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
    (quoted.join(",") + "\n").into_bytes()
}

/// A field, in quotes where RFC 4180 asks for them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

fn words(words: &[&str]) -> Row {
    words.iter().map(ToString::to_string).collect()
}

fn head(is_path: bool, is_classified: bool) -> Row {
    let mut head = if is_path {
        words(&["solution", "number", "row", "column"])
    } else {
        words(&["solution", "number", "position"])
    };
    if is_classified {
        head.push("orbit".into());
    }
    head
}

fn solution(solution: &Solution, number: u64) -> Vec<Row> {
    let orbit = solution.class.as_ref().map(|class| class.orbit.to_string());
    let with = |mut fields: Row| {
        fields.extend(orbit.clone());
        fields
    };
    match &solution.figure {
        Figure::Path { cells, .. } => (1..)
            .zip(cells)
            .map(|(step, cell)| {
                let sides = [number, step, cell.row as u64 + 1, cell.col as u64 + 1];
                with(sides.iter().map(ToString::to_string).collect())
            })
            .collect(),
        Figure::Positions { drawings, .. } => (1..)
            .zip(drawings)
            .map(|(step, drawing): (u64, _)| {
                with(vec![number.to_string(), step.to_string(), drawing.trim_end().to_owned()])
            })
            .collect(),
    }
}

/// A puzzle in the order of its solution: number, cell, and whether it is a clue.
fn puzzle(drawing: &Drawing, solutions: &[Solution]) -> Vec<Row> {
    let mut rows = vec![words(&["number", "row", "column", "clue"])];
    for solution in solutions {
        for (number, cell) in (1..).zip(solution.figure.path()) {
            let is_clue = drawing.clues.iter().any(|clue| clue.number == number);
            let sides = [i64::from(number), cell.row.into(), cell.col.into()];
            let mut fields: Row = vec![sides[0].to_string()];
            fields.extend(sides[1..].iter().map(|side| (side + 1).to_string()));
            fields.push(u8::from(is_clue).to_string());
            rows.push(fields);
        }
    }
    rows
}

/// The tables of an answer, by id.
fn ids(answer: &Answer) -> Vec<&str> {
    let mut ids = Vec::new();
    if answer.puzzle.is_some() {
        ids.push("puzzle");
    }
    if !answer.solutions.is_empty() {
        ids.push(SOLUTIONS);
    }
    if answer.graph.is_some() {
        ids.push("edges");
    }
    let tables = answer.tables.iter().map(|table| table.id.as_str());
    // Of a range the table says more than its terms.
    let is_range = matches!(answer.question.place, Place::Range(_));
    let terms = answer.sequence.is_some().then_some("terms");
    if is_range {
        ids.extend(tables.chain(terms));
    } else {
        ids.extend(terms.into_iter().chain(tables));
    }
    if answer.value == (Value::Described {}) && !answer.facts.is_empty() {
        ids.push("facts");
        ids.push("value");
    } else {
        ids.push("value");
        if !answer.facts.is_empty() {
            ids.push("facts");
        }
    }
    ids
}

fn chosen(answer: &Answer, id: Option<&str>) -> Result<Vec<Row>> {
    let ids = ids(answer);
    let id = match id {
        None => ids[0],
        Some(id) if ids.contains(&id) => id,
        Some(id) => return Err(Error::unknown("table", "options.table", id, ids)),
    };
    Ok(match (id, &answer.puzzle, &answer.graph, &answer.sequence) {
        ("puzzle", Some(Place::Board(drawing)), ..) => puzzle(drawing, &answer.solutions),
        ("solutions", ..) => {
            let is_path = answer.solutions.iter().all(|found| !found.figure.path().is_empty());
            let is_classified = answer.solutions.iter().any(|found| found.class.is_some());
            let each = (1..).zip(&answer.solutions);
            let rows = each.flat_map(|(number, found)| solution(found, number));
            std::iter::once(head(is_path, is_classified)).chain(rows).collect()
        }
        ("edges", _, Some(graph), _) => edges(graph),
        ("terms", _, _, Some(sequence)) => {
            let terms = sequence.terms.iter();
            let rows = terms.map(|term| vec![term.n.to_string(), term.value.to_string()]);
            with_question(words(&["n", "value"]), rows, answer)
        }
        ("facts", ..) => {
            let rows = answer.facts.iter().map(|fact| vec![fact.id.clone(), plain(&fact.value)]);
            with_question(words(&["fact", "value"]), rows, answer)
        }
        ("value", ..) => value(answer),
        (id, ..) => match answer.table(id) {
            Some(table) => self::table(table, answer),
            None => value(answer),
        },
    })
}

fn edges(graph: &super::Graph) -> Vec<Row> {
    let cells = graph.cells();
    let mut head = if cells.is_some() {
        words(&["from_row", "from_column", "to_row", "to_column"])
    } else {
        words(&["from", "to"])
    };
    if !graph.labels.is_empty() {
        head.push("label".into());
    }
    let mut rows = vec![head];
    for (from, to, label) in graph.named_edges() {
        let ends = [from, to].into_iter();
        let mut fields: Row = match &cells {
            // A cell is two fields.
            Some(_) => ends.flat_map(|end| end.split(',')).map(str::to_owned).collect(),
            None => ends.map(str::to_owned).collect(),
        };
        fields.extend(label.map(str::to_owned));
        rows.push(fields);
    }
    rows
}

fn table(table: &Table, answer: &Answer) -> Vec<Row> {
    let head = table.columns.iter().map(|column| column.id.clone()).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(plain).collect());
    with_question(head, rows, answer)
}

/// A datum for programs: all digits of a float, `true` and `false`, nothing for nothing.
fn plain(datum: &Datum) -> String {
    match datum {
        Datum::Float(number) => number.to_string(),
        Datum::Boolean(is) => is.to_string(),
        Datum::Missing => String::new(),
        other => other.to_string(),
    }
}

fn with_question(mut head: Row, rows: impl Iterator<Item = Row>, answer: &Answer) -> Vec<Row> {
    head.push("question".into());
    let question = answer.question.words();
    let rows = rows.map(|mut row| {
        row.push(question.clone());
        row
    });
    std::iter::once(head).chain(rows).collect()
}

fn value(answer: &Answer) -> Vec<Row> {
    let empty = String::new;
    let (standing, number, low, high) = match &answer.value {
        Value::Exact { number } => ("exact", number.to_string(), empty(), empty()),
        Value::Residue { residue, .. } => ("residue", residue.to_string(), empty(), empty()),
        Value::AtLeast { number, .. } => {
            ("at-least", number.to_string(), number.to_string(), empty())
        }
        Value::Estimated(Estimated { mean, interval, .. }) => {
            let text = |number: Option<f64>| number.map(|n| n.to_string()).unwrap_or_default();
            let low = interval.as_ref().and_then(|ends| ends.low);
            let high = interval.as_ref().and_then(|ends| ends.high);
            ("estimated", text(*mean), text(low), text(high))
        }
        Value::None { .. } => ("none", "0".into(), empty(), empty()),
        Value::Described {} => ("described", empty(), empty(), empty()),
        Value::GaveUp { .. } => ("gave-up", empty(), empty(), empty()),
    };
    // How the interval was made, or why there is none.
    let (log10, interval) = match &answer.value {
        Value::Estimated(Estimated { log10_mean, interval, no_interval, .. }) => {
            let made = interval.as_ref().map(|interval| interval.method.id());
            let id = made.or(no_interval.as_ref().map(|why| why.id.id())).unwrap_or_default();
            (log10_mean.to_string(), id)
        }
        _ => (empty(), ""),
    };
    let question = &answer.question;
    let options = question.options.iter().map(|(name, setting)| format!("{name}={setting}"));
    let options = options.collect::<Vec<_>>().join(" ");
    let place = question.place.to_string();
    let seconds = format!("{:.3}", answer.cost.seconds);
    let fields = [
        ("verb", question.verb.name()),
        ("game", &question.game),
        ("place", &place),
        ("options", &options),
        ("subject", &answer.subject.id),
        ("standing", standing),
        ("number", &number),
        ("low", &low),
        ("high", &high),
        ("interval", interval),
        ("log10", &log10),
        ("method", &answer.method.id),
        ("seconds", &seconds),
        ("counts", &answer.subject.text),
    ];
    vec![
        fields.iter().map(|(name, _)| (*name).to_owned()).collect(),
        fields.iter().map(|(_, field)| (*field).to_owned()).collect(),
    ]
}
