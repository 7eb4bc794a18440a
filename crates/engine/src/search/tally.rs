//! Counting all solutions, or folding over them, on all threads.
//!
//! The tree is cut into subtrees ([`prefixes`]). Each has a *slot* that holds what was folded of
//! it so far and the [place](super::walk) where its walk stands; the slot is brought up to date
//! every few thousand nodes. So the slots can be saved at any time, by whichever thread sees
//! that a save is due, and a fold that is taken up again looks at no node twice, however large
//! the subtrees are.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Search;
use super::ordered::{Outlet, in_order};
use super::split::{Cut, Prefixes, prefixes};
use super::walk::{Advance, Walk};
use crate::ledger::{Chapter, Reader, Writer};
use crate::random::Random;
use crate::records::{Unusable, Words};
use crate::run::{Run, Stop, Stopped};

/// Nodes between two times that a slot is brought up to date: some milliseconds.
const SLICE: u64 = if cfg!(test) { 100 } else { 1 << 15 };

/// No machine looks at so many; what says so is forged, and must not overflow later.
const MOST_NODES: u64 = 1 << 60;

/// What a full walk saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Solutions, each seen once.
    pub solutions: u64,
    /// Nodes looked at.
    pub nodes: u64,
}

/// What was folded, and over how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded<A> {
    /// The result of the folding.
    pub folded: A,
    /// Solutions and nodes.
    pub tally: Tally,
    /// How many subtrees were dealt out to all parts; see [`super::Prefixes::dealt`].
    pub dealt: u64,
}

impl<A: Words> Words for Folded<A> {
    fn put(&self, words: &mut Vec<u64>) {
        [self.tally.solutions, self.tally.nodes, self.dealt].put(words);
        self.folded.put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let [solutions, nodes, dealt] = <[u64; 3]>::take(words)?;
        if solutions.max(nodes) >= MOST_NODES {
            return None;
        }
        Some(Folded { folded: A::take(words)?, tally: Tally { solutions, nodes }, dealt })
    }
}

/// Counts the solutions of one part of a tree. If a limit is hit, the error
/// holds the count of the nodes that were walked.
pub fn tally<S>(
    search: &S,
    cut: impl Into<Cut>,
    run: &Run,
    chapter: &Chapter,
) -> Result<Tally, Stopped<Tally>>
where
    S: Search + Clone + Send + Sync,
    S::Step: Send + Sync,
{
    match fold(search, cut, run, chapter, || (), |(), _| (), |(), ()| ()) {
        Ok(all) => Ok(all.tally),
        Err(stopped) => Err(Stopped { why: stopped.why, so_far: stopped.so_far.tally }),
    }
}

/// Folds over the solutions of one part of a tree, on all threads. The fold is kept in a chapter
/// of the job's ledger.
///
/// `each` sees the search as it stands at a solution. The pieces are merged in
/// the order of the walk, so the result does not depend on the threads.
pub fn fold<S, A>(
    search: &S,
    cut: impl Into<Cut>,
    run: &Run,
    chapter: &Chapter,
    empty: impl Fn() -> A + Sync,
    each: impl Fn(&mut A, &S) + Sync,
    merge: impl Fn(&mut A, A),
) -> Result<Folded<A>, Stopped<Folded<A>>>
where
    S: Search + Clone + Send + Sync,
    S::Step: Send + Sync,
    A: Words + Send,
{
    let nothing = || Folded { folded: empty(), tally: Tally::default(), dealt: 0 };
    let stopped = |why| Stopped { why, so_far: nothing() };
    if let Some((above, done)) = chapter.result::<(u64, Folded<A>)>().map_err(stopped)? {
        // Nodes that were looked at in an earlier run count all the same.
        run.tick(above.min(MOST_NODES) + done.tally.nodes).map_err(stopped)?;
        return Ok(done);
    }
    let before = run.progress().handled;
    let prefixes = prefixes(search, cut, run).map_err(stopped)?;
    // Nodes above the cut.
    let above = run.progress().handled - before;
    let slots = Slots::new(&prefixes, search, chapter, run).map_err(stopped)?;
    // Neighbouring subtrees are alike in size. In random order, those done so far are a fair
    // sample of the rest. What they give is put back into the order of the walk.
    let mut jobs: Vec<usize> = (0..prefixes.len()).collect();
    Random::new(0, 0).shuffle(&mut jobs);
    jobs.retain(|&job| !slots.is_done(job));
    run.stage("searching", prefixes.len() as u64);
    run.step((prefixes.len() - jobs.len()) as u64);
    let work = |&job: &usize, _: &Outlet<()>| {
        run.check()?;
        let before = slots.lock(job).as_ref().map_or(0, |slot| slot.tally.nodes);
        let place = slots.lock(job).as_ref().and_then(|slot| slot.place.clone());
        // That there is such a place was seen when it was read.
        let walk = Walk::at(search.clone(), &prefixes[job], &place.unwrap_or_default(), run);
        let mut walk = walk.ok_or(Stop::Cancelled)?;
        loop {
            let end = {
                let mut slot = slots.lock(job);
                let slot = slot.get_or_insert_with(|| Slot::new(empty()));
                let slice_ends = walk.nodes() + SLICE;
                let end = loop {
                    match walk.advance(slice_ends - walk.nodes()) {
                        Ok(Advance::Found) => {
                            slot.tally.solutions += 1;
                            each(&mut slot.folded, walk.search());
                        }
                        end => break end,
                    }
                };
                slot.tally.nodes = before + walk.nodes();
                let is_done = matches!(end, Ok(Advance::Exhausted));
                slot.place = (!is_done).then(|| walk.place());
                end
            };
            match end {
                Ok(Advance::Exhausted) => break,
                Ok(_) => chapter.save_if_due(|out| slots.put(out)),
                Err(stop) => return Err(stop),
            }
        }
        chapter.save_if_due(|out| slots.put(out));
        Ok(())
    };
    let ended = in_order(&jobs, run, work, |()| true);
    if ended.is_err() {
        chapter.put_aside(|out| slots.put(out));
    }
    let mut sum = Folded { dealt: prefixes.dealt(), ..nothing() };
    for slot in slots.into_all() {
        merge(&mut sum.folded, slot.folded);
        sum.tally.solutions += slot.tally.solutions;
        sum.tally.nodes += slot.tally.nodes;
    }
    match ended {
        Ok(()) => {
            let done = (above, sum);
            chapter.finish(&done);
            Ok(done.1)
        }
        Err(why) => Err(Stopped { why, so_far: sum }),
    }
}

/// A subtree of which something was walked.
struct Slot<A> {
    folded: A,
    tally: Tally,
    /// Where its walk stands; `None` when it is done.
    place: Option<Vec<u32>>,
}

impl<A> Slot<A> {
    fn new(folded: A) -> Self {
        Slot { folded, tally: Tally::default(), place: Some(Vec::new()) }
    }
}

impl<A: Words> Words for Slot<A> {
    fn put(&self, words: &mut Vec<u64>) {
        [self.tally.solutions, self.tally.nodes].put(words);
        self.place.put(words);
        self.folded.put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let [solutions, nodes] = <[u64; 2]>::take(words)?;
        let place = Words::take(words)?;
        Some(Slot { folded: A::take(words)?, tally: Tally { solutions, nodes }, place })
    }
}

/// The slots of all subtrees, in the order of the walk.
struct Slots<A> {
    /// Of the cut.
    digest: u64,
    slots: Vec<Mutex<Option<Slot<A>>>>,
}

impl<A: Words> Slots<A> {
    /// As they were saved, or empty.
    fn new<S: Search + Clone>(
        prefixes: &Prefixes<S::Step>,
        search: &S,
        chapter: &Chapter,
        run: &Run,
    ) -> Result<Self, Stop> {
        let slots = prefixes.iter().map(|_| Mutex::new(None)).collect();
        let mut slots = Slots { digest: prefixes.digest(), slots };
        if let Some(mut saved) = chapter.begun()? {
            slots.take(&mut saved, prefixes, search, run).map_err(|why| chapter.refuse(why))?;
        }
        Ok(slots)
    }

    fn take<S: Search + Clone>(
        &mut self,
        saved: &mut Reader,
        prefixes: &Prefixes<S::Step>,
        search: &S,
        run: &Run,
    ) -> Result<(), Unusable> {
        let cut: [u64; 2] = saved.take()?;
        if cut != self.cut() {
            return Err(Unusable::Other { about: None });
        }
        let mut sum = Tally::default();
        while saved.left() > 0 {
            let (job, slot): (usize, Slot<A>) = saved.take()?;
            let there = self.slots.get_mut(job).ok_or(Unusable::Damaged)?;
            let there = there.get_mut().unwrap_or_else(PoisonError::into_inner);
            if there.is_some() {
                return Err(Unusable::Damaged);
            }
            if let Some(place) = &slot.place {
                Walk::at(search.clone(), &prefixes[job], place, run).ok_or(Unusable::Damaged)?;
            }
            let Tally { solutions, nodes } = slot.tally;
            if solutions.max(nodes) >= MOST_NODES {
                return Err(Unusable::Damaged);
            }
            sum = Tally { solutions: sum.solutions + solutions, nodes: sum.nodes + nodes };
            if sum.solutions.max(sum.nodes) >= MOST_NODES {
                return Err(Unusable::Damaged);
            }
            *there = Some(slot);
        }
        // Nodes that were looked at in an earlier run count all the same.
        run.tick(sum.nodes).map_err(Unusable::Stop)
    }

    fn put(&self, out: &mut Writer) -> io::Result<()> {
        out.put(&self.cut())?;
        for (job, slot) in self.slots.iter().enumerate() {
            // It is not locked while it is written, so that its walk goes on.
            let mut words = vec![job as u64];
            if let Some(slot) = slot.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
                slot.put(&mut words);
            }
            if words.len() > 1 {
                out.record(&words)?;
            }
        }
        Ok(())
    }

    fn cut(&self) -> [u64; 2] {
        [self.digest, self.slots.len() as u64]
    }

    fn lock(&self, job: usize) -> MutexGuard<'_, Option<Slot<A>>> {
        self.slots[job].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_done(&self, job: usize) -> bool {
        self.lock(job).as_ref().is_some_and(|slot| slot.place.is_none())
    }

    fn into_all(self) -> impl Iterator<Item = Slot<A>> {
        self.slots.into_iter().filter_map(|slot| slot.into_inner().ok().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::super::examples::Queens;
    use super::*;
    use crate::ledger::Ledger;
    use crate::run::Budget;
    use crate::store::Store;
    use std::time::Duration;

    #[test]
    fn queens_are_counted_alike_on_one_and_two_threads() {
        for threads in [1, 2] {
            let run = Run::new(Budget { threads, ..Budget::default() });
            let counts = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352];
            for (n, solutions) in (0u8..).zip(counts) {
                let counted =
                    tally(&Queens::new(n), Part::WHOLE, &run, &Chapter::unkept()).unwrap();
                assert_eq!(counted.solutions, solutions, "n = {n}");
            }
        }
    }

    #[test]
    fn a_stopped_count_is_an_error_with_what_is_known() {
        let run = Run::default();
        run.cancel();
        let stopped = tally(&Queens::new(8), Part::WHOLE, &run, &Chapter::unkept()).unwrap_err();
        assert_eq!(stopped.why, Stop::Cancelled);
        assert_eq!(stopped.so_far.solutions, 0);
    }

    /// A new empty folder, removed when dropped.
    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("fold-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        /// A run that is stopped after so many looks at its clock, and saves itself at each.
        fn run(&self, threads: usize, looks: u64) -> Run {
            let step = Duration::from_secs(1);
            let time = Some(step * u32::try_from(looks).unwrap());
            let store = Store::open(self.0.join("saved")).unwrap().every(Duration::ZERO);
            Run::stepping(Budget { time, threads, ..Budget::default() }, step).with_store(store)
        }

        fn saved(&self) -> Vec<u8> {
            std::fs::read(self.0.join("saved")).unwrap()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// The columns of the first queens of all solutions, added up, in few subtrees.
    fn sum(n: u8, jobs: u64, run: &Run) -> Result<Result<Folded<u128>, Stop>, Unusable> {
        let ledger = Ledger::open(run, format!("{n} queens"))?;
        let folded = fold(
            &Queens::new(n),
            Cut::new(Part::WHOLE).jobs(jobs),
            run,
            &ledger.chapter("queens"),
            || 0u128,
            |sum, at| *sum += u128::from(at.solution()[0]) << 64,
            |sum, more| *sum += more,
        );
        ledger.close()?;
        Ok(folded.map_err(Stop::from))
    }

    #[test]
    fn a_fold_that_is_stopped_goes_on_and_looks_at_no_node_twice() {
        let whole = sum(9, 5, &Run::default()).unwrap().unwrap();
        assert_eq!((whole.tally.solutions, whole.folded), (352, (352 * 4) << 64));
        for threads in [1, 2, 3] {
            let folder = Folder::new(&format!("goes-on-{threads}"));
            let mut runs = 0;
            let (all, handled) = loop {
                runs += 1;
                let run = folder.run(1 + (threads + runs) % 3, 6 + runs as u64);
                if let Ok(all) = sum(9, 5, &run).unwrap() {
                    break (all, run.progress().handled);
                }
            };
            assert_eq!(all, whole);
            assert!(runs > 2, "{runs}");
            // What is done is given again at once.
            let again = folder.run(1, 2);
            assert_eq!(sum(9, 5, &again).unwrap(), Ok(whole.clone()));
            let run = Run::default();
            sum(9, 5, &run).unwrap().unwrap();
            assert_eq!(handled, run.progress().handled, "as if it had not been stopped");
        }
    }

    #[test]
    fn a_fold_of_another_tree_or_cut_is_refused_and_left_as_it_is() {
        let folder = Folder::new("refused");
        assert!(sum(9, 5, &folder.run(2, 9)).unwrap().is_err());
        let saved = folder.saved();
        let about = Some("9 queens".to_owned());
        assert_eq!(sum(8, 5, &folder.run(1, 999)), Err(Unusable::Other { about }));
        assert_eq!(sum(9, 50, &folder.run(1, 999)), Err(Unusable::Other { about: None }));
        // A place that the tree does not have, a subtree that it does not have or has twice.
        let forged = |slots: &[(usize, Option<Vec<u32>>)]| {
            let cut = prefixes(&Queens::new(9), Cut::new(Part::WHOLE).jobs(5), &Run::default());
            let cut = cut.unwrap();
            let run = folder.run(1, 9999);
            run.store().unwrap().remove().unwrap();
            let ledger = Ledger::open(&run, "9 queens").unwrap();
            ledger.chapter("queens").put_aside(|out| {
                out.put(&[cut.digest(), cut.len() as u64])?;
                let tally = Tally::default();
                slots.iter().try_for_each(|(job, place)| {
                    out.put(&(*job, Slot { folded: 0u128, tally, place: place.clone() }))
                })
            });
            drop(ledger);
            drop(run);
            let saved = folder.saved();
            let refused = sum(9, 5, &folder.run(1, 9999));
            assert!(refused.is_ok() || folder.saved() == saved);
            refused.map(|folded| folded.map(|all| all.tally.solutions))
        };
        assert_eq!(forged(&[]), Ok(Ok(352)));
        assert_eq!(forged(&[(0, Some(vec![]))]), Ok(Ok(352)));
        assert_eq!(forged(&[(0, Some(vec![7]))]), Err(Unusable::Damaged));
        assert_eq!(forged(&[(0, Some(vec![0; 12]))]), Err(Unusable::Damaged));
        assert_eq!(forged(&[(9, None)]), Err(Unusable::Damaged));
        assert_eq!(forged(&[(1, None), (1, None)]), Err(Unusable::Damaged));
        std::fs::write(folder.0.join("saved"), saved).unwrap();
        assert!(sum(9, 5, &folder.run(1, 9999)).unwrap().is_ok());
    }
}
