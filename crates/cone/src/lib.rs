//! The convex problem of one time step as plain numbers, its solvers and its judge.
//!
//! This crate knows no blocks, no geometry and no files. See [`StepProblem`].

mod problem;

pub use problem::{Contact, FIXED, StepProblem};
