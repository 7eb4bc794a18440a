//! Far halves of borders: classes, colourings, blocks.
//!
//! While the points of some rows are read, the stones of the other rows stay where they are.
//! So the border is cut in two: the **near** half holds the rows that are read in this
//! *phase* (and the row above them, which they touch), the **far** half holds the others. What
//! the halves must know of each other is little, the far half's **class**: the colours of the
//! strings that cross the cut, from the inside outwards, and what stands right at the cut. Any
//! near half that fits one member of a class fits all of them.
//!
//! **Blocks.** During a phase strings of the far half get liberties, are joined and end, but no
//! stone of it changes its colour. So far halves of different colours never meet, except that
//! colours may be reversed as a whole, and the borders fall into independent parts: one for each
//! colouring of the far half with its reverse. A **block** is some such colourings.
//!
//! **Order.** Whether stones of a far half can be needy depends on little: a run of equal stones
//! beside an empty point is free, and of the other runs only the colours matter, not how long
//! they are or where they stand. That is the **pattern** of a colouring. Colourings of one
//! pattern do all the same, so they are kept side by side, and what happens to their strings
//! moves whole runs of elements. Blocks are taken in the order of patterns.
//!
//! **Colours.** A border and its reverse have equal numbers, so only one is kept. Members of
//! reverse classes stand in the same order, and the members of a class that is its own reverse
//! (nothing coloured at the cut) stand, in each block, as: without stones, then one half, then
//! their reverses in the same order. So a reversed row is the row itself or the row with its
//! halves *swapped*.
//!
//! Sizes for m = 12, cut in the middle: 43–81 classes, 13,000 far halves in 365 colourings.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::border::{
    CODES, DOWN, NEEDY, UP, WHITE, all_free, code, is_stone, links_after, may_touch, reversed,
};
use crate::error::{Error, Result};

/// Far halves that look alike from the near side.
pub(super) struct Class {
    /// The strings that cross the cut; see [`links_after`].
    pub(super) links: u32,
    /// The point at the cut, without what only the far side cares for.
    pub(super) edge: u8,
    /// The far halves, block after block.
    pub(super) members: Vec<u64>,
    /// The class of their reverses.
    pub(super) reverse: u16,
    /// Where the members of each block begin; one more for the end.
    pub(super) starts: Vec<u32>,
}

impl Class {
    /// How many members a block has.
    pub(super) fn len(&self, block: usize) -> usize {
        (self.starts[block + 1] - self.starts[block]) as usize
    }

    /// Which members a block has.
    pub(super) fn range(&self, block: usize) -> Range<usize> {
        self.starts[block] as usize..self.starts[block + 1] as usize
    }

    /// The members of a block.
    pub(super) fn of_block(&self, block: usize) -> &[u64] {
        &self.members[self.range(block)]
    }

    /// The places of a block's members that have no needy stone.
    pub(super) fn free(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        let members = self.of_block(block).iter().enumerate();
        members.filter(|&(_, &half)| all_free(half)).map(|(place, _)| place)
    }
}

/// Where a far half is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) class: u16,
    pub(super) block: u32,
    /// Among the members of its class and block.
    pub(super) at: u32,
}

/// The far halves of a phase.
pub(super) struct Far {
    /// From the cut outwards.
    points: Vec<usize>,
    pub(super) mask: u64,
    pub(super) is_above: bool,
    pub(super) classes: Vec<Class>,
    places: FxHashMap<u64, Place>,
    /// The colourings of each block, of each and its reverse one.
    pub(super) blocks: Vec<Vec<u64>>,
}

/// The points, as a mask.
pub(super) fn mask(points: &[usize]) -> u64 {
    points.iter().fold(0, |mask, point| mask | 15 << (4 * point))
}

/// The lowest bit of every point.
const LOWEST: u64 = 0x1111_1111_1111_1111;

/// The colours of a border or a part: 0 for no stone, 1 black, 3 white, in four bits a point.
pub(super) fn colours(half: u64) -> u64 {
    let stones = (half >> 1 | half >> 2 | half >> 3) & LOWEST;
    stones | (half & stones) << 1
}

/// The reverse of colours.
pub(super) fn reverse_colours(colours: u64) -> u64 {
    colours ^ (colours & LOWEST) << 1
}

/// The colours or their reverse, whichever are smaller.
pub(super) fn either(colours: u64) -> u64 {
    colours.min(reverse_colours(colours))
}

/// All halves on these points, read from the outer end towards the cut, each with its open
/// links. Neighbours must agree except across `bump`, the first row of the column before.
pub(super) fn halves(points: &[usize], downwards: bool, bump: usize) -> Vec<(u64, u32)> {
    let (inwards, outwards) = if downwards { (UP, DOWN) } else { (DOWN, UP) };
    let mut found = vec![(0u64, 1u32)];
    for (k, &point) in points.iter().enumerate() {
        let mut longer = Vec::with_capacity(found.len() * 5);
        for (half, links) in found {
            for next in CODES {
                if k > 0 {
                    let last = code(half, points[k - 1]);
                    let (above, below, lower) =
                        if downwards { (last, next, point) } else { (next, last, points[k - 1]) };
                    if lower != bump && !may_touch(above, below) {
                        continue;
                    }
                }
                if let Some(links) = links_after(links, next, inwards, outwards) {
                    longer.push((half | u64::from(next) << (4 * point), links));
                }
            }
        }
        found = longer;
    }
    found
}

/// By what the members of a class and block are sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    /// Whether the stone nearest to the cut is white.
    turned: bool,
    pattern: u64,
    /// What the runs that can be needy are.
    standing: u64,
    colouring: u64,
}

impl Far {
    /// The far halves on these points, which are given from the cut outwards, in classes; they
    /// are not in blocks yet.
    pub(super) fn new(points: Vec<usize>, is_above: bool) -> Result<Far> {
        let mut far = Far {
            mask: mask(&points),
            points,
            is_above,
            classes: Vec::new(),
            places: FxHashMap::default(),
            blocks: Vec::new(),
        };
        let outer_first: Vec<usize> = far.points.iter().rev().copied().collect();
        let across = if is_above { DOWN } else { UP };
        let edge_point = *far.points.first().ok_or_else(|| Error::internal("an empty half"))?;
        let mut all = halves(&outer_first, is_above, usize::MAX);
        all.sort_unstable();
        let mut by_key: FxHashMap<(u32, u8), u16> = FxHashMap::default();
        for &(half, links) in &all {
            let code = code(half, edge_point);
            let edge = if code & NEEDY == 0 { code } else { code & (NEEDY | WHITE | across) };
            let next = far.classes.len() as u16;
            let class = *by_key.entry((links, edge)).or_insert(next);
            if class == next {
                let (members, starts) = (Vec::new(), Vec::new());
                far.classes.push(Class { links, edge, members, reverse: class, starts });
            }
            far.classes[usize::from(class)].members.push(half);
        }
        for class in &mut far.classes {
            // All bits but the leading one are colours.
            let other = class.links ^ ((1 << class.links.ilog2()) - 1);
            let edge = if is_stone(class.edge) { class.edge ^ WHITE } else { class.edge };
            class.reverse = *by_key
                .get(&(other, edge))
                .ok_or_else(|| Error::internal("a class without a reverse"))?;
        }
        Ok(far)
    }

    /// The stone that is nearest to the cut, if there is one.
    pub(super) fn nearest(&self, half: u64) -> Option<u8> {
        self.points.iter().map(|&point| code(half, point)).find(|&code| is_stone(code))
    }

    fn order(&self, half: u64) -> Order {
        let turned = self.nearest(half).is_some_and(|code| code & WHITE != 0);
        let half = if turned { reversed(half) } else { half };
        let at = |k: usize| self.points.get(k).map_or(0, |&point| code(half, point));
        // The length of the word, so that words that begin alike are told apart.
        let (mut pattern, mut standing) = (1, 0);
        let mut k = 0;
        while k < self.points.len() {
            let begin = k;
            let same = |k: usize| colours(at(k).into()) == colours(at(begin).into());
            while k < self.points.len() && same(k) {
                k += 1;
            }
            let is_empty = |k: usize| k < self.points.len() && !is_stone(at(k));
            let beside_empty = begin > 0 && is_empty(begin - 1) || is_empty(k);
            let kind = match colours(at(begin).into()) {
                _ if begin > 0 && beside_empty => continue,
                0 if begin > 0 => continue,
                0 => 0,
                // Its colour is what the near half sees.
                colour if beside_empty => 3 + colour,
                colour => colour,
            };
            pattern = pattern << 3 | kind;
            let (near, last) = (at(begin), at(k - 1));
            standing = standing << 4 | u64::from(near & (NEEDY | UP) | last & DOWN);
            standing |= u64::from(near & DOWN | last & UP) << 32;
        }
        Order { turned, pattern, standing, colouring: colours(half) }
    }

    /// Puts the colourings into so many blocks of about equal weight, if there are so many
    /// colourings; a member of a class weighs as much as given.
    pub(super) fn divide(&mut self, blocks: usize, weights: &[u64]) {
        let mut all: FxHashMap<u64, (u64, u64)> = FxHashMap::default();
        let mut whole = 0;
        for (class, &weight) in self.classes.iter().zip(weights) {
            for &half in &class.members {
                let colouring = either(colours(half));
                let known = all.entry(colouring).or_default();
                known.1 += weight;
                whole += weight;
            }
        }
        for (colouring, (pattern, _)) in &mut all {
            // As if all stones were free.
            *pattern = self.order(colouring << 1 & LOWEST << 1 | colouring >> 1 & LOWEST).pattern;
        }
        let mut sorted: Vec<(u64, u64, u64)> = all
            .into_iter()
            .map(|(colouring, (pattern, weight))| (pattern, colouring, weight))
            .collect();
        sorted.sort_unstable();
        let a_block = (whole / blocks.max(1) as u64).max(1);
        let mut taken = 0;
        self.blocks = vec![Vec::new()];
        for (_, colouring, weight) in sorted {
            if taken >= a_block.saturating_mul(self.blocks.len() as u64) {
                self.blocks.push(Vec::new());
            }
            taken += weight;
            if let Some(last) = self.blocks.last_mut() {
                last.push(colouring);
            }
        }
        self.sort();
    }

    /// Sorts the members of all classes by block, and within.
    fn sort(&mut self) {
        let block_of: FxHashMap<u64, u32> = (0..)
            .zip(&self.blocks)
            .flat_map(|(block, colourings)| colourings.iter().map(move |&c| (c, block)))
            .collect();
        let block = |half: u64| block_of[&either(colours(half))];
        for number in 0..self.classes.len() {
            let reverse = usize::from(self.classes[number].reverse);
            if number > reverse {
                let Class { members, starts, .. } = &self.classes[reverse];
                let members = members.iter().map(|&half| reversed(half)).collect();
                let starts = starts.clone();
                self.classes[number].members = members;
                self.classes[number].starts = starts;
                continue;
            }
            let mut keyed: Vec<(u32, Order, u64)> = Vec::new();
            for &half in &self.classes[number].members {
                keyed.push((block(half), self.order(half), half));
            }
            keyed.sort_unstable();
            let mut members = Vec::with_capacity(keyed.len());
            let mut starts = vec![0; self.blocks.len() + 1];
            for of_block in keyed.chunk_by(|a, b| a.0 == b.0) {
                if number == reverse {
                    let own = of_block.iter().map(|&(.., half)| half);
                    members.extend(own.filter(|&half| half == reversed(half)));
                    let half = || of_block.iter().filter(|(_, order, _)| !order.turned);
                    let half = || half().map(|&(.., half)| half).filter(|&h| h != reversed(h));
                    members.extend(half());
                    members.extend(half().map(reversed));
                } else {
                    members.extend(of_block.iter().map(|&(.., half)| half));
                }
                starts[of_block[0].0 as usize + 1] = of_block.len() as u32;
            }
            for block in 0..self.blocks.len() {
                starts[block + 1] += starts[block];
            }
            self.classes[number].members = members;
            self.classes[number].starts = starts;
        }
        for (number, class) in self.classes.iter().enumerate() {
            for block in 0..self.blocks.len() {
                for (place, &half) in class.of_block(block).iter().enumerate() {
                    let (class, block, place) = (number as u16, block as u32, place as u32);
                    self.places.insert(half, Place { class, block, at: place });
                }
            }
        }
    }

    /// Where a far half is.
    pub(super) fn place(&self, half: u64) -> Result<Place> {
        let found = self.places.get(&half).copied();
        found.ok_or_else(|| Error::internal("a far half that is not valid"))
    }

    /// Bytes of all lists.
    pub(super) fn bytes(&self) -> u64 {
        let classes: usize = self
            .classes
            .iter()
            .map(|class| 8 * class.members.capacity() + 4 * class.starts.len())
            .sum();
        let blocks: usize = self.blocks.iter().map(|block| 8 * block.capacity()).sum();
        // One place in eight stays empty, and each has a byte beside it.
        let places = self.places.capacity() * (size_of::<(u64, Place)>() + 1) * 8 / 7;
        (classes + blocks + places) as u64
    }
}
