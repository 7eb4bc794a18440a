//! Tours: paths that cover a board.
//!
//! The Diplomatico paper asks for them with the moves (3,0) and (2,2); with (1,2)
//! they are the knight's tours. A game here is a name, a rule and its leapers;
//! everything else is the same for all.
//!
//! | file | idea |
//! |---|---|
//! | `moves` | moves that have room |
//! | `graph` | which cells are one move apart |
//! | `task` | what a tour must be: open or closed, which numbers are fixed |
//! | `extend` | search: a path extended cell by cell |
//! | `reach` | which cells can hold which numbers, seen from the clues |
//! | `border` | sweep: a path as a set of moves, read cell by cell |
//! | `ahead` | borders that lead nowhere are never stored |
//! | `partial`, `branch` | moves at the most constrained cell, and all that follows |
//! | `rotations`, `tiling`, `sat` | finding on large boards; proving that there is none |
//! | `proofs` | why there is none, seen at once |
//! | `classes` | classes up to symmetry |
//! | `find`, `count`, `list`, `guess`, `sample`, `explore`, `recurrence`, `inspect` | the verbs |
//! | `generate` | puzzles with one solution |
//! | `plan` | which engine, at what cost |
//! | `profile` | what solutions have in common; scores of play |
//! | `check` | the checker, which shares nothing with the rest |

mod ahead;
mod border;
mod branch;
mod check;
mod classes;
mod count;
mod explore;
mod extend;
mod find;
mod generate;
mod graph;
mod guess;
mod heat;
mod inspect;
mod list;
mod moves;
mod partial;
mod plan;
mod profile;
mod proofs;
mod reach;
mod recurrence;
mod rotations;
mod sample;
mod sat;
mod strip;
mod task;
#[cfg(test)]
mod tests;
mod tiling;

use std::sync::Arc;

use pessoi_engine::run::{Run, Stop};

use self::task::Task;
use super::{Card, Game, Sink, leapers};
use crate::answer::{Answer, Figure, Plan, Solution, Value};
use crate::certificate::Verdict;
use crate::error::{Error, Result};
use crate::export::{self, Format};
use crate::question::{Kind, Opt, Question, Verb};

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
    place: "A square board: rows x columns such as 6x6, or a drawing with blocked cells and \
            clues; for recurrence, the width of a strip such as 3.",
    source: "",
    verbs: VERBS,
    options: OPTIONS,
    formats: &[
        (Format::Svg, &[Verb::Find, Verb::Sample, Verb::Generate, Verb::Analyze]),
        (Format::Pdf, &[Verb::Find, Verb::Sample, Verb::Generate]),
        (Format::Tsplib, &[Verb::Export]),
        (Format::Dimacs, &[Verb::Export]),
    ],
    examples: &[],
};

const VERBS: &[Verb] = &[
    Verb::Find,
    Verb::Count,
    Verb::List,
    Verb::Classify,
    Verb::Estimate,
    Verb::Sample,
    Verb::Generate,
    Verb::Explore,
    Verb::Recurrence,
    Verb::Analyze,
    Verb::Export,
];

const SOLVING: &[Verb] = &[
    Verb::Find,
    Verb::Count,
    Verb::List,
    Verb::Classify,
    Verb::Estimate,
    Verb::Sample,
    Verb::Generate,
];

const OPTIONS: &[Opt] = &[
    Opt {
        name: "moves",
        kind: Kind::Text("MOVES"),
        help: "other moves than the game's own, as leapers: (1,2) or (3,0)+(2,2)",
        verbs: VERBS,
    },
    Opt {
        name: "closed",
        kind: Kind::Flag,
        help: "the last cell must be one move from the first (export: tsplib and dimacs ask for \
               loops)",
        verbs: &[
            Verb::Find,
            Verb::Count,
            Verb::List,
            Verb::Classify,
            Verb::Estimate,
            Verb::Sample,
            Verb::Generate,
            Verb::Recurrence,
            Verb::Analyze,
            Verb::Export,
        ],
    },
    Opt {
        name: "from",
        kind: Kind::Cell,
        help: "where the number 1 is; for explore, the cell that distances are measured from",
        verbs: &[
            Verb::Find,
            Verb::Count,
            Verb::List,
            Verb::Classify,
            Verb::Estimate,
            Verb::Sample,
            Verb::Generate,
            Verb::Explore,
            Verb::Analyze,
        ],
    },
    Opt { name: "to", kind: Kind::Cell, help: "where the last number is", verbs: SOLVING },
    Opt {
        name: "directed",
        kind: Kind::Flag,
        help: "count the two directions of a path as two",
        verbs: &[Verb::Count, Verb::Estimate, Verb::Recurrence],
    },
    Opt {
        name: "method",
        kind: Kind::OneOf(&[
            "auto",
            "rotations",
            "tiling",
            "sat",
            "warnsdorff",
            "backtrack",
            "cypher-raw",
            "cypher-constructive",
            "cypher-apoc",
            "cypher-apoc-printed",
        ]),
        help: "auto, rotations (Pósa's), tiling (large empty boards), sat (a SAT solver, which also proves), warnsdorff (his \
               rule, with restarts), backtrack (plain search) or cypher-… (a graph database's)",
        verbs: &[Verb::Find],
    },
    Opt {
        name: "method",
        kind: Kind::OneOf(&[
            "auto",
            "branch",
            "sweep",
            "plain-sweep",
            "search",
            "cypher-raw",
            "cypher-constructive",
            "cypher-apoc",
            "cypher-apoc-printed",
        ]),
        help: "auto, branch (moves at the most constrained cell), sweep (cell by cell), \
               plain-sweep (the same without looking ahead), search (paths extended) or \
               cypher-… (a graph database's)",
        verbs: &[Verb::Count],
    },
    Opt {
        name: "method",
        kind: Kind::OneOf(&["auto", "chen", "knuth"]),
        help: "auto (chen), chen (stratified sampling) or knuth (plain random probes)",
        verbs: &[Verb::Estimate],
    },
    Opt {
        name: "solutions",
        kind: Kind::Flag,
        help: "visit every solution and tell where they end and which moves they use",
        verbs: &[Verb::Analyze],
    },
    Opt {
        name: "classes",
        kind: Kind::Flag,
        help: "count classes up to the symmetries of the board, by Burnside's lemma",
        verbs: &[Verb::Count],
    },
    Opt {
        name: "limit",
        kind: Kind::Number,
        help: "how many solutions at most",
        verbs: &[Verb::Find, Verb::Count, Verb::List],
    },
    Opt { name: "all", kind: Kind::Flag, help: "find every solution", verbs: &[Verb::Find] },
    Opt {
        name: "part",
        kind: Kind::Part,
        help: "only this part of the search; the m parts are disjoint and together everything",
        verbs: &[Verb::Count, Verb::List, Verb::Classify],
    },
    Opt {
        name: "samples",
        kind: Kind::Number,
        help: "how many to draw (estimate: 1000 unless told; sample: 1)",
        verbs: &[Verb::Estimate, Verb::Sample],
    },
    Opt {
        name: "clues",
        kind: Kind::Number,
        help: "how many numbers to tell (unless told, as few as the difficulty allows)",
        verbs: &[Verb::Generate],
    },
    Opt {
        name: "difficulty",
        kind: Kind::OneOf(generate::DIFFICULTIES),
        help: "how large a search the solver may need: easy, medium (unless told) or hard",
        verbs: &[Verb::Generate],
    },
    Opt {
        name: "solution",
        kind: Kind::Flag,
        help: "show the solution too, in text and svg (json and csv always hold it)",
        verbs: &[Verb::Generate],
    },
    Opt {
        name: "profile",
        kind: Kind::Flag,
        help: "also walk the whole search tree: nodes and dead ends by depth",
        verbs: &[Verb::Analyze],
    },
    Opt {
        name: "terms",
        kind: Kind::Number,
        help: "the longest strip whose number is told (100 unless told)",
        verbs: &[Verb::Recurrence],
    },
];

impl Game for Tours {
    fn card(&self) -> &Card {
        &self.card
    }

    fn ask(&self, question: &Question, run: &Run, sink: Sink) -> Result<Answer> {
        if let Some(method) = of_a_database(question) {
            return Err(Error::input(format!(
                "--method {method} is carried out by a graph database, and none is asked here: \
                 it takes the command pessoi, built with its feature graph."
            )));
        }
        if question.verb == Verb::Recurrence {
            return recurrence::recurrence(question, &self.leapers(question)?, run);
        }
        let asked = self.asked(question, run)?;
        let mut claim = run.claim();
        if let Err(stop) = claim.grow_to(asked.bytes()) {
            return Ok(asked.gave_up(&stop, "reading the board"));
        }
        match question.verb {
            Verb::Analyze => return Ok(inspect::analyze(&asked)),
            Verb::Explore => return explore::explore(&asked),
            Verb::Export => return Ok(inspect::export(&asked)),
            _ => {}
        }
        if let Some(proof) = proofs::none(&asked.task) {
            let mut answer = asked.answer(Value::None { proof: proof.sentence }, "inspection");
            answer.certificate = Some(proof.certificate);
            return Ok(answer);
        }
        match question.verb {
            Verb::Find => find::find(&asked),
            Verb::Count => count::count(&asked),
            Verb::List | Verb::Classify => list::list(&asked, sink),
            Verb::Estimate => guess::guess(&asked),
            Verb::Sample => sample::sample(&asked),
            Verb::Generate => generate::generate(&asked),
            verb => Err(Error::internal(format!("tours were asked to {verb}"))),
        }
    }

    fn plan(&self, question: &Question, run: &Run) -> Result<Plan> {
        if let Some(method) = of_a_database(question) {
            let why = "it was asked for; what it costs is the database's affair";
            return Ok(Plan::new(question, method, why));
        }
        if question.verb == Verb::Recurrence {
            recurrence::width(question)?;
            let why = "all borders between two columns are explored, and their graph gives any \
                       number of terms";
            return Ok(Plan::new(question, "transfer graph", why));
        }
        plan::predict(&self.asked(question, run)?)
    }

    fn write(&self, answer: &Answer, format: Format) -> Result<String> {
        if answer.question.verb == Verb::Analyze {
            return heat::map(answer, &self.leapers(&answer.question)?);
        }
        export::common(answer, format)
    }

    fn check(&self, answer: &Answer, run: &Run) -> Result<Verdict> {
        check::check(answer, self.leapers, run)
    }
}

/// The method of a question, if a graph database carries it out: those are no engines of
/// this library, and `pessoi-graph` knows them.
fn of_a_database(question: &Question) -> Option<&str> {
    question.text("method").filter(|method| method.starts_with("cypher-"))
}

/// A question with its task and its run.
struct Asked<'a> {
    question: &'a Question,
    task: Arc<Task>,
    run: &'a Run,
}

impl Tours {
    fn asked<'a>(&self, question: &'a Question, run: &'a Run) -> Result<Asked<'a>> {
        let leapers = self.leapers(question)?;
        let task = Task::new(question, &leapers)?;
        if question.text("moves").is_some() {
            moves::check_room(&leapers, &task.board)?;
        }
        Ok(Asked { question, task: Arc::new(task), run })
    }

    /// The moves that are asked for, or else the game's own.
    fn leapers(&self, question: &Question) -> Result<Vec<(i32, i32)>> {
        question.text("moves").map_or_else(|| Ok(self.leapers.to_vec()), leapers::parse)
    }
}

impl Asked<'_> {
    /// The board, its moves, and a path on its way for each thread.
    fn bytes(&self) -> u64 {
        const A_CELL: u64 = 64;
        const A_CELL_AND_THREAD: u64 = 16;
        let threads = self.run.budget().threads as u64;
        self.task.len() as u64 * (A_CELL + A_CELL_AND_THREAD * (threads + 1))
    }

    fn answer(&self, value: Value, method: &str) -> Answer {
        Answer::new(self.question, value, self.task.counts(), method, self.run)
    }

    fn gave_up(&self, stop: &Stop, method: &str) -> Answer {
        self.answer(Value::GaveUp { why: stop.to_string() }, method)
    }

    fn solution(&self, path: &[u32]) -> Solution {
        let cells = path.iter().map(|&cell| self.task.board.cell(cell as usize)).collect();
        Figure::Path { cells, closed: self.task.closed }.into()
    }
}

const EXHAUSTED: &str = "the search tried every path and found none";

fn exhausted() -> Value {
    Value::None { proof: EXHAUSTED.into() }
}
