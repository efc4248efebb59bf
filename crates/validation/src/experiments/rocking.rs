//! Rocking blocks against the equation of motion with located impacts.

use drystone_model::{AnalysisKind, Model};
use drystone_questions::rocking;
use drystone_questions::time_history::Status;
use drystone_shaking::GroundMotion;

use super::simulate;
use crate::Measurements;
use crate::measured::Part;
use crate::scene::read;

pub(super) const HOUSNER: &str = include_str!("../../../../examples/housner-block/model.toml");
pub(super) const WALL: &str = include_str!("../../../../examples/rocking-wall/model.toml");

/// An impact seen in the motion: the angle changes sign.
pub(super) struct Impact {
    /// s.
    pub time: f64,
    /// Angular speed after over before.
    restitution: f64,
}

/// Angle, angular velocity and total energy against time.
pub(super) struct Track {
    pub time: Vec<f64>,
    pub angle: Vec<f64>,
    spin: Vec<f64>,
    pub energy: Vec<f64>,
}

impl Track {
    /// Runs the only time history of a planar model with one free block (the second one), whose angle is `initial` at
    /// the start.
    pub fn run(
        model: &Model,
        initial: f64,
    ) -> Result<(Self, drystone_questions::time_history::Summary), String> {
        let mut track = Self {
            time: Vec::new(),
            angle: Vec::new(),
            spin: Vec::new(),
            energy: Vec::new(),
        };
        let summary = simulate(model, &mut |run| {
            let state = &run.progress().state;
            let frame = run.frame();
            track.time.push(state.time);
            track
                .angle
                .push(initial + drystone_mechanics::log_rotation(state.poses[1].rotation).y);
            track.spin.push(state.angular_velocity[1].y);
            track
                .energy
                .push(frame.energy.kinetic + frame.energy.potential - frame.energy.harvested);
        })?;
        Ok((track, summary))
    }

    /// Largest absolute angle between two times, of the parabola through the three highest readings, rad.
    pub fn peak(&self, from: f64, to: f64) -> f64 {
        let inside = (1..self.angle.len().saturating_sub(1))
            .filter(|&i| self.time[i] > from && self.time[i] < to);
        let highest = inside.max_by(|&i, &j| self.angle[i].abs().total_cmp(&self.angle[j].abs()));
        highest.map_or(f64::NAN, |i| {
            let [a, b, c] = [i - 1, i, i + 1].map(|i| self.angle[i].abs());
            b + (a - c).powi(2) / (8.0 * (2.0 * b - a - c))
        })
    }

    pub fn impacts(&self) -> Vec<Impact> {
        let mut impacts = Vec::new();
        for i in 2..self.angle.len().saturating_sub(2) {
            let (a, b) = (self.angle[i - 1], self.angle[i]);
            if a * b < 0.0 || (b == 0.0 && a != 0.0) {
                let part = a / (a - b);
                // The impact step carries a mixture of both speeds: take the steps beside it.
                impacts.push(Impact {
                    time: self.time[i - 1] + part * (self.time[i] - self.time[i - 1]),
                    restitution: self.spin[i + 1] / self.spin[i - 1],
                });
            }
        }
        impacts
    }
}

/// Replaces the time step of a model file's time histories.
fn with_dt(text: &str, dt: f64) -> String {
    text.replace("dt = 0.001", &format!("dt = {dt:?}"))
}

pub(super) fn only(mut model: Model, name: &str) -> Model {
    model.analyses.retain(|analysis| analysis.name == name);
    model
}

/// Impact times of the equation of motion.
pub(super) fn reference(model: &Model, name: &str) -> Result<rocking::RockingResult, String> {
    let settings = model
        .analyses
        .iter()
        .find_map(|analysis| match &analysis.kind {
            AnalysisKind::Rocking(settings) if analysis.name == name => Some(settings),
            _ => None,
        })
        .ok_or("the model has no rocking analysis")?;
    let ground =
        GroundMotion::new(&model.motions, &settings.motions).map_err(|error| error.to_string())?;
    rocking::solve(settings, &ground).map_err(|error| error.to_string())
}

pub fn housner(quick: bool) -> Result<Measurements, String> {
    let initial = 15f64.to_radians();
    let exact = reference(&read(HOUSNER)?, "equation-of-motion")?;
    let mut results = Measurements::new();
    let steps: &[f64] = if quick {
        &[2e-3, 1e-3]
    } else {
        &[2e-3, 1e-3, 5e-4, 2.5e-4]
    };
    for &dt in steps {
        let _part = Part::begin();
        let model = only(read(&with_dt(HOUSNER, dt))?, "free-rocking");
        let (track, summary) = Track::run(&model, initial)?;
        let impacts = track.impacts();
        let mut worst: f64 = 0.0;
        for (k, (impact, exact)) in impacts.iter().zip(&exact.impacts).take(8).enumerate() {
            let error = (impact.time - exact.time).abs();
            worst = worst.max(error);
            // Later ones only carry on the error of these.
            if dt == 1e-3 && k < 4 {
                results.insert(
                    format!("impact_{}_relative_error", k + 1),
                    error / exact.time,
                );
                results.insert(format!("restitution_{}", k + 1), impact.restitution);
            }
        }
        results.insert(format!("largest_impact_error_dt_{dt:?}"), worst);
        if dt == 1e-3 {
            results.insert("residual".into(), summary.worst_residual);
            results.insert(
                "energy_lost_outside_impacts".into(),
                loss_outside_impacts(&track, &impacts),
            );
        }
    }
    let ratio = results["largest_impact_error_dt_0.002"] / results["largest_impact_error_dt_0.001"];
    results.insert("error_ratio_on_halving".into(), ratio);
    Ok(results)
}

/// Energy that comes or goes between impacts up to the fourth one, relative to all that is lost; NaN without impacts.
/// Absolute values are summed, so that gains do not hide losses.
fn loss_outside_impacts(track: &Track, impacts: &[Impact]) -> f64 {
    let Some(last) = impacts.iter().take(4).next_back() else {
        return f64::NAN;
    };
    let end = last.time + 0.01;
    let (mut outside, mut all) = (0.0, 0.0);
    for i in 1..track.time.len() {
        if track.time[i] > end {
            break;
        }
        let loss = track.energy[i - 1] - track.energy[i];
        all += loss;
        if impacts
            .iter()
            .all(|impact| (track.time[i] - impact.time).abs() > 5e-3)
        {
            outside += loss.abs();
        }
    }
    outside / all
}

pub fn wall() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for name in ["short-pulse", "long-pulse"] {
        let _part = Part::begin();
        let model = only(read(WALL)?, name);
        let (_, summary) = Track::run(&model, 0.0)?;
        results.insert(
            format!("{}_overturned", name.replace('-', "_")),
            f64::from(u8::from(summary.status == Status::Collapsed)),
        );
    }
    for dt in [4e-3, 2e-3, 1e-3, 5e-4] {
        let _part = Part::begin();
        let model = only(read(&with_dt(WALL, dt))?, "short-pulse");
        let (track, _) = Track::run(&model, 0.0)?;
        let first = track
            .impacts()
            .first()
            .map_or(f64::NAN, |impact| impact.restitution);
        results.insert(format!("restitution_dt_{dt:?}"), first);
    }
    Ok(results)
}
