//! A sweep in rounds: the records of a layer in many places.
//!
//! Which place a border belongs to depends on its key alone. In a
//! [round](crate::rounds) a place adds up the records that came to it, reads the next site after
//! each border, adds up what that leads to, and sends each record to its place. After the last
//! site the places tell what they have of complete things. Numbers are exact, so there is one
//! pass.

use num_bigint::BigUint;

use super::Resumable;
use super::checkpoint::{Batch, put_batch};
use super::count::Counted;
use super::layer::{Layer, Means, Spreading};
use super::packed::{border_of, key, put_key, units_of};
use super::record::{Format, lead, number};
use crate::records::Unusable;
use crate::rounds::{At, Ended, Rounds, Told, place_of};
use crate::run::{Run, Stop};
use crate::search::Part;

/// A sweep that is counted in rounds.
pub struct InRounds<S>(pub S);

/// Units of a parcel, about: some megabytes.
const PARCEL: usize = 1 << 19;

impl<S: Resumable> InRounds<S> {
    /// The number that the one pass has found; `None` if there are more or none.
    pub fn counted(&self, ended: &[Ended]) -> Option<Counted> {
        let [pass] = ended else { return None };
        let mut total = BigUint::ZERO;
        for words in &pass.told {
            let units: Vec<u32> =
                words.iter().flat_map(|&w| [w as u32, (w >> 32) as u32]).collect();
            total += number(&units);
        }
        let layers = pass.borders.get(1..)?.to_vec();
        Some(Counted { total, layers, dealt: 1 })
    }

    /// The records that came to a place, each border once.
    fn gathered(&self, at: At, came: Vec<Vec<u64>>, means: &Means) -> Result<Layer, Unusable> {
        // How many there are is only a guess at how the layer is best laid out.
        let words: usize = came.iter().map(Vec::len).sum();
        let mut to = Spreading::expecting::<S>(Layer::default(), words as u64 / 2, means);
        if at.round == 0 {
            if !came.is_empty() {
                return Err(Unusable::Damaged);
            }
            let start = key(self.0.start());
            if home(super::packed::lead(start.as_ref()), at.places) == at.place {
                let mut record = Vec::new();
                put_key(start.as_ref(), &mut record);
                let format = Format { key: record.len(), number: 1 };
                record.push(1);
                to.put(format, &record, |_| true)?;
            }
        }
        for words in came {
            let batch = Batch::read(&words).ok_or(Unusable::Damaged)?;
            if !batch.holds_borders(&self.0, at.round) {
                return Err(Unusable::Damaged);
            }
            to.put(batch.format, &batch.units, |_| true)?;
        }
        Ok(to.gather()?)
    }
}

/// The place of a border. Where a border stands among others is decided by the leading bits of its
/// key, so these must be of all kinds in every place.
fn home(lead: u64, places: usize) -> usize {
    place_of(lead.rotate_left(32), places)
}

fn packed(format: Format, units: &[u32]) -> Vec<u64> {
    let mut words = Vec::new();
    put_batch(format, units, &mut words);
    words
}

impl<S: Resumable + Send> Rounds for InRounds<S> {
    fn identity(&self) -> Vec<u64> {
        let units = units_of::<S::Border>() as u64;
        [vec![self.0.sites() as u64, units], self.0.identity()].concat()
    }

    fn rounds(&self) -> usize {
        self.0.sites() + 1
    }

    fn next_pass(&self, ended: &[Ended]) -> Option<u64> {
        ended.is_empty().then_some(0)
    }

    fn round(
        &self,
        at: At,
        came: Vec<Vec<u64>>,
        run: &Run,
        send: &mut dyn FnMut(usize, Vec<u64>) -> Result<(), Stop>,
    ) -> Result<Told, Unusable> {
        if at.modulus != 0 || at.round >= self.rounds() {
            return Err(Unusable::Damaged);
        }
        let means = Means::of(run)?;
        let layer = self.gathered(at, came, &means)?;
        let borders = layer.len();
        let spreading = Spreading::new::<S>(layer, &means);
        if at.round == self.0.sites() {
            let mut total = BigUint::ZERO;
            spreading.each(|_, format, units| {
                for record in units.chunks_exact(format.stride()) {
                    let (last, ways) = record.split_at(format.key);
                    if self.0.accepts(&border_of(last)) {
                        total += number(ways);
                    }
                }
                Ok::<(), Stop>(())
            })?;
            return Ok(Told { borders, words: total.to_u64_digits() });
        }
        spreading.read(&self.0, at.round, Part::WHOLE, None)?;
        let mut parcels: Vec<Option<(Format, Vec<u32>)>> = vec![None; at.places];
        spreading.each(|_, format, units| {
            for record in units.chunks_exact(format.stride()) {
                let to = home(lead(record), at.places);
                let parcel = parcels[to].get_or_insert_with(|| (format, Vec::new()));
                if parcel.0 != format || parcel.1.len() >= PARCEL {
                    let (format, full) = std::mem::replace(parcel, (format, Vec::new()));
                    send(to, packed(format, &full))?;
                }
                parcel.1.extend_from_slice(record);
            }
            Ok::<(), Stop>(())
        })?;
        for (to, parcel) in parcels.into_iter().enumerate() {
            if let Some((format, units)) = parcel.filter(|(_, units)| !units.is_empty()) {
                send(to, packed(format, &units))?;
            }
        }
        Ok(Told { borders, words: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::count;
    use super::super::examples::Apart;
    use super::*;
    use crate::rounds::carry;
    use crate::run::Budget;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rounds_count_what_one_process_counts(
            cols in 1usize..5,
            free in prop::collection::vec(any::<bool>(), 0..12),
            places in 1usize..6,
        ) {
            let sweep = Apart { cols, free };
            let run = Run::new(Budget { threads: 1, ..Budget::default() });
            let sets = sweep.sets();
            let whole = count(&sweep, &run).unwrap();
            let work = InRounds(sweep);
            let ended = carry(&work, places, &run).unwrap();
            let counted = work.counted(&ended).unwrap();
            prop_assert_eq!(&counted.total, &BigUint::from(sets));
            prop_assert_eq!(counted, whole);
        }
    }

    #[test]
    fn what_is_no_border_is_refused() {
        let work = InRounds(Apart::board(3, 4));
        let run = Run::default();
        let at = At { modulus: 0, round: 1, place: 0, places: 1 };
        let mut sent = Vec::new();
        let first = At { round: 0, ..at };
        let told = work.round(first, Vec::new(), &run, &mut |_, words| {
            sent.push(words);
            Ok(())
        });
        assert_eq!(told, Ok(Told { borders: 1, words: Vec::new() }));
        let round = |came: Vec<Vec<u64>>| work.round(at, came, &run, &mut |_, _| Ok(()));
        assert_eq!(round(sent.clone()).unwrap().borders, 2);
        for word in 0..sent[0].len() {
            assert_eq!(round(vec![sent[0][..word].to_vec()]), Err(Unusable::Damaged), "{word}");
            // Another format, or another key: nearly all of them are those of no border.
            if word < 4 {
                let mut changed = sent.clone();
                changed[0][word] ^= 1 << 20;
                assert_eq!(round(changed), Err(Unusable::Damaged), "{word}");
            }
        }
        assert_eq!(work.round(first, sent, &run, &mut |_, _| Ok(())), Err(Unusable::Damaged));
    }
}
