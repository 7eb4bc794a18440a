//! Own games: objects of Python that describe a sweep, a search or a state space.
//!
//! The engines want small borders, steps and states. So each object of Python is *known* by a
//! number, given when it is first met; two objects have one number only if Python says that they
//! are equal. The engines run on one thread and call Python for every node, which is slow, and
//! good for teaching.
//!
//! An engine trusts what it is told. So everything is asked twice where it must be the same each
//! time, and an own game that contradicts itself is refused with what it said. An exception ends
//! the work and comes out as it is.
//!
//! All methods of a game are called on the thread of the work, so that limits and Ctrl-C hold for
//! each of them.

mod search;
mod space;
mod sweep;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pessoi::{Budget, Error, Run, Stop};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict, PyList, PyListMethods};

use crate::ask;
use crate::errors::raised;
use crate::job::{Calls, Outer, drive_calls, ended, is_ended, outer, within};
use crate::machine;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sweep::sweep_count, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep_sample, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_find, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_count, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_estimate, module)?)?;
    module.add_function(wrap_pyfunction!(space::space_layers, module)?)?;
    module.add_function(wrap_pyfunction!(space::space_diameter, module)?)?;
    module.add_function(wrap_pyfunction!(space::space_components, module)?)?;
    module.add_function(wrap_pyfunction!(space::space_path, module)?)
}

/// Objects of Python by number.
struct Known {
    numbers: Py<PyDict>,
    objects: Py<PyList>,
}

impl Known {
    fn new(py: Python<'_>) -> Self {
        Known { numbers: PyDict::new(py).unbind(), objects: PyList::empty(py).unbind() }
    }

    /// The number of an object. What cannot be hashed is refused by Python.
    fn number(&self, object: &Bound<'_, PyAny>) -> PyResult<u64> {
        let py = object.py();
        let numbers = self.numbers.bind(py);
        if let Some(number) = numbers.get_item(object)? {
            return number.extract();
        }
        let objects = self.objects.bind(py);
        let number = objects.len() as u64;
        objects.append(object)?;
        numbers.set_item(object, number)?;
        Ok(number)
    }

    fn object<'py>(&self, py: Python<'py>, number: u64) -> PyResult<Bound<'py, PyAny>> {
        self.objects.bind(py).get_item(number as usize)
    }
}

/// The most things that a method may give at once.
const MOST_ITEMS: usize = 1 << 20;
/// So many things are listed between two looks at the clock.
const A_TICK: usize = 256;
/// The most own games that may be asked within each other: each takes a thread.
const MOST_DEPTH: usize = 16;

/// Why an own game is not asked any more.
enum Over {
    /// It raised an exception; with what the run was ended by, if it was.
    Raised(PyErr, Option<Stop>),
    /// The run has ended.
    Stopped(Stop),
}

/// What ends the run of an own game.
struct Trouble {
    first: Mutex<Option<Over>>,
    run: Run,
    calls: Calls,
    depth: usize,
}

impl Trouble {
    fn first(&self) -> MutexGuard<'_, Option<Over>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls Python. After an exception, and after the end of the run, nothing is called any more,
    /// and `instead` is returned: engines look at the clock once in many steps, which may be slow
    /// here.
    fn guard<T>(&self, instead: T, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        if self.first().is_some() {
            return instead;
        }
        if let Err(stop) = self.run.check() {
            *self.first() = Some(Over::Stopped(stop));
            self.run.cancel();
            return instead;
        }
        self.call(call).unwrap_or(instead)
    }

    /// Calls Python to clean up, also after the end of the run, but not after an exception.
    fn clean(&self, call: impl FnOnce(Python<'_>) -> PyResult<()>) -> bool {
        let has_raised = matches!(*self.first(), Some(Over::Raised(..)));
        !has_raised && self.call(call).is_some()
    }

    fn call<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        let outer = Outer { run: self.run.clone(), depth: self.depth };
        let call = |py: Python<'_>| self.calls.call(py, || within(outer, || call(py)));
        match Python::attach(call) {
            Ok(value) => Some(value),
            Err(error) => {
                let stop = match self.first().take() {
                    Some(Over::Stopped(stop)) => Some(stop),
                    _ => self.run.check().err(),
                };
                self.run.cancel();
                *self.first() = Some(Over::Raised(error, stop));
                None
            }
        }
    }

    /// Calls Python where the work cannot go on without what it gives.
    fn need<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, Stop> {
        self.guard(None, |py| call(py).map(Some)).ok_or(Stop::Cancelled)
    }

    /// Everything that the method `field` gives when it is `asked`, as a list.
    fn listed<'py>(
        &self,
        field: &str,
        asked: &str,
        items: &Bound<'py, PyAny>,
        most: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = items.py();
        let list = PyList::empty(py);
        for item in items.try_iter()? {
            if list.len() == most {
                let sentence = format!("{asked} gives too much: {most} is the most.");
                return Err(inconsistent(py, field, sentence));
            }
            list.append(item?)?;
            if list.len().is_multiple_of(A_TICK) && self.run.check().is_err() {
                return Err(ended(py));
            }
        }
        Ok(list)
    }
}

/// What an own game is asked with.
struct Asking<'a, 'py> {
    game: &'a Bound<'py, PyAny>,
    time: Option<&'a Bound<'py, PyAny>>,
    seed: Option<&'a Bound<'py, PyAny>>,
}

/// Why an own game gave no answer: its own exception, or one that came from outside.
enum Fault {
    Own(PyErr),
    Limit(PyErr),
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        match fault {
            Fault::Own(error) | Fault::Limit(error) => error,
        }
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Fault {
        Fault::Own(error)
    }
}

impl Asking<'_, '_> {
    /// Does the work of an engine, which calls the game, on a thread of its own.
    fn work<T: Send>(
        &self,
        work: impl FnOnce(Py<PyAny>, &Run, &Arc<Trouble>) -> Result<T, Stop> + Send,
    ) -> Result<T, Fault> {
        let py = self.game.py();
        let depth = outer().map_or(0, |outer| outer.depth) + 1;
        if depth > MOST_DEPTH {
            let sentence = format!(
                "Own games can be asked within each other {MOST_DEPTH} deep, and this is deeper: \
                 does a game ask itself?"
            );
            return Err(inconsistent(py, "game", sentence).into());
        }
        let otherwise = Budget { memory: machine::memory(), ..Budget::default() };
        let run = Run::new(ask::budget(
            py,
            [(ask::TIME, self.time), (ask::SEED, self.seed)],
            &otherwise,
        )?);
        let (first, calls) = (Mutex::default(), Calls::default());
        let trouble = Arc::new(Trouble { first, run: run.clone(), calls, depth });
        let game = self.game.clone().unbind();
        let (result, interrupt) =
            drive_calls(py, &run, &None, Some(&trouble.calls), || work(game, &run, &trouble))?;
        // What comes from outside goes before the trouble that it made.
        if let Some(error) = interrupt {
            return Err(Fault::Limit(error));
        }
        let stopped = |stop: Stop| Fault::Limit(raised(py, &Error::from(stop)));
        let first = trouble.first().take();
        match first {
            Some(Over::Raised(error, stop))
                if trouble.calls.were_ended() || is_ended(py, &error) =>
            {
                Err(stopped(stop.unwrap_or(Stop::Cancelled)))
            }
            Some(Over::Raised(error, _)) => Err(Fault::Own(error)),
            Some(Over::Stopped(stop)) => Err(stopped(stop)),
            None => result.map_err(stopped),
        }
    }
}

/// An own game that contradicts itself; `field` is the method that does.
fn inconsistent(py: Python<'_>, field: &str, sentence: String) -> PyErr {
    raised(py, &Error::new(pessoi::Code::Conflict, field, sentence))
}

/// Refuses what is not the same when it is asked for again.
fn same<'py>(
    py: Python<'py>,
    field: &str,
    asked: &str,
    first: &Bound<'py, PyAny>,
    second: &Bound<'py, PyAny>,
) -> PyResult<()> {
    if first.eq(second)? {
        return Ok(());
    }
    let sentence = format!(
        "{asked} must give the same whenever it is asked: it gave {} and then {}.",
        short(first)?,
        short(second)?
    );
    Err(inconsistent(py, field, sentence))
}

/// An object in a sentence.
fn short(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = object.repr()?.to_string();
    if text.chars().count() <= 80 {
        return Ok(text);
    }
    Ok(text.chars().take(79).chain(['…']).collect())
}
