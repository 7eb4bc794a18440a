//! `n a(n)` a line, as the OEIS keeps sequences.

use std::fmt::Write;

use crate::answer::Answer;

pub(super) fn terms(answer: &Answer) -> String {
    let mut text = format!("# {}\n", answer.sequence);
    for term in &answer.terms {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {}", term.n, term.value);
    }
    text
}
