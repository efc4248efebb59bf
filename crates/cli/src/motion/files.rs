//! Time series and spectra as files.

use std::path::{Path, PathBuf};

use drystone_questions::answer::Cell;
use drystone_results::TableFile;
use drystone_shaking::{RecordSeries, Response, integrals_from, log_periods, response_spectrum};

use super::gather::Described;
use super::options::MotionOptions;
use super::{PERIODS, bad, of_files};
use crate::Outcome;

/// The folder that is written to.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder asked for, after a look whether these files are there already; nothing if none is asked for.
    pub fn plan(
        options: &MotionOptions,
        names: impl Iterator<Item = String>,
    ) -> Result<Option<Self>, Outcome> {
        let Some(path) = options.out.clone() else {
            return Ok(None);
        };
        let mut names: Vec<String> = names.collect();
        let all = names.len();
        names.sort();
        names.dedup();
        if names.len() < all {
            return Err(bad(
                "two motions would have the same file, because their names differ only in signs; choose one with --motion",
            ));
        }
        if !options.overwrite
            && let Some(there) = names
                .iter()
                .map(|name| path.join(name))
                .find(|p| p.exists())
        {
            return Err(bad(format!(
                "{} is already there: choose another folder or give --overwrite",
                there.display()
            )));
        }
        std::fs::create_dir_all(&path)
            .map_err(|error| bad(format!("cannot create {}: {error}", path.display())))?;
        Ok(Some(Self { path }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the time series and the spectra of a motion.
    pub fn write_motion(&self, motion: &Described, damping: f64) -> Result<(), Outcome> {
        let [series, spectra] = motion.file_names();
        self.write_series(&series, motion)?;
        let periods = periods();
        let found: Vec<Vec<Response>> = motion
            .components
            .iter()
            .map(|part| response_spectrum(&part.series, &periods, damping))
            .collect();
        let mut columns = vec!["period [s]".to_owned()];
        for prefix in prefixes(motion) {
            for quantity in ["SA [m/s2]", "PSA [m/s2]", "SV [m/s]", "SD [m]"] {
                columns.push(format!("{prefix}{quantity}"));
            }
        }
        let rows = (0..periods.len()).map(|k| {
            let answers = found.iter().flat_map(|component| {
                let Response {
                    sa, psa, sv, sd, ..
                } = component[k];
                [sa, psa, sv, sd]
            });
            std::iter::once(periods[k]).chain(answers).collect()
        });
        self.write_table(&spectra, &columns, rows)
    }

    /// Acceleration, velocity and displacement of all components. After the end of a component its acceleration is
    /// zero and its velocity stays.
    fn write_series(&self, name: &str, motion: &Described) -> Result<(), Outcome> {
        let dt = motion.components[0].series.dt;
        let same = |other: f64| (other - dt).abs() <= 1e-9 * dt;
        if !motion.components.iter().all(|part| same(part.series.dt)) {
            return Err(bad(
                "components have different time steps; give --resample to write them to one table",
            ));
        }
        let mut columns = vec!["time [s]".to_owned()];
        for prefix in prefixes(motion) {
            for quantity in ["acceleration [m/s2]", "velocity [m/s]", "displacement [m]"] {
                columns.push(format!("{prefix}{quantity}"));
            }
        }
        let moved: Vec<_> = motion
            .components
            .iter()
            .map(|part| integrals_from(&part.series, part.initial_velocity))
            .collect();
        let count = moved.iter().map(|(v, _)| v.len()).max().unwrap_or(0);
        let rows = (0..count).map(|k| {
            let values = motion
                .components
                .iter()
                .zip(&moved)
                .flat_map(|(part, (v, d))| match part.series.acceleration.get(k) {
                    Some(a) => [*a, v[k], d[k]],
                    None => {
                        let last = v.len() - 1;
                        [0.0, v[last], d[last] + v[last] * dt * (k - last) as f64]
                    }
                });
            std::iter::once(k as f64 * dt).chain(values).collect()
        });
        self.write_table(name, &columns, rows)
    }

    /// Times and accelerations, as this program reads them.
    pub fn write_accelerogram(&self, name: &str, series: &RecordSeries) -> Result<(), Outcome> {
        let columns = ["time [s]", "acceleration [m/s2]"].map(str::to_owned);
        let rows = series.acceleration.iter().enumerate();
        self.write_table(
            name,
            &columns,
            rows.map(|(k, a)| vec![k as f64 * series.dt, *a]),
        )
    }

    /// Writes a table of numbers.
    pub fn write_table(
        &self,
        name: &str,
        columns: &[String],
        rows: impl Iterator<Item = Vec<f64>>,
    ) -> Result<(), Outcome> {
        let mut table = TableFile::create(&self.path.join(name), columns).map_err(of_files)?;
        for row in rows {
            table
                .append(row.into_iter().map(Cell::Number))
                .map_err(of_files)?;
        }
        table.finish().map_err(of_files)
    }
}

/// Zero, then periods on a logarithmic scale.
pub fn periods() -> Vec<f64> {
    let (first, last, count) = PERIODS;
    std::iter::once(0.0)
        .chain(log_periods(first, last, count))
        .collect()
}

/// What stands before the quantities of each component; nothing if there is only one.
fn prefixes(motion: &Described) -> Vec<String> {
    match &motion.components[..] {
        [_] => vec![String::new()],
        several => several
            .iter()
            .map(|part| format!("{} ", part.label))
            .collect(),
    }
}
