//! Domes.

use drystone_geometry::DVec3;
use drystone_keys::{keys, words};

use super::arch::{Springers, sin_cos};
use super::dimensions::Dimensions;
use super::lantern::Lantern;
use super::round::{RingBond, around, turn};
use super::{Misfit, Piece, Structure};

keys! {
    /// A dome about the axis z, with the springing of its intrados at z = 0: rings of blocks between meridional planes.
    ///
    /// The rise decides the shape: as much as the radius makes a hemisphere, less a segment of a sphere, more a pointed dome whose
    /// meridians are arcs with centres on the springing plane beyond the axis.
    ///
    /// Beds are `radial`, normal to the intrados, or `horizontal`. In plan, rings are polygons with corners on circles. A radial
    /// bed is then a cone of facets; for facets of neighbouring rings to coincide, their joints must be in line, so domes with
    /// radial beds have `bond = "stack"`: meridians that run through. (Turned by half a block, a facet of one ring would meet the
    /// ridge between two of the other, and one of the two blocks would not be convex.) Level beds touch in any bond, and
    /// default to `running`. With `stepped = true` their blocks have upright faces, and the dome is corbelled.
    ///
    /// Blocks are named `ring3.block5`, from the springing and counter-clockwise from +x; `keystone` closes the crown if there is no
    /// oculus; supports under the springing are `springer1` and so on, blocks of a lantern `lantern.course1.block5`. Groups: `dome`,
    /// `lantern`, `springer`.
    pub struct Dome {
        /// Of the intrados at the springing.
        radius: f64 { required, unit: "m", above: 0.0 },
        /// Of the intrados where its meridians meet the axis.
        rise: f64 { optional, unit: "m", above: 0.0, otherwise: "the radius" },
        /// Normal to the intrados, m; of a corbelled dome along its level beds.
        thickness: f64 { required, unit: "m", above: 0.0 },
        /// Number of rings from the springing to the oculus or keystone: equal angles with radial beds, equal heights with level ones.
        rings: u32 { required, least: 1 },
        /// Blocks in a ring.
        blocks: u32 { required, least: 3 },
        /// Radius of the opening at the crown on the intrados.
        oculus: f64 { optional, unit: "m", above: 0.0, otherwise: "closed" },
        /// Radius of the keystone that closes the crown, on the intrados.
        keystone: f64 { optional, unit: "m", above: 0.0, otherwise: "a tenth of the radius" },
        /// A round wall on the rim of the oculus.
        lantern: Lantern { optional, otherwise: "none" },
        /// How the beds of its rings lie.
        beds: Beds { optional, default: Beds::Radial },
        /// How rings lie on each other.
        bond: RingBond { optional, otherwise: "`stack` with radial beds, `running` with level ones" },
        /// Upright faces, each ring stepping inwards over the one below; needs level beds.
        stepped: bool { defaulted },
        /// What is below the springing.
        springers: Springers { optional, default: Springers::Support },
    }
}

words! {
    /// Beds of the rings of a dome.
    pub enum Beds = Radial {
        /// Normal to the intrados.
        Radial = "radial",
        /// Level.
        Horizontal = "horizontal",
    }
}

/// A point of a meridian: distance from the axis and level, m.
type Point = [f64; 2];

/// A meridian of the intrados: an arc about a centre.
struct Meridian {
    radius: f64,
    /// Distance of the centre beyond the axis, m.
    beyond: f64,
    /// How far the centre is below the springing, m.
    below: f64,
    /// Elevation of the springing and of the crown opening seen from the centre, rad.
    angles: [f64; 2],
}

impl Meridian {
    fn new(radius: f64, rise: f64, opening: f64) -> Self {
        let (arc, beyond, below, foot) = if rise < radius {
            let arc = (radius * radius + rise * rise) / (2.0 * rise);
            (arc, 0.0, arc - rise, (arc - rise).atan2(radius))
        } else {
            let beyond = (rise * rise - radius * radius) / (2.0 * radius);
            (radius + beyond, beyond, 0.0, 0.0)
        };
        let top = ((opening + beyond) / arc).acos();
        Self {
            radius: arc,
            beyond,
            below,
            angles: [foot, top],
        }
    }

    /// Ends of the bed at a fraction of the way up, normal to the intrados.
    fn radial_bed(&self, fraction: f64, thickness: f64) -> [Point; 2] {
        let [foot, top] = self.angles;
        let (sin, cos) = sin_cos(foot + (top - foot) * fraction);
        let level = |radius: f64| match fraction {
            // The springing is at zero to the last bit.
            0.0 => (radius - self.radius) * sin,
            _ => radius * sin - self.below,
        };
        [self.radius, self.radius + thickness].map(|r| [r * cos - self.beyond, level(r)])
    }

    /// Distance of the curve at an offset from the intrados from the axis, at a level.
    fn at_level(&self, level: f64, offset: f64) -> f64 {
        let arc = self.radius + offset;
        let height = level + self.below;
        ((arc - height) * (arc + height)).max(0.0).sqrt() - self.beyond
    }

    /// Level of the crown opening.
    fn top(&self) -> f64 {
        self.radius * self.angles[1].sin() - self.below
    }
}

impl Dome {
    fn opening(&self) -> f64 {
        self.oculus.or(self.keystone).unwrap_or(0.1 * self.radius)
    }

    fn check(&self) -> Result<(), Vec<Misfit>> {
        let mut check = Dimensions::default();
        let fits = check.positive("radius", self.radius);
        check.positive_if("rise", self.rise);
        check.positive("thickness", self.thickness);
        check.count("rings", self.rings, 1);
        check.count("blocks", self.blocks, 3);
        let courses = self.lantern.as_ref().map_or(0, |lantern| lantern.courses);
        let rings = self.rings.saturating_add(1).saturating_add(courses);
        check.total("blocks", &[rings, self.blocks]);
        if let Some(lantern) = &self.lantern {
            lantern.check(&mut check);
            if self.oculus.is_none() {
                check.refuse(
                    "lantern",
                    "the dome is closed",
                    "give the radius of the `oculus` that it stands on, m",
                );
            }
        }
        if self.oculus.is_some() && self.keystone.is_some() {
            check.refuse(
                "keystone",
                "a dome with an oculus is open",
                "leave out `oculus` or `keystone`",
            );
        }
        for (key, value) in [("oculus", self.oculus), ("keystone", self.keystone)] {
            if let Some(opening) = value
                && check.positive(key, opening)
                && fits
                && opening >= self.radius
            {
                check.refuse(
                    key,
                    format!("{opening} m is as wide as the dome"),
                    format!("less than {} m", self.radius),
                );
            }
        }
        let level = self.beds == Some(Beds::Horizontal);
        if !level && self.bond == Some(RingBond::Running) {
            check.refuse(
                "bond",
                "radial beds touch only where joints are in line",
                "`bond = \"stack\"`, or `beds = \"horizontal\"`",
            );
        }
        if !level && self.stepped {
            check.refuse(
                "stepped",
                "steps need level beds",
                "`beds = \"horizontal\"`, or leave it out",
            );
        }
        if check.fit() && self.stepped {
            let meridians = self.meridians();
            for (ring, pair) in meridians.windows(2).enumerate() {
                let step = pair[0][0][0] - pair[1][0][0];
                if step >= 0.9 * self.thickness {
                    check.refuse(
                        "rings",
                        format!("ring {} reaches {step:.6} m beyond the one below", ring + 2),
                        format!(
                            "more rings, so that steps stay below 0.9 of the thickness, {} m",
                            self.thickness
                        ),
                    );
                    break;
                }
            }
        }
        if check.fit() {
            self.lantern(&self.meridians(), &mut check);
        }
        check.done()
    }

    /// Corners of the courses of the lantern on the uppermost of some rings.
    fn lantern(&self, meridians: &[[Point; 4]], check: &mut Dimensions) -> Vec<Vec<Point>> {
        match (&self.lantern, meridians.last()) {
            (Some(lantern), Some(&[_, _, outer, inner])) => {
                lantern.meridians([inner, outer], self.thickness, check)
            }
            _ => Vec::new(),
        }
    }

    /// Corners of each ring in a meridional plane: inner and outer at the bed below, outer and inner at the bed above.
    fn meridians(&self) -> Vec<[Point; 4]> {
        let rise = self.rise.unwrap_or(self.radius);
        let meridian = Meridian::new(self.radius, rise, self.opening());
        let fraction = |joint: u32| f64::from(joint) / f64::from(self.rings);
        let level = |joint: u32| meridian.top() * fraction(joint);
        let bed = |joint: u32| -> [Point; 2] {
            match self.beds() {
                Beds::Radial => meridian.radial_bed(fraction(joint), self.thickness),
                Beds::Horizontal => [0.0, self.thickness]
                    .map(|offset| [meridian.at_level(level(joint), offset), level(joint)]),
            }
        };
        (0..self.rings)
            .map(|ring| {
                if self.stepped {
                    let [low, high] = [level(ring), level(ring + 1)];
                    let inner = meridian.at_level(0.5 * (low + high), 0.0);
                    let outer = inner + self.thickness;
                    return [[inner, low], [outer, low], [outer, high], [inner, high]];
                }
                let [[a, b], [d, c]] = [bed(ring), bed(ring + 1)];
                [a, b, c, d]
            })
            .collect()
    }
}

impl Structure for Dome {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        self.check()?;
        let meridians = self.meridians();
        let blocks = u64::from(self.blocks);
        let level = self.beds == Some(Beds::Horizontal);
        let running = level && self.bond != Some(RingBond::Stack);
        let wedge = |corners: &[Point], block: u64, shift: u64| -> Vec<DVec3> {
            [2 * block, 2 * block + 2]
                .iter()
                .flat_map(|part| {
                    let direction = turn(part + shift, 2 * blocks);
                    corners.iter().map(move |&[r, z]| around(direction, r, z))
                })
                .collect()
        };
        let mut pieces = Vec::new();
        if self.springers != Some(Springers::None) {
            let [inner, outer] = [meridians[0][0], meridians[0][1]];
            let bottom = inner[1] - self.thickness;
            let corners = [inner, outer, [outer[0], bottom], [inner[0], bottom]];
            for block in 0..blocks {
                let name = format!("springer{}", block + 1);
                let piece = Piece::new(name, wedge(&corners, block, 0)).grouped("springer");
                pieces.push(piece.supported());
            }
        }
        for (ring, corners) in meridians.iter().enumerate() {
            let shift = u64::from(running && ring % 2 == 1);
            for block in 0..blocks {
                let name = format!("ring{}.block{}", ring + 1, block + 1);
                pieces.push(Piece::new(name, wedge(corners, block, shift)).grouped("dome"));
            }
        }
        // Level beds go on in their bond; on radial ones the lowest course must be in line.
        let turned = if level { self.rings as usize } else { 0 };
        let lantern = self.lantern(&meridians, &mut Dimensions::default());
        for (course, corners) in lantern.iter().enumerate() {
            let shift = self.bond != Some(RingBond::Stack) && (turned + course) % 2 == 1;
            for block in 0..blocks {
                let name = format!("lantern.course{}.block{}", course + 1, block + 1);
                let vertices = wedge(corners, block, u64::from(shift));
                pieces.push(Piece::new(name, vertices).grouped("lantern"));
            }
        }
        if self.oculus.is_none() {
            let [_, _, outer, inner] = meridians[meridians.len() - 1];
            let ends = if level {
                // A slab on the uppermost ring.
                let reach = 0.5 * (inner[0] + outer[0]);
                [[reach, inner[1]], [reach, inner[1] + self.thickness]]
            } else {
                [inner, outer]
            };
            let vertices = (0..2 * blocks)
                .step_by(2)
                .flat_map(|part| ends.map(|[r, z]| around(turn(part, 2 * blocks), r, z)))
                .collect();
            pieces.push(Piece::new("keystone", vertices).grouped("dome"));
        }
        Ok(pieces)
    }
}
