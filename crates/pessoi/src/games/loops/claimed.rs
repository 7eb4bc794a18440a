//! Hash maps that claim their memory before they take it.

use std::hash::Hash;

use pessoi_engine::run::{Claim, Stop};
use rustc_hash::FxHashMap;

/// About how many bytes a map with room for so many entries takes: it keeps an eighth free.
pub(super) fn map_bytes(entries: usize, each: usize) -> u64 {
    (entries as u64 * 8).div_ceil(7) * (each as u64 + 1)
}

/// Makes room for `more` entries of `each` bytes, and claims it first; `beside` are bytes that
/// belong to the same claim.
pub(super) fn make_room<K: Eq + Hash, V>(
    map: &mut FxHashMap<K, V>,
    more: usize,
    each: usize,
    beside: u64,
    claim: &mut Claim,
) -> Result<(), Stop> {
    if map.capacity() - map.len() >= more {
        return Ok(());
    }
    let wanted = (map.len() + more).max(2 * map.capacity());
    // While a map grows, its old table is there too.
    claim.grow_to(beside + map_bytes(wanted, each) + map_bytes(map.capacity(), each))?;
    map.reserve(wanted - map.len());
    claim.grow_to(beside + map_bytes(map.capacity(), each))
}
