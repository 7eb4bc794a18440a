//! Positive numbers of any size, to about 16 digits.
//!
//! A float ends at 1.8·10^308; weights of random probes go far beyond. A [`Large`] is a float
//! and a number of times that 2^512 was taken out of it. Scaling by a power of two rounds
//! nothing, so sums and products are rounded exactly as those of floats are.

use std::f64::consts::LN_2;
use std::ops::AddAssign;

/// A number that is zero or positive: `part` · 2^(512 · `scale`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Large {
    /// Zero, or between 2^-256 and 2^256.
    part: f64,
    scale: i32,
}

/// 2^512, 2^256 and their inverses.
const SCALE: f64 = f64::from_bits((1023 + 512) << 52);
const ROOT: f64 = f64::from_bits((1023 + 256) << 52);

impl Large {
    /// Zero.
    pub const ZERO: Large = Large { part: 0.0, scale: 0 };
    /// One.
    pub const ONE: Large = Large { part: 1.0, scale: 0 };

    /// The number multiplied by a float that is not negative.
    #[must_use]
    pub fn times(self, factor: f64) -> Large {
        Large { part: self.part * factor, scale: self.scale }.normal()
    }

    /// This number divided by one that is not zero, as far as a float can hold that.
    pub fn ratio(self, to: Large) -> f64 {
        match self.scale - to.scale {
            0 => self.part / to.part,
            1 => self.part / to.part * SCALE,
            -1 => self.part / to.part / SCALE,
            apart => {
                if apart > 0 {
                    f64::INFINITY
                } else {
                    0.0
                }
            }
        }
    }

    /// Whether `share` of `whole` is less than this number.
    #[inline]
    pub fn exceeds(self, share: f64, whole: Large) -> bool {
        if self.scale == whole.scale {
            share * whole.part < self.part
        } else {
            share < self.ratio(whole)
        }
    }

    /// The natural logarithm; −∞ for zero.
    pub fn ln(self) -> f64 {
        self.part.ln() + f64::from(self.scale) * (512.0 * LN_2)
    }

    #[inline]
    fn normal(self) -> Large {
        if (1.0 / ROOT..=ROOT).contains(&self.part) { self } else { self.scaled() }
    }

    #[cold]
    fn scaled(self) -> Large {
        if self.part == 0.0 {
            Large::ZERO
        } else if self.part > ROOT {
            Large { part: self.part / SCALE, scale: self.scale + 1 }
        } else {
            Large { part: self.part * SCALE, scale: self.scale - 1 }
        }
    }
}

impl AddAssign for Large {
    #[inline]
    fn add_assign(&mut self, more: Large) {
        if self.scale == more.scale {
            self.part += more.part;
        } else {
            let (large, small) =
                if more.part == 0.0 || (self.part != 0.0 && self.scale > more.scale) {
                    (*self, more)
                } else {
                    (more, *self)
                };
            *self = large;
            if large.scale - small.scale == 1 {
                self.part += small.part / SCALE;
            }
        }
        *self = self.normal();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 2^power.
    fn power(power: i32) -> Large {
        let step = if power < 0 { 0.5 } else { 2.0 };
        (0..power.abs()).fold(Large::ONE, |number, _| number.times(step))
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "powers of two are exact")]
    fn numbers_beyond_the_floats() {
        for exponent in [-5000, -300, -256, 0, 255, 256, 257, 1100, 5000] {
            let number = power(exponent);
            let off = number.ln() - f64::from(exponent) * LN_2;
            assert!(off.abs() < 1e-9, "{exponent}: {number:?}");
            let mut twice = number;
            twice += number;
            assert_eq!(twice.ratio(number), 2.0);
            assert_eq!(twice, number.times(2.0));
            assert!(number.exceeds(0.49, twice) && !number.exceeds(0.5, twice));
        }
        assert_eq!(Large::ZERO.ln(), f64::NEG_INFINITY);
        assert_eq!(power(1100).ratio(power(1090)), 1024.0);
        assert_eq!(power(1090).ratio(power(1100)), 1.0 / 1024.0);
    }

    #[test]
    fn zero_changes_nothing() {
        for exponent in [-5000, 0, 5000] {
            let number = power(exponent);
            let (mut left, mut right) = (number, Large::ZERO);
            left += Large::ZERO;
            right += number;
            assert_eq!((left, right), (number, number));
        }
        assert_eq!(power(5000).times(0.0), Large::ZERO);
    }

    proptest! {
        #[test]
        fn sums_and_products_are_those_of_floats(a in 1e-30..1e30f64, b in 1e-30..1e30f64) {
            let of = |x: f64| Large::ONE.times(x);
            let mut sum = of(a);
            sum += of(b);
            prop_assert_eq!(sum, of(a + b));
            prop_assert_eq!(of(a).times(b), of(a * b));
            // The same far outside of the floats.
            let far = power(3000);
            let mut sum = far.times(a);
            sum += far.times(b);
            prop_assert!((sum.ratio(far.times(a + b)) - 1.0).abs() < 1e-15);
        }
    }
}
