//! Sliding puzzles on hexagonal and square boards.
//!
//! A **puzzle** is a board with numbered **tiles** on all cells but some, the **holes**. A
//! **configuration** says which tile lies where. A **slide** moves one tile into a hole (see
//! `rule`). The **puzzle graph** has the configurations as nodes and the slides as edges; a
//! configuration without a slide is **isolated**, and the others fall into **components**.
//! **God's number** is the greatest distance of two configurations of one component.
//!
//! R. Karpman and É. Roldán (*Parity property of hexagonal sliding puzzles*) study the
//! hexagonal ones. With two holes most boards behave like the 15 puzzle: half of all
//! configurations can be reached. With three, all can.
//!
//! | file | idea |
//! |---|---|
//! | `rule` | boards and their slides |
//! | `position` | configurations and their text |
//! | `holes` | the graph of hole-sets, its group, and what follows without any search |
//! | `task` | what a question asks for |
//! | `plain` | the plain search, as reference |
//! | `explore` | God's number, by the tables of the lift engine or plainly |
//! | `find`, `meet`, `lookup`, `peel`, `words` | solutions: from both ends, by tables, tile by tile, by the group |
//! | `sample` | random starts, also at a given distance |
//! | `shape`, `theorems` | what is proved of which board, tested |
//! | `draw`, `solid` | pictures, sheets to cut, solids to print |
//! | `plan` | which engine, at what cost |
//! | `check` | the checker, which shares nothing with the rest |

mod check;
mod draw;
mod explore;
mod find;
mod holes;
mod lookup;
mod meet;
mod peel;
mod plain;
mod plan;
mod position;
mod rule;
mod sample;
mod shape;
mod solid;
mod task;
#[cfg(test)]
mod tests;
mod theorems;
mod words;

use pessoi_engine::run::Run;

use self::task::Asked;
use super::{Card, Game, Sink};
use crate::answer::{Answer, Plan};
use crate::board::Lattice;
use crate::certificate::Verdict;
use crate::error::{Error, Result};
use crate::export::Format;
use crate::question::{Kind, Opt, Question, Verb};

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
            place: "A hexagonal board of up to 127 cells: P3x4, T5, F3, trimmed tP3x4, or a \
                    drawing that begins with hex.",
            source: "R. Karpman and É. Roldán, Parity property of hexagonal sliding puzzles \
                     (2022).",
            verbs: VERBS,
            options: OPTIONS,
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
            place: "A square board of up to 127 cells: rows x columns such as 4x4, or a drawing \
                    with blocked cells.",
            source: "Noyes Chapman's 15 puzzle (1880); W. W. Johnson and W. E. Story, Notes on \
                     the \"15\" puzzle (1879).",
            verbs: VERBS,
            options: OPTIONS,
            formats: FORMATS,
            examples: &[
                "pessoi sample square-slide 4x4",
                "pessoi find square-slide 4x4 --from '1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 .'",
                "pessoi explore square-slide 3x3",
            ],
        },
    },
];

const VERBS: &[Verb] =
    &[Verb::Find, Verb::Count, Verb::Sample, Verb::Explore, Verb::Analyze, Verb::Export];

const FORMATS: &[(Format, &[Verb])] =
    &[(Format::Svg, &[Verb::Find, Verb::Sample, Verb::Export]), (Format::Stl, &[Verb::Export])];

const OPTIONS: &[Opt] = &[
    Opt {
        name: "holes",
        kind: Kind::Text("N"),
        help: "how many holes (2 on hexagonal boards and 1 on square ones, unless told), or auto: \
               the fewest with which all configurations hang together",
        verbs: VERBS,
    },
    Opt {
        name: "from",
        kind: Kind::Text("TILES"),
        help: "the configuration to start from, row by row, such as '1 2 3/4 5 6/7 . .'; unless \
               told, the tiles in order and the holes last",
        verbs: &[Verb::Find, Verb::Explore, Verb::Export],
    },
    Opt {
        name: "to",
        kind: Kind::Text("TILES"),
        help: "the configuration to reach; unless told, the tiles in order and the holes last",
        verbs: &[Verb::Find, Verb::Sample],
    },
    Opt {
        name: "method",
        kind: Kind::OneOf(&["auto", "meet", "lookup", "peel", "group"]),
        help: "auto, meet (shortest, from both ends), lookup (shortest, with tables of bounds), \
               peel (some solution, tile by tile) or group (some solution, by a word in the \
               generators of the group)",
        verbs: &[Verb::Find],
    },
    Opt {
        name: "method",
        kind: Kind::OneOf(&["auto", "fast", "plain"]),
        help: "auto, fast (two bits a configuration) or plain (a list of configurations)",
        verbs: &[Verb::Explore],
    },
    Opt {
        name: "frames",
        kind: Kind::Flag,
        help: "draw all configurations side by side (svg) instead of one that moves",
        verbs: &[Verb::Find],
    },
    Opt {
        name: "samples",
        kind: Kind::Number,
        help: "how many to draw (1 unless told)",
        verbs: &[Verb::Sample],
    },
    Opt {
        name: "distance",
        kind: Kind::Text("N"),
        help: "exactly so many slides from the goal; god for God's number (then the goal's holes \
               are chosen too)",
        verbs: &[Verb::Sample],
    },
    Opt {
        name: "pieces",
        kind: Kind::Flag,
        help: "board and tiles to be made, instead of the graph: svg to cut, stl to print",
        verbs: &[Verb::Export],
    },
    Opt {
        name: "all",
        kind: Kind::Flag,
        help: "the graph of all configurations, not only of those that can be reached",
        verbs: &[Verb::Export],
    },
];

impl Game for Slides {
    fn card(&self) -> &Card {
        &self.card
    }

    fn ask(&self, question: &Question, run: &Run, _: Sink) -> Result<Answer> {
        let asked = Asked::new(question, self.lattice, run)?;
        match question.verb {
            Verb::Find => find::find(&asked),
            Verb::Count => Ok(explore::count(&asked)),
            Verb::Sample => sample::sample(&asked),
            Verb::Explore => explore::explore(&asked),
            Verb::Analyze => Ok(theorems::analyze(&asked)),
            Verb::Export => plain::export(&asked),
            verb => Err(Error::internal(format!("slides were asked to {verb}"))),
        }
    }

    fn plan(&self, question: &Question, run: &Run) -> Result<Plan> {
        plan::predict(&Asked::new(question, self.lattice, run)?)
    }

    fn write(&self, answer: &Answer, format: Format) -> Result<String> {
        let run = Run::default();
        let asked = Asked::new(&answer.question, self.lattice, &run)?;
        match (answer.question.verb, format) {
            (Verb::Export, _) if !answer.question.flag("pieces") => Err(Error::input(format!(
                "A graph of configurations is not written as {format}: with --pieces the board and \
                 its tiles are."
            ))),
            (Verb::Export, Format::Stl) => Ok(solid::stl(&asked.puzzle, asked.tiles()?)),
            (Verb::Export, _) => Ok(draw::sheet(&asked.puzzle, asked.tiles()?)),
            _ => draw::picture(answer, &asked.puzzle),
        }
    }

    fn check(&self, answer: &Answer, run: &Run) -> Result<Verdict> {
        check::check(answer, self.lattice, run)
    }
}
