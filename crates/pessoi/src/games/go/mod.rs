//! Go: legal positions, games, and games through all positions.
//!
//! A position colours every point of a board empty, black or white. Stones of one colour that
//! hang together are a *string*, and an empty point beside a string is a *liberty* of it. A
//! position is *legal* if every string has a liberty. How many there are, how the number grows,
//! and how many games lead through them is told by J. Tromp and G. Farnebäck, *Combinatorics
//! of Go* (2016), which this folder carries out.
//!
//! | file | idea |
//! |---|---|
//! | `task` | questions that make sense |
//! | `border` | border states of a rectangle, packed; how many are valid |
//! | `points`, `sweep` | any board, point by point: the reference |
//! | `table` | all borders of a rectangle listed, with what follows them |
//! | `halves`, `matrix` | borders as near × far halves: whole rows added to rows |
//! | `count`, `classes` | exact numbers by remainders; up to symmetry by Burnside's lemma |
//! | `checkpoint` | long counts written down and gone on with |
//! | `formula` | the asymptotic formula, and numbers with many digits |
//! | `recurrence` | strips: recurrences and growth |
//! | `position` | single positions: drawn, in SGF, judged, sampled |
//! | `moves`, `explore` | the game graph |
//! | `games` | numbers of games |
//! | `hamilton`, `tsp` | games through all positions |
//! | `estimate` | stratified sampling of positions and games |
//! | `analyze`, `plan` | what can be said beforehand |
//! | `check` | the checker, which shares nothing with the rest |

mod analyze;
mod border;
mod check;
mod checkpoint;
mod classes;
mod count;
mod estimate;
mod explore;
mod formula;
mod games;
mod halves;
mod hamilton;
mod matrix;
mod moves;
mod plan;
mod points;
mod position;
mod recurrence;
mod sweep;
mod table;
mod task;
#[cfg(test)]
mod tests;
mod tsp;

use num_bigint::BigUint;
use pessoi_engine::run::{Run, Stop};

use self::task::Task;
use super::{Card, Game, Sink};
use crate::answer::{Answer, Plan, Value};
use crate::board::{Board, Lattice};
use crate::certificate::Verdict;
use crate::error::{Error, Result};
use crate::export::Format;
use crate::question::{Kind, Opt, Place, Question, Verb};

/// The game.
struct Go;

/// The games of this folder.
pub(super) static GAMES: &[&dyn Game] = &[&Go];

static CARD: Card = Card {
    name: "go",
    title: "Go: legal positions and games",
    rules: "Black and white put stones on the points of a board, and a string of stones without \
            an empty point beside it is taken away. A position is legal if every string has such \
            a liberty.",
    place: "A square board: rows x columns such as 9x9, or a drawing with absent points; for \
            recurrence, the height of a strip such as 4; for analyze --borders and --formula, \
            none.",
    source: "J. Tromp and G. Farnebäck, Combinatorics of Go (2016).",
    verbs: &[
        Verb::Find,
        Verb::Count,
        Verb::Estimate,
        Verb::Sample,
        Verb::Explore,
        Verb::Recurrence,
        Verb::Analyze,
        Verb::Export,
    ],
    options: &[
        Opt {
            name: "method",
            kind: Kind::OneOf(&["auto", "sweep", "table", "matrix", "search", "memo"]),
            help: "positions: auto, sweep (any board), table (all borders listed) or matrix \
                   (near and far halves); games: auto, search (every game walked) or memo",
            verbs: &[Verb::Count],
        },
        Opt {
            name: "classes",
            kind: Kind::Flag,
            help: "count up to turns, mirrors and reversal of colours, by Burnside's lemma",
            verbs: &[Verb::Count],
        },
        Opt {
            name: "games",
            kind: Kind::Flag,
            help: "games instead of positions",
            verbs: &[Verb::Count, Verb::Estimate],
        },
        Opt {
            name: "superko",
            kind: Kind::OneOf(&["positional", "situational"]),
            help: "with --games: what must not come twice: a position (unless told), or a \
                   position made by the same player",
            verbs: &[Verb::Count, Verb::Estimate],
        },
        Opt {
            name: "cycles",
            kind: Kind::Flag,
            help: "count the cycles through all positions but the empty one",
            verbs: &[Verb::Count],
        },
        Opt {
            name: "symmetric",
            kind: Kind::Flag,
            help: "only cycles whose second half is the first with colours reversed",
            verbs: &[Verb::Find, Verb::Count],
        },
        Opt {
            name: "tour",
            kind: Kind::File("FILE"),
            help: "read the cycle from a tour of the problem that export --format tsplib writes",
            verbs: &[Verb::Find],
        },
        Opt {
            name: "mod",
            kind: Kind::Number,
            help: "only the residue modulo this number, at once",
            verbs: &[Verb::Count],
        },
        Opt {
            name: "ternary",
            kind: Kind::Flag,
            help: "tell the number in ternary too",
            verbs: &[Verb::Count],
        },
        Opt {
            name: "checkpoint",
            kind: Kind::Text("FILE"),
            help: "write the count down here after every column",
            verbs: &[Verb::Count],
        },
        Opt {
            name: "resume",
            kind: Kind::Flag,
            help: "go on from the checkpoint",
            verbs: &[Verb::Count],
        },
        Opt {
            name: "samples",
            kind: Kind::Number,
            help: "how many to draw (sample: 1 unless told; estimate: 1000)",
            verbs: &[Verb::Estimate, Verb::Sample],
        },
        Opt {
            name: "terms",
            kind: Kind::Number,
            help: "how many numbers of the sequence to tell (20 unless told)",
            verbs: &[Verb::Recurrence],
        },
        Opt {
            name: "borders",
            kind: Kind::Number,
            help: "numbers of borders for all heights up to this one",
            verbs: &[Verb::Analyze],
        },
        Opt {
            name: "formula",
            kind: Kind::Number,
            help: "the asymptotic formula, fitted to squares up to this one",
            verbs: &[Verb::Analyze],
        },
        Opt {
            name: "position",
            kind: Kind::File("FILE"),
            help: "whether the position in this file, drawn or in SGF, is legal",
            verbs: &[Verb::Analyze],
        },
    ],
    formats: &[(Format::Tsplib, &[Verb::Export])],
    examples: &[
        "pessoi count go 9x9",
        "pessoi count go 2x2 --games",
        "pessoi find go 1x7 --symmetric",
        "pessoi estimate go 19x19",
        "pessoi recurrence go 4",
        "pessoi analyze go --borders 19",
        "pessoi sample go 19x19",
        "pessoi export go 1x3 --format dot",
    ],
};

/// Why there is no answer.
#[derive(Debug)]
enum Halt {
    /// A limit was hit.
    Stop(Stop),
    Error(Error),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stop(stop)
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Error(error)
    }
}

/// A question and its run.
#[derive(Clone, Copy)]
struct Asked<'a> {
    question: &'a Question,
    run: &'a Run,
}

impl<'a> Asked<'a> {
    /// The board that is asked about.
    fn board(&self) -> Result<&'a Board> {
        let wrong = |sentence: &str| Err(Error::input(sentence));
        match &self.question.place {
            Place::Nowhere => wrong("This is asked of a board, such as 9x9."),
            Place::Size(size) => Err(Error::input(format!(
                "{size} is the height of a strip; a board is asked for as {size}x{size}."
            ))),
            Place::Board(drawing) if drawing.board.lattice() != Lattice::Square => {
                wrong("Go is played here on square boards, such as 9x9.")
            }
            Place::Board(drawing) if !drawing.clues.is_empty() => {
                wrong("Go boards have no numbers on them; a position goes with analyze --position.")
            }
            Place::Board(drawing) => Ok(&drawing.board),
        }
    }

    fn answer(&self, value: Value, counts: &str, method: &str) -> Answer {
        Answer::new(self.question, value, counts, method, self.run)
    }
}

impl Go {
    fn answer(asked: &Asked) -> Result<Answer, Halt> {
        match Task::of(asked)? {
            Task::Positions(positions) => count::count(asked, &positions),
            Task::Classes { board, engine } => classes::count(asked, board, engine),
            Task::Games { board, situational, method } => {
                games::count(asked, board, situational, method)
            }
            Task::Cycles { board, symmetric } => hamilton::count(asked, board, symmetric),
            Task::Cycle { board, symmetric, tour } => hamilton::find(asked, board, symmetric, tour),
            Task::Share { board, height, length, samples } => {
                estimate::estimate(asked, board, (height, length), samples)
            }
            Task::AboutGames { board, situational, samples } => {
                estimate::estimate_games(asked, board, situational, samples)
            }
            Task::Sample { board, samples } => Ok(position::sample(asked, board, samples)),
            Task::Explore { board } => explore::explore(asked, board),
            Task::Export { board } => explore::export(asked, board),
            Task::Recurrence { height, terms } => recurrence::recurrence(asked, height, terms),
            Task::Borders { most } => Ok(analyze::borders(asked, most)),
            Task::Formula { most } => analyze::formula(asked, most),
            Task::Judge { board, colours } => Ok(position::judge(asked, board, &colours)),
            Task::Inspect { board } => analyze::board(asked, board),
        }
    }
}

/// A number of things, with the right word for one of them.
fn plural(number: impl Into<BigUint>, one: &'static str, many: &'static str) -> &'static str {
    if number.into() == BigUint::from(1u8) { one } else { many }
}

impl Game for Go {
    fn card(&self) -> &Card {
        &CARD
    }

    fn ask(&self, question: &Question, run: &Run, _: Sink) -> Result<Answer> {
        let asked = Asked { question, run };
        match Go::answer(&asked) {
            Ok(answer) => Ok(answer),
            Err(Halt::Error(error)) => Err(error),
            Err(Halt::Stop(stop)) => {
                let why = stop.to_string();
                Ok(asked.answer(Value::GaveUp { why }, "legal positions", "stopped before its end"))
            }
        }
    }

    fn plan(&self, question: &Question, run: &Run) -> Result<Plan> {
        plan::plan(&Asked { question, run })
    }

    fn write(&self, answer: &Answer, format: Format) -> Result<String> {
        let asked = Asked { question: &answer.question, run: &Run::default() };
        match format {
            Format::Tsplib => {
                let board = asked.board()?;
                match hamilton::Covering::new(board, true, asked.run) {
                    Ok(covering) => tsp::write(&covering, &board.name()),
                    Err(Halt::Error(error)) => Err(error),
                    Err(Halt::Stop(stop)) => Err(Error::internal(stop.to_string())),
                }
            }
            other => Err(Error::internal(format!("go does not write {other}"))),
        }
    }

    fn check(&self, answer: &Answer, run: &Run) -> Result<Verdict> {
        check::check(answer, run)
    }
}
