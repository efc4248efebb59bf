//! Writing the motion during a run.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use drystone_geometry::Pose;

use super::parquet;
use super::spool::{SpoolReader, SpoolWriter};
use crate::Error;
use crate::atomic::{copy_path, partial_path, publish};

/// The motion of all blocks, frame by frame.
#[derive(Debug)]
pub struct MotionWriter {
    path: PathBuf,
    spool_path: PathBuf,
    spool: SpoolWriter,
}

impl MotionWriter {
    /// Begins a motion of blocks with these names; what was left of an interrupted one is lost.
    pub fn create(path: &Path, blocks: &[String]) -> Result<Self, Error> {
        let spool_path = partial_path(path);
        Ok(Self {
            path: path.to_owned(),
            spool: SpoolWriter::create(&spool_path, blocks)?,
            spool_path,
        })
    }

    /// Goes on with an interrupted motion after its first `frames` frames; later ones are cut off, fewer are an error.
    pub fn resume(path: &Path, blocks: &[String], frames: u64) -> Result<Self, Error> {
        let spool_path = partial_path(path);
        Ok(Self {
            path: path.to_owned(),
            spool: SpoolWriter::resume(&spool_path, blocks, frames)?,
            spool_path,
        })
    }

    /// Appends a frame: the poses of all blocks at a time.
    pub fn append(&mut self, time: f64, poses: &[Pose]) -> Result<(), Error> {
        self.spool.append(&self.spool_path, time, poses)
    }

    /// Frames so far.
    pub fn frames(&self) -> u64 {
        self.spool.frames
    }

    /// Hands everything to the disk; to be called before a checkpoint that counts on these frames is saved.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.spool.sync(&self.spool_path)
    }

    /// Puts the frames so far under the final name and stays open to be resumed.
    pub fn publish_copy(&mut self) -> Result<(), Error> {
        self.sync()?;
        convert(&self.spool_path, &self.path)
    }

    /// Turns the spool into the complete file.
    pub fn finish(mut self) -> Result<(), Error> {
        self.publish_copy()?;
        self.discard_partial()
    }

    /// Removes the spool that a resumed run would have gone on with; to be called when nobody can need it any more.
    pub fn discard_partial(self) -> Result<(), Error> {
        fs::remove_file(&self.spool_path).map_err(Error::file("remove", &self.spool_path))
    }
}

/// Turns what a killed run left into a motion file at `path`; the spool stays, to be resumed. Gives the number of frames.
pub fn recover_motion(path: &Path) -> Result<u64, Error> {
    let spool_path = partial_path(path);
    let frames = SpoolReader::open(&spool_path)?.frames;
    convert(&spool_path, path)?;
    Ok(frames)
}

fn convert(spool: &Path, path: &Path) -> Result<(), Error> {
    let copy = copy_path(path);
    let file = File::create(&copy).map_err(Error::file("write", &copy))?;
    parquet::write(spool, path, &file)?;
    publish(&file, &copy, path)
}

#[cfg(test)]
mod tests;
