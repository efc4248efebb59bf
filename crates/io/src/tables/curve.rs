//! `curve.csv` of a pushover, read back.

use std::path::Path;

use crate::Error;

/// Multiplier and displacement (m) of every point, from the columns `alpha` and `d`.
pub fn read_curve(path: &Path) -> Result<Vec<(f64, f64)>, Error> {
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
    let mut points = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(damaged)?;
        let value = |k: usize| {
            let text = record.get(columns[k]).unwrap_or_default();
            text.parse::<f64>().map_err(|_| {
                Error::damaged(path, format!("line {}: \"{text}\" is no number", row + 2))
            })
        };
        points.push((value(0)?, value(1)?));
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
        assert_eq!(read_curve(&path).unwrap(), [(0.1, 0.0), (0.05, 0.2)]);
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
