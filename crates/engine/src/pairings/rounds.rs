//! Tours in rounds: the groups of a layer in many places.
//!
//! Which place a group belongs to depends on its type alone. In a [round](crate::rounds) a place
//! adds up the groups that came to it, so that each type is there once, and takes the next step of
//! each half with them; what it has of a new type goes to the place of that type. Both halves are
//! read at the same time, where there are two. After the last step a type of the first half is sent
//! to the place of the type that goes with it in the other half, so that the last round can join
//! them there.
//!
//! A group goes from place to place as it lies in a chunk: 12 bytes a border and 24 a group.
//! Several places have some ways of the same border, so more borders are sent than there are:
//! for closed knight's tours of 7×8 with 4 places, 1.2 times as many.

use num_bigint::BigUint;

use super::ahead::Ahead;
use super::count::{CountError, Counted, MOST, WORD, is_enough, put_together};
use super::halves::{Second, Tours};
use super::joining::{Joining, complement};
use super::layer::{Chunk, Layer, Look, Maker, mixed};
use super::matching::Tables;
use super::reading::{Reading, Step};
use super::ring::{Ring, Words};
use crate::number::{Modulus, primes};
use crate::records::Unusable;
use crate::rounds::{At, Ended, Rounds, Told, place_of};
use crate::run::{Run, Stop};

/// Tours that are counted in rounds.
pub struct InRounds {
    tours: Tours,
    ahead: Vec<Ahead>,
    /// Kept from round to round.
    tables: Tables,
    identity: Vec<u64>,
}

/// The halves that a place holds some groups of: what is read from the first vertex on, and the
/// other half.
const FIRST: usize = 0;
const SECOND: usize = 1;

/// What a round does with the groups of a half.
enum Doing<'s> {
    Step(&'s Step, Option<(&'s Ahead, usize)>),
    /// They wait for the other half.
    Nothing,
}

impl InRounds {
    /// The tours of a graph. Tables that are kept from round to round are memory of this run.
    pub fn new(tours: Tours, run: &Run) -> Self {
        let ahead = |reading: &Reading| Ahead::new(reading, &tours.neighbours, &tours.order);
        let ahead = match &tours.second {
            Second::Own(second) => vec![ahead(&tours.first), ahead(second)],
            Second::Image(_) => vec![ahead(&tours.first)],
        };
        let identity = tours.identity();
        InRounds { tours, ahead, tables: Tables::new(run), identity }
    }

    /// The tours.
    pub fn tours(&self) -> &Tours {
        &self.tours
    }

    /// The number that passes have found.
    pub fn counted(&self, ended: &[Ended]) -> Result<Counted, CountError> {
        let mut residues = Vec::new();
        for pass in ended {
            let (total, bound) = sum(pass).ok_or(CountError::Off)?;
            if residues.is_empty() && bound >= MOST {
                return Err(CountError::TooLarge);
            }
            residues.push((pass.modulus, total));
        }
        let layers = ended.first().and_then(|pass| pass.borders.get(1..));
        let layers = layers.map_or_else(Vec::new, <[u64]>::to_vec);
        let passes = residues.len().max(1) as u32;
        let total = if self.tours.has_dead_end() {
            Some(BigUint::ZERO)
        } else {
            let total = put_together(&residues, self.tours.is_signed());
            total.and_then(|total| total.try_into().ok())
        };
        let total = total.ok_or(CountError::Off)?;
        let residues = residues.split_off(residues.len().min(1));
        Ok(Counted { total, residues, layers, passes, dealt: 1 })
    }

    /// Steps of both halves, before the edges that are their own images.
    fn steps(&self) -> usize {
        let second = match &self.tours.second {
            Second::Own(second) => second.steps.len(),
            Second::Image(_) => 0,
        };
        self.tours.first.steps.len().max(second)
    }

    /// Edges that are their own images.
    fn late(&self) -> &[Step] {
        match &self.tours.second {
            Second::Own(_) => &[],
            Second::Image(edges) => edges,
        }
    }

    /// Slots of the borders of a half before a round.
    fn slots(&self, half: usize, round: usize) -> usize {
        let reading = match &self.tours.second {
            Second::Own(second) if half == SECOND => second,
            _ => &self.tours.first,
        };
        let last = round.min(reading.borders.len());
        last.checked_sub(1).map_or(0, |last| reading.borders[last].len())
    }

    /// What a round does with a half.
    fn doing(&self, half: usize, round: usize) -> Doing<'_> {
        let reading = match (half, &self.tours.second) {
            (FIRST, _) => &self.tours.first,
            (_, Second::Own(second)) => second,
            (_, Second::Image(_)) => return Doing::Nothing,
        };
        match reading.steps.get(round) {
            Some(step) => Doing::Step(step, Some((&self.ahead[half], round))),
            None if half == FIRST && round >= self.steps() => match self.late() {
                [] => Doing::Nothing,
                late => Doing::Step(&late[round - self.steps()], None),
            },
            None => Doing::Nothing,
        }
    }

    /// Whether a half is its own other half, and never sent as one.
    fn is_own(&self) -> bool {
        self.tours.is_swapped() && self.late().is_empty()
    }

    /// A number that says where a type goes in a round, with well mixed upper bits.
    fn destination(&self, half: usize, round: usize, word: u64) -> u64 {
        if round + 2 < self.rounds() || half == SECOND {
            return spread(word);
        }
        // To the type that goes with it, or to the lesser of both.
        let other = complement(word, &self.tours.slots);
        spread(if self.is_own() { word.min(other) } else { other })
    }

    fn with<R: Ring>(
        &self,
        ring: R,
        most: u64,
        at: At,
        came: Vec<Vec<u64>>,
        run: &Run,
        send: &mut dyn FnMut(usize, Vec<u64>) -> Result<(), Stop>,
    ) -> Result<Told, Unusable> {
        let maker = Maker::new(ring, Look::WhereItPays, &self.tables, run);
        let mut halves = self.gathered(&maker, most, at, came)?;
        let borders = halves.iter().map(Layer::borders).sum();
        if at.round + 1 == self.rounds() {
            let [first, second] = &halves;
            let b = if self.is_own() { first } else { second };
            let joining = Joining { a: first, b, tours: &self.tours, tables: &self.tables, run };
            let (total, bound) = joining.bounded(ring, WORD / 1e3 / at.places as f64)?;
            return Ok(Told { borders, words: vec![total, bound.to_bits()] });
        }
        if at.round == self.steps() && !self.late().is_empty() {
            // From here on there are two halves: without these edges, and with them.
            let [first, second] = &mut halves;
            for chunk in &first.chunks {
                for group in &chunk.groups {
                    second.push(chunk, group, run)?;
                }
            }
        }
        for (half, layer) in halves.into_iter().enumerate() {
            let next = match self.doing(half, at.round) {
                Doing::Step(step, ahead) => {
                    let next = maker.next(&layer, step, ahead)?;
                    // It takes as much room as what is made of it.
                    drop(layer);
                    next
                }
                Doing::Nothing => layer,
            };
            let mut places: Vec<Layer> = Vec::new();
            places.resize_with(at.places, Layer::default);
            for chunk in next.chunks {
                for group in &chunk.groups {
                    let to = place_of(self.destination(half, at.round, group.word), at.places);
                    places[to].push(&chunk, group, run)?;
                }
            }
            for (to, layer) in places.into_iter().enumerate() {
                for chunk in layer.chunks {
                    send(to, [vec![half as u64], chunk.to_words()].concat())?;
                }
            }
        }
        Ok(Told { borders, words: Vec::new() })
    }

    /// What came to a place, each type once.
    fn gathered<R: Ring>(
        &self,
        maker: &Maker<'_, R>,
        most: u64,
        at: At,
        came: Vec<Vec<u64>>,
    ) -> Result<[Layer; 2], Unusable> {
        let run = maker.run;
        let mut halves = [Layer::default(), Layer::default()];
        if at.round == 0 {
            if !came.is_empty() {
                return Err(Unusable::Damaged);
            }
            let read = if self.tours.is_swapped() { 1 } else { 2 };
            for (half, layer) in halves.iter_mut().enumerate().take(read) {
                if at.place == place_of(self.destination(half, 0, 0), at.places) {
                    *layer = Layer::start(run)?;
                }
            }
            return Ok(halves);
        }
        for words in came {
            let (half, words) = words.split_first().ok_or(Unusable::Damaged)?;
            let half = usize::try_from(*half).ok().filter(|&half| half < halves.len());
            let half = half.ok_or(Unusable::Damaged)?;
            halves[half].chunks.push(Chunk::checked(words, self.slots(half, at.round), most, run)?);
        }
        let mut all = [Layer::default(), Layer::default()];
        for (layer, all) in halves.into_iter().zip(&mut all) {
            *all = maker.next(&layer, &Step::gathering(), None)?;
        }
        Ok(all)
    }
}

/// A number of a type by which it goes to a place. Its upper bits are others than those by which
/// a place sorts what leads to a type, or each place would sort into a few of its heaps only.
fn spread(word: u64) -> u64 {
    mixed(word).rotate_left(32)
}

/// What all places of a pass told: the sum, and its bound.
fn sum(pass: &Ended) -> Option<(u64, f64)> {
    let modulus = if pass.modulus == 0 { None } else { Some(Modulus::new(pass.modulus)?) };
    pass.told.iter().try_fold((0, 0.0), |(sum, bound), words| {
        let &[more, most] = words.as_slice() else { return None };
        let sum = match modulus {
            None => Words.add(sum, more),
            Some(modulus) => (more < pass.modulus).then(|| modulus.add(sum, more))?,
        };
        Some((sum, bound + f64::from_bits(most)))
    })
}

impl Rounds for InRounds {
    fn identity(&self) -> Vec<u64> {
        self.identity.clone()
    }

    fn rounds(&self) -> usize {
        self.steps() + self.late().len() + 1
    }

    fn next_pass(&self, ended: &[Ended]) -> Option<u64> {
        if self.tours.has_dead_end() {
            return None;
        }
        let Some(first) = ended.first() else { return Some(0) };
        let bound = sum(first).map_or(MOST, |(_, bound)| bound);
        // What cannot be followed is said at the end.
        let is_enough = bound >= MOST || is_enough(ended.len(), bound, self.tours.is_signed());
        if is_enough { None } else { primes().nth(ended.len() - 1).map(Modulus::prime) }
    }

    fn round(
        &self,
        at: At,
        came: Vec<Vec<u64>>,
        run: &Run,
        send: &mut dyn FnMut(usize, Vec<u64>) -> Result<(), Stop>,
    ) -> Result<Told, Unusable> {
        if at.modulus == 0 {
            return self.with(Words, u64::MAX, at, came, run, send);
        }
        let modulus = Modulus::new(at.modulus).ok_or(Unusable::Damaged)?;
        self.with(modulus, at.modulus - 1, at, came, run, send)
    }
}
