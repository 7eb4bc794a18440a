//! Pessoi finds, counts, lists, classifies, samples, estimates and maps the
//! solution spaces of board puzzles and games.
//!
//! One path leads through the library: a [`Question`] names a game, a verb and a
//! place; [`ask`] hands it to the game, under a [`Run`] that holds its limits; the
//! game uses the engines of `pessoi-engine` and gives an [`Answer`], which says what
//! it counts, how it was found and what it cost. Nothing here prints: that is for
//! the doors (shell, browser, Python), which compute nothing.
//!
//! ```
//! use pessoi::{Question, Run, Verb, Value, ask};
//!
//! let question = Question::new(Verb::Count, "diplomatico", "5x5")?;
//! let answer = ask(&question, &Run::default(), &mut |_| true)?;
//! assert_eq!(answer.value, Value::exact(6200u32));
//! assert_eq!(answer.counts, "undirected open paths");
//! # Ok::<(), pessoi::Error>(())
//! ```

pub mod answer;
pub mod board;
pub mod certificate;
pub mod error;
pub mod export;
pub mod games;
pub mod question;
pub mod reproduce;

pub use answer::{Answer, Cost, Figure, Plan, Solution, Table, Value};
pub use certificate::{Certificate, Verdict, read, verify, verify_bytes};
pub use error::{Error, Result};
pub use games::{ByteSink, Card, Game, Sink, ask, plan, stream};
pub use pessoi_engine::run::{Budget, Bytes, Progress, Run, Stop};
pub use question::{Kind, Opt, Place, Question, Setting, Verb};

/// The example game of `CONTRIBUTING.md`, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
pub struct Contributing;

/// The examples in the book, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/answers.md")]
pub struct Answers;
