//! Sliding puzzles on hexagonal and square boards.
//!
//! A **puzzle** is a board with numbered **tiles** on all cells but some, the **holes**. A
//! **configuration** says which tile lies where. A **slide** moves one tile into a hole (see
//! `rule`). The **puzzle graph** has the configurations as nodes and the slides as edges; a
//! configuration without a slide is **isolated**, and the others fall into **components**.
//! **God's number** is the greatest distance of two configurations of one component: of any
//! component, or of the one that is asked about.
//!
//! R. Karpman and É. Roldán (*Parity property of hexagonal sliding puzzles*) study the
//! hexagonal ones. With two holes most boards behave like the 15 puzzle: half of all
//! configurations can be reached. With three, all can.
//!
//! | file | idea |
//! |---|---|
//! | `options`, `methods`, `proofs` | what can be asked, the engines, and the certificates, as data |
//! | `rule` | boards and their slides |
//! | `position` | configurations and their text |
//! | `holes` | the graph of hole-sets, its group, and what follows without any search |
//! | `task` | a checked question |
//! | `count` | components, and the connection number |
//! | `explore`, `engine` | God's number; which engine, at what cost |
//! | `plain` | the plain search, which shares nothing with the tables |
//! | `find`, `meet`, `lookup`, `peel`, `words` | solutions: from both ends, by tables, tile by tile, by the group |
//! | `hint` | the next slide of a solution |
//! | `trace` | how a shortest solution is found, layer by layer |
//! | `solvable` | the verb `check`: whether there is a solution |
//! | `sample`, `walks` | random starts, also at a given distance |
//! | `analyze`, `shape` | what is proved of which board, tested |
//! | `export` | the puzzle graph, or the board to be made |
//! | `draw`, `svg`, `solid` | pictures, sheets to cut, solids to print |
//! | `check` | the checker, which shares nothing with the rest |

mod analyze;
mod check;
mod count;
mod draw;
mod engine;
mod explore;
mod export;
mod find;
mod hint;
mod holes;
mod lookup;
mod meet;
mod methods;
mod options;
mod peel;
mod plain;
mod position;
mod proofs;
mod rule;
mod sample;
mod shape;
mod solid;
mod solvable;
mod svg;
mod task;
#[cfg(test)]
mod tests;
mod trace;
mod walks;
mod words;

use pessoi_engine::run::Run;

use self::methods::METHODS;
use self::options::{
    ALL, COMPONENT_FROM, CONFIGURATIONS, DISTANCE, FROM, HEX_CHOSEN_HOLES, HEX_HOLES, PIECES,
    SAMPLES, SQUARE_CHOSEN_HOLES, SQUARE_HOLES, TO, VERBS,
};
use self::rule::MOST_CELLS;
use self::task::Task;
use crate::answer::Answer;
use crate::board::Lattice;
use crate::card::{Accepts, Card};
use crate::check::Findings;
use crate::error::{Error, Result};
use crate::export::Format;
use crate::job::{Game, Job};
use crate::question::{Question, Verb};

/// A game of slides: its card, and the lattice of its boards.
struct Slides {
    card: Card,
    lattice: Lattice,
}

/// The games of this folder.
pub(super) static GAMES: &[&dyn Game] = &[
    &Slides {
        lattice: Lattice::Hex,
        card: Card {
            name: "hex-slide",
            title: "Hexagonal sliding puzzles",
            rules: "Slide hexagonal tiles about a board with holes until they lie as wanted. A \
                    tile moves into a neighbouring hole if another hole touches both.",
            source: "R. Karpman and É. Roldán, Parity property of hexagonal sliding puzzles \
                     (2022).",
            verbs: VERBS,
            instead: INSTEAD_OF_HEXAGONS,
            places: &[Accepts::hexes(
                MOST_CELLS,
                VERBS,
                "a hexagonal board of up to 127 cells without numbers: P3x4, T5, F3, trimmed \
                 tP3x4, or a drawing that begins with hex",
            )],
            options: &[
                HEX_HOLES,
                HEX_CHOSEN_HOLES,
                FROM,
                COMPONENT_FROM,
                TO,
                SAMPLES,
                CONFIGURATIONS,
                DISTANCE,
                PIECES,
                ALL,
            ],
            methods: METHODS,
            formats: FORMATS,
            examples: &[
                "pessoi explore hex-slide P3x3 --holes 3",
                "pessoi explore hex-slide T4 --holes auto",
                "pessoi find hex-slide F3 --from '2 1 3/4 5 6 7/8 9 10 11 12/13 14 15 16/17 . .'",
                "pessoi analyze hex-slide tP3x4",
                "pessoi export hex-slide F2 --pieces --format stl --output flower.stl",
            ],
        },
    },
    &Slides {
        lattice: Lattice::Square,
        card: Card {
            name: "square-slide",
            title: "Square sliding puzzles (the 15 puzzle)",
            rules: "Slide square tiles about a board with holes until they lie as wanted. A tile \
                    moves into any neighbouring hole.",
            source: "Noyes Chapman's 15 puzzle (1880); W. W. Johnson and W. E. Story, Notes on \
                     the \"15\" puzzle (1879).",
            verbs: VERBS,
            instead: INSTEAD,
            places: &[Accepts::squares(
                MOST_CELLS,
                VERBS,
                "a square board of up to 127 cells without numbers: rows x columns such as 4x4, \
                 or a drawing with blocked cells",
            )],
            options: &[
                SQUARE_HOLES,
                SQUARE_CHOSEN_HOLES,
                FROM,
                COMPONENT_FROM,
                TO,
                SAMPLES,
                CONFIGURATIONS,
                DISTANCE,
                PIECES,
                ALL,
            ],
            methods: METHODS,
            formats: FORMATS,
            examples: &[
                "pessoi sample square-slide 4x4",
                "pessoi find square-slide 4x4 --from '1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 .'",
                "pessoi explore square-slide 3x3",
            ],
        },
    },
];

const INSTEAD: &[(Verb, &str)] = &[
    (Verb::Generate, "sample draws a start to be solved, and sample --distance 20 one so far away"),
    (Verb::List, "explore counts configurations by distance, and export writes their graph"),
    (Verb::Classify, "count counts the components"),
    (Verb::Estimate, "count and explore are exact"),
    (Verb::Recurrence, "count 2..4x2..4 gives a table of boards"),
];

/// The same without rectangles, which have square cells.
const INSTEAD_OF_HEXAGONS: &[(Verb, &str)] = &[
    INSTEAD[0],
    INSTEAD[1],
    INSTEAD[2],
    INSTEAD[3],
    (Verb::Recurrence, "count counts the components of one board after the other"),
];

const FORMATS: &[&dyn Format] = &[&svg::Svg, &svg::Pdf, &solid::Stl];

impl Game for Slides {
    fn card(&self) -> &Card {
        &self.card
    }

    fn job<'a>(&'a self, question: &'a Question) -> Result<Box<dyn Job + 'a>> {
        let task = Task::new(question)?;
        Ok(match question.verb {
            Verb::Find => Box::new(find::Finding::new(task)?),
            Verb::Count => Box::new(count::Counting { task }),
            Verb::Sample => Box::new(sample::Sampling::new(task)?),
            Verb::Hint => Box::new(hint::Hinting::new(task)?),
            Verb::Check => Box::new(solvable::Checking::new(task)?),
            Verb::Trace => Box::new(trace::Tracing::new(task)?),
            Verb::Explore => Box::new(explore::Exploring::new(task)?),
            Verb::Analyze => Box::new(analyze::Analyzing { task }),
            Verb::Export => Box::new(export::Exporting::new(task)?),
            verb => return Err(Error::internal(format!("slides were asked to {verb}"))),
        })
    }

    fn check(&self, answer: &Answer, run: &Run) -> Result<Findings> {
        check::check(answer, self.lattice, run)
    }
}
