//! Judging one value: taking the computed one out of the answers, and comparing.

use serde::Serialize;

use super::decimal::Decimal;
use super::paper::{Compare, Standing, Take, Value};
use super::report::Line;
use pessoi::answer::{self, Answer, Used};
use pessoi::board::Cell;
use pessoi::{Catalogue, Code, Datum, Figure, Result, Run, Setting, Solution, Verb, certificate};

/// What came of a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// Computed as published.
    Agrees,
    /// The paper is wrong, as is known; the correct value was computed (or, where nothing is
    /// computed, is argued).
    PaperWrong {
        /// What is wrong, and how it is known.
        why: String,
    },
    /// Not as it should be.
    Disagrees {
        /// What is the matter.
        why: String,
    },
    /// Beyond the paper.
    New {
        /// Whether two independent methods gave it.
        confirmed: bool,
    },
    /// Not computed again.
    NotRecomputed {
        /// Why not.
        why: String,
    },
    /// Computed only with a larger budget.
    OverBudget {
        /// Seconds that it takes.
        cost: f64,
    },
    /// Begun and not finished.
    GaveUp {
        /// The limit that was hit.
        why: String,
    },
    /// Shown, not judged.
    Ambiguous {
        /// Why.
        why: String,
    },
    /// A time: shown, not judged.
    Timed {
        /// How many times faster than published.
        ratio: f64,
    },
}

/// What an answer says of a value.
enum Taken {
    Text(String),
    GaveUp(String),
    /// The answer has no such part: the data is wrong, or the answer's form has changed.
    Missing(String),
}

/// Judges a value by the answers to its questions.
pub(super) fn judge(
    value: &Value,
    answers: &[Answer],
    catalogue: &Catalogue,
    run: &Run,
) -> Result<Line> {
    let mut line = Line::without(value, Verdict::Agrees);
    line.methods = answers.iter().map(|answer| answer.method.clone()).collect();
    line.seconds = answers.first().map(|answer| answer.cost.seconds);
    let mut texts = Vec::new();
    let mut given_up = None;
    for answer in answers {
        let taken = match &value.path {
            Some(path) => checked(path, answer, catalogue, run)?,
            None => take(value, answer),
        };
        match taken {
            Taken::Text(text) => texts.push(text),
            Taken::GaveUp(why) => given_up = Some(why),
            Taken::Missing(why) => {
                line.verdict = Verdict::Disagrees { why };
                return Ok(line);
            }
        }
    }
    line.computed = texts.first().cloned();
    line.verdict = match given_up {
        None => verdict(value, &texts, &line),
        // What is known already may be enough to disagree.
        Some(why) => match texts.first().map(|_| verdict(value, &texts, &line)) {
            Some(disagrees @ Verdict::Disagrees { .. }) => disagrees,
            _ => Verdict::GaveUp { why },
        },
    };
    Ok(line)
}

fn verdict(value: &Value, texts: &[String], line: &Line) -> Verdict {
    if let Standing::NotRecomputed(why) = &value.standing {
        return Verdict::NotRecomputed { why: why.clone() };
    }
    let Some(first) = texts.first() else {
        return match &value.standing {
            Standing::PaperWrong(why) => Verdict::PaperWrong { why: why.clone() },
            Standing::Ambiguous(why) => Verdict::Ambiguous { why: why.clone() },
            _ => Verdict::Disagrees { why: "no question was asked".into() },
        };
    };
    if value.timing {
        let published = value.published.as_deref().unwrap_or_default();
        // "> 30" means that it was stopped then.
        let published = published.trim_start_matches(['>', ' ']).parse::<f64>().ok();
        return Verdict::Timed {
            ratio: published.unwrap_or(f64::NAN) / line.seconds.unwrap_or(f64::NAN),
        };
    }
    if let Some(other) = texts.iter().find(|text| !is_same_text(first, text)) {
        return Verdict::Disagrees { why: format!("methods differ: {first} and {other}") };
    }
    let is = |text: &str| is_as_published(value.compare, text, first);
    let published = value.published.as_deref().unwrap_or_default();
    match &value.standing {
        Standing::Agrees if is(published) => Verdict::Agrees,
        Standing::Agrees => Verdict::Disagrees { why: format!("published {published}") },
        Standing::PaperWrong(_) if is(published) => {
            Verdict::Disagrees { why: "marked as an error of the paper, but it agrees".into() }
        }
        Standing::PaperWrong(why) => match &value.correct {
            Some(correct) if is(correct) => Verdict::PaperWrong { why: why.clone() },
            Some(correct) => Verdict::Disagrees { why: format!("{correct} was expected") },
            None => Verdict::Disagrees { why: "no correct value is given".into() },
        },
        Standing::New => match &value.correct {
            Some(correct) if !is(correct) => {
                Verdict::Disagrees { why: format!("{correct} was computed before") }
            }
            _ => Verdict::New { confirmed: is_confirmed(&line.methods) },
        },
        Standing::Ambiguous(why) => Verdict::Ambiguous { why: why.clone() },
        Standing::NotRecomputed(why) => Verdict::NotRecomputed { why: why.clone() },
    }
}

/// Whether two of the methods share no piece of code: only then do they confirm each other.
fn is_confirmed(methods: &[Used]) -> bool {
    let apart = |a: &Used, b: &Used| {
        !a.components.is_empty()
            && !b.components.is_empty()
            && a.components.iter().all(|component| !b.components.contains(component))
    };
    methods.iter().enumerate().any(|(k, a)| methods[..k].iter().any(|b| apart(a, b)))
}

fn is_same_text(a: &str, b: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    letters(a) == letters(b)
}

fn is_as_published(compare: Compare, published: &str, computed: &str) -> bool {
    if compare == Compare::Equal {
        return is_same_text(published, computed);
    }
    let (Some(published), Some(computed)) =
        (Decimal::first_in(published), Decimal::first_in(computed))
    else {
        return false;
    };
    match compare {
        // Texts were compared above.
        Compare::Equal => false,
        Compare::Rounded => published.is_rounding_of(&computed),
        Compare::Within(part) => (computed.ratio(&published) - 1.0).abs() <= part,
        Compare::AtLeast => computed.cmp(&published).is_ge(),
        Compare::AtMost => computed.cmp(&published).is_le(),
    }
}

fn take(value: &Value, answer: &Answer) -> Taken {
    let missing = |what: &str| Taken::Missing(format!("the answer has no {what}"));
    let is_whole = value.take == Take::Value && !value.timing;
    match &answer.value {
        answer::Value::GaveUp { stop } => return Taken::GaveUp(stop.to_string()),
        // Part of an answer is no answer, but it may be enough for a lower bound.
        answer::Value::AtLeast { stop: Some(stop), .. }
            if !is_whole || value.compare != Compare::AtLeast =>
        {
            return Taken::GaveUp(stop.to_string());
        }
        _ => {}
    }
    if value.timing {
        return Taken::Text(format!("{:.3}", answer.cost.seconds));
    }
    match &value.take {
        Take::Value => take_value(answer),
        Take::Solutions => Taken::Text(answer.solutions.len().to_string()),
        Take::Term(n) => {
            let mut terms = answer.sequence.iter().flat_map(|sequence| &sequence.terms);
            match terms.find(|term| term.n == *n) {
                Some(term) => Taken::Text(term.value.to_string()),
                None => missing(&format!("term {n}")),
            }
        }
        Take::Order => match answer.sequence.as_ref().and_then(|s| s.recurrence.as_ref()) {
            Some(recurrence) => Taken::Text(recurrence.order.to_string()),
            None => missing("recurrence"),
        },
        Take::Growth => match answer.sequence.as_ref().and_then(|s| s.growth.as_ref()) {
            Some(growth) => Taken::Text(growth.factor.clone()),
            None => missing("growth factor"),
        },
        Take::Factor(k) => {
            let linear = answer.sequence.as_ref().and_then(|s| s.recurrence.as_ref());
            match linear.and_then(|linear| linear.factors.get(k.checked_sub(1)?)) {
                Some(factor) => Taken::Text(factor.to_string()),
                None => missing(&format!("factor of a(n-{k})")),
            }
        }
        Take::Fact(id) => match answer.fact_of(id) {
            Some(datum) => Taken::Text(plain(datum)),
            None => missing(&format!("fact {id:?}")),
        },
        Take::Cell { table, row, column } => {
            let Some(found) = answer.table(table) else {
                return missing(&format!("table {table:?}"));
            };
            let at = match column {
                None => Some(1),
                Some(id) => found.column(id),
            };
            let is_row =
                |cells: &&Vec<Datum>| cells.first().is_some_and(|first| plain(first) == *row);
            match (found.rows.iter().find(is_row), at) {
                (None, _) => missing(&format!("row {row:?} in {table:?}")),
                (Some(cells), Some(at)) if at < cells.len() => Taken::Text(plain(&cells[at])),
                _ => missing(&format!("such column in {table:?}")),
            }
        }
    }
}

/// A datum as papers print it: all digits of a float, yes and no.
fn plain(datum: &Datum) -> String {
    match datum {
        Datum::Float(number) => number.to_string(),
        other => other.to_string(),
    }
}

fn take_value(answer: &Answer) -> Taken {
    match &answer.value {
        answer::Value::None { .. } if answer.question.verb == Verb::Count => {
            Taken::Text("0".into())
        }
        answer::Value::None { .. } => Taken::Text("none".into()),
        // As many as were asked for: how many more there are is not known.
        answer::Value::AtLeast { stop: None, .. } if answer.question.verb == Verb::Find => {
            Taken::Text("found".into())
        }
        answer::Value::Exact { number } | answer::Value::AtLeast { number, .. } => {
            Taken::Text(number.to_string())
        }
        answer::Value::Residue { residue, .. } => Taken::Text(residue.to_string()),
        answer::Value::Estimated(estimated) => {
            let (log10, power) = (estimated.log10_mean, estimated.log10_mean.floor());
            Taken::Text(format!("{:.5}e{power}", 10f64.powf(log10 - power)))
        }
        answer::Value::Described {} => Taken::Missing("the answer has no number".into()),
        answer::Value::GaveUp { stop } => Taken::GaveUp(stop.to_string()),
    }
}

/// What the game's checker says to a published solution.
fn checked(path: &str, answer: &Answer, catalogue: &Catalogue, run: &Run) -> Result<Taken> {
    let cells = path.split_whitespace().map(str::parse).collect::<Result<Vec<Cell>>>()?;
    let closed = match answer.solutions.first().map(|solution| &solution.figure) {
        Some(Figure::Path { closed, .. }) => *closed,
        _ => answer.question.options.get("closed") == Some(&Setting::Flag(true)),
    };
    let mut claimed = answer.clone();
    claimed.value = answer::Value::at_least(1u32);
    claimed.certificate = Some(certificate::Certificate::solutions());
    claimed.solutions = vec![Solution::from(Figure::Path { cells, closed })];
    Ok(match catalogue.check(&claimed, run) {
        Ok(certificate::Verdict::Holds(_)) => Taken::Text("valid".into()),
        Ok(certificate::Verdict::Unchecked(why)) => Taken::GaveUp(why),
        Err(error) if error.code != Code::Internal => Taken::Text("invalid".into()),
        Err(error) => return Err(error),
    })
}
