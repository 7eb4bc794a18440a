//! State spaces.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pessoi::{Run, Stop};
use pessoi_engine::explore::{ComponentsError, StateSpace, components, diameter, layers, path};
use pessoi_engine::ledger::Chapter;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyListMethods, PySet};

use super::{Known, Trouble, inconsistent, listed, run, same, settled, short};
use crate::job::drive;

struct OwnSpace {
    game: Py<PyAny>,
    states: Known,
    starts: Vec<u64>,
    /// The states one move away from each.
    moves: Mutex<HashMap<u64, Arc<Vec<u64>>>>,
    trouble: Trouble,
}

impl OwnSpace {
    fn new(game: &Bound<'_, PyAny>, run: &Run) -> PyResult<Self> {
        let states = Known::new(game.py());
        let starts = listed(&game.call_method0("starts")?)?;
        let starts = starts.iter().map(|start| states.number(&start)).collect::<PyResult<_>>()?;
        let (game, moves) = (game.clone().unbind(), Mutex::default());
        Ok(OwnSpace { game, states, starts, moves, trouble: Trouble::new(run) })
    }

    fn ask(&self, py: Python<'_>, from: u64) -> PyResult<Arc<Vec<u64>>> {
        let state = self.states.object(py, from)?;
        let game = self.game.bind(py);
        let first = listed(&game.call_method1("moves", (&state,))?)?;
        let second = listed(&game.call_method1("moves", (&state,))?)?;
        let numbers = first.iter().map(|state| self.states.number(&state));
        let numbers: Vec<u64> = numbers.collect::<PyResult<_>>()?;
        // In whatever order.
        let (once, again) = (PySet::new(py, &first)?, PySet::new(py, &second)?);
        let asked = format!("moves({})", short(&state)?);
        same(py, "moves", &asked, once.as_any(), again.as_any())?;
        Ok(Arc::new(numbers))
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
    time: Option<f64>,
) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
    let run = run(py, time, 1)?;
    let space = OwnSpace::new(game, &run)?;
    let work = || {
        let found = layers(&space, space.starts.iter().copied(), &run, &Chapter::unkept());
        let found = found.map_err(Stop::from)?;
        let number = found.sizes().len() as u64;
        Ok((0..number).map(|n| found.layer(n).copied().collect()).collect::<Vec<Vec<u64>>>())
    };
    let found = settled(py, &space.trouble, drive(py, &run, &None, work)?)?;
    let layer = |layer: Vec<u64>| layer.into_iter().map(|state| space.object(py, state)).collect();
    found.into_iter().map(layer).collect()
}

/// Two states that are farthest apart, of all that can be reached from the starts, and how far.
type Farthest<'py> = Option<(Bound<'py, PyAny>, Bound<'py, PyAny>, u64)>;

#[pyfunction]
pub(super) fn space_diameter<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    time: Option<f64>,
) -> PyResult<Farthest<'py>> {
    let run = run(py, time, 1)?;
    let space = OwnSpace::new(game, &run)?;
    let work = || {
        let found = layers(&space, space.starts.iter().copied(), &run, &Chapter::unkept());
        let found = found.map_err(Stop::from)?;
        let all: Vec<u64> =
            (0..found.sizes().len() as u64).flat_map(|n| found.layer(n).copied()).collect();
        drop(found);
        diameter(&space, all, &run, &Chapter::unkept()).map_err(Stop::from)
    };
    let Some(pair) = settled(py, &space.trouble, drive(py, &run, &None, work)?)? else {
        return Ok(None);
    };
    Ok(Some((space.object(py, pair.from)?, space.object(py, pair.to)?, pair.distance)))
}

/// The states of each component.
#[pyfunction]
pub(super) fn space_components<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    time: Option<f64>,
) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
    let run = run(py, time, 1)?;
    let space = OwnSpace::new(game, &run)?;
    let work = || match components(&space, &run, &Chapter::unkept()) {
        Ok(found) => Ok(Ok(found.states().map(|states| states.copied().collect()).collect())),
        Err(ComponentsError::Stopped(stop)) => Err(stop),
        Err(ComponentsError::OneWay(one_way)) => Ok(Err(one_way)),
    };
    let found: Result<Vec<Vec<u64>>, _> =
        settled(py, &space.trouble, drive(py, &run, &None, work)?)?;
    match found {
        Ok(found) => {
            let all = |states: Vec<u64>| {
                states.into_iter().map(|state| space.object(py, state)).collect()
            };
            found.into_iter().map(all).collect()
        }
        Err(one_way) => {
            let (from, to) = (space.object(py, one_way.from)?, space.object(py, one_way.to)?);
            let sentence = format!(
                "Components need moves that can be undone: a move leads from {} to {}, and none \
                 leads back.",
                short(&from)?,
                short(&to)?
            );
            Err(inconsistent(py, "moves", sentence))
        }
    }
}

/// A shortest way from one state to another; None if there is none.
#[pyfunction]
pub(super) fn space_path<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    start: &Bound<'py, PyAny>,
    goal: &Bound<'py, PyAny>,
    time: Option<f64>,
) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    let run = run(py, time, 1)?;
    let space = OwnSpace::new(game, &run)?;
    let (from, to) = (space.states.number(start)?, space.states.number(goal)?);
    let work = || path(&space, from, &to, &run);
    let found = settled(py, &space.trouble, drive(py, &run, &None, work)?)?;
    let way = |way: Vec<u64>| way.into_iter().map(|state| space.object(py, state)).collect();
    found.map(way).transpose()
}
