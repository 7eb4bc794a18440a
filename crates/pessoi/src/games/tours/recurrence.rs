//! Strips: how the number of tours of a w×n board grows with n.
//!
//! For a fixed width the border of the sweep has finitely many forms, so the numbers
//! for n = 1, 2, 3 … obey a linear recurrence with constant coefficients. It is found
//! from the exact numbers themselves, and trusted only as far as further numbers,
//! not used in finding it, obey it too.

use num_bigint::{BigInt, BigUint};
use pessoi_engine::number::{Recurrence, growth};
use pessoi_engine::run::Run;
use pessoi_engine::sweep::{self, SweepError};

use crate::answer::{Answer, Term, Value};
use crate::board::{Board, Drawing, SIDE_LIMIT};
use crate::error::{Error, Result};
use crate::question::{Place, Question};

use super::border::Paths;
use super::proofs;
use super::task::Task;

/// Answers `recurrence`.
pub(super) fn recurrence(question: &Question, leapers: &[(i32, i32)], run: &Run) -> Result<Answer> {
    let width = width(question)?;
    let most = question.number("terms").unwrap_or(100);
    if most > SIDE_LIMIT as u64 {
        return Err(Error::input(format!(
            "--terms {most} is too many: boards have up to {SIDE_LIMIT} columns."
        )));
    }
    let strip = count_strips(question, leapers, width, most, run)?;
    let what = match (question.flag("closed"), question.flag("directed")) {
        (false, false) => "undirected open paths",
        (true, false) => "undirected closed paths",
        (false, true) => "directed open paths",
        (true, true) => "directed closed paths",
    };
    let counts = format!(
        "order of the shortest linear recurrence in n that the numbers of {what} on {width}×n obey"
    );
    let counted = strip.terms.len();
    let value = match (&strip.recurrence, &strip.stopped) {
        // Whatever all terms obey, those counted obey too: no shorter one can hold.
        (Some(recurrence), _) => Value::AtLeast { number: recurrence.order().into(), why: None },
        (None, Some(why)) => Value::GaveUp { why: why.clone() },
        (None, None) if strip.terms.iter().all(|term| *term == BigUint::ZERO) => {
            Value::GaveUp { why: format!("all the numbers for n = 1 to {counted} are zero") }
        }
        (None, None) => Value::GaveUp {
            why: format!(
                "the numbers for n = 1 to {counted} obey no recurrence that they could also \
                 test; more can be counted with --terms"
            ),
        },
    };
    let mut answer = Answer::new(question, value, &counts, "sweep, strip by strip", run);
    answer.cost.borders = Some(strip.borders);
    answer.cost.peak_borders = Some(strip.peak_borders);
    if let Some(recurrence) = &strip.recurrence {
        answer.notes.push(recurrence.to_string());
        answer.notes.push(format!(
            "Found from {} terms and obeyed by {} further ones; this is strong evidence and \
             not a proof.",
            counted - recurrence.checked(),
            recurrence.checked()
        ));
        if let Some(root) = growth(recurrence, 20) {
            answer
                .notes
                .push(format!("The numbers grow by a factor of {} a column.", root.decimal));
        }
    }
    answer.sequence = format!("a(n) = number of {what} on {width}×n");
    answer.terms = (1..).zip(strip.terms).map(|(n, value)| Term { n, value }).collect();
    Ok(answer)
}
/// The width of the strip that is asked for.
pub(super) fn width(question: &Question) -> Result<usize> {
    match question.place {
        Place::Size(0) => Err(Error::input("A strip has a width from 1 on, not 0.")),
        Place::Size(width) if width <= 64 => Ok(width as usize),
        Place::Size(width) => Err(Error::input(format!("A strip of width {width} is too wide."))),
        Place::Board(_) | Place::Nowhere => Err(Error::input(format!(
            "A recurrence is asked for by the width of the strip, such as recurrence {} 3, and \
             nothing else.",
            question.game
        ))),
    }
}

/// The numbers of a strip, and the recurrence that they obey if one was found.
struct Strip {
    terms: Vec<BigUint>,
    recurrence: Option<Recurrence>,
    /// The limit that was hit, if one was.
    stopped: Option<String>,
    borders: u64,
    peak_borders: u64,
}

/// Terms beyond those that determine a recurrence which must obey it.
const FURTHER_TERMS: usize = 8;
/// Short strips may be exceptions; so many may be.
const EXCEPTIONS: usize = 12;

/// Counts tours on `width`×n boards for n = 1 … `most`, until a recurrence holds.
fn count_strips(
    question: &Question,
    leapers: &[(i32, i32)],
    width: usize,
    most: u64,
    run: &Run,
) -> Result<Strip> {
    let mut strip =
        Strip { terms: Vec::new(), recurrence: None, stopped: None, borders: 0, peak_borders: 0 };
    for length in 1..=most as usize {
        let board = Board::rectangle(width, length)?;
        let place = Place::Board(Drawing { board, clues: Vec::new() });
        let task = Task::new(&Question { place, ..question.clone() }, leapers)?;
        match count(&task, run)? {
            Ok((number, handled, peak)) => {
                strip.terms.push(number);
                strip.borders += handled;
                strip.peak_borders = strip.peak_borders.max(peak);
            }
            Err(why) => {
                strip.stopped = Some(why);
                strip.recurrence = fitting(&strip.terms);
                break;
            }
        }
        // Looking for a recurrence is cheap beside counting, but not free.
        if length % 4 == 0 || length as u64 == most {
            strip.recurrence = fitting(&strip.terms);
            if strip.recurrence.is_some() {
                break;
            }
        }
    }
    Ok(strip)
}

/// The number of tours, with the borders handled in all and at most in one layer.
fn count(task: &Task, run: &Run) -> Result<Result<(BigUint, u64, u64), String>> {
    if proofs::none(task).is_some() {
        return Ok(Ok((BigUint::ZERO, 0, 0)));
    }
    if task.len() < 3 {
        // One cell is a path; two cells that are joined are one path, or two directed.
        let number = if task.len() == 2 && task.directed { 2u32 } else { 1 };
        return Ok(Ok((number.into(), 0, 0)));
    }
    match sweep::count(&Paths::merging(task)?, run) {
        Ok(counted) => {
            let (handled, peak) = (counted.handled(), counted.peak());
            let twice = if task.directed { 2u32 } else { 1 };
            Ok(Ok((counted.total * twice, handled, peak)))
        }
        Err(error @ (SweepError::Stop(_) | SweepError::TooLarge)) => Ok(Err(error.to_string())),
        Err(error) => Err(Error::internal(error.to_string())),
    }
}

fn fitting(terms: &[BigUint]) -> Option<Recurrence> {
    if terms.iter().all(|term| *term == BigUint::ZERO) {
        return None;
    }
    let terms: Vec<BigInt> = terms.iter().map(|term| BigInt::from(term.clone())).collect();
    let found = Recurrence::find(&terms, EXCEPTIONS).ok()?;
    (found.checked() >= FURTHER_TERMS).then_some(found)
}
