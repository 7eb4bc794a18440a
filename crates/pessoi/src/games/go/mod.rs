//! Go: legal positions, games, and games through all positions.
//!
//! A position colours every point of a board empty, black or white. Stones of one colour that
//! hang together are a *string*, and an empty point beside a string is a *liberty* of it. A
//! position is *legal* if every string has a liberty. How many there are, how the number grows,
//! and how many games lead through them is the matter of J. Tromp and G. Farnebäck,
//! *Combinatorics of Go* (2016), which this folder carries out.
//!
//! | file | idea |
//! |---|---|
//! | `options`, `methods`, `task` | the card's options and engines; a checked question |
//! | `find`, `count`, `list`, `estimate`, `sample`, `explore`, `recurrence`, `analyze`, `export` | the verbs: plans and answers |
//! | `border` | border states of a rectangle, packed; how many are valid |
//! | `points`, `sweep` | any board, point by point: the reference |
//! | `table` | all borders of a rectangle listed, with what follows them |
//! | `halves`, `phase`, `switch` | borders as near × far halves, in blocks: rows added to rows |
//! | `matrix`, `block`, `tiles` | a column block by block; the layer in memory or on disk |
//! | `ring`, `passes` | moduli: how elements are reduced, how many there must be |
//! | `rectangle` | exact numbers by remainders |
//! | `parts`, `apart` | counts in parts: over moduli, and over blocks through a shared folder |
//! | `checkpoint` | long counts saved, and gone on with |
//! | `formula` | the asymptotic formula, and numbers with many digits |
//! | `position` | single positions: drawn, in SGF, played, judged |
//! | `moves` | the game graph |
//! | `games` | numbers of games |
//! | `hamilton`, `tsp` | games through all positions |
//! | `check` | the checker, which shares nothing with the rest |

mod analyze;
mod apart;
mod block;
mod border;
mod check;
mod checkpoint;
mod count;
mod estimate;
mod explore;
mod export;
mod find;
mod formula;
mod games;
mod halves;
mod hamilton;
mod list;
mod matrix;
mod methods;
mod moves;
mod options;
mod parts;
mod passes;
mod phase;
mod points;
mod position;
mod rectangle;
mod recurrence;
mod ring;
mod rounds;
mod sample;
mod svg;
mod sweep;
mod switch;
mod table;
mod task;
#[cfg(test)]
mod tests;
mod tiles;
mod tsp;

pub use checkpoint::is_checkpoint;

use pessoi_engine::ledger::Ledger;
use pessoi_engine::run::Run;

use self::moves::MOST_POINTS;
use self::points::Points;
use self::rectangle::Engine;
use self::sweep::Legal;
use self::task::{Following, Task};
use crate::answer::{Answer, Subject, Value};
use crate::card::{Accepts, Card, PART};
use crate::check::Findings;
use crate::error::{Code, Error, Result};
use crate::job::{Asked, Events, Game, InRounds, Job, Work};
use crate::merge::{Joined, Misfit};
use crate::plan::Plan;
use crate::question::{Place, Question, Verb};

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
    source: "J. Tromp and G. Farnebäck, Combinatorics of Go (2016).",
    verbs: &[
        Verb::Find,
        Verb::Count,
        Verb::List,
        Verb::Classify,
        Verb::Estimate,
        Verb::Sample,
        Verb::Explore,
        Verb::Recurrence,
        Verb::Analyze,
        Verb::Export,
    ],
    instead: &[
        (Verb::Check, "analyze --position says whether a position is legal"),
        (Verb::Generate, "sample draws legal positions"),
        (Verb::Hint, "explore and analyze --position say what can be played"),
        (Verb::Trace, "compare runs all methods of a question side by side"),
    ],
    places: &[
        Accepts::squares(
            usize::MAX,
            &[Verb::Count, Verb::Estimate, Verb::Sample, Verb::Analyze],
            "a square board such as 9x9, or a drawing with absent points",
        ),
        Accepts::squares(
            MOST_POINTS,
            &[Verb::Find, Verb::Explore, Verb::Export],
            "a square board of up to 16 points such as 1x7, or a drawing with absent points",
        ),
        Accepts::squares(
            list::MOST_LISTED,
            &[Verb::List, Verb::Classify],
            "a square board of up to 64 points such as 3x3, or a drawing with absent points",
        ),
        Accepts::size(
            1,
            recurrence::MOST,
            &[Verb::Recurrence],
            "the height of a strip, from 1 to 9, such as 4",
        ),
        Accepts::nowhere(&[Verb::Analyze], "nothing, with --borders or --formula"),
    ],
    options: &[
        options::CLASSES,
        options::GAMES,
        options::ESTIMATED_GAMES,
        options::SUPERKO,
        options::CYCLES,
        options::SYMMETRIC,
        options::COUNTED_SYMMETRIC,
        options::TOUR,
        options::MOD,
        options::PART,
        options::LISTED_PART,
        options::LISTED_LIMIT,
        options::OVER,
        options::TERNARY,
        options::SAMPLES,
        options::DRAWN,
        options::TERMS,
        options::BORDERS,
        options::FORMULA,
        options::POSITION,
    ],
    methods: methods::ALL,
    formats: &[&svg::Svg, &svg::Pdf, &tsp::Tsplib],
    examples: &[
        "pessoi count go 9x9",
        "pessoi count go 2x2 --games",
        "pessoi classify go 2x3",
        "pessoi find go 1x7 --symmetric",
        "pessoi estimate go 19x19",
        "pessoi recurrence go 4",
        "pessoi analyze go --borders 19",
        "pessoi sample go 19x19",
        "pessoi export go 1x3 --format dot",
    ],
};

impl Game for Go {
    fn card(&self) -> &Card {
        &CARD
    }

    fn job<'a>(&'a self, question: &'a Question) -> Result<Box<dyn Job + 'a>> {
        Ok(Box::new(Asking { question, task: Task::of(question)? }))
    }

    fn check(&self, answer: &Answer, run: &Run) -> Result<Findings> {
        check::check(answer, run)
    }

    fn join(
        &self,
        whole: &Question,
        parts: &[&Answer],
        run: &Run,
    ) -> Result<Option<Joined>, Misfit> {
        parts::join(whole, parts, run).map(Some)
    }

    fn restated(&self, question: &Question) -> Vec<Question> {
        match question.verb {
            Verb::Estimate => {
                let drop = [&options::SAMPLES];
                vec![question.clone().instead(Verb::Count).without(&drop)]
            }
            // A residue is that of the number.
            Verb::Count if question.is_given(&options::MOD) => {
                vec![question.clone().without(&[&options::MOD])]
            }
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

/// A question and its task.
struct Asking<'a> {
    question: &'a Question,
    task: Task<'a>,
}

impl Asking<'_> {
    /// Does the work; what saves itself does so in the ledger.
    fn work(&self, asked: &Asked, ledger: &Ledger, events: &mut dyn Events) -> Work<Answer> {
        match &self.task {
            Task::Positions(positions) => count::positions(asked, positions),
            Task::Classes { board, engine, quotients } => {
                count::classes(asked, board, *engine, quotients, ledger)
            }
            Task::Games { board, situational, following } => {
                count::games(asked, board, *situational, *following, ledger)
            }
            Task::Cycles { board, symmetric, .. } => {
                count::cycles(asked, board, *symmetric, ledger)
            }
            Task::Cycle { board, symmetric, tour } => {
                find::answer(asked, board, *symmetric, tour.as_deref(), events)
            }
            Task::Share { board, height, length, samples } => {
                estimate::positions(asked, board, (*height, *length), *samples, ledger)
            }
            Task::AboutGames { board, situational, samples } => {
                estimate::games(asked, board, *situational, *samples, ledger)
            }
            Task::Sample { board, samples } => {
                sample::answer(asked, board, *samples, events).map_err(Into::into)
            }
            Task::List(listing) => list::answer(asked, listing, events),
            Task::Explore { board } => explore::answer(asked, board),
            Task::Export { board } => export::answer(asked, board),
            Task::Recurrence { height, terms } => {
                recurrence::answer(asked, *height, *terms, ledger)
            }
            Task::Borders { most } => Ok(analyze::borders(asked, *most)),
            Task::Formula { most } => analyze::formula(asked, *most),
            Task::Judge { board, colours } => Ok(analyze::judge(asked, board, colours, events)),
            Task::Inspect { board } => analyze::board(asked, board),
        }
    }
}

impl Job for Asking<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(self.task.subject())
    }

    fn rounds(&self, places: usize, run: &Run) -> Result<Option<Box<dyn InRounds>>> {
        let Task::Positions(task) = &self.task else {
            return Err(Error::unsupported(
                "rounds",
                "Only counts of legal positions have rounds.",
            ));
        };
        if task.divided.is_some() {
            let why = "A part of a count has no rounds: leave out --part.";
            return Err(Error::conflict(PART, why));
        }
        match (task.engine, rectangle::sides(task.board)) {
            // Small, and soon counted.
            (Engine::Table, _) => Ok(None),
            (Engine::Matrix, Some(sides)) => {
                let work = rounds::Blocks::new(sides, task.modulus, places, run)?;
                Ok(Some(Box::new(work)))
            }
            _ => {
                let legal = Legal::new(&Points::of(task.board))?;
                Ok(Some(Box::new(rounds::Swept(pessoi_engine::sweep::InRounds(legal)))))
            }
        }
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let asked = &Asked::new(self.question, run);
        Ok(match &self.task {
            Task::Positions(positions) => count::plan_positions(asked, positions),
            Task::Classes { board, engine, quotients } => {
                count::plan_classes(asked, board, *engine, quotients)
            }
            Task::Games { board, situational, following } => {
                count::plan_games(asked, board, *situational, *following)?
            }
            Task::Cycles { positions, .. } => count::plan_cycles(asked, *positions),
            Task::Cycle { board, tour, .. } => find::plan(asked, board, tour.as_deref()),
            Task::Share { height, length, samples, .. } => {
                estimate::plan_positions(asked, (*height, *length), *samples)
            }
            Task::AboutGames { board, situational, samples } => {
                estimate::plan_games(asked, board, *situational, *samples)?
            }
            Task::Sample { board, samples } => sample::plan(asked, board, *samples),
            Task::List(listing) => list::plan(asked, listing),
            Task::Explore { board } => explore::plan(asked, board),
            Task::Export { board } => export::plan(asked, board),
            Task::Recurrence { height, .. } => recurrence::plan(asked, *height),
            Task::Borders { .. } => analyze::plan_borders(asked),
            Task::Formula { most } => analyze::plan_formula(asked, *most),
            Task::Judge { .. } | Task::Inspect { .. } => analyze::plan(asked),
        })
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let asked = &Asked::new(self.question, run);
        let (subject, method) = (self.task.subject(), self.task.method());
        // Counts of positions have checkpoints of their own.
        if self.check_store().is_ok() && !matches!(self.task, Task::Positions(_)) {
            let is_exact = matches!(
                self.task,
                Task::Classes { .. } | Task::Games { .. } | Task::Cycles { .. }
            );
            let way = if is_exact {
                method.id.clone()
            } else {
                format!("{}, seed {}", method.id, run.budget().seed)
            };
            let ledger = asked.ledger(&way)?;
            let mut answer = asked.settle(&subject, method, self.work(asked, &ledger, events))?;
            asked.close(&ledger, &mut answer)?;
            return Ok(answer);
        }
        asked.settle(&subject, method, self.work(asked, &Ledger::unkept(run), events))
    }

    /// What a table or a memory of sets answers is answered soon or not at all.
    fn check_store(&self) -> Result<()> {
        let sentence = match &self.task {
            Task::Positions(positions) if positions.is_shared() => {
                "A part over blocks saves itself in the shared folder: leave out --checkpoint."
                    .to_owned()
            }
            Task::Positions(positions) if positions.engine != Engine::Table => return Ok(()),
            Task::Recurrence { .. }
            | Task::Classes { .. }
            | Task::Share { .. }
            | Task::AboutGames { .. }
            | Task::Cycles { .. }
            | Task::Games { following: Following::Each, .. } => return Ok(()),
            other => format!(
                "Only recurrences, estimates and counts save themselves, those by table and memo \
                 excepted, and this would be answered by {}: leave out --checkpoint.",
                other.method().id
            ),
        };
        Err(Error::new(Code::Unsupported, "store", sentence))
    }

    /// Layers of the matrix and of the sweep may lie on disk, and nothing else does.
    fn check_disk(&self) -> Result<()> {
        let sentence = match &self.task {
            Task::Positions(positions) if positions.is_shared() => {
                "The tiles of a part over blocks lie in the shared folder: leave out --disk."
                    .to_owned()
            }
            Task::Positions(positions) if positions.engine != Engine::Table => return Ok(()),
            other => format!(
                "Only counts of legal positions by matrix and by sweep use the disk, and this would \
                 be answered by {}: leave out --disk.",
                other.method().id
            ),
        };
        Err(Error::new(Code::Unsupported, "disk", sentence))
    }

    /// Parts over blocks meet in a folder, and nothing else does.
    fn check_share(&self, is_given: bool) -> Result<()> {
        let is_shared = matches!(&self.task, Task::Positions(task) if task.is_shared());
        let sentence = match (is_given, is_shared) {
            (true, false) => {
                "Only counts of legal positions with --part and --over blocks meet in a folder: \
                 leave out --share."
            }
            (false, true) => {
                "Parts over blocks meet in a folder that all of them see: name it with --share DIR."
            }
            _ => return Ok(()),
        };
        Err(Error::new(Code::Unsupported, "share", sentence))
    }
}
