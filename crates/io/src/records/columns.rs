//! Text of one column (accelerations) or two (times, accelerations).
//!
//! Columns are separated by commas, semicolons, tabs or blanks; with semicolons, numbers may have decimal commas. A first
//! line of words is a header, whose last column may name the unit in brackets: `acc [g]`, `acc [cm/s2]`; without one
//! values are in m/s². Blank lines and lines that begin with `#` or `%` are skipped. Times must be evenly spaced; the first
//! one becomes time zero.

use drystone_analysis::excitation::RecordSeries;

use super::units::acceleration_factor;
use super::{Fault, agreed_step, number, series};

/// Intervals may differ from the usual one by this part: times are often printed with few digits (1/256 s as 0.0039).
const UNEVENNESS: f64 = 0.05;

pub(super) fn parse(text: &str, dt: Option<f64>) -> Result<RecordSeries, Fault> {
    let mut factor = 1.0;
    let mut columns = None;
    let mut times = Vec::new();
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = |message: String| (Some(index + 1), message);
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '%']) {
            continue;
        }
        if columns.is_none() && is_header(line) {
            factor = header_factor(line).map_err(at)?;
            columns = Some(0);
            continue;
        }
        let fields = fields(line);
        let numbers: Option<Vec<f64>> = fields.iter().map(|field| number(field)).collect();
        let numbers =
            numbers.ok_or_else(|| at(format!("\"{line}\" should be one or two numbers")))?;
        match columns {
            None | Some(0) => columns = Some(numbers.len()),
            Some(count) if count != numbers.len() => {
                return Err(at(format!(
                    "{} columns, but {count} in the lines before",
                    numbers.len()
                )));
            }
            Some(_) => {}
        }
        match numbers[..] {
            [value] => values.push(factor * value),
            [time, value] => {
                times.push(time);
                values.push(factor * value);
            }
            _ => {
                return Err(at(format!(
                    "{} columns; a record has one (acceleration) or two (time, acceleration)",
                    numbers.len()
                )));
            }
        }
        lines.push(index + 1);
    }
    if values.is_empty() {
        return Err((None, "the record has no values".to_owned()));
    }
    let own_step = step_of(&times, &lines)?;
    series(agreed_step(own_step, dt)?, values)
}

fn fields(line: &str) -> Vec<String> {
    let trimmed = |field: &str| field.trim().to_owned();
    if line.contains(';') {
        let line = line.strip_suffix(';').unwrap_or(line);
        line.split(';')
            .map(|field| trimmed(field).replace(',', "."))
            .collect()
    } else if line.contains(',') {
        let line = line.strip_suffix(',').unwrap_or(line);
        line.split(',').map(trimmed).collect()
    } else {
        line.split_whitespace().map(str::to_owned).collect()
    }
}

/// A header begins with a word.
fn is_header(line: &str) -> bool {
    fields(line).first().is_some_and(|field| {
        number(field).is_none()
            && field.starts_with(|c: char| c.is_alphabetic() || "\"'[(".contains(c))
    })
}

/// The factor to m/s² of the unit in the last brackets of a header.
fn header_factor(line: &str) -> Result<f64, String> {
    // Brackets after the first column belong to the acceleration unless they hold a unit of time.
    let Some((before, unit)) = line
        .rfind(['[', '('])
        .map(|start| (&line[..start], &line[start + 1..]))
    else {
        return Ok(1.0);
    };
    let unit = unit.split([']', ')']).next().unwrap_or(unit).trim();
    if matches!(unit.to_lowercase().as_str(), "s" | "sec" | "seconds")
        && !before.contains([',', ';'])
    {
        return Ok(1.0);
    }
    acceleration_factor(unit).ok_or_else(|| {
        format!("unknown unit of acceleration \"{unit}\"; known are m/s2, cm/s2, mm/s2, g")
    })
}

/// The interval of evenly spaced times; `None` if there are none.
fn step_of(times: &[f64], lines: &[usize]) -> Result<Option<f64>, Fault> {
    let [first, .., last] = times else {
        // A single value needs no interval, but the type does; a lone time says nothing.
        return Ok(None);
    };
    let dt = (last - first) / (times.len() - 1) as f64;
    // Most intervals are right where a few are wrong, so the middle one judges.
    let mut intervals: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    intervals.sort_by(f64::total_cmp);
    let usual = intervals[intervals.len() / 2];
    for (pair, line) in times.windows(2).zip(&lines[1..]) {
        let interval = pair[1] - pair[0];
        if interval <= 0.0 {
            return Err((
                Some(*line),
                format!("time {} does not come after {}", pair[1], pair[0]),
            ));
        }
        if (interval - usual).abs() > UNEVENNESS * usual {
            return Err((
                Some(*line),
                format!(
                    "uneven times: {interval:.6} s from {} to {}, but mostly {usual:.6} s",
                    pair[0], pair[1]
                ),
            ));
        }
    }
    Ok(Some(dt))
}
