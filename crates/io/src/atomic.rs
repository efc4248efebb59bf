//! Files that appear complete or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Error;

/// The name under which a file is written until it is complete: its own with `.partial` appended.
pub fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
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
    let partial = partial_path(path);
    let mut file = File::create(&partial).map_err(Error::file("write", &partial))?;
    file.write_all(bytes)
        .map_err(Error::file("write", &partial))?;
    publish(&file, &partial, path)
}

/// Writes a value as indented JSON.
///
/// JSON has no numbers for infinity and NaN: they become `null`.
pub fn write_json_atomic<T: Serialize + ?Sized>(path: &Path, value: &T) -> Result<(), Error> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| Error::Encode {
        path: path.to_owned(),
        message: error.to_string(),
    })?;
    bytes.push(b'\n');
    write_atomic(path, &bytes)
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

    #[test]
    fn names_the_file_that_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("x.json");
        let error = write_json_atomic(&path, &1).unwrap_err();
        assert!(error.to_string().contains("x.json"), "{error}");
        assert!(!error.is_input());
    }
}
