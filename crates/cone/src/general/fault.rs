//! What makes a problem in general form unanswerable.

/// Why a [`crate::GeneralProblem`] or a [`crate::LocalProblem`] could not be asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GeneralFault {
    /// A vector or a matrix side of the wrong length.
    #[error("{field} has {found} {unit}; {wanted}")]
    Length {
        /// What it is.
        field: &'static str,
        /// Length found.
        found: usize,
        /// Entries, rows or columns.
        unit: &'static str,
        /// What would be right.
        wanted: String,
    },
    /// Column pointers that do not match the columns.
    #[error(
        "{matrix} has {found} column pointers; {columns} columns need one for each and one at the end"
    )]
    Starts {
        /// Which matrix.
        matrix: &'static str,
        /// Pointers found.
        found: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A column pointer that falls back or leads beyond the entries.
    #[error(
        "{matrix}: column pointer {column} is {start}; pointers begin with 0, never fall and end with the number of entries, {entries}"
    )]
    Start {
        /// Which matrix.
        matrix: &'static str,
        /// Index of the pointer.
        column: usize,
        /// Its value.
        start: usize,
        /// Entries of the matrix.
        entries: usize,
    },
    /// Row indices and values of different number.
    #[error("{matrix} has {indices} row indices and {values} values; every entry needs both")]
    Entries {
        /// Which matrix.
        matrix: &'static str,
        /// Row indices found.
        indices: usize,
        /// Values found.
        values: usize,
    },
    /// A row that does not exist.
    #[error(
        "{matrix}: an entry of column {column} is in row {row}; rows are 0 to {rows}, the last excluded"
    )]
    Row {
        /// Which matrix.
        matrix: &'static str,
        /// Its column.
        column: usize,
        /// Its row.
        row: usize,
        /// Number of rows.
        rows: usize,
    },
    /// A column that does not exist.
    #[error(
        "triplets: an entry is in column {column}; columns are 0 to {columns}, the last excluded"
    )]
    Column {
        /// Its column.
        column: usize,
        /// Number of columns.
        columns: usize,
    },
    /// Rows of a column out of order, or the same one twice.
    #[error(
        "{matrix}: row {row} of column {column} does not lie below the entry before it; rows must increase, and entries in the same place must be added up"
    )]
    Order {
        /// Which matrix.
        matrix: &'static str,
        /// The column.
        column: usize,
        /// The row.
        row: usize,
    },
    /// An entry that is not a number.
    #[error("{matrix}: the entry in row {row} and column {column} is {value}; it must be finite")]
    Entry {
        /// Which matrix.
        matrix: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Its value.
        value: f64,
    },
    /// A component of a vector that is not a number or out of range.
    #[error("{field} {index} is {value}; {wanted}")]
    Component {
        /// Which vector.
        field: &'static str,
        /// Index of the component.
        index: usize,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
    /// A matrix that should be square.
    #[error("{matrix} has {rows} rows and {columns} columns; it must be square")]
    Square {
        /// Which matrix.
        matrix: &'static str,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// An entry in the half that is said not to be stored.
    #[error(
        "{matrix}: the entry in row {row} and column {column} is outside the {half} triangle, which is said to be all that is stored"
    )]
    Triangle {
        /// Which matrix.
        matrix: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The half that is stored.
        half: &'static str,
    },
    /// Halves that differ.
    #[error(
        "{matrix} is not symmetric: {value} in row {row} and column {column}, {mirrored} in row {column} and column {row}"
    )]
    Asymmetric {
        /// Which matrix.
        matrix: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The entry.
        value: f64,
        /// Its mirror image.
        mirrored: f64,
    },
    /// A diagonal entry that no positive matrix has.
    #[error("{matrix}: the diagonal entry {index} is {value}; {wanted}")]
    Diagonal {
        /// Which matrix.
        matrix: &'static str,
        /// Its row and column.
        index: usize,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
    /// A matrix that is not positive definite.
    #[error(
        "{matrix} is not positive definite: it has no Cholesky factor, although its diagonal is positive"
    )]
    Indefinite {
        /// Which matrix.
        matrix: &'static str,
    },
    /// A matrix that is not semidefinite, and was not before it was rounded.
    #[error(
        "{matrix} is not positive semidefinite: its least eigenvalue is about {least:.2e} and its greatest {greatest:.2e}; down to -1e-6 of the greatest would count as rounding"
    )]
    Negative {
        /// Which matrix.
        matrix: &'static str,
        /// Its least eigenvalue, to a tenth.
        least: f64,
        /// The one farthest from zero.
        greatest: f64,
    },
    /// Numbers so large or small that their quotients are not numbers any more.
    #[error(
        "numbers of {field} are too large or too small to be combined with the others: other units would help"
    )]
    Range {
        /// Where.
        field: &'static str,
    },
    /// The rigid route was asked for, but the problem is not one of rigid bodies.
    #[error("this is no problem of rigid bodies: {why}")]
    NotRigid {
        /// What does not fit.
        why: String,
    },
    /// A setting out of range.
    #[error("{field} is {value}; {wanted}")]
    Setting {
        /// Its name.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
}
