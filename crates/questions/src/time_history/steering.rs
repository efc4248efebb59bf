//! What somebody changes between two steps: forces on blocks, the motion of the ground and of supports.

use drystone_geometry::{DQuat, DVec3, Pose};
use drystone_mechanics::exp_rotation;
use serde::{Deserialize, Serialize};

/// Steps look back at most one step, which may be cut in pieces; older courses are forgotten.
const KEPT: usize = 16;

/// From `since` on, the ground moves with constant acceleration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct GroundCourse {
    since: f64,
    displacement: DVec3,
    velocity: DVec3,
    acceleration: DVec3,
    /// Steps that it has lasted.
    steps: u64,
}

impl GroundCourse {
    fn displacement(&self, time: f64) -> DVec3 {
        let t = time - self.since;
        self.displacement + t * (self.velocity + 0.5 * t * self.acceleration)
    }

    fn velocity(&self, time: f64) -> DVec3 {
        self.velocity + (time - self.since) * self.acceleration
    }
}

/// From `since` on, a support moves with constant velocity and turns about its centroid with constant angular velocity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SupportCourse {
    since: f64,
    displacement: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    angular_velocity: DVec3,
}

impl SupportCourse {
    fn displacement(&self, time: f64) -> DVec3 {
        self.displacement + (time - self.since) * self.velocity
    }

    fn rotation(&self, time: f64) -> DQuat {
        exp_rotation((time - self.since) * self.angular_velocity) * self.rotation
    }
}

/// From `since` on, these forces and couples act, one pair per block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ForceCourse {
    since: f64,
    forces: Vec<(DVec3, DVec3)>,
}

/// Forces and motions that a program sets between steps, beside those of the model. Nothing is set at first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Steering {
    forces: Vec<ForceCourse>,
    ground: Vec<GroundCourse>,
    /// Supports that were moved, by block.
    supports: Vec<(usize, Vec<SupportCourse>)>,
}

/// The course that holds at a time: the last one that had begun.
fn holding<C>(courses: &[C], since: impl Fn(&C) -> f64, time: f64) -> Option<&C> {
    courses.iter().rev().find(|course| since(course) <= time)
}

/// Adds a course, in place of one that began at the same time.
fn begin<C>(courses: &mut Vec<C>, since: impl Fn(&C) -> f64, course: C) {
    if courses
        .last()
        .is_some_and(|last| since(last) >= since(&course))
    {
        courses.pop();
    }
    if courses.len() == KEPT {
        courses.remove(0);
    }
    courses.push(course);
}

impl Steering {
    /// Sets force and couple about the centroid per block, N and N m, from `time` on.
    pub fn set_forces(&mut self, time: f64, forces: Vec<(DVec3, DVec3)>) {
        let course = ForceCourse {
            since: time,
            forces,
        };
        begin(&mut self.forces, |course| course.since, course);
    }

    /// The force and couple on a block that were set last, N and N m.
    pub fn force(&self, block: usize) -> (DVec3, DVec3) {
        let last = self.forces.last();
        let force = last.and_then(|course| course.forces.get(block).copied());
        force.unwrap_or((DVec3::ZERO, DVec3::ZERO))
    }

    /// Their mean from one time to another. A staggered scheme asks from half a step ago, so that a force that is set now acts from now on.
    pub(super) fn mean_force(&self, block: usize, from: f64, to: f64) -> (DVec3, DVec3) {
        let mut mean = (DVec3::ZERO, DVec3::ZERO);
        let mut end = to;
        for course in self.forces.iter().rev() {
            let share = (end - course.since.max(from)).max(0.0) / (to - from);
            if let Some(&(force, couple)) = course.forces.get(block) {
                mean.0 += share * force;
                mean.1 += share * couple;
            }
            end = end.min(course.since);
            if end <= from {
                break;
            }
        }
        mean
    }

    /// The ground accelerates or a support moves, until something else is set.
    pub(super) fn moves(&self) -> bool {
        let ground = self.ground.last();
        let ground = ground.is_some_and(|course| course.acceleration != DVec3::ZERO);
        let mut supports = self
            .supports
            .iter()
            .filter_map(|(_, courses)| courses.last());
        ground
            || supports.any(|course| {
                course.velocity != DVec3::ZERO || course.angular_velocity != DVec3::ZERO
            })
    }

    /// Lets the ground accelerate from `time` on, m/s², beside the motions of the model.
    pub fn set_ground_acceleration(&mut self, time: f64, acceleration: DVec3) {
        let course = GroundCourse {
            since: time,
            displacement: self.ground(time),
            velocity: self.ground_velocity(time),
            acceleration,
            steps: 0,
        };
        begin(&mut self.ground, |course| course.since, course);
    }

    /// The acceleration of the ground that was set last, m/s².
    pub fn ground_acceleration(&self) -> DVec3 {
        let last = self.ground.last();
        last.map_or(DVec3::ZERO, |course| course.acceleration)
    }

    /// Lets a support move and turn from `time` on, m/s and rad/s relative to the ground.
    pub fn set_support_velocity(
        &mut self,
        time: f64,
        block: usize,
        velocity: DVec3,
        angular_velocity: DVec3,
    ) {
        let (displacement, rotation) = self
            .course(block, time)
            .map_or((DVec3::ZERO, DQuat::IDENTITY), |course| {
                (course.displacement(time), course.rotation(time))
            });
        let course = SupportCourse {
            since: time,
            displacement,
            rotation,
            velocity,
            angular_velocity,
        };
        match self.supports.iter_mut().find(|(of, _)| *of == block) {
            Some((_, courses)) => begin(courses, |course| course.since, course),
            None => self.supports.push((block, vec![course])),
        }
    }

    /// Displacement of the ground, m.
    pub(super) fn ground(&self, time: f64) -> DVec3 {
        let course = holding(&self.ground, |course| course.since, time);
        course.map_or(DVec3::ZERO, |course| course.displacement(time))
    }

    fn ground_velocity(&self, time: f64) -> DVec3 {
        let course = holding(&self.ground, |course| course.since, time);
        course.map_or(DVec3::ZERO, |course| course.velocity(time))
    }

    /// Takes note that a step was taken, whole.
    pub(super) fn stepped(&mut self) {
        if let Some(course) = self.ground.last_mut() {
            course.steps += 1;
        }
    }

    /// The first time from `from` to before `to` at which the acceleration of the ground jumps.
    ///
    /// A program that follows a smooth signal sets another acceleration in every step. That is no jump: it goes on as it changed before. Whether one is
    /// set in every step is counted, because times do not tell: steps are cut in pieces, and their lengths change.
    pub(super) fn jump(&self, from: f64, to: f64) -> Option<f64> {
        let found = self.ground.iter().enumerate().find(|(k, course)| {
            let before = |back: usize| k.checked_sub(back).map(|j| &self.ground[j]);
            let last = before(1).map_or(DVec3::ZERO, |course| course.acceleration);
            let change = course.acceleration - last;
            let smooth = match (before(1), before(2)) {
                (Some(one), Some(two)) if one.steps == 1 && two.steps == 1 => {
                    let usual = one.acceleration - two.acceleration;
                    // It changes by less than before where the step is shorter or the signal bends, and up to twice as much where the step is longer.
                    let part = change.dot(usual) / usual.length_squared();
                    let expected = if part.is_finite() {
                        part.clamp(0.0, 1.0) * usual
                    } else {
                        usual
                    };
                    // At a peak of the signal it hardly changes: there it is its size that counts.
                    let room = (0.5 * change.length()).max(0.05 * last.length());
                    (change - expected).length() <= room
                }
                _ => false,
            };
            course.since >= from && course.since < to && change != DVec3::ZERO && !smooth
        });
        found.map(|(_, course)| course.since)
    }

    /// A support moved from where the model has it.
    pub(super) fn support(&self, block: usize, pose: Pose, time: f64) -> Pose {
        self.course(block, time).map_or(pose, |course| Pose {
            position: pose.position + course.displacement(time),
            rotation: (course.rotation(time) * pose.rotation).normalize(),
        })
    }

    fn course(&self, block: usize, time: f64) -> Option<&SupportCourse> {
        let (_, courses) = self.supports.iter().find(|(of, _)| *of == block)?;
        holding(courses, |course| course.since, time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_goes_on_where_it_was() {
        let mut steering = Steering::default();
        steering.set_ground_acceleration(1.0, DVec3::X);
        steering.set_ground_acceleration(3.0, -DVec3::X);
        // Two seconds at 1 m/s² and one at -1 m/s²: 2 m, then 2·1 - 1/2.
        assert_eq!(steering.ground(3.0).x, 2.0);
        assert_eq!(steering.ground(4.0).x, 3.5);
        assert_eq!(steering.ground(2.0).x, 0.5);
        assert_eq!(steering.ground(0.5).x, 0.0);
        assert_eq!(steering.jump(0.0, 1.0), None);
        assert_eq!(steering.jump(1.0, 2.0), Some(1.0));
        assert_eq!(steering.jump(2.5, 4.0), Some(3.0));
    }

    /// Follows `sin 3t` to 2 s in steps of these lengths, each cut in as many pieces; returns how many pieces begin with a jump.
    fn jumps(steering: &mut Steering, lengths: impl Fn(u32) -> f64, pieces: u32) -> usize {
        let (mut time, mut jumps) = (0.0, 0);
        for k in 0.. {
            let dt = lengths(k);
            if time + dt > 2.0 {
                break;
            }
            steering.set_ground_acceleration(time, DVec3::X * (3.0 * (time + dt)).sin());
            for piece in 0..pieces {
                let at = |part: u32| time + dt * f64::from(part) / f64::from(pieces);
                jumps += usize::from(steering.jump(at(piece), at(piece + 1)).is_some());
            }
            steering.stepped();
            time += dt;
        }
        steering.set_ground_acceleration(2.0, DVec3::X * 5.0);
        assert_eq!(steering.jump(2.0, 2.01), Some(2.0));
        jumps
    }

    /// Whole steps, steps cut in pieces, steps that grow and shrink by half from one to the next.
    #[test]
    fn a_signal_that_is_followed_step_by_step_jumps_only_where_it_begins() {
        let uneven = |k: u32| 0.002 * 1.5_f64.powf(f64::from((k % 8).abs_diff(4)));
        for pieces in [1, 2, 8] {
            for found in [
                jumps(&mut Steering::default(), |_| 0.01, pieces),
                jumps(&mut Steering::default(), uneven, pieces),
            ] {
                // The second one too: two values have no direction yet.
                assert!(found <= 2, "{found} jumps in {pieces} pieces");
            }
        }
    }

    /// Stairs jump at every tread that lasts longer than a step, however even they are.
    #[test]
    fn stairs_jump() {
        let mut steering = Steering::default();
        for k in 0..10 {
            let time = f64::from(k);
            steering.set_ground_acceleration(time, DVec3::X * (time + 1.0));
            assert_eq!(steering.jump(time, time + 0.5), Some(time));
            steering.stepped();
            assert_eq!(steering.jump(time + 0.5, time + 1.0), None);
            steering.stepped();
        }
    }

    #[test]
    fn a_force_acts_from_when_it_is_set() {
        let mut steering = Steering::default();
        steering.set_forces(1.0, vec![(DVec3::X, DVec3::Y)]);
        steering.set_forces(2.0, vec![(3.0 * DVec3::X, DVec3::ZERO)]);
        assert_eq!(steering.mean_force(0, 1.5, 2.5).0, 2.0 * DVec3::X);
        assert_eq!(steering.mean_force(0, 0.0, 2.0).0, 0.5 * DVec3::X);
        assert_eq!(steering.mean_force(0, 0.0, 2.0).1, 0.5 * DVec3::Y);
        assert_eq!(steering.mean_force(0, 2.0, 3.0).0, 3.0 * DVec3::X);
        assert_eq!(steering.mean_force(1, 2.0, 3.0).0, DVec3::ZERO);
        assert_eq!(steering.force(0).0, 3.0 * DVec3::X);
    }

    #[test]
    fn the_last_word_at_one_time_holds_and_old_courses_are_forgotten() {
        let mut steering = Steering::default();
        for k in 0..100 {
            steering.set_support_velocity(f64::from(k), 3, DVec3::Y, DVec3::ZERO);
            steering.set_support_velocity(f64::from(k), 3, DVec3::Z, DVec3::ZERO);
        }
        let pose = steering.support(3, Pose::at(DVec3::ZERO), 100.0);
        assert_eq!(pose.position, DVec3::new(0.0, 0.0, 100.0));
        assert_eq!(steering.supports[0].1.len(), KEPT);
        assert_eq!(
            steering.support(2, Pose::at(DVec3::X), 5.0),
            Pose::at(DVec3::X)
        );
    }
}
