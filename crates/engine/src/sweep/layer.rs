//! A layer: the borders after a site, each with its number; and how the next one is made.
//!
//! A layer lies in **shards**: borders whose keys begin with the same bits are in one, so which
//! it is depends on the border alone. A shard is a sorted run of records ([`super::record`]), in
//! memory or on disk.
//!
//! Reading a site has two phases. To *spread* a layer, threads take its shards one by one, read
//! their borders, and deal out what these lead to; what is dealt to a shard of the next layer is
//! added up in its table ([`super::table`]). A shard that has been read is dropped, so the old
//! layer shrinks while the new one grows. To *gather* the next layer, the gaps of its tables are
//! closed.
//!
//! **Where memory does not suffice** and the run has a disk, shards that have not been read yet
//! are written there first. If that is not enough, a table that should grow is written as a
//! sorted run and begins anew. Gathering then merges the runs of a shard into one, on disk.
//!
//! A thread deals into a *hand* of records for each shard and takes a table's lock when the hand
//! is full: so locks cost little, and a table is in the cache while a whole hand is added to it.
//!
//! Spreading can be stopped at any time: what is left to read, and what was dealt, are the whole
//! state ([`Spreading::each`]). So a count can be saved in the middle of a layer.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use rayon::prelude::*;

use super::Sweep;
use super::packed::{border_of, key, lead, units_needed, units_of, write_key};
use super::record::{Format, Records, bytes, put};
use super::spilled::{Desk, Shelf, Stored, records};
use super::table::Table;
use crate::run::{Run, Stop};
use crate::search::Part;

/// About how many borders a shard has.
const BORDERS_A_SHARD: u64 = 4096;
/// Layers with fewer borders are read by one thread.
const SMALL_LAYER: u64 = 4096;
/// There are at most 2^10 shards.
const MOST_BITS: u32 = 10;
/// Records of a full hand.
const HAND: usize = 32;
/// Which share of the memory is for hands.
const SHARE: u64 = 8;
/// Borders between two looks at the clock.
const BORDERS_A_TICK: usize = 4096;

/// What a sweep works with.
pub(super) struct Means<'r> {
    pub(super) run: &'r Run,
    /// Where it may write what does not fit into memory.
    desk: Option<Desk>,
}

impl<'r> Means<'r> {
    /// All that the run has.
    pub(super) fn of(run: &'r Run) -> Result<Self, Stop> {
        Ok(Means { run, desk: Desk::of(run)? })
    }

    /// Memory alone.
    pub(super) fn memory(run: &'r Run) -> Self {
        Means { run, desk: None }
    }

    /// How many leading bits tell the shards apart of what a layer leads to.
    fn bits(&self, borders: u64, units: usize) -> u32 {
        let budget = self.run.budget();
        if borders < SMALL_LAYER {
            return 0;
        }
        // Several for each thread.
        let least = if budget.threads > 1 { 2 + budget.threads.ilog2() } else { 0 };
        let wanted = (borders / BORDERS_A_SHARD).ilog2().max(least);
        let hands = budget.memory.unwrap_or(u64::MAX) / SHARE / budget.threads as u64;
        let most = hands / bytes(HAND * units);
        wanted.min(most.max(1).ilog2()).min(MOST_BITS)
    }
}

/// A shard, or what is left of it.
#[derive(Debug)]
pub(super) enum Piece {
    /// In memory; some of the records have been read.
    Here(Records, usize),
    /// On disk.
    There(Stored),
}

impl Piece {
    fn len(&self) -> u64 {
        match self {
            Piece::Here(records, read) => (records.len() - read) as u64,
            Piece::There(stored) => stored.len(),
        }
    }

    fn format(&self) -> Format {
        match self {
            Piece::Here(records, _) => records.format,
            Piece::There(stored) => stored.format(),
        }
    }

    /// Shows all records that are left, some at a time.
    fn each<E: From<Stop>>(
        &self,
        mut see: impl FnMut(Format, &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Piece::Here(records, read) => {
                let stride = records.format.stride();
                let mut some = records.units[read * stride..].chunks(BORDERS_A_TICK * stride);
                some.try_for_each(|units| see(records.format, units))
            }
            Piece::There(stored) => stored.each(see),
        }
    }
}

/// The borders after a site, each with its number.
#[derive(Debug, Default)]
pub(super) struct Layer {
    /// How many leading bits tell the shards apart.
    bits: u32,
    /// In the order of keys; shards without borders are left out.
    pieces: Vec<Piece>,
}

impl Layer {
    /// How many borders there are.
    pub(super) fn len(&self) -> u64 {
        self.pieces.iter().map(Piece::len).sum()
    }

    /// The shards, all of them in memory: each with its number.
    pub(super) fn into_shards(self) -> (u32, Vec<(usize, Records)>) {
        let shard = |records: &Records| {
            let lead = records.iter().next().map_or(0, |(key, _)| super::record::lead(key));
            shard(lead, self.bits)
        };
        let here = self.pieces.into_iter().filter_map(|piece| match piece {
            Piece::Here(records, _) => Some((shard(&records), records)),
            Piece::There(_) => None,
        });
        (self.bits, here.collect())
    }
}

/// The shard of a key with this leading word.
#[inline]
pub(super) fn shard(lead: u64, bits: u32) -> usize {
    if bits == 0 { 0 } else { (lead >> (64 - bits)) as usize }
}

/// A shard of the next layer.
struct Share {
    table: Table,
    /// What the table held before.
    runs: Vec<Stored>,
    /// All of it, once it is gathered.
    whole: Option<Piece>,
}

/// A layer that is being read.
pub(super) struct Spreading<'m> {
    means: &'m Means<'m>,
    /// What is left to read, the last first.
    unread: Mutex<Vec<Piece>>,
    /// What has been read, if it is kept.
    read: Option<Mutex<Vec<Records>>>,
    /// How many leading bits tell the shards apart of what is read, and of what is made.
    from: u32,
    bits: u32,
    shares: Vec<Mutex<Share>>,
    /// Records that were dealt and found no room.
    loose: Mutex<Vec<(Format, Vec<u32>)>>,
    /// Units of a record in a hand.
    format: Format,
    /// For what was not read yet, for runs, and for what becomes of them.
    shelves: [Shelf; 3],
}

/// How far reading came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// Everything was read.
    ToTheEnd,
    /// The time had come to pause.
    ToAPause,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'m> Spreading<'m> {
    /// Begins to read a layer. What a sweep with borders `B` offers goes into the next one.
    pub(super) fn new<S: Sweep>(layer: Layer, means: &'m Means<'m>) -> Self {
        Spreading::expecting::<S>(layer, 0, means)
    }

    /// The same, where the next layer is known to have at least so many borders.
    pub(super) fn expecting<S: Sweep>(layer: Layer, borders: u64, means: &'m Means<'m>) -> Self {
        let read = layer.pieces.iter().fold(Format::LEAST, |all, piece| all.and(piece.format()));
        let format = Format { key: units_of::<S::Border>(), ..read };
        let bits = means.bits(layer.len().max(borders), format.stride());
        let share = |_| {
            let table = Table::new(bits, means.run);
            Mutex::new(Share { table, runs: Vec::new(), whole: None })
        };
        let mut unread = layer.pieces;
        unread.reverse();
        Spreading {
            means,
            unread: Mutex::new(unread),
            read: None,
            from: layer.bits,
            bits,
            shares: (0..1usize << bits).map(share).collect(),
            loose: Mutex::default(),
            format,
            shelves: Default::default(),
        }
    }

    /// What it works with.
    pub(super) fn means(&self) -> &'m Means<'m> {
        self.means
    }

    /// Borders that are left to read.
    pub(super) fn unread(&self) -> u64 {
        lock(&self.unread).iter().map(Piece::len).sum()
    }

    /// About how many borders the next layer has so far: some may be counted several times.
    pub(super) fn dealt(&self) -> u64 {
        let dealt = |share: &Mutex<Share>| {
            let share = lock(share);
            let runs = share.runs.iter().map(Stored::len).sum::<u64>();
            share.table.len() as u64 + runs + share.whole.as_ref().map_or(0, Piece::len)
        };
        self.shares.iter().map(dealt).sum()
    }

    /// What will be read is kept, without its numbers.
    pub(super) fn keep(&mut self) {
        self.read = Some(Mutex::default());
    }

    /// Tries until there is room.
    fn with_room(&self, mut attempt: impl FnMut() -> Result<(), Stop>) -> Result<(), Stop> {
        loop {
            match attempt() {
                Err(stop @ Stop::Memory { .. }) => {
                    if !self.put_away()? && !self.put_table_away()? {
                        return Err(stop);
                    }
                }
                other => return other,
            }
        }
    }

    /// Writes to disk what will be read last; says whether there was anything.
    fn put_away(&self) -> Result<bool, Stop> {
        let Some(desk) = &self.means.desk else { return Ok(false) };
        let mut unread = lock(&self.unread);
        let Some(at) = unread.iter().position(|piece| matches!(piece, Piece::Here(..))) else {
            return Ok(false);
        };
        let Piece::Here(records, read) = &unread[at] else { return Ok(false) };
        let stored = self.shelves[0].write(desk, records.iter().skip(*read))?;
        unread[at] = Piece::There(stored);
        Ok(true)
    }

    /// Writes a piece to disk that is large for the memory: while it is read, that cannot be had
    /// back.
    fn slim(&self, piece: &mut Piece) -> Result<(), Stop> {
        let budget = self.means.run.budget();
        if let (Some(desk), Piece::Here(records, read)) = (&self.means.desk, &*piece)
            && let Some(memory) = budget.memory
            && bytes(records.units.len()) > memory / 8 / budget.threads as u64
        {
            *piece = Piece::There(self.shelves[0].write(desk, records.iter().skip(*read))?);
        }
        Ok(())
    }

    /// Reads on, until everything is read or until it is `pause`. The borders of a part are
    /// those whose keys it contains; only these are read. After an error it can be saved, and
    /// not gone on with.
    pub(super) fn read<S: Sweep>(
        &self,
        sweep: &S,
        site: usize,
        part: Part,
        pause: Option<Duration>,
    ) -> Result<Came, Stop> {
        let run = self.means.run;
        let is_over = AtomicBool::new(false);
        let mut claim = run.claim();
        if self.bits > 0 {
            let hands = bytes(HAND * self.format.stride()) << self.bits;
            self.with_room(|| claim.grow_to(hands * run.budget().threads as u64))?;
        }
        loop {
            if self.unread() == 0 {
                return Ok(Came::ToTheEnd);
            }
            if is_over.load(Relaxed) {
                return Ok(Came::ToAPause);
            }
            let reader = Reader { spreading: self, sweep, site, part, pause, is_over: &is_over };
            if self.bits == 0 || run.budget().threads == 1 {
                reader.work()?;
            } else {
                let threads = run.budget().threads;
                run.parallel(|| (0..threads).into_par_iter().try_for_each(|_| reader.work()))?;
            }
        }
    }

    /// Adds the records of a hand to a shard; `admit` says of a new border whether it is kept.
    /// What was added is taken out of the hand.
    fn deal(
        &self,
        shard: usize,
        hand: &mut Hand,
        admit: impl Fn(&[u32]) -> bool,
    ) -> Result<(), Stop> {
        let stride = hand.format.stride();
        let mut share = lock(&self.shares[shard]);
        for (added, record) in hand.units.chunks_exact(stride).enumerate() {
            let (key, number) = record.split_at(hand.format.key);
            if let Err(stop) = self.add(&mut share, key, number, &admit) {
                hand.units.drain(..added * stride);
                return Err(stop);
            }
        }
        hand.units.clear();
        Ok(())
    }

    /// Adds a record to a shard.
    #[inline]
    fn add(
        &self,
        share: &mut Share,
        key: &[u32],
        number: &[u32],
        admit: impl Fn(&[u32]) -> bool,
    ) -> Result<(), Stop> {
        loop {
            match share.table.add(key, number, || admit(key)) {
                Err(stop @ Stop::Memory { .. }) => {
                    if !self.make_room(share)? {
                        return Err(stop);
                    }
                }
                other => return other,
            }
        }
    }

    /// Makes room for a table to grow; says whether there is some now.
    fn make_room(&self, share: &mut Share) -> Result<bool, Stop> {
        let Some(desk) = &self.means.desk else { return Ok(false) };
        if self.put_away()? {
            return Ok(true);
        }
        if share.table.len() > 0 {
            self.write(share, desk)?;
            share.table.clear();
            return Ok(true);
        }
        if share.table.has_slots() {
            share.table = Table::new(self.bits, self.means.run);
            return Ok(true);
        }
        // The others have all the memory.
        self.put_table_away()
    }

    /// Writes a table to disk that no other thread is using, and gives back its memory; says
    /// whether there may be some now.
    fn put_table_away(&self) -> Result<bool, Stop> {
        let Some(desk) = &self.means.desk else { return Ok(false) };
        let mut busy = 0;
        for share in &self.shares {
            match share.try_lock() {
                Ok(mut share) if share.table.has_slots() => {
                    self.write(&mut share, desk)?;
                    share.table = Table::new(self.bits, self.means.run);
                    return Ok(true);
                }
                Err(TryLockError::WouldBlock) => busy += 1,
                _ => {}
            }
        }
        // One may be locked by this thread. Those that others have locked may give some back.
        std::thread::yield_now();
        Ok(busy > 1)
    }

    /// Writes a table as a run.
    fn write(&self, share: &mut Share, desk: &Desk) -> Result<(), Stop> {
        if share.table.len() > 0 {
            share.runs.push(self.shelves[1].write(desk, share.table.iter())?);
        }
        Ok(())
    }

    /// Everything was read: the next layer. After an error it can still be saved.
    pub(super) fn gather(&mut self) -> Result<Layer, Stop> {
        let whole = |share: &Mutex<Share>| -> Result<(), Stop> {
            let run = self.means.run;
            let share = &mut *lock(share);
            if share.whole.is_some() {
                return Ok(());
            }
            run.check()?;
            match &self.means.desk {
                Some(desk) if !share.runs.is_empty() => {
                    self.write(share, desk)?;
                    share.table = Table::new(self.bits, run);
                    let runs = share.runs.iter().cloned().collect();
                    let stored = self.shelves[2].gather(runs, &self.shelves[1], desk, run)?;
                    share.runs = Vec::new();
                    share.whole = Some(Piece::There(stored));
                }
                _ => {
                    let table = std::mem::replace(&mut share.table, Table::new(self.bits, run));
                    share.whole = Some(Piece::Here(table.into_records(), 0));
                }
            }
            Ok(())
        };
        if self.bits == 0 || self.means.run.budget().threads == 1 {
            self.shares.iter().try_for_each(whole)?;
        } else {
            self.means.run.parallel(|| self.shares.par_iter().try_for_each(whole))?;
        }
        let pieces = self
            .shares
            .drain(..)
            .filter_map(|share| share.into_inner().unwrap_or_else(PoisonError::into_inner).whole);
        Ok(Layer { bits: self.bits, pieces: pieces.filter(|piece| piece.len() > 0).collect() })
    }

    /// What was read and kept.
    pub(super) fn kept(&mut self) -> Layer {
        let mut read = self.read.take().map_or_else(Vec::new, |read| {
            read.into_inner().unwrap_or_else(PoisonError::into_inner)
        });
        read.sort_by(|a, b| a.units[..2].cmp(&b.units[..2]));
        let pieces = read.into_iter().map(|records| Piece::Here(records, 0)).collect();
        Layer { bits: self.from, pieces }
    }

    /// Adds records to the next layer, as if they had been offered.
    pub(super) fn put(
        &self,
        format: Format,
        units: &[u32],
        admit: impl Fn(&[u32]) -> bool,
    ) -> Result<(), Stop> {
        for record in units.chunks_exact(format.stride()) {
            let (key, number) = record.split_at(format.key);
            let home = shard(super::record::lead(key), self.bits);
            self.add(&mut lock(&self.shares[home]), key, number, &admit)?;
        }
        Ok(())
    }

    /// Shows all that is left to read (`false`), and all that was dealt (`true`), some records at
    /// a time; the same border may be dealt several times.
    pub(super) fn each<E: From<Stop>>(
        &self,
        mut see: impl FnMut(bool, Format, &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        for piece in &*lock(&self.unread) {
            piece.each(|format, units| see(false, format, units))?;
        }
        for share in &self.shares {
            let share = lock(share);
            let format = share.table.format();
            let mut units = Vec::new();
            for (key, number) in share.table.iter() {
                units.extend_from_slice(key);
                units.extend_from_slice(number);
                if units.len() >= BORDERS_A_TICK * format.stride() {
                    see(true, format, &units)?;
                    units.clear();
                }
            }
            see(true, format, &units)?;
            for stored in &share.runs {
                stored.each(|format, units| see(true, format, units))?;
            }
            if let Some(piece) = &share.whole {
                piece.each(|format, units| see(true, format, units))?;
            }
        }
        lock(&self.loose).iter().try_for_each(|(format, units)| see(true, *format, units))
    }
}

/// What the threads share that read a site.
struct Reader<'a, S> {
    spreading: &'a Spreading<'a>,
    sweep: &'a S,
    site: usize,
    part: Part,
    pause: Option<Duration>,
    is_over: &'a AtomicBool,
}

/// Records that were dealt to a shard and not yet added.
#[derive(Clone)]
struct Hand {
    format: Format,
    units: Vec<u32>,
}

impl Hand {
    /// Makes room for keys of so many units.
    #[cold]
    fn widen(&mut self, key: usize) {
        let wider = Format { key, ..self.format };
        let mut units = Vec::with_capacity(HAND * wider.stride());
        for record in self.units.chunks_exact(self.format.stride()) {
            let (key, number) = record.split_at(self.format.key);
            put(&mut units, wider, key, number);
        }
        (self.format, self.units) = (wider, units);
    }

    /// Adds a record that fits the format.
    #[inline]
    fn push(&mut self, key: &[u64], number: &[u32]) {
        let end = self.units.len();
        self.units.resize(end + self.format.stride(), 0);
        let (to_key, to_number) = self.units[end..].split_at_mut(self.format.key);
        write_key(key, to_key);
        for (to, &unit) in to_number.iter_mut().zip(number) {
            *to = unit;
        }
    }
}

/// What a thread has dealt and not yet added.
struct Hands {
    /// One for each shard.
    hands: Vec<Hand>,
    /// After this, nothing is added any more.
    failed: Option<Stop>,
}

impl<S: Sweep> Reader<'_, S> {
    /// Reads shards until there are no more, or it is time to pause.
    fn work(&self) -> Result<(), Stop> {
        let spreading = self.spreading;
        let empty = Hand { format: Format { key: 2, ..spreading.format }, units: Vec::new() };
        let mut hands = Hands { hands: vec![empty; spreading.shares.len()], failed: None };
        let mut result = Ok(());
        while result.is_ok() && hands.failed.is_none() && !self.is_over.load(Relaxed) {
            let Some(mut piece) = lock(&spreading.unread).pop() else { break };
            result = spreading.slim(&mut piece);
            if result.is_ok() {
                result = self.piece(&mut piece, &mut hands);
            }
            match piece {
                piece if piece.len() > 0 => lock(&spreading.unread).push(piece),
                Piece::Here(mut records, _) => {
                    if let Some(read) = &spreading.read {
                        result = result.and(records.forget_numbers());
                        lock(read).push(records);
                    }
                }
                Piece::There(_) => {}
            }
        }
        for (shard, hand) in hands.hands.iter_mut().enumerate() {
            if !hand.units.is_empty() && hands.failed.is_none() {
                hands.failed = spreading.deal(shard, hand, |key| self.admit(key)).err();
            }
        }
        if let Some(stop) = hands.failed {
            let left = hands.hands.into_iter().filter(|hand| !hand.units.is_empty());
            lock(&spreading.loose).extend(left.map(|hand| (hand.format, hand.units)));
            result = result.and(Err(stop));
        }
        if result.is_err() {
            self.is_over.store(true, Relaxed);
        }
        result
    }

    fn admit(&self, key: &[u32]) -> bool {
        !self.sweep.is_hopeless(self.site, &border_of(key))
    }

    /// Reads a piece; what is left of it is to be read again.
    fn piece(&self, piece: &mut Piece, hands: &mut Hands) -> Result<(), Stop> {
        let mut words = Vec::new();
        loop {
            let read = match piece {
                Piece::Here(records, read) => {
                    let stride = records.format.stride();
                    let rest = &records.units[*read * stride..];
                    let some = &rest[..rest.len().min(BORDERS_A_TICK * stride)];
                    *read += some.len() / stride;
                    self.block(some, records.format, hands)
                }
                Piece::There(stored) => match stored.next(&mut words)? {
                    Some(format) => self.block(records(&words, format), format, hands),
                    None => 0,
                },
            };
            let run = self.spreading.means.run;
            if read == 0 || hands.failed.is_some() {
                return Ok(());
            }
            run.tick(read)?;
            if self.pause.is_some_and(|pause| run.elapsed() >= pause) {
                self.is_over.store(true, Relaxed);
            }
            if self.is_over.load(Relaxed) {
                return Ok(());
            }
        }
    }

    /// Reads some records and deals out what they lead to; says how many there were.
    fn block(&self, units: &[u32], format: Format, hands: &mut Hands) -> u64 {
        let spreading = self.spreading;
        let bits = spreading.bits;
        let mut read = 0;
        for record in units.chunks_exact(format.stride()) {
            read += 1;
            let (at, number) = record.split_at(format.key);
            if !self.part.is_whole() && !self.part.contains(super::record::lead(at)) {
                continue;
            }
            let Hands { hands, failed } = &mut *hands;
            self.sweep.choose(self.site, &border_of(at), |_, next| {
                let next = key(next);
                let next = next.as_ref();
                let to = shard(lead(next), bits);
                let hand = &mut hands[to];
                let needed = units_needed(next);
                let is_full = hand.units.len() >= HAND * hand.format.stride();
                if (is_full || needed > hand.format.key) && failed.is_none() {
                    *failed = spreading.deal(to, hand, |key| self.admit(key)).err();
                }
                if needed > hand.format.key {
                    hand.widen(needed);
                }
                hand.push(next, number);
            });
        }
        read
    }
}
