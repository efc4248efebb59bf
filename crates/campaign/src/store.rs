//! Results of runs: one file each, named by the hash of what determines it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use drystone_results::own_partial_path;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::outcome::Outcome;
use crate::task::hexadecimal;

const HEAD: &str = "{\"run\":";
const TAIL: &str = ",\"sha256\":\"";
const END: &str = "\"}\n";
/// A result is written in milliseconds: whoever began one this long ago is gone. The margin is for clocks of nodes that disagree.
const STALE: Duration = Duration::from_secs(3600);

/// A folder of results.
///
/// A file appears under its name complete, and holds a checksum of itself: one that a power cut, a full disk or a stray program has
/// damaged counts as absent, and the run is made again. That is why files are not forced to the disk one by one, which takes longer than
/// a small run.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What is under a name.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A result.
    Complete(Outcome),
    /// Something that is none.
    Damaged,
    /// Nothing.
    Nothing,
}

impl Store {
    /// Opens a folder, making it if need be.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// The file of a result.
    pub fn path(&self, hash: &str) -> PathBuf {
        self.folder.join(format!("{hash}.json"))
    }

    /// Reads a result.
    pub fn read(&self, hash: &str) -> Found {
        match fs::read(self.path(hash)) {
            Ok(bytes) => decode(hash, &bytes).map_or(Found::Damaged, Found::Complete),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Found::Nothing,
            Err(_) => Found::Damaged,
        }
    }

    /// Writes a result.
    pub fn write(&self, hash: &str, outcome: &Outcome) -> Result<(), Error> {
        let path = self.path(hash);
        // Another process, here or on another node, may write the same result at the same time.
        let partial = own_partial_path(&path);
        fs::write(&partial, encode(hash, outcome)).map_err(Error::file("write", &partial))?;
        fs::rename(&partial, &path).map_err(Error::file("write", &path))
    }

    /// Removes a result.
    pub fn remove(&self, hash: &str) -> Result<(), Error> {
        remove(&self.path(hash))
    }

    /// Removes all results.
    pub fn clear(&self) -> Result<(), Error> {
        sweep(&self.folder, |ending, _| {
            matches!(ending, "json" | "partial")
        })
    }

    /// Removes what killed programs left half-written.
    pub fn tidy(&self) -> Result<(), Error> {
        tidy(&self.folder)
    }
}

/// Removes what killed programs left half-written in a folder. Others may write at the same time, such as tasks of a cluster: what is
/// young is theirs.
pub(crate) fn tidy(folder: &Path) -> Result<(), Error> {
    let now = SystemTime::now();
    sweep(folder, |ending, path| {
        // Of a file that is gone meanwhile, or of the future, nothing is known.
        let written = fs::metadata(path).and_then(|file| file.modified());
        let age = written.map(|written| now.duration_since(written).unwrap_or_default());
        ending == "partial" && age.is_ok_and(|age| age > STALE)
    })
}

fn sweep(folder: &Path, chosen: impl Fn(&str, &Path) -> bool) -> Result<(), Error> {
    let entries = fs::read_dir(folder).map_err(Error::file("read", folder))?;
    for entry in entries.flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if ending.is_some_and(|ending| chosen(ending, &path)) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Removes a file; one that is gone, because another campaign in the same folder was faster, need not be removed.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Of the content and of the name it belongs under: a result that somebody copied to another name is damaged, too.
fn checksum(hash: &str, body: &[u8]) -> String {
    let digest = Sha256::new_with_prefix(hash).chain_update(body);
    hexadecimal(&digest.finalize())
}

fn encode(hash: &str, outcome: &Outcome) -> Vec<u8> {
    // Plain data with finite numbers can be written.
    let body = serde_json::to_vec(outcome).unwrap_or_default();
    let sum = checksum(hash, &body);
    [
        HEAD.as_bytes(),
        &body,
        TAIL.as_bytes(),
        sum.as_bytes(),
        END.as_bytes(),
    ]
    .concat()
}

fn decode(hash: &str, bytes: &[u8]) -> Option<Outcome> {
    let rest = bytes.strip_prefix(HEAD.as_bytes())?;
    let rest = rest.strip_suffix(END.as_bytes())?;
    let (rest, sum) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
    let body = rest.strip_suffix(TAIL.as_bytes())?;
    if checksum(hash, body).as_bytes() != sum {
        return None;
    }
    serde_json::from_slice(body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        Outcome {
            status: "stood".into(),
            collapsed: Some(false),
            measures: vec![("rotation".into(), 0.1 + 0.2), ("steps".into(), 7.0)],
            failure: None,
            notes: Vec::new(),
            seconds: 0.25,
        }
    }

    #[test]
    fn results_come_back_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("runs")).unwrap();
        assert_eq!(store.read("a"), Found::Nothing);
        store.write("a", &outcome()).unwrap();
        assert_eq!(store.read("a"), Found::Complete(outcome()));
        let text = fs::read_to_string(store.path("a")).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
        store.remove("a").unwrap();
        store.remove("a").unwrap();
        assert_eq!(store.read("a"), Found::Nothing);
    }

    /// What somebody may still be writing is left alone.
    #[test]
    fn only_old_remains_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.write("a", &outcome()).unwrap();
        let [young, old] =
            ["young", "old"].map(|name| folder.path().join(format!("{name}.partial")));
        fs::write(&young, "half").unwrap();
        let file = fs::File::create(&old).unwrap();
        file.set_modified(SystemTime::now() - 2 * STALE).unwrap();
        store.tidy().unwrap();
        assert!(young.exists() && !old.exists());
        assert_eq!(store.read("a"), Found::Complete(outcome()));
        store.clear().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// Two campaigns may begin in one folder at once.
    #[test]
    fn what_another_program_removes_first_is_no_fault() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("old.partial"), "half").unwrap();
        let raced = std::cell::Cell::new(false);
        sweep(folder.path(), |_, path| {
            fs::remove_file(path).unwrap();
            raced.set(true);
            true
        })
        .unwrap();
        assert!(raced.get());
    }

    /// Every truncation and every flipped bit of a result is found.
    #[test]
    fn damage_is_found() {
        let bytes = encode("a", &outcome());
        assert_eq!(decode("a", &bytes), Some(outcome()));
        assert_eq!(decode("b", &bytes), None);
        for length in 0..bytes.len() {
            assert_eq!(decode("a", &bytes[..length]), None, "{length}");
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert_eq!(decode("a", &damaged), None, "{at} {bit}");
            }
        }
    }
}
