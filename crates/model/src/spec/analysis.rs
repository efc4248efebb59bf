//! Questions as written.

use drystone_keys::{keys, kinds};

use super::assessment::AssessmentSpec;
use super::campaign::{FailureDomainSpec, FragilitySpec, SweepSpec};
use super::pushover::PushoverSpec;
use super::statics::{EquilibriumSpec, LimitSpec};
use crate::model::{FrictionLaw, Ground, Joints, Scheme, Solver, Tolerance};

kinds! {
    /// A question to the model.
    pub enum AnalysisSpec {
        /// Motion in time by contact dynamics.
        TimeHistory(TimeHistorySpec) = "time_history",
        /// The equation of motion of a single rocking block.
        Rocking(RockingSpec) = "rocking",
        /// Whether the structure stands, and how its joints carry it.
        Equilibrium(EquilibriumSpec) = "equilibrium",
        /// How far loads can grow.
        Limit(LimitSpec) = "limit",
        /// How loads grow and fall with the displacement.
        Pushover(PushoverSpec) = "pushover",
        /// What a code says of a capacity.
        Assessment(AssessmentSpec) = "assessment",
        /// Many runs with values of the model changed.
        Sweep(SweepSpec) = "sweep",
        /// Many runs over a plane of two values.
        FailureDomain(FailureDomainSpec) = "failure_domain",
        /// Many runs with earthquakes of rising intensity.
        Fragility(FragilitySpec) = "fragility",
    }
}

keys! {
    /// Motion in time by contact dynamics.
    pub struct TimeHistorySpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Name of the motion that acts.
        motion: String { optional, otherwise: "only gravity and loads" },
        /// Names of several motions, which add up; instead of `motion`.
        motions: Vec<String> { optional },
        /// Time step.
        // Impacts of Housner's block are placed to a tenth of the default.
        dt: f64 { optional, unit: "s", above: 0.0, default: 0.001 },
        /// Steps whose length follows the motion, `dt` being the first.
        /// Not with the scheme euler.
        adaptive: AdaptiveSpec { optional, otherwise: "all steps are `dt`" },
        /// Time to simulate.
        duration: f64 { required, unit: "s", above: 0.0 },
        /// Interval of output.
        // A hundred pictures per second.
        /// By default it is never shorter than the time step.
        output_every: f64 { optional, unit: "s", above: 0.0, default: 0.01 },
        /// Time-stepping scheme.
        /// Leapfrog is of second order; the papers use euler.
        scheme: Scheme { optional, default: Scheme::Leapfrog },
        /// Whether joints give way by the stiffness of their interfaces.
        joints: Joints { optional, default: Joints::Rigid },
        /// Law of friction.
        friction_law: FrictionLaw { optional, default: FrictionLaw::Associated },
        /// How ground motion is applied.
        /// Both give the same answer.
        ground: Ground { optional, default: Ground::Inertia },
        /// Solver of the step problem.
        solver: Solver { optional, default: Solver::Automatic },
        /// Accuracy of the step problem.
        tolerance: Tolerance { optional, default: Tolerance::Default },
        /// Numerical stiffness of each contact point that makes impulses unique.
        regularisation: f64 { optional, unit: "N/m", above: 0.0, otherwise: "rigid" },
        /// Quasi-Newton iterations for rotations per step.
        /// One is normally enough.
        rotation_iterations: u32 { optional, least: 1, most: 100, default: 1 },
        /// Loss of potential energy above the foundation that counts as collapse, as a fraction.
        // NB 4.5.2.
        collapse_drop: f64 { optional, above: 0.0, most: 1.0, default: 0.2 },
        /// End the run at collapse.
        stop_at_collapse: bool { defaulted },
        /// Interval of contact-force output.
        forces_every: f64 { optional, unit: "s", above: 0.0, otherwise: "none" },
        /// Points whose displacement is recorded.
        monitors: Vec<MonitorSpec> { defaulted },
    }
}

keys! {
    /// Steps whose length follows the motion.
    pub struct AdaptiveSpec {
        /// Error of position that a step may make by the estimate of the scheme.
        tolerance: f64 { optional, unit: "m", above: 0.0, default: 1e-6 },
        /// Shortest step.
        /// It is taken whatever the error.
        smallest: f64 { optional, unit: "s", above: 0.0, default: 5e-5 },
        /// Longest step.
        largest: f64 { optional, unit: "s", above: 0.0, default: 5e-3 },
    }
}

keys! {
    /// A point whose displacement is recorded.
    pub struct MonitorSpec {
        /// Unique name within the analysis.
        name: String { optional, otherwise: "the name of the block" },
        /// Name of the block that carries the point.
        block: String { required },
        /// The point [x, y, z] in the initial configuration.
        point: [f64; 3] { optional, unit: "m", otherwise: "the centroid" },
    }
}

keys! {
    /// The equation of motion of a single rocking block, given by `block` or by `half_width` and `half_height`.
    pub struct RockingSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Name of the block whose extents along `direction` and z are meant.
        block: String { optional },
        /// Half of the width of the base, m; instead of `block`.
        half_width: f64 { optional, unit: "m", above: 0.0 },
        /// Half of the height, m; instead of `block`.
        half_height: f64 { optional, unit: "m", above: 0.0 },
        /// Horizontal direction [x, y, 0] of positive rotation and ground motion, of any length.
        direction: [f64; 3] { optional, default: [1.0, 0.0, 0.0] },
        /// Initial rotation.
        initial_angle: f64 { optional, unit: "rad", default: 0.0 },
        /// Initial angular velocity.
        initial_velocity: f64 { optional, unit: "rad/s", default: 0.0 },
        /// Factor on the speed at an impact, from 0 to 1.
        restitution: f64 { optional, least: 0.0, most: 1.0, otherwise: "Housner's `1 - 3/2 sin² alpha`" },
        /// Name of the motion that acts.
        motion: String { optional, otherwise: "none" },
        /// Names of several motions, which add up; instead of `motion`.
        motions: Vec<String> { optional },
        /// Time to simulate.
        duration: f64 { required, unit: "s", above: 0.0 },
        /// Interval of output.
        output_every: f64 { optional, unit: "s", above: 0.0, default: 0.01 },
    }
}

impl Default for AnalysisSpec {
    fn default() -> Self {
        Self::TimeHistory(TimeHistorySpec::default())
    }
}

impl AnalysisSpec {
    /// The name of the analysis.
    pub fn name(&self) -> &str {
        match self {
            Self::TimeHistory(spec) => &spec.name,
            Self::Rocking(spec) => &spec.name,
            Self::Equilibrium(spec) => &spec.name,
            Self::Limit(spec) => &spec.name,
            Self::Pushover(spec) => &spec.name,
            Self::Assessment(spec) => &spec.name,
            Self::Sweep(spec) => &spec.name,
            Self::FailureDomain(spec) => &spec.name,
            Self::Fragility(spec) => &spec.name,
        }
    }

    /// Whether it is made of many runs of another one.
    pub fn is_campaign(&self) -> bool {
        matches!(
            self,
            Self::Sweep(_) | Self::FailureDomain(_) | Self::Fragility(_)
        )
    }
}
