//! Interfaces that a later one for bed or for head joints replaces where its author may not expect it: as a whole, and not key by key.

use std::collections::BTreeSet;

use drystone_geometry::ContactSet;

use crate::compile::Law;
use crate::model::{JointKind, Model};
use crate::spec::WhichJoints;

/// What becomes of a law in the joints that it matches.
#[derive(Debug, Clone, Default)]
struct Fate {
    /// Joints in which it holds.
    used: usize,
    /// Joints in which a later one does, and those later ones.
    hidden: usize,
    by: BTreeSet<usize>,
}

/// A sentence for each law that no joint of the initial configuration uses, and for each later one that takes a strength away.
pub(super) fn hidden(model: &Model, contacts: &ContactSet, crushes: bool) -> Vec<String> {
    let laws = &model.laws;
    let fates = fates(model, contacts);
    let mut notes = Vec::new();
    for (place, (law, fate)) in laws.iter().zip(&fates).enumerate() {
        let later = || fate.by.iter().map(|&by| &laws[by]);
        // Of those that one later law covers altogether, compilation has spoken.
        if fate.hidden == 0 || later().all(|later| later.joints == WhichJoints::All) {
            continue;
        }
        if fate.used == 0 && !laws[place + 1..].iter().any(|later| later.covers(law)) {
            let keys: Vec<&str> = KEYS
                .iter()
                .filter(|(_, differ)| later().any(|later| differ(law, later)))
                .map(|(key, _)| *key)
                .collect();
            if !keys.is_empty() {
                let verb = if keys.len() == 1 { "holds" } else { "hold" };
                notes.push(format!(
                    "{} of interface {} ({}) {verb} in no joint: in all {} that it matches {} overrides it, as a whole; repeat there what should hold",
                    keys.join(" and "),
                    law.item + 1,
                    described(model, law),
                    fate.hidden,
                    listed(model, later())
                ));
            }
        } else if crushes && law.interface.compressive_strength.is_some() {
            let without: Vec<&Law> = later()
                .filter(|later| later.joints != WhichJoints::All)
                .filter(|later| later.interface.compressive_strength.is_none())
                .collect();
            if !without.is_empty() {
                notes.push(format!(
                    "compressive_strength of interface {} ({}) does not hold where {} overrides it, as a whole: joints there do not crush; repeat it there if they should",
                    law.item + 1,
                    described(model, law),
                    listed(model, without.into_iter())
                ));
            }
        }
    }
    notes
}

/// Keys of an interface, and whether two laws differ in one.
type Key = (&'static str, fn(&Law, &Law) -> bool);
const KEYS: [Key; 7] = [
    ("friction", |a, b| {
        a.interface.friction != b.interface.friction
    }),
    ("normal_stiffness", |a, b| {
        let of = |law: &Law| law.interface.normal_stiffness;
        of(a).is_some() && of(a) != of(b)
    }),
    ("shear_stiffness", |a, b| {
        let of = |law: &Law| law.interface.shear_stiffness;
        of(a).is_some() && of(a) != of(b)
    }),
    ("kinetic_friction", |a, b| {
        let slows = |law: &Law| law.interface.kinetic_friction / law.interface.friction;
        slows(a) < 1.0 && slows(a) != slows(b)
    }),
    ("cohesion", |a, b| {
        let of = |law: &Law| law.interface.cohesion;
        of(a) > 0.0 && of(a) != of(b)
    }),
    ("tensile_strength", |a, b| {
        let of = |law: &Law| law.interface.tensile_strength;
        of(a) > 0.0 && of(a) != of(b)
    }),
    ("compressive_strength", |a, b| {
        let of = |law: &Law| law.interface.compressive_strength;
        of(a).is_some() && of(a) != of(b)
    }),
];

/// Per law.
fn fates(model: &Model, contacts: &ContactSet) -> Vec<Fate> {
    let mut fates = vec![Fate::default(); model.laws.len()];
    for manifold in &contacts.manifolds {
        let blocks = [manifold.a, manifold.b].map(|block| &model.blocks[block as usize]);
        if blocks.iter().all(|block| block.support) {
            continue;
        }
        let kind = JointKind::of([manifold.normal; 2]);
        let [a, b] = blocks.map(|block| block.material);
        let fitting = model.laws.iter().enumerate();
        let fitting = fitting.filter(|(_, law)| law.fits(a, b, kind));
        let fitting: Vec<usize> = fitting.map(|(place, _)| place).collect();
        if let Some((&last, earlier)) = fitting.split_last() {
            fates[last].used += 1;
            for &place in earlier {
                fates[place].hidden += 1;
                fates[place].by.insert(last);
            }
        }
    }
    fates
}

/// The materials of a law and its joints.
fn described(model: &Model, law: &Law) -> String {
    let name = |side: Option<usize>| side.map_or("*", |side| model.materials[side].name.as_str());
    let [a, b] = law.between.map(name);
    let joints = match law.joints {
        WhichJoints::All => "",
        WhichJoints::Bed => " in bed joints",
        WhichJoints::Head => " in head joints",
    };
    format!("\"{a}\" with \"{b}\"{joints}")
}

fn listed<'m>(model: &Model, laws: impl Iterator<Item = &'m Law>) -> String {
    let words = laws.map(|law| format!("interface {} ({})", law.item + 1, described(model, law)));
    words.collect::<Vec<_>>().join(" or ")
}
