//! The page of the book.

use crate::report::Report;

/// Begins the part of the page that is written by the program.
pub const BEGIN: &str = "<!-- measured -->";
/// Ends it.
pub const END: &str = "<!-- end of measured -->";

/// The page with the measured part renewed; `Err` says what the page lacks.
pub fn renew(page: &str, report: &Report) -> Result<String, String> {
    let (before, rest) = page
        .split_once(BEGIN)
        .ok_or_else(|| format!("there is no line {BEGIN}"))?;
    let (_, after) = rest
        .split_once(END)
        .ok_or_else(|| format!("there is no line {END} after {BEGIN}"))?;
    Ok(format!(
        "{before}{BEGIN}\n\n{}\n{END}{after}",
        report.markdown()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_cone::Tolerances;

    #[test]
    fn only_the_marked_part_changes() {
        let report = Report::new(Tolerances::default());
        let page = format!("# Title\n{BEGIN}\nstale\n{END}\nrest\n");
        let renewed = renew(&page, &report).unwrap();
        assert!(renewed.starts_with("# Title\n") && renewed.ends_with("\nrest\n"));
        assert!(!renewed.contains("stale") && renewed.contains("| structure |"));
        assert_eq!(renew(&renewed, &report).unwrap(), renewed);
        assert!(renew("no marks", &report).unwrap_err().contains(BEGIN));
        assert!(renew(BEGIN, &report).unwrap_err().contains(END));
    }
}
