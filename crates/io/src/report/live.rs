//! The page of an analysis that is still running: the same viewer, which asks the program that serves it for frames.

use drystone_analysis::time_history::{Frame, history_columns, history_row};
use drystone_model::{Analysis, AnalysisKind, Joints, Model};
use serde_json::{Value, json};

use super::packed::{base64, singles, turn};
use super::{page::Page, scene};

/// The page. It reads `events` beside its own address, and stops the run by a POST to `../stop`.
pub fn live_page(model: &Model, analysis: &Analysis) -> String {
    let mut data = scene::structure(model);
    data["live"] = json!({ "columns": columns(analysis) });
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
        still: String::new(),
        more: String::new(),
        data,
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

/// A frame as the live page reads it: its row of the history, displacements in single precision, rotations in steps of 1/32767.
pub fn live_frame(model: &Model, analysis: &Analysis, frame: &Frame) -> Value {
    let elastic = matches!(&analysis.kind, AnalysisKind::TimeHistory(settings) if settings.joints == Joints::Elastic);
    let poses = || model.blocks.iter().zip(&frame.poses);
    json!({
        "row": history_row(frame, elastic),
        "ways": singles(poses().flat_map(|(block, pose)| (pose.position - block.position).to_array())),
        "turns": base64(poses().flat_map(|(_, pose)| turn(pose.rotation)).flat_map(i16::to_le_bytes)),
    })
}
