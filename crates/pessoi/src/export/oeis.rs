//! Entries for the OEIS, in its internal format: a letter after a per cent sign says what a line
//! is. Name, data, offset, formula, example, program and links come from the answer; what the
//! OEIS gives (the number, the author) is left to whoever sends it in.

use std::fmt::Write;
use std::time::Duration;

use num_bigint::BigUint;

use super::bfile::ascii;
use super::text::{picture, recurrence};
use super::{Format, Out, Page, Style, Writer, refuse_single, whole};
use crate::answer::{Answer, Sequence};
use crate::error::Result;
use crate::games::leapers::MOVES;
use crate::job::Collected;
use crate::question::{Place, Question, Verb};
use crate::range;
use crate::table::{Datum, Table};
use pessoi_engine::run::{Budget, Run};

/// Entries.
pub(super) struct Oeis;

/// Characters of data, with commas and spaces.
const MOST_DATA: usize = 260;
/// How long an example is looked for.
const PATIENCE: Duration = Duration::from_secs(2);

impl Format for Oeis {
    fn id(&self) -> &'static str {
        "oeis"
    }

    fn help(&self) -> &'static str {
        "an entry as the OEIS asks for it: name, data, example, formula, program"
    }

    fn media_type(&self) -> &'static str {
        "text/plain"
    }

    fn extension(&self) -> &'static str {
        "oeis"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(verb, Verb::Count | Verb::Recurrence)
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        refuse_single(page, self.id())?;
        Ok(whole(page, out, |answer, page| Ok(entry(answer, page).map(String::into_bytes))))
    }
}

fn entry(answer: &Answer, page: &Page<'_>) -> Option<String> {
    let sequence = answer.sequence.as_ref().filter(|sequence| !sequence.terms.is_empty())?;
    let card = page.game.card();
    let mut text = String::new();
    let mut line = |letter: char, said: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "%{letter} {}", ascii(said).trim_end());
    };
    let data = data(sequence);
    line('N', &format!("{}.", sequence.text.trim_end_matches('.')));
    line('S', &data);
    let first = sequence.terms.first().map_or(1, |term| term.n);
    let larger = sequence.terms.iter().position(|term| term.value > BigUint::from(1u32));
    line('O', &format!("{first},{}", larger.map_or(1, |at| at + 1)));
    match answer.question.options.get(MOVES) {
        Some(moves) => line('C', &format!("Moves: {moves}.")),
        None => line('C', card.rules),
    }
    if let Some(linear) = sequence.recurrence.as_ref().filter(|linear| linear.proved) {
        line('F', &recurrence(linear, '*'));
    }
    if let Some(table) = answer.table(range::GRID) {
        line('e', "Table begins:");
        for row in &table.rows {
            let numbers = row.iter().skip(1).map(ToString::to_string);
            let head = row.first().map(ToString::to_string).unwrap_or_default();
            line('e', &format!("  n={head}: {}", numbers.collect::<Vec<_>>().join(", ")));
        }
    }
    if let Some((heading, drawing)) = example(answer, page) {
        line('e', &heading);
        for row in drawing.lines().filter(|row| !row.is_empty()) {
            line('e', &format!("  {row}"));
        }
    }
    line('o', &format!("(Pessoi) pessoi {} --format bfile", answer.question.words()));
    if let Some(table) = answer.table(range::GRID) {
        for link in links(&answer.question, table) {
            line('Y', &link);
        }
    }
    let kind = if answer.table(range::GRID).is_some() { "nonn,tabl" } else { "nonn" };
    // Where a recurrence is proved, further terms are easily had; elsewhere they are wanted.
    let is_proved = sequence.recurrence.as_ref().is_some_and(|linear| linear.proved);
    line('K', &format!("{kind},{}", if is_proved { "easy" } else { "more" }));
    line('E', &format!("Computed by Pessoi {}.", answer.pessoi));
    Some(text)
}

/// The terms that fit.
fn data(sequence: &Sequence) -> String {
    let mut text = String::new();
    for term in &sequence.terms {
        let next =
            if text.is_empty() { term.value.to_string() } else { format!(", {}", term.value) };
        if text.len() + next.len() > MOST_DATA && !text.is_empty() {
            break;
        }
        text += &next;
    }
    text
}

/// A solution of the smallest question that has one, drawn in text: it is looked for here, within
/// a short time. Games whose `find` asks for something else have no example.
fn example(answer: &Answer, page: &Page<'_>) -> Option<(String, String)> {
    let (place, number) = smallest(answer)?;
    let menu = page.game.card().menu(Verb::Find);
    if !page.game.card().verbs.contains(&Verb::Find) {
        return None;
    }
    let mut find = Question { verb: Verb::Find, place, ..answer.question.clone() };
    let kept = ["closed", MOVES, "non-crossing"];
    find.options.retain(|name, _| kept.contains(&name.as_str()) && menu.option(name).is_some());
    let lost = answer.question.options.keys().any(|name| {
        !find.options.contains_key(name)
            && !["sequence", "symmetry", "directed"].contains(&name.as_str())
    });
    if lost || find.check(&menu).is_err() {
        return None;
    }
    let run: Run = page.run.part(Budget {
        time: Some(PATIENCE),
        memory: Some(1 << 28),
        threads: 1,
        seed: page.run.budget().seed,
    });
    let mut found = Collected::new(&run);
    page.game.job(&find).ok()?.answer(&run, &mut found).ok()?;
    let solution = found.solutions.first()?;
    let drawn = picture(&find, solution, &Style::default());
    let heading = format!("One of the {number} on {}:", find.place);
    let heading = match (&find.place, number == BigUint::from(1u32)) {
        (Place::Size(size), true) => format!("The one of length {size}:"),
        (Place::Size(size), false) => format!("One of the {number} of length {size}:"),
        (place, true) => format!("The one on {place}:"),
        _ => heading,
    };
    Some((heading, drawn))
}

/// Where the first number above zero is.
fn smallest(answer: &Answer) -> Option<(Place, BigUint)> {
    if let Some(table) = answer.table(range::BOARDS) {
        let is_some = |row: &&Vec<Datum>| row[3] == Datum::from("exact");
        let cells = |row: &&Vec<Datum>| match (row[0].as_f64(), row[1].as_f64()) {
            (Some(rows), Some(cols)) => (rows * cols) as u64,
            _ => u64::MAX,
        };
        let row = table.rows.iter().filter(is_some).min_by_key(cells)?;
        let place = Place::parse(&format!("{}x{}", row[0], row[1])).ok()?;
        return Some((place, row[2].to_string().parse().ok()?));
    }
    let Place::Size(size) = answer.question.place else { return None };
    let term = answer.sequence.as_ref()?.terms.iter().find(|term| term.value > BigUint::ZERO)?;
    if answer.question.verb != Verb::Count {
        // Along a strip.
        let place = Place::parse(&format!("{size}x{}", term.n)).ok()?;
        return Some((place, term.value.clone()));
    }
    // Where only even lengths have terms, term n is of length 2n.
    let twice = answer.sequence.as_ref()?.text.contains("length 2n");
    Some((Place::Size(if twice { 2 * term.n } else { term.n }), term.value.clone()))
}

/// How the table and the sequences in it are asked for.
fn links(question: &Question, table: &Table) -> Vec<String> {
    let words = |place: &str| {
        let place = Place::parse(place).ok()?;
        Some(Question { place, ..question.clone() }.words())
    };
    let side = |datum: Option<&Datum>| datum.map(ToString::to_string).unwrap_or_default();
    let (first, last) =
        (side(table.rows.first().map(|row| &row[0])), side(table.rows.last().map(|row| &row[0])));
    let columns = (table.columns.get(1), table.columns.last());
    let (Some(from), Some(to)) = columns else { return Vec::new() };
    let mut links = Vec::new();
    for row in &table.rows {
        let place = format!("{}x{}..{}", row[0], from.text, to.text);
        links.extend(words(&place).map(|words| format!("Row n={}: pessoi {words}.", row[0])));
    }
    if first == from.text {
        let least = if last.len() < to.text.len() || last.len() == to.text.len() && last < to.text {
            &last
        } else {
            &to.text
        };
        let place = format!("{first}..{least}xn");
        links.extend(words(&place).map(|words| format!("Main diagonal: pessoi {words}.")));
    }
    links
}
