//! Complete ways drawn uniformly.
//!
//! One pass forwards finds the borders of every layer; one pass backwards finds,
//! for each border, its exact number of completions. A way is then drawn from the
//! first site on, each choice with probability (completions after it) ÷
//! (completions before it), in exact integer arithmetic: every complete way has the
//! same chance, and the walk never runs into a dead end.

use num_bigint::BigUint;
use num_traits::Zero;

use super::Sweep;
use super::layer::Layer;
use crate::random::Random;
use crate::run::{Claim, Run, Stop};

/// The layers of a sweep, ready to draw from.
pub struct Sampler<'s, S: Sweep> {
    sweep: &'s S,
    /// Before each site, and after the last: borders with their completions;
    /// borders without any are left out.
    layers: Vec<Layer<S::Border, BigUint>>,
    total: BigUint,
    _numbers: Claim,
}

impl<'s, S: Sweep> Sampler<'s, S> {
    /// Reads the sweep forwards and backwards.
    pub fn new(sweep: &'s S, run: &Run) -> Result<Self, Stop> {
        let sites = sweep.sites();
        run.uneven_stage("sweeping forwards and backwards", 2 * sites as u64);
        let same = |(): &mut (), ()| ();
        let mut forwards = vec![Layer::of(sweep.start(), (), run)?];
        for site in 0..sites {
            let next = forwards[site].spread(sweep, site, same, run)?.gather(same, run)?;
            run.step(1);
            forwards.push(next);
        }

        // The digits of the numbers of ways lie outside the tables.
        let mut numbers = run.claim();
        let mut digits = 0;
        let mut clock = Clock::default();
        let mut after: Layer<S::Border, BigUint> = Layer::empty(run);
        if let Some(last) = forwards.pop() {
            for (border, ()) in last.iter().filter(|(border, ())| sweep.accepts(border)) {
                after.insert(border.clone(), BigUint::from(1u32))?;
            }
        }
        let mut layers = vec![after];
        for site in (0..sites).rev() {
            let Some(known) = forwards.pop() else { break };
            let mut before: Layer<S::Border, BigUint> = Layer::empty(run);
            for (border, ()) in known.iter() {
                let mut ways = BigUint::ZERO;
                let after = &layers[layers.len() - 1];
                sweep.choose(site, border, |_, to| {
                    if let Some(more) = after.get(&to) {
                        ways += more;
                    }
                });
                clock.tick(run)?;
                if !ways.is_zero() {
                    digits += ways.bits() / 8 + 16;
                    numbers.grow_to(digits)?;
                    before.insert(border.clone(), ways)?;
                }
            }
            run.step(1);
            layers.push(before);
        }
        layers.reverse();
        let total = layers[0].get(&sweep.start()).cloned().unwrap_or_default();
        Ok(Sampler { sweep, layers, total, _numbers: numbers })
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
        let mut codes = Vec::with_capacity(self.sweep.sites());
        for site in 0..self.sweep.sites() {
            let before = self.layers[site].get(&at)?;
            let mut rest = random.below_big(before);
            let mut chosen = None;
            self.sweep.choose(site, &at, |code, to| {
                if chosen.is_some() {
                    return;
                }
                if let Some(ways) = self.layers[site + 1].get(&to) {
                    if rest < *ways {
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

/// Looks at the clock every few thousand borders.
#[derive(Default)]
struct Clock(u64);

impl Clock {
    fn tick(&mut self, run: &Run) -> Result<(), Stop> {
        self.0 += 1;
        if self.0.is_multiple_of(4096) { run.tick(4096) } else { Ok(()) }
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
