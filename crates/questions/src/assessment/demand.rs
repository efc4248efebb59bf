//! The demand: elastic spectra on the ground and at a height in a building, as they grow with the acceleration of the ground.

use std::f64::consts::PI;

use drystone_model::{Assessment, CodeSpectrum, Floor, Hazard, Scaling};

use drystone_shaking::code_spectrum::Corners;

/// Ground accelerations are sought up to this many times the demand.
const MOST: f64 = 100.0;

/// Steps of the search for the first crossing, evenly spaced in the logarithm: 3 % each from a thousandth of the demand on.
const STEPS: i32 = 400;

/// The demand of one limit state.
#[derive(Debug, Clone, Copy)]
pub struct Demand<'a> {
    settings: &'a Assessment,
    hazard: &'a Hazard,
}

impl<'a> Demand<'a> {
    /// Of a limit state.
    pub fn new(settings: &'a Assessment, hazard: &'a Hazard) -> Self {
        Self { settings, hazard }
    }

    /// The spectrum for a ground acceleration on rock, m/s².
    pub fn corners(&self, ag: f64) -> Corners {
        let of = |ag: f64, damping: f64| {
            Corners::of(&CodeSpectrum {
                code: self.hazard.code,
                ag,
                soil: self.settings.soil,
                damping,
            })
        };
        let damping = self.hazard.damping;
        let mut corners = match self.settings.scaling {
            Scaling::Capacity => of(ag, damping),
            // The spectrum of the demand, larger or smaller as a whole.
            Scaling::Demand => {
                let mut corners = of(self.hazard.ag, damping);
                corners.zero_period *= ag / self.hazard.ag;
                corners
            }
        };
        if let Some(factor) = self.settings.soil_factor {
            corners.zero_period = ag * factor * self.hazard.topography();
        }
        corners
    }

    /// Soil and topography together: `S = S_S S_T`.
    pub fn soil(&self, ag: f64) -> f64 {
        self.corners(ag).zero_period / ag
    }

    /// Spectral acceleration at a period, s, for a ground acceleration, m/s².
    pub fn acceleration(&self, ag: f64, period: f64) -> f64 {
        let corners = self.corners(ag);
        match &self.settings.floor {
            None => corners.acceleration(period),
            Some(floor) => floor_acceleration(floor, &corners, self.hazard.damping, period),
        }
    }

    /// Spectral displacement at a period, s, for a ground acceleration, m/s²: `S_e (T / 2 pi)²`, m.
    pub fn displacement(&self, ag: f64, period: f64) -> f64 {
        let w = 2.0 * PI / period;
        self.acceleration(ag, period) / (w * w)
    }

    /// The smallest ground acceleration at which `demand` reaches `capacity`; none up to a hundred times the demand. Demand does not always grow with the
    /// acceleration, because soft soils amplify strong motion less: what counts is the first crossing.
    pub fn reached(&self, capacity: f64, demand: impl Fn(f64) -> f64) -> Option<f64> {
        if capacity <= 0.0 {
            return Some(0.0);
        }
        let first = 1e-3 * self.hazard.ag;
        let ratio = MOST / 1e-3;
        let mut low = 0.0;
        for k in 0..=STEPS {
            let high = first * libm::pow(ratio, f64::from(k) / f64::from(STEPS));
            if demand(high) >= capacity {
                return Some(bisect(low, high, |ag| demand(ag) >= capacity));
            }
            low = high;
        }
        None
    }
}

/// The border between no and yes.
fn bisect(mut low: f64, mut high: f64, is_reached: impl Fn(f64) -> bool) -> f64 {
    // Each step gains a bit; beyond the bits of a double nothing changes.
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if is_reached(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// Spectrum at a height in a building, Circolare 2019 C7.2.3 (after Degli Abbati, Cattari and Lagomarsino 2018): every mode `k` amplifies its own acceleration of the
/// floor, `a_Zk = S_e(T_k, xi_k) |gamma_k psi_k(z)| sqrt(1 + 4 xi_k²)`, by at most `1.1 xi_k^-0.5 eta(xi)` around its period; modes are added as the root of
/// their squares, and beyond the first period the result is not less than the spectrum on the ground.
pub fn floor_acceleration(floor: &Floor, ground: &Corners, damping: f64, period: f64) -> f64 {
    let eta = eta(damping);
    let mut squares = 0.0;
    for mode in &floor.modes {
        let on_floor =
            mode_acceleration(floor, ground, mode.period, mode.participation * mode.shape);
        let most = 1.1 / floor.damping.sqrt() * eta;
        let [from, to] = [0.8 * mode.period, 1.1 * mode.period];
        let amplified = if period < from {
            most / (1.0 + (most - 1.0) * libm::pow(1.0 - period / from, 1.6))
        } else if period < to {
            most
        } else {
            most / (1.0 + (most - 1.0) * libm::pow(period / to - 1.0, 1.2))
        };
        squares += (on_floor * amplified) * (on_floor * amplified);
    }
    let first = floor
        .modes
        .iter()
        .fold(0.0, |m: f64, mode| m.max(mode.period));
    let found = squares.sqrt();
    // At zero period a mechanism feels at least the ground.
    if period > first || period == 0.0 {
        found.max(ground.acceleration(period))
    } else {
        found
    }
}

/// `a_Zk` without the amplification of the mechanism itself, m/s².
fn mode_acceleration(floor: &Floor, ground: &Corners, period: f64, factor: f64) -> f64 {
    let corners = Corners {
        eta: eta(floor.damping),
        ..*ground
    };
    let more = (1.0 + 4.0 * floor.damping * floor.damping).sqrt();
    corners.acceleration(period) * factor.abs() * more
}

/// Factor of damping of spectra, from a fraction of the critical one.
fn eta(damping: f64) -> f64 {
    libm::sqrt(10.0 / (5.0 + 100.0 * damping)).max(0.55)
}
