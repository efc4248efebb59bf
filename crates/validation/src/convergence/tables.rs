//! Errors as tables in Markdown.

use std::fmt::Write as _;

use super::STEPS;
use super::measures::{Curve, Study};
use super::structures::Measure;

/// Errors over steps with the order through all that tells: a line per structure, measure and method.
pub fn errors(studies: &[Study]) -> String {
    let mut text = "| | friction |".to_owned();
    for dt in STEPS {
        let _ = write!(text, " {} |", milliseconds(dt));
    }
    let _ = writeln!(
        text,
        " order | moved [mm] |\n|---|---|{}---|---|",
        "---|".repeat(STEPS.len())
    );
    for study in studies {
        let mut title = heading(study);
        for curve in &study.curves {
            let _ = write!(text, "| {title} | {} |", curve.method.name());
            title.clear();
            for dt in STEPS {
                let point = curve.points.iter().find(|point| point.dt == dt);
                let cell = match point {
                    None => String::new(),
                    Some(point) if !point.row.finished => {
                        format!("> {:.0} s", point.row.cpu)
                    }
                    Some(point) => match (point.error, point.band) {
                        (None, _) => "reference".to_owned(),
                        (Some(error), Some(band)) if error <= band => {
                            format!("({})", number(error))
                        }
                        (Some(error), _) => number(error),
                    },
                };
                let _ = write!(text, " {cell} |");
            }
            let moved = curve.moved.map_or(String::new(), number);
            let _ = writeln!(text, " {} | {moved} |", shown(curve.order()));
        }
    }
    text
}

/// Seconds of processor time that errors take.
pub fn costs(studies: &[Study]) -> String {
    let levels = [10.0, 1.0, 0.1, 0.01, 0.001];
    let mut text = "| | friction |".to_owned();
    for level in levels {
        let _ = write!(text, " {level} |");
    }
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(levels.len()));
    // A spread of angles is no error that one would choose.
    let chosen = |study: &&Study| !matches!(study.measure, Measure::Spread(_));
    for study in studies.iter().filter(chosen) {
        let mut title = heading(study);
        for curve in &study.curves {
            let _ = write!(text, "| {title} | {} |", curve.method.name());
            title.clear();
            for level in levels {
                let _ = write!(text, " {} |", cost(curve, level));
            }
            text.push('\n');
        }
    }
    text
}

/// Of one error: between two runs, or less than that of the coarsest one if all are better.
fn cost(curve: &Curve, error: f64) -> String {
    let better = |error: f64| {
        let mut errors = curve.points.iter().filter_map(|point| point.error);
        errors.all(|other| other <= error)
    };
    match (curve.cost_of(error), curve.points.first()) {
        (Some(cost), _) => number(cost),
        (None, Some(first)) if first.error.is_some() && better(error) => {
            format!("< {}", number(first.row.cpu))
        }
        (None, _) => String::new(),
    }
}

/// Everything about each run.
pub fn details(studies: &[Study]) -> String {
    let mut text = String::new();
    for study in studies {
        let _ = writeln!(text, "### {}\n", heading(study));
        text.push_str(
            "| friction | dt [ms] | error | order | input changed by 1e-6 | steps | iterations per step | inaccurate | other solver | halved | CPU [s] |\n\
             |---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for curve in &study.curves {
            lines(curve, &mut text);
            let _ = writeln!(text, "| | | | **{}** | | | | | | | |", shown(curve.order()));
        }
        text.push('\n');
    }
    text
}

fn lines(curve: &Curve, text: &mut String) {
    for (k, point) in curve.points.iter().enumerate() {
        let row = &point.row;
        let error = match point.error {
            _ if !row.finished => "given up".to_owned(),
            None => "reference".to_owned(),
            Some(error) => number(error),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {error} | {} | {} | {} | {:.1} | {} | {} | {} | {} |",
            curve.method.name(),
            1e3 * point.dt,
            shown(curve.order_at(k)),
            point.band.map_or(String::new(), number),
            row.steps,
            row.iterations as f64 / row.steps.max(1) as f64,
            row.inaccurate_steps,
            row.fallback_steps,
            row.halved_steps,
            number(row.cpu)
        );
    }
}

fn heading(study: &Study) -> String {
    let (title, measure) = (study.structure.title, study.measure);
    format!("{title}: {} [{}]", measure.label(), measure.unit())
}

fn milliseconds(dt: f64) -> String {
    format!("{} ms", 1e3 * dt)
}

/// Two digits, as a power of ten where that is shorter.
fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e4).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    let digits = (1 - value.abs().log10().floor() as i32).max(0) as usize;
    format!("{value:.digits$}")
}

/// An order; errors that do not decrease with the step have none.
fn shown(order: Option<f64>) -> String {
    match order {
        None => String::new(),
        Some(order) if order > 0.0 => format!("{order:.1}"),
        Some(_) => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_digits() {
        let shown = [0.0, 1.234e-7, 0.00456, 0.4567, 3.16, 27.3, 1234.5, 1e9].map(number);
        assert_eq!(
            shown,
            [
                "0", "1.2e-7", "0.0046", "0.46", "3.2", "27", "1234", "1.0e9"
            ]
        );
    }
}
