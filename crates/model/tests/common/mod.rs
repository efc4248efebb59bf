//! A small sound model for tests to spoil.

#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::Path;

use drystone_model::{Format, Model, compile_text};

/// Fourteen lines; what a test appends begins on line 15.
pub const SOUND: &str = r#"[[material]]
name = "stone"
density = 2000.0
[[interface]]
between = ["*", "*"]
friction = 0.6
[[block]]
name = "ground"
material = "stone"
support = true
vertices = [[0,0,-1],[1,0,-1],[0,1,-1],[1,1,-1],[0,0,0],[1,0,0],[0,1,0],[1,1,0]]
[[block]]
material = "stone"
vertices = [[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],[1,0,1],[0,1,1],[1,1,1]]
"#;

/// The model that a text describes.
pub fn model(text: &str) -> Model {
    compile_text(text, Format::Toml, Path::new("m.toml"))
        .unwrap_or_else(|faults| panic!("{faults}"))
}

/// The sound model with more text at its end.
pub fn sound_and(more: &str) -> String {
    format!("{SOUND}{more}")
}

/// The sound model with one part replaced.
pub fn sound_but(old: &str, new: &str) -> String {
    assert_eq!(SOUND.matches(old).count(), 1, "{old}");
    SOUND.replace(old, new)
}

/// The faults of a text, one line each: `line:column path: what [help]`.
pub fn faults(text: &str, format: Format) -> Vec<String> {
    let Err(faults) = compile_text(text, format, Path::new("m.toml")) else {
        return Vec::new();
    };
    faults
        .iter()
        .map(|fault| {
            let place = match (fault.line, fault.column) {
                (Some(line), Some(column)) => format!("{line}:{column} "),
                _ => String::new(),
            };
            let path = if fault.path.is_empty() {
                String::new()
            } else {
                format!("{}: ", fault.path)
            };
            let help = fault
                .help
                .as_ref()
                .map_or(String::new(), |help| format!(" [{help}]"));
            format!("{place}{path}{}{help}", fault.what)
        })
        .collect()
}

/// Asserts that a TOML text has exactly these faults.
pub fn assert_faults(text: &str, expected: &[&str]) {
    assert_eq!(faults(text, Format::Toml), expected, "\n{text}");
}
