//! Text in columns: accelerations alone, or times and up to three components of acceleration.
//!
//! Columns are separated by commas, semicolons, tabs or blanks; with semicolons, numbers may have decimal commas. A first
//! line of words is a header, whose columns may name their units in brackets: `acc [g]`, `acc [cm/s2]`. One unit is
//! that of all components; without one values are in m/s², which is noted. Blank lines and lines that begin with `#` or `%` are
//! skipped. Times must be evenly spaced; the first one becomes time zero. A component that ends before the others
//! leaves its fields empty. Columns that are velocities or displacements by their unit or name are left aside, with a note.

use super::numbers::number;
use super::units::{acceleration_factor, is_velocity_or_length};
use super::{Content, Fault, RecordPart, agreed_step, series};

/// Intervals may differ from the usual one by this part: clocks of instruments do.
const UNEVENNESS: f64 = 0.05;

/// What the first line of words says.
#[derive(Default)]
struct Header {
    names: Vec<String>,
    /// Columns that are not accelerations, whose names are not among the others, and how many columns there are in all.
    aside: Vec<(usize, String)>,
    columns: usize,
    /// Factor to m/s² and the unit as written, for all components or one per component.
    units: Vec<(f64, String)>,
    line: usize,
}

pub(super) fn parse(text: &str, dt: Option<f64>) -> Result<Content, Fault> {
    let mut header: Option<Header> = None;
    let mut columns: Option<usize> = None;
    let mut times = Vec::new();
    let mut decimals = 0;
    let mut lines = Vec::new();
    let mut parts: Vec<Vec<f64>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = |message: String| (Some(index + 1), message);
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '%']) {
            continue;
        }
        if header.is_none() && columns.is_none() && is_header(line) {
            header = Some(read_header(line, index + 1).map_err(at)?);
            continue;
        }
        let mut fields = fields(line);
        // One separator at the end of every line is a habit of some programs, and not an empty field.
        if fields.last().is_some_and(String::is_empty)
            && columns.is_none_or(|n| fields.len() == n + 1)
        {
            fields.pop();
        }
        let found = fields.len();
        if let Some(header) = header.as_ref().filter(|header| !header.aside.is_empty()) {
            if found != header.columns {
                return Err(at(format!(
                    "{found} columns, but {} in the header",
                    header.columns
                )));
            }
            for (column, _) in header.aside.iter().rev() {
                fields.remove(*column);
            }
            if fields.is_empty() {
                return Err((
                    Some(header.line),
                    "no column of accelerations; a record is one of accelerations".to_owned(),
                ));
            }
        }
        let numbers: Option<Vec<Option<f64>>> = fields
            .iter()
            .map(|field| match field.as_str() {
                "" => Some(None),
                field => number(field).map(Some),
            })
            .collect();
        let numbers = numbers
            .filter(|numbers| numbers.first().is_some_and(Option::is_some))
            .ok_or_else(|| at(format!("\"{line}\" should be numbers, one to four")))?;
        match columns {
            None if numbers.len() > 4 => {
                return Err(at(format!(
                    "{} columns; a record has one (acceleration), or two to four (time, up to three components of acceleration)",
                    numbers.len()
                )));
            }
            None => {
                columns = Some(found);
                parts = vec![Vec::new(); numbers.len().max(2) - 1];
            }
            Some(count) if count != found => {
                return Err(at(format!(
                    "{found} columns, but {count} in the lines before"
                )));
            }
            Some(_) => {}
        }
        let values = match &numbers[..] {
            [_] => &numbers[..],
            [time, rest @ ..] => {
                times.extend(time);
                decimals = decimals.max(decimals_of(&fields[0]));
                rest
            }
            [] => &[],
        };
        for (part, value) in parts.iter_mut().zip(values) {
            match value {
                // A component that has ended does not begin again.
                Some(value) if part.len() == lines.len() => part.push(*value),
                Some(_) => {
                    return Err(at(
                        "a value after an empty field; only the end of a component may be left out"
                            .into(),
                    ));
                }
                None => {}
            }
        }
        lines.push(index + 1);
    }
    if lines.is_empty() {
        return Err((None, "the record has no values".to_owned()));
    }
    let own_step = step_of(&times, decimals, &lines)?;
    assemble(
        header.unwrap_or_default(),
        parts,
        agreed_step(own_step, dt)?,
    )
}

/// Units and names to the values.
fn assemble(header: Header, parts: Vec<Vec<f64>>, dt: f64) -> Result<Content, Fault> {
    let count = parts.len();
    let unsaid = header.units.is_empty();
    let units = match header.units.len() {
        0 => vec![(1.0, "m/s2".to_owned()); count],
        1 => vec![header.units[0].clone(); count],
        found if found == count => header.units,
        found => {
            return Err((
                Some(header.line),
                format!(
                    "{found} units of acceleration for {count} components; write one for all, or one for each"
                ),
            ));
        }
    };
    let mut names = header.names;
    // The first name is that of the times.
    if names.len() == count + 1 {
        names.remove(0);
    }
    let mut said: Vec<&str> = units.iter().map(|(_, unit)| unit.as_str()).collect();
    said.dedup();
    let mut content = Content::new(said.join(", "), Vec::new());
    if unsaid {
        content.notes.push(
            "the file does not say the unit of its accelerations: they are taken for m/s2; a header such as \"time [s], acceleration [g]\" says it"
                .to_owned(),
        );
    }
    if !header.aside.is_empty() {
        let names: Vec<&str> = header.aside.iter().map(|(_, name)| &name[..]).collect();
        content.notes.push(format!(
            "not accelerations, and left aside: {}",
            names.join(", ")
        ));
    }
    for (k, (values, (factor, _))) in parts.into_iter().zip(&units).enumerate() {
        let name = (names.len() == count)
            .then(|| names[k].clone())
            .filter(|name| !name.is_empty());
        let values = values.into_iter().map(|value| factor * value).collect();
        content
            .components
            .push(RecordPart::new(name, series(dt, values)?));
    }
    Ok(content)
}

fn fields(line: &str) -> Vec<String> {
    let trimmed = |field: &str| field.trim().to_owned();
    if line.contains(';') {
        line.split(';')
            .map(|field| trimmed(field).replace(',', "."))
            .collect()
    } else if line.contains(',') {
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

/// Names and units of the columns.
fn read_header(line: &str, number: usize) -> Result<Header, String> {
    let separated = line.contains([',', ';']);
    let columns: Vec<&str> = if separated {
        line.split([',', ';']).collect()
    } else {
        line.split_whitespace().collect()
    };
    let mut header = Header {
        line: number,
        ..Header::default()
    };
    for column in columns {
        let (name, unit) = match column.rfind(['[', '(']) {
            Some(start) => (&column[..start], Some(&column[start + 1..])),
            None => (column, None),
        };
        let name = name.trim().trim_matches(['"', '\'']).trim();
        // Between blanks a unit may be a column of its own.
        let own = separated || !name.is_empty();
        if own {
            header.names.push(name.to_owned());
            header.columns += 1;
        }
        let unit = unit.map(|unit| unit.split([']', ')']).next().unwrap_or(unit).trim());
        let factor = unit.and_then(acceleration_factor);
        if let (Some(unit), Some(factor)) = (unit, factor) {
            header.units.push((factor, unit.to_owned()));
        } else if unit.is_some_and(is_velocity_or_length) || (own && names_another(name)) {
            let shown = if own {
                column.trim().to_owned()
            } else {
                header.names.last().cloned().unwrap_or_default()
            };
            // The unit of a column whose name has already said it.
            let index = header.columns.saturating_sub(1);
            if header.aside.last().is_none_or(|(last, _)| *last != index) {
                header.names.pop();
                header.aside.push((index, shown));
            }
        } else if let Some(unit) = unit {
            let plain = unit.to_lowercase();
            if matches!(&plain[..], "s" | "sec" | "seconds") {
                continue;
            }
            let first = name.to_lowercase();
            let time = first == "t" || first.starts_with("time");
            return Err(if time || matches!(&plain[..], "ms" | "msec" | "min") {
                format!("unknown unit of time \"{unit}\"; times are in s")
            } else {
                format!("unknown unit of acceleration \"{unit}\"; known are m/s2, cm/s2, mm/s2, g")
            });
        }
    }
    // Times alone are no record either.
    if let [only] = &header.names[..]
        && !header.aside.is_empty()
        && header.units.is_empty()
        && (only.eq_ignore_ascii_case("t") || only.to_lowercase().starts_with("time"))
    {
        return Err("no column of accelerations; a record is one of accelerations".to_owned());
    }
    Ok(header)
}

/// Whether a column is of velocities or displacements by its name.
fn names_another(name: &str) -> bool {
    name.to_lowercase()
        .split(|c: char| !c.is_alphabetic())
        .any(|word| {
            word.starts_with("veloc") || word.starts_with("displ") || matches!(word, "vel" | "disp")
        })
}

/// Digits after the decimal point; many for a number with an exponent, whose last digit is not looked for.
fn decimals_of(field: &str) -> usize {
    if field.contains(['e', 'E', 'd', 'D']) {
        return usize::MAX;
    }
    field.split_once('.').map_or(0, |(_, digits)| digits.len())
}

/// The interval of evenly spaced times, printed with so many decimals; `None` if there are none.
fn step_of(times: &[f64], decimals: usize, lines: &[usize]) -> Result<Option<f64>, Fault> {
    let [first, .., last] = times else {
        // A single value needs no interval, but the type does; a lone time says nothing.
        return Ok(None);
    };
    let dt = (last - first) / (times.len() - 1) as f64;
    // Most intervals are right where a few are wrong, so the middle one judges.
    let mut intervals: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    intervals.sort_by(f64::total_cmp);
    let usual = intervals[intervals.len() / 2];
    // Rounding makes intervals uneven (0.004, 0.008, 0.012, 0.016, 0.020, 0.023 for 1/256 s), but no time, nor the
    // first and last that give the interval, is then off by more than half a unit of its last digit.
    let unit = 10f64.powi(-i32::try_from(decimals).unwrap_or(i32::MAX));
    let rounded = 3.0 * unit <= dt
        && times
            .iter()
            .enumerate()
            .all(|(k, time)| (time - first - k as f64 * dt).abs() <= 1.01 * unit);
    for (pair, line) in times.windows(2).zip(&lines[1..]) {
        let interval = pair[1] - pair[0];
        if interval <= 0.0 {
            return Err((
                Some(*line),
                format!("time {} does not come after {}", pair[1], pair[0]),
            ));
        }
        if !rounded && (interval - usual).abs() > UNEVENNESS * usual {
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
