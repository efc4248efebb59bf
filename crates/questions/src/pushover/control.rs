//! The displacement that a pushover is told by.

use drystone_geometry::{DVec3, Pose};
use drystone_model::{ControlPoint, Model, Pushover};

use super::loads::Loads;
use super::motion::Mechanism;

/// Points whose mean displacement along a direction is followed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Control {
    points: Vec<ControlPoint>,
    pub direction: DVec3,
    /// Where they are at first.
    start: Vec<DVec3>,
}

impl Control {
    /// The points that were asked for, or the one that is fastest along the direction in the first mechanism. It then stays: a point that
    /// changes would make the curve jump.
    pub fn new(
        model: &Model,
        settings: &Pushover,
        loads: &Loads,
        poses: &[Pose],
        first: &Mechanism,
    ) -> Self {
        let along = settings
            .control_direction
            .or(settings.growing.body)
            .or(loads.resultant().try_normalize());
        let mut points = settings.controls.clone();
        let direction = along.unwrap_or(DVec3::X);
        if points.is_empty() {
            points.extend(fastest(model, first, direction));
        }
        let start = points
            .iter()
            .map(|point| poses[point.block].transform(point.arm))
            .collect();
        Self {
            points,
            direction,
            start,
        }
    }

    /// The same points, measured from another configuration.
    pub fn restart(&self, poses: &[Pose]) -> Self {
        let at = |point: &ControlPoint| poses[point.block].transform(point.arm);
        Self {
            start: self.points.iter().map(at).collect(),
            ..self.clone()
        }
    }

    /// The points in the initial configuration, with their blocks.
    pub fn points(&self) -> Vec<(usize, DVec3)> {
        let blocks = self.points.iter().map(|point| point.block);
        blocks.zip(self.start.iter().copied()).collect()
    }

    /// Mean displacement, m.
    pub fn displacement(&self, poses: &[Pose]) -> f64 {
        let moved = |(point, start): (&ControlPoint, &DVec3)| {
            (poses[point.block].transform(point.arm) - *start).dot(self.direction)
        };
        let sum: f64 = self.points.iter().zip(&self.start).map(moved).sum();
        sum / self.points.len().max(1) as f64
    }

    /// Mean velocity in a mechanism.
    pub fn rate(&self, poses: &[Pose], mechanism: &Mechanism) -> f64 {
        let rate = |point: &ControlPoint| {
            let arm = poses[point.block].rotation * point.arm;
            mechanism.velocity_at(point.block, arm).dot(self.direction)
        };
        self.points.iter().map(rate).sum::<f64>() / self.points.len().max(1) as f64
    }
}

/// The corner that is fastest along a direction in the initial configuration; of several the highest, then the first.
fn fastest(model: &Model, mechanism: &Mechanism, direction: DVec3) -> Option<ControlPoint> {
    let mut best: Option<(f64, f64, ControlPoint)> = None;
    for (block, shape) in model.blocks.iter().enumerate() {
        if shape.support {
            continue;
        }
        for arm in shape.shape.vertices() {
            let speed = mechanism.velocity_at(block, arm).dot(direction);
            let height = arm.z + shape.position.z;
            let near = 1e-6 * speed.abs();
            let better = best.as_ref().is_none_or(|(fast, high, _)| {
                speed > fast + near || (speed > fast - near && height > *high + 1e-9)
            });
            if better {
                best = Some((speed, height, ControlPoint { block, arm }));
            }
        }
    }
    best.map(|(_, _, point)| point)
}
