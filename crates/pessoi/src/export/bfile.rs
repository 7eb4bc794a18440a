//! `n a(n)` a line, as the OEIS keeps sequences.

use std::fmt::Write;

use super::{Format, Out, Page, Writer, whole};
use crate::answer::Answer;
use crate::error::Result;
use crate::question::Verb;

/// B-files.
pub(crate) struct Bfile(
    /// The verbs whose answers hold a sequence.
    pub(crate) &'static [Verb],
);

impl Format for Bfile {
    fn id(&self) -> &'static str {
        "bfile"
    }

    fn help(&self) -> &'static str {
        "n a(n) a line, as the OEIS keeps sequences"
    }

    fn media_type(&self) -> &'static str {
        "text/plain"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn holds(&self, verb: Verb) -> bool {
        self.0.contains(&verb)
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        Ok(whole(page, out, |answer, _| Ok(terms(answer).map(String::into_bytes))))
    }
}

fn terms(answer: &Answer) -> Option<String> {
    let sequence = answer.sequence.as_ref()?;
    let mut text = format!("# {}\n", sequence.text);
    for term in &sequence.terms {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {}", term.n, term.value);
    }
    Some(text)
}
