//! One run, from its task to its outcome. No files are written.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use drystone_model::{AnalysisKind, Case, Intensity, MotionKind};
use drystone_questions::answer::{Detail, Verdict};
use drystone_questions::{AskFault, Control, Hooks, ask};
use drystone_shaking::{
    GroundMotion, Measures, RecordComponent, RecordSeries, pseudo_acceleration, synthetic_series,
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
    let mut case = Case::of_spec(&spec, folder).map_err(|faults| faults.to_string())?;
    let mut strength = None;
    if let Some(scaling) = task.scaling {
        strength = Some(scale(&mut case, scaling)?);
    }
    if let Some(after) = task.after_motion {
        lengthen(&mut case, after)?;
    }
    let [analysis] = &case.model().analyses[..] else {
        return Err("the task has not one analysis".to_owned());
    };
    let mut hooks = Stoppable(stop);
    let answer = match ask(&case, analysis, &mut hooks) {
        Ok(answer) => answer,
        Err(AskFault::Unwanted | AskFault::Interrupted(_)) => return Ok(None),
        Err(fault) => return Err(fault.to_string()),
    };
    if answer.interrupted {
        return Ok(None);
    }
    if let Some(reason) = answer.failure {
        return Err(match &answer.detail {
            Detail::TimeHistory(history) => {
                format!("at {:.4} s: {reason}", history.summary.time)
            }
            _ => reason,
        });
    }
    // What has no effect in this one analysis may have one in another.
    let own = answer.notes.iter();
    let own = own.filter(|note| !case.idle().contains(note));
    let mut measures: Vec<(String, f64)> = Vec::new();
    measures.extend(strength.map(|strength| ("intensity".to_owned(), strength)));
    let found = answer.measures.into_iter();
    measures.extend(found.map(|measure| (measure.key, measure.value)));
    Ok(Some(Outcome {
        status: answer.status,
        collapsed: match answer.verdict {
            Verdict::Stands => Some(false),
            Verdict::Falls => Some(true),
            Verdict::Undecided => None,
        },
        measures,
        failure: None,
        notes: own.cloned().collect(),
        seconds: 0.0,
    }))
}

/// Stops a run, and keeps nothing but its answer.
struct Stoppable<'a>(&'a dyn Fn() -> bool);

impl Hooks for Stoppable<'_> {
    fn advanced(&mut self, _done: u64, _message: &mut dyn FnMut() -> String) -> Control {
        if (self.0)() {
            Control::Stop
        } else {
            Control::Continue
        }
    }

    fn wants_motion(&self) -> bool {
        false
    }

    fn wants_rows(&self) -> bool {
        false
    }
}

/// Scales the motion of the only analysis; its intensity after that.
///
/// What is made up from a seed is made here, and stands as a record from then on: the generators know no scale.
fn scale(case: &mut Case, scaling: Scaling) -> Result<f64, String> {
    let analyses = &case.model().analyses;
    let chosen = match analyses.first().map(|analysis| &analysis.kind) {
        Some(AnalysisKind::TimeHistory(settings)) => settings.motions.clone(),
        Some(AnalysisKind::Rocking(settings)) => settings.motions.clone(),
        _ => Vec::new(),
    };
    let [index] = chosen[..] else {
        return Err("only one motion can be scaled".to_owned());
    };
    let motion = &mut case.motions_mut()[index];
    if let Some(series) = synthetic_series(&motion.kind) {
        let series = series.map_err(|error| error.to_string())?;
        if let MotionKind::Stochastic { direction, .. }
        | MotionKind::CodeSpectrum { direction, .. } = motion.kind
        {
            motion.kind = MotionKind::Record {
                components: vec![RecordComponent {
                    direction,
                    path: Default::default(),
                    series,
                    notes: Vec::new(),
                }],
            };
        }
    }
    let components = match &mut motion.kind {
        MotionKind::Record { components } => &mut components[..],
        _ => &mut [],
    };
    let found = components
        .iter()
        .map(|component| intensity(&component.series, scaling.intensity))
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
    for component in components {
        for a in &mut component.series.acceleration {
            *a *= wanted / found;
        }
        let checked = component.series.check();
        checked.map_err(|error| error.to_string())?;
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

/// Makes the analysis last until some time after its motions.
fn lengthen(case: &mut Case, after: f64) -> Result<(), String> {
    let model = case.model();
    let chosen = match model.analyses.first().map(|analysis| &analysis.kind) {
        Some(AnalysisKind::TimeHistory(settings)) => &settings.motions,
        Some(AnalysisKind::Rocking(settings)) => &settings.motions,
        _ => return Ok(()),
    };
    let ground = GroundMotion::new(&model.motions, chosen);
    let end = ground.map_err(|error| error.to_string())?.end() + after;
    let analyses = case.analyses_mut();
    match analyses.first_mut().map(|analysis| &mut analysis.kind) {
        Some(AnalysisKind::TimeHistory(settings)) if end > 0.0 => settings.duration = end,
        Some(AnalysisKind::Rocking(settings)) if end > 0.0 => settings.duration = end,
        _ => {}
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
