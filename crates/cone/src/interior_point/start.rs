//! Where iteration begins: from a guess, or from one factorisation.

use super::factor::Matrix;
use super::island::IslandData;
use super::lanes::{Lanes, Triple, WIDTH, add3, vectorised};
use super::passes::Iterate;
use super::scaling::margins;
use crate::Warm;

/// Raises the normal component until the point is at least `floor` inside the cone.
#[inline(always)]
fn push_inside(mut x: Triple, floor: Lanes) -> Triple {
    let [low, _] = margins(x);
    x[0] += (floor - low).max(Lanes::ZERO);
    x
}

/// From a guess in physical units, margins floored at `margin` (velocities) and `margin` over the Delassus diagonal
/// (impulses), so that the start is interior and not nearer to the boundary than the change expected within a step.
pub(super) fn warm(island: &IslandData, guess: Warm<'_>, margin: f64) -> Iterate {
    let velocity: Vec<[f64; 6]> = guess
        .velocity
        .iter()
        .map(|v| island.mask(v.map(|x| x / island.unit_speed)))
        .collect();
    let mut z = vec![[Lanes::ZERO; 3]; island.groups.len()];
    for (impulse, &(group, lane)) in guess.impulse.iter().zip(&island.slots) {
        let (group, lane) = (group as usize, lane as usize);
        let mu = island.groups[group].friction.0[lane];
        let tangent = if mu > 0.0 { 1.0 / mu } else { 0.0 };
        // Orientation needs no care: turning a contact round turns its frame with it.
        let local = [impulse[0], impulse[1] * tangent, impulse[2] * tangent]
            .map(|x| x / island.unit_impulse);
        // Padding follows the last real lane.
        for copy in lane..WIDTH {
            if copy == lane || island.groups[group].weight.0[copy] == 0.0 {
                (0..3).for_each(|k| z[group][k].0[copy] = local[k]);
            }
        }
    }
    finish(island, velocity, z, margin)
}

fn finish(
    island: &IslandData,
    velocity: Vec<[f64; 6]>,
    mut z: Vec<Triple>,
    margin: f64,
) -> Iterate {
    let mut s = vec![[Lanes::ZERO; 3]; island.groups.len()];
    vectorised(|| {
        let floor = Lanes::splat(margin);
        for (k, group) in island.groups.iter().enumerate() {
            z[k] = push_inside(z[k], floor / group.delassus.max(Lanes::splat(1e-300)));
            s[k] = push_inside(add3(group.velocity(&velocity), group.offset), floor);
        }
    });
    Iterate { velocity, s, z }
}

/// Without a guess: contacts as springs of the stiffness of the bodies they join, `G = 1 / Delassus`; one
/// factorisation. `None` if it fails.
pub(super) fn cold(island: &IslandData, matrix: &mut Matrix<'_>, margin: f64) -> Option<Iterate> {
    let stiffness = |k: usize| Lanes::ONE / island.groups[k].delassus.max(Lanes::splat(1e-300));
    let zero = Lanes::ZERO;
    let spring = |k: usize| [stiffness(k), zero, zero, stiffness(k), zero, stiffness(k)];
    if !matrix.factorise(island, spring) {
        return None;
    }
    let mut velocity: Vec<[f64; 6]> = island
        .free_velocity
        .iter()
        .enumerate()
        .map(|(b, v)| island.inertia(b, v))
        .collect();
    let pulled = |x: Triple, k: usize| x.map(|y| -(y * stiffness(k)));
    for (k, group) in island.groups.iter().enumerate() {
        group.gather(pulled(group.offset, k), &mut velocity);
    }
    velocity.iter_mut().for_each(|v| *v = island.mask(*v));
    matrix.solve(&mut velocity);
    let z = island
        .groups
        .iter()
        .enumerate()
        .map(|(k, group)| pulled(add3(group.velocity(&velocity), group.offset), k))
        .collect();
    Some(finish(island, velocity, z, margin))
}
