//! Layers: all borders after a step, in groups, and how the next layer is made.
//!
//! A **group** holds all borders of one type: their ranks and their numbers of ways. A **chunk**
//! is a run of groups with the arrays that they lie in, some megabytes; a layer is a list of
//! chunks.
//!
//! A step has two phases. The first is about types alone: each choice after each type is an
//! *arrow* to the type that it leads to. Arrows are dealt out by a hash of that type and sorted.
//! The second makes the group of each new type: what the arrows bring is added up in an array
//! with a place for every matching, and what is not 0 there is written out. An edge that counts
//! several times gives several arrows; those of an edge that counts as a negative number bring
//! negative numbers, modulo what numbers are kept modulo. With more than
//! [`DENSE`] pairs the array would be too large; a hash table takes its place, in which two ranks
//! are the same only if they are equal.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::ahead::Ahead;
use super::matching::{MATCHINGS, NARROW, Operation, TABLED, Tables};
use super::reading::{FRESH_BITS, MATED, MOST_SLOTS, Step, at, pairs, point};
use super::ring::Ring;
use crate::run::{Claim, Run, Stop};

/// The most pairs of mates for which ways are added up in an array: 2,027,025 places.
const DENSE: usize = 8;

/// The share of the memory that the arrays of all threads may take.
const ARRAYS: usize = 8;

/// Borders of a full chunk.
const CHUNK: usize = 1 << 18;
/// The most groups of a chunk; the number of a group has 16 bits.
const GROUPS: usize = 1 << 16;
/// Arrows that are sorted together.
const ARROWS: usize = 4000;
/// Layers of fewer borders are made by one thread.
const SMALL: usize = 4000;

/// All borders of a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The type.
    pub(super) word: u64,
    /// Where its numbers and its ranks begin in those of the chunk.
    numbers: u32,
    ranks: u32,
    len: u32,
    /// A bound of the sum of its numbers, without their signs, as they are and not modulo
    /// anything.
    pub(super) ways: f64,
}

/// Some groups.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) groups: Vec<Group>,
    numbers: Vec<u64>,
    /// Where ranks take more than 32 bits, the lower halves of a group and then the upper.
    ranks: Vec<u32>,
    claim: Claim,
}

impl Chunk {
    fn with_room(borders: usize, run: &Run) -> Result<Self, Stop> {
        let mut claim = run.claim();
        claim.grow_to((borders * (size_of::<u64>() + size_of::<u32>())) as u64)?;
        let (numbers, ranks) = (Vec::with_capacity(borders), Vec::with_capacity(borders));
        Ok(Chunk { groups: Vec::new(), numbers, ranks, claim })
    }

    fn bytes(&self) -> u64 {
        let bytes = self.numbers.capacity() * size_of::<u64>()
            + self.ranks.capacity() * size_of::<u32>()
            + self.groups.capacity() * size_of::<Group>();
        bytes as u64
    }

    /// All of it: how many groups, numbers and ranks there are, and then these.
    pub(super) fn to_words(&self) -> Vec<u64> {
        let ranks = self.ranks.len().div_ceil(2);
        let room = 3 + 3 * self.groups.len() + self.numbers.len() + ranks;
        let mut words = Vec::with_capacity(room);
        let lengths = [self.groups.len(), self.numbers.len(), self.ranks.len()];
        words.extend(lengths.map(|length| length as u64));
        for group in &self.groups {
            words.extend([group.word, u64::from(group.len), group.ways.to_bits()]);
        }
        words.extend_from_slice(&self.numbers);
        let pair =
            |two: &[u32]| u64::from(two[0]) | u64::from(two.get(1).copied().unwrap_or(0)) << 32;
        words.extend(self.ranks.chunks(2).map(pair));
        words
    }

    /// What was written by [`Chunk::to_words`]; `None` for other words.
    pub(super) fn from_words(words: &[u64], run: &Run) -> Result<Option<Self>, Stop> {
        let mut claim = run.claim();
        claim.grow_to(size_of_val(words) as u64)?;
        Ok(Chunk::read(words, claim))
    }

    fn read(words: &[u64], claim: Claim) -> Option<Self> {
        let (lengths, words) = words.split_at_checked(3)?;
        let [groups, numbers, ranks] = [0, 1, 2].map(|k| usize::try_from(lengths[k]).ok());
        let (groups, numbers, ranks) = (groups?, numbers?, ranks?);
        let (heads, words) = words.split_at_checked(groups.checked_mul(3)?)?;
        let (numbers, words) = words.split_at_checked(numbers)?;
        if words.len() != ranks.div_ceil(2) || groups > GROUPS {
            return None;
        }
        let mut all: Vec<u32> =
            words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        all.truncate(ranks);
        let numbers = numbers.to_vec();
        let mut chunk = Chunk { groups: Vec::with_capacity(groups), numbers, ranks: all, claim };
        let (mut number, mut rank) = (0u32, 0u32);
        for head in heads.chunks_exact(3) {
            let (word, len) = (head[0], u32::try_from(head[1]).ok()?);
            let ways = f64::from_bits(head[2]);
            let group = Group { word, numbers: number, ranks: rank, len, ways };
            let points = point(word, MOST_SLOTS - 1) + u8::from(at(word, MOST_SLOTS - 1) == MATED);
            if points % 2 == 1 || word & word >> 1 & FRESH_BITS != 0 {
                return None;
            }
            let halves = if pairs(word) > NARROW { 2 } else { 1 };
            number = number.checked_add(len)?;
            rank = rank.checked_add(len.checked_mul(halves)?)?;
            if number as usize > chunk.numbers.len() || rank as usize > chunk.ranks.len() {
                return None;
            }
            let mut fits = ways >= 0.0;
            chunk.borders(&group).each(|rank, _| fits &= rank < MATCHINGS[pairs(word)]);
            if !fits {
                return None;
            }
            chunk.groups.push(group);
        }
        let is_all = number as usize == chunk.numbers.len() && rank as usize == chunk.ranks.len();
        is_all.then_some(chunk)
    }

    /// The largest number.
    pub(super) fn largest(&self) -> u64 {
        self.numbers.iter().copied().max().unwrap_or(0)
    }

    /// The ranks and numbers of a group.
    pub(super) fn borders(&self, group: &Group) -> Borders<'_> {
        let len = group.len as usize;
        let ranks = &self.ranks[group.ranks as usize..];
        let numbers = &self.numbers[group.numbers as usize..][..len];
        let upper = if pairs(group.word) > NARROW { &ranks[len..2 * len] } else { &[] };
        Borders { lower: &ranks[..len], upper, numbers }
    }
}

/// The borders of a group.
#[derive(Clone, Copy)]
pub(super) struct Borders<'c> {
    lower: &'c [u32],
    upper: &'c [u32],
    numbers: &'c [u64],
}

impl Borders<'_> {
    /// All borders: rank and number.
    #[inline]
    pub(super) fn each(&self, mut give: impl FnMut(u64, u64)) {
        if self.upper.is_empty() {
            for (&rank, &number) in self.lower.iter().zip(self.numbers) {
                give(u64::from(rank), number);
            }
        } else {
            for ((&lower, &upper), &number) in self.lower.iter().zip(self.upper).zip(self.numbers) {
                give(u64::from(upper) << 32 | u64::from(lower), number);
            }
        }
    }

    /// What an arrow brings: rank plus 1, or 0 where a cycle was closed, and number.
    #[inline]
    fn brought(
        &self,
        by: u16,
        pairs: usize,
        tables: &Tables,
        ring: impl Ring,
        mut give: impl FnMut(u64, u64),
    ) {
        let operation = Operation::unpacked(by);
        if by & NEGATIVE == 0 {
            self.after(operation, pairs, tables, give);
        } else {
            let give = |rank, number| give(rank, ring.neg(number));
            self.after(operation, pairs, tables, give);
        }
    }

    /// All borders after an operation.
    #[inline]
    fn after(
        &self,
        operation: Operation,
        pairs: usize,
        tables: &Tables,
        mut give: impl FnMut(u64, u64),
    ) {
        match operation {
            Operation::Keep => self.each(|rank, number| give(rank + 1, number)),
            Operation::Append(place) => {
                let more = u64::from(place) * MATCHINGS[pairs] + 1;
                self.each(|rank, number| give(rank + more, number));
            }
            _ => match tables.table(operation, pairs, self.numbers.len()) {
                Some(table) => {
                    self.each(|rank, number| give(u64::from(table[rank as usize]), number));
                }
                None => self.each(|rank, number| {
                    give(tables.image(operation, pairs, rank), number);
                }),
            },
        }
    }
}

/// All borders after a step.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub(super) chunks: Vec<Chunk>,
}

impl Layer {
    /// The border before the first step.
    pub(super) fn start(run: &Run) -> Result<Self, Stop> {
        let mut chunk = Chunk::with_room(1, run)?;
        chunk.groups.push(Group { word: 0, numbers: 0, ranks: 0, len: 1, ways: 1.0 });
        chunk.numbers.push(1);
        chunk.ranks.push(0);
        Ok(Layer { chunks: vec![chunk] })
    }

    /// How many borders there are.
    pub(super) fn borders(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.numbers.len() as u64).sum()
    }

    /// How many bytes they take.
    pub(super) fn bytes(&self) -> u64 {
        self.chunks.iter().map(Chunk::bytes).sum()
    }

    /// A weight that depends on the types alone: how many borders they could have. How many they
    /// do have may differ by a few from run to run, where numbers wrap and come to 0 on the way.
    pub(super) fn weight(&self) -> u64 {
        let groups = self.chunks.iter().flat_map(|chunk| &chunk.groups);
        groups.fold(0, |sum, group| sum.saturating_add(MATCHINGS[pairs(group.word)]))
    }

    /// Adds a group of another layer, whose type is not here yet.
    pub(super) fn push(&mut self, chunk: &Chunk, group: &Group, run: &Run) -> Result<(), Stop> {
        let len = group.len as usize;
        let is_full = |last: &Chunk| last.groups.len() >= GROUPS || last.numbers.len() >= CHUNK;
        if self.chunks.last().is_none_or(is_full) {
            self.settle()?;
            self.chunks.push(Chunk::with_room(0, run)?);
        }
        let Some(to) = self.chunks.last_mut() else { return Ok(()) };
        let (numbers, ranks) = (to.numbers.len() as u32, to.ranks.len() as u32);
        let halves = if pairs(group.word) > NARROW { 2 } else { 1 };
        to.numbers.extend_from_slice(&chunk.numbers[group.numbers as usize..][..len]);
        to.ranks.extend_from_slice(&chunk.ranks[group.ranks as usize..][..halves * len]);
        to.groups.push(Group { numbers, ranks, ..*group });
        to.claim.grow_to(to.bytes())
    }

    /// Gives back the room that the last chunk does not use.
    pub(super) fn settle(&mut self) -> Result<(), Stop> {
        if let Some(last) = self.chunks.last_mut() {
            last.numbers.shrink_to_fit();
            last.ranks.shrink_to_fit();
            last.groups.shrink_to_fit();
            last.claim.grow_to(last.bytes())?;
        }
        Ok(())
    }

    /// How many types there are.
    pub(super) fn types(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.groups.len()).sum()
    }

    /// The type words.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.chunks.iter().flat_map(|chunk| chunk.groups.iter().map(|group| group.word))
    }
}

/// A choice after a type.
#[derive(Clone, Copy)]
struct Arrow {
    to: u64,
    chunk: u32,
    group: u16,
    /// Packed, which leaves a bit for [`NEGATIVE`].
    operation: u16,
}

/// Set in an arrow that brings negative numbers.
const NEGATIVE: u16 = 1 << 15;

/// Where a type belongs: a number whose upper bits are well mixed.
pub(super) fn mixed(word: u64) -> u64 {
    let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// When types are looked ahead from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Look {
    /// Where it costs less than it saves.
    #[default]
    WhereItPays,
    /// In tests.
    #[cfg_attr(not(test), expect(dead_code))]
    Always,
    /// In tests.
    #[cfg_attr(not(test), expect(dead_code))]
    Never,
}

/// How much was done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// Borders brought by arrows whose operation is a table or less.
    pub(super) near: u64,
    /// Those whose matchings had to be taken apart.
    pub(super) far: u64,
    /// Types looked ahead from.
    pub(super) looked: u64,
}

/// What all steps of a pass have in common.
pub(super) struct Maker<'a, R> {
    pub(super) ring: R,
    pub(super) tables: &'a Tables,
    pub(super) run: &'a Run,
    look: Look,
    near: AtomicU64,
    far: AtomicU64,
    looked: AtomicU64,
    /// Full chunks that are empty again.
    pool: Mutex<Vec<Chunk>>,
    /// The most places of an array.
    places: usize,
}

impl<'a, R: Ring> Maker<'a, R> {
    pub(super) fn new(ring: R, look: Look, tables: &'a Tables, run: &'a Run) -> Self {
        let (near, far, looked) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let budget = run.budget();
        let places = budget.memory.map_or(usize::MAX, |memory| {
            memory as usize / (ARRAYS * size_of::<u64>() * budget.threads.max(1))
        });
        Maker { ring, tables, run, look, near, far, looked, pool: Mutex::default(), places }
    }

    /// How much was done.
    pub(super) fn work(&self) -> Work {
        let [near, far, looked] = [&self.near, &self.far, &self.looked].map(|n| n.load(Relaxed));
        Work { near, far, looked }
    }

    /// Keeps the chunks of a layer for another one.
    pub(super) fn recycle(&self, layer: Layer) {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        for mut chunk in layer.chunks {
            if chunk.numbers.capacity() >= CHUNK && chunk.numbers.capacity() < 2 * CHUNK {
                chunk.groups.clear();
                chunk.numbers.clear();
                chunk.ranks.clear();
                pool.push(chunk);
            }
        }
    }

    /// Gives back the memory of the chunks that are kept.
    pub(super) fn forget(&self) {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The next layer. `ahead` sees from the types after this step.
    pub(super) fn next(
        &self,
        layer: &Layer,
        step: &Step,
        ahead: Option<(&Ahead, usize)>,
    ) -> Result<Layer, Stop> {
        let borders = layer.borders() as usize;
        let threads = if borders < SMALL { 1 } else { self.run.budget().threads };
        let bits = (3 * layer.types() / ARROWS).max(1).ilog2().min(13);
        // Few types have more than four choices.
        let mut claim = self.run.claim();
        claim.grow_to((4 * layer.types() * size_of::<Arrow>()) as u64)?;
        let arrows = self.arrows(layer, step, bits, threads)?;
        let number: usize = arrows.iter().flatten().map(Vec::len).sum();
        claim.grow_to((number * size_of::<Arrow>()) as u64)?;
        let arrows = transposed(arrows);
        let (mut children, mut far) = (0, 0);
        for arrow in arrows.iter().flatten().flatten() {
            let group = layer.group(arrow);
            children += group.len as usize;
            if pairs(group.word) > TABLED && Operation::unpacked(arrow.operation).is_costly() {
                far += u64::from(group.len);
            }
        }
        let ahead = ahead.filter(|(ahead, at)| match self.look {
            Look::WhereItPays => pays(ahead, *at, &arrows, children),
            Look::Always => true,
            Look::Never => false,
        });
        self.near.fetch_add(children as u64 - far, Relaxed);
        self.far.fetch_add(far, Relaxed);
        let room = (children / threads + 16).min(CHUNK);
        let next = AtomicUsize::new(0);
        let written = workers(threads, || {
            let mut writer = Writer { maker: self, room, current: None, full: Vec::new() };
            let mut sums = Sums::new(self.run);
            let mut sorted: Vec<Arrow> = Vec::new();
            while let Some(part) = arrows.get(next.fetch_add(1, Relaxed)) {
                sorted.clear();
                sorted.extend(part.iter().flatten());
                sorted.sort_unstable_by_key(|arrow| arrow.to);
                let mut handled = 0;
                let mut looked = 0;
                for same in sorted.chunk_by(|a, b| a.to == b.to) {
                    let word = same[0].to;
                    looked += u64::from(ahead.is_some());
                    if ahead.is_some_and(|(ahead, at)| ahead.is_hopeless(at, word)) {
                        continue;
                    }
                    handled += self.group(layer, same, &mut sums, &mut writer)?;
                    if handled >= 1 << 14 {
                        self.run.tick(std::mem::take(&mut handled))?;
                    }
                }
                self.looked.fetch_add(looked, Relaxed);
                self.run.tick(handled)?;
            }
            writer.finish()
        })?;
        Ok(Layer { chunks: written.into_iter().flatten().collect() })
    }

    /// Phase one: the arrows from all types, by worker and part.
    fn arrows(
        &self,
        layer: &Layer,
        step: &Step,
        bits: u32,
        threads: usize,
    ) -> Result<Vec<Vec<Vec<Arrow>>>, Stop> {
        let next = AtomicUsize::new(0);
        workers(threads, || {
            let mut parts: Vec<Vec<Arrow>> = vec![Vec::new(); 1 << bits];
            loop {
                let number = next.fetch_add(1, Relaxed);
                let Some(chunk) = layer.chunks.get(number) else { break };
                self.run.check()?;
                for (group, from) in chunk.groups.iter().enumerate() {
                    step.choose(from.word, |to, operation, factor| {
                        let part = (mixed(to) >> 32 >> (32 - bits)) as usize;
                        let sign = if factor < 0 { NEGATIVE } else { 0 };
                        let arrow = Arrow {
                            to,
                            chunk: number as u32,
                            group: group as u16,
                            operation: operation.packed() | sign,
                        };
                        for _ in 0..factor.unsigned_abs() {
                            parts[part].push(arrow);
                        }
                    });
                }
            }
            Ok(parts)
        })
    }

    /// Phase two: writes the group that some arrows lead to; returns its borders.
    fn group(
        &self,
        layer: &Layer,
        arrows: &[Arrow],
        sums: &mut Sums,
        writer: &mut Writer<'_, R>,
    ) -> Result<u64, Stop> {
        let word = arrows[0].to;
        let (ring, tables) = (self.ring, self.tables);
        let mut sources = arrows.iter().map(|arrow| {
            let group = layer.group(arrow);
            let borders = layer.chunks[arrow.chunk as usize].borders(group);
            (borders, arrow.operation, pairs(group.word))
        });
        let ways: f64 = arrows.iter().map(|arrow| layer.group(arrow).ways).sum();
        let most: usize = arrows.iter().map(|arrow| layer.group(arrow).len as usize).sum();
        let matchings = MATCHINGS[pairs(word)] as usize;
        if arrows.len() == 1
            && let Some((borders, by, from)) = sources.clone().next()
            && !matches!(Operation::unpacked(by), Operation::Join(..))
        {
            // One to one: nothing is added up.
            let mut group = writer.group(word, most)?;
            borders.brought(by, from, tables, ring, |rank, number| group.push(rank - 1, number));
            return Ok(group.finish(ways, ring));
        }
        // A large array is not made for a few borders.
        let is_large = pairs(word) > DENSE || matchings >= self.places;
        if is_large || (matchings >= sums.array.len() && 64 * most < matchings) {
            sums.hash_of(most)?;
            for (borders, by, from) in sources {
                borders.brought(by, from, tables, ring, |rank, number| {
                    sums.add_hashed(rank, number, ring);
                });
            }
            let mut group = writer.group(word, sums.touched.len())?;
            sums.take_hashed(|rank, number| group.push(rank - 1, number));
            return Ok(group.finish(ways, ring));
        }
        sums.array_of(matchings + 1)?;
        if 3 * most >= matchings {
            // Most places are used: all are looked at.
            for (borders, by, from) in &mut sources {
                borders.brought(by, from, tables, ring, |rank, number| {
                    let sum = &mut sums.array[rank as usize];
                    *sum = ring.add(*sum, number);
                });
            }
            let array = &mut sums.array[..=matchings];
            array[0] = 0;
            let used = array.iter().filter(|&&number| number != 0).count();
            let mut group = writer.group(word, used)?;
            for (rank, number) in array[1..].iter_mut().enumerate() {
                group.push(rank as u64, std::mem::take(number));
            }
            return Ok(group.finish(ways, ring));
        }
        // One more, for what is written and not kept.
        if sums.touched.len() <= most {
            sums.touched.resize(2 * most + 64, 0);
        }
        // Closed cycles are not listed.
        sums.array[0] = 1;
        let mut used = 0;
        for (borders, by, from) in &mut sources {
            borders.brought(by, from, tables, ring, |rank, number| {
                let sum = &mut sums.array[rank as usize];
                sums.touched[used] = rank as u32;
                used += usize::from(*sum == 0);
                *sum = ring.add(*sum, number);
                sums.array[0] = 1;
            });
        }
        let mut group = writer.group(word, used)?;
        for &rank in &sums.touched[..used] {
            let number = std::mem::take(&mut sums.array[rank as usize]);
            group.push(u64::from(rank).wrapping_sub(1), number);
        }
        sums.array[0] = 0;
        Ok(group.finish(ways, ring))
    }
}

impl Layer {
    fn group(&self, arrow: &Arrow) -> &Group {
        &self.chunks[arrow.chunk as usize].groups[usize::from(arrow.group)]
    }
}

/// What looking ahead from a type costs, in borders.
const SIGHT: f64 = 30.0;
/// What a border that leads nowhere costs, in borders: it has descendants.
const DESCENDANTS: f64 = 4.0;
/// Where more than this share of the types is hopeless, they would soon be nearly all.
const MANY: f64 = 0.1;
/// The most types that are looked at to find out whether looking ahead pays.
const PROBES: usize = 500;

/// Whether looking ahead from all new types costs less than it saves. Some of them show how many
/// are hopeless.
fn pays(ahead: &Ahead, at: usize, arrows: &[Vec<Vec<Arrow>>], children: usize) -> bool {
    let number: usize = arrows.iter().flatten().map(Vec::len).sum();
    // Which are probed depends on the types alone, so it is the same on any number of threads.
    let mask = (number / PROBES).next_power_of_two() as u64 - 1;
    let (mut seen, mut hopeless) = (0usize, 0usize);
    for arrow in arrows.iter().flatten().flatten() {
        if mixed(arrow.to) & mask == 0 {
            seen += 1;
            hopeless += usize::from(ahead.is_hopeless(at, arrow.to));
        }
    }
    let borders = children as f64 / number.max(1) as f64;
    // A type has several arrows; that it is looked at once and not once for each is left aside.
    let share = hopeless as f64 / seen.max(1) as f64;
    share > MANY || share * borders * DESCENDANTS > SIGHT
}

/// Where ways are added up.
struct Sums {
    /// By rank plus 1; all 0 between groups.
    array: Vec<u64>,
    /// Places of the array, or of the hash table, that were used.
    touched: Vec<u32>,
    /// A hash table of ranks plus 1 and numbers; a place with number 0 is free.
    keys: Vec<u64>,
    values: Vec<u64>,
    claim: Claim,
}

impl Sums {
    fn new(run: &Run) -> Self {
        let (array, touched) = (Vec::new(), Vec::new());
        Sums { array, touched, keys: Vec::new(), values: Vec::new(), claim: run.claim() }
    }

    fn claim(&mut self, array: usize, table: usize) -> Result<(), Stop> {
        let touched = self.touched.capacity() * size_of::<u32>();
        let bytes = (array + 2 * table) * size_of::<u64>() + touched;
        self.claim.grow_to(bytes as u64)
    }

    fn array_of(&mut self, places: usize) -> Result<(), Stop> {
        if self.array.len() < places {
            self.claim(places, self.keys.len())?;
            self.array.resize(places, 0);
        }
        Ok(())
    }

    fn hash_of(&mut self, most: usize) -> Result<(), Stop> {
        let places = (2 * most).next_power_of_two().max(64);
        if self.keys.len() < places {
            self.claim(self.array.len(), places)?;
            self.keys.resize(places, 0);
            self.values.resize(places, 0);
        }
        self.touched.clear();
        Ok(())
    }

    #[inline]
    fn add_hashed(&mut self, rank: u64, number: u64, ring: impl Ring) {
        if rank == 0 || number == 0 {
            return;
        }
        let mask = self.keys.len() - 1;
        let mut place = (mixed(rank) >> 20) as usize & mask;
        // A sum that comes to 0 frees its place, and its rank may then have two places: that is
        // as good, for what follows adds them up.
        while self.values[place] != 0 && self.keys[place] != rank {
            place = (place + 1) & mask;
        }
        if self.values[place] == 0 {
            self.keys[place] = rank;
            self.touched.push(place as u32);
        }
        self.values[place] = ring.add(self.values[place], number);
    }

    fn take_hashed(&mut self, mut give: impl FnMut(u64, u64)) {
        for &place in &self.touched {
            let number = std::mem::take(&mut self.values[place as usize]);
            give(self.keys[place as usize], number);
        }
        self.touched.clear();
    }
}

/// Writes the groups of a layer, chunk by chunk.
struct Writer<'m, R> {
    maker: &'m Maker<'m, R>,
    /// Borders of a new chunk.
    room: usize,
    current: Option<Chunk>,
    full: Vec<Chunk>,
}

/// A group that is being written.
struct Writing<'w> {
    chunk: &'w mut Chunk,
    word: u64,
    numbers: usize,
    ranks: usize,
    /// The upper halves of ranks that have them.
    upper: Option<Vec<u32>>,
}

impl<R: Ring> Writer<'_, R> {
    /// Begins a group of at most so many borders.
    fn group(&mut self, word: u64, most: usize) -> Result<Writing<'_>, Stop> {
        let is_wide = pairs(word) > NARROW;
        let fits = self.current.as_ref().is_some_and(|chunk| {
            chunk.groups.len() < GROUPS
                && chunk.numbers.len() + most <= chunk.numbers.capacity()
                && chunk.ranks.len() + if is_wide { 2 * most } else { most }
                    <= chunk.ranks.capacity()
        });
        if !fits {
            self.close()?;
            let pooled = if self.room == CHUNK && most <= CHUNK && !is_wide {
                self.maker.pool.lock().unwrap_or_else(PoisonError::into_inner).pop()
            } else {
                None
            };
            let mut chunk = match pooled {
                Some(chunk) => chunk,
                None => Chunk::with_room(self.room.max(most), self.maker.run)?,
            };
            if is_wide {
                chunk.ranks.reserve(2 * self.room.max(most));
                chunk.claim.grow_to(chunk.bytes())?;
            }
            self.current = Some(chunk);
        }
        let Some(chunk) = &mut self.current else { unreachable!("it was made above") };
        let (numbers, ranks) = (chunk.numbers.len(), chunk.ranks.len());
        let upper = is_wide.then(|| Vec::with_capacity(most));
        Ok(Writing { chunk, word, numbers, ranks, upper })
    }

    fn close(&mut self) -> Result<(), Stop> {
        if let Some(mut chunk) = self.current.take() {
            if 2 * chunk.numbers.len() < chunk.numbers.capacity() {
                chunk.numbers.shrink_to_fit();
                chunk.ranks.shrink_to_fit();
            }
            chunk.claim.grow_to(chunk.bytes())?;
            self.full.push(chunk);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Chunk>, Stop> {
        self.close()?;
        Ok(self.full)
    }
}

impl Writing<'_> {
    /// Adds a border, unless its number is 0.
    #[inline]
    fn push(&mut self, rank: u64, number: u64) {
        if number != 0 {
            self.chunk.numbers.push(number);
            self.chunk.ranks.push(rank as u32);
            if let Some(upper) = &mut self.upper {
                upper.push((rank >> 32) as u32);
            }
        }
    }

    /// Ends the group, given a bound of the sum of its numbers; returns its borders.
    fn finish(self, ways: f64, ring: impl Ring) -> u64 {
        let len = self.chunk.numbers.len() - self.numbers;
        // Numbers may all have come to 0 modulo 2^64 and not be 0: then the group stays, without
        // borders, for its bound.
        let may_be_wrapped = ring.is_exact() && ways >= EXACT;
        if len == 0 && !may_be_wrapped {
            return 0;
        }
        if let Some(upper) = self.upper {
            self.chunk.ranks.extend(upper);
        }
        // Where nothing can have wrapped, the numbers themselves are the better bound.
        let ways = if ring.is_exact() && ways < EXACT {
            let numbers = self.chunk.numbers[self.numbers..].iter().map(|&number| size(number));
            numbers.fold(0, u64::saturating_add) as f64
        } else {
            ways
        };
        self.chunk.groups.push(Group {
            word: self.word,
            numbers: self.numbers as u32,
            ranks: self.ranks as u32,
            len: len as u32,
            ways,
        });
        len as u64
    }
}

/// Sums below this fit in a word, and the floats that bound them have not erred by so much.
pub(super) const EXACT: f64 = 9e18;

/// How large a number is that has not wrapped, whatever its sign.
pub(super) fn size(number: u64) -> u64 {
    number.cast_signed().unsigned_abs()
}

/// By part what was by worker.
fn transposed<T>(rows: Vec<Vec<T>>) -> Vec<Vec<T>> {
    let parts = rows.first().map_or(0, Vec::len);
    let mut columns: Vec<Vec<T>> = std::iter::repeat_with(Vec::new).take(parts).collect();
    for row in rows {
        for (column, part) in columns.iter_mut().zip(row) {
            column.push(part);
        }
    }
    columns
}

/// Runs the same work on so many threads; they share it out among themselves.
pub(super) fn workers<T: Send>(
    threads: usize,
    work: impl Fn() -> Result<T, Stop> + Sync,
) -> Result<Vec<T>, Stop> {
    if threads == 1 {
        return Ok(vec![work()?]);
    }
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(&work)).collect();
        let mut done = vec![work()?];
        for other in others {
            done.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(done)
    })
}
