//! Whether two outputs are the same but for what differs from machine to machine.

/// A line of a document for any number of lines of output.
pub const LEFT_OUT: &str = "...";

/// What disagrees, to be read by a person, or nothing.
pub fn difference(shown: &[String], output: &str) -> Option<String> {
    let printed: Vec<String> = output
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    let same = |lines: &[String]| lines.iter().map(|line| steady(line)).collect::<Vec<_>>();
    (!matches(&same(shown), &same(&printed))).then(|| {
        format!(
            "shown:\n{}\nprinted:\n{}",
            shown.join("\n"),
            printed.join("\n")
        )
    })
}

fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == LEFT_OUT => {
            (0..=printed.len()).any(|left_out| matches(rest, &printed[left_out..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| first == line && matches(rest, others)),
    }
}

/// A line without what differs from machine to machine and from build to build:
///
/// * times of computation, which the program writes as `in 0.5 s`, `(0.02 s,` or `(0.02 s)`, become `TIME`;
/// * versions, three whole numbers with dots between, become `VERSION`;
/// * numbers in scientific notation below 1e-5, of either sign and zero among them, become `SMALL`. They are residuals,
///   penetrations and sums that vanish: what remains of rounding.
pub fn steady(line: &str) -> String {
    let mut steady = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = number_end(from);
        let (number, after) = from.split_at(end);
        steady.push_str(before);
        let time = after.starts_with(" s")
            && !after[2..].starts_with(|letter: char| letter.is_alphanumeric())
            && (before.ends_with(" in ") || before.ends_with('('));
        let unsigned = steady.trim_end_matches('-').len();
        let word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let noise = number.contains('e') && !steady[..unsigned].ends_with(word);
        match number.parse::<f64>() {
            Ok(_) if time => steady.push_str("TIME"),
            Ok(value) if noise && value < 1e-5 => {
                steady.truncate(unsigned);
                steady.push_str("SMALL");
            }
            Err(_) if number.split('.').count() == 3 => steady.push_str("VERSION"),
            _ => steady.push_str(number),
        }
        rest = after;
    }
    steady + rest
}

/// Where a number that begins a text ends: digits, dots between digits, an exponent.
fn number_end(text: &str) -> usize {
    let digits = |from: usize| {
        let more = text[from..].find(|letter: char| !letter.is_ascii_digit());
        more.map_or(text.len(), |more| from + more)
    };
    let mut end = digits(0);
    while text[end..].starts_with('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if text[end..].starts_with('e') {
        let sign = usize::from(text[end + 1..].starts_with('-'));
        let exponent = end + 1 + sign;
        if digits(exponent) > exponent {
            end = digits(exponent);
        }
    }
    end
}

#[test]
fn only_what_differs_between_machines_is_left_out() {
    let line = "limit: collapsed at 3.385 s (8000 steps in 0.5 s, worst residual 9.9e-8, penetration 0.0e0 m)";
    let other = "limit: collapsed at 3.385 s (8000 steps in 12 s, worst residual 1.0e-7, penetration 3.5e-12 m)";
    assert_eq!(steady(line), steady(other));
    assert_ne!(steady(line), steady(&line.replace("3.385", "3.386")));
    assert_ne!(steady(line), steady(&line.replace("8000", "8001")));
    assert_eq!(
        steady("stable (0.02 s, residual 2e-9)"),
        "stable (TIME s, residual SMALL)"
    );
    assert_eq!(
        steady("reaction (-6.0464e-6, 0.0000e0, 1.8333e5) N"),
        "reaction (SMALL, SMALL, 1.8333e5) N"
    );
    assert_eq!(steady("drystone 0.1.0"), "drystone VERSION");
    for kept in [
        "3 s in steps of 0.001 s",
        "1.5e-5 m",
        "block1e-9",
        "block-1e-9",
        "-4.25e3 N",
        "lasts 2 s",
    ] {
        assert_eq!(steady(kept), kept);
    }
}

#[test]
fn a_line_of_dots_is_any_number_of_lines() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for same in ["a\n...\nd", "...", "a\nb\nc\nd\n...", "...\nd"] {
        assert_eq!(difference(&shown(same), "a\nb\nc\nd\n"), None, "{same}");
    }
    for other in ["a\n...\nc", "a\nb\nd", "", "a\nb\nc\nd\ne"] {
        assert!(
            difference(&shown(other), "a\nb\nc\nd\n").is_some(),
            "{other}"
        );
    }
}
