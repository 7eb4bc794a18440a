//! Games through all positions: Hamiltonian cycles of the game graph.
//!
//! The paper asks for a cycle through all legal positions but the empty one. Broken before a
//! position with one stone it makes a game through *all* positions. A cycle is *symmetric* if
//! half of it is the other half with colours reversed. Such a cycle is one of half the length
//! through *classes* (a position and its reverse), on which an odd number of moves lead to
//! the reverse of what stands for its class.
//!
//! **None.** Every position needs a successor of its own. If some positions together have too
//! few (found by looking for a perfect matching; P. Hall), there is no cycle: this proves
//! theorem 10 on any board of two rows. Nor is there one if some position is not reached.
//!
//! **Finding.** A perfect matching gives every position a successor: a set of cycles that
//! cover everything. Then successors are exchanged along random alternating walks (give a
//! position another successor; who had that one needs another; and so on until the one that
//! was given up first is taken again). How many cycles there are afterwards is seen from the
//! order of the few positions concerned, so most walks are thrown away at no cost. Walks that
//! leave more cycles are accepted rarely (annealing), until there is one cycle, of the right
//! parity. 1×10 takes a tenth of a second and 1×12 some seconds; the paper has cycles up to 1×7.

use rustc_hash::FxHashMap;

use super::games::path_of;
use super::moves::{GameGraph, Small, Stones};
use crate::board::Board;
use crate::job::Work;
use pessoi_engine::ledger::{Chapter, Writer};
use pessoi_engine::random::Random;
use pessoi_engine::records::Unusable;
use pessoi_engine::run::{Run, Stop};

/// Positions, or classes of them, and where moves lead.
pub(super) struct Covering {
    /// What stands for each node.
    pub(super) nodes: Vec<Stones>,
    /// Successors, and whether the move leads to the reverse of what stands for them.
    pub(super) next: Vec<Vec<(u32, bool)>>,
    pub(super) symmetric: bool,
}

/// A successor of its own for every node, if that can be had.
enum Matching {
    /// The successors.
    Perfect(Vec<(u32, bool)>),
    /// Nodes that have too few successors together.
    TooFew(Vec<u32>),
}

/// Whether a position stands for itself and its reverse: its first stone is white.
fn stands(at: Stones) -> bool {
    let stones = at.black | at.white;
    at.white >> stones.trailing_zeros() & 1 == 1
}

impl Covering {
    pub(super) fn new(board: &Board, symmetric: bool, run: &Run) -> Work<Covering> {
        let graph = GameGraph::new(&Small::new(board)?, run)?;
        let keep = |at: Stones| at != Stones::NONE && (!symmetric || stands(at));
        let nodes: Vec<Stones> = graph.nodes.iter().copied().filter(|&at| keep(at)).collect();
        let number: FxHashMap<Stones, u32> =
            nodes.iter().enumerate().map(|(k, &at)| (at, k as u32)).collect();
        let mut next = Vec::with_capacity(nodes.len());
        for (k, edges) in graph.edges.iter().enumerate() {
            if !keep(graph.nodes[k]) {
                continue;
            }
            let mut to: Vec<(u32, bool)> = edges
                .iter()
                .filter_map(|&(to, _)| {
                    let at = graph.nodes[to as usize];
                    let turned = symmetric && at != Stones::NONE && !stands(at);
                    let at = if turned { at.reversed() } else { at };
                    Some((*number.get(&at)?, turned))
                })
                .collect();
            to.sort_unstable();
            to.dedup();
            next.push(to);
        }
        Ok(Covering { nodes, next, symmetric })
    }

    /// The positions of a cycle of nodes, given by the successor of each.
    pub(super) fn positions(&self, next: &[(u32, bool)]) -> Vec<Stones> {
        let rounds = if self.symmetric { 2 } else { 1 };
        let mut positions = Vec::with_capacity(rounds * next.len());
        let (mut node, mut turned) = (0u32, false);
        for _ in 0..rounds * next.len() {
            let at = self.nodes[node as usize];
            positions.push(if turned { at.reversed() } else { at });
            let (to, flips) = next[node as usize];
            node = to;
            turned ^= flips;
        }
        positions
    }

    /// A perfect matching, or positions that have too few successors together.
    fn matching(&self, random: &mut Random, run: &Run) -> Result<Matching, Stop> {
        const NONE: u32 = u32::MAX;
        let n = self.next.len();
        let mut owner = vec![NONE; n];
        let mut chosen = vec![(NONE, false); n];
        let mut order: Vec<Vec<(u32, bool)>> = self.next.clone();
        for next in &mut order {
            random.shuffle(next);
        }
        // Who asked for each successor, and for whom it was asked last: most searches are
        // short, so nothing is cleared between them.
        let mut from = vec![NONE; n];
        let mut asked_for = vec![NONE; n];
        let mut queue = Vec::new();
        for start in 0..n as u32 {
            if start % 64 == 0 {
                run.check()?;
            }
            // Breadth first along alternating paths to a successor that nobody has.
            queue.clear();
            queue.push(start);
            let mut head = 0;
            let mut end = None;
            'search: while let Some(&node) = queue.get(head) {
                head += 1;
                for &(to, _) in order[node as usize].iter().filter(|&&(to, _)| to != node) {
                    if std::mem::replace(&mut asked_for[to as usize], start) == start {
                        continue;
                    }
                    from[to as usize] = node;
                    if owner[to as usize] == NONE {
                        end = Some(to);
                        break 'search;
                    }
                    queue.push(owner[to as usize]);
                }
            }
            let Some(mut to) = end else {
                // All that was reached has fewer successors than members.
                return Ok(Matching::TooFew(queue));
            };
            loop {
                let node = from[to as usize];
                let before = chosen[node as usize].0;
                let edge = order[node as usize].iter().find(|edge| edge.0 == to).copied();
                chosen[node as usize] = edge.unwrap_or((to, false));
                owner[to as usize] = node;
                if node == start {
                    break;
                }
                to = before;
            }
        }
        Ok(Matching::Perfect(chosen))
    }

    /// Nodes that cannot be reached from the first one.
    fn unreached(&self) -> usize {
        let mut seen = vec![false; self.next.len()];
        let mut open = vec![0u32];
        if let Some(first) = seen.first_mut() {
            *first = true;
        } else {
            return 0;
        }
        while let Some(node) = open.pop() {
            for &(to, _) in &self.next[node as usize] {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    open.push(to);
                }
            }
        }
        seen.iter().filter(|&&seen| !seen).count()
    }
}

/// Cycles that cover all nodes, on their way to becoming one.
struct Cycles<'c> {
    covering: &'c Covering,
    next: Vec<(u32, bool)>,
    before: Vec<u32>,
    /// The cycle of each node and its place on it.
    cycle: Vec<u32>,
    place: Vec<u32>,
    /// The nodes of each cycle in order; empty if the number is not in use.
    members: Vec<Vec<u32>>,
    /// Numbers in use.
    live: Vec<u32>,
    /// Whether an odd number of moves lead to reverses.
    odd: bool,
}

/// Exchanges of more successors than this are given up.
const MOST_EXCHANGED: usize = 12;

impl<'c> Cycles<'c> {
    fn new(covering: &'c Covering, next: Vec<(u32, bool)>) -> Cycles<'c> {
        let n = next.len();
        let mut before = vec![0; n];
        for (node, &(to, _)) in (0..).zip(&next) {
            before[to as usize] = node;
        }
        let odd = next.iter().filter(|edge| edge.1).count() % 2 == 1;
        let mut cycles = Cycles {
            covering,
            next,
            before,
            cycle: vec![u32::MAX; n],
            place: vec![0; n],
            members: Vec::new(),
            live: Vec::new(),
            odd,
        };
        let all: Vec<u32> = (0..n as u32).collect();
        cycles.trace(&all);
        cycles
    }

    /// Numbers the cycles of these nodes anew.
    fn trace(&mut self, nodes: &[u32]) {
        for &start in nodes {
            if self.cycle[start as usize] != u32::MAX {
                continue;
            }
            let number = self.members.iter().position(Vec::is_empty).unwrap_or(self.members.len());
            if number == self.members.len() {
                self.members.push(Vec::new());
            }
            let mut members = Vec::new();
            let mut node = start;
            while self.cycle[node as usize] == u32::MAX {
                self.cycle[node as usize] = number as u32;
                self.place[node as usize] = members.len() as u32;
                members.push(node);
                node = self.next[node as usize].0;
            }
            self.members[number] = members;
            self.live.push(number as u32);
        }
    }

    /// A random exchange: nodes with their new successors; `None` if the walk did not close.
    fn walk(&self, random: &mut Random, exchange: &mut Vec<(u32, (u32, bool))>) -> Option<()> {
        exchange.clear();
        // Small cycles are as likely as large ones.
        let cycle = self.live[random.below(self.live.len() as u64) as usize];
        let members = &self.members[cycle as usize];
        let start = members[random.below(members.len() as u64) as usize];
        let given_up = self.next[start as usize].0;
        let mut node = start;
        for _ in 0..MOST_EXCHANGED {
            let options = &self.covering.next[node as usize];
            if node != start
                && let Some(&edge) = options.iter().find(|edge| edge.0 == given_up)
                && edge.0 != node
            {
                exchange.push((node, edge));
                return Some(());
            }
            let edge = options[random.below(options.len() as u64) as usize];
            let owner = self.before[edge.0 as usize];
            if edge.0 == node
                || edge.0 == given_up
                || owner == node
                || exchange.iter().any(|&(known, _)| known == owner)
            {
                // The same successor by the other move changes the parity and nothing else.
                if owner == node && edge != self.next[node as usize] && node == start {
                    exchange.push((node, edge));
                    return Some(());
                }
                return None;
            }
            exchange.push((node, edge));
            node = owner;
        }
        None
    }

    /// By how many cycles there would be more, and whether the parity would change.
    fn judge(&self, exchange: &[(u32, (u32, bool))]) -> (i32, bool) {
        let mut flips = false;
        let k = exchange.len();
        let mut follows = [0usize; MOST_EXCHANGED + 1];
        let mut touched: Vec<u32> = Vec::with_capacity(k);
        for (i, &(node, (to, turned))) in exchange.iter().enumerate() {
            flips ^= turned ^ self.next[node as usize].1;
            let cycle = self.cycle[node as usize];
            if !touched.contains(&cycle) {
                touched.push(cycle);
            }
            // From the new successor on, the cycle is as before up to the next node that
            // has a new successor.
            let cycle = self.cycle[to as usize];
            let length = self.members[cycle as usize].len() as u32;
            let from = self.place[to as usize];
            let ahead = |&(_, &(other, _)): &(usize, &(u32, (u32, bool)))| {
                let place = self.place[other as usize];
                if place >= from { place - from } else { place + length - from }
            };
            let others = exchange.iter().enumerate();
            let others = others.filter(|(_, (other, _))| self.cycle[*other as usize] == cycle);
            // The node that had this successor has a new one, so there is one.
            follows[i] = others.min_by_key(ahead).map_or(i, |(j, _)| j);
        }
        let mut seen = [false; MOST_EXCHANGED + 1];
        let mut cycles = 0;
        for start in 0..k {
            if !seen[start] {
                cycles += 1;
                let mut at = start;
                while !std::mem::replace(&mut seen[at], true) {
                    at = follows[at];
                }
            }
        }
        (cycles - touched.len() as i32, flips)
    }

    fn apply(&mut self, exchange: &[(u32, (u32, bool))], flips: bool) {
        let mut nodes = Vec::new();
        for &(node, _) in exchange {
            let number = self.cycle[node as usize];
            let members = std::mem::take(&mut self.members[number as usize]);
            if !members.is_empty() {
                self.live.retain(|&live| live != number);
                nodes.extend(members);
            }
        }
        for &(node, edge) in exchange {
            self.next[node as usize] = edge;
            self.before[edge.0 as usize] = node;
        }
        for &node in &nodes {
            self.cycle[node as usize] = u32::MAX;
        }
        self.odd ^= flips;
        self.trace(&nodes);
    }

    fn is_done(&self) -> bool {
        self.live.len() == 1 && (!self.covering.symmetric || self.odd)
    }
}

/// What looking for a cycle came to.
pub(super) enum Found {
    /// The positions of a cycle in order.
    Cycle(Vec<Stones>),
    /// There is none, and why.
    None(String),
}

/// Positions, or classes of them, that are few enough to try all ways through them.
const EXHAUSTED: usize = 12;

/// Looks for a cycle through all positions but the empty one.
pub(super) fn cycle(board: &Board, symmetric: bool, run: &Run) -> Work<Found> {
    let covering = Covering::new(board, symmetric, run)?;
    let n = covering.nodes.len();
    if n < 2 {
        return Ok(Found::None("there are fewer than three positions".into()));
    }
    if covering.unreached() > 0 {
        return Ok(Found::None(
            "without the empty position some positions cannot be reached from others".into(),
        ));
    }
    // Few positions are tried through; where there is no cycle, exchanges would never end.
    if n <= EXHAUSTED && all_cycles(&covering, &Chapter::unkept(), run)? == 0 {
        return Ok(Found::None("all ways through the positions were tried".into()));
    }
    let mut random = Random::new(run.budget().seed, 0);
    let next = match covering.matching(&mut random, run)? {
        Matching::Perfect(next) => next,
        Matching::TooFew(set) => {
            let mut after: Vec<u32> = set
                .iter()
                .flat_map(|&node| covering.next[node as usize].iter().map(|edge| edge.0))
                .collect();
            after.sort_unstable();
            after.dedup();
            return Ok(Found::None(format!(
                "{} positions have only {} successors together, the empty one aside",
                set.len(),
                after.len()
            )));
        }
    };
    run.stage(format!("joining cycles on {}", board.name()), 0);
    let mut cycles = Cycles::new(&covering, next);
    let mut exchange = Vec::with_capacity(MOST_EXCHANGED + 1);
    let mut walks = 0u64;
    while !cycles.is_done() {
        walks += 1;
        if walks.is_multiple_of(4096) {
            run.tick(4096)?;
        }
        if cycles.walk(&mut random, &mut exchange).is_none() {
            continue;
        }
        let (more, flips) = cycles.judge(&exchange);
        let single = cycles.live.len() == 1;
        let accepted = match more {
            ..0 => true,
            // Sideways is cheap while cycles are small; once there is one, the parity counts.
            0 => (single && flips) || random.below(if single { 4 } else { 8 }) == 0,
            1 => random.below(if single { 50 } else { 400 }) == 0,
            _ => false,
        };
        if accepted {
            cycles.apply(&exchange, flips);
        }
    }
    Ok(Found::Cycle(covering.positions(&cycles.next)))
}

/// Positions, or classes of them, through which cycles are counted: they fit in a word.
pub(super) const MOST_COUNTED: usize = 64;

/// Cycles through all nodes, of odd parity if they are classes.
pub(super) fn all_cycles(covering: &Covering, chapter: &Chapter, run: &Run) -> Work<u64> {
    if let Some((cycles, nodes)) = chapter.result::<(u64, u64)>()? {
        run.tick(nodes)?;
        return Ok(cycles);
    }
    let n = covering.nodes.len();
    let set = |edges: &Vec<(u32, bool)>| edges.iter().fold(0u64, |set, edge| set | 1 << edge.0);
    let after: Vec<u64> = covering.next.iter().map(set).collect();
    let mut before = vec![0u64; n];
    for (node, &after) in after.iter().enumerate() {
        for (to, before) in before.iter_mut().enumerate() {
            *before |= (after >> to & 1) << node;
        }
    }
    let all = if n == 64 { u64::MAX } else { (1 << n) - 1 };
    // Path so far: node, parity on arrival, moves tried; the free nodes stand beside.
    let (mut cycles, mut nodes, mut path) = begun(covering, chapter)?;
    run.tick(nodes)?;
    let mut free = path.iter().fold(all, |free, &(node, ..)| free & !(1 << node));
    while let Some(&mut (node, odd, ref mut tried)) = path.last_mut() {
        let Some(&(to, turned)) = covering.next[node as usize].get(*tried) else {
            free |= 1 << node;
            path.pop();
            continue;
        };
        *tried += 1;
        if free == 0 {
            cycles += u64::from(to == 0 && (!covering.symmetric || odd ^ turned));
            continue;
        }
        if free >> to & 1 == 0 {
            continue;
        }
        let rest = free & !(1 << to);
        // Every node that is left must have a way in and a way out.
        let mut left = rest;
        let mut hopeless = false;
        while left != 0 && !hopeless {
            let node = left.trailing_zeros() as usize;
            left &= left - 1;
            hopeless = before[node] & (rest | 1 << to) == 0 || after[node] & (rest | 1) == 0;
        }
        if hopeless {
            continue;
        }
        free = rest;
        path.push((to, odd ^ turned, 0));
        nodes += 1;
        if nodes.is_multiple_of(NODES_A_TICK) {
            let tried = || path.iter().map(|&(_, _, tried)| tried).collect::<Vec<usize>>();
            let put = |out: &mut Writer| out.put(&(cycles, nodes, tried()));
            if let Err(stop) = run.tick(NODES_A_TICK) {
                chapter.put_aside(put);
                return Err(stop.into());
            }
            chapter.save_if_due(put);
        }
    }
    run.tick(nodes % NODES_A_TICK)?;
    chapter.finish(&(cycles, nodes));
    Ok(cycles)
}

/// Nodes between two looks at the clock.
const NODES_A_TICK: u64 = 64;

/// Cycles and nodes so far, and the path: each node with the parity on arrival and the moves tried.
type Begun = (u64, u64, Vec<(u32, bool, usize)>);

/// Where an earlier run was, or the beginning.
fn begun(covering: &Covering, chapter: &Chapter) -> Work<Begun> {
    let Some(mut reader) = chapter.begun()? else { return Ok((0, 0, vec![(0, false, 0)])) };
    let mut read = || {
        let (cycles, nodes, tried): (u64, u64, Vec<usize>) = reader.take()?;
        let path = path_of(&covering.next, |&(to, _)| to, &tried).ok_or(Unusable::Damaged)?;
        // Nodes are looked at a number at a time, and cycles are fewer.
        if !nodes.is_multiple_of(NODES_A_TICK) || nodes > u64::MAX / 4 || cycles > nodes * 64 {
            return Err(Unusable::Damaged);
        }
        let mut odd = false;
        let path = path.into_iter().map(|(node, tried)| {
            let at = (node, odd, tried);
            let by = tried.checked_sub(1).and_then(|by| covering.next[node as usize].get(by));
            odd ^= by.is_some_and(|&(_, turned)| turned);
            at
        });
        Ok((cycles, nodes, path.collect()))
    };
    read().map_err(|why| chapter.refuse(why).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(shape: &str) -> Board {
        Board::parse(shape).unwrap()
    }

    fn number(shape: &str, symmetric: bool) -> u64 {
        let run = Run::default();
        let covering = Covering::new(&board(shape), symmetric, &run).unwrap();
        all_cycles(&covering, &Chapter::unkept(), &run).unwrap()
    }

    /// The paper says that all cycles on 1×3 and 1×4 are symmetric; on 1×4 they are not.
    #[test]
    fn cycles_on_1x3_and_1x4() {
        assert_eq!((number("1x3", false), number("1x3", true)), (2, 2));
        assert_eq!((number("1x4", false), number("1x4", true)), (74, 2));
        assert_eq!(number("1x2", false), 0);
    }

    fn check(shape: &str, symmetric: bool) {
        let board = board(shape);
        let small = Small::new(&board).unwrap();
        let Found::Cycle(cycle) = cycle(&board, symmetric, &Run::default()).unwrap() else {
            panic!("{shape} has a cycle");
        };
        let mut all: Vec<Stones> = small.positions().collect();
        assert_eq!(cycle.len() + 1, all.len());
        for (k, &at) in cycle.iter().enumerate() {
            let next = cycle[(k + 1) % cycle.len()];
            assert!(small.moves(at).any(|(to, _)| to == next), "{shape}");
            if symmetric {
                assert_eq!(cycle[(k + cycle.len() / 2) % cycle.len()], at.reversed());
            }
        }
        let mut seen = cycle;
        seen.push(Stones::NONE);
        seen.sort_unstable();
        all.sort_unstable();
        assert_eq!(seen, all);
    }

    #[test]
    fn cycles_are_found() {
        for n in 3..=9 {
            check(&format!("1x{n}"), true);
        }
        for n in 3..=8 {
            check(&format!("1x{n}"), false);
        }
    }

    #[test]
    #[ignore = "takes a minute without optimisation"]
    fn long_cycles_are_found() {
        for n in 10..=12 {
            check(&format!("1x{n}"), true);
        }
    }

    #[test]
    fn boards_of_two_rows_have_none() {
        for shape in ["2x2", "2x3", "3x3"] {
            for symmetric in [false, true] {
                let found = cycle(&board(shape), symmetric, &Run::default()).unwrap();
                assert!(matches!(found, Found::None(proof) if proof.contains("successors")));
            }
        }
        let found = cycle(&board("1x2"), false, &Run::default()).unwrap();
        assert!(matches!(found, Found::None(_)));
    }
}
