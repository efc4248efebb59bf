//! What the documents show is what the program does: the commands of the README, the book and the examples' pages are run, and their
//! output and the numbers of the text are compared.
//!
//! A page is run from top to bottom in a folder of its own that holds a copy of `examples/`. Its notation:
//!
//! * A fence marked `console` holds commands, `$ drystone ...`, each followed by what it prints: standard output, then standard error.
//!   Two lines agree if they are equal but for what [`compare`] leaves out: times of computation, versions, numbers below 1e-5.
//!   A line `...` matches any number of lines. [`commands`] lists the programs other than `drystone`.
//! * `<!-- file: NAME -->` before a fence saves its content under this name.
//! * `<!-- run: drystone ... -->` runs a command that the page does not show. It must succeed; what it prints is not looked at.
//! * `<!-- check: FILE VALUE NUMBER -->`, with one check per line if it has several, says that a number of the paragraph or table just
//!   above is a value of a file of results, to the digits shown: see [`check`].
//! * `<!-- slow -->` before a fence, and `slow run`, `slow check`, mark what takes longer than some seconds. It is left to
//!   the ignored test: `cargo test --release -p drystone-cli --test console -- --ignored`.
//!
//! With `DRYSTONE_UPDATE_PAGES=1` the output shown in the documents is replaced by what the program prints. `DRYSTONE=PATH` runs another build of it.

mod check;
mod commands;
mod compare;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use page::{Page, Step};

/// How the documents name the test of what is marked slow.
const SLOW: &str = "cargo test --release -p drystone-cli --test console -- --ignored";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

fn readme() -> Vec<Page> {
    vec![Page::read(&root(), "README.md")]
}

fn book() -> Vec<Page> {
    let mut names: Vec<String> = fs::read_dir(root().join("book/src"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.sort();
    names
        .iter()
        .map(|name| Page::read(&root(), &format!("book/src/{name}")))
        .collect()
}

fn examples() -> Vec<Page> {
    let mut names: Vec<String> = fs::read_dir(root().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
        .iter()
        .map(|name| Page::read(&root(), &format!("examples/{name}/README.md")))
        .collect()
}

/// Runs the pages and fails with everything that disagrees.
fn run(pages: &[Page], slow: bool) {
    let complaints: Vec<String> = pages.iter().flat_map(|page| page.run(slow)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    run(&readme(), false);
}

#[test]
fn the_book_shows_what_the_program_prints() {
    run(&book(), false);
}

#[test]
fn the_examples_show_what_the_program_prints() {
    run(&examples(), false);
}

#[test]
#[ignore = "takes some minutes"]
fn pages_with_slow_commands_show_what_the_program_prints() {
    let pages = [readme(), book(), examples()].concat();
    let slow: Vec<Page> = pages.into_iter().filter(Page::has_slow_steps).collect();
    run(&slow, true);
}

/// Were the marks not found, nothing would be tested.
#[test]
fn there_is_something_to_check() {
    let pages = [readme(), book(), examples()].concat();
    let count = |wanted: fn(&Step) -> bool, slow: bool| {
        let steps = pages.iter().flat_map(|page| &page.steps);
        steps
            .filter(|step| wanted(step) && step.is_slow() == slow)
            .count()
    };
    let console = |step: &Step| matches!(step, Step::Console { .. });
    let check = |step: &Step| matches!(step, Step::Check { .. });
    println!(
        "console blocks: {} and {} slow; checked numbers: {} and {} slow",
        count(console, false),
        count(console, true),
        count(check, false),
        count(check, true)
    );
    assert!(count(console, false) >= 20);
    assert!(count(check, false) >= 100);
    for page in examples() {
        assert!(
            page.steps
                .iter()
                .any(|step| matches!(step, Step::Console { .. })),
            "{} shows no run",
            page.name
        );
    }
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(text.contains(SLOW), "the README does not name `{SLOW}`");
}

/// Output that is shown elsewhere than in a `console` fence would not be checked.
#[test]
fn output_stands_in_console_fences() {
    for page in [readme(), book(), examples()].concat() {
        assert!(page.strays.is_empty(), "{}", page.strays.join("\n"));
    }
}
