//! Shapes and a random generator that the tests share.
#![allow(dead_code)]

use drystone_geometry::{ContactSet, DQuat, DVec3, Detector, Polyhedron, Pose};

/// A 64-bit mixing generator (splitmix64): the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// Next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `low..high`.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Uniform in the cube of half-side `r`.
    pub fn in_cube(&mut self, r: f64) -> DVec3 {
        DVec3::new(self.within(-r, r), self.within(-r, r), self.within(-r, r))
    }

    /// A direction.
    pub fn unit(&mut self) -> DVec3 {
        loop {
            let v = self.in_cube(1.0);
            if v.length() > 0.1 && v.length() <= 1.0 {
                return v.normalize();
            }
        }
    }

    /// Any rotation.
    pub fn rotation(&mut self) -> DQuat {
        let axis = self.unit();
        DQuat::from_axis_angle(axis, self.within(0.0, std::f64::consts::TAU))
    }

    /// A rotation by up to a small angle about any axis.
    pub fn small_rotation(&mut self, angle: f64) -> DQuat {
        let axis = self.unit();
        DQuat::from_axis_angle(axis, self.within(0.0, angle))
    }
}

/// A box about the origin.
pub fn cuboid(x: f64, y: f64, z: f64) -> Polyhedron {
    let half = 0.5 * DVec3::new(x, y, z);
    Polyhedron::cuboid(-half, half).unwrap()
}

/// Corners of an upright prism over a regular polygon about the origin.
pub fn prism_points(sides: usize, radius: f64, height: f64) -> Vec<DVec3> {
    let mut points = Vec::new();
    for z in [-0.5 * height, 0.5 * height] {
        for i in 0..sides {
            let angle = std::f64::consts::TAU * i as f64 / sides as f64;
            points.push(DVec3::new(radius * angle.cos(), radius * angle.sin(), z));
        }
    }
    points
}

/// A drum.
pub fn prism(sides: usize, radius: f64, height: f64) -> Polyhedron {
    Polyhedron::hull(&prism_points(sides, radius, height)).unwrap()
}

/// Corners of a straight-sided voussoir between two angles from the horizontal, in the xz plane.
pub fn voussoir_points(inner: f64, thickness: f64, depth: f64, from: f64, to: f64) -> Vec<DVec3> {
    let mut points = Vec::new();
    for y in [-0.5 * depth, 0.5 * depth] {
        for r in [inner, inner + thickness] {
            for angle in [from, to] {
                points.push(DVec3::new(r * angle.cos(), y, r * angle.sin()));
            }
        }
    }
    points
}

/// Moves a shape's centroid to the origin; also says where it was.
pub fn centred(shape: &Polyhedron) -> (Polyhedron, DVec3) {
    let centroid = shape.volume_properties().centroid;
    (shape.translated(-centroid), centroid)
}

/// Corners of a box whose twelve edges are cut by `cut`.
pub fn chamfered_points(x: f64, y: f64, z: f64, cut: f64) -> Vec<DVec3> {
    let mut points = Vec::new();
    for i in 0..8 {
        let sign = |bit: usize| if i & bit == 0 { -0.5 } else { 0.5 };
        let corner = DVec3::new(sign(1) * x, sign(2) * y, sign(4) * z);
        for axis in 0..3 {
            let mut p = corner;
            for other in 0..3 {
                if other != axis {
                    p[other] -= cut * corner[other].signum();
                }
            }
            points.push(p);
        }
    }
    points
}

/// The convex hull of points on a stretched sphere, about its centroid.
pub fn pebble(random: &mut Random, points: usize, stretch: DVec3) -> Polyhedron {
    let corners: Vec<DVec3> = (0..points).map(|_| random.unit() * stretch).collect();
    centred(&Polyhedron::hull(&corners).unwrap()).0
}

/// A rigid motion of the world.
pub fn moved(pose: &Pose, rotation: DQuat, by: DVec3) -> Pose {
    Pose {
        position: rotation * pose.position + by,
        rotation: (rotation * pose.rotation).normalize(),
    }
}

/// Contacts of a set of shapes, none of them fixed, with the same margin for all.
pub fn contacts(shapes: &[Polyhedron], poses: &[Pose], margin: f64) -> ContactSet {
    let mut detector = Detector::new(shapes.to_vec(), vec![false; shapes.len()]);
    detector.detect(poses, &vec![margin; shapes.len()]).clone()
}

/// How far a point is outside of a block; negative inside.
pub fn outside(shape: &Polyhedron, pose: &Pose, point: DVec3) -> f64 {
    let local = pose.inverse_transform(point);
    let height = |face: &drystone_geometry::Face| face.normal.dot(local) - face.offset;
    shape
        .faces()
        .iter()
        .map(height)
        .fold(f64::NEG_INFINITY, f64::max)
}
