//! Tours that a symmetry keeps.
//!
//! A symmetry g of a graph takes tours to tours; it **keeps** a tour that it takes to itself. By
//! Burnside's lemma the mean of these numbers over a group of symmetries is the number of classes
//! of tours. Tours that are kept are not looked for among all tours: they are the tours of a
//! smaller graph, the **quotient**, whose vertices are the orbits of g.
//!
//! **What g can do to a tour.** A tour that is kept is a cycle or a path, and g acts on it as one
//! of the symmetries of a cycle or a path.
//!
//! - *A path is turned round.* So g has order 2, and one thing in the middle of the path stays where
//!   it is: a vertex, or an edge whose two ends g exchanges. Half of the path visits every orbit
//!   once: it is a path of the quotient from the middle to anywhere.
//! - *A cycle is reflected.* Again g has order 2, and two things stay where they are, vertices or
//!   edges, opposite each other. Half of the cycle is a path of the quotient from one to the other.
//! - *A cycle is turned.* Every orbit then has as many vertices as g has order, m, and the
//!   cycle goes m times round a cycle of the quotient.
//!
//! In the first two cases any path of the quotient will do. An edge of the quotient is an orbit of
//! edges, so two vertices of it may be joined by several edges, and each counts.
//!
//! **Gains.** In the third case, number the vertices of each orbit by the power of g that takes its
//! first vertex there, its *sheet*. An edge of the quotient has a *gain* modulo m: by how much the
//! sheet changes along it. A cycle of the quotient goes up by the sum of its gains each time round,
//! so it makes one cycle of the graph if this sum is prime to m, and several if not. Where m is a
//! power of two, that is the same as being odd, and only the parity of a gain matters.
//!
//! Cycles of odd gain are counted without following gains at all. Let every edge count 1, and add up
//! over all cycles the product of what their edges count: that is the number of cycles of even gain
//! plus that of odd gain. Now let edges of odd gain count −1: that is the number of cycles of even
//! gain less that of odd gain. Half the difference is what is wanted. So two counts of plain
//! pairings, with *factors* for edges, take the place of borders with a bit more for each path.
//! Parallel edges are one edge with the sum of their factors.
//!
//! Quotients under gains are voltage graphs (Gross and Tucker); telling parities apart by
//! signs is the character of the group of two elements.
//!
//! The 2,432,932 closed knight's tours of the chessboard that half a turn keeps take 2·10^7
//! borders, a second or two; a quotient of 8×8 by half a turn has 32 vertices.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

use super::count::{CountError, Ways, sum_by};
use super::forecast::{Forecast, forecast};
use super::halves::{Ends, Refused, Tours};
use super::reading::Factors;
use crate::run::{Run, Stop};
use crate::search::Part;

/// The tours that a symmetry keeps, ready to be counted.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Those that are known at once: cycles round a quotient of one or two vertices.
    known: u64,
    /// Cycles that are turned: all cycles of the quotient, and those of odd gain negative.
    turned: Option<[Tours; 2]>,
    /// Paths of the quotient: cycles that are reflected, or paths that are turned round.
    folded: Option<Tours>,
}

/// How many tours a symmetry keeps, and how they were counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCount {
    /// The exact number, undirected.
    pub total: BigUint,
    /// Borders in all layers and passes.
    pub borders: u64,
    /// The most borders in one layer.
    pub peak: u64,
}

impl Kept {
    /// The tours of a graph, closed or open, that a symmetry keeps, given by the image of each
    /// vertex. Orbits are read in the order of their first vertices.
    ///
    /// Refused is what is no symmetry, the identity, a symmetry whose order is larger than 64 and,
    /// if it can turn cycles, one whose order is not a power of two.
    pub fn new(
        graph: &[Vec<u32>],
        image: &[u32],
        closed: bool,
        order: &[u32],
    ) -> Result<Self, Refused> {
        let quotient = Quotient::new(graph, image, order)?;
        let mut kept = Kept { known: 0, turned: None, folded: None };
        if graph.len() < 3 {
            return Err(Refused::Small);
        }
        if quotient.period == 2 {
            kept.folded = quotient.folded(closed)?;
        }
        if closed && quotient.is_free() {
            if !quotient.period.is_power_of_two() {
                return Err(Refused::Symmetry);
            }
            match quotient.len() {
                1 => kept.known = quotient.loops(),
                2 => kept.known = quotient.double(),
                _ => kept.turned = Some(quotient.turned()?),
            }
        }
        Ok(kept)
    }

    /// All sums that are made.
    fn terms(&self) -> impl Iterator<Item = &Tours> {
        self.turned.iter().flatten().chain(&self.folded)
    }

    /// Whether there is nothing to be counted: what there is, is known.
    pub fn is_known(&self) -> bool {
        self.terms().next().is_none()
    }

    /// The most vertices of a border.
    pub fn slots(&self) -> usize {
        self.terms().map(Tours::slots).max().unwrap_or(0)
    }

    /// Counts them. Nothing is saved in the run's store.
    pub fn count(&self, run: &Run) -> Result<KeptCount, CountError> {
        // A part of a run has no store.
        let run = run.part(run.budget().clone());
        let (mut borders, mut peak) = (0, 0);
        let mut sum = |tours: &Tours| {
            let sum = sum_by(tours, Part::WHOLE, Ways::default(), &run)?;
            borders += sum.layers.iter().sum::<u64>() * u64::from(sum.passes);
            peak = peak.max(sum.layers.into_iter().max().unwrap_or(0));
            Ok::<_, CountError>(sum.total)
        };
        let mut total = BigInt::from(self.known);
        if let Some([all, signed]) = &self.turned {
            let (half, rest) = (sum(all)? - sum(signed)?).div_rem(&2.into());
            if rest != BigInt::ZERO {
                return Err(CountError::Off);
            }
            total += half;
        }
        if let Some(folded) = &self.folded {
            total += sum(folded)?;
        }
        let total = total.try_into().map_err(|_| CountError::Off)?;
        Ok(KeptCount { total, borders, peak })
    }

    /// What counting them will take, as far as can be predicted from layers of `most` borders
    /// in all.
    pub fn forecast(&self, most: u64, run: &Run) -> Result<Forecast, Stop> {
        let mut all = Forecast {
            exact: true,
            peak: 1.0,
            borders: 0.0,
            bytes: 0.0,
            seconds: 0.0,
            sliced: None,
        };
        for tours in self.terms() {
            let one = forecast(tours, most, run)?;
            all = Forecast {
                exact: all.exact && one.exact,
                peak: all.peak.max(one.peak),
                borders: all.borders + one.borders,
                bytes: all.bytes.max(one.bytes),
                seconds: all.seconds + one.seconds,
                // One after the other: the largest says what is needed.
                sliced: if one.bytes > all.bytes { one.sliced } else { all.sliced },
            };
        }
        Ok(all)
    }
}

/// The longest period of a symmetry: factors are small.
const LONGEST: usize = 64;

/// The orbits of a symmetry.
struct Quotient<'g> {
    graph: &'g [Vec<u32>],
    /// The order of the symmetry.
    period: usize,
    /// The first vertex of each orbit.
    first: Vec<u32>,
    /// How many vertices each has.
    sizes: Vec<usize>,
    /// For each vertex of the graph its orbit, and which power takes the first vertex there.
    orbits: Vec<(u32, usize)>,
}

impl<'g> Quotient<'g> {
    fn new(graph: &'g [Vec<u32>], image: &[u32], order: &[u32]) -> Result<Self, Refused> {
        let n = graph.len();
        let is_symmetry = || {
            let mut seen = vec![false; n];
            image.len() == n
                && image.iter().all(|&to| {
                    (to as usize) < n && !std::mem::replace(&mut seen[to as usize], true)
                })
                && (0..n).all(|vertex| {
                    let there = &graph[image[vertex] as usize];
                    graph[vertex].len() == there.len()
                        && graph[vertex].iter().all(|&to| there.contains(&image[to as usize]))
                })
        };
        if !is_symmetry() {
            return Err(Refused::Symmetry);
        }
        let mut orbits = vec![None; n];
        let (mut first, mut sizes) = (Vec::new(), Vec::new());
        let mut period = 1;
        for &begin in order {
            let mut vertex = begin;
            let mut sheet = 0;
            while orbits[vertex as usize].is_none() {
                orbits[vertex as usize] = Some((first.len() as u32, sheet));
                vertex = image[vertex as usize];
                sheet += 1;
            }
            if sheet > 0 {
                first.push(begin);
                sizes.push(sheet);
                period = period.lcm(&sheet);
            }
        }
        let orbits: Option<Vec<_>> = orbits.into_iter().collect();
        match orbits {
            Some(orbits) if (2..=LONGEST).contains(&period) => {
                Ok(Quotient { graph, period, first, sizes, orbits })
            }
            _ => Err(Refused::Symmetry),
        }
    }

    fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether no power of the symmetry but the identity keeps a vertex.
    fn is_free(&self) -> bool {
        self.sizes.iter().all(|&size| size == self.period)
    }

    /// From the first vertex of an orbit: the orbits and sheets of its neighbours.
    fn near(&self, orbit: u32) -> impl Iterator<Item = (u32, usize)> {
        let near = self.graph[self.first[orbit as usize] as usize].iter();
        near.map(|&to| self.orbits[to as usize])
    }

    /// How many edges of even and of odd gain lead from one orbit to each of the others.
    fn gains(&self, orbit: u32) -> Vec<[i8; 2]> {
        let mut gains = vec![[0; 2]; self.len()];
        for (to, sheet) in self.near(orbit).filter(|&(to, _)| to != orbit) {
            gains[to as usize][sheet % 2] += 1;
        }
        gains
    }

    /// The graph of the orbits, with the factor of each edge; edges whose factor is 0 are left out.
    fn graph(&self, factor: impl Fn(u32, u32, [i8; 2]) -> i8) -> (Vec<Vec<u32>>, Factors) {
        let mut factors = Factors::default();
        let mut graph = Vec::new();
        for orbit in 0..self.len() as u32 {
            let mut near = Vec::new();
            for (to, gains) in (0..).zip(self.gains(orbit)) {
                let factor = factor(orbit, to, gains);
                if factor != 0 {
                    near.push(to);
                    factors.set(orbit, to, factor);
                }
            }
            graph.push(near);
        }
        (graph, factors)
    }

    fn order(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }

    /// All cycles of the quotient, and all with the sign of their gain.
    fn turned(&self) -> Result<[Tours; 2], Refused> {
        let tours = |sign: i8| {
            let (graph, factors) = self.graph(|_, _, [even, odd]| even + sign * odd);
            Tours::with_factors(&graph, &factors, Ends::Closed, &self.order(), None)
        };
        Ok([tours(1)?, tours(-1)?])
    }

    /// Cycles of odd gain round an only orbit: loops, each of which is met in both directions.
    fn loops(&self) -> u64 {
        let odd = self.near(0).filter(|&(_, sheet)| sheet % 2 == 1).count();
        odd as u64 / 2
    }

    /// Cycles of odd gain there and back between two orbits.
    fn double(&self) -> u64 {
        let [even, odd] = self.gains(0)[1];
        even as u64 * odd as u64
    }

    /// Paths of the quotient of a symmetry of order 2: halves of cycles that it reflects, or of
    /// paths that it turns round. `None` if there can be none.
    fn folded(&self, closed: bool) -> Result<Option<Tours>, Refused> {
        let is_fixed = |orbit: u32| self.sizes[orbit as usize] == 1;
        let all = self.order();
        let fixed: Vec<u32> = all.iter().copied().filter(|&orbit| is_fixed(orbit)).collect();
        // Orbits of two vertices that are neighbours.
        let middles: Vec<u32> = all
            .iter()
            .copied()
            .filter(|&orbit| self.near(orbit).any(|(to, _)| to == orbit))
            .collect();
        let (graph, factors) = self.graph(|from, to, [even, odd]| {
            match [from, to].map(is_fixed) {
                // An edge that stays where it is, with both its ends, is in no such tour.
                [true, true] => 0,
                // The edges to both vertices of an orbit are one orbit of edges.
                [true, false] | [false, true] => (even + odd).min(1),
                [false, false] => even + odd,
            }
        });
        let ends = match (closed, &fixed[..]) {
            (true, []) => Ends::Among(&middles),
            (true, &[one]) => Ends::Apart(&[one], &middles),
            (true, &[one, other]) => Ends::Between(one, other),
            (false, []) => Ends::Apart(&middles, &all),
            (false, &[one]) => Ends::From(one),
            _ => return Ok(None),
        };
        let can_end = match ends {
            Ends::Among(ends) => ends.len() > 1,
            Ends::Apart(first, second) => !first.is_empty() && !second.is_empty(),
            _ => true,
        };
        if !can_end {
            return Ok(None);
        }
        Tours::with_factors(&graph, &factors, ends, &all, None).map(Some)
    }
}
