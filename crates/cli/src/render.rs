//! `drystone render`: pictures of a structure and of the plots of a run, as PNG or SVG.

use std::path::{Path, PathBuf};

use drystone_geometry::{DVec3, Pose};
use drystone_model::Model;
use drystone_page::figure::{Content, Picture};
use drystone_page::render::png;
use drystone_page::report::{View, view};
use drystone_results::read_figures;
use drystone_results::{read_motion_frames, write_atomic};

use crate::Outcome;
use crate::speak::{answer, counted};

/// Options of `render`.
#[derive(Debug, clap::Args)]
pub struct RenderOptions {
    /// Folder of results, whose plots and pictures are drawn, or model file, whose structure is
    #[arg(value_name = "DIR|MODEL")]
    pub what: PathBuf,
    /// With a model file: folder of the results of a time history, to draw the structure as it was at a time
    #[arg(value_name = "RESULTS")]
    pub results: Option<PathBuf>,
    /// Folder for pictures [default: DIR/pictures, or the present folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value = "png")]
    pub format: Kind,
    /// Width in points
    #[arg(long, value_name = "N", default_value_t = 1600, value_parser = clap::value_parser!(u32).range(16..=20_000))]
    pub width: u32,
    /// When, s; the stored time that is nearest [default: the end]
    #[arg(
        long,
        value_name = "T",
        requires = "results",
        allow_negative_numbers = true
    )]
    pub time: Option<f64>,
    /// From where the structure is seen: front, back, left, right, top, corner, or a direction as X,Y,Z [default: front for planar models, else corner]
    #[arg(long, value_name = "VIEW", allow_hyphen_values = true)]
    pub view: Option<String>,
    /// Replace pictures that are already there
    #[arg(long)]
    pub overwrite: bool,
}

/// Formats of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Points
    Png,
    /// Lines and polygons
    Svg,
}

/// Pictures with the names of their files.
type Pictures = Vec<(PathBuf, Picture)>;

/// Draws.
pub fn render(options: &RenderOptions) -> Outcome {
    let drawn = if options.what.is_dir() {
        of_results(options)
    } else {
        of_model(options)
    };
    let pictures = match drawn {
        Ok(pictures) => pictures,
        Err(message) => return Outcome::BadInput(message),
    };
    if !options.overwrite
        && let Some((path, _)) = pictures.iter().find(|(path, _)| path.exists())
    {
        return Outcome::BadInput(format!(
            "{} is already there: choose another folder (--out) or add --overwrite",
            path.display()
        ));
    }
    for (path, picture) in &pictures {
        if let Err(message) = write(path, picture, options) {
            return Outcome::Failed(message);
        }
    }
    let names: Vec<String> = pictures
        .iter()
        .map(|(path, _)| path.display().to_string())
        .collect();
    answer(&format!(
        "{}\n{}",
        counted(pictures.len(), "picture"),
        names.join("\n")
    ))
}

fn write(path: &Path, picture: &Picture, options: &RenderOptions) -> Result<(), String> {
    let drawn = match options.format {
        Kind::Svg => {
            let svg = picture.alone(options.width).map(String::into_bytes);
            svg.ok_or_else(|| "it has no extent".to_owned())
        }
        Kind::Png => png(picture, options.width),
    };
    let bytes = drawn.map_err(|error| format!("cannot draw {}: {error}", path.display()))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    }
    write_atomic(path, &bytes).map_err(|error| error.to_string())
}

fn file(folder: &Path, name: &str, options: &RenderOptions) -> PathBuf {
    let extension = match options.format {
        Kind::Png => "png",
        Kind::Svg => "svg",
    };
    folder.join(format!("{name}.{extension}"))
}

/// The plots and pictures of an analysis, or of all analyses of a run.
fn of_results(options: &RenderOptions) -> Result<Pictures, String> {
    let dir = &options.what;
    if options.view.is_some() || options.results.is_some() {
        return Err(format!(
            "{}: to draw the structure from elsewhere give the model file first: drystone render MODEL {}",
            dir.display(),
            dir.display()
        ));
    }
    let mut folders = vec![dir.clone()];
    let entries = std::fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    inside.sort();
    folders.extend(inside);
    let mut pictures = Vec::new();
    for folder in folders {
        let path = folder.join("figures.json");
        if !path.exists() {
            if folder.join("report.html").exists() {
                return Err(format!(
                    "{}: there is no figures.json beside report.html, as in results of an older version: run the analysis again with --overwrite, or `drystone campaign collect` a campaign",
                    folder.display()
                ));
            }
            continue;
        }
        let figures = read_figures(&path).map_err(|error| error.to_string())?;
        let place = match &options.out {
            Some(out) if folder == *dir => out.clone(),
            Some(out) => out.join(folder.file_name().unwrap_or_default()),
            None => folder.join("pictures"),
        };
        let all = figures.iter();
        pictures.extend(all.map(|figure| (file(&place, &figure.name, options), figure.picture())));
    }
    if pictures.is_empty() {
        return Err(format!(
            "{}: no figures.json with pictures here or in the folders within; give the folder that `drystone run` wrote",
            dir.display()
        ));
    }
    Ok(pictures)
}

/// The structure, at the start or at a time of a run.
fn of_model(options: &RenderOptions) -> Result<Pictures, String> {
    let model = drystone_model::load(&options.what).map_err(|faults| faults.to_string())?;
    let start: Vec<Pose> = model
        .blocks
        .iter()
        .map(|block| Pose::at(block.position))
        .collect();
    let (name, poses) = match &options.results {
        None => ("structure".to_owned(), start.clone()),
        Some(folder) => {
            let (time, poses) = at_time(&model, options, folder)?;
            (format!("structure-{time:.3}s"), poses)
        }
    };
    let frames = [(0.0, start)];
    // What moves needs room.
    let room = if options.results.is_some() {
        0.25
    } else {
        0.08
    };
    let towards = match &options.view {
        Some(word) => direction(word)?,
        None => View::usual(&model),
    };
    let around = View::from(&model, &frames, towards, room);
    let folder = options.out.clone().unwrap_or_default();
    let drawing = Content::Drawing(view(&model, &poses, &around));
    Ok(vec![(file(&folder, &name, options), drawing.picture())])
}

/// The stored frame nearest to the wanted time.
fn at_time(
    model: &Model,
    options: &RenderOptions,
    folder: &Path,
) -> Result<(f64, Vec<Pose>), String> {
    let path = folder.join("motion.parquet");
    let motion = read_motion_frames(&path, |_| true).map_err(|error| error.to_string())?;
    let names = model.blocks.iter().map(|block| &block.name);
    if !names.eq(&motion.blocks) {
        return Err(format!(
            "{} has other blocks than {}: give the model that was run",
            path.display(),
            options.what.display()
        ));
    }
    let wanted = options.time.unwrap_or(f64::INFINITY);
    let distance = |time: f64| {
        if wanted.is_finite() {
            (time - wanted).abs()
        } else {
            -time
        }
    };
    let frames = motion.times.into_iter().zip(motion.poses);
    frames
        .min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)))
        .ok_or_else(|| format!("{} has no frames", path.display()))
}

fn direction(word: &str) -> Result<DVec3, String> {
    Ok(match word {
        "front" => DVec3::NEG_Y,
        "back" => DVec3::Y,
        "left" => DVec3::NEG_X,
        "right" => DVec3::X,
        "top" => DVec3::Z,
        "corner" => DVec3::new(0.55, -0.75, 0.35),
        other => {
            let numbers: Vec<f64> = other
                .split(',')
                .map_while(|part| part.trim().parse().ok())
                .collect();
            let vector = <[f64; 3]>::try_from(numbers).map(DVec3::from);
            match vector {
                Ok(vector) if vector.is_finite() && vector.length() > 0.0 => vector,
                _ => {
                    return Err(format!(
                        "--view {other}: give front, back, left, right, top, corner, or a direction towards the eye such as 1,-2,0.5"
                    ));
                }
            }
        }
    })
}
