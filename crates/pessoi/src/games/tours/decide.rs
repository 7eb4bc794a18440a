//! Which cell of a partial tour is decided next.
//!
//! The cell with the fewest choices, as everywhere in search. But ties are the rule, and how they
//! are broken decides how often the same ending is met again (see [`super::endings`]). A way to an
//! open cell finishes that cell, so it changes more than a way to a fresh one, and it stays near
//! what is done already: the search then finishes one region before it begins another, and what
//! it leaves has few shapes. So the number of choices is divided by √2 for each way to an open
//! cell, and of cells that are still alike the last is taken.
//!
//! On 7×7 Diplomatico boards, closed, this needs 1.4 million decisions, and the last open cell with
//! the fewest choices, or the first fresh one, 3.8 million. Other weights were searched for at
//! random: with the number of the neighbours' ways, some boards took a third fewer decisions and
//! others twice as many, and each took longer.

use super::partial::{Bits, Moves, Partial, members};

/// The cell to be decided, and its ways; `None` if all are done.
#[inline]
pub(super) fn decide<B: Bits, const N: usize>(
    moves: &Moves<B, N>,
    partial: &Partial<B, N>,
) -> Option<(usize, B)> {
    // The cost of each cell, with the cell below it in the same number.
    let mut least = u64::MAX;
    let mut compare = |cell: usize, ways: B, choices: u64| {
        // No more than 8001 choices, of the outside: this stays below 2^42.
        let cost = ((choices * choices) << 16) >> ways.common(partial.open).len().min(16);
        least = least.min(cost << 8 | (255 - cell as u64));
    };
    for cell in members(partial.fresh) {
        let ways = partial.fresh_ways(moves, cell);
        let number = u64::from(ways.len());
        compare(cell, ways, number * number.saturating_sub(1) / 2);
    }
    for cell in members(partial.open) {
        let ways = partial.ways(moves, cell);
        compare(cell, ways, u64::from(ways.len()));
    }
    (least < u64::MAX).then(|| {
        let cell = 255 - (least & 255) as usize;
        (cell, partial.ways(moves, cell))
    })
}
