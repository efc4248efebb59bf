//! Analyses in memory or into their folders, and campaigns.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use drystone_campaign::{Folder, SlurmOptions, collect, run_local, run_slurm};
use drystone_model::{Analysis, AnalysisKind, CapacitySource, Case};
use drystone_results::{ExecuteError, Existing, ResultDir, Wording};
use pyo3::prelude::*;

use crate::answer::Answer;
use crate::attend::{Attended, Hearing, Teller, attend};
use crate::compiled::Compiled;
use crate::fault;

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
pub(crate) const ARGUMENTS: Wording = Wording {
    overwrite: "existing=\"replace\"",
    resume: "existing=\"resume\"",
};

/// Answers one analysis of a model in memory.
///
/// `progress(done, total, message)` is called now and then. Ctrl-C stops a time history or a pushover after its step; other analyses are left to end by
/// themselves, and their answers are dropped.
#[pyfunction]
#[pyo3(signature = (compiled, analysis, progress=None))]
pub fn ask(
    py: Python<'_>,
    compiled: &Compiled,
    analysis: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    answered(py, compiled, analysis, progress, |case, analysis, hooks| {
        Ok(drystone_questions::ask(case, analysis, hooks)?)
    })
}

/// Answers one analysis of a model into a folder, as `drystone run` does.
///
/// As [`ask`]; what Ctrl-C stops is saved before it is raised, and what is left to end by itself writes nothing.
#[pyfunction]
#[pyo3(signature = (compiled, analysis, folder, existing="refuse", progress=None))]
pub fn execute(
    py: Python<'_>,
    compiled: &Compiled,
    analysis: &str,
    folder: PathBuf,
    existing: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let existing = existing_of(py, existing)?;
    let work = move |case: &Case, analysis: &Analysis, hooks: &mut Teller| {
        drystone_results::execute(case, analysis, &folder, existing, hooks)
    };
    answered(py, compiled, analysis, progress, work)
}

fn answered<W>(
    py: Python<'_>,
    compiled: &Compiled,
    name: &str,
    progress: Option<Py<PyAny>>,
    work: W,
) -> PyResult<Answer>
where
    W: FnOnce(&Case, &Analysis, &mut Teller) -> Result<drystone_questions::Answer, ExecuteError>
        + Send
        + 'static,
{
    let case = Arc::clone(&compiled.case);
    let analyses = &case.model().analyses;
    let Some(index) = analyses.iter().position(|item| item.name == name) else {
        let message = format!("the model has no analysis \"{name}\"");
        return Err(fault::input(py, message));
    };
    let hearing = match &analyses[index].kind {
        AnalysisKind::TimeHistory(_) | AnalysisKind::Pushover(_) => Hearing::Listens,
        // Most of its time may be that of its pushover.
        AnalysisKind::Assessment(settings) => match settings.capacity {
            CapacitySource::Pushover(_) => Hearing::Listens,
            CapacitySource::Given(_) => Hearing::Deaf,
        },
        _ => Hearing::Deaf,
    };
    let asked = Arc::clone(&case);
    let Attended { value, raised } = attend(py, progress, hearing, move |mut teller| {
        work(&asked, &asked.model().analyses[index], &mut teller)
    })?;
    let told = |error: &ExecuteError| format!("{name}: {}", error.message(&ARGUMENTS));
    match (raised, value) {
        (None, Ok(answer)) => Ok(Answer {
            case,
            index,
            answer,
        }),
        (None, Err(error)) => Err(fault::raised(py, error.is_input(), told(&error))),
        (Some(raised), value) => {
            if let Err(error) = value {
                // Python 3.10 has no notes; the exception itself matters more.
                let _ = raised.value(py).call_method1("add_note", (told(&error),));
            }
            Err(raised)
        }
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
        return Err(error);
    }
    match value {
        Ok((collected, failed, damaged)) => {
            let summary = serde_json::to_string(&collected.summary)
                .map_err(|error| fault::failed(py, error))?;
            Ok((summary, collected.headline, failed, damaged))
        }
        Err((input, message)) => Err(fault::raised(py, input, message)),
    }
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
