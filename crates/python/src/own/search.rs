//! Searches.

use std::sync::Arc;

use pessoi::{Run, Stop};
use pessoi_engine::ledger::Chapter;
use pessoi_engine::search::{Advance, Estimate, Outlook, Probing, Search, Walk, estimate};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBool, PyListMethods};

use super::{Known, Trouble, inconsistent, listed, run, same, settled, short};
use crate::job::drive;

/// What Python said of a node.
enum Looked {
    Solved,
    Steps(Vec<u64>),
}

struct OwnSearch {
    game: Py<PyAny>,
    shared: Arc<Shared>,
    /// What was said of each node on the way down, as Python said it.
    said: Vec<Py<PyAny>>,
    depth: usize,
    /// Whether it is a copy, which nobody else holds.
    is_copy: bool,
}

/// A search is left where it began, also when it ends inside the tree: at a limit, or when enough
/// was found. The game is the user's, who may ask it again.
impl Drop for OwnSearch {
    fn drop(&mut self) {
        while self.depth > 0 && !self.is_copy && !self.shared.trouble.is_there() {
            self.depth -= 1;
            let undo = |py: Python<'_>| self.game.bind(py).call_method0("undo").map(drop);
            self.shared.trouble.guard((), undo);
        }
    }
}

struct Shared {
    steps: Known,
    trouble: Trouble,
}

impl OwnSearch {
    fn new(game: &Bound<'_, PyAny>, run: &Run) -> Self {
        let shared = Shared { steps: Known::new(game.py()), trouble: Trouble::new(run) };
        let (game, said) = (game.clone().unbind(), Vec::new());
        OwnSearch { game, shared: Arc::new(shared), said, depth: 0, is_copy: false }
    }

    /// Asks what the present node is: a truth value, or a list of steps.
    fn ask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let said = self.game.bind(py).call_method0("look")?;
        if said.is_instance_of::<PyBool>() {
            return Ok(said);
        }
        if said.is_none() || said.try_iter().is_err() {
            let sentence = format!(
                "look() gives True at a solution, or else the steps that lead on; it gave {}.",
                short(&said)?
            );
            return Err(inconsistent(py, "look", sentence));
        }
        Ok(listed(&said)?.into_any())
    }

    fn looked(&mut self, py: Python<'_>) -> PyResult<Looked> {
        let said = self.ask(py)?;
        self.said.truncate(self.depth);
        self.said.push(said.clone().unbind());
        if let Ok(is_solved) = said.cast::<PyBool>() {
            return Ok(if is_solved.is_true() {
                Looked::Solved
            } else {
                Looked::Steps(Vec::new())
            });
        }
        let steps = listed(&said)?;
        let steps = steps.iter().map(|step| self.shared.steps.number(&step));
        let steps: Vec<u64> = steps.collect::<PyResult<_>>()?;
        let mut sorted = steps.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let twice = short(&self.shared.steps.object(py, pair[0])?)?;
            let sentence = format!("look() gives every step once; it gave {twice} twice.");
            return Err(inconsistent(py, "look", sentence));
        }
        Ok(Looked::Steps(steps))
    }

    /// Refuses an `undo` that did not bring back the node above.
    fn undone(&mut self, py: Python<'_>) -> PyResult<()> {
        self.game.bind(py).call_method0("undo")?;
        self.depth = self.depth.saturating_sub(1);
        let Some(before) = self.said.get(self.depth) else { return Ok(()) };
        same(py, "undo", "After undo(), look()", before.bind(py), &self.ask(py)?)
    }
}

/// A copy of its own, made by Python.
impl Clone for OwnSearch {
    fn clone(&self) -> Self {
        let copy = |py: Python<'_>| {
            let copied = py.import("copy")?.call_method1("deepcopy", (&self.game,))?;
            let said = self.said.iter().map(|said| said.clone_ref(py)).collect();
            Ok(Some((copied.unbind(), said)))
        };
        let (game, said) = self.shared.trouble.guard(None, copy).unwrap_or_else(|| {
            // The run is over; nothing more is asked.
            Python::attach(|py| (self.game.clone_ref(py), Vec::new()))
        });
        OwnSearch { game, shared: self.shared.clone(), said, depth: self.depth, is_copy: true }
    }
}

impl Search for OwnSearch {
    type Step = u64;
    type Solution = Option<Py<PyAny>>;

    fn look(&mut self, steps: &mut Vec<u64>) -> Outlook {
        let shared = self.shared.clone();
        match shared.trouble.guard(Looked::Steps(Vec::new()), |py| self.looked(py)) {
            Looked::Solved => Outlook::Solved,
            Looked::Steps(found) if found.is_empty() => Outlook::Dead,
            Looked::Steps(found) => {
                steps.extend(found);
                Outlook::Branch
            }
        }
    }

    fn take(&mut self, step: u64) {
        self.depth += 1;
        self.shared.trouble.guard((), |py| {
            let step = self.shared.steps.object(py, step)?;
            self.game.bind(py).call_method1("take", (step,)).map(drop)
        });
    }

    fn undo(&mut self) {
        let shared = self.shared.clone();
        shared.trouble.guard((), |py| self.undone(py));
    }

    fn solution(&self) -> Option<Py<PyAny>> {
        self.shared.trouble.guard(None, |py| {
            self.game.bind(py).call_method0("solution").map(|found| Some(found.unbind()))
        })
    }
}

/// Up to `limit` solutions, in order.
#[pyfunction]
pub(super) fn search_find(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    limit: Option<usize>,
    time: Option<f64>,
) -> PyResult<Vec<Py<PyAny>>> {
    let run = run(py, time, 1)?;
    let search = OwnSearch::new(game, &run);
    let shared = search.shared.clone();
    let limit = limit.unwrap_or(usize::MAX);
    let work = || {
        let mut found = Vec::new();
        for solution in Walk::new(search, &run).take(limit) {
            found.extend(solution?);
        }
        Ok(found)
    };
    settled(py, &shared.trouble, drive(py, &run, &None, work)?)
}

/// The number of solutions.
#[pyfunction]
pub(super) fn search_count(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    time: Option<f64>,
) -> PyResult<u64> {
    let run = run(py, time, 1)?;
    let search = OwnSearch::new(game, &run);
    let shared = search.shared.clone();
    let work = || {
        let mut walk = Walk::new(search, &run);
        let mut number = 0;
        loop {
            match walk.advance(u64::MAX)? {
                Advance::Found => number += 1,
                Advance::Exhausted => return Ok::<u64, Stop>(number),
                Advance::Paused => {}
            }
        }
    };
    settled(py, &shared.trouble, drive(py, &run, &None, work)?)
}

/// About how many solutions there are: the estimate, and the ends of its interval.
#[pyfunction]
pub(super) fn search_estimate(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    samples: u64,
    seed: u64,
    time: Option<f64>,
) -> PyResult<(f64, Option<(f64, f64)>)> {
    let run = run(py, time, seed)?;
    let search = OwnSearch::new(game, &run);
    let shared = search.shared.clone();
    let work = || estimate(&search, Probing::Knuth, samples, &run, &Chapter::unkept());
    let found: Estimate = settled(py, &shared.trouble, drive(py, &run, &None, work)?)?;
    let mean = if found.is_zero() { 0.0 } else { found.mean() };
    let interval = found.interval.ok().map(|ends| (mean * ends.low, mean * ends.high));
    Ok((mean, interval))
}
