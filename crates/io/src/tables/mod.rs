//! Tables as comma-separated text.
//!
//! A table grows as `NAME.partial` and gets its name when it is complete. Numbers are written with the fewest digits that
//! read back to the same bits.

mod curve;
mod diagnostics;
mod forces;
mod history;
mod pushover;
mod rocking;
mod statics;
mod table;
mod ties;

pub use curve::{CurveRow, read_curve};
pub use diagnostics::DiagnosticsTable;
pub use forces::ForcesTable;
pub use history::{HistoryTable, history_columns, history_row};
pub use pushover::write_curve;
pub use rocking::write_rocking_history;
pub use statics::{
    write_joints, write_mechanism, write_polar, write_reactions, write_static_forces,
    write_thrust_lines,
};
pub use table::{Cell, Keep, Table};
pub use ties::TiesTable;
