//! The passes over all contacts that one iteration makes.

use super::island::IslandData;
use super::lanes::{Lanes, Triple, add3, dot3, scale3, sub3, vectorised};
use super::scaling::{Scaling, jordan, longest_step, margins};

/// An interior point.
#[derive(Debug, Clone)]
pub(super) struct Iterate {
    pub(super) velocity: Vec<[f64; 6]>,
    pub(super) s: Vec<Triple>,
    pub(super) z: Vec<Triple>,
}

/// A direction to move along.
#[derive(Debug, Clone)]
pub(super) struct Direction {
    pub(super) velocity: Vec<[f64; 6]>,
    pub(super) s: Vec<Triple>,
    pub(super) z: Vec<Triple>,
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
#[derive(Debug, Clone, Copy)]
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
fn soft_times(soft: [Lanes; 2], x: Triple) -> Triple {
    [soft[0] * x[0], soft[1] * x[1], soft[1] * x[2]]
}

/// Fills `u = A V + c + E z` and `force = A' z`.
pub(super) fn measure(
    island: &IslandData,
    at: &Iterate,
    u: &mut [Triple],
    force: &mut [[f64; 6]],
) -> Measure {
    force.fill([0.0; 6]);
    vectorised(
        #[inline(always)]
        || {
            let (mut primal, mut worst_gap) = (Lanes::ZERO, Lanes::ZERO);
            let (mut gap, mut product, mut work) = (Lanes::ZERO, Lanes::ZERO, Lanes::ZERO);
            for (k, group) in island.groups.iter().enumerate() {
                let z = at.z[k];
                let here = add3(
                    add3(group.velocity(&at.velocity), group.offset),
                    soft_times(group.soft, z),
                );
                u[k] = here;
                let far = distance(here, group.friction);
                primal = primal.max(far);
                let open = (dot3(here, z) * group.weight).abs();
                gap += open;
                worst_gap = worst_gap.max(open * group.delassus);
                product += dot3(at.s[k], z) * group.weight;
                work += dot3(group.offset, z) * group.weight;
                group.gather(z, force);
            }
            Measure {
                primal: primal.largest(),
                gap: gap.sum(),
                worst_gap: worst_gap.largest(),
                complementarity: product.sum(),
                offset_work: work.sum(),
            }
        },
    )
}

/// Scalings at an interior point; `proximal` is relative to the Delassus diagonal.
pub(super) fn scale(island: &IslandData, at: &Iterate, proximal: f64, scaling: &mut Vec<Scaling>) {
    scaling.clear();
    vectorised(
        #[inline(always)]
        || {
            for (k, group) in island.groups.iter().enumerate() {
                let extra = Lanes::splat(proximal) * group.delassus;
                scaling.push(Scaling::new(
                    at.s[k],
                    at.z[k],
                    [group.soft[0] + extra, group.soft[1] + extra],
                ));
            }
        },
    );
}

/// Predictor: the target is the boundary. Fills `target = -u` and adds `A' G target` to `right`.
pub(super) fn predict(
    island: &IslandData,
    scaling: &[Scaling],
    u: &[Triple],
    target: &mut [Triple],
    right: &mut [[f64; 6]],
) {
    vectorised(
        #[inline(always)]
        || {
            for (k, group) in island.groups.iter().enumerate() {
                target[k] = [-u[k][0], -u[k][1], -u[k][2]];
                group.gather(scaling[k].inverse_times(target[k]), right);
            }
        },
    );
}

/// Corrector: fills `wanted = centre e - lambda o lambda` less the second-order term of the direction `along`.
pub(super) fn correct(
    island: &IslandData,
    scaling: &[Scaling],
    along: &Direction,
    centre: f64,
    wanted: &mut [Triple],
) {
    vectorised(
        #[inline(always)]
        || {
            for k in 0..island.groups.len() {
                let w = &scaling[k];
                let lambda = w.lambda();
                let second = jordan(w.over(along.s[k]), w.times(along.z[k]));
                let mut d = sub3([-Lanes::ZERO; 3], add3(jordan(lambda, lambda), second));
                d[0] += Lanes::splat(centre);
                wanted[k] = d;
            }
        },
    );
}

/// Gondzio's corrector: where the eigenvalues of the products after a `trial` step along a direction leave the `bounds`,
/// `wanted` is changed by what is missing, downwards by no more than the upper bound.
pub(super) fn recentre(
    island: &IslandData,
    scaling: &[Scaling],
    along: &Direction,
    trial: f64,
    bounds: [f64; 2],
    wanted: &mut [Triple],
) {
    vectorised(
        #[inline(always)]
        || {
            let (half, trial) = (Lanes::splat(0.5), Lanes::splat(trial));
            let [low, high] = bounds.map(Lanes::splat);
            for k in 0..island.groups.len() {
                let w = &scaling[k];
                let lambda = w.lambda();
                let s = add3(lambda, scale3(w.over(along.s[k]), trial));
                let z = add3(lambda, scale3(w.times(along.z[k]), trial));
                let product = jordan(s, z);
                let eigen = margins(product);
                let missing = eigen.map(|x| (x.max(low).min(high) - x).max(-high));
                let tangent = half * (eigen[1] - eigen[0]);
                // Without a tangential part both eigenvalues, and so both corrections, are the same.
                let lean = half * (missing[1] - missing[0]) / tangent.max(Lanes::splat(1e-300));
                let change = [
                    half * (missing[0] + missing[1]),
                    lean * product[1],
                    lean * product[2],
                ];
                wanted[k] = add3(wanted[k], change);
            }
        },
    );
}

/// Fills `target = (s - u) + W (lambda \ wanted)` and adds `A' G target` to `right`.
pub(super) fn aim(
    island: &IslandData,
    scaling: &[Scaling],
    at: &Iterate,
    wanted: &[Triple],
    u: &[Triple],
    target: &mut [Triple],
    right: &mut [[f64; 6]],
) {
    vectorised(
        #[inline(always)]
        || {
            for (k, group) in island.groups.iter().enumerate() {
                let w = &scaling[k];
                let step = w.times(w.jordan_divide(wanted[k]));
                target[k] = add3(sub3(at.s[k], u[k]), step);
                group.gather(w.inverse_times(target[k]), right);
            }
        },
    );
}

/// Completes a direction whose velocity is known: `dz = G (target - A dV)`, `ds = A dV + (E + delta) dz - (s - u)`. `None`
/// if the direction is not finite or the iterate not interior: the numbers broke down.
#[allow(clippy::too_many_arguments)]
pub(super) fn complete(
    island: &IslandData,
    scaling: &[Scaling],
    at: &Iterate,
    proximal: f64,
    u: &[Triple],
    target: &[Triple],
    direction: &mut Direction,
) -> Option<Reach> {
    let reach = vectorised(
        #[inline(always)]
        || {
            let mut step = Lanes::splat(f64::INFINITY);
            let (mut linear, mut square) = (Lanes::ZERO, Lanes::ZERO);
            let mut left = Lanes::ZERO;
            for (k, group) in island.groups.iter().enumerate() {
                let moved = group.velocity(&direction.velocity);
                let dz = scaling[k].inverse_times(sub3(target[k], moved));
                let extra = scale3(dz, Lanes::splat(proximal) * group.delassus);
                let given = add3(add3(moved, soft_times(group.soft, dz)), extra);
                let ds = sub3(given, sub3(at.s[k], u[k]));
                left = left.max(dot3(extra, extra).sqrt());
                direction.z[k] = dz;
                direction.s[k] = ds;
                step = step
                    .min(longest_step(at.s[k], ds))
                    .min(longest_step(at.z[k], dz));
                linear += (dot3(at.s[k], dz) + dot3(ds, at.z[k])) * group.weight;
                square += dot3(ds, dz) * group.weight;
            }
            Reach {
                step: -(-step).largest(),
                change: [linear.sum(), square.sum()],
                proximal: left.largest(),
            }
        },
    );
    // The sums run over all of ds and dz.
    let finite = direction.velocity.iter().flatten().all(|x| x.is_finite())
        && reach.change.iter().all(|x| x.is_finite())
        && !reach.step.is_nan();
    finite.then_some(reach)
}

/// `A' dz` of a direction.
pub(super) fn gather_impulses(island: &IslandData, z: &[Triple], force: &mut [[f64; 6]]) {
    force.fill([0.0; 6]);
    vectorised(
        #[inline(always)]
        || {
            for (group, z) in island.groups.iter().zip(z) {
                group.gather(*z, force);
            }
        },
    );
}

/// Moves along a direction.
pub(super) fn advance(at: &mut Iterate, along: &Direction, step: f64) {
    for (v, d) in at.velocity.iter_mut().zip(&along.velocity) {
        (0..6).for_each(|k| v[k] += step * d[k]);
    }
    vectorised(
        #[inline(always)]
        || {
            let step = Lanes::splat(step);
            for (s, d) in at.s.iter_mut().zip(&along.s) {
                *s = add3(*s, scale3(*d, step));
            }
            for (z, d) in at.z.iter_mut().zip(&along.z) {
                *z = add3(*z, scale3(*d, step));
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn setting() -> (IslandData, Iterate, Vec<Scaling>) {
        let island = IslandData::new(&corpus::wall(3, 2));
        assert!(island.groups.len() > 2);
        let axis = [Lanes::ONE, Lanes::ZERO, Lanes::ZERO];
        let at = Iterate {
            velocity: island.free_velocity.clone(),
            s: vec![axis; island.groups.len()],
            z: vec![axis; island.groups.len()],
        };
        let mut scaling = Vec::new();
        scale(&island, &at, 1e-8, &mut scaling);
        (island, at, scaling)
    }

    /// A NaN in any body shows, though all contacts that come later are finite.
    #[test]
    fn measure_does_not_lose_nan() {
        let (island, at, _) = setting();
        let mut u = at.s.clone();
        let mut force = at.velocity.clone();
        assert!(measure(&island, &at, &mut u, &mut force).primal.is_finite());
        for body in 0..island.bodies() {
            for k in 0..3 {
                let mut broken = at.clone();
                broken.velocity[body][k] = f64::NAN;
                let found = measure(&island, &broken, &mut u, &mut force);
                assert!(found.primal.is_nan() && found.gap.is_nan(), "{found:?}");
            }
        }
    }

    /// Products inside the box stay; others are moved to its edge, downwards by no more than its upper end.
    #[test]
    fn only_products_outside_the_box_are_recentred() {
        let (island, at, scaling) = setting();
        let still = Direction {
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
        let (island, at, scaling) = setting();
        let still = Direction {
            velocity: vec![[0.0; 6]; island.bodies()],
            s: at.s.clone(),
            z: at.z.clone(),
        };
        let run = |at: &Iterate, mut along: Direction| {
            complete(&island, &scaling, at, 1e-8, &at.s, &at.s, &mut along)
        };
        let reach = run(&at, still.clone()).unwrap();
        assert!(reach.step > 0.0);
        for bad in [f64::NAN, f64::INFINITY] {
            for body in 0..island.bodies() {
                let mut along = still.clone();
                along.velocity[body][2] = bad;
                assert!(run(&at, along).is_none());
            }
        }
        let mut outside = at.clone();
        outside.z[0][1] = Lanes::splat(2.0);
        assert!(run(&outside, still).is_none());
    }
}
