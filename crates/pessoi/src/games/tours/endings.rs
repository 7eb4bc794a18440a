//! The last cells: counted by recursion, and remembered.
//!
//! What can follow a partial tour depends on its fresh cells, its open cells and their mates, and
//! on nothing else. Where little is left, the same *ending* is met again and again after different
//! beginnings. So the last cells are not walked as nodes of a tree: their completions are counted
//! by plain recursion, and the numbers of the endings counted last are kept in a small table.
//!
//! The table is a cache. An ending has one place, by its hash; what is there is compared as a
//! whole, so two endings are equal only if they are equal, and the newer one replaces the other.
//! A search meets most endings again soon, so a table of half a megabyte, which stays in the
//! processor's own cache, is as good as one of a hundred: on 7×7 Diplomatico boards it saves two
//! thirds of the nodes, and one that forgets nothing four fifths.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::decide::decide;
use super::partial::{Bits, Moves, Partial, State, members};

/// Places of a table, as a power of two.
const PLACES: u32 = 14;
/// Endings of fewer cells are counted faster than they are looked up.
const FEWEST: u32 = 8;

/// An ending and the number of its completions.
#[derive(Clone, Copy)]
struct Ending<B> {
    fresh: B,
    open: B,
    /// The mates of the open cells, one number for each pair.
    mates: u64,
    /// Which beginning it belongs to; see [`Endings::below`].
    beginning: u32,
    /// Larger numbers are not kept.
    completions: u32,
}

impl<B: Bits> Ending<B> {
    /// What is not an ending of any tour.
    const NOTHING: Self =
        Ending { fresh: B::NONE, open: B::NONE, mates: 0, beginning: 0, completions: 0 };

    /// An ending, its number not known yet; `None` if it has too many open cells for a table.
    #[inline]
    fn of<const N: usize>(partial: &Partial<B, N>, beginning: u32) -> Option<Self> {
        let bits = N.trailing_zeros();
        let mut mates = 0u64;
        let mut room = 64 / bits;
        let mut open = partial.open;
        while open != B::NONE {
            room = room.checked_sub(1)?;
            let mate = partial.mate(open.first());
            open = open.without_first().without(B::of(mate));
            mates = mates << bits | mate as u64;
        }
        let (fresh, open) = (partial.fresh, partial.open);
        Some(Ending { fresh, open, mates, beginning, completions: 0 })
    }

    fn is(&self, other: &Self) -> bool {
        self.fresh == other.fresh
            && self.open == other.open
            && self.mates == other.mates
            && self.beginning == other.beginning
    }

    /// Its place in a table.
    #[inline]
    fn place(&self) -> usize {
        // Odd numbers without pattern, from the golden ratio and others.
        let mix = |word: u64, by: u64| word.wrapping_mul(by);
        let sets = mix(self.fresh.low_word(), 0x9e37_79b9_7f4a_7c15)
            ^ mix(self.fresh.high_word(), 0xff51_afd7_ed55_8ccd).rotate_left(17)
            ^ mix(self.open.low_word(), 0xc2b2_ae3d_27d4_eb4f).rotate_left(31)
            ^ mix(self.open.high_word(), 0xc4ce_b9fe_1a85_ec53).rotate_left(47)
            ^ mix(self.mates, 0x1656_67b1_9e37_79f9);
        let mixed = mix(sets ^ (sets >> 32), 0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - PLACES)) as usize
    }
}

/// Counts the completions of partial tours, with a table of endings unless there is no memory
/// for one.
pub(super) struct Endings<B> {
    table: Vec<Ending<B>>,
}

impl<B: Bits> Endings<B> {
    /// The memory of a table.
    const BYTES: usize = size_of::<Ending<B>>() << PLACES;

    /// The number of completions of a partial tour of which moves are still to be chosen.
    ///
    /// Partial tours of different beginnings share endings once the outside is done: before, what
    /// may be joined to it depends on the beginning.
    pub(super) fn below<const N: usize>(
        &mut self,
        moves: &Moves<B, N>,
        partial: &Partial<B, N>,
        outside: usize,
        beginning: u32,
    ) -> u64 {
        let mut place = None;
        if !self.table.is_empty() && partial.active().len() >= FEWEST {
            let shared = !partial.active().has(outside);
            if let Some(ending) = Ending::of(partial, if shared { 0 } else { 1 + beginning }) {
                let at = ending.place();
                let known = &self.table[at];
                if known.is(&ending) {
                    return u64::from(known.completions);
                }
                place = Some((at, ending));
            }
        }
        let mut completions = 0;
        let Some((cell, ways)) = decide(moves, partial) else { return 0 };
        let mut add = |first: usize, second: Option<usize>| {
            let mut next = *partial;
            completions += match next.decided(moves, cell, first, second) {
                State::Whole => 1,
                State::Dead => 0,
                State::Open => self.below(moves, &next, outside, beginning),
            };
        };
        if partial.open.has(cell) {
            members(ways).for_each(|way| add(way, None));
        } else {
            let mut later = ways;
            for first in members(ways) {
                later = later.without_first();
                members(later).for_each(|second| add(first, Some(second)));
            }
        }
        if let (Some((at, ending)), Ok(completions)) = (place, u32::try_from(completions)) {
            self.table[at] = Ending { completions, ..ending };
        }
        completions
    }
}

/// Tables that clones of a search lend each other.
pub(super) struct Shelf<B> {
    idle: Mutex<Vec<Endings<B>>>,
    /// Tables that may still be made.
    allowed: AtomicUsize,
}

impl<B: Bits> Shelf<B> {
    /// A shelf for so many tables; whoever comes later does without.
    pub(super) fn new(tables: usize) -> Self {
        Shelf { idle: Mutex::new(Vec::new()), allowed: AtomicUsize::new(tables) }
    }

    /// The memory of so many tables.
    pub(super) fn bytes(tables: usize) -> u64 {
        (tables * Endings::<B>::BYTES) as u64
    }

    fn lend(&self) -> Endings<B> {
        if let Ok(mut idle) = self.idle.lock()
            && let Some(endings) = idle.pop()
        {
            return endings;
        }
        let one_less = |left: usize| left.checked_sub(1);
        let is_allowed = self.allowed.fetch_update(Relaxed, Relaxed, one_less).is_ok();
        let table = if is_allowed { vec![Ending::NOTHING; 1 << PLACES] } else { Vec::new() };
        Endings { table }
    }

    fn take_back(&self, endings: Endings<B>) {
        if let Ok(mut idle) = self.idle.lock()
            && !endings.table.is_empty()
        {
            idle.push(endings);
        }
    }
}

/// A table on loan, once it is needed.
pub(super) struct Loan<B: Bits> {
    shelf: Arc<Shelf<B>>,
    endings: Option<Endings<B>>,
}

impl<B: Bits> Loan<B> {
    /// Nothing is lent yet.
    pub(super) fn from(shelf: Arc<Shelf<B>>) -> Self {
        Loan { shelf, endings: None }
    }

    /// Where it comes from.
    pub(super) fn shelf(&self) -> &Arc<Shelf<B>> {
        &self.shelf
    }

    /// The table.
    pub(super) fn endings(&mut self) -> &mut Endings<B> {
        self.endings.get_or_insert_with(|| self.shelf.lend())
    }
}

impl<B: Bits> Drop for Loan<B> {
    fn drop(&mut self) {
        if let Some(endings) = self.endings.take() {
            self.shelf.take_back(endings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hamiltonian cycles through cell 0, in both directions, by trying everything.
    fn tried(near: &[u64], head: usize, seen: u64) -> u64 {
        if seen.count_ones() as usize == near.len() {
            return near[head] & 1;
        }
        members(near[head] & !seen).map(|next| tried(near, next, seen | 1 << next)).sum()
    }

    #[test]
    fn closed_tours_of_random_graphs() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        let mut found = 0;
        for _ in 0..150 {
            let cells = 5 + random() as usize % 8;
            let mut near = vec![0u64; cells];
            let (mut moves, mut partial) = (Moves::<u64, 64>::none(), Partial::empty());
            for b in 0..cells {
                partial.add(b);
                for a in 0..b {
                    if random() % 2 == 0 {
                        moves.join(a, b);
                        near[a] |= 1 << b;
                        near[b] |= 1 << a;
                    }
                }
            }
            let expected = tried(&near, 0, 1) / 2;
            found += expected;
            let state = partial.propagate(&moves, partial.active());
            let number = |loan: &mut Loan<u64>| match state {
                State::Whole => 1,
                State::Dead => 0,
                State::Open => loan.endings().below(&moves, &partial, 63, 0),
            };
            // Without a table; with one; and looked up in it.
            let without = &mut Loan::from(Arc::new(Shelf::new(0)));
            let with = &mut Loan::from(Arc::new(Shelf::new(1)));
            let numbers = [number(without), number(with), number(with)];
            assert_eq!(numbers, [expected; 3], "{near:?}");
        }
        assert!(found > 10_000, "{found}");
    }

    #[test]
    fn endings_are_told_apart() {
        // Open cells 0 to 3 in two pieces, and a fresh cell.
        let ending = |pairs: [(usize, usize); 2], beginning: u32| {
            let mut partial = Partial::<u64, 64>::empty();
            partial.add(4);
            for (a, b) in pairs {
                partial.add_open(a, b);
                partial.add_open(b, a);
            }
            Ending::of(&partial, beginning).unwrap()
        };
        let one = ending([(0, 1), (2, 3)], 0);
        assert!(one.is(&ending([(3, 2), (1, 0)], 0)));
        assert!(!one.is(&ending([(0, 2), (1, 3)], 0)));
        assert!(!one.is(&ending([(0, 1), (2, 3)], 1)));
        // Mates of more than ten pairs do not fit: such an ending is not kept.
        let mut many = Partial::<u64, 64>::empty();
        for k in 0..11 {
            assert!(Ending::of(&many, 0).is_some());
            many.add_open(2 * k, 2 * k + 1);
            many.add_open(2 * k + 1, 2 * k);
        }
        assert!(Ending::of(&many, 0).is_none());
    }
}
