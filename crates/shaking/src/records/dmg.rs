//! Volume 2 of the California Strong Motion Instrumentation Program (CSMIP; "DMG" after its former agency).
//!
//! Channels follow one another. Each has lines of text, integers and reals, then blocks of corrected acceleration,
//! velocity and displacement, each after a line such as
//! `  7500 points of accel data equally spaced at  .010 sec, in cm/sec2. (8f10.6)`, and ends with
//! `/&  ----------  End of data for channel  1  ----------`. Header lines differ between years, so only these lines
//! and the one that names the channel (`Chan  1:  90 Deg`) are relied on. Velocity and displacement are skipped.

use super::numbers::{column_width, number, promised};
use super::units::acceleration_factor;
use super::{Content, Fault, RecordPart, agreed_step, series};

/// Whether the text looks like this format.
pub(super) fn is(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default().to_lowercase();
    first.starts_with("corrected accelerogram")
        || first.starts_with("uncorrected accelerogram")
        || text
            .lines()
            .take(200)
            .any(|line| line.to_ascii_lowercase().contains(SPACED))
}

const SPACED: &str = "points of accel data equally spaced at";

/// What the line before a block of acceleration says.
struct Block {
    points: usize,
    dt: f64,
    unit: String,
    factor: f64,
    width: Option<usize>,
}

pub(super) fn parse(text: &str, dt: Option<f64>) -> Result<Content, Fault> {
    let mut content = Content::new(String::new(), Vec::new());
    let mut name = None;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if let Some(found) = channel(line) {
            name = Some(found);
        }
        let lower = line.to_lowercase();
        if !lower.contains(SPACED) {
            continue;
        }
        let at = |message: String| (Some(index + 1), message);
        let block = describe(&lower).map_err(at)?;
        let ends =
            |line: &str| line.starts_with("/&") || line.to_ascii_lowercase().contains("points of");
        let mut values = promised(block.points, block.width, index, &mut lines, ends)?;
        for value in &mut values {
            *value *= block.factor;
        }
        content.unit = block.unit;
        content.components.push(RecordPart::new(
            name.take(),
            series(agreed_step(Some(block.dt), dt)?, values)?,
        ));
    }
    if content.components.is_empty() {
        return Err((
            None,
            format!(
                "no line \"... {SPACED} ...\" is in the file: corrected records (volume 2) have one per channel"
            ),
        ));
    }
    Ok(content)
}

/// The line before a block, in lower case.
fn describe(line: &str) -> Result<Block, String> {
    let (before, after) = line.split_once(SPACED).unwrap_or((line, ""));
    let word = |text: &str| text.split_whitespace().next().unwrap_or("").to_owned();
    let points = before.trim();
    let points: usize = points
        .parse()
        .map_err(|_| format!("\"{points}\" is not a number of values"))?;
    let interval = word(after);
    let dt = number(interval.trim_end_matches(|c: char| c.is_alphabetic() || c == ','))
        .filter(|dt| *dt > 0.0)
        .ok_or_else(|| format!("\"{interval}\" is not a time step in s"))?;
    let (unit, format) = match after.split_once(" in ") {
        Some((_, rest)) => rest.split_once('(').unwrap_or((rest, "")),
        None => (
            "cm/sec2",
            after.split_once('(').map_or("", |(_, rest)| rest),
        ),
    };
    let unit = unit.trim().trim_end_matches('.').trim();
    let factor = acceleration_factor(unit).ok_or_else(|| {
        format!("unknown unit of acceleration \"{unit}\"; the format has cm/sec2")
    })?;
    Ok(Block {
        points,
        dt,
        unit: unit.to_owned(),
        factor,
        width: column_width(format),
    })
}

/// The orientation in a line such as `Chan  1:  90 Deg       Location: Ground`.
fn channel(line: &str) -> Option<String> {
    let (word, rest) = line.trim_start().split_at_checked(4)?;
    if !word.eq_ignore_ascii_case("chan") {
        return None;
    }
    let (number, rest) = rest.split_once(':')?;
    number.trim().parse::<u32>().ok()?;
    let name = rest.trim_start();
    let name = name.split("  ").next().unwrap_or(name).trim();
    (!name.is_empty()).then(|| name.to_owned())
}
