//! Voussoir arches.

mod piers;
mod profile;
mod sector;

pub use piers::Piers;
pub use profile::ArchShape;
pub(crate) use profile::{Curve, Profile, sin_cos};

use drystone_geometry::DVec3;
use drystone_keys::{keys, words};

use super::dimensions::Dimensions;
use super::{Misfit, Piece, Structure};

keys! {
    /// An arch of voussoirs along x, symmetric about x = 0, from y = 0 to `depth`. The springing points of its intrados are at
    /// z = 0; with `piers` the ground is at z = 0 and the springing on top of them.
    ///
    /// Voussoirs have plane faces with their corners on the curves of intrados and extrados, and joints normal to the intrados.
    /// They are named `voussoir1`, `voussoir2` and so on from the left, of several rings `ring1.voussoir1` from the inside;
    /// supports behind the end joints `springer1` (left) and `springer2`; blocks of piers `pier1.course1.block1`, from the left
    /// and from the ground. Groups: `arch`, `springer`, `pier`.
    pub struct Arch {
        /// The curve of the intrados.
        shape: ArchShape { optional, default: ArchShape::Circular },
        /// Clear span between the springing points of the intrados.
        span: f64 { optional, unit: "m", above: 0.0 },
        /// Height of the crown of the intrados above the springing.
        rise: f64 { optional, unit: "m", above: 0.0, otherwise: "half the span, of a circular arch" },
        /// Radius of the intrados, m: instead of the span of a circular arch, or instead of the rise of a pointed one.
        radius: f64 { optional, unit: "m", above: 0.0 },
        /// Angle between the two end joints, degrees: of a circular arch with a radius, default 180; of a flat one, default 60.
        angle_degrees: f64 { optional, unit: "degrees", most: 180.0 },
        /// From intrados to extrados of one ring.
        thickness: f64 { required, unit: "m", above: 0.0 },
        /// Along y.
        depth: f64 { required, unit: "m", above: 0.0 },
        /// Number of voussoirs of a ring; an odd number has a keystone, an even one a joint at the crown.
        voussoirs: u32 { required, least: 1 },
        /// Number of rings on top of each other, with joints in line.
        rings: u32 { optional, least: 1, default: 1 },
        /// Voussoirs of a circular arch have the mass, centroid and inertia of true ring sectors instead of those of their plane-faced shapes.
        curved_mass: bool { defaulted },
        /// What is behind the end joints.
        springers: Springers { optional, otherwise: "`support`, or `none` with piers" },
        /// Piers or buttresses under the springings.
        piers: Piers { optional, otherwise: "none" },
    }
}

words! {
    /// What is behind the end joints of an arch or a vault.
    pub enum Springers {
        /// A block that follows the ground, as thick as the arch.
        Support = "support",
        /// Nothing: the arch stands on something else.
        None = "none",
    }
}

impl Arch {
    fn curve(&self) -> Curve {
        Curve {
            shape: self.shape(),
            span: self.span,
            rise: self.rise,
            radius: self.radius,
            angle_degrees: self.angle_degrees,
            thickness: self.thickness,
            voussoirs: self.voussoirs,
            rings: self.rings(),
        }
    }

    /// Everything is reported together; without a curve there is nothing to compare piers with.
    fn checked(&self) -> Result<Profile, Vec<Misfit>> {
        let mut check = Dimensions::default();
        check.positive("depth", self.depth);
        check.total("voussoirs", &[self.voussoirs, self.rings()]);
        if self.curved_mass && self.shape() != ArchShape::Circular {
            check.refuse(
                "curved_mass",
                "only circular arches have ring sectors",
                "leave it out, or `shape = \"circular\"`",
            );
        }
        if self.piers.is_some() && self.springers == Some(Springers::Support) {
            check.refuse(
                "springers",
                "an arch on piers has no other supports",
                "leave out `springers` or `piers`",
            );
        }
        let profile = check
            .fit()
            .then(|| self.curve().profile(&mut check))
            .flatten();
        if let Some(profile) = &profile
            && let Some(piers) = &self.piers
        {
            let [inner, outer] = springing(profile);
            piers.check(outer[0] - inner[0], &mut check);
        }
        check.done()?;
        // Nothing was refused, so there is a profile.
        profile.ok_or_else(Vec::new)
    }
}

/// The right springing joint: inner and outer point.
fn springing(profile: &Profile) -> [[f64; 2]; 2] {
    match profile.joints.last().map(Vec::as_slice) {
        Some([first, .., last]) => [*first, *last],
        _ => [[0.0; 2]; 2],
    }
}

impl Structure for Arch {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let mut profile = self.checked()?;
        let height = self.piers.as_ref().map_or(0.0, |piers| piers.height);
        profile.raise(height);
        let y = [0.0, self.depth];
        let mut pieces = match &self.piers {
            Some(piers) => piers.pieces(springing(&profile), y),
            None => Vec::new(),
        };
        let rings = self.rings();
        for ring in 0..rings {
            for voussoir in 0..self.voussoirs {
                let name = match rings {
                    1 => format!("voussoir{}", voussoir + 1),
                    _ => format!("ring{}.voussoir{}", ring + 1, voussoir + 1),
                };
                let polygon = profile.voussoir(voussoir as usize, ring as usize);
                let mut piece = Piece::prism(name, &polygon, y).grouped("arch");
                if let (true, Some(circle)) = (self.curved_mass, &profile.circle) {
                    let radii = [ring, ring + 1]
                        .map(|ring| circle.radius + f64::from(ring) * self.thickness);
                    let angles =
                        [voussoir, voussoir + 1].map(|joint| circle.angle(joint, self.voussoirs));
                    let sector = sector::ring_sector(radii, angles, circle.centre, self.depth);
                    piece.properties = Some(sector);
                }
                pieces.push(piece);
            }
        }
        let springers = self.springers.unwrap_or(Springers::Support);
        if self.piers.is_none() && springers == Springers::Support {
            let polygons = profile.springers(self.thickness * f64::from(rings));
            for (index, polygon) in polygons.iter().enumerate() {
                let name = format!("springer{}", index + 1);
                let piece = Piece::prism(name, polygon, y).grouped("springer");
                pieces.push(piece.supported());
            }
        }
        Ok(pieces)
    }
}

impl Profile {
    /// Moves all up, m.
    pub(crate) fn raise(&mut self, by: f64) {
        let points = self.joints.iter_mut().flatten().chain(&mut self.apex);
        for [_, z] in points {
            *z += by;
        }
        if let Some(circle) = &mut self.circle {
            circle.centre += by;
        }
    }

    /// Corners of a voussoir; voussoirs from the left, rings from the inside, both from 0.
    pub(crate) fn voussoir(&self, index: usize, ring: usize) -> Vec<[f64; 2]> {
        let [from, to] = [&self.joints[index], &self.joints[index + 1]];
        let mut corners = vec![from[ring], from[ring + 1], to[ring + 1], to[ring]];
        if let Some(apex) = self.apex
            && 2 * index + 2 == self.joints.len()
        {
            corners.insert(2, apex);
        }
        corners
    }

    /// Blocks behind the left and the right end joint, normal to them and `length` long (m).
    pub(crate) fn springers(&self, length: f64) -> [Vec<[f64; 2]>; 2] {
        let [inner, outer] = springing(self);
        let along = DVec3::new(outer[0] - inner[0], 0.0, outer[1] - inner[1]).normalize_or_zero();
        let [dx, dz] = [length * along.z, -length * along.x];
        let behind = [outer, inner].map(|[x, z]| [x + dx, z + dz]);
        let right = vec![inner, outer, behind[0], behind[1]];
        let left = right.iter().map(|&[x, z]| [-x, z]).collect();
        [left, right]
    }
}
