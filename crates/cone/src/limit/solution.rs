//! What a limit analysis is asked to do, and what it answers.

use serde::{Deserialize, Serialize};

use crate::ProblemFault;

/// Which solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitMethod {
    /// The dedicated interior-point method, condensed to bodies.
    #[default]
    InteriorPoint,
    /// Clarabel, a general solver, for comparison.
    Clarabel,
}

/// Settings of a limit analysis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LimitSettings {
    /// Default interior point.
    pub method: LimitMethod,
    /// Largest relative residual, see [`LimitResidual`]. Default 1e-8.
    pub tolerance: f64,
    /// Iterations at most. Default 200; 15 to 40 are usual.
    pub max_iterations: u32,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            method: LimitMethod::default(),
            tolerance: 1e-8,
            max_iterations: 200,
        }
    }
}

impl LimitSettings {
    /// Finds numbers out of range.
    pub fn validate(&self) -> Result<(), ProblemFault> {
        if self.tolerance > 0.0 && self.tolerance < 1.0 {
            return Ok(());
        }
        Err(ProblemFault::Scale {
            field: "tolerance",
            value: self.tolerance,
            wanted: "positive and less than one",
        })
    }
}

/// What the answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitStatus {
    /// Both bounds meet.
    Optimal,
    /// No multiplier is large enough: contact forces balance the live loads alone.
    Unbounded,
    /// No multiplier gives equilibrium: there is a motion on which dead loads do work and live ones none.
    Infeasible,
    /// The best that was found; the residual says how good.
    Inaccurate,
}

/// How far an answer is from what it claims, recomputed from the problem; all relative.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct LimitResidual {
    /// Largest force out of balance on a body, over the mean load of a body; or, whichever is more, over ten thousand times its own load or a
    /// hundredth of the largest force that acts on it.
    pub balance: f64,
    /// Largest distance of a force to its cone, over the same.
    pub force: f64,
    /// Largest distance of the velocity of a contact to its cone, over the largest velocity.
    pub velocity: f64,
    /// Work of the live loads on the mechanism less one. If infeasible: that work, and what forces of the size of the loads do where the mechanism leaves the cones, over the work of the dead loads.
    pub normalisation: f64,
    /// Difference of both bounds, and what the forces do where the mechanism leaves the cones, over the multiplier or the ratio of mean dead and live loads, whichever is larger.
    pub gap: f64,
}

impl LimitResidual {
    /// The largest.
    pub fn worst(&self) -> f64 {
        [
            self.balance,
            self.force,
            self.velocity,
            self.normalisation,
            self.gap,
        ]
        .into_iter()
        .fold(
            0.0,
            |worst, x| {
                if x > worst || x.is_nan() { x } else { worst }
            },
        )
    }
}

/// The answer to a limit problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LimitSolution {
    /// Whether there is a multiplier.
    pub status: LimitStatus,
    /// The multiplier of the forces below: a lower bound. Infinite if unbounded, minus infinity if infeasible.
    pub multiplier: f64,
    /// The multiplier of the mechanism below: an upper bound.
    pub upper: f64,
    /// Velocity per body, m/s and rad/s, on which live loads do unit work; a motion that starts by itself if infeasible.
    pub velocity: Vec<[f64; 6]>,
    /// Force per contact, local components (normal, tangents), N; those that balance the live loads alone if unbounded.
    pub force: Vec<[f64; 3]>,
    /// Tension per tie, N.
    pub tension: Vec<f64>,
    /// What the judge says.
    pub residual: LimitResidual,
    /// Iterations of the solver.
    pub iterations: u32,
}
