//! Plans: what a question would cost on a cluster.

use pessoi::card::METHOD;
use pessoi::error::Result;
use pessoi::{Bytes, Catalogue, Plan, Question, Run};

use crate::parts;
use crate::work::Work;

/// Bytes that are sent for a border by `pairings`: its rank and number, its share of what is said
/// of its type, and that several places have ways to it.
const SENT: f64 = 17.0;
/// What a task has in memory for each byte of its share of the largest layer: what came, what it
/// gathers, what it makes of that, and what it sends. Reckoned, not measured.
const HELD: f64 = 4.0;

/// How a question would be answered in so many places, by the same engine as there.
pub fn plan(catalogue: &Catalogue, question: &Question, places: usize, run: &Run) -> Result<Plan> {
    let opened = match Work::open(catalogue, question, places) {
        Err(error) if error.field.as_deref() == Some("rounds") => {
            parts::parts(catalogue, question, places as u64)?;
            let plan = catalogue.plan(question, run)?;
            return Ok(plan.note(format!(
                "It does not fall into rounds: it is asked in {places} parts, each of which costs \
                 about its share of this, and they are merged."
            )));
        }
        opened => opened?,
    };
    let Some(work) = opened else {
        return Ok(catalogue.plan(question, run)?.note("It is answered at once, by the driver."));
    };
    let mut asked = question.clone();
    let menu = catalogue.menu(catalogue.game(&question.game)?.card(), question.verb);
    asked.set(&menu, METHOD, work.method().id)?;
    let mut plan = Plan { question: question.clone(), ..catalogue.plan(&asked, run)? };
    if question.method().is_none() {
        "it falls into rounds".clone_into(&mut plan.why);
    }
    // One machine's, and that of one machine's whole layer.
    plan.seconds = None;
    plan.bytes = plan.bytes.map(|bytes| HELD * bytes / places as f64);
    let rounds = work.rounds();
    let shuffled = plan
        .borders
        .filter(|_| work.method().id == "pairings")
        .map(|borders| format!(", about {} shuffled", Bytes((SENT * borders) as u64)));
    let task = plan.bytes.map(|bytes| format!("; a task takes about {}", Bytes(bytes as u64)));
    let (shuffled, task) = (shuffled.unwrap_or_default(), task.unwrap_or_default());
    Ok(plan.note(format!("On a cluster: {places} places, {rounds} rounds a pass{shuffled}{task}.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_name_the_engine_and_the_shape() {
        let catalogue = Catalogue::standard();
        for (words, method, note) in [
            ("count knight-tours 6x6 --closed", "pairings", "On a cluster: 4 places, 25 rounds"),
            ("count go 6x6", "matrix", "On a cluster: 4 places, 11 rounds"),
            ("count go 2x2", "table", "answered at once"),
            ("count knight-loops 8", "orderly", "asked in 4 parts"),
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            let question = catalogue.read_question(&words).unwrap();
            let plan = plan(&catalogue, &question, 4, &Run::default()).unwrap();
            assert_eq!(plan.method.id, method);
            assert_eq!(plan.question, question);
            assert!(plan.notes.iter().any(|known| known.contains(note)), "{:?}", plan.notes);
        }
    }
}
