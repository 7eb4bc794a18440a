//! Permutations and groups small enough to be listed.

use indexmap::IndexSet;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::hash::Hash;

type Set<T> = IndexSet<T, FxBuildHasher>;

/// A rearrangement of the points 0, 1, …, n − 1, where n is its **degree**.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permutation(Box<[u32]>);

/// A list of points that is no rearrangement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAPermutation {
    /// The point that comes twice or is none of them.
    pub point: u32,
    /// The number of points listed.
    pub degree: usize,
}

impl fmt::Display for NotAPermutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotAPermutation { point, degree } = self;
        if (*point as usize) < *degree {
            write!(f, "the point {point} comes twice in a permutation of {degree} points")
        } else {
            write!(f, "the point {point} is none of the {degree} points, which are counted from 0")
        }
    }
}

impl std::error::Error for NotAPermutation {}

impl Permutation {
    /// The permutation that takes 0, 1, 2 … to the points given.
    pub fn new(images: impl IntoIterator<Item = u32>) -> Result<Self, NotAPermutation> {
        let images: Box<[u32]> = images.into_iter().collect();
        let degree = images.len();
        let mut seen = vec![false; degree];
        for &point in &images {
            match seen.get_mut(point as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(NotAPermutation { point, degree }),
            }
        }
        Ok(Permutation(images))
    }

    /// The permutation that leaves every point where it is.
    pub fn identity(degree: usize) -> Self {
        Permutation((0..degree as u32).collect())
    }

    /// The number of points.
    pub fn degree(&self) -> usize {
        self.0.len()
    }

    /// Where each point goes.
    pub fn images(&self) -> &[u32] {
        &self.0
    }

    /// Whether every point stays where it is.
    pub fn is_identity(&self) -> bool {
        self.0.iter().enumerate().all(|(from, &to)| from == to as usize)
    }

    /// First this one, then the next.
    ///
    /// # Panics
    /// If the two have different degrees.
    #[must_use]
    pub fn then(&self, next: &Permutation) -> Permutation {
        assert_eq!(self.degree(), next.degree(), "permutations of different degrees");
        Permutation(self.0.iter().map(|&via| next.0[via as usize]).collect())
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Permutation {
        let mut back = vec![0; self.degree()];
        for (from, &to) in (0..).zip(&self.0) {
            back[to as usize] = from;
        }
        Permutation(back.into())
    }

    /// Carries every item along: the one at place i goes to where i goes.
    /// Applying `p.then(&q)` is applying `p`, then `q`.
    ///
    /// # Panics
    /// If there are not as many items as points.
    pub fn apply<T: Clone>(&self, items: &[T]) -> Vec<T> {
        assert_eq!(self.degree(), items.len(), "not as many items as points");
        let back = self.inverse();
        back.0.iter().map(|&from| items[from as usize].clone()).collect()
    }

    /// The cycles, those of one point too, each from its least point on.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.degree()];
        let mut cycles = Vec::new();
        for first in 0..self.degree() as u32 {
            let mut cycle = Vec::new();
            let mut point = first;
            while !seen[point as usize] {
                seen[point as usize] = true;
                cycle.push(point);
                point = self.0[point as usize];
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// How often it must be done until all points are back.
    pub fn order(&self) -> BigUint {
        self.cycles().iter().fold(BigUint::one(), |order, cycle| order.lcm(&cycle.len().into()))
    }

    /// Whether it takes an even number of exchanges of two points.
    pub fn is_even(&self) -> bool {
        (self.degree() - self.cycles().len()).is_multiple_of(2)
    }
}

/// A finite group, all its elements listed: the identity first, none twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group(Set<Permutation>);

/// Why some permutations are no group, or none that can be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAGroup {
    /// The permutations do not move the same points.
    Degrees {
        /// The degree of the group.
        group: usize,
        /// The degree of one of the permutations.
        element: usize,
    },
    /// The identity is missing.
    NoIdentity,
    /// Doing one element after another gives one that is not listed.
    NotClosed,
    /// There are more elements than may be listed.
    TooLarge {
        /// The most that may be listed.
        limit: usize,
    },
}

impl fmt::Display for NotAGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAGroup::Degrees { group, element } => {
                write!(f, "a group on {group} points cannot have an element on {element} points")
            }
            NotAGroup::NoIdentity => write!(f, "these are no group: the identity is missing"),
            NotAGroup::NotClosed => write!(
                f,
                "these are no group: doing one of them after another gives one that is not listed"
            ),
            NotAGroup::TooLarge { limit } => {
                write!(f, "the group has more than the {limit} elements that may be listed")
            }
        }
    }
}

impl std::error::Error for NotAGroup {}

impl Group {
    /// The group of these elements, which are kept in their order but for the
    /// identity, which comes first. One that is given twice counts once.
    pub fn from_elements(
        elements: impl IntoIterator<Item = Permutation>,
    ) -> Result<Self, NotAGroup> {
        let mut listed: Set<_> = elements.into_iter().collect();
        let identity = listed.iter().position(Permutation::is_identity);
        listed.move_index(identity.ok_or(NotAGroup::NoIdentity)?, 0);
        let degree = listed[0].degree();

        // Elements outside what the generators make so far become generators,
        // each of which at least doubles it. In the end all listed are made; if
        // no more than those are made, the list is closed.
        let mut generators = Vec::new();
        let mut made = close(degree, &generators, listed.len())?;
        for element in &listed {
            if !made.contains(element) {
                generators.push(element.clone());
                made = close(degree, &generators, listed.len()).map_err(|error| match error {
                    NotAGroup::TooLarge { .. } => NotAGroup::NotClosed,
                    other => other,
                })?;
            }
        }
        Ok(Group(listed))
    }

    /// The group of all that the generators make on `degree` points, if it has
    /// no more than `limit` elements.
    pub fn from_generators(
        degree: usize,
        generators: impl IntoIterator<Item = Permutation>,
        limit: usize,
    ) -> Result<Self, NotAGroup> {
        let generators: Vec<_> = generators.into_iter().collect();
        close(degree, &generators, limit).map(Group)
    }

    /// The number of elements.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The elements, the identity first.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = &Permutation> {
        self.0.iter()
    }

    /// Whether a permutation is an element.
    pub fn contains(&self, permutation: &Permutation) -> bool {
        self.0.contains(permutation)
    }

    /// The different images of a thing, itself first. `act` gives the image
    /// under an element, such that the image under `p.then(&q)` is the image
    /// under `q` of that under `p`.
    pub fn orbit<X: Clone + Eq + Hash>(
        &self,
        thing: &X,
        act: impl Fn(&Permutation, &X) -> X,
    ) -> Vec<X> {
        let images: Set<X> = self.elements().map(|element| act(element, thing)).collect();
        images.into_iter().collect()
    }

    /// The elements that turn a thing into itself; `act` is as for
    /// [`orbit`](Group::orbit), and if they are no group, then it is not so.
    pub fn stabiliser<X: Eq>(
        &self,
        thing: &X,
        act: impl Fn(&Permutation, &X) -> X,
    ) -> Result<Group, NotAGroup> {
        Group::from_elements(self.elements().filter(|e| act(e, thing) == *thing).cloned())
    }
}

/// All that the generators make. Inverses need not be made: in a finite group
/// they are powers.
fn close(
    degree: usize,
    generators: &[Permutation],
    limit: usize,
) -> Result<Set<Permutation>, NotAGroup> {
    if let Some(other) = generators.iter().find(|g| g.degree() != degree) {
        return Err(NotAGroup::Degrees { group: degree, element: other.degree() });
    }
    let mut made: Set<_> = [Permutation::identity(degree)].into_iter().collect();
    let mut next = 0;
    while next < made.len() {
        for generator in generators {
            made.insert(made[next].then(generator));
            if made.len() > limit {
                return Err(NotAGroup::TooLarge { limit });
            }
        }
        next += 1;
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn permutation<const N: usize>(images: [u32; N]) -> Permutation {
        Permutation::new(images).unwrap()
    }

    fn permutations(degree: u32) -> impl Strategy<Value = Permutation> {
        Just((0..degree).collect::<Vec<_>>())
            .prop_shuffle()
            .prop_map(|images| Permutation::new(images).unwrap())
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        let error = Permutation::new([0, 2, 2]).unwrap_err();
        assert_eq!(error.to_string(), "the point 2 comes twice in a permutation of 3 points");
        let error = Permutation::new([0, 3, 1]).unwrap_err();
        assert!(error.to_string().starts_with("the point 3 is none of the 3 points"), "{error}");
    }

    #[test]
    fn a_permutation_of_two_cycles() {
        let p = permutation([1, 2, 0, 4, 3, 5]);
        assert_eq!(p.cycles(), [vec![0, 1, 2], vec![3, 4], vec![5]]);
        assert_eq!(p.order(), BigUint::from(6_u32));
        assert!(!p.is_even());
        assert_eq!(p.apply(&['a', 'b', 'c', 'd', 'e', 'f']), ['c', 'a', 'b', 'e', 'd', 'f']);
        assert_eq!(Permutation::identity(0).order(), BigUint::one());
    }

    /// Cycles of the first primes: the order passes 2⁶⁴.
    #[test]
    fn orders_do_not_wrap() {
        let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59_u32];
        let mut images = Vec::new();
        for prime in primes {
            let first = images.len() as u32;
            images.extend((0..prime).map(|i| first + (i + 1) % prime));
        }
        let order = Permutation::new(images).unwrap().order();
        assert_eq!(order.to_string(), "1922760350154212639070");
    }

    #[test]
    fn groups_have_their_known_sizes() {
        let turn = permutation([1, 2, 3, 4, 0]);
        let swap = permutation([1, 0, 2, 3, 4]);
        let size = |generators: &[&Permutation]| {
            Group::from_generators(5, generators.iter().copied().cloned(), 120).unwrap().size()
        };
        assert_eq!(size(&[]), 1);
        assert_eq!(size(&[&turn]), 5);
        assert_eq!(size(&[&turn, &permutation([4, 3, 2, 1, 0])]), 10);
        assert_eq!(size(&[&turn, &permutation([1, 2, 0, 3, 4])]), 60);
        assert_eq!(size(&[&turn, &swap]), 120);
        let error = Group::from_generators(5, [turn, swap], 119).unwrap_err();
        assert_eq!(error, NotAGroup::TooLarge { limit: 119 });
        assert_eq!(
            error.to_string(),
            "the group has more than the 119 elements that may be listed"
        );
    }

    #[test]
    fn what_is_no_group_is_refused() {
        let one = Permutation::identity(3);
        let turn = permutation([1, 2, 0]);
        let back = turn.inverse();
        let refused = |elements: &[&Permutation]| {
            Group::from_elements(elements.iter().copied().cloned()).unwrap_err()
        };
        assert_eq!(refused(&[]), NotAGroup::NoIdentity);
        assert_eq!(refused(&[&turn, &back]), NotAGroup::NoIdentity);
        assert_eq!(refused(&[&one, &turn]), NotAGroup::NotClosed);
        // Two swaps and the identity: every power is there, the product is not.
        let swaps = [permutation([1, 0, 2]), permutation([0, 2, 1])];
        assert_eq!(refused(&[&one, &swaps[0], &swaps[1]]), NotAGroup::NotClosed);
        let four = permutation([1, 0, 2, 3]);
        assert_eq!(refused(&[&one, &four]), NotAGroup::Degrees { group: 3, element: 4 });

        let group = Group::from_elements([turn.clone(), one.clone(), back.clone(), turn.clone()]);
        assert_eq!(group.unwrap().elements().collect::<Vec<_>>(), [&one, &turn, &back]);
    }

    /// Not an action: the elements that seem to leave 0 as it is are no group.
    #[test]
    fn a_stabiliser_under_no_action_is_refused() {
        let turns = Group::from_generators(4, [permutation([1, 2, 3, 0])], 4).unwrap();
        let not_an_action = |p: &Permutation, _: &u32| u32::from(p.images()[0] > 1);
        assert_eq!(turns.stabiliser(&0, not_an_action), Err(NotAGroup::NotClosed));
    }

    proptest! {
        #[test]
        fn permutations_compose(p in permutations(7), q in permutations(7), r in permutations(7)) {
            let items: Vec<_> = ('a'..='g').collect();
            prop_assert_eq!(p.then(&q).apply(&items), q.apply(&p.apply(&items)));
            prop_assert_eq!(p.then(&q).then(&r), p.then(&q.then(&r)));
            prop_assert!(p.then(&p.inverse()).is_identity());
            prop_assert_eq!(p.then(&q).is_even(), p.is_even() == q.is_even());
            // Parity, counted by inversions.
            let inversions = (0..7).flat_map(|j| (0..j).map(move |i| (i, j)))
                .filter(|&(i, j)| p.images()[i] > p.images()[j]).count();
            prop_assert_eq!(p.is_even(), inversions % 2 == 0);
            // The order, by doing it.
            let mut power = p.clone();
            let mut times = 1_u32;
            while !power.is_identity() {
                power = power.then(&p);
                times += 1;
            }
            prop_assert_eq!(p.order(), BigUint::from(times));
        }

        #[test]
        fn generators_make_groups(generators in prop::collection::vec(permutations(5), 0..4)) {
            let group = Group::from_generators(5, generators.clone(), 120).unwrap();
            // Lagrange: the size of a subgroup divides that of the group.
            prop_assert_eq!(120 % group.size(), 0);
            prop_assert!(generators.iter().all(|g| group.contains(g)));
            prop_assert!(group.elements().next().unwrap().is_identity());
            for a in group.elements() {
                prop_assert!(group.contains(&a.inverse()));
                prop_assert!((BigUint::from(group.size()) % a.order()) == BigUint::ZERO);
                for b in group.elements() {
                    prop_assert!(group.contains(&a.then(b)));
                }
            }
            let elements: Vec<_> = group.elements().cloned().collect();
            prop_assert_eq!(Group::from_elements(elements.clone()), Ok(group.clone()));
            // Without any one of its elements it is none, but for the group of
            // two, which leaves the group of one.
            for missing in 0..elements.len() {
                let mut fewer = elements.clone();
                fewer.remove(missing);
                let is_group = Group::from_elements(fewer).is_ok();
                prop_assert_eq!(is_group, group.size() == 2 && missing == 1);
            }
            // The points: an orbit and a stabiliser that is a subgroup.
            let act = |p: &Permutation, point: &u32| p.images()[*point as usize];
            for point in 0..5 {
                let stabiliser = group.stabiliser(&point, act).unwrap();
                let orbit = group.orbit(&point, act);
                prop_assert_eq!(orbit[0], point);
                prop_assert_eq!(orbit.len() * stabiliser.size(), group.size());
            }
        }
    }
}
