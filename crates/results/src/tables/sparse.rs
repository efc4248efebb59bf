//! Tables whose values may be absent, such as that of the runs of a campaign: CSV for people and spreadsheets, Parquet for programs. The same values give the
//! same bytes.

use std::fs::File;
use std::path::Path;

use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;

use super::{Kind, ParquetFile, Values};
use crate::atomic::{own_partial_path, publish};
use crate::{Error, write_shared};

/// One column; values may be absent.
#[derive(Debug, Clone, PartialEq)]
pub enum SparseColumn {
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
    /// Words.
    Text(Vec<Option<String>>),
}

/// Columns with their names, all of the same length.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SparseTable {
    /// In order.
    pub columns: Vec<(String, SparseColumn)>,
}

impl SparseTable {
    /// Adds a column.
    pub fn push(&mut self, name: impl Into<String>, column: SparseColumn) {
        self.columns.push((name.into(), column));
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| match column {
            SparseColumn::Whole(values) => values.len(),
            SparseColumn::Number(values) => values.len(),
            SparseColumn::Text(values) => values.len(),
        })
    }

    /// The table as text.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        let names: Vec<String> = self.columns.iter().map(|(name, _)| quoted(name)).collect();
        text.push_str(&names.join(","));
        text.push('\n');
        for row in 0..self.rows() {
            for (at, (_, column)) in self.columns.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(&cell(column, row));
            }
            text.push('\n');
        }
        text
    }

    /// Writes the table as CSV.
    pub fn write_csv(&self, path: &Path) -> Result<(), Error> {
        write_shared(path, self.csv().as_bytes())
    }

    /// Writes the table as Parquet.
    pub fn write_parquet(&self, path: &Path) -> Result<(), Error> {
        let partial = own_partial_path(path);
        let file = File::create(&partial).map_err(Error::file("write", &partial))?;
        self.parquet(&file).map_err(|error| {
            // Best effort: the fault that is reported is the first one.
            let _ = std::fs::remove_file(&partial);
            Error::Encode {
                path: path.to_owned(),
                message: error.to_string(),
            }
        })?;
        publish(&file, &partial, path)
    }

    fn parquet(&self, file: &File) -> Result<(), ParquetError> {
        let kinds = self.columns.iter().map(|(name, column)| {
            let kind = match column {
                SparseColumn::Whole(_) => Kind::Whole,
                SparseColumn::Number(_) => Kind::Number,
                SparseColumn::Text(_) => Kind::Text,
            };
            (name.as_str(), kind)
        });
        let mut table = ParquetFile::begin(file, "runs", kinds, true)?;
        table.group(self.columns.iter().map(|(_, column)| match column {
            SparseColumn::Whole(values) => {
                let (values, there) = levels(values);
                (Values::Whole(values), Some(there))
            }
            SparseColumn::Number(values) => {
                let (values, there) = levels(values);
                (Values::Number(values), Some(there))
            }
            SparseColumn::Text(values) => {
                let (values, there) = levels(values);
                let words = values.iter().map(|text| ByteArray::from(text.as_str()));
                (Values::Text(words.collect()), Some(there))
            }
        }))?;
        table.end()
    }
}

/// Values that are there, and for each row whether one is.
fn levels<T: Clone>(values: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let there = values.iter().flatten().cloned().collect();
    let levels = values.iter().map(|value| i16::from(value.is_some()));
    (there, levels.collect())
}

fn cell(column: &SparseColumn, row: usize) -> String {
    match column {
        SparseColumn::Whole(values) => values[row].map_or(String::new(), |value| value.to_string()),
        // The shortest text that reads back to the same number.
        SparseColumn::Number(values) => values[row].map_or(String::new(), |value| {
            serde_json::Value::from(value).to_string()
        }),
        SparseColumn::Text(values) => values[row].as_deref().map_or(String::new(), quoted),
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    fn table() -> SparseTable {
        let mut table = SparseTable::default();
        table.push("run", SparseColumn::Whole(vec![Some(0), Some(1)]));
        table.push(
            "interface[*].friction",
            SparseColumn::Number(vec![Some(1e-20), None]),
        );
        table.push(
            "failure",
            SparseColumn::Text(vec![None, Some("at 1 s: \"no\", it\nsaid".into())]),
        );
        table
    }

    #[test]
    fn csv_has_holes_and_quotes() {
        assert_eq!(
            table().csv(),
            "run,interface[*].friction,failure\n0,1e-20,\n1,,\"at 1 s: \"\"no\"\", it\nsaid\"\n"
        );
        assert_eq!(SparseTable::default().csv(), "\n");
    }

    #[test]
    fn parquet_reads_back_and_has_the_same_bytes_again() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a", "b"].map(|name| folder.path().join(name));
        for path in &paths {
            table().write_parquet(path).unwrap();
        }
        let bytes = paths.each_ref().map(|path| std::fs::read(path).unwrap());
        assert_eq!(bytes[0], bytes[1]);
        let reader = SerializedFileReader::new(File::open(&paths[0]).unwrap()).unwrap();
        let rows: Vec<_> = reader
            .get_row_iter(None)
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].get_long(0).unwrap(), 1);
        assert_eq!(rows[0].get_double(1).unwrap(), 1e-20);
        assert!(rows[1].get_double(1).is_err());
        assert!(rows[1].get_string(2).unwrap().contains("no"));
    }
}
