//! The impulse of a contact that gives way, as a function of its velocity.
//!
//! `z` minimises `1/2 z' E z + y . z` over the cone. In `w = E^1/2 z` that is the nearest point of another cone to
//! `-E^-1/2 y`: inside it the contact sticks, on its side it slides, at its apex it is open.

use super::factor::Condensed;
use super::island::Group;
use super::lanes::{Lanes, Triple, dot3};
use super::newton::{AllBuffers, Buffers, Joint, Response};

/// What a contact's compliance makes of its cone: in `w = E^1/2 z` the cone has another slope, and distances are plain.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spring {
    /// `E_N^-1/2` and `(mu^2 E_T)^-1/2`; the latter zero without friction.
    root: [Lanes; 2],
    /// Slope of the cone of `w`.
    slope: Lanes,
    /// `1 / (1 + slope^2)`.
    share: Lanes,
}

impl Spring {
    /// `-E^-1/2 y`.
    #[inline(always)]
    fn pull(&self, y: Triple) -> Triple {
        [
            -(y[0] * self.root[0]),
            -(y[1] * self.root[1]),
            -(y[2] * self.root[1]),
        ]
    }

    /// The projection of `-E^-1/2 y`, and its derivative: along the axis, between axis and radius, along the radius, across.
    #[inline(always)]
    fn project(&self, y: Triple) -> (Triple, [Lanes; 4], [Lanes; 2]) {
        let (zero, one) = (Lanes::ZERO, Lanes::ONE);
        let x = self.pull(y);
        let tangent = (x[1] * x[1] + x[2] * x[2]).sqrt();
        let over = one / tangent.max(Lanes::splat(1e-300));
        let foot = (x[0] + self.slope * tangent) * self.share;
        // Outside of the cone and not below it.
        let slides = tangent - self.slope * x[0];
        let lean = self.slope * foot * over;
        let side = |slid: Lanes, stuck: Lanes| {
            let touching = slides.where_greater(zero, slid, stuck);
            foot.where_greater(zero, touching, zero)
        };
        let w0 = side(foot, x[0]);
        let shrink = side(lean, one);
        let derivative = [
            side(self.share, one),
            side(self.slope * self.share, zero),
            side(self.slope * self.slope * self.share, one),
            shrink,
        ];
        (
            [w0, x[1] * shrink, x[2] * shrink],
            derivative,
            [x[1] * over, x[2] * over],
        )
    }
}

impl Joint for Spring {
    /// (00, 01, 02, 11, 12, 22).
    type Stiffness = [Lanes; 6];
    const CONVEX: bool = true;

    fn new(group: &Group, _guess: Triple) -> Self {
        let inverse_root = |x: Lanes| {
            let tiny = Lanes::splat(f64::MIN_POSITIVE);
            x.where_greater(Lanes::ZERO, Lanes::ONE / x.max(tiny).sqrt(), Lanes::ZERO)
        };
        let root = [inverse_root(group.soft[0]), inverse_root(group.soft[1])];
        let slope = group.soft[1].sqrt() * root[0];
        Self {
            root,
            slope,
            share: Lanes::ONE / (Lanes::ONE + slope * slope),
        }
    }

    #[inline(always)]
    fn stiffness(&self) -> [Lanes; 2] {
        let [n, t] = self.root;
        [n * n, t * t]
    }

    #[inline(always)]
    fn respond(&self, y: Triple) -> Response<[Lanes; 6]> {
        let (w, [axis, mixed, radius, across], [a, b]) = self.project(y);
        let [n, t] = self.root;
        let (nt, tt) = (n * t, t * t);
        let bent = radius - across;
        Response {
            z: [w[0] * n, w[1] * t, w[2] * t],
            energy: Lanes::splat(0.5) * dot3(w, w),
            stiffness: [
                n * n * axis,
                nt * mixed * a,
                nt * mixed * b,
                tt * (across + bent * a * a),
                tt * (bent * a * b),
                tt * (across + bent * b * b),
            ],
        }
    }

    #[inline(always)]
    fn along(&self, y: Triple, d: Triple) -> [Lanes; 2] {
        let (w, [axis, mixed, radius, across], [a, b]) = self.project(y);
        let d = self.pull(d);
        let along = d[1] * a + d[2] * b;
        let beside = d[2] * a - d[1] * b;
        let two = Lanes::splat(2.0);
        [
            -dot3(w, d),
            axis * d[0] * d[0]
                + two * mixed * d[0] * along
                + radius * along * along
                + across * beside * beside,
        ]
    }

    fn buffers(all: &mut AllBuffers) -> &mut Buffers<Self> {
        &mut all.springs
    }

    fn fit(_: &mut Condensed<'_>) -> Option<()> {
        Some(())
    }

    fn factorise(condensed: &mut Condensed<'_>, stiffness: &[[Lanes; 6]]) -> bool {
        condensed.factorise(
            #[inline(always)]
            |k| stiffness[k],
        )
    }

    fn solve(condensed: &mut Condensed<'_>, x: &mut [[f64; 6]]) {
        condensed.solve(x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cones::{impulse_distance, velocity_distance};
    use crate::corpus::{self, Random};
    use crate::interior_point::island::IslandData;

    fn spring(e: [f64; 2], mu: f64) -> Spring {
        let soft = [e[0], mu * mu * e[1]].map(Lanes::splat);
        let mut group = IslandData::new(&corpus::stack(1)).groups[0];
        group.soft = soft;
        Spring::new(&group, [Lanes::ZERO; 3])
    }

    /// `z` and `u = y + E z` are in their cones and orthogonal, and `G` is minus the derivative of `z`, for points that
    /// stick, slide and are open, at any slope of the cone.
    #[test]
    fn a_spring_answers_with_its_projection() {
        let mut random = Random::new(11);
        let mut seen = [0; 3];
        for mu in [0.0, 0.3, 1.0, 2.0] {
            for e in [[1.0, 1.0], [0.2, 5.0], [3.0, 0.1]] {
                let spring = spring(e, mu);
                for _ in 0..300 {
                    let physical: [f64; 3] = std::array::from_fn(|_| random.signed());
                    let y = [physical[0], mu * physical[1], mu * physical[2]];
                    let at = |y: [f64; 3]| spring.respond(y.map(Lanes::splat));
                    let response = at(y);
                    let z = response.z.map(|x| x.0[0]);
                    let r = [z[0], mu * z[1], mu * z[2]];
                    let u: [f64; 3] = std::array::from_fn(|k| physical[k] + e[k.min(1)] * r[k]);
                    let work: f64 = (0..3).map(|k| u[k] * r[k]).sum();
                    // Numbers of order one, some divided by a tenth.
                    assert!(impulse_distance(mu, &r) < 1e-13, "{r:?}");
                    assert!(velocity_distance(mu, &u) < 1e-13, "{u:?}");
                    assert!(work.abs() < 1e-13, "{work}");
                    let state = match (r[0] > 0.0, u[1].hypot(u[2]) < 1e-12) {
                        (false, _) => 0,
                        (true, true) => 1,
                        (true, false) => 2,
                    };
                    seen[state] += 1;

                    let g = response.stiffness.map(|x| x.0[0]);
                    let rows = [[g[0], g[1], g[2]], [g[1], g[3], g[4]], [g[2], g[4], g[5]]];
                    let h = 1e-6;
                    for k in 0..if mu > 0.0 { 3 } else { 1 } {
                        let shifted = |by: f64| {
                            let mut y = y;
                            y[k] += by;
                            at(y)
                        };
                        let (low, high) = (shifted(-h), shifted(h));
                        let smooth = low
                            .stiffness
                            .iter()
                            .zip(&high.stiffness)
                            .all(|(a, b)| (*a - *b).abs().largest() < 1e-3);
                        // Not across a kink.
                        for i in (0..3).filter(|_| smooth) {
                            let slope = (high.z[i].0[0] - low.z[i].0[0]) / (2.0 * h);
                            assert!((slope + rows[i][k]).abs() < 1e-6, "{slope} {}", rows[i][k]);
                        }
                        let energy = (high.energy.0[0] - low.energy.0[0]) / (2.0 * h);
                        assert!((energy + z[k]).abs() < 1e-5, "{energy} {}", z[k]);
                    }
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
    }
}
