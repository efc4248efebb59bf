//! A single box, and the ground.

use drystone_geometry::DVec3;
use drystone_keys::keys;

use super::dimensions::Dimensions;
use super::{Misfit, Piece, Structure};

keys! {
    /// One block with edges along the axes. The origin is the centre of its underside; the block is named `block`.
    pub struct Cuboid {
        /// Lengths along x, y, z.
        size: [f64; 3] { required, unit: "m" },
    }
}

impl Structure for Cuboid {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let mut check = Dimensions::default();
        for (index, &length) in self.size.iter().enumerate() {
            check.positive(format!("size[{index}]"), length);
        }
        check.done()?;
        let [x, y, z] = self.size;
        let min = DVec3::new(-0.5 * x, -0.5 * y, 0.0);
        let max = DVec3::new(0.5 * x, 0.5 * y, z);
        Ok(vec![Piece::cuboid("block", min, max)])
    }
}

keys! {
    /// A support under everything, or under some structures: a slab whose top is at their lowest point. Its block is named
    /// `block`.
    pub struct Ground {
        /// Names of the structures, drawings or blocks that stand on it.
        below: Vec<String> { optional, otherwise: "everything else in the model" },
        /// Thickness of the slab.
        depth: f64 { optional, unit: "m", above: 0.0, default: 0.5 },
        /// How far it reaches beyond what stands on it.
        margin: f64 { optional, unit: "m", least: 0.0, default: 0.5 },
        /// Level of its top.
        level: f64 { optional, unit: "m", otherwise: "the lowest point of what stands on it" },
    }
}

impl Ground {
    /// The slab under things in a box (m).
    pub fn under(&self, min: DVec3, max: DVec3) -> Result<Piece, Vec<Misfit>> {
        let depth = self.depth();
        let margin = self.margin();
        let mut check = Dimensions::default();
        check.positive("depth", depth);
        check.not_negative("margin", margin);
        check.done()?;
        let top = self.level.unwrap_or(min.z);
        let low = DVec3::new(min.x - margin, min.y - margin, top - depth);
        let high = DVec3::new(max.x + margin, max.y + margin, top);
        Ok(Piece::cuboid("block", low, high).supported())
    }
}

/// Without anything on it the ground has no place; it is made by [`Ground::under`].
impl Structure for Ground {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        Ok(Vec::new())
    }
}
