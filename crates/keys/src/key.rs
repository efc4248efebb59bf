//! What is declared of a key, and how it is said in one line.

use serde_json::Value as Json;

use crate::schema::Parts;

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// As it stands in the file.
    pub name: &'static str,
    /// Lines of documentation: the first says what it is, the others what else should be known.
    pub doc: &'static [&'static str],
    /// Whether it must be there.
    pub presence: Presence,
    /// Unit of its value; empty if it has none.
    pub unit: &'static str,
    /// Which values make sense.
    pub bounds: Bounds,
    /// What somebody should know who wrote a value out of bounds; may be empty.
    pub help: &'static str,
    /// What holds where it is absent.
    pub absent: Absent,
    /// The schema of its value.
    pub shape: fn(&mut Parts) -> Json,
}

/// Whether a key must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It must.
    Required,
    /// It may be absent.
    Optional,
    /// It may be absent, which is the same as empty or false.
    Defaulted,
    /// As `Defaulted`, but written even so.
    Kept,
}

/// Which numbers, and how many elements of a list, make sense.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Greater than this.
    pub above: Option<f64>,
    /// This or more.
    pub least: Option<f64>,
    /// This or less.
    pub most: Option<f64>,
    /// Less than this.
    pub below: Option<f64>,
    /// Fewest elements of a list.
    pub shortest: Option<u64>,
    /// Most elements of a list.
    pub longest: Option<u64>,
}

impl Bounds {
    /// Any value.
    pub const NONE: Self = Self {
        above: None,
        least: None,
        most: None,
        below: None,
        shortest: None,
        longest: None,
    };
}

impl Bounds {
    /// What a number in this unit must do and does not: `be greater than zero`, `be from 1 to 100`; nothing if it is within bounds.
    pub fn missed_by(&self, value: f64, unit: &str) -> Option<String> {
        let unit = if unit.is_empty() {
            String::new()
        } else {
            format!(" {unit}")
        };
        let low = !(self.above.is_none_or(|bound| value > bound)
            && self.least.is_none_or(|bound| value >= bound));
        let high = !(self.most.is_none_or(|bound| value <= bound)
            && self.below.is_none_or(|bound| value < bound));
        if !(low || high) {
            return None;
        }
        Some(match *self {
            Self {
                above: Some(0.0), ..
            } if low => "be greater than zero".to_owned(),
            Self {
                least: Some(0.0), ..
            } if low => "not be negative".to_owned(),
            Self {
                least: Some(least),
                most: Some(most),
                ..
            } => {
                format!(
                    "be from {} to {}{unit}",
                    plain_number(least),
                    plain_number(most)
                )
            }
            Self {
                above: Some(above), ..
            } if low => format!("be greater than {}{unit}", plain_number(above)),
            Self {
                least: Some(least), ..
            } if low => format!("be at least {}{unit}", plain_number(least)),
            Self {
                most: Some(most), ..
            } => format!("be at most {}{unit}", plain_number(most)),
            Self { below, .. } => format!(
                "be less than {}{unit}",
                plain_number(below.unwrap_or(f64::INFINITY))
            ),
        })
    }
}

/// What holds where a key is absent.
#[derive(Debug, Clone, Copy)]
pub enum Absent {
    /// Nothing in particular, or what its presence says.
    Plain,
    /// This value.
    Value(fn() -> Json),
    /// What these words say.
    Words(&'static str),
}

/// The key that says how the rest of a table is to be read.
pub const KIND: Key = Key {
    name: "kind",
    doc: &["What it is."],
    presence: Presence::Required,
    unit: "",
    bounds: Bounds::NONE,
    help: "",
    absent: Absent::Plain,
    shape: <String as crate::Describe>::describe,
};

impl Key {
    /// What the key is, with its unit and its default: `Time step, s; default 0.001.`
    pub fn description(&self) -> String {
        let mut lines = self.doc.iter().map(|line| line.trim());
        let first = lines.next().unwrap_or_default();
        let mut text = first.strip_suffix('.').unwrap_or(first).to_owned();
        if !self.unit.is_empty() && !mentions(&text, self.unit) {
            text.push_str(", ");
            text.push_str(self.unit);
        }
        if !text.contains("default") {
            match self.absent {
                Absent::Plain if self.is_flag() => text.push_str("; default false"),
                Absent::Plain => {}
                Absent::Value(value) => {
                    text.push_str("; default ");
                    text.push_str(&plainly(&value()));
                }
                Absent::Words(words) => {
                    text.push_str("; default: ");
                    text.push_str(words);
                }
            }
        }
        text.push('.');
        for line in lines {
            text.push(' ');
            text.push_str(line);
        }
        text
    }
}

impl Key {
    /// Whether it is true or false, and false where absent.
    fn is_flag(&self) -> bool {
        self.presence == Presence::Defaulted
            && (self.shape)(&mut Parts::default())["type"] == "boolean"
    }
}

/// Whether a sentence names the unit itself, as it may where the unit reads better before its end.
fn mentions(text: &str, unit: &str) -> bool {
    text.match_indices(unit).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + unit.len()..].chars().next();
        before.is_none_or(|c| c == ' ') && after.is_none_or(|c| matches!(c, ',' | ':' | ';' | ' '))
    })
}

/// A value as people write it: words as code, whole numbers without a point, small ones with an exponent.
fn plainly(value: &Json) -> String {
    match value {
        Json::String(word) => format!("`{word}`"),
        Json::Array(list) => {
            let list: Vec<String> = list.iter().map(plainly).collect();
            format!("[{}]", list.join(", "))
        }
        Json::Number(number) => match number.as_f64() {
            Some(number) => plain_number(number),
            None => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// A number as people write it.
fn plain_number(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-3 {
        format!("{number:e}")
    } else {
        number.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_is_missed_is_said_in_words() {
        let free = Bounds::NONE;
        assert_eq!(free.missed_by(-1e300, ""), None);
        let part = Bounds {
            above: Some(0.0),
            most: Some(2.0),
            ..free
        };
        assert_eq!(part.missed_by(2.0, "m"), None);
        assert_eq!(part.missed_by(0.0, "m").unwrap(), "be greater than zero");
        assert_eq!(part.missed_by(2.5, "m").unwrap(), "be at most 2 m");
        let range = Bounds {
            least: Some(1e-9),
            most: Some(0.01),
            ..free
        };
        assert_eq!(range.missed_by(1.0, "").unwrap(), "be from 1e-9 to 0.01");
        // What is no number is within no bounds.
        assert!(range.missed_by(f64::NAN, "").is_some());
        let damping = Bounds {
            least: Some(0.0),
            below: Some(1.0),
            ..free
        };
        assert_eq!(damping.missed_by(-1.0, "").unwrap(), "not be negative");
        assert_eq!(damping.missed_by(1.0, "").unwrap(), "be less than 1");
    }

    #[test]
    fn a_description_ends_with_unit_and_default_and_goes_on_after_them() {
        let key = Key {
            doc: &[" Time step.", " It is seldom shorter."],
            unit: "s",
            absent: Absent::Value(|| 1e-4.into()),
            ..KIND
        };
        assert_eq!(
            key.description(),
            "Time step, s; default 1e-4. It is seldom shorter."
        );
        let named = Key {
            doc: &[" Width of all joints, m: every face moves by half of it."],
            unit: "m",
            absent: Absent::Words("none"),
            ..KIND
        };
        assert_eq!(
            named.description(),
            "Width of all joints, m: every face moves by half of it; default: none."
        );
    }
}
