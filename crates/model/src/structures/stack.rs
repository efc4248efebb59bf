//! Equal boxes on top of each other.

use drystone_geometry::DVec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dimensions::Dimensions;
use super::{Misfit, Piece, Structure};

/// Equal boxes on top of each other. The origin is the centre of the lowest underside; blocks are named `block1` and so on,
/// from the bottom.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Stack {
    /// Number of blocks.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Lengths of a block along x, y, z, m.
    pub block: [f64; 3],
}

impl Structure for Stack {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let mut checks = Dimensions::default();
        checks.count("count", self.count, 1);
        for length in self.block {
            checks.positive("block", length);
        }
        checks.done()?;
        let [x, y, z] = self.block;
        let piece = |level: u32| {
            // Both faces of a joint come from the same product, so that they coincide to the last bit.
            let [bottom, top] = [level, level + 1].map(|level| f64::from(level) * z);
            let min = DVec3::new(-0.5 * x, -0.5 * y, bottom);
            let max = DVec3::new(0.5 * x, 0.5 * y, top);
            Piece::cuboid(format!("block{}", level + 1), min, max)
        };
        Ok((0..self.count).map(piece).collect())
    }
}
