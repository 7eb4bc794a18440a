//! The shortest linear recurrence of a sequence modulo a prime.
//!
//! A **recurrence of order L** says a(n) = c(0) a(n-1) + ... + c(L-1) a(n-L) for
//! all n from L on; it says nothing of the first L terms. [`Shortest`] takes
//! the terms one by one and knows, after each, the least order that fits all
//! terms so far (E. Berlekamp, 1968; J. Massey, "Shift-register synthesis and
//! BCH decoding", 1969). A term that does not fit raises the order from L to
//! n + 1 - L, or, where this would not raise it, mends the coefficients.
//!
//! **What is certain.** The order found is always the least that fits. The
//! coefficients are the only ones if 2L is at most the number of terms. And if
//! the whole infinite sequence is known to obey *some* recurrence of order at
//! most B, then after 2B terms the one found is its recurrence for ever.
//! Without such a bound, each term beyond 2L is a test that was passed, and no
//! proof.
//!
//! A last coefficient of 0 shows a *false start*: the terms after the first
//! obey a recurrence that is shorter by one.
//!
//! Each term costs at most 2L products: 100,000 terms of order 50,000 take
//! 5 * 10^9.

use super::modular::Modulus;
use crate::run::{Run, Stop};

/// How many products of residues may be added before a reduction.
///
/// Residues are at most 2^61 - 2, so 64 products and a residue stay below
/// 64 (2^61 - 2)^2 + 2^61 = 2^128 - 2^69 + 2^8 + 2^61 < 2^128.
const TOGETHER: usize = 64;

/// The shortest recurrence of the terms so far; see the [module](self).
#[derive(Clone, Debug)]
pub struct Shortest {
    modulus: Modulus,
    terms: Vec<u64>,
    order: usize,
    /// 1 - c(0) x - c(1) x^2 - ..., low to high: its product with the terms is 0.
    relation: Vec<u64>,
    /// The relation before the order last rose.
    earlier: Vec<u64>,
    /// The inverse of what `earlier` then failed by.
    earlier_inverse: u64,
    /// How many terms ago that was.
    age: usize,
    /// Kept for its memory.
    spare: Vec<u64>,
}

impl Shortest {
    /// No terms yet.
    pub fn new(modulus: Modulus) -> Self {
        Shortest {
            modulus,
            terms: Vec::new(),
            order: 0,
            relation: vec![1],
            earlier: vec![1],
            earlier_inverse: 1,
            age: 1,
            spare: Vec::new(),
        }
    }

    /// Takes the next term (of any size) and returns whether the recurrence so far
    /// fits it.
    pub fn push(&mut self, term: u64) -> bool {
        let modulus = self.modulus;
        let place = self.terms.len();
        self.terms.push(modulus.reduce(term));
        let last = &self.terms[place + 1 - self.relation.len()..];
        let surprise = dot_reversed(modulus, &self.relation, last);
        if surprise == 0 {
            self.age += 1;
            return true;
        }
        let rises = 2 * self.order <= place;
        if rises {
            self.spare.clone_from(&self.relation);
        }
        let factor = modulus.mul(modulus.sub(0, surprise), self.earlier_inverse);
        let factor = modulus.multiplier(factor);
        let length = self.relation.len().max(self.age + self.earlier.len());
        self.relation.resize(length, 0);
        for (to, &from) in self.relation[self.age..].iter_mut().zip(&self.earlier) {
            *to = modulus.add(*to, factor.mul(from));
        }
        if rises {
            self.order = place + 1 - self.order;
            std::mem::swap(&mut self.earlier, &mut self.spare);
            // The surprise is not 0, so it has an inverse.
            self.earlier_inverse = modulus.inverse(surprise).unwrap_or(0);
            self.age = 1;
        } else {
            self.age += 1;
        }
        false
    }

    /// The least order of a recurrence that fits all terms so far.
    pub fn order(&self) -> usize {
        self.order
    }

    /// How many terms there were.
    pub fn terms(&self) -> usize {
        self.terms.len()
    }

    /// The coefficients c(0), c(1), ...: as many as the order.
    pub fn coefficients(&self) -> Vec<u64> {
        let mut coefficients: Vec<u64> =
            self.relation[1..].iter().map(|&c| self.modulus.sub(0, c)).collect();
        coefficients.resize(self.order, 0);
        coefficients
    }
}

/// The first of one times the last of the other, and so on, added up.
fn dot_reversed(modulus: Modulus, a: &[u64], b: &[u64]) -> u64 {
    a.chunks(TOGETHER).zip(b.rchunks(TOGETHER)).fold(0, |sum, (a, b)| {
        let products = a.iter().zip(b.iter().rev()).map(|(&a, &b)| u128::from(a) * u128::from(b));
        modulus.reduce_wide(u128::from(sum) + products.sum::<u128>())
    })
}

/// The shortest recurrence of `terms`: coefficients c with
/// a(n) = c\[0\] a(n-1) + ... + c\[L-1\] a(n-L).
pub fn shortest(terms: &[u64], modulus: Modulus, run: &Run) -> Result<Vec<u64>, Stop> {
    let mut shortest = Shortest::new(modulus);
    for &term in terms {
        run.check()?;
        shortest.push(term);
    }
    Ok(shortest.coefficients())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortest(terms: &[u64], modulus: Modulus) -> Vec<u64> {
        super::shortest(terms, modulus, &Run::default()).unwrap()
    }
    use crate::number::modular::primes;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn largest() -> Modulus {
        primes().next().unwrap()
    }

    /// The terms that follow `first` by the recurrence, `count` in all.
    fn terms(modulus: Modulus, coefficients: &[u64], first: &[u64], count: usize) -> Vec<u64> {
        let mut terms = first.to_vec();
        while terms.len() < count {
            let recent = terms.iter().rev();
            let products = coefficients.iter().zip(recent).map(|(&c, &a)| modulus.mul(c, a));
            let next = products.fold(0, |sum, product| modulus.add(sum, product));
            terms.push(next);
        }
        terms
    }

    /// The least order that fits, by trying all coefficients.
    fn least_order(prime: u64, terms: &[u64]) -> usize {
        let modulus = Modulus::new(prime).unwrap();
        (0..=terms.len())
            .find(|&order| {
                (0..prime.pow(order as u32)).any(|code| {
                    let digit = |i: usize| code / prime.pow(i as u32) % prime;
                    let coefficients: Vec<u64> = (0..order).map(digit).collect();
                    let start = order.min(terms.len());
                    self::terms(modulus, &coefficients, &terms[..start], terms.len()) == terms
                })
            })
            .unwrap()
    }

    proptest! {
        #[test]
        fn the_order_is_the_least(short in vec(0u64..3, 0..9)) {
            let modulus = Modulus::new(3).unwrap();
            let found = shortest(&short, modulus);
            prop_assert_eq!(found.len(), least_order(3, &short));
            prop_assert_eq!(terms(modulus, &found, &short[..found.len()], short.len()), short);
        }

        #[test]
        fn random_recurrences_are_found_again(
            random in vec((0..(1u64 << 61) - 1, 0..(1u64 << 61) - 1), 0..150), extra in 0usize..9,
        ) {
            let modulus = largest();
            let (coefficients, first): (Vec<u64>, Vec<u64>) = random.into_iter().unzip();
            let order = coefficients.len();
            let all = terms(modulus, &coefficients, &first, 2 * order + extra);
            let found = shortest(&all, modulus);
            // That a random one is not the shortest has a chance of 2^-61.
            prop_assert_eq!(found, coefficients);
        }
    }

    #[test]
    fn a_false_start_shows_as_last_coefficients_of_zero() {
        let modulus = largest();
        assert_eq!(shortest(&[7, 9, 1, 2, 4, 8, 16, 32, 64], modulus), [2, 0, 0]);
        assert_eq!(shortest(&[0, 0, 0], modulus), []);
        assert_eq!(shortest(&[0, 0, 5, 0, 0, 0], modulus), [0, 0, 0]);
    }

    #[test]
    fn a_term_is_foreseen_or_not() {
        let mut fibonacci = Shortest::new(largest());
        let foreseen: Vec<bool> = [1, 1, 2, 3, 5, 8, 14].map(|term| fibonacci.push(term)).into();
        assert_eq!(foreseen, [false, true, false, true, true, true, false]);
        assert_eq!((fibonacci.terms(), fibonacci.order()), (7, 5));
    }

    #[test]
    fn long_sums_of_the_largest_residues_do_not_overflow() {
        let modulus = largest();
        let last = vec![modulus.prime() - 1; 1000];
        assert_eq!(dot_reversed(modulus, &last, &last), 1000);
    }
}
