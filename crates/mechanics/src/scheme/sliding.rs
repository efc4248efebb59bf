//! Friction of sliding contacts in a staggered scheme, equation (6.15).
//!
//! Friction opposes the slip that the step problem knows, that in the middle of this step. The kick lasts from the middle of the last step to the middle of this one, and
//! where the slip turns, its friction should have the direction that the slip has in between: half a turn earlier. The mean of both slips in place of the new one would do that,
//! but what sticks in the mean trembles. What is added to the slip is therefore across the one that is expected, and as much as turns it half-way back: nothing where a block slides
//! straight on, and nothing where friction may hold it.

use drystone_cone::{FIXED, StepProblem};
use drystone_geometry::{ContactSet, DVec3};

use crate::assemble::SupportVelocity;
use crate::contacts::to_local;

/// What is known of a step besides its problem.
pub(crate) struct Course<'c> {
    /// Velocity per body in the step before, m/s and rad/s.
    pub before: &'c [[f64; 6]],
    /// Velocity per body that is expected of this step, m/s and rad/s.
    pub expected: &'c [[f64; 6]],
    /// Whether the motion of the body is smooth, so that it may be expected to go on.
    pub smooth: &'c [bool],
    /// Impulse per contact in the step before, in proportion to the length of this one, local components, N s.
    pub impulse: &'c [[f64; 3]],
    /// Of supports, in the step before and in this one.
    pub supports: [&'c [SupportVelocity]; 2],
    /// Length of the step before over that of this one.
    pub ratio: f64,
}

/// Turns the friction of sliding contacts to the direction that their slip has in the middle of the kick.
pub(crate) fn centre_friction(
    contacts: &ContactSet,
    course: &Course<'_>,
    problem: &mut StepProblem,
) {
    for manifold in &contacts.manifolds {
        let first = manifold.first as usize;
        for (k, point) in contacts.points_of(manifold).iter().enumerate() {
            let contact = &problem.contacts[first + k];
            let pressed = course.impulse[first + k][0];
            let smooth = |&body: &u32| body == FIXED || course.smooth[body as usize];
            // Springs follow their stretch, and are centred by it.
            let rigid = contact.compliance == [0.0; 2];
            if pressed <= 0.0 || !rigid || !contact.bodies.iter().all(smooth) {
                continue;
            }
            let [support_before, support] = course.supports.map(|supports| {
                let mut slip = DVec3::ZERO;
                for (block, side, sign) in [(manifold.a, 0, -1.0), (manifold.b, 1, 1.0)] {
                    if contact.bodies[side] == FIXED {
                        slip += sign * supports[block as usize].at(point.midpoint());
                    }
                }
                to_local(&contact.frame, slip)
            });
            let before = problem.relative_velocity(contact, course.before);
            let expected = problem.relative_velocity(contact, course.expected);
            // Behind, the path bends the other way than ahead.
            let last = [1, 2].map(|k| {
                before[k] + support_before[k] - course.ratio * (contact.offset[k] - support[k])
            });
            let expected = [1, 2].map(|k| expected[k] + contact.offset[k]);
            let held = contact.friction * pressed * problem.delassus_diagonal(contact)[1];
            let [x, y] = half_turn(last, expected, held);
            let offset = &mut problem.contacts[first + k].offset;
            offset[1] += x;
            offset[2] += y;
        }
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// What has to be added to a slip, across it, so that it points half-way back to the `last` one; nothing if friction may stop either of them, which it can from the speed
/// `held`. The factors that fade it out differ from one by squares of the step.
fn half_turn(last: [f64; 2], slip: [f64; 2], held: f64) -> [f64; 2] {
    let (onward, slow) = (dot(last, slip), dot(last, last).min(dot(slip, slip)));
    if onward <= 0.0 || slow <= held * held {
        return [0.0; 2];
    }
    let speed = dot(slip, slip);
    let sure = 1.0 - held * held / slow;
    let straight = onward * onward / (speed * dot(last, last));
    let part = sure * straight * speed / (speed + onward);
    [0, 1].map(|k| part * (last[k] - onward / speed * slip[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(speed: f64, angle: f64) -> [f64; 2] {
        [speed * angle.cos(), speed * angle.sin()]
    }

    fn angle(v: [f64; 2]) -> f64 {
        v[1].atan2(v[0])
    }

    /// The slip with what is added to it points where the mean of both slips does, whatever their speeds; what the fading costs is of higher order in the turn.
    #[test]
    fn a_slip_that_turns_gets_the_direction_of_the_mean() {
        for (speed, turn) in [(1.0, 0.01), (0.7, -0.02), (1.3, 0.04)] {
            let (last, slip) = (at(1.0, 0.3), at(speed, 0.3 + turn));
            let added = half_turn(last, slip, 0.0);
            assert!(dot(added, slip).abs() < 1e-15, "across: {added:?}");
            let found = angle([slip[0] + added[0], slip[1] + added[1]]);
            let wanted = angle([slip[0] + last[0], slip[1] + last[1]]);
            let error = (found - wanted).abs();
            assert!(error < turn.abs().powi(3), "{speed}, {turn}: {error:e}");
        }
    }

    #[test]
    fn straight_reversed_and_slow_slips_get_nothing() {
        let none = [0.0; 2];
        assert_eq!(half_turn([2.0, 0.0], [1.5, 0.0], 0.1), none);
        assert_eq!(half_turn([0.2, 0.0], [-0.1, 0.05], 0.0), none);
        assert_eq!(half_turn(none, [1.0, 0.0], 0.0), none);
        assert_eq!(half_turn([1.0, 0.0], none, 0.0), none);
        // Friction may hold either of them.
        assert_eq!(half_turn(at(0.9, 0.0), at(1.1, 0.5), 1.0), none);
        assert_eq!(half_turn(at(1.1, 0.0), at(0.9, 0.5), 1.0), none);
        // It sets in gradually, with speed and before a right angle.
        let just = half_turn(at(1.001, 0.0), at(1.001, 0.5), 1.0);
        assert!(dot(just, just).sqrt() < 1e-3, "{just:?}");
        let sharp = half_turn(at(1.0, 0.0), at(1.0, 1.57), 0.0);
        assert!(dot(sharp, sharp).sqrt() < 1e-5, "{sharp:?}");
    }

    /// What sticks in a step is displaced by what was added. It is less than half of the last slip, so that nothing builds up.
    #[test]
    fn less_than_half_of_the_last_slip_is_added() {
        for k in 0..200 {
            for ratio in [1e-3, 0.1, 1.0, 10.0, 1e3] {
                let added = half_turn(at(1.0, 0.0), at(ratio, 0.01 * f64::from(k)), 0.0);
                assert!(dot(added, added).sqrt() <= 0.5, "{k}, {ratio}: {added:?}");
            }
        }
    }
}
