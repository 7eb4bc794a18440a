//! `recurrence`: strips, the recurrence that L(m, n) obeys in n, and how fast it grows.
//!
//! The vector of numbers of ways to each border is multiplied by the same matrix for each
//! column, so for a fixed height m the numbers L(m, 1), L(m, 2), … obey a linear recurrence
//! that is no longer than there are borders between columns. Borders that differ by colours
//! reversed or by turning upside down have equal numbers, so it is no longer than there are
//! *up/down classes* of them, B say. What fits the first 2B terms then holds for ever. Less
//! will do: what a recurrence of order K predicts and what comes differ by a sequence that
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

use std::io;

use num_bigint::{BigInt, BigUint};
use pessoi_engine::ledger::{Chapter, Ledger, Writer};
use pessoi_engine::number::{FindError, Recurrence, Shortest};
use pessoi_engine::records::Unusable;
use pessoi_engine::run::{Run, Stop};

use super::block::Element;
use super::border::valid_classes;
use super::count::nanoseconds;
use super::formula::Fixed;
use super::matrix::{self, Layer, Matrix};
use super::methods::{BERLEKAMP_MASSEY, BERLEKAMP_MASSEY_MODULO};
use super::rectangle::{Engine, kept_lengths};
use super::ring::{self, Rings};
use super::table::Tables;
use crate::answer::{Answer, Growth, GrowthFrom, Linear, Sequence, Subject, Term, Value};
use crate::card::Method;
use crate::error::Error;
use crate::job::{Asked, Halt, Work};
use crate::plan::Plan;
use crate::table::Datum;

/// Up to this height recurrences are found in whole numbers.
pub(super) const MOST_WHOLE: usize = 5;
/// Up to this height they are found at all: 2·10^5 columns of 7·10^5 borders for the next.
pub(super) const MOST: u64 = 9;
/// Terms that are shown at most.
pub(super) const MOST_TERMS: u64 = 10_000;
/// Digits of the constants.
const DIGITS: usize = 20;

/// The order of a recurrence.
pub(super) fn subject(height: usize) -> Subject {
    Subject::measure("order", "order of the shortest linear recurrence in n")
        .which(&format!("that the numbers of legal positions on {height}×n obey"))
}

/// Nanoseconds for a product of residues and what belongs to it.
const A_PRODUCT: f64 = 2.0;

/// Plans a recurrence.
pub(super) fn plan(asked: &Asked, height: usize) -> Plan {
    let (method, why): (&Method, _) = if height <= MOST_WHOLE {
        (&BERLEKAMP_MASSEY, "as many strips are counted as prove the recurrence")
    } else {
        (&BERLEKAMP_MASSEY_MODULO, "strips are too many to be counted in whole numbers")
    };
    let mut plan = Plan::new(asked.question, method, why);
    // About half of the classes remain when they are turned upside down, and twice as many
    // columns are read.
    let columns = valid_classes(height, 0) as f64;
    let a_column: u128 = (0..height).map(|row| valid_classes(height, row)).sum();
    let engine = Engine::of_height(height);
    let threads = if height < 9 { 1 } else { asked.run.budget().threads };
    // In whole numbers, each modulus has some 60 bits of 1.6 bits a point.
    let moduli =
        if height <= MOST_WHOLE { 1.0 + columns * height as f64 * 3f64.log2() / 60.0 } else { 1.0 };
    plan.borders = Some(columns * a_column as f64 * moduli);
    plan.peak_borders = Some(valid_classes(height, height - 1) as f64);
    plan.bytes = Some(engine.bytes(height).max(Engine::Table.bytes(height)) as f64);
    let lanes = matrix::LANES.min(moduli.ceil() as usize);
    plan.seconds = Some(
        columns * a_column as f64 * moduli * nanoseconds(engine, lanes) * 1e-9 / threads as f64
            + columns * columns / 2.0 * A_PRODUCT * 1e-9,
    );
    plan.note(format!("About {columns:.0} columns would be read."))
}

/// Finds a recurrence, and shows so many terms.
pub(super) fn answer(asked: &Asked, height: usize, shown: usize, ledger: &Ledger) -> Work<Answer> {
    let run = asked.run;
    run.stage(format!("listing the borders of height {height}"), 0);
    let classes = Tables::new(height, run)?.up_down_classes();
    let mut answer;
    let mut linear = None;
    if height <= MOST_WHOLE {
        run.stage(format!("counting {} strips", 2 * classes + 2), 0);
        // Two more than needed, so that there is something to check.
        let terms = kept_lengths(height, 2 * classes + 2, ledger, run)?;
        let terms: Vec<BigInt> = terms.into_iter().map(BigInt::from).collect();
        let found = Recurrence::find(&terms, 0, run).map_err(|error| match error {
            FindError::Stop(stop) => Halt::from(stop),
            FindError::None(none) => {
                Error::internal(format!("theorem 1 of the paper fails: {none}")).into()
            }
        })?;
        let order = found.order();
        answer = asked.answer(&subject(height), Value::exact(order), &BERLEKAMP_MASSEY);
        linear = Some(Linear {
            order: order as u64,
            factors: found.coefficients().to_vec(),
            from: order as u64 + 1,
            // No recurrence is longer than there are classes, and twice as many terms obey it.
            proved: true,
            tested: (terms.len() - 2 * order) as u64,
        });
        answer.fact("terms-read", "terms that the recurrence was found and tested on", terms.len());
    } else {
        let Modular { order, modulus, terms } =
            modular(height, classes, &ledger.chapter("modulo"), run)?;
        let value = Value::at_least(order);
        answer = asked.answer(&subject(height), value, &BERLEKAMP_MASSEY_MODULO);
        answer.seed = Some(run.budget().seed);
        answer.fact("modulus", "prime modulo which the order is proved", modulus);
        answer.fact("terms-read", "terms that the recurrence was found and tested on", terms);
        answer.notes.push(format!(
            "The order is proved modulo the prime {modulus} only. In whole numbers it is proved to \
             be at least {order} and at most {classes}; it is {order} unless the prime is one of \
             very few."
        ));
    }
    let text = "classes of borders up to reversal and turning upside down (no order is larger)";
    answer.fact("border-classes", text, classes);
    let Constants { a, lambda, terms } = kept_constants(height, shown, ledger, run)?;
    let lambda_digits = lambda.digits(DIGITS);
    answer.fact("a", "a, where L(m, n) is about a λ^n", Datum::Decimal(a.digits(DIGITS)));
    answer.fact("lambda", "λ", Datum::Decimal(lambda_digits.clone()));
    let root = lambda.root(height as u32).digits(DIGITS);
    answer.fact("root", "mth root of λ", Datum::Decimal(root));
    let terms = terms.into_iter().take(shown);
    answer.set_sequence(Sequence {
        id: format!("legal-positions-{height}xn"),
        text: format!("a(n) = number of legal positions on {height}×n"),
        terms: (1..).zip(terms).map(|(n, value)| Term { n, value }).collect(),
        recurrence: linear,
        growth: Some(Growth { factor: lambda_digits, from: GrowthFrom::Quotients }),
    });
    answer.cost.seconds = run.elapsed().as_secs_f64();
    answer.cost.peak_bytes = run.peak_bytes();
    Ok(answer)
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
fn modular(height: usize, longest: usize, chapter: &Chapter, run: &Run) -> Work<Modular> {
    if let Some((order, modulus, terms)) = chapter.result()? {
        return Ok(Modular { order, modulus, terms });
    }
    let matrix = Matrix::new(height, matrix::blocks_within(height, 1, run), run)?;
    let modulus = ring::primes(matrix.growth())
        .nth((run.budget().seed % 1000) as usize)
        .ok_or_else(|| Error::internal("there is no prime"))?;
    let rings = Rings::new([modulus.prime()]);
    let layer = matrix.layer(run)?;
    matrix.first_column(&layer, run)?;
    let mut claim = run.claim();
    // The terms, and three polynomials half as long.
    claim.grow_to(8 * 5 * longest as u64)?;
    run.stage(format!("reading up to {} columns", 2 * longest), (2 * longest * height) as u64);
    let mut shortest = Shortest::new(modulus);
    let mut terms = begun(&matrix, &layer, &rings, chapter)?;
    for &term in &terms {
        shortest.push(term);
    }
    run.step((terms.len().saturating_sub(1) * height) as u64);
    // The terms up to the last copy, and the copy.
    let mut known = (0, Vec::new());
    let legal = || matrix.legal(&layer, &rings).map(|[legal]| legal);
    if terms.is_empty() {
        terms.push(legal()?);
        shortest.push(terms[0]);
    }
    while shortest.terms() < shortest.order() + longest {
        // Between columns the layer is whole; where a column is stopped it is not.
        if chapter.is_kept() && terms.len() >= known.0 + COLUMNS_A_COPY {
            known = (terms.len(), copied(&layer)?);
        }
        chapter.save_if_due(|out| put(&terms, &layer, out));
        if let Err(stop) = matrix.column(&layer, &rings, run) {
            if known.0 > 0 {
                chapter.put_aside(|out| put_copy(&terms[..known.0], &known.1, out));
            }
            return Err(stop.into());
        }
        terms.push(legal()?);
        shortest.push(terms[terms.len() - 1]);
    }
    let found =
        Modular { order: shortest.order(), modulus: modulus.prime(), terms: shortest.terms() };
    chapter.finish(&(found.order, found.modulus, found.terms));
    Ok(found)
}

/// Columns between two copies of the layer: a copy takes less time than one of them.
const COLUMNS_A_COPY: usize = 64;

/// The tiles of a layer.
fn copied(layer: &Layer<1>) -> Result<Vec<Vec<u64>>, Stop> {
    let copy = |elements: &[Element<1>]| elements.as_flattened().to_vec();
    (0..layer.tiles.len()).map(|tile| layer.tiles.look(tile, &mut Vec::new(), copy)).collect()
}

/// Saves the terms so far, and the layer that the next one follows from.
fn put(terms: &[u64], layer: &Layer<1>, out: &mut Writer) -> io::Result<()> {
    let tiles = copied(layer).map_err(|stop| io::Error::other(stop.to_string()))?;
    put_copy(terms, &tiles, out)
}

fn put_copy(terms: &[u64], tiles: &[Vec<u64>], out: &mut Writer) -> io::Result<()> {
    out.record(terms)?;
    tiles.iter().try_for_each(|tile| out.record(tile))
}

/// The terms that an earlier run saved, or none; the layer becomes what it was.
fn begun(matrix: &Matrix, layer: &Layer<1>, rings: &Rings<1>, chapter: &Chapter) -> Work<Vec<u64>> {
    let Some(mut reader) = chapter.begun()? else { return Ok(Vec::new()) };
    let mut read = || {
        let terms = reader.record()?;
        let [most] = rings.most();
        if terms.is_empty() || terms.iter().any(|&term| term > most) {
            return Err(Unusable::Damaged);
        }
        // After a column, as after the first.
        for (tile, size) in matrix.tile_sizes(Matrix::written_by(0)).into_iter().enumerate() {
            let elements = reader.record()?;
            if elements.len() != size || elements.iter().any(|&element| element > most) {
                return Err(Unusable::Damaged);
            }
            layer.tiles.put(tile, elements.as_chunks().0)?;
        }
        if reader.left() > 0 { Err(Unusable::Damaged) } else { Ok(terms) }
    };
    read().map_err(|why| chapter.refuse(why).into())
}

/// What a strip grows by, and the exact numbers that show it.
pub(super) struct Constants {
    pub(super) a: Fixed,
    pub(super) lambda: Fixed,
    pub(super) terms: Vec<BigUint>,
}

/// The constants of a height, right to [`DIGITS`] digits; at least so many terms.
pub(super) fn constants(height: usize, terms: usize, run: &Run) -> Work<Constants> {
    kept_constants(height, terms, &Ledger::unkept(run), run)
}

/// The same; each pass is a chapter of the ledger.
fn kept_constants(height: usize, terms: usize, ledger: &Ledger, run: &Run) -> Work<Constants> {
    let mut length = terms.max(32);
    loop {
        let terms = kept_lengths(height, length, ledger, run)?;
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
