//! Merging: the answers of all parts become the answer of the whole.
//!
//! A question with `--part i/m` asks for one of m disjoint parts that together are everything
//! (`count`, `list`, `classify`). Their saved answers are **merged**: first it is checked that
//! they are of one question, subject and version, were cut alike, came to their ends, and are
//! all there, each once; then numbers, facts, terms and costs are added up and solutions are
//! put together. The merged answer is one to the question without the part, and without options
//! that mean nothing without it; its method says that it was merged.
//!
//! Residues are not added up here: what residues of parts are together, their game knows
//! ([`crate::Game::join`]).
//!
//! What cannot be seen here is a number that was changed in a file, or a computation that went
//! wrong: merging checks that the parts fit together, and not that they are right.
//!
//! **Order.** A list of the whole has an order of its own. Where every part's solutions are
//! sorted by their cells (tours), so are the whole's, and merging restores their order.
//! Elsewhere (loops) they come part after part, and a note says so.

use std::collections::BTreeMap;
use std::io::Write;

use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use crate::answer::{Answer, Cost, Sequence, Value};
use crate::card::{Card, Menu, PART};
use crate::catalogue::Catalogue;
use crate::certificate::Certificate;
use crate::error::{Code, Error, Result};
use crate::export::{self, Format, Page, Style, Written};
use crate::job::{Collected, Events};
use crate::label;
use crate::question::{Question, Setting, Verb};
use crate::solution::Solution;
use crate::table::{Datum, Fact};
use pessoi_engine::run::Run;
use pessoi_engine::search::Part;

/// The id of the fact that says into how many pieces the whole was cut, which were then dealt
/// out to the parts. Parts that were cut alike agree in it.
pub const PIECES: &str = "pieces";

/// What all parts together are, where that is not the sum of their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Joined {
    /// The value of the whole.
    pub value: Value,
    /// The facts of the whole; those of the parts are dropped.
    pub facts: Vec<Fact>,
    /// What lets another program check the whole.
    pub certificate: Option<Certificate>,
    /// The notes of the whole; those of the parts are dropped.
    pub notes: Vec<String>,
}

/// Why parts cannot be joined.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// One of them does not fit.
    Part {
        /// Which, from 0.
        number: usize,
        /// Why not: `its modulus is …`.
        why: String,
    },
    /// Something is wrong with all of them.
    All(Error),
}

impl From<Error> for Misfit {
    fn from(error: Error) -> Self {
        Misfit::All(error)
    }
}

/// A saved answer, and what it is called.
#[derive(Clone, Copy, Debug)]
pub struct Saved<'a> {
    /// The name of its file.
    pub name: &'a str,
    /// What is in it.
    pub bytes: &'a [u8],
}

/// An answer of one part.
struct Piece<'a> {
    name: &'a str,
    part: Part,
    /// The question of the whole.
    whole: Question,
    answer: Answer,
    solutions: Vec<Solution>,
}

impl Catalogue {
    /// Merges the answers of all parts, in any order. Solutions go to the events.
    pub fn merge(&self, parts: &[Saved], run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let (whole, solutions) = self.merged(parts, run)?;
        give(solutions, events);
        Ok(whole)
    }

    /// Merges the answers of all parts and writes that of the whole.
    pub fn write_merged(
        &self,
        parts: &[Saved],
        choose: impl FnOnce(&Card, Verb) -> Result<&'static dyn Format>,
        style: &Style,
        run: &Run,
        out: &mut (dyn Write + Send),
    ) -> Result<Written> {
        let (whole, solutions) = self.merged(parts, run)?;
        let game = self.game(&whole.question.game)?;
        let format = choose(game.card(), whole.question.verb)?;
        let question = whole.question.clone();
        let page = Page { game, question: &question, run, style };
        export::write(&page, format, out, |events| {
            give(solutions, events);
            Ok(whole)
        })
    }

    fn merged(&self, parts: &[Saved], run: &Run) -> Result<(Answer, Vec<Solution>)> {
        let mut pieces = Vec::new();
        for saved in parts {
            pieces.push(self.piece(saved, run)?);
        }
        fit(&pieces)?;
        pieces.sort_by_key(|piece| piece.part.index());
        let Some(first) = pieces.first() else {
            return Err(Error::internal("no parts were merged"));
        };
        let game = self.game(&first.whole.game)?;
        let answers: Vec<&Answer> = pieces.iter().map(|piece| &piece.answer).collect();
        match game.join(&first.whole, &answers, run) {
            Ok(joined) => put_together(pieces, joined),
            Err(Misfit::Part { number, why }) => Err(match pieces.get(number) {
                Some(piece) => piece.refuse(why),
                None => Error::internal(why),
            }),
            Err(Misfit::All(error)) => Err(error),
        }
    }

    /// Reads a part, and refuses what is none.
    fn piece<'a>(&self, saved: &Saved<'a>, run: &Run) -> Result<Piece<'a>> {
        let name = saved.name;
        let named =
            |error: Error| Error { sentence: format!("{name}: {}", error.sentence), ..error };
        let mut kept = Collected::new(run);
        let mut answer = self.read(saved.bytes, &mut kept).map_err(named)?;
        if let Some(stop) = kept.stop {
            let why = format!("The solutions of all parts cannot be kept: {stop}.");
            return Err(Error::new(Code::Stopped, "parts", why));
        }
        let mut solutions = kept.solutions;
        solutions.append(&mut answer.solutions);
        let game = self.game(&answer.question.game).map_err(named)?;
        answer.question.check(&self.menu(game.card(), answer.question.verb)).map_err(named)?;
        if !answer.question.options.contains_key(PART) {
            return Err(refused(name, "it answers the whole question and not a part of it"));
        }
        let menu = game.card().menu(answer.question.verb);
        let mut whole = answer.question.clone();
        whole.options.retain(|name, _| {
            let opt = menu.option(name);
            name != PART && opt.is_none_or(|opt| !opt.needs.contains(&PART))
        });
        let piece = Piece { name, part: answer.question.part(), whole, answer, solutions };
        piece.check(&menu)?;
        Ok(piece)
    }
}

fn give(solutions: Vec<Solution>, events: &mut dyn Events) {
    for solution in solutions {
        if events.solution(solution).is_break() {
            return;
        }
    }
}

fn refused(name: &str, why: &str) -> Error {
    Error::new(Code::Conflict, "parts", format!("{name} cannot be merged: {why}."))
}

impl Piece<'_> {
    /// What is wrong with this part.
    fn refuse(&self, why: impl AsRef<str>) -> Error {
        refused(&format!("{} (part {})", self.name, self.part), why.as_ref())
    }

    /// The exact number of this part.
    fn number(&self) -> Result<BigUint> {
        match &self.answer.value {
            Value::Exact { number } => Ok(number.clone()),
            Value::None { .. } => Ok(BigUint::ZERO),
            value => Err(self.refuse(match value.stop() {
                Some(stop) => format!("it was stopped, because {stop}"),
                None => "its number is not exact".to_owned(),
            })),
        }
    }

    /// Refuses what no part can be.
    fn check(&self, menu: &Menu) -> Result<()> {
        let Answer { question, subject, sequence, .. } = &self.answer;
        // What residues are together, their game will say.
        let number = match self.answer.value {
            Value::Residue { .. } => None,
            _ => Some(self.number()?),
        };
        let held = self.solutions.len();
        if let Some(number) = number.as_ref().filter(|_| question.verb.streams())
            && *number != BigUint::from(held)
        {
            return Err(self.refuse(format!("it says {number} and holds {held} solutions")));
        }
        if !question.verb.streams() && !self.solutions.is_empty() {
            return Err(self.refuse("it is a count and holds solutions"));
        }
        crate::check::claims(&self.answer, menu).map_err(|error| self.refuse(&error.sentence))?;
        let last = sequence.iter().find_map(|known| known.terms.last());
        let is_last =
            |number: &BigUint| last.is_none_or(|last| last.value == *number) || number.is_zero();
        if !number.as_ref().is_none_or(is_last) {
            return Err(self.refuse("its number is not its last term"));
        }
        let is_named = subject.of_whole(self.part).is_some()
            && sequence.iter().all(|known| label::without_part(&known.text, self.part).is_some());
        if !is_named {
            return Err(self.refuse("its words are those of another part, or of the whole"));
        }
        if !self.answer.tables.is_empty() || self.answer.graph.is_some() {
            return Err(self.refuse("it has tables or a graph, which cannot be added up"));
        }
        let is_number = |fact: &Fact| matches!(fact.value, Datum::Integer(_));
        match self.answer.facts.iter().find(|fact| !is_number(fact)) {
            Some(fact) => Err(self.refuse(format!("the fact {:?} cannot be added up", fact.id))),
            None => Ok(()),
        }
    }

    fn fact(&self, id: &str) -> Option<&Datum> {
        self.answer.fact_of(id)
    }
}

/// Refuses parts that are not of one question, or not all parts, each once.
fn fit(pieces: &[Piece]) -> Result<()> {
    let Some(first) = pieces.first() else {
        return Err(Error::new(Code::BadValue, "parts", "There are no parts to merge."));
    };
    let mut seen: BTreeMap<u64, &Piece> = BTreeMap::new();
    for piece in pieces {
        first.fits(piece)?;
        if let Some(before) = seen.insert(piece.part.index(), piece) {
            return Err(piece.refuse(format!("{} is that part too", before.name)));
        }
    }
    let of = first.part.of();
    let missing: Vec<u64> = (1..=of).filter(|index| !seen.contains_key(index)).take(4).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let number = of - seen.len() as u64;
    let mut names: Vec<String> = missing.iter().map(|index| format!("{index}/{of}")).collect();
    if number > names.len() as u64 {
        names.push(format!("{} more", number - names.len() as u64));
    }
    let sentence = match &names[..] {
        [only] => format!("Part {only} is missing."),
        _ => format!("Parts are missing: {}.", names.join(", ")),
    };
    Err(Error::new(Code::BadValue, "parts", sentence))
}

impl Piece<'_> {
    /// Refuses a part that does not belong to this one.
    fn fits(&self, other: &Piece) -> Result<()> {
        let (mine, theirs) = (&self.answer, &other.answer);
        let unlike = |what: &str, here: &dyn std::fmt::Display, there: &dyn std::fmt::Display| {
            Err(other.refuse(format!("{what} {here}, and that of {} is {there}", self.name)))
        };
        let own = |piece: &Piece| {
            let mut question = piece.answer.question.clone();
            question.options.remove(PART);
            question
        };
        let (asked, here) = (own(self), own(other));
        if other.part.of() != self.part.of() {
            let (here, there) = (other.part.of(), self.part.of());
            let name = self.name;
            return Err(other.refuse(format!("it is one of {here} parts, {name} one of {there}")));
        }
        if here.verb != asked.verb {
            return unlike("its verb is", &here.verb, &asked.verb);
        }
        if here.game != asked.game {
            return unlike("its game is", &here.game, &asked.game);
        }
        if here.place != asked.place {
            return unlike("its place is", &here.place, &asked.place);
        }
        let names = asked.options.keys().chain(here.options.keys());
        for name in names {
            let (here, there) = (here.options.get(name), asked.options.get(name));
            if here != there {
                let shown = |setting: Option<&Setting>| {
                    setting.map_or_else(|| "absent".to_owned(), ToString::to_string)
                };
                let what = format!("its option --{name} is");
                return unlike(&what, &shown(here), &shown(there));
            }
        }
        if theirs.pessoi != mine.pessoi {
            return unlike("its version of Pessoi is", &theirs.pessoi, &mine.pessoi);
        }
        let subject = |piece: &Piece| piece.answer.subject.of_whole(piece.part);
        if subject(self) != subject(other) {
            return unlike("its subject is", &theirs.subject.text, &mine.subject.text);
        }
        if (&theirs.method.id, &theirs.method.by) != (&mine.method.id, &mine.method.by) {
            return unlike("its method is", &theirs.method.id, &mine.method.id);
        }
        if other.fact(PIECES) != self.fact(PIECES) {
            let shown = |piece: &Piece| {
                piece.fact(PIECES).map_or_else(|| "unknown".to_owned(), ToString::to_string)
            };
            return unlike(
                "the number of pieces it was dealt from is",
                &shown(other),
                &shown(self),
            );
        }
        let facts = |answer: &Answer| -> Vec<String> {
            answer.facts.iter().map(|fact| fact.id.clone()).collect()
        };
        if facts(theirs) != facts(mine) {
            return unlike("its facts are", &facts(theirs).join(", "), &facts(mine).join(", "));
        }
        let terms = |answer: &Answer| -> Option<Vec<u64>> {
            Some(answer.sequence.as_ref()?.terms.iter().map(|term| term.n).collect())
        };
        if terms(theirs) != terms(mine) {
            return Err(other.refuse(format!("its sequence has other terms than {}", self.name)));
        }
        Ok(())
    }
}

/// Puts parts that fit together, in their order: as their game has joined them, or by adding
/// them up.
fn put_together(pieces: Vec<Piece>, joined: Option<Joined>) -> Result<(Answer, Vec<Solution>)> {
    let of = pieces.len();
    let mut number = BigUint::ZERO;
    for piece in pieces.iter().filter(|_| joined.is_none()) {
        number += piece.number()?;
    }
    let all_none = pieces.iter().all(|piece| matches!(piece.answer.value, Value::None { .. }));
    let mut lists = Vec::with_capacity(of);
    let mut whole: Option<Answer> = None;
    for Piece { answer: mut part, part: index, whole: question, solutions, .. } in pieces {
        lists.push(solutions);
        part.question = question;
        // Both were looked at when the part was read.
        if let Some(subject) = part.subject.of_whole(index) {
            part.subject = subject;
        }
        if let Some(sequence) = &mut part.sequence
            && let Some(text) = label::without_part(&sequence.text, index)
        {
            sequence.text = text.to_owned();
        }
        whole = Some(match whole {
            None => part,
            Some(sum) => add(sum, part),
        });
    }
    let Some(mut whole) = whole else {
        return Err(Error::internal("no parts were merged"));
    };
    whole.facts.retain(|fact| fact.id != PIECES);
    if let Some(Joined { value, facts, certificate, notes }) = joined {
        whole = Answer { value, notes, facts, certificate, ..whole };
    } else if !all_none {
        whole.value = if number.is_zero() {
            Value::none(format!("none of the {of} parts holds any"))
        } else {
            Value::exact(number)
        };
    }
    let merged = format!("merged from {of} part{}", if of == 1 { "" } else { "s" });
    whole.method.text = format!("{}; {merged}", whole.method.text);
    let (solutions, is_sorted) = in_order(lists);
    if is_sorted && solutions.windows(2).any(|pair| pair[0] == pair[1]) {
        let why = "The parts cannot be merged: a solution is in two of them.";
        return Err(Error::new(Code::Conflict, "parts", why));
    }
    if !is_sorted {
        whole.notes.push("The solutions stand part after part, not in the whole's order.".into());
    }
    Ok((whole, solutions))
}

/// Adds a part to the sum of those before.
fn add(mut sum: Answer, part: Answer) -> Answer {
    let plus = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
    sum.cost = Cost {
        nodes: plus(sum.cost.nodes, part.cost.nodes),
        borders: plus(sum.cost.borders, part.cost.borders),
        peak_borders: sum.cost.peak_borders.max(part.cost.peak_borders),
        states: plus(sum.cost.states, part.cost.states),
        seconds: sum.cost.seconds + part.cost.seconds,
        peak_bytes: sum.cost.peak_bytes.max(part.cost.peak_bytes),
        disk_bytes: sum.cost.disk_bytes.max(part.cost.disk_bytes),
    };
    if let (Some(sequence), Some(more)) = (&mut sum.sequence, &part.sequence) {
        add_terms(sequence, more);
    }
    for (fact, more) in sum.facts.iter_mut().zip(&part.facts) {
        if let (Datum::Integer(number), Datum::Integer(more)) = (&mut fact.value, &more.value) {
            *number += more as &BigInt;
        }
    }
    for component in part.method.components {
        if !sum.method.components.contains(&component) {
            sum.method.components.push(component);
        }
    }
    // What was said of one part alone, or proves but its number, is not said of the whole.
    sum.notes.retain(|note| part.notes.contains(note));
    // Residues are those of one part's number.
    sum.certificate = sum.certificate.filter(|known| known.kind != crate::certificate::RESIDUES);
    if sum.certificate != part.certificate {
        let is_list = sum.question.verb.streams();
        sum.certificate = sum.certificate.or(part.certificate).filter(|_| is_list);
    }
    if sum.seed != part.seed {
        sum.seed = None;
    }
    sum
}

fn add_terms(sequence: &mut Sequence, more: &Sequence) {
    for (term, more) in sequence.terms.iter_mut().zip(&more.terms) {
        term.value += &more.value;
    }
    sequence.recurrence = None;
    sequence.growth = None;
}

/// Solutions of all parts; in the order of their cells if those of each part are, and whether
/// that is so.
fn in_order(lists: Vec<Vec<Solution>>) -> (Vec<Solution>, bool) {
    let path = |solution: &Solution| {
        solution.figure.path().iter().map(|cell| (cell.row, cell.col)).collect::<Vec<_>>()
    };
    let is_sorted =
        lists.len() == 1 || lists.iter().all(|list| list.is_sorted_by(|a, b| path(a) <= path(b)));
    let mut all: Vec<Solution> = lists.into_iter().flatten().collect();
    if is_sorted {
        all.sort_by_cached_key(path);
    }
    (all, is_sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Collected;
    use crate::testing::{CATALOGUE, check_shape};

    fn question(words: &str) -> Question {
        let words: Vec<&str> = words.split(' ').collect();
        CATALOGUE.read_question(&words).unwrap()
    }

    /// The answer to a question in a format, as it is saved.
    fn saved(question: &Question, format: &str) -> Vec<u8> {
        let card = CATALOGUE.game(&question.game).unwrap().card();
        let format = CATALOGUE.format(card, question.verb, format).unwrap();
        let mut bytes = Vec::new();
        let run = Run::default();
        CATALOGUE.write(question, &run, format, &Style::default(), &mut bytes).unwrap();
        bytes
    }

    /// The saved parts of a question.
    fn parts(words: &str, of: u64, format: &str) -> Vec<(String, Vec<u8>)> {
        let part = |index| {
            let asked = question(words).with(PART, &*format!("{index}/{of}"));
            (format!("{index}.json"), saved(&asked, format))
        };
        (1..=of).map(part).collect()
    }

    fn merge(parts: &[(String, Vec<u8>)]) -> Result<Answer> {
        let parts: Vec<_> = parts.iter().map(|(name, bytes)| Saved { name, bytes }).collect();
        let run = Run::default();
        let mut collected = Collected::new(&run);
        let mut answer = CATALOGUE.merge(&parts, &run, &mut collected)?;
        collected.into_answer(&mut answer);
        check_shape(&answer);
        Ok(answer)
    }

    fn refusal(parts: &[(String, Vec<u8>)]) -> String {
        let error = merge(parts).unwrap_err();
        assert!(error.sentence.ends_with('.'), "{error}");
        assert_ne!(error.code, Code::Internal);
        error.sentence
    }

    /// A saved answer with something changed.
    fn edited(bytes: &[u8], edit: impl FnOnce(&mut serde_json::Value)) -> Vec<u8> {
        let mut json: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        edit(&mut json);
        serde_json::to_vec(&json).unwrap()
    }

    #[test]
    fn all_parts_are_the_whole() {
        for (words, of) in [
            ("count diplomatico 5x5", 3),
            ("count knight-tours 6x6 --closed", 4),
            ("count knight-tours 5x5 --directed --method search", 2),
            ("count wazir-tours 5x5 --method pairings", 3),
            ("count wazir-tours 3x3 --closed", 2),
            ("count diplomatico 4x4", 2),
            ("list diplomatico 4x5", 3),
            ("list wazir-tours 3x4 --closed", 2),
            ("classify diplomatico 4x5", 5),
            ("count knight-loops 10", 3),
            ("count wazir-loops 12 --board 4x4", 3),
            ("count wazir-loops 12 --sequence", 4),
            ("count wazir-loops 11 --sequence", 2),
            ("list knight-loops 8", 3),
            ("classify king-loops 6", 3),
            ("count knight-loops 8", 1),
        ] {
            let run = Run::default();
            let asked = question(words);
            let whole = CATALOGUE.answer(&asked, &run).unwrap();
            let mut saved = parts(words, of, "json");
            // In any order.
            let middle = saved.len() / 2;
            saved.rotate_left(middle);
            let merged = merge(&saved).unwrap();
            assert_eq!(merged.question, asked, "{words}");
            assert_eq!(merged.subject, whole.subject, "{words}");
            assert_eq!(merged.value.number(), whole.value.number(), "{words}");
            assert_eq!(merged.sequence, whole.sequence, "{words}");
            assert_eq!(merged.facts, whole.facts, "{words}");
            assert!(merged.method.text.contains("merged from"), "{words}");
            let sort = |answer: &Answer| {
                let mut all = answer.solutions.clone();
                all.sort_by_key(|found| format!("{found:?}"));
                all
            };
            assert_eq!(sort(&merged), sort(&whole), "{words}");
            // In the whole's order, or it is said.
            let is_said = merged.notes.iter().any(|note| note.contains("part after part"));
            assert!(is_said || merged.solutions == whole.solutions, "{words}");
            assert!(!is_said || words.contains("loops"), "{words}");
            // Solutions carry their proof with them.
            if asked.verb.streams() {
                let judged = CATALOGUE.check(&merged, crate::check::Effort::Usual, &run);
                assert!(judged.is_ok(), "{words}: {judged:?}");
            }
        }
    }

    #[test]
    fn a_list_that_is_there_twice_is_refused() {
        let mut twice = parts("list knight-tours 3x4", 2, "json");
        let first = String::from_utf8(twice[0].1.clone()).unwrap();
        twice[1].1 = first.replace("1/2", "2/2").into_bytes();
        assert!(refusal(&twice).contains("in two of them"));
    }

    #[test]
    fn packed_lists_are_merged_too() {
        let packed = parts("list knight-loops 8", 3, "packed");
        let merged = merge(&packed).unwrap();
        assert_eq!(merged.value, Value::exact(merged.solutions.len()));
        let whole = CATALOGUE.answer(&question("list knight-loops 8"), &Run::default()).unwrap();
        assert_eq!(merged.value, whole.value);
    }

    #[test]
    fn merged_answers_are_written_like_others() {
        let saved = parts("count wazir-loops 12 --sequence", 2, "json");
        let parts: Vec<_> = saved.iter().map(|(name, bytes)| Saved { name, bytes }).collect();
        for format in ["text", "json", "csv", "bfile"] {
            let mut out = Vec::new();
            let choose = |card: &Card, verb| CATALOGUE.format(card, verb, format);
            let run = Run::default();
            CATALOGUE.write_merged(&parts, choose, &Style::default(), &run, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.contains("25") && !text.contains("in part"), "{text}");
        }
    }

    #[test]
    fn wrong_parts_are_refused_with_their_name_and_why() {
        let right = parts("count diplomatico 4x5", 3, "json");
        assert!(merge(&right).is_ok());
        assert!(refusal(&[]).contains("no parts"));
        assert_eq!(refusal(&right[..2]), "Part 3/3 is missing.");
        let many = parts("count wazir-loops 4", 9, "json");
        assert_eq!(refusal(&many[4..5]), "Parts are missing: 1/9, 2/9, 3/9, 4/9, 4 more.");
        let changed = |at: usize, bytes: Vec<u8>| {
            let mut parts = right.clone();
            parts[at].1 = bytes;
            refusal(&parts)
        };
        let ask = |words: &str| saved(&question(words), "json");
        let edit =
            |at: usize, edit: fn(&mut serde_json::Value)| changed(at, edited(&right[at].1, edit));
        let mut doubled = right.clone();
        doubled.push(("copy.json".into(), right[1].1.clone()));
        let refused = refusal(&doubled);
        assert!(
            refused.contains("copy.json (part 2/3)") && refused.contains("2.json"),
            "{refused}"
        );
        for (refused, why) in [
            (changed(1, ask("count diplomatico 4x5")), "whole question"),
            (changed(1, ask("count diplomatico 4x6 --part 2/3")), "place is 4x6"),
            (changed(1, ask("count diplomatico 4x5 --part 2/4")), "one of 4 parts"),
            (changed(1, ask("count diplomatico 4x5 --closed --part 2/3")), "--closed"),
            (changed(1, ask("count hopido 4x5 --part 2/3")), "game is hopido"),
            (changed(1, ask("list diplomatico 4x5 --part 2/3")), "verb is list"),
            (changed(1, ask("count diplomatico 4x5 --method search --part 2/3")), "--method"),
            (changed(1, b"hello".to_vec()), "JSON"),
            (edit(1, |json| json["pessoi"] = "0.0.1".into()), "version"),
            (edit(1, |json| json["method"]["id"] = "search".into()), "method is search"),
            (edit(1, |json| json["facts"][0]["value"] = "5".into()), "pieces"),
            (edit(1, |json| json["question"]["options"]["part"] = "3/3".into()), "words"),
            (edit(1, |json| json["question"]["options"]["closed"] = true.into()), "--closed"),
            (edit(1, |json| json["subject"]["text"] = "open paths in part 2/3".into()), "subject"),
            (
                edit(1, |json| {
                    json["value"] = serde_json::json!({
                        "standing": "at-least",
                        "number": "5",
                        "stop": {"limit": "cancelled"},
                    });
                }),
                "stopped",
            ),
            (
                edit(1, |json| {
                    json["value"] = serde_json::json!({"standing": "at-least", "number": "5"});
                }),
                "not exact",
            ),
        ] {
            assert!(refused.contains("2.json") && refused.contains(why), "{why}: {refused}");
        }
        // A list that lost a solution.
        let mut lists = parts("list diplomatico 4x5", 2, "json");
        let text = String::from_utf8(lists[0].1.clone()).unwrap();
        lists[0].1 = text.split_once('\n').unwrap().1.as_bytes().to_vec();
        let refused = refusal(&lists);
        assert!(refused.contains("1.json") && refused.contains("holds"), "{refused}");
    }
}
