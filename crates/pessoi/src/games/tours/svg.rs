//! Pictures: a tour, a puzzle, or the heat map of an analysis.

use super::options::LIMIT_OF_LIST;
use super::{heat, trace};
use crate::card::Opt;
use crate::error::Result;
use crate::export::picture::{self, SOLUTION};
use crate::export::{Format, Out, Page, TABLE, Writer, plot, whole};
use crate::question::Verb;

/// Scalable vector graphics.
pub(super) struct Svg;

impl Format for Svg {
    fn id(&self) -> &'static str {
        "svg"
    }

    fn help(&self) -> &'static str {
        "a picture of tours, a puzzle or an analysis, a search as a moving picture; a list without \
         --limit is cut after 60"
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
                | Verb::Trace
                | Verb::Analyze
        )
    }

    fn options(&self) -> &'static [Opt] {
        &[SOLUTION, TABLE]
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        let writer = whole(page, out, |answer, page| {
            if page.style.text(&TABLE).is_some() {
                return plot::of(answer, page);
            }
            if answer.question.verb == Verb::Analyze {
                return Ok(heat::map(answer, page)?.map(|map| map.to_svg().into_bytes()));
            }
            if answer.question.verb == Verb::Trace {
                return Ok(trace::film(answer)?.map(String::into_bytes));
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
