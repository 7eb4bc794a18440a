//! The one breadth-first loop that all of exploring is made of.

use super::StateSpace;
use crate::ledger::{Reader, Writer};
use crate::records::{PIECE, Unusable, Words};
use crate::run::{Claim, Run, Stop};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::io;
use std::mem::size_of;

/// States handled between two looks at the clock.
pub(super) const TICK: u64 = 4096;

/// States that the smallest set holds. A table of 2ⁿ slots holds 7/8 of 2ⁿ
/// states, so from here every doubling is exactly what the table takes.
const SMALLEST: usize = 448;

/// The states reached, in the order in which they were, cut into stretches.
#[derive(Debug)]
pub(super) struct Found<S> {
    pub(super) states: IndexSet<S, FxBuildHasher>,
    /// Where each stretch begins; the last one ends with the states.
    begins: Vec<usize>,
    heap_bytes: usize,
    run: Run,
    claim: Claim,
}

impl<S: Eq + Hash> Found<S> {
    pub(super) fn new(heap_bytes: usize, run: &Run) -> Self {
        Found {
            states: IndexSet::default(),
            begins: Vec::new(),
            heap_bytes,
            run: run.clone(),
            claim: run.claim(),
        }
    }

    /// Puts a state in; gives its index and whether it is new.
    fn insert(&mut self, state: S) -> Result<(usize, bool), Stop> {
        if self.states.len() == self.states.capacity() {
            // A full set grows only for a state that it does not hold yet.
            if let Some(index) = self.states.get_index_of(&state) {
                return Ok((index, false));
            }
            self.make_room()?;
        }
        Ok(self.states.insert_full(state))
    }

    /// Doubles the set, if memory allows.
    fn make_room(&mut self) -> Result<(), Stop> {
        let held = self.states.capacity();
        let wanted = (2 * held).max(SMALLEST);
        // While entries move house, the old ones and the new ones both exist.
        let moving = (held * Self::entry_bytes()) as u64;
        self.claim.grow_to(self.bytes(wanted, self.begins.capacity()) + moving)?;
        if self.states.try_reserve(wanted - self.states.len()).is_err() {
            // The machine has less than the budget allows. What all hold without
            // this growth is then the limit, found the hard way.
            let needed = self.run.progress().bytes;
            self.claim.grow_to(self.bytes(held, self.begins.capacity()))?;
            return Err(Stop::Memory { needed, limit: self.run.progress().bytes });
        }
        self.claim.grow_to(self.bytes(self.states.capacity(), self.begins.capacity()))
    }

    /// Begins a stretch at the state of this index.
    pub(super) fn begin_stretch(&mut self, index: usize) -> Result<(), Stop> {
        if self.begins.len() == self.begins.capacity() {
            let held = self.begins.capacity();
            let wanted = (2 * held).max(64);
            self.claim.grow_to(self.bytes(self.states.capacity(), held + wanted))?;
            self.begins.reserve_exact(wanted - self.begins.len());
            self.claim.grow_to(self.bytes(self.states.capacity(), wanted))?;
        }
        self.begins.push(index);
        Ok(())
    }

    /// Number of stretches.
    pub(super) fn stretches(&self) -> usize {
        self.begins.len()
    }

    /// The indices of one stretch.
    pub(super) fn stretch(&self, number: usize) -> std::ops::Range<usize> {
        let end = self.begins.get(number + 1).copied().unwrap_or(self.states.len());
        self.begins.get(number).copied().unwrap_or(end)..end
    }

    /// A farthest one of the states, and its distance, where the stretches are layers of which
    /// the first `whole` states are whole. Breadth first, so even a state of a layer begun has
    /// its exact distance.
    pub(super) fn farthest(&self, whole: usize) -> Option<(&S, u64)> {
        let layers = self.stretches();
        let (index, distance) = if whole < self.states.len() {
            (whole, layers)
        } else {
            let last = layers.saturating_sub(1);
            (self.stretch(last).start, last)
        };
        Some((self.states.get_index(index)?, distance as u64))
    }

    /// The stretch in which a state lies.
    pub(super) fn stretch_of(&self, state: &S) -> Option<usize> {
        let index = self.states.get_index_of(state)?;
        self.begins.partition_point(|&begin| begin <= index).checked_sub(1)
    }

    /// What an entry takes: the state and its hash, aligned.
    fn entry_bytes() -> usize {
        size_of::<(usize, S)>()
    }

    fn bytes(&self, states: usize, begins: usize) -> u64 {
        // A slot of the table is an index and a byte.
        let slots = if states == 0 { 0 } else { (states * 8).div_ceil(7).next_power_of_two() };
        let bytes = states * (Self::entry_bytes() + self.heap_bytes)
            + slots * (size_of::<usize>() + 1)
            + begins * size_of::<usize>();
        bytes as u64
    }
}

/// How far a walk has gone.
pub(super) enum Gone {
    /// There is more to do in this layer.
    On,
    /// The layer is done, and there is another.
    ToTheNext,
    /// There is no other layer.
    ToTheEnd,
}

/// A breadth-first walk that has come as far as `head`: the states before it
/// have been left by all their moves.
pub(super) struct BreadthFirst<'a, P: StateSpace, F> {
    space: &'a P,
    pub(super) found: Found<P::State>,
    head: usize,
    /// States of the layers that are known whole.
    pub(super) whole: usize,
    /// Gets the number of states handled, and says whether to go on.
    proceed: F,
    unreported: u64,
    offered: u64,
    /// The states one move from the head. They wait here because the set cannot
    /// grow while the head is lent out of it; else every state would be cloned.
    next: Vec<P::State>,
}

impl<'a, P: StateSpace, F: FnMut(u64) -> Result<(), Stop>> BreadthFirst<'a, P, F> {
    /// A walk that has not begun. The memory is claimed from `run`; `proceed` is
    /// called with the states handled, every few thousand.
    pub(super) fn new(space: &'a P, run: &Run, proceed: F) -> Self {
        BreadthFirst {
            space,
            found: Found::new(space.heap_bytes(), run),
            head: 0,
            whole: 0,
            proceed,
            unreported: 0,
            offered: 0,
            next: Vec::new(),
        }
    }

    /// A walk that was saved; see [`BreadthFirst::put`]. The memory is claimed as it is read.
    pub(super) fn taken_up(
        space: &'a P,
        run: &Run,
        proceed: F,
        saved: &mut Reader,
    ) -> Result<Self, Unusable> {
        let mut walk = BreadthFirst::new(space, run, proceed);
        let ([head, whole, states], begins): ([usize; 3], Vec<usize>) = saved.take()?;
        while walk.found.states.len() < states {
            let words = saved.record()?;
            let mut words = &words[..];
            while !words.is_empty() {
                let state = P::State::take(&mut words).filter(|state| space.holds(state));
                let state = state.ok_or(Unusable::Damaged)?;
                let (_, is_new) = walk.found.insert(state).map_err(Unusable::Stop)?;
                if !is_new {
                    return Err(Unusable::Damaged);
                }
            }
            run.check().map_err(Unusable::Stop)?;
        }
        let rise = begins.windows(2).all(|pair| pair[0] < pair[1]);
        let fit = rise
            && begins.first().is_none_or(|&first| first == 0)
            && begins.last().is_none_or(|&last| last < states)
            && head <= states
            && whole <= states
            && begins.is_empty() == (states == 0)
            && walk.found.states.len() == states;
        if !fit {
            return Err(Unusable::Damaged);
        }
        for begin in begins {
            walk.found.begin_stretch(begin).map_err(Unusable::Stop)?;
        }
        (walk.head, walk.whole) = (head, whole);
        Ok(walk)
    }

    /// Saves the walk: how far it has come, and the states in their order.
    pub(super) fn put(&self, out: &mut Writer) -> io::Result<()> {
        let states = &self.found.states;
        out.put(&([self.head, self.whole, states.len()], self.found.begins.clone()))?;
        let mut words = Vec::with_capacity(PIECE);
        for state in states {
            state.put(&mut words);
            if words.len() >= PIECE {
                out.record(&words)?;
                words.clear();
            }
        }
        if words.is_empty() { Ok(()) } else { out.record(&words) }
    }

    /// A farthest one of the states reached, and its distance.
    pub(super) fn farthest(&self) -> Option<(&P::State, u64)> {
        self.found.farthest(self.whole)
    }

    /// States that have been left by all their moves.
    pub(super) fn left(&self) -> usize {
        self.head
    }

    /// Adds a start; gives its index and whether it is new.
    pub(super) fn start(&mut self, state: P::State) -> Result<(usize, bool), Stop> {
        // The first look is at once: a job that is cancelled already does nothing.
        if self.offered.is_multiple_of(TICK) {
            (self.proceed)(0)?;
        }
        self.offered += 1;
        self.found.insert(state)
    }

    /// Adds all starts as the first layer.
    pub(super) fn first_layer(
        &mut self,
        starts: impl IntoIterator<Item = P::State>,
    ) -> Result<(), Stop> {
        for state in starts {
            self.start(state)?;
        }
        self.close_layer().map(|_| ())
    }

    /// Finds the next layer from the last; says whether there was one.
    pub(super) fn next_layer(&mut self) -> Result<bool, Stop> {
        self.leave_until(self.whole, |_, _| ())?;
        self.close_layer()
    }

    /// Goes on towards the next layer, for a few thousand states at most.
    pub(super) fn go_on(&mut self) -> Result<Gone, Stop> {
        self.leave_until(self.whole.min(self.head + TICK as usize), |_, _| ())?;
        if self.head < self.whole {
            return Ok(Gone::On);
        }
        Ok(if self.close_layer()? { Gone::ToTheNext } else { Gone::ToTheEnd })
    }

    fn close_layer(&mut self) -> Result<bool, Stop> {
        let more = self.whole < self.found.states.len();
        if more {
            self.found.begin_stretch(self.whole)?;
            self.whole = self.found.states.len();
        }
        Ok(more)
    }

    /// Leaves all states before `end` by all their moves, and shows the two
    /// indices of every move to `look`.
    pub(super) fn leave_until(
        &mut self,
        end: usize,
        mut look: impl FnMut(usize, usize),
    ) -> Result<(), Stop> {
        while self.head < end {
            self.next.clear();
            self.space.moves(&self.found.states[self.head], |state| self.next.push(state));
            for state in self.next.drain(..) {
                let (index, _) = self.found.insert(state)?;
                look(self.head, index);
            }
            self.head += 1;
            self.unreported += 1;
            if self.unreported == TICK {
                self.unreported = 0;
                (self.proceed)(TICK)?;
            }
        }
        Ok(())
    }

    /// Reports what was handled since the last report, at the end of the walk.
    pub(super) fn report(&mut self) {
        // Whether the job may go on no longer matters here: this part is over.
        let _ = (self.proceed)(std::mem::take(&mut self.unreported));
    }

    /// Ends the walk, complete or not, and gives what it found.
    pub(super) fn finish(mut self) -> Found<P::State> {
        self.report();
        self.found
    }
}
