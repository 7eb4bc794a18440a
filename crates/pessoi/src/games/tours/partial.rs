//! A tour as a set of moves, some taken, the others still possible.
//!
//! A closed tour gives every cell two moves. An open tour does too, once a further
//! cell, the **outside**, is joined to each of its ends: it is then a closed tour of
//! one cell more. So one set of rules serves both. At any time a cell is
//!
//! - *fresh*: none of its moves is taken;
//! - *open*: one is, and its *mate* is the cell where its piece of the tour ends;
//! - *done*: both are, and it plays no part any more.
//!
//! What follows from what is taken is found by **propagation**: a fresh cell with
//! two possible moves takes both, an open cell with one takes it, a move between two
//! mates is struck out, since it would close a loop too early, and a cell with too few
//! moves left is the end of the matter. This is how Knuth's programs for Hamiltonian
//! cycles and those of others before him (Rubin 1974) prune.

/// A set of at most 64 or 128 things.
pub(super) trait Bits: Copy + Eq + Send + Sync + 'static {
    const NONE: Self;
    fn of(thing: usize) -> Self;
    fn with(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
    fn has(self, thing: usize) -> bool;
    fn len(self) -> u32;
    fn first(self) -> usize;
    fn without_first(self) -> Self;
}

macro_rules! bits {
    ($word:ty) => {
        impl Bits for $word {
            const NONE: Self = 0;
            #[inline]
            fn of(thing: usize) -> Self {
                1 << thing
            }
            #[inline]
            fn with(self, other: Self) -> Self {
                self | other
            }
            #[inline]
            fn without(self, other: Self) -> Self {
                self & !other
            }
            #[inline]
            fn has(self, thing: usize) -> bool {
                self >> thing & 1 != 0
            }
            #[inline]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

bits!(u64);
bits!(u128);

/// The members of a set, in increasing order.
#[inline]
pub(super) fn members<B: Bits>(mut set: B) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != B::NONE).then(|| {
            let first = set.first();
            set = set.without_first();
            first
        })
    })
}

/// What became of a partial tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Moves are still to be chosen.
    Open,
    /// It is a tour.
    Whole,
    /// It cannot become one.
    Dead,
}

/// A tour as a set of moves, on up to `N` cells numbered from 0.
#[derive(Clone, Copy)]
pub(super) struct Partial<B, const N: usize> {
    /// For each cell that is not done: its neighbours by moves that are possible and
    /// not taken.
    pub(super) ways: [B; N],
    /// For each open cell, where its piece ends; for a fresh cell, itself.
    pub(super) mate: [u8; N],
    pub(super) fresh: B,
    pub(super) open: B,
    /// Cells of which nothing may be concluded, because not all their moves are known.
    pub(super) unknown: B,
    /// Whether all cells are here, so that a loop through the rest is a tour.
    pub(super) complete: bool,
}

impl<B: Bits, const N: usize> Partial<B, N> {
    /// No cells at all.
    pub(super) fn empty() -> Self {
        Partial {
            ways: [B::NONE; N],
            mate: [0; N],
            fresh: B::NONE,
            open: B::NONE,
            unknown: B::NONE,
            complete: true,
        }
    }

    /// Adds a fresh cell.
    pub(super) fn add(&mut self, cell: usize) {
        self.fresh = self.fresh.with(B::of(cell));
        self.mate[cell] = cell as u8;
    }

    /// Makes a move between two cells possible.
    pub(super) fn allow(&mut self, a: usize, b: usize) {
        self.ways[a] = self.ways[a].with(B::of(b));
        self.ways[b] = self.ways[b].with(B::of(a));
    }

    /// Strikes out a move.
    pub(super) fn forbid(&mut self, a: usize, b: usize) {
        self.ways[a] = self.ways[a].without(B::of(b));
        self.ways[b] = self.ways[b].without(B::of(a));
    }

    /// All cells that are not done.
    #[inline]
    pub(super) fn active(&self) -> B {
        self.fresh.with(self.open)
    }

    /// Takes a possible move; adds to `touched` the cells about which something may
    /// now follow.
    #[inline]
    pub(super) fn take(&mut self, a: usize, b: usize, touched: &mut B) -> State {
        let (end_a, end_b) = (usize::from(self.mate[a]), usize::from(self.mate[b]));
        self.forbid(a, b);
        for cell in [a, b] {
            let this = B::of(cell);
            if self.fresh.has(cell) {
                self.fresh = self.fresh.without(this);
                self.open = self.open.with(this);
                *touched = touched.with(this);
            } else {
                self.open = self.open.without(this);
                *touched = touched.without(this);
                let left = std::mem::replace(&mut self.ways[cell], B::NONE);
                for to in members(left) {
                    self.ways[to] = self.ways[to].without(this);
                }
                *touched = touched.with(left);
            }
        }
        self.mate[end_a] = end_b as u8;
        self.mate[end_b] = end_a as u8;
        let closing = self.ways[end_a].has(end_b);
        if self.active() == B::of(end_a).with(B::of(end_b)) {
            // One piece with two ends is left, and one move that can join them.
            return if !self.complete {
                State::Open
            } else if closing {
                State::Whole
            } else {
                State::Dead
            };
        }
        if closing {
            self.forbid(end_a, end_b);
            *touched = touched.with(B::of(end_a)).with(B::of(end_b));
        }
        State::Open
    }

    /// Takes all moves that follow, beginning with the cells touched.
    pub(super) fn propagate(&mut self, touched: B) -> State {
        let mut touched = touched.without(self.unknown);
        while touched != B::NONE {
            let cell = touched.first();
            touched = touched.without_first();
            let ways = self.ways[cell];
            let needs = if self.fresh.has(cell) {
                2
            } else if self.open.has(cell) {
                1
            } else {
                continue;
            };
            if ways.len() < needs {
                return State::Dead;
            }
            if ways.len() > needs {
                continue;
            }
            for to in members(ways) {
                // The first of two moves may have struck out the second.
                if !self.ways[cell].has(to) {
                    return State::Dead;
                }
                let state = self.take(cell, to, &mut touched);
                if state != State::Open {
                    return state;
                }
            }
            touched = touched.without(self.unknown);
        }
        State::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of n cells.
    fn ring(n: usize) -> Partial<u64, 64> {
        let mut ring = Partial::empty();
        for cell in 0..n {
            ring.add(cell);
            ring.allow(cell, (cell + 1) % n);
        }
        ring
    }

    #[test]
    fn a_ring_is_its_own_tour() {
        for n in 3..10 {
            let mut partial = ring(n);
            assert_eq!(partial.propagate(partial.active()), State::Whole, "{n}");
        }
    }

    #[test]
    fn two_rings_are_no_tour() {
        let mut partial = ring(4);
        for cell in 4..8 {
            partial.add(cell);
            partial.allow(cell, if cell == 7 { 4 } else { cell + 1 });
        }
        assert_eq!(partial.propagate(partial.active()), State::Dead);
    }

    #[test]
    fn a_cell_with_one_way_is_dead() {
        let mut partial = ring(5);
        partial.forbid(0, 1);
        assert_eq!(partial.propagate(partial.active()), State::Dead);
        // Unless its other ways are unknown.
        let mut partial = ring(5);
        partial.forbid(0, 1);
        partial.unknown = 0b11;
        partial.complete = false;
        assert_eq!(partial.propagate(partial.active()), State::Open);
    }

    #[test]
    fn members_come_in_order() {
        assert_eq!(members(0b1010_0001u64).collect::<Vec<_>>(), [0, 5, 7]);
        assert_eq!(members(1u128 << 100 | 1).collect::<Vec<_>>(), [0, 100]);
    }
}
