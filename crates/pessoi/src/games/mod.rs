//! The games of this library: the one list of them.
//!
//! A game is a folder here. Adding one means writing its folder and adding one line to
//! [`all`]; `CONTRIBUTING.md` shows how on a small example.

mod go;
pub(crate) mod leapers;
mod loops;
mod slides;
mod tours;
mod tsplib;

use crate::job::Game;

pub use tours::learned;

#[doc(hidden)]
pub use go::is_checkpoint;
#[doc(hidden)]
pub use pessoi_engine::lift::is_journal;

/// All games.
pub fn all() -> Vec<&'static dyn Game> {
    [tours::GAMES, &loops::GAMES, slides::GAMES, go::GAMES].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Kind;
    use crate::catalogue::Catalogue;
    use crate::question::{Question, Verb};
    use pessoi_engine::run::Run;

    /// What every game owes its users, whatever it is.
    #[test]
    fn cards_are_complete() {
        let games = all();
        for (k, game) in games.iter().enumerate() {
            let card = game.card();
            assert!(games[..k].iter().all(|other| other.card().name != card.name), "{}", card.name);
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(card.name.chars().all(is_name));
            assert!(card.rules.ends_with('.') && card.source.ends_with('.'));
            assert!(!card.verbs.is_empty() && !card.examples.is_empty());
            for verb in card.verbs {
                let menu = card.menu(*verb);
                let what = format!("{verb} {}", card.name);
                assert!(menu.accepted().next().is_some(), "{what}: no place is accepted");
                assert!(!menu.methods.is_empty(), "{what}: no engine answers");
                for (k, opt) in menu.options.iter().enumerate() {
                    let what = format!("{what} --{}", opt.name);
                    assert!(menu.options[..k].iter().all(|o| o.name != opt.name), "{what}: twice");
                    assert!(!opt.help.is_empty(), "{what}");
                    for other in opt.needs.iter().chain(opt.excludes) {
                        assert!(menu.option(other).is_some(), "{what}: there is no --{other}");
                    }
                    if let Some(default) = opt.default {
                        opt.parse(default, &menu.method_names()).expect("a default that is taken");
                    }
                }
                for (k, method) in menu.methods.iter().enumerate() {
                    let same = menu.methods[..k].iter().any(|other| other.id == method.id);
                    assert!(!same, "{what}: two methods {}", method.id);
                    assert!(
                        !method.components.is_empty(),
                        "{what}: {} is made of nothing",
                        method.id
                    );
                }
            }
            for opt in card.options {
                assert!(opt.kind != Kind::Method, "{}: methods make their own option", card.name);
                assert!(opt.verbs.iter().all(|verb| card.verbs.contains(verb)), "{}", opt.name);
            }
            for example in card.examples {
                assert!(example.starts_with("pessoi "), "{example}");
            }
        }
    }

    /// Every verb of every game is answered, or its refusal names what comes near.
    #[test]
    fn every_refused_verb_names_the_neighbouring_way() {
        let catalogue = Catalogue::standard();
        for game in catalogue.games() {
            let card = game.card();
            for &verb in Verb::ALL {
                let near = card.instead.iter().filter(|(other, _)| *other == verb).count();
                let answers = card.verbs.contains(&verb);
                assert_eq!(near, usize::from(!answers), "{verb} {}", card.name);
                if !answers {
                    let question = Question::new(verb, card.name, "3x3").unwrap();
                    let refusal = catalogue.answer(&question, &Run::default()).unwrap_err();
                    assert!(refusal.to_string().contains(", but "), "{refusal}");
                }
            }
        }
    }

    #[test]
    fn unknown_games_verbs_and_options_are_refused() {
        let catalogue = Catalogue::standard();
        let refused = |verb, game: &str, option: Option<&str>| {
            let mut question = Question::new(verb, game, "5x5").unwrap();
            if let Some(option) = option {
                question = question.with(option, true);
            }
            catalogue.answer(&question, &Run::default()).unwrap_err()
        };
        let near = refused(Verb::Find, "diplomatic", None);
        assert!(near.to_string().contains("did you mean diplomatico?"), "{near}");
        assert_eq!(near.field.as_deref(), Some("game"));
        let verb = refused(Verb::Generate, "go", None);
        let sentence =
            "cannot answer generate, but sample draws legal positions; it can answer find";
        assert!(verb.to_string().contains(sentence), "{verb}");
        assert_eq!(verb.field.as_deref(), Some("verb"));
        let option = refused(Verb::Find, "diplomatico", Some("close"));
        assert!(option.to_string().contains("did you mean --closed?"), "{option}");
        assert_eq!(option.field.as_deref(), Some("options.close"));
        let misplaced = refused(Verb::Find, "diplomatico", Some("directed"));
        assert!(misplaced.to_string().contains("takes no --directed; count, "), "{misplaced}");
    }
}
