// What the page holds. Made from the types in crates/page/src/report; do not edit: DRYSTONE_WRITE=1 cargo test -p drystone-page generated
// Arrays of numbers are base64 of little-endian numbers; indices have 32 bits and no sign.

/** What a page of a run that goes on needs to read its frames. */
export interface Live {
  /** Names of a frame's values after its time. */
  columns: string[];
}

/** A frame of a run that goes on, as its page reads it. */
export interface LiveFrame {
  /** Its row of the history: time, then values, none where one is not finite. */
  row: (number | null)[];
  /** Quaternions x y z w of all blocks in steps of 1/32767; 16 bits each. */
  turns: string;
  /** Displacements of all blocks since the start, m; single precision. */
  ways: string;
}

/** Resultants in joints, those of one time after another, sorted by pair within each time. */
export interface PackedForces {
  /** Two per resultant, which acts on the second; indices. */
  blocks: string;
  /** N; single precision. */
  forces: string;
  /** Points of action, m; single precision. */
  points: string;
  /** First resultant of each time, and the end of the last; indices. */
  starts: string;
  /** s; double precision. */
  times: string;
}

/** Joints of a question of statics. */
export interface PackedJoints {
  /** m²; single precision. */
  area: string;
  /** Where it moves, m; single precision. */
  at: string;
  /** Two per joint; indices. */
  blocks: string;
  /** Distance from the nearest edge, as a part of that of the middle; single precision. */
  edge: string;
  /** Resultants on the second blocks, N; single precision. */
  forces: string;
  /** Part of the friction that is used; single precision. */
  friction: string;
  /** How each joint moves in the mechanism; none if there is no mechanism. */
  movement: (string | null)[];
  /** Their normal parts, N; single precision. */
  normal: string;
  /** Corners in order around each joint, m; single precision. */
  outlines: string;
  /** Points of action of the resultants, m; single precision. */
  points: string;
  /** First corner of each outline, and the end of the last; indices. */
  starts: string;
}

/** The motion of blocks in whole steps. */
export interface PackedMotion {
  /** Width of the whole numbers: 16, or 32 where blocks go far. */
  bits: number;
  /** Blocks that move, as indices; others stay where they are. */
  blocks: string;
  /** Displacement since the start, by frame and block, squeezed. */
  positions: string;
  /** Quaternions x y z w in steps of 1/32767, by frame and block, squeezed. */
  rotations: string;
  /** Displacements are whole multiples of this, m. */
  step: number;
  /** Of how many frames one is here. */
  stride: number;
  /** s, of a pushover m; double precision. */
  times: string;
}

/** A table of numbers against time. */
export interface PackedTable {
  /** Of columns, without time. */
  names: string[];
  /** The first value of each column; none if it is not finite. */
  start: (number | null)[];
  /** Of how many rows one is here. */
  stride: number;
  /** s, of a pushover m; double precision. */
  time: string;
  /** Differences from the first value, column by column; single precision. */
  values: string;
}

/** Joints as the viewer reads them. */
export interface PackedTouching {
  /** m²; single precision. */
  area: string;
  /** Two per joint; indices. */
  blocks: string;
  /** Coulomb coefficients; single precision. */
  friction: string;
  /** Unit vectors from the first block to the second; single precision. */
  normals: string;
  /** Corners in order around each joint, m; single precision. */
  outlines: string;
  /** First corner of each outline, and the end of the last; indices. */
  starts: string;
}

/** Everything that a page holds for its viewer. What an analysis does not have is left out. */
export interface Scene {
  /** Name of the analysis. */
  analysis: string;
  /** Blocks at the start. */
  blocks: SceneBlocks;
  /** How well steps were solved. */
  diagnostics?: PackedTable;
  /** Resultants in joints of a run. */
  forces?: PackedForces;
  /** Degrees of freedom that are free: three displacements, three rotations. */
  free: [boolean, boolean, boolean, boolean, boolean, boolean];
  /** m/s². */
  gravity: number;
  /** Names of groups of blocks. */
  groups: string[];
  /** Energies and monitors against time. */
  history?: PackedTable;
  /** Joints of a question of statics. */
  joints?: PackedJoints;
  /** Kind of the analysis, as in its summary; none while it runs. */
  kind: string | null;
  /** Thrust lines. */
  lines?: SceneLine[];
  /** The analysis is still running. */
  live?: Live;
  /** Loads on blocks. */
  loads: SceneLoad[];
  /** Materials of blocks. */
  materials: SceneMaterial[];
  /** Velocities of all blocks, six each, scaled so that the unit of time shows the mechanism; single precision. */
  mechanism?: string;
  /** Shapes of blocks. */
  mesh: SceneMesh;
  /** Frames of a run or of a pushover. */
  motion?: PackedMotion;
  /** Name of the model. */
  name: string;
  /** What was noticed as the model was read. */
  notes: string[];
  /** Hash of the model, lower-case hexadecimal. */
  sha256: string;
  /** Diagonal of what is not a support, m. */
  size: number;
  /** Outcome of the analysis in one word. */
  status: string;
  /** Ties between blocks. */
  ties: SceneTie[];
  /** Joints of a run. */
  touching?: PackedTouching;
}

/** Blocks at the start, one entry of each list per block. */
export interface SceneBlocks {
  /** Index of the group. */
  group: number[];
  /** kg; single precision. */
  mass: string;
  /** Index of the material. */
  material: number[];
  /** As in the model. */
  names: string[];
  /** Centroids, m, three per block; double precision. */
  position: string;
  /** 1 for a support, else 0. */
  support: number[];
}

/** A thrust line. */
export interface SceneLine {
  /** The block that each point moves with. */
  blocks: number[];
  /** m. */
  points: ([number, number, number])[];
  /** Of which state of equilibrium. */
  state: string;
  /** N. */
  thrust: number;
}

/** A load on a block. */
export interface SceneLoad {
  /** From the centroid to where the load acts, m. */
  arm: [number, number, number];
  /** Index of the block. */
  block: number;
  /** N. */
  force: [number, number, number];
  /** It grows with the multiplier. */
  live: boolean;
}

/** A material. */
export interface SceneMaterial {
  /** kg/m³. */
  density: number;
  /** As in the model. */
  name: string;
}

/** Shapes of blocks. */
export interface SceneMesh {
  /** Block, number of corners, corners; and so on. Indices. */
  faces: string;
  /** Three coordinates per vertex in the frame of its block, m; single precision. */
  vertices: string;
}

/** A tie. */
export interface SceneTie {
  /** Indices of the blocks at its ends; none where it is held by the ground. */
  blocks: [number | null, number | null];
  /** As in the model. */
  name: string;
  /** Its ends, m. */
  points: [[number, number, number], [number, number, number]];
}
