//! Saved answers, written in every format. What was read may be anything that an answer's
//! shape allows, so no writer may rely on what the games put into it.

use pessoi::{Run, Style};

use super::answer::read;
use super::edit::edited;
use crate::{CATALOGUE, Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "convert", help: "edited answers, in every format", most: 97, check };

fn check(input: &[u8]) {
    let Some(saved) = edited(input) else { return };
    let answer = match read(&saved) {
        Ok(answer) => answer,
        Err(error) => return refused(&error),
    };
    let question = &answer.question;
    let Ok(game) = CATALOGUE.game(&question.game) else { return };
    if question.check(&CATALOGUE.menu(game.card(), question.verb)).is_err() {
        return;
    }
    for format in CATALOGUE.formats(game.card(), question.verb) {
        let mut out = Vec::new();
        let run = Run::default();
        let written =
            CATALOGUE.convert(&saved, |_, _| Ok(format), &Style::default(), &run, &mut out);
        match written {
            Ok(_) if format.id() == "json" => {
                assert_eq!(read(&out).expect("what was written is read"), answer);
            }
            Ok(_) => {}
            Err(error) => refused(&error),
        }
    }
}
