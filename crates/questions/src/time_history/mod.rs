//! Motion in time by non-smooth contact dynamics.
//!
//! `verdict.rs` says when it has one. A [`Run`] is advanced step by step by its owner, who decides what to do with the frames, when to save a checkpoint
//! and when to stop:
//!
//! ```text
//! let mut run = Run::new(&model, &settings, excitation);
//! while !run.finished() {
//!     let events = run.advance(&mut ())?;
//!     if events.frame { /* write run.frame() */ }
//! }
//! let summary = run.summary();
//! ```

mod answer;
mod clock;
mod drive;
mod headline;
mod notes;
mod pace;
mod rows;
mod run;
mod steering;
mod summary;
#[cfg(test)]
mod tests;
mod tolerance;
mod verdict;

pub(crate) use answer::ask;
pub use answer::{Earlier, TimeHistoryDetail};
pub use clock::Seconds;
pub use drive::Excitation;
pub use pace::PaceReport;
pub use rows::{Resultant, Rows, history_columns, history_row, step_row, ties_row};
pub use run::{Events, Frame, MonitorReading, Progress, Run, StepNote};
pub use steering::Steering;
pub use summary::{
    Audit, EnergyReport, Impacts, LargestDisplacement, MortarReport, Peak, Status, Summary,
    TiePeak, Troubles,
};
pub use tolerance::tolerances;
