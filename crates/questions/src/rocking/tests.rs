//! The integration against closed forms and published results.

use drystone_geometry::DVec3;
use drystone_model::{Motion, MotionKind, Pulse, RecordComponent, Rocking};

use super::*;
use drystone_shaking::{GroundMotion, RecordSeries};

fn settings(half_width: f64, half_height: f64) -> Rocking {
    Rocking {
        half_width,
        half_height,
        initial_angle: 0.0,
        initial_velocity: 0.0,
        restitution: None,
        motions: vec![],
        direction: DVec3::X,
        duration: 10.0,
        output_every: 0.01,
        gravity: 9.81,
    }
}

/// Housner's block of NB: base 0.6 m, height 2 m, released from 15 degrees.
fn housner() -> Rocking {
    Rocking {
        initial_angle: 15.0_f64.to_radians(),
        ..settings(0.3, 1.0)
    }
}

fn rectangular(amplitude: f64, half_period: f64) -> GroundMotion {
    GroundMotion::from_pulse(
        DVec3::X,
        Pulse::Rectangular {
            amplitude,
            half_period,
        },
    )
}

/// Time from release at `top` to zero, by the energy integral.
///
/// `t = int_0^top d theta / omega(theta)`; with `theta = top (1 - x²)` the integrand is smooth and Simpson's rule good
/// to 1e-12, but for the cancellation of energies near the top.
fn fall_time(block: &RockingBlock, top: f64) -> f64 {
    let energy = block.potential(top);
    let integrand = |x: f64| {
        if x == 0.0 {
            // Limit: omega² = 2 |theta''| (top - theta).
            let fall = block.angular_acceleration(1.0, top, 0.0).abs();
            return 2.0 * top / (2.0 * fall * top).sqrt();
        }
        let theta = top * (1.0 - x * x);
        let rest = energy - block.potential(theta);
        let omega = block.frequency * (2.0 * rest / block.radius).sqrt();
        2.0 * top * x / omega
    };
    let parts = 2000;
    let h = 1.0 / parts as f64;
    (0..parts)
        .map(|k| {
            let x = k as f64 * h;
            h / 6.0 * (integrand(x) + 4.0 * integrand(x + 0.5 * h) + integrand(x + h))
        })
        .sum()
}

#[test]
fn impacts_of_free_rocking_follow_the_energy_integral() {
    let settings = housner();
    let block = RockingBlock::new(&settings);
    let result = solve(&settings, &GroundMotion::still()).unwrap();
    assert_eq!(result.status, RockingStatus::Stood);
    let mut top = settings.initial_angle;
    let mut time = fall_time(&block, top);
    for impact in &result.impacts[..12] {
        // The quadrature loses half its digits where the block turns, so 1e-9 s is what the comparison bears.
        assert!((impact.time - time).abs() < 1e-9, "{} {time}", impact.time);
        let speed = block.frequency * (2.0 * block.potential(top) / block.radius).sqrt();
        assert!((impact.speed_before / speed - 1.0).abs() < 1e-9);
        assert!(
            (impact.speed_after / impact.speed_before - (1.0 - 1.5 * 0.09 / 1.09)).abs() < 1e-14
        );
        // Height of the next rise from the energy that is left.
        let left = block.kinetic(impact.speed_after);
        top = block.slenderness - ((left / block.radius) + block.slenderness.cos()).acos();
        time += 2.0 * fall_time(&block, top);
    }
}

#[test]
fn slender_blocks_follow_housners_formula() {
    // Linearised for slender blocks: quarter period (1/p) acosh(1 / (1 - theta_0/alpha)), error O(alpha²).
    for (width, bound) in [(0.1, 2e-3), (0.01, 2e-5)] {
        let mut settings = settings(width, 1.0);
        let block = RockingBlock::new(&settings);
        settings.initial_angle = 0.5 * block.slenderness;
        let result = solve(&settings, &GroundMotion::still()).unwrap();
        let expected = 2.0_f64.acosh() / block.frequency;
        assert!((result.impacts[0].time / expected - 1.0).abs() < bound);
    }
}

#[test]
fn energy_drops_at_impacts_only() {
    let settings = housner();
    let result = solve(&settings, &GroundMotion::still()).unwrap();
    let first = result.history[0];
    let mut expected = first.kinetic + first.potential;
    let start = expected;
    let mut impacts = result.impacts.iter().peekable();
    for sample in &result.history {
        while impacts
            .peek()
            .is_some_and(|impact| impact.time <= sample.time)
        {
            impacts.next();
            expected *= (1.0_f64 - 1.5 * 0.09 / 1.09).powi(2);
        }
        if result.rest_time.is_some_and(|rest| rest <= sample.time) {
            expected = 0.0;
        }
        // Ten seconds at an error of 1e-11 per step.
        assert!(
            (sample.kinetic + sample.potential - expected).abs() < 1e-9 * start,
            "at {}",
            sample.time
        );
    }
    assert_eq!(result.history.len(), 1001);
    assert!((result.max_angle - settings.initial_angle).abs() < 1e-15);
}

#[test]
fn comes_to_rest_after_infinitely_many_impacts() {
    let result = solve(&housner(), &GroundMotion::still()).unwrap();
    let rest = result.rest_time.unwrap();
    let last = result.impacts.last().unwrap();
    // Intervals shrink by the restitution: the sum of all later ones is known.
    let count = result.impacts.len();
    let interval = last.time - result.impacts[count - 2].time;
    assert!(rest >= last.time && rest - last.time < interval / (1.0 - 0.8761));
    assert!((40..200).contains(&count), "{count} impacts");
    assert_eq!(result.history.last().unwrap().angle, 0.0);
}

#[test]
fn mirrored_input_gives_mirrored_bits() {
    let mut left = housner();
    left.initial_angle = -left.initial_angle;
    let pulse = |amplitude| {
        GroundMotion::from_pulse(
            DVec3::X,
            Pulse::OneSine {
                amplitude,
                half_period: 0.3,
            },
        )
    };
    let a = solve(&housner(), &pulse(5.0)).unwrap();
    let b = solve(&left, &pulse(-5.0)).unwrap();
    assert_eq!(a.impacts, b.impacts);
    for (a, b) in a.history.iter().zip(&b.history) {
        assert_eq!(
            (a.time, a.angle, a.velocity),
            (b.time, -b.angle, -b.velocity)
        );
    }
}

#[test]
fn rests_below_the_threshold_and_lifts_above() {
    let settings = settings(0.3, 1.0);
    let threshold = 0.3 * 9.81;
    let below = solve(&settings, &rectangular(0.9999 * threshold, 1.0)).unwrap();
    assert_eq!(below.max_angle, 0.0);
    assert_eq!(below.rest_time, Some(0.0));
    let above = solve(&settings, &rectangular(1.01 * threshold, 0.2)).unwrap();
    assert!(above.max_angle > 1e-4);
    // Away from the acceleration.
    assert!(above.history[10].angle < 0.0);
}

#[test]
fn lifts_off_when_a_sine_passes_the_threshold() {
    let settings = settings(0.3, 1.0);
    let (amplitude, half_period) = (4.0, 0.5);
    let pulse = Pulse::OneSine {
        amplitude,
        half_period,
    };
    let result = solve(&settings, &GroundMotion::from_pulse(DVec3::X, pulse)).unwrap();
    let expected = half_period / std::f64::consts::PI * (0.3 * 9.81 / amplitude).asin();
    let first = result.history.iter().find(|s| s.angle != 0.0).unwrap();
    assert!(first.time >= expected && first.time - expected <= settings.output_every + 1e-12);
    // Just after lift-off the motion is theta = -p² jerk (t - t_0)³ / 6 with jerk in units of g and radians.
    let block = RockingBlock::new(&settings);
    let jerk = amplitude * std::f64::consts::PI / half_period
        * (std::f64::consts::PI * expected / half_period).cos();
    let growth = block.frequency.powi(2) * jerk / 9.81 * block.slenderness.cos() / 6.0;
    let cubic = growth * (first.time - expected).powi(3);
    assert!(
        (first.angle / -cubic - 1.0).abs() < 0.02,
        "{} {cubic}",
        first.angle
    );
}

#[test]
fn a_peak_that_just_passes_the_threshold_is_found() {
    let settings = settings(0.3, 1.0);
    let amplitude = 0.3 * 9.81;
    let run = |factor: f64| {
        let pulse = Pulse::Sine {
            amplitude: factor * amplitude,
            frequency: 5.0,
            duration: 2.0,
            start: drystone_shaking::SineStart::Still,
        };
        solve(&settings, &GroundMotion::from_pulse(DVec3::X, pulse)).unwrap()
    };
    assert_eq!(run(1.0 - 1e-9).max_angle, 0.0);
    assert!(run(1.0 + 1e-4).max_angle > 0.0);
}

/// GPCL's wall, 0.5 m thick and 3.5 m high, under a rectangular pulse of 0.20 g.
fn gpcl(half_period: f64, duration: f64) -> RockingResult {
    let settings = Rocking {
        duration,
        ..settings(0.25, 1.75)
    };
    solve(&settings, &rectangular(0.2 * 9.81, half_period)).unwrap()
}

#[test]
fn the_wall_recovers_from_a_short_pulse_and_overturns_under_a_long_one() {
    let short = gpcl(0.15, 10.0);
    assert_eq!(short.status, RockingStatus::Stood);
    assert!(short.max_angle < RockingBlock::new(&settings(0.25, 1.75)).slenderness);
    assert!(!short.impacts.is_empty());
    let long = gpcl(0.62, 10.0);
    assert_eq!(long.status, RockingStatus::Overturned);
    let last = long.history.last().unwrap();
    assert_eq!(last.time, long.overturn_time.unwrap());
    assert!((last.angle.abs() - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
}

/// Whether it overturns is known from its energy once the ground has stopped, whenever the analysis ends; before, it is not.
#[test]
fn the_end_of_the_analysis_does_not_change_the_verdict() {
    for (half_period, verdict) in [
        (0.15, RockingStatus::Stood),
        (0.5, RockingStatus::Stood),
        (0.62, RockingStatus::Overturned),
    ] {
        assert_eq!(gpcl(half_period, 30.0).status, verdict);
        for k in 0..40 {
            let duration = half_period + 0.05 * f64::from(k);
            assert_eq!(
                gpcl(half_period, duration).status,
                verdict,
                "{half_period} {duration}"
            );
        }
        let early = gpcl(half_period, 0.9 * half_period);
        assert_eq!(early.status, RockingStatus::Undecided);
    }
    // With the energy for either side and on its way back: what the impact takes decides.
    for (restitution, verdict) in [
        (0.5, RockingStatus::Stood),
        (0.99, RockingStatus::Overturned),
    ] {
        let ended = |duration: f64| {
            let settings = Rocking {
                duration,
                restitution: Some(restitution),
                initial_angle: 0.1,
                initial_velocity: -0.5,
                ..settings(0.25, 1.75)
            };
            solve(&settings, &GroundMotion::still()).unwrap().status
        };
        assert_eq!((ended(0.01), ended(20.0)), (verdict, verdict));
    }
}

#[test]
fn the_threshold_of_the_wall_is_the_energy_balance() {
    let (mut stands, mut falls) = (0.15, 0.62);
    while falls - stands > 1e-9 {
        let middle = 0.5 * (stands + falls);
        match gpcl(middle, 30.0).status {
            RockingStatus::Stood => stands = middle,
            RockingStatus::Overturned => falls = middle,
            RockingStatus::Undecided => panic!("the pulse of {middle} s has no verdict after 30 s"),
        }
    }
    // The wall overturns if, when the pulse ends, its energy reaches that of the tipping point: the work of the pulse
    // a_g (x displacement of the centroid) equals R (1 - cos alpha). No restitution is involved: it does not return.
    let block = RockingBlock::new(&settings(0.25, 1.75));
    let barrier = block.radius * (1.0 - block.slenderness.cos());
    let work = |angle: f64| {
        0.2 * block.radius * (block.slenderness.sin() - (block.slenderness - angle).sin())
    };
    let (mut low, mut high) = (0.0, block.slenderness);
    while high - low > 1e-15 {
        let middle = 0.5 * (low + high);
        if work(middle) < barrier {
            low = middle
        } else {
            high = middle
        }
    }
    let result = gpcl(stands, stands);
    let at_end = result.history.last().unwrap().angle.abs();
    // The threshold is known to 1e-9 s, the angle moves by less than 1 rad/s.
    assert!((at_end - low).abs() < 2e-9, "{at_end} {low}");
    assert!((0.5 * (stands + falls) - 0.6140).abs() < 5e-5, "{stands}");
}

#[test]
fn records_act_like_the_motion_they_sample() {
    // A sine sampled so finely that linear interpolation errs by 1e-6 of the amplitude.
    let (amplitude, half_period, dt): (f64, f64, f64) = (5.0, 0.4, 0.0004);
    let values =
        (0..=2000).map(|k| amplitude * (std::f64::consts::PI * k as f64 * dt / half_period).sin());
    let motion = Motion {
        name: "sampled".into(),
        kind: MotionKind::Record {
            components: vec![RecordComponent {
                direction: DVec3::X,
                path: "x".into(),
                series: RecordSeries::new(dt, values.collect()).unwrap(),
                notes: Vec::new(),
            }],
        },
    };
    let record = GroundMotion::new(&[motion], &[0]).unwrap();
    let pulse = GroundMotion::from_pulse(
        DVec3::X,
        Pulse::OneSine {
            amplitude,
            half_period,
        },
    );
    let settings = Rocking {
        duration: 3.0,
        ..settings(0.3, 1.0)
    };
    let a = solve(&settings, &record).unwrap();
    let b = solve(&settings, &pulse).unwrap();
    assert!(b.max_angle > 0.05);
    assert!((a.max_angle - b.max_angle).abs() < 1e-5);
    assert!((a.impacts[0].time - b.impacts[0].time).abs() < 1e-5);
}

#[test]
fn a_given_restitution_is_used() {
    let elastic = Rocking {
        restitution: Some(1.0),
        ..housner()
    };
    let result = solve(&elastic, &GroundMotion::still()).unwrap();
    let last = result.history.last().unwrap();
    let first = result.history[0].potential;
    assert!((last.kinetic + last.potential - first).abs() < 1e-9 * first);
    let dead = Rocking {
        restitution: Some(0.0),
        ..housner()
    };
    let result = solve(&dead, &GroundMotion::still()).unwrap();
    assert_eq!(result.impacts.len(), 1);
    assert_eq!(result.impacts[0].speed_after, 0.0);
    assert_eq!(result.rest_time, Some(result.impacts[0].time));
}

#[test]
fn only_the_component_along_the_direction_acts() {
    let mut across = settings(0.3, 1.0);
    across.direction = DVec3::Y;
    let result = solve(&across, &rectangular(9.0, 1.0)).unwrap();
    assert_eq!(result.max_angle, 0.0);
}

#[test]
fn leaning_out_at_the_end_counts_as_overturned() {
    // Starts just beyond the tipping point; half a second is too short to fall flat.
    let block = RockingBlock::new(&settings(0.3, 1.0));
    let run = |angle: f64| {
        let settings = Rocking {
            initial_angle: angle,
            duration: 0.5,
            ..settings(0.3, 1.0)
        };
        solve(&settings, &GroundMotion::still()).unwrap()
    };
    let beyond = run(1.01 * block.slenderness);
    assert_eq!(
        (beyond.status, beyond.overturn_time),
        (RockingStatus::Overturned, None)
    );
    assert_eq!(run(0.99 * block.slenderness).status, RockingStatus::Stood);
}

#[test]
fn wrong_numbers_are_named() {
    let error = solve(&settings(-0.3, 1.0), &GroundMotion::still()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "half_width must be positive and finite, not -0.3"
    );
    let mut tilted = settings(0.3, 1.0);
    tilted.initial_angle = 2.0;
    assert!(solve(&tilted, &GroundMotion::still()).is_err());
    tilted.initial_angle = f64::NAN;
    assert!(solve(&tilted, &GroundMotion::still()).is_err());
}
