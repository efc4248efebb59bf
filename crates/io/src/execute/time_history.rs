//! A time history into its folder: tables, motion, checkpoints, report.

use std::time::{Duration, Instant};

use drystone_analysis::excitation::RecordSeries;
use drystone_analysis::time_history::{Events, Excitation, Progress, Run, Status, Summary};
use drystone_model::{Analysis, Joints, Model, MotionKind, TimeHistory};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::clock::{Clock, Seconds};
use super::read;
use super::{Control, ExecuteError, Head, Hooks, Outcome};
use crate::report::{PackedMotion, Report, Series, size, stride, touching};
use crate::{
    DiagnosticsTable, Error, Existing, ForcesTable, HistoryTable, Keep, MotionWriter, ResultDir,
    TiesTable, load_checkpoint, read_motion_frames, save_checkpoint, write_atomic,
    write_json_atomic,
};

/// A power cut costs at most this much work.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);
/// Still pictures of the motion in the report.
const PICTURES: usize = 6;
/// Blocks in all of them together, if there are several: those of a church would outweigh its motion.
const DRAWN_BLOCKS: usize = 4000;

/// What is saved besides the files.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    progress: Progress,
    seconds: Seconds,
    frames_written: u64,
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

/// The open files of a run.
struct Files {
    history: HistoryTable,
    motion: MotionWriter,
    forces: Option<ForcesTable>,
    ties: Option<TiesTable>,
    diagnostics: DiagnosticsTable,
}

impl Files {
    fn create(model: &Model, settings: &TimeHistory, folder: &ResultDir) -> Result<Self, Error> {
        let (monitors, blocks) = names(model, settings);
        let elastic = settings.joints == Joints::Elastic;
        Ok(Self {
            history: HistoryTable::create(&folder.history(), &monitors, elastic)?,
            motion: MotionWriter::create(&folder.motion(), &blocks)?,
            forces: match settings.forces_every {
                Some(_) => Some(ForcesTable::create(&folder.forces())?),
                None => None,
            },
            ties: match tie_names(model).as_slice() {
                [] => None,
                names => Some(TiesTable::create(&folder.ties(), names)?),
            },
            diagnostics: DiagnosticsTable::create(&folder.diagnostics())?,
        })
    }

    fn resume(
        model: &Model,
        settings: &TimeHistory,
        folder: &ResultDir,
        saved: &Saved,
    ) -> Result<Self, Error> {
        let (monitors, blocks) = names(model, settings);
        let elastic = settings.joints == Joints::Elastic;
        let frames = saved.frames_written;
        Ok(Self {
            history: HistoryTable::resume(
                &folder.history(),
                &monitors,
                elastic,
                Keep::Rows(frames),
            )?,
            motion: MotionWriter::resume(&folder.motion(), &blocks, frames)?,
            forces: match settings.forces_every {
                Some(_) => Some(ForcesTable::resume(
                    &folder.forces(),
                    Keep::UpTo(saved.progress.state.time),
                )?),
                None => None,
            },
            ties: match tie_names(model).as_slice() {
                [] => None,
                names => Some(TiesTable::resume(
                    &folder.ties(),
                    names,
                    Keep::Rows(frames),
                )?),
            },
            diagnostics: DiagnosticsTable::resume(
                &folder.diagnostics(),
                saved.progress.state.time,
            )?,
        })
    }

    fn write(
        &mut self,
        model: &Model,
        run: &Run<'_>,
        events: Events,
        hooks: &mut dyn Hooks,
    ) -> Result<(), Error> {
        if events.frame {
            let frame = run.frame();
            self.history.append(&frame)?;
            self.motion.append(frame.time, &frame.poses)?;
            hooks.frame(&frame);
            if let Some(ties) = &mut self.ties {
                ties.append(&frame)?;
            }
        }
        if let (Some(forces), true) = (&mut self.forces, events.forces) {
            let time = run.progress().state.time;
            for force in run.contact_forces() {
                let blocks = force.blocks.map(|i| model.blocks[i].name.as_str());
                forces.append(time, blocks, &force)?;
            }
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Error> {
        self.history.sync()?;
        self.motion.sync()?;
        self.ties.as_mut().map_or(Ok(()), TiesTable::sync)?;
        self.diagnostics.sync()?;
        self.forces.as_mut().map_or(Ok(()), ForcesTable::sync)
    }

    fn publish_copies(&mut self) -> Result<(), Error> {
        self.history.publish_copy()?;
        self.motion.publish_copy()?;
        self.ties.as_mut().map_or(Ok(()), TiesTable::publish_copy)?;
        self.diagnostics.publish_copy()?;
        self.forces
            .as_mut()
            .map_or(Ok(()), ForcesTable::publish_copy)
    }

    fn discard_partials(self) -> Result<(), Error> {
        self.history.discard_partial()?;
        self.motion.discard_partial()?;
        self.ties.map_or(Ok(()), TiesTable::discard_partial)?;
        self.diagnostics.discard_partial()?;
        self.forces.map_or(Ok(()), ForcesTable::discard_partial)
    }
}

fn tie_names(model: &Model) -> Vec<&str> {
    model.ties.iter().map(|tie| tie.name.as_str()).collect()
}

fn names<'a>(model: &Model, settings: &'a TimeHistory) -> (Vec<&'a str>, Vec<String>) {
    (
        settings
            .monitors
            .iter()
            .map(|monitor| monitor.name.as_str())
            .collect(),
        model
            .blocks
            .iter()
            .map(|block| block.name.clone())
            .collect(),
    )
}

pub(super) fn execute(
    model: &Model,
    analysis: &Analysis,
    settings: &TimeHistory,
    records: &[Vec<RecordSeries>],
    folder: &ResultDir,
    existing: Existing,
    hooks: &mut dyn Hooks,
) -> Result<Outcome, ExecuteError> {
    let name = analysis.name.as_str();
    let excitation = Excitation::new(model, &settings.motions, records)?;
    let mut run = Run::new(model, settings, excitation);
    let mut clock = Clock::new(Seconds::default());
    let mut files = if existing == Existing::Resume && folder.checkpoint().exists() {
        let saved: Saved = load_checkpoint(&folder.checkpoint(), &model.sha256, name)?;
        let files = Files::resume(model, settings, folder, &saved)?;
        clock = Clock::new(saved.seconds);
        run.resume(saved.progress);
        files
    } else {
        let mut files = Files::create(model, settings, folder)?;
        let start = Events {
            frame: true,
            forces: false,
        };
        files.write(model, &run, start, hooks)?;
        files
    };
    hooks.begin(run.total_steps(), run.steps_done());
    let mut saved_at = Instant::now();
    let mut failure = None;
    while !run.finished() {
        match run.advance(&mut clock) {
            Ok(events) => {
                files.diagnostics.append(run.note())?;
                files.write(model, &run, events, hooks)?;
            }
            Err(fault) => {
                failure = Some(fault.to_string());
                break;
            }
        }
        let control = hooks.advanced(run.steps_done(), &mut || describe_now(&run));
        if control == Control::Stop {
            break;
        }
        if saved_at.elapsed() >= CHECKPOINT_EVERY {
            save(model, name, folder, &run, &mut files, &mut clock)?;
            saved_at = Instant::now();
        }
    }
    let done = run.finished() && failure.is_none();
    if !done {
        save(model, name, folder, &run, &mut files, &mut clock)?;
    }
    files.publish_copies()?;
    let results = run.summary();
    let seconds = clock.read();
    let mut headline = headline(&results, done, seconds.total);
    if let Some(reason) = &failure {
        headline = format!("failed at {:.4} s: {reason}", results.time);
    }
    let mut summary = to_value(
        folder,
        &SummaryFile {
            head: Head::new("time_history", analysis, model),
            results: &results,
            complete: done,
            failure: failure.as_deref(),
            settings: told(model, settings),
            seconds,
        },
    )?;
    if failure.is_some() {
        summary["status"] = Value::from("failed");
    }
    // The numbers are safe before pictures are made of them.
    write_json_atomic(&folder.summary(), &summary)?;
    write_report(model, name, &headline, &summary, folder)?;
    if done {
        // In this order a kill leaves either all that `--resume` needs or a complete run.
        let path = folder.checkpoint();
        if path.exists() {
            std::fs::remove_file(&path).map_err(Error::file("remove", &path))?;
        }
        files.discard_partials()?;
    }
    Ok(Outcome {
        summary,
        headline,
        interrupted: !done && failure.is_none(),
        failure,
    })
}

/// Saves what `--resume` needs: first the files it counts on, then the checkpoint.
fn save(
    model: &Model,
    name: &str,
    folder: &ResultDir,
    run: &Run<'_>,
    files: &mut Files,
    clock: &mut Clock,
) -> Result<(), Error> {
    #[derive(Serialize)]
    struct Saving<'a> {
        progress: &'a Progress,
        seconds: Seconds,
        frames_written: u64,
    }
    files.sync()?;
    let saving = Saving {
        progress: run.progress(),
        seconds: clock.read(),
        frames_written: files.motion.frames(),
    };
    save_checkpoint(&folder.checkpoint(), &model.sha256, name, &saving)
}

fn to_value(folder: &ResultDir, summary: &SummaryFile<'_>) -> Result<Value, Error> {
    serde_json::to_value(summary).map_err(|error| Error::Encode {
        path: folder.summary(),
        message: error.to_string(),
    })
}

/// The settings that the answer depends on, as in a model file, with the seeds of motions that are made up.
fn told(model: &Model, settings: &TimeHistory) -> Value {
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
        "output_every": settings.output_every,
        "scheme": settings.scheme,
        "joints": settings.joints,
        "friction_law": settings.friction_law,
        "ground": settings.ground,
        "solver": settings.solver,
        "tolerance": settings.tolerance,
        "regularisation": settings.regularisation,
        "rotation_iterations": settings.rotation_iterations,
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

/// The verdict in one line.
fn headline(results: &Summary, done: bool, seconds: f64) -> String {
    let verdict = match (results.status, results.collapse_time) {
        (Status::Collapsed, Some(time)) => format!("collapsed at {time:.3} s"),
        (Status::Collapsed, None) => "collapsed".to_owned(),
        (Status::Stood, _) => {
            let farthest = &results.largest_displacement;
            let mut text = if results.moving_at_end {
                format!(
                    "stood so far, but still moving at the end (kinetic energy {:.3e} J): run longer to know",
                    results.energy.kinetic
                )
            } else {
                "stood".to_owned()
            };
            if farthest.displacement > 0.0 {
                text.push_str(&format!(
                    "; largest displacement {:.3e} m (block \"{}\")",
                    farthest.displacement, farthest.block
                ));
            }
            text
        }
        (Status::Interrupted, _) => {
            format!("interrupted at {:.3} s; go on with --resume", results.time)
        }
    };
    let verdict = match results.status {
        Status::Collapsed if !done => format!(
            "{verdict}, interrupted at {:.3} s; go on with --resume",
            results.time
        ),
        _ => verdict,
    };
    let mut text = format!(
        "{verdict} ({} steps in {seconds:.1} s, worst residual {:.1e}, penetration {:.1e} m)",
        results.steps, results.worst_residual, results.max_penetration
    );
    if results.troubles.inaccurate_steps > 0 {
        text.push_str(&format!(
            "; {} steps missed the tolerance, try a smaller dt",
            results.troubles.inaccurate_steps
        ));
    }
    if results.troubles.relaxed_steps > 0 {
        text.push_str(&format!(
            "; {} steps had blocks wedged between fixed ones",
            results.troubles.relaxed_steps
        ));
    }
    if results.troubles.capped_steps > 0 {
        text.push_str(&format!(
            "; overlaps were pushed out slowly in {} steps",
            results.troubles.capped_steps
        ));
    }
    text
}

fn write_report(
    model: &Model,
    name: &str,
    headline: &str,
    summary: &Value,
    folder: &ResultDir,
) -> Result<(), Error> {
    let history = read::history(&folder.history())?;
    // Only these frames: the whole motion may be larger than memory.
    let count = history.time.len();
    let stride = stride(model, count);
    let motion = read_motion_frames(&folder.motion(), |frame| {
        frame % stride == 0 || frame + 1 == count
    })?;
    let frames: Vec<_> = motion.times.into_iter().zip(motion.poses).collect();
    let motion = PackedMotion::new(model, &frames, size(model), stride);
    let most = (DRAWN_BLOCKS / model.blocks.len().max(1)).clamp(1, PICTURES);
    let pictures = most.min(frames.len());
    // The last always; the first too if there is room.
    let pictures: Vec<_> = (0..pictures)
        .rev()
        .map(|k| k * (frames.len() - 1) / (pictures - 1).max(1))
        .map(|back| frames[frames.len() - 1 - back].clone())
        .collect();
    let forces = if folder.forces().exists() {
        read::forces(model, &folder.forces())?
    } else {
        Vec::new()
    };
    let diagnostics = read::history(&folder.diagnostics())?;
    let ties = if folder.ties().exists() {
        read::history(&folder.ties())?
    } else {
        Series::default()
    };
    let report = Report {
        model,
        analysis: name,
        headline,
        summary,
        history: &history,
        diagnostics: &diagnostics,
        touching: &touching(model),
        frames: &pictures,
        motion: &motion,
        forces: &forces,
        ties: &ties,
    };
    write_atomic(&folder.report(), report.html().as_bytes())
}
