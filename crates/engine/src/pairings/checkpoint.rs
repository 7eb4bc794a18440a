//! Counts that save themselves: all slices of a count on its way, in the store of its run.
//!
//! A line of text, then *records* of little-endian 64-bit words: how many there are, a checksum,
//! and the words. The first record says what is counted: the graph, how it is read, and which
//! part. The second says how far it has come; then come the slices, the one that was being read
//! last, each a record and one for each chunk of its layers. Nothing is believed: what does not
//! fit together is refused.

use std::io::{self, BufReader, Read};

use super::count::MOST;
use super::halves::{Second, Tours};
use super::layer::{Chunk, Layer};
use super::passes::{HalfRead, Job, State};
use super::reading::{Reading, at};
use super::slices::Waiting;
use crate::number::{Modulus, primes};
use crate::records::{Unusable, get, put};
use crate::run::{Run, Stop};
use crate::search::Part;
use crate::store::Store;

const HEAD: &[u8] = b"pessoi pairings checkpoint 2\n\n\n\n";
/// What it is of.
const KIND: &str = "counting tours by pairings";
/// Numbers that floats can follow take no more passes.
const MOST_PASSES: usize = 20;
/// More borders than are read in a pass.
const MOST_BORDERS: u64 = 1 << 56;

/// What a checkpoint is of.
pub(super) struct Saved<'s> {
    pub(super) tours: &'s Tours,
    pub(super) part: Part,
    pub(super) readings: Vec<&'s Reading>,
    pub(super) run: &'s Run,
}

impl Saved<'_> {
    /// Everything that the count depends on.
    fn identity(&self) -> Vec<u64> {
        [vec![self.part.index(), self.part.of()], self.tours.identity()].concat()
    }
}

impl Tours {
    /// The graph, and how it is read.
    pub(super) fn identity(&self) -> Vec<u64> {
        let second = match &self.second {
            Second::Own(second) => second.steps.len(),
            Second::Image(edges) => usize::MAX - edges.len(),
        };
        let mut words = vec![second as u64];
        let mut list = |list: &[u32]| {
            words.push(list.len() as u64);
            words.extend(list.iter().map(|&vertex| u64::from(vertex)));
        };
        self.neighbours.iter().for_each(|near| list(near));
        list(&self.order);
        list(&self.first.order);
        list(self.first.last());
        words.extend(self.slots.iter().map(|&slot| u64::from(slot)));
        let factors = self.factors.each();
        words.extend(factors.flat_map(|(a, b, factor)| [a.into(), b.into(), factor as u64]));
        words
    }
}

impl Chunk {
    /// What was written by [`Chunk::to_words`] of a layer whose borders have so many slots, and
    /// whose numbers are no larger than `most`. Other words are refused.
    pub(super) fn checked(
        words: &[u64],
        slots: usize,
        most: u64,
        run: &Run,
    ) -> Result<Self, Unusable> {
        let chunk = Chunk::from_words(words, run).map_err(Unusable::Stop)?;
        let chunk = chunk.ok_or(Unusable::Damaged)?;
        let fits = |word: u64| (slots..32).all(|slot| at(word, slot) == 0);
        if !chunk.groups.iter().all(|group| fits(group.word)) || chunk.largest() > most {
            return Err(Unusable::Damaged);
        }
        Ok(chunk)
    }
}

/// Saves a count; `halves` is what is being read.
pub(super) fn save(
    store: &Store,
    saved: &Saved<'_>,
    state: &State,
    station: usize,
    halves: &[(usize, &Layer)],
) -> io::Result<()> {
    store.save_with(|out| {
        out.write_all(HEAD)?;
        put(out, &saved.identity())?;
        let mut words = vec![
            state.first_bound.to_bits(),
            state.total,
            state.bound.to_bits(),
            state.dealt,
            state.jobs.len() as u64 + u64::from(!halves.is_empty()),
            state.residues.len() as u64,
            state.mine.len() as u64,
        ];
        words.extend(state.residues.iter().flat_map(|&(modulus, residue)| [modulus, residue]));
        words.extend(&state.layers);
        words.extend(&state.mine);
        put(out, &words)?;
        for job in &state.jobs {
            let mut head = vec![job.station as u64];
            head.extend(
                job.halves.iter().flat_map(|half| [half.steps as u64, half.layer.chunks() as u64]),
            );
            put(out, &head)?;
            for half in &job.halves {
                half.layer.each_chunk(|words| put(out, words).map(drop).map_err(Failed::from))?;
            }
        }
        if halves.is_empty() {
            return Ok(());
        }
        let mut head = vec![station as u64];
        let sizes = halves.iter().map(|(steps, layer)| [*steps, layer.chunks.len()]);
        head.extend(sizes.flatten().map(|size| size as u64));
        put(out, &head)?;
        let mut chunks = halves.iter().flat_map(|(_, layer)| &layer.chunks);
        chunks.try_for_each(|chunk| put(out, &chunk.to_words()).map(drop))
    })
}

/// What can go wrong while a slice is copied from the disk.
struct Failed(io::Error);

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Self {
        Failed(io::Error::other(stop))
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Failed(error)
    }
}

impl From<Failed> for io::Error {
    fn from(Failed(error): Failed) -> Self {
        error
    }
}

/// What was saved; `None` if nothing was.
pub(super) fn load(store: &Store, saved: &Saved<'_>) -> Result<Option<State>, Unusable> {
    let file = store.reader().map_err(|error| Unusable::Unread(error.to_string()))?;
    let Some(file) = file else { return Ok(None) };
    let mut from = BufReader::new(file);
    let mut head = [0; HEAD.len()];
    if from.read_exact(&mut head).is_err() || head != HEAD {
        return Err(Unusable::Foreign { kind: KIND });
    }
    if get(&mut from)? != saved.identity() {
        return Err(Unusable::Other { about: None });
    }
    let words = get(&mut from)?;
    let (&[first_bound, total, bound, dealt, jobs, residues, mine], rest) =
        words.split_first_chunk::<7>().ok_or(Unusable::Damaged)?;
    let pairs = usize::try_from(residues).ok().and_then(|n| n.checked_mul(2));
    let (residues, rest) = pairs.and_then(|n| rest.split_at_checked(n)).ok_or(Unusable::Damaged)?;
    let (layers, slices) = rest.split_at_checked(saved.tours.steps()).ok_or(Unusable::Damaged)?;
    // No machine reads so many borders; larger sums would overflow later.
    let read = layers.iter().try_fold(0u64, |sum, &layer| sum.checked_add(layer));
    if slices.len() as u64 != mine
        || !slices.is_sorted()
        || read.is_none_or(|read| read > MOST_BORDERS)
    {
        return Err(Unusable::Damaged);
    }
    let [first_bound, bound] = [first_bound, bound].map(f64::from_bits);
    let mut state = State {
        residues: residues.chunks_exact(2).map(|two| (two[0], two[1])).collect(),
        first_bound,
        total,
        bound,
        layers: layers.to_vec(),
        dealt,
        mine: slices.to_vec(),
        jobs: Vec::new(),
    };
    // The passes that are done, each with its modulus: 2^64, and then the primes in order.
    let is_pass = |(at, &(modulus, residue)): (usize, &(u64, u64))| match at.checked_sub(1) {
        None => modulus == 0,
        Some(n) => primes().nth(n).map(Modulus::prime) == Some(modulus) && residue < modulus,
    };
    let can_be = (0.0..MOST).contains(&first_bound)
        && bound >= 0.0
        && state.residues.len() <= MOST_PASSES
        && state.residues.iter().enumerate().all(is_pass);
    if !can_be {
        return Err(Unusable::Damaged);
    }
    let below = state.modulus().map_or(u64::MAX, |modulus| modulus.prime() - 1);
    if total > below {
        return Err(Unusable::Damaged);
    }
    for _ in 0..jobs {
        state.jobs.push(job(&mut from, below, saved)?);
    }
    let mut end = [0];
    match from.read(&mut end) {
        Ok(0) => Ok(Some(state)),
        _ => Err(Unusable::Damaged),
    }
}

fn job(from: &mut impl Read, most: u64, saved: &Saved<'_>) -> Result<Job, Unusable> {
    let head = get(from)?;
    let (station, halves) = head.split_first().ok_or(Unusable::Damaged)?;
    if halves.len() != 2 * saved.readings.len() {
        return Err(Unusable::Damaged);
    }
    let mut job = Job {
        station: usize::try_from(*station).map_err(|_| Unusable::Damaged)?,
        halves: Vec::new(),
    };
    for (half, reading) in halves.chunks_exact(2).zip(&saved.readings) {
        let steps = usize::try_from(half[0]).ok().filter(|&steps| steps <= reading.steps.len());
        let steps = steps.ok_or(Unusable::Damaged)?;
        let border = steps.checked_sub(1).map_or(0, |last| reading.borders[last].len());
        let mut layer = Layer::default();
        for _ in 0..half[1] {
            layer.chunks.push(Chunk::checked(&get(from)?, border, most, saved.run)?);
        }
        let (layer, put) = Waiting::put(layer, saved.run);
        put.map_err(Unusable::Stop)?;
        job.halves.push(HalfRead { steps, layer });
    }
    Ok(job)
}
