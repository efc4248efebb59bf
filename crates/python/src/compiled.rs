//! A model, compiled and ready to run.

use std::path::PathBuf;
use std::sync::Arc;

use drystone_geometry::DVec3;
use drystone_model::{Case, Findings, Format, Model, parse};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::{arrays, fault};

/// A model that holds together: the answer to "what is in it" and the start of every analysis.
#[pyclass(frozen, module = "drystone._engine")]
pub struct Compiled {
    pub(crate) case: Arc<Case>,
    pub(crate) text: String,
    pub(crate) format: Format,
    pub(crate) path: PathBuf,
}

/// Vertices and faces.
type Mesh<'py> = (Bound<'py, PyArray2<f64>>, Vec<Vec<usize>>);

fn format_of(py: Python<'_>, name: &str) -> PyResult<Format> {
    match name {
        "toml" => Ok(Format::Toml),
        "json" => Ok(Format::Json),
        _ => Err(fault::input(py, format!("format {name:?}: toml or json"))),
    }
}

impl Compiled {
    pub(crate) fn model(&self) -> &Model {
        self.case.model()
    }
}

#[pymethods]
impl Compiled {
    /// Compiles the text of a model file; `path` is for messages, and the files that the model names are looked for beside it.
    #[new]
    fn new(py: Python<'_>, text: String, format: &str, path: PathBuf) -> PyResult<Self> {
        let format = format_of(py, format)?;
        let made = fault::guarded(py, || Case::of_text(&text, format, &path))?;
        let case = made.map_err(|faults| fault::input(py, faults))?;
        Ok(Self {
            case: Arc::new(case),
            text,
            format,
            path,
        })
    }

    /// Name for reports.
    #[getter]
    fn name(&self) -> &str {
        &self.model().name
    }

    /// Hash of the model and of the files it names.
    #[getter]
    fn sha256(&self) -> &str {
        &self.model().sha256
    }

    /// What somebody who runs the model should know.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.case.notes().to_vec()
    }

    /// Acceleration of gravity along -z, m/s².
    #[getter]
    fn gravity(&self) -> f64 {
        self.model().gravity
    }

    /// Weight of the free blocks, N.
    #[getter]
    fn weight(&self) -> f64 {
        self.model().weight()
    }

    /// Names and kinds of the analyses.
    #[getter]
    fn analyses(&self) -> Vec<(String, &'static str)> {
        let analyses = self.model().analyses.iter();
        analyses
            .map(|analysis| (analysis.name.clone(), analysis.kind.word()))
            .collect()
    }

    /// Names of the blocks.
    #[getter]
    fn names(&self) -> Vec<String> {
        let blocks = self.model().blocks.iter();
        blocks.map(|block| block.name.clone()).collect()
    }

    /// Which blocks are supports.
    #[getter]
    fn supports<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let blocks = self.model().blocks.iter();
        let supports: Vec<bool> = blocks.map(|block| block.support).collect();
        supports.into_pyarray(py)
    }

    /// Mass per block, kg.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let blocks = self.model().blocks.iter();
        let masses: Vec<f64> = blocks.map(|block| block.mass).collect();
        masses.into_pyarray(py)
    }

    /// Centroid per block, m.
    #[getter]
    fn centroids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::rows(py, self.model().blocks.iter().map(|block| block.position))
    }

    /// Vertices in the world, m, and faces of a block, by its index. Parts of a block that is not convex follow one another.
    fn mesh<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Mesh<'py>> {
        let Some(block) = self.model().blocks.get(index) else {
            let message = format!("block {index}: there are {}", self.model().blocks.len());
            return Err(fault::input(py, message));
        };
        let mut vertices: Vec<DVec3> = Vec::new();
        let mut faces = Vec::new();
        for part in block.shape.parts() {
            let first = vertices.len();
            vertices.extend(part.vertices().iter().map(|v| block.position + *v));
            for face in part.faces() {
                faces.push(face.corners.iter().map(|&v| first + v as usize).collect());
            }
        }
        Ok((arrays::rows(py, vertices.into_iter())?, faces))
    }

    /// What `drystone check --json` says.
    fn findings(&self, py: Python<'_>) -> PyResult<String> {
        let found = fault::guarded(py, || {
            serde_json::to_string(&Findings::of_text(
                self.model(),
                &self.text,
                self.format,
                &self.path,
            ))
            .map_err(|error| error.to_string())
        })?;
        found.map_err(|message| fault::failed(py, message))
    }
}

/// The text of a model file, its format, and the model as written as JSON.
#[pyfunction]
pub fn read(py: Python<'_>, path: PathBuf) -> PyResult<(String, &'static str, String)> {
    let spec = drystone_model::load_spec(&path).map_err(|faults| {
        // What is wrong beyond the first reading is told along with it, as by the command line.
        let all = drystone_model::load(&path).err().unwrap_or(faults);
        fault::input(py, all)
    })?;
    let text = std::fs::read_to_string(&path).map_err(|error| fault::input(py, error))?;
    let format = match Format::of(&path) {
        Some(Format::Toml) => "toml",
        _ => "json",
    };
    let tree = serde_json::to_string(&spec).map_err(|error| fault::failed(py, error))?;
    Ok((text, format, tree))
}

fn spec(py: Python<'_>, text: &str, format: &str) -> PyResult<drystone_model::ModelSpec> {
    let format = format_of(py, format)?;
    fault::guarded(py, || parse(text, format))?.map_err(|faults| fault::input(py, faults))
}

/// The text of a model file as TOML.
#[pyfunction]
pub fn as_toml(py: Python<'_>, text: &str, format: &str) -> PyResult<String> {
    let spec = spec(py, text, format)?;
    spec.to_toml().map_err(|error| fault::failed(py, error))
}

/// The text of a model file as JSON.
#[pyfunction]
pub fn as_json(py: Python<'_>, text: &str, format: &str) -> PyResult<String> {
    let spec = spec(py, text, format)?;
    spec.to_json().map_err(|error| fault::failed(py, error))
}

/// The JSON schema of model files.
#[pyfunction]
pub fn schema(py: Python<'_>) -> PyResult<String> {
    serde_json::to_string(&drystone_model::schema()).map_err(|error| fault::failed(py, error))
}
