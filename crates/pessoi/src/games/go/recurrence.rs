//! Strips: the recurrence that L(m, n) obeys in n, and how fast it grows.
//!
//! The vector of numbers of ways to each border is multiplied by the same matrix for each
//! column, so for a fixed height m the numbers L(m, 1), L(m, 2), … obey a linear recurrence
//! that is no longer than there are borders between columns. Borders that differ by colours
//! reversed or by turning upside down have equal numbers, so it is no longer than there are
//! *up/down classes* of them, B say. What fits the first 2B terms then holds for ever. Less
//! will do: what a recurrence of order K foretells and what comes differ by a sequence that
//! also obeys one of order B, so if it is zero B times in a row it is zero for ever. So K + B
//! terms prove a recurrence of order K.
//!
//! For small heights the recurrence is found and checked in whole numbers. For larger ones it
//! is found modulo a prime. An integer recurrence also holds modulo the prime, so its order
//! is at least the one found; it is the same unless the prime divides certain determinants.
//! Height 9 takes 104554 columns of 160305 borders at most, and then a recurrence of order
//! 49361 from as many terms.
//!
//! L(m, n) is about a λⁿ, with an error that shrinks geometrically: both are read from
//! exact numbers, as soon as further ones no longer change the digits shown.

use num_bigint::{BigInt, BigUint};
use pessoi_engine::number::{FindError, Modulus, Recurrence, Shortest};
use pessoi_engine::run::Run;

use super::count::lengths;
use super::formula::Fixed;
use super::matrix::Matrix;
use super::table::Tables;
use super::{Asked, Halt};
use crate::answer::{Answer, Table, Term, Value};
use crate::error::{Error, Result};
use crate::question::{Place, Question};

/// Up to this height recurrences are found in whole numbers.
const MOST_WHOLE: usize = 5;
/// Up to this height they are found at all: 2·10^5 columns of 7·10^5 borders for the next.
const MOST: usize = 9;
/// Terms that are told unless more are asked for.
pub(super) const TERMS: u64 = 20;
/// Terms that are told at most.
pub(super) const MOST_TERMS: u64 = 10_000;
/// Digits of the constants.
const DIGITS: usize = 20;

/// The height of the strip that is asked for.
pub(super) fn height(question: &Question) -> Result<usize> {
    match question.place {
        Place::Size(height) if (1..=MOST as u64).contains(&height) => Ok(height as usize),
        Place::Size(height) => Err(Error::input(format!(
            "Recurrences are found for heights from 1 to {MOST}, not {height}."
        ))),
        Place::Board(_) | Place::Nowhere => Err(Error::input(
            "A recurrence is asked for by the height of the strip, such as recurrence go 3.",
        )),
    }
}

/// Answers `recurrence`: so many terms are told.
pub(super) fn recurrence(asked: &Asked, height: usize, told: usize) -> Result<Answer, Halt> {
    let run = asked.run;
    run.stage(format!("listing the borders of height {height}"), 0);
    let classes = Tables::new(height, run)?.up_down_classes();
    let counts = format!(
        "order of the shortest linear recurrence in n that the numbers of legal positions on \
         {height}×n obey"
    );
    let mut answer;
    if height <= MOST_WHOLE {
        run.stage(format!("counting {} strips", 2 * classes + 2), 0);
        // Two more than needed, so that there is something to check.
        let terms = lengths(height, 2 * classes + 2, run)?;
        let terms: Vec<BigInt> = terms.into_iter().map(BigInt::from).collect();
        let found = Recurrence::find(&terms, 0, run).map_err(|error| match error {
            FindError::Stop(stop) => Halt::Stop(stop),
            FindError::None(none) => {
                Error::internal(format!("theorem 1 of the paper fails: {none}")).into()
            }
        })?;
        answer = asked.answer(Value::exact(found.order()), &counts, "matrix, Berlekamp–Massey");
        let mut table = Table::new("The recurrence: a(n) is the sum of", &["factor", "times"]);
        for (k, factor) in (1..).zip(found.coefficients()) {
            table.rows.push(vec![factor.to_string(), format!("a(n-{k})")]);
        }
        answer.tables.push(table);
        answer.notes.push(format!(
            "Proved: there are {classes} classes of borders, so no recurrence is longer, and the \
             first {} terms obey this one.",
            terms.len()
        ));
    } else {
        let Modular { order, modulus, terms } = modular(height, classes, run)?;
        let value = Value::AtLeast { number: order.into(), why: None };
        answer = asked.answer(value, &counts, "matrix, Berlekamp–Massey modulo a prime");
        answer.notes.push(format!(
            "Proved modulo the prime {modulus} only: there are {classes} classes of borders, so \
             no recurrence is longer, and the first {terms} terms obey one of order {order} and \
             none shorter. In whole numbers the order is proved to be at least this and at most \
             {classes}; it is the same unless the prime is one of very few."
        ));
    }
    let constants = constants(height, told, run)?;
    answer.notes.push(format!(
        "L({height}, n) is about a λ^n with a = {}, λ = {}; the {} root of λ is {}.",
        constants.a.digits(DIGITS),
        constants.lambda.digits(DIGITS),
        ordinal(height),
        constants.lambda.root(height as u32).digits(DIGITS)
    ));
    answer.sequence = format!("a(n) = number of legal positions on {height}×n");
    let told = constants.terms.into_iter().take(told);
    answer.terms = (1..).zip(told).map(|(n, value)| Term { n, value }).collect();
    answer.cost.seconds = run.elapsed().as_secs_f64();
    answer.cost.peak_bytes = run.peak_bytes();
    Ok(answer)
}

fn ordinal(n: usize) -> String {
    match n {
        1 => "first".into(),
        2 => "square".into(),
        3 => "cube".into(),
        n => format!("{n}th"),
    }
}

/// A recurrence modulo a prime.
struct Modular {
    order: usize,
    modulus: u64,
    /// How many terms were looked at.
    terms: usize,
}

/// The order modulo a prime that the seed chooses, where no recurrence is longer than
/// `longest`.
fn modular(height: usize, longest: usize, run: &Run) -> Result<Modular, Halt> {
    let matrix = Matrix::new(height, run)?;
    let start = matrix.most_modulus() - (run.budget().seed % 1_000_000) * 1000;
    let modulus = (3..=start)
        .rev()
        .find_map(Modulus::new)
        .ok_or_else(|| Error::internal("there is no prime"))?;
    let mut layer = matrix.layer(run)?;
    matrix.first_column(&mut layer);
    let mut claim = run.claim();
    // The terms, and three polynomials half as long.
    claim.grow_to(8 * 5 * longest as u64)?;
    run.stage(format!("reading up to {} columns", 2 * longest), (2 * longest * height) as u64);
    let mut shortest = Shortest::new(modulus);
    shortest.push(matrix.legal(&layer, modulus.prime()));
    while shortest.terms() < shortest.order() + longest {
        matrix.column(&mut layer, modulus.prime(), run)?;
        shortest.push(matrix.legal(&layer, modulus.prime()));
    }
    Ok(Modular { order: shortest.order(), modulus: modulus.prime(), terms: shortest.terms() })
}

/// What a strip grows by, and the exact numbers that told it.
pub(super) struct Constants {
    pub(super) a: Fixed,
    pub(super) lambda: Fixed,
    pub(super) terms: Vec<BigUint>,
}

/// The constants of a height, right to [`DIGITS`] digits; at least so many terms.
pub(super) fn constants(height: usize, terms: usize, run: &Run) -> Result<Constants, Halt> {
    let mut length = terms.max(32);
    loop {
        let terms = lengths(height, length, run)?;
        let at = |n: usize| {
            let lambda = Fixed::ratio(&terms[n - 1], &terms[n - 2]);
            let one = BigUint::from(1u8);
            let a = Fixed::ratio(&terms[n - 1], &one).over(&lambda.power(n));
            (a, lambda)
        };
        let ((a, lambda), (earlier_a, earlier_lambda)) = (at(length), at(length - 3));
        let settled = a.apart(&earlier_a).zeros().min(lambda.apart(&earlier_lambda).zeros());
        // Two digits more than are shown, so that rounding is right but for a rare chance.
        if settled >= DIGITS + 3 {
            return Ok(Constants { a, lambda, terms });
        }
        length += length / 2;
    }
}
