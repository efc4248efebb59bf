//! The compiled, immutable model. SI units, z up.

use drystone_geometry::{DMat3, DVec3};
use drystone_keys::words;

use crate::assessment::Assessment;
use crate::campaign::{Campaign, Question};
use crate::fault::Section;
use crate::pushover::Pushover;
use crate::statics::{Equilibrium, Limit, Tie};
use drystone_shaking::Motion;

/// A structure with what acts on it and what is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Name for reports.
    pub name: String,
    /// Acceleration of gravity along -z, m/s².
    pub gravity: f64,
    /// Degrees of freedom of every block: three translations, three rotations. A planar model frees three.
    pub free: [bool; 6],
    /// Materials in the order of the file.
    pub materials: Vec<Material>,
    /// Interface laws for every pair of materials, row by row, each in bed joints and then in head joints.
    pub(crate) interfaces: Vec<[Interface; 2]>,
    /// Blocks in the order of the file.
    pub blocks: Vec<Block>,
    /// Forces on blocks.
    pub loads: Vec<Load>,
    /// Ties between blocks.
    pub ties: Vec<Tie>,
    /// Ground motions and settlements.
    pub motions: Vec<Motion>,
    /// Analyses in the order of the file.
    pub analyses: Vec<Analysis>,
    /// Hash of the model file and of the files it names, lower-case hexadecimal.
    pub sha256: String,
    /// What was assumed, repaired and skipped in drawings, made otherwise in structures and assumed of records, a sentence each.
    pub notes: Vec<String>,
    /// The item of the file that each block comes from.
    pub(crate) origins: Vec<(Section, usize)>,
}

/// A material.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Unique name.
    pub name: String,
    /// kg/m³.
    pub density: f64,
}

/// How two materials meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interface {
    /// Coulomb coefficient.
    pub friction: f64,
    /// Per unit area, N/m³; needed where joints are elastic, of no effect where they are rigid.
    pub normal_stiffness: Option<f64>,
    /// Per unit area, N/m³; present whenever the normal one is.
    pub shear_stiffness: Option<f64>,
    /// Pa; absent: infinite.
    pub compressive_strength: Option<f64>,
    /// Parts into which a joint is divided along its sides where the elastic branch of a pushover asks for its stiffness.
    pub subdivisions: u32,
}

/// How a joint lies where stones are laid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Within 45 degrees of level.
    Bed,
    /// Steeper.
    Head,
}

impl JointKind {
    /// By the unit normal of a contact in the axes of each of both blocks.
    ///
    /// How a face is dressed and bedded belongs to the stone and turns with it. The axes are therefore those of the blocks, which are
    /// those of the world in the initial configuration, and not those of the world now: a course that rocks or falls keeps its friction, and no joint changes
    /// its law in mid-motion because the wall leans. Faces that meet only later are judged in the same way, without any memory. Where
    /// both blocks disagree the mean of their squared cosines decides.
    pub fn of(normals: [DVec3; 2]) -> Self {
        // Joints at exactly 45 degrees, as arches have, are beds whatever rounding says.
        const ROUNDING: f64 = 1e-9;
        let [a, b] = normals;
        if a.z * a.z + b.z * b.z >= 1.0 - ROUNDING {
            Self::Bed
        } else {
            Self::Head
        }
    }
}

/// A rigid block.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Unique name.
    pub name: String,
    /// Index into [`Model::materials`].
    pub material: usize,
    /// Follows the ground instead of having unknowns.
    pub support: bool,
    /// Free word by which reports put blocks together.
    pub group: Option<String>,
    /// Shape with vertices relative to the centroid, in the axes of the file; of several parts if it is not convex.
    pub shape: drystone_geometry::Solid,
    /// Initial world position of the centroid, m.
    pub position: DVec3,
    /// kg.
    pub mass: f64,
    /// Inertia about the centroid in the axes of the file, kg m².
    pub inertia: DMat3,
    /// Initial velocity of the centroid relative to the ground, m/s.
    pub velocity: DVec3,
    /// Initial angular velocity, rad/s.
    pub angular_velocity: DVec3,
}

/// A force on a block, constant in magnitude and direction; its point moves with the block.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Index into [`Model::blocks`].
    pub block: usize,
    /// N.
    pub force: DVec3,
    /// Point of application minus centroid in the initial configuration, m.
    pub arm: DVec3,
    /// A live load is multiplied in limit and pushover analyses; dead loads are always there.
    pub live: bool,
}

/// A named question.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Which question.
    pub kind: AnalysisKind,
    /// Hash of what the answer depends on, lower-case hexadecimal: [`Model::sha256`] without what other analyses ask and, unless the question is of
    /// motions, without those.
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

    /// It treats the crushing of joints, in planar models.
    pub fn crushes(&self) -> bool {
        match self {
            Self::Equilibrium(_) | Self::Limit(_) | Self::Pushover(_) => true,
            Self::TimeHistory(_) | Self::Rocking(_) | Self::Assessment(_) | Self::Campaign(_) => {
                false
            }
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

/// Settings of a time history.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeHistory {
    /// Indices into [`Model::motions`]; they add up. Empty: only gravity and loads.
    pub motions: Vec<usize>,
    /// Time step, s; the first one if steps adapt.
    pub dt: f64,
    /// Steps of changing length; absent: all are `dt`.
    pub adaptive: Option<Adaptive>,
    /// s.
    pub duration: f64,
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
    /// Numerical contact stiffness that makes impulses unique, N/m per contact point (the compliance is
    /// `1/(dt² k)`); absent: rigid.
    pub regularisation: Option<f64>,
    /// Quasi-Newton iterations for rotations per step.
    pub rotation_iterations: usize,
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
        /// True Coulomb friction by a fixed point of convex problems.
        Coulomb = "coulomb",
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
        /// Residuals and complementarity gap 1e-7.
        Default = "default",
        /// Residuals 1e-8, complementarity gap 1e-9.
        Validation = "validation",
    }
}

/// A point whose displacement is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Monitor {
    /// Unique name within the analysis.
    pub name: String,
    /// Index into [`Model::blocks`].
    pub block: usize,
    /// Point minus centroid in the initial configuration, m.
    pub arm: DVec3,
}

/// Settings of the rocking-block analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Rocking {
    /// Half width of the base, m.
    pub half_width: f64,
    /// Half height, m.
    pub half_height: f64,
    /// Initial rotation, rad.
    pub initial_angle: f64,
    /// Initial angular velocity, rad/s.
    pub initial_velocity: f64,
    /// Factor on the speed at an impact; absent: Housner's `1 - 3/2 sin² alpha`.
    pub restitution: Option<f64>,
    /// Indices into [`Model::motions`]; the component along `direction` acts.
    pub motions: Vec<usize>,
    /// Unit vector: positive rotation and positive ground motion.
    pub direction: DVec3,
    /// s.
    pub duration: f64,
    /// s.
    pub output_every: f64,
    /// Gravity, m/s².
    pub gravity: f64,
}

impl Model {
    /// The law that holds between the materials of two blocks in joints of a kind.
    pub fn interface(&self, a: usize, b: usize, kind: JointKind) -> &Interface {
        let pair = self.blocks[a].material * self.materials.len() + self.blocks[b].material;
        let [bed, head] = &self.interfaces[pair];
        match kind {
            JointKind::Bed => bed,
            JointKind::Head => head,
        }
    }

    /// The law that holds between two blocks in the initial configuration, where they meet with this normal.
    pub fn initial_interface(&self, a: usize, b: usize, normal: DVec3) -> &Interface {
        self.interface(a, b, JointKind::of([normal; 2]))
    }

    /// The laws of all pairs of materials.
    pub fn interfaces(&self) -> impl Iterator<Item = &Interface> {
        self.interfaces.iter().flatten()
    }

    /// Weight of the free blocks, N.
    pub fn weight(&self) -> f64 {
        let free = self.blocks.iter().filter(|block| !block.support);
        let mass: f64 = free.map(|block| block.mass).sum();
        // The sum of nothing is -0.
        self.gravity * (mass + 0.0)
    }
}
