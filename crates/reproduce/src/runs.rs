//! Stored runs: what was computed before, by whom and when.
//!
//! A report says *agrees* only of what was computed. What a budget leaves out may have been
//! computed in an earlier run; that run is then named, with its date, the version of Pessoi
//! and the time that it took. `papers/runs.jsonl` has those that are built into the program: a
//! line of JSON for each question, so that a new run changes the lines of its questions only.
//!
//! A run is of a question as it is typed. What each value takes from the answer is stored as
//! text, under a key that says which part it is ([`key`]); if the data asks for another part
//! or another question, nothing is stored for it. The date comes from the door, never from a
//! clock here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::paper::{Take, Value};
use pessoi::answer::Used;
use pessoi::{Error, Result};

/// The runs that are built into the program.
const BUILT_IN: &str = include_str!("../papers/runs.jsonl");

/// Where and when something was computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Occasion {
    /// The day, as year-month-day.
    pub date: String,
    /// The version of Pessoi.
    pub pessoi: String,
    /// Seconds.
    pub seconds: f64,
}

/// A question that was answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ran {
    /// The question, as it is typed.
    pub ask: String,
    /// When, and how long it took.
    pub run: Occasion,
    /// By which engine.
    pub method: Used,
    /// Whether the game's checker, which shares no code with the engines, accepted the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub checked: bool,
    /// What values took from the answer.
    pub taken: BTreeMap<String, String>,
}

/// Runs, by their questions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs(BTreeMap<String, Ran>);

impl Runs {
    /// Those that are built into the program.
    pub fn built_in() -> Result<Runs> {
        Runs::parse(BUILT_IN)
    }

    /// Reads a file of runs.
    pub fn parse(text: &str) -> Result<Runs> {
        let mut runs = Runs::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let ran: Ran = serde_json::from_str(line).map_err(|error| {
                Error::input(format!("Line {number} is no stored run of a question: {error}."))
            })?;
            runs.0.insert(ran.ask.clone(), ran);
        }
        Ok(runs)
    }

    /// The file.
    pub fn write(&self) -> Result<String> {
        let mut text = String::new();
        for ran in self.0.values() {
            text +=
                &serde_json::to_string(ran).map_err(|error| Error::internal(error.to_string()))?;
            text.push('\n');
        }
        Ok(text)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Ran> {
        self.0.values()
    }

    /// The run of a question.
    pub fn of(&self, ask: &str) -> Option<&Ran> {
        self.0.get(ask)
    }

    /// Adds newer runs. What values took from an older run of the same question by the same
    /// version stays, where the newer one has nothing.
    pub fn add(&mut self, newer: Runs) {
        for (ask, mut ran) in newer.0 {
            if let Some(old) = self.0.remove(&ask)
                && old.run.pessoi == ran.run.pessoi
            {
                for (key, text) in old.taken {
                    ran.taken.entry(key).or_insert(text);
                }
            }
            self.0.insert(ask, ran);
        }
    }

    /// Notes what a value took from an answer.
    pub(super) fn note(&mut self, new: &Ran) {
        let ran = self.0.entry(new.ask.clone()).or_insert_with(|| new.clone());
        ran.taken.extend(new.taken.clone());
    }
}

/// Which part of an answer a value takes, as text.
pub(super) fn key(value: &Value) -> String {
    if let Some(path) = &value.path {
        return format!("path {path}");
    }
    if value.timing {
        return "seconds".into();
    }
    match &value.take {
        Take::Value => "value".into(),
        Take::Digits => "digits".into(),
        Take::Solutions => "solutions".into(),
        Take::Order => "order".into(),
        Take::Growth => "growth".into(),
        Take::Fact(id) => format!("fact {id}"),
        Take::Cell { table, row, column } => {
            let column = column.as_ref().map(|column| format!(" {column}"));
            format!("cell {table} {row}{}", column.unwrap_or_default())
        }
        Take::Term(n) => format!("term {n}"),
        Take::Factor(k) => format!("factor {k}"),
    }
}
