//! Reasons: why a number must be where it is, as data and in words.
//!
//! A board with some numbers on it is *known* so far; the numbers that are not there yet are
//! **missing**, the cells without a number are **empty**. A **step** puts one missing number on
//! an empty cell and says by which **rule**. Rules look at the known numbers and at nothing
//! else, so a step can be checked by itself:
//!
//! | rule | level | a number k must be at a cell, because |
//! |---|---|---|
//! | beside | easy | no other empty cell is one move from k−1 and k+1, as far as they are known |
//! | reach | easy | no other cell can be reached in time: by so many moves over empty cells from the known number before k, and to the known one after it |
//! | only-number | medium | no other missing number can reach the cell in time |
//! | ways | medium | cells have only as many moves left as they need, and one of these leads to k−1 or k+1 |
//! | suppose | hard | every other place, supposed, leads by the rules above to a contradiction |
//! | search | hard | every other place was tried to the end |
//!
//! A **contradiction** shows that the known numbers cannot all be right.
//!
//! A **way** of a cell is a move that the path can still take there: to an empty cell, or to a
//! known number beside which a number is missing. An empty cell *needs* two of them, one if it is
//! an end of the path; a known number needs one for each missing number beside it. Where a cell
//! has as many ways as it needs they are all taken, and then others may lose theirs: those to
//! cells that have what they need, and those that would close a loop too early.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::rules::Known;
use crate::board::Cell;

/// The kind of certificate that says why a number is forced.
pub(super) const HINT: &str = "hint";
/// The kind of certificate that says what contradicts.
pub(super) const CONTRADICTION: &str = "contradiction";

/// One number more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// The number.
    pub(super) number: u32,
    /// Where it must be.
    pub(super) cell: Cell,
    /// Why.
    pub(super) because: Reason,
}

/// Why a number must be where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Reason {
    /// The only empty cell beside the numbers beside it.
    Beside {},
    /// The only cell that can be reached in time.
    Reach {},
    /// The only number that can reach the cell in time.
    OnlyNumber {},
    /// A way that must be taken.
    Ways {
        /// Cells with as many ways as they need, one after the other.
        ways: Vec<Ways>,
    },
    /// All others lead to contradictions.
    Suppose {
        /// What the others are.
        over: Over,
        /// The others.
        refuted: Vec<Refuted>,
    },
    /// All other cells were tried to the end.
    Search {},
}

/// What is supposed to be elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Over {
    /// The number, at other cells.
    Cells,
    /// Other numbers, at the cell.
    Numbers,
}

/// A cell that has as many ways as it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ways {
    /// The cell.
    pub(super) cell: Cell,
    /// All its ways, which are therefore taken.
    pub(super) to: Vec<Cell>,
}

/// Something supposed, and what contradicts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Refuted {
    /// The number that is supposed …
    pub(super) number: u32,
    /// … to be at this cell.
    pub(super) cell: Cell,
    /// What follows.
    pub(super) then: Chain,
}

/// Steps that end with a contradiction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chain {
    /// The steps.
    pub(super) steps: Vec<Step>,
    /// What is wrong then.
    pub(super) end: Contradiction,
}

/// Why the known numbers cannot all be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Contradiction {
    /// This number and the next are known, and not one move apart.
    NotJoined {
        /// The number.
        number: u32,
    },
    /// No cell can be reached in time for this number.
    NoCell {
        /// The number.
        number: u32,
    },
    /// No missing number can reach this cell in time.
    NoNumber {
        /// The cell.
        cell: Cell,
    },
    /// A cell has fewer ways than it needs.
    FewWays {
        /// The cell.
        cell: Cell,
        /// The ways that must be taken before that is seen.
        ways: Vec<Ways>,
    },
    /// A number leads to contradictions wherever it is supposed to be.
    Nowhere {
        /// The number.
        number: u32,
        /// All its cells.
        refuted: Vec<Refuted>,
    },
}

/// The certificate of a hint.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hint {
    pub(super) step: Step,
}

/// Rules by name, in the order in which they are tried: the first two are easy, the next two
/// medium, the last two hard.
pub(super) const RULES: [&str; 6] = ["beside", "reach", "only-number", "ways", "suppose", "search"];

/// What a rule does, in a few words.
pub(super) const RULE_WORDS: [&str; 6] = [
    "the only empty cell beside its neighbours",
    "the only cell in reach",
    "the only number for a cell",
    "moves that are left",
    "look-ahead",
    "search",
];

/// Levels by name, from that of the first rules.
pub(super) const LEVELS: [&str; 3] = ["easy", "medium", "hard"];

/// The level of a rule.
pub(super) fn level(rule: usize) -> usize {
    rule / 2
}

impl Reason {
    /// Its place among [`RULES`].
    pub(super) fn rule(&self) -> usize {
        match self {
            Reason::Beside {} => 0,
            Reason::Reach {} => 1,
            Reason::OnlyNumber {} => 2,
            Reason::Ways { .. } => 3,
            Reason::Suppose { .. } => 4,
            Reason::Search {} => 5,
        }
    }

    /// How many steps a look-ahead follows.
    pub(super) fn ahead(&self) -> usize {
        match self {
            Reason::Suppose { refuted, .. } => refuted.iter().map(Refuted::len).sum(),
            _ => 0,
        }
    }
}

impl Refuted {
    /// The supposition and what follows from it.
    pub(super) fn len(&self) -> usize {
        1 + self.then.steps.len()
    }
}

/// "a", "a and b", "a, b and c".
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn moves(number: u32) -> String {
    if number == 1 { "1 move".into() } else { format!("{number} moves") }
}

impl Step {
    /// The step in words, from what is known before it.
    pub(super) fn sentence(&self, known: &Known) -> String {
        let Step { number, cell, because } = self;
        match because {
            Reason::OnlyNumber {} => {
                format!("{cell} must hold {number}: no other missing number can get there in time.")
            }
            Reason::Suppose { over: Over::Numbers, refuted } => format!(
                "{cell} must hold {number}, because no other number can be there. {}",
                refutations(refuted, known)
            ),
            Reason::Suppose { over: Over::Cells, refuted } => format!(
                "{number} must be at {cell}, because it can be nowhere else. {}",
                refutations(refuted, known)
            ),
            Reason::Beside {} => {
                let [before, after] = known.beside_of(*number).map(|number| {
                    number.and_then(|number| Some(format!("{number} at {}", known.cell(number)?)))
                });
                let beside: Vec<String> = before.into_iter().chain(after).collect();
                let from = beside.join(" and from ");
                format!(
                    "{number} must be at {cell}: it is the only empty cell that is one move from \
                     {from}."
                )
            }
            Reason::Reach {} => {
                let [before, after] = known.around(*number);
                let from = before.and_then(|(other, far)| {
                    Some(format!("{} from {other} at {}", moves(far), known.cell(other)?))
                });
                let to = after.and_then(|(other, far)| {
                    Some(format!("{} from {other} at {}", moves(far), known.cell(other)?))
                });
                let both: Vec<String> = from.into_iter().chain(to).collect();
                if both.is_empty() {
                    return format!("{number} must be at {cell}: it is the only empty cell.");
                }
                format!(
                    "{number} must be at {cell}: it is the only empty cell that is {}, over empty \
                     cells.",
                    listed(&both)
                )
            }
            Reason::Ways { ways } if ways.is_empty() => format!(
                "{number} must be at {cell}: the cell has only one way left, so the path ends \
                 there."
            ),
            Reason::Ways { ways } => {
                format!("{number} must be at {cell}: {}.", taken(ways, known))
            }
            Reason::Search {} => format!(
                "{number} must be at {cell}: with it at any other cell there is no solution, as a \
                 search to the end shows."
            ),
        }
    }
}

/// Cells whose ways must be taken.
fn taken(ways: &[Ways], known: &Known) -> String {
    let name = |cell: &Cell| match known.number_at(*cell) {
        Some(number) => format!("{number} at {cell}"),
        None => cell.to_string(),
    };
    let each = ways.iter().map(|Ways { cell, to }| {
        let to: Vec<String> = to.iter().map(name).collect();
        match &to[..] {
            [one] => format!("{} has only the way to {one} left", name(cell)),
            many => format!("{} has only the ways to {} left", name(cell), listed(many)),
        }
    });
    each.collect::<Vec<_>>().join("; then ")
}

/// Suppositions and what contradicts them.
fn refutations(refuted: &[Refuted], known: &Known) -> String {
    let each = refuted.iter().map(|Refuted { number, cell, then }| {
        let mut known = known.clone();
        known.place(*number, *cell);
        let follows = if then.steps.is_empty() { "" } else { "then " };
        format!("Suppose that {number} is at {cell}: {follows}{}", then.sentence(&mut known))
    });
    each.collect::<Vec<_>>().join(" ")
}

impl Chain {
    /// The chain in words, from what is known before it.
    pub(super) fn sentence(&self, known: &mut Known) -> String {
        let mut text = String::new();
        for (k, Step { number, cell, .. }) in self.steps.iter().enumerate() {
            text += if k == 0 { "" } else { ", " };
            // Writing to a String cannot fail.
            let _ = write!(text, "{number} must be at {cell}");
            known.place(*number, *cell);
        }
        if !self.steps.is_empty() {
            text += ", and ";
        }
        text + &self.end.sentence(known) + "."
    }
}

impl Contradiction {
    /// What is wrong, in words and without a full stop.
    pub(super) fn sentence(&self, known: &Known) -> String {
        let at = |number: u32| match known.cell(number) {
            Some(cell) => format!("{number} at {cell}"),
            None => number.to_string(),
        };
        match self {
            Contradiction::NotJoined { number } => {
                let next = known.beside_of(*number)[1].unwrap_or(*number + 1);
                format!("{} and {} are not one move apart", at(*number), at(next))
            }
            Contradiction::NoCell { number } => {
                let around = known.around(*number);
                let between: Vec<String> =
                    around.iter().flatten().map(|&(other, _)| at(other)).collect();
                match &between[..] {
                    [] => format!("there is no cell left for {number}"),
                    [one] => format!("no cell can be reached in time for {number} from {one}"),
                    many => format!(
                        "no cell can be reached in time for {number} between {}",
                        listed(many)
                    ),
                }
            }
            Contradiction::NoNumber { cell } => {
                format!("no missing number can get to {cell} in time")
            }
            Contradiction::FewWays { cell, ways } if ways.is_empty() => {
                format!("{cell} has too few ways left")
            }
            Contradiction::FewWays { cell, ways } => {
                format!("{}; then {cell} has too few ways left", taken(ways, known))
            }
            Contradiction::Nowhere { number, refuted } => {
                let text = refutations(refuted, known);
                format!("{number} can be nowhere. {}", text.trim_end_matches('.'))
            }
        }
    }
}
