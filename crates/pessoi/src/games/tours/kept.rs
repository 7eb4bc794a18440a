//! Tours that a symmetry keeps, counted for Burnside's lemma.
//!
//! They are few, so the tree of [`Branch::invariant`](super::branch::Branch::invariant) is
//! walked by plain recursion, each symmetry on one thread. Nothing of the engine's runner,
//! which walks the trees of all other searches, is behind these numbers: so a count of classes
//! by a sweep and a list of classes by a search confirm each other.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use pessoi_engine::ledger::Chapter;
use pessoi_engine::records::Unusable;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Outlook, Search};

use super::branch::Branching;

/// Nodes between two looks at the limits.
const NODES_A_TICK: u64 = 1 << 12;

/// No machine looks at so many; what says so is forged, and must not overflow later.
const MOST_NODES: u64 = 1 << 50;

/// The solutions of a search, and the nodes it took.
pub(super) type Counted = (u64, u64);

/// How many solutions each of these searches has, in their order.
/// Those that are done are kept in a chapter of the job's ledger, one by one.
pub(super) fn solutions(
    searches: &[Branching],
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
    let lock = || counted.lock().unwrap_or_else(PoisonError::into_inner);
    let next = AtomicUsize::new(0);
    let threads = run.budget().threads.min(searches.len());
    let worker = || -> Result<(), Stop> {
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(search) = searches.get(number) else { return Ok(()) };
            let known = lock()[number];
            let solutions = known.map_or_else(|| search.solutions(run), Ok)?;
            lock()[number] = Some(solutions);
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
    chapter.put_aside(|out| out.put(&*lock()));
    ended?;
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
