//! Work in rounds: for workers that share nothing but what is carried between them.
//!
//! A layer that is too large for one machine lies in **places**, each of which holds some of its
//! borders. In a **round** every place works by itself: it gathers the **parcels** that came to it,
//! and spreads what it has into parcels for the places of the next round. Between rounds the
//! parcels are carried: by a cluster engine, which calls this a shuffle, or by one process
//! ([`carry`]). Whoever carries them decides nothing, and need not know what is in them.
//!
//! All rounds, from the first, to which nothing comes, to the last, which sends nothing, are a
//! **pass**. In the last round every place *tells* some words, and what all places told decides
//! whether another pass is made, modulo another number ([`Rounds::next_pass`]).
//!
//! A round of a place depends on what came to it and on nothing else. So it can be done again
//! wherever and as often as one likes, after a worker was lost or from parcels that were kept.
//!
//! This is the map and the reduce by key of `MapReduce`, in which Tromp and Farnebäck put the
//! counting of Go positions; a place does the reduce of one round and the map of the next at once.

use crate::disk::checksum;
use crate::records::{Unusable, get, put};
use crate::run::{Run, Stop};

/// Work that falls into rounds.
pub trait Rounds: Send + Sync {
    /// All that parcels depend on: works of the same identity understand each other's parcels.
    fn identity(&self) -> Vec<u64>;

    /// Rounds of a pass, the last one included.
    fn rounds(&self) -> usize;

    /// The most places that have something to do.
    fn most_places(&self) -> usize {
        usize::MAX
    }

    /// The modulus of the next pass, 0 for 2^64, after those that have ended; `None` if they are
    /// enough.
    fn next_pass(&self, ended: &[Ended]) -> Option<u64>;

    /// Does the round of a place. `came` are the parcels that came to it, in any order; `send` is
    /// called with the place that a parcel is for and with what is in it.
    fn round(
        &self,
        at: At,
        came: Vec<Vec<u64>>,
        run: &Run,
        send: &mut dyn FnMut(usize, Vec<u64>) -> Result<(), Stop>,
    ) -> Result<Told, Unusable>;
}

/// Which round of which place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// What the pass counts modulo; 0 is 2^64.
    pub modulus: u64,
    /// The round, from 0.
    pub round: usize,
    /// The place, from 0.
    pub place: usize,
    /// How many places there are.
    pub places: usize,
}

/// What a place tells after a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Borders that it had when all that came was gathered.
    pub borders: u64,
    /// After the last round, its share of the result.
    pub words: Vec<u64>,
}

/// A pass that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// What it counted modulo; 0 is 2^64.
    pub modulus: u64,
    /// What each place told in the last round.
    pub told: Vec<Vec<u64>>,
    /// Borders of all places in each round.
    pub borders: Vec<u64>,
}

impl Ended {
    /// The most borders of a round.
    pub fn peak(&self) -> u64 {
        self.borders.iter().copied().max().unwrap_or(0)
    }
}

/// The place that something belongs to, by a number whose upper bits are well mixed.
pub(crate) fn place_of(mixed: u64, places: usize) -> usize {
    ((u128::from(mixed) * places as u128) >> 64) as usize
}

/// Words of a label.
const LABEL: usize = 6;

/// What is written on a parcel: the work, and which of its parcels it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label([u64; LABEL]);

impl Label {
    /// A parcel that is sent in the round `at`, to the place `to`.
    pub fn sent(identity: &[u64], at: At, to: usize) -> Self {
        let next = at.round as u64 + 1;
        Label([checksum(identity), at.modulus, next, at.places as u64, to as u64, at.place as u64])
    }

    /// Whether a parcel came to the right round and place, whoever sent it.
    fn is_for(self, identity: &[u64], at: At) -> bool {
        let [of, modulus, round, places, to, from] = self.0;
        let right = [checksum(identity), at.modulus, at.round as u64, at.places as u64];
        [of, modulus, round, places] == right && to == at.place as u64 && from < places
    }

    /// A parcel as bytes, with a checksum.
    pub fn seal(self, words: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 * (words.len() + LABEL + 4));
        for record in [&self.0[..], words] {
            // Bytes in memory can always be written to.
            let _ = put(&mut bytes, record);
        }
        bytes
    }
}

/// What is in a parcel that came as bytes. One that is damaged or belongs elsewhere is refused.
pub fn unseal(mut bytes: &[u8], identity: &[u64], at: At) -> Result<Vec<u64>, Unusable> {
    let label = <[u64; LABEL]>::try_from(get(&mut bytes)?).map_err(|_| Unusable::Damaged)?;
    let words = get(&mut bytes)?;
    if !bytes.is_empty() {
        return Err(Unusable::Damaged);
    }
    if Label(label).is_for(identity, at) { Ok(words) } else { Err(Unusable::Other { about: None }) }
}

/// Does all passes in this process, place by place: the carrier that others are compared with.
pub fn carry(work: &dyn Rounds, places: usize, run: &Run) -> Result<Vec<Ended>, Unusable> {
    let mut ended = Vec::new();
    while let Some(modulus) = work.next_pass(&ended) {
        let mut pass = Ended { modulus, ..Ended::default() };
        let mut parcels: Vec<Vec<Vec<u64>>> = vec![Vec::new(); places];
        for round in 0..work.rounds() {
            let mut sent: Vec<Vec<Vec<u64>>> = vec![Vec::new(); places];
            let mut borders = 0;
            for (place, came) in parcels.into_iter().enumerate() {
                let at = At { modulus, round, place, places };
                let told = work.round(at, came, run, &mut |to, words| {
                    sent[to].push(words);
                    Ok(())
                })?;
                borders += told.borders;
                if round + 1 == work.rounds() {
                    pass.told.push(told.words);
                }
            }
            pass.borders.push(borders);
            parcels = sent;
        }
        ended.push(pass);
    }
    Ok(ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: At = At { modulus: 7, round: 3, place: 1, places: 4 };

    /// Every bit, and every length.
    #[test]
    fn changed_and_misled_parcels_are_not_believed() {
        let label = Label::sent(&[1, 2], At { round: 2, place: 0, ..AT }, 1);
        let bytes = label.seal(&[5, 6, 7]);
        assert_eq!(unseal(&bytes, &[1, 2], AT), Ok(vec![5, 6, 7]));
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(unseal(&flipped, &[1, 2], AT).is_err(), "{bit}");
            assert_eq!(unseal(&bytes[..bit / 8], &[1, 2], AT), Err(Unusable::Damaged), "{bit}");
        }
        let misled = Err(Unusable::Other { about: None });
        assert_eq!(unseal(&bytes, &[1, 3], AT), misled);
        for at in [
            At { modulus: 0, ..AT },
            At { round: 4, ..AT },
            At { place: 0, ..AT },
            At { places: 5, ..AT },
        ] {
            assert_eq!(unseal(&bytes, &[1, 2], at), misled, "{at:?}");
        }
    }

    #[test]
    fn places_are_even() {
        let mut seen = [0u32; 5];
        (0..5000u64).for_each(|k| seen[place_of(k * (u64::MAX / 5000), 5)] += 1);
        assert!(seen.iter().all(|&n| n.abs_diff(1000) <= 1), "{seen:?}");
        assert_eq!(place_of(u64::MAX, 3), 2);
    }
}
