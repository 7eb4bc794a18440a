//! Pages to print: a tour or a puzzle.

use crate::board::Picture;
use crate::card::Opt;
use crate::error::Result;
use crate::export::picture::{self, SOLUTION};
use crate::export::{Format, Out, Page, Writer, whole};
use crate::question::Verb;

/// Portable document format.
pub(super) struct Pdf;

impl Format for Pdf {
    fn id(&self) -> &'static str {
        "pdf"
    }

    fn help(&self) -> &'static str {
        "a page with a tour or a puzzle, to print"
    }

    fn media_type(&self) -> &'static str {
        "application/pdf"
    }

    fn extension(&self) -> &'static str {
        "pdf"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(verb, Verb::Find | Verb::Sample | Verb::Generate)
    }

    fn options(&self) -> &'static [Opt] {
        &[SOLUTION]
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        Ok(whole(page, out, |answer, page| picture::of(answer, page, draw)))
    }
}

/// The method with its lifetimes left open.
fn draw(picture: &Picture) -> String {
    picture.to_pdf()
}
