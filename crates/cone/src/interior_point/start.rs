//! Where iteration begins: from a guess, or from one factorisation.

use super::chunks::{Groups, each};
use super::factor::Condensed;
use super::island::IslandData;
use super::lanes::{Lanes, Triple, WIDTH, add3, dot3, scale3};
use super::passes::{Parts, Point, gather};
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
pub(super) fn warm(island: &IslandData, guess: Warm<'_>, margin: f64, at: &mut Point) {
    for (v, given) in at.velocity.iter_mut().zip(guess.velocity) {
        *v = island.mask(given.map(|x| x / island.unit_speed));
    }
    impulses(island, guess.impulse, &mut at.z);
    finish(island, [margin, margin], at);
}

/// Impulses in physical units as cone variables.
pub(super) fn impulses(island: &IslandData, given: &[[f64; 3]], z: &mut [Triple]) {
    for (impulse, &(group, lane)) in given.iter().zip(&island.slots) {
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
}

/// Pushes impulses into their cones, and the velocities of contacts.
fn finish(island: &IslandData, margin: [f64; 2], at: &mut Point) {
    let Point { velocity, s, z } = at;
    let velocity = &*velocity;
    each(
        &island.chunks,
        (Groups(s), Groups(z)),
        #[inline(always)]
        |chunk, (s, z)| {
            let [open, press] = margin.map(Lanes::splat);
            for (k, (s, z)) in (chunk.groups[0]..).zip(s.0.iter_mut().zip(z.0)) {
                let group = &island.groups[k];
                *z = push_inside(*z, press / group.delassus.max(Lanes::splat(1e-300)));
                *s = push_inside(add3(group.velocity(velocity), group.offset), open);
            }
        },
    );
}

/// Springs of a cold start, in units of the inverse Delassus diagonal. With 1 the impulses of an arch of 200 voussoirs begin
/// two orders of magnitude too small and take 18 iterations to grow; with 1e5 they begin as those of glued joints.
pub(super) const GLUED: f64 = 1e5;
/// Joints that are glued hold a structure together which is coming apart. Pushed into their cones, such impulses leave momentum
/// unbalanced in proportion to the stiffness, as a speed up to 1e5 times `v_ref`, and a third of the iterations goes into taking it away. From this
/// imbalance on the springs are made softer by as much. Structures that hold begin with 2 to 4.
pub(super) const TORN: f64 = 100.0;
/// Margin of velocities of a cold start, in units of `v_ref`.
const COLD_MARGIN: f64 = 0.03;
/// Margin of impulses of a cold start as a share of their root mean square.
const COLD_SHARE: f64 = 0.3;

/// Without a guess: contacts as springs that also pull, as stiff as given in units of the inverse Delassus diagonal, one factorisation,
/// then pushed into the cones. `None` if the factorisation fails or the springs have no finite answer.
pub(super) fn cold(
    condensed: &mut Condensed<'_>,
    stiffness: f64,
    parts: &mut Parts,
    at: &mut Point,
) -> Option<()> {
    let island = condensed.island;
    let stiffness =
        |k: usize| Lanes::splat(stiffness) / island.groups[k].delassus.max(Lanes::splat(1e-300));
    let zero = Lanes::ZERO;
    let spring = |k: usize| [stiffness(k), zero, zero, stiffness(k), zero, stiffness(k)];
    if !condensed.factorise(spring) {
        return None;
    }
    let pulled = |x: Triple, k: usize| x.map(|y| -(y * stiffness(k)));
    let velocity = &mut at.velocity;
    gather(
        island,
        |k| pulled(island.groups[k].offset, k),
        |b| island.inertia(b, &island.free_velocity[b]),
        parts,
        velocity,
    );
    velocity.iter_mut().for_each(|v| *v = island.mask(*v));
    condensed.solve(velocity);
    if !velocity.iter().flatten().all(|x| x.is_finite()) {
        return None;
    }
    let mut square = 0.0;
    for ((k, group), z) in island.groups.iter().enumerate().zip(&mut at.z) {
        let impulse = pulled(add3(group.velocity(velocity), group.offset), k);
        let speed = scale3(impulse, group.delassus);
        square += (dot3(speed, speed) * group.weight).sum();
        *z = impulse;
    }
    let typical = (square / island.count).sqrt();
    finish(island, [COLD_MARGIN, (COLD_SHARE * typical).max(1.0)], at);
    Some(())
}
