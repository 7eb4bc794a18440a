//! Pages to print: a tour, or puzzles with their solutions.

use super::booklet;
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
        "to print: a page with a tour, or a booklet of puzzles with their solutions at the end"
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
        Ok(whole(page, out, |answer, page| {
            if answer.question.verb == Verb::Generate && !page.style.flag(&SOLUTION) {
                return booklet::of(answer, page.game.card());
            }
            picture::of(answer, page, draw)
        }))
    }
}

/// The method with its lifetimes left open.
fn draw(picture: &Picture) -> String {
    picture.to_pdf()
}
