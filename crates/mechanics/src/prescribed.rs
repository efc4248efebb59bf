//! What is prescribed for a step: motion of the ground and of supports, loads.

use drystone_geometry::{DVec3, Pose};
use drystone_model::Ground;

use crate::assemble::{SupportVelocity, loads_on_blocks};
use crate::drive::Drive;
use crate::state::State;
use crate::step::Stepper;
use crate::ties::{Pull, TieMemory};

/// What is prescribed for one step.
pub(crate) struct Prescribed {
    /// Length of the step, s.
    pub dt: f64,
    /// How long forces act on the velocities of the step, s.
    pub span: f64,
    /// Mean velocity of the ground over the step, m/s.
    pub ground_velocity: DVec3,
    /// Velocity, before and in this step, of the frame that step problems are posed in: that of the ground. Zero where
    /// the equations are written in it anyway.
    pub frame: [DVec3; 2],
    /// Pose at the end of the step per block; supports only.
    pub ends: Vec<Option<Pose>>,
    /// Velocity relative to that frame per block; zero for free blocks.
    pub supports: Vec<SupportVelocity>,
    /// The same in the step before; in a scheme that is not staggered, and at the start, that of this step.
    pub supports_before: Vec<SupportVelocity>,
    /// Force and couple of loads, ties and mortar per block.
    pub loads: Vec<(DVec3, DVec3)>,
    /// What ties and mortar do, part of `loads`.
    pub pulls: Vec<Pull>,
    /// What ties remember at the end of the step.
    pub ties: Vec<TieMemory>,
    /// When the acceleration of the ground jumps, from the beginning of the step, s.
    pub jump: Option<f64>,
}

impl Stepper<'_> {
    /// What holds for the step from `state` to the time `end`.
    pub(crate) fn prescribed(&self, state: &State, end: f64, drive: &dyn Drive) -> Prescribed {
        let dt = end - state.time;
        let ground_velocity = (drive.ground(end) - drive.ground(state.time)) / dt;
        let (shift, frame) = match self.settings.ground {
            Ground::Inertia => (DVec3::ZERO, [DVec3::ZERO; 2]),
            Ground::Supports => (drive.ground(end), [state.ground_velocity, ground_velocity]),
        };
        let ends: Vec<Option<Pose>> = (0..state.poses.len())
            .map(|i| {
                let block = &self.model.blocks[i];
                block.support.then(|| {
                    let mut pose = drive.support(i, Pose::at(block.position), end);
                    pose.position += shift;
                    pose
                })
            })
            .collect();
        let supports: Vec<SupportVelocity> = ends
            .iter()
            .zip(&state.poses)
            .map(|(to, from)| match to {
                Some(to) => SupportVelocity::between(*from, *to, dt).relative_to(frame[1]),
                None => SupportVelocity::default(),
            })
            .collect();
        let mut loads = loads_on_blocks(self.model, state);
        let span = self.scheme.span(state.lag, dt);
        let begin = state.time - state.lag;
        for &i in &self.bodies.blocks {
            let (force, couple) = drive.force(i, begin, begin + span);
            loads[i].0 += force;
            loads[i].1 += couple;
        }
        let (mut pulls, ties) = self.pulls(state, drive);
        pulls.extend(self.clamped(state));
        for pull in &pulls {
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                if let Some(block) = pull.blocks[side] {
                    let arm = pull.points[side] - state.poses[block].position;
                    loads[block].0 += sign * pull.force;
                    loads[block].1 += arm.cross(sign * pull.force);
                }
            }
        }
        Prescribed {
            supports_before: self.supports_before(state, drive, frame[0], &supports),
            dt,
            span,
            ground_velocity,
            frame,
            ends,
            supports,
            loads,
            pulls,
            ties,
            jump: drive.jump(state.time, end).map(|time| time - state.time),
        }
    }

    /// Velocity of supports relative to a frame in the step that led to `state`, or `now` where that does not matter.
    fn supports_before(
        &self,
        state: &State,
        drive: &dyn Drive,
        frame: DVec3,
        now: &[SupportVelocity],
    ) -> Vec<SupportVelocity> {
        if state.lag <= 0.0 {
            return now.to_vec();
        }
        let dt = 2.0 * state.lag;
        let before = state.time - dt;
        let shift = match self.settings.ground {
            Ground::Inertia => DVec3::ZERO,
            Ground::Supports => drive.ground(before),
        };
        let blocks = self.model.blocks.iter().zip(&state.poses).enumerate();
        blocks
            .map(|(i, (block, pose))| {
                if !block.support {
                    return SupportVelocity::default();
                }
                let mut from = drive.support(i, Pose::at(block.position), before);
                from.position += shift;
                SupportVelocity::between(from, *pose, dt).relative_to(frame)
            })
            .collect()
    }
}
