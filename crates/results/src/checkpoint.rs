//! Saved progress: written whole or not at all, and recognised before it is trusted.
//!
//! Layout: the magic bytes, the version of this layout (u32, little endian), the length of the body (u64, little
//! endian), the SHA-256 of the body, the body. The body is a postcard encoding of what the checkpoint belongs to and then
//! the state. Floats keep all their bits, so that a resumed run goes on with the same bits.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use drystone_questions::answer::Identity;

use crate::{Error, write_atomic};

const MAGIC: [u8; 8] = *b"drystone";
const VERSION: u32 = 5;
const HEADER: usize = 8 + 4 + 8 + 32;

/// Saves the state of what has this identity.
pub fn save_checkpoint<S: Serialize>(
    path: &Path,
    identity: &Identity,
    state: &S,
) -> Result<(), Error> {
    let body = postcard::to_stdvec(&(identity, state)).map_err(|error| Error::Encode {
        path: path.to_owned(),
        message: error.to_string(),
    })?;
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&Sha256::digest(&body));
    bytes.extend_from_slice(&body);
    write_atomic(path, &bytes)
}

/// Loads the state that was saved for this identity.
pub fn load_checkpoint<S: DeserializeOwned>(path: &Path, identity: &Identity) -> Result<S, Error> {
    let bytes = fs::read(path).map_err(Error::file("read", path))?;
    let body = checked_body(path, &bytes)?;
    let undecodable = |_| {
        Error::damaged(
            path,
            "the checkpoint's content does not fit this version of the program",
        )
    };
    let (found, rest): (Identity, &[u8]) = postcard::take_from_bytes(body).map_err(undecodable)?;
    found
        .expect(identity)
        .map_err(|stranger| Error::mismatch(path, stranger))?;
    let (state, rest) = postcard::take_from_bytes(rest).map_err(undecodable)?;
    if !rest.is_empty() {
        return Err(Error::damaged(
            path,
            format!("the checkpoint has {} bytes too many", rest.len()),
        ));
    }
    Ok(state)
}

/// The body after checking everything around it.
fn checked_body<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a [u8], Error> {
    if bytes.get(..8) != Some(&MAGIC[..]) {
        return Err(Error::damaged(path, "not a checkpoint of this program"));
    }
    let cut_off = || Error::damaged(path, "the checkpoint is cut off");
    let header: &[u8; HEADER] = bytes.first_chunk().ok_or_else(cut_off)?;
    let version = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
    if version != VERSION {
        return Err(Error::damaged(
            path,
            format!("checkpoint of format {version}; this program reads format {VERSION}"),
        ));
    }
    let mut length = [0; 8];
    length.copy_from_slice(&header[12..20]);
    let body = &bytes[HEADER..];
    let length = u64::from_le_bytes(length);
    if (body.len() as u64) < length {
        return Err(cut_off());
    }
    if body.len() as u64 > length || Sha256::digest(body)[..] != header[20..HEADER] {
        return Err(Error::damaged(
            path,
            "the checkpoint is damaged: its checksum does not fit",
        ));
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct State {
        time: f64,
        poses: Vec<[f64; 3]>,
        note: Option<String>,
    }

    fn identity(sha256: &str, analysis: &str) -> Identity {
        Identity {
            program: drystone_questions::answer::program_version(),
            analysis: analysis.to_owned(),
            sha256: sha256.to_owned(),
        }
    }

    fn state() -> State {
        State {
            time: 0.1 + 0.2,
            poses: vec![[1.0 / 3.0, -0.0, f64::MIN_POSITIVE], [1e300, 2.0, 3.0]],
            note: Some("x".into()),
        }
    }

    #[test]
    fn comes_back_with_the_same_bits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        save_checkpoint(&path, &identity("abc", "shake"), &state()).unwrap();
        let loaded: State = load_checkpoint(&path, &identity("abc", "shake")).unwrap();
        assert_eq!(loaded, state());
        assert_eq!(loaded.poses[0][1].to_bits(), (-0.0_f64).to_bits());
    }

    #[test]
    fn belongs_to_one_analysis_of_one_model() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        save_checkpoint(&path, &identity("abc", "shake"), &state()).unwrap();
        let error = load_checkpoint::<State>(&path, &identity("abd", "shake"))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("another model") && error.contains("abd"),
            "{error}"
        );
        let error = load_checkpoint::<State>(&path, &identity("abc", "rest"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("another analysis"), "{error}");
    }

    #[test]
    fn belongs_to_one_revision_of_the_numerics() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        let before = drystone_questions::REVISION - 1;
        let owner = Identity {
            program: format!("{} revision {before}", env!("CARGO_PKG_VERSION")),
            ..identity("abc", "shake")
        };
        save_checkpoint(&path, &owner, &state()).unwrap();
        let error = load_checkpoint::<State>(&path, &identity("abc", "shake")).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("another version of the program"), "{error}");
    }

    #[test]
    fn any_damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        save_checkpoint(&path, &identity("abc", "shake"), &state()).unwrap();
        let good = fs::read(&path).unwrap();
        for length in 0..good.len() {
            fs::write(&path, &good[..length]).unwrap();
            let error = load_checkpoint::<State>(&path, &identity("abc", "shake")).unwrap_err();
            assert!(matches!(error, Error::Damaged { .. }), "cut at {length}");
        }
        for byte in 0..good.len() {
            let mut bad = good.clone();
            bad[byte] ^= 0x10;
            fs::write(&path, &bad).unwrap();
            assert!(
                load_checkpoint::<State>(&path, &identity("abc", "shake")).is_err(),
                "byte {byte} changed"
            );
        }
        let mut long = good;
        long.push(0);
        fs::write(&path, &long).unwrap();
        assert!(load_checkpoint::<State>(&path, &identity("abc", "shake")).is_err());
    }

    #[test]
    fn another_kind_of_state_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        save_checkpoint(&path, &identity("abc", "shake"), &(1.0_f64, 2.0_f64)).unwrap();
        assert!(load_checkpoint::<f64>(&path, &identity("abc", "shake")).is_err());
        assert!(load_checkpoint::<State>(&path, &identity("abc", "shake")).is_err());
    }
}
