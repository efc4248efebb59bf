//! Writes a wall of very many blocks as a model file, reads it back, and says how long that took and how much memory.
//!
//! `cargo run --release -p drystone-model --example big_model -- [BLOCKS] [toml|json] [FOLDER]`

use std::time::Instant;

use drystone_model::structures::{Structure, Wall};
use drystone_model::{BlockSpec, InterfaceSpec, MaterialSpec, ModelSpec, load};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments
        .next()
        .map_or(Ok(1_000_000), |text| text.parse())?;
    let extension = arguments.next().unwrap_or_else(|| "toml".into());
    let folder = arguments.next().map_or_else(std::env::temp_dir, Into::into);
    let path = folder.join(format!("drystone-big-model.{extension}"));

    let started = Instant::now();
    write(count, &path)?;
    let megabytes = std::fs::metadata(&path)?.len() as f64 / 1e6;
    println!(
        "wrote {megabytes:.0} MB in {:.1} s",
        started.elapsed().as_secs_f64()
    );
    forget_peak();

    let started = Instant::now();
    let model = load(&path)?;
    println!(
        "read {} blocks in {:.1} s, peak memory {} MB",
        model.blocks.len(),
        started.elapsed().as_secs_f64(),
        peak_megabytes().map_or("unknown".into(), |peak| peak.to_string())
    );
    std::fs::remove_file(&path)?;
    Ok(())
}

fn write(count: usize, path: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let courses = ((count as f64 / 4.0).sqrt().ceil() as usize).max(1);
    let length = count.div_ceil(courses) as f64 * 0.4;
    let wall = Wall {
        length: Some(length),
        courses: Some(u32::try_from(courses)?),
        thickness: 0.2,
        block: Some([0.4, 0.2]),
        ..Wall::default()
    };
    let mut spec = ModelSpec::default();
    spec.material.push(MaterialSpec {
        name: "stone".into(),
        density: 2000.0,
    });
    let between = ["*".to_owned(), "*".to_owned()];
    spec.interface.push(InterfaceSpec {
        between,
        friction: 0.65,
        ..InterfaceSpec::default()
    });
    let (min, max) = ([-0.5, -0.5, -0.5], [length + 0.5, 0.7, 0.0]);
    let ground = BlockSpec::cuboid("ground", "stone", min, max).supported();
    spec.block.push(ground);
    let pieces = wall.pieces().map_err(|misfits| format!("{misfits:?}"))?;
    let blocks = pieces.into_iter().map(|piece| BlockSpec {
        name: Some(format!("wall.{}", piece.name)),
        material: "stone".into(),
        vertices: piece.vertices.iter().map(|v| v.to_array()).collect(),
        ..BlockSpec::default()
    });
    spec.block.extend(blocks.take(count.saturating_sub(1)));
    let text = match path.extension() {
        Some(extension) if extension == "json" => spec.to_json()?,
        _ => spec.to_toml()?,
    };
    std::fs::write(path, text)?;
    Ok(())
}

/// Resets the kernel's high-water mark, so that writing does not count.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The kernel's high-water mark of resident memory; Linux only.
fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim()
        .trim_end_matches(" kB")
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes / 1024)
}
