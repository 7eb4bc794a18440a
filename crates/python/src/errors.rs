//! Errors of the library as exceptions. The classes are written in Python, in `pessoi._errors`.

use pessoi::{Code, Error};
use pyo3::prelude::*;
use pyo3::types::PyAnyMethods;

/// The exception for an error.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let name = match error.code {
        Code::Unknown | Code::BadValue | Code::Conflict | Code::Unsupported => "InputError",
        Code::Forged => "ForgedError",
        Code::Io => "FileError",
        Code::Stopped => "GaveUp",
        Code::Internal => "InternalError",
    };
    // The code as JSON has it: a string in quotes.
    let code = serde_json::to_string(&error.code).unwrap_or_default();
    let args = (error.to_string(), code.trim_matches('"'), error.field.clone());
    made(py, name, args)
}

/// An exception of this class of the package.
pub(crate) fn made<'py>(
    py: Python<'py>,
    name: &str,
    args: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    let exception = || py.import("pessoi._errors")?.getattr(name)?.call1(args);
    match exception() {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// The result of the library, as Python knows results.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, &error))
    }
}

/// Bad input that the library cannot see, because it never gets there.
pub(crate) fn input(py: Python<'_>, field: Option<&str>, sentence: impl Into<String>) -> PyErr {
    let mut error = Error::input(sentence);
    error.field = field.map(str::to_owned);
    raised(py, &error)
}
