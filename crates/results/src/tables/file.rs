//! A table that grows row by row and survives interruption.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use drystone_questions::answer::Cell;

use crate::Error;
use crate::atomic::{copy_path, partial_path, publish};

/// What of an interrupted table to keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Keep {
    /// This many rows; fewer are an error.
    Rows(u64),
    /// Rows whose first column is at most this.
    UpTo(f64),
}

/// A table being written.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    partial: PathBuf,
    writer: csv::Writer<File>,
    columns: usize,
    rows: u64,
    digits: String,
}

impl TableFile {
    /// Begins a table; what was left of an interrupted one is lost.
    pub fn create(path: &Path, columns: &[String]) -> Result<Self, Error> {
        let partial = partial_path(path);
        let file = File::create(&partial).map_err(Error::file("write", &partial))?;
        let mut table = Self::new(path, partial, file, columns.len(), 0);
        table
            .writer
            .write_record(columns)
            .map_err(|error| csv_error("write", &table.partial, error))?;
        Ok(table)
    }

    /// Goes on with an interrupted table, after cutting off what is not to be kept.
    pub fn resume(path: &Path, columns: &[String], keep: Keep) -> Result<Self, Error> {
        let partial = partial_path(path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&partial)
            .map_err(Error::file("read", &partial))?;
        let (rows, end) = kept(&partial, &file, columns, keep)?;
        file.set_len(end).map_err(Error::file("write", &partial))?;
        file.seek(SeekFrom::Start(end))
            .map_err(Error::file("write", &partial))?;
        Ok(Self::new(path, partial, file, columns.len(), rows))
    }

    fn new(path: &Path, partial: PathBuf, file: File, columns: usize, rows: u64) -> Self {
        Self {
            path: path.to_owned(),
            partial,
            writer: csv::Writer::from_writer(file),
            columns,
            rows,
            digits: String::new(),
        }
    }

    /// Rows so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Appends a row; it must have as many cells as the table has columns.
    pub fn append<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) -> Result<(), Error> {
        let mut count = 0;
        for cell in cells {
            count += 1;
            let written = match cell {
                Cell::Text(text) => self.writer.write_field(text),
                Cell::Blank => self.writer.write_field(""),
                Cell::Number(value) => {
                    self.digits.clear();
                    // Debug formatting gives the shortest digits and an exponent where it saves zeros.
                    let _ = write!(self.digits, "{value:?}");
                    let digits = self.digits.strip_suffix(".0").unwrap_or(&self.digits);
                    self.writer.write_field(digits)
                }
            };
            written.map_err(|error| csv_error("write", &self.partial, error))?;
        }
        if count != self.columns {
            return Err(Error::Encode {
                path: self.path.clone(),
                message: format!("a row of {count} values for {} columns", self.columns),
            });
        }
        self.writer
            .write_record(None::<&[u8]>)
            .map_err(|error| csv_error("write", &self.partial, error))?;
        self.rows += 1;
        Ok(())
    }

    /// Hands everything to the disk; to be called before a checkpoint that counts on these rows is saved.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.writer
            .flush()
            .map_err(Error::file("write", &self.partial))?;
        self.writer
            .get_ref()
            .sync_data()
            .map_err(Error::file("write", &self.partial))
    }

    /// Puts a copy of the rows so far under the final name and stays open to be resumed.
    pub fn publish_copy(&mut self) -> Result<(), Error> {
        self.sync()?;
        let copy = copy_path(&self.path);
        let mut rows = File::open(&self.partial).map_err(Error::file("read", &self.partial))?;
        let mut file = File::create(&copy).map_err(Error::file("write", &copy))?;
        io::copy(&mut rows, &mut file).map_err(Error::file("write", &copy))?;
        publish(&file, &copy, &self.path)
    }

    /// Removes the file that a resumed run would have gone on with; to be called when nobody can need it any more.
    pub fn discard_partial(self) -> Result<(), Error> {
        fs::remove_file(&self.partial).map_err(Error::file("remove", &self.partial))
    }

    /// Gives the complete table its name.
    pub fn finish(mut self) -> Result<(), Error> {
        self.writer
            .flush()
            .map_err(Error::file("write", &self.partial))?;
        publish(self.writer.get_ref(), &self.partial, &self.path)
    }
}

/// Number and end (bytes) of the complete rows to keep.
fn kept(path: &Path, file: &File, columns: &[String], keep: Keep) -> Result<(u64, u64), Error> {
    let mut reader = csv::ReaderBuilder::new().from_reader(file);
    let header = reader
        .headers()
        .map_err(|error| csv_error("read", path, error))?;
    if header.iter().ne(columns.iter().map(String::as_str)) {
        return Err(Error::damaged(
            path,
            "its columns are not those of this analysis, so it cannot be resumed",
        ));
    }
    let mut rows = 0;
    let mut end = reader.position().byte();
    let mut record = csv::StringRecord::new();
    loop {
        if keep == Keep::Rows(rows) {
            return Ok((rows, end));
        }
        // A killed program leaves at most its last row incomplete; what follows is cut off anyway.
        let complete = matches!(reader.read_record(&mut record), Ok(true));
        let first: Option<f64> = record.get(0).and_then(|field| field.parse().ok());
        match (keep, complete, first) {
            (Keep::Rows(_), true, _) => {}
            (Keep::UpTo(limit), true, Some(first)) if first <= limit => {}
            (Keep::UpTo(_), _, _) => return Ok((rows, end)),
            (Keep::Rows(wanted), false, _) => {
                return Err(Error::damaged(
                    path,
                    format!("it has {rows} complete rows, but the checkpoint counts on {wanted}"),
                ));
            }
        }
        rows += 1;
        end = reader.position().byte();
    }
}

fn csv_error(action: &'static str, path: &Path, error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => Error::file(action, path)(source),
        kind => Error::damaged(path, format!("{kind:?}")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn columns() -> Vec<String> {
        ["time", "a,b", "name"].map(str::to_owned).to_vec()
    }

    fn row(table: &mut TableFile, time: f64) {
        table
            .append([
                Cell::Number(time),
                Cell::Number(1.0 / 3.0),
                Cell::Text("x \"y\""),
            ])
            .unwrap();
    }

    #[test]
    fn appears_when_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let mut table = TableFile::create(&path, &columns()).unwrap();
        row(&mut table, 0.0);
        row(&mut table, 1e-7);
        table.sync().unwrap();
        assert!(!path.exists());
        assert_eq!(table.rows(), 2);
        table.finish().unwrap();
        assert!(!partial_path(&path).exists());
        let text = fs::read_to_string(&path).unwrap();
        let third = "0.3333333333333333";
        assert_eq!(
            text,
            format!("time,\"a,b\",name\n0,{third},\"x \"\"y\"\"\"\n1e-7,{third},\"x \"\"y\"\"\"\n")
        );
    }

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let values = [
            0.1 + 0.2,
            -0.0,
            1e300,
            f64::MIN_POSITIVE,
            123456789.123456,
            5e-324,
            1e16,
            2.0,
        ];
        let names: Vec<String> = (0..values.len()).map(|k| k.to_string()).collect();
        let mut table = TableFile::create(&path, &names).unwrap();
        table.append(values.map(Cell::Number)).unwrap();
        table.finish().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let read: Vec<u64> = text
            .lines()
            .nth(1)
            .unwrap()
            .split(',')
            .map(|f| f.parse::<f64>().unwrap().to_bits())
            .collect();
        assert_eq!(read, values.map(f64::to_bits));
    }

    /// Writes rows at times 0, 0.1, ... as if killed, with half a row at the end.
    fn killed(path: &Path, rows: usize) {
        let mut table = TableFile::create(path, &columns()).unwrap();
        for k in 0..rows {
            row(&mut table, 0.1 * k as f64);
        }
        table.sync().unwrap();
        let mut file = OpenOptions::new()
            .append(true)
            .open(partial_path(path))
            .unwrap();
        file.write_all(b"0.9,0.33").unwrap();
    }

    #[test]
    fn resumed_tables_equal_uninterrupted_ones() {
        let folder = tempfile::tempdir().unwrap();
        let straight = folder.path().join("straight.csv");
        let mut table = TableFile::create(&straight, &columns()).unwrap();
        (0..8).for_each(|k| row(&mut table, 0.1 * k as f64));
        table.finish().unwrap();
        let expected = fs::read(&straight).unwrap();

        for (written, keep) in [
            (5, Keep::Rows(4)),
            (5, Keep::Rows(5)),
            (6, Keep::UpTo(0.1 * 3.0)),
            (1, Keep::Rows(0)),
            (4, Keep::UpTo(-1.0)),
        ] {
            let path = folder.path().join("resumed.csv");
            killed(&path, written);
            let mut table = TableFile::resume(&path, &columns(), keep).unwrap();
            (table.rows()..8).for_each(|k| row(&mut table, 0.1 * k as f64));
            table.finish().unwrap();
            assert_eq!(fs::read(&path).unwrap(), expected, "{written} {keep:?}");
        }
    }

    #[test]
    fn what_cannot_be_resumed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        assert!(TableFile::resume(&path, &columns(), Keep::Rows(0)).is_err());
        killed(&path, 3);
        let error = TableFile::resume(&path, &columns(), Keep::Rows(4)).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("3 complete rows, but the checkpoint counts on 4"),
            "{error}"
        );
        let others = vec!["time".to_owned()];
        assert!(TableFile::resume(&path, &others, Keep::Rows(1)).is_err());
    }

    #[test]
    fn a_copy_can_be_looked_at_while_the_table_grows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let mut table = TableFile::create(&path, &columns()).unwrap();
        row(&mut table, 0.0);
        table.publish_copy().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
        row(&mut table, 1.0);
        table.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_row_of_the_wrong_length_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = TableFile::create(&folder.path().join("t.csv"), &columns()).unwrap();
        assert!(table.append([Cell::Number(0.0)]).is_err());
    }
}
