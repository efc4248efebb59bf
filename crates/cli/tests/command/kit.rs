//! What the tests of the command share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// An empty folder to work in, where the command is called.
pub struct Desk {
    folder: TempDir,
}

/// What a call of the command came to.
#[derive(Debug)]
pub struct Call {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Desk {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A desk with a file on it.
    pub fn with(name: &str, text: &str) -> Self {
        let desk = Self::new();
        desk.write(name, text);
        desk
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drystone"));
        command.args(args).current_dir(self.folder.path());
        command
    }

    pub fn call(&self, args: &[&str]) -> Call {
        Call::new(self.command(args).output().unwrap())
    }

    pub fn summary(&self, folder: &str) -> Value {
        serde_json::from_slice(&self.read(&format!("{folder}/summary.json"))).unwrap()
    }
}

impl Call {
    pub fn new(output: Output) -> Self {
        let call = Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!call.err.contains("panicked"), "{}", call.err);
        call
    }

    /// It ended with this code, and said something whenever it did not do what was asked.
    #[track_caller]
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        assert!(
            code == 0 || !self.err.trim().is_empty(),
            "silence with code {code}"
        );
        self
    }

    /// Standard error has all these words.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in:\n{}", self.err);
        }
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// Sends a signal by its name.
#[cfg(unix)]
pub fn signal(child: &std::process::Child, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

pub fn example(name: &str) -> String {
    let path = root().join("examples").join(name).join("model.toml");
    path.to_str().unwrap().to_owned()
}

/// General settings, a material and an interface.
pub const HEAD: &str = r#"
[model]
name = "test"

[[material]]
name = "stone"
density = 2000.0

[[interface]]
between = ["*", "*"]
friction = 0.6
"#;

/// A box as the text of a `[[block]]`.
pub fn cuboid(name: &str, min: [f64; 3], max: [f64; 3], more: &str) -> String {
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|k| {
            std::array::from_fn(|axis| {
                if k >> axis & 1 == 0 {
                    min[axis]
                } else {
                    max[axis]
                }
            })
        })
        .collect();
    format!(
        "\n[[block]]\nname = \"{name}\"\nmaterial = \"stone\"\n{more}\nvertices = {corners:?}\n"
    )
}

/// A stone on the ground.
pub fn stone_on_ground() -> String {
    format!(
        "{HEAD}{}{}",
        cuboid(
            "ground",
            [-2.0, -1.0, -0.5],
            [2.0, 1.0, 0.0],
            "support = true"
        ),
        cuboid("stone", [-0.2, -0.2, 0.0], [0.2, 0.2, 1.0], "")
    )
}

/// A time history of fifty steps as the text of an `[[analysis]]`.
pub fn history(name: &str, more: &str) -> String {
    format!(
        "\n[[analysis]]\nname = \"{name}\"\nkind = \"time_history\"\ndt = 0.002\nduration = 0.1\n{more}\n"
    )
}

/// A stone on the ground for a tenth of a second.
pub fn small() -> String {
    stone_on_ground() + &history("rest", "")
}
