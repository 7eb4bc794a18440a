//! Tours that a symmetry keeps, counted for Burnside's lemma.
//!
//! Two engines count them, and for each symmetry the one that is predicted to take less time
//! does, unless one was asked for.
//!
//! - *Branch* looks at the whole board and takes with every move its images
//!   ([`Branch::invariant`](super::branch::Branch::invariant)). Its tree is
//!   walked by plain recursion, each symmetry on one thread. Nothing of the engine's runner,
//!   which walks the trees of all other searches, is behind these numbers: so a count of classes
//!   and a list of classes by a search confirm each other.
//! - *Pairings* count the tours of a quotient, which has half or a quarter of the cells
//!   ([`mod@pessoi_engine::pairings::kept`]). What half a turn keeps on the chessboard, 2,432,932
//!   closed knight's tours, takes a second or so.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use num_bigint::BigUint;
use pessoi_engine::ledger::Chapter;
use pessoi_engine::pairings::{CountError, Kept};
use pessoi_engine::records::Unusable;
use pessoi_engine::run::{Budget, Run, Stop};
use pessoi_engine::search::{Estimate, Outlook, Probing, Search};

use super::branch::Branching;
use super::choice::{AT_ONCE, BORDERS, BORDERS_A_SECOND, MOST_BORDERS, SLICED, probes};
use super::options::{BRANCHED, PAIRED, PAIRINGS};
use super::pairings;
use super::task::Task;
use crate::board::Symmetry;
use crate::card::Method;
use crate::error::{Error, Result};

/// Seconds for a node of these trees, all of whose tours are leaves.
const NODE: f64 = 250e-9;
/// Nodes between two looks at the limits.
const NODES_A_TICK: u64 = 1 << 12;

/// No machine looks at so many; what says so is forged, and must not overflow later.
const MOST_NODES: u64 = 1 << 50;

/// The solutions of a search, and the nodes it took.
pub(super) type Counted = (u64, u64);

/// How the tours that one symmetry keeps are counted.
pub(super) enum Engine {
    /// By a tree over moves.
    Branch(Branching),
    /// By pairings of a quotient.
    Pairings(Box<Kept>),
    /// Two cells have one path at most, and every symmetry keeps it.
    All(u32),
}

impl Engine {
    /// The pieces of code behind it.
    pub(super) fn components(&self) -> &'static [&'static str] {
        match self {
            Engine::Branch(_) => BRANCHED,
            Engine::Pairings(_) => PAIRED,
            Engine::All(_) => &[],
        }
    }

    /// Chooses the engine for one symmetry. `method` is what all tours were asked to be counted
    /// by: pairings are followed by pairings, another method by branching.
    pub(super) fn choose(
        task: &Task,
        symmetry: &Symmetry,
        method: Option<&Method>,
        run: &Run,
    ) -> Result<Self> {
        if task.len() == 2 {
            return Ok(Engine::All(u32::from(!task.closed && task.graph.degree(0) == 1)));
        }
        let branching = Branching::invariant(task, &symmetry.permutation);
        let kept = pairings::kept(task, &symmetry.permutation).map(Box::new);
        let (branching, kept) = match (branching, kept) {
            (Some(branching), Ok(kept)) => (branching, kept),
            (Some(branching), Err(_)) => return Ok(Engine::Branch(branching)),
            (None, Ok(kept)) => return Ok(Engine::Pairings(kept)),
            (None, Err(_)) => return Err(neither(task)),
        };
        let pairs = match method {
            Some(method) => method.id == PAIRINGS.id,
            None => pairs_sooner(task, &branching, &kept, run),
        };
        Ok(if pairs { Engine::Pairings(kept) } else { Engine::Branch(branching) })
    }
}

/// Why the classes of a board cannot be counted.
fn neither(task: &Task) -> Error {
    Error::unsupported(
        "place",
        format!(
            "--classes takes boards of up to 127 cells, and larger ones that are narrow enough for \
             pairings; {} has {}.",
            task.board.name(),
            task.len()
        ),
    )
}

/// Whether pairings are predicted to take less time, by the same figures as for all tours.
fn pairs_sooner(task: &Task, branching: &Branching, kept: &Kept, run: &Run) -> bool {
    if kept.is_known() {
        return true;
    }
    // Whatever the limits are, the choice is the same.
    let Budget { seed, memory, .. } = *run.budget();
    let run = &Run::new(Budget { seed, ..Budget::default() });
    let probed = branching.estimate(Probing::Knuth, probes(task), run, &Chapter::unkept()).ok();
    let tree = probed.as_ref().map_or(0.0, Estimate::tree) * NODE;
    if tree < AT_ONCE {
        return false;
    }
    let granted = (tree * BORDERS_A_SECOND).clamp(BORDERS, MOST_BORDERS);
    kept.forecast(granted as u64, run).is_ok_and(|found| {
        let fits = memory.is_none_or(|memory| SLICED * found.bytes <= memory as f64);
        fits && found.seconds < tree
    })
}

/// The tours that each symmetry keeps, and what it took to count them.
pub(super) struct Numbers {
    pub(super) kept: Vec<BigUint>,
    pub(super) nodes: u64,
    pub(super) borders: u64,
    pub(super) peak: u64,
}

/// Counts the tours that each symmetry keeps, in their order. What branching counts is kept in a
/// chapter of the job's ledger, one by one; pairings take seconds and begin anew.
pub(super) fn count(
    engines: &[Engine],
    run: &Run,
    chapter: &Chapter,
) -> Result<Numbers, CountError> {
    let searches: Vec<(usize, &Branching)> = engines
        .iter()
        .enumerate()
        .filter_map(|(number, engine)| match engine {
            Engine::Branch(branching) => Some((number, branching)),
            Engine::Pairings(_) | Engine::All(_) => None,
        })
        .collect();
    let before = run.progress().handled;
    let mut numbers =
        Numbers { kept: vec![BigUint::ZERO; engines.len()], nodes: 0, borders: 0, peak: 0 };
    for ((number, _), solutions) in searches.iter().zip(solutions(&searches, run, chapter)?) {
        numbers.kept[*number] = solutions.into();
    }
    numbers.nodes = run.progress().handled - before;
    for (number, engine) in engines.iter().enumerate() {
        match engine {
            Engine::Branch(_) => {}
            Engine::Pairings(kept) => {
                let counted = kept.count(run)?;
                numbers.kept[number] = counted.total;
                numbers.borders += counted.borders;
                numbers.peak = numbers.peak.max(counted.peak);
            }
            Engine::All(paths) => numbers.kept[number] = (*paths).into(),
        }
    }
    Ok(numbers)
}

/// How many solutions each of these searches has, in their order.
fn solutions(
    searches: &[(usize, &Branching)],
    run: &Run,
    chapter: &Chapter,
) -> Result<Vec<u64>, Stop> {
    run.uneven_stage("tours that each symmetry keeps", searches.len() as u64);
    let mut begun: Vec<Option<Counted>> = vec![None; searches.len()];
    if let Some(mut saved) = chapter.begun()? {
        begun = saved.take().map_err(|why| chapter.refuse(why))?;
        let is_forged = |&(_, nodes): &Counted| nodes >= MOST_NODES;
        if begun.len() != searches.len() || begun.iter().flatten().any(is_forged) {
            return Err(chapter.refuse(Unusable::Damaged));
        }
        // Nodes that were looked at in an earlier run count all the same.
        run.tick(begun.iter().flatten().map(|(_, nodes)| nodes).sum())?;
    }
    let counted = Mutex::new(begun);
    // No thread panics while it holds the lock.
    let lock = || counted.lock().unwrap_or_else(PoisonError::into_inner);
    let next = AtomicUsize::new(0);
    let threads = run.budget().threads.min(searches.len());
    let worker = || -> Result<(), Stop> {
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some((_, search)) = searches.get(at) else { return Ok(()) };
            let known = lock()[at];
            let solutions = known.map_or_else(|| search.solutions(run), Ok)?;
            lock()[at] = Some(solutions);
            run.step(1);
            chapter.save_if_due(|out| out.put(&*lock()));
        }
    };
    let ended = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().try_for_each(join)
    });
    if let Err(stop) = ended {
        chapter.put_aside(|out| out.put(&*lock()));
        return Err(stop);
    }
    Ok(lock().iter().map(|counted| counted.map_or(0, |(solutions, _)| solutions)).collect())
}

/// Walks a tree and counts its solutions.
pub(super) struct Recursion<'r> {
    run: &'r Run,
    nodes: u64,
    solutions: u64,
}

impl<'r> Recursion<'r> {
    /// How many solutions lie below the node where a search stands.
    pub(super) fn count<S: Search>(mut search: S, run: &'r Run) -> Result<Counted, Stop> {
        let mut walk = Recursion { run, nodes: 0, solutions: 0 };
        walk.below(&mut search)?;
        run.tick(walk.nodes % NODES_A_TICK)?;
        Ok((walk.solutions, walk.nodes))
    }

    fn below<S: Search>(&mut self, search: &mut S) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_TICK) {
            self.run.tick(NODES_A_TICK)?;
        }
        let mut steps = Vec::new();
        match search.look(&mut steps) {
            Outlook::Solved => self.solutions += 1,
            Outlook::Dead => {}
            Outlook::Branch => {
                for step in steps {
                    search.take(step);
                    self.below(search)?;
                    search.undo();
                }
            }
        }
        Ok(())
    }
}
