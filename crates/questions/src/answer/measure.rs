//! Numbers of an answer that are worth comparing.

/// A number with its meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// As in tables of campaigns.
    pub key: String,
    /// For people.
    pub label: String,
    /// SI.
    pub value: f64,
    /// Empty for pure numbers.
    pub unit: &'static str,
    /// What an engineer asks for first; the others say how far to trust it.
    pub important: bool,
}

impl Measure {
    /// A number that an engineer asks for.
    pub fn main(key: &str, label: &str, value: f64, unit: &'static str) -> Self {
        Self {
            key: key.to_owned(),
            label: label.to_owned(),
            value,
            unit,
            important: true,
        }
    }

    /// A number that says how far to trust the others, or how they were found.
    pub fn minor(key: &str, label: &str, value: f64, unit: &'static str) -> Self {
        Self {
            important: false,
            ..Self::main(key, label, value, unit)
        }
    }
}
