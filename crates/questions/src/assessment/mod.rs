//! The verdict of a code on a mechanism: what ground acceleration it bears, by forces and by displacements (NTC 2018, Circolare 2019 C8.7.1; PGCL section 7).

mod answer;
mod capacity;
mod demand;
mod of_pushover;
#[cfg(test)]
mod tests;
mod text;

use drystone_model::{Assessment, GivenCapacity, Hazard};
use serde::Serialize;

pub(crate) use answer::ask;
pub use capacity::{CapacityCurve, CapacityFault, Life, Oscillator, Peak};
pub use demand::{Demand, floor_acceleration};
pub use of_pushover::capacity_of;
pub use text::state_name;

/// Points of a demand spectrum for a picture.
const PICTURE: usize = 201;

/// Limit states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitState {
    /// Damage: the mechanism does not begin.
    Damage,
    /// Life safety: it begins, and is far from falling.
    LifeSafety,
}

/// How capacity and demand are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Linear kinematic analysis: accelerations.
    Force,
    /// Nonlinear kinematic analysis: displacements.
    Displacement,
}

/// One check.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Check {
    /// Which limit state.
    pub state: LimitState,
    /// How it was checked.
    pub method: Method,
    /// Acceleration (m/s²) or displacement (m) that the mechanism bears.
    pub capacity: f64,
    /// The same, as the demand asks for it.
    pub demand: f64,
    /// Period at which the spectrum is read, s; zero in checks by forces.
    pub period: f64,
    /// Factor of soil and topography at the capacity.
    pub soil: f64,
    /// Ground acceleration on rock that uses up the capacity, m/s²; absent if it is more than a hundred times the demand.
    pub ag_capacity: Option<f64>,
    /// Ground acceleration on rock of the demand, m/s².
    pub ag_demand: f64,
    /// `zeta_E`, the ratio of both.
    pub index: Option<f64>,
}

/// What the assessment found.
#[derive(Debug, Clone, PartialEq)]
pub struct AssessmentResult {
    /// The capacity it rests on.
    pub capacity: GivenCapacity,
    /// The equivalent oscillator.
    pub oscillator: Oscillator,
    /// Checks in the order damage, life safety; forces before displacements.
    pub checks: Vec<Check>,
}

impl AssessmentResult {
    /// The check that decides.
    pub fn worst(&self) -> Option<&Check> {
        let index = |check: &Check| check.index.unwrap_or(f64::INFINITY);
        self.checks
            .iter()
            .min_by(|a, b| index(a).total_cmp(&index(b)))
    }
}

/// Checks a capacity against the demand.
pub fn assess(settings: &Assessment, capacity: &GivenCapacity) -> AssessmentResult {
    let oscillator = Oscillator::new(capacity, settings.gravity, settings.confidence_factor);
    let mut checks = Vec::new();
    for (state, hazard) in states(settings) {
        let demand = Demand::new(settings, hazard);
        let factor = match state {
            LimitState::Damage => 1.0,
            LimitState::LifeSafety => settings.behaviour_factor,
        };
        // Displacement and period; what is not known of them is not checked.
        let motion = match state {
            LimitState::Damage => oscillator.peak.map(|peak| (peak.displacement, peak.period)),
            LimitState::LifeSafety => oscillator.life.map(|life| (life.displacement, life.period)),
        };
        let by_force = (Method::Force, factor * oscillator.onset, 0.0);
        let by_displacement = motion.map(|(d, period)| (Method::Displacement, d, period));
        for (method, capacity, period) in [by_force].into_iter().chain(by_displacement) {
            let at = |ag: f64| match method {
                Method::Force => demand.acceleration(ag, 0.0),
                Method::Displacement => demand.displacement(ag, period),
            };
            // A mechanism that is infinitely slow has no displacement of its own to compare.
            let ag_capacity = if period.is_finite() {
                demand.reached(capacity, at)
            } else {
                Some(0.0)
            };
            checks.push(Check {
                state,
                method,
                capacity,
                demand: if period.is_finite() {
                    at(hazard.ag)
                } else {
                    0.0
                },
                period: if period.is_finite() { period } else { 0.0 },
                soil: demand.soil(ag_capacity.filter(|ag| *ag > 0.0).unwrap_or(hazard.ag)),
                ag_capacity,
                ag_demand: hazard.ag,
                index: ag_capacity.map(|ag| ag / hazard.ag),
            });
        }
    }
    AssessmentResult {
        capacity: capacity.clone(),
        oscillator,
        checks,
    }
}

/// Limit states that are checked.
pub fn states(settings: &Assessment) -> impl Iterator<Item = (LimitState, &Hazard)> {
    let damage = settings.damage.iter().map(|h| (LimitState::Damage, h));
    let life = settings
        .life_safety
        .iter()
        .map(|h| (LimitState::LifeSafety, h));
    damage.chain(life)
}

/// The demand of a limit state for a picture of acceleration against displacement: period (s), displacement (m), acceleration (m/s²).
pub fn demand_curve(settings: &Assessment, hazard: &Hazard) -> Vec<[f64; 3]> {
    let demand = Demand::new(settings, hazard);
    let point = |k: usize| {
        // From zero to four seconds, as far as spectra of codes are meant to be read.
        let period = 4.0 * k as f64 / (PICTURE - 1) as f64;
        let w = std::f64::consts::TAU / period.max(1e-9);
        let a = demand.acceleration(hazard.ag, period);
        [period, a / (w * w), a]
    };
    (0..PICTURE).map(point).collect()
}
