//! The solver by itself: contact problems with sparse matrices.

use drystone_cone::{
    GeneralFault, GeneralProblem, GeneralSettings, GeneralSolution, GeneralStatus, Law,
    LocalProblem, Route, SparseMatrix, Stored, SymmetricMatrix, solve_general, solve_local,
};
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::{Hearing, attend};
use crate::fault;

/// A matrix in compressed columns: shape, starts of columns, rows, values.
type Columns<'py> = (
    (usize, usize),
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, f64>,
);

fn matrix(py: Python<'_>, name: &str, columns: &Columns<'_>) -> PyResult<SparseMatrix> {
    let ((rows, count), starts, indices, values) = columns;
    let whole = |array: &PyReadonlyArray1<'_, i64>| -> PyResult<Vec<usize>> {
        let array = array.as_array();
        let numbers: Result<Vec<usize>, _> = array.iter().map(|&i| usize::try_from(i)).collect();
        numbers.map_err(|_| fault::input(py, format!("{name}: an index is negative")))
    };
    Ok(SparseMatrix {
        rows: *rows,
        columns: *count,
        starts: whole(starts)?,
        indices: whole(indices)?,
        values: numbers(values),
    })
}

fn numbers(array: &PyReadonlyArray1<'_, f64>) -> Vec<f64> {
    array.as_array().iter().copied().collect()
}

fn settings(
    py: Python<'_>,
    law: &str,
    tolerance: f64,
    max_iterations: u32,
    route: Option<&str>,
) -> PyResult<GeneralSettings> {
    let law = match law {
        "associated" => Law::Associated,
        "coulomb" => Law::Coulomb,
        _ => {
            let message = format!("friction_law {law:?}: \"associated\" or \"coulomb\"");
            return Err(fault::input(py, message));
        }
    };
    let route = match route {
        None => None,
        Some("rigid") => Some(Route::Rigid),
        Some("general") => Some(Route::General),
        Some(route) => {
            let message = format!("route {route:?}: \"rigid\", \"general\" or None");
            return Err(fault::input(py, message));
        }
    };
    Ok(GeneralSettings {
        law,
        tolerance,
        max_iterations,
        route,
        ..GeneralSettings::default()
    })
}

fn answer<'py>(
    py: Python<'py>,
    solve: impl FnOnce() -> Result<GeneralSolution, GeneralFault> + Send + 'static,
) -> PyResult<Bound<'py, PyDict>> {
    let attended = attend(py, None, Hearing::Deaf, move |_| solve())?;
    if let Some(error) = attended.raised {
        return Err(error);
    }
    let found = attended.value.map_err(|error| fault::input(py, error))?;
    let dict = PyDict::new(py);
    dict.set_item("v", found.velocity.into_pyarray(py))?;
    dict.set_item("r", found.reaction.into_pyarray(py))?;
    dict.set_item("u", found.relative_velocity.into_pyarray(py))?;
    let residual = PyDict::new(py);
    residual.set_item("equilibrium", found.residual.equilibrium)?;
    residual.set_item("primal", found.residual.primal)?;
    residual.set_item("dual", found.residual.dual)?;
    residual.set_item("complementarity", found.residual.complementarity)?;
    dict.set_item("residual", residual)?;
    dict.set_item("iterations", found.iterations)?;
    dict.set_item("outer", found.outer)?;
    let status = match found.status {
        GeneralStatus::Solved => "solved",
        GeneralStatus::Infeasible => "infeasible",
        GeneralStatus::Inaccurate => "inaccurate",
    };
    dict.set_item("status", status)?;
    let route = match found.route {
        Route::Rigid => "rigid",
        Route::General => "general",
    };
    dict.set_item("route", route)?;
    dict.set_item("shifted_by", found.shifted_by)?;
    Ok(dict)
}

/// Minimises `1/2 v'Mv - f'v` such that `D'v + w` is in the dual Coulomb cones.
#[pyfunction]
#[pyo3(signature = (m, d, f, w, mu, law="associated", tolerance=1e-8, max_iterations=200, route=None))]
#[allow(clippy::too_many_arguments)] // Named in Python.
pub fn contact_problem<'py>(
    py: Python<'py>,
    m: Columns<'py>,
    d: Columns<'py>,
    f: PyReadonlyArray1<'py, f64>,
    w: PyReadonlyArray1<'py, f64>,
    mu: PyReadonlyArray1<'py, f64>,
    law: &str,
    tolerance: f64,
    max_iterations: u32,
    route: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = settings(py, law, tolerance, max_iterations, route)?;
    let problem = GeneralProblem {
        inertia: SymmetricMatrix {
            matrix: matrix(py, "M", &m)?,
            stored: Stored::Full,
        },
        force: numbers(&f),
        directions: matrix(py, "D", &d)?,
        offset: numbers(&w),
        friction: numbers(&mu),
    };
    answer(py, move || solve_general(&problem, &settings))
}

/// Finds `r` in the Coulomb cones with `W r + q` in the dual ones, orthogonal to each other.
#[pyfunction]
#[pyo3(signature = (delassus, q, mu, law="associated", tolerance=1e-8, max_iterations=200))]
pub fn local_problem<'py>(
    py: Python<'py>,
    delassus: Columns<'py>,
    q: PyReadonlyArray1<'py, f64>,
    mu: PyReadonlyArray1<'py, f64>,
    law: &str,
    tolerance: f64,
    max_iterations: u32,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = settings(py, law, tolerance, max_iterations, None)?;
    let problem = LocalProblem {
        delassus: SymmetricMatrix {
            matrix: matrix(py, "W", &delassus)?,
            stored: Stored::Full,
        },
        offset: numbers(&q),
        friction: numbers(&mu),
    };
    answer(py, move || solve_local(&problem, &settings))
}
