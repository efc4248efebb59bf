//! The passes over all contacts that one iteration makes.

use super::chunks::{Chunk, Groups, Pairs, PerChunk, each, each_body};
use super::island::{Group, IslandData, Pull, Wrench};
use super::lanes::{Lanes, Triple, add3, dot3, scale3, sub3};
use super::scaling::{Scaling, jordan, longest_step, margins};
use crate::residual::worse;

/// Velocities per body and cone variables per group of contacts: an interior point, or a direction to move along.
#[derive(Debug, Default)]
pub(super) struct Point {
    pub(super) velocity: Vec<[f64; 6]>,
    pub(super) s: Vec<Triple>,
    pub(super) z: Vec<Triple>,
}

impl Point {
    /// Takes the size of an island; what it holds is left to who fills it.
    pub(super) fn fit(&mut self, island: &IslandData) {
        self.velocity.resize(island.bodies(), [0.0; 6]);
        self.s.resize(island.groups.len(), [Lanes::ZERO; 3]);
        self.z.resize(island.groups.len(), [Lanes::ZERO; 3]);
    }

    /// Takes on the values of another.
    pub(super) fn copy(&mut self, other: &Self) {
        self.velocity.clone_from(&other.velocity);
        self.s.clone_from(&other.s);
        self.z.clone_from(&other.z);
    }
}

/// Wrenches per pair and sums per chunk on their way to the bodies and to one number.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) wrenches: Vec<Wrench>,
    measures: Vec<Measure>,
    reaches: Vec<Reach>,
}

impl Parts {
    pub(super) fn fit(&mut self, island: &IslandData) {
        self.wrenches.resize(island.pairs.len(), Wrench::default());
        self.measures
            .resize(island.chunks.len(), Measure::default());
        self.reaches.resize(island.chunks.len(), Reach::default());
    }
}

/// What [`measure`] finds besides `u` and the generalised impulse; all NaN where the iterate is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Measure {
    /// Largest distance of `u` to `K*`.
    pub(super) primal: f64,
    /// `sum |u . z|`.
    pub(super) gap: f64,
    /// Largest `W |u . z|`, `W` the Delassus diagonal of the contact.
    pub(super) worst_gap: f64,
    /// `sum s . z`.
    pub(super) complementarity: f64,
    /// `sum c . z`.
    pub(super) offset_work: f64,
}

/// How far a direction leads.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reach {
    /// Largest step that stays in all cones.
    pub(super) step: f64,
    /// `sum s . dz + ds . z` and `sum ds . dz`: complementarity along the way.
    pub(super) change: [f64; 2],
    /// Largest `delta dz`: what a full step leaves between `s` and `u` for the next.
    pub(super) proximal: f64,
}

/// Distance of the velocity behind the cone variable `u = (u_N, mu u_T)` to `K*`.
#[inline(always)]
fn distance(u: Triple, mu: Lanes) -> Lanes {
    let tangent = (u[1] * u[1] + u[2] * u[2]).sqrt();
    let square = mu * mu;
    let beside = (tangent - u[0]).max(Lanes::ZERO) / (Lanes::ONE + square).sqrt();
    let slip = tangent / mu.max(Lanes::splat(1e-150));
    let apex = (u[0] * u[0] + slip * slip).sqrt();
    let in_polar = (-u[0]) * square - tangent;
    let inside = in_polar.where_greater(-Lanes::splat(f64::MIN_POSITIVE), apex, beside);
    u[0].where_greater(Lanes::ZERO, beside, inside)
}

/// `E x`.
#[inline(always)]
pub(super) fn soft_times(soft: [Lanes; 2], x: Triple) -> Triple {
    [soft[0] * x[0], soft[1] * x[1], soft[1] * x[2]]
}

/// `u = A V + c + E z` of a group.
#[inline(always)]
pub(super) fn cone_velocity(group: &Group, velocity: &[[f64; 6]], z: Triple) -> Triple {
    let moved = add3(group.velocity(velocity), group.offset);
    add3(moved, soft_times(group.soft, z))
}

/// Fills the wrenches of the pairs of a chunk with `A' x`, `x` of each group as given.
#[inline(always)]
pub(super) fn pull(
    island: &IslandData,
    chunk: &Chunk,
    wrenches: &mut [Wrench],
    mut x: impl FnMut(usize, &Group) -> Triple,
) {
    let pairs = &island.pairs[chunk.pairs[0]..chunk.pairs[1]];
    for (wrench, pair) in wrenches.iter_mut().zip(pairs) {
        let mut sum = Pull::NONE;
        for k in pair.groups[0] as usize..pair.groups[1] as usize {
            let group = &island.groups[k];
            group.pull(x(k, group), &mut sum);
        }
        *wrench = sum.sum();
    }
}

/// By a plain loop, which is always inlined.
#[inline(always)]
fn minus(x: &[f64; 6]) -> [f64; 6] {
    let mut out = [0.0; 6];
    (0..6).for_each(|k| out[k] = -x[k]);
    out
}

/// How the velocity of a contact enters its cone: `w` changes by `B` times what `u` changes.
pub(super) trait Tilt: Copy + Sync {
    /// `B x`.
    fn tilt(self, k: usize, x: Triple) -> Triple;
    /// `(W^2 + B E + delta)^-1 x`.
    fn inverse_times(self, k: usize, scaling: &Scaling, x: Triple) -> Triple;
}

/// As it is: `B` is the identity.
#[derive(Clone, Copy)]
pub(super) struct Associated;

impl Tilt for Associated {
    #[inline(always)]
    fn tilt(self, _: usize, x: Triple) -> Triple {
        x
    }

    #[inline(always)]
    fn inverse_times(self, _: usize, scaling: &Scaling, x: Triple) -> Triple {
        scaling.inverse_times(x)
    }
}

/// Fills `u = A V + c + E z` and `force = A' z`.
pub(super) fn measure(
    island: &IslandData,
    at: &Point,
    parts: &mut Parts,
    u: &mut [Triple],
    force: &mut [[f64; 6]],
) -> Measure {
    let Parts {
        wrenches, measures, ..
    } = parts;
    each(
        &island.chunks,
        (Groups(u), Pairs(wrenches), PerChunk(measures)),
        #[inline(always)]
        |chunk, (u, wrenches, measure)| {
            let (mut primal, mut worst_gap) = (Lanes::ZERO, Lanes::ZERO);
            let (mut gap, mut product, mut work) = (Lanes::ZERO, Lanes::ZERO, Lanes::ZERO);
            pull(
                island,
                chunk,
                wrenches.0,
                #[inline(always)]
                |k, group| {
                    let z = at.z[k];
                    let here = cone_velocity(group, &at.velocity, z);
                    u.0[k - chunk.groups[0]] = here;
                    let far = distance(here, group.friction);
                    primal = primal.max(far);
                    let open = (dot3(here, z) * group.weight).abs();
                    gap += open;
                    worst_gap = worst_gap.max(open * group.delassus);
                    product += dot3(at.s[k], z) * group.weight;
                    work += dot3(group.offset, z) * group.weight;
                    z
                },
            );
            measure.0[0] = Measure {
                primal: primal.largest(),
                gap: gap.sum(),
                worst_gap: worst_gap.largest(),
                complementarity: product.sum(),
                offset_work: work.sum(),
            };
        },
    );
    island.gather(wrenches, &|_| [0.0; 6], force);
    let mut all = Measure::default();
    for one in measures.iter() {
        all.primal = worse(all.primal, one.primal);
        all.worst_gap = worse(all.worst_gap, one.worst_gap);
        all.gap += one.gap;
        all.complementarity += one.complementarity;
        all.offset_work += one.offset_work;
    }
    all
}

/// Scalings at an interior point; `proximal` is relative to the Delassus diagonal.
pub(super) fn scale(island: &IslandData, at: &Point, proximal: f64, scaling: &mut [Scaling]) {
    each(
        &island.chunks,
        Groups(scaling),
        #[inline(always)]
        |chunk, scaling| {
            for (k, scaling) in (chunk.groups[0]..).zip(scaling.0) {
                let group = &island.groups[k];
                let extra = Lanes::splat(proximal) * group.delassus;
                let soft = [group.soft[0] + extra, group.soft[1] + extra];
                *scaling = Scaling::new(at.s[k], at.z[k], soft);
            }
        },
    );
}

/// Predictor: the target is the boundary. Fills `target = -u` and `right = A' G target - imbalance`.
pub(super) fn predict(
    island: &IslandData,
    law: impl Tilt,
    scaling: &[Scaling],
    u: &[Triple],
    parts: &mut Parts,
    target: &mut [Triple],
    (imbalance, right): (&[[f64; 6]], &mut [[f64; 6]]),
) {
    each(
        &island.chunks,
        (Groups(target), Pairs(&mut parts.wrenches)),
        #[inline(always)]
        |chunk, (target, wrenches)| {
            pull(
                island,
                chunk,
                wrenches.0,
                #[inline(always)]
                |k, _| {
                    let here = [-u[k][0], -u[k][1], -u[k][2]];
                    target.0[k - chunk.groups[0]] = here;
                    law.inverse_times(k, &scaling[k], here)
                },
            );
        },
    );
    island.gather(&parts.wrenches, &|b| minus(&imbalance[b]), right);
}

/// Corrector: fills `wanted = centre e - lambda o lambda` less the second-order term of the direction `along`.
pub(super) fn correct(
    island: &IslandData,
    scaling: &[Scaling],
    along: &Point,
    centre: f64,
    wanted: &mut [Triple],
) {
    each(
        &island.chunks,
        Groups(wanted),
        #[inline(always)]
        |chunk, wanted| {
            for (k, wanted) in (chunk.groups[0]..).zip(wanted.0) {
                let w = &scaling[k];
                let lambda = w.lambda();
                let second = jordan(w.over(along.s[k]), w.times(along.z[k]));
                let mut d = sub3([-Lanes::ZERO; 3], add3(jordan(lambda, lambda), second));
                d[0] += Lanes::splat(centre);
                *wanted = d;
            }
        },
    );
}

/// Gondzio's corrector: where the eigenvalues of the products after a `trial` step along a direction leave the `bounds`,
/// `wanted` is changed by what is missing, downwards by no more than the upper bound.
pub(super) fn recentre(
    island: &IslandData,
    scaling: &[Scaling],
    along: &Point,
    trial: f64,
    bounds: [f64; 2],
    wanted: &mut [Triple],
) {
    each(
        &island.chunks,
        Groups(wanted),
        #[inline(always)]
        |chunk, wanted| {
            for (k, wanted) in (chunk.groups[0]..).zip(wanted.0) {
                let change = recentred(&scaling[k], along.s[k], along.z[k], trial, bounds);
                *wanted = add3(*wanted, change);
            }
        },
    );
}

/// What is missing in the product of one group after a `trial` step, see [`recentre`].
#[inline(always)]
pub(super) fn recentred(
    w: &Scaling,
    ds: Triple,
    dz: Triple,
    trial: f64,
    bounds: [f64; 2],
) -> Triple {
    let (half, trial) = (Lanes::splat(0.5), Lanes::splat(trial));
    let [low, high] = bounds.map(Lanes::splat);
    let lambda = w.lambda();
    let s = add3(lambda, scale3(w.over(ds), trial));
    let z = add3(lambda, scale3(w.times(dz), trial));
    let product = jordan(s, z);
    let eigen = margins(product);
    let short = |x: Lanes| (x.max(low).min(high) - x).max(-high);
    let missing = [short(eigen[0]), short(eigen[1])];
    let tangent = half * (eigen[1] - eigen[0]);
    // Without a tangential part both eigenvalues, and so both corrections, are the same.
    let lean = half * (missing[1] - missing[0]) / tangent.max(Lanes::splat(1e-300));
    [
        half * (missing[0] + missing[1]),
        lean * product[1],
        lean * product[2],
    ]
}

/// Fills `target = (s - u) + W (lambda \ wanted)` and `right = A' G target - imbalance`.
#[allow(clippy::too_many_arguments)]
pub(super) fn aim(
    island: &IslandData,
    law: impl Tilt,
    scaling: &[Scaling],
    at: &Point,
    wanted: &[Triple],
    u: &[Triple],
    parts: &mut Parts,
    target: &mut [Triple],
    (imbalance, right): (&[[f64; 6]], &mut [[f64; 6]]),
) {
    each(
        &island.chunks,
        (Groups(target), Pairs(&mut parts.wrenches)),
        #[inline(always)]
        |chunk, (target, wrenches)| {
            pull(
                island,
                chunk,
                wrenches.0,
                #[inline(always)]
                |k, _| {
                    let w = &scaling[k];
                    let step = w.times(w.jordan_divide(wanted[k]));
                    let here = add3(sub3(at.s[k], u[k]), step);
                    target.0[k - chunk.groups[0]] = here;
                    law.inverse_times(k, w, here)
                },
            );
        },
    );
    island.gather(&parts.wrenches, &|b| minus(&imbalance[b]), right);
}

/// Completes a direction whose velocity is known: `dz = G (target - B A dV)`, `ds = B (A dV + E dz) + delta dz - (s - u)`. `None`
/// if the direction is not finite or the iterate not interior: the numbers broke down.
#[allow(clippy::too_many_arguments)]
pub(super) fn complete(
    island: &IslandData,
    law: impl Tilt,
    scaling: &[Scaling],
    at: &Point,
    proximal: f64,
    u: &[Triple],
    target: &[Triple],
    parts: &mut Parts,
    direction: &mut Point,
) -> Option<Reach> {
    let Point { velocity, s, z } = direction;
    let velocity = &*velocity;
    let reaches = &mut parts.reaches;
    each(
        &island.chunks,
        (Groups(s), Groups(z), PerChunk(reaches)),
        #[inline(always)]
        |chunk, (s, z, reach)| {
            let mut step = Lanes::splat(f64::INFINITY);
            let (mut linear, mut square) = (Lanes::ZERO, Lanes::ZERO);
            let mut left = Lanes::ZERO;
            for (k, (to_s, to_z)) in (chunk.groups[0]..).zip(s.0.iter_mut().zip(z.0)) {
                let group = &island.groups[k];
                let moved = group.velocity(velocity);
                let dz = law.inverse_times(k, &scaling[k], sub3(target[k], law.tilt(k, moved)));
                let extra = scale3(dz, Lanes::splat(proximal) * group.delassus);
                let given = law.tilt(k, add3(moved, soft_times(group.soft, dz)));
                let given = add3(given, extra);
                let ds = sub3(given, sub3(at.s[k], u[k]));
                left = left.max(dot3(extra, extra).sqrt());
                *to_z = dz;
                *to_s = ds;
                step = step
                    .min(longest_step(at.s[k], ds))
                    .min(longest_step(at.z[k], dz));
                linear += (dot3(at.s[k], dz) + dot3(ds, at.z[k])) * group.weight;
                square += dot3(ds, dz) * group.weight;
            }
            reach.0[0] = Reach {
                step: -(-step).largest(),
                change: [linear.sum(), square.sum()],
                proximal: left.largest(),
            };
        },
    );
    let mut all = Reach {
        step: f64::INFINITY,
        change: [0.0; 2],
        proximal: 0.0,
    };
    for one in reaches.iter() {
        all.step = -worse(-all.step, -one.step);
        (0..2).for_each(|k| all.change[k] += one.change[k]);
        all.proximal = worse(all.proximal, one.proximal);
    }
    // The sums run over all of ds and dz.
    let finite = velocity.iter().flatten().all(|x| x.is_finite())
        && all.change.iter().all(|x| x.is_finite())
        && !all.step.is_nan();
    finite.then_some(all)
}

/// The point at a share of the way from one to another.
#[inline(always)]
fn between([from, to]: [Triple; 2], share: Lanes) -> Triple {
    add3(from, scale3(sub3(to, from), share))
}

/// Largest step that stays in all cones along the direction at a share of the way from one direction to another.
pub(super) fn reach_between(
    island: &IslandData,
    at: &Point,
    [from, to]: [&Point; 2],
    share: f64,
    parts: &mut Parts,
) -> f64 {
    let reaches = &mut parts.reaches;
    each(
        &island.chunks,
        PerChunk(reaches),
        #[inline(always)]
        |chunk, reach| {
            let share = Lanes::splat(share);
            let mut step = Lanes::splat(f64::INFINITY);
            for k in chunk.groups[0]..chunk.groups[1] {
                let ds = between([from.s[k], to.s[k]], share);
                let dz = between([from.z[k], to.z[k]], share);
                step = step
                    .min(longest_step(at.s[k], ds))
                    .min(longest_step(at.z[k], dz));
            }
            reach.0[0].step = -(-step).largest();
        },
    );
    reaches
        .iter()
        .fold(f64::INFINITY, |all, one| -worse(-all, -one.step))
}

/// Replaces a direction by that at a share of the way to it from another.
pub(super) fn move_between(island: &IslandData, from: &Point, to: &mut Point, share: f64) {
    each_body(&mut to.velocity, &|body, v| {
        (0..6)
            .for_each(|k| v[k] = from.velocity[body][k] + share * (v[k] - from.velocity[body][k]));
    });
    each(
        &island.chunks,
        (Groups(&mut to.s), Groups(&mut to.z)),
        #[inline(always)]
        |chunk, (s, z)| {
            let share = Lanes::splat(share);
            for (k, (s, z)) in (chunk.groups[0]..).zip(s.0.iter_mut().zip(z.0)) {
                *s = between([from.s[k], *s], share);
                *z = between([from.z[k], *z], share);
            }
        },
    );
}

/// `force = A' x`, `x` of each group as given.
pub(super) fn gather(
    island: &IslandData,
    x: impl Fn(usize) -> Triple + Sync,
    start: impl Fn(usize) -> [f64; 6] + Sync,
    parts: &mut Parts,
    force: &mut [[f64; 6]],
) {
    each(
        &island.chunks,
        Pairs(&mut parts.wrenches),
        #[inline(always)]
        |chunk, wrenches| {
            pull(
                island,
                chunk,
                wrenches.0,
                #[inline(always)]
                |k, _| x(k),
            );
        },
    );
    island.gather(&parts.wrenches, &start, force);
}

/// Moves along a direction.
pub(super) fn advance(island: &IslandData, at: &mut Point, along: &Point, step: f64) {
    each_body(&mut at.velocity, &|body, v| {
        (0..6).for_each(|k| v[k] += step * along.velocity[body][k]);
    });
    each(
        &island.chunks,
        (Groups(&mut at.s), Groups(&mut at.z)),
        #[inline(always)]
        |chunk, (s, z)| {
            let step = Lanes::splat(step);
            for (k, (s, z)) in (chunk.groups[0]..).zip(s.0.iter_mut().zip(z.0)) {
                *s = add3(*s, scale3(along.s[k], step));
                *z = add3(*z, scale3(along.z[k], step));
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    /// Halfway between two directions lies their mean, and what it reaches is what the mean reaches.
    #[test]
    fn the_way_between_directions() {
        let (island, at, _, mut parts) = setting();
        let groups = island.groups.len();
        let direction = |normal: f64, speed: f64| Point {
            velocity: vec![[speed; 6]; island.bodies()],
            s: vec![[Lanes::splat(normal), Lanes::ZERO, Lanes::ZERO]; groups],
            z: vec![[Lanes::ONE, Lanes::ZERO, Lanes::ZERO]; groups],
        };
        // From the axis at one, a normal part of -4 ends after a quarter, the mean of 0 and -4 after a half.
        let (from, mut to) = (direction(0.0, 1.0), direction(-4.0, 3.0));
        assert_eq!(
            reach_between(&island, &at, [&from, &to], 1.0, &mut parts),
            0.25
        );
        assert_eq!(
            reach_between(&island, &at, [&from, &to], 0.5, &mut parts),
            0.5
        );
        move_between(&island, &from, &mut to, 0.5);
        assert_eq!(
            reach_between(&island, &at, [&from, &to], 1.0, &mut parts),
            0.5
        );
        assert!(to.velocity.iter().flatten().all(|&v| v == 2.0));
        let broken = direction(f64::NAN, 1.0);
        assert!(reach_between(&island, &at, [&from, &broken], 1.0, &mut parts).is_nan());
    }

    fn setting() -> (IslandData, Point, Vec<Scaling>, Parts) {
        let island = IslandData::new(&corpus::wall(3, 2));
        assert!(island.groups.len() > 2);
        let axis = [Lanes::ONE, Lanes::ZERO, Lanes::ZERO];
        let at = Point {
            velocity: island.free_velocity.clone(),
            s: vec![axis; island.groups.len()],
            z: vec![axis; island.groups.len()],
        };
        let mut scaling = vec![Scaling::default(); island.groups.len()];
        scale(&island, &at, 1e-8, &mut scaling);
        let mut parts = Parts::default();
        parts.fit(&island);
        (island, at, scaling, parts)
    }

    fn copy(point: &Point) -> Point {
        let mut copy = Point::default();
        copy.copy(point);
        copy
    }

    /// A NaN in any body shows, though all contacts that come later are finite.
    #[test]
    fn measure_does_not_lose_nan() {
        let (island, at, _, mut parts) = setting();
        let mut u = at.s.clone();
        let mut force = at.velocity.clone();
        let found = measure(&island, &at, &mut parts, &mut u, &mut force);
        assert!(found.primal.is_finite());
        for body in 0..island.bodies() {
            for k in 0..3 {
                let mut broken = copy(&at);
                broken.velocity[body][k] = f64::NAN;
                let found = measure(&island, &broken, &mut parts, &mut u, &mut force);
                assert!(found.primal.is_nan() && found.gap.is_nan(), "{found:?}");
            }
        }
    }

    /// Products inside the box stay; others are moved to its edge, downwards by no more than its upper end.
    #[test]
    fn only_products_outside_the_box_are_recentred() {
        let (island, at, scaling, _) = setting();
        let still = Point {
            velocity: vec![[0.0; 6]; island.bodies()],
            s: vec![[Lanes::ZERO; 3]; at.s.len()],
            z: vec![[Lanes::ZERO; 3]; at.s.len()],
        };
        // All products of this iterate are one.
        for (bounds, change) in [
            ([0.3, 10.0], 0.0),
            ([2.0, 10.0], 1.0),
            ([0.1, 0.75], -0.25),
            ([0.01, 0.1], -0.1),
        ] {
            let mut wanted = vec![[Lanes::ZERO; 3]; at.s.len()];
            recentre(&island, &scaling, &still, 1.0, bounds, &mut wanted);
            for value in wanted {
                let off = (value[0] - Lanes::splat(change)).abs().largest();
                assert!(off < 1e-14, "{bounds:?}: {value:?}");
                assert!(value[1] == Lanes::ZERO && value[2] == Lanes::ZERO);
            }
        }
    }

    #[test]
    fn a_direction_that_is_not_finite_is_refused() {
        let (island, at, scaling, mut parts) = setting();
        let still = Point {
            velocity: vec![[0.0; 6]; island.bodies()],
            s: at.s.clone(),
            z: at.z.clone(),
        };
        let mut run = |at: &Point, mut along: Point| {
            let u = &at.s;
            complete(
                &island, Associated, &scaling, at, 1e-8, u, u, &mut parts, &mut along,
            )
        };
        let reach = run(&at, copy(&still)).unwrap();
        assert!(reach.step > 0.0);
        for bad in [f64::NAN, f64::INFINITY] {
            for body in 0..island.bodies() {
                let mut along = copy(&still);
                along.velocity[body][2] = bad;
                assert!(run(&at, along).is_none());
            }
        }
        let mut outside = copy(&at);
        outside.z[0][1] = Lanes::splat(2.0);
        assert!(run(&outside, still).is_none());
    }
}
