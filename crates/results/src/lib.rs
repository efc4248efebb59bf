//! An answer as a folder of results and back: tables, motion files, checkpoints, exports.

mod atomic;
mod checkpoint;
mod compare;
mod error;
mod execute;
mod export;
mod figures;
mod motion;
mod results;
mod store;
mod tables;

pub use atomic::{
    own_partial_path, partial_path, write_atomic, write_json_atomic, write_json_shared,
    write_shared,
};
pub use checkpoint::{load_checkpoint, save_checkpoint};
pub use compare::{Candidate, Comparison, Row};
pub use error::{Error, Wording};
pub use execute::{ExecuteError, execute};
pub use export::{
    animated_glb, collection, contact_grid, grid, parquet_of, write_contacts_pvd, write_motion_csv,
    write_pvd,
};
pub use figures::{figures_to_json, read_figures};
pub use motion::{MotionRecord, MotionWriter, read_motion, read_motion_frames, recover_motion};
pub use results::{Existing, ResultDir};
pub use store::{read_answer, write_answer};
pub use tables::{Keep, SparseColumn, SparseTable, TableFile, read_table, write_table};
