//! Complete ways drawn uniformly.
//!
//! One pass forwards finds the borders of every layer; one pass backwards finds,
//! for each border, its exact number of completions. A way is then drawn from the
//! first site on, each choice with probability (completions after it) ÷
//! (completions before it), in exact integer arithmetic: every complete way has the
//! same chance, and the walk never runs into a dead end.

//!
//! All layers are kept, as sorted runs of records (`record`): of those that were read
//! forwards the borders alone, of those that were read backwards also their numbers.

use num_bigint::BigUint;
use num_traits::Zero;
use rayon::prelude::*;

use super::Sweep;
use super::count::Reading;
use super::layer::{Layer, Means, shard};
use super::packed::{Packed, border_of, key, lead, put_key};
use super::record::{Records, add_to, number};
use crate::random::Random;
use crate::run::{Run, Stop};
use crate::search::Part;

/// The layers of a sweep, ready to draw from.
pub struct Sampler<'s, S: Sweep> {
    sweep: &'s S,
    /// Before each site, and after the last: borders with their completions;
    /// borders without any are left out.
    layers: Vec<Kept>,
    total: BigUint,
}

/// A layer that stays.
struct Kept {
    bits: u32,
    /// By their numbers; some may be empty.
    shards: Vec<Records>,
}

impl Kept {
    fn of(layer: Layer, run: &Run) -> Self {
        let (bits, some) = layer.into_shards();
        let mut shards: Vec<Records> = (0..1usize << bits).map(|_| Records::new(run)).collect();
        for (number, records) in some {
            shards[number] = records;
        }
        Kept { bits, shards }
    }

    fn len(&self) -> usize {
        self.shards.iter().map(Records::len).sum()
    }

    /// The number of a border; `units` is where its key is written.
    fn get<B: Packed>(&self, border: B, units: &mut Vec<u32>) -> Option<&[u32]> {
        let key = key(border);
        units.clear();
        put_key(key.as_ref(), units);
        self.shards[shard(lead(key.as_ref()), self.bits)].get(units, self.bits)
    }
}

/// Borders between two looks at the clock.
const BORDERS_A_TICK: usize = 4096;

impl<'s, S: Sweep> Sampler<'s, S> {
    /// Reads the sweep forwards and backwards.
    pub fn new(sweep: &'s S, run: &Run) -> Result<Self, Stop> {
        let sites = sweep.sites();
        run.uneven_stage("sweeping forwards and backwards", 2 * sites as u64);
        let means = Means::memory(run);
        let mut forwards = Vec::new();
        let mut at = Reading::new(sweep, &means)?;
        for _ in 0..sites {
            at.spreading.keep();
            at.read(sweep, Part::WHOLE, None)?;
            forwards.push(Kept::of(at.spreading.kept(), run));
            at.next::<S>()?;
            run.step(1);
        }

        let mut units = Vec::new();
        let mut last = Records::new(run);
        at.spreading.each(|_, format, records| {
            for record in records.chunks_exact(format.stride()) {
                let border: S::Border = border_of(&record[..format.key]);
                if sweep.accepts(&border) {
                    last.push(&record[..format.key], &[1])?;
                }
            }
            Ok::<(), Stop>(())
        })?;
        drop(at);
        let mut layers = vec![Kept { bits: 0, shards: vec![last] }];
        for site in (0..sites).rev() {
            let (Some(known), Some(after)) = (forwards.pop(), layers.last()) else { break };
            layers.push(known.completed(sweep, site, after, run)?);
            run.step(1);
        }
        layers.reverse();
        let total = layers[0].get(sweep.start(), &mut units).map(number).unwrap_or_default();
        Ok(Sampler { sweep, layers, total })
    }

    /// How many complete ways there are.
    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// Borders kept, over all layers.
    pub fn borders(&self) -> u64 {
        self.layers.iter().map(|layer| layer.len() as u64).sum()
    }

    /// Draws one complete way, as the codes of its choices; `None` if there is none.
    pub fn draw(&self, random: &mut Random) -> Option<Vec<u8>> {
        if self.total.is_zero() {
            return None;
        }
        let mut at = self.sweep.start();
        let mut units = Vec::new();
        let mut codes = Vec::with_capacity(self.sweep.sites());
        for site in 0..self.sweep.sites() {
            let before = number(self.layers[site].get(at, &mut units)?);
            let mut rest = random.below_big(&before);
            let mut chosen = None;
            self.sweep.choose(site, &at, |code, to| {
                if chosen.is_some() {
                    return;
                }
                if let Some(ways) = self.layers[site + 1].get(to, &mut units).map(number) {
                    if rest < ways {
                        chosen = Some((code, to));
                    } else {
                        rest -= ways;
                    }
                }
            });
            let (code, to) = chosen?;
            codes.push(code);
            at = to;
        }
        Some(codes)
    }
}

impl Kept {
    /// The same borders with their completions, by those of the layer after them; borders
    /// without any are left out.
    fn completed<S: Sweep>(
        self,
        sweep: &S,
        site: usize,
        after: &Kept,
        run: &Run,
    ) -> Result<Kept, Stop> {
        let each = |known: Records| {
            let mut before = Records::new(run);
            let (mut units, mut ways) = (Vec::new(), Vec::new());
            let stride = known.format.stride();
            for some in known.units.chunks(BORDERS_A_TICK * stride) {
                for at in some.chunks_exact(stride) {
                    ways.clear();
                    sweep.choose(site, &border_of(at), |_, to| {
                        if let Some(more) = after.get(to, &mut units) {
                            add_to(&mut ways, more);
                        }
                    });
                    if !ways.is_empty() {
                        before.push(at, &ways)?;
                    }
                }
                run.tick((some.len() / stride) as u64)?;
            }
            before.settle()?;
            Ok(before)
        };
        let shards: Result<Vec<Records>, Stop> = if self.len() < BORDERS_A_TICK {
            self.shards.into_iter().map(each).collect()
        } else {
            run.parallel(|| self.shards.into_par_iter().map(each).collect())
        };
        Ok(Kept { bits: self.bits, shards: shards? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Bits;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_word_is_drawn_about_equally_often() {
        let sweep = Bits { bans: vec![0, 0, 1, 0, 2, 0, 0] };
        let words = sweep.words();
        let sampler = Sampler::new(&sweep, &Run::default()).unwrap();
        assert_eq!(*sampler.total(), BigUint::from(words.len()));
        let mut random = Random::new(11, 0);
        let mut seen: BTreeMap<Vec<u8>, f64> = words.iter().map(|w| (w.clone(), 0.0)).collect();
        let draws = 1000 * words.len();
        for _ in 0..draws {
            let word = sampler.draw(&mut random).unwrap();
            *seen.get_mut(&word).expect("only complete words are drawn") += 1.0;
        }
        let chi2: f64 = seen.values().map(|k| (k - 1000.0).powi(2) / 1000.0).sum();
        let freedom = (words.len() - 1) as f64;
        // Mean `freedom`, variance twice that; five deviations away is not chance.
        assert!(chi2 < freedom + 5.0 * (2.0 * freedom).sqrt(), "{chi2} on {freedom}");
    }

    #[test]
    fn nothing_is_drawn_from_nothing() {
        let nothing = Bits { bans: vec![3] };
        let sampler = Sampler::new(&nothing, &Run::default()).unwrap();
        assert!(sampler.draw(&mut Random::new(1, 0)).is_none());
    }

    proptest! {
        #[test]
        fn backwards_and_forwards_counts_agree(bans in prop::collection::vec(0u8..4, 0..12)) {
            let sweep = Bits { bans };
            let run = Run::default();
            let sampler = Sampler::new(&sweep, &run).unwrap();
            prop_assert_eq!(sampler.total(), &super::super::count(&sweep, &run).unwrap().total);
        }
    }
}
