//! Settlements: supports that move to a new place relative to the ground.

use drystone_geometry::{DQuat, DVec3, Pose};
use drystone_model::{Motion, MotionKind};

use super::ExcitationError;

/// Supports that move together, along half a cosine wave in time, and then stay.
///
/// With `s(t) = (1 - cos(pi t / T)) / 2` they turn by `s` times the rotation vector about the centre and are displaced
/// by `s` times the displacement.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportMotion {
    supports: Vec<usize>,
    displacement: DVec3,
    rotation: DVec3,
    centre: DVec3,
    duration: f64,
}

/// How far supports have moved from their initial place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Offset {
    /// m.
    pub displacement: DVec3,
    /// Rotation vector, rad.
    pub rotation: DVec3,
    /// Point about which they turned, in its initial place, m.
    pub centre: DVec3,
}

impl Offset {
    /// A pose carried along by the offset.
    pub fn apply(&self, pose: &Pose) -> Pose {
        let turn = DQuat::from_scaled_axis(self.rotation);
        Pose {
            position: self.centre + turn * (pose.position - self.centre) + self.displacement,
            rotation: (turn * pose.rotation).normalize(),
        }
    }
}

/// Velocities of moving supports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    /// Of the centre, m/s.
    pub velocity: DVec3,
    /// rad/s.
    pub angular_velocity: DVec3,
    /// Present place of the centre, m.
    pub centre: DVec3,
}

impl Twist {
    /// Velocity of a point that moves along, given by its present place, m/s.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(point - self.centre)
    }
}

impl SupportMotion {
    /// The settlement that a motion describes; `None` for ground motions.
    pub fn from_motion(motion: &Motion) -> Option<Self> {
        match &motion.kind {
            MotionKind::Settlement {
                supports,
                displacement,
                rotation,
                centre,
                duration,
            } => Some(Self {
                supports: supports.clone(),
                displacement: *displacement,
                rotation: *rotation,
                centre: *centre,
                duration: *duration,
            }),
            MotionKind::Pulse { .. } | MotionKind::Record { .. } => None,
        }
    }

    /// The settlements among the `chosen` ones of a model's motions.
    pub fn all(motions: &[Motion], chosen: &[usize]) -> Result<Vec<Self>, ExcitationError> {
        let mut settlements = Vec::new();
        for &index in chosen {
            let motion = motions.get(index).ok_or(ExcitationError::NoSuchMotion {
                index,
                count: motions.len(),
            })?;
            settlements.extend(Self::from_motion(motion));
        }
        Ok(settlements)
    }

    /// Indices of the blocks that move.
    pub fn supports(&self) -> &[usize] {
        &self.supports
    }

    /// Time from which the supports stay where they are, s.
    pub fn end(&self) -> f64 {
        self.duration.max(0.0)
    }

    /// The part of the way done, 0 to 1, and its rate, 1/s.
    fn progress(&self, time: f64) -> (f64, f64) {
        if time <= 0.0 {
            (0.0, 0.0)
        } else if time >= self.duration {
            (1.0, 0.0)
        } else {
            let rate = std::f64::consts::PI / self.duration;
            let (half_sine, half_cosine) = (0.5 * rate * time).sin_cos();
            (half_sine * half_sine, rate * half_sine * half_cosine)
        }
    }

    /// How far the supports have moved.
    pub fn offset(&self, time: f64) -> Offset {
        let (part, _) = self.progress(time);
        Offset {
            displacement: part * self.displacement,
            rotation: part * self.rotation,
            centre: self.centre,
        }
    }

    /// How fast the supports move.
    pub fn twist(&self, time: f64) -> Twist {
        let (part, rate) = self.progress(time);
        Twist {
            velocity: rate * self.displacement,
            // The axis is fixed, so the rate of the rotation vector is the angular velocity.
            angular_velocity: rate * self.rotation,
            centre: self.centre + part * self.displacement,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settlement() -> SupportMotion {
        let motion = Motion {
            name: "settle".into(),
            kind: MotionKind::Settlement {
                supports: vec![2, 5],
                displacement: DVec3::new(0.02, 0.0, -0.05),
                rotation: DVec3::new(0.0, 0.1, 0.03),
                centre: DVec3::new(1.0, 2.0, 3.0),
                duration: 2.0,
            },
        };
        SupportMotion::all(&[motion], &[0]).unwrap().remove(0)
    }

    #[test]
    fn goes_from_start_to_end_and_stays() {
        let settlement = settlement();
        assert_eq!(settlement.supports(), [2, 5]);
        assert_eq!(settlement.offset(-1.0).displacement, DVec3::ZERO);
        assert_eq!(settlement.offset(0.0).rotation, DVec3::ZERO);
        let half = settlement.offset(1.0).displacement;
        assert!((half - DVec3::new(0.01, 0.0, -0.025)).length() < 1e-17);
        for t in [2.0, 9.0] {
            assert_eq!(
                settlement.offset(t).displacement,
                DVec3::new(0.02, 0.0, -0.05)
            );
            assert_eq!(settlement.twist(t).velocity, DVec3::ZERO);
        }
    }

    #[test]
    fn velocities_are_the_rates_of_places() {
        let settlement = settlement();
        let start = Pose::at(DVec3::new(-0.5, 0.3, 4.0));
        let local = DVec3::new(0.2, -0.1, 0.4);
        let h = 1e-5;
        for t in [0.1, 0.7, 1.0, 1.9] {
            let place = |t| settlement.offset(t).apply(&start).transform(local);
            let difference = (place(t + h) - place(t - h)) / (2.0 * h);
            // Truncation ~ h², rounding ~ 1e-16 * 4 / h.
            let rate = settlement.twist(t).velocity_at(place(t));
            assert!((difference - rate).length() < 1e-9, "at {t}");
        }
    }

    #[test]
    fn no_duration_is_a_jump_without_velocity() {
        let mut settlement = settlement();
        settlement.duration = 0.0;
        assert_eq!(settlement.offset(0.0).displacement, DVec3::ZERO);
        assert_eq!(settlement.offset(1e-9).displacement.z, -0.05);
        assert_eq!(settlement.twist(1e-9).velocity, DVec3::ZERO);
    }
}
