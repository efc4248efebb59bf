//! `drystone dump` and `drystone replay`: step problems as files.

use std::fmt::Write as _;
use std::path::Path;

use drystone_cone::{Method, Settings, Solver, StoredProblem, Tolerances};
use drystone_model::{AnalysisKind, Model, TimeHistory};
use drystone_questions::time_history::{Excitation, Run};
use drystone_results::write_atomic;

use crate::Outcome;
use crate::args::{DumpOptions, Preset, ReplayOptions};
use crate::opened::open;
use crate::speak::answer;

/// Runs a time history up to a step and stores the problem of that step with its warm start.
pub fn dump(options: &DumpOptions) -> Outcome {
    let case = match open(&options.model) {
        Ok(case) => case,
        Err(outcome) => return outcome,
    };
    let model = case.model();
    let settings = match choose(model, options.analysis.as_deref()) {
        Ok(settings) => settings,
        Err(message) => return Outcome::BadInput(message),
    };
    if let Some(path) = &options.out
        && path.exists()
        && !options.overwrite
    {
        return Outcome::BadInput(format!(
            "{} is already there: choose another file or give --overwrite",
            path.display()
        ));
    }
    let excitation = match Excitation::new(model, &settings.motions) {
        Ok(excitation) => excitation,
        Err(error) => return Outcome::BadInput(error.to_string()),
    };
    let mut run = Run::new(model, settings, excitation);
    let beyond = !run.is_adaptive() && options.step > run.most_steps();
    if options.step == 0 || beyond {
        return Outcome::BadInput(format!(
            "--step {}: this analysis has at most the steps 1 to {}",
            options.step,
            run.most_steps()
        ));
    }
    while run.progress().steps + 1 < options.step && !run.finished() {
        if let Err(fault) = run.advance(&mut ()) {
            return Outcome::Failed(fault.to_string());
        }
    }
    if run.finished() {
        let (step, last) = (options.step, run.progress().steps);
        let collapsed = settings.stop_at_collapse && run.summary().collapse_time.is_some();
        return Outcome::BadInput(if collapsed {
            format!(
                "--step {step}: the analysis ends with the collapse in step {last}, as stop_at_collapse asks"
            )
        } else {
            format!("--step {step}: the analysis ends with step {last}")
        });
    }
    // The step itself is not solved: whoever stores a step does so because its problem is hard.
    write(&run.next_problem(), options.out.as_deref())
}

fn write(stored: &StoredProblem, out: Option<&Path>) -> Outcome {
    // On one line: a problem of thousands of blocks would be millions of lines.
    let text = match serde_json::to_string(stored) {
        Ok(text) => text + "\n",
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    match out {
        Some(path) => match write_atomic(path, text.as_bytes()) {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed(error.to_string()),
        },
        None => answer(&text),
    }
}

/// The time history of this name, or the first one.
fn choose<'m>(model: &'m Model, name: Option<&str>) -> Result<&'m TimeHistory, String> {
    let histories: Vec<(&str, &TimeHistory)> = model
        .analyses
        .iter()
        .filter_map(|analysis| match &analysis.kind {
            AnalysisKind::TimeHistory(settings) => Some((analysis.name.as_str(), settings)),
            _ => None,
        })
        .collect();
    let names: Vec<&str> = histories.iter().map(|(name, _)| *name).collect();
    match name {
        None => histories.first(),
        Some(wanted) => histories.iter().find(|(name, _)| *name == wanted),
    }
    .map(|(_, settings)| *settings)
    .ok_or_else(|| match name {
        None => "the model has no time history, so there is no step to dump".to_owned(),
        Some(wanted) => format!(
            "the model has no time history called \"{wanted}\"; it has: {}",
            names.join(", ")
        ),
    })
}

/// Solves a stored problem cold, warm and with the other solver.
pub fn replay(options: &ReplayOptions) -> Outcome {
    let stored = match read(&options.problem) {
        Ok(stored) => stored,
        Err(message) => return Outcome::BadInput(message),
    };
    let settings = Settings {
        tolerances: options.tolerance.tolerances(),
        ..Settings::default()
    };
    let clarabel = Settings {
        method: Method::Clarabel,
        ..settings
    };
    let mut runs = vec![("cold", settings, None)];
    if let Some(warm) = stored.warm() {
        runs.push(("warm", settings, Some(warm)));
    }
    if !options.no_clarabel {
        runs.push(("clarabel", clarabel, None));
    }
    // One thread, as in the tables of the book; wall time, because processor time comes in ticks longer than small problems take.
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool,
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    let problem = &stored.problem;
    let mut text = format!(
        "{} bodies, {} contacts, tolerances of {}\n{:<10} {:>10} {:>5} {:>5} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n",
        problem.bodies(),
        problem.contacts.len(),
        options.tolerance.word(),
        "solver",
        "status",
        "iter",
        "fact",
        "momentum",
        "primal",
        "dual",
        "gap",
        "natural",
        "ms"
    );
    for (name, settings, warm) in runs {
        let mut solver = Solver::new(settings);
        let (ms, solution) = pool.install(|| {
            let start = std::time::Instant::now();
            let solution = solver.solve(problem, warm);
            (1e3 * start.elapsed().as_secs_f64(), solution)
        });
        let solution = match solution {
            Ok(solution) => solution,
            Err(fault) => {
                return Outcome::BadInput(format!("{}: {fault}", options.problem.display()));
            }
        };
        let (residual, stats) = (solution.residual, solution.stats);
        let _ = writeln!(
            text,
            "{name:<10} {:>10} {:>5} {:>5} {:>10.1e} {:>10.1e} {:>10.1e} {:>10.1e} {:>10.1e} {ms:>10.3}",
            format!("{:?}", solution.status).to_lowercase(),
            stats.iterations,
            stats.factorisations,
            residual.momentum,
            residual.primal,
            residual.dual,
            residual.gap,
            residual.natural,
        );
    }
    if stored.warm.is_none() {
        text.push_str("no warm line: the file holds no warm start\n");
    }
    answer(&text)
}

fn read(path: &Path) -> Result<StoredProblem, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let stored: StoredProblem = serde_json::from_str(&text).map_err(|error| {
        format!(
            "{}: not a step problem as `drystone dump` writes it: {error}",
            path.display()
        )
    })?;
    if !stored.is_current() {
        return Err(format!(
            "{}: the format is \"{}\"; this version reads \"{}\"",
            path.display(),
            stored.format,
            drystone_cone::FORMAT
        ));
    }
    Ok(stored)
}

impl Preset {
    pub fn tolerances(self) -> Tolerances {
        match self {
            Self::Preview => Tolerances::preview(),
            Self::Default => Tolerances::default(),
            Self::Validation => Tolerances::validation(),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Preview => "preview",
            Self::Default => "default",
            Self::Validation => "validation",
        }
    }
}
