//! B-files of counted sequences.

use super::options::SEQUENCE;
use crate::error::{Error, Result};
use crate::export::bfile;
use crate::export::{Format, Out, Page, Writer};
use crate::question::Verb;

/// The terms of `count --sequence`. A single number is refused before it is counted.
pub(super) struct Bfile;

const TERMS: bfile::Bfile = bfile::Bfile(&[Verb::Count]);

impl Format for Bfile {
    fn id(&self) -> &'static str {
        TERMS.id()
    }

    fn help(&self) -> &'static str {
        TERMS.help()
    }

    fn media_type(&self) -> &'static str {
        TERMS.media_type()
    }

    fn extension(&self) -> &'static str {
        TERMS.extension()
    }

    fn holds(&self, verb: Verb) -> bool {
        TERMS.holds(verb)
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        if !page.question.flag(&SEQUENCE) {
            return Err(Error::unsupported(
                "format",
                "A single number is no sequence, so it cannot be written as bfile; ask for all \
                 lengths up to this one with --sequence.",
            ));
        }
        TERMS.writer(page, out)
    }
}
