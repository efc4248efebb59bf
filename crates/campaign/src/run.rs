//! One run, from its task to its outcome. No files are written.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use drystone_analysis::excitation::{
    GroundMotion, Measures, RecordSeries, pseudo_acceleration, synthetic_series,
};
use drystone_analysis::pushover::{Ending, pushover};
use drystone_analysis::rocking::{RockingStatus, solve};
use drystone_analysis::statics::{Posed, equilibrium, limit};
use drystone_analysis::time_history::{Excitation, Run, Status};
use drystone_cone::{LimitSettings, LimitStatus};
use drystone_mechanics::log_rotation;
use drystone_model::{
    AnalysisKind, Intensity, Model, MotionKind, Pushover, RecordComponent, RecordScale,
    TimeHistory, Treatment, compile_in,
};

use crate::outcome::Outcome;
use crate::task::{Scaling, Task};

/// Damping of the oscillator of spectral intensities, as a part of the critical one.
const DAMPING: f64 = 0.05;

/// Runs a task; files that its model names are looked for from `folder`. Nothing if it was stopped before its end.
pub fn execute(task: &Task, folder: &Path, stop: &dyn Fn() -> bool) -> Option<Outcome> {
    let start = Instant::now();
    // Whatever happens in one run must not take the others down.
    let caught = catch_unwind(AssertUnwindSafe(|| attempt(task, folder, stop)));
    let mut outcome = match caught {
        Ok(Ok(done)) => done?,
        Ok(Err(reason)) => Outcome::failed(within(folder, &reason)),
        Err(_) => Outcome::failed("the program hit a fault of its own; please report it"),
    };
    outcome.seconds = start.elapsed().as_secs_f64();
    // JSON has no numbers for these.
    outcome.measures.retain(|(_, value)| value.is_finite());
    Some(outcome)
}

/// A reason with the copies of files named from the folder of the campaign: results are the same wherever that lies.
fn within(folder: &Path, reason: &str) -> String {
    let files = format!("files{}", std::path::MAIN_SEPARATOR);
    let full = folder.join("files").join("").display().to_string();
    if full == files {
        return reason.to_owned();
    }
    let mut text = String::new();
    let mut rest = reason;
    while let Some(at) = rest.find(&full) {
        let before = &rest[..at];
        text.push_str(before);
        // `out/files/` also ends `other/out/files/`, which is another place.
        let inside = before
            .chars()
            .last()
            .is_some_and(|c| c.is_alphanumeric() || "/\\._-".contains(c));
        text.push_str(if inside { &full } else { &files });
        rest = &rest[at + full.len()..];
    }
    text + rest
}

fn attempt(task: &Task, folder: &Path, stop: &dyn Fn() -> bool) -> Result<Option<Outcome>, String> {
    let spec = drystone_model::from_tree(&task.model)
        .map_err(|faults| format!("the model cannot hold these values: {}", faults.first()))?;
    let mut model = compile_in(&spec, folder).map_err(|faults| faults.to_string())?;
    let mut records = drystone_io::load_records(&model).map_err(|error| error.to_string())?;
    let mut strength = None;
    if let Some(scaling) = task.scaling {
        strength = Some(scale(&mut model, &mut records, scaling)?);
    }
    let [analysis] = &mut model.analyses[..] else {
        return Err("the task has not one analysis".to_owned());
    };
    let mut kind = analysis.kind.clone();
    if let Some(after) = task.after_motion {
        lengthen(&model, &mut kind, &records, after)?;
    }
    let outcome = match &kind {
        AnalysisKind::TimeHistory(settings) => time_history(&model, settings, &records, stop)?,
        AnalysisKind::Rocking(settings) => {
            let ground = GroundMotion::new(&model.motions, &settings.motions, &records);
            let ground = ground.map_err(|error| error.to_string())?;
            let result = solve(settings, &ground).map_err(|error| error.to_string())?;
            let overturned = result.status == RockingStatus::Overturned;
            let mut measures = vec![("max_angle".to_owned(), result.max_angle)];
            if let Some(time) = result.overturn_time {
                measures.push(("collapse_time".to_owned(), time));
            }
            measures.push(("impacts".to_owned(), result.impacts.len() as f64));
            Some(outcome(
                if overturned { "overturned" } else { "stood" },
                Some(overturned),
                measures,
            ))
        }
        AnalysisKind::Equilibrium(settings) => {
            let result =
                equilibrium(&Posed::new(&model), settings).map_err(|error| error.to_string())?;
            if !result.standing.solved || !result.balanced {
                return Err(format!(
                    "the solver missed its tolerance: its worst residual is {:.1e}",
                    result.standing.residual
                ));
            }
            let stands = result.standing.stands;
            let measures = vec![
                ("max_speed".to_owned(), result.standing.max_speed),
                ("moving_blocks".to_owned(), result.moving.len() as f64),
                ("worst_residual".to_owned(), result.residual),
            ];
            let status = if stands { "stable" } else { "unstable" };
            Some(outcome(status, Some(!stands), measures))
        }
        AnalysisKind::Limit(settings) => {
            let result = limit(&Posed::new(&model), settings, &LimitSettings::default())
                .map_err(|error| error.to_string())?;
            let (status, falls) = match result.status {
                LimitStatus::Optimal => ("optimal", false),
                LimitStatus::Unbounded => ("unbounded", false),
                LimitStatus::Infeasible => ("infeasible", true),
                LimitStatus::Inaccurate => {
                    return Err(format!(
                        "the solver missed its tolerance: its worst residual is {:.1e}",
                        result.residual.worst()
                    ));
                }
            };
            let measures = vec![
                ("multiplier".to_owned(), result.multiplier),
                ("upper_bound".to_owned(), result.upper),
                ("moving_blocks".to_owned(), result.moving.len() as f64),
                ("worst_residual".to_owned(), result.residual.worst()),
            ];
            Some(outcome(status, Some(falls), measures))
        }
        AnalysisKind::Pushover(settings) => push(&model, settings, stop)?,
        AnalysisKind::Assessment(_) => {
            return Err(
                "an assessment rests on the files of a pushover; vary the pushover instead"
                    .to_owned(),
            );
        }
        AnalysisKind::Campaign(_) => return Err("a campaign of campaigns".to_owned()),
    };
    Ok(outcome.map(|mut outcome| {
        if let Some(strength) = strength {
            outcome
                .measures
                .insert(0, ("intensity".to_owned(), strength));
        }
        outcome
    }))
}

fn outcome(status: &str, collapsed: Option<bool>, measures: Vec<(String, f64)>) -> Outcome {
    Outcome {
        status: status.to_owned(),
        collapsed,
        measures,
        failure: None,
        seconds: 0.0,
    }
}

fn push(
    model: &Model,
    settings: &Pushover,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Outcome>, String> {
    let result = pushover(model, settings, &mut |_| !stop()).map_err(|error| error.to_string())?;
    if result.stopped() {
        return Ok(None);
    }
    if result.ending == Ending::Unsolved {
        return Err(result.ending.words().to_owned());
    }
    let (status, falls) = (result.status(), result.ending == Ending::Unstable);
    let values = [
        ("alpha_0", result.alpha_0),
        ("alpha_y", result.alpha_y),
        ("d_y", result.d_y),
        ("d_0", result.d_0),
        ("initial_stiffness", result.initial_stiffness),
        ("mobilised_blocks", Some(result.mobilised.len() as f64)),
        ("worst_residual", Some(result.residual)),
    ];
    let found = values
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Ok(Some(outcome(status, Some(falls), found.collect())))
}

fn time_history(
    model: &Model,
    settings: &TimeHistory,
    records: &[Vec<RecordSeries>],
    stop: &dyn Fn() -> bool,
) -> Result<Option<Outcome>, String> {
    let excitation =
        Excitation::new(model, &settings.motions, records).map_err(|error| error.to_string())?;
    let mut run = Run::new(model, settings, excitation);
    let free: Vec<usize> = (0..model.blocks.len())
        .filter(|&i| !model.blocks[i].support)
        .collect();
    let mut rotation = 0.0_f64;
    while !run.finished() {
        if stop() {
            return Ok(None);
        }
        run.advance(&mut ())
            .map_err(|fault| format!("at {:.4} s: {fault}", run.progress().state.time))?;
        let poses = &run.progress().state.poses;
        for &i in &free {
            rotation = rotation.max(log_rotation(poses[i].rotation).length());
        }
    }
    let summary = run.summary();
    let end = run.frame().poses;
    let mut residual = 0.0_f64;
    let mut fallen = 0_u32;
    for &i in &free {
        let block = &model.blocks[i];
        let gone = end[i].position - block.position;
        residual = residual.max(gone.length());
        let heights = || block.shape.vertices().map(|vertex| vertex.z);
        let height = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
        fallen += u32::from(-gone.z > 0.5 * height);
    }
    let mut measures: Vec<(String, f64)> = Vec::new();
    let mut measure = |name: &str, value: f64| measures.push((name.to_owned(), value));
    if let Some(time) = summary.collapse_time {
        measure("collapse_time", time);
    }
    measure(
        "largest_displacement",
        summary.largest_displacement.displacement,
    );
    measure("residual_displacement", residual);
    measure("rotation", rotation);
    measure("fallen_blocks", f64::from(fallen));
    for (name, peak) in &summary.peaks {
        measure(&format!("{name}.displacement"), peak.displacement);
        measure(&format!("{name}.rotation"), peak.rotation);
    }
    measure("dissipated", summary.energy.dissipated);
    measure("moving_at_end", f64::from(u8::from(summary.moving_at_end)));
    measure("time", summary.time);
    measure("steps", summary.steps as f64);
    measure("max_penetration", summary.max_penetration);
    measure("worst_residual", summary.worst_residual);
    measure("inaccurate_steps", summary.troubles.inaccurate_steps as f64);
    let collapsed = summary.status == Status::Collapsed;
    let status = if collapsed { "collapsed" } else { "stood" };
    Ok(Some(outcome(status, Some(collapsed), measures)))
}

/// Scales the motion of the only analysis; its intensity after that.
///
/// What is made up from a seed is made here, and stands as a record from then on: the generators know no scale.
fn scale(
    model: &mut Model,
    records: &mut Vec<Vec<RecordSeries>>,
    scaling: Scaling,
) -> Result<f64, String> {
    let chosen = match model.analyses.first().map(|analysis| &analysis.kind) {
        Some(AnalysisKind::TimeHistory(settings)) => settings.motions.clone(),
        Some(AnalysisKind::Rocking(settings)) => settings.motions.clone(),
        _ => Vec::new(),
    };
    let [index] = chosen[..] else {
        return Err("only one motion can be scaled".to_owned());
    };
    records.resize(model.motions.len().max(records.len()), Vec::new());
    let motion = &mut model.motions[index];
    if let Some(series) = synthetic_series(&motion.kind) {
        let series = series.map_err(|error| error.to_string())?;
        if let MotionKind::Stochastic { direction, .. }
        | MotionKind::CodeSpectrum { direction, .. } = motion.kind
        {
            motion.kind = MotionKind::Record {
                components: vec![RecordComponent {
                    direction,
                    path: Default::default(),
                    channel: None,
                    dt: None,
                    treatment: Treatment::default(),
                    scale: RecordScale::Factor(1.0),
                }],
            };
            records[index] = vec![series];
        }
    }
    let found = records[index]
        .iter()
        .map(|series| intensity(series, scaling.intensity))
        .fold(0.0, f64::max);
    let Some(wanted) = scaling.value else {
        return Ok(found);
    };
    if !(found > 0.0 && found.is_finite()) {
        return Err(format!(
            "the motion \"{}\" has no intensity to be scaled",
            motion.name
        ));
    }
    for series in &mut records[index] {
        for a in &mut series.acceleration {
            *a *= wanted / found;
        }
        series.check().map_err(|error| error.to_string())?;
    }
    Ok(wanted)
}

/// The intensity of one component.
fn intensity(series: &RecordSeries, measure: Intensity) -> f64 {
    match measure {
        Intensity::Pga => series.peak(),
        Intensity::Pgv => Measures::of(series).pgv,
        Intensity::Sa { period } => pseudo_acceleration(series, period, DAMPING),
    }
}

/// Makes an analysis last until some time after its motions.
fn lengthen(
    model: &Model,
    kind: &mut AnalysisKind,
    records: &[Vec<RecordSeries>],
    after: f64,
) -> Result<(), String> {
    let (motions, duration) = match kind {
        AnalysisKind::TimeHistory(settings) => (&settings.motions, &mut settings.duration),
        AnalysisKind::Rocking(settings) => (&settings.motions, &mut settings.duration),
        _ => return Ok(()),
    };
    let ground = GroundMotion::new(&model.motions, motions, records);
    let end = ground.map_err(|error| error.to_string())?.end() + after;
    if end > 0.0 {
        *duration = end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_files_from_the_folder_of_the_campaign() {
        let told = |folder: &str, reason: &str| within(Path::new(folder), reason);
        let reason = "out/st/files/0a/r.csv:3: no number; see out/st/files/0b/r.csv";
        let short = "files/0a/r.csv:3: no number; see files/0b/r.csv";
        assert_eq!(told("out/st", reason), short);
        assert_eq!(told("t", "out/t/files/0a/r.csv"), "out/t/files/0a/r.csv");
        assert_eq!(told("", short), short);
    }
}
