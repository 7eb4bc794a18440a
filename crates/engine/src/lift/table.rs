//! Breadth-first search with two bits a state.
//!
//! A **block** is all states with one permutation: a bit for each node. There are two
//! tables of blocks, the **planes**. At each level one is *old* and the other *new*: a
//! state in neither has not been met; in the old alone, it is on the frontier; in both, it
//! is done; in the new alone, it was found at this level. A state of the frontier is put
//! into the new plane when it is read, and at the end of the level the planes change
//! roles. So a level writes to one plane only and by adding bits only, and threads need no
//! more than an atomic *or* on single words; whichever of them adds a bit counts it.
//!
//! Names along a spanning tree make most moves stay in their block (see [`Gauge`]): there
//! they are bit operations on one word. The others are applied chunk by chunk with the
//! slices of `ranks`. Slots that no gain moves have no part in a block's number.
//!
//! R. E. Korf searched sliding puzzles with two bits a state (2008); blocks, names and
//! slices are ours.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::gains::{Gains, Gauge, is_identity};
use super::ranks::{High, Ranks, Step, Targets, target};
use crate::run::{Claim, Run, Stop};
use crate::symmetry::Permutation;

/// What a search from one state found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The number of states at each distance.
    pub sizes: Vec<u64>,
    /// For each node, the greatest distance of a state there; `None` if none was reached.
    pub last: Vec<Option<u32>>,
    /// A state at the greatest distance: its node, and what it did to the slots.
    pub farthest: (u32, Permutation),
}

impl Layers {
    /// The greatest distance.
    pub fn depth(&self) -> u32 {
        (self.sizes.len() as u32).saturating_sub(1)
    }
}

/// The tables of a lift, ready to be searched.
#[derive(Debug)]
pub struct Table {
    gauge: Gauge,
    slots: usize,
    nodes: usize,
    /// The slots that are moved, those moved least often first.
    places: Vec<u8>,
    ranks: Ranks,
    inner: Inner,
    steps: Vec<Crossing>,
    planes: Planes,
    active: [Vec<AtomicBool>; 2],
    /// The level that was found last, from 0.
    level: usize,
    _claim: Claim,
}

/// Moves that stay in their block.
#[derive(Debug)]
struct Inner {
    /// For blocks of one word, by byte and its value: all nodes one move away.
    by_byte: Vec<u64>,
    /// For longer blocks: the nodes one move away from each.
    lists: Vec<Vec<u32>>,
    /// For longer blocks: the moves of each node to other blocks.
    crossing: Vec<Vec<Arc>>,
}

impl Inner {
    fn new(lists: Vec<Vec<u32>>, crossing: Vec<Vec<Arc>>) -> Self {
        let mut by_byte = Vec::new();
        if lists.len() <= 64 {
            by_byte = vec![0u64; lists.len().div_ceil(8) << 8];
            for (node, list) in lists.iter().enumerate() {
                let near = list.iter().fold(0, |near, to| near | 1u64 << to);
                for value in (0..256).filter(|value| value >> (node % 8) & 1 == 1) {
                    by_byte[((node / 8) << 8) | value] |= near;
                }
            }
        }
        Inner { by_byte, lists, crossing }
    }
}

/// Moves to other blocks by one gain.
#[derive(Debug)]
struct Crossing {
    step: Step,
    /// The nodes that have such a move, in blocks of one word.
    mask: u64,
    /// Groups of these that move by the same number of bits, in blocks of one word.
    turns: Vec<(u64, u32)>,
}

/// Two tables of words, as narrow as the nodes allow.
#[derive(Debug)]
enum Planes {
    Bytes([Vec<AtomicU8>; 2]),
    Shorts([Vec<AtomicU16>; 2]),
    Words([Vec<AtomicU32>; 2]),
    Longs([Vec<AtomicU64>; 2]),
}

impl Planes {
    fn new(nodes: usize, blocks: usize) -> Planes {
        fn pair<W: Word>(words: usize) -> [Vec<W>; 2] {
            [0, 1].map(|_| (0..words).map(|_| W::default()).collect())
        }
        match nodes {
            0..=8 => Planes::Bytes(pair(blocks)),
            9..=16 => Planes::Shorts(pair(blocks)),
            17..=32 => Planes::Words(pair(blocks)),
            _ => Planes::Longs(pair(blocks * nodes.div_ceil(64))),
        }
    }

    fn clear(&self) {
        fn clear<W: Word>(planes: &[Vec<W>; 2]) {
            for plane in planes {
                plane.par_iter().with_min_len(1 << 16).for_each(Word::clear);
            }
        }
        match self {
            Planes::Bytes(planes) => clear(planes),
            Planes::Shorts(planes) => clear(planes),
            Planes::Words(planes) => clear(planes),
            Planes::Longs(planes) => clear(planes),
        }
    }

    fn get(&self, plane: usize, place: usize) -> u64 {
        match self {
            Planes::Bytes(planes) => planes[plane][place].get(),
            Planes::Shorts(planes) => planes[plane][place].get(),
            Planes::Words(planes) => planes[plane][place].get(),
            Planes::Longs(planes) => planes[plane][place].get(),
        }
    }

    fn add(&self, plane: usize, place: usize, bits: u64) {
        match self {
            Planes::Bytes(planes) => planes[plane][place].add(bits),
            Planes::Shorts(planes) => planes[plane][place].add(bits),
            Planes::Words(planes) => planes[plane][place].add(bits),
            Planes::Longs(planes) => planes[plane][place].add(bits),
        };
    }
}

/// A word that threads share.
trait Word: Sync + Send + Default {
    fn get(&self) -> u64;
    /// Adds bits; gives what was there.
    fn add(&self, bits: u64) -> u64;
    /// The same when nobody else writes.
    fn add_alone(&self, bits: u64) -> u64;
    fn clear(&self);
}

macro_rules! word {
    ($atomic:ty, $plain:ty) => {
        impl Word for $atomic {
            #[inline]
            fn get(&self) -> u64 {
                u64::from(self.load(Relaxed))
            }
            #[inline]
            fn add(&self, bits: u64) -> u64 {
                u64::from(self.fetch_or(bits as $plain, Relaxed))
            }
            #[inline]
            fn add_alone(&self, bits: u64) -> u64 {
                let old = self.load(Relaxed);
                self.store(old | bits as $plain, Relaxed);
                u64::from(old)
            }
            fn clear(&self) {
                self.store(0, Relaxed);
            }
        }
    };
}
word!(AtomicU8, u8);
word!(AtomicU16, u16);
word!(AtomicU32, u32);
word!(AtomicU64, u64);

/// What was found in a level: how many, at which nodes, and the first.
#[derive(Clone, Debug)]
struct Sum {
    count: u64,
    uncounted: Vec<u64>,
    nodes: Vec<u64>,
    first: (usize, u32),
}

impl Sum {
    fn new(words: usize) -> Self {
        Sum { count: 0, uncounted: Vec::new(), nodes: vec![0; words], first: (usize::MAX, 0) }
    }

    /// Takes note of new bits. They are counted later, many at a time: there is no single
    /// instruction for it on every machine, but whole lists are counted fast on any.
    #[inline]
    fn found(&mut self, block: usize, word: usize, bits: u64) {
        self.uncounted.push(bits);
        self.nodes[word] |= bits;
        let first = (block, word as u32 * 64 + bits.trailing_zeros());
        if first < self.first {
            self.first = first;
        }
    }

    fn count(&mut self) {
        self.count += self.uncounted.iter().map(|bits| u64::from(bits.count_ones())).sum::<u64>();
        self.uncounted.clear();
    }

    fn join(mut self, other: &Sum) -> Sum {
        self.count += other.count;
        self.nodes.iter_mut().zip(&other.nodes).for_each(|(a, b)| *a |= b);
        self.first = self.first.min(other.first);
        self
    }
}

/// A gain, and the arcs that carry it.
type Carried = (Vec<u8>, Vec<(u32, u32)>);

/// Tables larger than this are never made, even where no limit is set.
pub const MOST_BYTES: u64 = 1 << 42;

/// Bytes of slices that are always allowed, if there is memory.
const ENOUGH: u64 = 256 << 20;

/// The size of the tables that a search would need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// States that the tables have room for.
    pub states: u64,
    /// Bytes of the tables.
    pub bytes: u64,
}

impl Table {
    /// What the tables of a connected gain graph would take; `None` if more than can be
    /// counted.
    pub fn size(graph: &Gains, gauge: &Gauge, run: &Run) -> Result<Option<Size>, Stop> {
        let generators = gauge.generators(graph, run)?;
        let moves = |slot: &usize| generators.iter().any(|g| g.images()[*slot] != *slot as u32);
        let places = (0..graph.slots()).filter(moves).count();
        let only_even = generators.iter().all(Permutation::is_even);
        let blocks = Ranks::count(places, only_even);
        let size = |blocks: u64| {
            let bytes = blocks.checked_mul(word_bytes(graph.nodes()))?.checked_mul(2)?;
            Some(Size { states: blocks.checked_mul(graph.nodes() as u64)?, bytes })
        };
        Ok(blocks.and_then(size))
    }

    /// Tables for a connected gain graph, by the names of a gauge.
    pub fn new(graph: &Gains, gauge: Gauge, run: &Run) -> Result<Table, Stop> {
        let size = Table::size(graph, &gauge, run)?;
        let mut claim = run.claim();
        match size {
            Some(size) if size.bytes <= MOST_BYTES => claim.grow_to(size.bytes)?,
            size => {
                let needed = size.map_or(u64::MAX, |size| size.bytes);
                let limit = run.budget().memory.unwrap_or(MOST_BYTES);
                return Err(Stop::Memory { needed, limit });
            }
        }

        let nodes = graph.nodes();
        let mut gains: Vec<Carried> = Vec::new();
        let mut inner = vec![Vec::new(); nodes];
        let mut moved = vec![0u64; graph.slots()];
        let mut numbers = std::collections::BTreeMap::new();
        for node in 0..nodes as u32 {
            for (to, gain) in graph.arcs(node) {
                let gain = gauge.gain(node, to, gain);
                if is_identity(&gain) {
                    inner[node as usize].push(to);
                    continue;
                }
                for (slot, &from) in gain.iter().enumerate() {
                    moved[slot] += u64::from(slot != from as usize);
                }
                let number = *numbers.entry(gain.clone()).or_insert_with(|| {
                    gains.push((gain, Vec::new()));
                    gains.len() - 1
                });
                gains[number].1.push((node, to));
            }
        }
        // Places that few moves touch come first: then most gains leave the chunk's high
        // part alone.
        let mut places: Vec<u8> = (0..graph.slots() as u8).collect();
        places.retain(|&slot| moved[slot as usize] > 0);
        places.sort_by_key(|&slot| moved[slot as usize]);
        let mut place = vec![0u8; graph.slots()];
        for (k, &slot) in (0..).zip(&places) {
            place[slot as usize] = k;
        }
        let on_places = |gain: &[u8]| -> Vec<u8> {
            places.iter().map(|&slot| place[gain[slot as usize] as usize]).collect()
        };
        let is_even = |gain: &[u8]| {
            Permutation::new(gain.iter().map(|&p| u32::from(p))).is_ok_and(|p| p.is_even())
        };
        let only_even = gains.iter().all(|(gain, _)| is_even(gain));
        let ranks = Ranks::new(places.len(), only_even);
        let is_single = nodes <= 64;
        // Slices together take no more than a part of the planes, or what is always enough.
        let most = ENOUGH.max(size.map_or(0, |size| size.bytes / 4)) / gains.len().max(1) as u64;
        let most = if run.would_fit(most * gains.len() as u64).is_ok() { most } else { 0 };
        let gains: Vec<Carried> =
            gains.into_iter().map(|(gain, arcs)| (on_places(&gain), arcs)).collect();
        let crossing = |(gain, arcs): &Carried| {
            let step = ranks.step(gain.clone(), most);
            let (mut mask, mut turns) = (0, Vec::<(u64, u32)>::new());
            for &(from, to) in arcs.iter().filter(|_| is_single) {
                mask |= 1u64 << from;
                let turn = to.wrapping_sub(from) % 64;
                match turns.iter_mut().find(|(_, known)| *known == turn) {
                    Some((mask, _)) => *mask |= 1 << from,
                    None => turns.push((1 << from, turn)),
                }
            }
            Crossing { step, mask, turns }
        };
        let steps: Vec<Crossing> = run.parallel(|| gains.par_iter().map(crossing).collect());
        run.check()?;
        let slices: u64 = steps.iter().map(|crossing| crossing.step.bytes()).sum();
        claim.grow_to(size.map_or(0, |size| size.bytes) + slices)?;

        let mut lists: Vec<Vec<Arc>> = vec![Vec::new(); nodes];
        for (number, (_, arcs)) in gains.iter().enumerate() {
            for &(from, to) in arcs {
                lists[from as usize].push(Arc { step: number as u32, to });
            }
        }
        let blocks = ranks.chunk * ranks.chunks;
        let active = || (0..ranks.chunks).map(|_| AtomicBool::new(false)).collect();
        Ok(Table {
            slots: graph.slots(),
            nodes,
            planes: Planes::new(nodes, blocks),
            active: [active(), active()],
            inner: Inner::new(inner, lists),
            places,
            steps,
            ranks,
            gauge,
            level: 0,
            _claim: claim,
        })
    }

    /// The names of the slots by which the tables go.
    pub fn gauge(&self) -> &Gauge {
        &self.gauge
    }

    /// Searches from a node, where the slots are as they are, to the end or until this
    /// distance.
    pub fn layers(&mut self, start: u32, until: Option<u32>, run: &Run) -> Result<Layers, Stop> {
        let words = self.nodes.div_ceil(64);
        let mut last = vec![None; self.nodes];
        last[start as usize] = Some(0);
        let mut sizes = vec![1];
        let mut farthest = (0, start);
        run.parallel(|| self.begin(start));
        loop {
            run.check()?;
            if until.is_some_and(|until| sizes.len() as u32 > until) {
                break;
            }
            let level = self.level;
            let sum = run.parallel(|| match &self.planes {
                Planes::Bytes(planes) => self.advance(planes, level, run),
                Planes::Shorts(planes) => self.advance(planes, level, run),
                Planes::Words(planes) => self.advance(planes, level, run),
                Planes::Longs(planes) if words == 1 => self.advance(planes, level, run),
                Planes::Longs(planes) => self.advance_wide(planes, level, run),
            })?;
            if sum.count == 0 {
                break;
            }
            self.level += 1;
            for (node, last) in last.iter_mut().enumerate() {
                if sum.nodes[node / 64] >> (node % 64) & 1 == 1 {
                    *last = Some(sizes.len() as u32);
                }
            }
            sizes.push(sum.count);
            farthest = sum.first;
        }
        let (block, node) = farthest;
        Ok(Layers { sizes, last, farthest: (node, self.decode(block)) })
    }

    /// The state number `index` of the layer at which a search *until* some distance
    /// ended, in the order of the tables.
    pub fn state(&self, index: u64) -> Option<(u32, Permutation)> {
        let mut left = index;
        let words = self.nodes.div_ceil(64);
        for place in 0..self.ranks.chunk * self.ranks.chunks * words {
            let [old, new] = [self.level % 2, 1 - self.level % 2];
            let mut bits = self.planes.get(old, place) & !self.planes.get(new, place);
            while bits != 0 {
                if left == 0 {
                    let node = (place % words * 64) as u32 + bits.trailing_zeros();
                    return Some((node, self.decode(place / words)));
                }
                left -= 1;
                bits &= bits - 1;
            }
        }
        None
    }

    /// What the permutation of a block does to the slots.
    fn decode(&self, block: usize) -> Permutation {
        let mut images: Vec<u32> = (0..self.slots as u32).collect();
        for (k, value) in self.ranks.permutation(block).into_iter().enumerate() {
            images[self.places[k] as usize] = u32::from(self.places[value as usize]);
        }
        // Renaming a permutation gives a permutation.
        Permutation::new(images).unwrap_or_else(|_| Permutation::identity(self.slots))
    }

    fn begin(&mut self, start: u32) {
        self.planes.clear();
        for flag in self.active.iter().flatten() {
            flag.store(false, Relaxed);
        }
        self.level = 0;
        let identity = self.ranks.number(0..self.places.len() as u8);
        let place = identity * self.nodes.div_ceil(64) + start as usize / 64;
        self.planes.add(0, place, 1 << (start % 64));
        self.active[0][identity / self.ranks.chunk].store(true, Relaxed);
    }

    fn chunks_at(&self, level: usize) -> Vec<usize> {
        let flags = &self.active[level % 2];
        (0..self.ranks.chunks).filter(|&chunk| flags[chunk].swap(false, Relaxed)).collect()
    }

    /// One level, where a block is one word.
    fn advance<W: Word>(&self, planes: &[Vec<W>; 2], level: usize, run: &Run) -> Result<Sum, Stop> {
        let (old, new) = (&planes[level % 2], &planes[1 - level % 2]);
        let alone = run.budget().threads == 1;
        let next = &self.active[1 - level % 2];
        let bytes = self.nodes.div_ceil(8);
        let visit = |frontier: &mut Vec<(u32, u64)>, chunk: usize| {
            let mut sum = Sum::new(1);
            let first = chunk * self.ranks.chunk;
            let range = first..first + self.ranks.chunk;
            frontier.clear();
            for (index, (o, n)) in (0u32..).zip(old[range.clone()].iter().zip(&new[range])) {
                let seen = o.get();
                let here = seen & !n.get();
                if here == 0 {
                    continue;
                }
                frontier.push((index, here));
                let mut near = 0;
                for byte in 0..bytes {
                    near |= self.inner.by_byte[(byte << 8) | (here >> (8 * byte) & 255) as usize];
                }
                let near = near & !seen;
                let before = if alone { n.add_alone(near | here) } else { n.add(near | here) };
                let found = near & !before;
                if found != 0 {
                    sum.found(first + index as usize, 0, found);
                }
            }
            if !sum.uncounted.is_empty() {
                next[chunk].store(true, Relaxed);
            }
            let high = self.ranks.high(chunk);
            for crossing in &self.steps {
                let targets = self.ranks.targets(&high, &crossing.step);
                for &(index, here) in &*frontier {
                    let here = here & crossing.mask;
                    if here == 0 {
                        continue;
                    }
                    let there = self.target(&targets, &high, index, crossing);
                    let mut bits = 0;
                    for &(mask, turn) in &crossing.turns {
                        bits |= (here & mask).rotate_left(turn);
                    }
                    let bits = bits & !old[there].get();
                    let bits = bits & !new[there].get();
                    if bits == 0 {
                        continue;
                    }
                    let word = &new[there];
                    let before = if alone { word.add_alone(bits) } else { word.add(bits) };
                    let found = bits & !before;
                    if found != 0 {
                        sum.found(there, 0, found);
                        next[there / self.ranks.chunk].store(true, Relaxed);
                    }
                }
            }
            sum.count();
            run.tick(sum.count).map(|()| sum)
        };
        self.chunks_at(level)
            .into_par_iter()
            .map_init(Vec::new, visit)
            .try_reduce(|| Sum::new(1), |a, b| Ok(a.join(&b)))
    }

    #[inline]
    fn target(&self, targets: &Targets, high: &High, index: u32, crossing: &Crossing) -> usize {
        match targets {
            Targets::Slice { entries, firsts } => target(entries[index as usize], firsts),
            Targets::Ranked => self.ranks.ranked(high, index as usize, &crossing.step),
        }
    }

    /// One level, where a block is several words.
    fn advance_wide(
        &self,
        planes: &[Vec<AtomicU64>; 2],
        level: usize,
        run: &Run,
    ) -> Result<Sum, Stop> {
        let (old, new) = (&planes[level % 2], &planes[1 - level % 2]);
        let alone = run.budget().threads == 1;
        let next = &self.active[1 - level % 2];
        let words = self.nodes.div_ceil(64);
        let add = |place: usize, bits: u64| {
            let bits = bits & !old[place].get();
            if bits == 0 || bits & !new[place].get() == 0 {
                return 0;
            }
            let word = &new[place];
            bits & !if alone { word.add_alone(bits) } else { word.add(bits) }
        };
        let visit = |moves: &mut Vec<Vec<(u32, u32)>>, chunk: usize| {
            let mut sum = Sum::new(words);
            let first = chunk * self.ranks.chunk;
            let mut near = vec![0u64; words];
            for index in 0..self.ranks.chunk {
                let block = first + index;
                let mut any = false;
                for word in 0..words {
                    let place = block * words + word;
                    let mut here = old[place].get() & !new[place].get();
                    if here == 0 {
                        continue;
                    }
                    any = true;
                    near[word] |= here;
                    while here != 0 {
                        let node = word * 64 + here.trailing_zeros() as usize;
                        here &= here - 1;
                        for &to in &self.inner.lists[node] {
                            near[to as usize / 64] |= 1 << (to % 64);
                        }
                        for arc in &self.inner.crossing[node] {
                            moves[arc.step as usize].push((index as u32, arc.to));
                        }
                    }
                }
                if !any {
                    continue;
                }
                for (word, near) in near.iter_mut().enumerate() {
                    let bits = std::mem::take(near);
                    if bits == 0 {
                        continue;
                    }
                    let place = block * words + word;
                    let cell = &new[place];
                    let before = if alone { cell.add_alone(bits) } else { cell.add(bits) };
                    let found = bits & !before & !old[place].get();
                    if found != 0 {
                        sum.found(block, word, found);
                    }
                }
            }
            if !sum.uncounted.is_empty() {
                next[chunk].store(true, Relaxed);
            }
            let high = self.ranks.high(chunk);
            for (crossing, moves) in self.steps.iter().zip(moves) {
                if moves.is_empty() {
                    continue;
                }
                let targets = self.ranks.targets(&high, &crossing.step);
                for (index, to) in moves.drain(..) {
                    let there = self.target(&targets, &high, index, crossing);
                    let word = to as usize / 64;
                    let found = add(there * words + word, 1 << (to % 64));
                    if found != 0 {
                        sum.found(there, word, found);
                        next[there / self.ranks.chunk].store(true, Relaxed);
                    }
                }
            }
            sum.count();
            run.tick(sum.count).map(|()| sum)
        };
        self.chunks_at(level)
            .into_par_iter()
            .map_init(|| vec![Vec::new(); self.steps.len()], visit)
            .try_reduce(|| Sum::new(words), |a, b| Ok(a.join(&b)))
    }
}

/// A move to another block: by which gain, and to which node.
#[derive(Clone, Copy, Debug)]
struct Arc {
    step: u32,
    to: u32,
}

/// Bytes of a block in one plane.
fn word_bytes(nodes: usize) -> u64 {
    match nodes {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        _ => 8 * nodes.div_ceil(64) as u64,
    }
}
