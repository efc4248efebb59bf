use crate::RecordComponent;

use super::*;

fn pulses() -> Vec<Pulse> {
    vec![
        Pulse::OneSine {
            amplitude: 8.0,
            half_period: 0.25,
        },
        Pulse::Biphasic {
            amplitude: 10.9,
            half_period: 0.3,
        },
        Pulse::Rectangular {
            amplitude: 1.96,
            half_period: 0.62,
        },
        Pulse::Sine {
            amplitude: 3.0,
            frequency: 1.7,
            duration: 1.05,
            start: SineStart::Still,
        },
        Pulse::Sine {
            amplitude: 2.0,
            frequency: 2.3,
            duration: 0.85,
            start: SineStart::Oscillating,
        },
    ]
}

fn record_motion(values: &[f64], dt: f64) -> GroundMotion {
    let motion = Motion {
        name: "quake".into(),
        kind: MotionKind::Record {
            components: vec![RecordComponent {
                direction: DVec3::Y,
                path: "quake.csv".into(),
                series: RecordSeries::new(dt, values.to_vec()).unwrap(),
                notes: Vec::new(),
            }],
        },
    };
    GroundMotion::new(&[motion], &[0]).unwrap()
}

fn all() -> Vec<GroundMotion> {
    let mut motions: Vec<_> = pulses()
        .into_iter()
        .map(|pulse| GroundMotion::from_pulse(DVec3::new(0.6, 0.8, 0.0), pulse))
        .collect();
    motions.push(record_motion(&[0.5, 2.0, -3.0, 1.0, 0.25, -0.7], 0.13));
    motions
}

/// Composite Gauss rule of two points between breakpoints: exact for cubics, 1e-9 for these sines with 400 parts.
fn integral(motion: &GroundMotion, end: f64, f: impl Fn(f64) -> DVec3) -> DVec3 {
    let mut times: Vec<f64> = motion
        .breakpoints()
        .into_iter()
        .filter(|&t| t < end)
        .collect();
    times.insert(0, 0.0);
    times.push(end);
    let mut sum = DVec3::ZERO;
    for pair in times.windows(2) {
        let parts = 400;
        let h = (pair[1] - pair[0]) / parts as f64;
        for part in 0..parts {
            let middle = pair[0] + (part as f64 + 0.5) * h;
            let reach = h / (2.0 * 3.0_f64.sqrt());
            sum += 0.5 * h * (f(middle - reach) + f(middle + reach));
        }
    }
    sum
}

#[test]
fn velocity_and_displacement_are_the_integrals() {
    for motion in all() {
        for k in 1..=12 {
            let t = 0.1 * k as f64;
            // All begin at rest but a sine that starts oscillating.
            let first = motion.velocity(0.0);
            let velocity = first + integral(&motion, t, |s| motion.acceleration(s));
            let displacement = integral(&motion, t, |s| motion.velocity(s));
            assert!(
                (velocity - motion.velocity(t)).length() < 1e-9,
                "{motion:?} at {t}"
            );
            assert!(
                (displacement - motion.displacement(t)).length() < 1e-9,
                "{motion:?} at {t}"
            );
        }
    }
}

#[test]
fn differences_of_displacement_give_acceleration() {
    let h = 1e-4;
    for motion in all() {
        let breakpoints = motion.breakpoints();
        for k in 0..150 {
            let t = 0.0003 + 0.01 * k as f64;
            if breakpoints.iter().any(|b| (b - t).abs() <= h) {
                continue;
            }
            let second = (motion.displacement(t + h) - 2.0 * motion.displacement(t)
                + motion.displacement(t - h))
                / (h * h);
            // Truncation a omega² h²/12 ~ 1e-6 and rounding 4 eps d/h² ~ 1e-7.
            assert!((second - motion.acceleration(t)).length() < 2e-6);
        }
    }
}

#[test]
fn velocity_and_displacement_are_continuous() {
    let step = 1e-9;
    for motion in all() {
        for t in motion.breakpoints() {
            let before = if t > 0.0 {
                motion.velocity(t - step)
            } else {
                motion.velocity(0.0)
            };
            let jump = motion.velocity(t + step) - before;
            assert!(jump.length() < 15.0 * 2.0 * step, "{motion:?} at {t}");
            let jump = motion.displacement(t + step) - motion.displacement(t - step);
            assert!(jump.length() < 15.0 * 2.0 * step, "{motion:?} at {t}");
        }
    }
}

#[test]
fn one_sine_ends_at_rest_with_a_net_displacement() {
    let motion = GroundMotion::from_pulse(
        DVec3::X,
        Pulse::OneSine {
            amplitude: 8.0,
            half_period: 0.25,
        },
    );
    // Half way: v = 2 a t_p / pi; at the end d = 2 a t_p² / pi.
    let peak = 2.0 * 8.0 * 0.25 / std::f64::consts::PI;
    assert!((motion.velocity(0.25).x - peak).abs() < 1e-14);
    assert!(motion.velocity(0.5).length() < 1e-14);
    let net = 2.0 * 8.0 * 0.25 * 0.25 / std::f64::consts::PI;
    for t in [0.5, 0.7, 30.0] {
        assert!((motion.displacement(t) - DVec3::X * net).length() < 1e-14);
        assert_eq!(motion.acceleration(t), DVec3::ZERO);
    }
    assert_eq!(motion.end(), 0.5);
    assert!(motion.discontinuities().is_empty());
    assert_eq!(motion.breakpoints(), [0.0, 0.5]);
}

#[test]
fn biphasic_ends_at_rest_and_rectangular_does_not() {
    let biphasic = GroundMotion::from_pulse(
        DVec3::X,
        Pulse::Biphasic {
            amplitude: 4.0,
            half_period: 0.25,
        },
    );
    assert_eq!(biphasic.discontinuities(), [0.0, 0.25, 0.75]);
    assert_eq!(biphasic.acceleration(0.25).x, -2.0);
    assert_eq!(biphasic.acceleration_before(0.25).x, 4.0);
    assert_eq!(biphasic.acceleration_before(0.0).x, 0.0);
    assert_eq!(biphasic.velocity(0.75).x, 0.0);
    // Triangle of velocity: base 0.75 s, height 1 m/s.
    assert!((biphasic.displacement(2.0).x - 0.375).abs() < 1e-15);

    let rectangular = GroundMotion::from_pulse(
        DVec3::X,
        Pulse::Rectangular {
            amplitude: 2.0,
            half_period: 0.5,
        },
    );
    assert_eq!(rectangular.velocity(3.0).x, 1.0);
    assert_eq!(rectangular.displacement(1.5).x, 0.25 + 1.0);
    assert_eq!(rectangular.end(), 0.5);
}

#[test]
fn a_record_is_linear_between_its_values() {
    let motion = record_motion(&[0.5, 2.0, -3.0], 0.1);
    assert!((motion.acceleration(0.05).y - 1.25).abs() < 1e-14);
    assert!((motion.acceleration(0.175).y + 1.75).abs() < 1e-14);
    assert!((motion.velocity(0.2).y - (0.125 - 0.05)).abs() < 1e-15);
    // Starts and stops with a jump; the value in the middle is a kink only.
    assert_eq!(motion.discontinuities(), [0.0, 0.2]);
    assert_eq!(motion.breakpoints(), [0.0, 0.1, 0.2]);
    assert!((motion.acceleration_before(0.2).y + 3.0).abs() < 1e-14);
    assert_eq!(motion.acceleration(0.2), DVec3::ZERO);
    assert!((motion.rate_bound(0.1, 0.2) - 50.0).abs() < 1e-9);
    assert_eq!(motion.acceleration(-1.0), DVec3::ZERO);
}

/// Five quarters of a period end at rest, where the ground has turned.
#[test]
fn an_oscillation_stays_about_its_place() {
    let sine = |start| {
        let pulse = Pulse::Sine {
            amplitude: 4.0,
            frequency: 1.0,
            duration: 1.25,
            start,
        };
        GroundMotion::from_pulse(DVec3::X, pulse)
    };
    let [swings, drifts] = [SineStart::Oscillating, SineStart::Still].map(sine);
    let reach = 4.0 / (2.0 * std::f64::consts::PI).powi(2);
    let far = |k: i32| swings.displacement(0.01 * f64::from(k)).x.abs();
    let farthest = (0..200).map(far).fold(0.0, f64::max);
    assert!((farthest - reach).abs() < 1e-12, "{farthest} {reach}");
    assert!(swings.velocity(2.0).length() < 1e-12);
    assert!(drifts.displacement(1.25).x > 5.0 * reach);
    assert_eq!(swings.acceleration(0.3), drifts.acceleration(0.3));
}

/// The part of the shaking that has come, by its closed forms and by quadrature.
#[test]
fn intensities_are_the_integrals_of_the_square() {
    for motion in all() {
        for t in [0.05, 0.4, 0.62, 2.0] {
            let square = |s: f64| DVec3::X * motion.acceleration(s).length_squared();
            let end = f64::min(t, motion.end());
            let expected = integral(&motion, end, square).x;
            let found = motion.intensity(t);
            // The quadrature of squared sines is good to 1e-9, as that of sines.
            assert!(
                (found - expected).abs() < 1e-8,
                "{motion:?} at {t}: {found} {expected}"
            );
        }
        let half = motion.time_of_intensity(0.5);
        let whole = motion.intensity(motion.end());
        assert!((motion.intensity(half) - 0.5 * whole).abs() < 1e-12 * whole);
    }
}

#[test]
fn motions_add_up() {
    let motions: Vec<Motion> = pulses()
        .into_iter()
        .enumerate()
        .map(|(k, pulse)| Motion {
            name: format!("m{k}"),
            kind: MotionKind::Pulse {
                direction: if k % 2 == 0 { DVec3::X } else { DVec3::Y },
                pulse,
            },
        })
        .collect();
    let sum = GroundMotion::new(&motions, &[0, 1, 3]).unwrap();
    for k in 0..120 {
        let t = 0.01 * k as f64;
        let expected: DVec3 = [0, 1, 3]
            .iter()
            .map(|&k| GroundMotion::new(&motions, &[k]).unwrap().displacement(t))
            .sum();
        assert!((sum.displacement(t) - expected).length() < 1e-15);
    }
    assert_eq!(sum.end(), 1.05);
    assert_eq!(
        GroundMotion::new(&motions, &[9]),
        Err(ExcitationError::NoSuchMotion { index: 9, count: 5 })
    );
    assert_eq!(GroundMotion::still().end(), 0.0);
}

#[test]
fn rates_stay_within_their_bound() {
    for motion in all() {
        let mut times = motion.breakpoints();
        times.push(2.0);
        for pair in times.windows(2) {
            let bound = motion.rate_bound(pair[0], pair[1]);
            let h = (pair[1] - pair[0]) / 50.0;
            for k in 1..48 {
                let t = pair[0] + k as f64 * h;
                let rate = (motion.acceleration(t + h) - motion.acceleration(t)).length() / h;
                assert!(rate <= bound * (1.0 + 1e-9) + 1e-9);
            }
        }
    }
}
