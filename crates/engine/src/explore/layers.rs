//! How many states at each distance, and a shortest way to one of them.

use super::StateSpace;
use super::walk::{BreadthFirst, Found, Gone, TICK};
use crate::ledger::{Chapter, Writer};
use crate::records::Unusable;
use crate::run::{Run, Stop, Stopped};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All states that can be reached, by their distance from the starts.
///
/// It holds every state, and the memory stays claimed until it is dropped.
#[derive(Debug)]
pub struct Layers<S>(Found<S>);

/// What is certain about layers whose exploration was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstLayers<S> {
    /// The sizes of the layers that are known whole, from distance 0 on.
    pub sizes: Vec<u64>,
    /// States reached, among them some of a layer that is not whole.
    pub reached: u64,
    /// A farthest one of the states reached, and its exact distance: there may
    /// be farther ones.
    pub farthest: Option<(S, u64)>,
}

/// Finds all states that can be reached from the starts given, layer by layer, on one thread
/// whatever the budget of the run. The chapter stays open: what the layers are good for is for
/// the caller to know, who [finishes](Chapter::finish) it.
pub fn layers<P: StateSpace>(
    space: &P,
    starts: impl IntoIterator<Item = P::State>,
    run: &Run,
    chapter: &Chapter,
) -> Result<Layers<P::State>, Stopped<FirstLayers<P::State>>> {
    run.stage("starts", 0);
    let begin_layer = |distance: usize, size: usize, left: usize| {
        run.stage(format!("moves from distance {distance}"), size as u64);
        run.step(left as u64);
    };
    let proceed = |handled| {
        run.step(handled);
        run.tick(handled)
    };
    let nothing = |why| Stopped { why, so_far: first_layers(&Found::new(0, run), 0) };
    let walk = match chapter.begun().map_err(nothing)? {
        None => begun(space, starts, run, proceed)?,
        Some(mut saved) => {
            let walk = BreadthFirst::taken_up(space, run, proceed, &mut saved);
            let walk = walk.map_err(|why| nothing(chapter.refuse(why)))?;
            let own = walk.found.stretch(0).map(|index| walk.found.states[index].clone());
            if !is_of_layers(&walk) || !own.eq(unique(starts)) || saved.left() > 0 {
                return Err(nothing(chapter.refuse(Unusable::Damaged)));
            }
            run.tick(walk.left() as u64).map_err(nothing)?;
            walk
        }
    };
    let walk = Mutex::new(walk);
    let save = |out: &mut Writer| lock(&walk).put(out);
    let ended = explore(&walk, begin_layer, || chapter.save_if_due(save));
    if ended.is_err() {
        chapter.put_aside(save);
    }
    finished(walk, ended)
}

/// The starts, each once.
fn unique<S: Clone + Eq + Hash>(starts: impl IntoIterator<Item = S>) -> impl Iterator<Item = S> {
    let starts: IndexSet<S, FxBuildHasher> = starts.into_iter().collect();
    starts.into_iter()
}

/// Whether a walk that was saved is one that [`explore`] can go on with.
pub(super) fn is_of_layers<P: StateSpace, F>(walk: &BreadthFirst<'_, P, F>) -> bool
where
    F: FnMut(u64) -> Result<(), Stop>,
{
    let last = walk.found.stretches().checked_sub(1).map(|last| walk.found.stretch(last).start);
    last.is_some_and(|last| (last..=walk.whole).contains(&walk.left()) && last < walk.whole)
}

/// A walk whose first layer is the starts.
pub(super) fn begun<'a, P: StateSpace, F: FnMut(u64) -> Result<(), Stop>>(
    space: &'a P,
    starts: impl IntoIterator<Item = P::State>,
    run: &Run,
    proceed: F,
) -> Result<BreadthFirst<'a, P, F>, Stopped<FirstLayers<P::State>>> {
    let mut walk = BreadthFirst::new(space, run, proceed);
    match walk.first_layer(starts) {
        Ok(()) => Ok(walk),
        Err(why) => {
            let whole = walk.whole;
            Err(Stopped { why, so_far: first_layers(&walk.finish(), whole) })
        }
    }
}

/// No thread panics while it holds the lock, so the walk is always whole.
pub(super) fn lock<T>(walk: &Mutex<T>) -> MutexGuard<'_, T> {
    walk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Walks to the end. Where a layer begins, its distance, its size, and how many of its states
/// have been left already are shown; and every few thousand states, while the walk is not
/// locked, `pause` is called.
pub(super) fn explore<P: StateSpace, F: FnMut(u64) -> Result<(), Stop>>(
    walk: &Mutex<BreadthFirst<'_, P, F>>,
    begin_layer: impl Fn(usize, usize, usize),
    pause: impl Fn(),
) -> Result<(), Stop> {
    let mut begins = true;
    loop {
        if begins {
            let walk = lock(walk);
            let distance = walk.found.stretches().saturating_sub(1);
            let layer = walk.found.stretch(distance);
            let size = walk.whole.saturating_sub(layer.start);
            begin_layer(distance, size, walk.left().saturating_sub(layer.start));
        }
        let gone = lock(walk).go_on()?;
        pause();
        match gone {
            Gone::On => begins = false,
            Gone::ToTheNext => begins = true,
            Gone::ToTheEnd => return Ok(()),
        }
    }
}

/// What a walk came to.
pub(super) fn finished<P: StateSpace, F: FnMut(u64) -> Result<(), Stop>>(
    walk: Mutex<BreadthFirst<'_, P, F>>,
    ended: Result<(), Stop>,
) -> Result<Layers<P::State>, Stopped<FirstLayers<P::State>>> {
    let walk = walk.into_inner().unwrap_or_else(PoisonError::into_inner);
    let whole = walk.whole;
    let found = walk.finish();
    match ended {
        Ok(()) => Ok(Layers(found)),
        Err(why) => Err(Stopped { why, so_far: first_layers(&found, whole) }),
    }
}

/// Sums up layers of which the first `whole` states are whole layers.
fn first_layers<S: Clone + Eq + Hash>(found: &Found<S>, whole: usize) -> FirstLayers<S> {
    let count = found.stretches();
    let mut sizes: Vec<_> = (0..count).map(|n| found.stretch(n).len() as u64).collect();
    let reached = found.states.len();
    if let Some(last) = sizes.last_mut() {
        *last -= (reached - whole) as u64;
    }
    let farthest = found.farthest(whole).map(|(state, distance)| (state.clone(), distance));
    FirstLayers { sizes, reached: reached as u64, farthest }
}

impl<S: Eq + Hash> Layers<S> {
    /// The number of states at each distance, from 0 to the greatest.
    pub fn sizes(&self) -> Vec<u64> {
        (0..self.0.stretches()).map(|n| self.0.stretch(n).len() as u64).collect()
    }

    /// The number of states that can be reached, the starts among them.
    pub fn total(&self) -> u64 {
        self.0.states.len() as u64
    }

    /// A state at the greatest distance (the first one found), and that
    /// distance; `None` where there were no starts.
    pub fn farthest(&self) -> Option<(&S, u64)> {
        let last = self.0.stretches().checked_sub(1)?;
        Some((self.0.states.get_index(self.0.stretch(last).start)?, last as u64))
    }

    /// The distance to a state from the nearest start; `None` if no moves lead
    /// there.
    pub fn distance_to(&self, state: &S) -> Option<u64> {
        self.0.stretch_of(state).map(|distance| distance as u64)
    }

    /// The states at one distance, in the order in which they were found.
    pub fn layer(&self, distance: u64) -> impl Iterator<Item = &S> {
        let number = usize::try_from(distance).ok().filter(|&n| n < self.0.stretches());
        let range = number.map_or(0..0, |n| self.0.stretch(n));
        self.0.states.get_range(range).into_iter().flatten()
    }
}

/// A shortest path, both ends included; `None` if no moves lead there.
///
/// It explores from `from` until it meets `to`, then looks in each layer before
/// for a state with a move to the one behind it. So the way back may cost as much
/// time again, but no state stores where it came from and moves need not be
/// reversible.
///
/// # Panics
/// If [`StateSpace::moves`] does not offer the same states when asked again.
pub fn path<P: StateSpace>(
    space: &P,
    from: P::State,
    to: &P::State,
    run: &Run,
) -> Result<Option<Vec<P::State>>, Stop> {
    run.stage("the way there", 0);
    let mut walk = BreadthFirst::new(space, run, |handled| run.tick(handled));
    walk.first_layer([from])?;
    while !walk.found.states.contains(to) {
        if !walk.next_layer()? {
            walk.finish();
            return Ok(None);
        }
    }
    let found = walk.finish();
    let distance = found.stretch_of(to).unwrap_or_default();

    run.stage("the way back", distance as u64);
    let mut claim = run.claim();
    claim.grow_to(((distance + 1) * (size_of::<P::State>() + space.heap_bytes())) as u64)?;
    let mut backwards = Vec::with_capacity(distance + 1);
    backwards.push(to.clone());
    let mut handled = 0;
    for layer in (0..distance).rev() {
        let mut before = None;
        for index in found.stretch(layer) {
            handled += 1;
            if handled == TICK {
                run.tick(handled)?;
                handled = 0;
            }
            let mut leads = false;
            space.moves(&found.states[index], |next| leads |= Some(&next) == backwards.last());
            if leads {
                before = Some(&found.states[index]);
                break;
            }
        }
        let before = before.expect("moves offers the same states when asked again");
        backwards.push(before.clone());
        run.step(1);
    }
    backwards.reverse();
    Ok(Some(backwards))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Folder, Graph, Line, Slide, graphs};
    use super::*;
    use crate::records::Words;
    use crate::run::Budget;
    use proptest::prelude::*;
    use std::time::Duration;

    #[test]
    fn the_two_by_two_puzzle_is_a_ring_of_twelve() {
        let puzzle = Slide { rows: 2, columns: 2 };
        let found =
            layers(&puzzle, [puzzle.solved()], &Run::default(), &Chapter::unkept()).unwrap();
        assert_eq!(found.sizes(), [1, 2, 2, 2, 2, 2, 1]);
        assert_eq!(found.total(), 12);
    }

    /// OEIS A151944 and A090163: 21 moves, which one arrangement needs.
    #[test]
    fn the_two_by_three_puzzle_has_one_farthest_state() {
        let puzzle = Slide { rows: 2, columns: 3 };
        let run = Run::default();
        let found = layers(&puzzle, [puzzle.solved()], &run, &Chapter::unkept()).unwrap();
        assert_eq!(found.total(), 360);
        let (far, distance) = found.farthest().unwrap();
        assert_eq!(distance, 21);
        assert_eq!(found.layer(21).collect::<Vec<_>>(), [far]);
        assert_eq!(found.layer(22).count(), 0);
        assert_eq!(run.progress().handled, 360);

        let way = path(&puzzle, puzzle.solved(), far, &run).unwrap().unwrap();
        assert_eq!(way.len(), 22);
    }

    #[test]
    fn no_starts_give_no_layers() {
        let found = layers(&Line(5), [], &Run::default(), &Chapter::unkept()).unwrap();
        assert_eq!(found.sizes(), [0_u64; 0]);
        assert_eq!(found.farthest(), None);
        assert_eq!(found.distance_to(&0), None);
    }

    #[test]
    fn starts_given_twice_count_once() {
        let found = layers(&Line(10), [9, 0, 9], &Run::default(), &Chapter::unkept()).unwrap();
        assert_eq!(found.sizes(), [2, 2, 2, 2, 2]);
    }

    #[test]
    fn memory_is_claimed_while_the_layers_live() {
        let run = Run::default();
        let found = layers(&Line(100_000), [0], &run, &Chapter::unkept()).unwrap();
        assert_eq!(found.total(), 100_000);
        assert_eq!(found.farthest(), Some((&99_999, 99_999)));
        let held = run.progress().bytes;
        // 448·2⁸ entries of 16 bytes, 2¹⁷ slots of 9, 2¹⁷ beginnings of 8.
        assert_eq!(held, 114_688 * 16 + (9 << 17) + (8 << 17));
        assert!(found.0.states.capacity() == 114_688);
        drop(found);
        assert_eq!(run.progress().bytes, 0);
        assert!(run.peak_bytes() > held);
        assert_eq!(run.progress().handled, 100_000);
    }

    #[test]
    fn a_memory_limit_stops_and_tells_what_is_known() {
        let run = Run::new(Budget { memory: Some(1 << 20), ..Budget::default() });
        let stopped = layers(&Line(1_000_000), [0], &run, &Chapter::unkept()).unwrap_err();
        assert!(matches!(stopped.why, Stop::Memory { limit: 1_048_576, .. }), "{stopped}");
        let known = stopped.so_far;
        // The set was full: 448·2⁵ states are half a mebibyte, twice that is too much.
        assert_eq!(known.reached, 14_336);
        assert_eq!(known.sizes, vec![1; 14_336]);
        assert_eq!(known.farthest, Some((14_335, 14_335)));
        assert_eq!(run.progress().bytes, 0);
        assert!(run.peak_bytes() <= 1 << 20);
    }

    #[test]
    fn a_full_set_does_not_grow_for_states_it_holds() {
        let full = 448 * 16 + 512 * 9 + 64 * 8;
        let run = Run::new(Budget { memory: Some(full), ..Budget::default() });
        assert_eq!(layers(&Line(448), 0..448, &run, &Chapter::unkept()).unwrap().sizes(), [448]);
        let stopped = layers(&Line(449), 0..448, &run, &Chapter::unkept()).unwrap_err();
        assert_eq!(stopped.so_far.reached, 448);
    }

    #[test]
    fn the_way_back_can_be_cancelled() {
        /// A line whose last place, once in sight, cancels the job.
        struct Trap(Line, Run);
        impl StateSpace for Trap {
            type State = u64;
            fn starts(&self) -> impl Iterator<Item = u64> {
                self.0.starts()
            }
            fn moves(&self, from: &u64, offer: impl FnMut(u64)) {
                if from + 2 == self.0.0 {
                    self.1.cancel();
                }
                self.0.moves(from, offer);
            }
            fn holds(&self, state: &u64) -> bool {
                self.0.holds(state)
            }
        }
        let run = Run::default();
        // 9001 states, so the walk there looks at the clock last at 8192.
        let trap = Trap(Line(9001), run.clone());
        assert_eq!(path(&trap, 0, &9000, &run), Err(Stop::Cancelled));
        assert_eq!(run.progress().handled, 9000 + TICK);
    }

    #[test]
    fn heap_memory_is_counted() {
        struct Heavy;
        impl StateSpace for Heavy {
            type State = Vec<u8>;
            fn starts(&self) -> impl Iterator<Item = Vec<u8>> {
                std::iter::once(vec![0; 1000])
            }
            fn moves(&self, _: &Vec<u8>, _: impl FnMut(Vec<u8>)) {}
            fn holds(&self, state: &Vec<u8>) -> bool {
                state.len() == 1000
            }
            fn heap_bytes(&self) -> usize {
                1000
            }
        }
        let run = Run::default();
        let _found = layers(&Heavy, Heavy.starts(), &run, &Chapter::unkept()).unwrap();
        assert_eq!(run.progress().bytes, 448 * (32 + 1000) + 512 * 9 + 64 * 8);
    }

    #[test]
    fn a_cancelled_job_stops_before_its_first_state() {
        let run = Run::default();
        run.cancel();
        let stopped = layers(&Line(5), [0], &run, &Chapter::unkept()).unwrap_err();
        let so_far = FirstLayers { sizes: vec![], reached: 0, farthest: None };
        assert_eq!(stopped, Stopped { why: Stop::Cancelled, so_far });
        assert_eq!(path(&Line(5), 0, &4, &run), Err(Stop::Cancelled));
    }

    #[test]
    fn a_time_limit_stops() {
        let step = Duration::from_secs(1);
        let limit = 5 * step;
        let run = Run::stepping(Budget { time: Some(limit), ..Budget::default() }, step);
        let why: Stop = layers(&Line(u64::MAX), [0], &run, &Chapter::unkept()).unwrap_err().into();
        assert_eq!(why, Stop::Time { limit });
    }

    /// Cancelled in the midst of a layer, the whole layers and the begun one
    /// are told apart.
    #[test]
    fn a_layer_begun_is_not_taken_for_whole() {
        /// Every state has a thousand children: layers of 1, 1000, a million.
        struct Bush(Run);
        impl StateSpace for Bush {
            type State = u64;
            fn starts(&self) -> impl Iterator<Item = u64> {
                std::iter::once(0)
            }
            fn moves(&self, from: &u64, offer: impl FnMut(u64)) {
                if *from == 4_095 {
                    self.0.cancel();
                }
                (from * 1000 + 1..=from * 1000 + 1000).for_each(offer);
            }
            fn holds(&self, _: &u64) -> bool {
                true
            }
        }
        let run = Run::default();
        let stopped = layers(&Bush(run.clone()), [0], &run, &Chapter::unkept()).unwrap_err();
        assert_eq!(stopped.why, Stop::Cancelled);
        assert_eq!(stopped.so_far.sizes, [1, 1000, 1_000_000]);
        // 4096 states were left: all but the start and its thousand from layer 2.
        assert_eq!(stopped.so_far.reached, 1 + 4_096_000);
        let (state, distance) = stopped.so_far.farthest.unwrap();
        assert_eq!(distance, 3);
        assert!(state > 1_001_000);
        assert_eq!(run.progress().handled, 4096);
    }

    proptest! {
        #[test]
        fn distances_and_paths_agree_with_floyd_and_warshall(graph in graphs(false)) {
            let run = Run::default();
            let distances = graph.distances();
            let size = graph.size();
            for from in 0..size {
                let found = layers(&graph, [from], &run, &Chapter::unkept()).unwrap();
                for to in 0..size {
                    prop_assert_eq!(found.distance_to(&to), distances.between(from, to));
                    let way = path(&graph, from, &to, &run).unwrap();
                    prop_assert_eq!(way.as_ref().map(|way| way.len() as u64 - 1), distances.between(from, to));
                    if let Some(way) = way {
                        prop_assert_eq!((way[0], way[way.len() - 1]), (from, to));
                        prop_assert!(way.windows(2).all(|w| graph.joined(w[0], w[1])));
                    }
                }
                prop_assert_eq!(found.farthest().unwrap().1, distances.greatest(from));
                for (distance, &count) in found.sizes().iter().enumerate() {
                    let there = (0..size).filter(|&to| distances.between(from, to) == Some(distance as u64));
                    prop_assert_eq!(there.count() as u64, count);
                }
            }
        }

        #[test]
        fn several_starts_count_from_the_nearest(graph in graphs(false), a in 0..8_usize, b in 0..8_usize) {
            let (a, b) = (a % graph.size(), b % graph.size());
            let distances = graph.distances();
            let found = layers(&graph, [a, b], &Run::default(), &Chapter::unkept()).unwrap();
            for to in 0..graph.size() {
                let nearest = distances.between(a, to).into_iter().chain(distances.between(b, to)).min();
                prop_assert_eq!(found.distance_to(&to), nearest);
            }
        }
    }

    #[test]
    fn a_graph_without_the_end_has_no_path() {
        let graph = Graph::new(3, &[(0, 1)], false);
        assert_eq!(path(&graph, 1, &0, &Run::default()), Ok(None));
        assert_eq!(path(&graph, 2, &2, &Run::default()), Ok(Some(vec![2])));
    }

    #[test]
    fn layers_go_on_where_they_were_stopped() {
        let puzzle = Slide { rows: 2, columns: 4 };
        let plain = Run::default();
        let whole = layers(&puzzle, [puzzle.solved()], &plain, &Chapter::unkept()).unwrap();
        let folder = Folder::new("layers");
        let (found, runs, handled) =
            folder.until_done(|run, chapter| layers(&puzzle, [puzzle.solved()], run, chapter).ok());
        assert_eq!(found.0.states, whole.0.states, "in the same order");
        assert!(found.0.states.iter().eq(whole.0.states.iter()));
        assert_eq!((found.sizes(), handled), (whole.sizes(), plain.progress().handled));
        assert!(runs > 2, "{runs}");
    }

    #[test]
    fn layers_that_cannot_be_are_refused() {
        let folder = Folder::new("forged-layers");
        let refuses = |head: [usize; 3], begins: &[usize], states: &[u64]| {
            let records = [(head, begins.to_vec()).to_words(), states.to_vec()];
            folder.refuses(&records, |run, chapter| {
                let _ = layers(&Line(9), [4], run, chapter);
            })
        };
        assert!(!refuses([1, 3, 3], &[0, 1], &[4, 3, 5]));
        assert!(!refuses([2, 3, 4], &[0, 1], &[4, 3, 5, 2]));
        for (head, begins, states) in [
            ([1, 3, 3], &[0, 1][..], &[4, 3, 9][..]), // no state
            ([1, 3, 3], &[0, 1], &[4, 3, 3]),         // twice
            ([1, 3, 3], &[0, 1], &[5, 3, 4]),         // another start
            ([0, 3, 3], &[0, 1], &[4, 3, 5]),         // a layer that was not left
            ([1, 4, 3], &[0, 1], &[4, 3, 5]),
            ([4, 3, 3], &[0, 1], &[4, 3, 5]),
            ([1, 3, 3], &[0, 3], &[4, 3, 5]),
            ([1, 3, 3], &[1], &[4, 3, 5]),
            ([1, 3, 3], &[0, 1, 1], &[4, 3, 5]),
            ([1, 3, 3], &[], &[4, 3, 5]),
            ([1, 3, 2], &[0, 1], &[4, 3, 5]),
            ([1, 3, 4], &[0, 1], &[4, 3, 5]),
        ] {
            assert!(refuses(head, begins, states), "{head:?} {begins:?} {states:?}");
        }
    }
}
