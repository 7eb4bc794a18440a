//! The options of tours, and the engines that can be asked for.
//!
//! Engines name the pieces of code that their results rest on. All rest on the board and its
//! move graph as well, which the checker computes anew from coordinates; these are not named.

use super::generate::DIFFICULTIES;
use super::recurrence::WIDEST;
use super::{magic, rules, symmetric};
use crate::board::SIDE_LIMIT;
use crate::card::{Accepts, Kind, Method, Opt};
use crate::component::{self, BOARD_SYMMETRIES, SEARCH_RUNNER, SWEEP_LAYERS};
use crate::games::leapers;
use crate::question::Verb;

pub(super) const VERBS: &[Verb] = &[
    Verb::Find,
    Verb::Count,
    Verb::List,
    Verb::Classify,
    Verb::Estimate,
    Verb::Sample,
    Verb::Generate,
    Verb::Hint,
    Verb::Check,
    Verb::Trace,
    Verb::Explore,
    Verb::Recurrence,
    Verb::Analyze,
    Verb::Export,
];

/// The verbs that are about tours with given ends.
const WITH_ENDS: &[Verb] = &[
    Verb::Find,
    Verb::Count,
    Verb::List,
    Verb::Classify,
    Verb::Estimate,
    Verb::Sample,
    Verb::Generate,
    Verb::Hint,
    Verb::Check,
    Verb::Trace,
    Verb::Analyze,
];

/// The largest board for which a path is kept in memory cell by cell.
const MOST_CELLS: usize = 1_000_000;
/// Larger boards make no puzzle for people, and would take long.
const MOST_CELLS_OF_A_PUZZLE: usize = 400;

pub(super) const PLACES: &[Accepts] = &[
    Accepts::squares(
        MOST_CELLS,
        &[
            Verb::Find,
            Verb::Count,
            Verb::List,
            Verb::Classify,
            Verb::Estimate,
            Verb::Sample,
            Verb::Analyze,
            Verb::Export,
        ],
        "a square board of up to 1000000 cells: rows x columns such as 6x6, or a drawing with \
         blocked cells and clues",
    )
    .with_clues(),
    Accepts::squares(
        MOST_CELLS_OF_A_PUZZLE,
        &[Verb::Generate],
        "a square board of up to 400 cells: rows x columns such as 7x7, or a drawing with blocked \
         cells and clues that are to stay",
    )
    .with_clues(),
    Accepts::squares(
        rules::MOST_CELLS,
        &[Verb::Hint, Verb::Check, Verb::Trace],
        "a square board of up to 4096 cells with the numbers so far: a drawing with clues",
    )
    .with_clues(),
    Accepts::squares(
        MOST_CELLS,
        &[Verb::Explore],
        "a square board of up to 1000000 cells: rows x columns such as 6x6, or a drawing with \
         blocked cells",
    ),
    Accepts::size(1, WIDEST as u64, &[Verb::Recurrence], "the width of a strip such as 3"),
];

pub(super) const MOVES: Opt = Opt::new(
    leapers::MOVES,
    Kind::Text("MOVES"),
    "other moves than the game's own, as leapers: (1,2) or (3,0)+(2,2)",
    VERBS,
);
pub(super) const CLOSED: Opt = Opt::flag(
    "closed",
    "the last cell must be one move from the first (export: tsplib and dimacs ask for loops)",
    &[
        Verb::Find,
        Verb::Count,
        Verb::List,
        Verb::Classify,
        Verb::Estimate,
        Verb::Sample,
        Verb::Generate,
        Verb::Hint,
        Verb::Check,
        Verb::Trace,
        Verb::Recurrence,
        Verb::Analyze,
        Verb::Export,
    ],
);
pub(super) const FROM: Opt = Opt::new("from", Kind::Cell, "where the number 1 is", WITH_ENDS);
pub(super) const FROM_CELL: Opt = Opt::new(
    "from",
    Kind::Cell,
    "the cell that distances are measured from; if absent, one of the two farthest apart",
    &[Verb::Explore],
);
pub(super) const TO: Opt = Opt::new("to", Kind::Cell, "where the last number is", WITH_ENDS);
pub(super) const DIRECTED: Opt = Opt::flag(
    "directed",
    "count the two directions of a path as two",
    &[Verb::Count, Verb::Estimate],
)
.excludes(&["from", "to"]);
pub(super) const DIRECTED_STRIP: Opt =
    Opt::flag("directed", "count the two directions of a path as two", &[Verb::Recurrence]);
pub(super) const LIMIT: Opt =
    Opt::number("limit", "how many solutions at most", &[Verb::Find]).default("1");
pub(super) const ALL: Opt =
    Opt::flag("all", "find every solution", &[Verb::Find]).excludes(&["limit"]);
pub(super) const TOUR: Opt = Opt::new(
    "tour",
    Kind::File("FILE"),
    "read the tour from this file, which LKH or Concorde wrote for the problem of export --format \
     tsplib",
    &[Verb::Find],
)
.excludes(&["limit", "all", "method"]);
pub(super) const LIMIT_OF_LIST: Opt =
    Opt::number("limit", "how many solutions at most", &[Verb::List]);
pub(super) const LIMIT_OF_COUNT: Opt = Opt::number(
    "limit",
    "stop after so many solutions, each met in one direction: is there one, is there a second?",
    &[Verb::Count],
)
.excludes(&["part", "classes", "directed"]);
pub(super) const STEPS: Opt = Opt::number("limit", "how many steps at most", &[Verb::Trace])
    .range(1, 100_000)
    .default("1000");
pub(super) const CLASSES: Opt = Opt::flag(
    "classes",
    "count classes up to the symmetries of the board, by Burnside's lemma: undirected paths with \
     nothing fixed, on boards of up to 127 cells",
    &[Verb::Count],
)
.excludes(&["directed", "from", "to", "part"]);
pub(super) const PART: Opt = Opt::part(&[Verb::Count, Verb::List, Verb::Classify]);
pub(super) const SAMPLES: Opt =
    Opt::number("samples", "how many probes", &[Verb::Estimate]).range(2, u64::MAX).default("1000");
pub(super) const DRAWS: Opt =
    Opt::number("samples", "how many tours to draw", &[Verb::Sample]).default("1");
pub(super) const CLUES: Opt = Opt::number(
    "clues",
    "how many numbers to show; if absent, as few as the difficulty allows",
    &[Verb::Generate],
);
pub(super) const DIFFICULTY: Opt = Opt::new(
    "difficulty",
    Kind::OneOf(DIFFICULTIES),
    "easy: the simplest rules of hints solve it; medium: rules solve it; hard: one has to look \
     ahead; if absent, medium, or hard with --clues",
    &[Verb::Generate],
);
pub(super) const SYMMETRIC: Opt = Opt::flag(
    "symmetric",
    "the clues lie symmetrically: by a half turn or, on boards without one, by a mirror",
    &[Verb::Generate],
);
pub(super) const KEPT_BY: Opt = Opt::new(
    "symmetric",
    Kind::OneOf(symmetric::KINDS),
    "a tour that is the same after this: a rotation is a quarter turn",
    &[Verb::Find],
)
.excludes(&["limit", "all", "tour", "method", "magic", "few-crossings"]);
pub(super) const MAGIC: Opt = Opt::new(
    "magic",
    Kind::OneOf(magic::KINDS),
    "a tour whose numbers have the same sum in all rows, and the same in all columns (semi); also \
     in both diagonals (full)",
    &[Verb::Find],
)
.excludes(&["limit", "all", "tour", "method", "few-crossings"]);
pub(super) const FEW_CROSSINGS: Opt = Opt::flag(
    "few-crossings",
    "a tour whose moves, drawn as straight lines, cross as rarely as can be",
    &[Verb::Find],
)
.excludes(&["limit", "all", "tour", "method"]);
pub(super) const NUMBER: Opt =
    Opt::number("number", "how many puzzles: --format pdf makes a booklet", &[Verb::Generate])
        .range(1, 1000)
        .default("1");
pub(super) const SOLUTIONS: Opt = Opt::flag(
    "solutions",
    "also visit every solution: where they end and which moves they use",
    &[Verb::Analyze],
);
pub(super) const PROFILE: Opt = Opt::flag(
    "profile",
    "also walk the whole search tree: nodes and dead ends by depth",
    &[Verb::Analyze],
);
pub(super) const BOUNDS: Opt = Opt::flag(
    "bounds",
    "also prove a lower bound of the number of tours, by pieces of the board that are visited in \
     turn",
    &[Verb::Analyze],
);
pub(super) const PIECES: Opt = Opt::number(
    "pieces",
    "how many cells a piece may have: larger ones give a better bound and take longer",
    &[Verb::Analyze],
)
.range(9, 64)
.default("36")
.needs(&["bounds"]);
pub(super) const PREDICT: Opt = Opt::flag(
    "predict",
    "also show the probability that there is a tour, as a learned model sees it: no proof",
    &[Verb::Analyze],
);
pub(super) const MODEL: Opt = Opt::new(
    "model",
    Kind::File("FILE"),
    "the model for --predict, as pessoi-learn writes it; if absent, the one that comes with the \
     program",
    &[Verb::Analyze],
)
.needs(&["predict"]);
pub(super) const MODEL_OF_FIND: Opt = Opt::new(
    "model",
    Kind::File("FILE"),
    "the model for --method learned, as pessoi-learn writes it; if absent, the one that comes \
     with the program",
    &[Verb::Find],
)
.needs(&["method"]);
pub(super) const TERMS: Opt =
    Opt::number("terms", "the longest strip whose number is shown", &[Verb::Recurrence])
        .range(1, SIDE_LIMIT as u64)
        .default("100");

pub(super) const OPTIONS: &[Opt] = &[
    MOVES,
    CLOSED,
    FROM,
    FROM_CELL,
    TO,
    DIRECTED,
    DIRECTED_STRIP,
    LIMIT,
    ALL,
    TOUR,
    LIMIT_OF_LIST,
    LIMIT_OF_COUNT,
    STEPS,
    CLASSES,
    PART,
    SAMPLES,
    DRAWS,
    CLUES,
    DIFFICULTY,
    SYMMETRIC,
    KEPT_BY,
    MAGIC,
    FEW_CROSSINGS,
    NUMBER,
    SOLUTIONS,
    PROFILE,
    BOUNDS,
    PIECES,
    PREDICT,
    MODEL,
    MODEL_OF_FIND,
    TERMS,
];

/// Rules of hints: `rules`, `suppose`.
const RULES: &str = "hint-rules";
/// What is seen of a board without a search: `graph`, `proofs`.
const LOOK: &str = "inspection";
/// Paths extended cell by cell: `extend`.
const EXTENSION: &str = "path-extension";
/// Which cells can still come to the next clue in time: `reach`.
const REACH: &str = "clue-reach";
/// Moves taken and struck out, and what follows: `partial`.
const PARTIAL: &str = "partial-tour";
/// Choices at the most constrained cell, and what each does: `branch`.
const BRANCHING: &str = "branching";
/// Tours that a symmetry keeps, walked one after the other: `kept`.
const KEPT: &str = "kept-tours";
/// Borders as types and pairings: `pessoi_engine::pairings`.
const PAIRING: &str = "pairings";
/// What a border becomes when a cell is read: `border`.
const TRANSITIONS: &str = "border-transitions";
/// Borders that are mirror images of each other: `border`.
const MIRRORS: &str = "border-mirrors";
/// Canonical forms of paths: `classes`.
const CANONICAL: &str = "canonical-forms";
/// Paths grown and rotated: `rotations`.
const ROTATING: &str = "rotations";
/// Clauses, and the solver that is given them: `sat`.
const CLAUSES: &str = "sat";
/// Whether every cell can be given its moves: `supply`.
const SUPPLYING: &str = "supply";
/// Borders between columns that come again: `strip`, and the engine's strips.
const STRIPS: &str = "strips";
/// Ways drawn through the layers of a sweep: the engine's sampler.
const SAMPLER: &str = "sweep-sampler";

pub(super) const INSPECTION: Method = Method::unnamed(
    "inspection",
    "looking at the board and its moves",
    &[
        Verb::Find,
        Verb::Count,
        Verb::List,
        Verb::Classify,
        Verb::Estimate,
        Verb::Sample,
        Verb::Generate,
        Verb::Hint,
        Verb::Check,
        Verb::Trace,
        Verb::Explore,
        Verb::Export,
    ],
    &[LOOK],
);
/// An analysis also plays, follows the paper's tilings, and visits all solutions if asked to.
pub(super) const ANALYSIS: Method = Method::unnamed(
    "inspection",
    "looking at the board and its moves",
    &[Verb::Analyze],
    &[
        LOOK,
        "tiling",
        EXTENSION,
        REACH,
        PARTIAL,
        BRANCHING,
        BOARD_SYMMETRIES,
        SEARCH_RUNNER,
        component::CHEN,
        SUPPLYING,
        "model",
    ],
);
pub(super) const ROTATIONS: Method = Method::new(
    "rotations",
    "paths grown by Warnsdorff's rule and rotated out of dead ends (Pósa)",
    &[Verb::Find, Verb::Sample],
    &[ROTATING],
);
pub(super) const TILING: Method = Method::new(
    "tiling",
    "large full boards from small ones, for the moves (3,0)+(2,2): the paper's lemmas, repaired",
    &[Verb::Find],
    &["tiling", ROTATING, CLAUSES, BRANCHING, PARTIAL, SEARCH_RUNNER],
);
pub(super) const PATCHES: Method = Method::new(
    "patches",
    "large full boards from tours of small ones, joined where their moves allow it",
    &[Verb::Find],
    &["patches", ROTATING],
);
pub(super) const SAT: Method = Method::new(
    "sat",
    "a SAT solver that is given two moves a cell, and cuts of loops as needed; also proves",
    &[Verb::Find],
    &[CLAUSES],
);
pub(super) const WARNSDORFF: Method = Method::new(
    "warnsdorff",
    "paths extended by Warnsdorff's rule, with restarts; also proves",
    &[Verb::Find, Verb::Trace],
    &[EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const BACKTRACK: Method = Method::new(
    "backtrack",
    "paths extended in the order of the cells; also proves",
    &[Verb::Find, Verb::Trace],
    &[EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const PORTFOLIO: Method = Method::unnamed(
    "portfolio",
    "a look at the supply of moves, then rotations and the SAT solver, or a search where numbers in \
     between are fixed or more than one solution is wanted; also proves",
    &[Verb::Find],
    &[SUPPLYING, ROTATING, CLAUSES, EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const SUPPLY: Method = Method::new(
    "supply",
    "a flow that gives every cell its moves, or a proof that none does; finds no tours",
    &[Verb::Find],
    &[SUPPLYING],
);
pub(super) const LEARNED: Method = Method::new(
    "learned",
    "paths extended in a learned order of moves, with restarts; also proves",
    &[Verb::Find],
    &[EXTENSION, REACH, SEARCH_RUNNER, "model"],
);
pub(super) const ORBITS: Method = Method::unnamed(
    "orbits",
    "a SAT solver that decides of all images of a move at once; also proves",
    &[Verb::Find],
    &[CLAUSES, BOARD_SYMMETRIES],
);
pub(super) const MAGIC_SEARCH: Method = Method::unnamed(
    "magic-search",
    "paths extended as long as all sums can be met; also proves",
    &[Verb::Find],
    &[EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const CROSSING_SEARCH: Method = Method::unnamed(
    "crossing-search",
    "exchanges of the moves of a tour, then paths extended as long as they cross less; also proves",
    &[Verb::Find],
    &["exchanges", SUPPLYING, ROTATING, CLAUSES, "patches", EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const FOLLOWED: Method = Method::unnamed(
    "tour",
    "a tour that another program found, followed",
    &[Verb::Find],
    &["tour-file"],
);
pub(super) const BRANCH: Method = Method::new(
    "branch",
    "search over moves at the most constrained cell",
    &[Verb::Count],
    &[PARTIAL, BRANCHING, BOARD_SYMMETRIES, SEARCH_RUNNER],
);
pub(super) const PAIRINGS: Method = Method::new(
    "pairings",
    "borders in groups by type, read from both sides of the board and joined",
    &[Verb::Count],
    // Symmetries that save reading a half are checked by the engine itself.
    &[PAIRING],
);
pub(super) const PLAIN_SWEEP: Method = Method::new(
    "plain-sweep",
    "borders read cell by cell, without looking ahead",
    &[Verb::Count],
    &[TRANSITIONS, SWEEP_LAYERS],
);
pub(super) const SEARCH: Method = Method::new(
    "search",
    "paths extended cell by cell",
    &[Verb::Count],
    &[EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const SEARCH_FOR_ALL: Method = Method::unnamed(
    "search",
    "paths extended cell by cell",
    &[Verb::List],
    &[EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const SEARCH_FOR_CLASSES: Method = Method::unnamed(
    "search",
    "paths extended cell by cell",
    &[Verb::Classify],
    &[EXTENSION, REACH, SEARCH_RUNNER, CANONICAL],
);
pub(super) const BURNSIDE: Method = Method::unnamed(
    "burnside",
    "Burnside's lemma: the mean number of paths that a symmetry keeps",
    &[Verb::Count],
    // What counts the paths that a symmetry keeps comes on top: either of the next two, or both.
    &[component::BURNSIDE],
);
/// Behind paths that a symmetry keeps, if they are counted by branching …
pub(super) const BRANCHED: &[&str] = &[PARTIAL, BRANCHING, KEPT];
/// … and if they are counted by pairings.
pub(super) const PAIRED: &[&str] = &[PAIRING];
const KEPT_BRANCHED: Method = Method::unnamed(
    "kept",
    "paths that a symmetry keeps, each of them met",
    &[Verb::Count],
    BRANCHED,
);
pub(super) const CHEN: Method = Method::new(
    "chen",
    "Chen's heuristic sampling: probes that stand for all nodes alike",
    &[Verb::Estimate],
    &[PARTIAL, BRANCHING, EXTENSION, REACH, component::CHEN],
);
pub(super) const KNUTH: Method = Method::new(
    "knuth",
    "Knuth's random probes",
    &[Verb::Estimate],
    &[EXTENSION, REACH, component::KNUTH],
);
pub(super) const UNIFORM: Method = Method::new(
    "uniform",
    "drawn from the layers of a sweep: each tour has the same chance",
    &[Verb::Sample],
    &[TRANSITIONS, PARTIAL, SAMPLER],
);
pub(super) const UNIFORM_OR_ROTATIONS: Method = Method::unnamed(
    "portfolio",
    "uniform if the layers of a sweep fit into memory, otherwise by rotations",
    &[Verb::Sample],
    &[TRANSITIONS, PARTIAL, SAMPLER, ROTATING],
);
pub(super) const LIST_OR_SEARCH: Method = Method::unnamed(
    "list-or-search",
    "uniform from a list of all paths if they are soon listed, otherwise by searches at random",
    &[Verb::Sample],
    &[EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const LISTED_ALL: Method = Method::unnamed(
    "list",
    "drawn from a list of all paths: each has the same chance",
    &[Verb::Sample],
    &[EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const SEARCHED_AT_RANDOM: Method = Method::unnamed(
    "random-search",
    "paths extended by Warnsdorff's rule, with ties broken at random and restarts",
    &[Verb::Sample],
    &[EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const THINNING: Method = Method::unnamed(
    "thinning",
    "clues are taken away as long as the rules of hints, or an exhausted search, leave one solution",
    &[Verb::Generate],
    &[EXTENSION, REACH, SEARCH_RUNNER, RULES],
);
pub(super) const HINTS: Method = Method::unnamed(
    "hints",
    "rules in rising difficulty, then looking ahead, then a search",
    &[Verb::Hint],
    &[RULES],
);
pub(super) const RULES_ALONE: Method =
    Method::unnamed("rules", "the easiest rule that applies", &[Verb::Hint], &[RULES]);
pub(super) const LOOK_AHEAD: Method =
    Method::unnamed("look-ahead", "suppositions that the rules refute", &[Verb::Hint], &[RULES]);
pub(super) const SEARCHED: Method = Method::unnamed(
    "searched",
    "searches for other solutions",
    &[Verb::Hint],
    &[RULES, EXTENSION, REACH, SEARCH_RUNNER, ROTATING, CLAUSES],
);
pub(super) const RULES_AND_SEARCH: Method = Method::new(
    "rules",
    "the rules of hints and look-ahead; where they force nothing, paths extended by Warnsdorff's rule",
    &[Verb::Trace],
    &[RULES, EXTENSION, REACH, SEARCH_RUNNER],
);
pub(super) const CLUE_CHECK: Method = Method::unnamed(
    "clue-check",
    "solutions that extend the clues, or a smallest set of clues that none extends",
    &[Verb::Check],
    &[RULES, EXTENSION, REACH, SEARCH_RUNNER, ROTATING, CLAUSES],
);
pub(super) const BREADTH_FIRST: Method = Method::unnamed(
    "breadth-first",
    "breadth-first search from one cell of each symmetry class",
    &[Verb::Explore],
    &[component::BREADTH_FIRST, BOARD_SYMMETRIES],
);
pub(super) const TRANSFER: Method = Method::unnamed(
    "transfer-graph",
    "the graph of the borders between two columns, which gives any number of terms",
    &[Verb::Recurrence],
    &[TRANSITIONS, MIRRORS, BOARD_SYMMETRIES, PARTIAL, STRIPS, component::RECURRENCES],
);

pub(super) const METHODS: &[Method] = &[
    INSPECTION,
    ANALYSIS,
    ROTATIONS,
    TILING,
    PATCHES,
    SAT,
    WARNSDORFF,
    BACKTRACK,
    LEARNED,
    SUPPLY,
    PORTFOLIO,
    ORBITS,
    MAGIC_SEARCH,
    CROSSING_SEARCH,
    FOLLOWED,
    BRANCH,
    PAIRINGS,
    PLAIN_SWEEP,
    SEARCH,
    SEARCH_FOR_ALL,
    SEARCH_FOR_CLASSES,
    BURNSIDE,
    KEPT_BRANCHED,
    CHEN,
    KNUTH,
    UNIFORM,
    UNIFORM_OR_ROTATIONS,
    LIST_OR_SEARCH,
    LISTED_ALL,
    SEARCHED_AT_RANDOM,
    THINNING,
    HINTS,
    RULES_ALONE,
    LOOK_AHEAD,
    SEARCHED,
    RULES_AND_SEARCH,
    CLUE_CHECK,
    BREADTH_FIRST,
    TRANSFER,
];
