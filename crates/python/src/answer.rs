//! An answer in memory: its numbers as numpy arrays, its page, its files.

use std::path::PathBuf;
use std::sync::Arc;

use drystone_geometry::Pose;
use drystone_model::{Analysis, Case};
use drystone_questions::answer::Values;
use drystone_results::{Existing, ResultDir, write_answer};
use numpy::{IntoPyArray, PyArray1, PyArray3, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::execute::ARGUMENTS;
use crate::{arrays, fault};

/// The answer to an analysis of a model.
#[pyclass(frozen)]
pub struct Answer {
    pub(crate) case: Arc<Case>,
    /// Of the analysis.
    pub(crate) index: usize,
    pub(crate) answer: drystone_questions::Answer,
}

/// Key, label, value in SI, unit, and whether an engineer asks for it first.
type Measure<'a> = (&'a str, &'a str, f64, &'static str, bool);

/// Names of blocks, times in s, positions of centroids in m (frame, block, xyz), and rotations since the start as unit quaternions (frame, block, xyzw).
type Motion<'py> = (
    Vec<String>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray3<f64>>,
    Bound<'py, PyArray3<f64>>,
);

impl Answer {
    fn analysis(&self) -> &Analysis {
        &self.case.model().analyses[self.index]
    }
}

#[pymethods]
impl Answer {
    /// Name of the analysis.
    #[getter]
    fn name(&self) -> &str {
        &self.answer.name
    }

    /// `summary.json`.
    #[getter]
    fn summary(&self) -> String {
        self.answer.summary.to_string()
    }

    /// One word, as in the summary.
    #[getter]
    fn status(&self) -> &str {
        &self.answer.status
    }

    /// The verdict in one line.
    #[getter]
    fn headline(&self) -> &str {
        &self.answer.headline
    }

    /// `"stands"`, `"falls"` or `"undecided"`.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.answer.verdict.word()
    }

    /// Why there is no answer to rely on, if there is none.
    #[getter]
    fn failure(&self) -> Option<&str> {
        self.answer.failure.as_deref()
    }

    /// It was stopped before its end.
    #[getter]
    fn interrupted(&self) -> bool {
        self.answer.interrupted
    }

    /// The numbers that are worth comparing, the most important first.
    #[getter]
    fn measures(&self) -> Vec<Measure<'_>> {
        let measures = self.answer.measures.iter();
        measures
            .map(|m| (&*m.key, &*m.label, m.value, m.unit, m.important))
            .collect()
    }

    /// Names of the tables.
    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.answer.all_tables().map(|table| table.name).collect()
    }

    /// The columns of a table in order: arrays of numbers, NaN where one is missing, and lists of words, empty where one is missing.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Vec<(&str, Bound<'py, PyAny>)>> {
        let mut tables = self.answer.all_tables();
        let Some(table) = tables.find(|table| table.name == name) else {
            return Err(fault::input(py, format!("there is no table {name:?}")));
        };
        let columns = table.columns.iter();
        columns
            .map(|column| {
                let values = match &column.values {
                    Values::Numbers(numbers) => numbers.to_pyarray(py).into_any(),
                    Values::Maybe(numbers) => {
                        let numbers = numbers.iter().map(|number| number.unwrap_or(f64::NAN));
                        PyArray1::from_iter(py, numbers).into_any()
                    }
                    Values::Words(words) => PyList::new(py, words)?.into_any(),
                };
                Ok((column.name.as_str(), values))
            })
            .collect()
    }

    /// The shapes of the structure, if there are any.
    fn motion<'py>(&self, py: Python<'py>) -> PyResult<Option<Motion<'py>>> {
        let Some(motion) = &self.answer.motion else {
            return Ok(None);
        };
        let blocks = self.case.model().blocks.iter();
        let blocks = blocks.map(|block| block.name.clone()).collect();
        motion_arrays(py, blocks, motion.times.clone(), &motion.poses).map(Some)
    }

    /// The answer as a text for an engineer's report, if the question has one.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.answer.text.as_deref()
    }

    /// The report, if it can be drawn.
    fn page(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let paper = fault::guarded(py, || {
            drystone_page::report::page(&self.case, self.analysis(), &self.answer)
        })?;
        Ok(paper.map(|paper| paper.html))
    }

    /// Writes the files that `drystone run` would have written.
    fn save(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        let saved = fault::guarded(py, || {
            let folder = ResultDir::create(&folder, Existing::Refuse)?;
            write_answer(&self.case, self.analysis(), &self.answer, &folder)
        })?;
        saved.map_err(|error| fault::raised(py, error.is_input(), error.message(&ARGUMENTS)))
    }
}

/// Reads `motion.parquet`.
#[pyfunction]
pub fn read_motion(py: Python<'_>, path: PathBuf) -> PyResult<Motion<'_>> {
    let record = fault::guarded(py, || drystone_results::read_motion(&path))?;
    let record = record.map_err(|error| fault::input(py, error))?;
    motion_arrays(py, record.blocks, record.times, &record.poses)
}

fn motion_arrays<'py>(
    py: Python<'py>,
    blocks: Vec<String>,
    times: Vec<f64>,
    poses: &[Vec<Pose>],
) -> PyResult<Motion<'py>> {
    let shape = |width| (times.len(), blocks.len(), width);
    let poses = || poses.iter().flatten();
    let positions = poses().flat_map(|pose| pose.position.to_array()).collect();
    let rotations = poses().flat_map(|pose| pose.rotation.to_array()).collect();
    let positions = arrays::frames(py, shape(3), positions)?;
    let rotations = arrays::frames(py, shape(4), rotations)?;
    Ok((blocks, times.into_pyarray(py), positions, rotations))
}
