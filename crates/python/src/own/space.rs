//! State spaces.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pessoi::Stop;
use pessoi_engine::explore::{ComponentsError, StateSpace, components, diameter, layers, path};
use pessoi_engine::ledger::Chapter;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyListMethods, PySet};

use super::{Asking, Known, MOST_ITEMS, Trouble, inconsistent, same, short};

struct OwnSpace {
    game: Py<PyAny>,
    states: Known,
    starts: Vec<u64>,
    /// The states one move away from each.
    moves: Mutex<HashMap<u64, Arc<Vec<u64>>>>,
    trouble: Arc<Trouble>,
}

impl OwnSpace {
    fn new(py: Python<'_>, game: Py<PyAny>, trouble: &Arc<Trouble>) -> PyResult<Self> {
        let (moves, trouble) = (Mutex::default(), trouble.clone());
        let (states, starts) = (Known::new(py), Vec::new());
        let space = OwnSpace { game, states, starts, moves, trouble };
        let starts = || space.game.bind(py).call_method0("starts");
        let starts = space.numbers(py, "starts", "starts()", starts)?;
        Ok(OwnSpace { starts, ..space })
    }

    fn ask(&self, py: Python<'_>, from: u64) -> PyResult<Arc<Vec<u64>>> {
        let state = self.states.object(py, from)?;
        let asked = format!("moves({})", short(&state)?);
        let moves = || self.game.bind(py).call_method1("moves", (&state,));
        self.numbers(py, "moves", &asked, moves).map(Arc::new)
    }

    /// The states that the method `field` gives, which is asked twice.
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        field: &str,
        asked: &str,
        ask: impl Fn() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Vec<u64>> {
        let listed = || self.trouble.listed(field, asked, &ask()?, MOST_ITEMS);
        let (first, second) = (listed()?, listed()?);
        let numbers = first.iter().map(|state| self.states.number(&state));
        let numbers: Vec<u64> = numbers.collect::<PyResult<_>>()?;
        // In whatever order.
        let (once, again) = (PySet::new(py, &first)?, PySet::new(py, &second)?);
        same(py, field, asked, once.as_any(), again.as_any())?;
        Ok(numbers)
    }

    fn object<'py>(&self, py: Python<'py>, state: u64) -> PyResult<Bound<'py, PyAny>> {
        self.states.object(py, state)
    }
}

impl StateSpace for OwnSpace {
    type State = u64;

    fn starts(&self) -> impl Iterator<Item = u64> {
        self.starts.iter().copied()
    }

    fn moves(&self, from: &u64, mut offer: impl FnMut(u64)) {
        // The lock is given back before Python is called.
        let known = self.moves.lock().unwrap_or_else(PoisonError::into_inner).get(from).cloned();
        let moves = known.unwrap_or_else(|| {
            let asked = self.trouble.guard(Arc::default(), |py| self.ask(py, *from));
            let mut known = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(*from, asked.clone());
            asked
        });
        for to in moves.iter() {
            offer(*to);
        }
    }

    fn holds(&self, _: &u64) -> bool {
        true
    }
}

/// All states by their distance from the starts.
#[pyfunction]
pub(super) fn space_layers<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    time: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
    let asking = Asking { game, time: time.as_ref(), seed: None };
    let (space, found) = asking.work(|game, run, trouble| {
        let space = trouble.need(|py| OwnSpace::new(py, game, trouble))?;
        let found = layers(&space, space.starts.iter().copied(), run, &Chapter::unkept());
        let found = found.map_err(Stop::from)?;
        let number = found.sizes().len() as u64;
        let states: Vec<Vec<u64>> =
            (0..number).map(|n| found.layer(n).copied().collect()).collect();
        drop(found);
        Ok((space, states))
    })?;
    let layer = |layer: Vec<u64>| layer.into_iter().map(|state| space.object(py, state)).collect();
    found.into_iter().map(layer).collect()
}

/// Two states that are farthest apart, of all that can be reached from the starts, and how far.
type Farthest<'py> = Option<(Bound<'py, PyAny>, Bound<'py, PyAny>, u64)>;

#[pyfunction]
pub(super) fn space_diameter<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    time: Option<Bound<'py, PyAny>>,
) -> PyResult<Farthest<'py>> {
    let asking = Asking { game, time: time.as_ref(), seed: None };
    let (space, pair) = asking.work(|game, run, trouble| {
        let space = trouble.need(|py| OwnSpace::new(py, game, trouble))?;
        let found = layers(&space, space.starts.iter().copied(), run, &Chapter::unkept());
        let found = found.map_err(Stop::from)?;
        let all: Vec<u64> =
            (0..found.sizes().len() as u64).flat_map(|n| found.layer(n).copied()).collect();
        drop(found);
        let pair = diameter(&space, all, run, &Chapter::unkept()).map_err(Stop::from)?;
        Ok((space, pair))
    })?;
    let Some(pair) = pair else { return Ok(None) };
    Ok(Some((space.object(py, pair.from)?, space.object(py, pair.to)?, pair.distance)))
}

/// The states of each component.
#[pyfunction]
pub(super) fn space_components<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    time: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
    let asking = Asking { game, time: time.as_ref(), seed: None };
    let (space, found) = asking.work(|game, run, trouble| {
        let space = trouble.need(|py| OwnSpace::new(py, game, trouble))?;
        let found = match components(&space, run, &Chapter::unkept()) {
            Ok(found) => {
                Ok(found.states().map(|states| states.copied().collect::<Vec<u64>>()).collect())
            }
            Err(ComponentsError::Stopped(stop)) => return Err(stop),
            Err(ComponentsError::OneWay(one_way)) => Err(one_way),
        };
        Ok((space, found))
    })?;
    let found: Vec<Vec<u64>> = match found {
        Ok(found) => found,
        Err(one_way) => {
            let (from, to) = (space.object(py, one_way.from)?, space.object(py, one_way.to)?);
            let sentence = format!(
                "Components need moves that can be undone: a move leads from {} to {}, and none \
                 leads back.",
                short(&from)?,
                short(&to)?
            );
            return Err(inconsistent(py, "moves", sentence));
        }
    };
    let all = |states: Vec<u64>| states.into_iter().map(|state| space.object(py, state)).collect();
    found.into_iter().map(all).collect()
}

/// A shortest way from one state to another; None if there is none.
#[pyfunction]
pub(super) fn space_path<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    start: Py<PyAny>,
    goal: Py<PyAny>,
    time: Option<Bound<'py, PyAny>>,
) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    let asking = Asking { game, time: time.as_ref(), seed: None };
    let (space, found) = asking.work(|game, run, trouble| {
        let (space, from, to) = trouble.need(|py| {
            let space = OwnSpace::new(py, game, trouble)?;
            let from = space.states.number(start.bind(py))?;
            let to = space.states.number(goal.bind(py))?;
            Ok((space, from, to))
        })?;
        let found = path(&space, from, &to, run)?;
        Ok((space, found))
    })?;
    let way = |way: Vec<u64>| way.into_iter().map(|state| space.object(py, state)).collect();
    found.map(way).transpose()
}
