//! PEER's AT2: three lines of text, a fourth with the number of values and the time step, then the values.
//!
//! The third line names the quantity and its unit, in practice `ACCELERATION TIME SERIES IN UNITS OF G`. The fourth is
//! `NPTS=  4000, DT=   .0050 SEC` in files of today and `4000    0.0050    NPTS, DT` in older ones.

use drystone_analysis::excitation::RecordSeries;

use super::units::{STANDARD_GRAVITY, acceleration_factor};
use super::{Fault, agreed_step, number, series};

pub(super) fn parse(text: &str, dt: Option<f64>) -> Result<RecordSeries, Fault> {
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
    let factor = unit_factor(header[2]).map_err(|message| (Some(3), message))?;
    let (count, own_dt) = count_and_step(header[3]).ok_or_else(|| {
        (
            Some(4),
            "the fourth line should give number of values and time step, as in \"NPTS= 4000, DT= .0050 SEC\"".to_owned(),
        )
    })?;
    let mut values = Vec::with_capacity(count.min(1 << 24));
    for (at, line) in lines {
        for field in line.split_whitespace() {
            let value =
                number(field).ok_or_else(|| (Some(at), format!("\"{field}\" is not a number")))?;
            values.push(factor * value);
        }
    }
    if values.len() != count {
        return Err((
            None,
            format!(
                "the header promises {count} values, the file has {}",
                values.len()
            ),
        ));
    }
    series(agreed_step(Some(own_dt), dt)?, values)
}

/// From the line that names quantity and unit.
fn unit_factor(line: &str) -> Result<f64, String> {
    let upper = line.to_uppercase();
    for quantity in ["VELOCITY", "DISPLACEMENT"] {
        if upper.contains(quantity) {
            return Err(format!(
                "a record of {}, not of acceleration",
                quantity.to_lowercase()
            ));
        }
    }
    // Without a unit the format's own one holds.
    let Some(start) = upper.find("UNITS OF ") else {
        return Ok(STANDARD_GRAVITY);
    };
    let unit = upper[start + 9..]
        .split([',', '.'])
        .next()
        .unwrap_or("")
        .trim();
    acceleration_factor(unit).ok_or_else(|| {
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
