//! Answers to `check`: solutions that extend the clues, or clues that contradict each other.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use pessoi_engine::run::Run;

use super::super::clues::{
    CONFLICT, Conflict, EXTENSIONS, Extensions, Placed, SIZE, Size, UNIQUE, table,
};
use super::{Rules, forged, wrong};
use crate::answer::{Answer, Value};
use crate::board::Cell;
use crate::check::{CERTIFICATE, Findings, VALUE};
use crate::error::Result;

/// Sets that are looked at for a smaller conflict.
const MOST_SETS: u64 = 10_000_000;

impl Rules<'_> {
    /// Checks that a board is right so far.
    pub(super) fn check_right(
        &self,
        answer: &Answer,
        number: &BigUint,
        run: &Run,
    ) -> Result<Findings> {
        let Some(certificate) = answer.certificate.as_ref().filter(|c| c.kind == EXTENSIONS) else {
            return wrong("it does not hold a solution");
        };
        let Extensions { paths } = certificate.read()?;
        let mut given = BTreeSet::new();
        for path in &paths {
            self.check_path(path, self.closed)?;
            given.insert(self.normal(path));
        }
        if given.len() != paths.len() || *number != BigUint::from(paths.len()) {
            return forged(VALUE, "so many different solutions are not given");
        }
        let found = Findings::checked(CERTIFICATE, "the solutions obey the rules and the clues");
        if let Value::AtLeast { stop, .. } = &answer.value {
            if stop.is_some() {
                return Ok(found.but(VALUE, "it was stopped, and why cannot be checked"));
            }
            let found = found.and(VALUE, "so many solutions are given");
            return found.fact(answer, UNIQUE.0, UNIQUE.1, false, "two solutions are given");
        }
        match self.recount(run) {
            Ok(1) => found.and(VALUE, "trying everything again finds no other solution").fact(
                answer,
                UNIQUE.0,
                UNIQUE.1,
                true,
                "there is no other",
            ),
            Ok(all) => forged(VALUE, format!("there are {all} solutions")),
            Err(stop) => Ok(found.but(VALUE, format!("trying everything again: {stop}"))),
        }
    }

    /// Checks that clues contradict each other.
    pub(super) fn check_conflict(&self, answer: &Answer, run: &Run) -> Result<Findings> {
        let Some(certificate) = answer.certificate.as_ref().filter(|c| c.kind == CONFLICT) else {
            return wrong("it does not name clues that contradict each other");
        };
        let Conflict { clues, size, because, seen, paths } = certificate.read()?;
        let mut few: BTreeMap<usize, Cell> = BTreeMap::new();
        for &Placed { number, cell } in &clues {
            if self.fixed.get(&(number as usize)) != Some(&cell) {
                return wrong(format!("{number} at {cell} is no clue"));
            }
            few.insert(number as usize, cell);
        }
        if few.len() != clues.len() {
            return wrong("it names a clue twice");
        }
        let alone = self.with_fixed(few.clone());
        let mut found = match (because, seen) {
            (Some(_), Some(_)) => return wrong("it gives two reasons"),
            (Some(chain), None) => {
                alone.check_chain(few.clone(), &chain, run)?;
                Findings::checked(VALUE, "the named clues contradict each other by the rules")
            }
            (None, Some(proof)) => {
                alone.check_none(Some(&proof), run)?;
                Findings::checked(VALUE, "the board and its moves show that no path has them")
            }
            (None, None) => match alone.recount(run) {
                Ok(0) => {
                    Findings::checked(VALUE, "trying everything with the named clues finds no path")
                }
                Ok(some) => return forged(VALUE, format!("{some} solutions extend these clues")),
                Err(stop) => Findings::unchecked(
                    VALUE,
                    format!("trying everything with the named clues was cut short: {stop}"),
                ),
            },
        };
        // What each tour leaves out of the clues.
        let free = self.with_fixed(BTreeMap::new());
        let mut left_out: Vec<BTreeSet<usize>> = Vec::new();
        for path in &paths {
            free.check_path(path, self.closed)?;
            let at: BTreeMap<usize, Cell> = (1..).zip(path.iter().copied()).collect();
            let out = self.fixed.iter().filter(|(number, cell)| at.get(number) != Some(cell));
            left_out.push(out.map(|(&number, _)| number).collect());
        }
        let how = match size {
            Size::Smallest => {
                let mut left = MOST_SETS;
                if !few.is_empty() && hit(&left_out, &BTreeSet::new(), few.len() - 1, &mut left) {
                    return wrong("the tours do not show that no smaller set contradicts itself");
                }
                if left == 0 {
                    let why = "too many smaller sets would have to be looked at";
                    found = found.but(format!("facts.{}", SIZE.0), why).but(CERTIFICATE, why);
                    return found.table(answer, &table(&clues), "they are those of the proof");
                }
                "tours extend every smaller set of clues"
            }
            Size::Irreducible => {
                let spared = |number: &usize| {
                    left_out
                        .iter()
                        .any(|out| few.keys().all(|other| other == number || !out.contains(other)))
                };
                if !few.keys().all(spared) {
                    return wrong("the tours do not show that each of the clues is needed");
                }
                "a tour extends the rest without any one of them"
            }
            Size::Unknown => "nothing is said of how small it is",
        };
        found.and(CERTIFICATE, how).fact(answer, SIZE.0, SIZE.1, size.id(), how)?.table(
            answer,
            &table(&clues),
            "they are those of the proof",
        )
    }
}

/// Whether so many numbers can be chosen that each set holds one of them.
fn hit(sets: &[BTreeSet<usize>], chosen: &BTreeSet<usize>, most: usize, left: &mut u64) -> bool {
    let Some(set) = sets.iter().find(|set| set.is_disjoint(chosen)) else { return true };
    if most == 0 || *left == 0 {
        return false;
    }
    *left -= 1;
    set.iter().any(|&number| {
        let mut more = chosen.clone();
        more.insert(number);
        hit(sets, &more, most - 1, left)
    })
}
