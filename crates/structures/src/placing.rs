//! What all structures and drawings have in common, as written.

use drystone_keys::{keys, words};

keys! {
    /// What all structures and drawings have in common: names, material, place, and what is done to their blocks. In this order:
    /// removing, cutting, gaps, trimming, bumps, mirroring, turning, moving, repeating.
    pub struct PlacingSpec {
        /// Comes before the names of the blocks, with a dot.
        /// For a drawing the default is nothing.
        name: String { optional, otherwise: "the kind" },
        /// Name of the material.
        material: String { required },
        /// Group of all blocks.
        group: String { optional, otherwise: "the part of the structure that each belongs to, if it has parts" },
        /// All blocks follow the ground.
        support: bool { defaulted },
        /// Where the origin of the structure goes [x, y, z].
        at: [f64; 3] { optional, unit: "m", default: [0.0, 0.0, 0.0] },
        /// Turns about the axes x, then y, then z through the origin of the structure.
        rotate_degrees: [f64; 3] { optional, unit: "degrees", default: [0.0, 0.0, 0.0] },
        /// Mirrors the structure in the plane through its origin that is normal to this axis.
        mirror: Axis { optional, otherwise: "not" },
        /// Copies in a row.
        repeat: RepeatSpec { optional, otherwise: "one" },
        /// Planes that cut the structure, in its own frame.
        cut: Vec<CutSpec> { defaulted },
        /// Width of all joints, m: every face moves into its block by half of it.
        gap: f64 { optional, unit: "m", least: 0.0, default: 0.0 },
        /// Worn edges: every edge is cut by a plane this far inside it.
        trim: f64 { optional, unit: "m", least: 0.0, default: 0.0 },
        /// Rounds the undersides of blocks, which raises their restitution.
        bumps: BumpsSpec { optional, otherwise: "plane" },
        /// Changes of some blocks, the last one that matches wins.
        set: Vec<SetSpec> { defaulted },
        /// Blocks left out, by their names within the structure; `*` stands for any letters, `?` for one.
        remove: Vec<String> { defaulted },
    }
}

words! {
    /// A coordinate axis.
    pub enum Axis {
        /// Along the first coordinate.
        X = "x",
        /// Along the second coordinate.
        Y = "y",
        /// Upwards.
        Z = "z",
    }
}

keys! {
    /// Copies in a row, named `NAME1`, `NAME2` and so on.
    pub struct RepeatSpec {
        /// How many in all; at least one.
        count: u32 { required, least: 1 },
        /// From one to the next [x, y, z].
        step: [f64; 3] { required, unit: "m" },
    }
}

keys! {
    /// A plane that cuts a structure.
    pub struct CutSpec {
        /// A point of the plane [x, y, z].
        point: [f64; 3] { required, unit: "m" },
        /// Normal [x, y, z] of any length, towards the side that is taken away.
        normal: [f64; 3] { required },
    }
}

keys! {
    /// Ridges under blocks, so that the impact of a rocking block is spread over several (NB remark 7).
    pub struct BumpsSpec {
        /// Blocks with bumps, by their names within the structure.
        blocks: String { optional, otherwise: "all" },
        /// Number of ridges between the two edges of the underside; at least one.
        count: u32 { required, least: 1 },
        /// How far the edges are raised above the middle.
        height: f64 { required, unit: "m", above: 0.0 },
        /// The block rocks along this axis, x or y; the ridges run across it.
        along: Axis { optional, default: Axis::X },
    }
}

keys! {
    /// A change of some blocks of a structure.
    pub struct SetSpec {
        /// Names within the structure; `*` stands for any letters, `?` for one.
        blocks: String { required },
        /// Name of their material.
        material: String { optional, otherwise: "that of the structure" },
        /// Their group.
        group: String { optional, otherwise: "that of the structure" },
        /// Whether they follow the ground.
        support: bool { optional, otherwise: "as the structure" },
    }
}
