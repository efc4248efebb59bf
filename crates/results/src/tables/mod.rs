//! Tables as comma-separated text.
//!
//! A table grows as `NAME.partial` and gets its name when it is complete. Numbers are written with the fewest digits that
//! read back to the same bits.

mod file;
mod parquet_file;
mod read;
mod sparse;

use std::path::Path;

use drystone_questions::answer::Table;

use crate::Error;

pub use file::{Keep, TableFile};
pub(crate) use parquet_file::{Kind, ParquetFile, Values};
pub use read::read_table;
pub use sparse::{SparseColumn, SparseTable};

/// Writes a whole table.
pub fn write_table(path: &Path, table: &Table) -> Result<(), Error> {
    let names: Vec<String> = table.columns.iter().map(|c| c.name.clone()).collect();
    let mut file = TableFile::create(path, &names)?;
    for row in 0..table.rows() {
        file.append(table.row(row))?;
    }
    file.finish()
}

#[cfg(test)]
mod tests {
    use drystone_questions::answer::{Cell, Values};

    use super::*;

    #[test]
    fn tables_come_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("joints.csv");
        let mut table = Table::new("joints")
            .words(&["a"])
            .numbers(&["normal"])
            .maybe(&["opening"]);
        table.push([
            Cell::Text("stone, big"),
            Cell::Number(0.1 + 0.2),
            Cell::Blank,
        ]);
        table.push([Cell::Text("7"), Cell::Number(-0.0), Cell::Number(1e-7)]);
        write_table(&path, &table).unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "a,normal,opening\n\"stone, big\",0.30000000000000004,\n7,-0,1e-7\n"
        );
        assert_eq!(read_table(&path, "joints").unwrap(), table);
        // What is not a number in every row is a word.
        std::fs::write(&path, "a,b\n1,x\n2,3\n").unwrap();
        let read = read_table(&path, "joints").unwrap();
        assert_eq!(read.column("a"), Some(&[1.0, 2.0][..]));
        assert!(matches!(&read.columns[1].values, Values::Words(words) if words[1] == "3"));
        let missing = read_table(&folder.path().join("none.csv"), "none").unwrap_err();
        assert!(missing.to_string().contains("none.csv"), "{missing}");
    }
}
