//! JSON lines: one table of the answer, an object a row.
//!
//! The keys are the ids of the columns, and the data are written as in the answer's JSON: whole
//! numbers as decimal strings, cells as `row,column`, `null` for nothing. Lists have their
//! solutions as JSON lines in any case, by `json`.

use super::{Format, Out, Page, TABLE, Writer, is_empty, whole};
use crate::answer::Answer;
use crate::card::Opt;
use crate::error::{Error, Result};
use crate::question::Verb;

pub(super) struct Jsonl;

impl Format for Jsonl {
    fn id(&self) -> &'static str {
        "jsonl"
    }

    fn help(&self) -> &'static str {
        "one table, a JSON object a row"
    }

    fn media_type(&self) -> &'static str {
        "application/jsonl"
    }

    fn extension(&self) -> &'static str {
        "jsonl"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(verb, Verb::Trace | Verb::Count | Verb::Explore | Verb::Analyze)
    }

    fn options(&self) -> &'static [Opt] {
        &[TABLE]
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        Ok(whole(page, out, rows))
    }
}

fn rows(answer: &Answer, page: &Page) -> Result<Option<Vec<u8>>> {
    let table = match page.style.text(&TABLE) {
        None => answer.tables.first(),
        Some(id) => {
            let ids = || answer.tables.iter().map(|table| &*table.id);
            let unknown = || Error::unknown("table", "options.table", id, ids());
            Some(answer.table(id).ok_or_else(unknown)?)
        }
    };
    let Some(table) = table else {
        if is_empty(answer) {
            return Ok(None);
        }
        let sentence = "The answer has no table, so there are no lines to write.";
        return Err(Error::unsupported("format", sentence));
    };
    let mut lines = Vec::new();
    for row in &table.rows {
        lines.push(b'{');
        for (k, (column, datum)) in table.columns.iter().zip(row).enumerate() {
            if k > 0 {
                lines.push(b',');
            }
            // In the order of the columns, which a map would not keep.
            let field = serde_json::to_string(&column.id)
                .and_then(|id| Ok(format!("{id}:{}", serde_json::to_string(&datum.to_json())?)));
            lines.extend(field.map_err(|error| Error::internal(error.to_string()))?.into_bytes());
        }
        lines.push(b'}');
        lines.push(b'\n');
    }
    Ok(Some(lines))
}
