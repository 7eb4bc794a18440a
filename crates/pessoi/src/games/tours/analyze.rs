//! What can be said of a board without solving it; and, if asked, what its solutions have in
//! common and how large the search for them is.

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use super::learned::{FEATURES, Model, features};
use super::options::{self, BOUNDS, MODEL, PIECES, PREDICT, PROFILE, SOLUTIONS};
use super::pieces::AtLeast;
use super::task::Task;
use super::{Tour, Work, bounds, estimate, pieces, profile, proofs, supply, tiling};
use crate::answer::{Answer, Limit, Subject, Value};
use crate::board::symmetries::group_name;
use crate::error::{Error, Result};
use crate::job::Events;
use crate::plan::Plan;
use crate::question::Question;
use crate::table::{Datum, DatumKind, Table};

/// What the answer is about.
const ANALYSIS: Subject = Subject::measure("analysis", "the board and its moves");

/// What is to be looked at.
pub(super) struct Analysis {
    solutions: bool,
    profile: bool,
    /// The cells of a piece at most, if a lower bound is wanted.
    pieces: Option<usize>,
    /// What predicts, if that was asked for.
    model: Option<Model>,
}

impl Analysis {
    /// Reads the options.
    pub(super) fn new(question: &Question, task: &Task) -> Result<Self> {
        let model = if question.flag(&PREDICT) {
            // Where a closed path begins does not matter.
            if task.has_inner_clues() || (task.closed && task.fixed().count() > 1) {
                return Err(Error::conflict(
                    PREDICT.name,
                    "--predict takes boards without clues, where no number is fixed but the first \
                     and the last of an open path; models know nothing of other numbers.",
                ));
            }
            Some(question.text(&MODEL).map_or_else(Model::shipped, Model::read)?)
        } else {
            None
        };
        let cells = question.number(&PIECES).unwrap_or(1) as usize;
        Ok(Analysis {
            solutions: question.flag(&SOLUTIONS),
            profile: question.flag(&PROFILE),
            pieces: question.flag(&BOUNDS).then_some(cells),
            model,
        })
    }
}

impl Work for Analysis {
    fn subject(&self, _: &Task, _: &Value) -> Option<Subject> {
        Some(ANALYSIS)
    }

    fn solves(&self) -> bool {
        false
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        if !self.solutions && !self.profile {
            return Ok(at.plan(&options::ANALYSIS, "nothing needs to be solved"));
        }
        let why = "every solution must be visited";
        Ok(profile::planned(at.plan(&options::ANALYSIS, why), at, self.solutions, self.profile))
    }

    fn answer(&self, at: &Tour, _: &mut dyn Events) -> Result<Answer> {
        let (task, run) = (at.task, at.run());
        let mut answer = at.asked.answer(&ANALYSIS, Value::Described {}, &options::ANALYSIS);
        describe(&mut answer, task);
        at_most(&mut answer, task);
        if let Some(cells) = self.pieces {
            at_least(&mut answer, at, cells);
        }
        paper(&mut answer, at);
        if let Some(model) = &self.model {
            predict(&mut answer, task, model);
        }
        answer.tables.push(degrees(task));
        answer.tables.extend(cut_cells(task));
        match profile::scores(task, run) {
            Ok((table, plays)) => {
                answer.fact("plays", "plays of each kind", plays);
                answer.tables.push(table);
            }
            Err(stop) => answer.notes.push(format!("There was no time for plays: {stop}.")),
        }
        answer.seed = Some(run.budget().seed);
        if self.solutions {
            let usage = profile::usage(at).unwrap_or_else(|stopped| {
                answer.notes.push(format!("Not all solutions were visited: {}.", stopped.why));
                answer.value = Value::gave_up(stopped.why);
                stopped.so_far
            });
            profile::describe(&mut answer, &usage, task);
            answer.cost.nodes = Some(run.progress().handled);
        }
        if self.profile {
            let table = profile::tree(at).unwrap_or_else(|stopped| {
                let why = stopped.why;
                answer.notes.push(format!("Not all of the search tree was walked: {why}."));
                answer.value = Value::gave_up(why);
                stopped.so_far
            });
            answer.tables.push(table);
            answer.cost.nodes = Some(run.progress().handled);
        }
        answer.cost.seconds = run.elapsed().as_secs_f64();
        answer.cost.peak_bytes = run.peak_bytes();
        Ok(answer)
    }
}

/// Cells, moves, colours, symmetries, and simple proofs.
fn describe(answer: &mut Answer, task: &Task) {
    let graph = &task.graph;
    answer.fact("cells", "cells", graph.len());
    answer.fact("moves", "moves, undirected", graph.edges().count());
    answer.fact("parts", "connected parts", graph.parts().len());
    answer.fact("cut-cells", "cut cells", graph.cut_cells().len());
    let colours = graph.colours();
    answer.fact("alternates", "moves alternate between two colours", colours.is_some());
    if let Some(colours) = colours {
        let dark = colours.iter().filter(|&&dark| dark).count();
        answer.fact("light-cells", "cells of the first colour", graph.len() - dark);
        answer.fact("dark-cells", "cells of the second colour", dark);
    }
    let symmetries = task.board.symmetries();
    answer.fact("symmetries", "symmetries of the board", symmetries.len());
    answer.fact("symmetry-group", "their group", group_name(&symmetries));
    for (id, text, closed) in
        [("open-path", "open path", false), ("closed-path", "closed path", true)]
    {
        let mut asked = task.clone();
        asked.closed = closed;
        let proof = proofs::none(&asked);
        let ruled_out = format!("{text} ruled out by inspection");
        answer.fact(&format!("{id}-ruled-out"), &ruled_out, proof.is_some());
        if let Some(proof) = proof {
            answer.fact(&format!("{id}-proof"), &format!("no {text}, because"), proof.sentence);
        }
    }
}

/// How many tours there are at most, proved.
fn at_most(answer: &mut Answer, task: &Task) {
    let most = bounds::at_most(task);
    for (id, how, ln) in [
        ("log10-most-by-degrees", "by the degrees of cells (Brègman)", most.by_degrees),
        ("log10-most-by-reading", "by reading cells in random order", most.by_reading),
    ] {
        // Without any tour there is no logarithm; inspection says why there is none.
        if ln.is_finite() {
            let text = format!("log10 of the number of {}, at most, {how}", task.subject().text);
            let log10 = ln / LN_10;
            // A whole number that is less than two is one at most.
            let log10 = if (0.0..0.3).contains(&log10) { 0.0 } else { log10 };
            answer.fact(id, &text, Datum::at_most(log10));
        }
    }
}

/// How many tours there are at least, proved.
fn at_least(answer: &mut Answer, at: &Tour, most_cells: usize) {
    let text = format!(
        "log10 of the number of {}, at least, by pieces visited in turn",
        at.task.subject().text
    );
    let AtLeast { ln, stopped, too_dear } = pieces::at_least(at.task, most_cells, at.run());
    if let Some(ln) = ln {
        // There is one at least; and dividing errs by less than this.
        let log10 = (ln / LN_10 * (1.0 - 1e-12)).max(0.0);
        answer.fact("log10-least-by-pieces", &text, Datum::at_least(log10));
    }
    if too_dear > 0 {
        answer.notes.push(format!(
            "{too_dear} ways to cut the board were left out: counting the paths of a piece takes more \
             than {} steps. Smaller pieces (--pieces) take less, and with --time that is the only \
             limit.",
            pieces::MOST_STEPS
        ));
    }
    if let Some(stop) = stopped {
        let why = Limit::from(stop);
        let known = if ln.is_some() { "A better" } else { "A" };
        answer.notes.push(format!("{known} lower bound by pieces was not looked for: {why}."));
        answer.value = Value::gave_up(why);
    } else if ln.is_none() && too_dear == 0 {
        answer.notes.push(
            "There is no lower bound by pieces: numbers are fixed, or no tour visits the pieces of \
             this board in turn."
                .into(),
        );
    }
}

/// What is known of the number of paths where the paper's lemmas apply.
fn paper(answer: &mut Answer, at: &Tour) {
    let (task, run) = (at.task, at.run());
    let Ok(Some(least)) = tiling::lower_bound(task, run) else { return };
    let (rows, cols) = (task.board.rows() as f64, task.board.cols() as f64);
    if let Some(found) = estimate::glance(task, run) {
        answer.fact(
            "log10-paths-estimated",
            "decimal logarithm of the number of directed open paths, estimated",
            found.log10(),
        );
        answer.fact(
            "relative-error",
            "standard error of that number, as a share of it",
            found.relative_error,
        );
    }
    // The sum of a few logarithms errs by less than this.
    let least = Datum::at_least((least * (1.0 - 1e-12)).max(0.0));
    answer.fact("log10-paths-tiled", "at least, proved by tiling", least);
    answer.fact(
        "log10-paths-paper-least",
        "at least, by the paper's Proposition II.2 (its proof has a gap at 5×7 and 7×5 tiles)",
        (rows - 4.0) * (cols - 4.0) / 25.0 * 2f64.log10(),
    );
    answer.fact(
        "log10-paths-paper-most",
        "below, by the paper's Proposition II.2",
        (rows * cols - 1.0) * 7f64.log10(),
    );
}

/// What a model says of the tour that was asked for. It stands beside what is proved, and
/// never in its place.
fn predict(answer: &mut Answer, task: &Task, model: &Model) {
    let seen = features::of(task);
    let proved_by = if proofs::none(task).is_some() {
        Some("inspection")
    } else {
        supply::none(task).map(|_| "short supply of moves")
    };
    let probability = if proved_by.is_some() { 0.0 } else { model.judge.probability(&seen) };
    answer.fact(
        "predicted-probability",
        if task.closed {
            "probability of a closed path, predicted"
        } else {
            "probability of an open path, predicted"
        },
        probability,
    );
    answer.fact("model", "model", model.origin());
    answer.notes.push(match proved_by {
        Some(proof) => format!(
            "The probability is 0 because {proof} proves that there is none; nothing was predicted."
        ),
        None => {
            "The probability is a prediction from boards alike and proves nothing; find proves."
                .into()
        }
    });
    if proved_by.is_none() && !model.knows(task.leapers()) {
        answer.notes.push(format!(
            "The model was not trained on such moves, but on those of {}.",
            model.provenance.moves.join(", ")
        ));
    }
    let mut table = Table::new(
        "features",
        "What the prediction looks at",
        &[("feature", "feature", DatumKind::Text), ("value", "value", DatumKind::Float)],
    );
    for (name, value) in FEATURES.iter().zip(seen) {
        table.push([(*name).into(), value.into()]);
    }
    answer.tables.push(table);
}

fn degrees(task: &Task) -> Table {
    let mut degrees = BTreeMap::new();
    for cell in 0..task.len() as u32 {
        *degrees.entry(task.graph.degree(cell)).or_insert(0u64) += 1;
    }
    let mut table = Table::new(
        "degrees",
        "Cells by number of moves",
        &[("moves", "moves", DatumKind::Integer), ("cells", "cells", DatumKind::Integer)],
    );
    for (moves, cells) in degrees {
        table.push([moves.into(), cells.into()]);
    }
    table
}

/// The cells whose removal cuts the board in two; nothing if there are none.
fn cut_cells(task: &Task) -> Option<Table> {
    let cuts = task.graph.cut_cells();
    let mut table = Table::new("cut-cells", "Cut cells", &[("cell", "cell", DatumKind::Cell)]);
    for cut in &cuts {
        table.push([task.board.cell(*cut as usize).into()]);
    }
    (!cuts.is_empty()).then_some(table)
}
