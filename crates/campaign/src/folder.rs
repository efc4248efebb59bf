//! The folder of a campaign: all that it needs to go on, on any machine that sees it.

use std::fs;
use std::path::{Path, PathBuf};

use drystone_model::{
    AnalysisKind, Campaign, Case, Format, Model, ModelSpec, MotionSpec, VarySpec, VaryValue,
    compile_in, parse,
};
use drystone_results::{write_json_shared, write_shared};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::plan::Plan;
use crate::store::{Store, tidy};
use crate::task::hexadecimal;

const FORMAT: &str = "drystone campaign 1";

/// What `campaign.json` says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Card {
    format: String,
    analysis: String,
    model: String,
    model_sha256: String,
    /// What somebody who reads the answers should know of the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// A campaign in its folder.
///
/// `model.json` is the model as written, with the files that it names copied to `files/`, into folders named by the hash of their content:
/// two models with the same text are the same model.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    card: Card,
    /// The runs.
    pub plan: Plan,
    /// Their results.
    pub store: Store,
    /// The model, compiled.
    pub model: Model,
}

impl Folder {
    /// Makes the folder of a campaign, or brings one that is there up to date with a model that has changed: results that are still valid
    /// stay.
    pub fn create(path: &Path, model_file: &Path, analysis: &str) -> Result<Self, Error> {
        let case = Case::load(model_file)?;
        let spec = drystone_model::load_spec(model_file)?;
        Self::prepare(path, &case, spec, model_file, analysis)
    }

    /// The same from the text of a model file, which need not be there; `model_file` says where the files that it names are looked for.
    pub fn create_from_text(
        path: &Path,
        text: &str,
        format: Format,
        model_file: &Path,
        analysis: &str,
    ) -> Result<Self, Error> {
        let case = Case::of_text(text, format, model_file)?;
        let spec = parse(text, format)?;
        Self::prepare(path, &case, spec, model_file, analysis)
    }

    fn prepare(
        path: &Path,
        case: &Case,
        mut spec: ModelSpec,
        model_file: &Path,
        analysis: &str,
    ) -> Result<Self, Error> {
        let model = case.model();
        campaign(model, analysis)?;
        fs::create_dir_all(path).map_err(Error::file("create", path))?;
        let from = model_file.parent().unwrap_or(Path::new(""));
        copy_files(&mut spec, from, path)?;
        let card = Card {
            format: FORMAT.to_owned(),
            analysis: analysis.to_owned(),
            model: model.name.clone(),
            model_sha256: model.sha256.clone(),
            notes: case.notes().to_vec(),
        };
        write_json_shared(&path.join("model.json"), &spec)?;
        write_json_shared(&path.join("campaign.json"), &card)?;
        Self::open(path)
    }

    /// Opens a folder that is there.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = path.join("campaign.json");
        let text = fs::read_to_string(&file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::folder(
                path,
                "this is not the folder of a campaign: it has no campaign.json; `drystone campaign MODEL` makes one",
            ),
            _ => Error::file("read", &file)(error),
        })?;
        let card: Card = serde_json::from_str(&text)
            .map_err(|error| Error::folder(&file, format!("not a campaign: {error}")))?;
        if card.format != FORMAT {
            return Err(Error::folder(
                &file,
                format!("it says \"{}\", but must say \"{FORMAT}\"", card.format),
            ));
        }
        let file = path.join("model.json");
        let text = fs::read_to_string(&file).map_err(Error::file("read", &file))?;
        let spec = parse(&text, Format::Json)
            .map_err(|faults| Error::folder(&file, format!("not a model: {}", faults.first())))?;
        let mut model = compile_in(&spec, path)?;
        model.name.clone_from(&card.model);
        let plan = Plan::new(&spec, campaign(&model, &card.analysis)?)?;
        Ok(Self {
            store: Store::open(&path.join("runs"))?,
            path: path.to_owned(),
            card,
            plan,
            model,
        })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Name of the campaign.
    pub fn analysis(&self) -> &str {
        &self.card.analysis
    }

    /// Hash of the model file and of the files it names.
    pub fn model_sha256(&self) -> &str {
        &self.card.model_sha256
    }

    /// What somebody who reads the answers should know of the model, a sentence each.
    pub fn notes(&self) -> &[String] {
        &self.card.notes
    }

    /// Removes what killed programs left half-written.
    pub fn tidy(&self) -> Result<(), Error> {
        tidy(&self.path)?;
        self.store.tidy()
    }

    /// Whether a folder is that of a campaign.
    pub fn is_one(path: &Path) -> bool {
        path.join("campaign.json").exists()
    }
}

fn campaign<'m>(model: &'m Model, analysis: &str) -> Result<&'m Campaign, Error> {
    let found = model.analyses.iter().find_map(|item| match &item.kind {
        AnalysisKind::Campaign(campaign) if item.name == analysis => Some(campaign),
        _ => None,
    });
    found.ok_or_else(|| {
        Error::Input(format!(
            "the model has no sweep, failure_domain or fragility named \"{analysis}\""
        ))
    })
}

/// Copies the files that a model names, and names the copies instead.
fn copy_files(spec: &mut ModelSpec, from: &Path, to: &Path) -> Result<(), Error> {
    let copy = |path: &mut String| -> Result<(), Error> {
        let source = from.join(&*path);
        let bytes = fs::read(&source).map_err(Error::file("read", &source))?;
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let hash = hexadecimal(&Sha256::digest(&bytes)[..12]);
        let folder = to.join("files").join(&hash);
        let target = folder.join(&*name);
        let same = fs::read(&target).is_ok_and(|there| there == bytes);
        if !same {
            fs::create_dir_all(&folder).map_err(Error::file("create", &folder))?;
            write_shared(&target, &bytes)?;
        }
        *path = format!("files/{hash}/{name}");
        Ok(())
    };
    for import in &mut spec.import {
        copy(&mut import.drawing.path)?;
    }
    for motion in &mut spec.motion {
        if let MotionSpec::Record(record) = motion {
            let parts = record.components.iter_mut().map(|part| &mut part.path);
            for path in record.path.iter_mut().chain(parts) {
                copy(path)?;
            }
        }
    }
    for varied in spec.analysis.iter_mut().flat_map(varied) {
        if varied.key.ends_with(".path") {
            for value in varied.values.iter_mut().flatten() {
                if let VaryValue::Text(path) = value {
                    copy(path)?;
                }
            }
        }
    }
    Ok(())
}

fn varied(analysis: &mut drystone_model::AnalysisSpec) -> Vec<&mut VarySpec> {
    use drystone_model::AnalysisSpec as Spec;
    match analysis {
        Spec::Sweep(sweep) => sweep.vary.iter_mut().collect(),
        Spec::FailureDomain(domain) => {
            let plane = [&mut domain.x, &mut domain.y];
            plane.into_iter().chain(&mut domain.vary).collect()
        }
        Spec::Fragility(fragility) => fragility.vary.iter_mut().collect(),
        _ => Vec::new(),
    }
}
