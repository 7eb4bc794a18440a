//! Symmetry: what makes two solutions the same.
//!
//! A **group** ([`Group`]) is a list of permutations closed under doing one after
//! another. It **acts** on things (boards, tours, colourings): each element turns
//! a thing into an **image** of it. The images of a thing are its **orbit**, and
//! all of an orbit count as one. The elements that turn a thing into itself are
//! its **stabiliser**; orbit × stabiliser = group, always (Lagrange).
//!
//! There are two ways to count orbits. [`canonical()`] picks the least image of each
//! thing, so that two things are the same if their canonical forms are equal: it
//! needs the things. [`burnside()`] averages how many things each element leaves as
//! they are: it needs only their numbers, and the division by the size of the
//! group checks them. (The lemma is Cauchy's and Frobenius's; Burnside quoted it.)
//!
//! A group too large to be listed is known by what makes it ([`Generated`]): its order, and
//! whether a permutation is an element, are known without a list. [`Words`] writes an element
//! as what the generators do one after another.
//!
//! ```
//! use pessoi_engine::symmetry::{Group, Permutation, burnside, canonical};
//!
//! // Necklaces of four beads, black or white, that may be turned.
//! let turn = Permutation::new([1, 2, 3, 0]).unwrap();
//! let turns = Group::from_generators(4, [turn], 100).unwrap();
//! let same = |turn: &Permutation| 1_u32 << turn.cycles().len();
//! let necklaces = burnside(turns.elements().map(|turn| same(turn).into()));
//! assert_eq!(necklaces, Ok(6_u32.into()));
//!
//! let necklace = [1, 0, 1, 0];
//! let form = canonical(turns.elements().map(|turn| turn.apply(&necklace))).unwrap();
//! assert_eq!(form.least, [0, 1, 0, 1]);
//! assert_eq!((form.stabiliser, form.orbit()), (2, Ok(2)));
//! ```

mod burnside;
mod canonical;
mod chain;
mod generated;
mod group;
mod words;

pub use burnside::{NotWhole, burnside};
pub use canonical::{Canonical, NotAnOrbit, canonical};
pub use chain::Chain;
pub use generated::{Generated, factorial};
pub use group::{Group, NotAGroup, NotAPermutation, Permutation};
pub use words::Words;
