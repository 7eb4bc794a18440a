//! What [`super::growth()`] needs of polynomials with integer coefficients.
//!
//! A polynomial is the list of its coefficients from the constant upwards; the
//! last one is not 0, and the polynomial 0 is the empty list.

use super::modular::{Modulus, primes};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, Zero};

use crate::run::{Run, Stop};

/// Without zeros at the end.
fn trimmed(mut p: Vec<BigInt>) -> Vec<BigInt> {
    while p.last().is_some_and(Zero::is_zero) {
        p.pop();
    }
    p
}

/// Divided by the greatest common divisor of its coefficients, and with a
/// positive leading one.
pub(super) fn primitive(p: Vec<BigInt>) -> Vec<BigInt> {
    let mut p = trimmed(p);
    let mut content = BigInt::ZERO;
    for c in &p {
        content = content.gcd(c);
    }
    if p.last().is_some_and(Signed::is_negative) {
        content = -content;
    }
    for c in &mut p {
        *c /= &content;
    }
    p
}

/// The derivative.
fn derivative(p: &[BigInt]) -> Vec<BigInt> {
    p.iter().enumerate().skip(1).map(|(i, c)| c * i).collect()
}

/// The primitive polynomial with the same roots, each of them once.
pub(super) fn squarefree(p: &[BigInt], run: &Run) -> Result<Vec<BigInt>, Stop> {
    let p = primitive(p.to_vec());
    if p.len() < 2 || primes().take(2).any(|m| squarefree_modulo(&p, m)) {
        return Ok(p);
    }
    let common = gcd(p.clone(), derivative(&p), run)?;
    Ok(quotient(p, &common))
}

/// Whether p has no repeated factor modulo a prime that leaves its degree as it
/// is. Then it has none at all: a square factor would still be one.
fn squarefree_modulo(p: &[BigInt], modulus: Modulus) -> bool {
    let residues = |p: &[BigInt]| p.iter().map(|c| modulus.reduce_big(c)).collect::<Vec<u64>>();
    let (mut a, mut b) = (residues(p), residues(&derivative(p)));
    if a.last() == Some(&0) {
        return false;
    }
    // Euclid's algorithm; both stay trimmed.
    let trim = |p: &mut Vec<u64>| p.truncate(p.iter().rposition(|&c| c != 0).map_or(0, |i| i + 1));
    trim(&mut b);
    while let Some(inverse) = b.last().and_then(|&lead| modulus.inverse(lead)) {
        while a.len() >= b.len() {
            let lead = a[a.len() - 1];
            let factor = modulus.multiplier(modulus.mul(modulus.sub(0, lead), inverse));
            let shift = a.len() - b.len();
            for (to, &from) in a[shift..].iter_mut().zip(&b) {
                *to = modulus.add(*to, factor.mul(from));
            }
            trim(&mut a);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.len() == 1
}

/// The greatest common divisor, primitive, by a sequence of primitive
/// remainders (Knuth, TAOCP 4.6.1, algorithm E).
fn gcd(a: Vec<BigInt>, b: Vec<BigInt>, run: &Run) -> Result<Vec<BigInt>, Stop> {
    let (mut a, mut b) = (primitive(a), primitive(b));
    while let Some(b_lead) = b.last() {
        while a.len() >= b.len() {
            run.check()?;
            let a_lead = &a[a.len() - 1];
            let common = a_lead.gcd(b_lead);
            let (up, down) = (b_lead / &common, a_lead / &common);
            let shift = a.len() - b.len();
            for c in &mut a {
                *c *= &up;
            }
            for (to, from) in a[shift..].iter_mut().zip(&b) {
                *to -= &down * from;
            }
            a = trimmed(a);
        }
        a = primitive(a);
        std::mem::swap(&mut a, &mut b);
    }
    Ok(a)
}

/// p / q where q divides p and both are primitive, so that (by Gauss's lemma)
/// no fractions come up.
fn quotient(mut p: Vec<BigInt>, q: &[BigInt]) -> Vec<BigInt> {
    let mut quotient = Vec::new();
    while p.len() >= q.len() {
        let factor = &p[p.len() - 1] / &q[q.len() - 1];
        let shift = p.len() - q.len();
        for (to, from) in p[shift..].iter_mut().zip(q) {
            *to -= &factor * from;
        }
        p.pop();
        quotient.push(factor);
    }
    quotient.reverse();
    quotient
}

/// p(numerator / denominator) times denominator^degree.
pub(super) fn value(p: &[BigInt], numerator: &BigInt, denominator: &BigInt) -> BigInt {
    let mut power = BigInt::from(1);
    let mut value = BigInt::ZERO;
    for c in p.iter().rev() {
        value = value * numerator + c * &power;
        power *= denominator;
    }
    value
}

/// p(x + 1).
pub(super) fn shift_by_one(p: &mut [BigInt], run: &Run) -> Result<(), Stop> {
    for from in 0..p.len() {
        run.check()?;
        for i in (from..p.len() - 1).rev() {
            let (low, high) = p.split_at_mut(i + 1);
            low[i] += &high[0];
        }
    }
    Ok(())
}

/// How often the sign changes from one coefficient to the next that is not 0.
///
/// By Descartes' rule this is the number of positive roots, or larger by an even
/// number.
pub(super) fn sign_changes(p: &[BigInt]) -> usize {
    let mut last = Sign::NoSign;
    let mut changes = 0;
    for sign in p.iter().map(BigInt::sign).filter(|&sign| sign != Sign::NoSign) {
        changes += usize::from(last != Sign::NoSign && sign != last);
        last = sign;
    }
    changes
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn gcd(a: Vec<BigInt>, b: Vec<BigInt>) -> Vec<BigInt> {
        super::gcd(a, b, &Run::default()).unwrap()
    }

    fn squarefree(p: &[BigInt]) -> Vec<BigInt> {
        super::squarefree(p, &Run::default()).unwrap()
    }
    use proptest::collection::vec;
    use proptest::prelude::*;

    pub(in super::super) fn product(a: &[BigInt], b: &[BigInt]) -> Vec<BigInt> {
        let mut product = vec![BigInt::ZERO; (a.len() + b.len()).saturating_sub(1)];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] += x * y;
            }
        }
        product
    }

    pub(in super::super) fn polynomial(coefficients: &[i64]) -> Vec<BigInt> {
        coefficients.iter().map(|&c| c.into()).collect()
    }

    fn any_polynomial() -> impl Strategy<Value = Vec<BigInt>> {
        vec(-9i64..10, 1..6).prop_map(|p| primitive(polynomial(&p)))
    }

    proptest! {
        #[test]
        fn common_divisors_are_found(
            a in any_polynomial(), b in any_polynomial(), c in any_polynomial(),
        ) {
            prop_assume!(!a.is_empty() && !b.is_empty() && !c.is_empty());
            let (ac, bc) = (product(&a, &c), product(&b, &c));
            prop_assert_eq!(gcd(ac.clone(), bc), primitive(product(&gcd(a.clone(), b), &c)));
            prop_assert_eq!(quotient(ac, &c), a);
        }

        #[test]
        fn repeated_factors_are_taken_once(a in any_polynomial(), b in any_polynomial()) {
            prop_assume!(!a.is_empty() && !b.is_empty());
            let once = squarefree(&product(&a, &b));
            let twice = squarefree(&product(&product(&a, &a), &product(&b, &product(&b, &b))));
            prop_assert_eq!(&once, &twice);
            prop_assert_eq!(gcd(once.clone(), derivative(&once)).len(), 1);
        }

        #[test]
        fn shifts_move_the_argument(p in any_polynomial(), x in -20i64..20, d in 1i64..20) {
            let mut shifted = p.clone();
            shift_by_one(&mut shifted, &Run::default()).unwrap();
            let d = BigInt::from(d);
            prop_assert_eq!(value(&shifted, &x.into(), &d), value(&p, &(&d + x), &d));
        }
    }

    #[test]
    fn a_prime_sees_repeated_factors() {
        let m = primes().next().unwrap();
        assert!(squarefree_modulo(&polynomial(&[-2, 0, 1]), m));
        assert!(!squarefree_modulo(&polynomial(&[1, 2, 1]), m));
        // (p x + 1)^2 (x - 2) is x - 2 modulo p, which proves nothing.
        let vanishing = [BigInt::from(1), BigInt::from(m.prime())];
        let hidden = product(&product(&vanishing, &vanishing), &polynomial(&[-2, 1]));
        assert!(!squarefree_modulo(&hidden, m));
    }

    #[test]
    fn values_and_sign_changes() {
        let p = polynomial(&[1, 0, -3, 2]);
        assert_eq!(value(&p, &BigInt::from(1), &BigInt::from(2)), BigInt::from(8 - 6 + 2));
        assert_eq!(sign_changes(&p), 2);
        assert_eq!(sign_changes(&[]), 0);
    }
}
