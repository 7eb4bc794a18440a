//! Loops: closed paths of a leaper, of a given length, on an unbounded board.
//!
//! A *loop* of length k visits k different cells and comes back by its last move. Where it
//! lies, where it starts and which way it goes make no difference; whether rotations and
//! reflections do is up to the question. Kapralov, Bakoev and Kapralov asked how many there
//! are for the knight, k ≤ 16, up to all of these.
//!
//! | file | idea |
//! |---|---|
//! | `options` | the options |
//! | `task` | what a loop must be, and which loops are the same |
//! | `engine` | the engines, which of them answers a question, and what it would cost |
//! | `find`, `count`, `list`, `classify`, `estimate`, `sample`, `analyze` | the verbs |
//! | `moves` | the moves, and the symmetries of the square as numbers |
//! | `words` | loops as words of moves or of turns; the smallest word of a class |
//! | `crossing` | which moves get in each other's way |
//! | `room` | how far cells are from home, for the orderly search |
//! | `orderly` | one canonical word for each class, for all moves |
//! | `turns` | the same for one leaper with 0 < a < b, fast |
//! | `visit` | all of them on all threads, in order |
//! | `doubling`, `symmetric` | counting without visiting |
//! | `transfer` | the wazir's loops by a transfer matrix |
//! | `census` | types of symmetry, and what follows from their numbers |
//! | `paper`, `simple` | the two algorithms of the paper, and their test for polygons |
//! | `longest` | the longest non-crossing path on a board |
//! | `claimed` | hash maps that claim their memory first |
//! | `sheet`, `packed`, `bfile` | pictures; loops in a few bytes each, and their reader; terms |
//! | `check` | the checker, which shares nothing with the rest |

mod analyze;
mod bfile;
mod census;
mod check;
mod claimed;
mod classify;
mod count;
mod crossing;
mod doubling;
mod engine;
mod estimate;
mod find;
mod list;
mod longest;
mod moves;
mod options;
mod orderly;
mod packed;
mod paper;
mod room;
mod sample;
mod sheet;
mod simple;
mod symmetric;
mod task;
#[cfg(test)]
mod tests;
mod transfer;
mod turns;
mod visit;
mod words;

use std::sync::Arc;

use pessoi_engine::run::Run;

use self::engine::INSPECTION;
use self::options::{ALL, LONGEST, MOVES, PATH, SEQUENCE};
use self::task::{LONGEST_WALK, Task};
use super::leapers;
use crate::answer::{Answer, Subject, Value};
use crate::card::{Accepts, Card};
use crate::check::Findings;
use crate::error::{Error, Result};
use crate::job::{Asked, Events, Game, Job};
use crate::plan::Plan;
use crate::question::{Place, Question, Verb};

/// A game of loops: its card and its leapers.
struct Loops {
    card: Card,
    leapers: &'static [(i32, i32)],
}

/// The games of this folder. A further leaper is one more entry.
const LOOPS: &[Loops] = &[
    Loops {
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
                "pessoi sample knight-loops 30",
            ],
            ..CARD
        },
    },
    Loops {
        leapers: &[(0, 1)],
        card: Card {
            name: "wazir-loops",
            title: "Closed wazir's paths (polygons of the grid)",
            rules: "A wazir on a board without end visits some cells once each and comes back to \
                    the first. Each move goes one cell along a row or column.",
            source: "Fairy chess.",
            places: &[size(transfer::LONGEST), BOARD, PATHS],
            examples: &[
                "pessoi count wazir-loops 20 --symmetry fixed",
                "pessoi count wazir-loops 40 --sequence --format bfile",
            ],
            ..CARD
        },
    },
    leaper(
        "king-loops",
        "Closed king's paths of a given length",
        "A king on a board without end visits some cells once each and comes back to the first. \
         Each move goes to one of the eight cells around.",
        &[(0, 1), (1, 1)],
        &["pessoi classify king-loops 5"],
    ),
    leaper(
        "camel-loops",
        "Closed camel's paths of a given length",
        "A camel on a board without end visits some cells once each and comes back to the first. \
         Each move goes three cells along a row or column and one cell across.",
        &[(1, 3)],
        &["pessoi count camel-loops 12"],
    ),
    leaper(
        "zebra-loops",
        "Closed zebra's paths of a given length",
        "A zebra on a board without end visits some cells once each and comes back to the first. \
         Each move goes three cells along a row or column and two cells across.",
        &[(2, 3)],
        &["pessoi count zebra-loops 12 --non-crossing"],
    ),
    leaper(
        "giraffe-loops",
        "Closed giraffe's paths of a given length",
        "A giraffe on a board without end visits some cells once each and comes back to the \
         first. Each move goes four cells along a row or column and one cell across.",
        &[(1, 4)],
        &["pessoi count giraffe-loops 12"],
    ),
    leaper(
        "diplomatico-loops",
        "Closed paths with Diplomatico's moves",
        "A piece on a board without end visits some cells once each and comes back to the first. \
         Each move goes three cells along a row or column, or two cells along a diagonal.",
        &[(0, 3), (2, 2)],
        &["pessoi count diplomatico-loops 7"],
    ),
];

/// The games of this folder, as the frame sees them.
pub(super) static GAMES: [&dyn Game; LOOPS.len()] = {
    let mut games: [&dyn Game; LOOPS.len()] = [&LOOPS[0]; LOOPS.len()];
    let mut k = 0;
    while k < LOOPS.len() {
        games[k] = &LOOPS[k];
        k += 1;
    }
    games
};

/// The game of this folder with this name.
fn named(name: &str) -> Result<&'static Loops> {
    LOOPS.iter().find(|game| game.card.name == name).ok_or_else(|| {
        Error::unknown("game", "game", name, LOOPS.iter().map(|game| game.card.name))
    })
}

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

/// Lengths up to this one.
const fn size(most: usize) -> Accepts {
    Accepts::size(3, most as u64, ALL, "the length of the loops, such as 12")
}

const BOARD: Accepts = Accepts::squares(
    longest::MOST_CELLS,
    &[Verb::Find],
    "with --longest, a square board such as 6x6",
);
const PATHS: Accepts = Accepts::nowhere(&[Verb::Classify], "with --path, nothing");

/// What the cards of all loops share.
const CARD: Card = Card {
    name: "",
    title: "",
    rules: "",
    source: "",
    verbs: ALL,
    instead: &[
        (Verb::Generate, "tours make puzzles: try generate knight-tours 6x6"),
        (Verb::Hint, "tours have hints: try hint knight-tours"),
        (Verb::Check, "tours can be checked: try check knight-tours"),
        (Verb::Explore, "list and classify give the loops themselves"),
        (Verb::Recurrence, "count --sequence gives all terms up to a length"),
        (Verb::Export, "list writes the loops as csv, json, packed, svg or pdf"),
        (Verb::Trace, "tours can be traced: try trace knight-tours 6x6"),
    ],
    places: &[size(LONGEST_WALK), BOARD, PATHS],
    options: options::OPTIONS,
    methods: engine::METHODS,
    formats: &[&packed::Packed, &bfile::Bfile, &sheet::Svg, &sheet::Pdf],
    examples: &[],
};

impl Game for Loops {
    fn card(&self) -> &Card {
        &self.card
    }

    fn job<'a>(&'a self, question: &'a Question) -> Result<Box<dyn Job + 'a>> {
        let leapers = self.leapers(question)?;
        let is_board = matches!(question.place, Place::Board(_));
        match question.verb {
            Verb::Find if is_board != question.flag(&LONGEST) => {
                return Err(Error::place(
                    "find --longest asks for a board, such as 6x6, and find without --longest for \
                     the length of the loops, such as 12.",
                ));
            }
            Verb::Find if is_board => return Ok(Box::new(find::Longest::new(question, &leapers)?)),
            Verb::Classify if question.is_given(&PATH) => {
                return Ok(Box::new(classify::One::new(question, &leapers)?));
            }
            Verb::Classify if question.place.is_nowhere() => {
                return Err(Error::place(
                    "classify asks for the length of the loops, such as 12, or for a loop with \
                     --path.",
                ));
            }
            _ => {}
        }
        let task = Arc::new(Task::new(question, &leapers, question.size()? as usize)?);
        if question.verb != Verb::Count {
            engine::too_long(question, &task)?;
        }
        let impossible = task.none().filter(|_| !question.flag(&SEQUENCE));
        let job: Box<dyn Job> = match question.verb {
            Verb::Find => Box::new(find::first(question, task.clone())?),
            Verb::Count => Box::new(count::Count::new(question, task.clone())?),
            Verb::List | Verb::Classify => Box::new(list::all(question, task.clone())?),
            Verb::Estimate => Box::new(estimate::Estimate::new(question, task.clone())?),
            Verb::Sample => Box::new(sample::Draws::new(question, task.clone())?),
            Verb::Analyze => Box::new(analyze::Analyze::new(question, task.clone())?),
            verb => return Err(Error::internal(format!("loops were asked to {verb}"))),
        };
        Ok(match impossible {
            Some(proof) => Box::new(Inspection { question, task, proof }),
            None => job,
        })
    }

    fn check(&self, answer: &Answer, run: &Run) -> Result<Findings> {
        check::check(answer, &self.leapers(&answer.question)?, run)
    }

    fn restated(&self, question: &Question) -> Vec<Question> {
        let count = || question.clone().instead(Verb::Count);
        match question.verb {
            Verb::List | Verb::Classify if !question.is_given(&options::PATH) => vec![count()],
            Verb::Count => vec![question.clone().instead(Verb::Classify)],
            Verb::Estimate => vec![count().without(&[&options::SAMPLES])],
            _ => Vec::new(),
        }
    }

    fn term(&self, question: &Question, n: u64) -> Option<Question> {
        // Where all loops are even, term n is of length 2n.
        let leapers = self.leapers(question).ok()?;
        let task = Task::new(question, &leapers, question.size().ok()? as usize).ok()?;
        let length = if task.moves.alternate() { n.checked_mul(2)? } else { n };
        let count = question.clone().without(&[&SEQUENCE]);
        Some(Question { place: Place::Size(length), ..count })
    }
}

impl Loops {
    /// The moves that are asked for, or else the game's own.
    fn leapers(&self, question: &Question) -> Result<Vec<(i32, i32)>> {
        question.text(&MOVES).map_or_else(|| Ok(self.leapers.to_vec()), leapers::parse)
    }
}

/// A question about loops that cannot be, as is seen at once.
struct Inspection<'q> {
    question: &'q Question,
    task: Arc<Task>,
    proof: String,
}

impl Job for Inspection<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(self.task.subject())
    }

    fn plan(&self, _: &Run) -> Result<Plan> {
        let plan = Plan::new(self.question, &INSPECTION, "there is no loop, as is seen at once");
        Ok(plan.note(format!("Proof: {}.", self.proof)))
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        let value = Value::none(self.proof.clone());
        Ok(Asked::new(self.question, run).answer(&self.task.subject(), value, &INSPECTION))
    }
}
