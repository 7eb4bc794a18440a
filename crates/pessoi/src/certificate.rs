//! Certificates, and checking them.
//!
//! A certificate is what lets an answer be checked without trusting the code that found it.
//! It has a *kind* and what belongs to it. The kinds `solutions` and `residues` are known
//! here; others belong to a game, which defines, writes and checks them in its own folder.
//!
//! They are checked by [`crate::check`]: what does not depend on the game there, the rest by
//! the game's checker, which shares no code with its solvers.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::decimal;
use crate::error::{Error, Result};

/// What lets an answer be checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// What kind it is.
    pub kind: String,
    /// What belongs to it.
    #[serde(flatten)]
    pub data: serde_json::Map<String, serde_json::Value>,
}

/// The kind of certificate that says: the solutions themselves.
pub const SOLUTIONS: &str = "solutions";
/// The kind of certificate that gives the number modulo several primes.
pub const RESIDUES: &str = "residues";

/// The number modulo several primes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Residues {
    /// The primes and the remainders.
    pub residues: Vec<Residue>,
}

/// The number modulo one prime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Residue {
    /// The prime.
    #[serde(with = "decimal")]
    pub prime: u64,
    /// The remainder.
    #[serde(with = "decimal")]
    pub residue: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

impl Certificate {
    /// The solutions are the certificate.
    pub fn solutions() -> Self {
        Certificate { kind: SOLUTIONS.to_owned(), data: serde_json::Map::new() }
    }

    /// The number modulo several primes, as (prime, remainder).
    pub fn residues(pairs: &[(u64, u64)]) -> Self {
        let residues = pairs.iter().map(|&(prime, residue)| Residue { prime, residue }).collect();
        Certificate::own(RESIDUES, &Residues { residues })
    }

    /// A certificate of a game's own kind.
    ///
    /// # Panics
    ///
    /// If `data` is not a struct with named fields: an error of the program.
    pub fn own(kind: &str, data: &impl Serialize) -> Self {
        match serde_json::to_value(data) {
            Ok(serde_json::Value::Object(data)) => Certificate { kind: kind.to_owned(), data },
            other => panic!("a certificate of kind {kind} is no object: {other:?}"),
        }
    }

    /// What belongs to a certificate of this kind.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        let data = serde_json::Value::Object(self.data.clone());
        serde_json::from_value(data).map_err(|error| {
            Error::forged(
                "certificate",
                format!("The certificate of kind {:?} cannot be read: {error}.", self.kind),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_are_decimal_strings_and_nothing_else_is_read() {
        let certificate = Certificate::residues(&[(2_305_843_009_213_693_951, 36)]);
        let json = serde_json::to_string(&certificate).unwrap();
        assert_eq!(
            json,
            r#"{"kind":"residues","residues":[{"prime":"2305843009213693951","residue":"36"}]}"#
        );
        let more = json.replace("\"kind\"", "\"x\":1,\"kind\"");
        let read: Certificate = serde_json::from_str(&more).unwrap();
        assert!(read.read::<Residues>().is_err());
    }
}
