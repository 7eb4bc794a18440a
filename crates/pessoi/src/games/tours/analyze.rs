//! What can be said of a board without solving it.

use std::collections::BTreeMap;

use super::task::Task;
use super::{Asked, guess, profile, proofs, tiling};
use crate::answer::{Answer, Table, Value};
use crate::board::symmetries::group_name;
use crate::export::Graph;

/// Answers `analyze`.
pub(super) fn analyze(asked: &Asked) -> Answer {
    let Asked { question, task, run } = asked;
    let graph = &task.graph;
    let mut degrees = BTreeMap::new();
    for cell in 0..graph.len() as u32 {
        *degrees.entry(graph.degree(cell)).or_insert(0u64) += 1;
    }
    let mut by_degree = Table::new("Cells by number of moves", &["moves", "cells"]);
    by_degree.rows = degrees.iter().map(|(d, n)| vec![d.to_string(), n.to_string()]).collect();

    let mut facts = Table::new("The board and its moves", &["what", "value"]);
    let mut fact = |what: &str, value: String| facts.rows.push(vec![what.to_owned(), value]);
    fact("cells", graph.len().to_string());
    fact("moves, undirected", graph.edges().count().to_string());
    fact("connected parts", graph.parts().len().to_string());
    let cuts: Vec<String> =
        graph.cut_cells().iter().map(|&c| task.board.cell(c as usize).to_string()).collect();
    fact("cut cells", if cuts.is_empty() { "none".into() } else { cuts.join(" ") });
    fact(
        "colours",
        match graph.colours() {
            None => "moves do not alternate between two colours".into(),
            Some(colours) => {
                let dark = colours.iter().filter(|&&dark| dark).count();
                format!("moves alternate between {} and {dark} cells", graph.len() - dark)
            }
        },
    );
    let symmetries = task.board.symmetries();
    fact("symmetries of the board", format!("{} ({})", symmetries.len(), group_name(&symmetries)));
    for (what, closed) in [("open path", false), ("closed path", true)] {
        let mut asked = Task::clone(task);
        asked.closed = closed;
        let verdict = proofs::none(&asked);
        let verdict = verdict.map_or("not ruled out by inspection".into(), |proof| {
            format!("none: {}", proof.sentence)
        });
        fact(what, verdict);
    }

    if let Ok(Some(least)) = tiling::lower_bound(task, run) {
        let (rows, cols) = (task.board.rows() as f64, task.board.cols() as f64);
        let paper =
            ((rows - 4.0) * (cols - 4.0) / 25.0 * 2f64.log10(), (rows * cols - 1.0) * 7f64.log10());
        if let Some((mean, error)) = guess::glance(task, run) {
            fact(
                "directed open paths, estimated",
                format!("10^{:.2} ± {error:.0} %", mean.log10()),
            );
        }
        fact("directed open paths by tiling, proved", format!("at least 10^{least:.2}"));
        fact(
            "by the paper's Proposition II.2",
            format!(
                "at least 10^{:.2} (its proof has a gap at 5×7 and 7×5 tiles), below 10^{:.2}",
                paper.0, paper.1
            ),
        );
    }

    let counts = "cells of the board";
    let mut answer = Answer::new(question, Value::exact(graph.len()), counts, "inspection", run);
    answer.tables = vec![facts, by_degree];
    match profile::scores(task, run) {
        Ok(table) => answer.tables.push(table),
        Err(stop) => answer.notes.push(format!("There was no time for plays: {stop}.")),
    }
    answer.seed = Some(run.budget().seed);
    if question.flag("solutions") {
        let usage = profile::usage(asked).unwrap_or_else(|stopped| {
            let why = stopped.why;
            answer.notes.push(format!("Not all solutions were visited: {why}."));
            answer.value = Value::stopped(graph.len(), &why);
            stopped.so_far
        });
        answer.tables.extend(profile::tables(&usage, task));
        answer.cost.nodes = Some(run.progress().handled);
    }
    if question.flag("profile") {
        answer.tables.push(profile::tree(asked).unwrap_or_else(|stopped| {
            let why = stopped.why;
            answer.notes.push(format!("Not all of the search tree was walked: {why}."));
            answer.value = Value::stopped(graph.len(), &why);
            stopped.so_far
        }));
        answer.cost.nodes = Some(run.progress().handled);
    }
    answer.cost.seconds = run.elapsed().as_secs_f64();
    answer
}

/// Answers `export`.
pub(super) fn export(asked: &Asked) -> Answer {
    let Asked { question, task, run } = asked;
    let graph = Graph {
        name: format!("{} {}", question.game, question.place),
        nodes: task.board.cells().iter().map(ToString::to_string).collect(),
        edges: task.graph.edges().collect(),
        labels: Vec::new(),
        directed: false,
        closed: task.closed,
        fixed: (1..=task.len())
            .filter_map(|number| Some((number as u32, task.cell_of(number)?)))
            .collect(),
    };
    let value = Value::exact(graph.edges.len());
    let mut answer = Answer::new(question, value, "undirected moves", "inspection", run);
    answer.graph = Some(graph);
    answer
}
