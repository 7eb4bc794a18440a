//! What solutions have in common, and how play goes without looking ahead.
//!
//! The *score* of a play is the last number that could be placed: the rules end the game
//! when no number can be. Random play takes any free neighbour; Warnsdorff's takes one with
//! the fewest free neighbours.

use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop, Stopped};
use pessoi_engine::search::{self, Level, Part, fold};

use super::Asked;
use super::extend::{Extend, Order};
use super::task::Task;
use crate::answer::Table;

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

/// Visits all solutions; what is told if a limit is hit is true of those visited.
pub(super) fn usage(asked: &Asked) -> Result<Usage, Stopped<Usage>> {
    let Asked { task, run, .. } = asked;
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
    match fold(&search, Part::WHOLE, run, empty, each, merge) {
        Ok(all) => Ok(all.folded),
        Err(stopped) => Err(Stopped { why: stopped.why, so_far: stopped.so_far.folded }),
    }
}

/// Titles by which a picture finds its tables.
pub(super) const ENDS: &str = "Where solutions end";
pub(super) const MOVES: &str = "How many solutions use each move";

/// The usage as tables: cells where solutions begin, and moves from the most to the least
/// used. A tour without fixed numbers is met in both directions; it is counted once.
pub(super) fn tables(usage: &Usage, task: &Task) -> Vec<Table> {
    let name = |cell: u32| task.board.cell(cell as usize).to_string();
    let twice = if task.has_two_directions() { 2 } else { 1 };
    let total = usage.met / twice;
    let mut facts = Table::new("What solutions have in common", &["what", "value"]);
    let mut fact = |what: &str, value: String| facts.rows.push(vec![what.to_owned(), value]);
    fact(task.counts(), total.to_string());
    let edges: Vec<(u32, u32)> = task.graph.edges().collect();
    let listed = |wanted: u64| {
        let fits = edges.iter().zip(&usage.moves).filter(|(_, used)| **used == wanted);
        let moves: Vec<String> =
            fits.map(|((a, b), _)| format!("{}–{}", name(*a), name(*b))).collect();
        if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
    };
    fact("moves in every solution", listed(usage.met.max(1)));
    fact("moves in no solution", listed(0));
    let mut tables = vec![facts];

    if !task.closed {
        let mut ends = Table::new(ENDS, &["cell", "first", "last"]);
        for cell in 0..task.len() {
            let (first, last) = (usage.starts[cell], usage.ends[cell]);
            if first + last > 0 {
                ends.rows.push(vec![name(cell as u32), first.to_string(), last.to_string()]);
            }
        }
        tables.push(ends);
    }
    let mut by_use: Vec<(u64, (u32, u32))> =
        usage.moves.iter().map(|used| used / twice).zip(edges).collect();
    by_use.sort_by_key(|&(used, edge)| (std::cmp::Reverse(used), edge));
    let mut moves = Table::new(MOVES, &["from", "to", "solutions"]);
    moves.rows =
        by_use.iter().map(|&(used, (a, b))| vec![name(a), name(b), used.to_string()]).collect();
    tables.push(moves);
    tables
}

/// The shape of the search tree, by how many numbers are placed.
pub(super) fn tree(asked: &Asked) -> Result<Table, Stopped<Table>> {
    let title = "The search for all paths, by numbers placed";
    let told = |levels: Vec<Level>| {
        let mut table = Table::new(title, &["placed", "nodes", "dead ends", "solutions"]);
        for (depth, level) in levels.iter().enumerate() {
            let numbers = [depth as u64, level.nodes, level.dead_ends, level.solutions];
            table.rows.push(numbers.iter().map(u64::to_string).collect());
        }
        table
    };
    let search = Extend::new(asked.task.clone(), Order::Plain);
    match search::profile(search, asked.run) {
        Ok(levels) => Ok(told(levels)),
        Err(stopped) => Err(Stopped { why: stopped.why, so_far: told(stopped.so_far) }),
    }
}

/// Plays of each kind whose scores are told.
const PLAYS: u64 = 1000;

/// The scores of random play and of play by Warnsdorff's rule.
pub(super) fn scores(task: &Task, run: &Run) -> Result<Table, Stop> {
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
    let title = format!("Scores of {plays} plays without looking ahead");
    let mut table = Table::new(&title, &["score", "random", "Warnsdorff"]);
    table.rows = histogram
        .iter()
        .rev()
        .map(|(score, [random, rule])| {
            vec![score.to_string(), random.to_string(), rule.to_string()]
        })
        .collect();
    Ok(table)
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
