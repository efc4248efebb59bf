//! What a solver is asked to do.

use serde::{Deserialize, Serialize};

use crate::ProblemFault;

/// Largest residuals accepted, relative; see [`crate::Residual`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tolerances {
    /// Momentum balance.
    pub momentum: f64,
    /// Distance of velocities to `K*` and of impulses to `K`.
    pub primal: f64,
    /// Complementarity. Converges last; velocities are off by about 10 to 30 times this, in units of `v_ref`.
    pub gap: f64,
}

impl Tolerances {
    /// For looking: impact times of a rocking block are off by some per cent.
    pub fn preview() -> Self {
        Self {
            momentum: 1e-6,
            primal: 1e-6,
            gap: 1e-5,
        }
    }

    /// For comparing with closed forms: the solver's error is far below that of any scheme.
    pub fn validation() -> Self {
        Self {
            momentum: 1e-8,
            primal: 1e-8,
            gap: 1e-9,
        }
    }
}

impl Default for Tolerances {
    /// The solver's error is a tenth of that of a first-order scheme at 1 ms. A gap of 1e-5 saves a third of the
    /// iterations in sliding walls but moves the impact times of a rocking block by a fifth of the scheme's own error.
    fn default() -> Self {
        Self {
            momentum: 1e-7,
            primal: 1e-7,
            gap: 1e-7,
        }
    }
}

/// Which solver comes first. Others stay in the chain of fallbacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Newton's method where every contact gives way by an amount that inertia notices, the interior-point method elsewhere.
    #[default]
    Automatic,
    /// The dedicated interior-point method, condensed to bodies and warm started.
    InteriorPoint,
    /// Newton's method on velocities alone. Where a contact is rigid it does not apply, and the interior-point method does.
    Newton,
    /// Clarabel, a general solver; always cold, for comparison.
    Clarabel,
}

/// Friction law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// Associated: sliding at `u_T` opens at `mu |u_T|`; one convex problem (NB eq. 3-22, BRT eq. 27-40).
    #[default]
    Associated,
    /// Coulomb: sliding is tangential; not convex.
    Coulomb,
}

/// Settings of a [`crate::Solver`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Default automatic.
    pub method: Method,
    /// Default associated.
    pub law: Law,
    /// When to stop; see [`Tolerances`].
    pub tolerances: Tolerances,
    /// Iterations of one interior-point run before the next link of the chain is tried. Default 60: hard problems take
    /// up to 30, so that more means trouble rather than patience. Fewer than 10 sends ordinary problems to fallbacks.
    pub max_iterations: u32,
    /// Rounds of the fixed point at most for one island under Coulomb's law, before Gauss-Seidel takes over. Default 20: 1 to 3 are
    /// usual, ten when blocks collide everywhere at once. Zero gives up where all contacts yield and the faster methods fail, for whoever can ask an easier question.
    pub max_outer: u32,
    /// Accept the warm start without iterating when the judge does. Default true; false only for measuring.
    pub check_first: bool,
    /// Return exactly zero velocity for islands and bodies that are at rest within tolerance. Default true; without it
    /// structures at rest creep by the tolerance in every step.
    pub rest_rule: bool,
    /// Margin of a warm start from the boundary of the cones, in units of `v_ref` (and of `v_ref` over the Delassus
    /// diagonal for impulses). Default 0.03. Below 1e-4 first steps become tiny, above 0.3 the start is as good as cold.
    pub warm_margin: f64,
    /// Dual proximal regularisation relative to the Delassus diagonal. Default 1e-8. It is removed again at every
    /// iteration and does not change the solution, and made smaller where it slows convergence; zero makes redundant
    /// contacts singular near the end.
    pub proximal: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: Method::default(),
            law: Law::default(),
            tolerances: Tolerances::default(),
            max_iterations: 60,
            max_outer: 20,
            check_first: true,
            rest_rule: true,
            warm_margin: 0.03,
            proximal: 1e-8,
        }
    }
}

impl Settings {
    /// Finds numbers out of range.
    pub fn validate(&self) -> Result<(), ProblemFault> {
        let positive = [
            ("tolerances.momentum", self.tolerances.momentum),
            ("tolerances.primal", self.tolerances.primal),
            ("tolerances.gap", self.tolerances.gap),
            ("warm_margin", self.warm_margin),
        ];
        for (field, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                return Err(ProblemFault::Scale {
                    field,
                    value,
                    wanted: "a positive finite number",
                });
            }
        }
        if !(self.proximal >= 0.0 && self.proximal < 1.0) {
            return Err(ProblemFault::Scale {
                field: "proximal",
                value: self.proximal,
                wanted: "zero or more and less than one",
            });
        }
        Ok(())
    }
}
