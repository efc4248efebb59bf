//! Frames as plain bytes, appended one after the other.
//!
//! The magic bytes, the length of the header (u64), the header (JSON array of block names), then per frame the time and
//! seven doubles per block (position, quaternion). Little endian.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use drystone_geometry::{DQuat, DVec3, Pose};

use crate::Error;

const MAGIC: [u8; 8] = *b"dry-spl1";

/// Bytes of one frame.
fn frame_bytes(blocks: usize) -> u64 {
    8 * (1 + 7 * blocks as u64)
}

/// One moment of all blocks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SpooledFrame {
    pub time: f64,
    pub poses: Vec<Pose>,
}

/// A spool open for appending.
#[derive(Debug)]
pub(super) struct SpoolWriter {
    out: BufWriter<File>,
    pub frames: u64,
    blocks: usize,
}

impl SpoolWriter {
    pub fn create(path: &Path, blocks: &[String]) -> Result<Self, Error> {
        let header = serde_json::to_vec(blocks).map_err(|error| Error::Encode {
            path: path.to_owned(),
            message: error.to_string(),
        })?;
        let file = File::create(path).map_err(Error::file("write", path))?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        let mut begin = || -> std::io::Result<()> {
            out.write_all(&MAGIC)?;
            out.write_all(&(header.len() as u64).to_le_bytes())?;
            out.write_all(&header)?;
            out.flush()
        };
        begin().map_err(Error::file("write", path))?;
        Ok(Self {
            out,
            frames: 0,
            blocks: blocks.len(),
        })
    }

    /// Goes on after the first `frames` frames; later ones are cut off.
    pub fn resume(path: &Path, blocks: &[String], frames: u64) -> Result<Self, Error> {
        let spool = SpoolReader::open(path)?;
        if spool.blocks != blocks {
            return Err(Error::damaged(
                path,
                "it holds other blocks than this model, so it cannot be resumed",
            ));
        }
        if spool.frames < frames {
            return Err(Error::damaged(
                path,
                format!(
                    "it has {} frames, but the checkpoint counts on {frames}",
                    spool.frames
                ),
            ));
        }
        let end = spool.begin + frames * frame_bytes(blocks.len());
        let mut file = OpenOptions::new()
            .write(true)
            .open(path)
            .map_err(Error::file("write", path))?;
        file.set_len(end).map_err(Error::file("write", path))?;
        file.seek(SeekFrom::End(0))
            .map_err(Error::file("write", path))?;
        Ok(Self {
            out: BufWriter::with_capacity(1 << 20, file),
            frames,
            blocks: blocks.len(),
        })
    }

    pub fn append(&mut self, path: &Path, time: f64, poses: &[Pose]) -> Result<(), Error> {
        if poses.len() != self.blocks {
            return Err(Error::Encode {
                path: path.to_owned(),
                message: format!("{} poses for {} blocks", poses.len(), self.blocks),
            });
        }
        let mut frame = || -> std::io::Result<()> {
            self.out.write_all(&time.to_le_bytes())?;
            for pose in poses {
                let [x, y, z] = pose.position.to_array();
                let [qx, qy, qz, qw] = pose.rotation.to_array();
                for value in [x, y, z, qx, qy, qz, qw] {
                    self.out.write_all(&value.to_le_bytes())?;
                }
            }
            // Out of the program's hands at once: a kill then loses no frame.
            self.out.flush()
        };
        frame().map_err(Error::file("write", path))?;
        self.frames += 1;
        Ok(())
    }

    pub fn sync(&mut self, path: &Path) -> Result<(), Error> {
        self.out.flush().map_err(Error::file("write", path))?;
        self.out
            .get_ref()
            .sync_data()
            .map_err(Error::file("write", path))
    }
}

/// A spool open for reading; only complete frames count.
#[derive(Debug)]
pub(super) struct SpoolReader {
    input: BufReader<File>,
    pub blocks: Vec<String>,
    pub frames: u64,
    begin: u64,
}

impl SpoolReader {
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::file("read", path))?;
        let size = file.metadata().map_err(Error::file("read", path))?.len();
        let mut input = BufReader::with_capacity(1 << 20, file);
        let not_ours = || Error::damaged(path, "not a motion spool of this program");
        let mut start = [0; 16];
        input.read_exact(&mut start).map_err(|_| not_ours())?;
        let mut length = [0; 8];
        length.copy_from_slice(&start[8..]);
        let begin = u64::from_le_bytes(length).checked_add(16);
        let begin = begin
            .filter(|begin| start[..8] == MAGIC && *begin <= size)
            .ok_or_else(not_ours)?;
        let mut header = vec![0; (begin - 16) as usize];
        input
            .read_exact(&mut header)
            .map_err(Error::file("read", path))?;
        let blocks: Vec<String> = serde_json::from_slice(&header).map_err(|_| not_ours())?;
        Ok(Self {
            frames: (size - begin) / frame_bytes(blocks.len()),
            input,
            blocks,
            begin,
        })
    }

    /// The next frame.
    pub fn read(&mut self, path: &Path) -> Result<SpooledFrame, Error> {
        let mut bytes = vec![0; frame_bytes(self.blocks.len()) as usize];
        self.input
            .read_exact(&mut bytes)
            .map_err(Error::file("read", path))?;
        let mut values = bytes
            .as_chunks::<8>()
            .0
            .iter()
            .map(|eight| f64::from_le_bytes(*eight));
        let mut next = || values.next().unwrap_or(f64::NAN);
        let time = next();
        let poses = (0..self.blocks.len())
            .map(|_| Pose {
                position: DVec3::new(next(), next(), next()),
                rotation: DQuat::from_xyzw(next(), next(), next(), next()),
            })
            .collect();
        Ok(SpooledFrame { time, poses })
    }
}
