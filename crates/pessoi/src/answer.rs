//! Answers: a value with its standing, and everything needed to trust it.
//!
//! One serde shape, [`FORMAT`] 2, serves every door; `docs/src/formats.md` describes it.
//! What a program may want to look at has an id and a type; sentences are for people, and no
//! code reads them. Whole numbers that can pass 2^53 are written as decimal strings.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use num_bigint::{BigInt, BigUint};
use num_traits::Zero;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::card::Method;
use crate::certificate::Certificate;
use crate::decimal;
use crate::export::Graph;
use crate::question::{Place, Question};
use crate::solution::Solution;
use crate::table::{Datum, Fact, Table};
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::Estimate;

/// The version of the shape of answers and plans.
pub const FORMAT: u32 = 2;

/// The most decimal digits of a float that is written as such; larger numbers are written
/// by their logarithms alone.
const MOST_DIGITS: f64 = 300.0;

/// What is known, and how well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "standing", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Value {
    /// Exactly this number.
    Exact {
        /// The number.
        #[serde(with = "decimal")]
        #[schemars(with = "crate::schema::Decimal")]
        number: BigUint,
    },
    /// The remainder of the number when it is divided by the modulus.
    Residue {
        /// The remainder.
        #[serde(with = "decimal")]
        #[schemars(with = "crate::schema::Decimal")]
        residue: BigUint,
        /// The modulus.
        #[serde(with = "decimal")]
        #[schemars(with = "crate::schema::Decimal")]
        modulus: u64,
    },
    /// This number, and perhaps more.
    AtLeast {
        /// The number.
        #[serde(with = "decimal")]
        #[schemars(with = "crate::schema::Decimal")]
        number: BigUint,
        /// The limit that was reached; `None` if no more was asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<Limit>,
    },
    /// About this number.
    Estimated(Estimated),
    /// There is none, and this proves it.
    None {
        /// The proof, in a sentence.
        proof: String,
    },
    /// There is no number to give: the facts, tables, pictures or graphs are the answer.
    Described {},
    /// Nothing is known, for this reason.
    GaveUp {
        /// The limit that was reached.
        stop: Limit,
    },
}

/// An estimate with its interval. The logarithms are always there; the numbers themselves
/// only if a float can hold them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Estimated {
    /// The decimal logarithm of the estimate.
    pub log10_mean: f64,
    /// The decimal logarithm of the lower end of the interval; absent if that is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log10_low: Option<f64>,
    /// The decimal logarithm of the upper end of the interval.
    pub log10_high: f64,
    /// The estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// The lower end of the interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end of the interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The standard error of the estimate, as a share of it.
    pub relative_error: f64,
    /// Samples drawn.
    pub samples: u64,
    /// Equal samples that would be worth as much.
    pub effective_samples: f64,
    /// The limit that was reached before all samples were drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Limit>,
}

impl Estimated {
    /// What random samples say, as far as any of them found something.
    pub fn of(found: &Estimate) -> Self {
        let log10 = found.log10();
        let (low, high) = found.relative_interval();
        let is_float = log10 < MOST_DIGITS;
        let float = |times: f64| is_float.then(|| found.mean() * times);
        Estimated {
            log10_mean: log10,
            log10_low: (low > 0.0).then(|| log10 + low.log10()),
            log10_high: log10 + high.log10(),
            mean: float(1.0),
            low: float(low),
            high: float(high),
            relative_error: found.relative_error,
            samples: found.samples,
            effective_samples: found.effective,
            stop: found.stopped.as_ref().map(Limit::from),
        }
    }
}

/// Why an answer is not whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "limit", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Limit {
    /// The time limit passed.
    Time {
        /// The limit.
        seconds: f64,
    },
    /// The next table would not fit into memory.
    Memory {
        /// Bytes in use plus those asked for.
        needed: u64,
        /// The limit.
        bytes: u64,
    },
    /// It was interrupted.
    Cancelled {},
    /// What depends on chance did not succeed.
    Attempts {
        /// What was tried, and how often.
        text: String,
    },
    /// The work is larger than what is begun.
    Size {
        /// What is too large.
        text: String,
    },
    /// A server or another program that was asked broke off.
    Lost {
        /// What happened.
        text: String,
    },
    /// What a server or another program returned cannot be trusted to be everything.
    Untrusted {
        /// What is wrong with it.
        text: String,
    },
}

impl From<&Stop> for Limit {
    fn from(stop: &Stop) -> Self {
        match stop {
            Stop::Time { limit } => Limit::Time { seconds: limit.as_secs_f64() },
            Stop::Memory { needed, limit } => Limit::Memory { needed: *needed, bytes: *limit },
            Stop::Cancelled => Limit::Cancelled {},
        }
    }
}

impl From<Stop> for Limit {
    fn from(stop: Stop) -> Self {
        Limit::from(&stop)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time { seconds } => {
                let limit = Duration::try_from_secs_f64(*seconds).unwrap_or(Duration::MAX);
                Stop::Time { limit }.fmt(f)
            }
            Limit::Memory { needed, bytes } => {
                Stop::Memory { needed: *needed, limit: *bytes }.fmt(f)
            }
            Limit::Cancelled {} => Stop::Cancelled.fmt(f),
            Limit::Attempts { text }
            | Limit::Size { text }
            | Limit::Lost { text }
            | Limit::Untrusted { text } => f.write_str(text),
        }
    }
}

impl Value {
    /// Exactly this number.
    pub fn exact(number: impl Into<BigUint>) -> Self {
        Value::Exact { number: number.into() }
    }

    /// This number, and no more were asked for.
    pub fn at_least(number: impl Into<BigUint>) -> Self {
        Value::AtLeast { number: number.into(), stop: None }
    }

    /// There is none.
    pub fn none(proof: impl Into<String>) -> Self {
        Value::None { proof: proof.into() }
    }

    /// Nothing is known.
    pub fn gave_up(stop: impl Into<Limit>) -> Self {
        Value::GaveUp { stop: stop.into() }
    }

    /// This number or more, because a limit was reached; nothing at all if it is zero.
    pub fn stopped(number: impl Into<BigUint>, stop: impl Into<Limit>) -> Self {
        let (number, stop) = (number.into(), stop.into());
        if number.is_zero() {
            Value::GaveUp { stop }
        } else {
            Value::AtLeast { number, stop: Some(stop) }
        }
    }

    /// What random samples of `things` say; nothing if none found any.
    pub fn estimated(found: &Estimate, things: &str) -> Self {
        if found.is_zero() {
            let text = format!("none of {} samples found {things}", found.samples);
            return Value::GaveUp { stop: Limit::Attempts { text } };
        }
        Value::Estimated(Estimated::of(found))
    }

    /// The limit that cut the answer short, if one did.
    pub fn stop(&self) -> Option<&Limit> {
        match self {
            Value::GaveUp { stop } => Some(stop),
            Value::AtLeast { stop, .. } | Value::Estimated(Estimated { stop, .. }) => stop.as_ref(),
            _ => None,
        }
    }

    /// The exact number; 0 where it is proved that there is none.
    pub fn number(&self) -> Option<BigUint> {
        match self {
            Value::Exact { number } => Some(number.clone()),
            Value::None { .. } => Some(BigUint::ZERO),
            _ => None,
        }
    }
}

/// What a value is about: a number of things, or a measure of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// For programs.
    pub id: Cow<'static, str>,
    /// The things, in words: `undirected open paths`; or what is measured: `God's number`.
    pub text: Cow<'static, str>,
    /// One of the things: `undirected open path`. Absent for a measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one: Option<Cow<'static, str>>,
}

impl Subject {
    /// A number of things.
    pub const fn things(id: &'static str, one: &'static str, many: &'static str) -> Self {
        Subject { id: Cow::Borrowed(id), text: Cow::Borrowed(many), one: Some(Cow::Borrowed(one)) }
    }

    /// A measure of something.
    pub const fn measure(id: &'static str, text: &'static str) -> Self {
        Subject { id: Cow::Borrowed(id), text: Cow::Borrowed(text), one: None }
    }

    /// The same things, described further: `{things} {more}`.
    #[must_use]
    pub fn which(self, more: &str) -> Self {
        let add = |text: &str| Cow::Owned(format!("{text} {more}"));
        Subject { id: self.id, text: add(&self.text), one: self.one.map(|one| add(&one)) }
    }

    /// Classes of these things up to something.
    #[must_use]
    pub fn classes(&self, up_to: &str) -> Self {
        Subject {
            id: Cow::Owned(format!("classes-of-{}", self.id)),
            text: Cow::Owned(format!("classes of {} up to {up_to}", self.text)),
            one: Some(Cow::Owned(format!("class of {} up to {up_to}", self.text))),
        }
    }
}

/// The engine that gave an answer, or would give it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Used {
    /// The engine's id: the plan's is the answer's.
    pub id: String,
    /// Where an engine tries several things, the one that succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What was done, in words.
    pub text: String,
    /// The pieces of code that the result rests on: see [`Method::components`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
}

impl Used {
    /// Words of its own for what an engine did.
    #[must_use]
    pub fn said(self, text: impl Into<String>) -> Self {
        Used { text: text.into(), ..self }
    }

    /// The member of an engine that succeeded.
    #[must_use]
    pub fn by(self, member: &Method) -> Self {
        let components = member.components.iter().map(ToString::to_string).collect();
        Used { by: Some(member.id.to_owned()), text: member.help.to_owned(), components, ..self }
    }
}

impl From<&Method> for Used {
    fn from(method: &Method) -> Self {
        let components = method.components.iter().map(ToString::to_string).collect();
        Used { id: method.id.to_owned(), by: None, text: method.help.to_owned(), components }
    }
}

/// What an answer cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Nodes of a search tree that were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Borders of a sweep, over all layers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub borders: Option<u64>,
    /// The most borders in one layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_borders: Option<u64>,
    /// States of a state space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The most bytes of tables at one time.
    pub peak_bytes: u64,
}

/// The terms of a sequence, and what is known of how it goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// For programs.
    pub id: String,
    /// What the terms are: `a(n) = number of …`.
    pub text: String,
    /// The terms.
    pub terms: Vec<Term>,
    /// The linear recurrence that they obey, if its coefficients are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurrence: Option<Linear>,
    /// How fast the terms grow, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Growth>,
}

/// One term of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Its index.
    pub n: u64,
    /// Its value.
    #[serde(with = "decimal")]
    #[schemars(with = "crate::schema::Decimal")]
    pub value: BigUint,
}

/// A linear recurrence with constant factors: a(n) = Σ factors\[k\] · a(n−1−k).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// The number of terms that the next one follows from.
    pub order: u64,
    /// The factor of a(n−1), of a(n−2), and so on.
    #[serde(with = "decimal::list")]
    #[schemars(with = "Vec<crate::schema::Decimal>")]
    pub factors: Vec<BigInt>,
    /// The first n for which it holds.
    pub from: u64,
    /// Whether it is proved to hold for all further n; if not, it fits the terms that were
    /// looked at.
    pub proved: bool,
    /// Terms beyond those that determine it, which it was tested on.
    pub tested: u64,
}

/// How fast the terms of a sequence grow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// The limit of a(n+1)/a(n), as a decimal number with the digits that are sure.
    pub factor: String,
    /// How it was found: as the largest root of the recurrence's polynomial, or from
    /// quotients of terms.
    pub from: GrowthFrom,
}

/// Where a growth factor comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GrowthFrom {
    /// The largest root of the characteristic polynomial.
    Root,
    /// Quotients of terms.
    Quotients,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The version of this shape: 2.
    pub format: u32,
    /// The version of Pessoi that gave it.
    pub pessoi: String,
    /// What was asked.
    pub question: Question,
    /// What the value counts or measures.
    pub subject: Subject,
    /// What is known.
    pub value: Value,
    /// The engine that gave it.
    pub method: Used,
    /// What it cost.
    pub cost: Cost,
    /// The seed, where chance played a part.
    #[serde(default, with = "decimal::option", skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What else a reader must know, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Further things that are known, one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// What was found. Jobs give solutions to [`crate::Events`]; what saves an answer puts
    /// them here, except those of verbs that stream (list, classify).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solutions: Vec<Solution>,
    /// The puzzle, for `generate`: a board with clues. The solution is its only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<Place>,
    /// Further numbers in rows; the first table is the main one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// A sequence, its recurrence and its growth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<Sequence>,
    /// A graph, for `export`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Graph>,
    /// What lets another program check the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
}

impl Answer {
    /// An answer with a value and nothing else yet. Its time and memory are those of the run
    /// so far.
    pub fn new(
        question: &Question,
        subject: &Subject,
        value: Value,
        method: impl Into<Used>,
        run: &Run,
    ) -> Self {
        Answer {
            format: FORMAT,
            pessoi: env!("CARGO_PKG_VERSION").to_owned(),
            question: question.clone(),
            subject: subject.clone(),
            value,
            method: method.into(),
            cost: Cost {
                seconds: run.elapsed().as_secs_f64(),
                peak_bytes: run.peak_bytes(),
                ..Cost::default()
            },
            seed: None,
            notes: Vec::new(),
            facts: Vec::new(),
            solutions: Vec::new(),
            puzzle: None,
            tables: Vec::new(),
            sequence: None,
            graph: None,
            certificate: None,
        }
    }

    /// Adds a fact.
    pub fn fact(&mut self, id: &str, text: &str, value: impl Into<Datum>) {
        let (id, text) = (id.to_owned(), text.to_owned());
        self.facts.push(Fact { id, text, value: value.into() });
    }

    /// The fact of this id.
    pub fn fact_of(&self, id: &str) -> Option<&Datum> {
        self.facts.iter().find(|fact| fact.id == id).map(|fact| &fact.value)
    }

    /// The table of this id.
    pub fn table(&self, id: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.id == id)
    }

    /// How the answer ended, for exit codes and statuses.
    pub fn outcome(&self) -> Outcome {
        match &self.value {
            value if value.stop().is_some() => match value.stop() {
                Some(Limit::Cancelled {}) => Outcome::Cancelled,
                _ => Outcome::Stopped,
            },
            Value::None { .. } => Outcome::None,
            _ => Outcome::Answered,
        }
    }

    /// Adds what a reader of random samples must know: the seed, the cost, and how far to
    /// trust them.
    #[must_use]
    pub(crate) fn with_samples(mut self, run: &Run) -> Self {
        self.seed = Some(run.budget().seed);
        self.cost.nodes = Some(run.progress().handled);
        if let Value::Estimated(Estimated { effective_samples, stop, .. }) = &self.value {
            if let Some(stop) = stop {
                self.notes.push(format!("Fewer samples were drawn than asked for: {stop}."));
            }
            if *effective_samples < TRUSTED_SAMPLES {
                self.notes.push(
                    "Few samples carry the sum (see the effective sample size), so the interval \
                     may be too narrow: draw more with --samples."
                        .into(),
                );
            }
        }
        self
    }
}

/// Fewer equal samples than this make no trustworthy interval.
const TRUSTED_SAMPLES: f64 = 50.0;

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The question is answered.
    Answered,
    /// It is proved that there is none.
    None,
    /// A limit was reached.
    Stopped,
    /// It was interrupted.
    Cancelled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_json() {
        let big = BigUint::from(7u32).pow(40);
        let value = Value::exact(big);
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(json, r#"{"standing":"exact","number":"6366805760909027985741435139224001"}"#);
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
        for bad in [
            r#"{"standing":"exact","number":"1e5"}"#,
            r#"{"standing":"exact","number":"+5"}"#,
            r#"{"standing":"exact","number":"5","low":"1"}"#,
            r#"{"standing":"none","prove":"x"}"#,
        ] {
            assert!(serde_json::from_str::<Value>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_stopped_count_of_nothing_says_nothing() {
        assert!(matches!(Value::stopped(0u32, Stop::Cancelled), Value::GaveUp { .. }));
        assert!(Value::stopped(5u32, Stop::Cancelled).stop().is_some());
        assert!(Value::at_least(1u32).stop().is_none());
    }

    /// Estimates above 10^154 used to become NaN, which JSON writes as null.
    #[test]
    fn estimates_of_any_size_survive_in_json() {
        for log10 in [0.5, 12.0, 170.0, 299.0, 5000.0] {
            let found = Estimate {
                ln_mean: log10 * std::f64::consts::LN_10,
                relative_error: 0.7,
                samples: 10,
                effective: 3.0,
                ln_tree: 1.0,
                stopped: None,
            };
            let value = Value::estimated(&found, "paths");
            let json = serde_json::to_string(&value).unwrap();
            assert!(!json.contains("null"), "{json}");
            assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
        }
    }

    #[test]
    fn limits_say_what_the_engines_say() {
        for stop in [
            Stop::Time { limit: Duration::from_millis(1500) },
            Stop::Memory { needed: 1 << 40, limit: 1 << 20 },
            Stop::Cancelled,
        ] {
            assert_eq!(Limit::from(&stop).to_string(), stop.to_string());
        }
    }
}
