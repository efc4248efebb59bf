//! The house is as its documents say: paths exist, links resolve, examples are sound.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// What stands between single backticks, outside of fenced code.
fn quoted(text: &str) -> Vec<String> {
    prose(text)
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    prose
}

/// Targets of `[text](target)`.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let ends = prose.match_indices("](").map(|(at, _)| at + 2);
    ends.filter_map(|at| prose[at..].split_once(')'))
        .map(|(target, _)| {
            target
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

#[test]
fn paths_in_the_maps_exist() {
    let root = root();
    let mut checked = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap();
        let looks_like_path = |word: &&String| {
            let folders = ["crates", "book", "examples"];
            !word.contains(char::is_whitespace)
                && (folders
                    .iter()
                    .any(|folder| word == folder || word.starts_with(&format!("{folder}/")))
                    || word.ends_with(".md")
                    || word.ends_with(".sh"))
        };
        for path in quoted(&text).iter().filter(looks_like_path) {
            assert!(
                root.join(path).exists(),
                "{document}: `{path}` does not exist"
            );
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} paths were found");
}

#[test]
fn every_crate_is_on_the_map() {
    let root = root();
    let map = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            map.contains(&format!("`crates/{name}`")),
            "ARCHITECTURE.md does not say what crates/{name} is"
        );
    }
}

#[test]
fn links_between_documents_resolve() {
    let root = root();
    let documents = [files(&root, "md"), files(&root.join("book/src"), "md")].concat();
    let mut missing = Vec::new();
    let mut checked = 0;
    for document in &documents {
        let text = fs::read_to_string(document).unwrap();
        for target in links(&text) {
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            if !document.parent().unwrap().join(path).exists() {
                missing.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "links to nothing:\n{}",
        missing.join("\n")
    );
    assert!(checked > 5, "only {checked} links were found");
}

#[test]
fn every_page_of_the_book_is_in_its_contents() {
    let book = root().join("book/src");
    let contents = links(&fs::read_to_string(book.join("SUMMARY.md")).unwrap());
    for page in files(&book, "md") {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(
            name == "SUMMARY.md"
                || contents
                    .iter()
                    .any(|target| target.trim_start_matches("./") == name),
            "{name} is not in SUMMARY.md"
        );
    }
}

#[test]
fn every_example_is_sound() {
    let mut count = 0;
    let mut models = Vec::new();
    for entry in fs::read_dir(root().join("examples")).unwrap() {
        let folder = entry.unwrap().path();
        let found = files(&folder, "toml");
        assert!(!found.is_empty(), "{} has no model", folder.display());
        models.extend(found);
    }
    for model in models {
        let output = Command::new(env!("CARGO_BIN_EXE_drystone"))
            .args(["check", "--json"])
            .arg(&model)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{error}");
        let findings: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        for fault in ["overlaps", "islands_without_support"] {
            assert_eq!(
                findings[fault],
                serde_json::json!([]),
                "{}",
                model.display()
            );
        }
        assert!(
            !findings["analyses"].as_array().unwrap().is_empty(),
            "{} asks nothing",
            model.display()
        );
        count += 1;
    }
    assert!(count > 0);
}
