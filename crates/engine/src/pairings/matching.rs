//! Matchings as numbers, and what a step does to them.
//!
//! A **matching** of 2k points in a row pairs them off; there are (2k − 1)!! = 1·3·5⋯(2k − 1).
//! Its **rank** counts them from 0: the partner of the last point times (2k − 3)!!, plus the rank
//! of the rest, where the rest has its points numbered anew. So
//!
//! - a pair whose second point is the new last one is appended by adding a constant;
//! - what happens to points other than the last and its partner happens to the rest, so an
//!   operation on k pairs is one division and the same operation on k − 1 pairs.
//!
//! An [`Operation`] is one of
//!
//! - *keep*: nothing changes;
//! - *append*: a pair of a new point and the new last point;
//! - *insert*: a pair of two new points;
//! - *shift*: a point goes elsewhere, with its partner;
//! - *join*: two points become neighbours in the path and vanish, their partners are now
//!   partners; if they were partners of each other, this closes a cycle and there is no result.
//!
//! Up to [`TABLED`] pairs an operation is a table, made when it is first needed; all tables that
//! a count of knight's tours needs have some 50 MB. Beyond that, pairs are taken off one by one
//! until a table fits, and where that cannot be done the matching itself is written out: 20 to
//! 100 ns.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::run::{Claim, Run};

/// The most pairs of a matching whose ranks fit in 64 bits with room to spare.
pub const MOST_PAIRS: usize = 16;

/// The most pairs whose operations are tables: 135,135 matchings.
pub const TABLED: usize = 7;

/// The most pairs whose ranks fit in 32 bits.
pub const NARROW: usize = 10;

/// How many matchings there are of so many pairs: (2k − 1)!!.
pub const MATCHINGS: [u64; MOST_PAIRS + 2] = {
    let mut all = [1; MOST_PAIRS + 2];
    let mut pairs = 1;
    while pairs < all.len() {
        all[pairs] = all[pairs - 1] * (2 * pairs as u64 - 1);
        pairs += 1;
    }
    all
};

/// The partner of each point.
pub type Partners = [u8; 2 * MOST_PAIRS + 2];

/// The matching of a rank.
pub fn partners(pairs: usize, mut rank: u64) -> Partners {
    let mut partners = [0; 2 * MOST_PAIRS + 2];
    let mut left: Partners = std::array::from_fn(|point| point as u8);
    for pairs in (1..=pairs).rev() {
        let rest = MATCHINGS[pairs - 1];
        let at = (rank / rest) as usize;
        rank %= rest;
        let (last, partner) = (left[2 * pairs - 1], left[at]);
        partners[usize::from(last)] = partner;
        partners[usize::from(partner)] = last;
        left.copy_within(at + 1..2 * pairs - 1, at);
    }
    partners
}

/// The rank of a matching.
pub fn rank(pairs: usize, partners: &Partners) -> u64 {
    let mut rank = 0;
    let mut left: u64 = (1 << (2 * pairs)) - 1;
    for rest in (0..pairs).rev() {
        let last = left.ilog2();
        let partner = partners[last as usize];
        let below = left & ((1 << partner) - 1);
        rank += MATCHINGS[rest] * u64::from(below.count_ones());
        left &= !(1 << last | 1 << partner);
    }
    rank
}

/// What happens to the points of a matching. Points are given by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Nothing.
    Keep,
    /// A pair of a point that comes to this place, and the new last point.
    Append(u8),
    /// A pair of two points that come before what is at these places, the first no later than
    /// the second.
    Insert(u8, u8),
    /// The point at the first place goes away and comes back at the second, as it is when it is
    /// gone.
    Shift(u8, u8),
    /// The points at two places are joined and vanish, the first before the second.
    Join(u8, u8),
}

impl Operation {
    /// In 16 bits.
    pub(super) fn packed(self) -> u16 {
        let pack = |kind: u16, a: u8, b: u8| kind | u16::from(a) << 3 | u16::from(b) << 9;
        match self {
            Operation::Keep => 0,
            Operation::Append(a) => pack(1, a, 0),
            Operation::Insert(a, b) => pack(2, a, b),
            Operation::Shift(a, b) => pack(3, a, b),
            Operation::Join(a, b) => pack(4, a, b),
        }
    }

    pub(super) fn unpacked(packed: u16) -> Self {
        let (a, b) = ((packed >> 3 & 63) as u8, (packed >> 9 & 63) as u8);
        match packed & 7 {
            0 => Operation::Keep,
            1 => Operation::Append(a),
            2 => Operation::Insert(a, b),
            3 => Operation::Shift(a, b),
            _ => Operation::Join(a, b),
        }
    }

    /// What becomes of a matching, by writing it out; `None` if a cycle is closed.
    pub fn image(self, pairs: usize, rank_before: u64) -> Option<u64> {
        let before = partners(pairs, rank_before);
        let mut after = [0; 2 * MOST_PAIRS + 2];
        let mut renumber = |number: &dyn Fn(u8) -> Option<u8>, before: &Partners| {
            for point in 0..2 * pairs as u8 {
                if let Some(to) = number(point)
                    && let Some(partner) = number(before[usize::from(point)])
                {
                    after[usize::from(to)] = partner;
                }
            }
        };
        match self {
            Operation::Keep => Some(rank_before),
            Operation::Append(a) => Some(u64::from(a) * MATCHINGS[pairs] + rank_before),
            Operation::Insert(a, b) => {
                let number = |point: u8| {
                    let point = point + u8::from(point >= a);
                    Some(point + u8::from(point > b))
                };
                renumber(&number, &before);
                after[usize::from(a)] = b + 1;
                after[usize::from(b) + 1] = a;
                Some(rank(pairs + 1, &after))
            }
            Operation::Shift(a, b) => {
                let number = |point: u8| {
                    if point == a {
                        return Some(b);
                    }
                    let point = point - u8::from(point > a);
                    Some(point + u8::from(point >= b))
                };
                renumber(&number, &before);
                Some(rank(pairs, &after))
            }
            Operation::Join(a, b) => {
                if before[usize::from(a)] == b {
                    return None;
                }
                let mut joined = before;
                let (x, y) = (before[usize::from(a)], before[usize::from(b)]);
                joined[usize::from(x)] = y;
                joined[usize::from(y)] = x;
                let number = |point: u8| {
                    let gone = u8::from(point > a) + u8::from(point > b);
                    (point != a && point != b).then(|| point - gone)
                };
                renumber(&number, &joined);
                Some(rank(pairs - 1, &after))
            }
        }
    }

    /// The same operation on what is left when the last point and its partner are taken off:
    /// that operation, and the partner's place afterwards. `None` if they are involved.
    #[inline]
    fn without_last(self, pairs: usize, partner: u8) -> Option<(Operation, u8)> {
        let last = 2 * pairs as u8 - 1;
        let less = |place: u8| place - u8::from(place > partner);
        match self {
            Operation::Insert(a, b) if b <= last => {
                // A place before which points are inserted counts the points below it.
                let (to_a, to_b) = (u8::from(partner >= a), u8::from(partner >= b));
                Some((Operation::Insert(less(a), less(b)), partner + to_a + to_b))
            }
            Operation::Shift(a, b) if a != last && b != last && partner != a => {
                let gone = partner - u8::from(partner > a);
                let after = gone + u8::from(gone >= b);
                let b = b - u8::from(b > after);
                let a = less(a);
                let rest = if a == b { Operation::Keep } else { Operation::Shift(a, b) };
                Some((rest, after))
            }
            Operation::Join(a, b) if b != last && partner != a && partner != b => {
                let after = partner - u8::from(partner > a) - u8::from(partner > b);
                Some((Operation::Join(less(a), less(b)), after))
            }
            _ => None,
        }
    }

    /// Whether it is more than adding a constant.
    pub(super) fn is_costly(self) -> bool {
        !matches!(self, Operation::Keep | Operation::Append(_))
    }

    /// The number of pairs afterwards.
    pub fn pairs_after(self, pairs: usize) -> usize {
        match self {
            Operation::Keep | Operation::Shift(..) => pairs,
            Operation::Append(_) | Operation::Insert(..) => pairs + 1,
            Operation::Join(..) => pairs - 1,
        }
    }
}

/// Places of an operation that is a table: up to 2·7 points, and one more before which a point
/// can be inserted.
const PLACES: usize = 2 * TABLED + 1;

/// A table is made if it is used for one in so many of its entries.
const WORTH: usize = 16;

/// For each rank the rank afterwards plus 1; 0 where a cycle is closed.
type Table = Box<[u32]>;

/// The tables of operations, made when they are needed.
pub struct Tables {
    /// By kind (insert, shift, join), pairs and the two places.
    made: Vec<OnceLock<Table>>,
    /// Their memory, and how much it may be.
    claim: Mutex<Claim>,
    most: u64,
}

/// The share of the memory that tables may take: without them borders take longer, and without
/// room for the borders nothing goes on.
const SHARE: u64 = 8;

impl Tables {
    /// None yet; what is made counts as memory of this run.
    pub fn new(run: &Run) -> Self {
        let number = 3 * (TABLED + 1) * PLACES * PLACES;
        let made = std::iter::repeat_with(OnceLock::new).take(number).collect();
        let most = run.budget().memory.map_or(u64::MAX, |memory| memory / SHARE);
        Tables { made, claim: Mutex::new(run.claim()), most }
    }

    /// The table of an operation on at most [`TABLED`] pairs that is not a constant. It is made if
    /// it is to be used so often that this pays, and if there is memory for it.
    pub(super) fn table(&self, operation: Operation, pairs: usize, uses: usize) -> Option<&[u32]> {
        let (kind, a, b) = match operation {
            Operation::Insert(a, b) => (0, a, b),
            Operation::Shift(a, b) => (1, a, b),
            Operation::Join(a, b) => (2, a, b),
            Operation::Keep | Operation::Append(_) => return None,
        };
        if pairs > TABLED {
            return None;
        }
        let (a, b) = (usize::from(a), usize::from(b));
        let cell = &self.made[((kind * (TABLED + 1) + pairs) * PLACES + a) * PLACES + b];
        if let Some(table) = cell.get() {
            return Some(table);
        }
        let entries = MATCHINGS[pairs] as usize;
        if uses < entries / WORTH || !self.has_room(entries) {
            return None;
        }
        Some(cell.get_or_init(|| self.made(operation, pairs)))
    }

    fn has_room(&self, entries: usize) -> bool {
        let mut claim = self.claim.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = claim.bytes() + (entries * size_of::<u32>()) as u64;
        bytes <= self.most && claim.grow_to(bytes).is_ok()
    }

    /// Makes the table of an operation, from those on one pair less.
    fn made(&self, operation: Operation, pairs: usize) -> Table {
        let image = |rank| operation.image(pairs, rank).map_or(0, |to| to as u32 + 1);
        if pairs == 0 {
            return [image(0)].into();
        }
        let rest = MATCHINGS[pairs - 1];
        let mut table = Vec::with_capacity(MATCHINGS[pairs] as usize);
        for partner in 0..2 * pairs as u8 - 1 {
            let first = u64::from(partner) * rest;
            let Some((smaller, after)) = operation.without_last(pairs, partner) else {
                table.extend((first..first + rest).map(image));
                continue;
            };
            let base = u64::from(after) * MATCHINGS[operation.pairs_after(pairs) - 1];
            let moved = |to: u32| if to == 0 { 0 } else { base as u32 + to };
            if let Some(smaller) = self.table(smaller, pairs - 1, usize::MAX) {
                table.extend(smaller.iter().map(|&to| moved(to)));
            } else {
                let image = |rank| self.image(smaller, pairs - 1, rank) as u32;
                table.extend((0..rest).map(|rank| moved(image(rank))));
            }
        }
        table.into()
    }

    /// What becomes of a matching, plus 1; 0 if a cycle is closed.
    pub(super) fn image(&self, operation: Operation, pairs: usize, rank: u64) -> u64 {
        match operation {
            Operation::Keep => return rank + 1,
            Operation::Append(a) => return u64::from(a) * MATCHINGS[pairs] + rank + 1,
            _ => {}
        }
        if let Some(table) = self.table(operation, pairs, 1) {
            return u64::from(table[rank as usize]);
        }
        let partner = rank / MATCHINGS[pairs - 1];
        match operation.without_last(pairs, partner as u8) {
            Some((rest, after)) => {
                let below = rank - partner * MATCHINGS[pairs - 1];
                match self.image(rest, pairs - 1, below) {
                    0 => 0,
                    image => {
                        let pairs_after = operation.pairs_after(pairs);
                        u64::from(after) * MATCHINGS[pairs_after - 1] + image
                    }
                }
            }
            None => operation.image(pairs, rank).map_or(0, |after| after + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Budget;
    use proptest::prelude::*;

    #[test]
    fn ranks_number_all_matchings() {
        assert_eq!(MATCHINGS[..6], [1, 1, 3, 15, 105, 945]);
        for (pairs, &matchings) in MATCHINGS.iter().enumerate().take(6) {
            let mut seen = std::collections::BTreeSet::new();
            for number in 0..matchings {
                let matching = partners(pairs, number);
                for point in 0..2 * pairs {
                    let partner = usize::from(matching[point]);
                    assert_ne!(partner, point);
                    assert_eq!(usize::from(matching[partner]), point);
                }
                assert_eq!(rank(pairs, &matching), number);
                seen.insert(matching);
            }
            assert_eq!(seen.len() as u64, matchings);
        }
        let most = MATCHINGS[MOST_PAIRS] - 1;
        assert_eq!(rank(MOST_PAIRS, &partners(MOST_PAIRS, most)), most);
    }

    /// Every operation that makes sense on so many pairs.
    fn operations(pairs: usize) -> Vec<Operation> {
        let points = 2 * pairs as u8;
        let mut all = vec![Operation::Keep];
        all.extend((0..=points).map(Operation::Append));
        for a in 0..=points {
            all.extend((a..=points).map(|b| Operation::Insert(a, b)));
        }
        for a in 0..points {
            all.extend((0..points).filter(|&b| a != b).map(|b| Operation::Shift(a, b)));
            if pairs > 1 {
                all.extend((a + 1..points).map(|b| Operation::Join(a, b)));
            }
        }
        all
    }

    #[test]
    fn operations_are_what_they_say() {
        // Pairs (0 1) (2 3).
        let crossing = |partners: &[(u8, u8)]| {
            let mut matching = [0; 2 * MOST_PAIRS + 2];
            for &(a, b) in partners {
                matching[usize::from(a)] = b;
                matching[usize::from(b)] = a;
            }
            (partners.len(), rank(partners.len(), &matching))
        };
        let (_, before) = crossing(&[(0, 1), (2, 3)]);
        let after =
            |operation: Operation| (operation.pairs_after(2), operation.image(2, before).unwrap());
        assert_eq!(after(Operation::Append(1)), crossing(&[(0, 2), (3, 4), (1, 5)]));
        assert_eq!(after(Operation::Insert(1, 1)), crossing(&[(0, 3), (4, 5), (1, 2)]));
        assert_eq!(after(Operation::Insert(0, 4)), crossing(&[(1, 2), (3, 4), (0, 5)]));
        assert_eq!(after(Operation::Shift(0, 3)), crossing(&[(3, 0), (1, 2)]));
        assert_eq!(after(Operation::Join(1, 2)), crossing(&[(0, 1)]));
        assert_eq!(Operation::Join(0, 1).image(2, before), None);
    }

    #[test]
    fn operations_are_packed() {
        for operation in operations(MOST_PAIRS - 1) {
            assert_eq!(Operation::unpacked(operation.packed()), operation);
        }
    }

    proptest! {
        #[test]
        fn tables_and_pairs_taken_off_agree_with_writing_out(
            pairs in 1usize..13, which in any::<prop::sample::Index>(), at in any::<u64>(),
        ) {
            static TABLES: OnceLock<[Tables; 2]> = OnceLock::new();
            let [tables, none] = TABLES.get_or_init(|| {
                // With memory for all tables, and for a few.
                [None, Some(10_000)].map(|memory| {
                    Tables::new(&Run::new(Budget { memory, ..Budget::default() }))
                })
            });
            let operations = operations(pairs);
            let operation = operations[which.index(operations.len())];
            let rank = at % MATCHINGS[pairs];
            if let Some(table) = tables.table(operation, pairs, at as usize) {
                prop_assert_eq!(table.len() as u64, MATCHINGS[pairs]);
            }
            let plain = operation.image(pairs, rank).map_or(0, |after| after + 1);
            prop_assert_eq!(tables.image(operation, pairs, rank), plain, "{:?}", operation);
            prop_assert!(pairs < 7 || none.table(operation, pairs, usize::MAX).is_none());
            prop_assert_eq!(none.image(operation, pairs, rank), plain, "{:?}", operation);
        }
    }
}
