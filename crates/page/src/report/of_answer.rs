//! The page of an answer.

use drystone_geometry::Pose;
use drystone_model::{Analysis, AnalysisKind, Case};
use drystone_questions::answer::{Answer, Detail, Table};
use drystone_questions::time_history::{Resultant, TimeHistoryDetail};

use super::{
    AssessmentReport, PackedMotion, Paper, PushoverReport, Report, Series, StaticsReport,
    rocking_page, shown, size, stride, touching,
};

/// Still pictures of a motion.
const PICTURES: usize = 6;
/// Blocks in all of them together, if there are several: those of a church would outweigh its motion.
const DRAWN_BLOCKS: usize = 4000;
/// Resultants a page holds; of more, those of fewer times are taken.
const RESULTANTS: usize = 60_000;

/// Which frames the page of an answer is made of: all, except of a long time history, of which some and the last are enough.
pub fn frames_shown(case: &Case, answer: &Answer) -> impl Fn(usize) -> bool + use<> {
    let count = match &answer.detail {
        Detail::TimeHistory(detail) => detail.rows.history.rows(),
        _ => 0,
    };
    let stride = stride(case.model(), count);
    move |frame| frame % stride == 0 || frame + 1 == count
}

/// The page of an answer that holds its motion, if it can be drawn.
pub fn page(case: &Case, analysis: &Analysis, answer: &Answer) -> Option<Paper> {
    let shown = frames_shown(case, answer);
    let motion = answer.motion.iter();
    let frames = motion.flat_map(|motion| motion.times.iter().zip(&motion.poses));
    let frames = frames.enumerate().filter(|(frame, _)| shown(*frame));
    let frames: Vec<_> = frames.map(|(_, (t, poses))| (*t, poses.clone())).collect();
    page_of_frames(case, analysis, answer, &frames)
}

/// The page of an answer whose motion is elsewhere; `frames` are those of [`frames_shown`] with their times.
pub fn page_of_frames(
    case: &Case,
    analysis: &Analysis,
    answer: &Answer,
    frames: &[(f64, Vec<Pose>)],
) -> Option<Paper> {
    let model = case.model();
    let (headline, summary) = (answer.headline.as_str(), &answer.summary);
    match (&answer.detail, &analysis.kind) {
        (Detail::TimeHistory(detail), _) => Some(time_history(case, answer, detail, frames)),
        (Detail::Rocking(result), AnalysisKind::Rocking(settings)) => rocking_page(
            model,
            &answer.name,
            settings,
            &result.history,
            headline,
            summary,
        ),
        (Detail::Statics(detail), _) => {
            let report = StaticsReport {
                model,
                analysis: &answer.name,
                headline,
                summary,
                joints: &detail.joints,
                lines: &detail.lines,
                cut: detail.cuts.first().map(|over| &over.cut),
                outlines: &detail.outlines,
                mechanism: detail.mechanism.as_ref().map(|all| shown(model, all)),
                polar: &detail.polar,
            };
            Some(report.paper())
        }
        (Detail::Pushover(result), _) => {
            let report = PushoverReport {
                model,
                analysis: &answer.name,
                headline,
                summary,
                result,
                frames,
            };
            Some(report.paper())
        }
        (Detail::Assessment(result), AnalysisKind::Assessment(settings)) => {
            let report = AssessmentReport {
                model,
                analysis: &answer.name,
                headline,
                text: answer.text.as_deref().unwrap_or_default(),
                summary,
                settings,
                result,
            };
            Some(report.paper())
        }
        (Detail::Rocking(_) | Detail::Assessment(_) | Detail::Stored, _) => None,
    }
}

fn time_history(
    case: &Case,
    answer: &Answer,
    detail: &TimeHistoryDetail,
    frames: &[(f64, Vec<Pose>)],
) -> Paper {
    let model = case.model();
    let stride = stride(model, detail.rows.history.rows());
    let motion = PackedMotion::new(model, frames, size(model), stride);
    let most = (DRAWN_BLOCKS / model.blocks.len().max(1)).clamp(1, PICTURES);
    let pictures = most.min(frames.len());
    // The last always; the first too if there is room.
    let pictures: Vec<_> = (0..pictures)
        .rev()
        .map(|k| k * (frames.len() - 1) / (pictures - 1).max(1))
        .map(|back| frames[frames.len() - 1 - back].clone())
        .collect();
    let ties = match model.ties.is_empty() {
        true => Series::default(),
        false => series(&detail.rows.ties),
    };
    let report = Report {
        model,
        analysis: &answer.name,
        headline: &answer.headline,
        summary: &answer.summary,
        history: &series(&detail.rows.history),
        diagnostics: &series(&detail.rows.diagnostics),
        touching: &touching(model),
        frames: &pictures,
        motion: &motion,
        forces: &thinned(&detail.rows.resultants),
        ties: &ties,
    };
    report.paper()
}

/// A table of numbers whose first column is the time.
fn series(table: &Table) -> Series {
    let numbers = |name: &str| table.column(name).unwrap_or_default().to_vec();
    let mut names: Vec<String> = table.columns.iter().map(|c| c.name.clone()).collect();
    let time = names.remove(0);
    Series {
        time: numbers(&time),
        columns: names.iter().map(|name| numbers(name)).collect(),
        names,
    }
}

fn thinned(all: &[Resultant]) -> Vec<Resultant> {
    let stride = all.len().div_ceil(RESULTANTS).max(1);
    let (mut kept, mut count, mut time) = (Vec::new(), 0, f64::NAN);
    for resultant in all {
        if resultant.time != time {
            count += 1;
            time = resultant.time;
        }
        if (count - 1) % stride == 0 {
            kept.push(*resultant);
        }
    }
    kept
}
