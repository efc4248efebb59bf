//! SMC, the format of the United States Geological Survey's strong-motion programme.
//!
//! Eleven lines of text, the first of which says what the file holds (`2 CORRECTED ACCELEROGRAM`); six lines of eight
//! integers, five of which matter: the number that stands for "unknown", orientations, the number of comment lines
//! and that of values; ten lines of five reals, the second of which is the sampling rate in Hz; comments that begin
//! with `|`; then values in cm/s², eight in a line, whose columns of ten touch.

use super::numbers::numbers;
use super::{Content, Fault, RecordPart, agreed_step, series};

const TEXT_LINES: usize = 11;
const INTEGER_LINES: usize = 6;
const REAL_LINES: usize = 10;
/// Faster instruments do not exist: a larger rate is a damaged header.
const FASTEST: f64 = 1e5;

/// Whether the text looks like this format.
pub(super) fn is(text: &str) -> bool {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim();
    let begins = first == "*" || first.starts_with(|c: char| c.is_ascii_digit());
    begins
        && lines
            .next()
            .is_some_and(|line| line.trim_start().starts_with('*'))
        && text.lines().count() > TEXT_LINES + INTEGER_LINES + REAL_LINES
}

pub(super) fn parse(text: &str, dt: Option<f64>) -> Result<Content, Fault> {
    let lines: Vec<&str> = text.lines().collect();
    let header = TEXT_LINES + INTEGER_LINES + REAL_LINES;
    if lines.len() < header {
        return Err((
            None,
            format!(
                "an SMC file has {header} header lines, this one {} in all",
                lines.len()
            ),
        ));
    }
    let first = lines[0].trim().to_uppercase();
    if !first.contains("CORRECTED ACCELEROGRAM") {
        return Err((
            Some(1),
            format!(
                "\"{first}\" is not an accelerogram; the first line should be \"2 CORRECTED ACCELEROGRAM\""
            ),
        ));
    }
    let integers = block(&lines, TEXT_LINES, INTEGER_LINES, 10, 48)?;
    let reals = block(&lines, TEXT_LINES + INTEGER_LINES, REAL_LINES, 15, 50)?;
    let known = |value: f64| (value != integers[0]).then_some(value);
    let comments = count(integers[15], 13, "the number of comment lines")?;
    let points = count(integers[16], 14, "the number of values")?;
    let rate = reals[1];
    if !(rate > 0.0 && rate <= FASTEST) {
        return Err((
            Some(TEXT_LINES + INTEGER_LINES + 1),
            format!(
                "the sampling rate, the second of the real numbers, is {rate} Hz, which cannot be"
            ),
        ));
    }
    let data = header.saturating_add(comments);
    for (index, line) in lines.iter().enumerate().take(data).skip(header) {
        if !line.starts_with('|') {
            return Err((
                Some(index + 1),
                format!(
                    "the header promises {comments} comment lines that begin with \"|\", and this is not one"
                ),
            ));
        }
    }
    let mut values = Vec::with_capacity(points.min(text.len() / 2));
    for (index, line) in lines.iter().enumerate().skip(data) {
        let found = numbers(line, Some(10))
            .map_err(|field| (Some(index + 1), format!("\"{field}\" is not a number")))?;
        values.extend(found.into_iter().map(|value| 0.01 * value));
    }
    let mut content = Content::new("cm/s2".to_owned(), Vec::new());
    // The last of the lines of eight may be filled up.
    if values.len() < points || values.len() >= points.saturating_add(8) {
        return Err((
            Some(14),
            format!(
                "the header promises {points} values, the file has {}",
                values.len()
            ),
        ));
    }
    values.truncate(points);
    if first.contains("UNCORRECTED") {
        content
            .notes
            .push("the accelerogram is uncorrected: consider a baseline correction".into());
    }
    if known(integers[17]) == Some(1.0) {
        content
            .notes
            .push("the file flags a problem with this record; its comments say which".into());
    }
    // Vertical is measured from up, horizontal from north.
    let name = match (known(integers[12]), known(integers[13])) {
        (Some(0.0), _) => Some("up".to_owned()),
        (Some(180.0), _) => Some("down".to_owned()),
        (_, Some(azimuth)) => Some(format!("{azimuth}")),
        _ => None,
    };
    let series = series(agreed_step(Some(1.0 / rate), dt)?, values)?;
    content.components.push(RecordPart::new(name, series));
    Ok(content)
}

/// The numbers of a block of header lines; at least `least` of them.
fn block(
    lines: &[&str],
    start: usize,
    count: usize,
    width: usize,
    least: usize,
) -> Result<Vec<f64>, Fault> {
    let mut values = Vec::with_capacity(least);
    for (index, line) in lines.iter().enumerate().skip(start).take(count) {
        let found = numbers(line, Some(width))
            .map_err(|field| (Some(index + 1), format!("\"{field}\" is not a number")))?;
        values.extend(found);
    }
    if values.len() < least {
        return Err((
            Some(start + count),
            format!(
                "{} header values up to here, but the format has {least}",
                values.len()
            ),
        ));
    }
    Ok(values)
}

fn count(value: f64, line: usize, what: &str) -> Result<usize, Fault> {
    if (0.0..1e9).contains(&value) && value.fract() == 0.0 {
        Ok(value as usize)
    } else {
        Err((
            Some(line),
            format!("{what} is {value}, not a whole number from 0"),
        ))
    }
}
