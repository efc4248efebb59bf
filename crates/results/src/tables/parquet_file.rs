//! Tables as Parquet: the one place that knows how their files are laid out. Motions, which have columns of their own, are written in `motion`.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Words.
    Text,
}

/// Values of a column; where some are absent, those that are there.
pub(crate) enum Values {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers.
    Number(Vec<f64>),
    /// Words.
    Text(Vec<ByteArray>),
}

/// A table under way.
pub(crate) struct ParquetFile<'f>(SerializedFileWriter<&'f File>);

impl<'f> ParquetFile<'f> {
    /// A table of columns by name and kind, whose values may be absent if they are `sparse`.
    pub(crate) fn begin<'n>(
        file: &'f File,
        name: &str,
        columns: impl Iterator<Item = (&'n str, Kind)>,
        sparse: bool,
    ) -> Result<Self, ParquetError> {
        let repetition = match sparse {
            true => Repetition::OPTIONAL,
            false => Repetition::REQUIRED,
        };
        let field = |(name, kind)| {
            let (physical, logical) = match kind {
                Kind::Whole => (Physical::INT64, None),
                Kind::Number => (Physical::DOUBLE, None),
                Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            Type::primitive_type_builder(name, physical)
                .with_repetition(repetition)
                .with_logical_type(logical)
                .build()
                .map(Arc::new)
        };
        let fields = columns.map(field).collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder(name).with_fields(fields).build()?;
        let properties = WriterProperties::builder()
            .set_created_by(format!("drystone {}", env!("CARGO_PKG_VERSION")))
            .set_compression(Compression::SNAPPY)
            .build();
        SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).map(Self)
    }

    /// Writes a group of rows, column by column; with `there`, for each row 1 if it has a value and 0 if not.
    pub(crate) fn group(
        &mut self,
        columns: impl Iterator<Item = (Values, Option<Vec<i16>>)>,
    ) -> Result<(), ParquetError> {
        let mut group = self.0.next_row_group()?;
        for (values, there) in columns {
            let Some(mut to) = group.next_column()? else {
                break;
            };
            let there = there.as_deref();
            match &values {
                Values::Whole(values) => {
                    to.typed::<Int64Type>().write_batch(values, there, None)?
                }
                Values::Number(values) => {
                    to.typed::<DoubleType>().write_batch(values, there, None)?
                }
                Values::Text(values) => to
                    .typed::<ByteArrayType>()
                    .write_batch(values, there, None)?,
            };
            to.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Completes the file.
    pub(crate) fn end(self) -> Result<(), ParquetError> {
        self.0.close().map(|_| ())
    }
}
