//! The format of the Consortium of Organizations for Strong-Motion Observation Systems (COSMOS, version 1.20).
//!
//! Text lines, then parts that announce themselves: `100 Integer-header values follow on  10 lines, Format= (10I8)`,
//! the same for reals, comments, and the data after `42000 acceleration pts, approx  210 secs,
//! units=cm/sec2(04),Format=(1E15.6)`. Channels follow one another, each up to `End-of-data for ...`. The time step is
//! real number 62 in ms (processed data) or 34 in s (recorder); files are found in which one of them is not that of
//! the data, so the one that agrees with the length in the line before the data counts.

use super::numbers::{column_width, number, numbers, promised};
use super::units::acceleration_factor;
use super::{Content, Fault, RecordPart, agreed_step, series};

/// Whether the text looks like this format.
pub(super) fn is(text: &str) -> bool {
    text.lines()
        .take(200)
        .any(|line| line.contains("Integer-header values follow"))
}

pub(super) fn parse(text: &str, dt: Option<f64>) -> Result<Content, Fault> {
    let mut content = Content::new(String::new(), Vec::new());
    let mut name = None;
    let mut reals: Vec<f64> = Vec::new();
    let mut other = None;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let at = |message: String| (Some(index + 1), message);
        if let Some(found) = channel(line) {
            name = Some(found);
        } else if line.contains("header values follow on") {
            let real = line.contains("Real-header");
            let values = header(line, &mut lines)?;
            if real {
                reals = values;
            }
        } else if line.contains(" pts,") && line.to_lowercase().contains("units=") {
            if !line.to_lowercase().contains("accel") {
                other = Some(index + 1);
                continue;
            }
            let block = describe(line).map_err(at)?;
            let ends = |line: &str| line.starts_with("End-of-data") || line.starts_with("/&");
            let mut values = promised(block.points, block.width, index, &mut lines, ends)?;
            for value in &mut values {
                *value *= block.factor;
            }
            let own = step(&reals, &block);
            content.unit = block.unit;
            content.components.push(RecordPart::new(
                name.take(),
                series(agreed_step(own, dt).map_err(|fault| at(fault.1))?, values)?,
            ));
        }
    }
    if content.components.is_empty() {
        return Err((
            other,
            "the file has no acceleration; a line \"... acceleration pts, approx ...\" should come before it".into(),
        ));
    }
    Ok(content)
}

/// The values of a header part, whose announcement says how many there are, on how many lines and in which format.
fn header<'t>(
    announcement: &str,
    lines: &mut impl Iterator<Item = (usize, &'t str)>,
) -> Result<Vec<f64>, Fault> {
    let words: Vec<&str> = announcement.split_whitespace().collect();
    let after_on = words.iter().position(|word| *word == "on").map(|at| at + 1);
    let rows = after_on.and_then(|at| words.get(at)?.parse::<usize>().ok());
    let width = announcement
        .split_once('(')
        .and_then(|(_, format)| column_width(format));
    let mut values = Vec::new();
    for _ in 0..rows.unwrap_or(0) {
        let Some((index, line)) = lines.next() else {
            break;
        };
        let found = numbers(line, width)
            .map_err(|field| (Some(index + 1), format!("\"{field}\" is not a number")))?;
        values.extend(found);
    }
    Ok(values)
}

/// What the line before the data says.
struct Block {
    points: usize,
    /// s.
    length: Option<f64>,
    unit: String,
    factor: f64,
    width: Option<usize>,
}

fn describe(line: &str) -> Result<Block, String> {
    let lower = line.to_lowercase();
    let points = lower.split_whitespace().next().unwrap_or("");
    let points: usize = points
        .parse()
        .map_err(|_| format!("\"{points}\" is not a number of values"))?;
    let length = lower
        .split_once("approx")
        .and_then(|(_, rest)| number(rest.split_whitespace().next()?));
    let unit = lower.split_once("units=").map_or("", |(_, rest)| rest);
    let unit = unit.split(['(', ',']).next().unwrap_or("").trim();
    let factor = acceleration_factor(unit).ok_or_else(|| {
        format!("unknown unit of acceleration \"{unit}\"; known are cm/s2, g, m/s2 (raw counts cannot be used)")
    })?;
    let format = lower.split_once("format=").map_or("", |(_, rest)| rest);
    Ok(Block {
        points,
        length,
        unit: unit.to_owned(),
        factor,
        width: column_width(format),
    })
}

/// The time step from the header, if it can be told.
fn step(reals: &[f64], block: &Block) -> Option<f64> {
    let candidates = [reals.get(61).map(|ms| 1e-3 * ms), reals.get(33).copied()];
    let mut candidates = candidates.into_iter().flatten().filter(|dt| *dt > 0.0);
    match block.length {
        // The length is rounded to seconds.
        Some(length) => candidates.find(|dt| {
            let own = dt * block.points as f64;
            (own - length).abs() <= 1.0_f64.max(0.02 * length)
        }),
        None => candidates.next(),
    }
}

/// The orientation in a line such as `Sta Chan   1:  90 deg (Rcrdr Chan  1) Location: Ground`.
fn channel(line: &str) -> Option<String> {
    let rest = line.strip_prefix("Sta Chan")?;
    let (_, rest) = rest.split_once(':')?;
    let name = rest.split('(').next().unwrap_or(rest).trim();
    (!name.is_empty()).then(|| name.to_owned())
}
