//! Which edges belong to which half, and how the halves are read.
//!
//! The vertices have an order. An edge belongs to the **first half** if its two vertices come
//! early: if the sum of their times is less than that of the edges in the middle. If a symmetry
//! *swaps* the halves, an edge belongs to the first half if it comes earlier than its image, and
//! edges that are their own images are decided on at the end of one of the halves. The first
//! half is read from the first vertex on, the second from the last one back.

use std::fmt;

use super::reading::{Factors, MOST_SLOTS, Reading, Step, Weights};

/// Where tours end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends<'e> {
    /// Nowhere: they are closed.
    Closed,
    /// At any two vertices.
    Free,
    /// One end is at this vertex, the other anywhere.
    From(u32),
    /// At these two vertices.
    Between(u32, u32),
    /// At any two of these vertices.
    Among(&'e [u32]),
    /// The first end is one of the first vertices, the second one of the second. A tour that can be
    /// read so in both directions counts twice.
    Apart(&'e [u32], &'e [u32]),
}

/// Why tours cannot be counted this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The border has too many vertices.
    Wide,
    /// There are fewer than three vertices, the outside included.
    Small,
    /// The symmetry is not one of this graph and these ends, or does not swap two halves.
    Symmetry,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Wide => write!(f, "the border has more than {MOST_SLOTS} vertices"),
            Refused::Small => write!(f, "there are too few vertices"),
            Refused::Symmetry => write!(f, "the symmetry does not swap two halves"),
        }
    }
}

impl std::error::Error for Refused {}

/// A graph in two halves, ready to be read.
#[derive(Clone, Debug)]
pub struct Tours {
    /// All neighbours, with the outside and what was added for a given end.
    pub(super) neighbours: Vec<Vec<u32>>,
    pub(super) factors: Factors,
    pub(super) first: Reading,
    pub(super) second: Second,
    /// For each slot of the first half's last border: that of the same vertex in the second
    /// half's.
    pub(super) slots: Vec<u8>,
    /// All vertices, in the order of reading.
    pub(super) order: Vec<u32>,
    /// Vertices with edges that are their own images.
    late: Vec<u32>,
}

/// How the second half comes about.
#[derive(Clone, Debug)]
pub(super) enum Second {
    /// It is read.
    Own(Reading),
    /// It is the image of the first, which goes on with these steps.
    Image(Vec<Step>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    First,
    Second,
    /// Its own image.
    Both,
}

impl Tours {
    /// The tours of a graph, given by the neighbours of each vertex, whose vertices are read in
    /// this order. `swap` is a symmetry that is its own inverse and takes what comes early to
    /// what comes late.
    pub fn new(
        graph: &[Vec<u32>],
        ends: Ends,
        order: &[u32],
        swap: Option<&[u32]>,
    ) -> Result<Self, Refused> {
        Tours::with_factors(graph, &Factors::default(), ends, order, swap)
    }

    /// The same of a graph in which some edges do not count 1.
    pub(super) fn with_factors(
        graph: &[Vec<u32>],
        factors: &Factors,
        ends: Ends,
        order: &[u32],
        swap: Option<&[u32]>,
    ) -> Result<Self, Refused> {
        let Extended { neighbours, order, outside } = Extended::new(graph, ends, order);
        if neighbours.len() < 3 {
            return Err(Refused::Small);
        }
        let weights = match (ends, &outside[..]) {
            (Ends::Free, &[outside]) => weights(graph, outside),
            _ => None,
        };
        let mut tours = Halves {
            neighbours: &neighbours,
            factors,
            order: &order,
            outside: &outside,
            swap: None,
        };
        if let Some(swap) = swap {
            let added = swap.len() as u32..neighbours.len() as u32;
            tours.swap = Some(swap.iter().copied().chain(added).collect());
            tours.check_swap()?;
        }
        let (first, second, slots, late) = tours.read(weights.as_ref())?;
        let factors = factors.clone();
        Ok(Tours { neighbours, factors, first, second, slots, order, late })
    }

    /// Whether a vertex has fewer than two edges: no tour passes there, and one without edges would
    /// not even be read.
    pub(super) fn has_dead_end(&self) -> bool {
        self.neighbours.iter().any(|near| near.len() < 2)
    }

    /// Whether the sum over tours may be negative.
    pub(super) fn is_signed(&self) -> bool {
        self.factors.are_signed()
    }

    /// The most vertices of a border.
    pub fn slots(&self) -> usize {
        match &self.second {
            Second::Own(second) => self.first.slots().max(second.slots()),
            Second::Image(_) => self.first.slots(),
        }
    }

    /// How many vertices the halves have in common.
    pub fn joined(&self) -> usize {
        self.slots.len()
    }

    /// Whether one half is the image of the other.
    pub fn is_swapped(&self) -> bool {
        matches!(self.second, Second::Image(_))
    }

    /// Whether an edge of a vertex is its own image, and decided on at the end.
    pub(super) fn is_decided_late(&self, vertex: u32) -> bool {
        self.late.contains(&vertex)
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        let second = match &self.second {
            Second::Own(second) => second.steps.len(),
            Second::Image(fixed) => fixed.len(),
        };
        self.first.steps.len() + second
    }
}

/// A graph with all that makes a cycle of a path.
struct Extended {
    neighbours: Vec<Vec<u32>>,
    /// Without the outside.
    order: Vec<u32>,
    /// The outside, if there is one; two, if the ends are to be told apart.
    outside: Vec<u32>,
}

impl Extended {
    fn new(graph: &[Vec<u32>], ends: Ends, order: &[u32]) -> Self {
        let (neighbours, order) = (graph.to_vec(), order.to_vec());
        let mut all = Extended { neighbours, order, outside: Vec::new() };
        let n = graph.len() as u32;
        match ends {
            Ends::Closed => {}
            Ends::Free => all.add_outside(0..n),
            Ends::Among(ends) => all.add_outside(ends.iter().copied()),
            Ends::From(end) => all.begin_at(end, (0..n).filter(|&other| other != end)),
            Ends::Between(a, b) | Ends::Apart(&[a], &[b]) => all.add_outside([a, b]),
            Ends::Apart(&[end], others) | Ends::Apart(others, &[end]) => {
                all.begin_at(end, others.iter().copied().filter(|&other| other != end));
            }
            Ends::Apart(first, second) => {
                // A vertex that only lies between two outsides makes the tour pass both.
                let link = all.add([]);
                all.order.insert(0, link);
                for ends in [first, second] {
                    all.add_outside(ends.iter().copied().chain([link]));
                }
            }
        }
        all
    }

    /// A new vertex with these neighbours.
    fn add(&mut self, to: impl IntoIterator<Item = u32>) -> u32 {
        let new = self.neighbours.len() as u32;
        let to: Vec<u32> = to.into_iter().collect();
        for &to in &to {
            self.neighbours[to as usize].push(new);
        }
        self.neighbours.push(to);
        new
    }

    fn add_outside(&mut self, ends: impl IntoIterator<Item = u32>) {
        let outside = self.add(ends);
        self.outside.push(outside);
    }

    /// One end is this, the other one of the others.
    fn begin_at(&mut self, end: u32, others: impl Iterator<Item = u32>) {
        // A vertex that only lies between the end and the outside makes the tour go that way.
        let via = self.add([end]);
        let at = self.order.iter().position(|&vertex| vertex == end).unwrap_or(0);
        self.order.insert(at, via);
        self.add_outside(others.chain([via]));
    }
}

struct Halves<'g> {
    neighbours: &'g [Vec<u32>],
    factors: &'g Factors,
    /// Without the outside.
    order: &'g [u32],
    outside: &'g [u32],
    swap: Option<Vec<u32>>,
}

impl Halves<'_> {
    /// Refuses a symmetry that is none, or that is not its own inverse.
    fn check_swap(&self) -> Result<(), Refused> {
        let Some(swap) = &self.swap else { return Ok(()) };
        let n = self.neighbours.len();
        let image = |vertex: u32| swap.get(vertex as usize).copied().unwrap_or(u32::MAX);
        let is_inverse = swap.len() == n && (0..n as u32).all(|v| image(image(v)) == v);
        let keeps = || {
            (0..n as u32).all(|vertex| {
                let there = &self.neighbours[image(vertex) as usize];
                let here = &self.neighbours[vertex as usize];
                let is_kept = |&to: &u32| {
                    let factor = self.factors.of(image(vertex), image(to));
                    there.contains(&image(to)) && self.factors.of(vertex, to) == factor
                };
                here.len() == there.len() && here.iter().all(is_kept)
            })
        };
        if is_inverse && keeps() { Ok(()) } else { Err(Refused::Symmetry) }
    }

    /// When an edge is read, more or less: twice its middle, then the earlier vertex.
    fn middle(&self, times: &[usize], a: u32, b: u32) -> (usize, usize) {
        let (a, b) = match [a, b].map(|vertex| self.outside.contains(&vertex)) {
            [true, _] => (b, b),
            [_, true] => (a, a),
            _ => (a, b),
        };
        let (a, b) = (times[a as usize], times[b as usize]);
        (a + b, a.min(b))
    }

    fn half(&self, times: &[usize], a: u32, b: u32) -> Half {
        let here = self.middle(times, a, b);
        let Some(swap) = &self.swap else {
            return if here.0 < self.order.len() { Half::First } else { Half::Second };
        };
        let (x, y) = (swap[a as usize], swap[b as usize]);
        if (x, y) == (a, b) || (y, x) == (a, b) {
            return Half::Both;
        }
        let there = self.middle(times, x, y);
        // Two edges of the same middle and earlier vertex are the same.
        if here < there { Half::First } else { Half::Second }
    }

    fn read(
        &self,
        weights: Option<&Weights>,
    ) -> Result<(Reading, Second, Vec<u8>, Vec<u32>), Refused> {
        let n = self.neighbours.len();
        let mut times = vec![0; n];
        for (time, &vertex) in self.order.iter().enumerate() {
            times[vertex as usize] = time;
        }
        let mut edges = [vec![Vec::new(); n], vec![Vec::new(); n]];
        let mut both = Vec::new();
        for a in 0..n as u32 {
            for &b in self.neighbours[a as usize].iter().filter(|&&b| a < b) {
                let half = match self.half(&times, a, b) {
                    Half::First => &mut edges[0],
                    Half::Second => &mut edges[1],
                    Half::Both => {
                        both.push((a, b));
                        continue;
                    }
                };
                half[a as usize].push(b);
                half[b as usize].push(a);
            }
        }
        let touches = |&(a, b): &(u32, u32), vertex: u32| a == vertex || b == vertex;
        let of_both = |vertex: u32| both.iter().filter(|edge| touches(edge, vertex)).count();
        // A tour within one half would never be seen: there must be none.
        let is_short = |half: &[Vec<u32>], and_both: bool| {
            (0..n as u32).any(|vertex| {
                half[vertex as usize].len() + if and_both { of_both(vertex) } else { 0 } < 2
            })
        };
        if !is_short(&edges[0], true) || !is_short(&edges[1], false) {
            return Err(Refused::Symmetry);
        }
        let reading = |half: usize, order: &mut dyn Iterator<Item = u32>| {
            let is_read =
                |vertex: &u32| !edges[half][*vertex as usize].is_empty() || of_both(*vertex) > 0;
            let order = self.outside.iter().copied().chain(order).filter(is_read).collect();
            let degree = |vertex: usize| self.neighbours[vertex].len();
            let elsewhere: Vec<usize> =
                (0..n).map(|vertex| degree(vertex) - edges[half][vertex].len()).collect();
            Reading::new(order, &edges[half], self.factors, &elsewhere, weights)
                .ok_or(Refused::Wide)
        };
        let first = reading(0, &mut self.order.iter().copied())?;
        let (second, last) = match &self.swap {
            None => {
                let second = reading(1, &mut self.order.iter().rev().copied())?;
                let last = second.last().to_vec();
                (Second::Own(second), last)
            }
            Some(swap) => {
                let steps: Option<Vec<Step>> =
                    both.iter().map(|&(a, b)| first.edge(a, b, self.factors)).collect();
                let steps = steps.ok_or(Refused::Symmetry)?;
                let last = first.last().iter().map(|&vertex| swap[vertex as usize]).collect();
                (Second::Image(steps), last)
            }
        };
        let slot =
            |vertex: &u32| last.iter().position(|other| other == vertex).map(|slot| slot as u8);
        let slots: Option<Vec<u8>> = first.last().iter().map(slot).collect();
        match slots {
            Some(slots) if slots.len() == last.len() => {
                let late = both.iter().flat_map(|&(a, b)| [a, b]).collect();
                Ok((first, second, slots, late))
            }
            _ => Err(Refused::Symmetry),
        }
    }
}

/// Weights 1 and −1 such that every edge joins vertices of different weight, 0 for the outside;
/// `None` if the graph has no two such colours or is not connected.
fn weights(graph: &[Vec<u32>], outside: u32) -> Option<Weights> {
    let mut weights = vec![0i8; outside as usize + 1];
    let mut queue = vec![0u32];
    *weights.first_mut()? = 1;
    while let Some(vertex) = queue.pop() {
        for &to in &graph[vertex as usize] {
            if weights[to as usize] == 0 {
                weights[to as usize] = -weights[vertex as usize];
                queue.push(to);
            } else if weights[to as usize] == weights[vertex as usize] {
                return None;
            }
        }
    }
    let has_all = weights[..graph.len()].iter().all(|&weight| weight != 0);
    has_all.then_some(Weights(weights))
}
