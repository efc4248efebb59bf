//! `drystone critical`: the value of a number in the model at which the verdict changes.

use std::path::{Path, PathBuf};

use drystone_model::{Analysis, AnalysisKind, Case, Faults, Model, Parameter};
use drystone_questions::statics::{Critical, StaticsFault, bisect, bracket, holds};
use serde_json::json;

use crate::Outcome;
use crate::opened::open;
use crate::speak::{answer, tell};

/// Options of `critical`.
#[derive(Debug, clap::Args)]
pub struct CriticalOptions {
    /// Model file, TOML or JSON
    pub model: PathBuf,
    /// Path of the parameter to vary, e.g. `generate.thickness`, `generate[0].span`, `generate.NAME.span`, `load[2].force[0]`
    #[arg(
        long,
        value_name = "PATH",
        required_unless_present = "friction",
        conflicts_with = "friction"
    )]
    pub vary: Option<String>,
    /// Vary the friction of all interfaces
    #[arg(long)]
    pub friction: bool,
    /// One end of the range [default: found from the number in the file]
    #[arg(long, value_name = "A", requires = "to", allow_negative_numbers = true)]
    pub from: Option<f64>,
    /// Other end of the range
    #[arg(
        long,
        value_name = "B",
        requires = "from",
        allow_negative_numbers = true
    )]
    pub to: Option<f64>,
    /// Name of the equilibrium or limit analysis that decides [default: the first one, or equilibrium under dead loads]
    #[arg(long, value_name = "NAME")]
    pub analysis: Option<String>,
    /// The structure stands if the multiplier of the limit analysis exceeds this [default: 0]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub multiplier: Option<f64>,
    /// Relative tolerance of the critical value
    #[arg(long, value_name = "T", default_value_t = 1e-6)]
    pub tolerance: f64,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// Why there is no verdict at a value.
enum Trial {
    /// The model can't be made, or the question makes no sense.
    Input(String),
    /// The solver missed its tolerance.
    Unsolved(String),
}

impl Trial {
    fn outcome(self) -> Outcome {
        match self {
            Self::Input(message) => Outcome::BadInput(message),
            Self::Unsolved(message) => Outcome::Failed(message),
        }
    }
}

/// Runs the command.
pub fn critical(options: &CriticalOptions) -> Outcome {
    if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
        return Outcome::BadInput(format!(
            "--tolerance {}: it must be greater than zero and less than one",
            options.tolerance
        ));
    }
    for (key, value) in [
        ("from", options.from),
        ("to", options.to),
        ("multiplier", options.multiplier),
    ] {
        if let Some(value) = value.filter(|value| !value.is_finite()) {
            return Outcome::BadInput(format!("--{key} {value}: it must be a finite number"));
        }
    }
    let faults = |faults: Faults| Outcome::BadInput(faults.to_string());
    let spec = match drystone_model::load_spec(&options.model) {
        Ok(spec) => spec,
        Err(found) => return faults(found),
    };
    let folder = options.model.parent().unwrap_or(Path::new("")).to_owned();
    let case = match open(&options.model) {
        Ok(case) => case,
        Err(outcome) => return outcome,
    };
    let model = case.model();
    let chosen = match choose(model, options.analysis.as_deref()) {
        Ok(chosen) => chosen,
        Err(message) => return Outcome::BadInput(message),
    };
    let kind = chosen.map(|position| &model.analyses[position].kind);
    if options.multiplier.is_some() && !matches!(kind, Some(AnalysisKind::Limit(_))) {
        return Outcome::BadInput(
            "--multiplier: the verdict that counts is not that of a limit analysis; name one with --analysis, or leave it out"
                .to_owned(),
        );
    }
    let least = options.multiplier.unwrap_or(0.0);
    let path = match &options.vary {
        Some(path) => path.as_str(),
        None => "interface[*].friction",
    };
    let parameter = match Parameter::find(&spec, path) {
        Ok(parameter) => parameter,
        Err(fault) => return Outcome::BadInput(format!("--vary: {fault}")),
    };
    // The first value at which the solver found no answer: the search for a range ends there on its side.
    let mut unanswered: Option<String> = None;
    // The first value at which there is no sound model, where the search ends too.
    let mut refused: Option<String> = None;
    let mut verdict = |value: f64| -> Result<bool, Trial> {
        let mut spec = parameter
            .set(value)
            .map_err(|fault| Trial::Input(fault.to_string()))?;
        // Records, which take their time to be read, decide nothing here.
        let asked = chosen.map(|position| spec.analysis.swap_remove(position));
        spec.analysis = asked.into_iter().collect();
        spec.motion.clear();
        let case = Case::of_spec(&spec, &folder).map_err(|faults| {
            let message = format!("at {path} = {value}: {faults}");
            refused.get_or_insert_with(|| message.clone());
            Trial::Input(message)
        })?;
        let model = case.model();
        // The model changes with the number, and its analysis with it.
        let kind = model.analyses.first().map(|analysis| &analysis.kind);
        let found = holds(model, kind, least);
        found.map_err(|fault| {
            let message = format!("at {path} = {value}: {fault}");
            match fault {
                StaticsFault::Unsolved(_) => {
                    unanswered.get_or_insert_with(|| message.clone());
                    Trial::Unsolved(message)
                }
                _ => Trial::Input(message),
            }
        })
    };
    let range = match (options.from, options.to) {
        (Some(from), Some(to)) => Some([from, to]),
        _ => match bracket(parameter.value(), &mut verdict) {
            Ok(range) => range,
            Err(trial) => return trial.outcome(),
        },
    };
    let Some([from, to]) = range else {
        let stands = match verdict(parameter.value()) {
            Ok(true) => "the structure stands",
            _ => "the structure does not stand",
        };
        let same = format!(
            "{stands} at all values tried about {path} = {}; say where to look with --from and --to",
            parameter.value()
        );
        return match unanswered {
            Some(message) => Outcome::Failed(format!("{same}\n{message}")),
            None => Outcome::BadInput(match refused {
                Some(message) => format!("{same}\n{message}"),
                None => same,
            }),
        };
    };
    match bisect(from, to, options.tolerance, &mut verdict) {
        Ok(Some(found)) => tell_answer(options, path, &found),
        Ok(None) => Outcome::BadInput(format!(
            "the structure {} at both ends, {path} = {from} and {to}; choose ends at one of which it does and at the other not",
            match verdict(from) {
                Ok(true) => "stands",
                _ => "does not stand",
            }
        )),
        Err(trial) => trial.outcome(),
    }
}

/// Position of the analysis whose verdict counts.
fn choose(model: &Model, name: Option<&str>) -> Result<Option<usize>, String> {
    let statics = |analysis: &Analysis| analysis.kind.is_verdict();
    let Some(name) = name else {
        return Ok(model.analyses.iter().position(statics));
    };
    let found = model
        .analyses
        .iter()
        .position(|analysis| analysis.name == name && statics(analysis));
    found.map(Some).ok_or_else(|| {
        let known = model.analyses.iter().filter(|analysis| statics(analysis));
        let names: Vec<&str> = known.map(|analysis| analysis.name.as_str()).collect();
        format!(
            "--analysis {name}: the model has no equilibrium or limit analysis of that name; it has: {}",
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        )
    })
}

fn tell_answer(options: &CriticalOptions, path: &str, found: &Critical) -> Outcome {
    if options.json {
        let value = json!({
            "vary": path,
            "critical": found.value(),
            "holds": found.holds,
            "fails": found.fails,
            "trials": found.trials,
        });
        return answer(&value.to_string());
    }
    tell(&format!("{} trials", found.trials));
    // Verdicts are good to some 1e-5: digits beyond the next are noise.
    let apart = (found.holds - found.fails)
        .abs()
        .max(1e-5 * found.value().abs());
    let digits = if apart > 0.0 {
        (1.0 - apart.log10().floor()).clamp(0.0, 12.0) as usize
    } else {
        12
    };
    answer(&format!(
        "{path} = {:.digits$}: stands at {:.digits$}, does not at {:.digits$}",
        found.value(),
        found.holds,
        found.fails
    ))
}
