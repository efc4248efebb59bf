//! Tables between comma-separated text and Parquet.

use std::fs::File;
use std::path::Path;

use parquet::errors::ParquetError;

use crate::atomic::{partial_path, publish};
use drystone_questions::answer::Cell;

use crate::tables::{Kind, ParquetFile, Values};
use crate::{Error, MotionRecord, TableFile};

/// Rows per group: what is held in memory.
const GROUP_ROWS: usize = 1 << 17;

/// Writes the motion as a table: time, name of the block, position and quaternion.
pub fn write_motion_csv(motion: &MotionRecord, path: &Path) -> Result<(), Error> {
    let columns = ["time", "block", "x", "y", "z", "qx", "qy", "qz", "qw"];
    let mut table = TableFile::create(path, &columns.map(str::to_owned))?;
    for (&time, poses) in motion.times.iter().zip(&motion.poses) {
        for (name, pose) in motion.blocks.iter().zip(poses) {
            let numbers = pose.position.to_array().into_iter();
            let numbers = numbers.chain(pose.rotation.to_array()).map(Cell::Number);
            table.append(
                [Cell::Number(time), Cell::Text(name)]
                    .into_iter()
                    .chain(numbers),
            )?;
        }
    }
    table.finish()
}

/// Copies a table of text into a Parquet file: columns of numbers as doubles, others as strings. Returns the number of rows.
pub fn parquet_of(table: &Path, path: &Path) -> Result<usize, Error> {
    let damaged = |error: csv::Error| Error::damaged(table, error.to_string());
    let fault = |error: ParquetError| Error::Encode {
        path: path.to_owned(),
        message: error.to_string(),
    };
    let mut reader = csv::Reader::from_path(table).map_err(damaged)?;
    let names: Vec<String> = reader
        .headers()
        .map_err(damaged)?
        .iter()
        .map(str::to_owned)
        .collect();
    // A column is one of numbers if every value in it is a number; what is empty is none.
    let mut numeric = vec![true; names.len()];
    for row in reader.records() {
        let row = row.map_err(damaged)?;
        for (numeric, field) in numeric.iter_mut().zip(&row) {
            *numeric &= field.is_empty() || field.parse::<f64>().is_ok();
        }
    }
    let kind = |numeric: bool| match numeric {
        true => Kind::Number,
        false => Kind::Text,
    };
    let kinds = numeric.iter().map(|&numeric| kind(numeric));
    let columns = names.iter().map(String::as_str).zip(kinds);
    let partial = partial_path(path);
    let file = File::create(&partial).map_err(Error::file("write", &partial))?;
    let mut writer = ParquetFile::begin(&file, "table", columns, false).map_err(fault)?;
    let mut reader = csv::Reader::from_path(table).map_err(damaged)?;
    let mut rows = reader.records();
    let mut count = 0;
    loop {
        let mut columns: Vec<Values> = numeric
            .iter()
            .map(|&numeric| {
                if numeric {
                    Values::Number(Vec::new())
                } else {
                    Values::Text(Vec::new())
                }
            })
            .collect();
        let mut taken = 0;
        for row in rows.by_ref().take(GROUP_ROWS) {
            let row = row.map_err(damaged)?;
            for (column, field) in columns.iter_mut().zip(&row) {
                match column {
                    Values::Number(values) => values.push(field.parse().unwrap_or(f64::NAN)),
                    Values::Text(values) => values.push(field.into()),
                    // Text does not say that numbers are whole.
                    Values::Whole(_) => {}
                }
            }
            taken += 1;
        }
        if taken == 0 {
            break;
        }
        count += taken;
        let columns = columns.into_iter().map(|values| (values, None));
        writer.group(columns).map_err(fault)?;
    }
    writer.end().map_err(fault)?;
    publish(&file, &partial, path)?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    #[test]
    fn numbers_and_words_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let [text, file] = ["t.csv", "t.parquet"].map(|name| folder.path().join(name));
        std::fs::write(&text, "time,a,top.ux\n0.1,\"x, y\",1e-3\n0.2,z,\n").unwrap();
        assert_eq!(parquet_of(&text, &file).unwrap(), 2);
        let reader = SerializedFileReader::new(File::open(&file).unwrap()).unwrap();
        let rows: Vec<_> = reader
            .get_row_iter(None)
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert_eq!(rows[0].get_double(0).unwrap(), 0.1);
        assert_eq!(rows[0].get_string(1).unwrap(), "x, y");
        assert_eq!(rows[0].get_double(2).unwrap(), 1e-3);
        assert!(rows[1].get_double(2).unwrap().is_nan());
        assert!(!partial_path(&file).exists());
    }

    #[test]
    fn a_table_that_is_cut_off_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("t.csv");
        std::fs::write(&text, "a,b\n1,2\n3\n").unwrap();
        let error = parquet_of(&text, &folder.path().join("t.parquet")).unwrap_err();
        assert!(error.to_string().contains("t.csv"), "{error}");
    }
}
