//! The capacity that a pushover found.

use drystone_geometry::DVec3;
use drystone_model::{GivenCapacity, Model};

use super::CapacityCurve;
use crate::answer::{Answer, Detail, Motion};
use crate::pushover::{Branch, CurvePoint};

/// Part of the displacement capacity within which a mechanism has settled.
const ONSET: f64 = 0.02;

/// A multiplier that has dropped below this part of the onset's by then has dropped by sliding.
const DROPPED: f64 = 0.99;

/// The multiplier from which a curve goes on. That of the associated law lifts what slides; on the curve nothing is lifted, and less is
/// borne. That may take a little way: what is left there is led back to the onset along the straight line to zero, if that is known.
fn onset(alpha_0: f64, d_0: Option<f64>, reached: f64, points: &[CurvePoint]) -> f64 {
    let (within, end) = match d_0 {
        Some(d_0) => (ONSET * d_0, d_0),
        // So near that a straight line has lost less than counts.
        None => (0.5 * (1.0 - DROPPED) * reached, f64::INFINITY),
    };
    let falling = points.iter().filter(|point| point.branch == Branch::Rigid);
    let left = falling
        .filter(|point| point.d <= within)
        .fold(alpha_0, |least, point| {
            least.min(point.alpha / (1.0 - point.d / end))
        });
    // The curve of what only turns is not quite straight either.
    if left < DROPPED * alpha_0 {
        left
    } else {
        alpha_0
    }
}

/// The capacity that the answer of a pushover shows: its curve, and the displaced shape that says which masses take part. Says why there is none.
pub fn capacity_of(model: &Model, answer: &Answer) -> Result<GivenCapacity, String> {
    if answer.interrupted {
        return Err("it was interrupted; run it to its end".to_owned());
    }
    if let Some(reason) = &answer.failure {
        return Err(format!("it failed: {reason}"));
    }
    let Detail::Pushover(outcome) = &answer.detail else {
        return Err("its answer is not that of a pushover".to_owned());
    };
    let none = Motion::default();
    let motion = answer.motion.as_ref().unwrap_or(&none);
    let alpha_0 = outcome
        .alpha_0
        .ok_or("`alpha_0` is missing: it did not come that far")?;
    // A curve that was not followed to its end is assessed by forces, and so far as it goes.
    let (d_0, d_ultimate) = (outcome.d_0, outcome.d_ultimate);
    if outcome.elastic_ending.is_some() && outcome.alpha_y.is_none() {
        return Err("it ended before its elastic branch had its peak; run it farther".to_owned());
    }
    // Without an elastic branch the mechanism is rigid up to its onset.
    let (alpha_y, d_y) = (
        outcome.alpha_y.unwrap_or(alpha_0),
        outcome.d_y.unwrap_or(0.0),
    );
    // Up the elastic branch to where both meet, and down the other.
    let curve = &outcome.curve;
    let falling = curve.branch(Branch::Rigid);
    let reached = falling.fold(0.0, |most: f64, point| most.max(point.d));
    let alpha_0 = onset(alpha_0, d_0, reached, &curve.points);
    let is_used = |point: &&CurvePoint| (point.branch == Branch::Elastic) == (point.d < d_y);
    let used = curve.points.iter().filter(is_used);
    let points = used.map(|point| (point.alpha, point.d)).collect();
    // That of the loads, which is their sum.
    let direction = DVec3::new(outcome.live_resultant.x, outcome.live_resultant.y, 0.0);
    // The shape where it counts most: at the displacement of life safety. It changes little on the way; where the end of the curve is not
    // known, another part may give way at the end of what is.
    let wanted = 0.4 * d_ultimate.unwrap_or(reached);
    let frames = || motion.times.iter().zip(&motion.poses);
    // At the start nothing has moved, and up to the peak joints give way more than the mechanism moves. Without an elastic branch, where the
    // control point stands still, most is displaced at the end.
    let away = frames().filter(|(d, _)| **d > d_y.max(0.1 * wanted));
    let nearest = away.min_by(|a, b| (a.0 - wanted).abs().total_cmp(&(b.0 - wanted).abs()));
    let last = || frames().next_back().filter(|_| d_y == 0.0);
    let Some((&control, poses)) = nearest.or_else(last) else {
        return Err(
            "it shows no displaced shape beyond the peak of its elastic branch; run it farther"
                .to_owned(),
        );
    };
    let moved = || {
        let all = model.blocks.iter().zip(poses);
        all.filter(|(block, _)| !block.support)
    };
    let direction = direction.try_normalize().unwrap_or_else(|| {
        let all = moved().map(|(block, pose)| block.mass * (pose.position - block.position));
        let sum: DVec3 = all.sum();
        DVec3::new(sum.x, sum.y, 0.0).normalize_or(DVec3::X)
    });
    let curve = CapacityCurve {
        points,
        weights: moved()
            .map(|(block, _)| model.gravity * block.mass)
            .collect(),
        shape: moved()
            .map(|(block, pose)| (pose.position - block.position).dot(direction))
            .collect(),
        control,
    };
    curve
        .capacity(alpha_0, (alpha_y, d_y), [d_0, d_ultimate])
        .map_err(|fault| fault.to_string())
}
