use std::fs::OpenOptions;
use std::io::Write;

use drystone_geometry::{DQuat, DVec3};

use super::*;
use crate::read_motion;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|k| format!("block \"{k}\", ü")).collect()
}

fn poses(frame: usize, blocks: usize) -> Vec<Pose> {
    (0..blocks)
        .map(|block| {
            let t = frame as f64 * 0.01;
            Pose {
                position: DVec3::new(block as f64 / 3.0, (t + block as f64).sin(), -0.0),
                rotation: DQuat::from_scaled_axis(DVec3::new(0.1 * t, 0.3, 1.0 / 7.0)),
            }
        })
        .collect()
}

fn time(frame: usize) -> f64 {
    0.1 * frame as f64
}

fn write_frames(writer: &mut MotionWriter, frames: std::ops::Range<usize>, blocks: usize) {
    for frame in frames {
        writer.append(time(frame), &poses(frame, blocks)).unwrap();
    }
}

#[test]
fn comes_back_with_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.parquet");
    let mut writer = MotionWriter::create(&path, &names(5)).unwrap();
    write_frames(&mut writer, 0..40, 5);
    assert_eq!(writer.frames(), 40);
    assert!(!path.exists());
    writer.finish().unwrap();
    let record = read_motion(&path).unwrap();
    assert_eq!(record.blocks, names(5));
    for frame in 0..40 {
        assert_eq!(record.times[frame].to_bits(), time(frame).to_bits());
        assert_eq!(record.poses[frame], poses(frame, 5));
        assert!(record.poses[frame][0].position.z.is_sign_negative());
    }
    assert_eq!(record.times.len(), 40);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn resumed_files_equal_uninterrupted_ones() {
    let folder = tempfile::tempdir().unwrap();
    let straight = folder.path().join("straight.parquet");
    let mut writer = MotionWriter::create(&straight, &names(3)).unwrap();
    write_frames(&mut writer, 0..30, 3);
    writer.finish().unwrap();

    let path = folder.path().join("motion.parquet");
    let mut writer = MotionWriter::create(&path, &names(3)).unwrap();
    write_frames(&mut writer, 0..17, 3);
    // Dropped as if killed, with half a frame at the end.
    drop(writer);
    let mut spool = OpenOptions::new()
        .append(true)
        .open(partial_path(&path))
        .unwrap();
    spool.write_all(&[7; 25]).unwrap();
    let mut writer = MotionWriter::resume(&path, &names(3), 12).unwrap();
    write_frames(&mut writer, 12..30, 3);
    writer.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), fs::read(&straight).unwrap());
}

#[test]
fn a_killed_run_can_be_looked_at_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.parquet");
    let mut writer = MotionWriter::create(&path, &names(2)).unwrap();
    write_frames(&mut writer, 0..9, 2);
    drop(writer);
    let spool = OpenOptions::new()
        .write(true)
        .open(partial_path(&path))
        .unwrap();
    let size = spool.metadata().unwrap().len();
    spool.set_len(size - 1).unwrap();
    assert_eq!(recover_motion(&path).unwrap(), 8);
    assert_eq!(read_motion(&path).unwrap().times.len(), 8);
    let error = MotionWriter::resume(&path, &names(2), 9).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("8 frames, but the checkpoint counts on 9"),
        "{error}"
    );
    assert!(MotionWriter::resume(&path, &names(3), 1).is_err());
    assert_eq!(
        MotionWriter::resume(&path, &names(2), 8).unwrap().frames(),
        8
    );
}

#[test]
fn many_rows_make_several_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.parquet");
    let blocks = 100_000;
    let mut writer = MotionWriter::create(&path, &vec![String::new(); blocks]).unwrap();
    let still = poses(1, blocks);
    for frame in 0..7 {
        writer.append(time(frame), &still).unwrap();
    }
    let spool_size = fs::metadata(partial_path(&path)).unwrap().len();
    writer.finish().unwrap();
    let record = read_motion(&path).unwrap();
    assert_eq!(record.times, (0..7).map(time).collect::<Vec<_>>());
    assert!(record.poses.iter().all(|frame| *frame == still));
    // Rotations and heights are alike for all blocks here: less than half of the plain size.
    assert!(2 * fs::metadata(&path).unwrap().len() < spool_size);
}

#[test]
fn an_empty_motion_is_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.parquet");
    MotionWriter::create(&path, &names(2))
        .unwrap()
        .finish()
        .unwrap();
    assert!(read_motion(&path).unwrap().times.is_empty());
}

#[test]
fn foreign_and_damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.parquet");
    for bytes in [
        &b""[..],
        b"short",
        b"PAR1 this is not a parquet file PAR1",
        &[0xff; 64],
    ] {
        fs::write(&path, bytes).unwrap();
        assert!(matches!(read_motion(&path), Err(Error::Damaged { .. })));
        fs::write(partial_path(&path), bytes).unwrap();
        assert!(matches!(recover_motion(&path), Err(Error::Damaged { .. })));
    }
    let mut writer = MotionWriter::create(&path, &names(2)).unwrap();
    assert!(writer.append(0.0, &poses(0, 3)).is_err());
}
