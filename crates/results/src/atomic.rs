//! Files that appear complete or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::Error;

/// The name under which a file is written until it is complete: its own with `.partial` appended.
pub fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

/// A name that no other process, here or on another node, gives to its unfinished copy of a file. It ends in `.partial`.
pub fn own_partial_path(path: &Path) -> PathBuf {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    // Nodes of a cluster count their processes apart: the clock tells them from each other.
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(
        ".{}-{}-{}.partial",
        std::process::id(),
        since.map_or(0, |since| since.subsec_nanos()),
        WRITTEN.fetch_add(1, Ordering::Relaxed),
    ));
    PathBuf::from(name)
}

/// The name of a copy of a file still being written, until it is complete.
pub(crate) fn copy_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".copy.partial");
    PathBuf::from(name)
}

/// Moves a complete file to its final name; an older file of that name is replaced.
pub(crate) fn publish(file: &File, partial: &Path, path: &Path) -> Result<(), Error> {
    // The data must be on the disk before the name is: a power cut may not leave an empty file behind.
    file.sync_all().map_err(Error::file("write", partial))?;
    fs::rename(partial, path).map_err(Error::file("write", path))?;
    // Not every system can sync a folder; the file's content is safe either way.
    if let Some(folder) = path.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Writes a whole file at once.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_by(&partial_path(path), path, bytes)
}

/// As [`write_atomic`], for files that several processes may write at once: each has an unfinished copy of its own, and the last one
/// that is complete stays.
pub fn write_shared(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_by(&own_partial_path(path), path, bytes)
}

fn write_by(partial: &Path, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = File::create(partial).map_err(Error::file("write", partial))?;
    file.write_all(bytes)
        .map_err(Error::file("write", partial))?;
    publish(&file, partial, path)
}

/// Writes a value as indented JSON.
///
/// JSON has no numbers for infinity and NaN: they become `null`.
pub fn write_json_atomic<T: Serialize + ?Sized>(path: &Path, value: &T) -> Result<(), Error> {
    write_atomic(path, &indented(path, value)?)
}

/// As [`write_json_atomic`], for files that several processes may write at once.
pub fn write_json_shared<T: Serialize + ?Sized>(path: &Path, value: &T) -> Result<(), Error> {
    write_shared(path, &indented(path, value)?)
}

fn indented<T: Serialize + ?Sized>(path: &Path, value: &T) -> Result<Vec<u8>, Error> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| Error::Encode {
        path: path.to_owned(),
        message: error.to_string(),
    })?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_replaces_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.json");
        write_json_atomic(&path, &[1.5, 2.0]).unwrap();
        write_json_atomic(&path, &["a", "b"]).unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "[\n  \"a\",\n  \"b\"\n]\n"
        );
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(names.len(), 1);
    }

    /// Of two that write at once, neither may take the other's unfinished file away.
    #[test]
    fn several_write_one_file_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.csv");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        write_shared(&path, b"run,status\n").unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read(&path).unwrap(), b"run,status\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn names_the_file_that_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("x.json");
        let error = write_json_atomic(&path, &1).unwrap_err();
        assert!(error.to_string().contains("x.json"), "{error}");
        assert!(!error.is_input());
    }
}
