//! The model files that the book prints are model files, and its reference page knows every key.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use drystone_model::{Format, Model, compile_text, parse, schema};

/// One fenced block of a page.
struct Sample {
    /// `page:line` of the fence, for messages.
    at: String,
    format: Format,
    text: String,
}

impl Sample {
    /// Whether it is meant as a whole model file; the rest are parts of one.
    fn is_whole(&self) -> bool {
        match self.format {
            Format::Toml => self.text.lines().any(|line| line.trim() == "[model]"),
            Format::Json => self.text.contains("\"model\":"),
        }
    }

    fn compile(&self) -> Result<Model, String> {
        compile_text(&self.text, self.format, Path::new("book.toml"))
            .map_err(|faults| self.complaint(&faults))
    }

    /// Reads the keys of a part. What it refers to, records and blocks, may be elsewhere.
    fn read(&self) -> Result<(), String> {
        match parse(&self.text, self.format) {
            Ok(_) => Ok(()),
            Err(faults) => Err(self.complaint(&faults)),
        }
    }

    fn complaint(&self, faults: &drystone_model::Faults) -> String {
        format!("{}:\n{faults}", self.at)
    }
}

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(book().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The fenced blocks of a page that hold models. JSON is also used for results, so only whole models count there.
fn samples_of(name: &str, text: &str) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    let mut open: Option<Option<Sample>> = None;
    for (number, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => samples.extend(open.take().flatten()),
            (Some(language), None) => {
                let format = match language.split([',', ' ']).next() {
                    Some("toml") => Some(Format::Toml),
                    Some("json") => Some(Format::Json),
                    _ => None,
                };
                let at = format!("{name}:{}", number + 1);
                open = Some(format.map(|format| Sample {
                    at,
                    format,
                    text: String::new(),
                }));
            }
            (None, Some(Some(sample))) => {
                sample.text.push_str(line);
                sample.text.push('\n');
            }
            (None, _) => {}
        }
    }
    assert!(open.is_none(), "{name}: a fence is not closed");
    samples.retain(|sample| sample.format == Format::Toml || sample.is_whole());
    samples
}

fn samples() -> Vec<Sample> {
    let mut names: Vec<String> = std::fs::read_dir(book())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.sort();
    names
        .iter()
        .flat_map(|name| samples_of(name, &page(name)))
        .collect()
}

#[test]
fn whole_models_compile_and_parts_are_read() {
    let samples = samples();
    let whole = samples.iter().filter(|sample| sample.is_whole()).count();
    // Were the fences not found, nothing would be tested.
    assert!(whole >= 3, "{whole} whole models");
    assert!(
        samples.len() - whole >= 5,
        "{} parts",
        samples.len() - whole
    );
    let complaints: Vec<String> = samples
        .iter()
        .filter_map(|sample| match sample.is_whole() {
            true => sample.compile().err(),
            false => sample.read().err(),
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// What must not pass does not.
#[test]
fn spoiled_samples_are_refused() {
    let text = "# A page\n```toml\n[[motion]]\nname = \"m\"\nkind = \"sine\"\nfrequenzy = 2\nfrequency = 2\nduration = 1\n```\n\
                ```sh\nls\n```\n```toml\n[model]\ngravity = -1\n```\n```json\n{\"model_sha256\": 1}\n```\n";
    let [part, whole] = &samples_of("page.md", text)[..] else {
        panic!("two samples expected");
    };
    let complaint = part.read().unwrap_err();
    assert!(
        complaint.starts_with("page.md:2:") && complaint.contains("frequenzy"),
        "{complaint}"
    );
    assert!(whole.is_whole() && whole.read().is_ok());
    assert!(whole.compile().unwrap_err().contains("gravity"));
}

/// The page that shows one model in both forms shows the same model.
#[test]
fn the_json_of_the_reference_is_its_toml() {
    let samples = samples_of("model-file.md", &page("model-file.md"));
    let spec = |format: Format| {
        let sample = samples
            .iter()
            .find(|sample| sample.format == format && sample.is_whole());
        let sample = sample.unwrap_or_else(|| panic!("no {format:?}"));
        parse(&sample.text, format).unwrap_or_else(|faults| panic!("{}", sample.complaint(&faults)))
    };
    assert_eq!(spec(Format::Toml), spec(Format::Json));
}

fn collect<'s>(schema: &'s serde_json::Value, words: &mut BTreeSet<&'s str>) {
    match schema {
        serde_json::Value::Object(table) => {
            for (key, value) in table {
                match (key.as_str(), value) {
                    ("properties", serde_json::Value::Object(properties)) => {
                        words.extend(properties.keys().map(String::as_str));
                    }
                    ("const", serde_json::Value::String(word)) => {
                        words.insert(word);
                    }
                    _ => {}
                }
                collect(value, words);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| collect(value, words)),
        _ => {}
    }
}

/// The pages that together describe the format.
const REFERENCE: [&str; 10] = [
    "model-file.md",
    "structures.md",
    "walls.md",
    "buildings.md",
    "arches.md",
    "vaults.md",
    "domes.md",
    "columns.md",
    "drawings.md",
    "motions.md",
];

/// Every key of the format, and every word that a key may have for its value, stands on a reference page.
#[test]
fn the_reference_knows_every_key() {
    let schema = schema();
    let mut words = BTreeSet::new();
    collect(&schema, &mut words);
    for expected in ["half_period", "settlement", "coulomb", "rocking"] {
        assert!(
            words.contains(expected),
            "{expected} is not found in the schema"
        );
    }
    let page: String = REFERENCE.iter().map(|name| page(name)).collect();
    let marks = [("`", "`"), ("\"", "\""), ("[", "]")];
    let stands = |word: &str| {
        marks
            .iter()
            .any(|(before, after)| page.contains(&format!("{before}{word}{after}")))
    };
    let missing: Vec<&str> = words.into_iter().filter(|word| !stands(word)).collect();
    assert!(missing.is_empty(), "not in {REFERENCE:?}: {missing:?}");
}
