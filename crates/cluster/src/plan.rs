//! Plans: what a question would cost on a cluster.

use pessoi::card::METHOD;
use pessoi::error::{Code, Result};
use pessoi::{Bytes, Catalogue, Plan, Question, Run};

use crate::parts;
use crate::work::Work;

/// Bytes that are sent for a border by `pairings`: its rank and number, its share of what is said
/// of its type, and that several places have ways to it.
const SENT: f64 = 17.0;
/// What a task has in memory for each byte of its share of what one machine takes: what came, what
/// it gathers, what it makes of that, and what it sends. Tasks claimed 1.2 to 2.2 times their share
/// on boards that were tried, and up to 4.5 times where layers are so small that places are uneven.
const HELD: f64 = 4.0;
/// What a task takes however small its share is: logs and labels.
const LEAST: f64 = 65_536.0;

/// What a task takes where one machine takes so many bytes.
fn of_a_task(bytes: f64, places: usize) -> f64 {
    HELD * bytes / places as f64 + LEAST
}

/// How a question would be answered in so many places, by the same engine as there.
pub fn plan(catalogue: &Catalogue, question: &Question, places: usize, run: &Run) -> Result<Plan> {
    let opened = match Work::open(catalogue, question, places, run) {
        Err(error)
            if error.field.as_deref() == Some("rounds") && error.code == Code::Unsupported =>
        {
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
    let takes = work.takes();
    let share = plan.bytes.map(|bytes| of_a_task(bytes, places));
    plan.bytes = takes.map(|takes| takes.place as f64 + LEAST).or(share);
    let rounds = work.rounds();
    let sent = plan.borders.filter(|_| work.method().id == "pairings");
    let sent = takes.map(|takes| takes.sent).or(sent.map(|borders| (SENT * borders) as u64));
    let shuffled = sent.map(|sent| format!(", about {} shuffled", Bytes(sent)));
    let task = plan.bytes.map(|bytes| format!("; a task takes about {}", Bytes(bytes as u64)));
    let (shuffled, task) = (shuffled.unwrap_or_default(), task.unwrap_or_default());
    Ok(plan.note(format!("On a cluster: {places} places, {rounds} rounds a pass{shuffled}{task}.")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Row;

    /// The most that a task of a place claims.
    fn taken(catalogue: &Catalogue, question: &Question, places: usize) -> u64 {
        let kept = Run::default();
        let work = Work::open(catalogue, question, places, &kept).unwrap().unwrap();
        let mut most = 0;
        let mut rows = work.begin().unwrap();
        for _ in 0..work.rounds() {
            let mut tasks: Vec<Vec<Row>> = vec![Vec::new(); places];
            rows.drain(..).for_each(|row| tasks[row.place].push(row));
            for task in tasks {
                let run = Run::default();
                let held: usize = task.iter().map(|row| row.bytes.len()).sum();
                rows.extend(work.round(task, &run).unwrap());
                most = most.max(run.peak_bytes());
                assert!(run.peak_bytes() >= held as u64 + kept.progress().bytes);
                assert_eq!(run.progress().bytes, 0, "all claims are given back");
            }
        }
        most
    }

    /// Even places and uneven ones: so narrow a board has a few types of borders only, and Go's
    /// blocks are not equal.
    #[test]
    fn tasks_take_what_plans_say() {
        let catalogue = Catalogue::standard();
        for words in [
            "count knight-tours 6x6 --closed --method pairings",
            "count diplomatico 5x5 --method pairings",
            "count king-tours 3x40 --closed --method pairings",
            "count knight-tours 5x5 --method plain-sweep",
            "count go 6x6",
            "count go 7x8",
            "count go 4x5 --method sweep",
        ] {
            let asked: Vec<&str> = words.split(' ').collect();
            let question = catalogue.read_question(&asked).unwrap();
            // How well that is predicted depends on how many layers there was time to read.
            let whole = catalogue.answer(&question, &Run::default()).unwrap();
            let whole = whole.cost.peak_bytes as f64;
            for places in [1, 5] {
                let said = if question.game == "go" && question.method().is_none() {
                    // That is not predicted, but known.
                    plan(&catalogue, &question, places, &Run::default()).unwrap().bytes.unwrap()
                } else {
                    of_a_task(whole, places)
                };
                let most = taken(&catalogue, &question, places) as f64;
                assert!(most <= said, "{words} in {places} places: {most}, and not {said}");
            }
        }
    }

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
