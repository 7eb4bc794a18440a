//! The group that some permutations make, whatever its size.
//!
//! Most groups that puzzles make hold **every even permutation** of the points that they
//! move. That is recognised by a theorem of C. Jordan (1873), at once and without doubt: a
//! group that is *primitive* (transitive, and no way of cutting the points into equal
//! blocks is kept by it) and that has an element which is one cycle of prime length p, with
//! p = 2, p = 3 or p at most n − 3, holds every even permutation of its n points. All
//! three conditions are tested by computation: the cycle is shown, not believed in. Other
//! groups get a stabiliser chain.

use num_bigint::BigUint;
use num_traits::One;

use super::{Chain, Permutation};
use crate::random::Random;
use crate::run::{Run, Stop};

/// All that some permutations make.
#[derive(Clone, Debug)]
pub struct Generated {
    degree: usize,
    /// The points that some element moves.
    moved: Vec<u32>,
    all_even: bool,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Every even permutation of the moved points; every odd one too unless all are even.
    Giant,
    Chain(Chain),
}

/// Below this a chain is made at once.
const SMALL: usize = 8;

impl Generated {
    /// The group of all that the generators make on `degree` points.
    ///
    /// # Panics
    /// If a generator has another degree.
    pub fn new(degree: usize, generators: &[Permutation], run: &Run) -> Result<Self, Stop> {
        let moves = |point: u32| generators.iter().any(|g| g.images()[point as usize] != point);
        let moved: Vec<u32> = (0..degree as u32).filter(|&point| moves(point)).collect();
        let all_even = generators.iter().all(Permutation::is_even);
        let kind = if moved.len() > SMALL && is_giant(&moved, generators, run)? {
            Kind::Giant
        } else {
            Kind::Chain(Chain::new(degree, generators, run)?)
        };
        Ok(Generated { degree, moved, all_even, kind })
    }

    /// The number of points.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The points that some element moves.
    pub fn moved(&self) -> &[u32] {
        &self.moved
    }

    /// Whether every element is even.
    pub fn all_even(&self) -> bool {
        self.all_even
    }

    /// The number of elements.
    pub fn order(&self) -> BigUint {
        match &self.kind {
            Kind::Chain(chain) => chain.order(),
            Kind::Giant if self.all_even => factorial(self.moved.len()) / 2u32,
            Kind::Giant => factorial(self.moved.len()),
        }
    }

    /// Whether every even permutation of the moved points is an element.
    pub fn is_giant(&self) -> bool {
        let all = factorial(self.moved.len());
        let even = if self.moved.len() < 2 { all } else { all / 2u32 };
        self.order() >= even
    }

    /// Whether a permutation is an element.
    pub fn contains(&self, permutation: &Permutation) -> bool {
        match &self.kind {
            Kind::Chain(chain) => chain.contains(permutation),
            Kind::Giant => {
                self.strays(permutation).is_none() && (!self.all_even || permutation.is_even())
            }
        }
    }

    /// Points that no element takes where this permutation takes them, all at once. For a
    /// permutation that is no element only because it is odd, or that is an element,
    /// there may be none.
    pub fn misfit(&self, permutation: &Permutation) -> Option<Vec<u32>> {
        match &self.kind {
            Kind::Chain(chain) => chain.misfit(permutation),
            Kind::Giant => self.strays(permutation).map(|point| vec![point]),
        }
    }

    /// A base, and the lengths of the orbits of its points, each under what leaves all
    /// earlier ones alone.
    pub fn orbits(&self) -> Vec<(u32, usize)> {
        match &self.kind {
            Kind::Chain(chain) => chain.orbits(),
            Kind::Giant => {
                let most = self.moved.len();
                let levels = most - if self.all_even { 2 } else { 1 };
                (0..levels).map(|k| (self.moved[k], most - k)).collect()
            }
        }
    }

    /// An element, each with the same chance.
    pub fn random(&self, random: &mut Random) -> Permutation {
        let mut images: Vec<u32> = (0..self.degree as u32).collect();
        match &self.kind {
            Kind::Chain(chain) => return chain.random(random),
            Kind::Giant => {
                let mut shuffled = self.moved.clone();
                random.shuffle(&mut shuffled);
                for (&from, &to) in self.moved.iter().zip(&shuffled) {
                    images[from as usize] = to;
                }
            }
        }
        let drawn = of_images(images.clone());
        if !self.all_even || drawn.is_even() {
            return drawn;
        }
        // Exchanging two images turns the odd ones into the even ones, one to one.
        images.swap(self.moved[0] as usize, self.moved[1] as usize);
        of_images(images)
    }

    /// A point that the permutation moves though no element does.
    fn strays(&self, permutation: &Permutation) -> Option<u32> {
        let moves = |&point: &u32| permutation.images()[point as usize] != point;
        (0..self.degree as u32).filter(moves).find(|point| self.moved.binary_search(point).is_err())
    }
}

/// A permutation from images that are known to be one.
fn of_images(images: Vec<u32>) -> Permutation {
    let degree = images.len();
    Permutation::new(images).unwrap_or_else(|_| Permutation::identity(degree))
}

/// n!
pub fn factorial(n: usize) -> BigUint {
    (1..=n).fold(BigUint::one(), |product, k| product * k)
}

/// Whether Jordan's theorem applies. A "no" means only that it was not seen to apply.
fn is_giant(moved: &[u32], generators: &[Permutation], run: &Run) -> Result<bool, Stop> {
    Ok(has_prime_cycle(moved.len(), generators, run)? && is_primitive(moved, generators, run)?)
}

/// Whether no partition into blocks is kept, but the two that always are. A partition
/// that is kept and joins the first point to another joins all that follows from it.
fn is_primitive(moved: &[u32], generators: &[Permutation], run: &Run) -> Result<bool, Stop> {
    let degree = generators.first().map_or(0, Permutation::degree);
    // Only one of each is needed, and an inverse keeps what its permutation keeps.
    for &other in &moved[1..] {
        run.tick(1)?;
        let mut root: Vec<u32> = (0..degree as u32).collect();
        let mut joined = 1;
        let mut queue = vec![(moved[0], other)];
        root[other as usize] = moved[0];
        while let Some((a, b)) = queue.pop() {
            for generator in generators {
                let [a, b] = [a, b].map(|p| find(&mut root, generator.images()[p as usize]));
                if a != b {
                    root[b as usize] = a;
                    joined += 1;
                    queue.push((a, b));
                }
            }
        }
        if joined + 1 < moved.len() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The root of a point's tree, which grows flatter on the way.
fn find(root: &mut [u32], mut point: u32) -> u32 {
    while root[point as usize] != point {
        root[point as usize] = root[root[point as usize] as usize];
        point = root[point as usize];
    }
    point
}

/// Looks for an element of which a power is one cycle of a length that Jordan's theorem
/// takes: among the generators, and then along a walk of products.
fn has_prime_cycle(n: usize, generators: &[Permutation], run: &Run) -> Result<bool, Stop> {
    const STEPS: usize = 4000;
    if generators.iter().any(|g| gives_prime_cycle(n, g)) {
        return Ok(true);
    }
    let Some(mut product) = generators.first().cloned() else { return Ok(false) };
    let mut random = Random::new(1, n as u64);
    for step in 0..STEPS {
        if step % 64 == 0 {
            run.tick(64)?;
        }
        let next = &generators[random.below(generators.len() as u64) as usize];
        product = product.then(next);
        if gives_prime_cycle(n, &product) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether exactly one cycle has a length divisible by a fitting prime, and that length
/// is the prime itself: then raising to the lengths of the others leaves that cycle alone.
fn gives_prime_cycle(n: usize, permutation: &Permutation) -> bool {
    let lengths: Vec<usize> = permutation.cycles().iter().map(Vec::len).collect();
    let is_prime =
        |p: usize| p > 1 && (2..p).take_while(|d| d * d <= p).all(|d| !p.is_multiple_of(d));
    lengths.iter().any(|&p| {
        (p == 2 || p == 3 || p + 3 <= n)
            && is_prime(p)
            && lengths.iter().filter(|length| length.is_multiple_of(p)).count() == 1
    })
}

#[cfg(test)]
mod tests {
    use super::super::Group;
    use super::*;
    use proptest::prelude::*;

    fn permutation(images: impl IntoIterator<Item = u32>) -> Permutation {
        Permutation::new(images).unwrap()
    }

    fn generated(degree: usize, generators: &[Permutation]) -> Generated {
        Generated::new(degree, generators, &Run::default()).unwrap()
    }

    /// One cycle through these points.
    fn cycle(degree: u32, points: &[u32]) -> Permutation {
        let mut images: Vec<u32> = (0..degree).collect();
        for (k, &from) in points.iter().enumerate() {
            images[from as usize] = points[(k + 1) % points.len()];
        }
        permutation(images)
    }

    #[test]
    fn well_known_groups_have_their_orders() {
        let order = |degree, generators: &[Permutation]| generated(degree, generators).order();
        assert_eq!(order(5, &[]), BigUint::one());
        // Mathieu's groups on 11 and 12 points are primitive and no giants.
        let m11 = [
            permutation([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]),
            permutation([0, 1, 6, 9, 5, 3, 10, 2, 8, 4, 7]),
        ];
        assert_eq!(order(11, &m11), BigUint::from(7920u32));
        assert!(!generated(11, &m11).is_giant());
        // Five pairs that are kept together.
        let swap_pairs =
            [cycle(10, &[0, 1]), cycle(10, &[0, 2, 4, 6, 8]).then(&cycle(10, &[1, 3, 5, 7, 9]))];
        assert_eq!(order(10, &swap_pairs), BigUint::from(32u32 * 5));
        // Two parts that are moved apart, and a point that stays.
        let apart = [
            cycle(12, &[0, 1, 2, 3, 4]),
            cycle(12, &[0, 1, 2]),
            cycle(12, &[5, 6, 7, 8, 9, 10]),
            cycle(12, &[5, 6]),
        ];
        assert_eq!(order(12, &apart), BigUint::from(60u32 * 720));
        let even = [cycle(30, &(0..5).collect::<Vec<_>>())];
        let even: Vec<_> = (0..6)
            .map(|k| cycle(30, &[4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3, (4 * k + 4) % 25]))
            .chain(even)
            .collect();
        let group = generated(30, &even);
        assert_eq!(group.order(), factorial(25) / 2u32);
        assert!(group.is_giant() && group.all_even());
        assert_eq!(Chain::new(30, &even, &Run::default()).unwrap().order(), group.order());
        assert_eq!(group.misfit(&cycle(30, &[3, 27])), Some(vec![27]));
        assert!(!group.contains(&cycle(30, &[3, 7])) && group.contains(&cycle(30, &[3, 7, 9])));
    }

    #[test]
    fn a_stopped_run_makes_no_group() {
        let run = Run::default();
        run.cancel();
        assert_eq!(Chain::new(5, &[cycle(5, &[0, 1])], &run).unwrap_err(), Stop::Cancelled);
    }

    fn permutations(degree: u32) -> impl Strategy<Value = Permutation> {
        Just((0..degree).collect::<Vec<_>>()).prop_shuffle().prop_map(permutation)
    }

    /// Generators that leave the points from `within` on alone, so that groups differ.
    fn some_generators() -> impl Strategy<Value = (u32, Vec<Permutation>)> {
        (2..=6u32, 0..=2u32).prop_flat_map(|(within, more)| {
            let extend = move |p: Permutation| {
                permutation(p.images().iter().copied().chain(within..within + more))
            };
            (
                Just(within + more),
                prop::collection::vec(permutations(within).prop_map(extend), 0..3),
            )
        })
    }

    proptest! {
        #[test]
        fn chains_agree_with_lists((degree, generators) in some_generators(), probe in permutations(6), seed: u64) {
            let degree = degree as usize;
            let listed = Group::from_generators(degree, generators.clone(), 1000).unwrap();
            let group = generated(degree, &generators);
            prop_assert_eq!(group.order(), BigUint::from(listed.size()));
            prop_assert!(listed.elements().all(|g| group.contains(g) && group.misfit(g).is_none()));
            if degree == 6 {
                prop_assert_eq!(group.contains(&probe), listed.contains(&probe));
                let misfit = group.misfit(&probe);
                prop_assert_eq!(misfit.is_none(), listed.contains(&probe));
                if let Some(points) = misfit {
                    let same = |g: &Permutation| points.iter().all(|&p| g.images()[p as usize] == probe.images()[p as usize]);
                    prop_assert!(!listed.elements().any(same));
                }
            }
            prop_assert!(listed.contains(&group.random(&mut Random::new(seed, 0))));
            let moved = (0..degree as u32).filter(|&p| listed.elements().any(|g| g.images()[p as usize] != p));
            prop_assert_eq!(group.moved().to_vec(), moved.collect::<Vec<_>>());
            prop_assert_eq!(group.all_even(), listed.elements().all(Permutation::is_even));
        }
    }
}
