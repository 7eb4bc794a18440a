//! The exact number of tours.
//!
//! The first pass keeps numbers of ways modulo 2^64, and beside them, for each group of borders, a
//! bound of their sum: what the groups before it add up to. What is joined at the end is
//! bounded by the products of these sums. If that is below 2^64, the number is what it is.
//!
//! If it is not, joining the halves once more in floats says how large the number is: adding and
//! multiplying numbers that are not negative errs by one part in 2^53 an operation, and there are
//! fewer than 2^40. If that does not suffice either, further passes are made modulo primes of 61
//! bits. Their product must exceed the bound, and the number that they give must be the one of the
//! first pass modulo 2^64.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use num_bigint::BigUint;

use super::ahead::Ahead;
use super::checkpoint::{self, Saved};
use super::halves::{Second, Tours};
use super::join::{Joiner, Places, Weighed};
use super::layer::{Borders, Layer, Look, Maker, workers};
use super::matching::{MOST_PAIRS, Tables};
use super::reading::{MATED, Reading, Step, at, pairs, point, with};
use super::ring::{Floats, Ring, Words};
use super::slices::{self, Side, Station, Waiting};
use crate::number::{Modulus, combine, primes};
use crate::records::Unusable;
use crate::run::{Run, Stop};
use crate::search::Part;
use crate::store::PAUSE;

/// How many tours there are, and how they were counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The exact number, undirected.
    pub total: BigUint,
    /// Its residues modulo the primes of further passes; none if one pass was enough.
    pub residues: Vec<(u64, u64)>,
    /// Borders after each step of the first pass, over all slices: of the first half, then of the
    /// second.
    pub layers: Vec<u64>,
    /// Passes over all steps.
    pub passes: u32,
    /// How many slices were dealt out to the parts; 1 if there is but one part.
    pub dealt: u64,
}

impl Counted {
    /// The most borders in one layer.
    pub fn peak(&self) -> u64 {
        self.layers.iter().copied().max().unwrap_or(1)
    }

    /// Borders in all layers and passes.
    pub fn handled(&self) -> u64 {
        self.layers.iter().sum::<u64>() * u64::from(self.passes)
    }
}

/// Why there is no count.
#[derive(Clone, Debug, PartialEq)]
pub enum CountError {
    /// A limit was hit.
    Stop(Stop),
    /// The number may have some 1000 binary digits, more than the bound can follow.
    TooLarge,
    /// The passes contradict each other: the machine or the program erred.
    Off,
    /// What the run's store holds cannot be gone on with; the sentence goes on after "the
    /// checkpoint".
    Checkpoint(Unusable),
}

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountError::Stop(stop) => stop.fmt(f),
            CountError::TooLarge => {
                write!(f, "the count may have about 1000 binary digits or more")
            }
            CountError::Off => write!(f, "two passes of a count contradict each other"),
            CountError::Checkpoint(why) => write!(f, "the checkpoint {why}"),
        }
    }
}

impl std::error::Error for CountError {}

impl From<Stop> for CountError {
    fn from(stop: Stop) -> Self {
        CountError::Stop(stop)
    }
}

/// Counts tours.
pub fn count(tours: &Tours, run: &Run) -> Result<Counted, CountError> {
    count_part(tours, Part::WHOLE, run)
}

/// Counts the tours of one part: those of some slices. What is read before slices can be told
/// apart, every part reads.
pub fn count_part(tours: &Tours, part: Part, run: &Run) -> Result<Counted, CountError> {
    count_by(tours, part, Ways::default(), run)
}

/// What tests may have otherwise.
#[derive(Clone, Copy)]
struct Ways {
    look: Look,
    /// A layer that is a larger share of the memory is cut where it can be: how many times as
    /// large it may still become, with the layer before it.
    growth: u64,
}

impl Default for Ways {
    fn default() -> Self {
        Ways { look: Look::WhereItPays, growth: 24 }
    }
}

fn count_by(tours: &Tours, part: Part, ways: Ways, run: &Run) -> Result<Counted, CountError> {
    if tours.neighbours.iter().any(|near| near.len() < 2) {
        // No tour passes there; a vertex without edges would not even be read.
        let (total, residues) = (BigUint::ZERO, Vec::new());
        return Ok(Counted { total, residues, layers: Vec::new(), passes: 1, dealt: 1 });
    }
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
    let tables = &Tables::new(run);
    let mut counter = Counter { tours, part, ways, stations, dealing, ahead, tables, run };
    let (mut state, resumed) = counter.begun()?;
    while !state.is_complete() {
        // The first pass is modulo 2^64, those after it modulo primes.
        let modulus = state.modulus();
        match modulus {
            None => counter.pass(&mut state, Words)?,
            Some(modulus) => counter.pass(&mut state, modulus)?,
        }
        state.residues.push((modulus.map_or(0, Modulus::prime), state.total));
        if state.residues.len() == 1 {
            if state.bound >= MOST {
                return Err(CountError::TooLarge);
            }
            state.first_bound = state.bound;
        }
        if !state.is_complete() {
            let begun = counter.first_job()?;
            (state.total, state.bound, state.jobs) = (0, 0.0, vec![begun]);
        }
    }
    let passes = state.residues.len() as u32;
    // What was saved may be at fault.
    let off = if resumed { CountError::Checkpoint(Unusable::Damaged) } else { CountError::Off };
    let Some(((_, first), residues)) = state.residues.split_first() else { return Err(off) };
    let of_primes: Vec<(Modulus, u64)> = primes().zip(residues.iter().map(|(_, r)| *r)).collect();
    let total = if of_primes.is_empty() { (*first).into() } else { combine(&of_primes) };
    if total.iter_u64_digits().next().unwrap_or(0) != *first {
        return Err(off);
    }
    counter.save_all(&state, 0, &[]);
    let (residues, layers, dealt) = (residues.to_vec(), state.layers, state.dealt);
    Ok(Counted { total, residues, layers, passes, dealt })
}

/// 2^64, less what floats may err by.
const WORD: f64 = 1.844e19;
/// What is larger cannot be followed by floats.
pub(super) const MOST: f64 = 1e300;
/// Sums of ways up to here are exact in a word.
const EXACT: f64 = 9e18;
/// More than floats can err by in a whole count.
const SLACK: f64 = 1.0 + 1e-3;
/// How many slices there are for each part, more or less.
const SLICES_A_PART: u64 = 2;
/// How many slices a station makes of one, where the halves are images of each other.
const SLICES_A_STATION: u64 = 6;

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
    pub(super) dealt: u64,
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

    /// Whether enough passes were made.
    fn is_complete(&self) -> bool {
        // Every prime is above 2^60.
        let known = 60.0 * (self.residues.len() as f64 - 1.0);
        !self.residues.is_empty()
            && (self.first_bound < WORD || known > self.first_bound.log2() + 1.0)
    }
}

/// A slice that is being read.
struct Current {
    station: usize,
    halves: Vec<(usize, Layer)>,
}

struct Counter<'c> {
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

impl Counter<'_> {
    fn readings(&self) -> Vec<&Reading> {
        match &self.tours.second {
            Second::Own(second) => vec![&self.tours.first, second],
            Second::Image(_) => vec![&self.tours.first],
        }
    }

    fn first_job(&self) -> Result<Job, Stop> {
        let start = |_| {
            let layer = Waiting::Here(Layer::start(self.run)?);
            Ok(HalfRead { steps: 0, layer })
        };
        let halves = self.readings().into_iter().map(start).collect::<Result<_, Stop>>()?;
        Ok(Job { station: 0, halves })
    }

    /// What the store holds, or the beginning; and whether it is what the store held.
    fn begun(&self) -> Result<(State, bool), CountError> {
        let saved = self.run.store().map(|store| checkpoint::load(store, &self.saved()));
        match saved {
            Some(Ok(Some(state))) => Ok((state, true)),
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
    fn pass<R: Ring>(&mut self, state: &mut State, ring: R) -> Result<(), Stop> {
        let maker = Maker::new(ring, self.ways.look, self.tables, self.run);
        let steps = self.tours.steps() as u64;
        self.run.uneven_stage(format!("reading {steps} vertices"), steps);
        let mut saved = self.run.elapsed();
        while let Some(job) = state.jobs.pop() {
            let mut current = Current { station: job.station, halves: Vec::new() };
            for half in job.halves {
                current.halves.push((half.steps, half.layer.take(self.run)?));
            }
            let read = self.read(&maker, state, &mut current, &mut saved);
            match read.and_then(|cut| if cut { Ok(()) } else { self.join(&maker, state, &current) })
            {
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

    /// Cuts a slice into several, which then wait.
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
        let mut halves = Vec::new();
        for ((steps, layer), &side) in std::mem::take(&mut current.halves).into_iter().zip(sides) {
            halves.push((steps, slices::cut(layer, station, side, self.run)?));
        }
        let Some((steps, first)) = halves.first_mut() else { return Ok(()) };
        let (steps, first) = (*steps, std::mem::take(first));
        if is_dealt && state.residues.is_empty() {
            state.dealt = first.len() as u64;
        }
        for (slice, layer) in first {
            let mut job = Job { station: passed, halves: Vec::new() };
            let mut add = |steps, layer| {
                let layer = Waiting::put(layer, self.run)?;
                job.halves.push(HalfRead { steps, layer });
                Ok::<_, Stop>(())
            };
            if is_dealt && !self.part.contains(mixed(slice)) {
                continue;
            }
            // A slice without its other half leads to nothing.
            match halves.get_mut(1) {
                None => add(steps, layer)?,
                Some((others, second)) => {
                    let Some(other) = second.remove(&slice) else { continue };
                    add(steps, layer)?;
                    add(*others, other)?;
                }
            }
            state.jobs.push(job);
        }
        Ok(())
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
        let (total, bound) = halves.join(maker.ring)?;
        let mut bound = bound * SLACK;
        if maker.ring.is_exact() && bound >= WORD / 1e3 && halves.are_exact() {
            let (about, _) = halves.join(Floats)?;
            bound = f64::from_bits(about) * SLACK;
        }
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
        // One that was lost while it was cut is in the last save.
        if !halves.is_empty() {
            self.save_all(state, current.station, &halves);
        }
    }

    /// Saves the slices that wait and, unless it is empty, the one that is being read.
    fn save_all(&self, state: &State, station: usize, halves: &[(usize, &Layer)]) {
        let Some(store) = self.run.store() else { return };
        if let Err(why) = checkpoint::save(store, &self.saved(), state, station, halves) {
            let shown = store.path().display();
            self.run.warn(format!("The checkpoint {shown} could not be written: {why}."));
        }
    }
}

/// The lot by which a slice is dealt out.
fn mixed(slice: u64) -> u64 {
    (slice + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

/// Two halves that are being joined.
struct Joining<'j> {
    a: &'j Layer,
    /// The same as `a` where it is its own other half.
    b: &'j Layer,
    tours: &'j Tours,
    tables: &'j Tables,
    run: &'j Run,
}

impl Joining<'_> {
    /// Whether no number of ways of either half has wrapped.
    fn are_exact(&self) -> bool {
        let groups = |layer: &Layer| {
            layer.chunks.iter().all(|chunk| chunk.groups.iter().all(|group| group.ways < EXACT))
        };
        groups(self.a) && groups(self.b)
    }

    /// The number of tours, and a bound of it.
    fn join<R: Ring>(&self, ring: R) -> Result<(u64, f64), Stop> {
        let Joining { a, b, tours, tables, run } = *self;
        // Where each type of B is.
        let mut index: Vec<(u64, u32, u32)> = Vec::with_capacity(b.types());
        let mut claim = run.claim();
        claim.grow_to((b.types() * size_of::<(u64, u32, u32)>()) as u64)?;
        for (number, chunk) in b.chunks.iter().enumerate() {
            let groups = chunk.groups.iter().enumerate();
            index.extend(groups.map(|(group, at)| (at.word, number as u32, group as u32)));
        }
        index.sort_unstable();
        let own = std::ptr::eq(a, b);
        let threads = run.budget().threads;
        run.uneven_stage("joining the halves", a.chunks.len() as u64);
        let next = AtomicUsize::new(0);
        let sums = workers(if a.borders() < 4000 { 1 } else { threads }, || {
            let mut joiner = Joiner::new(tables, ring);
            let mut claim = run.claim();
            let (mut left, mut right) = (Vec::new(), Vec::new());
            let (mut sum, mut bound) = (0, 0.0);
            let float = |number: u64| (number as f64).to_bits();
            let read = |borders: Borders<'_>, list: &mut Vec<Weighed>| {
                list.clear();
                borders.each(|rank, number| {
                    let number = if ring.is_float() { float(number) } else { number };
                    list.push(Weighed { rank, number });
                });
            };
            while let Some(chunk) = a.chunks.get(next.fetch_add(1, Relaxed)) {
                for group in &chunk.groups {
                    let other = complement(group.word, &tours.slots);
                    let pairs = pairs(group.word);
                    // Without a pair nothing was taken in this half: no tour is in the other.
                    if pairs == 0 || (own && other < group.word) {
                        continue;
                    }
                    let Ok(found) = index.binary_search_by_key(&other, |(word, ..)| *word) else {
                        continue;
                    };
                    let (_, there, at) = index[found];
                    let there = &b.chunks[there as usize];
                    let partner = &there.groups[at as usize];
                    let times = if own && other != group.word { 2 } else { 1 };
                    bound += group.ways * partner.ways * f64::from(times);
                    read(chunk.borders(group), &mut left);
                    read(there.borders(partner), &mut right);
                    claim.grow_to(((left.capacity() + right.capacity()) * 16) as u64)?;
                    let places = places(group.word, other, &tours.slots);
                    let part = if left.len() >= right.len() {
                        right.sort_unstable_by_key(|weighed| weighed.rank);
                        joiner.sum(pairs, &left, &right, &places)
                    } else {
                        left.sort_unstable_by_key(|weighed| weighed.rank);
                        joiner.sum(pairs, &right, &left, &inverse(&places, pairs))
                    };
                    for _ in 0..times {
                        sum = ring.add(sum, part);
                    }
                    run.tick(left.len() as u64)?;
                }
                run.step(1);
            }
            Ok((sum, bound))
        })?;
        Ok(sums
            .into_iter()
            .fold((0, 0.0), |(sum, bound), (more, most)| (ring.add(sum, more), bound + most)))
    }
}

/// The type of the other half that goes with a type: done and fresh exchanged, and each vertex
/// in its slot there.
fn complement(word: u64, slots: &[u8]) -> u64 {
    slots.iter().enumerate().fold(0, |other, (slot, &to)| {
        let here = at(word, slot);
        let there = if here == MATED { MATED } else { here ^ 1 };
        with(other, usize::from(to), there)
    })
}

/// For each point of the other half's matchings: its place in this half's.
fn places(word: u64, other: u64, slots: &[u8]) -> Places {
    let mut places = [0; 2 * MOST_PAIRS];
    for (slot, &to) in slots.iter().enumerate() {
        if at(word, slot) == MATED {
            places[usize::from(point(other, usize::from(to)))] = point(word, slot);
        }
    }
    places
}

fn inverse(places: &Places, pairs: usize) -> Places {
    let mut inverse = [0; 2 * MOST_PAIRS];
    for (point, &place) in places.iter().enumerate().take(2 * pairs) {
        inverse[usize::from(place)] = point as u8;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::super::{Ends, Refused};
    use super::*;
    use crate::disk::Disk;
    use crate::run::Budget;
    use crate::store::Store;
    use num_traits::ToPrimitive;
    use proptest::prelude::*;
    use std::sync::Arc;

    /// Counts tours by following every path.
    fn plain(graph: &[Vec<u32>], ends: Ends) -> u64 {
        fn below(
            graph: &[Vec<u32>],
            path: &mut Vec<u32>,
            is_whole: &dyn Fn(&[u32]) -> bool,
        ) -> u64 {
            if path.len() == graph.len() {
                return u64::from(is_whole(path));
            }
            let mut sum = 0;
            let Some(&last) = path.last() else { return 0 };
            for &to in &graph[last as usize] {
                if !path.contains(&to) {
                    path.push(to);
                    sum += below(graph, path, is_whole);
                    path.pop();
                }
            }
            sum
        }
        let n = graph.len() as u32;
        let from = |first: u32, is_whole: &dyn Fn(&[u32]) -> bool| {
            below(graph, &mut vec![first], is_whole)
        };
        match ends {
            Ends::Closed if n < 3 => 0,
            Ends::Closed => from(0, &|path| graph[0].contains(&path[path.len() - 1])) / 2,
            Ends::Free => (0..n).map(|first| from(first, &|_| true)).sum::<u64>() / 2,
            Ends::From(first) => from(first, &|_| true),
            Ends::Between(first, last) => from(first, &|path| path.last() == Some(&last)),
        }
    }

    /// A leaper's graph on a board of some rows and columns.
    fn leaper(rows: i32, cols: i32, moves: &[(i32, i32)]) -> Vec<Vec<u32>> {
        let cell = |row: i32, col: i32| (row * cols + col) as u32;
        let mut graph = vec![Vec::new(); (rows * cols) as usize];
        for row in 0..rows {
            for col in 0..cols {
                for &(a, b) in moves {
                    for (a, b) in [(a, b), (b, a)] {
                        for (a, b) in [(a, b), (a, -b), (-a, b), (-a, -b)] {
                            let (to_row, to_col) = (row + a, col + b);
                            if (0..rows).contains(&to_row) && (0..cols).contains(&to_col) {
                                graph[cell(row, col) as usize].push(cell(to_row, to_col));
                            }
                        }
                    }
                }
                let near = &mut graph[cell(row, col) as usize];
                near.sort_unstable();
                near.dedup();
            }
        }
        graph
    }

    fn flipped(rows: u32, cols: u32) -> Vec<u32> {
        (0..rows * cols).map(|cell| (rows - 1 - cell / cols) * cols + cell % cols).collect()
    }

    fn turned(n: u32) -> Vec<u32> {
        (0..n).rev().collect()
    }

    fn counted(graph: &[Vec<u32>], ends: Ends, swap: Option<&[u32]>, threads: usize) -> Counted {
        let order: Vec<u32> = (0..graph.len() as u32).collect();
        let tours = Tours::new(graph, ends, &order, swap).unwrap();
        assert_eq!(tours.is_swapped(), swap.is_some());
        let run = Run::new(Budget { threads, ..Budget::default() });
        let counted = count(&tours, &run).unwrap();
        assert_eq!(run.progress().bytes, 0, "all claims are given back");
        counted
    }

    #[test]
    fn knights_tours() {
        let knight = |rows, cols| leaper(rows, cols, &[(1, 2)]);
        for (rows, cols, closed, open) in
            [(5, 5, 0u64, 864u64), (5, 6, 8, 3_718_276 / 2 / 2), (6, 6, 9862, 3_318_960)]
        {
            let graph = knight(rows as i32, cols as i32);
            let half_turn = turned(rows * cols);
            let flip = flipped(rows, cols);
            let swaps = if rows % 2 == 0 {
                vec![None, Some(&half_turn[..]), Some(&flip[..])]
            } else {
                vec![None, Some(&half_turn[..])]
            };
            for swap in swaps {
                for threads in [1, 2, 3] {
                    let all = |ends| counted(&graph, ends, swap, threads).total;
                    assert_eq!(all(Ends::Closed), BigUint::from(closed), "{rows}x{cols}");
                    if (rows, cols) != (5, 6) {
                        assert_eq!(all(Ends::Free), BigUint::from(open), "{rows}x{cols}");
                    }
                }
            }
        }
    }

    #[test]
    fn diplomatico() {
        let graph = leaper(5, 5, &[(3, 0), (2, 2)]);
        for swap in [None, Some(&turned(25)[..])] {
            assert_eq!(counted(&graph, Ends::Free, swap, 1).total, BigUint::from(6200u32));
            assert_eq!(counted(&graph, Ends::Closed, swap, 1).total, BigUint::from(48u32));
            let corners = counted(&graph, Ends::Between(0, 24), swap, 1);
            assert_eq!(corners.total, BigUint::from(28u32));
        }
        let graph = leaper(6, 6, &[(3, 0), (2, 2)]);
        for swap in [None, Some(&turned(36)[..]), Some(&flipped(6, 6)[..])] {
            assert_eq!(counted(&graph, Ends::Closed, swap, 2).total, BigUint::from(13138u32));
        }
        let open = counted(&graph, Ends::Free, Some(&turned(36)), 2);
        assert_eq!(open.total, BigUint::from(4_125_136u32));
    }

    #[test]
    fn complete_graphs() {
        // (n − 1)! / 2.
        for n in [3u32, 4, 5, 8, 10] {
            let graph: Vec<Vec<u32>> =
                (0..n).map(|v| (0..n).filter(|&to| to != v).collect()).collect();
            let expected: BigUint = (1..n).map(BigUint::from).product::<BigUint>() / 2u32;
            assert_eq!(counted(&graph, Ends::Closed, None, 2).total, expected);
        }
    }

    #[test]
    fn counts_beyond_a_word_take_primes() {
        // Two columns of a king's strip are left in four ways or so: 4^60 is far beyond a word.
        for (cols, several) in [(8, false), (60, true), (130, true)] {
            let graph = leaper(3, cols, &[(1, 1), (1, 0)]);
            let order: Vec<u32> = (0..cols as u32)
                .flat_map(|col| (0..3).map(move |row| row * cols as u32 + col))
                .collect();
            let [one, two] = [1, 2].map(|threads| {
                let tours = Tours::new(&graph, Ends::Closed, &order, None).unwrap();
                count(&tours, &Run::new(Budget { threads, ..Budget::default() })).unwrap()
            });
            assert_eq!(one, two);
            assert_eq!(one.passes > 1, several, "{cols}: {}", one.passes);
            for (prime, residue) in &one.residues {
                assert_eq!((&one.total % *prime).to_u64(), Some(*residue));
            }
            // The number of closed king's tours of 3×8.
            assert_eq!(one.total == BigUint::from(208_118u32), cols == 8, "{}", one.total);
        }
    }

    /// There are 2^(n/2 − 1) closed tours of the wazir on 3×n, and so many ways to some borders that
    /// all their numbers are 0 modulo 2^64. The groups of these borders used to be dropped, and
    /// their bounds with them.
    #[test]
    fn powers_of_two() {
        for cols in [4, 128, 130, 132, 258, 300] {
            let graph = leaper(3, cols, &[(1, 0)]);
            let cols = cols as u32;
            let order: Vec<u32> =
                (0..cols).flat_map(|col| (0..3).map(move |row| row * cols + col)).collect();
            let mirrored: Vec<u32> =
                (0..3 * cols).map(|cell| cell / cols * cols + cols - 1 - cell % cols).collect();
            for swap in [None, Some(&mirrored[..])] {
                let tours = Tours::new(&graph, Ends::Closed, &order, swap).unwrap();
                let found = count(&tours, &Run::default()).unwrap();
                assert_eq!(found.total, BigUint::from(1u32) << (cols / 2 - 1), "{cols}");
            }
        }
    }

    #[test]
    fn what_is_no_symmetry_is_refused() {
        let graph = leaper(4, 4, &[(1, 2)]);
        let order: Vec<u32> = (0..16).collect();
        let mut swap = turned(16);
        swap.swap(0, 1);
        let refused = |ends, swap: &[u32]| Tours::new(&graph, ends, &order, Some(swap)).err();
        assert_eq!(refused(Ends::Closed, &swap), Some(Refused::Symmetry));
        assert_eq!(refused(Ends::From(3), &turned(16)), Some(Refused::Symmetry));
        assert_eq!(refused(Ends::Closed, &order), Some(Refused::Symmetry), "the identity");
        assert_eq!(refused(Ends::Between(0, 15), &turned(16)), None);
        let two = Tours::new(&[vec![1], vec![0]], Ends::Closed, &[0, 1], None);
        assert_eq!(two.err(), Some(Refused::Small));
    }

    /// A new empty folder, removed when dropped.
    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("pairings-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn store(&self) -> Store {
            Store::open(self.0.join("checkpoint")).unwrap()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// Boards with their symmetries, and the tours that are counted.
    fn boards() -> Vec<(Tours, u64)> {
        let knight = leaper(6, 6, &[(1, 2)]);
        let diplomatico = leaper(5, 5, &[(3, 0), (2, 2)]);
        let small = leaper(4, 5, &[(3, 0), (2, 2)]);
        let order = |n: u32| (0..n).collect::<Vec<_>>();
        let new = |graph: &[Vec<u32>], ends, swap: Option<&[u32]>| {
            Tours::new(graph, ends, &order(graph.len() as u32), swap).unwrap()
        };
        vec![
            (new(&knight, Ends::Closed, Some(&flipped(6, 6))), 9862),
            (new(&knight, Ends::Closed, None), 9862),
            (new(&knight, Ends::Free, Some(&turned(36))), 3_318_960),
            (new(&diplomatico, Ends::Free, Some(&turned(25))), 6200),
            (new(&diplomatico, Ends::Free, None), 6200),
            (new(&diplomatico, Ends::Between(0, 24), Some(&turned(25))), 28),
            (new(&small, Ends::From(0), None), plain(&small, Ends::From(0))),
        ]
    }

    #[test]
    fn parts_add_up() {
        for (tours, expected) in boards() {
            for of in [2, 3, 10] {
                let parts: Vec<Counted> = (1..=of)
                    .map(|index| Part::new(index, of).unwrap())
                    .map(|part| count_part(&tours, part, &Run::default()).unwrap())
                    .collect();
                let sum: BigUint = parts.iter().map(|part| &part.total).sum();
                assert_eq!(sum, BigUint::from(expected));
                assert!(parts.iter().all(|part| part.dealt == parts[0].dealt));
            }
        }
    }

    /// Every station cuts.
    const CUTTING: Ways = Ways { look: Look::WhereItPays, growth: u64::MAX };

    #[test]
    fn slices_wait_in_memory_or_on_disk() {
        for (tours, expected) in boards() {
            for threads in [1, 2] {
                let run = || Run::new(Budget { threads, ..Budget::default() });
                let total = |run: &Run| count_by(&tours, Part::WHOLE, CUTTING, run).unwrap().total;
                assert_eq!(total(&run()), BigUint::from(expected));
                let disk = Disk::open(std::env::temp_dir(), None).unwrap();
                let run = run().with_disk(Arc::clone(&disk));
                assert_eq!(total(&run), BigUint::from(expected));
                assert!(disk.peak() > 0);
                assert_eq!(run.progress().bytes, 0);
            }
        }
    }

    #[test]
    fn a_disk_that_is_full_is_a_stop() {
        let (tours, _) = boards().swap_remove(2);
        let disk = Disk::open(std::env::temp_dir(), Some(10_000)).unwrap();
        let run = Run::default().with_disk(disk);
        let stopped = count_by(&tours, Part::WHOLE, CUTTING, &run).unwrap_err();
        assert!(matches!(stopped, CountError::Stop(Stop::Disk { .. })), "{stopped}");
    }

    #[test]
    fn a_count_goes_on_where_it_was_stopped() {
        let folder = Folder::new("resume");
        for (tours, expected) in boards() {
            // On this clock every step is minutes; each run gets on by a step or a few.
            let tick = Duration::from_secs(100);
            let mut runs = 0;
            let counted = loop {
                let time = Some(tick * (20 + 20 * runs));
                let run = Run::stepping(Budget { time, ..Budget::default() }, tick);
                let run = run.with_store(folder.store());
                runs += 1;
                // Whole, and in slices.
                let ways = if runs % 2 == 0 { CUTTING } else { Ways::default() };
                match count_by(&tours, Part::WHOLE, ways, &run) {
                    Ok(counted) => break counted,
                    Err(CountError::Stop(Stop::Time { .. })) => assert!(runs < 10_000),
                    Err(other) => panic!("{other}"),
                }
            };
            assert_eq!(counted.total, BigUint::from(expected));
            assert!(runs > 1, "{expected} {runs}");
            folder.store().remove().unwrap();
        }
    }

    #[test]
    fn checkpoints_that_cannot_be_used_are_refused() {
        let folder = Folder::new("refused");
        let tick = Duration::from_secs(100);
        let run = |store| {
            let time = Some(tick * 60);
            Run::stepping(Budget { time, ..Budget::default() }, tick).with_store(store)
        };
        let boards = boards();
        let (tours, _) = &boards[0];
        assert!(matches!(count(tours, &run(folder.store())), Err(CountError::Stop(_))));
        let why = |tours: &Tours| match count(tours, &Run::default().with_store(folder.store())) {
            Err(CountError::Checkpoint(why)) => Some(why),
            _ => None,
        };
        assert_eq!(why(&boards[1].0), Some(Unusable::Other { about: None }));
        assert_eq!(why(&boards[3].0), Some(Unusable::Other { about: None }));
        let saved = folder.store().load().unwrap().unwrap();
        let part = Part::new(1, 2).unwrap();
        let other = count_part(tours, part, &Run::default().with_store(folder.store()));
        assert_eq!(other, Err(CountError::Checkpoint(Unusable::Other { about: None })));
        // A changed bit or a missing end is seen, wherever it is.
        for at in (0..saved.len()).step_by(saved.len() / 97) {
            let mut changed = saved.clone();
            changed[at] ^= 4;
            folder.store().save(&changed).unwrap();
            assert!(why(tours).is_some(), "bit at {at}");
            folder.store().save(&saved[..at]).unwrap();
            assert!(why(tours).is_some(), "cut at {at}");
        }
        let mut longer = saved.clone();
        longer.push(0);
        folder.store().save(&longer).unwrap();
        assert_eq!(why(tours), Some(Unusable::Damaged));
        folder.store().save(&saved).unwrap();
        let counted = count(tours, &Run::default().with_store(folder.store())).unwrap();
        assert_eq!(counted.total, BigUint::from(9862u32));
        // What is finished is known at once.
        let run = Run::default().with_store(folder.store());
        assert_eq!(count(tours, &run).unwrap(), counted);
        assert_eq!(run.progress().handled, 0);
    }

    #[test]
    fn limits_stop_the_count() {
        let graph = leaper(6, 6, &[(1, 2)]);
        let order: Vec<u32> = (0..36).collect();
        let tours = Tours::new(&graph, Ends::Free, &order, None).unwrap();
        let run = Run::new(Budget { memory: Some(1 << 20), threads: 2, ..Budget::default() });
        let stopped = count(&tours, &run).unwrap_err();
        assert!(matches!(stopped, CountError::Stop(Stop::Memory { .. })), "{stopped}");
        assert_eq!(run.progress().bytes, 0, "all claims are given back");
        let run = Run::default();
        run.cancel();
        assert_eq!(count(&tours, &run), Err(CountError::Stop(Stop::Cancelled)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
        #[test]
        fn random_graphs(
            n in 3usize..9,
            edges in prop::collection::vec(any::<bool>(), 36),
            order in Just((0u32..9).collect::<Vec<_>>()).prop_shuffle(),
            ends in (0u32..9, 0u32..9),
        ) {
            let mut graph = vec![Vec::new(); n];
            let mut edges = edges.into_iter();
            for (a, b) in (0..n).flat_map(|a| (0..a).map(move |b| (a, b))) {
                if edges.next() == Some(true) {
                    graph[a].push(b as u32);
                    graph[b].push(a as u32);
                }
            }
            let order: Vec<u32> = order.into_iter().filter(|&v| (v as usize) < n).collect();
            let (from, to) = (ends.0 % n as u32, ends.1 % n as u32);
            let mut all = vec![Ends::Closed, Ends::Free, Ends::From(from)];
            if from != to {
                all.push(Ends::Between(from, to));
            }
            for ends in all {
                let tours = Tours::new(&graph, ends, &order, None).unwrap();
                let expected = BigUint::from(plain(&graph, ends));
                for look in [Look::Always, Look::Never] {
                    let found = count_by(&tours, Part::WHOLE, Ways { look, ..Ways::default() }, &Run::default()).unwrap();
                    prop_assert_eq!(&found.total, &expected, "{:?} {:?}", ends, look);
                }
            }
        }

        #[test]
        fn random_graphs_with_a_symmetry(
            half in 2usize..5,
            centre in any::<bool>(),
            edges in prop::collection::vec(any::<bool>(), 81),
        ) {
            // Vertex v is swapped with n − 1 − v.
            let n = 2 * half + usize::from(centre);
            let mut graph = vec![Vec::new(); n];
            for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
                let (x, y) = (n - 1 - a, n - 1 - b);
                let least = [(a, b), (b, a), (x, y), (y, x)].into_iter().min();
                if a != b && least.is_some_and(|(a, b)| edges[a * 9 + b]) {
                    graph[a].push(b as u32);
                }
            }
            let order: Vec<u32> = (0..n as u32).collect();
            let swap = turned(n as u32);
            for ends in [Ends::Closed, Ends::Free, Ends::Between(0, n as u32 - 1)] {
                match Tours::new(&graph, ends, &order, Some(&swap)) {
                    Ok(tours) => {
                        let expected = BigUint::from(plain(&graph, ends));
                        for look in [Look::Always, Look::Never] {
                            let found = count_by(&tours, Part::WHOLE, Ways { look, ..Ways::default() }, &Run::default()).unwrap();
                            prop_assert_eq!(&found.total, &expected, "{:?} {:?}", ends, look);
                        }
                    }
                    Err(refused) => prop_assert_eq!(refused, Refused::Symmetry),
                }
            }
        }
    }
}
