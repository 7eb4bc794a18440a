//! Chen's heuristic sampling, for any tree whose nodes can be sorted into strata.
//!
//! P. C. Chen, *Heuristic Sampling* (SIAM J. Comput. 21, 1992): the tree is read from the top,
//! but of each **stratum** only one node is *kept*, with a *weight*: about how many nodes it
//! stands for. When another node of weight w falls into a stratum where weight W is kept,
//! it takes the place with probability w/(W+w), and the weights add up. The estimate has no
//! bias, whatever the strata; the more alike the subtrees of one stratum, the smaller its
//! spread.
//!
//! A node may be *read* only when no node of its stratum can come any more. Two kinds of
//! [`Shelves`] see to that: [`Ranked`] reads the stratum of the highest rank first, and every
//! child must have a lower rank than its parent; [`Levels`] reads level by level.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::number::large::Large;
use crate::random::Random;
use crate::run::{Claim, Run, Stop};

use super::estimate::Sample;

/// A tree whose nodes fall into strata.
pub trait Strata {
    /// A node.
    type Node;
    /// Where nodes wait to be read.
    type Shelves: Shelves<Self::Node>;
    /// Offers (nodes, where places are fixed) between two looks at the clock.
    const OFFERS_A_LOOK: u64 = 16;

    /// Empty shelves.
    fn shelves(&self) -> Self::Shelves;

    /// Bytes that a node owns outside itself.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// The root and its stratum.
    fn root(&self) -> (Key<Self>, Self::Node);

    /// Reads a node: offers its children, and returns what the node itself counts (1 for a
    /// solution, 0 for any other node).
    fn read(&self, node: &mut Self::Node, children: &mut Children<Self>) -> Result<f64, Stop>;
}

/// What names a stratum of a tree.
pub type Key<T> = <<T as Strata>::Shelves as Shelves<<T as Strata>::Node>>::Key;

/// Where the kept nodes wait, one for each stratum.
pub trait Shelves<N> {
    /// What names a stratum.
    type Key: Copy;
    /// How weights are kept.
    type Weight: Weight;

    /// Whether all places are made at the beginning.
    const FIXED: bool = false;

    /// How many places there are.
    fn places(&self) -> usize;

    /// The place of a stratum; it is made if it is not there.
    fn place(&mut self, key: Self::Key) -> &mut Kept<N, Self::Weight>;

    /// Takes out the node to be read next, with its weight, and adds to `tree` the weights of
    /// all nodes that are taken out sooner or later.
    fn next(&mut self, tree: &mut Large) -> Option<(Self::Weight, N)>;

    /// A weight as a number of any size.
    fn large(&self, weight: Self::Weight) -> Large;
}

/// A number of nodes.
pub trait Weight: Copy + AddAssign {
    /// One.
    const ONE: Self;

    /// The weight multiplied by a share.
    #[must_use]
    fn times(self, share: f64) -> Self;

    /// Whether `share` of `whole` is less than this weight.
    fn exceeds(self, share: f64, whole: Self) -> bool;
}

impl Weight for Large {
    const ONE: Large = Large::ONE;

    fn times(self, share: f64) -> Large {
        Large::times(self, share)
    }

    fn exceeds(self, share: f64, whole: Large) -> bool {
        Large::exceeds(self, share, whole)
    }
}

impl Weight for f64 {
    const ONE: f64 = 1.0;

    #[inline]
    fn times(self, share: f64) -> f64 {
        self * share
    }

    #[inline]
    fn exceeds(self, share: f64, whole: f64) -> bool {
        share * whole < self
    }
}

/// A place for the node that is kept for a stratum.
#[derive(Clone, Debug)]
pub struct Kept<N, W> {
    weight: W,
    node: Option<N>,
}

impl<N, W: Weight> Default for Kept<N, W> {
    fn default() -> Self {
        Kept { weight: W::ONE, node: None }
    }
}

/// Strata with a rank: those of the highest rank are read first. The key is (rank, stratum).
/// Nodes of very different weight may wait together.
#[derive(Debug)]
pub struct Ranked<N> {
    /// Which place each stratum has. The nodes lie apart, for a tree moves what it holds.
    order: BTreeMap<(u64, u64), usize>,
    places: Vec<Kept<N, Large>>,
    /// Places whose nodes were taken out.
    free: Vec<usize>,
}

impl<N> Default for Ranked<N> {
    fn default() -> Self {
        Ranked { order: BTreeMap::new(), places: Vec::new(), free: Vec::new() }
    }
}

impl<N> Shelves<N> for Ranked<N> {
    type Key = (u64, u64);
    type Weight = Large;

    fn places(&self) -> usize {
        self.order.len()
    }

    fn place(&mut self, key: (u64, u64)) -> &mut Kept<N, Large> {
        let Ranked { order, places, free } = self;
        let at = *order.entry(key).or_insert_with(|| {
            free.pop().unwrap_or_else(|| {
                places.push(Kept::default());
                places.len() - 1
            })
        });
        &mut places[at]
    }

    fn next(&mut self, tree: &mut Large) -> Option<(Large, N)> {
        let (_, at) = self.order.pop_last()?;
        self.free.push(at);
        let kept = &mut self.places[at];
        *tree += kept.weight;
        // A place is made only for a node.
        Some((kept.weight, kept.node.take()?))
    }

    fn large(&self, weight: Large) -> Large {
        weight
    }
}

/// Strata with small numbers, of trees where every child lies one level below its parent.
/// Weights are floats in units of `unit`, which is changed where a level would leave the range
/// of floats.
#[derive(Debug)]
pub struct Levels<N> {
    /// The level that is read, from `read` on.
    now: Vec<Kept<N, f64>>,
    read: usize,
    below: Vec<Kept<N, f64>>,
    unit: Large,
}

/// Powers of two, so that nothing is rounded: 2^-200, 2^200.
const LEAST: f64 = f64::from_bits((1023 - 200) << 52);
const MOST: f64 = f64::from_bits((1023 + 200) << 52);

impl<N> Levels<N> {
    /// Room for strata with numbers below `strata`.
    pub fn new(strata: usize) -> Self {
        let level = || (0..strata).map(|_| Kept::default()).collect();
        Levels { now: level(), read: strata, below: level(), unit: Large::ONE }
    }

    /// Goes to the level below, if there are nodes.
    fn descend(&mut self, tree: &mut Large) -> bool {
        std::mem::swap(&mut self.now, &mut self.below);
        self.read = 0;
        let kept = self.now.iter_mut().filter(|kept| kept.node.is_some());
        let (sum, some) = kept.fold((0.0, false), |(sum, _), kept| (sum + kept.weight, true));
        *tree += self.unit.times(sum);
        let factor = if sum > MOST {
            LEAST
        } else if sum < LEAST {
            MOST
        } else {
            return some;
        };
        self.now.iter_mut().for_each(|kept| kept.weight *= factor);
        self.unit = self.unit.times(1.0 / factor);
        some
    }
}

impl<N> Shelves<N> for Levels<N> {
    type Key = usize;
    type Weight = f64;

    const FIXED: bool = true;

    fn places(&self) -> usize {
        2 * self.now.len()
    }

    #[inline]
    fn place(&mut self, key: usize) -> &mut Kept<N, f64> {
        &mut self.below[key]
    }

    #[inline]
    fn next(&mut self, tree: &mut Large) -> Option<(f64, N)> {
        loop {
            while let Some(kept) = self.now.get_mut(self.read) {
                self.read += 1;
                if let Some(node) = kept.node.take() {
                    return Some((kept.weight, node));
                }
            }
            if !self.descend(tree) {
                return None;
            }
        }
    }

    fn large(&self, weight: f64) -> Large {
        self.unit.times(weight)
    }
}

/// Takes the children of the node that is read.
pub struct Children<'a, T: Strata + ?Sized> {
    shelves: T::Shelves,
    /// What the node that is read stands for.
    weight: <T::Shelves as Shelves<T::Node>>::Weight,
    random: &'a mut Random,
    run: &'a Run,
    claim: Claim,
    each: u64,
    /// The most places so far.
    most: usize,
    /// Nodes that were read, where places are not fixed: their memory is used again.
    spare: Vec<T::Node>,
    /// Offers (nodes, where places are fixed) since the last look at the clock.
    offers: u64,
    nodes: u64,
}

impl<T: Strata + ?Sized> Children<'_, T> {
    /// Offers a child of this stratum that counts for `share` of its parent's weight (1 in a
    /// tree where nodes are counted). `put` is called only if the child is kept; it puts the
    /// child where another node may be, which is no longer needed.
    #[expect(clippy::inline_always, reason = "the inner loop of sampling")]
    #[inline(always)]
    pub fn offer(
        &mut self,
        key: Key<T>,
        share: f64,
        put: impl FnOnce(&mut Option<T::Node>),
    ) -> Result<(), Stop> {
        if !T::Shelves::FIXED {
            self.offers += 1;
            if self.offers >= T::OFFERS_A_LOOK {
                self.look()?;
            }
            let places = self.shelves.places() + 1;
            if places > self.most {
                self.claim.grow_to(places as u64 * self.each)?;
                self.most = places;
            }
        }
        let weight = self.weight.times(share);
        let kept = self.shelves.place(key);
        if kept.node.is_some() {
            kept.weight += weight;
            if !weight.exceeds(self.random.unit(), kept.weight) {
                return Ok(());
            }
        } else {
            kept.weight = weight;
            if !T::Shelves::FIXED {
                kept.node = self.spare.pop();
            }
        }
        put(&mut kept.node);
        Ok(())
    }

    fn look(&mut self) -> Result<(), Stop> {
        self.offers = 0;
        self.run.tick(std::mem::take(&mut self.nodes))
    }
}

/// Draws one sample.
pub fn chen<T: Strata>(tree: &T, random: &mut Random, run: &Run) -> Result<Sample, Stop> {
    type Place<T> =
        Kept<<T as Strata>::Node, <<T as Strata>::Shelves as Shelves<<T as Strata>::Node>>::Weight>;
    // Two numbers of a place, and the node once more while it is spare.
    let each = (size_of::<(Key<T>, Place<T>, [usize; 2], T::Node)>() + tree.heap_bytes()) as u64;
    let shelves = tree.shelves();
    let mut claim = run.claim();
    let most = shelves.places();
    claim.grow_to(most as u64 * each)?;
    let mut children: Children<T> = Children {
        shelves,
        weight: Weight::ONE,
        random,
        run,
        claim,
        each,
        most,
        spare: Vec::new(),
        offers: 0,
        nodes: 0,
    };
    let (key, root) = tree.root();
    children.offer(key, 1.0, |place| *place = Some(root))?;
    let (mut solutions, mut nodes) = (Large::ZERO, Large::ZERO);
    while let Some((weight, mut node)) = children.shelves.next(&mut nodes) {
        children.nodes += 1;
        if T::Shelves::FIXED && children.nodes == T::OFFERS_A_LOOK {
            children.look()?;
        }
        children.weight = weight;
        let counts = tree.read(&mut node, &mut children)?;
        if counts > 0.0 {
            solutions += children.shelves.large(weight).times(counts);
        }
        if !T::Shelves::FIXED {
            children.spare.push(node);
        }
    }
    children.look()?;
    Ok(Sample { ln: solutions.ln(), ln_tree: nodes.ln() })
}
