//! Records: a border and its number, in as few units as they need.
//!
//! A **unit** has 32 bits. A *record* is the units of a key ([`super::packed`]) and then those of
//! a number, the lowest first. All records of a table or a run have the same **format**: so many
//! units of the key, so many of the number. What is left out at either end is zero. A record
//! that does not fit widens the format, so numbers never wrap and need no bound beforehand.

use num_bigint::BigUint;

use crate::run::{Claim, Run, Stop};

/// How many units a record has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) key: usize,
    pub(super) number: usize,
}

impl Format {
    /// The narrowest.
    pub(super) const LEAST: Format = Format { key: 2, number: 1 };

    pub(super) fn stride(self) -> usize {
        self.key + self.number
    }

    /// The narrowest format that both fit.
    pub(super) fn and(self, other: Format) -> Format {
        Format { key: self.key.max(other.key), number: self.number.max(other.number) }
    }
}

/// The units before the zeros at the end; at least `least`.
#[inline]
pub(super) fn trimmed(units: &[u32], least: usize) -> &[u32] {
    let mut len = units.len();
    while len > least && units[len - 1] == 0 {
        len -= 1;
    }
    &units[..len]
}

/// The leading word of a key.
#[inline]
pub(super) fn lead(units: &[u32]) -> u64 {
    u64::from(units[0]) << 32 | u64::from(units[1])
}

/// Adds a number to one that has at least as many units; says whether the sum fits.
#[inline]
#[must_use]
pub(super) fn add(sum: &mut [u32], more: &[u32]) -> bool {
    let mut carry = 0;
    for (k, sum) in sum.iter_mut().enumerate() {
        if k >= more.len() && carry == 0 {
            return true;
        }
        let both = u64::from(*sum) + u64::from(more.get(k).copied().unwrap_or(0)) + carry;
        *sum = both as u32;
        carry = both >> 32;
    }
    carry == 0
}

/// Adds a number to one that becomes as long as it must.
pub(super) fn add_to(sum: &mut Vec<u32>, more: &[u32]) {
    if sum.len() < more.len() {
        sum.resize(more.len(), 0);
    }
    if !add(sum, more) {
        sum.push(1);
    }
}

/// The number with these units.
pub(super) fn number(units: &[u32]) -> BigUint {
    BigUint::from_slice(units)
}

/// Records one after the other, sorted, each key once.
#[derive(Debug)]
pub(super) struct Records {
    pub(super) format: Format,
    pub(super) units: Vec<u32>,
    claim: Claim,
}

/// Bytes of so many units.
pub(super) fn bytes(units: usize) -> u64 {
    (units * size_of::<u32>()) as u64
}

impl Records {
    /// None yet.
    pub(super) fn new(run: &Run) -> Self {
        Records { format: Format::LEAST, units: Vec::new(), claim: run.claim() }
    }

    /// Takes over units that `claim` holds.
    pub(super) fn with(format: Format, mut units: Vec<u32>, mut claim: Claim) -> Self {
        units.shrink_to_fit();
        // Smaller than before.
        let _ = claim.grow_to(bytes(units.capacity()));
        Records { format, units, claim }
    }

    pub(super) fn len(&self) -> usize {
        self.units.len() / self.format.stride()
    }

    /// The record with this number.
    fn at(&self, number: usize) -> &[u32] {
        let stride = self.format.stride();
        &self.units[number * stride..][..stride]
    }

    /// All records: key and number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        self.units.chunks_exact(self.format.stride()).map(|record| record.split_at(self.format.key))
    }

    /// Adds a record whose key is greater than all before it.
    pub(super) fn push(&mut self, key: &[u32], number: &[u32]) -> Result<(), Stop> {
        let (key, number) = (trimmed(key, 2), trimmed(number, 0));
        let wider = self.format.and(Format { key: key.len(), number: number.len() });
        if wider != self.format {
            self.change(wider)?;
        }
        let stride = self.format.stride();
        if self.units.len() + stride > self.units.capacity() {
            let room = (self.units.capacity() + self.units.capacity() / 2).max(16 * stride);
            self.claim.grow_to(bytes(self.units.capacity() + room))?;
            self.units.reserve_exact(room - self.units.len());
            self.claim.grow_to(bytes(self.units.capacity()))?;
        }
        put(&mut self.units, self.format, key, number);
        Ok(())
    }

    /// Gives back what is reserved and not used.
    pub(super) fn settle(&mut self) -> Result<(), Stop> {
        self.units.shrink_to_fit();
        self.claim.grow_to(bytes(self.units.capacity()))
    }

    /// Leaves the numbers out.
    pub(super) fn forget_numbers(&mut self) -> Result<(), Stop> {
        self.change(Format { number: 0, ..self.format })
    }

    fn change(&mut self, format: Format) -> Result<(), Stop> {
        let room = self.len() * format.stride();
        self.claim.grow_to(self.claim.bytes() + bytes(room))?;
        let mut units = Vec::with_capacity(room);
        for (key, number) in self.iter() {
            put(&mut units, format, key, &number[..number.len().min(format.number)]);
        }
        (self.format, self.units) = (format, units);
        self.claim.grow_to(bytes(self.units.capacity()))
    }

    /// The number of a key, if it is there. `bits` leading bits are the same for all keys here.
    pub(super) fn get(&self, key: &[u32], bits: u32) -> Option<&[u32]> {
        let len = self.len();
        if len == 0 {
            return None;
        }
        let key = trimmed(key, 2);
        if key.len() > self.format.key {
            return None;
        }
        // Leading words are spread evenly, so about here; then away from there in growing steps.
        let is_less = |number: usize| {
            let there = &self.at(number)[..self.format.key];
            there[..key.len()] < *key
        };
        let guess = home(lead(key), bits, len);
        let (mut low, mut high) = (0, len);
        let mut step = 8;
        if is_less(guess) {
            low = guess + 1;
            while low + step < len && is_less(low + step) {
                low += step + 1;
                step *= 2;
            }
            high = high.min(low + step);
        } else {
            high = guess;
            while high > step && !is_less(high - step) {
                high -= step;
                step *= 2;
            }
            low = low.max(high.saturating_sub(step));
        }
        while low < high {
            let middle = usize::midpoint(low, high);
            if is_less(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let found = (low < len).then(|| self.at(low).split_at(self.format.key))?;
        (trimmed(found.0, 2) == key).then_some(found.1)
    }
}

/// Appends a record.
#[inline]
pub(super) fn put(units: &mut Vec<u32>, format: Format, key: &[u32], number: &[u32]) {
    units.extend_from_slice(key);
    units.extend(std::iter::repeat_n(0, format.key - key.len()));
    units.extend_from_slice(number);
    units.extend(std::iter::repeat_n(0, format.number - number.len()));
}

/// Where a key belongs among `places`, if `bits` of its leading bits are known. Greater keys
/// belong there or later.
#[inline]
pub(super) fn home(lead: u64, bits: u32, places: usize) -> usize {
    ((u128::from(lead << bits) * places as u128) >> 64) as usize
}
