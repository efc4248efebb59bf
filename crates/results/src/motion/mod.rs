//! The motion of all blocks in one columnar file.
//!
//! `motion.parquet` has one row per frame and block, in that order: `frame`, `time` (s), `block` (index), the position
//! `x y z` of the centroid (m) and the rotation since the start as a unit quaternion `qx qy qz qw`. Metadata: `blocks` is a
//! JSON array of the blocks' names, `units` says the units, `format` is `drystone motion 1`.
//!
//! Positions and rotations are doubles: at ten metres from the origin a single-precision number moves in steps of a
//! micrometre, coarser than the drift that a standing structure must not have. Their bytes are split into streams
//! (BYTE_STREAM_SPLIT) so that the compressor sees the slowly changing leading bytes together; integers are delta
//! coded. Compression is Snappy, which every reader knows.
//!
//! During a run frames are appended to `motion.parquet.partial`, which is not Parquet, whose index comes last, but a
//! plain [spool](spool) that is good up to its last complete frame whatever happens to the program.

mod parquet;
mod spool;
mod writer;

pub use self::parquet::{MotionRecord, read_motion, read_motion_frames};
pub use writer::{MotionWriter, recover_motion};
