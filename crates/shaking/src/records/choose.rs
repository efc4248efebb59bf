//! From a file of records to the accelerogram that a motion needs.

use super::{RecordFile, RecordPart};
use crate::{Channel, RecordScale, RecordSeries, Treatment};

/// Which component of a file is wanted, and what is done to its values.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Absent: the only component of the file.
    pub channel: Option<&'a Channel>,
    /// What is done before scaling.
    pub treatment: Treatment,
    /// How the values are scaled.
    pub scale: RecordScale,
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

    /// One component, corrected and scaled.
    pub fn component(&self, wanted: &Wanted<'_>) -> Result<RecordSeries, String> {
        let part = self.choose(wanted.channel)?;
        let series = part.series.clone().treated(wanted.treatment);
        series
            .and_then(|series| series.scaled(wanted.scale))
            .map_err(|error| error.to_string())
    }
}
