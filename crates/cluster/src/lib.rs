//! Counting past one machine: what a driver and its workers do on a cluster engine.
//!
//! A cluster engine such as Spark keeps tables of rows on many machines, runs functions on them,
//! and moves rows between the machines by a key: the *shuffle*. Scheduling, faults and the moving
//! of bytes are its own. What is here is what runs on it, and it knows neither the engine nor a
//! game:
//!
//! - [`Work`] is a question in rounds ([`pessoi_engine::rounds`]). A worker takes the [`Row`]s of
//!   some places and makes those of the next round of them; nothing else happens on a cluster.
//! - A place's [log](mod@log) is a row that goes with it from round to round. It says of which
//!   question, version and pass it is, and what was counted and sent in every round so far. So the
//!   rows of a round are all that is needed in order to go on from there, on any machine, and the
//!   driver reads off the logs how far all have come ([`Work::look`]).
//! - What has no rounds but has parts (searches, lists, loops) is asked part by part
//!   ([`mod@parts`]), and the answers are merged.

pub mod log;
pub mod parts;
mod plan;
mod work;

pub use log::{Course, places};
pub use plan::plan;
pub use work::{Row, Work};
