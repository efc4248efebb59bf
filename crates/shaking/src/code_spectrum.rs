//! Elastic response spectra of codes: Eurocode 8 (EN 1998-1:2004, 3.2.2.2) and the Italian NTC 2018 (3.2.3.2), horizontal.
//!
//! Both rise linearly to a plateau of constant acceleration from `T_B` to `T_C`, fall with `1/T` up to `T_D` and with
//! `1/T²` from there on. Eurocode 8 defines this branch up to 4 s; it is continued beyond.

use crate::{CodeShape, CodeSpectrum, Eurocode8Type, SoilClass};

use crate::STANDARD_GRAVITY;

/// The numbers that make a spectrum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corners {
    /// Ground acceleration with the factors of soil and topography, `a_g S`, m/s².
    pub zero_period: f64,
    /// Amplification of the plateau for 5 % of damping: 2.5, or `F_0`.
    pub amplification: f64,
    /// Factor of damping, `eta`.
    pub eta: f64,
    /// s.
    pub tb: f64,
    /// s.
    pub tc: f64,
    /// s.
    pub td: f64,
}

impl Corners {
    /// The numbers of a code's spectrum.
    pub fn of(spectrum: &CodeSpectrum) -> Self {
        let eta = libm::sqrt(10.0 / (5.0 + 100.0 * spectrum.damping)).max(0.55);
        match spectrum.code {
            CodeShape::Eurocode8 { kind } => {
                let (soil, tb, tc, td) = eurocode8(kind, spectrum.soil);
                Self {
                    zero_period: spectrum.ag * soil,
                    amplification: 2.5,
                    eta,
                    tb,
                    tc,
                    td,
                }
            }
            CodeShape::Ntc2018 {
                f0,
                tc_star,
                topography,
            } => {
                let ratio = spectrum.ag / STANDARD_GRAVITY;
                let (soil, cc) = ntc2018(spectrum.soil, f0 * ratio, tc_star);
                let tc = cc * tc_star;
                Self {
                    zero_period: spectrum.ag * soil * topography,
                    amplification: f0,
                    eta,
                    tb: tc / 3.0,
                    tc,
                    td: 4.0 * ratio + 1.6,
                }
            }
        }
    }

    /// Pseudo-acceleration at a period (s), m/s².
    pub fn acceleration(&self, period: f64) -> f64 {
        let plateau = self.eta * self.amplification;
        let shape = if period < self.tb {
            1.0 + period / self.tb * (plateau - 1.0)
        } else if period < self.tc {
            plateau
        } else if period < self.td {
            plateau * self.tc / period
        } else {
            plateau * self.tc * self.td / (period * period)
        };
        self.zero_period * shape
    }
}

/// Pseudo-acceleration of a code's spectrum at a period (s), m/s².
pub fn code_acceleration(spectrum: &CodeSpectrum, period: f64) -> f64 {
    Corners::of(spectrum).acceleration(period)
}

/// `S`, `T_B`, `T_C`, `T_D` of tables 3.2 and 3.3.
fn eurocode8(kind: Eurocode8Type, soil: SoilClass) -> (f64, f64, f64, f64) {
    match (kind, soil) {
        (Eurocode8Type::One, SoilClass::A) => (1.0, 0.15, 0.4, 2.0),
        (Eurocode8Type::One, SoilClass::B) => (1.2, 0.15, 0.5, 2.0),
        (Eurocode8Type::One, SoilClass::C) => (1.15, 0.20, 0.6, 2.0),
        (Eurocode8Type::One, SoilClass::D) => (1.35, 0.20, 0.8, 2.0),
        (Eurocode8Type::One, SoilClass::E) => (1.4, 0.15, 0.5, 2.0),
        (Eurocode8Type::Two, SoilClass::A) => (1.0, 0.05, 0.25, 1.2),
        (Eurocode8Type::Two, SoilClass::B) => (1.35, 0.05, 0.25, 1.2),
        (Eurocode8Type::Two, SoilClass::C) => (1.5, 0.10, 0.25, 1.2),
        (Eurocode8Type::Two, SoilClass::D) => (1.8, 0.10, 0.30, 1.2),
        (Eurocode8Type::Two, SoilClass::E) => (1.6, 0.05, 0.25, 1.2),
    }
}

/// `S_S` and `C_C` of table 3.2.IV, from `F_0 a_g / g` and `T_C*`.
fn ntc2018(soil: SoilClass, f0_ag: f64, tc_star: f64) -> (f64, f64) {
    let power = |exponent: f64| libm::pow(tc_star, exponent);
    match soil {
        SoilClass::A => (1.0, 1.0),
        SoilClass::B => ((1.4 - 0.4 * f0_ag).clamp(1.0, 1.2), 1.1 * power(-0.2)),
        SoilClass::C => ((1.7 - 0.6 * f0_ag).clamp(1.0, 1.5), 1.05 * power(-0.33)),
        SoilClass::D => ((2.4 - 1.5 * f0_ag).clamp(0.9, 1.8), 1.25 * power(-0.5)),
        SoilClass::E => ((2.0 - 1.1 * f0_ag).clamp(1.0, 1.6), 1.15 * power(-0.4)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        // Expected values are computed by hand to five digits.
        assert!(
            (found - expected).abs() <= 2e-5 * expected.abs(),
            "{found} {expected}"
        );
    }

    #[test]
    fn eurocode_8_by_hand() {
        let spectrum = CodeSpectrum {
            code: CodeShape::Eurocode8 {
                kind: Eurocode8Type::One,
            },
            ag: 2.0,
            soil: SoilClass::C,
            damping: 0.05,
        };
        let at = |period| code_acceleration(&spectrum, period);
        // a_g S = 2.3; plateau 2.3 * 2.5 = 5.75.
        close(at(0.0), 2.3);
        close(at(0.1), 2.3 * (1.0 + 0.5 * 1.5));
        close(at(0.2), 5.75);
        close(at(0.5), 5.75);
        close(at(1.2), 5.75 * 0.5);
        close(at(2.0), 5.75 * 0.3);
        close(at(3.0), 5.75 * 0.6 * 2.0 / 9.0);
        let corners = Corners::of(&CodeSpectrum {
            damping: 0.10,
            ..spectrum
        });
        close(corners.eta, 0.816_497);
        let damped = Corners::of(&CodeSpectrum {
            damping: 0.40,
            ..spectrum
        });
        assert_eq!(damped.eta, 0.55);
        let second = CodeSpectrum {
            code: CodeShape::Eurocode8 {
                kind: Eurocode8Type::Two,
            },
            soil: SoilClass::D,
            ..spectrum
        };
        close(code_acceleration(&second, 0.2), 2.0 * 1.8 * 2.5);
        close(
            code_acceleration(&second, 2.4),
            2.0 * 1.8 * 2.5 * 0.3 * 1.2 / 5.76,
        );
    }

    /// L'Aquila, ultimate limit state: a_g = 0.261 g, F_0 = 2.364, T_C* = 0.347 s.
    #[test]
    fn ntc_2018_by_hand() {
        let ag = 0.261 * STANDARD_GRAVITY;
        let spectrum = |soil, topography| CodeSpectrum {
            code: CodeShape::Ntc2018 {
                f0: 2.364,
                tc_star: 0.347,
                topography,
            },
            ag,
            soil,
            damping: 0.05,
        };
        // F_0 a_g/g = 0.617004.
        let b = Corners::of(&spectrum(SoilClass::B, 1.0));
        close(b.zero_period / ag, 1.4 - 0.4 * 0.617_004);
        // 0.347^-0.2 = exp(0.2 * 1.058430) = 1.235748.
        close(b.tc, 1.1 * 1.235_748 * 0.347);
        close(b.tb, b.tc / 3.0);
        close(b.td, 4.0 * 0.261 + 1.6);
        let c = Corners::of(&spectrum(SoilClass::C, 1.2));
        close(c.zero_period / ag, 1.2 * (1.7 - 0.6 * 0.617_004));
        // 0.347^-0.33 = exp(0.33 * 1.058430) = 1.418065.
        close(c.tc, 1.05 * 1.418_065 * 0.347);
        let d = Corners::of(&spectrum(SoilClass::D, 1.0));
        close(d.zero_period / ag, 2.4 - 1.5 * 0.617_004);
        let e = Corners::of(&spectrum(SoilClass::E, 1.0));
        close(e.zero_period / ag, 2.0 - 1.1 * 0.617_004);
        let a = spectrum(SoilClass::A, 1.0);
        close(code_acceleration(&a, 0.0) / ag, 1.0);
        close(code_acceleration(&a, 0.2) / ag, 2.364);
        close(code_acceleration(&a, 1.0) / ag, 2.364 * 0.347);
        // Bounds of the factors: weak and strong motion.
        let bounded = |ag| {
            let spectrum = CodeSpectrum {
                ag,
                ..spectrum(SoilClass::B, 1.0)
            };
            Corners::of(&spectrum).zero_period / ag
        };
        close(bounded(0.1), 1.2);
        close(bounded(6.0), 1.0);
    }

    #[test]
    fn spectra_have_no_jumps() {
        let spectrum = CodeSpectrum {
            code: CodeShape::Ntc2018 {
                f0: 2.5,
                tc_star: 0.3,
                topography: 1.0,
            },
            ag: 2.0,
            soil: SoilClass::E,
            damping: 0.03,
        };
        let corners = Corners::of(&spectrum);
        for period in [corners.tb, corners.tc, corners.td] {
            let [before, after] =
                [1.0 - 1e-9, 1.0 + 1e-9].map(|f| corners.acceleration(f * period));
            assert!((before - after).abs() < 1e-7 * after);
        }
    }
}
