//! A hash of everything that an answer depends on.

use std::io::{self, Write};

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::asked::AnalysisSpec;
use crate::spec::{GeneralSpec, ModelSpec};

/// SHA-256 of the model file, followed by the SHA-256 of each file it names, in the order of the model. A model that names no
/// file thus has the plain hash of its file.
pub(crate) struct Fingerprint {
    whole: Sha256,
    /// The files alone.
    files: Sha256,
}

impl Fingerprint {
    pub fn of_text(text: &[u8]) -> Self {
        Self {
            whole: Sha256::new_with_prefix(text),
            files: Sha256::new(),
        }
    }

    /// A model without a file is hashed as the JSON it would be.
    pub fn of_spec(spec: &ModelSpec) -> Self {
        Self {
            whole: taking_in(Sha256::new(), spec),
            files: Sha256::new(),
        }
    }

    /// Takes in a file that the model names and that has been read.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.add_digest(&Sha256::digest(bytes));
    }

    fn add_digest(&mut self, digest: &[u8]) {
        self.whole.update(digest);
        self.files.update(digest);
    }

    /// Lower-case hexadecimal.
    pub fn finish(self) -> String {
        hexadecimal(self.whole)
    }
}

/// What single analyses depend on, hashed: the model as written without its name and without analyses that have no part in the answer, and the
/// content of the files that it names. The same in TOML and in JSON, and whatever else is asked of the model.
pub(crate) struct Dependence {
    /// What stands.
    structure: Sha256,
    /// The same with all motions.
    shaken: Sha256,
}

impl Dependence {
    /// Of the model before drawings and structures are made into blocks.
    pub fn of(spec: &ModelSpec) -> Self {
        // A section that is added has to be thought of here.
        let ModelSpec {
            model,
            material,
            interface,
            block,
            import,
            generate,
            load,
            tie,
            motion,
            analysis: _,
        } = spec;
        let GeneralSpec {
            name: _,
            gravity,
            plane,
            floating,
        } = model;
        let structure = taking_in(
            Sha256::new(),
            &(
                (gravity, plane, floating),
                (material, interface, block, import, generate, load, tie),
            ),
        );
        let shaken = taking_in(structure.clone(), motion);
        Self { structure, shaken }
    }

    /// Takes in the drawings, which have been read.
    pub fn add_drawings(&mut self, fingerprint: &Fingerprint) {
        let digest = fingerprint.files.clone().finalize();
        self.structure.update(digest);
    }

    /// Takes in the drawings and records, which have been read.
    pub fn add_records(&mut self, fingerprint: &Fingerprint) {
        let digest = fingerprint.files.clone().finalize();
        self.shaken.update(digest);
    }

    /// The hash of what an analysis of a model depends on, lower-case hexadecimal.
    pub fn hash(&self, analysis: &AnalysisSpec, all: &[AnalysisSpec]) -> String {
        let named = |name: &str| all.iter().find(|other| other.name() == name);
        let (start, others): (_, Vec<&AnalysisSpec>) = match analysis {
            AnalysisSpec::TimeHistory(_) | AnalysisSpec::Rocking(_) => (&self.shaken, Vec::new()),
            AnalysisSpec::Equilibrium(_) | AnalysisSpec::Limit(_) | AnalysisSpec::Pushover(_) => {
                (&self.structure, Vec::new())
            }
            AnalysisSpec::Assessment(assessment) => {
                let pushover = assessment.pushover.as_deref().and_then(named);
                (&self.structure, pushover.into_iter().collect())
            }
            AnalysisSpec::Sweep(_)
            | AnalysisSpec::FailureDomain(_)
            | AnalysisSpec::Fragility(_) => (&self.shaken, all.iter().collect()),
        };
        hexadecimal(taking_in(start.clone(), &(analysis, others)))
    }
}

fn taking_in(hasher: Sha256, value: &impl Serialize) -> Sha256 {
    let mut hasher = Hasher(hasher);
    // Neither the hasher nor the plain data of a model can fail to be written.
    let _ = serde_json::to_writer(&mut hasher, value);
    hasher.0
}

fn hexadecimal(hasher: Sha256) -> String {
    let digest = hasher.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
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
