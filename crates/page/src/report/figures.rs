//! The plots of a time history.

use super::Series;
use crate::figure::{Axis, Chart, Content, Figure, Ink, Item, Line, extent};

/// A named curve.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    /// For the legend.
    pub label: String,
    /// One value per time.
    pub values: Vec<f64>,
}

const HEIGHT: f64 = 300.0;
/// Points per curve; more than this cannot be seen.
const MAX_POINTS: usize = 1500;

/// Curves over one another with axes that just hold them; none if there is nothing to see.
pub(super) fn curves(
    title: &str,
    along: (Axis, &[f64]),
    unit: &str,
    curves: &[Curve],
) -> Option<Figure> {
    let (axis, over) = along;
    let stride = over.len().div_ceil(MAX_POINTS).max(1);
    let line = |(number, curve): (usize, &Curve)| {
        let points = over.iter().zip(&curve.values).map(|(&t, &v)| [t, v]);
        let points = points.step_by(stride);
        Item::Line(Line::new(&curve.label, Ink::Series(number), points))
    };
    let items: Vec<Item> = curves.iter().enumerate().map(line).collect();
    let [start, end] = extent(over.iter().copied());
    let end = if end > start { end } else { start + 1.0 };
    // Of all values, also of those between the points that are kept.
    let [mut low, mut high] = extent(curves.iter().flat_map(|curve| curve.values.iter().copied()));
    if high - low < 1e-12 {
        let room = 0.5e-6_f64.max(1e-5 * low.abs());
        (low, high) = (low - room, high + room);
    }
    let chart = Chart {
        x: axis.over([start, end])?,
        y: Axis::new("", unit).over([low, high])?,
        height: HEIGHT,
        items,
        notes: Vec::new(),
    };
    Some(Figure::new(title, Content::Chart(chart)))
}

/// Curves against time.
pub(super) fn over_time(title: &str, unit: &str, time: &[f64], all: &[Curve]) -> Option<Figure> {
    curves(title, (Axis::new("time", "s"), time), unit, all)
}

/// The plots of a history and of how well its steps were solved, as far as there is something to see; `weight` is that of the free blocks, N.
pub(super) fn figures(history: &Series, diagnostics: &Series, weight: f64) -> Vec<Figure> {
    let mut all = Vec::new();
    let mut push = |title, unit, series: &Series, curves: Vec<Curve>| {
        if !curves.is_empty() {
            all.extend(over_time(title, unit, &series.time, &curves));
        }
    };
    push(
        "Energy per unit weight, m",
        "m",
        history,
        energies(history, weight),
    );
    let angle = moving(history, |name| name == "angle");
    push("Angle, rad", "rad", history, angle);
    let velocity = moving(history, |name| name == "velocity");
    push("Angular velocity, rad/s", "rad/s", history, velocity);
    let per_weight = moving(history, |name| name.ends_with("_per_weight"));
    push(
        "Energy of the block per unit weight, m",
        "m",
        history,
        per_weight,
    );
    for (suffixes, title, unit) in [
        (
            [".ux", ".uy", ".uz"],
            "Displacement of monitors relative to the ground, m",
            "m",
        ),
        ([".rx", ".ry", ".rz"], "Rotation of monitors, rad", "rad"),
    ] {
        let wanted = |name: &str| {
            !name.starts_with("ground.") && suffixes.iter().any(|suffix| name.ends_with(suffix))
        };
        push(title, unit, history, moving(history, wanted));
    }
    let ground = moving(history, |name| name.starts_with("ground."));
    push("Displacement of the ground, m", "m", history, ground);
    let imbalance = moving(diagnostics, |name| name == "imbalance");
    push(
        "Energy that contacts do not explain, J",
        "J",
        diagnostics,
        imbalance,
    );
    let residual = diagnostics.column("residual").map(|values| Curve {
        label: "residual".to_owned(),
        values: values.iter().map(|r| r.max(1e-18).log10()).collect(),
    });
    push(
        "Residual of each step, power of ten",
        "log₁₀",
        diagnostics,
        residual.into_iter().collect(),
    );
    let penetration = diagnostics.column("penetration").map(|values| Curve {
        label: "penetration".to_owned(),
        values: values.to_vec(),
    });
    push(
        "Deepest penetration, m",
        "m",
        diagnostics,
        penetration.into_iter().collect(),
    );
    all
}

fn energies(history: &Series, weight: f64) -> Vec<Curve> {
    if weight <= 0.0 {
        return Vec::new();
    }
    let mut curves = Vec::new();
    for (name, label) in [
        ("kinetic", "kinetic"),
        ("potential", "potential, change"),
        ("harvested", "harvested"),
        ("dissipated", "dissipated"),
        ("elastic", "elastic"),
    ] {
        if let Some(values) = history.column(name) {
            let start = match name {
                "potential" => values.first().copied().unwrap_or_default(),
                _ => 0.0,
            };
            curves.push(Curve {
                label: label.to_owned(),
                values: values.iter().map(|v| (v - start) / weight).collect(),
            });
        }
    }
    curves
}

/// Columns that do not stay at nought.
fn moving(series: &Series, wanted: impl Fn(&str) -> bool) -> Vec<Curve> {
    let all = series.names.iter().zip(&series.columns);
    all.filter(|(name, values)| wanted(name) && values.iter().any(|value| value.abs() > 1e-9))
        .map(|(name, values)| Curve {
            label: name.clone(),
            values: values.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_with_holes_or_without_extent_still_draw() {
        let curve = |label: &str, values: [f64; 2]| Curve {
            label: label.to_owned(),
            values: values.to_vec(),
        };
        let flat = curve("flat", [-12.345678901, -12.345678901]);
        let hole = curve("hole", [f64::NAN, 2.0]);
        for shown in [vec![flat.clone()], vec![flat, hole]] {
            let figure = over_time("t", "m", &[0.0, 1.0], &shown).unwrap();
            let svg = figure.picture().in_page();
            assert!(svg.contains("polyline") && !svg.contains("NaN"), "{svg}");
        }
        assert!(over_time("t", "m", &[], &[]).is_none());
    }
}
