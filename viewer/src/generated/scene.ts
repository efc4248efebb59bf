// What the page holds, as the program writes it.

export type Triple = [number, number, number];
export interface PackedTable { names: string[]; time: string; start: (number | null)[]; values: string; stride: number }
export interface PackedMotion { times: string; blocks: string; step: number; bits: number; positions: string; rotations: string; stride: number }
export interface PackedTouching { blocks: string; normals: string; area: string; friction: string; starts: string; outlines: string }
export interface PackedForces { times: string; starts: string; blocks: string; points: string; forces: string }
export interface PackedJoints {
    blocks: string;
    points: string;
    forces: string;
    normal: string;
    area: string;
    friction: string;
    edge: string;
    movement: (string | null)[];
    at: string;
    starts: string;
    outlines: string;
}
export interface SceneBlocks { names: string[]; material: number[]; group: number[]; support: number[]; mass: string; position: string }
export interface LiveFrame { row: (number | null)[]; ways: string; turns: string }
export interface SceneMesh { vertices: string; faces: string }
export interface Scene {
  name: string;
  analysis: string;
  kind: string | null;
  status: string;
  size: number;
  free: boolean[];
  gravity: number;
  materials: { name: string; density: number }[];
  groups: string[];
  blocks: SceneBlocks;
  mesh: { vertices: string; faces: string };
  loads: { block: number; arm: Triple; force: Triple; live: boolean }[];
  ties: { name: string; blocks: (number | null)[]; points: [Triple, Triple] }[];
  motion?: PackedMotion;
  history?: PackedTable;
  diagnostics?: PackedTable;
  touching?: PackedTouching;
  forces?: PackedForces;
  joints?: PackedJoints;
  lines?: { state: string; thrust: number; points: Triple[]; blocks: number[] }[];
  mechanism?: string;
  live?: { columns: string[] };
}
