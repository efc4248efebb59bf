//! `drystone motion`: what an earthquake is like, and files for other programs.

mod describe;
mod files;
mod gather;
mod options;
mod suite;

pub use options::MotionOptions;

use drystone_model::Format;

use crate::Outcome;
use crate::speak::{answer, tell};
use files::Folder;

/// Oscillator periods of written spectra, s; zero comes before them.
const PERIODS: (f64, f64, usize) = (0.02, 10.0, 150);

/// Runs the command.
pub fn motion(options: &MotionOptions) -> Outcome {
    match run(options) {
        Ok(text) => answer(&text),
        Err(outcome) => outcome,
    }
}

fn run(options: &MotionOptions) -> Result<String, Outcome> {
    let motions = match Format::of(&options.file) {
        Some(_) if options.count.is_some() => return suite::suite(options),
        Some(_) => gather::of_model(options)?,
        None => vec![gather::of_record(options)?],
    };
    let folder = Folder::plan(
        options,
        motions.iter().flat_map(gather::Described::file_names),
    )?;
    for motion in &motions {
        for note in &motion.notes {
            tell(&format!("{}: {note}", motion.name));
        }
        if let Some(folder) = &folder {
            folder.write_motion(motion, options.damping)?;
        }
    }
    if let Some(folder) = &folder {
        tell(&format!("files in {}", folder.path().display()));
    }
    if options.json {
        describe::json(&motions)
    } else {
        Ok(describe::text(&motions))
    }
}

/// The user's fault.
fn bad(message: impl Into<String>) -> Outcome {
    Outcome::BadInput(message.into())
}

/// A fault of files: the user's or the machine's.
fn of_files(error: drystone_results::Error) -> Outcome {
    if error.is_input() {
        Outcome::BadInput(error.to_string())
    } else {
        Outcome::Failed(error.to_string())
    }
}
