//! The keys of ties and of questions of statics.

use super::Element;
use super::table::{Decode, Keys, Table, table};
use crate::fault::{Faults, Trail};
use crate::spec::{EquilibriumSpec, GivingWaySpec, LimitSpec, ThrustLineSpec, TieSpec};
use drystone_keys::Node;

table!(EquilibriumSpec {
    name: required,
    multiplier: optional,
    direction: optional,
    loads: optional,
    joints: optional,
    thrust_line: optional,
    tolerance: optional,
} besides "kind");

table!(LimitSpec {
    name: required,
    direction: optional,
    loads: optional,
    tilt: optional,
    directions: optional,
    settlement: optional,
    friction_law: optional,
    thrust_line: optional,
    tolerance: optional,
} besides "kind");

table!(ThrustLineSpec {
    from: required,
    to: required,
});

table!(GivingWaySpec {
    supports: required,
    displacement: required,
});

/// By hand, because `yield` is a word of the language.
impl Keys for TieSpec {
    const KEYS: &'static [&'static str] = &[
        "name",
        "blocks",
        "points",
        "stiffness",
        "yield",
        "max_elongation",
        "initial_force",
    ];

    fn read(table: &mut Table<'_, '_>) -> Self {
        Self {
            name: table.optional("name"),
            blocks: table.required("blocks"),
            points: table.required("points"),
            stiffness: table.required("stiffness"),
            yield_force: table.required("yield"),
            max_elongation: table.optional("max_elongation"),
            initial_force: table.optional("initial_force"),
        }
    }
}

impl Decode for TieSpec {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        let mut table = Table::open(node, Self::KEYS, trail, faults)?;
        Some(Self::read(&mut table))
    }
}

impl Element for TieSpec {
    fn named(name: &str) -> Self {
        let name = (!name.is_empty()).then(|| name.into());
        Self {
            name,
            ..Self::default()
        }
    }
}
