//! Barrel vaults.

use drystone_keys::keys;

use crate::arch::{ArchShape, Curve, Springers};
use crate::dimensions::Dimensions;
use crate::{Misfit, Piece, Structure};

keys! {
    /// A barrel vault along y, from y = 0 to `length`: the curve of an arch across x, symmetric about x = 0, with its springing
    /// at z = 0. Its rows of blocks run along y in running bond: odd rows have whole blocks, even ones begin and end with half a
    /// block.
    ///
    /// Blocks are named `row1.block1` and so on, rows from the left, blocks from y = 0. Supports behind the lowest rows are
    /// `springer1` (left) and `springer2`, along the whole length. Groups: `vault`, `springer`.
    pub struct BarrelVault {
        /// The curve of the intrados.
        shape: ArchShape { optional, default: ArchShape::Circular },
        /// Clear span between the springing points of the intrados.
        span: f64 { optional, unit: "m", above: 0.0 },
        /// Height of the crown of the intrados above the springing.
        rise: f64 { optional, unit: "m", above: 0.0, otherwise: "half the span, of a circular vault" },
        /// Radius of the intrados, m: instead of the span of a circular vault, or instead of the rise of a pointed one.
        radius: f64 { optional, unit: "m", above: 0.0 },
        /// Angle between the two end joints, degrees: of a circular vault with a radius, default 180; of a flat one, default 60.
        angle_degrees: f64 { optional, unit: "degrees", most: 180.0 },
        /// From intrados to extrados.
        thickness: f64 { required, unit: "m", above: 0.0 },
        /// Number of rows of blocks between the springings.
        rows: u32 { required, least: 1 },
        /// Along y.
        length: f64 { required, unit: "m", above: 0.0 },
        /// Whole blocks in an odd row.
        blocks: u32 { required, least: 1 },
        /// What is behind the lowest rows.
        springers: Springers { optional, default: Springers::Support },
    }
}

impl Structure for BarrelVault {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let mut check = Dimensions::default();
        check.positive("length", self.length);
        check.count("rows", self.rows, 2);
        check.count("blocks", self.blocks, 1);
        check.total("blocks", &[self.rows, self.blocks]);
        let curve = Curve {
            shape: self.shape(),
            span: self.span,
            rise: self.rise,
            radius: self.radius,
            angle_degrees: self.angle_degrees,
            thickness: self.thickness,
            // Reported by the name that the key has here.
            voussoirs: self.rows.clamp(2, 1 << 20),
            rings: 1,
        };
        let profile = curve.profile(&mut check);
        check.done()?;
        let profile = profile.ok_or_else(Vec::new)?;
        let halves = 2 * u64::from(self.blocks);
        // Whole numbers of half blocks keep the joints of neighbouring rows in line exactly.
        let joint = |half: u64| self.length * (half as f64 / halves as f64);
        let mut pieces = Vec::new();
        for row in 0..self.rows {
            let polygon = profile.voussoir(row as usize, 0);
            let mut joints: Vec<u64> = (u64::from(row % 2)..=halves).step_by(2).collect();
            if row % 2 == 1 {
                joints.insert(0, 0);
                joints.push(halves);
            }
            for (index, ends) in joints.windows(2).enumerate() {
                let name = format!("row{}.block{}", row + 1, index + 1);
                let y = [joint(ends[0]), joint(ends[1])];
                pieces.push(Piece::prism(name, &polygon, y).grouped("vault"));
            }
        }
        if self.springers != Some(Springers::None) {
            for (index, polygon) in profile.springers(self.thickness).iter().enumerate() {
                let name = format!("springer{}", index + 1);
                let piece = Piece::prism(name, polygon, [0.0, self.length]).grouped("springer");
                pieces.push(piece.supported());
            }
        }
        Ok(pieces)
    }
}
