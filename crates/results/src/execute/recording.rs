//! A time history on its way to its folder: rows and frames are written as they come, and its state from time to time.

use std::time::{Duration, Instant};

use drystone_mechanics::ContactForce;
use drystone_model::{Analysis, Case, Model, TimeHistory};
use drystone_questions::answer::{Answer, Cell, FORCE_COLUMNS, Identity, Table, force_row};
use drystone_questions::time_history::{
    Earlier, Frame, Progress, Rows, Seconds, StepNote, step_row, ties_row,
};
use drystone_questions::{Control, Hooks, KeepFault};
use serde::{Deserialize, Serialize};

use crate::{
    Error, Existing, Keep, MotionWriter, ResultDir, TableFile, load_checkpoint, read_table,
    save_checkpoint,
};

/// A power cut costs at most this much work.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

/// What is saved besides the files.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    progress: Progress,
    seconds: Seconds,
    frames_written: u64,
}

/// The open files of a run.
pub(super) struct Files {
    history: TableFile,
    diagnostics: TableFile,
    ties: Option<TableFile>,
    forces: Option<TableFile>,
    motion: MotionWriter,
}

impl Files {
    /// Opens files anew, or goes on with those of an interrupted run.
    fn open(
        model: &Model,
        settings: &TimeHistory,
        rows: &Rows,
        folder: &ResultDir,
        saved: Option<&Saved>,
    ) -> Result<Self, Error> {
        let blocks: Vec<String> = model.blocks.iter().map(|b| b.name.clone()).collect();
        let keep = saved.map(|saved| {
            let frames = Keep::Rows(saved.frames_written);
            (frames, Keep::UpTo(saved.progress.state.time))
        });
        let open = |path: std::path::PathBuf, columns: Vec<String>, keep: Option<Keep>| match keep {
            Some(keep) => TableFile::resume(&path, &columns, keep),
            None => TableFile::create(&path, &columns),
        };
        let (by_frame, by_time) = (keep.map(|k| k.0), keep.map(|k| k.1));
        Ok(Self {
            history: open(folder.history(), names(&rows.history), by_frame)?,
            motion: match saved {
                Some(saved) => {
                    MotionWriter::resume(&folder.motion(), &blocks, saved.frames_written)?
                }
                None => MotionWriter::create(&folder.motion(), &blocks)?,
            },
            forces: match settings.forces_every {
                Some(_) => {
                    let columns = FORCE_COLUMNS.map(str::to_owned).to_vec();
                    Some(open(folder.forces(), columns, by_time)?)
                }
                None => None,
            },
            ties: if model.ties.is_empty() {
                None
            } else {
                Some(open(folder.ties(), names(&rows.ties), by_frame)?)
            },
            diagnostics: open(folder.diagnostics(), names(&rows.diagnostics), by_time)?,
        })
    }

    fn tables(&mut self) -> impl Iterator<Item = &mut TableFile> {
        let some = [&mut self.history, &mut self.diagnostics].into_iter();
        some.chain(&mut self.ties).chain(&mut self.forces)
    }

    fn sync(&mut self) -> Result<(), Error> {
        self.motion.sync()?;
        self.tables().try_for_each(TableFile::sync)
    }

    /// Puts what there is under its final names.
    pub(super) fn publish_copies(&mut self) -> Result<(), Error> {
        self.motion.publish_copy()?;
        self.tables().try_for_each(TableFile::publish_copy)
    }

    /// Removes what a resumed run would have gone on with.
    pub(super) fn discard_partials(self) -> Result<(), Error> {
        self.motion.discard_partial()?;
        let all = [Some(self.history), Some(self.diagnostics), self.ties];
        let mut all = all.into_iter().chain([self.forces]).flatten();
        all.try_for_each(TableFile::discard_partial)
    }
}

fn names(table: &Table) -> Vec<String> {
    table.columns.iter().map(|c| c.name.clone()).collect()
}

/// Hooks that write a time history into its folder.
pub(super) struct Recording<'a> {
    model: &'a Model,
    analysis: &'a Analysis,
    settings: &'a TimeHistory,
    folder: &'a ResultDir,
    existing: Existing,
    inner: &'a mut dyn Hooks,
    rows: Rows,
    files: Option<Files>,
    start: Instant,
    saved_at: Instant,
}

impl<'a> Recording<'a> {
    pub(super) fn new(
        case: &'a Case,
        analysis: &'a Analysis,
        settings: &'a TimeHistory,
        folder: &'a ResultDir,
        existing: Existing,
        inner: &'a mut dyn Hooks,
    ) -> Self {
        let model = case.model();
        Self {
            model,
            analysis,
            settings,
            folder,
            existing,
            inner,
            rows: Rows::new(model, settings),
            files: None,
            start: Instant::now(),
            saved_at: Instant::now(),
        }
    }

    /// The files, after the run.
    pub(super) fn files(self) -> Result<Files, Error> {
        self.files
            .ok_or_else(|| Error::damaged(self.folder.path(), "nothing was recorded"))
    }

    fn open_files(&mut self, saved: Option<&Saved>) -> Result<&mut Files, Error> {
        let files = Files::open(self.model, self.settings, &self.rows, self.folder, saved)?;
        Ok(self.files.insert(files))
    }

    fn opened(&mut self) -> Result<&mut Files, KeepFault> {
        match self.files {
            Some(ref mut files) => Ok(files),
            None => Err("rows before the files".into()),
        }
    }

    /// Goes on with what an interrupted run left.
    fn go_on(&mut self) -> Result<Earlier, Error> {
        let identity = Identity::of(self.analysis);
        let saved: Saved = load_checkpoint(&self.folder.checkpoint(), &identity)?;
        let files = self.open_files(Some(&saved))?;
        files.sync()?;
        let mut rows = self.rows.clone();
        for (table, path) in [
            (&mut rows.history, self.folder.history()),
            (&mut rows.diagnostics, self.folder.diagnostics()),
            (&mut rows.ties, self.folder.ties()),
        ] {
            let path = crate::partial_path(&path);
            if path.exists() {
                *table = read_table(&path, table.name)?;
            }
        }
        if self.settings.forces_every.is_some() {
            let path = crate::partial_path(&self.folder.forces());
            crate::export::forces_by_time(self.model, &path, &mut |time, forces| {
                rows.forces(time, forces);
            })?;
        }
        Ok(Earlier {
            progress: saved.progress,
            seconds: saved.seconds,
            rows,
        })
    }
}

impl Hooks for Recording<'_> {
    fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn begin(&mut self, total: u64, done: u64) {
        self.inner.begin(total, done);
    }

    fn advanced(&mut self, done: u64, message: &mut dyn FnMut() -> String) -> Control {
        self.inner.advanced(done, message)
    }

    /// It is in its file.
    fn wants_motion(&self) -> bool {
        false
    }

    fn known(&mut self, analysis: &Analysis) -> Result<Option<Answer>, KeepFault> {
        self.inner.known(analysis)
    }

    fn resume(&mut self) -> Result<Option<Earlier>, KeepFault> {
        if self.existing == Existing::Resume && self.folder.checkpoint().exists() {
            return Ok(Some(self.go_on()?));
        }
        self.open_files(None)?;
        Ok(None)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), KeepFault> {
        let row = self.rows.history_row(frame);
        let files = self.opened()?;
        files.history.append(row.into_iter().map(Cell::Number))?;
        files.motion.append(frame.time, &frame.poses)?;
        if let Some(ties) = &mut files.ties {
            ties.append(ties_row(frame).map(Cell::Number))?;
        }
        self.inner.frame(frame)
    }

    fn forces(&mut self, time: f64, forces: &[ContactForce]) -> Result<(), KeepFault> {
        let model = self.model;
        if let Some(table) = &mut self.opened()?.forces {
            for force in forces {
                table.append(force_row(model, time, force))?;
            }
        }
        self.inner.forces(time, forces)
    }

    fn step(&mut self, note: &StepNote) -> Result<(), KeepFault> {
        let row = step_row(note).map(Cell::Number);
        self.opened()?.diagnostics.append(row)?;
        self.inner.step(note)
    }

    /// First the files that a checkpoint counts on, then the checkpoint.
    fn state(
        &mut self,
        progress: &Progress,
        seconds: Seconds,
        last: bool,
    ) -> Result<(), KeepFault> {
        #[derive(Serialize)]
        struct Saving<'a> {
            progress: &'a Progress,
            seconds: Seconds,
            frames_written: u64,
        }
        if !last && self.saved_at.elapsed() < CHECKPOINT_EVERY {
            return Ok(());
        }
        let (path, identity) = (self.folder.checkpoint(), Identity::of(self.analysis));
        let files = self.opened()?;
        files.sync()?;
        let saving = Saving {
            progress,
            seconds,
            frames_written: files.motion.frames(),
        };
        save_checkpoint(&path, &identity, &saving)?;
        self.saved_at = Instant::now();
        self.inner.state(progress, seconds, last)
    }
}
