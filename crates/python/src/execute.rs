//! Analyses and campaigns into their folders.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use drystone_campaign::{Folder, SlurmOptions, collect, run_local, run_slurm};
use drystone_model::AnalysisKind;
use drystone_results::{Existing, ResultDir, Wording};
use numpy::{IntoPyArray, PyArray1, PyArray3};
use pyo3::prelude::*;

use crate::attend::{Attended, Hearing, attend};
use crate::compiled::Compiled;
use crate::{arrays, fault};

/// What an analysis came to: `summary.json`, the verdict in one line, why it failed, and whether it was stopped before its end.
type Told = (String, String, Option<String>, bool);

fn existing_of(py: Python<'_>, existing: &str) -> PyResult<Existing> {
    match existing {
        "refuse" => Ok(Existing::Refuse),
        "resume" => Ok(Existing::Resume),
        "replace" => Ok(Existing::Replace),
        _ => Err(fault::input(
            py,
            format!("existing {existing:?}: \"refuse\", \"resume\" or \"replace\""),
        )),
    }
}

/// The choices of this interface, as messages call them.
const ARGUMENTS: Wording = Wording {
    overwrite: "existing=\"replace\"",
    resume: "existing=\"resume\"",
};

/// Runs one analysis of a model into a folder, as `drystone run` does.
///
/// `progress(done, total, message)` is called now and then. Ctrl-C stops a time history or a pushover after its step and saves it before it is
/// raised; other analyses are left to end by themselves, without writing anything.
#[pyfunction]
#[pyo3(signature = (compiled, analysis, folder, existing="refuse", progress=None))]
pub fn execute(
    py: Python<'_>,
    compiled: &Compiled,
    analysis: &str,
    folder: PathBuf,
    existing: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Told> {
    let existing = existing_of(py, existing)?;
    let case = Arc::clone(&compiled.case);
    let model = case.model();
    let Some(index) = model.analyses.iter().position(|item| item.name == analysis) else {
        return Err(fault::input(
            py,
            format!("the model has no analysis \"{analysis}\""),
        ));
    };
    let hearing = match model.analyses[index].kind {
        AnalysisKind::TimeHistory(_) | AnalysisKind::Pushover(_) => Hearing::Listens,
        _ => Hearing::Deaf,
    };
    let Attended { value, raised } = attend(py, progress, hearing, move |mut teller| {
        let analysis = &case.model().analyses[index];
        let outcome = drystone_results::execute(&case, analysis, &folder, existing, &mut teller);
        outcome.map_err(|error| {
            let message = error.message(&ARGUMENTS);
            (error.is_input(), format!("{}: {message}", analysis.name))
        })
    })?;
    if let Some(error) = raised {
        return Err(with_fault(
            py,
            error,
            value.err().map(|(_, message)| message),
        ));
    }
    match value {
        Ok(outcome) => {
            let summary = serde_json::to_string(&outcome.summary)
                .map_err(|error| fault::failed(py, error))?;
            Ok((
                summary,
                outcome.headline,
                outcome.failure,
                outcome.interrupted,
            ))
        }
        Err((true, message)) => Err(fault::input(py, message)),
        Err((false, message)) => Err(fault::failed(py, message)),
    }
}

/// Makes the runs of a campaign, on the cores of this machine or on a Slurm cluster, and collects them: `summary.json` and the verdict in one line.
///
/// Results that are in the folder and still valid are kept. Ctrl-C stops it; the same call goes on.
#[pyfunction]
#[pyo3(signature = (compiled, analysis, folder, existing="resume", threads=None, progress=None, slurm=None))]
#[allow(clippy::too_many_arguments)] // Named in Python.
pub fn campaign(
    py: Python<'_>,
    compiled: &Compiled,
    analysis: String,
    folder: PathBuf,
    existing: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    slurm: Option<Slurm>,
) -> PyResult<(String, String, usize, usize)> {
    let existing = existing_of(py, existing)?;
    if threads.is_some_and(|threads| !(1..=1024).contains(&threads)) {
        return Err(fault::input(py, "threads: between 1 and 1024"));
    }
    if slurm
        .as_ref()
        .is_some_and(|slurm| !(slurm.poll > 0.0 && slurm.poll <= 3600.0))
    {
        return Err(fault::input(
            py,
            "poll: greater than zero and at most 3600 s",
        ));
    }
    let (text, format, path) = (
        compiled.text.clone(),
        compiled.format,
        compiled.path.clone(),
    );
    let threads = threads
        .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
        .unwrap_or(1);
    let Attended { value, raised } = attend(py, progress, Hearing::Listens, move |teller| {
        let told = |error: drystone_campaign::Error| (error.is_input(), error.to_string());
        if ResultDir::is_occupied(&folder) && !Folder::is_one(&folder) {
            let message = format!(
                "{} holds results of another analysis: choose another folder",
                folder.display()
            );
            return Err((true, message));
        }
        ResultDir::create(&folder, existing)
            .map_err(|error| (error.is_input(), error.message(&ARGUMENTS)))?;
        let folder =
            Folder::create_from_text(&folder, &text, format, &path, &analysis).map_err(told)?;
        if existing == Existing::Replace {
            folder.store.clear().map_err(told)?;
        }
        let gathered = match slurm {
            None => run_local(&folder, threads, &teller),
            Some(slurm) => run_slurm(&folder, &slurm.options(), &teller),
        }
        .map_err(told)?;
        if !gathered.is_complete() {
            let place = folder.path().display();
            let message = format!(
                "{analysis}: {} of {} runs are complete, in {place}; the same call continues",
                gathered.tally.done, gathered.tally.wanted
            );
            return Err((false, message));
        }
        let tally = gathered.tally;
        let collected = collect(&folder, &gathered).map_err(told)?;
        Ok((collected, tally.failed, tally.damaged))
    })?;
    if let Some(error) = raised {
        return Err(with_fault(py, error, None));
    }
    match value {
        Ok((collected, failed, damaged)) => {
            let summary = serde_json::to_string(&collected.summary)
                .map_err(|error| fault::failed(py, error))?;
            Ok((summary, collected.headline, failed, damaged))
        }
        Err((true, message)) => Err(fault::input(py, message)),
        Err((false, message)) => Err(fault::failed(py, message)),
    }
}

/// An exception that was raised meanwhile, with what else went wrong.
fn with_fault(py: Python<'_>, error: PyErr, fault: Option<String>) -> PyErr {
    if let Some(fault) = fault {
        // Python 3.10 has no notes; the exception itself matters more.
        let _ = error.value(py).call_method1("add_note", (fault,));
    }
    error
}

/// How to talk to a cluster, as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Slurm {
    program: PathBuf,
    partition: Option<String>,
    group: Option<usize>,
    time: Option<String>,
    sbatch: Vec<String>,
    poll: f64,
    attempts: u32,
}

impl Slurm {
    fn options(self) -> SlurmOptions {
        SlurmOptions {
            program: self.program,
            partition: self.partition,
            group: self.group,
            time: self.time,
            more: self.sbatch,
            every: Duration::from_secs_f64(self.poll),
            attempts: self.attempts,
        }
    }
}

/// The motion of a time history: names of blocks, times in s, positions of centroids in m (frame, block, xyz), and rotations since the start
/// as unit quaternions (frame, block, xyzw).
type Motion<'py> = (
    Vec<String>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray3<f64>>,
    Bound<'py, PyArray3<f64>>,
);

/// Reads `motion.parquet`.
#[pyfunction]
pub fn read_motion(py: Python<'_>, path: PathBuf) -> PyResult<Motion<'_>> {
    let record = fault::guarded(py, || drystone_results::read_motion(&path))?;
    let record = record.map_err(|error| fault::input(py, error))?;
    let (frames, blocks) = (record.times.len(), record.blocks.len());
    let poses = || record.poses.iter().flatten();
    let positions = poses().flat_map(|pose| pose.position.to_array()).collect();
    let rotations = poses().flat_map(|pose| pose.rotation.to_array()).collect();
    let positions = arrays::frames(py, (frames, blocks, 3), positions)?;
    let rotations = arrays::frames(py, (frames, blocks, 4), rotations)?;
    let times = record.times.into_pyarray(py);
    Ok((record.blocks, times, positions, rotations))
}

/// Sets the number of threads; before the first computation.
#[pyfunction]
pub fn set_threads(py: Python<'_>, threads: usize) -> PyResult<()> {
    if !(1..=1024).contains(&threads) {
        return Err(fault::input(
            py,
            format!("threads {threads}: between 1 and 1024"),
        ));
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|_| {
            fault::input(
                py,
                "the number of threads can be set once, before the first computation",
            )
        })
}
