//! Settings of a pushover, compiled.

use drystone_geometry::DVec3;
use drystone_keys::words;

use crate::model::Joints;
use crate::statics::Growing;

words! {
    /// How a body force is spread over the blocks.
    pub enum Pattern = Weight {
        /// In proportion to their weights.
        Weight = "weight",
        /// In proportion to weight times height of the centroid above the lowest point of what can move; in all as large as the weight.
        Height = "height",
    }
}

/// A point of a block whose displacement is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ControlPoint {
    /// Index into [`crate::Model::blocks`].
    pub block: usize,
    /// The point minus the centroid in the initial configuration, m.
    pub arm: DVec3,
}

/// Settings of a pushover.
#[derive(Debug, Clone, PartialEq)]
pub struct Pushover {
    /// What is multiplied.
    pub growing: Growing,
    /// How the body force is spread.
    pub pattern: Pattern,
    /// The displacement is the mean over these; empty: that of the point that moves farthest.
    pub controls: Vec<ControlPoint>,
    /// Unit vector along which displacements are measured; absent: that of what grows.
    pub control_direction: Option<DVec3>,
    /// Step of the displacement on the rigid branch, m; absent: chosen by the size of the blocks.
    pub step: Option<f64>,
    /// Displacement at which to stop, m; absent: where the multiplier is zero.
    pub max_displacement: Option<f64>,
    /// Elastic: the rising branch is found too.
    pub joints: Joints,
    /// Load increments of the elastic branch, up to the multiplier of the rigid limit.
    pub increments: u32,
}
