//! Units of acceleration.

/// What records in g are multiplied by, whatever gravity the model has.
use crate::STANDARD_GRAVITY;

/// Factor to m/s² of a unit as people write it; `None` if unknown.
pub(super) fn acceleration_factor(unit: &str) -> Option<f64> {
    match plain(unit).as_str() {
        "g" | "gs" => Some(STANDARD_GRAVITY),
        "m/s2" | "m/s/s" | "ms-2" => Some(1.0),
        "cm/s2" | "cm/s/s" | "cms-2" | "gal" => Some(0.01),
        "mm/s2" | "mm/s/s" | "mms-2" => Some(0.001),
        _ => None,
    }
}

/// Whether a unit is one of velocity or length, which records come with beside their accelerations.
pub(super) fn is_velocity_or_length(unit: &str) -> bool {
    let plain = plain(unit);
    let length = plain
        .strip_suffix("/s")
        .or_else(|| plain.strip_suffix("s-1"));
    matches!(length.unwrap_or(&plain), "m" | "cm" | "mm")
}

/// A unit without what people write differently.
fn plain(unit: &str) -> String {
    unit.trim()
        .to_lowercase()
        .replace("sec", "s")
        .replace("**", "")
        .replace('²', "2")
        .chars()
        .filter(|c| !matches!(c, '^' | ' ' | '*'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_usual_spellings() {
        for unit in ["g", " G "] {
            assert_eq!(acceleration_factor(unit), Some(9.80665));
        }
        for unit in [
            "cm/s2",
            "cm/s^2",
            "CM/SEC**2",
            "cm/s²",
            "cm/sec/sec",
            "gal",
            "cm s-2",
        ] {
            assert_eq!(acceleration_factor(unit), Some(0.01), "{unit}");
        }
        assert_eq!(acceleration_factor("m/s2"), Some(1.0));
        assert_eq!(acceleration_factor("furlong"), None);
    }
}
