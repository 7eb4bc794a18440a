//! Bounds of the number of tours, proved without counting them.
//!
//! All are natural logarithms of numbers of *undirected* tours, so they exist at any size.
//!
//! ## At most, by degrees
//!
//! A directed closed tour gives each cell its *successor*: it is a permutation that takes every
//! cell to a neighbour. The number of these is a permanent, and that of a matrix of zeros and ones
//! whose rows have d ones is at most the product of (d!)^(1/d) (Minc's conjecture, proved by
//! Brègman 1973). An open path from a to z becomes a permutation if z is followed by a: for each z,
//! a permanent with one row of n ones. Undirected tours are half as many.
//!
//! ## At most, by reading
//!
//! The proof of that theorem by Radhakrishnan (1997), for tours instead of permutations. Let C be a
//! closed tour, each of the N with the same chance; then ln N is the entropy of C. Give each cell
//! a *time* between 0 and 1, at random and independently, and read the cells in the order of their
//! times: reading a cell shows its two moves. The entropy of C is at most the sum, over all cells,
//! of the mean of ln(number of ways in which the moves that are not known yet can lie). What are
//! those ways, for a cell v with d neighbours that is read at time t, where s = 1 − t?
//!
//! Let a and b be the cells before and after v in C. Moves to those of them that were read are
//! known; k of them were not, and k is 2 with probability s², and 1 with 2st. The k unknown moves
//! go to neighbours of v that are *available*: not read, and with fewer than two known moves. Of a
//! and b just those k are. Any other neighbour u is available if it was not read, and the two cells
//! next to u in C were not both read: with probability p = s(1 − t²). If B of these others are
//! available, there are (k + B choose k) ways.
//!
//! Given a and b, "not read" are independent events, and to be available becomes true rather than
//! false when fewer cells are read. So events of this kind have no negative correlation (Harris
//! 1960), and for a concave function f the mean of f(B) is no larger than for independent events
//! with the same probabilities: the gain f(B + 1) − f(B) from one more falls with the others. The
//! logarithm of the number of ways is concave and increasing in B. So the sum over d − 2
//! independent events is a bound, and depends on nothing but d.
//!
//! One thing is not quite so: if the cell next to u in C is a or b and was not read, u is available
//! with probability s, which is more. Without triangles of moves that cannot be, for it would be a
//! neighbour of v and of u. With triangles it happens for at most k of the others.
//!
//! Two ends of an open path have one move each, and all else becomes less likely to be available.
//! The bound is the sum over all pairs of ends.
//!
//! On 10×10 the closed tours of Diplomatico are at most 10^42.3 by degrees and 10^35.7 by reading.
//!
//! Lower bounds are in [`super::pieces`].

use std::f64::consts::LN_2;

use super::task::Task;

/// Upper bounds of the number of tours, as natural logarithms; minus infinity where there is none.
pub(super) struct AtMost {
    /// By Brègman's theorem.
    pub(super) by_degrees: f64,
    /// By the entropy of reading cells in random order.
    pub(super) by_reading: f64,
}

/// Upper bounds of the number of tours of a task, as it is counted: undirected, or as numbered.
pub(super) fn at_most(task: &Task) -> AtMost {
    let n = task.len();
    let degrees: Vec<usize> = (0..n as u32).map(|cell| task.graph.degree(cell)).collect();
    let cells = Cells { degrees, triangles: has_triangle(task) };
    let given = [task.cell_of(1), task.cell_of(n)].map(|end| end.map(|cell| cell as usize));
    let ends: Vec<usize> = given.into_iter().flatten().filter(|_| !task.closed).collect();
    // Clues on the way, or on a loop, may be met in either direction.
    let both_ways = if task.is_numbered() && ends.is_empty() { LN_2 } else { 0.0 };
    let (by_degrees, by_reading) = match n {
        // There is at most one.
        0..3 => (0.0, 0.0),
        _ if task.closed => (cells.closed_by_degrees(), cells.closed_by_reading()),
        _ => (cells.open_by_degrees(&ends), cells.open_by_reading(&ends)),
    };
    // Rounding errs by far less than this.
    let margin = 1e-9 * n as f64;
    AtMost {
        by_degrees: by_degrees + both_ways + margin,
        by_reading: by_reading + both_ways + margin,
    }
}

/// Whether three cells are one move apart from each other.
fn has_triangle(task: &Task) -> bool {
    let graph = &task.graph;
    graph.edges().any(|(a, b)| graph.neighbours(a).iter().any(|&c| graph.joined(b, c)))
}

/// All that the bounds depend on.
struct Cells {
    /// How many neighbours each has.
    degrees: Vec<usize>,
    triangles: bool,
}

impl Cells {
    /// ln of half the product of (d!)^(1/d).
    fn closed_by_degrees(&self) -> f64 {
        self.degrees.iter().map(|&d| successors(d)).sum::<f64>() - LN_2
    }

    fn open_by_degrees(&self, ends: &[usize]) -> f64 {
        let n = self.degrees.len();
        let each: Vec<f64> = self.degrees.iter().map(|&d| successors(d)).collect();
        // A cell without neighbours can only be the one that is left out.
        let isolated = each.iter().filter(|one| one.is_infinite()).count();
        let sum: f64 = each.iter().filter(|one| one.is_finite()).sum();
        let all_but = |last: usize| match (each[last].is_finite(), isolated) {
            (true, 0) => sum - each[last],
            (false, 1) => sum,
            _ => f64::NEG_INFINITY,
        };
        match *ends {
            // The one is the last cell, and the other follows it.
            [_, last] => all_but(last),
            [last] => all_but(last) + successors(n),
            // Both directions of every path are among them.
            _ => ln_of_sum((0..n).map(all_but)) + successors(n) - LN_2,
        }
    }

    fn closed_by_reading(&self) -> f64 {
        let mut ways = Ways::new(self.triangles);
        self.degrees.iter().map(|&d| ways.inner(d)).sum()
    }

    fn open_by_reading(&self, ends: &[usize]) -> f64 {
        let mut ways = Ways::new(self.triangles);
        // Cells with one neighbour are ends too.
        let poor = (0..self.degrees.len()).filter(|&cell| self.degrees[cell] < 2);
        let mut ends: Vec<usize> = ends.iter().copied().chain(poor).collect();
        ends.sort_unstable();
        ends.dedup();
        let others = (0..self.degrees.len()).filter(|cell| ends.binary_search(cell).is_err());
        // What each of the others adds if it is no end, and how much less if it is one.
        let (mut inner, mut less) = (0.0, Vec::new());
        for cell in others {
            let here = ways.inner(self.degrees[cell]);
            inner += here;
            less.push(ways.end(self.degrees[cell]) - here);
        }
        let known: f64 = ends.iter().map(|&end| ways.end(self.degrees[end])).sum();
        let free = match ends.len() {
            0 => {
                // All pairs: (the square of the sum, less the squares) / 2.
                let sum: f64 = less.iter().map(|&by| by.exp()).sum();
                let squares: f64 = less.iter().map(|&by| (2.0 * by).exp()).sum();
                ((sum * sum - squares) / 2.0).ln()
            }
            1 => ln_of_sum(less.iter().copied()),
            2 => 0.0,
            _ => f64::NEG_INFINITY,
        };
        inner + known + free
    }
}

/// ln (d!)^(1/d).
fn successors(d: usize) -> f64 {
    match d {
        0 => f64::NEG_INFINITY,
        _ => (2..=d).map(|k| (k as f64).ln()).sum::<f64>() / d as f64,
    }
}

/// The logarithm of a sum of numbers that are given by theirs.
fn ln_of_sum(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = numbers.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + numbers.map(|number| (number - most).exp()).sum::<f64>().ln()
}

/// The mean of ln(ways in which the moves of a cell can lie when it is read), by degrees; each is
/// worked out once.
struct Ways {
    triangles: bool,
    inner: Vec<Option<f64>>,
    end: Vec<Option<f64>>,
}

impl Ways {
    fn new(triangles: bool) -> Self {
        Ways { triangles, inner: Vec::new(), end: Vec::new() }
    }

    /// For a cell with two moves.
    fn inner(&mut self, degree: usize) -> f64 {
        let triangles = self.triangles;
        remembered(&mut self.inner, degree, || {
            if degree < 2 {
                return f64::NEG_INFINITY;
            }
            over_times(degree, |s| {
                let one = |more: usize| (1.0 + more as f64).ln();
                let two = |more: usize| ((2.0 + more as f64) * (1.0 + more as f64) / 2.0).ln();
                s * s * mean(degree - 2, s, if triangles { 2 } else { 0 }, two)
                    + 2.0 * s * (1.0 - s) * mean(degree - 2, s, usize::from(triangles), one)
            })
        })
    }

    /// For an end, which has one.
    fn end(&mut self, degree: usize) -> f64 {
        let triangles = self.triangles;
        remembered(&mut self.end, degree, || {
            if degree < 1 {
                return f64::NEG_INFINITY;
            }
            over_times(degree, |s| {
                let one = |more: usize| (1.0 + more as f64).ln();
                s * mean(degree - 1, s, usize::from(triangles), one)
            })
        })
    }
}

fn remembered(known: &mut Vec<Option<f64>>, at: usize, find: impl FnOnce() -> f64) -> f64 {
    if known.len() <= at {
        known.resize(at + 1, None);
    }
    *known[at].get_or_insert_with(find)
}

/// The mean of f(number of available cells among `others`), of which some may be so with
/// probability s and the rest are with s(1 − t²).
fn mean(others: usize, s: f64, likelier: usize, f: impl Fn(usize) -> f64) -> f64 {
    let t = 1.0 - s;
    let likelier = likelier.min(others);
    // How likely each number is, one cell after the other.
    let mut chances = vec![1.0];
    for cell in 0..others {
        let p = if cell < likelier { s } else { s * (1.0 - t * t) };
        chances.push(0.0);
        for number in (0..chances.len()).rev() {
            let from_below = if number == 0 { 0.0 } else { chances[number - 1] * p };
            chances[number] = chances[number] * (1.0 - p) + from_below;
        }
    }
    chances.iter().enumerate().map(|(number, chance)| chance * f(number)).sum()
}

/// The integral over s from 0 to 1 of a polynomial of degree 3d + 2 at most, by the rule of Gauss
/// and Legendre with enough points to be exact.
fn over_times(d: usize, f: impl Fn(f64) -> f64) -> f64 {
    let points = 3 * d / 2 + 3;
    let mut sum = 0.0;
    for k in 0..points {
        // A root of the Legendre polynomial, by Newton's method from a near guess.
        let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (points as f64 + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..100 {
            let (mut before, mut value) = (1.0, x);
            for j in 2..=points {
                let j = j as f64;
                (before, value) = (value, ((2.0 * j - 1.0) * x * value - (j - 1.0) * before) / j);
            }
            slope = points as f64 * (x * value - before) / (x * x - 1.0);
            let step = value / slope;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        let weight = 2.0 / ((1.0 - x * x) * slope * slope);
        sum += weight / 2.0 * f(f64::midpoint(1.0, x));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrals_of_powers_are_exact() {
        for d in 0..20 {
            for power in 0..=(3 * d as i32 + 2) {
                let found = over_times(d, |s| s.powi(power));
                assert!(
                    (found - 1.0 / f64::from(power + 1)).abs() < 1e-13,
                    "{d}, {power}: {found}"
                );
            }
        }
    }

    #[test]
    fn each_cell_can_be_the_one_that_is_left_out() {
        for degrees in [vec![2, 3, 4, 2], vec![0, 2, 3, 1], vec![0, 0, 2, 3], vec![1, 1]] {
            let cells = Cells { degrees: degrees.clone(), triangles: false };
            let product = |last: usize| {
                let others = (0..degrees.len()).filter(|&cell| cell != last);
                others.map(|cell| successors(degrees[cell]).exp()).product::<f64>()
            };
            let sum: f64 = (0..degrees.len()).map(product).sum();
            let expected = sum * successors(degrees.len()).exp() / 2.0;
            let found = cells.open_by_degrees(&[]).exp();
            assert!((found - expected).abs() < 1e-9, "{degrees:?}: {found} {expected}");
        }
    }

    #[test]
    fn cells_with_two_neighbours_have_no_choice() {
        assert!(Ways::new(true).inner(2).abs() < 1e-12);
        assert!(Ways::new(false).end(1).abs() < 1e-12);
        assert!(Ways::new(false).inner(1) < -1e300);
    }
}
