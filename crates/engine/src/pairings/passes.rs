//! A pass over a graph: slices are read, cut where they are large, and joined, until none waits.
//!
//! See [`slices`] for what a slice is. Those that wait are a stack: the one that was
//! cut off last is read first, so few wait at any time. All of them, and the one that is being read,
//! are what a checkpoint holds.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;

use super::ahead::Ahead;
use super::checkpoint::{self, Saved};
use super::count::{CountError, WORD, Ways, is_enough};
use super::halves::{Second, Tours};
use super::joining::Joining;
use super::layer::{Layer, Maker};
use super::matching::Tables;
use super::reading::{Reading, Step};
use super::ring::Ring;
use super::slices::{self, Side, Station, Uncut, Waiting};
use crate::number::{Modulus, primes};
use crate::records::Unusable;
use crate::run::{Run, Stop};
use crate::search::Part;
use crate::store::PAUSE;

/// How many slices there are for each part, more or less.
const SLICES_A_PART: u64 = 2;
/// How many slices a station makes of one, where the halves are images of each other.
pub(super) const SLICES_A_STATION: u64 = 6;
/// How many it makes where they are not.
pub(super) const SLICES_A_CELL: u64 = 3;

/// One half, read so far.
#[derive(Debug)]
pub(super) struct HalfRead {
    /// Steps that are done.
    pub(super) steps: usize,
    pub(super) layer: Waiting,
}

/// A slice that waits.
#[derive(Debug)]
pub(super) struct Job {
    /// Stations that were passed.
    pub(super) station: usize,
    /// The first half, and the second if it is read.
    pub(super) halves: Vec<HalfRead>,
}

/// A count on its way.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Passes that are done: modulus (0 for 2^64) and residue.
    pub(super) residues: Vec<(u64, u64)>,
    /// What the first pass is bounded by.
    pub(super) first_bound: f64,
    /// Of this pass: the sum of what was joined, and its bound.
    pub(super) total: u64,
    pub(super) bound: f64,
    pub(super) layers: Vec<u64>,
    /// How many slices were dealt out, and those that this part has, in order: what the first pass
    /// found, for all passes.
    pub(super) dealt: u64,
    pub(super) mine: Vec<u64>,
    pub(super) jobs: Vec<Job>,
}

impl State {
    fn add_layer(&mut self, step: usize, borders: u64) {
        // What was saved may say anything.
        self.layers[step] = self.layers[step].saturating_add(borders);
    }

    /// The prime of this pass; `None` for 2^64.
    pub(super) fn modulus(&self) -> Option<Modulus> {
        self.residues.len().checked_sub(1).and_then(|n| primes().nth(n))
    }

    /// Whether enough passes were made, for a sum that may be negative or not.
    pub(super) fn is_complete(&self, is_signed: bool) -> bool {
        is_enough(self.residues.len(), self.first_bound, is_signed)
    }
}

/// A slice that is being read.
struct Current {
    station: usize,
    halves: Vec<(usize, Layer)>,
    /// Whether it was lost while it was cut.
    lost: bool,
}

impl Current {
    /// Takes up a slice that waits; if that is stopped, it waits as before.
    fn taken(job: Job, run: &Run) -> Result<Self, (Stop, Job)> {
        let Job { station, halves } = job;
        let mut current = Current { station, halves: Vec::new(), lost: false };
        let mut halves = halves.into_iter();
        while let Some(HalfRead { steps, layer }) = halves.next() {
            match layer.take(run) {
                Ok(layer) => current.halves.push((steps, layer)),
                Err((stop, layer)) => {
                    let here = current
                        .halves
                        .into_iter()
                        .map(|(steps, layer)| HalfRead { steps, layer: Waiting::Here(layer) });
                    let halves = here.chain([HalfRead { steps, layer }]).chain(halves).collect();
                    return Err((stop, Job { station, halves }));
                }
            }
        }
        Ok(current)
    }
}

/// Reads, cuts and joins.
pub(super) struct Counter<'c> {
    tours: &'c Tours,
    part: Part,
    ways: Ways,
    stations: Vec<Station>,
    /// After how many stations slices are dealt out to the parts; `None` if they are not.
    dealing: Option<usize>,
    ahead: Vec<Ahead>,
    tables: &'c Tables,
    run: &'c Run,
}

impl<'c> Counter<'c> {
    pub(super) fn new(
        tours: &'c Tours,
        part: Part,
        ways: Ways,
        tables: &'c Tables,
        run: &'c Run,
    ) -> Self {
        let stations = slices::stations(tours);
        // Enough slices for all parts to have several.
        let several = part.of().saturating_mul(SLICES_A_PART);
        let enough = (1..64).find(|&n| SLICES_A_STATION.saturating_pow(n) >= several);
        let enough = enough.map_or(stations.len(), |n| (n as usize).min(stations.len()));
        let dealing = (!part.is_whole()).then_some(enough);
        let ahead = |reading: &Reading| Ahead::new(reading, &tours.neighbours, &tours.order);
        let ahead = match &tours.second {
            Second::Own(second) => vec![ahead(&tours.first), ahead(second)],
            Second::Image(_) => vec![ahead(&tours.first)],
        };
        Counter { tours, part, ways, stations, dealing, ahead, tables, run }
    }

    fn readings(&self) -> Vec<&Reading> {
        match &self.tours.second {
            Second::Own(second) => vec![&self.tours.first, second],
            Second::Image(_) => vec![&self.tours.first],
        }
    }

    pub(super) fn first_job(&self) -> Result<Job, Stop> {
        let start = |_| {
            let layer = Waiting::Here(Layer::start(self.run)?);
            Ok(HalfRead { steps: 0, layer })
        };
        let halves = self.readings().into_iter().map(start).collect::<Result<_, Stop>>()?;
        Ok(Job { station: 0, halves })
    }

    /// What the store holds, or the beginning; and whether it is what the store held.
    pub(super) fn begun(&self) -> Result<(State, bool), CountError> {
        let saved = self.run.store().map(|store| checkpoint::load(store, &self.saved()));
        match saved {
            Some(Ok(Some(state))) => Ok((state, true)),
            // A limit that is hit while it is read is one like any other.
            Some(Err(Unusable::Stop(stop))) => Err(CountError::Stop(stop)),
            Some(Err(why)) => Err(CountError::Checkpoint(why)),
            Some(Ok(None)) | None => {
                let dealt = u64::from(self.part.is_whole());
                let jobs = vec![self.first_job()?];
                let layers = vec![0; self.tours.steps()];
                Ok((State { layers, dealt, jobs, ..State::default() }, false))
            }
        }
    }

    fn saved(&self) -> Saved<'_> {
        Saved { tours: self.tours, part: self.part, readings: self.readings(), run: self.run }
    }

    /// Reads and joins all slices that wait.
    pub(super) fn pass<R: Ring>(&self, state: &mut State, ring: R) -> Result<(), Stop> {
        let maker = Maker::new(ring, self.ways.look, self.tables, self.run);
        let steps = self.tours.steps() as u64;
        self.run.uneven_stage(format!("reading {steps} vertices"), steps);
        let mut saved = self.run.elapsed();
        while let Some(job) = state.jobs.pop() {
            let mut current = match Current::taken(job, self.run) {
                Ok(current) => current,
                Err((stop, job)) => {
                    state.jobs.push(job);
                    self.save_all(state, 0, &[]);
                    return Err(stop);
                }
            };
            let read = self.read(&maker, state, &mut current, &mut saved);
            let mut done =
                read.and_then(|cut| if cut { Ok(()) } else { self.join(&maker, state, &current) });
            if matches!(done, Err(Stop::Memory { .. })) {
                maker.forget();
                if let Some(station) = self.late_station(&current) {
                    let passed = current.station;
                    done = self.cut(state, &mut current, &station, passed);
                }
            }
            match done {
                Ok(()) => {
                    for (_, layer) in current.halves {
                        maker.recycle(layer);
                    }
                }
                Err(stop) => {
                    self.save(state, &current);
                    return Err(stop);
                }
            }
        }
        Ok(())
    }

    /// Reads a slice to its end, or to where it is cut; says whether it was cut.
    fn read<R: Ring>(
        &self,
        maker: &Maker<'_, R>,
        state: &mut State,
        current: &mut Current,
        saved: &mut Duration,
    ) -> Result<bool, Stop> {
        let readings = self.readings();
        let ends: Vec<usize> = readings.iter().map(|reading| reading.steps.len()).collect();
        loop {
            let is_dealt = current.station == 0 && self.dealing.is_some();
            let station = match self.dealing {
                Some(several) if is_dealt => Station::of_all(&self.stations[..several], self.tours),
                _ => self.stations.get(current.station).cloned(),
            };
            for half in 0..readings.len() {
                let until = station.as_ref().map_or(ends[half], |station| station.steps[half]);
                while current.halves[half].0 < until {
                    let (step, layer) = &current.halves[half];
                    let step = *step;
                    let ahead = Some((&self.ahead[half], step));
                    let next = maker.next(layer, &readings[half].steps[step], ahead)?;
                    let number = step + if half == 1 { ends[0] } else { 0 };
                    if state.residues.is_empty() {
                        state.add_layer(number, next.borders());
                    }
                    maker.recycle(std::mem::replace(&mut current.halves[half], (step + 1, next)).1);
                    self.run.step(1);
                    let pause = self.run.store().map_or(PAUSE, |store| store.pause(PAUSE));
                    if self.run.elapsed() >= *saved + pause {
                        self.save(state, current);
                        *saved = self.run.elapsed();
                    }
                }
            }
            let Some(station) = station else {
                if is_dealt {
                    // There is but one slice.
                    state.dealt = 1;
                    return Ok(!self.part.contains(0));
                }
                return Ok(false);
            };
            let bytes: u64 = current.halves.iter().map(|(_, layer)| layer.bytes()).sum();
            let limit = self.run.budget().memory.unwrap_or(u64::MAX - 1);
            let is_large = bytes.saturating_mul(self.ways.growth) > limit;
            let passed = current.station + self.dealing.filter(|_| is_dealt).unwrap_or(1);
            if is_dealt || is_large {
                self.cut(state, current, &station, passed)?;
                return Ok(true);
            }
            current.station = passed;
        }
    }

    /// Where a slice can be cut for which there was no memory: by vertices that are settled by now,
    /// and of which its borders differ.
    fn late_station(&self, current: &Current) -> Option<Station> {
        let is_to_be_dealt = self.dealing.is_some() && current.station == 0;
        let ((first, layer), second) = (current.halves.first()?, current.halves.last()?);
        if is_to_be_dealt || current.lost {
            return None;
        }
        let steps = [*first, second.0];
        let side = if self.tours.is_swapped() { Side::Both } else { Side::First };
        let is_passed =
            |station: &&Station| station.steps[0] <= steps[0] && station.steps[1] <= steps[1];
        let passed = self.stations.iter().rev().filter(is_passed);
        passed.filter_map(|station| station.later(steps, self.tours)).find(|station| {
            let mut slices = layer.words().map(|word| station.slice(word, side));
            let one = slices.next();
            slices.any(|slice| Some(slice) != one)
        })
    }

    /// Cuts a slice into several, which then wait. Where that is stopped, all of them wait, or
    /// the slice is as it was, so that nothing is lost to a checkpoint.
    fn cut(
        &self,
        state: &mut State,
        current: &mut Current,
        station: &Station,
        passed: usize,
    ) -> Result<(), Stop> {
        let is_dealt = self.dealing.is_some() && current.station == 0;
        let sides: &[Side] =
            if self.tours.is_swapped() { &[Side::Both] } else { &[Side::First, Side::Second] };
        let mut cut: Vec<(usize, BTreeMap<u64, Layer>)> = Vec::new();
        let mut halves = std::mem::take(&mut current.halves).into_iter();
        for (&side, (steps, layer)) in sides.iter().zip(&mut halves) {
            match slices::cut(layer, station, side, self.run) {
                Ok(slices) => cut.push((steps, slices)),
                Err(Uncut { stop, layer }) => {
                    // Put together again.
                    current.lost = layer.is_none();
                    if let Some(layer) = layer {
                        let whole = |slices: BTreeMap<u64, Layer>| Layer {
                            chunks: slices.into_values().flat_map(|slice| slice.chunks).collect(),
                        };
                        let before = cut.into_iter().map(|(steps, slices)| (steps, whole(slices)));
                        current.halves = before.chain([(steps, layer)]).chain(halves).collect();
                    }
                    return Err(stop);
                }
            }
        }
        let Some((steps, first)) = cut.first_mut() else { return Ok(()) };
        let (steps, mut first) = (*steps, std::mem::take(first));
        // A slice without its other half leads to nothing.
        if let Some((_, second)) = cut.get(1) {
            first.retain(|slice, _| second.contains_key(slice));
        }
        if is_dealt {
            if state.residues.is_empty() {
                state.dealt = first.len() as u64;
                state.mine = self.dealt(&first, cut.get(1).map(|(_, second)| second));
            }
            first.retain(|slice, _| state.mine.binary_search(slice).is_ok());
        }
        let mut stopped = Ok(());
        for (slice, layer) in first {
            let mut job = Job { station: passed, halves: Vec::new() };
            let mut add = |steps, layer| {
                // Once stopped, what is left waits where it is.
                let (layer, put) = match &stopped {
                    Ok(()) => Waiting::put(layer, self.run),
                    Err(_) => (Waiting::Here(layer), Ok(())),
                };
                if stopped.is_ok() {
                    stopped = put;
                }
                job.halves.push(HalfRead { steps, layer });
            };
            add(steps, layer);
            if let Some((others, second)) = cut.get_mut(1)
                && let Some(other) = second.remove(&slice)
            {
                add(*others, other);
            }
            state.jobs.push(job);
        }
        stopped
    }

    /// Which slices belong to this part, in order. The heaviest are dealt out first, each to the
    /// part that has least so far; all parts do this alike.
    fn dealt(
        &self,
        first: &BTreeMap<u64, Layer>,
        second: Option<&BTreeMap<u64, Layer>>,
    ) -> Vec<u64> {
        let weight = |slice: &u64, layer: &Layer| {
            let other = second.and_then(|second| second.get(slice));
            layer.weight().saturating_add(other.map_or(0, Layer::weight))
        };
        let mut slices: Vec<(u64, u64)> =
            first.iter().map(|(slice, layer)| (weight(slice, layer), *slice)).collect();
        slices.sort_unstable_by(|a, b| b.cmp(a));
        // What each part has: a heap of loads, the least on top.
        let mut parts: BinaryHeap<Reverse<(u64, u64)>> =
            (1..=self.part.of().min(slices.len() as u64)).map(|part| Reverse((0, part))).collect();
        let mut mine = Vec::new();
        for (weight, slice) in slices {
            let Some(Reverse((load, part))) = parts.pop() else { break };
            if part == self.part.index() {
                mine.push(slice);
            }
            parts.push(Reverse((load.saturating_add(weight), part)));
        }
        mine.sort_unstable();
        mine
    }

    /// Joins the halves of a slice that was read to its end.
    fn join<R: Ring>(
        &self,
        maker: &Maker<'_, R>,
        state: &mut State,
        current: &Current,
    ) -> Result<(), Stop> {
        let Counter { tours, tables, run, .. } = *self;
        let [(_, first), rest @ ..] = &current.halves[..] else { return Ok(()) };
        let extended;
        let mut late = Vec::new();
        let (a, b) = match (&tours.second, rest) {
            (Second::Own(_), [(_, second)]) => (first, second),
            (Second::Image(edges), _) if !edges.is_empty() => {
                let layers;
                (extended, layers) = self.with_edges(maker, first, edges)?;
                late = layers;
                (&extended, first)
            }
            _ => (first, first),
        };
        let halves = Joining { a, b, tours, tables, run };
        let (total, bound) = halves.bounded(maker.ring, WORD / 1e3)?;
        // What is stopped before here is done again, and counted then.
        if state.residues.is_empty() {
            for (number, borders) in late.into_iter().enumerate() {
                state.add_layer(tours.first.steps.len() + number, borders);
            }
        }
        state.total = maker.ring.add(state.total, total);
        state.bound += bound;
        Ok(())
    }

    /// The first half with the edges that are their own images, and the borders after each.
    fn with_edges<R: Ring>(
        &self,
        maker: &Maker<'_, R>,
        first: &Layer,
        edges: &[Step],
    ) -> Result<(Layer, Vec<u64>), Stop> {
        let mut layer: Option<Layer> = None;
        let mut layers = Vec::new();
        for step in edges {
            let next = maker.next(layer.as_ref().unwrap_or(first), step, None)?;
            layers.push(next.borders());
            if let Some(before) = layer.replace(next) {
                maker.recycle(before);
            }
            self.run.step(1);
        }
        Ok((layer.unwrap_or_default(), layers))
    }

    /// Saves all slices, the one that is being read among them; warns if that cannot be done.
    fn save(&self, state: &State, current: &Current) {
        let halves: Vec<_> = current.halves.iter().map(|(steps, layer)| (*steps, layer)).collect();
        // One that was lost while it was cut is in the last save; one that was cut waits.
        if !current.lost {
            self.save_all(state, current.station, &halves);
        }
    }

    /// Saves the slices that wait and, unless it is empty, the one that is being read.
    pub(super) fn save_all(&self, state: &State, station: usize, halves: &[(usize, &Layer)]) {
        let Some(store) = self.run.store() else { return };
        if let Err(why) = checkpoint::save(store, &self.saved(), state, station, halves) {
            let shown = store.shown();
            self.run.warn(format!("The checkpoint {shown} could not be written: {why}."));
        }
    }
}
