//! The kernels alone: `cargo bench -p drystone-bench`. Whole structures are `drystone bench`.
//!
//! Problems are steps of a wall in collapse, the state that costs most. All on one thread, that of a pool of its own: in the global pool the
//! numbers would depend on the machine's.

use drystone_bench::{Family, Motion, step_problem};
use drystone_cone::{Settings, Solver, StoredProblem, residual};
use drystone_geometry::{Detector, Pose};

const SIZES: [usize; 2] = [200, 1000];

fn main() {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(divan::main),
        Err(error) => panic!("no thread for the benchmarks: {error}"),
    }
}

fn collapse(blocks: usize) -> StoredProblem {
    step_problem(Family::Wall, blocks, Motion::Collapse).unwrap_or_else(|reason| panic!("{reason}"))
}

#[divan::bench(args = SIZES, max_time = 5)]
fn solve_cold(bencher: divan::Bencher<'_, '_>, blocks: usize) {
    let stored = collapse(blocks);
    bencher.bench_local(|| Solver::new(Settings::default()).solve(&stored.problem, None));
}

#[divan::bench(args = SIZES, max_time = 5)]
fn solve_warm(bencher: divan::Bencher<'_, '_>, blocks: usize) {
    let stored = collapse(blocks);
    let mut solver = Solver::new(Settings::default());
    bencher.bench_local(move || solver.solve(&stored.problem, stored.warm()));
}

#[divan::bench(args = SIZES, max_time = 5)]
fn judge(bencher: divan::Bencher<'_, '_>, blocks: usize) {
    let stored = collapse(blocks);
    let solution = Solver::new(Settings::default())
        .solve(&stored.problem, stored.warm())
        .unwrap_or_else(|fault| panic!("{fault}"));
    bencher.bench_local(|| residual(&stored.problem, &solution.velocity, &solution.impulse));
}

/// Every block trembles by a tenth of a millimetre, so that nothing found in the last call can be taken over.
#[divan::bench(args = SIZES, max_time = 5)]
fn detect(bencher: divan::Bencher<'_, '_>, blocks: usize) {
    let model = drystone_model::from_toml(&Family::Wall.text(blocks))
        .unwrap_or_else(|faults| panic!("{faults}"));
    let shapes = model.blocks.iter().map(|b| b.shape.clone()).collect();
    let fixed = model.blocks.iter().map(|b| b.support).collect();
    let mut detector = Detector::new(shapes, fixed);
    let margins = vec![0.002; model.blocks.len()];
    let mut random = drystone_cone::corpus::Random::new(1);
    let mut poses: Vec<Pose> = model.blocks.iter().map(|b| Pose::at(b.position)).collect();
    bencher.bench_local(move || {
        for (pose, block) in poses.iter_mut().zip(&model.blocks) {
            pose.position = block.position;
            pose.position.z += 1e-4 * random.signed();
        }
        detector.detect(&poses, &margins).points.len()
    });
}
