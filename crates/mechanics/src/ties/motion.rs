//! Ties in a time step (section "Ties in motion" of the formulation).
//!
//! The force of a tie is that of the configuration at the beginning of a step, and acts as a load does. In the scheme of second order that instant is the middle
//! of the kick, so that a tie is a spring of the leapfrog method: of second order, and without damping of its own. A tie could be a compliant
//! contact of the step problem, which is stable at any stiffness; but impacts carry reactions of contacts past their instant, and springs among them
//! would answer twice. Steps that are too long for the stiffest tie are cut instead.

use drystone_geometry::{DMat3, DVec3};
use drystone_model::{Ground, Model, Tie};

use super::law::{TieMemory, stored};
use super::placed::PlacedTie;
use crate::drive::Drive;
use crate::rotation::exp_rotation;
use crate::state::State;
use crate::step::Stepper;

/// Steps are cut so that frequency times step is at most this. The leapfrog method is stable up to two; the rest is left to blocks that turn while the bound
/// is that of the initial configuration.
const RESOLVED: f64 = 1.0;

/// Force and elongation of a tie.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TieReading {
    /// Tension, N.
    pub force: f64,
    /// Since the start, m; negative where its ends have come nearer.
    pub elongation: f64,
    /// It is broken.
    pub broken: bool,
    /// Energy that yielding and breaking have taken so far, J.
    pub dissipated: f64,
}

/// The pull of a tie on its two ends during a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pull {
    /// Blocks; none for the ground.
    pub blocks: [Option<usize>; 2],
    /// Ends, m.
    pub points: [DVec3; 2],
    /// On the second end; on the first it is the opposite, N.
    pub force: DVec3,
}

impl Stepper<'_> {
    /// How far the ground is from its place in the frame of the equations, m.
    fn shift(&self, time: f64, drive: &dyn Drive) -> DVec3 {
        match self.settings.ground {
            Ground::Inertia => DVec3::ZERO,
            Ground::Supports => drive.ground(time),
        }
    }

    /// What ties do during the step that begins with `state`, and what they remember from then on.
    pub(crate) fn pulls(&self, state: &State, drive: &dyn Drive) -> (Vec<Pull>, Vec<TieMemory>) {
        if self.model.ties.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let shift = self.shift(state.time, drive);
        let known = self.model.ties.iter().zip(&state.ties);
        let all = known.map(|(tie, memory)| {
            let placed = PlacedTie::moved(self.model, tie, |i| state.poses[i], shift);
            let (force, memory) = memory.pull(tie, placed.elongation);
            let points = placed.ends;
            let pull = Pull {
                blocks: tie.blocks,
                points,
                force: force * (points[0] - points[1]).normalize_or_zero(),
            };
            (pull, memory)
        });
        all.unzip()
    }

    /// Force and elongation of every tie in a state.
    pub fn ties(&self, state: &State, drive: &dyn Drive) -> Vec<TieReading> {
        let shift = self.shift(state.time, drive);
        let known = self.model.ties.iter().zip(&state.ties);
        let reading = |(tie, memory): (&Tie, &TieMemory)| {
            let placed = PlacedTie::moved(self.model, tie, |i| state.poses[i], shift);
            let elongation = placed.elongation;
            let (force, memory) = memory.pull(tie, elongation);
            TieReading {
                force,
                elongation,
                broken: memory.broken,
                dissipated: memory.dissipated,
            }
        };
        known.map(reading).collect()
    }

    /// Elastic energy of ties at the instant of a state's velocities, J. `frame`: velocity of the ground in the frame of the equations, m/s.
    pub(crate) fn tie_energy(&self, state: &State, drive: &dyn Drive, frame: DVec3) -> f64 {
        let shift = match self.model.ties.is_empty() {
            true => return 0.0,
            false => self.shift(state.time, drive) - state.lag * frame,
        };
        let pose = |i: usize| {
            let mut pose = state.poses[i];
            if state.lag > 0.0 {
                let velocity = if self.model.blocks[i].support {
                    frame
                } else {
                    state.velocity[i]
                };
                pose.position -= state.lag * velocity;
                if !self.model.blocks[i].support {
                    let turn = -state.lag * state.angular_velocity[i];
                    pose.rotation = exp_rotation(turn) * pose.rotation;
                }
            }
            pose
        };
        let known = self.model.ties.iter().zip(&state.ties);
        known
            .map(|(tie, memory)| {
                let placed = PlacedTie::moved(self.model, tie, pose, shift);
                let (force, _) = memory.pull(tie, placed.elongation);
                stored(tie, force)
            })
            .sum()
    }
}

/// Into how many pieces a step of one second is to be cut so that ties are resolved: the largest frequency of a tie whose ends are held by nothing else, in rad/s, with
/// all ties at its blocks pulling alike.
pub(crate) fn frequency(model: &Model) -> f64 {
    let shared = |tie: &Tie| {
        let shares = |block: &Option<usize>| {
            let same = |other: &&Tie| block.is_some() && other.blocks.contains(block);
            let held = block.is_none_or(|block| model.blocks[block].support);
            if held {
                1
            } else {
                model.ties.iter().filter(same).count()
            }
        };
        tie.blocks.iter().map(shares).max().unwrap_or(1)
    };
    let square = |tie: &Tie| {
        let ends = tie.blocks.iter().zip(tie.points);
        let moved: f64 = ends
            .filter_map(|(block, point)| block.map(|block| (&model.blocks[block], point)))
            .filter(|(block, _)| !block.support)
            .map(|(block, point)| {
                // However the block turns: the whole arm, about the axis with the least inertia.
                let arm = (point - block.position).length_squared();
                1.0 / block.mass + arm / least_inertia(block.inertia)
            })
            .sum();
        tie.stiffness * moved * shared(tie) as f64
    };
    model.ties.iter().map(square).fold(0.0, f64::max).sqrt()
}

/// Not more than the least principal moment of inertia, and no less than a third of it: the inverse's trace is at most three times its largest eigenvalue.
fn least_inertia(inertia: DMat3) -> f64 {
    let inverse = inertia.inverse();
    1.0 / (inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z)
}

/// Into how many pieces a step is cut so that ties of this largest frequency are resolved.
pub(crate) fn pieces(frequency: f64, dt: f64) -> u32 {
    let pieces = (frequency * dt / RESOLVED - 1e-9).ceil();
    if pieces > 1.0 { pieces as u32 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_cut_where_ties_are_stiff() {
        assert_eq!(
            [0.0, 999.0, 1001.0, 3500.0].map(|w| pieces(w, 1e-3)),
            [1, 1, 2, 4]
        );
    }
}
