//! What came of it, as text, Markdown, HTML or JSON.

use std::fmt::Write;

use serde::Serialize;

use super::judge::{Support, Verdict};
use super::paper::{Compare, Value};
use super::results;
use super::runs::{Occasion, Runs};
use pessoi::answer::Used;
use pessoi::{Error, Result};

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For a terminal.
    Text,
    /// Tables in Markdown.
    Markdown,
    /// One page.
    Html,
    /// Everything, for programs.
    Json,
    /// What came of it in all, and every error and new value: the book's tables, in Markdown.
    Results,
}

impl Form {
    /// Reads a form's name.
    pub fn parse(name: &str) -> Result<Form> {
        match name {
            "text" => Ok(Form::Text),
            "markdown" | "md" => Ok(Form::Markdown),
            "html" => Ok(Form::Html),
            "json" => Ok(Form::Json),
            "results" => Ok(Form::Results),
            _ => Err(Error::input(format!(
                "A report cannot be written as {name}; it can be written as text, markdown, html, \
                 json, results."
            ))),
        }
    }
}

/// What came of all papers.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of Pessoi that made it.
    pub pessoi: String,
    /// Paper by paper.
    pub papers: Vec<PaperReport>,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The questions that were answered, to be stored.
    #[serde(skip)]
    pub made: Runs,
}

/// What came of a paper.
#[derive(Clone, Debug, Serialize)]
pub struct PaperReport {
    /// Its name on the command line.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Who wrote it.
    pub authors: String,
    /// When it appeared.
    pub year: u32,
    /// Table by table.
    pub tables: Vec<TableReport>,
}

/// What came of a table.
#[derive(Clone, Debug, Serialize)]
pub struct TableReport {
    /// What the paper calls it.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// What its columns mean.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Value by value.
    pub lines: Vec<Line>,
}

/// What came of a value.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The row.
    pub at: String,
    /// The column.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// What is printed.
    pub published: Option<String>,
    /// What must be true of the computed value: `equal` to the published one, `at least` …
    #[serde(skip_serializing_if = "Compare::is_equal")]
    pub compare: Compare,
    /// What was computed.
    pub computed: Option<String>,
    /// What to think of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The stored run in which it was computed; none if that was this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Occasion>,
    /// What the computed value rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<Support>,
    /// The questions, as they are typed.
    pub ask: Vec<String>,
    /// How each was answered.
    pub methods: Vec<Used>,
    /// Seconds for the first question.
    pub seconds: Option<f64>,
    /// Seconds that the paper's authors needed.
    pub paper_seconds: Option<f64>,
}

impl Line {
    /// A value that nothing was computed for.
    pub(super) fn without(value: &Value, verdict: Verdict) -> Line {
        Line {
            at: value.at.clone(),
            of: value.of.clone(),
            published: value.published.clone(),
            compare: value.compare,
            computed: None,
            verdict,
            run: None,
            support: None,
            ask: value.ask.clone(),
            methods: Vec::new(),
            seconds: None,
            paper_seconds: value.seconds,
        }
    }

    /// How many times faster than the paper.
    fn faster(&self) -> Option<f64> {
        match self.verdict {
            Verdict::Timed { ratio } => Some(ratio),
            Verdict::GaveUp { .. } => None,
            _ => Some(self.paper_seconds? / self.seconds?),
        }
    }

    fn cells(&self) -> [String; 7] {
        let shown = |text: &Option<String>| text.as_deref().map(shorter).unwrap_or_default();
        [
            self.name(),
            self.expected(),
            shown(&self.computed),
            self.verdict_text(),
            self.seconds.map(time).unwrap_or_default(),
            self.faster().map(times).unwrap_or_default(),
            self.support.as_ref().map(Support::to_string).unwrap_or_default(),
        ]
    }

    /// Row and column.
    pub(super) fn name(&self) -> String {
        if self.of.is_empty() { self.at.clone() } else { format!("{}, {}", self.at, self.of) }
    }

    /// The computed value, long numbers by their ends.
    pub(super) fn computed_text(&self) -> String {
        self.computed.as_deref().map(shorter).unwrap_or_default()
    }

    /// The verdict, with the stored run if it is of one.
    fn verdict_text(&self) -> String {
        let verdict = match &self.verdict {
            Verdict::Agrees => "agrees".to_owned(),
            Verdict::PaperWrong { .. } => "paper wrong".to_owned(),
            Verdict::Argued { .. } => "argued, not computed".to_owned(),
            Verdict::Disagrees { .. } => "DISAGREES".to_owned(),
            Verdict::New => "new".to_owned(),
            Verdict::NotRecomputed { .. } => "not recomputed".to_owned(),
            Verdict::OverBudget { cost } => format!("over budget: {}", time(*cost)),
            Verdict::GaveUp { .. } => "gave up".to_owned(),
            Verdict::Ambiguous { .. } => "ambiguous".to_owned(),
            Verdict::Timed { .. } => "time".to_owned(),
        };
        match &self.run {
            Some(run) => format!("{verdict} ({})", run.text()),
            None => verdict,
        }
    }

    /// What is published, and when something else counts as the same.
    fn expected(&self) -> String {
        let published = self.published.as_deref().map(shorter).unwrap_or_default();
        match self.compare {
            Compare::Equal | Compare::Rounded => published,
            Compare::AtLeast => format!("at least {published}"),
            Compare::AtMost => format!("at most {published}"),
            Compare::Within(part) => format!("{published} ± {} %", 100.0 * part),
        }
    }

    /// What must be said of it in a sentence.
    fn remark(&self) -> Option<String> {
        let (Verdict::PaperWrong { why }
        | Verdict::Argued { why }
        | Verdict::Disagrees { why }
        | Verdict::NotRecomputed { why }
        | Verdict::GaveUp { why }
        | Verdict::Ambiguous { why }) = &self.verdict
        else {
            return None;
        };
        Some(format!("{}: {}", self.name(), why))
    }
}

const HEADINGS: [&str; 7] =
    ["value", "published", "computed", "verdict", "seconds", "faster", "rests on"];

impl Occasion {
    /// Which run, in a few words.
    pub(super) fn text(&self) -> String {
        format!("run of {}, version {}, {}", self.date, self.pessoi, time(self.seconds))
    }
}

impl std::fmt::Display for Support {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Support::Confirmed { by: [one, other] } => write!(f, "confirmed by {one} and {other}"),
            Support::Checked { method } => write!(f, "{method}, and checked"),
            Support::OneMethod { method } => write!(f, "one method: {method}"),
            Support::SharedCode { methods: [one, other], components } => {
                write!(f, "not confirmed: {one} and {other} share {}", components.join(", "))
            }
        }
    }
}

impl Report {
    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.papers.iter().flat_map(|paper| &paper.tables).flat_map(|table| &table.lines)
    }

    /// How many values disagree.
    pub fn disagreements(&self) -> usize {
        self.lines().filter(|line| matches!(line.verdict, Verdict::Disagrees { .. })).count()
    }

    /// How many values were begun and not finished.
    pub fn given_up(&self) -> usize {
        self.lines().filter(|line| matches!(line.verdict, Verdict::GaveUp { .. })).count()
    }

    /// All of it in a few sentences.
    pub fn summary(&self) -> String {
        let count = |is: &dyn Fn(&Line) -> bool| self.lines().filter(|line| is(line)).count();
        let of = |is: &dyn Fn(&Verdict) -> bool| {
            let all = count(&|line| is(&line.verdict));
            (all, count(&|line| is(&line.verdict) && line.run.is_some()))
        };
        let parts = [
            (of(&|v| *v == Verdict::Agrees), "agree"),
            (of(&|v| matches!(v, Verdict::PaperWrong { .. })), "errors of the papers"),
            (of(&|v| matches!(v, Verdict::Argued { .. })), "argued"),
            (of(&|v| *v == Verdict::New), "new"),
            (of(&|v| matches!(v, Verdict::Timed { .. })), "times"),
            (of(&|v| matches!(v, Verdict::Ambiguous { .. })), "ambiguous"),
            (of(&|v| matches!(v, Verdict::NotRecomputed { .. })), "not recomputed"),
            (of(&|v| matches!(v, Verdict::OverBudget { .. })), "over the budget"),
            ((self.given_up(), 0), "given up"),
        ];
        let mut said = Vec::new();
        for ((number, stored), what) in parts {
            match (number, stored) {
                (0, _) => {}
                (_, 0) => said.push(format!("{what}: {number}")),
                _ => said.push(format!("{what}: {number} ({stored} in stored runs)")),
            }
        }
        said.push(format!("disagree: {}", self.disagreements()));
        let support =
            |is: &dyn Fn(&Support) -> bool| count(&|line| line.support.as_ref().is_some_and(is));
        format!(
            "Values: {}; {}. Of those computed, confirmed by two methods that share no code: {}, \
             found and checked: {}, by one method: {}, by methods that share code: {}. {}.",
            self.lines().count(),
            said.join(", "),
            support(&|s| matches!(s, Support::Confirmed { .. })),
            support(&|s| matches!(s, Support::Checked { .. })),
            support(&|s| matches!(s, Support::OneMethod { .. })),
            support(&|s| matches!(s, Support::SharedCode { .. })),
            time(self.seconds)
        )
    }

    /// The report in a form.
    pub fn render(&self, form: Form) -> Result<String> {
        match form {
            Form::Text => Ok(self.text()),
            Form::Markdown => Ok(self.markdown()),
            Form::Html => Ok(self.html()),
            Form::Results => Ok(results::written(self)),
            Form::Json => serde_json::to_string_pretty(self)
                .map(|json| json + "\n")
                .map_err(|error| Error::internal(error.to_string())),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for paper in &self.papers {
            let _ = writeln!(text, "{}\n", paper.heading());
            for table in &paper.tables {
                let _ = writeln!(text, "{}", table.heading());
                if !table.about.is_empty() {
                    let _ = writeln!(text, "{}", table.about);
                }
                text += &grid(table);
                for remark in table.lines.iter().filter_map(Line::remark) {
                    let _ = writeln!(text, "  {remark}");
                }
                text.push('\n');
            }
        }
        text + &self.summary() + "\n"
    }

    fn markdown(&self) -> String {
        let safe = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let mut text = String::new();
        for paper in &self.papers {
            let _ = writeln!(text, "# {}\n", safe(&paper.heading()));
            for table in &paper.tables {
                let _ = writeln!(text, "## {}\n", safe(&table.heading()));
                if !table.about.is_empty() {
                    let _ = writeln!(text, "{}\n", table.about);
                }
                let _ = writeln!(text, "| {} |", HEADINGS.join(" | "));
                let _ = writeln!(text, "|{}", "---|".repeat(HEADINGS.len()));
                for line in &table.lines {
                    let cells = line.cells().map(|cell| safe(&cell));
                    let _ = writeln!(text, "| {} |", cells.join(" | "));
                }
                text.push('\n');
                for remark in table.lines.iter().filter_map(Line::remark) {
                    let _ = writeln!(text, "- {}", remark.replace('\n', " "));
                }
                text.push('\n');
            }
        }
        text + &self.summary() + "\n"
    }

    fn html(&self) -> String {
        let safe = |text: &str| {
            text.replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;")
        };
        let mut text = String::from(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n\
             <title>Published values, computed again</title>\n<style>\n\
             body { font: 16px/1.4 sans-serif; margin: 2em; }\n\
             table { border-collapse: collapse; }\n\
             th, td { border-bottom: 1px solid #ccc; padding: .2em .6em; text-align: left; }\n\
             .disagrees { background: #fcc; }\n.paper-wrong { background: #fe9; }\n\
             .new { background: #e6f2ff; }\n</style>\n",
        );
        for paper in &self.papers {
            let _ = writeln!(text, "<h1>{}</h1>", safe(&paper.heading()));
            for table in &paper.tables {
                let _ = writeln!(text, "<h2>{}</h2>", safe(&table.heading()));
                if !table.about.is_empty() {
                    let _ = writeln!(text, "<p>{}</p>", safe(&table.about));
                }
                let heads = HEADINGS.map(|name| format!("<th>{name}</th>")).concat();
                let _ = writeln!(text, "<table>\n<tr>{heads}</tr>");
                for line in &table.lines {
                    let class = match line.verdict {
                        Verdict::Disagrees { .. } => " class=\"disagrees\"",
                        Verdict::PaperWrong { .. } => " class=\"paper-wrong\"",
                        Verdict::New => " class=\"new\"",
                        _ => "",
                    };
                    let cells = line.cells().map(|cell| format!("<td>{}</td>", safe(&cell)));
                    let _ = writeln!(text, "<tr{class}>{}</tr>", cells.concat());
                }
                text += "</table>\n<ul>\n";
                for remark in table.lines.iter().filter_map(Line::remark) {
                    let _ = writeln!(text, "<li>{}</li>", safe(&remark));
                }
                text += "</ul>\n";
            }
        }
        let _ = writeln!(text, "<p>{}</p>\n</html>", safe(&self.summary()));
        text
    }
}

impl PaperReport {
    fn heading(&self) -> String {
        format!("{} ({}, {})", self.title, self.authors, self.year)
    }
}

impl TableReport {
    fn heading(&self) -> String {
        format!("{}: {}", self.name, self.title)
    }
}

/// The table's lines in columns; columns without an entry are left out.
fn grid(table: &TableReport) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(table.lines.iter().map(Line::cells));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let columns: Vec<(usize, usize)> = (0..HEADINGS.len())
        .filter(|&column| rows[1..].iter().any(|row| !row[column].is_empty()))
        .map(|column| (column, width(column).unwrap_or(0)))
        .collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::from("  ");
        for &(column, width) in &columns {
            let _ = write!(line, "{:width$}  ", row[column]);
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// The longest text that is shown whole.
const WHOLE: usize = 44;

/// A long number by its ends.
fn shorter(text: &str) -> String {
    let length = text.chars().count();
    if length <= WHOLE {
        return text.to_owned();
    }
    let first: String = text.chars().take(16).collect();
    let last: String = text.chars().skip(length - 10).collect();
    format!("{first}…{last} ({length} signs)")
}

pub(super) fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => "under 1 ms".to_owned(),
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

fn times(ratio: f64) -> String {
    match ratio {
        r if !r.is_finite() => String::new(),
        r if r < 10.0 => format!("{r:.1}×"),
        r => format!("{r:.0}×"),
    }
}
