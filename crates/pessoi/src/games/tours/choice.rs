//! Branch or sweep: which counts a board sooner.
//!
//! Both costs are predicted. The *tree* of `branch` is probed at random (Knuth), by numbers
//! that depend on the seed alone. The *layers* of the sweep are read from the first on, up to a
//! number of borders that follows from the cost of the tree; if that is not to their end, the
//! rest is extrapolated. So the choice depends on the question, the seed and the memory, and on
//! neither time nor threads.
//!
//! **Parts** must be cut alike wherever they are counted, so for them it depends on the question
//! alone. They are counted as the whole is. A tree falls into parts at next to no cost. The parts
//! of a sweep read much of the same layers (see [`mod@pessoi_engine::sweep::count`]), but none reads
//! more than the whole does; a tree that is far larger would take longer even in parts.
//!
//! Measured on one core (release build; nodes or borders, nanoseconds for each):
//!
//! | board | branch | sweep | chosen |
//! |---|---|---|---|
//! | wazir 6×6 | 141,207 × 230 | 4,380 × 660 | sweep |
//! | wazir 7×7 | 14,181,399 × 99 | 16,712 × 660 | sweep |
//! | wazir 8×8 closed | 9,296,181 × 168 | 5,533 × 1400 | sweep |
//! | king 5×5 closed | 5,443,539 × 116 | 1,820 × 1800 | sweep |
//! | knight 5×6 | 41,194 × 221 | 38,857 × 1390 | branch |
//! | knight 6×6 closed | 29,795 × 209 | 23,488 × 1190 | branch |
//! | knight 6×7 closed | 2,249,201 × 94 | 309,248 × 1450 | branch |
//! | knight 5×10 closed | 29,929,534 × 98 | 144,320 × 1140 | sweep |
//! | knight 4×12 | 132,551,558 × 132 | 89,522 × 960 | sweep |
//! | diplomatico 5×5 | 15,680 × 270 | 12,389 × 1130 | branch |
//! | diplomatico 5×7 | 976,008 × 134 | 1,284,185 × 2240 | branch |
//! | diplomatico 6×7 closed | 484,348 × 181 | 434,940 × 2510 | branch |
//! | diplomatico 4×12 | 7,667,905 × 173 | 2,041,880 × 2760 | branch |
//!
//! A node takes 94 to 270 ns, a border 660 to 2760: [`NODE`] and [`BORDER`] are about the
//! middle, and nowhere in the table does the choice cost more than a factor of 1.1.

use std::collections::HashSet;

use pessoi_engine::run::{Budget, Run, Stop};
use pessoi_engine::search::{Cut, Estimate, Part, Probing};
use pessoi_engine::sweep::{Sweep, extrapolated};
use rustc_hash::FxBuildHasher;

use super::border::{Border, Paths};
use super::branch::Branching;
use super::options::{BRANCH, PLAIN_SWEEP, SEARCH, SWEEP};
use super::task::Task;
use crate::card::Method;

/// Seconds for a node of the tree.
const NODE: f64 = 150e-9;
/// Seconds for a border.
const BORDER: f64 = 1500e-9;
/// Bytes for a border of the largest layer, while the next one is made.
const BYTES_A_BORDER: f64 = 240.0;
/// Trees that take less are walked at once: looking further takes as long.
const AT_ONCE: f64 = 3e-3;
/// Borders that may be read in order to choose, some hundredths of a second …
const BORDERS: f64 = 30_000.0;
/// … or more, up to this share of what the tree costs, for all parts together …
const SHARE: f64 = 0.02;
/// … but no more than these, less than a second.
const MOST_BORDERS: f64 = 500_000.0;
/// Layers are extrapolated well to so many times the borders that were read. Beyond that they
/// are underestimated, the more the farther: knight 7×8 closed by a factor of 8 at 180 times,
/// 8×8 closed by 150 at 350 times.
const WELL: f64 = 100.0;
/// What dealing out subtrees to parts may cost, as a share of the tree …
const DEALING: f64 = 0.02;
/// … but each part gets at least so many …
const LEAST_SUBTREES: u64 = 4;
/// … and needs no more than these.
const MOST_SUBTREES: u64 = 64;

/// How a count is done.
pub(super) enum Engine {
    /// By `branch`; if it was probed, this is what was seen.
    Branch(Branching, Option<Estimate>),
    /// By a sweep, looking ahead or not, which may have been built in order to choose.
    Sweep(&'static Method, Option<Box<Paths>>),
    /// By paths extended.
    Search,
}

impl Engine {
    /// The engine's entry on the card.
    pub(super) fn method(&self) -> &'static Method {
        match self {
            Engine::Branch(..) => &BRANCH,
            Engine::Sweep(method, _) => method,
            Engine::Search => &SEARCH,
        }
    }
}

/// The sweep of a method.
pub(super) fn paths(method: &Method, task: &Task, run: &Run) -> Result<Box<Paths>, Stop> {
    let build = if method.id == PLAIN_SWEEP.id { Paths::plain } else { Paths::merging };
    build(task, run).map(Box::new)
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
    let probed = branching.estimate(Probing::Knuth, probes(task), &Run::default());
    probed.map_or(0.0, |probed| probed.tree())
}

/// Chooses the engine that counts all tours of a task.
pub(super) fn choose(task: &Task, run: &Run) -> Choice {
    // Whatever the limits are, the choice is the same; it takes a fraction of a second.
    let Budget { seed, memory, .. } = *run.budget();
    let own = Run::new(Budget { seed, ..Budget::default() });
    choose_for(task, 1, memory, &own, run)
}

/// Chooses the engine that counts one of so many parts.
pub(super) fn choose_for_part(task: &Task, part: Part) -> Choice {
    let own = Run::default();
    let Choice { engine, why } = choose_for(task, part.of(), None, &own, &own);
    let engine = match engine {
        // It is built again, within the limits of the run that counts.
        Engine::Sweep(method, _) => Engine::Sweep(method, None),
        engine => engine,
    };
    Choice { engine, why }
}

/// Chooses by the probes of `own`, for so many parts and so much memory. The sweep is built
/// within the limits of `run`.
fn choose_for(task: &Task, parts: u64, memory: Option<u64>, own: &Run, run: &Run) -> Choice {
    let swept = Paths::width(task).is_ok();
    let because = |engine, why| Choice { engine, why };
    let Some(branching) = Branching::new(task) else {
        return if swept {
            because(Engine::Sweep(&SWEEP, None), "the board has too many cells for branching")
        } else {
            because(Engine::Search, "the board can be neither swept nor searched by moves")
        };
    };
    let probed = branching.estimate(Probing::Knuth, probes(task), own).ok();
    let tree = probed.as_ref().map_or(0.0, Estimate::tree) * NODE;
    let branch = |why| because(Engine::Branch(branching, probed), why);
    if !swept {
        return branch("the border of a sweep would be too wide");
    }
    if tree < AT_ONCE {
        return branch("random probes show a small search tree");
    }
    let Ok(paths) = paths(&SWEEP, task, run) else {
        return branch("a sweep does not fit into memory");
    };
    // No more than would be dearer than the tree.
    let granted = SHARE * tree / BORDER / parts as f64;
    let granted = granted.clamp(BORDERS, MOST_BORDERS).min(tree / BORDER);
    let (peak, borders) = layers(&paths, granted as u64);
    let doubt = (borders / granted / WELL).max(1.0).powi(2);
    let (peak, borders) = (peak * doubt, borders * doubt);
    if memory.is_some_and(|memory| peak * BYTES_A_BORDER > memory as f64) {
        return branch("the layers of a sweep would not fit into memory");
    }
    if borders * BORDER < tree {
        let why = "random probes and the first layers show that the sweep takes less time than \
                   a search tree";
        because(Engine::Sweep(&SWEEP, Some(paths)), why)
    } else {
        branch(
            "random probes and the first layers show that the search tree takes less time than \
                a sweep",
        )
    }
}

/// The borders of the largest layer and of all layers of a sweep. Layers are read until they
/// have more than so many borders; the rest is extrapolated.
fn layers(paths: &Paths, most: u64) -> (f64, f64) {
    let mut layer: HashSet<Border, FxBuildHasher> = HashSet::default();
    layer.insert(paths.start());
    let mut known = Vec::with_capacity(paths.sites());
    let mut read = 0;
    for site in 0..paths.sites() {
        let mut next: HashSet<Border, FxBuildHasher> = HashSet::default();
        for border in &layer {
            paths.choose(site, border, |_, after| {
                if !next.contains(&after) && !paths.is_hopeless(site, &after) {
                    next.insert(after);
                }
            });
            if read + next.len() as u64 > most {
                return extrapolated(&known, paths.sites());
            }
        }
        read += next.len() as u64;
        known.push(next.len() as u64);
        layer = next;
    }
    (known.into_iter().max().unwrap_or(1) as f64, read as f64)
}
