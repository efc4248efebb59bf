//! The page of an answer.

use drystone_geometry::Pose;
use drystone_model::{Analysis, AnalysisKind, Case};
use drystone_questions::answer::{Answer, Detail, Motion, Table};
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

/// The page of an answer, if it can be drawn. `motion` has the frames that the page is to show.
pub fn page(case: &Case, analysis: &Analysis, answer: &Answer, motion: &Motion) -> Option<Paper> {
    let model = case.model();
    let (headline, summary) = (answer.headline.as_str(), &answer.summary);
    let frames = || -> Vec<(f64, Vec<Pose>)> {
        let poses = motion.poses.iter().cloned();
        motion.times.iter().copied().zip(poses).collect()
    };
    match (&answer.detail, &analysis.kind) {
        (Detail::TimeHistory(detail), _) => Some(time_history(case, answer, detail, frames())),
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
                frames: &frames(),
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
    frames: Vec<(f64, Vec<Pose>)>,
) -> Paper {
    let model = case.model();
    let stride = stride(model, detail.rows.history.rows());
    let motion = PackedMotion::new(model, &frames, size(model), stride);
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
