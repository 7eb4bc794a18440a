//! What solutions have in common, and how play goes without looking ahead.
//!
//! The *score* of a play is the last number that could be placed: the rules end the game
//! when no number can be. Random play takes any free neighbour; Warnsdorff's takes one with
//! the fewest free neighbours.

use pessoi_engine::ledger::Chapter;
use pessoi_engine::random::Random;
use pessoi_engine::records::Words;
use pessoi_engine::run::{Run, Stop, Stopped};
use pessoi_engine::search::{self, Level, Part, fold};

use super::Tour;
use super::choice::probes;
use super::extend::{Extend, Order};
use super::task::Task;
use crate::answer::Answer;
use crate::plan::Plan;
use crate::table::{DatumKind, Table};

/// How often solutions use each cell as an end, and each move.
#[derive(Clone, Debug)]
pub(super) struct Usage {
    /// Solutions met, in every direction in which they are counted.
    pub(super) met: u64,
    /// For each cell: solutions that begin there.
    pub(super) starts: Vec<u64>,
    /// For each cell: solutions that end there.
    pub(super) ends: Vec<u64>,
    /// For each move, in the order of the graph's edges.
    pub(super) moves: Vec<u64>,
}

impl Words for Usage {
    fn put(&self, words: &mut Vec<u64>) {
        self.met.put(words);
        for list in [&self.starts, &self.ends, &self.moves] {
            list.put(words);
        }
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let met = Words::take(words)?;
        let mut list = || Words::take(words);
        Some(Usage { met, starts: list()?, ends: list()?, moves: list()? })
    }
}

/// What visiting all solutions and walking the whole tree will cost.
pub(super) fn planned(plan: Plan, at: &Tour, solutions: bool, tree: bool) -> Plan {
    let search = Extend::new(at.task.clone(), Order::Plain);
    let mut plan = plan.with_tree(search, probes(at.task), at.run());
    if solutions && tree {
        plan.nodes = plan.nodes.map(|nodes| 2.0 * nodes);
    }
    if tree {
        // The tree by depth is walked on one thread.
        let threads = at.run().budget().threads as f64;
        let times = if solutions { threads + 1.0 } else { threads };
        plan.seconds = plan.seconds.map(|seconds| seconds * times);
    }
    plan
}

/// Visits all solutions; if a limit is reached, the result is true of those visited.
pub(super) fn usage(at: &Tour) -> Result<Usage, Stopped<Usage>> {
    let (task, run) = (at.task, at.run());
    let edges: Vec<(u32, u32)> = task.graph.edges().collect();
    let empty = || Usage {
        met: 0,
        starts: vec![0; task.len()],
        ends: vec![0; task.len()],
        moves: vec![0; edges.len()],
    };
    let number_of = |a: u32, b: u32| edges.binary_search(&(a.min(b), a.max(b))).ok();
    let each = |usage: &mut Usage, at: &Extend| {
        let path = at.path();
        usage.met += 1;
        if let (Some(&first), Some(&last)) = (path.first(), path.last()) {
            usage.starts[first as usize] += 1;
            usage.ends[last as usize] += 1;
            let closing = task.closed.then_some((last, first));
            let moves = path.windows(2).map(|pair| (pair[0], pair[1])).chain(closing);
            for number in moves.filter_map(|(a, b)| number_of(a, b)) {
                usage.moves[number] += 1;
            }
        }
    };
    let merge = |sum: &mut Usage, more: Usage| {
        let add = |sum: &mut Vec<u64>, more: Vec<u64>| {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        sum.met += more.met;
        add(&mut sum.starts, more.starts);
        add(&mut sum.ends, more.ends);
        add(&mut sum.moves, more.moves);
    };
    let search = Extend::new(task.clone(), Order::Plain);
    match fold(&search, Part::WHOLE, run, &Chapter::unkept(), empty, each, merge) {
        Ok(all) => Ok(all.folded),
        Err(stopped) => Err(Stopped { why: stopped.why, so_far: stopped.so_far.folded }),
    }
}

/// The tables that a picture shows.
pub(super) const ENDS: &str = "ends";
pub(super) const USED: &str = "used-moves";

/// Adds the usage as facts and tables: cells where solutions begin, and moves from the most to
/// the least used. A tour without fixed numbers is met in both directions; it is counted once.
pub(super) fn describe(answer: &mut Answer, usage: &Usage, task: &Task) {
    let cell = |cell: u32| task.board.cell(cell as usize);
    let twice = if task.has_two_directions() { 2 } else { 1 };
    let total = usage.met / twice;
    let moves_used = |wanted: u64| usage.moves.iter().filter(|&&used| used == wanted).count();
    answer.fact("solutions", &task.subject().text, total);
    answer.fact("moves-in-every-solution", "moves in every solution", moves_used(usage.met.max(1)));
    answer.fact("moves-in-no-solution", "moves in no solution", moves_used(0));

    if !task.closed {
        let mut ends = Table::new(
            ENDS,
            "Where solutions end",
            &[
                ("cell", "cell", DatumKind::Cell),
                ("first", "first", DatumKind::Integer),
                ("last", "last", DatumKind::Integer),
            ],
        );
        for (at, (&first, &last)) in (0u32..).zip(usage.starts.iter().zip(&usage.ends)) {
            if first + last > 0 {
                ends.push([cell(at).into(), first.into(), last.into()]);
            }
        }
        answer.tables.push(ends);
    }
    let mut by_use: Vec<(u64, (u32, u32))> =
        usage.moves.iter().map(|used| used / twice).zip(task.graph.edges()).collect();
    by_use.sort_by_key(|&(used, edge)| (std::cmp::Reverse(used), edge));
    let mut moves = Table::new(
        USED,
        "How many solutions use each move",
        &[
            ("from", "from", DatumKind::Cell),
            ("to", "to", DatumKind::Cell),
            ("solutions", "solutions", DatumKind::Integer),
        ],
    );
    for (used, (a, b)) in by_use {
        moves.push([cell(a).into(), cell(b).into(), used.into()]);
    }
    answer.tables.push(moves);
}

/// The shape of the search tree, by how many numbers are placed.
pub(super) fn tree(at: &Tour) -> Result<Table, Stopped<Table>> {
    let shown = |levels: Vec<Level>| {
        let mut table = Table::new(
            "tree",
            "The search for all paths, by numbers placed",
            &[
                ("placed", "placed", DatumKind::Integer),
                ("nodes", "nodes", DatumKind::Integer),
                ("dead-ends", "dead ends", DatumKind::Integer),
                ("solutions", "solutions", DatumKind::Integer),
            ],
        );
        for (depth, level) in levels.iter().enumerate() {
            let numbers = [depth as u64, level.nodes, level.dead_ends, level.solutions];
            table.push(numbers.map(Into::into));
        }
        table
    };
    let search = Extend::new(at.task.clone(), Order::Plain);
    match search::profile(search, at.run()) {
        Ok(levels) => Ok(shown(levels)),
        Err(stopped) => Err(Stopped { why: stopped.why, so_far: shown(stopped.so_far) }),
    }
}

/// Plays of each kind, on boards that are not too large.
const PLAYS: u64 = 1000;

/// The scores of random play and of play by Warnsdorff's rule, and how often each was played.
pub(super) fn scores(task: &Task, run: &Run) -> Result<(Table, u64), Stop> {
    let mut histogram = std::collections::BTreeMap::<usize, [u64; 2]>::new();
    // Large boards are played less often, so that this takes no time to speak of.
    let plays = (5_000_000 / task.len() as u64).clamp(10, PLAYS);
    for play in 0..plays {
        for (kind, by_rule) in [(0, false), (1, true)] {
            run.tick(task.len() as u64)?;
            let mut random = Random::new(run.budget().seed, 2 * play + kind as u64);
            histogram.entry(score(task, by_rule, &mut random)).or_default()[kind] += 1;
        }
    }
    let mut table = Table::new(
        "scores",
        &format!("Scores of {plays} plays without looking ahead"),
        &[
            ("score", "score", DatumKind::Integer),
            ("random", "random", DatumKind::Integer),
            ("warnsdorff", "Warnsdorff", DatumKind::Integer),
        ],
    );
    for (score, [random, rule]) in histogram.into_iter().rev() {
        table.push([score.into(), random.into(), rule.into()]);
    }
    Ok((table, plays))
}

fn score(task: &Task, by_rule: bool, random: &mut Random) -> usize {
    let graph = &task.graph;
    let mut placed = vec![false; task.len()];
    let mut at = random.below(task.len() as u64) as u32;
    placed[at as usize] = true;
    let mut score = 1;
    loop {
        let free = |cell: u32| graph.neighbours(cell).iter().filter(|&&to| !placed[to as usize]);
        let mut best: Option<(u64, u32)> = None;
        for &to in free(at) {
            let rule = if by_rule { free(to).count() as u64 } else { 0 };
            let key = (rule << 32) | (random.bits() >> 32);
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, to));
            }
        }
        let Some((_, next)) = best else { return score };
        at = next;
        placed[at as usize] = true;
        score += 1;
    }
}
