//! The leapfrog scheme in the plane: Housner's block, GPCL's wall, the two ways to move the ground, an arch.

use drystone_mechanics::log_rotation;
use drystone_model::{AnalysisKind, Model, MotionKind, Pulse, Scheme, Tolerance};
use drystone_questions::rocking::{self, RockingStatus};
use drystone_questions::time_history::Status;
use drystone_shaking::GroundMotion;

use super::rocking::{HOUSNER, Impact, Track, WALL, only, reference};
use super::simulate;
use crate::Measurements;
use crate::measured::Part;
use crate::scene::{Scene, read};

/// The model of a file with one of its time histories, at a scheme and a step.
fn prepared(text: &str, name: &str, scheme: Scheme, dt: f64) -> Result<Model, String> {
    let mut model = only(read(text)?, name);
    for analysis in &mut model.analyses {
        if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
            history.scheme = scheme;
            history.dt = dt;
        }
    }
    Ok(model)
}

pub fn housner(quick: bool) -> Result<Measurements, String> {
    let initial = 15f64.to_radians();
    let exact = reference(&read(HOUSNER)?, "equation-of-motion")?;
    let block = (1.0f64, 0.3f64);
    let (alpha, radius) = ((block.1 / block.0).atan(), block.0.hypot(block.1));
    let p2 = 3.0 * 9.81 / (4.0 * radius);
    let mut results = Measurements::new();
    let steps: &[f64] = if quick {
        &[4e-3, 2e-3, 1e-3]
    } else {
        &[4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4]
    };
    for &dt in steps {
        let part = Part::begin();
        let mut model = prepared(HOUSNER, "free-rocking", Scheme::Leapfrog, dt)?;
        if dt < 1e-3 {
            // The solver's tolerance would show.
            for analysis in &mut model.analyses {
                if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
                    history.tolerance = Tolerance::Validation;
                }
            }
        }
        let (track, summary) = Track::run(&model, initial)?;
        let impacts = track.impacts();
        let pairs = || impacts.iter().zip(&exact.impacts).take(8);
        let worst = pairs().map(|(found, exact)| (found.time - exact.time).abs());
        let worst = worst.fold(0.0, f64::max);
        let found = impacts.len().min(8);
        // An impact missed is an error of the largest kind.
        let worst = if found == 8 { worst } else { f64::INFINITY };
        results.insert(format!("largest_impact_error_dt_{dt:?}"), worst);
        if dt == 1e-3 {
            let mut peak_error: f64 = 0.0;
            for (k, pair) in impacts.windows(2).take(7).enumerate() {
                let speed = exact.impacts[k].speed_after;
                let peak = alpha - (alpha.cos() + speed * speed / (2.0 * p2)).min(1.0).acos();
                peak_error = peak_error.max((track.peak(pair[0].time, pair[1].time) - peak).abs());
            }
            results.insert("peak_angle_error".into(), peak_error.to_degrees());
            let scale = model.weight() * radius;
            results.insert(
                "energy_rate_between_impacts".into(),
                energy_rate(&track, &impacts) / scale,
            );
            results.insert("impacts_dropped".into(), summary.impacts.dropped as f64);
        }
        drop(part);
        // Of the runs so far, not of those that follow.
        if dt == 1e-3 {
            let error = |dt: f64| results[&format!("largest_impact_error_dt_{dt:?}")];
            let order = (error(4e-3) / error(1e-3)).log2() / 2.0;
            results.insert("order_from_4_to_1_ms".into(), order);
        }
    }
    Ok(results)
}

/// Largest deviation of the energy between two impacts, over the time between them, J/s.
fn energy_rate(track: &Track, impacts: &[Impact]) -> f64 {
    let mut largest: f64 = 0.0;
    for pair in impacts.windows(2).take(7) {
        let inside: Vec<usize> = (0..track.time.len())
            .filter(|&i| track.time[i] > pair[0].time + 5e-3 && track.time[i] < pair[1].time - 5e-3)
            .collect();
        if let (Some(&first), Some(&last)) = (inside.first(), inside.last()) {
            let start = track.energy[first];
            let deviation = inside.iter().map(|&i| (track.energy[i] - start).abs());
            let duration = track.time[last] - track.time[first];
            largest = largest.max(deviation.fold(0.0, f64::max) / duration);
        }
    }
    largest
}

/// The duration of the pulse that GPCL's wall just survives.
pub fn threshold() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let exact = bisect(0.61, 0.62, 1e-9, &mut |duration| {
        let mut model = read(WALL)?;
        shorten(&mut model, duration);
        let settings = model
            .analyses
            .iter()
            .find_map(|analysis| match &analysis.kind {
                AnalysisKind::Rocking(settings) if analysis.name == "long-pulse-ode" => {
                    Some(settings.clone())
                }
                _ => None,
            });
        let mut settings = settings.ok_or("the model has no rocking analysis")?;
        settings.duration = 15.0;
        let ground = GroundMotion::new(&model.motions, &settings.motions)
            .map_err(|error| error.to_string())?;
        let result = rocking::solve(&settings, &ground).map_err(|error| error.to_string())?;
        Ok(result.status == RockingStatus::Overturned)
    })?;
    results.insert("exact_duration".into(), exact);
    // Rocking by a fifth of a degree: slow impacts, down to rest.
    let slow = reference(&read(WALL)?, "short-pulse-ode")?;
    let (track, _) = Track::run(&prepared(WALL, "short-pulse", Scheme::Leapfrog, 4e-3)?, 0.0)?;
    let found = track.impacts();
    let error = found.iter().zip(&slow.impacts).take(12);
    let error = error.map(|(found, exact)| (found.time - exact.time).abs());
    results.insert(
        "slow_impacts_error_dt_0.004".into(),
        error.fold(0.0, f64::max),
    );
    results.insert(
        "slow_impacts_missed_dt_0.004".into(),
        slow.impacts.len() as f64 - found.len() as f64,
    );
    for dt in [4e-3, 1e-3] {
        let _part = Part::begin();
        let found = bisect(exact - 1e-4, exact + 1e-4, 5e-7, &mut |duration| {
            let mut model = prepared(WALL, "long-pulse", Scheme::Leapfrog, dt)?;
            shorten(&mut model, duration);
            for analysis in &mut model.analyses {
                if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
                    // Near the threshold the wall hesitates for seconds.
                    history.duration = 12.0;
                    history.stop_at_collapse = true;
                }
            }
            let summary = simulate(&model, &mut |_| {})?;
            Ok(summary.status == Status::Collapsed)
        })?;
        results.insert(format!("threshold_error_dt_{dt:?}"), (found - exact).abs());
    }
    Ok(results)
}

/// Sets the duration of all rectangular pulses.
fn shorten(model: &mut Model, duration: f64) {
    for motion in &mut model.motions {
        if let MotionKind::Pulse {
            pulse: Pulse::Rectangular { half_period, .. },
            ..
        } = &mut motion.kind
        {
            *half_period = duration;
        }
    }
}

/// Where the answer turns from no to yes; an end of the bracket if it does not turn inside.
fn bisect(
    mut no: f64,
    mut yes: f64,
    width: f64,
    ask: &mut dyn FnMut(f64) -> Result<bool, String>,
) -> Result<f64, String> {
    while yes - no > width {
        let middle = 0.5 * (no + yes);
        if ask(middle)? {
            yes = middle;
        } else {
            no = middle;
        }
    }
    Ok(0.5 * (no + yes))
}

/// Largest difference of rotations between inertia forces and moving supports, for a wall that rocks under horizontal and vertical
/// motion.
pub fn ground() -> Result<Measurements, String> {
    let mut tracks: Vec<Vec<f64>> = Vec::new();
    for ground in ["inertia", "supports"] {
        let mut scene = Scene::new(2.0, "plane = \"xz\"");
        scene
            .cuboid("ground", [-3.0, -1.0, -0.5], [3.0, 1.0, 0.0], "support = true")
            .cuboid("wall", [-0.25, -0.5, 0.0], [0.25, 0.5, 3.5], "")
            .add(
                "[[motion]]\nname = \"pulse\"\nkind = \"one_sine\"\namplitude = 3.0\nhalf_period = 0.25\n\
                 direction = [1.0, 0.0, 0.2]",
            )
            .add(&format!(
                "[[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nmotion = \"pulse\"\ndt = 0.001\n\
                 duration = 1.5\ntolerance = \"validation\"\nground = \"{ground}\"\nscheme = \"leapfrog\""
            ));
        let model = scene.model()?;
        let mut track = Vec::new();
        simulate(&model, &mut |run| {
            track.push(log_rotation(run.progress().state.poses[1].rotation).y)
        })?;
        tracks.push(track);
    }
    let pairs = || tracks[0].iter().zip(&tracks[1]);
    Ok(Measurements::from([
        (
            "rotation_difference".into(),
            pairs().fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs())),
        ),
        (
            "largest_rotation".into(),
            tracks[0]
                .iter()
                .fold(0.0, |worst: f64, a| worst.max(a.abs())),
        ),
    ]))
}

/// Oppenheim's arch: how its crown turns, at several steps, before and after its pulse reverses and before joints close.
pub fn arch() -> Result<Measurements, String> {
    let text = include_str!("../../../../examples/oppenheim-arch/model.toml");
    let mut results = Measurements::new();
    // At 0.28 s the arch turns on its first four hinges, at 0.6 s on those that the reversed load made.
    for (label, time) in [("first_mechanism", 0.28), ("second_mechanism", 0.6)] {
        let _part = Part::begin();
        let mut angles = Vec::new();
        for dt in [4e-3, 2e-3, 1e-3] {
            let mut model = prepared(text, "collapse", Scheme::Leapfrog, dt)?;
            for analysis in &mut model.analyses {
                if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
                    history.duration = time;
                    history.tolerance = Tolerance::Validation;
                }
            }
            let crown = (0..model.blocks.len()).find(|&i| model.blocks[i].name == "arch.voussoir4");
            let crown = crown.ok_or("the arch has no fourth voussoir")?;
            let mut angle = 0.0;
            simulate(&model, &mut |run| {
                angle = log_rotation(run.progress().state.poses[crown].rotation).y
            })?;
            angles.push(angle);
        }
        let (coarse, fine) = ((angles[0] - angles[1]).abs(), (angles[1] - angles[2]).abs());
        results.insert(format!("order_{label}"), (coarse / fine).log2());
        results.insert(format!("change_on_halving_{label}"), fine.to_degrees());
    }
    Ok(results)
}
