//! The engines of Pessoi. They know no board and no game.
//!
//! | module | describe this | and it will |
//! |---|---|---|
//! | [`sweep`] | a thing read site by site ([`sweep::Sweep`]) | count it exactly, draw from it uniformly |
//! | [`pairings`] | a graph ([`pairings::Tours`]) | count its Hamiltonian cycles and paths |
//! | [`search`] | a tree walked by steps ([`search::Search`]) | find, list, count, split into parts, estimate |
//! | [`explore`] | states joined by moves ([`explore::StateSpace`]) | layers, components, diameter |
//! | [`arches`] | how the cut ends of a closed curve are joined | layers of them, with numbers of edges |
//! | [`disjoint`] | a family of sets | count the pairs that have nothing in common |
//! | [`lift`] | a graph whose arcs permute ([`lift::Gains`]) | the same at two bits a state |
//! | [`symmetry`] | the images of one solution | canonical forms, stabilisers, Burnside |
//! | [`number`] | residues, sequences | Chinese remainders, recurrences, growth |
//! | [`random`] | a seed and a stream | reproducible randomness |
//! | [`run`] | a budget | time, memory, threads, progress, cancelling |
//! | [`disk`] | a folder | room for what does not fit into memory |
//! | [`share`] | a folder that several machines see | a place where the parts of a job meet |
//! | [`rounds`] | work that falls into rounds ([`rounds::Rounds`]) | the parcels that workers send each other |
//! | [`store`] | a file | a place where a job saves itself |
//! | [`ledger`] | a job in chapters | a checkpoint that it goes on from |
//!
//! Every engine that can work for long takes a [`run::Run`], and a limit that is hit ends
//! it with a [`run::Stop`]: as an `Err`, or an `Err` that also holds what was found so far
//! ([`run::Stopped`]). There are two exceptions. An [`search::Estimate`] from fewer samples
//! than were asked for is an `Ok` whose field `stopped` has the reason; and where the caller
//! ends a walk by refusing more solutions ([`search::stream()`]), that is an `Ok` too, for
//! the caller knows. Any other `Ok` is complete, and exact unless it is an estimate.

pub mod arches;
pub mod disjoint;
pub mod disk;
pub mod explore;
pub mod ledger;
pub mod lift;
pub mod number;
pub mod pairings;
pub mod random;
pub mod records;
pub mod rounds;
pub mod run;
pub mod search;
pub mod share;
pub mod store;
pub mod sweep;
pub mod symmetry;
