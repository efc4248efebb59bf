//! Failure domains: where on a plane of two values the structure comes down.

use drystone_geometry::convex_hull;
use drystone_model::{FailureDomain, Varied, VaryValue};
use serde_json::{Value, json};

use crate::collect::combination;
use crate::folder::Folder;
use crate::outcome::Outcome;
use crate::plan::directions;
use crate::run::execute;
use crate::study::{Known, refined, verdict};

/// What is known of a point of the plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It was run, and stood.
    Stood,
    /// It was run, and came down.
    Collapsed,
    /// It was run, and ended without a verdict.
    Undecided,
    /// It was run without an answer.
    Failed,
    /// It was not run; runs about it stood.
    Safe,
    /// It was not run; runs about it came down.
    Lost,
    /// Nothing yet.
    Unknown,
}

impl State {
    /// What a run came to.
    fn of(run: &Outcome) -> Self {
        match run.collapsed {
            Some(true) => Self::Collapsed,
            Some(false) => Self::Stood,
            None if run.is_undecided() => Self::Undecided,
            None => Self::Failed,
        }
    }

    fn is_down(self) -> bool {
        matches!(self, Self::Collapsed | Self::Lost)
    }

    fn stands(self) -> bool {
        matches!(self, Self::Stood | Self::Safe)
    }
}

/// Where the first collapse along `y` lies at one `x`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bracket {
    /// First value.
    pub x: f64,
    /// Last second value before the first collapse; absent if the first one is a collapse.
    pub stands: Option<f64>,
    /// First second value with a collapse; absent if there is none.
    pub collapses: Option<f64>,
}

/// The domain of one combination of values in one direction.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Number of the combination.
    pub group: usize,
    /// Its values.
    pub values: Vec<VaryValue>,
    /// The sign of `y` is turned.
    pub opposite: bool,
    /// Per point, `y` changing fastest.
    pub states: Vec<State>,
    /// Per `x`.
    pub boundary: Vec<Bracket>,
}

/// Failure domains of all combinations.
#[derive(Debug, Clone, PartialEq)]
pub struct Domain {
    /// What `x` is.
    pub x_key: String,
    /// What `y` is.
    pub y_key: String,
    /// Values of `x`.
    pub x: Vec<f64>,
    /// Values of `y`, whose sign is turned in the opposite direction.
    pub y: Vec<f64>,
    /// What else varies.
    pub keys: Vec<String>,
    /// Combination by combination, the direction of `y` first.
    pub curves: Vec<Curve>,
    /// Convex hull of all collapses in both directions, per combination: outside of it is safe.
    pub hulls: Vec<Vec<[f64; 2]>>,
    /// Convex hull of all collapses of all combinations: outside of it every one of them is safe.
    pub hull: Vec<[f64; 2]>,
    /// Boundary of the rocking equation per combination, if it is asked for.
    pub rocking: Vec<Vec<Bracket>>,
    /// Static capacity per curve, if it is asked for: the limit multiplier times gravity, m/s², in the opposite direction that of the body force turned round.
    pub limit: Vec<Option<f64>>,
}

/// Puts the results together, and makes the few runs that are drawn along.
pub fn domain(folder: &Folder, settings: &FailureDomain, known: &Known) -> Domain {
    let plan = &folder.plan;
    let numbers = |varied: &Varied| -> Vec<f64> {
        let values = varied.points.values();
        values.iter().filter_map(VaryValue::number).collect()
    };
    let (x, y) = (numbers(&settings.x), numbers(&settings.y));
    let size = x.len() * y.len();
    let mut curves = Vec::new();
    for curve in 0..plan.groups() * directions(settings) {
        let states = states(settings, known, curve * size, size);
        let group = curve / directions(settings);
        curves.push(Curve {
            group,
            values: plan.group(group),
            opposite: curve % directions(settings) == 1,
            boundary: boundary(&x, &y, |i, j| states[i * y.len() + j]),
            states,
        });
    }
    let hull = |chosen: &dyn Fn(&Curve) -> bool| {
        let mut points = Vec::new();
        for curve in curves.iter().filter(|curve| chosen(curve)) {
            for (at, state) in curve.states.iter().enumerate() {
                if state.is_down() {
                    points.push([x[at / y.len()], y[at % y.len()]]);
                }
            }
        }
        convex_hull(&points)
    };
    let hulls = (0..plan.groups())
        .map(|group| hull(&|curve| curve.group == group))
        .collect();
    let overall = hull(&|_| true);
    let limit = |curve: &Curve| {
        let name = settings.limit.as_deref()?;
        let mut values = curve.values.clone();
        values.extend([
            settings.x.points.values().first()?.clone(),
            settings.y.points.values().first()?.clone(),
        ]);
        let mut task = plan.task_of(name, &values, None);
        if curve.opposite && !turned(&mut task.model) {
            return None;
        }
        let outcome = execute(&task, folder.path(), &|| false)?;
        // What the solver missed is no capacity.
        let multiplier = outcome.measure("multiplier")?;
        outcome
            .failure
            .is_none()
            .then_some(multiplier * folder.model.gravity)
    };
    Domain {
        x_key: settings.x.key.clone(),
        y_key: settings.y.key.clone(),
        keys: plan.campaign.vary.iter().map(|v| v.key.clone()).collect(),
        rocking: settings.rocking.as_deref().map_or(Vec::new(), |name| {
            let of = |group| rocking(folder, name, group, &x, &y);
            (0..plan.groups()).map(of).collect()
        }),
        hull: overall,
        limit: curves.iter().map(limit).collect(),
        x,
        y,
        curves,
        hulls,
    }
}

fn states(settings: &FailureDomain, known: &Known, first: usize, size: usize) -> Vec<State> {
    let of_run = |cell: usize| match known.get(&(first + cell)) {
        Some(run) => State::of(run),
        None => State::Unknown,
    };
    let mut states: Vec<State> = (0..size).map(of_run).collect();
    if settings.refine {
        let (mut grid, cells) = refined(settings, |cell| verdict(known, first + cell));
        // Only a boundary that is known says something about the points beside it.
        if cells.iter().all(|&cell| states[cell] != State::Unknown) && grid.wanted().is_empty() {
            for (state, nearest) in states.iter_mut().zip(grid.all()) {
                *state = match (*state, nearest) {
                    (State::Unknown, Some(true)) => State::Lost,
                    (State::Unknown, Some(false)) => State::Safe,
                    (own, _) => own,
                };
            }
        }
    }
    states
}

fn boundary(x: &[f64], y: &[f64], state: impl Fn(usize, usize) -> State) -> Vec<Bracket> {
    let at = |i: usize| {
        let first = (0..y.len()).find(|&j| state(i, j).is_down());
        let below = first.unwrap_or(y.len());
        let last = (0..below).rev().find(|&j| state(i, j).stands());
        Bracket {
            x: x[i],
            stands: last.map(|j| y[j]),
            collapses: first.map(|j| y[j]),
        }
    };
    (0..x.len()).map(at).collect()
}

/// The boundary of the rocking equation with the values of a combination. It takes milliseconds where contact dynamics take minutes.
fn rocking(folder: &Folder, name: &str, group: usize, x: &[f64], y: &[f64]) -> Vec<Bracket> {
    let overturns = |i: usize, j: usize| {
        let mut values = folder.plan.group(group);
        values.extend([VaryValue::Number(x[i]), VaryValue::Number(y[j])]);
        let task = folder.plan.task_of(name, &values, None);
        match execute(&task, folder.path(), &|| false) {
            Some(outcome) => State::of(&outcome),
            None => State::Unknown,
        }
    };
    boundary(x, y, overturns)
}

/// Turns the only analysis of a model as written, a limit analysis, round. A limit over all directions is the same both ways; that of live loads is not known
/// the other way, as they do not follow the ground.
fn turned(model: &mut Value) -> bool {
    let analysis = &mut model["analysis"][0];
    let has = |key: &str| analysis.get(key).is_some_and(|value| !value.is_null());
    if has("loads") || has("settlement") {
        return false;
    }
    for key in ["direction", "tilt"] {
        let vector = analysis.get_mut(key).and_then(Value::as_array_mut);
        for component in vector.into_iter().flatten() {
            let Some(number) = component.as_f64() else {
                return false;
            };
            *component = Value::from(-number);
        }
    }
    true
}

impl Curve {
    /// What tells it from the others.
    pub fn label(&self, keys: &[String]) -> String {
        let mut label = combination(keys, &self.values);
        if self.opposite {
            if !label.is_empty() {
                label.push_str(", ");
            }
            label.push_str("opposite direction");
        }
        label
    }
}

fn told(brackets: &[Bracket]) -> Value {
    let tell = |b: &Bracket| json!({ "x": b.x, "stands": b.stands, "collapses": b.collapses });
    brackets.iter().map(tell).collect()
}

impl Domain {
    /// For `summary.json`.
    pub fn json(&self) -> Value {
        let named = |curve: &Curve| {
            let keys = self.keys.iter().cloned();
            Value::Object(keys.zip(curve.values.iter().map(json_of)).collect())
        };
        let curves: Vec<Value> = self
            .curves
            .iter()
            .zip(&self.limit)
            .map(|(curve, limit)| {
                let mut value = json!({
                    "values": named(curve),
                    "direction": if curve.opposite { -1 } else { 1 },
                    "boundary": told(&curve.boundary),
                    "undecided": self.points(curve, State::Undecided),
                    "static_capacity": limit,
                });
                if let Some(rocking) = self.rocking.get(curve.group) {
                    value["rocking"] = told(rocking);
                }
                value
            })
            .collect();
        let first = self.curves.iter().filter(|curve| !curve.opposite);
        let hulls: Vec<Value> = first
            .zip(&self.hulls)
            .map(|(curve, hull)| json!({ "values": named(curve), "hull": hull }))
            .collect();
        let mut value = json!({
            "x": { "key": self.x_key, "values": self.x },
            "y": { "key": self.y_key, "values": self.y },
            "curves": curves,
            "hull": self.hull,
            "hulls": hulls,
        });
        match &self.rocking[..] {
            [] => {}
            [only] => value["rocking"] = told(only),
            // Every curve has its own.
            _ => value["rocking"] = Value::Null,
        }
        value
    }

    /// Points of a curve in one state.
    fn points(&self, curve: &Curve, wanted: State) -> Vec<[f64; 2]> {
        let cells = curve.states.iter().enumerate();
        let found = cells.filter(|(_, state)| **state == wanted);
        found
            .map(|(at, _)| [self.x[at / self.y.len()], self.y[at % self.y.len()]])
            .collect()
    }

    /// The least value at which anything comes down.
    pub fn headline(&self) -> String {
        let least = self
            .curves
            .iter()
            .flat_map(|curve| curve.boundary.iter().map(move |bracket| (curve, bracket)))
            .filter_map(|(curve, bracket)| Some((bracket.collapses?, bracket.x, curve)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        match least {
            Some((y, x, curve)) => {
                let label = combination(&self.keys, &curve.values);
                format!(
                    "least {} with a collapse {y:.4}, at {} {x:.4}{}{label}",
                    self.y_key,
                    self.x_key,
                    if label.is_empty() { "" } else { " with " },
                )
            }
            None => "no collapse".to_owned(),
        }
    }
}

/// A value as JSON.
pub(crate) fn json_of(value: &VaryValue) -> Value {
    match value {
        VaryValue::Number(number) => Value::from(*number),
        VaryValue::Text(text) => Value::from(text.as_str()),
        VaryValue::Flag(flag) => Value::from(*flag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_is_the_first_collapse() {
        use State::{Collapsed, Failed, Lost, Safe, Stood, Undecided, Unknown};
        let states = [
            [Stood, Safe, Collapsed, Stood],
            [Collapsed, Stood, Stood, Stood],
            [Stood, Failed, Unknown, Lost],
            [Stood, Stood, Stood, Stood],
            [Stood, Undecided, Undecided, Collapsed],
        ];
        let x = [0.1, 0.2, 0.3, 0.4, 0.5];
        let y = [1.0, 2.0, 3.0, 4.0];
        let found = boundary(&x, &y, |i, j| states[i][j]);
        let pairs: Vec<_> = found.iter().map(|b| (b.stands, b.collapses)).collect();
        assert_eq!(
            pairs,
            [
                (Some(2.0), Some(3.0)),
                (None, Some(1.0)),
                (Some(1.0), Some(4.0)),
                (Some(4.0), None),
                (Some(1.0), Some(4.0))
            ]
        );
    }

    /// A point that failed is neither up nor down, and colours no neighbour.
    #[test]
    fn failures_and_open_verdicts_colour_no_neighbours() {
        let axis = |key: &str| Varied {
            key: key.to_owned(),
            points: drystone_model::Points::Values(
                (1..=17).map(|k| VaryValue::Number(f64::from(k))).collect(),
            ),
        };
        let settings = FailureDomain {
            x: axis("x"),
            y: axis("y"),
            both_directions: false,
            after_motion: None,
            refine: true,
            rocking: None,
            limit: None,
        };
        let outcome = |collapsed: Option<bool>| {
            let mut outcome = crate::Outcome::failed("x");
            outcome.collapsed = collapsed;
            outcome
        };
        // What collapses lies above y = 11; two coarse points in the middle of what stands have no verdict.
        let (lost, open) = (8 * 17 + 4, 4 * 17 + 4);
        let down = |cell: usize| cell % 17 > 10;
        let mut known = Known::new();
        loop {
            let (_, cells) = refined(&settings, |cell| verdict(&known, cell));
            let new: Vec<usize> = cells
                .into_iter()
                .filter(|cell| !known.contains_key(cell))
                .collect();
            if new.is_empty() {
                break;
            }
            for cell in new {
                let told = cell != lost && cell != open;
                let mut run = outcome(told.then(|| down(cell)));
                if cell == open {
                    run.status = "undecided".to_owned();
                }
                known.insert(cell, run);
            }
        }
        assert!(known.len() < 17 * 17);
        for (cell, state) in states(&settings, &known, 0, 17 * 17).iter().enumerate() {
            if cell == lost {
                assert_eq!(*state, State::Failed);
            } else if cell == open {
                assert_eq!(*state, State::Undecided);
            } else {
                assert_eq!((state.is_down(), state.stands()), (down(cell), !down(cell)));
            }
        }
    }
}
