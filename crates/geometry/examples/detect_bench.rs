//! Time of contact detection in a trembling wall: `cargo run --release -p drystone-geometry --example detect_bench`.
//!
//! Running bond of 0.4 x 0.2 x 0.2 m blocks; every block is displaced by about 1e-5 m and turned by as much at each
//! step. One thread, unless `RAYON_NUM_THREADS` says otherwise.

use std::time::Instant;

use drystone_geometry::{DQuat, DVec3, Detector, Polyhedron, Pose};

/// Uniform in -1..1, the same on every machine.
fn random(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn wall(blocks: usize) -> Vec<Pose> {
    let per_course = (2.0 * blocks as f64).sqrt().ceil() as usize;
    (0..blocks)
        .map(|i| {
            let (course, place) = (i / per_course, i % per_course);
            let x = 0.4 * place as f64 + if course % 2 == 0 { 0.0 } else { 0.2 };
            Pose::at(DVec3::new(x, 0.0, 0.2 * course as f64))
        })
        .collect()
}

/// Median seconds per step, and the size of the last contact set.
fn time(blocks: usize, steps: usize) -> Result<(f64, usize, usize), drystone_geometry::ShapeFault> {
    let half = DVec3::new(0.2, 0.1, 0.1);
    let shape = Polyhedron::cuboid(-half, half)?;
    let mut detector = Detector::new(vec![shape; blocks], vec![false; blocks]);
    let rest = wall(blocks);
    let margins = vec![1e-3; blocks];
    let mut state = 1;
    let mut seconds = Vec::new();
    let mut found = (0, 0);
    for step in 0..=steps {
        let mut tremble =
            || 1e-5 * DVec3::new(random(&mut state), random(&mut state), random(&mut state));
        let poses: Vec<Pose> = rest
            .iter()
            .map(|pose| Pose {
                position: pose.position + tremble(),
                rotation: DQuat::from_scaled_axis(tremble()),
            })
            .collect();
        let start = Instant::now();
        let contacts = detector.detect(&poses, &margins);
        found = (contacts.manifolds.len(), contacts.points.len());
        // The first step builds the tree.
        if step > 0 {
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    seconds.sort_by(f64::total_cmp);
    Ok((seconds[steps / 2], found.0, found.1))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = std::env::var("RAYON_NUM_THREADS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()?;
    println!(
        "{:>8} {:>10} {:>10} {:>12} {:>10}",
        "blocks", "manifolds", "points", "ms per step", "exponent"
    );
    let mut before: Option<(usize, f64)> = None;
    for (blocks, steps) in [(1000, 100), (5000, 40), (50_000, 8)] {
        let (seconds, manifolds, points) = time(blocks, steps)?;
        let growth = before.map_or(String::new(), |(n, t)| {
            format!(
                "{:.2}",
                (seconds / t).ln() / (blocks as f64 / n as f64).ln()
            )
        });
        println!(
            "{blocks:>8} {manifolds:>10} {points:>10} {:>12.2} {growth:>10}",
            1e3 * seconds
        );
        before = Some((blocks, seconds));
    }
    Ok(())
}
