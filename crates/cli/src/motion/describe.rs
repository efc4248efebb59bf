//! Measures as a table for people and as JSON for programs.

use std::fmt::Write as _;

use drystone_shaking::Measures;
use serde::Serialize;

use super::gather::{Described, Part};
use crate::Outcome;

/// Rows of the table.
type Row = (&'static str, fn(&Measures) -> f64);

const ROWS: [Row; 11] = [
    ("duration, s", |m| m.duration),
    ("PGA, m/s²", |m| m.pga),
    ("PGV, m/s", |m| m.pgv),
    ("PGD, m", |m| m.pgd),
    ("final velocity, m/s", |m| m.final_velocity),
    ("Arias intensity, m/s", |m| m.arias),
    ("D5-75, s", |m| m.d5_75),
    ("D5-95, s", |m| m.d5_95),
    ("mid time, s", |m| m.mid_time),
    ("bracketed duration (0.05 g), s", |m| m.bracketed),
    ("cumulative absolute velocity, m/s", |m| m.cav),
];

/// A table per motion, one column per component.
pub fn text(motions: &[Described]) -> String {
    let mut text = String::new();
    for motion in motions {
        let _ = writeln!(text, "{}: {}", motion.name, motion.source);
        let measures: Vec<Measures> = motion.components.iter().map(Part::measures).collect();
        let mut rows = vec![
            vec![String::new()],
            vec!["time step, s".to_owned()],
            vec!["values".to_owned()],
        ];
        for part in &motion.components {
            rows[0].push(part.label.clone());
            rows[1].push(short(part.series.dt));
            rows[2].push(part.series.acceleration.len().to_string());
        }
        for (label, value) in ROWS {
            let mut row = vec![label.to_owned()];
            row.extend(measures.iter().map(|measures| short(value(measures))));
            rows.push(row);
        }
        lay_out(&rows, &mut text);
        text.push('\n');
    }
    text
}

/// Words to the left, numbers to the right.
pub fn lay_out(rows: &[Vec<String>], text: &mut String) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let length = |cell: &String| cell.chars().count();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(length).max().unwrap_or(0)
        })
        .collect();
    for row in rows {
        let mut line = String::from(" ");
        for (column, cell) in row.iter().enumerate() {
            let blanks = " ".repeat(widths[column].saturating_sub(length(cell)));
            let _ = match column {
                0 => write!(line, " {cell}{blanks}"),
                _ => write!(line, "  {blanks}{cell}"),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// Four digits that mean something.
pub fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    if !(1e-4..1e6).contains(&size) {
        return format!("{value:.3e}");
    }
    let decimals = (3 - size.log10().floor() as i32).clamp(0, 7) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[derive(Serialize)]
struct MotionJson<'a> {
    name: &'a str,
    source: &'a str,
    notes: &'a [String],
    components: Vec<ComponentJson<'a>>,
}

#[derive(Serialize)]
struct ComponentJson<'a> {
    name: &'a str,
    /// Clockwise from north, degrees.
    azimuth: Option<f64>,
    /// s.
    dt: f64,
    values: usize,
    #[serde(flatten)]
    measures: Measures,
}

/// The same as JSON.
pub fn json(motions: &[Described]) -> Result<String, Outcome> {
    let motions: Vec<MotionJson<'_>> = motions
        .iter()
        .map(|motion| MotionJson {
            name: &motion.name,
            source: &motion.source,
            notes: &motion.notes,
            components: motion
                .components
                .iter()
                .map(|part| ComponentJson {
                    name: &part.label,
                    azimuth: part.azimuth,
                    dt: part.series.dt,
                    values: part.series.acceleration.len(),
                    measures: part.measures(),
                })
                .collect(),
        })
        .collect();
    serde_json::to_string_pretty(&motions).map_err(|error| Outcome::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.005, "0.005"),
            (1.23456, "1.235"),
            (-12345.6, "-12346"),
            (0.000123456, "0.0001235"),
            (1e-9, "1.000e-9"),
            (100.0, "100"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
