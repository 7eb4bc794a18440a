//! The exact number of tours.
//!
//! The first pass keeps numbers of ways modulo 2^64, and beside them, for each group of borders, a
//! bound of their sum: what the groups before it add up to. What is joined at the end is
//! bounded by the products of these sums. If that is below 2^64, the number is what it is.
//!
//! If it is not, joining the halves once more in floats says how large the number is: adding and
//! multiplying numbers that are not negative errs by one part in 2^53 an operation, and there are
//! fewer than 2^40. If that does not suffice either, further passes are made modulo primes of 61
//! bits. Their product must exceed the bound, and the number that they give must be the one of the
//! first pass modulo 2^64.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use num_bigint::BigUint;

use super::ahead::Ahead;
use super::halves::{Second, Tours};
use super::join::{Joiner, Places, Weighed};
use super::layer::{Borders, Layer, Look, Maker, workers};
use super::matching::{MOST_PAIRS, Tables};
use super::reading::{MATED, Reading, Step, at, pairs, point, with};
use super::ring::{Floats, Ring, Words};
use crate::number::{combine, primes};
use crate::run::{Run, Stop};
use crate::sweep::SweepError;

/// How many tours there are, and how they were counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The exact number, undirected.
    pub total: BigUint,
    /// Its residues modulo the primes of further passes; none if one pass was enough.
    pub residues: Vec<(u64, u64)>,
    /// Borders after each step: of the first half, then of the second.
    pub layers: Vec<u64>,
    /// Passes over all steps.
    pub passes: u32,
}

impl Counted {
    /// The most borders in one layer.
    pub fn peak(&self) -> u64 {
        self.layers.iter().copied().max().unwrap_or(1)
    }

    /// Borders in all layers and passes.
    pub fn handled(&self) -> u64 {
        self.layers.iter().sum::<u64>() * u64::from(self.passes)
    }
}

/// Counts tours.
pub fn count(tours: &Tours, run: &Run) -> Result<Counted, SweepError> {
    count_looking(tours, Look::WhereItPays, run)
}

fn count_looking(tours: &Tours, look: Look, run: &Run) -> Result<Counted, SweepError> {
    if tours.neighbours.iter().any(|near| near.len() < 2) {
        // No tour passes there; a vertex without edges would not even be read.
        let (total, residues) = (BigUint::ZERO, Vec::new());
        return Ok(Counted { total, residues, layers: Vec::new(), passes: 1 });
    }
    let counter = Counter { tours, look, tables: &Tables::new(), run };
    let first = counter.pass(Words)?;
    let (layers, mut passes) = (first.layers, 1);
    if first.bound < WORD {
        let residues = Vec::new();
        return Ok(Counted { total: first.total.into(), residues, layers, passes });
    }
    if first.bound > 1e300 {
        return Err(SweepError::TooLarge);
    }
    let mut residues = Vec::new();
    let mut known = 0.0;
    for modulus in primes() {
        let pass = counter.pass(modulus)?;
        passes += 1;
        residues.push((modulus, pass.total));
        // Every prime is above 2^60.
        known += 60.0;
        if known > first.bound.log2() + 1.0 {
            break;
        }
    }
    let total = combine(&residues);
    let lowest = total.iter_u64_digits().next().unwrap_or(0);
    if lowest != first.total {
        let about = first.bound;
        return Err(SweepError::Off { total, about });
    }
    let residues = residues.iter().map(|(modulus, residue)| (modulus.prime(), *residue)).collect();
    Ok(Counted { total, residues, layers, passes })
}

/// 2^64, less what floats may err by.
const WORD: f64 = 1.844e19;
/// Sums of ways up to here are exact in a word.
const EXACT: f64 = 9e18;
/// More than floats can err by in a whole count.
const SLACK: f64 = 1.0 + 1e-3;

struct Pass {
    total: u64,
    bound: f64,
    layers: Vec<u64>,
}

struct Counter<'c> {
    tours: &'c Tours,
    look: Look,
    tables: &'c Tables,
    run: &'c Run,
}

impl Counter<'_> {
    fn pass<R: Ring>(&self, ring: R) -> Result<Pass, Stop> {
        let Counter { tours, look, tables, run } = *self;
        let maker = Maker::new(ring, look, tables, run);
        let mut layers = Vec::with_capacity(tours.steps());
        run.uneven_stage(format!("reading {} vertices", tours.steps()), tours.steps() as u64);
        let first = self.read(&maker, &tours.first, &mut layers)?;
        let (a, b) = match &tours.second {
            Second::Own(second) => (first, Some(self.read(&maker, second, &mut layers)?)),
            Second::Image(edges) if edges.is_empty() => (first, None),
            Second::Image(edges) => {
                (self.with_edges(&maker, &first, edges, &mut layers)?, Some(first))
            }
        };
        drop(maker);
        let halves = Joining { a: &a, b: b.as_ref().unwrap_or(&a), tours, tables, run };
        let (total, bound) = halves.join(ring)?;
        let mut bound = bound * SLACK;
        if ring.is_exact() && bound >= WORD && halves.are_exact() {
            let (about, _) = halves.join(Floats)?;
            bound = f64::from_bits(about) * SLACK;
        }
        Ok(Pass { total, bound, layers })
    }

    /// The last layer of a reading.
    fn read<R: Ring>(
        &self,
        maker: &Maker<'_, R>,
        reading: &Reading,
        layers: &mut Vec<u64>,
    ) -> Result<Layer, Stop> {
        let ahead = Ahead::new(reading, &self.tours.neighbours, &self.tours.order);
        let mut layer = Layer::start(self.run)?;
        for (number, step) in reading.steps.iter().enumerate() {
            let next = maker.next(&layer, step, Some((&ahead, number)))?;
            maker.recycle(layer);
            layer = next;
            layers.push(layer.borders());
            self.run.step(1);
        }
        Ok(layer)
    }

    /// The first half with the edges that are their own images.
    fn with_edges<R: Ring>(
        &self,
        maker: &Maker<'_, R>,
        first: &Layer,
        edges: &[Step],
        layers: &mut Vec<u64>,
    ) -> Result<Layer, Stop> {
        let mut layer: Option<Layer> = None;
        for step in edges {
            let next = maker.next(layer.as_ref().unwrap_or(first), step, None)?;
            if let Some(before) = layer.replace(next) {
                maker.recycle(before);
            }
            layers.push(layer.as_ref().map_or(0, Layer::borders));
            self.run.step(1);
        }
        Ok(layer.unwrap_or_default())
    }
}

/// Two halves that are being joined.
struct Joining<'j> {
    a: &'j Layer,
    /// The same as `a` where it is its own other half.
    b: &'j Layer,
    tours: &'j Tours,
    tables: &'j Tables,
    run: &'j Run,
}

impl Joining<'_> {
    /// Whether no number of ways of either half has wrapped.
    fn are_exact(&self) -> bool {
        let groups = |layer: &Layer| {
            layer.chunks.iter().all(|chunk| chunk.groups.iter().all(|group| group.ways < EXACT))
        };
        groups(self.a) && groups(self.b)
    }

    /// The number of tours, and a bound of it.
    fn join<R: Ring>(&self, ring: R) -> Result<(u64, f64), Stop> {
        let Joining { a, b, tours, tables, run } = *self;
        // Where each type of B is.
        let mut index: Vec<(u64, u32, u32)> = Vec::with_capacity(b.types());
        let mut claim = run.claim();
        claim.grow_to((b.types() * size_of::<(u64, u32, u32)>()) as u64)?;
        for (number, chunk) in b.chunks.iter().enumerate() {
            let groups = chunk.groups.iter().enumerate();
            index.extend(groups.map(|(group, at)| (at.word, number as u32, group as u32)));
        }
        index.sort_unstable();
        let own = std::ptr::eq(a, b);
        let threads = run.budget().threads;
        run.uneven_stage("joining the halves", a.chunks.len() as u64);
        let next = AtomicUsize::new(0);
        let sums = workers(if a.borders() < 4000 { 1 } else { threads }, || {
            let mut joiner = Joiner::new(tables, ring);
            let mut claim = run.claim();
            let (mut left, mut right) = (Vec::new(), Vec::new());
            let (mut sum, mut bound) = (0, 0.0);
            let float = |number: u64| (number as f64).to_bits();
            let read = |borders: Borders<'_>, list: &mut Vec<Weighed>| {
                list.clear();
                borders.each(|rank, number| {
                    let number = if ring.is_float() { float(number) } else { number };
                    list.push(Weighed { rank, number });
                });
            };
            while let Some(chunk) = a.chunks.get(next.fetch_add(1, Relaxed)) {
                for group in &chunk.groups {
                    let other = complement(group.word, &tours.slots);
                    let pairs = pairs(group.word);
                    // Without a pair nothing was taken in this half: no tour is in the other.
                    if pairs == 0 || (own && other < group.word) {
                        continue;
                    }
                    let Ok(found) = index.binary_search_by_key(&other, |(word, ..)| *word) else {
                        continue;
                    };
                    let (_, there, at) = index[found];
                    let there = &b.chunks[there as usize];
                    let partner = &there.groups[at as usize];
                    let times = if own && other != group.word { 2 } else { 1 };
                    bound += group.ways * partner.ways * f64::from(times);
                    read(chunk.borders(group), &mut left);
                    read(there.borders(partner), &mut right);
                    claim.grow_to(((left.capacity() + right.capacity()) * 16) as u64)?;
                    let places = places(group.word, other, &tours.slots);
                    let part = if left.len() >= right.len() {
                        right.sort_unstable_by_key(|weighed| weighed.rank);
                        joiner.sum(pairs, &left, &right, &places)
                    } else {
                        left.sort_unstable_by_key(|weighed| weighed.rank);
                        joiner.sum(pairs, &right, &left, &inverse(&places, pairs))
                    };
                    for _ in 0..times {
                        sum = ring.add(sum, part);
                    }
                    run.tick(left.len() as u64)?;
                }
                run.step(1);
            }
            Ok((sum, bound))
        })?;
        Ok(sums
            .into_iter()
            .fold((0, 0.0), |(sum, bound), (more, most)| (ring.add(sum, more), bound + most)))
    }
}

/// The type of the other half that goes with a type: done and fresh exchanged, and each vertex
/// in its slot there.
fn complement(word: u64, slots: &[u8]) -> u64 {
    slots.iter().enumerate().fold(0, |other, (slot, &to)| {
        let here = at(word, slot);
        let there = if here == MATED { MATED } else { here ^ 1 };
        with(other, usize::from(to), there)
    })
}

/// For each point of the other half's matchings: its place in this half's.
fn places(word: u64, other: u64, slots: &[u8]) -> Places {
    let mut places = [0; 2 * MOST_PAIRS];
    for (slot, &to) in slots.iter().enumerate() {
        if at(word, slot) == MATED {
            places[usize::from(point(other, usize::from(to)))] = point(word, slot);
        }
    }
    places
}

fn inverse(places: &Places, pairs: usize) -> Places {
    let mut inverse = [0; 2 * MOST_PAIRS];
    for (point, &place) in places.iter().enumerate().take(2 * pairs) {
        inverse[usize::from(place)] = point as u8;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::super::{Ends, Refused};
    use super::*;
    use crate::run::Budget;
    use num_traits::ToPrimitive;
    use proptest::prelude::*;

    /// Counts tours by following every path.
    fn plain(graph: &[Vec<u32>], ends: Ends) -> u64 {
        fn below(
            graph: &[Vec<u32>],
            path: &mut Vec<u32>,
            is_whole: &dyn Fn(&[u32]) -> bool,
        ) -> u64 {
            if path.len() == graph.len() {
                return u64::from(is_whole(path));
            }
            let mut sum = 0;
            let Some(&last) = path.last() else { return 0 };
            for &to in &graph[last as usize] {
                if !path.contains(&to) {
                    path.push(to);
                    sum += below(graph, path, is_whole);
                    path.pop();
                }
            }
            sum
        }
        let n = graph.len() as u32;
        let from = |first: u32, is_whole: &dyn Fn(&[u32]) -> bool| {
            below(graph, &mut vec![first], is_whole)
        };
        match ends {
            Ends::Closed if n < 3 => 0,
            Ends::Closed => from(0, &|path| graph[0].contains(&path[path.len() - 1])) / 2,
            Ends::Free => (0..n).map(|first| from(first, &|_| true)).sum::<u64>() / 2,
            Ends::From(first) => from(first, &|_| true),
            Ends::Between(first, last) => from(first, &|path| path.last() == Some(&last)),
        }
    }

    /// A leaper's graph on a board of some rows and columns.
    fn leaper(rows: i32, cols: i32, moves: &[(i32, i32)]) -> Vec<Vec<u32>> {
        let cell = |row: i32, col: i32| (row * cols + col) as u32;
        let mut graph = vec![Vec::new(); (rows * cols) as usize];
        for row in 0..rows {
            for col in 0..cols {
                for &(a, b) in moves {
                    for (a, b) in [(a, b), (b, a)] {
                        for (a, b) in [(a, b), (a, -b), (-a, b), (-a, -b)] {
                            let (to_row, to_col) = (row + a, col + b);
                            if (0..rows).contains(&to_row) && (0..cols).contains(&to_col) {
                                graph[cell(row, col) as usize].push(cell(to_row, to_col));
                            }
                        }
                    }
                }
                let near = &mut graph[cell(row, col) as usize];
                near.sort_unstable();
                near.dedup();
            }
        }
        graph
    }

    fn flipped(rows: u32, cols: u32) -> Vec<u32> {
        (0..rows * cols).map(|cell| (rows - 1 - cell / cols) * cols + cell % cols).collect()
    }

    fn turned(n: u32) -> Vec<u32> {
        (0..n).rev().collect()
    }

    fn counted(graph: &[Vec<u32>], ends: Ends, swap: Option<&[u32]>, threads: usize) -> Counted {
        let order: Vec<u32> = (0..graph.len() as u32).collect();
        let tours = Tours::new(graph, ends, &order, swap).unwrap();
        assert_eq!(tours.is_swapped(), swap.is_some());
        let run = Run::new(Budget { threads, ..Budget::default() });
        let counted = count(&tours, &run).unwrap();
        assert_eq!(run.progress().bytes, 0, "all claims are given back");
        counted
    }

    #[test]
    fn knights_tours() {
        let knight = |rows, cols| leaper(rows, cols, &[(1, 2)]);
        for (rows, cols, closed, open) in
            [(5, 5, 0u64, 864u64), (5, 6, 8, 3_718_276 / 2 / 2), (6, 6, 9862, 3_318_960)]
        {
            let graph = knight(rows as i32, cols as i32);
            let half_turn = turned(rows * cols);
            let flip = flipped(rows, cols);
            let swaps = if rows % 2 == 0 {
                vec![None, Some(&half_turn[..]), Some(&flip[..])]
            } else {
                vec![None, Some(&half_turn[..])]
            };
            for swap in swaps {
                for threads in [1, 2, 3] {
                    let all = |ends| counted(&graph, ends, swap, threads).total;
                    assert_eq!(all(Ends::Closed), BigUint::from(closed), "{rows}x{cols}");
                    if (rows, cols) != (5, 6) {
                        assert_eq!(all(Ends::Free), BigUint::from(open), "{rows}x{cols}");
                    }
                }
            }
        }
    }

    #[test]
    fn diplomatico() {
        let graph = leaper(5, 5, &[(3, 0), (2, 2)]);
        for swap in [None, Some(&turned(25)[..])] {
            assert_eq!(counted(&graph, Ends::Free, swap, 1).total, BigUint::from(6200u32));
            assert_eq!(counted(&graph, Ends::Closed, swap, 1).total, BigUint::from(48u32));
            let corners = counted(&graph, Ends::Between(0, 24), swap, 1);
            assert_eq!(corners.total, BigUint::from(28u32));
        }
        let graph = leaper(6, 6, &[(3, 0), (2, 2)]);
        for swap in [None, Some(&turned(36)[..]), Some(&flipped(6, 6)[..])] {
            assert_eq!(counted(&graph, Ends::Closed, swap, 2).total, BigUint::from(13138u32));
            assert_eq!(counted(&graph, Ends::Free, swap, 2).total, BigUint::from(4_125_136u32));
        }
    }

    #[test]
    fn complete_graphs() {
        // (n − 1)! / 2.
        for n in [3u32, 4, 5, 8, 10] {
            let graph: Vec<Vec<u32>> =
                (0..n).map(|v| (0..n).filter(|&to| to != v).collect()).collect();
            let expected: BigUint = (1..n).map(BigUint::from).product::<BigUint>() / 2u32;
            assert_eq!(counted(&graph, Ends::Closed, None, 2).total, expected);
        }
    }

    #[test]
    fn counts_beyond_a_word_take_primes() {
        // Two columns of a king's strip are left in four ways or so: 4^60 is far beyond a word.
        for (cols, several) in [(8, false), (60, true), (130, true)] {
            let graph = leaper(3, cols, &[(1, 1), (1, 0)]);
            let order: Vec<u32> = (0..cols as u32)
                .flat_map(|col| (0..3).map(move |row| row * cols as u32 + col))
                .collect();
            let [one, two] = [1, 2].map(|threads| {
                let tours = Tours::new(&graph, Ends::Closed, &order, None).unwrap();
                count(&tours, &Run::new(Budget { threads, ..Budget::default() })).unwrap()
            });
            assert_eq!(one, two);
            assert_eq!(one.passes > 1, several, "{cols}: {}", one.passes);
            for (prime, residue) in &one.residues {
                assert_eq!((&one.total % *prime).to_u64(), Some(*residue));
            }
            // The number of closed king's tours of 3×8.
            assert_eq!(one.total == BigUint::from(208_118u32), cols == 8, "{}", one.total);
        }
    }

    #[test]
    fn what_is_no_symmetry_is_refused() {
        let graph = leaper(4, 4, &[(1, 2)]);
        let order: Vec<u32> = (0..16).collect();
        let mut swap = turned(16);
        swap.swap(0, 1);
        let refused = |ends, swap: &[u32]| Tours::new(&graph, ends, &order, Some(swap)).err();
        assert_eq!(refused(Ends::Closed, &swap), Some(Refused::Symmetry));
        assert_eq!(refused(Ends::From(3), &turned(16)), Some(Refused::Symmetry));
        assert_eq!(refused(Ends::Closed, &order), Some(Refused::Symmetry), "the identity");
        assert_eq!(refused(Ends::Between(0, 15), &turned(16)), None);
        let two = Tours::new(&[vec![1], vec![0]], Ends::Closed, &[0, 1], None);
        assert_eq!(two.err(), Some(Refused::Small));
    }

    #[test]
    fn limits_stop_the_count() {
        let graph = leaper(6, 6, &[(1, 2)]);
        let order: Vec<u32> = (0..36).collect();
        let tours = Tours::new(&graph, Ends::Free, &order, None).unwrap();
        let run = Run::new(Budget { memory: Some(1 << 20), threads: 2, ..Budget::default() });
        let stopped = count(&tours, &run).unwrap_err();
        assert!(matches!(stopped, SweepError::Stop(Stop::Memory { .. })), "{stopped}");
        assert_eq!(run.progress().bytes, 0, "all claims are given back");
        let run = Run::default();
        run.cancel();
        assert_eq!(count(&tours, &run), Err(SweepError::Stop(Stop::Cancelled)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
        #[test]
        fn random_graphs(
            n in 3usize..9,
            edges in prop::collection::vec(any::<bool>(), 36),
            order in Just((0u32..9).collect::<Vec<_>>()).prop_shuffle(),
            ends in (0u32..9, 0u32..9),
        ) {
            let mut graph = vec![Vec::new(); n];
            let mut edges = edges.into_iter();
            for a in 0..n {
                for b in 0..a {
                    if edges.next() == Some(true) {
                        graph[a].push(b as u32);
                        graph[b].push(a as u32);
                    }
                }
            }
            let order: Vec<u32> = order.into_iter().filter(|&v| (v as usize) < n).collect();
            let (from, to) = (ends.0 % n as u32, ends.1 % n as u32);
            let mut all = vec![Ends::Closed, Ends::Free, Ends::From(from)];
            if from != to {
                all.push(Ends::Between(from, to));
            }
            for ends in all {
                let tours = Tours::new(&graph, ends, &order, None).unwrap();
                let expected = BigUint::from(plain(&graph, ends));
                for look in [Look::Always, Look::Never] {
                    let found = count_looking(&tours, look, &Run::default()).unwrap();
                    prop_assert_eq!(&found.total, &expected, "{:?} {:?}", ends, look);
                }
            }
        }

        #[test]
        fn random_graphs_with_a_symmetry(
            half in 2usize..5,
            centre in any::<bool>(),
            edges in prop::collection::vec(any::<bool>(), 81),
        ) {
            // Vertex v is swapped with n − 1 − v.
            let n = 2 * half + usize::from(centre);
            let mut graph = vec![Vec::new(); n];
            for a in 0..n {
                for b in 0..n {
                    let (x, y) = (n - 1 - a, n - 1 - b);
                    let least = [(a, b), (b, a), (x, y), (y, x)].into_iter().min();
                    if a != b && least.is_some_and(|(a, b)| edges[a * 9 + b]) {
                        graph[a].push(b as u32);
                    }
                }
            }
            let order: Vec<u32> = (0..n as u32).collect();
            let swap = turned(n as u32);
            for ends in [Ends::Closed, Ends::Free, Ends::Between(0, n as u32 - 1)] {
                match Tours::new(&graph, ends, &order, Some(&swap)) {
                    Ok(tours) => {
                        let expected = BigUint::from(plain(&graph, ends));
                        for look in [Look::Always, Look::Never] {
                            let found = count_looking(&tours, look, &Run::default()).unwrap();
                            prop_assert_eq!(&found.total, &expected, "{:?} {:?}", ends, look);
                        }
                    }
                    Err(refused) => prop_assert_eq!(refused, Refused::Symmetry),
                }
            }
        }
    }
}
