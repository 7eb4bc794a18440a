//! Tables, for other programs by Arrow's C interface.
//!
//! Whole numbers become 64-bit numbers if they all fit, else decimals of 38 digits, else text.
//! Cells become text as `row,column`, counted from 1 as in every file.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Decimal128Array, Float64Array, Int64Array, RecordBatch,
    RecordBatchIterator, StringArray,
};
use arrow_schema::{ArrowError, Field, Schema};
use num_bigint::BigInt;
use pessoi::table::Column;
use pessoi::{Answer, Datum, DatumKind};
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyCapsule, PyDict, PyDictMethods, PyTuple};

use crate::number::datum;

/// Rows of typed data.
#[pyclass(frozen, module = "pessoi")]
pub(crate) struct Table {
    answer: Arc<Answer>,
    index: usize,
}

impl Table {
    pub(crate) fn new(answer: &Arc<Answer>, index: usize) -> Self {
        Table { answer: answer.clone(), index }
    }

    fn table(&self) -> &pessoi::Table {
        &self.answer.tables[self.index]
    }

    fn column(&self, at: usize) -> impl Iterator<Item = &Datum> {
        self.table().rows.iter().map(move |row| &row[at])
    }

    fn find(&self, id: &str) -> PyResult<usize> {
        self.table().column(id).ok_or_else(|| {
            let ids: Vec<_> =
                self.table().columns.iter().map(|column| column.id.as_str()).collect();
            PyKeyError::new_err(format!("There is no column {id:?}; there are {}.", ids.join(", ")))
        })
    }
}

/// A table of an answer, for pickles.
#[pyfunction]
pub(crate) fn table_of(answer: &crate::answer::Answer, index: usize) -> Option<Table> {
    (index < answer.answer.tables.len()).then(|| Table::new(&answer.answer, index))
}

#[pymethods]
impl Table {
    /// Its name for programs.
    #[getter]
    fn id(&self) -> &str {
        &self.table().id
    }

    /// What it shows.
    #[getter]
    fn title(&self) -> &str {
        &self.table().title
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.table().columns.iter().map(|column| column.id.as_str()).collect()
    }

    /// What people call the columns.
    #[getter]
    fn headings(&self) -> Vec<&str> {
        self.table().columns.iter().map(|column| column.text.as_str()).collect()
    }

    /// The rows, as tuples.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let row = |row: &Vec<Datum>| {
            let data: Vec<_> =
                row.iter().map(|item| datum(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyTuple::new(py, data)
        };
        self.table().rows.iter().map(row).collect()
    }

    fn __len__(&self) -> usize {
        self.table().rows.len()
    }

    /// A column, as a list.
    fn __getitem__<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let at = self.find(id)?;
        self.column(at).map(|item| datum(py, item)).collect()
    }

    fn __contains__(&self, id: &str) -> bool {
        self.table().column(id).is_some()
    }

    /// All columns by their names.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for column in &self.table().columns {
            dict.set_item(&column.id, self.__getitem__(py, &column.id)?)?;
        }
        Ok(dict)
    }

    /// Arrow's C interface: pandas, polars, pyarrow and others read tables through it.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A caller may ask for other types, and a producer need not have them.
        drop(requested_schema);
        let batch = py.detach(|| self.batch());
        let batch = batch.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let schema = batch.schema();
        let reader = RecordBatchIterator::new([Ok(batch)], schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (crate::answer::Answer, usize))> {
        let made = py.import("pessoi._pessoi")?.getattr("table_of")?;
        Ok((made, (crate::answer::Answer { answer: self.answer.clone() }, self.index)))
    }

    fn __repr__(&self) -> String {
        let table = self.table();
        format!("<pessoi.Table {:?}: {} rows of {}>", table.id, table.rows.len(), {
            self.columns().join(", ")
        })
    }

    /// The table as people read it.
    fn __str__(&self) -> String {
        pessoi::export::table(self.table(), &pessoi::Style::default())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pessoi._html")?.call_method1("table", (slf,))
    }
}

impl Table {
    fn batch(&self) -> Result<RecordBatch, ArrowError> {
        let arrays = self.table().columns.iter().enumerate().map(|(at, column)| {
            let array = self.array(at, column)?;
            Ok((Field::new(&column.id, array.data_type().clone(), true), array))
        });
        let (fields, arrays): (Vec<_>, Vec<_>) =
            arrays.collect::<Result<Vec<_>, ArrowError>>()?.into_iter().unzip();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
    }

    fn array(&self, at: usize, column: &Column) -> Result<ArrayRef, ArrowError> {
        let text = |item: &Datum| item.kind().map(|_| item.to_string());
        Ok(match column.kind {
            DatumKind::Integer => return self.integers(at),
            DatumKind::Float => {
                Arc::new(self.column(at).map(Datum::as_f64).collect::<Float64Array>())
            }
            DatumKind::Boolean => Arc::new(
                self.column(at)
                    .map(|item| match item {
                        Datum::Boolean(is) => Some(*is),
                        _ => None,
                    })
                    .collect::<BooleanArray>(),
            ),
            DatumKind::Decimal | DatumKind::Cell | DatumKind::Text => {
                Arc::new(self.column(at).map(text).collect::<StringArray>())
            }
        })
    }

    fn integers(&self, at: usize) -> Result<ArrayRef, ArrowError> {
        const DIGITS: u8 = 38;
        let number = |item: &Datum| match item {
            Datum::Integer(number) => Some(number.clone()),
            _ => None,
        };
        let numbers: Vec<Option<BigInt>> = self.column(at).map(number).collect();
        let small = |number: &Option<BigInt>| number.as_ref().map(i64::try_from).transpose();
        if let Ok(numbers) = numbers.iter().map(small).collect::<Result<Vec<_>, _>>() {
            return Ok(Arc::new(Int64Array::from(numbers)));
        }
        let most = BigInt::from(10).pow(u32::from(DIGITS));
        let middle = |number: &Option<BigInt>| match number {
            None => Ok(None),
            Some(number) if *number < most && -number < most => {
                i128::try_from(number).map(Some).map_err(drop)
            }
            Some(_) => Err(()),
        };
        if let Ok(numbers) = numbers.iter().map(middle).collect::<Result<Vec<_>, ()>>() {
            let array = Decimal128Array::from(numbers).with_precision_and_scale(DIGITS, 0)?;
            return Ok(Arc::new(array));
        }
        let text = |number: &Option<BigInt>| number.as_ref().map(ToString::to_string);
        Ok(Arc::new(numbers.iter().map(text).collect::<StringArray>()))
    }
}
