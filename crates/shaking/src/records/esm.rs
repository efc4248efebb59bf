//! The ASCII format of the Engineering Strong Motion database and of ITACA (header "DYNA 1.2").
//!
//! 64 lines `KEY: value`, then one value per line. The keys that matter: `SAMPLING_INTERVAL_S`, `NDATA`, `UNITS`
//! (cm/s^2), `DATA_TYPE` (ACCELERATION), `STREAM` (HNE, HNN, HNZ).

use super::numbers::{number, numbers};
use super::units::acceleration_factor;
use super::{Content, Fault, RecordPart, agreed_step, series};

/// Lines that a header may have; the format has 64, its versions a few less or more.
const LONGEST_HEADER: usize = 120;

/// Whether the text looks like this format.
pub(super) fn is(text: &str) -> bool {
    text.lines()
        .take(LONGEST_HEADER)
        .any(|line| line.starts_with("SAMPLING_INTERVAL_S:"))
}

/// A key of the header with its line, from 1.
type Entry<'t> = (usize, &'t str);

pub(super) fn parse(text: &str, dt: Option<f64>) -> Result<Content, Fault> {
    let mut lines = text.lines().enumerate().peekable();
    let mut entries: Vec<(&str, Entry<'_>)> = Vec::new();
    while let Some((index, line)) = lines.peek().copied() {
        match line.split_once(':') {
            Some((key, value)) if index < LONGEST_HEADER => {
                entries.push((key.trim(), (index + 1, value.trim())));
            }
            _ if line.trim().is_empty() => {}
            _ => break,
        }
        lines.next();
    }
    let find = |key: &str| {
        let entry = entries.iter().find(|(name, _)| *name == key);
        entry
            .map(|(_, entry)| *entry)
            .filter(|(_, value)| !value.is_empty())
    };
    let need =
        |key: &str| find(key).ok_or_else(|| (None, format!("the header has no value for {key}")));
    if let Some((at, kind)) = find("DATA_TYPE")
        && !kind.eq_ignore_ascii_case("ACCELERATION")
    {
        return Err((
            Some(at),
            format!("a record of {}, not of acceleration", kind.to_lowercase()),
        ));
    }
    let (at, unit) = need("UNITS")?;
    let factor = acceleration_factor(unit).ok_or_else(|| {
        (
            Some(at),
            format!("unknown unit of acceleration \"{unit}\"; the format has cm/s^2"),
        )
    })?;
    let (at, interval) = need("SAMPLING_INTERVAL_S")?;
    let own_dt = number(interval)
        .filter(|dt| *dt > 0.0)
        .ok_or_else(|| (Some(at), format!("\"{interval}\" is not a time step in s")))?;
    let (at, count) = need("NDATA")?;
    let count: usize = count.parse().map_err(|_| {
        (
            Some(at),
            format!("\"{count}\" is not a number of values; a whole number is needed"),
        )
    })?;
    let mut values = Vec::with_capacity(count.min(text.len() / 2));
    for (index, line) in lines {
        let found = numbers(line, None)
            .map_err(|field| (Some(index + 1), format!("\"{field}\" is not a number")))?;
        values.extend(found.into_iter().map(|value| factor * value));
    }
    if values.len() != count {
        return Err((
            Some(at),
            format!(
                "the header promises {count} values, the file has {}",
                values.len()
            ),
        ));
    }
    let name = find("STREAM").map(|(_, stream)| stream.to_owned());
    let step = agreed_step(Some(own_dt), dt)?;
    Ok(Content::new(
        unit.to_owned(),
        vec![RecordPart::new(name, series(step, values)?)],
    ))
}
