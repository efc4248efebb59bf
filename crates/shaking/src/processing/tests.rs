//! What must hold after each treatment.

use super::*;
use std::f64::consts::{PI, TAU};

fn sampled(dt: f64, count: usize, a: impl Fn(f64) -> f64) -> RecordSeries {
    RecordSeries::new(dt, (0..=count).map(|k| a(k as f64 * dt)).collect()).unwrap()
}

fn noise(count: usize) -> RecordSeries {
    let mut state = 7u32;
    let values = (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 23) - 1.0
        })
        .collect();
    RecordSeries::new(0.01, values).unwrap()
}

#[test]
fn baselines_end_at_rest_and_take_away_what_was_added() {
    let clean = noise(2000);
    let drift = [0.3, -0.5, 0.8];
    for (terms, kind) in [
        (1, Baseline::Constant),
        (2, Baseline::Linear),
        (3, Baseline::Quadratic),
    ] {
        let corrected = clean.clone().baselined(kind).unwrap();
        let velocity = integrals(&corrected).0;
        // Sums of 2000 terms of size 0.01: rounding of 1e-14 and the elimination's factor of a hundred.
        assert!(velocity.last().unwrap().abs() < 1e-12);
        // A drift of the corrected degree changes nothing: the fit is a projection.
        let mut drifting = clean.clone();
        for (k, a) in drifting.acceleration.iter_mut().enumerate() {
            let s = k as f64 / 1999.0;
            *a += (0..terms).map(|p| drift[p] * s.powi(p as i32)).sum::<f64>();
        }
        let again = drifting.baselined(kind).unwrap();
        for (a, b) in again.acceleration.iter().zip(&corrected.acceleration) {
            assert!((a - b).abs() < 1e-10, "{a} {b}");
        }
    }
    let same = clean.clone().baselined(Baseline::None).unwrap();
    assert_eq!(same, clean);
}

#[test]
fn higher_degrees_leave_less_velocity() {
    let mut series = noise(1000);
    for (k, a) in series.acceleration.iter_mut().enumerate() {
        *a += 0.2 * (k as f64 / 300.0).sin();
    }
    let size = |kind| {
        let corrected = series.clone().baselined(kind).unwrap();
        let v = integrals(&corrected).0;
        v.iter().map(|v| v * v).sum::<f64>()
    };
    let sizes = [Baseline::Constant, Baseline::Linear, Baseline::Quadratic].map(size);
    assert!(sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
}

#[test]
fn too_short_for_a_baseline_is_said() {
    let series = RecordSeries::new(0.1, vec![1.0, 2.0]).unwrap();
    assert_eq!(
        series.baselined(Baseline::Linear),
        Err(ExcitationError::TooShort {
            values: 2,
            needed: 3
        })
    );
}

#[test]
fn tapers_begin_and_end_at_zero_and_leave_the_middle() {
    let series = RecordSeries::new(0.1, vec![1.0; 101]).unwrap().tapered(0.1);
    let a = &series.acceleration;
    assert_eq!((a[0], a[100], a[10], a[50]), (0.0, 0.0, 1.0, 1.0));
    assert!((a[5] - 0.5).abs() < 1e-15 && (a[95] - 0.5).abs() < 1e-15);
    let untouched = noise(10).tapered(0.0);
    assert_eq!(untouched, noise(10));
}

#[test]
fn finer_steps_are_the_same_motion() {
    let coarse = noise(101);
    let fine = coarse.resampled(0.0025).unwrap();
    assert_eq!(fine.acceleration.len(), 401);
    let (v, d) = integrals(&coarse);
    let (fine_v, fine_d) = integrals(&fine);
    for k in 0..101 {
        assert_eq!(fine.acceleration[4 * k], coarse.acceleration[k]);
        assert!((fine_v[4 * k] - v[k]).abs() < 1e-13);
        assert!((fine_d[4 * k] - d[k]).abs() < 1e-13);
    }
    assert_eq!(coarse.resampled(0.01).unwrap(), coarse);
}

/// The Blackman window passes below 0.8 - 3/16 of the highest frequency and stops above 0.8 + 3/16, to 1e-3.
#[test]
fn coarser_steps_keep_low_frequencies_and_lose_high_ones() {
    let dt = 0.05;
    let low = sampled(0.01, 2000, |t| (TAU * 3.0 * t).sin());
    let high = sampled(0.01, 2000, |t| (TAU * 17.0 * t).sin());
    let [low_coarse, high_coarse] = [&low, &high].map(|series| series.resampled(dt).unwrap());
    for k in 20..380 {
        let expected = (TAU * 3.0 * k as f64 * dt).sin();
        assert!((low_coarse.acceleration[k] - expected).abs() < 1e-3);
        // 17 Hz would appear as 3 Hz.
        assert!(high_coarse.acceleration[k].abs() < 1e-3);
    }
    assert!(low.resampled(0.0).is_err() && low.resampled(1e-12).is_err());
}

#[test]
fn rotation_keeps_the_vector() {
    let (first, second) = (noise(100), noise(150));
    let angle = 0.7;
    let [a, b] = rotated(&first, &second, angle).unwrap();
    assert_eq!(a.acceleration.len(), 150);
    for k in 0..100 {
        let before = first.acceleration[k].hypot(second.acceleration[k]);
        let after = a.acceleration[k].hypot(b.acceleration[k]);
        assert!((before - after).abs() < 1e-15);
    }
    let [c, d] = rotated(&first, &second, PI / 2.0).unwrap();
    assert!((c.acceleration[3] - second.acceleration[3]).abs() < 1e-15);
    assert!((d.acceleration[3] + first.acceleration[3]).abs() < 1e-15);
    let other = RecordSeries::new(0.02, vec![1.0]).unwrap();
    assert!(rotated(&first, &other, angle).is_err());
}

#[test]
fn scales_to_a_spectral_acceleration() {
    let scale = RecordScale::Sa {
        period: 0.4,
        damping: 0.05,
        value: 2.5,
    };
    let scaled = noise(500).scaled(scale).unwrap();
    assert!((pseudo_acceleration(&scaled, 0.4, 0.05) - 2.5).abs() < 1e-12);
}

#[test]
fn a_tapered_record_with_a_corrected_baseline_ends_at_rest() {
    let treatment = crate::Treatment {
        baseline: Baseline::Linear,
        taper: 0.1,
    };
    let treated = noise(500).treated(treatment).unwrap();
    let (velocity, _) = super::integrals(&treated);
    let peak = velocity.iter().fold(0.0_f64, |peak, v| v.abs().max(peak));
    // Rounding of five hundred sums.
    assert!(velocity.last().unwrap().abs() < 1e-12 * peak);
}
