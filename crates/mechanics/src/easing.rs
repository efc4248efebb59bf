//! Contacts under Coulomb's law yield a little.
//!
//! Rigid contacts with Coulomb's law do not determine a step. A block pinched between two others may be pressed as hard as one likes; friction follows the pressure,
//! and motion follows friction. So the answers form continua, in which Newton's method finds no place to stop and a fixed point wanders. What is missing is what sets
//! pressures in stone: they change only where something moves. A contact that is rigid otherwise has, under Coulomb's law, equation (2.14),
//!
//! `u = D' V + s + E (r - r_past)`, `K* ∋ u + mu |u_T| n ⊥ r ∈ K`,
//!
//! with `E` a small share of its response to an impulse, and less where it carries many times what its blocks weigh. The tangential part of `r_past` is that of its impulse in the last step, the normal part what it carried when the run began ([`crate::preload`]). Across the joint the overlap, which is part of
//! `s`, remembers the force; along it nothing else does. That is a spring of stiffness `1 / (dt T E)` both ways, in series with friction; for blocks of
//! stone and steps of 1 ms it is about as stiff as the stone. Points of a joint share its stiffness by their areas: corners where faces coincide become two, or one again, with rotations
//! of a millionth, and a joint whose stiffness depended on their number would tremble. Forces stay as they were unless motion changes them, and what is at rest does not creep.
//!
//! A memory of the normal part, so that overlaps vanish under constant forces, was tried: the force would change at a rate given by the overlap, which is
//! unstable in columns of more than some thirty blocks and wherever heavy blocks rest on light ones.

use drystone_cone::{Contact, FIXED, StepProblem};
use drystone_geometry::ContactSet;

/// `E` in units of the Delassus diagonal. From about 2e-3 on, both methods of the solver find three columns under a beam together (with 1e-3 one finds them apart; of eight there are
/// several answers still), and fewer steps of buildings, domes and vaults in motion meet a fold. With 1e-2 fewer yet would, but structures near their limit would sway four times as far.
const SHARE: f64 = 2.5e-3;
/// A contact that carries what gives it the acceleration `a` yields by at most `a` times the square of this time, s: with longer steps than 2 ms its stiffness does not fall any more.
/// That is stone of some tenths of a metre: sound takes as long through it.
const SLOWEST: f64 = 1e-4;
/// What a contact carries at rest compresses it by at most so many times what its own block alone would. The joints of ten courses yield by the response of their blocks; those at the foot of a tower of a hundred, of pads between
/// heavy drums and of light stones under a heavy one would be so soft by it that these sway by centimetres. (With 1 everything is stiffer still, but walls in collapse take four times as long to solve.)
const CARRIED: f64 = 10.0;
/// Corners of a joint that yields by that share at each.
const CORNERS: f64 = 4.0;

/// What each contact point is of a regular corner: its area over that of one corner of four. Points on edges have no area and count as one.
pub(crate) fn corners(contacts: &ContactSet) -> Vec<f64> {
    let mut parts = vec![1.0; contacts.points.len()];
    for manifold in contacts.manifolds.iter().filter(|m| m.area > 0.0) {
        let points = contacts.points_of(manifold);
        for (part, point) in parts[manifold.first as usize..].iter_mut().zip(points) {
            *part = CORNERS * point.tributary_area / manifold.area;
        }
    }
    parts
}

/// By which share of their response to an impulse contacts yield in a step of `dt`, s, in which forces act for `span`, s.
pub(crate) fn share(dt: f64, span: f64) -> f64 {
    SHARE.min(SLOWEST * SLOWEST / (dt * span))
}

/// What contacts bring with them into a step.
pub(crate) struct Past<'a> {
    /// Impulses of the last step, local components, N s.
    pub last: &'a [[f64; 3]],
    /// Normal impulses to which they do not yield, N s.
    pub preload: &'a [f64],
    /// What they are of a regular corner, by [`corners`].
    pub parts: &'a [f64],
}

/// Lets the rigid contacts of a problem yield by a share of their response. `carried` says by how much the normal offset of a contact changes if overlaps
/// that are pushed out at up to a given speed, m/s, are not. Returns the contacts as they were: what follows a solution, energies and gaps, is that
/// of rigid ones.
pub(crate) fn ease(
    problem: &mut StepProblem,
    share: f64,
    past: &Past<'_>,
    carried: impl Fn(usize, f64) -> f64,
) -> Vec<Contact> {
    let rigid = problem.contacts.clone();
    for (k, last) in past.last.iter().enumerate() {
        // A direction that moves nothing has no response; it needs a scale all the same.
        let sides = rigid[k].bodies.iter().filter(|&&b| b != FIXED);
        let lightness: f64 = sides.map(|&b| 1.0 / problem.mass[b as usize]).sum();
        let response = problem
            .delassus_diagonal(&rigid[k])
            .map(|x| share / past.parts[k].max(share) * if x > 0.0 { x } else { lightness });
        let most = CARRIED * share * problem.speed_scale / past.preload[k].max(0.0);
        let stiffer = (most / response[0]).min(1.0);
        let [normal, tangent] = response.map(|x| stiffer * x);
        let contact = &mut problem.contacts[k];
        if contact.compliance[0] == 0.0 {
            contact.compliance[0] = normal;
            let beyond = (last[0] - past.preload[k]).max(0.0);
            contact.offset[0] += carried(k, normal * beyond) - normal * past.preload[k];
        }
        if contact.compliance[1] == 0.0 {
            contact.compliance[1] = tangent;
            contact.offset[1] -= tangent * last[1];
            contact.offset[2] -= tangent * last[2];
        }
    }
    rigid
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_cone::{Law, corpus, residual_under};
    use drystone_geometry::{ContactPoint, DVec3, FeatureId, Manifold};

    fn past<'a>(last: &'a [[f64; 3]], preload: &'a [f64]) -> Past<'a> {
        Past {
            last,
            preload,
            parts: &[1.0; 4],
        }
    }

    /// Friction that holds a force, on an overlap that carries the weight, goes on doing so: nothing moves.
    #[test]
    fn a_state_that_continues_does_not_yield() {
        let mut posed = corpus::stack(1);
        let share = -posed.mass[0] * posed.free_velocity[0][2] / 4.0;
        let shear = 0.1 * share;
        // The block keeps its balance without turning.
        posed.free = [true, true, true, false, false, false];
        let along = posed.contacts[0].frame[1];
        for (v, axis) in posed.free_velocity[0].iter_mut().zip(along) {
            *v += 4.0 * shear * axis / posed.mass[0];
        }
        let impulse = vec![[share, -shear, 0.0]; 4];
        assert!(posed.contacts.iter().all(|c| c.frame[1] == along));
        let mut eased = posed.clone();
        let rigid = ease(&mut eased, SHARE, &past(&impulse, &[0.0; 4]), |_, _| 0.0);
        assert_eq!(rigid, posed.contacts);
        for contact in &mut eased.contacts {
            contact.offset[0] = -contact.compliance[0] * share;
        }
        let judged = residual_under(&eased, Law::Coulomb, &[[0.0; 6]], &impulse);
        assert!(judged.worst() < 1e-14, "{judged:?}");
        // Nor does what has carried that weight from the first.
        let mut loaded = posed.clone();
        let past_loads = [share; 4];
        ease(&mut loaded, SHARE, &past(&impulse, &past_loads), |_, _| 0.0);
        let judged = residual_under(&loaded, Law::Coulomb, &[[0.0; 6]], &impulse);
        assert!(judged.worst() < 1e-14, "{judged:?}");
        // Without memory it would creep along the joint in every step.
        let mut forgetful = posed.clone();
        ease(
            &mut forgetful,
            SHARE,
            &past(&[[0.0; 3]; 4], &[0.0; 4]),
            |_, _| 0.0,
        );
        for (contact, eased) in forgetful.contacts.iter_mut().zip(&eased.contacts) {
            contact.offset[0] = eased.offset[0];
        }
        let judged = residual_under(&forgetful, Law::Coulomb, &[[0.0; 6]], &impulse);
        assert!(judged.gap > 1e-7, "{judged:?}");
    }

    /// What carries a hundred times the weight of its own block is compressed by no more than ten times what that weight would.
    #[test]
    fn what_carries_much_is_stiffer() {
        let posed = corpus::stack(1);
        let own = -posed.mass[0] * posed.free_velocity[0][2] / 4.0;
        let compliance = |preload: f64| {
            let mut eased = posed.clone();
            ease(
                &mut eased,
                SHARE,
                &past(&[[0.0; 3]; 4], &[preload; 4]),
                |_, _| 0.0,
            );
            eased.contacts[0].compliance
        };
        let [soft, stiff] = [0.0, 100.0 * own].map(compliance);
        assert_eq!(compliance(own), soft);
        let fall = posed.speed_scale;
        let yielded = stiff[0] * 100.0 * own;
        assert!(
            (yielded / (CARRIED * SHARE * fall) - 1.0).abs() < 1e-12,
            "{yielded}"
        );
        assert!((stiff[1] / stiff[0] - soft[1] / soft[0]).abs() < 1e-12);
    }

    /// The stiffness `1 / (dt T E)` grows with shorter steps and does not fall below that of 2 ms.
    #[test]
    fn long_steps_do_not_soften_joints() {
        let softness = |dt: f64| dt * dt * share(dt, dt);
        for (dt, wanted) in [
            (5e-4, 1.0 / 16.0),
            (1e-3, 0.25),
            (2e-3, 1.0),
            (5e-3, 1.0),
            (0.02, 1.0),
        ] {
            let found = softness(dt) / (SLOWEST * SLOWEST);
            assert!((found - wanted).abs() < 1e-12, "{dt}: {found}");
        }
    }

    /// A corner that appears as two yields as one.
    #[test]
    fn a_divided_corner_yields_as_a_whole() {
        let point = |x: f64, area: f64| ContactPoint {
            id: FeatureId((100.0 * x) as u64),
            on_a: x * DVec3::X,
            on_b: x * DVec3::X,
            gap: 0.0,
            tributary_area: area,
        };
        let joint = |areas: &[f64], area: f64| ContactSet {
            manifolds: vec![Manifold {
                a: 0,
                b: 1,
                parts: [0; 2],
                normal: DVec3::Z,
                first: 0,
                count: areas.len() as u32,
                area,
            }],
            points: areas
                .iter()
                .zip(1..)
                .map(|(a, k)| point(f64::from(k), *a))
                .collect(),
        };
        assert_eq!(corners(&joint(&[0.5; 4], 2.0)), [1.0; 4]);
        let divided = corners(&joint(&[0.5, 0.5, 0.5, 0.2, 0.3], 2.0));
        assert!((divided[3] + divided[4] - 1.0).abs() < 1e-15);
        // An edge has no area.
        assert_eq!(corners(&joint(&[0.0; 2], 0.0)), [1.0; 2]);
    }
}
