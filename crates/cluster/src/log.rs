//! Logs: how far the places of a count have come.
//!
//! A place's **log** is written by its worker after every round and read by the next one. It grows
//! by a few numbers a round. The driver puts the logs of all places together: a [`Course`].

use pessoi::Question;
use pessoi::error::{Code, Error, Result, one_line};
use pessoi_engine::records::{Words, get, put};
use pessoi_engine::rounds::Ended;
use serde::{Deserialize, Serialize};

/// The version of the program, which all workers and the driver must have.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A pass that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pass {
    pub(crate) modulus: u64,
    pub(crate) told: Vec<Vec<u64>>,
    pub(crate) borders: Vec<u64>,
    /// Bytes that were sent.
    pub(crate) bytes: u64,
}

impl From<Pass> for Ended {
    fn from(Pass { modulus, told, borders, .. }: Pass) -> Self {
        Ended { modulus, told, borders }
    }
}

/// What a place did in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Done {
    /// Borders that it had.
    pub(crate) borders: u64,
    /// Parcels that it sent, and their bytes.
    pub(crate) parcels: u64,
    pub(crate) bytes: u64,
}

/// How far a place has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Log {
    pub(crate) pessoi: String,
    pub(crate) question: Question,
    pub(crate) places: usize,
    pub(crate) place: usize,
    /// What the pass counts modulo; 0 is 2^64.
    pub(crate) modulus: u64,
    /// The rounds of the pass so far.
    pub(crate) rounds: Vec<Done>,
    /// After the last round, the place's share of the result.
    pub(crate) told: Vec<u64>,
    /// Passes that have ended. The first place has them; nobody else needs them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) ended: Vec<Pass>,
}

impl Log {
    /// Bytes with a checksum.
    pub(crate) fn seal(&self) -> Vec<u8> {
        // A struct of numbers and texts is always JSON, and memory can always be written to.
        let text = serde_json::to_string(self).unwrap_or_default();
        let mut bytes = Vec::new();
        let _ = put(&mut bytes, &text.to_words());
        bytes
    }

    pub(crate) fn unseal(mut bytes: &[u8]) -> Result<Self> {
        let text = get(&mut bytes).ok().filter(|_| bytes.is_empty());
        let text = text.and_then(|words| String::from_words(&words));
        let log = text.and_then(|text| serde_json::from_str(&text).ok());
        log.ok_or_else(|| refused("holds a log that is damaged or of another version"))
    }
}

/// In how many places the count is that a log belongs to.
pub fn places(log: &[u8]) -> Result<usize> {
    Log::unseal(log).map(|log| log.places)
}

/// The refusal of what was kept of a count.
pub(crate) fn refused(why: &str) -> Error {
    Error::new(Code::BadValue, "folder", format!("The folder {why}. It was left as it is."))
}

/// The refusal of what belongs to another question, which may be anything.
pub(crate) fn another(question: &Question) -> Error {
    let words = question.words();
    refused(&format!("belongs to another question ({})", one_line(&words)))
}

/// How far a count has come: what the logs of all places say together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    pub(crate) ended: Vec<Pass>,
    /// What the present pass counts modulo; 0 is 2^64.
    pub modulus: u64,
    /// Rounds of the present pass that are done.
    pub rounds: usize,
    /// Borders of all places in each of these rounds.
    pub borders: Vec<u64>,
    /// Parcels that were sent in the last of these rounds.
    pub parcels: u64,
    /// Bytes of the parcels of each of these rounds.
    pub bytes: Vec<u64>,
    /// What the places told.
    pub(crate) told: Vec<Vec<u64>>,
}

impl Course {
    /// Passes that have ended before the present one.
    pub fn passes(&self) -> usize {
        self.ended.len()
    }

    /// Bytes that were sent so far, in all passes.
    pub fn shuffled(&self) -> u64 {
        let before = self.ended.iter().map(|pass| pass.bytes);
        before.chain(self.bytes.iter().copied()).fold(0, u64::saturating_add)
    }

    /// Puts logs together, which must be those of all places of one count.
    pub(crate) fn of(mut logs: Vec<Log>, question: &Question, places: usize) -> Result<Self> {
        logs.sort_by_key(|log| log.place);
        let Some(first) = logs.first().cloned() else {
            return Err(refused("holds no log: it was not written to its end"));
        };
        if let Some(other) = logs.iter().find(|log| log.question != *question) {
            return Err(another(&other.question));
        }
        if first.pessoi != VERSION {
            let version = one_line(&first.pessoi);
            return Err(refused(&format!(
                "was written by version {version}, and this is {VERSION}"
            )));
        }
        if first.places != places {
            let there = first.places;
            return Err(refused(&format!("is of a count in {there} places, and not in {places}")));
        }
        let fits = |(place, log): (usize, &Log)| {
            log.place == place
                && (log.places, log.modulus) == (first.places, first.modulus)
                && log.pessoi == first.pessoi
                && log.rounds.len() == first.rounds.len()
        };
        if logs.len() != places || !logs.iter().enumerate().all(fits) {
            return Err(refused("does not hold the logs of all places of one round"));
        }
        let rounds = first.rounds.len();
        let sum = |of: fn(&Done) -> u64, round: usize| {
            let all = logs.iter().map(|log| of(&log.rounds[round]));
            all.fold(0, u64::saturating_add)
        };
        Ok(Course {
            modulus: first.modulus,
            rounds,
            borders: (0..rounds).map(|round| sum(|done| done.borders, round)).collect(),
            parcels: rounds.checked_sub(1).map_or(0, |last| sum(|done| done.parcels, last)),
            bytes: (0..rounds).map(|round| sum(|done| done.bytes, round)).collect(),
            told: logs.into_iter().map(|log| log.told).collect(),
            ended: first.ended,
        })
    }
}
