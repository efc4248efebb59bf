//! `drystone examples` and `drystone new`: ready structures to start from.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::Outcome;
use crate::args::NewOptions;
use crate::speak::answer;

/// A folder of the examples, as it was when the program was built.
struct Example {
    name: &'static str,
    /// Names and contents.
    files: &'static [(&'static str, &'static [u8])],
}

const EXAMPLES: &[Example] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

impl Example {
    /// The first line of its description.
    fn title(&self) -> String {
        let readme = self.files.iter().find(|(name, _)| *name == "README.md");
        let text = readme.map_or("", |(_, bytes)| std::str::from_utf8(bytes).unwrap_or(""));
        let first = text.lines().next().unwrap_or("");
        first.trim_start_matches('#').trim().to_owned()
    }

    /// Its model files.
    fn models(&self) -> impl Iterator<Item = &'static str> {
        let names = self.files.iter().map(|(name, _)| *name);
        names.filter(|name| name.ends_with(".toml") || name.ends_with(".json"))
    }
}

/// Lists the examples.
pub fn list() -> Outcome {
    let mut text = String::new();
    for example in EXAMPLES {
        let _ = writeln!(text, "  {:<18} {}", example.name, example.title());
    }
    let _ = writeln!(
        text,
        "\n`drystone new NAME` copies one into a folder of that name."
    );
    answer(&text)
}

/// Copies an example.
pub fn new(options: &NewOptions) -> Outcome {
    let wanted = options.example.as_str();
    let Some(example) = EXAMPLES.iter().find(|example| example.name == wanted) else {
        let names: Vec<&str> = EXAMPLES.iter().map(|example| example.name).collect();
        return Outcome::BadInput(format!(
            "error: there is no example \"{wanted}\"\n  = help: one of {}",
            names.join(", ")
        ));
    };
    let folder = options
        .folder
        .clone()
        .unwrap_or_else(|| PathBuf::from(wanted));
    // Nothing is copied if something is in the way, so that no mixture of two examples is left.
    let mut taken = example
        .files
        .iter()
        .map(|(name, _)| folder.join(name))
        .filter(|path| path.exists());
    if let Some(path) = taken.next() {
        return Outcome::BadInput(format!(
            "error: {} is already there\n  = help: give another folder: drystone new {wanted} FOLDER",
            path.display()
        ));
    }
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(&folder)?;
        for (name, bytes) in example.files {
            fs::write(folder.join(name), bytes)?;
        }
        Ok(())
    };
    if let Err(error) = write() {
        return Outcome::Failed(format!(
            "error: {} cannot be written: {error}",
            folder.display()
        ));
    }
    let mut text = format!("{} in {}\n", example.title(), folder.display());
    for model in example.models() {
        let _ = writeln!(text, "  drystone run {}", folder.join(model).display());
    }
    answer(&text)
}
