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

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
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
    /// Partial tours looked at since this was reported.
    nodes: u64,
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
        self.nodes += 1;
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
    allowed: AtomicU64,
    nodes: AtomicU64,
}

impl<B: Bits> Shelf<B> {
    /// A shelf for so many tables; whoever comes later does without.
    pub(super) fn new(tables: usize) -> Self {
        Shelf {
            idle: Mutex::new(Vec::new()),
            allowed: AtomicU64::new(tables as u64),
            nodes: AtomicU64::new(0),
        }
    }

    /// The memory of so many tables.
    pub(super) fn bytes(tables: usize) -> u64 {
        (tables * Endings::<B>::BYTES) as u64
    }

    /// Partial tours that were looked at with tables that came back.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    fn lend(&self) -> Endings<B> {
        if let Ok(mut idle) = self.idle.lock()
            && let Some(endings) = idle.pop()
        {
            return endings;
        }
        let one_less = |left: u64| left.checked_sub(1);
        let is_allowed = self.allowed.fetch_update(Relaxed, Relaxed, one_less).is_ok();
        let table = if is_allowed { vec![Ending::NOTHING; 1 << PLACES] } else { Vec::new() };
        Endings { table, nodes: 0 }
    }

    fn take_back(&self, mut endings: Endings<B>) {
        self.nodes.fetch_add(std::mem::take(&mut endings.nodes), Relaxed);
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
