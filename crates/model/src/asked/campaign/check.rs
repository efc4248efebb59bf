//! Questions that are many runs of another one.

use std::borrow::Cow;

use super::keys::*;
use super::settings::*;
use crate::asked::{AnalysisSpec, Known};
use crate::compile::Check;
use crate::decode::Broken;
use crate::fault::{Fault, Faults, Section, Trail, did_you_mean};
use crate::spec::*;
use crate::variation::Variation;

/// Most runs of one campaign: each is a row of a table in memory.
const MOST_RUNS: usize = 10_000_000;

/// The model as written with values of campaigns that have a unit, such as "0.2 g", as numbers in the unit of the key that varies.
pub(crate) fn with_units(mut spec: Cow<'_, ModelSpec>) -> Cow<'_, ModelSpec> {
    let worded = |varied: &VarySpec| {
        let mut values = varied.values.iter().flatten();
        values.any(|value| matches!(value, VaryValue::Text(_)))
    };
    let mut analyses = spec.analysis.clone();
    let mut changed = false;
    for varied in analyses
        .iter_mut()
        .flat_map(varied_of)
        .filter(|v| worded(v))
    {
        // What leads nowhere is reported with the other keys.
        let Ok(variation) = Variation::find(&spec, &[&varied.key]) else {
            continue;
        };
        for value in varied.values.iter_mut().flatten() {
            let VaryValue::Text(text) = value else {
                continue;
            };
            if let Some(number) = variation.number(0, text) {
                (*value, changed) = (VaryValue::Number(number), true);
            }
        }
    }
    if changed {
        spec.to_mut().analysis = analyses;
    }
    spec
}

/// What an analysis varies; what is no campaign varies nothing.
fn varied_of(analysis: &mut AnalysisSpec) -> Vec<&mut VarySpec> {
    match analysis {
        AnalysisSpec::Sweep(sweep) => sweep.vary.iter_mut().collect(),
        AnalysisSpec::FailureDomain(domain) => [&mut domain.x, &mut domain.y]
            .into_iter()
            .chain(&mut domain.vary)
            .collect(),
        AnalysisSpec::Fragility(fragility) => fragility.vary.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Whether the keys that campaigns vary lead anywhere. They are those of the file as written, before structures are made into blocks.
pub(crate) fn varied_keys(spec: &ModelSpec, broken: &Broken, faults: &mut Faults) {
    if !spec.analysis.iter().any(AnalysisSpec::is_campaign) {
        return;
    }
    let Ok(tree) = serde_json::to_value(spec) else {
        return;
    };
    // What changes in one analysis so far: a place with the key that leads to it.
    let mut taken: Vec<(String, String)> = Vec::new();
    let mut look = |varied: &VarySpec, trail: Trail<'_>, taken: &mut Vec<(String, String)>| {
        let refused = match Variation::find_in(tree.clone(), &[&varied.key]) {
            Err(fault) => Some(fault),
            Ok(variation) => {
                let places = variation.places(0);
                let found = taken.iter().find(|(place, _)| places.contains(place));
                if let Some((_, other)) = found {
                    // The last one would win, and the table would list values that were never used.
                    let fault = Fault::at(
                        trail.key("key"),
                        format!("`{}` varies already, by `{other}`", varied.key),
                    );
                    faults.push(fault.help("let only one key change a value"));
                }
                taken.extend(places.iter().map(|p| (p.clone(), varied.key.clone())));
                let number = varied.from.map(VaryValue::Number);
                let mut values = varied.values.iter().flatten().chain(&number);
                values.find_map(|value| variation.takes(0, value).err())
            }
        };
        if let Some(fault) = refused {
            faults.push(Fault::at(trail.key("key"), fault.to_string()));
        }
    };
    for (item, analysis) in spec.analysis.iter().enumerate() {
        if broken.has(Section::Analysis, item) {
            continue;
        }
        let trail = Trail::item(Section::Analysis, item, Some(analysis.name()));
        taken.clear();
        // What is no campaign varies nothing.
        let vary = match analysis {
            AnalysisSpec::Sweep(sweep) => &sweep.vary[..],
            AnalysisSpec::FailureDomain(domain) => {
                look(&domain.x, trail.key("x"), &mut taken);
                look(&domain.y, trail.key("y"), &mut taken);
                &domain.vary
            }
            AnalysisSpec::Fragility(fragility) => &fragility.vary,
            _ => &[],
        };
        let list = trail.key("vary");
        for (index, varied) in vary.iter().enumerate() {
            look(varied, list.index(index), &mut taken);
        }
    }
}

/// A sweep.
pub(in crate::asked) fn sweep(
    spec: &SweepSpec,
    model: &ModelSpec,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Campaign {
    let samples = spec.samples();
    let sampled = samples != Samples::Grid;
    let list = trail.key("vary");
    if spec.vary.is_empty() {
        check.report(
            list,
            "nothing varies",
            "give at least one entry with a `key`",
        );
    }
    let vary = varied(&spec.vary, sampled, list, check);
    if samples == Samples::Sobol && vary.len() > MOST_SOBOL {
        check.report(
            list,
            format!(
                "{} keys vary, but the sequence of Sobol is known for at most {MOST_SOBOL}",
                vary.len()
            ),
            "take samples = \"latin_hypercube\"",
        );
    }
    let count = match (sampled, spec.count) {
        (true, Some(count)) if count > 0 => count as usize,
        (true, _) => {
            check.report(
                trail.key("count"),
                "samples need a `count` of runs, at least 1",
                "a hundred suffice for most sensitivities",
            );
            1
        }
        (false, Some(_)) => {
            check.report(
                trail.key("count"),
                "a grid has as many runs as there are combinations of values",
                "leave `count` out, or choose `samples = \"latin_hypercube\"` or \"sobol\"",
            );
            1
        }
        (false, None) => combinations(&vary),
    };
    most(count, trail, check);
    Campaign {
        of: of(&spec.of, model, |_| true, trail, check),
        vary,
        question: Question::Sweep(Sweep {
            samples,
            count,
            seed: spec.seed(),
        }),
    }
}

/// A failure domain.
pub(in crate::asked) fn failure_domain(
    spec: &FailureDomainSpec,
    model: &ModelSpec,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Campaign {
    let x = one(&spec.x, false, trail.key("x"), check);
    let y = one(&spec.y, false, trail.key("y"), check);
    for (key, varied) in [("x", &x), ("y", &y)] {
        let numbers: Vec<f64> = varied
            .points
            .values()
            .iter()
            .filter_map(VaryValue::number)
            .collect();
        let rising = numbers.windows(2).all(|pair| pair[0] < pair[1]);
        if numbers.len() < varied.points.values().len() || !rising {
            check.report(
                trail.key(key),
                "the values must be numbers in ascending order",
                "",
            );
        } else if key == "y"
            && spec.both_directions
            && numbers.first().is_some_and(|first| *first <= 0.0)
        {
            check.report(
                trail.key(key),
                "with `both_directions` the values must be greater than zero",
                "the opposite ones are added to them",
            );
        }
    }
    let vary = varied(&spec.vary, false, trail.key("vary"), check);
    check.numbers(spec, trail);
    let directions = 1 + usize::from(spec.both_directions);
    let plane = x.points.values().len() * y.points.values().len();
    most(
        combinations(&vary)
            .saturating_mul(plane)
            .saturating_mul(directions),
        trail,
        check,
    );
    let along = |name: &Option<String>,
                 key: &str,
                 fits: fn(&AnalysisSpec) -> bool,
                 check: &mut Check<'_>| {
        if let Some(name) = name {
            find(
                name,
                model,
                fits,
                &format!("{key} analysis"),
                trail.key(key),
                check,
            );
        }
    };
    along(
        &spec.rocking,
        "rocking",
        |a| matches!(a, AnalysisSpec::Rocking(_)),
        check,
    );
    along(
        &spec.limit,
        "limit",
        |a| matches!(a, AnalysisSpec::Limit(_)),
        check,
    );
    Campaign {
        of: of(
            &spec.of,
            model,
            |analysis| !matches!(analysis, AnalysisSpec::Limit(_) | AnalysisSpec::Pushover(_)),
            trail,
            check,
        ),
        vary,
        question: Question::FailureDomain(FailureDomain {
            x,
            y,
            both_directions: spec.both_directions,
            after_motion: spec.after_motion,
            refine: spec.refine,
            rocking: spec.rocking.clone(),
            limit: spec.limit.clone(),
        }),
    }
}

/// A fragility analysis.
pub(in crate::asked) fn fragility(
    spec: &FragilitySpec,
    model: &ModelSpec,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Campaign {
    let method = spec.method();
    let intensity = match (spec.intensity(), spec.period) {
        (IntensityWord::Sa, Some(period)) => Intensity::Sa { period },
        (IntensityWord::Sa, None) => {
            check.report(
                trail,
                "the intensity sa needs a `period`",
                "that of the oscillator, in seconds",
            );
            Intensity::Pga
        }
        (_, Some(_)) => {
            check.report(
                trail.key("period"),
                "only the intensity sa has a period",
                "leave it out, or write `intensity = \"sa\"`",
            );
            Intensity::Pga
        }
        (IntensityWord::Pga, None) => Intensity::Pga,
        (IntensityWord::Pgv, None) => Intensity::Pgv,
    };
    let intensities = intensities(spec, method, trail, check);
    let motions = motions(spec, model, known, trail, check);
    let vary = varied(&spec.vary, false, trail.key("vary"), check);
    check.numbers(spec, trail);
    if spec.intervals == Some(Intervals::Bootstrap) && method == Method::Incremental {
        check.report(
            trail.key("intervals"),
            "an incremental analysis cannot be bootstrapped: its runs depend on their outcomes",
            "leave it out: profile is as good",
        );
    }
    let mut damage: Vec<Damage> = Vec::new();
    for (index, state) in spec.damage.iter().enumerate() {
        let list = trail.key("damage");
        let trail = list.index(index);
        check.numbers(state, trail);
        let name = state.name.as_deref().unwrap_or(state.measure.column());
        if name == "collapse" || name.is_empty() || damage.iter().any(|other| other.name == name) {
            check.report(
                trail,
                format!("the name \"{name}\" is taken"),
                "give every state of damage a `name` of its own",
            );
        }
        damage.push(Damage {
            name: name.to_owned(),
            measure: state.measure,
            threshold: state.threshold,
        });
    }
    let suite: usize = motions.iter().map(|(_, count)| *count as usize).sum();
    most(
        combinations(&vary)
            .saturating_mul(suite)
            .saturating_mul(intensities.len().max(1)),
        trail,
        check,
    );
    let shakes = |analysis: &AnalysisSpec| {
        matches!(
            analysis,
            AnalysisSpec::TimeHistory(_) | AnalysisSpec::Rocking(_)
        )
    };
    Campaign {
        of: of(&spec.of, model, shakes, trail, check),
        vary,
        question: Question::Fragility(Fragility {
            motions,
            intensity,
            intensities,
            method,
            damage,
            after_motion: spec.after_motion,
            confidence: spec.confidence(),
            intervals: spec.intervals(),
        }),
    }
}

fn intensities(
    spec: &FragilitySpec,
    method: Method,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Vec<f64> {
    let list = trail.key("intensities");
    match (&spec.intensities, method) {
        (None, Method::Cloud) => Vec::new(),
        (Some(_), Method::Cloud) => {
            check.report(
                list,
                "motions of a cloud are not scaled",
                "leave `intensities` out, or choose the method stripes or incremental",
            );
            Vec::new()
        }
        (None, _) => {
            check.report(
                trail,
                "the key `intensities` is missing",
                "what every motion is scaled to, e.g. [1.0, 2.0, 3.0, 4.0], m/s² for pga and sa, m/s for pgv",
            );
            Vec::new()
        }
        (Some(values), _) => {
            for (index, value) in values.iter().enumerate() {
                check.positive(*value, "", list.index(index));
            }
            let rising = values.windows(2).all(|pair| pair[0] < pair[1]);
            if values.is_empty() || !rising {
                check.report(list, "the values must be in rising order, at least one", "");
            }
            values.clone()
        }
    }
}

/// The motions, with how many are made from each.
fn motions(
    spec: &FragilitySpec,
    model: &ModelSpec,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Vec<(String, u32)> {
    let list = trail.key("motions");
    let realisations = spec.realisations();
    if spec.motions.is_empty() {
        check.report(list, "no motion is named", "");
    }
    let mut motions: Vec<(String, u32)> = Vec::new();
    for (index, name) in spec.motions.iter().enumerate() {
        let trail = list.index(index);
        let Some(position) = known.motion_names.find(name, trail, check.faults) else {
            continue;
        };
        if motions.iter().any(|(other, _)| other == name) {
            check.report(trail, format!("the motion \"{name}\" stands twice"), "");
        }
        match &model.motion[position] {
            MotionSpec::Record(_) => motions.push((name.clone(), 1)),
            MotionSpec::Stochastic(_) | MotionSpec::CodeSpectrum(_) => {
                motions.push((name.clone(), realisations));
            }
            MotionSpec::OneSine(_)
            | MotionSpec::Biphasic(_)
            | MotionSpec::Rectangular(_)
            | MotionSpec::Sine(_)
            | MotionSpec::Settlement(_) => check.report(
                trail,
                format!("the motion \"{name}\" is no earthquake"),
                "name motions of the kinds record, stochastic and code_spectrum; a failure_domain or a sweep varies pulses",
            ),
        }
    }
    if spec.realisations.is_some_and(|count| count > 1) && motions.iter().all(|(_, n)| *n == 1) {
        check.report(
            trail.key("realisations"),
            "`realisations` needs a synthetic motion; a record has no seed",
            "leave it out",
        );
    }
    motions
}

/// The analysis that is run.
fn of(
    name: &str,
    model: &ModelSpec,
    fits: impl Fn(&AnalysisSpec) -> bool,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> String {
    find(
        name,
        model,
        |analysis| {
            !analysis.is_campaign()
                && !matches!(analysis, AnalysisSpec::Assessment(_))
                && fits(analysis)
        },
        "analysis that this one can repeat",
        trail.key("of"),
        check,
    );
    name.to_owned()
}

fn find(
    name: &str,
    model: &ModelSpec,
    fits: impl Fn(&AnalysisSpec) -> bool,
    what: &str,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) {
    let mut fitting = model.analysis.iter().filter(|analysis| fits(analysis));
    if !fitting.any(|analysis| analysis.name() == name) {
        let names = model.analysis.iter().filter(|analysis| fits(analysis));
        let fault = Fault::at(trail, format!("there is no {what} \"{name}\"")).maybe_help(
            did_you_mean(name, "there are", names.map(AnalysisSpec::name)),
        );
        check.faults.push(fault);
    }
}

fn varied(
    specs: &[VarySpec],
    sampled: bool,
    list: Trail<'_>,
    check: &mut Check<'_>,
) -> Vec<Varied> {
    let each = specs.iter().enumerate();
    each.map(|(index, spec)| one(spec, sampled, list.index(index), check))
        .collect()
}

fn one(spec: &VarySpec, sampled: bool, trail: Trail<'_>, check: &mut Check<'_>) -> Varied {
    let points = match (&spec.values, spec.from, spec.to) {
        (Some(values), None, None) if spec.count.is_none() && !spec.logarithmic => {
            if values.is_empty() {
                check.report(trail.key("values"), "there is no value", "");
            }
            Points::Values(values.clone())
        }
        (None, Some(from), Some(to)) => range(spec, [from, to], sampled, trail, check),
        _ => {
            check.report(
                trail,
                "the values are not defined",
                "give `values`, or `from` and `to` with a `count` of values in a grid",
            );
            Points::Values(Vec::new())
        }
    };
    Varied {
        key: spec.key.clone(),
        points,
    }
}

fn range(
    spec: &VarySpec,
    [from, to]: [f64; 2],
    sampled: bool,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Points {
    let mut fits = check.finite(from, trail.key("from"));
    fits &= check.finite(to, trail.key("to"));
    let logarithmic = spec.logarithmic;
    if logarithmic && fits && (from * to <= 0.0 || (from * to).is_nan()) {
        check.report(
            trail.key("logarithmic"),
            format!("there are no equal ratios from {from} to {to}"),
            "both must be greater than zero",
        );
    }
    if sampled && from > to {
        check.report(
            trail.key("from"),
            format!("the range is descending, from {from} to {to}"),
            "`from` is the lower end",
        );
    }
    match (sampled, spec.count) {
        (true, None) => Points::Between {
            from,
            to,
            logarithmic,
        },
        (true, Some(_)) => {
            check.report(
                trail.key("count"),
                "samples lie anywhere between `from` and `to`",
                "leave `count` out here; that of the sweep is the number of samples",
            );
            Points::Values(Vec::new())
        }
        (false, Some(count)) if (2..=1_000_000).contains(&count) => {
            let part = |k: u32| f64::from(k) / f64::from(count - 1);
            // 0.15 rather than 0.15000000000000002, which nobody has written.
            let tidy = |x: f64| format!("{x:.12e}").parse().unwrap_or(x);
            let value = |k: u32| VaryValue::Number(tidy(between(from, to, logarithmic, part(k))));
            Points::Values((0..count).map(value).collect())
        }
        (false, _) => {
            check.report(
                trail,
                "a range in a grid needs a `count` of values, from 2",
                "",
            );
            Points::Values(Vec::new())
        }
    }
}

fn combinations(vary: &[Varied]) -> usize {
    let counts = vary.iter().map(|varied| varied.points.values().len());
    counts.fold(1, usize::saturating_mul)
}

fn most(count: usize, trail: Trail<'_>, check: &mut Check<'_>) {
    if count > MOST_RUNS {
        check.report(
            trail,
            format!("these are {count} runs, more than {MOST_RUNS}"),
            "take fewer values, or samples",
        );
    }
}
