//! Runs in a file, one line of JSON each, written as they end: a study that is interrupted goes on where it was.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::runs::{Key, Row};

/// The runs of a file.
pub struct Store {
    path: PathBuf,
    file: File,
    rows: Vec<Row>,
}

impl Store {
    /// Opens a file or begins one. A last line that was cut off while it was written is dropped; any other that cannot be read is a fault.
    pub fn open(path: &Path) -> Result<Self, String> {
        let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(fault(&error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut rows = Vec::new();
        for (number, line) in text[..whole].lines().enumerate() {
            let row = serde_json::from_str(line)
                .map_err(|error| fault(&format!("line {}: {error}", number + 1)))?;
            rows.push(row);
        }
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| fault(&error))?;
        file.set_len(whole as u64).map_err(|error| fault(&error))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            rows,
        })
    }

    /// The run of a key, if it is there; the latest of several.
    pub fn find(&self, key: &Key) -> Option<&Row> {
        self.rows.iter().rev().find(|row| row.key == *key)
    }

    /// Adds a run, in the file as well.
    pub fn add(&mut self, row: Row) -> Result<(), String> {
        let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
        let line = serde_json::to_string(&row).map_err(|error| fault(&error))? + "\n";
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| fault(&error))?;
        self.rows.push(row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(dt: f64, cpu: f64) -> Row {
        Row {
            key: Key {
                program: "0".to_owned(),
                model: "m".to_owned(),
                structure: "wall".to_owned(),
                scheme: "leapfrog".to_owned(),
                law: "coulomb".to_owned(),
                tolerance: "validation".to_owned(),
                dt,
                perturbed: false,
            },
            finished: true,
            cpu,
            steps: 3,
            iterations: 12,
            inaccurate_steps: 0,
            fallback_steps: 0,
            halved_steps: 0,
            positions: vec![[1.0 / 3.0, 0.0, 1e-300]],
            rotations: vec![[0.1, 0.2, 0.3]],
            impacts: vec![0.7],
        }
    }

    /// Rows come back to the last bit; one that was cut off is gone, and the next one begins a line of its own.
    #[test]
    fn an_interrupted_file_is_continued() {
        let path = std::env::temp_dir().join(format!("convergence-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut store = Store::open(&path).unwrap();
        store.add(row(1e-3, 1.0)).unwrap();
        store.add(row(5e-4, 2.0)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 20]).unwrap();

        let mut store = Store::open(&path).unwrap();
        assert_eq!(store.find(&row(1e-3, 0.0).key), Some(&row(1e-3, 1.0)));
        assert_eq!(store.find(&row(5e-4, 0.0).key), None);
        store.add(row(5e-4, 3.0)).unwrap();
        let store = Store::open(&path).unwrap();
        assert_eq!(store.find(&row(5e-4, 0.0).key), Some(&row(5e-4, 3.0)));
        std::fs::remove_file(&path).unwrap();
    }
}
