//! Earthquake records.
//!
//! One file per format turns text into a [`RecordSeries`] in m/s²; [`RecordFormat::of`] recognises the format.

mod at2;
mod columns;
mod units;

use std::fs;
use std::path::Path;

use drystone_analysis::excitation::{ExcitationError, RecordSeries};
use drystone_model::{Model, MotionKind, RecordComponent};

use crate::Error;

pub use units::STANDARD_GRAVITY;

/// Formats of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// PEER's format: `.at2`.
    At2,
    /// One column of accelerations or two of times and accelerations: `.csv`, `.txt`, `.dat`.
    Columns,
}

impl RecordFormat {
    /// The format that a file's extension stands for.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "at2" => Some(Self::At2),
            "csv" | "txt" | "dat" => Some(Self::Columns),
            _ => None,
        }
    }
}

/// A fault in the text of a record: the line, from 1, if it is in one line, and what is wrong.
type Fault = (Option<usize>, String);

/// Reads one component of a record; its values are not scaled yet. `dt` is needed by files that do not say theirs.
pub fn read_record(path: &Path, dt: Option<f64>) -> Result<RecordSeries, Error> {
    let format = RecordFormat::of(path).ok_or_else(|| Error::RecordFile {
        path: path.to_owned(),
        message:
            "unknown kind of record; known are .at2, and .csv, .txt, .dat with one or two columns"
                .into(),
    })?;
    let bytes = fs::read(path).map_err(Error::file("read", path))?;
    // Station names in headers may be in any encoding; numbers are not.
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let parsed = match format {
        RecordFormat::At2 => at2::parse(text, dt),
        RecordFormat::Columns => columns::parse(text, dt),
    };
    parsed.map_err(|(line, message)| {
        let path = path.to_owned();
        match line {
            Some(line) => Error::Record {
                path,
                line,
                message,
            },
            None => Error::RecordFile { path, message },
        }
    })
}

/// Reads and scales the records of all motions of a model: for every motion one series per component, none for motions
/// that are not records. All faults are reported together.
pub fn load_records(model: &Model) -> Result<Vec<Vec<RecordSeries>>, Error> {
    let mut faults = Vec::new();
    let mut records = Vec::with_capacity(model.motions.len());
    for motion in &model.motions {
        let mut series = Vec::new();
        if let MotionKind::Record { components } = &motion.kind {
            for component in components {
                match load_component(component) {
                    Ok(loaded) => series.push(loaded),
                    Err(fault) => faults.push(fault),
                }
            }
        }
        records.push(series);
    }
    match faults.len() {
        0 => Ok(records),
        1 => Err(faults.remove(0)),
        _ => Err(Error::Several(faults)),
    }
}

fn load_component(component: &RecordComponent) -> Result<RecordSeries, Error> {
    read_record(&component.path, component.dt)?
        .scaled(component.scale)
        .map_err(|error| Error::RecordFile {
            path: component.path.clone(),
            message: error.to_string(),
        })
}

/// A number as Fortran or people write it.
fn number(field: &str) -> Option<f64> {
    let value: f64 = match field.parse() {
        Ok(value) => value,
        Err(_) => field.replace(['d', 'D'], "e").parse().ok()?,
    };
    value.is_finite().then_some(value)
}

/// The time step of the file, which must agree with the one the model gives, if both do.
fn agreed_step(file: Option<f64>, model: Option<f64>) -> Result<f64, Fault> {
    match (file, model) {
        (Some(file), Some(model)) if (file - model).abs() > 0.01 * file.abs() => Err((
            None,
            format!(
                "the model says dt = {model} s but the file has {file} s; leave dt out of the model"
            ),
        )),
        (Some(dt), _) | (None, Some(dt)) => Ok(dt),
        (None, None) => Err((
            None,
            "the file does not say its time step; give dt in the motion".to_owned(),
        )),
    }
}

fn series(dt: f64, acceleration: Vec<f64>) -> Result<RecordSeries, Fault> {
    RecordSeries::new(dt, acceleration).map_err(|error: ExcitationError| (None, error.to_string()))
}

#[cfg(test)]
mod tests;
