//! The engines of Pessoi. They know no board and no game.
//!
//! | module | describe this | and it will |
//! |---|---|---|
//! | [`sweep`] | a thing read site by site ([`sweep::Sweep`]) | count it exactly, draw from it uniformly |
//! | [`search`] | a tree walked by steps ([`search::Search`]) | find, list, count, split into parts, estimate |
//! | [`explore`] | states joined by moves ([`explore::StateSpace`]) | layers, components, diameter |
//! | [`disjoint`] | a family of sets | count the pairs that have nothing in common |
//! | [`lift`] | a graph whose arcs permute ([`lift::Gains`]) | the same at two bits a state |
//! | [`symmetry`] | the images of one solution | canonical forms, stabilisers, Burnside |
//! | [`number`] | residues, sequences | Chinese remainders, recurrences, growth |
//! | [`random`] | a seed and a stream | reproducible randomness |
//! | [`run`] | a budget | time, memory, threads, progress, cancelling |
//!
//! Every engine takes a [`run::Run`] and ends in `Err(Stop)` when a limit is
//! hit. What comes back as `Ok` is complete and exact.

pub mod disjoint;
pub mod explore;
pub mod lift;
pub mod number;
pub mod random;
pub mod run;
pub mod search;
pub mod sweep;
pub mod symmetry;
