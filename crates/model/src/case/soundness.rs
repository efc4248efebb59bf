//! Whether a compiled model makes sense as a structure: blocks that fill the same space, blocks that nothing holds, keys without effect.

use drystone_geometry::{ContactSet, Detector, Manifold, Overlap, Pose, Solid, overlaps};

use super::hidden::hidden;
use super::slips::slips;
use crate::asked::{AnalysisKind, Joints, LimitDrive};
use crate::fault::{Fault, Faults, Section, Trail};
use crate::model::{Interface, Model};

/// Overlap, as a fraction of the smaller block's thickness, that is a mistake rather than the inaccuracy of a drawing.
const GROSS: f64 = 0.05;

/// Distance within which blocks touch, as a part of their thickness: the accuracy of drawings.
const TOUCHING: f64 = 1e-4;

/// What was found.
pub(super) struct Soundness {
    /// Why the model must not be run.
    pub faults: Faults,
    /// What its user should know.
    pub notes: Vec<String>,
    /// Those of them on keys that none of its analyses uses.
    pub idle: Vec<String>,
    /// Blocks that fill the same space, gross overlaps and small ones.
    pub overlaps: Vec<Overlap>,
    /// Where blocks touch at the start.
    pub contacts: ContactSet,
    /// Groups of free blocks that touch each other but no support.
    pub loose: Vec<Vec<usize>>,
}

/// Looks at a compiled model.
pub(super) fn examine(model: &Model) -> Soundness {
    let mut notes = model.notes.clone();
    let found = overlaps_that_matter(model);
    let (gross, small): (Vec<&Overlap>, Vec<&Overlap>) = found
        .iter()
        .partition(|overlap| overlap.depth > GROSS * thickness(model, overlap));
    let mut faults = Faults::default();
    for overlap in &gross {
        faults.push(refused(model, overlap));
    }
    if let Some(deepest) = small.iter().max_by(|a, b| a.depth.total_cmp(&b.depth)) {
        let (count, verb) = match small.len() {
            1 => ("1 pair".to_owned(), "overlaps"),
            count => (format!("{count} pairs"), "overlap"),
        };
        notes.push(format!(
            "{count} of blocks {verb} and will be pushed apart slowly{}; the deepest: {}",
            if has_elastic_joints(model) {
                ", but not by elastic joints, which begin compressed"
            } else {
                ""
            },
            described(model, deepest)
        ));
    }
    let contacts = touching(model);
    for fault in uncut(model, &contacts) {
        faults.push(fault);
    }
    let loose = loose(model, &contacts);
    notes.extend(without_support(model, &loose));
    notes.extend(hidden(model, &contacts, crushes(model)));
    let idle = without_effect(model);
    notes.extend(idle.iter().cloned());
    notes.extend(slips(model));
    Soundness {
        faults,
        notes,
        idle,
        overlaps: found,
        contacts,
        loose,
    }
}

fn thickness(model: &Model, overlap: &Overlap) -> f64 {
    let size = |i: u32| model.blocks[i as usize].shape.size();
    size(overlap.a).min(size(overlap.b))
}

fn name(model: &Model, block: u32) -> &str {
    &model.blocks[block as usize].name
}

fn place(overlap: &Overlap) -> String {
    let at = overlap.at;
    format!(
        "by {:.3e} m near ({:.3}, {:.3}, {:.3})",
        overlap.depth, at.x, at.y, at.z
    )
}

fn described(model: &Model, overlap: &Overlap) -> String {
    let [a, b] = [overlap.a, overlap.b].map(|block| name(model, block));
    format!("\"{a}\" and \"{b}\" overlap {}", place(overlap))
}

fn refused(model: &Model, overlap: &Overlap) -> Fault {
    let (section, item) = model.origins[overlap.b as usize];
    let trail = Trail::item(section, item, Some(name(model, overlap.b)));
    let what = format!(
        "overlaps block \"{}\" {}",
        name(model, overlap.a),
        place(overlap)
    );
    let mut fault = Fault::at(trail, what).help(format!(
        "blocks may overlap by at most {GROSS} of the smaller one's thickness; move them apart"
    ));
    // The line is that of the structure or drawing that it comes from; its name is its own.
    fault.path = format!("block \"{}\"", name(model, overlap.b));
    fault
}

/// Planes that cut no joint: there is no force over them.
fn uncut(model: &Model, contacts: &ContactSet) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (item, analysis) in model.analyses.iter().enumerate() {
        let cuts = match &analysis.kind {
            AnalysisKind::Equilibrium(settings) => &settings.cuts[..],
            AnalysisKind::Limit(settings) => &settings.cuts[..],
            _ => &[],
        };
        let trail = Trail::item(Section::Analysis, item, Some(&analysis.name));
        let list = trail.key("cuts");
        for (index, plane) in cuts.iter().enumerate() {
            let mut joints = contacts.manifolds.iter();
            let blocks = |m: &Manifold| [m.a, m.b].map(|i| &model.blocks[i as usize]);
            if !joints.any(|joint| plane.crosses(blocks(joint)).is_some()) {
                faults.push(
                    Fault::at(list.index(index), "the plane cuts no joint")
                        .help("it divides blocks by their centroids: choose `point` and `normal` such that touching blocks lie on both sides"),
                );
            }
        }
    }
    faults
}

/// Blocks that nothing holds, unless the model has no supports on purpose.
fn without_support(model: &Model, loose: &[Vec<usize>]) -> Option<String> {
    /// So many are named.
    const NAMED: usize = 5;
    if loose.is_empty() || !model.blocks.iter().any(|block| block.support) {
        return None;
    }
    let all: Vec<usize> = loose.iter().flatten().copied().collect();
    let names: Vec<String> = all
        .iter()
        .take(NAMED)
        .map(|&block| format!("\"{}\"", model.blocks[block].name))
        .collect();
    let more = match all.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (count, verb) = match all.len() {
        1 => ("1 block".to_owned(), "touches"),
        count => (format!("{count} blocks"), "touch"),
    };
    Some(format!(
        "{count} {verb} neither a support nor anything that rests on one: {}{more}",
        names.join(", ")
    ))
}

/// Keys that are written and do nothing.
fn without_effect(model: &Model) -> Vec<String> {
    let given =
        |value: fn(&Interface) -> Option<f64>| model.interfaces().any(|law| value(law).is_some());
    let mut notes = Vec::new();
    // A shear stiffness alone is as idle as both.
    let stiffness = given(|law| law.normal_stiffness.or(law.shear_stiffness));
    if stiffness && !has_elastic_joints(model) {
        notes.push(
            "normal_stiffness and shear_stiffness have no effect: joints are rigid unless an analysis says joints = \"elastic\"".to_owned(),
        );
    }
    if given(|law| law.compressive_strength) && !crushes(model) {
        notes.push(
            "compressive_strength has no effect: joints crush in equilibrium and limit analyses and pushovers, not in time histories".to_owned(),
        );
    }
    if model.interfaces().any(Interface::is_bonded) && !asks(model, AnalysisKind::bonds) {
        notes.push(
            "cohesion and tensile_strength have no effect: mortar is treated in equilibrium and limit analyses and, as far as it carries tension, in time histories".to_owned(),
        );
    }
    if model.interfaces().any(slides_easier) && !moves(model) {
        notes
            .push("kinetic_friction has no effect: joints slide in time histories only".to_owned());
    }
    let live = model.loads.iter().any(|load| load.live);
    if live && !model.analyses.is_empty() && !multiplies_live_loads(model) {
        notes.push(
            "the live loads act in no analysis: statics leave them out unless they say loads = \"live\", and an equilibrium unless it has a `multiplier`".to_owned(),
        );
    }
    notes
}

fn asks(model: &Model, what: fn(&AnalysisKind) -> bool) -> bool {
    let mut kinds = model.analyses.iter().map(|analysis| &analysis.kind);
    kinds.any(what)
}

fn moves(model: &Model) -> bool {
    asks(model, |kind| matches!(kind, AnalysisKind::TimeHistory(_)))
}

fn slides_easier(law: &Interface) -> bool {
    law.kinetic_friction < law.friction
}

/// Whether live loads act in some analysis.
fn multiplies_live_loads(model: &Model) -> bool {
    let mut kinds = model.analyses.iter().map(|analysis| &analysis.kind);
    kinds.any(|kind| match kind {
        AnalysisKind::TimeHistory(_) => true,
        AnalysisKind::Equilibrium(settings) => settings.growing.live && settings.multiplier != 0.0,
        AnalysisKind::Limit(settings) => match &settings.drive {
            LimitDrive::Loads(growing) => growing.live,
            LimitDrive::Tilt(_) | LimitDrive::Directions(_) | LimitDrive::Settlement { .. } => {
                false
            }
        },
        AnalysisKind::Pushover(settings) => settings.growing.live,
        AnalysisKind::Rocking(_) | AnalysisKind::Assessment(_) | AnalysisKind::Campaign(_) => false,
    })
}

fn has_elastic_joints(model: &Model) -> bool {
    let mut kinds = model.analyses.iter().map(|analysis| &analysis.kind);
    kinds.any(|kind| kind.joints() == Some(Joints::Elastic))
}

/// Whether some analysis treats crushing.
fn crushes(model: &Model) -> bool {
    let mut analyses = model.analyses.iter();
    analyses.any(|analysis| analysis.kind.crushes())
}

/// Overlaps in the initial configuration, but for those between two supports, which do not matter.
fn overlaps_that_matter(model: &Model) -> Vec<Overlap> {
    let (shapes, poses) = initial_configuration(model);
    let support = |i: u32| model.blocks[i as usize].support;
    overlaps(&shapes, &poses)
        .into_iter()
        .filter(|overlap| !(support(overlap.a) && support(overlap.b)))
        .collect()
}

/// Where blocks touch at the start.
fn touching(model: &Model) -> ContactSet {
    let (shapes, poses) = initial_configuration(model);
    let supports = model.blocks.iter().map(|block| block.support).collect();
    let margins: Vec<f64> = shapes
        .iter()
        .map(|shape| 0.5 * TOUCHING * shape.size())
        .collect();
    Detector::new(shapes, supports)
        .detect(&poses, &margins)
        .clone()
}

/// Shapes and poses of all blocks at the start.
fn initial_configuration(model: &Model) -> (Vec<Solid>, Vec<Pose>) {
    let blocks = model.blocks.iter();
    blocks
        .map(|block| (block.shape.clone(), Pose::at(block.position)))
        .unzip()
}

/// Groups of blocks that touch one another, none of which touches a support or is one; by index.
fn loose(model: &Model, contacts: &ContactSet) -> Vec<Vec<usize>> {
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    let count = model.blocks.len();
    let mut parent: Vec<usize> = (0..count).collect();
    for manifold in &contacts.manifolds {
        let a = root(&mut parent, manifold.a as usize);
        let b = root(&mut parent, manifold.b as usize);
        parent[a.max(b)] = a.min(b);
    }
    let mut held = vec![false; count];
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (i, block) in model.blocks.iter().enumerate() {
        let group = root(&mut parent, i);
        held[group] |= block.support;
        members[group].push(i);
    }
    let groups = members.into_iter().zip(held);
    groups
        .filter(|(group, held)| !held && !group.is_empty())
        .map(|(group, _)| group)
        .collect()
}
