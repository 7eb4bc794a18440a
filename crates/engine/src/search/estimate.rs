//! The number of solutions from random probes.
//!
//! **Knuth's probe** (1975) walks down the tree, at each node takes one of the b
//! steps at random and multiplies its weight by b; at a solution the weight is an
//! unbiased estimate of the number of solutions. Its spread is huge when subtrees
//! differ in size. **Chen's heuristic sampling** keeps one node of each stratum instead of
//! one in all: see [`chen`](mod@super::chen).
//!
//! A probe of either kind is one [`Sample`]. The **effective sample size** (Σx)²/Σx² is the
//! number of equal samples that would be worth as much. Whether there is an interval, and
//! which, is decided in [`interval`](mod@super::interval).
//!
//! Numbers are kept as natural logarithms, for they may lie far outside of what a float can
//! hold: 10^4638 legal positions of Go on 99×99. The mean and its standard error are those of
//! the numbers themselves, computed after all are divided by the largest.

use std::cell::Cell;
use std::io;
use std::time::Instant;

use rayon::prelude::*;

use super::chen::{Children, Ranked, Strata, chen};
use super::interval::{Interval, NoInterval, interval};
use super::{Outlook, Search};
use crate::ledger::{Chapter, Writer};
use crate::number::large::Large;
use crate::random::Random;
use crate::records::{Unusable, Words};
use crate::run::{Claim, Run, Stop};

/// Which probe to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probing {
    /// One path a sample.
    Knuth,
    /// One node a stratum.
    Chen,
}

/// One sample, as natural logarithms; −∞ stands for zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Of the estimated number of solutions.
    pub ln: f64,
    /// Of the estimated number of nodes of the tree.
    pub ln_tree: f64,
}

impl Words for Sample {
    fn put(&self, words: &mut Vec<u64>) {
        [self.ln, self.ln_tree].put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let [ln, ln_tree] = <[f64; 2]>::take(words)?;
        // No logarithm of a number is infinite but that of zero.
        let is_one = |ln: f64| ln.is_finite() || ln == f64::NEG_INFINITY;
        (is_one(ln) && is_one(ln_tree)).then_some(Sample { ln, ln_tree })
    }
}

/// What the samples say.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The natural logarithm of the mean of all samples; −∞ if every sample was zero.
    pub ln_mean: f64,
    /// The standard error of the mean, divided by the mean; infinite if that is not known.
    pub relative_error: f64,
    /// Samples drawn.
    pub samples: u64,
    /// Samples that found a solution.
    pub found: u64,
    /// Equal samples that would be worth as much.
    pub effective: f64,
    /// Where the true number is, 95 times in 100; or why that cannot be said.
    pub interval: Result<Interval, NoInterval>,
    /// The natural logarithm of the number of nodes of the whole tree, by the same samples.
    pub ln_tree: f64,
    /// Why fewer samples were drawn than asked for, if so.
    pub stopped: Option<Stop>,
}

impl Estimate {
    /// The mean of samples and its error.
    pub fn of(samples: &[Sample], stopped: Option<Stop>) -> Self {
        let number = samples.len() as f64;
        let (most, scaled) = divided_by_the_largest(samples.iter().map(|sample| sample.ln));
        let (tree_most, tree) = divided_by_the_largest(samples.iter().map(|sample| sample.ln_tree));
        let sum: f64 = scaled.iter().sum();
        let mean = sum / number;
        let deviations: f64 = scaled.iter().map(|x| (x - mean) * (x - mean)).sum();
        let squares: f64 = scaled.iter().map(|x| x * x).sum();
        let known = samples.len() > 1 && sum > 0.0;
        let found = samples.iter().filter(|sample| sample.ln > f64::NEG_INFINITY).count() as u64;
        Estimate {
            ln_mean: if sum > 0.0 { most + mean.ln() } else { f64::NEG_INFINITY },
            relative_error: if known {
                (deviations / (number - 1.0) / number).sqrt() / mean
            } else {
                f64::INFINITY
            },
            samples: samples.len() as u64,
            found,
            interval: interval(&scaled, found),
            effective: if sum > 0.0 { sum * sum / squares } else { 0.0 },
            ln_tree: tree_most + (tree.iter().sum::<f64>() / number).ln(),
            stopped,
        }
    }

    /// Whether no sample found a solution.
    pub fn is_zero(&self) -> bool {
        self.ln_mean == f64::NEG_INFINITY
    }

    /// The estimate of a number that is larger by a factor, given by its natural logarithm.
    #[must_use]
    pub fn scaled_by(mut self, ln: f64) -> Self {
        self.ln_mean += ln;
        self
    }

    /// The mean; infinite where no float can hold it.
    pub fn mean(&self) -> f64 {
        self.ln_mean.exp()
    }

    /// The decimal logarithm of the mean.
    pub fn log10(&self) -> f64 {
        self.ln_mean / std::f64::consts::LN_10
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        if self.is_zero() { 0.0 } else { self.mean() * self.relative_error }
    }

    /// The nodes of the whole tree; infinite where no float can hold that.
    pub fn tree(&self) -> f64 {
        self.ln_tree.exp()
    }
}

/// The largest of some logarithms, and all numbers divided by the largest number.
fn divided_by_the_largest(logarithms: impl Iterator<Item = f64> + Clone) -> (f64, Vec<f64>) {
    let most = logarithms.clone().fold(f64::NEG_INFINITY, f64::max);
    let shift = if most == f64::NEG_INFINITY { 0.0 } else { most };
    (most, logarithms.map(|ln| (ln - shift).exp()).collect())
}

/// Batches are doubled until one takes about so long or has so many samples.
const BATCH_SECONDS: f64 = 0.05;
const MOST_IN_A_BATCH: u64 = 1 << 14;

/// Draws samples on all threads: `samples` of them, or as many as the budget allows, and then
/// also why they are fewer. They are kept in a chapter of the job's ledger, which stays open:
/// the series can be gone on with.
///
/// Number k uses stream k of the run's seed, so the samples do not depend on the threads, and
/// a shorter series is the beginning of a longer one.
pub fn draw<T: Words + Send>(
    samples: u64,
    run: &Run,
    chapter: &Chapter,
    one: impl Fn(&mut Random) -> Result<T, Stop> + Sync,
) -> (Vec<T>, Option<Stop>) {
    run.stage("sampling", samples);
    let mut claim = run.claim();
    let mut drawn: Vec<T> = Vec::new();
    if let Err(stop) = taken_up(&mut drawn, samples, chapter, &mut claim) {
        return (Vec::new(), Some(stop));
    }
    run.step(drawn.len() as u64);
    let stopped = go_on(&mut drawn, samples, run, chapter, &mut claim, one).err();
    chapter.put_aside(|out| put(&drawn, out));
    (drawn, stopped)
}

/// Samples of one record of a checkpoint.
const A_RECORD: usize = 1 << 12;

/// Writes samples to a checkpoint.
fn put<T: Words>(drawn: &[T], out: &mut Writer) -> io::Result<()> {
    drawn.chunks(A_RECORD).try_for_each(|samples| {
        let mut words = Vec::new();
        for sample in samples {
            sample.put(&mut words);
        }
        out.record(&words)
    })
}

/// Takes up the samples that an earlier run drew.
fn taken_up<T: Words>(
    drawn: &mut Vec<T>,
    samples: u64,
    chapter: &Chapter,
    claim: &mut Claim,
) -> Result<(), Stop> {
    let Some(mut saved) = chapter.begun()? else { return Ok(()) };
    while saved.left() > 0 {
        claim.grow_to(2 * (drawn.len() + A_RECORD) as u64 * size_of::<T>() as u64)?;
        let words = saved.record().map_err(|why| chapter.refuse(why))?;
        let mut words = &words[..];
        while !words.is_empty() {
            let sample = T::take(&mut words).filter(|_| (drawn.len() as u64) < samples);
            drawn.push(sample.ok_or_else(|| chapter.refuse(Unusable::Damaged))?);
        }
    }
    Ok(())
}

fn go_on<T: Words + Send>(
    drawn: &mut Vec<T>,
    samples: u64,
    run: &Run,
    chapter: &Chapter,
    claim: &mut Claim,
    one: impl Fn(&mut Random) -> Result<T, Stop> + Sync,
) -> Result<(), Stop> {
    let mut size = 2 * run.budget().threads as u64;
    while (drawn.len() as u64) < samples {
        let first = drawn.len() as u64;
        let end = first.saturating_add(size).min(samples);
        // The batch, and room for the samples to double.
        claim.grow_to((2 * end + size) * size_of::<T>() as u64)?;
        let began = Instant::now();
        let sample = |k| {
            run.check()?;
            let sample = one(&mut Random::new(run.budget().seed, k));
            run.step(1);
            sample
        };
        // One thread needs no other: to start it takes as long as some hundred short probes.
        let batch: Vec<Result<T, Stop>> = if run.budget().threads == 1 {
            (first..end).map(sample).collect()
        } else {
            run.parallel(|| (first..end).into_par_iter().map(sample).collect())
        };
        for sample in batch {
            drawn.push(sample?);
        }
        chapter.save_if_due(|out| put(drawn, out));
        if began.elapsed().as_secs_f64() < BATCH_SECONDS {
            size = (2 * size).min(MOST_IN_A_BATCH);
        }
    }
    Ok(())
}

/// Estimates the number of solutions from `samples` samples, or as many as the budget
/// allows. The result does not depend on the number of threads. It is an error if not
/// even two samples could be drawn.
pub fn estimate<S>(
    search: &S,
    how: Probing,
    samples: u64,
    run: &Run,
    chapter: &Chapter,
) -> Result<Estimate, Stop>
where
    S: Search + Clone + Send + Sync,
{
    let (drawn, stopped) = draw(samples, run, chapter, |random| match how {
        Probing::Knuth => knuth(search, random, run),
        Probing::Chen => chen(&Tree { search, steps: Cell::default() }, random, run),
    });
    match stopped {
        Some(stop) if drawn.len() < 2 => Err(stop),
        stopped => Ok(Estimate::of(&drawn, stopped)),
    }
}

/// Nodes of one of Knuth's probes between two looks at the clock.
const NODES_A_TICK: u64 = 1024;

fn knuth<S: Search + Clone>(search: &S, random: &mut Random, run: &Run) -> Result<Sample, Stop> {
    let mut search = search.clone();
    let (mut solutions, mut nodes) = (Large::ZERO, Large::ZERO);
    let mut weight = Large::ONE;
    let mut steps = Vec::new();
    let mut looked = 0;
    loop {
        looked += 1;
        if looked == NODES_A_TICK {
            run.tick(std::mem::take(&mut looked))?;
        }
        nodes += weight;
        steps.clear();
        match search.look(&mut steps) {
            Outlook::Solved => solutions = weight,
            Outlook::Branch if !steps.is_empty() => {
                weight = weight.times(steps.len() as f64);
                search.take(steps[random.below(steps.len() as u64) as usize]);
                continue;
            }
            Outlook::Dead | Outlook::Branch => {}
        }
        run.tick(looked)?;
        return Ok(Sample { ln: solutions.ln(), ln_tree: nodes.ln() });
    }
}

/// The tree of a search. What has most left to do is read first, and where that is not known,
/// what lies highest.
struct Tree<'s, S: Search> {
    search: &'s S,
    /// The steps of the node that is read, so that they are not allocated each time.
    steps: Cell<Vec<S::Step>>,
}

impl<S: Search> Tree<'_, S> {
    fn key(node: &S, depth: u64) -> (u64, u64) {
        (node.left().unwrap_or(u64::MAX - depth), node.stratum())
    }
}

impl<S: Search + Clone> Strata for Tree<'_, S> {
    /// A node and its depth.
    type Node = (u64, S);
    type Shelves = Ranked<(u64, S)>;

    fn shelves(&self) -> Ranked<(u64, S)> {
        Ranked::default()
    }

    fn heap_bytes(&self) -> usize {
        self.search.heap_bytes()
    }

    fn root(&self) -> ((u64, u64), (u64, S)) {
        (Self::key(self.search, 0), (0, self.search.clone()))
    }

    fn read(
        &self,
        (depth, node): &mut (u64, S),
        children: &mut Children<Self>,
    ) -> Result<f64, Stop> {
        let mut steps = self.steps.take();
        steps.clear();
        let outlook = node.look(&mut steps);
        if outlook == Outlook::Branch {
            let below = *depth + 1;
            for &step in &steps {
                node.take(step);
                children.offer(Self::key(node, below), 1.0, |place| match place {
                    Some((kept_depth, kept)) => {
                        *kept_depth = below;
                        kept.clone_from(node);
                    }
                    None => *place = Some((below, node.clone())),
                })?;
                node.undo();
            }
        }
        self.steps.set(steps);
        Ok(if outlook == Outlook::Solved { 1.0 } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Queens;
    use super::*;
    use crate::ledger::Ledger;
    use crate::run::Budget;
    use crate::store::Store;
    use std::time::Duration;

    #[test]
    fn both_probes_are_near_the_92_solutions_of_eight_queens() {
        for how in [Probing::Knuth, Probing::Chen] {
            let run = Run::new(Budget { seed: 7, ..Budget::default() });
            let found = estimate(&Queens::new(8), how, 4000, &run, &Chapter::unkept()).unwrap();
            // Five standard errors: a right program fails once in two million seeds.
            assert!(
                (found.mean() - 92.0).abs() < 5.0 * found.standard_error(),
                "{how:?} {found:?}"
            );
            assert!(found.standard_error() < 8.0, "{how:?} {found:?}");
            assert!(found.effective > 100.0 && found.effective <= 4000.0);
            // Knuth counted 2057 nodes of this tree in his paper.
            assert!((found.tree() - 2057.0).abs() < 100.0, "{found:?}");
        }
    }

    #[test]
    fn strata_make_the_spread_smaller() {
        let run = Run::default();
        let [knuth, chen] = [Probing::Knuth, Probing::Chen].map(|how| {
            estimate(&Queens::new(9), how, 2000, &run, &Chapter::unkept()).unwrap().relative_error
        });
        assert!(chen < 0.9 * knuth, "Chen {chen}, Knuth {knuth}");
    }

    #[test]
    fn threads_do_not_change_the_estimate() {
        let [one, two] = [1, 2].map(|threads| {
            let run = Run::new(Budget { threads, seed: 3, ..Budget::default() });
            estimate(&Queens::new(7), Probing::Chen, 500, &run, &Chapter::unkept()).unwrap()
        });
        assert_eq!(one, two);
    }

    #[test]
    fn a_tree_without_solutions_is_estimated_as_nothing() {
        let run = Run::default();
        let found = estimate(&Queens::new(3), Probing::Chen, 50, &run, &Chapter::unkept()).unwrap();
        assert!(
            found.is_zero()
                && found.mean() == 0.0
                && found.interval == Err(NoInterval::FewFound { found: 0 })
                && found.effective == 0.0
        );
        run.cancel();
        assert!(estimate(&Queens::new(3), Probing::Chen, 50, &run, &Chapter::unkept()).is_err());
    }

    /// A tree of depth `depth` in which every node has three children, all leaves solutions.
    #[derive(Clone)]
    struct Full {
        depth: u64,
        at: u64,
    }

    impl Search for Full {
        type Step = u8;
        type Solution = ();

        fn look(&mut self, steps: &mut Vec<u8>) -> Outlook {
            if self.at == self.depth {
                return Outlook::Solved;
            }
            steps.extend([0, 1, 2]);
            Outlook::Branch
        }

        fn take(&mut self, _: u8) {
            self.at += 1;
        }

        fn undo(&mut self) {
            self.at -= 1;
        }

        fn solution(&self) {}
    }

    /// Squares overflow above 10^154, and numbers above 10^308.
    #[test]
    fn numbers_that_no_float_holds() {
        for depth in [10, 400, 3000] {
            for how in [Probing::Knuth, Probing::Chen] {
                let found =
                    estimate(&Full { depth, at: 0 }, how, 50, &Run::default(), &Chapter::unkept())
                        .unwrap();
                let exact = depth as f64 * 3f64.ln();
                assert!((found.ln_mean - exact).abs() < 1e-9 * exact, "{how:?} {found:?}");
                assert!((found.ln_tree - exact - 1.5f64.ln()).abs() < 1e-4, "{how:?} {found:?}");
                assert!(found.relative_error < 1e-9 && (found.effective - 50.0).abs() < 1e-9);
                assert_eq!(found.interval, Err(NoInterval::EqualSamples));
            }
        }
    }

    /// A factor changes the logarithm of the mean and nothing else.
    #[test]
    fn means_of_any_size() {
        let samples = |shift: f64| -> Vec<Sample> {
            (1..=99).map(|k| Sample { ln: f64::from(k).ln() + shift, ln_tree: shift }).collect()
        };
        let small = Estimate::of(&samples(0.0), None);
        let about = small.interval.unwrap();
        assert!(about.low < 0.9 && about.high > 1.1, "{about:?}");
        assert!((small.mean() - 50.0).abs() < 1e-9 && (small.tree() - 1.0).abs() < 1e-12);
        // The variance of 1..99 is 825.
        assert!((small.standard_error() - (825f64 / 99.0).sqrt()).abs() < 1e-9);
        for shift in [-1e4, 1e4] {
            let far = Estimate::of(&samples(shift), None);
            let moved = small.clone().scaled_by(shift);
            assert!((far.ln_mean - moved.ln_mean).abs() < 1e-9);
            assert!((far.relative_error - moved.relative_error).abs() < 1e-9);
            assert!((far.effective - moved.effective).abs() < 1e-9);
            let (far, moved) = (far.interval.unwrap(), moved.interval.unwrap());
            assert!((far.low - moved.low).abs() < 1e-9 && (far.high - moved.high).abs() < 1e-9);
        }
        let one = Estimate::of(&samples(0.0)[..1], None);
        assert!(one.relative_error.is_infinite());
    }

    #[test]
    fn a_series_that_is_cut_short_is_the_beginning_of_the_whole() {
        let run = Run::new(Budget { threads: 2, ..Budget::default() });
        let whole = draw(100, &run, &Chapter::unkept(), |random| Ok(random.bits())).0;
        let run = Run::new(Budget { threads: 2, ..Budget::default() });
        let (begun, stopped) = draw(100, &run, &Chapter::unkept(), |random| {
            let bits = random.bits();
            if bits == whole[37] { Err(Stop::Cancelled) } else { Ok(bits) }
        });
        assert_eq!(begun, whole[..37]);
        assert_eq!(stopped, Some(Stop::Cancelled));
    }

    #[test]
    fn a_series_goes_on_where_it_was_stopped() {
        let folder = std::env::temp_dir().join(format!("series-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("saved");
        let drawn = |samples: u64, most: u64, about: &str| {
            let time = Some(Duration::from_secs(most));
            let run = Run::stepping(Budget { time, ..Budget::default() }, Duration::from_secs(1))
                .with_store(Store::open(&path).unwrap().every(Duration::ZERO));
            let ledger = Ledger::open(&run, about)?;
            let (drawn, stopped) =
                draw(samples, &run, &ledger.chapter("samples"), |random| Ok(random.bits()));
            ledger.close()?;
            Ok((drawn, stopped.is_some()))
        };
        let (whole, _) = draw(10_000, &Run::default(), &Chapter::unkept(), |r| Ok(r.bits()));
        let mut runs = 0;
        loop {
            runs += 1;
            let (drawn, is_stopped) = drawn(10_000, 3_000, "a series").unwrap();
            assert_eq!(drawn, whole[..drawn.len()]);
            if !is_stopped {
                assert_eq!(drawn.len(), 10_000);
                break;
            }
        }
        assert!(runs > 2, "{runs}");
        assert_eq!(drawn(10_000, 1, "a series"), Ok((whole.clone(), false)), "nothing is drawn");
        assert_eq!(drawn(9_999, 1, "a series"), Err(Unusable::Damaged), "it is shorter");
        assert!(matches!(drawn(10_000, 1, "another"), Err(Unusable::Other { .. })));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
