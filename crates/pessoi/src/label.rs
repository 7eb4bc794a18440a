//! Labels: what an answer is about, in words.
//!
//! Every format names the same things: the game, its moves if others than its own were asked
//! for, the place, and what is counted, with the symmetry up to which and the part. The words
//! are made here and nowhere else. The *heading* says where: `knight-tours on 5x6 with moves
//! (0,1)`. The subject says what, with its symmetry; and of a part it says which: `undirected
//! open paths in part 1/3`. So no number of a part stands beside the words of the whole.

use crate::answer::{Answer, Sequence, Subject};
use crate::games::leapers::MOVES;
use crate::question::{Place, Question, Setting};
use pessoi_engine::search::Part;

/// Where a question is asked: the game, the place, and moves that are not the game's own.
pub fn heading(question: &Question) -> String {
    let mut text = match &question.place {
        Place::Board(_) => format!("{} on {}", question.game, question.place),
        Place::Size(_) | Place::Range(_) => format!("{} {}", question.game, question.place),
        Place::Nowhere => question.game.clone(),
    };
    if let Some(Setting::Text(moves)) = question.options.get(MOVES) {
        text = format!("{text} with moves {moves}");
    }
    text
}

/// What an answer is about, for titles: where, and what.
pub fn title(answer: &Answer) -> String {
    let subject = &answer.subject;
    let what = match &subject.one {
        Some(one) if answer.solutions.len() == 1 => one,
        _ => &subject.text,
    };
    format!("{}: {what}", heading(&answer.question))
}

/// What is added to the words for the whole.
fn of_part(part: Part) -> String {
    format!(" in part {part}")
}

impl Subject {
    /// What an answer to this question is about: of a part, only what is in it.
    #[must_use]
    pub fn asked(&self, question: &Question) -> Self {
        let part = question.part();
        if part.is_whole() {
            return self.clone();
        }
        let add = |text: &str| (text.to_owned() + &of_part(part)).into();
        let one = self.one.as_deref().map(add);
        Subject { id: self.id.clone(), text: add(&self.text), one }
    }

    /// The subject of the whole, from that of a part; `None` if the words are not those of
    /// this part.
    pub(crate) fn of_whole(&self, part: Part) -> Option<Self> {
        let cut = |text: &str| Some(without_part(text, part)?.to_owned().into());
        let one = match &self.one {
            Some(one) => Some(cut(one)?),
            None => None,
        };
        Some(Subject { id: self.id.clone(), text: cut(&self.text)?, one })
    }
}

impl Answer {
    /// Adds a sequence; of a part, its words say so.
    pub fn set_sequence(&mut self, mut sequence: Sequence) {
        let part = self.question.part();
        if !part.is_whole() {
            sequence.text += &of_part(part);
        }
        self.sequence = Some(sequence);
    }
}

/// The words for the whole, from those for a part.
pub(crate) fn without_part(text: &str, part: Part) -> Option<&str> {
    if part.is_whole() { Some(text) } else { text.strip_suffix(&of_part(part)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Verb;

    #[test]
    fn headings_name_moves_and_subjects_name_parts() {
        let question = Question::new(Verb::Count, "knight-tours", "5x6").unwrap();
        assert_eq!(heading(&question), "knight-tours on 5x6");
        let question = question.with("moves", "(0,1)+(1,1)").with("part", "2/3");
        assert_eq!(heading(&question), "knight-tours on 5x6 with moves (0,1)+(1,1)");
        let paths = Subject::things("paths", "path", "paths");
        let some = paths.asked(&question);
        assert_eq!((&*some.id, &*some.text), ("paths", "paths in part 2/3"));
        assert_eq!(some.one.as_deref(), Some("path in part 2/3"));
        assert_eq!(some.of_whole(question.part()), Some(paths.clone()));
        assert_eq!(some.of_whole(Part::new(1, 3).unwrap()), None);
        assert_eq!(paths.of_whole(question.part()), None);
        let all = Question::new(Verb::Count, "knight-loops", "8").unwrap().with("part", "1/1");
        assert_eq!(paths.asked(&all), paths);
        assert_eq!(heading(&all), "knight-loops 8");
    }
}
