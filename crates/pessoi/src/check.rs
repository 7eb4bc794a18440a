//! Checking answers, claim by claim.
//!
//! An answer makes **claims**: what its value is about, the value, each fact and table, the
//! solutions, the terms of a sequence … Checking looks at every claim that the answer makes,
//! and finds of each one of these:
//!
//! - *checked*: code that did not find it came to the same, from the question and the rules
//!   alone;
//! - *repeated*: the game's own code was asked the same question again and said the same. That
//!   shows that the answer was not changed since; it confirms nothing;
//! - *not checked*, and why.
//!
//! A claim that is false is an error that names its field ([`Error::forged`]).
//!
//! The list of claims is made here, from the answer. A claim that no checker looks at is
//! therefore found to be not checked: nothing holds by being overlooked. The same goes for the
//! question's options: an option that the checker does not look at leaves what depends on it
//! unchecked.
//!
//! What says how the answer was made (method, cost, seed, version) is no claim about the
//! question and cannot be checked from the answer, except that the method must be one that
//! answers such questions.

use std::collections::BTreeSet;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Linear, Subject, Term, Value};
use crate::card::{AUTO, METHOD, Menu, Opt};
use crate::certificate::{Nothing, RESIDUES, Residue, Residues, SOLUTIONS};
use crate::error::{Error, Result};
use crate::question::Verb;
use crate::table::{Datum, Fact, Table};
use pessoi_engine::number::is_prime;

/// How much is done to check an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// What the game's checker can do, and repeating what can be repeated quickly.
    #[default]
    Usual,
    /// First of all, recomputing by engines without a common component.
    Again,
}

/// What was found of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Independent code came to the same.
    Checked,
    /// The same code said the same again.
    Repeated,
    /// Neither.
    NotChecked,
}

/// What was found of one claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The claim: `value`, `facts.share`, `options.closed` …
    pub field: String,
    /// What was found.
    pub standing: Standing,
    /// How it was checked, or why it was not.
    pub text: String,
}

/// What a checker found. Claims that it says nothing about are not checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    list: Vec<Finding>,
    options: BTreeSet<&'static str>,
}

/// The claim about the value.
pub const VALUE: &str = "value";
/// The claim that the solutions are such as were asked for.
pub const SOLVED: &str = "solutions";
/// The claims about the classes of the solutions.
pub const CLASSES: &str = "classes";
/// The names of the symmetries of the solutions.
pub const SYMMETRIES: &str = "classes.symmetries";
/// The claim about the puzzle.
pub const PUZZLE: &str = "puzzle";
/// The claim about the graph.
pub const GRAPH: &str = "graph";
/// The claim that the certificate proves the value.
pub const CERTIFICATE: &str = "certificate";
/// The claim about the terms of the sequence.
pub const TERMS: &str = "sequence.terms";
/// The claim about the recurrence.
pub const RECURRENCE: &str = "sequence.recurrence";
/// The claim that the recurrence is proved, or how far it was tested.
pub const PROVED: &str = "sequence.recurrence.proved";
/// The claim about the growth.
pub const GROWTH: &str = "sequence.growth";
/// What the sequence is called.
const SEQUENCE: &str = "sequence.text";
/// The words of the proof that there is none.
pub(crate) const PROOF: &str = "value.proof";
/// What the samples say besides that the interval holds the number.
pub(crate) const ESTIMATE: &str = "value.estimate";
/// How many terms are shown.
pub(crate) const LENGTH: &str = "sequence.length";
const SUBJECT: &str = "subject";
const NOTES: &str = "notes";

impl Findings {
    /// Nothing yet.
    pub fn new() -> Self {
        Findings::default()
    }

    /// One claim was checked.
    pub fn checked(field: impl Into<String>, how: impl Into<String>) -> Self {
        Findings::new().and(field, how)
    }

    /// One claim was not checked.
    pub fn unchecked(field: impl Into<String>, why: impl Into<String>) -> Self {
        Findings::new().but(field, why)
    }

    /// Another claim was checked.
    #[must_use]
    pub fn and(self, field: impl Into<String>, how: impl Into<String>) -> Self {
        self.with(field.into(), Standing::Checked, how.into())
    }

    /// Another claim was not checked.
    #[must_use]
    pub fn but(self, field: impl Into<String>, why: impl Into<String>) -> Self {
        self.with(field.into(), Standing::NotChecked, why.into())
    }

    pub(crate) fn with(mut self, field: String, standing: Standing, text: String) -> Self {
        self.list.push(Finding { field, standing, text });
        self
    }

    /// These too.
    #[must_use]
    pub fn plus(mut self, other: Findings) -> Self {
        self.list.extend(other.list);
        self.options.extend(other.options);
        self
    }

    /// The checker looks at these options of the question.
    #[must_use]
    pub fn reads(mut self, options: &[&Opt]) -> Self {
        self.options.extend(options.iter().map(|opt| opt.name));
        self
    }

    /// A fact must be this, words and all; one that the answer does not state is no claim.
    pub fn fact(
        self,
        answer: &Answer,
        id: &str,
        text: &str,
        value: impl Into<Datum>,
        how: &str,
    ) -> Result<Self> {
        let expected = Fact { id: id.to_owned(), text: text.to_owned(), value: value.into() };
        match answer.facts.iter().find(|fact| fact.id == id) {
            None => Ok(self),
            Some(fact) if *fact == expected => Ok(self.and(format!("facts.{id}"), how)),
            Some(fact) => Err(Error::forged(
                format!("facts.{id}"),
                format!(
                    "The answer does not hold: {:?} is {}, not {:?} {}.",
                    expected.text, expected.value, fact.text, fact.value
                ),
            )),
        }
    }

    /// A table must be this, words and all; one that the answer does not hold is no claim.
    pub fn table(self, answer: &Answer, expected: &Table, how: &str) -> Result<Self> {
        let field = format!("tables.{}", expected.id);
        match answer.table(&expected.id) {
            None => Ok(self),
            Some(table) if table == expected => Ok(self.and(field, how)),
            Some(_) => Err(Error::forged(
                &field,
                format!("The answer does not hold: the table {:?} is another one.", expected.id),
            )),
        }
    }

    /// What was found of a claim.
    pub fn of(&self, field: &str) -> Option<&Finding> {
        // The best of several.
        self.list.iter().filter(|finding| finding.field == field).min_by_key(|found| {
            match found.standing {
                Standing::Checked => 0,
                Standing::Repeated => 1,
                Standing::NotChecked => 2,
            }
        })
    }

    fn is_settled(&self, claim: &Claim) -> bool {
        self.of(&claim.field).is_some_and(|finding| match finding.standing {
            Standing::Checked => true,
            Standing::Repeated => !claim.is_main,
            Standing::NotChecked => false,
        })
    }
}

/// What checking found of all claims of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Whether every claim holds: the main ones were checked by independent code, and of
    /// what stands beside them nothing was left out.
    pub holds: bool,
    /// Claim by claim.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// Nothing could be checked.
    pub fn unchecked(field: &str, why: impl Into<String>) -> Self {
        let Findings { list, .. } = Findings::unchecked(field, why);
        Verdict { holds: false, findings: list }
    }

    /// What was found of a claim.
    pub fn of(&self, field: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.field == field)
    }
}

/// Something that an answer claims.
pub(crate) struct Claim {
    pub(crate) field: String,
    /// Whether it must be checked by independent code. What stands beside the main claims
    /// may be repeated.
    pub(crate) is_main: bool,
}

/// All that an answer claims, given what the game itself offers. The options of added methods
/// (which database was asked …) say how the answer was made.
pub(crate) fn claims(answer: &Answer, own: &Menu) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    let mut claim = |field: String, is_main| claims.push(Claim { field, is_main });
    for name in answer.question.options.keys() {
        if name != METHOD && own.option(name).is_some() {
            claim(format!("options.{name}"), false);
        }
    }
    claim(SUBJECT.into(), false);
    if answer.value != (Value::Described {}) {
        claim(VALUE.into(), true);
    }
    match &answer.value {
        Value::None { .. } => claim(PROOF.into(), false),
        Value::Estimated(_) => claim(ESTIMATE.into(), false),
        _ => {}
    }
    if !answer.solutions.is_empty() {
        claim(SOLVED.into(), true);
    }
    if answer.solutions.iter().any(|solution| solution.class.is_some()) {
        claim(CLASSES.into(), true);
        claim(SYMMETRIES.into(), false);
    }
    if answer.certificate.is_some() {
        claim(CERTIFICATE.into(), true);
    }
    if answer.puzzle.is_some() {
        claim(PUZZLE.into(), true);
    }
    if answer.graph.is_some() {
        claim(GRAPH.into(), false);
    }
    if let Some(sequence) = &answer.sequence {
        claim(SEQUENCE.into(), false);
        claim(LENGTH.into(), false);
        claim(TERMS.into(), true);
        if sequence.recurrence.is_some() {
            claim(RECURRENCE.into(), true);
            claim(PROVED.into(), false);
        }
        if sequence.growth.is_some() {
            claim(GROWTH.into(), false);
        }
    }
    for fact in &answer.facts {
        claim(format!("facts.{}", fact.id), false);
    }
    for table in &answer.tables {
        claim(format!("tables.{}", table.id), false);
    }
    if !answer.notes.is_empty() {
        claim(NOTES.into(), false);
    }
    let mut seen = BTreeSet::new();
    match claims.iter().find(|claim| !seen.insert(&claim.field)) {
        Some(twice) => Err(Error::forged(
            &twice.field,
            format!("The answer does not hold: {} is there twice.", twice.field),
        )),
        None => Ok(claims),
    }
}

/// The claims that are not settled by what was found.
pub(crate) fn open<'c>(claims: &'c [Claim], found: &Findings) -> Vec<&'c Claim> {
    claims.iter().filter(|claim| !found.is_settled(claim)).collect()
}

/// What the findings say of all claims.
pub(crate) fn verdict(claims: &[Claim], found: &Findings) -> Verdict {
    let finding = |claim: &Claim| {
        let mut finding = found.of(&claim.field).cloned().unwrap_or_else(|| Finding {
            field: claim.field.clone(),
            standing: Standing::NotChecked,
            text: "no checker looks at this".into(),
        });
        // Why a main claim was not checked is said even if it was repeated.
        let is_reason =
            |other: &&Finding| other.field == claim.field && other.standing == Standing::NotChecked;
        if claim.is_main
            && finding.standing == Standing::Repeated
            && let Some(other) = found.list.iter().find(is_reason)
        {
            finding.text = format!("{}; not checked: {}", finding.text, other.text);
        }
        finding
    };
    Verdict {
        holds: claims.iter().all(|claim| found.is_settled(claim)),
        findings: claims.iter().map(finding).collect(),
    }
}

/// Checks what does not depend on the game: that the method is one of those that answer such
/// questions, and the certificates that all games share.
pub(crate) fn common(answer: &Answer, menu: &Menu) -> Result<Findings> {
    check_method(answer, menu)?;
    let mut found = Findings::new();
    for name in answer.question.options.keys() {
        if menu.option(name).is_none() {
            return Err(Error::forged("question", format!("There is no option {name:?}.")));
        }
    }
    match (&answer.certificate, &answer.value) {
        (Some(certificate), value) if certificate.kind == RESIDUES => {
            let Residues { residues } = certificate.read()?;
            let Value::Exact { number } = value else {
                return forged(CERTIFICATE, "there are residues, but no exact number");
            };
            check_residues(number, &residues)?;
            let how = format!("{number} has the stated residues modulo {} primes", residues.len());
            found = found.and(CERTIFICATE, how);
        }
        (Some(certificate), value) if certificate.kind == SOLUTIONS => {
            certificate.read::<Nothing>()?;
            if matches!(value, Value::None { .. }) {
                return forged(CERTIFICATE, "solutions prove nothing where there are none");
            }
            if !answer.solutions.is_empty() {
                found = found.and(CERTIFICATE, "the solutions are there");
            }
        }
        _ => {}
    }
    let has_graph =
        matches!(answer.value, Value::None { .. } | Value::GaveUp { .. }) || answer.graph.is_some();
    if answer.question.verb == Verb::Export && !has_graph {
        return forged(GRAPH, "there is none, and the question asks for it");
    }
    if let Value::Residue { residue, modulus } = &answer.value {
        if *modulus < BigUint::from(2u8) {
            return forged(VALUE, "a modulus is at least 2");
        }
        if residue >= modulus {
            return forged(VALUE, "a residue is below its modulus");
        }
    }
    if let Some(sequence) = &answer.sequence {
        let follow = |pair: &[Term]| pair[0].n.checked_add(1) == Some(pair[1].n);
        if !sequence.terms.windows(2).all(follow) {
            return forged(TERMS, "the terms do not follow each other");
        }
    }
    if let Some(sequence) = &answer.sequence
        && let Some(linear) = &sequence.recurrence
    {
        let values: Vec<_> =
            sequence.terms.iter().map(|term| (term.n, BigInt::from(term.value.clone()))).collect();
        check_recurrence(linear, &values)?;
        if is_shortest(linear, &values) && answer.value == Value::exact(linear.order) {
            let how = format!(
                "no recurrence of fewer than {} terms gives these (a Hankel determinant is not \
                 zero)",
                linear.order
            );
            found = found.and(VALUE, how);
        }
    }
    Ok(found)
}

/// That the answer is about what was asked for.
pub(crate) fn subject(answer: &Answer, expected: &Subject) -> Result<Findings> {
    if answer.subject == *expected {
        return Ok(Findings::checked(SUBJECT, "it is what the question asks for"));
    }
    let (stated, asked) = (&answer.subject.text, &expected.text);
    forged(SUBJECT, format!("it is about {stated:?} where {asked:?} was asked for"))
}

/// Adds what the checker said of the options that it takes into account.
pub(crate) fn options(answer: &Answer, mut found: Findings) -> Findings {
    for name in answer.question.options.keys() {
        if found.options.contains(name.as_str()) {
            found = found.and(format!("options.{name}"), "the checker takes it into account");
        }
    }
    found
}

fn forged<T>(field: &str, sentence: impl std::fmt::Display) -> Result<T> {
    Err(Error::forged(field, format!("The answer does not hold: {sentence}.")))
}

/// That the method is one that answers this verb, and the one that was asked for.
fn check_method(answer: &Answer, menu: &Menu) -> Result<()> {
    let used = &answer.method;
    let known = |id: &str| menu.methods.iter().find(|method| method.id == id);
    for id in std::iter::once(&used.id).chain(&used.by) {
        if known(id).is_none() {
            let verb = answer.question.verb;
            return forged("method", format!("{id:?} does not answer {verb} here"));
        }
    }
    match answer.question.method() {
        Some(asked) if asked != AUTO && asked != used.id && !is_known_early(answer, &used.id) => {
            forged("method", format!("{asked:?} was asked for, and {:?} answered", used.id))
        }
        _ => Ok(()),
    }
}

/// Whether an engine that cannot be asked for saw at once that there is none.
fn is_known_early(answer: &Answer, id: &str) -> bool {
    matches!(answer.value, Value::None { .. }) && answer.question.method() != Some(id)
}

/// That the terms obey the recurrence.
fn check_recurrence(linear: &Linear, terms: &[(u64, BigInt)]) -> Result<()> {
    if linear.order != linear.factors.len() as u64 {
        return forged(RECURRENCE, format!("{} factors are shown", linear.factors.len()));
    }
    for (at, (n, value)) in terms.iter().enumerate() {
        if *n < linear.from || at < linear.factors.len() {
            continue;
        }
        let before = terms[..at].iter().rev().map(|(_, value)| value);
        let sum: BigInt = linear.factors.iter().zip(before).map(|(factor, a)| factor * a).sum();
        if sum != *value {
            return forged(RECURRENCE, format!("by the recurrence, term {n} is {sum}"));
        }
    }
    Ok(())
}

/// Whether no shorter recurrence gives these terms. Terms with a recurrence of order r or less
/// make Hankel matrices (entry i, j is term i + j) of rank r or less, so one of `order` rows
/// whose determinant is not 0 modulo some prime proves that the order is no smaller. Further
/// terms come from the recurrence.
fn is_shortest(linear: &Linear, terms: &[(u64, BigInt)]) -> bool {
    const PRIME: u64 = (1 << 61) - 1;
    const MOST: usize = 600;
    let order = linear.factors.len();
    if order == 0 {
        return true;
    }
    let reduce = |number: &BigInt| {
        let prime = BigInt::from(PRIME);
        (((number % &prime) + &prime) % &prime).to_u64().unwrap_or(0)
    };
    // The terms that the recurrence ties together: from `order` before its first on.
    let first = terms.iter().position(|(n, _)| n.saturating_add(order as u64) >= linear.from);
    let Some(first) = first.filter(|_| order <= MOST) else { return false };
    if terms.len() < first + order {
        return false;
    }
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64;
    let factors: Vec<u64> = linear.factors.iter().map(reduce).collect();
    let mut values: Vec<u64> = terms[first..].iter().map(|(_, value)| reduce(value)).collect();
    while values.len() < 2 * order - 1 {
        let before = values.iter().rev();
        let sum = factors
            .iter()
            .zip(before)
            .fold(0, |sum, (&factor, &value)| (sum + times(factor, value)) % PRIME);
        values.push(sum);
    }
    let mut rows: Vec<Vec<u64>> = (0..order).map(|row| values[row..row + order].to_vec()).collect();
    for column in 0..order {
        let Some(pivot) = (column..order).find(|&row| rows[row][column] != 0) else {
            return false;
        };
        rows.swap(column, pivot);
        let (done, rest) = rows.split_at_mut(column + 1);
        let own = &done[column];
        let inverse = power(own[column], PRIME - 2, PRIME);
        for row in rest {
            let factor = times(row[column], inverse);
            for (entry, &above) in row[column..].iter_mut().zip(&own[column..]) {
                *entry = (*entry + PRIME - times(factor, above)) % PRIME;
            }
        }
    }
    true
}

fn power(base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64;
    let (mut power, mut square) = (1, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = times(power, square);
        }
        square = times(square, square);
        exponent >>= 1;
    }
    power
}

fn check_residues(number: &BigUint, residues: &[Residue]) -> Result<()> {
    let forged = |sentence: String| Err(Error::forged(CERTIFICATE, sentence));
    let mut product = BigUint::from(1u32);
    for (k, &Residue { prime, residue }) in residues.iter().enumerate() {
        if !is_prime(prime) {
            return forged(format!("The certificate names {prime} as a prime."));
        }
        if residues[..k].iter().any(|other| other.prime == prime) {
            return forged(format!("The certificate names the prime {prime} twice."));
        }
        if (number % prime).to_u64() != Some(residue) {
            return forged(format!(
                "The certificate does not hold: {number} is not {residue} modulo {prime}."
            ));
        }
        product *= prime;
    }
    if *number >= product {
        return forged(format!(
            "The certificate does not hold: its primes are too few for {number}."
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Certificate;

    #[test]
    fn residues_are_checked() {
        let number = BigUint::from(1_000_000u32);
        let check = |pairs: &[(u64, u64)]| {
            let certificate = Certificate::residues(pairs);
            check_residues(&number, &certificate.read::<Residues>().unwrap().residues)
        };
        check(&[(1009, 81), (1013, 169)]).unwrap();
        let flipped = check(&[(1009, 80), (1013, 169)]).unwrap_err();
        assert!(flipped.to_string().contains("not 80 modulo 1009"), "{flipped}");
        assert!(check(&[(1009, 81)]).is_err(), "too few");
        assert!(check(&[(0, 0)]).is_err());
        let twice = check(&[(1009, 81), (1009, 81)]).unwrap_err();
        assert!(twice.to_string().contains("twice"), "{twice}");
    }

    fn linear(factors: &[i64], from: u64) -> Linear {
        let factors: Vec<BigInt> = factors.iter().map(|&factor| factor.into()).collect();
        Linear { order: factors.len() as u64, factors, from, proved: true, tested: 0 }
    }

    #[test]
    fn a_recurrence_is_the_shortest_or_not() {
        let terms = |values: &[i64]| -> Vec<(u64, BigInt)> {
            (1..).zip(values.iter().map(|&value| value.into())).collect()
        };
        let fibonacci = terms(&[1, 1, 2, 3, 5, 8]);
        check_recurrence(&linear(&[1, 1], 3), &fibonacci).unwrap();
        assert!(is_shortest(&linear(&[1, 1], 3), &fibonacci));
        // It also obeys a(n) = 2 a(n-1) - a(n-3).
        check_recurrence(&linear(&[2, 0, -1], 4), &fibonacci).unwrap();
        assert!(!is_shortest(&linear(&[2, 0, -1], 4), &fibonacci));
        assert!(!is_shortest(&linear(&[1, 1], 3), &fibonacci[..1]), "too few terms");
        assert!(check_recurrence(&linear(&[1, 2], 3), &fibonacci).is_err());
        let mut more = linear(&[1, 1], 3);
        more.order = 3;
        assert!(check_recurrence(&more, &fibonacci).is_err());
    }
}
