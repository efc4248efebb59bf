//! Thousands of runs of one model that must just work: planned, run on the cores of a machine or on a cluster, stopped and resumed,
//! collected into tables and reports.
//!
//! A campaign lives in a [`Folder`]. Its [`Plan`] says what is changed in each run; a run is a [`Task`], whose hash names its result in the
//! [`Store`]. [`wanted`] says from the results so far which runs are wanted, [`run_local`] and [`run_slurm`] make them, and [`collect`] writes
//! what they say together. Nothing but the results is remembered from one start to the next.

mod collect;
mod domain;
mod error;
mod figures;
mod folder;
mod fragility;
mod local;
mod outcome;
mod plan;
mod report;
mod run;
mod slurm;
pub mod statistics;
mod store;
mod study;
mod sweep;
mod task;

pub use collect::{Collected, collect};
pub use error::Error;
pub use folder::Folder;
pub use local::{Gathered, Tally, Watch, gather, run_local};
pub use outcome::Outcome;
pub use plan::{Plan, Point};
pub use run::execute;
pub use slurm::{SlurmOptions, run_slurm, work};
pub use store::{Found, Store};
pub use study::{Known, wanted};
pub use task::{Scaling, Task};
