//! A pushover into its folder.

use std::time::Instant;

use drystone_analysis::pushover::{Branch, CurvePoint, Ending, Outcome as Pushed, pushover};
use drystone_geometry::Pose;
use drystone_model::{Analysis, Model, Pushover};
use serde::Serialize;
use serde_json::{Value, json};

use super::equilibrium::block_names;
use super::{Control, ExecuteError, Head, Hooks, Outcome, wanted};
use crate::report::PushoverReport;
use crate::{Error, MotionWriter, ResultDir, write_atomic, write_curve, write_json_atomic};

#[derive(Debug, Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
    /// Why the curve ends.
    ending: Ending,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    elastic_ending: Option<Ending>,
    /// Rigid limit of the initial configuration.
    alpha_0: Option<f64>,
    /// Where both branches meet.
    alpha_y: Option<f64>,
    d_y: Option<f64>,
    /// Where the multiplier is zero.
    d_0: Option<f64>,
    /// N/m.
    #[serde(skip_serializing_if = "Option::is_none")]
    initial_stiffness: Option<f64>,
    /// Sum of what is multiplied, N.
    live_resultant: [f64; 3],
    /// The last point of the curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Value>,
    control: Vec<Value>,
    control_direction: [f64; 3],
    points: usize,
    mobilised_blocks: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    detached_blocks: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broken_ties: Vec<Value>,
    limit_problems: u32,
    elastic_problems: u32,
    worst_residual: f64,
    notes: Vec<String>,
    seconds: Value,
}

/// Progress is told in thousandths of the way down to zero.
const PROGRESS: u64 = 1000;

pub(super) fn execute(
    model: &Model,
    analysis: &Analysis,
    settings: &Pushover,
    folder: &ResultDir,
    hooks: &mut dyn Hooks,
) -> Result<Outcome, ExecuteError> {
    let start = Instant::now();
    hooks.begin(PROGRESS, 0);
    let mut onset = None;
    let result = pushover(model, settings, &mut |point: &CurvePoint| {
        let onset = *onset.get_or_insert(point.alpha);
        let down = match (point.branch, settings.max_displacement) {
            (Branch::Elastic, _) => 1.0,
            (Branch::Rigid, Some(most)) => (point.d / most).max(1.0 - point.alpha / onset),
            (Branch::Rigid, None) => 1.0 - point.alpha / onset,
        };
        let done = (PROGRESS as f64 * down.clamp(0.0, 1.0)) as u64;
        let mut message = || format!("multiplier {:.4} at {:.4} m", point.alpha, point.d);
        hooks.advanced(done, &mut message) == Control::Continue
    })?;
    let solved = start.elapsed().as_secs_f64();
    wanted(hooks)?;
    write_curve(&folder.curve(), model, &result)?;
    let frames = frames(&result);
    write_motion(model, folder, &frames)?;
    let total = start.elapsed().as_secs_f64();
    let status = result.status();
    let failure = (result.ending == Ending::Unsolved).then(|| result.ending.words().to_owned());
    let summary = Summary {
        head: Head::new("pushover", analysis, model),
        status,
        failure: failure.as_deref(),
        ending: result.ending,
        reason: result.ending.words(),
        elastic_ending: result.elastic_ending,
        alpha_0: result.alpha_0,
        alpha_y: result.alpha_y,
        d_y: result.d_y,
        d_0: result.d_0,
        initial_stiffness: result.initial_stiffness,
        live_resultant: result.live_resultant.to_array(),
        last: result
            .curve
            .points
            .last()
            .map(|point| json!({ "alpha": point.alpha, "d": point.d })),
        control: result
            .control
            .iter()
            .map(
                |(block, at)| json!({ "block": model.blocks[*block].name, "point": at.to_array() }),
            )
            .collect(),
        control_direction: result.control_direction.to_array(),
        points: result.curve.points.len(),
        mobilised_blocks: block_names(model, &result.mobilised),
        detached_blocks: block_names(model, &result.detached),
        broken_ties: result
            .broken_ties
            .iter()
            .map(|(tie, d)| json!({ "tie": model.ties[*tie].name, "d": d }))
            .collect(),
        limit_problems: result.solves,
        elastic_problems: result.elastic_solves,
        worst_residual: result.residual,
        notes: result.notes.clone(),
        seconds: json!({ "total": total, "solve": solved, "output": total - solved }),
    };
    let path = folder.summary();
    let summary = serde_json::to_value(&summary).map_err(|error| Error::Encode {
        path: path.clone(),
        message: error.to_string(),
    })?;
    write_json_atomic(&path, &summary)?;
    let headline = headline(&result, total);
    let report = PushoverReport {
        model,
        analysis: &analysis.name,
        headline: &headline,
        summary: &summary,
        result: &result,
        frames: &frames,
    };
    write_atomic(&folder.report(), report.html().as_bytes())?;
    Ok(Outcome {
        summary,
        headline,
        failure,
        interrupted: result.stopped(),
    })
}

/// The way along both branches by growing displacement: up the elastic one to where they meet, then down the rigid one.
fn frames(result: &Pushed) -> Vec<(f64, Vec<Pose>)> {
    let mut frames: Vec<(f64, Vec<Pose>)> = Vec::new();
    let meet = result.d_y.unwrap_or(0.0);
    let elastic = result.curve.branch(Branch::Elastic);
    let rigid = result.curve.branch(Branch::Rigid);
    let has_elastic = result.elastic_ending.is_some();
    for point in elastic.chain(rigid.filter(|p| !has_elastic || p.d > meet)) {
        if frames.last().is_none_or(|(d, _)| point.d > *d) {
            frames.push((point.d, point.poses.clone()));
        }
    }
    frames
}

fn write_motion(
    model: &Model,
    folder: &ResultDir,
    frames: &[(f64, Vec<Pose>)],
) -> Result<(), Error> {
    let names: Vec<String> = model.blocks.iter().map(|b| b.name.clone()).collect();
    let mut motion = MotionWriter::create(&folder.motion(), &names)?;
    for (d, poses) in frames {
        motion.append(*d, poses)?;
    }
    motion.finish()
}

fn headline(result: &Pushed, seconds: f64) -> String {
    let Some(onset) = result.alpha_0 else {
        return format!("{} ({seconds:.2} s)", result.ending.words());
    };
    let mut text = format!("multiplier {onset:.6} at the onset");
    if let (Some(alpha), Some(d), true) =
        (result.alpha_y, result.d_y, result.elastic_ending.is_some())
    {
        let what = match result.elastic_ending {
            Some(Ending::Met) => "where both branches meet",
            _ => "at the peak of the elastic branch",
        };
        text.push_str(&format!(", {alpha:.6} at {d:.4} m {what}"));
    }
    if let (Some(ending), None) = (result.elastic_ending, result.alpha_y) {
        text.push_str(&format!(
            ", no peak of the elastic branch: {}",
            ending.words()
        ));
    }
    match (result.d_0, result.curve.points.last()) {
        (Some(d), _) => text.push_str(&format!(", zero at {d:.4} m")),
        (None, Some(last)) => text.push_str(&format!(
            ", {:.6} at {:.4} m, where {}",
            last.alpha,
            last.d,
            result.ending.words()
        )),
        (None, None) => {}
    }
    format!(
        "{text} ({} points, {} limit problems in {seconds:.2} s)",
        result.curve.points.len(),
        result.solves
    )
}
