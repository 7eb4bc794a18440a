//! SVG: a plot of an answer's numbers.
//!
//! What is plotted is, of what there is: the table of a range, the terms of the sequence, the first
//! table with numbers, the interval of an estimate. `--table` chooses another table by its id. A
//! table whose first column holds numbers is plotted over it, with a series for each further
//! column of numbers; one whose first column holds names is a chart of its first numbers, with
//! their intervals if it has the columns `low` and `high`.

use num_bigint::BigInt;

use super::{Format, Out, Page, TABLE, Writer, is_empty, refuse_single, whole};
use crate::answer::{Answer, Estimated, Sequence, Value};
use crate::card::Opt;
use crate::error::{Error, Result};
use crate::label::heading;
use crate::plot::{Amount, Chart, Plot, Row, Series};
use crate::question::{Place, Verb};
use crate::range::GRID;
use crate::table::{Column, DatumKind, Table};

/// Scalable vector graphics.
pub(crate) struct Svg {
    /// Whether all methods answered, so that a single number has something to plot.
    is_comparison: bool,
}

/// Plots of answers.
pub(crate) const SVG: Svg = Svg { is_comparison: false };
/// Plots of comparisons.
pub(crate) const COMPARISON: Svg = Svg { is_comparison: true };

impl Format for Svg {
    fn id(&self) -> &'static str {
        "svg"
    }

    fn help(&self) -> &'static str {
        "a plot: layers, profiles, growth, intervals"
    }

    fn media_type(&self) -> &'static str {
        "image/svg+xml"
    }

    fn extension(&self) -> &'static str {
        "svg"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(
            verb,
            Verb::Count | Verb::Estimate | Verb::Explore | Verb::Recurrence | Verb::Analyze
        )
    }

    fn options(&self) -> &'static [Opt] {
        &[TABLE]
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        if !self.is_comparison {
            refuse_single(page, self.id())?;
        }
        Ok(whole(page, out, of))
    }
}

/// What can be plotted.
enum Shown<'a> {
    Terms(&'a Sequence),
    Table(&'a Table),
    Interval(&'a Estimated),
}

fn is_number(column: &Column) -> bool {
    matches!(column.kind, DatumKind::Integer | DatumKind::Float | DatumKind::Decimal)
}

fn is_plotted(table: &Table) -> bool {
    let [first, rest @ ..] = &table.columns[..] else { return false };
    let is_axis = is_number(first) || first.kind == DatumKind::Text;
    is_axis && rest.iter().any(is_number) && !table.rows.is_empty()
}

/// All that can be plotted, by id; the first is the main one.
fn all(answer: &Answer) -> Vec<(&str, Shown<'_>)> {
    let mut shown = Vec::new();
    let tables = answer.tables.iter().filter(|table| is_plotted(table));
    let mut tables: Vec<_> = tables.map(|table| (&*table.id, Shown::Table(table))).collect();
    // Of a range the grid says more than the terms, and the terms more than the list of boards.
    let is_range = matches!(answer.question.place, Place::Range(_));
    if let Some(grid) = tables.iter().position(|(id, _)| *id == GRID) {
        shown.push(tables.remove(grid));
    }
    let terms = answer.sequence.as_ref().filter(|sequence| sequence.terms.len() > 1);
    let terms = terms.map(|sequence| ("terms", Shown::Terms(sequence)));
    let is_compared = answer.method.id == crate::compare::EACH;
    if is_range || !is_compared {
        shown.extend(terms);
    }
    shown.extend(tables);
    if let Value::Estimated(estimated) = &answer.value {
        shown.push(("value", Shown::Interval(estimated)));
    }
    shown
}

/// The plot of an answer; nothing if it has no numbers.
pub(crate) fn of(answer: &Answer, page: &Page) -> Result<Option<Vec<u8>>> {
    let all = all(answer);
    let Some((_, first)) = all.first() else {
        if is_empty(answer) || answer.value.stop().is_some() {
            return Ok(None);
        }
        let sentence = "There is nothing to plot: the answer has no table of numbers.";
        return Err(Error::unsupported("format", sentence));
    };
    let chosen = match page.style.text(&TABLE) {
        None => first,
        Some(id) => {
            let unknown =
                || Error::unknown("plot", "options.table", id, all.iter().map(|(id, _)| *id));
            &all.iter().find(|(known, _)| *known == id).ok_or_else(unknown)?.1
        }
    };
    let svg = match chosen {
        Shown::Terms(sequence) => terms(answer, sequence),
        Shown::Table(table) if is_number(&table.columns[0]) => plot(answer, table),
        Shown::Table(table) => chart(answer, table),
        Shown::Interval(estimated) => interval(answer, estimated),
    };
    Ok(Some(svg.into_bytes()))
}

fn terms(answer: &Answer, sequence: &Sequence) -> String {
    let points = sequence
        .terms
        .iter()
        .map(|term| (term.n as f64, Amount::of_integer(&BigInt::from(term.value.clone()))));
    let title = format!("{}: {}", heading(&answer.question), sequence.text);
    Plot::new(&title, "n", "a(n)").with(Series::new("a(n)", points.collect())).to_svg()
}

fn plot(answer: &Answer, table: &Table) -> String {
    let columns: Vec<usize> =
        (1..table.columns.len()).filter(|&at| is_number(&table.columns[at])).collect();
    let is_grid = table.id == GRID;
    let title = if is_grid { &*answer.subject.text } else { &*table.title };
    let across = if is_grid { "rows" } else { &*table.columns[0].text };
    let up = match &columns[..] {
        _ if is_grid => "number",
        [one] => &*table.columns[*one].text,
        // Measures have their unit in the title.
        [first, ..] if table.columns[*first].kind == DatumKind::Float => &*table.title,
        _ => "number",
    };
    let mut plot = Plot::new(&format!("{}: {title}", heading(&answer.question)), across, up);
    for at in columns {
        let name = &table.columns[at].text;
        let name = match &**name {
            "1" if is_grid => "1 column".to_owned(),
            _ if is_grid => format!("{name} columns"),
            name => name.to_owned(),
        };
        let points = table
            .rows
            .iter()
            .filter_map(|row| Some((row[0].as_f64()?, Amount::of_datum(&row[at])?)));
        plot = plot.with(Series::new(&name, points.collect()));
    }
    plot.to_svg()
}

fn chart(answer: &Answer, table: &Table) -> String {
    let is_float = |column: &Column| column.kind == DatumKind::Float;
    let first = |is: &dyn Fn(&Column) -> bool| table.columns.iter().position(is);
    let ends = table.column("low").zip(table.column("high"));
    // Of several numbers those with a point are measures.
    let amounts = match ends {
        Some(_) => first(&is_number),
        None => first(&is_float).or_else(|| first(&is_number)),
    };
    let Some(amounts) = amounts else { return String::new() };
    let title = format!("{}: {}", heading(&answer.question), table.title);
    let mut chart = Chart::new(&title, &table.columns[amounts].text);
    for row in &table.rows {
        let at = |column: usize| Amount::of_datum(&row[column]);
        let Some(amount) = at(amounts) else { continue };
        let ends = ends.and_then(|(low, high)| at(low).zip(at(high)));
        chart = chart.with(Row { name: row[0].to_string(), amount, ends });
    }
    chart.to_svg()
}

fn interval(answer: &Answer, estimated: &Estimated) -> String {
    let title = format!("{}: {}", heading(&answer.question), answer.subject.text);
    let mut chart = Chart::new(&title, &answer.subject.text);
    let ends = estimated.interval.as_ref().and_then(|interval| {
        Amount::from_log10(interval.log10_low).zip(Amount::from_log10(interval.log10_high))
    });
    if let Some(amount) = Amount::from_log10(estimated.log10_mean) {
        chart = chart.with(Row { name: answer.method.id.clone(), amount, ends });
    }
    chart.to_svg()
}
