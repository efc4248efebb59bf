//! What equilibrium, limit analysis and pushover share: contacts, ties and crushing of the initial configuration, the verdict, joints, thrust lines.
//!
//! All of it looks at the initial configuration, with joints closed. Ties pull between nothing and their yield force; joints of planar
//! models crush where their interface has a strength.

pub(crate) mod balance;
mod critical;
pub(crate) mod cut;
pub(crate) mod detail;
pub(crate) mod joints;
pub(crate) mod posed;
mod proof;
pub(crate) mod sharing;
pub(crate) mod standing;
pub(crate) mod thrust;

pub use critical::{Critical, bisect, bracket, holds};
pub use cut::{Cut, CutState, CutThrust, Place};
pub use detail::{StaticsDetail, outlines};
pub use joints::{Joint, JointMotion, Movement};
pub use posed::Posed;
pub use sharing::{Shared, share};
pub use standing::{Standing, standing};
pub use thrust::{ThrustLine, ThrustPath, ThrustPoint};

// One vocabulary for whoever asks questions of statics.
pub use crate::equilibrium::{EquilibriumResult, Reaction, equilibrium};
pub use crate::limit::{LimitResult, NonAssociated, PolarPoint, limit};

use drystone_cone::ProblemFault;

/// Why a question of statics could not be answered.
#[derive(Debug, thiserror::Error)]
pub enum StaticsFault {
    /// The problem is malformed.
    #[error("the problem of statics is malformed: {0}")]
    Problem(#[from] ProblemFault),
    /// There is no verdict.
    #[error(
        "the solver missed its tolerance, so there is no verdict: its worst residual is {0:.1e}"
    )]
    Unsolved(f64),
    /// Dead loads alone are at the limit of what the structure bears.
    #[error(
        "dead loads alone are at the limit of what the structure bears, so that there is nothing to push: `equilibrium` says by which margin"
    )]
    Marginal,
    /// There is nothing to multiply.
    #[error("nothing grows: the loads to be multiplied are zero on every block that can move")]
    NoLoad,
}

/// What the limit program is asked for, so that its answer counts: the judge accepts a hundred times that.
pub(crate) fn aimed(tolerance: f64) -> f64 {
    0.01 * tolerance
}

/// Blocks that are faster than this fraction of the fastest one move.
pub(crate) const MOVES: f64 = 1e-3;

/// Speed of the fastest point of a body, at most: that of its centroid and of its farthest corner about it, m/s.
pub(crate) fn speed(velocity: &[f64; 6], radius: f64) -> f64 {
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    length(&velocity[..3]) + length(&velocity[3..]) * radius
}

/// Largest speed of any body, m/s.
pub(crate) fn largest_speed(velocity: &[[f64; 6]], radii: &[f64]) -> f64 {
    let speeds = velocity.iter().zip(radii);
    speeds
        .map(|(v, &radius)| speed(v, radius))
        .fold(0.0, f64::max)
}
