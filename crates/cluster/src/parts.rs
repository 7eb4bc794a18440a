//! Parts: what has no rounds, but can be asked part by part.
//!
//! Searches, lists and loops fall into parts that need nothing of each other (`--part i/m`). On a
//! cluster each part is a task; the answers come back as JSON, and are merged as saved answers
//! are.

use pessoi::card::PART;
use pessoi::error::{Error, Result};
use pessoi::job::Collected;
use pessoi::{Catalogue, Question, Run, Value};

/// The parts of a question, so many; refused if it has none.
pub fn parts(catalogue: &Catalogue, question: &Question, of: u64) -> Result<Vec<Question>> {
    let card = catalogue.game(&question.game)?.card();
    let menu = catalogue.menu(card, question.verb);
    if question.options.contains_key(PART) {
        let why = "On a cluster all parts are asked for: leave out --part.";
        return Err(Error::conflict(PART, why));
    }
    if menu.option(PART).is_none() {
        let sentence = format!(
            "{} {} falls neither into rounds nor into parts, so a cluster is of no use to it: ask \
             it on one machine.",
            question.verb, card.name
        );
        return Err(Error::unsupported("verb", sentence));
    }
    let mut parts = Vec::new();
    for index in 1..=of {
        let mut part = question.clone();
        part.set(&menu, PART, &format!("{index}/{of}"))?;
        // What is wrong is refused before anything is sent to a worker.
        catalogue.job(&part)?;
        parts.push(part);
    }
    Ok(parts)
}

/// Answers a part, with its solutions. A part that a limit cut short is an error: it cannot be
/// merged.
pub fn answer(catalogue: &Catalogue, part: &Question, run: &Run) -> Result<Vec<u8>> {
    let mut kept = Collected::new(run);
    let mut answer = catalogue.ask(part, run, &mut kept)?;
    kept.into_answer(&mut answer);
    if let Value::GaveUp { .. } | Value::AtLeast { .. } = &answer.value
        && let Some(stop) = answer.value.stop()
    {
        let words = part.words();
        let sentence = format!("{words} was stopped: {stop}. More parts take less each.");
        return Err(Error::new(pessoi::Code::Stopped, "limits", sentence));
    }
    serde_json::to_vec(&answer).map_err(|error| Error::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pessoi::{Budget, Saved};

    #[test]
    fn parts_are_merged_to_the_whole() {
        let catalogue = Catalogue::standard();
        let run = Run::default();
        for words in [
            "count knight-loops 8",
            "list knight-tours 5x5",
            "count diplomatico 5x5 --method branch",
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            let question = catalogue.read_question(&words).unwrap();
            let parts = parts(&catalogue, &question, 3).unwrap();
            let answers: Vec<Vec<u8>> =
                parts.iter().map(|part| answer(&catalogue, part, &run).unwrap()).collect();
            let saved: Vec<_> = answers.iter().map(|bytes| Saved { name: "part", bytes }).collect();
            let mut kept = Collected::new(&run);
            let merged = catalogue.merge(&saved, &run, &mut kept).unwrap();
            let mut all = Collected::new(&run);
            let whole = catalogue.ask(&question, &run, &mut all).unwrap();
            assert_eq!(merged.value, whole.value);
            assert_eq!(kept.solutions.len(), all.solutions.len());
        }
    }

    #[test]
    fn what_has_no_parts_is_refused() {
        let catalogue = Catalogue::standard();
        let read = |words: &[&str]| catalogue.read_question(words).unwrap();
        for words in [&["explore", "hex-slide", "T3"][..], &["estimate", "diplomatico", "5x5"]] {
            let error = parts(&catalogue, &read(words), 2).unwrap_err();
            assert!(error.sentence.contains("neither into rounds nor into parts"), "{error}");
        }
        let part = read(&["count", "knight-loops", "8", "--part", "1/2"]);
        assert!(parts(&catalogue, &part, 2).is_err());
        let part = parts(&catalogue, &read(&["count", "knight-loops", "12"]), 2).unwrap().remove(0);
        let run = Run::new(Budget { memory: Some(1), ..Budget::default() });
        let error = answer(&catalogue, &part, &run).unwrap_err();
        assert!(error.sentence.contains("was stopped"), "{error}");
    }
}
