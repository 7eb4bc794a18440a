//! Arithmetic modulo a 61-bit prime.
//!
//! A **modulus** is an odd prime below 2^61, and a **residue** a number below
//! its modulus. Sixty-one bits leave room: a product of two residues is below
//! 2^122, so 64 of them can be added in a `u128` before anything is reduced, and
//! a sum of two residues never leaves a `u64`.
//!
//! Products are reduced without a division, by multiplying with a reciprocal
//! that is computed once (P. Barrett, CRYPTO '86; Handbook of Applied
//! Cryptography, 14.42). Where one factor stays the same over a whole loop,
//! a prepared *multiplier* needs a single high product (V. Shoup, in NTL).

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::fmt;

/// An odd prime below 2^61. Residues handed to its methods must be below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Modulus {
    prime: u64,
    /// Bits of the prime: 2^(bits - 1) < prime < 2^bits.
    bits: u32,
    /// 2^(2 bits) / prime, rounded down: at most 2^(bits + 1).
    reciprocal: u64,
}

impl fmt::Display for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.prime.fmt(f)
    }
}

impl Modulus {
    /// The modulus `prime`; `None` unless it is an odd prime below 2^61.
    pub fn new(prime: u64) -> Option<Self> {
        (prime % 2 == 1 && prime < 1 << 61 && is_prime(prime)).then(|| {
            let bits = 64 - prime.leading_zeros();
            Modulus { prime, bits, reciprocal: ((1u128 << (2 * bits)) / u128::from(prime)) as u64 }
        })
    }

    /// The prime itself.
    #[inline]
    pub fn prime(self) -> u64 {
        self.prime
    }

    /// The residue of any number.
    #[inline]
    pub fn reduce(self, number: u64) -> u64 {
        number % self.prime
    }

    /// The residue of any wide number, such as a sum of up to 64 products.
    #[inline]
    pub fn reduce_wide(self, number: u128) -> u64 {
        (number % u128::from(self.prime)) as u64
    }

    /// The residue of an integer of any size and sign.
    pub fn reduce_big(self, number: &BigInt) -> u64 {
        // The remainder of a magnitude by a `u64` always fits in a `u64`.
        let residue = (number.magnitude() % self.prime).to_u64().unwrap_or(0);
        if number.sign() == num_bigint::Sign::Minus { self.sub(0, residue) } else { residue }
    }

    /// `a + b`.
    #[inline]
    pub fn add(self, a: u64, b: u64) -> u64 {
        debug_assert!(a < self.prime && b < self.prime);
        self.once(a + b)
    }

    /// `a - b`.
    #[inline]
    pub fn sub(self, a: u64, b: u64) -> u64 {
        debug_assert!(a < self.prime && b < self.prime);
        if a >= b { a - b } else { a + self.prime - b }
    }

    /// `a * b`.
    #[inline]
    pub fn mul(self, a: u64, b: u64) -> u64 {
        debug_assert!(a < self.prime && b < self.prime);
        let product = u128::from(a) * u128::from(b);
        // Both factors are below 2^(bits + 1) + 1, so their product fits; the
        // quotient is right or at most 2 too small, so the rest is below
        // 3 primes and the low 64 bits decide it.
        let high = product >> (self.bits - 1);
        let quotient = ((high * u128::from(self.reciprocal)) >> (self.bits + 1)) as u64;
        let rest = (product as u64).wrapping_sub(quotient.wrapping_mul(self.prime));
        self.once(self.once(rest))
    }

    /// `base` to the power `exponent`; 1 for exponent 0.
    pub fn pow(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut power = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.mul(power, base);
            }
            base = self.mul(base, base);
            exponent >>= 1;
        }
        power
    }

    /// What `a` must be multiplied with to make 1; `None` for 0.
    pub fn inverse(self, a: u64) -> Option<u64> {
        (a != 0).then(|| self.pow(a, self.prime - 2))
    }

    /// Prepares to multiply many residues by the same `factor`.
    pub(super) fn multiplier(self, factor: u64) -> Multiplier {
        debug_assert!(factor < self.prime);
        let quotient = ((u128::from(factor) << 64) / u128::from(self.prime)) as u64;
        Multiplier { modulus: self, factor, quotient }
    }

    /// Takes the prime away once if it is there.
    #[inline]
    fn once(self, number: u64) -> u64 {
        // Below the prime, the difference wraps to something huge; no branch to mispredict.
        number.min(number.wrapping_sub(self.prime))
    }
}

/// A factor with which many residues are multiplied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multiplier {
    modulus: Modulus,
    factor: u64,
    /// 2^64 factor / prime, rounded down.
    quotient: u64,
}

impl Multiplier {
    /// `factor * a`.
    #[inline]
    pub(super) fn mul(self, a: u64) -> u64 {
        // The quotient is right or 1 too small, so the rest is below 2 primes.
        let quotient = ((u128::from(self.quotient) * u128::from(a)) >> 64) as u64;
        let rest = self.factor.wrapping_mul(a);
        self.modulus.once(rest.wrapping_sub(quotient.wrapping_mul(self.modulus.prime)))
    }
}

/// The first twelve primes, both for trial division and as Miller–Rabin bases.
const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Whether `n` is prime, with certainty.
///
/// The strong test of Miller and Rabin to the first twelve prime bases: the
/// smallest composite number that passes all twelve is 318665857834031151167461,
/// which is above 2^64 (J. Sorenson and J. Webster, "Strong pseudoprimes to
/// twelve prime bases", Math. Comp. 86, 2017).
pub fn is_prime(n: u64) -> bool {
    if n < 2 {
        return false;
    }
    if let Some(&divisor) = BASES.iter().find(|&&base| n.is_multiple_of(base)) {
        return n == divisor;
    }
    let mul = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    BASES.iter().all(|&base| {
        let (mut power, mut square, mut exponent) = (1, base, odd);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = mul(power, square);
            }
            square = mul(square, square);
            exponent >>= 1;
        }
        // From base^odd, by squaring, 1 may be reached from -1 only.
        power == 1
            || (0..twos).any(|_| {
                let passes = power == n - 1;
                power = mul(power, power);
                passes
            })
    })
}

/// All moduli in decreasing order, from 2^61 - 1 down to 3.
pub fn primes() -> impl Iterator<Item = Modulus> {
    (1..1u64 << 60).rev().filter_map(|half| Modulus::new(2 * half + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Moduli of every size, the largest and the smallest among them.
    fn moduli() -> impl Strategy<Value = Modulus> {
        prop_oneof![
            Just(Modulus::new((1 << 61) - 1).unwrap()),
            Just(Modulus::new(3).unwrap()),
            (3u32..=61, any::<u64>()).prop_map(|(bits, random)| {
                let below = (1u64 << (bits - 1)) | (random >> (64 - bits));
                (3..=below).rev().find_map(Modulus::new).unwrap()
            }),
        ]
    }

    proptest! {
        #[test]
        fn agrees_with_wide_arithmetic(m in moduli(), a: u64, b: u64, exponent in 0u64..200) {
            let (a, b) = (m.reduce(a), m.reduce(b));
            let (wa, wb, p) = (u128::from(a), u128::from(b), u128::from(m.prime()));
            prop_assert_eq!(u128::from(m.add(a, b)), (wa + wb) % p);
            prop_assert_eq!(u128::from(m.sub(a, b)), (wa + p - wb) % p);
            prop_assert_eq!(u128::from(m.mul(a, b)), wa * wb % p);
            prop_assert_eq!(m.multiplier(a).mul(b), m.mul(a, b));
            let power = (0..exponent).fold(1, |power, _| power * wa % p);
            prop_assert_eq!(u128::from(m.pow(a, exponent)), power);
            if let Some(inverse) = m.inverse(a) {
                prop_assert_eq!(wa * u128::from(inverse) % p, 1);
            } else {
                prop_assert_eq!(a, 0);
            }
        }

        #[test]
        fn big_numbers_reduce_to_the_remainder_from_below(m in moduli(), a: i128) {
            let p = i128::from(m.prime());
            prop_assert_eq!(i128::from(m.reduce_big(&BigInt::from(a))), a.rem_euclid(p));
        }
    }

    #[test]
    fn the_largest_residues_multiply_right() {
        for m in primes().take(50) {
            let last = m.prime() - 1;
            assert_eq!(m.mul(last, last), 1);
            assert_eq!(m.multiplier(last).mul(last), 1);
            let sum = (0..64).map(|_| u128::from(last) * u128::from(last)).sum::<u128>();
            assert_eq!(m.reduce_wide(sum), 64);
        }
    }

    #[test]
    fn primes_below_100000_are_those_of_the_sieve() {
        let mut sieve = vec![true; 100_000];
        sieve[0] = false;
        sieve[1] = false;
        for n in 2..sieve.len() {
            if sieve[n] {
                (n * n..sieve.len()).step_by(n).for_each(|multiple| sieve[multiple] = false);
            }
        }
        for (n, &prime) in sieve.iter().enumerate() {
            assert_eq!(is_prime(n as u64), prime, "{n}");
        }
    }

    #[test]
    fn strong_pseudoprimes_are_not_taken_for_primes() {
        // Smallest strong pseudoprimes to the first 1, 2, ... prime bases (OEIS A014233).
        for n in [
            2047,
            1_373_653,
            25_326_001,
            3_215_031_751,
            2_152_302_898_747,
            3_474_749_660_383,
            341_550_071_728_321,
            3_825_123_056_546_413_051,
        ] {
            assert!(!is_prime(n), "{n}");
        }
        assert!(!is_prime(561) && !is_prime(u64::MAX));
        assert!(is_prime(18_446_744_073_709_551_557), "the largest prime below 2^64");
    }

    #[test]
    fn moduli_come_from_the_mersenne_prime_downwards() {
        let first: Vec<u64> = primes().take(3).map(|m| (1 << 61) - m.prime()).collect();
        assert_eq!(first, [1, 31, 45]);
    }

    #[test]
    fn only_odd_primes_below_2_61_are_moduli() {
        let above = (1 << 61) + 15;
        assert!(is_prime(above));
        for n in [0, 1, 2, 9, above] {
            assert_eq!(Modulus::new(n), None, "{n}");
        }
        assert_eq!(Modulus::new(3).map(Modulus::prime), Some(3));
    }
}
