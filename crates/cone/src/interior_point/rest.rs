//! From almost at rest to exactly at rest.
//!
//! An interior point keeps every contact a little open and every body a little in motion: velocities are off by some ten
//! times the gap, and a structure at rest would creep. But an interior point also has impulses with room on all sides, so
//! that they can be moved until they balance a velocity of exactly zero. Whether that is a solution is for the judge.

use super::Buffers;
use super::chunks::{Groups, PerChunk, each};
use super::factor::Condensed;
use super::island::IslandData;
use super::lanes::{Lanes, add3};
use super::passes::{Tilt, gather};
use super::scaling::longest_step;

/// Faster than this, in units of `v_ref`, is motion where contacts are rigid: far above the error of velocities at any tolerance in use.
pub(super) const NEAR_REST: f64 = 0.02;
/// Corrections tried. Contacts that carry load are stiff against inertia by five orders of magnitude, so that one or two do.
const ROUNDS: usize = 6;

/// Speed of an island, in units of `v_ref`.
pub(super) fn speed(island: &IslandData, velocity: &[[f64; 6]]) -> f64 {
    let total: f64 = island.mass.iter().sum();
    let energy: f64 = velocity
        .iter()
        .enumerate()
        .map(|(b, v)| (0..6).map(|k| v[k] * island.inertia(b, v)[k]).sum::<f64>())
        .sum();
    (energy / total).sqrt()
}

/// Moves the impulses of a converged iterate to some that balance zero velocity; false if there are none, and then they are of no use. `solve` uses the factor of the last step, `tolerance` is that of momentum.
pub(super) fn rest<'a>(
    condensed: &mut Condensed<'a>,
    buffers: &mut Buffers,
    law: impl Tilt,
    tolerance: f64,
    solve: impl Fn(&mut Condensed<'a>, &mut [[f64; 6]]),
) -> bool {
    let island = condensed.island;
    let total: f64 = island.mass.iter().sum();
    for _ in 0..ROUNDS {
        let z = &buffers.at.z;
        let start = |_| [0.0; 6];
        gather(
            island,
            |k| z[k],
            start,
            &mut buffers.parts,
            &mut buffers.force,
        );
        let mut square = 0.0;
        let missing = &mut buffers.predictor.velocity;
        for (b, gap) in missing.iter_mut().enumerate() {
            let wanted = island.inertia(b, &island.free_velocity[b]);
            *gap = island.mask(std::array::from_fn(|k| -wanted[k] - buffers.force[b][k]));
            square += island.inverse_norm(b, gap);
        }
        if (square / total).sqrt() <= 0.1 * tolerance {
            return true;
        }
        solve(condensed, missing);
        if !shift(island, law, buffers) {
            return false;
        }
    }
    false
}

/// Adds `G B A y` to the impulses, `y` the velocity of the predictor; false if that leaves a cone.
fn shift(island: &IslandData, law: impl Tilt, buffers: &mut Buffers) -> bool {
    let (scaling, y) = (&buffers.scaling, &buffers.predictor.velocity);
    let rooms = &mut buffers.per_chunk;
    each(
        &island.chunks,
        (Groups(&mut buffers.at.z), PerChunk(rooms)),
        #[inline(always)]
        |chunk, (z, room)| {
            let mut least = Lanes::splat(f64::INFINITY);
            for (k, z) in (chunk.groups[0]..).zip(z.0) {
                let moved = law.tilt(k, island.groups[k].velocity(y));
                let change = law.inverse_times(k, &scaling[k], moved);
                least = least.min(longest_step(*z, change));
                *z = add3(*z, change);
            }
            room.0[0] = -(-least).largest();
        },
    );
    rooms.iter().all(|&x| x > 1.0)
}
