//! An assessment into its folder.

use std::path::Path;
use std::time::Instant;

use drystone_analysis::assessment::{
    AssessmentResult, CapacityCurve, Check, LimitState, Method, assess, demand_curve, states,
};
use drystone_geometry::DVec3;
use drystone_model::{Analysis, Assessment, CapacitySource, GivenCapacity, Model};
use serde_json::{Value, json};

use super::{ExecuteError, Head, Hooks, Outcome, check_owner, wanted};
use crate::report::AssessmentReport;
use crate::{
    Cell, CurveRow, Error, ResultDir, Table, read_curve, read_motion, write_atomic,
    write_json_atomic,
};

pub(super) fn execute(
    model: &Model,
    analysis: &Analysis,
    settings: &Assessment,
    folder: &ResultDir,
    hooks: &mut dyn Hooks,
) -> Result<Outcome, ExecuteError> {
    let start = Instant::now();
    let capacity = match &settings.capacity {
        CapacitySource::Given(capacity) => capacity.clone(),
        CapacitySource::Pushover(pushover) => {
            let beside = folder.path().with_file_name(pushover);
            let asked = model.analyses.iter().find(|other| other.name == *pushover);
            let asked = asked
                .ok_or_else(|| Error::damaged(&beside, "the model has no pushover of this name"))?;
            of_pushover(model, asked, &beside)?
        }
    };
    let result = assess(settings, &capacity);
    wanted(hooks)?;
    write_spectra(&folder.spectra(), settings, &result)?;
    let path = folder.summary();
    let mut summary = serde_json::to_value(Head::new("assessment", analysis, model))
        .map_err(|error| encode(&path, &error))?;
    let notes = unchecked(settings, &result);
    fill(&mut summary, &result, &notes, start.elapsed().as_secs_f64())
        .map_err(|error| encode(&path, &error))?;
    write_json_atomic(&path, &summary)?;
    let headline = headline(&result, &notes);
    let report = AssessmentReport {
        model,
        analysis: &analysis.name,
        headline: &headline,
        summary: &summary,
        settings,
        result: &result,
    };
    write_atomic(&folder.text(), report.text().as_bytes())?;
    write_atomic(&folder.report(), report.html().as_bytes())?;
    Ok(Outcome {
        summary,
        headline,
        failure: None,
        interrupted: false,
    })
}

fn encode(path: &Path, error: &serde_json::Error) -> Error {
    Error::Encode {
        path: path.to_owned(),
        message: error.to_string(),
    }
}

fn is_verified(result: &AssessmentResult) -> bool {
    let passed = |index: Option<f64>| index.is_none_or(|index| index >= 1.0);
    result.checks.iter().all(|check| passed(check.index))
}

fn fill(
    summary: &mut Value,
    result: &AssessmentResult,
    notes: &[String],
    seconds: f64,
) -> Result<(), serde_json::Error> {
    let (capacity, found) = (&result.capacity, &result.oscillator);
    let known = capacity.displacements.as_ref();
    let (peak, life) = (found.peak, found.life);
    let finite = |x: &f64| x.is_finite();
    let more = json!({
        "status": if is_verified(result) { "verified" } else { "not_verified" },
        "index": result.worst().and_then(|check| check.index),
        "checks": serde_json::to_value(&result.checks)?,
        "notes": notes,
        "alpha_0": capacity.alpha_0,
        "alpha_y": known.map(|known| known.alpha_y),
        "d_y": known.map(|known| known.d_y),
        "d_0": known.and_then(|known| known.d_0),
        "participation": capacity.participation,
        "gamma": known.map(|known| known.gamma),
        "a_0": found.onset,
        "a_y": peak.map(|peak| peak.acceleration),
        "d_y_star": peak.map(|peak| peak.displacement),
        "d_0_star": life.map(|life| life.last_displacement),
        "period": peak.map(|peak| peak.period).filter(finite),
        "d_life_safety": life.map(|life| life.displacement),
        "a_life_safety": life.map(|life| life.acceleration),
        "period_life_safety": life.map(|life| life.period).filter(finite),
        "seconds": { "total": seconds },
    });
    if let (Value::Object(all), Value::Object(more)) = (summary, more) {
        all.extend(more);
    }
    Ok(())
}

fn headline(result: &AssessmentResult, notes: &[String]) -> String {
    let verdict = if is_verified(result) {
        "verified"
    } else {
        "not verified"
    };
    let told = match result.worst().and_then(|check| check.index) {
        Some(index) => format!("{verdict}: least safety index {index:.3}"),
        None => format!("{verdict}: every safety index is more than 100"),
    };
    if notes.is_empty() {
        told
    } else {
        format!("{told} ({})", notes.join("; "))
    }
}

/// What was not checked because the capacity does not say enough.
fn unchecked(settings: &Assessment, result: &AssessmentResult) -> Vec<String> {
    let missing = |state: LimitState| {
        let by_displacements =
            |check: &Check| check.state == state && check.method == Method::Displacement;
        !result.checks.iter().any(by_displacements)
    };
    let told = states(settings).filter_map(|(state, _)| {
        missing(state).then_some(match state {
            LimitState::Damage => "damage by forces alone",
            LimitState::LifeSafety => "life safety by forces alone",
        })
    });
    told.map(str::to_owned).collect()
}

/// Columns curve, period (s), displacement (m), acceleration (m/s²): the capacity and the demand of every limit state.
fn write_spectra(
    path: &Path,
    settings: &Assessment,
    result: &AssessmentResult,
) -> Result<(), Error> {
    let columns = ["curve", "period", "displacement", "acceleration"].map(str::to_owned);
    let mut table = Table::create(path, &columns)?;
    let numbers = |row: [f64; 3]| row.map(Cell::Number);
    for &[d, a] in &result.oscillator.curve {
        let period = if d <= 0.0 {
            0.0
        } else if a > 0.0 {
            std::f64::consts::TAU * (d / a).sqrt()
        } else {
            f64::INFINITY
        };
        let [t, d, a] = numbers([period, d, a]);
        table.append([Cell::Text("capacity"), t, d, a])?;
    }
    for (state, hazard) in states(settings) {
        let label = match state {
            LimitState::Damage => "damage",
            LimitState::LifeSafety => "life_safety",
        };
        for row in demand_curve(settings, hazard) {
            let [t, d, a] = numbers(row);
            table.append([Cell::Text(label), t, d, a])?;
        }
    }
    table.finish()
}

/// Part of the displacement capacity within which a mechanism has settled.
const ONSET: f64 = 0.02;

/// A multiplier that has dropped below this part of the onset's by then has dropped by sliding.
const DROPPED: f64 = 0.99;

/// The multiplier from which a curve goes on. That of the associated law lifts what slides; on the curve nothing is lifted, and less is
/// borne. That may take a little way: what is left there is led back to the onset along the straight line to zero, if that is known.
fn onset(alpha_0: f64, d_0: Option<f64>, reached: f64, rows: &[CurveRow]) -> f64 {
    let (within, end) = match d_0 {
        Some(d_0) => (ONSET * d_0, d_0),
        // So near that a straight line has lost less than counts.
        None => (0.5 * (1.0 - DROPPED) * reached, f64::INFINITY),
    };
    let falling = rows.iter().filter(|row| row.branch != "elastic");
    let left = falling
        .filter(|row| row.d <= within)
        .fold(alpha_0, |least, row| {
            least.min(row.alpha / (1.0 - row.d / end))
        });
    // The curve of what only turns is not quite straight either.
    if left < DROPPED * alpha_0 {
        left
    } else {
        alpha_0
    }
}

/// The capacity that a pushover analysis left in its folder: values in `summary.json`, the curve in `curve.csv`, displaced shapes in
/// `motion.parquet` with the displacement of the control point in place of the time.
fn of_pushover(model: &Model, analysis: &Analysis, folder: &Path) -> Result<GivenCapacity, Error> {
    let path = folder.join("summary.json");
    let text = std::fs::read_to_string(&path).map_err(|_| {
        Error::damaged(
            folder,
            "no results of the pushover that the assessment rests on; run it first",
        )
    })?;
    let summary: Value = serde_json::from_str(&text)
        .map_err(|error| Error::damaged(&path, format!("not a summary: {error}")))?;
    check_owner(&path, &summary, model, analysis)?;
    let alpha_0 = summary["alpha_0"].as_f64().ok_or_else(|| {
        Error::damaged(
            &path,
            "`alpha_0` is missing: the pushover did not come that far",
        )
    })?;
    // A curve that ends before is assessed by forces, and so far as it goes.
    let d_0 = summary["d_0"].as_f64();
    let unusable = match summary["status"].as_str() {
        Some("interrupted") => Some("the pushover was interrupted; run it to its end"),
        Some("failed") => Some("the pushover failed, as `reason` in its summary says"),
        _ if summary["elastic_ending"].is_string() && summary["alpha_y"].is_null() => {
            Some("the pushover ended before its elastic branch had its peak; run it farther")
        }
        _ => None,
    };
    if let Some(why) = unusable {
        return Err(Error::damaged(&path, why));
    }
    // Without an elastic branch the mechanism is rigid up to its onset.
    let number = |key: &str, otherwise: f64| summary[key].as_f64().unwrap_or(otherwise);
    let (alpha_y, d_y) = (number("alpha_y", alpha_0), number("d_y", 0.0));
    // Up the elastic branch to where both meet, and down the other.
    let rows = read_curve(&folder.join("curve.csv"))?;
    let falling = rows.iter().filter(|row| row.branch != "elastic");
    let reached = falling.fold(0.0, |most: f64, row| most.max(row.d));
    let alpha_0 = onset(alpha_0, d_0, reached, &rows);
    let is_used = |row: &&CurveRow| (row.branch == "elastic") == (row.d < d_y);
    let points = rows
        .iter()
        .filter(is_used)
        .map(|row| (row.alpha, row.d))
        .collect();
    let motion = read_motion(&folder.join("motion.parquet"))?;
    // That of the loads, which is told as their sum.
    let told = ["live_resultant", "control_direction"].iter();
    let direction = told
        .filter_map(|key| summary[*key].as_array())
        .next()
        .map(|axes| {
            let axis = |k: usize| axes.get(k).and_then(Value::as_f64).unwrap_or_default();
            DVec3::new(axis(0), axis(1), 0.0)
        });
    // The shape where it counts most: at the displacement of life safety. It changes little on the way; where the end of the curve is not
    // known, another part may give way at the end of what is.
    let wanted = 0.4 * d_0.unwrap_or(reached);
    let frames = || motion.times.iter().zip(&motion.poses);
    // At the start nothing has moved, and up to the peak joints give way more than the mechanism moves. Without an elastic branch, where the
    // control point stands still, most is displaced at the end.
    let away = frames().filter(|(d, _)| **d > d_y.max(0.1 * wanted));
    let nearest = away.min_by(|a, b| (a.0 - wanted).abs().total_cmp(&(b.0 - wanted).abs()));
    let last = || frames().next_back().filter(|_| d_y == 0.0);
    let Some((&control, poses)) = nearest.or_else(last) else {
        return Err(Error::damaged(
            folder,
            "the pushover shows no displaced shape beyond the peak of its elastic branch; run it farther",
        ));
    };
    let moved = || {
        let all = model.blocks.iter().zip(poses);
        all.filter(|(block, _)| !block.support)
    };
    let direction = direction.and_then(DVec3::try_normalize).unwrap_or_else(|| {
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
        .capacity(alpha_0, (alpha_y, d_y), d_0)
        .map_err(|fault| Error::damaged(folder, fault.to_string()))
}

#[cfg(test)]
mod tests {
    use drystone_geometry::Pose;

    use super::*;
    use crate::MotionWriter;

    /// Two equal blocks displaced by 1/4 and 3/4 of the control point: e* = 0.8, Gamma* = 0.625 by hand.
    #[test]
    fn a_pushover_is_read_from_its_folder() {
        let cube = |name: &str, z: f64, more: &str| {
            format!(
                "[[block]]\nname = \"{name}\"\nmaterial = \"stone\"\n{more}\nvertices = [[0,0,{z}],[1,0,{z}],[0,1,{z}],[1,1,{z}],[0,0,{t}],[1,0,{t}],[0,1,{t}],[1,1,{t}]]\n",
                t = z + 1.0
            )
        };
        let text = format!(
            "[[material]]\nname = \"stone\"\ndensity = 2000\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n{}{}{}{}",
            cube("ground", -1.0, "support = true"),
            cube("low", 0.0, ""),
            cube("high", 1.0, ""),
            "[[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\ncontrol = { block = \"high\" }\n"
        );
        let model = drystone_model::from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"));
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let push = &model.analyses[0];
        let missing = of_pushover(&model, push, at).unwrap_err().to_string();
        assert!(missing.contains("run it first"), "{missing}");
        let mut summary = serde_json::to_value(Head::new("pushover", push, &model)).unwrap();
        let numbers = json!({
            "alpha_0": 0.1, "alpha_y": 0.09, "d_y": 0.05, "d_0": 1.0, "live_resultant": [5.0, 0.0, 0.0],
        });
        let all = summary.as_object_mut().unwrap();
        all.extend(numbers.as_object().unwrap().clone());
        std::fs::write(at.join("summary.json"), summary.to_string()).unwrap();
        let rows = "branch,alpha,d\nelastic,0,0\nelastic,0.09,0.0499\nelastic,0.091,0.06\nrigid,0.1,0\nrigid,0.09,0.05\nrigid,0,1\n";
        std::fs::write(at.join("curve.csv"), rows).unwrap();
        let names: Vec<String> = model
            .blocks
            .iter()
            .map(|block| block.name.clone())
            .collect();
        let mut motion = MotionWriter::create(&at.join("motion.parquet"), &names).unwrap();
        for d in [0.0, 0.4, 1.0] {
            let poses: Vec<Pose> = model
                .blocks
                .iter()
                .zip([0.0, 0.25, 0.75])
                .map(|(block, part)| Pose::at(block.position + DVec3::X * (part * d)))
                .collect();
            motion.append(d, &poses).unwrap();
        }
        motion.finish().unwrap();
        let capacity = of_pushover(&model, push, at).unwrap();
        assert!((capacity.participation - 0.8).abs() < 1e-9, "{capacity:?}");
        let known = capacity.displacements.clone().unwrap();
        assert!((known.gamma - 0.625).abs() < 1e-9, "{capacity:?}");
        assert_eq!(
            known.curve,
            [[0.0, 0.0], [0.0499, 0.09], [0.05, 0.09], [1.0, 0.0]]
        );
        // A curve that ends before has the same onset and the same oscillator; only its end is not known.
        let whole = summary.clone();
        summary["d_0"] = Value::Null;
        std::fs::write(at.join("summary.json"), summary.to_string()).unwrap();
        std::fs::write(
            at.join("curve.csv"),
            rows.replace("rigid,0,1\n", "rigid,0.06,0.4\n"),
        )
        .unwrap();
        let short = of_pushover(&model, push, at).unwrap();
        assert_eq!(
            (short.alpha_0, short.participation),
            (capacity.alpha_0, capacity.participation)
        );
        let short = short.displacements.unwrap();
        assert_eq!((short.d_0, short.d_y), (None, known.d_y));
        assert!((short.gamma - known.gamma).abs() < 1e-9);
        // Up to its peak an elastic branch shows joints that give way, not a mechanism.
        summary["elastic_ending"] = json!("displacement");
        summary["alpha_y"] = Value::Null;
        std::fs::write(at.join("summary.json"), summary.to_string()).unwrap();
        let cut = of_pushover(&model, push, at).unwrap_err().to_string();
        assert!(cut.contains("run it farther"), "{cut}");
        summary = whole;
        std::fs::write(at.join("summary.json"), summary.to_string()).unwrap();
        std::fs::write(at.join("curve.csv"), rows).unwrap();
        // What else is asked of the model does not matter.
        let more = format!("{text}[[analysis]]\nname = \"rest\"\nkind = \"equilibrium\"\n");
        let more = drystone_model::from_toml(&more).unwrap();
        assert_ne!(more.sha256, model.sha256);
        assert_eq!(of_pushover(&more, &more.analyses[0], at).unwrap(), capacity);
        let other = drystone_model::from_toml(&text.replace("2000", "2100")).unwrap();
        let fault = of_pushover(&other, &other.analyses[0], at)
            .unwrap_err()
            .to_string();
        assert!(fault.contains("another model"), "{fault}");
        // A summary of numerics before, or of those that did not say which they are.
        for revision in [json!(drystone_analysis::REVISION - 1), Value::Null] {
            summary["revision"] = revision;
            std::fs::write(at.join("summary.json"), summary.to_string()).unwrap();
            let fault = of_pushover(&model, push, at).unwrap_err().to_string();
            assert!(fault.contains("another version of the program"), "{fault}");
        }
    }
}
