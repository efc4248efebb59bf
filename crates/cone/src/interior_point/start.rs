//! Where iteration begins: from a guess, or from one factorisation.

use super::factor::Matrix;
use super::island::IslandData;
use super::lanes::{Lanes, Triple, WIDTH, add3, dot3, scale3, vectorised};
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
    finish(island, velocity, z, [margin, margin])
}

fn finish(
    island: &IslandData,
    velocity: Vec<[f64; 6]>,
    mut z: Vec<Triple>,
    margin: [f64; 2],
) -> Iterate {
    let mut s = vec![[Lanes::ZERO; 3]; island.groups.len()];
    vectorised(
        #[inline(always)]
        || {
            let [open, press] = margin.map(Lanes::splat);
            for (k, group) in island.groups.iter().enumerate() {
                z[k] = push_inside(z[k], press / group.delassus.max(Lanes::splat(1e-300)));
                s[k] = push_inside(add3(group.velocity(&velocity), group.offset), open);
            }
        },
    );
    Iterate { velocity, s, z }
}

/// Springs of a cold start, in units of the inverse Delassus diagonal. With 1 the impulses of an arch of 200 voussoirs begin
/// two orders of magnitude too small and take 18 iterations to grow; with 1e5 they begin as those of glued joints.
const COLD_STIFFNESS: f64 = 1e5;
/// Margin of velocities of a cold start, in units of `v_ref`.
const COLD_MARGIN: f64 = 0.03;
/// Margin of impulses of a cold start as a share of their root mean square.
const COLD_SHARE: f64 = 0.3;

/// Without a guess: contacts as stiff springs that also pull, one factorisation, then pushed into the cones. `None` if the
/// factorisation fails or the springs have no finite answer.
pub(super) fn cold(island: &IslandData, matrix: &mut Matrix<'_>) -> Option<Iterate> {
    let stiffness = |k: usize| {
        Lanes::splat(COLD_STIFFNESS) / island.groups[k].delassus.max(Lanes::splat(1e-300))
    };
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
    if !velocity.iter().flatten().all(|x| x.is_finite()) {
        return None;
    }
    let mut z = Vec::with_capacity(island.groups.len());
    let mut square = 0.0;
    for (k, group) in island.groups.iter().enumerate() {
        let impulse = pulled(add3(group.velocity(&velocity), group.offset), k);
        let speed = scale3(impulse, group.delassus);
        square += (dot3(speed, speed) * group.weight).sum();
        z.push(impulse);
    }
    let typical = (square / island.count).sqrt();
    Some(finish(
        island,
        velocity,
        z,
        [COLD_MARGIN, (COLD_SHARE * typical).max(1.0)],
    ))
}
