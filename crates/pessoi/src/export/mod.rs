//! Formats: answers as bytes, one file a format.
//!
//! A **format** says its media type and the extension of its files, and makes a **writer**
//! for one answer. A writer gets the solutions as they come and the answer at the end, and
//! writes bytes. Formats that all games share are listed in [`FORMATS`]; a format of one game
//! stands in the game's folder and on its card. Text for people is a format like the others.
//!
//! What is written to the file and what is said beside it are two things: a list of solutions
//! holds solutions and nothing else, and what was counted goes to the *aside*, which a shell
//! prints to standard error. Where there is nothing to write (a picture of no solution), the
//! aside says why.

pub(crate) mod bfile;
mod csv;
mod dot;
mod graph;
mod graphml;
mod json;
mod jsonl;
mod oeis;
pub(crate) mod picture;
pub(crate) mod plot;
mod text;

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::sync::Arc;

use crate::answer::{Answer, Value};
use crate::card::{Kind, Opt};
use crate::error::{Error, Result};
use crate::job::{Collected, ENOUGH, Encoder, Events, Flow, Game, MORE};
use crate::question::{Place, Question, Setting, Verb};
use crate::solution::Solution;
use pessoi_engine::run::Run;

pub use graph::Graph;
pub(crate) use graph::RawGraph as GraphShape;
pub use text::{card, games, headline, number, plan, seconds, table, thousands, verdict};

/// The formats that all games share.
pub const FORMATS: &[&dyn Format] = &[
    &text::Text,
    &json::Json,
    &csv::Csv,
    &jsonl::Jsonl,
    &bfile::Bfile(&[Verb::Recurrence, Verb::Count]),
    &oeis::Oeis,
    &dot::Dot,
    &graphml::Graphml,
    &plot::SVG,
];

/// Chooses a table.
pub(crate) const TABLE: Opt = Opt::new(
    "table",
    Kind::Text("ID"),
    "csv, jsonl, svg: the table to write or to plot, by its id: solutions, edges, terms, facts, \
     value, or one of the answer's tables",
    Verb::ALL,
);

/// How an answer is written.
pub trait Format: Send + Sync {
    /// Its name, after `--format`.
    fn id(&self) -> &'static str;

    /// What it is for, in a few words.
    fn help(&self) -> &'static str;

    /// Its media type.
    fn media_type(&self) -> &'static str;

    /// How its files end, without the dot.
    fn extension(&self) -> &'static str;

    /// Whether it can hold answers to this verb.
    fn holds(&self, verb: Verb) -> bool;

    /// What can be chosen about how it looks. These options do not change the answer.
    fn options(&self) -> &'static [Opt] {
        &[]
    }

    /// Makes a writer for one answer. A question whose answer cannot be written so is refused
    /// here, before the work is begun.
    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>>;

    /// Whether these bytes look like a file of this format that [`Format::read`] reads.
    fn reads(&self, _saved: &[u8]) -> bool {
        false
    }

    /// Reads what was written: gives the solutions to the events, and the answer.
    fn read(&self, _saved: &[u8], _events: &mut dyn Events) -> Result<Answer> {
        Err(Error::internal(format!("the format {} is not read", self.id())))
    }
}

/// Writes one answer.
pub trait Writer: Send {
    /// Writes a solution, or keeps it for later.
    fn solution(&mut self, found: Solution) -> Result<Flow>;

    /// How solutions can be written on any thread.
    fn encoder(&self) -> Option<Arc<dyn Encoder>> {
        None
    }

    /// Writes what the encoder made.
    fn encoded(&mut self, _bytes: &[u8], _solutions: u64) -> Result<Flow> {
        Err(Error::internal("this format has no encoder"))
    }

    /// Writes the rest. Solutions that were kept are put into the answer.
    fn end(&mut self, answer: &mut Answer) -> Result<Ending>;
}

/// How writing ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// Whether there was anything to write.
    pub wrote: bool,
    /// What is to be said beside the file.
    pub aside: String,
}

/// What a writer knows of the answer before it begins.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    /// The game.
    pub game: &'a dyn Game,
    /// The question.
    pub question: &'a Question,
    /// The run, whose limits hold for writing too.
    pub run: &'a Run,
    /// How it is to look.
    pub style: &'a Style,
}

/// How an answer is to look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether text is coloured, as terminals show it.
    pub colour: bool,
    /// The format's options.
    pub options: BTreeMap<String, Setting>,
}

impl Style {
    /// Whether a flag is there.
    pub fn flag(&self, opt: &Opt) -> bool {
        self.options.get(opt.name) == Some(&Setting::Flag(true))
    }

    /// A text that was given.
    pub fn text(&self, opt: &Opt) -> Option<&str> {
        match self.options.get(opt.name) {
            Some(Setting::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Refuses options that the format does not look at for this verb.
    pub fn check(&self, format: &dyn Format, verb: Verb) -> Result<()> {
        for (name, setting) in &self.options {
            let mut known = format.options().iter().filter(|opt| opt.verbs.contains(&verb));
            match known.find(|opt| opt.name == name) {
                Some(opt) => {
                    opt.parse(&setting.to_string(), &[])?;
                }
                None => {
                    return Err(Error::conflict(name, not_for(name, format, verb)));
                }
            }
        }
        Ok(())
    }
}

/// Why an option means nothing to a format: it belongs to others.
fn not_for(name: &str, format: &dyn Format, verb: Verb) -> String {
    let takes = |other: &&&dyn Format| {
        other.holds(verb) && other.options().iter().any(|opt| opt.name == name)
    };
    let others: Vec<_> = FORMATS.iter().filter(takes).map(|other| other.id()).collect();
    if others.is_empty() {
        return format!("--{name} means nothing for {verb} written as {}.", format.id());
    }
    format!(
        "--{name} goes with --format {}, and the answer is written as {}.",
        others.join(" or "),
        format.id()
    )
}

/// Refuses a count of one board, or of one size, where a sequence is to be written.
fn refuse_single(page: &Page<'_>, id: &str) -> Result<()> {
    let question = page.question;
    let is_sequence = question.options.get(SEQUENCE) == Some(&Setting::Flag(true));
    if question.verb != Verb::Count || is_sequence || matches!(question.place, Place::Range(_)) {
        return Ok(());
    }
    let ask = if page.game.card().menu(question.verb).option(SEQUENCE).is_some() {
        "all lengths up to this one with --sequence"
    } else {
        "a range of boards such as 1..6x1..6 or 1..8xn"
    };
    Err(Error::unsupported(
        "format",
        format!("A single number is no sequence, so it cannot be written as {id}; ask for {ask}."),
    ))
}

/// The name of the option that asks for all terms up to one.
pub(crate) const SEQUENCE: &str = "sequence";

/// Where a writer writes to.
pub struct Out<'a> {
    to: &'a mut (dyn Write + Send),
    is_open: bool,
}

impl Out<'_> {
    /// Writes bytes, and says whether anyone still reads: a reader that has gone away
    /// (`| head`) is no error.
    pub fn write(&mut self, bytes: &[u8]) -> Result<Flow> {
        if !self.is_open {
            return Ok(ENOUGH);
        }
        match self.to.write_all(bytes) {
            Ok(()) => Ok(MORE),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_open = false;
                Ok(ENOUGH)
            }
            Err(error) => Err(Error::io(format!("The answer cannot be written: {error}."))),
        }
    }
}

/// What came of writing an answer.
#[derive(Clone, Debug)]
pub struct Written {
    /// The answer; it holds the solutions if the format needed all of them at once.
    pub answer: Answer,
    /// Whether there was anything to write.
    pub wrote: bool,
    /// What is to be said beside the file.
    pub aside: String,
}

/// Writes the answer that `work` gives, as it is made.
pub(crate) fn write<'a>(
    page: &Page<'a>,
    format: &dyn Format,
    out: &'a mut (dyn Write + Send),
    work: impl FnOnce(&mut dyn Events) -> Result<Answer>,
) -> Result<Written> {
    page.style.check(format, page.question.verb)?;
    let writer = format.writer(page, Out { to: out, is_open: true })?;
    let mut writing = Writing { writer, failed: None };
    let mut answer = work(&mut writing)?;
    if let Some(error) = writing.failed {
        return Err(error);
    }
    let Ending { wrote, aside } = writing.writer.end(&mut answer)?;
    Ok(Written { answer, wrote, aside })
}

/// Hands what a job finds to a writer.
struct Writing<'a> {
    writer: Box<dyn Writer + 'a>,
    failed: Option<Error>,
}

impl Writing<'_> {
    fn flow(&mut self, written: Result<Flow>) -> Flow {
        written.unwrap_or_else(|error| {
            self.failed = Some(error);
            ENOUGH
        })
    }
}

impl Events for Writing<'_> {
    fn solution(&mut self, found: Solution) -> Flow {
        let written = self.writer.solution(found);
        self.flow(written)
    }

    fn encoder(&self) -> Option<Arc<dyn Encoder>> {
        self.writer.encoder()
    }

    fn encoded(&mut self, bytes: &[u8], solutions: u64) -> Flow {
        let written = self.writer.encoded(bytes, solutions);
        self.flow(written)
    }
}

/// Renders a whole answer; `None` if there is nothing to show.
pub type Render = fn(&Answer, &Page) -> Result<Option<Vec<u8>>>;

/// A writer for a format that needs the whole answer at once.
pub fn whole<'a>(page: &Page<'a>, out: Out<'a>, render: Render) -> Box<dyn Writer + 'a> {
    Box::new(Whole { page: *page, out, render, kept: Some(Collected::new(page.run)) })
}

struct Whole<'a> {
    page: Page<'a>,
    out: Out<'a>,
    render: Render,
    kept: Option<Collected>,
}

impl Writer for Whole<'_> {
    fn solution(&mut self, found: Solution) -> Result<Flow> {
        Ok(self.kept.as_mut().map_or(ENOUGH, |kept| kept.solution(found)))
    }

    fn end(&mut self, answer: &mut Answer) -> Result<Ending> {
        if let Some(kept) = self.kept.take()
            && answer.solutions.is_empty()
        {
            kept.into_answer(answer);
        }
        let Some(bytes) = (self.render)(answer, &self.page)? else {
            return Ok(Ending { wrote: false, aside: text::summary(answer, self.page.style) });
        };
        let _ = self.out.write(&bytes)?;
        Ok(Ending { wrote: true, aside: aside(answer) })
    }
}

/// A writer for solutions one by one: a head, a line for each, and a tail.
pub fn lines<'a>(
    out: Out<'a>,
    head: impl Into<Vec<u8>>,
    line: Arc<dyn Encoder>,
    tail: fn(&Answer) -> Result<Vec<u8>>,
) -> Box<dyn Writer + 'a> {
    let buffer = head.into();
    Box::new(Lines { out, line, buffer, tail })
}

struct Lines<'a> {
    out: Out<'a>,
    line: Arc<dyn Encoder>,
    buffer: Vec<u8>,
    tail: fn(&Answer) -> Result<Vec<u8>>,
}

impl Lines<'_> {
    fn flush(&mut self) -> Result<Flow> {
        let written = self.out.write(&self.buffer);
        self.buffer.clear();
        written
    }
}

impl Writer for Lines<'_> {
    fn solution(&mut self, found: Solution) -> Result<Flow> {
        self.line.encode(&found, &mut self.buffer);
        self.flush()
    }

    fn encoder(&self) -> Option<Arc<dyn Encoder>> {
        Some(self.line.clone())
    }

    fn encoded(&mut self, bytes: &[u8], _: u64) -> Result<Flow> {
        if self.flush()?.is_break() {
            return Ok(ENOUGH);
        }
        self.out.write(bytes)
    }

    fn end(&mut self, answer: &mut Answer) -> Result<Ending> {
        // Saved lists hold their solutions.
        for solution in &answer.solutions {
            self.line.encode(solution, &mut self.buffer);
        }
        self.buffer.extend((self.tail)(answer)?);
        let _ = self.flush()?;
        Ok(Ending { wrote: true, aside: aside(answer) })
    }
}

/// What is said beside a file that does not hold it in words: which limit was reached.
fn aside(answer: &Answer) -> String {
    match answer.value.stop() {
        Some(_) => text::headline(answer) + "\n",
        None => String::new(),
    }
}

/// How well a value is known, by name.
pub(crate) fn standing(value: &Value) -> &'static str {
    match value {
        Value::Exact { .. } => "exact",
        Value::Residue { .. } => "residue",
        Value::AtLeast { .. } => "at-least",
        Value::Estimated(_) => "estimated",
        Value::None { .. } => "none",
        Value::Described {} => "described",
        Value::GaveUp { .. } => "gave-up",
    }
}

/// Whether there is anything in an answer that a picture, graph or table could show.
pub(crate) fn is_empty(answer: &Answer) -> bool {
    matches!(answer.value, Value::None { .. } | Value::GaveUp { .. })
        && answer.solutions.is_empty()
        && answer.sequence.is_none()
        && answer.graph.is_none()
}

/// The text inside an XML element; what XML forbids becomes the replacement character.
pub(crate) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(c),
            '\u{0}'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Appends the cells of a path, as `row,column` with `between` between them. Lists have tens
/// of millions of cells, so digits are written without the formatting machinery.
pub(crate) fn write_cells(cells: &[crate::board::Cell], between: &[u8], out: &mut Vec<u8>) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(between);
        }
        // Nearly all numbers have one digit, and then there is one thing to write.
        if (0..9).contains(&cell.row) && (0..9).contains(&cell.col) {
            out.extend_from_slice(&[b'1' + cell.row as u8, b',', b'1' + cell.col as u8]);
        } else {
            write_side(cell.row, out);
            out.push(b',');
            write_side(cell.col, out);
        }
    }
}

/// A row or column, counted from 1.
fn write_side(side: i32, out: &mut Vec<u8>) {
    match i64::from(side) + 1 {
        number @ 0..10 => out.push(b'0' + number as u8),
        number @ 10..100 => {
            out.extend_from_slice(&[b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]);
        }
        number => out.extend_from_slice(number.to_string().as_bytes()),
    }
}
