//! The limit problem as plain numbers.

use serde::{Deserialize, Serialize};

use super::{LimitBond, LimitCrushing};
use crate::{Contact, FIXED, ProblemFault, StepProblem};

/// A tie between two bodies, or between a body and a support: it pulls and never pushes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LimitTie {
    /// Bodies `[a, b]`; [`FIXED`] for a support.
    pub bodies: [u32; 2],
    /// Unit vector from the end on `a` to the end on `b`.
    pub axis: [f64; 3],
    /// End minus centroid, for `a` and `b`, m. Unused for a support.
    pub arms: [[f64; 3]; 2],
    /// Largest tension, N.
    pub strength: f64,
}

/// How far loads can grow: `max alpha - g' c  s.t.  D c + P t + f_D + alpha f_L = 0`, contact forces `c` in their cones, tensions
/// `t` between zero and the strength of ties, joints not crushed. Bonds widen the cones of their contacts, see [`LimitBond`].
///
/// Its dual is the kinematic problem: `min -f_D' V + (dissipation in ties, crushing and bonds)` over velocities `V` with `f_L' V = 1` at
/// which no contact is entered. Contacts carry their gap, m, in the normal component of [`Contact::offset`]; their compliance is not used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitProblem {
    /// Which of the six degrees of freedom of every body are free.
    pub free: [bool; 6],
    /// Dead loads per body: force, N, and moment about the centroid, N m.
    pub dead: Vec<[f64; 6]>,
    /// Loads that are multiplied.
    pub live: Vec<[f64; 6]>,
    /// Contact points, grouped by pair of bodies.
    pub contacts: Vec<Contact>,
    /// Ties.
    pub ties: Vec<LimitTie>,
    /// Joints that can be crushed.
    pub crushing: Vec<LimitCrushing>,
    /// Bonds of contacts. What a joint that can be crushed is pressed with is then counted from the tension of its bonds: its strength is that in
    /// compression and that in tension together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bonds: Vec<LimitBond>,
}

impl LimitProblem {
    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.dead.len()
    }

    /// Finds what makes the problem unanswerable.
    pub fn validate(&self) -> Result<(), ProblemFault> {
        let bodies = self.bodies();
        if self.live.len() != bodies {
            return Err(ProblemFault::Length {
                field: "live",
                found: self.live.len(),
                bodies,
            });
        }
        for (field, loads) in [("dead load", &self.dead), ("live load", &self.live)] {
            for (body, load) in loads.iter().enumerate() {
                if let Some(&value) = load.iter().find(|x| !x.is_finite()) {
                    return Err(ProblemFault::Body {
                        body,
                        field,
                        value,
                        wanted: "it must be finite",
                    });
                }
            }
        }
        self.as_step(&vec![1.0; bodies]).validate()?;
        for (index, tie) in self.ties.iter().enumerate() {
            self.validate_tie(index, tie)?;
        }
        let mut taken = vec![false; self.contacts.len()];
        for (k, joint) in self.crushing.iter().enumerate() {
            joint.validate(k, &mut taken)?;
        }
        self.validate_bonds()
    }

    fn validate_tie(&self, index: usize, tie: &LimitTie) -> Result<(), ProblemFault> {
        let fault = |field, value, wanted| {
            Err(ProblemFault::Tie {
                tie: index,
                field,
                value,
                wanted,
            })
        };
        let [a, b] = tie.bodies;
        let known = |body: u32| body == FIXED || (body as usize) < self.bodies();
        if a == b || !known(a) || !known(b) {
            let wanted = "two different sides are needed, one of them free";
            return fault("second body", f64::from(b), wanted);
        }
        let length = tie.axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (length - 1.0).abs() > 1e-6 || length.is_nan() {
            return fault("length of the axis", length, "it must be one");
        }
        if let Some(&x) = tie.arms.iter().flatten().find(|x| !x.is_finite()) {
            return fault("arm", x, "it must be finite");
        }
        if !(tie.strength.is_finite() && tie.strength >= 0.0) {
            return fault(
                "strength",
                tie.strength,
                "it must be finite and not negative",
            );
        }
        Ok(())
    }

    /// The same bodies and contacts as a step problem, with unit masses and the inertia of points at the given distance from the
    /// centroid.
    pub(crate) fn as_step(&self, radii: &[f64]) -> StepProblem {
        let inertia = |r: &f64| {
            let j = r * r;
            [j, 0.0, 0.0, 0.0, j, 0.0, 0.0, 0.0, j]
        };
        StepProblem {
            mass: vec![1.0; radii.len()],
            rotational: radii.iter().map(inertia).collect(),
            free_velocity: vec![[0.0; 6]; radii.len()],
            free: self.free,
            speed_scale: 1.0,
            contacts: self.contacts.clone(),
        }
    }
}
