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
//! The moves that are still possible need not be kept. A move is struck out because one of its
//! cells is done or because its cells are mates, so the ways of a cell are its neighbours that
//! are not done, without its mate. What is known of a partial tour is which cells are fresh,
//! which are open, and which are mates: 80 bytes on boards of up to 63 cells. Partial tours that
//! agree in this have the same completions, however they came about.
//!
//! What follows from what is taken is found by **propagation**: a fresh cell with
//! two ways takes both, an open cell with one takes it, and a cell with too few
//! ways is the end of the matter. A fresh cell with three ways, two of them mates, takes the
//! third, since the other two would close a loop. This is how Knuth's programs for Hamiltonian
//! cycles and those of others before him (Rubin 1974) prune.

/// A set of at most 64 or 128 things.
pub(super) trait Bits: Copy + Eq + Send + Sync + 'static {
    const NONE: Self;
    fn of(thing: usize) -> Self;
    fn with(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
    /// What both have.
    fn common(self, other: Self) -> Self;
    fn has(self, thing: usize) -> bool;
    fn len(self) -> u32;
    fn first(self) -> usize;
    fn without_first(self) -> Self;
    /// Some of its bits, for hashing: sets that agree in these may differ.
    fn low_word(self) -> u64;
    fn high_word(self) -> u64;
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
            fn common(self, other: Self) -> Self {
                self & other
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
            #[inline]
            fn low_word(self) -> u64 {
                self as u64
            }
            #[inline]
            fn high_word(self) -> u64 {
                (self >> (Self::BITS / 2)) as u64
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

/// Which cells are joined by moves, of up to `N` cells numbered from 0. `N` is a power of two, as
/// many as `B` has bits.
#[derive(Clone, Copy)]
pub(super) struct Moves<B, const N: usize> {
    near: [B; N],
    /// Cells of which nothing may be concluded, because not all their moves are known.
    pub(super) unknown: B,
    /// Whether all cells are here, so that a loop through the rest is a tour.
    pub(super) complete: bool,
}

impl<B: Bits, const N: usize> Moves<B, N> {
    /// No moves at all.
    pub(super) fn none() -> Self {
        Moves { near: [B::NONE; N], unknown: B::NONE, complete: true }
    }

    /// Joins two cells.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        self.near[a] = self.near[a].with(B::of(b));
        self.near[b] = self.near[b].with(B::of(a));
    }

    /// The cells that a move joins to this one.
    #[inline]
    fn of(&self, cell: usize) -> B {
        // The compiler sees that this is in bounds.
        self.near[cell % N]
    }
}

/// A partial tour of up to `N` cells.
#[derive(Clone, Copy)]
pub(super) struct Partial<B, const N: usize> {
    /// For each open cell, where its piece ends; for a fresh cell, itself.
    mate: [u8; N],
    pub(super) fresh: B,
    pub(super) open: B,
}

impl<B: Bits, const N: usize> Partial<B, N> {
    /// No cells at all.
    pub(super) fn empty() -> Self {
        Partial { mate: [0; N], fresh: B::NONE, open: B::NONE }
    }

    /// Adds a fresh cell.
    pub(super) fn add(&mut self, cell: usize) {
        self.fresh = self.fresh.with(B::of(cell));
        self.mate[cell] = cell as u8;
    }

    /// Adds an open cell whose piece ends at another, which is added too.
    pub(super) fn add_open(&mut self, cell: usize, mate: usize) {
        self.open = self.open.with(B::of(cell));
        self.mate[cell] = mate as u8;
    }

    /// All cells that are not done.
    #[inline]
    pub(super) fn active(&self) -> B {
        self.fresh.with(self.open)
    }

    /// Where the piece of an open cell ends; a fresh cell itself.
    #[inline]
    pub(super) fn mate(&self, cell: usize) -> usize {
        usize::from(self.mate[cell % N]) % N
    }

    /// The neighbours of an active cell by moves that are possible and not taken.
    #[inline]
    pub(super) fn ways(&self, moves: &Moves<B, N>, cell: usize) -> B {
        moves.of(cell).common(self.active()).without(B::of(self.mate(cell)))
    }

    /// The same for a fresh cell, which has no mate.
    #[inline]
    pub(super) fn fresh_ways(&self, moves: &Moves<B, N>, cell: usize) -> B {
        moves.of(cell).common(self.active())
    }

    /// Takes a possible move; adds to `touched` the cells about which something may
    /// now follow.
    #[inline]
    pub(super) fn take(
        &mut self,
        moves: &Moves<B, N>,
        a: usize,
        b: usize,
        touched: &mut B,
    ) -> State {
        let (end_a, end_b) = (self.mate(a), self.mate(b));
        for cell in [a, b] {
            let this = B::of(cell);
            if self.fresh.has(cell) {
                self.fresh = self.fresh.without(this);
                self.open = self.open.with(this);
                *touched = touched.with(this);
            } else {
                self.open = self.open.without(this);
                *touched = touched.with(moves.of(cell));
            }
        }
        self.mate[end_a] = end_b as u8;
        self.mate[end_b] = end_a as u8;
        let ends = B::of(end_a).with(B::of(end_b));
        let closing = moves.of(end_a).has(end_b);
        if self.active() == ends {
            // One piece with two ends is left, and one move that can join them.
            // Where cells may follow that are not here, none need follow.
            return if closing {
                State::Whole
            } else if moves.complete {
                State::Dead
            } else {
                State::Open
            };
        }
        // Cells next to both ends can no longer take both, nor can the ends take each other.
        *touched = touched.with(moves.of(end_a).common(moves.of(end_b)));
        if closing {
            *touched = touched.with(ends);
        }
        State::Open
    }

    /// Takes one move of a cell, or two if it is fresh and they are all that it takes, and all
    /// that follows.
    #[inline]
    pub(super) fn decided(
        &mut self,
        moves: &Moves<B, N>,
        cell: usize,
        first: usize,
        second: Option<usize>,
    ) -> State {
        let mut touched = B::NONE;
        let mut state = self.take(moves, cell, first, &mut touched);
        if let Some(second) = second {
            state = match state {
                // One move is left to close the tour: it must be the second.
                State::Whole if self.open.has(second) => State::Whole,
                // The first may have struck out the second.
                State::Open if self.ways(moves, cell).has(second) => {
                    self.take(moves, cell, second, &mut touched)
                }
                _ => State::Dead,
            };
        }
        if state == State::Open { self.propagate(moves, touched) } else { state }
    }

    /// How many more ways there are than are taken in the end, both ends of each counted: an
    /// upper bound for twice the decisions that are left.
    pub(super) fn slack(&self, moves: &Moves<B, N>) -> u32 {
        let fresh = members(self.fresh).map(|cell| self.fresh_ways(moves, cell).len());
        let open = members(self.open).map(|cell| self.ways(moves, cell).len());
        let ways: u32 = fresh.sum::<u32>() + open.sum::<u32>();
        ways.saturating_sub(2 * self.fresh.len() + self.open.len())
    }

    /// Takes all moves that follow, beginning with the cells touched.
    pub(super) fn propagate(&mut self, moves: &Moves<B, N>, touched: B) -> State {
        let mut touched = touched.common(self.active()).without(moves.unknown);
        while touched != B::NONE {
            let cell = touched.first();
            touched = touched.without_first();
            // Populations are not counted: one, two and three members are told apart faster so.
            let ways = self.ways(moves, cell);
            let but_one = ways.without_first();
            let but_two = but_one.without_first();
            let taken = if self.fresh.has(cell) {
                if but_one == B::NONE {
                    return State::Dead;
                }
                if but_two == B::NONE {
                    let second = but_one.first();
                    match self.take(moves, cell, ways.first(), &mut touched) {
                        // The first move may have struck out the second.
                        State::Open if !self.ways(moves, cell).has(second) => State::Dead,
                        State::Open => self.take(moves, cell, second, &mut touched),
                        over => over,
                    }
                } else if but_two.without_first() == B::NONE {
                    let (x, y, z) = (ways.first(), but_one.first(), but_two.first());
                    let must = if self.mate(x) == y {
                        z
                    } else if self.mate(x) == z {
                        y
                    } else if self.mate(y) == z {
                        x
                    } else {
                        continue;
                    };
                    self.take(moves, cell, must, &mut touched)
                } else {
                    continue;
                }
            } else if ways == B::NONE {
                return State::Dead;
            } else if but_one == B::NONE {
                self.take(moves, cell, ways.first(), &mut touched)
            } else {
                continue;
            };
            if taken != State::Open {
                return taken;
            }
            touched = touched.common(self.active()).without(moves.unknown);
        }
        State::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Tour = (Moves<u64, 64>, Partial<u64, 64>);

    /// A ring of n cells.
    fn ring(n: usize) -> Tour {
        let (mut moves, mut partial) = (Moves::none(), Partial::empty());
        for cell in 0..n {
            partial.add(cell);
            moves.join(cell, (cell + 1) % n);
        }
        (moves, partial)
    }

    fn outcome((moves, mut partial): Tour) -> State {
        partial.propagate(&moves, partial.active())
    }

    #[test]
    fn a_ring_is_its_own_tour() {
        for n in 3..10 {
            assert_eq!(outcome(ring(n)), State::Whole, "{n}");
        }
    }

    #[test]
    fn two_rings_are_no_tour() {
        let (mut moves, mut partial) = ring(4);
        for cell in 4..8 {
            partial.add(cell);
            moves.join(cell, if cell == 7 { 4 } else { cell + 1 });
        }
        assert_eq!(outcome((moves, partial)), State::Dead);
    }

    #[test]
    fn a_cell_with_one_way_is_dead() {
        let path = || {
            let (mut moves, mut partial) = (Moves::none(), Partial::empty());
            for cell in 0..5 {
                partial.add(cell);
            }
            for cell in 1..5 {
                moves.join(cell - 1, cell);
            }
            (moves, partial)
        };
        assert_eq!(outcome(path()), State::Dead);
        // Unless its other ways are unknown.
        let (mut moves, partial) = path();
        moves.unknown = 0b10001;
        moves.complete = false;
        assert_eq!(outcome((moves, partial)), State::Open);
    }

    /// The ends of the last piece used to be taken for dead where cells might follow.
    #[test]
    fn a_tour_may_end_before_what_is_unknown() {
        for complete in [false, true] {
            let (mut moves, partial) = ring(4);
            moves.complete = complete;
            assert_eq!(outcome((moves, partial)), State::Whole);
        }
    }

    #[test]
    fn a_cell_does_not_take_both_ends_of_a_piece() {
        // Cells 1 and 2 are mates; 0 is next to both and to 3, so it takes 3.
        let (mut moves, mut partial) = (Moves::<u64, 64>::none(), Partial::empty());
        partial.add_open(1, 2);
        partial.add_open(2, 1);
        for cell in [0, 3, 4, 5, 6] {
            partial.add(cell);
        }
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (1, 5), (2, 5), (1, 6), (2, 6)] {
            moves.join(a, b);
        }
        for (a, b) in [(3, 4), (3, 5), (3, 6), (4, 5), (5, 6), (4, 6)] {
            moves.join(a, b);
        }
        assert_eq!(partial.propagate(&moves, 1), State::Open);
        assert_eq!((partial.mate(0), partial.mate(3)), (3, 0));
        assert!(partial.open.has(0) && partial.open.has(3));
    }

    #[test]
    fn members_come_in_order() {
        assert_eq!(members(0b1010_0001u64).collect::<Vec<_>>(), [0, 5, 7]);
        assert_eq!(members(1u128 << 100 | 1).collect::<Vec<_>>(), [0, 100]);
    }
}
