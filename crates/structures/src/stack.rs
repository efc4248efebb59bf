//! Equal boxes on top of each other.

use drystone_geometry::DVec3;
use drystone_keys::keys;

use super::dimensions::Dimensions;
use super::{Misfit, Piece, Structure};

keys! {
    /// Equal boxes on top of each other. The origin is the centre of the lowest underside; blocks are named `block1` and so on,
    /// from the bottom.
    pub struct Stack {
        /// Number of blocks.
        count: u32 { required, least: 1 },
        /// Lengths of a block along x, y, z.
        block: [f64; 3] { required, unit: "m" },
    }
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
