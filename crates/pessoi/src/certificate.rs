//! Certificates, and checking them.
//!
//! A certificate is what lets an answer be checked without trusting the code that found it.
//! It has a *kind* and what belongs to it. The kinds `solutions` and `residues` are known
//! here; others belong to a game, which defines, writes and checks them in its own folder.
//!
//! [`crate::Catalogue::verify`] checks what does not depend on the game (residues against the
//! number they stand for); the rest is done by the game's checker, which shares no code with
//! its solvers.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Value};
use crate::decimal;
use crate::error::{Error, Result};
use crate::job::Game;
use pessoi_engine::number::is_prime;
use pessoi_engine::run::Run;

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
struct Nothing {}

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

/// What checking found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All of it holds; each sentence says what was checked.
    Holds(Vec<String>),
    /// It could not be checked, for this reason.
    Unchecked(String),
}

/// Checks an answer by its certificate and by its game's checker. What does not hold is an
/// error.
pub(crate) fn check(answer: &Answer, game: &dyn Game, run: &Run) -> Result<Verdict> {
    let mut checked = Vec::new();
    if let (Some(certificate), Value::Exact { number }) = (&answer.certificate, &answer.value)
        && certificate.kind == RESIDUES
    {
        let Residues { residues } = certificate.read()?;
        check_residues(number, &residues)?;
        checked.push(format!("{number} has the stated residues modulo {} primes", residues.len()));
    }
    if let Some(certificate) = &answer.certificate
        && certificate.kind == SOLUTIONS
    {
        certificate.read::<Nothing>()?;
    }
    match game.check(answer, run)? {
        Verdict::Holds(more) => checked.extend(more),
        Verdict::Unchecked(why) if checked.is_empty() => return Ok(Verdict::Unchecked(why)),
        Verdict::Unchecked(why) => {
            return Ok(Verdict::Unchecked(format!("{}; but {why}", checked.join("; "))));
        }
    }
    Ok(Verdict::Holds(checked))
}

fn check_residues(number: &BigUint, residues: &[Residue]) -> Result<()> {
    let forged = |sentence: String| Err(Error::forged("certificate", sentence));
    let mut product = BigUint::from(1u32);
    for (k, &Residue { prime, residue }) in residues.iter().enumerate() {
        if !is_prime(prime) {
            return forged(format!("The certificate names {prime} as a prime."));
        }
        if residues[..k].iter().any(|other| other.prime == prime) {
            return forged(format!("The certificate names the prime {prime} twice."));
        }
        if (number % prime).to_u64() != Some(residue) {
            return forged(format!(
                "The certificate does not hold: {number} is not {residue} modulo {prime}."
            ));
        }
        product *= prime;
    }
    if *number >= product {
        return forged(format!(
            "The certificate does not hold: its primes are too few for {number}."
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_are_checked() {
        let number = BigUint::from(1_000_000u32);
        let check = |pairs: &[(u64, u64)]| {
            let certificate = Certificate::residues(pairs);
            check_residues(&number, &certificate.read::<Residues>().unwrap().residues)
        };
        check(&[(1009, 81), (1013, 169)]).unwrap();
        let flipped = check(&[(1009, 80), (1013, 169)]).unwrap_err();
        assert!(flipped.to_string().contains("not 80 modulo 1009"), "{flipped}");
        assert!(check(&[(1009, 81)]).is_err(), "too few");
        assert!(check(&[(0, 0)]).is_err());
        let twice = check(&[(1009, 81), (1009, 81)]).unwrap_err();
        assert!(twice.to_string().contains("twice"), "{twice}");
    }

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
