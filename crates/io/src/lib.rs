//! Every format in and out: earthquake records, tables, motion files, checkpoints.

mod atomic;
mod checkpoint;
mod compare;
mod error;
mod execute;
mod export;
mod motion;
mod records;
pub mod render;
pub mod report;
mod results;
mod tables;
mod version;

pub use atomic::{
    own_partial_path, partial_path, write_atomic, write_json_atomic, write_json_shared,
    write_shared,
};
pub use checkpoint::{load_checkpoint, save_checkpoint};
pub use compare::{Candidate, Comparison, Row};
pub use error::Error;
pub use execute::{Control, ExecuteError, Hooks, Outcome, execute};
pub use export::{
    animated_glb, collection, contact_grid, grid, parquet_of, write_contacts_pvd, write_motion_csv,
    write_pvd,
};
pub use motion::{MotionRecord, MotionWriter, read_motion, read_motion_frames, recover_motion};
pub use records::{
    Noted, RecordFile, RecordFormat, RecordPart, STANDARD_GRAVITY, load_component, load_records,
    load_records_noted, read_record, read_record_file,
};
pub use results::{Existing, ResultDir};
pub use tables::{
    Cell, CurveRow, DiagnosticsTable, ForcesTable, HistoryTable, Keep, Table, TiesTable,
    history_columns, history_row, read_curve, write_curve, write_joints, write_mechanism,
    write_polar, write_reactions, write_rocking_history, write_static_forces, write_thrust_lines,
};
pub use version::program_version;
