//! Reading some of a graph's edges, vertex by vertex: what each step means for a type.
//!
//! A **type** is a word of two bits a slot, slot 0 lowest: 0 done, 1 fresh, 2 mated. Slots are in
//! the order in which their vertices were read; a vertex that is left without edges to come
//! leaves the border, and the slots above it move down. The points of a matching are the mated
//! slots in their order, so nothing happens to ranks when a slot leaves.

use std::collections::BTreeMap;

use super::matching::Operation;

/// Slots of a border, the vertex that is being read included.
pub(super) const MOST_SLOTS: usize = 32;

pub(super) const DONE: u64 = 0;
pub(super) const FRESH: u64 = 1;
pub(super) const MATED: u64 = 2;

/// The upper bits of all slots: set where a slot is mated.
const MATED_BITS: u64 = 0xAAAA_AAAA_AAAA_AAAA;
/// The lower bits of all slots: set where a slot is fresh.
pub(super) const FRESH_BITS: u64 = 0x5555_5555_5555_5555;

/// What is at a slot.
#[inline]
pub(super) fn at(word: u64, slot: usize) -> u64 {
    word >> (2 * slot) & 3
}

/// The type with something else at a slot.
#[inline]
pub(super) fn with(word: u64, slot: usize, what: u64) -> u64 {
    word & !(3 << (2 * slot)) | what << (2 * slot)
}

/// How many pairs of mates a border of this type has.
#[inline]
pub(super) fn pairs(word: u64) -> usize {
    (word & MATED_BITS).count_ones() as usize / 2
}

/// How many mated slots are below a slot: its point in the matching, if it is mated.
#[inline]
pub(super) fn point(word: u64, slot: usize) -> u8 {
    (word & MATED_BITS & ((1 << (2 * slot)) - 1)).count_ones() as u8
}

/// An earlier vertex that is joined to the one being read.
#[derive(Clone, Copy, Debug)]
struct Earlier {
    slot: u8,
    /// Edges that it has still to come, in both halves.
    later: u8,
    /// The factor of the edge to it.
    factor: i8,
}

/// What some edges count, others 1: a tour counts the product over its edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Factors(BTreeMap<(u32, u32), i8>);

impl Factors {
    /// Sets that of an edge.
    pub(super) fn set(&mut self, a: u32, b: u32, factor: i8) {
        self.0.insert((a.min(b), a.max(b)), factor);
    }

    /// That of an edge.
    pub(super) fn of(&self, a: u32, b: u32) -> i8 {
        self.0.get(&(a.min(b), a.max(b))).copied().unwrap_or(1)
    }

    /// Whether sums may be negative.
    pub(super) fn are_signed(&self) -> bool {
        self.0.values().any(|&factor| factor < 0)
    }

    /// All that were set, with their edges.
    pub(super) fn each(&self) -> impl Iterator<Item = (u32, u32, i8)> {
        self.0.iter().map(|(&(a, b), &factor)| (a, b, factor))
    }
}

/// Which ends a path can still have, in a graph of two colours.
///
/// Give each vertex of one colour the weight 1 and each of the other −1. An edge between vertices
/// adds nothing to the sum of weight times degree; an edge to the outside adds the weight of an
/// end. So the type says what the weights of the ends so far add up to; in the end it must be
/// twice the weight of all vertices.
#[derive(Clone, Copy, Debug)]
struct Balance {
    /// Both bits of the slots of weight 1, and of weight −1. The outside is slot 0.
    plus: u64,
    minus: u64,
    /// Twice the weight of all vertices read so far.
    read: i64,
    /// Twice the weight of all vertices.
    all: i64,
}

impl Balance {
    fn holds(&self, word: u64) -> bool {
        let lacking = |slots: u64| {
            let fresh = (word & FRESH_BITS & slots).count_ones();
            let mated = (word & MATED_BITS & slots).count_ones();
            i64::from(2 * fresh + mated)
        };
        let ends = self.read - lacking(self.plus) + lacking(self.minus);
        match at(word, 0) {
            DONE => ends == self.all,
            MATED => (self.all - ends).abs() == 1,
            _ => true,
        }
    }
}

/// Reading one vertex, or one more edge.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Slots before it.
    slots: usize,
    earlier: Vec<Earlier>,
    /// How many edges to come the vertex that is read has; `None` for a step that decides on a
    /// single edge between the two earlier vertices.
    later: Option<u8>,
    /// Slots that leave afterwards, the highest first. The vertex that is read has the slot
    /// after all others.
    leaving: Vec<u8>,
    balance: Option<Balance>,
}

impl Step {
    /// A step that leaves everything as it is; borders that are there several times are added up.
    pub(super) fn gathering() -> Self {
        let (earlier, leaving) = (Vec::new(), Vec::new());
        Step { slots: 0, earlier, later: None, leaving, balance: None }
    }

    /// Offers every choice after a border of type `word`: the type afterwards, what happens to
    /// the matching, and the factor of what is chosen.
    #[inline]
    pub(super) fn choose(&self, word: u64, mut offer: impl FnMut(u64, Operation, i32)) {
        // Earlier vertices that can take an edge, and those that must take this one: bits.
        let (mut open, mut must) = (0u32, 0u32);
        for (number, earlier) in self.earlier.iter().enumerate() {
            let lacks = match at(word, usize::from(earlier.slot)) {
                DONE => continue,
                FRESH => 2,
                _ => 1,
            };
            open |= 1 << number;
            if lacks > earlier.later {
                must |= 1 << number;
                if lacks > earlier.later + 1 {
                    return;
                }
            }
        }
        let mut offer = |word: u64, operation: Operation, factor: i32| {
            let mut after = word;
            for &slot in &self.leaving {
                let below = (1 << (2 * u32::from(slot))) - 1;
                after = after & below | after >> 2 & !below;
            }
            if self.balance.is_none_or(|balance| balance.holds(after)) {
                offer(after, operation, factor);
            }
        };
        let forced = must.count_ones();
        let Some(later) = self.later else {
            if forced == 0 {
                offer(word, Operation::Keep, 1);
            }
            if open == 0b11 {
                self.two(word, 0, 1, &mut offer);
            }
            return;
        };
        if forced == 0 && later >= 2 {
            offer(with(word, self.slots, FRESH), Operation::Keep, 1);
        }
        if later >= 1 && forced <= 1 {
            for number in bits(if forced == 1 { must } else { open }) {
                self.one(word, number, &mut offer);
            }
        }
        match forced {
            0 => {
                for first in bits(open) {
                    for second in bits(open & !((2 << first) - 1)) {
                        self.two(word, first, second, &mut offer);
                    }
                }
            }
            1 => {
                let only = must.trailing_zeros() as usize;
                for other in bits(open & !must) {
                    self.two(word, only.min(other), only.max(other), &mut offer);
                }
            }
            2 => {
                let (first, last) = (must.trailing_zeros(), must.ilog2());
                self.two(word, first as usize, last as usize, &mut offer);
            }
            _ => {}
        }
    }

    /// The vertex takes one edge.
    #[inline]
    fn one(&self, word: u64, number: usize, offer: &mut impl FnMut(u64, Operation, i32)) {
        let Earlier { slot, factor, .. } = self.earlier[number];
        let (slot, factor) = (usize::from(slot), i32::from(factor));
        let place = point(word, slot);
        if at(word, slot) == FRESH {
            let word = with(with(word, slot, MATED), self.slots, MATED);
            return offer(word, Operation::Append(place), factor);
        }
        let last = 2 * pairs(word) as u8 - 1;
        let word = with(with(word, slot, DONE), self.slots, MATED);
        offer(word, shift(place, last), factor);
    }

    /// The vertex takes two edges, or two earlier vertices are joined; the first has the lower
    /// slot.
    #[inline]
    fn two(&self, word: u64, a: usize, b: usize, offer: &mut impl FnMut(u64, Operation, i32)) {
        let (a, b) = (&self.earlier[a], &self.earlier[b]);
        let factor = i32::from(a.factor) * i32::from(b.factor);
        let (a, b) = (usize::from(a.slot), usize::from(b.slot));
        let [place_a, place_b] = [a, b].map(|slot| point(word, slot));
        let pairs = pairs(word);
        match (at(word, a), at(word, b)) {
            (FRESH, FRESH) => {
                let word = with(with(word, a, MATED), b, MATED);
                let is_last = usize::from(place_b) == 2 * pairs;
                let append = Operation::Append(place_a);
                let insert = Operation::Insert(place_a, place_b);
                offer(word, if is_last { append } else { insert }, factor);
            }
            (FRESH, _) => {
                // The place of `a` once the point of `b`, which is above it, is gone.
                let word = with(with(word, a, MATED), b, DONE);
                offer(word, shift(place_b, place_a), factor);
            }
            (_, FRESH) => {
                let word = with(with(word, a, DONE), b, MATED);
                offer(word, shift(place_a, place_b - 1), factor);
            }
            _ => {
                // With one pair, its two points are each other's.
                if pairs > 1 {
                    let word = with(with(word, a, DONE), b, DONE);
                    offer(word, Operation::Join(place_a, place_b), factor);
                }
            }
        }
    }
}

fn shift(from: u8, to: u8) -> Operation {
    if from == to { Operation::Keep } else { Operation::Shift(from, to) }
}

fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            lowest as usize
        })
    })
}

/// All steps of reading some edges.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) steps: Vec<Step>,
    /// The vertices that hold the slots after each step.
    pub(super) borders: Vec<Vec<u32>>,
    /// The vertices that are read, in order.
    pub(super) order: Vec<u32>,
    /// When each vertex is read.
    times: Vec<usize>,
    /// The edges that are read: the neighbours of each vertex.
    edges: Vec<Vec<u32>>,
}

/// Weights of vertices in a graph of two colours; the outside, which has none, is read first.
#[derive(Clone, Debug)]
pub(super) struct Weights(pub(super) Vec<i8>);

impl Reading {
    /// Reads, in this order, vertices joined by `edges`; `elsewhere` is the number of edges of
    /// each vertex that are not read here. `None` if the border has too many slots.
    pub(super) fn new(
        order: Vec<u32>,
        edges: &[Vec<u32>],
        factors: &Factors,
        elsewhere: &[usize],
        weights: Option<&Weights>,
    ) -> Option<Self> {
        let mut time = vec![usize::MAX; edges.len()];
        for (step, &vertex) in order.iter().enumerate() {
            time[vertex as usize] = step;
        }
        let later = |vertex: u32, step: usize| {
            let here = edges[vertex as usize].iter().filter(|&&to| time[to as usize] > step);
            here.count() + elsewhere[vertex as usize]
        };
        let capped = |number: usize| u8::try_from(number).unwrap_or(u8::MAX - 1);
        let mut border: Vec<u32> = Vec::new();
        let mut steps = Vec::with_capacity(order.len());
        let mut borders = Vec::with_capacity(order.len());
        let mut read = 0;
        for (step, &vertex) in order.iter().enumerate() {
            let slots = border.len();
            if slots + 1 > MOST_SLOTS {
                return None;
            }
            let joined = |slot: &usize| edges[vertex as usize].contains(&border[*slot]);
            let earlier = (0..slots).filter(joined).map(|slot| Earlier {
                slot: slot as u8,
                later: capped(later(border[slot], step)),
                factor: factors.of(vertex, border[slot]),
            });
            let earlier = earlier.collect();
            border.push(vertex);
            let leaves = |slot: &usize| later(border[*slot], step) == 0;
            let leaving: Vec<usize> = (0..=slots).rev().filter(leaves).collect();
            for &slot in &leaving {
                border.remove(slot);
            }
            let balance = weights.filter(|_| step > 0).map(|Weights(weights)| {
                read += 2 * i64::from(weights[vertex as usize]);
                let slots = |weight: i8| {
                    let of = border.iter().enumerate();
                    let of = of.filter(|(_, vertex)| weights[**vertex as usize] == weight);
                    of.fold(0, |slots, (slot, _)| slots | 3 << (2 * slot))
                };
                let all = weights.iter().map(|&weight| 2 * i64::from(weight)).sum();
                Balance { plus: slots(1), minus: slots(-1), read, all }
            });
            steps.push(Step {
                slots,
                earlier,
                later: Some(capped(later(vertex, step))),
                leaving: leaving.into_iter().map(|slot| slot as u8).collect(),
                balance,
            });
            borders.push(border.clone());
        }
        Some(Reading { steps, borders, order, times: time, edges: edges.to_vec() })
    }

    /// The vertices of the last border.
    pub(super) fn last(&self) -> &[u32] {
        self.borders.last().map_or(&[], Vec::as_slice)
    }

    /// The most slots of a border, the vertex that is being read included.
    pub(super) fn slots(&self) -> usize {
        self.steps.iter().map(|step| step.slots + 1).max().unwrap_or(0)
    }

    /// Those of the neighbours of a vertex that it has edges to after a step, in this half or
    /// elsewhere.
    pub(super) fn to_come<'n>(
        &self,
        vertex: u32,
        step: usize,
        neighbours: &'n [u32],
    ) -> impl Iterator<Item = &'n u32> {
        let is_read = move |vertex: u32| self.times[vertex as usize] <= step;
        let here = move |to: u32| self.edges[vertex as usize].contains(&to);
        neighbours.iter().filter(move |&&to| !(is_read(vertex) && is_read(to) && here(to)))
    }

    /// After how many steps all edges of a vertex that are read here are.
    pub(super) fn settled(&self, vertex: u32) -> usize {
        let neighbours = self.edges[vertex as usize].iter();
        let times = neighbours.chain([&vertex]).map(|&at| self.times[at as usize]);
        times.filter(|&time| time != usize::MAX).max().map_or(0, |last| last + 1)
    }

    /// A step that decides on one more edge between two vertices of the last border.
    pub(super) fn edge(&self, a: u32, b: u32, factors: &Factors) -> Option<Step> {
        let factor = factors.of(a, b);
        let slot = |vertex: u32| self.last().iter().position(|&other| other == vertex);
        let (a, b) = (slot(a)?, slot(b)?);
        // It need not be taken: what is lacking is seen when the halves are joined.
        let earlier = [(a.min(b), factor), (a.max(b), 1)].map(|(slot, factor)| Earlier {
            slot: slot as u8,
            later: u8::MAX - 1,
            factor,
        });
        let slots = self.last().len();
        let earlier = earlier.to_vec();
        Some(Step { slots, earlier, later: None, leaving: Vec::new(), balance: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_words() {
        let word = with(with(with(0, 0, FRESH), 2, MATED), 5, MATED);
        assert_eq!((at(word, 0), at(word, 1), at(word, 2)), (FRESH, DONE, MATED));
        assert_eq!((pairs(word), point(word, 2), point(word, 5)), (1, 0, 1));
    }

    #[test]
    fn the_steps_of_a_square() {
        // 0 – 1 – 2 – 3 – 0.
        let edges: Vec<Vec<u32>> = vec![vec![1, 3], vec![0, 2], vec![1, 3], vec![2, 0]];
        let reading =
            Reading::new(vec![0, 1, 2, 3], &edges, &Factors::default(), &[0; 4], None).unwrap();
        assert_eq!(reading.borders, [vec![0], vec![0, 1], vec![0, 2], vec![]]);
        let mut word = 0;
        for (step, expected) in [(0, FRESH), (1, MATED | MATED << 2), (2, MATED | MATED << 2)] {
            let mut after = Vec::new();
            reading.steps[step].choose(word, |word, operation, factor| {
                assert_eq!(factor, 1);
                after.push((word, operation));
            });
            assert_eq!(after.len(), 1, "{after:?}");
            word = after[0].0;
            assert_eq!(word, expected);
        }
        // The last vertex would close the square, which is for joining to do.
        reading.steps[3].choose(word, |word, _, _| panic!("{word}"));
    }
}
