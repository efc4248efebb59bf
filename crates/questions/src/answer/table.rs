//! Tables by columns: what a `.csv` holds, before it is text.

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Of its file, without extension.
    pub name: &'static str,
    /// All of one length.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Heading.
    pub name: String,
    /// From the first row on.
    pub values: Values,
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// SI.
    Numbers(Vec<f64>),
    /// Numbers of which some are not there.
    Maybe(Vec<Option<f64>>),
    /// Words.
    Words(Vec<String>),
}

/// One value of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// A number.
    Number(f64),
    /// A word.
    Text(&'a str),
    /// Nothing.
    Blank,
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Maybe(values) => values.len(),
            Self::Words(values) => values.len(),
        }
    }

    /// Whether the value was one of this kind; what is not is left out.
    fn push(&mut self, cell: Cell<'_>) -> bool {
        let fits = match (&*self, cell) {
            (Self::Numbers(_), Cell::Number(_)) | (Self::Words(_), Cell::Text(_)) => true,
            (Self::Words(_), Cell::Blank) => true,
            (Self::Maybe(_), Cell::Number(_) | Cell::Blank) => true,
            (Self::Numbers(_), _) | (Self::Maybe(_) | Self::Words(_), _) => false,
        };
        match (self, cell) {
            (Self::Numbers(values), Cell::Number(value)) => values.push(value),
            (Self::Numbers(values), _) => values.push(f64::NAN),
            (Self::Maybe(values), Cell::Number(value)) => values.push(Some(value)),
            (Self::Maybe(values), _) => values.push(None),
            (Self::Words(values), Cell::Text(value)) => values.push(value.to_owned()),
            (Self::Words(values), _) => values.push(String::new()),
        }
        fits
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Self::Numbers(values) => Cell::Number(values[row]),
            Self::Maybe(values) => values[row].map_or(Cell::Blank, Cell::Number),
            Self::Words(values) => Cell::Text(&values[row]),
        }
    }
}

impl Table {
    /// A table without columns.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            columns: Vec::new(),
        }
    }

    /// With columns of words.
    pub fn words(self, names: &[&str]) -> Self {
        self.with(names, || Values::Words(Vec::new()))
    }

    /// With columns of numbers.
    pub fn numbers<S: AsRef<str>>(self, names: &[S]) -> Self {
        self.with(names, || Values::Numbers(Vec::new()))
    }

    /// With columns of numbers of which some may be missing.
    pub fn maybe(self, names: &[&str]) -> Self {
        self.with(names, || Values::Maybe(Vec::new()))
    }

    fn with<S: AsRef<str>>(mut self, names: &[S], values: fn() -> Values) -> Self {
        self.columns.extend(names.iter().map(|name| Column {
            name: name.as_ref().to_owned(),
            values: values(),
        }));
        self
    }

    /// Appends a row, which has a cell of its kind for every column: anything else is a mistake of the program.
    pub fn push<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) {
        let mut cells = cells.into_iter();
        let mut fits = true;
        for column in &mut self.columns {
            fits &= column.values.push(cells.next().unwrap_or(Cell::Blank));
        }
        fits &= cells.next().is_none();
        debug_assert!(fits, "a row of {} does not fit its columns", self.name);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// A row, cell by cell.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Cell<'_>> {
        let columns = self.columns.iter();
        columns.map(move |column| column.values.cell(row))
    }

    /// The numbers of a column; nothing if there is no such column of numbers.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let column = self.columns.iter().find(|column| column.name == name)?;
        match &column.values {
            Values::Numbers(values) => Some(values),
            Values::Maybe(_) | Values::Words(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_they_went_in() {
        let mut table = Table::new("joints")
            .words(&["a"])
            .numbers(&["normal"])
            .maybe(&["opening"]);
        table.push([Cell::Text("b1"), Cell::Number(2.0), Cell::Blank]);
        table.push([Cell::Text("b2"), Cell::Number(-1.0), Cell::Number(0.5)]);
        assert_eq!(table.rows(), 2);
        let row: Vec<Cell> = table.row(1).collect();
        assert_eq!(
            row,
            [Cell::Text("b2"), Cell::Number(-1.0), Cell::Number(0.5)]
        );
        assert_eq!(table.column("normal"), Some(&[2.0, -1.0][..]));
        assert_eq!(table.column("opening"), None);
        assert_eq!(table.row(0).nth(2), Some(Cell::Blank));
    }
}
