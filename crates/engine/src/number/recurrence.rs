//! The shortest recurrence of a sequence of integers.
//!
//! [`Recurrence::find`] looks for the recurrence modulo one prime after
//! another ([`Shortest`]), puts the coefficients together by Chinese remainders
//! and then forgets where they came from: what it returns has been checked in
//! exact arithmetic on *all* the terms given.
//!
//! Why this is enough, and ends:
//!
//! - A recurrence with integer coefficients also holds modulo every prime p. So
//!   the order modulo p is never larger than the order over the integers, and a
//!   recurrence that was found modulo p and holds exactly is a shortest one. For
//!   the same reason a single prime proves that there is none of small order.
//! - A prime is *unlucky* if its order is smaller. There are only finitely many,
//!   and images of different order are never mixed.
//! - The shortest recurrence of an integer sequence has integer coefficients
//!   (P. Fatou, "Séries trigonométriques et séries de Taylor", 1906). Some terms may nevertheless
//!   fit a shortest recurrence with fractions, like 4, 2, 1. No integer
//!   recurrence that is as short as asked for fits these terms (by Gauss's lemma
//!   a monic integer polynomial has no monic factor with fractions), so the
//!   search ends when [`rational`] has recognised the fractions.
//!
//! What is *not* proved is that the terms after the last one given obey the
//! recurrence too: [`Recurrence::checked`] says how many terms put it to the
//! test, and a bound on the order from elsewhere makes it a proof (see
//! [`super::berlekamp_massey`]).

use super::berlekamp_massey::Shortest;
use super::modular::{Modulus, primes};
use super::rational::rational;
use crate::run::{Run, Stop};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// A linear recurrence with integer coefficients, and the terms it begins with.
///
/// Terms are numbered from 0. The first [`start`](Self::start) of them are free;
/// from term `start + order` on, a(n) = c(0) a(n-1) + ... + c(L-1) a(n-L).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    coefficients: Vec<BigInt>,
    initial: Vec<BigInt>,
    checked: usize,
}

/// No integer recurrence that is short enough to be tested fits the terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRecurrence {
    /// How many terms there were.
    pub terms: usize,
    /// How many of the first were allowed not to fit.
    pub skipped: usize,
    /// All orders up to this one are ruled out.
    pub order: usize,
}

impl fmt::Display for NoRecurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoRecurrence { terms, skipped, order } = self;
        if *terms == 0 {
            return write!(f, "without terms there is no recurrence to be found");
        }
        write!(f, "no recurrence of order {order} or less fits the {terms} terms")?;
        if *skipped > 0 {
            write!(f, ", even without up to {skipped} of the first")?;
        }
        Ok(())
    }
}

impl std::error::Error for NoRecurrence {}

/// Why no recurrence was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindError {
    /// There is none.
    None(NoRecurrence),
    /// A limit was hit.
    Stop(Stop),
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FindError::None(none) => none.fmt(f),
            FindError::Stop(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for FindError {}

impl From<Stop> for FindError {
    fn from(stop: Stop) -> Self {
        FindError::Stop(stop)
    }
}

impl Recurrence {
    /// A recurrence from elsewhere, of which nothing is checked; `None` if there
    /// are fewer initial terms than coefficients.
    pub fn given(coefficients: Vec<BigInt>, initial: Vec<BigInt>) -> Option<Self> {
        let enough = initial.len() >= coefficients.len();
        enough.then_some(Recurrence { coefficients, initial, checked: 0 })
    }

    /// The shortest recurrence of the terms, after leaving out as few of the
    /// first as possible and `skip_at_most` at most.
    ///
    /// It is checked on all terms, and at least one term beyond the 2L that
    /// determine it is asked for, so that there is something to check.
    pub fn find(terms: &[BigInt], skip_at_most: usize, run: &Run) -> Result<Self, FindError> {
        let skip_at_most = skip_at_most.min(terms.len().saturating_sub(1));
        for skip in 0..=skip_at_most {
            let Some(mut coefficients) = fit(&terms[skip..], run)? else { continue };
            // A last coefficient of 0 is a term that should have been skipped.
            let mut start = skip;
            while start < skip_at_most && coefficients.last().is_some_and(Zero::is_zero) {
                coefficients.pop();
                start += 1;
            }
            let order = coefficients.len();
            let initial = terms[..start + order].to_vec();
            let checked = terms.len() - start - 2 * order;
            return Ok(Recurrence { coefficients, initial, checked });
        }
        let order = longest_order(terms.len() - skip_at_most);
        Err(FindError::None(NoRecurrence { terms: terms.len(), skipped: skip_at_most, order }))
    }

    /// How many terms back it looks.
    pub fn order(&self) -> usize {
        self.coefficients.len()
    }

    /// c(0), c(1), ...: the factors of the term before, of the one before that, ...
    pub fn coefficients(&self) -> &[BigInt] {
        &self.coefficients
    }

    /// The terms it begins with: `start` free ones and as many as the order.
    pub fn initial(&self) -> &[BigInt] {
        &self.initial
    }

    /// How many terms at the beginning have nothing to do with it.
    pub fn start(&self) -> usize {
        self.initial.len() - self.coefficients.len()
    }

    /// How many terms put it to the test, beyond the 2L that determine it.
    pub fn checked(&self) -> usize {
        self.checked
    }

    /// The characteristic polynomial x^L - c(0) x^(L-1) - ... - c(L-1), from its
    /// constant to its leading coefficient, which is 1.
    pub fn characteristic(&self) -> Vec<BigInt> {
        let lower = self.coefficients.iter().rev().map(|c| -c);
        lower.chain([BigInt::one()]).collect()
    }

    /// All terms from term 0 on, without end.
    pub fn terms(&self) -> impl Iterator<Item = BigInt> {
        let mut recent: VecDeque<BigInt> = self.initial[self.start()..].iter().cloned().collect();
        let further = std::iter::repeat_with(move || {
            let next = self.coefficients.iter().zip(recent.iter().rev()).map(|(c, a)| c * a).sum();
            recent.push_back(BigInt::clone(&next));
            recent.pop_front();
            next
        });
        self.initial.iter().cloned().chain(further)
    }

    /// Term `n`, where the first is term 0. It takes n times L products.
    pub fn nth(&self, n: usize) -> BigInt {
        // There is no end of terms, so there is an nth.
        self.terms().nth(n).unwrap_or_default()
    }
}

impl fmt::Display for Recurrence {
    /// As text: `a(n) = 3 a(n-1) - a(n-2)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a(n) =")?;
        let mut first = true;
        for (i, c) in self.coefficients.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            match (first, c.is_negative()) {
                (true, false) => write!(f, " ")?,
                (true, true) => write!(f, " -")?,
                (false, false) => write!(f, " + ")?,
                (false, true) => write!(f, " - ")?,
            }
            if !c.magnitude().is_one() {
                write!(f, "{} ", c.magnitude())?;
            }
            write!(f, "a(n-{})", i + 1)?;
            first = false;
        }
        if first { write!(f, " 0") } else { Ok(()) }
    }
}

/// The largest order that so many terms determine and one more can check.
fn longest_order(terms: usize) -> usize {
    terms.saturating_sub(1) / 2
}

/// The integer coefficients of the shortest recurrence of all the terms; `None`
/// if there is none of [`longest_order`] or less.
fn fit(terms: &[BigInt], run: &Run) -> Result<Option<Vec<BigInt>>, Stop> {
    if terms.is_empty() {
        return Ok(None);
    }
    let longest = longest_order(terms.len());
    let mut images: BTreeMap<usize, Image> = BTreeMap::new();
    for modulus in primes() {
        let mut shortest = Shortest::new(modulus);
        for term in terms {
            run.check()?;
            shortest.push(modulus.reduce_big(term));
            if shortest.order() > longest {
                return Ok(None);
            }
        }
        let image = images.entry(shortest.order()).or_default();
        image.add(modulus, &shortest.coefficients());
        let integers = image.integers();
        if holds(&BigInt::one(), &integers, terms, run)? {
            return Ok(Some(integers));
        }
        // Fractions take twice as many primes and much longer to recognise.
        if image.primes.is_power_of_two()
            && let Some((denominator, numerators)) = image.fractions()
            && holds(&denominator, &numerators, terms, run)?
        {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Whether denominator * a(n) = numerators(0) a(n-1) + ... wherever it should.
fn holds(
    denominator: &BigInt,
    numerators: &[BigInt],
    terms: &[BigInt],
    run: &Run,
) -> Result<bool, Stop> {
    for n in numerators.len()..terms.len() {
        run.check()?;
        let before = terms[..n].iter().rev();
        let sum: BigInt = numerators.iter().zip(before).map(|(c, a)| c * a).sum();
        if sum != denominator * &terms[n] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Coefficients modulo the product of some primes.
struct Image {
    primes: usize,
    product: BigUint,
    residues: Vec<BigUint>,
}

impl Default for Image {
    fn default() -> Self {
        Image { primes: 0, product: BigUint::one(), residues: Vec::new() }
    }
}

impl Image {
    /// Adds the coefficients modulo one prime more.
    fn add(&mut self, modulus: Modulus, coefficients: &[u64]) {
        self.residues.resize(coefficients.len(), BigUint::ZERO);
        let product = BigInt::from(self.product.clone());
        // The primes differ, so the product of the others has an inverse.
        let inverse = modulus.inverse(modulus.reduce_big(&product)).unwrap_or(0);
        for (residue, &coefficient) in self.residues.iter_mut().zip(coefficients) {
            let known = modulus.reduce_big(&BigInt::from(residue.clone()));
            let digit = modulus.mul(modulus.sub(coefficient, known), inverse);
            *residue += &self.product * digit;
        }
        self.product *= modulus.prime();
        self.primes += 1;
    }

    /// The integers nearest to 0.
    fn integers(&self) -> Vec<BigInt> {
        let half = &self.product >> 1u8;
        let nearest = |residue: &BigUint| {
            let negative = if *residue > half { self.product.clone() } else { BigUint::ZERO };
            BigInt::from(residue.clone()) - BigInt::from(negative)
        };
        self.residues.iter().map(nearest).collect()
    }

    /// The fractions within Wang's bound, over a common denominator.
    fn fractions(&self) -> Option<(BigInt, Vec<BigInt>)> {
        let fractions = self.residues.iter().map(|residue| rational(residue, &self.product));
        let fractions = fractions.collect::<Option<Vec<_>>>()?;
        let common = fractions.iter().fold(BigInt::one(), |common, (_, d)| common.lcm(d));
        let numerators = fractions.iter().map(|(n, d)| n * (&common / d)).collect();
        Some((common, numerators))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn integers(numbers: &[i64]) -> Vec<BigInt> {
        numbers.iter().map(|&n| n.into()).collect()
    }

    fn find(terms: &[BigInt], skip_at_most: usize) -> Result<Recurrence, NoRecurrence> {
        Recurrence::find(terms, skip_at_most, &Run::default()).map_err(|error| match error {
            FindError::None(none) => none,
            FindError::Stop(stop) => panic!("{stop}"),
        })
    }

    #[test]
    fn a_search_can_be_cancelled() {
        let run = Run::default();
        run.cancel();
        let stopped = Recurrence::find(&integers(&[1, 2, 4, 8, 16]), 0, &run);
        assert_eq!(stopped, Err(FindError::Stop(Stop::Cancelled)));
    }

    fn found(numbers: &[i64]) -> Recurrence {
        find(&integers(numbers), 0).unwrap()
    }

    #[test]
    fn known_sequences() {
        let fibonacci = found(&[0, 1, 1, 2, 3, 5, 8, 13]);
        assert_eq!(fibonacci.to_string(), "a(n) = a(n-1) + a(n-2)");
        assert_eq!((fibonacci.order(), fibonacci.checked(), fibonacci.start()), (2, 4, 0));
        assert_eq!(fibonacci.nth(100).to_string(), "354224848179261915075");
        let pell = found(&[0, 1, 2, 5, 12, 29]);
        assert_eq!(pell.to_string(), "a(n) = 2 a(n-1) + a(n-2)");
        let squares = found(&[0, 1, 4, 9, 16, 25, 36]);
        assert_eq!(squares.to_string(), "a(n) = 3 a(n-1) - 3 a(n-2) + a(n-3)");
        assert_eq!(squares.characteristic(), integers(&[-1, 3, -3, 1]));
        assert_eq!(squares.nth(1000), BigInt::from(1_000_000));
        assert_eq!(found(&[1, -1, 1]).to_string(), "a(n) = -a(n-1)");
        assert_eq!(found(&[1, 0, 2, 0, 4]).to_string(), "a(n) = 2 a(n-2)");
        assert_eq!(found(&[0]).to_string(), "a(n) = 0");
    }

    /// Legal Go positions on 1 × n boards (J. Tromp and G. Farnebäck,
    /// "Combinatorics of Go", 2007).
    #[test]
    fn legal_positions_of_one_line_go() {
        let go = found(&[1, 5, 15, 41, 113, 313, 867]);
        assert_eq!(go.to_string(), "a(n) = 3 a(n-1) - a(n-2) + a(n-3)");
        assert_eq!((go.order(), go.checked()), (3, 1));
        assert_eq!(go.nth(7), BigInt::from(3 * 867 - 313 + 113));
    }

    #[test]
    fn the_first_terms_may_be_left_out() {
        let terms = integers(&[9, 7, 1, 1, 2, 3, 5, 8, 13, 21, 34]);
        let late = find(&terms, 3).unwrap();
        assert_eq!(late.to_string(), "a(n) = a(n-1) + a(n-2)");
        assert_eq!((late.start(), late.checked()), (2, 5));
        assert_eq!(late.initial(), &terms[..4]);
        assert!(late.terms().take(terms.len()).eq(terms.iter().cloned()));
        assert_eq!(late.nth(11), BigInt::from(55));
        // Without leave to skip, coefficients of 0 reach over the false start.
        let whole = find(&terms, 0).unwrap();
        assert_eq!(whole.coefficients(), integers(&[1, 1, 0, 0]));
        assert!(whole.terms().take(terms.len()).eq(terms.iter().cloned()));
        let one = find(&terms, 1).unwrap();
        assert_eq!((one.start(), one.coefficients()), (1, &integers(&[1, 1, 0])[..]));
        // Too few terms for a whole recurrence, enough once two are left out.
        assert!(find(&terms[..7], 1).is_err());
        assert_eq!(find(&terms[..7], 2).unwrap().checked(), 1);
    }

    #[test]
    fn no_recurrence_is_said_so() {
        let primes = integers(&[2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
        let none = find(&primes, 2).unwrap_err();
        assert_eq!(none, NoRecurrence { terms: 10, skipped: 2, order: 3 });
        assert_eq!(
            none.to_string(),
            "no recurrence of order 3 or less fits the 10 terms, even without up to 2 of the first"
        );
        let none = find(&[], 5).unwrap_err();
        assert_eq!(none.to_string(), "without terms there is no recurrence to be found");
        assert!(find(&integers(&[1]), 0).is_err());
        assert!(find(&integers(&[1, 2]), 0).is_err());
    }

    #[test]
    fn fractions_are_refused() {
        let none = find(&integers(&[16, 8, 4, 2, 1]), 0).unwrap_err();
        assert_eq!(none, NoRecurrence { terms: 5, skipped: 0, order: 2 });
        assert!(find(&integers(&[81, 54, 36, 24, 16]), 1).is_err());
    }

    #[test]
    fn unlucky_primes_are_passed_over() {
        // Modulo each of the first three primes, these are 1, 1, 1, ...
        let product: BigInt = primes().take(3).map(|m| BigInt::from(m.prime())).product();
        let terms: Vec<BigInt> =
            (0..12).map(|n| BigInt::one() + &product * (BigInt::one() << n)).collect();
        let found = find(&terms, 0).unwrap();
        assert_eq!(found.to_string(), "a(n) = 3 a(n-1) - 2 a(n-2)");
    }

    #[test]
    fn a_recurrence_modulo_a_prime_is_not_yet_one() {
        let mut terms = integers(&[1, 2, 4, 8]);
        terms[3] += primes().next().unwrap().prime();
        assert!(find(&terms, 0).is_err());
    }

    #[test]
    fn given_recurrences_need_enough_terms() {
        assert_eq!(Recurrence::given(integers(&[1, 1]), integers(&[1])), None);
        let lucas = Recurrence::given(integers(&[1, 1]), integers(&[2, 1])).unwrap();
        let terms: Vec<BigInt> = lucas.terms().take(7).collect();
        assert_eq!(terms, integers(&[2, 1, 3, 4, 7, 11, 18]));
    }

    proptest! {
        #[test]
        fn random_recurrences_are_found_again(
            random in vec((any::<i128>(), any::<i64>()), 0..8), extra in 1usize..5, wrong in 0usize..30,
        ) {
            let (coefficients, first): (Vec<i128>, Vec<i64>) = random.into_iter().unzip();
            let coefficients = coefficients.into_iter().map(BigInt::from).collect::<Vec<_>>();
            let order = coefficients.len();
            let given = Recurrence::given(coefficients.clone(), integers(&first)).unwrap();
            let mut terms: Vec<BigInt> = given.terms().take(2 * order + extra).collect();
            let found = find(&terms, 0).unwrap();
            prop_assert_eq!(found.coefficients(), &coefficients);
            prop_assert_eq!(found.checked(), extra);
            let wrong = wrong % terms.len();
            terms[wrong] += 1;
            let other = find(&terms, 0);
            prop_assert!(other.is_err() || other.unwrap().coefficients() != coefficients);
        }

        #[test]
        fn what_is_found_holds_and_what_is_ruled_out_does_not(small in vec(-2i64..3, 1..8)) {
            // The shortest recurrence of order 2 or less with coefficients up to 9.
            let digits = || -9..10;
            let none = [vec![]].into_iter();
            let one = digits().map(|a| vec![a]);
            let two = digits().flat_map(|a| digits().map(move |b| vec![a, b]));
            let fits = |c: &Vec<i64>| {
                let next = |n: usize| c.iter().zip(small[..n].iter().rev()).map(|(c, a)| c * a).sum();
                (c.len()..small.len()).all(|n| small[n] == next(n))
            };
            let allowed = |c: &Vec<i64>| c.len() <= longest_order(small.len());
            let expected = none.chain(one).chain(two).filter(allowed).find(fits);
            let terms = integers(&small);
            let found = find(&terms, 0).ok();
            if let Some(found) = &found {
                prop_assert!(found.terms().take(terms.len()).eq(terms));
            }
            let in_reach = found.filter(|found| {
                found.order() <= 2 && found.coefficients().iter().all(|c| c.magnitude() <= &9u8.into())
            });
            prop_assert_eq!(in_reach.map(|r| r.coefficients), expected.map(|c| integers(&c)));
        }
    }
}
