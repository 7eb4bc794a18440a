//! The options of Go. The card lists them, and the code reads them by these constants.

use super::analyze::MOST_FITTED;
use super::border::MOST_COUNTED;
use super::recurrence::MOST_TERMS;
use crate::card::{Kind, Opt, PART as PART_NAME};
use crate::question::Verb;

/// Classes instead of positions.
pub(super) const CLASSES: Opt = Opt::flag(
    "classes",
    "count up to turns, mirrors and reversal of colours, by Burnside's lemma",
    &[Verb::Count],
)
.excludes(&["games", "cycles", "mod", "ternary"]);

/// Games instead of positions.
pub(super) const GAMES: Opt =
    Opt::flag("games", "count games instead of positions", &[Verb::Count])
        .excludes(&["cycles", "mod", "ternary"]);

/// Games instead of positions, estimated.
pub(super) const ESTIMATED_GAMES: Opt =
    Opt::flag("games", "estimate the number of games instead of positions", &[Verb::Estimate]);

/// What must not come twice in a game.
pub(super) const SUPERKO: Opt = Opt::new(
    "superko",
    Kind::OneOf(&["positional", SITUATIONAL]),
    "what must not come twice: a position, or a position made by the same player",
    &[Verb::Count, Verb::Estimate],
)
.default("positional")
.needs(&["games"]);

/// The word for: a position made by the same player must not come twice.
pub(super) const SITUATIONAL: &str = "situational";

/// Cycles instead of positions.
pub(super) const CYCLES: Opt =
    Opt::flag("cycles", "count the cycles through all positions but the empty one", &[Verb::Count])
        .excludes(&["mod", "ternary"]);

const SYMMETRIC_HELP: &str = "only cycles whose second half is the first with colours reversed";

/// Symmetric cycles, found.
pub(super) const SYMMETRIC: Opt = Opt::flag("symmetric", SYMMETRIC_HELP, &[Verb::Find]);

/// Symmetric cycles, counted.
pub(super) const COUNTED_SYMMETRIC: Opt =
    Opt::flag("symmetric", SYMMETRIC_HELP, &[Verb::Count]).needs(&["cycles"]);

/// A tour to read a cycle from.
pub(super) const TOUR: Opt = Opt::new(
    "tour",
    Kind::File("FILE"),
    "read the cycle from a tour of the problem that export --format tsplib writes",
    &[Verb::Find],
)
.needs(&["symmetric"]);

/// One residue.
pub(super) const MOD: Opt = Opt::number(
    "mod",
    "count modulo this number only: in one pass if it is a power of two or below 2^50",
    &[Verb::Count],
)
.range(2, u64::MAX)
.excludes(&["ternary"]);

/// One part of a count of positions.
pub(super) const PART: Opt = Opt::part(&[Verb::Count]).excludes(&["classes", "games", "cycles"]);

/// One part of a list.
pub(super) const LISTED_PART: Opt = Opt::part(&[Verb::List, Verb::Classify]);

/// How much of a list.
pub(super) const LISTED_LIMIT: Opt =
    Opt::number("limit", "how many positions at most", &[Verb::List, Verb::Classify]);

/// What is dealt out to the parts.
pub(super) const OVER: Opt = Opt::new(
    "over",
    Kind::OneOf(&["moduli", BLOCKS]),
    "what is dealt out to the parts: whole passes, or the blocks of each, which parts hand to \
     each other through the folder of --share",
    &[Verb::Count],
)
.default("moduli")
.needs(&[PART_NAME]);

/// The word for: parts are blocks.
pub(super) const BLOCKS: &str = "blocks";

/// Ternary digits.
pub(super) const TERNARY: Opt =
    Opt::flag("ternary", "show the number in base three too", &[Verb::Count]);

/// Samples of an estimate.
pub(super) const SAMPLES: Opt =
    Opt::number("samples", "how many samples to draw", &[Verb::Estimate])
        .range(2, u64::MAX)
        .default("1000");

/// Random positions.
pub(super) const DRAWN: Opt =
    Opt::number("samples", "how many positions to draw", &[Verb::Sample]).default("1");

/// Terms of a sequence.
pub(super) const TERMS: Opt =
    Opt::number("terms", "how many terms of the sequence to show", &[Verb::Recurrence])
        .range(1, MOST_TERMS)
        .default("20");

/// Numbers of borders.
pub(super) const BORDERS: Opt =
    Opt::number("borders", "numbers of borders for all heights up to this one", &[Verb::Analyze])
        .range(1, MOST_COUNTED as u64)
        .excludes(&["formula", "position"]);

/// The asymptotic formula.
pub(super) const FORMULA: Opt = Opt::number(
    "formula",
    "the asymptotic formula, fitted to squares up to this one",
    &[Verb::Analyze],
)
.range(3, MOST_FITTED as u64)
.excludes(&["position"]);

/// A position to be judged.
pub(super) const POSITION: Opt = Opt::new(
    "position",
    Kind::File("FILE"),
    "show whether the position in this file, drawn or in SGF, is legal",
    &[Verb::Analyze],
);
