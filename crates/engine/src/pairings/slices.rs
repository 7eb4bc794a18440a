//! Slices: parts of a layer that never meet again.
//!
//! A vertex of the last border is *settled* once no edge of its half is left to be read: what it is
//! then, done, fresh or mated, it stays. So borders in which settled vertices differ never
//! become the same, and only those of the one half are joined to those of the other in which the
//! same vertices are the opposite. Layers can therefore be cut into **slices** by what some settled
//! vertices are; each is read on and joined by itself. Nothing is read twice, and only one slice
//! need be in memory: the others wait, on disk if there is one.
//!
//! Where one half is the image of the other, a slice must be its own other half. The vertices by
//! which it is cut come in pairs that the symmetry swaps, and what such vertices are is taken
//! together with what it is in the other half.
//!
//! A **station** is a pair of steps of the two halves after which one more pair of vertices is
//! settled, and at which layers can be cut. Settled vertices stay in the border to the end, so a
//! layer can also be cut later by the vertices of a station that it passed: when there is no memory
//! for the next one.

use std::collections::BTreeMap;

use super::halves::{Second, Tours};
use super::layer::{Chunk, Layer};
use super::reading::{MATED, Reading, at};
use crate::disk::{Extent, Spill};
use crate::run::{Run, Stop};

/// Where layers can be cut.
#[derive(Clone, Debug)]
pub(super) struct Station {
    /// How many steps of each half are done then.
    pub(super) steps: [usize; 2],
    /// The slots of the vertices that are settled: in each half's border after these steps.
    slots: [Vec<u8>; 2],
}

/// Which half a layer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    First,
    Second,
    /// It is both.
    Both,
}

/// What a vertex is in the other half.
fn opposite(what: u64) -> u64 {
    if what == MATED { MATED } else { what ^ 1 }
}

impl Station {
    /// The slice that a type belongs to.
    pub(super) fn slice(&self, word: u64, side: Side) -> u64 {
        let read = |slots: &[u8], opposed: bool| {
            slots.iter().fold(0, |slice, &slot| {
                let what = at(word, usize::from(slot));
                slice << 2 | if opposed { opposite(what) } else { what }
            })
        };
        match side {
            Side::First => read(&self.slots[0], false),
            Side::Second => read(&self.slots[1], true),
            // The second list has the images of the vertices of the first.
            Side::Both => read(&self.slots[0], false).min(read(&self.slots[1], true)),
        }
    }

    /// The same vertices after more steps of the halves.
    pub(super) fn later(&self, steps: [usize; 2], tours: &Tours) -> Option<Station> {
        let readings = readings(tours);
        let slots = [0, 1].map(|half| {
            slots_of(&self.vertices(half, readings[half]), border(readings[half], steps[half]))
        });
        let [Some(first), Some(second)] = slots else { return None };
        Some(Station { steps, slots: [first, second] })
    }

    /// Its vertices, in the order of the slots of a half.
    fn vertices(&self, half: usize, reading: &Reading) -> Vec<u32> {
        let border = border(reading, self.steps[half]);
        self.slots[half].iter().map(|&slot| border[usize::from(slot)]).collect()
    }

    /// The station at which the vertices of all of these are settled, at most as many as a slice's
    /// number has room for.
    pub(super) fn of_all(stations: &[Station], tours: &Tours) -> Option<Station> {
        let last = stations.last()?;
        let readings = readings(tours);
        let vertices = |half: usize| -> Vec<u32> {
            let own = |station: &Station| station.vertices(half, readings[half]);
            stations.iter().flat_map(own).take(MOST_VERTICES).collect()
        };
        let slots = [0, 1].map(|half| {
            slots_of(&vertices(half), border(readings[half], last.steps[half])).unwrap_or_default()
        });
        Some(Station { steps: last.steps, slots })
    }
}

/// Vertices that a slice's number has room for.
const MOST_VERTICES: usize = 16;

fn readings(tours: &Tours) -> [&Reading; 2] {
    match &tours.second {
        Second::Own(second) => [&tours.first, second],
        Second::Image(_) => [&tours.first, &tours.first],
    }
}

/// The border after so many steps.
fn border(reading: &Reading, steps: usize) -> &[u32] {
    steps.checked_sub(1).map_or(&[], |last| reading.borders[last].as_slice())
}

fn slots_of(vertices: &[u32], border: &[u32]) -> Option<Vec<u8>> {
    let slot = |vertex: &u32| border.iter().position(|other| other == vertex);
    vertices.iter().map(|vertex| Some(slot(vertex)? as u8)).collect()
}

/// All stations of some tours, in order.
pub(super) fn stations(tours: &Tours) -> Vec<Station> {
    let readings = readings(tours);
    // For each vertex of the last border, in its slot: its vertices, and when they are settled.
    let mut settled: Vec<([usize; 2], [Vec<u32>; 2])> = Vec::new();
    let last = tours.first.last();
    for (slot, &vertex) in last.iter().enumerate() {
        if tours.is_decided_late(vertex) {
            continue;
        }
        let (steps, vertices) = match &tours.second {
            Second::Own(second) => {
                let steps = [tours.first.settled(vertex), second.settled(vertex)];
                (steps, [vec![vertex], vec![vertex]])
            }
            Second::Image(_) => {
                // The vertex whose image this one is.
                let image = last[usize::from(tours.slots[slot])];
                if image < vertex {
                    continue;
                }
                let settled = |vertex| tours.first.settled(vertex);
                let steps = settled(vertex).max(settled(image));
                ([steps; 2], [vec![vertex, image], vec![image, vertex]])
            }
        };
        settled.push((steps, vertices));
    }
    settled.sort_by_key(|(steps, _)| (steps.iter().sum::<usize>(), *steps));
    let mut stations: Vec<Station> = Vec::new();
    let mut at = [0; 2];
    for (steps, vertices) in settled {
        at = [at[0].max(steps[0]), at[1].max(steps[1])];
        let slots = [0, 1].map(|half| slots_of(&vertices[half], border(readings[half], at[half])));
        if let [Some(first), Some(second)] = slots {
            stations.push(Station { steps: at, slots: [first, second] });
        }
    }
    stations
}

/// A layer that waits.
#[derive(Debug)]
pub(super) enum Waiting {
    /// In memory.
    Here(Layer),
    /// On disk.
    There {
        /// The file.
        spill: Spill,
        /// A chunk each.
        extents: Vec<Extent>,
    },
}

impl Waiting {
    /// Puts a layer aside: on disk if the run has one, otherwise it stays in memory. Where that is
    /// stopped, it stays in memory too.
    pub(super) fn put(layer: Layer, run: &Run) -> (Self, Result<(), Stop>) {
        match Waiting::written(&layer, run) {
            Ok(Some(there)) => (there, Ok(())),
            Ok(None) => (Waiting::Here(layer), Ok(())),
            Err(stop) => (Waiting::Here(layer), Err(stop)),
        }
    }

    fn written(layer: &Layer, run: &Run) -> Result<Option<Self>, Stop> {
        let Some(disk) = run.disk() else { return Ok(None) };
        let spill = disk.spill()?;
        let mut extents = Vec::with_capacity(layer.chunks.len());
        for chunk in &layer.chunks {
            run.check()?;
            extents.push(spill.append(&chunk.to_words())?);
        }
        Ok(Some(Waiting::There { spill, extents }))
    }

    /// Takes the layer up again. Where that is stopped, it waits as before.
    pub(super) fn take(self, run: &Run) -> Result<Layer, (Stop, Self)> {
        match self {
            Waiting::Here(layer) => Ok(layer),
            Waiting::There { spill, extents } => Waiting::read(&spill, &extents, run)
                .map_err(|stop| (stop, Waiting::There { spill, extents })),
        }
    }

    fn read(spill: &Spill, extents: &[Extent], run: &Run) -> Result<Layer, Stop> {
        let mut layer = Layer::default();
        let mut words = Vec::new();
        for extent in extents {
            run.check()?;
            spill.read(extent, &mut words)?;
            // Its checksum was right, so it is what was written.
            layer.chunks.extend(Chunk::from_words(&words, run)?);
        }
        Ok(layer)
    }

    /// Gives the words of each chunk.
    pub(super) fn each_chunk<E: From<Stop>>(
        &self,
        mut give: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Waiting::Here(layer) => layer.chunks.iter().try_for_each(|c| give(&c.to_words())),
            Waiting::There { spill, extents } => {
                let mut words = Vec::new();
                extents.iter().try_for_each(|extent| {
                    spill.read(extent, &mut words)?;
                    give(&words)
                })
            }
        }
    }

    /// How many chunks there are.
    pub(super) fn chunks(&self) -> usize {
        match self {
            Waiting::Here(layer) => layer.chunks.len(),
            Waiting::There { extents, .. } => extents.len(),
        }
    }
}

/// A layer that was not cut, and why.
pub(super) struct Uncut {
    pub(super) stop: Stop,
    /// The layer; `None` if it was lost because there was no memory for what it was cut into.
    pub(super) layer: Option<Layer>,
}

/// Cuts a layer into slices. Chunks are given back as soon as they were read.
pub(super) fn cut(
    mut layer: Layer,
    station: &Station,
    side: Side,
    run: &Run,
) -> Result<BTreeMap<u64, Layer>, Uncut> {
    let mut slices: BTreeMap<u64, Layer> = BTreeMap::new();
    let mut dealt = || -> Result<(), (Stop, bool)> {
        while let Some(chunk) = layer.chunks.last() {
            run.check().map_err(|stop| (stop, true))?;
            for group in &chunk.groups {
                let slice = slices.entry(station.slice(group.word, side)).or_default();
                slice.push(chunk, group, run).map_err(|stop| (stop, false))?;
            }
            layer.chunks.pop();
        }
        let settled = slices.values_mut().try_for_each(Layer::settle);
        settled.map_err(|stop| (stop, true))
    };
    match dealt() {
        Ok(()) => Ok(slices),
        Err((stop, is_whole)) => {
            // Every group is in a slice or in a chunk that was not read: together they are the
            // layer, unless a chunk was left half read.
            layer.chunks.extend(slices.into_values().flat_map(|slice| slice.chunks));
            Err(Uncut { stop, layer: is_whole.then_some(layer) })
        }
    }
}
