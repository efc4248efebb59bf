//! The page of an analysis that is still running: the same viewer, which asks the program that serves it for frames.

use drystone_model::{Analysis, AnalysisKind, Joints, Model};
use drystone_questions::time_history::{Frame, history_columns, history_row};
use serde::Serialize;
use serde_json::{Value, json};

use super::packed::{base64, singles, turn};
use super::page::Page;
use super::scene::{self, Live, Scene};

/// The page. It reads `events` beside its own address, and stops the run by a POST to `../stop`.
pub fn live_page(model: &Model, analysis: &Analysis) -> String {
    let scene = Scene {
        live: Some(Live {
            columns: columns(analysis),
        }),
        ..scene::structure(model)
    };
    Page {
        name: &model.name,
        analysis: &analysis.name,
        headline: "running",
        summary: &json!({
            "name": analysis.name,
            "status": "running",
            "version": env!("CARGO_PKG_VERSION"),
            "model_sha256": model.sha256,
        }),
        still: Vec::new(),
        more: Vec::new(),
        text: String::new(),
        scene,
    }
    .live_html()
}

/// Names of a frame's values after its time.
fn columns(analysis: &Analysis) -> Vec<String> {
    let AnalysisKind::TimeHistory(settings) = &analysis.kind else {
        return Vec::new();
    };
    let monitors = settings.monitors.iter();
    let monitors: Vec<&str> = monitors.map(|monitor| monitor.name.as_str()).collect();
    let mut columns = history_columns(&monitors, settings.joints == Joints::Elastic);
    columns.remove(0);
    columns
}

/// A frame of a run that goes on, as its page reads it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LiveFrame {
    /// Its row of the history: time, then values, none where one is not finite.
    #[cfg_attr(test, schemars(with = "Vec<Option<f64>>"))]
    row: Vec<f64>,
    /// Displacements of all blocks since the start, m; single precision.
    ways: String,
    /// Quaternions x y z w of all blocks in steps of 1/32767; 16 bits each.
    turns: String,
}

/// A frame as the live page reads it.
pub fn live_frame(model: &Model, analysis: &Analysis, frame: &Frame) -> Value {
    let elastic = matches!(&analysis.kind, AnalysisKind::TimeHistory(settings) if settings.joints == Joints::Elastic);
    let poses = || model.blocks.iter().zip(&frame.poses);
    let ways = poses().flat_map(|(block, pose)| (pose.position - block.position).to_array());
    let turns = poses().flat_map(|(_, pose)| turn(pose.rotation));
    serde_json::to_value(LiveFrame {
        row: history_row(frame, elastic),
        ways: singles(ways),
        turns: base64(turns.flat_map(i16::to_le_bytes)),
    })
    .unwrap_or_default()
}
