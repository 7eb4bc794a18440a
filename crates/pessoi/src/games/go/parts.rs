//! Counts in parts: what a part is, and what all of them are together.
//!
//! A number is counted by several passes, each modulo another number ([`super::passes`]), and a
//! pass reads blocks that meet only between phases ([`super::matrix`]). So there are two ways to
//! divide a count among machines.
//!
//! **Over moduli**: part i of m makes the passes number i, i+m, i+2m … Parts need nothing of each
//! other, and each takes the memory (or disk) of the whole. There are only a few passes. A part's
//! value is the residue of the whole number, modulo the product of its moduli.
//!
//! **Over blocks**: part i of m makes all passes and reads blocks i, i+m, i+2m … of every phase;
//! the parts hand each other their tiles through a folder that all of them see
//! ([`super::apart`]). A part takes an m-th of the time, and of memory only its benches. Its value
//! is the sum over its blocks, modulo the product of all moduli (or as `--mod` asks).
//!
//! Which moduli there are, and which of them are a part's, follows from the question alone, so one
//! residue says everything that a part has found. **Joining** takes the residues of all parts
//! apart again, and puts the number together as an undivided count does: one prime is to spare and
//! must agree, the number must be below its bound, and it must fit the asymptotic formula. So a
//! pass that went wrong is noticed, in any part. A residue that was changed in a file is noticed
//! over moduli; over blocks it is a sum with another term, and that cannot be seen.

#[cfg(test)]
mod tests;

use num_bigint::BigUint;

use super::formula::Formula;
use super::options::{self, BLOCKS};
use super::rectangle::{Engine, colourings, plural, sides};
use super::ring::Ring;
use super::{count, matrix, passes};
use crate::answer::{Answer, Value};
use crate::board::Board;
use crate::card::PART;
use crate::certificate::Certificate;
use crate::error::{Code, Error, Result};
use crate::job::Halt;
use crate::merge::{Joined, Misfit};
use crate::question::Question;
use pessoi_engine::run::Run;
use pessoi_engine::search::Part;

/// What is dealt out to the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Moduli,
    Blocks,
}

/// A part of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Divided {
    pub(super) part: Part,
    pub(super) over: Over,
    /// The moduli of all passes; 0 is 2^64.
    pub(super) moduli: Vec<u64>,
    /// The modulus that was asked for.
    asked: Option<u64>,
}

impl Divided {
    /// The part that a question asks for, if it does.
    pub(super) fn of(question: &Question, board: &Board, engine: Engine) -> Result<Option<Self>> {
        if !question.is_given(&options::PART) {
            return Ok(None);
        }
        let (Engine::Matrix, Some((height, length))) = (engine, sides(board)) else {
            return Err(Error::conflict(
                PART,
                format!(
                    "Only counts by matrix have parts, and {} would be counted by {}: leave out \
                     --part.",
                    board.name(),
                    engine.method().id
                ),
            ));
        };
        let part = question.part();
        let asked = question.number(&options::MOD);
        let is_over_blocks = question.text(&options::OVER) == Some(BLOCKS);
        let over = if is_over_blocks { Over::Blocks } else { Over::Moduli };
        let moduli = moduli(height, length, asked)?;
        let refuse = |sentence: String| Err(Error::option(PART, sentence));
        match over {
            Over::Moduli if asked.is_some() => refuse(
                "A count with --mod is one pass, which cannot be divided over moduli: add --over \
                 blocks."
                    .to_owned(),
            ),
            Over::Moduli if part.of() > moduli.len() as u64 => refuse(format!(
                "--part {part} is not accepted: {} is counted in {} {}, and a part makes at least \
                 one. Give no more parts, or divide it with --over blocks.",
                board.name(),
                moduli.len(),
                plural(moduli.len(), "pass", "passes"),
            )),
            Over::Blocks if part.of() > matrix::most_parts(height) => refuse(format!(
                "--part {part} is not accepted: a column of {} has no more than {} blocks, and a \
                 part reads at least one.",
                board.name(),
                matrix::most_parts(height),
            )),
            _ => Ok(Some(Divided { part, over, moduli, asked })),
        }
    }

    /// The moduli that the part counts with.
    pub(super) fn own(&self) -> Vec<u64> {
        let is_own = |number: usize| match self.over {
            Over::Moduli => self.part.contains(number as u64),
            Over::Blocks => true,
        };
        let own = self.moduli.iter().enumerate().filter(|&(number, _)| is_own(number));
        own.map(|(_, &modulus)| modulus).collect()
    }

    /// The modulus of the part's value, if it is the one that was asked for.
    fn single(&self) -> Option<u64> {
        self.asked.filter(|_| self.moduli.len() == 1)
    }

    /// The value of a part with these residues.
    pub(super) fn value(&self, residues: &[(u64, u64)]) -> Result<Value> {
        let (mut residue, mut modulus) = passes::one_residue(residues)?;
        if let Some(asked) = self.single() {
            modulus = asked.into();
            residue %= &modulus;
        }
        Ok(Value::Residue { residue, modulus })
    }

    /// What a reader of the part must know.
    pub(super) fn note(&self) -> &'static str {
        match self.over {
            Over::Moduli => {
                "The residue is that of the whole number; merge puts the number together from all \
                 parts."
            }
            Over::Blocks => {
                "The residue is that of this part's share; merge adds up all parts. When all have \
                 ended, the shared folder is no longer needed."
            }
        }
    }

    /// The residue of a part; or why it is none.
    fn residue(&self, answer: &Answer) -> std::result::Result<BigUint, String> {
        let expected = self
            .single()
            .map_or_else(|| self.own().into_iter().map(passes::whole).product(), BigUint::from);
        match &answer.value {
            Value::Residue { modulus, .. } if *modulus != expected => {
                Err(format!("its modulus is {modulus}, and that of this part is {expected}"))
            }
            Value::Residue { residue, .. } if *residue >= expected => {
                Err("its residue is not below its modulus".to_owned())
            }
            Value::Residue { residue, .. } => Ok(residue.clone()),
            _ => Err("it gives no residue".to_owned()),
        }
    }
}

/// The moduli for a board.
pub(super) fn moduli(height: usize, length: usize, asked: Option<u64>) -> Result<Vec<u64>> {
    match asked {
        Some(asked) if is_one_pass(height, asked) => Ok(vec![count_with(asked)]),
        _ => passes::moduli(&colourings(height * length), matrix::most_growth(height)),
    }
}

/// Whether the matrix counts modulo this number in one pass. If not, the number itself is counted
/// and then reduced.
pub(super) fn is_one_pass(height: usize, modulus: u64) -> bool {
    Ring::new(count_with(modulus)).holds(matrix::most_growth(height))
}

/// What a residue is counted with: what is known modulo 2^64 is known modulo smaller powers of
/// two.
pub(super) fn count_with(modulus: u64) -> u64 {
    if modulus.is_power_of_two() { 0 } else { modulus }
}

/// What all parts of a count are together.
pub(super) fn join(
    whole: &Question,
    parts: &[&Answer],
    run: &Run,
) -> std::result::Result<Joined, Misfit> {
    let board = whole.board()?;
    let mut residues: Vec<(u64, BigUint)> = Vec::new();
    let mut single = None;
    for (number, answer) in parts.iter().enumerate() {
        let divided = Divided::of(&answer.question, board, Engine::Matrix)?;
        let divided = divided.ok_or_else(|| Error::internal("a part without a part"))?;
        let residue = divided.residue(answer).map_err(|why| Misfit::Part { number, why })?;
        if number == 0 {
            single = divided.single();
            residues = divided.moduli.iter().map(|&modulus| (modulus, BigUint::ZERO)).collect();
        }
        let own = divided.own();
        for (modulus, sum) in residues.iter_mut().filter(|(modulus, _)| own.contains(modulus)) {
            *sum = (&*sum + &residue) % passes::whole(*modulus);
        }
    }
    let residues: Vec<(u64, u64)> = residues
        .into_iter()
        .map(|(modulus, residue)| Ok((modulus, residue.try_into().map_err(|_| too_large())?)))
        .collect::<Result<_>>()?;
    self::whole(whole, single, residues, run)
}

/// What the residues of a whole count are together; `single` is the modulus that was asked for, if
/// it is that of the only pass.
pub(super) fn whole(
    whole: &Question,
    single: Option<u64>,
    residues: Vec<(u64, u64)>,
    run: &Run,
) -> std::result::Result<Joined, Misfit> {
    let board = whole.board()?;
    let (height, length) = sides(board).ok_or_else(|| Error::internal("parts of no rectangle"))?;
    if let (Some(modulus), Some((_, residue))) = (single, residues.first()) {
        let value = Value::Residue { residue: (residue % modulus).into(), modulus: modulus.into() };
        let notes = vec![count::SINGLE.to_owned()];
        return Ok(Joined { value, facts: Vec::new(), certificate: None, notes });
    }
    let disagree = |_| {
        let why = "The parts cannot be merged: their residues are not those of one number, so one \
                   of them at least is wrong.";
        Error::new(Code::Conflict, "parts", why)
    };
    let total = passes::together(&residues, &colourings(height * length)).map_err(disagree)?;
    match Formula::check_total(height, length, &total, run) {
        Ok(()) => {}
        Err(Halt::Error(error)) => return Err(disagree(error).into()),
        Err(Halt::Stop(stop)) => {
            let why = format!("The parts were not merged: {stop}.");
            return Err(Error::new(Code::Stopped, "parts", why).into());
        }
    }
    let modulus = whole.number(&options::MOD);
    let is_ternary = whole.flag(&options::TERNARY);
    let primes: Vec<(u64, u64)> = residues.into_iter().filter(|&(m, _)| m != 0).collect();
    Ok(Joined {
        value: count::value(&total, modulus),
        facts: count::facts(&total, board, modulus.is_none(), is_ternary),
        certificate: modulus.is_none().then(|| Certificate::residues(&primes)),
        notes: Vec::new(),
    })
}

fn too_large() -> Error {
    Error::internal("a residue that is not below its modulus")
}
