//! Units of acceleration.

/// What records in g are multiplied by, whatever gravity the model has.
pub use drystone_analysis::excitation::STANDARD_GRAVITY;

/// Factor to m/s² of a unit as people write it; `None` if unknown.
pub(super) fn acceleration_factor(unit: &str) -> Option<f64> {
    let plain: String = unit
        .trim()
        .to_lowercase()
        .replace("sec", "s")
        .replace("**", "")
        .replace('²', "2")
        .chars()
        .filter(|c| !matches!(c, '^' | ' ' | '*'))
        .collect();
    match plain.as_str() {
        "g" | "gs" => Some(STANDARD_GRAVITY),
        "m/s2" | "m/s/s" | "ms-2" => Some(1.0),
        "cm/s2" | "cm/s/s" | "cms-2" | "gal" => Some(0.01),
        "mm/s2" | "mm/s/s" | "mms-2" => Some(0.001),
        _ => None,
    }
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
