//! The asymptotic formula, and numbers with many digits.
//!
//! If the error terms vanish as the paper conjectures, L(m, n) is about A B^(m+n) L^(mn),
//! where L is the **base of liberties**. From exact numbers of a square, of the next square
//! and of the rectangle between them,
//!
//! ```text
//! L ≈ L(n,n) L(n+1,n+1) / L(n,n+1)²     B ≈ L(n,n+1) / (L(n,n) Lⁿ)     A ≈ L(n,n) / (B²ⁿ Lⁿⁿ)
//! ```
//!
//! It is a conjecture and proves nothing, but a wrong residue makes a number that is off by
//! many orders of magnitude, and the formula is right to a part in a thousand.
//!
//! Digits come from [`Fixed`] numbers: whole multiples of 2^-320, cut off after each
//! operation.

use std::fmt::Write;

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::rectangle::{Engine, lengths, rectangle};
use crate::error::{Error, Result};
use crate::job::Work;
use pessoi_engine::run::Run;

/// Bits after the point.
const BITS: u64 = 320;

/// A number that is not negative, with 320 bits after the point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fixed(BigUint);

impl Fixed {
    pub(super) fn ratio(a: &BigUint, b: &BigUint) -> Fixed {
        Fixed((a << BITS) / b)
    }

    pub(super) fn times(&self, other: &Fixed) -> Fixed {
        Fixed((&self.0 * &other.0) >> BITS)
    }

    pub(super) fn over(&self, other: &Fixed) -> Fixed {
        Fixed((&self.0 << BITS) / &other.0)
    }

    pub(super) fn power(&self, exponent: usize) -> Fixed {
        let mut power = Fixed(BigUint::from(1u8) << BITS);
        for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
            power = power.times(&power);
            if exponent >> bit & 1 == 1 {
                power = power.times(self);
            }
        }
        power
    }

    pub(super) fn root(&self, degree: u32) -> Fixed {
        // root(x 2^(k d)) = 2^k root(x); the scale is made a multiple of the degree.
        Fixed((&self.0 << (BITS * u64::from(degree - 1))).nth_root(degree))
    }

    /// The difference, whichever way round.
    pub(super) fn apart(&self, other: &Fixed) -> Fixed {
        let (low, high) = if self.0 < other.0 { (self, other) } else { (other, self) };
        Fixed(&high.0 - &low.0)
    }

    /// Rounded to so many digits after the point.
    pub(super) fn digits(&self, places: usize) -> String {
        let scaled = &self.0 * BigUint::from(10u8).pow(places as u32);
        let rounded: BigUint = (scaled + (BigUint::from(1u8) << (BITS - 1))) >> BITS;
        let digits = format!("{:0>1$}", rounded.to_string(), places + 1);
        let (whole, rest) = digits.split_at(digits.len() - places);
        let mut text = whole.to_owned();
        if places > 0 {
            // Writing to a String cannot fail.
            let _ = write!(text, ".{rest}");
        }
        text
    }

    pub(super) fn value(&self) -> f64 {
        10f64.powf(log10(&self.0) - BITS as f64 * 2f64.log10())
    }

    /// Digits after the point that this is smaller than half a unit of; 90 at most.
    pub(super) fn zeros(&self) -> usize {
        (0..90)
            .take_while(|&places| {
                &self.0 * BigUint::from(10u8).pow(places as u32 + 1) * 2u8
                    < BigUint::from(1u8) << BITS
            })
            .count()
    }
}

/// The decimal logarithm of a number from 1 on.
pub(super) fn log10(number: &BigUint) -> f64 {
    let cut = number.bits().saturating_sub(64);
    let top = (number >> cut).to_f64().unwrap_or(0.0);
    top.log10() + cut as f64 * 2f64.log10()
}

/// A share of all things with nine digits that matter: `0.234354851` or `1.20345678e-7`.
pub(super) fn digits_of_share(part: &BigUint, all: &BigUint) -> String {
    const DIGITS: u32 = 9;
    let ten = |power: u32| BigUint::from(10u8).pow(power);
    if part * ten(4) >= *all {
        // Rounded to nine places.
        let scaled: BigUint = (part * ten(DIGITS) * 2u8 + all) / (all * 2u8);
        let digits = format!("{:0>1$}", scaled.to_string(), DIGITS as usize + 1);
        let (whole, rest) = digits.split_at(digits.len() - DIGITS as usize);
        return format!("{whole}.{rest}");
    }
    let mut log10 = log10(part) - log10(all);
    if !log10.is_finite() {
        log10 = 0.0;
    }
    // The first power for which there are nine digits before the point.
    let mut power = (f64::from(DIGITS) - log10).floor() as u32;
    while &(part * ten(power)) / all >= ten(DIGITS) {
        power -= 1;
    }
    let scaled = (part * ten(power)) / all;
    let digits = scaled.to_string();
    let (first, rest) = digits.split_at(1);
    format!("{first}.{rest}e-{}", power as usize + 1 - digits.len())
}

/// The three constants.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    pub(super) a: Fixed,
    pub(super) b: Fixed,
    pub(super) base: Fixed,
}

impl Formula {
    /// Numbers are checked by the formula fitted to the square of this side and the next.
    pub(super) const FITTED: usize = 6;

    /// Fitted to L(n,n), L(n,n+1) and L(n+1,n+1).
    pub(super) fn new(n: usize, square: &BigUint, between: &BigUint, next: &BigUint) -> Formula {
        let base = Fixed::ratio(&(square * next), &(between * between));
        let b = Fixed::ratio(between, square).over(&base.power(n));
        let unit = BigUint::from(1u8);
        let a = Fixed::ratio(square, &unit).over(&b.power(2 * n)).over(&base.power(n * n));
        Formula { a, b, base }
    }

    /// Fitted to counted boards.
    pub(super) fn fitted(n: usize, run: &Run) -> Work<Formula> {
        let [square, between] = &lengths(n, n + 1, run)?[n - 1..] else {
            return Err(Error::internal("two lengths were asked for").into());
        };
        let next = rectangle(n + 1, n + 1, Engine::of_height(n + 1), None, run)?.total;
        Ok(Formula::new(n, square, between, &next))
    }

    /// Refuses a number that is far off. Small boards are exceptions, and are what the formula is
    /// fitted to.
    pub(super) fn check_total(m: usize, n: usize, total: &BigUint, run: &Run) -> Work<()> {
        if m <= Formula::FITTED + 1 {
            return Ok(());
        }
        Ok(Formula::fitted(Formula::FITTED, run)?.check(m, n, total)?)
    }

    /// What the formula says of m×n.
    pub(super) fn about(&self, m: usize, n: usize) -> Fixed {
        self.a.times(&self.b.power(m + n)).times(&self.base.power(m * n))
    }

    /// The decimal logarithm of what the formula says.
    pub(super) fn log10(&self, m: usize, n: usize) -> f64 {
        self.a.value().log10()
            + (m + n) as f64 * self.b.value().log10()
            + (m * n) as f64 * self.base.value().log10()
    }

    /// Refuses a number that is far off.
    pub(super) fn check(&self, m: usize, n: usize, total: &BigUint) -> Result<()> {
        // The base is right to 10^-6 and counts mn times; the rest is right to 10^-3.
        let allowed = 1e-3 + 1e-5 * (m * n) as f64;
        let off = (log10(total) - self.log10(m, n)).abs() * std::f64::consts::LN_10;
        if off <= allowed {
            return Ok(());
        }
        Err(Error::internal(format!(
            "the number of legal {m}x{n} positions came out as {total}, but the asymptotic \
             formula says about 10^{:.3}",
            self.log10(m, n)
        )))
    }
}
