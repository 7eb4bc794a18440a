//! What falls apart into what.
//!
//! Moves are assumed to be **reversible**: where a move leads from one state to
//! another, one leads back. Then a component is the same from whichever of its
//! states it is explored. Where it does not hold and this could change the answer,
//! [`components()`] notices and gives no answer: a move then leads from a component
//! into an earlier one. So what it gives are, in any case, the parts between
//! which no move leads at all.

use super::StateSpace;
use super::walk::{BreadthFirst, Found, TICK};
use crate::ledger::{Chapter, Writer};
use crate::records::Unusable;
use crate::run::{Run, Stop};
use std::fmt;
use std::hash::Hash;
use std::io;

/// The components that the starts of a space lie in.
///
/// It holds every state, and the memory stays claimed until it is dropped.
#[derive(Debug)]
pub struct Components<S>(Found<S>);

/// A part of a space that no move leads out of or into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component<'a, S> {
    /// One of its states: the start from which it was found.
    pub representative: &'a S,
    /// The number of its states.
    pub size: u64,
}

/// A move that cannot be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneWay<S> {
    /// The state the move leaves.
    pub from: S,
    /// The state it leads to, which has no move back.
    pub to: S,
}

/// Why there are no components to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComponentsError<S> {
    /// A limit was hit.
    Stopped(Stop),
    /// Moves are not reversible: this one is not.
    OneWay(OneWay<S>),
}

impl<S> From<Stop> for ComponentsError<S> {
    fn from(stop: Stop) -> Self {
        ComponentsError::Stopped(stop)
    }
}

impl<S> fmt::Display for ComponentsError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComponentsError::Stopped(stop) => stop.fmt(f),
            ComponentsError::OneWay(_) => {
                write!(f, "components need moves that can be undone, and one was met that cannot")
            }
        }
    }
}

impl<S: fmt::Debug> std::error::Error for ComponentsError<S> {}

/// Finds the component of every start of the space. The chapter stays open: what the components
/// are good for is for the caller to know, who [finishes](Chapter::finish) it.
pub fn components<P: StateSpace>(
    space: &P,
    run: &Run,
    chapter: &Chapter,
) -> Result<Components<P::State>, ComponentsError<P::State>> {
    run.stage("components", 0);
    let proceed = |handled| run.tick(handled);
    let (mut walk, mut drawn) = match chapter.begun()? {
        None => (BreadthFirst::new(space, run, proceed), 0),
        Some(mut saved) => {
            let taken_up = saved.take::<usize>().and_then(|drawn| {
                let walk = BreadthFirst::taken_up(space, run, proceed, &mut saved)?;
                let fits = walk.found.stretches() <= drawn && saved.left() == 0;
                if fits { Ok((walk, drawn)) } else { Err(Unusable::Damaged) }
            });
            let (walk, drawn) = taken_up.map_err(|why| chapter.refuse(why))?;
            run.tick(walk.left() as u64)?;
            (walk, drawn)
        }
    };
    // The component that was being walked, if it was not done.
    let last = walk.found.stretches().checked_sub(1).map(|last| walk.found.stretch(last).start);
    let mut starts = space.starts().skip(drawn);
    let mut open = last.filter(|_| walk.left() < walk.found.states.len());
    loop {
        let begin = if let Some(begin) = open.take() {
            begin
        } else {
            let Some(start) = starts.next() else { break };
            let (begin, is_new) = match walk.start(start) {
                Ok(started) => started,
                Err(stop) => {
                    chapter.put_aside(|out| put(drawn, &walk, out));
                    return Err(stop.into());
                }
            };
            drawn += 1;
            if !is_new {
                continue;
            }
            walk.found.begin_stretch(begin)?;
            begin
        };
        let mut into_earlier = None;
        loop {
            // What is left at once is looked at as a whole before it can be saved.
            let end = walk.found.states.len().min(walk.left() + TICK as usize);
            let left = walk.leave_until(end, |from, to| {
                if to < begin {
                    into_earlier.get_or_insert((from, to));
                }
            });
            if let Some((from, to)) = into_earlier {
                let state = |index: usize| walk.found.states[index].clone();
                return Err(ComponentsError::OneWay(OneWay { from: state(from), to: state(to) }));
            }
            if let Err(stop) = left {
                chapter.put_aside(|out| put(drawn, &walk, out));
                return Err(stop.into());
            }
            chapter.save_if_due(|out| put(drawn, &walk, out));
            if end == walk.found.states.len() && walk.left() == end {
                break;
            }
        }
    }
    Ok(Components(walk.finish()))
}

/// Saves how many starts were drawn, and the walk.
fn put<P: StateSpace, F: FnMut(u64) -> Result<(), Stop>>(
    drawn: usize,
    walk: &BreadthFirst<'_, P, F>,
    out: &mut Writer,
) -> io::Result<()> {
    out.put(&drawn)?;
    walk.put(out)
}

impl<S: Eq + Hash> Components<S> {
    /// The components of two states or more, in the order of the starts.
    pub fn joined(&self) -> impl Iterator<Item = Component<'_, S>> {
        (0..self.0.stretches()).map(|number| self.component(number)).filter(|c| c.size > 1)
    }

    /// The number of isolated states, from which no move leads elsewhere.
    pub fn isolated(&self) -> u64 {
        (0..self.0.stretches()).filter(|&n| self.0.stretch(n).len() == 1).count() as u64
    }

    /// The states of each component, isolated ones among them, in the order of the starts.
    pub fn states(&self) -> impl Iterator<Item = impl Iterator<Item = &S>> {
        let states = |number| self.0.stretch(number).map(|index| &self.0.states[index]);
        (0..self.0.stretches()).map(states)
    }

    /// The number of states in all components and of isolated ones.
    pub fn total(&self) -> u64 {
        self.0.states.len() as u64
    }

    /// The component of a state, of size 1 if it is isolated; `None` if it can
    /// be reached from no start.
    pub fn of(&self, state: &S) -> Option<Component<'_, S>> {
        Some(self.component(self.0.stretch_of(state)?))
    }

    fn component(&self, number: usize) -> Component<'_, S> {
        let range = self.0.stretch(number);
        Component { representative: &self.0.states[range.start], size: range.len() as u64 }
    }
}

/// Looks at every move from the states given; gives the first that no move undoes.
#[cfg(test)]
fn check_reversible<P: StateSpace>(
    space: &P,
    states: impl IntoIterator<Item = P::State>,
    run: &Run,
) -> Result<Option<OneWay<P::State>>, Stop> {
    run.stage("moves back", 0);
    let mut next = Vec::new();
    let mut handled = 0;
    for from in states {
        if handled % TICK == 0 {
            run.tick(handled)?;
            handled = 0;
        }
        handled += 1;
        space.moves(&from, |to| next.push(to));
        for to in next.drain(..) {
            let mut back = false;
            space.moves(&to, |state| back |= state == from);
            if !back {
                return Ok(Some(OneWay { from, to }));
            }
        }
    }
    // All states given have been looked at, so no limit matters any longer.
    let _ = run.tick(handled);
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Folder, Graph, Line, Slide, graphs};
    use super::*;
    use crate::run::Budget;
    use proptest::prelude::*;

    #[test]
    fn half_of_all_arrangements_can_be_solved() {
        for (puzzle, size) in
            [(Slide { rows: 2, columns: 2 }, 12), (Slide { rows: 2, columns: 3 }, 360)]
        {
            let run = Run::default();
            let found = components(&puzzle, &run, &Chapter::unkept()).unwrap();
            assert_eq!(found.joined().map(|c| c.size).collect::<Vec<_>>(), [size, size]);
            assert_eq!((found.isolated(), found.total()), (0, 2 * size));
            assert_eq!(run.progress().handled, 2 * size);
            let mut swapped = puzzle.solved();
            swapped.swap(1, 2);
            assert_ne!(found.of(&swapped), found.of(&puzzle.solved()));
            assert_eq!(check_reversible(&puzzle, puzzle.starts(), &run), Ok(None));
        }
    }

    #[test]
    fn isolated_states_are_counted_apart() {
        // 3 has a move, but only to itself.
        let graph = Graph::new(5, &[(1, 2), (3, 3)], true);
        let found = components(&graph, &Run::default(), &Chapter::unkept()).unwrap();
        let joined: Vec<_> = found.joined().collect();
        assert_eq!(joined, [Component { representative: &1, size: 2 }]);
        assert_eq!(found.isolated(), 3);
        assert_eq!(found.of(&2), Some(joined[0]));
        assert_eq!(found.of(&3), Some(Component { representative: &3, size: 1 }));
        assert_eq!(found.of(&5), None);
    }

    #[test]
    fn a_move_that_cannot_be_undone_gives_no_components() {
        let graph = Graph::new(3, &[(2, 0)], false);
        let one_way = OneWay { from: 2, to: 0 };
        let error = components(&graph, &Run::default(), &Chapter::unkept()).unwrap_err();
        assert_eq!(error, ComponentsError::OneWay(one_way.clone()));
        assert_eq!(check_reversible(&graph, 0..3, &Run::default()), Ok(Some(one_way)));
    }

    #[test]
    fn limits_stop() {
        let run = Run::new(Budget { memory: Some(1 << 16), ..Budget::default() });
        let error = components(&Line(100_000), &run, &Chapter::unkept()).unwrap_err();
        assert!(matches!(error, ComponentsError::Stopped(Stop::Memory { limit: 65_536, .. })));
        run.cancel();
        let error = components(&Line(5), &run, &Chapter::unkept()).unwrap_err();
        assert_eq!(error, ComponentsError::Stopped(Stop::Cancelled));
        assert_eq!(check_reversible(&Line(5), 0..5, &run), Err(Stop::Cancelled));
    }

    /// Many isolated states: the list of components is claimed too.
    #[test]
    fn the_list_of_components_is_claimed() {
        let graph = Graph::new(100, &[], true);
        let run = Run::default();
        let found = components(&graph, &run, &Chapter::unkept()).unwrap();
        assert_eq!((found.isolated(), found.joined().count()), (100, 0));
        assert_eq!(run.progress().bytes, 448 * 16 + 512 * 9 + 128 * 8);
    }

    proptest! {
        #[test]
        fn components_agree_with_floyd_and_warshall(graph in graphs(true)) {
            let run = Run::default();
            let distances = graph.distances();
            let found = components(&graph, &run, &Chapter::unkept()).unwrap();
            prop_assert_eq!(found.total(), graph.size() as u64);
            let mut joined = Vec::new();
            let mut isolated = 0;
            for state in 0..graph.size() {
                let mine = || (0..graph.size()).filter(|&other| distances.between(state, other).is_some());
                let size = mine().count() as u64;
                let least = mine().next().unwrap();
                prop_assert_eq!(found.of(&state), Some(Component { representative: &least, size }));
                match (least == state, size) {
                    (true, 1) => isolated += 1,
                    (true, _) => joined.push(size),
                    _ => (),
                }
            }
            prop_assert_eq!(found.joined().map(|c| c.size).collect::<Vec<_>>(), joined);
            prop_assert_eq!(found.isolated(), isolated);
            prop_assert_eq!(check_reversible(&graph, graph.starts(), &run), Ok(None));
        }

        /// Whatever the moves: either a move without return is shown, or no move
        /// leads from one component to another.
        #[test]
        fn one_way_moves_never_give_wrong_components(graph in graphs(false)) {
            let run = Run::default();
            let one_way = check_reversible(&graph, graph.starts(), &run).unwrap();
            let expected = graph
                .starts()
                .flat_map(|a| graph.starts().map(move |b| (a, b)))
                .any(|(a, b)| graph.joined(a, b) && !graph.joined(b, a));
            prop_assert_eq!(one_way.is_some(), expected);
            match components(&graph, &run, &Chapter::unkept()) {
                Ok(found) => for a in graph.starts() {
                    for b in graph.starts().filter(|&b| graph.joined(a, b)) {
                        prop_assert_eq!(found.of(&a), found.of(&b));
                    }
                },
                Err(ComponentsError::OneWay(OneWay { from, to })) => {
                    prop_assert!(graph.joined(from, to) && !graph.joined(to, from));
                }
                Err(ComponentsError::Stopped(stop)) => prop_assert!(false, "{}", stop),
            }
        }
    }

    #[test]
    fn components_go_on_where_they_were_stopped() {
        let puzzle = Slide { rows: 2, columns: 4 };
        let plain = Run::default();
        let whole = components(&puzzle, &plain, &Chapter::unkept()).unwrap();
        let folder = Folder::new("components");
        let (found, runs, handled) =
            folder.until_done(|run, chapter| components(&puzzle, run, chapter).ok());
        assert!(found.0.states.iter().eq(whole.0.states.iter()));
        assert!(found.joined().eq(whole.joined()));
        assert_eq!((found.isolated(), handled), (0, plain.progress().handled));
        assert!(runs > 2, "{runs}");
    }
}
