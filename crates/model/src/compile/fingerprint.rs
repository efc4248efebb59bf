//! A hash of everything that an answer depends on.

use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::spec::ModelSpec;

/// SHA-256 of the model file, followed by the SHA-256 of each file it names, in the order of the model. A model that names no
/// file thus has the plain hash of its file.
pub(crate) struct Fingerprint(Sha256);

impl Fingerprint {
    pub fn of_text(text: &[u8]) -> Self {
        Self(Sha256::new_with_prefix(text))
    }

    /// A model without a file is hashed as the JSON it would be.
    pub fn of_spec(spec: &ModelSpec) -> Self {
        let mut hasher = Hasher(Sha256::new());
        // Neither the hasher nor the plain data of a model can fail to be written.
        let _ = serde_json::to_writer(&mut hasher, spec);
        Self(hasher.0)
    }

    /// Takes in a file that the model names.
    pub fn add_file(&mut self, path: &Path) -> io::Result<()> {
        let mut file = std::fs::File::open(path)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            hasher.update(&buffer[..count]);
        }
        self.0.update(hasher.finalize());
        Ok(())
    }

    /// Takes in a file that the model names and that has been read.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.0.update(Sha256::digest(bytes));
    }

    /// Lower-case hexadecimal.
    pub fn finish(self) -> String {
        self.0
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

struct Hasher(Sha256);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_without_other_files_has_the_hash_of_its_file() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Fingerprint::of_text(b"abc").finish(), known);
    }
}
