//! What a step is asked to do, and what it tells about itself.

use drystone_cone::Residual;
use drystone_geometry::DVec3;
use drystone_model::{Ground, Joints, Scheme};
use thiserror::Error;

use crate::energy::StepWork;
use crate::scheme::ImpactCounts;

/// How steps are taken.
#[derive(Debug, Clone)]
pub struct StepSettings {
    /// How time is stepped.
    pub scheme: Scheme,
    /// How ground motion is applied.
    pub ground: Ground,
    /// Solver of the step problem.
    pub solver: drystone_cone::Settings,
    /// Whether joints give way by the stiffness of their interfaces.
    pub joints: Joints,
    /// Numerical stiffness of contact points across and along the joint, N/m; absent: rigid.
    pub regularisation: Option<[f64; 2]>,
    /// Quasi-Newton iterations for rotations; one is normally enough.
    pub rotation_iterations: usize,
    /// How often a step that is not solved to tolerance is halved before it is accepted and reported.
    pub max_halvings: u32,
}

impl StepSettings {
    /// Contacts are springs, of the joints or numerical ones: overlaps are their compression, and their shear is remembered.
    pub(crate) fn has_springs(&self) -> bool {
        self.joints == Joints::Elastic || self.regularisation.is_some()
    }
}

/// The stages of a step, for whoever wants to know where time goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Contact detection.
    Detect,
    /// Building the step problem.
    Assemble,
    /// Solving it.
    Solve,
    /// Updating the state.
    Integrate,
    /// Between steps.
    Outside,
}

/// Told when a stage begins. Numerical code does not read the clock itself.
pub trait Stopwatch {
    /// The stage that begins now.
    fn enter(&mut self, phase: Phase);
}

impl Stopwatch for () {
    fn enter(&mut self, _phase: Phase) {}
}

/// Why a step could not be taken at all.
#[derive(Debug, Error)]
pub enum StepFault {
    /// The state ceased to consist of numbers.
    #[error("block \"{block}\" has a position or velocity that is not a finite number at {time} s")]
    NonFinite {
        /// Name of the first such block.
        block: String,
        /// s.
        time: f64,
    },
    /// Ties are too stiff to be followed.
    #[error(
        "at {time} s ties are so stiff that a step would be cut into {pieces} pieces; give them the stiffness E A / L of their bars, or shorter steps"
    )]
    StiffTies {
        /// s.
        time: f64,
        /// As many as the fastest vibration asks for.
        pieces: u32,
    },
    /// The step problem itself is malformed.
    #[error("the step problem at {time} s is malformed: {fault}")]
    Problem {
        /// s.
        time: f64,
        /// What is wrong.
        fault: drystone_cone::ProblemFault,
    },
}

/// What one step did.
#[derive(Debug, Clone, Copy, Default)]
pub struct StepReport {
    /// Residual of the accepted solution; the worst one if the step was halved, and the largest of the natural maps.
    pub residual: Residual,
    /// The solution meets the tolerances.
    pub solved: bool,
    /// The problem had no rigid solution (blocks wedged between fixed ones) and was solved with a small compliance.
    pub relaxed: bool,
    /// Number of pieces the step was cut into; one normally.
    pub pieces: u32,
    /// Solver iterations.
    pub iterations: u32,
    /// Ways to an answer that were tried because the first one did not suffice.
    pub fallbacks: u32,
    /// Contact points.
    pub contacts: usize,
    /// Largest overlap at the beginning of the step, m.
    pub penetration: f64,
    /// Contacts whose overlap is pushed out more slowly than within one step.
    pub capped: usize,
    /// Work done on the free blocks.
    pub work: StepWork,
    /// Islands in which contacts closed; always zero in a scheme that treats impacts as any other step.
    pub impacts: ImpactCounts,
    /// Energy of compression and shear that compliant joints hold at the end of the step, J.
    pub elastic_energy: f64,
    /// Energy of the compression that compliant joints have at its beginning, J.
    pub compression_before: f64,
}

impl StepReport {
    /// Joins the report of the second half of a step to that of the first.
    pub(crate) fn merge(&mut self, other: &Self) {
        let (mine, others) = (self.residual.worst(), other.residual.worst());
        let natural = self.residual.natural.max(other.residual.natural);
        if others > mine || others.is_nan() {
            self.residual = other.residual;
        }
        self.residual.natural = natural;
        self.solved &= other.solved;
        self.relaxed |= other.relaxed;
        self.pieces += other.pieces;
        self.iterations += other.iterations;
        self.fallbacks += other.fallbacks;
        self.contacts = other.contacts;
        self.penetration = self.penetration.max(other.penetration);
        self.capped = self.capped.max(other.capped);
        self.work += other.work;
        self.impacts += other.impacts;
        self.elastic_energy = other.elastic_energy;
    }
}

/// A contact point with the mean force of the last step, or of the last piece of a step that was cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Block indices; the force acts on the second as `+`.
    pub blocks: [usize; 2],
    /// Point of action, m.
    pub point: DVec3,
    /// Unit vector from the first block to the second.
    pub normal: DVec3,
    /// Compression positive, N.
    pub normal_force: f64,
    /// N.
    pub shear_force: DVec3,
    /// Signed distance at the beginning of the step, m.
    pub gap: f64,
}
