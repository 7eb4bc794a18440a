//! The options of sliding puzzles.

use super::rule::MOST_CELLS;
use crate::card::{Kind, Opt};
use crate::question::Verb;

/// All verbs.
pub(super) const VERBS: &[Verb] = &[
    Verb::Find,
    Verb::Count,
    Verb::Sample,
    Verb::Hint,
    Verb::Check,
    Verb::Trace,
    Verb::Explore,
    Verb::Analyze,
    Verb::Export,
];

/// The verbs that can choose the number of holes themselves.
const CHOOSING: &[Verb] = &[Verb::Count, Verb::Explore, Verb::Analyze];
/// The others.
const GIVEN: &[Verb] =
    &[Verb::Find, Verb::Sample, Verb::Hint, Verb::Check, Verb::Trace, Verb::Export];

/// The word for the fewest holes with which there is one component.
pub(super) const FEWEST: &str = "auto";
/// The word for the distance of the two configurations farthest apart.
pub(super) const GOD: &str = "god";

/// The holes of a board: a number, or the fewest with which there is one component.
const fn chosen_holes(default: &'static str) -> Opt {
    let kind = Kind::NumberOr { least: 1, most: MOST_CELLS as u64 - 1, words: &[FEWEST] };
    let help = "the number of holes, if --from does not show it, or auto: the fewest with which \
                all configurations that allow a slide are in one component";
    Opt::new("holes", kind, help, CHOOSING).default(default)
}

const fn holes(default: &'static str) -> Opt {
    let help = "the number of holes, if --from or --to does not show it";
    Opt::number("holes", help, GIVEN).range(1, MOST_CELLS as u64 - 1).default(default)
}

pub(super) const HEX_HOLES: Opt = holes("2");
pub(super) const HEX_CHOSEN_HOLES: Opt = chosen_holes("2");
pub(super) const SQUARE_HOLES: Opt = holes("1");
pub(super) const SQUARE_CHOSEN_HOLES: Opt = chosen_holes("1");

pub(super) const FROM: Opt = Opt::new(
    "from",
    Kind::Text("TILES"),
    "the configuration to start from, row by row, such as '1 2 3/4 5 6/7 . .'",
    &[Verb::Find, Verb::Hint, Verb::Check, Verb::Trace],
);

pub(super) const COMPONENT_FROM: Opt = Opt::new(
    "from",
    Kind::Text("TILES"),
    "only the component of this configuration, written row by row, such as '1 2 3/4 5 6/7 . .'",
    &[Verb::Explore, Verb::Export],
);

pub(super) const TO: Opt = Opt::new(
    "to",
    Kind::Text("TILES"),
    "the configuration to reach; if it is not given, the tiles in order and the holes last",
    &[Verb::Find, Verb::Sample, Verb::Hint, Verb::Check, Verb::Trace],
);

pub(super) const SAMPLES: Opt =
    Opt::number("samples", "how many configurations to draw", &[Verb::Sample]).default("1");

pub(super) const CONFIGURATIONS: Opt =
    Opt::number("limit", "how many configurations are seen at most", &[Verb::Trace])
        .default("6000000");

pub(super) const DISTANCE: Opt = Opt::new(
    "distance",
    Kind::NumberOr { least: 0, most: u32::MAX as u64, words: &[GOD] },
    "so many slides from the goal (on large boards, at most so many and at least as many as is \
     stated), or god: as far as any two configurations are apart (the goal is chosen too)",
    &[Verb::Sample],
);

pub(super) const PIECES: Opt = Opt::flag(
    "pieces",
    "the board and its tiles to be made, instead of the graph: svg to cut, stl to print",
    &[Verb::Export],
)
.excludes(&["all", "from"]);

pub(super) const ALL: Opt =
    Opt::flag("all", "the graph of all configurations, not only of one component", &[Verb::Export])
        .excludes(&["from"]);

/// Draws the frames of a solution.
pub(super) const FRAMES: Opt = Opt::flag(
    "frames",
    "svg: draw all configurations side by side instead of one board that moves",
    &[Verb::Find, Verb::Trace],
);
