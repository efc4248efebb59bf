//! A run that was stopped, killed and resumed leaves the same bytes as one that was not.

use std::fs;
use std::path::Path;

use drystone_model::{
    AdaptiveSpec, AnalysisSpec, BlockSpec, Case, FrictionLaw, InterfaceSpec, Joints, MaterialSpec,
    Model, ModelSpec, MonitorSpec, MotionSpec, PulseSpec, Scheme, TieSpec, TimeHistorySpec,
};
use drystone_questions::answer::Answer;
use drystone_questions::{Control, Hooks};
use drystone_results::{Existing, execute, partial_path, read_motion};
use serde_json::Value;

const TABLES: [&str; 4] = [
    "history.csv",
    "diagnostics.csv",
    "forces.csv",
    "motion.parquet",
];
const STEPS: u64 = 600;

/// A slab that slides, two stones that rock and hit the ground and each other, and a squat one on which another slides.
/// Intervals of output are no multiples of the step.
fn spec(law: FrictionLaw, amplitude: f64) -> ModelSpec {
    let mut spec = ModelSpec::default();
    for (name, density) in [("stone", 2000.0), ("ice", 900.0)] {
        let name = name.to_owned();
        spec.material.push(MaterialSpec { name, density });
    }
    for (between, friction) in [(["*", "*"], 0.7), (["ice", "*"], 0.1)] {
        let between = between.map(str::to_owned);
        spec.interface.push(InterfaceSpec {
            between,
            friction,
            ..InterfaceSpec::default()
        });
    }
    spec.block = vec![
        BlockSpec::cuboid("ground", "stone", [-3.0, -1.0, -0.5], [3.0, 1.0, 0.0]).supported(),
        BlockSpec::cuboid("slab", "ice", [-2.0, -0.3, 0.0], [-1.2, 0.3, 0.2]),
        BlockSpec::cuboid("left", "stone", [-0.6, -0.2, 0.0], [-0.4, 0.2, 1.0]),
        BlockSpec::cuboid("right", "stone", [-0.38, -0.2, 0.0], [-0.18, 0.2, 1.1]),
        BlockSpec::cuboid("squat", "stone", [0.5, -0.4, 0.0], [1.5, 0.4, 0.4]),
        BlockSpec::cuboid("rider", "ice", [0.9, -0.2, 0.4], [1.2, 0.2, 0.6]),
    ];
    spec.motion.push(MotionSpec::OneSine(PulseSpec {
        name: "pulse".into(),
        amplitude,
        half_period: 0.2,
        direction: Some([1.0, 0.1, 0.0]),
    }));
    let monitor = |block: &str, point| MonitorSpec {
        name: None,
        block: block.to_owned(),
        point,
    };
    spec.analysis
        .push(AnalysisSpec::TimeHistory(TimeHistorySpec {
            name: "shake".into(),
            motion: Some("pulse".into()),
            dt: Some(0.002),
            duration: 1.2,
            output_every: Some(0.007),
            forces_every: Some(0.031),
            friction_law: Some(law),
            monitors: vec![
                monitor("left", Some([-0.6, 0.0, 1.0])),
                monitor("slab", None),
                monitor("rider", None),
            ],
            ..TimeHistorySpec::default()
        }));
    spec
}

fn model(law: FrictionLaw) -> Model {
    drystone_model::compile(&spec(law, 4.0)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The same with other settings.
fn with(law: FrictionLaw, change: impl Fn(&mut TimeHistorySpec)) -> Model {
    let mut spec = spec(law, 4.0);
    for interface in &mut spec.interface {
        interface.normal_stiffness = Some(1e9);
    }
    for analysis in &mut spec.analysis {
        if let AnalysisSpec::TimeHistory(history) = analysis {
            change(history);
        }
    }
    drystone_model::compile(&spec).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Both laws of friction, and joints that remember how far they are sheared.
fn models_of(scheme: Scheme) -> [Model; 3] {
    [
        (FrictionLaw::Associated, Joints::Rigid),
        (FrictionLaw::Coulomb, Joints::Rigid),
        (FrictionLaw::Associated, Joints::Elastic),
    ]
    .map(|(law, joints)| {
        with(law, |history| {
            history.scheme = Some(scheme);
            history.joints = Some(joints);
        })
    })
}

/// Stops after a step; copies the folder as a kill after another step would leave it.
#[derive(Default)]
struct Script<'a> {
    stop: Option<u64>,
    kill: Option<(u64, &'a Path, &'a Path)>,
    began: Option<(u64, u64)>,
}

impl Hooks for Script<'_> {
    fn begin(&mut self, total: u64, done: u64) {
        // Beyond the duration it begins again.
        self.began.get_or_insert((total, done));
    }

    fn advanced(&mut self, done: u64, message: &mut dyn FnMut() -> String) -> Control {
        // Asking for the message must not change anything.
        assert!(message().contains("speed"));
        if let Some((step, from, to)) = self.kill
            && step == done
        {
            copy(from, to);
        }
        // Where steps adapt, what is done may pass over a number.
        if self.stop.is_some_and(|stop| done >= stop) {
            Control::Stop
        } else {
            Control::Continue
        }
    }
}

fn stopping(step: u64) -> Script<'static> {
    Script {
        stop: Some(step),
        ..Script::default()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn case(model: &Model) -> Case {
    Case::of_model(model.clone()).unwrap_or_else(|faults| panic!("{faults}"))
}

fn go(model: &Model, folder: &Path, existing: Existing, hooks: &mut dyn Hooks) -> Answer {
    execute(&case(model), &model.analyses[0], folder, existing, hooks)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn refused(model: &Model, folder: &Path, existing: Existing) -> String {
    let error = execute(&case(model), &model.analyses[0], folder, existing, &mut ()).unwrap_err();
    assert!(error.is_input(), "{error}");
    error.to_string()
}

fn timeless(mut summary: Value) -> Value {
    summary.as_object_mut().unwrap().remove("seconds").unwrap();
    summary
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The folder holds what an uninterrupted run leaves, to the byte, and nothing else.
#[track_caller]
fn assert_same(expected: &Path, found: &Path) {
    assert_eq!(names(expected), names(found));
    for table in TABLES {
        let [expected, found] =
            [expected, found].map(|folder| fs::read(folder.join(table)).unwrap());
        assert!(
            expected == found,
            "{table} differs: {} and {} bytes",
            expected.len(),
            found.len()
        );
    }
    let [expected, found] = [expected, found].map(|folder| {
        let text = fs::read_to_string(folder.join("summary.json")).unwrap();
        timeless(serde_json::from_str(&text).unwrap())
    });
    assert_eq!(expected, found);
}

/// Without sliding, rocking and impacts the other tests would say little.
#[test]
fn the_example_slides_rocks_and_hits() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = go(
        &model(FrictionLaw::Associated),
        folder.path(),
        Existing::Refuse,
        &mut (),
    );
    let peaks = &outcome.summary["peaks"];
    assert!(
        peaks["left"]["rotation"].as_f64().unwrap() > 0.03,
        "{peaks}"
    );
    assert!(
        peaks["slab"]["displacement"].as_f64().unwrap() > 0.05,
        "{peaks}"
    );
    assert!(peaks["slab"]["rotation"].as_f64().unwrap() < 0.2, "{peaks}");
    assert!(
        peaks["rider"]["displacement"].as_f64().unwrap() > 0.05,
        "{peaks}"
    );
    let motion = read_motion(&folder.path().join("motion.parquet")).unwrap();
    let turned = |sign: f64| {
        motion
            .poses
            .iter()
            .any(|poses| sign * poses[2].rotation.y > 0.002)
    };
    assert!(
        turned(1.0) && turned(-1.0),
        "no impact between two rockings"
    );
    assert_eq!(outcome.summary["status"], "stood");
    assert!(
        outcome.summary["steps"].as_u64() > Some(STEPS),
        "it moves at the end of its duration"
    );
}

/// A tie that yields and breaks remembers so, and its table goes on where it was.
#[test]
fn ties_go_on_with_the_same_bits() {
    let mut spec = spec(FrictionLaw::Associated, 4.0);
    spec.tie.push(TieSpec {
        name: Some("rod".into()),
        blocks: ["left".into(), "ground".into()],
        points: [[-0.6, 0.0, 0.9], [-2.5, 0.0, 0.9]],
        stiffness: 1e5,
        yield_force: 50.0,
        max_elongation: Some(0.02),
        initial_force: Some(10.0),
    });
    let model = drystone_model::compile(&spec).unwrap_or_else(|faults| panic!("{faults}"));
    let base = tempfile::tempdir().unwrap();
    let [straight, stopped] = ["straight", "stopped"].map(|name| base.path().join(name));
    let outcome = go(&model, &straight, Existing::Refuse, &mut ());
    let rod = &outcome.summary["ties"]["rod"];
    // It yields before the run is stopped, and at the latest breaks afterwards.
    assert!(rod["dissipated"].as_f64().unwrap() > 0.0, "{rod}");
    assert_eq!(rod["max_force"], 50.0);
    go(&model, &stopped, Existing::Refuse, &mut stopping(200));
    go(&model, &stopped, Existing::Resume, &mut ());
    assert_same(&straight, &stopped);
    let [expected, found] =
        [&straight, &stopped].map(|folder| fs::read(folder.join("ties.csv")).unwrap());
    assert!(expected == found);
    assert!(expected.starts_with(b"time,rod.force,rod.elongation\n0,10,0\n"));
}

/// The length of the next step and the accelerations that it follows from are saved too.
#[test]
fn steps_that_adapt_go_on_with_the_same_bits() {
    for joints in [Joints::Rigid, Joints::Elastic] {
        let model = with(FrictionLaw::Associated, |history| {
            history.adaptive = Some(AdaptiveSpec::default());
            history.joints = Some(joints);
        });
        let base = tempfile::tempdir().unwrap();
        let straight = base.path().join("straight");
        let outcome = go(&model, &straight, Existing::Refuse, &mut ());
        let motion = read_motion(&straight.join("motion.parquet")).unwrap();
        for (k, time) in motion.times.iter().enumerate() {
            // The end of the duration lies between two outputs, and has one of its own.
            let due = match k {
                ..=171 => 0.007 * k as f64,
                172 => 1.2,
                _ => 0.007 * (k - 1) as f64,
            };
            let last = k + 1 == motion.times.len();
            assert!(
                (time - due).abs() < 1e-12 || (last && *time < due),
                "{time} {due}"
            );
        }
        let lengths = &outcome.summary["adaptive"];
        assert!(lengths["longest"].as_f64() > lengths["shortest"].as_f64());
        for (number, stop) in [1, 137, 399, 580].into_iter().enumerate() {
            let folder = base.path().join(number.to_string());
            let stopped = go(&model, &folder, Existing::Refuse, &mut stopping(stop));
            assert!(stopped.interrupted, "{stop}");
            go(&model, &folder, Existing::Resume, &mut ());
            assert_same(&straight, &folder);
        }
    }
}

#[test]
fn stopped_and_resumed_runs_leave_the_same_bytes() {
    for model in [Scheme::Euler, Scheme::Leapfrog]
        .into_iter()
        .flat_map(models_of)
    {
        let base = tempfile::tempdir().unwrap();
        let straight = base.path().join("straight");
        let outcome = go(&model, &straight, Existing::Refuse, &mut ());
        let total = outcome.summary["steps"].as_u64().unwrap();
        assert!(total >= STEPS);
        let stops = [
            &[1][..],
            &[137],
            &[STEPS - 1],
            &[STEPS],
            &[total],
            &[100, 315, STEPS + 40],
        ];
        for (number, stops) in stops.into_iter().enumerate() {
            let folder = base.path().join(number.to_string());
            let mut existing = Existing::Refuse;
            for &stop in stops {
                let outcome = go(&model, &folder, existing, &mut stopping(stop));
                // A stop after the last step finds nothing left to stop.
                assert_eq!(outcome.interrupted, stop < total, "{stop}");
                assert_eq!(outcome.summary["steps"], stop.min(total));
                if outcome.interrupted {
                    assert_eq!(outcome.summary["status"], "interrupted");
                    assert!(
                        outcome.headline.contains("can be resumed"),
                        "{}",
                        outcome.headline
                    );
                }
                // What there is can be read.
                let motion = read_motion(&folder.join("motion.parquet")).unwrap();
                let history = fs::read_to_string(folder.join("history.csv")).unwrap();
                assert_eq!(motion.times.len(), history.lines().count() - 1);
                existing = Existing::Resume;
            }
            let mut script = Script::default();
            go(&model, &folder, existing, &mut script);
            let last = *stops.last().unwrap();
            // Beyond its duration it is followed for up to ten seconds more.
            let most = if last < STEPS { STEPS } else { STEPS + 5000 };
            let began = (last < total).then_some((most, last));
            assert_eq!(script.began, began, "it did not go on from the checkpoint");
            assert_same(&straight, &folder);
        }
    }
}

#[test]
fn a_killed_run_goes_on_from_its_checkpoint() {
    for law in [FrictionLaw::Associated, FrictionLaw::Coulomb] {
        let model = model(law);
        let base = tempfile::tempdir().unwrap();
        let [straight, stopped, killed] =
            ["straight", "stopped", "killed"].map(|name| base.path().join(name));
        go(&model, &straight, Existing::Refuse, &mut ());
        go(&model, &stopped, Existing::Refuse, &mut stopping(200));
        // Killed in step 351: the checkpoint of step 200, and rows past it as far as they had left the program.
        let mut script = Script {
            stop: Some(400),
            kill: Some((351, &stopped, &killed)),
            began: None,
        };
        go(&model, &stopped, Existing::Resume, &mut script);
        // And once more with all rows up to step 400, the last one torn.
        let torn = base.path().join("torn");
        copy(&killed, &torn);
        for table in TABLES {
            let partial = partial_path(Path::new(table));
            let mut bytes = fs::read(stopped.join(&partial)).unwrap();
            let tail = bytes.len() / 30;
            bytes.extend_from_within(..tail);
            fs::write(torn.join(&partial), bytes).unwrap();
        }
        for folder in [&killed, &torn] {
            let mut script = Script::default();
            go(&model, folder, Existing::Resume, &mut script);
            assert_eq!(script.began, Some((STEPS, 200)));
            assert_same(&straight, folder);
        }
    }
}

#[test]
fn a_run_killed_before_its_first_checkpoint_starts_again() {
    let model = model(FrictionLaw::Associated);
    let base = tempfile::tempdir().unwrap();
    let [straight, killed] = ["straight", "killed"].map(|name| base.path().join(name));
    let mut script = Script {
        kill: Some((300, &straight, &killed)),
        ..Script::default()
    };
    go(&model, &straight, Existing::Refuse, &mut script);
    assert!(refused(&model, &killed, Existing::Refuse).contains("go on with them"));
    go(&model, &killed, Existing::Resume, &mut ());
    assert_same(&straight, &killed);
}

#[test]
fn a_run_killed_while_it_closes_its_files_is_completed() {
    let model = model(FrictionLaw::Associated);
    let base = tempfile::tempdir().unwrap();
    let [straight, late, later] = ["straight", "late", "later"].map(|name| base.path().join(name));
    go(&model, &straight, Existing::Refuse, &mut ());
    go(&model, &late, Existing::Refuse, &mut stopping(500));
    copy(&late, &later);
    // All tables have their names already, the checkpoint is still there.
    for name in names(&straight) {
        fs::copy(straight.join(&name), late.join(&name)).unwrap();
    }
    // The checkpoint is gone already, the unfinished files are not.
    for name in names(&straight) {
        fs::copy(straight.join(&name), later.join(&name)).unwrap();
    }
    fs::remove_file(later.join("checkpoint.bin")).unwrap();
    for folder in [&late, &later] {
        go(&model, folder, Existing::Resume, &mut ());
        assert_same(&straight, folder);
    }
}

#[test]
fn a_complete_run_is_not_run_again() {
    let model = model(FrictionLaw::Associated);
    let base = tempfile::tempdir().unwrap();
    let first = go(&model, base.path(), Existing::Refuse, &mut ());
    let modified = |name| {
        fs::metadata(base.path().join(name))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = TABLES.map(modified);
    let mut script = Script::default();
    let again = go(&model, base.path(), Existing::Resume, &mut script);
    assert_eq!(script.began, None);
    assert_eq!(again.summary, first.summary);
    assert!(
        again.headline.contains("complete already"),
        "{}",
        again.headline
    );
    assert_eq!(TABLES.map(modified), before);
    assert!(refused(&model, base.path(), Existing::Refuse).contains("already holds results"));
}

#[test]
fn results_of_another_model_are_not_resumed() {
    let base = tempfile::tempdir().unwrap();
    let [half, whole] = ["half", "whole"].map(|name| base.path().join(name));
    let ours = model(FrictionLaw::Associated);
    go(&ours, &half, Existing::Refuse, &mut stopping(10));
    go(&ours, &whole, Existing::Refuse, &mut ());
    let other = drystone_model::compile(&spec(FrictionLaw::Associated, 4.1)).unwrap();
    for folder in [&half, &whole] {
        let before: Vec<Vec<u8>> = names(folder)
            .iter()
            .map(|name| fs::read(folder.join(name)).unwrap())
            .collect();
        let message = refused(&other, folder, Existing::Resume);
        for word in [
            "another model",
            &ours.analyses[0].sha256,
            &other.analyses[0].sha256,
            "overwrite the results",
        ] {
            assert!(message.contains(word), "{message}");
        }
        let after: Vec<Vec<u8>> = names(folder)
            .iter()
            .map(|name| fs::read(folder.join(name)).unwrap())
            .collect();
        assert!(before == after, "a refused resume changed files");
    }
}

#[test]
fn damaged_remains_are_refused_and_named() {
    let model = model(FrictionLaw::Associated);
    let base = tempfile::tempdir().unwrap();
    let good = base.path().join("good");
    go(&model, &good, Existing::Refuse, &mut stopping(100));
    for (number, name) in [
        "checkpoint.bin",
        "history.csv.partial",
        "motion.parquet.partial",
    ]
    .into_iter()
    .enumerate()
    {
        let folder = base.path().join(number.to_string());
        copy(&good, &folder);
        let bytes = fs::read(folder.join(name)).unwrap();
        fs::write(folder.join(name), &bytes[..bytes.len() / 2]).unwrap();
        let message = refused(&model, &folder, Existing::Resume);
        assert!(message.contains(name), "{message}");
    }
}

#[test]
fn a_collapse_does_not_hide_that_the_run_was_interrupted() {
    let mut spec = spec(FrictionLaw::Associated, 4.0);
    spec.block.push(BlockSpec::cuboid(
        "high",
        "stone",
        [-2.8, -0.5, 3.0],
        [-2.2, 0.5, 5.0],
    ));
    let model = drystone_model::compile(&spec).unwrap();
    let base = tempfile::tempdir().unwrap();
    let outcome = go(&model, base.path(), Existing::Refuse, &mut stopping(500));
    assert_eq!(outcome.summary["status"], "collapsed");
    assert!(outcome.interrupted);
    assert_eq!(outcome.summary["complete"], false);
    assert!(
        outcome.headline.contains("interrupted at 1.000 s"),
        "{}",
        outcome.headline
    );
    let outcome = go(&model, base.path(), Existing::Resume, &mut ());
    assert!(!outcome.interrupted && !outcome.headline.contains("interrupted"));
    assert_eq!(outcome.summary["complete"], true);
}
