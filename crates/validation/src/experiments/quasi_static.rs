//! Pushover curves against our own dynamics: a second opinion that knows nothing of multipliers and mechanisms.
//!
//! The rising branch and the onset by an acceleration of the ground that grows so slowly that inertia does not count. The falling branch, which
//! no force follows slowly, by its work: under a constant acceleration a little above the onset the structure gathers as much kinetic
//! energy as the push does work beyond that of the curve.

use drystone_geometry::Pose;
use drystone_model::Model;
use drystone_questions::pushover::{Branch, Curve, Outcome};

use super::pushover::{FACADE, PANEL, onset, push};
use super::simulate;
use crate::Measurements;
use crate::measured::Part;
use crate::scene::read;

const GRAVITY: f64 = 9.81;

/// Half-period of the sine whose first part is the slow growth, s.
const HALF_PERIOD: f64 = 100.0;

/// What moves by more than this has begun to move, m.
const MOVED: f64 = 1e-6;

/// Part of the onset by which a constant push is greater.
const BEYOND: f64 = 0.02;

/// A model of a pushover, shaken instead. Inertia acts to the right.
fn shaken(text: &str, motion: &str, keys: &str) -> Result<Model, String> {
    // Live loads of the pushover act by inertia here.
    let end = text.find("[[load]]").or(text.find("[[analysis]]"));
    let head = &text[..end.ok_or("the model has no analysis")?];
    read(&format!(
        "{head}[[motion]]\nname = \"push\"\ndirection = [-1, 0, 0]\n{motion}\n[[analysis]]\nname = \"slow\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nmotion = \"push\"\ndt = 0.001\n{keys}\n"
    ))
}

/// Growth of the multiplier at a rate, 1/s: text of the motion, and the multiplier at a time.
fn growth(rate: f64) -> (String, impl Fn(f64) -> f64) {
    let amplitude = rate * HALF_PERIOD / std::f64::consts::PI;
    let motion = format!(
        "kind = \"one_sine\"\namplitude = {:?}\nhalf_period = {HALF_PERIOD:?}",
        amplitude * GRAVITY
    );
    let at = move |time: f64| amplitude * (std::f64::consts::PI * time / HALF_PERIOD).sin();
    (motion, at)
}

/// Mean displacement of the control points of a pushover.
fn displacement(model: &Model, outcome: &Outcome, poses: &[Pose]) -> f64 {
    let one = |&(block, at): &(usize, drystone_geometry::DVec3)| {
        let moved = poses[block].transform(at - model.blocks[block].position) - at;
        moved.dot(outcome.control_direction)
    };
    outcome.control.iter().map(one).sum::<f64>() / outcome.control.len() as f64
}

/// The multiplier at which it begins to move while the push grows slowly.
fn begins(text: &str, outcome: &Outcome, rate: f64) -> Result<f64, String> {
    let (motion, at) = growth(rate);
    let duration = 1.1 * onset(outcome)? / rate;
    let model = shaken(text, &motion, &format!("duration = {duration:?}"))?;
    let mut found = None;
    simulate(&model, &mut |run| {
        if found.is_none() {
            let frame = run.frame();
            if displacement(&model, outcome, &frame.poses).abs() > MOVED {
                found = Some(at(frame.time));
            }
        }
    })?;
    found.ok_or("it does not move".to_owned())
}

/// The displacement on the rising branch at a multiplier while the push grows slowly: the mean over a tenth of a second on both sides.
fn rises(text: &str, outcome: &Outcome, rate: f64, alpha: f64) -> Result<f64, String> {
    let (motion, _) = growth(rate);
    let time = alpha / rate;
    let keys = format!(
        "joints = \"elastic\"\nscheme = \"euler\"\nduration = {:?}",
        time + 0.1
    );
    let model = shaken(text, &motion, &keys)?;
    let (mut sum, mut count) = (0.0, 0.0);
    simulate(&model, &mut |run| {
        let frame = run.frame();
        if (frame.time - time).abs() < 0.1 {
            sum += displacement(&model, outcome, &frame.poses);
            count += 1.0;
        }
    })?;
    Ok(sum / count)
}

/// Kinetic energy at a displacement under a constant push beyond the onset, over what the curve leaves of the work of the push.
fn gathers(text: &str, outcome: &Outcome, d: f64) -> Result<f64, String> {
    let alpha = (1.0 + BEYOND) * onset(outcome)?;
    let motion = format!(
        "kind = \"rectangular\"\namplitude = {:?}\nhalf_period = 20.0",
        alpha * GRAVITY
    );
    let model = shaken(text, &motion, "duration = 6.0")?;
    let mut before = (0.0, 0.0);
    let mut found = None;
    simulate(&model, &mut |run| {
        if found.is_none() {
            let frame = run.frame();
            let here = (
                displacement(&model, outcome, &frame.poses),
                frame.energy.kinetic,
            );
            if here.0 >= d {
                let share = (d - before.0) / (here.0 - before.0);
                found = Some(before.1 + share * (here.1 - before.1));
            }
            before = here;
        }
    })?;
    let kinetic = found.ok_or("it does not come that far")?;
    let rigid: Vec<_> = outcome.curve.branch(Branch::Rigid).collect();
    let past = rigid.iter().position(|p| p.d >= d).filter(|&k| k > 0);
    let past = past.ok_or("the curve ends before")?;
    let pushed = |poses: &[Pose]| -> f64 {
        let blocks = model.blocks.iter().zip(poses).filter(|(b, _)| !b.support);
        let work = blocks.map(|(b, pose)| {
            let moved = pose.position - b.position;
            model.gravity * b.mass * moved.dot(outcome.control_direction)
        });
        work.sum()
    };
    let left = |k: usize| alpha * pushed(&rigid[k].poses) - rigid[k].live_work;
    let share = (d - rigid[past - 1].d) / (rigid[past].d - rigid[past - 1].d);
    let expected = left(past - 1) + share * (left(past) - left(past - 1));
    Ok(kinetic / expected)
}

/// Displacement of the rising branch at a multiplier.
fn on_curve(curve: &Curve, alpha: f64) -> Result<f64, String> {
    let points: Vec<_> = curve.branch(Branch::Elastic).collect();
    let found = points
        .windows(2)
        .find(|pair| pair[0].alpha <= alpha && alpha <= pair[1].alpha);
    let pair = found.ok_or("the rising branch ends before")?;
    let share = (alpha - pair[0].alpha) / (pair[1].alpha - pair[0].alpha);
    Ok(pair[0].d + share * (pair[1].d - pair[0].d))
}

/// Facade and panel 3.
pub fn run() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (name, text, rate, alpha, d) in [
        ("facade", FACADE[0].1, 0.05, 0.1, 0.1),
        ("panel", PANEL, 0.2, 0.2, 0.1),
    ] {
        let outcome = push(&read(text)?)?;
        let mut enter = |what: &str, measure: &dyn Fn() -> Result<f64, String>| {
            let _part = Part::begin();
            results.insert(format!("{name}_{what}"), measure()?);
            Ok::<(), String>(())
        };
        enter("onset", &|| {
            Ok(begins(text, &outcome, rate)? / onset(&outcome)?)
        })?;
        enter("rise", &|| {
            Ok(rises(text, &outcome, rate, alpha)? / on_curve(&outcome.curve, alpha)?)
        })?;
        enter("energy", &|| gathers(text, &outcome, d))?;
    }
    Ok(results)
}
