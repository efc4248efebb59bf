//! The extension module `drystone._engine`: what the Python package needs of the engine, and nothing that Python can do itself.
//!
//! Every computation is made by the same functions as the command line's, so that results are equal to the last bit. The interpreter's lock
//! is released while they run ([`attend`]), Ctrl-C is heard, and faults become exceptions with the same text ([`fault`]).

mod answer;
mod arrays;
mod attend;
mod compiled;
mod contact;
mod execute;
mod fault;
mod simulation;

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// What the Python package needs of the engine.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use super::answer::{Answer, read_motion};
    #[pymodule_export]
    use super::compiled::{Compiled, as_json, as_toml, read, schema};
    #[pymodule_export]
    use super::contact::{contact_problem, local_problem};
    #[pymodule_export]
    use super::execute::{ask, campaign, execute, set_threads};
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::{command, version};
}

/// Version of the engine.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Runs the command line and gives its exit code.
#[pyfunction]
#[pyo3(signature = (line, program=None))]
fn command(py: Python<'_>, line: Vec<OsString>, program: Option<PathBuf>) -> PyResult<u8> {
    fault::guarded(py, || drystone_cli::main(line, program))
}
