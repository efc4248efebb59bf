//! The `drystone` command: reads a model file, runs its analyses, writes results.

mod args;
mod check;
mod progress;
mod replay;
mod run;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

/// How a command ended; the numbers are part of the interface.
enum Outcome {
    /// The analyses ran. A collapse is a result, not an error.
    Done,
    /// The input is wrong.
    BadInput(String),
    /// A computation failed.
    Failed(String),
}

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = match &args.command {
        Command::Run(options) => run::run(options),
        Command::Check(options) => check::check(options),
        Command::Schema => schema(),
        Command::Dump(options) => replay::dump(options),
        Command::Replay(options) => replay::replay(options),
    };
    match outcome {
        Outcome::Done => ExitCode::SUCCESS,
        Outcome::BadInput(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::from(2)
        }
        Outcome::Failed(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::from(3)
        }
    }
}

fn schema() -> Outcome {
    match serde_json::to_string_pretty(&drystone_model::schema()) {
        Ok(text) => {
            println!("{text}");
            Outcome::Done
        }
        Err(error) => Outcome::Failed(format!("the schema could not be written: {error}")),
    }
}
