//! Faults as Python exceptions, with the text that the command line gives.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The input is wrong: `drystone.InputError`.
pub fn input(py: Python<'_>, message: impl ToString) -> PyErr {
    raise(py, "InputError", &message.to_string())
}

/// A computation failed, or its results could not be written: `drystone.ComputationError`.
pub fn failed(py: Python<'_>, message: impl ToString) -> PyErr {
    raise(py, "ComputationError", &message.to_string())
}

/// One or the other.
pub fn raised(py: Python<'_>, is_input: bool, message: impl ToString) -> PyErr {
    if is_input {
        input(py, message)
    } else {
        failed(py, message)
    }
}

fn raise(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let found = py
        .import("drystone.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| Ok(class.cast_into::<PyType>()?));
    match found {
        Ok(class) => PyErr::from_type(class, message.to_owned()),
        Err(_) => PyRuntimeError::new_err(message.to_owned()),
    }
}

/// Runs something that must not panic without the interpreter's lock; if it does, Python gets an ordinary exception.
pub fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|panic| failed(py, told(panic.as_ref())))
}

/// What a panic said.
pub fn told(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    format!("an error inside drystone that should not be possible; please report it: {text}")
}
