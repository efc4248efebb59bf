//! Validation: experiments that measure, and checks as data that judge the measurements.
//!
//! `cases.toml` lists what is expected of each measured quantity, with tolerance and source. The command
//! `cargo run --release -p drystone-validation` runs the experiments and prints the whole table.

mod check;
pub mod convergence;
pub mod experiments;
pub mod scene;

pub use check::{Check, Expectation, Verdict, checks};

/// Measured quantities of one experiment by name.
pub type Measurements = std::collections::BTreeMap<String, f64>;
