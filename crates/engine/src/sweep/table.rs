//! A table from borders to numbers that keeps within a run's memory.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use crate::run::{Claim, Run, Stop};

/// Borders and their numbers; claims its memory before it grows.
pub(super) struct Table<B, V> {
    map: HashMap<B, V, FxBuildHasher>,
    claim: Claim,
}

/// Bytes that a hash table with room for `capacity` entries takes: it keeps an
/// eighth of its places free and one byte of bookkeeping for each.
fn bytes<B, V>(capacity: usize) -> u64 {
    let places = (capacity + capacity / 7 + 1) as u64;
    places * (size_of::<(B, V)>() as u64 + 1)
}

impl<B: Hash + Eq, V> Table<B, V> {
    pub(super) fn new(run: &Run) -> Self {
        Table { map: HashMap::default(), claim: run.claim() }
    }

    pub(super) fn len(&self) -> usize {
        self.map.len()
    }

    pub(super) fn get(&self, border: &B) -> Option<&V> {
        self.map.get(border)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&B, &V)> {
        self.map.iter()
    }

    /// Keeps only some borders.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&B) -> bool) {
        self.map.retain(|border, _| keep(border));
    }

    /// Lets `meet` change the number of a border that is there, or puts `value`
    /// there for one that is new and that `admit` lets in.
    pub(super) fn merge(
        &mut self,
        border: B,
        value: V,
        meet: impl FnOnce(&mut V, V),
        admit: impl FnOnce(&B) -> bool,
    ) -> Result<(), Stop> {
        if self.map.len() == self.map.capacity() {
            self.grow()?;
        }
        match self.map.entry(border) {
            std::collections::hash_map::Entry::Occupied(mut there) => meet(there.get_mut(), value),
            std::collections::hash_map::Entry::Vacant(place) => {
                if admit(place.key()) {
                    place.insert(value);
                }
            }
        }
        Ok(())
    }

    /// Doubles the room. Old and new storage exist side by side while it moves.
    #[cold]
    fn grow(&mut self) -> Result<(), Stop> {
        let old = self.map.capacity();
        let new = (2 * old).max(28);
        self.claim.grow_to(bytes::<B, V>(old) + bytes::<B, V>(new))?;
        self.map.reserve(new - self.map.len());
        self.claim.grow_to(bytes::<B, V>(self.map.capacity()))
    }

    /// Moves all entries of `other` into this table.
    pub(super) fn absorb(
        &mut self,
        other: Table<B, V>,
        meet: impl Fn(&mut V, V),
    ) -> Result<(), Stop> {
        for (border, value) in other.map {
            self.merge(border, value, &meet, |_| true)?;
        }
        Ok(())
    }
}

/// Which of `shards` (a power of two) tables a border belongs to. The hash table
/// itself uses the lowest and the highest bits of the same hash; these lie between.
pub(super) fn shard<B: Hash>(border: &B, shards: usize) -> usize {
    (FxBuildHasher.hash_one(border) >> 40) as usize & (shards - 1)
}
