//! Numbers to numpy and back. Vectors are moved, not copied, where they have the right layout already.

use drystone_geometry::{DVec3, Pose};
use numpy::ndarray::{Array2, Array3};
use numpy::{IntoPyArray, PyArray2, PyArray3, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::fault;

/// Rows of three numbers.
pub fn rows<'py>(
    py: Python<'py>,
    vectors: impl ExactSizeIterator<Item = DVec3>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    table(
        py,
        3,
        vectors.len(),
        vectors.flat_map(|v| v.to_array()).collect(),
    )
}

/// Rows `x y z w` of unit quaternions.
pub fn quaternions<'py>(py: Python<'py>, poses: &[Pose]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let numbers = poses.iter().flat_map(|pose| pose.rotation.to_array());
    table(py, 4, poses.len(), numbers.collect())
}

/// A table of numbers, row by row.
pub fn table<'py>(
    py: Python<'py>,
    columns: usize,
    rows: usize,
    numbers: Vec<f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let array = Array2::from_shape_vec((rows, columns), numbers)
        .map_err(|error| fault::failed(py, error))?;
    Ok(array.into_pyarray(py))
}

/// A table per frame.
pub fn frames<'py>(
    py: Python<'py>,
    shape: (usize, usize, usize),
    numbers: Vec<f64>,
) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let array = Array3::from_shape_vec(shape, numbers).map_err(|error| fault::failed(py, error))?;
    Ok(array.into_pyarray(py))
}

/// Rows of three finite numbers, one per block.
pub fn vectors(
    py: Python<'_>,
    what: &str,
    array: &PyReadonlyArray2<'_, f64>,
    blocks: usize,
) -> PyResult<Vec<DVec3>> {
    let array = array.as_array();
    if array.shape() != [blocks, 3] {
        let message = format!(
            "{what}: the array has the shape {:?}, but must have ({blocks}, 3), a row per block",
            array.shape()
        );
        return Err(fault::input(py, message));
    }
    let vectors: Vec<DVec3> = array
        .rows()
        .into_iter()
        .map(|row| DVec3::new(row[0], row[1], row[2]))
        .collect();
    match vectors.iter().position(|v| !v.is_finite()) {
        None => Ok(vectors),
        Some(row) => Err(fault::input(
            py,
            format!("{what}: row {row} holds a number that is not finite"),
        )),
    }
}

/// A vector of three finite numbers.
pub fn vector(py: Python<'_>, what: &str, numbers: [f64; 3]) -> PyResult<DVec3> {
    let vector = DVec3::from(numbers);
    if vector.is_finite() {
        Ok(vector)
    } else {
        Err(fault::input(
            py,
            format!("{what}: {numbers:?} holds a number that is not finite"),
        ))
    }
}
