//! Answers: a value with its standing, and everything needed to trust it.
//!
//! One serde shape, [`FORMAT`] 2, serves every door; `docs/src/formats.md` describes it.
//! What a program may want to look at has an id and a type; sentences are for people, and no
//! code reads them. Whole numbers that can pass 2^53 are written as decimal strings.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::card::Method;
use crate::certificate::Certificate;
use crate::component;
use crate::decimal;
use crate::export::Graph;
use crate::question::{Place, Question};
use crate::solution::Solution;
use crate::table::{Datum, Fact, Table};
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Estimate, interval};

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
        modulus: BigUint,
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

/// An estimate, with its interval or the reason why there is none. The logarithms are always
/// there; the numbers themselves only if a float can hold them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Estimated {
    /// The decimal logarithm of the estimate.
    pub log10_mean: f64,
    /// The estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// The standard error of the estimate, as a share of it.
    pub relative_error: f64,
    /// Samples drawn.
    pub samples: u64,
    /// Samples that found something.
    pub found: u64,
    /// Equal samples that would be worth as much.
    pub effective_samples: f64,
    /// Where the true number is; absent if that cannot be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Why there is no interval; absent if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<NoInterval>,
    /// The limit that was reached before all samples were drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Limit>,
}

/// An interval that holds the true number with a stated confidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// How it was made.
    pub method: IntervalMethod,
    /// How often such intervals hold the true number: 0.95.
    pub confidence: f64,
    /// The degrees of freedom of Student's distribution.
    pub degrees: f64,
    /// The skewness of the samples.
    pub skewness: f64,
    /// The decimal logarithm of the lower end. It is never below 0, for something was found.
    pub log10_low: f64,
    /// The decimal logarithm of the upper end.
    pub log10_high: f64,
    /// The lower end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

/// How an interval is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalMethod {
    /// Student's t with effective degrees of freedom, corrected for skewness as Hall did: see
    /// [`pessoi_engine::search::interval`](mod@pessoi_engine::search::interval).
    SkewedT,
}

impl IntervalMethod {
    /// For programs.
    pub const fn id(self) -> &'static str {
        match self {
            IntervalMethod::SkewedT => "skewed-t",
        }
    }
}

/// Why an estimate has no interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoInterval {
    /// For programs.
    pub id: WhyNoInterval,
    /// In words.
    pub text: String,
}

/// Reasons why an estimate has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhyNoInterval {
    /// Too few samples were drawn.
    FewSamples,
    /// Too few samples found something.
    FewFound,
    /// Too small a share of the samples found something.
    RarelyFound,
    /// The samples spread too widely.
    WideSpread,
    /// All samples are equal, so they show no spread.
    EqualSamples,
}

impl WhyNoInterval {
    /// For programs.
    pub const fn id(self) -> &'static str {
        match self {
            WhyNoInterval::FewSamples => "few-samples",
            WhyNoInterval::FewFound => "few-found",
            WhyNoInterval::RarelyFound => "rarely-found",
            WhyNoInterval::WideSpread => "wide-spread",
            WhyNoInterval::EqualSamples => "equal-samples",
        }
    }
}

impl From<interval::NoInterval> for NoInterval {
    fn from(why: interval::NoInterval) -> Self {
        let id = match why {
            interval::NoInterval::FewSamples { .. } => WhyNoInterval::FewSamples,
            interval::NoInterval::FewFound { .. } => WhyNoInterval::FewFound,
            interval::NoInterval::RarelyFound { .. } => WhyNoInterval::RarelyFound,
            interval::NoInterval::WideSpread => WhyNoInterval::WideSpread,
            interval::NoInterval::EqualSamples => WhyNoInterval::EqualSamples,
        };
        NoInterval { id, text: why.to_string() }
    }
}

impl Estimated {
    /// What random samples say, as far as any of them found something.
    pub fn of(found: &Estimate) -> Self {
        let log10 = found.log10();
        let float = |log10: f64| (log10 < MOST_DIGITS).then(|| 10f64.powf(log10));
        let given = found.interval.map(|ends| {
            // Something was found, so there is at least one.
            let log10_low = if ends.low > 0.0 { (log10 + ends.low.log10()).max(0.0) } else { 0.0 };
            let log10_high = (log10 + ends.high.log10()).max(log10_low);
            Interval {
                method: IntervalMethod::SkewedT,
                confidence: interval::CONFIDENCE,
                degrees: ends.degrees,
                skewness: ends.skewness,
                log10_low,
                log10_high,
                low: float(log10_low),
                high: float(log10_high),
            }
        });
        Estimated {
            log10_mean: log10,
            mean: (log10 < MOST_DIGITS).then(|| found.mean()),
            relative_error: found.relative_error,
            samples: found.samples,
            found: found.found,
            effective_samples: found.effective,
            no_interval: given.as_ref().err().map(|&why| why.into()),
            interval: given.ok(),
            stop: found.stopped.as_ref().map(Limit::from),
        }
    }

    /// Whether the interval holds a number; `None` if there is no interval.
    pub fn holds(&self, number: &BigUint) -> Option<bool> {
        let interval = self.interval.as_ref()?;
        if number.is_zero() {
            return Some(false);
        }
        let cut = number.bits().saturating_sub(64);
        let top = (number >> cut).to_f64().unwrap_or(f64::INFINITY);
        let log10 = top.log10() + cut as f64 * 2f64.log10();
        Some(interval.log10_low <= log10 && log10 <= interval.log10_high)
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
    /// The disk is too small, or failed.
    Disk {
        /// What is wrong with it.
        text: String,
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
            Stop::Disk { why } => Limit::Disk { text: why.clone() },
            Stop::Steps { .. } => Limit::Size { text: stop.to_string() },
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
            Limit::Disk { text }
            | Limit::Attempts { text }
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

    /// Whether no limit cut the answer short. An estimate from fewer samples than asked for is an
    /// answer all the same.
    pub fn is_whole(&self) -> bool {
        self.stop().is_none() || matches!(self, Value::Estimated(_))
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

    /// The engine with more pieces of code behind it.
    #[must_use]
    pub fn with_components(mut self, more: &[&str]) -> Self {
        let known = std::mem::take(&mut self.components);
        let new = more.iter().map(ToString::to_string).filter(|name| !known.contains(name));
        self.components = known.iter().cloned().chain(new).collect();
        self
    }

    /// The engine's name, with the member that succeeded where it tries several things:
    /// `sweep`, `burnside/sweep`.
    pub fn name(&self) -> Cow<'_, str> {
        match &self.by {
            Some(by) => Cow::Owned(format!("{}/{by}", self.id)),
            None => Cow::Borrowed(&self.id),
        }
    }

    /// Whether what two engines agree on is confirmed: see [`crate::component`].
    pub fn confirms(&self, other: &Used) -> bool {
        component::confirm(&self.components, &other.components)
    }

    /// The pieces of code that both rest on.
    pub fn shared_with(&self, other: &Used) -> Vec<&str> {
        component::common(&self.components, &other.components)
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
    /// The most bytes on disk at one time, where the disk was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk_bytes: Option<u64>,
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
            subject: subject.asked(question),
            value,
            method: method.into(),
            cost: Cost {
                seconds: run.elapsed().as_secs_f64(),
                peak_bytes: run.peak_bytes(),
                disk_bytes: run.disk().map(|disk| disk.peak()).filter(|&bytes| bytes > 0),
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

    /// Adds what a reader of random samples must know: the seed and the cost.
    #[must_use]
    pub(crate) fn with_samples(mut self, run: &Run) -> Self {
        self.seed = Some(run.budget().seed);
        self.cost.nodes = Some(run.progress().handled);
        self
    }
}

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
    use pessoi_engine::search::Sample;

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
            for samples in [10, 50] {
                let shift = log10 * std::f64::consts::LN_10;
                let sample = |k| Sample { ln: shift + f64::from(k).ln(), ln_tree: 1.0 };
                let drawn: Vec<Sample> = (1..=samples).map(sample).collect();
                let value = Value::estimated(&Estimate::of(&drawn, None), "paths");
                let json = serde_json::to_string(&value).unwrap();
                assert!(!json.contains("null"), "{json}");
                assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
                let Value::Estimated(found) = value else { panic!("{json}") };
                assert_eq!(found.interval.is_some(), samples == 50, "{json}");
                assert_eq!(found.no_interval.is_none(), samples == 50, "{json}");
            }
        }
    }

    /// The lower end is never below one, and numbers of any size are looked up in it.
    #[test]
    fn intervals_hold_numbers() {
        let of = |drawn: &[Sample]| Estimated::of(&Estimate::of(drawn, None));
        let sample = |number: f64| Sample { ln: number.ln(), ln_tree: 0.0 };
        let wide: Vec<Sample> = (0..50).map(|k| sample(if k == 0 { 400.0 } else { 0.2 })).collect();
        let found = of(&wide);
        let about = found.interval.clone().unwrap();
        assert_eq!((about.log10_low, about.low), (0.0, Some(1.0)), "{about:?}");
        assert_eq!(found.holds(&1u32.into()), Some(true));
        assert_eq!(found.holds(&0u32.into()), Some(false));
        let far: Vec<Sample> = (1..=50)
            .map(|k| Sample { ln: 5000.0 * 10f64.ln() + f64::from(k).ln(), ln_tree: 0.0 })
            .collect();
        let holds = |power: u32| of(&far).holds(&(BigUint::from(10u32).pow(power) * 25u32));
        assert_eq!((holds(4999), holds(5000), holds(5001)), (Some(false), Some(true), Some(false)));
        assert_eq!(of(&far[..20]).holds(&1u32.into()), None);
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
