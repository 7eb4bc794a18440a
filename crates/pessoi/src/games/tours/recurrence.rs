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

use std::collections::HashSet;
use std::time::Instant;

use num_bigint::{BigInt, BigUint};
use pessoi_engine::ledger::Chapter;
use pessoi_engine::number::{FindError, Recurrence, Shortest, growth, primes};
use pessoi_engine::run::{Budget, Run, Stop};
use pessoi_engine::search::{Cut, Part};
use pessoi_engine::sweep::{Strip as _, SweepError, Transfer};

use super::border::MOST_SLOTS;
use super::branch::Branching;
use super::count;
use super::options::{CLOSED, DIRECTED_STRIP, TERMS, TRANSFER};
use super::proofs;
use super::strip::{Columns, Tasks};
use super::task::{Task, paths};
use crate::answer::{Answer, Growth, GrowthFrom, Limit, Linear, Sequence, Subject, Term, Value};
use crate::error::{Error, Result};
use crate::games::leapers;
use crate::job::{Asked, Events, Halt, Job, Work};
use crate::plan::{GLANCE, Plan};
use crate::question::Question;

/// The widest strip: a column at least is in the border.
pub(super) const WIDEST: usize = MOST_SLOTS;
/// Products for which the shortest recurrence is looked for without being given a time: some
/// minutes.
const MOST_PRODUCTS: f64 = 1e11;
/// The longest recurrence whose coefficients are computed.
const MOST_COEFFICIENTS: usize = 400;
/// The largest bound on the order up to which a recurrence is proved on exact terms.
const PROVABLE: usize = 1500;
/// Terms beyond those that determine a recurrence, where it is not proved.
const FURTHER_TERMS: usize = 8;
/// Digits of a growth factor that is a root.
const DIGITS: usize = 20;

/// What the answer measures.
const ORDER: Subject = Subject::measure(
    "recurrence-order",
    "order of the shortest linear recurrence that the numbers obey",
);

/// A question about strips.
pub(super) struct Strips<'a> {
    question: &'a Question,
    leapers: Vec<(i32, i32)>,
    width: usize,
    closed: bool,
    directed: bool,
    /// The longest strip whose number is wanted.
    terms: usize,
    tasks: Tasks,
}

impl<'a> Strips<'a> {
    /// Reads the options; refuses a strip that cannot be swept.
    pub(super) fn new(question: &'a Question, leapers: Vec<(i32, i32)>) -> Result<Self> {
        let width = question.size()? as usize;
        let closed = question.flag(&CLOSED);
        let directed = question.flag(&DIRECTED_STRIP);
        // The option has a default.
        let terms = question.number(&TERMS).unwrap_or(1) as usize;
        let tasks = Tasks::new(width, &leapers, closed)?;
        Ok(Strips { question, leapers, width, closed, directed, terms, tasks })
    }

    /// What the numbers count, in words.
    fn things(&self) -> Subject {
        paths(self.directed, self.closed)
    }

    /// What there is to say of the shortest recurrence, and whether all of the work is done.
    fn solve(&self, run: &Run, chapter: &Chapter) -> Work<(Answer, bool)> {
        let asked = Asked::new(self.question, run);
        let columns = Columns::new(&self.tasks, run)?;
        let transfer = Transfer::build(&columns, run, chapter)?;
        drop(columns);
        if !transfer.is_exact() {
            let why = "a strip can be finished in more ways than 64 bits hold";
            return Err(Error::internal(why).into());
        }
        let (width, reach) = (self.width, self.tasks.reach());
        let times = if self.directed { 2 } else { 1 };
        let mut strip = Strip { transfer, first: Vec::new(), reach, times, run };
        // The sweep takes boards of three cells and more.
        for length in 1..reach.max(3usize.div_ceil(width)) {
            let small = self.small(length, run);
            strip.first.push(small.inspect_err(|_| strip.transfer.put_aside())?);
        }
        let terms = strip.terms(self.terms).inspect_err(|_| strip.transfer.put_aside())?;
        let lumps = strip.transfer.lumps();
        let what = self.things();
        let mut sequence = Sequence {
            id: format!("{}-of-strips", what.id),
            text: format!(
                "a(n) = number of {} on {width}×n with moves {}",
                what.text,
                leapers::words(&self.leapers)
            ),
            terms: (1..).zip(terms).map(|(n, value)| Term { n, value }).collect(),
            recurrence: None,
            growth: None,
        };
        let order = ORDER.which(&format!("on {width}×n"));
        let (mut is_modular, mut stopped) = (false, None);
        let (subject, value) = match strip.found() {
            Ok(Found::Zero) => {
                let proof = "no border between two columns can be completed, however long the \
                             strip";
                let subject = what.which(&format!("on {width}×n, for any n from {reach} on"));
                (subject, Value::none(proof))
            }
            Ok(Found::Order { order: least }) => {
                is_modular = true;
                sequence.growth = strip.about_growth().unwrap_or(None);
                (order, Value::at_least(least))
            }
            Ok(Found::Whole { recurrence, from, proved }) => {
                // What is proved is given, also if there is no time for the rest.
                let root = growth(&recurrence, DIGITS, run).unwrap_or_else(|stop| {
                    stopped = Some(stop);
                    None
                });
                sequence.growth =
                    root.map(|root| Growth { factor: root.decimal, from: GrowthFrom::Root });
                let number = recurrence.order();
                sequence.recurrence = Some(Linear {
                    order: number as u64,
                    factors: recurrence.coefficients().to_vec(),
                    from: from as u64,
                    proved,
                    tested: recurrence.checked() as u64,
                });
                (order, if proved { Value::exact(number) } else { Value::at_least(number) })
            }
            // The terms are known all the same.
            Err(Halt::Stop(stop)) => {
                sequence.growth = strip.about_growth().unwrap_or(None);
                (order, Value::gave_up(stop))
            }
            Err(error) => return Err(error),
        };
        let mut answer = asked.answer(&subject, value, &TRANSFER);
        answer.cost.borders = Some(strip.transfer.reached() as u64);
        answer.fact("borders", "borders between two columns", strip.transfer.reached());
        answer.fact(
            "order-at-most",
            "the order is at most the number of kinds of border between two columns",
            lumps,
        );
        if is_modular {
            answer.fact(
                "exact-modulo-prime",
                "modulo a prime of 61 bits this is the order exactly",
                true,
            );
        }
        answer.set_sequence(sequence);
        strip.transfer.put_aside();
        if let Some(stop) = &stopped {
            answer.notes.push(format!("By how much the numbers grow was not found: {stop}."));
        }
        Ok((answer, stopped.is_none()))
    }

    /// The number of tours of a board that is shorter than a move reaches.
    fn small(&self, length: usize, run: &Run) -> Work<BigUint> {
        let mut task = Task::rectangle(self.width, length, &self.leapers, self.closed)?;
        task.directed = self.directed;
        if proofs::none(&task).is_some() {
            return Ok(BigUint::ZERO);
        }
        let Some(branching) = Branching::new(&task) else {
            // One cell is a path; two cells that are joined are one path, or two directed.
            let number = if task.len() == 2 && task.directed { 2u32 } else { 1 };
            return Ok(number.into());
        };
        let weighed = {
            let cut = Cut::new(Part::WHOLE);
            count::weighed(&branching, &task, cut, run, &Chapter::unkept())?
        };
        Ok(weighed?.0.into())
    }
}

impl Strips<'_> {
    /// Predicts how many borders there are. As long as a glance allows, they are explored; if
    /// there are more, the largest layer of a long board of this width stands for them.
    fn predict(&self, mut plan: Plan, run: &Run) -> Result<Plan, Stop> {
        let columns = Columns::new(&self.tasks, run)?;
        let began = Instant::now();
        let mut found = vec![columns.start()];
        let mut known: HashSet<_> = found.iter().copied().collect();
        let mut explored = 0;
        // A single column may take longer than a glance.
        let glance = run.part(Budget { time: Some(GLANCE), ..*run.budget() });
        while explored < found.len() && began.elapsed() < GLANCE {
            run.check()?;
            let border = found[explored];
            let read = columns.finish(&border, &glance).and_then(|_| {
                columns.column(&border, &glance, |next| {
                    if known.insert(next) {
                        found.push(next);
                    }
                    Ok(())
                })
            });
            if read.is_err() {
                run.check()?;
                break;
            }
            explored += 1;
        }
        let seconds = began.elapsed().as_secs_f64();
        let complete = explored == found.len();
        let borders = if complete {
            found.len() as f64
        } else {
            columns.forecast(GLANCE, run)?.peak.max(found.len() as f64)
        };
        plan.borders = Some(borders);
        let threads = run.budget().threads as f64;
        plan.seconds = Some(seconds / explored.max(1) as f64 * borders / threads);
        Ok(plan.note(if complete {
            "All borders were explored. The time is for that; the terms and the recurrence come \
             on top."
        } else {
            "The number of borders is that of the largest layer of a long board of this width, \
             extrapolated from its first layers, and may be far off. The time is for exploring \
             them; the terms and the recurrence come on top."
        }))
    }
}

impl Job for Strips<'_> {
    fn subject(&self, value: &Value) -> Option<Subject> {
        let known = !matches!(value, Value::None { .. });
        known.then(|| ORDER.which(&format!("on {}×n", self.width)))
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let why = "all borders between two columns are explored, and their graph gives any number \
                   of terms";
        let plan = Plan::new(self.question, &TRANSFER, why);
        Ok(match self.predict(plan.clone(), run) {
            Ok(plan) => plan,
            Err(stop) => plan.note(format!("There was no prediction: {stop}.")),
        })
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        let subject = ORDER.which(&format!("on {}×n", self.width));
        let asked = Asked::new(self.question, run);
        let ledger = asked.ledger(TRANSFER.id)?;
        let mut is_done = true;
        let work = self.solve(run, &ledger.chapter("strip")).map(|(answer, is_all)| {
            is_done = is_all;
            answer
        });
        let mut answer = asked.settle(&subject, &TRANSFER, work)?;
        if is_done {
            asked.close(&ledger, &mut answer)?;
        } else {
            ledger.close().map_err(|why| asked.unusable(&why))?;
        }
        Ok(answer)
    }

    fn check_store(&self) -> Result<()> {
        Ok(())
    }
}

/// What is known of the shortest recurrence.
enum Found {
    /// All numbers from some length on are zero.
    Zero,
    /// Its order modulo a prime; over the whole numbers it is no less.
    Order { order: usize },
    /// Its coefficients, and the first n for which it holds; proved or only tested.
    Whole { recurrence: Recurrence, from: usize, proved: bool },
}

fn halt(error: SweepError) -> Halt {
    match error {
        SweepError::Stop(stop) => stop.into(),
        error => Error::internal(error.to_string()).into(),
    }
}

/// A strip's numbers.
struct Strip<'r> {
    /// Gives the numbers from the length on that a move reaches …
    transfer: Transfer<'r>,
    reach: usize,
    /// … and those of the shortest boards are here.
    first: Vec<BigUint>,
    times: u32,
    run: &'r Run,
}

impl Strip<'_> {
    /// The numbers for n = 1 to `number`.
    fn terms(&self, number: usize) -> Work<Vec<BigUint>> {
        let wanted = (number + 1).saturating_sub(self.reach);
        let rest = self.transfer.terms(wanted, self.run).map_err(halt)?;
        let rest = rest.into_iter().skip(self.first.len() + 1 - self.reach);
        let first = self.first.iter().take(number).cloned();
        Ok(first.chain(rest.map(|term| term * self.times)).collect())
    }

    /// Looks for the shortest recurrence, as far as that is worth its time.
    fn found(&self) -> Work<Found> {
        let (lumps, edges) = (self.transfer.lumps(), self.transfer.edges());
        if lumps == 0 {
            return Ok(Found::Zero);
        }
        let products = 2.0 * lumps as f64 * (lumps + edges) as f64;
        if products > MOST_PRODUCTS && self.run.budget().time.is_none() {
            let text = format!(
                "looking for the shortest recurrence may take {products:.0e} products; it is \
                 tried if a time is given with --time"
            );
            return Err(Limit::Size { text }.into());
        }
        let Some(modulus) = primes().next() else {
            return Err(Error::internal("there are no primes").into());
        };
        let mut shortest = Shortest::new(modulus);
        self.run.stage("looking for the shortest recurrence", 2 * lumps as u64);
        let seen = self.transfer.residues(modulus, 2 * lumps + 1, self.run, |term| {
            shortest.push(term);
            self.run.step(1);
            true
        });
        // Fewer terms say nothing: a shorter recurrence may hold from some later term on.
        seen?;
        let order = shortest.order();
        // The last factors that are zero make it begin later, and no longer.
        let lasting = || {
            let factors = shortest.coefficients();
            factors.iter().rposition(|&factor| factor != 0).map_or(0, |last| last + 1)
        };
        if order > MOST_COEFFICIENTS {
            return Ok(Found::Order { order: lasting() });
        }
        let provable = lumps <= PROVABLE;
        let further = if provable { lumps } else { 0 };
        let terms = self.terms(self.first.len() + 2 * order + further + FURTHER_TERMS)?;
        let terms: Vec<BigInt> = terms.into_iter().map(BigInt::from).collect();
        // Shorter strips than a move reaches are not the transfer graph's.
        let own = &terms[self.first.len()..];
        let recurrence = match Recurrence::find(own, order, self.run) {
            Ok(recurrence) => recurrence,
            Err(FindError::None(_)) => return Ok(Found::Order { order: lasting() }),
            Err(FindError::Stop(stop)) => return Err(stop.into()),
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

    /// About how fast the numbers grow, from the quotients of terms.
    fn about_growth(&self) -> Result<Option<Growth>, Stop> {
        // Long enough to settle, short enough to be quick.
        let number = (2_000_000_000 / self.transfer.edges().max(1)).clamp(400, 20_000);
        let logs = self.transfer.logarithms(number, self.run)?;
        // Over two columns, since odd lengths may have none.
        let rate = |n: usize| ((logs[n] - logs[n - 2]) / 2.0).exp();
        let rates = |n: usize| if rate(n).is_finite() { rate(n) } else { rate(n - 1) };
        let (early, late) = (rates(number / 2), rates(number - 1));
        let digits = (-((late - early).abs() / late).log10()).floor().clamp(0.0, 12.0) as usize;
        let factor = format!("{late:.digits$}");
        let is_known = late.is_finite() && digits > 0;
        Ok(is_known.then_some(Growth { factor, from: GrowthFrom::Quotients }))
    }
}
