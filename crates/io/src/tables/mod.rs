//! Tables as comma-separated text.
//!
//! A table grows as `NAME.partial` and gets its name when it is complete. Numbers are written with the fewest digits that
//! read back to the same bits.

mod forces;
mod history;
mod rocking;
mod table;

pub use forces::ForcesTable;
pub use history::HistoryTable;
pub use rocking::write_rocking_history;
pub use table::{Cell, Keep, Table};
