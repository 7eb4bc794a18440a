//! Asking again: the same question of the same code, or the same number of other code.
//!
//! **Repeating** asks the saved question once more, by the same method and from the same seed,
//! and compares. It shows that an answer was not changed since it was given.
//!
//! **Recomputing** asks engines that share no component with the one that gave the answer. The
//! number may come from the same question by another `--method`, or from another question with
//! the same number, which the game knows ([`crate::Game::restated`]): classes that were counted can
//! also be listed. The terms of a sequence come from the questions that ask for them one by
//! one ([`crate::Game::term`]), and beyond the last term the recurrence foretells what they must be.
//! An estimate is compared with the exact number.

use std::collections::BTreeSet;
use std::time::Duration;

use num_bigint::{BigInt, BigUint};

use crate::answer::{Answer, Linear, Sequence, Value};
use crate::card::METHOD;
use crate::catalogue::Catalogue;
use crate::check::{
    CERTIFICATE, CLASSES, Claim, ESTIMATE, Findings, GRAPH, GROWTH, LENGTH, PROOF, PROVED, PUZZLE,
    RECURRENCE, SOLVED, SYMMETRIES, Standing, TERMS, VALUE,
};
use crate::error::{Error, Result};
use crate::question::{Question, Verb};
use pessoi_engine::run::{Budget, Run};

/// How long a question is repeated where recomputing was not asked for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// How long the engine of the term before is tried for the next one: what was fastest for short
/// strips, such as a search, may take for ever on longer ones.
const TRIED_FIRST: Duration = Duration::from_secs(1);

/// Terms beyond the last that a recurrence is tried on.
const BEYOND: u64 = 3;

/// What is left of the time.
fn left(run: &Run) -> Option<Duration> {
    let left = run.budget().time.map(|time| time.saturating_sub(run.elapsed()));
    left.map(|left| Duration::from_millis(left.as_millis() as u64))
}

/// Three quarters of what is left of the time, so that something is left for what comes after.
pub(crate) fn most_of(run: &Run) -> Run {
    let time = left(run).map(|left| Duration::from_millis(left.as_millis() as u64 * 3 / 4));
    run.part(Budget { time, ..run.budget().clone() })
}

/// What is left of the time, at most `most` of it.
pub(crate) fn budget(run: &Run, most: Option<Duration>) -> Budget {
    let left = left(run);
    let time = match (left, most) {
        (Some(left), Some(most)) => Some(left.min(most)),
        (left, most) => left.or(most),
    };
    Budget { time, ..run.budget().clone() }
}

/// Repeats the question, for at most so long, and compares these claims.
pub(crate) fn repeat(
    catalogue: &Catalogue,
    answer: &Answer,
    claims: &[&Claim],
    most: Option<Duration>,
    run: &Run,
) -> Result<Findings> {
    let not = |why: &str| {
        claims.iter().fold(Findings::new(), |found, claim| found.but(&*claim.field, why))
    };
    if let Some(stop) = answer.value.stop() {
        return Ok(not(&format!("the answer was stopped because {stop}")));
    }
    // An answer is data: what it names, such as the address of a server, is not opened.
    if catalogue.is_by_added(&answer.question, &answer.method.id)? {
        return Ok(not(&format!("{} is not asked again", answer.method.id)));
    }
    if answer.pessoi != env!("CARGO_PKG_VERSION") {
        return Ok(not(&format!("it was made by version {}", answer.pessoi)));
    }
    let limits = budget(run, most);
    let seed = answer.seed.unwrap_or(limits.seed);
    let ask = |question: &Question| {
        let limits = budget(run, most);
        catalogue.answer(question, &run.part(Budget { seed, ..limits }))
    };
    let again = match ask(&answer.question) {
        // Another machine may have chosen another method.
        Ok(again) if again.method.id != answer.method.id => {
            ask(&answer.question.clone().with(METHOD, &*answer.method.id))
        }
        again => again,
    };
    let again = match again {
        Ok(again) => again,
        Err(error) => return Ok(not(&error.sentence)),
    };
    if let Some(stop) = again.value.stop() {
        return Ok(not(&format!("repeating it was stopped because {stop}")));
    }
    let mut found = Findings::new();
    for claim in claims {
        let field = claim.field.clone();
        found = match compare(&field, answer, &again) {
            Some(true) => {
                found.with(field, Standing::Repeated, "the same question, asked again".into())
            }
            Some(false) => {
                let sentence = format!(
                    "The answer does not hold: asked again, the question has another answer \
                     ({field})."
                );
                return Err(Error::forged(&field, sentence));
            }
            None => found.but(field, "repeating it gives others, which may be as good"),
        };
    }
    Ok(found)
}

/// Whether a claim of two answers to one question is the same; `None` if it need not be.
fn compare(field: &str, answer: &Answer, again: &Answer) -> Option<bool> {
    let sequence = |of: fn(&Sequence, &Sequence) -> bool| match (&answer.sequence, &again.sequence)
    {
        (Some(a), Some(b)) => of(a, b),
        (a, b) => a == b,
    };
    let may_differ = |is: bool| is.then_some(true);
    if let Some(id) = field.strip_prefix("facts.") {
        let of = |answer: &Answer| answer.facts.iter().find(|fact| fact.id == id).cloned();
        return Some(of(answer) == of(again));
    }
    if let Some(id) = field.strip_prefix("tables.") {
        return Some(answer.table(id) == again.table(id));
    }
    if field.starts_with("options.") {
        // What an option does is seen if everything else is the same.
        let all = |answer: &Answer| Answer {
            question: again.question.clone(),
            cost: again.cost.clone(),
            notes: Vec::new(),
            ..answer.clone()
        };
        return may_differ(all(answer) == all(again));
    }
    match field {
        "subject" => Some(answer.subject == again.subject),
        VALUE | PROOF | ESTIMATE => Some(answer.value == again.value),
        LENGTH => Some(sequence(|a, b| a.terms.len() == b.terms.len())),
        SOLVED | CLASSES | SYMMETRIES => may_differ(answer.solutions == again.solutions),
        CERTIFICATE => may_differ(answer.certificate == again.certificate),
        PUZZLE => may_differ(answer.puzzle == again.puzzle),
        GRAPH => Some(answer.graph == again.graph),
        TERMS => Some(sequence(|a, b| a.terms == b.terms)),
        RECURRENCE => Some(sequence(|a, b| {
            let factors = |s: &Sequence| s.recurrence.as_ref().map(|r| r.factors.clone());
            factors(a) == factors(b)
        })),
        PROVED => Some(sequence(|a, b| a.recurrence == b.recurrence)),
        GROWTH => Some(sequence(|a, b| a.growth == b.growth)),
        "sequence.text" => Some(sequence(|a, b| (&a.id, &a.text) == (&b.id, &b.text))),
        "notes" => may_differ(answer.notes == again.notes),
        _ => None,
    }
}

/// Recomputes the number, or the terms, by engines that share no component with that of the
/// answer.
pub(crate) fn recompute(catalogue: &Catalogue, answer: &Answer, run: &Run) -> Result<Findings> {
    let used = components(catalogue, answer)?;
    let recomputer = Recomputer { catalogue, answer, used, run };
    if let Some(sequence) = &answer.sequence {
        return recomputer.sequence(sequence);
    }
    let question = &answer.question;
    if !question.part().is_whole() {
        return Ok(Findings::unchecked(VALUE, "other engines have other parts"));
    }
    if matches!(answer.value, Value::Described {} | Value::GaveUp { .. }) {
        return Ok(Findings::new());
    }
    let game = catalogue.game(&question.game)?;
    let question = &catalogue.without_added(question)?;
    let mut questions = vec![question.clone()];
    questions.extend(game.restated(question));
    match recomputer.number(&questions, None)? {
        Err(why) => Ok(Findings::unchecked(VALUE, why)),
        Ok(Recomputed { number, by, asked, .. }) => {
            let mut found = recomputer.judge(&number, &by)?;
            for (name, setting) in &question.options {
                if asked.options.get(name) == Some(setting) {
                    found = found.and(format!("options.{name}"), format!("{by} takes it too"));
                }
            }
            Ok(found)
        }
    }
}

/// A number by an independent engine.
struct Recomputed {
    number: BigUint,
    /// The engine, and the question if it is another one.
    by: String,
    method: &'static str,
    asked: Question,
}

/// The components that an answer rests on: those that it names, and those of its method.
fn components(catalogue: &Catalogue, answer: &Answer) -> Result<BTreeSet<String>> {
    let used = &answer.method;
    let card = catalogue.game(&answer.question.game)?.card();
    let menu = catalogue.menu(card, answer.question.verb);
    let is_used = |id: &str| id == used.id || used.by.as_deref() == Some(id);
    let known = menu.methods.iter().filter(|method| is_used(method.id));
    let declared = known.flat_map(|method| method.components.iter().map(ToString::to_string));
    Ok(declared.chain(used.components.iter().cloned()).collect())
}

struct Recomputer<'a> {
    catalogue: &'a Catalogue,
    answer: &'a Answer,
    used: BTreeSet<String>,
    run: &'a Run,
}

/// An engine that may recompute a number, by which question.
struct Candidate {
    question: Question,
    method: &'static str,
    seconds: f64,
}

impl Candidate {
    fn gave(self, number: BigUint) -> Recomputed {
        let by = format!("{} ({})", self.method, self.question.words());
        Recomputed { number, by, method: self.method, asked: self.question }
    }

    fn was_slow(&self) -> String {
        format!("{} gave no number in the time that was left", self.method)
    }
}

impl Recomputer<'_> {
    /// The engines that share nothing with that of the answer, the fastest first.
    fn candidates(&self, questions: &[Question]) -> Result<Vec<Candidate>> {
        let mut candidates = Vec::new();
        let used = &self.used;
        for question in questions {
            let card = self.catalogue.game(&question.game)?.card();
            let menu = self.catalogue.menu(card, question.verb);
            for method in menu.methods.iter().filter(|method| method.verbs.contains(&question.verb))
            {
                let apart = !method.components.is_empty()
                    && method.components.iter().all(|own| !used.contains(*own));
                if !apart || used.is_empty() {
                    continue;
                }
                let mut asked = question.clone();
                asked.options.remove(METHOD);
                if method.named {
                    asked = asked.with(METHOD, method.id);
                }
                // A plan says whether the engine takes this question, and how long it may take.
                let plan = self.catalogue.plan(&asked, &self.run.part(budget(self.run, None)));
                if let Ok(plan) = plan
                    && plan.method.id == method.id
                {
                    let seconds = plan.seconds.unwrap_or(f64::INFINITY);
                    candidates.push(Candidate { question: asked, method: method.id, seconds });
                }
            }
        }
        candidates.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        Ok(candidates)
    }

    /// The number by an independent engine; or why there is none.
    fn number(
        &self,
        questions: &[Question],
        preferred: Option<&'static str>,
    ) -> Result<Result<Recomputed, String>> {
        // An engine that gave the term before may give this one, without a plan.
        let first = preferred.zip(questions.first()).map(|(method, question)| Candidate {
            question: question.clone().with(METHOD, method),
            method,
            seconds: 0.0,
        });
        if let Some(candidate) = first {
            match self.exact(&candidate, Some(TRIED_FIRST))? {
                Ok(number) => return Ok(Ok(candidate.gave(number))),
                Err(_) if self.is_late() => return Ok(Err(candidate.was_slow())),
                Err(_) => {}
            }
        }
        let mut why = "no engine that takes this question shares no component with the one that \
                       answered it"
            .to_owned();
        for candidate in self.candidates(questions)? {
            match self.exact(&candidate, None)? {
                Ok(number) => return Ok(Ok(candidate.gave(number))),
                // The others would have no time at all.
                Err(_) if self.is_late() => return Ok(Err(candidate.was_slow())),
                Err(stop) => why = format!("{} gave up because {stop}", candidate.method),
            }
        }
        Ok(Err(why))
    }

    /// Whether no time is left.
    fn is_late(&self) -> bool {
        left(self.run) == Some(Duration::ZERO)
    }

    /// The exact number by one engine, in at most so much time; or why it gave up.
    fn exact(
        &self,
        candidate: &Candidate,
        most: Option<Duration>,
    ) -> Result<Result<BigUint, String>> {
        let part = self.run.part(budget(self.run, most));
        let mut deaf = crate::job::Deaf;
        match self.catalogue.ask(&candidate.question, &part, &mut deaf) {
            Err(error) if error.code == crate::Code::Internal => Err(error),
            Err(error) => Ok(Err(error.sentence)),
            Ok(again) => {
                let used = &self.used;
                let shared = again.method.components.iter().find(|own| used.contains(*own));
                match (again.value.number(), shared) {
                    (_, Some(shared)) => Ok(Err(format!("it also rests on {shared}"))),
                    (Some(number), None) => Ok(Ok(number)),
                    (None, None) => {
                        let stop = again.value.stop().map(ToString::to_string);
                        Ok(Err(stop.unwrap_or_else(|| "it gives no exact number".into())))
                    }
                }
            }
        }
    }

    /// What an exact number says of the value.
    fn judge(&self, number: &BigUint, by: &str) -> Result<Findings> {
        let forged = |stated: String| {
            let sentence = format!("The answer does not hold: {by} finds {number}, not {stated}.");
            Err(Error::forged(VALUE, sentence))
        };
        let holds = |how: String| Ok(Findings::checked(VALUE, how));
        // Independent of the method that the answer names, which cannot be checked.
        let apart = format!("which shares no component with {}", self.answer.method.name());
        match &self.answer.value {
            Value::Exact { number: stated } if stated == number => {
                holds(format!("computed again by {by}, {apart}"))
            }
            Value::None { .. } if *number == BigUint::ZERO => {
                holds(format!("{by}, {apart}, finds none either"))
            }
            Value::Exact { number: stated } => forged(stated.to_string()),
            Value::None { .. } => forged("none".into()),
            Value::Residue { residue, modulus } => {
                if number % modulus == *residue {
                    holds(format!("{by}, {apart}, finds {number}"))
                } else {
                    forged(format!("{residue} modulo {modulus}"))
                }
            }
            Value::AtLeast { number: stated, .. } if stated <= number => {
                holds(format!("{by}, {apart}, finds {number}"))
            }
            Value::AtLeast { number: stated, .. } => forged(format!("at least {stated}")),
            Value::Estimated(estimated) => match estimated.holds(number) {
                None => Ok(Findings::unchecked(
                    VALUE,
                    format!("{by} finds {number}, but the estimate has no interval"),
                )),
                Some(true) => holds(format!("{by} finds {number}, inside the interval")),
                // An honest interval misses the truth now and then.
                Some(false) => Ok(Findings::unchecked(
                    VALUE,
                    format!(
                        "{by} finds {number}, outside the interval, as happens to one in twenty"
                    ),
                )),
            },
            Value::Described {} | Value::GaveUp { .. } => Ok(Findings::new()),
        }
    }

    /// Recomputes the terms of a sequence, and some beyond them if there is a recurrence.
    fn sequence(&self, sequence: &Sequence) -> Result<Findings> {
        let question = &self.answer.question;
        let game = self.catalogue.game(&question.game)?;
        if !question.part().is_whole() {
            return Ok(Findings::unchecked(TERMS, "other engines have other parts"));
        }
        let stated: Vec<(u64, BigInt)> =
            sequence.terms.iter().map(|term| (term.n, term.value.clone().into())).collect();
        let linear = sequence.recurrence.as_ref();
        let expected = match linear {
            Some(linear) => extended(linear, &stated, BEYOND),
            None => stated.clone(),
        };
        let mut counted = 0;
        let mut preferred = None;
        let mut names: Vec<String> = Vec::new();
        let mut why = "there is no question that asks for a single term".to_owned();
        for (n, value) in &expected {
            let Some(asked) = game.term(question, *n) else { break };
            match self.number(&[asked], preferred)? {
                Ok(Recomputed { number, by, method, .. }) => {
                    preferred = Some(method);
                    if BigInt::from(number.clone()) != *value {
                        let (field, says) = if counted < stated.len() {
                            (TERMS, "is stated")
                        } else {
                            (RECURRENCE, "follows from the recurrence")
                        };
                        let sentence = format!(
                            "The answer does not hold: term {n} is {number} by {by}; {value} \
                             {says}."
                        );
                        return Err(Error::forged(field, sentence));
                    }
                    counted += 1;
                    let name = by.split(' ').next().unwrap_or_default().to_owned();
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                Err(reason) => {
                    why = format!("term {n}: {reason}");
                    break;
                }
            }
        }
        let by = names.join(" and ");
        let mut found = Findings::new();
        // A recurrence is tried only where it foretells a term.
        let tied = linear.map_or(usize::MAX, |linear| {
            let before = stated.iter().filter(|(n, _)| *n < linear.from).count();
            before.max(linear.factors.len())
        });
        let shown = counted.min(stated.len());
        found = if stated.is_empty() {
            found.but(TERMS, "no term is shown")
        } else if counted >= stated.len() {
            found.and(
                TERMS,
                format!("all {shown} computed again by {by}, without a common component"),
            )
        } else if counted > tied {
            let how = format!(
                "the first {counted} computed again by {by}, without a common component; the rest \
                 follow from the recurrence"
            );
            found.and(TERMS, how)
        } else {
            found.but(TERMS, format!("the first {counted} computed again; {why}"))
        };
        if linear.is_some() {
            found = if counted > tied {
                let how = format!(
                    "it gives terms {} to {}, as computed again by {by}",
                    expected[tied].0,
                    expected[counted - 1].0
                );
                found.and(RECURRENCE, how)
            } else {
                let how = format!("it needs {tied} terms, and {counted} were computed again");
                found.but(RECURRENCE, how)
            };
        } else if let (Some(last), true) = (stated.last(), counted >= stated.len())
            && question.verb == Verb::Count
            && self.answer.value.number().map(BigInt::from) == Some(last.1.clone())
        {
            found = found.and(VALUE, format!("the last term, computed again by {by}"));
        }
        Ok(found)
    }
}

/// The terms, and so many more as the recurrence says they must be.
fn extended(linear: &Linear, terms: &[(u64, BigInt)], more: u64) -> Vec<(u64, BigInt)> {
    let mut terms = terms.to_vec();
    for _ in 0..more {
        let Some((last, _)) = terms.last() else { break };
        let Some(next) = last.checked_add(1) else { break };
        if terms.len() < linear.factors.len() || next < linear.from {
            break;
        }
        let before = terms.iter().rev().map(|(_, value)| value);
        let value = linear.factors.iter().zip(before).map(|(factor, a)| factor * a).sum();
        terms.push((next, value));
    }
    terms
}
