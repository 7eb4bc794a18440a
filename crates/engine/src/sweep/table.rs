//! A table of records that is sorted at every moment.
//!
//! A table has *slots* for records, some of them free. A key's leading bits say at which slot it
//! belongs, its **home**; greater keys have the same home or a later one. A record stands at its
//! home, or if others are there, after it, and records that meet stand in the order of their
//! keys. So from the first slot to the last all records are sorted, with gaps between them: to
//! make a sorted run of a table, the gaps are closed. These are the ordered hash tables of Amble
//! and Knuth (1974); as a way of sorting, Gonnet and Munro's linear probing sort (1984).
//!
//! At most four fifths of the slots are taken, and a full table grows by a quarter, or to twice its
//! size while it is small. So a record of four units takes 20 to 25 bytes while a large layer is
//! made, and three comparisons to be found.

use std::cmp::Ordering;

use super::record::{Format, Records, add, bytes, home, lead, trimmed};
use crate::run::{Claim, Run, Stop};

/// Slots of the smallest table.
const LEAST: usize = 16;
/// Up to so many slots a table doubles.
const SMALL: usize = 1 << 13;

/// Sorted records with gaps between them.
#[derive(Debug)]
pub(super) struct Table {
    /// Leading bits that all keys have in common.
    bits: u32,
    format: Format,
    /// All slots, and some for records that are pushed out at the end. A free slot is all zero; a
    /// record is not, for its number is not 0.
    units: Vec<u32>,
    /// How many slots can be a home.
    slots: usize,
    len: usize,
    claim: Claim,
}

/// Where a key is, or where it should be put.
enum Place {
    There(usize),
    Before(usize),
    /// After the last slot.
    Outside,
}

impl Table {
    /// No records, of which `bits` leading bits are known.
    pub(super) fn new(bits: u32, run: &Run) -> Self {
        let (units, claim) = (Vec::new(), run.claim());
        Table { bits, format: Format::LEAST, units, slots: 0, len: 0, claim }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Whether it has slots.
    pub(super) fn has_slots(&self) -> bool {
        self.slots > 0
    }

    /// All records in order: key and number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        let records = self.units.chunks_exact(self.format.stride());
        records.map(|slot| slot.split_at(self.format.key)).filter(|(_, number)| is_number(number))
    }

    /// Adds a number to that of a key, or puts it there if the key is new and `admit` lets it
    /// in. If there is no memory for that, nothing has changed.
    pub(super) fn add(
        &mut self,
        key: &[u32],
        number: &[u32],
        admit: impl FnOnce() -> bool,
    ) -> Result<(), Stop> {
        let (key, number) = (trimmed(key, 2), trimmed(number, 1));
        let mut admit = Some(admit);
        let widened = self.format.and(Format { key: key.len(), number: number.len() });
        if widened != self.format {
            self.rebuild(self.slots, widened)?;
        }
        loop {
            match self.place(key) {
                Place::There(at) => {
                    let end = at + self.format.stride();
                    let sum = &mut self.units[at + self.format.key..end];
                    if add(sum, number) {
                        return Ok(());
                    }
                    // Back to what it was, in a wider format.
                    undo(sum, number);
                    let wider = Format { number: self.format.number + 1, ..self.format };
                    self.rebuild(self.slots, wider)?;
                }
                place => {
                    if !admit.take().is_none_or(|admit| admit()) {
                        return Ok(());
                    }
                    let Place::Before(at) = place else {
                        self.grow()?;
                        continue;
                    };
                    if self.is_full() || !self.insert(at, key, number) {
                        self.grow()?;
                        continue;
                    }
                    return Ok(());
                }
            }
        }
    }

    /// The number of a key that has one, in one unit; otherwise it becomes `fresh`.
    pub(super) fn number_or(&mut self, key: &[u32], fresh: u32) -> Result<u32, Stop> {
        if trimmed(key, 2).len() <= self.format.key
            && let Place::There(at) = self.place(trimmed(key, 2))
        {
            return Ok(self.units[at + self.format.key]);
        }
        self.add(key, &[fresh], || true)?;
        Ok(fresh)
    }

    fn is_full(&self) -> bool {
        self.len * 5 >= self.slots * 4
    }

    #[inline]
    fn place(&self, key: &[u32]) -> Place {
        let stride = self.format.stride();
        let first = lead(key);
        let mut at = home(first, self.bits, self.slots) * stride;
        while let Some(slot) = self.units.get(at..at + stride) {
            let there = lead(slot);
            if there >= first || there == 0 {
                let (old, number) = slot.split_at(self.format.key);
                if there == 0 && !is_number(number) {
                    return Place::Before(at);
                }
                let rest = || {
                    let (same, further) = old.split_at(key.len());
                    let further = || {
                        if further.iter().all(|&unit| unit == 0) {
                            Ordering::Equal
                        } else {
                            Ordering::Greater
                        }
                    };
                    same[2..].cmp(&key[2..]).then_with(further)
                };
                match there.cmp(&first).then_with(rest) {
                    Ordering::Equal => return Place::There(at),
                    Ordering::Greater => return Place::Before(at),
                    Ordering::Less => {}
                }
            }
            at += stride;
        }
        Place::Outside
    }

    /// Puts a record where it belongs and moves those after it, up to the next free slot; false
    /// if there is none.
    #[inline]
    fn insert(&mut self, at: usize, key: &[u32], number: &[u32]) -> bool {
        let Format { key: of_key, .. } = self.format;
        let stride = self.format.stride();
        let mut free = at;
        loop {
            match self.units.get(free..free + stride) {
                None => return false,
                Some(slot) if !is_number(&slot[of_key..]) => break,
                Some(_) => free += stride,
            }
        }
        if free > at {
            self.units.copy_within(at..free, at + stride);
        }
        write(&mut self.units[at..at + stride], of_key, key, number);
        self.len += 1;
        true
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Stop> {
        let more = if self.slots < SMALL { self.slots } else { self.slots / 4 };
        self.rebuild((self.slots + more).max(LEAST), self.format)
    }

    /// Moves all records to other slots.
    #[cold]
    fn rebuild(&mut self, slots: usize, format: Format) -> Result<(), Stop> {
        let stride = format.stride();
        let mut outside = if slots == 0 { 0 } else { 4 + slots / 64 };
        loop {
            let room = (slots + outside) * stride;
            self.claim.grow_to(bytes(self.units.capacity() + room))?;
            let mut units = vec![0; room];
            let mut next = 0;
            let fits = self.iter().all(|(key, number)| {
                let at = (home(lead(key), self.bits, slots) * stride).max(next);
                next = at + stride;
                let Some(slot) = units.get_mut(at..next) else { return false };
                write(slot, format.key, key, number);
                true
            });
            if fits {
                (self.slots, self.format, self.units) = (slots, format, units);
                return self.claim.grow_to(bytes(self.units.capacity()));
            }
            outside *= 2;
        }
    }

    /// Removes all records and keeps the slots.
    pub(super) fn clear(&mut self) {
        self.units.fill(0);
        self.len = 0;
    }

    /// The records without gaps.
    pub(super) fn into_records(self) -> Records {
        let Table { format, mut units, claim, .. } = self;
        let stride = format.stride();
        let mut to = 0;
        for at in (0..units.len()).step_by(stride) {
            if is_number(&units[at + format.key..at + stride]) {
                units.copy_within(at..at + stride, to);
                to += stride;
            }
        }
        units.truncate(to);
        Records::with(format, units, claim)
    }
}

/// Writes a record, with zeros behind what is shorter than its slot has room for. Records have a
/// few units: a call that copies or fills many would take longer than they do.
#[inline]
fn write(slot: &mut [u32], of_key: usize, key: &[u32], number: &[u32]) {
    let (to_key, to_number) = slot.split_at_mut(of_key);
    for (k, to) in to_key.iter_mut().enumerate() {
        *to = key.get(k).copied().unwrap_or(0);
    }
    for (k, to) in to_number.iter_mut().enumerate() {
        *to = number.get(k).copied().unwrap_or(0);
    }
}

#[inline]
fn is_number(units: &[u32]) -> bool {
    units.iter().any(|&unit| unit != 0)
}

/// Takes back an addition modulo the width of the sum.
fn undo(sum: &mut [u32], more: &[u32]) {
    let mut borrow = 0;
    for (k, sum) in sum.iter_mut().enumerate() {
        let less = i64::from(*sum) - i64::from(more.get(k).copied().unwrap_or(0)) - borrow;
        *sum = less as u32;
        borrow = i64::from(less < 0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::packed::{key, put_key};
    use super::super::record::number;
    use super::*;
    use crate::run::Budget;
    use num_bigint::BigUint;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn key_of(border: [u64; 2]) -> Vec<u32> {
        let mut units = Vec::new();
        put_key(&key(border), &mut units);
        units
    }

    proptest! {
        #[test]
        fn a_table_is_a_sorted_map(
            records in prop::collection::vec(((0u64..40, 0u64..3), any::<u64>(), 0u32..70), 0..600),
        ) {
            let run = Run::default();
            let mut table = Table::new(0, &run);
            let mut expected: BTreeMap<Vec<u32>, BigUint> = BTreeMap::new();
            for ((low, high), more, shift) in records {
                let key = key_of([low, high << 30]);
                let more = (BigUint::from(more) + 1u32) << shift;
                table.add(&key, &more.to_u32_digits(), || true).unwrap();
                *expected.entry(key).or_default() += more;
            }
            let expected: Vec<_> =
                expected.into_iter().map(|(key, sum)| (trimmed(&key, 2).to_vec(), sum)).collect();
            let found = |(key, sum): (&[u32], &[u32])| (trimmed(key, 2).to_vec(), number(sum));
            prop_assert_eq!(table.iter().map(found).collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(table.len(), expected.len());
            let records = table.into_records();
            prop_assert_eq!(records.iter().map(found).collect::<Vec<_>>(), expected.clone());
            for (key, sum) in &expected {
                prop_assert_eq!(records.get(key, 0).map(number), Some(sum.clone()));
            }
            prop_assert_eq!(records.get(&key_of([41, 7]), 0), None);
            drop(records);
            prop_assert_eq!(run.progress().bytes, 0);
        }
    }

    #[test]
    fn keys_with_the_same_leading_bits_stand_side_by_side() {
        // All at the end of the table, far from evenly spread.
        let run = Run::default();
        let mut table = Table::new(0, &run);
        for n in (0..500u32).rev() {
            table.add(&[u32::MAX, u32::MAX, n], &[n + 1], || true).unwrap();
        }
        table.add(&[u32::MAX, u32::MAX, 7, 1], &[1000], || true).unwrap();
        table.add(&[u32::MAX, u32::MAX, 8], &[u32::MAX], || false).unwrap();
        let keys: Vec<u32> = table.iter().map(|(key, _)| key[2]).collect();
        let mut expected: Vec<u32> = (0..500).collect();
        expected.insert(8, 7);
        assert_eq!(keys, expected);
        let records = table.into_records();
        assert_eq!(records.get(&[u32::MAX, u32::MAX, 8], 0), Some(&[8, 1][..]));
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let run = Run::new(Budget { memory: Some(2000), ..Budget::default() });
        let mut table = Table::new(0, &run);
        let mut number = 0u64;
        while table.add(&key_of([number, 0]), &[1], || true).is_ok() {
            number += 1;
        }
        assert_eq!(table.iter().count() as u64, number);
        // An addition that would widen it is refused, and taken back.
        let mut rest = run.claim();
        rest.grow_to(run.room()).unwrap();
        let key = key_of([3, 0]);
        assert!(table.add(&key, &[0, 1], || true).is_err());
        assert!(table.add(&key, &[u32::MAX], || true).is_err());
        let records = table.into_records();
        assert_eq!(records.get(&key, 0), Some(&[1][..]));
    }
}
