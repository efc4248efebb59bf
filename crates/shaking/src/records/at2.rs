//! PEER's AT2: three lines of text, a fourth with the number of values and the time step, then the values.
//!
//! The third line names the quantity and its unit, in practice `ACCELERATION TIME SERIES IN UNITS OF G`. The fourth is
//! `NPTS=  4000, DT=   .0050 SEC` in files of today and `4000    0.0050    NPTS, DT` in older ones. Five or eight values
//! stand in a line. VT2 and DT2 have the same form and hold velocity and displacement: they are refused.

use super::numbers::{number, numbers};
use super::units::acceleration_factor;
use super::{Content, Fault, RecordPart, agreed_step, series};
use crate::STANDARD_GRAVITY;

/// Whether the text looks like this format.
pub(super) fn is(text: &str) -> bool {
    text.lines()
        .take(4)
        .last()
        .is_some_and(|line| count_and_step(line).is_some())
}

pub(super) fn parse(text: &str, dt: Option<f64>) -> Result<Content, Fault> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line));
    let mut header = Vec::new();
    for _ in 0..4 {
        let (_, line) = lines.next().ok_or_else(|| {
            (
                None,
                "an AT2 file has four header lines; this one ends before".to_owned(),
            )
        })?;
        header.push(line);
    }
    let (factor, unit) = unit_factor(header[2]).map_err(|message| (Some(3), message))?;
    let (count, own_dt) = count_and_step(header[3]).ok_or_else(|| {
        (
            Some(4),
            "the fourth line should give number of values and time step, as in \"NPTS= 4000, DT= .0050 SEC\"".to_owned(),
        )
    })?;
    // A value takes at least two bytes: the header cannot make us reserve more than the file has.
    let mut values = Vec::with_capacity(count.min(text.len() / 2));
    for (at, line) in lines {
        let found = numbers(line, None)
            .map_err(|field| (Some(at), format!("\"{field}\" is not a number")))?;
        values.extend(found.into_iter().map(|value| factor * value));
    }
    if values.len() != count {
        return Err((
            Some(4),
            format!(
                "the header promises {count} values, the file has {}",
                values.len()
            ),
        ));
    }
    // "Somewhere-01, 1/2/1999, Station #3, 180": the last word is azimuth or UP.
    let name = header[1]
        .rsplit(',')
        .next()
        .map(|word| word.trim().to_owned())
        .filter(|word| !word.is_empty() && header[1].contains(','));
    Ok(Content::new(
        unit,
        vec![RecordPart::new(
            name,
            series(agreed_step(Some(own_dt), dt)?, values)?,
        )],
    ))
}

/// From the line that names quantity and unit.
fn unit_factor(line: &str) -> Result<(f64, String), String> {
    let upper = line.to_uppercase();
    for quantity in ["VELOCITY", "DISPLACEMENT"] {
        if upper.contains(quantity) {
            return Err(format!(
                "a record of {}, not of acceleration; the AT2 file of the same record is needed",
                quantity.to_lowercase()
            ));
        }
    }
    // Without a unit the format's own one holds.
    let Some(start) = upper.find("UNITS OF ") else {
        return Ok((STANDARD_GRAVITY, "g".to_owned()));
    };
    let unit = upper[start + 9..]
        .split([',', '.'])
        .next()
        .unwrap_or("")
        .trim();
    acceleration_factor(unit)
        .map(|factor| (factor, unit.to_lowercase()))
        .ok_or_else(|| {
            format!("unknown unit of acceleration \"{unit}\"; known are g, m/s2, cm/s2, mm/s2")
        })
}

fn count_and_step(line: &str) -> Option<(usize, f64)> {
    let upper = line.to_uppercase();
    let numbers: Vec<f64> = upper
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '=' | ':'))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
        // The unit may stick to the number: ".0050SEC".
        .filter_map(|word| number(word.trim_end_matches(|c: char| c.is_alphabetic() || c == '.')))
        .collect();
    // Both spellings give the count first.
    let [count, dt, ..] = numbers[..] else {
        return None;
    };
    (upper.contains("NPTS")
        && upper.contains("DT")
        && count >= 1.0
        && count.fract() == 0.0
        && dt > 0.0)
        .then_some((count as usize, dt))
}
