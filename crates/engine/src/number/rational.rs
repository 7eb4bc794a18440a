//! A fraction from one residue.
//!
//! Half of Euclid's algorithm on the modulus and the residue writes the residue
//! as numerator / denominator in ever smaller numerators; the fraction is
//! unique if 2 |numerator| denominator is below the modulus (P. Wang, "A
//! p-adic algorithm for univariate partial fractions", 1981; P. Wang, M. Guy
//! and J. Davenport, 1982).

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// The fraction in lowest terms, denominator positive, that is `residue` modulo
/// `modulus` and whose both parts are at most the root of half the modulus
/// (Wang's bound, within which there is one at most).
pub fn rational(residue: &BigUint, modulus: &BigUint) -> Option<(BigInt, BigInt)> {
    if modulus.is_zero() {
        return None;
    }
    let largest = BigInt::from(((modulus - 1u8) / 2u8).sqrt());
    // Throughout, rest = factor * residue modulo the modulus.
    let (mut last, mut rest) = (BigInt::from(modulus.clone()), BigInt::from(residue % modulus));
    let (mut last_factor, mut factor) = (BigInt::zero(), BigInt::one());
    while rest > largest {
        let (quotient, smaller) = last.div_rem(&rest);
        last = std::mem::replace(&mut rest, smaller);
        let next = last_factor - quotient * &factor;
        last_factor = std::mem::replace(&mut factor, next);
    }
    let denominator = factor.abs();
    (denominator <= largest && rest.gcd(&denominator).is_one())
        .then(|| (if factor.is_negative() { -rest } else { rest }, denominator))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_small_fraction_and_no_other_comes_back(modulus in 1u64..2000, residue in 0u64..2000) {
            let residue = residue % modulus;
            let largest = ((modulus - 1) / 2).isqrt() as i64;
            let m = modulus as i64;
            let mut found = None;
            for d in 1..=largest {
                for n in -largest..=largest {
                    if n.gcd(&d) == 1 && (residue as i64 * d - n) % m == 0 {
                        prop_assert_eq!(found, None);
                        found = Some((BigInt::from(n), BigInt::from(d)));
                    }
                }
            }
            prop_assert_eq!(rational(&residue.into(), &modulus.into()), found);
        }

        #[test]
        fn large_fractions_come_back(n: i64, d in 1u64..) {
            // 2^521 - 1 is a prime.
            let modulus = (BigInt::one() << 521) - 1;
            let (n, d) = (BigInt::from(n), BigInt::from(d));
            let common = n.gcd(&d);
            let residue = (&n * d.modinv(&modulus).unwrap()).mod_floor(&modulus);
            let found = rational(residue.magnitude(), modulus.magnitude());
            prop_assert_eq!(found, Some((n / &common, d / common)));
        }
    }

    #[test]
    fn no_modulus_no_fraction() {
        assert_eq!(rational(&BigUint::from(5u8), &BigUint::ZERO), None);
    }
}
