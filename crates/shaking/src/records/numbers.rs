//! Numbers as Fortran, instruments and people write them.

use super::Fault;

/// A number as Fortran or people write it.
pub(super) fn number(field: &str) -> Option<f64> {
    // Rust reads "inf" and "nan" as numbers; nobody measures them.
    if !field.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let value: f64 = match field.parse() {
        Ok(value) => value,
        Err(_) => field.replace(['d', 'D'], "e").parse().ok()?,
    };
    value.is_finite().then_some(value)
}

/// The numbers of a line, or the field that is none.
///
/// Fortran writes columns of fixed width, and a number that fills its column touches its neighbour:
/// `-12.345-123.456`. Fields between blanks are tried first, so that files whose blanks an editor changed are still
/// read; then columns of `width`; then a sign that follows a digit begins a number.
pub(super) fn numbers(line: &str, width: Option<usize>) -> Result<Vec<f64>, String> {
    let words: Option<Vec<f64>> = line.split_whitespace().map(number).collect();
    if let Some(values) = words {
        return Ok(values);
    }
    if let Some(values) = width.and_then(|width| columns(line, width)) {
        return Ok(values);
    }
    let fields = line.split_whitespace().flat_map(at_signs);
    fields
        .map(|field| number(field).ok_or_else(|| field.to_owned()))
        .collect()
}

/// As many values as a line promised, from the lines after it. `at` is the index of that line, `ends` tells lines that end
/// a block too early.
pub(super) fn promised<'t>(
    points: usize,
    width: Option<usize>,
    at: usize,
    lines: &mut impl Iterator<Item = (usize, &'t str)>,
    ends: impl Fn(&str) -> bool,
) -> Result<Vec<f64>, Fault> {
    let fault = |what: String| {
        let message = format!("{points} values of acceleration are promised here, but {what}");
        (Some(at + 1), message)
    };
    // Not reserved: a file may promise what it does not have.
    let mut values = Vec::new();
    while values.len() < points {
        let next = lines.next().filter(|(_, line)| !ends(line));
        let Some((index, line)) = next else {
            return Err(fault(format!("there are {}", values.len())));
        };
        let found = numbers(line, width)
            .map_err(|field| (Some(index + 1), format!("\"{field}\" is not a number")))?;
        values.extend(found);
    }
    if values.len() > points {
        return Err(fault("their last line has more".to_owned()));
    }
    Ok(values)
}

/// The numbers in columns of a fixed width; nothing if one of them is no number.
fn columns(line: &str, width: usize) -> Option<Vec<f64>> {
    let line = line.trim_end();
    if width == 0 || !line.is_ascii() {
        return None;
    }
    (0..line.len().div_ceil(width))
        .map(|k| number(line[k * width..line.len().min((k + 1) * width)].trim()))
        .collect()
}

/// Cuts a word before every sign that does not belong to an exponent.
fn at_signs(word: &str) -> Vec<&str> {
    let bytes = word.as_bytes();
    let mut fields = Vec::new();
    let mut start = 0;
    for at in 1..bytes.len() {
        let follows_number = bytes[at - 1].is_ascii_digit() || bytes[at - 1] == b'.';
        if matches!(bytes[at], b'+' | b'-') && follows_number {
            fields.push(&word[start..at]);
            start = at;
        }
    }
    fields.push(&word[start..]);
    fields
}

/// The width of a column from a Fortran format such as `(8f10.6)`, `(1E15.6)` or `(8(1PE10.4E1))`.
pub(super) fn column_width(format: &str) -> Option<usize> {
    let upper = format.to_ascii_uppercase();
    let letter = upper.find(['F', 'E', 'G', 'D', 'I'])?;
    let digits: String = upper[letter + 1..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    // Wider columns than this hold no number.
    digits.parse().ok().filter(|width| (1..=40).contains(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_kinds() {
        for (text, expected) in [
            ("1.5", 1.5),
            ("-.5E-1", -0.05),
            ("1.0D+02", 100.0),
            ("1.", 1.0),
        ] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        for text in ["", "inf", "NaN", "***", "1e999", "-", "e"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn touching_columns_are_told_apart() {
        let line = " 8.4524E+1-1.8366E+0-1.5658E+1 4.1217E-1";
        let expected = vec![84.524, -1.8366, -15.658, 0.41217];
        assert_eq!(numbers(line, Some(10)), Ok(expected.clone()));
        assert_eq!(numbers(line, None), Ok(expected));
        // Without a sign only the width tells.
        assert_eq!(
            numbers(" 99.123456123.456789", Some(10)),
            Ok(vec![99.123456, 123.456789])
        );
        assert_eq!(
            numbers(" 99.123456123.456789", None),
            Err("99.123456123.456789".into())
        );
        assert_eq!(
            numbers("   1.0000**********", Some(10)),
            Err("1.0000**********".into())
        );
        assert_eq!(numbers("", Some(10)), Ok(vec![]));
        assert_eq!(numbers("é1", Some(1)), Err("é1".into()));
    }

    #[test]
    fn widths_of_formats() {
        for (format, width) in [
            ("(8f10.6)", Some(10)),
            ("(1E15.6)", Some(15)),
            ("(8(1PE10.4E1))", Some(10)),
            ("(10I8)", Some(8)),
            ("(1F15.6E)", Some(15)),
            ("", None),
            ("(8f0.1)", None),
            ("(8f99999999999999999999999.1)", None),
        ] {
            assert_eq!(column_width(format), width, "{format}");
        }
    }
}
