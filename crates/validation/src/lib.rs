//! Validation: experiments that measure, and checks as data that judge the measurements.
//!
//! `cases.toml` lists what is expected of each measured quantity, with tolerance and source. The command
//! `cargo run --release -p drystone-validation` runs the experiments and prints the whole table.

mod check;
pub mod convergence;
pub mod experiments;
pub mod measured;
pub mod scene;

pub use check::{Check, Expectation, Verdict, checks};
pub use measured::Measurements;
