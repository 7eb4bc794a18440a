//! Components: the pieces of code that a result rests on.
//!
//! A number that two methods found is *confirmed* only if no error in one piece of code could
//! have made both wrong. So every [method](crate::Method) names its **components**: the pieces
//! whose error would make its result wrong. Two methods confirm each other if they name none
//! in common. What is named is code, not an idea: two searches by the same runner share it,
//! however different their trees are.
//!
//! Not counted is what all methods of a game rest on, or what cannot make a number wrong
//! unnoticed:
//!
//! - *what is asked*: the board and its cells, the reading of the question, the table of the
//!   moves from cell to cell; where classes are counted, the group of symmetries that makes
//!   two solutions the same. An error here would be the answer to another question. The
//!   checkers of `verify` make these again from coordinates, and tests compare.
//! - *numbers*: big integers, arithmetic modulo primes, Chinese remainders. A count by
//!   remainders is counted modulo one prime more than it needs, which must agree; an error
//!   that is not the same number modulo each of several primes is refused.
//! - *the run*: limits, progress, memory claims. They can end a job, not change its number.
//! - *how it is told*: answers, tables, formats.
//!
//! A game gives names to its own pieces, beside its methods. Here are those of the engines,
//! which several games use.

/// Trees walked on all threads, and what they give put in order: `pessoi_engine::search`, apart
/// from its estimators.
pub const SEARCH_RUNNER: &str = "search-runner";
/// Layers of borders, spread and gathered: `pessoi_engine::sweep`.
pub const SWEEP_LAYERS: &str = "sweep-layers";
/// Breadth-first searches that keep every state: `pessoi_engine::explore`.
pub const BREADTH_FIRST: &str = "breadth-first";
/// The symmetries of a board, where they save work without being asked for:
/// `board::symmetries`.
pub const BOARD_SYMMETRIES: &str = "board-symmetries";
/// The mean over a group: `pessoi_engine::symmetry::burnside`.
pub const BURNSIDE: &str = "burnside";
/// Berlekamp and Massey's algorithm and what follows from it: `pessoi_engine::number`.
pub const RECURRENCES: &str = "recurrences";
/// Chen's stratified sampling: `pessoi_engine::search::chen`.
pub const CHEN: &str = "chen-sampling";
/// Knuth's random probes: `pessoi_engine::search::estimate`.
pub const KNUTH: &str = "knuth-probes";

/// The components that two lists have in common.
pub fn common<'a, A: AsRef<str>, B: AsRef<str>>(one: &'a [A], other: &[B]) -> Vec<&'a str> {
    let is_there = |name: &&str| other.iter().any(|there| there.as_ref() == *name);
    one.iter().map(AsRef::as_ref).filter(is_there).collect()
}

/// Whether two lists have nothing in common. A method that names nothing confirms nothing.
pub fn confirm<A: AsRef<str>, B: AsRef<str>>(one: &[A], other: &[B]) -> bool {
    !one.is_empty() && !other.is_empty() && common(one, other).is_empty()
}
