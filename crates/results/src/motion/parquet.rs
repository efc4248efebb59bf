//! The columnar file.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use drystone_geometry::{DQuat, DVec3, Pose};
use parquet::basic::{Compression, Encoding};
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{DataType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::spool::{SpoolReader, SpooledFrame};
use crate::Error;

const SCHEMA: &str = "message motion {
    required int32 frame (integer(32, false));
    required double time;
    required int32 block (integer(32, false));
    required double x;
    required double y;
    required double z;
    required double qx;
    required double qy;
    required double qz;
    required double qw;
}";

const FORMAT: &str = "drystone motion 1";

/// Rows per group, about: what is held in memory while writing, some 50 MB.
const GROUP_ROWS: usize = 1 << 19;

/// The motion of all blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionRecord {
    /// Names.
    pub blocks: Vec<String>,
    /// Times of the frames, s.
    pub times: Vec<f64>,
    /// Poses of all blocks, frame by frame.
    pub poses: Vec<Vec<Pose>>,
}

/// Turns a spool into a file.
pub(super) fn write(spool_path: &Path, path: &Path, file: &File) -> Result<(), Error> {
    let mut spool = SpoolReader::open(spool_path)?;
    let blocks = spool.blocks.len();
    let fault = |error: ParquetError| Error::Encode {
        path: path.to_owned(),
        message: error.to_string(),
    };
    let schema = Arc::new(parse_message_type(SCHEMA).map_err(fault)?);
    let properties = Arc::new(properties(&spool.blocks, path)?);
    let mut writer = SerializedFileWriter::new(file, schema, properties).map_err(fault)?;
    let frames_per_group = (GROUP_ROWS / blocks.max(1)).max(1);
    let mut done = 0;
    while done < spool.frames {
        let count = (spool.frames - done).min(frames_per_group as u64);
        let mut frames = Vec::with_capacity(count as usize);
        for _ in 0..count {
            frames.push(spool.read(spool_path)?);
        }
        let mut group = writer.next_row_group().map_err(fault)?;
        write_group(&mut group, done, blocks, &frames).map_err(fault)?;
        group.close().map_err(fault)?;
        done += count;
    }
    writer.close().map_err(fault)?;
    Ok(())
}

fn properties(blocks: &[String], path: &Path) -> Result<WriterProperties, Error> {
    let names = serde_json::to_string(blocks).map_err(|error| Error::Encode {
        path: path.to_owned(),
        message: error.to_string(),
    })?;
    let metadata = [
        ("format", FORMAT),
        ("blocks", names.as_str()),
        ("units", "time s; x y z m; qx qy qz qw unit quaternion"),
    ]
    .map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned()));
    let mut builder = WriterProperties::builder()
        .set_created_by(format!("drystone {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(metadata.to_vec()))
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        // One value per frame, repeated for every block: a dictionary reduces it to almost nothing.
        .set_column_dictionary_enabled(ColumnPath::from("time"), true);
    for name in ["frame", "block"] {
        builder =
            builder.set_column_encoding(ColumnPath::from(name), Encoding::DELTA_BINARY_PACKED);
    }
    Ok(builder.build())
}

fn write_group(
    group: &mut SerializedRowGroupWriter<'_, &File>,
    first_frame: u64,
    blocks: usize,
    frames: &[SpooledFrame],
) -> Result<(), ParquetError> {
    let numbers = |f: fn(usize, usize) -> usize, offset: u64| -> Vec<i32> {
        (0..frames.len())
            .flat_map(|frame| {
                (0..blocks).map(move |block| (f(frame, block) as u64 + offset) as u32 as i32)
            })
            .collect()
    };
    write_column::<Int32Type>(group, &numbers(|frame, _| frame, first_frame))?;
    let times: Vec<f64> = frames
        .iter()
        .flat_map(|frame| std::iter::repeat_n(frame.time, blocks))
        .collect();
    write_column::<DoubleType>(group, &times)?;
    write_column::<Int32Type>(group, &numbers(|_, block| block, 0))?;
    for component in 0..7 {
        let values: Vec<f64> = frames
            .iter()
            .flat_map(|frame| frame.poses.iter().map(|pose| pose_values(pose)[component]))
            .collect();
        write_column::<DoubleType>(group, &values)?;
    }
    Ok(())
}

fn pose_values(pose: &Pose) -> [f64; 7] {
    let [x, y, z] = pose.position.to_array();
    let [qx, qy, qz, qw] = pose.rotation.to_array();
    [x, y, z, qx, qy, qz, qw]
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &File>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let mut column = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("more columns than the schema has".to_owned()))?;
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

/// Reads a motion file as a whole.
pub fn read_motion(path: &Path) -> Result<MotionRecord, Error> {
    read_motion_frames(path, |_| true)
}

/// Reads those frames of a motion file, counted from 0, that are `wanted`.
pub fn read_motion_frames(
    path: &Path,
    wanted: impl Fn(usize) -> bool,
) -> Result<MotionRecord, Error> {
    let file = File::open(path).map_err(Error::file("read", path))?;
    let fault = |error: ParquetError| Error::damaged(path, error.to_string());
    let reader = SerializedFileReader::new(file).map_err(fault)?;
    let metadata = reader.metadata().file_metadata();
    let value = |key: &str| {
        let pairs = metadata.key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
    };
    if value("format") != Some(FORMAT) {
        return Err(Error::damaged(path, "not a motion file of this program"));
    }
    let blocks: Vec<String> = value("blocks")
        .and_then(|names| serde_json::from_str(names).ok())
        .ok_or_else(|| Error::damaged(path, "the names of the blocks are missing"))?;
    let mut record = MotionRecord {
        times: Vec::new(),
        poses: Vec::new(),
        blocks,
    };
    let mut first = 0;
    for index in 0..reader.num_row_groups() {
        let group = reader.get_row_group(index).map_err(fault)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let frames = rows / record.blocks.len().max(1);
        if (first..first + frames).any(&wanted) {
            read_group(
                group.as_ref(),
                path,
                |frame| wanted(first + frame),
                &mut record,
            )?;
        }
        first += frames;
    }
    Ok(record)
}

/// Appends the `wanted` frames of a row group, which holds whole frames only.
fn read_group(
    group: &dyn RowGroupReader,
    path: &Path,
    wanted: impl Fn(usize) -> bool,
    record: &mut MotionRecord,
) -> Result<(), Error> {
    let fault = |error: ParquetError| Error::damaged(path, error.to_string());
    let blocks = record.blocks.len();
    let times = read_column::<DoubleType>(group, 1).map_err(fault)?;
    let mut columns = Vec::with_capacity(7);
    for index in 3..10 {
        columns.push(read_column::<DoubleType>(group, index).map_err(fault)?);
    }
    let rows = times.len();
    if blocks == 0 || rows % blocks != 0 || columns.iter().any(|column| column.len() != rows) {
        return Err(Error::damaged(path, "rows and blocks do not fit"));
    }
    for first in (0..rows)
        .step_by(blocks)
        .filter(|first| wanted(first / blocks))
    {
        record.times.push(times[first]);
        let pose = |row: usize| Pose {
            position: DVec3::new(columns[0][row], columns[1][row], columns[2][row]),
            rotation: DQuat::from_xyzw(
                columns[3][row],
                columns[4][row],
                columns[5][row],
                columns[6][row],
            ),
        };
        record
            .poses
            .push((first..first + blocks).map(pose).collect());
    }
    Ok(())
}

fn read_column<T: DataType>(
    group: &dyn RowGroupReader,
    index: usize,
) -> Result<Vec<T::T>, ParquetError> {
    let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
    let mut reader = get_typed_column_reader::<T>(group.get_column_reader(index)?);
    let mut values = Vec::with_capacity(rows);
    while values.len() < rows {
        let (records, ..) = reader.read_records(rows - values.len(), None, None, &mut values)?;
        if records == 0 {
            break;
        }
    }
    Ok(values)
}
