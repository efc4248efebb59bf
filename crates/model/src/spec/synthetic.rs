//! Earthquakes that are made up, as written.

use drystone_keys::{keys, words};

use drystone_shaking::SoilClass;

keys! {
    /// A stochastic ground motion whose intensity and frequency change in time.
    pub struct StochasticSpec {
        /// Unique name.
        name: String { required },
        /// Seed of the generator: every seed is another motion, the same one for ever.
        seed: u32 { required },
        /// Expected Arias intensity, m/s; or give `pga`.
        arias: f64 { optional, unit: "m/s", above: 0.0 },
        /// Largest absolute acceleration, m/s²; instead of `arias`.
        pga: f64 { optional, unit: "m/s²", above: 0.0 },
        /// Time from 5 % to 95 % of the Arias intensity.
        significant_duration: f64 { required, unit: "s", above: 0.0, most: 3600.0, help: "an accelerogram of more than an hour is a mistake of units" },
        /// Time of 45 % of the Arias intensity.
        mid_time: f64 { optional, unit: "s", above: 0.0, most: 3600.0, help: "an accelerogram of more than an hour is a mistake of units", otherwise: "0.4 times the significant duration" },
        /// Predominant frequency at the mid time.
        frequency: f64 { required, unit: "Hz", above: 0.0 },
        /// Change of that frequency.
        frequency_rate: f64 { optional, unit: "Hz/s", default: 0.0 },
        /// Damping of the filter, which is the width of the band of frequencies.
        bandwidth: f64 { optional, above: 0.0, below: 1.0, help: "it is a part of the critical damping", default: 0.3 },
        /// Frequency below which motion is filtered out.
        high_pass: f64 { optional, unit: "Hz", least: 0.001, default: 0.1 },
        /// Time step of the accelerogram.
        // Ten values per period at 20 Hz.
        dt: f64 { optional, unit: "s", least: 1e-4, most: 0.1, help: "accelerograms usually have 0.005 or 0.01 s", default: 0.005 },
        /// Direction [x, y, z] of positive acceleration, of any length.
        direction: [f64; 3] { optional, default: [1.0, 0.0, 0.0] },
    }
}

keys! {
    /// An artificial accelerogram that meets the elastic spectrum of a code.
    pub struct CodeSpectrumSpec {
        /// Unique name.
        name: String { required },
        /// Seed of the generator: every seed is another motion, the same one for ever.
        seed: u32 { required },
        /// Which code.
        code: Code { required },
        /// Ground acceleration on rock, with the factor of importance.
        ag: f64 { required, unit: "m/s²", above: 0.0, most: 50.0, help: "accelerations are in m/s²: 0.261 g are 2.56" },
        /// Ground type or soil category.
        soil: SoilClass { optional, default: SoilClass::A },
        /// Type of the spectrum of Eurocode 8, 1 or 2.
        spectrum_type: u32 { optional, least: 1, most: 2, default: 1 },
        /// Largest amplification `F_0` of the Italian code.
        f0: f64 { optional, least: 1.0, most: 10.0, help: "it is the largest amplification F_0 of the site, about 2.2 to 3" },
        /// Period `T_C*` of the Italian code.
        tc_star: f64 { optional, unit: "s", least: 0.01, most: 1.0, help: "it is the period T_C* of the site, about 0.2 to 0.6 s" },
        /// Topographic factor `S_T` of the Italian code.
        topography: f64 { optional, least: 1.0, most: 1.4, help: "1.0 for category T1, 1.2 for T2 and T3, 1.4 for T4", default: 1.0 },
        /// Damping of the spectrum, as a part of the critical one.
        damping: f64 { optional, above: 0.0, below: 1.0, help: "it is a part of the critical damping", default: 0.05 },
        /// First and last period at which the spectrum is met.
        periods: [f64; 2] { optional, unit: "s", default: [0.05, 4.0] },
        /// Length of the accelerogram.
        duration: f64 { optional, unit: "s", above: 0.0, most: 3600.0, help: "an accelerogram of more than an hour is a mistake of units", default: 25.0 },
        /// Length of its stationary part.
        stationary: f64 { optional, unit: "s", least: 0.0, otherwise: "10, or 0.4 times a shorter duration than 25" },
        /// Time step of the accelerogram.
        // Ten values per period at 20 Hz.
        dt: f64 { optional, unit: "s", least: 1e-4, most: 0.1, help: "accelerograms usually have 0.005 or 0.01 s", default: 0.005 },
        /// Direction [x, y, z] of positive acceleration, of any length.
        direction: [f64; 3] { optional, default: [1.0, 0.0, 0.0] },
    }
}

words! {
    /// Codes whose spectra are known.
    pub enum Code = Eurocode8 {
        /// EN 1998-1:2004.
        Eurocode8 = "eurocode8",
        /// Italian code of 2018.
        Ntc2018 = "ntc2018",
    }
}
