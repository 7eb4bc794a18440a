//! Comma-separated values: solutions and puzzles cell by cell, tables and sequences row by row,
//! graphs edge by edge, and otherwise the value in one row.

use std::fmt::Write;

use crate::answer::{Answer, Figure, Solution, Value};
use crate::board::Drawing;
use crate::question::Place;

/// The heading of solutions; those that were classified have the size of their class.
pub(super) fn solution_head(classified: bool) -> &'static str {
    if classified { "solution,number,row,column,orbit\n" } else { "solution,number,row,column\n" }
}

pub(super) fn solution(solution: &Solution, number: u64) -> String {
    let orbit =
        solution.class.as_ref().map(|class| format!(",{}", class.orbit)).unwrap_or_default();
    let mut text = String::new();
    // Writing to a String cannot fail.
    match &solution.figure {
        Figure::Path { cells, .. } => {
            for (step, cell) in (1..).zip(cells) {
                let _ = writeln!(text, "{number},{step},{cell}{orbit}");
            }
        }
        Figure::Positions { drawings, .. } => {
            for (step, drawing) in (1..).zip(drawings) {
                let drawing = quoted(drawing.trim_end());
                let _ = writeln!(text, "{number},{step},{drawing}{orbit}");
            }
        }
    }
    text
}

/// A puzzle in the order of its solution: number, cell, and whether it is a clue.
fn puzzle(drawing: &Drawing, solutions: &[Solution]) -> String {
    let mut text = "number,row,column,clue\n".to_owned();
    for solution in solutions {
        for (number, cell) in (1..).zip(solution.figure.path()) {
            let is_clue = drawing.clues.iter().any(|clue| clue.number == number);
            let _ = writeln!(text, "{number},{cell},{}", u8::from(is_clue));
        }
    }
    text
}

pub(super) fn answer(answer: &Answer) -> String {
    let mut text = String::new();
    if let Some(Place::Board(drawing)) = &answer.puzzle {
        text += &puzzle(drawing, &answer.solutions);
    } else if !answer.solutions.is_empty() {
        let is_path = answer.solutions.iter().all(|found| !found.figure.path().is_empty());
        text += if is_path { solution_head(false) } else { "solution,number,position\n" };
        for (number, found) in (1..).zip(&answer.solutions) {
            text += &solution(found, number);
        }
    } else if let Some(graph) = &answer.graph {
        let is_cells = graph.cells().is_some();
        text += if is_cells { "from_row,from_column,to_row,to_column" } else { "from,to" };
        text += if graph.labels.is_empty() { "\n" } else { ",label\n" };
        for (from, to, label) in graph.named_edges() {
            // A cell is two fields already.
            let field = |node: &str| if is_cells { node.to_owned() } else { quoted(node) };
            let label = label.map(|label| format!(",{}", quoted(label))).unwrap_or_default();
            let _ = writeln!(text, "{},{}{label}", field(from), field(to));
        }
    } else if !answer.terms.is_empty() {
        text += "n,value\n";
        for term in &answer.terms {
            let _ = writeln!(text, "{},{}", term.n, term.value);
        }
    } else if !answer.tables.is_empty() {
        for (number, table) in answer.tables.iter().enumerate() {
            // Tables have columns of their own, so a blank line parts them.
            if number > 0 {
                text.push('\n');
            }
            let rows = std::iter::once(&table.columns).chain(&table.rows);
            for row in rows {
                let fields: Vec<_> = row.iter().map(|field| quoted(field)).collect();
                let _ = writeln!(text, "{}", fields.join(","));
            }
        }
    } else {
        text += "verb,game,place,counts,standing,number,low,high,method,seconds\n";
        let (standing, number, low, high) = match &answer.value {
            Value::Exact { number } => ("exact", number.to_string(), String::new(), String::new()),
            Value::AtLeast { number, .. } => {
                ("at-least", number.to_string(), number.to_string(), String::new())
            }
            Value::Estimated { mean, low, high, .. } => {
                ("estimated", mean.to_string(), low.to_string(), high.to_string())
            }
            Value::None { .. } => ("none", "0".into(), String::new(), String::new()),
            Value::GaveUp { .. } => ("gave-up", String::new(), String::new(), String::new()),
        };
        let fields = [
            answer.question.verb.name(),
            &answer.question.game,
            &answer.question.place.to_string(),
            &answer.counts,
            standing,
            &number,
            &low,
            &high,
            &answer.method,
            &format!("{:.3}", answer.cost.seconds),
        ];
        let _ = writeln!(text, "{}", fields.map(quoted).join(","));
    }
    text
}

/// A field, in quotes where RFC 4180 asks for them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
