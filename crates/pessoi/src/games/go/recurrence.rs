//! Strips: the recurrence that L(m, n) obeys in n, and how fast it grows.
//!
//! The vector of numbers of ways to each border is multiplied by the same matrix for each
//! column, so for a fixed height m the numbers L(m, 1), L(m, 2), … obey a linear recurrence
//! that is no longer than there are borders between columns. Borders that differ by colours
//! reversed or by turning upside down have equal numbers, so it is no longer than there are
//! *up/down classes* of them, B say. What fits the first 2B terms then holds for ever.
//!
//! For small heights the recurrence is found and checked in whole numbers. For larger ones it
//! is found modulo a prime. An integer recurrence also holds modulo the prime, so its order
//! is at least the one found; it is the same unless the prime divides certain determinants.
//!
//! L(m, n) is about a λⁿ, with an error that shrinks geometrically: both are read from
//! exact numbers, as soon as further ones no longer change the digits shown.

use num_bigint::{BigInt, BigUint};
use pessoi_engine::number::{Modulus, Recurrence, Shortest};
use pessoi_engine::run::Run;

use super::count::{lengths, residues_of};
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
const TERMS: u64 = 20;
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

/// Answers `recurrence`.
pub(super) fn recurrence(asked: &Asked) -> Result<Answer, Halt> {
    let Asked { question, run } = *asked;
    let height = height(question)?;
    let told = question.number("terms").unwrap_or(TERMS);
    if told > 10_000 {
        return Err(
            Error::input("At most 10000 terms are told; count gives any single one.").into()
        );
    }
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
        let found = Recurrence::find(&terms, 0)
            .map_err(|none| Error::internal(format!("theorem 1 of the paper fails: {none}")))?;
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
        let (order, modulus) = modular(height, 2 * classes, run)?;
        let value = Value::AtLeast { number: order.into(), why: None };
        answer = asked.answer(value, &counts, "matrix, Berlekamp–Massey modulo a prime");
        answer.notes.push(format!(
            "There are {classes} classes of borders, so no recurrence is longer, and modulo \
             {modulus} the one that fits the first {} terms has order {order}. It is no shorter \
             in whole numbers, and no longer unless this prime is one of very few.",
            2 * classes
        ));
    }
    let constants = constants(height, told as usize, run)?;
    answer.notes.push(format!(
        "L({height}, n) is about a λ^n with a = {}, λ = {}; the {} root of λ is {}.",
        constants.a.digits(DIGITS),
        constants.lambda.digits(DIGITS),
        ordinal(height),
        constants.lambda.root(height as u32).digits(DIGITS)
    ));
    answer.sequence = format!("a(n) = number of legal positions on {height}×n");
    let told = constants.terms.into_iter().take(told as usize);
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

/// The order modulo a prime that the seed chooses, and the prime.
fn modular(height: usize, terms: usize, run: &Run) -> Result<(usize, u64), Halt> {
    let matrix = Matrix::new(height, run)?;
    let start = matrix.most_modulus() - (run.budget().seed % 1_000_000) * 1000;
    let modulus = (3..=start)
        .rev()
        .find_map(Modulus::new)
        .ok_or_else(|| Error::internal("there is no prime"))?;
    run.stage(format!("reading {terms} columns"), (terms * height) as u64);
    let residues = residues_of(&matrix, terms, modulus.prime(), run)?;
    run.uneven_stage("finding the recurrence", terms as u64);
    let mut shortest = Shortest::new(modulus);
    for residue in residues {
        shortest.push(residue);
        run.step(1);
        run.check()?;
    }
    Ok((shortest.order(), modulus.prime()))
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
