//! How fast a sequence grows: the largest positive root of a polynomial.
//!
//! **Why a root.** Let a(n) obey a shortest recurrence with the characteristic
//! polynomial P. Then the sum of a(n) x^n is a fraction whose denominator, in
//! lowest terms, is the reverse of P (up to powers of x, for terms that were
//! skipped). If no term is negative, Pringsheim's theorem says that the
//! radius of convergence is itself a singularity, that is, a pole on the
//! positive axis. So one over the radius, which is the limit superior of
//! the nth root of a(n), is a root of P, it is positive, and no root has a larger
//! absolute value: it is the largest positive root (P. Flajolet and R. Sedgewick,
//! *Analytic Combinatorics*, theorems IV.6 and IV.7). Only a sequence that ends in
//! zeros has none.
//!
//! **What is not claimed.** Whether the terms are never negative is for the
//! caller to know, from what they count. Other roots may be as large in absolute
//! value, so neither a(n+1) / a(n) nor the nth root of a(n) need have a limit;
//! and a repeated root brings a power of n with it. If the recurrence is not a
//! shortest one, the largest root need not show in the terms.
//!
//! **How it is certain.** Everything is done on integers. Repeated roots are
//! made single; the interval from 0 to a bound is halved, the right half first,
//! until Descartes' rule of signs shows exactly one root in the interval at hand
//! (and has shown none in those to its right): the method of Vincent, Collins
//! and Akritas (1976). Then a single root is pinned down between neighbouring
//! multiples of 2^-k by the signs at both, with a guess by the secant that makes
//! k double when it is right (J. Abbott, "Quadratic interval refinement for real
//! roots", 2006). Digits are cut off, never rounded, and the last one is settled
//! by an exact sign.

use super::polynomial::{shift_by_one, sign_changes, squarefree, value};
use super::recurrence::Recurrence;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::run::{Run, Stop};

/// A positive real root.
#[derive(Clone, Debug, PartialEq)]
pub struct Root {
    /// The root, *cut off* (not rounded) after so many significant digits; the
    /// whole part is never cut.
    pub decimal: String,
    /// Whether `decimal` is the root itself.
    pub exact: bool,
    /// The root, right to about the last bit.
    pub value: f64,
}

/// The growth constant of a sequence that obeys the recurrence and has no
/// negative terms, to so many significant digits; see the [module](self) for
/// what is claimed. `None` if there is no positive root.
pub fn growth(recurrence: &Recurrence, digits: usize, run: &Run) -> Result<Option<Root>, Stop> {
    largest_root(&recurrence.characteristic(), digits, run)
}

/// The largest positive root of the polynomial (coefficients from the constant
/// upwards) to so many significant digits, at least one; `None` if no root is
/// positive, or if every number is a root.
pub fn largest_root(polynomial: &[BigInt], digits: usize, run: &Run) -> Result<Option<Root>, Stop> {
    let polynomial = squarefree(polynomial, run)?;
    let Some(mut place) = isolate(&polynomial, run)? else { return Ok(None) };
    while place.low.is_zero() {
        place = halve(&polynomial, place);
    }
    let digits = digits.max(1);
    // At least so many that the `f64` is right too.
    let (mut text, mut point, mut exact) = decimals(&polynomial, place, digits.max(20), run)?;
    let full = with_point(&text, point);
    let cut = text.len().saturating_sub(digits).min(point);
    exact &= text[text.len() - cut..].bytes().all(|digit| digit == b'0');
    text.truncate(text.len() - cut);
    point -= cut;
    // A row of digits with a point always is a number.
    let value = full.parse().unwrap_or(f64::NAN);
    Ok(Some(Root { decimal: with_point(&text, point), exact, value }))
}

/// Where the root is: at `low` 2^-scale if `exact`, and otherwise strictly
/// between this and (`low` + 1) 2^-scale, the right end of which is no root.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    low: BigInt,
    scale: i64,
    exact: bool,
}

/// The value at `numerator` 2^-scale times a positive number that depends on
/// the scale alone.
fn value_at(polynomial: &[BigInt], numerator: &BigInt, scale: i64) -> BigInt {
    if scale < 0 {
        value(polynomial, &(numerator << -scale), &BigInt::one())
    } else {
        value(polynomial, numerator, &(BigInt::one() << scale))
    }
}

/// What [`isolate`] has still to look at.
enum Rest {
    /// An open interval, moved to (0, 1) with its polynomial.
    Interval(Place, Vec<BigInt>),
    /// A root between two intervals.
    Root(Place),
}

/// An interval with the largest positive root of a squarefree polynomial, which
/// leads with a positive coefficient, and with no other root.
fn isolate(polynomial: &[BigInt], run: &Run) -> Result<Option<Place>, Stop> {
    if sign_changes(polynomial) == 0 {
        return Ok(None);
    }
    let degree = polynomial.len() - 1;
    let bound = root_bound(polynomial);
    // Roots below 2^bound become roots below 1.
    let mut scaled = polynomial.to_vec();
    for (i, c) in scaled.iter_mut().enumerate() {
        let shift = if bound < 0 { -bound * (degree - i) as i64 } else { bound * i as i64 };
        *c <<= shift;
    }
    // The rightmost is last, and looked at first.
    let whole = Place { low: BigInt::ZERO, scale: -bound, exact: false };
    let mut rest = vec![Rest::Interval(whole, scaled)];
    while let Some(next) = rest.pop() {
        let (place, mut here) = match next {
            Rest::Root(place) => return Ok(Some(place)),
            Rest::Interval(place, here) => (place, here),
        };
        // x = 1 / (1 + y) takes (0, 1) to all positive y.
        let mut reversed: Vec<BigInt> = here.iter().rev().cloned().collect();
        shift_by_one(&mut reversed, run)?;
        match sign_changes(&reversed) {
            0 => continue,
            1 => return Ok(Some(place)),
            _ => {}
        }
        for (i, c) in here.iter_mut().enumerate() {
            *c <<= degree - i;
        }
        let mut right = here.clone();
        shift_by_one(&mut right, run)?;
        let half = |low: BigInt, exact| Place { low, scale: place.scale + 1, exact };
        let left_low: BigInt = &place.low << 1u8;
        let middle: BigInt = &left_low + 1;
        rest.push(Rest::Interval(half(left_low, false), here));
        if right[0].is_zero() {
            rest.push(Rest::Root(half(middle.clone(), true)));
        }
        rest.push(Rest::Interval(half(middle, false), right));
    }
    Ok(None)
}

/// A number b so that all positive roots are below 2^b.
///
/// Where a is the leading coefficient and R the largest of the
/// (|c| / a)^(1 / j) over the negative coefficients c, at j places below the
/// leading one, no root x is 2R or more: there, the negative terms together are
/// less than a x^degree (1/2 + 1/4 + ...) (Lagrange).
fn root_bound(polynomial: &[BigInt]) -> i64 {
    let degree = polynomial.len() - 1;
    let lead = polynomial[degree].bits() as i64;
    let negative = polynomial.iter().enumerate().filter(|(_, c)| c.sign() == Sign::Minus);
    let roots = negative.map(|(i, c)| {
        let places = (degree - i) as i64;
        // |c| / a < 2^(bits of c - bits of a + 1)
        Integer::div_ceil(&(c.bits() as i64 - lead + 1), &places)
    });
    roots.max().unwrap_or(0) + 1
}

/// Half the interval.
fn halve(polynomial: &[BigInt], place: Place) -> Place {
    if place.exact {
        return place;
    }
    let (low, scale) = ((place.low << 1u8) as BigInt, place.scale + 1);
    // The leading coefficient is positive and no root is larger.
    match value_at(polynomial, &(&low + 1), scale).sign() {
        Sign::NoSign => Place { low: low + 1, scale, exact: true },
        Sign::Plus => Place { low, scale, exact: false },
        Sign::Minus => Place { low: low + 1, scale, exact: false },
    }
}

/// The interval cut into 2^bits parts, if the root lies in the one that the
/// secant points at; `None` if not.
fn jump(polynomial: &[BigInt], place: &Place, bits: i64) -> Option<Place> {
    let below = value_at(polynomial, &place.low, place.scale);
    let above = value_at(polynomial, &(&place.low + 1), place.scale);
    // At the left end there may be another root.
    if below.is_zero() {
        return None;
    }
    let scale = place.scale + bits;
    let across = &above - &below;
    // Rounded to the nearest: 0 to 2^bits, since the signs differ.
    let guess = ((-below << (bits + 1)) + &across).div_floor(&(across << 1u8));
    let at = (&place.low << bits) + guess;
    let sign = |at: &BigInt| value_at(polynomial, at, scale).sign();
    match sign(&at) {
        Sign::NoSign => Some(Place { low: at, scale, exact: true }),
        Sign::Plus => {
            let low = at - 1;
            (sign(&low) == Sign::Minus).then_some(Place { low, scale, exact: false })
        }
        Sign::Minus => {
            (sign(&(&at + 1)) == Sign::Plus).then_some(Place { low: at, scale, exact: false })
        }
    }
}

/// The same place with a scale of at least `scale`, or exact.
fn refine(polynomial: &[BigInt], mut place: Place, scale: i64, run: &Run) -> Result<Place, Stop> {
    let mut bits = 1;
    while !place.exact && place.scale < scale {
        run.check()?;
        let cut = bits.min(scale - place.scale);
        let jumped = if cut > 1 { jump(polynomial, &place, cut) } else { None };
        if let Some(jumped) = jumped {
            place = jumped;
            bits = 2 * cut;
        } else {
            place = halve(polynomial, place);
            bits = if cut > 1 { cut / 2 } else { 2 };
        }
    }
    Ok(place)
}

/// The root times 10^point, cut off to a whole number of at least `digits`
/// digits, as text; then the point, and whether nothing was cut off.
fn decimals(
    polynomial: &[BigInt],
    place: Place,
    digits: usize,
    run: &Run,
) -> Result<(String, usize, bool), Stop> {
    // 2^twos is at most the root; 10^tens is surely smaller, by a factor of 10 or more.
    let twos = place.low.bits() as i64 - 1 - place.scale;
    let tens = (twos * 30_103).div_euclid(100_000) - 1;
    let point = (digits as i64 - 1 - tens).max(0) as usize;
    let ten = BigInt::from(10).pow(point as u32);
    // 2^-scale is below 10^-point.
    let place = refine(polynomial, place, point as i64 * 10 / 3 + 1, run)?;
    let one = BigInt::one() << place.scale.max(0);
    let low: BigInt = place.low << (-place.scale).max(0);
    let (number, rest) = (&low * &ten).div_rem(&one);
    if place.exact {
        return Ok((number.to_string(), point, rest.is_zero()));
    }
    // At most one multiple of 10^-point is in reach: is the root there, below or above?
    let next = &number + 1;
    if &next * &one > (low + 1) * &ten {
        return Ok((number.to_string(), point, false));
    }
    Ok(match value(polynomial, &next, &ten).sign() {
        Sign::NoSign => (next.to_string(), point, true),
        Sign::Plus => (number.to_string(), point, false),
        Sign::Minus => (next.to_string(), point, false),
    })
}

/// The digits with a decimal point before the last `point` of them.
fn with_point(digits: &str, point: usize) -> String {
    if point == 0 {
        return digits.to_owned();
    }
    let padded = format!("{digits:0>width$}", width = point + 1);
    let (whole, fraction) = padded.split_at(padded.len() - point);
    format!("{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::super::polynomial::tests::{polynomial, product};
    use super::*;

    fn largest_root(polynomial: &[BigInt], digits: usize) -> Option<Root> {
        super::largest_root(polynomial, digits, &Run::default()).unwrap()
    }

    #[test]
    fn digits_can_be_cancelled() {
        let run = Run::default();
        run.cancel();
        let two = [-2, 0, 1].map(BigInt::from);
        assert_eq!(super::largest_root(&two, 1000, &run), Err(Stop::Cancelled));
    }
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn root(coefficients: &[i64], digits: usize) -> Root {
        largest_root(&polynomial(coefficients), digits).unwrap()
    }

    #[test]
    fn known_constants() {
        // The golden ratio, the root of 2, the plastic number, the tribonacci constant.
        for (coefficients, expected) in [
            (&[-1, -1, 1][..], "1.6180339887498948482045868343656381177203091798057"),
            (&[-2, 0, 1], "1.4142135623730950488016887242096980785696718753769"),
            (&[-1, -1, 0, 1], "1.3247179572447460259609088544780973407344040569017"),
            (&[-1, -1, -1, 1], "1.8392867552141611325518525646532866004241787460975"),
        ] {
            let root = root(coefficients, 50);
            assert_eq!(root.decimal, expected);
            assert!(!root.exact);
            let nearest: f64 = expected.parse().unwrap();
            assert!((root.value - nearest).abs() <= f64::EPSILON, "{}", root.value);
        }
    }

    #[test]
    fn digits_are_cut_off_and_not_rounded() {
        assert_eq!(root(&[-2, 0, 1], 4).decimal, "1.414");
        assert_eq!(root(&[-1, -1, 1], 3).decimal, "1.61");
        assert_eq!(root(&[-1, -1, 1], 0).decimal, "1");
        assert_eq!(root(&[-2_000_000, 0, 1], 2).decimal, "1414");
        assert_eq!(root(&[-2, 0, 1_000_000], 3).decimal, "0.00141");
        assert_eq!(root(&[-2, 3], 5).decimal, "0.66666");
        // Close below 10, where the estimate of the size could slip.
        assert_eq!(root(&[-9_999_999, 1_000_000], 3).decimal, "9.99");
    }

    #[test]
    fn exact_roots_are_known_as_such() {
        for (coefficients, digits, decimal, exact) in [
            (&[-2, 1][..], 3, "2.00", true),
            (&[-1, 10], 3, "0.100", true),
            (&[-1, 8], 3, "0.125", true),
            (&[-1, 8], 2, "0.12", false),
            (&[-1, 3], 2, "0.33", false),
            (&[-1000, 1], 2, "1000", true),
            (&[-10_001, 10], 3, "1000", false),
        ] {
            let root = root(coefficients, digits);
            assert_eq!((&root.decimal[..], root.exact), (decimal, exact), "{coefficients:?}");
        }
    }

    #[test]
    fn no_positive_root() {
        for coefficients in [&[][..], &[5], &[1, 1], &[0, 0, 1], &[1, 0, 1], &[1, -1, 1], &[0; 3]] {
            assert_eq!(largest_root(&polynomial(coefficients), 5), None, "{coefficients:?}");
        }
        assert_eq!(root(&[0, 0, -2, 0, 1, 0], 5).decimal, "1.4142");
    }

    #[test]
    fn repeated_and_neighbouring_roots() {
        let square = product(&polynomial(&[-2, 0, 1]), &polynomial(&[-2, 0, 1]));
        assert_eq!(largest_root(&square, 6).unwrap().decimal, "1.41421");
        // The root of 2 and a fraction that is larger by about 2 * 10^-12.
        let close = product(&square, &polynomial(&[-1_414_213_562_375, 1_000_000_000_000]));
        let root = largest_root(&close, 13).unwrap();
        assert_eq!((&root.decimal[..], root.exact), ("1.414213562375", true));
        // Roots at ends of intervals: 1, 2, and one just above each.
        let ends = product(&polynomial(&[2, -3, 1]), &polynomial(&[-2_000_001, 1_000_000]));
        assert_eq!(largest_root(&ends, 7).unwrap().decimal, "2.000001");
    }

    #[test]
    fn growth_of_one_line_go() {
        let terms: Vec<BigInt> = [1, 5, 15, 41, 113, 313, 867].map(BigInt::from).into();
        let go = Recurrence::find(&terms, 0, &Run::default()).unwrap();
        let growth = growth(&go, 12, &Run::default()).unwrap().unwrap();
        assert_eq!(growth.decimal, "2.76929235423");
        let n = 400;
        let ratio = BigInt::from(10).pow(11) * go.nth(n + 1) / go.nth(n);
        assert_eq!(ratio.to_string(), growth.decimal.replace('.', ""));
    }

    proptest! {
        #[test]
        fn products_of_known_factors(
            roots in vec((-300i64..300, 1i64..40), 1..7), complex in vec((-9i64..10, 1i64..50), 0..3),
        ) {
            let mut all = polynomial(&[1]);
            for &(n, d) in &roots {
                all = product(&all, &polynomial(&[-n, d]));
            }
            for &(a, b) in &complex {
                // (x - a)^2 + b has no real root.
                all = product(&all, &polynomial(&[a * a + b, -2 * a, 1]));
            }
            let largest = roots.iter().max_by_key(|(n, d)| n * 1_000_000 / d).filter(|r| r.0 > 0);
            let found = largest_root(&all, 30);
            prop_assert_eq!(found.is_some(), largest.is_some());
            if let (Some(found), Some(&(n, d))) = (found, largest) {
                let scale = found.decimal.len() - 1 - found.decimal.find('.').unwrap();
                let digits: BigInt = found.decimal.replace('.', "").parse().unwrap();
                let (expected, rest) = (BigInt::from(10).pow(scale as u32) * n).div_rem(&d.into());
                prop_assert_eq!(digits, expected);
                prop_assert_eq!(found.exact, rest.is_zero());
                prop_assert!((found.value - n as f64 / d as f64).abs() <= 1e-15 * found.value);
                let significant = found.decimal.replace('.', "");
                prop_assert_eq!(significant.trim_start_matches('0').len(), 30);
            }
        }

        #[test]
        fn digits_of_square_roots(n in 1u64.., digits in 1usize..60) {
            let root = largest_root(&[-BigInt::from(n), BigInt::ZERO, BigInt::one()], digits).unwrap();
            let scale = root.decimal.find('.').map_or(0, |point| root.decimal.len() - 1 - point);
            let expected = (BigInt::from(n) * BigInt::from(100).pow(scale as u32)).sqrt();
            prop_assert_eq!(root.decimal.replace('.', ""), expected.to_string());
            prop_assert_eq!(root.exact, expected.pow(2) == n * BigInt::from(100).pow(scale as u32));
            prop_assert!(root.decimal.len() - usize::from(scale > 0) >= digits);
        }
    }
}
