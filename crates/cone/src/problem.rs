//! The step problem as plain numbers.

use serde::{Deserialize, Serialize};

/// Body index of a contact's side that has no unknowns: a support, whose motion enters through the contact's offset.
pub const FIXED: u32 = u32::MAX;

/// One contact point between two bodies.
///
/// Local components are ordered (normal, tangent 1, tangent 2).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Bodies `[a, b]`; [`FIXED`] for a support. The impulse acts on `b` as `+`, on `a` as `-`.
    pub bodies: [u32; 2],
    /// Rows: normal (from `a` to `b`) and two tangents; orthonormal.
    pub frame: [[f64; 3]; 3],
    /// Contact point minus centroid, for `a` and `b`, m. Unused for a support.
    pub arms: [[f64; 3]; 2],
    /// Friction coefficient.
    pub friction: f64,
    /// Added to the relative velocity in the cone condition, local components, m/s: `g/dt` along the normal in the
    /// papers' scheme, plus the velocity of supports.
    pub offset: [f64; 3],
    /// Compliance `E` added to the Delassus operator, normal and tangential, m/s per N s; zero is rigid.
    pub compliance: [f64; 2],
}

/// `min_V 1/2 (V - V_f)' H (V - V_f) + 1/2 r' E r  s.t.  D' V + s + E r = u ∈ K*`, with `r ∈ K` the multiplier.
///
/// Optimality: `H (V - V_f) = D r`, `K* ∋ u ⊥ r ∈ K`, `K = {|r_T| <= mu r_N}`, `K* = {mu |u_T| <= u_N}`.
/// `V` has six numbers per body: velocity of the centroid, angular velocity, in world axes.
/// A degree of freedom that is not `free` keeps its value in `V_f` and its rows of `D` count as zero.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StepProblem {
    /// Mass per body, kg.
    pub mass: Vec<f64>,
    /// Symmetric positive definite rotational block of `H` per body, row by row, kg m².
    pub rotational: Vec<[f64; 9]>,
    /// `V_f`: the velocity that the bodies would have without contact impulses, m/s and rad/s.
    pub free_velocity: Vec<[f64; 6]>,
    /// Which of the six degrees of freedom of every body are free: all in space, three in a planar model.
    pub free: [bool; 6],
    /// The smallest speed that matters, m/s: what gravity gives in one step. Residuals are relative to it or to the
    /// speeds of the problem, whichever is larger.
    pub speed_scale: f64,
    /// Contact points, grouped by pair of bodies.
    pub contacts: Vec<Contact>,
}

impl StepProblem {
    /// Number of bodies with unknown velocity.
    pub fn bodies(&self) -> usize {
        self.mass.len()
    }
}
