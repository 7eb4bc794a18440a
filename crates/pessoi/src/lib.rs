//! Pessoi finds, counts, lists, classifies, samples, estimates and maps the
//! solution spaces of board puzzles and games.
//!
//! One path leads through the library. A [`Question`] names a game, a verb, a place and
//! options. A [`Catalogue`] turns it into a [`Job`], which refuses everything that is wrong
//! with it, can be planned, and is answered under a [`Run`] that holds its limits. Solutions
//! go to [`Events`] as they are found; the [`Answer`] says what was counted, by which engine
//! and at what cost; a [`Format`] writes it as bytes. Nothing here prints or reads arguments:
//! that is for the doors (shell, browser, Python), which compute nothing and decide nothing.
//!
//! ```
//! use pessoi::{Catalogue, Question, Run, Value, Verb};
//!
//! let question = Question::new(Verb::Count, "diplomatico", "5x5")?;
//! let answer = Catalogue::standard().answer(&question, &Run::default())?;
//! assert_eq!(answer.value, Value::exact(6200u32));
//! assert_eq!(answer.subject.text, "undirected open paths");
//! # Ok::<(), pessoi::Error>(())
//! ```

mod again;
pub mod answer;
pub mod arrays;
pub mod board;
pub mod card;
pub mod catalogue;
pub mod certificate;
pub mod charset;
pub mod check;
pub mod cite;
pub mod compare;
pub mod component;
mod decimal;
pub mod error;
pub mod export;
pub mod games;
pub mod job;
pub mod label;
pub mod limits;
pub mod merge;
pub mod pace;
pub mod plan;
pub mod plot;
pub mod question;
pub mod range;
pub mod schema;
pub mod solution;
pub mod table;
#[cfg(test)]
mod testing;

pub use answer::{Answer, Cost, Limit, Outcome, Subject, Used, Value};
pub use card::{Accepts, Card, Kind, Menu, Method, Opt, PlaceKind};
pub use catalogue::{Catalogue, Methods};
pub use certificate::Certificate;
pub use check::{Effort, Finding, Findings, Standing, Verdict};
pub use error::{Code, Error, Result};
pub use export::{Format, Style, Written};
pub use job::{Asked, Events, Flow, Game, InRounds, Job, Takes};
pub use merge::Saved;
pub use pace::Pace;
pub use pessoi_engine::disk::Disk;
pub use pessoi_engine::run::{Budget, Bytes, Claim, Memory, Progress, Run, Stop};
pub use pessoi_engine::share::Share;
pub use pessoi_engine::store::{Draft, Store};
pub use plan::Plan;
pub use question::{Place, Question, Setting, Verb};
pub use solution::{Figure, Solution};
pub use table::{Datum, DatumKind, Fact, Table};

/// The example game of `CONTRIBUTING.md`, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
pub struct Contributing;

/// The examples in the book, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/answers.md")]
pub struct Answers;
