//! `drystone export`: the results of a run for other programs.

use std::path::{Path, PathBuf};

use drystone_model::Model;
use drystone_results::{
    MotionRecord, animated_glb, parquet_of, read_motion_frames, write_atomic, write_contacts_pvd,
    write_motion_csv, write_pvd,
};

use crate::Outcome;
use crate::speak::{answer, counted};

/// Options of `export`.
#[derive(Debug, clap::Args)]
pub struct ExportOptions {
    /// Model file of the run, TOML or JSON
    pub model: PathBuf,
    /// Folder of the results of an analysis
    pub results: PathBuf,
    /// Output: .pvd (ParaView, with one .vtu per frame) or .glb (animated scene); with --to a folder
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Write all results in this format into the folder OUT
    #[arg(long, value_enum)]
    pub to: Option<Format>,
    /// Take every N-th frame of motion and forces; histories are written completely
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Replace existing files
    #[arg(long)]
    pub overwrite: bool,
}

/// Formats of a whole export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Columns of numbers for pandas, Polars, DuckDB: histories, forces, motion
    Parquet,
    /// The same as text for spreadsheets
    Csv,
    /// Grids for ParaView: blocks and contact points, with their times in .pvd
    Vtu,
    /// An animated scene for Blender and viewers of glTF
    Glb,
}

/// Tables that any analysis may have left.
const TABLES: [&str; 11] = [
    "history",
    "ties",
    "curve",
    "spectra",
    "diagnostics",
    "forces",
    "joints",
    "reactions",
    "mechanism",
    "polar",
    "thrust_line",
];

/// A fault of the input, or of writing.
enum Fault {
    Input(String),
    Output(String),
}

impl Fault {
    fn input(error: impl ToString) -> Self {
        Self::Input(error.to_string())
    }

    fn output(error: drystone_results::Error) -> Self {
        if error.is_input() {
            Self::Input(error.to_string())
        } else {
            Self::Output(error.to_string())
        }
    }
}

/// Writes what was asked for.
pub fn export(options: &ExportOptions) -> Outcome {
    let done = match options.to {
        None => one(options),
        Some(format) => whole(options, format),
    };
    match done {
        Ok(text) => answer(&text),
        Err(Fault::Input(message)) => Outcome::BadInput(message),
        Err(Fault::Output(message)) => Outcome::Failed(message),
    }
}

fn load(options: &ExportOptions) -> Result<Model, Fault> {
    drystone_model::load(&options.model).map_err(Fault::input)
}

fn motion(options: &ExportOptions, model: &Model) -> Result<MotionRecord, Fault> {
    let path = options.results.join("motion.parquet");
    let every = options.every as usize;
    let motion = read_motion_frames(&path, |frame| frame % every == 0).map_err(Fault::input)?;
    let names = model.blocks.iter().map(|block| block.name.as_str());
    if !names.eq(motion.blocks.iter().map(String::as_str)) {
        return Err(Fault::Input(format!(
            "{} and {} have different blocks: give the model that was run",
            path.display(),
            options.model.display()
        )));
    }
    Ok(motion)
}

fn refuse(options: &ExportOptions, path: &Path) -> Result<(), Fault> {
    if path.exists() && !options.overwrite {
        return Err(Fault::Input(format!(
            "{} already exists: choose another name or add --overwrite",
            path.display()
        )));
    }
    Ok(())
}

/// The motion into a file by its extension.
fn one(options: &ExportOptions) -> Result<String, Fault> {
    let extension = options.output.extension().and_then(|word| word.to_str());
    let Some(extension @ ("pvd" | "glb")) = extension else {
        return Err(Fault::Input(format!(
            "{}: the file must end in .pvd or .glb, or --to must give a format",
            options.output.display()
        )));
    };
    refuse(options, &options.output)?;
    let model = load(options)?;
    let motion = motion(options, &model)?;
    if extension == "pvd" {
        write_pvd(&model, &motion, &options.output).map_err(Fault::output)?;
    } else {
        scene(&model, &motion, &options.output)?;
    }
    Ok(format!(
        "{}: {} of {}",
        options.output.display(),
        counted(motion.times.len(), "frame"),
        counted(model.blocks.len(), "block")
    ))
}

fn scene(model: &Model, motion: &MotionRecord, path: &Path) -> Result<(), Fault> {
    let bytes = animated_glb(model, motion).map_err(Fault::output)?;
    write_atomic(path, &bytes).map_err(Fault::output)
}

/// Everything into a folder.
fn whole(options: &ExportOptions, format: Format) -> Result<String, Fault> {
    let model = load(options)?;
    let folder = &options.output;
    let here = std::fs::canonicalize(folder).ok();
    if here.is_some() && here == std::fs::canonicalize(&options.results).ok() {
        return Err(Fault::Input(format!(
            "{} holds the results themselves: choose another folder",
            folder.display()
        )));
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| Fault::Output(format!("cannot create {}: {error}", folder.display())))?;
    let moved = options.results.join("motion.parquet").exists();
    let forces = options.results.join("forces.csv");
    let every = options.every as usize;
    let mut told = Vec::new();
    let target = |name: &str| -> Result<PathBuf, Fault> {
        let path = folder.join(name);
        refuse(options, &path).map(|()| path)
    };
    match format {
        Format::Glb => {
            let motion = motion(options, &model)?;
            scene(&model, &motion, &target("motion.glb")?)?;
            told.push(format!(
                "motion.glb: {}",
                counted(motion.times.len(), "frame")
            ));
        }
        Format::Vtu => {
            if moved {
                let motion = motion(options, &model)?;
                let count =
                    write_pvd(&model, &motion, &target("blocks.pvd")?).map_err(Fault::output)?;
                told.push(format!("blocks.pvd: {}", counted(count, "grid")));
            }
            if forces.exists() {
                let path = target("contacts.pvd")?;
                let count =
                    write_contacts_pvd(&model, &forces, &path, every).map_err(Fault::output)?;
                told.push(format!("contacts.pvd: {}", counted(count, "grid")));
            }
        }
        Format::Parquet | Format::Csv => {
            for name in TABLES {
                let table = options.results.join(format!("{name}.csv"));
                if !table.exists() {
                    continue;
                }
                if format == Format::Parquet {
                    let path = target(&format!("{name}.parquet"))?;
                    let rows = parquet_of(&table, &path).map_err(Fault::output)?;
                    told.push(format!("{name}.parquet: {}", counted(rows, "row")));
                } else {
                    let path = target(&format!("{name}.csv"))?;
                    let bytes = std::fs::read(&table).map_err(Fault::input)?;
                    write_atomic(&path, &bytes).map_err(Fault::output)?;
                    told.push(format!("{name}.csv"));
                }
            }
            if moved {
                let motion = motion(options, &model)?;
                let rows = motion.times.len() * motion.blocks.len();
                // Through text, with all digits: the columns are those of the table, names included.
                let text = target("motion.csv")?;
                write_motion_csv(&motion, &text).map_err(Fault::output)?;
                if format == Format::Parquet {
                    let path = target("motion.parquet")?;
                    parquet_of(&text, &path).map_err(Fault::output)?;
                    std::fs::remove_file(&text).map_err(Fault::input)?;
                    told.push(format!("motion.parquet: {}", counted(rows, "row")));
                } else {
                    told.push(format!("motion.csv: {}", counted(rows, "row")));
                }
            }
        }
    }
    if told.is_empty() {
        return Err(Fault::Input(format!(
            "{} holds nothing to export in this format",
            options.results.display()
        )));
    }
    Ok(format!("{}\n  {}", folder.display(), told.join("\n  ")))
}
