//! The assessment as a text that can stand in an engineer's report: every step with formula, numbers and clause.

use std::fmt::Write as _;

use drystone_model::{Assessment, CapacitySource, CodeShape, Scaling};

use super::{AssessmentResult, Check, Demand, LimitState, Method, states};

/// What the text is made of.
struct Text<'a> {
    /// Name of the model.
    model: &'a str,
    /// Name of the analysis.
    analysis: &'a str,
    /// One sentence: the verdict.
    headline: &'a str,
    settings: &'a Assessment,
    result: &'a AssessmentResult,
}

/// The assessment as Markdown.
pub(super) fn text(
    model: &str,
    analysis: &str,
    headline: &str,
    settings: &Assessment,
    result: &AssessmentResult,
) -> String {
    let text = Text {
        model,
        analysis,
        headline,
        settings,
        result,
    };
    text.whole()
}

/// For headings and legends.
pub fn state_name(state: LimitState) -> &'static str {
    match state {
        LimitState::Damage => "damage (DLS)",
        LimitState::LifeSafety => "life safety (LSLS)",
    }
}

fn index(check: &Check) -> String {
    match check.index {
        Some(index) => format!("{index:.3}"),
        None => "more than 100".to_owned(),
    }
}

impl Text<'_> {
    /// Steps with formula, numbers and clause, as Markdown.
    fn whole(&self) -> String {
        let mut text = format!(
            "# {}: {}\n\n{}\n\n",
            self.model, self.analysis, self.headline
        );
        self.verdict(&mut text);
        self.capacity(&mut text);
        let states: Vec<LimitState> = states(self.settings).map(|(state, _)| state).collect();
        for (k, state) in states.iter().enumerate() {
            self.demand(&mut text, *state, k + 3);
        }
        text.push_str(
            "\nThe verdict holds for this mechanism, this curve and these parameters alone; mechanisms that the model cannot form are not checked.\n",
        );
        text
    }

    fn verdict(&self, text: &mut String) {
        text.push_str("## 1. Safety indices\n\n`zeta_E = a_g capacity / a_g demand` (NTC 2018, 8.3)\n\n| limit state | method | capacity | demand | a_g capacity, g | a_g demand, g | zeta_E |\n|---|---|---|---|---|---|---|\n");
        let g = self.settings.gravity;
        for check in &self.result.checks {
            let (method, values) = match check.method {
                Method::Force => (
                    "forces",
                    [check.capacity, check.demand].map(|a| format!("{:.4} g", a / g)),
                ),
                Method::Displacement => (
                    "displacements",
                    [check.capacity, check.demand].map(|d| format!("{:.1} mm", 1e3 * d)),
                ),
            };
            let [capacity, demand] = values;
            let found = match check.ag_capacity {
                Some(ag) => format!("{:.4}", ag / g),
                None => "-".to_owned(),
            };
            let _ = writeln!(
                text,
                "| {} | {method} | {capacity} | {demand} | {found} | {:.4} | **{}** |",
                state_name(check.state),
                check.ag_demand / g,
                index(check)
            );
        }
        text.push('\n');
    }

    fn capacity(&self, text: &mut String) {
        let (capacity, found) = (&self.result.capacity, &self.result.oscillator);
        let (g, cf) = (self.settings.gravity, self.settings.confidence_factor);
        let source = match &self.settings.capacity {
            CapacitySource::Given(_) => "given in the model file".to_owned(),
            CapacitySource::Pushover(name) => format!("pushover analysis \"{name}\""),
        };
        let mm = |x: f64| 1e3 * x;
        let known = capacity.displacements.as_ref();
        let _ = write!(
            text,
            "## 2. Capacity of the equivalent oscillator (Circolare 2019, C8.7.1.2)\n\n\
             Pushover curve: {source}.\n\n\
             * onset of the mechanism `alpha_0 = {:.4}`\n",
            capacity.alpha_0
        );
        if let Some(known) = known {
            if known.d_y > 0.0 {
                let _ = writeln!(
                    text,
                    "* peak, where the elastic branch meets the falling one: `alpha_y = {:.4}`, the control point at `d_y = {:.1} mm`",
                    known.alpha_y,
                    mm(known.d_y)
                );
            }
            let end = match (known.d_0, known.d_ultimate) {
                (Some(d_0), _) => Some(("the multiplier is zero", "d_0", d_0)),
                (None, Some(d_u)) => Some(("the last point in equilibrium is", "d_u", d_u)),
                (None, None) => None,
            };
            if let Some((what, symbol, d)) = end {
                let _ = writeln!(
                    text,
                    "* {what} with the control point at `{symbol} = {:.1} mm`",
                    mm(d)
                );
            }
        }
        let _ = write!(
            text,
            "\nParticipating mass: `e* = (sum P d)² / (sum P sum P d²) = {:.3}`; ",
            capacity.participation
        );
        if let Some(known) = known {
            let _ = write!(
                text,
                "transformation of displacements: `Gamma* = sum P d² / (d_C sum P d) = {:.3}`; ",
                known.gamma
            );
        }
        let _ = writeln!(
            text,
            "confidence factor `CF = {cf}`; `g = {g} m/s²`.\n\n\
             * `a_0* = alpha_0 g / (e* CF) = {:.4} / ({:.3} x {cf}) g = {:.4} g`",
            capacity.alpha_0,
            capacity.participation,
            found.onset / g,
        );
        match &found.peak {
            Some(peak) => {
                let _ = writeln!(
                    text,
                    "* `a_y* = alpha_y g / (e* CF) = {:.4} g`, `d_y* = Gamma* d_y = {:.1} mm`\n\
                     * `T_0 = 2 pi sqrt(d_y* / a_y*) = {:.3} s`",
                    peak.acceleration / g,
                    mm(peak.displacement),
                    peak.period
                );
            }
            None if self.settings.damage.is_some() => text.push_str(
                "* no elastic branch is known, so no `d_y*`: damage is checked by forces alone\n",
            ),
            None => {}
        }
        match &found.life {
            Some(life) => {
                let end = match known.and_then(|known| known.d_0) {
                    Some(_) => "d_0",
                    None => "d_u",
                };
                let _ = writeln!(
                    text,
                    "* `{end}* = Gamma* {end} = {:.1} mm`\n\
                     * life safety: `d_LSLS* = 0.4 {end}* = {:.1} mm`, `a*(d_LSLS*) = {:.4} g`, `T_LSLS = 1.68 pi sqrt(d_LSLS* / a*) = {:.3} s`{}",
                    mm(life.last_displacement),
                    mm(life.displacement),
                    life.acceleration / g,
                    life.period,
                    if known.is_some_and(|known| known.period_life_safety.is_some()) {
                        " (the period is given; `a*` follows from it)"
                    } else {
                        ""
                    },
                );
            }
            None if self.settings.life_safety.is_some() => text.push_str(
                "* the displacement `d_0` at which the multiplier is zero is not known, nor any other end of the curve: life safety is checked by forces alone\n",
            ),
            None => {}
        }
        text.push('\n');
    }

    fn demand(&self, text: &mut String, state: LimitState, number: usize) {
        let Some((_, hazard)) = states(self.settings).find(|(other, _)| *other == state) else {
            return;
        };
        let g = self.settings.gravity;
        let corners = Demand::new(self.settings, hazard).corners(hazard.ag);
        let (clause, site) = match hazard.code {
            CodeShape::Ntc2018 {
                f0,
                tc_star,
                topography,
            } => (
                "NTC 2018, 3.2.3.2.1",
                format!("`F_0 = {f0}`, `T_C* = {tc_star} s`, `S_T = {topography}`"),
            ),
            CodeShape::Eurocode8 { kind } => (
                "EN 1998-1, 3.2.2.2",
                format!(
                    "spectrum of type {}",
                    match kind {
                        drystone_model::Eurocode8Type::One => 1,
                        drystone_model::Eurocode8Type::Two => 2,
                    }
                ),
            ),
        };
        let _ = write!(
            text,
            "## {number}. Limit state of {}\n\n\
             Elastic spectrum ({clause}): `a_g = {:.4} g`, {site}, soil {:?}, `S = {:.3}`{}, damping {} %, `eta = sqrt(10 / (5 + xi)) = {:.3}`, \
             `T_B = {:.3} s`, `T_C = {:.3} s`, `T_D = {:.3} s`.\n",
            state_name(state),
            hazard.ag / g,
            self.settings.soil,
            corners.zero_period / hazard.ag,
            if self.settings.soil_factor.is_some() {
                " (given)"
            } else {
                ""
            },
            100.0 * hazard.damping,
            corners.eta,
            corners.tb,
            corners.tc,
            corners.td,
        );
        if let Some(floor) = &self.settings.floor {
            let modes: Vec<String> = floor
                .modes
                .iter()
                .map(|mode| {
                    format!(
                        "T = {:.3} s, gamma = {:.3}, psi(z) = {:.3}",
                        mode.period, mode.participation, mode.shape
                    )
                })
                .collect();
            let _ = writeln!(
                text,
                "\nThe mechanism stands on a building: spectrum of the floor (Circolare 2019, C7.2.3), building with damping {} %, modes: {}.",
                100.0 * floor.damping,
                modes.join("; ")
            );
        }
        text.push('\n');
        for check in self
            .result
            .checks
            .iter()
            .filter(|check| check.state == state)
        {
            self.step(text, check);
        }
        text.push('\n');
    }

    fn step(&self, text: &mut String, check: &Check) {
        let g = self.settings.gravity;
        let scaling = match self.settings.scaling {
            Scaling::Capacity => "soil factor and periods of that acceleration",
            Scaling::Demand => "the spectrum of the demand scaled as a whole",
        };
        let found = match check.ag_capacity {
            Some(ag) => format!("`a_g = {:.4} g`", ag / g),
            None => "no `a_g` up to a hundred times the demand".to_owned(),
        };
        let floor = self.settings.floor.is_some();
        match check.method {
            Method::Force => {
                let (formula, factor) = match check.state {
                    LimitState::Damage => ("a_0*", String::new()),
                    LimitState::LifeSafety => (
                        "q a_0*",
                        format!(", `q = {}`", self.settings.behaviour_factor),
                    ),
                };
                let demand = if floor { "a_Z(z)" } else { "a_g S" };
                let _ = writeln!(
                    text,
                    "* forces (linear kinematic analysis): `{formula} = {:.4} g`{factor}; `{demand} = {formula}` at {found} with `S = {:.3}`; `zeta_E = {}`",
                    check.capacity / g,
                    check.soil,
                    index(check)
                );
            }
            Method::Displacement => {
                let _ = writeln!(
                    text,
                    "* displacements (nonlinear kinematic analysis): capacity {:.1} mm at `T = {:.3} s`; the demand `S_De = S_e (T / 2 pi)² = {:.1} mm` grows to it at {found} ({scaling}); `zeta_E = {}`",
                    1e3 * check.capacity,
                    check.period,
                    1e3 * check.demand,
                    index(check)
                );
            }
        }
    }
}
