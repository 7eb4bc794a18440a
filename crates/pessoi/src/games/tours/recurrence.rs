//! Strips: how the number of tours of a w×n board grows with n.
//!
//! For a fixed width the border of the sweep has finitely many forms, so the numbers for
//! n = 1, 2, 3 … obey a linear recurrence with constant coefficients. The transfer graph of
//! the strip ([`Columns`]) gives any number of exact terms, and its size S bounds the order.
//! Three things follow.
//!
//! - Berlekamp and Massey's algorithm modulo a prime, given 2S terms, finds the shortest
//!   recurrence modulo that prime; the order over the whole numbers cannot be less.
//! - If whole coefficients of that order fit S further terms exactly, they fit for ever: what
//!   is left over obeys a recurrence of order S too, and S zeros in a row keep it at zero.
//! - The growth constant is a root of the characteristic polynomial, or, where that is out of
//!   reach, the limit of quotients of terms.

use num_bigint::{BigInt, BigUint};
use pessoi_engine::number::{FindError, Recurrence, Shortest, growth, primes};
use pessoi_engine::run::Run;
use pessoi_engine::sweep::{SweepError, Transfer};

use crate::answer::{Answer, Term, Value};
use crate::board::{Board, Drawing, SIDE_LIMIT};
use crate::error::{Error, Result};
use crate::question::{Place, Question};

use super::Asked;
use super::branch;
use super::count;
use super::proofs;
use super::strip::Columns;
use super::task::Task;

/// Terms that are told unless more or fewer are asked for.
const TERMS: u64 = 100;
/// Products for which the shortest recurrence is looked for without being given a time: some
/// minutes.
const MOST_PRODUCTS: f64 = 1e11;
/// The longest recurrence whose coefficients are told.
const MOST_COEFFICIENTS: usize = 400;
/// The largest bound on the order up to which a recurrence is proved on exact terms.
const PROVABLE: usize = 1500;
/// Terms beyond those that determine a recurrence, where it is not proved.
const FURTHER_TERMS: usize = 8;

/// Answers `recurrence`.
pub(super) fn recurrence(question: &Question, leapers: &[(i32, i32)], run: &Run) -> Result<Answer> {
    let width = width(question)?;
    let most = question.number("terms").unwrap_or(TERMS);
    if most > SIDE_LIMIT as u64 {
        return Err(Error::input(format!(
            "--terms {most} is too many: boards have up to {SIDE_LIMIT} columns."
        )));
    }
    let what = match (question.flag("closed"), question.flag("directed")) {
        (false, false) => "undirected open paths",
        (true, false) => "undirected closed paths",
        (false, true) => "directed open paths",
        (true, true) => "directed closed paths",
    };
    let counts = format!(
        "order of the shortest linear recurrence in n that the numbers of {what} on {width}×n obey"
    );
    let columns = Columns::new(question, leapers, width)?;
    let method = "transfer graph of the borders between columns";
    let gave_up = |why: String| Answer::new(question, Value::GaveUp { why }, &counts, method, run);
    let transfer = match Transfer::build(&columns, run) {
        Ok(transfer) => transfer,
        Err(stop) => return Ok(gave_up(stop.to_string())),
    };
    let times = if question.flag("directed") { 2 } else { 1 };
    let reach = columns.reach();
    let mut strip = Strip { transfer, first: Vec::new(), reach, times, run };
    // The sweep takes boards of three cells and more.
    for length in 1..reach.max(3usize.div_ceil(width)) {
        strip.first.push(small(question, leapers, width, length, run)?);
    }
    let told = match strip.terms(most as usize) {
        Ok(terms) => terms,
        Err(Trouble::Stop(why)) => return Ok(gave_up(why)),
        Err(Trouble::Wrong(error)) => return Err(error),
    };
    let found = strip.found();
    let lumps = strip.transfer.lumps();
    let (value, mut notes) = match &found {
        Ok(found) => (found.value(), found.notes(lumps, run)),
        Err(Trouble::Stop(why)) => (Value::GaveUp { why: why.clone() }, Vec::new()),
        Err(Trouble::Wrong(error)) => return Err(error.clone()),
    };
    let mut counts = counts;
    match found {
        Ok(Found::Zero) => {
            counts = format!("{what} on {width}×n, for any n from {reach} on");
        }
        Ok(Found::Whole { .. }) => {}
        Ok(Found::Order { .. }) | Err(_) => {
            notes.push(format!(
                "The numbers obey a linear recurrence of order {lumps} or less: so many kinds \
                 of border can lie between two columns."
            ));
            notes.extend(strip.about_growth());
        }
    }
    let mut answer = Answer::new(question, value, &counts, method, run);
    answer.notes = notes;
    answer.cost.borders = Some(strip.transfer.reached() as u64);
    answer.sequence = format!("a(n) = number of {what} on {width}×n");
    answer.terms = (1..).zip(told).map(|(n, value)| Term { n, value }).collect();
    Ok(answer)
}

/// The width of the strip that is asked for.
pub(super) fn width(question: &Question) -> Result<usize> {
    match question.place {
        Place::Size(0) => Err(Error::input("A strip has a width from 1 on, not 0.")),
        Place::Size(width) if width <= 48 => Ok(width as usize),
        Place::Size(width) => Err(Error::input(format!(
            "A strip of width {width} is too wide: its borders have up to 48 cells."
        ))),
        Place::Board(_) | Place::Nowhere => Err(Error::input(format!(
            "A recurrence is asked for by the width of the strip, such as recurrence {} 3, and \
             nothing else.",
            question.game
        ))),
    }
}

/// The number of tours of a board that is shorter than a move reaches.
fn small(
    question: &Question,
    leapers: &[(i32, i32)],
    width: usize,
    length: usize,
    run: &Run,
) -> Result<BigUint> {
    let board = Board::rectangle(width, length)?;
    let place = Place::Board(Drawing { board, clues: Vec::new() });
    let task = Task::new(&Question { place, ..question.clone() }, leapers)?;
    if proofs::none(&task).is_some() {
        return Ok(BigUint::ZERO);
    }
    if !branch::fits::<128>(&task) {
        // One cell is a path; two cells that are joined are one path, or two directed.
        let number = if task.len() == 2 && task.directed { 2u32 } else { 1 };
        return Ok(number.into());
    }
    let question = Question { verb: crate::question::Verb::Count, ..question.clone() };
    let asked = Asked { question: &question, task: task.into(), run };
    match count::by_branch_of_size(&asked)?.value {
        Value::Exact { number } => Ok(number),
        Value::None { .. } => Ok(BigUint::ZERO),
        other => {
            Err(Error::input(format!("A board of {length} columns took too long: {other:?}.")))
        }
    }
}

/// Why there is no result.
enum Trouble {
    /// A limit was hit.
    Stop(String),
    Wrong(Error),
}

impl From<SweepError> for Trouble {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Stop(stop) => Trouble::Stop(stop.to_string()),
            error => Trouble::Wrong(Error::internal(error.to_string())),
        }
    }
}

/// What is known of the shortest recurrence.
enum Found {
    /// All numbers from some length on are zero.
    Zero,
    /// Its order modulo a prime, after so many terms; certain if they are enough.
    Order { order: usize, certain: bool },
    /// Its coefficients, and the first n for which it holds; proved or only tested.
    Whole { recurrence: Recurrence, from: usize, proved: bool },
}

impl Found {
    fn value(&self) -> Value {
        match self {
            Found::Zero => Value::None {
                proof: "no border between two columns can be completed, however long the strip"
                    .into(),
            },
            // Whatever all terms obey, those seen obey too: no shorter one can hold.
            Found::Order { order, .. } => Value::AtLeast { number: (*order).into(), why: None },
            Found::Whole { recurrence, proved: true, .. } => Value::exact(recurrence.order()),
            Found::Whole { recurrence, .. } => {
                Value::AtLeast { number: recurrence.order().into(), why: None }
            }
        }
    }

    fn notes(&self, lumps: usize, run: &Run) -> Vec<String> {
        match self {
            Found::Zero | Found::Order { certain: false, .. } => Vec::new(),
            Found::Order { order, certain: true } => vec![format!(
                "Modulo a prime of 61 bits the order of the shortest is exactly {order}, proved by \
                 twice {lumps} terms; over the whole numbers it cannot be less."
            )],
            Found::Whole { recurrence, from, proved } => {
                let standing = if *proved {
                    format!(
                        "Proved: some recurrence of order {lumps} or less holds, and this one \
                         fits more than {lumps} terms beyond those that determine it."
                    )
                } else {
                    format!(
                        "Obeyed by {} terms beyond those that determine it; this is strong \
                         evidence and not a proof.",
                        recurrence.checked()
                    )
                };
                let mut notes = vec![format!("{recurrence} for n ≥ {from}"), standing];
                if let Ok(Some(root)) = growth(recurrence, 20, run) {
                    let by = root.decimal;
                    notes.push(format!("The numbers grow by a factor of {by} a column."));
                }
                notes
            }
        }
    }
}

/// A strip's numbers.
struct Strip<'r> {
    /// Gives the numbers from the length on that a move reaches …
    transfer: Transfer,
    reach: usize,
    /// … and those of the shortest boards are here.
    first: Vec<BigUint>,
    times: u32,
    run: &'r Run,
}

impl Strip<'_> {
    /// The numbers for n = 1 to `number`.
    fn terms(&self, number: usize) -> Result<Vec<BigUint>, Trouble> {
        let rest = self.transfer.terms((number + 1).saturating_sub(self.reach), self.run)?;
        let rest = rest.into_iter().skip(self.first.len() + 1 - self.reach);
        let first = self.first.iter().take(number).cloned();
        Ok(first.chain(rest.map(|term| term * self.times)).collect())
    }

    /// Looks for the shortest recurrence, as far as that is worth its time.
    fn found(&self) -> Result<Found, Trouble> {
        let (lumps, edges) = (self.transfer.lumps(), self.transfer.edges());
        if lumps == 0 {
            return Ok(Found::Zero);
        }
        let products = 2.0 * lumps as f64 * (lumps + edges) as f64;
        if products > MOST_PRODUCTS && self.run.budget().time.is_none() {
            return Err(Trouble::Stop(format!(
                "looking for the shortest recurrence may take {products:.0e} products; it is \
                 tried if a time is given with --time"
            )));
        }
        let Some(modulus) = primes().next() else {
            return Err(Trouble::Wrong(Error::internal("there are no primes")));
        };
        let mut shortest = Shortest::new(modulus);
        self.run.stage("looking for the shortest recurrence", 2 * lumps as u64);
        let seen = self.transfer.residues(modulus, 2 * lumps + 1, self.run, |term| {
            shortest.push(term);
            self.run.step(1);
            true
        });
        let order = shortest.order();
        if let Err(stop) = seen {
            // Enough terms beyond those that determine it are evidence.
            if shortest.terms() < 2 * order + order / 8 + FURTHER_TERMS {
                return Err(Trouble::Stop(stop.to_string()));
            }
            return Ok(Found::Order { order, certain: false });
        }
        if order > MOST_COEFFICIENTS {
            return Ok(Found::Order { order, certain: true });
        }
        let provable = lumps <= PROVABLE;
        let further = if provable { lumps } else { 0 };
        let terms = self.terms(self.first.len() + 2 * order + further + FURTHER_TERMS)?;
        let terms: Vec<BigInt> = terms.into_iter().map(BigInt::from).collect();
        // Shorter strips than a move reaches are not the transfer graph's.
        let own = &terms[self.first.len()..];
        let recurrence = match Recurrence::find(own, order, self.run) {
            Ok(recurrence) => recurrence,
            Err(FindError::None(_)) => return Ok(Found::Order { order, certain: true }),
            Err(FindError::Stop(stop)) => return Err(Trouble::Stop(stop.to_string())),
        };
        let holds_at = |n: &usize| {
            let before = terms[..*n - 1].iter().rev().zip(recurrence.coefficients());
            before.map(|(term, factor)| term * factor).sum::<BigInt>() == terms[*n - 1]
        };
        let possible = recurrence.order() + 1..=terms.len();
        let from = possible.rev().take_while(holds_at).last().unwrap_or(terms.len());
        let proved = provable && recurrence.checked() >= lumps;
        Ok(Found::Whole { recurrence, from, proved })
    }

    /// About how fast the numbers grow, in a sentence.
    fn about_growth(&self) -> Option<String> {
        // Long enough to settle, short enough to be quick.
        let number = (2_000_000_000 / self.transfer.edges().max(1)).clamp(400, 20_000);
        let logs = self.transfer.logarithms(number, self.run).ok()?;
        // Over two columns, since odd lengths may have none.
        let rate = |n: usize| ((logs[n] - logs[n - 2]) / 2.0).exp();
        let rates = |n: usize| if rate(n).is_finite() { rate(n) } else { rate(n - 1) };
        let (early, late) = (rates(number / 2), rates(number - 1));
        let digits = (-((late - early).abs() / late).log10()).floor().clamp(0.0, 12.0) as usize;
        let shown = format!("{late:.digits$}");
        (late.is_finite() && digits > 0).then(|| {
            format!(
                "The numbers grow by a factor of about {shown} a column, from the quotients of \
                 terms up to n = {number}."
            )
        })
    }
}
