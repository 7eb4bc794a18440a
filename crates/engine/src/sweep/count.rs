//! The exact number of complete ways.
//!
//! Numbers of ways are kept modulo several 61-bit primes at once, so a border
//! costs the same few words however large its number. Beside the residues runs the
//! number itself as a float. Adding non-negative floats errs by at most one part in
//! 2^53 an addition, so after fewer than 2^52 additions twice the float is a
//! proven upper bound of the true total. That bound says how many primes are
//! needed; if the first pass had too few, a second one brings the rest. One prime
//! more than needed is always there and must agree with the others, and the total
//! must agree with the float.
//!
//! A **part** `i/m` of a count is that of the ways through some of the borders of one layer:
//! the first that has enough of them. These are dealt out by a hash of the border, which is
//! the same on every machine, so the parts are disjoint and together everything. What the
//! layers before cost, every part pays. And a border of a later layer that ways of several
//! parts lead to is read by each of them: since merging is what makes a sweep fast, its parts
//! save little. Ten parts of the closed knight's tours of 5×10 read 5.9 times as many borders
//! as the whole, and the largest layer of each is three quarters of the whole's.

use std::fmt;
use std::hash::{Hash, Hasher};

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::Sweep;
use super::layer::Layer;
use crate::number::{Modulus, RemainderError, exact, primes};
use crate::run::{Run, Stop};
use crate::search::Part;

/// What was counted, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The exact number.
    pub total: BigUint,
    /// Its residues, those of the spare prime included: (prime, residue).
    pub residues: Vec<(u64, u64)>,
    /// Borders after each site.
    pub layers: Vec<u64>,
    /// Passes over all sites.
    pub passes: u32,
    /// How many borders were dealt out to the parts; 1 if there is but one part.
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
pub enum SweepError {
    /// A limit was hit.
    Stop(Stop),
    /// The number has over 1000 binary digits, more than the bound can follow.
    TooLarge,
    /// The residues contradict each other: the machine or the program erred.
    Disagree(RemainderError),
    /// The residues and the float contradict each other.
    Off {
        /// What the residues say.
        total: BigUint,
        /// What the float says.
        about: f64,
    },
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SweepError::Stop(stop) => stop.fmt(f),
            SweepError::TooLarge => write!(f, "the count has more than 1000 binary digits"),
            SweepError::Disagree(error) => error.fmt(f),
            SweepError::Off { total, about } => {
                write!(f, "the residues give {total} but the floating-point count is {about:e}")
            }
        }
    }
}

impl std::error::Error for SweepError {}

impl From<Stop> for SweepError {
    fn from(stop: Stop) -> Self {
        SweepError::Stop(stop)
    }
}

/// Counts the complete ways of a sweep.
pub fn count<S: Sweep>(sweep: &S, run: &Run) -> Result<Counted, SweepError> {
    count_part(sweep, Part::WHOLE, run)
}

/// Counts the complete ways of one part of a sweep.
pub fn count_part<S: Sweep>(sweep: &S, part: Part, run: &Run) -> Result<Counted, SweepError> {
    let mut supply = primes();
    let mut residues = Vec::new();
    let mut passes = 0;
    // Two primes are enough for totals below 2^60, which most are.
    let mut wanted = 2;
    loop {
        let moduli: Vec<Modulus> = supply.by_ref().take(wanted).collect();
        let pass = match moduli.len() {
            1 | 2 => pass::<S, 2>(sweep, part, &moduli, run)?,
            3 | 4 => pass::<S, 4>(sweep, part, &moduli, run)?,
            _ => pass::<S, 8>(sweep, part, &moduli, run)?,
        };
        passes += 1;
        residues.extend(moduli.iter().copied().zip(pass.residues));
        let below = bound(pass.about).ok_or(SweepError::TooLarge)?;
        // Every prime here is above 2^60.
        let needed = (below.bits() as usize).div_ceil(60) + 1;
        if residues.len() < needed {
            wanted = (needed - residues.len()).min(8);
            continue;
        }
        let total = exact(&residues, &below).map_err(SweepError::Disagree)?;
        let seen = total.to_f64().unwrap_or(f64::INFINITY);
        if (seen - pass.about).abs() > 1e-6 * pass.about {
            return Err(SweepError::Off { total, about: pass.about });
        }
        let residues = residues.iter().map(|(m, r)| (m.prime(), *r)).collect();
        return Ok(Counted { total, residues, layers: pass.layers, passes, dealt: pass.dealt });
    }
}

/// A power of two above twice the float; `None` near the end of the floats.
fn bound(about: f64) -> Option<BigUint> {
    if about > 1e300 {
        return None;
    }
    let exponent = if about >= 1.0 { about.log2() as u64 + 3 } else { 2 };
    Some(BigUint::from(1u32) << exponent)
}

/// A number of ways: residues, and about how large.
#[derive(Clone, Copy)]
struct Ways<const K: usize> {
    residues: [u64; K],
    about: f64,
}

impl<const K: usize> Ways<K> {
    #[inline]
    fn add(&mut self, more: Ways<K>, lanes: &[Modulus; K]) {
        for ((sum, more), modulus) in self.residues.iter_mut().zip(more.residues).zip(lanes) {
            *sum = modulus.add(*sum, more);
        }
        self.about += more.about;
    }
}

struct Pass {
    residues: Vec<u64>,
    about: f64,
    layers: Vec<u64>,
    dealt: u64,
}

/// Borders for each part in the layer that is dealt out.
const BORDERS_A_PART: u64 = 16;

fn pass<S: Sweep, const K: usize>(
    sweep: &S,
    part: Part,
    moduli: &[Modulus],
    run: &Run,
) -> Result<Pass, SweepError> {
    let mut reading = Reading::<S, K>::new(sweep, moduli, run)?;
    let mut layers = Vec::new();
    let mut dealt = u64::from(part.is_whole());
    run.uneven_stage(format!("sweeping {} sites", sweep.sites()), sweep.sites() as u64);
    let wanted = part.of().saturating_mul(BORDERS_A_PART);
    while reading.site < sweep.sites() {
        if dealt == 0 && reading.borders() >= wanted {
            dealt = reading.borders();
            reading.layer.retain(|border| part.contains(lot(border)));
        }
        reading = reading.next(run)?;
        layers.push(reading.borders());
        run.step(1);
    }
    if dealt == 0 {
        // No layer was wide enough: what is complete is dealt out.
        dealt = reading.borders();
        reading.layer.retain(|border| part.contains(lot(border)));
    }
    let total = reading.total();
    let residues = total.residues[..moduli.len()].to_vec();
    Ok(Pass { residues, about: total.about, layers, dealt })
}

/// The number by which a border is dealt out.
fn lot<B: Hash>(border: &B) -> u64 {
    let mut lot = Lot(0);
    border.hash(&mut lot);
    lot.finish()
}

/// A hash that is the same in every run and build.
struct Lot(u64);

impl Hasher for Lot {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    /// The end of the mixer of `SplitMix64` (Steele, Lea and Flood).
    fn finish(&self) -> u64 {
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// A pass over the sites that has come to some site.
pub(super) struct Reading<'s, S: Sweep, const K: usize> {
    sweep: &'s S,
    lanes: [Modulus; K],
    /// The site that is read next.
    pub(super) site: usize,
    layer: Layer<S::Border, Ways<K>>,
}

impl<'s, S: Sweep, const K: usize> Reading<'s, S, K> {
    /// Before the first site. A pass with fewer primes than lanes repeats the last one in the
    /// spare lanes.
    pub(super) fn new(sweep: &'s S, moduli: &[Modulus], run: &Run) -> Result<Self, Stop> {
        let lanes = std::array::from_fn(|k| moduli[k.min(moduli.len() - 1)]);
        let one = Ways { residues: [1; K], about: 1.0 };
        Ok(Reading { sweep, lanes, site: 0, layer: Layer::of(sweep.start(), one, run)? })
    }

    /// After one more site.
    pub(super) fn next(self, run: &Run) -> Result<Self, Stop> {
        let Reading { sweep, lanes, site, layer } = self;
        let add = |sum: &mut Ways<K>, more: Ways<K>| sum.add(more, &lanes);
        let spread = layer.spread(sweep, site, add, run)?;
        drop(layer);
        Ok(Reading { sweep, lanes, site: site + 1, layer: spread.gather(add, run)? })
    }

    /// Borders of the layer it has come to.
    pub(super) fn borders(&self) -> u64 {
        self.layer.len() as u64
    }

    fn total(&self) -> Ways<K> {
        let mut total = Ways { residues: [0; K], about: 0.0 };
        for (last, &ways) in self.layer.iter() {
            if self.sweep.accepts(last) {
                total.add(ways, &self.lanes);
            }
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Bits;
    use super::*;
    use crate::run::Budget;
    use proptest::prelude::*;

    #[test]
    fn words_without_two_ones_in_a_row_are_fibonacci_numbers() {
        for (sites, expected) in [(0, 1u32), (1, 2), (2, 3), (10, 144), (40, 267_914_296)] {
            let counted = count(&Bits::free(sites), &Run::default()).unwrap();
            assert_eq!(counted.total, BigUint::from(expected));
        }
    }

    #[test]
    fn large_counts_take_more_primes_and_are_exact() {
        for threads in [1, 2] {
            let run = Run::new(Budget { threads, ..Budget::default() });
            let counted = count(&Bits::free(1000), &run).unwrap();
            let (mut a, mut b) = (BigUint::from(1u32), BigUint::from(1u32));
            for _ in 0..1000 {
                (a, b) = (b.clone(), a + b);
            }
            assert_eq!(counted.total, b);
            assert_eq!(counted.passes, 3);
            // 697 binary digits: 12 primes of 60 bits, and one to spare.
            assert_eq!(counted.residues.len(), 13);
            assert_eq!(counted.peak(), 2);
        }
    }

    #[test]
    fn a_count_past_the_bound_is_refused() {
        assert_eq!(count(&Bits::free(2000), &Run::default()), Err(SweepError::TooLarge));
    }

    #[test]
    fn limits_stop_the_sweep() {
        let run = Run::new(Budget { memory: Some(100), ..Budget::default() });
        let stopped = count(&Bits::free(20), &run).unwrap_err();
        assert!(matches!(stopped, SweepError::Stop(Stop::Memory { .. })), "{stopped}");
        assert_eq!(run.progress().bytes, 0, "all claims are given back");
        let run = Run::default();
        run.cancel();
        assert_eq!(count(&Bits::free(20), &run), Err(SweepError::Stop(Stop::Cancelled)));
    }

    proptest! {
        #[test]
        fn sweeps_agree_with_listing_all_words(bans in prop::collection::vec(0u8..4, 0..12)) {
            let sweep = Bits { bans };
            for threads in [1, 2] {
                let run = Run::new(Budget { threads, ..Budget::default() });
                let counted = count(&sweep, &run).unwrap();
                let all = BigUint::from(sweep.words().len());
                prop_assert_eq!(&counted.total, &all);
                for of in [2, 3, 40] {
                    let parts: Vec<_> = (1..=of)
                        .map(|index| Part::new(index, of).unwrap())
                        .map(|part| count_part(&sweep, part, &run).unwrap())
                        .collect();
                    let sum: BigUint = parts.iter().map(|part| &part.total).sum();
                    prop_assert_eq!(&sum, &all);
                    prop_assert!(parts.iter().all(|part| part.dealt == parts[0].dealt));
                }
            }
        }
    }
}
