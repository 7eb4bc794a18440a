//! Answers: a value with its standing, and everything needed to trust it.
//!
//! One serde shape serves every door; `docs/src/formats.md` describes it. Whole
//! numbers that can be large are written as decimal strings, because many readers
//! of JSON cut numbers to 53 bits.

use num_bigint::BigUint;
use num_traits::Zero;
use serde::{Deserialize, Serialize};

use crate::board::Cell;
use crate::certificate::Certificate;
use crate::export::Graph;
use crate::question::{Place, Question};
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::Estimate;

/// What is known, and how well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "kebab-case")]
pub enum Value {
    /// Exactly this number.
    Exact {
        /// The number.
        #[serde(with = "decimal")]
        number: BigUint,
    },
    /// This number, and perhaps more.
    AtLeast {
        /// The number.
        #[serde(with = "decimal")]
        number: BigUint,
        /// The limit that was hit; `None` if no more was asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// About this number.
    Estimated {
        /// The estimate.
        mean: f64,
        /// The lower end of the interval meant to hold the truth 95 times in 100.
        low: f64,
        /// Its upper end.
        high: f64,
        /// The standard error of the mean.
        standard_error: f64,
        /// Samples drawn.
        samples: u64,
        /// Equal samples that would be worth as much.
        effective_samples: f64,
    },
    /// There is none, and this proves it.
    None {
        /// The proof, in a sentence.
        proof: String,
    },
    /// Nothing is known, for this reason.
    GaveUp {
        /// The limit that was hit.
        why: String,
    },
}

impl Value {
    /// Exactly this number.
    pub fn exact(number: impl Into<BigUint>) -> Self {
        Value::Exact { number: number.into() }
    }

    /// This number or more, because a limit was hit; nothing at all if it is zero.
    pub fn stopped(number: impl Into<BigUint>, why: &Stop) -> Self {
        let number = number.into();
        let why = why.to_string();
        if number.is_zero() {
            Value::GaveUp { why }
        } else {
            Value::AtLeast { number, why: Some(why) }
        }
    }

    /// What random probes say, times a scale; nothing if none came upon a solution.
    pub(crate) fn probed(found: &Estimate, scale: f64) -> Self {
        if found.is_zero() {
            let why = format!("none of {} probes came upon a solution", found.samples);
            return Value::GaveUp { why };
        }
        let (low, high) = found.interval();
        Value::Estimated {
            mean: scale * found.mean(),
            low: scale * low,
            high: scale * high,
            standard_error: scale * found.standard_error(),
            samples: found.samples,
            effective_samples: found.effective,
        }
    }

    /// Whether a limit cut the answer short.
    pub fn is_cut_short(&self) -> bool {
        matches!(self, Value::GaveUp { .. } | Value::AtLeast { why: Some(_), .. })
    }
}

/// A `BigUint` as a decimal string.
mod decimal {
    use num_bigint::BigUint;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &BigUint, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<BigUint, D::Error> {
        let text = String::deserialize(d)?;
        text.parse().map_err(|_| D::Error::custom(format!("{text:?} is not a decimal number")))
    }
}

/// What an answer cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// Something found, that can be drawn and checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solution {
    /// What it is.
    #[serde(flatten)]
    pub figure: Figure,
    /// Its class up to symmetry, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
}

/// What a solution is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "figure", rename_all = "kebab-case")]
pub enum Figure {
    /// Cells in the order in which a path visits them.
    Path {
        /// The cells.
        cells: Vec<Cell>,
        /// Whether the last is joined to the first.
        closed: bool,
    },
    /// Positions, each following from the one before by a move; or a single one.
    Positions {
        /// The positions, each drawn as rows of text.
        drawings: Vec<String>,
        /// Whether the first follows from the last.
        closed: bool,
    },
}

/// A class of solutions that are the same up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    /// How many solutions it has.
    pub orbit: u64,
    /// The symmetries that leave the solution as it is, by name; empty if none.
    pub symmetries: Vec<String>,
}

impl Figure {
    /// The cells of a path; none if it is something else.
    pub fn path(&self) -> &[Cell] {
        match self {
            Figure::Path { cells, .. } => cells,
            Figure::Positions { .. } => &[],
        }
    }
}

impl From<Figure> for Solution {
    fn from(figure: Figure) -> Self {
        Solution { figure, class: None }
    }
}

/// Rows of text under headings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The headings.
    pub columns: Vec<String>,
    /// The rows, each as long as the headings.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: &str, columns: &[&str]) -> Self {
        let columns = columns.iter().map(ToString::to_string).collect();
        Table { title: title.to_owned(), columns, rows: Vec::new() }
    }
}

/// One term of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// Its index.
    pub n: u64,
    /// Its value.
    #[serde(with = "decimal")]
    pub value: BigUint,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The version of Pessoi that gave it.
    pub pessoi: String,
    /// What was asked.
    pub question: Question,
    /// What is known.
    pub value: Value,
    /// What the value counts: directed or not, open or closed, up to what.
    pub counts: String,
    /// The engine, and what is special about this use of it.
    pub method: String,
    /// What it cost.
    pub cost: Cost,
    /// The seed, where chance played a part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What else a reader must know, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was found. Verbs that stream (list, classify) leave it empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solutions: Vec<Solution>,
    /// The puzzle, for `generate`: a board with clues. The solution is its only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<Place>,
    /// Further numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// What the terms are.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sequence: String,
    /// The terms of a sequence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Term>,
    /// A graph, for `export`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Graph>,
    /// What lets another program check the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
}

impl Answer {
    /// An answer with a value and nothing else yet. Its time and memory are those
    /// of the run so far.
    pub fn new(question: &Question, value: Value, counts: &str, method: &str, run: &Run) -> Self {
        Answer {
            pessoi: env!("CARGO_PKG_VERSION").to_owned(),
            question: question.clone(),
            value,
            counts: counts.to_owned(),
            method: method.to_owned(),
            cost: Cost {
                seconds: run.elapsed().as_secs_f64(),
                peak_bytes: run.peak_bytes(),
                ..Cost::default()
            },
            seed: None,
            notes: Vec::new(),
            solutions: Vec::new(),
            puzzle: None,
            tables: Vec::new(),
            sequence: String::new(),
            terms: Vec::new(),
            graph: None,
            certificate: None,
        }
    }
}

impl Answer {
    /// Adds what a reader of probes must know: seed, cost, and how far to trust them.
    #[must_use]
    pub(crate) fn with_probes(mut self, found: &Estimate, run: &Run) -> Self {
        self.seed = Some(run.budget().seed);
        self.cost.nodes = Some(run.progress().handled);
        if let Some(stop) = &found.stopped {
            self.notes.push(format!("Fewer samples were drawn than asked for: {stop}."));
        }
        if found.effective < TRUSTED_SAMPLES && !found.is_zero() {
            self.notes.push(
                "Few samples carry the sum (see the effective sample size), so the interval may \
                 be too narrow: draw more with --samples."
                    .into(),
            );
        }
        self
    }
}

/// Fewer equal samples than this make no trustworthy interval.
const TRUSTED_SAMPLES: f64 = 50.0;

/// What would be done for a question, told before it is begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// What would be asked.
    pub question: Question,
    /// The engine that would be used.
    pub method: String,
    /// Why this one.
    pub why: String,
    /// Nodes of the search tree, as far as can be predicted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<f64>,
    /// Borders in the largest layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_borders: Option<f64>,
    /// Bytes of tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<f64>,
    /// Seconds on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How the predictions were made, and what could not be predicted.
    pub notes: Vec<String>,
}

impl Plan {
    /// A plan without predictions.
    pub fn new(question: &Question, method: &str, why: &str) -> Self {
        Plan {
            question: question.clone(),
            method: method.to_owned(),
            why: why.to_owned(),
            nodes: None,
            peak_borders: None,
            bytes: None,
            seconds: None,
            notes: Vec::new(),
        }
    }
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
        assert!(serde_json::from_str::<Value>(r#"{"standing":"exact","number":"1e5"}"#).is_err());
    }

    #[test]
    fn a_stopped_count_of_nothing_says_nothing() {
        assert!(matches!(Value::stopped(0u32, &Stop::Cancelled), Value::GaveUp { .. }));
        assert!(Value::stopped(5u32, &Stop::Cancelled).is_cut_short());
        assert!(!Value::AtLeast { number: 1u32.into(), why: None }.is_cut_short());
    }
}
