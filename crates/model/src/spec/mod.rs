//! The model as written: what a model file says, before anything is checked or computed.
//!
//! Every key is declared once, with its unit, bounds and default. An absent value stays absent, so that a file is written
//! back as it was read; the default is asked for when the model is compiled, by the method of the key's name.

use drystone_keys::{keys, words};
mod generate;
mod import;
mod motion;
mod synthetic;
mod tie;

pub use drystone_structures::{
    Axis, BumpsSpec, CutSpec, PlacingSpec, RepeatSpec, SetSpec, StructureSpec,
};
pub use generate::GenerateSpec;
pub use import::{DrawingSpec, ImportSpec, LayerSpec, Up};
pub use motion::{
    ComponentSpec, MotionSpec, PulseSpec, RecordSpec, SaSpec, SettlementSpec, SineSpec,
};
pub use synthetic::{Code, CodeSpectrumSpec, StochasticSpec};
pub use tie::TieSpec;

use crate::asked::AnalysisSpec;

keys! {
    /// A model of dry masonry: blocks, what acts on them, and what is asked. SI units, z up.
    pub struct ModelSpec {
        /// General settings.
        model: GeneralSpec { kept },
        /// Materials.
        material: Vec<MaterialSpec> { defaulted },
        /// How materials meet.
        /// The last interface that matches a pair of materials holds.
        interface: Vec<InterfaceSpec> { defaulted },
        /// Rigid convex blocks.
        block: Vec<BlockSpec> { defaulted },
        /// Blocks from drawings.
        /// They come after those above.
        import: Vec<ImportSpec> { defaulted },
        /// Blocks of parametric structures.
        /// They come after those of drawings.
        generate: Vec<GenerateSpec> { defaulted },
        /// Forces on blocks.
        load: Vec<LoadSpec> { defaulted },
        /// Ties.
        tie: Vec<TieSpec> { defaulted },
        /// Ground motions and settlements.
        motion: Vec<MotionSpec> { defaulted },
        /// The questions.
        analysis: Vec<AnalysisSpec> { defaulted },
    }
}

keys! {
    /// General settings of a model.
    pub struct GeneralSpec {
        /// Name for reports.
        name: String { optional, otherwise: "the name of the file" },
        /// Acceleration of gravity along -z.
        gravity: f64 { optional, unit: "m/s²", least: 0.0, default: 9.81 },
        /// Makes the model planar.
        plane: Plane { optional, otherwise: "blocks move in space" },
        /// The model has no supports on purpose, e.g. for free flight.
        floating: bool { defaulted },
    }
}

words! {
    /// The plane of a planar model.
    pub enum Plane {
        /// Free in x, z and the rotation about y.
        Xz = "xz",
        /// Free in y, z and the rotation about x.
        Yz = "yz",
    }
}

keys! {
    /// A material.
    pub struct MaterialSpec {
        /// Unique name.
        name: String { required },
        /// Mass per volume, kg/m³; greater than zero.
        density: f64 { required, unit: "kg/m³", above: 0.0 },
    }
}

keys! {
    /// How two materials meet.
    pub struct InterfaceSpec {
        /// Names of the two materials in any order; "*" is any material.
        between: [String; 2] { required },
        /// In which joints this holds: bed joints, whose normal is within 45 degrees of the vertical in the initial configuration, or the others.
        joints: WhichJoints { optional, default: WhichJoints::All },
        /// Coulomb coefficient of friction.
        friction: f64 { required, least: 0.0 },
        /// Coefficient of joints that slide, at most `friction`; time histories use it, statics do not.
        kinetic_friction: f64 { optional, least: 0.0, otherwise: "`friction`" },
        /// Shear stress that the mortar of a joint carries without compression.
        /// Equilibrium and limit analyses use it.
        cohesion: f64 { optional, unit: "Pa", least: 0.0, default: 0.0 },
        /// Tensile stress that the mortar of a joint carries, at most `cohesion` over `friction`.
        /// Equilibrium and limit analyses use it.
        tensile_strength: f64 { optional, unit: "Pa", least: 0.0, default: 0.0 },
        /// Normal stiffness per area of joint, N/m³; analyses with elastic joints need it, others do not use it.
        normal_stiffness: f64 { optional, unit: "N/m³", above: 0.0 },
        /// Shear stiffness per area of joint.
        shear_stiffness: f64 { optional, unit: "N/m³", above: 0.0, otherwise: "the normal one over 2.4" },
        /// Stress at which the joint crushes.
        compressive_strength: f64 { optional, unit: "Pa", above: 0.0, otherwise: "never" },
        /// Parts into which joints are divided along their sides in the elastic branch of a pushover, from 1 to 64.
        /// With 1 their corners alone carry.
        subdivisions: u32 { optional, least: 1, most: 64, help: "1 takes the corners of a joint alone", default: 1 },
    }
}

words! {
    /// Joints by the way they lie.
    pub enum WhichJoints {
        /// Bed joints.
        Bed = "bed",
        /// Head joints and all others that stand.
        Head = "head",
        /// Both.
        All = "all",
    }
}

keys! {
    /// A rigid convex block.
    pub struct BlockSpec {
        /// Unique name.
        name: String { optional, otherwise: "b1, b2, ... by the position in the file" },
        /// Name of the material.
        material: String { required },
        /// Follows the ground instead of moving freely.
        support: bool { defaulted },
        /// Free word by which programs and reports put blocks together.
        group: String { optional },
        /// Corners [x, y, z], m; at least four that do not lie in one plane.
        vertices: Vec<[f64; 3]> { required, unit: "m", shortest: 4 },
        /// Faces as positions in `vertices` from 0, counter-clockwise seen from outside.
        faces: Vec<Vec<u32>> { optional, otherwise: "the convex hull" },
        /// Initial velocity of the centroid relative to the ground.
        velocity: [f64; 3] { optional, unit: "m/s", default: [0.0, 0.0, 0.0] },
        /// Initial angular velocity.
        angular_velocity: [f64; 3] { optional, unit: "rad/s", default: [0.0, 0.0, 0.0] },
        /// Mass.
        mass: f64 { optional, unit: "kg", above: 0.0, otherwise: "density times volume" },
        /// Centre of mass [x, y, z].
        centroid: [f64; 3] { optional, unit: "m", otherwise: "that of the shape" },
        /// Entries [xx, yy, zz, xy, xz, yz] of the inertia tensor about the centroid in the axes of the file, kg m² (xy is minus the integral of x y dm).
        inertia: [f64; 6] { optional, otherwise: "that of the shape, in proportion to the mass" },
    }
}

keys! {
    /// A force on a block, constant in size and direction; its point moves with the block.
    pub struct LoadSpec {
        /// Name of the block.
        block: String { required },
        /// Force [x, y, z].
        force: [f64; 3] { required, unit: "N" },
        /// Point of application [x, y, z].
        point: [f64; 3] { optional, unit: "m", otherwise: "the centroid" },
        /// A live load, which limit and pushover analyses multiply.
        /// In a time history both act.
        live: bool { defaulted, otherwise: "false, a dead load" },
    }
}

impl BlockSpec {
    /// A box with edges along the axes, between two opposite corners (m).
    pub fn cuboid(name: &str, material: &str, min: [f64; 3], max: [f64; 3]) -> Self {
        let pick = |corner: usize, axis: usize| {
            if corner >> axis & 1 == 0 {
                min[axis]
            } else {
                max[axis]
            }
        };
        Self {
            name: Some(name.to_owned()),
            material: material.to_owned(),
            vertices: (0..8)
                .map(|corner| [pick(corner, 0), pick(corner, 1), pick(corner, 2)])
                .collect(),
            ..Self::default()
        }
    }

    /// The same block as a support.
    pub fn supported(mut self) -> Self {
        self.support = true;
        self
    }
}

/// Why a model could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The TOML writer refused.
    #[error("the model cannot be written as TOML: {0}")]
    Toml(#[from] toml::ser::Error),
    /// The JSON writer refused.
    #[error("the model cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl ModelSpec {
    /// The model as the text of a TOML file.
    pub fn to_toml(&self) -> Result<String, WriteError> {
        Ok(toml::to_string(self)?)
    }

    /// The model as the text of a JSON file.
    pub fn to_json(&self) -> Result<String, WriteError> {
        Ok(serde_json::to_string_pretty(self)?)
    }
}
