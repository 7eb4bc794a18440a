//! Text for people: solutions as drawings, facts and tables in columns, and at the end what
//! is known, how it was found and what it cost.
//!
//! Lists hold one solution a line and nothing else; what is known goes to the aside. So does
//! what is known of a generated puzzle, which can be read again.

use std::fmt::Write;
use std::sync::Arc;

use anstyle::{AnsiColor, Style as Ansi};

use super::picture::SOLUTION;
use super::{Encoder, Ending, Flow, Format, Out, Page, Style, Writer, write_cells};
use crate::answer::{Answer, Estimated, Value};
use crate::board::picture::grid;
use crate::board::{Board, Cell};
use crate::card::{Card, Opt};
use crate::check::{Standing, Verdict};
use crate::error::Result;
use crate::label::heading;
use crate::plan::Plan;
use crate::question::{Place, Question, Verb};
use crate::solution::{Figure, Move, Solution};
use crate::table::Table;
use pessoi_engine::run::Bytes;

// Writing to a String cannot fail, so the results of write! are not looked at.

pub(super) struct Text;

impl Format for Text {
    fn id(&self) -> &'static str {
        "text"
    }

    fn help(&self) -> &'static str {
        "for people"
    }

    fn media_type(&self) -> &'static str {
        "text/plain; charset=utf-8"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn holds(&self, _: Verb) -> bool {
        true
    }

    fn options(&self) -> &'static [Opt] {
        &[SOLUTION]
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        Ok(Box::new(Prose { page: *page, out, kept: Vec::new() }))
    }
}

struct Prose<'a> {
    page: Page<'a>,
    out: Out<'a>,
    /// Solutions of a puzzle, which comes with the answer.
    kept: Vec<Solution>,
}

impl Writer for Prose<'_> {
    fn solution(&mut self, found: Solution) -> Result<Flow> {
        if self.page.question.verb.streams() {
            let mut line = Vec::new();
            Line.encode(&found, &mut line);
            return self.out.write(&line);
        }
        if self.page.question.verb == Verb::Generate {
            self.kept.push(found);
            return Ok(crate::job::MORE);
        }
        let text = picture(self.page.question, &found, self.page.style) + "\n";
        self.out.write(text.as_bytes())
    }

    fn encoder(&self) -> Option<Arc<dyn Encoder>> {
        self.page.question.verb.streams().then(|| Arc::new(Line) as Arc<dyn Encoder>)
    }

    fn encoded(&mut self, bytes: &[u8], _: u64) -> Result<Flow> {
        self.out.write(bytes)
    }

    fn end(&mut self, answer: &mut Answer) -> Result<Ending> {
        let style = self.page.style;
        for solution in std::mem::take(&mut answer.solutions) {
            let _ = self.solution(solution)?;
        }
        let aside = summary(answer, style);
        if answer.question.verb.streams() {
            let _ = self.out.write(body(answer, style).as_bytes())?;
            return Ok(Ending { wrote: true, aside });
        }
        if let Some(Place::Board(drawing)) = &answer.puzzle {
            // A puzzle is written alone, so that it can be read again.
            let mut text = drawing.to_text();
            if style.flag(&SOLUTION) {
                for solution in &self.kept {
                    text.push('\n');
                    text += &picture(&answer.question, solution, style);
                }
            }
            let _ = self.out.write(text.as_bytes())?;
            return Ok(Ending { wrote: true, aside });
        }
        if answer.question.verb == Verb::Generate
            && let Some(drawings) = drawings(answer)
        {
            // Several puzzles, each with its number.
            let mut text = String::new();
            for (k, drawing) in drawings.iter().enumerate() {
                let _ =
                    writeln!(text, "{}Puzzle {}\n{drawing}", if k > 0 { "\n" } else { "" }, k + 1);
                if let Some(solution) = self.kept.get(k).filter(|_| style.flag(&SOLUTION)) {
                    text += &picture(&answer.question, solution, style);
                }
            }
            let _ = self.out.write(text.as_bytes())?;
            return Ok(Ending { wrote: true, aside });
        }
        let text = body(answer, style) + &aside;
        let _ = self.out.write(text.as_bytes())?;
        Ok(Ending { wrote: true, aside: String::new() })
    }
}

/// The drawings of the first table, if it has such a column.
fn drawings(answer: &Answer) -> Option<Vec<String>> {
    let table = answer.tables.first()?;
    let column = table.column("drawing")?;
    Some(table.rows.iter().map(|row| row[column].to_string()).collect())
}

/// A solution as a line of cells or positions.
struct Line;

impl Encoder for Line {
    fn encode(&self, solution: &Solution, out: &mut Vec<u8>) {
        match &solution.figure {
            Figure::Path { cells, .. } => write_cells(cells, b" ", out),
            Figure::Positions { drawings, .. } => {
                let flat = drawings.iter().map(|drawing| drawing.trim_end().replace('\n', "/"));
                out.extend(flat.collect::<Vec<_>>().join("  ").into_bytes());
            }
        }
        if let Some(class) = &solution.class {
            out.extend(format!("  ×{}", class.orbit).into_bytes());
            if !class.symmetries.is_empty() {
                out.extend(format!("  symmetric: {}", class.symmetries.join(", ")).into_bytes());
            }
        }
        out.push(b'\n');
    }
}

/// Colours, where they are wanted.
struct Ink {
    bold: String,
    dim: String,
    green: String,
    plain: String,
}

impl Ink {
    fn of(style: &Style) -> Ink {
        let code =
            |ansi: Ansi| if style.colour { ansi.render().to_string() } else { String::new() };
        Ink {
            bold: code(Ansi::new().bold()),
            dim: code(Ansi::new().dimmed()),
            green: code(AnsiColor::Green.on_default().bold()),
            plain: if style.colour { anstyle::Reset.render().to_string() } else { String::new() },
        }
    }
}

/// Facts, tables, terms and edges.
fn body(answer: &Answer, style: &Style) -> String {
    let mut text = String::new();
    if !answer.facts.is_empty() {
        let width = answer.facts.iter().map(|fact| fact.text.chars().count()).max().unwrap_or(0);
        for fact in &answer.facts {
            let _ = writeln!(text, "{:width$}  {}", fact.text, fact.value);
        }
        text.push('\n');
    }
    for table in &answer.tables {
        text += &self::table(table, style);
        text.push('\n');
    }
    // The tables of a range have all that its terms say.
    let is_range = matches!(answer.question.place, Place::Range(_));
    if let Some(sequence) = answer.sequence.as_ref().filter(|_| !is_range) {
        for term in &sequence.terms {
            let _ = writeln!(text, "{:>4}  {}", term.n, term.value);
        }
        text.push('\n');
        if let Some(linear) = &sequence.recurrence {
            let _ = writeln!(text, "{}", recurrence(linear, ' '));
        }
        if let Some(growth) = &sequence.growth {
            let _ = writeln!(text, "The terms grow by a factor of {} each.", growth.factor);
        }
        if sequence.recurrence.is_some() || sequence.growth.is_some() {
            text.push('\n');
        }
    }
    if let Some(graph) = &answer.graph {
        for (from, to, _) in graph.named_edges() {
            let _ = writeln!(text, "{from} {to}");
        }
        text.push('\n');
    }
    text
}

/// The longest recurrence that is written out.
const MOST_FACTORS: usize = 40;

/// A recurrence as an equation: `a(n) = 3 a(n-1) - a(n-2) for n ≥ 3, proved`, with another sign for
/// times if that is wanted.
pub(super) fn recurrence(linear: &crate::answer::Linear, times: char) -> String {
    let standing = if linear.proved {
        "proved".to_owned()
    } else {
        format!("tested on {} further terms, not proved", linear.tested)
    };
    let shown = linear.factors.iter().filter(|factor| factor.sign() != num_bigint::Sign::NoSign);
    if shown.count() > MOST_FACTORS {
        let order = linear.order;
        return format!("A recurrence of order {order} holds for n ≥ {}; {standing}.", linear.from);
    }
    let mut text = String::new();
    for (k, factor) in (1..).zip(&linear.factors) {
        let minus = factor.sign() == num_bigint::Sign::Minus;
        let size = factor.magnitude().to_string();
        let factor = match size.as_str() {
            "0" => continue,
            "1" => String::new(),
            size => format!("{size}{times}"),
        };
        let sign = match (text.is_empty(), minus) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let _ = write!(text, "{sign}{factor}a(n-{k})");
    }
    if text.is_empty() {
        text.push('0');
    }
    format!("a(n) = {text} for n ≥ {}; {standing}.", linear.from)
}

/// What is known, and how.
pub(super) fn summary(answer: &Answer, style: &Style) -> String {
    let ink = Ink::of(style);
    let mut text = format!("{}{}{}\n", ink.bold, headline(answer), ink.plain);
    for note in &answer.notes {
        let _ = writeln!(text, "{note}");
    }
    let _ = writeln!(text, "{}{}{}", ink.dim, small_print(answer), ink.plain);
    text
}

/// What is known, in one line.
pub fn headline(answer: &Answer) -> String {
    let place = heading(&answer.question);
    let things = &answer.subject.text;
    let Some(one) = &answer.subject.one else { return measured(answer, &place) };
    let so_many = |number: &num_bigint::BigUint| {
        let is_one = *number == num_bigint::BigUint::from(1u32);
        format!("{number} {}", if is_one { one } else { things })
    };
    match &answer.value {
        Value::Exact { number } => format!("{place}: {}, exactly", so_many(number)),
        Value::Residue { residue, modulus } => {
            format!("{place}: the number of {things} is {residue} modulo {modulus}")
        }
        Value::AtLeast { number, stop: Some(stop) } => {
            format!("{place}: at least {}; stopped because {stop}", so_many(number))
        }
        Value::AtLeast { number, stop: None }
            if matches!(answer.question.verb, Verb::Sample | Verb::Generate) =>
        {
            format!("{place}: {}", so_many(number))
        }
        Value::AtLeast { number, stop: None } => {
            format!("{place}: found {}; there may be more", so_many(number))
        }
        Value::Estimated(estimated) => format!("{place}: {}", about(estimated, things)),
        Value::None { proof } => format!("{place}: there are no {things}; proof: {proof}"),
        Value::Described {} => format!("{place}: {things}"),
        Value::GaveUp { stop } => {
            format!("{place}: {things}: gave up, because {stop}")
        }
    }
}

fn measured(answer: &Answer, place: &str) -> String {
    let what = &answer.subject.text;
    match &answer.value {
        Value::Exact { number } => format!("{place}: {what}: {number}, exactly"),
        Value::Residue { residue, modulus } => {
            format!("{place}: {what}: {residue} modulo {modulus}")
        }
        Value::AtLeast { number, stop: None } => format!("{place}: {what}: at least {number}"),
        Value::AtLeast { number, stop: Some(stop) } => {
            format!("{place}: {what}: at least {number}; stopped because {stop}")
        }
        Value::Estimated(estimated) => format!("{place}: {what}: {}", about(estimated, "")),
        Value::None { proof } => format!("{place}: {what}: there is none; proof: {proof}"),
        Value::Described {} => format!("{place}: {what}"),
        Value::GaveUp { stop } => format!("{place}: {what}: gave up, because {stop}"),
    }
}

fn about(estimated: &Estimated, things: &str) -> String {
    let write = |float: Option<f64>, log10: f64| match float {
        Some(float) => number(float),
        None => format!("{:.3}·10^{:.0}", 10f64.powf(log10 - log10.floor()), log10.floor()),
    };
    let mut text = format!("about {}", write(estimated.mean, estimated.log10_mean));
    if !things.is_empty() {
        let _ = write!(text, " {things}");
    }
    if let Some(interval) = &estimated.interval {
        let low = write(interval.low, interval.log10_low);
        let high = write(interval.high, interval.log10_high);
        let percent = 100.0 * interval.confidence;
        let _ = write!(text, ", between {low} and {high} with {percent:.0} % confidence");
    }
    if let Some(why) = &estimated.no_interval {
        let _ = write!(text, "; no interval, because {}", why.text);
    }
    if let Some(stop) = &estimated.stop {
        let _ = write!(text, "; stopped because {stop}");
    }
    text
}

fn small_print(answer: &Answer) -> String {
    let mut words = vec![answer.method.text.clone()];
    if let Value::Estimated(estimated) = &answer.value {
        let (samples, worth) = (estimated.samples, estimated.effective_samples);
        words.push(format!("{} samples worth {worth:.0}", thousands(samples)));
        words.push(format!("standard error {:.2} %", 100.0 * estimated.relative_error));
    }
    let cost = &answer.cost;
    let counted = [
        (cost.nodes, "node", "nodes"),
        (cost.borders, "border", "borders"),
        (cost.peak_borders, "in the largest layer", "in the largest layer"),
        (cost.states, "state", "states"),
    ];
    for (number, one, many) in counted {
        if let Some(number) = number {
            let what = if number == 1 { one } else { many };
            words.push(format!("{} {what}", thousands(number)));
        }
    }
    words.push(seconds(cost.seconds));
    if cost.peak_bytes >= 1 << 20 {
        words.push(format!("{} of tables", Bytes(cost.peak_bytes)));
    }
    if let Some(bytes) = cost.disk_bytes {
        words.push(format!("{} on disk", Bytes(bytes)));
    }
    if let Some(seed) = answer.seed {
        words.push(format!("seed {seed}"));
    }
    words.join(" · ")
}

/// The board of a question; where there is none, the cells of a path make one.
fn board_of(question: &Question, cells: &[Cell]) -> Option<Board> {
    if let Place::Board(drawing) = &question.place {
        return Some(drawing.board.clone());
    }
    let side = |of: fn(&Cell) -> i32| cells.iter().map(of).max().unwrap_or(0) as usize + 1;
    Board::rectangle(side(|cell| cell.row), side(|cell| cell.col)).ok()
}

/// A solution as a grid of numbers, the first and the last in colour; or positions.
pub(super) fn picture(question: &Question, solution: &Solution, style: &Style) -> String {
    let cells = match &solution.figure {
        Figure::Path { cells, .. } => cells,
        Figure::Positions { drawings, moves, .. } => {
            return side_by_side(drawings) + &moved(moves);
        }
    };
    let Some(board) = board_of(question, cells) else { return String::new() };
    let mut numbers = vec![None; board.len()];
    for (number, cell) in (1..).zip(cells) {
        if let Some(index) = board.index(*cell) {
            numbers[index] = Some(number);
        }
    }
    let plain = grid(&board, |cell| numbers[cell].map(|number: usize| number.to_string()));
    if !style.colour {
        return plain;
    }
    // Styles take no room on the screen, so they are put in once the columns stand.
    let ink = Ink::of(style);
    let ends = [1.to_string(), cells.len().to_string()];
    plain
        .split_inclusive([' ', '\n'])
        .map(|word| {
            let number = word.trim_end();
            if ends.iter().any(|end| end == number) {
                format!("{}{number}{}{}", ink.green, ink.plain, &word[number.len()..])
            } else {
                word.to_owned()
            }
        })
        .collect()
}

/// Moves in a line: which piece, and which way it went.
fn moved(moves: &[Move]) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let each = moves.iter().map(|step| match (&step.direction, &step.to) {
        (Some(direction), _) => format!("{} {direction}", step.piece),
        (None, Some(to)) => format!("{} {to}", step.piece),
        (None, None) => step.piece.clone(),
    });
    format!("\nMoves: {}.\n", each.collect::<Vec<_>>().join(", "))
}

/// Drawings next to each other, as many as fit on a line of the screen.
fn side_by_side(drawings: &[String]) -> String {
    const SCREEN: usize = 78;
    const GAP: usize = 4;
    let width = drawings.iter().flat_map(|drawing| drawing.lines()).map(|l| l.chars().count());
    let width = width.max().unwrap_or(0).max(1);
    let across = ((SCREEN + GAP) / (width + GAP)).max(1);
    let mut bands = Vec::new();
    for band in drawings.chunks(across) {
        let height = band.iter().map(|drawing| drawing.lines().count()).max().unwrap_or(0);
        let mut text = String::new();
        for row in 0..height {
            let mut line = String::new();
            for (k, drawing) in band.iter().enumerate() {
                let part = drawing.lines().nth(row).unwrap_or_default();
                let gap = if k > 0 { GAP } else { 0 };
                let _ = write!(line, "{:gap$}{part:width$}", "");
            }
            text += line.trim_end();
            text.push('\n');
        }
        bands.push(text);
    }
    bands.join("\n")
}

/// A table in columns; numbers stand to the right.
pub fn table(table: &Table, style: &Style) -> String {
    let ink = Ink::of(style);
    let heads: Vec<String> = table.columns.iter().map(|column| column.text.clone()).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(ToString::to_string).collect());
    let rows: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let width = |column: usize| {
        let widths = rows.iter().filter_map(|row| row.get(column)).map(|word| word.chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let mut text = format!("{}{}{}\n", ink.bold, table.title, ink.plain);
    for row in &rows {
        let last = row.len().saturating_sub(1);
        for (column, word) in row.iter().enumerate() {
            let room = if column < last { widths[column] } else { 0 };
            let gap = if column < last { "  " } else { "" };
            let _ = write!(text, "{word:room$}{gap}");
        }
        text.push('\n');
    }
    text
}

/// What would be done.
pub fn plan(plan: &Plan, style: &Style) -> String {
    let ink = Ink::of(style);
    let question = &plan.question;
    let place =
        if question.place.is_nowhere() { String::new() } else { format!(" {}", question.place) };
    let mut text = format!(
        "{}{} {}{place} would be answered by {}{} ({}): {}.\n",
        ink.bold,
        question.verb,
        question.game,
        plan.method.id,
        ink.plain,
        plan.method.text,
        plan.why.trim_end_matches('.')
    );
    let predictions = [
        (plan.nodes.map(number), "nodes of the search tree"),
        (plan.borders.map(number), "borders in all layers"),
        (plan.peak_borders.map(number), "borders in the largest layer"),
        (plan.states.map(number), "states"),
        (plan.bytes.map(|bytes| Bytes(bytes as u64).to_string()), "of memory"),
        (plan.seconds.map(seconds), "of time"),
    ];
    for (prediction, what) in predictions {
        if let Some(prediction) = prediction {
            let _ = match prediction.strip_prefix("more than ") {
                Some(most) => writeln!(text, "More than {most} {what}."),
                None => writeln!(text, "About {prediction} {what}."),
            };
        }
    }
    for note in &plan.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// All games, a line each.
pub fn games<'a>(cards: impl Iterator<Item = &'a Card> + Clone, style: &Style) -> String {
    let ink = Ink::of(style);
    let width = cards.clone().map(|card| card.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for card in cards {
        let _ = writeln!(text, "{}{:width$}{}  {}", ink.bold, card.name, ink.plain, card.title);
    }
    text + "\nMore about one: pessoi games NAME\n"
}

/// One game's card.
pub fn card(card: &Card, style: &Style) -> String {
    let ink = Ink::of(style);
    let mut text = format!("{}{}{}: {}\n\n", ink.bold, card.name, ink.plain, card.title);
    let _ = writeln!(text, "{}\n", card.rules);
    for accepts in card.places {
        let verbs: Vec<_> = accepts.verbs.iter().map(|verb| verb.name()).collect();
        let _ = writeln!(text, "Board   {}", accepts.help);
        if accepts.verbs.len() < card.verbs.len() {
            let _ = writeln!(text, "        {}for {}{}", ink.dim, verbs.join(", "), ink.plain);
        }
    }
    let _ = writeln!(text, "Source  {}\n", card.source);
    text += "Verbs\n";
    for verb in card.verbs {
        let _ = writeln!(text, "  {:10}  {}", verb.name(), verb.help());
    }
    let _ = writeln!(text, "\nWhat a verb takes: pessoi VERB {} --help\n\nTry", card.name);
    for example in card.examples {
        let _ = writeln!(text, "  {example}");
    }
    text
}

/// What checking found, claim by claim.
pub fn verdict(verdict: &Verdict, style: &Style) -> String {
    let ink = Ink::of(style);
    let mut text = if verdict.holds {
        format!("{}All claims hold.{}\n", ink.green, ink.plain)
    } else {
        format!("{}Not everything was checked.{}\n", ink.bold, ink.plain)
    };
    let width = verdict.findings.iter().map(|finding| finding.field.len()).max().unwrap_or(0);
    for finding in &verdict.findings {
        let standing = match finding.standing {
            Standing::Checked => "checked",
            Standing::Repeated => "repeated",
            Standing::NotChecked => "not checked",
        };
        let _ = writeln!(text, "  {standing:11}  {:width$}  {}", finding.field, finding.text);
    }
    let _ = writeln!(
        text,
        "{}How the answer was made (method, cost, seed, version) cannot be checked.{}",
        ink.dim, ink.plain
    );
    text
}

/// A number with its digits in threes.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Seconds as people say them.
pub fn seconds(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1000.0)
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else if seconds < 7200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else if seconds < 172_800.0 {
        format!("{:.1} h", seconds / 3600.0)
    } else {
        format!("{} days", number(seconds / 86400.0))
    }
}

/// A float with four digits that matter.
pub fn number(number: f64) -> String {
    let size = number.abs();
    // Shares may be tiny.
    if size > 0.0 && size < 0.001 {
        format!("{number:.3e}")
    } else if size < 1e6 {
        let places = if size < 10.0 { 2 } else { usize::from(size < 1000.0) };
        format!("{number:.places$}")
    } else {
        format!("{number:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(seconds(0.0123), "12 ms");
        assert_eq!(seconds(90.0), "90.0 s");
        assert_eq!(seconds(600.0), "10 min");
        assert_eq!(number(41234.6), "41235");
        assert_eq!(number(4.1234e9), "4.123e9");
        assert_eq!(number(2.0e-38), "2.000e-38");
        assert_eq!(number(-0.5), "-0.50");
    }
}
