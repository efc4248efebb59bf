//! Numbers with their unit, as people write them: `"2 mm"`, `"5 kN"`, `"0.19 g"`.
//!
//! A key is declared with its SI unit, and that says which other units it may be given in. Units are words of fixed tables rather than
//! products of prefixes and dimensions: the same letters mean several things (`g` is an acceleration here, never a mass), and whoever wrote
//! the wrong one is told the few that are right.

use std::f64::consts::PI;

use crate::fault::{Fault, Trail};
use crate::source::Node;
use crate::table::wrong;

/// Standard gravity, m/s²: what `g` means in a model file and in files of records, whatever gravity the model has.
pub const STANDARD_GRAVITY: f64 = 9.80665;

/// What a unit is in that of the declaration.
#[derive(Debug, Clone, Copy)]
enum Factor {
    /// A power of ten. It moves the decimal point of the number as written, so that `2 mm` is exactly the number 0.002.
    Ten(i32),
    /// Any other.
    Times(f64),
}

use Factor::{Ten, Times};

/// Something that is measured, by the unit that keys declare.
#[derive(Debug)]
pub(crate) struct Quantity {
    /// The unit of the declaration.
    unit: &'static str,
    /// What it is, with its article.
    what: &'static str,
    /// An example with a unit.
    example: &'static str,
    /// Units as they are shown, the declared one first.
    units: &'static [(&'static str, Factor)],
}

const QUANTITIES: &[Quantity] = &[
    Quantity {
        unit: "m",
        what: "a length",
        example: "2 mm",
        units: &[
            ("m", Ten(0)),
            ("dm", Ten(-1)),
            ("cm", Ten(-2)),
            ("mm", Ten(-3)),
            ("km", Ten(3)),
            ("in", Times(0.0254)),
            ("ft", Times(0.3048)),
        ],
    },
    Quantity {
        unit: "s",
        what: "a time",
        example: "5 ms",
        units: &[("s", Ten(0)), ("ms", Ten(-3)), ("min", Times(60.0))],
    },
    Quantity {
        unit: "m/s",
        what: "a velocity",
        example: "20 cm/s",
        units: &[("m/s", Ten(0)), ("cm/s", Ten(-2)), ("mm/s", Ten(-3))],
    },
    Quantity {
        unit: "m/s²",
        what: "an acceleration",
        example: "0.19 g",
        units: &[
            ("m/s²", Ten(0)),
            ("cm/s²", Ten(-2)),
            ("mm/s²", Ten(-3)),
            ("g", Times(STANDARD_GRAVITY)),
            ("Gal", Ten(-2)),
        ],
    },
    Quantity {
        unit: "N",
        what: "a force",
        example: "5 kN",
        units: &[
            ("N", Ten(0)),
            ("daN", Ten(1)),
            ("kN", Ten(3)),
            ("MN", Ten(6)),
            ("kgf", Times(STANDARD_GRAVITY)),
        ],
    },
    Quantity {
        unit: "N/m",
        what: "a force per length",
        example: "500 kN/m",
        units: &[
            ("N/m", Ten(0)),
            ("kN/m", Ten(3)),
            ("MN/m", Ten(6)),
            ("N/mm", Ten(3)),
            ("kN/mm", Ten(6)),
        ],
    },
    Quantity {
        unit: "Pa",
        what: "a stress",
        example: "1 MPa",
        units: &[
            ("Pa", Ten(0)),
            ("kPa", Ten(3)),
            ("MPa", Ten(6)),
            ("GPa", Ten(9)),
            ("N/m²", Ten(0)),
            ("kN/m²", Ten(3)),
            ("N/mm²", Ten(6)),
            ("daN/cm²", Ten(5)),
            ("kgf/cm²", Times(98_066.5)),
        ],
    },
    Quantity {
        unit: "N/m³",
        what: "a force per volume",
        example: "10 GN/m³",
        units: &[
            ("N/m³", Ten(0)),
            ("kN/m³", Ten(3)),
            ("MN/m³", Ten(6)),
            ("GN/m³", Ten(9)),
            ("N/mm³", Ten(9)),
            ("MPa/m", Ten(6)),
            ("GPa/m", Ten(9)),
            ("MPa/mm", Ten(9)),
        ],
    },
    Quantity {
        unit: "kg",
        what: "a mass",
        example: "2 t",
        units: &[("kg", Ten(0)), ("t", Ten(3))],
    },
    Quantity {
        unit: "kg/m³",
        what: "a mass per volume",
        example: "1.8 t/m³",
        units: &[
            ("kg/m³", Ten(0)),
            ("t/m³", Ten(3)),
            ("kg/dm³", Ten(3)),
            ("g/cm³", Ten(3)),
        ],
    },
    Quantity {
        unit: "degrees",
        what: "an angle",
        example: "30 deg",
        units: &[
            ("degrees", Ten(0)),
            ("deg", Ten(0)),
            ("°", Ten(0)),
            ("rad", Times(180.0 / PI)),
            ("mrad", Times(0.18 / PI)),
        ],
    },
    Quantity {
        unit: "rad",
        what: "an angle",
        example: "2 mrad",
        units: &[
            ("rad", Ten(0)),
            ("mrad", Ten(-3)),
            ("degrees", Times(PI / 180.0)),
            ("deg", Times(PI / 180.0)),
            ("°", Times(PI / 180.0)),
        ],
    },
    Quantity {
        unit: "rad/s",
        what: "an angular velocity",
        example: "30 deg/s",
        units: &[
            ("rad/s", Ten(0)),
            ("deg/s", Times(PI / 180.0)),
            ("°/s", Times(PI / 180.0)),
        ],
    },
    Quantity {
        unit: "Hz",
        what: "a frequency",
        example: "2 Hz",
        units: &[("Hz", Ten(0)), ("1/s", Ten(0))],
    },
    Quantity {
        unit: "Hz/s",
        what: "a frequency per time",
        example: "2 Hz/s",
        units: &[("Hz/s", Ten(0))],
    },
];

impl Quantity {
    /// What keys of a unit measure; nothing if they are plain numbers.
    pub(crate) fn of(unit: &str) -> Option<&'static Self> {
        QUANTITIES.iter().find(|quantity| quantity.unit == unit)
    }

    /// The factor of a unit as people write it.
    fn factor(&self, written: &str) -> Option<Factor> {
        let written = plain(written);
        let mut units = self.units.iter();
        let found = units.find(|(unit, _)| plain(unit) == written);
        found.map(|(_, factor)| *factor)
    }

    /// `m, dm, cm`.
    fn words(&self) -> String {
        let words: Vec<&str> = self.units.iter().map(|(unit, _)| *unit).collect();
        words.join(", ")
    }

    /// What somebody should write.
    fn remedy(&self) -> String {
        format!(
            "{} is a number in {}, or a string such as \"{}\"; units: {}",
            self.what,
            self.unit,
            self.example,
            self.words()
        )
    }

    /// A regular expression of the strings that are read, for the schema.
    pub(crate) fn pattern(&self) -> String {
        let unit = |(unit, _): &(&str, Factor)| {
            let plain = unit.replace('²', "\\^?[2²]");
            plain.replace('³', "\\^?[3³]")
        };
        let units: Vec<String> = self.units.iter().map(unit).collect();
        format!(
            "^\\s*[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?\\s*({})\\s*$",
            units.join("|")
        )
    }

    /// Reads a string with a unit.
    pub(crate) fn read(
        &self,
        text: &str,
        node: &Node<'_>,
        trail: Trail<'_>,
    ) -> Result<f64, Box<Fault>> {
        let refuse = |what: String| {
            let fault = Fault::at(trail, what).help(self.remedy());
            Box::new(fault.span(node.span.clone()))
        };
        let shown = text.trim();
        let (number, unit) = split(shown);
        if number.is_empty() {
            let fault = wrong(node, trail, "a number, alone or with its unit");
            return Err(Box::new(fault.help(self.remedy())));
        }
        if unit.is_empty() {
            return Err(refuse(format!(
                "\"{shown}\" has no unit; a number in {} stands without quotes",
                self.unit
            )));
        }
        if unit.starts_with(',') {
            return Err(refuse(format!(
                "\"{shown}\" has a comma; numbers have a decimal point"
            )));
        }
        let Some(factor) = self.factor(unit) else {
            let other = QUANTITIES.iter().find(|other| other.factor(unit).is_some());
            return Err(refuse(match other {
                Some(other) => format!("\"{shown}\" is {}, not {}", other.what, self.what),
                None => format!("\"{shown}\" has the unit `{unit}`, which is not known"),
            }));
        };
        let value = match factor {
            Ten(shift) => shifted(number, shift),
            Times(factor) => shifted(number, 0).map(|number| number * factor),
        };
        match value {
            Some(value) if value.is_finite() => Ok(value),
            _ => Err(refuse(format!("\"{shown}\" is not a finite number"))),
        }
    }
}

/// A unit without what people write differently.
fn plain(unit: &str) -> String {
    unit.replace('²', "2")
        .replace('³', "3")
        .chars()
        .filter(|c| !matches!(c, '^' | ' '))
        .collect()
}

/// The number at the start of a text, and the rest; nothing and the whole if there is none.
fn split(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let count = bytes[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        from + count.count()
    };
    let sign = |at: usize| at + usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let start = sign(0);
    let whole = digits(start);
    let mut end = whole;
    if bytes.get(whole) == Some(&b'.') {
        end = digits(whole + 1);
        if end == whole + 1 && whole == start {
            return ("", text);
        }
    } else if whole == start {
        return ("", text);
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let first = sign(end + 1);
        let last = digits(first);
        if last > first {
            end = last;
        }
    }
    (&text[..end], text[end..].trim_start())
}

/// A number as written with its decimal point moved: the nearest floating-point number to the product, with one rounding instead of two.
fn shifted(number: &str, by: i32) -> Option<f64> {
    if by == 0 {
        return number.parse().ok();
    }
    let (digits, exponent) = match number.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (number, 0),
    };
    format!("{digits}e{}", exponent.checked_add(by)?)
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::node;

    fn read(unit: &str, text: &str) -> Result<f64, String> {
        let tree = text.into();
        let trail = Trail::item("load", 0, None);
        let quantity = Quantity::of(unit).unwrap();
        let read = quantity.read(text, &node(&tree), trail);
        read.map_err(|fault| fault.what)
    }

    #[test]
    fn decimal_units_give_the_number_that_would_be_written_in_si() {
        for (unit, text, value) in [
            ("m", "2 mm", 0.002),
            ("m", "35cm", 0.35),
            ("m", " -3.5e1 cm ", -0.35),
            ("m", ".5 m", 0.5),
            ("m", "5. km", 5000.0),
            ("N", "5 kN", 5000.0),
            ("N", "+1e-3 MN", 1000.0),
            ("Pa", "1.1 MPa", 1.1e6),
            ("Pa", "3 N/mm²", 3e6),
            ("m/s²", "30 cm/s^2", 0.3),
            ("m/s²", "1.7 m/s2", 1.7),
            ("kg/m³", "1.8 t/m3", 1800.0),
            ("N/m³", "0.3 MPa/mm", 3e8),
            ("degrees", "30°", 30.0),
        ] {
            assert_eq!(read(unit, text), Ok(value), "{text}");
        }
        // Not the product of the two floating-point numbers.
        assert_ne!(35.0 * 0.01, 0.35);
    }

    #[test]
    fn other_units_are_multiplied() {
        assert_eq!(read("m/s²", "0.19 g"), Ok(0.19 * 9.80665));
        assert_eq!(read("rad", "180 deg"), Ok(PI));
        assert_eq!(read("m", "10 in"), Ok(0.254));
    }

    #[test]
    fn what_is_no_such_quantity_is_refused() {
        for (unit, text, said) in [
            ("m/s²", "0.19 kN", "is a force, not an acceleration"),
            (
                "kg/m³",
                "18 kN/m3",
                "is a force per volume, not a mass per volume",
            ),
            ("kg", "2 g", "is an acceleration, not a mass"),
            ("N", "5 KN", "has the unit `KN`, which is not known"),
            ("N", "5", "has no unit; a number in N stands without quotes"),
            ("N", "0,5 kN", "has a comma"),
            ("N", "much", "expected a number, alone or with its unit"),
            ("N", "", "expected a number"),
            ("N", "e3 N", "expected a number"),
            ("N", ". N", "expected a number"),
            ("N", "inf N", "expected a number"),
            ("N", "1e400 N", "is not a finite number"),
            ("N", "1e99999999999 kN", "is not a finite number"),
        ] {
            let found = read(unit, text).unwrap_err();
            assert!(found.contains(said), "{text}: {found}");
        }
    }

    #[test]
    fn no_unit_is_written_as_another_of_its_quantity() {
        for quantity in QUANTITIES {
            assert_eq!(plain(quantity.units[0].0), plain(quantity.unit));
            for (at, (unit, _)) in quantity.units.iter().enumerate() {
                let others = &quantity.units[..at];
                assert!(others.iter().all(|(other, _)| plain(other) != plain(unit)));
            }
            let trail = Trail::item("load", 0, None);
            let tree = quantity.example.into();
            assert!(quantity.read(quantity.example, &node(&tree), trail).is_ok());
        }
    }
}
