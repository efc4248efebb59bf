//! Model files to models.

use std::borrow::Cow;
use std::path::Path;

use drystone_keys::{Format, Source};

use crate::compile::{Fingerprint, blocks_only, compile_read};
use crate::decode::{decode, decode_tree};
use crate::fault::{Fault, Faults};
use crate::model::Model;
use crate::spec::ModelSpec;

/// Reads and compiles a model file; the extension says whether it is TOML or JSON.
pub fn load(path: &Path) -> Result<Model, Faults> {
    let (text, format) = read(path)?;
    compile_text(&text, format, path)
}

/// Reads a model file as written, without compiling it.
pub fn load_spec(path: &Path) -> Result<ModelSpec, Faults> {
    let (text, format) = read(path)?;
    spec_of(&text, format, Some(path))
}

/// Reads a model file as written, with its structures and drawings made into blocks. The model that it compiles to comes
/// with it: what does not compile is refused.
pub fn load_blocks(path: &Path) -> Result<(ModelSpec, Model), Faults> {
    let (text, format) = read(path)?;
    let model = compile_text(&text, format, path)?;
    let source = Source {
        text: without_mark(&text),
        format,
    };
    let mut faults = Faults::default();
    let (spec, broken) = decode(source, &mut faults);
    let folder = path.parent().unwrap_or(Path::new(""));
    let spec = blocks_only(spec, &broken, folder, &mut faults);
    faults.or(Some((spec, model)))
}

/// The model as written in a text.
pub fn parse(text: &str, format: Format) -> Result<ModelSpec, Faults> {
    spec_of(text, format, None)
}

/// The model as written, from a tree of JSON in memory.
pub fn from_tree(tree: &serde_json::Value) -> Result<ModelSpec, Faults> {
    let mut faults = Faults::default();
    let spec = decode_tree(tree, &mut faults);
    faults.or(Some(spec))
}

fn spec_of(text: &str, format: Format, path: Option<&Path>) -> Result<ModelSpec, Faults> {
    let source = Source {
        text: without_mark(text),
        format,
    };
    let mut faults = Faults::default();
    let (spec, _) = decode(source, &mut faults);
    source.locate(&mut faults, path);
    faults.or(Some(spec))
}

/// Compiles a model from TOML text; records are looked for from the current folder.
pub fn from_toml(text: &str) -> Result<Model, Faults> {
    compile_text(text, Format::Toml, Path::new("model.toml"))
}

/// Compiles a model from JSON text; records are looked for from the current folder.
pub fn from_json(text: &str) -> Result<Model, Faults> {
    compile_text(text, Format::Json, Path::new("model.json"))
}

/// Compiles the text of a model file. `path` is for messages and for finding the files that the model names; the file
/// itself is not read.
pub fn compile_text(text: &str, format: Format, path: &Path) -> Result<Model, Faults> {
    let fingerprint = Fingerprint::of_text(text.as_bytes());
    let source = Source {
        text: without_mark(text),
        format,
    };
    let mut faults = Faults::default();
    let (mut spec, broken) = decode(source, &mut faults);
    if spec.model.name.is_none() {
        spec.model.name = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let model = compile_read(Cow::Owned(spec), &broken, folder, fingerprint, &mut faults);
    source.locate(&mut faults, Some(path));
    faults.or(model)
}

/// Gives faults of a compiled text their lines.
pub(crate) fn locate(text: &str, format: Format, faults: &mut Faults, path: &Path) {
    let source = Source {
        text: without_mark(text),
        format,
    };
    source.locate(faults, Some(path));
}

/// Some editors put an invisible mark at the start of a file.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

pub(crate) fn read(path: &Path) -> Result<(String, Format), Faults> {
    let fault = |what: String| {
        let mut fault = Fault::new(what);
        fault.file = Some(path.to_path_buf());
        fault
    };
    let Some(format) = Format::of(path) else {
        // An extension is the lesser trouble of a file that is not there.
        if let Err(error) = std::fs::metadata(path) {
            return Err(fault(format!("the file cannot be read: {error}")).into());
        }
        let what = "the extension says neither TOML nor JSON".to_owned();
        return Err(fault(what).help("name the file .toml or .json").into());
    };
    let bytes =
        std::fs::read(path).map_err(|error| fault(format!("the file cannot be read: {error}")))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, format)),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..valid]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            let mut fault =
                fault("the file is not UTF-8 text".into()).help("save it with the encoding UTF-8");
            fault.line = Some(line);
            fault.column = Some(1);
            Err(fault.into())
        }
    }
}
