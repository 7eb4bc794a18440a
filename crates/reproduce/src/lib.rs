//! Published values, computed again.
//!
//! The values of the papers that Pessoi follows are data: one file of `papers/` a paper,
//! built into the program ([`papers`]). A **paper** has tables (and theorems, sections and
//! figures, which are treated alike), a table has **values**, and each value says which
//! question gives it and how it stands: it agrees, the paper is wrong and why, it is not
//! recomputed and why, or it is new, beyond the paper.
//!
//! [`reproduce`] asks the questions that fit a budget and judges each value. A value that
//! should agree and does not, or is marked as wrong but is not, *disagrees*; nothing else
//! does. A question that was given up is never a disagreement. What the budget leaves out is
//! judged by a [stored run](Runs), if there is one, and marked with it.
//!
//! Each computed value says what it [rests on](Support): two methods without a common
//! component, a checked solution, or one method.
//!
//! Questions are chosen by the cost in the data, cheapest first, so that the same budget
//! chooses the same values on every machine, and none is given up because a machine is slow or
//! busy. A run's own limits (time, memory) do end questions.

mod decimal;
mod judge;
mod paper;
mod report;
mod results;
mod runs;

use std::collections::BTreeMap;
use std::time::Duration;

pub use judge::{Support, Verdict};
pub use paper::{Compare, Paper, Published, Standing, Take, Value};
pub use report::{Form, Line, PaperReport, Report, TableReport};
pub use runs::{Occasion, Ran, Runs};

use judge::{Evidence, Taken};

use pessoi::{Answer, Budget, Catalogue, Code, Error, Question, Result, Run};

/// The data files, by the names that they have on a command line.
const FILES: [(&str, &str); 4] = [
    ("diplomatico", include_str!("../papers/diplomatico.toml")),
    ("knight", include_str!("../papers/knight.toml")),
    ("hex", include_str!("../papers/hex.toml")),
    ("go", include_str!("../papers/go.toml")),
];

/// How much may be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spend {
    /// Nothing: stored runs are shown.
    Nothing,
    /// The cheapest values that take this time in all.
    Time(Duration),
    /// Everything.
    Everything,
}

/// The papers of these names that are built into the program; all if no name is given.
pub fn papers(name: Option<&str>) -> Result<Vec<Paper>> {
    if let Some(name) = name
        && !FILES.iter().any(|(known, _)| *known == name)
    {
        return Err(Error::unknown("paper", "paper", name, FILES.map(|(known, _)| known)));
    }
    let chosen = FILES.iter().filter(|(known, _)| name.is_none_or(|name| name == *known));
    chosen.map(|(_, text)| Paper::parse(text)).collect()
}

/// Computes again what fits the budget and judges it; the rest is judged by stored runs.
/// `table` names the tables that are wanted: `3`, `Table 3` or `Theorem 1.9`. `today` is the
/// date of this run.
pub fn reproduce(
    catalogue: &Catalogue,
    papers: &[Paper],
    table: Option<&str>,
    spend: Spend,
    stored: &Runs,
    today: &str,
    run: &Run,
) -> Result<Report> {
    let papers = wanted(papers, table)?;
    let most = match spend {
        Spend::Nothing => f64::NEG_INFINITY,
        Spend::Time(time) => most_expensive(&papers, time),
        Spend::Everything => f64::INFINITY,
    };
    let affordable = |value: &&Value| !value.is_asked() || value.cost <= most;
    let number = papers.iter().flat_map(Paper::values).filter(affordable).count();
    run.uneven_stage("published values", number as u64);
    let mut asker = Asker { catalogue, known: BTreeMap::new(), made: Runs::default(), today, run };
    let mut reports = Vec::new();
    for paper in &papers {
        let mut tables = Vec::new();
        for table in &paper.tables {
            let mut lines = Vec::new();
            for value in &table.values {
                lines.push(if affordable(&value) {
                    run.step(1);
                    asker.line(value)?
                } else {
                    from_store(value, stored)
                });
            }
            tables.push(TableReport {
                name: table.name.clone(),
                title: table.title.clone(),
                about: table.about.clone(),
                lines,
            });
        }
        reports.push(PaperReport {
            name: paper.name.clone(),
            title: paper.title.clone(),
            authors: paper.authors.clone(),
            year: paper.year,
            tables,
        });
    }
    Ok(Report {
        pessoi: env!("CARGO_PKG_VERSION").to_owned(),
        papers: reports,
        seconds: run.elapsed().as_secs_f64(),
        made: asker.made,
    })
}

/// Judges a value by stored runs of its questions, if there are any.
fn from_store(value: &Value, stored: &Runs) -> Line {
    let key = runs::key(value);
    let ran = value.ask.iter().filter_map(|ask| stored.of(ask));
    let ran: Vec<(&Ran, &String)> =
        ran.filter_map(|ran| Some((ran, ran.taken.get(&key)?))).collect();
    let Some(oldest) = ran.iter().map(|(ran, _)| *ran).min_by_key(|ran| &ran.run.date) else {
        return Line::without(value, Verdict::OverBudget { cost: value.cost });
    };
    let evidence: Vec<Evidence> = ran
        .iter()
        .map(|(ran, text)| {
            let (method, seconds) = (ran.method.clone(), ran.run.seconds);
            Evidence::new(value, (*text).clone(), method, seconds, ran.checked)
        })
        .collect();
    let mut line = judge::judge(value, &evidence, None);
    line.run = Some(oldest.run.clone());
    line
}

/// The papers with only the tables that are wanted; papers without such a table are left out.
fn wanted(papers: &[Paper], table: Option<&str>) -> Result<Vec<Paper>> {
    let Some(name) = table else { return Ok(papers.to_vec()) };
    // A table without a number of its own has one in its section.
    let is_wanted = |table: &Published| {
        let is = |known: &str| {
            known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(&format!("Table {name}"))
        };
        is(&table.name) || table.name.rsplit(", ").next().is_some_and(is)
    };
    let mut chosen = papers.to_vec();
    for paper in &mut chosen {
        paper.tables.retain(is_wanted);
    }
    chosen.retain(|paper| !paper.tables.is_empty());
    if chosen.is_empty() {
        let names = |paper: &Paper| {
            let names: Vec<_> = paper.tables.iter().map(|table| table.name.as_str()).collect();
            format!("{}: {}", paper.name, names.join(", "))
        };
        let all: Vec<_> = papers.iter().map(names).collect();
        let sentence = format!("There is no table {name:?}; there are {}.", all.join("; "));
        return Err(Error::new(Code::Unknown, "table", sentence));
    }
    Ok(chosen)
}

/// The cost of the most expensive values that fit a budget when cheaper ones go first. Values
/// that cost alike are taken or left together.
fn most_expensive(papers: &[Paper], budget: Duration) -> f64 {
    let budget = budget.as_secs_f64();
    // Values that share their questions cost them once.
    let mut costs: BTreeMap<&[String], f64> = BTreeMap::new();
    for value in papers.iter().flat_map(Paper::values).filter(|value| value.is_asked()) {
        let cost = costs.entry(&value.ask).or_default();
        *cost = cost.max(value.cost);
    }
    let mut costs: Vec<f64> = costs.into_values().collect();
    costs.sort_by(f64::total_cmp);
    let mut sum = 0.0;
    let over = costs.iter().position(|cost| {
        sum += cost;
        sum > budget
    });
    // All of a cost must fit: the next cheaper one if it does not.
    over.map_or(f64::INFINITY, |first| {
        let cheaper = costs[..first].iter().rev().find(|cost| **cost < costs[first]);
        cheaper.copied().unwrap_or(0.0)
    })
}

/// Asks each question once.
struct Asker<'r> {
    catalogue: &'r Catalogue,
    /// The answers, each with whether the checker accepts it.
    known: BTreeMap<String, Result<(Answer, bool), String>>,
    /// What values took from them.
    made: Runs,
    today: &'r str,
    run: &'r Run,
}

impl Asker<'_> {
    fn line(&mut self, value: &Value) -> Result<Line> {
        let mut evidence = Vec::new();
        let mut given_up = None;
        for ask in value.ask.iter().filter(|_| value.is_asked()) {
            // Between questions too: the rest of a cancelled job is not begun.
            if self.time().is_some_and(|left| left.is_zero()) || self.run.cancelled() {
                let why = "the time was over before it was begun".to_owned();
                return Ok(Line::without(value, Verdict::GaveUp { why }));
            }
            let (answer, checked) = match self.answer(ask)? {
                Ok(answer) => answer,
                Err(why) => return Ok(Line::without(value, Verdict::GaveUp { why })),
            };
            match judge::taken(value, &answer, self.catalogue, self.run)? {
                Taken::Text(text) => {
                    self.note(ask, value, &answer, checked, &text);
                    let seconds = answer.cost.seconds;
                    evidence.push(Evidence::new(value, text, answer.method, seconds, checked));
                }
                Taken::GaveUp(why) => given_up = Some(why),
                Taken::Missing(why) => {
                    return Ok(Line::without(value, Verdict::Disagrees { why }));
                }
            }
        }
        Ok(judge::judge(value, &evidence, given_up))
    }

    /// Notes what was taken from an answer.
    fn note(&mut self, ask: &str, value: &Value, answer: &Answer, checked: bool, text: &str) {
        self.made.note(&Ran {
            ask: ask.to_owned(),
            run: Occasion {
                date: self.today.to_owned(),
                pessoi: env!("CARGO_PKG_VERSION").to_owned(),
                seconds: (answer.cost.seconds * 1000.0).round() / 1000.0,
            },
            method: answer.method.clone(),
            checked,
            taken: BTreeMap::from([(runs::key(value), text.to_owned())]),
        });
    }

    /// What is left of the run's time.
    fn time(&self) -> Option<Duration> {
        self.run.budget().time.map(|time| time.saturating_sub(self.run.elapsed()))
    }

    /// The answer, or why the game refuses the question: it may not fit the memory.
    fn answer(&mut self, ask: &str) -> Result<Result<(Answer, bool), String>> {
        if let Some(answer) = self.known.get(ask) {
            return Ok(answer.clone());
        }
        let (question, seed) = question(self.catalogue, ask)?;
        let mut budget = Budget { time: self.time(), ..self.run.budget().clone() };
        budget.seed = seed.unwrap_or(1);
        let part = self.run.part(budget);
        let answer = match self.catalogue.answer(&question, &part) {
            Err(error) if error.code == Code::Internal => {
                return Err(Error::internal(format!("{ask}: {}", error.sentence)));
            }
            Err(error) => Err(error.sentence),
            Ok(answer) => {
                let checked = judge::is_checked(&answer, self.catalogue, self.run);
                Ok((answer, checked))
            }
        };
        self.known.insert(ask.to_owned(), answer.clone());
        Ok(answer)
    }
}

/// Reads a question as it is typed, and the seed if one is given.
pub fn question(catalogue: &Catalogue, ask: &str) -> Result<(Question, Option<u64>)> {
    let mut words = words(ask);
    let mut seed = None;
    if let Some(at) = words.iter().position(|word| word == "--seed") {
        let number = words.get(at + 1).and_then(|word| word.parse().ok());
        seed = Some(number.ok_or_else(|| {
            Error::input(format!("{ask:?}: --seed is not followed by a whole number."))
        })?);
        words.drain(at..at + 2);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok((catalogue.read_question(&words)?, seed))
}

/// The words of a line; quotes of either kind hold words together, as in a shell.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, c) if c.is_whitespace() => words.push(String::new()),
            (_, c) => words.last_mut().into_iter().for_each(|word| word.push(c)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests;
