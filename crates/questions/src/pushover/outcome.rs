//! What a pushover answers.

use drystone_geometry::{DVec3, Pose};
use drystone_model::Model;
use serde::{Deserialize, Serialize};

use crate::statics::{Posed, Standing};

/// Which contact model a point of the curve belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    /// Joints give way: the rising branch.
    Elastic,
    /// Blocks and joints are rigid: the falling branch.
    Rigid,
}

/// Why a branch ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The multiplier came to zero: dead loads alone keep the balance, and not any farther.
    Zero,
    /// The multiplier jumps below zero where the mechanism changes: beyond the last point dead loads alone overturn it.
    Jump,
    /// A tie broke, and without it dead loads alone overturn the structure.
    Tie,
    /// The displacement that was asked for is reached.
    Displacement,
    /// The ultimate displacement that was given is reached.
    Ultimate,
    /// Blocks lost their support: no multiplier gives equilibrium, or only that of another configuration, after a leap.
    Detached,
    /// No multiplier moves the structure any farther.
    Locked,
    /// There is no equilibrium under a larger multiplier: the peak of the elastic branch.
    Peak,
    /// The elastic branch meets the rigid one.
    Met,
    /// The structure does not stand under dead loads.
    Unstable,
    /// The solver missed its tolerance.
    Unsolved,
    /// The control point no longer moves, while others do.
    Still,
    /// Another part of the structure gives way to the end while the control point stands still: the curve drops where it is.
    Elsewhere,
    /// More steps than any curve needs.
    Steps,
    /// It was stopped.
    Interrupted,
}

impl Ending {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Zero => "the multiplier reaches zero",
            Self::Jump => {
                "the mechanism changes to one that dead loads alone drive: the multiplier jumps below zero"
            }
            Self::Tie => "a tie broke, without which dead loads alone overturn the structure",
            Self::Displacement => "the prescribed displacement is reached",
            Self::Ultimate => "the ultimate displacement `d_ultimate` is reached",
            Self::Detached => "support is lost: what follows is a fall, not statics",
            Self::Locked => "blocks meet, and no multiplier moves the structure any farther",
            Self::Peak => "there is no equilibrium under a larger multiplier",
            Self::Met => "the elastic branch meets the rigid one",
            Self::Unstable => "the structure does not stand under dead loads",
            Self::Unsolved => "the solver missed its tolerance",
            Self::Still => "the control point no longer moves, while other blocks do",
            Self::Elsewhere => {
                "another part of the structure fails while the control point does not move: the multiplier drops at constant displacement"
            }
            Self::Steps => "the curve takes more steps than are allowed",
            Self::Interrupted => "it was stopped",
        }
    }

    /// The structure has no equilibrium beyond the last point, or must not go farther: its displacement is the capacity.
    pub fn is_capacity(self) -> bool {
        match self {
            Self::Zero | Self::Jump | Self::Tie | Self::Ultimate | Self::Detached => true,
            Self::Displacement
            | Self::Locked
            | Self::Peak
            | Self::Met
            | Self::Unstable
            | Self::Unsolved
            | Self::Still
            | Self::Elsewhere
            | Self::Steps
            | Self::Interrupted => false,
        }
    }
}

/// A point of the curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// Where it belongs.
    pub branch: Branch,
    /// Multiplier.
    pub alpha: f64,
    /// Displacement of the control point, m.
    pub d: f64,
    /// Work of what is multiplied so far, J.
    pub live_work: f64,
    /// Work of dead loads so far, J.
    pub dead_work: f64,
    /// What both leave: dissipated, on the elastic branch with what springs store, J.
    pub dissipated: f64,
    /// Tension per tie, N.
    pub tension: Vec<f64>,
    /// The configuration, one pose per block.
    pub poses: Vec<Pose>,
}

/// The points of both branches, each in the order of its displacements: first those of the elastic branch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// All of them.
    pub points: Vec<CurvePoint>,
}

impl Curve {
    /// Points of one branch.
    pub fn branch(&self, branch: Branch) -> impl Iterator<Item = &CurvePoint> {
        self.points.iter().filter(move |p| p.branch == branch)
    }

    /// Multiplier of a branch at a displacement, m, by linear interpolation; none outside.
    pub fn alpha(&self, branch: Branch, d: f64) -> Option<f64> {
        let points: Vec<&CurvePoint> = self.branch(branch).collect();
        points.windows(2).find_map(|pair| {
            let (from, to) = (pair[0].d, pair[1].d);
            let inside = from.min(to) <= d && d <= from.max(to);
            inside.then(|| {
                let share = if to == from {
                    0.0
                } else {
                    (d - from) / (to - from)
                };
                pair[0].alpha + share * (pair[1].alpha - pair[0].alpha)
            })
        })
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Multiplier at the onset: the rigid limit of the initial configuration. Absent if the structure does not stand.
    pub alpha_0: Option<f64>,
    /// Largest multiplier: where both branches meet. That of the onset where joints are rigid.
    pub alpha_y: Option<f64>,
    /// Displacement there, m; zero where joints are rigid.
    pub d_y: Option<f64>,
    /// Displacement at which the multiplier is zero, m. Absent if the curve ends before.
    pub d_0: Option<f64>,
    /// Displacement capacity, m: that of the last point in equilibrium, or the ultimate displacement that was given. Absent if the curve was not followed to its end.
    pub d_ultimate: Option<f64>,
    /// Of the elastic branch at its beginning: force per displacement, N/m.
    pub initial_stiffness: Option<f64>,
    /// Sum of what is multiplied, N: times the multiplier it is the force of the curve.
    pub live_resultant: DVec3,
    /// Both branches.
    pub curve: Curve,
    /// Why the rigid branch ends.
    pub ending: Ending,
    /// Why the elastic branch ends, if there is one.
    pub elastic_ending: Option<Ending>,
    /// Indices of the blocks that the end is due to: those that lose their support, that move in the last mechanism, or that hold the structure.
    pub ending_blocks: Vec<usize>,
    /// Indices of the blocks that have moved by the end of the rigid branch.
    pub mobilised: Vec<usize>,
    /// The points whose mean displacement is `d`: block and initial position, m.
    pub control: Vec<(usize, DVec3)>,
    /// Direction of `d`.
    pub control_direction: DVec3,
    /// Ties that broke, with the displacement at which they did, m.
    pub broken_ties: Vec<(usize, f64)>,
    /// Limit problems solved.
    pub solves: u32,
    /// Elastic problems solved.
    pub elastic_solves: u32,
    /// The worst residual of the limit problems.
    pub residual: f64,
    /// What is to be known besides.
    pub notes: Vec<String>,
}

impl Outcome {
    /// Somebody stopped it before its end.
    pub fn stopped(&self) -> bool {
        self.ending == Ending::Interrupted || self.elastic_ending == Some(Ending::Interrupted)
    }

    /// In one word, as the summary has it.
    pub fn status(&self) -> &'static str {
        if self.stopped() {
            return "interrupted";
        }
        match self.ending {
            Ending::Unstable => "unstable",
            Ending::Interrupted => "interrupted",
            Ending::Unsolved => "failed",
            Ending::Locked if self.alpha_0.is_none() => "unbounded",
            Ending::Zero | Ending::Displacement | Ending::Ultimate => "complete",
            Ending::Jump
            | Ending::Tie
            | Ending::Detached
            | Ending::Locked
            | Ending::Peak
            | Ending::Met
            | Ending::Still
            | Ending::Elsewhere
            | Ending::Steps => "ended",
        }
    }

    /// Without any point.
    pub(super) fn empty(ending: Ending, live_resultant: DVec3) -> Self {
        Self {
            alpha_0: None,
            alpha_y: None,
            d_y: None,
            d_0: None,
            d_ultimate: None,
            initial_stiffness: None,
            live_resultant,
            curve: Curve::default(),
            ending,
            elastic_ending: None,
            ending_blocks: Vec::new(),
            mobilised: Vec::new(),
            control: Vec::new(),
            control_direction: DVec3::ZERO,
            broken_ties: Vec::new(),
            solves: 0,
            elastic_solves: 0,
            residual: 0.0,
            notes: Vec::new(),
        }
    }

    /// It does not stand under dead loads.
    pub(super) fn fallen(model: &Model, posed: &Posed<'_>, alone: &Standing) -> Self {
        let bodies = &posed.statics.bodies;
        let moves = |(_, v): &(&usize, &[f64; 6])| v.iter().any(|&x| x != 0.0);
        let mut outcome = Self::empty(Ending::Unstable, DVec3::ZERO);
        outcome.ending_blocks = bodies
            .blocks
            .iter()
            .zip(&alone.velocity)
            .filter(moves)
            .map(|(&block, _)| block)
            .collect();
        debug_assert!(
            outcome
                .ending_blocks
                .iter()
                .all(|&i| i < model.blocks.len())
        );
        outcome
    }
}
