//! What numbers of ways are kept modulo.

use crate::number::Modulus;

/// Addition and multiplication of numbers of ways.
pub(super) trait Ring: Copy + Send + Sync {
    fn add(self, a: u64, b: u64) -> u64;
    fn mul(self, a: u64, b: u64) -> u64;
    fn neg(self, a: u64) -> u64;

    /// Whether numbers below 2^64 are what they are.
    fn is_exact(self) -> bool;

    /// Whether numbers are floats.
    fn is_float(self) -> bool {
        false
    }
}

/// Modulo 2^64: nothing is reduced.
#[derive(Clone, Copy)]
pub(super) struct Words;

impl Ring for Words {
    #[inline]
    fn add(self, a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }

    #[inline]
    fn mul(self, a: u64, b: u64) -> u64 {
        a.wrapping_mul(b)
    }

    #[inline]
    fn neg(self, a: u64) -> u64 {
        a.wrapping_neg()
    }

    fn is_exact(self) -> bool {
        true
    }
}

impl Ring for Modulus {
    #[inline]
    fn add(self, a: u64, b: u64) -> u64 {
        Modulus::add(self, a, b)
    }

    #[inline]
    fn mul(self, a: u64, b: u64) -> u64 {
        Modulus::mul(self, a, b)
    }

    #[inline]
    fn neg(self, a: u64) -> u64 {
        Modulus::sub(self, 0, a)
    }

    fn is_exact(self) -> bool {
        false
    }
}

/// Floats, as the bits of words: about how large numbers are.
#[derive(Clone, Copy)]
pub(super) struct Floats;

impl Ring for Floats {
    #[inline]
    fn add(self, a: u64, b: u64) -> u64 {
        (f64::from_bits(a) + f64::from_bits(b)).to_bits()
    }

    #[inline]
    fn mul(self, a: u64, b: u64) -> u64 {
        (f64::from_bits(a) * f64::from_bits(b)).to_bits()
    }

    #[inline]
    fn neg(self, a: u64) -> u64 {
        (-f64::from_bits(a)).to_bits()
    }

    fn is_exact(self) -> bool {
        false
    }

    fn is_float(self) -> bool {
        true
    }
}
