//! The plots of a time history.

use super::{Curve, Series, plot};

/// Curves that belong into one plot.
#[derive(Debug, Clone)]
pub struct Figure {
    /// With the unit.
    pub title: &'static str,
    /// Of all curves.
    pub unit: &'static str,
    /// s.
    pub time: Vec<f64>,
    /// What is drawn.
    pub curves: Vec<Curve>,
}

impl Figure {
    /// The plot.
    pub fn svg(&self) -> String {
        plot(&self.time, &self.curves, self.unit)
    }
}

/// The plots of a history and of how well its steps were solved, as far as there is something to see; `weight` is that of the free blocks, N.
pub fn figures(history: &Series, diagnostics: &Series, weight: f64) -> Vec<Figure> {
    let mut all = Vec::new();
    let mut push = |title, unit, series: &Series, curves: Vec<Curve>| {
        if !curves.is_empty() {
            all.push(Figure {
                title,
                unit,
                time: series.time.clone(),
                curves,
            });
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
