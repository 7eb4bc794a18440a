//! The engines of Go, as the card lists them, and what each is made of.

use crate::card::Method;
use crate::component::{self, SWEEP_LAYERS};
use crate::question::Verb;

/// What a point does to the packed borders of rectangles: [`super::border`].
const BORDERS: &str = "go-borders";
/// All borders listed, with what follows: [`super::table`].
const LISTED: &str = "go-table";
/// Borders as near and far halves: [`super::halves`], [`super::matrix`].
const HALVES: &str = "go-halves";
/// The asymptotic formula, fitted to small boards: [`super::formula`].
const FORMULA: &str = "go-formula";
/// Strings and their liberties: [`super::position`].
const STRINGS: &str = "go-strings";
/// What a point does to a border of any board: [`super::points`], [`super::sweep`].
const POINTS: &str = "go-points";
/// Positions as masks, and the moves between them: [`super::moves`].
const MOVES: &str = "go-moves";
/// The tree of games: [`super::games::Tree`].
const TREE: &str = "go-game-tree";

/// Any board.
pub(super) const SWEEP: Method =
    Method::new("sweep", "any board, point by point", &[Verb::Count], &[POINTS, SWEEP_LAYERS]);

/// All borders listed.
pub(super) const TABLE: Method = Method::new(
    "table",
    "positions of rectangles, all borders listed once",
    &[Verb::Count],
    &[BORDERS, LISTED],
);

/// Near and far halves.
pub(super) const MATRIX: Method = Method::new(
    "matrix",
    "positions of rectangles from 4x4, borders as near and far halves",
    &[Verb::Count],
    &[BORDERS, HALVES],
);

/// Positions one by one.
pub(super) const COLOURING: Method = Method::unnamed(
    "colouring",
    "points coloured one by one, as long as every string can have a liberty",
    &[Verb::List, Verb::Classify],
    &["go-colourings", component::SEARCH_RUNNER],
);

/// Classes by Burnside's lemma.
pub(super) const BURNSIDE: Method = Method::unnamed(
    "burnside",
    "Burnside's lemma: positions that a symmetry leaves as they are, by the sweep",
    &[Verb::Count],
    &[POINTS, SWEEP_LAYERS, component::BURNSIDE],
);

/// Every game walked.
pub(super) const SEARCH: Method = Method::new(
    "search",
    "games, each one walked",
    &[Verb::Count],
    &[MOVES, TREE, "go-game-search"],
);

/// Games by what can be reached.
pub(super) const MEMO: Method = Method::new(
    "memo",
    "games, counted once for each set of positions that can still be reached",
    &[Verb::Count],
    &[MOVES, TREE, "go-game-memo"],
);

/// Every cycle walked.
pub(super) const CYCLE_SEARCH: Method = Method::unnamed(
    "cycle-search",
    "every way through the positions is followed",
    &[Verb::Count],
    &[MOVES, "go-cycle-search"],
);

/// Cycles joined.
pub(super) const MATCHING: Method = Method::unnamed(
    "matching",
    "a perfect matching, and exchanges that join its cycles",
    &[Verb::Find],
    &[MOVES, "go-matching"],
);

/// A tour read.
pub(super) const TOUR: Method = Method::unnamed(
    "tour",
    "a tour of the travelling salesman problem, followed",
    &[Verb::Find],
    &[MOVES, "go-tour"],
);

/// Positions estimated.
pub(super) const CHEN_BORDERS: Method = Method::unnamed(
    "chen-borders",
    "Chen's stratified sampling of borders",
    &[Verb::Estimate],
    &["go-sampled-borders", component::CHEN],
);

/// Games estimated.
pub(super) const CHEN_GAMES: Method = Method::unnamed(
    "chen-games",
    "Chen's stratified sampling of games",
    &[Verb::Estimate],
    &[MOVES, TREE, component::CHEN],
);

/// Positions drawn.
pub(super) const REJECTION: Method = Method::unnamed(
    "rejection",
    "random colourings, until one is legal",
    &[Verb::Sample],
    &[STRINGS],
);

/// The game graph followed.
pub(super) const BREADTH_FIRST: Method = Method::unnamed(
    "breadth-first",
    "all positions and moves listed, breadth first",
    &[Verb::Explore],
    &[MOVES, "go-graph"],
);

/// Recurrences in whole numbers.
pub(super) const BERLEKAMP_MASSEY: Method = Method::unnamed(
    "berlekamp-massey",
    "strips counted by table and matrix, Berlekamp–Massey",
    &[Verb::Recurrence],
    &[BORDERS, LISTED, HALVES, component::RECURRENCES],
);

/// Recurrences modulo a prime.
pub(super) const BERLEKAMP_MASSEY_MODULO: Method = Method::unnamed(
    "berlekamp-massey-modulo",
    "strips counted by matrix modulo a prime, Berlekamp–Massey",
    &[Verb::Recurrence],
    &[BORDERS, LISTED, HALVES, component::RECURRENCES],
);

/// Borders counted.
pub(super) const BALANCED_PATHS: Method = Method::unnamed(
    "balanced-paths",
    "borders counted as balanced paths, without listing them",
    &[Verb::Analyze],
    &["go-balanced-paths"],
);

/// The formula fitted.
pub(super) const FIT: Method = Method::unnamed(
    "fit",
    "squares and the rectangles between them, counted by table and matrix",
    &[Verb::Analyze],
    &[BORDERS, LISTED, HALVES, FORMULA],
);

/// Nothing searched.
pub(super) const INSPECTION: Method = Method::unnamed(
    "inspection",
    "inspection",
    &[Verb::Analyze, Verb::Export],
    &[STRINGS, MOVES, BORDERS, LISTED, HALVES, FORMULA],
);

/// All of them.
pub(super) const ALL: &[Method] = &[
    SWEEP,
    TABLE,
    MATRIX,
    BURNSIDE,
    COLOURING,
    SEARCH,
    MEMO,
    CYCLE_SEARCH,
    MATCHING,
    TOUR,
    CHEN_BORDERS,
    CHEN_GAMES,
    REJECTION,
    BREADTH_FIRST,
    BERLEKAMP_MASSEY,
    BERLEKAMP_MASSEY_MODULO,
    BALANCED_PATHS,
    FIT,
    INSPECTION,
];
