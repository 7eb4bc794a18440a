//! The exact number of complete ways.
//!
//! Numbers of ways are kept as they are, in as many units of 32 bits as the largest of a shard
//! needs (`record`). So one pass over the sites is enough however large the numbers
//! become, and nothing has to be known of them beforehand. Numbers grow from layer to layer: where
//! the layers are largest, most numbers have half the digits of the total or fewer.
//!
//! A **part** `i/m` of a count is that of the ways through some of the borders of one layer:
//! the first that has enough of them. These are dealt out by their keys, which are the same on
//! every machine, so the parts are disjoint and together everything. What the
//! layers before cost, every part pays. And a border of a later layer that ways of several
//! parts lead to is read by each of them: since merging is what makes a sweep fast, its parts
//! save little. Ten parts of the closed knight's tours of 5×10 read 5.9 times as many borders
//! as the whole, and the largest layer of each is three quarters of the whole's.
//!
//! A count of a sweep that is [`Resumable`] saves itself in the run's store
//! ([`count_saved`]): every two minutes, and when it is stopped.

use std::fmt;
use std::time::Duration;

use num_bigint::BigUint;

use super::checkpoint::Checkpoint;
use super::layer::{Came, Layer, Means, Spreading};
use super::packed::{border_of, key, put_key};
use super::record::{Format, lead, number};
use super::{Resumable, Sweep};
use crate::number::RemainderError;
use crate::records::Unusable;
use crate::run::{Run, Stop};
use crate::search::Part;
use crate::store::PAUSE;

/// What was counted, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The exact number.
    pub total: BigUint,
    /// Borders after each site.
    pub layers: Vec<u64>,
    /// How many borders were dealt out to the parts; 1 if there is but one part.
    pub dealt: u64,
}

impl Counted {
    /// The most borders in one layer.
    pub fn peak(&self) -> u64 {
        self.layers.iter().copied().max().unwrap_or(1)
    }

    /// Borders in all layers.
    pub fn handled(&self) -> u64 {
        // What was saved may say anything.
        self.layers.iter().fold(0, |sum, &layer| sum.saturating_add(layer))
    }
}

/// Why there is no count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SweepError {
    /// A limit was hit.
    Stop(Stop),
    /// What the run's store holds cannot be gone on with; the sentence goes on after "the
    /// checkpoint".
    Checkpoint(Unusable),
    /// The residues of a term of a strip contradict each other: the machine or the program
    /// erred.
    Disagree(RemainderError),
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SweepError::Stop(stop) => stop.fmt(f),
            SweepError::Checkpoint(why) => write!(f, "the checkpoint {why}"),
            SweepError::Disagree(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SweepError {}

impl From<Stop> for SweepError {
    fn from(stop: Stop) -> Self {
        SweepError::Stop(stop)
    }
}

impl From<Unusable> for SweepError {
    /// A limit that is hit while a checkpoint is read is one like any other.
    fn from(why: Unusable) -> Self {
        match why {
            Unusable::Stop(stop) => SweepError::Stop(stop),
            why => SweepError::Checkpoint(why),
        }
    }
}

/// Counts the complete ways of a sweep.
pub fn count<S: Sweep>(sweep: &S, run: &Run) -> Result<Counted, SweepError> {
    count_part(sweep, Part::WHOLE, run)
}

/// Counts the complete ways of one part of a sweep. It does not save itself.
pub fn count_part<S: Sweep>(sweep: &S, part: Part, run: &Run) -> Result<Counted, SweepError> {
    let means = Means::of(run)?;
    let at = Reading::new(sweep, &means)?;
    counted(sweep, part, at, None, run)
}

/// The same, which saves itself in the run's store and goes on from what that holds.
pub fn count_saved<S: Resumable>(sweep: &S, part: Part, run: &Run) -> Result<Counted, SweepError> {
    let Some(store) = run.store() else { return count_part(sweep, part, run) };
    let means = Means::of(run)?;
    let checkpoint = Checkpoint::new(sweep, part, store);
    let at = match checkpoint.load(sweep, &means).map_err(SweepError::from)? {
        Some(at) => at,
        None => Reading::new(sweep, &means)?,
    };
    counted(sweep, part, at, Some(&checkpoint), run)
}

/// Borders for each part in the layer that is dealt out.
const BORDERS_A_PART: u64 = 16;
/// The time between two saves is at least so many times as long as a save.
const SAVING: u32 = 10;

/// A count that has come to some site.
pub(super) struct Reading<'m> {
    /// The site that is being read.
    pub(super) site: usize,
    /// Borders after each site before.
    pub(super) layers: Vec<u64>,
    /// At which site borders were dealt out to the parts, and how many: known once that site is
    /// being read.
    pub(super) dealt: Option<(usize, u64)>,
    pub(super) spreading: Spreading<'m>,
    /// Whether this was saved while the site was read.
    pub(super) is_resumed: bool,
}

impl<'m> Reading<'m> {
    /// Before the first site.
    pub(super) fn new<S: Sweep>(sweep: &S, means: &'m Means<'m>) -> Result<Self, Stop> {
        let mut start = Spreading::new::<S>(Layer::default(), means);
        let mut record = Vec::new();
        put_key(key(sweep.start()).as_ref(), &mut record);
        let format = Format { key: record.len(), number: 1 };
        record.push(1);
        start.put(format, &record, |_| true)?;
        let spreading = Spreading::new::<S>(start.gather()?, means);
        Ok(Reading { site: 0, layers: Vec::new(), dealt: None, spreading, is_resumed: false })
    }

    /// Reads all of the site; [`Came::ToAPause`] if it is to be saved first.
    pub(super) fn read<S: Sweep>(
        &mut self,
        sweep: &S,
        part: Part,
        pause: Option<Duration>,
    ) -> Result<Came, Stop> {
        let dealt = self.dealt.is_some_and(|(site, _)| site == self.site);
        self.spreading.read(sweep, self.site, if dealt { part } else { Part::WHOLE }, pause)
    }

    /// Goes on to the next site, if all of this one was read.
    pub(super) fn next<S: Sweep>(&mut self) -> Result<(), Stop> {
        let layer = self.spreading.gather()?;
        self.layers.push(layer.len());
        self.site += 1;
        self.spreading = Spreading::new::<S>(layer, self.spreading.means());
        Ok(())
    }

    /// Borders that are to be read.
    pub(super) fn borders(&self) -> u64 {
        self.spreading.unread()
    }
}

fn counted<'m, S: Sweep>(
    sweep: &S,
    part: Part,
    mut at: Reading<'m>,
    checkpoint: Option<&Checkpoint<'_>>,
    run: &Run,
) -> Result<Counted, SweepError> {
    let sites = sweep.sites();
    run.uneven_stage(format!("sweeping {sites} sites"), sites as u64);
    run.step(at.site as u64);
    let wanted = part.of().saturating_mul(BORDERS_A_PART);
    // What was saved while a site was read has been dealt out, if it was to be.
    let mut is_new = !at.is_resumed;
    let pause_between = run.store().map_or(PAUSE, |store| store.pause(PAUSE));
    let mut pause = checkpoint.map(|_| run.elapsed() + pause_between);
    let save = |at: &Reading<'m>| {
        let checkpoint = checkpoint?;
        let began = run.elapsed();
        if let Err(why) = checkpoint.save(at) {
            let shown = checkpoint.shown();
            run.warn(format!("The checkpoint {shown} could not be written: {why}."));
        }
        let now = run.elapsed();
        Some(now + pause_between.max(now.saturating_sub(began) * SAVING))
    };
    loop {
        let is_last = at.site == sites;
        // If no layer is wide enough, what is complete is dealt out.
        if is_new && at.dealt.is_none() && !part.is_whole() && (is_last || at.borders() >= wanted) {
            at.dealt = Some((at.site, at.borders()));
        }
        is_new = true;
        if is_last {
            break;
        }
        let read = loop {
            match at.read(sweep, part, pause) {
                Ok(Came::ToAPause) => pause = save(&at),
                Ok(Came::ToTheEnd) => break at.next::<S>(),
                Err(stop) => break Err(stop),
            }
        };
        if let Err(stop) = read {
            save(&at);
            return Err(stop.into());
        }
        run.step(1);
    }
    save(&at);
    let is_dealt = at.dealt.is_some_and(|(site, _)| site == sites);
    let mut total = BigUint::ZERO;
    at.spreading.each(|_, format, units| {
        for record in units.chunks_exact(format.stride()) {
            let (last, ways) = record.split_at(format.key);
            let is_ours = !is_dealt || part.contains(lead(last));
            if is_ours && sweep.accepts(&border_of(last)) {
                total += number(ways);
            }
        }
        Ok::<(), Stop>(())
    })?;
    let dealt = at.dealt.map_or(1, |(_, borders)| borders);
    Ok(Counted { total, layers: at.layers, dealt })
}

#[cfg(test)]
mod tests {
    use super::super::examples::Bits;
    use super::*;
    use crate::run::Budget;
    use proptest::prelude::*;

    #[test]
    fn words_without_two_ones_in_a_row_are_fibonacci_numbers() {
        for (sites, expected) in [(0, 1u32), (1, 2), (2, 3), (10, 144), (40, 267_914_296)] {
            let counted = count(&Bits::free(sites), &Run::default()).unwrap();
            assert_eq!(counted.total, BigUint::from(expected));
        }
    }

    #[test]
    fn large_counts_are_exact() {
        for threads in [1, 2] {
            let run = Run::new(Budget { threads, ..Budget::default() });
            let counted = count(&Bits::free(2000), &run).unwrap();
            let (mut a, mut b) = (BigUint::from(1u32), BigUint::from(1u32));
            for _ in 0..2000 {
                (a, b) = (b.clone(), a + b);
            }
            assert_eq!(counted.total, b);
            assert_eq!(counted.peak(), 2);
        }
    }

    #[test]
    fn limits_stop_the_sweep() {
        let run = Run::new(Budget { memory: Some(100), ..Budget::default() });
        let stopped = count(&Bits::free(20), &run).unwrap_err();
        assert!(matches!(stopped, SweepError::Stop(Stop::Memory { .. })), "{stopped}");
        assert_eq!(run.progress().bytes, 0, "all claims are given back");
        let run = Run::default();
        run.cancel();
        assert_eq!(count(&Bits::free(20), &run), Err(SweepError::Stop(Stop::Cancelled)));
    }

    proptest! {
        #[test]
        fn sweeps_agree_with_listing_all_words(bans in prop::collection::vec(0u8..4, 0..12)) {
            let sweep = Bits { bans };
            for threads in [1, 2] {
                let run = Run::new(Budget { threads, ..Budget::default() });
                let counted = count(&sweep, &run).unwrap();
                let all = BigUint::from(sweep.words().len());
                prop_assert_eq!(&counted.total, &all);
                for of in [2, 3, 40] {
                    let parts: Vec<_> = (1..=of)
                        .map(|index| Part::new(index, of).unwrap())
                        .map(|part| count_part(&sweep, part, &run).unwrap())
                        .collect();
                    let sum: BigUint = parts.iter().map(|part| &part.total).sum();
                    prop_assert_eq!(&sum, &all);
                    prop_assert!(parts.iter().all(|part| part.dealt == parts[0].dealt));
                }
            }
        }
    }
}
