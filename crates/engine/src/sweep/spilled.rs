//! Sorted runs on disk, and how several become one.
//!
//! A run is written and read in *extents* ([`crate::disk`]), each with a checksum. An extent has
//! records of one format; those after it may be wider. Several runs are gathered into one by
//! reading all of them side by side, so that takes the memory of one extent each, however long
//! they are. Where they are too many, some are gathered first.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::record::{Format, add_to, put, trimmed};
use crate::disk::{Disk, Extent, Spill};
use crate::run::{Claim, Run, Stop};

/// Runs that are gathered at once.
const SIDE_BY_SIDE: usize = 14;
/// The most and the fewest units of an extent.
const MOST_UNITS: usize = 8192;
const FEWEST_UNITS: usize = 64;
/// Which share of the memory is for extents.
const SHARE: u64 = 32;

/// The disk of a sweep, with the memory that it takes to write and read there.
#[derive(Debug)]
pub(super) struct Desk {
    disk: Arc<Disk>,
    /// Units of an extent.
    units: usize,
    _claim: Claim,
}

impl Desk {
    /// For a run that has a disk and a limit of memory; others spill nothing.
    pub(super) fn of(run: &Run) -> Result<Option<Self>, Stop> {
        let budget = run.budget();
        let (Some(disk), Some(memory)) = (run.disk(), budget.memory) else { return Ok(None) };
        let extents = budget.threads * (SIDE_BY_SIDE + 2);
        let units = memory / SHARE / (extents * size_of::<u32>()) as u64;
        let units = (units as usize).clamp(FEWEST_UNITS, MOST_UNITS);
        let mut claim = run.claim();
        claim.grow_to((extents * units * size_of::<u32>()) as u64)?;
        Ok(Some(Desk { disk: Arc::clone(disk), units, _claim: claim }))
    }
}

/// A file for runs, made when it is needed and gone when all its runs are.
#[derive(Debug, Default)]
pub(super) struct Shelf(Mutex<Option<Arc<Spill>>>);

impl Shelf {
    fn spill(&self, desk: &Desk) -> Result<Arc<Spill>, Stop> {
        let mut spill = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(spill) = &*spill {
            return Ok(Arc::clone(spill));
        }
        Ok(Arc::clone(spill.insert(Arc::new(desk.disk.spill()?))))
    }

    /// Writes records that come in order.
    pub(super) fn write<'k>(
        &self,
        desk: &Desk,
        records: impl Iterator<Item = (&'k [u32], &'k [u32])>,
    ) -> Result<Stored, Stop> {
        let mut writer = Writer::new(self.spill(desk)?, desk);
        for (key, number) in records {
            writer.push(key, number)?;
        }
        writer.finish()
    }

    /// One run of several. Intermediate ones lie on `meanwhile`.
    pub(super) fn gather(
        &self,
        mut runs: VecDeque<Stored>,
        meanwhile: &Shelf,
        desk: &Desk,
        run: &Run,
    ) -> Result<Stored, Stop> {
        while runs.len() > SIDE_BY_SIDE {
            let some = runs.drain(..SIDE_BY_SIDE).collect();
            runs.push_back(gathered(some, Writer::new(meanwhile.spill(desk)?, desk), run)?);
        }
        gathered(runs.into(), Writer::new(self.spill(desk)?, desk), run)
    }
}

/// A sorted run on disk.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    spill: Arc<Spill>,
    extents: VecDeque<(Extent, Format)>,
    len: u64,
}

impl Stored {
    /// Records that are left.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The widest format.
    pub(super) fn format(&self) -> Format {
        self.extents.iter().fold(Format::LEAST, |all, (_, format)| all.and(*format))
    }

    /// Reads the next records into `words`, as units two a word; says their format. `None` if
    /// there are no more.
    pub(super) fn next(&mut self, words: &mut Vec<u64>) -> Result<Option<Format>, Stop> {
        let Some((extent, format)) = self.extents.front() else { return Ok(None) };
        self.spill.read(extent, words)?;
        let format = *format;
        self.extents.pop_front();
        self.len -= (records(words, format).len() / format.stride()) as u64;
        Ok(Some(format))
    }

    /// Reads all records and keeps them.
    pub(super) fn each<E: From<Stop>>(
        &self,
        mut see: impl FnMut(Format, &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut words = Vec::new();
        for (extent, format) in &self.extents {
            self.spill.read(extent, &mut words)?;
            see(*format, records(&words, *format))?;
        }
        Ok(())
    }
}

/// The records that words hold: all whole ones.
pub(super) fn records(words: &[u64], format: Format) -> &[u32] {
    let units: &[u32] = bytemuck::cast_slice(words);
    // A unit may be left over, where there is an odd number.
    &units[..units.len() / format.stride() * format.stride()]
}

struct Writer {
    stored: Stored,
    format: Format,
    /// Units of an extent.
    room: usize,
    units: Vec<u32>,
    words: Vec<u64>,
}

impl Writer {
    fn new(spill: Arc<Spill>, desk: &Desk) -> Self {
        let stored = Stored { spill, extents: VecDeque::new(), len: 0 };
        // Half of an extent is here as units and half as words.
        let room = desk.units / 2;
        Writer { stored, format: Format::LEAST, room, units: Vec::new(), words: Vec::new() }
    }

    fn push(&mut self, key: &[u32], number: &[u32]) -> Result<(), Stop> {
        let (key, number) = (trimmed(key, 2), trimmed(number, 1));
        let wider = self.format.and(Format { key: key.len(), number: number.len() });
        if wider != self.format || self.units.len() + wider.stride() > self.room {
            self.write()?;
            self.format = wider;
        }
        put(&mut self.units, self.format, key, number);
        self.stored.len += 1;
        Ok(())
    }

    fn write(&mut self) -> Result<(), Stop> {
        if self.units.is_empty() {
            return Ok(());
        }
        self.words.clear();
        self.words.resize(self.units.len().div_ceil(2), 0);
        let words: &mut [u32] = bytemuck::cast_slice_mut(&mut self.words);
        words[..self.units.len()].copy_from_slice(&self.units);
        // An odd unit is no record, whatever the format: all are longer.
        self.stored.extents.push_back((self.stored.spill.append(&self.words)?, self.format));
        self.units.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<Stored, Stop> {
        self.write()?;
        Ok(self.stored)
    }
}

/// A run that is being read, at one of its records.
struct Cursor {
    stored: Stored,
    words: Vec<u64>,
    format: Format,
    at: usize,
}

impl Cursor {
    /// At the first record; `None` if there is none.
    fn new(mut stored: Stored) -> Result<Option<Self>, Stop> {
        let mut words = Vec::new();
        let format = stored.next(&mut words)?;
        Ok(format.map(|format| Cursor { stored, words, format, at: 0 }))
    }

    fn record(&self) -> (&[u32], &[u32]) {
        let units: &[u32] = bytemuck::cast_slice(&self.words);
        units[self.at..self.at + self.format.stride()].split_at(self.format.key)
    }

    /// Goes to the next record; says whether there is one.
    fn advance(&mut self) -> Result<bool, Stop> {
        self.at += self.format.stride();
        if self.at < records(&self.words, self.format).len() {
            return Ok(true);
        }
        self.at = 0;
        match self.stored.next(&mut self.words)? {
            Some(format) => self.format = format,
            None => return Ok(false),
        }
        Ok(true)
    }
}

/// The order of keys of which zeros at the end may be left out.
fn in_order(a: &[u32], b: &[u32]) -> Ordering {
    trimmed(a, 2).cmp(trimmed(b, 2))
}

/// Records between two looks at the clock.
const RECORDS_A_TICK: u64 = 1 << 14;

fn gathered(runs: Vec<Stored>, mut writer: Writer, run: &Run) -> Result<Stored, Stop> {
    let mut cursors = Vec::with_capacity(runs.len());
    for stored in runs {
        cursors.extend(Cursor::new(stored)?);
    }
    let (mut key, mut sum) = (Vec::new(), Vec::new());
    let mut read = 0u64;
    while let Some(least) =
        (0..cursors.len()).min_by(|&a, &b| in_order(cursors[a].record().0, cursors[b].record().0))
    {
        let (next, number) = cursors[least].record();
        if in_order(next, &key) == Ordering::Equal && !sum.is_empty() {
            add_to(&mut sum, number);
        } else {
            if !sum.is_empty() {
                writer.push(&key, &sum)?;
            }
            key.clear();
            key.extend_from_slice(next);
            sum.clear();
            sum.extend_from_slice(number);
        }
        if !cursors[least].advance()? {
            cursors.swap_remove(least);
        }
        read += 1;
        if read.is_multiple_of(RECORDS_A_TICK) {
            run.check()?;
        }
    }
    if !sum.is_empty() {
        writer.push(&key, &sum)?;
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Budget;

    /// Records with the keys that are multiples of `step`.
    fn stored(shelf: &Shelf, desk: &Desk, step: u32) -> Stored {
        let records: Vec<[u32; 4]> =
            (0..2000).step_by(step as usize).map(|n| [n, 0, n, 1]).collect();
        shelf.write(desk, records.iter().map(|record| record.split_at(3))).unwrap()
    }

    fn desk() -> (Run, Desk) {
        let disk = Disk::open(std::env::temp_dir(), None).unwrap();
        let budget = Budget { memory: Some(100_000), ..Budget::default() };
        let run = Run::new(budget).with_disk(disk);
        let desk = Desk::of(&run).unwrap().unwrap();
        (run, desk)
    }

    #[test]
    fn runs_are_gathered_however_many_there_are() {
        let (run, desk) = desk();
        for runs in [1, 2, SIDE_BY_SIDE, 3 * SIDE_BY_SIDE + 1] {
            let shelves: [Shelf; 2] = Default::default();
            let all = (1..=runs as u32).map(|step| stored(&shelves[1], &desk, step)).collect();
            let one = shelves[0].gather(all, &shelves[1], &desk, &run).unwrap();
            assert_eq!(one.len(), 2000);
            let mut next = 0;
            one.each(|format, units| {
                for record in units.chunks_exact(format.stride()) {
                    let (key, number) = record.split_at(format.key);
                    let expected = (1..=runs as u32).filter(|step| next % step == 0).count() as u32;
                    assert_eq!((key[0], number[0]), (next, expected));
                    next += 1;
                }
                Ok::<(), Stop>(())
            })
            .unwrap();
            assert_eq!(next, 2000);
        }
    }

    #[test]
    fn sums_may_be_wider_than_what_is_added() {
        let (run, desk) = desk();
        let shelves: [Shelf; 2] = Default::default();
        let most = [7, 0, u32::MAX];
        let write = |_| shelves[0].write(&desk, std::iter::once(most.split_at(2))).unwrap();
        let one = shelves[1].gather((0..5).map(write).collect(), &shelves[0], &desk, &run).unwrap();
        one.each(|format, units| {
            assert_eq!(
                (format, units),
                (Format { key: 2, number: 2 }, &[7, 0, u32::MAX - 4, 4][..])
            );
            Ok::<(), Stop>(())
        })
        .unwrap();
    }

    #[test]
    fn runs_that_were_changed_or_cut_short_are_seen() {
        let (run, desk) = desk();
        let shelves: [Shelf; 2] = Default::default();
        let sound = stored(&shelves[0], &desk, 1);
        let gather = |stored| shelves[1].gather([stored].into(), &shelves[0], &desk, &run);
        let (mut extent, format) = sound.extents[2];
        let mut words = Vec::new();
        sound.spill.read(&extent, &mut words).unwrap();
        words[5] ^= 1 << 40;
        sound.spill.replace(&mut extent, &words).unwrap();
        let stop = gather(sound.clone()).unwrap_err();
        assert!(stop.to_string().contains("came back changed"), "{stop}");
        let [at, _, sum] = Extent::link(Some(sound.extents[2].0));
        let mut cut = sound;
        cut.extents[2] = (Extent::linked([at, 1 << 20, sum]).unwrap(), format);
        let stop = gather(cut).unwrap_err();
        assert!(stop.to_string().contains("could not be read"), "{stop}");
    }
}
