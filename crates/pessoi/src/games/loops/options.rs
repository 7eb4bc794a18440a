//! The options of loops. Each is written once, here; the rest reads them by these names.

use crate::board::SIDE_LIMIT;
use crate::card::{Kind, METHOD, Opt, PART};
use crate::games::leapers;
use crate::question::Verb;

/// All verbs of loops.
pub(super) const ALL: &[Verb] = &[
    Verb::Find,
    Verb::Count,
    Verb::List,
    Verb::Classify,
    Verb::Estimate,
    Verb::Sample,
    Verb::Analyze,
];
/// The verbs that list loops one by one.
const LISTS: &[Verb] = &[Verb::List, Verb::Classify];

pub(super) const MOVES: Opt = Opt::new(
    leapers::MOVES,
    Kind::Text("MOVES"),
    "other moves than the game's own, as leapers: (1,2) or (3,0)+(2,2)",
    ALL,
);

pub(super) const NON_CROSSING: Opt = Opt::flag(
    "non-crossing",
    "only loops that are simple polygons: no two moves cross or touch",
    ALL,
);

pub(super) const SYMMETRY: Opt = Opt::new(
    "symmetry",
    Kind::OneOf(&["free", "one-sided", "fixed"]),
    "what makes loops the same besides translation: rotations and reflections (free), rotations \
     (one-sided) or nothing (fixed)",
    &[Verb::Count, Verb::List, Verb::Classify],
)
.default("free");

pub(super) const CONGRUENT: Opt = Opt::flag(
    "congruent",
    "loops that are congruent in the plane are the same, by whatever angle",
    &[Verb::Count, Verb::List, Verb::Classify, Verb::Analyze],
)
.excludes(&["board"]);

pub(super) const BOARD: Opt =
    Opt::new("board", Kind::Text("ROWSxCOLS"), "only loops that fit a board of this size", ALL);

pub(super) const PARTS: Opt = Opt::part(&[Verb::Count, Verb::List, Verb::Classify]);

pub(super) const FIND_LIMIT: Opt =
    Opt::number("limit", "how many loops at most", &[Verb::Find]).default("1");
pub(super) const LIST_LIMIT: Opt = Opt::number("limit", "how many loops at most", LISTS);

pub(super) const PAGE: Opt =
    Opt::number("page", "only this page of 60 loops; a picture shows page 1 by default", LISTS);

pub(super) const PATH: Opt = Opt::new(
    "path",
    Kind::Text("CELLS"),
    "classify this loop: its cells as row,column, or numbers with --width",
    &[Verb::Classify],
)
.excludes(&[METHOD, PART, "limit", "page", "board"]);

pub(super) const WIDTH: Opt = Opt::number(
    "width",
    "columns of the board on which the cells of --path are numbered, row by row from 1",
    &[Verb::Classify],
)
.range(1, SIDE_LIMIT as u64)
.needs(&["path"]);

pub(super) const SEQUENCE: Opt = Opt::flag(
    "sequence",
    "count every length up to this one; --format bfile writes the terms",
    &[Verb::Count],
);

pub(super) const LONGEST: Opt = Opt::flag(
    "longest",
    "a longest non-crossing loop on the board that is given as the place",
    &[Verb::Find],
)
.excludes(&[METHOD, "limit", "board"]);

pub(super) const OPEN: Opt =
    Opt::flag("open", "an open path, which need not come back", &[Verb::Find]).needs(&["longest"]);

pub(super) const CELLS: Opt = Opt::flag(
    "cells",
    "gather loops that visit the same cells, and show sets with several loops",
    &[Verb::Analyze],
);

pub(super) const SAMPLES: Opt =
    Opt::number("samples", "how many samples to draw", &[Verb::Estimate])
        .range(2, u64::MAX)
        .default("1000");

pub(super) const DRAWS: Opt =
    Opt::number("samples", "how many loops to draw", &[Verb::Sample]).default("1");

/// All of them.
pub(super) const OPTIONS: &[Opt] = &[
    MOVES,
    NON_CROSSING,
    SYMMETRY,
    CONGRUENT,
    BOARD,
    PARTS,
    FIND_LIMIT,
    LIST_LIMIT,
    PAGE,
    PATH,
    WIDTH,
    SEQUENCE,
    LONGEST,
    OPEN,
    CELLS,
    SAMPLES,
    DRAWS,
];
