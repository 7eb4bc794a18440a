//! Pictures: a tour, a puzzle, or the heat map of an analysis.

use super::heat;
use super::options::LIMIT_OF_LIST;
use crate::card::Opt;
use crate::error::Result;
use crate::export::picture::{self, SOLUTION};
use crate::export::{Format, Out, Page, Writer, whole};
use crate::question::Verb;

/// Scalable vector graphics.
pub(super) struct Svg;

impl Format for Svg {
    fn id(&self) -> &'static str {
        "svg"
    }

    fn help(&self) -> &'static str {
        "a picture of tours, a puzzle or an analysis; a list without --limit is cut after 60"
    }

    fn media_type(&self) -> &'static str {
        "image/svg+xml"
    }

    fn extension(&self) -> &'static str {
        "svg"
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
                return Ok(heat::map(answer, page)?.map(|map| map.to_svg().into_bytes()));
            }
            Ok(picture::svg(picture::of(answer, page)?))
        });
        Ok(picture::a_sheet(writer, is_cut(page)))
    }
}

/// Whether a picture shows the first solutions only.
pub(super) fn is_cut(page: &Page) -> bool {
    page.question.verb.streams() && !page.question.is_given(&LIMIT_OF_LIST)
}
