//! Where the holes can be, and the group that moving them about makes.
//!
//! A **hole-set** is the set of cells that are holes. Seen without the numbers of the
//! tiles, a puzzle is the graph of its hole-sets; with them it is the lift of that graph
//! (see [`pessoi_engine::lift`]): the slots are the occupied cells in their order, and a
//! slide takes the tile out of one place of that order and puts it in at another. Isolated
//! hole-sets, from which no slide leads, are left out.
//!
//! The **group** of a part of this graph is all that can be done to the tiles by moving the
//! holes about and back. With t tiles there are t! / |group| components over each part, all
//! alike; and one configuration can be turned into another if their hole-sets lie in one
//! part and the permutation between them, by the names of the slots along a spanning
//! tree, is in the group. That takes no search over configurations, however many there are.

use num_bigint::BigUint;
use pessoi_engine::lift::{Gains, Gauge, Geometry};
use pessoi_engine::run::{Claim, Run, Stop};
use pessoi_engine::symmetry::{Generated, Permutation, factorial};

use super::position::Position;
use super::rule::{Cells, Puzzle, bit};
use crate::board::{Lattice, Symmetry};

/// The hole-sets of a puzzle and the groups of their parts.
#[derive(Debug)]
pub(super) struct Holes {
    pub(super) tiles: usize,
    /// All hole-sets that allow a slide, in the order of their ranks.
    pub(super) sets: Vec<Cells>,
    /// By the rank of a hole-set, its part and its node there; [`ISOLATED`] if no slide.
    places: Vec<(u32, u32)>,
    pub(super) isolated: u64,
    pub(super) parts: Vec<Part>,
    binomials: Vec<Vec<u64>>,
    _claim: Claim,
}

const ISOLATED: (u32, u32) = (u32::MAX, u32::MAX);

/// Hole-sets that can be turned into each other.
#[derive(Debug)]
pub(super) struct Part {
    /// The hole-sets, by node.
    pub(super) sets: Vec<Cells>,
    pub(super) gains: Gains,
    pub(super) gauge: Gauge,
    pub(super) generators: Vec<Permutation>,
    pub(super) group: Generated,
}

/// Whether one configuration can be turned into another, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Reached,
    /// No tile can slide in the first, or in the second.
    Isolated {
        first: bool,
    },
    /// The holes cannot get there, whatever the tiles do.
    Apart,
    /// The permutation is odd, and only even ones can be reached.
    Odd,
    /// These tiles cannot get to their places, all at once.
    Stuck(Vec<u8>),
}

/// The number of ways to choose k of n, if it is below 2^64.
pub(super) fn choose(n: usize, k: usize) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let mut ways: u64 = 1;
    for i in 0..k.min(n - k) as u64 {
        ways =
            u64::try_from(u128::from(ways) * u128::from(n as u64 - i) / u128::from(i + 1)).ok()?;
    }
    Some(ways)
}

/// Hole-sets beyond this are never listed.
const MOST_SETS: u64 = 1 << 26;

impl Holes {
    /// Lists the hole-sets and finds the groups.
    pub(super) fn new(puzzle: &Puzzle, holes: usize, run: &Run) -> Result<Holes, Stop> {
        let cells = puzzle.len();
        let tiles = cells - holes;
        let ways = choose(cells, holes).unwrap_or(u64::MAX);
        run.stage("hole-sets", 0);
        let mut claim = run.claim();
        let limit = run.budget().memory.unwrap_or(u64::MAX);
        if ways > MOST_SETS {
            return Err(Stop::Memory { needed: ways.saturating_mul(64), limit });
        }
        claim.grow_to(ways * 8)?;
        let binomials: Vec<Vec<u64>> = (0..=holes)
            .map(|k| (0..=cells).map(|n| choose(n, k).unwrap_or(u64::MAX)).collect())
            .collect();
        let mut sets = Vec::new();
        let mut places = vec![ISOLATED; ways as usize];
        let mut set: Cells = (1 << holes) - 1;
        for rank in 0..ways {
            if rank % 4096 == 0 {
                run.tick(4096)?;
            }
            if !puzzle.is_isolated(set) {
                places[rank as usize] = (0, sets.len() as u32);
                sets.push(set);
            }
            set = next_set(set);
        }
        // The graph and the names; arcs are pairs of numbers.
        claim.grow_to(ways * 8 + sets.len() as u64 * (16 + tiles as u64 + 100))?;
        let mut found = Holes {
            tiles,
            isolated: ways - sets.len() as u64,
            sets: Vec::new(),
            places,
            parts: Vec::new(),
            binomials,
            _claim: claim,
        };
        let mut gains = Gains::new(sets.len(), tiles);
        for (node, &set) in (0..).zip(&sets) {
            if node % 1024 == 0 {
                run.tick(1024)?;
            }
            puzzle.slides(set, |from, to| {
                let next = set ^ bit(from as usize) ^ bit(to as usize);
                let target = found.places[found.rank(next) as usize].1;
                // Every slide can be undone, so each pair is met twice.
                if node < target {
                    gains.join(node, target, &gain(set, from, to, tiles));
                }
            });
        }
        let parts = gains.parts();
        for (number, nodes) in (0..).zip(&parts) {
            for (node, &old) in (0..).zip(nodes) {
                let rank = found.rank(sets[old as usize]);
                found.places[rank as usize] = (number, node);
            }
            let gains = if parts.len() == 1 {
                std::mem::replace(&mut gains, Gains::new(0, 0))
            } else {
                gains.part(nodes)
            };
            let gauge = Gauge::plain(&gains);
            let generators = gauge.generators(&gains, run)?;
            let group = Generated::new(tiles, &generators, run)?;
            let sets = nodes.iter().map(|&node| sets[node as usize]).collect();
            found.parts.push(Part { sets, gains, gauge, generators, group });
        }
        found.sets = sets;
        Ok(found)
    }

    /// The number of a hole-set among all of its size.
    fn rank(&self, set: Cells) -> u64 {
        let mut left = set;
        let mut rank = 0;
        for ways in &self.binomials[1..] {
            rank += ways[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        rank
    }

    /// The part and the node of a configuration; `None` if it is isolated.
    pub(super) fn place(&self, position: &Position) -> Option<(usize, u32)> {
        let (part, node) = self.places[self.rank(position.holes()) as usize];
        ((part, node) != ISOLATED).then_some((part as usize, node))
    }

    /// What must be done to the tiles, by the names of their places, to turn one
    /// configuration into another with hole-sets of the same part.
    pub(super) fn needed(&self, from: &Position, to: &Position) -> Option<Permutation> {
        let ((part, start), (_, end)) = (self.place(from)?, self.place(to)?);
        let part = &self.parts[part];
        let before = part.gauge.rename(start, &from.tiles());
        let after = part.gauge.rename(end, &to.tiles());
        let mut slot = vec![0u32; self.tiles + 1];
        for (name, &tile) in (0..).zip(&before) {
            slot[tile as usize] = name;
        }
        Permutation::new(after.iter().map(|&tile| slot[tile as usize])).ok()
    }

    /// Whether one configuration can be turned into another.
    pub(super) fn reach(&self, from: &Position, to: &Position) -> Reach {
        let Some((part, _)) = self.place(from) else {
            return if from == to { Reach::Reached } else { Reach::Isolated { first: true } };
        };
        let Some((other, end)) = self.place(to) else { return Reach::Isolated { first: false } };
        if part != other {
            return Reach::Apart;
        }
        let part = &self.parts[part];
        // Both hold the same tiles, so there is a permutation.
        let Some(needed) = self.needed(from, to) else { return Reach::Apart };
        let after = part.gauge.rename(end, &to.tiles());
        if part.group.contains(&needed) {
            return Reach::Reached;
        }
        let orbits = part.orbits();
        let strays = |&s: &usize| orbits[s] != orbits[needed.images()[s] as usize];
        if let Some(slot) = (0..self.tiles).find(strays) {
            return Reach::Stuck(vec![after[slot]]);
        }
        if part.group.all_even() && !needed.is_even() {
            return Reach::Odd;
        }
        let misfit = part.group.misfit(&needed).unwrap_or_default();
        Reach::Stuck(misfit.into_iter().map(|slot| after[slot as usize]).collect())
    }

    /// The parts up to symmetries of the board: the first of each kind.
    pub(super) fn kinds(&self, puzzle: &Puzzle) -> Vec<usize> {
        let symmetries = puzzle.board.symmetries();
        let is_first = |&part: &usize| {
            // All of a part goes to one part, so one hole-set shows where.
            let Some(&set) = self.parts[part].sets.first() else { return false };
            symmetries.iter().all(|symmetry| {
                let image = self.places[self.rank(image(symmetry, set)) as usize].0;
                image as usize >= part
            })
        };
        (0..self.parts.len()).filter(is_first).collect()
    }

    /// The number of components, isolated configurations apart.
    pub(super) fn components(&self) -> BigUint {
        self.parts.iter().map(|part| part.components(self.tiles)).sum()
    }

    /// How many configurations each component has, if all have as many.
    pub(super) fn component_size(&self) -> Option<BigUint> {
        let mut sizes = self.parts.iter().map(Part::size);
        let first = sizes.next()?;
        sizes.all(|size| size == first).then_some(first)
    }

    /// Whether all configurations that allow a slide are in one component.
    pub(super) fn is_maximal(&self) -> bool {
        self.components() == BigUint::from(1u32)
    }

    /// Whether whatever leaves the holes in place is even.
    pub(super) fn is_weakly_even(&self) -> bool {
        self.parts.iter().all(|part| part.group.all_even())
    }

    /// Whether there are two components, told apart by parity alone.
    pub(super) fn is_strongly_even(&self) -> bool {
        self.is_weakly_even() && self.components() == BigUint::from(2u32)
    }
}

impl Part {
    /// How many cells the board has.
    pub(super) fn cells(&self) -> usize {
        let holes = self.sets.first().map_or(0, |set| set.count_ones() as usize);
        self.gains.slots() + holes
    }

    /// How many components there are over this part.
    pub(super) fn components(&self, tiles: usize) -> BigUint {
        factorial(tiles) / self.group.order()
    }

    /// How many configurations each of them has.
    pub(super) fn size(&self) -> BigUint {
        self.group.order() * self.sets.len()
    }

    /// What the board's symmetries do to the hole-sets, as far as they stay in this part.
    pub(super) fn geometry(&self, puzzle: &Puzzle) -> Geometry {
        let mut symmetries = Vec::new();
        for symmetry in puzzle.board.symmetries().iter().skip(1) {
            let node = |&set: &Cells| {
                self.sets.binary_search(&image(symmetry, set)).ok().map(|node| node as u32)
            };
            // A symmetry may take this part to another.
            if let Some(nodes) = self.sets.iter().map(node).collect() {
                symmetries.push(nodes);
            }
        }
        Geometry { symmetries }
    }

    /// For each slot, the least slot that a tile can get from there.
    pub(super) fn orbits(&self) -> Vec<u32> {
        let mut least: Vec<u32> = (0..self.group.degree() as u32).collect();
        loop {
            let mut changed = false;
            for generator in &self.generators {
                for (from, &to) in generator.images().iter().enumerate() {
                    let low = least[from].min(least[to as usize]);
                    changed |= least[from] != low || least[to as usize] != low;
                    least[from] = low;
                    least[to as usize] = low;
                }
            }
            if !changed {
                return least;
            }
        }
    }
}

/// Where a symmetry takes a set of cells.
fn image(symmetry: &Symmetry, set: Cells) -> Cells {
    let mut left = set;
    let mut image: Cells = 0;
    while left != 0 {
        image |= bit(symmetry.permutation[left.trailing_zeros() as usize] as usize);
        left &= left - 1;
    }
    image
}

/// What is known of a puzzle without a search.
pub(super) enum Known {
    Holes(Box<Holes>),
    /// There are too many hole-sets to list, but with this smaller number of holes there is
    /// one component, and therefore with more holes too.
    Maximal {
        by_holes: usize,
    },
}

/// Beyond this many hole-sets a smaller number of holes is tried first.
const MANY_SETS: u64 = 200_000;
/// So many are listed at most when that is tried: a second or two.
const SOME_SETS: u64 = 1_000_000;

impl Known {
    /// Finds the groups; or, if there are very many hole-sets, tries to do without.
    ///
    /// If all configurations that allow a slide are in one component with k holes, so they
    /// are with one more: of the holes of a configuration that allows a slide take one away
    /// that the slide does not need, as if a blank tile lay there. Whatever can be done
    /// with the k others can still be done.
    pub(super) fn new(puzzle: &Puzzle, holes: usize, run: &Run) -> Result<Known, Stop> {
        if choose(puzzle.len(), holes).is_none_or(|ways| ways > MANY_SETS) {
            let least = if puzzle.board.lattice() == Lattice::Hex { 2 } else { 1 };
            for fewer in least..holes.min(least + 3) {
                if choose(puzzle.len(), fewer).is_none_or(|ways| ways > SOME_SETS) {
                    break;
                }
                if Holes::new(puzzle, fewer, run)?.is_maximal() {
                    return Ok(Known::Maximal { by_holes: fewer });
                }
            }
        }
        Holes::new(puzzle, holes, run).map(|holes| Known::Holes(Box::new(holes)))
    }
}

/// What a slide does to the tiles in the order of their cells: place s of the new order
/// holds what place g(s) of the old one held.
fn gain(holes: Cells, from: u8, to: u8, tiles: usize) -> Vec<u8> {
    let place = |cell: u8, holes: Cells| {
        let below = bit(cell as usize) - 1;
        (below & !holes).count_ones() as usize
    };
    let mut order: Vec<u8> = (0..tiles as u8).collect();
    let tile = order.remove(place(from, holes));
    order.insert(place(to, holes | bit(from as usize)), tile);
    order
}

/// The next set of as many cells.
fn next_set(set: Cells) -> Cells {
    if set == 0 {
        return 0;
    }
    // Gosper's method: the lowest run of ones gives one of them to the place above.
    let lowest = set & set.wrapping_neg();
    let raised = set.wrapping_add(lowest);
    raised | ((set ^ raised) >> 2 >> lowest.trailing_zeros())
}
