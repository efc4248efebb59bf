//! The compiled, immutable model. SI units, z up.

use drystone_geometry::{DMat3, DVec3};
use drystone_shaking::Motion;

use crate::asked::Analysis;
use crate::compile::Law;
use crate::fault::Section;

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
    /// The interfaces that they were chosen from, in the order of the file.
    pub(crate) laws: Vec<Law>,
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
    /// The same where a joint slides in a time history; not greater.
    pub kinetic_friction: f64,
    /// Shear stress that its mortar carries without compression, Pa.
    pub cohesion: f64,
    /// Tensile stress that its mortar carries, Pa; at most cohesion over friction.
    pub tensile_strength: f64,
    /// Per unit area, N/m³; needed where joints are elastic, of no effect where they are rigid.
    pub normal_stiffness: Option<f64>,
    /// Per unit area, N/m³; present whenever the normal one is.
    pub shear_stiffness: Option<f64>,
    /// Pa; absent: infinite.
    pub compressive_strength: Option<f64>,
    /// Parts into which a joint is divided along its sides where the elastic branch of a pushover asks for its stiffness.
    pub subdivisions: u32,
}

impl Interface {
    /// Mortar holds its joints together.
    pub fn is_bonded(&self) -> bool {
        self.cohesion > 0.0 || self.tensile_strength > 0.0
    }
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

/// A tie: it pulls and never pushes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    /// Unique name.
    pub name: String,
    /// Indices into [`Model::blocks`]; none for an end held by the ground.
    pub blocks: [Option<usize>; 2],
    /// The two ends, m.
    pub points: [DVec3; 2],
    /// N/m.
    pub stiffness: f64,
    /// Force at which it yields, N.
    pub yield_force: f64,
    /// m; absent: it never breaks.
    pub max_elongation: Option<f64>,
    /// Tension at the start, N.
    pub initial_force: f64,
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
