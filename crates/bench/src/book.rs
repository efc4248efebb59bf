//! The page of the book.

/// A part of the page that is written by the program, between two lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// Begins it.
    pub begin: &'static str,
    /// Ends it.
    pub end: &'static str,
}

/// Steps in time.
pub const STEPS: Marks = Marks {
    begin: "<!-- measured -->",
    end: "<!-- end of measured -->",
};
/// Limit analysis.
pub const STATICS: Marks = Marks {
    begin: "<!-- measured statics -->",
    end: "<!-- end of measured statics -->",
};

/// The page with the part between the marks replaced by a table; `Err` says what the page lacks.
pub fn renew(page: &str, marks: Marks, table: &str) -> Result<String, String> {
    let Marks { begin, end } = marks;
    let (before, rest) = page
        .split_once(begin)
        .ok_or_else(|| format!("there is no line {begin}"))?;
    let (_, after) = rest
        .split_once(end)
        .ok_or_else(|| format!("there is no line {end} after {begin}"))?;
    Ok(format!("{before}{begin}\n\n{table}\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_marked_part_changes() {
        for marks in [STEPS, STATICS] {
            let Marks { begin, end } = marks;
            let page = format!("# Title\n{begin}\nstale\n{end}\nrest\n");
            let renewed = renew(&page, marks, "| table |").unwrap();
            assert!(renewed.starts_with("# Title\n") && renewed.ends_with("\nrest\n"));
            assert!(!renewed.contains("stale") && renewed.contains("| table |"));
            assert_eq!(renew(&renewed, marks, "| table |").unwrap(), renewed);
            assert!(renew("no marks", marks, "").unwrap_err().contains(begin));
            assert!(renew(begin, marks, "").unwrap_err().contains(end));
        }
    }
}
