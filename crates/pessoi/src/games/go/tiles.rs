//! A layer between two phases, as tiles: what each block of one phase has in common with each
//! block of the other ([`super::switch`]).
//!
//! A block reads its tiles, and after its phase writes the same ones, so one copy of the layer is
//! enough, in memory or on disk. On disk a tile is one extent of a spill, with a checksum
//! ([`pessoi_engine::disk`]); while one thread waits for it, others add.

use std::sync::{Mutex, MutexGuard};

use super::block::Element;
use pessoi_engine::disk::{Extent, Room, Spill};
use pessoi_engine::run::{Claim, Run, Stop};

/// The tiles of a layer.
pub(super) struct Tiles<const LANES: usize> {
    kept: Kept<LANES>,
    _claim: Claim,
}

enum Kept<const LANES: usize> {
    Memory(Vec<Mutex<Vec<Element<LANES>>>>),
    Disk { spill: Spill, tiles: Vec<Mutex<(Room, Option<Extent>)>> },
}

/// Nobody panics while he holds a tile; if one did, the others end.
fn held<T>(tile: &Mutex<T>) -> Result<MutexGuard<'_, T>, Stop> {
    tile.lock().map_err(|_| Stop::Cancelled)
}

impl<const LANES: usize> Tiles<LANES> {
    /// Room for tiles of at most so many elements: in memory if they fit there and leave `beside`
    /// bytes, otherwise on the disk of the run if it has one.
    pub(super) fn new(sizes: &[usize], beside: u64, run: &Run) -> Result<Self, Stop> {
        let bytes = size_of::<Element<LANES>>() as u64 * sizes.iter().sum::<usize>() as u64;
        let mut claim = run.claim();
        let fits = run.would_fit(bytes.saturating_add(beside));
        let kept = match run.disk() {
            Some(disk) if fits.is_err() => {
                let spill = disk.spill()?;
                let tiles = sizes.iter().map(|&size| {
                    let room = spill.reserve(LANES * size)?;
                    Ok(Mutex::new((room, None)))
                });
                let tiles = tiles.collect::<Result<_, Stop>>()?;
                Kept::Disk { spill, tiles }
            }
            _ => {
                claim.grow_to(bytes)?;
                let tiles = sizes.iter().map(|&size| Mutex::new(Vec::with_capacity(size)));
                Kept::Memory(tiles.collect())
            }
        };
        Ok(Tiles { kept, _claim: claim })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        match &self.kept {
            Kept::Memory(tiles) => tiles.len(),
            Kept::Disk { tiles, .. } => tiles.len(),
        }
    }

    /// Looks at a tile. What is read from disk goes to `scratch` first.
    pub(super) fn look<T>(
        &self,
        number: usize,
        scratch: &mut Vec<u64>,
        look: impl FnOnce(&[Element<LANES>]) -> T,
    ) -> Result<T, Stop> {
        match &self.kept {
            Kept::Memory(tiles) => Ok(look(&held(&tiles[number])?)),
            Kept::Disk { spill, tiles } => {
                let extent = held(&tiles[number])?.1;
                match extent {
                    Some(extent) => spill.read(&extent, scratch)?,
                    None => scratch.clear(),
                }
                Ok(look(scratch.as_chunks().0))
            }
        }
    }

    /// Replaces a tile.
    pub(super) fn put(&self, number: usize, elements: &[Element<LANES>]) -> Result<(), Stop> {
        match &self.kept {
            Kept::Memory(tiles) => {
                let mut tile = held(&tiles[number])?;
                tile.clear();
                tile.extend_from_slice(elements);
            }
            Kept::Disk { spill, tiles } => {
                let mut tile = held(&tiles[number])?;
                let extent = spill.write_into(&tile.0, elements.as_flattened())?;
                tile.1 = Some(extent);
            }
        }
        Ok(())
    }
}
