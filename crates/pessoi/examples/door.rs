//! A whole door: it reads orders from standard input, one JSON object a line, and answers any
//! question of any game in any format, with plans, progress and cancelling.
//!
//!     {"ask": {"verb": "count", "game": "go", "place": "5x5"}, "format": "json", "seconds": 10}
//!     {"plan": {"verb": "count", "game": "go", "place": "9x9"}}
//!     {"cancel": true}
//!
//! Try: echo '{"ask":{"verb":"find","game":"diplomatico","place":"5x5"}}' |
//!      cargo run --release --example door

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use pessoi::{Budget, Catalogue, Error, Question, Run, Style};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    ask: Option<Question>,
    plan: Option<Question>,
    cancel: Option<bool>,
    format: Option<String>,
    seconds: Option<f64>,
}

/// The run that is under way, which other threads watch and cancel.
type Current = Arc<Mutex<Option<Run>>>;

fn main() {
    let current: Current = Arc::default();
    let (orders, waiting) = mpsc::channel::<Order>();
    let worker = std::thread::spawn({
        let current = current.clone();
        move || {
            let catalogue = Catalogue::standard();
            for order in waiting {
                if let Err(error) = carry_out(&catalogue, &order, &current) {
                    say(&serde_json::json!({ "error": error }));
                }
                set(&current, None);
            }
        }
    });
    std::thread::spawn({
        let current = current.clone();
        move || {
            loop {
                std::thread::sleep(Duration::from_millis(500));
                if let Some(run) = get(&current) {
                    let progress = run.progress();
                    say(&serde_json::json!({ "stage": progress.stage, "steps": progress.steps }));
                }
            }
        }
    });
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match serde_json::from_str::<Order>(&line) {
            Ok(Order { cancel: Some(true), .. }) => {
                if let Some(run) = get(&current) {
                    run.cancel();
                }
            }
            // The worker listens until there are no more orders.
            Ok(order) => drop(orders.send(order)),
            Err(error) => say(&serde_json::json!({ "error": Error::input(error.to_string()) })),
        }
    }
    drop(orders);
    // If the worker failed it has said so.
    let _ = worker.join();
}

fn carry_out(catalogue: &Catalogue, order: &Order, current: &Current) -> pessoi::Result<()> {
    let time = order.seconds.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|error| Error::option("seconds", format!("{error}.")))?;
    let run = Run::new(Budget { time, ..Budget::default() });
    set(current, Some(run.clone()));
    if let Some(question) = &order.plan {
        say(&serde_json::json!({ "plan": catalogue.plan(question, &run)? }));
    }
    if let Some(question) = &order.ask {
        let card = catalogue.game(&question.game)?.card();
        let id = order.format.as_deref().unwrap_or("text");
        let format = catalogue.format(card, question.verb, id)?;
        let mut out = std::io::stdout();
        let written = catalogue.write(question, &run, format, &Style::default(), &mut out)?;
        say(&serde_json::json!({ "done": written.answer.value, "aside": written.aside }));
    }
    Ok(())
}

fn say(what: &serde_json::Value) {
    // If nobody reads any more there is nobody to tell.
    let _ = writeln!(std::io::stdout(), "{what}");
}

fn get(current: &Current) -> Option<Run> {
    current.lock().ok()?.clone()
}

fn set(current: &Current, run: Option<Run>) {
    if let Ok(mut place) = current.lock() {
        *place = run;
    }
}
