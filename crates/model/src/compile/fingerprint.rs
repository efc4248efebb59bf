//! A hash of everything that an answer depends on.

use std::io::{self, Write};
use std::mem;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::asked::AnalysisSpec;
use crate::spec::{GeneralSpec, ModelSpec, MotionSpec};

/// A hash, as bytes.
type Digest256 = [u8; 32];

/// SHA-256 of the model file, followed by the SHA-256 of each file it names, in the order of the model. A model that names no
/// file thus has the plain hash of its file.
pub(crate) struct Fingerprint {
    whole: Sha256,
    /// The files alone, since they were asked for last.
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
        let digest = Sha256::digest(bytes);
        self.whole.update(digest);
        self.files.update(digest);
    }

    /// The hash of the files that were read since this was asked last.
    pub fn take_files(&mut self) -> Digest256 {
        mem::take(&mut self.files).finalize().into()
    }

    /// Lower-case hexadecimal.
    pub fn finish(self) -> String {
        hexadecimal(self.whole)
    }
}

/// What single analyses depend on, hashed: the model as written without its name and without analyses and motions that have no part in the answer,
/// and the content of the files that it names. The same in TOML and in JSON, and whatever else is asked of the model.
pub(crate) struct Dependence {
    /// What stands.
    structure: Sha256,
    /// What shakes it: the name of each motion, its keys and the files that it names.
    motions: Vec<(String, Digest256)>,
}

impl Dependence {
    /// Of the model before drawings and structures are made into blocks; motions follow.
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
            motion: _,
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
        Self {
            structure,
            motions: Vec::new(),
        }
    }

    /// Takes in the drawings, which have been read.
    pub fn add_drawings(&mut self, fingerprint: &mut Fingerprint) {
        self.structure.update(fingerprint.take_files());
    }

    /// Takes in a motion, whose records have been read.
    pub fn add_motion(&mut self, motion: &MotionSpec, fingerprint: &mut Fingerprint) {
        let mut hasher = taking_in(Sha256::new(), motion);
        hasher.update(fingerprint.take_files());
        let name = motion.name().to_owned();
        self.motions.push((name, hasher.finalize().into()));
    }

    /// The hash of what an analysis of a model depends on, lower-case hexadecimal.
    pub fn hash(&self, analysis: &AnalysisSpec, all: &[AnalysisSpec]) -> String {
        let motions = |one: &Option<String>, several: &Option<Vec<String>>| {
            let names = one.iter().chain(several.iter().flatten());
            let found = names.filter_map(|name| self.motions.iter().find(|(own, _)| own == name));
            found.map(|(_, digest)| *digest).collect()
        };
        let (shaken, others): (Vec<Digest256>, Vec<&AnalysisSpec>) = match analysis {
            AnalysisSpec::TimeHistory(asked) => (motions(&asked.motion, &asked.motions), vec![]),
            AnalysisSpec::Rocking(asked) => (motions(&asked.motion, &asked.motions), vec![]),
            AnalysisSpec::Equilibrium(_) | AnalysisSpec::Limit(_) | AnalysisSpec::Pushover(_) => {
                (vec![], vec![])
            }
            AnalysisSpec::Assessment(asked) => {
                let named = |name| all.iter().find(|other| other.name() == name);
                (
                    vec![],
                    asked
                        .pushover
                        .as_deref()
                        .and_then(named)
                        .into_iter()
                        .collect(),
                )
            }
            AnalysisSpec::Sweep(_)
            | AnalysisSpec::FailureDomain(_)
            | AnalysisSpec::Fragility(_) => (
                self.motions.iter().map(|(_, digest)| *digest).collect(),
                all.iter().collect(),
            ),
        };
        let mut start = self.structure.clone();
        shaken.iter().for_each(|digest| start.update(digest));
        hexadecimal(taking_in(start, &(analysis, others)))
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
