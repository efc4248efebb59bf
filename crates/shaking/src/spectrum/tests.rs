//! Against closed forms.

use super::*;
use std::f64::consts::PI;

fn close(found: f64, expected: f64, relative: f64) {
    assert!(
        (found - expected).abs() <= relative * expected.abs(),
        "{found} {expected}"
    );
}

fn sampled(dt: f64, duration: f64, a: impl Fn(f64) -> f64) -> RecordSeries {
    let count = (duration / dt).round() as usize;
    RecordSeries::new(dt, (0..=count).map(|k| a(k as f64 * dt)).collect()).unwrap()
}

/// A constant acceleration from rest: `u = -(a/omega²) (1 - e^(-zeta omega t) (cos + z sin))`, whose first peak is
/// `1 + e^(-pi z)` times the static one. The input is exact, so only the cubic between steps errs.
#[test]
fn a_constant_acceleration_overshoots_as_it_should() {
    for (dt, zeta) in [(0.01, 0.05), (0.01, 0.2), (0.5, 0.05)] {
        for period in [0.02_f64, 0.3, 1.0, 2.5] {
            // When it ends nothing is left of the transient, which would add to that of the release.
            let count = ((40.0 * period).max(5.0) / dt) as usize;
            let series = RecordSeries::new(dt, vec![3.0; count + 1]).unwrap();
            let found = response(&series, period, zeta);
            let root = (1.0_f64 - zeta * zeta).sqrt();
            let overshoot = 1.0 + (-PI * zeta / root).exp();
            close(found.psa, 3.0 * overshoot, 3e-4);
            let omega = TAU / period;
            let phase = (root / zeta).atan();
            close(found.sv, 3.0 / omega * (-phase * zeta / root).exp(), 3e-4);
        }
    }
}

/// A half-sine pulse of length `t_d` on an undamped oscillator (Chopra, 4.8): free vibration of amplitude
/// `(T/t_d) cos(pi t_d/T) / ((T/2t_d)² - 1)` times the static one if `t_d < T/2`.
#[test]
fn a_half_sine_pulse_leaves_the_free_vibration_of_the_textbook() {
    let pulse = 0.2;
    let series = sampled(0.0005, pulse, |t| (PI * t / pulse).sin());
    for period in [0.5, 1.0, 3.0] {
        let ratio: f64 = pulse / period;
        let expected = (1.0 / ratio * (PI * ratio).cos() / ((0.5 / ratio).powi(2) - 1.0)).abs();
        // (pi dt / t_d)²/12 = 5e-6 from the chords of the sine, 2e-4 from the cubic.
        close(response(&series, period, 0.0).psa, expected, 3e-4);
    }
}

/// A long sine at resonance: `1/(2 zeta)` times the ground's amplitude for pseudo-acceleration, and the absolute
/// acceleration exceeds it by `sqrt(1 + 4 zeta²)`.
#[test]
fn a_steady_sine_amplifies_at_resonance() {
    let (period, zeta) = (0.5, 0.05);
    let series = sampled(0.002, 30.0, |t| (TAU * t / period).sin());
    let found = response(&series, period, zeta);
    // After 60 periods the transient has decayed by e^(-19); chords of the sine take (omega dt)²/12 = 5e-5.
    close(found.psa, 1.0 / (2.0 * zeta), 4e-4);
    close(
        found.sa,
        (1.0 + 4.0 * zeta * zeta).sqrt() / (2.0 * zeta),
        4e-4,
    );
    close(found.sv, found.sd * TAU / period, 4e-4);
}

#[test]
fn stiff_oscillators_move_with_the_ground_and_soft_ones_stay() {
    let series = sampled(0.005, 4.0, |t| (TAU * t).sin() * (-t).exp());
    let pga = series.peak();
    close(response(&series, 0.01, 0.05).sa, pga, 1e-3);
    assert_eq!(response(&series, 0.0, 0.05).psa, pga);
    let soft = response(&series, 500.0, 0.05);
    let (_, displacement) = crate::integrals(&series);
    let pgd = displacement.iter().fold(0.0_f64, |d, v| d.max(v.abs()));
    // The mass stays while the ground moves, and goes on moving at its final velocity for a quarter period.
    assert!(soft.sd >= 0.99 * pgd, "{} {pgd}", soft.sd);
}

/// Values in between that lie on the chords change nothing.
#[test]
fn refinement_on_the_chords_changes_nothing() {
    let coarse = RecordSeries::new(0.1, vec![0.0, 1.0, -2.0, 0.5, 0.0]).unwrap();
    let mut fine = Vec::new();
    for pair in coarse.acceleration.windows(2) {
        fine.extend((0..10).map(|k| pair[0] + (pair[1] - pair[0]) * k as f64 / 10.0));
    }
    fine.push(0.0);
    let fine = RecordSeries::new(0.01, fine).unwrap();
    for period in [0.05, 0.3, 2.0] {
        let [a, b] = [&coarse, &fine].map(|series| response(series, period, 0.05));
        close(a.sd, b.sd, 3e-4);
        close(a.sa, b.sa, 3e-4);
    }
}

#[test]
fn periods_are_spread_evenly() {
    let periods = log_periods(0.1, 10.0, 3);
    assert_eq!((periods[0], periods[2]), (0.1, 10.0));
    close(periods[1], 1.0, 1e-15);
    assert_eq!(log_periods(0.5, 2.0, 1), [0.5]);
}
