//! Checks as data.

use serde::Deserialize;

/// One row of the validation table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Which experiment measures it.
    pub experiment: String,
    /// Name of the quantity among the experiment's measurements.
    pub quantity: String,
    /// What it is, for the reader of the table.
    pub title: String,
    /// Unit of the numbers; empty for pure numbers.
    #[serde(default)]
    pub unit: String,
    /// Expected value, with `tolerance`.
    pub value: Option<f64>,
    /// Largest deviation from `value`.
    pub tolerance: Option<f64>,
    /// Lower bound.
    pub at_least: Option<f64>,
    /// Upper bound.
    pub at_most: Option<f64>,
    /// Where the expectation comes from, and why the tolerance is what it is.
    pub source: String,
    /// Takes minutes: not part of the ordinary tests.
    #[serde(default)]
    pub slow: bool,
}

/// What is expected, in words of the check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expectation {
    /// `value ± tolerance`.
    Near(f64, f64),
    /// No less than this.
    AtLeast(f64),
    /// No more than this.
    AtMost(f64),
    /// Between the two.
    Between(f64, f64),
}

/// A check with its measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// What was measured; absent if the experiment did not give it.
    pub measured: Option<f64>,
    /// The expectation is met.
    pub passed: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    check: Vec<Check>,
}

/// The checks of `cases.toml`.
pub fn checks() -> Result<Vec<Check>, String> {
    let file: File =
        toml::from_str(include_str!("../cases.toml")).map_err(|error| error.to_string())?;
    for check in &file.check {
        check.expectation()?;
    }
    Ok(file.check)
}

impl Check {
    /// What is expected; an error if the row does not say.
    pub fn expectation(&self) -> Result<Expectation, String> {
        match (self.value, self.tolerance, self.at_least, self.at_most) {
            (Some(value), Some(tolerance), None, None) => Ok(Expectation::Near(value, tolerance)),
            (None, None, Some(low), None) => Ok(Expectation::AtLeast(low)),
            (None, None, None, Some(high)) => Ok(Expectation::AtMost(high)),
            (None, None, Some(low), Some(high)) => Ok(Expectation::Between(low, high)),
            _ => Err(format!(
                "{}.{}: a check has `value` and `tolerance`, or `at_least` and/or `at_most`",
                self.experiment, self.quantity
            )),
        }
    }

    /// Judges a measurement.
    pub fn judge(&self, measured: Option<f64>) -> Verdict {
        let passed = match (measured, self.expectation()) {
            (Some(x), Ok(Expectation::Near(value, tolerance))) => (x - value).abs() <= tolerance,
            (Some(x), Ok(Expectation::AtLeast(low))) => x >= low,
            (Some(x), Ok(Expectation::AtMost(high))) => x <= high,
            (Some(x), Ok(Expectation::Between(low, high))) => (low..=high).contains(&x),
            (None, _) | (_, Err(_)) => false,
        };
        Verdict { measured, passed }
    }
}

impl std::fmt::Display for Expectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Near(value, tolerance) => write!(f, "{value} ± {tolerance:.2e}"),
            Self::AtLeast(low) => write!(f, ">= {low}"),
            Self::AtMost(high) => write!(f, "<= {high:e}"),
            Self::Between(low, high) => write!(f, "{low} .. {high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_is_well_formed_and_measured_by_a_known_experiment() {
        let checks = checks().unwrap();
        assert!(checks.len() > 20);
        for check in &checks {
            assert!(
                crate::experiments::NAMES.contains(&check.experiment.as_str()),
                "{}",
                check.experiment
            );
        }
    }

    #[test]
    fn a_missing_or_wrong_measurement_fails() {
        let check = Check {
            experiment: String::new(),
            quantity: String::new(),
            title: String::new(),
            unit: String::new(),
            value: Some(1.0),
            tolerance: Some(0.1),
            at_least: None,
            at_most: None,
            source: String::new(),
            slow: false,
        };
        assert!(!check.judge(None).passed);
        assert!(!check.judge(Some(1.2)).passed);
        assert!(!check.judge(Some(f64::NAN)).passed);
        assert!(check.judge(Some(1.05)).passed);
    }
}
