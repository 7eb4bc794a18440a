//! Loops: closed paths of a leaper, of a given length, on an unbounded board.
//!
//! A *loop* of length k visits k different cells and comes back by its last move. Where it
//! lies, where it starts and which way it goes make no difference; whether rotations and
//! reflections do is up to the question. Kapralov, Bakoev and Kapralov asked how many there
//! are for the knight, k ≤ 16, up to all of these.
//!
//! | file | idea |
//! |---|---|
//! | `moves` | the moves, and the symmetries of the square as numbers |
//! | `words` | loops as words of moves or of turns; the smallest word of a class |
//! | `crossing` | which moves get in each other's way |
//! | `task` | what a loop must be, and which loops are the same |
//! | `orderly` | one canonical word for each class, for all moves |
//! | `turns` | the same for one leaper with 0 < a < b, fast |
//! | `visit` | all of them on all threads, in order |
//! | `doubling`, `symmetric` | counting without visiting |
//! | `census` | types of symmetry, and what follows from their numbers |
//! | `paper` | the two algorithms of the paper |
//! | `count`, `list`, `find`, `guess`, `inspect`, `plan` | the verbs |
//! | `longest` | the longest non-crossing path on a board |
//! | `sheet`, `packed` | pictures; loops in a few bytes each, and their reader |
//! | `check` | the checker, which shares nothing with the rest |

mod census;
mod check;
mod count;
mod crossing;
mod doubling;
mod find;
mod guess;
mod inspect;
mod list;
mod longest;
mod moves;
mod orderly;
mod packed;
mod paper;
mod plan;
mod sheet;
mod symmetric;
mod task;
#[cfg(test)]
mod tests;
mod turns;
mod visit;
mod words;

use std::sync::Arc;

use pessoi_engine::run::{Run, Stop};

use self::task::Task;
use super::{ByteSink, Card, Game, Sink, leapers};
use crate::answer::{Answer, Plan, Value};
use crate::certificate::Verdict;
use crate::error::{Error, Result};
use crate::export::Format;
use crate::question::{Kind, Opt, Question, Verb};

/// A game of loops: its card and its leapers.
struct Loops {
    card: Card,
    leapers: &'static [(i32, i32)],
}

/// The games of this folder. A further leaper is one more entry.
pub(super) static GAMES: &[&dyn Game] = &[
    &Loops {
        leapers: &[(1, 2)],
        card: Card {
            name: "knight-loops",
            title: "Closed knight's paths of a given length",
            rules: "A knight on a board without end visits some cells once each and comes back \
                    to the first. Each move goes two cells along a row or column and one cell \
                    across.",
            source: "S. Kapralov, V. Bakoev, K. Kapralov, Algorithms for Construction, \
                     Classification and Enumeration of Closed Knight's Paths (2023).",
            examples: &[
                "pessoi count knight-loops 12",
                "pessoi count knight-loops 16 --non-crossing",
                "pessoi list knight-loops 8 --format svg --page 2 --output sheet.svg",
                "pessoi classify knight-loops --path '3 7 15 11 24 28 20 16' --width 6",
                "pessoi find knight-loops 6x6 --longest",
            ],
            ..CARD
        },
    },
    &leaper(
        "wazir-loops",
        "Closed wazir's paths (polygons of the grid)",
        "A wazir on a board without end visits some cells once each and comes back to the first. \
         Each move goes one cell along a row or column.",
        &[(0, 1)],
        &["pessoi count wazir-loops 20 --symmetry fixed"],
    ),
    &leaper(
        "king-loops",
        "Closed king's paths of a given length",
        "A king on a board without end visits some cells once each and comes back to the first. \
         Each move goes to one of the eight cells around.",
        &[(0, 1), (1, 1)],
        &["pessoi classify king-loops 5"],
    ),
    &leaper(
        "camel-loops",
        "Closed camel's paths of a given length",
        "A camel on a board without end visits some cells once each and comes back to the first. \
         Each move goes three cells along a row or column and one cell across.",
        &[(1, 3)],
        &["pessoi count camel-loops 12"],
    ),
    &leaper(
        "zebra-loops",
        "Closed zebra's paths of a given length",
        "A zebra on a board without end visits some cells once each and comes back to the first. \
         Each move goes three cells along a row or column and two cells across.",
        &[(2, 3)],
        &["pessoi count zebra-loops 12 --non-crossing"],
    ),
    &leaper(
        "giraffe-loops",
        "Closed giraffe's paths of a given length",
        "A giraffe on a board without end visits some cells once each and comes back to the \
         first. Each move goes four cells along a row or column and one cell across.",
        &[(1, 4)],
        &["pessoi count giraffe-loops 12"],
    ),
    &leaper(
        "diplomatico-loops",
        "Closed paths with Diplomatico's moves",
        "A piece on a board without end visits some cells once each and comes back to the first. \
         Each move goes three cells along a row or column, or two cells along a diagonal.",
        &[(0, 3), (2, 2)],
        &["pessoi count diplomatico-loops 7"],
    ),
];

/// A leaper of fairy chess.
const fn leaper(
    name: &'static str,
    title: &'static str,
    rules: &'static str,
    leapers: &'static [(i32, i32)],
    examples: &'static [&'static str],
) -> Loops {
    let source = "Fairy chess.";
    Loops { card: Card { name, title, rules, source, examples, ..CARD }, leapers }
}

/// What the cards of all loops share.
const CARD: Card = Card {
    name: "",
    title: "",
    rules: "",
    place: "The length of the loops, such as 12; for find --longest, a board such as 6x6.",
    source: "",
    verbs: ALL,
    options: OPTIONS,
    formats: &[
        (Format::Packed, &[Verb::List]),
        (Format::Bfile, &[Verb::Count]),
        (Format::Svg, &[Verb::Find, Verb::List, Verb::Classify, Verb::Analyze]),
    ],
    examples: &[],
};

const STREAMED: &[Verb] = &[Verb::List, Verb::Classify];
const ALL: &[Verb] =
    &[Verb::Find, Verb::Count, Verb::List, Verb::Classify, Verb::Estimate, Verb::Analyze];

const OPTIONS: &[Opt] = &[
    Opt {
        name: "moves",
        kind: Kind::Text("MOVES"),
        help: "other moves than the game's own, as leapers: (1,2) or (3,0)+(2,2)",
        verbs: ALL,
    },
    Opt {
        name: "non-crossing",
        kind: Kind::Flag,
        help: "only loops that are simple polygons: no two moves cross or touch",
        verbs: ALL,
    },
    Opt {
        name: "symmetry",
        kind: Kind::OneOf(&["free", "one-sided", "fixed"]),
        help: "what makes loops the same besides translation: rotations and reflections (free, \
               unless told), rotations (one-sided) or nothing (fixed)",
        verbs: &[Verb::Count, Verb::List, Verb::Classify],
    },
    Opt {
        name: "congruent",
        kind: Kind::Flag,
        help: "loops that are congruent in the plane are the same, by whatever angle",
        verbs: &[Verb::Count, Verb::List, Verb::Classify, Verb::Analyze],
    },
    Opt {
        name: "board",
        kind: Kind::Text("ROWSxCOLS"),
        help: "only loops that fit a board of this size",
        verbs: ALL,
    },
    Opt {
        name: "method",
        kind: Kind::OneOf(&["auto", "orderly", "doubling", "algorithm-1", "algorithm-2"]),
        help: "auto, orderly (one canonical word a class), doubling (pairs of half loops), or the \
               paper's algorithm-1 and algorithm-2",
        verbs: &[Verb::Count],
    },
    Opt {
        name: "method",
        kind: Kind::OneOf(&["auto", "orderly", "algorithm-1", "algorithm-2"]),
        help: "auto (orderly), orderly (one canonical word a class), or the paper's algorithm-1 \
               and algorithm-2",
        verbs: STREAMED,
    },
    Opt {
        name: "method",
        kind: Kind::OneOf(&["auto", "chen", "knuth"]),
        help: "auto (chen), chen (stratified sampling) or knuth (plain random probes)",
        verbs: &[Verb::Estimate],
    },
    Opt {
        name: "part",
        kind: Kind::Part,
        help: "only this part of the search; the m parts are disjoint and together everything",
        verbs: &[Verb::Count, Verb::List, Verb::Classify],
    },
    Opt {
        name: "limit",
        kind: Kind::Number,
        help: "how many loops at most (find: 1 unless told)",
        verbs: &[Verb::Find, Verb::List, Verb::Classify],
    },
    Opt {
        name: "page",
        kind: Kind::Number,
        help: "only this page of 60 loops (svg: page 1 unless told)",
        verbs: STREAMED,
    },
    Opt {
        name: "path",
        kind: Kind::Text("CELLS"),
        help: "classify this loop: its cells as row,column, or numbers with --width",
        verbs: &[Verb::Classify],
    },
    Opt {
        name: "width",
        kind: Kind::Number,
        help: "columns of the board on which the cells of --path are numbered, row by row from 1",
        verbs: &[Verb::Classify],
    },
    Opt {
        name: "sequence",
        kind: Kind::Flag,
        help: "count every length up to this one (bfile writes these)",
        verbs: &[Verb::Count],
    },
    Opt {
        name: "longest",
        kind: Kind::Flag,
        help: "a longest non-crossing loop on the board",
        verbs: &[Verb::Find],
    },
    Opt {
        name: "open",
        kind: Kind::Flag,
        help: "with --longest: an open path, which need not come back",
        verbs: &[Verb::Find],
    },
    Opt {
        name: "cells",
        kind: Kind::Flag,
        help: "gather loops that visit the same cells, and show sets with several loops",
        verbs: &[Verb::Analyze],
    },
    Opt {
        name: "samples",
        kind: Kind::Number,
        help: "how many samples to draw (1000 unless told)",
        verbs: &[Verb::Estimate],
    },
];

impl Game for Loops {
    fn card(&self) -> &Card {
        &self.card
    }

    fn ask(&self, question: &Question, run: &Run, sink: Sink) -> Result<Answer> {
        let leapers = self.leapers(question)?;
        match question.verb {
            Verb::Find if question.flag("longest") => {
                return longest::answer(question, &leapers, run);
            }
            Verb::Classify if question.text("path").is_some() => {
                let (answer, images) = inspect::classify(question, &leapers, run)?;
                for image in images {
                    if !sink(image) {
                        break;
                    }
                }
                return Ok(answer);
            }
            _ => {}
        }
        let asked = Asked::new(question, &leapers, run)?;
        if let Some(proof) = asked.task.none() {
            return Ok(asked.none(proof));
        }
        match question.verb {
            Verb::Count => count::count(&asked),
            Verb::List | Verb::Classify => list::to_sink(&asked, sink),
            Verb::Find => find::find(&asked),
            Verb::Estimate => guess::guess(&asked),
            Verb::Analyze => inspect::analyze(&asked),
            verb => Err(Error::internal(format!("loops were asked to {verb}"))),
        }
    }

    fn streams(&self, verb: Verb, format: Format) -> bool {
        let streams = [Format::Text, Format::Json, Format::Packed, Format::Svg];
        STREAMED.contains(&verb) && streams.contains(&format)
    }

    fn stream(
        &self,
        question: &Question,
        run: &Run,
        format: Format,
        bytes: ByteSink,
    ) -> Result<Answer> {
        let leapers = self.leapers(question)?;
        if question.verb == Verb::Classify && question.text("path").is_some() {
            let (answer, images) = inspect::classify(question, &leapers, run)?;
            list::write_all(&answer, &images, format, bytes)?;
            return Ok(answer);
        }
        let asked = Asked::new(question, &leapers, run)?;
        if let Some(proof) = asked.task.none() {
            return Ok(asked.none(proof));
        }
        list::to_bytes(&asked, format, bytes)
    }

    fn plan(&self, question: &Question, run: &Run) -> Result<Plan> {
        plan::predict(question, &self.leapers(question)?, run)
    }

    fn write(&self, answer: &Answer, format: Format) -> Result<String> {
        match format {
            Format::Svg => sheet::answer(answer),
            Format::Bfile => count::bfile(answer),
            _ => Err(Error::internal(format!("loops do not write {format} whole"))),
        }
    }

    fn read(&self, bytes: &[u8], sink: Sink) -> Result<Answer> {
        packed::read(bytes, |question| self.leapers(question), sink)
    }

    fn check(&self, answer: &Answer, run: &Run) -> Result<Verdict> {
        let moves = answer.question.text("moves");
        let leapers = moves.map_or_else(|| Ok(self.leapers.to_vec()), leapers::parse)?;
        check::check(answer, &leapers, run)
    }
}

impl Loops {
    /// The moves that are asked for, or else the game's own.
    fn leapers(&self, question: &Question) -> Result<Vec<(i32, i32)>> {
        question.text("moves").map_or_else(|| Ok(self.leapers.to_vec()), leapers::parse)
    }
}

/// A question with its task and its run.
struct Asked<'a> {
    question: &'a Question,
    task: Arc<Task>,
    run: &'a Run,
}

impl<'a> Asked<'a> {
    fn new(question: &'a Question, leapers: &[(i32, i32)], run: &'a Run) -> Result<Self> {
        refuse_what_means_nothing(question)?;
        Ok(Asked { question, task: Arc::new(Task::new(question, leapers)?), run })
    }

    fn answer(&self, value: Value, method: &str) -> Answer {
        Answer::new(self.question, value, &self.task.counts(), method, self.run)
    }

    fn none(&self, proof: String) -> Answer {
        self.answer(Value::None { proof }, "inspection")
    }

    fn gave_up(&self, stop: &Stop, method: &str) -> Answer {
        self.answer(Value::GaveUp { why: stop.to_string() }, method)
    }
}

/// Options that need another one.
fn refuse_what_means_nothing(question: &Question) -> Result<()> {
    for (name, with) in [("open", "longest"), ("width", "path")] {
        if question.options.contains_key(name) && !question.options.contains_key(with) {
            return Err(Error::input(format!("--{name} means nothing without --{with}.")));
        }
    }
    Ok(())
}
