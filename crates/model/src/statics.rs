//! Ties, and questions of statics, compiled.

use drystone_geometry::DVec3;
use drystone_keys::words;

use crate::model::{FrictionLaw, Joints};

/// A tie: it pulls and never pushes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    /// Unique name.
    pub name: String,
    /// Indices into [`crate::Model::blocks`]; none for an end held by the ground.
    pub blocks: [Option<usize>; 2],
    /// The two ends, m.
    pub points: [DVec3; 2],
    /// N/m.
    pub stiffness: f64,
    /// Force at which it yields, N.
    pub yield_force: f64,
    /// m; absent: it never breaks.
    pub max_elongation: Option<f64>,
    /// Tension at the start, N.
    pub initial_force: f64,
}

words! {
    /// Which loads are multiplied.
    pub enum Multiplied {
        /// Live loads.
        Live = "live",
    }
}

/// What is multiplied: a body force, live loads, or both.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Growing {
    /// Unit vector of a body force as large as the weight.
    pub body: Option<DVec3>,
    /// Live loads.
    pub live: bool,
}

/// Tolerance of equilibrium and limit analyses unless they say another: forces balance, and bounds meet, to a millionth.
pub const STATICS_TOLERANCE: f64 = 1e-6;

/// Settings of an equilibrium analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// Factor on what is multiplied.
    pub multiplier: f64,
    /// What is multiplied.
    pub growing: Growing,
    /// By which stiffness forces are shared.
    pub joints: Joints,
    /// Blocks between which the thrust line runs.
    pub thrust_line: Option<[usize; 2]>,
    /// Largest force out of balance over the mean load of a block.
    pub tolerance: f64,
}

/// What a limit analysis drives.
#[derive(Debug, Clone, PartialEq)]
pub enum LimitDrive {
    /// Loads grow.
    Loads(Growing),
    /// The base is tilted about a horizontal axis (unit vector).
    Tilt(DVec3),
    /// Body forces in this many horizontal directions, one after the other.
    Directions(u32),
    /// Supports give way.
    Settlement {
        /// Indices of the supports.
        supports: Vec<usize>,
        /// Unit vector.
        direction: DVec3,
    },
}

/// Settings of a limit analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// What is driven.
    pub drive: LimitDrive,
    /// Law of friction.
    pub friction_law: FrictionLaw,
    /// Blocks between which the thrust line runs.
    pub thrust_line: Option<[usize; 2]>,
    /// Largest relative residual of an answer that counts.
    pub tolerance: f64,
}
