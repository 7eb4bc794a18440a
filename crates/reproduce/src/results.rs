//! What came of all papers, for the book: how many values stand how, then every error and
//! every new value with what it rests on. Times are rounded, so that the tables change only
//! with the stored runs.

use std::fmt::Write;

use super::judge::{Support, Verdict};
use super::report::{Line, PaperReport, Report, time};

/// The tables, in Markdown.
pub(super) fn written(report: &Report) -> String {
    // Writing to a String cannot fail.
    let mut text = overview(report);
    for paper in &report.papers {
        let _ = write!(text, "\n### {}\n", paper.title);
        let errors = rows(paper, |line| matches!(line.verdict, Verdict::PaperWrong { .. }));
        if !errors.is_empty() {
            text += "\n| error of the paper | published | computed | rests on | run |\n";
            text += "|---|---|---|---|---|\n";
            for (table, line) in errors {
                let published = line.published.clone().unwrap_or_default();
                let cells = [&what(table, line), &published, &line.computed_text()];
                let cells = cells.map(|cell| safe(cell)).join(" | ");
                let _ = writeln!(text, "| {cells} | {} | {} |", rests_on(line), run(line));
            }
        }
        let new = rows(paper, |line| line.verdict == Verdict::New);
        if !new.is_empty() {
            text += "\n| new value | computed | rests on | run |\n|---|---|---|---|\n";
            for (table, line) in new {
                let cells = [&what(table, line), &line.computed_text()];
                let cells = cells.map(|cell| safe(cell)).join(" | ");
                let _ = writeln!(text, "| {cells} | {} | {} |", rests_on(line), run(line));
            }
        }
    }
    text
}

/// Who counts in a column of the overview.
type Counts = fn(&Line) -> bool;

/// The columns of the overview.
const COLUMNS: [(&str, Counts); 13] = [
    ("values", |_| true),
    ("agree", |line| line.verdict == Verdict::Agrees),
    ("errors of the paper", |line| matches!(line.verdict, Verdict::PaperWrong { .. })),
    ("argued, not computed", |line| matches!(line.verdict, Verdict::Argued { .. })),
    ("new", |line| line.verdict == Verdict::New),
    ("times", |line| matches!(line.verdict, Verdict::Timed { .. })),
    ("ambiguous", |line| matches!(line.verdict, Verdict::Ambiguous { .. })),
    ("not recomputed", |line| matches!(line.verdict, Verdict::NotRecomputed { .. })),
    ("in no stored run", |line| matches!(line.verdict, Verdict::OverBudget { .. })),
    ("disagree", |line| matches!(line.verdict, Verdict::Disagrees { .. })),
    ("confirmed", |line| matches!(line.support, Some(Support::Confirmed { .. }))),
    ("found and checked", |line| matches!(line.support, Some(Support::Checked { .. }))),
    ("one method", |line| {
        matches!(line.support, Some(Support::OneMethod { .. } | Support::SharedCode { .. }))
    }),
];

/// How many values of each paper stand how.
fn overview(report: &Report) -> String {
    let names: Vec<&str> = report.papers.iter().map(|paper| paper.name.as_str()).collect();
    let mut text =
        format!("| | {} | all |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len() + 1));
    for (name, counts) in COLUMNS {
        let numbers: Vec<usize> =
            report.papers.iter().map(|paper| rows(paper, counts).len()).collect();
        let all: usize = numbers.iter().sum();
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "| {name} | {} | {all} |", numbers.join(" | "));
    }
    text
}

/// The lines of a paper that are wanted, each with its table's name.
fn rows(paper: &PaperReport, is_wanted: impl Fn(&Line) -> bool) -> Vec<(&str, &Line)> {
    let mut found = Vec::new();
    for table in &paper.tables {
        for line in table.lines.iter().filter(|line| is_wanted(line)) {
            found.push((table.name.as_str(), line));
        }
    }
    found
}

fn what(table: &str, line: &Line) -> String {
    format!("{table}: {}", line.name())
}

/// What a value rests on; what is not confirmed is marked.
fn rests_on(line: &Line) -> String {
    line.support.as_ref().map(|support| safe(&support.to_string())).unwrap_or_default()
}

fn run(line: &Line) -> String {
    match &line.run {
        Some(run) => format!("{}, {}, {}", run.date, run.pessoi, time(run.seconds)),
        None => "this one".into(),
    }
}

fn safe(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
