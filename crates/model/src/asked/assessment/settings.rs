//! The question of a code, compiled.

use drystone_keys::words;

use drystone_shaking::{CodeShape, SoilClass};

/// Settings of an assessment.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// Where the capacity comes from.
    pub capacity: CapacitySource,
    /// Ground type or soil category.
    pub soil: SoilClass,
    /// Factor of the soil in place of the code's, if it is given.
    pub soil_factor: Option<f64>,
    /// Demand at the limit state of damage.
    pub damage: Option<Hazard>,
    /// Demand at the limit state of life safety.
    pub life_safety: Option<Hazard>,
    /// `q`, by which the force at the onset is exceeded at life safety.
    pub behaviour_factor: f64,
    /// `CF`.
    pub confidence_factor: f64,
    /// The building below a mechanism that does not stand on the ground.
    pub floor: Option<Floor>,
    /// How the spectrum grows with the ground acceleration.
    pub scaling: Scaling,
    /// m/s².
    pub gravity: f64,
}

/// Where a capacity comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum CapacitySource {
    /// The model says it.
    Given(GivenCapacity),
    /// Name of the pushover analysis.
    Pushover(String),
}

/// Values of a pushover curve and of its equivalent oscillator.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenCapacity {
    /// Multiplier at which the mechanism begins.
    pub alpha_0: f64,
    /// Participating fraction of the mass, `e*`.
    pub participation: f64,
    /// What is known of its displacements; checks by forces do without.
    pub displacements: Option<Displacements>,
}

/// Displacements of the control point.
#[derive(Debug, Clone, PartialEq)]
pub struct Displacements {
    /// Multiplier where the elastic branch meets the falling one.
    pub alpha_y: f64,
    /// Displacement there, m; zero without an elastic branch.
    pub d_y: f64,
    /// Displacement at which the multiplier is zero, m, if it is known.
    pub d_0: Option<f64>,
    /// Displacement beyond which there is no equilibrium, m, if it is known; where the multiplier is zero it is the same.
    pub d_ultimate: Option<f64>,
    /// `Gamma*`.
    pub gamma: f64,
    /// Displacement (m) and multiplier; empty: straight from the origin to the peak and on to zero.
    pub curve: Vec<[f64; 2]>,
    /// Period at life safety, s, if it is known otherwise than from the curve.
    pub period_life_safety: Option<f64>,
}

impl Displacements {
    /// Displacement at which the capacity is used up, m, if it is known.
    pub fn last(&self) -> Option<f64> {
        self.d_ultimate.or(self.d_0)
    }
}

/// Ground motion of a limit state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hazard {
    /// Which code, with its own parameters.
    pub code: CodeShape,
    /// On rock, m/s².
    pub ag: f64,
    /// Fraction of the critical damping.
    pub damping: f64,
}

impl Hazard {
    /// Factor of topography.
    pub fn topography(&self) -> f64 {
        match self.code {
            CodeShape::Ntc2018 { topography, .. } => topography,
            CodeShape::Eurocode8 { .. } => 1.0,
        }
    }
}

/// A building whose floors move a mechanism.
#[derive(Debug, Clone, PartialEq)]
pub struct Floor {
    /// At least one.
    pub modes: Vec<FloorMode>,
    /// Fraction of the critical damping of the building.
    pub damping: f64,
}

/// A mode of a building.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloorMode {
    /// s.
    pub period: f64,
    /// `gamma_k`.
    pub participation: f64,
    /// `psi_k(z)` at the height of the mechanism, one at the top.
    pub shape: f64,
}

words! {
    /// How the spectrum grows with the ground acceleration when the one is sought that the structure bears.
    pub enum Scaling = Capacity {
        /// Its factor of soil and its periods are those of the acceleration that is sought.
        Capacity = "capacity",
        /// The spectrum of the demand is scaled as a whole.
        Demand = "demand",
    }
}
