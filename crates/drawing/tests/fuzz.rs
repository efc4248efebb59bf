//! Damaged files: real ones with bytes, lines and numbers changed thousands of times. Each is read or refused with a
//! message, never with a panic, in reasonable time, and what is read is sound.
//!
//! `DRYSTONE_FUZZ_ROUNDS` sets the number of changed files per sample (default 800), `DRYSTONE_FUZZ_SEED` the seed.

mod common;

use std::time::{Duration, Instant};

use common::{Random, assert_closed, gate};
use drystone_drawing::{Drawing, Format, ReadOptions, Unit, read, write};
use drystone_geometry::convex_parts;

/// Numbers that programs stumble over.
const NUMBERS: [&str; 22] = [
    "",
    "0",
    "-0",
    "1",
    "-1",
    "NaN",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-320",
    "1e999",
    "4294967295",
    "4294967296",
    "-2147483648",
    "9223372036854775807",
    "18446744073709551616",
    "0x10",
    "1,5",
    "1e9",
    "64",
];

fn samples() -> Vec<(&'static str, Format, Vec<u8>)> {
    let solids = gate();
    let written = |format| write(&solids, format).unwrap();
    let stl = written(Format::Stl);
    vec![
        (
            "r2010",
            Format::Dxf,
            include_bytes!("samples/mixed_r2010.dxf").to_vec(),
        ),
        (
            "r12",
            Format::Dxf,
            include_bytes!("samples/mixed_r12.dxf").to_vec(),
        ),
        ("gate.dxf", Format::Dxf, written(Format::Dxf)),
        ("gate.obj", Format::Obj, written(Format::Obj)),
        ("gate.stl", Format::Stl, stl.clone()),
        ("binary.stl", Format::Stl, binary_stl(&stl)),
        ("gate.ply", Format::Ply, written(Format::Ply)),
        ("little.ply", Format::Ply, binary_ply(false)),
        ("big.ply", Format::Ply, binary_ply(true)),
        (
            "assembly",
            Format::Compas,
            include_bytes!("samples/assembly.json").to_vec(),
        ),
        (
            "model",
            Format::Compas,
            include_bytes!("samples/blockmodel.json").to_vec(),
        ),
        (
            "meshes",
            Format::Compas,
            include_bytes!("samples/meshes.json").to_vec(),
        ),
    ]
}

fn binary_stl(text: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(text).unwrap();
    let numbers: Vec<f32> = text
        .lines()
        .filter_map(|line| line.strip_prefix("vertex "))
        .flat_map(|line| line.split(' ').map(|word| word.parse().unwrap()))
        .collect();
    let mut bytes = vec![b' '; 80];
    bytes.extend(((numbers.len() / 9) as u32).to_le_bytes());
    for triangle in numbers.chunks(9) {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn binary_ply(big: bool) -> Vec<u8> {
    let solids = gate();
    let vertices: usize = solids.iter().map(|s| s.vertices.len()).sum();
    let faces: usize = solids.iter().map(|s| s.faces.len()).sum();
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex {vertices}\nproperty double x\nproperty double y\n\
         property double z\nproperty list uchar short extra\nelement face {faces}\nproperty list uchar int vertex_indices\n\
         element other 2\nproperty uchar a\nend_header\n"
    )
    .into_bytes();
    let mut put = |value: &[u8]| {
        let mut value = value.to_vec();
        if big {
            value.reverse();
        }
        bytes.extend(value);
    };
    for v in solids.iter().flat_map(|s| &s.vertices) {
        v.to_array().iter().for_each(|x| put(&x.to_le_bytes()));
        put(&[1]);
        put(&7i16.to_le_bytes());
    }
    let mut first = 0;
    for solid in &solids {
        for face in &solid.faces {
            put(&[face.len() as u8]);
            face.iter()
                .for_each(|v| put(&(first + *v as i32).to_le_bytes()));
        }
        first += solid.vertices.len() as i32;
    }
    bytes.extend([1, 2]);
    bytes
}

/// One change of a file.
fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(18) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.bits() as u8,
        2 => bytes.truncate(at),
        3 => {
            // A stretch left out.
            let end = (at + random.below(64)).min(bytes.len());
            bytes.drain(at..end);
        }
        4 => {
            // A stretch repeated elsewhere.
            let end = (at + random.below(200)).min(bytes.len());
            let stretch = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, stretch);
        }
        5 => change_line(bytes, random),
        6 | 7 => change_number(bytes, random, at),
        // Half of the changes leave the file well-formed, to come past its syntax.
        8..=15 => borrow_number(bytes, random, at),
        16 => drop_pair(bytes, random),
        _ => {
            // Four bytes that say something large in binary files.
            let huge = [
                [0xff; 4],
                [0xff, 0xff, 0xff, 0x7f],
                [0, 0, 0x80, 0x7f],
                [0; 4],
            ];
            let value = huge[random.below(huge.len())];
            for (byte, new) in bytes[at..].iter_mut().zip(value) {
                *byte = new;
            }
        }
    }
}

/// Deletes, doubles or swaps lines.
fn change_line(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|b| *b == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let (i, j) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        0 => {
            lines.remove(i);
        }
        1 => {
            let line = lines[i].clone();
            lines.insert(j, line);
        }
        _ => lines.swap(i, j),
    }
    *bytes = lines.concat();
}

/// Replaces the number at or after a place by one that is odd.
fn change_number(bytes: &mut Vec<u8>, random: &mut Random, at: usize) {
    if let Some(place) = number_at(bytes, at) {
        let number = NUMBERS[random.below(NUMBERS.len())];
        bytes.splice(place, number.bytes());
    }
}

/// Where a number stands at or after a place.
fn number_at(bytes: &[u8], at: usize) -> Option<std::ops::Range<usize>> {
    let is_digit = |b: &u8| b.is_ascii_digit() || b"+-.".contains(b);
    let from = at + bytes[at..].iter().position(is_digit)?;
    let length = bytes[from..].iter().position(|b| !is_digit(b));
    Some(from..length.map_or(bytes.len(), |length| from + length))
}

/// Replaces a whole number of the file by another one of the file.
fn borrow_number(bytes: &mut Vec<u8>, random: &mut Random, at: usize) {
    let (Some(to), Some(from)) = (
        number_at(bytes, at),
        number_at(bytes, random.below(bytes.len())),
    ) else {
        return;
    };
    let number = bytes[from].to_vec();
    bytes.splice(to, number);
}

/// Leaves out two lines that belong together in some formats.
fn drop_pair(bytes: &mut Vec<u8>, random: &mut Random) {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let at = 2 * random.below(lines.len().div_ceil(2));
    let kept = lines
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != at && *i != at + 1);
    *bytes = kept.flat_map(|(_, line)| line.to_vec()).collect();
}

#[test]
fn damaged_files_are_read_or_refused_but_never_break_the_reader() {
    let number = |name: &str, default: u64| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(default)
    };
    let rounds = number("DRYSTONE_FUZZ_ROUNDS", 800);
    let seed = number("DRYSTONE_FUZZ_SEED", 1);
    let (mut sound, mut refused, mut parted) = (0, 0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    for (name, format, original) in samples() {
        let mut random = Random(seed);
        for round in 0..rounds {
            let mut bytes = original.clone();
            for _ in 0..1 + random.below(4) * random.below(2) {
                change(&mut bytes, &mut random);
            }
            let options = ReadOptions {
                unit: (random.below(8) != 0).then_some(Unit::Millimetre),
                snap: [
                    None,
                    None,
                    None,
                    None,
                    None,
                    Some(0.0),
                    Some(1e-9),
                    Some(0.5),
                ][random.below(8)],
                depth: (random.below(4) != 0).then_some(0.3),
                ..ReadOptions::default()
            };
            // Left for whoever looks into a panic.
            let store = std::env::var_os("DRYSTONE_FUZZ_STORE");
            if let Some(path) = &store {
                std::fs::write(path, &bytes).unwrap();
            }
            let started = Instant::now();
            let answer = read(&bytes, format, &options);
            if started.elapsed() > slowest.0 {
                slowest = (started.elapsed(), format!("{name} round {round}"));
                if let (Some(path), true) = (&store, slowest.0.as_millis() > 300) {
                    let mut kept = path.clone();
                    kept.push(format!(".slow.{name}.{round}"));
                    std::fs::write(kept, &bytes).unwrap();
                }
            }
            match answer {
                Ok(drawing) => {
                    sound += 1;
                    for solid in &drawing.solids {
                        assert!(solid.volume() > 0.0, "{name} round {round}: {}", solid.name);
                        assert!(solid.vertices.iter().all(|v| v.is_finite()));
                        assert_closed(solid);
                        // Its parts may not fit, but looking for them ends.
                        let parts = convex_parts(&solid.vertices, &solid.faces);
                        parted += usize::from(parts.is_ok_and(|parts| parts.len() > 1));
                        let count = solid.vertices.len() as u32;
                        assert!(solid.faces.iter().flatten().all(|v| *v < count));
                        assert!(solid.faces.iter().all(|face| face.len() >= 3));
                    }
                    drawing
                        .notes
                        .iter()
                        .for_each(|note| assert!(!note.to_string().is_empty()));
                    // What was repaired once needs no repair: it comes back as it is.
                    let again = write(&drawing.solids, Format::Obj).unwrap();
                    let plain = ReadOptions {
                        unit: Some(Unit::Metre),
                        snap: Some(0.0),
                        ..ReadOptions::default()
                    };
                    let again = read(&again, Format::Obj, &plain)
                        .unwrap_or_else(|fault| panic!("{name} round {round}: {fault}"));
                    let volume = |drawing: &Drawing| -> f64 {
                        drawing.solids.iter().map(|solid| solid.volume()).sum()
                    };
                    let [before, after] = [&drawing, &again].map(volume);
                    assert!(
                        (after / before - 1.0).abs() < 1e-6,
                        "{name} round {round}: {before} {after}"
                    );
                }
                Err(fault) => {
                    refused += 1;
                    assert!(fault.message.len() > 10, "{name} round {round}: {fault}");
                    assert!(!fault.to_string().contains('\n'), "{fault}");
                }
            }
        }
    }
    println!(
        "{sound} read, {parted} solids in parts, {refused} refused, slowest {:?} ({})",
        slowest.0, slowest.1
    );
    // Both happen, or the changes are too harmless or too harsh to find anything.
    assert!(
        sound > rounds && refused > rounds,
        "{sound} read, {refused} refused"
    );
    assert!(parted > 0, "nothing that is not convex was read");
    assert!(slowest.0 < Duration::from_secs(20), "{slowest:?}");
}
