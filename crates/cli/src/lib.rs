//! The `drystone` command: reads a model file, runs its analyses, writes results.
//!
//! A library, so that the Python package has the same command.

mod args;
mod assess;
mod bench;
mod campaign;
mod check;
mod compare;
mod convert;
mod critical;
mod examples;
mod export;
mod kept;
mod motion;
mod opened;
mod progress;
mod render;
mod replay;
mod run;
mod spark;
mod speak;
mod watch;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::Parser;

use args::{Args, Command};
use speak::{answer, tell};

/// How a command ended; the numbers are part of the interface.
enum Outcome {
    /// The analyses ran. A collapse is a result, not an error.
    Done,
    /// The input is wrong.
    BadInput(String),
    /// A computation failed, or its results could not be written.
    Failed(String),
    /// The input is wrong, and what is wrong has been printed.
    Refused,
    /// Somebody stopped it; the results so far are saved.
    Interrupted(String),
}

/// What a cluster is told to call, if it is not the executable of this process.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Runs a command line, whose first word is the name of the program, and gives its exit code.
///
/// `program` is what runs the command again on another machine, for a caller whose own executable is not `drystone`.
pub fn main(line: impl IntoIterator<Item = OsString>, program: Option<PathBuf>) -> u8 {
    if let Some(program) = program {
        // The first one holds: it is the same process.
        let _ = PROGRAM.set(program);
    }
    let args = match Args::try_parse_from(line) {
        Ok(args) => args,
        Err(told) => {
            // Help and version go to standard output, faults to standard error; where neither can be written there is nobody to tell.
            let _ = told.print();
            return u8::try_from(told.exit_code()).unwrap_or(2);
        }
    };
    let outcome = match &args.command {
        Command::Run(options) => run::run(options),
        Command::Campaign(options) => campaign::campaign(options),
        Command::Check(options) => check::check(options),
        Command::Motion(options) => motion::motion(options),
        Command::Convert(options) => convert::convert(options),
        Command::Export(options) => export::export(options),
        Command::Render(options) => render::render(options),
        Command::Critical(options) => critical::critical(options),
        Command::Assess(options) => assess::assess(options),
        Command::Compare(options) => compare::compare(options),
        Command::Examples => examples::list(),
        Command::New(options) => examples::new(options),
        Command::Schema => schema(),
        Command::Dump(options) => replay::dump(options),
        Command::Replay(options) => replay::replay(options),
        Command::Bench(options) => bench::bench(options),
    };
    match outcome {
        Outcome::Done => 0,
        Outcome::Refused => 2,
        Outcome::BadInput(message) => {
            tell(&message);
            2
        }
        Outcome::Failed(message) => {
            tell(&message);
            3
        }
        Outcome::Interrupted(message) => {
            tell(&message);
            // What shells give for a program that Ctrl-C ended: a script does not take it for complete.
            130
        }
    }
}

fn schema() -> Outcome {
    match serde_json::to_string_pretty(&drystone_model::schema()) {
        Ok(text) => answer(&text),
        Err(error) => Outcome::Failed(format!("the schema could not be written: {error}")),
    }
}
