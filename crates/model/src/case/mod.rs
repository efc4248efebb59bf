//! A model that questions can be put to: compiled, whole and sound.

mod findings;
mod hidden;
mod slips;
mod soundness;

use std::path::Path;

use drystone_keys::Format;
use drystone_shaking::Motion;

use crate::asked::Analysis;
use crate::compile::compile_in;
use crate::fault::Faults;
use crate::load::{compile_text, locate, read};
use crate::model::Model;
use crate::spec::ModelSpec;

pub use findings::{Findings, OverlapFinding, TieFinding};

/// A model that questions can be put to.
///
/// Whoever runs an analysis, from the command line, from Python, in a campaign or in a search for a critical value, needs a case, and there is no other way to one
/// than through the same checks: the file is read, records included; blocks do not fill the same space; and whatever is legal but probably not meant is in [`Case::notes`].
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    model: Model,
    notes: Vec<String>,
    idle: Vec<String>,
}

impl Case {
    /// Reads a model file; the extension says whether it is TOML or JSON.
    pub fn load(path: &Path) -> Result<Self, Faults> {
        let (text, format) = read(path)?;
        Self::of_text(&text, format, path)
    }

    /// The same from the text of a model file. `path` is for messages and for finding the files that the model names.
    pub fn of_text(text: &str, format: Format, path: &Path) -> Result<Self, Faults> {
        let model = compile_text(text, format, path)?;
        Self::of_model(model).map_err(|mut faults| {
            locate(text, format, &mut faults, path);
            faults
        })
    }

    /// The same from a model that was built in memory; files that it names are looked for from `folder`.
    pub fn of_spec(spec: &ModelSpec, folder: &Path) -> Result<Self, Faults> {
        Self::of_model(compile_in(spec, folder)?)
    }

    /// Checks a compiled model.
    pub fn of_model(model: Model) -> Result<Self, Faults> {
        let found = soundness::examine(&model);
        let (notes, idle) = (found.notes, found.idle);
        found.faults.or(Some(Self { model, notes, idle }))
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What somebody who reads the answers should know, a sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Those of the notes that say that a key has no effect in any analysis of the case: of a part of its analyses they may not be true.
    pub fn idle(&self) -> &[String] {
        &self.idle
    }

    /// An analysis by its name.
    pub fn analysis(&self, name: &str) -> Option<&Analysis> {
        let mut all = self.model.analyses.iter();
        all.find(|analysis| analysis.name == name)
    }

    /// The motions, to be scaled. That leaves the structure as it was checked.
    pub fn motions_mut(&mut self) -> &mut [Motion] {
        &mut self.model.motions
    }

    /// The analyses, to change what is asked. That leaves the structure as it was checked.
    pub fn analyses_mut(&mut self) -> &mut [Analysis] {
        &mut self.model.analyses
    }
}
