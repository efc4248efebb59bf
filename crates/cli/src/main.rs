//! The `drystone` command: reads a model file, runs its analyses, writes results.

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
mod motion;
mod progress;
mod render;
mod replay;
mod run;
mod sound;
mod spark;
mod speak;
mod watch;

use std::process::ExitCode;

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
    /// Somebody stopped it; the results so far are saved.
    Interrupted(String),
}

fn main() -> ExitCode {
    let args = Args::parse();
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
        Outcome::Done => ExitCode::SUCCESS,
        Outcome::BadInput(message) => {
            tell(&message);
            ExitCode::from(2)
        }
        Outcome::Failed(message) => {
            tell(&message);
            ExitCode::from(3)
        }
        Outcome::Interrupted(message) => {
            tell(&message);
            // What shells give for a program that Ctrl-C ended: a script does not take it for complete.
            ExitCode::from(130)
        }
    }
}

fn schema() -> Outcome {
    match serde_json::to_string_pretty(&drystone_model::schema()) {
        Ok(text) => answer(&text),
        Err(error) => Outcome::Failed(format!("the schema could not be written: {error}")),
    }
}
