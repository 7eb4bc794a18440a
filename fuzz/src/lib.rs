//! Every reader of Pessoi, fed with anything.
//!
//! A **reader** takes bytes that come from outside: a drawing, a question, a saved answer, a
//! checkpoint, the data of a paper, the rows of a database. A **target** feeds one reader with
//! an *input* and checks what must hold of any input:
//!
//! - nothing panics, nothing takes long, nothing takes much memory (`fuzz/run` sets the limits);
//! - what is refused is refused with one sentence on one line, and is never called an error of
//!   the program itself;
//! - what is read is written and read again, and is the same.
//!
//! `fuzz/run` makes inputs by mutation, guided by which code they reach, with libFuzzer. The
//! inputs that are worth keeping are in `fuzz/corpus`, those that once went wrong in
//! `fuzz/regressions`; `cargo test` reads them all again, without any fuzzer.

mod targets;

use std::sync::LazyLock;

use pessoi::{Catalogue, Code, Error, Events, Flow, Solution};

/// A reader and what must hold of it.
pub struct Target {
    /// Its name, and that of its folders.
    pub name: &'static str,
    /// What is read.
    pub help: &'static str,
    /// The longest input that is tried.
    pub most: usize,
    /// Reads an input.
    pub check: fn(&[u8]),
}

/// All targets, in the order in which they are run.
pub const TARGETS: &[Target] = &[
    targets::drawing::TARGET,
    targets::words::TARGET,
    targets::question::TARGET,
    targets::answer::TARGET,
    targets::convert::TARGET,
    targets::verify::TARGET,
    targets::packed::TARGET,
    targets::checkpoint::TARGET,
    targets::journal::TARGET,
    targets::ledger::TARGET,
    targets::position::TARGET,
    targets::tour::TARGET,
    targets::model::TARGET,
    targets::slices::TARGET,
    targets::layers::TARGET,
    targets::parcel::TARGET,
    targets::slides::TARGET,
    targets::paper::TARGET,
    #[cfg(feature = "graph")]
    targets::rows::TARGET,
];

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// All games.
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::standard);

/// What must hold of a refusal.
///
/// # Panics
///
/// If it is no sentence on one line, or an error of the program itself.
fn refused(error: &Error) {
    assert_ne!(error.code, Code::Internal, "{error}");
    let text = error.to_string();
    assert!(text.ends_with(['.', '?']), "no sentence: {text:?}");
    assert!(!text.contains(char::is_control), "not on one line: {text:?}");
}

/// What must hold of the refusal of a question: it also names a field.
///
/// # Panics
///
/// If it does not.
fn refused_question(error: &Error) {
    refused(error);
    assert!(error.field.is_some(), "no field: {error:?}");
}

/// Whether a text names a shape of many cells. Such boards are within the limits and take
/// some hundredths of a second, which would slow down everything else; the tests of the
/// library read them.
fn is_large(text: &str) -> bool {
    let is_side = |c: char| "xX×PTF".contains(c);
    let mut before = ' ';
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        before = rest[..at].chars().next_back().unwrap_or(before);
        let end = rest[at..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| at + n);
        // Sides beyond 10000 are refused at once.
        let is_long = (61..=10_000).contains(&rest[at..end].parse().unwrap_or(0));
        if is_long && (is_side(before) || rest[end..].starts_with(is_side)) {
            return true;
        }
        rest = &rest[end..];
    }
    false
}

/// Keeps solutions, as many as an input can hold.
#[derive(Default)]
struct Kept(Vec<Solution>);

impl Events for Kept {
    fn solution(&mut self, found: Solution) -> Flow {
        self.0.push(found);
        Flow::Continue(())
    }
}
