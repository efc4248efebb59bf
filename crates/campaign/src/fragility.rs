//! Fragility curves from the results of runs.

use crate::statistics::{
    Capacity, FitFault, Fragility as Fit, Interval, Intervals as Bounds, Stripe, cloud,
    fit_capacities, fit_stripes,
};
use drystone_model::{Damage, DamageMeasure, Fragility, Intensity, Intervals, Method, VaryValue};
use serde_json::{Value, json};

use crate::collect::combination;
use crate::domain::json_of;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::study::Known;

/// Fits to random outcomes that bootstrap intervals come from: their ends are then good to some percent.
const REPETITIONS: u32 = 2000;

/// Combinations that the headline tells; the summary and the report have all.
const SPOKEN: usize = 6;

/// Curves of one combination of values.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// What varies.
    pub keys: Vec<String>,
    /// The combination.
    pub values: Vec<VaryValue>,
    /// Name and unit of the intensity.
    pub intensity: String,
    /// That of collapse, then those of the states of damage.
    pub curves: Vec<Curve>,
}

/// One curve with what it was fitted to.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// `collapse`, or the name of the state of damage.
    pub state: String,
    /// Runs and exceedances by intensity; of a cloud, a run each.
    pub stripes: Vec<Stripe>,
    /// The curve, or why there is none.
    pub fit: Result<Fit, String>,
    /// Intervals, where there are some.
    pub bounds: Option<Bounds>,
    /// What else should be known.
    pub note: Option<String>,
    /// Between which curves this one lies, if runs are undecided.
    pub open: Option<Open>,
}

/// Curves with the undecided runs as either.
#[derive(Debug, Clone, PartialEq)]
pub struct Open {
    /// How many are undecided.
    pub runs: usize,
    /// Theta and beta if none of them reached the state; absent if that has no curve.
    pub if_not_reached: Option<[f64; 2]>,
    /// The same if all of them did.
    pub if_reached: Option<[f64; 2]>,
}

/// Fits the curves of all combinations.
pub fn curves(plan: &Plan, settings: &Fragility, known: &Known) -> Vec<Curves> {
    let of_group = |group: usize| {
        let mut curves = vec![curve(plan, settings, known, group, None)];
        for damage in &settings.damage {
            curves.push(curve(plan, settings, known, group, Some(damage)));
        }
        Curves {
            keys: plan.campaign.vary.iter().map(|v| v.key.clone()).collect(),
            values: plan.group(group),
            intensity: match settings.intensity {
                Intensity::Pga => "pga, m/s²".to_owned(),
                Intensity::Pgv => "pgv, m/s".to_owned(),
                Intensity::Sa { period } => format!("sa({period} s), m/s²"),
            },
            curves,
        }
    };
    (0..plan.groups()).map(of_group).collect()
}

/// What is asked of a run: whether a state was reached, and what an undecided one counts as.
#[derive(Clone, Copy)]
struct Ask<'a> {
    /// Of damage; absent: collapse.
    damage: Option<&'a Damage>,
    /// Nothing: undecided runs are left out.
    undecided: Option<bool>,
}

impl Ask<'_> {
    /// Whether the state was reached; nothing if the run does not say.
    fn reached(&self, outcome: &Outcome) -> Option<bool> {
        let exceeded = self.damage.map(|damage| {
            let measure = outcome.measure(damage.measure.column());
            (
                measure.is_some_and(|value| value > damage.threshold),
                damage,
            )
        });
        match (outcome.collapsed, exceeded) {
            // What came down is damaged, whatever was measured before.
            (Some(collapsed), exceeded) => Some(collapsed || exceeded.is_some_and(|(e, _)| e)),
            // What has been exceeded stays so, whatever comes after the end; displacements that remain may still change.
            (None, Some((true, damage)))
                if outcome.is_undecided()
                    && damage.measure != DamageMeasure::ResidualDisplacement =>
            {
                Some(true)
            }
            (None, _) => self.undecided.filter(|_| outcome.is_undecided()),
        }
    }
}

/// The curve of a state of a group, with those that bound it if runs are undecided.
fn curve(
    plan: &Plan,
    settings: &Fragility,
    known: &Known,
    group: usize,
    damage: Option<&Damage>,
) -> Curve {
    let of = |undecided: Option<bool>| {
        let ask = Ask { damage, undecided };
        fitted(plan, settings, known, group, ask)
    };
    let mut curve = of(None);
    let size = settings.intensities.len().max(1) * plan.suite().len();
    let runs = known.range(group * size..(group + 1) * size);
    let ask = Ask {
        damage,
        undecided: None,
    };
    let open = runs.filter(|(_, run)| run.is_undecided() && ask.reached(run).is_none());
    let open = open.count();
    if open > 0 {
        let pair = |fit: Result<Fit, String>| fit.ok().map(|fit| [fit.theta, fit.beta]);
        let bounds = Open {
            runs: open,
            if_not_reached: pair(of(Some(false)).fit),
            if_reached: pair(of(Some(true)).fit),
        };
        let notes = curve.note.take().into_iter().chain([bounds.told()]);
        curve.note = Some(notes.collect::<Vec<_>>().join("; "));
        curve.open = Some(bounds);
    }
    curve
}

impl Open {
    fn told(&self) -> String {
        let theta = |pair: &Option<[f64; 2]>| match pair {
            Some([theta, _]) => format!("theta {theta:.4}"),
            None => "no curve".to_owned(),
        };
        format!(
            "{} undecided {} left out: {} if all of them reached the state, {} if none did",
            self.runs,
            if self.runs == 1 { "run is" } else { "runs are" },
            theta(&self.if_reached),
            theta(&self.if_not_reached)
        )
    }
}

fn fitted(plan: &Plan, settings: &Fragility, known: &Known, group: usize, ask: Ask<'_>) -> Curve {
    let damage = ask.damage;
    let steps = settings.intensities.len().max(1);
    let motions = plan.suite().len();
    let at = |motion: usize, step: usize| {
        let index = (group * motions + motion) * steps + step;
        known.get(&index)
    };
    let (stripes, capacities) = match settings.method {
        Method::Stripes => (stripes(settings, motions, ask, at), None),
        Method::Incremental => {
            let found: Vec<Capacity> = (0..motions)
                .map(|motion| capacity(settings, ask, |step| at(motion, step)))
                .collect();
            (counted(settings, &found), Some(found))
        }
        Method::Cloud => {
            let each = (0..motions).filter_map(|motion| {
                let outcome = at(motion, 0)?;
                Some(Stripe {
                    intensity: outcome.measure("intensity")?,
                    runs: 1.0,
                    collapses: f64::from(u8::from(ask.reached(outcome)?)),
                })
            });
            let mut list: Vec<Stripe> = each.collect();
            list.sort_by(|a, b| a.intensity.total_cmp(&b.intensity));
            (list, None)
        }
    };
    let fit: Result<Fit, FitFault> = match &capacities {
        Some(capacities) => fit_capacities(capacities),
        None => fit_stripes(&stripes),
    };
    let level = settings.confidence;
    let mut note = None;
    let bounds = fit.as_ref().ok().and_then(|fit| {
        match (settings.intervals, &capacities) {
            (Intervals::Bootstrap, None) => {
                let drawn = fit.bootstrap(&stripes, level, REPETITIONS, 1);
                if drawn.without_curve > 0 {
                    note = Some(format!(
                        "{} of {} random outcomes had no curve, and the intervals are too short by their share",
                        drawn.without_curve, drawn.repetitions
                    ));
                }
                Some(drawn.intervals)
            }
            (_, Some(capacities)) => fit.profile(capacities, level).ok(),
            (Intervals::Profile, None) => fit.profile_of_stripes(&stripes, level).ok(),
        }
    });
    let mut fit = fit.map_err(|fault| fault.to_string());
    if let (Method::Cloud, Some(damage)) = (settings.method, damage)
        && let Some(told) = regressed(damage, (0..motions).filter_map(|motion| at(motion, 0)))
    {
        note = Some(told);
    }
    if stripes.is_empty() {
        fit = Err("no run has an answer".to_owned());
    }
    Curve {
        state: damage
            .map_or("collapse", |damage| damage.name.as_str())
            .to_owned(),
        stripes,
        fit,
        bounds,
        note,
        open: None,
    }
}

fn stripes<'k>(
    settings: &Fragility,
    motions: usize,
    ask: Ask<'_>,
    at: impl Fn(usize, usize) -> Option<&'k Outcome>,
) -> Vec<Stripe> {
    let stripe = |(step, intensity): (usize, &f64)| {
        let verdicts: Vec<bool> = (0..motions)
            .filter_map(|motion| ask.reached(at(motion, step)?))
            .collect();
        Stripe {
            intensity: *intensity,
            runs: verdicts.len() as f64,
            collapses: verdicts.iter().filter(|verdict| **verdict).count() as f64,
        }
    };
    let all = settings.intensities.iter().enumerate().map(stripe);
    all.filter(|stripe| stripe.runs > 0.0).collect()
}

/// What the runs of one motion say: the first intensity at which the state is reached, and the last before it at which it is not.
fn capacity<'k>(
    settings: &Fragility,
    ask: Ask<'_>,
    at: impl Fn(usize) -> Option<&'k Outcome>,
) -> Capacity {
    let mut found = Capacity {
        withstood: 0.0,
        collapsed: f64::INFINITY,
        weight: 1.0,
    };
    for (step, &intensity) in settings.intensities.iter().enumerate() {
        match at(step).and_then(|outcome| ask.reached(outcome)) {
            Some(true) => {
                found.collapsed = intensity;
                break;
            }
            Some(false) => found.withstood = intensity,
            None => {}
        }
    }
    found
}

/// Capacities as counts by intensity, for pictures.
fn counted(settings: &Fragility, capacities: &[Capacity]) -> Vec<Stripe> {
    let stripe = |intensity: &f64| {
        let down = capacities.iter().filter(|c| c.collapsed <= *intensity);
        let up = capacities.iter().filter(|c| c.withstood >= *intensity);
        let (down, up) = (down.count() as f64, up.count() as f64);
        Stripe {
            intensity: *intensity,
            runs: up + down,
            collapses: down,
        }
    };
    let all = settings.intensities.iter().map(stripe);
    all.filter(|stripe| stripe.runs > 0.0).collect()
}

/// What the usual regression of the logarithm of a measure says beside the fit to verdicts.
fn regressed<'k>(damage: &Damage, runs: impl Iterator<Item = &'k Outcome>) -> Option<String> {
    let pairs: Vec<[f64; 2]> = runs
        .filter(|run| run.collapsed == Some(false))
        .filter_map(|run| {
            Some([
                run.measure("intensity")?,
                run.measure(damage.measure.column())?,
            ])
        })
        .filter(|pair| pair.iter().all(|value| *value > 0.0))
        .collect();
    let [theta, beta] = cloud(&pairs)?.curve(damage.threshold)?;
    Some(format!(
        "regression over the {} motions without collapse: theta {theta:.4}, beta {beta:.4}",
        pairs.len()
    ))
}

fn told(interval: Option<Interval>) -> Value {
    interval.map_or(Value::Null, |interval| json!([interval.low, interval.high]))
}

impl Curves {
    /// For `summary.json`.
    pub fn json(&self) -> Value {
        let named = self
            .keys
            .iter()
            .cloned()
            .zip(self.values.iter().map(json_of));
        json!({
            "values": Value::Object(named.collect()),
            "intensity": self.intensity,
            "curves": self.curves.iter().map(Curve::json).collect::<Vec<_>>(),
        })
    }

    /// The curve of collapse in a few words.
    fn collapse(&self) -> String {
        match self.curves.first().map(|curve| &curve.fit) {
            Some(Ok(fit)) => format!("theta {:.4}, beta {:.4}", fit.theta, fit.beta),
            Some(Err(reason)) => format!("no curve: {reason}"),
            None => String::new(),
        }
    }
}

/// The curves of collapse in one line, combination by combination.
pub fn headline(all: &[Curves]) -> String {
    let Some(first) = all.first() else {
        return String::new();
    };
    let fitted = |set: &Curves| set.curves.first().is_some_and(|curve| curve.fit.is_ok());
    if let [only] = all {
        return match fitted(only) {
            true => format!("collapse: {} ({})", only.collapse(), only.intensity),
            false => only.collapse(),
        };
    }
    let shown = all.iter().take(SPOKEN).map(|set| {
        let label = combination(&set.keys, &set.values);
        format!("{label}: {}", set.collapse())
    });
    let mut text = shown.collect::<Vec<_>>().join("; ");
    if all.len() > SPOKEN {
        text.push_str(&format!("; and {} more", all.len() - SPOKEN));
    }
    format!("collapse ({}), {text}", first.intensity)
}

impl Curve {
    fn json(&self) -> Value {
        let stripes: Vec<Value> = self
            .stripes
            .iter()
            .map(|s| json!({ "intensity": s.intensity, "runs": s.runs, "reached": s.collapses }))
            .collect();
        let mut value = json!({ "state": self.state, "stripes": stripes });
        match &self.fit {
            Ok(fit) => {
                value["theta"] = json!(fit.theta);
                value["beta"] = json!(fit.beta);
                value["log_likelihood"] = json!(fit.log_likelihood);
                // With it anybody can draw the band of the report.
                value["covariance"] = json!(fit.covariance);
                value["theta_interval"] = told(self.bounds.map(|bounds| bounds.theta));
                value["beta_interval"] = told(self.bounds.map(|bounds| bounds.beta));
            }
            Err(reason) => value["no_curve"] = json!(reason),
        }
        if let Some(note) = &self.note {
            value["note"] = json!(note);
        }
        if let Some(open) = &self.open {
            let told = |pair: &Option<[f64; 2]>| match pair {
                Some([theta, beta]) => json!({ "theta": theta, "beta": beta }),
                None => Value::Null,
            };
            value["undecided"] = json!({
                "runs": open.runs,
                "if_reached": told(&open.if_reached),
                "if_not_reached": told(&open.if_not_reached),
            });
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(collapsed: Option<bool>, status: &str, displacement: f64) -> Outcome {
        Outcome {
            status: status.to_owned(),
            collapsed,
            measures: vec![
                ("largest_displacement".to_owned(), displacement),
                ("residual_displacement".to_owned(), displacement),
            ],
            failure: None,
            notes: Vec::new(),
            seconds: 0.0,
        }
    }

    fn damage(measure: DamageMeasure) -> Damage {
        Damage {
            measure,
            threshold: 0.1,
            name: "moved".to_owned(),
        }
    }

    #[test]
    fn undecided_runs_are_left_out_unless_they_have_said_enough() {
        let open = run(None, "undecided", 0.2);
        let failed = run(None, "failed", 0.2);
        for undecided in [None, Some(true), Some(false)] {
            let ask = Ask {
                damage: None,
                undecided,
            };
            assert_eq!(ask.reached(&open), undecided);
            assert_eq!(ask.reached(&failed), None);
            assert_eq!(ask.reached(&run(Some(true), "collapsed", 0.0)), Some(true));
            let largest = damage(DamageMeasure::LargestDisplacement);
            let ask = Ask {
                damage: Some(&largest),
                undecided,
            };
            assert_eq!(
                ask.reached(&open),
                Some(true),
                "it has moved, whatever comes"
            );
            assert_eq!(ask.reached(&run(None, "undecided", 0.05)), undecided);
            let residual = damage(DamageMeasure::ResidualDisplacement);
            let ask = Ask {
                damage: Some(&residual),
                undecided,
            };
            assert_eq!(ask.reached(&open), undecided, "it may move back");
            assert_eq!(ask.reached(&failed), None);
        }
    }
}
