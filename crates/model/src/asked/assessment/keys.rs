//! The question of a code as written.

use drystone_keys::keys;

use drystone_shaking::SoilClass;

use super::settings::Scaling;
use crate::spec::Code;

keys! {
    /// What ground acceleration a mechanism bears by the rules of a code.
    ///
    /// The capacity is that of a pushover analysis named by `pushover`, or it is given by `capacity`.
    pub struct AssessmentSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Name of the pushover analysis that gives the capacity.
        pushover: String { optional },
        /// The capacity; instead of `pushover`.
        capacity: CapacitySpec { optional },
        /// Which code's spectra.
        code: Code { required },
        /// The place.
        site: SiteSpec { optional },
        /// Demand at the limit state of damage; at least one of the two limit states is given.
        damage: HazardSpec { optional },
        /// Demand at the limit state of life safety.
        life_safety: HazardSpec { optional },
        /// Behaviour factor q of the check by forces at life safety.
        behaviour_factor: f64 { optional, least: 1.0, default: 2.0 },
        /// Confidence factor.
        /// The default is that of limited knowledge, LC1.
        confidence_factor: f64 { optional, least: 1.0, default: 1.35 },
        /// The building below a mechanism that does not stand on the ground.
        floor: FloorSpec { optional, otherwise: "it does" },
        /// How the spectrum grows with the ground acceleration that is sought.
        /// With capacity soil factor and periods grow with it, with demand the spectrum is scaled as a whole.
        scaling: Scaling { optional, default: Scaling::Capacity },
    }
}

keys! {
    /// The capacity of a mechanism, from a pushover curve.
    pub struct CapacitySpec {
        /// Multiplier at which the mechanism begins.
        alpha_0: f64 { required, above: 0.0 },
        /// Multiplier where the elastic branch meets the falling one.
        alpha_y: f64 { optional, above: 0.0, otherwise: "that of the straight line from `alpha_0` to zero at `d_y`" },
        /// Displacement of the control point there, m; without it there is no elastic branch, and damage is checked by forces alone.
        d_y: f64 { optional, unit: "m", above: 0.0, most: 2.0, help: "displacements are in metres: 19 mm are 0.019" },
        /// Displacement of the control point at which the multiplier is zero, m; without it life safety is checked by forces alone.
        d_0: f64 { optional, unit: "m", above: 0.0, most: 20.0, help: "displacements are in metres: 471 mm are 0.471" },
        /// Participating fraction e* of the mass.
        participation: f64 { required, above: 0.0, most: 1.0, help: "it is a fraction of the mass" },
        /// Factor Gamma* by which displacements of the control point become those of the equivalent oscillator; needed with `d_y` and `d_0`.
        gamma: f64 { optional, above: 0.0 },
        /// Points [displacement in m, multiplier] of the curve.
        curve: Vec<[f64; 2]> { optional, otherwise: "straight from the origin to the peak and on to zero" },
        /// Period at life safety.
        period_life_safety: f64 { optional, unit: "s", above: 0.0, otherwise: "that of the curve" },
    }
}

keys! {
    /// The place where a structure stands.
    pub struct SiteSpec {
        /// Ground type or soil category.
        soil: SoilClass { optional, default: SoilClass::A },
        /// Factor of the soil.
        soil_factor: f64 { optional, above: 0.0, otherwise: "that of the code" },
        /// Topographic factor `S_T` of the Italian code: 1 for category T1, 1.2 for T2 and T3, 1.4 for T4.
        topography: f64 { optional, least: 1.0, most: 1.4, help: "1.0 for category T1, 1.2 for T2 and T3, 1.4 for T4", default: 1.0 },
        /// Type of the spectrum of Eurocode 8, 1 or 2.
        spectrum_type: u32 { optional, least: 1, most: 2, default: 1 },
    }
}

keys! {
    /// Ground motion of a limit state.
    pub struct HazardSpec {
        /// Ground acceleration on rock.
        ag: f64 { required, unit: "m/s²", above: 0.0, most: 50.0, help: "accelerations are in m/s²: 0.261 g are 2.56" },
        /// Largest amplification `F_0` of the Italian code.
        f0: f64 { optional, least: 1.0, most: 10.0, help: "it is the largest amplification F_0 of the site, about 2.2 to 3" },
        /// Period `T_C*` of the Italian code.
        tc_star: f64 { optional, unit: "s", least: 0.01, most: 1.0, help: "it is the period T_C* of the site, about 0.2 to 0.6 s" },
        /// Damping of the mechanism, as a part of the critical one.
        damping: f64 { optional, above: 0.0, below: 1.0, help: "it is a part of the critical damping", otherwise: "0.05 at damage, 0.08 at life safety" },
    }
}

keys! {
    /// A building that carries a mechanism at a height.
    pub struct FloorSpec {
        /// Height of the mechanism's base above the foundation, m; mechanisms on the ground have no floor.
        z: f64 { required, unit: "m", least: 0.0 },
        /// Height of the building.
        height: f64 { required, unit: "m", above: 0.0 },
        /// First period of the building in the direction of the mechanism.
        period: f64 { required, unit: "s", above: 0.0 },
        /// Number of storeys, from which the factor of participation of the first mode follows: 3 n / (2 n + 1).
        storeys: u32 { optional, least: 1, default: 1 },
        /// Modes [period in s, factor of participation, shape at `z`] instead of the first one with a straight shape z / height.
        modes: Vec<[f64; 3]> { optional },
        /// Damping of the building, as a part of the critical one.
        damping: f64 { optional, above: 0.0, below: 1.0, help: "it is a part of the critical damping", default: 0.05 },
    }
}
