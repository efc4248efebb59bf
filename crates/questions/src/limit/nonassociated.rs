//! The limit without dilatancy.
//!
//! With Coulomb's law a joint slides along itself. There is then no limit program with bounds that meet: states of equilibrium at which a mechanism obeys the
//! law have multipliers in a range, the upper end of which is the associated limit. The estimate is one of them, low in that range; that there is none with a smaller multiplier is
//! not proven. A sequence of limit analyses under frozen normal forces (Gilbert, Casapulla and Ahmed 2006) finds such states too, one by chance, because normal forces at a limit are not unique,
//! and takes some tens of problems; the correction of velocities by de Saxcé and Feng needs no choice of forces, is the same in the plane and in space, and converges within one.

use drystone_cone::{LimitResidual, LimitSolution, LimitStatus};

/// The estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct NonAssociated {
    /// Multiplier of a state of equilibrium with forces within friction: the associated limit is not smaller.
    pub multiplier: f64,
    /// Iterations of the solver.
    pub iterations: u32,
    /// How far state and mechanism are from Coulomb's law, recomputed from the problem.
    pub residual: LimitResidual,
    /// All residuals are within what is admissible for an estimate.
    pub converged: bool,
    /// The mechanism: velocity per body, m/s and rad/s, on which live loads do unit work.
    pub velocity: Vec<[f64; 6]>,
    /// Forces of contacts, local components, N.
    pub force: Vec<[f64; 3]>,
}

impl From<LimitSolution> for NonAssociated {
    fn from(found: LimitSolution) -> Self {
        Self {
            multiplier: found.multiplier,
            iterations: found.iterations,
            residual: found.residual,
            converged: found.status == LimitStatus::Optimal,
            velocity: found.velocity,
            force: found.force,
        }
    }
}
