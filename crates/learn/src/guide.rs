//! How good an order of moves is: nodes and seconds against Warnsdorff's rule, rotations and SAT.

use std::fmt::Write;

use pessoi::Result;
use rayon::prelude::*;

use crate::case::Case;
use crate::label;
use crate::score::ratio;

/// Steps that each method may take, times a number for the boards: some hundredths of a second.
const MOST: [(&str, u64); 4] =
    [("learned", 300), ("warnsdorff", 300), ("rotations", 5000), ("sat", 5000)];

/// What one method came to on one board.
#[derive(Clone, Copy)]
struct Try {
    solved: bool,
    nodes: f64,
    seconds: f64,
}

/// Processor time of this thread where the system shows it, otherwise that of the wall.
pub fn seconds() -> f64 {
    let shown = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = shown.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(0.0, |now| now.as_secs_f64())
        },
        |ns| ns / 1e9,
    )
}

/// Compares the methods on some boards that have a tour, as rows of a table. The learned order is
/// that of the given model; methods get the usual steps so many times.
pub fn compare(title: &str, cases: &[Case], model: &str, times: u64, seed: u64) -> Result<String> {
    let tries: Result<Vec<Vec<Option<Try>>>> = cases
        .par_iter()
        .map(|case| {
            MOST.iter()
                .map(|&(method, most)| {
                    let mut question = label::find(case, method)?;
                    if method == "learned" {
                        question = question.with("model", model);
                    }
                    let begin = seconds();
                    // A method that does not suit the board is left out.
                    let Ok(found) = label::asked(&question, times * most, seed) else {
                        return Ok(None);
                    };
                    let seconds = (seconds() - begin).max(1e-5);
                    let nodes = found.answer.cost.nodes.unwrap_or(0).max(1) as f64;
                    Ok(Some(Try { solved: found.solvable.is_some(), nodes, seconds }))
                })
                .collect()
        })
        .collect();
    let tries = tries?;
    let mut table = String::new();
    for (k, (method, _)) in MOST.iter().enumerate() {
        let own: Vec<Try> = tries.iter().filter_map(|tries| tries[k]).collect();
        if own.is_empty() {
            let _ = writeln!(table, "| {title} | {method} | cannot be used | | |");
            continue;
        }
        let solved = own.iter().filter(|one| one.solved).count();
        let pairs = |of: fn(&Try) -> f64| -> Vec<(f64, f64)> {
            tries.iter().filter_map(|t| Some((of(&t[0]?), of(&t[k]?)))).collect()
        };
        let cell = |(mean, low, high): (f64, f64, f64)| format!("{mean:.2} ({low:.2}–{high:.2})");
        let nodes = match *method {
            "warnsdorff" => {
                let pairs = pairs(|one| one.nodes);
                let fewer = pairs.iter().filter(|(own, other)| own < other).count();
                format!("{}, fewer on {fewer}", cell(ratio(&pairs, seed)))
            }
            "learned" => "1".into(),
            // Their nodes are something else.
            _ => "–".into(),
        };
        let time = cell(ratio(&pairs(|one| one.seconds), seed));
        let time = if *method == "learned" { "1".to_owned() } else { time };
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| {title} | {method} | {solved} of {} | {nodes} | {time} |",
            own.len()
        );
    }
    Ok(table)
}
