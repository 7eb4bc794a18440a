//! Certificates, and checking them.
//!
//! A certificate is what lets an answer be checked without trusting the code that
//! found it. [`verify`] reads a saved answer and checks what does not depend on the
//! game (residues against the number they stand for); the rest is done by the
//! game's checker, which shares no code with its solvers.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Solution, Value};
use crate::board::Cell;
use crate::error::{Error, Result};
use crate::games::{self, Sink};
use pessoi_engine::number::is_prime;
use pessoi_engine::run::Run;

/// What lets an answer be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Certificate {
    /// The solutions themselves.
    Solutions,
    /// The number modulo several primes: (prime, residue).
    Residues {
        /// The pairs.
        residues: Vec<(u64, u64)>,
    },
    /// Cells that have too few neighbours for any solution.
    TooFewNeighbours {
        /// The cells.
        cells: Vec<Cell>,
    },
    /// Cells that no path can leave: a part of the board that stands alone.
    Separate {
        /// One such part.
        cells: Vec<Cell>,
    },
    /// A cell without which the board falls into more parts than a path can join.
    CutCell {
        /// The cell.
        cell: Cell,
    },
    /// Two cells that are as far apart as any.
    Antipodes {
        /// One.
        from: Cell,
        /// The other.
        to: Cell,
    },
    /// Two positions that are as far apart as any.
    FarthestPositions {
        /// One, as the game writes it in one line.
        from: String,
        /// The other.
        to: String,
    },
    /// Whatever the pieces do, the holes cannot get where they are wanted.
    HolesApart,
    /// Only even permutations of the pieces can be reached, and an odd one is wanted.
    OddPermutation,
    /// Pieces that cannot get to their places, all at once.
    StuckPieces {
        /// Their numbers.
        pieces: Vec<u32>,
    },
    /// The cells fall into two colours that alternate, in unfit numbers.
    Colours {
        /// The cells of one colour.
        cells: Vec<Cell>,
    },
}

/// What checking came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All of it holds; each sentence says what was checked.
    Holds(Vec<String>),
    /// It could not be checked, for this reason.
    Unchecked(String),
}

/// How a packed file begins; the game's name and a line end follow.
pub(crate) const PACKED: &str = "pessoi-packed ";

/// Reads a saved answer: the JSON of one answer, or lines of JSON that are solutions and,
/// last, their answer, or a packed list. A packed list's solutions are given to the sink as
/// they are read; those of the others are in the answer.
pub fn read(bytes: &[u8], sink: Sink) -> Result<Answer> {
    if let Some(rest) = bytes.strip_prefix(PACKED.as_bytes()) {
        let name = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let game = games::open(&String::from_utf8_lossy(name))?;
        return game.read(bytes, sink);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| {
        Error::input("This is neither an answer in JSON (it is not text) nor a packed list.")
    })?;
    read_text(text)
}

/// Checks a saved answer in JSON. A certificate that does not hold is an error.
pub fn verify(text: &str, run: &Run) -> Result<Verdict> {
    verify_bytes(text.as_bytes(), run)
}

/// Checks a saved answer, as [`read`] reads it. A certificate that does not hold is an error.
pub fn verify_bytes(saved: &[u8], run: &Run) -> Result<Verdict> {
    let mut solutions = Vec::new();
    let mut answer = read(saved, &mut |solution| {
        solutions.push(solution);
        true
    })?;
    answer.solutions.append(&mut solutions);
    let mut checked = Vec::new();
    if let (Some(Certificate::Residues { residues }), Value::Exact { number }) =
        (&answer.certificate, &answer.value)
    {
        check_residues(number, residues)?;
        checked.push(format!("{number} has the stated residues modulo {} primes", residues.len()));
    }
    let game = games::open(&answer.question.game)?;
    answer.question.check(game.card())?;
    match game.check(&answer, run)? {
        Verdict::Holds(more) => checked.extend(more),
        Verdict::Unchecked(why) if checked.is_empty() => return Ok(Verdict::Unchecked(why)),
        Verdict::Unchecked(why) => {
            return Ok(Verdict::Unchecked(format!("{}; but {why}", checked.join("; "))));
        }
    }
    Ok(Verdict::Holds(checked))
}

fn read_text(text: &str) -> Result<Answer> {
    if text.trim().is_empty() {
        return Err(Error::input("The file is empty: an answer in JSON was expected."));
    }
    let wrong = |line: usize, error: &serde_json::Error| {
        // The reader knows only the line that it was given.
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        Error::input(format!(
            "This is not an answer in JSON, as written by --format json: line {line}: {what}."
        ))
    };
    // One answer, perhaps over several lines …
    let error = match serde_json::from_str::<Answer>(text) {
        Ok(answer) => return Ok(answer),
        Err(error) => error,
    };
    // … or solutions line by line, and their answer last.
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
    let Some(((last, answer), solutions)) = lines.split_last().filter(|(_, rest)| !rest.is_empty())
    else {
        return Err(wrong(error.line().max(1), &error));
    };
    let mut found = Vec::new();
    for (number, line) in solutions {
        match serde_json::from_str::<Solution>(line) {
            Ok(solution) => found.push(solution),
            // It never was a list of solutions: the first message is the right one.
            Err(_) if found.is_empty() => return Err(wrong(error.line().max(1), &error)),
            Err(error) => return Err(wrong(*number, &error)),
        }
    }
    let mut answer: Answer = serde_json::from_str(answer).map_err(|e| wrong(*last, &e))?;
    answer.solutions.extend(found);
    Ok(answer)
}

fn check_residues(number: &BigUint, residues: &[(u64, u64)]) -> Result<()> {
    let mut product = BigUint::from(1u32);
    for &(prime, residue) in residues {
        if !is_prime(prime) {
            return Err(Error::input(format!("The certificate names {prime} as a prime.")));
        }
        if (number % prime).to_u64() != Some(residue) {
            return Err(Error::input(format!(
                "The certificate does not hold: {number} is not {residue} modulo {prime}."
            )));
        }
        product *= prime;
    }
    if *number >= product {
        return Err(Error::input(format!(
            "The certificate does not hold: its moduli are too few for {number}."
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_are_checked() {
        let number = BigUint::from(1_000_000u32);
        check_residues(&number, &[(1009, 81), (1013, 169)]).unwrap();
        let flipped = check_residues(&number, &[(1009, 80), (1013, 169)]).unwrap_err();
        assert!(flipped.to_string().contains("not 80 modulo 1009"), "{flipped}");
        assert!(check_residues(&number, &[(1009, 81)]).is_err(), "too few");
        assert!(check_residues(&number, &[(0, 0)]).is_err());
    }

    #[test]
    fn what_is_not_an_answer_is_said_so() {
        for bad in ["", "  \n", "{}", "hello", "{\"verb\":1}\n{}\n", "[1,2]\n[3]"] {
            let error = verify(bad, &Run::default()).unwrap_err().to_string();
            assert!(error.contains("JSON") && error.ends_with('.'), "{error}");
        }
    }
}
