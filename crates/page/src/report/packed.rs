//! Numbers in a page: little-endian arrays as base64, poses in steps that cannot be seen, compressed.

use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use drystone_geometry::{DQuat, DVec3, Pose};
use drystone_model::Model;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// Bytes as text, RFC 4648.
pub(crate) fn base64(bytes: impl IntoIterator<Item = u8>) -> String {
    STANDARD.encode(bytes.into_iter().collect::<Vec<u8>>())
}

/// Doubles as text.
pub(crate) fn doubles(values: impl IntoIterator<Item = f64>) -> String {
    base64(values.into_iter().flat_map(f64::to_le_bytes))
}

/// Doubles, rounded to single precision, as text.
pub(crate) fn singles(values: impl IntoIterator<Item = f64>) -> String {
    base64(
        values
            .into_iter()
            .flat_map(|value| (value as f32).to_le_bytes()),
    )
}

/// Indices as text.
pub(crate) fn indices(values: impl IntoIterator<Item = u32>) -> String {
    base64(values.into_iter().flat_map(u32::to_le_bytes))
}

/// Whole numbers frame by frame as text: the change since the frame before, the low bytes of all numbers before the next higher ones, deflated.
/// What rests costs next to nothing, and of what moves smoothly the higher bytes do not.
fn squeezed(values: &[i32], per_frame: usize, bytes: usize) -> String {
    if values.is_empty() {
        return String::new();
    }
    let mut planes = Vec::with_capacity(bytes * values.len());
    for plane in 0..bytes {
        for (k, value) in values.iter().enumerate() {
            let before = k.checked_sub(per_frame).map_or(0, |before| values[before]);
            // Wraps in the width of the numbers, as adding up does.
            planes.push((value.wrapping_sub(before) >> (8 * plane)) as u8);
        }
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    // Memory does not refuse to be written.
    let written = encoder.write_all(&planes).and_then(|()| encoder.finish());
    base64(written.unwrap_or_default())
}

/// A position and a rotation take this many bytes in steps of 16 bits.
const POSE_BYTES: usize = 14;
/// Poses of a page take at least this many bytes before frames are left out: with the base64 of 4/3, and even if they could not be compressed, well
/// under 10 MB.
const LEAST_BYTES: usize = 5_000_000;
/// And at most this many: 500 frames of 5000 blocks.
const MOST_BYTES: usize = 40_000_000;
/// In between, this many for each block that can move.
const BLOCK_BYTES: usize = 10_000;

/// Of how many frames one is shown, so that a page stays light.
pub fn stride(model: &Model, frames: usize) -> usize {
    let free = model.blocks.iter().filter(|block| !block.support).count();
    let room = (free * BLOCK_BYTES).clamp(LEAST_BYTES, MOST_BYTES);
    (frames * free * POSE_BYTES).div_ceil(room).max(1)
}

/// The motion of blocks in whole steps.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PackedMotion {
    /// s, of a pushover m; double precision.
    times: String,
    /// Blocks that move, as indices; others stay where they are.
    blocks: String,
    /// Displacements are whole multiples of this, m.
    step: f64,
    /// Width of the whole numbers: 16, or 32 where blocks go far.
    bits: u8,
    /// Displacement since the start, by frame and block, squeezed.
    positions: String,
    /// Quaternions x y z w in steps of 1/32767, by frame and block, squeezed.
    rotations: String,
    /// Of how many frames one is here.
    stride: usize,
}

impl PackedMotion {
    /// Packs frames with their times. `size` is that of the structure, m.
    pub fn new(model: &Model, frames: &[(f64, Vec<Pose>)], size: f64, stride: usize) -> Self {
        let start = |block: usize| model.blocks[block].position;
        let mut extent: f64 = 0.0;
        let mut moving = Vec::new();
        for block in 0..model.blocks.len() {
            let mut moves = false;
            for (_, poses) in frames {
                let Some(pose) = poses.get(block) else {
                    continue;
                };
                let way = (pose.position - start(block)).abs().max_element();
                moves |= way > 0.0 || pose.rotation != DQuat::IDENTITY;
                if way.is_finite() {
                    extent = extent.max(way);
                }
            }
            if moves {
                moving.push(block);
            }
        }
        // Never coarser than the structure's size in 65535 steps.
        let coarsest = if size > 0.0 { size / 65535.0 } else { 1e-6 };
        let narrow = extent / f64::from(i16::MAX) <= coarsest;
        let step = if narrow {
            (extent / f64::from(i16::MAX)).max(f64::MIN_POSITIVE)
        } else {
            coarsest.max(extent / f64::from(i32::MAX))
        };
        let poses = || {
            let each = frames.iter().flat_map(|(_, poses)| {
                moving
                    .iter()
                    .map(move |&block| (block, poses.get(block).copied()))
            });
            each.map(|(block, pose)| (start(block), pose.unwrap_or(Pose::at(start(block)))))
        };
        let ways = poses().flat_map(|(start, pose)| steps(pose.position - start, step));
        let ways: Vec<i32> = ways.map(|way| way as i32).collect();
        let turns = poses().flat_map(|(_, pose)| turn(pose.rotation));
        let turns: Vec<i32> = turns.map(i32::from).collect();
        Self {
            times: doubles(frames.iter().map(|(time, _)| *time)),
            blocks: indices(moving.iter().map(|&block| block as u32)),
            step,
            bits: if narrow { 16 } else { 32 },
            positions: squeezed(&ways, 3 * moving.len(), if narrow { 2 } else { 4 }),
            rotations: squeezed(&turns, 4 * moving.len(), 2),
            stride,
        }
    }
}

fn steps(way: DVec3, step: f64) -> [f64; 3] {
    way.to_array().map(|x| (x / step).round())
}

pub(super) fn turn(rotation: DQuat) -> [i16; 4] {
    // Of the two quaternions of a rotation the one near the identity, so that neighbouring frames are near each other.
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    rotation
        .to_array()
        .map(|x| (sign * x * f64::from(i16::MAX)).round() as i16)
}

#[cfg(test)]
mod tests;
