use drystone_geometry::DVec3;
use drystone_mechanics::log_rotation;
use drystone_model::{
    Adaptive, AnalysisKind, Ground, Model, Motion, MotionKind, RecordComponent, RecordScale,
    Tolerance, Treatment,
};

use super::{Excitation, Run, Summary};
use crate::excitation::RecordSeries;

/// A wall on the ground, in the plane, under a record of 10 ms that begins and ends with nothing.
fn wall(change: impl Fn(&mut drystone_model::TimeHistory)) -> (Model, Vec<Vec<RecordSeries>>) {
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
    model.motions.push(Motion {
        name: "quake".into(),
        kind: MotionKind::Record {
            components: vec![RecordComponent {
                direction: DVec3::X,
                path: "quake.csv".into(),
                channel: None,
                treatment: Treatment::default(),
                dt: None,
                scale: RecordScale::Factor(1.0),
            }],
        },
    });
    for analysis in &mut model.analyses {
        if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
            history.motions = vec![0];
            history.tolerance = Tolerance::Validation;
            change(history);
        }
    }
    let values = (0..=60).map(|k| {
        let time = 0.01 * f64::from(k);
        4.0 * (9.0 * time).sin() * (std::f64::consts::PI * time / 0.6).sin()
    });
    let series = RecordSeries::new(0.01, values.collect());
    let series = series.unwrap_or_else(|error| panic!("{error}"));
    (model, vec![vec![series]])
}

/// Final lean, rad.
fn lean(change: impl Fn(&mut drystone_model::TimeHistory)) -> (f64, Summary) {
    let (model, records) = wall(change);
    let AnalysisKind::TimeHistory(settings) = &model.analyses[0].kind else {
        panic!("a time history");
    };
    let excitation = Excitation::new(&model, &settings.motions, &records);
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
