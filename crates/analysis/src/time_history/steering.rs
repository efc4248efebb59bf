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

/// Forces and motions that a program sets between steps, beside those of the model. Nothing is set at first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Steering {
    /// Force and couple per block; empty: none.
    forces: Vec<(DVec3, DVec3)>,
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
    /// Sets force and couple about the centroid per block, N and N m, from now on.
    pub fn set_forces(&mut self, forces: Vec<(DVec3, DVec3)>) {
        self.forces = forces;
    }

    /// Force and couple on a block, N and N m.
    pub fn force(&self, block: usize) -> (DVec3, DVec3) {
        let force = self.forces.get(block).copied();
        force.unwrap_or((DVec3::ZERO, DVec3::ZERO))
    }

    /// Lets the ground accelerate from `time` on, m/s², beside the motions of the model.
    pub fn set_ground_acceleration(&mut self, time: f64, acceleration: DVec3) {
        let course = GroundCourse {
            since: time,
            displacement: self.ground(time),
            velocity: self.ground_velocity(time),
            acceleration,
        };
        begin(&mut self.ground, |course| course.since, course);
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

    /// The first time from `from` to before `to` at which the acceleration of the ground changes.
    pub(super) fn jump(&self, from: f64, to: f64) -> Option<f64> {
        let mut before = DVec3::ZERO;
        for course in &self.ground {
            if course.acceleration != before && course.since >= from && course.since < to {
                return Some(course.since);
            }
            before = course.acceleration;
        }
        None
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
