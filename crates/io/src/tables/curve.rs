//! `curve.csv` of a pushover, read back.

use std::path::Path;

use crate::Error;

/// A point of a pushover curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveRow {
    /// Name of the branch; empty if the file does not tell branches apart.
    pub branch: String,
    /// Multiplier.
    pub alpha: f64,
    /// Displacement of the control point, m.
    pub d: f64,
}

/// Every point, from the columns `branch`, `alpha` and `d`.
pub fn read_curve(path: &Path) -> Result<Vec<CurveRow>, Error> {
    let damaged = |error: csv::Error| Error::damaged(path, error.to_string());
    // Opened here, so that a missing file is named with the system's reason.
    let file = std::fs::File::open(path).map_err(Error::file("read", path))?;
    let mut reader = csv::Reader::from_reader(file);
    let names = reader.headers().map_err(damaged)?.clone();
    let column = |name: &str| {
        let found = names.iter().position(|other| other == name);
        found.ok_or_else(|| Error::damaged(path, format!("the column `{name}` is missing")))
    };
    let columns = [column("alpha")?, column("d")?];
    let branch = names.iter().position(|other| other == "branch");
    let mut points = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(damaged)?;
        let value = |k: usize| {
            let text = record.get(columns[k]).unwrap_or_default();
            text.parse::<f64>().map_err(|_| {
                Error::damaged(path, format!("line {}: \"{text}\" is no number", row + 2))
            })
        };
        let branch = branch.and_then(|k| record.get(k)).unwrap_or_default();
        points.push(CurveRow {
            branch: branch.to_owned(),
            alpha: value(0)?,
            d: value(1)?,
        });
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_faults_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("curve.csv");
        std::fs::write(&path, "branch,alpha,d\nrigid,0.1,0\nrigid,0.05,0.2\n").unwrap();
        let points = read_curve(&path).unwrap();
        let found: Vec<_> = points
            .iter()
            .map(|p| (p.branch.as_str(), p.alpha, p.d))
            .collect();
        assert_eq!(found, [("rigid", 0.1, 0.0), ("rigid", 0.05, 0.2)]);
        std::fs::write(&path, "branch,alpha,d\nrigid,x,0\n").unwrap();
        assert!(
            read_curve(&path)
                .unwrap_err()
                .to_string()
                .contains("line 2")
        );
        std::fs::write(&path, "branch,alpha\nrigid,1\n").unwrap();
        assert!(read_curve(&path).unwrap_err().to_string().contains("`d`"));
    }
}
