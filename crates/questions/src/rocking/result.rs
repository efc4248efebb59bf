//! What a rocking analysis answers.

use serde::{Deserialize, Serialize};

/// How the block ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RockingStatus {
    /// It stands, or rocks and will not overturn, after the ground has stopped.
    Stood,
    /// It lies on its side, or will: after the ground has stopped its energy says so.
    Overturned,
    /// The ground still moved at the end.
    Undecided,
}

/// A change of corner.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Impact {
    /// s.
    pub time: f64,
    /// Absolute angular velocity, rad/s.
    pub speed_before: f64,
    /// Absolute angular velocity, rad/s.
    pub speed_after: f64,
}

/// The block at one time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RockingSample {
    /// s.
    pub time: f64,
    /// rad.
    pub angle: f64,
    /// rad/s.
    pub velocity: f64,
    /// Kinetic energy per unit weight, m.
    pub kinetic: f64,
    /// Potential energy above the block at rest per unit weight, m.
    pub potential: f64,
}

/// What the block did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RockingResult {
    /// How it ended.
    pub status: RockingStatus,
    /// When it lay on its side, s.
    pub overturn_time: Option<f64>,
    /// When it came to rest for good, s.
    pub rest_time: Option<f64>,
    /// Largest absolute angle, rad.
    pub max_angle: f64,
    /// Changes of corner in order of time; those below the bounce that counts as rest are left out.
    pub impacts: Vec<Impact>,
    /// At the output times, and at the end.
    pub history: Vec<RockingSample>,
}

/// Why a rocking analysis cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RockingError {
    /// A number that must be positive is not.
    #[error("{what} must be positive and finite, not {value}")]
    NotPositive {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number is outside its range.
    #[error("{what} must lie in {range}, not {value}")]
    OutOfRange {
        /// Which one.
        what: &'static str,
        /// Where it may lie.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// The integration stalled.
    #[error("the rocking motion could not be followed beyond {time} s: {why}")]
    Stalled {
        /// s.
        time: f64,
        /// What happened.
        why: &'static str,
    },
}
