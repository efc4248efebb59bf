//! A pushover as written.

use drystone_keys::keys;

use crate::model::Joints;
use crate::pushover::Pattern;
use crate::statics::Multiplied;

keys! {
    /// A point whose displacement is followed.
    pub struct ControlSpec {
        /// Name of the block.
        block: String { required },
        /// Point [x, y, z] that the block carries, in the initial configuration.
        point: [f64; 3] { optional, unit: "m", otherwise: "its centroid" },
    }
}

keys! {
    /// How loads grow and fall with the displacement of the structure.
    ///
    /// Needs `direction`, `loads` or both.
    pub struct PushoverSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Direction [x, y, z] of a body force, of any length.
        direction: [f64; 3] { optional },
        /// How the body force is spread over blocks.
        pattern: Pattern { optional, default: Pattern::Weight },
        /// "live": the live loads grow.
        loads: Multiplied { optional },
        /// Point whose displacement is followed.
        control: ControlSpec { optional, otherwise: "the one that moves farthest" },
        /// Several points, of whose displacements the mean is taken; instead of `control`.
        controls: Vec<ControlSpec> { optional },
        /// Direction [x, y, z] along which displacements are measured.
        control_direction: [f64; 3] { optional, otherwise: "that of what grows" },
        /// Step of the displacement on the rigid branch.
        step: f64 { optional, unit: "m", above: 0.0, otherwise: "a hundredth of the smallest block" },
        /// Displacement at which to stop.
        max_displacement: f64 { optional, unit: "m", above: 0.0, otherwise: "where the multiplier is zero" },
        /// Elastic: the rising branch is found as well, by the stiffness of interfaces and ties.
        joints: Joints { optional, default: Joints::Rigid },
        /// Load increments of the rising branch.
        increments: u32 { optional, least: 2, most: 10000, default: 50 },
    }
}
