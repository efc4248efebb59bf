//! Cross vaults: two barrels that meet in groins.

use drystone_geometry::DVec3;
use drystone_keys::keys;

use crate::arch::{ArchShape, Curve, Profile, Springers};
use crate::dimensions::Dimensions;
use crate::{Misfit, Piece, Structure};

keys! {
    /// A groin vault over a square bay, centred on the axis z, with its springing at z = 0, or on `piers` that stand at z = 0.
    ///
    /// Two equal barrels along x and y cross. Each of the four webs is a part of one of them, cut off by the upright planes
    /// through the diagonals, so that blocks of neighbouring webs meet there in plane mitred joints and every block is convex. A
    /// square keystone closes the crown; springers stand in the corners. The webs reach `bearing` beyond the back of the
    /// springings.
    ///
    /// Rows run from the groins to the edges of the bay, with joints in running bond counted from the edge; a joint that would
    /// leave a piece shorter than `min_block_length` at a groin is left out. Blocks are named `web1.row3.block2`: webs from the one
    /// towards -y counter-clockwise seen from above, rows from left to right seen from the middle (web 1: from -x to +x), blocks from the edge;
    /// and `keystone`, `springer1` to `springer4` from the corner (-x, -y) counter-clockwise, `pier1.course2`. Groups: `web`,
    /// `keystone`, `springer`, `pier`.
    pub struct CrossVault {
        /// The curve of the intrados, `circular`, `pointed` or `elliptical`.
        /// Keystones of pointed vaults are flat above and below.
        shape: ArchShape { optional, default: ArchShape::Circular },
        /// Clear span of each barrel.
        span: f64 { required, unit: "m", above: 0.0 },
        /// Height of the crown of the intrados above the springing.
        rise: f64 { optional, unit: "m", above: 0.0, otherwise: "half the span, of a circular vault" },
        /// From intrados to extrados.
        thickness: f64 { required, unit: "m", above: 0.0 },
        /// Number of rows of blocks in each barrel; odd.
        rows: u32 { required, least: 3 },
        /// Length of a whole block.
        block_length: f64 { required, unit: "m", above: 0.0 },
        /// Length below which a piece at a groin is joined to its neighbour, m, measured along its shortest edge.
        min_block_length: f64 { optional, unit: "m", least: 0.0, otherwise: "half a block" },
        /// How far webs and springers reach beyond the back of the springings.
        bearing: f64 { optional, unit: "m", above: 0.0, otherwise: "the thickness" },
        /// What stands in the corners.
        /// With `none` the webs stand on something else.
        springers: Springers { optional, default: Springers::Support },
        /// Square piers under the springers, which are then free blocks.
        piers: CornerPiers { optional, otherwise: "none" },
    }
}

keys! {
    /// Square piers of one block in each course.
    pub struct CornerPiers {
        /// From the ground to the undersides of the springers.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Number of courses, equally high.
        courses: u32 { required, least: 1 },
    }
}

/// Points of a web: along the bay, outwards from its middle, upwards.
fn turned([u, v, z]: [f64; 3], web: u32) -> DVec3 {
    match web {
        0 => DVec3::new(u, -v, z),
        1 => DVec3::new(v, u, z),
        2 => DVec3::new(-u, v, z),
        _ => DVec3::new(-v, -u, z),
    }
}

impl CrossVault {
    fn checked(&self) -> Result<Profile, Vec<Misfit>> {
        let mut check = Dimensions::default();
        check.positive("span", self.span);
        check.positive("block_length", self.block_length);
        check.positive_if("bearing", self.bearing);
        if let Some(length) = self.min_block_length {
            check.not_negative("min_block_length", length);
        }
        let counted = check.count("rows", self.rows, 3);
        if counted && self.rows.is_multiple_of(2) {
            check.refuse(
                "rows",
                format!("{} rows put a joint on the crown", self.rows),
                "an odd number: a keystone closes the vault",
            );
        }
        if self.shape == Some(ArchShape::Flat) {
            check.refuse(
                "shape",
                "a flat vault has no groins",
                "`circular`, `pointed` or `elliptical`",
            );
        }
        if let Some(piers) = &self.piers {
            check.positive("piers.height", piers.height);
            check.count("piers.courses", piers.courses, 1);
            check.total("piers.courses", &[4, piers.courses]);
            if let Some(springers) = self.springers {
                check.refuse(
                    "springers",
                    format!("springers {springers:?} on piers").to_lowercase(),
                    "leave out `springers` or `piers`",
                );
            }
        }
        if check.fit() {
            let beyond = self.thickness + self.bearing.unwrap_or(self.thickness);
            let edge = 0.5 * self.span + beyond;
            let blocks = (edge / self.block_length).min(1e9) as u32 + 2;
            check.total("block_length", &[4, self.rows, blocks]);
        }
        let curve = Curve {
            shape: self.shape(),
            span: Some(self.span),
            rise: self.rise,
            radius: None,
            angle_degrees: None,
            thickness: self.thickness,
            voussoirs: self.rows,
            rings: 1,
        };
        let profile = check.fit().then(|| curve.profile(&mut check)).flatten();
        check.done()?;
        profile.ok_or_else(Vec::new)
    }

    /// Distance of the edges of the bay from its middle.
    fn edge(&self, profile: &Profile) -> f64 {
        let outer = profile.joints.last().map_or(0.0, |joint| joint[1][0]);
        outer + self.bearing.unwrap_or(self.thickness)
    }

    /// Joints of a row from the edge inwards, without the groin.
    fn joints(&self, row: u32, corners: &[[f64; 2]], edge: f64) -> Vec<f64> {
        let from_middle = row.abs_diff(self.rows / 2);
        let shift = if from_middle.is_multiple_of(2) {
            1.0
        } else {
            0.5
        };
        let widest = corners.iter().map(|[u, _]| u.abs()).fold(0.0, f64::max);
        let shortest = self.min_block_length.unwrap_or(0.5 * self.block_length);
        // To rounding.
        let last = widest + shortest - 1e-9 * self.block_length;
        let inside = (0_u32..)
            .map(|k| edge - (f64::from(k) + shift) * self.block_length)
            .take_while(|&joint| joint >= last);
        std::iter::once(edge).chain(inside).collect()
    }

    /// Blocks of a row of the first web from the edge inwards, by their corners [u, v, z].
    fn row(&self, row: u32, profile: &Profile, edge: f64) -> Vec<Vec<[f64; 3]>> {
        let [from, to] = [row, row + 1].map(|joint| &profile.joints[joint as usize]);
        let corners = [from[0], from[1], to[1], to[0]];
        let joints = self.joints(row, &corners, edge);
        let mut blocks = Vec::new();
        for (index, &far) in joints.iter().enumerate() {
            // The last block ends on the diagonals, which are as far from the middle along the bay as across it. So does that of the
            // middle row: there the keystone begins.
            let near = |u: f64| joints.get(index + 1).copied().unwrap_or(u.abs());
            let ends = |[u, z]: [f64; 2]| [[u, near(u), z], [u, far, z]];
            blocks.push(corners.into_iter().flat_map(ends).collect());
        }
        blocks
    }

    /// Corners of the springer between the webs towards -y and -x, as distances from the middle.
    fn springer(&self, profile: &Profile, edge: f64) -> Vec<[f64; 3]> {
        let [[inner, _], [outer, top]] = match profile.joints.last().map(Vec::as_slice) {
            Some([inner, outer]) => [*inner, *outer],
            _ => [[0.0; 2]; 2],
        };
        let bottom = -self.thickness;
        let square = |from: f64, z: f64| {
            [
                [from, from, z],
                [edge, from, z],
                [from, edge, z],
                [edge, edge, z],
            ]
        };
        let mut corners = square(inner, bottom).to_vec();
        if top > 0.0 {
            corners.extend_from_slice(&square(inner, 0.0)[..3]);
            corners.extend(square(outer, top));
        } else {
            corners.extend(square(inner, 0.0));
        }
        corners
    }
}

impl Structure for CrossVault {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let profile = self.checked()?;
        let edge = self.edge(&profile);
        // The underside of the springers is on top of the piers.
        let raised = self
            .piers
            .as_ref()
            .map_or(0.0, |piers| piers.height + self.thickness);
        let up = |point: DVec3| DVec3::new(point.x, point.y, point.z + raised);
        let mut pieces = Vec::new();
        let corner = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        if let Some(piers) = &self.piers {
            let inner = profile.joints.last().map_or(0.0, |joint| joint[0][0]);
            // The same expression as that of the springers' underside, which stays level with it.
            let level = |course: u32| match course == piers.courses {
                true => -self.thickness + raised,
                false => piers.height * (f64::from(course) / f64::from(piers.courses)),
            };
            for (index, [x, y]) in corner.into_iter().enumerate() {
                for course in 0..piers.courses {
                    let a = DVec3::new(x * inner, y * inner, level(course));
                    let b = DVec3::new(x * edge, y * edge, level(course + 1));
                    let name = format!("pier{}.course{}", index + 1, course + 1);
                    pieces.push(Piece::cuboid(name, a.min(b), a.max(b)).grouped("pier"));
                }
            }
        }
        if self.springers != Some(Springers::None) {
            let shape = self.springer(&profile, edge);
            for (index, [x, y]) in corner.into_iter().enumerate() {
                let at = |&[u, v, z]: &[f64; 3]| up(DVec3::new(x * u, y * v, z));
                let vertices = shape.iter().map(at).collect();
                let name = format!("springer{}", index + 1);
                let mut piece = Piece::new(name, vertices).grouped("springer");
                piece.support = self.piers.is_none();
                pieces.push(piece);
            }
        }
        for web in 0..4 {
            for row in 0..self.rows {
                let blocks = self.row(row, &profile, edge);
                for (index, corners) in blocks.into_iter().enumerate() {
                    let name = format!("web{}.row{}.block{}", web + 1, row + 1, index + 1);
                    let vertices = corners.into_iter().map(|c| up(turned(c, web))).collect();
                    pieces.push(Piece::new(name, vertices).grouped("web"));
                }
            }
        }
        let crown = &profile.joints[self.rows as usize / 2 + 1];
        let vertices = crown
            .iter()
            .flat_map(|&[r, z]| corner.map(|[x, y]| up(DVec3::new(x * r, y * r, z))))
            .collect();
        pieces.push(Piece::new("keystone", vertices).grouped("keystone"));
        Ok(pieces)
    }
}
