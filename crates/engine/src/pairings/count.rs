//! The exact number of tours.
//!
//! The first pass keeps numbers of ways modulo 2^64, and beside them, for each group of borders, a
//! bound of their sum: what the groups before it add up to. What is joined at the end is
//! bounded by the products of these sums. If that is below 2^64, the number is what it is.
//!
//! If it is not, joining the halves once more in floats says how large the number is: adding and
//! multiplying numbers that are not negative errs by one part in 2^53 an operation, and there are
//! fewer than 2^40. If that does not suffice either, further passes are made modulo primes of 61
//! bits. Their product must exceed the bound, and the number that they give must be the one of the
//! first pass modulo 2^64.
//!
//! Where edges count as negative numbers ([`kept`](super::kept)), the sum may be negative: bounds are
//! those of what numbers are without their signs, and what is known must exceed twice the bound.

use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

use super::halves::Tours;
use super::layer::Look;
use super::matching::Tables;
use super::passes::Counter;
use super::ring::Words;
use crate::number::{Modulus, combine, primes};
use crate::records::Unusable;
use crate::run::{Run, Stop};
use crate::search::Part;

/// How many tours there are, and how they were counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The exact number, undirected.
    pub total: BigUint,
    /// Its residues modulo the primes of further passes; none if one pass was enough.
    pub residues: Vec<(u64, u64)>,
    /// Borders after each step of the first pass, over all slices: of the first half, then of the
    /// second.
    pub layers: Vec<u64>,
    /// Passes over all steps.
    pub passes: u32,
    /// How many slices were dealt out to the parts; 1 if there is but one part.
    pub dealt: u64,
}

impl Counted {
    /// The most borders in one layer.
    pub fn peak(&self) -> u64 {
        self.layers.iter().copied().max().unwrap_or(1)
    }

    /// Borders in all layers and passes.
    pub fn handled(&self) -> u64 {
        self.layers.iter().sum::<u64>() * u64::from(self.passes)
    }
}

/// Why there is no count.
#[derive(Clone, Debug, PartialEq)]
pub enum CountError {
    /// A limit was hit.
    Stop(Stop),
    /// The number may have some 1000 binary digits, more than the bound can follow.
    TooLarge,
    /// The passes contradict each other: the machine or the program erred.
    Off,
    /// What the run's store holds cannot be gone on with; the sentence goes on after "the
    /// checkpoint".
    Checkpoint(Unusable),
}

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountError::Stop(stop) => stop.fmt(f),
            CountError::TooLarge => {
                write!(f, "the count may have about 1000 binary digits or more")
            }
            CountError::Off => write!(f, "two passes of a count contradict each other"),
            CountError::Checkpoint(why) => write!(f, "the checkpoint {why}"),
        }
    }
}

impl std::error::Error for CountError {}

impl From<Stop> for CountError {
    fn from(stop: Stop) -> Self {
        CountError::Stop(stop)
    }
}

/// Counts tours.
pub fn count(tours: &Tours, run: &Run) -> Result<Counted, CountError> {
    count_part(tours, Part::WHOLE, run)
}

/// Counts the tours of one part: those of some slices. What is read before slices can be told
/// apart, every part reads.
pub fn count_part(tours: &Tours, part: Part, run: &Run) -> Result<Counted, CountError> {
    count_by(tours, part, Ways::default(), run)
}

/// What tests may have otherwise.
#[derive(Clone, Copy)]
pub(super) struct Ways {
    pub(super) look: Look,
    /// A layer that is a larger share of the memory is cut where it can be: how many times as
    /// large it may still become, with the layer before it.
    pub(super) growth: u64,
}

impl Default for Ways {
    fn default() -> Self {
        Ways { look: Look::WhereItPays, growth: 24 }
    }
}

/// Counts tours, in one of the ways of [`Ways`].
pub(super) fn count_by(
    tours: &Tours,
    part: Part,
    ways: Ways,
    run: &Run,
) -> Result<Counted, CountError> {
    let Sum { total, residues, layers, passes, dealt } = sum_by(tours, part, ways, run)?;
    let total = total.try_into().map_err(|_| CountError::Off)?;
    Ok(Counted { total, residues, layers, passes, dealt })
}

/// As [`Counted`], where edges that count as negative numbers may make the sum negative.
pub(super) struct Sum {
    pub(super) total: BigInt,
    pub(super) residues: Vec<(u64, u64)>,
    pub(super) layers: Vec<u64>,
    pub(super) passes: u32,
    pub(super) dealt: u64,
}

/// Adds up what tours count.
pub(super) fn sum_by(tours: &Tours, part: Part, ways: Ways, run: &Run) -> Result<Sum, CountError> {
    if tours.has_dead_end() {
        let (total, residues) = (BigInt::ZERO, Vec::new());
        return Ok(Sum { total, residues, layers: Vec::new(), passes: 1, dealt: 1 });
    }
    let is_signed = tours.is_signed();
    let tables = Tables::new(run);
    let counter = Counter::new(tours, part, ways, &tables, run);
    let (mut state, resumed) = counter.begun()?;
    while !state.is_complete(is_signed) {
        // The first pass is modulo 2^64, those after it modulo primes.
        let modulus = state.modulus();
        match modulus {
            None => counter.pass(&mut state, Words)?,
            Some(modulus) => counter.pass(&mut state, modulus)?,
        }
        state.residues.push((modulus.map_or(0, Modulus::prime), state.total));
        if state.residues.len() == 1 {
            if state.bound >= MOST {
                return Err(CountError::TooLarge);
            }
            state.first_bound = state.bound;
        }
        (state.total, state.bound) = (0, 0.0);
        if !state.is_complete(is_signed) {
            state.jobs = vec![counter.first_job()?];
        }
    }
    let passes = state.residues.len() as u32;
    // What was saved may be at fault.
    let off = if resumed { CountError::Checkpoint(Unusable::Damaged) } else { CountError::Off };
    let Some(total) = put_together(&state.residues, is_signed) else { return Err(off) };
    counter.save_all(&state, 0, &[]);
    let residues = state.residues.split_off(1);
    let (layers, dealt) = (state.layers, state.dealt);
    Ok(Sum { total, residues, layers, passes, dealt })
}

/// The sum that enough passes have found, the first of them modulo 2^64 and the others modulo
/// primes; `None` if they contradict each other.
pub(super) fn put_together(passes: &[(u64, u64)], is_signed: bool) -> Option<BigInt> {
    let ((_, first), residues) = passes.split_first()?;
    let of_primes: Vec<(Modulus, u64)> = primes().zip(residues.iter().map(|(_, r)| *r)).collect();
    let word: BigInt = BigInt::from(1) << 64;
    let (residue, modulus) = if of_primes.is_empty() {
        (BigInt::from(*first), word.clone())
    } else {
        let primes = of_primes.iter().map(|(modulus, _)| BigInt::from(modulus.prime()));
        (combine(&of_primes).into(), primes.product())
    };
    let is_negative = is_signed && &residue * 2 > modulus;
    let total = if is_negative { residue - modulus } else { residue };
    (total.mod_floor(&word) == BigInt::from(*first)).then_some(total)
}

/// Whether so many passes are enough for a sum with this bound, which may be negative or not.
pub(super) fn is_enough(passes: usize, bound: f64, is_signed: bool) -> bool {
    // Every prime is above 2^60.
    let known = 60.0 * (passes as f64 - 1.0);
    let range = if is_signed { 2.0 * bound } else { bound };
    passes > 0 && (range < WORD || known > range.log2() + 1.0)
}

/// 2^64, less what floats may err by.
pub(super) const WORD: f64 = 1.844e19;
/// What is larger cannot be followed by floats.
pub(super) const MOST: f64 = 1e300;
