//! Tours: paths that cover a board.
//!
//! The Diplomatico paper asks for them with the moves (3,0) and (2,2); with (1,2)
//! they are the knight's tours. A game here is a name, a rule and its leapers;
//! everything else is the same for all.
//!
//! | file | idea |
//! |---|---|
//! | `options` | options and engines, as data |
//! | `graph` | which cells are one move apart |
//! | `task` | a checked question: open or closed, which numbers are fixed |
//! | `extend` | search: a path extended cell by cell |
//! | `reach` | which cells can hold which numbers, seen from the clues |
//! | `border` | sweep: a path as a set of moves, read cell by cell |
//! | `ahead` | borders that lead nowhere are never stored |
//! | `partial`, `branch` | moves at the most constrained cell, and all that follows |
//! | `choice` | branch or sweep: what each would cost |
//! | `rotations`, `tiling`, `patches`, `sat` | finding on large boards; proving that there is none |
//! | `proofs`, `supply` | why there is none, seen at once; seen by counting moves |
//! | `bounds`, `pieces` | how many there are at most and at least, proved |
//! | `learned` | predictions, and an order of moves, from boards that were solved |
//! | `wanted`, `symmetric`, `magic`, `crossings`, `exchange` | tours that are more than tours |
//! | `classes` | classes up to symmetry, by canonical forms and by Burnside's lemma |
//! | `profile` | what solutions have in common; scores of play |
//! | `strip` | strips of any length, as the sweep sees them |
//! | `find`, `count`, `list`, `estimate`, `sample`, `generate`, `explore`, `recurrence`, `analyze`, `export` | the verbs, each with its plan; `list` is `classify` too |
//! | `hint`, `reason`, `rules`, `suppose`, `rate` | the next number and why, as rules that people use; how hard a puzzle is |
//! | `trace` | how the rules and the search of `find` come to a tour, step by step |
//! | `clues`, `exists` | the verb `check`: right so far, or which clues contradict each other |
//! | `svg`, `pdf`, `booklet`, `heat`, `tsplib`, `dimacs` | pictures, problems for other programs, and tours that they found |
//! | `check` | the checker, which shares nothing with the rest |
//!
//! The verbs that solve (all but explore, recurrence, analyze and export) begin with the same
//! two things: memory for the board is claimed, and simple proofs that there is no tour are
//! tried. If one applies, inspection of the board was all that was needed.

mod ahead;
mod analyze;
mod booklet;
mod border;
mod bounds;
mod branch;
mod check;
mod choice;
mod classes;
mod clues;
mod count;
mod crossings;
mod decide;
mod dimacs;
mod endings;
mod estimate;
mod exchange;
mod exists;
mod explore;
mod export;
mod extend;
mod find;
mod generate;
mod graph;
mod heat;
mod hint;
mod kept;
pub mod learned;
mod list;
mod magic;
mod options;
mod pairings;
mod partial;
mod patches;
mod pdf;
mod pieces;
mod profile;
mod proofs;
mod rate;
mod reach;
mod reason;
mod recurrence;
mod rotations;
mod rounds;
mod rules;
mod sample;
mod sat;
mod strip;
mod supply;
mod suppose;
mod svg;
mod symmetric;
mod task;
#[cfg(test)]
mod tests;
mod tiling;
mod trace;
mod tsplib;
mod wanted;

use std::sync::Arc;

use pessoi_engine::run::{Claim, Run, Stop};

use self::options::{INSPECTION, METHODS, OPTIONS, PLACES, VERBS};
use self::task::Task;
use super::leapers;
use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::card::Card;
use crate::check::Findings;
use crate::error::{Code, Error, Result};
use crate::job::{Asked, Events, Game, InRounds, Job};
use crate::plan::Plan;
use crate::question::{Place, Question, Verb};
use crate::solution::{Figure, Solution};

/// A game of tours: its card and its leapers.
struct Tours {
    card: Card,
    leapers: &'static [(i32, i32)],
}

/// The games of this folder. A further leaper is one more entry.
pub(super) static GAMES: &[&dyn Game] = &[
    &Tours {
        leapers: &[(3, 0), (2, 2)],
        card: Card {
            name: "diplomatico",
            title: "Diplomatico (Hopido, the 100 squares puzzle)",
            rules: "Write the numbers 1, 2, 3 … into the cells of a board until it is full. Each \
                    number stands three cells along a row or column from the one before it, or \
                    two cells along a diagonal.",
            source: "F. Garagnani, Graph-Based Analysis of Solution Spaces in the Game \
                     Diplomatico (2025).",
            examples: &[
                "pessoi find diplomatico 10x10",
                "pessoi count diplomatico 5x6",
                "pessoi find diplomatico 6x6 --closed --format svg --output loop.svg",
                "pessoi classify diplomatico 4x5",
            ],
            ..CARD
        },
    },
    &Tours {
        leapers: &[(3, 0), (2, 2)],
        card: Card {
            name: "hopido",
            title: "Hopido (Diplomatico's moves on any layout, with clues)",
            rules: "Fill all cells of a layout with the numbers 1, 2, 3 … around those already \
                    there. Each number stands three cells along a row or column from the one \
                    before it, or two cells along a diagonal.",
            source: "Rosetta Code, Solve a Hopido puzzle.",
            examples: &[
                "pessoi find hopido layout.txt",
                "pessoi trace hopido layout.txt --output search.svg",
                "pessoi find hopido 7x7 --from 1,1",
                "pessoi generate hopido 7x7 --seed 5 --output puzzle.txt",
                "pessoi generate hopido 7x7 --seed 5 --format svg --output sheet.svg",
            ],
            ..CARD
        },
    },
    &Tours {
        leapers: &[(1, 2)],
        card: Card {
            name: "knight-tours",
            title: "Knight's tours",
            rules: "A knight visits every cell of a board once. Each move goes two cells along a \
                    row or column and one cell across.",
            source: "Known since the ninth century; counted by B. D. McKay, Knight's tours of an \
                     8×8 chessboard (1997).",
            examples: &[
                "pessoi find knight-tours 8x8 --closed",
                "pessoi count knight-tours 6x6 --closed",
                "pessoi recurrence knight-tours 3 --closed",
                "pessoi find knight-tours 10x10 --moves '(1,4)'",
            ],
            ..CARD
        },
    },
    &leaper(
        "king-tours",
        "King's tours",
        "A king visits every cell of a board once. Each move goes to one of the eight cells around.",
        &[(1, 0), (1, 1)],
        &["pessoi count king-tours 4x4 --closed"],
    ),
    &leaper(
        "wazir-tours",
        "Wazir's tours (Hamiltonian paths of the grid)",
        "A wazir visits every cell of a board once. Each move goes one cell along a row or column.",
        &[(1, 0)],
        &["pessoi count wazir-tours 6x6 --closed"],
    ),
    &Tours {
        leapers: &[(1, 0), (1, 1)],
        card: Card {
            name: "hidato",
            title: "Hidato (king's tours with clues)",
            rules: "Fill all cells of a board with the numbers 1, 2, 3 … around those already \
                    there. Each number touches the one before it, along a side or at a corner.",
            source: "Gyora Benedek (2005).",
            examples: &[
                "pessoi generate hidato 6x6 --difficulty easy --output puzzle.txt",
                "pessoi hint hidato puzzle.txt",
                "pessoi check hidato puzzle.txt",
                "pessoi solve hidato puzzle.txt",
            ],
            ..CARD
        },
    },
    &Tours {
        leapers: &[(1, 0)],
        card: Card {
            name: "numbrix",
            title: "Numbrix (wazir's tours with clues)",
            rules: "Fill all cells of a board with the numbers 1, 2, 3 … around those already \
                    there. Each number stands beside the one before it, along a row or column.",
            source: "Marilyn vos Savant, Parade (2008).",
            examples: &[
                "pessoi generate numbrix 9x9 --difficulty medium --output puzzle.txt",
                "pessoi hint numbrix puzzle.txt",
            ],
            ..CARD
        },
    },
    &leaper(
        "camel-tours",
        "Camel's tours",
        "A camel visits every cell of a board once. Each move goes three cells along a row or \
         column and one cell across.",
        &[(1, 3)],
        &["pessoi analyze camel-tours 8x8"],
    ),
    &leaper(
        "zebra-tours",
        "Zebra's tours",
        "A zebra visits every cell of a board once. Each move goes three cells along a row or \
         column and two cells across.",
        &[(2, 3)],
        &["pessoi find zebra-tours 10x10"],
    ),
    &leaper(
        "giraffe-tours",
        "Giraffe's tours",
        "A giraffe visits every cell of a board once. Each move goes four cells along a row or \
         column and one cell across.",
        &[(1, 4)],
        &["pessoi find giraffe-tours 10x10"],
    ),
];

/// A leaper of fairy chess.
const fn leaper(
    name: &'static str,
    title: &'static str,
    rules: &'static str,
    leapers: &'static [(i32, i32)],
    examples: &'static [&'static str],
) -> Tours {
    let source = "Fairy chess.";
    Tours { card: Card { name, title, rules, source, examples, ..CARD }, leapers }
}

/// What the cards of all tours share.
const CARD: Card = Card {
    name: "",
    title: "",
    rules: "",
    source: "",
    verbs: VERBS,
    instead: &[],
    places: PLACES,
    options: OPTIONS,
    methods: METHODS,
    formats: &[&svg::Svg, &pdf::Pdf, &tsplib::Tsplib, &dimacs::Dimacs],
    examples: &[],
};

impl Game for Tours {
    fn card(&self) -> &Card {
        &self.card
    }

    fn job<'a>(&'a self, question: &'a Question) -> Result<Box<dyn Job + 'a>> {
        let leapers = self.leapers(question)?;
        if question.verb == Verb::Recurrence {
            return Ok(Box::new(recurrence::Strips::new(question, leapers)?));
        }
        let task = Arc::new(Task::new(question, &leapers)?);
        // A further verb must not touch games that do not answer it.
        #[allow(clippy::match_wildcard_for_single_variants)]
        let work: Box<dyn Work> = match question.verb {
            Verb::Find => match wanted::Wanted::new(question, &task)? {
                Some(wanted) => Box::new(wanted),
                None => Box::new(find::Find::new(question, &task)?),
            },
            Verb::Count => Box::new(count::Count::new(question, &task)?),
            Verb::Estimate => Box::new(estimate::Probes::new(question)),
            Verb::Sample => Box::new(sample::Draws::new(question, &task)?),
            Verb::Generate => Box::new(generate::Wish::new(question, &task)?),
            Verb::Hint => Box::new(hint::Hints),
            Verb::Check => Box::new(clues::Clues),
            Verb::Trace => Box::new(trace::Trace::new(question, &task)),
            Verb::Explore => Box::new(explore::Walks::new(question, &task)?),
            Verb::Analyze => Box::new(analyze::Analysis::new(question, &task)?),
            Verb::Export => Box::new(export::Export),
            Verb::List | Verb::Classify => Box::new(list::List::new(question)),
            verb => return Err(Error::internal(format!("tours were asked to {verb}"))),
        };
        Ok(Box::new(TourJob { question, task, work }))
    }

    fn check(&self, answer: &Answer, run: &Run) -> Result<Findings> {
        check::check(answer, self.leapers, run)
    }

    fn restated(&self, question: &Question) -> Vec<Question> {
        let count = || question.clone().instead(Verb::Count);
        match question.verb {
            // Paths that were listed can be counted, and classes that were counted listed.
            Verb::List => vec![count().without(&[&options::LIMIT])],
            Verb::Count if question.flag(&options::CLASSES) => {
                vec![question.clone().instead(Verb::Classify).without(&[&options::CLASSES])]
            }
            Verb::Classify => vec![count().with(options::CLASSES.name, true)],
            Verb::Estimate => vec![count().without(&[&options::SAMPLES])],
            _ => Vec::new(),
        }
    }

    fn term(&self, question: &Question, n: u64) -> Option<Question> {
        let height = question.size().ok()?;
        let board = Place::parse(&format!("{height}x{n}")).ok()?;
        let count = question.clone().instead(Verb::Count).without(&[&options::TERMS]);
        Some(Question { place: board, ..count })
    }
}

impl Tours {
    /// The moves that are asked for, or else the game's own.
    fn leapers(&self, question: &Question) -> Result<Vec<(i32, i32)>> {
        let asked = question.text(&options::MOVES);
        asked.map_or_else(|| Ok(self.leapers.to_vec()), leapers::parse)
    }
}

/// What one verb does with a board.
trait Work {
    /// Whether it is about tours, so that a proof that there is none is an answer.
    fn solves(&self) -> bool {
        true
    }

    /// What an answer with this value is about; `None` if that is known only once it is
    /// answered.
    fn subject(&self, task: &Task, _value: &Value) -> Option<Subject> {
        Some(task.subject())
    }

    /// Says what [`Work::answer`] would do.
    fn plan(&self, at: &Tour) -> Result<Plan>;

    /// Whether it can save itself; if not, why.
    fn can_save(&self, _task: &Task) -> Result<(), String> {
        Err("Only counts, estimates, explorations and searches for one path can".into())
    }

    /// Whether it can put on disk what does not fit into memory; if not, why.
    fn can_spill(&self, _task: &Task) -> Result<(), String> {
        Err("Only counts by pairings and by plain-sweep can".into())
    }

    /// The work in rounds, if it has them.
    fn rounds(&self, _task: &Arc<Task>, _run: &Run) -> Result<Box<dyn InRounds>> {
        Err(Error::unsupported("rounds", "Only counts by pairings and by plain-sweep have rounds."))
    }

    /// Answers the question.
    fn answer(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer>;
}

/// A question about the tours of a board.
struct TourJob<'a> {
    question: &'a Question,
    task: Arc<Task>,
    work: Box<dyn Work + 'a>,
}

impl TourJob<'_> {
    fn tour<'t>(&'t self, run: &'t Run) -> Tour<'t> {
        Tour { asked: Asked::new(self.question, run), task: &self.task }
    }

    /// Looks at the board: what can be said without solving.
    fn first_look(&self, run: &Run) -> FirstLook {
        // The board, its moves, and a path on its way for each thread.
        const A_CELL: u64 = 64;
        const A_CELL_AND_THREAD: u64 = 16;
        let threads = run.budget().threads as u64;
        let mut claim = run.claim();
        let bytes = self.task.len() as u64 * (A_CELL + A_CELL_AND_THREAD * (threads + 1));
        if let Err(stop) = claim.grow_to(bytes) {
            return FirstLook::NoRoom(stop);
        }
        match self.work.solves().then(|| proofs::none(&self.task)).flatten() {
            Some(proof) => FirstLook::Proved(proof),
            None => FirstLook::Open(claim),
        }
    }
}

/// The refusal of a checkpoint.
fn not_saved(why: &str) -> Error {
    let sentence = format!("This work does not save itself: leave out --checkpoint. {why}.");
    Error::new(Code::Unsupported, "store", sentence)
}

/// What is known of a board before anything is solved.
enum FirstLook {
    /// It does not fit into memory.
    NoRoom(Stop),
    /// It has no tour.
    Proved(proofs::Proof),
    /// Nothing; this is the claim for its memory.
    Open(Claim),
}

impl Job for TourJob<'_> {
    fn check_store(&self) -> Result<()> {
        self.work.can_save(&self.task).map_err(|why| not_saved(&why))
    }

    fn check_disk(&self) -> Result<()> {
        self.work.can_spill(&self.task).map_err(|why| {
            let sentence = format!("This work does not use the disk: leave out --disk. {why}.");
            Error::new(Code::Unsupported, "disk", sentence)
        })
    }

    fn rounds(&self, _: usize, run: &Run) -> Result<Option<Box<dyn InRounds>>> {
        match self.first_look(run) {
            FirstLook::NoRoom(_) | FirstLook::Proved(_) => Ok(None),
            FirstLook::Open(_claim) => self.work.rounds(&self.task, run).map(Some),
        }
    }

    fn subject(&self, value: &Value) -> Option<Subject> {
        self.work.subject(&self.task, value)
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let inspect = |why: &str| Plan::new(self.question, &INSPECTION, why);
        match self.first_look(run) {
            FirstLook::NoRoom(stop) => Ok(inspect("the board alone does not fit into memory")
                .note(format!("There is nothing to predict: {stop}."))),
            FirstLook::Proved(proof) => {
                let plan = inspect("there is no solution, as is seen at once");
                Ok(plan.note(format!("Proof: {}.", proof.sentence)))
            }
            FirstLook::Open(_claim) => self.work.plan(&self.tour(run)),
        }
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let at = self.tour(run);
        match self.first_look(run) {
            FirstLook::NoRoom(stop) => Ok(at.gave_up(stop, &INSPECTION)),
            FirstLook::Proved(proof) => {
                let value = Value::none(proof.sentence);
                let subject = self.work.subject(&self.task, &value);
                let subject = subject.unwrap_or_else(|| self.task.subject());
                let mut answer = at.asked.answer(&subject, value, &INSPECTION);
                answer.certificate = Some(proof.certificate);
                Ok(answer)
            }
            FirstLook::Open(_claim) => self.work.answer(&at, events),
        }
    }
}

/// A task with the question that sets it and the run that it is worked on in.
#[derive(Clone, Copy)]
struct Tour<'a> {
    asked: Asked<'a>,
    task: &'a Arc<Task>,
}

impl<'a> Tour<'a> {
    fn question(&self) -> &'a Question {
        self.asked.question
    }

    fn run(&self) -> &'a Run {
        self.asked.run
    }

    fn answer(&self, value: Value, method: impl Into<Used>) -> Answer {
        self.asked.answer(&self.task.subject(), value, method)
    }

    fn gave_up(&self, stop: impl Into<Limit>, method: impl Into<Used>) -> Answer {
        self.answer(Value::gave_up(stop), method)
    }

    fn plan(&self, method: impl Into<Used>, why: &str) -> Plan {
        Plan::new(self.question(), method, why)
    }

    fn solution(&self, path: &[u32]) -> Solution {
        let cells = path.iter().map(|&cell| self.task.board.cell(cell as usize)).collect();
        Figure::Path { cells, closed: self.task.closed }.into()
    }
}

const EXHAUSTED: &str = "the search tried every path and found none";

fn exhausted() -> Value {
    Value::none(EXHAUSTED)
}
