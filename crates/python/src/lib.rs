//! The Python package `pessoi`: a thin door on the library.
//!
//! Python values become a question ([`ask`]), a worker thread answers it while the interpreter is
//! free ([`job`]), and the answer is wrapped without being copied ([`answer`]). Whatever is nicer
//! in Python (progress bars, HTML, networkx) is written in Python, beside the native module.

mod answer;
mod array;
mod ask;
mod board;
mod cluster;
mod errors;
mod job;
mod machine;
mod number;
mod own;
mod solution;
mod stream;
mod table;

use std::ffi::OsString;
use std::sync::OnceLock;

use pessoi::Catalogue;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

/// All games.
pub(crate) fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(Catalogue::standard)
}

/// The command `pessoi`: carries out a command line and returns its exit code.
#[pyfunction]
fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| pessoi_cli::run(args))
}

/// The native side of the package `pessoi`.
#[pymodule(gil_used = true)]
fn _pessoi(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<answer::Graph>()?;
    module.add_class::<array::Array>()?;
    module.add_class::<board::Board>()?;
    module.add_class::<board::Symmetry>()?;
    module.add_class::<cluster::Logs>()?;
    module.add_class::<cluster::Rounds>()?;
    module.add_class::<solution::Move>()?;
    module.add_class::<solution::Solution>()?;
    module.add_class::<stream::Stream>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(ask::ask, module)?)?;
    module.add_function(wrap_pyfunction!(ask::stream, module)?)?;
    module.add_function(wrap_pyfunction!(ask::plan, module)?)?;
    module.add_function(wrap_pyfunction!(ask::compare, module)?)?;
    module.add_function(wrap_pyfunction!(ask::cite, module)?)?;
    module.add_function(wrap_pyfunction!(ask::read, module)?)?;
    module.add_function(wrap_pyfunction!(ask::verify, module)?)?;
    module.add_function(wrap_pyfunction!(ask::convert, module)?)?;
    module.add_function(wrap_pyfunction!(ask::merge, module)?)?;
    module.add_function(wrap_pyfunction!(ask::cards, module)?)?;
    module.add_function(wrap_pyfunction!(ask::card_text, module)?)?;
    module.add_function(wrap_pyfunction!(ask::schema, module)?)?;
    module.add_function(wrap_pyfunction!(answer::graph_of, module)?)?;
    module.add_function(wrap_pyfunction!(board::symmetry_of, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_question, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_words, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_format, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_limits, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_places, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_plan, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_plan_text, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_parts, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_part, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::cluster_rounds, module)?)?;
    module.add_function(wrap_pyfunction!(solution::move_of, module)?)?;
    module.add_function(wrap_pyfunction!(solution::solution_of, module)?)?;
    module.add_function(wrap_pyfunction!(table::table_of, module)?)?;
    let py = module.py();
    if let Ok(register) = py.import("os")?.getattr("register_at_fork") {
        let forked = wrap_pyfunction!(job::forked, module)?;
        let when = [("after_in_child", forked)].into_py_dict(py)?;
        register.call((), Some(&when))?;
    }
    let at_exit = wrap_pyfunction!(job::at_exit, module)?;
    py.import("atexit")?.call_method1("register", (at_exit,))?;
    own::register(module)
}
