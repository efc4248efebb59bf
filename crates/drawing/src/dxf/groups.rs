//! Pairs of lines: a code that says what the value is, then the value.

use crate::DrawingError;
use crate::text::quoted;

/// A code with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group<'a> {
    pub code: i32,
    pub value: &'a str,
    /// Line of the value.
    pub line: usize,
}

/// All groups of a file but comments.
pub(super) fn groups(text: &str) -> Result<Vec<Group<'_>>, DrawingError> {
    let mut groups = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, first)) = lines.next() {
        let line = index + 1;
        let Ok(code) = first.trim().parse::<i32>() else {
            // Some programs end files with empty lines or with Ctrl-Z.
            if first.trim_matches(['\u{1a}', ' ', '\t', '\0']).is_empty()
                && lines.clone().all(|(_, more)| more.trim().is_empty())
            {
                break;
            }
            let what = if line == 1 {
                "not a DXF file: it"
            } else {
                "the line"
            };
            return Err(DrawingError::at(
                line,
                format!(
                    "{what} must be the number of a group code, not {}",
                    quoted(first.trim())
                ),
            ));
        };
        let Some((_, value)) = lines.next() else {
            return Err(DrawingError::at(
                line,
                "the file ends after a group code: it is truncated",
            ));
        };
        if code != 999 {
            groups.push(Group {
                code,
                value: value.trim(),
                line: line + 1,
            });
        }
    }
    Ok(groups)
}
