//! Tables from comma-separated text.

use std::fs::File;
use std::path::Path;

use drystone_questions::answer::{Column, Table, Values};

use crate::Error;

/// Reads a table. A column is one of numbers if every value that is there is a number.
pub fn read_table(path: &Path, name: &'static str) -> Result<Table, Error> {
    let damaged = |error: csv::Error| Error::damaged(path, error.to_string());
    // Opened here, so that a missing file is named with the system's reason.
    let file = File::open(path).map_err(Error::file("read", path))?;
    let mut reader = csv::Reader::from_reader(file);
    let names: Vec<String> = reader
        .headers()
        .map_err(damaged)?
        .iter()
        .map(str::to_owned)
        .collect();
    let mut columns: Vec<Vec<String>> = vec![Vec::new(); names.len()];
    for record in reader.records() {
        let record = record.map_err(damaged)?;
        for (column, text) in columns.iter_mut().zip(record.iter()) {
            column.push(text.to_owned());
        }
    }
    let mut table = Table::new(name);
    table.columns = names
        .into_iter()
        .zip(columns)
        .map(|(name, texts)| Column {
            name,
            values: values(texts),
        })
        .collect();
    Ok(table)
}

fn values(texts: Vec<String>) -> Values {
    let number = |text: &str| text.parse::<f64>().ok();
    if let Some(numbers) = texts.iter().map(|text| number(text)).collect() {
        return Values::Numbers(numbers);
    }
    let maybe = |text: &String| match text.as_str() {
        "" => Some(None),
        text => number(text).map(Some),
    };
    match texts.iter().map(maybe).collect::<Option<Vec<_>>>() {
        // A column without any number is one of words that are not there.
        Some(numbers) if numbers.iter().any(Option::is_some) => Values::Maybe(numbers),
        _ => Values::Words(texts),
    }
}
