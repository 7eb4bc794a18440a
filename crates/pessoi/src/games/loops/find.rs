//! Finding a few loops of a length.

use super::{Asked, list};
use crate::answer::Answer;
use crate::error::Result;

/// Answers `find`.
pub(super) fn find(asked: &Asked) -> Result<Answer> {
    list::first(asked, asked.question.number("limit").unwrap_or(1))
}
