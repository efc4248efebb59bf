//! The accelerograms that are asked for.

use drystone_geometry::DVec3;
use drystone_model::{Model, MotionKind, Pulse};
use drystone_shaking::{
    GroundMotion, Measures, RecordFile, RecordPart, RecordSeries, read_record_file, rotated,
    synthetic_series,
};

use super::bad;
use super::options::MotionOptions;
use crate::Outcome;
use crate::speak::tell;

/// Values per period, or per half period of a pulse with jumps, with which a motion that has a formula is described.
const PER_PERIOD: f64 = 200.0;

/// Values that a description may have.
const MOST_VALUES: f64 = 1e6;

/// A motion to be described.
pub struct Described {
    /// For messages and names of files.
    pub name: String,
    /// Where it comes from.
    pub source: String,
    /// In order.
    pub components: Vec<Part>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// One component.
pub struct Part {
    /// For headings; unique within the motion.
    pub label: String,
    /// Clockwise from north, degrees.
    pub azimuth: Option<f64>,
    /// Velocity of the ground at its beginning, m/s: not zero only where the ground oscillates from the start.
    pub initial_velocity: f64,
    /// m/s².
    pub series: RecordSeries,
}

impl Part {
    /// What engineers ask of it.
    pub fn measures(&self) -> Measures {
        Measures::from_velocity(&self.series, self.initial_velocity)
    }
}

impl Described {
    /// The files that are written of it.
    pub fn file_names(&self) -> [String; 2] {
        let stem = file_stem(&self.name);
        [format!("{stem}.csv"), format!("{stem}-spectra.csv")]
    }
}

/// A name as part of the name of a file on every common system.
pub fn file_stem(name: &str) -> String {
    let safe = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '-'
        }
    };
    let stem: String = name.chars().map(safe).collect();
    let stem = stem.trim_matches(['.', '-']);
    if stem.is_empty() {
        "motion".to_owned()
    } else {
        stem.to_owned()
    }
}

/// The components of a record after everything that was asked for.
pub fn of_record(options: &MotionOptions) -> Result<Described, Outcome> {
    let path = &options.file;
    let at = |message: String| bad(format!("{}: {message}", path.display()));
    if let Some(option) = options.of_models() {
        return Err(at(format!("{option} needs a model file, not a record")));
    }
    let file = read_record_file(path, options.dt).map_err(|error| bad(error.to_string()))?;
    let mut parts = Vec::new();
    for part in chosen(&file, options).map_err(at)? {
        let series = part.series.clone().treated(options.treatment());
        parts.push((part, series.map_err(|error| at(error.to_string()))?));
    }
    let mut components: Vec<Part> = match (options.rotate_degrees, &parts[..]) {
        (Some(degrees), [first, second]) => {
            let turned = rotated(&first.1, &second.1, degrees.to_radians());
            let turned = turned.map_err(|error| at(error.to_string()))?;
            let from = |part: &RecordPart, index: usize| {
                part.name.clone().unwrap_or_else(|| index.to_string())
            };
            let names = [from(first.0, 1), from(second.0, 2)];
            turned
                .into_iter()
                .zip(names)
                .map(|(series, name)| Part {
                    label: format!("{name} turned by {degrees}"),
                    azimuth: None,
                    initial_velocity: 0.0,
                    series,
                })
                .collect()
        }
        (Some(_), _) => {
            return Err(at(format!(
                "two horizontal components are turned, not {}; choose them with --component, given twice",
                parts.len()
            )));
        }
        (None, _) => {
            let number = |part: &RecordPart| {
                let mut all = file.components.iter();
                all.position(|other| std::ptr::eq(other, part)).unwrap_or(0) + 1
            };
            let label = |part: &RecordPart| match &part.name {
                Some(name) => format!("{} {name}", number(part)),
                None => number(part).to_string(),
            };
            parts
                .into_iter()
                .map(|(part, series)| Part {
                    label: label(part),
                    azimuth: part.azimuth,
                    initial_velocity: 0.0,
                    series,
                })
                .collect()
        }
    };
    for part in &mut components {
        let series = resampled(&part.series, options).map_err(at)?;
        let scaled = series.scaled(options.scaling());
        part.series = scaled.map_err(|error| at(error.to_string()))?;
    }
    Ok(Described {
        name: path
            .file_stem()
            .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
        source: format!("{}, values in {}", file.format, file.unit),
        components,
        notes: file.notes,
    })
}

fn chosen<'f>(
    file: &'f RecordFile,
    options: &MotionOptions,
) -> Result<Vec<&'f RecordPart>, String> {
    let channels = options.channels();
    if channels.is_empty() {
        return Ok(file.components.iter().collect());
    }
    channels
        .iter()
        .map(|channel| file.choose(Some(channel)))
        .collect()
}

/// The series at the time step that is asked for, if any.
pub fn resampled(series: &RecordSeries, options: &MotionOptions) -> Result<RecordSeries, String> {
    let Some(dt) = options.resample else {
        return Ok(series.clone());
    };
    if dt > series.duration() {
        return Err(format!(
            "--resample {dt}: the time step would be longer than the motion, {} s",
            series.duration()
        ));
    }
    series.resampled(dt).map_err(|error| error.to_string())
}

/// A motion that has a formula as a table. Where the acceleration jumps, the mean of both sides keeps the velocity right.
fn tabulated(pulse: Pulse, ground: &GroundMotion) -> Result<RecordSeries, String> {
    let end = ground.end();
    let periods = match pulse {
        Pulse::OneSine { .. } => 1.0,
        Pulse::Rectangular { .. } => 1.0,
        Pulse::Biphasic { .. } => 3.0,
        Pulse::Sine {
            frequency,
            duration,
            ..
        } => (frequency * duration).max(1.0),
    };
    let count = (periods * PER_PERIOD).ceil();
    if count > MOST_VALUES {
        return Err(format!("{periods:.0} periods are too many for a table"));
    }
    let dt = end / count;
    let jumps = ground.discontinuities();
    let values = (0..=count as usize).map(|k| {
        let time = k as f64 * dt;
        // Multiples of the step meet jumps to rounding.
        let near = |jump: &&f64| (**jump - time).abs() < 1e-6 * dt;
        let time = jumps.iter().find(near).copied().unwrap_or(time);
        match k {
            0 => ground.acceleration(0.0).x,
            k if k == count as usize => ground.acceleration_before(end).x,
            _ => 0.5 * (ground.acceleration_before(time).x + ground.acceleration(time).x),
        }
    });
    RecordSeries::new(dt, values.collect()).map_err(|error| error.to_string())
}

/// The model, without looking at what stands in it.
pub fn load(options: &MotionOptions) -> Result<Model, Outcome> {
    if let Some(option) = options.of_records() {
        return Err(bad(format!(
            "{option} is for records; what a model does to its motions is written in it"
        )));
    }
    drystone_model::load(&options.file).map_err(|faults| bad(faults.to_string()))
}

/// The accelerograms of a model's motions; settlements have none, which is told.
pub fn of_model(options: &MotionOptions) -> Result<Vec<Described>, Outcome> {
    let model = load(options)?;
    let mut motions = Vec::new();
    for motion in &model.motions {
        if options
            .motion
            .as_ref()
            .is_some_and(|name| *name != motion.name)
        {
            continue;
        }
        let mut described = Described {
            name: motion.name.clone(),
            source: String::new(),
            components: Vec::new(),
            notes: Vec::new(),
        };
        match &motion.kind {
            MotionKind::Record { components } => {
                described.source = "record".to_owned();
                for (index, component) in components.iter().enumerate() {
                    let d = component.direction;
                    for note in &component.notes {
                        if !described.notes.contains(note) {
                            described.notes.push(note.clone());
                        }
                    }
                    described.components.push(Part {
                        label: format!("{} [{:.3} {:.3} {:.3}]", index + 1, d.x, d.y, d.z),
                        azimuth: None,
                        initial_velocity: 0.0,
                        series: component.series.clone(),
                    });
                }
            }
            MotionKind::Stochastic { settings, .. } => {
                described.source = format!("stochastic, seed {}", settings.seed);
            }
            MotionKind::CodeSpectrum { settings, .. } => {
                described.source = format!("artificial, seed {}", settings.seed);
            }
            MotionKind::Pulse { pulse, .. } => {
                described.source = match pulse {
                    Pulse::OneSine { .. } => "one sine",
                    Pulse::Biphasic { .. } => "biphasic pulse",
                    Pulse::Rectangular { .. } => "rectangular pulse",
                    Pulse::Sine { .. } => "sine",
                }
                .to_owned();
                let ground = GroundMotion::from_pulse(DVec3::X, *pulse);
                let series = tabulated(*pulse, &ground);
                let series = series.map_err(|error| bad(format!("{}: {error}", motion.name)))?;
                described.notes.push(format!(
                    "a table with steps of {:.3e} s; an analysis takes its formula",
                    series.dt
                ));
                described.components.push(Part {
                    label: "acceleration".to_owned(),
                    azimuth: None,
                    initial_velocity: ground.velocity(0.0).x,
                    series,
                });
            }
            MotionKind::Settlement { .. } => {
                tell(&format!(
                    "{}: a settlement has no accelerogram and is left out",
                    motion.name
                ));
                continue;
            }
        }
        if let Some(series) = synthetic_series(&motion.kind) {
            described.components.push(Part {
                label: "acceleration".to_owned(),
                azimuth: None,
                initial_velocity: 0.0,
                series: series.map_err(|error| bad(format!("{}: {error}", motion.name)))?,
            });
        }
        for part in &mut described.components {
            part.series = resampled(&part.series, options)
                .map_err(|error| bad(format!("{}: {error}", motion.name)))?;
        }
        motions.push(described);
    }
    if motions.is_empty() {
        return Err(nothing(&model, options));
    }
    Ok(motions)
}

/// Says that there is nothing to describe, and what there is.
pub fn nothing(model: &Model, options: &MotionOptions) -> Outcome {
    let names: Vec<String> = model
        .motions
        .iter()
        .map(|motion| format!("\"{}\"", motion.name))
        .collect();
    let what = match &options.motion {
        Some(name) => format!("no accelerogram is named \"{name}\""),
        None => {
            "the model has no accelerogram: no motion of a kind other than settlement".to_owned()
        }
    };
    let names = if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    };
    bad(format!(
        "{}: {what}; its motions are: {names}",
        options.file.display()
    ))
}
