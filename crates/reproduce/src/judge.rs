//! Judging one value: taking the computed one out of the answers, and comparing.

use serde::Serialize;

use super::decimal::Decimal;
use super::paper::{Compare, Standing, Take, Value};
use super::report::Line;
use pessoi::answer::{self, Answer, Used};
use pessoi::board::Cell;
use pessoi::{
    Catalogue, Code, Datum, Figure, Result, Run, Setting, Solution, Verb, certificate, check,
};

/// What came of a value. Everything but `Argued`, `NotRecomputed`, `OverBudget`, `GaveUp` and
/// `Ambiguous` is said of what was computed, in this run or in a stored one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// Computed as published.
    Agrees,
    /// The paper is wrong, as is known; the correct value was computed.
    PaperWrong {
        /// What is wrong, and how it is known.
        why: String,
    },
    /// The paper is wrong by an argument; nothing was computed.
    Argued {
        /// The argument.
        why: String,
    },
    /// Not as it should be.
    Disagrees {
        /// What is the matter.
        why: String,
    },
    /// Beyond the paper.
    New,
    /// Not computed again.
    NotRecomputed {
        /// Why not.
        why: String,
    },
    /// Computed only with a larger budget, and in no stored run.
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

/// What a computed value rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Support {
    /// Two methods without a common component gave it.
    Confirmed {
        /// Their names.
        by: [String; 2],
    },
    /// One method found a solution, and the game's checker accepts it.
    Checked {
        /// The method.
        method: String,
    },
    /// One method only.
    OneMethod {
        /// Its name.
        method: String,
    },
    /// Several methods, and any two have code in common.
    SharedCode {
        /// The two that share the least.
        methods: [String; 2],
        /// What they share.
        components: Vec<String>,
    },
}

impl Support {
    /// What these answers of one value give it.
    fn of(evidence: &[Evidence]) -> Option<Support> {
        let first = evidence.first()?;
        if first.checked {
            return Some(Support::Checked { method: first.method.name().into_owned() });
        }
        let mut best: Option<(Vec<&str>, [&Used; 2])> = None;
        for (k, other) in evidence.iter().enumerate() {
            for one in &evidence[..k] {
                let (one, other) = (&one.method, &other.method);
                if one.confirms(other) {
                    let by = [one, other].map(|method| method.name().into_owned());
                    return Some(Support::Confirmed { by });
                }
                let shared = one.shared_with(other);
                if one.name() != other.name()
                    && best.as_ref().is_none_or(|(least, _)| shared.len() < least.len())
                {
                    best = Some((shared, [one, other]));
                }
            }
        }
        Some(match best {
            None => Support::OneMethod { method: first.method.name().into_owned() },
            Some((shared, methods)) => Support::SharedCode {
                methods: methods.map(|method| method.name().into_owned()),
                components: shared.into_iter().map(str::to_owned).collect(),
            },
        })
    }
}

/// What one question gave for a value.
#[derive(Clone)]
pub(super) struct Evidence {
    pub(super) text: String,
    pub(super) method: Used,
    pub(super) seconds: f64,
    pub(super) checked: bool,
}

impl Evidence {
    /// What an engine gave, or the checker: a published solution is judged by it alone.
    pub(super) fn new(
        value: &Value,
        text: String,
        method: Used,
        seconds: f64,
        checked: bool,
    ) -> Evidence {
        if value.path.is_none() {
            return Evidence { text, method, seconds, checked };
        }
        let method = Used {
            id: "checker".into(),
            by: None,
            text: "the game's checker".into(),
            components: vec!["checker".into()],
        };
        Evidence { text, method, seconds, checked: false }
    }
}

/// What an answer says of a value.
pub(super) enum Taken {
    Text(String),
    GaveUp(String),
    /// The answer has no such part: the data is wrong, or the answer's form has changed.
    Missing(String),
}

/// Takes a value out of an answer.
pub(super) fn taken(
    value: &Value,
    answer: &Answer,
    catalogue: &Catalogue,
    run: &Run,
) -> Result<Taken> {
    match &value.path {
        Some(path) => checked(path, answer, catalogue, run),
        None => Ok(take(value, answer)),
    }
}

/// Whether the game's checker finds that a search's answer holds.
pub(super) fn is_checked(answer: &Answer, catalogue: &Catalogue, run: &Run) -> bool {
    let is_found = answer.question.verb == Verb::Find && answer.certificate.is_some();
    let found = || catalogue.game(&answer.question.game)?.check(answer, run);
    is_found
        && found().is_ok_and(|found| {
            let value = found.of(check::VALUE);
            value.is_some_and(|finding| finding.standing == check::Standing::Checked)
        })
}

/// Judges a value by what its questions gave, and by why one of them gave nothing.
pub(super) fn judge(value: &Value, evidence: &[Evidence], given_up: Option<String>) -> Line {
    let mut line = Line::without(value, Verdict::Agrees);
    line.methods = evidence.iter().map(|one| one.method.clone()).collect();
    line.seconds = evidence.first().map(|one| one.seconds);
    line.computed = evidence.first().map(|one| one.text.clone());
    line.support = if value.timing { None } else { Support::of(evidence) };
    line.verdict = match given_up {
        None => verdict(value, evidence),
        // What is known already may be enough to disagree.
        Some(why) => match evidence.first().map(|_| verdict(value, evidence)) {
            Some(disagrees @ Verdict::Disagrees { .. }) => disagrees,
            _ => Verdict::GaveUp { why },
        },
    };
    line
}

fn verdict(value: &Value, evidence: &[Evidence]) -> Verdict {
    match (&value.standing, evidence.first()) {
        (Standing::NotRecomputed(why), _) => Verdict::NotRecomputed { why: why.clone() },
        (Standing::Argued(why), _) => Verdict::Argued { why: why.clone() },
        (Standing::Ambiguous(why), None) => Verdict::Ambiguous { why: why.clone() },
        (_, None) => Verdict::Disagrees { why: "no question was asked".into() },
        (_, Some(first)) if value.timing => {
            let published = value.published.as_deref().unwrap_or_default();
            // "> 30" means that it was stopped then.
            let published = published.trim_start_matches(['>', ' ']).parse::<f64>().ok();
            Verdict::Timed { ratio: published.unwrap_or(f64::NAN) / first.seconds }
        }
        (Standing::Ambiguous(why), _) => Verdict::Ambiguous { why: why.clone() },
        (standing, Some(first)) => compared(value, standing, &first.text, evidence),
    }
}

fn compared(value: &Value, standing: &Standing, first: &str, all: &[Evidence]) -> Verdict {
    if let Some(other) = all.iter().find(|one| !is_same_text(first, &one.text)) {
        return Verdict::Disagrees { why: format!("methods differ: {first} and {}", other.text) };
    }
    let is = |text: &str| is_as_published(value.compare, text, first);
    let published = value.published.as_deref().unwrap_or_default();
    match (standing, &value.correct) {
        (Standing::PaperWrong(_), _) if is(published) => {
            Verdict::Disagrees { why: "marked as an error of the paper, but it agrees".into() }
        }
        (Standing::PaperWrong(why), Some(correct)) if is(correct) => {
            Verdict::PaperWrong { why: why.clone() }
        }
        (Standing::PaperWrong(_), Some(correct)) => {
            Verdict::Disagrees { why: format!("{correct} was expected") }
        }
        (Standing::PaperWrong(_), None) => {
            Verdict::Disagrees { why: "no correct value is given".into() }
        }
        (Standing::New, Some(correct)) if !is(correct) => {
            Verdict::Disagrees { why: format!("{correct} was computed before") }
        }
        (Standing::New, _) => Verdict::New,
        _ if is(published) => Verdict::Agrees,
        _ => Verdict::Disagrees { why: format!("published {published}") },
    }
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
        Take::Digits => match &answer.value {
            answer::Value::Exact { number } => Taken::Text(number.to_string().len().to_string()),
            _ => missing("exact number"),
        },
        Take::Solutions => Taken::Text(answer.solutions.len().to_string()),
        Take::Term(_) if answer.question.verb == Verb::Count => take_value(answer),
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
    Ok(match catalogue.game(&claimed.question.game)?.check(&claimed, run) {
        Ok(found) => match found.of(check::SOLVED) {
            Some(found) if found.standing == check::Standing::Checked => {
                Taken::Text("valid".into())
            }
            Some(found) => Taken::GaveUp(found.text.clone()),
            None => Taken::Missing("the answer has no solution".into()),
        },
        Err(error) if error.code != Code::Internal => Taken::Text("invalid".into()),
        Err(error) => return Err(error),
    })
}
