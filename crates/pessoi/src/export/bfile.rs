//! `n a(n)` a line, as the OEIS keeps sequences: in ASCII, with what it is in comments.

use std::fmt::Write;

use super::{Format, Out, Page, Writer, whole};
use crate::answer::Answer;
use crate::card::Card;
use crate::error::Result;
use crate::games::leapers::MOVES;
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
        super::refuse_single(page, self.id())?;
        Ok(whole(page, out, |answer, page| {
            Ok(terms(answer, page.game.card()).map(String::into_bytes))
        }))
    }
}

fn terms(answer: &Answer, card: &Card) -> Option<String> {
    let sequence = answer.sequence.as_ref()?;
    let mut text = comment(&sequence.text);
    // The game's rules say how its piece moves, unless other moves were asked for.
    text += &match answer.question.options.get(MOVES) {
        Some(moves) => comment(&format!("{}, with the moves {moves}", card.name)),
        None => comment(&format!("{}: {}", card.title, card.rules)),
    };
    text += &comment(&format!("pessoi {}, by Pessoi {}", answer.question.words(), answer.pessoi));
    for term in &sequence.terms {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {}", term.n, term.value);
    }
    Some(text)
}

/// A line of comment, in ASCII.
fn comment(text: &str) -> String {
    format!("# {}\n", ascii(text))
}

/// The text in ASCII.
pub(super) fn ascii(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        match c {
            '×' => line.push('x'),
            '·' => line.push('*'),
            '≥' => line.push_str(">="),
            '≤' => line.push_str("<="),
            '…' => line.push_str("..."),
            '–' | '−' => line.push('-'),
            '’' => line.push('\''),
            c if c.is_ascii() && !c.is_ascii_control() => line.push(c),
            c if c.is_whitespace() => line.push(' '),
            _ => line.push('?'),
        }
    }
    line
}
