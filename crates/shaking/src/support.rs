//! Settlements: supports that move to a new place relative to the ground.

use crate::{Motion, MotionKind};
use drystone_geometry::{DQuat, DVec3, Pose};

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
            MotionKind::Pulse { .. }
            | MotionKind::Record { .. }
            | MotionKind::Stochastic { .. }
            | MotionKind::CodeSpectrum { .. } => None,
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

    /// Time after which they stay, s.
    pub fn end(&self) -> f64 {
        self.duration
    }

    /// The part of the way done, 0 to 1.
    fn progress(&self, time: f64) -> f64 {
        if time <= 0.0 {
            0.0
        } else if time >= self.duration {
            1.0
        } else {
            (0.5 * std::f64::consts::PI * time / self.duration)
                .sin()
                .powi(2)
        }
    }

    /// How far the supports have moved.
    pub fn offset(&self, time: f64) -> Offset {
        let part = self.progress(time);
        Offset {
            displacement: part * self.displacement,
            rotation: part * self.rotation,
            centre: self.centre,
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
        }
    }

    #[test]
    fn moves_rigidly_and_starts_and_ends_without_speed() {
        let settlement = settlement();
        let start = Pose::at(DVec3::new(-0.5, 0.3, 4.0));
        let place = |t, local| settlement.offset(t).apply(&start).transform(local);
        let (p, q) = (DVec3::new(0.2, -0.1, 0.4), DVec3::new(-0.3, 0.5, 0.1));
        for t in [0.1, 0.7, 1.0, 1.9, 2.0] {
            // Rounding of coordinates of a few metres.
            assert!(((place(t, p) - place(t, q)).length() - (p - q).length()).abs() < 1e-14);
        }
        let h = 1e-4;
        for (t, u) in [(0.0, h), (2.0 - h, 2.0)] {
            // Half a cosine wave leaves at most pi² h / (4 T²) of the way per second.
            assert!((place(u, p) - place(t, p)).length() / h < 1e-4);
        }
    }
}
