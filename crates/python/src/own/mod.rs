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

mod search;
mod space;
mod sweep;

use std::sync::{Mutex, PoisonError};

use pessoi::{Budget, Error, Run, Stop, limits};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict, PyList};

use crate::errors::{OrRaise, raised};

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

/// The first exception of an own game; it ends the run.
struct Trouble {
    first: Mutex<Option<PyErr>>,
    run: Run,
}

impl Trouble {
    fn new(run: &Run) -> Self {
        Trouble { first: Mutex::new(None), run: run.clone() }
    }

    fn is_there(&self) -> bool {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Calls Python. After an exception nothing is called any more, and `instead` is returned.
    fn guard<T>(&self, instead: T, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        if self.is_there() {
            return instead;
        }
        match Python::attach(call) {
            Ok(value) => value,
            Err(error) => {
                self.run.cancel();
                *self.first.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                instead
            }
        }
    }

    fn take(&self) -> Option<PyErr> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A run on one thread.
fn run(py: Python<'_>, time: Option<f64>, seed: u64) -> PyResult<Run> {
    let time = time.map(|time| limits::duration("time", &time.to_string())).transpose();
    let memory = crate::machine::memory();
    Ok(Run::new(Budget { time: time.or_raise(py)?, memory, threads: 1, seed }))
}

/// What came of the work of an engine: the exception of the own game if there is one, that of
/// the interpreter, or the result.
fn settled<T>(
    py: Python<'_>,
    trouble: &Trouble,
    (result, interrupt): (Result<T, Stop>, Option<PyErr>),
) -> PyResult<T> {
    if let Some(error) = trouble.take().or(interrupt) {
        return Err(error);
    }
    result.map_err(|stop| raised(py, &Error::from(stop)))
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

/// Everything that something gives, as a list.
fn listed<'py>(items: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(items.py());
    for item in items.try_iter()? {
        list.append(item?)?;
    }
    Ok(list)
}
