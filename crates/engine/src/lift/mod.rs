//! Lifts: huge state spaces that are a small graph times permutations.
//!
//! Take a small graph whose arcs carry permutations, their **gains** (a *gain graph*, also
//! called voltage graph; J. L. Gross, 1974). Its **lift** has the states (node, p), p any
//! permutation of the **slots**, and an arc from u to v with gain g leads from (u, p) to
//! (v, p∘g), where (p∘g)(s) = p(g(s)). A puzzle whose pieces are pushed about is such a
//! lift: the node says which cells are occupied, p which piece lies where. Every arc needs an
//! arc back with the inverse gain ([`Gains::join`]).
//!
//! Three things follow that no general search knows.
//!
//! - **Group.** What is reached at one node is p∘G for a group G, that of the gains along
//!   all closed walks. So questions about components are questions about G
//!   ([`Gauge::generators`]), however many states there are.
//! - **Gauge.** Renaming the slots at each node changes the gains and nothing else. Carrying
//!   the names along a spanning tree makes the gains of its arcs the identity ([`Gauge`]).
//! - **No hash.** A permutation has a rank, so a state is a bit in a table: at two bits a
//!   state a search needs no list and no hash ([`Table`], which holds the algorithm). Tables
//!   that are larger than the memory are streamed from disk, and a long search saves itself
//!   ([`Journal`]).
//!
//! The sizes: with 30 nodes and 11 slots that are moved evenly there are 599 million states,
//! which take 160 MB and some ten seconds of one processor a search.

mod diameter;
mod gains;
mod gather;
mod journal;
mod planes;
mod ranks;
mod shelves;
mod spread;
mod table;

pub use diameter::{Farthest, Geometry, diameter};
pub use gains::{Gains, Gauge};
pub use journal::{Journal, Unusable, is_journal};
pub use table::{Layers, MOST_BYTES, Size, Table};

#[cfg(test)]
mod tests;
