//! How far apart the farthest states are.
//!
//! The distances counted are those between states that moves do join: a space of
//! several components has the diameter of its widest one.

use super::StateSpace;
#[cfg(test)]
use super::layers;
use super::layers::{begun, explore, is_of_layers, lock};
use super::walk::BreadthFirst;
use crate::ledger::{Chapter, Reader, Writer};
use crate::records::{Unusable, Words};
use crate::run::{Run, Stop, Stopped};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Two states far apart: the certificate of an eccentricity or a diameter.
/// That they are no farther apart than this is shown by [`path`](super::path); that they are no nearer, by
/// [`layers()`](super::layers()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Antipodes<S> {
    /// Where one starts.
    pub from: S,
    /// The state farthest from there.
    pub to: S,
    /// The number of moves of a shortest path from the one to the other.
    pub distance: u64,
}

impl<S: Words> Words for Antipodes<S> {
    fn put(&self, words: &mut Vec<u64>) {
        self.from.put(words);
        self.to.put(words);
        self.distance.put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        Some(Antipodes { from: S::take(words)?, to: S::take(words)?, distance: u64::take(words)? })
    }
}

impl<S> Antipodes<S> {
    /// Whether both are states of a space.
    fn is_of(&self, space: &impl StateSpace<State = S>) -> bool {
        space.holds(&self.from) && space.holds(&self.to)
    }
}

type Pair<P> = Antipodes<<P as StateSpace>::State>;

/// Finds a state farthest from the one given. When stopped, the error holds a state at
/// the greatest distance reached.
#[cfg(test)]
fn eccentricity<P: StateSpace>(
    space: &P,
    from: P::State,
    run: &Run,
) -> Result<Pair<P>, Stopped<Pair<P>>> {
    match layers(space, [from.clone()], run, &Chapter::unkept()) {
        Ok(found) => Ok(antipodes(from, found.farthest())),
        Err(Stopped { why, so_far: first }) => {
            let farthest = first.farthest.as_ref().map(|(to, distance)| (to, *distance));
            Err(Stopped { why, so_far: antipodes(from, farthest) })
        }
    }
}

/// A state with nothing found is its own antipode.
fn antipodes<S: Clone>(from: S, farthest: Option<(&S, u64)>) -> Antipodes<S> {
    let (to, distance) = farthest.unwrap_or((&from, 0));
    let to = to.clone();
    Antipodes { from, to, distance }
}

/// Finds the greatest eccentricity of the starts given: the diameter of the
/// space if there is one start of every symmetry class (all states will do).
/// `None` where there are no starts. When stopped, the error holds the farthest pair
/// known, whose distance the diameter reaches at least.
///
/// The starts are shared out among the threads of the run. Each thread holds a
/// set of states of its own, so fewer threads need less memory; the answer is
/// the same with any number of them.
pub fn diameter<P, I>(
    space: &P,
    starts: I,
    run: &Run,
    chapter: &Chapter,
) -> Result<Option<Pair<P>>, Stopped<Option<Pair<P>>>>
where
    P: StateSpace,
    I: IntoIterator<Item = P::State, IntoIter: Clone + Send>,
{
    let nothing = |why| Stopped { why, so_far: None };
    let damaged = || nothing(chapter.refuse(Unusable::Damaged));
    if let Some((handled, widest)) = chapter.result::<(u64, _)>().map_err(nothing)? {
        let widest: Option<Pair<P>> = widest;
        if !widest.iter().all(|pair| pair.is_of(space)) {
            return Err(damaged());
        }
        run.tick(handled).map_err(nothing)?;
        return Ok(widest);
    }
    let starts = starts.into_iter();
    let number = match starts.size_hint() {
        (low, Some(high)) if low == high => low as u64,
        _ => 0,
    };
    run.stage("eccentricities", number);

    // The first thread that must stop stops them all; what each had then.
    let stopped_at: Mutex<Vec<(usize, Pair<P>)>> = Mutex::default();
    let halt: OnceLock<Stop> = OnceLock::new();
    let proceed = |handled| {
        run.tick(handled)?;
        halt.get().map_or(Ok(()), |why| Err(why.clone()))
    };
    let proceed: &Proceed = &proceed;
    let mut survey = Survey { done: Vec::new(), handled: 0, widest: None, walks: BTreeMap::new() };
    if let Some(mut saved) = chapter.begun().map_err(nothing)? {
        survey = Survey::taken_up(space, run, proceed, &mut saved)
            .map_err(|why| nothing(chapter.refuse(why)))?;
        for (&place, walk) in &survey.walks {
            if starts.clone().nth(place).as_ref() != lock(walk).found.states.first() {
                return Err(damaged());
            }
        }
        let open = |walk: &Arc<Mutex<Search<'_, P>>>| lock(walk).left() as u64;
        let handled = survey.handled + survey.walks.values().map(open).sum::<u64>();
        run.tick(handled).map_err(nothing)?;
        run.step(survey.done.iter().map(|word| u64::from(word.count_ones())).sum());
    }
    let survey = Mutex::new(survey);
    let save = |out: &mut Writer| lock(&survey).put(out);
    let explored = |place: usize, from: P::State| -> Result<(), Stopped<Pair<P>>> {
        let resumed = lock(&survey).walks.get(&place).cloned();
        let walk = if let Some(walk) = resumed {
            walk
        } else {
            let walk = begun(space, [from.clone()], run, proceed).map_err(|stopped| Stopped {
                why: stopped.why,
                so_far: antipodes(from.clone(), None),
            })?;
            let walk = Arc::new(Mutex::new(walk));
            lock(&survey).walks.insert(place, Arc::clone(&walk));
            walk
        };
        let ended = explore(&walk, |_, _, _| (), || chapter.save_if_due(save));
        let mut survey = lock(&survey);
        let farthest = {
            let mut walk = lock(&walk);
            walk.report();
            antipodes(from, walk.farthest())
        };
        if let Err(why) = ended {
            return Err(Stopped { why, so_far: farthest });
        }
        survey.finish(place, &lock(&walk), farthest);
        Ok(())
    };
    run.parallel(|| {
        starts
            .enumerate()
            // Once stopped, the starts that are left are not even drawn.
            .take_while(|_| halt.get().is_none())
            .par_bridge()
            .for_each(|(place, from)| {
                if lock(&survey).is_done(place) {
                    return;
                }
                if let Err(Stopped { why, so_far }) = explored(place, from) {
                    halt.get_or_init(|| why);
                    // It is farthest of what is known, and is not saved as more.
                    lock(&stopped_at).push((place, so_far));
                }
                run.step(1);
            });
    });
    match halt.get().cloned() {
        None => {
            let survey = survey.into_inner().unwrap_or_else(PoisonError::into_inner);
            let widest = survey.widest.map(|(_, pair)| pair);
            chapter.finish(&(survey.handled, widest.clone()));
            Ok(widest)
        }
        Some(why) => {
            chapter.put_aside(save);
            let survey = survey.into_inner().unwrap_or_else(PoisonError::into_inner);
            let known = stopped_at.into_inner().unwrap_or_else(PoisonError::into_inner);
            let known = known.into_iter().chain(survey.widest);
            let so_far = known.reduce(farther).map(|(_, pair)| pair);
            Err(Stopped { why, so_far })
        }
    }
}

/// Of pairs equally far apart the one that comes first in the starts, so that the threads have
/// no say in the answer.
fn farther<S>(a: (usize, Antipodes<S>), b: (usize, Antipodes<S>)) -> (usize, Antipodes<S>) {
    let key = |(place, pair): &(usize, Antipodes<S>)| (pair.distance, Reverse(*place));
    if key(&a) >= key(&b) { a } else { b }
}

type Proceed<'p> = dyn Fn(u64) -> Result<(), Stop> + Sync + 'p;
type Search<'a, P> = BreadthFirst<'a, P, &'a Proceed<'a>>;

/// What is known of the starts.
struct Survey<'a, P: StateSpace> {
    /// A bit for each start that is done.
    done: Vec<u64>,
    /// States handled from these.
    handled: u64,
    /// The widest pair among them, and which start it is of.
    widest: Option<(usize, Pair<P>)>,
    /// The searches that go on.
    walks: BTreeMap<usize, Arc<Mutex<Search<'a, P>>>>,
}

/// More starts than can ever be searched.
const MOST_STARTS: usize = 1 << 40;

impl<'a, P: StateSpace> Survey<'a, P> {
    fn is_done(&self, place: usize) -> bool {
        self.done.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Takes note of a start that is done.
    fn finish(&mut self, place: usize, walk: &Search<'a, P>, pair: Pair<P>) {
        self.handled += walk.left() as u64;
        self.walks.remove(&place);
        if self.done.len() <= place / 64 {
            self.done.resize(place / 64 + 1, 0);
        }
        self.done[place / 64] |= 1 << (place % 64);
        let known = self.widest.take().into_iter().chain([(place, pair)]);
        self.widest = known.reduce(farther);
    }

    fn put(&self, out: &mut Writer) -> io::Result<()> {
        let places: Vec<usize> = self.walks.keys().copied().collect();
        out.put(&(self.done.clone(), (self.handled, places), self.widest.clone()))?;
        self.walks.values().try_for_each(|walk| lock(walk).put(out))
    }

    fn taken_up(
        space: &'a P,
        run: &Run,
        proceed: &'a Proceed<'a>,
        saved: &mut Reader,
    ) -> Result<Self, Unusable> {
        type Head<P> = (Vec<u64>, (u64, Vec<usize>), Option<(usize, Pair<P>)>);
        let (done, (handled, places), widest): Head<P> = saved.take()?;
        let mut survey = Survey { done, handled, widest, walks: BTreeMap::new() };
        let is_known =
            |(place, pair): &(usize, Pair<P>)| survey.is_done(*place) && pair.is_of(space);
        if handled >= 1 << 60 || !survey.widest.iter().all(is_known) {
            return Err(Unusable::Damaged);
        }
        for place in places {
            let walk = BreadthFirst::taken_up(space, run, proceed, saved)?;
            let fits = place < MOST_STARTS && !survey.is_done(place) && is_of_layers(&walk);
            let before = survey.walks.insert(place, Arc::new(Mutex::new(walk)));
            if !fits || before.is_some() {
                return Err(Unusable::Damaged);
            }
        }
        if saved.left() > 0 { Err(Unusable::Damaged) } else { Ok(survey) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::path;
    use super::super::testing::{Folder, Graph, Line, Slide, graphs};
    use super::*;
    use crate::run::Budget;
    use proptest::prelude::*;

    #[test]
    fn sliding_puzzles_have_their_known_numbers() {
        for (rows, columns, god) in [(2, 2, 6), (2, 3, 21)] {
            let puzzle = Slide { rows, columns };
            // One start for each place of the blank, all of them arrangements:
            // renaming the tiles is a symmetry.
            let starts: Vec<_> = (0..rows * columns)
                .map(|blank| {
                    let mut state = puzzle.solved();
                    state.swap(0, blank);
                    state
                })
                .collect();
            let run = Run::new(Budget { threads: 2, ..Budget::default() });
            let widest =
                diameter(&puzzle, starts.clone(), &run, &Chapter::unkept()).unwrap().unwrap();
            assert_eq!(widest.distance, god);
            let way = path(&puzzle, widest.from.clone(), &widest.to, &run).unwrap().unwrap();
            assert_eq!(way.len() as u64, god + 1);
            // The classes say the same as all states do.
            let all = diameter(&puzzle, puzzle.all(), &run, &Chapter::unkept()).unwrap().unwrap();
            assert_eq!(all.distance, god);
        }
    }

    #[test]
    fn no_starts_have_no_diameter() {
        assert_eq!(diameter(&Line(5), [], &Run::default(), &Chapter::unkept()), Ok(None));
    }

    #[test]
    fn limits_stop_with_the_farthest_pair_known() {
        for threads in [1, 2] {
            let run = Run::new(Budget { memory: Some(1 << 16), threads, ..Budget::default() });
            let stopped =
                diameter(&Line(100_000), 0..100_000, &run, &Chapter::unkept()).unwrap_err();
            assert!(matches!(stopped.why, Stop::Memory { limit: 65_536, .. }), "{stopped}");
            let pair = stopped.so_far.unwrap();
            assert_eq!(pair.from.abs_diff(pair.to), pair.distance);
            assert!(pair.distance > 0);
            assert_eq!(run.progress().bytes, 0);

            run.cancel();
            let stopped = diameter(&Line(9), 3..9, &run, &Chapter::unkept()).unwrap_err();
            assert_eq!(stopped.why, Stop::Cancelled);
            assert_eq!(stopped.so_far.unwrap().distance, 0);
            let stopped = eccentricity(&Line(9), 4, &run).unwrap_err();
            let so_far = Antipodes { from: 4, to: 4, distance: 0 };
            assert_eq!(stopped, Stopped { why: Stop::Cancelled, so_far });
        }
    }

    #[test]
    fn progress_counts_the_starts() {
        let run = Run::default();
        let widest = diameter(&Line(10), 3..7, &run, &Chapter::unkept()).unwrap().unwrap();
        // 3 and 6 are as far from their ends; 3 comes first.
        assert_eq!(widest, Antipodes { from: 3, to: 9, distance: 6 });
        assert_eq!(run.progress().steps, Some((4, 4)));
        assert_eq!(run.progress().handled, 40);
    }

    proptest! {
        #[test]
        fn the_diameter_agrees_with_floyd_and_warshall(graph in graphs(false)) {
            let distances = graph.distances();
            let farthest = |from: usize| distances.greatest(from);
            for from in 0..graph.size() {
                let pair = eccentricity(&graph, from, &Run::default()).unwrap();
                prop_assert_eq!(pair.distance, farthest(from));
                prop_assert_eq!(distances.between(from, pair.to), Some(pair.distance));
            }
            let greatest = (0..graph.size()).map(farthest).max().unwrap();
            let first = (0..graph.size()).find(|&from| farthest(from) == greatest);
            let answers = [1, 2].map(|threads| {
                let run = Run::new(Budget { threads, ..Budget::default() });
                diameter(&graph, 0..graph.size(), &run, &Chapter::unkept()).unwrap().unwrap()
            });
            prop_assert_eq!(&answers[0], &answers[1]);
            prop_assert_eq!(answers[0].distance, greatest);
            prop_assert_eq!(Some(answers[0].from), first);
            prop_assert_eq!(distances.between(answers[0].from, answers[0].to), Some(greatest));
        }
    }

    #[test]
    fn a_space_in_parts_has_the_diameter_of_its_widest() {
        let graph = Graph::new(6, &[(0, 1), (2, 3), (3, 4)], true);
        let widest = diameter(&graph, 0..6, &Run::default(), &Chapter::unkept()).unwrap();
        assert_eq!(widest, Some(Antipodes { from: 2, to: 4, distance: 2 }));
    }

    #[test]
    fn a_diameter_goes_on_where_it_was_stopped() {
        let line = Line(6000);
        let starts = || [0, 2000, 5000, 5999, 1, 3000];
        let plain = Run::default();
        let whole = diameter(&line, starts(), &plain, &Chapter::unkept()).unwrap();
        let folder = Folder::new("diameter");
        let (widest, runs, handled) =
            folder.until_done(|run, chapter| diameter(&line, starts(), run, chapter).ok());
        assert_eq!((widest, handled), (whole.clone(), plain.progress().handled));
        assert!(runs > 2, "{runs}");
        // What is done is given again at once.
        let (widest, runs, _) =
            folder.until_done(|run, chapter| diameter(&line, starts(), run, chapter).ok());
        assert_eq!((widest, runs), (whole, 1));
    }

    #[test]
    fn starts_that_cannot_be_are_refused() {
        let folder = Folder::new("forged-diameter");
        let refuses = |done: u64, places: &[usize], widest: Option<(usize, Antipodes<u64>)>| {
            let head = (vec![done], (7u64, places.to_vec()), widest);
            let mut records = vec![head.to_words()];
            for _ in places {
                records.extend([([1usize, 3, 3], vec![0usize, 1]).to_words(), vec![4, 3, 5]]);
            }
            folder.refuses(&records, |run, chapter| {
                let _ = diameter(&Line(9), [1, 4, 8], run, chapter);
            })
        };
        let pair = |to| Antipodes { from: 1, to, distance: 7 };
        assert!(!refuses(1, &[1], Some((0, pair(8)))));
        assert!(refuses(1, &[1], Some((0, pair(9)))), "no state");
        assert!(refuses(1, &[1], Some((1, pair(8)))), "of a start that is not done");
        assert!(refuses(1, &[0], Some((0, pair(8)))), "done and not done");
        assert!(refuses(1, &[1, 1], Some((0, pair(8)))));
        assert!(refuses(1, &[2], Some((0, pair(8)))), "another start");
    }
}
