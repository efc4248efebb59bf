//! The impulse of a contact that gives way under Coulomb's law, as a function of its velocity.
//!
//! Without dilatancy the directions part: the contact is pressed by what it is compressed, `z_N = max(0, -y_N / E_N)`, and held along the joint by
//! what it is sheared, `-y_T / E_T`, as far as friction goes, `|z_T| <= z_N` in cone variables. This is the law of de Saxcé and Feng with `u = y + E z`: a contact that
//! is pressed has `u_N = 0`, and slides against its friction or not at all.

use super::factor::Condensed;
use super::island::Group;
use super::lanes::{Lanes, Triple, dot3};
use super::newton::{AllBuffers, Buffers, Joint, Response};

/// A spring across the joint, and one along it in series with friction.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slider {
    /// `E_N^-1` and `(mu^2 E_T)^-1`; the latter zero without friction.
    stiffness: [Lanes; 2],
}

impl Joint for Slider {
    /// By rows.
    type Stiffness = [Triple; 3];
    const CONVEX: bool = false;

    fn new(group: &Group, _guess: Triple) -> Self {
        let inverse = |x: Lanes| {
            let tiny = Lanes::splat(f64::MIN_POSITIVE);
            x.where_greater(Lanes::ZERO, Lanes::ONE / x.max(tiny), Lanes::ZERO)
        };
        Self {
            stiffness: group.soft.map(inverse),
        }
    }

    #[inline(always)]
    fn stiffness(&self) -> [Lanes; 2] {
        self.stiffness
    }

    #[inline(always)]
    fn respond(&self, y: Triple) -> Response<[Triple; 3]> {
        let (zero, one) = (Lanes::ZERO, Lanes::ONE);
        let [across, along] = self.stiffness;
        let press = (-(y[0] * across)).max(zero);
        let (a, b) = (-(y[1] * along), -(y[2] * along));
        let trial = (a * a + b * b).sqrt();
        let over = one / trial.max(Lanes::splat(1e-300));
        let held = (press * over).min(one);
        // Where it slides, the impulse along the joint has the direction (c, s) and follows the pressure.
        let (c, s) = (a * over, b * over);
        let slides = |slid: Lanes, stuck: Lanes| {
            let touching = (trial - press).where_greater(zero, slid, stuck);
            press.where_greater(zero, touching, zero)
        };
        let (whole, follows) = (slides(one, zero), slides(across, zero));
        let turned = along * held;
        Response {
            z: [press, a * held, b * held],
            energy: zero,
            stiffness: [
                [press.where_greater(zero, across, zero), zero, zero],
                [
                    follows * c,
                    turned * (one - whole * c * c),
                    -(turned * whole * c * s),
                ],
                [
                    follows * s,
                    -(turned * whole * c * s),
                    turned * (one - whole * s * s),
                ],
            ],
        }
    }

    #[inline(always)]
    fn along(&self, y: Triple, d: Triple) -> [Lanes; 2] {
        let Response { z, stiffness, .. } = self.respond(y);
        [dot3(z, d), dot3(d, stiffness.map(|row| dot3(row, d)))]
    }

    fn buffers(all: &mut AllBuffers) -> &mut Buffers<Self> {
        &mut all.sliders
    }

    fn fit(condensed: &mut Condensed<'_>) -> Option<()> {
        condensed.fit_general()
    }

    fn factorise(condensed: &mut Condensed<'_>, stiffness: &[[Triple; 3]]) -> bool {
        condensed.factorise_general(
            #[inline(always)]
            |k| stiffness[k],
        )
    }

    fn solve(condensed: &mut Condensed<'_>, x: &mut [[f64; 6]]) {
        condensed.solve_general(x);
    }
}

/// The same with friction that is bounded by a pressure known beforehand, that of the guess, instead of its own.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Held {
    slider: Slider,
    /// What friction bears, in cone variables.
    bound: Lanes,
}

impl Joint for Held {
    /// (00, 01, 02, 11, 12, 22).
    type Stiffness = [Lanes; 6];
    const CONVEX: bool = true;

    fn new(group: &Group, guess: Triple) -> Self {
        Self {
            slider: Slider::new(group, guess),
            bound: guess[0].max(Lanes::ZERO),
        }
    }

    #[inline(always)]
    fn stiffness(&self) -> [Lanes; 2] {
        self.slider.stiffness
    }

    #[inline(always)]
    fn respond(&self, y: Triple) -> Response<[Lanes; 6]> {
        let (zero, one) = (Lanes::ZERO, Lanes::ONE);
        let [across, along] = self.slider.stiffness;
        let press = (-(y[0] * across)).max(zero);
        let (a, b) = (-(y[1] * along), -(y[2] * along));
        let trial = (a * a + b * b).sqrt();
        let over = one / trial.max(Lanes::splat(1e-300));
        let held = (self.bound * over).min(one);
        let (c, s) = (a * over, b * over);
        let whole = (trial - self.bound).where_greater(zero, one, zero);
        let turned = along * held;
        let half = Lanes::splat(0.5);
        let tiny = Lanes::splat(f64::MIN_POSITIVE);
        let inverse = |x: Lanes| x.where_greater(zero, one / x.max(tiny), zero);
        let carried = trial.min(self.bound);
        Response {
            z: [press, a * held, b * held],
            energy: half * press * press * inverse(across)
                + carried * (trial - half * carried) * inverse(along),
            stiffness: [
                press.where_greater(zero, across, zero),
                zero,
                zero,
                turned * (one - whole * c * c),
                -(turned * whole * c * s),
                turned * (one - whole * s * s),
            ],
        }
    }

    #[inline(always)]
    fn along(&self, y: Triple, d: Triple) -> [Lanes; 2] {
        let Response { z, stiffness, .. } = self.respond(y);
        let [xx, _, _, yy, yz, zz] = stiffness;
        let two = Lanes::splat(2.0);
        [
            dot3(z, d),
            xx * d[0] * d[0] + yy * d[1] * d[1] + two * yz * d[1] * d[2] + zz * d[2] * d[2],
        ]
    }

    fn buffers(all: &mut AllBuffers) -> &mut Buffers<Self> {
        &mut all.held
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

    fn slider(e: [f64; 2], mu: f64) -> Slider {
        let mut group = IslandData::new(&corpus::stack(1)).groups[0];
        group.soft = [e[0], mu * mu * e[1]].map(Lanes::splat);
        Slider::new(&group, [Lanes::ZERO; 3])
    }

    /// `z` and `u = y + E z` satisfy Coulomb's law as de Saxcé and Feng wrote it, and `G` is minus the derivative of `z`, for points that stick, slide and are open.
    #[test]
    fn a_slider_obeys_coulombs_law() {
        let mut random = Random::new(12);
        let mut seen = [0; 3];
        for mu in [0.0, 0.3, 1.0, 2.0] {
            for e in [[1.0, 1.0], [0.2, 5.0], [3.0, 0.1]] {
                let slider = slider(e, mu);
                for _ in 0..300 {
                    let physical: [f64; 3] = std::array::from_fn(|_| random.signed());
                    let y = [physical[0], mu * physical[1], mu * physical[2]];
                    let at = |y: [f64; 3]| slider.respond(y.map(Lanes::splat));
                    let response = at(y);
                    let z = response.z.map(|x| x.0[0]);
                    let r = [z[0], mu * z[1], mu * z[2]];
                    let u: [f64; 3] = std::array::from_fn(|k| physical[k] + e[k.min(1)] * r[k]);
                    let slip = u[1].hypot(u[2]);
                    let w = [u[0] + mu * slip, u[1], u[2]];
                    let work: f64 = (0..3).map(|k| w[k] * r[k]).sum();
                    // Numbers of order one, some divided by a tenth.
                    assert!(impulse_distance(mu, &r) < 1e-13, "{r:?}");
                    assert!(velocity_distance(mu, &w) < 1e-13, "{w:?}");
                    assert!(work.abs() < 1e-12, "{work}");
                    seen[match (r[0] > 0.0, slip < 1e-12) {
                        (false, _) => 0,
                        (true, true) => 1,
                        (true, false) => 2,
                    }] += 1;

                    let rows = response.stiffness.map(|row| row.map(|x| x.0[0]));
                    let h = 1e-6;
                    for k in 0..if mu > 0.0 { 3 } else { 1 } {
                        let shifted = |by: f64| {
                            let mut y = y;
                            y[k] += by;
                            at(y)
                        };
                        let (low, high) = (shifted(-h), shifted(h));
                        let both = low.stiffness.iter().zip(&high.stiffness);
                        // Not across a kink.
                        let smooth = both
                            .flat_map(|(a, b)| a.iter().zip(b))
                            .all(|(a, b)| (*a - *b).abs().largest() < 1e-3);
                        for i in (0..3).filter(|_| smooth) {
                            let slope = (high.z[i].0[0] - low.z[i].0[0]) / (2.0 * h);
                            assert!((slope + rows[i][k]).abs() < 1e-6, "{slope} {}", rows[i][k]);
                        }
                    }
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
    }

    /// With friction bounded beforehand `-z` is the gradient of the energy, and `G` the derivative of that.
    #[test]
    fn held_friction_is_a_gradient() {
        let mut random = Random::new(5);
        let mut slid = 0;
        let mut group = IslandData::new(&corpus::stack(1)).groups[0];
        group.soft = [0.4, 1.7].map(Lanes::splat);
        for _ in 0..300 {
            let pressure = Lanes::splat(random.signed().max(0.0));
            let held = Held::new(&group, [pressure, Lanes::ZERO, Lanes::ZERO]);
            let y: [f64; 3] = std::array::from_fn(|_| random.signed());
            let at = |y: [f64; 3]| held.respond(y.map(Lanes::splat));
            let here = at(y);
            let z = here.z.map(|x| x.0[0]);
            let friction = z[1].hypot(z[2]);
            assert!(friction <= pressure.0[0] + 1e-15, "{friction}");
            slid += u32::from(friction > pressure.0[0] - 1e-15);
            let [xx, xy, xz, yy, yz, zz] = here.stiffness.map(|x| x.0[0]);
            let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
            let h = 1e-6;
            for k in 0..3 {
                let shifted = |by: f64| {
                    let mut y = y;
                    y[k] += by;
                    at(y)
                };
                let (low, high) = (shifted(-h), shifted(h));
                let slope = (high.energy.0[0] - low.energy.0[0]) / (2.0 * h);
                // The energy is once differentiable: a kink of its slope within h leaves h times a stiffness.
                assert!((slope + z[k]).abs() < 3e-6, "{slope} {z:?}");
                let both = low.stiffness.iter().zip(&high.stiffness);
                let smooth = both
                    .map(|(a, b)| (*a - *b).abs().largest())
                    .all(|x| x < 1e-3);
                for i in (0..3).filter(|_| smooth) {
                    let slope = (high.z[i].0[0] - low.z[i].0[0]) / (2.0 * h);
                    assert!((slope + rows[i][k]).abs() < 1e-6, "{slope} {}", rows[i][k]);
                }
            }
        }
        assert!((30..270).contains(&slid), "{slid}");
    }
}
