//! The answer of a time history.

use drystone_mechanics::ContactForce;
use drystone_model::{Analysis, Case, Model, MotionKind, TimeHistory};
use serde::Serialize;
use serde_json::{Value, json};

use super::clock::{Clock, Seconds, Ticking};
use super::headline::headline;
use super::notes::notes;
use super::rows::Rows;
use super::{Excitation, Frame, Progress, Run, Status, StepNote, Summary};
use crate::answer::{
    Answer, Detail, Head, Measure, Motion, Table, Verdict, force_row, force_table, value,
};
use crate::ask::{AskFault, Control, Hooks};

/// A time history that was begun before.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// Its state.
    pub progress: Progress,
    /// What it had spent.
    pub seconds: Seconds,
    /// What it had recorded.
    pub rows: Rows,
}

/// How a structure moved, for whoever draws it.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeHistoryDetail {
    /// The results.
    pub summary: Summary,
    /// What was recorded.
    pub rows: Rows,
    /// It reached its end.
    pub complete: bool,
}

#[derive(Debug, Serialize)]
struct SummaryFile<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    #[serde(flatten)]
    results: &'a Summary,
    /// The run reached its end. A collapse is told by `status` even if the run was stopped afterwards.
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
    settings: Value,
    seconds: Seconds,
}

/// Answers a time history.
pub(crate) fn ask(
    case: &Case,
    analysis: &Analysis,
    settings: &TimeHistory,
    hooks: &mut dyn Hooks,
) -> Result<Answer, AskFault> {
    let model = case.model();
    let excitation = Excitation::new(model, &settings.motions)?;
    let mut run = Run::new(model, settings, excitation);
    let mut clock = Clock::new(Seconds::default(), hooks.now());
    let mut record = Record::new(model, settings, hooks);
    match hooks.resume()? {
        Some(earlier) => {
            clock = Clock::new(earlier.seconds, hooks.now());
            record.rows = earlier.rows;
            run.resume(earlier.progress);
        }
        None => record.frame(run.frame(), hooks)?,
    }
    let mut total = run.total_steps();
    hooks.begin(total, run.steps_done());
    let mut failure = None;
    while !run.finished() {
        let mut ticking = Ticking {
            clock: &mut clock,
            hooks: &*hooks,
        };
        match run.advance(&mut ticking) {
            Ok(events) => {
                record.step(run.note(), hooks)?;
                if events.frame {
                    record.frame(run.frame(), hooks)?;
                }
                if events.forces {
                    let forces: Vec<ContactForce> = run.contact_forces().collect();
                    let time = run.progress().state.time;
                    record.forces(time, &forces, hooks)?;
                }
            }
            Err(fault) => {
                failure = Some(fault.to_string());
                break;
            }
        }
        // Beyond the duration there are more steps to come.
        if !run.finished() && run.total_steps() != total {
            total = run.total_steps();
            hooks.begin(total, run.steps_done());
        }
        let control = hooks.advanced(run.steps_done(), &mut || describe_now(&run));
        if control == Control::Stop {
            break;
        }
        hooks.state(run.progress(), clock.read(hooks.now()), false)?;
    }
    let done = run.finished() && failure.is_none();
    if !done {
        hooks.state(run.progress(), clock.read(hooks.now()), true)?;
    }
    let results = run.summary();
    let seconds = clock.read(hooks.now());
    let mut headline = headline(settings, &results, done, seconds.total);
    if let Some(reason) = &failure {
        headline = format!("failed at {:.4} s: {reason}", results.time);
    }
    let mut summary = value(&SummaryFile {
        head: Head::new("time_history", analysis, model),
        results: &results,
        complete: done,
        failure: failure.as_deref(),
        settings: settings_used(model, settings),
        seconds,
    });
    if failure.is_some() {
        summary["status"] = Value::from("failed");
    }
    let status = summary["status"].as_str().unwrap_or_default().to_owned();
    Ok(Answer {
        verdict: match results.status {
            _ if failure.is_some() => Verdict::Undecided,
            Status::Collapsed => Verdict::Falls,
            Status::Stood => Verdict::Stands,
            Status::Undecided | Status::Interrupted => Verdict::Undecided,
        },
        interrupted: !done && failure.is_none(),
        failure,
        summary,
        notes: notes(model, settings, run.ground(), &results),
        measures: measures(model, &run, &results),
        tables: Vec::from_iter(record.forces),
        motion: record.motion,
        ..Answer::new(
            "time_history",
            analysis,
            &status,
            headline,
            Detail::TimeHistory(Box::new(TimeHistoryDetail {
                summary: results,
                rows: record.rows,
                complete: done,
            })),
        )
    })
}

/// What is kept of a run as it goes.
struct Record<'m> {
    model: &'m Model,
    rows: Rows,
    wanted: bool,
    forces: Option<Table>,
    motion: Option<Motion>,
}

impl<'m> Record<'m> {
    fn new(model: &'m Model, settings: &TimeHistory, hooks: &dyn Hooks) -> Self {
        let forces = settings.forces_every.is_some() && hooks.wants_forces();
        Self {
            model,
            forces: forces.then(force_table),
            rows: Rows::new(model, settings),
            wanted: hooks.wants_rows(),
            motion: hooks.wants_motion().then(Motion::default),
        }
    }

    fn frame(&mut self, frame: Frame, hooks: &mut dyn Hooks) -> Result<(), AskFault> {
        if self.wanted {
            self.rows.frame(&frame);
        }
        hooks.frame(&frame)?;
        if let Some(motion) = &mut self.motion {
            motion.times.push(frame.time);
            motion.poses.push(frame.poses);
        }
        Ok(())
    }

    fn step(&mut self, note: &StepNote, hooks: &mut dyn Hooks) -> Result<(), AskFault> {
        if self.wanted {
            self.rows.step(note);
        }
        Ok(hooks.step(note)?)
    }

    fn forces(
        &mut self,
        time: f64,
        forces: &[ContactForce],
        hooks: &mut dyn Hooks,
    ) -> Result<(), AskFault> {
        if self.wanted {
            self.rows.forces(time, forces);
        }
        if let Some(table) = &mut self.forces {
            for force in forces {
                table.push(force_row(self.model, time, force));
            }
        }
        Ok(hooks.forces(time, forces)?)
    }
}

fn measures(model: &Model, run: &Run<'_>, summary: &Summary) -> Vec<Measure> {
    let blocks = model.blocks.iter().zip(run.frame().poses);
    let gone = blocks
        .filter(|(block, _)| !block.support)
        .map(|(block, pose)| (pose.position - block.position).length());
    let residual = gone.fold(0.0, f64::max);
    let fallen = summary.fallen_blocks.len() as f64;
    let mut all = Vec::new();
    if let Some(time) = summary.collapse_time {
        all.push(Measure::main("collapse_time", "collapsed at", time, "s"));
    }
    let largest = summary.largest_displacement.displacement;
    all.extend([
        Measure::main("largest_displacement", "largest displacement", largest, "m"),
        Measure::main(
            "residual_displacement",
            "residual displacement",
            residual,
            "m",
        ),
        Measure::main(
            "rotation",
            "largest rotation",
            run.progress().rotation(),
            "rad",
        ),
        Measure::main("fallen_blocks", "fallen blocks", fallen, ""),
    ]);
    if let Some(mortar) = summary.mortar {
        let broken = mortar.broken as f64;
        let label = format!("points without mortar, of {}", mortar.points);
        all.push(Measure::main("broken_mortar", &label, broken, ""));
    }
    for (name, peak) in &summary.peaks {
        let of = |what: &str| (format!("{name}.{what}"), format!("{what} of {name}"));
        let (key, label) = of("displacement");
        all.push(Measure::main(&key, &label, peak.displacement, "m"));
        let (key, label) = of("rotation");
        all.push(Measure::main(&key, &label, peak.rotation, "rad"));
    }
    let moving = f64::from(u8::from(summary.moving_at_end));
    let inaccurate = summary.troubles.inaccurate_steps as f64;
    all.extend([
        Measure::minor(
            "dissipated",
            "dissipated energy",
            summary.energy.dissipated,
            "J",
        ),
        Measure::minor("moving_at_end", "moving at the end", moving, ""),
        Measure::minor("time", "time reached", summary.time, "s"),
        Measure::minor("steps", "steps", summary.steps as f64, ""),
        Measure::minor(
            "max_penetration",
            "deepest overlap",
            summary.max_penetration,
            "m",
        ),
        Measure::minor(
            "worst_residual",
            "worst residual",
            summary.worst_residual,
            "",
        ),
        Measure::minor("inaccurate_steps", "inaccurate steps", inaccurate, ""),
    ]);
    all
}

/// The settings that the answer depends on, as in a model file, with the seeds of motions that are made up.
fn settings_used(model: &Model, settings: &TimeHistory) -> Value {
    let motions = settings
        .motions
        .iter()
        .filter_map(|&k| model.motions.get(k));
    let motions: Vec<Value> = motions
        .map(|motion| {
            let seed = match &motion.kind {
                MotionKind::Stochastic { settings, .. } => Some(settings.seed),
                MotionKind::CodeSpectrum { settings, .. } => Some(settings.seed),
                _ => None,
            };
            json!({ "name": motion.name, "seed": seed })
        })
        .collect();
    let adaptive = settings.adaptive.map(|steps| {
        json!({ "tolerance": steps.tolerance, "smallest": steps.smallest, "largest": steps.largest })
    });
    json!({
        "dt": settings.dt,
        "adaptive": adaptive,
        "duration": settings.duration,
        "settle": settings.settle,
        "output_every": settings.output_every,
        "scheme": settings.scheme,
        "joints": settings.joints,
        "friction_law": settings.friction_law,
        "ground": settings.ground,
        "solver": settings.solver,
        "tolerance": settings.tolerance,
        "regularisation": settings.regularisation,
        "rotation_iterations": settings.rotation_iterations,
        "collapse": settings.collapse,
        "collapse_drop": settings.collapse_drop,
        "motions": motions,
    })
}

fn describe_now(run: &Run<'_>) -> String {
    format!(
        "t {:.3} s, speed {:.2e} m/s",
        run.progress().state.time,
        run.speed()
    )
}
