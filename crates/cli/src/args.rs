//! Arguments as typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Dynamics of dry masonry: does it stand, and how does it move in an earthquake?
#[derive(Debug, Parser)]
#[command(name = "drystone", version)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run every analysis of a model
    Run(RunOptions),
    /// Run thousands of variants of a model: sweeps, failure domains, fragility; on this machine or a cluster
    Campaign(crate::campaign::CampaignOptions),
    /// Read a model and report its contents, without running anything
    Check(CheckOptions),
    /// Measure an earthquake record or the motions of a model, and write series and spectra
    Motion(crate::motion::MotionOptions),
    /// Convert between drawings and models by the extensions of their files
    Convert(crate::convert::ConvertOptions),
    /// Write the motion of a run for ParaView (.pvd, .vtu) or as an animated scene (.glb)
    Export(crate::export::ExportOptions),
    /// Draw the plots of a run and the structure as PNG or SVG
    Render(crate::render::RenderOptions),
    /// Find the critical value of a parameter, at which the structure ceases to stand
    Critical(crate::critical::CriticalOptions),
    /// Assess mechanisms by a code, and print the assessment as text
    Assess(crate::assess::AssessOptions),
    /// Compare several models or results
    Compare(crate::compare::CompareOptions),
    /// List the examples
    Examples,
    /// Copy an example into a folder
    New(NewOptions),
    /// Print the JSON Schema of model files
    Schema,
    /// Store the convex problem of one time step and its warm start as JSON, without solving it
    Dump(DumpOptions),
    /// Solve a stored step problem cold, warm and with Clarabel, and check the solutions
    Replay(ReplayOptions),
    /// Measure the time per step of whole structures, compared with Clarabel
    Bench(crate::bench::BenchOptions),
}

/// Options of `run`.
#[derive(Debug, clap::Args)]
pub struct RunOptions {
    /// Model file, TOML or JSON
    pub model: PathBuf,
    /// Folder for results; one folder per analysis is created in it
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// Number of threads; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Run only the analysis of this name; may be given several times
    #[arg(long = "only", value_name = "NAME")]
    pub only: Vec<String>,
    /// Replace existing results
    #[arg(long, conflicts_with = "resume")]
    pub overwrite: bool,
    /// Resume interrupted runs, and skip complete ones
    #[arg(long)]
    pub resume: bool,
    /// Print the summaries as JSON on standard output
    #[arg(long)]
    pub json: bool,
    /// Serve the report on this machine during the run; its address is printed on standard error
    #[arg(long)]
    pub watch: bool,
}

/// Options of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckOptions {
    /// Model file, TOML or JSON
    pub model: PathBuf,
    /// Print the findings as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

/// Options of `new`.
#[derive(Debug, clap::Args)]
pub struct NewOptions {
    /// Name of the example; `drystone examples` lists them
    #[arg(value_name = "NAME")]
    pub example: String,
    /// Folder to create [default: the name of the example]
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

/// Options of `dump`.
#[derive(Debug, clap::Args)]
pub struct DumpOptions {
    /// Model file, TOML or JSON
    pub model: PathBuf,
    /// Name of the time history [default: the first one]
    #[arg(long, value_name = "NAME")]
    pub analysis: Option<String>,
    /// Number of the step, from 1
    #[arg(long, default_value_t = 1)]
    pub step: u64,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub overwrite: bool,
}

/// Options of `replay`.
#[derive(Debug, clap::Args)]
pub struct ReplayOptions {
    /// File written by `dump`
    pub problem: PathBuf,
    /// Tolerance of the solution
    #[arg(long, value_enum, value_name = "PRESET", default_value = "default")]
    pub tolerance: Preset,
    /// Omit Clarabel, which is slow on large problems
    #[arg(long)]
    pub no_clarabel: bool,
}

/// Tolerances by name, as `tolerance` in a model file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Preset {
    /// Preview, 1e-5
    Preview,
    /// Default of runs, 1e-7
    Default,
    /// Validation against closed forms, 1e-9
    Validation,
}
