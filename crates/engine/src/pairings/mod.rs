//! Pairings: counting the tours of a graph by borders in groups, half a graph at a time.
//!
//! A **tour** visits every vertex of a graph once: a closed one is a Hamiltonian cycle, an open
//! one a Hamiltonian path. A path is a cycle through one more vertex, the *outside*, which is
//! joined to every vertex where a path may end; so all tours are cycles here.
//!
//! The vertices are read in a given order. Reading one chooses which of the edges to earlier
//! vertices belong to the tour: none, one or two. The earlier vertices that still have edges to
//! come are the **border**. Each holds a *slot* of it and is
//!
//! - *done*: it has its two edges;
//! - *fresh*: it has none;
//! - *mated*: it has one, and the piece of path that begins there ends at another mated slot.
//!
//! **Borders in groups.** Whether an edge may be chosen depends on what the slots are, not on who
//! is mated to whom. So a border is split into its *type*, two bits a slot, and the *matching* of
//! its mated slots, which is a number, its *rank* (see [`matching`]). All borders of a type are a
//! *group*: an array of ranks and an array of numbers of ways, 12 bytes a border. A step is first
//! done for types alone, of which there are few; what it does to the matchings of a group is one
//! *operation* on ranks, the same for all of them.
//!
//! **Half a graph.** The edges are split in two halves, and each half is read by itself. A vertex
//! with edges in both halves stays on the border; at the end the vertices of the border are the
//! same for both, and a tour is a border of one half and a border of the other in which done has
//! become fresh and the reverse, such that both matchings together make one cycle
//! (see [`mod@join`]). Where a symmetry of the graph swaps the halves, one of them is read.
//!
//! **Symmetric tours.** Tours that a symmetry keeps are tours of its quotient, a smaller graph whose
//! edges count several times or as negative numbers (see [`mod@kept`]).
//!
//! Numbers are kept modulo 2^64 beside a proven bound of the total; where the bound is larger than
//! that, further passes are made modulo primes, and all must agree (see [`mod@count`]).
//!
//! **In rounds.** Groups are dealt out to places by a hash of their types, for machines that share
//! nothing (see [`mod@rounds`]).
//!
//! On the chessboard the closed knight's tours have up to 95 million borders in a layer and 414
//! million in all layers of one half. Reading all rows, 2.9 thousand million.
//!
//! The idea to keep a border as a word of types and a rank of its matching, to read half a board
//! and to join the halves was tried out for this project; borders with mates are those of Knuth's
//! SIMPATH and its forerunners, and counting a board by two halves goes back to Löbbing and
//! Wegener (1996) and `McKay` (1997), who counted the tours of the chessboard that way.
//!
//! Go's matrix of near and far halves has the same shape: a coarse key that decides, and a fine
//! index carried along by maps. It is not this engine, for two reasons. Its fine index is dense,
//! so its numbers are plain arrays without ranks, and its maps are few and shared by long rows,
//! so they become vector additions; here nine of ten borders of a type do not exist, and what is
//! gained comes from not storing them. What both need from each other, tables of maps on indices,
//! is ten lines.

mod ahead;
mod checkpoint;
pub mod count;
pub mod forecast;
mod halves;
pub mod join;
mod joining;
pub mod kept;
mod layer;
pub mod matching;
mod passes;
mod reading;
mod ring;
pub mod rounds;
mod slices;
#[cfg(test)]
mod tests;

pub use crate::records::Unusable;
pub use count::{CountError, Counted, count, count_part};
pub use forecast::{Forecast, Sliced, forecast};
pub use halves::{Ends, Refused, Tours};
pub use kept::{Kept, KeptCount};
pub use rounds::InRounds;
