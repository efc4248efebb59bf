//! Materials and how they meet.

use std::collections::BTreeSet;

use super::check::Check;
use super::names::Names;
use crate::asked::AnalysisSpec;
use crate::decode::Broken;
use crate::fault::{Faults, Section, Trail};
use crate::model::{Interface, JointKind, Material};
use crate::spec::{InterfaceSpec, ModelSpec, PlacingSpec, WhichJoints};

/// Checks the materials.
pub(super) fn materials(spec: &ModelSpec, broken: &Broken, check: &mut Check<'_>) -> Vec<Material> {
    let mut materials = Vec::with_capacity(spec.material.len());
    for (item, material) in spec.material.iter().enumerate() {
        if !broken.has(Section::Material, item) {
            let trail = Trail::item(Section::Material, item, Some(&material.name));
            check.numbers(material, trail);
            if material.name == "*" {
                check.report(
                    trail.key("name"),
                    "\"*\" matches any material",
                    "choose another name",
                );
            }
        }
        materials.push(Material {
            name: material.name.clone(),
            density: material.density,
        });
    }
    materials
}

/// Reports materials that structures and drawings name and that do not exist: once each, however many blocks they have.
pub(super) fn chosen(spec: &ModelSpec, broken: &Broken, names: &Names<'_>, faults: &mut Faults) {
    let placed = |placing: &PlacingSpec, trail: Trail<'_>, faults: &mut Faults| {
        names.find(&placing.material, trail.key("material"), faults);
        let list = trail.key("set");
        for (index, set) in placing.set.iter().enumerate() {
            if let Some(material) = &set.material {
                names.find(material, list.index(index).key("material"), faults);
            }
        }
    };
    for (item, import) in spec.import.iter().enumerate() {
        if broken.has(Section::Import, item) {
            continue;
        }
        let trail = Trail::item(Section::Import, item, import.placing.name.as_deref());
        placed(&import.placing, trail, faults);
        let list = trail.key("layers");
        for (index, layer) in import.drawing.layers.iter().enumerate() {
            if let Some(material) = &layer.material {
                names.find(material, list.index(index).key("material"), faults);
            }
        }
    }
    for (item, generate) in spec.generate.iter().enumerate() {
        if !broken.has(Section::Generate, item) {
            let name = generate.placing.name.as_deref();
            let name = name.unwrap_or(generate.structure.kind());
            let trail = Trail::item(Section::Generate, item, Some(name));
            placed(&generate.placing, trail, faults);
        }
    }
}

/// Normal stiffness over shear stiffness where the model does not say: `2 (1 + nu)` with `nu = 0.2`, as for a layer of stone or
/// mortar (PGCL).
const NORMAL_OVER_SHEAR: f64 = 2.4;

/// An interface with its materials resolved; `None` is any material.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Law {
    /// Place in the file.
    pub item: usize,
    pub between: [Option<usize>; 2],
    pub joints: WhichJoints,
    pub interface: Interface,
}

impl Law {
    /// Whether it matches a pair of materials, in either order, in joints of a kind.
    pub fn fits(&self, a: usize, b: usize, kind: JointKind) -> bool {
        let side = |side: Option<usize>, material| side.is_none_or(|side| side == material);
        let [first, second] = self.between;
        let joints = match self.joints {
            WhichJoints::All => true,
            WhichJoints::Bed => kind == JointKind::Bed,
            WhichJoints::Head => kind == JointKind::Head,
        };
        joints && ((side(first, a) && side(second, b)) || (side(first, b) && side(second, a)))
    }

    /// Whether this holds wherever another one would.
    pub fn covers(&self, other: &Self) -> bool {
        let side = |mine: Option<usize>, its: Option<usize>| mine.is_none() || mine == its;
        let ([a, b], [c, d]) = (self.between, other.between);
        (self.joints == WhichJoints::All || self.joints == other.joints)
            && ((side(a, c) && side(b, d)) || (side(a, d) && side(b, c)))
    }
}

/// Checks the interfaces.
pub(super) fn laws(
    spec: &ModelSpec,
    broken: &Broken,
    names: &Names<'_>,
    check: &mut Check<'_>,
) -> Vec<Law> {
    let mut laws = Vec::with_capacity(spec.interface.len());
    for (item, interface) in spec.interface.iter().enumerate() {
        if broken.has(Section::Interface, item) {
            continue;
        }
        let trail = Trail::item(Section::Interface, item, None);
        check.numbers(interface, trail);
        strengths(interface, trail, check);
        let mut between = [None; 2];
        let mut known = true;
        let list = trail.key("between");
        for (side, name) in interface.between.iter().enumerate() {
            if name != "*" {
                between[side] = names.find(name, list.index(side), check.faults);
                known &= between[side].is_some();
            }
        }
        if known {
            let shear = interface.shear_stiffness;
            laws.push(Law {
                item,
                between,
                joints: interface.joints(),
                interface: Interface {
                    friction: interface.friction,
                    kinetic_friction: interface.kinetic_friction.unwrap_or(interface.friction),
                    cohesion: interface.cohesion(),
                    tensile_strength: interface.tensile_strength(),
                    normal_stiffness: interface.normal_stiffness,
                    shear_stiffness: shear
                        .or(interface.normal_stiffness.map(|k| k / NORMAL_OVER_SHEAR)),
                    compressive_strength: interface.compressive_strength,
                    subdivisions: interface.subdivisions(),
                },
            });
        }
    }
    never_hold(spec, &laws, check);
    laws
}

/// Keys of an interface that limit each other.
fn strengths(interface: &InterfaceSpec, trail: Trail<'_>, check: &mut Check<'_>) {
    let friction = interface.friction;
    if let Some(kinetic) = interface.kinetic_friction.filter(|&x| x > friction) {
        check.report(
            trail.key("kinetic_friction"),
            format!("{kinetic} is more than the friction of {friction}, with which the joint begins to slide"),
            "give at most `friction`",
        );
    }
    let (cohesion, tension) = (interface.cohesion(), interface.tensile_strength());
    // Both may come out of the same numbers, rounded.
    if tension > 0.0 && friction * tension > (1.0 + 1e-9) * cohesion.max(0.0) {
        check.report(
            trail.key("tensile_strength"),
            format!(
                "{tension} Pa is more than cohesion over friction, {} Pa, at which nothing is left of the shear strength",
                cohesion / friction
            ),
            &format!("give at most cohesion / friction, or a `cohesion` of at least {} Pa", friction * tension),
        );
    }
}

/// Laws that a later one replaces altogether: somebody wrote the general one last, or the same one twice. Those of bed or of head joints are
/// refused. Those of all joints are noted if the later one says something else: programs change a law by adding one.
fn never_hold(spec: &ModelSpec, laws: &[Law], check: &mut Check<'_>) {
    for (place, law) in laws.iter().enumerate() {
        let Some(later) = laws[place + 1..].iter().rfind(|later| later.covers(law)) else {
            continue;
        };
        let [a, b] = &spec.interface[law.item].between;
        let joints = match law.joints {
            WhichJoints::All => {
                if later.interface != law.interface {
                    let [c, d] = &spec.interface[later.item].between;
                    let right = match law.covers(later) {
                        true => "write it only once".to_owned(),
                        false => format!(
                            "write interface {} first, and this one after it",
                            later.item + 1
                        ),
                    };
                    check.notes.push(format!(
                        "interface {} (\"{a}\" with \"{b}\") never applies: the later interface {} (\"{c}\" with \"{d}\") overrides it, \
                         since the last one that matches holds; {right}",
                        law.item + 1,
                        later.item + 1
                    ));
                }
                continue;
            }
            WhichJoints::Bed => "bed",
            WhichJoints::Head => "head",
        };
        check.report(
            Trail::item(Section::Interface, law.item, None),
            format!(
                "\"{a}\" with \"{b}\" in {joints} joints never applies: the later interface {} overrides it",
                later.item + 1
            ),
            "the last one that matches holds: write the general one first, each exception after it, and each only once",
        );
    }
}

/// The last law that matches a pair of materials in either order.
fn law(laws: &[Law], a: usize, b: usize, kind: JointKind) -> Option<&Law> {
    laws.iter().rev().find(|law| law.fits(a, b, kind))
}

const KINDS: [JointKind; 2] = [JointKind::Bed, JointKind::Head];

/// Interface of a pair that can never touch.
const NEVER: Interface = Interface {
    friction: 0.0,
    kinetic_friction: 0.0,
    cohesion: 0.0,
    tensile_strength: 0.0,
    normal_stiffness: None,
    shear_stiffness: None,
    compressive_strength: None,
    subdivisions: 1,
};

/// The table of interfaces without asking whether it is complete.
pub(super) fn interfaces_or_none(laws: &[Law], count: usize) -> Vec<[Interface; 2]> {
    let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
    pairs
        .map(|(a, b)| KINDS.map(|kind| law(laws, a, b, kind).map_or(NEVER, |law| law.interface)))
        .collect()
}

/// The first analysis whose joints are elastic.
fn elastic_analysis(spec: &ModelSpec) -> Option<&str> {
    let mut analyses = spec.analysis.iter();
    analyses
        .find(|analysis| analysis.is_elastic())
        .map(AnalysisSpec::name)
}

/// The table of interfaces; reports pairs of materials that can touch and have none.
pub(super) fn interfaces(
    spec: &ModelSpec,
    laws: &[Law],
    names: &Names<'_>,
    broken: &Broken,
    check: &mut Check<'_>,
) -> Vec<[Interface; 2]> {
    let count = spec.material.len();
    // How many blocks of each material there are, and how many of them are free: supports do not press on each other.
    let (mut all, mut free) = (vec![0_usize; count], vec![0_usize; count]);
    for block in &spec.block {
        if let Some(material) = names.get(&block.material) {
            all[material] += 1;
            free[material] += usize::from(!block.support);
        }
    }
    let elastic = elastic_analysis(spec);
    let mut without_stiffness = BTreeSet::new();
    let complete = !broken.any(Section::Interface) && laws.len() == spec.interface.len();
    for a in 0..count {
        for b in a..count {
            let touch = if a == b {
                all[a] > 1 && free[a] > 0
            } else {
                all[a] > 0 && all[b] > 0 && free[a] + free[b] > 0
            };
            let found = KINDS.map(|kind| law(laws, a, b, kind));
            let (a_name, b_name) = (&spec.material[a].name, &spec.material[b].name);
            for law in found.into_iter().flatten() {
                let Some(analysis) = elastic.filter(|_| touch) else {
                    continue;
                };
                if law.interface.normal_stiffness.is_some() || !without_stiffness.insert(law.item) {
                    continue;
                }
                check.report(
                    Trail::item(Section::Interface, law.item, None),
                    format!("\"{a_name}\" meets \"{b_name}\" without `normal_stiffness`, which the elastic joints of the analysis \"{analysis}\" need"),
                    "add normal_stiffness in N/m³, per area of joint: between 1e9 for rubble and mortar and 1e11 for dressed stone",
                );
            }
            let (joints, only) = match found {
                _ if !touch || !complete => continue,
                [Some(_), Some(_)] => continue,
                [None, None] => ("", ""),
                [None, Some(_)] => (" in bed joints", ", joints = \"bed\""),
                [Some(_), None] => (" in head joints", ", joints = \"head\""),
            };
            check.report(
                Trail::item(Section::Material, a, Some(a_name)),
                format!("no interface says how \"{a_name}\" meets \"{b_name}\"{joints}"),
                &format!("add an [[interface]] with between = [\"{a_name}\", \"{b_name}\"]{only} and its friction; \"*\" is any material"),
            );
        }
    }
    interfaces_or_none(laws, count)
}
