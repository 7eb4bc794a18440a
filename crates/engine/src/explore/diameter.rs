//! How far apart the farthest states are.
//!
//! The distances counted are those between states that moves do join: a space of
//! several components has the diameter of its widest one.

use super::StateSpace;
#[cfg(test)]
use super::layers;
use super::layers::explore;
use crate::run::{Run, Stop, Stopped};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::sync::OnceLock;

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

type Pair<P> = Antipodes<<P as StateSpace>::State>;

/// Finds a state farthest from the one given. When stopped, the error holds a state at
/// the greatest distance reached.
#[cfg(test)]
fn eccentricity<P: StateSpace>(
    space: &P,
    from: P::State,
    run: &Run,
) -> Result<Pair<P>, Stopped<Pair<P>>> {
    match layers(space, [from.clone()], run) {
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
) -> Result<Option<Pair<P>>, Stopped<Option<Pair<P>>>>
where
    P: StateSpace,
    I: IntoIterator<Item = P::State, IntoIter: Send>,
{
    let starts = starts.into_iter();
    let number = match starts.size_hint() {
        (low, Some(high)) if low == high => low as u64,
        _ => 0,
    };
    run.stage("eccentricities", number);

    // The first thread that must stop stops them all.
    let halt: OnceLock<Stop> = OnceLock::new();
    let proceed = |handled| {
        run.tick(handled)?;
        halt.get().map_or(Ok(()), |why| Err(why.clone()))
    };
    let widest = run.parallel(|| {
        starts
            .enumerate()
            // Once stopped, the starts that are left are not even drawn.
            .take_while(|_| halt.get().is_none())
            .par_bridge()
            .map(|(place, from)| {
                let pair = match explore(space, [from.clone()], run, |_, _| (), proceed) {
                    Ok(found) => antipodes(from, found.farthest()),
                    Err(Stopped { why, so_far: first }) => {
                        halt.get_or_init(|| why);
                        let farthest = first.farthest.as_ref().map(|(to, far)| (to, *far));
                        antipodes(from, farthest)
                    }
                };
                run.step(1);
                (place, pair)
            })
            // Of pairs equally far apart the one that comes first in the starts,
            // so that the threads have no say in the answer.
            .reduce_with(|a, b| {
                let key = |(place, pair): &(usize, Antipodes<_>)| {
                    (pair.distance, std::cmp::Reverse(*place))
                };
                if key(&a) >= key(&b) { a } else { b }
            })
            .map(|(_, pair)| pair)
    });
    match halt.into_inner() {
        None => Ok(widest),
        Some(why) => Err(Stopped { why, so_far: widest }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::path;
    use super::super::testing::{Graph, Line, Slide, graphs};
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
            let widest = diameter(&puzzle, starts.clone(), &run).unwrap().unwrap();
            assert_eq!(widest.distance, god);
            let way = path(&puzzle, widest.from.clone(), &widest.to, &run).unwrap().unwrap();
            assert_eq!(way.len() as u64, god + 1);
            // The classes say the same as all states do.
            let all = diameter(&puzzle, puzzle.all(), &run).unwrap().unwrap();
            assert_eq!(all.distance, god);
        }
    }

    #[test]
    fn no_starts_have_no_diameter() {
        assert_eq!(diameter(&Line(5), [], &Run::default()), Ok(None));
    }

    #[test]
    fn limits_stop_with_the_farthest_pair_known() {
        for threads in [1, 2] {
            let run = Run::new(Budget { memory: Some(1 << 16), threads, ..Budget::default() });
            let stopped = diameter(&Line(100_000), 0..100_000, &run).unwrap_err();
            assert!(matches!(stopped.why, Stop::Memory { limit: 65_536, .. }), "{stopped}");
            let pair = stopped.so_far.unwrap();
            assert_eq!(pair.from.abs_diff(pair.to), pair.distance);
            assert!(pair.distance > 0);
            assert_eq!(run.progress().bytes, 0);

            run.cancel();
            let stopped = diameter(&Line(9), 3..9, &run).unwrap_err();
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
        let widest = diameter(&Line(10), 3..7, &run).unwrap().unwrap();
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
                diameter(&graph, 0..graph.size(), &run).unwrap().unwrap()
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
        let widest = diameter(&graph, 0..6, &Run::default()).unwrap();
        assert_eq!(widest, Some(Antipodes { from: 2, to: 4, distance: 2 }));
    }
}
