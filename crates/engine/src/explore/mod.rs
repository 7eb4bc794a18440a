//! Exploring: states joined by moves.
//!
//! A **state space** ([`StateSpace`]) says where one may start and which states
//! one move away from a given state are. It is never stored whole by the game;
//! what has been reached is stored here, each state once.
//!
//! The **distance** to a state is the least number of moves that leads there. A
//! **layer** is all states at one distance. The **eccentricity** of a state is
//! the distance to the state farthest from it, the **diameter** of a space the
//! greatest eccentricity, and two states that far apart are **antipodes**. A
//! **component** is a state with all that can be reached from it.
//!
//! | question | function | assumes |
//! |---|---|---|
//! | how many states at each distance? | [`layers()`] | nothing |
//! | which moves lead from here to there? | [`path`] | nothing |
//! | how far is the farthest state? | [`diameter()`] | nothing |
//! | what falls apart into what? | [`components()`] | moves can be undone |
//!
//! All walk breadth first. The states reached lie in one insertion-ordered set
//! that is its own queue: a layer is a stretch of it, so neither a distance nor a
//! parent is stored per state. Two states are the same only if they are equal;
//! their hashes merely say where to look.
//!
//! [`diameter()`] uses all threads of the run, one start each; the others use one thread.
//!
//! All but [`path`] are kept in a chapter of the job's [ledger](crate::ledger): the states in the
//! order in which they were reached, and how many of them have been left by all their moves. So
//! an exploration can be saved at any state, and goes on as if it had not been stopped.
//!
//! A state of 8 bytes costs 26 to 53 bytes: itself, its hash and its place in
//! the table, in containers that double.
//!
//! ```
//! use pessoi_engine::explore::{StateSpace, layers};
//! use pessoi_engine::ledger::Chapter;
//! use pessoi_engine::run::{Run, Stop};
//!
//! /// A clock whose hand moves one hour either way.
//! struct Clock;
//!
//! impl StateSpace for Clock {
//!     type State = u8;
//!     fn starts(&self) -> impl Iterator<Item = u8> {
//!         0..12
//!     }
//!     fn moves(&self, from: &u8, mut offer: impl FnMut(u8)) {
//!         offer((from + 1) % 12);
//!         offer((from + 11) % 12);
//!     }
//!     fn holds(&self, state: &u8) -> bool {
//!         *state < 12
//!     }
//! }
//!
//! let found = layers(&Clock, [0], &Run::default(), &Chapter::unkept()).map_err(Stop::from)?;
//! assert_eq!(found.sizes(), [1, 2, 2, 2, 2, 2, 1]);
//! assert_eq!(found.farthest(), Some((&6, 6)));
//! # Ok::<(), Stop>(())
//! ```

mod components;
mod diameter;
mod layers;
mod walk;

#[cfg(test)]
pub(crate) mod testing;

pub use components::components;
pub use components::{Component, Components, ComponentsError, OneWay};
pub use diameter::{Antipodes, diameter};
pub use layers::{FirstLayers, Layers, layers, path};

use crate::records::Words;
use std::hash::Hash;

/// States joined by moves.
pub trait StateSpace: Sync {
    /// All that matters about a position, as small as it can be made.
    type State: Clone + Eq + Hash + Send + Sync + Words;

    /// The states the space is explored from: for [`components()`] at least one of
    /// every component. They are read one by one, so there may be more of them
    /// than fit in memory, and the same one may come twice.
    fn starts(&self) -> impl Iterator<Item = Self::State>;

    /// Offers every state that is one move away. It must offer the same states
    /// whenever it is asked; the same state may be offered twice, and `from` too.
    fn moves(&self, from: &Self::State, offer: impl FnMut(Self::State));

    /// Whether this is a state of the space: asked of those that come from a checkpoint, which
    /// may hold anything.
    fn holds(&self, state: &Self::State) -> bool;

    /// Bytes that a state owns outside itself, for the memory limit: to be
    /// given when states hold a `Vec` or a `Box`.
    fn heap_bytes(&self) -> usize {
        0
    }
}
