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
    /// Offers between two looks at the clock.
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

    /// The place of a stratum; it is made if it is not there.
    fn place(&mut self, key: Self::Key) -> &mut Kept<N>;

    /// Takes out the node to be read next.
    fn next(&mut self) -> Option<Kept<N>>;
}

/// A place for the node that is kept for a stratum.
#[derive(Clone, Debug)]
pub struct Kept<N> {
    weight: Large,
    node: Option<N>,
}

impl<N> Default for Kept<N> {
    fn default() -> Self {
        Kept { weight: Large::ZERO, node: None }
    }
}

/// Strata with a rank: those of the highest rank are read first. The key is (rank, stratum).
#[derive(Debug)]
pub struct Ranked<N>(BTreeMap<(u64, u64), Kept<N>>);

impl<N> Default for Ranked<N> {
    fn default() -> Self {
        Ranked(BTreeMap::new())
    }
}

impl<N> Shelves<N> for Ranked<N> {
    type Key = (u64, u64);

    fn place(&mut self, key: (u64, u64)) -> &mut Kept<N> {
        self.0.entry(key).or_default()
    }

    fn next(&mut self) -> Option<Kept<N>> {
        self.0.pop_last().map(|(_, kept)| kept)
    }
}

/// Strata with small numbers, of trees where every child lies one level below its parent.
#[derive(Debug)]
pub struct Levels<N> {
    /// The level that is read, from `read` on.
    now: Vec<Kept<N>>,
    read: usize,
    below: Vec<Kept<N>>,
}

impl<N> Levels<N> {
    /// Room for strata with numbers below `strata`.
    pub fn new(strata: usize) -> Self {
        let level = || (0..strata).map(|_| Kept::default()).collect();
        Levels { now: level(), read: strata, below: level() }
    }
}

impl<N> Shelves<N> for Levels<N> {
    type Key = usize;

    #[inline]
    fn place(&mut self, key: usize) -> &mut Kept<N> {
        &mut self.below[key]
    }

    #[inline]
    fn next(&mut self) -> Option<Kept<N>> {
        for _ in 0..2 {
            while let Some(kept) = self.now.get_mut(self.read) {
                self.read += 1;
                if kept.node.is_some() {
                    return Some(std::mem::take(kept));
                }
            }
            std::mem::swap(&mut self.now, &mut self.below);
            self.read = 0;
        }
        None
    }
}

/// Takes the children of the node that is read.
pub struct Children<'a, T: Strata + ?Sized> {
    shelves: T::Shelves,
    /// What the node that is read stands for.
    weight: Large,
    random: &'a mut Random,
    run: &'a Run,
    claim: Claim,
    each: u64,
    /// Nodes that wait, now and at most so far.
    waiting: u64,
    most: u64,
    /// Offers and nodes since the last look at the clock.
    offers: u64,
    nodes: u64,
}

impl<T: Strata + ?Sized> Children<'_, T> {
    /// Offers a child of this stratum that counts for `share` of its parent's weight (1 in a
    /// tree where nodes are counted). `put` is called only if the child is kept; it puts the
    /// child where another node of the same stratum may be.
    #[inline]
    pub fn offer(
        &mut self,
        key: Key<T>,
        share: f64,
        put: impl FnOnce(&mut Option<T::Node>),
    ) -> Result<(), Stop> {
        self.offers += 1;
        if self.offers >= T::OFFERS_A_LOOK {
            self.look()?;
        }
        let weight = self.weight.times(share);
        let kept = self.shelves.place(key);
        if kept.node.is_some() {
            kept.weight += weight;
            if !weight.exceeds(self.random.unit(), kept.weight) {
                return Ok(());
            }
        } else {
            self.waiting += 1;
            if self.waiting > self.most {
                self.claim.grow_to(self.waiting * self.each)?;
                self.most = self.waiting;
            }
            kept.weight = weight;
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
    let mut children: Children<T> = Children {
        shelves: tree.shelves(),
        weight: Large::ONE,
        random,
        run,
        claim: run.claim(),
        each: (size_of::<(Key<T>, Kept<T::Node>)>() + tree.heap_bytes()) as u64,
        waiting: 0,
        most: 0,
        offers: 0,
        nodes: 0,
    };
    let (key, root) = tree.root();
    children.offer(key, 1.0, |place| *place = Some(root))?;
    let (mut solutions, mut nodes) = (Large::ZERO, Large::ZERO);
    while let Some(kept) = children.shelves.next() {
        let Some(mut node) = kept.node else { continue };
        nodes += kept.weight;
        children.waiting -= 1;
        children.nodes += 1;
        children.weight = kept.weight;
        let counts = tree.read(&mut node, &mut children)?;
        if counts > 0.0 {
            solutions += kept.weight.times(counts);
        }
    }
    children.look()?;
    Ok(Sample { ln: solutions.ln(), ln_tree: nodes.ln() })
}
