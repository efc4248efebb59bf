//! An answer to its folder and back.

use std::path::Path;

use drystone_model::{Analysis, AnalysisKind, Case};
use drystone_questions::answer::{Answer, Motion};
use drystone_questions::pushover;
use serde_json::Value;

use crate::figures::figures_to_json;
use crate::{
    Error, MotionWriter, ResultDir, read_motion, read_motion_frames, read_table, write_atomic,
    write_json_atomic, write_table,
};
use drystone_page::report::{Paper, frames_shown, page, page_of_frames};

/// Writes all files of an answer that is in memory as a whole. The numbers are safe before pictures are made of them.
pub fn write_answer(
    case: &Case,
    analysis: &Analysis,
    answer: &Answer,
    folder: &ResultDir,
) -> Result<(), Error> {
    for table in answer.all_tables() {
        let path = folder.path().join(format!("{}.csv", table.name));
        write_table(&path, table)?;
    }
    if let Some(motion) = &answer.motion {
        let blocks = case.model().blocks.iter();
        let blocks: Vec<String> = blocks.map(|block| block.name.clone()).collect();
        let mut writer = MotionWriter::create(&folder.motion(), &blocks)?;
        for (time, poses) in motion.times.iter().zip(&motion.poses) {
            writer.append(*time, poses)?;
        }
        writer.finish()?;
    }
    write_json_atomic(&folder.summary(), &answer.summary)?;
    if let Some(text) = &answer.text {
        write_atomic(&folder.text(), text.as_bytes())?;
    }
    show(page(case, analysis, answer), folder)
}

/// Writes a page and its figures.
fn show(paper: Option<Paper>, folder: &ResultDir) -> Result<(), Error> {
    let Some(Paper { html, figures }) = paper else {
        return Ok(());
    };
    let path = folder.figures();
    write_atomic(&path, &figures_to_json(&figures, &path)?)?;
    write_atomic(&folder.report(), html.as_bytes())
}

/// Writes what is left of a time history, whose tables and motion are there already.
pub(crate) fn finish_time_history(
    case: &Case,
    analysis: &Analysis,
    answer: &Answer,
    folder: &ResultDir,
) -> Result<(), Error> {
    write_json_atomic(&folder.summary(), &answer.summary)?;
    // Only these frames: the whole motion may be larger than memory.
    let motion = read_motion_frames(&folder.motion(), frames_shown(case, answer))?;
    let frames: Vec<_> = motion.times.into_iter().zip(motion.poses).collect();
    show(page_of_frames(case, analysis, answer, &frames), folder)
}

/// Reads `summary.json`.
pub(crate) fn read_summary(path: &Path) -> Result<Value, Error> {
    let text = std::fs::read_to_string(path).map_err(Error::file("read", path))?;
    serde_json::from_str(&text)
        .map_err(|error| Error::damaged(path, format!("not a summary: {error}")))
}

/// Reads the answer that lies in a folder: its summary, and of a pushover, on which other analyses rest, its curve and shapes.
pub fn read_answer(analysis: &Analysis, folder: &Path) -> Result<Answer, Error> {
    let path = folder.join("summary.json");
    let summary = read_summary(&path)?;
    match &analysis.kind {
        AnalysisKind::Pushover(_) if summary["failure"].is_null() => {
            let curve = read_table(&folder.join("curve.csv"), "curve")?;
            let motion = read_motion(&folder.join("motion.parquet"))?;
            let motion = Motion {
                times: motion.times,
                poses: motion.poses,
            };
            pushover::recall(analysis, summary, &curve, motion)
                .map_err(|why| Error::damaged(folder, why))
        }
        _ => Ok(Answer::stored(analysis, summary)),
    }
}
