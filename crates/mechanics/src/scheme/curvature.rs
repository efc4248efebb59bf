//! What a step linear in velocities leaves out of the path of contact points, equation (6.4).
//!
//! Points of a turning block move on arcs, and the face that they meet turns too. Both are of second order in the step: left out,
//! a rocking block climbs on its chords. They are computed for the motion that the blocks had so far; that the step itself
//! changes it matters in third order only, but for impacts, where it is one step's worth.

use drystone_cone::{FIXED, StepProblem};
use drystone_geometry::{ContactSet, DVec3, Meeting};

use crate::assemble::SupportVelocity;
use crate::contacts::to_local;
use crate::state::State;

/// One side of a contact point in motion.
#[derive(Debug, Clone, Copy)]
struct Side {
    /// Rotation vector of the block over the step, rad.
    turn: DVec3,
    /// Its displacement over the step, m.
    shift: DVec3,
    /// The antagonist point relative to its centroid, m.
    point: DVec3,
    /// The point half-way between both antagonists relative to it, m.
    middle: DVec3,
}

impl Side {
    /// What the path of the point adds to that of the middle in linear motion, m.
    fn beyond(&self) -> DVec3 {
        turned_by(self.turn, self.point) - self.turn.cross(self.middle)
    }

    /// Displacement of the middle in linear motion, m.
    fn linear(&self) -> DVec3 {
        self.shift + self.turn.cross(self.middle)
    }
}

/// `(exp(p) - 1) r`, without the loss of digits that a difference of positions has.
fn turned_by(p: DVec3, r: DVec3) -> DVec3 {
    let half = 0.5 * p.length();
    if half == 0.0 {
        return DVec3::ZERO;
    }
    let sinc = half.sin() / half;
    let once = p.cross(r);
    sinc * half.cos() * once + 0.5 * sinc * sinc * p.cross(once)
}

/// The vector `e` of equation (6.4): what the distance of two antagonist points, seen from the block whose face is met, changes by
/// beyond `dt` times the linear relative velocity, m.
fn beyond(sides: &[Side; 2], meeting: Meeting, distance: DVec3) -> DVec3 {
    let [a, b] = sides;
    let frame = match meeting {
        Meeting::VertexOfA => b.turn,
        Meeting::VertexOfB => a.turn,
        Meeting::Edges => 0.5 * (a.turn + b.turn),
    };
    let bent = b.beyond() - a.beyond();
    let carried = distance + b.linear() - a.linear() + bent;
    bent + turned_by(-frame, carried)
}

/// Adds the curvature of the paths to the offsets of all contacts. `velocities` are those before the step, per block.
pub(crate) fn add_curvature(
    state: &State,
    velocities: impl Fn(usize) -> (DVec3, DVec3),
    supports: &[SupportVelocity],
    contacts: &ContactSet,
    dt: f64,
    problem: &mut StepProblem,
) {
    for manifold in &contacts.manifolds {
        let first = manifold.first as usize;
        for (k, point) in contacts.points_of(manifold).iter().enumerate() {
            let contact = &mut problem.contacts[first + k];
            let middle = point.midpoint();
            let side = |side: usize, block: u32, on: DVec3| {
                let block = block as usize;
                let centre = state.poses[block].position;
                let (v, w) = if contact.bodies[side] == FIXED {
                    supports[block].rates()
                } else {
                    velocities(block)
                };
                Side {
                    turn: w * dt,
                    shift: v * dt,
                    point: on - centre,
                    middle: middle - centre,
                }
            };
            let sides = [
                side(0, manifold.a, point.on_a),
                side(1, manifold.b, point.on_b),
            ];
            if sides.iter().all(|side| side.turn == DVec3::ZERO) {
                continue;
            }
            let e = beyond(&sides, point.id.meeting(), point.on_b - point.on_a);
            let local = to_local(&contact.frame, e / dt);
            for (offset, e) in contact.offset.iter_mut().zip(local) {
                *offset += e;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::exp_rotation;
    use drystone_geometry::{Detector, Polyhedron, Pose};

    /// A block and its motion.
    struct Moving {
        shape: Polyhedron,
        pose: Pose,
        velocity: DVec3,
        spin: DVec3,
    }

    impl Moving {
        fn after(&self, dt: f64) -> Pose {
            Pose {
                position: self.pose.position + dt * self.velocity,
                rotation: exp_rotation(dt * self.spin) * self.pose.rotation,
            }
        }
    }

    fn cuboid(half: DVec3) -> Polyhedron {
        Polyhedron::cuboid(-half, half).unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// Distance of the antagonists of the first point of the first manifold after `dt`: found anew, and forecast from the
    /// start, with and without curvature.
    fn gaps(blocks: &[Moving; 2], dt: f64) -> ([f64; 3], Meeting) {
        let shapes = blocks.iter().map(|block| vec![block.shape.clone()]);
        let mut detector = Detector::new(shapes.collect(), vec![false; 2]);
        let poses = blocks.each_ref().map(|block| block.pose);
        let contacts = detector.detect(&poses, &[0.02; 2]).clone();
        let (manifold, point) = (&contacts.manifolds[0], &contacts.points[0]);
        let sides = [(0, point.on_a), (1, point.on_b)].map(|(i, on): (usize, DVec3)| {
            let block: &Moving = &blocks[i];
            Side {
                turn: dt * block.spin,
                shift: dt * block.velocity,
                point: on - block.pose.position,
                middle: point.midpoint() - block.pose.position,
            }
        });
        let meeting = point.id.meeting();
        let linear = point.gap + manifold.normal.dot(sides[1].linear() - sides[0].linear());
        let e = beyond(&sides, meeting, point.on_b - point.on_a);
        let poses = blocks.each_ref().map(|block| block.after(dt));
        let later = detector.detect(&poses, &[0.02; 2]);
        let same = later.points.iter().find(|later| later.id == point.id);
        let found = same.map_or(f64::NAN, |point| point.gap);
        ([found, linear + manifold.normal.dot(e), linear], meeting)
    }

    /// The forecast with curvature errs in third order, the linear one in second order.
    fn holds_to_third_order(blocks: &[Moving; 2], wanted: Meeting) {
        let error = |dt: f64| {
            let ([found, bent, linear], meeting) = gaps(blocks, dt);
            assert_eq!(meeting, wanted);
            ((found - bent).abs(), (found - linear).abs())
        };
        let ((coarse, coarse_linear), (fine, fine_linear)) = (error(2e-3), error(1e-3));
        assert!(
            (coarse_linear / fine_linear - 4.0).abs() < 0.2,
            "the motion must bend: {coarse_linear} {fine_linear}"
        );
        assert!(
            coarse / fine > 7.0 || coarse < 1e-13,
            "{coarse} {fine}, linear {coarse_linear}"
        );
    }

    /// A brick over a slab, on one corner.
    fn on_a_corner(slab_first: bool) -> [Moving; 2] {
        let slab = Moving {
            shape: cuboid(DVec3::new(2.0, 2.0, 0.2)),
            pose: Pose {
                position: DVec3::ZERO,
                rotation: exp_rotation(DVec3::new(0.02, -0.03, 0.4)),
            },
            velocity: DVec3::new(0.3, -0.2, 0.1),
            spin: DVec3::new(1.1, -0.7, 0.9),
        };
        let mut brick = Moving {
            shape: cuboid(DVec3::new(0.2, 0.3, 0.4)),
            pose: Pose {
                position: DVec3::ZERO,
                rotation: exp_rotation(DVec3::new(0.3, 0.4, -0.2)),
            },
            velocity: DVec3::new(-0.4, 0.5, 0.2),
            spin: DVec3::new(-2.0, 1.5, 0.8),
        };
        let up = slab.pose.rotation * DVec3::Z;
        let lowest = brick
            .shape
            .vertices()
            .iter()
            .map(|&v| (brick.pose.rotation * v).dot(up))
            .fold(f64::INFINITY, f64::min);
        // A millimetre apart.
        brick.pose.position = (0.201 - lowest) * up;
        if slab_first {
            [slab, brick]
        } else {
            [brick, slab]
        }
    }

    #[test]
    fn a_corner_over_a_turning_face() {
        holds_to_third_order(&on_a_corner(true), Meeting::VertexOfB);
        holds_to_third_order(&on_a_corner(false), Meeting::VertexOfA);
    }

    /// Two bars whose edges cross, with the given velocity and spin of the upper one relative to the common motion.
    fn crossed(slip: DVec3, spin: DVec3) -> [Moving; 2] {
        let edge_up = exp_rotation(DVec3::X * std::f64::consts::FRAC_PI_4);
        let bar = |turn: f64| Moving {
            shape: cuboid(DVec3::new(1.0, 0.1, 0.1)),
            pose: Pose {
                position: DVec3::ZERO,
                rotation: exp_rotation(DVec3::Z * turn) * edge_up,
            },
            velocity: DVec3::ZERO,
            spin: DVec3::new(0.6, -0.8, 1.3),
        };
        let (mut low, mut high) = (bar(0.0), bar(1.1));
        let reach = 0.1 * std::f64::consts::SQRT_2;
        high.pose.position = DVec3::new(0.1, -0.05, 2.0 * reach + 1e-6);
        high.spin += spin;
        low.velocity = DVec3::new(0.2, 0.1, -0.3);
        // The points where the edges cross move together, up to the slip.
        let crossing = DVec3::new(high.pose.position.x, 0.0, reach);
        let crossing = crossing + DVec3::X * 0.05 / 1.1f64.tan();
        let at = low.velocity + low.spin.cross(crossing);
        high.velocity = at - high.spin.cross(crossing - high.pose.position) + slip;
        [low, high]
    }

    #[test]
    fn edges_that_cross_and_roll_on_each_other() {
        holds_to_third_order(
            &crossed(DVec3::ZERO, DVec3::new(0.9, 0.5, -1.0)),
            Meeting::Edges,
        );
    }

    #[test]
    fn edges_that_slip_turn_by_the_mean() {
        // With slip and different spins the common normal turns by more than the mean of both: half of the second order is left.
        let blocks = crossed(DVec3::new(0.4, -0.3, 0.0), DVec3::new(0.9, 0.5, -1.0));
        let ([found, bent, linear], _) = gaps(&blocks, 1e-3);
        assert!((found - bent).abs() < 0.6 * (found - linear).abs().max(1e-6));
        // Turning together they have no such difference.
        holds_to_third_order(
            &crossed(DVec3::new(0.4, -0.3, 0.0), DVec3::ZERO),
            Meeting::Edges,
        );
    }

    #[test]
    fn blocks_that_do_not_turn_have_straight_paths() {
        let [mut slab, mut brick] = on_a_corner(true);
        (slab.spin, brick.spin) = (DVec3::ZERO, DVec3::ZERO);
        let ([found, bent, linear], _) = gaps(&[slab, brick], 1e-3);
        assert_eq!(bent, linear);
        assert!((found - bent).abs() < 1e-15);
    }
}
