//! What may be asked of a model: for each question its keys as written, its settings, and how the one becomes the other.
//!
//! A question is one file or folder here and one folder of the same name in the crate that answers it. It is entered in this file, and the compiler lists
//! where; beyond it, what its answer depends on is stated in `compile/fingerprint.rs`, and whether it needs a structure in `compile/mod.rs`.

mod assessment;
mod campaign;
mod equilibrium;
mod limit;
mod pushover;
mod regularisation;
mod rocking;
mod statics;
mod time_history;

use drystone_keys::{kinds, words};

use crate::compile::{Check, Dependence, Names};
use crate::decode::Broken;
use crate::fault::{Section, Trail};
use crate::model::Block;
use crate::spec::ModelSpec;

pub use assessment::*;
pub use campaign::*;
pub(crate) use campaign::{varied_keys, with_units};
pub use equilibrium::{Equilibrium, EquilibriumSpec};
pub use limit::{GivingWaySpec, Limit, LimitDrive, LimitSpec};
pub use pushover::{ControlPoint, ControlSpec, Pattern, Pushover, PushoverSpec};
pub use regularisation::{RegularisationSpec, SpringsSpec};
pub use rocking::{Rocking, RockingSpec};
pub use statics::{
    CuttingPlane, CuttingPlaneSpec, Growing, Multiplied, STATICS_TOLERANCE, ThrustLineSpec,
};
pub use time_history::{
    Adaptive, AdaptiveSpec, Collapse, Ground, Monitor, MonitorSpec, Scheme, Solver, TimeHistory,
    TimeHistorySpec, Tolerance,
};

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

    /// Whether it asks for elastic joints.
    pub(crate) fn is_elastic(&self) -> bool {
        let joints = match self {
            Self::TimeHistory(spec) => spec.joints(),
            Self::Equilibrium(spec) => spec.joints(),
            Self::Pushover(spec) => spec.joints(),
            Self::Rocking(_)
            | Self::Limit(_)
            | Self::Assessment(_)
            | Self::Sweep(_)
            | Self::FailureDomain(_)
            | Self::Fragility(_) => Joints::Rigid,
        };
        joints == Joints::Elastic
    }

    /// Whether it is made of many runs of another one.
    pub fn is_campaign(&self) -> bool {
        matches!(
            self,
            Self::Sweep(_) | Self::FailureDomain(_) | Self::Fragility(_)
        )
    }
}

/// A named question.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Which question.
    pub kind: AnalysisKind,
    /// Hash of what the answer depends on, lower-case hexadecimal: the structure, the motions that the analysis names with their records, and its own
    /// keys.
    pub sha256: String,
}

/// The questions.
#[derive(Debug, Clone, PartialEq)]
pub enum AnalysisKind {
    /// Motion in time by contact dynamics.
    TimeHistory(TimeHistory),
    /// The rocking block's equation of motion.
    Rocking(Rocking),
    /// Whether the structure stands, and how its joints carry it.
    Equilibrium(Equilibrium),
    /// How far loads can grow.
    Limit(Limit),
    /// How loads grow and fall with the displacement.
    Pushover(Pushover),
    /// What a code says of a capacity.
    Assessment(Assessment),
    /// Many runs of another analysis.
    Campaign(Campaign),
}

/// Facts about the questions that others ask for: a new question states them here, and nowhere else.
impl AnalysisKind {
    /// The joints that it treats; none if it looks at no joints of the model.
    pub fn joints(&self) -> Option<Joints> {
        match self {
            Self::TimeHistory(settings) => Some(settings.joints),
            Self::Equilibrium(settings) => Some(settings.joints),
            Self::Pushover(settings) => Some(settings.joints),
            Self::Limit(_) => Some(Joints::Rigid),
            Self::Rocking(_) | Self::Assessment(_) | Self::Campaign(_) => None,
        }
    }

    /// It treats the crushing of joints.
    pub fn crushes(&self) -> bool {
        match self {
            Self::Equilibrium(_) | Self::Limit(_) | Self::Pushover(_) => true,
            Self::TimeHistory(_) | Self::Rocking(_) | Self::Assessment(_) | Self::Campaign(_) => {
                false
            }
        }
    }

    /// It treats the mortar of joints.
    pub fn bonds(&self) -> bool {
        match self {
            Self::Equilibrium(_) | Self::Limit(_) | Self::TimeHistory(_) => true,
            Self::Rocking(_) | Self::Pushover(_) | Self::Assessment(_) | Self::Campaign(_) => false,
        }
    }

    /// It says within moments whether the structure stands: the questions that a search for a critical value can ask.
    pub fn is_verdict(&self) -> bool {
        match self {
            Self::Equilibrium(_) | Self::Limit(_) => true,
            Self::TimeHistory(_)
            | Self::Rocking(_)
            | Self::Pushover(_)
            | Self::Assessment(_)
            | Self::Campaign(_) => false,
        }
    }

    /// It does not follow the structure in time, so that models can be compared by it without waiting.
    pub fn is_static(&self) -> bool {
        match self {
            Self::Equilibrium(_) | Self::Limit(_) | Self::Pushover(_) | Self::Assessment(_) => true,
            Self::TimeHistory(_) | Self::Rocking(_) | Self::Campaign(_) => false,
        }
    }

    /// As in model files and summaries.
    pub fn word(&self) -> &'static str {
        match self {
            Self::TimeHistory(_) => "time_history",
            Self::Rocking(_) => "rocking",
            Self::Equilibrium(_) => "equilibrium",
            Self::Limit(_) => "limit",
            Self::Pushover(_) => "pushover",
            Self::Assessment(_) => "assessment",
            Self::Campaign(campaign) => match campaign.question {
                Question::Sweep(_) => "sweep",
                Question::FailureDomain(_) => "failure_domain",
                Question::Fragility(_) => "fragility",
            },
        }
    }
}

words! {
    /// Whether joints give way.
    pub enum Joints {
        /// Blocks do not enter each other.
        Rigid = "rigid",
        /// Joints are compressed and sheared by the stiffness of their interfaces, and still neither pull nor exceed friction.
        Elastic = "elastic",
    }
}

words! {
    /// Law of friction.
    pub enum FrictionLaw {
        /// Convex; dilates by `mu |u| dt` without accumulation.
        Associated = "associated",
        /// Coulomb's: a contact that slides stays closed.
        Coulomb = "coulomb",
    }
}

/// What an analysis can refer to.
pub(crate) struct Known<'k> {
    /// As written.
    pub model: &'k ModelSpec,
    pub block_names: &'k Names<'k>,
    pub motion_names: &'k Names<'k>,
    /// Those at fault are missing.
    pub blocks: &'k [Option<Block>],
    /// m/s².
    pub gravity: f64,
}

/// Checks the analyses.
pub(crate) fn analyses(
    broken: &Broken,
    known: &Known<'_>,
    dependence: &Dependence,
    check: &mut Check<'_>,
) -> Vec<Analysis> {
    let spec = known.model;
    Names::collect(
        Section::Analysis,
        spec.analysis.iter().map(AnalysisSpec::name),
        broken,
        check.faults,
    );
    let mut analyses = Vec::with_capacity(spec.analysis.len());
    for (item, analysis) in spec.analysis.iter().enumerate() {
        if broken.has(Section::Analysis, item) {
            continue;
        }
        let name = analysis.name();
        let trail = Trail::item(Section::Analysis, item, Some(name));
        if !is_folder_name(name) {
            check.report(
                trail.key("name"),
                "the name cannot be that of a folder, which the results need",
                "use at most 200 letters, digits, `-`, `_` and inner dots and spaces",
            );
        }
        let kind =
            match analysis {
                AnalysisSpec::TimeHistory(history) => AnalysisKind::TimeHistory(
                    time_history::time_history(history, known, trail, check),
                ),
                AnalysisSpec::Rocking(rocking) => {
                    AnalysisKind::Rocking(rocking::rocking(rocking, known, trail, check))
                }
                AnalysisSpec::Equilibrium(equilibrium) => AnalysisKind::Equilibrium(
                    equilibrium::equilibrium(equilibrium, known, trail, check),
                ),
                AnalysisSpec::Limit(limit) => {
                    AnalysisKind::Limit(limit::limit(limit, known, trail, check))
                }
                AnalysisSpec::Pushover(push) => {
                    AnalysisKind::Pushover(pushover::pushover(push, known, trail, check))
                }
                AnalysisSpec::Assessment(assess) => AnalysisKind::Assessment(
                    assessment::assessment(assess, spec, item, known.gravity, trail, check),
                ),
                AnalysisSpec::Sweep(sweep) => {
                    AnalysisKind::Campaign(campaign::sweep(sweep, spec, trail, check))
                }
                AnalysisSpec::FailureDomain(domain) => {
                    AnalysisKind::Campaign(campaign::failure_domain(domain, spec, trail, check))
                }
                AnalysisSpec::Fragility(fragility) => AnalysisKind::Campaign(campaign::fragility(
                    fragility, spec, known, trail, check,
                )),
            };
        analyses.push(Analysis {
            name: name.to_owned(),
            kind,
            sha256: dependence.hash(analysis, &spec.analysis),
        });
    }
    analyses
}

/// Bytes of the name of a folder on every common system, with room for what is added to it while files are written.
const LONGEST_NAME: usize = 200;

/// Whether results can go to a folder of this name on every common system.
fn is_folder_name(name: &str) -> bool {
    let forbidden = |c: char| c.is_control() || r#"/\:*?"<>|"#.contains(c);
    name.is_empty()
        || !(name.len() > LONGEST_NAME
            || name.contains(forbidden)
            || name.starts_with(['.', ' '])
            || name.ends_with(['.', ' ']))
}

/// The motions that act: one by `motion`, or several by `motions`.
fn motions(
    one: &Option<String>,
    several: &Option<Vec<String>>,
    names: &Names<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Vec<usize> {
    if one.is_some() && several.is_some() {
        check.report(
            trail.key("motion"),
            "both `motion` and `motions` are given",
            "leave one of them out",
        );
    }
    let mut found = Vec::new();
    if let Some(name) = one {
        found.extend(names.find(name, trail.key("motion"), check.faults));
    }
    let list = trail.key("motions");
    for (index, name) in several.iter().flatten().enumerate() {
        found.extend(names.find(name, list.index(index), check.faults));
    }
    found
}
