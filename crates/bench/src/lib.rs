//! Measures the step problem of whole structures: how long it takes, where the time goes, how it grows with size, and how a
//! general solver does on the same numbers.
//!
//! [`run`] compiles structures as model files describe them ([`Family`]), steps them into a state of motion
//! ([`Motion`]) with real contact detection, takes the problem of the next step with its warm start, and solves it in every way. A
//! [`Report`] prints as a table, goes to JSON, and makes the table of the book's page. [`run_statics`] does the same for
//! equilibrium and limit analysis.

mod book;
mod capture;
mod clock;
mod equilibrium;
mod family;
mod measure;
mod report;
mod run;
mod statics;

pub use book::{Marks, STATICS, STEPS, renew};
pub use capture::{Motion, step_problem};
pub use clock::{cpu_ms, forget_peak, peak_megabytes};
pub use equilibrium::EquilibriumRow;
pub use family::Family;
pub use measure::{Series, Timing};
pub use report::{Report, Row};
pub use run::{Options, run};
pub use statics::{LimitReport, LimitRow, LimitTiming, run_statics};
