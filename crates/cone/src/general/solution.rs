//! What a problem in general form is asked with, and what is answered.

use serde::{Deserialize, Serialize};

use super::fault::GeneralFault;
use crate::Law;

/// The way by which an answer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// The problem was recognised as one of rigid bodies and solved by [`crate::Solver`].
    Rigid,
    /// Clarabel, a general interior-point method, and Newton's method on what it leaves.
    General,
}

/// Settings of [`crate::solve_general`] and [`crate::solve_local`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GeneralSettings {
    /// Default associated.
    pub law: Law,
    /// Largest [`GeneralResidual::worst`] of a solved problem. Default 1e-8. Below 1e-13 rounding decides.
    pub tolerance: f64,
    /// Iterations of one convex problem at most. Default 200; 10 to 30 are usual. On the rigid route this is [`crate::Settings::max_iterations`], 60 at most:
    /// a run that it cuts short is followed by other methods, one of which may take four times as many.
    pub max_iterations: u32,
    /// Convex problems at most under Coulomb's law, before Gauss-Seidel takes over; on the rigid route for each part that touches no other. Default 20; 1 to 10
    /// are usual.
    pub max_outer: u32,
    /// Steps of Newton's method at most where an answer is not within tolerance. Default 50; zero leaves it as it is.
    pub max_polish: u32,
    /// `None`, the default: rigid where the problem allows, general otherwise. A route that is named is the only one;
    /// [`Route::Rigid`] is then an error where the problem is not one of rigid bodies, and says why.
    pub route: Option<Route>,
}

impl Default for GeneralSettings {
    fn default() -> Self {
        Self {
            law: Law::default(),
            tolerance: 1e-8,
            max_iterations: 200,
            max_outer: 20,
            max_polish: 50,
            route: None,
        }
    }
}

impl GeneralSettings {
    /// Finds numbers out of range.
    pub fn validate(&self) -> Result<(), GeneralFault> {
        if self.tolerance > 0.0 && self.tolerance < 1.0 {
            return Ok(());
        }
        Err(GeneralFault::Setting {
            field: "tolerance",
            value: self.tolerance,
            wanted: "it must be positive and less than one",
        })
    }
}

/// How far an answer can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GeneralStatus {
    /// All residuals are within tolerance.
    Solved,
    /// No velocity satisfies all contacts, by a certificate of the solver. What is answered solves the problem in which every contact gives
    /// way by 1e-8 of what its reaction moves, on the rigid route only the contacts of parts without a solution; its residuals are those of the problem as posed, and tell what is left of the contradiction.
    /// Under Coulomb's law: none of the convex problems on the way had a solution.
    Infeasible,
    /// The best that was found; residuals say how good.
    Inaccurate,
}

/// How far `(v, r)` or `r` are from the optimality conditions, recomputed from the problem's own numbers; all without unit.
///
/// Scales come from the problem, so that answers of different solvers compare. `S` is the largest distance to `K*` of a contact's
/// velocity without reactions, `q = D' M^-1 f + w`: what reactions have to undo (but no less than a millionth of the terms of which such a `q` is the sum,
/// below which rounding would be judged). `1/l` is the mass that contacts feel, `l` the mean over all columns `d` of `D` of `d' diag(M)^-1 d`, in local
/// form the mean diagonal of `W`. Impulses are measured in `R = S / l`. A scale that is zero counts as one.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct GeneralResidual {
    /// Largest `|M v - f - D r|_k / sqrt(M_kk)` over the larger of `sqrt(R S)` and the largest `|f_k| / sqrt(M_kk)`. Zero in local form,
    /// where `u` is computed from `r`.
    pub equilibrium: f64,
    /// Largest distance of `u` (plus `mu |u_T| n` under Coulomb's law) to `K*`, over `S`.
    pub primal: f64,
    /// Largest distance of a contact's `r` to `K`, over the larger of `R` and `|r|`.
    pub dual: f64,
    /// Largest `|u . r|` (with the same addition to `u`) of a contact, over `S` and the larger of `R` and `|r|`: how fast it moves along its reaction.
    pub complementarity: f64,
}

impl GeneralResidual {
    /// The largest of the four.
    pub fn worst(&self) -> f64 {
        [
            self.equilibrium,
            self.primal,
            self.dual,
            self.complementarity,
        ]
        .into_iter()
        .fold(0.0, crate::residual::worse)
    }
}

/// The answer to a problem in general form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeneralSolution {
    /// `v`; empty in local form.
    pub velocity: Vec<f64>,
    /// `r`: three components per contact, normal first.
    pub reaction: Vec<f64>,
    /// `u = D' v + w` or `W r + q`: three components per contact, without the addition of Coulomb's law.
    pub relative_velocity: Vec<f64>,
    /// What the judge says.
    pub residual: GeneralResidual,
    /// Iterations of interior-point methods, over all convex problems, and steps of Newton's method.
    pub iterations: u32,
    /// Convex problems solved, one under the associated law, and stretches of Gauss-Seidel.
    pub outer: u32,
    /// How far to trust it.
    pub status: GeneralStatus,
    /// Which way it was found.
    pub route: Route,
    /// In local form: what was added to the diagonal of `W` because rounding had left it a negative eigenvalue, in units of `W`; zero if nothing was. The answer is
    /// improved on and judged with `W` as given.
    pub shifted_by: f64,
}
