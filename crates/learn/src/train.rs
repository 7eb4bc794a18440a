//! Training, and the table by which the model that is shipped is chosen.
//!
//! A board that a *proof* decides, by inspection or by short supply, needs no prediction, and
//! `analyze --predict` makes none. So all learners are trained on the boards that are left, and all
//! are judged with the proofs first: 0 where a proof says that there is no tour, and otherwise
//! what the learner says. The baselines say the share of boards with a tour among those that are
//! left. A model is rounded as its file is before it is judged.

use std::collections::BTreeMap;
use std::fmt::Write;

use pessoi::games::learned::{self, Choice, Judge, Model, Provenance, Scores};
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

/// The engines whose proofs need no prediction.
const PROOFS: &[&str] = &["inspection", "supply"];
/// A model is within a hair of the best if its squared error is larger by this share at most, on the
/// boards that no proof decides.
const HAIR: f64 = 0.05;

/// Whether one of these engines proves that there is no tour.
fn is_decided(row: &Row, by: &[&str]) -> bool {
    !row.solvable && by.contains(&&*row.by)
}

/// The share of boards with a tour among those to be trained on that these engines leave open; and
/// 0 where they do not.
fn baseline(rows: &[Row], by: &[&str]) -> Vec<f64> {
    let left = || rows.iter().filter(|row| row.part == Part::Train && !is_decided(row, by));
    let share = left().filter(|row| row.solvable).count() as f64 / left().count().max(1) as f64;
    rows.iter().map(|row| if is_decided(row, by) { 0.0 } else { share }).collect()
}

/// Trains on the rows of the part to be trained on.
pub fn train(rows: &[Row], seed: u64, command: &str) -> Result<Trained> {
    let features: Result<Vec<Vec<f64>>> = rows
        .par_iter()
        .map(|row| learned::features(&row.case.question(Verb::Find)?, &leapers(&row.case.game)))
        .collect();
    let features = features?;
    let is_trained: Vec<usize> = (0..rows.len())
        .filter(|&k| rows[k].part == Part::Train && !is_decided(&rows[k], PROOFS))
        .collect();
    let set = Set {
        x: is_trained.iter().map(|&k| features[k].clone()).collect(),
        y: is_trained.iter().map(|&k| rows[k].solvable).collect(),
    };
    let all_but = |left_out: &[&str]| -> Vec<usize> {
        let names = learned::FEATURES.iter().enumerate();
        names.filter(|(_, name)| !left_out.contains(name)).map(|(f, _)| f).collect()
    };
    let density = learned::FEATURES.iter().position(|&name| name == "blocked").into_iter();
    // From the simplest on.
    let judges: Vec<(&str, Judge)> = vec![
        ("density alone", learners::logistic(&set, &density.collect::<Vec<_>>())),
        (
            "logistic, degrees",
            learners::logistic(&set, &all_but(&["forced", "contradictions", "shortage"])),
        ),
        ("logistic, all features", learners::logistic(&set, &all_but(&[]))),
        ("boosted trees, all features", learners::trees(&set)),
    ];
    let judges: Vec<(&str, Judge)> =
        judges.into_iter().map(|(name, judge)| (name, rounded(judge))).collect();
    let graphs: Vec<Graph> = rows.par_iter().map(|row| Graph::new(&row.case)).collect();
    let trained: Vec<Graph> = is_trained.iter().map(|&k| Graph::new(&rows[k].case)).collect();
    let network = net::train(&trained, &set.y, seed);

    let proofs_first = |p: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let p = |k: usize| if is_decided(&rows[k], PROOFS) { 0.0 } else { p(k) };
        (0..rows.len()).map(p).collect()
    };
    let mut compared: Vec<(&str, Vec<f64>)> = vec![
        ("inspection alone", baseline(rows, &["inspection"])),
        ("inspection and supply", baseline(rows, PROOFS)),
    ];
    for (name, judge) in &judges {
        compared.push((name, proofs_first(&|k| judge.probability(&features[k]))));
    }
    compared.push(("graph network", proofs_first(&|k| network.probability(&graphs[k]))));

    let is_in = |title: &str, row: &Row| match title {
        HELD => row.part == Part::Held,
        LARGER => row.part == Part::Large,
        _ => row.part != Part::Train && !is_decided(row, PROOFS),
    };
    let mut table = String::new();
    let mut all_scores: BTreeMap<&str, BTreeMap<String, Scores>> = BTreeMap::new();
    for title in [HELD, LARGER, UNDECIDED] {
        let chosen: Vec<usize> = (0..rows.len()).filter(|&k| is_in(title, &rows[k])).collect();
        let y: Vec<bool> = chosen.iter().map(|&k| rows[k].solvable).collect();
        let yes = y.iter().filter(|&&y| y).count();
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| {title}: {yes} with a tour, {} without | AUC | Brier | calibration |\n|---|---|---|---|",
            y.len() - yes
        );
        for (name, p) in &compared {
            let p: Vec<f64> = chosen.iter().map(|&k| p[k]).collect();
            let [auc, brier, calibration] = [auc(&p, &y), brier(&p, &y), calibration(&p, &y)];
            let _ = writeln!(table, "| {name} | {auc:.3} | {brier:.4} | {calibration:.3} |");
            let [auc, brier, calibration] = [auc, brier, calibration].map(round);
            let scores = Scores { auc, brier, calibration };
            all_scores.entry(name).or_default().insert(title.to_owned(), scores);
        }
        table.push('\n');
    }
    let error = |name: &str| all_scores[name][UNDECIDED].brier;
    let best = all_scores.keys().map(|name| error(name)).fold(f64::MAX, f64::min);
    let within = |(name, _): &(&str, Judge)| error(name) <= best * (1.0 + HAIR);
    // If only the network is, the most accurate of those that can be written.
    let chosen = judges.iter().position(within).unwrap_or_else(|| {
        (0..judges.len())
            .min_by(|&a, &b| error(judges[a].0).total_cmp(&error(judges[b].0)))
            .unwrap_or(0)
    });
    let (name, judge) = judges[chosen].clone();
    let _ = writeln!(table, "Shipped: {name}.");
    let mut games: Vec<&str> = rows.iter().map(|row| &*row.case.game).collect();
    games.sort_unstable();
    games.dedup();
    let moves = games.into_iter().map(|game| {
        let each = leapers(game).into_iter().map(|(a, b)| format!("({a},{b})"));
        each.collect::<Vec<_>>().join("+")
    });
    let provenance = Provenance {
        command: command.to_owned(),
        moves: moves.collect(),
        trained: is_trained.len(),
        judge: name.to_owned(),
        metrics: all_scores.remove(name).unwrap_or_default(),
    };
    let order = order(rows, seed)?.into_iter().map(round).collect();
    Ok(Trained { model: Model::new(judge, order, provenance), table })
}

const HELD: &str = "held-out boards, 8×8 to 10×10";
const LARGER: &str = "larger boards, 12×12 and 14×14";
/// The table that decides which model is shipped.
const UNDECIDED: &str = "held-out and larger boards that neither inspection nor supply decides";

fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// With few digits, as it is written.
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
        Judge::Logistic { bias, weights } => {
            Judge::Logistic { bias: round(bias), weights: weights.into_iter().map(round).collect() }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;

    #[test]
    fn a_baseline_says_the_share_among_the_boards_that_are_left() {
        let row = |part: Part, solvable: bool, by: &str| Row {
            part,
            solvable,
            by: by.to_owned(),
            steps: 0,
            case: Case::full("knight-tours", true, 3, 3),
        };
        let rows = [
            row(Part::Train, true, "rotations"),
            row(Part::Train, false, "sat"),
            row(Part::Train, false, "supply"),
            row(Part::Train, false, "inspection"),
            row(Part::Held, true, "sat"),
            row(Part::Held, false, "supply"),
        ];
        let third = 1.0 / 3.0;
        assert_eq!(baseline(&rows, &["inspection"]), [third, third, third, 0.0, third, third]);
        assert_eq!(baseline(&rows, PROOFS), [0.5, 0.5, 0.0, 0.0, 0.5, 0.0]);
    }
}
