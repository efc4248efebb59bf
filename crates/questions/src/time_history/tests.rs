use drystone_geometry::DVec3;
use drystone_mechanics::{State, log_rotation};
use drystone_model::{
    Adaptive, AnalysisKind, Ground, Model, Motion, MotionKind, RecordComponent, Tolerance,
};

use super::pace::Pace;
use super::{Excitation, Run, Summary};
use drystone_shaking::RecordSeries;

/// A wall on the ground, in the plane, under a record of 10 ms that begins and ends with nothing.
fn wall(change: impl Fn(&mut drystone_model::TimeHistory)) -> Model {
    let cuboid = |name: &str, [x, z0, z1]: [f64; 3], more: &str| {
        let mut corners = Vec::new();
        for z in [z0, z1] {
            for (sx, y) in [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)] {
                corners.push(format!("[{:?}, {y:?}, {z:?}]", sx * x));
            }
        }
        let corners = corners.join(", ");
        format!(
            "[[block]]\nname = \"{name}\"\nmaterial = \"stone\"\nvertices = [{corners}]\n{more}\n"
        )
    };
    let text = format!(
        "[model]\nname = \"wall\"\nplane = \"xz\"\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 2.0\n{}{}\
         [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nduration = 1.0\n",
        cuboid("ground", [3.0, -0.5, 0.0], "support = true"),
        cuboid("wall", [0.25, 0.0, 3.5], "")
    );
    let mut model = drystone_model::from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"));
    let values = (0..=60).map(|k| {
        let time = 0.01 * f64::from(k);
        4.0 * (9.0 * time).sin() * (std::f64::consts::PI * time / 0.6).sin()
    });
    let series = RecordSeries::new(0.01, values.collect());
    model.motions.push(Motion {
        name: "quake".into(),
        kind: MotionKind::Record {
            components: vec![RecordComponent {
                direction: DVec3::X,
                path: "quake.csv".into(),
                series: series.unwrap_or_else(|error| panic!("{error}")),
                notes: Vec::new(),
            }],
        },
    });
    for analysis in &mut model.analyses {
        if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
            history.motions = vec![0];
            history.settle = 0.0;
            history.tolerance = Tolerance::Validation;
            change(history);
        }
    }
    model
}

/// Final lean, rad.
fn lean(change: impl Fn(&mut drystone_model::TimeHistory)) -> (f64, Summary) {
    let model = wall(change);
    let AnalysisKind::TimeHistory(settings) = &model.analyses[0].kind else {
        panic!("a time history");
    };
    let excitation = Excitation::new(&model, &settings.motions);
    let excitation = excitation.unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(&model, settings, excitation);
    while !run.finished() {
        run.advance(&mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
    }
    let lean = log_rotation(run.progress().state.poses[1].rotation).y;
    (lean, run.summary())
}

#[test]
fn a_record_moves_the_ground_either_way_and_converges() {
    let at = |dt: f64| lean(|history| history.dt = dt).0;
    let (coarse, middle, fine) = (at(4e-3), at(2e-3), at(5e-4));
    assert!(fine.abs() > 5e-3, "it rocks: {fine}");
    // Halving the step takes three quarters of the error; lift-off and impacts within steps scatter.
    assert!(
        (middle - fine).abs() < 0.6 * (coarse - fine).abs().max(1e-6),
        "{coarse} {middle} {fine}"
    );
    assert!((middle - fine).abs() < 1e-3 * fine.abs(), "{middle} {fine}");
    let moved = lean(|history| history.ground = Ground::Supports).0;
    let pushed = lean(|_| {}).0;
    assert!((moved - pushed).abs() < 1e-10, "{moved} {pushed}");
}

#[test]
fn steps_that_adapt_find_the_same_with_fewer() {
    let (fine, fixed) = lean(|history| history.dt = 5e-4);
    let adaptive = |ground| {
        lean(move |history| {
            history.ground = ground;
            history.adaptive = Some(Adaptive {
                tolerance: 1e-7,
                smallest: 5e-5,
                largest: 5e-3,
            });
        })
    };
    let (found, summary) = adaptive(Ground::Inertia);
    assert!((found - fine).abs() < 1e-3 * fine.abs(), "{found} {fine}");
    assert!(4 * summary.steps < fixed.steps, "{}", summary.steps);
    assert_eq!(summary.time, 1.0);
    // Velocities are compared in the frame of the ground, so that both ways choose the same steps.
    let (moved, other) = adaptive(Ground::Supports);
    assert_eq!(summary.steps, other.steps);
    assert!((moved - found).abs() < 1e-9, "{moved} {found}");
}

/// A structure that rattles errs in every step, and goes on with the smallest: rounding of the time must not let a step be taken back for one of the same length.
#[test]
fn steps_that_always_err_get_on() {
    let model = wall(|_| {});
    for (smallest, every) in [(2e-5, 0.01), (5e-5, 0.05), (1e-4, 0.007)] {
        let steps = Adaptive {
            tolerance: 1e-6,
            smallest,
            largest: 5e-3,
        };
        let mut pace = Pace::new(1e-3);
        let mut state = State::initial(&model);
        let mut count = 0_u32;
        for frame in 1..=(3.0 / every) as u32 {
            let target = f64::from(frame) * every;
            while state.time < target {
                // No change of velocity is like the two before it.
                let axes = [DVec3::X, DVec3::Y, DVec3::Z];
                let mut next = state.clone();
                next.velocity[1] = 1e3 * axes[count as usize % 3];
                let mut tries = 0;
                loop {
                    next.time = pace.end(state.time, target);
                    let dt = next.time - state.time;
                    assert!(dt > 0.499 * smallest && next.time <= target, "{dt}");
                    next.lag = 0.5 * dt;
                    let states = [&state, &next];
                    let frames = [DVec3::ZERO; 2];
                    if pace.judge(&model, &steps, states, target, frames, std::iter::empty()) {
                        break;
                    }
                    tries += 1;
                    // From the largest to the smallest step it takes five times 0.3.
                    assert!(tries < 10, "{smallest} {every}: stuck at {} s", state.time);
                }
                state = next;
                count += 1;
            }
            assert_eq!(state.time, target);
        }
        // But for the first ones all are the smallest, or halves of what is left before a frame.
        assert!(f64::from(count) > 0.99 * 3.0 / smallest, "{count}");
        assert!(pace.report.rejected > 0);
    }
}

/// Times of frames and of forces, and the shortest step.
fn outputs(forces_every: f64) -> ([Vec<f64>; 2], f64) {
    let model = wall(|history| {
        history.forces_every = Some(forces_every);
        history.adaptive = Some(Adaptive {
            tolerance: 1e-6,
            smallest: 5e-5,
            largest: 5e-3,
        });
    });
    let AnalysisKind::TimeHistory(settings) = &model.analyses[0].kind else {
        panic!("a time history");
    };
    let excitation = Excitation::new(&model, &settings.motions);
    let excitation = excitation.unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(&model, settings, excitation);
    let mut times = [Vec::new(), Vec::new()];
    while !run.finished() {
        let events = run.advance(&mut ());
        let events = events.unwrap_or_else(|fault| panic!("{fault}"));
        let due = [events.frame, events.forces];
        for (times, _) in times.iter_mut().zip(due).filter(|(_, due)| *due) {
            times.push(run.progress().state.time);
        }
    }
    let shortest = run.summary().adaptive.map_or(0.0, |report| report.shortest);
    (times, shortest)
}

#[test]
fn steps_that_adapt_end_where_forces_are_due() {
    // More often than the longest step, out of step with frames, and with every third a little before or after a frame.
    for every in [0.001, 0.0031, 0.0333333, 0.0333334] {
        let ([frames, forces], shortest) = outputs(every);
        assert_eq!(frames.len(), 100);
        for (k, time) in frames.iter().enumerate() {
            assert!((time - 0.01 * (k + 1) as f64).abs() < 1e-12, "{time}");
        }
        // The last one is that of the end.
        assert_eq!(forces.len(), ((1.0 - 2.5e-5) / every).ceil() as usize);
        for (k, &time) in forces.iter().enumerate() {
            let due = ((k + 1) as f64 * every).min(1.0);
            // Half a smallest step, and only where a frame is.
            let off = if frames.contains(&time) {
                2.5e-5
            } else {
                1e-12
            };
            assert!((time - due).abs() <= off, "{every}: {time} {due}");
        }
        assert!(shortest > 2.49e-5, "{every}: {shortest}");
    }
}
