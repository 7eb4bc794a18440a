//! Chinese remainders.
//!
//! A number below the product of some primes is known by its residues. The
//! residues come from long computations, so [`exact`] trusts
//! nothing: the caller states a proven **bound**, and at least one modulus must
//! be **spare**, that is, more than the bound asks for. Since any `need` of the
//! moduli already tell two numbers under the bound apart, wrong residues are
//! always noticed as long as they are no more than the spare ones.
//!
//! Garner's method (H. Garner, "The residue number system", 1959): the number
//! is written as d0 + d1 p0 + d2 p0 p1 + ..., one digit a modulus.

use super::modular::Modulus;
#[cfg(test)]
use num_bigint::BigInt;
use num_bigint::BigUint;
use std::fmt;

/// Why residues do not make a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemainderError {
    /// Not enough moduli for the bound and one to spare.
    TooFew {
        /// How many there are.
        have: usize,
        /// How many it takes, the spare one included; a lower bound.
        need: usize,
    },
    /// A spare modulus contradicts the others (the fault may lie with any).
    Disagree {
        /// The spare modulus.
        modulus: Modulus,
    },
    /// The residues agree with each other, but not with the bound.
    OutOfBound,
    /// A modulus came twice.
    Repeated {
        /// The modulus.
        modulus: Modulus,
    },
}

impl fmt::Display for RemainderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RemainderError::TooFew { have, need } => write!(
                f,
                "{have} moduli are too few: the bound and one to spare take at least {need}"
            ),
            RemainderError::Disagree { modulus } => write!(
                f,
                "the residue modulo {modulus} disagrees with the others, so one of them is wrong"
            ),
            RemainderError::OutOfBound => {
                write!(f, "the residues belong to no number within the stated bound")
            }
            RemainderError::Repeated { modulus } => {
                write!(f, "the modulus {modulus} came twice")
            }
        }
    }
}

impl std::error::Error for RemainderError {}

/// A number written with one digit a modulus: d0 + d1 p0 + d2 p0 p1 + ...
#[derive(Default)]
struct Garner {
    digits: Vec<(Modulus, u64)>,
}

impl Garner {
    /// The residues of the number so far, and of the product of the moduli.
    fn modulo(&self, modulus: Modulus) -> (u64, u64) {
        self.digits.iter().fold((0, 1), |(value, product), &(prime, digit)| {
            let term = modulus.mul(modulus.reduce(digit), product);
            (modulus.add(value, term), modulus.mul(product, modulus.reduce(prime.prime())))
        })
    }

    /// Adds a modulus that is not there yet.
    fn push(&mut self, modulus: Modulus, residue: u64) {
        let (value, product) = self.modulo(modulus);
        let missing = modulus.sub(modulus.reduce(residue), value);
        let inverse = modulus.inverse(product).expect("a modulus must not come twice");
        self.digits.push((modulus, modulus.mul(missing, inverse)));
    }

    fn value(&self) -> BigUint {
        self.digits
            .iter()
            .rev()
            .fold(BigUint::ZERO, |value, &(modulus, digit)| value * modulus.prime() + digit)
    }
}

/// The smallest number that has these residues; 0 if there are none.
///
/// # Panics
/// If a modulus comes twice; [`exact`] reports that as an error.
pub fn combine(residues: &[(Modulus, u64)]) -> BigUint {
    let mut garner = Garner::default();
    for &(modulus, residue) in residues {
        garner.push(modulus, residue);
    }
    garner.value()
}

/// The number that has these residues, given a proof that it is less than
/// `below`; at least one modulus more than this takes, and all must agree.
pub fn exact(residues: &[(Modulus, u64)], below: &BigUint) -> Result<BigUint, RemainderError> {
    // The smallest moduli first: what they can tell apart, any others can.
    let mut residues = residues.to_vec();
    residues.sort_unstable();
    if let Some(twice) = residues.windows(2).find(|two| two[0].0 == two[1].0) {
        return Err(RemainderError::Repeated { modulus: twice[0].0 });
    }
    let mut product = BigUint::from(1u8);
    let mut taken = 0;
    while product < *below {
        let Some((modulus, _)) = residues.get(taken) else { break };
        product *= modulus.prime();
        taken += 1;
    }
    let have = residues.len();
    if product < *below {
        // Each further modulus has at most 61 bits, and one more is to spare.
        let missing = (below - 1u8).bits().saturating_sub(product.bits()).div_ceil(61).max(1);
        return Err(RemainderError::TooFew { have, need: have + missing as usize + 1 });
    }
    if taken == have {
        return Err(RemainderError::TooFew { have, need: have + 1 });
    }
    let (used, spare) = residues.split_at(taken);
    let mut garner = Garner::default();
    for &(modulus, residue) in used {
        garner.push(modulus, residue);
    }
    for &(modulus, residue) in spare {
        if garner.modulo(modulus).0 != modulus.reduce(residue) {
            return Err(RemainderError::Disagree { modulus });
        }
    }
    let value = garner.value();
    if value < *below { Ok(value) } else { Err(RemainderError::OutOfBound) }
}

/// The integer that has these residues, given a proof that it lies between
/// `-bound` and `bound`; at least one modulus more than this takes, and all
/// must agree.
#[cfg(test)]
fn signed(residues: &[(Modulus, u64)], bound: &BigUint) -> Result<BigInt, RemainderError> {
    // Moved up by the bound, the integer is not negative.
    let bound_above = BigInt::from(bound.clone());
    let moved: Vec<(Modulus, u64)> = residues
        .iter()
        .map(|&(m, residue)| (m, m.add(m.reduce(residue), m.reduce_big(&bound_above))))
        .collect();
    let value = exact(&moved, &(bound * 2u8 + 1u8))?;
    Ok(BigInt::from(value) - bound_above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::modular::primes;
    use num_bigint::Sign;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn residues(value: &BigInt, moduli: impl Iterator<Item = Modulus>) -> Vec<(Modulus, u64)> {
        moduli.map(|m| (m, m.reduce_big(value))).collect()
    }

    /// Moduli of a little more than 16 bits.
    fn small() -> impl Iterator<Item = Modulus> {
        (3..70_000).rev().filter_map(Modulus::new)
    }

    proptest! {
        #[test]
        fn numbers_come_back(bytes in vec(any::<u8>(), 0..60), extra in 1usize..4) {
            let value = BigUint::from_bytes_le(&bytes);
            let enough = primes().take(value.bits() as usize / 60 + 1 + extra);
            let all = residues(&value.clone().into(), enough);
            prop_assert_eq!(&combine(&all), &value);
            prop_assert_eq!(exact(&all, &(&value + 1u8)), Ok(value.clone()));
            let negative = BigInt::from_biguint(Sign::Minus, value.clone());
            let enough = primes().take(value.bits() as usize / 60 + 2 + extra);
            prop_assert_eq!(signed(&residues(&negative, enough), &value), Ok(negative));
        }

        #[test]
        fn a_wrong_residue_is_always_noticed(
            value in 0u64..1 << 60, which in 0usize..6, wrong in 1u64..40_000,
        ) {
            // Four of these moduli take more than 64 bits together; two are spare.
            let mut all = residues(&value.into(), small().take(6));
            let below = BigUint::from(1u64 << 60);
            prop_assert_eq!(exact(&all, &below), Ok(value.into()));
            let (modulus, residue) = all[which];
            all[which].1 = modulus.add(residue, wrong);
            let error = exact(&all, &below).unwrap_err();
            let noticed =
                matches!(error, RemainderError::Disagree { .. } | RemainderError::OutOfBound);
            prop_assert!(noticed, "{}", error);
            prop_assert!(signed(&all, &below).is_err());
        }

        #[test]
        fn one_spare_notices_one_wrong_residue(
            value in 0u64..1 << 60, which in 0usize..5, wrong in 1u64..40_000,
        ) {
            let mut all = residues(&value.into(), small().take(5));
            let (modulus, residue) = all[which];
            all[which].1 = modulus.add(residue, wrong);
            prop_assert!(exact(&all, &BigUint::from(1u64 << 60)).is_err());
        }
    }

    #[test]
    fn the_sun_zi_puzzle() {
        let by = |prime| Modulus::new(prime).unwrap();
        assert_eq!(combine(&[(by(3), 2), (by(5), 3), (by(7), 2)]), BigUint::from(23u8));
        assert_eq!(combine(&[]), BigUint::ZERO);
    }

    #[test]
    fn a_spare_modulus_is_required() {
        let below = BigUint::from(1u8) << 100;
        let value = BigInt::from(12345);
        for (have, need) in [(0, 3), (1, 3), (2, 3)] {
            let few = residues(&value, primes().take(have));
            let error = RemainderError::TooFew { have, need };
            assert_eq!(exact(&few, &below), Err(error));
        }
        let enough = residues(&value, primes().take(3));
        assert_eq!(exact(&enough, &below), Ok(BigUint::from(12345u16)));
        assert_eq!(
            RemainderError::TooFew { have: 2, need: 3 }.to_string(),
            "2 moduli are too few: the bound and one to spare take at least 3"
        );
    }

    #[test]
    fn a_small_modulus_cannot_vouch_for_a_large_one() {
        // 101 alone would do for the bound, but 3 would miss two errors of three.
        let moduli = [101, 3, 103].map(|prime| Modulus::new(prime).unwrap());
        let all = residues(&BigInt::from(40), moduli.into_iter());
        let below = BigUint::from(50u8);
        assert_eq!(exact(&all[..2], &below), Err(RemainderError::TooFew { have: 2, need: 3 }));
        assert_eq!(exact(&all, &below), Ok(BigUint::from(40u8)));
    }

    #[test]
    fn a_bound_that_does_not_hold_is_noticed() {
        let all = residues(&BigInt::from(100), primes().take(3));
        assert_eq!(exact(&all, &BigUint::from(100u8)), Err(RemainderError::OutOfBound));
        assert_eq!(exact(&all, &BigUint::from(101u8)), Ok(BigUint::from(100u8)));
        // Nothing is below 0, and only 0 is below 1.
        assert!(exact(&all, &BigUint::ZERO).is_err());
        let zero = residues(&BigInt::ZERO, primes().take(3));
        assert_eq!(exact(&zero, &BigUint::ZERO), Err(RemainderError::OutOfBound));
        assert_eq!(exact(&zero, &BigUint::from(1u8)), Ok(BigUint::ZERO));
        assert_eq!(signed(&all, &BigUint::from(99u8)), Err(RemainderError::OutOfBound));
        assert_eq!(signed(&all, &BigUint::from(100u8)), Ok(BigInt::from(100)));
    }

    #[test]
    fn a_modulus_must_not_come_twice() {
        let mut all = residues(&BigInt::from(7), primes().take(3));
        let modulus = all[1].0;
        all.push(all[1]);
        let error = Err(RemainderError::Repeated { modulus });
        assert_eq!(exact(&all, &BigUint::from(8u8)), error);
    }
}
