//! The games: the one list of them, and what the doors see of each.
//!
//! A game is a folder here. Adding one means writing its folder and adding one line
//! to [`all`]; `CONTRIBUTING.md` shows how on a small example.

pub mod go;
mod leapers;
pub mod loops;
pub mod slides;
pub mod tours;

use crate::answer::{Answer, Plan, Solution};
use crate::certificate::Verdict;
use crate::error::{Error, Result};
use crate::export::Format;
use crate::question::{Opt, Question, Verb, closest};
use pessoi_engine::run::Run;

/// Who a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its name on the command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its rules, in two sentences.
    pub rules: &'static str,
    /// Where it is played: which boards or sizes it takes.
    pub place: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it can be asked.
    pub verbs: &'static [Verb],
    /// The options it looks at.
    pub options: &'static [Opt],
    /// Formats that it writes itself, each with the verbs: beyond what all games' answers
    /// can be written as, or instead of it.
    pub formats: &'static [(Format, &'static [Verb])],
    /// Commands to try.
    pub examples: &'static [&'static str],
}

impl Card {
    /// The option of this name that a verb looks at.
    pub fn option(&self, name: &str, verb: Verb) -> Option<&'static Opt> {
        self.options.iter().find(|opt| opt.name == name && opt.verbs.contains(&verb))
    }

    /// An option of this name, whichever verb looks at it.
    pub fn option_of_any(&self, name: &str) -> Option<&'static Opt> {
        self.options.iter().find(|opt| opt.name == name)
    }

    /// Whether the game itself writes its answers to this verb in this format.
    pub fn writes(&self, verb: Verb, format: Format) -> bool {
        self.formats.iter().any(|(own, verbs)| *own == format && verbs.contains(&verb))
    }

    /// The verbs that look at an option, in words.
    pub fn verbs_of(&self, name: &str) -> String {
        let looks = |verb: &&Verb| self.option(name, **verb).is_some();
        let verbs: Vec<_> = self.verbs.iter().filter(looks).map(|verb| verb.name()).collect();
        verbs.join(", ")
    }
}

/// Takes solutions one by one as they are found; says whether more are wanted.
pub type Sink<'a> = &'a mut dyn FnMut(Solution) -> bool;

/// Takes bytes as they are made; says whether more are wanted.
pub type ByteSink<'a> = &'a mut dyn FnMut(&[u8]) -> bool;

/// What the doors see of a game.
pub trait Game: Sync {
    /// Who it is.
    fn card(&self) -> &Card;

    /// Answers a question that [`Question::check`] let through. Verbs that can
    /// have any number of solutions (list, classify) give them to `sink`; the
    /// others put them into the answer.
    fn ask(&self, question: &Question, run: &Run, sink: Sink) -> Result<Answer>;

    /// Says what [`Game::ask`] would do, and at what cost, without doing it.
    fn plan(&self, question: &Question, run: &Run) -> Result<Plan>;

    /// Writes an answer in one of the formats of its card.
    fn write(&self, _answer: &Answer, format: Format) -> Result<String> {
        Err(Error::internal(format!("{} does not write {format}", self.card().name)))
    }

    /// Whether the game itself writes the solutions of a verb that streams them (list,
    /// classify) in this format: see [`Game::stream`].
    fn streams(&self, _verb: Verb, _format: Format) -> bool {
        false
    }

    /// As [`Game::ask`], for lists too long to be handed over solution by solution: gives
    /// them as bytes of a file in this format, all but what [`crate::export::tail`] adds.
    fn stream(&self, _: &Question, _: &Run, format: Format, _: ByteSink) -> Result<Answer> {
        Err(Error::internal(format!("{} does not stream {format}", self.card().name)))
    }

    /// Reads what [`Game::stream`] wrote as [`Format::Packed`]: gives the solutions to the
    /// sink, and the answer without them.
    fn read(&self, _bytes: &[u8], _sink: Sink) -> Result<Answer> {
        Err(Error::input(format!("{} writes no packed files.", self.card().name)))
    }

    /// Checks an answer of this game by code that did not find it.
    fn check(&self, answer: &Answer, run: &Run) -> Result<Verdict>;
}

/// All games.
pub fn all() -> Vec<&'static dyn Game> {
    let folders = [tours::GAMES, loops::GAMES, slides::GAMES, go::GAMES];
    folders.concat()
}

/// The game of this name.
pub fn open(name: &str) -> Result<&'static dyn Game> {
    let games = all();
    if let Some(game) = games.iter().find(|game| game.card().name == name) {
        return Ok(*game);
    }
    let names: Vec<_> = games.iter().map(|game| game.card().name).collect();
    Err(Error::input(match closest(name, names.iter().copied()) {
        Some(near) => format!("There is no game {name:?}; did you mean {near}?"),
        None => format!("There is no game {name:?}; there are {}.", names.join(", ")),
    }))
}

/// Answers a question.
pub fn ask(question: &Question, run: &Run, sink: Sink) -> Result<Answer> {
    let game = open(&question.game)?;
    question.check(game.card())?;
    game.ask(question, run, sink)
}

/// Answers a question with bytes of a file, as [`Game::stream`] does.
pub fn stream(question: &Question, run: &Run, format: Format, bytes: ByteSink) -> Result<Answer> {
    let game = open(&question.game)?;
    question.check(game.card())?;
    format.check(question.verb, game.card())?;
    game.stream(question, run, format, bytes)
}

/// Says what would be done for a question.
pub fn plan(question: &Question, run: &Run) -> Result<Plan> {
    let game = open(&question.game)?;
    question.check(game.card())?;
    game.plan(question, run)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every game owes its users, whatever it is.
    #[test]
    fn cards_are_complete() {
        let games = all();
        for (k, game) in games.iter().enumerate() {
            let card = game.card();
            assert!(games[..k].iter().all(|other| other.card().name != card.name));
            assert!(card.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
            assert!(!card.verbs.is_empty() && !card.examples.is_empty());
            assert_eq!(card.rules.matches(". ").count(), 1, "two sentences: {}", card.rules);
            for text in [card.rules, card.place, card.source] {
                assert!(text.ends_with('.'), "{}: {text}", card.name);
            }
            for (k, opt) in card.options.iter().enumerate() {
                // An option may mean different things to different verbs, not to one.
                let twice = |other: &&Opt| other.verbs.iter().any(|verb| opt.verbs.contains(verb));
                let same = card.options[..k].iter().filter(|other| other.name == opt.name);
                assert_eq!(same.filter(twice).count(), 0, "{} --{}", card.name, opt.name);
                let known = opt.verbs.iter().all(|verb| card.verbs.contains(verb));
                assert!(known && !opt.verbs.is_empty(), "{} --{}", card.name, opt.name);
                assert!(!opt.help.is_empty());
            }
        }
    }

    #[test]
    fn unknown_games_verbs_and_options_are_refused() {
        let refused = |verb, game: &str, option: Option<&str>| {
            let mut question = Question::new(verb, game, "5x5").unwrap();
            if let Some(option) = option {
                question = question.with(option, true);
            }
            ask(&question, &Run::default(), &mut |_| true).unwrap_err().to_string()
        };
        let near = refused(Verb::Find, "diplomatic", None);
        assert!(near.contains("did you mean diplomatico?"), "{near}");
        let card = Card { verbs: &[Verb::Count], ..*all()[0].card() };
        let question = Question::new(Verb::Explore, card.name, "5x5").unwrap();
        let verb = question.check(&card).unwrap_err().to_string();
        assert!(verb.contains("cannot answer explore; it can answer count."), "{verb}");
        let option = refused(Verb::Find, "diplomatico", Some("close"));
        assert!(option.contains("did you mean --closed?"), "{option}");
        let misplaced = refused(Verb::Find, "diplomatico", Some("directed"));
        assert!(misplaced.contains("means nothing to find; it goes with count"), "{misplaced}");
    }
}
