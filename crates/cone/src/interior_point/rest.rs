//! From almost at rest to exactly at rest.
//!
//! An interior point keeps every contact a little open and every body a little in motion: velocities are off by some ten
//! times the gap, and a structure at rest would creep. But an interior point also has impulses with room on all sides, so
//! that they can be moved until they balance a velocity of exactly zero. Whether that is a solution is for the judge.

use super::Method;
use super::lanes::{Lanes, Triple, add3, vectorised};
use super::passes::{Iterate, gather_impulses};
use super::scaling::longest_step;

/// Faster than this, in units of `v_ref`, is motion: far above the error of velocities at any tolerance in use.
const NEAR_REST: f64 = 0.02;
/// Corrections tried. Contacts that carry load are stiff against inertia by five orders of magnitude, so that one or two do.
const ROUNDS: usize = 6;

impl Method<'_> {
    /// Impulses near those of a converged iterate that balance zero velocity; `None` if the island moves or there are none.
    pub(super) fn rest(&mut self, at: Iterate) -> Option<Vec<Triple>> {
        let island = self.island;
        let total: f64 = island.mass.iter().sum();
        let energy: f64 = at
            .velocity
            .iter()
            .enumerate()
            .map(|(b, v)| (0..6).map(|k| v[k] * island.inertia(b, v)[k]).sum::<f64>())
            .sum();
        let near = (energy / total).sqrt() < NEAR_REST;
        if self.scaling.len() != island.groups.len() || !near {
            return None;
        }
        let mut z = at.z;
        let mut missing = self.imbalance.clone();
        for _ in 0..ROUNDS {
            gather_impulses(island, &z, &mut self.force);
            let mut square = 0.0;
            for (b, gap) in missing.iter_mut().enumerate() {
                let wanted = island.inertia(b, &island.free_velocity[b]);
                *gap = island.mask(std::array::from_fn(|k| -wanted[k] - self.force[b][k]));
                square += island.inverse_norm(b, gap);
            }
            if (square / total).sqrt() <= 0.1 * self.run.tolerances.momentum {
                return Some(z);
            }
            self.matrix.solve(&mut missing);
            if !self.shift(&mut z, &missing) {
                return None;
            }
        }
        None
    }

    /// Adds `G A y` to the impulses; false if that leaves a cone.
    fn shift(&self, z: &mut [Triple], y: &[[f64; 6]]) -> bool {
        let (groups, scaling) = (&self.island.groups, &self.scaling);
        let mut room = Lanes::splat(f64::INFINITY);
        vectorised(
            #[inline(always)]
            || {
                for (k, group) in groups.iter().enumerate() {
                    let change = scaling[k].inverse_times(group.velocity(y));
                    room = room.min(longest_step(z[k], change));
                    z[k] = add3(z[k], change);
                }
            },
        );
        room.0.iter().all(|&x| x > 1.0)
    }
}
