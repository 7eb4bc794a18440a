//! Which cell of a partial tour is decided next.
//!
//! The cell with the fewest choices, as everywhere in search; but ties are the rule, and how they
//! are broken decides how often the same ending is met again (see [`super::endings`]). Of cells
//! alike, the one whose neighbours are the most constrained is taken: the search then finishes
//! one region before it begins another, and what it leaves has few shapes. On 7×7 Diplomatico
//! boards this needs a third to a half of the nodes that the first cell would need.

use super::partial::{Bits, Moves, Partial, members};

/// The logarithm of a number of choices, 1024 for a factor of two.
const LOGARITHM: [i32; 29] = [
    0, 0, 1024, 1623, 2048, 2378, 2647, 2875, 3072, 3246, 3402, 3542, 3671, 3789, 3899, 4001, 4096,
    4186, 4270, 4350, 4426, 4498, 4566, 4632, 4695, 4755, 4813, 4869, 4923,
];
/// What a way of a neighbour weighs, for a cell with so many ways itself.
const NEIGHBOUR: [i32; 9] = [0, 0, 76, 33, 12, 0, -9, -15, -20];
/// What is added for fresh cells: of two cells alike, the open one is decided first.
const FRESH: i32 = 47;

/// The cell to be decided, and its ways; `None` if all are done.
#[inline]
pub(super) fn decide<B: Bits, const N: usize>(
    moves: &Moves<B, N>,
    partial: &Partial<B, N>,
) -> Option<(usize, B)> {
    let mut best: Option<(i32, usize, B)> = None;
    let mut candidates = B::NONE;
    for cell in members(partial.open) {
        if partial.ways(moves, cell).without_first().without_first() == B::NONE {
            candidates = candidates.with(B::of(cell));
        }
    }
    if candidates == B::NONE {
        candidates = partial.active();
    } else if candidates.without_first() == B::NONE {
        let cell = candidates.first();
        return Some((cell, partial.ways(moves, cell)));
    }
    for cell in members(candidates) {
        let ways = partial.ways(moves, cell);
        let number = ways.len() as usize;
        let mut choices = number;
        let mut cost = 0;
        if partial.fresh.has(cell) {
            // Two ways that are mates are no choice.
            let mates = |way: &usize| {
                let mate = partial.mate(*way);
                mate > *way && ways.has(mate)
            };
            choices = number * number.saturating_sub(1) / 2 - members(ways).filter(mates).count();
            cost = FRESH;
        }
        let around: u32 = members(ways).map(|way| partial.ways(moves, way).len()).sum();
        cost += LOGARITHM[choices.min(LOGARITHM.len() - 1)];
        cost += NEIGHBOUR[number.min(NEIGHBOUR.len() - 1)] * around as i32;
        if best.is_none_or(|(least, ..)| cost < least) {
            best = Some((cost, cell, ways));
        }
    }
    best.map(|(_, cell, ways)| (cell, ways))
}
