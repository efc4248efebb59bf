//! The model as written to the immutable model: every value checked, every name resolved, masses computed. All faults are
//! reported together.

mod blocks;
mod check;
mod drawings;
mod expand;
mod fingerprint;
mod loads;
mod materials;
mod motions;
mod names;
mod records;
mod synthetic;
mod ties;

use std::borrow::Cow;
use std::path::Path;

use crate::asked::{self, AnalysisSpec};
use crate::decode::Broken;
use crate::fault::{Fault, Faults, Section, Trail};
use crate::model::{Block, Model};
use crate::spec::{ModelSpec, Plane};

pub(crate) use check::{Check, SHAKING};
pub(crate) use fingerprint::{Dependence, Fingerprint};
pub(crate) use loads::arm;
pub(crate) use materials::Law;
pub(crate) use names::Names;
pub(crate) use synthetic::{foreign, shape};

/// Compiles a model that was built in memory; records are looked for from the current folder.
pub fn compile(spec: &ModelSpec) -> Result<Model, Faults> {
    compile_in(spec, Path::new(""))
}

/// Compiles a model that was built in memory; records are looked for from `folder`.
pub fn compile_in(spec: &ModelSpec, folder: &Path) -> Result<Model, Faults> {
    let mut faults = Faults::default();
    let fingerprint = Fingerprint::of_spec(spec);
    let model = compile_read(
        Cow::Borrowed(spec),
        &Broken::default(),
        folder,
        fingerprint,
        &mut faults,
    );
    faults.or(model)
}

/// Compiles a model of which some items may not have been readable. Nothing only if there are faults.
pub(crate) fn compile_read(
    spec: Cow<'_, ModelSpec>,
    broken: &Broken,
    folder: &Path,
    mut fingerprint: Fingerprint,
    faults: &mut Faults,
) -> Option<Model> {
    let spec = asked::with_units(spec);
    asked::varied_keys(&spec, broken, faults);
    let mut dependence = Dependence::of(&spec);
    let expanded = expand::expand(spec, broken, folder, &mut fingerprint, faults);
    dependence.add_drawings(&mut fingerprint);
    let spec = &*expanded.spec;
    let mut check = Check {
        faults,
        plane: spec.model.plane,
        notes: Vec::new(),
    };
    check.numbers(&spec.model, Trail::table(Section::Model));
    let gravity = spec.model.gravity();

    let material_names = Names::collect(
        Section::Material,
        spec.material.iter().map(|material| material.name.as_str()),
        broken,
        check.faults,
    );
    let materials = materials::materials(spec, broken, &mut check);
    materials::chosen(spec, broken, &material_names, check.faults);
    let laws = materials::laws(spec, broken, &material_names, &mut check);

    let labels = blocks::labels(spec);
    let mut block_names = Names::collect_from(
        Section::Block,
        labels.iter().map(String::as_str),
        &|item| expanded.origin(item),
        broken,
        check.faults,
    );
    if expanded.incomplete {
        block_names.doubt();
    }
    let blocks = blocks::blocks(&expanded, broken, &labels, &material_names, &mut check);
    let structural = needs_structure(spec);
    let interfaces = if structural {
        structure(spec, broken, expanded.incomplete, &mut check);
        materials::interfaces(spec, &laws, &material_names, broken, &mut check)
    } else {
        materials::interfaces_or_none(&laws, spec.material.len())
    };

    let loads = loads::loads(spec, broken, &block_names, &blocks, &mut check);
    let ties = ties::ties(spec, broken, &block_names, &blocks, &mut check);
    let motion_names = Names::collect(
        Section::Motion,
        spec.motion.iter().map(|motion| motion.name()),
        broken,
        check.faults,
    );
    let mut reading = records::Reading {
        folder,
        fingerprint: &mut fingerprint,
        dependence: &mut dependence,
        notes: Vec::new(),
    };
    let motions = motions::motions(
        spec,
        broken,
        &block_names,
        &blocks,
        &mut reading,
        &mut check,
    );
    let of_records = reading.notes;
    let known = asked::Known {
        model: spec,
        block_names: &block_names,
        motion_names: &motion_names,
        blocks: &blocks,
        gravity,
    };
    let analyses = asked::analyses(broken, &known, &dependence, &mut check);

    if !check.faults.is_empty() {
        return None;
    }
    let origins = (0..labels.len()).map(|item| expanded.origin(item));
    let origins = origins.collect();
    let mut notes = expanded.notes;
    notes.append(&mut check.notes);
    notes.extend(synthetic::shortened(spec, &motions));
    notes.extend(of_records);
    Some(Model {
        name: spec.model.name.clone().unwrap_or_else(|| "model".into()),
        gravity,
        free: degrees_of_freedom(spec.model.plane),
        materials,
        interfaces,
        laws,
        blocks: blocks.into_iter().collect::<Option<Vec<Block>>>()?,
        loads,
        ties,
        motions,
        analyses,
        sha256: fingerprint.finish(),
        notes,
        origins,
    })
}

/// The model as written with its structures and drawings made into blocks, all of which have names.
pub(crate) fn blocks_only(
    spec: ModelSpec,
    broken: &Broken,
    folder: &Path,
    faults: &mut Faults,
) -> ModelSpec {
    let mut fingerprint = Fingerprint::of_text(&[]);
    let expanded = expand::expand(Cow::Owned(spec), broken, folder, &mut fingerprint, faults);
    let mut spec = expanded.spec.into_owned();
    let labels = blocks::labels(&spec);
    for (block, label) in spec.block.iter_mut().zip(labels) {
        block.name = Some(label);
    }
    spec.import.clear();
    spec.generate.clear();
    spec
}

/// Three translations, then three rotations.
fn degrees_of_freedom(plane: Option<Plane>) -> [bool; 6] {
    match plane {
        None => [true; 6],
        Some(Plane::Xz) => [true, false, true, false, true, false],
        Some(Plane::Yz) => [false, true, true, true, false, false],
    }
}

/// Rocking analyses may state their block by two numbers, assessments their capacity, and a file may have nothing but motions, to be
/// looked at; everything else is about a structure.
fn needs_structure(spec: &ModelSpec) -> bool {
    // A campaign is about whatever the analysis is about that it repeats.
    let by_numbers = |analysis: &AnalysisSpec| match analysis {
        AnalysisSpec::Rocking(_) => true,
        AnalysisSpec::Assessment(assessment) => assessment.capacity.is_some(),
        other => other.is_campaign(),
    };
    if spec.analysis.is_empty() && spec.material.is_empty() && spec.block.is_empty() {
        return spec.motion.is_empty();
    }
    spec.analysis.is_empty() || !spec.analysis.iter().all(by_numbers)
}

/// There are blocks, some are held, and some can move.
fn structure(spec: &ModelSpec, broken: &Broken, incomplete: bool, check: &mut Check<'_>) {
    // A block that could not be read may be the support.
    if incomplete || broken.any(Section::Block) {
        return;
    }
    let supports = spec.block.iter().filter(|block| block.support).count();
    if spec.block.is_empty() {
        check.faults.push(
            Fault::new("the model has no blocks")
                .help("add [[block]], [[generate]] or [[import]] tables"),
        );
    } else if supports == 0 && !spec.model.floating {
        check.faults.push(
            Fault::at(Trail::table(Section::Model), "no block is a support, so nothing holds the structure").help(
                "write `support = true` in the blocks that stand for the ground, or `floating = true` under [model] \
                 if it is meant to fly",
            ),
        );
    } else if supports == spec.block.len() && !spec.analysis.is_empty() {
        check.faults.push(
            Fault::at(
                Trail::table(Section::Model),
                "every block is a support, so nothing can move",
            )
            .help("leave `support = true` out of the blocks that are free"),
        );
    }
}
