//! Numbers in one stretch of memory, as numpy reads them without copying.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The numbers, whose type is told by their width.
enum Numbers {
    Bytes(Vec<u8>),
    Words(Vec<u32>),
}

/// An array that numpy takes over by its array interface: ``numpy.asarray(array)``.
#[pyclass(frozen, module = "pessoi")]
pub(crate) struct Array {
    numbers: Numbers,
    kind: &'static str,
    shape: Vec<usize>,
}

impl Array {
    /// Bytes, or 16-bit words in the machine's order.
    pub(crate) fn of_bytes(bytes: Vec<u8>, width: usize, shape: Vec<usize>) -> Self {
        let kind = match (width, cfg!(target_endian = "little")) {
            (1, _) => "|u1",
            (_, true) => "<u2",
            (_, false) => ">u2",
        };
        Array { numbers: Numbers::Bytes(bytes), kind, shape }
    }

    /// 32-bit words.
    pub(crate) fn of_words(words: Vec<u32>, shape: Vec<usize>) -> Self {
        let kind = if cfg!(target_endian = "little") { "<u4" } else { ">u4" };
        Array { numbers: Numbers::Words(words), kind, shape }
    }
}

#[pymethods]
impl Array {
    /// Where the numbers are. They are read-only, and live as long as this object.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let address = match &self.numbers {
            Numbers::Bytes(bytes) => bytes.as_ptr() as usize,
            Numbers::Words(words) => words.as_ptr() as usize,
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", self.kind)?;
        interface.set_item("shape", pyo3::types::PyTuple::new(py, &self.shape)?)?;
        interface.set_item("data", (address, true))?;
        Ok(interface)
    }

    fn __reduce__(&self) -> PyResult<()> {
        let why = "an array of pessoi cannot be pickled or copied: numpy.asarray(array) can";
        Err(pyo3::exceptions::PyTypeError::new_err(why))
    }

    fn __len__(&self) -> usize {
        self.shape.first().copied().unwrap_or(0)
    }
}
