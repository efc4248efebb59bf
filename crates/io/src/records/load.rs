//! From the records that a model names to the series that its motions need.

use std::path::Path;

use drystone_analysis::excitation::{ExcitationError, RecordSeries};
use drystone_model::{Channel, Model, MotionKind, RecordComponent};

use super::{RecordFile, RecordPart, read_record_file};
use crate::Error;

/// What was read, and what the reader of results should know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Noted<T> {
    /// What was read.
    pub value: T,
    /// A sentence each, with the name of the file.
    pub notes: Vec<String>,
}

/// Reads one component of a file; its values are not scaled yet. `dt` is needed by files that do not say theirs.
pub fn read_record(
    path: &Path,
    channel: Option<&Channel>,
    dt: Option<f64>,
) -> Result<Noted<RecordSeries>, Error> {
    let file = read_record_file(path, dt)?;
    let part = file.choose(channel).map_err(|message| Error::RecordFile {
        path: path.to_owned(),
        message,
    })?;
    let notes = file.notes.iter();
    Ok(Noted {
        value: part.series.clone(),
        notes: notes
            .map(|note| format!("{}: {note}", path.display()))
            .collect(),
    })
}

impl RecordFile {
    /// The component that a channel names; without one, the only one. Says what there is if there is no such one.
    pub fn choose(&self, channel: Option<&Channel>) -> Result<&RecordPart, String> {
        let matches = |part: &&RecordPart, name: &str| {
            let own = part.name.as_deref().unwrap_or_default();
            own.trim().eq_ignore_ascii_case(name.trim())
        };
        let (found, asked) = match channel {
            None => match &self.components[..] {
                [part] => (Some(part), String::new()),
                _ => {
                    return Err(format!(
                        "the file has {}; choose one with `component`, by number or name",
                        self.labels()
                    ));
                }
            },
            Some(Channel::Number(number)) => {
                let index = usize::try_from(*number).ok().and_then(|n| n.checked_sub(1));
                let found = index.and_then(|index| self.components.get(index));
                (found, format!("component {number}"))
            }
            Some(Channel::Name(name)) => {
                let found: Vec<&RecordPart> = self
                    .components
                    .iter()
                    .filter(|part| matches(part, name))
                    .collect();
                if found.len() > 1 {
                    return Err(format!(
                        "several components are named \"{name}\": {}; choose one by number",
                        self.labels()
                    ));
                }
                (found.first().copied(), format!("component \"{name}\""))
            }
        };
        found.ok_or_else(|| format!("there is no {asked}; the file has {}", self.labels()))
    }
}

/// Reads and scales the records of all motions of a model: for every motion one series per component, none for motions
/// that are not records. All faults are reported together.
pub fn load_records(model: &Model) -> Result<Vec<Vec<RecordSeries>>, Error> {
    load_records_noted(model).map(|records| records.value)
}

/// As [`load_records`], with what the reader of results should know of the files.
pub fn load_records_noted(model: &Model) -> Result<Noted<Vec<Vec<RecordSeries>>>, Error> {
    let mut faults = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    let mut records = Vec::with_capacity(model.motions.len());
    for motion in &model.motions {
        let mut series = Vec::new();
        if let MotionKind::Record { components } = &motion.kind {
            for component in components {
                match load_component(component) {
                    Ok(loaded) => {
                        series.push(loaded.value);
                        // Components of one file have the same notes.
                        for note in loaded.notes {
                            if !notes.contains(&note) {
                                notes.push(note);
                            }
                        }
                    }
                    Err(fault) => faults.push(fault),
                }
            }
        }
        records.push(series);
    }
    match faults.len() {
        0 => Ok(Noted {
            value: records,
            notes,
        }),
        1 => Err(faults.remove(0)),
        _ => Err(Error::Several(faults)),
    }
}

/// Reads one component of a motion, treats it and scales it.
pub fn load_component(component: &RecordComponent) -> Result<Noted<RecordSeries>, Error> {
    let read = read_record(&component.path, component.channel.as_ref(), component.dt)?;
    let series = read
        .value
        .treated(component.treatment)
        .and_then(|series| series.scaled(component.scale))
        .map_err(|error: ExcitationError| Error::RecordFile {
            path: component.path.clone(),
            message: error.to_string(),
        })?;
    Ok(Noted {
        value: series,
        notes: read.notes,
    })
}
