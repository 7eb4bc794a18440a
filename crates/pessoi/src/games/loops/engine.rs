//! The engines: which one answers a question, what it rests on, and what it would cost.
//!
//! Two answers confirm each other if no piece of code is behind both, so each engine names its
//! pieces ([`crate::component`]). The tables of moves and of the symmetries of the square
//! ([`super::moves`]) are not among them: they are what is asked, and the checker has its own.

use std::sync::Arc;

use pessoi_engine::disjoint::Family;
use pessoi_engine::ledger::Chapter;
use pessoi_engine::run::{Budget, Run};
use pessoi_engine::search::{Part, Probing, estimate};
use rustc_hash::FxHashMap;

use super::doubling;
use super::moves::{Point, plus};
use super::options::CELLS;
use super::orderly::Orderly;
use super::paper::{self, Algorithm};
use super::task::{LONGEST_WALK, Sameness, Task};
use super::transfer;
use super::visit::visit;
use crate::answer::Used;
use crate::card::{METHOD, Method};
use crate::component::{self, SEARCH_RUNNER};
use crate::error::{Error, Result};
use crate::plan::{GLANCE, Plan};
use crate::question::{Question, Verb};

/// Words, their images and the search for the smallest ones: `words`, `orderly`, `turns`.
const WORDS: &str = "loop-words";
/// How far cells are from home: `room`.
const ROOM: &str = "loop-distances";
/// The test whether two moves cross: `crossing`.
const CROSSINGS: &str = "loop-crossings";
/// Another one, of the paper's algorithms: `simple`.
const SIMPLE: &str = "loop-simplicity";
/// The symmetries of a loop, and the numbers that follow from them.
const SYMMETRIES: &str = "loop-symmetries";
/// The isometries that make loops congruent.
const ISOMETRIES: &str = "loop-isometries";
/// Walks of half a loop.
const HALVES: &str = "half-loops";
/// The sweeps for polygons that a symmetry leaves alone, and Burnside's lemma.
const MIRRORED: &str = "symmetric-polygons";
/// Pairs of disjoint sets.
const DISJOINT: &str = "disjoint-families";
/// The paper's board and its smallest sequences.
const SEQUENCES: &str = "paper-sequences";

const VISITED: &[Verb] = &[Verb::Find, Verb::Count, Verb::List, Verb::Classify, Verb::Analyze];

pub(super) const ORDERLY: Method = Method::new(
    "orderly",
    "orderly search of canonical words",
    VISITED,
    &[WORDS, ROOM, SEARCH_RUNNER, CROSSINGS, SYMMETRIES, ISOMETRIES],
);
pub(super) const DOUBLING: Method = Method::new(
    "doubling",
    "length doubling, and a census of symmetric loops",
    &[Verb::Count, Verb::Analyze],
    &[HALVES, DISJOINT, "symmetric-loops", SYMMETRIES],
);
pub(super) const TRANSFER: Method = Method::new(
    "transfer",
    "transfer matrix over the boxes of the wazir's loops",
    &[Verb::Count],
    &["arch-words", "polygon-sweeps", MIRRORED],
);
pub(super) const ALGORITHM_1: Method = Method::new(
    "algorithm-1",
    "the paper's algorithm 1",
    VISITED,
    &["paper-paths", SEQUENCES, SIMPLE, SYMMETRIES, ISOMETRIES],
);
pub(super) const ALGORITHM_2: Method = Method::new(
    "algorithm-2",
    "the paper's algorithm 2",
    VISITED,
    &["paper-halves", SEQUENCES, SIMPLE, SYMMETRIES, ISOMETRIES],
);
pub(super) const CHEN: Method = Method::new(
    "chen",
    "Chen's heuristic sampling of canonical words",
    &[Verb::Estimate],
    &[WORDS, ROOM, CROSSINGS, component::CHEN],
);
pub(super) const KNUTH: Method = Method::new(
    "knuth",
    "Knuth's random probes of canonical words",
    &[Verb::Estimate],
    &[WORDS, ROOM, CROSSINGS, component::KNUTH],
);
pub(super) const SWEEP: Method = Method::unnamed(
    "sweep",
    "sweep over the moves that lead across the border",
    &[Verb::Find],
    &["longest-sweep", CROSSINGS],
);
pub(super) const REJECTION: Method = Method::unnamed(
    "rejection",
    "closed walks drawn uniformly until one is a loop",
    &[Verb::Sample],
    &["closed-walks", SIMPLE],
);
pub(super) const IMAGES: Method = Method::unnamed(
    "images",
    "smallest of all images of one loop",
    &[Verb::Classify],
    &[WORDS, SYMMETRIES, CROSSINGS, ISOMETRIES],
);
pub(super) const INSPECTION: Method = Method::unnamed(
    "inspection",
    "inspection of the moves",
    super::options::ALL,
    &["colours-of-cells"],
);

/// All of them.
pub(super) const METHODS: &[Method] = &[
    ORDERLY,
    DOUBLING,
    TRANSFER,
    ALGORITHM_1,
    ALGORITHM_2,
    CHEN,
    KNUTH,
    REJECTION,
    SWEEP,
    IMAGES,
    INSPECTION,
];

/// How loops are counted or listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    Orderly,
    Doubling,
    Transfer,
    Paper(Algorithm),
}

/// An engine, and why it was chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) engine: Engine,
    pub(super) why: &'static str,
}

impl Engine {
    /// Its name.
    pub(super) fn id(self) -> &'static str {
        self.method().id
    }

    fn method(self) -> &'static Method {
        match self {
            Engine::Orderly => &ORDERLY,
            Engine::Doubling => &DOUBLING,
            Engine::Transfer => &TRANSFER,
            Engine::Paper(Algorithm::One) => &ALGORITHM_1,
            Engine::Paper(Algorithm::Two) => &ALGORITHM_2,
        }
    }

    /// The engine for this question: of its pieces, those that matter here.
    pub(super) fn used(self, question: &Question, task: &Task) -> Used {
        let mut used = Used::from(self.method());
        used.components.retain(|component| match component.as_str() {
            CROSSINGS | SIMPLE => task.crossing.is_some(),
            MIRRORED => task.sameness != Sameness::Fixed,
            ISOMETRIES => task.isometries.is_some(),
            // Visited are classes, whatever their symmetries; doubled are loops, and classes
            // follow from them.
            SYMMETRIES => {
                let own = if self == Engine::Doubling { Sameness::Fixed } else { Sameness::Free };
                task.sameness != own || question.verb == Verb::Analyze
            }
            _ => true,
        });
        used
    }
}

/// Loops shorter than this are visited as fast as they are counted.
const WORTH_DOUBLING: usize = 12;

/// The engine that a question asks for, or that fits it best.
pub(super) fn choose(question: &Question, task: &Task) -> Result<Choice> {
    let part = !question.part().is_whole();
    let cells = question.flag(&CELLS);
    // What pairs of halves cannot say.
    let against_doubling = if task.crossing.is_some() {
        Some("--non-crossing")
    } else if task.board.is_some() {
        Some("--board")
    } else if part {
        Some("--part")
    } else if cells {
        Some("--cells")
    } else if task.moves.can_stay_in_a_line() {
        // Such loops are their own mirror images, cell by cell, which the census leaves out.
        Some("moves that can go round within one line")
    } else if task.isometries.is_some() && !task.moves.are_free() {
        Some("--congruent with moves of several lengths")
    } else if !doubling::has_room(&task.moves, task.length) {
        Some("half loops that go more than 127 cells")
    } else {
        None
    };
    // What arches cannot say.
    let against_transfer = if !transfer::fits(&task.moves) {
        Some("moves other than the wazir's")
    } else if task.board.is_some() {
        Some("--board")
    } else if part {
        Some("--part")
    } else {
        None
    };
    let Some(named) = question.method() else {
        if question.verb == Verb::Count
            && against_transfer.is_none()
            && task.length >= WORTH_DOUBLING
        {
            let why = "the wazir's loops are polygons, and only their number is asked for";
            return Ok(Choice { engine: Engine::Transfer, why });
        }
        too_long(question, task)?;
        let is_number = matches!(question.verb, Verb::Count | Verb::Analyze);
        if is_number && against_doubling.is_none() && task.length >= WORTH_DOUBLING {
            let why = "only the number is asked for";
            return Ok(Choice { engine: Engine::Doubling, why });
        }
        let why = match question.verb {
            Verb::Find => "it ends with the last loop that is wanted",
            _ => "every class is visited once",
        };
        return Ok(Choice { engine: Engine::Orderly, why });
    };
    let all = [
        Engine::Orderly,
        Engine::Doubling,
        Engine::Transfer,
        Engine::Paper(Algorithm::One),
        Engine::Paper(Algorithm::Two),
    ];
    let Some(engine) = all.into_iter().find(|engine| engine.method().id == named) else {
        return Err(Error::internal(format!("loops were asked for the method {named}")));
    };
    let against = match engine {
        Engine::Doubling => against_doubling,
        Engine::Transfer => against_transfer,
        Engine::Paper(_) if task.board.is_some() => Some("--board"),
        Engine::Paper(_) if part => Some("--part"),
        Engine::Paper(_) if cells => Some("--cells"),
        Engine::Paper(_) if !paper::has_room(task) => Some("a board of more than 255 columns"),
        Engine::Orderly | Engine::Paper(_) => None,
    };
    if let Some(against) = against {
        return Err(Error::conflict(
            METHOD,
            format!("--method {named} does not go with {against}; --method orderly does."),
        ));
    }
    if engine != Engine::Transfer {
        too_long(question, task)?;
    }
    Ok(Choice { engine, why: "it is asked for" })
}

/// Refuses lengths that only the transfer matrix reaches.
pub(super) fn too_long(question: &Question, task: &Task) -> Result<()> {
    if task.length <= LONGEST_WALK {
        return Ok(());
    }
    Err(Error::place(format!(
        "Loops are walked up to the length {LONGEST_WALK}; {} is more. Longer ones are counted for \
         the wazir alone, by count wazir-loops {}.",
        task.length, question.place
    )))
}

/// Probes of a plan.
const PROBES: u64 = if cfg!(test) { 50 } else { 2000 };

/// What the engine would cost. `is_all` says whether all loops are wanted.
pub(super) fn plan(
    question: &Question,
    task: &Arc<Task>,
    choice: Choice,
    is_all: bool,
    run: &Run,
) -> Plan {
    let Choice { engine, why } = choice;
    let plan = Plan::new(question, engine.used(question, task), why);
    match engine {
        Engine::Orderly if is_all => orderly(plan, task, run),
        Engine::Orderly => plan.note("Not predicted: it depends on how soon loops are found."),
        Engine::Doubling => doubling(plan, task),
        Engine::Transfer => plan.note(
            "Not predicted; perimeter 60 takes some ten seconds, and each ten more about five \
             times as long and as much memory.",
        ),
        Engine::Paper(_) => plan
            .note("Not predicted; for the knight each two moves more take 30 to 50 times as long."),
    }
}

/// The size of the tree by Knuth's probes, and the time by visiting a little of it: turn words
/// are visited far faster than the tree that is probed.
fn orderly(mut plan: Plan, task: &Arc<Task>, run: &Run) -> Plan {
    let mut claim = run.claim();
    let found = claim.grow_to(2 * Orderly::bytes(task)).and_then(|()| {
        let search = Orderly::new(task.clone());
        estimate(&search, Probing::Knuth, PROBES, run, &Chapter::unkept())
    });
    let Ok(found) = found else {
        return plan.note("There was no time for a prediction.");
    };
    if !found.tree().is_finite() {
        return plan.note("The search tree is too large for a prediction.");
    }
    let glance = run.part(Budget { time: Some(GLANCE), ..run.budget().clone() });
    visit(task, Part::WHOLE, &glance, || (), |(), _| (), |()| 0, &mut |()| true);
    let rate = glance.progress().handled as f64 / glance.elapsed().as_secs_f64();
    let nodes = found.tree() / plan.question.part().of() as f64;
    plan.nodes = Some(nodes);
    plan.seconds = (rate > 0.0).then_some(nodes / rate);
    plan.note(format!(
        "Nodes by {} of Knuth's probes; time from {:.1} million nodes a second, measured just \
         now. Both may be off by half, and lists also take the time to write them.",
        found.samples,
        rate / 1e6
    ))
}

/// Memory for the half walks to the commonest end, if none met itself.
fn doubling(mut plan: Plan, task: &Task) -> Plan {
    let half = task.length.div_ceil(2);
    let mut walks: FxHashMap<Point, f64> = FxHashMap::default();
    walks.insert((0, 0), 1.0);
    for _ in 0..half {
        let mut next: FxHashMap<Point, f64> = FxHashMap::default();
        for (&cell, &number) in &walks {
            for &step in task.moves.steps() {
                *next.entry(plus(cell, step)).or_default() += number;
            }
        }
        walks = next;
    }
    walks.remove(&(0, 0));
    let most = walks.values().copied().fold(0.0, f64::max);
    plan.bytes = Some(2.0 * Family::bytes(1, half - 1, 512) as f64 * most);
    plan.note(format!(
        "At most {most:.0} half walks lead to the same cell; the memory is for those. Time is not \
         predicted: for the knight each two moves more take 10 to 20 times as long."
    ))
}
