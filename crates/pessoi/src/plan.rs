//! Plans: which engine would answer a question, and at what cost.
//!
//! Costs are predicted, not promised. The size of a search tree comes from Knuth's random
//! probes, its time from walking a little of it; the size of a sweep from its first layers.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{FORMAT, Used};
use crate::question::Question;
use pessoi_engine::ledger::Chapter;
use pessoi_engine::run::Run;
use pessoi_engine::search::{Advance, Estimate, Probing, Search, Walk, estimate};

/// What would be done for a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of this shape: 2.
    pub format: u32,
    /// What would be asked.
    #[schemars(with = "crate::schema::AnyQuestion")]
    pub question: Question,
    /// The engine that would be used: the same id as in the answer.
    pub method: Used,
    /// Why this one.
    pub why: String,
    /// Nodes of the search tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<f64>,
    /// Borders of the sweep, over all layers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub borders: Option<f64>,
    /// Borders in the largest layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_borders: Option<f64>,
    /// States of a state space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<f64>,
    /// Bytes of tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<f64>,
    /// Seconds on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How the predictions were made, and what could not be predicted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How long a plan looks at a search tree or a sweep.
pub(crate) const GLANCE: Duration = Duration::from_millis(if cfg!(test) { 5 } else { 300 });

impl Plan {
    /// A plan without predictions.
    pub fn new(question: &Question, method: impl Into<Used>, why: &str) -> Self {
        Plan {
            format: FORMAT,
            question: question.clone(),
            method: method.into(),
            why: why.to_owned(),
            nodes: None,
            borders: None,
            peak_borders: None,
            states: None,
            bytes: None,
            seconds: None,
            notes: Vec::new(),
        }
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Predicts the size of a search tree by `probes` of Knuth's probes, and the time by
    /// walking a little of it. A part of m takes an m-th.
    #[must_use]
    pub fn with_tree<S>(self, search: S, probes: u64, run: &Run) -> Self
    where
        S: Search + Clone + Send + Sync,
    {
        match estimate(&search, Probing::Knuth, probes, run, &Chapter::unkept()) {
            Ok(probed) => self.with_probed_tree(search, &probed, run),
            Err(_) => self.note("There was no time for a prediction."),
        }
    }

    /// As [`Plan::with_tree`], of a tree that was probed already.
    #[must_use]
    pub fn with_probed_tree<S>(mut self, search: S, probed: &Estimate, run: &Run) -> Self
    where
        S: Search + Clone + Send + Sync,
    {
        if !probed.tree().is_finite() {
            return self.note("The search tree is too large for a prediction.");
        }
        let began = Instant::now();
        let mut walk = Walk::new(search, run);
        while began.elapsed() < GLANCE
            && !matches!(walk.advance(1000), Ok(Advance::Exhausted) | Err(_))
        {}
        let rate = walk.nodes() as f64 / began.elapsed().as_secs_f64();
        let share = 1.0 / self.question.part().of() as f64;
        self.nodes = Some(probed.tree() * share);
        self.seconds = Some(probed.tree() * share / rate / run.budget().threads as f64);
        self.note(format!(
            "Nodes by {} of Knuth's probes; time from {:.1} million nodes a second and thread, \
             measured just now. Both may be far off on large boards.",
            probed.samples,
            rate / 1e6
        ))
    }
}
