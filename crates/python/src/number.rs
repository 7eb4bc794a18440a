//! Numbers of any size, cells and data between Rust and Python.

use num_bigint::{BigInt, Sign};
use pessoi::board::Cell;
use pessoi::{Datum, Error};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBool, PyBytes, PyDict, PyInt, PyStringMethods, PyTypeMethods};

use crate::errors::OrRaise;

/// A whole number of any size. Bytes are used, because Python refuses to read very long decimals.
pub(crate) fn int<'py>(py: Python<'py>, number: &BigInt) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(small) = i64::try_from(number) {
        return small.into_bound_py_any(py);
    }
    let (sign, bytes) = number.to_bytes_le();
    let bytes = PyBytes::new(py, &bytes);
    let size = py.get_type::<PyInt>().call_method1("from_bytes", (bytes, "little"))?;
    if sign == Sign::Minus { size.neg() } else { Ok(size) }
}

/// A cell as a pair, counted from 0 as the indexes of an array are.
pub(crate) fn pair(cell: Cell) -> (i32, i32) {
    (cell.row, cell.col)
}

/// A pair of whole numbers as a cell. Truth values are no coordinates: a row of a mask that has two
/// columns is no cell.
pub(crate) fn cell(value: &Bound<'_, PyAny>) -> Option<Cell> {
    let is_truth = |item: PyResult<Bound<'_, PyAny>>| item.is_ok_and(|item| is_bool(&item));
    if value.try_iter().ok()?.take(2).any(is_truth) {
        return None;
    }
    if let Ok((row, col)) = value.extract() {
        return Some(Cell { row, col });
    }
    // A list, or a row of an array.
    let [row, col] = value.extract::<Vec<i32>>().ok()?.try_into().ok()?;
    Some(Cell { row, col })
}

/// Whether this is a truth value, of Python or of numpy.
pub(crate) fn is_bool(value: &Bound<'_, PyAny>) -> bool {
    let of_numpy = |name: &str| matches!(name, "bool" | "bool_");
    value.is_instance_of::<PyBool>()
        || value.get_type().name().is_ok_and(|name| name.to_str().is_ok_and(of_numpy))
}

/// A typed thing of a table or a fact.
pub(crate) fn datum<'py>(py: Python<'py>, datum: &Datum) -> PyResult<Bound<'py, PyAny>> {
    match datum {
        Datum::Integer(number) => int(py, number),
        Datum::Float(number) => number.into_bound_py_any(py),
        Datum::Decimal(text) => py.import("decimal")?.getattr("Decimal")?.call1((text,)),
        Datum::Boolean(is) => is.into_bound_py_any(py),
        Datum::Cell(cell) => pair(*cell).into_bound_py_any(py),
        Datum::Text(text) => text.into_bound_py_any(py),
        Datum::Missing => Ok(py.None().into_bound(py)),
    }
}

/// A value that is written as JSON, as Python holds it.
pub(crate) fn as_json<'py>(
    py: Python<'py>,
    value: &impl serde::Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(value).map_err(|error| Error::internal(error.to_string()));
    json(py, &value.or_raise(py)?)
}

/// What JSON can hold, as Python holds it.
pub(crate) fn json<'py>(py: Python<'py>, value: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        serde_json::Value::Null => Ok(py.None().into_bound(py)),
        serde_json::Value::Bool(is) => is.into_bound_py_any(py),
        serde_json::Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (None, Some(number)) => number.into_bound_py_any(py),
            (None, None) => number.as_f64().into_bound_py_any(py),
        },
        serde_json::Value::String(text) => text.into_bound_py_any(py),
        serde_json::Value::Array(list) => {
            let list: Vec<_> = list.iter().map(|item| json(py, item)).collect::<PyResult<_>>()?;
            list.into_bound_py_any(py)
        }
        serde_json::Value::Object(map) => {
            let dict = PyDict::new(py);
            for (key, value) in map {
                dict.set_item(key, json(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}
