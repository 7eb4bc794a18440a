//! The number of solutions from random probes.
//!
//! **Knuth's probe** (1975) walks down the tree, at each node takes one of the b
//! steps at random and multiplies its weight by b; at a solution the weight is an
//! unbiased estimate of the number of solutions. Its spread is huge when subtrees
//! differ in size.
//!
//! **Chen's heuristic sampling** (1992) walks the whole tree from the top but
//! keeps one node for each *stratum*, standing for all nodes of that stratum. When
//! another node of weight w meets the one kept there, of weight W, it takes its
//! place with probability w/(W+w), and the weights add up. The estimate stays
//! unbiased whatever the strata are; the better a stratum gathers nodes with equal
//! subtrees, the smaller the spread.
//!
//! A probe of either kind is one *sample*. The **effective sample size**
//! (Σx)²/Σx² tells how many equal samples would be worth as much: far below the
//! number of samples it means that few of them carry the sum, and then the interval
//! deserves no trust.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Outlook, Search};
use crate::random::Random;
use crate::run::{Run, Stop};

/// Which probe to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probing {
    /// One path a sample.
    Knuth,
    /// One node a stratum, level by level.
    Chen,
}

/// What the probes say.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The mean of all samples.
    pub mean: f64,
    /// The standard error of the mean.
    pub standard_error: f64,
    /// Samples drawn.
    pub samples: u64,
    /// Equal samples that would be worth as much.
    pub effective: f64,
    /// Nodes of the whole tree, by the same probes.
    pub tree: f64,
    /// Why fewer samples were drawn than asked for, if so.
    pub stopped: Option<Stop>,
}

impl Estimate {
    /// The interval of ± 1.96 standard errors, which holds the truth 95 times in
    /// 100 if the effective sample size is large.
    pub fn interval(&self) -> (f64, f64) {
        let half = 1.96 * self.standard_error;
        ((self.mean - half).max(0.0), self.mean + half)
    }
}

/// The first and the largest number of samples drawn together by all threads. A batch
/// that is cut short counts for nothing, so the first is small.
const BATCHES: (u64, u64) = (8, 256);

/// Nodes of one probe between two looks at the clock: of Knuth's …
const NODES_A_TICK: u64 = 1024;
/// … and of Chen's, which keeps clones.
const NODES_A_LOOK: u64 = 16;

/// Draws `samples` samples, or as many as the budget allows.
///
/// Sample number k uses stream k of the run's seed, so the result does not depend
/// on the number of threads. An error means that not even two samples could be drawn.
pub fn estimate<S>(search: &S, how: Probing, samples: u64, run: &Run) -> Result<Estimate, Stop>
where
    S: Search + Clone + Send + Sync,
{
    run.stage("probing", samples);
    let mut drawn: Vec<Probe> = Vec::new();
    let mut stopped = None;
    let mut size = BATCHES.0;
    while (drawn.len() as u64) < samples {
        if let Err(stop) = run.check() {
            stopped = Some(stop);
            break;
        }
        let next = drawn.len() as u64;
        let batch: Result<Vec<Probe>, Stop> = run.parallel(|| {
            (next..next.saturating_add(size).min(samples))
                .into_par_iter()
                .map(|k| {
                    let mut random = Random::new(run.budget().seed, k);
                    let probe = match how {
                        Probing::Knuth => knuth(search, &mut random, run),
                        Probing::Chen => chen(search, &mut random, run),
                    };
                    run.step(1);
                    probe
                })
                .collect()
        });
        match batch {
            Ok(batch) => {
                drawn.extend(batch);
                size = (2 * size).min(BATCHES.1);
            }
            Err(stop) => {
                stopped = Some(stop);
                break;
            }
        }
    }
    if let (Some(stop), true) = (&stopped, drawn.len() < 2) {
        return Err(stop.clone());
    }
    Ok(summary(&drawn, stopped))
}

/// One sample: the estimated numbers of solutions and of nodes.
#[derive(Clone, Copy, Debug, Default)]
struct Probe {
    solutions: f64,
    nodes: f64,
}

fn summary(drawn: &[Probe], stopped: Option<Stop>) -> Estimate {
    let n = drawn.len() as f64;
    let sum: f64 = drawn.iter().map(|p| p.solutions).sum();
    let squares: f64 = drawn.iter().map(|p| p.solutions * p.solutions).sum();
    let mean = if n > 0.0 { sum / n } else { 0.0 };
    let deviations: f64 = drawn.iter().map(|p| (p.solutions - mean).powi(2)).sum();
    let variance = if n > 1.0 { deviations / (n - 1.0) } else { f64::INFINITY };
    Estimate {
        mean,
        standard_error: (variance / n.max(1.0)).sqrt(),
        samples: drawn.len() as u64,
        effective: if squares > 0.0 { sum * sum / squares } else { 0.0 },
        tree: if n > 0.0 { drawn.iter().map(|p| p.nodes).sum::<f64>() / n } else { 0.0 },
        stopped,
    }
}

fn knuth<S: Search + Clone>(search: &S, random: &mut Random, run: &Run) -> Result<Probe, Stop> {
    let mut search = search.clone();
    let mut probe = Probe::default();
    let mut weight = 1.0;
    let mut steps = Vec::new();
    let mut looked = 0;
    loop {
        looked += 1;
        if looked == NODES_A_TICK {
            run.tick(std::mem::take(&mut looked))?;
        }
        probe.nodes += weight;
        steps.clear();
        match search.look(&mut steps) {
            Outlook::Solved => probe.solutions = weight,
            Outlook::Branch if !steps.is_empty() => {
                weight *= steps.len() as f64;
                search.take(steps[random.below(steps.len() as u64) as usize]);
                continue;
            }
            Outlook::Dead | Outlook::Branch => {}
        }
        run.tick(looked)?;
        return Ok(probe);
    }
}

/// Where a node is kept: what has most left to do is read first, and where nobody knows how
/// much that is, what lies highest.
type Stratum = Reverse<(u64, u64)>;

fn chen<S: Search + Clone>(search: &S, random: &mut Random, run: &Run) -> Result<Probe, Stop> {
    let mut probe = Probe::default();
    let mut steps = Vec::new();
    // The nodes yet to be read, one a stratum: depth, node, and the weight it stands for.
    let each = (size_of::<(Stratum, (u64, S, f64))>() + search.heap_bytes()) as u64;
    let mut claim = run.claim();
    let mut waiting: BTreeMap<Stratum, (u64, S, f64)> = BTreeMap::new();
    let home =
        |node: &S, depth: u64| Reverse((node.left().unwrap_or(u64::MAX - depth), node.stratum()));
    waiting.insert(home(search, 0), (0, search.clone(), 1.0));
    let mut unticked = 0;
    while let Some((_, (depth, mut node, weight))) = waiting.pop_first() {
        probe.nodes += weight;
        unticked += 1;
        if unticked == NODES_A_LOOK {
            run.tick(std::mem::take(&mut unticked))?;
        }
        steps.clear();
        match node.look(&mut steps) {
            Outlook::Solved => probe.solutions += weight,
            Outlook::Dead => {}
            Outlook::Branch => {
                for (number, &step) in steps.iter().enumerate() {
                    // Cloning a node of a large board takes its time.
                    if number % 16 == 15 {
                        run.check()?;
                    }
                    node.take(step);
                    let home = home(&node, depth + 1);
                    if let Some((kept_depth, kept, total)) = waiting.get_mut(&home) {
                        *total += weight;
                        if random.unit() * *total < weight {
                            kept.clone_from(&node);
                            *kept_depth = depth + 1;
                        }
                    } else {
                        claim.grow_to((waiting.len() + 1) as u64 * each)?;
                        waiting.insert(home, (depth + 1, node.clone(), weight));
                    }
                    node.undo();
                }
            }
        }
    }
    run.tick(unticked)?;
    Ok(probe)
}

#[cfg(test)]
mod tests {
    use super::super::examples::Queens;
    use super::*;
    use crate::run::Budget;

    #[test]
    fn both_probes_are_near_the_92_solutions_of_eight_queens() {
        for how in [Probing::Knuth, Probing::Chen] {
            let run = Run::new(Budget { seed: 7, ..Budget::default() });
            let found = estimate(&Queens::new(8), how, 4000, &run).unwrap();
            // Five standard errors: a right program fails once in two million seeds.
            assert!((found.mean - 92.0).abs() < 5.0 * found.standard_error, "{how:?} {found:?}");
            assert!(found.standard_error < 8.0, "{how:?} {found:?}");
            assert!(found.effective > 100.0 && found.effective <= 4000.0);
            // Knuth counted 2057 nodes of this tree in his paper.
            assert!((found.tree - 2057.0).abs() < 100.0, "{found:?}");
        }
    }

    #[test]
    fn strata_make_the_spread_smaller() {
        let run = Run::default();
        let [knuth, chen] = [Probing::Knuth, Probing::Chen]
            .map(|how| estimate(&Queens::new(9), how, 2000, &run).unwrap().standard_error);
        assert!(chen < 0.9 * knuth, "Chen {chen}, Knuth {knuth}");
    }

    #[test]
    fn threads_do_not_change_the_estimate() {
        let [one, two] = [1, 2].map(|threads| {
            let run = Run::new(Budget { threads, seed: 3, ..Budget::default() });
            estimate(&Queens::new(7), Probing::Chen, 500, &run).unwrap()
        });
        assert_eq!(one, two);
    }

    #[test]
    fn a_tree_without_solutions_is_estimated_as_nothing() {
        let run = Run::default();
        let found = estimate(&Queens::new(3), Probing::Chen, 50, &run).unwrap();
        assert!(found.mean == 0.0 && found.effective == 0.0);
        run.cancel();
        assert!(estimate(&Queens::new(3), Probing::Chen, 50, &run).is_err());
    }
}
