//! Ties in motion: they pull, yield and break, and never push (section "Ties in motion" of the formulation).
//!
//! The force of a tie is that of the configuration at the beginning of a step, and acts as a load does. In the scheme of second order that instant is the middle
//! of the kick, so that a tie is a spring of the leapfrog method: of second order, and without damping of its own. A tie could be a compliant
//! contact of the step problem, which is stable at any stiffness; but impacts carry reactions of contacts past their instant, and springs among them
//! would answer twice. Steps that are too long for the stiffest tie are cut instead.

use drystone_geometry::{DMat3, DVec3, Pose};
use drystone_model::{Ground, Model, Tie};
use serde::{Deserialize, Serialize};

use crate::drive::Drive;
use crate::rotation::exp_rotation;
use crate::state::State;
use crate::step::Stepper;

/// Steps are cut so that frequency times step is at most this. The leapfrog method is stable up to two; the rest is left to blocks that turn while the bound
/// is that of the initial configuration.
const RESOLVED: f64 = 1.0;

/// What a tie remembers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TieMemory {
    /// Elongation at which it is without force, m; negative under post-tension.
    pub slack_at: f64,
    /// It is broken.
    pub broken: bool,
    /// Energy that yielding and breaking have taken, J.
    pub dissipated: f64,
}

impl TieMemory {
    fn new(tie: &Tie) -> Self {
        Self {
            slack_at: -tie.initial_force / tie.stiffness,
            ..Self::default()
        }
    }

    /// The force of a tie at an elongation, N, with what it remembers from then on.
    fn pull(mut self, tie: &Tie, elongation: f64) -> (f64, Self) {
        if self.broken {
            return (0.0, self);
        }
        let mut force = tie.stiffness * (elongation - self.slack_at);
        if force > tie.yield_force {
            let before = self.slack_at;
            self.slack_at = elongation - tie.yield_force / tie.stiffness;
            self.dissipated += tie.yield_force * (self.slack_at - before);
            force = tie.yield_force;
        }
        let force = force.max(0.0);
        if tie.max_elongation.is_some_and(|most| elongation > most) {
            self.broken = true;
            self.dissipated += 0.5 * force * force / tie.stiffness;
            return (0.0, self);
        }
        (force, self)
    }
}

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

/// Memory of all ties at the start.
pub(crate) fn initial(model: &Model) -> Vec<TieMemory> {
    model.ties.iter().map(TieMemory::new).collect()
}

/// Ends of a tie for given poses, if the ground has moved by `shift`.
fn ends(model: &Model, tie: &Tie, pose: impl Fn(usize) -> Pose, shift: DVec3) -> [DVec3; 2] {
    std::array::from_fn(|side| match tie.blocks[side] {
        Some(block) => pose(block).transform(tie.points[side] - model.blocks[block].position),
        None => tie.points[side] + shift,
    })
}

fn elongation(tie: &Tie, ends: [DVec3; 2]) -> f64 {
    (ends[1] - ends[0]).length() - (tie.points[1] - tie.points[0]).length()
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
            let points = ends(self.model, tie, |i| state.poses[i], shift);
            let (force, memory) = memory.pull(tie, elongation(tie, points));
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
            let elongation = elongation(tie, ends(self.model, tie, |i| state.poses[i], shift));
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
                let points = ends(self.model, tie, pose, shift);
                let (force, _) = memory.pull(tie, elongation(tie, points));
                0.5 * force * force / tie.stiffness
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

    fn tie() -> Tie {
        Tie {
            name: "tie".to_owned(),
            blocks: [None; 2],
            points: [DVec3::ZERO, DVec3::X],
            stiffness: 1000.0,
            yield_force: 10.0,
            max_elongation: Some(0.1),
            initial_force: 4.0,
        }
    }

    /// Elastic, yielding, unloading, slack, reloading, breaking; the area under the path is what was dissipated.
    #[test]
    fn the_law_along_a_path() {
        let tie = tie();
        let mut memory = TieMemory::new(&tie);
        let mut force_at = |elongation: f64| {
            let (force, next) = memory.pull(&tie, elongation);
            memory = next;
            (force, next.dissipated)
        };
        let near = |(force, lost): (f64, f64), expected: (f64, f64)| {
            assert!((force - expected.0).abs() < 1e-9, "{force} {expected:?}");
            assert!((lost - expected.1).abs() < 1e-9, "{lost} {expected:?}");
        };
        near(force_at(0.0), (4.0, 0.0));
        near(force_at(0.006), (10.0, 0.0));
        near(force_at(0.036), (10.0, 0.3));
        near(force_at(0.030), (4.0, 0.3));
        near(force_at(0.020), (0.0, 0.3));
        near(force_at(0.034), (8.0, 0.3));
        // Yields by 0.064 m more, then what it holds is lost: 10² / 2000.
        near(force_at(0.1001), (0.0, 0.3 + 0.641 + 0.05));
        near(force_at(0.01), (0.0, 0.991));
    }

    #[test]
    fn steps_are_cut_where_ties_are_stiff() {
        assert_eq!(
            [0.0, 999.0, 1001.0, 3500.0].map(|w| pieces(w, 1e-3)),
            [1, 1, 2, 4]
        );
    }
}
