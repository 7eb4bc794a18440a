//! Branch or pairings: which counts a board sooner.
//!
//! Both costs are predicted. The *tree* of `branch` is probed at random (Knuth), by numbers
//! that depend on the seed alone. The *layers* of pairings are read from the first on, up to a
//! number of borders that follows from the cost of the tree; if that is not to their end, the
//! rest is extrapolated. So the choice depends on the question, the seed and the memory, and on
//! neither time nor threads.
//!
//! **Parts** must be cut alike wherever they are counted, so for them it depends on the question
//! alone. A tree falls into parts at next to no cost. Parts of pairings share what is read before
//! slices can be told apart: about [`SHARED`] of the work.
//!
//! Measured on one core (release build, milliseconds):
//!
//! | board | branch | pairings |
//! |---|---|---|
//! | wazir 7×7 | 62 | 6 |
//! | wazir 8×8 closed | 26 | 3 |
//! | knight 5×10 closed | 640 | 9 |
//! | knight 6×7 closed | 75 | 32 |
//! | knight 7×8 closed | – | 1010 |
//! | diplomatico 5×5 | 5 | 50 |
//! | diplomatico 6×6 closed | 5 | 110 |
//! | diplomatico 6×6 | 77 | 7100 |
//! | diplomatico 7×7 closed | 370 | 16,000 |
//! | diplomatico 7×7 | 44,000 | – |
//!
//! Where look-ahead has much to say, as for Diplomatico, nearly every type is a border of its
//! own, and a tree that takes what follows at each node is as small; where it has little to say,
//! as for the knight, groups are large and pairings are far ahead.

use pessoi_engine::ledger::Chapter;
use pessoi_engine::pairings::{Tours, forecast};
use pessoi_engine::run::{Budget, Run};
use pessoi_engine::search::{Cut, Estimate, Part, Probing};

use super::border::Paths;
use super::branch::Branching;
use super::options::{BRANCH, PAIRINGS, PLAIN_SWEEP, SEARCH};
use super::pairings;
use super::task::Task;
use crate::card::Method;

/// Seconds for a node of the tree; most are leaves, with what is counted below them. From 0.4 to
/// 5 microseconds were seen; trees of Diplomatico, which is what branching is for, have 0.7.
const NODE: f64 = 1e-6;
/// Trees that take less are walked at once: looking further takes as long.
pub(super) const AT_ONCE: f64 = 3e-3;
/// Borders that may be read in order to choose, some hundredths of a second …
pub(super) const BORDERS: f64 = 30_000.0;
/// … or more, for each second that the tree takes …
pub(super) const BORDERS_A_SECOND: f64 = 100_000.0;
/// … but no more than these, some tenths of a second.
pub(super) const MOST_BORDERS: f64 = 500_000.0;
/// The memory of pairings in slices, as a share of that of whole layers.
pub(super) const SLICED: f64 = 0.3;
/// The share of the work that all parts of pairings do.
const SHARED: f64 = 0.3;
/// What dealing out subtrees to parts may cost, as a share of the tree …
const DEALING: f64 = 0.02;
/// … but each part gets at least so many …
const LEAST_SUBTREES: u64 = 4;
/// … and needs no more than these.
const MOST_SUBTREES: u64 = 64;

/// How a count is done.
pub(super) enum Engine {
    /// By `branch`; if it was probed, this is what was seen.
    Branch(Branching, Option<Box<Estimate>>),
    /// By pairings.
    Pairings(Box<Tours>),
    /// By a sweep without looking ahead.
    PlainSweep,
    /// By paths extended.
    Search,
}

impl Engine {
    /// The engine's entry on the card.
    pub(super) fn method(&self) -> &'static Method {
        match self {
            Engine::Branch(..) => &BRANCH,
            Engine::Pairings(_) => &PAIRINGS,
            Engine::PlainSweep => &PLAIN_SWEEP,
            Engine::Search => &SEARCH,
        }
    }
}

/// An engine and why it was chosen.
pub(super) struct Choice {
    pub(super) engine: Engine,
    pub(super) why: &'static str,
}

/// How many probes give an idea of a board's search tree without taking long.
pub(super) fn probes(task: &Task) -> u64 {
    (200_000 / task.len() as u64).clamp(20, 200)
}

/// How a tree of about so many nodes is cut for a part: into the more subtrees the larger it is,
/// so that parts are alike in size. Each part looks at about two nodes for each subtree, and
/// that is to be no more than [`DEALING`] of the tree in all.
pub(super) fn cut(part: Part, tree: f64) -> Cut {
    let parts = part.of() as f64;
    let room = DEALING * tree / 2.0 / parts.powi(2);
    // A power of two, which machines that round otherwise find all the same.
    let mut subtrees = LEAST_SUBTREES;
    while subtrees < MOST_SUBTREES && 2.0 * subtrees as f64 <= room {
        subtrees *= 2;
    }
    Cut::new(part).a_part(subtrees)
}

/// The size of a tree, by probes that depend on the task alone.
pub(super) fn tree(branching: &Branching, task: &Task) -> f64 {
    let probed =
        branching.estimate(Probing::Knuth, probes(task), &Run::default(), &Chapter::unkept());
    probed.map_or(0.0, |probed| probed.tree())
}

/// Chooses the engine that counts all tours of a task.
pub(super) fn choose(task: &Task, run: &Run) -> Choice {
    // Whatever the limits are, the choice is the same; it takes a fraction of a second.
    let Budget { seed, memory, .. } = *run.budget();
    choose_for(task, 1, memory, &Run::new(Budget { seed, ..Budget::default() }))
}

/// Chooses the engine that counts one of so many parts.
pub(super) fn choose_for_part(task: &Task, part: Part) -> Choice {
    choose_for(task, part.of(), None, &Run::default())
}

/// Chooses by the probes of a run, for so many parts and so much memory.
fn choose_for(task: &Task, parts: u64, memory: Option<u64>, run: &Run) -> Choice {
    let because = |engine, why| Choice { engine, why };
    let tours = || pairings::tours(task).map(Box::new);
    let Some(branching) = Branching::new(task) else {
        return match tours() {
            Ok(tours) => {
                because(Engine::Pairings(tours), "the board has too many cells for branching")
            }
            Err(_) if Paths::width(task).is_ok() => {
                because(Engine::PlainSweep, "the border is too wide for pairings")
            }
            Err(_) => {
                because(Engine::Search, "the board can be neither swept nor searched by moves")
            }
        };
    };
    let probed = branching.estimate(Probing::Knuth, probes(task), run, &Chapter::unkept()).ok();
    let tree = probed.as_ref().map_or(0.0, Estimate::tree) * NODE;
    let branch = |why| because(Engine::Branch(branching, probed.map(Box::new)), why);
    if tree < AT_ONCE {
        return branch("random probes show a small search tree");
    }
    let Ok(tours) = tours() else {
        return branch("the border would be too wide for pairings");
    };
    let granted = (tree * BORDERS_A_SECOND / parts as f64).clamp(BORDERS, MOST_BORDERS);
    let Ok(found) = forecast(&tours, granted as u64, run) else {
        return branch("the layers of pairings could not be predicted");
    };
    if memory.is_some_and(|memory| SLICED * found.bytes > memory as f64) {
        return branch("the layers of pairings would not fit into memory");
    }
    let parts = parts as f64;
    if found.seconds * (SHARED + (1.0 - SHARED) / parts) < tree / parts {
        let why = "random probes and the first layers show that pairings take less time than a \
                   search tree";
        because(Engine::Pairings(tours), why)
    } else {
        branch(
            "random probes and the first layers show that the search tree takes less time than \
             pairings",
        )
    }
}
