//! Round walls and solid cylinders.

use drystone_geometry::DVec3;
use drystone_keys::keys;

use super::dimensions::Dimensions;
use super::round::{RingBond, around, turn};
use super::{Misfit, Piece, Structure};

keys! {
    /// The wall of a round tower, about the axis z, on the ground at z = 0; several concentric rings thick if need be, or solid.
    ///
    /// In plan each ring is a polygon with corners on its circle; a side may have several blocks, whose ends point to the axis. So
    /// concentric rings touch along plane faces, whatever their numbers of blocks. Beds are level, so that in running bond every
    /// second course is turned by half a block of the outer ring; its outline then differs from that of its neighbours by the
    /// little that a polygon differs from its circle. If there are several rings, their boundaries are shifted by half a ring in
    /// every second course too: it begins and ends with half a ring, or has a wider block in the middle and ends with half a ring.
    ///
    /// Blocks are named `course2.block5`, from the ground and counter-clockwise from +x, of several rings
    /// `course2.ring1.block5`, from the inside; the block in the middle of a solid cylinder is `course2.core`.
    pub struct Cylinder {
        /// Inside, to the corners of the polygon, m; of a solid cylinder the radius of the block in the middle.
        radius: f64 { required, unit: "m", above: 0.0 },
        /// Of all rings together.
        thickness: f64 { required, unit: "m", above: 0.0 },
        /// Height.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Number of courses, equally high.
        courses: u32 { required, least: 1 },
        /// Blocks in a course of the outer ring; at least three.
        blocks: u32 { required, least: 3 },
        /// Sides of the polygon, of which the number of blocks is a multiple.
        sides: u32 { optional, least: 3, otherwise: "as many as blocks" },
        /// Concentric rings, equally thick.
        /// Inner ones have fewer blocks on a side, in proportion to their radius, but one at least.
        rings: u32 { optional, least: 1, default: 1 },
        /// Solid: each course has a block in the middle.
        core: bool { defaulted },
        /// How courses lie on each other.
        bond: RingBond { optional, default: RingBond::Running },
    }
}

impl Cylinder {
    fn check(&self) -> Result<(), Vec<Misfit>> {
        let mut check = Dimensions::default();
        check.positive("radius", self.radius);
        check.positive("thickness", self.thickness);
        check.positive("height", self.height);
        check.count("courses", self.courses, 1);
        let counted = check.count("blocks", self.blocks, 3);
        if let Some(rings) = self.rings {
            check.count("rings", rings, 1);
        }
        if let Some(sides) = self.sides
            && check.count("sides", sides, 3)
            && counted
            && !self.blocks.is_multiple_of(sides)
        {
            check.refuse(
                "blocks",
                format!("{} blocks on {sides} sides", self.blocks),
                "a multiple of the number of sides",
            );
        }
        let rings = self.rings().saturating_add(1);
        check.total("blocks", &[self.blocks, self.courses, rings]);
        check.done()
    }

    fn sides(&self) -> u32 {
        self.sides.unwrap_or(self.blocks)
    }

    /// Radii of the boundaries of rings in even or odd courses, from the inside.
    fn boundaries(&self, shifted: bool) -> Vec<f64> {
        let rings = self.rings();
        let at =
            |halves: u32| self.radius + self.thickness * (f64::from(halves) / f64::from(2 * rings));
        let whole = (u32::from(shifted)..=2 * rings).step_by(2).map(at);
        let mut radii: Vec<f64> = whole.collect();
        if shifted {
            if !self.core {
                radii.insert(0, self.radius);
            }
            radii.push(at(2 * rings));
        }
        radii
    }

    /// Blocks on a side of a ring between two radii.
    fn blocks_per_side(&self, radii: [f64; 2]) -> u32 {
        let width = self.thickness / f64::from(self.rings());
        let outer = 2.0 * (self.radius + self.thickness) - width;
        let most = f64::from(self.blocks / self.sides());
        ((most * (radii[0] + radii[1]) / outer).round() as u32).max(1)
    }
}

impl Structure for Cylinder {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        self.check()?;
        let sides = self.sides();
        let rings = self.rings();
        let halves = 2 * u64::from(self.blocks);
        let running = self.bond != Some(RingBond::Stack);
        let level = |course: u32| self.height * (f64::from(course) / f64::from(self.courses));
        let mut pieces = Vec::new();
        for course in 0..self.courses {
            let odd = running && course % 2 == 1;
            let shift = u64::from(odd);
            let boundaries = self.boundaries(odd && rings > 1);
            // In half blocks from +x.
            let corner = |side: u32| {
                let part = 2 * u64::from(side) * u64::from(self.blocks / sides) + shift;
                turn(part, halves)
            };
            let z = [level(course), level(course + 1)];
            let upright = |plan: &[[f64; 2]]| -> Vec<DVec3> {
                let at = |z: f64| plan.iter().map(move |&[x, y]| DVec3::new(x, y, z));
                at(z[0]).chain(at(z[1])).collect()
            };
            let name = format!("course{}", course + 1);
            if self.core {
                let corners = (0..sides).map(|side| around(corner(side), boundaries[0], 0.0));
                let plan: Vec<[f64; 2]> = corners.map(|p| [p.x, p.y]).collect();
                pieces.push(Piece::new(format!("{name}.core"), upright(&plan)));
            }
            for (ring, ends) in boundaries.windows(2).enumerate() {
                let radii = [ends[0], ends[1]];
                let per_side = self.blocks_per_side(radii);
                for side in 0..sides {
                    let [a, b] = [corner(side), corner(side + 1)];
                    let on_side = |joint: u32| match joint {
                        0 => a,
                        joint if joint == per_side => b,
                        joint => {
                            let f = f64::from(joint) / f64::from(per_side);
                            [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f]
                        }
                    };
                    for block in 0..per_side {
                        let ends = [on_side(block), on_side(block + 1)];
                        let scaled = |[x, y]: [f64; 2], r: f64| [r * x, r * y];
                        let plan = [
                            scaled(ends[0], radii[0]),
                            scaled(ends[0], radii[1]),
                            scaled(ends[1], radii[1]),
                            scaled(ends[1], radii[0]),
                        ];
                        let block = format!("block{}", side * per_side + block + 1);
                        let name = match rings {
                            1 => format!("{name}.{block}"),
                            _ => format!("{name}.ring{}.{block}", ring + 1),
                        };
                        pieces.push(Piece::new(name, upright(&plan)));
                    }
                }
            }
        }
        Ok(pieces)
    }
}
