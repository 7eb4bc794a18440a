//! The engines, and what each is made of.
//!
//! `plain` has a rule and symmetries of its own, so that it confirms the tables and the group.

use crate::card::Method;
use crate::component::{BOARD_SYMMETRIES, BREADTH_FIRST};
use crate::question::Verb;

/// The rule of `rule.rs`.
const RULE: &str = "slides";
/// Hole-sets, their gains and the group of `holes.rs`.
const GROUP: &str = "hole-set-group";
/// The breadth-first search from both ends: `meet.rs`.
const ENDS: &str = "search-from-both-ends";
/// The rule, the symmetries and the hole-sets of `plain.rs`.
const PLAIN_SLIDES: &str = "plain-slides";
/// Tables of two bits a configuration: the engine's `lift`.
const TABLES: &str = "two-bit-tables";

// To find, and to give hints.

pub(super) const PORTFOLIO: Method = Method::unnamed(
    "portfolio",
    "the group decides whether there is a solution; then meet, lookup, peel and group in turn",
    &[Verb::Find, Verb::Hint],
    &[RULE, GROUP, ENDS, "tables-of-bounds", "deepening", "peeling", "words"],
);

pub(super) const MEET: Method = Method::new(
    "meet",
    "a shortest solution, by breadth-first search from both ends",
    &[Verb::Find, Verb::Hint, Verb::Trace],
    &[RULE, ENDS],
);

pub(super) const LOOKUP: Method = Method::new(
    "lookup",
    "a shortest solution, by iterative deepening with tables of bounds",
    &[Verb::Find, Verb::Hint],
    &[RULE, "tables-of-bounds", "deepening"],
);

pub(super) const PEEL: Method = Method::new(
    "peel",
    "some solution, tile by tile on a board peeled down to its core",
    &[Verb::Find, Verb::Hint],
    &[RULE, GROUP, ENDS, "peeling"],
);

pub(super) const WORD: Method = Method::new(
    "group",
    "some solution, by a word in the generators of the group",
    &[Verb::Find, Verb::Hint],
    &[RULE, GROUP, "words"],
);

pub(super) const MEMBERSHIP: Method = Method::unnamed(
    "membership",
    "whether the group holds the permutation that is needed",
    &[Verb::Find, Verb::Hint, Verb::Trace],
    &[RULE, GROUP],
);

pub(super) const SOLVABLE: Method = Method::unnamed(
    "solvable",
    "the group decides; a solution made tile by tile shows it",
    &[Verb::Check],
    &[RULE, GROUP, ENDS, "peeling"],
);

/// Where a look at the board answers the question.
pub(super) const INSPECTION: Method = Method::unnamed(
    "inspection",
    "a look at the board and the configurations",
    super::options::VERBS,
    &[RULE],
);

// To count and to analyze.

pub(super) const HOLE_SETS: Method = Method::unnamed(
    "hole-sets",
    "the hole-sets and the group that they make",
    &[Verb::Count, Verb::Explore, Verb::Analyze],
    &[RULE, GROUP],
);

// To explore.

pub(super) const TABLES_OR_LIST: Method = Method::unnamed(
    "tables-or-list",
    "fast, or plain where the tables would be nearly empty",
    &[Verb::Explore],
    &[RULE, GROUP, BOARD_SYMMETRIES, TABLES, PLAIN_SLIDES, BREADTH_FIRST],
);

pub(super) const FAST: Method = Method::new(
    "fast",
    "breadth-first searches with two bits a configuration",
    &[Verb::Explore],
    &[RULE, GROUP, BOARD_SYMMETRIES, TABLES],
);

pub(super) const PLAIN: Method = Method::new(
    "plain",
    "breadth-first searches with a list of configurations",
    &[Verb::Count, Verb::Explore],
    &[PLAIN_SLIDES, BREADTH_FIRST],
);

// To sample.

pub(super) const RANDOM: Method = Method::unnamed(
    "random-configuration",
    "a random element of the group, or a random order of the tiles where all orders are reached",
    &[Verb::Sample],
    &[RULE, GROUP],
);

pub(super) const ELEMENT: Method = Method::unnamed(
    "random-element",
    "a random hole-set and a random element of the group",
    &[Verb::Sample],
    &[RULE, GROUP],
);

pub(super) const ORDER: Method = Method::unnamed(
    "random-order",
    "a random order of the tiles and holes",
    &[Verb::Sample],
    &[RULE, GROUP],
);

pub(super) const LAYER: Method = Method::unnamed(
    "layer",
    "a layer of the puzzle graph, by tables or by a list",
    &[Verb::Sample],
    TABLES_OR_LIST.components,
);

pub(super) const FAST_LAYER: Method = Method::unnamed(
    "fast-layer",
    "a layer of the puzzle graph, by tables of two bits a configuration",
    &[Verb::Sample],
    FAST.components,
);

pub(super) const PLAIN_LAYER: Method = Method::unnamed(
    "plain-layer",
    "a layer of the puzzle graph, by a list of configurations",
    &[Verb::Sample],
    PLAIN.components,
);

pub(super) const WALKS: Method = Method::unnamed(
    "walks",
    "random walks from the goal, and shortest solutions or bounds that say how far they went",
    &[Verb::Sample],
    &[RULE, "tables-of-bounds", "deepening"],
);

// To export.

pub(super) const LIST: Method = Method::unnamed(
    "list",
    "a breadth-first search that lists configurations",
    &[Verb::Export],
    PLAIN.components,
);

pub(super) const DRAWING: Method =
    Method::unnamed("drawing", "only the board is drawn", &[Verb::Export], &["drawing"]);

/// All of them.
pub(super) const METHODS: &[Method] = &[
    PORTFOLIO,
    MEET,
    LOOKUP,
    PEEL,
    WORD,
    MEMBERSHIP,
    SOLVABLE,
    INSPECTION,
    HOLE_SETS,
    TABLES_OR_LIST,
    FAST,
    PLAIN,
    RANDOM,
    ELEMENT,
    ORDER,
    LAYER,
    FAST_LAYER,
    PLAIN_LAYER,
    WALKS,
    LIST,
    DRAWING,
];
