//! Breadth-first search with two bits a state.
//!
//! A **block** is all states with one permutation: a bit for each node. There are two
//! tables of blocks, the **planes**. At each level one is *old* and the other *new*: a
//! state in neither has not been met; in the old alone, it is on the frontier; in both, it
//! is done; in the new alone, it was found at this level. At the end of the level the planes
//! change roles. So a level writes to one plane only.
//!
//! A level can be made from two sides, whichever is cheaper: the frontier **spreads** to its
//! neighbours (see `spread`), or what is missing **gathers** what was met (see `gather`).
//!
//! Names along a spanning tree make most moves stay in their block (see [`Gauge`]): there
//! they are bit operations on one word. The others are applied chunk by chunk with the
//! slices of `ranks`. Slots that no gain moves have no part in a block's number.
//!
//! Tables that do not fit into memory lie on disk, if the run has one: see `shelves`. Searches
//! can save themselves: see [`Journal`].
//!
//! R. E. Korf searched sliding puzzles with two bits a state (2008); blocks, names and
//! slices are ours.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::gains::{Gains, Gauge, is_identity};
use super::journal::{Bits, Journal, Origin, Saved, Search};
use super::planes::{Planes, Sum, Word, word_bytes};
use super::ranks::{Ranks, Step};
use super::shelves::{Layout, Shelves};
use crate::disk::checksum;
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
    pub(super) nodes: usize,
    /// Words of a block.
    pub(super) words: usize,
    /// The slots that are moved, those moved least often first.
    places: Vec<u8>,
    pub(super) ranks: Ranks,
    pub(super) inner: Inner,
    pub(super) steps: Vec<Crossing>,
    /// Without blocks if the tables are on disk.
    planes: Planes,
    shelves: Option<Shelves>,
    /// For each level, even and odd, which chunks have states on the frontier.
    pub(super) active: [Vec<AtomicBool>; 2],
    /// The level that was found last, from 0.
    level: usize,
    /// A checksum of the graph and the names, by which journals know their tables.
    mark: u64,
    _claim: Claim,
}

/// Moves that stay in their block.
#[derive(Debug)]
pub(super) struct Inner {
    /// By byte of a block and its value: all nodes one move away, as a block. Empty if that
    /// would take too much.
    by_byte: Vec<u64>,
    /// For blocks of several words: the nodes one move away from each.
    pub(super) lists: Vec<Vec<u32>>,
    /// For blocks of several words: the moves of each node to other blocks.
    pub(super) crossing: Vec<Vec<Arc>>,
    /// The nodes that have such moves, as a block.
    pub(super) crosses: Vec<u64>,
}

/// The most words that the table of bytes may have: 4 MiB, for a thousand nodes.
const MOST_BY_BYTE: usize = 1 << 19;
/// What it has at most for blocks of one word, which always have one.
const NARROW_BY_BYTE: usize = 8 << 8;

impl Inner {
    /// The words of the table of bytes, if it may have so many.
    fn table_words(nodes: usize, most: usize) -> usize {
        let words = (nodes.div_ceil(8) << 8) * nodes.div_ceil(64);
        if words <= most.max(NARROW_BY_BYTE) { words } else { 0 }
    }

    fn new(lists: Vec<Vec<u32>>, crossing: Vec<Vec<Arc>>, most: usize) -> Self {
        let words = lists.len().div_ceil(64);
        let mut by_byte = vec![0u64; Inner::table_words(lists.len(), most)];
        for (place, near) in by_byte.chunks_exact_mut(words.max(1)).enumerate() {
            for node in (0..8).filter(|bit| place >> bit & 1 == 1).map(|bit| (place >> 8) * 8 + bit)
            {
                for &to in lists.get(node).into_iter().flatten() {
                    near[to as usize / 64] |= 1 << (to % 64);
                }
            }
        }
        let mut crosses = vec![0; words];
        for (node, _) in crossing.iter().enumerate().filter(|(_, arcs)| !arcs.is_empty()) {
            crosses[node / 64] |= 1 << (node % 64);
        }
        Inner { by_byte, lists, crossing, crosses }
    }

    /// Whether `near` can be asked.
    pub(super) fn has_table(&self) -> bool {
        !self.by_byte.is_empty()
    }

    /// Some nodes, as a block of N words, and all that are one move away from them.
    #[inline]
    pub(super) fn with_near<const N: usize>(&self, nodes: [u64; N]) -> [u64; N] {
        let mut near = nodes;
        for (byte, table) in self.by_byte.chunks_exact(256 * N).enumerate() {
            let value = (nodes[byte / 8] >> (byte % 8 * 8) & 255) as usize;
            let part = &table[value * N..][..N];
            for word in 0..N {
                near[word] |= part[word];
            }
        }
        near
    }

    /// Adds all nodes one move away from some of one word to a block of several.
    #[inline]
    pub(super) fn add_near(&self, word: usize, nodes: u64, near: &mut [u64]) {
        if nodes != 0 && self.has_table() {
            for part in self.near(near.len(), word, nodes) {
                near.iter_mut().zip(part).for_each(|(near, part)| *near |= part);
            }
            return;
        }
        let mut nodes = nodes;
        while nodes != 0 {
            for &to in &self.lists[word * 64 + nodes.trailing_zeros() as usize] {
                near[to as usize / 64] |= 1 << (to % 64);
            }
            nodes &= nodes - 1;
        }
    }

    /// All nodes one move away from some of one word, as a block: one part for each byte.
    #[inline]
    pub(super) fn near(
        &self,
        words: usize,
        word: usize,
        nodes: u64,
    ) -> impl Iterator<Item = &[u64]> {
        let bytes = (self.lists.len() - 64 * word).div_ceil(8).min(8);
        (0..bytes).map(move |byte| {
            let value = (nodes >> (8 * byte) & 255) as usize;
            &self.by_byte[(((8 * word + byte) << 8) | value) * words..][..words]
        })
    }
}

/// Moves to other blocks by one gain.
#[derive(Debug)]
pub(super) struct Crossing {
    pub(super) step: Step,
    /// The nodes of the first word that have such a move.
    pub(super) mask: u64,
    pub(super) turns: Vec<Turn>,
}

/// Nodes of one word that move to nodes of one word, all by the same number of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) nodes: u64,
    pub(super) bits: u32,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// A gain, and the arcs that carry it.
type Carried = (Vec<u8>, Vec<(u32, u32)>);

/// The moves of a lift by the names of a gauge.
struct Moves {
    /// For each node, where the moves lead that stay in their block.
    inner: Vec<Vec<u32>>,
    /// The other gains.
    gains: Vec<Carried>,
    /// For each slot, how many arcs move it.
    moved: Vec<u64>,
}

impl Moves {
    fn new(graph: &Gains, gauge: &Gauge, run: &Run) -> Result<Moves, Stop> {
        let mut gains: Vec<Carried> = Vec::new();
        let mut inner = vec![Vec::new(); graph.nodes()];
        let mut moved = vec![0u64; graph.slots()];
        let mut numbers = std::collections::BTreeMap::new();
        for node in 0..graph.nodes() as u32 {
            run.tick(1)?;
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
        Ok(Moves { inner, gains, moved })
    }
}

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
    /// What the tables of a connected gain graph would take whose group moves so many slots,
    /// perhaps only evenly; `None` if more than can be counted.
    pub fn size(nodes: usize, moved: usize, only_even: bool) -> Option<Size> {
        let blocks = Ranks::count(moved, only_even)?;
        let bytes = blocks.checked_mul(word_bytes(nodes))?.checked_mul(2)?;
        Some(Size { states: blocks.checked_mul(nodes as u64)?, bytes })
    }

    /// Tables for a connected gain graph, by the names of a gauge: in memory if they fit there,
    /// and otherwise on the run's disk.
    pub fn new(graph: &Gains, gauge: Gauge, run: &Run) -> Result<Table, Stop> {
        Table::made(graph, gauge, None, run)
    }

    /// The same, on disk and with so many bytes of memory, whether they fit there or not.
    #[cfg(test)]
    pub(super) fn forced_to_disk(
        graph: &Gains,
        gauge: Gauge,
        room: u64,
        run: &Run,
    ) -> Result<Table, Stop> {
        Table::made(graph, gauge, Some(room), run)
    }

    fn made(graph: &Gains, gauge: Gauge, forced: Option<u64>, run: &Run) -> Result<Table, Stop> {
        let nodes = graph.nodes();
        let Moves { inner, gains, moved } = Moves::new(graph, &gauge, run)?;
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
        let mut claim = run.claim();
        let size = match Table::size(nodes, places.len(), only_even) {
            Some(size) if size.bytes <= MOST_BYTES => size,
            size => {
                let needed = size.map_or(u64::MAX, |size| size.bytes);
                let limit = run.budget().memory.unwrap_or(MOST_BYTES);
                return Err(Stop::Memory { needed, limit });
            }
        };
        let in_memory = match forced {
            Some(limit) => Err(Stop::Memory { needed: size.bytes, limit }),
            None => claim.grow_to(size.bytes + 8 * Inner::table_words(nodes, MOST_BY_BYTE) as u64),
        };
        let on_disk = match in_memory {
            Ok(()) => None,
            Err(stop) => Some(run.disk().ok_or(stop)?),
        };
        let ranks = Ranks::new(places.len(), only_even);
        // On disk: what is not shared out here is left to others.
        let room = forced.unwrap_or_else(|| run.room()) / 4 * 3;
        // Slices together take no more than a part of the planes, or what is always enough.
        let most = if on_disk.is_some() { room / 4 } else { ENOUGH.max(size.bytes / 4) };
        let most = if run.would_fit(most).is_ok() { most / gains.len().max(1) as u64 } else { 0 };
        let by_byte = if on_disk.is_some() { (room / 64) as usize } else { MOST_BY_BYTE };
        let by_byte = by_byte.min(MOST_BY_BYTE);
        let gains: Vec<Carried> =
            gains.into_iter().map(|(gain, arcs)| (on_places(&gain), arcs)).collect();
        let crossing = |(gain, arcs): &Carried| {
            let step = ranks.step(gain.clone(), most);
            let (mut mask, mut turns) = (0, Vec::<Turn>::new());
            for &(from, to) in arcs {
                let (node, bits) = (1u64 << (from % 64), to.wrapping_sub(from) % 64);
                let (from, to) = (from as usize / 64, to as usize / 64);
                mask |= if from == 0 { node } else { 0 };
                let is_same =
                    |turn: &&mut Turn| (turn.from, turn.to, turn.bits) == (from, to, bits);
                match turns.iter_mut().find(is_same) {
                    Some(turn) => turn.nodes |= node,
                    None => turns.push(Turn { nodes: node, bits, from, to }),
                }
            }
            Crossing { step, mask, turns }
        };
        let steps: Vec<Crossing> = run.parallel(|| gains.par_iter().map(crossing).collect());
        run.check()?;
        let slices: u64 = steps.iter().map(|crossing| crossing.step.bytes()).sum();
        let help = slices + 8 * Inner::table_words(nodes, by_byte) as u64;
        let mut shelves = None;
        if let Some(disk) = on_disk {
            let left = room.saturating_sub(help);
            let layout = Layout::new(&ranks, nodes, run.budget().threads, left);
            let layout = layout.map_err(|needed| Stop::Memory {
                needed: (needed + help) / 3 * 4,
                limit: run.budget().memory.or(forced).unwrap_or(MOST_BYTES),
            })?;
            claim.grow_to(layout.bytes + help)?;
            shelves = Some(Shelves::new(layout, disk));
        } else {
            claim.grow_to(size.bytes + help)?;
        }
        let mut lists: Vec<Vec<Arc>> = vec![Vec::new(); nodes];
        for (number, (_, arcs)) in gains.iter().enumerate() {
            for &(from, to) in arcs {
                lists[from as usize].push(Arc { step: number as u32, to });
            }
        }
        let chunks = if shelves.is_some() { 0 } else { ranks.chunks };
        let active = || (0..chunks).map(|_| AtomicBool::new(false)).collect();
        let mark = mark(graph, &gauge);
        Ok(Table {
            slots: graph.slots(),
            nodes,
            words: nodes.div_ceil(64),
            planes: Planes::new(nodes, ranks.chunk * chunks),
            shelves,
            active: [active(), active()],
            inner: Inner::new(inner, lists, by_byte),
            places,
            steps,
            ranks,
            gauge,
            level: 0,
            mark,
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
        self.search(start, until, None, run)
    }

    /// Searches from a node to the end, and keeps a journal of it. What the journal has already
    /// is not searched again.
    pub fn journalled(
        &mut self,
        start: u32,
        journal: Option<&mut Journal>,
        run: &Run,
    ) -> Result<Layers, Stop> {
        self.search(start, None, journal, run)
    }

    fn search(
        &mut self,
        start: u32,
        until: Option<u32>,
        journal: Option<&mut Journal>,
        run: &Run,
    ) -> Result<Layers, Stop> {
        // To visit a word of a block costs about what a state of the frontier does.
        let words = self.words as u64;
        let gathers = |crowd, missing: u64| crowd >= missing.saturating_mul(words);
        self.layers_by(start, until, gathers, journal, run)
    }

    /// The same, where it is chosen for each level by the states of the frontier and the
    /// blocks that are not full whether to gather.
    pub(super) fn layers_by(
        &mut self,
        start: u32,
        until: Option<u32>,
        gathers: impl FnMut(u64, u64) -> bool + Send,
        mut journal: Option<&mut Journal>,
        run: &Run,
    ) -> Result<Layers, Stop> {
        let origin = (self.mark, start);
        if let Some(journal) = &mut journal
            && let Some(layers) = journal.found(origin, self.nodes, self.slots)
        {
            return Ok(layers);
        }
        let mut shelves = self.shelves.take();
        // All at once, since to go among the threads and back takes longer than a small level.
        let found = run.parallel(|| {
            self.levels(origin, until, gathers, shelves.as_mut(), journal.as_deref_mut(), run)
        });
        self.shelves = shelves;
        if let (Ok(layers), Some(journal), None) = (&found, journal, until) {
            journal.finish(origin, layers, run);
        }
        found
    }

    fn levels(
        &mut self,
        origin: Origin,
        until: Option<u32>,
        mut gathers: impl FnMut(u64, u64) -> bool,
        mut shelves: Option<&mut Shelves>,
        mut journal: Option<&mut Journal>,
        run: &Run,
    ) -> Result<Layers, Stop> {
        let resumed = match &mut journal {
            Some(journal) => journal.resume(origin, self)?,
            None => None,
        };
        let mut search = if let Some((search, saved)) = resumed {
            self.load(&search, saved, shelves.as_deref_mut(), run)?;
            search
        } else {
            self.begin(origin.1, shelves.as_deref_mut(), run)?
        };
        let can_gather = self.can_gather();
        let mut missing = self.blocks() as u64;
        while until.is_none_or(|until| search.sizes.len() as u64 <= u64::from(until)) {
            run.check()?;
            let saves = journal.as_ref().is_some_and(|journal| journal.is_due(run));
            let crowd = search.sizes.last().copied().unwrap_or(0);
            let gathers = can_gather && gathers(crowd, missing);
            let sum = match (&mut shelves, &self.planes) {
                (Some(shelves), _) => self.stream(shelves, saves, run),
                (None, Planes::Bytes(planes)) => self.advance(planes, gathers, run),
                (None, Planes::Shorts(planes)) => self.advance(planes, gathers, run),
                (None, Planes::Words(planes)) => self.advance(planes, gathers, run),
                (None, Planes::Longs(planes)) if self.words == 1 => {
                    self.advance(planes, gathers, run)
                }
                (None, Planes::Longs(planes)) if gathers => self.gather_wide(planes, run),
                (None, Planes::Longs(planes)) => self.spread_wide(planes, run),
            }?;
            missing = sum.missing.unwrap_or(missing);
            if sum.count == 0 {
                break;
            }
            self.level += 1;
            for (node, last) in search.last.iter_mut().enumerate() {
                if sum.nodes[node / 64] >> (node % 64) & 1 == 1 {
                    *last = Some(search.sizes.len() as u32);
                }
            }
            search.sizes.push(sum.count);
            search.farthest = sum.first;
            if saves && let Some(journal) = &mut journal {
                let bits = Met { table: self, shelves: shelves.as_deref() };
                journal.save(Some((origin, &search, &bits)), run);
            }
        }
        let Search { sizes, last, farthest: (block, node) } = search;
        Ok(Layers { sizes, last, farthest: (node, self.decode(block)) })
    }

    /// One level, where a block is one word.
    fn advance<W: Word>(
        &self,
        planes: &[Vec<W>; 2],
        gathers: bool,
        run: &Run,
    ) -> Result<Sum, Stop> {
        if gathers { self.gather::<_, 1>(planes, run) } else { self.spread(planes, run) }
    }

    /// The state number `index` of the layer at which a search *until* some distance
    /// ended, in the order of the tables. Tables on disk do not know it.
    pub fn state(&self, index: u64) -> Option<(u32, Permutation)> {
        let mut left = index;
        let words = self.words;
        let blocks = if self.shelves.is_some() { 0 } else { self.blocks() };
        for place in 0..blocks * words {
            let [old, new] = self.sides();
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

    /// Meets the start.
    fn begin(
        &mut self,
        start: u32,
        shelves: Option<&mut Shelves>,
        run: &Run,
    ) -> Result<Search, Stop> {
        self.level = 0;
        let identity = self.ranks.number(0..self.places.len() as u8);
        if let Some(shelves) = shelves {
            self.begin_on_disk(shelves, identity, start, run)?;
        } else {
            self.clear();
            let place = identity * self.words + start as usize / 64;
            self.planes.add(0, place, 1 << (start % 64));
            self.active[0][identity / self.ranks.chunk].store(true, Relaxed);
        }
        let mut last = vec![None; self.nodes];
        last[start as usize] = Some(0);
        Ok(Search { sizes: vec![1], last, farthest: (identity, start) })
    }

    fn clear(&self) {
        self.planes.clear();
        for flag in self.active.iter().flatten() {
            flag.store(false, Relaxed);
        }
    }

    /// Takes the bits of a search that was saved.
    fn load(
        &mut self,
        search: &Search,
        mut saved: Saved,
        shelves: Option<&mut Shelves>,
        run: &Run,
    ) -> Result<(), Stop> {
        /// Words that are taken at a time.
        const PIECE: usize = 1 << 12;
        self.level = search.sizes.len() - 1;
        if let Some(shelves) = shelves {
            let mut first = 0;
            let read = |met: &mut [u64], found: &mut [u64]| {
                saved.next(first, |word| self.states(word), met, found)?;
                first += met.len();
                Ok(())
            };
            self.load_on_disk(shelves, read, run)?;
            return saved.end();
        }
        self.clear();
        let [old, new] = self.sides();
        let (mut met, mut found) = (vec![0; PIECE], vec![0; PIECE]);
        let words = self.plane_words();
        for first in (0..words).step_by(PIECE) {
            run.check()?;
            let count = PIECE.min(words - first);
            let (met, found) = (&mut met[..count], &mut found[..count]);
            saved.next(first, |word| self.states(word), met, found)?;
            for (place, (met, found)) in (first..).zip(met.iter().zip(&*found)) {
                self.planes.set_word(old, place, *met);
                self.planes.set_word(new, place, *met & !*found);
                if *found != 0 {
                    // Chunks of the smallest tables can share a word.
                    let bits = 8 * word_bytes(self.nodes) as usize;
                    for block in 64 * place / bits..=(64 * place + 63) / bits {
                        let chunk = (block / self.ranks.chunk).min(self.ranks.chunks - 1);
                        self.active[old][chunk].store(true, Relaxed);
                    }
                }
            }
        }
        saved.end()
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.ranks.chunk * self.ranks.chunks
    }

    /// How many words of 64 bits a plane takes.
    pub(super) fn plane_words(&self) -> usize {
        (self.blocks() * word_bytes(self.nodes) as usize).div_ceil(8)
    }

    /// Which bits of a word of a plane stand for states.
    fn states(&self, word: usize) -> u64 {
        let low = |bits: usize| u64::MAX.checked_shr(64 - bits.min(64) as u32).unwrap_or(0);
        let bits = 8 * word_bytes(self.nodes) as usize;
        if bits > 64 {
            return low(self.nodes - word % self.words * 64);
        }
        let lanes = (64 / bits).min(self.blocks() - word * 64 / bits);
        (0..lanes).fold(0, |word, lane| word | low(self.nodes) << (lane * bits))
    }

    /// Which plane is old and which is new.
    pub(super) fn sides(&self) -> [usize; 2] {
        [self.level % 2, 1 - self.level % 2]
    }

    /// The chunks with states on the frontier. Their flags are lowered.
    pub(super) fn on_frontier(&self) -> Vec<usize> {
        let flags = &self.active[self.level % 2];
        (0..self.ranks.chunks).filter(|&chunk| flags[chunk].swap(false, Relaxed)).collect()
    }
}

/// A move to another block: by which gain, and to which node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) step: u32,
    pub(super) to: u32,
}

/// The bits of the search that is going on.
struct Met<'t> {
    table: &'t Table,
    shelves: Option<&'t Shelves>,
}

impl Bits for Met<'_> {
    fn words(&self) -> u64 {
        self.table.plane_words() as u64
    }

    fn each(
        &self,
        only_found: bool,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        /// Words that are given at a time.
        const PIECE: usize = 1 << 12;
        if let Some(shelves) = self.shelves {
            return shelves.each(only_found, take);
        }
        let Table { planes, .. } = self.table;
        let [old, new] = self.table.sides();
        let count = self.table.plane_words();
        for first in (0..count).step_by(PIECE) {
            let word = |at: usize| {
                let before = if only_found { planes.word(new, at) } else { 0 };
                planes.word(old, at) & !before
            };
            let words: Vec<u64> = (first..count.min(first + PIECE)).map(word).collect();
            take(&words)?;
        }
        Ok(())
    }
}

/// A checksum of a graph and the names of its slots.
fn mark(graph: &Gains, gauge: &Gauge) -> u64 {
    let mut words = vec![graph.slots() as u64];
    let mut sum = 0;
    for node in 0..graph.nodes() as u32 {
        words.extend(gauge.names(node).iter().map(|&name| u64::from(name)));
        for (to, gain) in graph.arcs(node) {
            words.push(u64::from(to) + 256);
            words.extend(gain.iter().map(|&place| u64::from(place)));
        }
        words.push(sum);
        sum = checksum(&words);
        words.clear();
    }
    sum
}
