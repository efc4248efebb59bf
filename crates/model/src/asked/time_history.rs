//! Motion in time by contact dynamics.

use std::collections::BTreeSet;

use drystone_geometry::DVec3;
use drystone_keys::{keys, words};

use super::regularisation::RegularisationSpec;
use super::{FrictionLaw, Joints, Known, motions};
use crate::compile::{Check, Names, arm};
use crate::fault::Trail;
use crate::model::Block;

/// Steps of a time history at most: even at a microsecond each they take a quarter of an hour, and a step that is a slip of the pen far more.
const MOST_STEPS: f64 = 1e9;

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
        /// Time beyond `duration` that a structure in motion is followed at most, until it is at rest or has collapsed.
        // Blocks of five metres that rock at the end of a pulse come to rest within it.
        settle: f64 { optional, unit: "s", least: 0.0, default: 10.0 },
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
        friction_law: FrictionLaw { optional, default: FrictionLaw::Coulomb },
        /// How ground motion is applied.
        /// Both give the same answer.
        ground: Ground { optional, default: Ground::Inertia },
        /// Solver of the step problem.
        solver: Solver { optional, default: Solver::Automatic },
        /// Accuracy of the step problem.
        tolerance: Tolerance { optional, default: Tolerance::Default },
        /// Numerical stiffness of each contact point that makes impulses unique.
        /// A number, or `{ normal, tangential }` for different stiffnesses across and along the joint.
        regularisation: RegularisationSpec { optional, unit: "N/m", above: 0.0, otherwise: "rigid" },
        /// Quasi-Newton iterations for rotations per step.
        /// One is normally enough.
        rotation_iterations: u32 { optional, least: 1, most: 100, help: "1 is normally enough", default: 1 },
        /// What counts as collapse: the loss of potential energy of the whole, blocks that have fallen, or either.
        collapse: Collapse { optional, default: Collapse::Either },
        /// Loss of potential energy above the foundation that counts as collapse, as a fraction.
        // NB 4.5.2.
        collapse_drop: f64 { optional, above: 0.0, most: 1.0, help: "0.2 means that a fifth of the potential energy is lost", default: 0.2 },
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

/// Settings of a time history.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeHistory {
    /// Indices into [`crate::Model::motions`]; they add up. Empty: only gravity and loads.
    pub motions: Vec<usize>,
    /// Time step, s; the first one if steps adapt.
    pub dt: f64,
    /// Steps of changing length; absent: all are `dt`.
    pub adaptive: Option<Adaptive>,
    /// s.
    pub duration: f64,
    /// Time beyond `duration` that a structure in motion is followed at most, s.
    pub settle: f64,
    /// Interval of output, s.
    pub output_every: f64,
    /// How time is stepped.
    pub scheme: Scheme,
    /// Whether joints give way.
    pub joints: Joints,
    /// Law of friction.
    pub friction_law: FrictionLaw,
    /// How ground motion is applied.
    pub ground: Ground,
    /// Solver of the step problem.
    pub solver: Solver,
    /// Accuracy of the step problem.
    pub tolerance: Tolerance,
    /// Numerical contact stiffness that makes impulses unique, across and along the joint, N/m per contact point (the compliance is
    /// `1/(dt² k)`); absent: rigid.
    pub regularisation: Option<[f64; 2]>,
    /// Quasi-Newton iterations for rotations per step.
    pub rotation_iterations: usize,
    /// What counts as collapse.
    pub collapse: Collapse,
    /// Loss of potential energy above the foundation that counts as collapse, as a fraction.
    pub collapse_drop: f64,
    /// End the run at collapse.
    pub stop_at_collapse: bool,
    /// Interval of contact-force output, s; absent: none.
    pub forces_every: Option<f64>,
    /// Points whose displacement is recorded.
    pub monitors: Vec<Monitor>,
}

/// Steps whose length follows the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adaptive {
    /// Error of position that a step may make by the estimate of the scheme, m.
    pub tolerance: f64,
    /// Shortest step, s: taken whatever the error.
    pub smallest: f64,
    /// Longest step, s.
    pub largest: f64,
}

words! {
    /// How time is stepped.
    pub enum Scheme {
        /// Backward Euler, the scheme of the papers; first order.
        Euler = "euler",
        /// Leapfrog with curved paths of contact points and located impacts; second order.
        Leapfrog = "leapfrog",
    }
}

words! {
    /// How ground motion is applied; both give the same answer.
    pub enum Ground {
        /// Inertia forces in the frame of the ground.
        Inertia = "inertia",
        /// Supports move in an inertial frame.
        Supports = "supports",
    }
}

words! {
    /// What counts as collapse.
    pub enum Collapse {
        /// The structure as a whole has lost the fraction `collapse_drop` of its potential energy.
        Global = "global",
        /// A block has dropped by more than its own height.
        Local = "local",
        /// Whichever comes first.
        Either = "either",
    }
}

words! {
    /// Solver of the step problem.
    pub enum Solver {
        /// Newton's method where all joints are sufficiently compliant, the interior-point method elsewhere.
        Automatic = "automatic",
        /// The dedicated interior-point method.
        InteriorPoint = "interior_point",
        /// Newton's method, for elastic joints; the interior-point method where it does not apply.
        Newton = "newton",
        /// The reference solver.
        Clarabel = "clarabel",
    }
}

words! {
    /// Accuracy of the step problem.
    pub enum Tolerance {
        /// Residuals 1e-6, complementarity gap 1e-5.
        Preview = "preview",
        /// Residuals and complementarity gap 1e-7, smaller where short steps need it.
        Default = "default",
        /// Residuals 1e-8, complementarity gap 1e-9, smaller where short steps need it.
        Validation = "validation",
    }
}

/// A point whose displacement is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Monitor {
    /// Unique name within the analysis.
    pub name: String,
    /// Index into [`crate::Model::blocks`].
    pub block: usize,
    /// Point minus centroid in the initial configuration, m.
    pub arm: DVec3,
}

pub(super) fn time_history(
    spec: &TimeHistorySpec,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> TimeHistory {
    let Known { blocks, .. } = *known;
    let scheme = spec.scheme();
    let adaptive = adaptive(spec, scheme, trail, check);
    let range = adaptive.map(|steps| (steps.smallest, steps.largest));
    let dt = match (spec.dt, range) {
        (None, Some((smallest, largest))) => spec.dt().max(smallest).min(largest),
        _ => spec.dt(),
    };
    check.numbers(spec, trail);
    let dt_fits = dt.is_finite() && dt > 0.0;
    if let Some((smallest, largest)) = range
        && dt_fits
        && smallest <= largest
        && !(smallest..=largest).contains(&dt)
    {
        check.report(
            trail.key("dt"),
            format!(
                "the first step is {dt} s, but adaptive steps are from {smallest} to {largest} s"
            ),
            "choose `dt` between them, or leave it out",
        );
    }
    let least = range.map_or(dt, |(smallest, _)| smallest);
    let output_every = match spec.output_every {
        Some(given) => given,
        None => spec.output_every().max(least),
    };
    if dt_fits && spec.duration > 0.0 && dt > spec.duration {
        check.report(
            trail.key("dt"),
            format!(
                "the time step {dt} s is longer than the duration {} s",
                spec.duration
            ),
            "",
        );
    }
    let steps = spec.duration / dt;
    if dt_fits && steps > MOST_STEPS {
        check.report(
            trail.key("dt"),
            format!(
                "with steps of {dt} s the duration of {} s takes {steps:.0e} of them",
                spec.duration
            ),
            &format!("choose `dt` so that there are at most {MOST_STEPS:.0e}"),
        );
    }
    let more = spec.settle() / dt;
    if dt_fits && spec.settle.is_some() && more > MOST_STEPS {
        check.report(
            trail.key("settle"),
            format!(
                "with steps of {dt} s following the structure for {} s more takes {more:.0e} of them",
                spec.settle()
            ),
            &format!("choose `settle` so that there are at most {MOST_STEPS:.0e}"),
        );
    }
    for (key, interval) in [
        ("output_every", Some(output_every)),
        ("forces_every", spec.forces_every),
    ] {
        let Some(interval) = interval else { continue };
        let trail = trail.key(key);
        // Rounding aside, nothing can be written more often than once per step.
        if interval > 0.0 && dt_fits && interval < least * (1.0 - 1e-9) {
            check.report(
                trail,
                format!("the interval {interval} s is shorter than the time step {least} s"),
                "",
            );
        }
    }
    TimeHistory {
        motions: motions(
            &spec.motion,
            &spec.motions,
            known.motion_names,
            trail,
            check,
        ),
        dt,
        adaptive,
        duration: spec.duration,
        settle: spec.settle(),
        output_every,
        scheme,
        joints: spec.joints(),
        friction_law: spec.friction_law(),
        ground: spec.ground(),
        solver: spec.solver(),
        tolerance: spec.tolerance(),
        regularisation: spec
            .regularisation
            .as_ref()
            .map(|spec| spec.stiffness(trail.key("regularisation"), check)),
        rotation_iterations: spec.rotation_iterations() as usize,
        collapse: spec.collapse(),
        collapse_drop: spec.collapse_drop(),
        stop_at_collapse: spec.stop_at_collapse,
        forces_every: spec.forces_every,
        monitors: monitors(&spec.monitors, known.block_names, blocks, trail, check),
    }
}

/// Steps of changing length, if they are wanted.
fn adaptive(
    spec: &TimeHistorySpec,
    scheme: Scheme,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<Adaptive> {
    let spec = spec.adaptive.as_ref()?;
    let trail = trail.key("adaptive");
    if scheme != Scheme::Leapfrog {
        check.report(
            trail,
            "the scheme euler has no estimate of its error for steps to adapt to",
            "`scheme = \"leapfrog\"` has one",
        );
    }
    let steps = Adaptive {
        tolerance: spec.tolerance(),
        smallest: spec.smallest(),
        largest: spec.largest(),
    };
    let fits = check.numbers(spec, trail);
    if fits && steps.smallest > steps.largest {
        check.report(
            trail,
            format!(
                "the smallest step, {} s, is longer than the largest, {} s",
                steps.smallest, steps.largest
            ),
            "",
        );
    }
    fits.then_some(steps)
}

fn monitors(
    specs: &[MonitorSpec],
    names: &Names<'_>,
    blocks: &[Option<Block>],
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Vec<Monitor> {
    let list = trail.key("monitors");
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut monitors = Vec::with_capacity(specs.len());
    for (index, monitor) in specs.iter().enumerate() {
        let trail = list.index(index);
        let name = monitor.name.as_deref().unwrap_or(&monitor.block);
        let label = trail.key(if monitor.name.is_some() {
            "name"
        } else {
            "block"
        });
        if name.is_empty() {
            check.report(label, "the name is empty", "");
        } else if name == "ground" {
            check.report(
                label,
                "the name \"ground\" is that of the ground's own columns in the results",
                "choose another name",
            );
        } else if !used.insert(name) {
            check.report(
                label,
                format!("a monitor named \"{name}\" is there already"),
                "names must be unique within the analysis",
            );
        }
        let Some(block) = names.find(&monitor.block, trail.key("block"), check.faults) else {
            continue;
        };
        let arm = arm(
            monitor.point,
            blocks[block].as_ref(),
            trail.key("point"),
            check,
        );
        monitors.push(Monitor {
            name: name.to_owned(),
            block,
            arm,
        });
    }
    monitors
}
