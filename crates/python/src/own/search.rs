//! Searches.

use std::sync::{Arc, Mutex, PoisonError};

use pessoi::Stop;
use pessoi_engine::ledger::Chapter;
use pessoi_engine::search::{Advance, Estimate, Outlook, Probing, Search, Walk, estimate};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBool, PyBoolMethods, PyList, PyListMethods};

use super::{Asking, Fault, Known, MOST_ITEMS, Trouble, inconsistent, same, short};
use crate::ask::{self, COUNTS};

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
        let undo = |py: Python<'_>| self.game.bind(py).call_method0("undo").map(drop);
        while self.depth > 0 && !self.is_copy && self.shared.trouble.clean(undo) {
            self.depth -= 1;
        }
    }
}

struct Shared {
    steps: Known,
    trouble: Arc<Trouble>,
}

impl OwnSearch {
    fn new(game: Py<PyAny>, trouble: &Arc<Trouble>) -> Self {
        let shared = Shared { steps: Python::attach(Known::new), trouble: trouble.clone() };
        OwnSearch { game, shared: Arc::new(shared), said: Vec::new(), depth: 0, is_copy: false }
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
        let steps = self.shared.trouble.listed("look", "look()", &said, MOST_ITEMS)?;
        Ok(steps.into_any())
    }

    fn looked(&mut self, py: Python<'_>) -> PyResult<Looked> {
        let said = self.ask(py)?;
        self.said.truncate(self.depth);
        self.said.push(said.clone().unbind());
        let Some(steps) = said.cast::<PyList>().ok().filter(|steps| !steps.is_empty()) else {
            // It is looked at a node again after all that is below it. A leaf has nothing below.
            same(py, "look", "look()", &said, &self.ask(py)?)?;
            let is_solved = said.cast::<PyBool>().is_ok_and(PyBoolMethods::is_true);
            return Ok(if is_solved { Looked::Solved } else { Looked::Steps(Vec::new()) });
        };
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
        let OwnSearch { game, shared, depth, .. } = self;
        shared.trouble.guard((), |py| {
            let step = shared.steps.object(py, step)?;
            game.bind(py).call_method1("take", (step,))?;
            *depth += 1;
            Ok(())
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
pub(super) fn search_find<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    limit: Option<Bound<'py, PyAny>>,
    time: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<Py<PyAny>>> {
    let limit =
        limit.map(|limit| ask::whole("options.limit", "limit", &limit, &COUNTS)).transpose()?;
    let limit = limit.map_or(usize::MAX, |limit| limit as usize);
    let found = Mutex::new(Vec::new());
    let asking = Asking { game, time: time.as_ref(), seed: None };
    let worked = asking.work(|game, run, trouble| {
        for solution in Walk::new(OwnSearch::new(game, trouble), run).take(limit) {
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(solution?);
        }
        Ok(())
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    match worked {
        Ok(()) => Ok(found),
        Err(Fault::Own(error)) => Err(error),
        Err(Fault::Limit(error)) => {
            // An exception that takes no attributes is raised as it is.
            let _ = error.value(py).setattr("found", found);
            Err(error)
        }
    }
}

/// The number of solutions.
#[pyfunction]
pub(super) fn search_count<'py>(
    game: &Bound<'py, PyAny>,
    time: Option<Bound<'py, PyAny>>,
) -> PyResult<u64> {
    let asking = Asking { game, time: time.as_ref(), seed: None };
    let worked = asking.work(|game, run, trouble| {
        let mut walk = Walk::new(OwnSearch::new(game, trouble), run);
        let mut number = 0;
        loop {
            match walk.advance(u64::MAX)? {
                Advance::Found => number += 1,
                Advance::Exhausted => return Ok::<u64, Stop>(number),
                Advance::Paused => {}
            }
        }
    });
    Ok(worked?)
}

/// About how many solutions there are: the estimate, and the ends of its interval.
#[pyfunction]
pub(super) fn search_estimate<'py>(
    game: &Bound<'py, PyAny>,
    samples: &Bound<'py, PyAny>,
    seed: Option<Bound<'py, PyAny>>,
    time: Option<Bound<'py, PyAny>>,
) -> PyResult<(f64, Option<(f64, f64)>)> {
    let samples = ask::whole("options.samples", "samples", samples, &(1..=u64::MAX))?;
    let asking = Asking { game, time: time.as_ref(), seed: seed.as_ref() };
    let worked = asking.work(|game, run, trouble| {
        let search = OwnSearch::new(game, trouble);
        estimate(&search, Probing::Knuth, samples, run, &Chapter::unkept())
    });
    let found: Estimate = worked?;
    let mean = if found.is_zero() { 0.0 } else { found.mean() };
    let interval = found.interval.ok().map(|ends| (mean * ends.low, mean * ends.high));
    Ok((mean, interval))
}
