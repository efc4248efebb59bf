//! Earthquake records.
//!
//! One file per format turns text into series of acceleration in m/s²; [`RecordFormat::of`] recognises the format.

mod at2;
mod choose;
mod columns;
mod cosmos;
mod dmg;
mod error;
mod esm;
mod numbers;
mod smc;
mod units;

use std::fmt;
use std::fs;
use std::path::Path;

use crate::{ExcitationError, RecordSeries};

pub use choose::Wanted;
pub use error::RecordError;

/// Formats of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// PEER's format.
    At2,
    /// Engineering Strong Motion database and ITACA.
    Esm,
    /// Consortium of Organizations for Strong-Motion Observation Systems.
    Cosmos,
    /// California Strong Motion Instrumentation Program, volume 2.
    Dmg,
    /// United States Geological Survey.
    Smc,
    /// One column of accelerations, or times and up to three of accelerations.
    Columns,
}

impl RecordFormat {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::At2,
        Self::Esm,
        Self::Cosmos,
        Self::Dmg,
        Self::Smc,
        Self::Columns,
    ];

    /// The format of a text. The content decides; plain columns have nothing to be recognised by, so for them, and for
    /// files whose header is damaged, the extension does.
    pub fn of(path: &Path, text: &str) -> Option<Self> {
        let by_content = [
            (Self::Smc, smc::is as fn(&str) -> bool),
            (Self::Esm, esm::is),
            (Self::Cosmos, cosmos::is),
            (Self::Dmg, dmg::is),
            (Self::At2, at2::is),
        ];
        if let Some((format, _)) = by_content.into_iter().find(|(_, is)| is(text)) {
            return Some(format);
        }
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "at2" | "vt2" | "dt2" => Some(Self::At2),
            "smc" => Some(Self::Smc),
            "v2" => Some(Self::Dmg),
            "v2c" => Some(Self::Cosmos),
            "csv" | "txt" | "dat" | "tsv" | "asc" | "acc" => Some(Self::Columns),
            _ => None,
        }
    }

    fn parse(self, text: &str, dt: Option<f64>) -> Result<Content, Fault> {
        match self {
            Self::At2 => at2::parse(text, dt),
            Self::Esm => esm::parse(text, dt),
            Self::Cosmos => cosmos::parse(text, dt),
            Self::Dmg => dmg::parse(text, dt),
            Self::Smc => smc::parse(text, dt),
            Self::Columns => columns::parse(text, dt),
        }
    }
}

impl fmt::Display for RecordFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::At2 => "PEER AT2",
            Self::Esm => "ESM ASCII",
            Self::Cosmos => "COSMOS V2",
            Self::Dmg => "CSMIP V2",
            Self::Smc => "USGS SMC",
            Self::Columns => "columns",
        })
    }
}

/// A file of one or more components.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordFile {
    /// Its format.
    pub format: RecordFormat,
    /// Unit of its values as written; those read are in m/s².
    pub unit: String,
    /// In the order of the file; at least one.
    pub components: Vec<RecordPart>,
    /// What the reader of results should know.
    pub notes: Vec<String>,
}

/// One component of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordPart {
    /// Channel, orientation or column as the file names it.
    pub name: Option<String>,
    /// Clockwise from north, degrees, if the name says.
    pub azimuth: Option<f64>,
    /// Acceleration, not scaled.
    pub series: RecordSeries,
}

impl RecordPart {
    fn new(name: Option<String>, series: RecordSeries) -> Self {
        let azimuth = name.as_deref().and_then(azimuth);
        Self {
            name,
            azimuth,
            series,
        }
    }
}

/// The azimuth in names such as `90 Deg`, `360`, `N45E`, `HNE`.
fn azimuth(name: &str) -> Option<f64> {
    let lower = name.trim().to_lowercase();
    let digits = lower.trim_end_matches("deg").trim_end_matches(['.', '°']);
    if let Some(degrees) = numbers::number(digits.trim()) {
        return (0.0..=360.0).contains(&degrees).then_some(degrees % 360.0);
    }
    let quadrant = |degrees: &str, from: f64, sign: f64| {
        let degrees: f64 = degrees.parse().ok()?;
        (0.0..=90.0)
            .contains(&degrees)
            .then_some((from + sign * degrees).rem_euclid(360.0))
    };
    let middle = |first: char, last: char| lower.strip_prefix(first)?.strip_suffix(last);
    middle('n', 'e')
        .and_then(|degrees| quadrant(degrees, 0.0, 1.0))
        .or_else(|| middle('n', 'w').and_then(|degrees| quadrant(degrees, 0.0, -1.0)))
        .or_else(|| middle('s', 'e').and_then(|degrees| quadrant(degrees, 180.0, -1.0)))
        .or_else(|| middle('s', 'w').and_then(|degrees| quadrant(degrees, 180.0, 1.0)))
        .or(match lower.as_str() {
            "hnn" | "hgn" | "hln" | "ns" | "n" | "north" => Some(0.0),
            "hne" | "hge" | "hle" | "ew" | "e" | "east" => Some(90.0),
            _ => None,
        })
}

/// What a parser found.
struct Content {
    unit: String,
    components: Vec<RecordPart>,
    notes: Vec<String>,
}

impl Content {
    fn new(unit: String, components: Vec<RecordPart>) -> Self {
        Self {
            unit,
            components,
            notes: Vec::new(),
        }
    }
}

/// A fault in the text of a record: the line, from 1, if it is in one line, and what is wrong.
type Fault = (Option<usize>, String);

/// Files longer than this are not records, and would fill the memory, bytes.
const LONGEST: u64 = 1 << 29;

/// Reads the bytes of a record, if there are not too many for one.
pub fn read_record_bytes(path: &Path) -> Result<Vec<u8>, RecordError> {
    let unreadable = |error: std::io::Error| RecordError::unreadable(path, &error);
    let length = fs::metadata(path).map_err(unreadable)?.len();
    if length > LONGEST {
        let message = format!("the file has {length} bytes; records have at most {LONGEST}");
        return Err(RecordError::new(path, None, message));
    }
    fs::read(path).map_err(unreadable)
}

/// Reads all components of a file. `dt` is needed by files that do not say theirs.
pub fn read_record_file(path: &Path, dt: Option<f64>) -> Result<RecordFile, RecordError> {
    RecordFile::parse(&read_record_bytes(path)?, path, dt)
}

impl RecordFile {
    /// All components of a record. `path` is for messages, and its extension for formats that have no header; `dt` is needed by files that do not
    /// say theirs.
    pub fn parse(bytes: &[u8], path: &Path, dt: Option<f64>) -> Result<Self, RecordError> {
        // Station names in headers may be in any encoding; numbers are not.
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        let format = RecordFormat::of(path, text).ok_or_else(|| {
            let message = "unknown kind of record; known are PEER AT2, ESM ASCII, COSMOS V2, CSMIP V2 and USGS SMC, by their headers, \
                 and columns in .csv, .txt, .dat, .tsv, .asc, .acc";
            RecordError::new(path, None, message)
        })?;
        let content = format
            .parse(text, dt)
            .map_err(|(line, message)| RecordError::new(path, line, message))?;
        let mut file = Self {
            format,
            unit: content.unit,
            components: content.components,
            notes: content.notes,
        };
        file.note_lengths();
        Ok(file)
    }

    /// Says which components end before the others.
    fn note_lengths(&mut self) {
        let end = |part: &RecordPart| part.series.duration();
        let longest = self.components.iter().map(end).fold(0.0, f64::max);
        for (index, part) in self.components.iter().enumerate() {
            // A value more or less is rounding of the writer.
            if longest - end(part) > 1.5 * part.series.dt {
                self.notes.push(format!(
                    "{} ends at {:.3} s and the longest component at {longest:.3} s: its acceleration is zero from there on",
                    self.label(index),
                    end(part),
                ));
            }
        }
    }

    /// A component by number and name, for messages.
    pub fn label(&self, index: usize) -> String {
        match self
            .components
            .get(index)
            .and_then(|part| part.name.as_deref())
        {
            Some(name) => format!("component {} \"{name}\"", index + 1),
            None => format!("component {}", index + 1),
        }
    }

    /// The components by number and name, for messages.
    fn labels(&self) -> String {
        let labels: Vec<String> = (0..self.components.len())
            .map(|index| self.label(index))
            .collect();
        labels.join(", ")
    }
}

/// The time step of the file, which must agree with the one that the user gives, if both do.
fn agreed_step(file: Option<f64>, given: Option<f64>) -> Result<f64, Fault> {
    match (file, given) {
        (Some(file), Some(given)) if (file - given).abs() > 0.01 * file.abs() => Err((
            None,
            format!(
                "dt = {given} s is given, but the file has {file} s; leave dt out"
            ),
        )),
        (Some(dt), _) | (None, Some(dt)) => Ok(dt),
        (None, None) => Err((
            None,
            "the file does not say its time step; give it as `dt` of the motion in a model, as --dt of `drystone motion`"
                .to_owned(),
        )),
    }
}

fn series(dt: f64, acceleration: Vec<f64>) -> Result<RecordSeries, Fault> {
    RecordSeries::new(dt, acceleration).map_err(|error: ExcitationError| (None, error.to_string()))
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
