//! Arguments as typed.

use std::path::PathBuf;

use drystone_model::{Baseline, Channel, RecordScale, Treatment};

/// Options of `motion`.
#[derive(Debug, clap::Args)]
pub struct MotionOptions {
    /// Record (PEER AT2, ESM, COSMOS V2, CSMIP V2, USGS SMC, csv), or model file whose motions are described
    pub file: PathBuf,
    /// Only this component of a record, by number from 1 or by name; may be given several times
    #[arg(long, value_name = "NUMBER or NAME")]
    pub component: Vec<String>,
    /// Only the motion of this name, of a model file
    #[arg(long, value_name = "NAME")]
    pub motion: Option<String>,
    /// Generate this many realisations of a synthetic motion of a model file, with consecutive seeds
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub count: Option<u32>,
    /// Time step of a record that does not state it, s
    #[arg(long, value_name = "S", value_parser = positive)]
    pub dt: Option<f64>,
    /// Polynomial subtracted from the acceleration so that the ground ends at rest
    #[arg(long, value_name = "KIND", value_parser = baseline)]
    pub baseline: Option<Baseline>,
    /// Fraction of the duration over which both ends are tapered, 0 to 0.5
    #[arg(long, value_name = "PART", value_parser = taper)]
    pub taper: Option<f64>,
    /// Rotate two horizontal components by this angle, from the first to the second
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true, value_parser = finite)]
    pub rotate_degrees: Option<f64>,
    /// Another time step for what is measured and written, s
    #[arg(long, value_name = "S", value_parser = positive)]
    pub resample: Option<f64>,
    /// Factor on the acceleration
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true, value_parser = finite, group = "scaling")]
    pub scale: Option<f64>,
    /// Peak ground acceleration after scaling, m/s²
    #[arg(long, value_name = "M/S2", value_parser = positive, group = "scaling")]
    pub pga: Option<f64>,
    /// Period (s) and pseudo-acceleration (m/s²) after scaling, as in 0.5=3.0
    #[arg(long, value_name = "PERIOD=M/S2", value_parser = spectral, group = "scaling")]
    pub sa: Option<(f64, f64)>,
    /// Damping of oscillators, as a part of the critical one
    #[arg(long, value_name = "RATIO", default_value_t = 0.05, value_parser = damping)]
    pub damping: f64,
    /// Folder for time series and response spectra as csv
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files that are already there
    #[arg(long)]
    pub overwrite: bool,
    /// Print the measures as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

impl MotionOptions {
    pub fn treatment(&self) -> Treatment {
        Treatment {
            baseline: self.baseline.unwrap_or_default(),
            taper: self.taper.unwrap_or(0.0),
        }
    }

    pub fn scaling(&self) -> RecordScale {
        match (self.scale, self.pga, self.sa) {
            (_, Some(pga), _) => RecordScale::Pga(pga),
            (_, _, Some((period, value))) => RecordScale::Sa {
                period,
                damping: self.damping,
                value,
            },
            (factor, ..) => RecordScale::Factor(factor.unwrap_or(1.0)),
        }
    }

    pub fn channels(&self) -> Vec<Channel> {
        let channel = |text: &String| match text.parse() {
            Ok(number) => Channel::Number(number),
            Err(_) => Channel::Name(text.clone()),
        };
        self.component.iter().map(channel).collect()
    }

    /// Those of the options that only records have, for a model that says these things itself.
    pub fn of_records(&self) -> Option<&'static str> {
        [
            ("--component", !self.component.is_empty()),
            ("--dt", self.dt.is_some()),
            ("--baseline", self.baseline.is_some()),
            ("--taper", self.taper.is_some()),
            ("--rotate-degrees", self.rotate_degrees.is_some()),
            ("--scale", self.scale.is_some()),
            ("--pga", self.pga.is_some()),
            ("--sa", self.sa.is_some()),
        ]
        .into_iter()
        .find(|(_, given)| *given)
        .map(|(name, _)| name)
    }

    /// Those of the options that only models have.
    pub fn of_models(&self) -> Option<&'static str> {
        [
            ("--motion", self.motion.is_some()),
            ("--count", self.count.is_some()),
        ]
        .into_iter()
        .find(|(_, given)| *given)
        .map(|(name, _)| name)
    }
}

fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err("a number is needed".into()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    finite(text)
        .ok()
        .filter(|value| *value > 0.0)
        .ok_or_else(|| "a number greater than zero is needed".into())
}

fn taper(text: &str) -> Result<f64, String> {
    finite(text)
        .ok()
        .filter(|value| (0.0..=0.5).contains(value))
        .ok_or_else(|| "a number from 0 to 0.5 is needed".into())
}

fn damping(text: &str) -> Result<f64, String> {
    finite(text)
        .ok()
        .filter(|value| (0.0..1.0).contains(value))
        .ok_or_else(|| "a number from 0 to less than 1 is needed, 0.05 for 5 %".into())
}

fn spectral(text: &str) -> Result<(f64, f64), String> {
    let fault = || "a period and an acceleration are needed, as in 0.5=3.0".to_owned();
    let (period, value) = text.split_once('=').ok_or_else(fault)?;
    match (positive(period.trim()), positive(value.trim())) {
        (Ok(period), Ok(_)) if !(0.001..=100.0).contains(&period) => {
            Err("periods are from 0.001 to 100 s".to_owned())
        }
        (Ok(period), Ok(value)) => Ok((period, value)),
        _ => Err(fault()),
    }
}

fn baseline(text: &str) -> Result<Baseline, String> {
    match text {
        "none" => Ok(Baseline::None),
        "constant" => Ok(Baseline::Constant),
        "linear" => Ok(Baseline::Linear),
        "quadratic" => Ok(Baseline::Quadratic),
        _ => Err("one of none, constant, linear, quadratic is needed".into()),
    }
}
