//! `drystone export`: the motion of a run for other programs.

use std::path::PathBuf;

use drystone_io::{animated_glb, read_motion_frames, write_atomic, write_pvd};

use crate::Outcome;
use crate::speak::{answer, counted};

/// Options of `export`.
#[derive(Debug, clap::Args)]
pub struct ExportOptions {
    /// Model file of the run, TOML or JSON
    pub model: PathBuf,
    /// Folder of the results of a time history
    pub results: PathBuf,
    /// Where to: .pvd (ParaView, with one .vtu per frame beside it) or .glb (animated scene)
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Take every so many-th frame
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Replace the file if it is already there
    #[arg(long)]
    pub overwrite: bool,
}

/// Writes the motion.
pub fn export(options: &ExportOptions) -> Outcome {
    let extension = options.output.extension().and_then(|word| word.to_str());
    let Some(extension @ ("pvd" | "glb")) = extension else {
        return Outcome::BadInput(format!(
            "{}: the file must end in .pvd or .glb",
            options.output.display()
        ));
    };
    if options.output.exists() && !options.overwrite {
        return Outcome::BadInput(format!(
            "{} is already there: choose another name or add --overwrite",
            options.output.display()
        ));
    }
    let model = match drystone_model::load(&options.model) {
        Ok(model) => model,
        Err(faults) => return Outcome::BadInput(faults.to_string()),
    };
    let path = options.results.join("motion.parquet");
    let every = options.every as usize;
    let motion = match read_motion_frames(&path, |frame| frame % every == 0) {
        Ok(motion) => motion,
        Err(error) => return Outcome::BadInput(error.to_string()),
    };
    let names = || model.blocks.iter().map(|block| block.name.as_str());
    if !names().eq(motion.blocks.iter().map(String::as_str)) {
        return Outcome::BadInput(format!(
            "{} has other blocks than {}: give the model that was run",
            path.display(),
            options.model.display()
        ));
    }
    let frames = motion.times.len();
    let written = if extension == "pvd" {
        write_pvd(&model, &motion, &options.output).map(|_| ())
    } else {
        animated_glb(&model, &motion).and_then(|bytes| write_atomic(&options.output, &bytes))
    };
    if let Err(error) = written {
        return Outcome::Failed(error.to_string());
    }
    answer(&format!(
        "{}: {} of {}",
        options.output.display(),
        counted(frames, "frame"),
        counted(model.blocks.len(), "block")
    ))
}
