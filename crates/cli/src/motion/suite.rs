//! Many motions of one model motion, with seeds counted up.

use std::fmt::Write as _;

use drystone_model::{Artificial, MotionKind, Stochastic};
use drystone_shaking::code_spectrum::code_acceleration;
use drystone_shaking::synthetic::{Match, artificial, matching, stochastic};
use drystone_shaking::{Measures, RecordSeries, pseudo_acceleration};
use rayon::prelude::*;
use serde::Serialize;

use super::bad;
use super::describe::{lay_out, short};
use super::files::{Folder, periods};
use super::gather::{file_stem, load, nothing, resampled};
use super::options::MotionOptions;
use crate::Outcome;
use crate::speak::tell;

/// What is made.
enum Recipe {
    Stochastic(Stochastic),
    Artificial(Artificial),
}

impl Recipe {
    fn seed(&self) -> u32 {
        match self {
            Self::Stochastic(settings) => settings.seed,
            Self::Artificial(settings) => settings.seed,
        }
    }

    fn make(&self, seed: u32) -> Result<RecordSeries, String> {
        match self {
            Self::Stochastic(settings) => stochastic(&Stochastic { seed, ..*settings }),
            Self::Artificial(settings) => artificial(&Artificial { seed, ..*settings }),
        }
        .map_err(|error| error.to_string())
    }
}

#[derive(Serialize)]
struct Summary<'a> {
    motion: &'a str,
    count: u32,
    seeds: [u32; 2],
    /// Of the mean spectrum with that of the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#match: Option<Match>,
    motions: Vec<Member>,
}

#[derive(Serialize)]
struct Member {
    file: String,
    seed: u32,
    #[serde(flatten)]
    measures: Measures,
}

/// Makes the motions, writes them, and says what they are like.
pub fn suite(options: &MotionOptions) -> Result<String, Outcome> {
    let model = load(options)?;
    let wanted = |name: &str| {
        options
            .motion
            .as_deref()
            .is_none_or(|wanted| wanted == name)
    };
    let recipes: Vec<(&str, Recipe)> = model
        .motions
        .iter()
        .filter(|motion| wanted(&motion.name))
        .filter_map(|motion| match motion.kind {
            MotionKind::Stochastic { settings, .. } => {
                Some((motion.name.as_str(), Recipe::Stochastic(settings)))
            }
            MotionKind::CodeSpectrum { settings, .. } => {
                Some((motion.name.as_str(), Recipe::Artificial(settings)))
            }
            MotionKind::Pulse { .. }
            | MotionKind::Record { .. }
            | MotionKind::Settlement { .. } => None,
        })
        .collect();
    let (name, recipe) = match &recipes[..] {
        [one] => one,
        [] => return Err(nothing(&model, options)),
        several => {
            let names: Vec<&str> = several.iter().map(|(name, _)| *name).collect();
            return Err(bad(format!(
                "{}: --count needs one motion: choose one of {} with --motion",
                options.file.display(),
                names.join(", ")
            )));
        }
    };
    make(name, recipe, options)
}

fn make(name: &str, recipe: &Recipe, options: &MotionOptions) -> Result<String, Outcome> {
    let count = options.count.unwrap_or(1);
    let first = recipe.seed();
    let last = first.checked_add(count - 1).ok_or_else(|| {
        bad(format!(
            "{name}: the seeds after {first} do not suffice for {count} motions"
        ))
    })?;
    let stem = file_stem(name);
    let file = |seed: u32| format!("{stem}-{:0width$}.csv", seed - first + 1, width = 3);
    let spectra = format!("{stem}-spectra.csv");
    let names = (first..=last).map(file).chain([spectra.clone()]);
    let Some(folder) = Folder::plan(options, names)? else {
        return Err(bad("--count needs --out, a folder for the motions"));
    };
    let made: Result<Vec<RecordSeries>, String> = (first..=last)
        .into_par_iter()
        .map(|seed| {
            let series = recipe.make(seed)?;
            resampled(&series, options)
        })
        .collect();
    let motions = made.map_err(|error| bad(format!("{name}: {error}")))?;
    for (series, seed) in motions.iter().zip(first..=last) {
        folder.write_accelerogram(&file(seed), series)?;
    }
    write_spectra(&folder, &spectra, &motions, recipe, options.damping)?;
    tell(&format!("{count} motions in {}", folder.path().display()));
    let summary = Summary {
        motion: name,
        count,
        seeds: [first, last],
        r#match: match recipe {
            Recipe::Artificial(settings) => {
                Some(matching(&motions, &settings.spectrum, settings.periods))
            }
            Recipe::Stochastic(_) => None,
        },
        motions: motions
            .iter()
            .zip(first..=last)
            .map(|(series, seed)| Member {
                file: file(seed),
                seed,
                measures: Measures::of(series),
            })
            .collect(),
    };
    if options.json {
        serde_json::to_string_pretty(&summary).map_err(|error| Outcome::Failed(error.to_string()))
    } else {
        Ok(text(&summary))
    }
}

/// Pseudo-accelerations: those of the code, the mean, the lowest and the highest, then one column per motion.
fn write_spectra(
    folder: &Folder,
    name: &str,
    motions: &[RecordSeries],
    recipe: &Recipe,
    damping: f64,
) -> Result<(), Outcome> {
    let target = match recipe {
        Recipe::Artificial(settings) => Some(settings.spectrum),
        Recipe::Stochastic(_) => None,
    };
    let damping = target.map_or(damping, |spectrum| spectrum.damping);
    let mut columns = vec!["period [s]".to_owned()];
    columns.extend(target.map(|_| "target [m/s2]".to_owned()));
    columns.extend(["mean [m/s2]", "lowest [m/s2]", "highest [m/s2]"].map(str::to_owned));
    columns.extend((1..=motions.len()).map(|k| format!("{k:03} [m/s2]")));
    let rows: Vec<Vec<f64>> = periods()
        .into_par_iter()
        .map(|period| {
            let found: Vec<f64> = motions
                .iter()
                .map(|series| pseudo_acceleration(series, period, damping))
                .collect();
            let mut row = vec![period];
            row.extend(target.map(|spectrum| code_acceleration(&spectrum, period)));
            row.push(found.iter().sum::<f64>() / found.len() as f64);
            row.push(found.iter().copied().fold(f64::INFINITY, f64::min));
            row.push(found.iter().copied().fold(0.0, f64::max));
            row.extend(found);
            row
        })
        .collect();
    folder.write_table(name, &columns, rows.into_iter())
}

fn text(summary: &Summary<'_>) -> String {
    let mut text = format!(
        "{}: {} motions, seeds {} to {}\n",
        summary.motion, summary.count, summary.seeds[0], summary.seeds[1]
    );
    type Column = (&'static str, fn(&Measures) -> f64);
    let columns: [Column; 5] = [
        ("PGA, m/s²", |m| m.pga),
        ("PGV, m/s", |m| m.pgv),
        ("PGD, m", |m| m.pgd),
        ("Arias intensity, m/s", |m| m.arias),
        ("D5-95, s", |m| m.d5_95),
    ];
    let mut rows = vec![
        ["", "mean", "lowest", "highest"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for (label, value) in columns {
        let values: Vec<f64> = summary
            .motions
            .iter()
            .map(|member| value(&member.measures))
            .collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        rows.push(vec![
            label.to_owned(),
            short(mean),
            short(lowest),
            short(highest),
        ]);
    }
    lay_out(&rows, &mut text);
    if let Some(found) = &summary.r#match {
        let _ = writeln!(
            text,
            "  mean spectrum over that of the code: {} on average, {} to {}; at a period of zero {}",
            short(found.mean),
            short(found.lowest),
            short(found.highest),
            short(found.zero_period)
        );
    }
    text
}
