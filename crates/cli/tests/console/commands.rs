//! The commands that documents show.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Programs that are not run: what they do is not ours, or is the business of other tests.
const OTHERS: [&str; 6] = ["cargo", "git", "mdbook", "npm", "pip", "./test.sh"];

pub enum Outcome {
    /// With what was printed: standard output, then standard error.
    Done(String),
    /// The same, with an exit code other than zero.
    Failed(String),
    Skipped,
}

/// Runs a command in a folder: `drystone`, or one of two programs that are imitated so that pages do not depend on a system,
/// `ls FOLDER` and `sed 's/this/that/' FILE > FILE`, the latter for the first occurrence in a line, without patterns, and with `\n` for
/// the end of a line.
pub fn run(command: &str, folder: &Path) -> Outcome {
    let mut words = words(command);
    let target = match words.iter().position(|word| word == ">") {
        Some(at) => words.drain(at..).nth(1).map(|name| folder.join(name)),
        None => None,
    };
    let outcome = match words[0].as_str() {
        "drystone" => drystone(&words[1..], folder),
        "ls" => Outcome::Done(listing(&folder.join(&words[1]))),
        "sed" => Outcome::Done(replaced(&words[1], &folder.join(&words[2]))),
        other if OTHERS.contains(&other) => return Outcome::Skipped,
        other => panic!("`{other}` is no command that this test knows"),
    };
    match (outcome, target) {
        (Outcome::Done(output), Some(path)) => {
            fs::write(path, output).unwrap();
            Outcome::Done(String::new())
        }
        (outcome, _) => outcome,
    }
}

fn drystone(arguments: &[String], folder: &Path) -> Outcome {
    let program =
        std::env::var_os("DRYSTONE").unwrap_or_else(|| env!("CARGO_BIN_EXE_drystone").into());
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).unwrap();
    match output.status.code() {
        Some(0) => Outcome::Done(printed),
        _ => Outcome::Failed(printed),
    }
}

/// Words between spaces; quotes keep spaces, and `#` begins a comment.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (None, '#') if words.last().is_some_and(String::is_empty) => break,
            (None, '\'' | '"') => quote = Some(letter),
            (None, ' ') => words.push(String::new()),
            (Some(open), _) if open == letter => quote = None,
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn listing(folder: &Path) -> String {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.join("  ") + "\n"
}

fn replaced(script: &str, file: &Path) -> String {
    let parts: Vec<&str> = script.split('/').collect();
    let ["s", this, that, ""] = parts[..] else {
        panic!("sed '{script}': only s/this/that/ is known here");
    };
    let that = that.replace("\\n", "\n");
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(this), "sed '{script}' changes nothing");
    text.lines()
        .flat_map(|line| [line.replacen(this, &that, 1), "\n".to_owned()])
        .collect()
}
