//! Sparse matrices as plain numbers, column by column.

use serde::{Deserialize, Serialize};

use super::fault::GeneralFault;

/// Relative asymmetry that is taken for rounding, in units of the root of both diagonal entries.
const SYMMETRY_TOLERANCE: f64 = 1e-9;
/// Columns of a matrix made from triplets at most: more pointers than that fit no memory.
const MOST_COLUMNS: usize = 1 << 32;

/// A sparse matrix in compressed columns (CSC), as in scipy, Matlab and FCLIB.
///
/// Rows within a column increase; an entry that is not there is zero.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SparseMatrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Where each column begins in the two vectors below, and at last their length: `columns + 1` numbers.
    pub starts: Vec<usize>,
    /// Row of each entry.
    pub indices: Vec<usize>,
    /// Value of each entry.
    pub values: Vec<f64>,
}

impl SparseMatrix {
    /// Puts entries `(row, column, value)` in order, adding up those in the same place.
    pub fn from_triplets(
        rows: usize,
        columns: usize,
        entries: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<Self, GeneralFault> {
        if columns > MOST_COLUMNS {
            return Err(GeneralFault::Length {
                field: "triplets",
                found: columns,
                unit: "columns",
                wanted: format!("at most {MOST_COLUMNS} fit"),
            });
        }
        let mut sorted: Vec<(usize, usize, f64)> = Vec::new();
        for (row, column, value) in entries {
            if column >= columns {
                return Err(GeneralFault::Column { column, columns });
            }
            if row >= rows {
                return Err(GeneralFault::Row {
                    matrix: "triplets",
                    column,
                    row,
                    rows,
                });
            }
            sorted.push((column, row, value));
        }
        sorted.sort_by_key(|&(column, row, _)| (column, row));
        let mut matrix = Self {
            rows,
            columns,
            starts: vec![0],
            indices: Vec::with_capacity(sorted.len()),
            values: Vec::with_capacity(sorted.len()),
        };
        let mut last = None;
        for (column, row, value) in sorted {
            if last == Some((column, row)) {
                if let Some(sum) = matrix.values.last_mut() {
                    *sum += value;
                }
                continue;
            }
            while matrix.starts.len() <= column {
                matrix.starts.push(matrix.indices.len());
            }
            matrix.indices.push(row);
            matrix.values.push(value);
            last = Some((column, row));
        }
        matrix.starts.resize(columns + 1, matrix.indices.len());
        Ok(matrix)
    }

    /// Entries of one column as `(row, value)`.
    pub fn column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[column]..self.starts[column + 1];
        range.map(|k| (self.indices[k], self.values[k]))
    }

    /// All entries as `(row, column, value)`.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.columns).flat_map(move |c| self.column(c).map(move |(r, x)| (r, c, x)))
    }

    /// The value in one place; zero where nothing is stored.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.find(row, column).map_or(0.0, |k| self.values[k])
    }

    /// Where an entry is stored, if it is.
    fn find(&self, row: usize, column: usize) -> Option<usize> {
        let range = self.starts[column]..self.starts[column + 1];
        let found = self.indices[range.clone()].binary_search(&row);
        found.ok().map(|k| range.start + k)
    }

    /// The product with a vector.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.rows];
        for (row, column, value) in self.entries() {
            out[row] += value * x[column];
        }
        out
    }

    /// The product of the transpose with a vector.
    pub fn transpose_times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.columns)
            .map(|c| self.column(c).map(|(r, value)| value * x[r]).sum())
            .collect()
    }

    /// Finds the first fault: lengths, order, indices out of range, numbers that are not finite.
    pub(super) fn validate(&self, matrix: &'static str) -> Result<(), GeneralFault> {
        let wanted = self.columns.checked_add(1);
        if wanted != Some(self.starts.len()) {
            return Err(GeneralFault::Starts {
                matrix,
                found: self.starts.len(),
                columns: self.columns,
            });
        }
        if self.indices.len() != self.values.len() {
            return Err(GeneralFault::Entries {
                matrix,
                indices: self.indices.len(),
                values: self.values.len(),
            });
        }
        let mut before = 0;
        for (column, &start) in self.starts.iter().enumerate() {
            let right = if column == 0 {
                start == 0
            } else if column == self.columns {
                start == self.indices.len() && start >= before
            } else {
                start >= before && start <= self.indices.len()
            };
            if !right {
                return Err(GeneralFault::Start {
                    matrix,
                    column,
                    start,
                    entries: self.indices.len(),
                });
            }
            before = start;
        }
        for column in 0..self.columns {
            let mut above = None;
            for (row, value) in self.column(column) {
                if row >= self.rows {
                    return Err(GeneralFault::Row {
                        matrix,
                        column,
                        row,
                        rows: self.rows,
                    });
                }
                if above.is_some_and(|above| above >= row) {
                    return Err(GeneralFault::Order {
                        matrix,
                        column,
                        row,
                    });
                }
                if !value.is_finite() {
                    return Err(GeneralFault::Entry {
                        matrix,
                        row,
                        column,
                        value,
                    });
                }
                above = Some(row);
            }
        }
        Ok(())
    }
}

/// Which entries of a symmetric matrix are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stored {
    /// All; both halves are compared, and their mean is used.
    #[default]
    Full,
    /// The diagonal and what is above it.
    Upper,
    /// The diagonal and what is below it.
    Lower,
}

/// A symmetric sparse matrix.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SymmetricMatrix {
    /// The entries that are stored.
    pub matrix: SparseMatrix,
    /// Which of them those are.
    pub stored: Stored,
}

impl SymmetricMatrix {
    /// All entries, once both halves have been found to agree.
    pub(super) fn full(&self, name: &'static str) -> Result<SparseMatrix, GeneralFault> {
        let m = &self.matrix;
        m.validate(name)?;
        if m.rows != m.columns {
            return Err(GeneralFault::Square {
                matrix: name,
                rows: m.rows,
                columns: m.columns,
            });
        }
        let diagonal: Vec<f64> = (0..m.rows).map(|k| m.at(k, k).abs()).collect();
        let mut entries = Vec::with_capacity(2 * m.values.len());
        for (row, column, value) in m.entries() {
            let inside = match self.stored {
                Stored::Full => true,
                Stored::Upper => row <= column,
                Stored::Lower => row >= column,
            };
            if !inside && value != 0.0 {
                return Err(GeneralFault::Triangle {
                    matrix: name,
                    row,
                    column,
                    half: if self.stored == Stored::Upper {
                        "upper"
                    } else {
                        "lower"
                    },
                });
            }
            if !inside {
                continue;
            }
            let mut mean = value;
            if self.stored == Stored::Full {
                let place = m.find(column, row);
                // Of a pair that is stored twice the one above the diagonal speaks for both.
                if row > column && place.is_some() {
                    continue;
                }
                let mirrored = place.map_or(0.0, |k| m.values[k]);
                let scale = (diagonal[row] * diagonal[column]).sqrt();
                if (value - mirrored).abs() > SYMMETRY_TOLERANCE * scale.max(value.abs()) {
                    return Err(GeneralFault::Asymmetric {
                        matrix: name,
                        row,
                        column,
                        value,
                        mirrored,
                    });
                }
                mean = 0.5 * value + 0.5 * mirrored;
            }
            entries.push((row, column, mean));
            if row != column {
                entries.push((column, row, mean));
            }
        }
        SparseMatrix::from_triplets(m.rows, m.columns, entries)
    }
}
