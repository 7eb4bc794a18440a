//! Pages to print: tours, an analysis, or puzzles with their solutions.

use super::svg::is_cut;
use super::{booklet, heat};
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
        "to print: tours, an analysis, or a booklet of puzzles with their solutions at the end"
    }

    fn media_type(&self) -> &'static str {
        "application/pdf"
    }

    fn extension(&self) -> &'static str {
        "pdf"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(
            verb,
            Verb::Find
                | Verb::List
                | Verb::Classify
                | Verb::Sample
                | Verb::Generate
                | Verb::Analyze
        )
    }

    fn options(&self) -> &'static [Opt] {
        &[SOLUTION]
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        let writer = whole(page, out, |answer, page| {
            if answer.question.verb == Verb::Analyze {
                return Ok(heat::map(answer, page)?.map(|map| map.to_pdf().into_bytes()));
            }
            if answer.question.verb == Verb::Generate && !page.style.flag(&SOLUTION) {
                return booklet::of(answer, page.game.card());
            }
            Ok(picture::pdf(picture::of(answer, page)?))
        });
        Ok(picture::a_sheet(writer, is_cut(page)))
    }
}
