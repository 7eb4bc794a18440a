//! Gain graphs, and choosing the names of the slots.

use std::collections::BTreeMap;

use crate::random::Random;
use crate::run::{Run, Stop};
use crate::symmetry::Permutation;

/// A graph whose arcs carry permutations of the slots.
#[derive(Clone, Debug)]
pub struct Gains {
    slots: usize,
    /// The different gains, the identity first.
    different: Vec<Box<[u8]>>,
    numbers: BTreeMap<Box<[u8]>, u32>,
    /// For each node its arcs: where they lead, and the number of their gain.
    arcs: Vec<Vec<(u32, u32)>>,
}

impl Gains {
    /// A graph without arcs, for at most 255 slots.
    pub fn new(nodes: usize, slots: usize) -> Self {
        let identity: Box<[u8]> = (0..slots as u8).collect();
        let numbers = BTreeMap::from([(identity.clone(), 0)]);
        Gains { slots, different: vec![identity], numbers, arcs: vec![Vec::new(); nodes] }
    }

    /// Joins two nodes: adds an arc with this gain, and the arc back with the inverse.
    pub fn join(&mut self, from: u32, to: u32, gain: &[u8]) {
        let mut back = vec![0; gain.len()];
        for (place, &image) in (0u8..).zip(gain) {
            back[usize::from(image)] = place;
        }
        for (from, to, gain) in [(from, to, gain), (to, from, &back)] {
            let number = self.number(gain);
            self.arcs[from as usize].push((to, number));
        }
    }

    fn number(&mut self, gain: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(gain) {
            return number;
        }
        let number = self.different.len() as u32;
        self.numbers.insert(gain.into(), number);
        self.different.push(gain.into());
        number
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.arcs.len()
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The arcs from a node: where they lead, and their gains.
    pub fn arcs(&self, node: u32) -> impl Iterator<Item = (u32, &[u8])> {
        self.arcs[node as usize].iter().map(|&(to, gain)| (to, &*self.different[gain as usize]))
    }

    /// The nodes of each connected part, in increasing order, the parts by their first node.
    pub fn parts(&self) -> Vec<Vec<u32>> {
        let mut part = vec![u32::MAX; self.nodes()];
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for first in 0..self.nodes() as u32 {
            if part[first as usize] != u32::MAX {
                continue;
            }
            let number = parts.len() as u32;
            let mut found = vec![first];
            part[first as usize] = number;
            let mut next = 0;
            while next < found.len() {
                for &(to, _) in &self.arcs[found[next] as usize] {
                    if part[to as usize] == u32::MAX {
                        part[to as usize] = number;
                        found.push(to);
                    }
                }
                next += 1;
            }
            found.sort_unstable();
            parts.push(found);
        }
        parts
    }

    /// The graph of some nodes between which and the others no arc leads.
    #[must_use]
    pub fn part(&self, nodes: &[u32]) -> Gains {
        let mut number = vec![u32::MAX; self.nodes()];
        for (k, &node) in (0..).zip(nodes) {
            number[node as usize] = k;
        }
        let renumber = |&node: &u32| {
            let arcs = self.arcs[node as usize].iter();
            arcs.map(|&(to, gain)| (number[to as usize], gain)).collect()
        };
        let arcs = nodes.iter().map(renumber).collect();
        Gains { arcs, different: self.different.clone(), numbers: self.numbers.clone(), ..*self }
    }

    /// The least numbers of arcs from a node to every node; `u32::MAX` if there is no way.
    pub fn distances(&self, from: u32) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.nodes()];
        distances[from as usize] = 0;
        let mut queue = vec![from];
        let mut next = 0;
        while next < queue.len() {
            let here = queue[next];
            for &(to, _) in &self.arcs[here as usize] {
                if distances[to as usize] == u32::MAX {
                    distances[to as usize] = distances[here as usize] + 1;
                    queue.push(to);
                }
            }
            next += 1;
        }
        distances
    }
}

/// Names for the slots at every node of a connected gain graph, by which the gains along a
/// spanning tree are the identity.
#[derive(Clone, Debug)]
pub struct Gauge {
    slots: usize,
    /// For each node, which slot of the gain graph each name means.
    names: Vec<u8>,
}

/// In which order a spanning tree grows.
#[derive(Clone, Copy)]
enum Growth {
    Broad,
    Deep,
    Mixed,
}

impl Gauge {
    /// Along a breadth-first tree from the first node.
    pub fn plain(graph: &Gains) -> Gauge {
        Gauge::grown(graph, 0, Growth::Broad, None)
    }

    /// The best of several random trees: the one that leaves the fewest different gains,
    /// and among these the fewest arcs that carry them.
    pub fn best(graph: &Gains, seed: u64, run: &Run) -> Result<Gauge, Stop> {
        // A try costs about as much as there are nodes.
        let tries = (6000 / graph.nodes().max(1)).clamp(6, 300);
        let mut random = Random::new(seed, 0);
        let mut best: Option<((usize, usize), Gauge)> = None;
        for k in 0..tries {
            run.tick(graph.nodes() as u64)?;
            let growth = [Growth::Broad, Growth::Deep, Growth::Mixed][k % 3];
            let root = random.below(graph.nodes() as u64) as u32;
            let gauge = Gauge::grown(graph, root, growth, Some(&mut random));
            let cost = gauge.cost(graph);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, gauge));
            }
        }
        Ok(best.map_or_else(|| Gauge::plain(graph), |(_, gauge)| gauge))
    }

    fn grown(graph: &Gains, root: u32, growth: Growth, mut random: Option<&mut Random>) -> Gauge {
        let slots = graph.slots;
        let mut gauge = Gauge { slots, names: vec![0; slots * graph.nodes()] };
        if graph.nodes() == 0 {
            return gauge;
        }
        let mut known = vec![false; graph.nodes()];
        known[root as usize] = true;
        gauge.names[root as usize * slots..][..slots].copy_from_slice(&graph.different[0]);
        let mut queue = std::collections::VecDeque::from([root]);
        while !queue.is_empty() {
            let at = match (growth, &mut random) {
                (Growth::Mixed, Some(random)) => random.below(queue.len() as u64) as usize,
                (Growth::Deep, _) => queue.len() - 1,
                _ => 0,
            };
            let Some(here) = queue.remove(at) else { break };
            let mut arcs = graph.arcs[here as usize].clone();
            if let Some(random) = &mut random {
                random.shuffle(&mut arcs);
            }
            for (to, gain) in arcs {
                if !known[to as usize] {
                    known[to as usize] = true;
                    // The name that meant slot g(s) before means slot s after.
                    let gain = &graph.different[gain as usize];
                    let mut back = vec![0u8; slots];
                    for (s, &g) in (0..).zip(&**gain) {
                        back[g as usize] = s;
                    }
                    let names: Vec<u8> =
                        gauge.names(here).iter().map(|&s| back[s as usize]).collect();
                    gauge.names[to as usize * slots..][..slots].copy_from_slice(&names);
                    queue.push_back(to);
                }
            }
        }
        gauge
    }

    /// Which slot each name means at a node.
    pub fn names(&self, node: u32) -> &[u8] {
        &self.names[node as usize * self.slots..][..self.slots]
    }

    /// The gain of an arc by these names: λ⁻¹∘g∘μ for the names λ before and μ after.
    pub fn gain(&self, from: u32, to: u32, gain: &[u8]) -> Vec<u8> {
        let mut back = vec![0u8; self.slots];
        for (name, &slot) in (0..).zip(self.names(from)) {
            back[slot as usize] = name;
        }
        self.names(to).iter().map(|&slot| back[gain[slot as usize] as usize]).collect()
    }

    fn cost(&self, graph: &Gains) -> (usize, usize) {
        let mut gains = std::collections::BTreeSet::new();
        let mut arcs = 0;
        for node in 0..graph.nodes() as u32 {
            for (to, gain) in graph.arcs(node) {
                let gain = self.gain(node, to, gain);
                if !is_identity(&gain) {
                    arcs += 1;
                    gains.insert(gain);
                }
            }
        }
        (gains.len(), arcs)
    }

    /// How many arcs have a gain by these names that is not the identity.
    pub fn crossings(&self, graph: &Gains) -> usize {
        self.cost(graph).1
    }

    /// The different gains by these names but the identity: they make the group of all
    /// closed walks.
    pub fn generators(&self, graph: &Gains, run: &Run) -> Result<Vec<Permutation>, Stop> {
        let mut gains = std::collections::BTreeSet::new();
        for node in 0..graph.nodes() as u32 {
            run.tick(1)?;
            for (to, gain) in graph.arcs(node) {
                let gain = self.gain(node, to, gain);
                if !is_identity(&gain) {
                    gains.insert(gain);
                }
            }
        }
        // Gains are permutations, so nothing is lost here.
        let made = gains.into_iter().map(|g| Permutation::new(g.into_iter().map(u32::from)));
        Ok(made.filter_map(Result::ok).collect())
    }

    /// What lies in the slots of a node (p), by these names (p∘λ).
    pub fn rename<T: Copy>(&self, node: u32, items: &[T]) -> Vec<T> {
        self.names(node).iter().map(|&slot| items[slot as usize]).collect()
    }

    /// Back from these names to the slots.
    pub fn restore<T: Copy>(&self, node: u32, items: &[T]) -> Vec<T> {
        let mut slots = items.to_vec();
        for (&slot, &item) in self.names(node).iter().zip(items) {
            slots[slot as usize] = item;
        }
        slots
    }
}

pub(super) fn is_identity(gain: &[u8]) -> bool {
    gain.iter().enumerate().all(|(from, &to)| from == to as usize)
}
