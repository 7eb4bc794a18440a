//! Training, and the table by which the model that is shipped was chosen.

use std::fmt::Write;

use pessoi::games::learned::{self, Choice, Judge, Model};
use pessoi::{Result, Verb};
use rayon::prelude::*;

use crate::data::{Part, Row};
use crate::draw;
use crate::label;
use crate::learners::{self, Set};
use crate::net::{self, Graph};
use crate::score::{auc, brier, calibration};

/// Boards whose tours the order is learned from.
const TOURS: usize = 150;
/// Steps for finding them.
const MOST_STEPS: u64 = 20_000;

/// A model, and the table that compares it with others.
pub struct Trained {
    /// The model.
    pub model: Model,
    /// The table, in Markdown.
    pub table: String,
}

/// The leapers of a game, as the library wants them.
pub fn leapers(game: &str) -> Vec<(i32, i32)> {
    let mut all: Vec<(i32, i32)> = draw::moves(game)
        .iter()
        .map(|&(a, b)| (a.abs().min(b.abs()) as i32, a.abs().max(b.abs()) as i32))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Trains on the rows of the part to be trained on.
pub fn train(rows: &[Row], seed: u64, provenance: &str) -> Result<Trained> {
    let features: Result<Vec<Vec<f64>>> = rows
        .par_iter()
        .map(|row| learned::features(&row.case.question(Verb::Find)?, &leapers(&row.case.game)))
        .collect();
    let features = features?;
    let is_trained: Vec<usize> = (0..rows.len()).filter(|&k| rows[k].part == Part::Train).collect();
    let set = Set {
        x: is_trained.iter().map(|&k| features[k].clone()).collect(),
        y: is_trained.iter().map(|&k| rows[k].solvable).collect(),
    };
    let base = set.y.iter().filter(|&&y| y).count() as f64 / set.y.len().max(1) as f64;
    let named = |names: &[&str]| -> Vec<usize> {
        (0..learned::FEATURES.len()).filter(|&f| names.contains(&learned::FEATURES[f])).collect()
    };
    let every: Vec<usize> = (0..learned::FEATURES.len()).collect();
    let degrees: Vec<usize> = every
        .iter()
        .copied()
        .filter(|&f| !["forced", "contradictions", "shortage"].contains(&learned::FEATURES[f]))
        .collect();
    let logistic = learners::logistic(&set, &every);
    let trees = learners::trees(&set);
    let graphs: Vec<Graph> = rows.par_iter().map(|row| Graph::new(&row.case)).collect();
    let trained: Vec<Graph> = is_trained.iter().map(|&k| Graph::new(&rows[k].case)).collect();
    let network = net::train(&trained, &set.y, seed);

    let judged =
        |judge: &Judge| features.iter().map(|x| judge.probability(x)).collect::<Vec<f64>>();
    let seen = |by: &[&str]| {
        let p = |row: &Row| if !row.solvable && by.contains(&&*row.by) { 0.0 } else { base };
        rows.iter().map(p).collect::<Vec<f64>>()
    };
    let density = learners::logistic(&set, &named(&["blocked"]));
    let by_degrees = learners::logistic(&set, &degrees);
    let compared: Vec<(&str, Vec<f64>)> = vec![
        ("inspection alone", seen(&["inspection"])),
        ("inspection and supply", seen(&["inspection", "supply"])),
        ("density alone", judged(&density)),
        ("logistic, degrees", judged(&by_degrees)),
        ("graph network", graphs.iter().map(|graph| network.probability(graph)).collect()),
        ("logistic, all features", judged(&logistic)),
        ("boosted trees, all features", judged(&trees)),
    ];
    let mut table = String::new();
    let mut metrics = serde_json::Map::new();
    for (title, parts, undecided) in [
        ("held-out boards, 8×8 to 10×10", Part::Held, false),
        ("larger boards, 12×12 and 14×14", Part::Large, false),
        ("held-out and larger boards that neither inspection nor supply decides", Part::Held, true),
    ] {
        let chosen: Vec<usize> = (0..rows.len())
            .filter(|&k| {
                let row = &rows[k];
                if undecided {
                    row.part != Part::Train && !["inspection", "supply"].contains(&&*row.by)
                } else {
                    row.part == parts
                }
            })
            .collect();
        let y: Vec<bool> = chosen.iter().map(|&k| rows[k].solvable).collect();
        let yes = y.iter().filter(|&&y| y).count();
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| {title}: {} with a tour, {} without | AUC | Brier | calibration |\n|---|---|---|---|",
            yes,
            y.len() - yes
        );
        for (name, p) in &compared {
            let p: Vec<f64> = chosen.iter().map(|&k| p[k]).collect();
            let (a, b, c) = (auc(&p, &y), brier(&p, &y), calibration(&p, &y));
            let _ = writeln!(table, "| {name} | {a:.3} | {b:.4} | {c:.3} |");
            if *name == "boosted trees, all features" {
                metrics.insert(title.to_owned(), serde_json::json!({"auc": round(a), "brier": round(b), "calibration": round(c)}));
            }
        }
        table.push('\n');
    }
    let order = order(rows, seed)?;
    let provenance = serde_json::json!({
        "command": provenance,
        "boards": {"trained": is_trained.len(), "all": rows.len()},
        "judge": "boosted trees, all features",
        "metrics": metrics,
    });
    // Written with few digits, and judged as written.
    let model = Model::new(rounded(trees), order.into_iter().map(round).collect(), provenance);
    Ok(Trained { model, table })
}

fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

fn rounded(judge: Judge) -> Judge {
    use learned::Node;
    match judge {
        Judge::Trees { bias, trees } => {
            let node = |node: Node| match node {
                Node::Leaf { value } => Node::Leaf { value: round(value) },
                Node::Split { feature, most, left, right } => {
                    Node::Split { feature, most: round(most), left, right }
                }
            };
            let trees = trees.into_iter().map(|tree| tree.into_iter().map(node).collect());
            Judge::Trees { bias: round(bias), trees: trees.collect() }
        }
        logistic @ Judge::Logistic { .. } => logistic,
    }
}

/// The weights of the order, from tours of boards that are trained on.
fn order(rows: &[Row], seed: u64) -> Result<Vec<f64>> {
    let solvable: Vec<&Row> = rows
        .iter()
        .filter(|row| row.part == Part::Train && row.solvable)
        .take(4 * TOURS)
        .step_by(4)
        .collect();
    let choices: Result<Vec<Vec<Choice>>> = solvable
        .into_par_iter()
        .map(|row| {
            let found = label::label(&row.case, "auto", MOST_STEPS, seed)?;
            let Some(solution) = found.answer.solutions.first() else { return Ok(Vec::new()) };
            let tour = solution.figure.path().to_vec();
            learned::choices(&row.case.question(Verb::Find)?, &leapers(&row.case.game), &tour)
        })
        .collect();
    let choices: Vec<Choice> = choices?.into_iter().flatten().collect();
    Ok(learners::conditional(&choices, learned::SIGNS.len()))
}
