//! What a time history reports at its end.

use std::collections::BTreeMap;

use drystone_geometry::DVec3;
use drystone_mechanics::{StepReport, TieReading};
use serde::{Deserialize, Serialize};

use super::pace::PaceReport;

/// How the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// At rest, after everything that moved it had ended.
    Stood,
    /// As a whole or in part, as the settings say.
    Collapsed,
    /// To its end in motion, or while the ground still moved: neither of the two.
    Undecided,
    /// Before its end.
    Interrupted,
}

/// Energies in the frame of the ground, J.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyReport {
    /// Of the free blocks.
    pub kinetic: f64,
    /// Above the lowest point of the free blocks at the start.
    pub potential: f64,
    /// Work of all external forces but gravity.
    pub harvested: f64,
    /// Harvested minus the growth of kinetic, potential and elastic energy.
    pub dissipated: f64,
    /// Held by the compression and shear of joints that give way, and by ties.
    pub elastic: f64,
}

/// An independent account of the energy, J.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    /// Work of all external forces but gravity.
    pub harvested: f64,
    /// Part of it done by settling supports.
    pub harvested_from_supports: f64,
    /// Energy that contacts and ties took, summed from their impulses.
    pub lost_in_contacts: f64,
    /// Dissipated energy that contacts do not explain: the error of time integration.
    pub imbalance: f64,
}

/// What went less than well in a run; all zero in a good one, but for the residual.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Troubles {
    /// Largest residual of any step, relative to the speeds of the step.
    pub worst_residual: f64,
    /// Largest overlap of blocks, m.
    pub max_penetration: f64,
    /// Steps that were accepted without meeting the tolerances.
    pub inaccurate_steps: u64,
    /// Steps without a rigid solution (blocks wedged between fixed ones), solved with a small compliance.
    pub relaxed_steps: u64,
    /// Steps that were cut into pieces.
    pub halved_steps: u64,
    /// Steps in which the solver's first way to an answer did not suffice, and another one was tried.
    #[serde(default)]
    pub fallback_steps: u64,
    /// Steps in which some overlap was pushed out more slowly than within the step.
    pub capped_steps: u64,
    /// Solver iterations in all.
    pub iterations: u64,
    /// Largest number of contact points.
    pub max_contacts: usize,
}

impl Troubles {
    pub(crate) fn add(&mut self, report: &StepReport) {
        self.worst_residual = self.worst_residual.max(report.residual.worst());
        self.max_penetration = self.max_penetration.max(report.penetration);
        self.inaccurate_steps += u64::from(!report.solved);
        self.relaxed_steps += u64::from(report.relaxed);
        self.halved_steps += u64::from(report.pieces > 1);
        self.fallback_steps += u64::from(report.fallbacks > 0);
        self.capped_steps += u64::from(report.capped > 0);
        self.iterations += u64::from(report.iterations);
        self.max_contacts = self.max_contacts.max(report.contacts);
    }
}

/// How steps in which contacts closed were treated, in a scheme of second order; all zero in one of first order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impacts {
    /// Steps with an impact.
    pub steps: u64,
    /// Steps in which some island was given its last smooth reaction until the impact.
    pub carried: u64,
    /// Steps in which the reaction of some island had to be found by a solve of its own.
    pub resolved: u64,
    /// Steps in which some island was struck without a reaction being carried: of first order there.
    pub dropped: u64,
}

impl Impacts {
    pub(crate) fn add(&mut self, report: &StepReport) {
        let counts = &report.impacts;
        self.steps += u64::from(counts.carried + counts.resolved + counts.dropped > 0);
        self.carried += u64::from(counts.carried > 0);
        self.resolved += u64::from(counts.resolved > 0);
        self.dropped += u64::from(counts.dropped > 0);
    }
}

/// Largest displacement and rotation of a monitor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Peak {
    /// Length of the largest displacement, m.
    pub displacement: f64,
    /// When, s.
    pub displacement_time: f64,
    /// Largest displacement per axis in absolute value, m.
    pub displacement_by_axis: [f64; 3],
    /// Largest rotation angle, rad.
    pub rotation: f64,
    /// When, s.
    pub rotation_time: f64,
}

impl Peak {
    pub(crate) fn see(&mut self, time: f64, displacement: DVec3, rotation: DVec3) {
        if displacement.length() > self.displacement {
            self.displacement = displacement.length();
            self.displacement_time = time;
        }
        for (peak, value) in self
            .displacement_by_axis
            .iter_mut()
            .zip(displacement.to_array())
        {
            *peak = peak.max(value.abs());
        }
        if rotation.length() > self.rotation {
            self.rotation = rotation.length();
            self.rotation_time = time;
        }
    }
}

/// What a tie went through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TiePeak {
    /// Largest force, N.
    pub max_force: f64,
    /// When, s.
    pub max_force_time: f64,
    /// Largest elongation, m.
    pub max_elongation: f64,
    /// Energy that yielding and breaking have taken, J.
    pub dissipated: f64,
    /// When it broke, s; absent if it holds.
    pub broken_time: Option<f64>,
}

impl TiePeak {
    pub(crate) fn see(&mut self, time: f64, reading: &TieReading) {
        if reading.force > self.max_force {
            self.max_force = reading.force;
            self.max_force_time = time;
        }
        self.max_elongation = self.max_elongation.max(reading.elongation);
        self.dissipated = reading.dissipated;
        if reading.broken && self.broken_time.is_none() {
            self.broken_time = Some(time);
        }
    }
}

/// The block that moved most, and how far, relative to the ground.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LargestDisplacement {
    /// Name of the block.
    pub block: String,
    /// Of its centroid, at any time of the run, m.
    pub displacement: f64,
}

/// What became of mortar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MortarReport {
    /// Contact points that had mortar when the run began.
    pub points: usize,
    /// Those of them that opened or slid and lost it.
    pub broken: usize,
}

/// Results of a time history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How the run ended.
    pub status: Status,
    /// s; absent if nothing collapsed.
    pub collapse_time: Option<f64>,
    /// Blocks that have dropped by more than their own height, in the order in which they did.
    #[serde(default)]
    pub fallen_blocks: Vec<String>,
    /// Since when the structure has been at rest, s; absent if it is not.
    #[serde(default)]
    pub at_rest_since: Option<f64>,
    /// Whether forces within friction were found that balance every block where it is; absent if nobody had to seek them, because velocities are zero or some point is faster than 5 mm/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_at_end: Option<bool>,
    /// When the motions of ground and supports end, s; absent if that is not known.
    #[serde(default)]
    pub motion_end: Option<f64>,
    /// Time reached, s.
    pub time: f64,
    /// Steps taken.
    pub steps: u64,
    /// Largest overlap of blocks, m.
    pub max_penetration: f64,
    /// Largest residual of any step.
    pub worst_residual: f64,
    /// Some point was faster than 5 mm/s at the end.
    pub moving_at_end: bool,
    /// Over all blocks.
    pub largest_displacement: LargestDisplacement,
    /// At the end.
    pub energy: EnergyReport,
    /// Independent account.
    pub audit: Audit,
    /// What went less than well.
    pub troubles: Troubles,
    /// How impacts were treated.
    pub impacts: Impacts,
    /// How long steps were, where they adapt to the motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<PaceReport>,
    /// Per monitor.
    pub peaks: BTreeMap<String, Peak>,
    /// Per tie.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ties: BTreeMap<String, TiePeak>,
    /// Where joints have mortar that carries tension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mortar: Option<MortarReport>,
}
