//! Tables on disk, streamed level by level.
//!
//! In memory a search keeps two bits a state. On disk **one** is enough: whether the state has
//! been met. A **shelf** is a run of chunks (see `ranks`) whose bits lie on disk as one extent.
//! A **message** says that states of a shelf are one move away from the frontier: a place on the
//! shelf, and bits. Messages wait on disk too, in one list for each shelf.
//!
//! A level is one pass over the shelves. For each, its bits are read, and then
//!
//! - what is one move away within its block is met now: not only from the frontier, but from all
//!   that was met. The neighbours of what was met earlier are in already, so nothing is added
//!   too early, and the frontier need not be known;
//! - what its messages say is met now;
//! - what was not met before is the frontier. It is counted, its moves to other blocks become
//!   messages for the next level, and the bits are written back.
//!
//! A shelf without messages on which nothing was found at the level before is not touched. So
//! the shelves are read and written in order, wherever the moves lead, and the bytes of a level
//! are known: one bit a state read and one written at most, and 8 bytes a message written and
//! read. A message holds up to 32 nodes of one block, so there is at most one for each move
//! between blocks, and with good names (see [`super::Gauge`]) few moves are such. With 30 nodes
//! and 11 slots that are moved evenly (599 million states) a pass moves 160 MB at most, and all
//! messages of the 104 levels together less than 2 GB. That takes two to three times as long as
//! in memory.
//!
//! In memory are two copies of a shelf for each thread, one of its bits and one of what is new,
//! and for each thread and shelf a **box** that collects messages until it is full. The bytes
//! that a run has left are shared out among these, one third for the shelves. A full box goes to
//! disk as an extent that begins with a link to the one before, so that lists of any length take
//! no memory.
//!
//! R. E. Korf kept the frontier of sliding puzzles on disk (*Linear-time disk-based implicit
//! graph search*, 2008), and D. Kunkle and G. Cooperman collected moves in buckets by where they
//! lead (*Twenty-six moves suffice for Rubik's cube*, 2007).

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::planes::{Sum, word_bytes};
use super::ranks::{Ranks, Targets, split};
use super::table::Table;
use crate::disk::{Disk, Extent, Spill};
use crate::run::{Run, Stop};

/// Words of the link at the head of a box.
const LINK: usize = 3;
/// The fewest and the most words of a box. Smaller ones would be mostly links.
const BOX: [usize; 2] = [32, 1 << 16];
/// The most bytes of a shelf, so that places on it have 32 bits.
const MOST_SHELF: u64 = 1 << 28;
/// Bytes in memory of a shelf, and of a list of messages before and after a level.
const SHELF_BYTES: u64 = size_of::<Mutex<Shelf>>() as u64;
const LIST_BYTES: u64 = (2 * size_of::<Option<Extent>>() + size_of::<Vec<u64>>()) as u64;

/// How the tables are cut into shelves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Chunks of a shelf; the last one may have fewer.
    chunks: usize,
    shelves: usize,
    /// Words of a shelf, and of all of them.
    words: usize,
    all_words: usize,
    /// Words of a box.
    box_words: usize,
    workers: usize,
    /// What all that takes in memory.
    pub(super) bytes: u64,
}

impl Layout {
    /// A layout that takes no more than `room` bytes of memory; if there is none, the error says
    /// how many would do.
    pub(super) fn new(
        ranks: &Ranks,
        nodes: usize,
        workers: usize,
        room: u64,
    ) -> Result<Layout, u64> {
        let block = word_bytes(nodes);
        let plane = block * (ranks.chunk * ranks.chunks) as u64;
        let chunk = block * ranks.chunk as u64;
        // Shelves begin with a word. Only chunks of the smallest tables do not end with one.
        let unit = if chunk.is_multiple_of(8) { 1 } else { 8 };
        let wanted = (room / 6 / workers as u64).min(MOST_SHELF) / chunk;
        let chunks = (wanted as usize / unit * unit).clamp(unit, ranks.chunks.next_multiple_of(8));
        let shelves = ranks.chunks.div_ceil(chunks);
        let shelf = chunk * chunks as u64;
        let [workers64, shelves64] = [workers as u64, shelves as u64];
        let frontier = ranks.chunk as u64 * (4 + 8 * nodes.div_ceil(64) as u64);
        let fixed =
            workers64 * (2 * shelf + frontier + shelves64 * LIST_BYTES) + shelves64 * SHELF_BYTES;
        let [least, most] = BOX.map(|words| words as u64);
        // A box for each shelf, and one to read.
        let boxes = 8 * workers64 * (shelves64 + 1);
        let box_words = (room.saturating_sub(fixed) / boxes).min(most);
        if box_words < least {
            // With r bytes there are 6·workers·plane/r shelves, whose boxes and lists take
            // two thirds of r.
            let each = 8 * least + LIST_BYTES + SHELF_BYTES;
            let square = (9 * workers64 * workers64 * each).saturating_mul(plane);
            return Err(square.isqrt().max(fixed + boxes * least));
        }
        Ok(Layout {
            chunks,
            shelves,
            words: (shelf / 8) as usize,
            all_words: plane.div_ceil(8) as usize,
            box_words: box_words as usize,
            workers,
            bytes: fixed + boxes * box_words,
        })
    }
}

/// A part of the tables, on disk.
#[derive(Debug, Default)]
struct Shelf {
    /// What was met there; `None` if nothing was.
    met: Option<Extent>,
    /// What was found there at the last level, if that is kept.
    found: Option<Extent>,
    /// Whether anything was.
    is_active: bool,
}

/// Messages on their way: for each worker that wrote some, the last box for each shelf.
#[derive(Debug, Default)]
struct Mail {
    spill: Option<Spill>,
    lists: Vec<Vec<Option<Extent>>>,
}

/// The tables on disk.
#[derive(Debug)]
pub(super) struct Shelves {
    layout: Layout,
    disk: Arc<Disk>,
    /// What was met.
    planes: Option<Spill>,
    /// What was found at the last level, if it is kept.
    kept: Option<Spill>,
    all: Vec<Mutex<Shelf>>,
    mail: Mail,
}

/// What a worker has before it.
struct Desk<'s> {
    /// The bits of a shelf.
    met: Vec<u64>,
    /// First what its messages say, then what is new.
    new: Vec<u64>,
    /// Blocks of a chunk where something is new, and what.
    indices: Vec<u32>,
    blocks: Vec<u64>,
    boxes: Boxes<'s>,
}

/// Messages that a worker has collected.
struct Boxes<'s> {
    most: usize,
    spill: &'s Spill,
    open: Vec<Vec<u64>>,
    lists: Vec<Option<Extent>>,
}

impl Boxes<'_> {
    fn put(&mut self, shelf: usize, half: usize, bits: u64) -> Result<(), Stop> {
        let one = &mut self.open[shelf];
        if one.is_empty() {
            one.reserve_exact(self.most);
            one.extend([0; LINK]);
        }
        one.push((half as u64) << 32 | bits);
        if one.len() == self.most { self.post(shelf) } else { Ok(()) }
    }

    fn post(&mut self, shelf: usize) -> Result<(), Stop> {
        let one = &mut self.open[shelf];
        if !one.is_empty() {
            one[..LINK].copy_from_slice(&Extent::link(self.lists[shelf]));
            self.lists[shelf] = Some(self.spill.append(one)?);
            one.clear();
        }
        Ok(())
    }
}

impl Shelves {
    pub(super) fn new(layout: Layout, disk: &Arc<Disk>) -> Self {
        Shelves {
            layout,
            disk: Arc::clone(disk),
            planes: None,
            kept: None,
            all: (0..layout.shelves).map(|_| Mutex::default()).collect(),
            mail: Mail::default(),
        }
    }

    /// Forgets everything.
    fn clear(&mut self) -> Result<(), Stop> {
        // What was there is given back before anything new is taken.
        (self.planes, self.kept, self.mail) = (None, None, Mail::default());
        self.all.fill_with(Mutex::default);
        self.planes = Some(self.disk.spill()?);
        Ok(())
    }

    /// The words of a shelf, the last of which may be shorter.
    fn words_of(&self, shelf: usize) -> usize {
        self.layout.words.min(self.layout.all_words - shelf * self.layout.words)
    }

    /// Writes what was met on a shelf.
    fn put_back(&self, at: &mut Shelf, met: &[u64]) -> Result<(), Stop> {
        let planes = self.planes.as_ref().ok_or(Stop::Cancelled)?;
        match &mut at.met {
            Some(extent) => planes.replace(extent, met)?,
            None => at.met = Some(planes.append(met)?),
        }
        Ok(())
    }

    /// Reads a shelf; where nothing was written, there is nothing.
    fn get(
        &self,
        spill: Option<&Spill>,
        extent: Option<Extent>,
        shelf: usize,
        words: &mut Vec<u64>,
    ) -> Result<(), Stop> {
        if let (Some(spill), Some(extent)) = (spill, extent) {
            return spill.read(&extent, words);
        }
        words.clear();
        words.resize(self.words_of(shelf), 0);
        Ok(())
    }

    /// Adds what the messages for a shelf say.
    fn collect(&self, mail: &Mail, shelf: usize, desk: &mut Desk) -> Result<(), Stop> {
        let Some(spill) = &mail.spill else { return Ok(()) };
        let mut letters = Vec::with_capacity(self.layout.box_words);
        for list in &mail.lists {
            let mut next = list[shelf];
            while let Some(extent) = next {
                spill.read(&extent, &mut letters)?;
                next = Extent::linked([letters[0], letters[1], letters[2]]);
                for &letter in &letters[LINK..] {
                    let half = (letter >> 32) as usize;
                    desk.new[half / 2] |= (letter & u64::from(u32::MAX)) << (32 * (half % 2));
                }
            }
        }
        Ok(())
    }

    /// Has every shelf visited by one of some workers. Gives what they found, and the messages
    /// that they wrote.
    fn pass(
        &self,
        workers: usize,
        words: usize,
        visit: impl Fn(usize, &mut Desk, &mut Sum) -> Result<(), Stop> + Sync,
    ) -> Result<(Sum, Mail), Stop> {
        let spill = self.disk.spill()?;
        let next = AtomicUsize::new(0);
        let count = self.layout.shelves;
        let work = |_| {
            let mut sum = Sum::new(words);
            let mut desk = Desk {
                met: Vec::new(),
                new: Vec::new(),
                indices: Vec::new(),
                blocks: Vec::new(),
                boxes: Boxes {
                    most: self.layout.box_words,
                    spill: &spill,
                    open: vec![Vec::new(); count],
                    lists: vec![None; count],
                },
            };
            let done = loop {
                let shelf = next.fetch_add(1, Relaxed);
                if shelf >= count {
                    break (0..count).try_for_each(|shelf| desk.boxes.post(shelf));
                }
                if let Err(stop) = visit(shelf, &mut desk, &mut sum) {
                    // The others need not go on.
                    next.store(count, Relaxed);
                    break Err(stop);
                }
            };
            done.map(|()| (sum, vec![desk.boxes.lists]))
        };
        let nothing = || (Sum::new(words), Vec::new());
        let joined = |(sum, mut lists): (Sum, Vec<_>), (other, more): (Sum, Vec<_>)| {
            lists.extend(more);
            Ok((sum.join(&other), lists))
        };
        let (sum, lists) =
            (0..workers).into_par_iter().with_max_len(1).map(work).try_reduce(nothing, joined)?;
        Ok((sum, Mail { spill: Some(spill), lists }))
    }

    /// Gives the words of one of the planes, shelf by shelf: what was met, or what was found at
    /// the last level.
    pub(super) fn each(
        &self,
        only_found: bool,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut words = Vec::new();
        for (number, shelf) in self.all.iter().enumerate() {
            let Ok(at) = shelf.lock() else { return Err(io::Error::other(Stop::Cancelled)) };
            let (spill, extent) =
                if only_found { (&self.kept, at.found) } else { (&self.planes, at.met) };
            self.get(spill.as_ref(), extent, number, &mut words).map_err(io::Error::other)?;
            take(&words)?;
        }
        Ok(())
    }
}

impl Table {
    /// Bits of a block, of which a table has several in a word or several words for one.
    fn block_bits(&self) -> usize {
        8 * word_bytes(self.nodes) as usize
    }

    /// Puts the start on its shelf.
    pub(super) fn begin_on_disk(
        &self,
        shelves: &mut Shelves,
        block: usize,
        start: u32,
        run: &Run,
    ) -> Result<(), Stop> {
        shelves.clear()?;
        let (_, mail) = shelves.pass(1, self.words, |shelf, desk, _| {
            if shelf != 0 {
                return Ok(());
            }
            let on_shelf = shelves.layout.chunks * self.ranks.chunk;
            let mut there = vec![0; self.words];
            there[start as usize / 64] = 1 << (start % 64);
            self.write_block(block / on_shelf, block % on_shelf, &there, &mut desk.boxes)
        })?;
        shelves.mail = mail;
        self.stream(shelves, false, run).map(|_| ())
    }

    /// One level. What it finds is kept if that is to be saved.
    pub(super) fn stream(&self, shelves: &mut Shelves, keep: bool, run: &Run) -> Result<Sum, Stop> {
        let before = std::mem::take(&mut shelves.mail);
        shelves.kept = None;
        if keep {
            shelves.kept = Some(shelves.disk.spill()?);
            for shelf in &mut shelves.all {
                shelf.get_mut().map_err(|_| Stop::Cancelled)?.found = None;
            }
        }
        let workers = shelves.layout.workers;
        let (sum, after) = shelves.pass(workers, self.words, |number, desk, sum| {
            // Each shelf is visited by one worker.
            let Ok(mut shelf) = shelves.all[number].lock() else { return Err(Stop::Cancelled) };
            run.check()?;
            if !shelf.is_active && before.lists.iter().all(|list| list[number].is_none()) {
                return Ok(());
            }
            shelves.get(shelves.planes.as_ref(), shelf.met, number, &mut desk.met)?;
            desk.new.clear();
            desk.new.resize(desk.met.len(), 0);
            shelves.collect(&before, number, desk)?;
            let first = number * shelves.layout.chunks * self.ranks.chunk;
            shelf.is_active = self.meet(first, desk, sum, run)?;
            if !shelf.is_active {
                return Ok(());
            }
            shelves.put_back(&mut shelf, &desk.met)?;
            if let Some(kept) = &shelves.kept {
                shelf.found = Some(kept.append(&desk.new)?);
            }
            self.send(number, shelves, desk, run)
        })?;
        shelves.mail = after;
        Ok(sum)
    }

    /// Finds what is met now on a shelf that begins with block `first`, and says whether
    /// anything is.
    fn meet(&self, first: usize, desk: &mut Desk, sum: &mut Sum, run: &Run) -> Result<bool, Stop> {
        /// Words between looks at the clock.
        const PIECE: usize = 1 << 12;
        let Desk { met, new, .. } = desk;
        let before = sum.count;
        let bits = self.block_bits();
        let (words, lanes) = (self.words, (64 / bits).max(1));
        let piece = PIECE / words * words + words;
        for (part, (met, new)) in met.chunks_mut(piece).zip(new.chunks_mut(piece)).enumerate() {
            let first = first + part * piece / words * lanes;
            if words > 1 {
                self.meet_wide(first, met, new, sum);
            } else {
                self.meet_narrow(first, bits, met, new, sum);
            }
            let counted = sum.count;
            sum.count();
            run.tick(sum.count - counted)?;
        }
        Ok(sum.count > before)
    }

    /// Where a word is one block or several.
    fn meet_narrow(
        &self,
        first: usize,
        bits: usize,
        met: &mut [u64],
        new: &mut [u64],
        sum: &mut Sum,
    ) {
        let lanes = 64 / bits;
        let mask = u64::MAX >> (64 - bits);
        let full = u64::MAX >> (64 - self.nodes);
        for (place, (met, new)) in met.iter_mut().zip(new).enumerate() {
            if *met | *new == 0 {
                continue;
            }
            let mut all = 0;
            for lane in 0..lanes {
                let shift = lane * bits;
                let (old, arrived) = (*met >> shift & mask, *new >> shift & mask);
                if old | arrived == 0 || old == full {
                    continue;
                }
                let [near] = self.inner.with_near([old]);
                let found = (near | arrived) & !old;
                if found != 0 {
                    sum.found(first + place * lanes + lane, 0, found);
                    all |= found << shift;
                }
            }
            *met |= all;
            *new = all;
        }
    }

    /// Where a block is several words.
    fn meet_wide(&self, first: usize, met: &mut [u64], new: &mut [u64], sum: &mut Sum) {
        let words = self.words;
        let mut near = vec![0u64; words];
        let blocks = met.chunks_exact_mut(words).zip(new.chunks_exact_mut(words));
        for (block, (met, new)) in (first..).zip(blocks) {
            if met.iter().chain(&*new).all(|&bits| bits == 0) {
                continue;
            }
            near.copy_from_slice(new);
            for (word, &bits) in met.iter().enumerate() {
                self.inner.add_near(word, bits, &mut near);
            }
            for word in 0..words {
                let found = near[word] & !met[word];
                if found != 0 {
                    sum.found(block, word, found);
                }
                new[word] = found;
                met[word] |= found;
            }
        }
    }

    /// Writes messages about all moves to other blocks from what is new on a shelf.
    fn send(
        &self,
        shelf: usize,
        shelves: &Shelves,
        desk: &mut Desk,
        run: &Run,
    ) -> Result<(), Stop> {
        let Desk { new, indices, blocks, boxes, .. } = desk;
        let (bits, words, each) = (self.block_bits(), self.words, self.ranks.chunk);
        let first = shelf * shelves.layout.chunks;
        let last = (first + shelves.layout.chunks).min(self.ranks.chunks);
        let on_shelf = shelves.layout.chunks * each;
        let mut there = vec![0u64; words];
        indices.reserve_exact(each);
        blocks.reserve_exact(each * words);
        for chunk in first..last {
            run.check()?;
            indices.clear();
            blocks.clear();
            let at = (chunk - first) * each;
            for index in 0..each {
                if words > 1 {
                    let block = &new[(at + index) * words..][..words];
                    if block.iter().any(|&bits| bits != 0) {
                        indices.push(index as u32);
                        blocks.extend(block);
                    }
                } else {
                    let place = (at + index) * bits;
                    let block = new[place / 64] >> (place % 64) & (u64::MAX >> (64 - bits));
                    if block != 0 {
                        indices.push(index as u32);
                        blocks.push(block);
                    }
                }
            }
            if indices.is_empty() {
                continue;
            }
            let high = self.ranks.high(chunk);
            for crossing in &self.steps {
                let targets = self.ranks.targets(&high, &crossing.step);
                // The shelves of the target chunks, and where on them they begin.
                let places: Vec<(usize, usize)> = match &targets {
                    Targets::Slice { firsts, .. } => {
                        firsts.iter().map(|first| (first / on_shelf, first % on_shelf)).collect()
                    }
                    Targets::Ranked => Vec::new(),
                };
                for (&index, here) in indices.iter().zip(blocks.chunks_exact(words)) {
                    if words == 1 && here[0] & crossing.mask == 0 {
                        continue;
                    }
                    there.fill(0);
                    for turn in &crossing.turns {
                        there[turn.to] |= (here[turn.from] & turn.nodes).rotate_left(turn.bits);
                    }
                    if there.iter().all(|&bits| bits == 0) {
                        continue;
                    }
                    let (shelf, block) = match &targets {
                        Targets::Slice { entries, .. } => {
                            let (code, low) = split(entries[index as usize]);
                            (places[code].0, places[code].1 + low)
                        }
                        Targets::Ranked => {
                            let block = self.ranks.ranked(&high, index as usize, &crossing.step);
                            (block / on_shelf, block % on_shelf)
                        }
                    };
                    self.write_block(shelf, block, &there, boxes)?;
                }
            }
        }
        Ok(())
    }

    /// Writes messages about a block of a shelf.
    fn write_block(
        &self,
        shelf: usize,
        block: usize,
        there: &[u64],
        boxes: &mut Boxes,
    ) -> Result<(), Stop> {
        let bits = self.block_bits();
        if bits <= 32 {
            let place = block * bits;
            return boxes.put(shelf, place / 32, there[0] << (place % 32));
        }
        for (word, &bits) in there.iter().enumerate() {
            let half = 2 * (block * self.words + word);
            for (half, bits) in [(half, bits & u64::from(u32::MAX)), (half + 1, bits >> 32)] {
                if bits != 0 {
                    boxes.put(shelf, half, bits)?;
                }
            }
        }
        Ok(())
    }

    /// Takes the bits of a search that was saved, shelf by shelf: what was met, and what was found
    /// at the last level.
    pub(super) fn load_on_disk(
        &self,
        shelves: &mut Shelves,
        read: impl FnMut(&mut [u64], &mut [u64]) -> Result<(), Stop> + Send,
        run: &Run,
    ) -> Result<(), Stop> {
        shelves.clear()?;
        let read = Mutex::new(read);
        // One worker, because the file is read in order.
        let (_, mail) = shelves.pass(1, self.words, |number, desk, _| {
            let (Ok(mut shelf), Ok(mut read)) = (shelves.all[number].lock(), read.lock()) else {
                return Err(Stop::Cancelled);
            };
            for words in [&mut desk.met, &mut desk.new] {
                words.clear();
                words.resize(shelves.words_of(number), 0);
            }
            read(&mut desk.met, &mut desk.new)?;
            if desk.met.iter().any(|&bits| bits != 0) {
                shelves.put_back(&mut shelf, &desk.met)?;
            }
            shelf.is_active = desk.new.iter().any(|&bits| bits != 0);
            self.send(number, shelves, desk, run)
        })?;
        shelves.mail = mail;
        Ok(())
    }
}
