//! Joints: the resultant of their contact forces, and how they move in a mechanism.

use drystone_geometry::{DVec3, Manifold, convex_hull};
use drystone_mechanics::{Pair, Statics, across_plane};
use serde::Serialize;

use super::{MOVES, largest_speed};

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Movement {
    /// It stays closed.
    Closed,
    /// It opens about an edge or a corner.
    Hinge,
    /// It slides.
    Sliding,
    /// It slides and opens about an edge or a corner.
    SlidingHinge,
    /// It opens everywhere.
    Open,
}

/// The motion of a joint in a mechanism.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointMotion {
    /// What it does.
    pub movement: Movement,
    /// The middle of the points that stay in contact, m; the hinge if it is one.
    pub at: DVec3,
    /// Largest speed with which a point opens, m/s.
    pub opening: f64,
    /// Largest speed with which a point in contact slides, m/s.
    pub sliding: f64,
}

/// A joint with what it carries. Forces act on the second block; compression is positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    /// Block indices.
    pub blocks: [usize; 2],
    /// m².
    pub area: f64,
    /// Middle of the joint, m.
    pub centre: DVec3,
    /// Unit vector from the first block to the second.
    pub normal: DVec3,
    /// Normal force, N.
    pub force: f64,
    /// Shear force, N.
    pub shear: DVec3,
    /// Point of application of the normal force, m; the middle if there is none.
    pub point: DVec3,
    /// Distance of that point from the middle, m.
    pub eccentricity: f64,
    /// Distance of that point from the nearest edge, m.
    pub edge_distance: f64,
    /// The same over that of the middle: one in the middle, zero on an edge.
    pub edge_fraction: f64,
    /// Shear force over friction times normal force and cohesion: one when all of the joint slides.
    pub friction_used: f64,
    /// How it moves, if it was asked.
    pub motion: Option<JointMotion>,
}

/// Joints of a configuration with forces of contacts, N.
pub(crate) fn joints(statics: &Statics<'_>, force: &[[f64; 3]]) -> Vec<Joint> {
    let joints = statics.joints();
    joints
        .map(|(manifold, pair)| joint(statics, manifold, pair, force))
        .collect()
}

fn joint(statics: &Statics<'_>, manifold: &Manifold, pair: &Pair, force: &[[f64; 3]]) -> Joint {
    let first = manifold.first as usize;
    let points = statics.touching.points_of(manifold);
    let places: Vec<DVec3> = points.iter().map(|point| point.midpoint()).collect();
    let (mut normal_force, mut shear, mut lever) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for (k, place) in places.iter().enumerate() {
        let [n, t1, t2] = force[first + k];
        let frame = &statics.contacts[first + k].frame;
        normal_force += n;
        shear += t1 * DVec3::from(frame[1]) + t2 * DVec3::from(frame[2]);
        lever += n * *place;
    }
    // Out of the plane nothing is determined, and nothing is there.
    let free = statics.model.free;
    shear = DVec3::from_array(std::array::from_fn(
        |k| if free[k] { shear[k] } else { 0.0 },
    ));
    let centre = centre(statics, manifold, &places);
    let point = if normal_force > 0.0 {
        lever / normal_force
    } else {
        centre
    };
    let edges = Edges::new(statics, manifold.normal, &places);
    let (edge_distance, middle) = (edges.distance(point), edges.distance(centre));
    let held = pair.shear_strength(normal_force, manifold.area);
    Joint {
        blocks: pair.blocks,
        area: manifold.area,
        centre,
        normal: manifold.normal,
        force: normal_force,
        shear,
        point,
        eccentricity: point.distance(centre),
        edge_distance,
        edge_fraction: if middle > 0.0 {
            (edge_distance / middle).clamp(0.0, 1.0)
        } else {
            0.0
        },
        friction_used: if held > 0.0 {
            shear.length() / held
        } else {
            0.0
        },
        motion: None,
    }
}

fn centre(statics: &Statics<'_>, manifold: &Manifold, places: &[DVec3]) -> DVec3 {
    let points = statics.touching.points_of(manifold);
    let area: f64 = points.iter().map(|point| point.tributary_area).sum();
    if area > 0.0 {
        let weighted = points.iter().zip(places);
        weighted
            .map(|(point, place)| point.tributary_area * *place)
            .sum::<DVec3>()
            / area
    } else {
        places.iter().sum::<DVec3>() / places.len().max(1) as f64
    }
}

/// The outline of a joint seen along its normal; in a planar model its two ends.
enum Edges {
    Ends {
        along: DVec3,
        low: f64,
        high: f64,
    },
    Outline {
        axes: [DVec3; 2],
        corners: Vec<[f64; 2]>,
    },
}

impl Edges {
    fn new(statics: &Statics<'_>, normal: DVec3, places: &[DVec3]) -> Self {
        if let Some(across) = across_plane(&statics.model.free) {
            let along = normal.cross(across);
            let positions = || places.iter().map(|place| place.dot(along));
            return Self::Ends {
                along,
                low: positions().fold(f64::INFINITY, f64::min),
                high: positions().fold(f64::NEG_INFINITY, f64::max),
            };
        }
        let (first, second) = normal.any_orthonormal_pair();
        let flat = places.iter().map(|p| [p.dot(first), p.dot(second)]);
        Self::Outline {
            axes: [first, second],
            corners: convex_hull(&flat.collect::<Vec<_>>()),
        }
    }

    /// Distance of a point inside from the nearest edge, m.
    fn distance(&self, point: DVec3) -> f64 {
        match self {
            Self::Ends { along, low, high } => {
                let place = point.dot(*along);
                (place - low).min(high - place).max(0.0)
            }
            Self::Outline { axes, corners } => {
                let [x, y] = axes.map(|axis| point.dot(axis));
                if corners.len() < 3 {
                    return 0.0;
                }
                let sides = corners.iter().zip(corners.iter().cycle().skip(1));
                sides
                    .map(|(a, b)| {
                        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
                        (dx * (y - a[1]) - dy * (x - a[0])) / dx.hypot(dy)
                    })
                    .fold(f64::INFINITY, f64::min)
                    .max(0.0)
            }
        }
    }
}

/// Adds how joints move in a mechanism. Where supports move, `offset` has the relative velocity that this alone gives each contact, local
/// components; it is empty where they rest.
pub(crate) fn add_motions(
    statics: &Statics<'_>,
    velocity: &[[f64; 6]],
    offset: &[[f64; 3]],
    joints: &mut [Joint],
) {
    let length = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let fastest = largest_speed(velocity, &statics.bodies.radii);
    let least = MOVES * offset.iter().map(length).fold(fastest, f64::max);
    for (joint, manifold) in joints.iter_mut().zip(&statics.touching.manifolds) {
        joint.motion = Some(motion(statics, manifold, velocity, offset, least));
    }
}

fn motion(
    statics: &Statics<'_>,
    manifold: &Manifold,
    velocity: &[[f64; 6]],
    offset: &[[f64; 3]],
    least: f64,
) -> JointMotion {
    let first = manifold.first as usize;
    let (mut opening, mut sliding): (f64, f64) = (0.0, 0.0);
    let (mut held, mut slid, mut open) = (0, 0, 0);
    let (mut at, mut count) = (DVec3::ZERO, 0);
    let mut middle = DVec3::ZERO;
    for (k, point) in statics.touching.points_of(manifold).iter().enumerate() {
        let more = offset.get(first + k).copied().unwrap_or_default();
        let between = statics.relative_velocity(first + k, velocity);
        let [n, t1, t2] = std::array::from_fn(|axis| between[axis] + more[axis]);
        let tangential = t1.hypot(t2);
        let mu = statics.contacts[first + k].friction;
        middle += point.midpoint();
        opening = opening.max(n);
        // In associated sliding a point in contact opens by mu times its speed.
        if n - mu * tangential > least {
            open += 1;
            continue;
        }
        at += point.midpoint();
        count += 1;
        if tangential > least {
            slid += 1;
            sliding = sliding.max(tangential);
        } else {
            held += 1;
        }
    }
    let movement = match (held, slid, open) {
        (_, 0, 0) => Movement::Closed,
        (0, 0, _) => Movement::Open,
        (_, 0, _) => Movement::Hinge,
        (_, _, 0) => Movement::Sliding,
        (_, _, _) => Movement::SlidingHinge,
    };
    JointMotion {
        movement,
        at: if count > 0 {
            at / f64::from(count)
        } else {
            middle / f64::from(open.max(1))
        },
        opening,
        sliding,
    }
}
