//! Lines, words and numbers of text files.

use crate::DrawingError;

/// The text of a file whatever its encoding: UTF-8, or else one byte per letter as old programs write.
pub(crate) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
    }
}

/// A finite number.
pub(crate) fn number(word: &str, line: usize, what: &str) -> Result<f64, DrawingError> {
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(DrawingError::at(
            line,
            format!("{what} is {}, not a finite number", quoted(word)),
        )),
    }
}

/// A piece of the file for a message: short, and without what would disturb a terminal.
pub(crate) fn quoted(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut text: String = word
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if word.chars().count() > LONGEST {
        text.push('…');
    }
    format!("\"{text}\"")
}

/// A name without control characters and outer blanks.
pub(crate) fn clean_name(name: &str) -> String {
    name.chars()
        .filter(|c| !c.is_control())
        .collect::<String>()
        .trim()
        .to_owned()
}

/// A name for formats in which blanks or line breaks would end it.
pub(crate) fn one_line(name: &str) -> String {
    let name = clean_name(name);
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}
