//! One run of a structure.

use drystone_bench::cpu_ms;
use drystone_mechanics::log_rotation;
use drystone_model::{AnalysisKind, Model, Rocking, Tolerance};
use drystone_questions::time_history::{Excitation, Run};
use serde::{Deserialize, Serialize};

use super::structures::Structure;
use super::{Method, tolerance_word};

/// Relative change of the input in runs that show how much the motion depends on it.
pub const PERTURBATION: f64 = 1e-6;

/// Processor time that can be told to some per cent, s.
const MEASURABLE: f64 = 0.1;

/// What a run is told apart by. Runs with the same key have the same answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// Of the program and its numerics.
    pub program: String,
    /// Hash of the model and its time history.
    pub model: String,
    /// Name of the structure.
    pub structure: String,
    /// Word of the model file.
    pub scheme: String,
    /// Word of the model file.
    pub law: String,
    /// Word of the model file.
    pub tolerance: String,
    /// Step, s.
    pub dt: f64,
    /// Whether the input was changed.
    pub perturbed: bool,
}

/// A run: where it ended, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What was run.
    #[serde(flatten)]
    pub key: Key,
    /// It reached its end; otherwise it was given up after the time that it took.
    pub finished: bool,
    /// Seconds of processor time on one thread.
    pub cpu: f64,
    /// Steps taken.
    pub steps: u64,
    /// Of the solver.
    pub iterations: u64,
    /// Steps that were accepted without meeting the tolerances.
    pub inaccurate_steps: u64,
    /// Steps in which the solver's first way to an answer did not suffice.
    pub fallback_steps: u64,
    /// Steps that were cut into pieces.
    pub halved_steps: u64,
    /// Free blocks at the end relative to the ground, m.
    pub positions: Vec<[f64; 3]>,
    /// Rotation vectors at the end, rad.
    pub rotations: Vec<[f64; 3]>,
    /// When the angle of the first free block about y, from upright, changed its sign, s. Only of structures that are measured by it.
    pub impacts: Vec<f64>,
}

/// A structure that is ready to be run.
pub struct Prepared {
    model: Model,
    key: Key,
    /// Angle of the first free block about y at the start, rad, if impacts are wanted.
    initial_angle: Option<f64>,
}

impl Prepared {
    /// A structure with a method, a tolerance and a step.
    pub fn new(
        structure: &Structure,
        method: Method,
        tolerance: Tolerance,
        dt: f64,
        perturbed: bool,
    ) -> Result<Self, String> {
        let mut model = (structure.model)()?;
        let initial_angle = equation_of_motion(&model).map(|exact| exact.initial_angle);
        model
            .analyses
            .retain(|analysis| matches!(analysis.kind, AnalysisKind::TimeHistory(_)));
        model.analyses.truncate(1);
        let analysis = model.analyses.first_mut().ok_or("no time history")?;
        let hash = analysis.sha256.clone();
        if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
            history.scheme = method.scheme;
            history.friction_law = method.law;
            history.tolerance = tolerance;
            history.dt = dt;
            history.duration = structure.time;
        }
        if perturbed {
            perturb(&mut model);
        }
        let [scheme, law] = method.words().map(str::to_owned);
        let key = Key {
            program: drystone_questions::answer::program_version(),
            model: hash,
            structure: structure.name.to_owned(),
            scheme,
            law,
            tolerance: tolerance_word(tolerance).to_owned(),
            dt,
            perturbed,
        };
        Ok(Self {
            model,
            key,
            initial_angle,
        })
    }

    /// What tells it apart.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Runs it on this thread, for no longer than `patience` seconds of processor time; `watch` hears how much is done, from 0 to 1.
    ///
    /// Systems count processor time in pieces of some milliseconds: a run that is over sooner is repeated until its mean time can be told.
    pub fn run(&self, patience: f64, watch: &mut dyn FnMut(f64)) -> Result<Row, String> {
        let mut row = self.once(patience, watch)?;
        let (mut total, mut count) = (row.cpu, 1.0);
        while row.finished && total < MEASURABLE {
            total += self.once(patience, watch)?.cpu;
            count += 1.0;
        }
        row.cpu = total / count;
        Ok(row)
    }

    fn once(&self, patience: f64, watch: &mut dyn FnMut(f64)) -> Result<Row, String> {
        let AnalysisKind::TimeHistory(settings) = &self.model.analyses[0].kind else {
            return Err("the analysis is no time history".to_owned());
        };
        let excitation =
            Excitation::new(&self.model, &settings.motions).map_err(|e| e.to_string())?;
        let begin = cpu_ms();
        let seconds = || 1e-3 * (cpu_ms() - begin);
        let mut run = Run::new(&self.model, settings, excitation);
        let first = self.model.blocks.iter().position(|block| !block.support);
        let mut crossings = Crossings::default();
        while !run.at_end() && !run.finished() && seconds() < patience {
            run.advance(&mut ()).map_err(|fault| fault.to_string())?;
            let state = &run.progress().state;
            if let (Some(initial), Some(block)) = (self.initial_angle, first) {
                let angle = initial + log_rotation(state.poses[block].rotation).y;
                crossings.see(state.time, angle);
            }
            watch(run.steps_done() as f64 / run.total_steps() as f64);
        }
        let (cpu, summary, frame) = (seconds(), run.summary(), run.frame());
        let free = || {
            let blocks = frame.poses.iter().zip(&self.model.blocks);
            blocks
                .filter(|(_, block)| !block.support)
                .map(|(pose, _)| pose)
        };
        Ok(Row {
            key: self.key.clone(),
            finished: run.at_end() || run.finished(),
            cpu,
            steps: summary.steps,
            iterations: summary.troubles.iterations,
            inaccurate_steps: summary.troubles.inaccurate_steps,
            fallback_steps: summary.troubles.fallback_steps,
            halved_steps: summary.troubles.halved_steps,
            positions: free().map(|pose| pose.position.to_array()).collect(),
            rotations: free()
                .map(|pose| log_rotation(pose.rotation).to_array())
                .collect(),
            impacts: crossings.times,
        })
    }
}

/// The equation of motion that a model with a single rocking block comes with.
pub(super) fn equation_of_motion(model: &Model) -> Option<&Rocking> {
    model
        .analyses
        .iter()
        .find_map(|analysis| match &analysis.kind {
            AnalysisKind::Rocking(settings) => Some(settings),
            AnalysisKind::TimeHistory(_)
            | AnalysisKind::Equilibrium(_)
            | AnalysisKind::Limit(_)
            | AnalysisKind::Pushover(_)
            | AnalysisKind::Assessment(_)
            | AnalysisKind::Campaign(_) => None,
        })
}

/// Changes gravity by a relative 1e-6, and the density of each block by a share of that of its own: what is equal by symmetry is so no longer, and a block
/// alone, whose mass does not matter, moves otherwise too.
fn perturb(model: &mut Model) {
    model.gravity *= 1.0 + PERTURBATION;
    for (k, block) in model.blocks.iter_mut().enumerate() {
        // Multiples of the golden section are spread evenly between -1 and 1.
        let share = 2.0 * (0.618_033_988_749_895 * (k + 1) as f64).fract() - 1.0;
        block.mass *= 1.0 + PERTURBATION * share;
        block.inertia *= 1.0 + PERTURBATION * share;
    }
}

/// Where a function of time changes its sign, between straight lines.
#[derive(Default)]
struct Crossings {
    last: Option<(f64, f64)>,
    times: Vec<f64>,
}

impl Crossings {
    fn see(&mut self, time: f64, value: f64) {
        if let Some((before, old)) = self.last
            && old * value < 0.0
        {
            self.times
                .push(before + (time - before) * old / (old - value));
        }
        self.last = Some((time, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convergence::structures::STRUCTURES;

    fn short(perturbed: bool) -> Row {
        let columns = STRUCTURES.iter().find(|s| s.name == "columns-3").unwrap();
        let prepared = Prepared::new(
            columns,
            Method::ASSOCIATED,
            Tolerance::Validation,
            8e-3,
            perturbed,
        );
        prepared.unwrap().run(f64::INFINITY, &mut |_| ()).unwrap()
    }

    /// The change reaches the answer, breaks its symmetry, and stays a small one: a fall of a tenth of a radian changes by some millionths of it.
    #[test]
    fn a_changed_input_is_seen_in_the_answer() {
        let (plain, changed) = (short(false), short(true));
        assert!(plain.finished && plain.key != changed.key);
        let angle = |row: &Row, k: usize| row.rotations[k][1];
        let by = (angle(&plain, 0) - angle(&changed, 0)).abs();
        assert!((1e-9..1e-5).contains(&by), "{by}");
        assert_ne!(angle(&changed, 0), angle(&changed, 1));
    }

    #[test]
    fn runs_are_given_up_when_patience_ends() {
        let columns = STRUCTURES.iter().find(|s| s.name == "columns-3").unwrap();
        let run = Prepared::new(
            columns,
            Method::ASSOCIATED,
            Tolerance::Validation,
            8e-3,
            false,
        )
        .unwrap();
        let row = run.run(0.0, &mut |_| ()).unwrap();
        assert!(!row.finished && row.steps == 0);
    }

    #[test]
    fn crossings_lie_between_steps() {
        let mut crossings = Crossings::default();
        for (time, value) in [(0.0, 1.0), (1.0, 0.5), (2.0, -1.5), (3.0, -1.0)] {
            crossings.see(time, value);
        }
        assert_eq!(crossings.times, [1.25]);
    }
}
